/*
 * Tests the methods of confidence against their formulas, by listing every
 * answer of short sentences: labellings and one-root trees.
 */
#include "method_worlds.h"
#include "test.h"

FILE_FIXTURE(make_noise, drop_noise);

/* Whether two choices count as different: those of trees by their heads. */
static bool other(const struct world *w, uint32_t a, uint32_t b)
{
    return w->shape.tree ? a / w->shape.width != b / w->shape.width : a != b;
}

static bool same_answer(const struct world *w, const uint32_t *a, const uint32_t *b)
{
    return memcmp(a, b, sizeof *a * w->shape.N) == 0;
}

/* Runs `check` on worlds of all shapes. */
static void in_many_worlds(enum weights weights, uint32_t rounds, void (*check)(struct world *w, struct rng *rng))
{
    for (uint32_t round = 0; round < rounds; round++) {
        struct rng rng = rng_new(round, weights);
        struct world *w = world_new(random_shape(&rng, weights), &rng, noise);
        check(w, &rng);
        world_free(w);
    }
}

/* Returns how far the voice's choice at a word is ahead of all other choices there. */
static double lead(const struct world *w, uint32_t v, uint32_t word, uint32_t choice)
{
    double best = -INFINITY;
    for (uint32_t i = 0; i < w->answers; i++)
        if (other(w, w->all[i].choice[word], choice))
            best = fmax(best, w->all[i].score[v]);
    return best_score(w, v) - best;
}

static void check_margins(struct world *w, struct rng *rng)
{
    (void)rng;
    double got[LONGEST];
    MUST(world_ask(w, delta_method.needs, &err));
    for (uint32_t v = 0; v < 2; v++) {
        const struct evidence *e = evidence_of(w, v);
        must_be_near(e->best_score, best_score(w, v), 0, "the best score");
        must_be_near(world_score(w, w->mean[v], e->best), e->best_score, 0, "the score of the best");
        delta_method.words(&delta_method, e, got);
        for (uint32_t n = 0; n < w->shape.N; n++) {
            double ahead = lead(w, v, n, e->best[n]);
            bool differs = e->best[n] != w->workspace.choice[n];
            must_be_near(got[n], differs ? -ahead : ahead, 0, "a margin");
            assert_true(v > 0 || got[n] >= 0);
        }
    }
}

TEST(delta_is_the_lead_over_other_choices)
{
    in_many_worlds(PLAIN, ROUNDS, check_margins);
    in_many_worlds(TIED, ROUNDS, check_margins);
}

/* Probabilities. */

/* Sum of exp(c * score) over the answers with `choice` at `word` (all words: N), divided by that over all. */
static double probability(const struct world *w, uint32_t v, uint32_t word, const uint32_t *choice)
{
    double c = w->voice_set.voice[v].params.c, top = best_score(w, v), with = 0, all = 0;
    for (uint32_t i = 0; i < w->answers; i++) {
        const struct listed *one = &w->all[i];
        double weight = exp(c * (one->score[v] - top));
        bool agrees = word < w->shape.N ? one->choice[word] == choice[word] : same_answer(w, one->choice, choice);
        with += agrees ? weight : 0;
        all += weight;
    }
    return with / all;
}

static void check_probabilities(struct world *w, struct rng *rng)
{
    (void)rng;
    double got[LONGEST];
    uint32_t N = w->shape.N;
    MUST(world_ask(w, gamma_method.needs, &err));
    for (uint32_t v = 0; v < 2; v++) {
        gamma_method.words(&gamma_method, evidence_of(w, v), got);
        for (uint32_t n = 0; n < N; n++) {
            must_be_near(got[n], probability(w, v, n, w->workspace.choice), 1e-5, "a marginal");
            assert_true(got[n] >= 0 && got[n] <= 1);
        }
        double whole = gamma_method.whole(&gamma_method, evidence_of(w, v));
        must_be_near(whole, probability(w, v, N, w->workspace.choice), 1e-5, "an answer's probability");
        assert_true(whole >= 0 && whole <= 1);
    }
}

