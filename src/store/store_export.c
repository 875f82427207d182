/*
 * Writes a document with what was decided: see store.h.
 *
 * The document is read again from its bytes, and answers come in its order, so both are walked side by side, in the
 * memory of the document. Where the document has a place for a label, only the bytes of that label are replaced
 * (review/edit_lines.c). Where it has none (columns without labels, plain text, JSON lines without "labels"), labels
 * are added as vouch tag adds them; in CoNLL columns to every sentence then, since all lines have as many columns.
 *
 * With open words written as such, a document in IOB1 needs another spelling, since vouch train --partial reads I-X
 * after an open word as in IOB2. Sentences with open words are then written in IOB2. Whether a decided word goes on
 * with a chunk is read off the word before: off its decided label or, where it is open, off the document's own. The
 * cost is a second reading of the document.
 */
#include "review/decisions.h"
#include "store/sql.h"
#include "text/formats.h"

#include <inttypes.h>
#include <stdio.h>

struct exporting {
    const struct store_export *what;
    const char *open; /* what->open, or NULL for a sentence that keeps the document's labels */
    struct output *out;
    struct buffer bytes; /* of the document */
    struct reader *reader;
    struct sentence s;  /* the sentence at hand */
    struct edits edits; /* of it */
    struct text *label; /* [N] its labels as they will be */
    size_t label_capacity;
    char *prefix;       /* [N] their prefixes in IOB2, if `respells` */
    size_t prefix_capacity;
    struct buffer deps, spelled;
    bool began;    /* something is written */
    bool adds;     /* all sentences get a column more */
    bool iob1;     /* the document is in IOB1, and open words are written as such: */
    bool respells; /* the sentence at hand has open words */
};

/* Returns what is written for a label or relation that was not decided on; in JSON lines that is null. */
static struct text open_label(const struct exporting *e)
{
    if (e->reader->format == FORMAT_JSONL)
        return (struct text){NULL, 0};
    return text_of(e->open ? e->open : "_");
}

/* ---- Labels in their places ---- */

static bool edit(struct exporting *e, uint32_t word, enum edited what, struct text text, bool *found,
                 struct vouch_error *err)
{
    return edits_add(&e->edits, e->reader, &e->s, word, what, text, found, err);
}

/* Finds how the labels of a sentence with open words are spelled in IOB2. */
static bool find_prefixes(struct exporting *e, const struct store_answer *decided, struct vouch_error *err)
{
    const struct sentence *s = &e->s;
    e->respells = false;
    if (!RESERVE(e->label, e->label_capacity, (size_t)s->N + 1, err) ||
        !RESERVE(e->prefix, e->prefix_capacity, (size_t)s->N + 1, err))
        return false;
    for (uint32_t i = 0; i < s->N; i++) {
        bool open = answer_open(decided, i);
        e->label[i] = open ? s->gold[i] : decided->label[i];
        e->respells = e->respells || (open && e->open);
    }
    scheme_convert(e->label, s->N, SCHEME_IOB2, e->prefix);
    return true;
}

/* Writes a label in IOB2 if the sentence needs it: *label then is in e->spelled. */
static bool spell_label(struct exporting *e, uint32_t word, struct text *label, struct vouch_error *err)
{
    if (!e->respells || !scheme_inside(*label))
        return true;
    e->spelled.length = 0;
    if (!buffer_add(&e->spelled, *label, err))
        return false;
    e->spelled.bytes[0] = e->prefix[word];
    *label = buffer_text(&e->spelled);
    return true;
}

static bool edit_label(struct exporting *e, const struct store_answer *decided, uint32_t word, bool *found,
                       struct vouch_error *err)
{
    bool open = answer_open(decided, word);
    struct text label = open ? open_label(e) : decided->label[word];
    if (!open && !spell_label(e, word, &label, err))
        return false;
    if (open ? !e->open : text_equal(label, e->s.gold[word]))
        return true;
    return edit(e, word, EDITED_LABEL, label, found, err);
}

