/*
 * Tests documents in XMI: UTF-16 against bytes, words with their tags, annotations of the layer, relations; and that
 * writing changes nothing but what it adds.
 */
#include "serve/xmi.h"

#include "must.h"

#define DKPRO "de.tudarmstadt.ukp.dkpro.core.api."
#define TYPE(name, above, features)                                                                                    \
    "<typeDescription><name>" name "</name><supertypeName>" above "</supertypeName><features>" features                \
    "</features></typeDescription>"
#define FEATURE(name, range)                                                                                           \
    "<featureDescription><name>" name "</name><rangeTypeName>" range "</rangeTypeName></featureDescription>"
#define TEXT(name) FEATURE(name, "uima.cas.String")
#define SUGGESTED(name)                                                                                                \
    FEATURE(name "_score", "uima.cas.Double")                                                                          \
    TEXT(name "_score_explanation")                                                                                    \
    FEATURE(name "_correction", "uima.cas.Boolean")                                                                    \
    TEXT(name "_correction_explanation") FEATURE("inception_internal_predicted", "uima.cas.Boolean")
#define ANNOTATION "uima.tcas.Annotation"

static const char *const pieces[] = {
    "<typeSystemDescription xmlns=\"http://uima.apache.org/resourceSpecifier\"><types>",
    TYPE(DKPRO "segmentation.type.Sentence", ANNOTATION, ""),
    TYPE(DKPRO "segmentation.type.Token", ANNOTATION, FEATURE("pos", DKPRO "lexmorph.type.pos.POS")),
    TYPE(DKPRO "segmentation.type.Lemma", ANNOTATION, TEXT("value")),
    TYPE(DKPRO "lexmorph.type.pos.POS", ANNOTATION, TEXT("PosValue") TEXT("coarseValue")),
    TYPE(DKPRO "lexmorph.type.pos.POS_PROPN", DKPRO "lexmorph.type.pos.POS", ""),
    TYPE(DKPRO "ner.type.NamedEntity", ANNOTATION, TEXT("value") TEXT("identifier") SUGGESTED("value")),
    TYPE(DKPRO "syntax.type.dependency.Dependency", ANNOTATION,
         FEATURE("Governor", DKPRO "segmentation.type.Token") FEATURE("Dependent", DKPRO "segmentation.type.Token")
         TEXT("DependencyType") SUGGESTED("DependencyType")),
    TYPE("webanno.custom.Old", ANNOTATION, TEXT("name") FEATURE("kinds", "uima.cas.StringArray")),
    TYPE("webanno.custom.Owns", ANNOTATION, FEATURE("Governor", "webanno.custom.Old")
         FEATURE("Dependent", "webanno.custom.Old") TEXT("how")),
    "</types></typeSystemDescription>",
};

