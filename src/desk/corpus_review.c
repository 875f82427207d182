/*
 * A round of review in the background: see corpus_review.h.
 *
 * Each document becomes a file without a name in which the sentences that are not reviewed are empty lines, so that
 * lines have the numbers that they have in the document. Decisions become a table about these files, as --decided
 * reads it. Both are made anew in each round: the same decisions give the same list.
 *
 * The list has what is worth a look: at most MOST suspects, without those that are right almost surely. An audit has
 * all that were drawn.
 */
#define _GNU_SOURCE /* memmem */
#include "desk/corpus_review.h"

#include "base/hash.h"
#include "base/json_read.h"
#include "base/watch.h"
#include "desk/desk_room.h"
#include "review/review.h"

#include <inttypes.h>
#include <stdio.h>
#include <unistd.h>

#define LIST_KEPT "list of suspects" /* the setting of the store that has the identity of its last list */

enum { MOST = 1000, LEAST = 20 };
static const double worth_a_look = 0.05; /* the chance of an error */

/* ---- Decisions of the store ---- */

const char *suspect_text(const json_t *suspect, const char *member)
{
    const char *text = json_string_value(json_object_get(suspect, member));
    return text ? text : "";
}

static bool is_review(const struct store_decision *d)
{
    return d->order && strcmp(d->order, "review") == 0 && d->details &&
           (decision_answers(d->kind) || d->kind == DECISION_ACKNOWLEDGE);
}

static struct suspect_decision *numbered(struct corpus_review *r, int64_t id)
{
    size_t low = 0, high = r->items;
    while (low < high) {
        size_t middle = low + (high - low) / 2;
        if (r->item[middle].id < id)
            low = middle + 1;
        else
            high = middle;
    }
    return low < r->items && r->item[low].id == id ? &r->item[low] : NULL;
}

const char *suspect_id(const json_t *details)
{
    return suspect_text(json_object_get(details, "suspect"), "id");
}

/* Notes which decision about a suspect stands, after one was added, undone or redone: the last that does. */
static bool note_standing(struct corpus_review *r, const struct suspect_decision *changed, struct vouch_error *err)
{
    const char *id = suspect_id(changed->details);
    size_t i = r->items;
    while (i > 0 && (!r->item[i - 1].stands || strcmp(suspect_id(r->item[i - 1].details), id) != 0))
        i--;
    return json_object_set_new(r->standing, id, json_integer((json_int_t)i)) == 0 || fail_memory(err);
}

static bool take_decision(void *context, const struct store_decision *d, struct vouch_error *err)
{
    struct corpus_review *r = context;
    bool undo = d->kind == DECISION_UNDO, redo = d->kind == DECISION_REDO;
    struct suspect_decision *of = undo || redo ? numbered(r, d->of) : NULL;
    r->upto = d->id;
    if (of)
        of->stands = redo;
    if (!is_review(d))
        return !of || note_standing(r, of, err);
    json_t *details = json_read_string(d->details, 0, NULL);
    if (!json_is_object(json_object_get(details, "suspect")) ||
        !RESERVE(r->item, r->item_capacity, r->items + 1, err)) {
        json_decref(details);
        return details == NULL || err->status == VOUCH_OK;
    }
    r->item[r->items++] = (struct suspect_decision){d->id, d->annotator, d->sentence, details, true};
    return note_standing(r, &r->item[r->items - 1], err);
}

bool review_catch_up(struct desk *desk, struct vouch_error *err)
{
    struct corpus_review *r = &desk->review;
    return store_decisions(desk->store, &(struct decision_query){.after_id = r->upto}, take_decision, r, err);
}

const struct suspect_decision *suspect_decided(const struct corpus_review *r, const char *id)
{
    size_t number = (size_t)json_integer_value(json_object_get(r->standing, id));
    return number > 0 ? &r->item[number - 1] : NULL;
}

