/* See json_documents.h. */
#include "convert/json_documents.h"

#include "base/json_read.h"

#include <inttypes.h>
#include <stdio.h>

static bool is_white(char c)
{
    return c == ' ' || c == '\t' || c == '\n' || c == '\r';
}

/* Where reading is. */
struct json_place {
    const char *at, *end, *counted; /* lines are counted up to `counted` */
    uint64_t line;
};

static void skip_white(struct json_place *place)
{
    while (place->at < place->end && is_white(*place->at))
        place->at++;
    for (; place->counted < place->at; place->counted++)
        place->line += *place->counted == '\n';
}

/* Reads the value at the place, which is moved behind it. */
static bool read_value(struct json_document *document, struct json_place *place, json_document_call each,
                       struct vouch_error *err)
{
    json_error_t error;
    document->line = place->line;
    if (*place->at != '{')
        return fail_json(document, err, "expected a JSON object, found '%.*s'",
                         excerpt((struct text){place->at, (uint32_t)(place->end - place->at)}), place->at);
    json_t *object =
        json_read(place->at, (size_t)(place->end - place->at), JSON_DISABLE_EOF_CHECK | JSON_REJECT_DUPLICATES, &error);
    if (!object) {
        document->line += (uint64_t)(error.line > 0 ? error.line - 1 : 0);
        return json_lacked_memory(&error) ? fail_memory(err) : fail_json(document, err, "%s", error.text);
    }
    document->object = object;
    bool done = each(document, err);
    json_decref(object);
    place->at += error.position;
    skip_white(place);
    return done;
}

/* Takes a character that must be there. */
static bool take(struct json_document *document, struct json_place *place, const char *wanted, struct vouch_error *err)
{
    document->line = place->line;
    if (place->at == place->end)
        return fail_json(document, err, "expected %s, found the end of the file", wanted);
    if (!strchr(wanted, *place->at))
        return fail_json(document, err, "expected %s, found '%.*s'", wanted,
                         excerpt((struct text){place->at, (uint32_t)(place->end - place->at)}), place->at);
    return true;
}

bool read_json_documents(const struct annotated_source *source, const struct format_choices *choices,
                         struct annotated_texts *into, json_document_call each, struct vouch_error *err)
{
    struct json_document document = {.source = source, .choices = choices, .into = into, .before = into->count};
    struct json_place place = {source->bytes, source->bytes + source->length, source->bytes, 1};
    skip_white(&place);
    bool array = place.at < place.end && *place.at == '[', more = true;
    if (!array) {
        while (place.at < place.end)
            if (!read_value(&document, &place, each, err))
                return false;
        return true;
    }
    place.at++;
    skip_white(&place);
    if (place.at < place.end && *place.at == ']')
        more = false;
    while (more) {
        if (!take(&document, &place, "{", err) || !read_value(&document, &place, each, err) ||
            !take(&document, &place, ",]", err))
            return false;
        if ((more = *place.at == ',')) {
            place.at++;
            skip_white(&place);
        }
    }
    place.at++;
    skip_white(&place);
    document.line = place.line;
    return place.at == place.end || fail_json(&document, err, "expected the end of the file behind the array");
}

/* Skips a string, behind its first quote; returns what is behind its last, or the end. */
static const char *string_end(const char *at, const char *end)
{
    while (at < end && *at != '"')
        at += *at == '\\' && at + 1 < end ? 2 : 1;
    return at < end ? at + 1 : end;
}

bool json_beginning_has(struct text beginning, const char *key)
{
    struct json_place place = {beginning.at, beginning.at + beginning.length, beginning.at, 1};
    size_t length = strlen(key);
    skip_white(&place);
    if (place.at < place.end && *place.at == '[')
        place.at++;
    skip_white(&place);
    if (place.at == place.end || *place.at != '{')
        return false;
    int depth = 0;
    for (const char *at = place.at; at < place.end;) {
        if (*at == '"') {
            const char *name = at + 1, *behind = string_end(name, place.end);
            bool same = (size_t)(behind - name) == length + 1 && memcmp(name, key, length) == 0;
            at = behind;
            while (at < place.end && is_white(*at))
                at++;
            if (depth == 1 && same && at < place.end && *at == ':')
                return true;
            continue;
        }
        depth += *at == '{' || *at == '[';
        depth -= *at == '}' || *at == ']';
        at++;
        if (depth == 0)
            break;
    }
    return false;
}

