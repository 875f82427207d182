/*
 * Lists suspects with their words, and why they are suspect, and writes the list as a table or as JSON lines.
 *
 * Learning keeps no words, so the files are read again. Sentences are numbered as the examples are: document marks and
 * sentences without words do not count.
 *
 * Fields of the table hold no tab and no end of a line: where a corpus has them they become blanks. A field that starts
 * with a quote is quoted, since spreadsheets would otherwise read everything up to the next quote as one field.
 */
#include "review/review.h"

#include "model/records.h"
#include "review/decisions.h"

#include <inttypes.h>
#include <math.h>
#include <stdio.h>
#include <string.h>

#define ELLIPSIS "\xE2\x80\xA6"

enum { AROUND = 70 }; /* characters of the sentence to either side of an item, at most */

/* The state while the list is made. */
struct making {
    const struct review *review;
    struct review_list *list;
    size_t *order, next; /* [count] the items in the order of the corpus, and the next of them */
    const struct sentence *sentence;
    const struct suspect *suspect; /* the item, */
    size_t first;                  /* and the first word of its sentence in the whole corpus */
    uint32_t *choice;     /* [N] the proposed choices for the words of an item, the given ones for the others */
    struct text *written; /* [N] their spelling */
    size_t choice_capacity, written_capacity;
    struct label_work work;
    struct piece (*put_proposed)(struct making *m, uint32_t n); /* of a label, or of an arc */
    bool failed;                                                /* memory was short */
    struct vouch_error *err;
};

void review_list_release(struct review_list *list)
{
    free(list->row);
    free(list->word);
    free(list->text.bytes);
    free(list->sentence.bytes);
    *list = (struct review_list){0};
}

static size_t mark(const struct making *m)
{
    return m->list->text.length;
}

static struct piece since(const struct making *m, size_t from)
{
    return (struct piece){from, (uint32_t)(mark(m) - from)};
}

static struct piece put(struct making *m, struct text text)
{
    size_t from = mark(m);
    m->failed = m->failed || !buffer_add(&m->list->text, text, m->err);
    return since(m, from);
}

/* Ends a string that began at `from`. */
static struct piece end_string(struct making *m, size_t from)
{
    struct piece all = since(m, from);
    put(m, (struct text){"", 1});
    return all;
}

static void put_string(struct making *m, struct row *row, enum row_string kind, const char *string)
{
    size_t start = mark(m);
    put(m, text_of(string));
    row->string[kind] = end_string(m, start);
}

/* Puts the forms of words from .. to - 1. */
static struct piece put_forms(struct making *m, uint32_t from, uint32_t to)
{
    size_t start = mark(m);
    m->failed = m->failed || !table_words(m->sentence, from, to, &m->list->text, m->err);
    return since(m, start);
}

static struct piece put_given(struct making *m, uint32_t n)
{
    size_t start = mark(m);
    m->failed = m->failed || !table_labels(m->sentence, n, n + 1, m->review->layers > 1, &m->list->text, m->err);
    return since(m, start);
}

/*
 * Whether the proposal for a word of a chain is what the file has, in the file's own spelling. Under IOB1 the spelling
 * also depends on the neighbours, as far as they are of the same item.
 */
static bool keeps_label(const struct making *m, const struct finding *f, uint32_t n)
{
    const struct tag_labels *labels = &m->review->corpus.labels;
    bool around = (n > m->suspect->from && f[n - 1].proposed != f[n - 1].given) ||
                  (n + 1 < m->suspect->to && f[n + 1].proposed != f[n + 1].given);
    return f[n].proposed == f[n].given && (labels->inner == labels->outer || !around || text_is(m->written[n], "O"));
}

/* Whether the word was corrected to something else than the file gives. */
static bool is_corrected(const struct making *m, uint32_t n)
{
    return decided_state(m->review, m->first + n) == DECIDED_WRONG;
}

static struct piece put_proposed_label(struct making *m, uint32_t n)
{
    const struct finding *f = m->review->finding[0] + m->first;
    return !is_corrected(m, n) && keeps_label(m, f, n) ? put_given(m, n) : put(m, m->written[n]);
}

