/*
 * Tests trading precision against recall: answers changed at a threshold, curves against counting anew, points in a
 * header.
 */
#include "base/random.h"
#include "answer/doubt.h"
#include "text/writer.h"
#include "trade/trade.h"

#include "folder.h"

#include "must.h"
#include "test.h"
#include "words_of.h"

enum { MOST = 14, METHODS = 3, SENTENCES = 60 };

/* --- single answers ---------------------------------------------------- */

struct change {
    enum direction direction;
    bool merge_types;
    enum scheme scheme;
    const char *label, *other, *doubtful, *result; /* doubtful: '?' for the words that are */
};

static void expect_change(const struct change *e)
{
    struct text label[MOST], other[MOST], result[MOST];
    double least[MOST];
    struct changed_labels changed = {0};
    uint32_t N = words_of(e->label, label), differing = 0;
    assert_int_equal(words_of(e->result, result), N);
    assert_int_equal(strlen(e->doubtful), N);
    if (e->other)
        assert_int_equal(words_of(e->other, other), N);
    for (uint32_t i = 0; i < N; i++) {
        struct text type;
        least[i] = e->doubtful[i] == '?' ? 0.25 : e->doubtful[i] == '0' ? NAN : 0.5;
        if (e->other && text_is(other[i], "-"))
            other[i] = text_of("");
        differing += (scheme_split(label[i], &type) == 'O') != (scheme_split(result[i], &type) == 'O');
    }
    struct operating_point point = {.direction = e->direction, .threshold = 0.5, .merge_types = e->merge_types};
    struct rated_labels answer = {N, label, least, e->other ? other : NULL};
    MUST(operating_point_apply(&point, e->scheme, &answer, &changed, &err));
    for (uint32_t i = 0; i < N; i++)
        if (!text_equal(changed.label[i], result[i]))
            fail_msg("%s: word %u is %.*s", e->label, i + 1, (int)changed.label[i].length, changed.label[i].at);
    assert_int_equal(changed.changed, differing);
    changed_labels_release(&changed);
}

TEST(answers_are_changed)
{
    static const struct change each[] = {
        {TOWARDS_PRECISION, false, SCHEME_IOB2, "B-X I-X O B-Y", NULL, "??..", "O O O B-Y"},
        {TOWARDS_PRECISION, false, SCHEME_IOB2, "B-X I-X O B-Y", NULL, "..?0", "B-X I-X O B-Y"},
        {TOWARDS_PRECISION, true, SCHEME_IOB2, "B-X I-X B-Y O", NULL, "..?.", "B-entity I-entity O O"},
        {TOWARDS_PRECISION, true, SCHEME_IOB2, "B-X I-X B-Y O", NULL, "....", "B-entity I-entity B-entity O"},
        /* In IOB1 a chunk loses its B with the chunk that it touched, and gets one where types are merged. */
        {TOWARDS_PRECISION, false, SCHEME_IOB1, "I-X I-X B-X O", NULL, "??..", "O O I-X O"},
        {TOWARDS_PRECISION, true, SCHEME_IOB1, "I-X I-Y I-Y O", NULL, "....", "I-entity B-entity I-entity O"},
        {TOWARDS_PRECISION, false, SCHEME_BIOES, "B-X E-X S-Y O", NULL, "??..", "O O S-Y O"},
        {TOWARDS_PRECISION, true, SCHEME_BIOES, "B-X I-X E-X S-Y", NULL, "....", "B-entity I-entity E-entity S-entity"},
        /* Words join: alone, with each other, with a chunk before them; not if they have no other label. */
        {TOWARDS_RECALL, false, SCHEME_IOB2, "O O B-Y O O", "I-X - - I-Y B-Y", "?????", "B-X O B-Y I-Y B-Y"},
        {TOWARDS_RECALL, false, SCHEME_IOB2, "O O B-Y O O", "B-X I-X O I-X I-X", "??..?", "B-X I-X B-Y O B-X"},
        {TOWARDS_RECALL, true, SCHEME_IOB2, "O O B-Y O", "B-X I-X O I-X", "??.?",
         "B-entity I-entity B-entity B-entity"},
        {TOWARDS_RECALL, false, SCHEME_IOB2, "O O", "B-X I-X", "00", "O O"},
        /* A model that learned in IOB2 and writes IOB1: B before a chunk of its type is a chunk of its own. */
        {TOWARDS_RECALL, false, SCHEME_IOB1, "O I-X O", "B-X O I-X", "?.?", "I-X B-X I-X"},
        {TOWARDS_RECALL, false, SCHEME_BIOES, "O B-X E-X O O", "S-X O O E-X S-Y", "?..??", "S-X B-X I-X E-X S-Y"},
    };
    for (size_t i = 0; i < sizeof each / sizeof *each; i++)
        expect_change(&each[i]);
}

