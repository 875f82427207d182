/*
 * Reads spans of texts that another program has found and scored, one JSON line a text:
 *
 *   {"text": "Ada in Rome", "spans": [{"start": 7, "end": 11, "label": "LOC", "score": 0.9}], "gold": [...]}
 *
 * The list may also be "entities" or "extractions", or the line itself may be the list; --columns GOLD,LIST,SCORE names
 * other keys. span_list.h tells what a span may be. Gold may be in a file of its own, whose lines are texts as well,
 * with the right spans under "gold" or under the key of a list.
 *
 * A span is a row, and a text is a sentence: its rows are the spans of the list, then those of gold that the list
 * lacks. Their labels are B-TYPE, or O, so that every row is a chunk of one word, and what counts chunks counts spans:
 * a span is right if gold has one with the same offsets and label. Of spans that are the same, the one with the highest
 * score counts. Spans may overlap, and each is judged by itself. Texts without any span leave no rows. Texts in
 * succession with the same "document", "document_id" or "doc_id" are those of one document.
 *
 * The file is written again byte for byte, with keys added to the spans, or without some of them. Time and memory are
 * linear in the size of the file, but the spans of one text are compared with each other.
 */
#include "answers/span_list.h"
#include "base/json_read.h"
#include "text/formats.h"

#include <inttypes.h>
#include <math.h>
#include <stdio.h>
#include <sys/stat.h>

/* Whether a line holds a list of spans: objects, or nothing. Words have keys of their own. */
static bool holds_spans(const struct answer_file *t, const json_t *line)
{
    static const char *const of_words[] = {"tokens", "predicted", "predicted_heads", "heads", "guess", "labels"};
    const char *key;
    const struct text named = t->named[FIELD_GUESS] ? t->field[FIELD_GUESS] : (struct text){0};
    const json_t *list = json_is_array(line) ? line : span_array(line, named, &key);
    for (size_t i = 0; i < sizeof of_words / sizeof *of_words; i++)
        if (json_object_get(line, of_words[i]))
            return false;
    if (!list && json_object_get(line, "votes"))
        return true;
    if (!list && json_object_get(line, "text"))
        list = json_object_get(line, "gold"); /* a file of gold alone */
    return list && !json_is_string(json_array_get(list, 0));
}

bool answer_spans_looks_so(struct answer_file *t)
{
    struct text line;
    if (!answer_line(t, &line) || !memchr("{[", line.at[strspn(line.at, " \t")], 2))
        return false;
    json_t *object = json_read(line.at, line.length, 0, NULL);
    bool spans = object && holds_spans(t, object);
    json_decref(object);
    return spans;
}

enum span_guess answers_look_like_spans(const char *path)
{
    struct vouch_error why = {0}; /* whoever reads it next says so */
    struct stat about;
    if (!path || strcmp(path, "-") == 0 || stat(path, &about) != 0 || !S_ISREG(about.st_mode))
        return SPANS_UNKNOWN;
    struct answer_file *t = answer_lines_open(path, &why);
    enum span_guess guess = t && answer_spans_looks_so(t) ? SPANS_FOUND : SPANS_NONE;
    answer_file_close(t);
    return guess;
}

/* What is at hand while rows are made. */
struct taking {
    struct answer_file *file;
    struct answer_file *gold; /* the lines of gold; NULL: it is in the same file */
    json_t *line, *gold_line, *document; /* document: of the text before */
    struct span_list found, right;
    bool *met; /* [right.count] */
    size_t met_capacity;
};

static json_t *parse(struct answer_file *t, struct text line, struct vouch_error *err)
{
    json_error_t why;
    json_t *json = json_read(line.at, line.length, JSON_REJECT_DUPLICATES, &why);
    if (json)
        return json;
    if (json_lacked_memory(&why))
        fail_memory(err);
    else
        answer_refuse(t, 0, err, "expected a JSON object, or an array of spans: %s", why.text);
    return NULL;
}

static bool keep(struct answer_file *t, const char *before, struct text text, struct text *kept,
                 struct vouch_error *err)
{
    size_t length = strlen(before);
    char *room;
    if (!ARENA_ARRAY(room, length + text.length + 1, &t->strings, err))
        return false;
    memcpy(room, before, length);
    if (text.length)
        memcpy(room + length, text.at, text.length);
    *kept = (struct text){room, (uint32_t)length + text.length};
    return true;
}

