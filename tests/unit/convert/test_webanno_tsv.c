/* Tests WebAnno TSV: offsets in UTF-16, stacked and long spans, relations, trees, tags, escapes; writing it again. */
#include "convert/annotation_formats.h"

#include "must.h"

extern const struct annotation_format webanno_tsv_format;

#define DKPRO "de.tudarmstadt.ukp.dkpro.core.api."
#define HEADER "#FORMAT=WebAnno TSV 3.3\n"
#define NAMES "#T_SP=" DKPRO "ner.type.NamedEntity|value\n"

static struct annotated_texts texts;
static struct format_choices choices;

static bool read_file(const char *text)
{
    const struct annotated_source source = {.name = "a/b.tsv", .bytes = text, .length = strlen(text)};
    texts_init(&texts);
    texts.file = "a/b.tsv";
    return webanno_tsv_format.read(&source, &choices, &texts, &err);
}

static const struct annotated *read_document(const char *text)
{
    MUST(read_file(text));
    assert_int_equal(texts.count, 1);
    return &texts.document[0];
}

static void assert_text(struct text found, const char *expected)
{
    assert_int_equal(found.length, strlen(expected));
    assert_memory_equal(found.at, expected, found.length);
}

static void assert_span(const struct annotated *doc, uint32_t span, const char *label, const char *text)
{
    assert_true(span < doc->spans);
    assert_text(doc->span[span].label, label);
    assert_text(annotated_bytes(doc, doc->span[span].begin, doc->span[span].end), text);
}

/* Writes what was read, and compares. */
static void assert_written(const char *expected)
{
    size_t length = 0;
    struct output *out = output_open_memory(&err);
    MUST(out != NULL);
    MUST(webanno_tsv_format.write(out, NULL, &choices, &texts, &err));
    const char *text = output_text(out, &length);
    assert_true(text != NULL);
    char *copy = malloc(length + 1);
    memcpy(copy, text, length);
    copy[length] = '\0';
    assert_string_equal(copy, expected);
    free(copy);
    output_discard(out);
}

/* The first character is two units. */
static const char small[] = HEADER NAMES "#T_RL=webanno.custom.Relation|label|BT_" DKPRO "ner.type.NamedEntity\n\n\n"
    "#Sentence.id=s\\\\1\n#Text=\xF0\x9F\x98\x80 Zo\xC3\xAB left\n#Text=The\\tHague .\n"
    "1-1\t0-2\t\xF0\x9F\x98\x80\t_\t_\t_\t\n"
    "1-2\t3-6\tZo\xC3\xAB\tPER[1]|A\\_\\|\\[\\]\\;\\*\\\\\\->b[2]\tfrom|*\t1-4[3_1]|2-1[0_2]\t\n"
    "1-3\t7-11\tleft\t_\t_\t_\t\n"
    "1-4\t12-15\tThe\tLOC[3]\t_\t_\t\n"
    "1-5\t16-21\tHague\tLOC[3]\t_\t_\t\n"
    "1-6\t22-23\t.\t_\t_\t_\t\n\n"
    "#Text=Yes\n2-1\t24-27\tYes\t*\t_\t_\t\n";

TEST(spans_and_relations)
{
    const struct annotated *doc = read_document(small);
    assert_text(doc->id, "b");
    assert_text(doc->text, "\xF0\x9F\x98\x80 Zo\xC3\xAB left\nThe\tHague .\nYes");
    assert_int_equal(doc->words, 7);
    assert_int_equal(doc->sentences, 2);
    assert_text(doc->sentence[0].id, "s\\1");
    assert_int_equal(doc->spans, 4);
    assert_span(doc, 0, "PER", "Zo\xC3\xAB");
    assert_span(doc, 1, "A_|[];*\\->b", "Zo\xC3\xAB");
    assert_span(doc, 2, "LOC", "The\tHague");
    assert_span(doc, 3, "NamedEntity", "Yes");
    assert_int_equal(doc->relations, 2);
    assert_int_equal(doc->relation[0].from, 2);
    assert_int_equal(doc->relation[0].to, 0);
    assert_text(doc->relation[0].label, "from");
    assert_int_equal(doc->relation[1].from, 3);
    assert_int_equal(doc->relation[1].to, 1);
    assert_written(small);
    assert_int_equal(texts.counts.unsaid[KEPT_TEXT], 0);
    texts_release(&texts);
}

