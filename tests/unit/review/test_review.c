/*
 * Tests review: planted errors are found, estimated and corrected; what was
 * given is judged by models that have not seen it; lists are in order.
 */
#include "review/review.h"

#include "folder.h"
#include "small_models.h"

#include "must.h"
#include "test.h"

FILE_FIXTURE(folder_make, folder_remove);

enum { SENTENCES = 200, WORDS = 5, PARTS = 4, EVERY = 20, BITS = 16 };

/* Labels follow from the words, but in one sentence of EVERY, whose name has another type. */
static bool is_planted(uint32_t sentence)
{
    return sentence % EVERY == 7;
}

static void write_tags(char *to)
{
    for (uint32_t i = 0; i < SENTENCES; i++) {
        bool person = (i % 2 == 0) != is_planted(i);
        to += sprintf(to, "%s IN O\n", i % 2 ? "in" : "Mr");
        to += sprintf(to, "Name%u NNP B-%s\nName NNP I-%s\nsaw VBD O\n. . O\n\n", i % 7, person ? "PER" : "LOC",
                      person ? "PER" : "LOC");
    }
}

/* The same tree over and over; in a planted one a word hangs wrong and another has a wrong relation. */
static const uint32_t head_of[WORDS] = {3, 3, 4, 0, 4}, wrong_head[WORDS] = {4, 4, 5, 1, 3};

static uint32_t planted_head(uint32_t i)
{
    static const uint32_t word[] = {0, 1, 4};
    return word[i / EVERY % 3];
}

static uint32_t planted_relation(uint32_t i)
{
    static const uint32_t word[] = {2, 3, 0, 1, 4};
    return word[i / EVERY % WORDS];
}

static void write_trees(char *to)
{
    static const char *const form[WORDS] = {"the", "old", "bridge", "fell", "down"};
    for (uint32_t i = 0; i < SENTENCES; i++) {
        for (uint32_t n = 0; n < WORDS; n++) {
            bool hangs_wrong = is_planted(i) && n == planted_head(i);
            bool is_called_wrong = is_planted(i) && n == planted_relation(i);
            to += sprintf(to, "%u\t%s\t_\tT%u\tT%u\t_\t%u\t%s\t_\t_\n", n + 1, form[n], n, n,
                          hangs_wrong ? wrong_head[n] : head_of[n], form[is_called_wrong ? (n + 1) % WORDS : n]);
        }
        to += sprintf(to, "\n");
    }
}

struct stage {
    struct corpus tags;
    struct corpus trees;
    struct dataset dataset;
    struct learning learning;
    struct held_out_plan training;
    struct review_options options;
};

static void set_up(struct stage *s, bool trees, bool watch)
{
    static char text[1 << 20];
    *s = (struct stage){0};
    if (trees) {
        write_trees(text);
        small_tree_corpus(&s->trees, text, BITS);
        s->dataset = s->trees.dataset;
    } else {
        write_tags(text);
        small_tag_corpus(&s->tags, text);
        s->dataset = s->tags.dataset;
    }
    s->learning = (struct learning){.dataset = &s->dataset, .voices = 2, .work = {.seed = 1, .threads = 1}};
    for (int l = 0; l < MAX_LAYERS; l++) {
        s->learning.trial[l][0] = (struct trial){&confidence_weighted, small_parameters()};
        s->learning.trial[l][1] = (struct trial){&log_likelihood, small_parameters()};
    }
    s->training = (struct held_out_plan){.learning = &s->learning,
                                         .passes = 3,
                                         .parts = PARTS,
                                         .held = PARTS,
                                         .scattered = true,
                                         .follow = watch};
}

static void clear(struct stage *s)
{
    if (s->dataset.layers == 2)
        corpus_release(&s->trees);
    else
        corpus_release(&s->tags);
}

/* A review of these labels, to be judged by models that learned from them. */
static struct review review_of(struct stage *s, int64_t threads)
{
    s->options = (struct review_options){.common.work = {.seed = 3, .threads = threads}};
    struct review review = {.options = &s->options, .dataset = &s->dataset};
    MUST(held_out_learn(&review.held, &s->training, &err));
    MUST(review_lay_out(&review, &err));
    return review;
}

static struct review reviewed(struct stage *s, int64_t threads)
{
    struct review review = review_of(s, threads);
    review.training = s->training;
    MUST(judge_labels(&review, &err) && find_repeats(&review, &err) && rerank(&review, &err));
    return review;
}

/* Every list is in the order of its probabilities, which are some, and ties are in that of odds. */
static void check_order(const struct review *review)
{
    for (size_t i = 0; i < review->suspects; i++) {
        const struct suspect *s = &review->suspect[i];
        assert_true(s->error > 0 && s->error < 1);
        assert_true(s->from <= s->worst && s->worst < s->to);
        assert_true(i == 0 || (s[-1].error >= s->error && s[-1].odds <= s->odds));
    }
}

