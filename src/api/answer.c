/* Answers, as the public interface tells them: see vouch.h. */
#include "api/answer.h"

#include <math.h>

/* A label as a terminated string; NULL if the model does not know it. */
static const char *name_of(const vouch_answer *a, struct text label)
{
    uint32_t written = dictionary_find(&a->model->labels.written, label);
    return written ? a->model->label_name[written - 1] : NULL;
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

double vouch_answer_confidence(const vouch_answer *a, size_t method, size_t word)
{
    const struct method_confidence *by = method_of(a, method);
    return by && word < a->N ? by->word[word] : NAN;
}

double vouch_answer_sentence_confidence(const vouch_answer *a, size_t method)
{
    const struct method_confidence *by = method_of(a, method);
    return by ? by->sentence : NAN;
}

size_t vouch_answer_spans(const vouch_answer *a)
{
    return a->answer.confidences ? a->answer.confidences->spans : 0;
}

/* The type is the tail of a label's name, which is terminated. */
int vouch_answer_span(const vouch_answer *a, size_t span, size_t *from, size_t *to, const char **type)
{
    if (span >= vouch_answer_spans(a))
        return 0;
    const struct span *found = &a->answer.confidences->span[span];
    const char *label = vouch_answer_label(a, found->from);
    *from = found->from;
    *to = found->to;
    *type = label ? label + strlen(label) - found->type.length : NULL;
    return 1;
}

double vouch_answer_span_confidence(const vouch_answer *a, size_t method, size_t span)
{
    const struct method_confidence *by = method_of(a, method);
    return by && by->span && span < vouch_answer_spans(a) ? by->span[span] : NAN;
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
    *label = a->answer.head ? NULL : name_of(a, found->label);
    *head = a->answer.head ? found->head : (size_t)-1;
    *probability = found->probability;
    return 1;
}
