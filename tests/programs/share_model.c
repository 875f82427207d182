/*
 * Several threads use one model through the public header, each with a tagger of its own made meanwhile:
 *
 *     share_model MODEL WORD...
 *
 * All must answer what one alone answers, to the bit. ThreadSanitizer sees what they do to each other.
 */
#include <vouch.h>

#include <pthread.h>
#include <stdbool.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

enum { THREADS = 4, ROUNDS = 5, MOST_WORDS = 64, MOST_COLUMNS = 4 };

static const vouch_model *model;
static const char *cell[MOST_WORDS * MOST_COLUMNS];
static size_t words;

struct answer {
    const char *label[MOST_WORDS];
    double confidence[MOST_WORDS];
    struct vouch_error err;
    bool given;
};

static void *ask(void *context)
{
    struct answer *answer = context;
    answer->given = true;
    for (int i = 0; i < ROUNDS && answer->given; i++) {
        vouch_tagger *tagger = vouch_tagger_new(model, &answer->err);
        answer->given = tagger && vouch_tagger_judge(tagger, cell, words, vouch_model_columns(model), answer->label,
                                                     answer->confidence, &answer->err) == VOUCH_OK;
        vouch_tagger_free(tagger);
    }
    return NULL;
}

static bool same(const struct answer *a, const struct answer *b)
{
    for (size_t i = 0; i < words; i++)
        if (strcmp(a->label[i], b->label[i]) != 0)
            return false;
    return memcmp(a->confidence, b->confidence, sizeof *a->confidence * words) == 0;
}

int main(int argc, char **argv)
{
    static struct answer answer[THREADS + 1];
    pthread_t thread[THREADS];
    struct vouch_error err = {0};
    vouch_model *opened = argc > 2 ? vouch_model_open(argv[1], &err) : NULL;
    words = (size_t)argc - 2;
    if (!opened || words > MOST_WORDS || vouch_model_columns(opened) > MOST_COLUMNS) {
        fprintf(stderr, "share_model: %s\n", err.message);
        return 2;
    }
    model = opened;
    for (size_t i = 0; i < words * vouch_model_columns(model); i++)
        cell[i] = argv[2 + i / vouch_model_columns(model)];
    for (int i = 0; i < THREADS; i++)
        if (pthread_create(&thread[i], NULL, ask, &answer[i]) != 0)
            return 2;
    for (int i = 0; i < THREADS; i++)
        pthread_join(thread[i], NULL);
    ask(&answer[THREADS]);
    int status = 0;
    for (int i = 0; i < THREADS; i++)
        if (!answer[i].given || !same(&answer[i], &answer[THREADS])) {
            fprintf(stderr, "share_model: thread %d answered differently: %s\n", i, answer[i].err.message);
            status = 1;
        }
    vouch_model_close(opened);
    return status;
}
