/*
 * Answers a stream: see answer_stream.h.
 *
 * Sentences are in a ring, each in a slot of the pool. The caller's thread hands on the oldest as soon as it is
 * answered, reads new ones as long as there is room, and answers some itself when it can do neither; the other threads
 * only answer. So callbacks, signals and errors stay with the caller, and the error is the one that a single thread
 * would have met. Reading and writing take less than a fifth of the time of plain labelling, and far less with
 * confidence, so that one thread keeps several others busy. The ring is short, 32 sentences a thread: what is in flight
 * stays in the caches.
 *
 * Before a read has to wait for input, everything that was read is answered and handed on: a program that waits for an
 * answer before it sends more gets it, however many threads there are.
 *
 * Memory: what is in flight is bounded by number and by size, except that there may be a sentence for every thread; a
 * long sentence takes its memory with it when it leaves the ring. With one thread, the ring is one sentence.
 *
 * If confidence is estimated with the text around, the stream goes through a window (text_window.h): every block of it
 * is answered twice, first to be counted, each thread for itself, then with confidence. A batch is one block.
 *
 * Ranks read the whole stream, and drop the sentences of the others: reading takes much less time than answering. They
 * wait for each other at the end of a round alone. With a window, a round is a block for each rank.
 */
#include "answer/answer_stream.h"

#include "answer/context_window.h"
#include "answer/model_input.h"
#include "answer/text_window.h"
#include "base/input.h"
#include "base/parallel.h"
#include "base/error.h"
#include "base/watch.h"
#include "scores/score_files.h"

enum {
    SLOTS = 32,           /* for each thread: enough to continue while one of them is busy with a long sentence */
    BATCH = 16,           /* sentences read before they are offered to other threads */
    WORD = 256,           /* bytes that a word takes, about: its views, its labels and its confidences */
    HEAVY = 64 << 10,     /* bytes of a sentence whose memory is not kept for another one */
    IN_FLIGHT = 16 << 20, /* bytes in flight, for every thread */
    ROUND = 512,          /* sentences of a round, for each rank, */
    ROUND_WORDS = 1 << 16 /* and words */
};

bool rank_round_init(struct rank_round *r, const struct ranks *ranks, bool trees, struct vouch_error *err)
{
    *r = (struct rank_round){.ranks = ranks, .trees = trees};
    r->load = new_array(ranks_count(ranks), sizeof *r->load, err);
    return r->load != NULL;
}

void rank_round_release(struct rank_round *r)
{
    free(r->owner);
    free(r->load);
    *r = (struct rank_round){0};
}

void rank_round_begin(struct rank_round *r)
{
    memset(r->load, 0, ranks_count(r->ranks) * sizeof *r->load);
    r->count = 0;
    r->words = 0;
}

bool rank_round_is_full(const struct rank_round *r)
{
    uint64_t ranks = ranks_count(r->ranks);
    return r->count >= ranks * ROUND || r->words >= ranks * ROUND_WORDS;
}

bool rank_round_give(struct rank_round *r, uint32_t rank, struct vouch_error *err)
{
    if (!RESERVE(r->owner, r->capacity, r->count + 1, err))
        return false;
    r->owner[r->count++] = rank;
    return true;
}

bool rank_round_add(struct rank_round *r, uint32_t N, struct vouch_error *err)
{
    uint32_t idlest = 0;
    for (uint32_t i = 1; i < ranks_count(r->ranks); i++)
        if (r->load[i] < r->load[idlest])
            idlest = i;
    r->load[idlest] += 1 + (uint64_t)N * (r->trees ? N : 1);
    r->words += N;
    return rank_round_give(r, idlest, err);
}

/* A sentence in flight. It was read into memory of its own or of the window, or is the caller's. */
struct item {
    struct sentence own;
    struct sentence *read; /* NULL: it is the caller's: */
    const vouch_sentence *caller;
    const struct further_rows *further; /* of the caller's; NULL: none, or it was read with them */
    size_t number;                      /* of the caller's, from 1 */
    struct vouch_answer answer;
    size_t weight; /* bytes, about */
};

static const struct sentence *sentence_of(const struct item *item)
{
    return item->read ? item->read : item->caller->view;
}

