/*
 * Collects the scores of held-out answers: see held_out_scores.h.
 *
 * Sentences go to threads in blocks; every block has rows of its own, joined in order at the end. The second layer
 * judges the first one's answers, as it will when it is used. The text of a sentence is the part that it is held out
 * with: the labels of its words are counted first.
 */
#include "train/held_out_scores.h"

#include "base/hash.h"
#include "base/parallel.h"
#include "train/losses.h"
#include "answer/layer_voices.h"

#include <math.h>
#include <string.h>

/* ---- Rows: 8 bytes for every number, and 17 more for each row ---- */

/* Makes room for `n` rows in all. */
static bool make_room(struct score_rows *u, size_t n, struct vouch_error *err)
{
    return RESERVE(u->right, u->right_capacity, n + 1, err) && RESERVE(u->sentence, u->sentence_capacity, n + 1, err) &&
           RESERVE(u->label, u->label_capacity, n + 1, err) && RESERVE(u->extent, u->extent_capacity, n + 1, err) &&
           RESERVE(u->value, u->value_capacity, n * u->methods + 1, err) &&
           RESERVE(u->signal, u->signal_capacity, n * u->signals + 1, err) &&
           RESERVE(u->profile, u->profile_capacity, n * u->profile_width + 1, err) &&
           RESERVE(u->called, u->called_capacity, n * u->called_width + 1, err);
}

bool score_rows_add(struct score_rows *u, uint32_t sentence, bool right, double **value, double **signal,
                    struct vouch_error *err)
{
    if (!make_room(u, u->count + 1, err))
        return false;
    u->right[u->count] = right;
    u->sentence[u->count] = sentence;
    u->label[u->count] = 0;
    u->extent[u->count] = (struct extent){0, 0};
    *value = u->value + u->count * u->methods;
    *signal = u->signal + u->count * u->signals;
    u->count++;
    return true;
}

bool score_rows_join(struct score_rows *to, const struct score_rows *from, struct vouch_error *err)
{
    to->methods = from->methods;
    to->signals = from->signals;
    to->profile_width = from->profile_width;
    to->called_width = from->called_width;
    if (from->count == 0)
        return true;
    if (!make_room(to, to->count + from->count, err))
        return false;
    memcpy(to->right + to->count, from->right, sizeof *to->right * from->count);
    memcpy(to->sentence + to->count, from->sentence, sizeof *to->sentence * from->count);
    memcpy(to->label + to->count, from->label, sizeof *to->label * from->count);
    memcpy(to->extent + to->count, from->extent, sizeof *to->extent * from->count);
    memcpy(to->value + to->count * to->methods, from->value, sizeof *to->value * from->count * to->methods);
    memcpy(to->signal + to->count * to->signals, from->signal, sizeof *to->signal * from->count * to->signals);
    memcpy(to->profile + to->count * to->profile_width, from->profile,
           sizeof *to->profile * from->count * to->profile_width);
    memcpy(to->called + to->count * to->called_width, from->called,
           sizeof *to->called * from->count * to->called_width);
    to->count += from->count;
    return true;
}

struct judged *score_rows_column(const struct score_rows *u, const double *table, size_t width, size_t column,
                                 size_t *n, struct vouch_error *err)
{
    struct judged *judged = new_array(u->count + 1, sizeof *judged, err);
    *n = 0;
    for (size_t i = 0; judged && i < u->count; i++) {
        double number = table[i * width + column];
        if (!isnan(number))
            judged[(*n)++] = (struct judged){number, u->sentence[i], u->right[i]};
    }
    return judged;
}

void score_rows_release(struct score_rows *u)
{
    free(u->right);
    free(u->sentence);
    free(u->label);
    free(u->extent);
    free(u->value);
    free(u->signal);
    free(u->profile);
    free(u->called);
    *u = (struct score_rows){0};
}

/* ---- Scoring ---- */

enum { BLOCK = 64, SIMULATED = 4 }; /* one of SIMULATED sentences is also scored with losses */

/* At most these shares of a simulated sentence are forgotten and mistaken. */
#define FORGOTTEN 0.6
#define MISTAKEN 0.7