void suspect_identify(json_t *suspect)
{
    static const char *const member[] = {"file", "text", "given", "proposed", "also", "audit"};
    static const char *const number[] = {"line", "word"};
    uint64_t hash = 0;
    char id[20];
    for (size_t i = 0; i < sizeof member / sizeof *member; i++) {
        const char *text = suspect_text(suspect, member[i]);
        hash = hash_mix(hash, hash_bytes(text, strlen(text)));
    }
    for (size_t i = 0; i < sizeof number / sizeof *number; i++)
        hash = hash_mix(hash, (uint64_t)json_integer_value(json_object_get(suspect, number[i])));
    snprintf(id, sizeof id, "%016" PRIx64, hash);
    json_object_set_new(suspect, "id", json_string(id));
}

/* ---- What is reviewed ---- */

/* A sentence that is reviewed. */
struct reviewed {
    int64_t id;
    size_t file;   /* its document, */
    uint64_t line; /* and the line of its first word there */
};

/* A round while it is made. */
struct round {
    struct desk *desk;
    struct store *store;
    bool *wanted;              /* [desk->places] */
    struct reviewed *sentence; /* [sentences] in order */
    size_t sentences, capacity;
    size_t files;
    struct output **text;      /* [files] */
    char **path;               /* [desk->documents] of these; NULL: nothing of it is reviewed */
    const char **name;         /* [files] of the documents */
    char **argument;           /* [files] the paths */
    struct output *table;
    char table_path[40];
    uint64_t audit, decisions;
};

/* One document while it is copied. */
struct copying {
    struct round *round;
    struct buffer bytes;
    size_t at; /* what is behind was not written yet */
    struct output *out;
    size_t found;
};

/* Writes the marks before a sentence, and the sentence, or an empty line for each of its own. */
static bool copy_sentence(void *context, const struct store_sentence *s, struct vouch_error *err)
{
    struct copying *c = context;
    struct round *r = c->round;
    uint32_t place;
    if (!desk_find(r->desk, s->id, &place, err))
        return false;
    const char *at = c->bytes.bytes + c->at;
    const char *from = memmem(at, c->bytes.length - c->at, s->bytes.at, s->bytes.length);
    if (!from)
        return fail(err, VOUCH_ERR_FORMAT, "line %" PRIu64 ": a sentence is not where it was", s->line);
    c->at += (size_t)(from - at) + s->bytes.length;
    output_write(c->out, at, (size_t)(from - at) + (r->wanted[place] ? s->bytes.length : 0));
    for (uint32_t i = 0; !r->wanted[place] && i < s->bytes.length; i++)
        output_write(c->out, from + i, from[i] == '\n');
    if (!r->wanted[place])
        return true;
    if (!RESERVE(r->sentence, r->capacity, r->sentences + 1, err))
        return false;
    r->sentence[r->sentences++] = (struct reviewed){s->id, r->files, s->line};
    c->found++;
    return true;
}

static struct output *spool(struct vouch_error *err)
{
    return output_open_spool(1, err);
}

/* A path to what was written. */
static bool path_of(struct output *out, char path[40], struct vouch_error *err)
{
    snprintf(path, 40, "/proc/self/fd/%d", output_spooled(out));
    output_flush(out);
    return output_whole(out, err);
}

static bool copy_document(struct round *r, size_t document, struct vouch_error *err)
{
    struct copying c = {.round = r, .out = spool(err)};
    struct reader_options reading;
    char path[40];
    int64_t id = r->desk->document[document].id;
    bool ok = c.out && store_read_document(r->store, id, &c.bytes, &reading, err) &&
              store_sentences(r->store, id, copy_sentence, &c, err);
    if (ok && c.found) {
        output_write(c.out, c.bytes.bytes + c.at, c.bytes.length - c.at);
        ok = path_of(c.out, path, err) && (r->path[document] = new_string(path, strlen(path), err));
        r->name[r->files] = r->desk->document[document].name;
        r->argument[r->files] = r->path[document];
        r->text[r->files++] = c.out;
    } else
        output_discard(c.out);
    free(c.bytes.bytes);
    return ok;
}

