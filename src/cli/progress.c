/*
 * Shows text, progress and the library's events on a terminal, and catches signals that ask the program to end: the
 * library tells, the program says. No other code makes lines, progress or the log of events.
 */
#include "cli/cli.h"

#include "base/buffer.h"
#include "base/watch.h"

#include <errno.h>
#include <signal.h>
#include <stdarg.h>
#include <stdatomic.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <unistd.h>

static atomic_bool interrupted; /* set by a signal handler, read by any thread */
static bool left;               /* the signals are not to be caught */

/* Signals that ask the program to end: from the keyboard, by kill(1), and because the terminal is gone. */
static const int ending[] = {SIGINT, SIGTERM, SIGHUP};
enum { ENDINGS = sizeof ending / sizeof *ending };

static void set_handler(int number, void (*handler)(int))
{
    struct sigaction action = {.sa_handler = handler};
    sigemptyset(&action.sa_mask);
    sigaction(number, &action, NULL);
}

/* Notes a signal. The first removes all handlers, so that a second one, of any kind, ends the program. */
static void note_interrupt(int number)
{
    int before = errno;
    (void)number;
    atomic_store(&interrupted, true);
    for (size_t i = 0; i < ENDINGS; i++)
        set_handler(ending[i], SIG_DFL);
    errno = before;
}

void interrupt_leave(void)
{
    left = true;
}

/* Catches the signals, without SA_RESTART, to end a read that waits, too. What nohup(1) ignores stays ignored. */
void interrupt_catch(void)
{
    struct sigaction before;
    for (size_t i = 0; i < ENDINGS && !left; i++)
        if (ending[i] != SIGHUP || (sigaction(SIGHUP, NULL, &before) == 0 && before.sa_handler != SIG_IGN))
            set_handler(ending[i], note_interrupt);
}

bool interrupt_seen(void)
{
    return atomic_load(&interrupted);
}

void show_text(FILE *to, struct text text, const char *kept)
{
    while (text.length > 0) {
        bool keep = strchr(kept, text.at[0]) && text.at[0] != '\0';
        const char *from = text.at;
        struct text shown = text_visible(&text);
        if (keep)
            shown = (struct text){from, 1};
        fwrite(shown.at, 1, shown.length, to);
    }
}

void showf(FILE *to, const char *format, ...)
{
    struct printed line;
    va_list args;
    va_start(args, format);
    printed_make(&line, format, args);
    va_end(args);
    show_text(to, (struct text){line.at, line.length}, "\n\t");
    printed_release(&line);
}

int name_width(struct text name)
{
    int width = 0;
    for (; name.length; width++)
        text_visible(&name);
    return width;
}

void show_name(FILE *to, struct text name, int width)
{
    int blanks = width - name_width(name);
    show_text(to, name, "");
    fprintf(to, "%*s", blanks > 0 ? blanks : 0, "");
}

void show_json(json_t *result, int digits)
{
    char *text = json_dumps(result, JSON_INDENT(2) | JSON_REAL_PRECISION(digits));
    puts(text ? text : "{}");
    free(text);
    json_decref(result);
}

static struct event_printer *printer_of(const struct options *options)
{
    return options->work.watch->context;
}

static void clear_line(const struct event_printer *printer)
{
    if (printer->live)
        fprintf(stderr, "\r\033[K");
}

void progress_clear(const struct options *options)
{
    clear_line(printer_of(options));
}

static void draw_line(struct event_printer *printer, const struct vouch_event *event)
{
    enum { WIDTH = 24 };
    double now = seconds_now();
    if (!printer->live || (now - printer->drawn < 0.1 && event->done < event->of))
        return;
    printer->drawn = now;
    fputc('\r', stderr);
    showf(stderr, "%s ", event->what);
    if (event->of) {
        double share = (double)event->done / (double)event->of;
        int filled = (int)(share * WIDTH);
        char bar[WIDTH + 1];
        memset(bar, '.', WIDTH);
        memset(bar, '#', (size_t)(filled > WIDTH ? WIDTH : filled));
        bar[WIDTH] = '\0';
        fprintf(stderr, "[%s] %3d%% ", bar, (int)(100.0 * share));
    } else
        fprintf(stderr, "%llu ", (unsigned long long)event->done);
    showf(stderr, "%s", event->note);
    fputs("\033[K", stderr);
    fflush(stderr);
}

static void tell(void *context, const struct vouch_event *event)
{
    struct event_printer *printer = context;
    bool wanted = event->kind != VOUCH_EVENT_TRIED || printer->options->verbose;
    if (event->record && printer->log)
        fprintf(printer->log, "%s\n", event->record), fflush(printer->log);
    if (event->text && wanted && !printer->options->quiet) {
        clear_line(printer);
        showf(stderr, "%s\n", event->text);
    } else if (!event->text && !event->record)
        draw_line(printer, event);
}

static int stop(void *context)
{
    (void)context;
    return interrupt_seen();
}

struct vouch_watch event_printer_watch(struct event_printer *printer, const struct options *options)
{
    *printer = (struct event_printer){.options = options, .live = !options->quiet && isatty(STDERR_FILENO)};
    return (struct vouch_watch){.size = sizeof(struct vouch_watch), .context = printer, .tell = tell, .stop = stop};
}

bool event_log_open(const struct options *options, const char *path, struct vouch_error *err)
{
    struct event_printer *printer = printer_of(options);
    printer->log_name = path;
    printer->log = path ? fopen(path, "w") : NULL;
    return printer->log || !path || fail(err, VOUCH_ERR_IO, "%s: cannot write: %s", path, strerror(errno));
}

bool event_log_close(const struct options *options, const char *last, struct vouch_error *err)
{
    struct event_printer *printer = printer_of(options);
    if (!printer->log)
        return true;
    if (last)
        fprintf(printer->log, "%s\n", last);
    bool ok = fflush(printer->log) == 0 && !ferror(printer->log);
    fclose(printer->log);
    printer->log = NULL;
    return ok || fail(err, VOUCH_ERR_IO, "%s: cannot write the log", printer->log_name);
}
