/*
 * Makes room for heads and checks them, for all formats that hold trees.
 *
 * Heads are a tree (or several, one for each root) if there is a root and no
 * cycle (heads_cycle()).
 */
#include "text/formats.h"

bool tree_begin(struct reader *reader, struct sentence *s, struct vouch_error *err)
{
    if (!sentence_begin(reader, s, err) || !RESERVE(s->lead, s->lead_capacity, 1, err))
        return false;
    s->lead[0] = (struct text){s->bytes, 0};
    s->leads = true;
    s->tree = reader->trees;
    s->form = reader->trees ? COLUMN_FORM : 0;
    return true;
}

bool tree_room(struct reader *reader, struct sentence *s, size_t bytes, struct vouch_error *err)
{
    if (!sentence_room(reader, s, bytes, TREE_COLUMNS, err) ||
        !RESERVE(s->lead, s->lead_capacity, (size_t)s->N + 2, err) ||
        !RESERVE(s->head, s->head_capacity, (size_t)s->N + 1, err))
        return false;
    s->lead[s->N + 1] = (struct text){s->bytes, 0};
    return true;
}

/* Fails unless every head is 0 or another word, and some head is 0. */
static bool check_heads(struct reader *reader, struct sentence *s, struct vouch_error *err)
{
    for (uint32_t i = 0; i < s->N; i++) {
        uint32_t head = s->head[i];
        s->roots += head == 0;
        if (head <= s->N && head != i + 1)
            continue;
        reader->number = reader_line(reader, s, i);
        if (head > s->N)
            return fail_line(reader, err, "expected the head of word %u to be a number from 0 to %u, found %u", i + 1,
                             s->N, head);
        return fail_line(reader, err, "expected the head of word %u to be another word or 0, found itself", i + 1);
    }
    if (s->roots > 0)
        return true;
    reader->number = reader_line(reader, s, 0);
    return fail_line(reader, err, "expected a root among the %u words (one whose head is 0), found none", s->N);
}

static bool refuse_cycle(struct reader *reader, const struct sentence *s, uint32_t word, struct vouch_error *err)
{
    uint32_t first = word, length = 0, at = word;
    do {
        at = s->head[at - 1];
        first = at < first ? at : first;
        length++;
    } while (at != word);
    reader->number = reader_line(reader, s, first - 1);
    return fail_line(reader, err, "expected a tree, found a cycle of %u words from word %u back to itself", length,
                     first);
}

bool tree_check(struct reader *reader, struct sentence *s, struct vouch_error *err)
{
    s->roots = 0;
    if (s->N == 0)
        return true;
    if (!check_heads(reader, s, err) || !RESERVE(reader->walk, reader->walk_capacity, (size_t)s->N + 1, err))
        return false;
    uint32_t word = heads_cycle(s->head, s->N, reader->walk);
    return word == 0 || refuse_cycle(reader, s, word, err);
}