/* --- answers at random -------------------------------------------------- */

static const char *const iob2[] = {"O", "O", "O", "B-X", "I-X", "B-Y", "I-Y"};
static const char *const bioes[] = {"O", "O", "O", "O", "B-X", "I-X", "E-X", "S-X", "B-Y", "I-Y", "E-Y", "S-Y"};

/* An answer by several methods: shares, probabilities, and margins that may be negative or endless. */
struct made {
    uint32_t N;
    struct text gold[MOST], label[MOST], other[METHODS][MOST];
    char letters[MOST][4];
    double word[METHODS][MOST], part[METHODS][MOST];
    struct span span[MOST];
    struct method_confidence by_method[METHODS];
    struct confidences confidences;
    struct vouch_answer answer;
};

static struct text random_label(struct rng *rng, bool ends)
{
    return text_of(ends ? bioes[rng_below(rng, sizeof bioes / sizeof *bioes)]
                        : iob2[rng_below(rng, sizeof iob2 / sizeof *iob2)]);
}

/* Any labels, spelled as the scheme has it. */
static void random_labels(struct rng *rng, uint32_t N, enum scheme scheme, struct text *label, char (*letters)[4])
{
    char prefix[MOST];
    for (uint32_t i = 0; i < N; i++)
        label[i] = random_label(rng, false);
    scheme_convert(label, N, scheme, prefix);
    for (uint32_t i = 0; i < N; i++) {
        struct text type;
        scheme_split(label[i], &type);
        letters[i][0] = prefix[i];
        letters[i][1] = '-';
        letters[i][2] = prefix[i] == 'O' ? 0 : type.at[0];
        letters[i][3] = 0;
        label[i] = prefix[i] == 'O' ? text_of("O") : text_of(letters[i]);
    }
}

static double random_number(struct rng *rng, uint32_t method)
{
    double x = rng_uniform(rng);
    if (rng_below(rng, 30) == 0)
        return NAN;
    if (method == 0)
        return floor(x * 11) / 10; /* a share, with many ties */
    if (method == 1)
        return 1 - x * x * 1e-3; /* close together */
    return rng_below(rng, 20) == 0 ? INFINITY : 3 * x - 0.5;
}

static void find_spans(struct made *m)
{
    char prefix[MOST];
    m->confidences.spans = 0;
    scheme_convert(m->label, m->N, SCHEME_IOB2, prefix);
    for (uint32_t from = 0, to; from < m->N; from = to) {
        for (to = from + 1; to < m->N && prefix[to] == 'I';)
            to++;
        if (prefix[from] == 'B')
            m->span[m->confidences.spans++] = (struct span){.from = from, .to = to};
    }
}

