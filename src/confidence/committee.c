/*
 * Computes the signals of a committee. The row of a word has, in this order,
 *
 *   for each voice   the log-odds of its marginal; its margin, by asinh, as it has no unit (negative where the voice's
 *                    own answer is another); the entropy of its marginals; if draws are used, the log-odds of the
 *                    votes; with outside scores, the log-odds and the margin of the word's own scores, and whether it
 *                    is labelled as part of a chunk
 *   for all voices   the log-odds of both neighbours and of the weakest word, and the length of the sentence
 *   the counts       how often training saw the word, and with this label
 *   for a head       how its arc fits into the tree
 *
 * A chunk and a sentence have, for each voice, log-odds, margin and votes; joint.h adds the signals of their parts.
 *
 * Draws add nothing to the marginals and margins of a voice that was learned by
 * its likelihood (docs/MEASUREMENTS.md), and cost more than all the rest.
 *
 * Outside scores are also taken word by word, because constraints make an answer look sure where the choice that the
 * scores prefer is not allowed; and models that do not know how rare names are make names look too sure, and words
 * outside of names not sure enough. On half of the development data of examples/neural, words' AURC falls from 0.59 to
 * 0.51 thousandths under constraints by these signals.
 *
 * Cost: the evidence, and O(N * options) for the entropies.
 */
#include "confidence/committee.h"

#include "base/elementary.h"
#include "core/exp_log.h"
#include "fit/logistic.h"

#include <math.h>
#include <string.h>

#define LEAST 1e-6 /* probabilities are kept this far from 0 and 1 */

/* Numbers of signals: for each voice, without its draws, and for all voices. */
enum { WORD_A_VOICE = 3, WORD_ALONE = 3, WORD_IN_COMMON = 4, SPAN_A_VOICE = 2, SENTENCE_A_VOICE = 1 };

enum { AT_ONCE = 32, TERMS = 128 }; /* words, and probabilities, whose logarithms are taken together */

static uint32_t voices_used(const struct voice_set *voice_set)
{
    return voice_set->voices < COMMITTEE_VOICES ? voice_set->voices : COMMITTEE_VOICES;
}

/* Whether the committee also uses draws by the voice's own variances, or the answers of several sets of scores. */
static bool own_draws(const struct voice_set *voice_set, uint32_t v)
{
    return voice_set->draws && (voice_set->voice[v].var || voice_set->voice[v].sets > 1);
}

static bool has_counts(const struct voice_set *voice_set)
{
    return voice_set->counts && voice_set->counts->slot;
}

/* Returns the number of signals of all voices; some voices have draws of two kinds. */
static uint32_t of_all_voices(const struct voice_set *voice_set, uint32_t each)
{
    uint32_t count = 0;
    for (uint32_t v = 0; v < voices_used(voice_set); v++)
        count += each + voice_set->draws + own_draws(voice_set, v);
    return count;
}

/* Whether the committee also uses a word's own scores: those from outside, see above (docs/MEASUREMENTS.md). */
static bool words_alone(const struct voice_set *voice_set, uint32_t v)
{
    return voice_set->voice[v].sets > 0;
}

/* Returns the number of signals that a word has of voice v. */
static uint32_t word_signals_of(const struct voice_set *voice_set, uint32_t v)
{
    return WORD_A_VOICE + voice_set->draws + own_draws(voice_set, v) + (words_alone(voice_set, v) ? WORD_ALONE : 0);
}

void committee_needs(const struct voice_set *voice_set, unsigned *needs)
{
    for (uint32_t v = 0; v < voices_used(voice_set); v++)
        needs[v] |= EVIDENCE_MARGIN | EVIDENCE_MARGINALS | (voice_set->draws ? EVIDENCE_FIX : 0) |
                    (own_draws(voice_set, v) ? EVIDENCE_PC : 0);
}

/* Returns where the signals of the counts begin in a row. */
static uint32_t first_of_counts(const struct voice_set *voice_set)
{
    uint32_t count = WORD_IN_COMMON;
    for (uint32_t v = 0; v < voices_used(voice_set); v++)
        count += word_signals_of(voice_set, v);
    return count;
}

