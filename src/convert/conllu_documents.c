/*
 * CoNLL-U and CoNLL-X (text/conllu.c). Where "# newdoc" divides the file, what is behind it is one document, else every
 * sentence is.
 *
 * The text is made of the words: SpaceAfter=No and, as UDPipe has it, SpacesAfter=\s\n and SpacesBefore in MISC say
 * what is between them, else it is one space. Words that are written as one (ranges) stand apart in it, with a space
 * between. Spans are NER=B-PER in MISC. "# text" is written anew unless there are ranges.
 */
#include "convert/fitting.h"
#include "convert/read_sentences.h"

#include <stdio.h>

static const char *const tags[TREE_COLUMNS] = {
    [COLUMN_LEMMA] = "lemma", [COLUMN_UPOS] = "upos", [COLUMN_XPOS] = "xpos",
    [COLUMN_FEATS] = "feats", [COLUMN_DEPS] = "deps", [COLUMN_MISC] = "misc"};
#define LABEL_KEY "NER"

/* ---- MISC ---- */

/* Characters that are written with a backslash, each in front of its letter. */
static const char escapes[] = " s\tt\nn\rr|p\\\\";

static char unescaped(char letter)
{
    for (size_t i = 1; i < sizeof escapes; i += 2)
        if (escapes[i] == letter)
            return escapes[i - 1];
    return letter;
}

static char escape_of(char c)
{
    for (size_t i = 0; i + 1 < sizeof escapes; i += 2)
        if (escapes[i] == c)
            return escapes[i + 1];
    return 0;
}

/* Copies a value of MISC without its escapes. */
static struct text keep_unescaped(struct annotated_texts *corpus, struct text value, struct vouch_error *err)
{
    char *copy;
    uint32_t length = 0;
    if (!ARENA_ARRAY(copy, (size_t)value.length + 1, &corpus->arena, err))
        return (struct text){NULL, 0};
    for (uint32_t i = 0; i < value.length; i++) {
        bool escape = value.at[i] == '\\' && i + 1 < value.length;
        i += escape;
        copy[length++] = escape ? unescaped(value.at[i]) : value.at[i];
    }
    return (struct text){copy, length};
}

static void write_escaped(struct output *out, struct text value, bool spaces)
{
    for (uint32_t i = 0; i < value.length; i++) {
        char letter = escape_of(value.at[i]);
        if (letter && (spaces || letter != 's'))
            output_printf(out, "\\%c", letter);
        else
            output_write(out, value.at + i, 1);
    }
}

/* What MISC says of the text and of spans, and the rest of it. */
struct misc {
    struct text before, after, label, rest; /* `after` at NULL: nothing is said */
    bool labelled;
};

/* Takes one attribute; false if it is none of ours. */
static bool take_attribute(struct misc *misc, struct text attribute)
{
    struct text value = attribute, key = text_cut(&value, '=');
    if (text_is(attribute, "SpaceAfter=No"))
        misc->after = (struct text){"", 0};
    else if (text_is(key, "SpacesAfter"))
        misc->after = value;
    else if (text_is(key, "SpacesBefore"))
        misc->before = value;
    else if (text_is(key, LABEL_KEY))
        misc->label = value;
    else
        return false;
    misc->labelled = misc->labelled || text_is(key, LABEL_KEY);
    return true;
}

/* Divides MISC; white space is part of the rest unless `spaces`: of a word in a range it says nothing. */
static bool divide_misc(struct annotated_texts *corpus, struct text all, bool spaces, struct misc *misc,
                        struct vouch_error *err)
{
    *misc = (struct misc){.before = {"", 0}, .after = {NULL, 0}, .label = {"", 0}, .rest = {"_", 1}};
    struct text rest = all;
    char *kept;
    uint32_t length = 0;
    if (text_is(all, "_"))
        return true;
    if (!ARENA_ARRAY(kept, (size_t)all.length + 1, &corpus->arena, err))
        return false;
    while (rest.length > 0) {
        struct text attribute = text_cut(&rest, '|');
        if ((spaces || text_starts(attribute, LABEL_KEY "=")) && take_attribute(misc, attribute))
            continue;
        if (length > 0)
            kept[length++] = '|';
        memcpy(kept + length, attribute.at, attribute.length);
        length += attribute.length;
    }
    if (length > 0)
        misc->rest = text_trim((struct text){kept, length});
    return true;
}