/* Adds a row: of a span that was found, if it has a score, else of one that was missed. */
static bool add_span(struct taking *k, const struct found_span *s, bool right, bool begins, struct vouch_error *err)
{
    struct answer_file *t = k->file;
    const bool found = !isnan(s->score);
    struct answer_row row = {.confidence = s->score,
                             .relation_confidence = NAN,
                             .begins = begins,
                             .from = s->from,
                             .to = s->to,
                             .others = s->others,
                             .document = t->documents ? t->documents - 1 : 0,
                             .item = s->item,
                             .items = found ? s->items : 0,
                             .guess = text_of("O"),
                             .gold = text_of("O")};
    struct text label;
    if (!keep(t, "B-", s->label, &label, err) || !keep(t, "", s->words, &row.word, err))
        return false;
    if (found)
        row.guess = label;
    if (!found || right)
        row.gold = label;
    t->unplaced += found && s->from == NO_PLACE;
    return answer_add(t, row, err);
}

/* Whether a span has a twin that counts in its place: of a higher score, or earlier if that is no lower, or NAN. */
static bool is_repeated(const struct span_list *list, size_t i)
{
    for (size_t j = 0; j < list->count; j++)
        if (j != i && same_span(&list->span[i], &list->span[j]) &&
            (list->span[j].score > list->span[i].score || (j < i && !(list->span[j].score < list->span[i].score))))
            return true;
    return false;
}

/* Whether gold has the span; notes that it was met. Words that the text does not have are never right. */
static bool meets_gold(struct taking *k, const struct found_span *s)
{
    bool right = false;
    for (size_t j = 0; j < k->right.count && s->from != NO_PLACE; j++)
        if (same_span(s, &k->right.span[j]))
            right = k->met[j] = true;
    return right;
}

static bool add_rows(struct taking *k, struct vouch_error *err)
{
    size_t first = k->file->rows;
    if (!RESERVE(k->met, k->met_capacity, k->right.count + 1, err))
        return false;
    memset(k->met, 0, k->right.count * sizeof *k->met);
    for (size_t i = 0; i < k->found.count; i++) {
        if (!add_span(k, &k->found.span[i], meets_gold(k, &k->found.span[i]), k->file->rows == first, err))
            return false;
        if (is_repeated(&k->found, i)) {
            k->file->row[k->file->rows - 1].repeated = true;
            k->file->repeated++;
        }
    }
    for (size_t j = 0; j < k->right.count; j++)
        if (!k->met[j] && !is_repeated(&k->right, j) &&
            !add_span(k, &k->right.span[j], true, k->file->rows == first, err))
            return false;
    return true;
}

/* Reads the line of gold that belongs to the one at hand. */
static bool next_gold(struct taking *k, struct vouch_error *err)
{
    struct text line;
    json_decref(k->gold_line);
    k->gold_line = NULL;
    if (!answer_line(k->gold, &line))
        return answer_refuse(k->file, 0, err, "expected a line in %s for each text, found %" PRIu64, k->gold->path,
                             k->gold->line);
    k->gold_line = parse(k->gold, line, err);
    const json_t *one = json_object_get(k->line, "text"), *other = json_object_get(k->gold_line, "text");
    return k->gold_line && (!one || !other || json_equal(one, other) ||
                            answer_refuse(k->file, 0, err, "expected the text of %s:%" PRIu64 ", found another one",
                                          k->gold->path, k->gold->line));
}

static bool take_gold(struct taking *k, struct vouch_error *err)
{
    struct answer_file *t = k->file;
    const struct text key = t->field[FIELD_GOLD];
    const char *name = "gold";
    k->right.count = 0;
    if (t->options.added)
        return true;
    if (k->gold && !next_gold(k, err))
        return false;
    const json_t *line = k->gold ? k->gold_line : k->line;
    const json_t *gold = json_is_array(line) && k->gold ? line : json_object_getn(line, key.at, key.length);
    if (!gold && k->gold)
        gold = span_array(line, (struct text){0}, &name);
    k->right.file = k->gold ? k->gold : t;
    if (!gold)
        return answer_refuse(k->right.file, 0, err,
                             "expected the right spans, an array under \"%.*s\", found none; if they are in another "
                             "file: --answers FILE GOLD",
                             excerpt(key), key.at);
    const json_t *text = json_object_get(line, "text");
    return span_list_text(&k->right, text ? text : json_object_get(k->line, "text"), err) &&
           span_list_read(&k->right, gold, name, NULL, err);
}

