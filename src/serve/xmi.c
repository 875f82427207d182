/*
 * Documents in XMI: what is kept of the elements while they pass, what is made of it at the end, and what is put in.
 *
 * Annotations come before the text that they are about, so their places are kept as they are written, in units of
 * UTF-16, and become bytes at the end. The places in the bytes where suggestions go in are found by counting tags.
 */
#include "serve/xmi.h"

#include <math.h>
#include <stdlib.h>

#include "base/order.h"
#include "text/word_breaks.h"

#define XMI "http://www.omg.org/XMI"
#define CAS "http:///uima/cas.ecore"
#define TYPES "de.tudarmstadt.ukp.dkpro.core.api."

/* ---- What is kept of the elements ---- */

enum role { SENTENCE = 1, TOKEN = 2, POS = 4, LEMMA = 8, FEATURES = 16, ASKED = 32 };

static const struct {
    enum role role;
    const char *type;
} known[] = {{SENTENCE, TYPES "segmentation.type.Sentence"},
             {TOKEN, TYPES "segmentation.type.Token"},
             {POS, TYPES "lexmorph.type.pos.POS"},
             {LEMMA, TYPES "segmentation.type.Lemma"},
             {FEATURES, TYPES "lexmorph.type.morph.MorphologicalFeatures"}};

/* An annotation as it is written. */
struct element {
    unsigned char roles;
    uint32_t id, sofa, begin, end, governor, dependent; /* xmi:ids, and units of UTF-16 */
    const char *label;                                  /* of the asked feature */
    const char *pos, *coarse, *value;
};

struct sofa {
    uint32_t id;
    const char *text;
    size_t length;
    bool initial;
};

struct reading {
    struct cas *cas;
    unsigned char *roles; /* [types] */
    struct element *element;
    size_t elements, element_room;
    struct view {
        uint32_t sofa, place;
    } *view;
    size_t views, view_room;
    struct sofa sofa; /* the one that is read: the initial one if there is one, else the first */
    uint32_t depth, place, last_id;
    struct buffer scratch;
};

static const char *kept(struct reading *reading, struct text text, struct vouch_error *err)
{
    return xml_keep(&reading->cas->strings, text, err);
}

/* Keeps an attribute's text, if the element has it. False without memory. */
static bool keep(struct reading *reading, const struct xml_element *from, const char *name, const char **text,
                 struct vouch_error *err)
{
    struct text value;
    return !xml_attribute(from, name, &value) || (*text = kept(reading, value, err)) != NULL;
}

/* Reads a number of an attribute, if the element has it; numbers are those of Java. */
static bool read_number(const struct xml_element *from, struct text value, const char *name, uint32_t *number,
                        struct vouch_error *err)
{
    if (text_whole(value, number) && *number <= INT32_MAX)
        return true;
    return fail(err, VOUCH_ERR_FORMAT, "document: %.*s: expected a number as %s, found \"%.*s\"", excerpt(from->name),
                from->name.at, name, excerpt(value), value.at);
}

static bool number_of(const struct xml_element *from, const char *name, uint32_t *number, struct vouch_error *err)
{
    struct text value;
    return !xml_attribute(from, name, &value) || read_number(from, value, name, number, err);
}

static bool read_root(struct reading *reading, const struct xml_element *root, struct vouch_error *err)
{
    struct cas *cas = reading->cas;
    const char *prefix = xml_prefix(root, XMI);
    if (!text_is(root->space, XMI) || !text_is(root->name, "XMI") || !prefix)
        return fail(err, VOUCH_ERR_FORMAT, "document: expected XMI, found %.*s", excerpt(root->name), root->name.at);
    if (!(cas->id_tag = kept(reading, text_of(prefix), err)))
        return false;
    if (!cas_type_space(cas->layer->types, cas->layer->type, &reading->scratch, err))
        return false;
    prefix = xml_prefix(root, reading->scratch.bytes);
    return !prefix || (cas->prefix = kept(reading, text_of(prefix), err)) != NULL;
}

static bool read_sofa(struct reading *reading, const struct xml_element *from, uint32_t id, struct vouch_error *err)
{
    struct sofa sofa = {.id = id};
    struct text name = {"", 0}, text;
    xml_attribute(from, "sofaID", &name);
    sofa.initial = text_is(name, "_InitialView");
    if ((reading->sofa.text && !sofa.initial) || !xml_attribute(from, "sofaString", &text))
        return true;
    sofa.length = text.length;
    reading->sofa = sofa;
    return (reading->sofa.text = kept(reading, text, err)) != NULL;
}