bool keep_json_text(const struct json_document *document, const json_t *value, const char *key, struct text *text,
                    struct vouch_error *err)
{
    *text = (struct text){"", 0};
    if (!value || json_is_null(value))
        return true;
    if (!json_is_string(value))
        return fail_json(document, err, "\"%s\": expected a string", key);
    *text =
        texts_keep(document->into, (struct text){json_string_value(value), (uint32_t)json_string_length(value)}, err);
    return text->at != NULL;
}

bool keep_json_id(const struct json_document *document, const json_t *value, const char *key, struct text *text,
                  struct vouch_error *err)
{
    char digits[32];
    if (!json_is_integer(value))
        return keep_json_text(document, value, key, text, err);
    snprintf(digits, sizeof digits, "%" JSON_INTEGER_FORMAT, json_integer_value(value));
    *text = texts_keep(document->into, text_of(digits), err);
    return text->at != NULL;
}

bool read_json_count(const struct json_document *document, const json_t *value, const char *key, uint64_t most,
                     uint64_t *count, struct vouch_error *err)
{
    *count = 0;
    if (!json_is_integer(value) || json_integer_value(value) < 0)
        return fail_json(document, err, "\"%s\": expected a whole number", key);
    *count = (uint64_t)json_integer_value(value);
    return *count <= most ||
           fail_json(document, err, "\"%s\": expected at most %" PRIu64 ", found %" PRIu64, key, most, *count);
}

bool read_json_score(const struct json_document *document, const json_t *value, const char *key, double *score,
                     struct vouch_error *err)
{
    *score = json_is_number(value) ? json_number_value(value) : NAN;
    return !value || json_is_null(value) || json_is_number(value) ||
           fail_json(document, err, "\"%s\": expected a number", key);
}

bool keep_json_rest(struct annotated_texts *into, json_t *object, const char *const *known, struct text *rest,
                    struct vouch_error *err)
{
    struct output *out = NULL;
    const char *key;
    json_t *value;
    *rest = (struct text){"", 0};
    json_object_foreach(object, key, value)
    {
        if (text_among(text_of(key), known))
            continue;
        if (!out && !(out = output_open_memory(err)))
            return false;
        output_write(out, output_position(out) ? ", " : "{", output_position(out) ? 2 : 1);
        write_json_text(out, text_of(key));
        output_write(out, ": ", 2);
        write_json_value(out, value, true);
    }
    if (!out)
        return true;
    size_t length;
    output_write(out, "}", 1);
    const char *bytes = output_text(out, &length);
    bool done = bytes ? true : fail_memory(err);
    if (done) {
        *rest = texts_keep(into, (struct text){bytes, (uint32_t)length}, err);
        done = rest->at != NULL;
    }
    output_discard(out);
    return done;
}

/* ---- Words and sentences ---- */

bool read_json_offset(const struct json_document *document, const json_t *value, const char *key,
                      const struct offset_map *map, uint32_t *byte, struct vouch_error *err)
{
    uint64_t offset;
    if (!read_json_count(document, value, key, UINT32_MAX, &offset, err))
        return false;
    if (offset > map->units)
        return fail_json(document, err, "\"%s\": expected an offset into a text of %u characters, found %" PRIu64, key,
                         map->units, offset);
    return byte_of_offset(map, offset, byte) ||
           fail_json(document, err, "\"%s\": expected an offset between characters, found %" PRIu64, key, offset);
}

bool read_json_sentences(const struct json_document *document, struct annotated *doc, struct vouch_error *err)
{
    const json_t *list = json_object_get(document->object, "sentences");
    uint64_t count, words = 0;
    if (!list)
        return annotated_cut_sentences(doc, err);
    for (size_t i = 0; i < json_array_size(list); i++) {
        if (!read_json_count(document, json_array_get(list, i), "sentences", doc->words - words, &count, err) ||
            !annotated_put_sentence(doc, (uint32_t)(words += count), err))
            return false;
    }
    return (json_is_array(list) && words == doc->words) ||
           fail_json(document, err, "\"sentences\": expected numbers of words, %u together", doc->words);
}