/* One thread's working memory. */
struct scorer {
    struct workspace workspace;
    struct scratch fetching;
    struct answering answering;
    struct answer_counts text; /* of the sentences that this thread has counted */
    bool *right;
    struct lossy lossy;
    double *number, *signal, *profile, *called;
    size_t right_capacity, number_capacity, signal_capacity, profile_capacity, called_capacity;
};

struct scoring {
    const struct held_out *held;
    const struct score_plan *plan;
    const struct held_part *part; /* the part at work */
    uint32_t count;               /* its sentences that are scored */
    uint32_t *answered;           /* of the part: so many sentences have the first layer's answers */
    struct examples examples;
    struct voice_set voice_set;
    unsigned needs[MAX_VOICE_VIEWS], committee_needs[MAX_VOICE_VIEWS]; /* evidence of all methods; of the committee */
    struct losses losses;
    struct answer_counts text; /* what the part calls its words */
    struct scorer *scorer;
    struct held_out_scores *block; /* [blocks] */
};

/* A sentence that was answered, and what is right there. */
struct answered {
    uint32_t number;
    const uint32_t *gold; /* [N] */
};

/* Adds a row for every decided word that has another choice; number [methods][N], NULL: there is no method. */
static bool take_rows(const struct scorer *c, struct score_rows *t, const struct answered *answered,
                      const double *number, struct vouch_error *err)
{
    uint32_t N = c->workspace.N, i = answered->number;
    for (uint32_t n = 0; n < N; n++) {
        double *value, *signal;
        if (c->workspace.evidence[0].forced[n] || answered->gold[n] == OPEN_CHOICE)
            continue;
        if (!score_rows_add(t, i, c->right[n], &value, &signal, err))
            return false;
        t->extent[t->count - 1] = (struct extent){n, n + 1};
        t->label[t->count - 1] = c->workspace.choice[n];
        for (uint32_t q = 0; q < t->methods; q++)
            value[q] = number ? number[(size_t)q * N + n] : NAN;
        if (t->signals)
            memcpy(signal, c->signal + (size_t)n * t->signals, sizeof *signal * t->signals);
        if (t->profile_width)
            memcpy(t->profile + (t->count - 1) * t->profile_width, c->profile + (size_t)n * t->profile_width,
                   sizeof *c->profile * t->profile_width);
        if (t->called_width)
            memcpy(t->called + (t->count - 1) * t->called_width, c->called + (size_t)n * t->called_width,
                   sizeof *c->called * t->called_width);
    }
    return true;
}

/* Adds the words of the sentence, as it is or as if it came from other text. */
static bool take_words(const struct scoring *h, struct scorer *c, struct score_rows *t, const struct answered *answered,
                       bool simulated, struct vouch_error *err)
{
    const struct score_plan *a = h->plan;
    uint32_t N = c->workspace.N;
    for (uint32_t q = 0; !simulated && q < a->methods; q++)
        a->chosen[q].method->words(a->chosen[q].method, &c->workspace.evidence[a->chosen[q].voice],
                                   c->number + (size_t)q * N);
    if (a->committee) {
        committee_words(&c->workspace, c->signal);
        committee_profile(&c->workspace, c->signal, c->profile);
    }
    return (!t->called_width || committee_text(&c->workspace, c->called, err)) &&
           take_rows(c, t, answered, simulated ? NULL : c->number, err);
}

static bool take_spans(const struct scoring *h, struct scorer *c, struct held_out_scores *t, uint32_t i,
                       const uint32_t *gold, struct vouch_error *err)
{
    const struct score_plan *a = h->plan;
    const struct span_rules *rules = h->voice_set.rules;
    struct workspace *at = &c->workspace;
    struct extent span = {0, 0};
    while (span_next(rules, at->choice, at->N, span.to, &span)) {
        double *value, *signal;
        if (!score_rows_add(&t->span, i, span_agrees(rules, at->choice, gold, at->N, span), &value, &signal, err))
            return false;
        t->span.extent[t->span.count - 1] = span;
        t->span.label[t->span.count - 1] = rules->type[at->choice[span.from]];
        for (uint32_t q = 0; q < a->methods; q++) {
            const struct method *method = a->chosen[q].method;
            if (!method->span(method, &at->evidence[a->chosen[q].voice], rules, span, &value[q], err))
                return false;
        }
        if (t->span.signals && !committee_span(at, span, signal, err))
            return false;
    }
    return true;
}