/* ---- Reading ---- */

/* The file at hand. */
struct conllu_reading {
    bool labelled;     /* some word of the sentence has a span's label in MISC */
    struct text gap;   /* in front of the next word */
    bool said;         /* MISC of the last word has it */
    uint32_t range_to; /* the last word of the last range, from 1 */
    struct text range_gap;
    struct text *label; /* [N] of the sentence at hand */
    size_t label_capacity;
};

/* Takes the value of a comment "# key = value"; or, with an empty key, "# newdoc" alone. */
static bool comment_value(struct text line, const char *key, struct text *value)
{
    size_t length = strlen(key);
    if (line.length < 2 || line.at[0] != '#')
        return false;
    struct text rest = text_trim((struct text){line.at + 1, line.length - 1});
    if (!text_starts(rest, key))
        return false;
    rest = text_trim((struct text){rest.at + length, rest.length - (uint32_t)length});
    bool valued = rest.length > 0 && rest.at[0] == '=';
    *value = valued ? text_trim((struct text){rest.at + 1, rest.length - 1}) : (struct text){"", 0};
    return valued;
}

static bool is_newdoc(struct text line)
{
    struct text rest = line.length > 0 ? text_trim((struct text){line.at + 1, line.length - 1}) : line;
    return line.length > 0 && line.at[0] == '#' && text_starts(rest, "newdoc") &&
           (rest.length == 6 || rest.at[6] == ' ' || rest.at[6] == '\t');
}

/* Whether there is a comment that begins a document; finds its id. */
static bool find_newdoc(struct text before, struct text *id)
{
    struct text line;
    uint64_t number = 0;
    *id = (struct text){"", 0};
    while (cut_source_line(&before, &line, &number))
        if (is_newdoc(line)) {
            comment_value(line, "newdoc id", id);
            return true;
        }
    return false;
}

static bool has_ranges(const struct sentence *s)
{
    for (uint32_t i = 0; s->leads && i < s->N; i++)
        if (s->lead[i].length > 0)
            return true;
    return false;
}

/* Keeps comments but for those that are known; "# text" stays where there are ranges. */
static bool keep_comments(struct sentence_reading *reading, struct marked_sentence *sentence, struct vouch_error *err)
{
    struct annotated_texts *corpus = reading->into;
    struct text before = reading->sentence->before, line, value;
    uint64_t number = 0;
    char *kept;
    uint32_t length = 0;
    if (!ARENA_ARRAY(kept, (size_t)before.length + 1, &corpus->arena, err))
        return false;
    while (cut_source_line(&before, &line, &number)) {
        bool known = is_newdoc(line) || comment_value(line, "sent_id", &value);
        if (comment_value(line, "sent_id", &value))
            sentence->id = texts_keep(corpus, value, err);
        if (known || (comment_value(line, "text", &value) && !has_ranges(reading->sentence)))
            continue;
        memcpy(kept + length, line.at, line.length);
        length += line.length;
        kept[length++] = '\n';
    }
    sentence->comments = (struct text){length > 0 ? kept : "", length};
    return sentence->id.at != NULL;
}

/* Finds out up to which word a line's range goes, and what is behind that; false if it is no range. */
static bool read_range(struct annotated_texts *corpus, struct text line, uint32_t *to, struct text *gap,
                       struct vouch_error *err)
{
    struct text cell[TREE_COLUMNS], last;
    struct misc misc;
    if (split_tabs(line, cell, TREE_COLUMNS) != TREE_COLUMNS)
        return true;
    last = cell[COLUMN_ID];
    text_cut(&last, '-');
    if (last.length == 0 || !text_whole(last, to))
        return true;
    if (!divide_misc(corpus, cell[COLUMN_MISC], true, &misc, err))
        return false;
    *gap = misc.after.at ? keep_unescaped(corpus, misc.after, err) : (struct text){" ", 1};
    return gap->at != NULL;
}