struct stream {
    const struct vouch_request *request;
    const struct answer_sink *sink;
    struct reader *reader; /* NULL: the sentences are the caller's: */
    vouch_sentence *const *caller;
    size_t callers;
    size_t next; /* of the caller's, or in the window */

    struct item *item; /* [slots] */
    uint32_t slots;
    struct predictor **predictor; /* [threads] */
    uint32_t threads;
    struct pool *pool;
    struct rank_round *round;       /* NULL: there are no ranks, and all sentences are this process's own */
    enum reading met;               /* with ranks: what was read last in this round */
    struct context_window *context; /* through which sentences are read, if the model has a first stage; or NULL */
    struct further_rows *further;   /* [callers] what the first stage says around the caller's sentences; or NULL */
    struct text_window *window;     /* NULL: sentences are answered once, as they are read */
    bool counts;                    /* answers are counted for the window, and not handed on */
    uint32_t read;                  /* sentences that have been read and not yet offered to the pool */
    size_t weight;                  /* of all sentences that have been read and not yet handed on */
    bool stopped;                   /* while the input waited, an answer or the sink failed */
    enum reading last;              /* the result of reading, */
    struct vouch_error error;       /* and why it, or the pause in it, failed */
};

/* Adds to an error where the sentence is. */
static bool blame(const struct stream *s, const struct item *item, struct vouch_error *err)
{
    return s->reader ? reader_blame(s->reader, item->read, err) : fail_within(err, "sentence %zu", item->number);
}

static bool answer_item(struct predictor *predictor, struct item *item, struct vouch_error *err)
{
    predictor_give(predictor, item->further);
    if (!item->read)
        return is_given(item->caller, "a sentence", err) &&
               predictor_answer_caller(predictor, item->caller, &item->answer, err);
    return item->read->faulty ? predictor_abstain(predictor, 0, &item->answer, err)
                              : predictor_answer(predictor, item->read, &item->answer, err);
}

/*
 * Answers the sentence in a slot. Where faults are reported, one that the model cannot answer becomes a faulty one. One
 * that cannot be counted is passed over: it fails once more when it is to be answered, after the answers before it.
 */
static bool answer_slot(void *context, uint32_t slot, uint32_t thread, struct vouch_error *err)
{
    struct stream *s = context;
    struct item *item = &s->item[slot];
    struct vouch_error found = {0};
    if (answer_item(s->predictor[thread], item, &found) || (s->counts && found.status != VOUCH_ERR_MEMORY))
        return true;
    if (found.status == VOUCH_ERR_FORMAT && s->reader && s->reader->report)
        return (sentence_set_fault(item->read, found.message, err) &&
                predictor_abstain(s->predictor[thread], 0, &item->answer, err)) ||
               blame(s, item, err);
    if (err)
        *err = found;
    return blame(s, item, err);
}

static bool stream_init(struct stream *s, struct vouch_error *err)
{
    s->item = new_array(s->slots, sizeof *s->item, err);
    s->predictor = new_array(s->threads, sizeof *s->predictor, err);
    bool ok = s->item && s->predictor;
    for (uint32_t i = 0; ok && i < s->threads; i++)
        ok = (s->predictor[i] = predictor_new(s->request, err)) != NULL;
    s->pool = ok ? pool_open(s->threads, s->slots, answer_slot, s, err) : NULL;
    return s->pool != NULL;
}

static void item_release(struct item *item)
{
    sentence_release(&item->own);
    answer_release(&item->answer);
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
    if (!s->counts && !s->sink->take(s->sink->context, sentence_of(item), &item->answer, err))
        return s->reader && blame(s, item, err);
    if (watch_stops(s->sink->watch)) {
        fail(err, VOUCH_ERR_STOPPED, "interrupted");
        return s->counts ? false : blame(s, item, err);
    }
    if (s->window && item->read && !s->counts && item->weight > HEAVY)
        sentence_release(item->read);
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
    enum reading last =
        s->context ? context_window_next(s->context, s->reader, into, err) : reader_next(s->reader, into, err);
    if (last == READ_SENTENCE && s->sink->see)
        s->sink->see(s->sink->context, into);
    return last;
}