/* Replaces the head and the relation of a word, and what the enhanced graph says of them. */
static bool edit_arc(struct exporting *e, const struct store_answer *decided, uint32_t word, bool *found,
                     struct vouch_error *err)
{
    const struct sentence *s = &e->s;
    bool open = answer_open(decided, word), json = e->reader->format == FORMAT_JSONL;
    if (open && !e->open)
        return true;
    char number[16];
    snprintf(number, sizeof number, "%" PRIu32, open ? 0 : decided->head[word]);
    struct text head = text_of(open ? (json ? "null" : "_") : number), mended;
    struct text given = s->labelled ? s->gold[word] : text_of("_"), relation = given;
    if (open)
        relation = open_label(e);
    else if (decided->label && decided->label[word].at)
        relation = decided->label[word];
    bool moved = open || !s->labelled || decided->head[word] != s->head[word];
    bool renamed = !relation.at || !text_equal(relation, given);
    if ((moved && !edit(e, word, EDITED_LABEL, head, found, err)) ||
        (*found && renamed && !edit(e, word, EDITED_RELATION, relation, found, err)))
        return false;
    if (open || json || !s->labelled || (!moved && !renamed))
        return true;
    return deps_mend(s, word, decided->head[word], relation, &mended, &e->deps, err) &&
           (text_equal(mended, sentence_cell(s, word, COLUMN_DEPS)) ||
            edit(e, word, EDITED_DEPS, mended, found, err));
}

/* Replaces what differs. *found is false if the sentence has no place for an answer. */
static bool edit_words(struct exporting *e, const struct store_answer *decided, bool *found, struct vouch_error *err)
{
    const struct sentence *s = &e->s;
    *found = s->tree || s->labelled;
    bool ok = !*found || (edits_open(&e->edits, e->reader, s, err) && (!e->iob1 || find_prefixes(e, decided, err)));
    for (uint32_t i = 0; ok && *found && i < s->N; i++)
        ok = s->tree ? edit_arc(e, decided, i, found, err) : edit_label(e, decided, i, found, err);
    return ok;
}

/* ---- Labels that are added ---- */

/* Writes the sentence with labels as an addition. */
static bool add_labels(struct exporting *e, const struct store_answer *decided, struct vouch_error *err)
{
    struct sentence *s = &e->s;
    struct writer_options options = writer_options_for(e->reader);
    options.column = reader_column(e->reader);
    if (!RESERVE(e->label, e->label_capacity, (size_t)s->N + 1, err))
        return false;
    for (uint32_t i = 0; i < s->N; i++)
        e->label[i] = !answer_open(decided, i) && decided->label ? decided->label[i] : open_label(e);
    e->edits.count = e->edits.pool.length = 0;
    if (e->reader->format == FORMAT_JSONL)
        return jsonl_write_gold(e->out, s, decided->label ? e->label : NULL, decided->head, err);
    if (e->reader->format == FORMAT_CRFSUITE)
        return write_to_correct(e->out, &options, s, NULL, e->label, err);
    return write_sentence(e->out, &options, s, NULL, e->label, NULL, err);
}

static bool write_decided(struct exporting *e, const struct store_answer *decided, struct vouch_error *err)
{
    bool found = false;
    if (!e->adds && !edit_words(e, decided, &found, err))
        return false;
    if (!found)
        return add_labels(e, decided, err);
    edits_write_sentence(&e->edits, e->out, e->reader, &e->s);
    return true;
}

/* ---- States ---- */

/* Writes a sentence of JSON lines with its state as the last key. */
static bool write_with_key(struct exporting *e, const struct store_answer *decided, enum sentence_state state,
                           struct vouch_error *err)
{
    struct output *out = e->out;
    size_t length = 0;
    e->out = output_open_memory(err);
    bool ok = e->out && write_decided(e, decided, err);
    const char *line = ok ? output_text(e->out, &length) : NULL;
    size_t close = length;
    while (line && close > 0 && line[close - 1] != '}')
        close--;
    if (line && close > 0) {
        output_write(out, line, close - 1);
        output_printf(out, ", \"vouch_state\": \"%s\"", sentence_state_name(state));
        output_write(out, line + close - 1, length - close + 1);
    }
    output_discard(e->out);
    e->out = out;
    return ok && (line || fail_memory(err));
}

/* A comment of CoNLL columns has no blank in it: one that has as many columns as the words would be one of them. */
static void write_state(struct exporting *e, enum sentence_state state)
{
    const char *name = sentence_state_name(state);
    output_printf(e->out, e->reader->format == FORMAT_CONLLU ? "# vouch_state = %s" : "#vouch_state=%s", name);
    write_text(e->out, newline_of(&e->s));
}

/* ---- Walking ---- */

/* Whether every word of the sentence at hand is labelled. */
static bool is_labelled(const struct exporting *e, const struct store_answer *decided)
{
    const struct sentence *s = &e->s;
    for (uint32_t i = 0; i < s->N; i++)
        if (answer_open(decided, i) &&
            (!s->labelled || text_is(s->gold[i], "_") || text_is(s->gold[i], "?") || text_is(s->gold[i], "")))
            return false;
    return true;
}