/* With the lock: which sentences are reviewed, and what was decided about them. */
static bool begin_round(struct round *r, struct vouch_error *err)
{
    struct desk *desk = r->desk;
    desk_enter(desk);
    r->audit = desk->review.audit;
    for (size_t i = 0; i < desk->places; i++)
        r->wanted[i] = desk->place[i].given && !desk->place[i].blind;
    bool ok = review_catch_up(desk, err);
    desk->review.fresh = 0;
    desk_leave(desk);
    return ok;
}

/* With the lock: decisions as a table about the files of the round. */
static bool write_table(struct round *r, struct vouch_error *err)
{
    struct desk *desk = r->desk;
    desk_enter(desk);
    for (size_t i = 0; i < desk->review.items; i++)
        r->decisions += desk->review.item[i].stands;
    bool ok = r->decisions == 0 || ((r->table = spool(err)) &&
                                    decisions_table(desk, (const char *const *)r->path, false, r->table, err) &&
                                    path_of(r->table, r->table_path, err));
    desk_leave(desk);
    return ok;
}

static bool open_round(struct round *r, struct vouch_error *err)
{
    size_t documents = r->desk->documents;
    r->wanted = new_array(r->desk->places, sizeof *r->wanted, err);
    r->text = new_array(documents, sizeof *r->text, err);
    r->path = new_array(documents, sizeof *r->path, err);
    r->name = new_array(documents, sizeof *r->name, err);
    r->argument = new_array(documents, sizeof *r->argument, err);
    bool ok = r->wanted && r->text && r->path && r->name && r->argument &&
              (r->store = store_open(r->desk->path, STORE_READ, err)) && begin_round(r, err);
    for (size_t i = 0; ok && i < documents; i++)
        ok = copy_document(r, i, err);
    if (ok && r->sentences == 0)
        ok = fail(err, VOUCH_ERR_ARGUMENT, "no sentence has labels to review");
    return ok && write_table(r, err);
}

static void close_round(struct round *r)
{
    for (size_t i = 0; r->text && i < r->files; i++)
        output_discard(r->text[i]);
    for (size_t i = 0; r->path && i < r->desk->documents; i++)
        free(r->path[i]);
    output_discard(r->table);
    store_close(r->store);
    free(r->wanted);
    free(r->sentence);
    free(r->text);
    free(r->path);
    free(r->name);
    free(r->argument);
}

/* ---- The list ---- */

/* The sentence that a row is in: the last that begins at its line or before. */
static const struct reviewed *sentence_of(const struct round *r, const struct row *row, struct text file)
{
    const struct reviewed *found = NULL;
    size_t number = 0;
    while (number < r->files && !text_is(file, r->argument[number]))
        number++;
    for (size_t low = 0, high = r->sentences; low < high;) {
        size_t middle = low + (high - low) / 2;
        const struct reviewed *s = &r->sentence[middle];
        if (s->file < number || (s->file == number && s->line <= row->line)) {
            found = s;
            low = middle + 1;
        } else
            high = middle;
    }
    return found;
}

/* Keeps the rows that are worth a look. */
static void shorten(struct review_list *list)
{
    size_t count = 0;
    while (count < list->count && (list->audit.items || count < LEAST ||
                                   list->row[count].measure[ROW_ERROR] >= worth_a_look))
        count++;
    list->count = count;
}