static const char tree[] = HEADER "#T_SP=" DKPRO "lexmorph.type.pos.POS|PosValue|coarseValue\n"
    "#T_SP=" DKPRO "segmentation.type.Lemma|value\n"
    "#T_SP=" DKPRO "lexmorph.type.morph.MorphologicalFeatures|value\n"
    "#T_RL=" DKPRO "syntax.type.dependency.Dependency|DependencyType|BT_" DKPRO "lexmorph.type.pos.POS\n\n\n"
    "#Text=Ada left .\n"
    "1-1\t0-3\tAda\tNNP\t*\tAda\t_\tnsubj\t1-2\t\n"
    "1-2\t4-8\tleft\tVBD\tVERB\tleave\tTense=Past|Mood=Ind\troot\t1-2\t\n"
    "1-3\t9-10\t.\t_\t_\t_\t_\t_\t_\t\n";

TEST(trees_and_tags)
{
    char text[sizeof tree + 8];
    const char *bar = strstr(tree, "|Mood");
    snprintf(text, sizeof text, "%.*s\\%s", (int)(bar - tree), tree, bar);
    const struct annotated *doc = read_document(text);
    assert_int_equal(doc->spans, 0);
    assert_int_equal(doc->head[0], 2);
    assert_int_equal(doc->head[1], 0);
    assert_int_equal(doc->head[2], NO_HEAD);
    assert_text(doc->deprel[0], "nsubj");
    assert_text(annotated_has_column(doc, "xpos")->cell[0], "NNP");
    assert_text(annotated_has_column(doc, "upos")->cell[0], "");
    assert_text(annotated_has_column(doc, "upos")->cell[1], "VERB");
    assert_text(annotated_has_column(doc, "lemma")->cell[1], "leave");
    assert_text(annotated_has_column(doc, "feats")->cell[1], "Tense=Past|Mood=Ind");
    assert_written(text);
    texts_release(&texts);
}

/* Sentences without a gap, and with a wide one; the layer is chosen, and its feature "value" is the label. */
TEST(gaps_and_choices)
{
    static const char text[] = HEADER "#T_SP=a.First|x\n#T_SP=a.Second|id|value\n\n\n"
        "#Text=A.\n1-1\t2-4\tA.\tX\t7\tY\t\n\n#Text=B\n2-1\t4-5\tB\t_\t_\t_\t\n\n#Text=C\n3-1\t8-9\tC\t_\t*\t*\t\n";
    choices.layer = "Second";
    const struct annotated *doc = read_document(text);
    assert_text(doc->text, "  A.B\n  C");
    assert_span(doc, 0, "Y", "A.");
    assert_span(doc, 1, "Second", "C");
    assert_int_equal(texts.counts.other, 2); /* X, and an id */
    choices.layer = "a.Second";
    assert_written(HEADER "#T_SP=a.Second|value\n\n\n#Text=A.\n1-1\t2-4\tA.\tY\t\n\n#Text=B\n2-1\t4-5\tB\t_\t\n\n"
                          "#Text=C\n3-1\t8-9\tC\t*\t\n");
    texts_release(&texts);
    choices.layer = NULL;
}

