/*
 * Reads the decisions of earlier rounds, from edited tables to the words of a corpus.
 *
 *     decided_read() -> the files are read with these corrections -> decided_place()
 *
 * Every table is searched for every file, so that tables of several rounds over
 * several files can be given in any order. Decisions are checked as for writing
 * the corrected file (review/amend.h), and contradictions between tables are
 * refused like those within one. Learning then reads the files with the
 * corrections. Here they are read once more without, sentence by sentence, to
 * learn how the errors looked.
 */
#include "review/review.h"

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

static bool find_rows(struct review *r, struct tables *t, struct vouch_error *err)
{
    struct decided *d = &r->decided;
    const char *path = r->settings->common.argument[d->files];
    struct amended done = {0};
    if (!gather_rows(t, path, err))
        return false;
    struct amendments asked = {.list = t->list, .count = t->rows, .new_labels = r->settings->new_labels};
    struct corrections *found = &d->file[d->files++];
    found->path = path;
    bool ok = t->rows == 0 || amend_find(path, &r->reading, &asked, found, &done, err);
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
                        t->table[i].path, settings->common.argument[0],
                        settings->common.arguments > 1 ? " and the other files" : "", t->table[i].row[0].file);
    return true;
}

bool decided_read(struct review *r, struct vouch_error *err)
{
    const struct settings *settings = r->settings;
    struct decided *d = &r->decided;
    struct tables *t = new_array(1, sizeof *t, err);
    d->file = t ? new_array(settings->common.arguments, sizeof *d->file, err) : NULL;
    bool ok = d->file && read_tables(t, &settings->decided, err);
    while (ok && d->files < settings->common.arguments)
        ok = find_rows(r, t, err);
    ok = ok && check_use(t, settings, err);
    if (t)
        tables_release(t);
    return ok;
}

/* Reading the files once more, without corrections. */
struct placing {
    struct review *review;
    size_t file, next; /* of the corrections of a file, the next to come */
    struct label_work work;
};

/* Notes what the file gives as choices; a label or relation that occurs nowhere in the corpus has none. */
static bool note_before(struct placing *p, const struct sentence *s, size_t first, struct vouch_error *err)
{
    struct review *r = p->review;
    uint32_t *const *before = r->decided.before;
    if (!r->trees)
        return labels_find(&r->corpus.tags.labels, s->gold, s->N, &p->work, before[0] + first, err);
    for (uint32_t n = 0; n < s->N; n++) {
        before[0][first + n] = s->head[n];
        if (r->layers > 1) {
            uint32_t number = dictionary_find(&r->corpus.trees.relations.names, s->gold[n]);
            before[1][first + n] = number ? number - 1 : NO_RELATION;
        }
    }
    return true;
}

static bool place_sentence(void *context, const struct reread *at, struct vouch_error *err)
{
    struct placing *p = context;
    struct decided *d = &p->review->decided;
    const struct corrections *file = &d->file[at->file];
    size_t first = p->review->first[at->i], from, to;
    if (at->file != p->file)
        p->next = 0;
    p->file = at->file;
    corrections_of(file, &at->sentence, &p->next, &from, &to);
    for (size_t k = from; k < to; k++)
        d->state[first + file->item[k].word] = file->item[k].changed ? DECIDED_WRONG : DECIDED_RIGHT;
    return from == to || note_before(p, &at->sentence, first, err);
}

bool decided_place(struct review *r, struct vouch_error *err)
{
    struct decided *d = &r->decided;
    struct placing p = {.review = r};
    d->state = new_array(r->words + 1, sizeof *d->state, err);
    bool ok = d->state != NULL;
    for (uint32_t l = 0; ok && l < r->layers; l++) {
        d->before[l] = new_array(r->words + 1, sizeof *d->before[l], err);
        ok = d->before[l] != NULL;
    }
    ok = ok && review_reread(r, place_sentence, &p, err);
    label_work_release(&p.work);
    return ok;
}
