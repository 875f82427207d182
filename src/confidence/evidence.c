/*
 * Gathers evidence: see evidence.h.
 *
 * Cost, for a chain of N words and Y labels (a tree of N words): scores and
 * best answer as in prediction; margins and marginals O(N Y^2) each (O(N^2),
 * O(N^3)); the K best O(N Y^2 + K N Y) (O(K N^2)); draws K times scoring and
 * decoding, sixteen or more of them in one instruction.
 */
#include "confidence/evidence.h"

#include "base/hash.h"
#include "confidence/cascade.h"

#include <math.h>
#include <string.h>

const struct method_params default_method_params = {.best = 20, .draws = 50, .fix = 0, .pc = 1, .c = 1};

double unit_of_weights(const struct space *space, const float *mean)
{
    double sum = 0;
    size_t learned = 0, size = space_size(space);
    for (size_t i = 0; i < size; i++) {
        sum += (double)mean[i] * mean[i];
        learned += mean[i] != 0;
    }
    return sum > 0 && isfinite(sum) ? sum / (double)learned : 1;
}

void voice_view_suit(struct voice_view *voice)
{
    const double pi = 3.14159265358979323846, c = voice->params.c;
    if (voice->params.fix == 0)
        voice->params.fix =
            voice->sets ? pi * pi / (6 * c * c) : SUITABLE_S * unit_of_weights(voice->space, voice->mean);
}

bool answer_is_possible(double best_score, struct vouch_error *err)
{
    return best_score > -INFINITY ||
           fail(err, VOUCH_ERR_ARGUMENT, "expected scores that leave an answer possible, found -inf for every answer");
}

bool evidence_open(struct evidence *e, const struct voice_view *voice, const struct parts *parts,
                   struct looking *looking, struct vouch_error *err)
{
    e->voice = voice;
    e->looking = looking;
    e->N = parts->N;
    if (!RESERVE(e->best, e->best_capacity, (size_t)e->N + 1, err) ||
        !parts_score_steps(parts, voice->space, voice->mean, &voice->steps, &e->scores, err) ||
        !voice->structure->best(&e->scores, &e->looking->scratch, e->best, &e->best_score, err))
        return false;
    if (!answer_is_possible(e->best_score, err))
        return false;
    e->options = e->N ? (size_t)e->scores.G * e->scores.width / e->N : 0;
    return true;
}

/* Whether draws leave out what is beyond doubt. */
static bool leaves_out(const struct evidence *e, const struct parts *parts, bool pc)
{
    return cascade_pays(parts, &e->scores, pc && e->voice->var);
}

/*
 * Finds the margins of the voice's own choices, made negative where the answer is another, and the words without
 * another choice. In a model's own scores, only a sentence of one word, or a single option, can leave a word none.
 */
static bool look_at_margins(struct evidence *e, const struct parts *parts, unsigned looks, struct vouch_error *err)
{
    bool force = e->voice->sets || e->N == 1 || e->options <= 1;
    if (((looks & LOOK_FIX && leaves_out(e, parts, false)) || (looks & LOOK_PC && leaves_out(e, parts, true))) &&
        cascade_needs_margins(&e->scores))
        looks |= LOOK_MARGIN;
    if (!RESERVE(e->forced, e->forced_capacity, (size_t)e->N + 1, err))
        return false;
    memset(e->forced, 0, sizeof *e->forced * e->N);
    if (!force && !(looks & LOOK_MARGIN))
        return true;
    if (!RESERVE(e->margin, e->margin_capacity, (size_t)e->N + 1, err) ||
        !e->voice->structure->without(&e->scores, e->best, &e->looking->scratch, e->margin, err))
        return false;
    for (uint32_t n = 0; n < e->N; n++) {
        double margin = e->best_score - e->margin[n];
        e->forced[n] = force && e->margin[n] == -INFINITY;
        e->margin[n] = e->choice[n] == e->best[n] ? margin : -margin;
    }
    return true;
}

/* Keeps what the probabilities of chunks are made of, if the structure has chunks. */
static bool look_at_marginals(struct evidence *e, struct vouch_error *err)
{
    const struct structure *structure = e->voice->structure;
    struct scratch *scratch = structure->neighbours ? &e->messages : &e->looking->scratch;
    return structure->marginals(&e->scores, e->voice->params.c, scratch, &e->marginal, &e->log_z, err);
}

