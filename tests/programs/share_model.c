/*
 * Several threads use one request through the public header, each with a worker of its own that is made meanwhile:
 *
 *     share_model MODEL WORD...
 *
 * All must answer what one alone answers, to the bit. ThreadSanitizer finds data races between them.
 */
#include <vouch.h>

#include <pthread.h>
#include <stdbool.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

enum { THREADS = 4, ROUNDS = 5, MOST_WORDS = 64, MOST_COLUMNS = 4 };

static const vouch_request *request;
static const vouch_sentence *sentence;

struct vouch_answer {
    size_t words;
    const char *label[MOST_WORDS];
    size_t head[MOST_WORDS];
    double confidence[MOST_WORDS];
    struct vouch_error err;
    bool given;
};

static void copy(const vouch_answer *from, struct vouch_answer *to)
{
    to->words = vouch_answer_words(from);
    for (size_t i = 0; i < to->words; i++) {
        to->label[i] = vouch_answer_label(from, i);
        to->head[i] = vouch_answer_head(from, i);
        to->confidence[i] = vouch_answer_confidence(from, 0, i);
    }
}

static void *ask(void *context)
{
    struct vouch_answer *answer = context;
    answer->given = true;
    for (int i = 0; i < ROUNDS && answer->given; i++) {
        vouch_worker *worker = vouch_worker_new(request, &answer->err);
        const vouch_answer *found = worker ? vouch_worker_answer(worker, sentence, &answer->err) : NULL;
        answer->given = found != NULL;
        if (found)
            copy(found, answer);
        vouch_worker_free(worker);
    }
    return NULL;
}

static bool same(const struct vouch_answer *a, const struct vouch_answer *b)
{
    for (size_t i = 0; i < a->words; i++)
        if (strcmp(a->label[i], b->label[i]) != 0)
            return false;
    return a->words == b->words && memcmp(a->head, b->head, sizeof *a->head * a->words) == 0 &&
           memcmp(a->confidence, b->confidence, sizeof *a->confidence * a->words) == 0;
}

/* Returns the words, each in all of the columns that the model needs. */
static vouch_sentence *sentence_of(const vouch_model *model, char **word, size_t words, struct vouch_error *err)
{
    const char *cell[MOST_WORDS * MOST_COLUMNS];
    size_t columns = vouch_model_columns(model);
    vouch_sentence *made = words <= MOST_WORDS && columns <= MOST_COLUMNS ? vouch_sentence_new(err) : NULL;
    for (size_t i = 0; made && i < words * columns; i++)
        cell[i] = word[i / columns];
    if (made && vouch_sentence_set_cells(made, cell, words, columns, err) == VOUCH_OK)
        return made;
    vouch_sentence_free(made);
    return NULL;
}

static int compare(void)
{
    static struct vouch_answer answer[THREADS + 1];
    pthread_t thread[THREADS];
    int status = 0;
    for (int i = 0; i < THREADS; i++)
        if (pthread_create(&thread[i], NULL, ask, &answer[i]) != 0)
            return 2;
    for (int i = 0; i < THREADS; i++)
        pthread_join(thread[i], NULL);
    ask(&answer[THREADS]);
    for (int i = 0; i < THREADS; i++)
        if (!answer[i].given || !same(&answer[i], &answer[THREADS])) {
            fprintf(stderr, "share_model: thread %d answered differently: %s\n", i, answer[i].err.message);
            status = 1;
        }
    return status;
}

int main(int argc, char **argv)
{
    struct vouch_error err = {0};
    vouch_model *model = argc > 2 ? vouch_model_open(argv[1], &err) : NULL;
    vouch_request *asked = model ? vouch_request_new(model, NULL, &err) : NULL;
    vouch_sentence *words = asked ? sentence_of(model, argv + 2, (size_t)argc - 2, &err) : NULL;
    int status = 2;
    if (words) {
        request = asked;
        sentence = words;
        status = compare();
    } else
        fprintf(stderr, "share_model: %s\n", err.message);
    vouch_sentence_free(words);
    vouch_request_free(asked);
    vouch_model_close(model);
    return status;
}
