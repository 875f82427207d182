/*
 * brat's standoff: a text, .txt, and its annotations, .ann, a line each,
 *
 *     T1<TAB>PER 0 3<TAB>Ada                     a span; offsets count code points
 *     R1<TAB>of Arg1:T1 Arg2:T2<TAB>             a relation
 *     #1<TAB>AnnotatorNotes T1<TAB>score=0.9 ?   a note, which is where we put scores; "score=" alone is none
 *
 * brat writes a span that goes over the end of a line as two pieces, "0 3;4 8", and so do we. Other spans of several
 * pieces are refused, with their place. Events, attributes, equivalences and normalisations are left out, and counted.
 */
#include "convert/fitting.h"

#include <inttypes.h>
#include <stdio.h>

#define SCORE "score="

/* The annotations of one text. */
struct brat_reading {
    struct annotated *doc;
    struct offset_map map;
    uint64_t line;
    struct text rest;
};

#define fail_brat(b, err, ...) fail_at((b)->doc->file, (b)->line, err, __VA_ARGS__)

static bool is_white(struct text text)
{
    for (uint32_t i = 0; i < text.length; i++)
        if (!strchr(" \t\r\n\f\v", text.at[i]))
            return false;
    return true;
}

/* Reads "0 3;4 8": pieces with nothing but white space between are one. */
static bool read_pieces(const struct brat_reading *b, struct text pieces, uint32_t *begin, uint32_t *end,
                        struct vouch_error *err)
{
    const struct text all = pieces;
    for (bool first = true; pieces.length > 0; first = false) {
        struct text piece = text_cut(&pieces, ';'), start = text_cut(&piece, ' ');
        uint32_t offset[2], byte[2];
        if (!text_whole(start, &offset[0]) || !text_whole(piece, &offset[1]) || offset[0] >= offset[1] ||
            !byte_of_offset(&b->map, offset[0], &byte[0]) || !byte_of_offset(&b->map, offset[1], &byte[1]))
            return fail_brat(b, err, "expected two offsets into a text of %u characters, found '%.*s'", b->map.units,
                             excerpt(all), all.at);
        if (!first && (byte[0] < *end || !is_white(annotated_bytes(b->doc, *end, byte[0]))))
            return fail_brat(b, err, "expected a span of one piece, found '%.*s': discontinuous spans cannot be read",
                             excerpt(all), all.at);
        *begin = first ? byte[0] : *begin;
        *end = byte[1];
    }
    return true;
}

/* Whether a span's text is the one in the file; ends of lines are spaces in it, and so may be what is between pieces.
 */
static bool is_text(struct text found, struct text said)
{
    uint32_t i = 0, j = 0;
    while (i < found.length && j < said.length) {
        bool white = strchr("\r\n", found.at[i]) && said.at[j] == ' ';
        if (!white && found.at[i] != said.at[j])
            return false;
        i++;
        j++;
        while (white && i < found.length && strchr("\r\n ", found.at[i]) && (j == said.length || said.at[j] != ' '))
            i++;
    }
    return i == found.length && j == said.length;
}

static bool read_span(struct brat_reading *b, struct text id, struct text line, struct vouch_error *err)
{
    struct text middle = text_cut(&line, '\t'), label = text_cut(&middle, ' ');
    uint32_t begin = 0, end = 0;
    if (label.length == 0 || middle.length == 0)
        return fail_brat(b, err, "expected a label and two offsets behind '%.*s'", excerpt(id), id.at);
    if (!read_pieces(b, middle, &begin, &end, err))
        return false;
    struct text found = annotated_bytes(b->doc, begin, end);
    if (!is_text(found, line))
        return fail_brat(b, err, "expected the text '%.*s' at '%.*s', found '%.*s'", excerpt(line), line.at,
                         excerpt(middle), middle.at, excerpt(found), found.at);
    label = texts_keep(b->doc->corpus, label, err);
    id = texts_keep(b->doc->corpus, id, err);
    struct marked_span *span = label.at && id.at ? annotated_add_piece(b->doc, begin, end, label, err) : NULL;
    if (!span)
        return false;
    span->id = id;
    span->line = b->line;
    return true;
}

/* Finds the span that "Arg1:T1" names. */
static bool find_end(const struct brat_reading *b, struct text *rest, const char *role, uint32_t *span,
                     struct vouch_error *err)
{
    struct text piece = text_cut(rest, ' '), said = piece, name = text_cut(&piece, ':');
    (void)name;
    return (piece.length > 0 && annotated_find_span(b->doc, piece, span)) ||
           fail_brat(b, err, "expected %s to be a span, found '%.*s'", role, excerpt(said), said.at);
}

static bool read_relation(struct brat_reading *b, struct text id, struct text line, struct vouch_error *err)
{
    struct text rest = text_cut(&line, '\t'), label = text_cut(&rest, ' ');
    uint32_t from, to;
    if (label.length == 0)
        return fail_brat(b, err, "expected a label behind '%.*s'", excerpt(id), id.at);
    if (!find_end(b, &rest, "Arg1", &from, err) || !find_end(b, &rest, "Arg2", &to, err))
        return false;
    label = texts_keep(b->doc->corpus, label, err);
    id = texts_keep(b->doc->corpus, id, err);
    struct marked_relation *relation = label.at && id.at ? annotated_add_relation(b->doc, from, to, label, err) : NULL;
    if (!relation)
        return false;
    relation->id = id;
    return true;
}