/* Adds "suspects": each row as it is kept with a decision, with the store's number of its sentence. */
static bool add_suspects(struct round *r, const struct review_list *list, json_t *all, struct vouch_error *err)
{
    static const struct {
        const char *name;
        enum row_string which;
    } member[] = {{"text", ROW_TEXT}, {"given", ROW_GIVEN}, {"proposed", ROW_PROPOSED}, {"layer", ROW_LAYER},
                  {"why", ROW_WHY},   {"also", ROW_ALSO},   {"audit", ROW_AUDIT}};
    json_t *suspects = json_array();
    for (size_t i = 0; i < list->count; i++) {
        const struct row *row = &list->row[i];
        const struct reviewed *s = sentence_of(r, row, list_text(list, row->string[ROW_FILE]));
        json_t *one = json_pack("{s:I, s:s, s:I, s:I, s:I, s:f}", "sentence", (json_int_t)(s ? s->id : 0), "file",
                                s ? r->name[s->file] : "", "line", (json_int_t)row->line, "word",
                                (json_int_t)row->word + 1, "words", (json_int_t)row->words, "error",
                                row->measure[ROW_ERROR]);
        for (size_t m = 0; one && m < sizeof member / sizeof *member; m++) {
            struct text text = list_text(list, row->string[member[m].which]);
            json_object_set_new(one, member[m].name, json_stringn(text.at, text.length));
        }
        if (one)
            suspect_identify(one);
        json_array_append_new(suspects, one);
    }
    return (json_array_size(suspects) == list->count && json_object_set_new(all, "suspects", suspects) == 0) ||
           fail_memory(err);
}

static json_t *list_json(struct round *r, struct review *review, struct vouch_error *err)
{
    struct buffer sentences = {0};
    json_t *all = NULL, *array = NULL, *places = json_object();
    shorten(&review->list);
    bool ok = add_suspects(r, &review->list, places, err) && review_rename_files(review, r->name, err) &&
              (all = review_json(review, err)) && json_object_update(all, places) == 0 &&
              buffer_put(&sentences, '[', err) &&
              buffer_add(&sentences, buffer_text(&review->list.sentence), err) && buffer_put(&sentences, ']', err) &&
              (array = json_read(sentences.bytes, sentences.length, 0, NULL)) &&
              json_object_set_new(all, "sentences", array) == 0;
    free(sentences.bytes);
    json_decref(places);
    if (ok)
        return all;
    json_decref(all);
    if (!err->status)
        fail_memory(err);
    return NULL;
}

static json_t *judge(struct round *r, const struct vouch_watch *watch, struct vouch_error *err)
{
    const struct desk *desk = r->desk;
    struct review_options options;
    char inspect[20];
    options_init(&review_options, &options);
    snprintf(inspect, sizeof inspect, "%d", MOST);
    options.common.work = desk->options.work;
    options.common.work.watch = watch;
    options.common.argument = r->argument;
    options.common.arguments = r->files;
    options.learner.task = desk->task;
    options.reading.format = desk->options.reading.format;
    options.reading.gold = desk->options.reading.gold;
    options.level = desk->trees || desk->scheme == SCHEME_NONE ? REVIEW_WORDS : REVIEW_CHUNKS;
    options.as = REVIEW_HTML;
    options.inspect = inspect;
    options.audit = (uint32_t)r->audit;
    options.new_labels = true;
    if (r->decisions)
        options.decided.item[options.decided.count++] = r->table_path;
    struct review review = {.options = &options};
    bool ok = review_prepare(&review, err) && review_read(&review, err) && review_check_labels(&review, err) &&
              review_judge(&review, err);
    json_t *list = ok ? list_json(r, &review, err) : NULL;
    review_release(&review);
    return list;
}

/* ---- Keeping ---- */

static void know_suspects(struct corpus_review *r)
{
    const json_t *all = json_object_get(r->list, "suspects");
    for (size_t i = 0; i < json_array_size(all); i++)
        json_object_set(r->suspect, suspect_text(json_array_get(all, i), "id"), json_array_get(all, i));
}

static bool kept_path(const struct desk *desk, struct buffer *path, struct vouch_error *err)
{
    return buffer_print(path, err, "%s.suspects.json", desk->stem);
}

