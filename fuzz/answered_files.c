/* Reads answers in files: the first byte chooses the format and what is looked for, the rest is the file. */
#include "fuzz.h"

#include "answers/answer_file.h"

int LLVMFuzzerTestOneInput(const uint8_t *bytes, size_t length)
{
    static const enum format formats[] = {FORMAT_AUTO, FORMAT_CONLL, FORMAT_JSONL, FORMAT_CONLLU};
    if (length == 0)
        return 0;
    struct answer_file_options options = {.format = formats[bytes[0] % 4],
                                          .parts = (enum answer_parts)(bytes[0] / 4 % 3),
                                          .trees = bytes[0] / 12 % 2,
                                          .gold = bytes[0] / 24 % 4,
                                          .foreign = bytes[0] >= 96,
                                          .columns = bytes[0] >= 192 ? "2,3,1,4" : NULL};
    struct vouch_error err = {0};
    struct answer_file *file = answer_file_open(fuzz_file(bytes + 1, length - 1), &options, &err);
    if (!fuzz_told(file != NULL, &err))
        return 0;
    struct file_answer sentence;
    enum reading state;
    while ((state = answer_file_next(file, &sentence, &err)) == READ_SENTENCE)
        if (sentence.sentence->N == 0)
            abort();
    fuzz_told(state == READ_END, &err);
    answer_file_close(file);
    return 0;
}
