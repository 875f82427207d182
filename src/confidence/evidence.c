/*
 * Gathers evidence, and decides what need not be drawn.
 *
 * Cost, for a chain of N words and Y labels (a tree of N words): scores and best answer as in prediction; margins and
 * marginals O(N Y^2) each (O(N^2), O(N^3)); the K best O(N Y^2 + K N Y) (O(K N^2)); draws K times scoring and decoding,
 * sixteen or more of them in one instruction.
 */
#include "confidence/evidence.h"

#include "base/hash.h"
#include "confidence/draw_limit.h"

#include <math.h>
#include <string.h>

/* ---- The cascade ---- */

/*
 * The noise of a part is a sum over its features, of variance v, and so is that of an edge, of variance u (see
 * noise_variance()). Two choices of a word between neighbours that stay differ in a part and in e edges each, e = 2 in
 * a chain of three words or more, so that the noise of their difference has the variance
 *
 *     sd^2 = 2 (v + e u)
 *
 * v and u being the largest of the answer's in the sentence. What is many sd behind does not win in any of K draws:
 *
 *     words with edges   word n keeps its label if its margin > c sd
 *     otherwise          a part is drawn if its score >= that of the answer's part - c sd;
 *                        a word with no such part but its own keeps its choice
 *
 * Limits of this:
 * - A margin is that of the best answer with another label, which may change
 *   neighbours as well, use an edge again, and so vary more than one word does:
 *   its c is larger. Where words have a single feature, in long sentences, up to
 *   one in 400 draws of a word that is left out would have changed it.
 * - A draw of a tree changes a word's head also to make room for another's. So
 *   an arc that is not drawn still has its score, and may be taken, if without
 *   the noise that it would have. With scores at random, where trees are far from
 *   every word's best head, that is another head in one of 100 draws of a word
 *   that is left out.
 * - Variances of each weight's own are larger for choices that were hardly ever
 *   tried than for the answer's, whose v is taken. For arcs it must do: where
 *   rivals vary much more than the answer, draws would change words that are left
 *   out. With several choices in a group hardly any word would be beyond doubt, so
 *   that all is drawn.
 *
 * All is drawn as well in chains of few labels, where drawing costs as little as margins, and in chains of scores from
 * elsewhere with edges: every edge has as much noise as a word there, and few words are beyond that.
 *
 * Cost: the features of one part for each word; O(N) a word for trees.
 */

enum { FEW_LABELS = 4 };

const struct cascade_limits default_cascade_limits = {.margin = 4.4, .score = 3.5};

/* Whether looking for what need not be drawn costs less than drawing it. With edges, margins are needed for it. */
static bool cascade_pays(const struct evidence *e, const struct parts *parts, bool pc)
{
    const struct scores *scores = &e->scores;
    if (scores->N == 0 || (pc && e->voice->var && scores->width > 1))
        return false;
    return scores->E == 0 || (scores->E == 1 && scores->width > FEW_LABELS && !parts->score_source);
}

/*
 * Draws the groups of word n with a part of at least this score, and the answer's if there is any such part. Groups are
 * heads if there are several, and the word itself is none.
 */
static size_t draw_near(const struct undrawn *u, uint32_t n, float least, bool *drawn)
{
    size_t width = u->scores->width, groups = u->scores->G / u->scores->N, own = u->best[n], count = 0;
    const float *score = u->scores->node + n * groups * width;
    for (size_t g = 0; g < groups; g++, score += width) {
        bool near = false, itself = groups > 1 && g == n + 1;
        for (size_t j = 0; !itself && j < width; j++)
            near |= !(score[j] < least) && g * width + j != own;
        drawn[g] = near;
        count += near;
    }
    bool alone = count > 0 && !drawn[own / width];
    drawn[own / width] |= alone;
    return count + alone;
}

/* Returns the standard deviation of the difference of two choices of a word, from the answer's parts that vary most. */
static double deviation(const struct undrawn *u)
{
    uint32_t N = u->scores->N, width = u->scores->width, groups = u->scores->G / N;
    uint32_t edges = u->scores->E == 0 ? 0 : N > 2 ? 2 : N - 1;
    double node = 0, edge = 0;
    for (uint32_t n = 0; n < N; n++) {
        uint32_t group = n * groups + u->best[n] / width;
        node = fmax(node, noise_variance(u->drawing, u->parts, group, u->best[n] % width));
        if (edges > 0 && n > 0)
            edge = fmax(edge, noise_edge_variance(u->drawing, u->parts, 0, u->best[n - 1], u->best[n]));
    }
    return sqrt(2 * (node + edges * edge));
}