static bool read_view(struct reading *reading, const struct xml_element *from, struct vouch_error *err)
{
    struct view view = {0, reading->place};
    if (!number_of(from, "sofa", &view.sofa, err) ||
        !RESERVE(reading->view, reading->view_room, reading->views + 1, err))
        return false;
    reading->view[reading->views++] = view;
    return true;
}

static bool read_annotation(struct reading *reading, const struct xml_element *from, uint32_t id, unsigned char roles,
                            struct vouch_error *err)
{
    struct element element = {.roles = roles, .id = id, .begin = UINT32_MAX, .end = UINT32_MAX};
    struct text value;
    if (!number_of(from, "sofa", &element.sofa, err) || !number_of(from, "begin", &element.begin, err) ||
        !number_of(from, "end", &element.end, err))
        return false;
    if (element.begin == UINT32_MAX || element.end == UINT32_MAX || element.begin > element.end)
        return fail(err, VOUCH_ERR_FORMAT, "document: %.*s %u: expected begin and end, found %d and %d",
                    excerpt(from->name), from->name.at, id, (int)element.begin, (int)element.end);
    /* What a recommender said is not what a person decided. */
    if ((roles & ASKED) && xml_attribute(from, "inception_internal_predicted", &value) && text_is(value, "true"))
        element.roles &= (unsigned char)~ASKED;
    if ((roles & ASKED) && (!keep(reading, from, reading->cas->layer->feature, &element.label, err) ||
                            !number_of(from, "Governor", &element.governor, err) ||
                            !number_of(from, "Dependent", &element.dependent, err)))
        return false;
    if ((roles & POS) && (!keep(reading, from, "PosValue", &element.pos, err) ||
                          !keep(reading, from, "coarseValue", &element.coarse, err)))
        return false;
    if ((roles & (LEMMA | FEATURES)) && !keep(reading, from, "value", &element.value, err))
        return false;
    if (!RESERVE(reading->element, reading->element_room, reading->elements + 1, err))
        return false;
    reading->element[reading->elements++] = element;
    return true;
}

static bool on_start(void *context, const struct xml_element *element, struct vouch_error *err)
{
    struct reading *reading = context;
    reading->place++;
    if (reading->depth++ == 0)
        return read_root(reading, element, err);
    struct text value;
    uint32_t id = 0;
    if (xml_attribute_in(element, XMI, "id", &value) && !read_number(element, value, "xmi:id", &id, err))
        return false;
    if (id > reading->last_id)
        reading->last_id = id;
    if (reading->depth != 2)
        return true;
    if (text_is(element->space, CAS))
        return text_is(element->name, "Sofa")   ? read_sofa(reading, element, id, err)
               : text_is(element->name, "View") ? read_view(reading, element, err)
                                                : true;
    const uint32_t type = cas_type_of(reading->cas->layer->types, element, &reading->scratch, err);
    return type == NO_TYPE || !reading->roles[type] || read_annotation(reading, element, id, reading->roles[type], err);
}

static bool on_end(void *context, struct vouch_error *err)
{
    (void)err;
    struct reading *reading = context;
    reading->depth--;
    return true;
}

/* Finds out once what each type is to us. */
static bool find_roles(struct reading *reading, const struct cas_layer *layer, struct vouch_error *err)
{
    const size_t count = cas_type_count(layer->types);
    if (!(reading->roles = new_array(count, 1, err)))
        return false;
    for (uint32_t type = 0; type < count; type++) {
        for (size_t i = 0; i < sizeof known / sizeof *known; i++)
            if (cas_type_is(layer->types, type, cas_type_find(layer->types, text_of(known[i].type))))
                reading->roles[type] |= (unsigned char)known[i].role;
        if (cas_type_is(layer->types, type, layer->type))
            reading->roles[type] |= ASKED;
    }
    return true;
}

/* ---- The text, and places in it ---- */