TEST(gamma_is_the_probability_of_the_answer)
{
    in_many_worlds(PLAIN, ROUNDS, check_probabilities);
    in_many_worlds(TIED, ROUNDS, check_probabilities);
}

static void check_all_marginals(struct world *w, struct rng *rng)
{
    (void)rng;
    MUST(world_ask(w, gamma_method.needs, &err));
    uint32_t options = w->shape.tree ? (w->shape.N + 1) * w->shape.width : w->shape.width;
    for (uint32_t n = 0; n < w->shape.N; n++)
        for (uint32_t y = 0; y < options; y++) {
            uint32_t choice[LONGEST] = {0};
            choice[n] = y;
            if (!w->shape.tree || y / w->shape.width != n + 1)
                must_be_near(evidence_marginal(evidence_of(w, 1), n, y), probability(w, 1, n, choice), 1e-5,
                             "a marginal");
        }
}

TEST(marginals_are_those_of_every_choice)
{
    in_many_worlds(PLAIN, 100, check_all_marginals);
}

/* The K best. */

static const struct world *sorted_world; /* of the comparison below */

static uint32_t sorted_voice;

static int by_score(const void *left, const void *right)
{
    double a = sorted_world->all[*(const uint32_t *)left].score[sorted_voice];
    double b = sorted_world->all[*(const uint32_t *)right].score[sorted_voice];
    return (a < b) - (a > b);
}

/* Of the answers with the same heads only the best counts. */
static bool best_of_its_heads(const struct world *w, uint32_t v, uint32_t i)
{
    bool alike = true;
    for (uint32_t j = 0; j < w->answers; j++, alike = true) {
        for (uint32_t n = 0; n < w->shape.N; n++)
            alike &= !other(w, w->all[i].choice[n], w->all[j].choice[n]);
        if (alike && w->all[j].score[v] > w->all[i].score[v])
            return false;
    }
    return true;
}

static uint32_t sort_answers(const struct world *w, uint32_t v, uint32_t *order)
{
    uint32_t count = 0;
    for (uint32_t i = 0; i < w->answers; i++)
        if (!w->shape.tree || w->shape.width == 1 || best_of_its_heads(w, v, i))
            order[count++] = i;
    sorted_world = w;
    sorted_voice = v;
    qsort(order, count, sizeof *order, by_score);
    return count;
}

static bool agrees(const struct world *w, const uint32_t *choice, uint32_t word)
{
    return word < w->shape.N ? choice[word] == w->workspace.choice[word] : same_answer(w, choice, w->workspace.choice);
}

/* Share of the first `count` answers of `order`, weighted by their scores or not. */
static double share(const struct world *w, uint32_t v, const uint32_t *order, uint32_t count, uint32_t word,
                    bool weighted)
{
    double with = 0, all = 0;
    for (uint32_t i = 0; i < count; i++) {
        const struct listed *one = &w->all[order[i]];
        double weight = weighted ? fmax(0, one->score[v]) : 1;
        with += agrees(w, one->choice, word) ? weight : 0;
        all += weight;
    }
    return all > 0 ? with / all : share(w, v, order, count, word, false);
}

static uint32_t kbest_checked;

/* Each of the two looks at as many of the best answers as it is to: count[0] for kb, count[1] for wkb. */
static void check_shares(const struct world *w, uint32_t v, const uint32_t *order, const uint32_t count[2])
{
    const struct method *each[] = {&kb_method, &wkb_method};
    double got[LONGEST];
    for (int m = 0; m < 2; m++) {
        each[m]->words(each[m], evidence_of(w, v), got);
        for (uint32_t n = 0; n < w->shape.N; n++)
            must_be_near(got[n], share(w, v, order, count[m], n, m == 1), 1e-9, each[m]->name);
        double whole = each[m]->whole(each[m], evidence_of(w, v));
        must_be_near(whole, share(w, v, order, count[m], w->shape.N, m == 1), 1e-9, each[m]->name);
    }
}