/* Keeps the lines in front of a word; finds out up to where the last range goes, and what is behind it. */
static bool keep_lead(struct sentence_reading *reading, struct conllu_reading *c, struct annotated *doc, uint32_t i,
                      struct vouch_error *err)
{
    struct text rest = reading->sentence->lead[i], line;
    uint64_t number = 0;
    while (cut_source_line(&rest, &line, &number)) {
        struct text kept = texts_keep(doc->corpus, line, err);
        if (!kept.at || !RESERVE(doc->other, doc->other_capacity, (size_t)doc->others + 1, err) ||
            !read_range(doc->corpus, kept, &c->range_to, &c->range_gap, err))
            return false;
        doc->other[doc->others++] = (struct marked_line){doc->words, doc->sentences, kept};
    }
    return true;
}

/* Appends a word to the text, and notes what is behind it. */
static bool add_word(struct sentence_reading *reading, struct conllu_reading *c, struct annotated *doc, uint32_t i,
                     struct vouch_error *err)
{
    const struct sentence *s = reading->sentence;
    struct annotated_texts *corpus = doc->corpus;
    struct misc misc;
    struct text outside = {"O", 1};
    bool in_range = i < c->range_to;
    if (!divide_misc(corpus, sentence_cell(s, i, COLUMN_MISC), !in_range, &misc, err))
        return false;
    struct text before = keep_unescaped(corpus, misc.before, err), label = keep_unescaped(corpus, misc.label, err);
    if (!before.at || !label.at || (doc->words > 0 && !buffer_add(&corpus->draft, c->gap, err)) ||
        !buffer_add(&corpus->draft, before, err) ||
        !annotated_append_word(doc, (struct text){"", 0}, sentence_form(s, i), err))
        return false;
    c->labelled = c->labelled || misc.labelled;
    c->label[i] = misc.labelled ? label : outside;
    c->gap = misc.after.at ? keep_unescaped(corpus, misc.after, err) : (struct text){" ", 1};
    if (in_range && i + 1 == c->range_to)
        c->gap = c->range_gap;
    if (!c->gap.at)
        return false;
    c->said = misc.after.at != NULL;
    for (uint32_t column = 0; column < TREE_COLUMNS; column++)
        if (tags[column] && !put_tag(doc, tags[column], doc->words - 1,
                                     column == COLUMN_MISC ? misc.rest : sentence_cell(s, i, column), err))
            return false;
    return true;
}

static bool add_tree(const struct sentence *s, struct annotated *doc, uint32_t first, struct vouch_error *err)
{
    bool relations = false;
    for (uint32_t i = 0; i < s->N; i++)
        relations = relations || !text_is(sentence_cell(s, i, COLUMN_DEPREL), "_");
    if (!s->labelled && !relations)
        return true;
    if (!annotated_begin_tree(doc, err))
        return false;
    for (uint32_t i = 0; i < s->N; i++) {
        struct text relation = sentence_cell(s, i, COLUMN_DEPREL);
        if (s->labelled)
            doc->head[first + i] = s->head[i] == 0 ? 0 : first + s->head[i];
        if (text_is(relation, "_"))
            continue;
        doc->deprel[first + i] = texts_keep(doc->corpus, relation, err);
        if (!doc->deprel[first + i].at)
            return false;
    }
    return true;
}

/* Puts SpaceAfter=No back where nothing follows that it could be said of. */
static bool put_back(struct annotated *doc, struct vouch_error *err)
{
    const struct tag_column *misc = annotated_has_column(doc, "misc");
    struct text rest = misc && misc->filled == doc->words ? misc->cell[doc->words - 1] : (struct text){"", 0};
    struct buffer joined = {0};
    bool done = buffer_print(&joined, err, "%.*s%sSpaceAfter=No", (int)rest.length, rest.at, rest.length ? "|" : "") &&
                put_tag(doc, "misc", doc->words - 1, buffer_text(&joined), err);
    free(joined.bytes);
    return done;
}

