/* Passes events to the caller: see watch.h. */
#include "base/watch.h"

#include "base/buffer.h"

#include <math.h>
#include <stdarg.h>

void watch_tell(const struct vouch_watch *watch, struct vouch_event event)
{
    event.size = sizeof event;
    event.what = event.what ? event.what : "";
    event.note = event.note ? event.note : "";
    if (watch && watch->tell)
        watch->tell(watch->context, &event);
}

void watch_say(const struct vouch_watch *watch, enum vouch_event_kind kind, const char *format, ...)
{
    struct printed line;
    va_list args;
    if (!watch || !watch->tell)
        return;
    va_start(args, format);
    printed_make(&line, format, args);
    va_end(args);
    watch_tell(watch, (struct vouch_event){.kind = kind, .number = NAN, .text = line.at});
    printed_release(&line);
}

bool watch_stops(const struct vouch_watch *watch)
{
    return watch && watch->stop && watch->stop(watch->context);
}

bool watch_reading(const struct vouch_watch *watch, uint64_t sentences)
{
    watch_tell(
        watch,
        (struct vouch_event){
            .kind = VOUCH_EVENT_READING, .what = "reading", .done = sentences, .number = NAN, .note = "sentences"});
    return !watch_stops(watch);
}

void step_tell(void *step_watch, uint32_t done, uint32_t of)
{
    const struct step_watch *step = step_watch;
    watch_tell(step->watch,
               (struct vouch_event){.kind = step->kind, .what = step->what, .done = done, .of = of, .number = NAN});
}

bool step_stop(void *step_watch)
{
    const struct step_watch *step = step_watch;
    return watch_stops(step->watch);
}
