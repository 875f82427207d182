/*
 * Answers by a first stage, and keeps what it said of the sentences around the one that is handed on: see
 * context_window.h. Sentence i lies at place i modulo 2 N + 1 of a ring: it is there from when it is read until N more
 * have been handed on.
 */
#include "answer/context_window.h"

#include "answer/layer_voices.h"
#include "answer/predictor.h"

#include <string.h>

/* A sentence, and what the first stage said of it; N 0: nothing. */
struct seen {
    struct sentence sentence;
    uint32_t N;
    uint64_t document;
    uint32_t *word, *label; /* [N] in lower case, hashed; choices */
    size_t word_capacity, label_capacity;
};

struct context_window {
    const struct vouch_model *model;
    struct encoder *encoder;
    struct scores scores;
    struct scratch scratch;
    struct context_work work;
    struct seen *ring;           /* [room] */
    struct first_answer *around; /* [room] */
    uint32_t room;
    uint64_t read, handed; /* sentences */
    struct document_count documents;
    enum reading last;        /* of reading, */
    struct vouch_error error; /* and why it failed */
};

struct context_window *context_window_new(const struct vouch_model *model, struct vouch_error *err)
{
    struct context_window *w = new_array(1, sizeof *w, err);
    if (!w)
        return NULL;
    *w = (struct context_window){.model = model, .room = 2 * model->context.sentences + 1, .last = READ_SENTENCE};
    if ((w->encoder = encoder_new(&model->templates, &model->vocabulary, err)) &&
        (w->ring = new_array(w->room, sizeof *w->ring, err)) &&
        (w->around = new_array(w->room, sizeof *w->around, err)))
        return w;
    context_window_free(w);
    return NULL;
}

static void seen_release(struct seen *s)
{
    sentence_release(&s->sentence);
    free(s->word);
    free(s->label);
}

void context_window_free(struct context_window *w)
{
    if (!w)
        return;
    encoder_free(w->encoder);
    scores_release(&w->scores);
    scratch_release(&w->scratch);
    context_work_release(&w->work);
    for (uint32_t i = 0; w->ring && i < w->room; i++)
        seen_release(&w->ring[i]);
    free(w->ring);
    free(w->around);
    free(w);
}

/* Answers a sentence that has words by the first stage. */
static bool answer_first(struct context_window *w, const struct sentence *sentence, struct seen *to,
                         struct vouch_error *err)
{
    const struct model_layer *first = &w->model->first;
    struct parts parts;
    double score;
    if (!encoder_run(w->encoder, sentence, &parts, err))
        return false;
    parts_restrict(&parts, &w->model->transitions);
    if (!RESERVE(to->word, to->word_capacity, parts.N + 1, err) ||
        !RESERVE(to->label, to->label_capacity, parts.N + 1, err) ||
        !parts_score(&parts, &first->space, first->voice[0].mean, &w->scores, err) ||
        !layer_structure(w->model, 0)->best(&w->scores, &w->scratch, to->label, &score, err))
        return false;
    for (uint32_t n = 0; n < parts.N; n++)
        to->word[n] = parts.names.name[(size_t)n * parts.names.stride + 1];
    to->N = parts.N;
    return true;
}

/* Does so; a sentence that cannot be answered tells nothing: the answer to it will say why. */
static bool see(struct context_window *w, const struct sentence *sentence, struct seen *to, struct vouch_error *err)
{
    struct vouch_error found = {0};
    bool silent = !sentence || sentence->boundary || sentence->rest || sentence->faulty || sentence->N == 0;
    to->N = 0;
    if (silent || answer_first(w, sentence, to, &found))
        return true;
    to->N = 0;
    if (found.status == VOUCH_ERR_MEMORY && err)
        *err = found;
    return found.status != VOUCH_ERR_MEMORY;
}

static struct first_answer answer_of(const struct seen *s)
{
    return (struct first_answer){.N = s->N, .document = s->document, .word = s->word, .label = s->label, .stride = 1};
}

/* Reads a sentence into the ring. */
static bool read_one(struct context_window *w, struct reader *reader)
{
    struct seen *to = &w->ring[w->read % w->room];
    w->last = reader_next(reader, &to->sentence, &w->error);
    if (w->last != READ_SENTENCE)
        return true;
    document_count_pass(&w->documents, &to->sentence);
    to->document = w->documents.documents;
    w->read++;
    return see(w, &to->sentence, to, &w->error);
}

/* Whether all is known of what is around the oldest sentence that was not handed on. */
static bool is_ready(const struct context_window *w)
{
    uint64_t waiting = w->read - w->handed;
    if (waiting == 0)
        return false;
    const struct seen *oldest = &w->ring[w->handed % w->room], *newest = &w->ring[(w->read - 1) % w->room];
    return w->last != READ_SENTENCE || waiting > w->model->context.sentences || newest->document != oldest->document ||
           newest->sentence.boundary;
}

/* Hands on the oldest sentence. */
static bool hand_on(struct context_window *w, struct sentence *into, struct vouch_error *err)
{
    uint32_t reach = w->model->context.sentences, count = 0, own = 0;
    uint64_t i = w->handed++, from = i > reach ? i - reach : 0;
    struct seen *oldest = &w->ring[i % w->room];
    struct sentence given = *into;
    for (uint64_t at = from; at < w->read && at <= i + reach; at++) {
        own = at == i ? count : own;
        w->around[count++] = answer_of(&w->ring[at % w->room]);
    }
    *into = oldest->sentence;
    oldest->sentence = given;
    into->further.N = 0;
    return oldest->N == 0 ||
           label_context_run(&w->model->context, w->around, count, own, &w->work, &into->further, err);
}

enum reading context_window_next(struct context_window *w, struct reader *reader, struct sentence *into,
                                 struct vouch_error *err)
{
    while (w->last == READ_SENTENCE && !is_ready(w))
        if (!read_one(w, reader))
            w->last = READ_FAILED;
    if (w->handed < w->read)
        return hand_on(w, into, err) ? READ_SENTENCE : READ_FAILED;
    if (w->last == READ_FAILED && err)
        *err = w->error;
    return w->last;
}

bool context_window_batch(struct context_window *w, vouch_sentence *const *sentence, size_t count,
                          struct further_rows *rows, struct vouch_error *err)
{
    uint32_t reach = w->model->context.sentences;
    struct seen *seen = new_array(count, sizeof *seen, err);
    bool ok = seen != NULL;
    for (size_t i = 0; ok && i < count; i++) {
        const struct sentence *view =
            sentence[i] && sentence_fits(w->model, sentence[i], NULL) ? sentence[i]->view : NULL;
        if (view)
            w->documents.documents += view->boundary;
        seen[i].document = w->documents.documents;
        ok = see(w, view, &seen[i], err);
    }
    for (size_t i = 0; ok && i < count; i++) {
        size_t from = i > reach ? i - reach : 0, at = from;
        for (; at < count && at <= i + reach; at++)
            w->around[at - from] = answer_of(&seen[at]);
        ok = seen[i].N == 0 || label_context_run(&w->model->context, w->around, (uint32_t)(at - from),
                                                 (uint32_t)(i - from), &w->work, &rows[i], err);
    }
    for (size_t i = 0; seen && i < count; i++)
        seen_release(&seen[i]);
    free(seen);
    return ok;
}
