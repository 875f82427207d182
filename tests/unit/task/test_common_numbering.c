/*
 * Tests that ranks agree on numbers: those that a process gives which has met all sentences itself, whoever of the
 * ranks has met which sentence.
 */
#include "base/hash.h"
#include "base/random.h"
#include "task/common_numbering.h"

#include "test.h"
#include "thread_ranks.h"

enum { SENTENCES = 60, LONGEST = 12, WORD = 24 };

/* A text, and the rank that meets each sentence. */
struct world {
    uint32_t N[SENTENCES], owner[SENTENCES];
    char word[SENTENCES][LONGEST][WORD];
    uint32_t length[SENTENCES][LONGEST];
};

/* How sentences are spread: over all ranks at random; all to one rank; neighbours together. */
enum spread { AT_RANDOM, ALL_TO_ONE, NEIGHBOURS, SPREADS };

static void deal(struct world *world, uint32_t ranks, enum spread spread, struct rng *rng)
{
    for (uint32_t i = 0; i < SENTENCES; i++)
        world->owner[i] = spread == AT_RANDOM    ? rng_below(rng, ranks)
                          : spread == ALL_TO_ONE ? ranks - 1
                                                 : (SENTENCES - 1 - i) * ranks / SENTENCES;
}

/* Words of which most come often and some once; with zero bytes, without any bytes, and long ones among them. */
static void make_world(struct world *world, struct rng *rng, bool silent)
{
    memset(world, 0, sizeof *world);
    for (uint32_t i = 0; i < SENTENCES; i++) {
        world->N[i] = silent ? 0 : rng_below(rng, LONGEST + 1);
        for (uint32_t n = 0; n < world->N[i]; n++) {
            uint32_t number = rng_below(rng, 1 + rng_below(rng, 300));
            char *word = world->word[i][n];
            world->length[i][n] = (uint32_t)snprintf(word, WORD, number % 9 ? "w%u" : "a long word %u", number);
            if (number % 7 == 1)
                word[1] = '\0';
            if (number == 3)
                world->length[i][n] = 0;
        }
    }
}

static struct text word_of(const struct world *world, uint32_t i, uint32_t n)
{
    return (struct text){world->word[i][n], world->length[i][n]};
}

static bool same_bytes(const void *a, const void *b, size_t size)
{
    return size == 0 || memcmp(a, b, size) == 0;
}

static bool same_table(const struct hash_table *a, const struct hash_table *b)
{
    return a->count == b->count && !a->slot == !b->slot && a->mask == b->mask &&
           (!a->slot || same_bytes(a->slot, b->slot, sizeof *a->slot * (a->mask + 1)));
}

/* Whether two dictionaries are the same in every way: numbers, strings and the order of slots. */
static bool same_dictionary(const struct dictionary *a, const struct dictionary *b)
{
    if (!same_table(&a->table, &b->table) || a->size != b->size || !same_bytes(a->bytes, b->bytes, a->size))
        return false;
    return a->table.count == 0 || same_bytes(a->start, b->start, sizeof *a->start * (a->table.count + 2));
}

static bool same_text(struct text a, struct text b)
{
    return a.length == b.length && same_bytes(a.at, b.at, a.length);
}

/* ---- Names ---- */

static const char *const known_names[] = {"w2", "known", "w5", "never met"};

struct naming {
    const struct world *world;
    const struct dictionary *expected;
    uint32_t known;
};

static bool add_known(struct dictionary *names, uint32_t known, struct vouch_error *err)
{
    for (uint32_t k = 0; k < known; k++)
        SAY(dictionary_add(names, text_of(known_names[k]), err) == k + 1);
    return true;
}

static bool meet_names(const struct world *world, uint32_t i, struct dictionary *names, struct vouch_error *err)
{
    for (uint32_t n = 0; n < world->N[i]; n++)
        SAY(dictionary_add(names, word_of(world, i, n), err) > 0);
    return true;
}

static bool check_names(const struct naming *naming, const struct dictionary *names, const struct dictionary *before,
                        const uint32_t *renamed, struct vouch_error *err)
{
    SAY(same_dictionary(names, naming->expected));
    for (uint32_t old = 1; old <= before->table.count; old++)
        SAY(same_text(dictionary_text(before, old), dictionary_text(names, renamed[old])));
    for (uint32_t k = 1; k <= naming->known; k++)
        SAY(renamed[k] == k);
    return true;
}