size_t cascade_settle(struct undrawn *u, struct cascade_limits limits, bool *drawn)
{
    const struct scores *scores = u->scores;
    uint32_t N = scores->N, groups = N ? scores->G / N : 0;
    double sd = u->deviation = N ? deviation(u) : 0;
    size_t count = 0;
    for (uint32_t n = 0; n < N; n++, drawn += groups)
        if (scores->E > 0)
            count += drawn[0] = !(fabs(u->margin[n]) > limits.margin * sd);
        else {
            double own = (double)scores->node[(size_t)n * groups * scores->width + u->best[n]];
            count += draw_near(u, n, (float)(own - limits.score * sd), drawn);
        }
    return count;
}

/* ---- Evidence ---- */

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

/* Scores the parts and finds the voice's own best answer. */
static bool evidence_open(struct evidence *e, const struct voice_view *voice, const struct parts *parts,
                          struct evidence_work *work, struct vouch_error *err)
{
    e->voice = voice;
    e->work = work;
    e->N = parts->N;
    if (!RESERVE(e->best, e->best_capacity, (size_t)e->N + 1, err) ||
        !parts_score_steps(parts, voice->space, voice->mean, &voice->steps, &e->scores, err) ||
        !voice->structure->best(&e->scores, &e->work->scratch, e->best, &e->best_score, err) ||
        !answer_is_possible(e->best_score, err))
        return false;
    e->options = e->N ? (size_t)e->scores.G * e->scores.width / e->N : 0;
    return true;
}

/*
 * Finds the margins of the voice's own choices, made negative where the answer is another, and the words without
 * another choice. In a model's own scores, only what is known, a sentence of one word, or a single option can leave a
 * word none.
 */
static bool gather_margins(struct evidence *e, const struct parts *parts, unsigned needs, struct vouch_error *err)
{
    bool force = e->voice->sets || parts->known || e->N == 1 || e->options <= 1;
    if (e->scores.E > 0 && ((needs & EVIDENCE_FIX && cascade_pays(e, parts, false)) ||
                            (needs & EVIDENCE_PC && cascade_pays(e, parts, true))))
        needs |= EVIDENCE_MARGIN;
    if (!RESERVE(e->forced, e->forced_capacity, (size_t)e->N + 1, err))
        return false;
    memset(e->forced, 0, sizeof *e->forced * e->N);
    if (!force && !(needs & EVIDENCE_MARGIN))
        return true;
    if (!RESERVE(e->margin, e->margin_capacity, (size_t)e->N + 1, err) ||
        !e->voice->structure->without(&e->scores, e->best, &e->work->scratch, e->margin, err))
        return false;
    for (uint32_t n = 0; n < e->N; n++) {
        double margin = e->best_score - e->margin[n];
        e->forced[n] = force && e->margin[n] == -INFINITY;
        e->margin[n] = e->choice[n] == e->best[n] ? margin : -margin;
    }
    return true;
}

static bool gather_kbest(struct evidence *e, struct vouch_error *err)
{
    struct answers *a = &e->kbest;
    uint32_t best = e->voice->params.best, weighted = e->voice->params.weighted, K = best > weighted ? best : weighted;
    return RESERVE(a->choice, a->choice_capacity, (size_t)K * e->N + 1, err) &&
           RESERVE(a->weight, a->weight_capacity, K, err) &&
           e->voice->structure->kbest(&e->scores, K, &e->work->scratch, a->choice, a->weight, &a->count, err);
}

/* Finds the best answer of every set of scores. */
static bool gather_sets(struct evidence *e, const struct score_sets *source, struct vouch_error *err)
{
    struct answers *a = &e->pc;
    double score;
    if (!RESERVE(a->choice, a->choice_capacity, (size_t)source->sets * e->N + 1, err))
        return false;
    a->count = source->sets;
    for (uint32_t k = 0; k < source->sets; k++)
        if (!e->voice->structure->best(source->set ? &source->set[k] : &source->mean, &e->work->scratch,
                                       a->choice + (size_t)k * e->N, &score, err))
            return false;
    return true;
}

/* Returns a number for what a sentence consists of: its words, or its scores where these are unknown. */
static uint64_t content_of(const struct parts *parts, const struct scores *scores)
{
    const struct word_names *names = &parts->names;
    uint64_t content = names->name ? parts->N : hash_bytes(scores->node, sizeof(float) * scores->G * scores->width);
    for (uint32_t n = 0; names->name && n < parts->N; n++)
        content = hash_mix(content, names->name[(size_t)n * names->stride]);
    return content;
}

struct drawing voice_drawing(const struct voice_view *w, const struct parts *parts, const struct scores *scores,
                             bool pc)
{
    bool plain = w->params.plain && !w->sets; /* without weights, sentences share no noise: each has its own */
    return (struct drawing){.noise = w->noise,
                            .key = plain ? w->key : hash_mix(w->key, content_of(parts, scores)),
                            .K = w->params.draws,
                            .paired = !w->params.plain,
                            .s = pc ? w->params.pc : w->params.fix,
                            .space = w->space,
                            .mean = w->mean,
                            .var = pc ? w->var : NULL};
}