static void check_kbest(struct world *w, struct rng *rng)
{
    uint32_t order[MOST_ANSWERS];
    for (uint32_t v = 0; v < 2; v++)
        w->voice_set.voice[v].params.weighted = rng_below(rng, 13); /* 0: as many as kb */
    MUST(world_ask(w, kb_method.needs | wkb_method.needs, &err));
    for (uint32_t v = 0; v < 2; v++) {
        const struct method_params *params = &evidence_of(w, v)->voice->params;
        uint32_t there = sort_answers(w, v, order), own[2] = {params->best, params->weighted}, count = 0;
        bool clear = true; /* only if the last one is clearly better than the next is it clear which are among them */
        own[1] = own[1] ? own[1] : own[0];
        for (int m = 0; m < 2; m++) {
            own[m] = own[m] < there ? own[m] : there;
            count = own[m] > count ? own[m] : count;
            clear = clear && (own[m] == there || w->all[order[own[m] - 1]].score[v] > w->all[order[own[m]]].score[v]);
        }
        const struct answers *best = &evidence_of(w, v)->kbest;
        assert_int_equal(best->count, count);
        for (uint32_t k = 0; k < count; k++) {
            const uint32_t *choice = best->choice + k * w->shape.N;
            must_be_near(world_score(w, w->mean[v], choice), w->all[order[k]].score[v], 0, "the score of the k-th");
            for (uint32_t j = 0; j < k; j++)
                assert_false(same_answer(w, choice, best->choice + j * w->shape.N));
        }
        if (clear) {
            check_shares(w, v, order, own);
            kbest_checked++;
        }
    }
}

TEST(kb_and_wkb_are_shares_of_the_best_answers)
{
    kbest_checked = 0;
    in_many_worlds(PLAIN, ROUNDS, check_kbest);
    assert_true(kbest_checked > ROUNDS);
}

/* All scores below zero weigh nothing, and wkb is kb. */
static void check_negative_scores(struct world *w, struct rng *rng)
{
    (void)rng;
    double kb[LONGEST], wkb[LONGEST];
    for (uint32_t v = 0; v < 2; v++)
        for (size_t i = 0; i < space_size(&w->space); i++)
            w->mean[v][i] = -fabsf(w->mean[v][i]) - 1;
    MUST(world_ask(w, kb_method.needs, &err));
    for (uint32_t v = 0; v < 2; v++) {
        kb_method.words(&kb_method, evidence_of(w, v), kb);
        wkb_method.words(&wkb_method, evidence_of(w, v), wkb);
        for (uint32_t n = 0; n < w->shape.N; n++)
            must_be_near(wkb[n], kb[n], 1e-12, "wkb of scores below zero");
        must_be_near(wkb_method.whole(&wkb_method, evidence_of(w, v)), kb_method.whole(&kb_method, evidence_of(w, v)),
                     1e-12, "wkb of a sentence");
    }
}

TEST(wkb_without_a_score_above_zero_is_kb)
{
    in_many_worlds(PLAIN, 100, check_negative_scores);
}

/* Draws. */

static void check_no_variance(struct world *w, struct rng *rng)
{
    (void)rng;
    const struct method *each[] = {&kd_fix_method, &kd_pc_method};
    double got[LONGEST];
    for (uint32_t v = 0; v < 2; v++)
        w->voice_set.voice[v].params.fix = w->voice_set.voice[v].params.pc = 0;
    MUST(world_ask(w, EVIDENCE_FIX | EVIDENCE_PC, &err));
    for (int m = 0; m < 2; m++)
        for (uint32_t v = 0; v < 2; v++) {
            each[m]->words(each[m], evidence_of(w, v), got);
            for (uint32_t n = 0; n < w->shape.N; n++)
                assert_true(got[n] == (evidence_of(w, v)->best[n] == w->workspace.choice[n]));
            bool same = same_answer(w, evidence_of(w, v)->best, w->workspace.choice);
            assert_true(each[m]->whole(each[m], evidence_of(w, v)) == same);
        }
}

TEST(draws_without_variance_all_agree)
{
    in_many_worlds(PLAIN, ROUNDS, check_no_variance);
}