/* Puts "3" or "3:obj". */
static struct piece put_proposed_arc(struct making *m, uint32_t n)
{
    const struct review *r = m->review;
    const struct finding *f = &r->finding[0][m->first + n];
    const struct finding *relation = r->layers > 1 ? &r->finding[1][m->first + n] : NULL;
    bool same_relation = !is_corrected(m, n) && (!relation || relation->proposed == relation->given);
    if (same_relation && f->proposed == f->given)
        return put_given(m, n);
    size_t from = mark(m);
    char head[16];
    snprintf(head, sizeof head, "%" PRIu32 "%s", f->proposed, relation ? ":" : "");
    put(m, text_of(head));
    if (relation)
        put(m, same_relation ? m->sentence->gold[n] : labels_name(&r->corpus.labels, relation->proposed));
    return since(m, from);
}

/* Puts the form of a head; nothing for the root. */
static struct piece put_head(struct making *m, uint32_t head)
{
    bool word = head > 0 && head <= m->sentence->N;
    return put_forms(m, word ? head - 1 : 0, word ? head : 0);
}

/* Puts the words of an item and their labels, and the words that change with it. */
static void put_words(struct making *m, struct row *row)
{
    const struct suspect *s = m->suspect;
    struct row_word *word = m->list->word + m->list->words;
    size_t start;
    for (enum row_string kind = ROW_TEXT; kind <= ROW_PROPOSED; kind++) {
        start = mark(m);
        for (uint32_t i = 0, n = s->from; i < row->words; i++, n++) {
            put(m, text_of(i ? " " : ""));
            if (kind == ROW_TEXT)
                word[i].form = put_forms(m, n, n + 1);
            else if (kind == ROW_GIVEN)
                word[i].given = put_given(m, n);
            else
                word[i].proposed = m->put_proposed(m, n);
        }
        row->string[kind] = end_string(m, start);
    }
    start = mark(m);
    for (uint32_t i = 0; i < row->others; i++) {
        struct row_word *other = &word[row->words + i];
        char number[16];
        uint32_t n = m->review->change[s->others + i];
        snprintf(number, sizeof number, "%s%" PRIu32 ":", i ? " " : "", n + 1);
        put(m, text_of(number));
        other->given = put_given(m, n);
        put(m, text_of("->"));
        other->proposed = m->put_proposed(m, n);
    }
    row->string[ROW_ALSO] = end_string(m, start);
    for (uint32_t i = 0; m->review->trees && i < row->words + row->others; i++) {
        uint32_t n = i < row->words ? s->from + i : m->review->change[s->others + i - row->words];
        word[i].form = put_forms(m, n, n + 1);
        word[i].given_head = put_head(m, m->sentence->head[n]);
        word[i].proposed_head = put_head(m, m->review->finding[0][m->first + n].proposed);
    }
}

/* Whether one more word fits beside an item; adds its width in characters. */
static bool fits(const struct making *m, uint32_t word, uint32_t *width)
{
    struct text form = sentence_form(m->sentence, word);
    *width += 1;
    for (uint32_t i = 0; i < form.length; i++)
        *width += ((unsigned char)form.at[i] & 0xC0) != 0x80;
    return *width <= AROUND;
}

/* Puts the item in brackets, with the words around it, and an ellipsis where there are more. */
static void put_context(struct making *m, struct row *row)
{
    const struct suspect *s = m->suspect;
    uint32_t from = s->from, to = s->to, N = m->sentence->N, left = 0, right = 0;
    while (from > 0 && fits(m, from - 1, &left))
        from--;
    while (to < N && fits(m, to, &right))
        to++;
    size_t start = mark(m);
    put(m, text_of(from == 0 ? "" : from < s->from ? ELLIPSIS " " : ELLIPSIS));
    put_forms(m, from, s->from);
    row->before = since(m, start);
    put(m, text_of(row->before.length ? " [" : "["));
    put_forms(m, s->from, s->to);
    put(m, text_of(s->to < N ? "] " : "]"));
    size_t behind = mark(m);
    put_forms(m, s->to, to);
    put(m, text_of(to == N ? "" : to > s->to ? " " ELLIPSIS : ELLIPSIS));
    row->after = since(m, behind);
    row->string[ROW_CONTEXT] = end_string(m, start);
}

/* Returns what a choice is called: a type of chunks, a label or a relation. */
static struct text name_of(const struct review *r, uint32_t choice)
{
    const struct tag_labels *labels = &r->corpus.labels;
    struct text name = choice < labels_count(labels) ? labels_name(labels, choice) : text_of("unknown"), type;
    if (r->dataset->rules && text_is(name, "O"))
        return text_of("not labelled");
    return r->dataset->rules && scheme_split(name, &type) && type.length > 0 ? type : name;
}

/* Whether the same words are mostly called otherwise elsewhere. */
static bool is_outnumbered(const struct repeat *repeat)
{
    return repeat && repeat->rival > repeat->same;
}