static void make(struct made *m, struct rng *rng, enum scheme scheme)
{
    m->N = 1 + rng_below(rng, MOST - 1);
    random_labels(rng, m->N, scheme, m->label, m->letters);
    for (uint32_t i = 0; i < m->N; i++)
        m->gold[i] = rng_below(rng, 3) ? m->label[i] : random_label(rng, false);
    m->confidences = (struct confidences){.by_method = m->by_method, .methods = METHODS, .span = m->span};
    find_spans(m);
    for (uint32_t j = 0; j < METHODS; j++) {
        for (uint32_t i = 0; i < m->N; i++) {
            m->word[j][i] = random_number(rng, j);
            m->part[j][i] = random_number(rng, j);
            do
                m->other[j][i] = random_label(rng, scheme == SCHEME_BIOES);
            while (text_is(m->other[j][i], "O"));
            if (rng_below(rng, 5) == 0)
                m->other[j][i] = text_of("");
        }
        m->by_method[j] =
            (struct method_confidence){.method = "any", .word = m->word[j], .span = m->part[j], .other = m->other[j]};
    }
    m->answer = (struct vouch_answer){.label = m->label, .confidences = &m->confidences};
}

/* Makes the method's view of an answer, as labelling has it. */
static struct rated_labels view(const struct made *m, uint32_t method, double *least)
{
    struct confidences alone = m->confidences;
    alone.by_method = &m->by_method[method];
    alone.methods = 1;
    least_confidence(&alone, m->N, least);
    return (struct rated_labels){m->N, m->label, least, m->by_method[method].other};
}

TEST(changed_answers_are_legal)
{
    struct rng rng = rng_new(1, 1);
    struct changed_labels changed = {0};
    struct made m;
    double least[MOST];
    char prefix[MOST];
    for (int round = 0; round < fewer(6000); round++) {
        enum scheme scheme = (enum scheme)(SCHEME_IOB1 + round % 3);
        make(&m, &rng, scheme);
        uint32_t method = rng_below(&rng, METHODS);
        struct rated_labels answer = view(&m, method, least);
        struct operating_point point = {.direction = (enum direction)rng_below(&rng, 2),
                                        .threshold = random_number(&rng, method),
                                        .merge_types = rng_below(&rng, 2)};
        MUST(operating_point_apply(&point, scheme, &answer, &changed, &err));
        scheme_convert(changed.label, m.N, scheme, prefix);
        for (uint32_t i = 0; i < m.N; i++) {
            struct text type;
            if (scheme_split(changed.label[i], &type) != prefix[i])
                fail_msg("round %d: word %u is not as %s has it", round, i + 1, scheme_name(scheme));
            assert_true(prefix[i] == 'O' || !point.merge_types || text_is(type, MERGED_TYPE));
        }
    }
    changed_labels_release(&changed);
}

/* The last column of what the writer makes of the answer, as one line. */
static void write_replaced(const struct made *m, uint32_t method, double threshold, char *line, size_t room)
{
    struct text words[MOST];
    struct sentence sentence = {.N = m->N, .line = words};
    struct confidences alone = m->confidences;
    struct writer_options options = {.format = FORMAT_CONLL, .separator = ' '};
    struct doubt_rule rule = {true, threshold, "O"};
    struct vouch_answer answer = {.N = m->N, .label = m->label, .confidences = &alone};
    alone.by_method = &m->by_method[method];
    alone.methods = 1;
    for (uint32_t i = 0; i < m->N; i++)
        words[i] = text_of("w");
    struct output *out = output_open(folder_file("replaced"), &err);
    MUST(out && doubt_mark(&rule, &answer, &err));
    struct marks marks = {&alone, answer.doubtful, answer.replaced};
    MUST(write_sentence(out, &options, &sentence, NULL, answer.label, &marks, &err) && output_commit(out, &err));
    answer_release(&answer);
    char *text = folder_get(folder_file("replaced"));
    line[0] = 0;
    for (char *at = text, *end; (end = strchr(at, '\n')) && end > at; at = end + 1) {
        char label[16];
        assert_int_equal(sscanf(at, "w %15s", label), 1);
        assert_true(strlen(line) + strlen(label) + 2 < room);
        strcat(strcat(line, label), " ");
    }
    free(text);
}

