/*
 * Opens and closes the desk: see desk.h.
 *
 * What is blind and what is double follows from hashes of the words, the seed and the shares, which the store keeps
 * with the first opening, so that a restart draws the same sentences. Sentences with the same words are drawn together:
 * one of them would give the other away. A sentence that the first model has learned from is never blind, and neither
 * is one that somebody has already decided on with a suggestion in sight.
 */
#include "desk/desk_room.h"

#include "answer/model_input.h"
#include "base/hash.h"
#include "base/order.h"
#include "task/task.h"

#include <math.h>
#include <stdio.h>
#include <sys/stat.h>
#include <unistd.h>

void desk_enter(struct desk *desk)
{
    pthread_mutex_lock(&desk->lock);
}

void desk_leave(struct desk *desk)
{
    pthread_mutex_unlock(&desk->lock);
}

const char *desk_model_path(struct desk *desk)
{
    desk_enter(desk);
    bool any = desk->answerer != NULL;
    desk_leave(desk);
    if (any && access(desk->model_path, R_OK) == 0)
        return desk->model_path;
    return any && desk->base ? desk->base : "";
}

const char *desk_store_path(const struct desk *desk)
{
    return desk->path;
}

/* ---- Names of files ---- */

static char *copy_of(const char *text, struct vouch_error *err)
{
    return new_string(text, strlen(text), err);
}

/* The store without its endings, and "-desk". */
static char *stem_of(const char *store, struct vouch_error *err)
{
    struct buffer stem = {0};
    const char *file = path_name(store), *end = strstr(file, ".vouch.sqlite");
    end = end ? end : strstr(file, ".sqlite");
    int length = (int)(end && end > file ? (size_t)(end - store) : strlen(store));
    buffer_print(&stem, err, "%.*s-desk", length, store);
    return stem.bytes;
}

/* The name that a file is served by, without folder and ending; without a file, that of what is learned. */
static char *name_served(const char *file, const char *stem, struct vouch_error *err)
{
    const char *name = path_name(file ? file : stem), *end = strstr(name, ".vouch");
    return new_string(name, end && end > name ? (size_t)(end - name) : strlen(name), err);
}

static char *with_ending(const char *path, const char *ending, struct vouch_error *err)
{
    struct buffer whole = {0};
    buffer_print(&whole, err, "%s%s", path, ending);
    return whole.bytes;
}

/* The model that the desk writes is another one after every round: going on from it, no round could be had again. */
static bool check_base(const struct desk *desk, struct vouch_error *err)
{
    struct stat base, own;
    return !desk->base || stat(desk->base, &base) != 0 || stat(desk->model_path, &own) != 0 ||
           base.st_dev != own.st_dev || base.st_ino != own.st_ino ||
           fail(err, VOUCH_ERR_ARGUMENT,
                "%s: the desk learns this file anew in every round: expected -m with the model that it went on from "
                "at first, or no -m, or a copy of this one under another name",
                desk->base);
}

static bool name_files(struct desk *desk, struct vouch_error *err)
{
    const struct desk_options *o = &desk->options;
    const char *corpus = o->corpora ? o->corpus[0] : NULL;
    if (!o->store && !corpus)
        return fail(err, VOUCH_ERR_ARGUMENT, "expected a corpus to label, or a store");
    return (desk->path = o->store ? copy_of(o->store, err) : with_ending(corpus, ".vouch.sqlite", err)) &&
           (desk->stem = stem_of(desk->path, err)) && (desk->model_path = with_ending(desk->stem, ".vouch", err)) &&
           (!o->model || (desk->base = copy_of(o->model, err))) && check_base(desk, err) &&
           (desk->served_as = name_served(o->model ? o->model : corpus, desk->stem, err));
}

/* ---- Labels ---- */

struct text desk_type(const struct desk *desk, struct text label)
{
    struct text type;
    if (desk->trees || desk->scheme == SCHEME_NONE)
        return label;
    scheme_split(label, &type);
    return type;
}

size_t desk_label(const struct desk *desk, struct text label)
{
    for (size_t i = 0; i < desk->labels; i++)
        if (text_is(label, desk->label[i]))
            return i;
    return SIZE_MAX;
}

static bool add_type(struct desk *desk, struct text type, struct vouch_error *err)
{
    if (type.length == 0 || desk_label(desk, type) != SIZE_MAX)
        return true;
    if (!RESERVE(desk->label, desk->label_capacity, desk->labels + 1, err) ||
        !(desk->label[desk->labels] = new_string(type.at, type.length, err)))
        return false;
    desk->labels++;
    return true;
}

