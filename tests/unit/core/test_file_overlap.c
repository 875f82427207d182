/*
 * Tests noticing text that was read before, against the definition: sentence by sentence, and pair by pair. Sentences
 * are numbers.
 */
#include "core/file_overlap.h"

#include "base/random.h"

#include "must.h"
#include "test.h"

enum { MOST_FILES = 4, MOST_SENTENCES = 40, MOST_DIFFERENT = 400 };

struct files {
    uint64_t sentence[MOST_FILES][MOST_SENTENCES];
    uint32_t count[MOST_FILES], files;
    uint32_t document[MOST_SENTENCES]; /* of each, in all files alike */
};

static struct file_overlap read_all(const struct files *f)
{
    struct file_overlap o = {0};
    static const char *const names[MOST_FILES] = {"a", "b", "c", "d"};
    for (uint32_t i = 0; i < f->files; i++) {
        MUST(file_overlap_begin(&o, names[i], &err));
        for (uint32_t s = 0; s < f->count[i]; s++)
            MUST(file_overlap_add(&o, f->sentence[i][s], f->document[s], &err));
    }
    MUST(file_overlap_end(&o, &err));
    return o;
}

/* Counts the sentences of file i that files before it have. */
static uint64_t count_elsewhere(const struct files *f, uint32_t i)
{
    uint64_t count = 0;
    for (uint32_t s = 0; s < f->count[i]; s++) {
        bool found = false;
        for (uint32_t j = 0; j < i; j++)
            for (uint32_t k = 0; k < f->count[j]; k++)
                found |= f->sentence[j][k] == f->sentence[i][s];
        count += found;
    }
    return count;
}

/* Counts the sentences of file i that follow the same one as earlier in it; the first follows none. */
static uint64_t count_twice(const struct files *f, uint32_t i)
{
    uint64_t count = 0;
    for (uint32_t s = 1; s < f->count[i]; s++) {
        bool found = false;
        for (uint32_t k = 1; k < s; k++)
            found |= f->sentence[i][k] == f->sentence[i][s] && f->sentence[i][k - 1] == f->sentence[i][s - 1];
        count += found;
    }
    return count;
}

/* Counts the sentences that files before file i have, each once; *common becomes how many of them it has. */
static uint64_t count_different(const struct files *f, uint32_t i, uint64_t *common)
{
    uint64_t count = 0;
    *common = 0;
    for (uint64_t value = 1; value <= MOST_DIFFERENT; value++) {
        bool before = false, here = false;
        for (uint32_t j = 0; j <= i; j++)
            for (uint32_t k = 0; k < f->count[j]; k++)
                if (f->sentence[j][k] == value)
                    *(j < i ? &before : &here) = true;
        count += before;
        *common += before && here;
    }
    return count;
}

/* Counts the sentences of file i that came before in it. */
static uint64_t count_repeated(const struct files *f, uint32_t i)
{
    uint64_t count = 0;
    for (uint32_t s = 0; s < f->count[i]; s++) {
        bool found = false;
        for (uint32_t k = 0; k < s; k++)
            found |= f->sentence[i][k] == f->sentence[i][s];
        count += found;
    }
    return count;
}

/* Returns how much of file i was read before. */
static uint64_t count_again(const struct files *f, uint32_t i)
{
    uint64_t common, different = count_different(f, i, &common), sentences = f->count[i];
    const uint64_t some[] = {count_elsewhere(f, i), different ? common : 0, count_repeated(f, i),
                             2 * count_twice(f, i)};
    const uint64_t all[] = {sentences, different, sentences, sentences};
    uint64_t most = 0;
    for (uint32_t rule = 0; rule < 4; rule++) {
        uint64_t again = 2 * some[rule] < all[rule] ? 0 : rule == 3 ? some[rule] / 2 : some[rule];
        most = again > most ? again : most;
    }
    return most;
}

