/* Reading XML by libxml2's SAX2 interface, after a look at the tags. */
#include "serve/xml_read.h"

#include <libxml/parser.h>
#include <libxml/parserInternals.h>
#include <limits.h>
#include <pthread.h>

enum { MOST_ATTRIBUTES = 1000 };

/* ---- Tags ---- */

/* Returns where `end` ends from *at on, or the end of all. */
static size_t behind(const char *xml, size_t length, size_t at, const char *end)
{
    const size_t width = strlen(end);
    while (at + width <= length) {
        const char *found = memchr(xml + at, end[0], length - at - width + 1);
        if (!found)
            return length;
        at = (size_t)(found - xml);
        if (memcmp(found, end, width) == 0)
            return at + width;
        at++;
    }
    return length;
}

static bool begins(const char *xml, size_t length, size_t at, const char *with)
{
    return length - at >= strlen(with) && memcmp(xml + at, with, strlen(with)) == 0;
}

/* Fills in the tag that begins at tag->begin; '>' within quotation marks does not end it. */
static void find_end(const char *xml, size_t length, struct xml_tag *tag)
{
    size_t at = tag->begin + 1;
    while (at < length && xml[at] != '>') {
        if (xml[at] == '"' || xml[at] == '\'') {
            const char *mark = memchr(xml + at + 1, xml[at], length - at - 1);
            at = mark ? (size_t)(mark - xml) : length - 1;
            tag->quotes++;
        }
        at++;
    }
    tag->end = at < length ? at + 1 : length;
}

bool xml_next_tag(const char *xml, size_t length, size_t *at, struct xml_tag *tag)
{
    for (;;) {
        const char *found = *at < length ? memchr(xml + *at, '<', length - *at) : NULL;
        if (!found)
            return false;
        *tag = (struct xml_tag){.begin = (size_t)(found - xml)};
        if (begins(xml, length, tag->begin, "<!--"))
            *at = behind(xml, length, tag->begin + 4, "-->");
        else if (begins(xml, length, tag->begin, "<![CDATA["))
            *at = behind(xml, length, tag->begin + 9, "]]>");
        else if (begins(xml, length, tag->begin, "<?"))
            *at = behind(xml, length, tag->begin + 2, "?>");
        else
            break;
    }
    tag->closes = begins(xml, length, tag->begin, "</");
    tag->doctype = begins(xml, length, tag->begin, "<!");
    find_end(xml, length, tag);
    *at = tag->end;
    return true;
}

/* Refuses what would cost more than its length. */
static bool check_tags(const char *xml, size_t length, const char *what, struct vouch_error *err)
{
    struct xml_tag tag;
    for (size_t at = 0; xml_next_tag(xml, length, &at, &tag);) {
        if (tag.doctype)
            return fail(err, VOUCH_ERR_FORMAT, "%s: expected no document type, found one: entities are refused", what);
        if (tag.quotes > MOST_ATTRIBUTES)
            return fail(err, VOUCH_ERR_FORMAT, "%s: expected at most %d attributes in a tag, found %zu", what,
                        MOST_ATTRIBUTES, tag.quotes);
    }
    return true;
}

/* ---- Elements ---- */

struct reading {
    const struct xml_reader *reader;
    const char *what;
    xmlParserCtxtPtr parser;
    struct vouch_error *err;
    bool failed;
};

static struct text of_bytes(const unsigned char *bytes)
{
    return bytes ? text_of((const char *)bytes) : (struct text){"", 0};
}

/* Stops the reading at the first failure, whose message is kept. */
static void go_on_if(struct reading *reading, bool ok)
{
    if (!ok && !reading->failed) {
        reading->failed = true;
        xmlStopParser(reading->parser);
    }
}

static void on_start(void *context, const xmlChar *name, const xmlChar *prefix, const xmlChar *space, int namespaces,
                     const xmlChar **namespace, int attributes, int defaulted, const xmlChar **attribute)
{
    (void)prefix, (void)defaulted;
    struct reading *reading = context;
    const struct xml_element element = {of_bytes(space), of_bytes(name), attribute, namespace, attributes, namespaces};
    if (reading->reader->start && !reading->failed)
        go_on_if(reading, reading->reader->start(reading->reader->context, &element, reading->err));
}

