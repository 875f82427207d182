/* Tests confidence as each format writes it: estimates, alternatives, thresholds, and what was not computed. */
#include "text/reader.h"
#include "answer/doubt.h"
#include "text/writer.h"

#include "folder.h"
#include "test.h"

#include <locale.h>

static struct vouch_error err;

/* --- the answers, and how far they are trusted ------------------------- */

/* Ada King left Bonn: a chunk of two words, and one of one. */
static const struct text labels[] = {{"B-PER", 5}, {"I-PER", 5}, {"O", 1}, {"B-LOC", 5}};
static const struct span spans[] = {{0, 2, {"PER", 3}}, {3, 4, {"LOC", 3}}};
static const double words[] = {0.95, 0.9312345678, NAN, 0.25}, margins[] = {INFINITY, 2.5, 0, 1e-7};
static const double chunks[] = {0.875, 0.25};
static const struct method_confidence estimates[] = {
    {.method = "kd-fix", .calibrated = true, .word = words, .span = chunks, .sentence = 0.5},
    {.method = "delta", .word = margins, .sentence = NAN},
};
static const struct alternative others[] = {
    {{"B-PER", 5}, 0, 0.95},  {{"O", 1}, 0, 0.05}, {{"I-PER", 5}, 0, 1}, {{0}, 0, 0},
    {{"O", 1}, 0, 0.6666666}, {{"X", 1}, 0, 0.25}, {{"\"", 1}, 0, 0.5},  {{"\\", 1}, 0, 0.25},
};
static const uint32_t found[] = {2, 1, 2, 2};

static const struct confidences one = {.by_method = estimates, .methods = 1, .span = spans, .spans = 2};
static const struct confidences two = {.by_method = estimates, .methods = 2, .span = spans, .spans = 2};
static const struct confidences full = {.by_method = estimates,
                                        .methods = 1,
                                        .span = spans,
                                        .spans = 2,
                                        .alternative = others,
                                        .found = found,
                                        .alternatives = 2};

/* The same for a tree. */
static const uint32_t heads[] = {2, 3, 0, 3};
static const struct text relations[] = {{"nsubj", 5}, {"flat", 4}, {"root", 4}, {"obj", 3}};
static const double arcs[] = {0.9731, 0.25, NAN, 1}, names[] = {0.9412, 0.75, 0.125, NAN};
static const struct method_confidence tree_estimates[] = {
    {.method = "kd-fix", .calibrated = true, .word = arcs, .relation = names, .sentence = 0.61},
    {.method = "k-best.2x", .word = margins, .sentence = 0.25},
};
static const struct alternative other_heads[8] = {
    [0] = {.head = 2, .probability = 0.91},
    [1] = {.head = 0, .probability = 0.06},
    [2] = {.head = 3, .probability = 0.5},
    [6] = {.head = 3, .probability = 1},
};
static const uint32_t found_heads[] = {2, 1, 0, 1};
static const struct confidences tree_one = {.by_method = tree_estimates, .methods = 1};
static const struct confidences tree_two = {.by_method = tree_estimates, .methods = 2};
static const struct confidences tree_full = {
    .by_method = tree_estimates, .methods = 1, .alternative = other_heads, .found = found_heads, .alternatives = 2};

/* --- what the tests share ---------------------------------------------------------- */

#define CUT(value) .threshold = (value)
#define WHOLE .threshold = NAN

/* What to write, and what to doubt. */
struct how {
    enum format format;
    uint32_t column;
    double threshold;
    struct text replacement;
};

