/*
 * Turns scores of a model of your own into answers with confidence. The model is made up: an ensemble of three, mostly
 * right and far too sure. The judge is calibrated on 400 sentences whose truth is known; then it answers one more, and
 * prints truth, answer and confidence.
 */
#include <stdio.h>
#include <stdlib.h>
#include <vouch.h>

enum { WORDS = 6, LABELS = 3, SETS = 3 };
static const char *const labels[LABELS] = {"O", "B-PER", "I-PER"};

static float noise(void)
{
    return (float)rand() / (float)RAND_MAX * 8 - 4;
}

/* Makes up node[set][word][label]: large for the truth, plus noise. */
static void make_up(float *node, const char **gold)
{
    static const int spelled[] = {0, 0, 1, 2, 0, 1};
    for (int word = 0, first = rand() % 2; word < WORDS; word++) {
        int truth = spelled[(word + first) % WORDS];
        gold[word] = labels[truth];
        for (int label = 0; label < LABELS; label++) {
            float shared = (label == truth ? 4 : 0) + noise();
            for (int set = 0; set < SETS; set++)
                node[(set * WORDS + word) * LABELS + label] = 2 * shared + noise();
        }
    }
}

int main(void)
{
    struct vouch_error err = {0};
    float node[SETS * WORDS * LABELS];
    const char *gold[WORDS];
    struct vouch_chain_scores scores = {sizeof scores, WORDS, LABELS, SETS, node, NULL, 0};
    struct vouch_judge_options options = {.size = sizeof options, .sets = SETS, .constraints = 1};
    vouch_judge *judge = vouch_judge_new(labels, LABELS, &options, &err);
    vouch_judge_gold *known = judge ? vouch_judge_gold_new(judge, &err) : NULL;
    int ok = known != NULL;
    make_up(node, gold);
    for (int i = 0; ok && i < 400; i++, make_up(node, gold))
        ok = vouch_judge_gold_chain(known, &scores, gold, &err) == VOUCH_OK;
    vouch_judge *calibrated = ok ? vouch_judge_calibrate(judge, known, 2, NULL, &err) : NULL;
    vouch_judge_worker *worker = calibrated ? vouch_judge_worker_new(calibrated, &err) : NULL;
    const vouch_answer *answer = worker ? vouch_judge_chain(worker, &scores, &err) : NULL;
    for (size_t i = 0; answer && i < WORDS; i++)
        printf("%s\t%s\t%.3f\n", gold[i], vouch_answer_label(answer, i), vouch_answer_confidence(answer, 0, i));
    if (answer)
        printf("all of it: %.3f\n", vouch_answer_sentence_confidence(answer, 0));
    else
        fprintf(stderr, "judge_scores: %s\n", err.message);
    vouch_judge_worker_free(worker);
    vouch_judge_free(calibrated);
    vouch_judge_gold_free(known);
    vouch_judge_free(judge);
    return answer ? 0 : 1;
}
