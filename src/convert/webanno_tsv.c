/*
 * WebAnno TSV 3.3, a format of WebAnno and INCEpTION: layers as columns, words as lines. Offsets count UTF-16 units.
 *
 *     #FORMAT=WebAnno TSV 3.3
 *     #T_SP=de.tudarmstadt.ukp.dkpro.core.api.ner.type.NamedEntity|value       a layer of spans and its features
 *     #T_RL=webanno.custom.Relation|label|BT_de...NamedEntity                   a layer of relations, and what it joins
 *
 *
 *     #Text=Ada left The Hague                                 once more for each line that the sentence has
 *     1-1<TAB>0-3<TAB>Ada<TAB>PER<TAB>_<TAB>_<TAB>
 *     1-3<TAB>9-12<TAB>The<TAB>LOC[1]<TAB>from<TAB>1-1[0_1]<TAB>      [1]: one of several, or of several words
 *     1-4<TAB>13-18<TAB>Hague<TAB>LOC[1]<TAB>_<TAB>_<TAB>
 *
 * _ is no annotation, * one without a value, | stands between stacked ones. A relation is in the line of its target,
 * and names the line of its source; behind it, in brackets, the numbers of source and target, 0 for one that has none.
 * Pieces of a word have lines 1-3.1, 1-3.2. A backslash protects what has a meaning.
 *
 * What is read: the layer of spans that is chosen, or the only one; relations between its spans; Dependency as a tree,
 * in which a word that depends on itself is a root; POS, Lemma and MorphologicalFeatures as tags of words. A span
 * without a value has the name of its layer as its label. Other layers and features are counted. Slots are refused.
 */
#include "convert/annotation_formats.h"

#include "base/order.h"
#include "convert/webanno_tsv.h"

#include <inttypes.h>

#define FORMAT "#FORMAT=WebAnno TSV 3."

/* What a column has for us. Of relations, the label is in front of the source. */
enum use { UNUSED, TAG, LABEL, RELATION_LABEL, RELATION_SOURCE, TREE_LABEL, TREE_SOURCE };

struct tsv_column {
    char kind; /* S, R or C: a layer of spans, relations or chains */
    struct text layer, feature;
    enum use use;
    const char *tag; /* of TAG: the column here */
};

/* A unit of a span: all of the same number are one. */
struct mention {
    uint32_t number; /* in brackets; 0: none, it is a span of its own */
    uint32_t word, begin, end;
    struct text label;
    uint64_t line;
    uint32_t span; /* that it became */
};

/* A relation to a word, or to a span there, until all lines are read. */
struct pending {
    struct text label, source; /* the latter names a line */
    uint32_t number[2];        /* of the spans, source and target; 0: none */
    uint32_t target;           /* word */
    uint64_t line;
    bool tree;
};

struct tsv_reading {
    struct annotated *doc;
    struct text rest; /* the lines behind the header */
    uint64_t rest_line, line;
    struct tsv_column *column;
    struct mention *mention;
    struct pending *pending;
    struct keyed *by_number; /* [mentions] sorted */
    uint32_t *lone;          /* [words] the mention without a number at a word, from 1; 0: none */
    uint32_t *word;          /* [tokens] NO_WORD: of white space alone */
    uint32_t *first;         /* [sentences] token */
    struct text *field;      /* [columns] of the line at hand */
    size_t columns, mentions, pendings, tokens, sentences;
    size_t column_room, mention_room, pending_room, token_room, sentence_room;
    struct text layer;            /* of spans */
    struct text name;             /* of the sentence at hand */
    struct buffer text, sentence; /* so far, and of the sentence at hand */
    uint32_t units;               /* of the text so far */
    struct offset_map map;
};
#define NO_WORD UINT32_MAX

#define fail_tsv(t, err, ...) fail_at((t)->doc->file, (t)->line, err, __VA_ARGS__)

/* ---- Escapes ---- */