uint32_t committee_word_signals(const struct voice_set *voice_set)
{
    uint32_t of_counts = COUNT_SIGNALS + (voice_set->heads ? TREE_SIGNALS : 0);
    return first_of_counts(voice_set) + (has_counts(voice_set) ? of_counts : 0);
}

uint32_t committee_span_signals(const struct voice_set *voice_set)
{
    return of_all_voices(voice_set, SPAN_A_VOICE);
}

uint32_t committee_sentence_signals(const struct voice_set *voice_set)
{
    return of_all_voices(voice_set, SENTENCE_A_VOICE);
}

static double bounded_margin(double margin)
{
    return margin < -1e6 ? -1e6 : margin < 1e6 ? margin : 1e6;
}

static double squeezed(double margin)
{
    return asinh_of(bounded_margin(margin));
}

/* Probabilities whose p log p is still to be subtracted from their words' entropies. */
struct terms {
    double p[TERMS], log[TERMS], *of[TERMS];
    uint32_t count;
};

static void add_terms(struct terms *terms)
{
    memcpy(terms->log, terms->p, sizeof *terms->p * terms->count);
    log_all(terms->log, terms->count);
    for (uint32_t i = 0; i < terms->count; i++)
        *terms->of[i] -= terms->p[i] * terms->log[i];
    terms->count = 0;
}

/* Fills in the entropies of all words' marginals, in numbers that lie `stride` apart. */
static void tell_entropies(const struct evidence *e, double *signal, uint32_t stride)
{
    struct terms terms;
    terms.count = 0;
    for (uint32_t n = 0; n < e->N; n++, signal += stride) {
        *signal = 0;
        for (size_t y = 0; y < e->options; y++) {
            double p = evidence_marginal(e, n, (uint32_t)y);
            if (p > LEAST) {
                terms.p[terms.count] = p;
                terms.of[terms.count++] = signal;
            }
            if (terms.count == TERMS)
                add_terms(&terms);
        }
    }
    add_terms(&terms);
}

/*
 * Fills in, for `count` <= AT_ONCE words from n on, the log-odds of the voice's marginals and its squeezed margins,
 * both by logarithms taken together: asinh(m) is log(|m| + sqrt(m^2 + 1)), with the sign of m.
 */
static void tell_odds(const struct evidence *e, uint32_t n, uint32_t count, double *signal, uint32_t stride)
{
    double value[2 * AT_ONCE];
    for (uint32_t k = 0; k < count; k++) {
        double m = bounded_margin(e->margin[n + k]);
        value[2 * k] = fine_odds(evidence_of_answer(e, n + k));
        value[2 * k + 1] = fabs(m) + sqrt(m * m + 1);
    }
    log_all(value, 2 * (size_t)count);
    for (uint32_t k = 0; k < count; k++, signal += stride) {
        signal[0] = value[2 * k];
        signal[1] = copysign(value[2 * k + 1], e->margin[n + k]);
    }
}

/*
 * Fills in what the scores say of word n alone: with s(y) the score of choice y, and y* the answer's,
 *
 *     log-odds of exp(c s(y*)) / sum of exp(c s(y)),    asinh(s(y*) - max of the other s(y))
 */
static void tell_alone(const struct evidence *e, uint32_t n, double *signal)
{
    const float *score = e->scores.node + n * e->options;
    uint32_t groups = e->scores.G / e->N, own = e->choice[n];
    double c = e->voice->params.c, best = -INFINITY, others = 0;
    for (uint32_t y = 0; y < e->options; y++)
        if (y != own && !(groups > 1 && y == n + 1)) /* a word is not its own head */
            best = fmax(best, (double)score[y]);
    for (uint32_t y = 0; y < e->options && best > -INFINITY; y++)
        if (y != own && !(groups > 1 && y == n + 1))
            others += exp_of(c * ((double)score[y] - best));
    double ahead = (double)score[own] - best;
    signal[0] = within_fine_odds(c * ahead - log_of(others));
    signal[1] = squeezed(ahead);
}

