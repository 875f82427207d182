/*
 * The smallest program that labels a sentence, and says how far each label
 * can be trusted ("-" if the model was not calibrated):
 *
 *     label_words MODEL WORD...
 *
 * Columns that the model expects beside the word are given after a slash, as
 * in Paris/NNP.
 */
#include <vouch.h>

#include <math.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

/* Cuts "Paris/NNP" at its slashes into `columns` cells; missing ones are "_". */
static void cut(char *word, const char **cell, size_t columns)
{
    for (size_t c = 0; c < columns; c++) {
        char *slash = word ? strrchr(word + 1, '/') : NULL;
        if (columns - c == 1 || !slash)
            slash = NULL;
        cell[columns - 1 - c] = slash ? slash + 1 : c + 1 == columns ? word : "_";
        if (slash)
            *slash = '\0';
    }
}

int main(int argc, char **argv)
{
    struct vouch_error err = {0};
    if (argc < 3) {
        fprintf(stderr, "usage: label_words MODEL WORD...\n");
        return 2;
    }
    vouch_model *model = vouch_model_open(argv[1], &err);
    vouch_tagger *tagger = model ? vouch_tagger_new(model, &err) : NULL;
    if (!tagger) {
        fprintf(stderr, "label_words: %s\n", err.message);
        vouch_model_close(model);
        return 1;
    }
    size_t words = (size_t)argc - 2, columns = vouch_model_columns(model);
    const char **cells = malloc(sizeof *cells * words * columns), **labels = malloc(sizeof *labels * words);
    double *confidence = malloc(sizeof *confidence * words);
    int status = 1;
    if (cells && labels && confidence) {
        for (size_t i = 0; i < words; i++)
            cut(argv[i + 2], cells + i * columns, columns);
        if (vouch_tagger_judge(tagger, cells, words, columns, labels, confidence, &err) == VOUCH_OK) {
            for (size_t i = 0; i < words; i++)
                if (isnan(confidence[i]))
                    printf("%s\t%s\t-\n", cells[i * columns], labels[i]);
                else
                    printf("%s\t%s\t%.3f\n", cells[i * columns], labels[i], confidence[i]);
            status = 0;
        } else
            fprintf(stderr, "label_words: %s\n", err.message);
    }
    free(cells);
    free(labels);
    free(confidence);
    vouch_tagger_free(tagger);
    vouch_model_close(model);
    return status;
}