/* Cuts off what is before `end`, unless a backslash protects it. */
static struct text cut_bare(struct text *rest, char end)
{
    uint32_t at = 0;
    while (at < rest->length && rest->at[at] != end)
        at += rest->at[at] == '\\' && at + 1 < rest->length ? 2 : 1;
    const struct text piece = {rest->at, at};
    const uint32_t used = at + (at < rest->length);
    *rest = (struct text){rest->at + used, rest->length - used};
    return piece;
}

/* Adds text without its escapes; those of `plain` stand for themselves. */
static bool add_unescaped(struct buffer *to, struct text text, const char *plain, struct vouch_error *err)
{
    static const char letters[] = "tnrfb", meant[] = "\t\n\r\f\b";
    bool ok = true;
    for (uint32_t i = 0; ok && i < text.length; i++) {
        const char next = i + 1 < text.length ? text.at[i + 1] : '\0';
        const char *letter = next ? strchr(letters, next) : NULL;
        const bool escapes = text.at[i] == '\\' && next && (letter || strchr(plain, next) || (unsigned char)next < 32);
        ok = buffer_put(to, !escapes ? text.at[i] : letter ? meant[letter - letters] : next, err);
        i += escapes;
    }
    return ok;
}

/* Keeps a value without its escapes. `at` is NULL without memory. */
static struct text unescape_value(struct tsv_reading *t, struct text value, struct vouch_error *err)
{
    struct buffer text = {0};
    struct text kept = {0};
    if (add_unescaped(&text, value, "\\[]|_-;*", err))
        kept = texts_keep(t->doc->corpus, buffer_text(&text), err);
    free(text.bytes);
    return kept;
}

/* ---- The header ---- */

static bool add_column(struct tsv_reading *t, struct tsv_column column, struct vouch_error *err)
{
    if (!RESERVE(t->column, t->column_room, t->columns + 1, err))
        return false;
    for (size_t i = 0; column.kind == 'S' && i < WEBANNO_TAGS; i++)
        if (text_is(column.layer, webanno_tags[i].layer) && text_is(column.feature, webanno_tags[i].feature)) {
            column.use = TAG;
            column.tag = webanno_tags[i].column;
        }
    t->column[t->columns++] = column;
    return true;
}

/* Reads "#T_SP=layer|feature|feature". A layer without features has one column. */
static bool read_layer(struct tsv_reading *t, struct text line, struct vouch_error *err)
{
    struct tsv_column column = {.kind = line.at[3]};
    line = (struct text){line.at + 6, line.length - 6};
    column.layer = text_cut(&line, '|');
    if (column.layer.length == 0)
        return fail_tsv(t, err, "expected the name of a layer");
    const size_t before = t->columns;
    while (line.length > 0) {
        column.feature = text_cut(&line, '|');
        if (column.kind == 'S' && text_starts(column.feature, "ROLE_"))
            return fail_tsv(t, err, "expected features with labels, found slots: '%.*s' cannot be read",
                            excerpt(column.feature), column.feature.at);
        if (column.feature.length > 0 && !add_column(t, column, err))
            return false;
    }
    return t->columns > before || add_column(t, column, err);
}

static bool is_span_layer(const struct tsv_column *column)
{
    bool tagged = false;
    for (size_t i = 0; i < WEBANNO_TAGS; i++)
        tagged = tagged || text_is(column->layer, webanno_tags[i].layer);
    return column->kind == 'S' && !tagged;
}

/* Finds the layer of spans: the one that was chosen, by its whole name or the end of it, or the only one. */
static bool choose_layer(struct tsv_reading *t, const char *chosen, struct vouch_error *err)
{
    const struct text none = {"", 0};
    t->layer = none;
    for (size_t i = 0; i < t->columns; i++) {
        const struct tsv_column *column = &t->column[i];
        if (column->kind != 'S' || (chosen ? !text_is(column->layer, chosen) &&
                                                 !text_is(webanno_short_name(column->layer), chosen)
                                           : !is_span_layer(column)))
            continue;
        if (t->layer.length > 0 && !text_equal(t->layer, column->layer))
            return fail_tsv(t, err, "expected one layer of spans, found %.*s and %.*s: choose one by its name",
                            (int)t->layer.length, t->layer.at, (int)column->layer.length, column->layer.at);
        t->layer = column->layer;
    }
    return !chosen || t->layer.length > 0 ||
           fail_tsv(t, err, "expected the layer '%s', found none of that name", chosen);
}

