/*
 * Labels one sentence, and prints how far each label can be trusted ("-" if the model was not calibrated):
 *
 *     label MODEL WORD...
 *
 * Columns that the model needs beside the word follow after slashes, as in Paris/NNP. This is the one call of vouch.h.
 */
#include <vouch.h>

#include <math.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

/* Cuts "Paris/NNP" at its last slashes into `columns` cells; missing ones are "_". */
static void cut(char *word, const char **cell, size_t columns)
{
    for (size_t c = columns; c-- > 1;) {
        char *slash = strrchr(word + 1, '/');
        cell[c] = slash ? slash + 1 : "_";
        if (slash)
            *slash = '\0';
    }
    cell[0] = word;
}

int main(int argc, char **argv)
{
    struct vouch_error err = {0};
    if (argc < 3) {
        fprintf(stderr, "usage: label MODEL WORD...\n");
        return 2;
    }
    vouch_model *model = vouch_model_open(argv[1], &err);
    size_t words = (size_t)argc - 2, columns = model ? vouch_model_columns(model) : 1;
    const char **cells = calloc(words * columns, sizeof *cells), **labels = calloc(words, sizeof *labels);
    double *confidence = calloc(words, sizeof *confidence);
    enum vouch_status status = VOUCH_ERR_MEMORY;
    if (model && cells && labels && confidence) {
        for (size_t i = 0; i < words; i++)
            cut(argv[i + 2], cells + i * columns, columns);
        status = vouch_model_label(model, cells, words, columns, labels, confidence, &err);
    }
    for (size_t i = 0; status == VOUCH_OK && i < words; i++) {
        printf("%s\t%s\t", cells[i * columns], labels[i]);
        printf(isnan(confidence[i]) ? "-\n" : "%.3f\n", confidence[i]);
    }
    if (status != VOUCH_OK)
        fprintf(stderr, "label: %s\n", err.message);
    free(cells);
    free(labels);
    free(confidence);
    vouch_model_close(model);
    return status == VOUCH_OK ? 0 : 1;
}