/* In IOB2, in which a chunk is spelled alike whatever stands before it, to the letter. */
TEST_IN_FOLDER(tagging_with_a_threshold_and_a_replacement_is_the_same)
{
    struct rng rng = rng_new(2, 1);
    struct changed_labels changed = {0};
    struct made m;
    double least[MOST];
    for (int round = 0; round < 300; round++) {
        char written[256], own[256] = "";
        make(&m, &rng, SCHEME_IOB2);
        uint32_t method = rng_below(&rng, METHODS);
        double threshold = random_number(&rng, method);
        if (isnan(threshold))
            continue;
        struct rated_labels answer = view(&m, method, least);
        struct operating_point point = {.direction = TOWARDS_PRECISION, .threshold = threshold};
        MUST(operating_point_apply(&point, SCHEME_IOB2, &answer, &changed, &err));
        for (uint32_t i = 0; i < m.N; i++)
            strcat(strncat(own, changed.label[i].at, changed.label[i].length), " ");
        write_replaced(&m, method, threshold, written, sizeof written);
        assert_string_equal(written, own);
    }
    changed_labels_release(&changed);
}

/* --- curves -------------------------------------------------------------- */

static bool by_words; /* what corpora are made for */

static struct trade corpus(struct made *made, enum scheme scheme, enum trade_unit unit, bool merge, uint64_t seed)
{
    struct rng rng = rng_new(seed, 1);
    struct trade trade = {.scheme = scheme,
                          .unit = unit,
                          .merge_types = merge,
                          .by_words = by_words,
                          .methods = METHODS,
                          .towards = {true, true}};
    for (uint32_t s = 0; s < SENTENCES; s++) {
        make(&made[s], &rng, scheme);
        MUST(trade_add(&trade, made[s].gold, made[s].N, &made[s].answer, &err));
    }
    return trade;
}

/* Returns what a threshold leads to, all sentences changed and counted by themselves. */
static struct trade_point count_anew(const struct trade *t, const struct made *made,
                                     const struct operating_point *point, uint32_t method)
{
    struct changed_labels guess = {0}, gold = {0};
    struct trade_point found = {.threshold = point->threshold};
    struct tag_score score;
    double least[MOST];
    tag_score_init(&score, TAG_CHUNKS);
    for (uint32_t s = 0; s < SENTENCES; s++) {
        struct rated_labels answer = view(&made[s], method, least), truth = answer;
        struct operating_point as_it_is = {.threshold = -INFINITY, .merge_types = point->merge_types};
        truth.label = made[s].gold;
        if (t->by_words)
            answer.least = made[s].word[method];
        MUST(operating_point_apply(point, t->scheme, &answer, &guess, &err));
        MUST(operating_point_apply(&as_it_is, SCHEME_IOB2, &truth, &gold, &err));
        MUST(tag_score_add(&score, gold.label, guess.label, made[s].N, &err));
        found.changed += guess.changed;
        for (uint32_t i = 0; t->unit == TRADE_WORDS && i < made[s].N; i++) {
            bool in = !text_is(gold.label[i], "O"), out = !text_is(guess.label[i], "O");
            found.counts.gold += in;
            found.counts.guessed += out;
            found.counts.correct +=
                in && out && strncmp(gold.label[i].at + 1, guess.label[i].at + 1, gold.label[i].length - 1) == 0;
        }
    }
    if (t->unit == TRADE_ENTITIES)
        found.counts = score.all;
    tag_score_release(&score);
    changed_labels_release(&guess);
    changed_labels_release(&gold);
    return found;
}

static void expect_point(const struct trade *t, const struct made *made, const struct trade_curve *curve, size_t i)
{
    const struct trade_point *point = &curve->point[i];
    struct operating_point rule = {
        .direction = curve->direction, .threshold = point->threshold, .merge_types = t->merge_types};
    struct trade_point found = count_anew(t, made, &rule, curve->method);
    char text[32];
    assert_int_equal(point->counts.gold, found.counts.gold);
    assert_int_equal(point->counts.guessed, found.counts.guessed);
    assert_int_equal(point->counts.correct, found.counts.correct);
    assert_int_equal(point->changed, found.changed);
    snprintf(text, sizeof text, "%.9g", point->threshold);
    assert_true(strtod(text, NULL) == point->threshold);
}