/* Marks the feature that is the label of a layer: "value", or the name of the layer's usual one, or the first. */
static void choose_label(struct tsv_reading *t, struct text layer, const char *usual, enum use use)
{
    struct tsv_column *label = NULL;
    for (size_t i = 0; i < t->columns; i++) {
        struct tsv_column *column = &t->column[i];
        if (text_equal(column->layer, layer) && column->use != TAG && !text_starts(column->feature, "BT_") &&
            (!label || text_is(column->feature, usual)))
            label = column;
    }
    if (label)
        label->use = use;
}

static bool choose_columns(struct tsv_reading *t, const struct format_choices *choices, struct vouch_error *err)
{
    if (!choose_layer(t, choices->layer, err))
        return false;
    if (t->layer.length > 0)
        choose_label(t, t->layer, "value", LABEL);
    bool related = false;
    for (size_t i = 0; i < t->columns; i++) {
        struct tsv_column *column = &t->column[i];
        const bool tree = text_is(column->layer, WEBANNO_DEPENDENCY);
        if (column->kind != 'R' || !text_starts(column->feature, "BT_"))
            continue;
        const struct text base = {column->feature.at + 3, column->feature.length - 3};
        if (!tree && !(text_equal(base, t->layer) && t->layer.length > 0))
            continue;
        if (!tree && related)
            return fail_tsv(t, err, "expected one layer of relations, found %.*s as well", (int)column->layer.length,
                            column->layer.at);
        related = related || !tree;
        column->use = tree ? TREE_SOURCE : RELATION_SOURCE;
        choose_label(t, column->layer, "DependencyType", tree ? TREE_LABEL : RELATION_LABEL);
    }
    return true;
}

/* Reads the header, up to the first blank line. */
static bool read_header(struct tsv_reading *t, const struct format_choices *choices, struct vouch_error *err)
{
    struct text line = {"", 0};
    cut_source_line(&t->rest, &line, &t->line);
    if (!text_is(line, FORMAT "3") && !text_is(line, FORMAT "2"))
        return fail_tsv(t, err, "expected '" FORMAT "3', found '%.*s'", excerpt(line), line.at);
    while (cut_source_line(&t->rest, &line, &t->line) && line.length > 0) {
        if (!text_starts(line, "#T_SP=") && !text_starts(line, "#T_RL=") && !text_starts(line, "#T_CH="))
            return fail_tsv(t, err, "expected a layer, found '%.*s'", excerpt(line), line.at);
        if (!read_layer(t, line, err))
            return false;
    }
    t->rest_line = t->line;
    t->field = new_array(t->columns, sizeof *t->field, err);
    return t->field && choose_columns(t, choices, err);
}

/* ---- The text ---- */

/* Reads "4-8". */
static bool read_offsets(const struct tsv_reading *t, struct text offsets, uint32_t unit[2], struct vouch_error *err)
{
    const struct text said = offsets, start = text_cut(&offsets, '-');
    return (text_whole(start, &unit[0]) && text_whole(offsets, &unit[1]) && unit[0] <= unit[1]) ||
           fail_tsv(t, err, "expected two offsets, found '%.*s'", excerpt(said), said.at);
}

/* Puts a sentence where its first word begins: behind the end of a line, and spaces as far as it is away. */
static bool place_sentence(struct tsv_reading *t, struct text offsets, struct vouch_error *err)
{
    uint32_t unit[2];
    if (!read_offsets(t, offsets, unit, err))
        return false;
    if (unit[0] < t->units || unit[0] - t->units > WEBANNO_MOST_GAP)
        return fail_tsv(t, err, "expected a sentence at %u or soon behind it, found one at %u", t->units, unit[0]);
    for (bool first = true; t->units < unit[0]; t->units++, first = false)
        if (!buffer_put(&t->text, first && t->text.length > 0 ? '\n' : ' ', err))
            return false;
    if (!buffer_add(&t->text, buffer_text(&t->sentence), err))
        return false;
    t->units += utf16_units(buffer_text(&t->sentence));
    t->sentence.length = 0;
    return true;
}