/* Refuses spans that have the key which is to be added. */
static bool lacks_added(const struct answer_file *t, const json_t *list, struct vouch_error *err)
{
    for (size_t i = 0; t->options.added && i < json_array_size(list); i++)
        if (json_object_get(json_array_get(list, i), t->options.added))
            return answer_refuse(t, 0, err, "expected no key \"%s\", which would be added, found one",
                                 t->options.added);
    return true;
}

/* Counts documents: a text that names another one than the text before begins it. */
static void pass_document(struct taking *k)
{
    static const char *const keys[] = {"document", "document_id", "doc_id"};
    json_t *found = NULL;
    for (size_t i = 0; i < sizeof keys / sizeof *keys && !found; i++)
        found = json_object_get(k->line, keys[i]);
    k->file->documents += found && !(k->document && json_equal(k->document, found));
    json_decref(k->document);
    k->document = json_incref(found);
}

static bool take_line(struct taking *k, struct text line, struct vouch_error *err)
{
    struct answer_file *t = k->file;
    const char *key = "spans";
    const struct text named = t->named[FIELD_GUESS] ? t->field[FIELD_GUESS] : (struct text){0};
    const struct text score = t->named[FIELD_CONFIDENCE] ? t->field[FIELD_CONFIDENCE] : (struct text){0};
    json_decref(k->line);
    if (!(k->line = parse(t, line, err)))
        return false;
    const json_t *list = json_is_array(k->line) ? k->line : span_array(k->line, named, &key);
    if (!list)
        return answer_refuse(t, 0, err, "expected spans, an array under \"%.*s\", found none%s",
                             named.length ? excerpt(named) : 5, named.length ? named.at : "spans",
                             json_object_get(k->line, "votes") ? "; votes must be counted first: vouch vote FILE" : "");
    if (json_is_array(json_array_get(list, 0)))
        return answer_refuse(t, 0, err, "expected spans of one text, found a list of lists: one line a text, please");
    pass_document(k);
    return lacks_added(t, list, err) && span_list_text(&k->found, json_object_get(k->line, "text"), err) &&
           RESERVE(t->text, t->text_capacity, t->texts + 1, err) &&
           keep(t, "", k->found.text, &t->text[t->texts++], err) &&
           span_list_read(&k->found, list, key, &score, err) && take_gold(k, err) && add_rows(k, err);
}

bool answer_spans_rows(struct answer_file *t, struct vouch_error *err)
{
    struct taking k = {.file = t, .found = {.file = t}};
    struct text line;
    bool ok = !t->numbered || fail(err, VOUCH_ERR_ARGUMENT, "--columns: expected keys of JSON lines, found numbers");
    t->spans = true;
    t->boundaries = BOUNDARY_JSON_LINES;
    snprintf(t->place[0], sizeof t->place[0], "spans");
    snprintf(t->place[1], sizeof t->place[1], "gold");
    if (ok && t->options.gold_path)
        ok = (k.gold = answer_lines_open(t->options.gold_path, err)) != NULL;
    while (ok && answer_line(t, &line))
        ok = take_line(&k, line, err);
    if (ok && k.gold && answer_line(k.gold, &line))
        ok = answer_refuse(k.gold, 0, err, "expected as many texts as in %s, found more", t->path);
    answer_file_close(k.gold);
    json_decref(k.line);
    json_decref(k.gold_line);
    json_decref(k.document);
    span_list_release(&k.found);
    span_list_release(&k.right);
    free(k.met);
    return ok;
}

void answer_spans_take(struct answer_file *t, size_t from, size_t to, struct file_answer *into)
{
    struct sentence *s = &t->ahead[0];
    uint32_t n = 0, spans = 0;
    for (size_t i = from; i < to; i++) {
        const struct answer_row *row = &t->row[i];
        if (row->repeated)
            continue;
        s->first[n] = n;
        s->cell[n] = row->word;
        t->label[0][n] = row->guess;
        t->label[1][n] = row->gold;
        if (row->items) {
            t->span[spans] = (struct span){n, n + 1, {row->guess.at + 2, row->guess.length - 2}};
            answer_spans(t, 0)[spans++] = row->confidence;
        }
        n++;
    }
    into->label = t->label[0];
    into->gold = t->label[1];
}

