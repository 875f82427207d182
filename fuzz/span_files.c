/*
 * Reads spans, writes them again, and counts them as votes. What is written with nothing left out must be what was
 * read but for the keys that are added; a text whose spans were all left out has none.
 */
#include "fuzz.h"

#include "answers/answer_file.h"
#include "vote/vote.h"

#include <math.h>

/* Writes all spans, or none of them, with numbers of their own, and reads that again. */
static void write_again(const struct answer_file *file, const double *number, const bool *dropped, size_t spans)
{
    struct vouch_error err = {0};
    struct output *out = output_open_memory(&err);
    const struct span_completion with = {.number = number, .threshold = 0.5, .dropped = dropped};
    size_t length = 0;
    if (!out)
        abort();
    if (fuzz_told(answer_spans_complete(file, with, out, &err), &err)) {
        const char *text = output_text(out, &length);
        const struct answer_file_options options = {.format = FORMAT_JSONL, .foreign = true, .added = "more"};
        struct answer_file *again = answer_file_open(fuzz_file(text, length), &options, &err);
        if (!again || (again->texts && again->rows != spans))
            abort();
        answer_file_close(again);
    }
    output_discard(out);
}

static void count_votes(const char *path)
{
    struct vouch_error err = {0};
    char *files[] = {(char *)(uintptr_t)path, (char *)(uintptr_t)path};
    struct vote_options options = {.common = {.argument = files}};
    for (size_t count = 1; count <= 2; count++) {
        struct output *out = output_open_memory(&err);
        options.common.arguments = count;
        if (!out)
            abort();
        fuzz_told(span_votes_write(&options, out, &err), &err);
        output_discard(out);
    }
}

int LLVMFuzzerTestOneInput(const uint8_t *bytes, size_t length)
{
    static const struct answer_file_options complete = {.format = FORMAT_JSONL, .foreign = true, .added = "calibrated"};
    const struct answer_file_options options = {.format = FORMAT_JSONL, .foreign = true, .log = length % 2};
    struct vouch_error err = {0};
    struct answer_file *file = answer_file_open(fuzz_file(bytes, length), &options, &err);
    struct file_answer text;
    enum reading state = READ_END;
    while (fuzz_told(file != NULL, &err) && (state = answer_file_next(file, &text, &err)) == READ_SENTENCE)
        if (text.sentence->N == 0)
            abort();
    fuzz_told(state == READ_END, &err);
    answer_file_close(file);
    count_votes(fuzz_file(bytes, length));
    file = answer_file_open(fuzz_file(bytes, length), &complete, &err);
    if (file && file->spans) {
        double *number = calloc(file->rows + 1, sizeof *number);
        bool *dropped = calloc(file->rows + 1, sizeof *dropped);
        if (!number || !dropped)
            abort();
        write_again(file, number, NULL, file->rows);
        for (size_t i = 0; i < file->rows; i++)
            dropped[i] = true;
        write_again(file, number, dropped, 0);
        free(number);
        free(dropped);
    }
    answer_file_close(file);
    return 0;
}