/* The weights of draw k, by definition. */
static void draw_block(struct world *w, uint32_t v, bool pc, size_t at, size_t size, uint64_t feature, uint32_t k,
                       float *drawn)
{
    const struct voice_view *x = &w->voice_set.voice[v];
    struct drawing drawing = voice_drawing(x, &w->parts, &evidence_of(w, v)->scores, pc);
    bool learned = false;
    for (size_t j = 0; j < size; j++)
        learned |= x->mean[at + j] != 0;
    for (size_t j = 0; j < size; j++) {
        double sd = pc ? sqrt(x->params.pc * (double)x->var[at + j]) : sqrt(x->params.fix);
        double z = noise_at(&drawing, feature, (uint32_t)j, k) / 128.0;
        drawn[at + j] = (float)(x->mean[at + j] + (learned ? sd * z : 0));
    }
}

static void draw_model(struct world *w, uint32_t v, bool pc, uint32_t k, float *drawn)
{
    size_t width = w->space.width;
    for (uint32_t f = 0; f < w->space.nodes; f++)
        draw_block(w, v, pc, space_node(&w->space, f), width, f, k, drawn);
    for (uint32_t f = 0; f < w->space.edges; f++)
        draw_block(w, v, pc, space_edge(&w->space, f), width * width, w->space.nodes + f, k, drawn);
}

static void check_draws(struct world *w, struct rng *rng)
{
    bool plain = rng_below(rng, 2);
    for (uint32_t v = 0; v < 2; v++) {
        w->voice_set.voice[v].params.draws = 3;
        w->voice_set.voice[v].params.plain = plain;
    }
    MUST(world_ask(w, EVIDENCE_FIX | EVIDENCE_PC, &err));
    float *drawn = calloc(space_size(&w->space) + SLACK, sizeof *drawn);
    for (uint32_t v = 0; v < 2; v++)
        for (uint32_t k = 0; k < 6; k++) {
            const struct answers *answers = k < 3 ? &evidence_of(w, v)->fix : &evidence_of(w, v)->pc;
            assert_int_equal(answers->count, 3);
            assert_null(answers->weight);
            draw_model(w, v, k >= 3, k % 3, drawn);
            double best = -INFINITY;
            for (uint32_t i = 0; i < w->answers; i++)
                best = fmax(best, world_score(w, drawn, w->all[i].choice));
            must_be_near(world_score(w, drawn, answers->choice + k % 3 * w->shape.N), best, 1e-4, "a drawn answer");
        }
    free(drawn);
}

TEST(draws_are_the_best_answers_of_drawn_models)
{
    in_many_worlds(PLAIN, 60, check_draws);
}

/* Votes are counted; numbers with the margin rank by votes first, then by margin. */
static void check_ranking(const struct world *w, uint32_t v, const struct method *votes, const struct method *both)
{
    double vote[LONGEST], number[LONGEST], margin[LONGEST], share[LONGEST];
    uint32_t N = w->shape.N, K = evidence_of(w, v)->voice->params.draws;
    const struct answers ballot = answers_of(votes, evidence_of(w, v));
    votes->words(votes, evidence_of(w, v), vote);
    both->words(both, evidence_of(w, v), number);
    delta_method.words(&delta_method, evidence_of(w, v), margin);
    assert_int_equal(ballot.count, K);
    for (uint32_t n = 0; n < N; n++) {
        uint32_t count = 0;
        for (uint32_t k = 0; k < K; k++)
            count += ballot.choice[k * N + n] == w->workspace.choice[n];
        double limit = ballot.limit ? ballot.limit[n] : 0, weight = ballot.limit ? 50 : 0;
        must_be_near(vote[n], (count + weight * limit) / (K + weight), 1e-12, votes->name);
        share[n] = count;
        assert_true(number[n] >= 0 && number[n] <= 1);
        if (margin[n] >= 0)
            must_be_near(number[n], (count + (isinf(margin[n]) ? 1 : margin[n] / (1 + margin[n]))) / (K + 1), 1e-12,
                         both->name);
    }
    for (uint32_t a = 0; a < N; a++)
        for (uint32_t b = 0; b < N; b++) {
            assert_true(share[a] <= share[b] || number[a] > number[b]);
            if (share[a] == share[b] && margin[a] > margin[b] && margin[b] >= 0)
                assert_true(number[a] > number[b]);
            if (share[a] == share[b] && margin[a] > margin[b])
                assert_true(number[a] >= number[b]);
        }
}

