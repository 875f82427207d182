/*
 * Answers many sentences on several threads and hands them on in order: see vouch.h.
 *
 * Sentences of a reader go through the pipeline of vouch tag and vouch parse. Those that the caller has already are
 * answered a block at a time, each in a slot of its own, and a block is handed on before the next is begun: memory does
 * not grow with their number. If a method uses the text, all of them are counted before the first is answered.
 */
#include "api/readers.h"
#include "base/error.h"
#include "api/workers.h"
#include "base/parallel.h"
#include "answer/text_lexicon.h"

struct listener {
    const struct vouch_request *request;
    vouch_answer_callback call;
    void *context;
};

static bool tell(const struct listener *to, const vouch_sentence *sentence, const vouch_answer *answer,
                 struct vouch_error *err)
{
    return to->call(to->context, sentence, answer) == 0 || fail(err, VOUCH_ERR_STOPPED, "the caller asked to stop");
}

/* A reader's sentences. */
struct telling {
    struct listener listener;
    struct changing changing;
    struct vouch_answer answer;
};

static bool take(void *context, const struct sentence *sentence, const struct answer *answer, struct vouch_error *err)
{
    struct telling *t = context;
    vouch_sentence told = {.view = sentence};
    uint32_t N = sentence->faulty ? 0 : sentence->N;
    return request_settle(t->listener.request, N, &t->changing, answer, &t->answer, err) &&
           tell(&t->listener, &told, &t->answer, err);
}

/* Fails if the reader is for another kind of model: a tagger would take the lemma of a tree for its own column. */
static bool suits(const vouch_reader *reader, const struct vouch_model *model, struct vouch_error *err)
{
    return reader->trees == model->trees ||
           fail(err, VOUCH_ERR_ARGUMENT, "expected a reader for a model that %s", model->trees ? "parses" : "labels");
}

enum vouch_status vouch_answer_stream(const vouch_request *request, vouch_reader *reader,
                                      vouch_answer_callback callback, void *context, struct vouch_error *err)
{
    struct vouch_error own = {0};
    struct telling telling = {.listener = {request, callback, context}};
    struct answer_sink sink = {.take = take, .context = &telling};
    err = err ? err : &own;
    bool ok = is_given(request, "a request", err) && is_given(reader, "a reader", err) &&
              (callback || fail(err, VOUCH_ERR_ARGUMENT, "expected a callback, found NULL")) &&
              suits(reader, request->model, err) &&
              answer_stream(request->model, request->estimator, reader->reader, request->threads, &sink, err);
    changing_release(&telling.changing);
    answer_release(&telling.answer);
    return status_of(ok, err);
}

/* The caller's sentences. */
enum { SLOTS_PER_THREAD = 64 };

struct batch {
    struct listener listener;
    vouch_sentence *const *sentence;
    struct slot_of_batch {
        struct kept_answer kept;
        struct vouch_error error; /* status VOUCH_OK: it is answered */
    } * slot;
    struct answerer *answerer; /* [threads] */
    uint32_t threads, slots;
    size_t first;                 /* the sentence in slot 0 */
    struct text_lexicon *counted; /* [threads] NULL: answers are handed on, not counted */
    struct text_lexicon text;     /* what all sentences call their words, if a method uses it */
};

/*
 * Answers one sentence. Errors are kept until all sentences before it have been handed on; where answers are only
 * counted, those of a sentence alone are passed over, as they come back when it is to be answered.
 */
static bool answer_slot(void *context, uint32_t job, uint32_t thread, struct vouch_error *err)
{
    struct batch *b = context;
    struct slot_of_batch *slot = &b->slot[job];
    const vouch_sentence *sentence = b->sentence[b->first + job];
    (void)err;
    slot->error = (struct vouch_error){0};
    if (is_given(sentence, "a sentence", &slot->error) &&
        answerer_answer(&b->answerer[thread], sentence, &slot->kept, &slot->error))
        slot->error.status = VOUCH_OK;
    return true;
}

