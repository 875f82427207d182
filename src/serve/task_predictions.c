/* Makes predictions for tasks of Label Studio: see task_predictions.h. */
#include "serve/task_predictions.h"

#include "answer/answer.h"
#include "answer/predictor.h"
#include "core/scheme.h"

#include <math.h>
#include <stdio.h>

enum { TREE_COLUMNS = 3, REGION_ID = 24 };

/* The readings of a sentence, the best first: regions, and how likely each is beside the best. */
struct readings {
    uint32_t count;
    json_t *region[MOST_PREDICTIONS]; /* lists */
    double relative[MOST_PREDICTIONS];
    double probability; /* of the best; NAN: not known */
};

/* The readings of the sentences of a text. */
struct text_readings {
    struct readings *sentence;
    size_t count, capacity;
};

/* One reading of a sentence, as labels or as a tree. */
struct whole_answer {
    const struct text *label; /* [N]; NULL: a tree without relations */
    const uint32_t *head;     /* [N]; NULL: labels */
};

/* ---- Preparing ---- */

/*
 * Lends a worker. What a region is worth that the best answer does not have is among the alternatives of its words; a
 * model that was not calibrated has none.
 */
static bool lend_answering(struct task_predictor *p, struct vouch_error *err)
{
    if (!models_lend(p->models, p->model, "", &p->lent, err))
        return false;
    if (p->best == 1 || vouch_request_methods(p->lent.request) == 0)
        return true;
    models_return(p->models, &p->lent);
    return models_lend(p->models, p->model, "alternatives=50", &p->lent, err);
}

bool task_predictor_init(struct task_predictor *p, struct vouch_error *err)
{
    const vouch_model *model = p->model->model;
    bool trees = vouch_model_parses(model);
    if (p->best > MOST_PREDICTIONS)
        p->best = MOST_PREDICTIONS;
    if (!trees && vouch_model_columns(model) > 1)
        return fail(err, VOUCH_ERR_ARGUMENT,
                    "%s: expected a model of plain words, as vouch train --use 1 makes them, found one of %zu columns",
                    p->model->name, vouch_model_columns(model));
    return (p->sentence = vouch_sentence_new(err)) && lend_answering(p, err) &&
           (!trees || !p->tagger || models_lend(p->models, p->tagger, "confidence=none", &p->tagging, err));
}

void task_predictor_release(struct task_predictor *p)
{
    if (p->lent.worker)
        models_return(p->models, &p->lent);
    if (p->tagging.worker)
        models_return(p->models, &p->tagging);
    vouch_sentence_free(p->sentence);
    word_cuts_release(&p->cuts);
    offset_map_release(&p->offsets);
    free(p->forms.bytes);
    free(p->cell);
}

size_t labels_offered(const vouch_model *model, const struct label_list *list)
{
    size_t offered = 0;
    for (size_t y = 0; y < vouch_model_label_count(model); y++) {
        struct text type;
        scheme_split(text_of(vouch_model_label_name(model, y)), &type);
        offered += type.length > 0 && label_find(list, type);
    }
    return offered;
}

/* ---- A sentence ---- */

/* Fills the sentence with words from .. to - 1, in so many columns, of which the first is the form, the others "_". */
static bool fill_sentence(struct task_predictor *p, size_t from, size_t to, size_t columns, struct vouch_error *err)
{
    size_t N = to - from;
    p->forms.length = 0;
    if (!RESERVE(p->cell, p->cell_capacity, N * columns, err))
        return false;
    for (size_t i = from; i < to; i++) {
        const struct word_cut *cut = &p->cuts.word[i];
        if (!buffer_add_bytes(&p->forms, p->offsets.text.at + cut->from, cut->to - cut->from, err) ||
            !buffer_put(&p->forms, '\0', err))
            return false;
    }
    const char *form = p->forms.bytes;
    for (size_t i = 0; i < N; i++) {
        p->cell[i * columns] = form;
        form += strlen(form) + 1;
        for (size_t c = 1; c < columns; c++)
            p->cell[i * columns + c] = "_";
    }
    return vouch_sentence_set_cells(p->sentence, p->cell, N, columns, err) == VOUCH_OK;
}

/* Fills the sentence for a parser, with parts of speech if there is a tagger, whose answer is *tagged. */
static bool fill_tree(struct task_predictor *p, size_t from, size_t to, const vouch_answer **tagged,
                      struct vouch_error *err)
{
    *tagged = NULL;
    if (p->tagging.worker && (!fill_sentence(p, from, to, 1, err) ||
                              !(*tagged = vouch_worker_answer(p->tagging.worker, p->sentence, err))))
        return false;
    if (!fill_sentence(p, from, to, TREE_COLUMNS, err))
        return false;
    for (size_t i = 0; *tagged && i < to - from; i++)
        p->cell[i * TREE_COLUMNS + 2] = vouch_answer_label(*tagged, i);
    return vouch_sentence_set_cells(p->sentence, p->cell, to - from, TREE_COLUMNS, err) == VOUCH_OK;
}