/* Writes the sentence at hand; `decided` has no words if nothing was. */
static bool write_one(struct exporting *e, const struct store_answer *decided, enum sentence_state state,
                      struct vouch_error *err)
{
    struct sentence *s = &e->s;
    bool mark = s->boundary || s->rest, json = e->reader->format == FORMAT_JSONL;
    if (e->what->decided_only && decided->words == 0)
        return true;
    if (e->what->whole && !mark && !is_labelled(e, decided)) {
        s->skipped.length = 0;
        if (e->what->left_out)
            ++*e->what->left_out;
        return true;
    }
    bool picks = e->what->decided_only || e->what->whole;
    if (e->began || !picks) /* blank lines divide sentences, and there may be none before */
        write_text(e->out, s->skipped);
    e->began = true;
    s->skipped.length = 0;
    if (mark && !(e->adds && s->boundary)) {
        edits_write_sentence(&e->edits, e->out, e->reader, s);
        return true;
    }
    if (e->what->states && !mark && json)
        return write_with_key(e, decided, state, err);
    if (e->what->states && !mark)
        write_state(e, state);
    if (decided->words == 0 && !e->adds && !(e->open && s->labelled)) {
        edits_write_sentence(&e->edits, e->out, e->reader, s);
        return true;
    }
    return write_decided(e, decided, err);
}

/* Writes the sentences before the one with that place, and reads that one. */
static bool walk_to(struct exporting *e, uint64_t place, struct vouch_error *err)
{
    static const struct store_answer none;
    enum reading state;
    while ((state = reader_next(e->reader, &e->s, err)) == READ_SENTENCE) {
        if (!e->s.boundary && !e->s.rest && e->s.place.sentences == place)
            return true;
        if (!write_one(e, &none, STATE_UNSEEN, err))
            return false;
    }
    return state == READ_END && (place == UINT64_MAX || fail(err, VOUCH_ERR_FORMAT, "expected a sentence %" PRIu64
                                                                                    " in the document", place));
}

static bool export_answer(void *context, const struct stored_answer *answer, struct vouch_error *err)
{
    struct exporting *e = context;
    if (e->what->wanted && !e->what->wanted(e->what->context, answer))
        return true;
    if (!walk_to(e, answer->place, err))
        return false;
    e->open = e->what->completed && answer_whole(answer->given) ? NULL : e->what->open;
    bool ok = write_one(e, answer->decided, answer->state, err);
    e->open = e->what->open;
    return ok;
}

/* Whether labels are to be a column more: the document has columns, none of which are labels. */
static bool adds_column(const struct reader_options *reading)
{
    return reading->format == FORMAT_CONLL && reading->gold == GOLD_NONE;
}

/* Finds whether the document's own labels are in IOB1. */
static bool find_scheme(struct exporting *e, const struct reader_options *reading, struct vouch_error *err)
{
    struct scheme_watch watch = {0};
    struct reader *reader = reader_open_memory(e->bytes.bytes ? e->bytes.bytes : "", e->bytes.length, reading, err);
    enum reading state = READ_FAILED;
    while (reader && (state = reader_next(reader, &e->s, err)) == READ_SENTENCE)
        if (e->s.labelled && !e->s.tree && !e->s.boundary)
            scheme_see(&watch, e->s.gold, e->s.N);
    reader_close(reader);
    e->iob1 = scheme_decide(&watch) == SCHEME_IOB1;
    return state == READ_END;
}

bool store_export(struct store *store, const struct store_export *what, struct output *out, struct vouch_error *err)
{
    struct exporting e = {.what = what, .open = what->open, .out = out};
    struct reader_options reading;
    bool ok = store_read_document(store, what->answers.document, &e.bytes, &reading, err);
    if (ok && what->states && (reading.format == FORMAT_PLAIN || reading.format == FORMAT_CRFSUITE))
        ok = fail(err, VOUCH_ERR_ARGUMENT, "%s files have no place for the states of sentences",
                  format_name(reading.format));
    ok = ok && (!what->open || find_scheme(&e, &reading, err)) &&
         (e.reader = reader_open_memory(e.bytes.bytes ? e.bytes.bytes : "", e.bytes.length, &reading, err));
    if (ok && !what->decided_only && text_starts(buffer_text(&e.bytes), BYTE_ORDER_MARK))
        write_text(out, text_of(BYTE_ORDER_MARK));
    e.adds = ok && adds_column(&reading);
    ok = ok && store_answers(store, &what->answers, export_answer, &e, err) && walk_to(&e, UINT64_MAX, err);
    reader_close(e.reader);
    sentence_release(&e.s);
    edits_release(&e.edits);
    free(e.label);
    free(e.prefix);
    free(e.deps.bytes);
    free(e.spelled.bytes);
    free(e.bytes.bytes);
    return ok;
}