/* Reads the next sentence that is this rank's own; READ_END: the round ends here, or the input. */
static enum reading read_own(struct stream *s, struct sentence *into, struct vouch_error *err)
{
    while (!rank_round_is_full(s->round)) {
        s->met = read_sentence(s, into, err);
        if (s->met == READ_SENTENCE && !rank_round_add(s->round, into->N, err))
            s->met = READ_FAILED;
        if (s->met != READ_SENTENCE || s->round->owner[s->round->count - 1] == ranks_own(s->round->ranks))
            return s->met;
    }
    return READ_END;
}

/* Finds the next sentence: one of the caller's, of the window, or of the reader. */
static enum reading next_sentence(struct stream *s, struct item *item, struct vouch_error *err)
{
    if (!s->reader) {
        if (s->next == s->callers)
            return READ_END;
        item->caller = s->caller[s->next];
        item->further = s->further ? &s->further[s->next] : NULL;
        item->number = ++s->next;
        item->weight = (item->caller ? (size_t)item->caller->view->N : 0) * WORD;
        return READ_SENTENCE;
    }
    enum reading last = READ_SENTENCE;
    item->read = &item->own;
    if (s->window && s->next < s->window->count)
        item->read = &s->window->sentence[s->next++];
    else
        last = s->window ? READ_END : (s->round ? read_own : read_sentence)(s, item->read, err);
    item->weight = item->read->bytes_capacity + (size_t)item->read->N * WORD;
    return last;
}