/* Puts the text together, of which every sentence has a part. */
static bool read_text(struct tsv_reading *t, struct vouch_error *err)
{
    struct text rest = t->rest, line;
    bool headed = false;
    t->line = t->rest_line;
    while (cut_source_line(&rest, &line, &t->line)) {
        if (text_starts(line, "#Text=")) {
            const struct text more = {line.at + 6, line.length - 6};
            if ((headed && !buffer_put(&t->sentence, '\n', err)) || !add_unescaped(&t->sentence, more, "\\", err))
                return false;
            headed = true;
        } else if (headed && line.length > 0 && line.at[0] != '#') {
            text_cut(&line, '\t');
            if (!place_sentence(t, text_cut(&line, '\t'), err))
                return false;
            headed = false;
        }
    }
    if (headed)
        return fail_tsv(t, err, "expected the words of the sentence behind #Text=");
    t->doc->text = texts_keep(t->doc->corpus, buffer_text(&t->text), err);
    return t->doc->text.at && offset_map_set(&t->map, t->doc->text, OFFSET_UTF16, err);
}

/* ---- Words ---- */

static bool find_bytes(const struct tsv_reading *t, struct text offsets, uint32_t place[2], struct vouch_error *err)
{
    uint32_t unit[2];
    if (!read_offsets(t, offsets, unit, err))
        return false;
    return (byte_of_offset(&t->map, unit[0], &place[0]) && byte_of_offset(&t->map, unit[1], &place[1])) ||
           fail_tsv(t, err, "expected offsets of whole characters up to %u, found '%.*s'", t->map.units,
                    excerpt(offsets), offsets.at);
}

/* Adds a token; the text in its line must be the one at its place. */
static bool add_token(struct tsv_reading *t, const uint32_t place[2], struct text form, struct vouch_error *err)
{
    struct annotated *doc = t->doc;
    const struct text found = annotated_bytes(doc, place[0], place[1]);
    const uint32_t before = doc->words;
    if (!text_equal(found, form))
        return fail_tsv(t, err, "expected the word '%.*s', found '%.*s' at its place in the text", excerpt(form),
                        form.at, excerpt(found), found.at);
    if (!RESERVE(t->word, t->token_room, t->tokens + 1, err) || !annotated_add_word(doc, place[0], place[1], err))
        return false;
    t->word[t->tokens++] = doc->words > before ? before : NO_WORD;
    return true;
}

/* Whether a line is named as the next one must be: "2-5", or a piece of that word, "2-5.1". */
static bool is_next(const struct tsv_reading *t, struct text name, bool *piece)
{
    struct text rest = name, sentence = text_cut(&rest, '-'), token = text_cut(&rest, '.');
    uint32_t s, n;
    *piece = rest.length > 0;
    return t->sentences > 0 && text_whole(sentence, &s) && text_whole(token, &n) && s == t->sentences &&
           n == t->tokens - t->first[s - 1] + !*piece && n > 0;
}

/* Finds the token of a line: a word of the document, from 0. */
static bool find_word(const struct tsv_reading *t, struct text name, uint32_t *word)
{
    struct text sentence = text_cut(&name, '-'), token = text_cut(&name, '.');
    uint32_t s, n;
    if (!text_whole(sentence, &s) || !text_whole(token, &n) || s == 0 || s > t->sentences || n == 0)
        return false;
    const size_t end = s < t->sentences ? t->first[s] : t->tokens, at = t->first[s - 1] + (size_t)n - 1;
    *word = at < end ? t->word[at] : NO_WORD;
    return *word != NO_WORD;
}

/* Begins a sentence, and ends the one before it. */
static bool next_sentence(struct tsv_reading *t, struct vouch_error *err)
{
    struct annotated *doc = t->doc;
    const uint32_t before = doc->sentences;
    if (!annotated_end_sentence(doc, err) || !RESERVE(t->first, t->sentence_room, t->sentences + 1, err))
        return false;
    if (doc->sentences > before)
        doc->sentence[before].id = t->name;
    t->name = (struct text){"", 0};
    t->first[t->sentences++] = (uint32_t)t->tokens;
    return true;
}