static bool add_label(struct desk *desk, struct text label, struct vouch_error *err)
{
    return text_is(label, "_") || text_is(label, "?") || add_type(desk, desk_type(desk, label), err);
}

static bool add_known_labels(struct desk *desk, const struct vouch_model *model, struct vouch_error *err)
{
    struct text rest = text_of(desk->options.labels ? desk->options.labels : "");
    while (rest.length) {
        struct text name = text_trim(text_cut(&rest, ','));
        if (!add_type(desk, name, err))
            return false;
    }
    for (uint32_t y = 0; model && y < labels_count(&model->labels); y++)
        if (!add_label(desk, labels_name(&model->labels, y), err))
            return false;
    return true;
}

/* ---- Sentences ---- */

/* Keeps a setting with the first opening, and takes that afterwards: what is drawn must not change. */
static bool settle_share(struct desk *desk, const char *name, double *share, struct vouch_error *err)
{
    char *kept = NULL, text[40];
    if (!store_setting(desk->store, name, &kept, err))
        return false;
    if (kept)
        *share = strtod(kept, NULL);
    snprintf(text, sizeof text, "%.17g", *share);
    bool ok = kept || store_set(desk->store, name, text, err);
    free(kept);
    return ok;
}

/* While sentences are read from the store: what schemes their labels are in, and the labels themselves. */
struct loading {
    struct desk *desk;
    const struct vouch_model *model;
    struct scheme_watch watch;
    bool add_labels;
};

static double share_of(uint64_t hash)
{
    return (double)(hash >> 11) * 0x1p-53;
}

static bool load_place(void *context, const struct store_sentence *s, struct vouch_error *err)
{
    struct loading *l = context;
    struct desk *desk = l->desk;
    const struct desk_options *o = &desk->options;
    if (!RESERVE(desk->place, desk->place_capacity, desk->places + 1, err))
        return false;
    uint64_t chance = hash_mix(hash_mix(o->work.seed, 1), s->words_digest);
    uint64_t sharing = hash_mix(hash_mix(o->work.seed, 2), s->words_digest);
    desk->place[desk->places++] = (struct place){.id = s->id,
                                                 .document = s->document,
                                                 .place = s->place,
                                                 .digest = s->words_digest,
                                                 .chance = chance,
                                                 .words = s->words,
                                                 .twice = share_of(sharing) < o->twice,
                                                 .given = answer_whole(&s->given)};
    if (desk->place[desk->places - 1].given && s->given.label && !desk->trees)
        scheme_see(&l->watch, s->given.label, s->words);
    return true;
}

/*
 * Draws the blind sentences. Nothing said, none are where the corpora label every sentence: then their labels are to be
 * reviewed, and what is blind would be left out of that.
 */
static bool draw_blind(struct desk *desk, const struct vouch_model *model, struct vouch_error *err)
{
    double *share = &desk->options.blind;
    bool given = true;
    for (size_t i = 0; i < desk->places; i++)
        given = given && desk->place[i].given;
    if (isnan(*share))
        *share = given ? 0 : USUAL_BLIND;
    if (!settle_share(desk, "blind", share, err))
        return false;
    for (struct place *p = desk->place; p < desk->place + desk->places; p++)
        p->blind = share_of(p->chance) < *share && !(model && digest_set_has(&model->seen, p->digest));
    return true;
}

static bool load_labels(void *context, const struct store_sentence *s, struct vouch_error *err)
{
    struct loading *l = context;
    for (uint32_t i = 0; s->given.label && i < s->given.words; i++)
        if (s->given.label[i].at && !add_label(l->desk, s->given.label[i], err))
            return false;
    return true;
}

bool sort_numbers(uint32_t *number, size_t count, uint64_t (*key)(const void *context, uint32_t number),
                  const void *context, struct vouch_error *err)
{
    struct keyed *keyed = new_array(count, sizeof *keyed, err);
    if (!keyed)
        return false;
    for (size_t i = 0; i < count; i++)
        keyed[i] = (struct keyed){key(context, number[i]), number[i]};
    bool ok = sort_keyed(keyed, count, err);
    for (size_t i = 0; ok && i < count; i++)
        number[i] = (uint32_t)keyed[i].value;
    free(keyed);
    return ok;
}

static uint64_t id_of(const void *context, uint32_t number)
{
    return (uint64_t)((const struct desk *)context)->place[number].id;
}

static uint64_t chance_of(const void *context, uint32_t number)
{
    return ((const struct desk *)context)->place[number].chance;
}

