/*
 * Parses a file, or standard input, on two threads, and prints every word with its head, its relation, and how far the
 * head can be trusted; with a question mark if the confidence in head or relation is below 0.9:
 *
 *     parse MODEL [FILE]
 *
 * It uses options by name, a request, a reader, and answers in order through a callback.
 */
#include <vouch.h>

#include <stdio.h>

static int print(void *context, const vouch_sentence *sentence, const vouch_answer *answer)
{
    FILE *out = context;
    for (size_t i = 0; i < vouch_answer_words(answer); i++) {
        size_t length, head = vouch_answer_head(answer, i);
        const char *word = vouch_sentence_word(sentence, i, &length);
        const char *relation = vouch_answer_label(answer, i);
        fprintf(out, "%zu\t%.*s\t%zu\t%s\t%.3f%s\n", i + 1, (int)length, word, head, relation ? relation : "_",
                vouch_answer_confidence(answer, 0, i), vouch_answer_is_doubtful(answer, i) ? " ?" : "");
    }
    fprintf(out, "\n");
    return ferror(out); /* stop if the output cannot be written */
}

static vouch_options *choose_options(struct vouch_error *err)
{
    vouch_options *options = vouch_options_new("parse", err);
    if (options && vouch_options_set(options, "threshold", "0.9", err) == VOUCH_OK &&
        vouch_options_set(options, "threads", "2", err) == VOUCH_OK)
        return options;
    vouch_options_free(options);
    return NULL;
}

int main(int argc, char **argv)
{
    struct vouch_error err = {0};
    if (argc < 2) {
        fprintf(stderr, "usage: parse MODEL [FILE]\n");
        return 2;
    }
    vouch_model *model = vouch_model_open(argv[1], &err);
    vouch_options *options = model ? choose_options(&err) : NULL;
    vouch_request *request = options ? vouch_request_new(model, options, &err) : NULL;
    vouch_reader *reader = request ? vouch_reader_open(argc > 2 ? argv[2] : "-", model, options, &err) : NULL;
    enum vouch_status status = reader ? vouch_answer_stream(request, reader, print, stdout, &err) : err.status;
    if (status != VOUCH_OK)
        fprintf(stderr, "parse: %s\n", err.message);
    vouch_reader_close(reader);
    vouch_request_free(request);
    vouch_options_free(options);
    vouch_model_close(model);
    return status == VOUCH_OK ? 0 : 1;
}
