/*
 * Takes in scores from elsewhere: see score_files.h.
 *
 * A score is finite and not beyond LARGEST, so that sums over the longest
 * sentence stay finite in float, or -inf: impossible. Cost: a copy.
 */
#include "scores/score_files.h"

#include "tree/tree.h"

#include <math.h>

#define LARGEST 1e30f

enum { MOST_WORDS = 1 << 20, MOST_SCORES = 1 << 28 };

struct score_rules score_rules_of(const struct vouch_model *model)
{
    return (struct score_rules){.sets = model->layer[0].voice[0].sets,
                                .labels = model_word_labels(model),
                                .transitions = model->transitions.allowed ? &model->transitions : NULL};
}

/* Whether a score is -inf, or finite and not too large. */
static bool is_score(float x)
{
    return fabsf(x) <= LARGEST || x == -INFINITY;
}

/* The place of a score, for messages; numbers are from 0. */
struct place {
    size_t set, word;
};

static bool refuse(const struct score_rules *rules, struct place at, const char *what, float x, struct vouch_error *err)
{
    char set[40] = "";
    if (rules->sets > 1)
        snprintf(set, sizeof set, "set %zu, ", at.set + 1);
    return fail(err, VOUCH_ERR_ARGUMENT, "%sword %zu, %s: expected -inf or a score between -1e30 and 1e30, found %g",
                set, at.word + 1, what, (double)x);
}

static bool copy_nodes(const struct score_rules *rules, size_t set, const float *from, struct scores *to,
                       struct vouch_error *err)
{
    size_t Y = to->width;
    for (size_t i = 0; i < to->N * Y; i++) {
        if (!is_score(from[i])) {
            struct text name = labels_name(rules->labels, (uint32_t)(i % Y));
            char what[80];
            snprintf(what, sizeof what, "label %.*s", (int)(name.length < 60 ? name.length : 60), name.at);
            return refuse(rules, (struct place){set, i / Y}, what, from[i], err);
        }
        to->node[i] = from[i];
    }
    return true;
}

/* Copies edge blocks: block e scores the step to word e + 1; a single block, that to every word. */
static bool copy_edges(const struct score_rules *rules, size_t set, const float *from, struct scores *to,
                       struct vouch_error *err)
{
    size_t Y = to->width;
    for (size_t i = 0; i < to->E * Y * Y; i++) {
        if (from && !is_score(from[i])) {
            struct text left = labels_name(rules->labels, (uint32_t)(i / Y % Y)),
                        right = labels_name(rules->labels, (uint32_t)(i % Y));
            char what[160];
            snprintf(what, sizeof what, "label %.*s behind %.*s", (int)(right.length < 60 ? right.length : 60),
                     right.at, (int)(left.length < 60 ? left.length : 60), left.at);
            return refuse(rules, (struct place){set, i / (Y * Y) + 1}, what, from[i], err);
        }
        to->edge[i] = from ? from[i] : 0;
    }
    return true;
}

/* Fails if a word has no possible choice among its `options`. */
static bool check_words(const struct score_sets *scores, size_t options, const char *what, struct vouch_error *err)
{
    const struct scores *mean = &scores->mean;
    for (size_t n = 0; n < mean->N; n++) {
        const float *node = mean->node + n * options;
        size_t y = 0;
        while (y < options && node[y] == -INFINITY)
            y++;
        if (y == options)
            return fail(err, VOUCH_ERR_ARGUMENT, "word %zu: expected at least one %s that is possible%s, found -inf",
                        n + 1, what, scores->sets > 1 ? " in all sets" : "");
    }
    return true;
}

static bool check_sets(const struct score_rules *rules, size_t sets, struct vouch_error *err)
{
    return sets == rules->sets || fail(err, VOUCH_ERR_ARGUMENT, "expected %u set%s of scores, found %zu",
                                       (unsigned)rules->sets, rules->sets == 1 ? "" : "s", sets);
}

