/*
 * Progress and Ctrl-C.
 */
#include "cli/cli.h"

#include "base/clock.h"

#include <signal.h>
#include <stdio.h>
#include <string.h>
#include <unistd.h>

static volatile sig_atomic_t interrupted;

static void note_interrupt(int number)
{
    (void)number;
    interrupted = 1;
}

void interrupt_catch(void)
{
    /* The handler is taken off when it runs: a second Ctrl-C ends the program. A read that waits is ended, too. */
    struct sigaction action = {.sa_handler = note_interrupt, .sa_flags = (int)SA_RESETHAND};
    sigemptyset(&action.sa_mask);
    sigaction(SIGINT, &action, NULL);
    sigaction(SIGTERM, &action, NULL);
}

bool interrupt_seen(void)
{
    return interrupted != 0;
}

void progress_start(struct progress *progress, const struct settings *settings)
{
    progress->live = !settings->quiet && isatty(STDERR_FILENO);
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