void answer_spans_count(const struct answer_file *t, size_t from, size_t to, uint32_t *rows, uint32_t *spans)
{
    *rows = *spans = 0;
    for (size_t i = from; i < to; i++)
        if (!t->row[i].repeated) {
            ++*rows;
            *spans += t->row[i].items > 0;
        }
}

/* Writes an item of a list: as it is, or with what is known of its span. */
static void write_item(const struct answer_file *t, const struct answer_row *row, struct text item,
                       const struct span_completion *with, struct output *out)
{
    uint32_t end = item.length;
    if (!row) {
        write_text(out, item);
        return;
    }
    while (end > 1 && item.at[end - 1] != '}')
        end--;
    for (end--; end > 1 && memchr(" \t", item.at[end - 1], 2);)
        end--;
    double number = with->number[row - t->row];
    output_write(out, item.at, end);
    output_printf(out, ", \"%s\": ", t->options.added);
    write_number(out, number);
    output_printf(out, "%s}", number < with->threshold ? ", \"doubtful\": true" : "");
}

/* Writes a line with its list, whose rows begin at *row. */
static void write_line(const struct answer_file *t, size_t *row, struct text line, struct text array,
                       const struct span_completion *with, struct output *out)
{
    uint32_t at = 0, before = 0, n = 0;
    struct text item;
    bool any = false;
    output_write(out, line.at, (size_t)(array.at - line.at));
    while (json_next_item(array, &at, &item)) {
        uint32_t from = (uint32_t)(item.at - array.at);
        const struct answer_row *of = *row < t->rows ? &t->row[*row] : NULL;
        of = of && of->line == with->line && of->items && n >= of->item && n < of->item + of->items ? of : NULL;
        bool dropped = of && with->dropped && with->dropped[of - t->row];
        if (n == 0 || (any && !dropped)) /* the bracket in front of the first, or a comma */
            output_write(out, array.at + before, from - before);
        if (!dropped)
            write_item(t, of, item, with, out);
        any |= !dropped;
        before = at;
        n++;
        if (of && n == of->item + of->items)
            ++*row;
    }
    output_write(out, array.at + before, (size_t)(line.at + line.length - (array.at + before)));
}

/* Returns the bytes of the list of a line. */
static struct text array_of(const struct answer_file *t, struct text line)
{
    static const char *const keys[] = {"spans", "entities", "extractions"};
    char named[64];
    if (line.at[strspn(line.at, " \t")] == '[')
        return line;
    if (t->named[FIELD_GUESS] && t->field[FIELD_GUESS].length < sizeof named) {
        snprintf(named, sizeof named, "%.*s", (int)t->field[FIELD_GUESS].length, t->field[FIELD_GUESS].at);
        return json_value_text(line, named);
    }
    for (size_t i = 0; i < sizeof keys / sizeof *keys; i++) {
        struct text array = json_value_text(line, keys[i]);
        if (array.at && array.at[0] == '[')
            return array;
    }
    return (struct text){0};
}

bool answer_spans_complete(const struct answer_file *t, struct span_completion with, struct output *out,
                           struct vouch_error *err)
{
    const char *from = answer_write_mark(t, out), *to = from ? t->kept.bytes + t->kept.length : NULL;
    size_t row = 0;
    for (with.line = 1; from < to; with.line++) {
        const char *newline = memchr(from, '\n', (size_t)(to - from)), *behind = newline ? newline + 1 : to;
        const char *end = newline ? newline : to;
        end -= newline && end > from && end[-1] == '\r';
        struct text line = {from, (uint32_t)(end - from)};
        struct text array = all_blank(line) ? (struct text){0} : array_of(t, line);
        if (!array.at && !all_blank(line))
            return answer_refuse(t, with.line, err, "expected a short key, without escapes, in front of the spans");
        if (array.at)
            write_line(t, &row, line, array, &with, out);
        else
            write_text(out, line);
        output_write(out, end, (size_t)(behind - end));
        from = behind;
    }
    return row == t->rows || fail(err, VOUCH_ERR_FORMAT, "%s: expected the spans that were read", t->path);
}