static double known(const vouch_answer *answer, double number)
{
    return vouch_answer_methods(answer) > 0 && vouch_answer_is_calibrated(answer, 0) ? number : NAN;
}

/* Returns the probability of a label of a word, or of a head: one of its alternatives. */
static double alternative(const vouch_answer *answer, size_t word, struct text label, size_t head)
{
    for (size_t a = 0; a < vouch_answer_alternatives(answer, word); a++) {
        const char *name = NULL;
        size_t at = 0;
        double probability = NAN;
        vouch_answer_alternative(answer, word, a, &name, &at, &probability);
        if (name ? text_is(label, name) : at == head)
            return known(answer, probability);
    }
    return known(answer, 0);
}

static bool is_answered(const vouch_answer *answer, size_t word, struct text label)
{
    const char *own = vouch_answer_label(answer, word);
    return own && text_is(label, own);
}

/* Returns the probability of words from .. to - 1 as labelled, as a chunk if they are one. */
static double score_of_chunk(const vouch_answer *answer, const struct text *label, uint32_t from, uint32_t to)
{
    double least = INFINITY;
    for (size_t s = 0; s < vouch_answer_spans(answer); s++) {
        size_t begin, end;
        const char *name;
        struct text type;
        scheme_split(label[from], &type);
        if (vouch_answer_span(answer, s, &begin, &end, &name) && begin == from && end == to && text_is(type, name))
            return known(answer, vouch_answer_span_confidence(answer, 0, s));
    }
    for (uint32_t i = from; i < to; i++)
        least = fmin(least, is_answered(answer, i, label[i]) ? known(answer, vouch_answer_confidence(answer, 0, i))
                                                             : alternative(answer, i, label[i], 0));
    return least;
}

/* Returns the probability of an arc and its relation. */
static double score_of_arc(const vouch_answer *answer, const struct whole_answer *reading, uint32_t word)
{
    size_t head = reading->head[word];
    if (head != vouch_answer_head(answer, word))
        return alternative(answer, word, (struct text){"", 0}, head);
    double arc = known(answer, vouch_answer_confidence(answer, 0, word));
    double relation = known(answer, vouch_answer_relation_confidence(answer, 0, word));
    return isnan(relation) ? arc : arc * relation;
}

/* Whether a score is to be left out. Scores are sent with the digits of a float: those alone are compared. */
static bool is_below(double score, const struct label_config *config)
{
    return (float)score < (float)config->threshold;
}

/* ---- Regions ---- */

static json_t *score_json(double score)
{
    return isnan(score) ? json_null() : json_real(fmin(fmax(score, 0), 1));
}

static bool append(json_t *list, json_t *item, struct vouch_error *err)
{
    return (item && json_array_append_new(list, item) == 0) || fail_memory(err);
}

/* Adds a region of words from .. to - 1 of the text. */
static bool add_region(const struct task_predictor *p, size_t from, size_t to, const char *label, double score,
                       json_t *list, struct vouch_error *err)
{
    char id[REGION_ID];
    size_t begin = p->cuts.word[from].from, end = p->cuts.word[to - 1].to;
    snprintf(id, sizeof id, "w%zu", from);
    return append(list,
                  json_pack("{s:s, s:s, s:s, s:s, s:{s:i, s:i, s:s%, s:[s]}, s:o}", "id", id, "from_name",
                            p->config->from_name, "to_name", p->config->to_name, "type", "labels", "value", "start",
                            (int)offset_of_byte(&p->offsets, (uint32_t)begin), "end",
                            (int)offset_of_byte(&p->offsets, (uint32_t)end), "text", p->offsets.text.at + begin,
                            end - begin, "labels", label, "score", score_json(score)),
                  err);
}

/* Adds the chunks of a sentence, which begins at word `first` of the text; labels that are no chunks stand alone. */
static bool add_chunks(const struct task_predictor *p, size_t first, const vouch_answer *answer,
                       const struct whole_answer *reading, json_t *list, struct vouch_error *err)
{
    static const struct text outside = {"O", 1};
    uint32_t N = (uint32_t)vouch_answer_words(answer), from = 0;
    const struct text *label = reading->label;
    for (uint32_t i = 0; i < N; i++) {
        struct text type;
        char prefix = scheme_split(label[i], &type);
        if (prefix == 0 || scheme_starts(i > 0 ? label[i - 1] : outside, label[i]))
            from = i;
        if (prefix == 'O' || (prefix && !scheme_ends(label[i], i + 1 < N ? label[i + 1] : outside)))
            continue;
        const char *offered = label_find(&p->config->labels, type);
        double score = score_of_chunk(answer, label, from, i + 1);
        if (offered && !is_below(score, p->config) &&
            !add_region(p, first + from, first + i + 1, offered, score, list, err))
            return false;
    }
    return true;
}

