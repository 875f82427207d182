/*
 * Sentences on several threads: see py_stretches.h. The calling thread takes the GIL for a moment, twenty times a
 * second, so that Ctrl-C ends the call.
 */
#include "py_stretches.h"

#include <limits.h>
#include <pthread.h>
#include <stdlib.h>
#include <time.h>

/* Fewer words than this are not worth a thread. */
enum { WORDS_PER_THREAD = 200 };

static double seconds_now(void)
{
    struct timespec now;
    clock_gettime(CLOCK_MONOTONIC, &now);
    return (double)now.tv_sec + 1e-9 * (double)now.tv_nsec;
}

void signals_begin(struct signals *signals)
{
    *signals = (struct signals){.looked = seconds_now()};
    signals->thread = PyEval_SaveThread();
}

void signals_end(struct signals *signals)
{
    PyEval_RestoreThread(signals->thread);
}

bool signals_look(struct signals *signals)
{
    double now = seconds_now();
    if (now - signals->looked < 0.05)
        return signals->interrupted;
    signals->looked = now;
    PyEval_RestoreThread(signals->thread);
    signals->interrupted = PyErr_CheckSignals() != 0;
    signals->thread = PyEval_SaveThread();
    return signals->interrupted;
}

size_t stretches_worth(size_t sentences, size_t words, unsigned threads)
{
    size_t most = words / WORDS_PER_THREAD;
    most = most < sentences ? most : sentences;
    most = most < threads ? most : threads;
    return most > 1 ? most : 1;
}

/* Lets the stretches after one stop. Those before it go on, since the first error counts. */
static void stop_after(struct stretches *call, int number)
{
    int seen = __atomic_load_n(&call->failed, __ATOMIC_RELAXED);
    while (number < seen &&
           !__atomic_compare_exchange_n(&call->failed, &seen, number, true, __ATOMIC_RELAXED, __ATOMIC_RELAXED))
        ;
}

static void answer_stretch(struct stretch *stretch)
{
    struct stretches *call = stretch->call;
    for (stretch->at = stretch->first; stretch->at < stretch->end; stretch->at++) {
        if (__atomic_load_n(&call->failed, __ATOMIC_RELAXED) < stretch->number)
            return;
        if (!call->answer(stretch)) {
            stop_after(call, stretch->number);
            return;
        }
        if (stretch->number == 0 && signals_look(&call->signals)) { /* on the calling thread */
            stop_after(call, -1);
            return;
        }
    }
}

static void *run_stretch(void *stretch)
{
    answer_stretch(stretch);
    return NULL;
}

/* Answers all stretches, the first on this thread; one that gets no thread of its own comes after it. */
static void answer_all(struct stretches *call)
{
    pthread_t *thread = call->count > 1 ? calloc(call->count, sizeof *thread) : NULL;
    size_t begun = 1;
    while (thread && begun < call->count && pthread_create(&thread[begun], NULL, run_stretch, call->of[begun]) == 0)
        begun++;
    answer_stretch(call->of[0]);
    for (size_t i = begun; i < call->count; i++)
        answer_stretch(call->of[i]);
    for (size_t i = 1; i < begun; i++)
        pthread_join(thread[i], NULL);
    free(thread);
}

/* Begins a stretch at sentence `first`; returns its end. *ok becomes false if there is no memory. */
static size_t begin_stretch(struct stretches *call, int number, size_t first, size_t sentences, struct gathered *to,
                            bool *ok)
{
    struct stretch *stretch = call->of[number];
    size_t words = call->words_before(call->source, sentences), share = words / call->count * ((size_t)number + 1);
    size_t end = first;
    bool last = (size_t)number + 1 == call->count;
    while (end < sentences && (last || call->words_before(call->source, end) < share))
        end++;
    stretch->first = first;
    stretch->end = end;
    stretch->call = call;
    stretch->number = number;
    stretch->err = (struct vouch_error){0};
    stretch->no_memory = false;
    stretch->to = number == 0 ? to : &stretch->part;
    stretch->begun = *ok && number > 0;
    names_forget(&stretch->names, call->known);
    *ok = *ok && (number == 0 || gathered_begin(&stretch->part, to->methods, to->trees));
    /* The first has room for all, which are joined to it. */
    size_t here = call->words_before(call->source, end) - call->words_before(call->source, first);
    *ok = *ok && gathered_reserve(stretch->to, number == 0 ? sentences : end - first, number == 0 ? words : here);
    return end;
}

/* Appends what a stretch has gathered to the arrays of the first. */
static bool join(struct stretch *first, struct stretch *stretch)
{
    int32_t *number = malloc((stretch->names.count + 1) * sizeof *number);
    bool ok = number != NULL;
    for (size_t i = 0; ok && i < stretch->names.count; i++)
        ok = names_number(&first->names, stretch->names.name[i], &number[i]);
    ok = ok && gathered_append(first->to, &stretch->part, number);
    free(number);
    return ok;
}

const struct stretch *stretches_failed(const struct stretches *call)
{
    for (size_t i = 0; i < call->count; i++)
        if (call->of[i]->no_memory || call->of[i]->err.status != VOUCH_OK)
            return call->of[i];
    return NULL;
}

bool stretches_answer(struct stretches *call, size_t sentences, struct gathered *to)
{
    bool ok = true;
    size_t end = 0;
    call->failed = INT_MAX;
    for (size_t i = 0; i < call->count; i++)
        end = begin_stretch(call, (int)i, end, sentences, to, &ok);
    if (ok) {
        signals_begin(&call->signals);
        answer_all(call);
        signals_end(&call->signals);
        ok = !call->signals.interrupted && !stretches_failed(call);
    }
    for (size_t i = 1; ok && i < call->count; i++)
        ok = join(call->of[0], call->of[i]);
    for (size_t i = 1; i < call->count; i++)
        if (call->of[i]->begun)
            gathered_release(&call->of[i]->part);
    return ok;
}
