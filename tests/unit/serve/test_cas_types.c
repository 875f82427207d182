/* Tests type systems: names, what is above what, features of types above, namespaces. */
#include "serve/cas_types.h"

#include "must.h"

static const char system_xml[] =
    "<typeSystemDescription xmlns='http://uima.apache.org/resourceSpecifier'><name>x</name><types>"
    "<typeDescription><name> b.B\n</name><description>d</description><supertypeName>a.A</supertypeName><features>"
    "<featureDescription><name>own</name><rangeTypeName>b.Colour</rangeTypeName></featureDescription></features>"
    "</typeDescription>"
    "<typeDescription><name>a.A</name><supertypeName>uima.tcas.Annotation</supertypeName><features>"
    "<featureDescription><name>label</name><rangeTypeName>uima.cas.String</rangeTypeName></featureDescription>"
    "<featureDescription><name>count</name><rangeTypeName>uima.cas.Integer</rangeTypeName></featureDescription>"
    "</features></typeDescription>"
    "<typeDescription><name>b.Colour</name><supertypeName>uima.cas.String</supertypeName><allowedValues><value>"
    "<string>red</string></value></allowedValues></typeDescription>"
    "<typeDescription><name>Plain</name><supertypeName>Round</supertypeName></typeDescription>"
    "<typeDescription><name>Round</name><supertypeName>Plain</supertypeName></typeDescription>"
    "</types></typeSystemDescription>";

static struct cas_types *read_all(void)
{
    struct cas_types *types = cas_types_read(system_xml, sizeof system_xml - 1, &err);
    MUST(types != NULL);
    return types;
}

TEST(types_and_features_are_found)
{
    struct cas_types *types = read_all();
    const uint32_t a = cas_type_find(types, text_of("a.A")), b = cas_type_find(types, text_of("b.B"));
    assert_int_equal(cas_type_count(types), 5);
    assert_string_equal(cas_type_name(types, b), "b.B");
    assert_true(cas_type_is(types, b, a) && cas_type_is(types, a, a) && !cas_type_is(types, a, b));
    assert_int_equal(cas_type_find(types, text_of("b.")), NO_TYPE);
    assert_int_equal(cas_type_find(types, text_of("b.BB")), NO_TYPE);
    assert_string_equal(cas_feature_range(types, b, "label"), "uima.cas.String");
    assert_string_equal(cas_feature_range(types, b, "own"), "b.Colour");
    assert_null(cas_feature_range(types, a, "own"));
    assert_true(cas_range_is_text(types, "uima.cas.String") && cas_range_is_text(types, "b.Colour"));
    assert_false(cas_range_is_text(types, "uima.cas.Integer") || cas_range_is_text(types, "a.A"));
    cas_types_free(types);
}

TEST(a_circle_of_types_ends)
{
    struct cas_types *types = read_all();
    const uint32_t plain = cas_type_find(types, text_of("Plain")), round = cas_type_find(types, text_of("Round"));
    assert_true(cas_type_is(types, plain, round) && cas_type_is(types, round, plain));
    assert_false(cas_type_is(types, plain, cas_type_find(types, text_of("a.A"))));
    assert_null(cas_feature_range(types, plain, "label"));
    cas_types_free(types);
}

TEST(namespaces_are_packages)
{
    struct cas_types *types = read_all();
    struct buffer space = {0}, scratch = {0};
    const uint32_t b = cas_type_find(types, text_of("b.B")), plain = cas_type_find(types, text_of("Plain"));
    assert_string_equal(cas_type_space(types, b, &space, &err), "B");
    assert_string_equal(space.bytes, "http:///b.ecore");
    struct xml_element element = {.space = buffer_text(&space), .name = text_of("B")};
    assert_int_equal(cas_type_of(types, &element, &scratch, &err), b);
    assert_string_equal(cas_type_space(types, plain, &space, &err), "Plain");
    element = (struct xml_element){.space = buffer_text(&space), .name = text_of("Plain")};
    assert_int_equal(cas_type_of(types, &element, &scratch, &err), plain);
    element.space = text_of("http:///.ecore");
    assert_int_equal(cas_type_of(types, &element, &scratch, &err), NO_TYPE);
    element.space = text_of("http:///ecore");
    assert_int_equal(cas_type_of(types, &element, &scratch, &err), NO_TYPE);
    free(space.bytes);
    free(scratch.bytes);
    cas_types_free(types);
}

TEST(other_xml_is_refused)
{
    assert_null(cas_types_read("<types/>", 8, &err));
    assert_string_equal(err.message, "type system: expected typeSystemDescription, found types");
    /* Elements that are elsewhere, or deeper than any, are passed over. */
    static const char odd[] = "<typeSystemDescription><types><x><typeDescription><name>a</name></typeDescription></x>"
                              "<typeDescription><features><name>b</name><featureDescription><x><name>c</name></x>"
                              "</featureDescription></features></typeDescription></types></typeSystemDescription>";
    struct cas_types *types = cas_types_read(odd, sizeof odd - 1, &err);
    MUST(types != NULL);
    assert_int_equal(cas_type_count(types), 1);
    assert_string_equal(cas_type_name(types, 0), "");
    cas_types_free(types);
}