/* "😀 Zoë in Łódź.": the first character is two units and four bytes. */
#define BEFORE                                                                                                         \
    "<?xml version=\"1.0\" encoding=\"UTF-8\"?>\n<xmi:XMI xmlns:xmi=\"http://www.omg.org/XMI\" "                       \
    "xmlns:cas=\"http:///uima/cas.ecore\" xmlns:t=\"http:///de/tudarmstadt/ukp/dkpro/core/api/segmentation/type."      \
    "ecore\" xmlns:ner=\"http:///de/tudarmstadt/ukp/dkpro/core/api/ner/type.ecore\" xmlns:pos=\"http:///de/"           \
    "tudarmstadt/ukp/dkpro/core/api/lexmorph/type/pos.ecore\" xmlns:dep=\"http:///de/tudarmstadt/ukp/dkpro/core/"      \
    "api/syntax/type/dependency.ecore\" xmi:version=\"2.0\">\n<cas:NULL xmi:id=\"0\"/>\n"                              \
    "<t:Sentence xmi:id=\"30\" sofa=\"1\" begin=\"0\" end=\"15\"/>"                                                    \
    "<t:Token xmi:id=\"14\" sofa=\"1\" begin=\"14\" end=\"15\"/>"                                                      \
    "<t:Token xmi:id=\"13\" sofa=\"1\" begin=\"10\" end=\"14\" pos=\"21\"/>"                                           \
    "<t:Token xmi:id=\"12\" sofa=\"1\" begin=\"7\" end=\"9\"/>"                                                        \
    "<t:Token xmi:id=\"11\" sofa=\"1\" begin=\"3\" end=\"6\"/>"                                                        \
    "<t:Token xmi:id=\"10\" sofa=\"1\" begin=\"0\" end=\"2\"/>"                                                        \
    "<t:Token xmi:id=\"9\" sofa=\"2\" begin=\"0\" end=\"1\"/>"                                                         \
    "<pos:POS_PROPN xmi:id=\"21\" sofa=\"1\" begin=\"10\" end=\"14\" PosValue=\"NE\" coarseValue=\"PROPN\"/>"          \
    "<t:Lemma xmi:id=\"22\" sofa=\"1\" begin=\"3\" end=\"6\" value=\"Zoe &amp; co\"/>"                                 \
    "<ner:NamedEntity xmi:id=\"40\" sofa=\"1\" begin=\"3\" end=\"6\" value=\"PER\"/>"                                  \
    "<ner:NamedEntity xmi:id=\"41\" sofa=\"1\" begin=\"10\" end=\"14\" value=\"ORG\" "                                 \
    "inception_internal_predicted=\"true\"/>"                                                                          \
    "<dep:Dependency xmi:id=\"50\" sofa=\"1\" begin=\"10\" end=\"14\" Governor=\"11\" Dependent=\"13\" "               \
    "DependencyType=\"obl\"/>"                                                                                         \
    "<dep:Dependency xmi:id=\"51\" sofa=\"1\" begin=\"0\" end=\"2\" Governor=\"99\" Dependent=\"10\"/>"                \
    "<cas:Sofa xmi:id=\"2\" sofaNum=\"2\" sofaID=\"other\" mimeType=\"text\" sofaString=\"x\"/>"                       \
    "<cas:Sofa xmi:id=\"1\" sofaNum=\"1\" sofaID=\"_InitialView\" mimeType=\"text\" "                                  \
    "sofaString=\"\xF0\x9F\x98\x80 Zo\xC3\xAB in \xC5\x81\xC3\xB3" "d\xC5\xBA.\"/><cas:View sofa=\"2\"/>"
#define VIEW "<cas:View sofa=\"1\" members = '30 10 11 12 13 14 40 50"
#define AFTER "'/>\n</xmi:XMI>\n<!-- </xmi:XMI> -->"

static const char document[] = BEFORE VIEW AFTER;

static struct cas_types *types;
static struct cas_layer layer;
static struct cas cas;

static void open_types(void)
{
    struct buffer xml = {0};
    for (size_t i = 0; i < sizeof pieces / sizeof *pieces; i++)
        MUST(buffer_add(&xml, text_of(pieces[i]), &err));
    types = cas_types_read(xml.bytes, xml.length, &err);
    MUST(types != NULL);
    free(xml.bytes);
}

static void open_document(const char *of, const char *feature, const char *xmi)
{
    open_types();
    MUST(cas_layer_find(types, of, feature, &layer, &err));
    MUST(cas_read(&cas, xmi, strlen(xmi), &layer, &err));
}

static void close_document(void)
{
    cas_release(&cas);
    cas_types_free(types);
}

static void assert_covers(size_t begin, size_t end, const char *text)
{
    assert_int_equal(end - begin, strlen(text));
    assert_memory_equal(cas.text + begin, text, end - begin);
}

TEST(units_become_bytes)
{
    static const char *const words[] = {"\xF0\x9F\x98\x80", "Zo\xC3\xAB", "in", ("\xC5\x81\xC3\xB3" "d\xC5\xBA"), "."};
    open_document(DKPRO "ner.type.NamedEntity", "value", document);
    assert_int_equal(cas.tokens, 5);
    for (size_t i = 0; i < 5; i++)
        assert_covers(cas.token[i].begin, cas.token[i].end, words[i]);
    assert_int_equal(cas.sentences, 1);
    assert_covers(cas.sentence[0].begin, cas.sentence[0].end, cas.text);
    assert_string_equal(cas.token[3].pos, "NE");
    assert_string_equal(cas.token[3].coarse, "PROPN");
    assert_string_equal(cas.token[1].lemma, "Zoe & co");
    assert_null(cas.token[1].pos);
    close_document();
}

TEST(only_what_people_said_is_there)
{
    open_document(DKPRO "ner.type.NamedEntity", "value", document);
    assert_int_equal(cas.annotations, 1);
    assert_covers(cas.annotation[0].begin, cas.annotation[0].end, "Zo\xC3\xAB");
    assert_string_equal(cas.annotation[0].label, "PER");
    close_document();
    open_document(DKPRO "lexmorph.type.pos.POS", "coarseValue", document); /* a type below the layer's */
    assert_int_equal(cas.annotations, 1);
    assert_string_equal(cas.annotation[0].label, "PROPN");
    close_document();
}