TEST(pieces_of_words)
{
    static const char text[] = HEADER NAMES "\n\n#Text=cannot be\n1-1\t0-6\tcannot\t_\t\n1-1.1\t3-6\tnot\tNEG\t\n"
                                            "1-1.2\t3-3\t\tX\t\n1-2\t7-9\tbe\t_\t\n";
    assert_false(read_file(text));
    assert_non_null(strstr(err.message, "inside of"));
    texts_release(&texts);
    const struct annotated_source source = {.name = "b.tsv", .bytes = text, .length = strlen(text)};
    texts_init(&texts);
    texts.edges = EDGES_CUT;
    MUST(webanno_tsv_format.read(&source, &choices, &texts, &err));
    assert_span(&texts.document[0], 0, "NEG", "not");
    assert_int_equal(texts.document[0].words, 3);
    assert_int_equal(texts.counts.other, 1); /* what covers nothing */
    texts_release(&texts);
}

TEST(wrong_files_are_refused)
{
    static const struct {
        const char *text, *message;
    } wrong[] = {
        {"x\n", "a/b.tsv:1: expected '#FORMAT=WebAnno TSV 3.3', found 'x'"},
        {"#FORMAT=WebAnno TSV 3.1\n", "a/b.tsv:1: expected '#FORMAT=WebAnno TSV 3.3', found '#FORMAT=WebAnno TSV 3.1'"},
        {HEADER "#T_XX=a\n", "a/b.tsv:2: expected a layer, found '#T_XX=a'"},
        {HEADER "#T_SP=a.B|ROLE_a.B:links_a.C|a.D\n",
         "a/b.tsv:2: expected features with labels, found slots: 'ROLE_a.B:links_a.C' cannot be read"},
        {HEADER "#T_SP=a.B|x\n#T_SP=a.C|x\n\n",
         "a/b.tsv:4: expected one layer of spans, found a.B and a.C: choose one by its name"},
        {HEADER NAMES "\n\n#Text=a\n", "a/b.tsv:5: expected the words of the sentence behind #Text="},
        {HEADER NAMES "\n\n1-1\t0-1\ta\t_\t\n", "a/b.tsv:5: expected the line of the next word, found '1-1'"},
        {HEADER NAMES "\n\n#Text=a\n1-2\t0-1\ta\t_\t\n", "a/b.tsv:6: expected the line of the next word, found '1-2'"},
        {HEADER NAMES "\n\n#Text=a\n1-1\t0-x\ta\t_\t\n", "a/b.tsv:6: expected two offsets, found '0-x'"},
        {HEADER NAMES "\n\n#Text=ab\n1-1\t0-1\tb\t_\t\n",
         "a/b.tsv:6: expected the word 'b', found 'a' at its place in the text"},
        {HEADER NAMES "\n\n#Text=\xF0\x9F\x98\x80\n1-1\t0-1\ta\t_\t\n",
         "a/b.tsv:6: expected offsets of whole characters up to 2, found '0-1'"},
        {HEADER NAMES "\n\n#Text=a\n1-1\t0-1\ta\n", "a/b.tsv:6: expected 1 columns behind the word, found 0"},
        {HEADER NAMES "\n\n#Text=a\n1-1\t0-1\ta\tX[y]\t\n", "a/b.tsv:6: expected a number in brackets, found 'X[y]'"},
        {HEADER NAMES "\n\n#Text=a\n1-1\t9000000-9000001\ta\tX\t\n",
         "a/b.tsv:6: expected a sentence at 0 or soon behind it, found one at 9000000"},
        {HEADER NAMES "#T_RL=a.R|BT_" DKPRO "ner.type.NamedEntity\n\n\n#Text=a\n1-1\t0-1\ta\tX\t1-2\t\n",
         "a/b.tsv:7: expected the line of a relation's source, found '1-2'"},
        {HEADER NAMES "#T_RL=a.R|BT_" DKPRO "ner.type.NamedEntity\n\n\n#Text=a\n1-1\t0-1\ta\tX\t1-1[0_3]\t\n",
         "a/b.tsv:7: expected a relation between two spans, found '1-1[0_3]', where there is none"},
    };
    for (size_t i = 0; i < sizeof wrong / sizeof *wrong; i++) {
        assert_false(read_file(wrong[i].text));
        assert_string_equal(err.message, wrong[i].message);
        texts_release(&texts);
    }
}