static bool answer_block(struct batch *b, uint32_t count, struct vouch_error *err)
{
    if (!parallel_run(b->threads, count, answer_slot, b, err))
        return false;
    for (uint32_t i = 0; i < count; i++) {
        size_t number = b->first + i;
        enum vouch_status status = b->slot[i].error.status;
        if (status != VOUCH_OK && !(b->counted && status != VOUCH_ERR_MEMORY)) {
            *err = b->slot[i].error;
            return fail_within(err, "sentence %zu", number + 1);
        }
        if (!b->counted && !tell(&b->listener, b->sentence[number], &b->slot[i].kept.answer, err))
            return false;
    }
    return true;
}

static bool batch_init(struct batch *b, struct vouch_error *err)
{
    b->slot = new_array(b->slots, sizeof *b->slot, err);
    b->answerer = b->slot ? new_array(b->threads, sizeof *b->answerer, err) : NULL;
    bool ok = b->answerer != NULL;
    for (uint32_t i = 0; ok && i < b->threads; i++)
        ok = answerer_init(&b->answerer[i], b->listener.request, err);
    return ok;
}

static void batch_release(struct batch *b)
{
    for (uint32_t i = 0; b->slot && i < b->slots; i++)
        kept_answer_release(&b->slot[i].kept);
    for (uint32_t i = 0; b->answerer && i < b->threads; i++)
        answerer_release(&b->answerer[i]);
    free(b->slot);
    free(b->answerer);
}

static bool answer_blocks(struct batch *b, size_t count, struct vouch_error *err)
{
    bool ok = true;
    for (b->first = 0; ok && b->first < count; b->first += b->slots)
        ok = answer_block(b, count - b->first < b->slots ? (uint32_t)(count - b->first) : b->slots, err);
    return ok;
}

/* Counts what all sentences call their words, for the answerers. */
static bool count_text(struct batch *b, size_t count, struct vouch_error *err)
{
    b->text.rules = estimator_rules(b->listener.request->estimator);
    b->counted = new_array(b->threads, sizeof *b->counted, err);
    bool ok = b->counted != NULL;
    for (uint32_t i = 0; ok && i < b->threads; i++) {
        b->counted[i].rules = b->text.rules;
        predictor_count(b->answerer[i].predictor, &b->counted[i]);
    }
    ok = ok && answer_blocks(b, count, err);
    for (uint32_t i = 0; b->counted && i < b->threads; i++) {
        ok = ok && text_lexicon_add_all(&b->text, &b->counted[i], err);
        text_lexicon_release(&b->counted[i]);
        predictor_count(b->answerer[i].predictor, NULL);
        predictor_use_text(b->answerer[i].predictor, &b->text);
    }
    free(b->counted);
    b->counted = NULL;
    return ok;
}

static bool answer_all(const struct listener *listener, vouch_sentence *const *sentences, size_t count,
                       struct vouch_error *err)
{
    uint32_t threads = listener->request->threads;
    struct batch b = {.listener = *listener, .sentence = sentences, .threads = threads};
    b.slots = threads > 1 ? threads * SLOTS_PER_THREAD : 1;
    bool ok = batch_init(&b, err) &&
              (!estimator_uses_text(listener->request->estimator) || count_text(&b, count, err)) &&
              answer_blocks(&b, count, err);
    text_lexicon_release(&b.text);
    batch_release(&b);
    return ok;
}

enum vouch_status vouch_answer_batch(const vouch_request *request, vouch_sentence *const *sentences, size_t count,
                                     vouch_answer_callback callback, void *context, struct vouch_error *err)
{
    struct vouch_error own = {0};
    struct listener listener = {request, callback, context};
    err = err ? err : &own;
    bool ok = is_given(request, "a request", err) && (count == 0 || is_given(sentences, "sentences", err)) &&
              (callback || fail(err, VOUCH_ERR_ARGUMENT, "expected a callback, found NULL")) &&
              answer_all(&listener, sentences, count, err);
    return status_of(ok, err);
}