/* Finds the number of edge blocks. */
static bool check_chain(const struct vouch_chain_scores *from, const struct score_rules *rules, uint32_t *E,
                        struct vouch_error *err)
{
    size_t Y = labels_count(rules->labels), N = from->words;
    bool per_word = from->edge_per_word && (from->edge || N < 2);
    if (from->labels != Y)
        return fail(err, VOUCH_ERR_ARGUMENT, "expected scores of %zu labels, found %zu", Y, from->labels);
    if (N > MOST_WORDS || N * Y > MOST_SCORES || (per_word && N * Y * Y > MOST_SCORES))
        return fail(err, VOUCH_ERR_ARGUMENT, "expected at most 2^20 words and 2^28 scores in a set");
    if (N && !from->node)
        return fail(err, VOUCH_ERR_ARGUMENT, "expected scores of %zu words, found none", N);
    if (from->edge_per_word && !per_word)
        return fail(err, VOUCH_ERR_ARGUMENT, "expected edges for every pair of neighbours, found none");
    *E = per_word ? (N > 1 ? (uint32_t)N - 1 : 0) : from->edge || rules->transitions ? 1 : 0;
    return check_sets(rules, from->sets, err);
}

bool score_input_chain(struct score_sets *to, const struct vouch_chain_scores *from, const struct score_rules *rules,
                       struct vouch_error *err)
{
    uint32_t E = 0, N = (uint32_t)from->words, Y = (uint32_t)from->labels;
    if (!check_chain(from, rules, &E, err) || !score_sets_shape(to, N, N, Y, E, err))
        return false;
    for (uint32_t k = 0; k < rules->sets; k++) {
        struct scores *set = score_sets_at(to, k);
        if (!copy_nodes(rules, k, from->node + (size_t)k * N * Y, set, err) ||
            !copy_edges(rules, k, from->edge ? from->edge + (size_t)k * E * Y * Y : NULL, set, err))
            return false;
        if (rules->transitions)
            transitions_rule_out(rules->transitions, set);
    }
    score_sets_average(to);
    return check_words(to, Y, "label", err);
}

/* Copies arc[head][modifier] into one row of heads for each word. */
static bool copy_arcs(const struct score_rules *rules, size_t set, const float *arc, struct scores *to,
                      struct vouch_error *err)
{
    size_t N = to->N, nodes = N + 1;
    for (uint32_t m = 0; m < N; m++)
        for (uint32_t h = 0; h <= N; h++) {
            bool self = h == m + 1;
            float x = self ? -INFINITY : arc[h * nodes + m + 1];
            if (!is_score(x)) {
                char what[40];
                snprintf(what, sizeof what, "head %u", (unsigned)h);
                return refuse(rules, (struct place){set, m}, what, x, err);
            }
            to->node[tree_group(to->N, m, h)] = x;
        }
    return true;
}

bool score_input_tree(struct score_sets *to, const struct vouch_tree_scores *from, const struct score_rules *rules,
                      struct vouch_error *err)
{
    size_t N = from->words, nodes = N + 1;
    if (N > MOST_WORDS || N * nodes > MOST_SCORES)
        return fail(err, VOUCH_ERR_ARGUMENT, "expected at most 2^28 arcs in a set, found a sentence of %zu words", N);
    if (N && !from->arc)
        return fail(err, VOUCH_ERR_ARGUMENT, "expected scores of %zu words, found none", N);
    if (!check_sets(rules, from->sets, err) || !score_sets_shape(to, (uint32_t)N, (uint32_t)(N * nodes), 1, 0, err))
        return false;
    for (uint32_t k = 0; k < rules->sets; k++)
        if (!copy_arcs(rules, k, N ? from->arc + k * nodes * nodes : NULL, score_sets_at(to, k), err))
            return false;
    score_sets_average(to);
    return check_words(to, nodes, "head", err);
}