/* Returns the sum of the probabilities of the first `count`. */
static double expected(const struct review *review, size_t count)
{
    double sum = 0;
    for (size_t i = 0; i < count; i++)
        sum += review->suspect[i].error;
    return sum;
}

/*
 * The first of a list are the planted ones, and something else is proposed there. Errors of one kind alone, as those of
 * labels here, look unlike what review plants, and fewer are expected.
 */
static void check_list(struct review *review, enum review_level level, size_t planted, double least)
{
    review->level = level;
    MUST(list_suspects(review, &err));
    assert_true(review->suspects > planted);
    check_order(review);
    for (size_t i = 0; i < planted; i++) {
        assert_true(is_planted(review->suspect[i].sentence));
        assert_true(review->suspect[i].differs);
        assert_true(review->suspect[i].odds < 0);
    }
    double all = expected(review, review->suspects);
    assert_true(all > least * (double)planted && all < 1.25 * (double)planted);
    assert_true(expected(review, planted) > 0.75 * all);
}

/* What is planted are labels that there are, in about a quarter of the sentences, and nearly all kinds are among it. */
TEST(planted_errors_are_of_several_kinds)
{
    struct stage s;
    uint32_t of_kind[ERROR_KINDS] = {0}, kinds = 0;
    set_up(&s, false, false);
    struct review review = reviewed(&s, 1);
    const struct planted *planted = &review.planted[0];
    for (size_t w = 0; w < review.words; w++) {
        assert_true(planted->choice[w] < review.dataset->rules->labels);
        assert_int_equal(planted->changed[w], planted->choice[w] != review.finding[0][w].given);
    }
    assert_true(planted->count > 0 && planted->count <= SENTENCES / 4 + 3);
    for (uint32_t k = 0; k < planted->count; k++) {
        assert_true(planted->kind[planted->sentence[k]] < ERROR_KINDS);
        of_kind[planted->kind[planted->sentence[k]]]++;
    }
    for (int k = 0; k < ERROR_KINDS; k++)
        kinds += of_kind[k] > 0;
    assert_true(kinds >= 5);
    review_release(&review);
    clear(&s);
}

static int compare_places(const void *a, const void *b)
{
    const struct suspect *x = a, *y = b;
    if (x->sentence != y->sentence)
        return x->sentence < y->sentence ? -1 : 1;
    return (x->from > y->from) - (x->from < y->from);
}

/* What was drawn comes first, in the order of suspicion, as do the others; nothing is lost. */
TEST(an_audit_orders_the_list)
{
    enum { WANTED = 20 };
    struct stage s;
    set_up(&s, false, false);
    struct review review = reviewed(&s, 1);
    s.options.audit = WANTED;
    MUST(list_suspects(&review, &err) && draw_audit(&review, &err));
    uint64_t drawn[AUDIT_STRATA + 1] = {0};
    for (size_t i = 0; i < review.suspects; i++) {
        drawn[review.suspect[i].stratum]++;
        assert_int_equal(review.suspect[i].stratum > 0, i < WANTED);
        assert_true(i == 0 || i == WANTED || review.suspect[i - 1].error >= review.suspect[i].error);
    }
    for (int k = 0; k < AUDIT_STRATA; k++)
        assert_int_equal(drawn[k + 1], review.list.audit.stratum[k].drawn);
    assert_int_equal(review.list.audit.items, review.words);
    qsort(review.suspect, review.suspects, sizeof *review.suspect, compare_places);
    for (size_t i = 0; i < review.suspects; i++)
        assert_int_equal(review.first[review.suspect[i].sentence] + review.suspect[i].from, i);
    review_release(&review);
    clear(&s);
}

TEST(planted_labels_come_first)
{
    for (int watch = 0; watch < 2; watch++) {
        struct stage s;
        set_up(&s, false, watch);
        struct review review = reviewed(&s, 1);
        check_list(&review, REVIEW_WORDS, SENTENCES / EVERY * 2, 0.2);
        check_list(&review, REVIEW_CHUNKS, SENTENCES / EVERY, 0.2);
        check_list(&review, REVIEW_SENTENCES, SENTENCES / EVERY, 0.2);
        for (size_t w = 0; w < review.words; w++)
            assert_true(watch ? review.finding[0][w].learned >= 0 && review.finding[0][w].learned <= 1
                              : isnan(review.finding[0][w].learned));
        review_release(&review);
        clear(&s);
    }
}