/* Returns the label of a word in a tree: its part of speech if it is offered, else "X", else the first label. */
static const char *word_label(const struct label_list *list, const char *upos)
{
    const char *found = upos ? label_find(list, text_of(upos)) : NULL;
    if (!found)
        found = label_find(list, text_of("X"));
    return found ? found : list->item[0].value;
}

static bool add_relation(const struct task_predictor *p, size_t head, size_t word, struct text name, json_t *list,
                         struct vouch_error *err)
{
    char from[REGION_ID], to[REGION_ID];
    const struct label_list *offered = &p->config->relations;
    const char *label = name.length > 0 ? label_find(offered, name) : NULL;
    snprintf(from, sizeof from, "w%zu", head);
    snprintf(to, sizeof to, "w%zu", word);
    json_t *relation = json_pack("{s:s, s:s, s:s, s:s}", "type", "relation", "direction", "right", "from_id", from,
                                 "to_id", to);
    json_t *labels = label ? json_pack("[s]", label)
                     : name.length > 0 && offered->count == 0 ? json_pack("[s%]", name.at, (size_t)name.length)
                                                              : NULL;
    if (labels)
        json_object_set_new(relation, "labels", labels);
    return append(list, relation, err);
}

static bool add_tree(const struct task_predictor *p, size_t first, const vouch_answer *answer,
                     const vouch_answer *tagged, const struct whole_answer *reading, json_t *list,
                     struct vouch_error *err)
{
    uint32_t N = (uint32_t)vouch_answer_words(answer);
    for (uint32_t i = 0; i < N; i++) {
        const char *upos = tagged ? vouch_answer_label(tagged, i) : NULL;
        if (!add_region(p, first + i, first + i + 1, word_label(&p->config->labels, upos),
                        score_of_arc(answer, reading, i), list, err))
            return false;
    }
    for (uint32_t i = 0; i < N; i++) {
        struct text name = reading->label ? reading->label[i] : (struct text){"", 0};
        if (reading->head[i] > 0 && !is_below(score_of_arc(answer, reading, i), p->config) &&
            !add_relation(p, first + reading->head[i] - 1, first + i, name, list, err))
            return false;
    }
    return true;
}

/* ---- Readings ---- */

static bool add_reading(const struct task_predictor *p, size_t first, const vouch_answer *answer,
                        const vouch_answer *tagged, const struct whole_answer *reading, double relative,
                        struct readings *to, struct vouch_error *err)
{
    json_t *list = json_array();
    if (!list)
        return fail_memory(err);
    to->region[to->count] = list;
    to->relative[to->count++] = relative;
    return reading->head ? add_tree(p, first, answer, tagged, reading, list, err)
                         : add_chunks(p, first, answer, reading, list, err);
}

/* Adds the readings after the best. */
static bool add_others(struct task_predictor *p, size_t first, const vouch_answer *answer, const vouch_answer *tagged,
                       struct readings *to, struct vouch_error *err)
{
    struct vouch_best best = {0};
    bool ok = predictor_best(p->lent.worker->predictor, p->sentence, p->best, &best, err);
    for (uint32_t k = 1; ok && k < best.count; k++) {
        struct whole_answer reading = {best.label ? best.label + (size_t)k * best.N : NULL,
                                  best.head ? best.head + (size_t)k * best.N : NULL};
        double relative = best.probability[0] > 0 ? best.probability[k] / best.probability[0] : 0;
        ok = add_reading(p, first, answer, tagged, &reading, relative, to, err);
    }
    best_release(&best);
    return ok;
}

/* Answers words from .. to - 1 of the text. */
static bool read_sentence(struct task_predictor *p, size_t from, size_t to, struct readings *readings,
                          struct vouch_error *err)
{
    const vouch_answer *tagged = NULL, *answer = NULL;
    if (!(vouch_model_parses(p->model->model) ? fill_tree(p, from, to, &tagged, err)
                                              : fill_sentence(p, from, to, 1, err)) ||
        !(answer = vouch_worker_answer(p->lent.worker, p->sentence, err)))
        return false;
    struct whole_answer best = {answer->label, answer->head};
    readings->probability = known(answer, vouch_answer_sentence_confidence(answer, 0));
    for (uint32_t i = 0; answer->head && i < answer->N; i++) /* the number is of all heads, and relations count, too */
        readings->probability = fmin(readings->probability, score_of_arc(answer, &best, i));
    return add_reading(p, from, answer, tagged, &best, 1, readings, err) &&
           (p->best == 1 || add_others(p, from, answer, tagged, readings, err));
}

