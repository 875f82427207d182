/* Counts what words are called in a dataset, for the lexicon (core/lexicon.h): see dataset.h. */
#include "train/dataset.h"

#include "base/buffer.h"

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

/* Counts, into an empty lexicon, what this rank has of all examples. */
static bool count_own(const struct dataset *dataset, uint32_t layer, struct lexicon *lexicon, struct vouch_error *err)
{
    const struct examples *examples = &dataset->layer[layer].examples;
    uint32_t *own = new_array(examples->count, sizeof *own, err), count = 0;
    for (uint32_t i = 0; own && i < examples->count; i++)
        if (sentence_is_own(&examples->own, i))
            own[count++] = i;
    bool ok = own && count_words(dataset, layer, own, count, lexicon, err);
    free(own);
    return ok;
}

bool count_all_words(const struct dataset *dataset, uint32_t layer, struct lexicon *lexicon, struct vouch_error *err)
{
    const struct examples *examples = &dataset->layer[layer].examples;
    if (!examples->own.ranks)
        return count_words(dataset, layer, NULL, examples->count, lexicon, err);
    struct lexicon own = {0};
    struct buffer slots = {0};
    struct gathered all = {0};
    bool ok = count_own(dataset, layer, &own, err);
    for (uint64_t at = 0, slot; ok && lexicon_next(&own, &at, &slot);)
        ok = buffer_add_bytes(&slots, &slot, sizeof slot, err);
    ok = ok && ranks_gather(examples->own.ranks, slots.bytes, slots.length, FOR_FIRST, &all, err) &&
         (all.start[all.count] == 0 || lexicon_expect(lexicon, all.start[all.count] / sizeof(uint64_t), err));
    for (uint64_t at = 0, slot; ok && at < all.start[all.count]; at += sizeof slot) {
        memcpy(&slot, all.bytes + at, sizeof slot);
        ok = lexicon_add_slot(lexicon, slot, err);
    }
    lexicon_release(&own);
    gathered_release(&all);
    free(slots.bytes);
    return ok;
}

json_t *layer_score_json(const struct layer_score *score)
{
    if (!score->chunks)
        return json_pack("{s:f}", "accuracy", score->accuracy);
    return json_pack("{s:f, s:f, s:f, s:f}", "precision", score->precision, "recall", score->recall, "f1", score->f1,
                     "accuracy", score->accuracy);
}