TEST(planted_arcs_and_relations_come_first)
{
    struct stage s;
    set_up(&s, true, false);
    struct review review = reviewed(&s, 1);
    check_list(&review, REVIEW_WORDS, SENTENCES / EVERY * 2, 0.4);
    for (uint32_t i = 0; i < SENTENCES; i++) {
        const struct finding *head = review.finding[0] + (size_t)i * WORDS;
        const struct finding *relation = review.finding[1] + (size_t)i * WORDS;
        for (uint32_t n = 0; n < WORDS; n++) {
            assert_int_equal(head[n].proposed, head_of[n]);
            assert_int_equal(relation[n].given != relation[n].proposed, is_planted(i) && n == planted_relation(i));
        }
    }
    review.level = REVIEW_CHUNKS;
    assert_false(list_suspects(&review, &err));
    review_release(&review);
    clear(&s);
}

TEST(threads_change_nothing)
{
    for (int trees = 0; trees < 2; trees++) {
        struct stage s;
        set_up(&s, trees, !trees);
        struct review one = reviewed(&s, 1), two = reviewed(&s, 2);
        for (uint32_t l = 0; l < one.layers; l++)
            assert_memory_equal(one.finding[l], two.finding[l], sizeof *one.finding[l] * one.words);
        for (uint32_t l = 0; l < one.layers; l++)
            assert_memory_equal(one.trial_finding[l], two.trial_finding[l], sizeof *one.finding[l] * one.words);
        review_release(&one);
        review_release(&two);
        clear(&s);
    }
}

/* One sentence of eight words and three labels (O, B, I), judged by hand. */
enum { N = 8 };

TEST(chunks_that_overlap_are_one)
{
    static const struct text label[] = {{"O", 1}, {"B-X", 3}, {"I-X", 3}};
    const uint32_t given[N] = {1, 2, 0, 0, 1, 0, UINT32_MAX, 0}, proposed[N] = {1, 2, 2, 0, 0, 0, 0, 1};
    struct span_rules rules = {0};
    struct finding finding[N];
    MUST(span_rules_init(&rules, label, 3, &err));
    struct dataset dataset = {.layers = 1, .rules = &rules};
    size_t first[] = {0, N};
    struct review review = {.dataset = &dataset,
                            .level = REVIEW_CHUNKS,
                            .layers = 1,
                            .sentences = 1,
                            .words = N,
                            .first = first,
                            .finding = {finding}};
    for (uint32_t n = 0; n < N; n++)
        finding[n] = (struct finding){.given = given[n], .proposed = proposed[n], .odds = (float)n};
    MUST(list_suspects(&review, &err));
    const struct extent expected[] = {{0, 3}, {4, 5}, {6, 7}, {7, 8}};
    assert_int_equal(review.suspects, 4);
    for (size_t i = 0; i < review.suspects; i++) {
        assert_int_equal(review.suspect[i].from, expected[i].from);
        assert_int_equal(review.suspect[i].to, expected[i].to);
        assert_true(review.suspect[i].differs);
    }
    check_order(&review);
    review.level = REVIEW_SENTENCES;
    MUST(list_suspects(&review, &err));
    assert_int_equal(review.suspects, 1);
    free(review.suspect);
    span_rules_release(&rules);
}

static int at_once(void *context)
{
    (void)context;
    return 1;
}

TEST(it_can_be_stopped)
{
    struct stage s;
    set_up(&s, false, false);
    struct vouch_watch watch = {.size = sizeof watch, .stop = at_once};
    struct review review = review_of(&s, 1);
    s.options.common.work.watch = &watch;
    assert_false(judge_labels(&review, &err));
    assert_int_equal(err.status, VOUCH_ERR_STOPPED);
    review_release(&review);
    clear(&s);
}

struct told {
    uint64_t times, done, of, asked, until;
};

static void note_progress(void *context, const struct vouch_event *event)
{
    struct told *told = context;
    assert_int_equal(event->kind, VOUCH_EVENT_JUDGING);
    told->times++;
    told->done = event->done;
    told->of = event->of;
}

static int in_the_end(void *context)
{
    struct told *told = context;
    return ++told->asked >= told->until;
}

/* Arcs, relations of given heads, those of other heads, and what is planted in both; each can be stopped. */
TEST(every_round_is_told_and_can_be_stopped)
{
    struct stage s;
    struct told told = {.until = UINT64_MAX};
    set_up(&s, true, false);
    struct vouch_watch watch = {.size = sizeof watch, .context = &told, .tell = note_progress, .stop = in_the_end};
    struct review review = review_of(&s, 1);
    s.options.common.work.watch = &watch;
    MUST(judge_labels(&review, &err));
    review_release(&review);
    assert_int_equal(told.of, 5 * PARTS); /* a block each */
    assert_int_equal(told.times, told.of);
    assert_int_equal(told.done, told.of);
    assert_int_equal(told.asked, told.of);
    told.asked = 0;
    told.until = told.of;
    review = review_of(&s, 1);
    s.options.common.work.watch = &watch;
    assert_false(judge_labels(&review, &err));
    assert_int_equal(err.status, VOUCH_ERR_STOPPED);
    review_release(&review);
    clear(&s);
}