/* Reads `text`, writes every sentence with the answers above, and expects the output. */
static void expect(const char *text, bool trees, struct how how, const struct confidences *confidences,
                   const char *expected)
{
    struct writer_options options = {
        .format = how.format, .column = how.column, .alone = true}; /* so that texts need no blank line at the end */
    struct doubt_rule rule = {!isnan(how.threshold), how.threshold, how.replacement.length ? how.replacement.at : NULL};
    static const struct confidences unknown = {0}; /* of a document mark */
    struct vouch_answer answer = {0};
    struct reader_options reading = {.format = how.format, .gold = GOLD_NONE, .trees = trees};
    struct reader *reader = reader_open(folder_put("in", text), &reading, &err);
    if (!reader)
        fail_msg("%s", err.message);
    struct output *out = output_open(folder_file("out"), &err);
    struct sentence sentence = {0};
    options.separator = reader->separator;
    while (reader_next(reader, &sentence, &err) == READ_SENTENCE) {
        assert_true(sentence.N <= 4);
        answer_release(&answer);
        answer = (struct vouch_answer){.N = sentence.N,
                                       .label = trees ? relations : labels,
                                       .head = trees ? heads : NULL,
                                       .confidences = sentence.boundary && confidences ? &unknown : confidences};
        assert_true(doubt_mark(&rule, &answer, &err));
        struct marks marks = {confidences, answer.doubtful, answer.replaced};
        assert_true(write_sentence(out, &options, &sentence, answer.head, answer.label, &marks, &err));
    }
    assert_true(output_commit(out, &err));
    answer_release(&answer);
    char *written = folder_get(folder_file("out"));
    assert_string_equal(written, expected);
    free(written);
    sentence_release(&sentence);
    reader_close(reader);
}

static void expect_labels(const char *text, struct how how, const struct confidences *confidences, const char *expected)
{
    expect(text, false, how, confidences, expected);
}

static void expect_tree(const char *text, struct how how, const struct confidences *confidences, const char *expected)
{
    expect(text, true, how, confidences, expected);
}

/* --- CoNLL columns ---------------------------------------------------- */

static const char columns[] = "# a comment\nAda N\nKing N\nleft V\nBonn N\n";

TEST_IN_FOLDER(conll_has_a_column_for_each_method)
{
    struct how conll = {.format = FORMAT_CONLL, WHOLE};
    expect_labels(columns, conll, &one,
                  "# a comment\nAda N B-PER 0.95\nKing N I-PER 0.931235\nleft V O _\nBonn N B-LOC 0.25\n\n");
    expect_labels(
        columns, conll, &two,
        "# a comment\nAda N B-PER 0.95 inf\nKing N I-PER 0.931235 2.5\nleft V O _ 0\nBonn N B-LOC 0.25 1e-07\n\n");
    expect_labels("Ada\tN N\nKing\tN\n", conll, &one, "Ada\tN N\tB-PER\t0.95\nKing\tN\tI-PER\t0.931235\n\n");
}

TEST_IN_FOLDER(conll_has_a_column_of_alternatives)
{
    expect_labels(columns, (struct how){.format = FORMAT_CONLL, WHOLE}, &full,
                  "# a comment\nAda N B-PER 0.95 B-PER:0.95|O:0.05\nKing N I-PER 0.931235 I-PER:1\n"
                  "left V O _ O:0.666667|X:0.25\nBonn N B-LOC 0.25 \":0.5|\\:0.25\n\n");
}

TEST_IN_FOLDER(conll_flags_or_replaces)
{
    struct how conll = {.format = FORMAT_CONLL, CUT(0.5)};
    expect_labels(columns, conll, &one,
                  "# a comment\nAda N B-PER 0.95 _\nKing N I-PER 0.931235 _\nleft V O _ _\nBonn N B-LOC 0.25 ?\n\n");
    conll.replacement = text_of("UNSURE");
    expect_labels(columns, conll, &one,
                  "# a comment\nAda N B-PER 0.95\nKing N I-PER 0.931235\nleft V O _\nBonn N UNSURE 0.25\n\n");
    conll.threshold = 0.25; /* not below */
    expect_labels(columns, conll, &one,
                  "# a comment\nAda N B-PER 0.95\nKing N I-PER 0.931235\nleft V O _\nBonn N B-LOC 0.25\n\n");
}

TEST_IN_FOLDER(chunks_are_doubted_as_a_whole)
{
    struct how conll = {.format = FORMAT_CONLL, CUT(0.9)}; /* the chunk has 0.875, its words more */
    expect_labels(columns, conll, &one,
                  "# a comment\nAda N B-PER 0.95 ?\nKing N I-PER 0.931235 ?\nleft V O _ _\nBonn N B-LOC 0.25 ?\n\n");
    static const struct method_confidence silent = {.method = "m", .word = words, .sentence = NAN};
    struct confidences by_words = one;
    by_words.by_method = &silent;
    conll.threshold = 0.94; /* the second word of the chunk alone is below */
    expect_labels(columns, conll, &by_words,
                  "# a comment\nAda N B-PER 0.95 ?\nKing N I-PER 0.931235 ?\nleft V O _ _\nBonn N B-LOC 0.25 ?\n\n");
}

