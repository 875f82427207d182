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
 * If confidence is estimated with the text around, the stream goes through a window (text_window.h): every stretch of
 * it is answered twice, first to be counted, each thread for itself, then with confidence.
 *
 * Ranks read the whole stream, and drop the sentences of the others: reading takes much less time than answering. They
 * wait for each other at the end of a round alone. With a window, a round is a stretch for each rank.
 */
#include "answer/answer_stream.h"

#include "base/parallel.h"
#include "answer/model_input.h"
#include "scores/score_files.h"
#include "answer/text_window.h"

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
    struct dealing *dealing;    /* NULL: there are no ranks, and all sentences are this process's own */
    enum reading met;           /* with ranks: what was read last in this round */
    struct text_window *window; /* NULL: sentences are answered once, as they are read */
    uint32_t stretch;           /* with ranks and a window: the rank whose stretch is being read */
    bool counts;                /* answers are counted for the window, and not handed on */
    uint32_t read;              /* sentences that have been read and not yet offered to the pool */
    size_t weight;              /* of all sentences that have been read and not yet handed on */
    bool stopped;               /* while the input waited, an answer or the sink failed */
    enum reading last;          /* the result of reading, */
    struct vouch_error error;   /* and why it, or the pause in it, failed */
};

/*
 * Where faults are reported, a sentence that the model cannot answer becomes a faulty one. One that cannot be counted
 * is passed over: it fails once more when it is to be answered, after the answers before it.
 */
