/*
 * Implements the functions of vouch.h that read an answer: see vouch.h and answer/answer.h.
 *
 * They are views of what answering left, and copy nothing. Names of labels are those that the model keeps, ended by a
 * zero; a type is the tail of a label's name.
 */
#include "answer/predictor.h"

#include <math.h>

static const char *name_of(const struct vouch_model *model, struct text label)
{
    uint32_t written = dictionary_find(&model->labels.written, label);
    return written ? model->label_name[written - 1] : label.at;
}

static const struct method_confidence *method_of(const vouch_answer *a, size_t method)
{
    const struct confidences *c = a->confidences;
    return c && method < c->methods ? &c->by_method[method] : NULL;
}

size_t vouch_answer_words(const vouch_answer *a)
{
    return a->N;
}

const char *vouch_answer_label(const vouch_answer *a, size_t word)
{
    bool known = a->label && (!a->head || a->model->layers > 1); /* else a replacement stands where no label was */
    return known && word < a->N ? name_of(a->model, a->label[word]) : NULL;
}

size_t vouch_answer_head(const vouch_answer *a, size_t word)
{
    return a->head && word < a->N ? a->head[word] : (size_t)-1;
}

size_t vouch_answer_methods(const vouch_answer *a)
{
    return a->confidences ? a->confidences->methods : 0;
}

const char *vouch_answer_method_name(const vouch_answer *a, size_t method)
{
    const struct method_confidence *by = method_of(a, method);
    return by ? by->method : NULL;
}

int vouch_answer_is_calibrated(const vouch_answer *a, size_t method)
{
    const struct method_confidence *by = method_of(a, method);
    return by && by->calibrated;
}

double vouch_answer_confidence(const vouch_answer *a, size_t method, size_t word)
{
    const struct method_confidence *by = method_of(a, method);
    return by && by->word && word < a->N ? by->word[word] : NAN;
}

double vouch_answer_relation_confidence(const vouch_answer *a, size_t method, size_t word)
{
    const struct method_confidence *by = method_of(a, method);
    return by && by->relation && word < a->N ? by->relation[word] : NAN;
}

double vouch_answer_sentence_confidence(const vouch_answer *a, size_t method)
{
    const struct method_confidence *by = method_of(a, method);
    return by && a->N > 0 ? by->sentence : NAN;
}

size_t vouch_answer_spans(const vouch_answer *a)
{
    return a->chunks;
}

/* The type is the tail of a label's name. */
int vouch_answer_span(const vouch_answer *a, size_t span, size_t *from, size_t *to, const char **type)
{
    if (span >= a->chunks)
        return 0;
    struct text label = a->label[a->chunk[span].from], tail;
    scheme_split(label, &tail);
    if (from)
        *from = a->chunk[span].from;
    if (to)
        *to = a->chunk[span].to;
    if (type)
        *type = name_of(a->model, label) + (label.length - tail.length);
    return 1;
}

double vouch_answer_span_confidence(const vouch_answer *a, size_t method, size_t span)
{
    const struct method_confidence *by = method_of(a, method);
    bool known = by && by->span && span < a->chunks && a->chunk[span].judged != NO_CHUNK;
    return known ? by->span[a->chunk[span].judged] : NAN;
}

/* Fills in what the caller asks about a choice of a word; returns 1. */
static int tell(const vouch_answer *a, const struct alternative *found, const char **label, size_t *head,
                double *probability)
{
    if (label)
        *label = a->head ? NULL : name_of(a->model, found->label);
    if (head)
        *head = a->head ? found->head : (size_t)-1;
    if (probability)
        *probability = found->probability;
    return 1;
}

size_t vouch_answer_alternatives(const vouch_answer *a, size_t word)
{
    const struct confidences *c = a->confidences;
    return c && c->alternative && word < a->N ? c->found[word] : 0;
}

int vouch_answer_alternative(const vouch_answer *a, size_t word, size_t alternative, const char **label, size_t *head,
                             double *probability)
{
    const struct confidences *c = a->confidences;
    return alternative < vouch_answer_alternatives(a, word) &&
           tell(a, &c->alternative[word * c->alternatives + alternative], label, head, probability);
}

size_t vouch_answer_set(const vouch_answer *a, size_t word)
{
    return a->confidences && word < a->N ? choice_set_size(&a->confidences->set, (uint32_t)word) : 0;
}

int vouch_answer_set_member(const vouch_answer *a, size_t word, size_t member, const char **label, size_t *head,
                            double *probability)
{
    return member < vouch_answer_set(a, word) &&
           tell(a, &a->confidences->set.choice[a->confidences->set.first[word] + member], label, head, probability);
}

size_t vouch_answer_relations(const vouch_answer *a, size_t word)
{
    return a->confidences && word < a->N ? choice_set_size(&a->confidences->relation_set, (uint32_t)word) : 0;
}

int vouch_answer_relation(const vouch_answer *a, size_t word, size_t member, const char **relation,
                          double *probability)
{
    if (member >= vouch_answer_relations(a, word))
        return 0;
    const struct choice_sets *sets = &a->confidences->relation_set;
    const struct alternative *found = &sets->choice[sets->first[word] + member];
    if (relation)
        *relation = name_of(a->model, found->label);
    if (probability)
        *probability = found->probability;
    return 1;
}

/* The readings are those of the chunk as it was judged. */
size_t vouch_answer_readings(const vouch_answer *a, size_t span)
{
    bool known = a->confidences && span < a->chunks && a->chunk[span].judged != NO_CHUNK;
    return known ? choice_set_size(&a->confidences->reading, a->chunk[span].judged) : 0;
}

/* A type is the tail of the name of a label that has it. */
int vouch_answer_reading(const vouch_answer *a, size_t span, size_t reading, const char **type, double *probability)
{
    if (reading >= vouch_answer_readings(a, span))
        return 0;
    const struct choice_sets *sets = &a->confidences->reading;
    const struct alternative *found = &sets->choice[sets->first[a->chunk[span].judged] + reading];
    if (type && found->head == NO_LABEL)
        *type = "O";
    else if (type) {
        struct text name = labels_name(&a->model->labels, found->head);
        *type = name_of(a->model, name) + (name.length - found->label.length);
    }
    if (probability)
        *probability = found->probability;
    return 1;
}

int vouch_answer_is_doubtful(const vouch_answer *a, size_t word)
{
    return a->doubtful && word < a->N && a->doubtful[word];
}

/* ---- The best whole answers ---- */

size_t vouch_best_count(const vouch_best *best)
{
    return best->count;
}

const char *vouch_best_label(const vouch_best *best, size_t rank, size_t word)
{
    bool there = best->label && rank < best->count && word < best->N;
    return there ? name_of(best->model, best->label[rank * best->N + word]) : NULL;
}

size_t vouch_best_head(const vouch_best *best, size_t rank, size_t word)
{
    return best->head && rank < best->count && word < best->N ? best->head[rank * best->N + word] : (size_t)-1;
}

double vouch_best_probability(const vouch_best *best, size_t rank)
{
    return rank < best->count ? best->probability[rank] : NAN;
}