static bool index_places(struct desk *desk, struct vouch_error *err)
{
    desk->by_id = new_array(desk->places, sizeof *desk->by_id, err);
    desk->blind = new_array(desk->places, sizeof *desk->blind, err);
    if (!desk->by_id || !desk->blind)
        return false;
    for (uint32_t i = 0; i < desk->places; i++) {
        desk->by_id[i] = i;
        if (desk->place[i].blind)
            desk->blind[desk->blinds++] = i;
    }
    return sort_numbers(desk->by_id, desk->places, id_of, desk, err) &&
           sort_numbers(desk->blind, desk->blinds, chance_of, desk, err);
}

bool desk_find(const struct desk *desk, int64_t sentence, uint32_t *number, struct vouch_error *err)
{
    size_t low = 0, high = desk->places;
    while (low < high) {
        size_t middle = low + (high - low) / 2;
        if (desk->place[desk->by_id[middle]].id < sentence)
            low = middle + 1;
        else
            high = middle;
    }
    if (low == desk->places || desk->place[desk->by_id[low]].id != sentence)
        return fail(err, VOUCH_ERR_ARGUMENT, "there is no sentence %lld", (long long)sentence);
    *number = desk->by_id[low];
    return true;
}

/* ---- What was decided before ---- */

struct pair {
    int64_t sentence, annotator;
    bool blind, learns;
};

struct pairs {
    struct pair *item;
    size_t count, capacity;
};

static bool collect_pair(void *context, const struct store_decision *d, struct vouch_error *err)
{
    struct pairs *pairs = context;
    if (!RESERVE(pairs->item, pairs->capacity, pairs->count + 1, err))
        return false;
    bool answers = decision_answers(d->kind) || d->kind == DECISION_ACKNOWLEDGE;
    pairs->item[pairs->count++] = (struct pair){d->sentence, d->annotator, d->blind, answers};
    return true;
}

bool desk_note_state(struct desk *desk, uint32_t place, int64_t annotator, struct vouch_error *err)
{
    enum sentence_state state;
    uint32_t *link = &desk->place[place].marks;
    if (!store_state(desk->store, desk->place[place].id, annotator, &state, err))
        return false;
    while (*link && desk->mark[*link - 1].annotator != annotator)
        link = &desk->mark[*link - 1].next;
    if (*link) {
        desk->mark[*link - 1].state = state;
        return true;
    }
    if (!RESERVE(desk->mark, desk->mark_capacity, desk->marks + 1, err))
        return false;
    desk->mark[desk->marks] = (struct mark){annotator, state, desk->place[place].marks};
    desk->place[place].marks = (uint32_t)++desk->marks;
    return true;
}

static bool is_marked(const struct desk *desk, uint32_t place, int64_t annotator)
{
    uint32_t m = desk->place[place].marks;
    while (m && desk->mark[m - 1].annotator != annotator)
        m = desk->mark[m - 1].next;
    return m != 0;
}

/* The store's state is that of all decisions, so that each sentence is asked about once for each annotator. */
static bool load_decisions(struct desk *desk, struct vouch_error *err)
{
    const uint32_t kinds = 1u << DECISION_ACCEPT | 1u << DECISION_EDIT | 1u << DECISION_SKIP | 1u << DECISION_FLAG |
                           1u << DECISION_ACKNOWLEDGE;
    struct pairs pairs = {0};
    bool ok = store_decisions(desk->store, &(struct decision_query){.standing = true, .kinds = kinds}, collect_pair,
                              &pairs, err);
    for (size_t i = 0; ok && i < pairs.count; i++) {
        uint32_t place = 0;
        ok = desk_find(desk, pairs.item[i].sentence, &place, err) &&
             (is_marked(desk, place, pairs.item[i].annotator) ||
              desk_note_state(desk, place, pairs.item[i].annotator, err));
        if (ok && pairs.item[i].learns)
            desk->place[place].blind = pairs.item[i].blind;
    }
    free(pairs.item);
    return ok;
}

bool desk_annotator(struct desk *desk, const char *name, int64_t *annotator, struct vouch_error *err)
{
    return store_find_annotator(desk->store, name, NULL, annotator, err) &&
           (*annotator || store_add_annotator(desk->store, name, NULL, annotator, err));
}

/* ---- Opening ---- */

