/*
 * Reads the decisions of earlier rounds: see decided.h.
 *
 * Every table is searched for every file, so that tables of several rounds over
 * several files can be given in any order. Decisions are checked as for writing
 * the corrected file (review/amend.h), and contradictions between tables are
 * refused like those within one. Learning then reads the files with the
 * corrections. Here they are read once more without, sentence by sentence, to
 * learn how the errors looked.
 */
#include "review/decided.h"

#include "review/decisions.h"

#include <string.h>

void decided_release(struct decided *d)
{
    for (size_t i = 0; i < d->files; i++)
        corrections_release(&d->file[i]);
    free(d->file);
    free(d->refused.bytes);
    free(d->state);
    for (uint32_t l = 0; l < MAX_LAYERS; l++)
        free(d->before[l]);
    *d = (struct decided){0};
}

/* The tables, and which of them had a row about some file. */
struct tables {
    struct decisions table[MOST_IN_LIST];
    bool used[MOST_IN_LIST];
    size_t count;
    struct amendment *list; /* all rows about one file */
    size_t rows, capacity;
};

static bool read_tables(struct tables *t, const struct text_list *path, struct vouch_error *err)
{
    for (; t->count < path->count; t->count++) {
        t->table[t->count].with_kept = true;
        if (!decisions_read(&t->table[t->count], path->item[t->count], err)) {
            t->count++;
            return false;
        }
    }
    return true;
}

static void tables_release(struct tables *t)
{
    for (size_t i = 0; i < t->count; i++)
        decisions_release(&t->table[i]);
    free(t->list);
    free(t);
}

static bool gather_rows(struct tables *t, const char *path, struct vouch_error *err)
{
    t->rows = 0;
    for (size_t i = 0; i < t->count; i++) {
        struct decisions *d = &t->table[i];
        if (!decisions_about(d, path, err) || !RESERVE(t->list, t->capacity, t->rows + d->rows + 1, err))
            return false;
        for (size_t k = 0; k < d->rows - d->elsewhere; k++)
            t->list[t->rows++] = d->row[k].amendment;
        t->used[i] = t->used[i] || d->elsewhere < d->rows;
    }
    return true;
}

static bool find_rows(struct decided *d, struct tables *t, const struct settings *settings,
                      const struct reader_options *reading, struct vouch_error *err)
{
    const char *path = settings->argument[d->files];
    struct amended done = {0};
    if (!gather_rows(t, path, err))
        return false;
    struct amendments asked = {.list = t->list, .count = t->rows, .new_labels = settings->new_labels};
    struct corrections *found = &d->file[d->files++];
    found->path = path;
    bool ok = t->rows == 0 || amend_find(path, reading, &asked, found, &done, err);
    d->kept += found->kept;
    d->changed += found->changed;
    free(d->refused.bytes);
    d->refused = done.refusals > 1 ? done.refused : (struct buffer){0};
    if (done.refusals <= 1)
        amended_release(&done);
    return ok;
}

/* Refuses a table that is about none of the files. */
static bool check_use(const struct tables *t, const struct settings *settings, struct vouch_error *err)
{
    for (size_t i = 0; i < t->count; i++)
        if (!t->used[i] && t->table[i].rows > 0)
            return fail(err, VOUCH_ERR_FORMAT, "%s: expected decisions about %s%s, found some about %s alone",
                        t->table[i].path, settings->argument[0], settings->arguments > 1 ? " and the other files" : "",
                        t->table[i].row[0].file);
    return true;
}

bool decided_read(struct decided *d, const struct settings *settings, const struct reader_options *reading,
                  struct vouch_error *err)
{
    struct tables *t = new_array(1, sizeof *t, err);
    d->file = t ? new_array(settings->arguments, sizeof *d->file, err) : NULL;
    bool ok = d->file && read_tables(t, &settings->decided, err);
    while (ok && d->files < settings->arguments)
        ok = find_rows(d, t, settings, reading, err);
    ok = ok && check_use(t, settings, err);
    if (t)
        tables_release(t);
    return ok;
}

/* Reads the files once more, without corrections. */
struct placing {
    struct decided *to;
    const struct decided_place *place;
    const struct corrections *file;
    size_t next; /* of its corrections, the next to come */
    uint32_t sentences;
    struct sentence sentence;
    struct label_work work;
    uint32_t *choice; /* [N] */
    size_t choice_capacity;
};

/* Notes what the file gives as choices; a label or relation that occurs nowhere in the corpus has none. */
static bool note_before(struct placing *p, size_t first, struct vouch_error *err)
{
    const struct learned_corpus *corpus = p->place->corpus;
    const struct sentence *s = &p->sentence;
    bool trees = corpus->dataset.given != NULL;
    if (!RESERVE(p->choice, p->choice_capacity, (size_t)s->N + 1, err))
        return false;
    if (!trees) {
        if (!labels_find(&corpus->tags.labels, s->gold, s->N, &p->work, p->choice, err))
            return false;
        memcpy(p->to->before[0] + first, p->choice, sizeof *p->choice * s->N);
        return true;
    }
    for (uint32_t n = 0; n < s->N; n++) {
        p->to->before[0][first + n] = s->head[n];
        if (corpus->dataset.layers > 1) {
            uint32_t number = dictionary_find(&corpus->trees.relations.names, s->gold[n]);
            p->to->before[1][first + n] = number ? number - 1 : NO_RELATION;
        }
    }
    return true;
}

static bool place_sentence(struct placing *p, struct vouch_error *err)
{
    const struct dataset *dataset = &p->place->corpus->dataset;
    uint32_t i = p->sentences++;
    size_t first = dataset->words_before(dataset->self, p->place->dev, i), from, to;
    if (dataset->words_before(dataset->self, p->place->dev, i + 1) != first + p->sentence.N)
        return fail(err, VOUCH_ERR_FORMAT, "%s: the file has changed while it was judged", p->file->path);
    corrections_of(p->file, &p->sentence, &p->next, &from, &to);
    for (size_t k = from; k < to; k++)
        p->to->state[first + p->file->item[k].word] = p->file->item[k].changed ? DECIDED_WRONG : DECIDED_RIGHT;
    return from == to || note_before(p, first, err);
}

static bool place_file(struct placing *p, struct vouch_error *err)
{
    struct reader *reader = reader_open(p->file->path, &p->place->reading, err);
    enum reading state = READ_FAILED;
    bool ok = reader != NULL;
    p->next = 0;
    while (ok && (state = reader_next(reader, &p->sentence, err)) == READ_SENTENCE)
        ok = p->sentence.N == 0 || p->sentence.boundary || place_sentence(p, err);
    reader_close(reader);
    return ok && state == READ_END;
}

bool decided_place(struct decided *d, const struct decided_place *place, struct vouch_error *err)
{
    const struct dataset *dataset = &place->corpus->dataset;
    uint32_t count = place->dev ? dataset->layer[0].dev.count : dataset->layer[0].examples.count;
    size_t words = dataset->words_before(dataset->self, place->dev, count);
    struct placing p = {.to = d, .place = place};
    d->state = new_array(words + 1, sizeof *d->state, err);
    bool ok = d->state != NULL;
    for (uint32_t l = 0; ok && l < dataset->layers; l++) {
        d->before[l] = new_array(words + 1, sizeof *d->before[l], err);
        ok = d->before[l] != NULL;
    }
    for (size_t i = 0; ok && i < d->files; i++) {
        p.file = &d->file[i];
        ok = place_file(&p, err);
    }
    sentence_release(&p.sentence);
    label_work_release(&p.work);
    free(p.choice);
    return ok;
}