TEST_IN_FOLDER(document_marks_have_all_columns)
{
    struct how options = {.format = FORMAT_CONLL, CUT(0.99)};
    expect_labels("-DOCSTART- N\n\nAda N\n", options, &full,
                  "-DOCSTART- N O _ _ _\n\nAda N B-PER 0.95 B-PER:0.95|O:0.05 ?\n\n");
    options.replacement = text_of("X");
    expect_labels("-DOCSTART- N\n", options, &one, "-DOCSTART- N O _\n\n");
    options.format = FORMAT_PLAIN;
    expect_labels("-DOCSTART-\nAda\n", options, &one, "-DOCSTART-/O/_\nAda/X/0.95\n");
    options.format = FORMAT_JSONL;
    expect_labels("{\"tokens\": [\"-DOCSTART-\"]}\n", options, &one, "{\"tokens\": [\"-DOCSTART-\"]}\n");
}

TEST_IN_FOLDER(the_header_is_a_comment)
{
    struct output *out = output_open(folder_file("out"), &err);
    struct writer_options options = {.format = FORMAT_CONLL, .separator = ' '};
    assert_true(write_header(out, &options, estimates, 2, &err));
    options.format = FORMAT_JSONL; /* the format holds it itself */
    assert_true(write_header(out, &options, estimates, 2, &err));
    options.format = FORMAT_PLAIN;
    assert_false(write_header(out, &options, estimates, 2, &err));
    assert_string_equal(err.message, "plain files have no place for comments");
    assert_true(output_commit(out, &err));
    char *written = folder_get(folder_file("out"));
    assert_string_equal(written, "# conf_method=kd-fix:calibrated,delta:raw\n");
    free(written);
}

/* --- plain lines and CRFsuite ----------------------------------------- */

TEST_IN_FOLDER(plain_lines_have_triples)
{
    struct how plain = {.format = FORMAT_PLAIN, WHOLE};
    expect_labels("Ada King left Bonn\n", plain, &two, "Ada/B-PER/0.95 King/I-PER/0.931235 left/O/_ Bonn/B-LOC/0.25\n");
    plain.threshold = 0.5;
    expect_labels("Ada King left Bonn\n", plain, &one,
                  "Ada/B-PER/0.95 King/I-PER/0.931235 left/O/_ Bonn/B-LOC/0.25?\n");
    plain.replacement = text_of("?");
    expect_labels("Ada King left Bonn\n", plain, &one, "Ada/B-PER/0.95 King/I-PER/0.931235 left/O/_ Bonn/?/0.25\n");
}

TEST_IN_FOLDER(crfsuite_has_numbers_behind_colons)
{
    struct how crfsuite = {.format = FORMAT_CRFSUITE, WHOLE};
    const char *text = "x\ta=1\nx\ta=2\nx\ta=3\nx\ta=4\n";
    expect_labels(text, crfsuite, &one, "B-PER:0.95\nI-PER:0.931235\nO:_\nB-LOC:0.25\n\n");
    expect_labels(text, crfsuite, &two, "B-PER:0.95:inf\nI-PER:0.931235:2.5\nO:_:0\nB-LOC:0.25:1e-07\n\n");
    crfsuite.threshold = 0.5;
    expect_labels(text, crfsuite, &one, "B-PER:0.95:_\nI-PER:0.931235:_\nO:_:_\nB-LOC:0.25:?\n\n");
    crfsuite.replacement = text_of("O");
    expect_labels(text, crfsuite, &one, "B-PER:0.95\nI-PER:0.931235\nO:_\nO:0.25\n\n");
}

/* --- JSON lines ------------------------------------------------------- */

