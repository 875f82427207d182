/*
 * Shows progress and the library's events, and catches signals that ask the program to end: the library tells, the
 * program says. No other code makes lines, progress or the log of events.
 */
#include "cli/teller.h"

#include "base/watch.h"

#include <errno.h>
#include <signal.h>
#include <stdatomic.h>
#include <stdio.h>
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

void progress_start(struct progress *progress, bool quiet)
{
    progress->live = !quiet && isatty(STDERR_FILENO);
    progress->started = seconds_now();
    progress->drawn = 0;
}

void progress_draw(struct progress *progress, const char *what, uint64_t done, uint64_t of, const char *note)
{
    enum { WIDTH = 24 };
    double now = seconds_now();
    if (!progress->live || (now - progress->drawn < 0.1 && done < of))
        return;
    progress->drawn = now;
    fputc('\r', stderr);
    showf(stderr, "%s ", what);
    if (of) {
        int filled = (int)((double)done / (double)of * WIDTH);
        char bar[WIDTH + 1];
        memset(bar, '.', WIDTH);
        memset(bar, '#', (size_t)(filled > WIDTH ? WIDTH : filled));
        bar[WIDTH] = '\0';
        fprintf(stderr, "[%s] %3d%% ", bar, (int)(100.0 * (double)done / (double)of));
    } else
        fprintf(stderr, "%llu ", (unsigned long long)done);
    showf(stderr, "%s", note);
    fputs("\033[K", stderr);
    fflush(stderr);
}

void progress_clear(struct progress *progress)
{
    if (progress->live)
        fprintf(stderr, "\r\033[K");
}

static void tell(void *context, const struct vouch_event *event)
{
    struct teller *teller = context;
    bool wanted = event->kind != VOUCH_EVENT_TRIED || teller->options->verbose;
    if (event->record && teller->log)
        fprintf(teller->log, "%s\n", event->record), fflush(teller->log);
    if (event->text && wanted && !teller->options->quiet) {
        progress_clear(&teller->progress);
        showf(stderr, "%s\n", event->text);
    } else if (!event->text && !event->record)
        progress_draw(&teller->progress, event->what, event->done, event->of, event->note);
}

static int stop(void *context)
{
    (void)context;
    return interrupt_seen();
}

struct vouch_watch teller_watch(struct teller *teller, const void *options)
{
    teller->options = options;
    progress_start(&teller->progress, teller->options->quiet);
    return (struct vouch_watch){.size = sizeof(struct vouch_watch), .context = teller, .tell = tell, .stop = stop};
}

bool teller_log_open(struct teller *teller, const char *path, struct vouch_error *err)
{
    teller->log_name = path;
    teller->log = path ? fopen(path, "w") : NULL;
    return teller->log || !path || fail(err, VOUCH_ERR_IO, "%s: cannot write: %s", path, strerror(errno));
}

bool teller_log_close(struct teller *teller, struct vouch_error *err)
{
    bool ok = !teller->log || (fflush(teller->log) == 0 && !ferror(teller->log));
    if (teller->log)
        fclose(teller->log);
    teller->log = NULL;
    return ok || fail(err, VOUCH_ERR_IO, "%s: cannot write the log", teller->log_name);
}