/* ---- Annotations ---- */

/* Reads the number in brackets at the end, and cuts it off: "[3]", or "[1_3]" with two. */
static bool cut_numbers(const struct tsv_reading *t, struct text *value, uint32_t number[2], struct vouch_error *err)
{
    uint32_t at = value->length;
    number[0] = number[1] = 0;
    if (at == 0 || value->at[at - 1] != ']' || (at > 1 && value->at[at - 2] == '\\'))
        return true;
    while (at > 0 && value->at[at - 1] != '[')
        at--;
    struct text inside = {value->at + at, value->length - at - 1}, first = text_cut(&inside, '_');
    if (at == 0 || !text_whole(first, &number[0]) || (inside.length > 0 && !text_whole(inside, &number[1])))
        return fail_tsv(t, err, "expected a number in brackets, found '%.*s'", excerpt(*value), value->at);
    value->length = at - 1;
    return true;
}

static bool is_unset(struct text value)
{
    return text_is(value, "*") || text_is(value, "_") || value.length == 0;
}

/* Reads the stacked values of the layer of spans. */
static bool read_mentions(struct tsv_reading *t, struct text values, uint32_t word, const uint32_t place[2],
                          struct vouch_error *err)
{
    while (values.length > 0) {
        struct text value = cut_bare(&values, '|');
        struct mention mention = {.word = word, .begin = place[0], .end = place[1], .line = t->line};
        uint32_t number[2];
        if (!cut_numbers(t, &value, number, err) || !RESERVE(t->mention, t->mention_room, t->mentions + 1, err))
            return false;
        mention.number = number[0];
        mention.label = is_unset(value) ? texts_keep(t->doc->corpus, webanno_short_name(t->layer), err)
                                        : unescape_value(t, value, err);
        if (!mention.label.at)
            return false;
        if (place[0] == place[1]) /* between two characters */
            t->doc->corpus->counts.other++;
        else
            t->mention[t->mentions++] = mention;
    }
    return true;
}

/* Keeps the label of the n-th relation of a line; one without a value has none. */
static struct text relation_label(struct tsv_reading *t, enum use use, uint32_t n, struct vouch_error *err)
{
    struct text label = {"", 0};
    for (size_t i = 0; i < t->columns; i++) {
        struct text rest = t->field[i];
        for (uint32_t j = 0; t->column[i].use == use && j <= n; j++)
            label = cut_bare(&rest, '|');
    }
    return is_unset(label) ? (struct text){"", 0} : unescape_value(t, label, err);
}

/* Reads the stacked relations that end in this line. */
static bool read_relations(struct tsv_reading *t, struct text values, bool tree, uint32_t word, struct vouch_error *err)
{
    for (uint32_t n = 0; values.length > 0; n++) {
        struct pending pending = {.source = cut_bare(&values, '|'), .target = word, .line = t->line, .tree = tree};
        if (!cut_numbers(t, &pending.source, pending.number, err) ||
            !RESERVE(t->pending, t->pending_room, t->pendings + 1, err))
            return false;
        pending.label = relation_label(t, tree ? TREE_LABEL : RELATION_LABEL, n, err);
        if (!pending.label.at)
            return false;
        t->pending[t->pendings++] = pending;
    }
    return true;
}

static bool add_tag(struct annotated *doc, const char *name, uint32_t word, struct text tag, struct vouch_error *err)
{
    struct tag_column *column = annotated_column(doc, text_of(name), err);
    if (column)
        column->cell[word] = tag;
    return column != NULL;
}

static bool read_tag(struct tsv_reading *t, struct text values, const char *name, uint32_t word,
                     struct vouch_error *err)
{
    struct text value = cut_bare(&values, '|');
    uint32_t number[2];
    t->doc->corpus->counts.other += values.length > 0;
    if (!cut_numbers(t, &value, number, err))
        return false;
    if (is_unset(value))
        return true;
    value = unescape_value(t, value, err);
    return value.at && add_tag(t->doc, name, word, value, err);
}