/* Keeps the list in its file, and in the store which list that is: another store beside the file is not about it. */
static bool keep_list(const struct desk *desk, const json_t *list, struct vouch_error *err)
{
    struct buffer path = {0};
    char *text = json_dumps(list, JSON_COMPACT);
    struct output *out = text && kept_path(desk, &path, err) ? output_open(path.bytes, err) : NULL;
    if (out)
        output_write(out, text, strlen(text));
    bool ok = out ? output_commit(out, err) : text ? false : fail_memory(err);
    free(path.bytes);
    free(text);
    return ok && store_set(desk->store, LIST_KEPT, suspect_text(list, "identity"), err);
}

/* The list that was kept, if it is this store's. */
static bool find_list(const struct desk *desk, json_t **list, struct vouch_error *err)
{
    struct buffer path = {0};
    char *kept = NULL;
    bool ok = kept_path(desk, &path, err) && store_setting(desk->store, LIST_KEPT, &kept, err);
    *list = ok && kept && access(path.bytes, R_OK) == 0 ? json_read_file(path.bytes, 0, NULL) : NULL;
    if (kept && strcmp(suspect_text(*list, "identity"), kept) != 0) {
        json_decref(*list);
        *list = NULL;
    }
    free(path.bytes);
    free(kept);
    return ok;
}

/* ---- Rounds ---- */

/* The watch of a round: notes for the page how far it is, and stops when the learner's does. */
struct progress {
    struct desk *desk;
    const struct vouch_watch *watch;
};

static void note_progress(void *context, const struct vouch_event *event)
{
    struct desk *desk = ((const struct progress *)context)->desk;
    if (event->kind != VOUCH_EVENT_HOLDING_OUT && event->kind != VOUCH_EVENT_JUDGING)
        return;
    desk_enter(desk);
    struct review_step *step = &desk->review.step;
    bool again = step->again || (step->kind == VOUCH_EVENT_JUDGING && event->kind == VOUCH_EVENT_HOLDING_OUT);
    *step = (struct review_step){event->kind, again, event->done, event->of};
    desk_leave(desk);
}

static int round_stops(void *context)
{
    return watch_stops(((const struct progress *)context)->watch);
}

static bool review_round(void *context, const struct vouch_watch *watch, struct vouch_error *err)
{
    struct desk *desk = context;
    struct corpus_review *review = &desk->review;
    struct round r = {.desk = desk};
    struct progress progress = {desk, watch};
    const struct vouch_watch noting = {sizeof noting, &progress, note_progress, round_stops};
    double began = seconds_now();
    desk_enter(desk);
    review->step = (struct review_step){0};
    review->began = began;
    desk_leave(desk);
    json_t *list = open_round(&r, err) ? judge(&r, &noting, err) : NULL;
    close_round(&r);
    desk_enter(desk);
    review->began = 0;
    if (!list) {
        desk_leave(desk);
        return false;
    }
    json_object_set_new(list, "round", json_integer((json_int_t)review->round + 1));
    bool ok = keep_list(desk, list, err);
    json_decref(review->list);
    review->list = list;
    review->round++;
    review->seconds = seconds_now() - began;
    know_suspects(review);
    desk_leave(desk);
    return ok;
}

bool review_begin(struct desk *desk, struct vouch_error *err)
{
    struct corpus_review *r = &desk->review;
    r->student = (struct student){.name = "the review", .context = desk, .round = review_round};
    r->suspect = json_object();
    r->standing = json_object();
    if (!r->suspect || !r->standing)
        return fail_memory(err);
    if (!find_list(desk, &r->list, err))
        return false;
    r->round = (uint64_t)json_integer_value(json_object_get(r->list, "round"));
    know_suspects(r);
    return review_catch_up(desk, err);
}

void review_end(struct desk *desk)
{
    struct corpus_review *r = &desk->review;
    for (size_t i = 0; i < r->items; i++)
        json_decref(r->item[i].details);
    free(r->item);
    json_decref(r->list);
    json_decref(r->suspect);
    json_decref(r->standing);
}