/* Fills in the signals of voice v in rows that lie `count` apart; returns how many there are. */
static uint32_t tell_voice(const struct workspace *s, uint32_t v, double *signal, uint32_t count)
{
    const struct evidence *e = &s->evidence[v];
    bool fix = s->voice_set->draws, own = own_draws(s->voice_set, v);
    for (uint32_t n = 0; n < s->N; n += AT_ONCE)
        tell_odds(e, n, s->N - n < AT_ONCE ? s->N - n : AT_ONCE, signal + (size_t)n * count, count);
    tell_entropies(e, signal + 2, count);
    for (uint32_t n = 0; n < s->N; n++, signal += count) {
        double *x = signal + WORD_A_VOICE;
        if (fix)
            *x++ = vote_odds(share_of_word(&e->fix, s->choice, s->N, n), e->fix.count);
        if (own)
            *x++ = vote_odds(share_of_word(&e->pc, s->choice, s->N, n), e->pc.count);
        if (words_alone(s->voice_set, v)) {
            tell_alone(e, n, x);
            x[2] = committee_concerns(s, n);
        }
    }
    return word_signals_of(s->voice_set, v);
}

/* Returns the mean, over voices, of the log-odds of a word's marginal, which its row has already. */
static double mean_odds(const struct voice_set *voice_set, const double *row)
{
    double sum = 0;
    for (uint32_t v = 0; v < voices_used(voice_set); v++) {
        sum += *row;
        row += word_signals_of(voice_set, v);
    }
    return sum / voices_used(voice_set);
}

/* Fills in the log-odds of the neighbours and of the weakest word, and the length, after the signals of the voices. */
static void tell_sentence(const struct workspace *s, double *signal, uint32_t count, uint32_t after)
{
    double weakest = INFINITY, surest = fine_log_odds(1), length = log_of(s->N), left = surest;
    for (uint32_t n = 0; n < s->N; n++)
        weakest = fmin(weakest, mean_odds(s->voice_set, signal + (size_t)n * count));
    for (uint32_t n = 0; n < s->N; n++, signal += count) {
        double *x = signal + after;
        *x++ = left;
        *x++ = n + 1 < s->N ? mean_odds(s->voice_set, signal + count) : surest;
        *x++ = weakest;
        *x++ = length;
        left = mean_odds(s->voice_set, signal);
    }
}

void committee_words(const struct workspace *s, double *signal)
{
    uint32_t count = committee_word_signals(s->voice_set), at = 0;
    for (uint32_t v = 0; v < voices_used(s->voice_set); v++)
        at += tell_voice(s, v, signal + at, count);
    tell_sentence(s, signal, count, at);
    if (has_counts(s->voice_set)) {
        struct counted_answer answer = {s->names, s->N, s->choice, s->voice_set->rules};
        double *x = signal + first_of_counts(s->voice_set);
        answer_counts_signals(s->voice_set->counts, &answer, x, count);
        if (s->voice_set->heads)
            tree_signals(s, signal, count, x + COUNT_SIGNALS);
    }
}

/* Whether the word is labelled as part of a chunk; all words are where answers have no chunks. */
bool committee_concerns(const struct workspace *s, uint32_t n)
{
    const struct span_rules *rules = s->voice_set->rules;
    return !rules || rules->type[s->choice[n]] != rules->labels;
}

void committee_sentence_profile(const struct workspace *s, const double *signal, double *profile)
{
    uint32_t count = committee_word_signals(s->voice_set);
    memset(profile, 0, sizeof *profile * PROFILE_SIGNALS);
    profile[PROFILE_LENGTH] = log_of(s->N);
    for (uint32_t n = 0; n < s->N; n++) {
        const double *x = signal + (size_t)n * count, *seen = x + first_of_counts(s->voice_set);
        bool counts = !s->voice_set->rules || !committee_concerns(s, n);
        profile[PROFILE_ODDS] += x[0] / s->N;
        profile[PROFILE_COUNTED] += counts;
        for (uint32_t k = 0; counts && has_counts(s->voice_set) && k < COUNT_KINDS; k++) {
            profile[PROFILE_UNKNOWN + k] += seen[2 * k] == 0;
            profile[PROFILE_SEEN + k] += seen[2 * k];
        }
    }
}

