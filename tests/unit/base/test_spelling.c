/* Tests the guessing of misspelt names: every single slip finds its name, and unrelated words find none. */
#include "base/spelling.h"

#include "test.h"

static const char *const names[] = {"perceptron", "no-calibrate", "multi-root", "algorithm", "output", "train", "eval"};
enum { NAMES = sizeof names / sizeof *names };

/* Returns what is guessed among the names; NULL if nothing is. */
static const char *guess(const char *typed)
{
    struct spelling spelling = {.typed = typed};
    for (int i = 0; i < NAMES; i++)
        spelling_try(&spelling, names[i], strlen(names[i]));
    assert_true(!spelling.name || spelling.length == strlen(spelling.name));
    return spelling.name;
}

TEST(every_single_slip_finds_its_name)
{
    for (int n = 0; n < NAMES; n++) {
        char typed[64];
        int length = (int)strlen(names[n]);
        for (int i = 0; i < length; i++) {
            const char *name = names[n];
            snprintf(typed, sizeof typed, "%.*s%s", i, name, name + i + 1); /* left out */
            assert_ptr_equal(guess(typed), name);
            snprintf(typed, sizeof typed, "%.*sz%s", i, name, name + i); /* inserted */
            assert_ptr_equal(guess(typed), name);
            snprintf(typed, sizeof typed, "%.*sz%s", i, name, name + i + 1); /* replaced */
            assert_ptr_equal(guess(typed), name);
            snprintf(typed, sizeof typed, "%s", name); /* swapped */
            typed[i] = name[i + 1 < length ? i + 1 : i];
            typed[i + 1 < length ? i + 1 : i] = name[i];
            assert_ptr_equal(guess(typed), name);
        }
    }
}

/* Two letters leave room for one slip. */
TEST(swapped_neighbours_are_one_slip)
{
    struct spelling swapped = {.typed = "wc"}, apart = {.typed = "wxc"};
    spelling_try(&swapped, "cw", 2);
    spelling_try(&apart, "cxw", 3);
    assert_non_null(swapped.name);
    assert_int_equal(swapped.distance, 1);
    assert_null(apart.name);
}

TEST(strangers_find_nothing)
{
    static const char *const typed[] = {
        "", "x", "q", "zzzzz", "banana", "trombone", "a-word-that-is-longer-than-any-name-there-is-anywhere"};
    for (size_t i = 0; i < sizeof typed / sizeof *typed; i++)
        assert_null(guess(typed[i]));
}

TEST(the_nearest_is_taken_and_of_equals_the_first)
{
    struct spelling spelling = {.typed = "cwx"};
    spelling_try_words(&spelling, "crf, cw, cwy or cw-");
    assert_non_null(spelling.name);
    assert_int_equal(spelling.length, 2);
    assert_memory_equal(spelling.name, "cw", 2);
}

TEST(capitals_are_small_letters_and_or_is_no_name)
{
    struct spelling capitals = {.typed = "CoNLL"}, conjunction = {.typed = "ot"};
    spelling_try_words(&capitals, "auto, conll or jsonl");
    assert_int_equal(capitals.distance, 0);
    assert_memory_equal(capitals.name, "conll", 5);
    spelling_try_words(&conjunction, "auto, conll or jsonl");
    assert_null(conjunction.name);
}

TEST(the_opposite_is_never_guessed)
{
    assert_null(guess("calibrate"));
    assert_null(guess("calibrat"));
    assert_null(guess("no-output"));
    assert_null(guess("unoutput"));
    assert_string_equal(guess("no-calibrat"), "no-calibrate");
    assert_string_equal(guess("o-calibrate"), "no-calibrate");
    assert_string_equal(guess("n-calibrate"), "no-calibrate");
}
