/*
 * Learns from sentences that are labelled in part. Let D be all answers that agree with what was decided: a decided
 * word has its label or head there, an open one any.
 *
 * Log-likelihood learns from the probability of D, the marginal likelihood of incomplete annotations (Tsuboi et al.
 * 2008). Its gradient needs two runs of the same algorithm:
 *
 *     log p(D) = log sum_{y in D} exp(score(y)) - log Z
 *     g        = E[phi(x, y) | y in D] - E[phi(x, y)]
 *
 * With everything decided, D is gold alone, and this is the gradient of log_likelihood.c. With nothing decided it is
 * zero.
 *
 * The other learners take the best answer of D under the current weights for gold, as the latent structured perceptron
 * does (Sun et al. 2009; Fernandes and Brefeld 2011). An answer that agrees with all decisions is right, and only
 * decided words can be wrong: if the best of all answers is in D, it is the best of D, and nothing is to be learned.
 *
 * Scores that rule out all but D are the sentence's own with -inf for what a decided word does not have: then
 * forward-backward, the matrix-tree theorem, Viterbi and Chu-Liu-Edmonds give all of the above, and no decoder needs to
 * know of decisions. D is never empty: labels may follow each other in any order, and heads without a cycle and with
 * at most one root can be completed to a tree with one root.
 *
 * Cost: twice that of a sentence that is wholly labelled; a decided root may need marginals by logarithms.
 */
#include "learn/sentence_loop.h"

bool scores_that_agree(const struct scores *scores, const uint32_t *gold, struct scores *agreeing,
                       struct vouch_error *err)
{
    if (!scores_copy(agreeing, scores, err))
        return false;
    scores_rule_out(agreeing, gold);
    return true;
}

uint32_t wrong_decided(const uint32_t *gold, const uint32_t *choice, uint32_t N)
{
    uint32_t wrong = 0;
    for (uint32_t n = 0; n < N; n++)
        wrong += gold[n] != OPEN_CHOICE && gold[n] != choice[n];
    return wrong;
}

const uint32_t *learning_target(struct sentence_loop *loop, const struct example *example, struct vouch_error *err)
{
    double score;
    if (!example_open(loop->examples, example))
        return example->gold;
    bool ok = ARENA_ARRAY(loop->target, example->parts.N, &loop->arena, err) &&
              scores_that_agree(&loop->scores, example->gold, &loop->agreeing, err) &&
              loop->examples->structure->best(&loop->agreeing, &loop->decoding, loop->target, &score, err);
    return ok ? loop->target : NULL;
}

bool add_expected_of_agreeing(struct sentence_loop *loop, const struct example *example, double *log_z,
                              struct vouch_error *err)
{
    struct scores *expected = &loop->expected, *to = &loop->coefficient;
    if (!scores_that_agree(&loop->scores, example->gold, &loop->agreeing, err) ||
        !loop->examples->structure->marginals(&loop->agreeing, 1, &loop->decoding, expected, log_z, err))
        return false;
    size_t nodes = (size_t)to->G * to->width, edges = (size_t)to->E * to->width * to->width;
    for (size_t i = 0; i < nodes; i++)
        to->node[i] += expected->node[i];
    for (size_t i = 0; i < edges; i++)
        to->edge[i] += expected->edge[i];
    return true;
}