TEST(relations_join_tokens)
{
    open_document(DKPRO "syntax.type.dependency.Dependency", "DependencyType", document);
    assert_true(layer.relations);
    assert_int_equal(cas.annotations, 2);
    assert_int_equal(cas.annotation[0].dependent, 0);
    assert_true(cas.annotation[0].governor == NO_TOKEN && !cas.annotation[0].label);
    assert_int_equal(cas.annotation[1].governor, 1);
    assert_int_equal(cas.annotation[1].dependent, 3);
    close_document();
}

TEST(suggestions_are_put_in_and_nothing_else_changes)
{
    struct buffer out = {0};
    open_document(DKPRO "ner.type.NamedEntity", "value", document);
    MUST(cas_write(&cas, NULL, 0, &out, &err));
    assert_string_equal(out.bytes, document);
    const struct cas_suggestion some[] = {
        {cas.token[3].begin, cas.token[3].end, "LOC", 0.75, "a < \"b\"\n", true, "not ORG", 0, 0},
        {cas.token[0].begin, cas.token[1].end, "P&R\x01", NAN, NULL, false, NULL, 0, 0}};
    out.length = 0;
    MUST(cas_write(&cas, some, 2, &out, &err));
    assert_string_equal(
        out.bytes,
        BEFORE "<ner:NamedEntity xmi:id=\"52\" sofa=\"1\" begin=\"10\" end=\"14\" value=\"LOC\" value_score=\"0.75\" "
               "value_score_explanation=\"a &#60; &#34;b&#34;&#10;\" value_correction=\"true\" "
               "value_correction_explanation=\"not ORG\" inception_internal_predicted=\"true\"/>"
               "<ner:NamedEntity xmi:id=\"53\" sofa=\"1\" begin=\"0\" end=\"6\" value=\"P&#38;R\xEF\xBF\xBD\" "
               "inception_internal_predicted=\"true\"/>" VIEW " 52 53" AFTER);
    free(out.bytes);
    close_document();
}

TEST(suggested_relations_name_tokens)
{
    struct buffer out = {0};
    open_document(DKPRO "syntax.type.dependency.Dependency", "DependencyType", document);
    const struct cas_suggestion one = {cas.token[1].begin, cas.token[1].end, "nsubj", 0.5, NULL, false, NULL, 3, 1};
    MUST(cas_write(&cas, &one, 1, &out, &err));
    assert_non_null(strstr(out.bytes, "<dep:Dependency xmi:id=\"52\" sofa=\"1\" begin=\"3\" end=\"6\" Governor=\"13\" "
                                      "Dependent=\"11\" DependencyType=\"nsubj\" DependencyType_score=\"0.5\" "
                                      "inception_internal_predicted=\"true\"/>" VIEW " 52'"));
    free(out.bytes);
    close_document();
}

/* A view without members, none at all, and a layer that takes a label alone and whose namespace has no prefix. */
TEST(what_is_missing_is_made)
{
    static const char start[] = "<xmi:XMI xmlns:xmi='http://www.omg.org/XMI' xmlns:cas='http:///uima/cas.ecore'>"
                                "<cas:Sofa xmi:id='3' sofaNum='1' sofaID='x' sofaString='ab'/>";
    static const char *const end[] = {"<cas:View sofa='3'/></xmi:XMI>", "<cas:View sofa='3'></cas:View></xmi:XMI>",
                                      "</xmi:XMI>"};
    static const char *const view[] = {
        "<cas:View sofa='3' members=\"4\"/></xmi:XMI>", "<cas:View sofa='3' members=\"4\"></cas:View></xmi:XMI>",
        "<layer:View xmlns:layer=\"http:///uima/cas.ecore\" sofa=\"3\" members=\"4\"/></xmi:XMI>"};
    for (size_t i = 0; i < 3; i++) {
        struct buffer xmi = {0}, out = {0}, expected = {0};
        MUST(buffer_print(&xmi, &err, "%s%s", start, end[i]));
        open_document("webanno.custom.Old", "name", xmi.bytes);
        const struct cas_suggestion one = {0, 1, "x", 0.5, "why", true, "why", 0, 0};
        MUST(cas_write(&cas, &one, 1, &out, &err));
        MUST(buffer_print(&expected, &err, "%s<layer:Old xmlns:layer=\"http:///webanno/custom.ecore\" xmi:id=\"4\" "
                          "sofa=\"3\" begin=\"0\" end=\"1\" name=\"x\"/>%s", start, view[i]));
        assert_string_equal(out.bytes, expected.bytes);
        free(xmi.bytes);
        free(out.bytes);
        free(expected.bytes);
        close_document();
    }
}

