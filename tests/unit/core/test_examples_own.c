/* Tests which rank holds which sentence, and what becomes of those that are sent to the first rank. */
#include "base/random.h"
#include "core/examples.h"

#include "test.h"
#include "thread_ranks.h"

enum { SENTENCES = 150 };

static struct own_sentences own_of(const struct ranks *ranks, uint32_t shards, uint32_t sentences)
{
    struct own_sentences own = {.ranks = ranks, .shards = shards};
    for (uint32_t i = 0; i < sentences; i++)
        own.own += sentence_is_own(&own, i);
    return own;
}

TEST(alone_a_process_holds_all)
{
    struct own_sentences own = {0};
    for (uint32_t i = 0; i < 20; i++) {
        assert_true(sentence_is_own(&own, i));
        assert_int_equal(sentence_place(&own, i), i);
        assert_int_equal(sentence_number(&own, i), i);
    }
}

/* More ranks than shards among them, and numbers of shards that ranks do not divide. */
TEST(every_sentence_has_one_owner)
{
    for (uint32_t R = 1; R <= 7; R++)
        for (uint32_t shards = 1; shards <= 20; shards++) {
            uint32_t owners[SENTENCES] = {0};
            for (uint32_t r = 0; r < R; r++) {
                struct ranks ranks = {.rank = r, .count = R};
                struct own_sentences own = own_of(&ranks, shards, SENTENCES);
                for (uint32_t i = 0; i < SENTENCES; i++)
                    owners[i] += sentence_is_own(&own, i);
            }
            for (uint32_t i = 0; i < SENTENCES; i++)
                assert_int_equal(owners[i], 1);
        }
}

TEST(places_are_in_the_order_of_numbers)
{
    for (uint32_t R = 1; R <= 7; R++)
        for (uint32_t shards = 1; shards <= 20; shards++)
            for (uint32_t r = 0; r < R; r++) {
                struct ranks ranks = {.rank = r, .count = R};
                struct own_sentences own = own_of(&ranks, shards, SENTENCES);
                uint32_t place = 0;
                for (uint32_t i = 0; i < SENTENCES; i++) {
                    if (!sentence_is_own(&own, i)) {
                        assert_int_equal(sentence_place(&own, i), NOT_HERE);
                        continue;
                    }
                    assert_int_equal(sentence_place(&own, i), place);
                    assert_int_equal(sentence_number(&own, place), i);
                    place++;
                }
                assert_int_equal(place, own.own);
            }
}

/* The numbers of a very large corpus do not wrap. */
TEST(large_numbers_have_places)
{
    for (uint32_t shards = 4093; shards <= 4096; shards++)
        for (uint32_t r = 0; r < 7; r++) {
            struct ranks ranks = {.rank = r, .count = 7};
            struct own_sentences own = {.ranks = &ranks, .shards = shards, .own = UINT32_MAX / 7};
            uint32_t before = NOT_HERE;
            for (uint32_t i = UINT32_MAX - 20000; i < UINT32_MAX; i++)
                if (sentence_is_own(&own, i)) {
                    uint32_t place = sentence_place(&own, i);
                    assert_int_equal(sentence_number(&own, place), i);
                    assert_true(before == NOT_HERE || place == before + 1);
                    before = place;
                }
        }
}

/* ---- Sending: a sentence is its number and some bytes that follow from it. ---- */

struct office {
    uint32_t shards, *list, count; /* what is sent */
    struct own_sentences own;
    uint32_t got[SENTENCES], gots; /* in the order of unpacking */
};

static uint32_t length_of(uint32_t sentence)
{
    return sentence * 37 % 11;
}

static bool pack(const void *self, uint32_t sentence, struct buffer *out, struct vouch_error *err)
{
    const struct office *office = self;
    SAY(sentence_is_own(&office->own, sentence));
    if (!buffer_add(out, (struct text){(const char *)&sentence, sizeof sentence}, err))
        return false;
    for (uint32_t i = 0; i < length_of(sentence); i++)
        if (!buffer_put(out, (char)(sentence + i), err))
            return false;
    return true;
}

static bool unpack(void *self, const char *bytes, struct vouch_error *err)
{
    struct office *office = self;
    uint32_t sentence;
    memcpy(&sentence, bytes, sizeof sentence);
    SAY(sentence < SENTENCES && office->gots < SENTENCES);
    for (uint32_t i = 0; i < length_of(sentence); i++)
        SAY(bytes[sizeof sentence + i] == (char)(sentence + i));
    office->got[office->gots++] = sentence;
    return true;
}

static bool check_receipts(const struct office *office, struct vouch_error *err)
{
    const struct own_sentences *own = &office->own;
    uint32_t receipts = 0;
    for (uint32_t i = 0; i < office->count; i++) {
        uint32_t sentence = office->list[i];
        if (sentence_is_own(own, sentence))
            continue;
        SAY(receipts < office->gots && office->got[receipts] == sentence);
        SAY(own->received[receipts] == sentence);
        SAY(sentence_place(own, sentence) == own->own + receipts);
        receipts++;
    }
    SAY(own->receipts == receipts && office->gots == receipts);
    return true;
}

static bool send(const struct ranks *ranks, void *work, struct vouch_error *err)
{
    struct office *office = work;
    struct sentence_post post = {office, pack, unpack};
    office->own = own_of(ranks, office->shards, SENTENCES);
    if (!sentences_send(&office->own, office->list, office->count, &post, err))
        return false;
    if (ranks_first(ranks))
        return check_receipts(office, err);
    SAY(office->gots == 0 && office->own.receipts == 0);
    return true;
}

/* Of every four sentences on average, `quarters` are sent; 0 none, 4 all. */
static void check_sending(uint32_t ranks, uint32_t shards, uint32_t quarters)
{
    struct office office[MOST_RANKS] = {0};
    uint32_t list[SENTENCES], count = 0;
    struct rng rng = rng_new(ranks, shards * 5 + quarters);
    for (uint32_t i = 0; i < SENTENCES; i++)
        if (rng_below(&rng, 4) < quarters)
            list[count++] = i;
    for (uint32_t r = 0; r < ranks; r++)
        office[r] = (struct office){.shards = shards, .list = list, .count = count};
    ON_RANKS(ranks, send, office);
    for (uint32_t r = 0; r < ranks; r++)
        free(office[r].own.received);
}

TEST(receipts_come_whole_and_in_order)
{
    static const uint32_t ranks[] = {1, 2, 3, 5}, shards[] = {1, 2, 3, 4, 7, 16, 200};
    for (uint32_t r = 0; r < 4; r++)
        for (uint32_t s = 0; s < 7; s++)
            for (uint32_t quarters = 0; quarters <= 4; quarters += 2)
                check_sending(ranks[r], shards[s], quarters);
}

/* What the first rank has already does not come, and alone there is nothing to send. */
TEST(alone_nothing_is_sent)
{
    uint32_t list[] = {0, 3, 9};
    struct office office = {.list = list, .count = 3};
    struct sentence_post post = {&office, pack, unpack};
    assert_true(sentences_send(&office.own, list, 3, &post, NULL));
    assert_int_equal(office.gots, 0);
    assert_int_equal(office.own.receipts, 0);
    free(office.own.received);
}
