/*
 * Answers a stream: see answer_stream.h.
 *
 * Sentences are in a ring, each in a slot of the pool. The caller's thread hands on the oldest as soon as it is
 * answered, reads new ones as long as there is room, and answers some itself when it can do neither; the other threads
 * only answer. Reading and writing take less than a fifth of the time of plain labelling, and far less with confidence,
 * so that one thread keeps several others busy.
 *
 * Before a read has to wait for input, everything that was read is answered and handed on: a program that waits for an
 * answer before it sends more gets it, however many threads there are.
 *
 * Memory: what is in flight is bounded by number and by size, except that there may be a sentence for every thread; a
 * long sentence takes its memory with it when it leaves the ring. With one thread, the ring is one sentence.
 *
 * The text, if the estimator uses it, is counted by a stream of its own, without confidence; each thread counts for
 * itself.
 */
#include "predict/answer_stream.h"

#include "base/parallel.h"
#include "predict/model_input.h"
#include "predict/text_lexicon.h"

enum {
    SLOTS = 32,           /* for each thread: enough to continue while one of them is busy with a long sentence */
    BATCH = 16,           /* sentences read before they are offered to other threads */
    WORD = 256,           /* bytes that a word takes, about: its views, its labels and its confidences */
    HEAVY = 64 << 10,     /* bytes of a sentence whose memory is not kept for another one */
    IN_FLIGHT = 16 << 20, /* bytes in flight, for every thread */
};

struct item {
    struct sentence sentence;
    struct prediction prediction;
    size_t weight; /* bytes, about */
};

struct stream {
    const struct vouch_model *model;
    const struct estimator *estimator;
    const struct answer_sink *sink;
    struct reader *reader;
    struct item *item; /* [slots] */
    uint32_t slots;
    struct predictor **predictor; /* [threads] */
    uint32_t threads;
    struct pool *pool;
    const struct text_lexicon *text; /* for the estimator; NULL: it does not use the text */
    struct text_lexicon *counted;    /* [threads] answers are only counted; NULL: they are given */
    uint32_t read;                   /* sentences that have been read and not yet offered to the pool */
    size_t weight;                   /* of all sentences that have been read and not yet handed on */
    bool stopped;                    /* while the input waited, an answer or the sink failed */
    enum reading last;               /* the result of reading, */
    struct vouch_error error;        /* and why it, or a pause in it, failed */
};

/* Turns a sentence that the model cannot answer into a faulty one where faults are reported. */
static bool answer_or_report(const struct stream *s, struct item *item, struct predictor *predictor,
                             struct vouch_error *err)
{
    struct vouch_error found = {0};
    if (item->sentence.faulty)
        return true;
    if (!reader_reports(s->reader))
        return predictor_answer(predictor, &item->sentence, &item->prediction, err);
    if (predictor_answer(predictor, &item->sentence, &item->prediction, &found))
        return true;
    if (found.status == VOUCH_ERR_FORMAT)
        return sentence_set_fault(&item->sentence, found.message, err);
    if (err)
        *err = found;
    return false;
}

static bool answer_slot(void *context, uint32_t slot, uint32_t thread, struct vouch_error *err)
{
    struct stream *s = context;
    struct item *item = &s->item[slot];
    return answer_or_report(s, item, s->predictor[thread], err) || reader_blame(s->reader, &item->sentence, err);
}

static bool stream_init(struct stream *s, struct vouch_error *err)
{
    s->item = new_array(s->slots, sizeof *s->item, err);
    s->predictor = new_array(s->threads, sizeof *s->predictor, err);
    bool ok = s->item && s->predictor;
    for (uint32_t i = 0; ok && i < s->threads; i++)
        ok = (s->predictor[i] = predictor_new(s->model, s->estimator, err)) != NULL;
    for (uint32_t i = 0; ok && i < s->threads; i++) {
        predictor_count(s->predictor[i], s->counted ? &s->counted[i] : NULL);
        if (s->text)
            predictor_hear(s->predictor[i], s->text);
    }
    s->pool = ok ? pool_open(s->threads, s->slots, answer_slot, s, err) : NULL;
    return s->pool != NULL;
}

static void item_release(struct item *item)
{
    sentence_release(&item->sentence);
    prediction_release(&item->prediction);
    *item = (struct item){0};
}

static void stream_release(struct stream *s)
{
    pool_close(s->pool);
    for (uint32_t i = 0; s->item && i < s->slots; i++)
        item_release(&s->item[i]);
    for (uint32_t i = 0; s->predictor && i < s->threads; i++)
        predictor_free(s->predictor[i]);
    free(s->item);
    free(s->predictor);
}

static bool hand_on(struct stream *s, struct item *item, struct vouch_error *err)
{
    if (!s->sink->take(s->sink->context, &item->sentence, &item->prediction.answer, err))
        return reader_blame(s->reader, &item->sentence, err);
    s->weight -= item->weight;
    if (item->weight > HEAVY && s->slots > 1)
        item_release(item);
    return true;
}