/* Makes bytes of an annotation's units. */
static bool locate(const struct cas *cas, const struct element *element, size_t *begin, size_t *end,
                   struct vouch_error *err)
{
    uint32_t at[2];
    for (int i = 0; i < 2; i++) {
        const uint32_t unit = i ? element->end : element->begin;
        if (!byte_of_offset(&cas->units, unit, &at[i]))
            return fail(err, VOUCH_ERR_FORMAT, "document: annotation %u: expected whole characters of a text of %u "
                        "units, found a place at %u", element->id, cas->units.units, unit);
    }
    *begin = at[0];
    *end = at[1];
    return true;
}

/* ---- Words, sentences, annotations ---- */

static int by_place(const void *left, const void *right)
{
    const struct element *a = left, *b = right;
    if (a->begin != b->begin)
        return a->begin < b->begin ? -1 : 1;
    if (a->end != b->end)
        return a->end < b->end ? -1 : 1;
    return (a->id > b->id) - (a->id < b->id);
}

/* Adds what an annotation says of the word that it covers, if it is the last one or one before it at its place. */
static void describe(struct cas_token *token, const struct element *element)
{
    if ((element->roles & POS) && element->pos)
        token->pos = element->pos;
    if ((element->roles & POS) && element->coarse)
        token->coarse = element->coarse;
    if ((element->roles & LEMMA) && element->value)
        token->lemma = element->value;
    if ((element->roles & FEATURES) && element->value)
        token->features = element->value;
}

/* Puts an annotation where it belongs; arrays have room for all. Empty ones are left out. */
static bool sort_out(struct cas *cas, const struct element *element, struct vouch_error *err)
{
    size_t begin = 0, end = 0;
    if (!locate(cas, element, &begin, &end, err))
        return false;
    if (begin == end)
        return true;
    if (element->roles & SENTENCE)
        cas->sentence[cas->sentences++] = (struct cas_sentence){begin, end};
    if (element->roles & TOKEN) {
        if (cas->tokens > 0 && cas->token[cas->tokens - 1].end > begin)
            return fail(err, VOUCH_ERR_FORMAT, "document: expected tokens beside each other, found %u and %u, which "
                        "overlap", cas->token[cas->tokens - 1].id, element->id);
        cas->token[cas->tokens++] = (struct cas_token){.begin = begin, .end = end, .id = element->id};
    }
    if (element->roles & ASKED)
        cas->annotation[cas->annotations++] =
            (struct cas_annotation){begin, end, element->label, element->governor, element->dependent};
    return true;
}

/* Tells words what stands at their places; both are in the order of the text. */
static void describe_tokens(struct cas *cas, const struct element *element, size_t count)
{
    size_t token = 0;
    for (size_t i = 0; i < count; i++) {
        if (!(element[i].roles & (POS | LEMMA | FEATURES)))
            continue;
        uint32_t begin = 0, end = 0;
        byte_of_offset(&cas->units, element[i].begin, &begin);
        byte_of_offset(&cas->units, element[i].end, &end);
        while (token < cas->tokens && cas->token[token].begin < begin)
            token++;
        if (token < cas->tokens && cas->token[token].begin == begin && cas->token[token].end == end)
            describe(&cas->token[token], &element[i]);
    }
}

/* Makes tokens of the numbers that relations have. */
static bool join_relations(struct cas *cas, struct vouch_error *err)
{
    struct keyed *by_id = new_array(cas->tokens, sizeof *by_id, err);
    if (!by_id)
        return false;
    for (size_t i = 0; i < cas->tokens; i++)
        by_id[i] = (struct keyed){cas->token[i].id, i};
    bool ok = sort_keyed(by_id, cas->tokens, err);
    for (size_t i = 0; ok && i < 2 * cas->annotations; i++) {
        struct cas_annotation *relation = &cas->annotation[i / 2];
        uint32_t *end = i % 2 ? &relation->dependent : &relation->governor;
        const struct keyed wanted = {*end, 0};
        const struct keyed *found = bsearch(&wanted, by_id, cas->tokens, sizeof *by_id, ascending_u64);
        *end = found ? (uint32_t)found->value : NO_TOKEN;
    }
    free(by_id);
    return ok;
}

