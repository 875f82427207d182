/* Implements the functions of vouch.h that read an answer: see vouch.h and answer.h. */
#include "api/answer.h"

#include "core/scheme.h"

#include <math.h>

void answer_release(struct vouch_answer *answer)
{
    free(answer->span);
    *answer = (struct vouch_answer){0};
}

/*
 * Returns the number of the judged chunk of just these words; *next is where to look, as both lists are in the order of
 * words.
 */
static uint32_t judged_as(const struct confidences *c, uint32_t from, uint32_t to, uint32_t *next)
{
    while (c && *next < c->spans && c->span[*next].from < from)
        ++*next;
    return c && *next < c->spans && c->span[*next].from == from && c->span[*next].to == to ? *next : NO_SPAN;
}

/* Finds the chunks of the labels. Some labels may have been changed since confidence was computed for chunks. */
static bool find_spans(struct vouch_answer *a, struct vouch_error *err)
{
    const struct text *label = a->answer.head ? NULL : a->answer.label, outside = {"O", 1};
    uint32_t from = 0, next = 0;
    a->spans = 0;
    for (uint32_t i = 0; label && i < a->N; i++) {
        if (scheme_starts(i > 0 ? label[i - 1] : outside, label[i]))
            from = i;
        if (!scheme_ends(label[i], i + 1 < a->N ? label[i + 1] : outside))
            continue;
        if (!RESERVE(a->span, a->span_capacity, (size_t)a->spans + 1, err))
            return false;
        a->span[a->spans++] = (struct answer_span){from, i + 1, judged_as(a->answer.confidences, from, i + 1, &next)};
    }
    return true;
}

bool answer_take(struct vouch_answer *into, const struct vouch_model *model, const struct answer *answer, uint32_t N,
                 struct vouch_error *err)
{
    into->model = model;
    into->N = N;
    into->answer = *answer;
    into->least = NULL;
    into->threshold = NAN;
    return find_spans(into, err);
}

static const char *name_of(const vouch_answer *a, struct text label)
{
    uint32_t written = dictionary_find(&a->model->labels.written, label);
    return written ? a->model->label_name[written - 1] : label.at;
}

static const struct method_confidence *method_of(const vouch_answer *a, size_t method)
{
    const struct confidences *c = a->answer.confidences;
    return c && method < c->methods ? &c->by_method[method] : NULL;
}

size_t vouch_answer_words(const vouch_answer *a)
{
    return a->N;
}

const char *vouch_answer_label(const vouch_answer *a, size_t word)
{
    return a->answer.label && word < a->N ? name_of(a, a->answer.label[word]) : NULL;
}

size_t vouch_answer_head(const vouch_answer *a, size_t word)
{
    return a->answer.head && word < a->N ? a->answer.head[word] : (size_t)-1;
}

size_t vouch_answer_methods(const vouch_answer *a)
{
    return a->answer.confidences ? a->answer.confidences->methods : 0;
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
    return a->spans;
}

/* The type is the tail of a label's name. */
int vouch_answer_span(const vouch_answer *a, size_t span, size_t *from, size_t *to, const char **type)
{
    if (span >= a->spans)
        return 0;
    struct text label = a->answer.label[a->span[span].from], tail;
    scheme_split(label, &tail);
    if (from)
        *from = a->span[span].from;
    if (to)
        *to = a->span[span].to;
    if (type)
        *type = name_of(a, label) + (label.length - tail.length);
    return 1;
}

double vouch_answer_span_confidence(const vouch_answer *a, size_t method, size_t span)
{
    const struct method_confidence *by = method_of(a, method);
    bool known = by && by->span && span < a->spans && a->span[span].judged != NO_SPAN;
    return known ? by->span[a->span[span].judged] : NAN;
}

size_t vouch_answer_alternatives(const vouch_answer *a, size_t word)
{
    const struct confidences *c = a->answer.confidences;
    return c && c->alternative && word < a->N ? c->found[word] : 0;
}

int vouch_answer_alternative(const vouch_answer *a, size_t word, size_t alternative, const char **label, size_t *head,
                             double *probability)
{
    if (alternative >= vouch_answer_alternatives(a, word))
        return 0;
    const struct confidences *c = a->answer.confidences;
    const struct alternative *found = &c->alternative[word * c->alternatives + alternative];
    if (label)
        *label = a->answer.head ? NULL : name_of(a, found->label);
    if (head)
        *head = a->answer.head ? found->head : (size_t)-1;
    if (probability)
        *probability = found->probability;
    return 1;
}

/* Finds a member of set i. */
static int tell_member(const struct choice_sets *sets, uint32_t i, size_t member, const struct alternative **found)
{
    if (member >= choice_set_size(sets, i))
        return 0;
    *found = &sets->choice[sets->first[i] + member];
    return 1;
}

size_t vouch_answer_set(const vouch_answer *a, size_t word)
{
    const struct confidences *c = a->answer.confidences;
    return c && word < a->N ? choice_set_size(&c->set, (uint32_t)word) : 0;
}

int vouch_answer_set_member(const vouch_answer *a, size_t word, size_t member, const char **label, size_t *head,
                            double *probability)
{
    const struct alternative *found;
    if (word >= a->N || !a->answer.confidences ||
        !tell_member(&a->answer.confidences->set, (uint32_t)word, member, &found))
        return 0;
    if (label)
        *label = a->answer.head ? NULL : name_of(a, found->label);
    if (head)
        *head = a->answer.head ? found->head : (size_t)-1;
    if (probability)
        *probability = found->probability;
    return 1;
}

/* The readings are those of the chunk as it was judged. */
size_t vouch_answer_readings(const vouch_answer *a, size_t span)
{
    bool known = a->answer.confidences && span < a->spans && a->span[span].judged != NO_SPAN;
    return known ? choice_set_size(&a->answer.confidences->reading, a->span[span].judged) : 0;
}

/* A type is the tail of the name of a label that has it. */
int vouch_answer_reading(const vouch_answer *a, size_t span, size_t reading, const char **type, double *probability)
{
    const struct alternative *found;
    if (reading >= vouch_answer_readings(a, span) ||
        !tell_member(&a->answer.confidences->reading, a->span[span].judged, reading, &found))
        return 0;
    if (type && found->head == NO_LABEL)
        *type = "O";
    else if (type) {
        struct text name = labels_name(&a->model->labels, found->head);
        *type = name_of(a, name) + (name.length - found->label.length);
    }
    if (probability)
        *probability = found->probability;
    return 1;
}

int vouch_answer_is_doubtful(const vouch_answer *a, size_t word)
{
    return a->least && word < a->N && a->least[word] < a->threshold;
}
