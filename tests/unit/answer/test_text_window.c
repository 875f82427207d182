/* Tests counting what a text calls its words: the signals by their definition, with the sentence itself left out. */
#include "answer/text_window.h"

#include "base/random.h"
#include "confidence/committee.h"

#include "must.h"
#include "test.h"

enum { SENTENCES = 60, WORDS = 9, TYPES = 3, NAMES = 2, OFTEN = 7 };

struct story {
    uint32_t name[SENTENCES][WORDS][NAMES], label[SENTENCES][WORDS];
};

/* Some words are said once, some very often; two forms share a lower case. */
static struct story simulate(uint64_t seed)
{
    struct story story;
    struct rng rng = rng_new(seed, 5);
    for (int s = 0; s < SENTENCES; s++)
        for (int n = 0; n < WORDS; n++) {
            uint32_t form = rng_below(&rng, 2) ? rng_below(&rng, 5) : rng_below(&rng, 400);
            story.name[s][n][0] = 1000 + form;
            story.name[s][n][1] = 5000 + form / 2;
            story.label[s][n] = rng_below(&rng, 3) ? form % TYPES : rng_below(&rng, TYPES);
        }
    return story;
}

static struct parts parts_of(const struct story *story, int s)
{
    return (struct parts){.N = WORDS, .names = {.name = story->name[s][0], .stride = NAMES}};
}

/* Counts in as many shares as there are threads, which are then put together. */
static struct text_counts count_all(const struct story *story, int threads)
{
    struct text_counts text = {0}, share[3] = {{0}};
    for (int s = 0; s < SENTENCES; s++) {
        struct parts parts = parts_of(story, s);
        MUST(text_counts_add(&share[s % threads], 0, &parts, story->label[s], &err));
    }
    for (int i = 0; i < threads; i++) {
        MUST(text_counts_add_all(&text, &share[i], &err));
        text_counts_release(&share[i]);
    }
    return text;
}

/* Whether two words are the same as far as a kind looks: form, lower case. */
static bool alike(const struct story *story, int kind, int s, int n, int t, int m)
{
    return story->name[s][n][kind] == story->name[t][m][kind];
}

/* By their definition, in all sentences but the word's own. */
static void plain_signals(const struct story *story, int s, int n, double *signal)
{
    double any = 0, answer = 0, seen[TEXT_KINDS] = {0}, with[TEXT_KINDS] = {0};
    for (int t = 0; t < SENTENCES; t++)
        for (int m = 0; t != s && m < WORDS; m++) {
            bool same = story->label[t][m] == story->label[s][n];
            any++;
            answer += same;
            for (int kind = 0; kind < TEXT_KINDS; kind++) {
                seen[kind] += alike(story, kind, s, n, t, m);
                with[kind] += same && alike(story, kind, s, n, t, m);
            }
        }
    double prior = (answer + 0.5) / (any + 1);
    for (int kind = 0; kind < TEXT_KINDS; kind++) {
        double share = (with[kind] + prior) / (seen[kind] + 1);
        signal[2 * kind] = log1p(fmin(seen[kind], OFTEN));
        signal[2 * kind + 1] = log(share / (1 - share));
    }
}

/* The voices are not used for it. */
TEST(signals_are_as_defined)
{
    struct story story = simulate(1);
    struct text_counts text = count_all(&story, 3);
    struct voice_set voice_set = {0};
    struct workspace workspace = {.voice_set = &voice_set, .N = WORDS, .text = &text.layer[0]};
    int once = 0, often = 0;
    for (int s = 0; s < SENTENCES; s++) {
        double signal[WORDS][TEXT_SIGNALS], plain[TEXT_SIGNALS];
        workspace.names = parts_of(&story, s).names;
        workspace.choice = story.label[s];
        MUST(committee_text(&workspace, signal[0], &err));
        for (int n = 0; n < WORDS; n++) {
            plain_signals(&story, s, n, plain);
            once += plain[0] == log1p(1);
            often += plain[0] == log1p(OFTEN);
            for (int k = 0; k < TEXT_SIGNALS; k++)
                assert_true(fabs(signal[n][k] - plain[k]) < 1e-9);
        }
    }
    assert_true(once > 10 && often > 10); /* both cases were met */
    workspace_release(&workspace);
    text_counts_release(&text);
}

/* Whatever the sentences were counted by. */
TEST(shares_add_up)
{
    struct story story = simulate(2);
    struct text_counts one = count_all(&story, 1), three = count_all(&story, 3);
    MUST(answer_counts_close(&one.layer[0], &err) && answer_counts_close(&three.layer[0], &err));
    assert_int_equal(one.layer[0].mask, three.layer[0].mask);
    assert_memory_equal(one.layer[0].slot, three.layer[0].slot, sizeof *one.layer[0].slot * (one.layer[0].mask + 1));
    text_counts_release(&one);
    text_counts_release(&three);
}

/* A sentence alone in its text gets the signals of an empty text. */
TEST(a_sentence_is_left_out_of_its_own_text)
{
    struct story story = simulate(3);
    struct parts parts = parts_of(&story, 0);
    struct text_counts alone = {0}, empty = {0};
    struct voice_set voice_set = {0};
    struct workspace workspace = {
        .voice_set = &voice_set, .N = WORDS, .names = parts.names, .choice = story.label[0], .text = &alone.layer[0]};
    double own[WORDS][TEXT_SIGNALS], none[WORDS][TEXT_SIGNALS];
    MUST(text_counts_add(&alone, 0, &parts, story.label[0], &err) && committee_text(&workspace, own[0], &err));
    workspace.text = &empty.layer[0];
    MUST(committee_text(&workspace, none[0], &err));
    assert_memory_equal(own, none, sizeof own);
    assert_true(own[0][0] == 0);
    workspace_release(&workspace);
    text_counts_release(&alone);
}