static void expect_order(const struct trade_curve *curve)
{
    assert_int_equal(curve->point[0].changed, 0);
    for (size_t i = 1; i < curve->points; i++) {
        const struct trade_point *here = &curve->point[i], *before = here - 1;
        assert_true(here->threshold > before->threshold);
        assert_true(here->changed > before->changed);
        assert_int_equal(here->counts.gold, before->counts.gold);
        if (curve->direction == TOWARDS_PRECISION) {
            assert_true(here->counts.correct <= before->counts.correct);
            assert_true(here->counts.guessed < before->counts.guessed);
        }
    }
}

TEST(curves_are_what_counting_anew_gives)
{
    static struct made made[SENTENCES];
    for (int round = 0; round < 12; round += in_a_hurry() ? 5 : 1) {
        enum scheme scheme = (enum scheme)(SCHEME_IOB1 + round % 3);
        struct trade t = corpus(made, scheme, round / 3 % 2 ? TRADE_WORDS : TRADE_ENTITIES, round / 6 % 2, 7);
        MUST(trade_measure(&t, 2, &err));
        for (uint32_t m = 0; m < METHODS; m++)
            for (enum direction d = 0; d < DIRECTIONS; d++) {
                const struct trade_curve *curve = trade_curve(&t, m, d);
                assert_true(curve->points > 5);
                for (size_t i = 0; i < curve->points; i++)
                    expect_point(&t, made, curve, i);
                if (t.unit == TRADE_ENTITIES || d == TOWARDS_PRECISION)
                    expect_order(curve);
            }
        trade_release(&t);
    }
}

/* A word by its own number, whatever becomes of the rest of its chunk. */
TEST(words_are_replaced_one_by_one)
{
    static struct made made[SENTENCES];
    by_words = true;
    for (int round = 0; round < 12; round += in_a_hurry() ? 5 : 1) {
        enum scheme scheme = (enum scheme)(SCHEME_IOB1 + round % 3);
        struct trade t = corpus(made, scheme, round / 3 % 2 ? TRADE_WORDS : TRADE_ENTITIES, round / 6 % 2, 17);
        MUST(trade_measure(&t, 2, &err));
        for (uint32_t m = 0; m < METHODS; m++)
            for (enum direction d = 0; d < DIRECTIONS; d++)
                for (size_t i = 0; i < trade_curve(&t, m, d)->points; i++)
                    expect_point(&t, made, trade_curve(&t, m, d), i);
        trade_release(&t);
    }
    by_words = false;
}

/* Expects each group to have what labelling with the thresholds of all groups at once gives its type. */
static void expect_groups(const struct trade *t, const struct made *made)
{
    struct operating_point point = {.group = t->point_groups, .wanted = t->point.wanted};
    struct changed_labels guess = {0};
    struct tag_score score;
    double least[MOST];
    tag_score_init(&score, TAG_CHUNKS);
    for (uint32_t s = 0; s < SENTENCES; s++) {
        struct rated_labels answer = view(&made[s], t->group[0].at.method, least);
        MUST(operating_point_apply(&point, t->scheme, &answer, &guess, &err));
        MUST(tag_score_add(&score, made[s].gold, guess.label, made[s].N, &err));
    }
    assert_true(t->groups >= 2 && score.rows == t->groups);
    for (uint32_t g = 0; g < t->groups; g++) {
        const struct trade_group *group = &t->group[g];
        assert_true(text_is(group->name, score.row[g].name));
        assert_int_equal(group->at.counts.gold, score.row[g].counts.gold);
        assert_int_equal(group->at.counts.guessed, score.row[g].counts.guessed);
        assert_int_equal(group->at.counts.correct, score.row[g].counts.correct);
        if (group->at.found && !(t->options->guarantee > 0))
            assert_true(rate_of(tag_rates(group->at.counts), t->point.wanted) >= 100 * group->at.best - 1e-9);
        if (!group->at.found)
            assert_true(group->at.counts.guessed == 0 && t->point.wanted == TOWARDS_PRECISION);
    }
    tag_score_release(&score);
    changed_labels_release(&guess);
}

