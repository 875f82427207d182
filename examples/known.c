/*
 * Labels one sentence of which some labels are known, and prints the best whole answers with their probabilities:
 *
 *     known MODEL WORD[/COLUMN...][=LABEL]...
 *
 * An annotator who has decided on one word sees what follows for the others, as in known ner.vouch Paris/NNP=B-PER
 */
#include <vouch.h>

#include <stdio.h>
#include <string.h>

enum { MOST_WORDS = 100, MOST_COLUMNS = 8, BEST = 3 };

/* Cuts off what is behind the last `mark`; returns it, or `none`. */
static const char *cut(char *word, char mark, const char *none)
{
    char *at = strrchr(word + 1, mark);
    if (at)
        *at++ = '\0';
    return at ? at : none;
}

int main(int argc, char **argv)
{
    struct vouch_error err = {0};
    const char *cell[MOST_WORDS * MOST_COLUMNS], *label[MOST_WORDS];
    const vouch_best *best = NULL;
    vouch_model *model = argc > 2 ? vouch_model_open(argv[1], &err) : NULL;
    vouch_request *request = model ? vouch_request_new(model, NULL, &err) : NULL;
    vouch_worker *worker = request ? vouch_worker_new(request, &err) : NULL;
    vouch_sentence *sentence = worker ? vouch_sentence_new(&err) : NULL;
    size_t words = argc > 2 ? (size_t)argc - 2 : 0, columns = model ? vouch_model_columns(model) : 1;
    if (sentence && words <= MOST_WORDS && columns <= MOST_COLUMNS) {
        for (size_t i = 0; i < words; i++) {
            label[i] = cut(argv[i + 2], '=', NULL);
            for (size_t c = columns; c-- > 1;)
                cell[i * columns + c] = cut(argv[i + 2], '/', "_");
            cell[i * columns] = argv[i + 2];
        }
        if (vouch_sentence_set_cells(sentence, cell, words, columns, &err) == VOUCH_OK &&
            vouch_sentence_set_known(sentence, label, NULL, &err) == VOUCH_OK)
            best = vouch_worker_best(worker, sentence, BEST, &err);
    }
    for (size_t k = 0; best && k < vouch_best_count(best); k++) {
        printf("%.3f", vouch_best_probability(best, k));
        for (size_t i = 0; i < words; i++)
            printf("\t%s", vouch_best_label(best, k, i));
        printf("\n");
    }
    if (!best)
        fprintf(stderr, "known: %s\n", err.status ? err.message : "usage: known MODEL WORD[/COLUMN...][=LABEL]...");
    vouch_sentence_free(sentence);
    vouch_worker_free(worker);
    vouch_request_free(request);
    vouch_model_close(model);
    return best ? 0 : 1;
}
