/* Tests sentences in colour: chunks, doubtful words, and the legend for them. */
#include "cli/colour.h"

#include "folder.h"
#include "test.h"

static struct vouch_error err;
static uint32_t first[] = {0, 1, 2, 3, 4};
static struct text cell[] = {{"Ada", 3}, {"King", 4}, {"left", 4}, {"Bonn", 4}};
static const struct sentence sentence = {.N = 4, .first = first, .cell = cell};
static const struct text labels[] = {{"B-PER", 5}, {"I-PER", 5}, {"O", 1}, {"O", 1}};
static const struct span span = {0, 2, {"PER", 3}};

static void expect_output(struct colouring *c, const char *expected)
{
    assert_true(output_commit(c->out, &err));
    colouring_release(c);
    char *found = folder_get(folder_file("out"));
    assert_string_equal(found, expected);
    free(found);
}

static void expect_labels(const struct method_confidence *by_method, const char *expected)
{
    static const struct vouch_model model = {0}; /* without labels all types have the first colour */
    struct colouring c = {.out = output_open(folder_file("out"), &err), .model = &model};
    struct confidences confidences = {.by_method = by_method, .methods = 1, .span = &span, .spans = 1};
    struct vouch_answer answer = {.confidences = by_method ? &confidences : NULL};
    assert_true(colour_sentence(&c, &sentence, labels, &answer, &err));
    expect_output(&c, expected);
}

TEST_IN_FOLDER(words_of_doubt_stand_out)
{
    double sure[] = {0.9, 0.8, 0.9, NAN}, little[] = {0.79, 0.9, 0.79, 0.8}, least[] = {0.9, 0.9, 0.49, 0.5};
    double chunk = 0.4;
    struct method_confidence o = {.method = "m", .calibrated = true, .word = sure};
    const char *plain = "\033[1;32mAda\033[0m \033[1;32mKing\033[0;2m/PER\033[0m left Bonn\n";
    expect_labels(NULL, plain);
    expect_labels(&o, plain);
    o.word = little;
    expect_labels(&o, "\033[1;4;32mAda\033[0m \033[1;4;32mKing\033[0;2m/PER\033[0m \033[4;33mleft\033[0m Bonn\n");
    o.word = least;
    o.span = &chunk;
    expect_labels(&o, "\033[1;7;31mAda\033[0m \033[1;7;31mKing\033[0;2m/PER\033[0m \033[1;7;31mleft\033[0m "
                      "\033[4;33mBonn\033[0m\n");
}

TEST_IN_FOLDER(margins_have_limits_of_their_own)
{
    double margins[] = {1, 1, 0.9, 0.3};
    struct method_confidence o = {.method = "delta@crf", .margin = true, .word = margins};
    const char *chunk = "\033[1;32mAda\033[0m \033[1;32mKing\033[0;2m/PER\033[0m";
    char expected[200];
    snprintf(expected, sizeof expected, "%s \033[4;33mleft\033[0m \033[4;33mBonn\033[0m\n", chunk);
    expect_labels(&o, expected);
    o.calibrated = true; /* then they are probabilities */
    o.margin = false;
    snprintf(expected, sizeof expected, "%s left \033[1;7;31mBonn\033[0m\n", chunk);
    expect_labels(&o, expected);
}

TEST_IN_FOLDER(trees_name_the_heads_of_doubtful_words)
{
    uint32_t ten[] = {0, 10, 20}, head[] = {2, 0};
    struct text nodes[20] = {[1] = {"Ada", 3}, [11] = {"left", 4}};
    struct sentence tree = {.N = 2, .first = ten, .cell = nodes, .tree = true};
    double arcs[] = {0.9, 0.4}, names[] = {0.6, NAN};
    struct method_confidence o = {.method = "m", .word = arcs, .relation = names};
    struct confidences confidences = {.by_method = &o, .methods = 1};
    struct colouring c = {.out = output_open(folder_file("out"), &err)};
    struct vouch_answer judged = {.head = head, .confidences = &confidences}, plain = {.head = head};
    assert_true(colour_sentence(&c, &tree, NULL, &judged, &err));
    assert_true(colour_sentence(&c, &tree, NULL, &plain, &err));
    expect_output(&c, "\033[4;33mAda\033[0;2m<left\033[0m \033[1;7;31mleft\033[0;2m<ROOT\033[0m\nAda left\n");
}

TEST_IN_FOLDER(the_legend_names_method_and_limits)
{
    struct colouring c = {.out = output_open(folder_file("out"), &err)};
    colour_legend(&c, &(struct method_confidence){.method = "kd-fix", .calibrated = true});
    colour_legend(&c, &(struct method_confidence){.method = "delta", .margin = true});
    expect_output(&c, "\033[2mconfidence by kd-fix (calibrated):\033[0m \033[1;7;31mbelow 0.5\033[0m "
                      "\033[4;33mbelow 0.8\033[0m\n"
                      "\033[2mconfidence by delta (raw: it ranks, and is no probability):\033[0m "
                      "\033[1;7;31mbelow 0.3\033[0m \033[4;33mbelow 1\033[0m\n");
}