/* Writes what the same words are called elsewhere, if that is mostly something else: counts that can be checked. */
static void repeat_phrase(const struct review *r, uint32_t layer, size_t word, char *phrase, size_t room)
{
    struct repeat *const *of = r->repeat[layer];
    const struct repeat *near = of[REPEAT_NEAR] ? &of[REPEAT_NEAR][word] : NULL;
    const struct repeat *chunk = of[REPEAT_CHUNK] ? &of[REPEAT_CHUNK][word] : NULL;
    bool heads = chooses_heads(r, layer);
    bool by_chunk = is_outnumbered(chunk) && (!is_outnumbered(near) || chunk->rival >= near->rival);
    const struct repeat *told = by_chunk ? chunk : near;
    phrase[0] = '\0';
    if (!is_outnumbered(told))
        return;
    struct text name = heads ? text_of("another head") : name_of(r, r->finding[layer][told->example].given);
    const char *what = by_chunk     ? "the same words are"
                       : heads      ? "between the same words it has"
                       : layer == 1 ? "the same pair is"
                                    : "between the same words it is";
    snprintf(phrase, room, "%s %.*s in %" PRIu32 " of %" PRIu32 " other place%s; ", what, text_beginning(name, 30),
             name.at, told->rival, told->others, told->others == 1 ? "" : "s");
}

/* Writes how many of the drawn models give the label. */
static void vote_phrase(double votes, uint32_t draws, char *phrase, size_t room)
{
    uint32_t count = (uint32_t)round(votes * draws);
    if (count == 0)
        snprintf(phrase, room, "none of %" PRIu32 " variants of the model agrees", draws);
    else if (count == draws)
        snprintf(phrase, room, "all %" PRIu32 " variants of the model agree", draws);
    else
        snprintf(phrase, room, "%" PRIu32 " of %" PRIu32 " variants of the model agree%s", count, draws,
                 count == 1 ? "s" : "");
}

/* Writes what the contexts of all places of the word suggest, if that is why it is suspect. */
static void context_phrase(const struct review *r, const struct finding *f, char *phrase, size_t room)
{
    struct text name = f->places ? name_of(r, f->suggested) : text_of("");
    phrase[0] = '\0';
    if (f->places)
        snprintf(phrase, room, "; the contexts of its %" PRIu32 " places suggest %.*s", f->places,
                 text_beginning(name, 30), name.at);
}

/* Puts why the item is suspect, by its worst word: for a reader who knows the text, not the model. */
static void put_why(struct making *m, struct row *row)
{
    const struct review *r = m->review;
    const struct suspect *s = m->suspect;
    const struct finding *f = &r->finding[s->layer][m->first + s->worst];
    const char *layer = r->layers == 1 ? "" : s->layer ? "relation: " : "head: ";
    const char *learned = isnan(f->learned)          ? ""
                          : (double)f->learned < 0.2 ? "; the model was taught it and still rejects it"
                          : (double)f->learned < 0.6 ? "; the model was slow to learn it"
                                                     : "; the model learned it easily";
    char where[80] = "", repeat[140], votes[80], contexts[100], phrase[500];
    if (row->words > 1 && !m->failed) {
        struct text word = list_text(m->list, m->list->word[row->first + row->worst].form);
        snprintf(where, sizeof where, "\xE2\x80\x9C%.*s\xE2\x80\x9D: ", excerpt(word), word.at);
    }
    repeat_phrase(r, s->layer, m->first + s->worst, repeat, sizeof repeat);
    vote_phrase((double)f->votes, r->params[s->layer][0].draws, votes, sizeof votes);
    context_phrase(r, f, contexts, sizeof contexts);
    if (f->given == NO_LABEL)
        snprintf(phrase, sizeof phrase, "%s%sthe model does not know this label", where, layer);
    else
        snprintf(phrase, sizeof phrase, "%s%s%s%s%s%s", where, layer, repeat, votes, learned, contexts);
    put_string(m, row, ROW_WHY, phrase);
}

/* Writes the sentence's labels in the corpus's spelling: proposed ones in the item, given ones around it. */
static bool write_proposed(struct making *m)
{
    const struct review *r = m->review;
    uint32_t N = m->sentence->N;
    if (!RESERVE(m->choice, m->choice_capacity, (size_t)N + 1, m->err) ||
        !RESERVE(m->written, m->written_capacity, (size_t)N + 1, m->err))
        return false;
    for (uint32_t n = 0; n < N; n++) {
        const struct finding *f = &r->finding[0][m->first + n];
        bool inside = n >= m->suspect->from && n < m->suspect->to;
        m->choice[n] = inside || f->given == NO_LABEL ? f->proposed : f->given;
    }
    return labels_write(&r->corpus.labels, m->choice, N, &m->work, m->written, m->err);
}

