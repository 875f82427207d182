/* Tests what happens before a command runs: every rank refuses the same command lines. */
#include "cli/cli.h"

#include "test.h"

TEST(ranks_refuse_the_same_outputs)
{
    for (uint32_t rank = 0; rank < 2; rank++) {
        char *argv[] = {"eval",  "--folds",  "2",     "-t",          "ner", "--csv",
                        "twice", "--report", "twice", "missing.txt", NULL};
        struct ranks ranks = {.rank = rank, .count = 2};
        assert_int_equal(command_run(10, argv, &ranks), EXIT_MISUSE);
    }
}