static bool settle(struct desk *desk, struct vouch_error *err)
{
    struct desk_options *o = &desk->options;
    double seed = (double)o->work.seed;
    if (!settle_share(desk, "double", &o->twice, err) ||
        !settle_share(desk, "seed", &seed, err))
        return false;
    o->work.seed = (uint64_t)seed;
    char *task = NULL;
    if (!store_setting(desk->store, "task", &task, err))
        return false;
    if (!task)
        return !desk->task || store_set(desk->store, "task", desk->task, err);
    if (desk->task && strcmp(task, desk->task) != 0) {
        fail(err, VOUCH_ERR_ARGUMENT, "%s: this store is about the task '%s', found '%s'", desk->path, task,
             desk->task);
        free(task);
        return false;
    }
    free(desk->task);
    desk->task = task;
    return true;
}

/* Whether a file is CoNLL-X or CoNLL-U, of which no column was asked for. */
static bool holds_trees(const char *path, const struct reader_options *reading)
{
    struct reader_options look = *reading;
    look.trees = true;
    look.gold = GOLD_NONE;
    struct reader *reader = reading->column ? NULL : reader_open(path, &look, NULL);
    bool trees = reader && reader->format == FORMAT_CONLLU;
    reader_close(reader);
    return trees;
}

/*
 * Recognises the task: heads are trees, chunk labels with nothing but NP are noun phrases, with types of syntax chunks,
 * else names; other labels are parts of speech.
 */
static const char *recognise_task(const char *path, const struct reader_options *reading, struct vouch_error *err)
{
    struct reader_options look = *reading;
    look.trees = holds_trees(path, reading);
    struct reader *reader = reader_open(path, &look, err);
    struct sentence s = {0};
    struct text type;
    bool chunks = true, phrases = false, others = false, trees = look.trees;
    enum reading found = READ_END;
    for (int i = 0; reader && !trees && i < 1000 && (found = reader_next(reader, &s, err)) == READ_SENTENCE; i++)
        for (uint32_t w = 0; s.labelled && w < s.N; w++) {
            struct text label = s.gold[w];
            if (text_is(label, "_") || text_is(label, "?"))
                continue;
            chunks = chunks && scheme_split(label, &type);
            bool phrase = chunks && type.length == 2 && (type.at[1] == 'P');
            phrases = phrases || (phrase && type.at[0] != 'N');
            others = others || (chunks && type.length > 0 && !phrase);
        }
    sentence_release(&s);
    reader_close(reader);
    if (!reader || found == READ_FAILED)
        return NULL;
    return trees ? "dep" : !chunks ? "pos" : others ? "ner" : phrases ? "chunk" : "np";
}

/* Reads on to the first sentence with a word: READ_END if a corpus has none. */
static enum reading read_first(const char *path, const struct reader_options *reading, struct vouch_error *err)
{
    struct reader_options look = *reading;
    look.trees = holds_trees(path, reading);
    look.gold = GOLD_NONE;
    struct reader *reader = reader_open(path, &look, err);
    struct sentence s = {0};
    enum reading found = READ_FAILED;
    while (reader && (found = reader_next(reader, &s, err)) == READ_SENTENCE && s.N == 0)
        ;
    sentence_release(&s);
    reader_close(reader);
    return found;
}

/*
 * Finds the first corpus that has a sentence, which tells the task; none is refused before a store is made, which would
 * keep the task of a file that says nothing of it.
 */
static bool find_telling(struct desk *desk, struct vouch_error *err)
{
    const struct desk_options *o = &desk->options;
    for (size_t i = 0; i < o->corpora; i++) {
        enum reading found = read_first(o->corpus[i], &o->reading, err);
        if (found != READ_END) {
            desk->telling = o->corpus[i];
            return found == READ_SENTENCE;
        }
    }
    return o->corpora == 0 ||
           fail(err, VOUCH_ERR_FORMAT, "%s: expected a corpus to label, found no sentence", o->corpus[0]);
}

/* Without a task, a corpus tells it; the store keeps it. */
static bool guess_task(struct desk *desk, struct vouch_error *err)
{
    if (desk->task)
        return true;
    const struct desk_options *o = &desk->options;
    const char *task = desk->telling ? recognise_task(desk->telling, &o->reading, err) : "ner";
    return task && (desk->task = copy_of(task, err)) && store_set(desk->store, "task", task, err);
}

/* How a corpus is read: if it has no more columns than the model looks at, it has no labels. */
static bool settle_reading(const struct desk *desk, const struct vouch_model *model, const char *path,
                           struct reader_options *reading, struct vouch_error *err)
{
    *reading = desk->options.reading;
    reading->trees = desk->trees;
    if (model)
        model_input_settle(model, reading);
    struct reader_options look = *reading;
    look.gold = GOLD_NONE;
    struct reader *reader = reader_open(path, &look, err);
    if (!reader)
        return false;
    size_t used = model ? vouch_model_columns(model) : 1;
    if (reader->format == FORMAT_CONLL && reader_columns(reader) <= used)
        reading->gold = GOLD_NONE;
    reader_close(reader);
    return true;
}