static bool take_sentence(const struct scoring *h, struct scorer *c, struct held_out_scores *t, uint32_t i,
                          struct vouch_error *err)
{
    const struct score_plan *a = h->plan;
    double *value, *signal;
    uint32_t N = c->workspace.N, n = 0;
    while (n < N && c->right[n])
        n++;
    if (!score_rows_add(&t->sentence, i, n == N, &value, &signal, err))
        return false;
    t->sentence.extent[t->sentence.count - 1] = (struct extent){0, N};
    for (uint32_t q = 0; q < a->methods; q++) {
        const struct method *method = a->chosen[q].method;
        value[q] = method->whole ? method->whole(method, &c->workspace.evidence[a->chosen[q].voice]) : NAN;
    }
    if (t->sentence.signals)
        committee_sentence(&c->workspace, signal);
    return true;
}

static bool all_forced(const struct workspace *s)
{
    uint32_t n = 0;
    while (n < s->N && s->evidence[0].forced[n])
        n++;
    return n == s->N;
}

/* Returns the losses of sentence i: from half to all of FORGOTTEN and MISTAKEN, more than training text would show. */
static struct loss loss_of(const struct scoring *h, uint32_t i, const uint32_t *gold)
{
    double share = 0.5 + (double)(hash_mix(h->losses.seed, i) >> 11) * 0x1p-54;
    return (struct loss){FORGOTTEN * share, MISTAKEN * share, gold};
}

/* Scores sentence i; or, simulated, its words alone as if it came from other text, if anything can be lost in it. */
static bool take_example(const struct scoring *h, struct scorer *c, struct held_out_scores *scores, uint32_t i,
                         bool simulated, struct vouch_error *err)
{
    const struct dataset *dataset = h->held->dataset;
    const unsigned *needs = simulated ? h->committee_needs : h->needs;
    struct score_rows *t = simulated ? &scores->simulated : &scores->word;
    struct example example;
    if (!h->examples.get(h->examples.self, i, &c->fetching, &example, err))
        return false;
    if (simulated && !losses_apply_to(&example.parts))
        return true;
    struct loss loss = loss_of(h, i, example.gold);
    if ((simulated && !losses_take(&h->losses, &loss, i, &c->lossy, &example.parts, err)) ||
        !voice_set_open(&h->voice_set, &c->workspace, &example.parts, needs, err) ||
        !voice_set_gather(&c->workspace, &example.parts, needs, err))
        return false;
    if (all_forced(&c->workspace))
        return true;
    size_t N = example.parts.N;
    struct example_answer answer = {h->plan->layer, h->held->dev, i, c->workspace.choice};
    struct answered answered = {i, example.gold};
    if (!RESERVE(c->right, c->right_capacity, N + 1, err) ||
        !RESERVE(c->number, c->number_capacity, N * t->methods + 1, err) ||
        !RESERVE(c->signal, c->signal_capacity, N * t->signals + 1, err) ||
        !RESERVE(c->profile, c->profile_capacity, N * t->profile_width + 1, err) ||
        !RESERVE(c->called, c->called_capacity, N * t->called_width + 1, err) ||
        !dataset->compare(dataset->self, &answer, c->right, err) || !take_words(h, c, t, &answered, simulated, err))
        return false;
    return simulated || !h->plan->wholes || example_open(&h->examples, &example) ||
           ((!h->voice_set.rules || take_spans(h, c, scores, i, example.gold, err)) &&
            take_sentence(h, c, scores, i, err));
}

