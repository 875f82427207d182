/* Tests chunks: how they are read, their probability and votes; and the signals of the committee. */
#include "method_worlds.h"
#include "test.h"

#include "confidence/expected_counts.h"

FILE_FIXTURE(make_noise, drop_noise);

/* The committee. */

enum { CANARY = -12345 };

static void must_fill(const double *signal, size_t count)
{
    for (size_t i = 0; i < count; i++)
        if (!isfinite(signal[i]) || signal[i] == CANARY)
            fail_msg("signal %zu is %g", i, signal[i]);
    assert_true(signal[count] == CANARY);
}

static void ask_methods(struct world *w)
{
    static double signal[LONGEST * MAX_SIGNALS + 1];
    double word[LONGEST + 1];
    size_t room = sizeof signal / sizeof *signal;
    uint32_t words = committee_word_signals(&w->voice_set), whole = committee_sentence_signals(&w->voice_set);
    assert_true(words > 0 && words <= MAX_SIGNALS && whole > 0 && whole <= MAX_SIGNALS);
    for (size_t i = 0; i < room; i++)
        signal[i] = CANARY;
    committee_words(&w->workspace, signal);
    must_fill(signal, (size_t)w->shape.N * words);
    word[w->shape.N] = CANARY;
    committee_plain(&w->workspace, word);
    assert_true(word[w->shape.N] == CANARY);
    for (uint32_t n = 0; n < w->shape.N; n++)
        assert_true(word[n] >= 0 && word[n] <= 1);
    for (size_t i = 0; i < room; i++)
        signal[i] = CANARY;
    committee_sentence(&w->workspace, signal);
    must_fill(signal, whole);
}

TEST(the_committee_writes_what_it_promises)
{
    for (uint32_t round = 0; round < ROUNDS; round++) {
        struct rng rng = rng_new(round, 11);
        struct shape shape = random_shape(&rng, (enum weights)rng_below(&rng, WEIGHTS));
        shape.voices = 1 + rng_below(&rng, WORLD_VOICES);
        struct world *w = world_new(shape, &rng, noise);
        for (uint32_t v = 0; v < shape.voices; v++)
            if (rng_below(&rng, 2))
                w->voice_set.voice[v].var = NULL;
        unsigned needs[MAX_VOICE_VIEWS] = {0};
        committee_needs(&w->voice_set, needs);
        for (uint32_t v = 0; v < shape.voices; v++)
            assert_true(w->voice_set.voice[v].var || !(needs[v] & EVIDENCE_PC));
        MUST(voice_set_open(&w->voice_set, &w->workspace, &w->parts, needs, &err));
        MUST(voice_set_gather(&w->workspace, &w->parts, needs, &err));
        ask_methods(w);
        world_free(w);
    }
}

/* Chunks. */

/* Types are single letters, so that a label is a letter, a dash and a letter. */
static const char *const iob[] = {"O", "B-X", "I-X", "B-Y", "I-Y"};

static const char *const bioes[] = {"O", "B-X", "I-X", "E-X", "S-X", "B-Y", "I-Y", "E-Y", "S-Y"};

struct label_set {
    const char *const *name;
    uint32_t count;
};

static struct span_rules rules_of(struct label_set labels)
{
    struct text text[9];
    struct span_rules rules;
    for (uint32_t y = 0; y < labels.count; y++)
        text[y] = text_of(labels.name[y]);
    MUST(span_rules_init(&rules, text, labels.count, &err));
    return rules;
}

struct chunk {
    uint32_t from, to;
    char type;
};

/* Reads word by word, with the chunk that is open in hand. */
static uint32_t read_chunks(struct label_set labels, const uint32_t *choice, uint32_t N, struct chunk *chunk)
{
    uint32_t count = 0;
    char open = 0;
    for (uint32_t n = 0; n < N; n++) {
        const char *name = labels.name[choice[n]];
        if (*name == 'O') {
            open = 0;
            continue;
        }
        if (*name == 'B' || *name == 'S' || open != name[2])
            chunk[count++] = (struct chunk){n, n, name[2]};
        chunk[count - 1].to = n + 1;
        open = *name == 'E' || *name == 'S' ? 0 : name[2];
    }
    return count;
}

static bool has_chunk(struct label_set labels, const uint32_t *choice, uint32_t N, struct chunk wanted)
{
    struct chunk chunk[16];
    uint32_t count = read_chunks(labels, choice, N, chunk);
    for (uint32_t i = 0; i < count; i++)
        if (chunk[i].from == wanted.from && chunk[i].to == wanted.to && chunk[i].type == wanted.type)
            return true;
    return false;
}

/* Spells `rest` in digits. */
static void spell(uint32_t rest, uint32_t digits, uint32_t N, uint32_t *choice)
{
    for (uint32_t n = 0; n < N; n++, rest /= digits)
        choice[n] = rest % digits;
}

