/*
 * Reads corpora: the first byte chooses how to read (format, gold, trees, column of CoNLL-U), the rest is the file, in
 * which labels may be open if its length is odd. Every sentence is looked at and written again.
 */
#include "fuzz.h"

#include "text/reader.h"
#include "text/writer.h"

int LLVMFuzzerTestOneInput(const uint8_t *bytes, size_t length)
{
    if (length == 0)
        return 0;
    struct reader_options options = {.format = (enum format)(bytes[0] % 6),
                                     .gold = bytes[0] / 6 % 4 - 1,
                                     .trees = bytes[0] / 24 % 2,
                                     .column = bytes[0] / 48,
                                     .partial = length % 2 == 0};
    struct vouch_error err = {0};
    struct reader *reader = reader_open(fuzz_file(bytes + 1, length - 1), &options, &err);
    if (!fuzz_told(reader != NULL, &err))
        return 0;
    struct writer_options writing = writer_options_for(reader);
    writing.column = reader_column(reader);
    struct output *out = output_open("/dev/null", &err);
    struct sentence sentence = {0};
    struct text *label = NULL;
    size_t capacity = 0;
    enum reading state;
    while ((state = reader_next(reader, &sentence, &err)) == READ_SENTENCE) {
        if (!RESERVE(label, capacity, (size_t)sentence.N + 1, &err))
            abort();
        for (uint32_t i = 0; i < sentence.N; i++)
            label[i] = text_of(i % 3 == 0 ? "B-X" : i % 3 == 1 ? "I-X" : "O");
        if (!options.trees)
            fuzz_told(write_sentence(out, &writing, &sentence, NULL, label, NULL, &err), &err);
    }
    fuzz_told(state == READ_END, &err);
    free(label);
    sentence_release(&sentence);
    output_discard(out);
    reader_close(reader);
    return 0;
}