static bool take_block(void *context, uint32_t job, uint32_t thread, struct vouch_error *err)
{
    struct scoring *h = context;
    const struct score_plan *a = h->plan;
    struct held_out_scores *t = &h->block[job];
    t->word.methods = t->span.methods = t->sentence.methods = a->methods;
    t->word.signals = a->committee ? committee_word_signals(&h->voice_set) : 0;
    t->word.called_width = a->text ? TEXT_SIGNALS : 0;
    t->span.signals = a->committee ? committee_span_signals(&h->voice_set) : 0;
    t->sentence.signals = a->committee ? committee_sentence_signals(&h->voice_set) : 0;
    t->simulated.signals = t->word.signals;
    t->simulated.methods = t->word.methods;
    t->simulated.profile_width = t->word.profile_width = a->committee ? PROFILE_SIGNALS : 0;
    for (uint32_t k = job * BLOCK; k < h->count && k < (job + 1) * BLOCK; k++)
        if (!take_example(h, &h->scorer[thread], t, h->part->sentence[k], false, err) ||
            (a->committee && k % SIMULATED == 0 &&
             !take_example(h, &h->scorer[thread], t, h->part->sentence[k], true, err)))
            return false;
    return true;
}

static bool answer_block(void *context, uint32_t job, uint32_t thread, struct vouch_error *err)
{
    struct scoring *h = context;
    const struct dataset *dataset = h->held->dataset;
    const struct examples *first = dataset_examples(dataset, 0, h->held->dev);
    struct answering *work = &h->scorer[thread].answering;
    uint32_t from = *h->answered + job * BLOCK;
    for (uint32_t k = from; k < h->count && k < from + BLOCK; k++) {
        uint32_t i = h->part->sentence[k];
        struct example example;
        if (!examples_answer(first, i, h->part->layer[0].voice[0].mean, work, &example, err))
            return false;
        memcpy(h->plan->first->choice + dataset->words_before(dataset->self, h->held->dev, i), work->choice,
               sizeof *work->choice * example.parts.N);
    }
    return true;
}

static bool count_block(void *context, uint32_t job, uint32_t thread, struct vouch_error *err)
{
    struct scoring *h = context;
    struct scorer *c = &h->scorer[thread];
    for (uint32_t k = job * BLOCK; k < h->count && k < (job + 1) * BLOCK; k++) {
        struct example example;
        if (!examples_answer(&h->examples, h->part->sentence[k], h->part->layer[h->plan->layer].voice[0].mean,
                             &c->answering, &example, err))
            return false;
        struct counted_answer answer = {example.parts.names, example.parts.N, c->answering.choice, h->voice_set.rules};
        c->text.text = true;
        if (!answer_counts_add(&c->text, &answer, err))
            return false;
    }
    return true;
}

/* Counts what the answers to the part's sentences call their words. */
static bool count_text(struct scoring *h, struct vouch_error *err)
{
    uint32_t threads = h->plan->work->threads;
    answer_counts_release(&h->text);
    bool ok = parallel_run(threads, (h->count + BLOCK - 1) / BLOCK, count_block, h, err);
    for (uint32_t i = 0; i < threads; i++) {
        ok = ok && answer_counts_add_all(&h->text, &h->scorer[i].text, err);
        answer_counts_release(&h->scorer[i].text);
        h->scorer[i].workspace.text = &h->text;
    }
    return ok;
}

void held_out_scores_release(struct held_out_scores *t)
{
    score_rows_release(&t->word);
    score_rows_release(&t->span);
    score_rows_release(&t->sentence);
    score_rows_release(&t->simulated);
}

static bool take_part(struct scoring *h, struct held_out_scores *scores, struct vouch_error *err)
{
    const struct score_plan *a = h->plan;
    uint32_t blocks = (h->count + BLOCK - 1) / BLOCK;
    h->block = new_array(blocks, sizeof *h->block, err);
    bool ok = h->block && parallel_run(a->work->threads, blocks, take_block, h, err);
    for (uint32_t b = 0; h->block && b < blocks; b++) {
        ok = ok && score_rows_join(&scores->word, &h->block[b].word, err) &&
             score_rows_join(&scores->span, &h->block[b].span, err) &&
             score_rows_join(&scores->sentence, &h->block[b].sentence, err) &&
             score_rows_join(&scores->simulated, &h->block[b].simulated, err);
        held_out_scores_release(&h->block[b]);
    }
    free(h->block);
    return ok;
}