/* Puts how the item was drawn. */
static void put_place(struct making *m, struct row *row)
{
    char place[80] = "";
    if (m->suspect->stratum)
        audit_write(&m->list->audit, m->suspect->stratum, place, sizeof place);
    put_string(m, row, ROW_AUDIT, place);
}

static bool add_row(struct making *m, struct row *row, const struct reread *at)
{
    const struct review *r = m->review;
    const struct suspect *s = m->suspect;
    const struct finding *worst = &r->finding[s->layer][m->first + s->worst];
    struct review_list *list = m->list;
    *row = (struct row){.line = reader_line(at->reader, m->sentence, s->from),
                        .word = s->from,
                        .words = s->to - s->from,
                        .others = s->other_count,
                        .worst = s->worst - s->from,
                        .first = list->words,
                        .measure = {s->error, (double)worst->probability, (double)worst->margin, (double)worst->votes,
                                    (double)worst->learned}};
    if (!RESERVE(list->word, list->word_capacity, list->words + row->words + row->others, m->err) ||
        (!r->trees && !write_proposed(m)))
        return false;
    memset(list->word + list->words, 0, sizeof *list->word * (row->words + row->others));
    put_string(m, row, ROW_FILE, r->options->common.argument[at->file]);
    put_string(m, row, ROW_LAYER, r->dataset->layer[s->layer].name);
    put_place(m, row);
    put_words(m, row);
    list->words += row->words + row->others;
    put_context(m, row);
    put_why(m, row);
    return !m->failed;
}

/* Appends what was put into the list's text since `from` to an array, and takes it back. */
static void move_to(json_t *array, struct making *m, size_t from)
{
    struct text text = list_text(m->list, since(m, from));
    m->failed = m->failed || json_array_append_new(array, json_stringn(text.at, text.length)) != 0;
    m->list->text.length = from;
}

/* Adds the whole sentence, for a page. */
static bool add_sentence(struct making *m)
{
    enum { TAG = 3 }; /* the column of CoNLL-X and CoNLL-U */
    const struct sentence *s = m->sentence;
    struct buffer *into = &m->list->sentence;
    json_t *words = json_array(), *given = json_array(), *tags = s->tree ? json_array() : NULL;
    size_t from = mark(m);
    for (uint32_t n = 0; n < s->N && !m->failed; n++) {
        put_forms(m, n, n + 1);
        move_to(words, m, from);
        put_given(m, n);
        move_to(given, m, from);
        if (tags && s->first[n + 1] - s->first[n] > TAG)
            put(m, s->cell[s->first[n] + TAG]);
        if (tags)
            move_to(tags, m, from);
    }
    json_t *object = json_pack("{s:o, s:o, s:o*}", "words", words, "given", given, "tags", tags);
    char *line = object && !m->failed ? json_dumps(object, JSON_COMPACT) : NULL;
    json_decref(object);
    bool ok = line ? buffer_print(into, m->err, "%s%s", m->list->sentences++ ? ",\n" : "", line) : fail_memory(m->err);
    free(line);
    return ok;
}

/* Adds the rows of a sentence. */
static bool add_rows(void *context, const struct reread *at, struct vouch_error *err)
{
    struct making *m = context;
    m->sentence = &at->sentence;
    m->first = m->review->first[at->i];
    m->err = err;
    for (bool first = true; m->next < m->list->count; m->next++, first = false) {
        struct row *row = &m->list->row[m->order[m->next]];
        m->suspect = &m->review->suspect[m->order[m->next]];
        if (m->suspect->sentence != at->i)
            break;
        if ((first && m->review->options->as == REVIEW_HTML && !add_sentence(m)) || !add_row(m, row, at))
            return false;
        row->sentence = m->list->sentences - 1;
    }
    return true;
}

bool list_rows(struct review *r, size_t count, struct vouch_error *err)
{
    struct review_list *list = &r->list;
    struct making m = {.review = r, .list = list, .order = suspects_by_sentence(r, count, err)};
    m.put_proposed = r->trees ? put_proposed_arc : put_proposed_label;
    list->row = m.order ? new_array(count, sizeof *list->row, err) : NULL;
    list->count = count;
    list->judged = r->suspects;
    list->trees = r->trees;
    bool ok = list->row && review_reread(r, add_rows, &m, err);
    label_work_release(&m.work);
    free(m.order);
    free(m.choice);
    free(m.written);
    return ok;
}