static void check_chunks(struct label_set labels, uint32_t N, uint32_t rounds)
{
    struct span_rules rules = rules_of(labels);
    struct rng rng = rng_new(labels.count, N);
    for (uint32_t round = 0; round < rounds; round++) {
        uint32_t choice[16], near[16], count, from = 0, at = 0;
        struct chunk chunk[16];
        struct extent span;
        spell(rng_next(&rng), labels.count, N, choice);
        for (uint32_t n = 0; n < N; n++)
            near[n] = rng_below(&rng, 4) ? choice[n] : rng_below(&rng, labels.count);
        count = read_chunks(labels, choice, N, chunk);
        for (; span_next(&rules, choice, N, from, &span); at++, from = span.to) {
            assert_true(at < count);
            assert_int_equal(span.from, chunk[at].from);
            assert_int_equal(span.to, chunk[at].to);
            assert_int_equal(span_agrees(&rules, choice, near, N, span), has_chunk(labels, near, N, chunk[at]));
            assert_true(span_agrees(&rules, choice, choice, N, span));
            near[span.from + rng_below(&rng, span.to - span.from)] = UINT32_MAX;
            assert_false(span_agrees(&rules, choice, near, N, span));
            for (uint32_t n = 0; n < N; n++)
                near[n] = choice[n];
        }
        assert_int_equal(at, count);
    }
    span_rules_release(&rules);
}

TEST(chunks_are_read_as_conlleval_reads_them)
{
    for (uint32_t N = 1; N <= 8; N++) {
        check_chunks((struct label_set){iob, 3}, N, 2000);
        check_chunks((struct label_set){iob, 5}, N, 2000);
        check_chunks((struct label_set){bioes, 5}, N, 2000);
        check_chunks((struct label_set){bioes, 9}, N, 2000);
    }
}

/* The next chunk can be asked for from anywhere. */
TEST(the_next_chunk_starts_at_or_after)
{
    struct label_set labels = {iob, 5};
    struct span_rules rules = rules_of(labels);
    const uint32_t choice[] = {1, 2, 0, 1, 1, 2};
    const uint32_t starts[] = {0, 3, 3, 3, 4};
    struct extent span;
    for (uint32_t from = 0; from < 5; from++) {
        assert_true(span_next(&rules, choice, 6, from, &span));
        assert_int_equal(span.from, starts[from]);
    }
    assert_false(span_next(&rules, choice, 6, 5, &span));
    assert_false(span_next(&rules, choice, 6, 6, &span));
    span_rules_release(&rules);
}

static double chunk_probability(const struct world *w, uint32_t v, struct label_set labels, struct chunk chunk)
{
    double c = w->voice_set.voice[v].params.c, top = best_score(w, v), with = 0, all = 0;
    for (uint32_t i = 0; i < w->answers; i++) {
        double weight = exp(c * (w->all[i].score[v] - top));
        with += has_chunk(labels, w->all[i].choice, w->shape.N, chunk) ? weight : 0;
        all += weight;
    }
    return with / all;
}

/* Compares where the chunks of all answers begin with chunk_starts() of the same voice. */
static void must_start(struct world *w, uint32_t v, struct label_set labels, const struct span_rules *rules)
{
    double c = w->voice_set.voice[v].params.c, top = best_score(w, v), all = 0;
    double expected[LONGEST] = {0}, start[LONGEST];
    for (uint32_t i = 0; i < w->answers; i++) {
        double weight = exp(c * (w->all[i].score[v] - top));
        struct chunk chunk[16];
        uint32_t count = read_chunks(labels, w->all[i].choice, w->shape.N, chunk);
        for (uint32_t k = 0; k < count; k++)
            expected[chunk[k].from] += weight;
        all += weight;
    }
    MUST(chunk_starts(&w->workspace.evidence[v], rules, start, &err));
    for (uint32_t n = 0; n < w->shape.N; n++)
        must_be_near(start[n], expected[n] / all, 1e-9, "a chunk's start");
}

static double chunk_share(const struct world *w, const struct answers *answers, struct label_set labels,
                          struct chunk chunk)
{
    double with = 0, all = 0, plain = 0;
    for (uint32_t k = 0; k < answers->count; k++) {
        double weight = answers->weight ? fmax(0, answers->weight[k]) : 1;
        bool has = has_chunk(labels, answers->choice + k * w->shape.N, w->shape.N, chunk);
        with += has ? weight : 0;
        plain += has;
        all += weight;
    }
    return all > 0 ? with / all : plain / answers->count;
}

static double say_span(struct world *w, uint32_t v, const struct method *method, struct chunk chunk)
{
    double got = NAN;
    struct extent span = {chunk.from, chunk.to};
    MUST(method->span(method, &w->workspace.evidence[v], w->voice_set.rules, span, &got, &err));
    return got;
}