bool read_json_words(const struct json_document *document, struct annotated *doc, const struct offset_map *map,
                     struct vouch_error *err)
{
    const json_t *list = json_object_get(document->object, "words"), *item;
    size_t i;
    uint32_t from, to;
    if (!list)
        return json_object_get(document->object, "sentences")
                   ? annotated_cut_words_alone(doc, err) && read_json_sentences(document, doc, err)
                   : annotated_cut_words(doc, err);
    if (!json_is_array(list))
        return fail_json(document, err, "\"words\": expected an array of arrays, each of two offsets");
    json_array_foreach(list, i, item)
    {
        if (json_array_size(item) != 2)
            return fail_json(document, err, "\"words\": expected an array of arrays, each of two offsets");
        if (!read_json_offset(document, json_array_get(item, 0), "words", map, &from, err) ||
            !read_json_offset(document, json_array_get(item, 1), "words", map, &to, err) ||
            !annotated_add_word(doc, from, to, err))
            return false;
    }
    return read_json_sentences(document, doc, err);
}

void write_json_sentences(struct output *out, const struct annotated *doc)
{
    output_printf(out, ", \"sentences\": [");
    for (uint32_t i = 0; i < doc->sentences; i++)
        output_printf(out, "%s%u", i > 0 ? ", " : "", doc->sentence[i].to - doc->sentence[i].from);
    output_printf(out, "]");
}

bool write_json_words(struct output *out, const struct annotated *doc, const struct offset_map *map,
                      struct vouch_error *err)
{
    bool words, sentences;
    if (!annotated_ruled(doc, &words, &sentences, err))
        return false;
    if (!words) {
        output_printf(out, ", \"words\": [");
        for (uint32_t i = 0; i < doc->words; i++)
            output_printf(out, "%s[%u, %u]", i > 0 ? ", " : "", offset_of_byte(map, doc->word[i].from),
                          offset_of_byte(map, doc->word[i].to));
        output_printf(out, "]");
    }
    if (!sentences)
        write_json_sentences(out, doc);
    return true;
}

/* Finds a word in the text behind the last, with nothing but white space between. */
static bool find_word(const struct json_document *document, struct annotated *doc, struct text form, const char *key,
                      struct vouch_error *err)
{
    uint32_t at = doc->words ? doc->word[doc->words - 1].to : 0;
    while (at < doc->text.length && is_white(doc->text.at[at]))
        at++;
    if (form.length <= doc->text.length - at && memcmp(doc->text.at + at, form.at, form.length) == 0)
        return annotated_add_word(doc, at, at + form.length, err);
    struct text rest = annotated_bytes(doc, at, doc->text.length);
    return fail_json(document, err, "\"%s\": expected the words of the text, found '%.*s' where that has '%.*s'", key,
                     excerpt(form), form.at, excerpt(rest), rest.at);
}

bool read_json_forms(const struct json_document *document, struct annotated *doc, const json_t *list, const char *key,
                     struct vouch_error *err)
{
    const bool make = doc->text.length == 0;
    for (size_t i = 0; i < json_array_size(list); i++) {
        const json_t *word = json_array_get(list, i);
        if (!json_is_string(word))
            return fail_json(document, err, "\"%s\": expected an array of strings", key);
        struct text form = {json_string_value(word), (uint32_t)json_string_length(word)};
        if (make ? !annotated_append_word(doc, (struct text){" ", 1}, form, err)
                 : !find_word(document, doc, form, key, err))
            return false;
    }
    if (make && !annotated_keep_text(doc, err))
        return false;
    return json_is_array(list) || fail_json(document, err, "\"%s\": expected an array of strings", key);
}

bool read_json_columns(const struct json_document *document, struct annotated *doc, struct vouch_error *err)
{
    json_t *columns = json_object_get(document->object, "columns"), *list;
    const char *name;
    if (columns && !json_is_object(columns))
        return fail_json(document, err, "\"columns\": expected an object");
    json_object_foreach(columns, name, list)
    {
        if (json_array_size(list) != doc->words)
            return fail_json(document, err, "\"%s\": expected an array of %u strings, one a word", name, doc->words);
        struct text kept = texts_keep(doc->corpus, text_of(name), err);
        struct tag_column *column = kept.at ? annotated_column(doc, kept, err) : NULL;
        if (!column)
            return false;
        for (uint32_t i = 0; i < doc->words; i++)
            if (!keep_json_text(document, json_array_get(list, i), name, &column->cell[i], err))
                return false;
    }
    return true;
}