/* Completes a document; what is said to be behind its last word is part of its text. */
static bool finish(struct sentence_reading *reading, struct conllu_reading *c, struct vouch_error *err)
{
    if (reading->open && c->said) {
        struct annotated *doc = &reading->into->document[reading->into->count - 1];
        if (c->gap.length == 0 ? !put_back(doc, err) : !buffer_add(&reading->into->draft, c->gap, err))
            return false;
    }
    return end_document(reading, err);
}

static bool add_sentence(struct sentence_reading *reading, void *context, struct vouch_error *err)
{
    struct conllu_reading *c = context;
    const struct sentence *s = reading->sentence;
    struct text id;
    bool begins = find_newdoc(s->before, &id);
    if (s->N == 0)
        return true;
    reading->marked = reading->marked || begins;
    if ((begins || !reading->marked) && !finish(reading, c, err))
        return false;
    struct annotated *doc = next_document(reading, err);
    if (!doc || !RESERVE(c->label, c->label_capacity, (size_t)s->N, err))
        return false;
    if (begins && !(doc->id = texts_keep(doc->corpus, id, err)).at)
        return false;
    uint32_t first = doc->words, sentence = doc->sentences;
    c->range_to = 0;
    c->labelled = false;
    for (uint32_t i = 0; i < s->N; i++)
        if ((s->leads && !keep_lead(reading, c, doc, i, err)) || !add_word(reading, c, doc, i, err))
            return false;
    if (s->leads && !keep_lead(reading, c, doc, s->N, err))
        return false;
    if (!add_tree(s, doc, first, err) || (c->labelled && !annotated_add_labels(doc, first, c->label, s->N, err)) ||
        !annotated_end_sentence(doc, err))
        return false;
    return keep_comments(reading, &doc->sentence[sentence], err);
}

static bool finish_last(struct sentence_reading *reading, void *context, struct vouch_error *err)
{
    return finish(reading, context, err);
}

static bool read(const struct annotated_source *source, const struct format_choices *choices,
                 struct annotated_texts *into, struct vouch_error *err)
{
    struct conllu_reading c = {.gap = {" ", 1}};
    struct reader_options options = {.format = FORMAT_CONLLU, .trees = true};
    (void)choices;
    bool done = read_sentences(source, &options, into, add_sentence, finish_last, &c, err);
    free(c.label);
    return done;
}

/* Whether the first line that is no comment has ten columns, the first a number. */
static bool recognise_columns(struct text beginning)
{
    struct text line, cell[TREE_COLUMNS];
    uint64_t number = 0;
    while (cut_source_line(&beginning, &line, &number))
        if (line.length > 0 && line.at[0] != '#')
            return split_tabs(line, cell, TREE_COLUMNS) == TREE_COLUMNS &&
                   (text_is(cell[COLUMN_ID], "1") || text_starts(cell[COLUMN_ID], "1-") ||
                    text_starts(cell[COLUMN_ID], "0."));
    return false;
}

/* ---- Fitting ---- */

/* Drops the heads of sentences of which only some words have one. */
static void fit_trees(struct annotated *doc)
{
    for (uint32_t s = 0; doc->head && s < doc->sentences; s++) {
        uint32_t known = 0, N = doc->sentence[s].to - doc->sentence[s].from;
        for (uint32_t i = doc->sentence[s].from; i < doc->sentence[s].to; i++)
            known += doc->head[i] != NO_HEAD;
        if (known > 0 && known < N)
            fit_heads(doc, s);
    }
}