static bool answer_or_report(const struct stream *s, struct item *item, struct predictor *predictor,
                             struct vouch_error *err)
{
    struct vouch_error found = {0};
    if (item->sentence.faulty || predictor_answer(predictor, &item->sentence, &item->prediction, &found))
        return true;
    if (s->counts && found.status != VOUCH_ERR_MEMORY)
        return true;
    if (found.status == VOUCH_ERR_FORMAT && reader_reports(s->reader))
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

static bool take_answer(const struct stream *s, const struct item *item, struct vouch_error *err)
{
    const struct answer_sink *sink = s->sink;
    if (s->counts)
        return !sink->stop || !sink->stop(sink->context) || fail(err, VOUCH_ERR_STOPPED, "interrupted");
    return sink->take(sink->context, &item->sentence, &item->prediction.answer, err) ||
           reader_blame(s->reader, &item->sentence, err);
}

static bool hand_on(struct stream *s, struct item *item, struct vouch_error *err)
{
    if (!take_answer(s, item, err))
        return false;
    if (s->window && !s->counts && item->weight > HEAVY)
        sentence_release(&item->sentence);
    if (s->window)
        text_window_return(s->window, &item->sentence);
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

static enum reading read_sentence(struct stream *s, struct sentence *into, struct vouch_error *err)
{
    enum reading last = reader_next(s->reader, into, err);
    if (last == READ_SENTENCE && s->sink->see)
        s->sink->see(s->sink->context, into);
    return last;
}

/* Reads the next sentence that is this rank's own; READ_END: the round ends here, or the input. */
static enum reading read_own(struct stream *s, struct sentence *into, struct vouch_error *err)
{
    while (!dealing_round_is_full(s->dealing)) {
        s->met = read_sentence(s, into, err);
        if (s->met == READ_SENTENCE && !dealing_deal(s->dealing, into->N, err))
            s->met = READ_FAILED;
        if (s->met != READ_SENTENCE || dealing_last_is_own(s->dealing))
            return s->met;
    }
    return READ_END;
}

static enum reading next_sentence(struct stream *s, struct sentence *into, struct vouch_error *err)
{
    if (!s->window)
        return (s->dealing ? read_own : read_sentence)(s, into, err);
    return text_window_take(s->window, into) ? READ_SENTENCE : READ_END;
}

static void read_some(struct stream *s)
{
    struct vouch_error err = {0};
    while (s->read < BATCH && room_to_read(s)) {
        struct item *item = &s->item[pool_slot(s->pool, s->read)];
        s->last = next_sentence(s, &item->sentence, &err);
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

/* Answers what there is to read, up to its end or to what fails. */
static bool answer_rest(struct stream *s, struct vouch_error *err)
{
    bool ok = true;
    s->last = READ_SENTENCE;
    while (ok && !s->stopped) {
        ok = hand_on_answered(s, err);
        if (ok && s->last == READ_SENTENCE && room_to_read(s))
            read_some(s);
        else if (ok && pool_jobs(s->pool) > 0)
            pool_help(s->pool);
        else
            break;
    }
    return ok;
}

static bool answer_as_read(struct stream *s, struct vouch_error *err)
{
    reader_before_waiting(s->reader, pause_reading, s);
    bool ok = answer_rest(s, err);
    reader_before_waiting(s->reader, NULL, NULL);
    return ok;
}

/* Lets ranks exchange what they have answered in this round, or why this one could not. */
static bool exchange(const struct stream *s, bool answered, struct vouch_error *own, struct vouch_error *err)
{
    return s->sink->exchange(s->sink->context, s->dealing, answered ? NULL : own, err);
}

static bool answer_by_rounds(struct stream *s, struct vouch_error *err)
{
    bool ok = true;
    for (s->met = READ_SENTENCE; ok && s->met == READ_SENTENCE;) {
        struct vouch_error own = {0};
        dealing_begin_round(s->dealing);
        ok = exchange(s, answer_rest(s, &own), &own, err);
    }
    return ok;
}

/* Reads a sentence of a stretch, which with ranks is a certain rank's. */
static enum reading read_for_stretch(void *context, struct sentence *into, struct vouch_error *err)
{
    struct stream *s = context;
    enum reading last = read_sentence(s, into, err);
    if (last == READ_SENTENCE && s->dealing && !dealing_give(s->dealing, s->stretch, err))
        return READ_FAILED;
    return last;
}

/* Reads the next stretch into the window; with ranks, those of the others as well, in their order. */
static enum reading fill_window(struct stream *s, struct vouch_error *err)
{
    struct sentence_source source = {read_for_stretch, s};
    enum reading last = READ_SENTENCE;
    text_window_empty(s->window);
    if (s->dealing)
        dealing_begin_round(s->dealing);
    for (s->stretch = 0; last == READ_SENTENCE && s->stretch < ranks_count(s->sink->ranks); s->stretch++)
        last = text_window_read(s->window, &source, s->stretch == ranks_own(s->sink->ranks), err);
    return last;
}

static bool answer_stretch(struct stream *s, bool counts, struct vouch_error *err)
{
    s->counts = counts;
    text_window_rewind(s->window);
    for (uint32_t i = 0; i < s->threads; i++)
        predictor_count(s->predictor[i], counts ? &s->window->counted[i] : NULL);
    return answer_rest(s, err);
}

static bool answer_by_stretches(struct stream *s, struct vouch_error *err)
{
    enum reading last = READ_SENTENCE;
    struct vouch_error error = {0};
    bool ok = true;
    for (uint32_t i = 0; i < s->threads; i++)
        predictor_use_text(s->predictor[i], &s->window->text);
    while (ok && last == READ_SENTENCE) {
        struct vouch_error own = {0};
        last = fill_window(s, &error);
        ok = answer_stretch(s, true, err) && text_window_settle(s->window, s->sink->ranks, err);
        if (ok && s->dealing)
            ok = exchange(s, answer_stretch(s, false, &own), &own, err);
        else
            ok = ok && answer_stretch(s, false, err);
    }
    s->last = last;
    s->error = error;
    return ok;
}

static bool run(struct stream *s, struct vouch_error *err)
{
    bool ok = model_input_fits(s->model, s->reader, err) && stream_init(s, err) &&
              (s->window    ? answer_by_stretches
               : s->dealing ? answer_by_rounds
                            : answer_as_read)(s, err);
    stream_release(s);
    /* Sentences before a bad line have been answered. */
    if (ok && (s->stopped || s->last == READ_FAILED)) {
        ok = false;
        if (err)
            *err = s->error;
    }
    if (ok && s->model->given) {
        struct sentence_place end = reader_place(s->reader);
        ok = score_files_end(s->model->given, &end, err);
    }
    return ok;
}

/* Runs a stream, through a window if its answers need one. */
static bool run_in_window(struct stream *s, struct vouch_error *err)
{
    struct text_window window;
    if (!estimator_uses_text(s->estimator))
        return run(s, err);
    s->window = &window;
    bool ok = text_window_init(&window, estimator_rules(s->estimator), s->threads, err) && run(s, err);
    text_window_release(&window);
    return ok;
}

bool answer_stream(const struct vouch_model *model, const struct estimator *estimator, struct reader *reader,
                   uint32_t threads, const struct answer_sink *sink, struct vouch_error *err)
{
    struct dealing dealing;
    struct stream s = {.model = model,
                       .estimator = estimator,
                       .sink = sink,
                       .reader = reader,
                       .slots = threads > 1 ? threads * SLOTS : 1,
                       .threads = threads};
    if (!sink->ranks)
        return run_in_window(&s, err);
    s.dealing = &dealing;
    bool ok = dealing_init(&dealing, sink->ranks, model->trees, err) && run_in_window(&s, err);
    dealing_release(&dealing);
    return ok;
}