/* Takes "score=0.9", and a space behind it, off a note; or "score=" without a number, as notes may begin so. */
static double cut_score(struct text *note)
{
    double score = NAN;
    if (!text_starts(*note, SCORE))
        return NAN;
    struct text rest = {note->at + strlen(SCORE), note->length - (uint32_t)strlen(SCORE)};
    struct text number = text_cut(&rest, ' ');
    if (number.length > 0 && (!parse_number(number, &score) || !isfinite(score)))
        return NAN;
    *note = rest;
    return score;
}

/* Reads a note about a span, or the score of a relation. Other notes are counted, and so are further ones. */
static bool read_note(struct brat_reading *b, struct text line, struct vouch_error *err)
{
    struct text about = text_cut(&line, '\t'), kind = text_cut(&about, ' '), note = line;
    struct annotated *doc = b->doc;
    uint32_t i, relation = 0;
    double score = cut_score(&note);
    struct marked_span *span = annotated_find_span(doc, about, &i) ? &doc->span[i] : NULL;
    while (relation < doc->relations && !text_equal(doc->relation[relation].id, about))
        relation++;
    if (text_is(kind, "AnnotatorNotes") && span && isnan(span->score) && span->note.length == 0) {
        span->score = score;
        span->note = texts_keep(doc->corpus, note, err);
        return span->note.at != NULL;
    }
    if (relation < doc->relations && !isnan(score) && note.length == 0)
        doc->relation[relation].score = score;
    else
        doc->corpus->counts.other++;
    return true;
}

/* Reads the lines of one kind, as relations may be in front of spans, and notes in front of both. */
static bool read_kind(struct brat_reading *b, char kind, struct vouch_error *err)
{
    struct text rest = b->rest, line;
    b->line = 0;
    while (cut_source_line(&rest, &line, &b->line)) {
        if (is_white(line) || (line.at[0] != kind && (kind != '*' || !strchr("EAMN*", line.at[0]))))
            continue;
        struct text id = text_cut(&line, '\t');
        bool done = true;
        if (kind == 'T')
            done = read_span(b, id, line, err);
        else if (kind == 'R')
            done = read_relation(b, id, line, err);
        else if (kind == '#')
            done = read_note(b, line, err);
        else
            b->doc->corpus->counts.other++;
        if (!done)
            return false;
    }
    return true;
}

/* Refuses lines that are no annotations. */
static bool check_lines(struct brat_reading *b, struct vouch_error *err)
{
    struct text rest = b->rest, line;
    b->line = 0;
    while (cut_source_line(&rest, &line, &b->line))
        if (!is_white(line) && (!strchr("TREAMN#*", line.at[0]) || !memchr(line.at, '\t', line.length)))
            return fail_brat(b, err, "expected an annotation of brat, found '%.*s'", excerpt(line), line.at);
    return true;
}

static bool read(const struct annotated_source *source, const struct format_choices *choices,
                 struct annotated_texts *into, struct vouch_error *err)
{
    if (!source->companion)
        return fail(err, VOUCH_ERR_FORMAT, "%s: expected the text beside it, in a file .txt", source->name);
    struct brat_reading b = {.doc = texts_add(into, 1, err), .rest = {source->bytes, (uint32_t)source->length}};
    if (!b.doc)
        return false;
    b.doc->text = texts_keep(into, (struct text){source->companion, (uint32_t)source->companion_length}, err);
    b.doc->spanned = true;
    bool done = b.doc->text.at && annotated_name_after(b.doc, source->name, ".ann", err) &&
                annotated_cut_words(b.doc, err) &&
                offset_map_set(&b.map, b.doc->text, choices->given_unit ? choices->unit : OFFSET_POINTS, err) &&
                check_lines(&b, err) && read_kind(&b, 'T', err) && read_kind(&b, 'R', err) && read_kind(&b, '#', err) &&
                read_kind(&b, '*', err) && annotated_settle(b.doc, err);
    offset_map_release(&b.map);
    return done;
}

/* Whether the first line is "T1", a tab, a label and two offsets. */
static bool recognise(struct text beginning)
{
    struct text line = text_cut(&beginning, '\n'), id = text_cut(&line, '\t'), label = text_cut(&line, ' ');
    struct text start = text_cut(&line, ' ');
    uint32_t number;
    return id.length > 1 && id.at[0] == 'T' && text_whole((struct text){id.at + 1, id.length - 1}, &number) &&
           label.length > 0 && text_whole(start, &number);
}

/* ---- Writing ---- */

static char spaceless(char c)
{
    return c == ' ' ? '_' : c;
}

static char on_one_line(char c)
{
    return c == '\n' || c == '\r' ? ' ' : c;
}