#define TOKENS "\"tokens\":[\"Ada\",\"King\",\"left\",\"Bonn\"]"
#define PREDICTED "\"predicted\":[\"B-PER\",\"I-PER\",\"O\",\"B-LOC\"]"
#define PER "{\"start\":0,\"end\":2,\"label\":\"PER\",\"confidence\":0.875}"
#define LOC "{\"start\":3,\"end\":4,\"label\":\"LOC\",\"confidence\":0.25}"
#define FIRST "\"method\":\"kd-fix\",\"calibrated\":true,\"words\":[0.95,0.931235,null,0.25],\"sentence\":0.5"
#define CONFIDENCE "\"confidence\":{" FIRST "}"

TEST_IN_FOLDER(jsonl_has_objects)
{
    struct how jsonl = {.format = FORMAT_JSONL, WHOLE};
    expect_labels("{" TOKENS "}\n", jsonl, &one,
                  "{" TOKENS "," PREDICTED ",\"spans\":[" PER "," LOC "]," CONFIDENCE "}\n");
    expect_labels(
        "{" TOKENS "}\n", jsonl, &two,
        "{" TOKENS "," PREDICTED ",\"spans\":[" PER "," LOC "]," CONFIDENCE ",\"confidences\":[{" FIRST
        ",\"spans\":[0.875,0.25]},{\"method\":\"delta\",\"calibrated\":false,\"words\":[\"inf\",2.5,0.0,1e-7],"
        "\"sentence\":null,\"spans\":[null,null]}]}\n");
    expect_labels("{" TOKENS "}\n", jsonl, &full,
                  "{" TOKENS "," PREDICTED ",\"spans\":[" PER "," LOC "]," CONFIDENCE ",\"alternatives\":["
                  "[{\"label\":\"B-PER\",\"probability\":0.95},{\"label\":\"O\",\"probability\":0.05}],"
                  "[{\"label\":\"I-PER\",\"probability\":1.0}],"
                  "[{\"label\":\"O\",\"probability\":0.666667},{\"label\":\"X\",\"probability\":0.25}],"
                  "[{\"label\":\"\\\"\",\"probability\":0.5},{\"label\":\"\\\\\",\"probability\":0.25}]]}\n");
}

TEST_IN_FOLDER(jsonl_flags_or_replaces)
{
    struct how jsonl = {.format = FORMAT_JSONL, CUT(0.5)};
    expect_labels("{" TOKENS "}\n", jsonl, &one,
                  "{" TOKENS "," PREDICTED ",\"spans\":[" PER "," LOC "]," CONFIDENCE ",\"doubtful\":[3]}\n");
    jsonl.replacement = text_of("?"); /* belongs to no scheme, and is outside */
    expect_labels("{" TOKENS "}\n", jsonl, &one,
                  "{" TOKENS ",\"predicted\":[\"B-PER\",\"I-PER\",\"O\",\"?\"],\"spans\":[" PER "]," CONFIDENCE "}\n");
    jsonl.threshold = 0.9;
    expect_labels("{" TOKENS "}\n", jsonl, &one,
                  "{" TOKENS ",\"predicted\":[\"?\",\"?\",\"O\",\"?\"],\"spans\":[]," CONFIDENCE "}\n");
    jsonl.replacement = text_of("B-X"); /* chunks that were not judged */
    jsonl.threshold = 0.5;
    expect_labels("{" TOKENS "}\n", jsonl, &one,
                  "{" TOKENS ",\"predicted\":[\"B-PER\",\"I-PER\",\"O\",\"B-X\"],\"spans\":[" PER
                  ",{\"start\":3,\"end\":4,\"label\":\"X\",\"confidence\":0.25}]," CONFIDENCE "}\n");
}

TEST_IN_FOLDER(jsonl_replaces_keys_and_keeps_numbers)
{
    struct how jsonl = {.format = FORMAT_JSONL, WHOLE};
    expect_labels("{\"confidence\":1,\"spans\":2,\"confidences\":3,\"alternatives\":4,\"doubtful\":5,\"n\":0.12345678,"
                  "\"predicted\":6," TOKENS "}\n",
                  jsonl, &one,
                  "{\"n\":0.12345678," PREDICTED "," TOKENS ",\"spans\":[" PER "," LOC "]," CONFIDENCE "}\n");
    expect_labels("{\"confidence\":1,\"tokens\":[]}\n", jsonl, NULL,
                  "{\"confidence\":1,\"tokens\":[],\"predicted\":[],\"spans\":[]}\n");
}