static bool load_document(void *context, const struct store_document *d, struct vouch_error *err)
{
    struct desk *desk = context;
    if (!RESERVE(desk->document, desk->document_capacity, desk->documents + 1, err))
        return false;
    struct document *to = &desk->document[desk->documents];
    *to = (struct document){d->id, copy_of(d->name, err), d->sentences};
    desk->documents += to->name != NULL;
    return to->name != NULL;
}

const char *desk_document(const struct desk *desk, int64_t id)
{
    for (size_t i = 0; i < desk->documents; i++)
        if (desk->document[i].id == id)
            return desk->document[i].name;
    return "";
}

const struct document *desk_document_named(const struct desk *desk, const char *name)
{
    for (size_t i = 0; i < desk->documents; i++)
        if (strcmp(desk->document[i].name, name) == 0)
            return &desk->document[i];
    return NULL;
}

static bool add_corpora(struct desk *desk, const struct vouch_model *model, struct vouch_error *err)
{
    for (size_t i = 0; i < desk->options.corpora; i++) {
        const char *path = desk->options.corpus[i];
        struct reader_options reading;
        int64_t id;
        if (!settle_reading(desk, model, path, &reading, err) ||
            !store_add_file(desk->store, path, path_name(path), &reading, &id, err))
            return false;
    }
    return true;
}

static bool load(struct desk *desk, const struct vouch_model *model, struct vouch_error *err)
{
    struct loading l = {.desk = desk, .model = model};
    if (!store_documents(desk->store, load_document, desk, err) ||
        !store_sentences(desk->store, 0, load_place, &l, err))
        return false;
    if (desk->places == 0)
        return fail(err, VOUCH_ERR_ARGUMENT, "%s: there are no sentences: expected a corpus", desk->path);
    bool chunks = strcmp(desk->task, "pos") != 0;
    desk->scheme = l.watch.words > 0 ? scheme_decide(&l.watch)
                   : model           ? model->labels.outer
                   : chunks          ? SCHEME_IOB2
                                     : SCHEME_NONE;
    return add_known_labels(desk, model, err) && store_sentences(desk->store, 0, load_labels, &l, err) &&
           draw_blind(desk, model, err) && index_places(desk, err) && load_decisions(desk, err) &&
           review_begin(desk, err);
}

static bool prepare(struct desk *desk, const struct vouch_model *model, struct vouch_error *err)
{
    const struct desk_options *o = &desk->options;
    const char *task = model ? vouch_model_task(model) : o->task;
    return (!task || (desk->task = copy_of(task, err))) && name_files(desk, err) &&
           find_telling(desk, err) && (desk->store = store_open(desk->path, STORE_WRITE, err)) && settle(desk, err) &&
           guess_task(desk, err) &&
           ((desk->trees = model ? model->trees : task_or_any(desk->task)->trees), true) &&
           add_corpora(desk, model, err) && load(desk, model, err);
}

struct desk *desk_open(const struct desk_options *options, struct learner *learner, struct vouch_error *err)
{
    struct desk *desk = new_array(1, sizeof *desk, err);
    if (!desk)
        return NULL;
    desk->options = *options;
    desk->learner = learner;
    desk->foresight.gain = desk->foresight.worth = (struct figure){NAN, NAN, NAN};
    pthread_mutex_init(&desk->lock, NULL);
    vouch_model *model = options->model ? vouch_model_open(options->model, err) : NULL;
    bool ok = (model || !options->model) && prepare(desk, model, err);
    if (ok && rounds_begin(desk, model, err))
        return desk;
    if (!ok)
        vouch_model_close(model);
    desk_close(desk);
    return NULL;
}

void desk_close(struct desk *desk)
{
    if (!desk)
        return;
    review_end(desk);
    answerer_free(desk->answerer);
    ranking_free(desk->ranking);
    blind_set_release(&desk->measured);
    store_close(desk->store);
    for (size_t i = 0; i < desk->labels; i++)
        free(desk->label[i]);
    free(desk->label);
    for (size_t i = 0; i < desk->documents; i++)
        free(desk->document[i].name);
    free(desk->document);
    free(desk->place);
    free(desk->by_id);
    free(desk->blind);
    free(desk->mark);
    free(desk->seat);
    free(desk->path);
    free(desk->stem);
    free(desk->model_path);
    free(desk->served_as);
    free(desk->base);
    free(desk->task);
    pthread_mutex_destroy(&desk->lock);
    free(desk);
}