/* Returns how many of the part's sentences make up its share of the words wanted. */
static uint32_t enough(const struct scoring *h)
{
    const struct dataset *dataset = h->held->dataset;
    size_t most = h->plan->most / h->held->parts, words = 0;
    uint32_t count = 0;
    while (count < h->part->count && (h->plan->most == 0 || words < most))
        words += dataset->words_of(dataset->self, h->held->dev, h->part->sentence[count++]);
    return count;
}

/* Finds what evidence all methods need, and the committee by itself. */
static void find_needs(struct scoring *h)
{
    const struct score_plan *a = h->plan;
    memset(h->needs, 0, sizeof h->needs);
    memset(h->committee_needs, 0, sizeof h->committee_needs);
    for (uint32_t q = 0; q < a->methods; q++)
        h->needs[a->chosen[q].voice] |= a->chosen[q].method->needs;
    if (a->committee) {
        committee_needs(&h->voice_set, h->needs);
        committee_needs(&h->voice_set, h->committee_needs);
    }
}

/* Finds the examples to score; those of the second layer are built on the first one's answers. */
static bool find_examples(struct scoring *h, void **owned, struct vouch_error *err)
{
    const struct dataset *dataset = h->held->dataset;
    const struct score_plan *a = h->plan;
    *owned = NULL;
    h->examples = *dataset_examples(dataset, a->layer, h->held->dev);
    if (a->layer == 0)
        return true;
    if (*h->answered < h->count) {
        if (!parallel_run(a->work->threads, (h->count - *h->answered + BLOCK - 1) / BLOCK, answer_block, h, err))
            return false;
        *h->answered = h->count;
    }
    return dataset->relations_for_heads(dataset->self, h->held->dev, a->first->choice, &h->examples, owned, err);
}

static void scorer_release(struct scorer *c)
{
    workspace_release(&c->workspace);
    scratch_release(&c->fetching);
    answering_release(&c->answering);
    lossy_release(&c->lossy);
    free(c->right);
    free(c->number);
    free(c->signal);
    free(c->profile);
    free(c->called);
}

bool held_out_scores_take(struct held_out_scores *scores, const struct held_out *held, const struct score_plan *plan,
                          struct vouch_error *err)
{
    struct scoring h = {.held = held, .plan = plan};
    const struct dataset *dataset = held->dataset;
    *scores = (struct held_out_scores){0};
    h.scorer = new_array(plan->work->threads, sizeof *h.scorer, err);
    bool ok = h.scorer && (!plan->committee || losses_init(&h.losses, dataset, plan->work->seed, err));
    for (uint32_t p = 0; ok && p < held->parts; p++) {
        void *owned = NULL;
        h.part = &held->part[p];
        h.answered = plan->first ? &plan->first->answered[p] : NULL;
        h.count = enough(&h);
        ok = find_examples(&h, &owned, err);
        layer_voice_set(&h.part->layer[plan->layer], plan->layer, h.examples.structure, plan->params, plan->noise,
                        plan->layer == 0 ? dataset->rules : NULL, &h.voice_set);
        find_needs(&h);
        ok = ok &&
             (!plan->committee || losses_survey(&h.losses, h.part, &h.examples, SIMULATED, plan->work->threads, err)) &&
             (!plan->text || count_text(&h, err)) && take_part(&h, scores, err);
        free(owned);
    }
    for (uint32_t i = 0; h.scorer && i < plan->work->threads; i++)
        scorer_release(&h.scorer[i]);
    losses_release(&h.losses);
    answer_counts_release(&h.text);
    free(h.scorer);
    return ok;
}

bool first_answers_init(struct first_answers *first, const struct held_out *held, struct vouch_error *err)
{
    const struct dataset *dataset = held->dataset;
    *first = (struct first_answers){0};
    first->choice = new_array(dataset_words(dataset, held->dev) + 1, sizeof *first->choice, err);
    first->answered = first->choice ? new_array(held->parts, sizeof *first->answered, err) : NULL;
    return first->answered != NULL;
}

void first_answers_release(struct first_answers *first)
{
    free(first->choice);
    free(first->answered);
    *first = (struct first_answers){0};
}
