/* Makes the lexicon of a corpus: see count_words.h. */
#include "train/count_words.h"

bool count_words(const struct dataset *dataset, uint32_t layer, const uint32_t *subset, uint32_t count,
                 struct lexicon *lexicon, struct vouch_error *err)
{
    const struct examples *examples = &dataset->layer[layer].examples;
    struct scratch scratch = {0};
    bool ok = true;
    for (uint32_t k = 0; ok && k < count; k++) {
        struct example example;
        ok = examples->get(examples->self, subset ? subset[k] : k, &scratch, &example, err);
        struct lexicon_answer answer = {.names = example.parts.names,
                                        .N = example.parts.N,
                                        .choice = example.gold,
                                        .rules = layer == 0 ? dataset->rules : NULL};
        ok = ok && lexicon_add(lexicon, &answer, err);
    }
    scratch_release(&scratch);
    return ok;
}
