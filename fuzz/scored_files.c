/*
 * Opens any bytes as scores of labels and of arcs, JSON lines and arrays alike, reads the scores of every sentence and
 * writes its nameless words. The first byte chooses the number of labels (0: arcs), the order of arcs and the padding.
 */
#include "fuzz.h"

#include "scores/score_files.h"

enum { MOST_SENTENCES = 50, MOST_WORDS = 300 };

static void read_sentence(const struct score_files *files, const struct sentence_place *at, uint32_t N, bool trees,
                          struct score_work *work)
{
    struct vouch_error err = {0};
    struct vouch_chain_scores chain;
    struct vouch_tree_scores tree;
    fuzz_told(trees ? score_files_tree(files, at, N, work, &tree, &err)
                    : score_files_chain(files, at, N, work, &chain, &err),
              &err);
}

/* Reads the sentences with the lengths that the files tell, and with lengths that they do not. */
static void read_all(const struct score_files *files, bool trees)
{
    struct vouch_error err = {0};
    struct score_work work = {0};
    struct sentence_place at = {0};
    uint64_t count = 3;
    fuzz_told(score_files_count(files, &count, &err), &err);
    for (uint64_t i = 0; i <= count && i < MOST_SENTENCES; i++) {
        uint32_t N = 2;
        if (i < count && fuzz_told(score_files_length(files, &at, &work, &N, &err), &err) && N <= MOST_WORDS)
            read_sentence(files, &at, N, trees, &work);
        read_sentence(files, &at, 1 + (uint32_t)i % 3, trees, &work);
        sentence_place_pass(&at, N);
    }
    fuzz_told(score_files_end(files, &at, &err), &err);
    score_work_release(&work);
}

int LLVMFuzzerTestOneInput(const uint8_t *bytes, size_t length)
{
    if (length == 0)
        return 0;
    struct vouch_error err = {0};
    struct score_values paths = {.scores = fuzz_file(bytes + 1, length - 1)};
    struct score_layout layout = {.labels = bytes[0] % 4,
                                  .trees = bytes[0] % 4 == 0,
                                  .modifier_first = bytes[0] & 4,
                                  .diagonal = bytes[0] & 8,
                                  .padded = bytes[0] & 16};
    struct score_files *files = score_files_open(&layout, &paths, &err);
    if (!fuzz_told(files != NULL, &err))
        return 0;
    struct buffer words = {0};
    read_all(files, layout.trees);
    json_decref(score_files_edges(files));
    fuzz_told(score_files_words(files, &words, &err), &err);
    free(words.bytes);
    score_files_free(files);
    return 0;
}