/* Checks the same words as a chunk of every other type. */
static void check_readings(struct world *w, uint32_t v, struct label_set labels, struct chunk chunk)
{
    const struct span_rules *rules = w->voice_set.rules;
    struct extent span = {chunk.from, chunk.to};
    for (uint32_t y = 0; y < labels.count; y++) {
        double got = NAN;
        if (rules->type[y] == rules->labels)
            continue;
        chunk.type = labels.name[y][2];
        MUST(marginal_of_chunk(&w->workspace.evidence[v], rules, span, rules->type[y], &got, &err));
        must_be_near(got, chunk_probability(w, v, labels, chunk), 1e-9, "a reading");
    }
}

static void check_chunk(struct world *w, uint32_t v, struct label_set labels, struct chunk chunk)
{
    double margin[LONGEST];
    uint32_t K = w->voice_set.voice[v].params.draws;
    must_be_near(say_span(w, v, &gamma_method, chunk), chunk_probability(w, v, labels, chunk), 1e-9, "gamma");
    check_readings(w, v, labels, chunk);
    const struct method *counting[] = {&kb_method, &wkb_method, &kd_fix_method, &kd_pc_method};
    for (int m = 0; m < 4; m++) {
        struct answers ballot = answers_of(counting[m], evidence_of(w, v));
        double share = chunk_share(w, &ballot, labels, chunk), weight = ballot.limit ? 50 : 0;
        double limit = ballot.limit ? smallest(ballot.limit, chunk.from, chunk.to) : 0;
        must_be_near(say_span(w, v, counting[m], chunk), (share * K + weight * limit) / (K + weight), 1e-9,
                     counting[m]->name);
    }
    struct answers ballot = answers_of(&kd_fix_delta_method, evidence_of(w, v));
    double votes = chunk_share(w, &ballot, labels, chunk) * K, both = say_span(w, v, &kd_fix_delta_method, chunk);
    assert_true(both >= (votes - 1e-9) / (K + 1) && both <= (votes + 1 + 1e-9) / (K + 1));
    delta_method.words(&delta_method, evidence_of(w, v), margin);
    must_be_near(say_span(w, v, &delta_method, chunk), smallest(margin, chunk.from, chunk.to), 0, "delta");
    double luck = say_span(w, v, &random_method, chunk);
    assert_true(luck >= 0 && luck < 1);
}

static void check_committee_chunk(struct world *w, struct chunk chunk)
{
    double signal[MAX_SIGNALS + 1];
    for (uint32_t i = 0; i <= MAX_SIGNALS; i++)
        signal[i] = CANARY;
    MUST(committee_span(&w->workspace, (struct extent){chunk.from, chunk.to}, signal, &err));
    assert_true(committee_span_signals(&w->voice_set) <= MAX_SIGNALS);
    must_fill(signal, committee_span_signals(&w->voice_set));
}

static uint32_t check_world_of_chunks(struct label_set labels, uint32_t N, enum weights weights, uint64_t seed)
{
    struct rng rng = rng_new(seed, N);
    struct span_rules rules = rules_of(labels);
    struct world *w = world_new((struct shape){false, N, labels.count, weights, 2}, &rng, noise);
    struct chunk chunk[LONGEST];
    w->voice_set.rules = &rules;
    MUST(world_ask(w, EVERYTHING, &err));
    uint32_t count = read_chunks(labels, w->workspace.choice, N, chunk);
    for (uint32_t i = 0; i < count; i++)
        for (uint32_t v = 0; v < 2; v++) {
            if (weights != VAST)
                check_chunk(w, v, labels, chunk[i]);
            check_committee_chunk(w, chunk[i]);
        }
    for (uint32_t v = 0; v < 2 && weights != VAST; v++)
        must_start(w, v, labels, &rules);
    ask_methods(w);
    world_free(w);
    span_rules_release(&rules);
    return count;
}

TEST(chunks_get_their_probability_and_their_votes)
{
    uint32_t chunks = 0;
    for (uint64_t seed = 0; seed < 60; seed++) {
        enum weights weights = (enum weights)(seed % WEIGHTS);
        for (uint32_t N = 1; N <= 5; N++)
            chunks += check_world_of_chunks((struct label_set){iob, 3}, N, weights, seed);
        for (uint32_t N = 1; N <= 4; N++)
            chunks += check_world_of_chunks((struct label_set){iob, 5}, N, weights, seed);
        for (uint32_t N = 1; N <= 4; N++)
            chunks += check_world_of_chunks((struct label_set){bioes, 5}, N, weights, seed);
        for (uint32_t N = 1; N <= 3; N++)
            chunks += check_world_of_chunks((struct label_set){bioes, 9}, N, weights, seed);
    }
    assert_true(chunks > 500);
}