/* Reads all columns of a line. */
static bool read_fields(struct tsv_reading *t, uint32_t word, const uint32_t place[2], struct vouch_error *err)
{
    for (size_t i = 0; i < t->columns; i++) {
        const struct text values = t->field[i];
        bool ok = true;
        if (text_is(values, "_") || values.length == 0)
            continue;
        switch (t->column[i].use) {
        case TAG:
            ok = read_tag(t, values, t->column[i].tag, word, err);
            break;
        case LABEL:
            ok = read_mentions(t, values, word, place, err);
            break;
        case RELATION_SOURCE:
        case TREE_SOURCE:
            ok = read_relations(t, values, t->column[i].use == TREE_SOURCE, word, err);
            break;
        case UNUSED:
            t->doc->corpus->counts.other += !text_is(values, "*");
            break;
        case RELATION_LABEL:
        case TREE_LABEL:
            break; /* read with the source */
        }
        if (!ok)
            return false;
    }
    return true;
}

/* Reads the line of a word, or of a piece of one. */
static bool read_word(struct tsv_reading *t, struct text line, struct vouch_error *err)
{
    struct text name = text_cut(&line, '\t'), offsets = text_cut(&line, '\t'), form = text_cut(&line, '\t');
    uint32_t place[2];
    bool piece;
    if (!is_next(t, name, &piece))
        return fail_tsv(t, err, "expected the line of the next word, found '%.*s'", excerpt(name), name.at);
    if (!find_bytes(t, offsets, place, err) || (!piece && !add_token(t, place, form, err)))
        return false;
    const uint32_t word = t->word[t->tokens - 1];
    for (size_t i = 0; i < t->columns; i++) {
        if (line.length == 0)
            return fail_tsv(t, err, "expected %zu columns behind the word, found %zu", t->columns, i);
        t->field[i] = text_cut(&line, '\t');
    }
    return word == NO_WORD || read_fields(t, word, place, err);
}

static bool read_lines(struct tsv_reading *t, struct vouch_error *err)
{
    struct text rest = t->rest, line;
    bool headed = false; /* the lines in front of a sentence's words are being read */
    t->line = t->rest_line;
    while (cut_source_line(&rest, &line, &t->line)) {
        if (line.length == 0)
            continue;
        const bool comment = line.at[0] == '#';
        if (comment && !headed && !next_sentence(t, err))
            return false;
        headed = comment;
        if (text_starts(line, "#Sentence.id=")) {
            t->sentence.length = 0;
            if (!add_unescaped(&t->sentence, (struct text){line.at + 13, line.length - 13}, "\\", err))
                return false;
            t->name = texts_keep(t->doc->corpus, buffer_text(&t->sentence), err);
            if (!t->name.at)
                return false;
        }
        if (!comment && !read_word(t, line, err))
            return false;
    }
    return next_sentence(t, err);
}

/* ---- Spans and relations ---- */

/* Makes spans of mentions: all of a number are one, from the first to the last. */
static bool make_spans(struct tsv_reading *t, struct vouch_error *err)
{
    struct annotated *doc = t->doc;
    t->by_number = new_array(t->mentions, sizeof *t->by_number, err);
    t->lone = new_array(doc->words, sizeof *t->lone, err);
    if (!t->by_number || !t->lone)
        return false;
    for (size_t i = 0; i < t->mentions; i++)
        t->by_number[i] = (struct keyed){t->mention[i].number, i};
    if (!sort_keyed(t->by_number, t->mentions, err))
        return false;
    for (size_t i = 0; i < t->mentions; i++) {
        struct mention *mention = &t->mention[t->by_number[i].value];
        struct mention *before = i > 0 ? &t->mention[t->by_number[i - 1].value] : NULL;
        if (mention->number > 0 && before && before->number == mention->number) {
            mention->span = before->span;
            doc->span[mention->span].end = mention->end;
            continue;
        }
        struct marked_span *span = annotated_add_piece(doc, mention->begin, mention->end, mention->label, err);
        if (!span)
            return false;
        span->line = mention->line;
        mention->span = (uint32_t)(span - doc->span);
        if (mention->number == 0 && t->lone[mention->word] == 0)
            t->lone[mention->word] = (uint32_t)t->by_number[i].value + 1;
    }
    return true;
}