void write_json_columns(struct output *out, const struct annotated *doc, const char *but)
{
    bool any = false;
    for (uint32_t c = 0; c < doc->columns; c++) {
        if (but && text_is(doc->column[c].name, but))
            continue;
        output_printf(out, any ? ", " : ", \"columns\": {");
        any = true;
        write_json_text(out, doc->column[c].name);
        output_printf(out, ": [");
        for (uint32_t i = 0; i < doc->words; i++) {
            output_printf(out, i > 0 ? ", " : "");
            if (doc->column[c].cell[i].length == 0)
                output_printf(out, "null");
            else
                write_json_text(out, doc->column[c].cell[i]);
        }
        output_printf(out, "]");
    }
    output_printf(out, any ? "}" : "");
}

/* ---- Writing ---- */

void write_json_label(struct output *out, char prefix, struct text type)
{
    output_printf(out, "\"%c%s", prefix, prefix == 'O' ? "" : "-");
    write_json_escaped(out, type);
    output_write(out, "\"", 1);
}

void write_json_number(struct output *out, double number)
{
    char text[NUMBER_ROOM];
    if (isfinite(number))
        spell_number(number, text);
    output_printf(out, "%s", isfinite(number) ? text : "null");
}

bool json_id_is(const json_t *value, struct text id)
{
    char digits[32] = "";
    if (json_is_integer(value))
        snprintf(digits, sizeof digits, "%" JSON_INTEGER_FORMAT, json_integer_value(value));
    return text_is(id, json_is_string(value) ? json_string_value(value) : digits);
}

bool json_id_is_number(struct text id)
{
    if (id.length == 0 || id.length > 15 || (id.length > 1 && id.at[0] == '0'))
        return false;
    for (uint32_t i = 0; i < id.length; i++)
        if (id.at[i] < '0' || id.at[i] > '9')
            return false;
    return true;
}

void write_json_id(struct output *out, struct text id)
{
    if (json_id_is_number(id))
        output_write(out, id.at, id.length);
    else
        write_json_text(out, id);
}

void write_json_member(struct output *out, const char *key, struct text text)
{
    if (text.length == 0)
        return;
    output_printf(out, ", \"%s\": ", key);
    write_json_text(out, text);
}

void write_json_id_member(struct output *out, const char *key, struct text id)
{
    if (id.length == 0)
        return;
    output_printf(out, ", \"%s\": ", key);
    write_json_id(out, id);
}

void write_json_score(struct output *out, double score)
{
    if (isnan(score))
        return;
    output_printf(out, ", \"score\": ");
    write_json_number(out, score);
}

bool write_json_lines(struct output *out, const struct annotated_texts *corpus, json_line_call write, bool detailed,
                      struct vouch_error *err)
{
    struct offset_map map = {0};
    bool done = true;
    for (size_t i = 0; done && i < corpus->count; i++) {
        done = write(out, &corpus->document[i], &map, detailed, err);
        output_printf(out, "}\n");
    }
    offset_map_release(&map);
    return done;
}

bool fit_json_meta(struct annotated *doc, const char *const *known, struct vouch_error *err)
{
    json_error_t error;
    if (doc->meta.length == 0)
        return true;
    json_t *object = json_read(doc->meta.at, doc->meta.length, 0, &error);
    if (!object)
        return json_lacked_memory(&error) ? fail_memory(err) : fail_document(doc, err, "%s", error.text);
    uint32_t lost = 0;
    for (; *known; known++)
        lost += json_object_del(object, *known) == 0;
    doc->corpus->counts.unsaid[KEPT_META] += lost;
    bool done = lost == 0 || keep_json_rest(doc->corpus, object, known, &doc->meta, err);
    json_decref(object);
    return done;
}

void write_json_meta(struct output *out, const struct annotated *doc)
{
    if (doc->meta.length == 0)
        return;
    output_printf(out, ", ");
    output_write(out, doc->meta.at + 1, doc->meta.length - 2);
}
