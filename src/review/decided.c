/*
 * Reads the decisions of earlier rounds, from edited tables to the words of a corpus.
 *
 *     decided_read() -> the files are read with these corrections -> decided_place()
 *
 * Every table is searched for every file, so that tables of several rounds over several files can be given in any
 * order. Decisions are checked as for writing the corrected file (review/decisions.h), and contradictions between
 * tables are refused like those within one. Learning then reads the files with the corrections. Here they are read once
 * more without, sentence by sentence, to learn how the errors looked.
 */
#include "review/review.h"

#include "review/decisions.h"

#include <inttypes.h>
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

/* Finds what was decided about the next of the files. */
static bool find_corrections(struct review *r, struct decisions *tables, struct vouch_error *err)
{
    struct decided *d = &r->decided;
    struct corrections *file = &d->file[d->files];
    struct amended done = {0};
    size_t rows;
    file->path = r->options->common.argument[d->files++];
    if (!decisions_about(tables, file->path, &rows, err))
        return false;
    bool ok = rows == 0 || amend(file->path, &r->reading, tables, NULL, file, &done, err);
    d->kept += file->kept;
    d->changed += file->changed;
    free(d->refused.bytes);
    d->refused = done.refused;
    return ok;
}

/* Refuses a table that is about none of the files. */
static bool check_use(const struct decisions *tables, const struct review_options *options, struct vouch_error *err)
{
    bool used = false;
    for (size_t i = 0; i < tables->rows; i++) {
        const struct decision *row = &tables->row[i];
        used = (used && i > 0 && row->source == row[-1].source) || row->used;
        bool last = i + 1 == tables->rows || row->source != row[1].source;
        if (last && !used)
            return fail(err, VOUCH_ERR_FORMAT, "%s: expected decisions about %s%s, found some about %s alone",
                        row->source, options->common.argument[0],
                        options->common.arguments > 1 ? " and the other files" : "", row->file);
    }
    return true;
}

/* Whether a row decides on an item that was drawn for an audit. */
static bool decides_audit(const struct decision *row)
{
    return row->place.stratum > 0 && row->outcome != OUTCOME_OPEN;
}

/*
 * Returns a row of the last audit, or NULL: in the last table with rows of any, the one of the fewest items, as a later
 * audit is drawn from what is left.
 */
static const struct decision *last_audit(const struct decisions *tables)
{
    const struct decision *last = NULL;
    for (size_t i = tables->rows; i-- > 0;) {
        const struct decision *row = &tables->row[i];
        if (decides_audit(row) && (!last || (row->source == last->source && row->place.unit == last->place.unit &&
                                         row->place.items < last->place.items)))
            last = row;
    }
    return last;
}

/* Counts the decisions about what was drawn for the last audit. */
static bool count_audit(struct audit *audit, const struct decisions *tables, struct vouch_error *err)
{
    const struct decision *last = last_audit(tables), *before[AUDIT_STRATA + 1] = {NULL};
    for (size_t i = 0; last && i < tables->rows; i++) {
        const struct decision *row = &tables->row[i], **alike = &before[row->place.stratum];
        if (!decides_audit(row) || row->source != last->source || row->place.unit != last->place.unit ||
            row->place.items != last->place.items)
            continue;
        if (!audit_note(audit, &row->place, row->outcome == OUTCOME_WRONG))
            return fail(err, VOUCH_ERR_FORMAT,
                        "%s:%" PRIu64 ": expected rows of one audit, found one that does not fit line %" PRIu64
                        ": two audits of the same items cannot be joined",
                        row->source, row->number, (*alike ? *alike : last)->number);
        *alike = row;
    }
    return true;
}

bool decided_read(struct review *r, struct vouch_error *err)
{
    const struct review_options *s = r->options;
    struct decisions tables = {.with_kept = true, .new_labels = s->new_labels};
    r->decided.file = new_array(s->common.arguments, sizeof *r->decided.file, err);
    bool ok = r->decided.file != NULL;
    for (size_t i = 0; ok && i < s->decided.count; i++)
        ok = decisions_read(&tables, s->decided.item[i], err);
    while (ok && r->decided.files < s->common.arguments)
        ok = find_corrections(r, &tables, err);
    ok = ok && check_use(&tables, s, err) && count_audit(&r->decided.audit, &tables, err);
    decisions_release(&tables);
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
        return labels_choose(&r->corpus.labels, NULL, s->gold, s->N, &p->work, before[0] + first, err);
    for (uint32_t n = 0; n < s->N; n++) {
        before[0][first + n] = s->head[n];
        if (r->layers > 1) {
            uint32_t number = dictionary_find(&r->corpus.labels.names, s->gold[n]);
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