static void read_some(struct stream *s)
{
    struct vouch_error err = {0};
    while (s->read < BATCH && room_to_read(s)) {
        struct item *item = &s->item[pool_slot(s->pool, s->read)];
        s->last = next_sentence(s, item, &err);
        if (s->last != READ_SENTENCE)
            break;
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
    if (s->reader)
        input_before_waiting(s->reader->input, pause_reading, s);
    bool ok = answer_rest(s, err);
    if (s->reader)
        input_before_waiting(s->reader->input, NULL, NULL);
    return ok;
}

/* Lets ranks exchange what they have answered in this round, or why this one could not. */
static bool exchange(const struct stream *s, bool answered, struct vouch_error *own, struct vouch_error *err)
{
    return s->sink->exchange(s->sink->context, s->round, answered ? NULL : own, err);
}

static bool answer_by_rounds(struct stream *s, struct vouch_error *err)
{
    bool ok = true;
    for (s->met = READ_SENTENCE; ok && s->met == READ_SENTENCE;) {
        struct vouch_error own = {0};
        rank_round_begin(s->round);
        ok = exchange(s, answer_rest(s, &own), &own, err);
    }
    return ok;
}

/* Reads the block of one rank, and keeps its sentences if it is this one's. READ_SENTENCE: there may be more. */
static enum reading read_block(struct stream *s, uint32_t rank, struct vouch_error *err)
{
    struct text_window *w = s->window;
    bool keep = rank == ranks_own(s->sink->ranks);
    size_t words = 0;
    for (uint32_t count = 0; count < WINDOW && words < WINDOW_WORDS; count++) {
        struct sentence *into = keep ? &w->sentence[count] : &w->passed;
        enum reading last = read_sentence(s, into, err);
        if (last != READ_SENTENCE)
            return last;
        if (s->round && !rank_round_give(s->round, rank, err))
            return READ_FAILED;
        words += into->N;
        w->count += keep;
    }
    return READ_SENTENCE;
}

/* Reads the next block into the window; with ranks, those of the others as well, in their order. */
static enum reading fill_window(struct stream *s, struct vouch_error *err)
{
    enum reading last = s->reader ? READ_SENTENCE : READ_END;
    text_window_empty(s->window);
    if (s->round)
        rank_round_begin(s->round);
    for (uint32_t rank = 0; last == READ_SENTENCE && rank < ranks_count(s->sink->ranks); rank++)
        last = read_block(s, rank, err);
    return last;
}

static bool answer_block(struct stream *s, bool counts, struct vouch_error *err)
{
    s->counts = counts;
    s->next = 0;
    for (uint32_t i = 0; i < s->threads; i++)
        predictor_count(s->predictor[i], counts ? &s->window->counted[i] : NULL);
    return answer_rest(s, err);
}

static bool answer_by_blocks(struct stream *s, struct vouch_error *err)
{
    enum reading last = READ_SENTENCE;
    struct vouch_error error = {0};
    bool ok = true;
    for (uint32_t i = 0; i < s->threads; i++)
        predictor_use_text(s->predictor[i], &s->window->text);
    while (ok && last == READ_SENTENCE) {
        struct vouch_error own = {0};
        last = fill_window(s, &error);
        ok = answer_block(s, true, err) && text_window_settle(s->window, s->sink->ranks, err);
        if (ok && s->round)
            ok = exchange(s, answer_block(s, false, &own), &own, err);
        else
            ok = ok && answer_block(s, false, err);
    }
    s->last = last;
    s->error = error;
    return ok;
}

/* Lets a model with a first stage see what is around: of what is read, or of the caller's sentences together. */
static bool open_context(struct stream *s, struct vouch_error *err)
{
    const struct vouch_model *model = s->request->model;
    if (!model->context.sentences)
        return true;
    if (!(s->context = context_window_new(model, err)))
        return false;
    if (s->reader)
        return true;
    s->further = new_array(s->callers, sizeof *s->further, err);
    return s->further && context_window_batch(s->context, s->caller, s->callers, s->further, err);
}

static void close_context(struct stream *s)
{
    for (size_t i = 0; s->further && i < s->callers; i++)
        further_rows_release(&s->further[i]);
    free(s->further);
    context_window_free(s->context);
}

/* Answers all sentences, through a window or in rounds if there must be one. */
static bool run(struct stream *s, struct vouch_error *err)
{
    struct text_window window = {0};
    struct rank_round round = {0};
    const struct vouch_request *request = s->request;
    struct vouch_error own = {0};
    bool ok = true;
    err = err ? err : &own;
    s->threads = request->threads;
    s->slots = s->threads > 1 ? s->threads * SLOTS : 1;
    if (s->sink->ranks) {
        ok = rank_round_init(&round, s->sink->ranks, request->model->trees, err);
        s->round = &round;
    }
    if (ok && estimator_uses_text(request->estimator)) {
        ok = text_window_init(&window, estimator_rules(request->estimator), s->threads, err);
        s->window = &window;
    }
    ok = ok && open_context(s, err) && stream_init(s, err) &&
         (s->window  ? answer_by_blocks
          : s->round ? answer_by_rounds
                     : answer_as_read)(s, err);
    stream_release(s);
    close_context(s);
    text_window_release(&window);
    rank_round_release(&round);
    /* Sentences before a bad line have been answered. */
    if (ok && (s->stopped || s->last == READ_FAILED)) {
        ok = false;
        *err = s->error;
    }
    return ok;
}

bool answer_stream(const struct vouch_request *request, struct reader *reader, const struct answer_sink *sink,
                   struct vouch_error *err)
{
    struct stream s = {.request = request, .sink = sink, .reader = reader};
    if (!model_input_fits(request->model, reader, err) || !run(&s, err))
        return false;
    struct sentence_place end = reader->place;
    return !request->scores || score_files_end(request->scores, &end, err);
}

bool answer_batch(const struct vouch_request *request, vouch_sentence *const *sentence, size_t count,
                  const struct answer_sink *sink, struct vouch_error *err)
{
    struct stream s = {.request = request, .sink = sink, .caller = sentence, .callers = count};
    return run(&s, err);
}

bool answer_files(const struct vouch_request *request, const struct reader_options *reading, char *const *path,
                  size_t paths, const struct answer_sink *sink, struct vouch_error *err)
{
    bool ok = !request->scores || paths < 2 ||
              fail(err, VOUCH_ERR_ARGUMENT, "--scores are of one file: expected one, found %zu", paths);
    for (size_t i = 0; ok && i < (paths ? paths : 1); i++) {
        const char *name = paths ? path[i] : NULL;
        if (sink->begin)
            sink->begin(sink->context, name);
        struct reader *reader = reader_open(name, reading, err);
        ok = reader && model_input_gold_apart(request->model, reader, reading->gold, err) &&
             answer_stream(request, reader, sink, err);
        reader_close(reader);
    }
    return ok;
}