TEST(layers_that_no_label_fits_are_refused)
{
    static const struct {
        const char *layer, *feature, *message;
    } wrong[] = {
        {"a.B", "value", "type system: expected the layer a.B, found none of that name"},
        {"webanno.custom.Old", "value",
         "type system: webanno.custom.Old: expected the feature value, found none of that name"},
        {"webanno.custom.Old", "kinds", "type system: webanno.custom.Old: expected labels as the feature kinds, found "
                                        "values of uima.cas.StringArray"},
        {"webanno.custom.Owns", "how",
         "type system: webanno.custom.Owns: expected relations between tokens, found between webanno.custom.Old"},
    };
    open_types();
    for (size_t i = 0; i < sizeof wrong / sizeof *wrong; i++) {
        assert_false(cas_layer_find(types, wrong[i].layer, wrong[i].feature, &layer, &err));
        assert_string_equal(err.message, wrong[i].message);
    }
    cas_types_free(types);
}

#define SOFA "<c:Sofa xmi:id='1' sofaID='_InitialView' sofaString='\xF0\x9F\x98\x80' xmlns:c='http:///uima/cas.ecore'/>"
#define WORD(number, begin, end)                                                                                       \
    "<t:Token xmlns:t='http:///de/tudarmstadt/ukp/dkpro/core/api/segmentation/type.ecore' xmi:id='" number             \
    "' sofa='1' begin='" begin "' end='" end "'/>"
#define ALL(what) "<xmi:XMI xmlns:xmi='http://www.omg.org/XMI'>" what "</xmi:XMI>"

TEST(documents_that_are_wrong_are_refused)
{
    static const struct {
        const char *xmi, *message;
    } wrong[] = {
        {"<XMI/>", "document: expected XMI, found XMI"},
        {ALL(WORD("2", "0", "2")), "document: expected a Sofa with a text, found none"},
        {ALL(WORD("2", "0", "1") SOFA),
         "document: annotation 2: expected whole characters of a text of 2 units, found a place at 1"},
        {ALL(WORD("2", "1", "2") SOFA),
         "document: annotation 2: expected whole characters of a text of 2 units, found a place at 1"},
        {ALL(WORD("2", "0", "3") SOFA),
         "document: annotation 2: expected whole characters of a text of 2 units, found a place at 3"},
        {ALL(WORD("2", "2", "0") SOFA), "document: Token 2: expected begin and end, found 2 and 0"},
        {ALL(WORD("2", "-1", "2") SOFA), "document: Token: expected a number as begin, found \"-1\""},
        {ALL(WORD("2147483648", "0", "2") SOFA), "document: Token: expected a number as xmi:id, found \"2147483648\""},
        {ALL(WORD("2", "0", "2") WORD("3", "0", "2") SOFA),
         "document: expected tokens beside each other, found 2 and 3, which overlap"},
        {ALL("<!-- " SOFA " -->"), "document: expected a Sofa with a text, found none"},
    };
    open_types();
    MUST(cas_layer_find(types, DKPRO "ner.type.NamedEntity", "value", &layer, &err));
    for (size_t i = 0; i < sizeof wrong / sizeof *wrong; i++) {
        assert_false(cas_read(&cas, wrong[i].xmi, strlen(wrong[i].xmi), &layer, &err));
        assert_string_equal(err.message, wrong[i].message);
    }
    cas_types_free(types);
}

TEST(numbers_do_not_run_out)
{
    struct buffer out = {0};
    open_document(DKPRO "ner.type.NamedEntity", "value", ALL(WORD("2147483647", "0", "2") SOFA));
    const struct cas_suggestion one = {0, 4, "X", NAN, NULL, false, NULL, 0, 0};
    assert_false(cas_write(&cas, &one, 1, &out, &err));
    assert_string_equal(err.message, "document: expected numbers below 2^31, found 2147483647 as an xmi:id");
    free(out.bytes);
    close_document();
}