/* Thresholds of types, found one by one, do together what each was found to do; in every scheme, both ways. */
TEST(groups_are_what_labelling_makes)
{
    static struct made made[SENTENCES];
    struct trade_options options = *(const struct trade_options *)trade_options.usual;
    uint32_t dropped = 0, added = 0;
    for (uint64_t round = 0; round < 18; round++) {
        struct guarantee asked = {.wanted = round % 2 ? TOWARDS_RECALL : TOWARDS_PRECISION,
                                  .target = round % 2 ? 0.3 : 0.2 + 0.045 * (double)round};
        struct guaranteed all;
        struct trade t = corpus(made, (enum scheme)(SCHEME_IOB1 + round % 3), TRADE_ENTITIES, false, round);
        options.guarantee = round % 4 == 2 ? 0.6 : 0;
        asked.level = 1 - options.guarantee;
        t.options = &options;
        t.point.wanted = asked.wanted;
        MUST(trade_measure(&t, 1, &err));
        if (trade_choose_groups(&t, &asked, &all, &err)) {
            expect_groups(&t, made);
            for (uint32_t g = 0; g < t.groups; g++) {
                dropped += !t.group[g].at.found;
                added += t.group[g].at.direction == TOWARDS_RECALL;
            }
        }
        err = (struct vouch_error){0};
        trade_release(&t);
    }
    assert_true(dropped > 0 && added > 0);
}

/* "O" that is right, "O" that is not, and a word without a number. */
TEST(words_outside_are_told_apart)
{
    struct text label[5], gold[5];
    double word[5] = {1, 0.5, 0.25, NAN, 0.125};
    struct method_confidence by_method = {.word = word};
    struct confidences confidences = {.by_method = &by_method, .methods = 1};
    struct trade t = {.scheme = SCHEME_IOB2, .methods = 1};
    words_of("O O O O B-X", label);
    words_of("O O B-Y B-Y O", gold);
    MUST(trade_add(&t, gold, 5, &(struct vouch_answer){.label = label, .confidences = &confidences}, &err));
    assert_int_equal(t.outside[0][true].words, 2);
    assert_int_equal(t.outside[0][false].words, 1);
    assert_true(t.outside[0][true].sum == 1.5 && t.outside[0][false].sum == 0.25);
    trade_release(&t);
}

/* At the end all words that may change have changed, but those not judged or, towards precision, the surest. */
TEST(curves_go_from_nothing_to_everything)
{
    static struct made made[SENTENCES];
    struct trade t = corpus(made, SCHEME_IOB2, TRADE_ENTITIES, false, 8);
    MUST(trade_measure(&t, 1, &err));
    for (uint32_t m = 0; m < METHODS; m++) {
        const struct trade_curve *down = trade_curve(&t, m, TOWARDS_PRECISION),
                                 *up = trade_curve(&t, m, TOWARDS_RECALL);
        struct operating_point never = {.threshold = 0}, always = {.direction = TOWARDS_RECALL, .threshold = INFINITY};
        if (m < 2)
            assert_int_equal(count_anew(&t, made, &never, m).changed, 0);
        never.threshold = INFINITY; /* which is below no margin without end: here these are the surest */
        uint64_t all = count_anew(&t, made, &never, m).changed, last = down->point[down->points - 1].changed;
        assert_true(m < 2 ? all > last : all == last);
        assert_int_equal(up->point[up->points - 1].changed, count_anew(&t, made, &always, m).changed);
        assert_true(down->point[down->points - 1].counts.guessed > 0);
    }
    trade_release(&t);
}