/* Makes a document of what was kept. */
static bool finish(struct reading *reading, struct vouch_error *err)
{
    struct cas *cas = reading->cas;
    if (!reading->sofa.text)
        return fail(err, VOUCH_ERR_FORMAT, "document: expected a Sofa with a text, found none");
    cas->text = reading->sofa.text;
    cas->length = reading->sofa.length;
    cas->sofa = reading->sofa.id;
    cas->next_id = reading->last_id + 1;
    for (size_t i = 0; i < reading->views && !cas->view; i++)
        if (reading->view[i].sofa == cas->sofa)
            cas->view = reading->view[i].place;
    if (!offset_map_set(&cas->units, (struct text){cas->text, (uint32_t)cas->length}, OFFSET_UTF16, err))
        return false;
    size_t count = 0;
    for (size_t i = 0; i < reading->elements; i++)
        if (reading->element[i].sofa == cas->sofa)
            reading->element[count++] = reading->element[i];
    if (count > 0)
        qsort(reading->element, count, sizeof *reading->element, by_place);
    if (!(cas->sentence = new_array(count, sizeof *cas->sentence, err)) ||
        !(cas->token = new_array(count, sizeof *cas->token, err)) ||
        !(cas->annotation = new_array(count, sizeof *cas->annotation, err)))
        return false;
    for (size_t i = 0; i < count; i++)
        if (!sort_out(cas, &reading->element[i], err))
            return false;
    describe_tokens(cas, reading->element, count);
    return !cas->layer->relations || join_relations(cas, err);
}

bool cas_read(struct cas *cas, const char *xmi, size_t length, const struct cas_layer *layer, struct vouch_error *err)
{
    *cas = (struct cas){.xmi = xmi, .xmi_length = length, .layer = layer};
    struct reading reading = {.cas = cas};
    const struct xml_reader reader = {on_start, NULL, on_end, &reading};
    const bool ok = find_roles(&reading, layer, err) && xml_read(xmi, length, "document", &reader, err) &&
                    finish(&reading, err);
    free(reading.roles);
    free(reading.element);
    free(reading.view);
    free(reading.scratch.bytes);
    if (!ok)
        cas_release(cas);
    return ok;
}

void cas_release(struct cas *cas)
{
    free(cas->sentence);
    free(cas->token);
    free(cas->annotation);
    offset_map_release(&cas->units);
    arena_release(&cas->strings);
    *cas = (struct cas){0};
}

/* Takes sentences over from a text that was cut, and words if there are none. */
static bool take_cuts(struct cas *cas, const struct word_cuts *cuts, struct vouch_error *err)
{
    struct cas_sentence *sentence = new_array(cuts->words, sizeof *sentence, err);
    struct cas_token *token = new_array(cuts->words, sizeof *token, err);
    const bool ok = sentence && token;
    size_t sentences = 0, begin = 0;
    for (size_t i = 0; ok && i < cuts->words; i++) {
        const struct word_cut *cut = &cuts->word[i];
        token[i] = (struct cas_token){.begin = cut->from, .end = cut->to};
        if (cut->ends_sentence) {
            sentence[sentences++] = (struct cas_sentence){token[begin].begin, cut->to};
            begin = i + 1;
        }
    }
    if (ok) {
        free(cas->sentence);
        cas->sentence = sentence;
        cas->sentences = sentences;
    } else
        free(sentence);
    if (ok && cas->tokens == 0) {
        free(cas->token);
        cas->token = token;
        cas->tokens = cuts->words;
    } else
        free(token);
    return ok;
}

bool cas_cut(struct cas *cas, struct vouch_error *err)
{
    if (cas->sentences > 0 && cas->tokens > 0)
        return true;
    struct word_cuts cuts = {0};
    const struct text text = {cas->text, (uint32_t)cas->length};
    const bool ok = cut_words(text, &cuts, err) && take_cuts(cas, &cuts, err);
    word_cuts_release(&cuts);
    return ok;
}

/* Returns the first token that begins at a byte or behind it. O(log tokens). */
static size_t first_token(const struct cas *cas, size_t byte)
{
    size_t low = 0, high = cas->tokens;
    while (low < high) {
        const size_t middle = low + (high - low) / 2;
        if (cas->token[middle].begin < byte)
            low = middle + 1;
        else
            high = middle;
    }
    return low;
}

void cas_words(const struct cas *cas, size_t begin, size_t end, size_t *from, size_t *to)
{
    *from = first_token(cas, begin);
    *to = first_token(cas, end);
    if (*to > *from && cas->token[*to - 1].end > end)
        --*to;
}

/* ---- Layers ---- */