/* Hands on what is answered, in order, up to the first sentence that is not. */
static bool hand_on_answered(struct stream *s, struct vouch_error *err)
{
    enum job_state state = JOB_DONE;
    uint32_t slot;
    while (pool_jobs(s->pool) > 0 && (state = pool_oldest(s->pool, &slot, err)) == JOB_DONE) {
        if (!hand_on(s, &s->item[slot], err))
            return false;
        pool_collect(s->pool);
    }
    return state != JOB_FAILED;
}

/* Offers what has been read to all threads. */
static void offer(struct stream *s)
{
    pool_add(s->pool, s->read);
    s->read = 0;
}

/* Called before a read has to wait for input: answers and hands on everything that was read. */
static bool pause_reading(void *context, struct vouch_error *err)
{
    struct stream *s = context;
    bool ok = true;
    offer(s);
    while (ok && pool_jobs(s->pool) > 0) {
        ok = hand_on_answered(s, &s->error);
        if (ok && pool_jobs(s->pool) > 0)
            pool_help(s->pool);
    }
    s->stopped = !ok;
    if (!ok && err)
        *err = s->error;
    return ok;
}

static bool room_to_read(const struct stream *s)
{
    uint32_t flying = pool_jobs(s->pool) + s->read;
    return flying < s->slots && (flying < s->threads || s->weight / s->threads < IN_FLIGHT);
}

static void read_some(struct stream *s)
{
    struct vouch_error err = {0};
    while (s->read < BATCH && room_to_read(s)) {
        struct item *item = &s->item[pool_slot(s->pool, s->read)];
        s->last = reader_next(s->reader, &item->sentence, &err);
        if (s->last != READ_SENTENCE)
            break;
        item->weight = item->sentence.bytes_capacity + (size_t)item->sentence.N * WORD;
        s->weight += item->weight;
        s->read++;
    }
    if (!s->stopped)
        s->error = err;
    offer(s);
}

static bool run(struct stream *s, struct vouch_error *err)
{
    bool ok = model_input_fits(s->model, s->reader, err) && stream_init(s, err);
    s->last = READ_SENTENCE;
    if (ok)
        reader_before_waiting(s->reader, pause_reading, s);
    while (ok && !s->stopped) {
        ok = hand_on_answered(s, err);
        if (ok && s->last == READ_SENTENCE && room_to_read(s))
            read_some(s);
        else if (ok && pool_jobs(s->pool) > 0)
            pool_help(s->pool);
        else
            break;
    }
    reader_before_waiting(s->reader, NULL, NULL);
    stream_release(s);
    /* Sentences before a bad line have been answered. */
    if (ok && (s->stopped || s->last == READ_FAILED)) {
        ok = false;
        if (err)
            *err = s->error;
    }
    return ok;
}

static bool pass_over(void *context, const struct sentence *sentence, const struct answer *answer,
                      struct vouch_error *err)
{
    const struct answer_sink *sink = context;
    (void)sentence, (void)answer;
    return !sink->stop || !sink->stop(sink->context) || fail(err, VOUCH_ERR_STOPPED, "interrupted");
}

/* Answers all of the input once without confidence; `text` becomes what the answers call the words. */
static bool count_text(const struct stream *s, struct text_lexicon *text, struct vouch_error *err)
{
    struct answer_sink asked = *s->sink, over = {.take = pass_over, .context = &asked};
    struct stream first = *s;
    first.sink = &over;
    first.counted = new_array(s->threads, sizeof *first.counted, err);
    first.reader = first.counted ? reader_again(s->reader, err) : NULL;
    if (first.counted && !first.reader)
        fail_within(err, COMMITTEE_TEXT);
    for (uint32_t i = 0; first.counted && i < s->threads; i++)
        first.counted[i].rules = text->rules;
    bool ok = first.reader && run(&first, err);
    for (uint32_t i = 0; first.counted && i < s->threads; i++) {
        ok = ok && text_lexicon_add_all(text, &first.counted[i], err);
        text_lexicon_release(&first.counted[i]);
    }
    reader_close(first.reader);
    free(first.counted);
    return ok;
}

static bool run_with_text(struct stream *s, struct vouch_error *err)
{
    struct text_lexicon text = {.rules = estimator_rules(s->estimator)};
    s->text = &text;
    bool ok = count_text(s, &text, err) && run(s, err);
    text_lexicon_release(&text);
    return ok;
}

bool answer_stream(const struct vouch_model *model, const struct estimator *estimator, struct reader *reader,
                   uint32_t threads, const struct answer_sink *sink, struct vouch_error *err)
{
    struct stream s = {.model = model,
                       .estimator = estimator,
                       .sink = sink,
                       .reader = reader,
                       .slots = threads > 1 ? threads * SLOTS : 1,
                       .threads = threads};
    return (estimator_hears_text(estimator) ? run_with_text : run)(&s, err);
}