void committee_profile(const struct workspace *s, const double *signal, double *profile)
{
    double whole[PROFILE_SIGNALS];
    committee_sentence_profile(s, signal, whole);
    for (uint32_t n = 0; n < s->N; n++, profile += PROFILE_SIGNALS) {
        memcpy(profile, whole, sizeof whole);
        profile[PROFILE_CONCERNED] = committee_concerns(s, n);
    }
}

bool committee_span(struct workspace *s, struct extent span, double *signal, struct vouch_error *err)
{
    double *x = signal;
    for (uint32_t v = 0; v < voices_used(s->voice_set); v++) {
        struct evidence *e = &s->evidence[v];
        double p;
        if (!gamma_method.span(&gamma_method, e, s->voice_set->rules, span, &p, err))
            return false;
        *x++ = fine_log_odds(p);
        *x++ = squeezed(smallest(e->margin, span.from, span.to));
        if (s->voice_set->draws)
            *x++ = vote_odds(share_of_span(&e->fix, s->choice, s->N, s->voice_set->rules, span), e->fix.count);
        if (own_draws(s->voice_set, v))
            *x++ = vote_odds(share_of_span(&e->pc, s->choice, s->N, s->voice_set->rules, span), e->pc.count);
    }
    return true;
}

void committee_sentence(const struct workspace *s, double *signal)
{
    double *x = signal;
    for (uint32_t v = 0; v < voices_used(s->voice_set); v++) {
        const struct evidence *e = &s->evidence[v];
        *x++ = fine_log_odds(gamma_method.whole(&gamma_method, e));
        if (s->voice_set->draws)
            *x++ = vote_odds(share_of_whole(&e->fix, s->choice, s->N), e->fix.count);
        if (own_draws(s->voice_set, v))
            *x++ = vote_odds(share_of_whole(&e->pc, s->choice, s->N), e->pc.count);
    }
}

void committee_plain(const struct workspace *s, double *confidence)
{
    uint32_t voices = voices_used(s->voice_set), draws = s->voice_set->draws;
    for (uint32_t n = 0; n < s->N; n++) {
        confidence[n] = 0;
        for (uint32_t v = 0; v < voices; v++)
            confidence[n] += evidence_marginal(&s->evidence[v], n, s->choice[n]) +
                             (draws ? share_of_word(&s->evidence[v].fix, s->choice, s->N, n) : 0);
        confidence[n] /= (1 + draws) * voices;
    }
}

double committee_whole(const struct workspace *s)
{
    const struct evidence *e = &s->evidence[0];
    return s->voice_set->draws ? share_of_whole(&e->fix, e->choice, e->N) : gamma_method.whole(&gamma_method, e);
}

void committee_plain_needs(const struct voice_set *voice_set, unsigned *needs)
{
    for (uint32_t v = 0; v < voices_used(voice_set); v++)
        needs[v] |= EVIDENCE_MARGINALS | (voice_set->draws ? EVIDENCE_FIX : 0);
}

/* ---- With the text ---- */

bool committee_text(struct workspace *s, double *called, struct vouch_error *err)
{
    struct counted_answer answer = {s->names, s->N, s->choice, s->voice_set->rules};
    struct answer_counts elsewhere = *s->text;
    answer_counts_clear(&s->sentence);
    s->sentence.text = elsewhere.text = true;
    if (!answer_counts_add(&s->sentence, &answer, err))
        return false;
    elsewhere.except = &s->sentence;
    answer_counts_signals(&elsewhere, &answer, called, TEXT_SIGNALS);
    return true;
}

void committee_text_row(double p, const double *called, double *row)
{
    row[0] = fine_log_odds(p);
    memcpy(row + 1, called, sizeof *row * TEXT_SIGNALS);
}

/* ---- Signals of heads ---- */

#define LEAST_RIVAL 1e-9 /* the probability of a rival that has none */

