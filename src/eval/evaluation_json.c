/* Writes what was measured as JSON: see evaluation.h. */
#include "eval/evaluation.h"

static json_t *rates_as_json(struct tag_counts counts)
{
    struct tag_rates rates = tag_rates(counts);
    return json_pack("{s:f, s:f, s:f, s:I, s:I, s:I}", "precision", rates.precision, "recall", rates.recall, "f1",
                     rates.f1, "gold", (json_int_t)counts.gold, "guessed", (json_int_t)counts.guessed, "correct",
                     (json_int_t)counts.correct);
}

static json_t *score_as_json(const struct tag_score *score)
{
    json_t *rows = json_object();
    for (size_t i = 0; i < score->rows; i++)
        json_object_setn_new(rows, score->row[i].name, score->row[i].length, rates_as_json(score->row[i].counts));
    return json_pack("{s:s, s:I, s:I, s:f, s:f, s:o, s:o}", "unit", score->unit == TAG_CHUNKS ? "chunk" : "word",
                     "words", (json_int_t)score->words, "sentences", (json_int_t)score->sentences, "accuracy",
                     tag_percent(score->right_words, score->words), "sentence_accuracy",
                     tag_percent(score->right_sentences, score->sentences), "all", rates_as_json(score->all),
                     score->unit == TAG_CHUNKS ? "types" : "labels", rows);
}

static json_t *attachment_json(const struct attachment *a, bool labelled)
{
    json_t *object = json_pack("{s:I, s:f}", "words", (json_int_t)a->words, "uas", tag_percent(a->heads, a->words));
    if (labelled) {
        json_object_set_new(object, "las", json_real(tag_percent(a->labelled, a->words)));
        json_object_set_new(object, "las_universal", json_real(tag_percent(a->universal, a->words)));
    }
    return object;
}

json_t *tree_score_json(const struct tree_score *score, bool labelled)
{
    json_t *distances = json_object(), *relations = json_object();
    for (uint32_t d = 0; d < DISTANCES; d++)
        json_object_set_new(distances, tree_distance_name(d), attachment_json(&score->distance[d], labelled));
    for (size_t i = 0; labelled && i < score->rows; i++) {
        const struct relation_row *row = &score->row[i];
        json_object_set_new(relations, row->name,
                            json_pack("{s:I, s:I, s:I, s:I}", "gold", (json_int_t)row->gold, "guessed",
                                      (json_int_t)row->guessed, "heads", (json_int_t)row->heads, "correct",
                                      (json_int_t)row->correct));
    }
    return json_pack("{s:I, s:o, s:o, s:f, s:f, s:f, s:f, s:o, s:o}", "sentences", (json_int_t)score->sentences, "all",
                     attachment_json(&score->all, labelled), "without_punctuation",
                     attachment_json(&score->words_only, labelled), "root",
                     tag_percent(score->right_roots, score->sentences), "complete",
                     tag_percent(score->complete, score->sentences), "complete_labelled",
                     tag_percent(score->complete_labelled, score->sentences), "one_root",
                     tag_percent(score->one_root, score->sentences), "distances", distances, "relations", relations);
}

json_t *evaluation_json(const struct evaluation *e)
{
    json_t *result = e->parses ? tree_score_json(&e->trees, e->labelled) : score_as_json(&e->score);
    if (e->judged)
        json_object_set_new(result, "confidence", confidence_eval_json(&e->confidence_eval));
    if (e->covers) {
        json_t *sets = coverage_tally_json(&e->tally, e->parses);
        json_object_set_new(sets, "coverage", json_real(100 * e->coverage.target));
        json_object_set_new(result, "sets", sets);
    }
    return result;
}
