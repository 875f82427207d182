/* Tests dividing a corpus: every sentence is in one part, in order, and the seed decides in which. */
#include "text/split.h"

#include "folder.h"
#include "test.h"

enum { SENTENCES = 1000 };

static void put_corpus(const char *name, int from, int to)
{
    FILE *file = fopen(folder_file(name), "w");
    for (int i = from; i < to; i++)
        fprintf(file, "%sw%d O\nend O\n\n", i % 100 == 0 ? "-DOCSTART- O\n\n" : "", i);
    fclose(file);
}

/* Reads which sentences are in the file, in order; returns how many. */
static int numbers_in(const char *name, int *number)
{
    char *text = folder_get(folder_file(name));
    int count = 0;
    for (char *line = strtok(text, "\n"); line; line = strtok(NULL, "\n")) {
        assert_null(strstr(line, "DOCSTART"));
        if (line[0] == 'w')
            assert_int_equal(sscanf(line, "w%d O", &number[count++]), 1);
        else
            assert_string_equal(line, "end O");
    }
    free(text);
    return count;
}

static struct split_plan plan_of(uint64_t seed)
{
    static char one[512], two[512], first[512], rest[512];
    static char *const files[] = {one, two};
    strcpy(one, folder_file("one"));
    strcpy(two, folder_file("two"));
    strcpy(first, folder_file("first"));
    strcpy(rest, folder_file("rest"));
    return (struct split_plan){.file = files, .files = 2, .share = 0.8, .seed = seed, .first = first, .rest = rest};
}

static void divide(const struct split_plan *plan, struct split_part part[2])
{
    struct vouch_error err = {0};
    if (!split_corpus(plan, part, &err))
        fail_msg("%s", err.message);
}

TEST_IN_FOLDER(every_sentence_is_in_one_part_and_in_order)
{
    static int first[SENTENCES], rest[SENTENCES];
    struct split_part part[2];
    put_corpus("one", 0, 300);
    put_corpus("two", 300, SENTENCES);
    struct split_plan plan = plan_of(1);
    divide(&plan, part);
    int firsts = numbers_in("first", first), rests = numbers_in("rest", rest), early = 0;
    assert_int_equal(firsts, 800);
    assert_int_equal(rests, 200);
    assert_true(part[0].sentences == 800 && part[0].words == 1600 && part[1].sentences == 200);
    for (int i = 0, f = 0, r = 0; i < SENTENCES; i++)
        if (f < firsts && first[f] == i)
            f++;
        else
            assert_int_equal(rest[r++], i);
    for (int i = 0; i < rests; i++)
        early += rest[i] < SENTENCES / 2;
    assert_in_range(early, 70, 130); /* of 200 at random; more than four deviations would be strange */
}

TEST_IN_FOLDER(the_seed_decides)
{
    struct split_part part[2];
    char *text[3];
    put_corpus("one", 0, 300);
    put_corpus("two", 300, SENTENCES);
    for (int i = 0; i < 3; i++) {
        struct split_plan plan = plan_of(i < 2 ? 5 : 6);
        divide(&plan, part);
        text[i] = folder_get(folder_file("rest"));
    }
    assert_string_equal(text[0], text[1]);
    assert_string_not_equal(text[0], text[2]);
    for (int i = 0; i < 3; i++)
        free(text[i]);
}

TEST_IN_FOLDER(a_number_of_sentences_is_taken_or_all)
{
    static int number[SENTENCES];
    struct split_part part[2];
    put_corpus("one", 0, 10);
    put_corpus("two", 10, 30);
    struct split_plan plan = plan_of(1);
    plan.count = 7;
    divide(&plan, part);
    assert_int_equal(numbers_in("first", number), 7);
    assert_int_equal(numbers_in("rest", number), 23);
    plan.count = 31;
    divide(&plan, part);
    assert_int_equal(numbers_in("first", number), 30);
    assert_int_equal(numbers_in("rest", number), 0);
}