/* Finds the span of a number, or without one the span at a word. */
static bool find_span(const struct tsv_reading *t, uint32_t number, uint32_t word, uint32_t *span)
{
    if (number == 0) {
        if (t->lone[word] == 0)
            return false;
        *span = t->mention[t->lone[word] - 1].span;
        return true;
    }
    const struct keyed wanted = {number, 0};
    const struct keyed *found = bsearch(&wanted, t->by_number, t->mentions, sizeof wanted, ascending_u64);
    if (found)
        *span = t->mention[found->value].span;
    return found != NULL;
}

static bool attach(struct tsv_reading *t, const struct pending *arc, uint32_t source, struct vouch_error *err)
{
    struct annotated *doc = t->doc;
    if (!doc->head && !annotated_begin_tree(doc, err))
        return false;
    if (doc->head[arc->target] != NO_HEAD)
        return fail_tsv(t, err, "expected one head of a word, found two");
    doc->head[arc->target] = source == arc->target ? 0 : source + 1;
    doc->deprel[arc->target] = arc->label;
    return true;
}

static bool make_relations(struct tsv_reading *t, struct vouch_error *err)
{
    for (size_t i = 0; i < t->pendings; i++) {
        const struct pending *pending = &t->pending[i];
        uint32_t word, from, to;
        t->line = pending->line;
        if (!find_word(t, pending->source, &word))
            return fail_tsv(t, err, "expected the line of a relation's source, found '%.*s'",
                            excerpt(pending->source), pending->source.at);
        if (pending->tree && !attach(t, pending, word, err))
            return false;
        if (pending->tree)
            continue;
        if (!find_span(t, pending->number[0], word, &from) ||
            !find_span(t, pending->number[1], pending->target, &to))
            return fail_tsv(t, err, "expected a relation between two spans, found '%.*s[%u_%u]', where there is none",
                            excerpt(pending->source), pending->source.at, pending->number[0], pending->number[1]);
        if (!annotated_add_relation(t->doc, from, to, pending->label, err))
            return false;
    }
    return true;
}

static bool read(const struct annotated_source *source, const struct format_choices *choices,
                 struct annotated_texts *into, struct vouch_error *err)
{
    struct tsv_reading t = {.doc = texts_add(into, 1, err), .rest = {source->bytes, (uint32_t)source->length}};
    bool ok = t.doc && annotated_name_after(t.doc, source->name, ".tsv", err) && read_header(&t, choices, err) &&
              read_text(&t, err) &&
              read_lines(&t, err) && make_spans(&t, err) && make_relations(&t, err);
    if (ok) {
        t.doc->spanned = t.layer.length > 0;
        ok = annotated_settle(t.doc, err);
    }
    free(t.column);
    free(t.mention);
    free(t.pending);
    free(t.by_number);
    free(t.lone);
    free(t.word);
    free(t.first);
    free(t.field);
    free(t.text.bytes);
    free(t.sentence.bytes);
    offset_map_release(&t.map);
    return ok;
}

static bool recognise(struct text beginning)
{
    return text_starts(beginning, FORMAT);
}

const struct annotation_format webanno_tsv_format = {
    .name = "webanno",
    .extension = ".tsv",
    .title = "WebAnno TSV 3.3",
    .kept = KEPT(TEXT) | KEPT(WORDS) | KEPT(DOCUMENTS) | KEPT(IDS) | KEPT(SENTENCE_IDS) | KEPT(SPANS) |
            KEPT(UNLABELLED) | KEPT(OVERLAPS) | KEPT(RELATIONS) | KEPT(TREES) | KEPT(UD_COLUMNS),
    .one_document = true,
    .recognise = recognise,
    .read = read,
    .fit = webanno_tsv_fit,
    .write = webanno_tsv_write,
};