static bool gather_draws(struct evidence *e, const struct parts *parts, bool pc, struct vouch_error *err)
{
    const struct voice_view *w = e->voice;
    struct answers *a = pc ? &e->pc : &e->fix;
    struct drawing drawing = voice_drawing(w, parts, &e->scores, pc);
    struct evidence_work *work = e->work;
    if (!work->noise)
        work->noise = noise_work_new(err);
    a->count = drawing.K;
    if (!work->noise || !RESERVE(a->choice, a->choice_capacity, (size_t)drawing.K * e->N + 1, err) ||
        !RESERVE(work->drawn, work->drawn_capacity, (size_t)e->scores.G + 1, err) || !drawing_is_sound(&drawing, err))
        return false;
    struct undrawn sentence = {&drawing, parts, &e->scores, e->best, e->margin, 0};
    bool settled = false;
    if (cascade_pays(e, parts, pc)) {
        settled = cascade_settle(&sentence, default_cascade_limits, work->drawn) == 0;
        drawing.drawn = work->drawn;
        drawing.answer = e->best;
    }
    if (drawing.paired && w->structure->rivals &&
        (!RESERVE(a->limit, a->limit_capacity, (size_t)e->N + 1, err) || !draw_limit(e, &sentence, a->limit, err)))
        return false;
    for (uint32_t k = 0; settled && k < drawing.K; k++)
        memcpy(a->choice + (size_t)k * e->N, e->best, e->N * sizeof *a->choice);
    return settled || (noise_score(&drawing, parts, &e->scores, work->noise, &work->lanes, err) &&
                       w->structure->draws(&work->lanes, &work->scratch, a->choice, err));
}

/* Gathers the kinds of evidence `needs` with respect to `choice`; of marginals also what neighbours() reads, if any. */
static bool evidence_gather(struct evidence *e, const struct parts *parts, const uint32_t *choice, unsigned needs,
                            struct vouch_error *err)
{
    const struct structure *structure = e->voice->structure;
    struct scratch *scratch = structure->neighbours ? &e->messages : &e->work->scratch;
    e->choice = choice;
    return gather_margins(e, parts, needs, err) &&
           (!(needs & EVIDENCE_MARGINALS) ||
            structure->marginals(&e->scores, e->voice->params.c, scratch, &e->marginal, &e->log_z, err)) &&
           (!(needs & EVIDENCE_KBEST) || gather_kbest(e, err)) &&
           (!(needs & EVIDENCE_FIX) || gather_draws(e, parts, false, err)) &&
           (!(needs & EVIDENCE_PC) ||
            (parts->score_source ? gather_sets(e, parts->score_source, err) : gather_draws(e, parts, true, err)));
}

static void evidence_release(struct evidence *e)
{
    scores_release(&e->scores);
    scores_release(&e->marginal);
    scratch_release(&e->messages);
    free(e->kbest.choice);
    free(e->kbest.weight);
    free(e->fix.choice);
    free(e->fix.limit);
    free(e->pc.choice);
    free(e->pc.limit);
    free(e->best);
    free(e->forced);
    free(e->margin);
}

/* ---- Voice sets ---- */

bool voice_set_open(const struct voice_set *voice_set, struct workspace *workspace, const struct parts *parts,
                    const unsigned *needs, struct vouch_error *err)
{
    workspace->voice_set = voice_set;
    workspace->N = parts->N;
    workspace->names = parts->names;
    for (uint32_t v = 0; v < voice_set->voices; v++) {
        workspace->evidence[v].rules = voice_set->rules;
        if ((v == 0 || needs[v]) &&
            !evidence_open(&workspace->evidence[v], &voice_set->voice[v], parts, &workspace->work, err))
            return false;
    }
    workspace->choice = workspace->evidence[0].best;
    return true;
}

bool voice_set_gather(struct workspace *workspace, const struct parts *parts, const unsigned *needs,
                      struct vouch_error *err)
{
    for (uint32_t v = 0; v < workspace->voice_set->voices; v++)
        if ((v == 0 || needs[v]) && !evidence_gather(&workspace->evidence[v], parts, workspace->choice, needs[v], err))
            return false;
    return true;
}

void workspace_release(struct workspace *workspace)
{
    for (uint32_t v = 0; v < MAX_VOICE_VIEWS; v++)
        evidence_release(&workspace->evidence[v]);
    scratch_release(&workspace->work.scratch);
    noise_work_free(workspace->work.noise);
    lanes_release(&workspace->work.lanes);
    free(workspace->work.drawn);
    free(workspace->work.pairs);
    free(workspace->work.rival);
    scores_release(&workspace->work.variance);
    answer_counts_release(&workspace->sentence);
}
