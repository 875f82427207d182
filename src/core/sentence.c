/*
 * Memory and forms of sentences, cycles of heads, and sets of digests of words.
 *
 * A set of digests is an array, sorted once when it is closed, in which a digest is found by bisection: eight bytes for
 * each sentence, in memory as in a model file.
 */
#include "core/sentence.h"

#include "base/hash.h"
#include "base/order.h"

#include <string.h>

void sentence_release(struct sentence *sentence)
{
    free(sentence->first);
    free(sentence->cell);
    free(sentence->value);
    free(sentence->gold);
    free(sentence->line);
    free(sentence->end);
    free(sentence->lead);
    free(sentence->head);
    free(sentence->vector);
    free(sentence->fault);
    free(sentence->bytes);
    further_rows_release(&sentence->further);
    *sentence = (struct sentence){0};
}

void further_rows_release(struct further_rows *rows)
{
    free(rows->start);
    free(rows->feature);
    *rows = (struct further_rows){0};
}

bool sentence_set_fault(struct sentence *sentence, const char *why, struct vouch_error *err)
{
    size_t length = strlen(why);
    if (!RESERVE(sentence->fault, sentence->fault_capacity, length + 1, err))
        return false;
    memcpy(sentence->fault, why, length + 1);
    sentence->faulty = true;
    sentence->N = 0;
    return true;
}

/*
 * Returns the attribute that looks like a word. Lines of attributes have no words, but many have "w[0]=Paris" or
 * "word=Paris"; else the first one counts.
 */
static struct text form_among_attributes(const struct sentence *s, uint32_t word)
{
    static const char *const names[] = {"w[0]=", "word=", "w=", "token=", "form="};
    uint32_t cells = sentence_cells(s, word);
    for (size_t n = 0; n < sizeof names / sizeof *names; n++) {
        uint32_t length = (uint32_t)strlen(names[n]);
        for (uint32_t c = 0; c < cells; c++) {
            struct text cell = sentence_cell(s, word, c);
            if (cell.length > length && text_starts(cell, names[n]))
                return (struct text){cell.at + length, cell.length - length};
        }
    }
    return cells ? sentence_cell(s, word, 0) : text_of("");
}

struct text sentence_form(const struct sentence *s, uint32_t word)
{
    return s->attributes ? form_among_attributes(s, word) : sentence_cell(s, word, s->form);
}

uint64_t sentence_words_digest(const struct sentence *s)
{
    uint64_t digest = 0;
    for (uint32_t i = 0; i < s->N; i++) {
        uint32_t from, to;
        uint64_t word = 0;
        sentence_tell_apart(s, i, &from, &to);
        for (uint32_t c = from; c < to; c++)
            word = hash_mix(word, hash_bytes(s->cell[c].at, s->cell[c].length));
        digest = hash_mix(digest, word);
    }
    return digest;
}

/* Whether a comment in front of the sentence is CoNLL-U's "# newdoc", with or without an id. */
static bool opens_document(const struct sentence *s)
{
    static const char mark[] = "# newdoc";
    size_t length = sizeof mark - 1;
    const char *at = s->before.at, *end = at ? at + s->before.length : NULL;
    while (at < end) {
        const char *stop = memchr(at, '\n', (size_t)(end - at));
        stop = stop ? stop : end;
        if ((size_t)(stop - at) >= length && memcmp(at, mark, length) == 0 &&
            (at + length == stop || at[length] == ' ' || at[length] == '\r'))
            return true;
        at = stop < end ? stop + 1 : end;
    }
    return false;
}

void document_count_pass(struct document_count *count, const struct sentence *s)
{
    bool marked = s->boundary || opens_document(s);
    count->marks += marked;
    if (marked || s->place.sentences == 0)
        count->begins = true;
    if (s->boundary || s->N == 0 || !(count->begins || count->documents == 0))
        return;
    count->documents++;
    count->begins = false;
}

/*
 * Each walk from a word to its head, to the head of that, and so on, stops at a word that an earlier walk visited; one
 * that meets its own trace has found a cycle. So every word is visited once.
 */
uint32_t heads_cycle(const uint32_t *head, uint32_t N, uint32_t *walk)
{
    memset(walk, 0, ((size_t)N + 1) * sizeof *walk);
    for (uint32_t i = 1; i <= N; i++) {
        uint32_t at = i;
        for (; at > 0 && at != OPEN_CHOICE && walk[at] == 0; at = head[at - 1])
            walk[at] = i;
        if (at > 0 && at != OPEN_CHOICE && walk[at] == i)
            return at;
    }
    return 0;
}

bool digest_set_add(struct digest_set *set, uint64_t digest, struct vouch_error *err)
{
    return digest_set_add_all(set, &(struct digest_set){.digest = &digest, .count = 1}, err);
}

bool digest_set_add_all(struct digest_set *set, const struct digest_set *other, struct vouch_error *err)
{
    if (!RESERVE(set->own, set->capacity, set->count + other->count, err))
        return false;
    set->digest = set->own;
    if (other->count)
        memcpy(set->own + set->count, other->digest, sizeof *set->own * other->count);
    set->count += other->count;
    return true;
}

void digest_set_close(struct digest_set *set)
{
    size_t kept = 0;
    if (set->count)
        qsort(set->own, set->count, sizeof *set->own, ascending_u64);
    for (size_t i = 0; i < set->count; i++)
        if (kept == 0 || set->own[i] != set->own[kept - 1])
            set->own[kept++] = set->own[i];
    set->count = kept;
}

bool digest_set_has(const struct digest_set *set, uint64_t digest)
{
    size_t from = 0, to = set->count;
    while (from < to) {
        size_t middle = from + (to - from) / 2;
        if (set->digest[middle] == digest)
            return true;
        if (set->digest[middle] < digest)
            from = middle + 1;
        else
            to = middle;
    }
    return false;
}

void digest_set_release(struct digest_set *set)
{
    free(set->own);
    *set = (struct digest_set){0};
}