/* --- trees ------------------------------------------------------------ */

#define LINE(id, form, head, relation, misc) id "\t" form "\t_\tX\t_\t_\t" head "\t" relation "\t_\t" misc "\n"

static const char tree[] = LINE("1", "Ada", "_", "_", "_") LINE("2", "King", "_", "_", "A=b|Doubt=Yes|C")
    LINE("3", "left", "_", "_", "RelConf=1|HeadConf=1|HeadConf_KdFix=2")
        LINE("4", "Bonn", "_", "_", "HeadConfX=1|HeadConf_x=2|HeadAlt=3:1") "\n";

TEST_IN_FOLDER(conllu_has_attributes_and_comments)
{
    struct how conllu = {.format = FORMAT_CONLLU, WHOLE};
    expect_tree(tree, conllu, &tree_one,
                "# conf = 0.61\n# conf_method = kd-fix (calibrated)\n" LINE("1", "Ada", "2", "nsubj",
                                                                            "HeadConf=0.9731|RelConf=0.9412")
                    LINE("2", "King", "3", "flat", "A=b|C|HeadConf=0.25|RelConf=0.75")
                        LINE("3", "left", "0", "root", "RelConf=0.125")
                            LINE("4", "Bonn", "3", "obj", "HeadConfX=1|HeadConf_x=2|HeadConf=1") "\n");
    expect_tree(
        tree, conllu, &tree_two,
        "# conf = 0.61\n# conf_KBest2x = 0.25\n# conf_method = kd-fix (calibrated), k-best.2x (raw)\n" LINE(
            "1", "Ada", "2", "nsubj", "HeadConf=0.9731|RelConf=0.9412|HeadConf_KBest2x=inf")
            LINE("2", "King", "3", "flat", "A=b|C|HeadConf=0.25|RelConf=0.75|HeadConf_KBest2x=2.5")
                LINE("3", "left", "0", "root", "RelConf=0.125|HeadConf_KBest2x=0")
                    LINE("4", "Bonn", "3", "obj", "HeadConfX=1|HeadConf_x=2|HeadConf=1|HeadConf_KBest2x=1e-07") "\n");
    expect_tree(LINE("1", "Ada", "_", "_", "_") LINE("2", "King", "_", "_", "_"), conllu, &tree_full,
                "# conf = 0.61\n# conf_method = kd-fix (calibrated)\n" LINE(
                    "1", "Ada", "2", "nsubj", "HeadConf=0.9731|RelConf=0.9412|HeadAlt=2:0.91,0:0.06")
                    LINE("2", "King", "3", "flat", "HeadConf=0.25|RelConf=0.75|HeadAlt=3:0.5") "\n");
}

TEST_IN_FOLDER(conllu_replaces_its_own_comments)
{
    struct how conllu = {.format = FORMAT_CONLLU, WHOLE};
    static const struct method_confidence silent = {.method = "m", .sentence = NAN};
    const char *word = LINE("1", "Ada", "_", "_", "HeadConf=1"), *end = "# conf = 7\n";
    char text[500];
    snprintf(text, sizeof text,
             "# conf = 1\n# conference = 2\n#conf_method=x\n# conf_KdFix = 3\n# conf_x = 4\n# conf\n"
             "1-1\tAda\t_\t_\t_\t_\t_\t_\t_\tHeadConf=1\n%s\n%s",
             word, end);
    expect_tree(text, conllu, &(struct confidences){.by_method = &silent, .methods = 1},
                "# conference = 2\n# conf_x = 4\n# conf\n# conf_method = m (raw)\n"
                "1-1\tAda\t_\t_\t_\t_\t_\t_\t_\tHeadConf=1\n" LINE("1", "Ada", "2", "nsubj", "_") "\n# conf = 7\n");
}