/* Answers all sentences of the text that was cut. */
static bool read_sentences(struct task_predictor *p, struct text_readings *text, struct vouch_error *err)
{
    for (size_t from = 0, i = 0; i < p->cuts.words; i++) {
        if (!p->cuts.word[i].ends_sentence)
            continue;
        if (!RESERVE(text->sentence, text->capacity, text->count + 1, err))
            return false;
        text->sentence[text->count] = (struct readings){0};
        if (!read_sentence(p, from, i + 1, &text->sentence[text->count++], err))
            return false;
        from = i + 1;
    }
    return true;
}

static void text_readings_release(struct text_readings *text)
{
    for (size_t s = 0; s < text->count; s++)
        for (uint32_t k = 0; k < text->sentence[s].count; k++)
            json_decref(text->sentence[s].region[k]);
    free(text->sentence);
}

/* ---- The best readings of a whole text ---- */

/* Of the first sentences: for each combination, which reading of each. */
struct combinations {
    uint32_t count;
    double relative[MOST_PREDICTIONS];
    uint8_t *pick; /* [MOST_PREDICTIONS][sentences of the text] */
};

/* Makes the best combinations that are one sentence longer, by merging: both lists begin with the best. */
static void lengthen(const struct combinations *old, const struct text_readings *text, size_t s, uint32_t most,
                     struct combinations *new)
{
    const struct readings *r = &text->sentence[s];
    uint32_t next[MOST_PREDICTIONS] = {0}; /* of each combination, the reading that it has not yet been joined with */
    for (new->count = 0; new->count < most; new->count++) {
        uint32_t best = old->count;
        for (uint32_t c = 0; c < old->count; c++)
            if (next[c] < r->count && (best == old->count || old->relative[c] * r->relative[next[c]] >
                                                                 old->relative[best] * r->relative[next[best]]))
                best = c;
        if (best == old->count)
            return;
        uint8_t *row = new->pick + new->count * text->count;
        memcpy(row, old->pick + best * text->count, s);
        row[s] = (uint8_t)next[best];
        new->relative[new->count] = old->relative[best] * r->relative[next[best]++];
    }
}

/* Adds a prediction: the regions of the readings that were picked. */
static bool add_prediction(const struct task_predictor *p, const struct text_readings *text, const uint8_t *pick,
                           double score, json_t *list, struct vouch_error *err)
{
    json_t *regions = json_array();
    for (size_t s = 0; s < text->count; s++)
        if (json_array_extend(regions, text->sentence[s].region[pick[s]]) != 0) {
            json_decref(regions);
            return fail_memory(err);
        }
    return append(list,
                  json_pack("{s:s, s:o, s:o}", "model_version", p->version, "score", score_json(score), "result",
                            regions),
                  err);
}

static bool combine(const struct task_predictor *p, const struct text_readings *text, json_t *list,
                    struct vouch_error *err)
{
    struct combinations one = {.count = 1, .relative = {1}}, other = {0}, *best = &one, *longer = &other;
    double all = text->count > 0 ? 1 : NAN;
    one.pick = new_array(size_times(MOST_PREDICTIONS, text->count), 1, err);
    other.pick = one.pick ? new_array(size_times(MOST_PREDICTIONS, text->count), 1, err) : NULL;
    bool ok = other.pick != NULL;
    for (size_t s = 0; ok && s < text->count; s++) {
        lengthen(best, text, s, p->best, longer);
        struct combinations *swap = best;
        best = longer;
        longer = swap;
        all *= text->sentence[s].probability;
    }
    for (uint32_t k = best->count; ok && k-- > 0;)
        ok = add_prediction(p, text, best->pick + k * text->count,
                            all * best->relative[k], list, err);
    free(one.pick);
    free(other.pick);
    return ok;
}

json_t *task_predictions(struct task_predictor *p, struct text text, struct vouch_error *err)
{
    struct text_readings readings = {0};
    json_t *list = json_array();
    bool ok = (list || fail_memory(err)) && cut_words(text, &p->cuts, err) &&
              offset_map_set(&p->offsets, text, OFFSET_POINTS, err) && read_sentences(p, &readings, err) &&
              combine(p, &readings, list, err);
    text_readings_release(&readings);
    if (ok)
        return list;
    json_decref(list);
    return NULL;
}