static bool name_on_rank(const struct ranks *ranks, void *work, struct vouch_error *err)
{
    const struct naming *naming = work;
    struct dictionary names = {0}, before = {0};
    struct growth growth = {0};
    bool ok = add_known(&names, naming->known, err);
    for (uint32_t i = 0; ok && i < SENTENCES; i++)
        if (naming->world->owner[i] == ranks->rank)
            ok = meet_names(naming->world, i, &names, err) && growth_note(&growth, i, names.table.count, err);
    uint32_t *renamed = calloc(names.table.count + 1, sizeof *renamed);
    ok = ok && dictionary_copy(&before, &names, err) &&
         number_names_alike(ranks, &names, naming->known, &growth, renamed, err) &&
         check_names(naming, &names, &before, renamed, err);
    free(renamed);
    growth_release(&growth);
    dictionary_release(&names);
    dictionary_release(&before);
    return ok;
}

static void check_naming(struct world *world, uint32_t ranks, uint32_t known)
{
    struct vouch_error err = {0};
    struct dictionary expected = {0};
    struct naming naming[MOST_RANKS];
    bool ok = add_known(&expected, known, &err);
    for (uint32_t i = 0; ok && i < SENTENCES; i++)
        ok = meet_names(world, i, &expected, &err);
    assert_true(ok);
    for (uint32_t r = 0; r < ranks; r++)
        naming[r] = (struct naming){world, &expected, known};
    ON_RANKS(ranks, name_on_rank, naming);
    dictionary_release(&expected);
}

static const uint32_t rank_counts[] = {1, 2, 3, 5};
enum { COUNTS = 4 };

TEST(names_are_numbered_as_by_one_process)
{
    static struct world world;
    for (uint32_t round = 0; round < 10; round++)
        for (uint32_t c = 0; c < COUNTS; c++)
            for (int spread = 0; spread < SPREADS; spread++) {
                struct rng rng = rng_new(5, round);
                make_world(&world, &rng, false);
                deal(&world, rank_counts[c], (enum spread)spread, &rng);
                check_naming(&world, rank_counts[c], round % 5);
            }
}

TEST(nothing_met_is_nothing_named)
{
    static struct world world;
    struct rng rng = rng_new(6, 1);
    make_world(&world, &rng, true);
    for (uint32_t c = 0; c < COUNTS; c++)
        for (uint32_t known = 0; known <= 4; known += 4) {
            deal(&world, rank_counts[c], AT_RANDOM, &rng);
            check_naming(&world, rank_counts[c], known);
        }
}

/* ---- Vocabularies: rules that share their features, one that sees nothing of short words, features of pairs ---- */

#define RULES "U:%x[0,0]\nU:%x[-1,0]\nU2:%suffix2[0,0]\nU3:%x[0,0]/%lower[1,0]\nB\nB1:%x[0,0]\n"

struct naming_features {
    const struct world *world;
    const struct templates *templates;
    const struct vocabulary *expected, *known;
};

static bool meet_features(const struct world *world, uint32_t i, struct encoder *encoder, struct vouch_error *err)
{
    uint32_t first[LONGEST + 1];
    struct text cell[LONGEST];
    struct parts parts;
    for (uint32_t n = 0; n <= world->N[i]; n++)
        first[n] = n;
    for (uint32_t n = 0; n < world->N[i]; n++)
        cell[n] = word_of(world, i, n);
    struct sentence sentence = {.N = world->N[i], .first = first, .cell = cell};
    return sentence.N == 0 || encoder_run(encoder, &sentence, &parts, err);
}

static bool same_index(const struct feature_index *a, const struct feature_index *b)
{
    uint32_t count = feature_index_count(a);
    return same_table(&a->table, &b->table) && a->records == b->records &&
           same_bytes(a->record, b->record, sizeof *a->record * a->records) &&
           (count == 0 || same_bytes(a->record_start, b->record_start, sizeof *a->record_start * (count + 1)));
}