/* Adds "# text = ..." of a sentence. */
static bool add_text_line(const struct annotated *doc, const struct marked_sentence *sentence, struct buffer *to,
                          struct vouch_error *err)
{
    struct text text = annotated_bytes(doc, doc->word[sentence->from].from, doc->word[sentence->to - 1].to);
    bool done = buffer_print(to, err, "# text = ");
    for (uint32_t i = 0; done && i < text.length; i++)
        done = buffer_put(to, strchr("\t\n\r", text.at[i]) ? ' ' : text.at[i], err);
    return done && buffer_put(to, '\n', err);
}

/*
 * Gives every line of a comment its #, and drops those that would be read as names. "# text" is a comment where there
 * are ranges, since words do not say it; elsewhere it is made of the words whenever it is written.
 */
static bool fit_comments(struct annotated *doc, struct marked_sentence *sentence, bool ranges, struct vouch_error *err)
{
    struct text rest = sentence->comments, line, value;
    struct buffer kept = {0};
    uint64_t number = 0;
    uint32_t lost = 0;
    bool done = true, has_text = false;
    while (done && cut_source_line(&rest, &line, &number)) {
        const char *mark = line.at[0] == '#' ? "" : "# ";
        size_t from = kept.length;
        done = buffer_print(&kept, err, "%s%.*s", mark, (int)line.length, line.at);
        line = (struct text){kept.bytes + from, (uint32_t)(kept.length - from)};
        bool named = done && (is_newdoc(line) || comment_value(line, "sent_id", &value));
        bool text = done && comment_value(line, "text", &value);
        lost += named;
        has_text = has_text || text;
        if (named || (text && !ranges))
            kept.length = from;
        else
            done = done && buffer_put(&kept, '\n', err);
    }
    doc->corpus->counts.unsaid[KEPT_COMMENTS] += lost > 0;
    done = done && (!ranges || has_text || add_text_line(doc, sentence, &kept, err));
    if (done && !text_equal(buffer_text(&kept), sentence->comments))
        sentence->comments = texts_keep(doc->corpus, buffer_text(&kept), err);
    free(kept.bytes);
    return done && sentence->comments.at;
}

/* Takes what is ours out of MISC, but for the SpaceAfter=No of a word that ends the text, which nothing else says. */
static bool fit_misc(struct annotated *doc, struct text *cell, bool in_range, bool ends, struct vouch_error *err)
{
    struct misc misc;
    struct buffer whole = {0};
    if (!divide_misc(doc->corpus, *cell, !in_range, &misc, err))
        return false;
    if (text_is(misc.rest, "_"))
        misc.rest.length = 0;
    bool stays = ends && misc.after.at && misc.after.length == 0;
    bool done = buffer_print(&whole, err, "%.*s%s%s", (int)misc.rest.length, misc.rest.at,
                             stays && misc.rest.length > 0 ? "|" : "", stays ? "SpaceAfter=No" : "");
    if (done && !text_equal(buffer_text(&whole), *cell)) {
        doc->corpus->counts.unsaid[KEPT_UD_COLUMNS]++;
        *cell = texts_keep(doc->corpus, buffer_text(&whole), err);
        done = cell->at != NULL;
    }
    free(whole.bytes);
    return done;
}

/*
 * Goes through the ranges: between their words there is a space, and behind them what their lines say. Calls fit_misc()
 * for each word if there is a column of it.
 */
static bool fit_ranges(struct annotated *doc, struct text *gap, struct tag_column *misc, struct vouch_error *err)
{
    uint32_t other = 0;
    for (uint32_t s = 0; s < doc->sentences; s++) {
        uint32_t to = 0, first = doc->sentence[s].from;
        struct text behind = {" ", 1};
        for (uint32_t i = first; i < doc->sentence[s].to; i++) {
            for (; other < doc->others && doc->other[other].sentence == s && doc->other[other].word <= i; other++)
                if (!read_range(doc->corpus, doc->other[other].line, &to, &behind, err))
                    return false;
            const bool in_range = i - first < to, ends = i - first + 1 == to, last = i + 1 == doc->words;
            if (in_range && i == 0)
                gap[0].length = 0;
            if (in_range)
                gap[i + 1] = last ? (struct text){"", 0} : ends ? behind : (struct text){" ", 1};
            if (misc && !fit_misc(doc, &misc->cell[i], in_range, last && gap[i + 1].length == 0, err))
                return false;
        }
        while (other < doc->others && doc->other[other].sentence == s)
            other++;
    }
    return true;
}

