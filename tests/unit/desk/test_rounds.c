/* Tests what a round learns from. */
#include "open_desk.h"

TEST_IN_FOLDER(a_labelled_sentence_is_learned_from_whole)
{
    struct open_desk d;
    desk_begin(&d, "names.txt", DESK_NAMES);
    MUST(desk_takes(&d, "ada", "{'sentence': 1, 'kind': 'edit', 'words': [3], 'answer': "
                               "{'labels': [null, null, null, 'B-LOC']}}"));
    assert_learned(&d, "Ada B-PER\nlives O\nin O\nParis B-LOC\n\n");
    char *rest = desk_file(&d, "learn");
    assert_string_equal(rest, "New O\nYork O\ngrows O\n\nZola B-PER\nsaw O\nParis B-LOC\n\n");
    free(rest);
    desk_end(&d);
}

TEST_IN_FOLDER(of_other_sentences_only_what_was_decided_is_learned)
{
    struct open_desk d;
    desk_begin(&d, "names.txt", "Ada B-PER\nlives O\nin O\nParis B-LOC\n\nNew _\nYork _\ngrows O\n\n");
    MUST(desk_takes(&d, "ada", "{'sentence': 2, 'kind': 'edit', 'words': [0, 1], 'answer': "
                               "{'labels': ['B-LOC', 'I-LOC', null]}}"));
    assert_learned(&d, "New B-LOC\nYork I-LOC\ngrows _\n\n");
    desk_end(&d);
}

#define TREES                                                                                                          \
    "1\tdogs\t_\tN\t_\t_\t2\tobj\t_\t_\n2\tbark\t_\tV\t_\t_\t0\troot\t_\t_\n3\tnow\t_\tA\t_\t_\t2\tadv\t_\t_\n\n"      \
    "1\tcats\t_\tN\t_\t_\t2\tsubj\t_\t_\n2\tsleep\t_\tV\t_\t_\t0\troot\t_\t_\n\n"

TEST_IN_FOLDER(a_tree_keeps_its_other_arcs)
{
    struct open_desk d;
    desk_begin(&d, "trees.conllu", TREES);
    MUST(desk_takes(&d, "ada", "{'sentence': 1, 'kind': 'edit', 'words': [0], 'answer': "
                               "{'heads': [2, null, null], 'relations': ['subj', null, null]}}"));
    assert_learned(&d, "1\tdogs\t_\tN\t_\t_\t2\tsubj\t_\t_\n2\tbark\t_\tV\t_\t_\t0\troot\t_\t_\n"
                       "3\tnow\t_\tA\t_\t_\t2\tadv\t_\t_\n\n");
    desk_end(&d);
}