/* Whether a feature that was renamed still stands for the same rule and the same strings. */
static bool check_features(const struct vocabulary *old, const struct feature_index *before, const uint32_t *renamed,
                           const struct vocabulary *now, const struct feature_index *after, struct vouch_error *err)
{
    for (uint32_t f = 0; f < feature_index_count(before); f++) {
        const uint32_t *a = before->record + before->record_start[f];
        SAY(renamed[f] < feature_index_count(after));
        const uint32_t *b = after->record + after->record_start[renamed[f]];
        uint64_t length = before->record_start[f + 1] - before->record_start[f];
        SAY(after->record_start[renamed[f] + 1] - after->record_start[renamed[f]] == length);
        SAY(a[0] == b[0]);
        for (uint64_t i = 1; i < length; i++)
            SAY(same_text(dictionary_text(&old->strings, a[i]), dictionary_text(&now->strings, b[i])));
    }
    return true;
}

static bool check_vocabulary(const struct naming_features *work, const struct vocabulary *now,
                             const struct vocabulary *before, const uint32_t *node, const uint32_t *edge,
                             struct vouch_error *err)
{
    SAY(same_dictionary(&now->strings, &work->expected->strings));
    SAY(same_index(&now->node, &work->expected->node));
    SAY(same_index(&now->edge, &work->expected->edge));
    return check_features(before, &before->node, node, now, &now->node, err) &&
           check_features(before, &before->edge, edge, now, &now->edge, err);
}

static bool number_on_rank(const struct ranks *ranks, void *memory, struct vouch_error *err)
{
    const struct naming_features *work = memory;
    struct vocabulary vocabulary = {0}, before = {0};
    uint32_t *node = NULL, *edge = NULL;
    struct vocabulary_growth growth = {.templates = work->templates, .vocabulary = &vocabulary, .known = work->known};
    bool ok = !work->known || vocabulary_copy(&vocabulary, work->known, work->templates, err);
    struct encoder *encoder = ok ? encoder_new_growing(work->templates, &vocabulary, err) : NULL;
    ok = encoder;
    for (uint32_t i = 0; ok && i < SENTENCES; i++)
        if (work->world->owner[i] == ranks->rank)
            ok = meet_features(work->world, i, encoder, err) && vocabulary_growth_note(&growth, i, err);
    encoder_free(encoder);
    ok = ok && vocabulary_copy(&before, &vocabulary, work->templates, err) &&
         number_vocabulary_alike(ranks, &growth, &node, &edge, err) &&
         check_vocabulary(work, &vocabulary, &before, node, edge, err);
    free(node);
    free(edge);
    vocabulary_growth_release(&growth);
    vocabulary_release(&vocabulary);
    vocabulary_release(&before);
    return ok;
}

/* What one process has after the sentences of a text, going on from `known` if that is not NULL. */
static void meet_all(const struct world *world, const struct templates *templates, const struct vocabulary *known,
                     struct vocabulary *vocabulary)
{
    struct vouch_error err = {0};
    assert_true(!known || vocabulary_copy(vocabulary, known, templates, &err));
    struct encoder *encoder = encoder_new_growing(templates, vocabulary, &err);
    assert_non_null(encoder);
    for (uint32_t i = 0; i < SENTENCES; i++)
        assert_true(meet_features(world, i, encoder, &err));
    encoder_free(encoder);
}

static void check_numbering(const struct world *world, const struct world *earlier, uint32_t ranks)
{
    struct vouch_error err = {0};
    struct templates templates;
    struct vocabulary known = {0}, expected = {0};
    struct naming_features work[MOST_RANKS];
    assert_true(templates_parse(&templates, &(struct template_source){RULES, "rules", NULL}, &err));
    if (earlier)
        meet_all(earlier, &templates, NULL, &known);
    meet_all(world, &templates, earlier ? &known : NULL, &expected);
    for (uint32_t r = 0; r < ranks; r++)
        work[r] = (struct naming_features){world, &templates, &expected, earlier ? &known : NULL};
    ON_RANKS(ranks, number_on_rank, work);
    vocabulary_release(&expected);
    vocabulary_release(&known);
    templates_release(&templates);
}

TEST(features_are_numbered_as_by_one_process)
{
    static struct world world, earlier;
    for (uint32_t round = 0; round < 4; round++)
        for (uint32_t c = 0; c < COUNTS; c++)
            for (int spread = 0; spread < SPREADS; spread++) {
                struct rng rng = rng_new(7, round);
                make_world(&earlier, &rng, false);
                make_world(&world, &rng, round == 3);
                deal(&world, rank_counts[c], (enum spread)spread, &rng);
                check_numbering(&world, NULL, rank_counts[c]);
                check_numbering(&world, &earlier, rank_counts[c]);
            }
}
