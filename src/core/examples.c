/*
 * Answers examples, finds the sentences that this process holds, and sends some to the first rank. All sentences are
 * sent in one message for each rank, each sentence after its size and its number; the first rank sorts them by number.
 */
#include "core/examples.h"

#include <string.h>

void answering_release(struct answering *work)
{
    scratch_release(&work->fetching);
    scratch_release(&work->decoding);
    scores_release(&work->scores);
    free(work->choice);
    *work = (struct answering){0};
}

bool examples_answer(const struct examples *examples, uint32_t i, const float *weights, struct answering *work,
                     struct example *example, struct vouch_error *err)
{
    double score;
    return examples->get(examples->self, i, &work->fetching, example, err) &&
           RESERVE(work->choice, work->choice_capacity, (size_t)example->parts.N + 1, err) &&
           parts_score(&example->parts, &examples->space, weights, &work->scores, err) &&
           examples->structure->best(&work->scores, &work->decoding, work->choice, &score, err);
}

/* ---- Sentences of ranks ---- */

static uint32_t received_place(const struct own_sentences *own, uint32_t i)
{
    uint32_t low = 0, high = own->receipts;
    while (low < high) {
        uint32_t middle = low + (high - low) / 2;
        if (own->received[middle] < i)
            low = middle + 1;
        else
            high = middle;
    }
    return low < own->receipts && own->received[low] == i ? own->own + low : NOT_HERE;
}

uint32_t sentence_place(const struct own_sentences *own, uint32_t i)
{
    if (!own->ranks)
        return i;
    if (!sentence_is_own(own, i))
        return received_place(own, i);
    return i / own->shards * ranks_share(own->ranks, own->shards) + i % own->shards / own->ranks->count;
}

uint32_t sentence_number(const struct own_sentences *own, uint32_t place)
{
    if (!own->ranks)
        return place;
    uint32_t share = ranks_share(own->ranks, own->shards);
    return place / share * own->shards + place % share * own->ranks->count + own->ranks->rank;
}

/* What precedes the bytes of a sentence that is sent. */
struct address {
    uint64_t size;
    uint32_t sentence;
};

/* Packs this rank's own sentences of a list, each behind its address. */
static bool pack_own(const struct own_sentences *own, const uint32_t *sentence, uint32_t count,
                     const struct sentence_post *post, struct buffer *out, struct vouch_error *err)
{
    for (uint32_t k = 0; k < count; k++) {
        struct address address = {0, sentence[k]};
        size_t at = out->length;
        if (!sentence_is_own(own, sentence[k]))
            continue;
        if (!buffer_add_bytes(out, &address, sizeof address, err) || !post->pack(post->self, sentence[k], out, err))
            return false;
        address.size = out->length - at - sizeof address;
        memcpy(out->bytes + at, &address, sizeof address);
    }
    return true;
}

/* A sentence that came, without its address. */
struct letter {
    const char *bytes;
    uint32_t sentence;
};

static int by_sentence(const void *a, const void *b)
{
    const struct letter *x = a, *y = b;
    return (x->sentence > y->sentence) - (x->sentence < y->sentence);
}

static uint32_t read_letters(const struct gathered *came, struct letter *letter)
{
    uint32_t letters = 0;
    struct address address;
    for (uint64_t at = 0; at < came->start[came->count]; at += sizeof address + address.size) {
        memcpy(&address, came->bytes + at, sizeof address);
        letter[letters++] = (struct letter){came->bytes + at + sizeof address, address.sentence};
    }
    return letters;
}

bool sentences_send(struct own_sentences *own, const uint32_t *sentence, uint32_t count,
                    const struct sentence_post *post, struct vouch_error *err)
{
    struct buffer sent = {0};
    struct gathered came = {0};
    struct letter *letter = new_array(count, sizeof *letter, err);
    own->received = new_array(count, sizeof *own->received, err);
    own->receipts = 0;
    bool ok = letter && own->received &&
              (ranks_first(own->ranks) || pack_own(own, sentence, count, post, &sent, err)) &&
              ranks_gather(own->ranks, sent.bytes, sent.length, FOR_FIRST, &came, err);
    uint32_t letters = ok ? read_letters(&came, letter) : 0;
    if (letters)
        qsort(letter, letters, sizeof *letter, by_sentence);
    for (; ok && own->receipts < letters; own->receipts++) {
        own->received[own->receipts] = letter[own->receipts].sentence;
        ok = post->unpack(post->self, letter[own->receipts].bytes, err);
    }
    gathered_release(&came);
    free(letter);
    free(sent.bytes);
    return ok;
}
