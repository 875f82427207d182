/*
 * Reads a table of decisions and amends a corpus by it: first as it is written anew, then as it is read as if it were.
 * The first byte chooses how to read the corpus and what is accepted; then come the table, a form feed, and the corpus,
 * which the table calls "corpus".
 */
#include "fuzz.h"

#include "review/decisions.h"

/* Reads the corpus as if the corrections were in it, which is possible if they were found. */
static void read_corrected(struct reader_options reading, const struct corrections *corrections)
{
    struct vouch_error err = {0};
    reading.corrections = corrections;
    reading.corrected = 1;
    struct reader *reader = reader_open(corrections->path, &reading, &err);
    struct sentence sentence = {0};
    enum reading state = READ_FAILED;
    while (reader && (state = reader_next(reader, &sentence, &err)) == READ_SENTENCE)
        continue;
    if (state != READ_END)
        abort();
    sentence_release(&sentence);
    reader_close(reader);
}

static void amend_corpus(const struct decisions *decisions, const char *path, const struct reader_options *reading,
                         bool write)
{
    struct vouch_error err = {0};
    struct corrections into = {.path = path};
    struct amended done = {0};
    struct output *out = write ? output_open("/dev/null", &err) : NULL;
    if (fuzz_told(amend(path, reading, decisions, out, write ? NULL : &into, &done, &err), &err) && !write)
        read_corrected(*reading, &into);
    free(done.refused.bytes);
    corrections_release(&into);
    output_discard(out);
}

int LLVMFuzzerTestOneInput(const uint8_t *bytes, size_t length)
{
    const uint8_t *feed = length ? memchr(bytes + 1, '\f', length - 1) : NULL;
    if (!feed)
        return 0;
    struct vouch_error err = {0};
    struct decisions decisions = {.with_kept = bytes[0] / 6 % 2, .new_labels = bytes[0] / 12 % 2};
    size_t found = 0;
    if (fuzz_told(decisions_read(&decisions, fuzz_file(bytes + 1, (size_t)(feed - bytes) - 1), &err), &err) &&
        fuzz_told(decisions_about(&decisions, "corpus", &found, &err), &err)) {
        const char *path = fuzz_file(feed + 1, length - (size_t)(feed + 1 - bytes));
        struct reader_options reading = {.format = (enum format)(bytes[0] % 6), .gold = GOLD_LAST};
        reading.trees = decisions.trees || bytes[0] >= 128;
        amend_corpus(&decisions, path, &reading, true);
        amend_corpus(&decisions, path, &reading, false);
    }
    decisions_release(&decisions);
    return 0;
}
