/*
 * Writes answers, which may be those of several ranks: see answer_output.h.
 *
 * In a round, a rank sends a head, a note on each of its answers, and their text. The first rank adds probabilities up
 * in the order of the sentences: a sum of real numbers depends on their order.
 */
#include "cli/answer_output.h"

#include "base/memory.h"

#include <string.h>

/* What is sent of an answer, besides its text. */
struct answer_note {
    size_t end; /* of its text, among those of this rank and round */
    bool promised;
    struct expected_counts promise;
};

struct round_head {
    size_t notes;
    bool failed; /* another answer did, after these; why: */
    struct vouch_error error;
};

/* What a rank has sent, and how much of it was written. */
struct received {
    struct round_head head;
    const char *note, *text;
    size_t written, at; /* answers; bytes */
};

bool answer_output_open(struct answer_output *o, const char *path, const struct ranks *ranks, struct vouch_error *err)
{
    *o = (struct answer_output){.ranks = ranks};
    o->out = ranks ? output_open_memory(err) : output_open(path, err);
    if (!o->out || !ranks || !ranks_first(ranks))
        return o->out != NULL;
    o->file = output_open(path, err);
    return o->file != NULL;
}

bool answer_output_end(struct answer_output *o, const struct expected_counts *promise, struct vouch_error *err)
{
    struct answer_note note = {.promised = promise != NULL};
    if (promise)
        note.promise = *promise;
    if (promise && !o->ranks)
        expected_counts_add(&o->promise, promise);
    if (!o->ranks)
        return true;
    if (!output_text(o->out, &note.end))
        return fail_memory(err);
    if (!RESERVE(o->note, o->capacity, o->notes + 1, err))
        return false;
    o->note[o->notes++] = note;
    return true;
}

/* Sends what this rank has to the first. */
static bool send_round(const struct answer_output *o, const struct vouch_error *failed, struct gathered *all,
                       struct vouch_error *err)
{
    struct round_head head = {.notes = o->notes, .failed = failed != NULL};
    size_t length, notes = o->notes * sizeof *o->note;
    const char *text = output_text(o->out, &length);
    if (failed)
        head.error = *failed;
    if (!text)
        return fail_memory(err);
    char *message = new_block(sizeof head + notes + length, err);
    if (!message)
        return false;
    memcpy(message, &head, sizeof head);
    if (notes)
        memcpy(message + sizeof head, o->note, notes);
    if (length)
        memcpy(message + sizeof head + notes, text, length);
    bool ok = ranks_gather(o->ranks, message, sizeof head + notes + length, FOR_FIRST, all, err);
    free(message);
    return ok;
}

/* Writes the next answer of a rank; fails as it did if it has none. */
static bool write_next(struct answer_output *o, struct received *from, struct vouch_error *err)
{
    struct answer_note note;
    if (from->written == from->head.notes) {
        if (err)
            *err = from->head.error;
        return from->head.failed ? false : fail(err, VOUCH_ERR_IO, "ranks do not read the same files");
    }
    memcpy(&note, from->note + from->written++ * sizeof note, sizeof note);
    output_write(o->file, from->text + from->at, note.end - from->at);
    from->at = note.end;
    if (note.promised)
        expected_counts_add(&o->promise, &note.promise);
    return true;
}

/* Writes the answers of a round, which all ranks have sent. */
static bool write_round(struct answer_output *o, const struct rank_round *round, const struct gathered *all,
                        struct vouch_error *err)
{
    struct received *from = new_array(all->count, sizeof *from, err);
    bool ok = from != NULL;
    for (uint32_t r = 0; ok && r < all->count; r++) {
        memcpy(&from[r].head, all->bytes + all->start[r], sizeof from[r].head);
        from[r].note = all->bytes + all->start[r] + sizeof from[r].head;
        from[r].text = from[r].note + from[r].head.notes * sizeof(struct answer_note);
    }
    for (size_t i = 0; ok && i < round->count; i++)
        ok = write_next(o, &from[round->owner[i]], err);
    for (uint32_t r = 0; ok && r < all->count; r++)
        if (from[r].head.failed || from[r].written < from[r].head.notes)
            ok = write_next(o, &from[r], err) && fail(err, VOUCH_ERR_IO, "ranks do not read the same files");
    free(from);
    return ok;
}

bool answer_output_exchange(struct answer_output *o, const struct rank_round *round, const struct vouch_error *failed,
                            struct vouch_error *err)
{
    struct gathered all = {0};
    bool ok = send_round(o, failed, &all, err) && (!ranks_first(o->ranks) || write_round(o, round, &all, err));
    gathered_release(&all);
    output_empty(o->out);
    o->notes = 0;
    if (ok && failed && err)
        *err = *failed;
    return ok && !failed;
}

bool answer_output_close(struct answer_output *o, bool ok, struct vouch_error *err)
{
    size_t length;
    struct output *file = o->ranks ? o->file : o->out;
    if (o->file) { /* what comes behind the answers */
        const char *text = output_text(o->out, &length);
        ok = ok && (text || fail_memory(err));
        if (ok)
            output_write(o->file, text, length);
    }
    if (file)
        ok = output_close(file, ok, err);
    if (o->ranks)
        output_discard(o->out);
    free(o->note);
    *o = (struct answer_output){.promise = o->promise};
    return ok;
}