static void on_end(void *context, const xmlChar *name, const xmlChar *prefix, const xmlChar *space)
{
    (void)name, (void)prefix, (void)space;
    struct reading *reading = context;
    if (reading->reader->end && !reading->failed)
        go_on_if(reading, reading->reader->end(reading->reader->context, reading->err));
}

static void on_text(void *context, const xmlChar *bytes, int length)
{
    struct reading *reading = context;
    const struct text text = {(const char *)bytes, (uint32_t)length};
    if (reading->reader->text && !reading->failed)
        go_on_if(reading, reading->reader->text(reading->reader->context, text, reading->err));
}

static void on_doctype(void *context, const xmlChar *name, const xmlChar *external, const xmlChar *system)
{
    (void)name, (void)external, (void)system;
    struct reading *reading = context;
    go_on_if(reading, fail(reading->err, VOUCH_ERR_FORMAT, "%s: expected no document type", reading->what));
}

static void on_error(void *context, xmlErrorPtr error)
{
    struct reading *reading = context;
    if (reading->failed || error->level < XML_ERR_ERROR)
        return;
    if (error->code == XML_ERR_NO_MEMORY) {
        go_on_if(reading, fail_memory(reading->err));
        return;
    }
    struct text message = text_of(error->message ? error->message : "not well-formed");
    while (message.length > 0 && message.at[message.length - 1] == '\n')
        message.length--;
    go_on_if(reading, fail(reading->err, VOUCH_ERR_FORMAT, "%s, line %d: expected XML, found: %.*s", reading->what,
                           error->line, text_beginning(message, 200), message.at));
}

bool xml_attribute_in(const struct xml_element *element, const char *space, const char *name, struct text *value)
{
    for (int i = 0; i < element->attributes; i++) {
        const unsigned char **field = element->attribute + 5 * (size_t)i; /* name, prefix, namespace, value, its end */
        if (strcmp((const char *)field[0], name) == 0 && text_is(of_bytes(field[2]), space)) {
            *value = (struct text){(const char *)field[3], (uint32_t)(field[4] - field[3])};
            return true;
        }
    }
    return false;
}

bool xml_attribute(const struct xml_element *element, const char *name, struct text *value)
{
    return xml_attribute_in(element, "", name, value);
}

const char *xml_prefix(const struct xml_element *element, const char *space)
{
    for (int i = 0; i < element->namespaces; i++) {
        const unsigned char **field = element->namespace + 2 * (size_t)i; /* prefix, namespace */
        if (field[0] && text_is(of_bytes(field[1]), space))
            return (const char *)field[0];
    }
    return NULL;
}

bool xml_read(const char *xml, size_t length, const char *what, const struct xml_reader *reader,
              struct vouch_error *err)
{
    static pthread_once_t once = PTHREAD_ONCE_INIT;
    pthread_once(&once, xmlInitParser);
    if (length == 0 || length > INT_MAX)
        return fail(err, VOUCH_ERR_FORMAT, "%s: expected XML, found %zu bytes", what, length);
    if (!check_tags(xml, length, what, err))
        return false;
    xmlParserCtxtPtr parser = xmlCreateMemoryParserCtxt(xml, (int)length);
    if (!parser)
        return fail_memory(err);
    struct reading reading = {reader, what, parser, err, false};
    *parser->sax = (xmlSAXHandler){.initialized = XML_SAX2_MAGIC,
                                   .startElementNs = on_start,
                                   .endElementNs = on_end,
                                   .characters = on_text,
                                   .cdataBlock = on_text,
                                   .internalSubset = on_doctype,
                                   .serror = on_error};
    parser->userData = &reading;
    /* NOENT: the five entities that there are become characters, in attributes too. */
    xmlCtxtUseOptions(parser, XML_PARSE_NONET | XML_PARSE_NOENT | XML_PARSE_IGNORE_ENC);
    xmlParseDocument(parser);
    if (!parser->wellFormed && !reading.failed)
        reading.failed = !fail(err, VOUCH_ERR_FORMAT, "%s: expected well-formed XML", what);
    xmlFreeParserCtxt(parser);
    return !reading.failed;
}