/* Whether the type has the feature that the asked one's name and the ending make. */
static bool has(const struct cas_layer *layer, const char *ending, struct buffer *scratch, bool *ok,
                struct vouch_error *err)
{
    scratch->length = 0;
    *ok = *ok && buffer_print(scratch, err, "%s%s", layer->feature, ending);
    return *ok && cas_feature_range(layer->types, layer->type, scratch->bytes) != NULL;
}

bool cas_layer_find(const struct cas_types *types, const char *layer, const char *feature, struct cas_layer *found,
                    struct vouch_error *err)
{
    *found = (struct cas_layer){.types = types, .type = cas_type_find(types, text_of(layer)), .feature = feature};
    if (found->type == NO_TYPE)
        return fail(err, VOUCH_ERR_FORMAT, "type system: expected the layer %s, found none of that name", layer);
    const char *range = cas_feature_range(types, found->type, feature);
    if (!range)
        return fail(err, VOUCH_ERR_FORMAT, "type system: %s: expected the feature %s, found none of that name", layer,
                    feature);
    if (!cas_range_is_text(types, range))
        return fail(err, VOUCH_ERR_FORMAT, "type system: %s: expected labels as the feature %s, found values of %s",
                    layer, feature, range);
    const char *governor = cas_feature_range(types, found->type, "Governor");
    found->relations = governor && cas_feature_range(types, found->type, "Dependent");
    if (found->relations && strcmp(governor, known[1].type) != 0)
        return fail(err, VOUCH_ERR_FORMAT, "type system: %s: expected relations between tokens, found between %s",
                    layer, governor);
    struct buffer scratch = {0};
    bool ok = true;
    found->predicted = cas_feature_range(types, found->type, "inception_internal_predicted") != NULL;
    found->score = has(found, "_score", &scratch, &ok, err);
    found->score_explanation = has(found, "_score_explanation", &scratch, &ok, err);
    found->correction = has(found, "_correction", &scratch, &ok, err);
    found->correction_explanation = has(found, "_correction_explanation", &scratch, &ok, err);
    free(scratch.bytes);
    return ok;
}

/* ---- Writing ---- */

/* Writes text as it may stand within quotation marks; characters that XML does not have become U+FFFD. */
static bool put_text(struct buffer *out, const char *text, struct vouch_error *err)
{
    bool ok = true;
    for (; ok && *text; text++) {
        const unsigned char c = (unsigned char)*text;
        if (c == '&' || c == '<' || c == '>' || c == '"' || c == '\t' || c == '\n' || c == '\r')
            ok = buffer_print(out, err, "&#%d;", c);
        else if (c < 0x20)
            ok = buffer_print(out, err, "\xEF\xBF\xBD");
        else
            ok = buffer_put(out, *text, err);
    }
    return ok;
}

static bool put_attribute(struct buffer *out, const char *name, const char *ending, const char *text,
                          struct vouch_error *err)
{
    return buffer_print(out, err, " %s%s=\"", name, ending) && put_text(out, text, err) && buffer_put(out, '"', err);
}

static bool put_score(struct buffer *out, const char *feature, double score, struct vouch_error *err)
{
    char number[NUMBER_ROOM];
    spell_number(score, number);
    return put_attribute(out, feature, "_score", number, err);
}

static bool put_suggestion(const struct cas *cas, const struct cas_suggestion *of, uint32_t id, const char *space,
                           const char *name, struct buffer *out, struct vouch_error *err)
{
    const struct cas_layer *layer = cas->layer;
    const char *prefix = cas->prefix ? cas->prefix : "layer";
    if (!buffer_print(out, err, "<%s:%s", prefix, name) ||
        (!cas->prefix && !buffer_print(out, err, " xmlns:layer=\"%s\"", space)) ||
        !buffer_print(out, err, " %s:id=\"%u\" sofa=\"%u\" begin=\"%u\" end=\"%u\"", cas->id_tag, id, cas->sofa,
                      offset_of_byte(&cas->units, (uint32_t)of->begin), offset_of_byte(&cas->units, (uint32_t)of->end)))
        return false;
    if (layer->relations && !buffer_print(out, err, " Governor=\"%u\" Dependent=\"%u\"", cas->token[of->governor].id,
                                          cas->token[of->dependent].id))
        return false;
    return put_attribute(out, layer->feature, "", of->label, err) &&
           (!layer->score || isnan(of->score) || put_score(out, layer->feature, of->score, err)) &&
           (!layer->score_explanation || !of->score_explanation ||
            put_attribute(out, layer->feature, "_score_explanation", of->score_explanation, err)) &&
           (!layer->correction || !of->correction || put_attribute(out, layer->feature, "_correction", "true", err)) &&
           (!layer->correction_explanation || !of->correction_explanation ||
            put_attribute(out, layer->feature, "_correction_explanation", of->correction_explanation, err)) &&
           (!layer->predicted || buffer_print(out, err, " inception_internal_predicted=\"true\"")) &&
           buffer_print(out, err, "/>");
}

