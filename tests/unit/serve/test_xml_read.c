/* Tests the reading of XML: elements as they come, and everything that could cost more than its length refused. */
#include "serve/xml_read.h"

#include "base/buffer.h"

#include "must.h"

/* Notes elements, attributes without a namespace, and text. */
static bool note_start(void *context, const struct xml_element *element, struct vouch_error *error)
{
    struct text value = {"-", 1};
    xml_attribute(element, "a", &value);
    return buffer_print(context, error, "<%.*s a=%.*s>", (int)element->name.length, element->name.at,
                        (int)value.length, value.at);
}

static bool note_text(void *context, struct text text, struct vouch_error *error)
{
    return buffer_add(context, text, error);
}

static bool note_end(void *context, struct vouch_error *error)
{
    return buffer_print(context, error, ">");
}

static bool read(const char *xml, struct buffer *notes)
{
    const struct xml_reader reader = {note_start, note_text, note_end, notes};
    notes->length = 0;
    return xml_read(xml, strlen(xml), "it", &reader, &err);
}

TEST(elements_come_in_order)
{
    struct buffer notes = {0};
    MUST(read("<?xml version=\"1.0\" encoding=\"UTF-16\"?><x a='1 &amp; &#10;2'>t<!-- <y> --><y p:a='3' "
              "xmlns:p='u'/><![CDATA[<z>]]></x>", &notes));
    assert_string_equal(notes.bytes, "<x a=1 & \n2>t<y a=->><z>>");
    free(notes.bytes);
}

TEST(the_first_failure_is_kept)
{
    struct buffer notes = {0};
    static const struct {
        const char *xml, *message;
    } wrong[] = {
        {"<x><y></x>", "it, line 1: expected XML, found: Opening and ending tag mismatch: y line 1 and x"},
        {"<x>&nbsp;</x>", "it, line 1: expected XML, found: Entity 'nbsp' not defined"},
        {"<p:x/>", "it, line 1: expected XML, found: Namespace prefix p on x is not defined"},
        {"", "it: expected XML, found 0 bytes"},
        {"words", "it, line 1: expected XML, found: Start tag expected, '<' not found"},
        {"<x>\xff</x>", "it, line 1: expected XML, found: Input is not proper UTF-8, indicate encoding !"},
    };
    for (size_t i = 0; i < sizeof wrong / sizeof *wrong; i++) {
        assert_false(read(wrong[i].xml, &notes));
        err.message[strlen(wrong[i].message)] = '\0'; /* libxml2 may say more */
        assert_string_equal(err.message, wrong[i].message);
    }
    free(notes.bytes);
}

static const char refused[] = "it: expected no document type, found one: entities are refused";

TEST(bombs_are_refused)
{
    static const char *const bombs[] = {
        /* a billion laughs */
        ("<?xml version='1.0'?><!DOCTYPE l [<!ENTITY a 'ha'><!ENTITY b '&a;&a;&a;&a;&a;&a;&a;&a;&a;&a;'>"
         "<!ENTITY c '&b;&b;&b;&b;&b;&b;&b;&b;&b;&b;'><!ENTITY d '&c;&c;&c;&c;&c;&c;&c;&c;&c;&c;'>]><x>&d;</x>"),
        /* an entity from elsewhere, general and of the document type */
        "<!DOCTYPE x [<!ENTITY f SYSTEM 'file:///etc/passwd'>]><x>&f;</x>",
        "<!DOCTYPE x [<!ENTITY % f SYSTEM 'http://127.0.0.1:1/'> %f;]><x/>",
        "<!DOCTYPE x SYSTEM 'http://127.0.0.1:1/x.dtd'><x/>",
        /* a document type behind what may hide it */
        "<!-- <x> --><?p <x ?><!DOCTYPE x [<!ENTITY f 'g'>]><x>&f;</x>",
    };
    struct buffer notes = {0};
    for (size_t i = 0; i < sizeof bombs / sizeof *bombs; i++) {
        assert_false(read(bombs[i], &notes));
        assert_string_equal(err.message, refused);
        assert_int_equal(notes.length, 0);
    }
    free(notes.bytes);
}

/* A megabyte of an entity, a hundred thousand times: it grows with the square of its length. */
TEST(quadratic_bombs_are_refused)
{
    struct buffer bomb = {0}, notes = {0};
    MUST(buffer_print(&bomb, &err, "<!DOCTYPE x [<!ENTITY a '"));
    for (int i = 0; i < 100000; i++)
        MUST(buffer_print(&bomb, &err, "aaaaaaaaaa"));
    MUST(buffer_print(&bomb, &err, "'>]><x>"));
    for (int i = 0; i < 100000; i++)
        MUST(buffer_print(&bomb, &err, "&a;"));
    MUST(buffer_print(&bomb, &err, "</x>"));
    assert_false(read(bomb.bytes, &notes));
    assert_string_equal(err.message, refused);
    free(bomb.bytes);
    free(notes.bytes);
}

TEST(many_attributes_are_refused)
{
    struct buffer xml = {0}, notes = {0};
    for (int count = 1000; count <= 1001; count++) {
        xml.length = 0;
        MUST(buffer_print(&xml, &err, "<x"));
        for (int i = 0; i < count; i++)
            MUST(buffer_print(&xml, &err, " b%d='>'", i));
        MUST(buffer_print(&xml, &err, "/>"));
        assert_int_equal(read(xml.bytes, &notes), count == 1000);
    }
    assert_string_equal(err.message, "it: expected at most 1000 attributes in a tag, found 1001");
    free(xml.bytes);
    free(notes.bytes);
}

TEST(deep_elements_are_refused)
{
    struct buffer xml = {0}, notes = {0};
    for (int i = 0; i < 100000; i++)
        MUST(buffer_print(&xml, &err, "<x>"));
    assert_false(read(xml.bytes, &notes));
    assert_non_null(strstr(err.message, "Excessive depth in document: 256"));
    free(xml.bytes);
    free(notes.bytes);
}

TEST(a_reader_can_stop)
{
    const struct xml_reader none = {NULL, NULL, NULL, NULL};
    MUST(xml_read("<x>t</x>", 8, "it", &none, &err));
}

TEST(tags_are_found)
{
    static const char xml[] = "<?x <a> ?><a b='>' c=\"</a>\"><!-- </a> --><![CDATA[<b>]]><b/></a >";
    static const struct {
        const char *tag;
        bool closes;
        size_t quotes;
    } there[] = {{"<a b='>' c=\"</a>\">", false, 2}, {"<b/>", false, 0}, {"</a >", true, 0}};
    struct xml_tag tag;
    size_t at = 0;
    for (size_t i = 0; i < 3; i++) {
        assert_true(xml_next_tag(xml, sizeof xml - 1, &at, &tag));
        assert_int_equal(tag.end - tag.begin, strlen(there[i].tag));
        assert_memory_equal(xml + tag.begin, there[i].tag, tag.end - tag.begin);
        assert_int_equal(tag.closes, there[i].closes);
        assert_int_equal(tag.quotes, there[i].quotes);
        assert_false(tag.doctype);
    }
    assert_false(xml_next_tag(xml, sizeof xml - 1, &at, &tag));
    /* Any beginning of it ends somewhere. */
    for (size_t length = 0; length < sizeof xml; length++)
        for (at = 0; xml_next_tag(xml, length, &at, &tag);)
            assert_true(tag.end <= length && at <= length);
}