static bool fit(struct annotated *doc, struct vouch_error *err)
{
    fit_trees(doc);
    for (uint32_t s = 0, i = 0; s < doc->sentences; s++) {
        bool ranges = false;
        for (; i < doc->others && doc->other[i].sentence == s; i++)
            ranges = ranges || doc->other[i].word < doc->sentence[s].to;
        if (!fit_comments(doc, &doc->sentence[s], ranges, err))
            return false;
    }
    struct tag_column *misc = NULL;
    struct text *gap = fit_gaps(doc, err);
    if (annotated_has_column(doc, "misc") && !(misc = annotated_column(doc, text_of("misc"), err)))
        return false;
    return gap && fit_ranges(doc, gap, misc, err) && fit_set_gaps(doc, gap, err);
}

/* ---- Writing ---- */

struct conllu_writing {
    struct output *out;
    const struct annotated *doc;
    const uint32_t *span_of;
    enum scheme scheme;
    struct buffer text; /* "# text" of the sentence at hand */
    uint32_t other;     /* the next of the other lines */
    bool heads;     /* the sentence at hand has them */
};

/* Writes the lines in front of a word, or behind the last; returns the last word of a range among them, or `range`. */
static uint32_t write_others(struct conllu_writing *w, uint32_t sentence, uint32_t word, uint32_t range)
{
    const struct annotated *doc = w->doc;
    for (; w->other < doc->others; w->other++) {
        const struct marked_line *other = &doc->other[w->other];
        if (other->sentence != sentence || other->word != word)
            break;
        output_printf(w->out, "%.*s\n", (int)other->line.length, other->line.at);
        struct text id = other->line, to = text_cut(&id, '\t');
        uint32_t last;
        text_cut(&to, '-');
        if (to.length > 0 && text_whole(to, &last))
            range = last;
    }
    return range;
}

static void write_attribute(struct output *out, bool *any, const char *key)
{
    output_printf(out, "%s%s=", *any ? "|" : "", key);
    *any = true;
}

/* Writes MISC: what there was, then white space, then the label. */
static void write_misc(const struct conllu_writing *w, uint32_t s, uint32_t i, bool in_range)
{
    const struct annotated *doc = w->doc;
    struct text rest = annotated_cell(doc, text_of("misc"), i), before = annotated_bytes(doc, 0, doc->word[i].from);
    bool last = i + 1 == doc->words, any = !text_is(rest, "_");
    struct text after = annotated_bytes(doc, doc->word[i].to, last ? doc->text.length : doc->word[i + 1].from);
    if (any)
        output_write(w->out, rest.at, rest.length);
    if (i == 0 && before.length > 0) {
        write_attribute(w->out, &any, "SpacesBefore");
        write_escaped(w->out, before, true);
    }
    if (!in_range && !last && after.length == 0) {
        write_attribute(w->out, &any, "SpaceAfter");
        output_printf(w->out, "No");
    } else if (!in_range && after.length > 0 && (last || !text_is(after, " "))) {
        write_attribute(w->out, &any, "SpacesAfter");
        write_escaped(w->out, after, true);
    }
    if (doc->spanned) {
        char prefix = annotated_prefix(doc, w->span_of, s, i, w->scheme);
        write_attribute(w->out, &any, LABEL_KEY);
        output_printf(w->out, "%c%s", prefix, prefix == 'O' ? "" : "-");
        if (prefix != 'O')
            write_escaped(w->out, doc->span[w->span_of[i]].label, false);
    }
    output_printf(w->out, any ? "\n" : "_\n");
}