static void check_votes(struct world *w, struct rng *rng)
{
    for (uint32_t v = 0; v < 2; v++)
        w->voice_set.voice[v].params.fix = w->voice_set.voice[v].params.pc = rng_below(rng, 2) ? 100 : 0.1;
    MUST(world_ask(w, EVERYTHING, &err));
    for (uint32_t v = 0; v < 2; v++) {
        check_ranking(w, v, &kd_fix_method, &kd_fix_delta_method);
        check_ranking(w, v, &kd_pc_method, &kd_pc_delta_method);
    }
}

TEST(votes_rank_first_and_margins_break_their_ties)
{
    in_many_worlds(PLAIN, ROUNDS, check_votes);
    in_many_worlds(TIED, ROUNDS, check_votes);
}

/* Collects the numbers of every method in a world, in a workspace that may have seen others. */
static void say_all(struct world *w, struct workspace *workspace, double *said)
{
    unsigned needs[MAX_VOICE_VIEWS] = {EVERYTHING, EVERYTHING};
    MUST(voice_set_open(&w->voice_set, workspace, &w->parts, needs, &err));
    MUST(voice_set_gather(workspace, &w->parts, needs, &err));
    for (uint32_t v = 0; v < 2; v++)
        for (const struct method *const *m = methods; *m; m++, said += LONGEST + 1) {
            (*m)->words(*m, &workspace->evidence[v], said);
            said[LONGEST] = (*m)->whole ? (*m)->whole(*m, &workspace->evidence[v]) : 0;
        }
}

TEST(what_is_said_does_not_depend_on_what_was_seen_before)
{
    enum { WORLDS = 6, SAID = 2 * 16 * (LONGEST + 1) };
    static double forth[WORLDS][SAID], back[WORLDS][SAID], alone[SAID];
    struct world *w[WORLDS];
    struct workspace workspace = {0}, reversed = {0};
    struct rng rng = rng_new(3, 3);
    for (int i = 0; i < WORLDS; i++)
        w[i] = world_new(random_shape(&rng, PLAIN), &rng, noise);
    for (int i = 0; i < WORLDS; i++)
        say_all(w[i], &workspace, forth[i]);
    for (int i = WORLDS; i-- > 0;)
        say_all(w[i], &reversed, back[i]);
    for (int i = 0; i < WORLDS; i++) {
        memset(alone, 0, sizeof alone);
        say_all(w[i], &w[i]->workspace, alone);
        assert_memory_equal(forth[i], alone, sizeof alone);
        assert_memory_equal(back[i], alone, sizeof alone);
        world_free(w[i]);
    }
    workspace_release(&workspace);
    workspace_release(&reversed);
}

/* Of every method. */

static void check_ranges(struct world *w, struct rng *rng)
{
    (void)rng;
    MUST(world_ask(w, EVERYTHING, &err));
    for (uint32_t v = 0; v < 2; v++)
        for (const struct method *const *m = methods; *m; m++) {
            double got[LONGEST + 1];
            got[w->shape.N] = -7;
            (*m)->words(*m, evidence_of(w, v), got);
            assert_true(got[w->shape.N] == -7);
            for (uint32_t n = 0; n < w->shape.N; n++) {
                bool fine = (*m)->bounded ? got[n] >= 0 && got[n] <= 1 : v > 0 ? !isnan(got[n]) : got[n] >= 0;
                if (!fine)
                    fail_msg("%s says %g", (*m)->name, got[n]);
            }
            double whole = (*m)->whole ? (*m)->whole(*m, evidence_of(w, v)) : 1;
            assert_true(whole >= 0 && whole <= 1);
        }
}