/* Finds the likeliest head of word n other than its own; *p becomes its probability. */
static uint32_t find_rival(const struct workspace *s, uint32_t n, double *p)
{
    const struct evidence *e = &s->evidence[0];
    uint32_t rival = 0;
    *p = -1;
    for (uint32_t y = 0; y < e->options; y++)
        if (y != s->choice[n] && y != n + 1 && evidence_marginal(e, n, y) > *p) {
            *p = evidence_marginal(e, n, y);
            rival = y;
        }
    return rival;
}

/* Whether two arcs cross: of their four ends, in order, every other one is the same arc's. */
static bool cross(uint32_t a, uint32_t b, uint32_t c, uint32_t d)
{
    uint32_t from = a < b ? a : b, to = a < b ? b : a, low = c < d ? c : d, high = c < d ? d : c;
    return (from < low && low < to && to < high) || (low < from && from < high && high < to);
}

/*
 * Adds the arc's length, the number of arcs that it crosses, and how sure the arcs beside it are: of the head, of
 * dependents, of siblings.
 */
static double *add_tree_signals(const struct workspace *s, uint32_t n, const double *odds, size_t stride, double *x)
{
    uint32_t head = s->choice[n], crossed = 0, dependents = 0;
    double surest = fine_log_odds(1), dependent = surest, sibling = surest;
    for (uint32_t m = 0; m < s->N; m++) {
        crossed += cross(head, n + 1, s->choice[m], m + 1);
        if (s->choice[m] == n + 1) {
            dependents++;
            dependent = fmin(dependent, odds[m * stride]);
        } else if (m != n && s->choice[m] == head)
            sibling = fmin(sibling, odds[m * stride]);
    }
    *x++ = head ? (double)head - (double)(n + 1) : 0;
    *x++ = crossed;
    *x++ = head ? odds[(head - 1) * stride] : surest;
    *x++ = dependents;
    *x++ = dependent;
    *x++ = sibling;
    return x;
}

/* What is looked up for a word: the contexts of its arc, and of the arc to its likeliest other head. */
struct lookup {
    uint32_t rival;
    double p; /* of the rival */
    struct context_hashes own, other;
};

static void look_up(const struct workspace *s, uint32_t n, struct lookup *lookup)
{
    struct counted_answer answer = {s->names, s->N, s->choice, NULL};
    lookup->rival = find_rival(s, n, &lookup->p);
    answer_counts_find_contexts(s->voice_set->counts, &answer, n, s->choice[n], &lookup->own);
    answer_counts_find_contexts(s->voice_set->counts, &answer, n, lookup->rival, &lookup->other);
}

static void tell_arc(const struct workspace *s, uint32_t n, const struct lookup *lookup, const double *odds,
                     size_t stride, double *x)
{
    struct context_signals own = answer_counts_contexts(s->voice_set->counts, &lookup->own);
    struct context_signals other = answer_counts_contexts(s->voice_set->counts, &lookup->other);
    x = add_tree_signals(s, n, odds, stride, x);
    *x++ = fine_log_odds(fmax(lookup->p, LEAST_RIVAL));
    *x++ = lookup->rival ? (double)lookup->rival - (double)s->choice[n] : 0;
    x[0] = 1.0 + own.times[CONTEXT_GRANDPARENT];
    x[1] = 1.0 + own.times[CONTEXT_LEMMA];
    x[2] = 1.0 + own.times[CONTEXT_WORD_GRANDPARENT];
    for (uint32_t c = 0; c < TREE_CONTEXTS; c++) {
        x[TREE_SEEN + 2 * c] = own.odds[c];
        x[TREE_SEEN + 2 * c + 1] = other.odds[c];
    }
    log_all(x, TREE_SEEN + 2 * TREE_CONTEXTS);
}

void tree_signals(const struct workspace *s, const double *odds, size_t stride, double *signal)
{
    struct lookup lookup[2]; /* of this word, and of the next, whose slots are prefetched */
    for (uint32_t n = 0; n <= s->N; n++) {
        if (n < s->N)
            look_up(s, n, &lookup[n % 2]);
        if (n > 0)
            tell_arc(s, n - 1, &lookup[(n - 1) % 2], odds, stride, signal + (n - 1) * stride);
    }
}