/* Finds the tag of the view; without a view, that which closes the document. */
static struct xml_tag find_place(const struct cas *cas)
{
    struct xml_tag tag = {0}, last = {0};
    uint32_t place = 0;
    for (size_t at = 0; xml_next_tag(cas->xmi, cas->xmi_length, &at, &tag);) {
        place += !tag.closes;
        if (!tag.closes && place == cas->view)
            return tag;
        last = tag;
    }
    return last;
}

/* Returns where in a tag the value of `members` ends; the tag's end, before "/>" or ">", if it has none. */
static size_t members_end(const struct cas *cas, struct xml_tag tag, bool *there)
{
    static const char name[] = "members";
    const char *xmi = cas->xmi;
    *there = false;
    for (size_t at = tag.begin; at < tag.end; at++) {
        if (xmi[at] != '"' && xmi[at] != '\'')
            continue;
        size_t key = at, from = at++;
        while (xmi[key - 1] == '=' || (unsigned char)xmi[key - 1] <= ' ')
            key--;
        while (xmi[at] != xmi[from])
            at++;
        if (key - tag.begin >= sizeof name && memcmp(xmi + key - (sizeof name - 1), name, sizeof name - 1) == 0 &&
            (unsigned char)xmi[key - sizeof name] <= ' ') {
            *there = true;
            return at;
        }
    }
    return tag.end - (xmi[tag.end - 2] == '/' ? 2 : 1);
}

static bool put_members(const struct cas *cas, size_t count, struct buffer *out, struct vouch_error *err)
{
    for (size_t i = 0; i < count; i++)
        if (!buffer_print(out, err, "%s%zu", i ? " " : "", cas->next_id + i))
            return false;
    return true;
}

/* Writes the rest of the document from the view's tag on. */
static bool put_view(const struct cas *cas, struct xml_tag tag, size_t count, struct buffer *out,
                     struct vouch_error *err)
{
    size_t from = tag.begin;
    if (!cas->view) {
        if (!buffer_print(out, err, "<layer:View xmlns:layer=\"" CAS "\" sofa=\"%u\" members=\"", cas->sofa) ||
            !put_members(cas, count, out, err) || !buffer_print(out, err, "\"/>"))
            return false;
    } else {
        bool there;
        from = members_end(cas, tag, &there);
        if (!buffer_add_bytes(out, cas->xmi + tag.begin, from - tag.begin, err) ||
            !buffer_print(out, err, there ? " " : " members=\"") || !put_members(cas, count, out, err) ||
            (!there && !buffer_put(out, '"', err)))
            return false;
    }
    return buffer_add_bytes(out, cas->xmi + from, cas->xmi_length - from, err);
}

bool cas_write(const struct cas *cas, const struct cas_suggestion *suggestion, size_t count, struct buffer *out,
               struct vouch_error *err)
{
    if (count == 0)
        return buffer_add_bytes(out, cas->xmi, cas->xmi_length, err);
    if (cas->next_id + (uint64_t)count > (uint64_t)INT32_MAX + 1)
        return fail(err, VOUCH_ERR_FORMAT, "document: expected numbers below 2^31, found %u as an xmi:id",
                    cas->next_id - 1);
    struct buffer space = {0};
    const char *name = cas_type_space(cas->layer->types, cas->layer->type, &space, err);
    const struct xml_tag tag = find_place(cas);
    bool ok = name && buffer_add_bytes(out, cas->xmi, tag.begin, err);
    for (size_t i = 0; ok && i < count; i++)
        ok = put_suggestion(cas, &suggestion[i], (uint32_t)(cas->next_id + i), space.bytes, name, out, err);
    free(space.bytes);
    return ok && put_view(cas, tag, count, out, err);
}