/* brat takes no spaces in labels, no relations without one, and notes on one line. */
static bool fit(struct annotated *doc, struct vouch_error *err)
{
    static const struct naming spans = {.prefix = "T"}, relations = {.prefix = "R"};
    bool label, note;
    for (uint32_t i = 0; i < doc->spans; i++) {
        if (!fit_bytes(doc, &doc->span[i].label, spaceless, &label, err) ||
            !fit_bytes(doc, &doc->span[i].note, on_one_line, &note, err))
            return false;
        doc->corpus->counts.respelled += label + note;
    }
    for (uint32_t i = 0; i < doc->relations; i++) {
        if (!fit_bytes(doc, &doc->relation[i].label, spaceless, &label, err))
            return false;
        const bool empty = doc->relation[i].label.length == 0;
        if (empty)
            doc->relation[i].label = text_of("relation");
        doc->corpus->counts.respelled += label || empty;
    }
    return fit_span_names(doc, &spans, false, err) && fit_relation_names(doc, &relations, err);
}

static bool is_line_end(char c)
{
    return c == '\n' || c == '\r';
}

/* Writes the pieces of a span, one a line, as offsets or as text. */
static void write_pieces(struct output *out, const struct annotated *doc, const struct offset_map *map,
                         const struct marked_span *span, bool offsets)
{
    bool any = false;
    for (uint32_t at = span->begin; at < span->end;) {
        uint32_t stop = at;
        while (stop < span->end && !is_line_end(doc->text.at[stop]))
            stop++;
        if (offsets && stop > at)
            output_printf(out, "%s%u %u", any ? ";" : " ", offset_of_byte(map, at), offset_of_byte(map, stop));
        else if (stop > at)
            output_printf(out, "%s%.*s", any ? " " : "", (int)(stop - at), doc->text.at + at);
        any = any || stop > at;
        for (at = stop; at < span->end && is_line_end(doc->text.at[at]); at++)
            ;
    }
}

/* Writes a name and what comes before it. */
static void write_name(struct output *out, const char *before, struct text name)
{
    output_printf(out, "%s%.*s", before, (int)name.length, name.at);
}

/* Writes the score of a span, and what was said of it. */
static void write_note(struct output *out, const struct marked_span *span)
{
    char number[NUMBER_ROOM] = "";
    if (!isnan(span->score))
        spell_number(span->score, number);
    write_name(out, "AnnotatorNotes ", span->id);
    output_printf(out, "\t");
    if (!isnan(span->score) || text_starts(span->note, SCORE))
        output_printf(out, SCORE "%s%s", number, span->note.length > 0 ? " " : "");
    write_name(out, "", span->note);
    output_printf(out, "\n");
}

static bool write_document(struct output *out, const struct annotated *doc, struct vouch_error *err)
{
    struct offset_map map = {0};
    uint32_t notes = 0;
    if (!offset_map_set(&map, doc->text, OFFSET_POINTS, err))
        return false;
    for (uint32_t i = 0; i < doc->spans; i++) {
        write_name(out, "", doc->span[i].id);
        write_name(out, "\t", doc->span[i].label);
        write_pieces(out, doc, &map, &doc->span[i], true);
        output_printf(out, "\t");
        write_pieces(out, doc, &map, &doc->span[i], false);
        output_printf(out, "\n");
    }
    for (uint32_t i = 0; i < doc->relations; i++) {
        const struct marked_relation *relation = &doc->relation[i];
        write_name(out, "", relation->id);
        write_name(out, "\t", relation->label);
        write_name(out, " Arg1:", doc->span[relation->from].id);
        write_name(out, " Arg2:", doc->span[relation->to].id);
        output_printf(out, "\t\n"); /* brat has a tab there */
    }
    for (uint32_t i = 0; i < doc->spans; i++)
        if (!isnan(doc->span[i].score) || doc->span[i].note.length > 0) {
            output_printf(out, "#%u\t", ++notes);
            write_note(out, &doc->span[i]);
        }
    offset_map_release(&map);
    return true;
}

static bool write(struct output *out, struct output *companion, const struct format_choices *choices,
                  struct annotated_texts *corpus, struct vouch_error *err)
{
    (void)choices;
    for (size_t i = 0; i < corpus->count; i++) {
        output_write(companion, corpus->document[i].text.at, corpus->document[i].text.length);
        if (!write_document(out, &corpus->document[i], err))
            return false;
    }
    return true;
}

const struct annotation_format brat_format = {
    .name = "brat",
    .extension = ".ann",
    .companion = ".txt",
    .title = "brat's standoff",
    .kept = KEPT(TEXT) | KEPT(DOCUMENTS) | KEPT(IDS) | KEPT(SPANS) | KEPT(OVERLAPS) | KEPT(SPAN_SCORES) |
            KEPT(SPAN_IDS) | KEPT(NOTES) | KEPT(RELATIONS) | KEPT(RELATION_IDS) | KEPT(WORDLESS),
    .one_document = true,
    .recognise = recognise,
    .read = read,
    .fit = fit,
    .write = write,
};