TEST(threads_and_other_directions_change_nothing)
{
    static struct made made[SENTENCES];
    struct trade one = corpus(made, SCHEME_IOB2, TRADE_ENTITIES, true, 9);
    struct trade three = corpus(made, SCHEME_IOB2, TRADE_ENTITIES, true, 9);
    MUST(trade_measure(&one, 1, &err));
    three.towards[TOWARDS_PRECISION] = false;
    MUST(trade_measure(&three, 3, &err));
    for (uint32_t m = 0; m < METHODS; m++) {
        const struct trade_curve *a = trade_curve(&one, m, TOWARDS_RECALL), *b = trade_curve(&three, m, TOWARDS_RECALL);
        assert_int_equal(a->points, b->points);
        assert_memory_equal(a->point, b->point, sizeof *a->point * a->points);
        assert_int_equal(trade_curve(&three, m, TOWARDS_PRECISION)->points, 0);
    }
    trade_release(&one);
    trade_release(&three);
}

/* Ten thousand different numbers leave some thousands of thresholds, close together where few words have changed. */
TEST(long_curves_are_thinned)
{
    enum { WORDS = 10000 };
    static char name[] = "B-X";
    struct trade t = {.scheme = SCHEME_IOB2, .methods = 1, .towards = {true, true}};
    struct rng rng = rng_new(3, 1);
    for (uint32_t i = 0; i < WORDS; i++) {
        struct text label = text_of(name), gold = text_of(rng_below(&rng, 4) ? "B-X" : "O");
        double number = rng_uniform(&rng);
        struct span span = {0, 1, text_of("X")};
        struct method_confidence by_method = {.word = &number, .span = &number};
        struct confidences confidences = {.by_method = &by_method, .methods = 1, .span = &span, .spans = 1};
        MUST(trade_add(&t, &gold, 1, &(struct vouch_answer){.label = &label, .confidences = &confidences}, &err));
    }
    MUST(trade_measure(&t, 1, &err));
    const struct trade_curve *curve = trade_curve(&t, 0, TOWARDS_PRECISION);
    assert_in_range(curve->points, 1000, 2500);
    for (size_t i = 1; i < curve->points; i++) {
        uint64_t before = curve->point[i - 1].changed, step = curve->point[i].changed - before;
        assert_true(i > 400 || step == 1);
        assert_true(step <= 3 + before / 250);
    }
    expect_order(curve);
    assert_int_equal(trade_curve(&t, 0, TOWARDS_RECALL)->points, 1);
    trade_release(&t);
}

/* --- choosing ------------------------------------------------------------ */

/* Precision and recall of ten in gold: 50/50, 60/30 and 100/10 by the first method; 80/40 by the second. */
static struct trade two_curves(struct trade_point *first, struct trade_point *second)
{
    static struct trade_curve curve[2 * DIRECTIONS];
    first[0] = second[0] = (struct trade_point){.threshold = 0, .counts = {10, 10, 5}};
    first[1] = (struct trade_point){.threshold = 0.25, .counts = {10, 5, 3}};
    first[2] = (struct trade_point){.threshold = 0.5, .counts = {10, 1, 1}};
    second[1] = (struct trade_point){.threshold = 0.75, .counts = {10, 5, 4}};
    curve[0] = (struct trade_curve){TOWARDS_PRECISION, 0, first, 3};
    curve[2] = (struct trade_curve){TOWARDS_PRECISION, 1, second, 2};
    return (struct trade){.methods = 2, .curve = curve};
}