TEST_IN_FOLDER(conllu_flags_or_replaces)
{
    struct how conllu = {.format = FORMAT_CONLLU, CUT(0.5)};
    const char *text = LINE("1", "Ada", "_", "_", "Doubt=Yes") LINE("2", "King", "_", "_", "_")
        LINE("3", "left", "_", "_", "_") LINE("4", "Bonn", "_", "_", "_");
    expect_tree(text, conllu, &tree_one,
                "# conf = 0.61\n# conf_method = kd-fix (calibrated)\n" LINE("1", "Ada", "2", "nsubj",
                                                                            "HeadConf=0.9731|RelConf=0.9412")
                    LINE("2", "King", "3", "flat", "HeadConf=0.25|RelConf=0.75|Doubt=Yes")
                        LINE("3", "left", "0", "root", "RelConf=0.125|Doubt=Yes")
                            LINE("4", "Bonn", "3", "obj", "HeadConf=1") "\n");
    conllu.replacement = text_of("dep");
    expect_tree(text, conllu, &tree_one,
                "# conf = 0.61\n# conf_method = kd-fix (calibrated)\n" LINE("1", "Ada", "2", "nsubj",
                                                                            "HeadConf=0.9731|RelConf=0.9412")
                    LINE("2", "King", "3", "dep", "HeadConf=0.25|RelConf=0.75")
                        LINE("3", "left", "0", "dep", "RelConf=0.125")
                            LINE("4", "Bonn", "3", "obj", "HeadConf=1") "\n");
}

#define TREE_FIRST                                                                                                     \
    "{\"method\":\"kd-fix\",\"calibrated\":true,\"heads\":[0.9731,0.25,null,1.0],\"relations\":[0.9412,0.75,0.125,"    \
    "null],\"sentence\":0.61}"
#define HEADS "\"predicted_heads\":[2,3,0,3]"

TEST_IN_FOLDER(trees_in_jsonl_have_objects)
{
    struct how jsonl = {.format = FORMAT_JSONL, CUT(0.5)};
    expect_tree("{" TOKENS ",\"spans\":1}\n", jsonl, &tree_two,
                "{" TOKENS ",\"spans\":1," HEADS ",\"predicted_relations\":[\"nsubj\",\"flat\",\"root\",\"obj\"],"
                "\"confidence\":" TREE_FIRST ",\"confidences\":[" TREE_FIRST
                ",{\"method\":\"k-best.2x\",\"calibrated\":false,\"heads\":[\"inf\",2.5,0.0,1e-7],\"relations\":null,"
                "\"sentence\":0.25}],\"doubtful\":[1,2]}\n");
    jsonl.replacement = text_of("dep");
    expect_tree("{" TOKENS "}\n", jsonl, &tree_full,
                "{" TOKENS "," HEADS ",\"predicted_relations\":[\"nsubj\",\"dep\",\"dep\",\"obj\"],"
                "\"confidence\":" TREE_FIRST ",\"alternatives\":[[{\"head\":2,\"probability\":0.91},{\"head\":0,"
                "\"probability\":0.06}],[{\"head\":3,\"probability\":0.5}],[],[{\"head\":3,\"probability\":1.0}]]}\n");
}

/* --- numbers ---------------------------------------------------------- */

TEST_IN_FOLDER(numbers_have_a_full_stop_in_every_locale)
{
    static const char *const names_of[] = {"de_DE.UTF-8", "fr_FR.UTF-8", "ps_AF.UTF-8"};
    bool any = false;
    for (size_t i = 0; i < sizeof names_of / sizeof *names_of; i++) {
        if (!setlocale(LC_NUMERIC, names_of[i]))
            continue;
        any = true;
        expect_labels("Ada King left Bonn\n", (struct how){.format = FORMAT_PLAIN, WHOLE}, &two,
                      "Ada/B-PER/0.95 King/I-PER/0.931235 left/O/_ Bonn/B-LOC/0.25\n");
        expect_labels("{" TOKENS "}\n", (struct how){.format = FORMAT_JSONL, WHOLE}, &one,
                      "{" TOKENS "," PREDICTED ",\"spans\":[" PER "," LOC "]," CONFIDENCE "}\n");
    }
    setlocale(LC_NUMERIC, "C");
    if (!any)
        skip(); /* no such locale is installed */
}
