/*
 * Makes judges of scores from elsewhere of any JSON, lets them judge a sentence whose scores are the bytes again, and
 * reads them back from their own JSON.
 */
#include "fuzz.h"

#include "judge/judge.h"

enum { WORDS = 3, MOST = 1 << 14 };

static void ask(const vouch_judge *judge, const uint8_t *bytes, size_t length)
{
    struct vouch_error err = {0};
    static float score[MOST];
    uint32_t sets = judge->rules.sets, labels = judge->rules.labels ? labels_count(judge->rules.labels) : 0;
    if ((size_t)sets * (labels + WORDS + 2) * WORDS > MOST)
        return;
    for (size_t i = 0; i < MOST; i++)
        score[i] = length ? (float)bytes[i % length] - 100 : 0;
    struct vouch_chain_scores chain = {sizeof chain, WORDS, labels, sets, score, NULL, 0};
    struct vouch_tree_scores tree = {sizeof tree, WORDS, sets, score};
    vouch_judge_worker *worker = vouch_judge_worker_new(judge, &err);
    if (!fuzz_told(worker != NULL, &err))
        return;
    const vouch_answer *answer =
        labels ? vouch_judge_chain(worker, &chain, &err) : vouch_judge_tree(worker, &tree, &err);
    for (size_t i = 0; fuzz_told(answer != NULL, &err) && i < vouch_answer_spans(answer); i++) {
        size_t from, to;
        const char *type;
        if (!vouch_answer_span(answer, i, &from, &to, &type) || from >= to || to > WORDS || !type)
            abort();
    }
    vouch_judge_worker_free(worker);
}

int LLVMFuzzerTestOneInput(const uint8_t *bytes, size_t length)
{
    struct vouch_error err = {0};
    struct vouch_judge_options options = {.size = sizeof options, .methods = "all", .alternatives = 2};
    char *text = new_string((const char *)bytes, length, &err);
    vouch_judge *judge = text ? vouch_judge_from_json(text, &options, &err) : NULL;
    if (fuzz_told(judge != NULL, &err)) {
        vouch_judge *again = vouch_judge_from_json(vouch_judge_json(judge), NULL, &err);
        fuzz_told(again != NULL, &err);
        ask(judge, bytes, length);
        vouch_judge_free(again);
    }
    vouch_judge_free(judge);
    free(text);
    return 0;
}