TEST(random_files_overlap_as_defined)
{
    struct rng rng = rng_new(11, 0);
    uint32_t found = 0, rounds = 2000;
    for (uint32_t round = 0; round < rounds; round++) {
        struct files f = {.files = 1 + rng_below(&rng, MOST_FILES)};
        uint32_t different = 1 + rng_below(&rng, MOST_DIFFERENT);
        uint64_t repeated = 0, all = 0;
        for (uint32_t i = 0; i < f.files; i++) {
            f.count[i] = 1 + rng_below(&rng, MOST_SENTENCES);
            for (uint32_t s = 0; s < f.count[i]; s++)
                f.sentence[i][s] = 1 + rng_below(&rng, different);
        }
        for (uint32_t i = 0; i < f.files; i++) {
            all += f.count[i];
            repeated += count_again(&f, i);
        }
        struct file_overlap o = read_all(&f);
        assert_int_equal(o.repeated, repeated);
        assert_int_equal(o.sentences, all);
        assert_int_equal(has_overlap(&o), repeated > 0 && 100 * repeated >= all);
        found += repeated > 0;
        file_overlap_release(&o);
    }
    assert_true(found > rounds / 10 && found < rounds - rounds / 10);
}

TEST(natural_repetitions_are_not_the_same_text)
{
    struct files f = {.files = 2, .count = {40, 40}};
    for (uint32_t s = 0; s < 40; s++) { /* every third line is the same; the rest is new */
        f.sentence[0][s] = s % 3 ? 100 + s : 1;
        f.sentence[1][s] = s % 3 ? 200 + s : 1;
    }
    struct file_overlap o = read_all(&f);
    assert_false(has_overlap(&o));
    file_overlap_release(&o);
}

TEST(a_copy_is_found_in_any_order_and_within_a_file)
{
    struct files f = {.files = 2, .count = {20, 20}};
    for (uint32_t s = 0; s < 20; s++) {
        f.sentence[0][s] = s + 1;
        f.sentence[1][s] = 20 - s;
    }
    struct file_overlap o = read_all(&f);
    assert_true(has_overlap(&o));
    assert_string_equal(o.again_path, "b");
    assert_true(o.again == 20 && o.again_of == 20);
    file_overlap_release(&o);
    for (uint32_t copies = 1; copies <= 4; copies++) {
        f = (struct files){.files = 1, .count = {10 * copies}};
        for (uint32_t s = 0; s < f.count[0]; s++)
            f.sentence[0][s] = s % 10 + 1;
        o = read_all(&f);
        assert_int_equal(has_overlap(&o), copies > 1);
        assert_int_equal(o.again, 10 * (copies - 1));
        file_overlap_release(&o);
    }
}

TEST(a_file_that_holds_another_is_found_in_either_order)
{
    for (uint32_t first = 0; first < 2; first++) {
        struct files f = {.files = 2, .count = {first ? 40 : 10, first ? 10 : 40}};
        for (uint32_t i = 0; i < 2; i++)
            for (uint32_t s = 0; s < f.count[i]; s++)
                f.sentence[i][s] = 40 - s;
        struct file_overlap o = read_all(&f);
        assert_true(has_overlap(&o) && o.repeated == 10);
        file_overlap_release(&o);
    }
}

TEST(sentences_that_are_all_doubled_are_found_in_any_order)
{
    struct files f = {.files = 1, .count = {40}};
    for (uint32_t s = 0; s < 40; s++)
        f.sentence[0][s] = s / 2 + 1;
    struct file_overlap o = read_all(&f);
    assert_true(has_overlap(&o) && o.again == 20);
    file_overlap_release(&o);
}

TEST(what_a_document_repeats_itself_does_not_count)
{
    struct files f = {.files = 1, .count = {40}};
    for (uint32_t s = 0; s < 40; s++) {
        f.sentence[0][s] = s / 4 + 1;
        f.document[s] = s / 4 + 1;
    }
    struct file_overlap o = read_all(&f);
    assert_false(has_overlap(&o));
    file_overlap_release(&o);
    for (uint32_t s = 0; s < 40; s++) { /* the second half of the documents has the sentences of the first */
        f.sentence[0][s] = s % 20 + 1;
        f.document[s] = s / 4 + 1;
    }
    o = read_all(&f);
    assert_true(has_overlap(&o) && o.again == 20);
    file_overlap_release(&o);
}