static void write_word(const struct conllu_writing *w, uint32_t s, uint32_t i, bool in_range)
{
    const struct annotated *doc = w->doc;
    uint32_t first = doc->sentence[s].from;
    for (int column = 0; column < COLUMN_MISC; column++) {
        struct text cell = text_of("_");
        if (column == COLUMN_FORM)
            cell = annotated_form(doc, i);
        else if (tags[column])
            cell = annotated_cell(doc, text_of(tags[column]), i);
        else if (column == COLUMN_DEPREL && doc->head && doc->deprel[i].length > 0)
            cell = doc->deprel[i];
        if (column == COLUMN_ID)
            output_printf(w->out, "%u\t", i - first + 1);
        else if (column == COLUMN_HEAD && w->heads)
            output_printf(w->out, "%u\t", doc->head[i] == 0 ? 0 : doc->head[i] - first);
        else
            output_printf(w->out, "%.*s\t", (int)cell.length, cell.at);
    }
    write_misc(w, s, i, in_range);
}

static bool write_comments(struct conllu_writing *w, uint32_t s, bool newdoc, struct vouch_error *err)
{
    const struct annotated *doc = w->doc;
    const struct marked_sentence *sentence = &doc->sentence[s];
    struct text comments = sentence->comments, line, value;
    bool has_text = false;
    uint64_t number = 0;
    w->text.length = 0;
    if (newdoc && s == 0)
        output_printf(w->out, doc->id.length > 0 ? "# newdoc id = %.*s\n" : "# newdoc\n", (int)doc->id.length,
                      doc->id.at);
    if (sentence->id.length > 0)
        output_printf(w->out, "# sent_id = %.*s\n", (int)sentence->id.length, sentence->id.at);
    output_write(w->out, comments.at, comments.length);
    while (cut_source_line(&comments, &line, &number))
        has_text = has_text || comment_value(line, "text", &value);
    if (!has_text && !add_text_line(doc, sentence, &w->text, err))
        return false;
    output_write(w->out, buffer_text(&w->text).at, w->text.length);
    return true;
}

static bool write_document(struct conllu_writing *w, bool newdoc, struct vouch_error *err)
{
    const struct annotated *doc = w->doc;
    w->other = 0;
    w->span_of = annotated_span_of_word(doc, err);
    if (!w->span_of)
        return false;
    for (uint32_t s = 0; s < doc->sentences; s++) {
        uint32_t range = 0, first = doc->sentence[s].from;
        w->heads = doc->head && doc->head[first] != NO_HEAD;
        if (!write_comments(w, s, newdoc, err))
            return false;
        for (uint32_t i = first; i < doc->sentence[s].to; i++) {
            range = write_others(w, s, i, range);
            write_word(w, s, i, i - first < range);
        }
        write_others(w, s, doc->sentence[s].to, range);
        output_printf(w->out, "\n");
    }
    return true;
}

static bool write(struct output *out, struct output *companion, const struct format_choices *choices,
                  struct annotated_texts *corpus, struct vouch_error *err)
{
    struct conllu_writing w = {.out = out, .scheme = choices->scheme};
    bool newdoc = false, done = true;
    (void)companion;
    for (size_t i = 0; i < corpus->count; i++)
        newdoc = newdoc || corpus->document[i].id.length > 0 || corpus->document[i].sentences > 1;
    for (size_t i = 0; done && i < corpus->count; i++) {
        w.doc = &corpus->document[i];
        done = write_document(&w, newdoc, err);
    }
    free(w.text.bytes);
    return done;
}

const struct annotation_format conllu_format = {
    .name = "conllu",
    .extension = ".conllu",
    .title = "CoNLL-U",
    .kept = KEPT(TEXT) | KEPT(WORDS) | KEPT(DOCUMENTS) | KEPT(IDS) | KEPT(SENTENCE_IDS) | KEPT(COMMENTS) | KEPT(SPANS) |
            KEPT(UNLABELLED) | KEPT(TREES) | KEPT(OPEN_HEADS) | KEPT(UD_COLUMNS) | KEPT(OTHER_LINES),
    .by_sentence = true,
    .recognise = recognise_columns,
    .read = read,
    .fit = fit,
    .write = write,
};