static bool look_at_kbest(struct evidence *e, struct vouch_error *err)
{
    struct answers *a = &e->kbest;
    uint32_t K = e->voice->params.best;
    return RESERVE(a->choice, a->choice_capacity, (size_t)K * e->N + 1, err) &&
           RESERVE(a->weight, a->weight_capacity, K, err) &&
           e->voice->structure->kbest(&e->scores, K, &e->looking->scratch, a->choice, a->weight, &a->count, err);
}

/* Finds the best answer of every set of scores. */
static bool look_at_sets(struct evidence *e, const struct score_sets *given, struct vouch_error *err)
{
    struct answers *a = &e->pc;
    double score;
    if (!RESERVE(a->choice, a->choice_capacity, (size_t)given->sets * e->N + 1, err))
        return false;
    a->count = given->sets;
    for (uint32_t k = 0; k < given->sets; k++)
        if (!e->voice->structure->best(given->set ? &given->set[k] : &given->mean, &e->looking->scratch,
                                       a->choice + (size_t)k * e->N, &score, err))
            return false;
    return true;
}

/* Returns a key for the noise of given scores: without weights, sentences share no noise, so each has its own. */
static uint64_t own_key(const struct evidence *e)
{
    return hash_mix(e->voice->key, hash_bytes(e->scores.node, sizeof(float) * e->scores.G * e->scores.width));
}

static bool look_at_draws(struct evidence *e, const struct parts *parts, bool pc, struct vouch_error *err)
{
    const struct voice_view *w = e->voice;
    struct answers *a = pc ? &e->pc : &e->fix;
    struct drawing drawing = {.noise = w->noise,
                              .key = w->sets ? own_key(e) : w->key,
                              .K = w->params.draws,
                              .s = pc ? w->params.pc : w->params.fix,
                              .space = w->space,
                              .mean = w->mean,
                              .var = pc ? w->var : NULL};
    struct looking *looking = e->looking;
    if (!looking->noise)
        looking->noise = noise_work_new(err);
    a->count = drawing.K;
    if (!looking->noise || !RESERVE(a->choice, a->choice_capacity, (size_t)drawing.K * e->N + 1, err) ||
        !RESERVE(looking->drawn, looking->drawn_capacity, (size_t)e->scores.G + 1, err))
        return false;
    if (!drawing_is_sound(&drawing, err))
        return false;
    if (leaves_out(e, parts, pc)) {
        struct undrawn sentence = {&drawing, parts, &e->scores, e->best, e->margin};
        drawing.drawn = looking->drawn;
        drawing.answer = e->best;
        if (cascade_settle(&sentence, default_cascade_limits, looking->drawn) == 0) {
            for (uint32_t k = 0; k < drawing.K; k++)
                memcpy(a->choice + (size_t)k * e->N, e->best, e->N * sizeof *a->choice);
            return true;
        }
    }
    return noise_score(&drawing, parts, &e->scores, looking->noise, &looking->lanes, err) &&
           w->structure->draws(&looking->lanes, &looking->scratch, a->choice, err);
}

bool evidence_look(struct evidence *e, const struct parts *parts, const uint32_t *choice, unsigned looks,
                   struct vouch_error *err)
{
    e->choice = choice;
    return look_at_margins(e, parts, looks, err) && (!(looks & LOOK_MARGINALS) || look_at_marginals(e, err)) &&
           (!(looks & LOOK_KBEST) || look_at_kbest(e, err)) &&
           (!(looks & LOOK_FIX) || look_at_draws(e, parts, false, err)) &&
           (!(looks & LOOK_PC) ||
            (parts->given ? look_at_sets(e, parts->given, err) : look_at_draws(e, parts, true, err)));
}

void looking_release(struct looking *looking)
{
    scratch_release(&looking->scratch);
    noise_work_free(looking->noise);
    lanes_release(&looking->lanes);
    free(looking->drawn);
    free(looking->pairs);
    *looking = (struct looking){0};
}

static void release_answers(struct answers *answers)
{
    free(answers->choice);
    free(answers->weight);
}

void evidence_release(struct evidence *e)
{
    scores_release(&e->scores);
    scores_release(&e->marginal);
    scratch_release(&e->messages);
    release_answers(&e->kbest);
    release_answers(&e->fix);
    release_answers(&e->pc);
    free(e->best);
    free(e->forced);
    free(e->margin);
}