TEST(every_number_is_in_its_range)
{
    for (enum weights weights = PLAIN; weights < WEIGHTS; weights++)
        in_many_worlds(weights, ROUNDS, check_ranges);
}

/* One word with one choice is certain by every method. */
TEST(where_there_is_no_choice_all_are_certain)
{
    struct rng rng = rng_new(1, 1);
    const struct shape each[] = {{true, 1, 1, PLAIN, 2}, {false, 1, 1, PLAIN, 2}, {false, 4, 1, PLAIN, 2}};
    for (int i = 0; i < 3; i++) {
        struct world *w = world_new(each[i], &rng, noise);
        MUST(world_ask(w, EVERYTHING, &err));
        for (uint32_t v = 0; v < 2; v++)
            for (const struct method *const *m = methods; *m; m++) {
                double got[LONGEST];
                (*m)->words(*m, evidence_of(w, v), got);
                for (uint32_t n = 0; n < w->shape.N; n++) {
                    assert_true(evidence_of(w, v)->forced[n]);
                    if (*m != &random_method)
                        must_be_near(got[n], (*m)->bounded ? 1 : INFINITY, 1e-6, (*m)->name);
                }
                if ((*m)->whole)
                    must_be_near((*m)->whole(*m, evidence_of(w, v)), 1, 1e-6, (*m)->name);
            }
        world_free(w);
    }
}

static void check_forced(struct world *w, struct rng *rng)
{
    (void)rng;
    MUST(world_ask(w, EVERYTHING, &err));
    for (uint32_t n = 0; n < w->shape.N && w->shape.width * w->shape.tree <= 1; n++) {
        bool forced = true;
        for (uint32_t i = 0; i < w->answers; i++)
            forced &= w->all[i].choice[n] == w->all[0].choice[n];
        assert_int_equal(evidence_of(w, 0)->forced[n], forced);
    }
}

TEST(forced_words_are_known)
{
    in_many_worlds(PLAIN, 100, check_forced);
}

TEST(luck_is_fair_and_repeatable)
{
    double sum = 0;
    uint32_t count = 0;
    for (uint32_t round = 0; round < 400; round++) {
        struct rng rng = rng_new(round, 9);
        struct world *w = world_new((struct shape){false, LONGEST, 2, PLAIN, 1}, &rng, noise);
        double once[LONGEST], again[LONGEST];
        MUST(world_ask(w, random_method.needs ? random_method.needs : EVIDENCE_MARGIN, &err));
        random_method.words(&random_method, evidence_of(w, 0), once);
        MUST(world_ask(w, EVERYTHING, &err));
        random_method.words(&random_method, evidence_of(w, 0), again);
        assert_memory_equal(once, again, sizeof once);
        for (uint32_t n = 0; n < LONGEST; n++, count++) {
            assert_true(once[n] >= 0 && once[n] < 1);
            sum += once[n];
        }
        world_free(w);
    }
    assert_true(fabs(sum / count - 0.5) < 0.03); /* five standard errors */
}

TEST(methods_are_found_by_name)
{
    for (const struct method *const *m = methods; *m; m++) {
        assert_ptr_equal(method_find((*m)->name, strlen((*m)->name)), *m);
        assert_null(method_find((*m)->name, strlen((*m)->name) - 1) == *m ? *m : NULL);
        assert_true((*m)->summary && (*m)->formula && (*m)->cost && (*m)->use && (*m)->params);
    }
    assert_ptr_equal(method_find("gamma@crf", 5), &gamma_method);
    assert_null(method_find("", 0));
    assert_null(method_find("Gamma", 5));
    assert_null(method_find("gammas", 6));
}

TEST(the_smallest_of_nothing_is_one)
{
    const double some[] = {0.5, 0.25, 0.75, INFINITY};
    assert_true(smallest(some, 2, 2) == 1);
    assert_true(smallest(some, 0, 4) == 0.25);
    assert_true(smallest(some, 2, 4) == 0.75);
    assert_true(isinf(smallest(some, 3, 4)));
}