TEST(the_best_other_figure_is_chosen)
{
    struct trade_point first[3], second[2];
    struct trade t = two_curves(first, second);
    const struct trade_curve *from;
    const struct trade_point *reach;
    assert_ptr_equal(trade_find(&t, TOWARDS_PRECISION, 60, &from, &reach), &second[1]);
    assert_int_equal(from->method, 1);
    assert_ptr_equal(reach, &second[1]);
    assert_ptr_equal(trade_find(&t, TOWARDS_PRECISION, 81, &from, &reach), &first[2]);
    assert_int_equal(from->method, 0);
    assert_ptr_equal(trade_find(&t, TOWARDS_PRECISION, 10, &from, &reach), &first[0]);
    assert_ptr_equal(trade_find(&t, TOWARDS_RECALL, 25, &from, &reach), &second[1]);
    assert_ptr_equal(trade_find(&t, TOWARDS_RECALL, 50, &from, &reach), &first[0]);
    assert_null(trade_find(&t, TOWARDS_RECALL, 51, &from, &reach));
    assert_ptr_equal(reach, &first[0]);
    assert_ptr_equal(trade_best(&t.curve[0], TOWARDS_PRECISION, 39, 0), &first[1]);
    assert_ptr_equal(trade_best(&t.curve[0], TOWARDS_PRECISION, 41, 0), &first[0]);
    assert_null(trade_best(&t.curve[0], TOWARDS_PRECISION, 51, 0));
    assert_ptr_equal(trade_best(&t.curve[0], TOWARDS_PRECISION, 0, 20), &first[1]);
}

/* --- the header ---------------------------------------------------------- */

TEST(a_point_is_kept)
{
    struct operating_point point = {.direction = TOWARDS_RECALL,
                                    .threshold = 0.987654321,
                                    .merge_types = true,
                                    .by_words = true,
                                    .method = "kd-fix@crf",
                                    .raw = true,
                                    .draws = 30,
                                    .unit = TRADE_WORDS,
                                    .rates = {90, 80, 85},
                                    .wanted = TOWARDS_PRECISION,
                                    .target = 89.5};
    struct operating_point found;
    bool known;
    json_t *header = json_pack("{s:o}", "operating_point", operating_point_json(&point));
    char *text = json_dumps(header, JSON_REAL_PRECISION(9));
    json_decref(header);
    header = json_loads(text, 0, NULL);
    MUST(operating_point_read(header, &found, &known, "m", &err));
    assert_true(known && found.direction == TOWARDS_RECALL && found.threshold == point.threshold && found.merge_types);
    assert_true(found.by_words);
    assert_string_equal(found.method, "kd-fix@crf");
    assert_true(found.raw && found.draws == 30 && found.unit == TRADE_WORDS && found.wanted == TOWARDS_PRECISION);
    assert_true(found.target == 89.5 && found.rates.precision == 90 && found.rates.recall == 80 &&
                found.rates.f1 == 85);
    json_object_clear(header);
    MUST(operating_point_read(header, &found, &known, "m", &err));
    assert_false(known);
    json_decref(header);
    free(text);
}

TEST(a_point_that_makes_no_sense_is_refused)
{
    static const char *const each[] = {
        "1",
        "{}",
        "{\"direction\": \"up\"}",
        "{\"direction\": 1}",
        "{\"method\": null}",
        "{\"method\": \"0123456789012345678901234567890123456789\"}",
        "{\"draws\": -1}",
        "{\"draws\": 100000}",
        "{\"threshold\": \"0.5\"}",
        "{\"threshold\": null}",
        "{\"unit\": \"letters\"}",
        "{\"wanted\": {}}",
        "{\"recall\": true}",
    };
    struct operating_point point = {.threshold = 0.5, .method = "gamma"}, found;
    bool known;
    for (size_t i = 0; i < sizeof each / sizeof *each; i++) {
        json_t *kept = i < 2 ? json_loads(each[i], JSON_DECODE_ANY, NULL) : operating_point_json(&point);
        json_t *other = json_loads(each[i], JSON_DECODE_ANY, NULL);
        if (i >= 2)
            json_object_update(kept, other);
        json_t *header = json_pack("{s:o}", "operating_point", kept);
        if (operating_point_read(header, &found, &known, "m", &err))
            fail_msg("%s was taken", each[i]);
        assert_string_equal(err.message, "m: the operating point in the header makes no sense");
        json_decref(other);
        json_decref(header);
    }
}