/* The columns of a list, in order: a whole number, a string, the decision, or a measure. */
static const struct column {
    const char *name;
    enum { COUNT, STRING, DECISION, MEASURE } kind;
    int which; /* of the row's counts, strings or measures */
} columns[] = {{"rank", COUNT, 0},
               {"file", STRING, ROW_FILE},
               {"line", COUNT, 1},
               {"word", COUNT, 2},
               {"words", COUNT, 3},
               {"text", STRING, ROW_TEXT},
               {"given", STRING, ROW_GIVEN},
               {"proposed", STRING, ROW_PROPOSED},
               {"decision", DECISION, 0},
               {"error", MEASURE, ROW_ERROR},
               {"confidence", MEASURE, ROW_CONFIDENCE},
               {"margin", MEASURE, ROW_MARGIN},
               {"votes", MEASURE, ROW_VOTES},
               {"learned", MEASURE, ROW_LEARNED},
               {"layer", STRING, ROW_LAYER},
               {"why", STRING, ROW_WHY},
               {"context", STRING, ROW_CONTEXT},
               {"also", STRING, ROW_ALSO},
               {"audit", STRING, ROW_AUDIT}};

#define END_OF_COLUMNS (columns + sizeof columns / sizeof *columns)

/* Whether the list has the column: one is for trees alone, and one for audits. */
static bool has_column(const struct review_list *list, const struct column *c)
{
    return c->kind != STRING || (c->which == ROW_ALSO ? list->trees : c->which != ROW_AUDIT || list->audit.items > 0);
}

static uint64_t count_of(const struct review_list *list, size_t i, int which)
{
    const struct row *row = &list->row[i];
    return which == 0 ? i + 1 : which == 1 ? row->line : which == 2 ? (uint64_t)row->word + 1 : row->words;
}

void table_field_write(struct output *out, struct text text)
{
    bool quoted = text.length > 0 && text.at[0] == '"';
    output_write(out, "\"", quoted);
    for (uint32_t i = 0; i < text.length; i++) {
        output_write(out, (unsigned char)text.at[i] < ' ' ? " " : text.at + i, 1);
        output_write(out, "\"", quoted && text.at[i] == '"');
    }
    output_write(out, "\"", quoted);
}

void review_list_write_tsv(const struct review_list *list, struct output *out)
{
    for (const struct column *c = columns; c < END_OF_COLUMNS; c++)
        if (has_column(list, c))
            output_printf(out, "%s%s", c > columns ? "\t" : "", c->name);
    output_write(out, "\n", 1);
    for (size_t i = 0; i < list->count; i++) {
        for (const struct column *c = columns; c < END_OF_COLUMNS; c++) {
            const struct row *row = &list->row[i];
            if (!has_column(list, c))
                continue;
            output_write(out, "\t", c > columns);
            if (c->kind == COUNT)
                output_printf(out, "%" PRIu64, count_of(list, i, c->which));
            else if (c->kind == STRING)
                table_field_write(out, list_text(list, row->string[c->which]));
            else if (c->kind == MEASURE && isfinite(row->measure[c->which]))
                output_printf(out, "%.4g", row->measure[c->which]);
        }
        output_write(out, "\n", 1);
    }
}

static json_t *json_value(const struct review_list *list, size_t i, const struct column *c)
{
    const struct row *row = &list->row[i];
    struct text text = c->kind == STRING ? list_text(list, row->string[c->which]) : (struct text){0};
    if (c->kind == COUNT)
        return json_integer((json_int_t)count_of(list, i, c->which));
    if (c->kind == MEASURE)
        return figure_json(row->measure[c->which]);
    return c->which == ROW_FILE ? header_text(text.at) : json_stringn(text.at, text.length);
}

bool review_list_write_jsonl(const struct review_list *list, struct output *out, struct vouch_error *err)
{
    bool ok = true;
    for (size_t i = 0; ok && i < list->count; i++) {
        json_t *object = json_object();
        for (const struct column *c = columns; c < END_OF_COLUMNS; c++)
            if (c->kind != DECISION && has_column(list, c))
                ok = ok && json_object_set_new(object, c->name, json_value(list, i, c)) == 0;
        char *line = ok ? json_dumps(object, JSON_REAL_PRECISION(4)) : NULL;
        ok = line || fail_memory(err);
        if (line)
            output_printf(out, "%s\n", line);
        free(line);
        json_decref(object);
    }
    return ok;
}
