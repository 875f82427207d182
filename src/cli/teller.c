/* Shows events on the terminal and in the log: see teller.h. */
#include "cli/teller.h"

#include <errno.h>
#include <string.h>

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
