/*
 * Answering a stream: see answer_stream.h.
 *
 * A batch of sentences is read, answered in parallel and handed on in order.
 * One thread takes one sentence at a time, so that a reader on a pipe gets
 * each answer at once.
 */
#include "predict/answer_stream.h"

#include "base/parallel.h"
#include "predict/model_input.h"
#include "predict/parser.h"
#include "predict/tagger.h"

enum { BATCH_PER_THREAD = 256, JOB = 32 };

struct item {
    struct sentence sentence;
    struct text *label;
    uint32_t *head;
    struct estimates estimates;
    size_t label_capacity, head_capacity;
};

/* One thread's working memory: one of the two. */
struct worker {
    struct tagger *tagger;
    struct parser *parser;
};

struct stream {
    const struct vouch_model *model;
    const struct estimator *estimator;
    struct item *item; /* [room] */
    uint32_t room, count;
    struct worker *worker; /* [threads] */
    uint32_t threads;
    const struct reader *reader;
};

static bool answer_item(const struct stream *s, struct item *item, struct worker *worker, struct vouch_error *err)
{
    const struct sentence *sentence = &item->sentence;
    if (sentence->boundary)
        return !s->estimator || estimator_abstain(s->estimator, sentence->N, &item->estimates, err);
    return RESERVE(item->label, item->label_capacity, (size_t)sentence->N + 1, err) &&
           RESERVE(item->head, item->head_capacity, (size_t)sentence->N + 1, err) &&
           (worker->parser ? parser_parse(worker->parser, sentence, item->head, item->label, &item->estimates, err)
                           : tagger_label(worker->tagger, sentence, item->label, &item->estimates, err));
}

/* A sentence that the model cannot answer, where faults are reported, is one of them. */
static bool answer_or_report(const struct stream *s, struct item *item, struct worker *worker, struct vouch_error *err)
{
    struct vouch_error found = {0};
    if (item->sentence.faulty)
        return true;
    if (!reader_reports(s->reader))
        return answer_item(s, item, worker, err);
    if (answer_item(s, item, worker, &found))
        return true;
    if (found.status == VOUCH_ERR_FORMAT)
        return sentence_set_fault(&item->sentence, found.message, err);
    if (err)
        *err = found;
    return false;
}

static bool answer_job(void *context, uint32_t job, uint32_t thread, struct vouch_error *err)
{
    struct stream *s = context;
    for (uint32_t i = job * JOB; i < s->count && i < (job + 1) * JOB; i++)
        if (!answer_or_report(s, &s->item[i], &s->worker[thread], err))
            return reader_blame(s->reader, &s->item[i].sentence, err);
    return true;
}

static bool stream_init(struct stream *s, struct vouch_error *err)
{
    s->item = new_array(s->room, sizeof *s->item, err);
    s->worker = new_array(s->threads, sizeof *s->worker, err);
    bool ok = s->item && s->worker;
    for (uint32_t i = 0; ok && i < s->threads; i++) {
        if (model_parses(s->model))
            s->worker[i].parser = parser_new(s->model, s->estimator, err);
        else
            s->worker[i].tagger = tagger_new(s->model, s->estimator, err);
        ok = s->worker[i].parser || s->worker[i].tagger;
    }
    return ok;
}

static void stream_release(struct stream *s)
{
    for (uint32_t i = 0; s->item && i < s->room; i++) {
        sentence_release(&s->item[i].sentence);
        free(s->item[i].label);
        free(s->item[i].head);
        estimates_release(&s->item[i].estimates);
    }
    for (uint32_t i = 0; s->worker && i < s->threads; i++) {
        tagger_free(s->worker[i].tagger);
        parser_free(s->worker[i].parser);
    }
    free(s->item);
    free(s->worker);
}

/* Hands on what has been answered. */
static bool drain(struct stream *s, const struct answer_sink *sink, struct vouch_error *err)
{
    bool parses = model_parses(s->model), labels = !parses || s->model->layers > 1;
    for (uint32_t i = 0; i < s->count; i++) {
        const struct item *item = &s->item[i];
        struct answer answer = {.label = labels && !item->sentence.boundary ? item->label : NULL,
                                .head = parses ? item->head : NULL,
                                .confidences = s->estimator ? &item->estimates.confidences : NULL};
        if (!sink->take(sink->context, &item->sentence, &answer, err))
            return reader_blame(s->reader, &item->sentence, err);
    }
    return true;
}

bool answer_stream(const struct vouch_model *model, const struct estimator *estimator, struct reader *reader,
                   uint32_t threads, const struct answer_sink *sink, struct vouch_error *err)
{
    struct stream s = {.model = model,
                       .estimator = estimator,
                       .threads = threads,
                       .room = threads > 1 ? threads * BATCH_PER_THREAD : 1,
                       .reader = reader};
    bool ok = model_input_fits(model, reader, err) && stream_init(&s, err);
    enum reading state = READ_SENTENCE;
    while (ok && state == READ_SENTENCE) {
        s.count = 0;
        while (s.count < s.room && (state = reader_next(reader, &s.item[s.count].sentence, err)) == READ_SENTENCE)
            s.count++;
        /* What was read before a bad line is answered, however many threads there are. */
        struct vouch_error *own = state == READ_FAILED ? NULL : err;
        ok = parallel_run(threads, (s.count + JOB - 1) / JOB, answer_job, &s, own) && drain(&s, sink, own) &&
             state != READ_FAILED;
    }
    stream_release(&s);
    return ok;
}
