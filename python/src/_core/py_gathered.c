/* Answers of the library in flat arrays: see py_gathered.h. It takes time in proportion to what is appended. */
#include "py_gathered.h"

#include <stdlib.h>

struct column *gathered_column(struct gathered *from, enum gathered_column kind, size_t method)
{
    if (kind < GATHERED_CONFIDENCE)
        return from->own + kind;
    return from->by_method + (size_t)(kind - GATHERED_CONFIDENCE) * from->methods + method;
}

typedef int (*choice_of)(const vouch_answer *answer, size_t word, size_t choice, const char **label, size_t *head,
                         double *probability);

/* Appends the choices of a word to the four columns that begin at `offsets`. */
static bool gather_choices(struct names *names, struct column *offsets, const vouch_answer *answer, size_t word,
                           size_t count, choice_of get)
{
    struct column *probabilities = offsets + 3;
    for (size_t i = 0; i < count; i++) {
        const char *label = NULL;
        size_t head = (size_t)-1;
        double probability = 0;
        get(answer, word, i, &label, &head, &probability);
        if (!append_name(names, offsets + 1, label) || !append_int32(offsets + 2, head) ||
            !append_double(probabilities, probability))
            return false;
    }
    return append_int64(offsets, (int64_t)(probabilities->used / sizeof(double)));
}

/* A member of a word's set of relations; there is no head to tell. */
static int relation_of(const vouch_answer *answer, size_t word, size_t member, const char **relation, size_t *head,
                       double *probability)
{
    (void)head;
    return vouch_answer_relation(answer, word, member, relation, probability);
}

static bool gather_word(struct gathered *to, struct names *names, const vouch_answer *answer, size_t word)
{
    char doubtful = (char)vouch_answer_is_doubtful(answer, word);
    bool ok = append_name(names, to->own + GATHERED_LABEL, vouch_answer_label(answer, word)) &&
              append(to->own + GATHERED_DOUBTFUL, &doubtful, 1) &&
              (!to->trees || append_int32(to->own + GATHERED_HEAD, vouch_answer_head(answer, word)));
    for (size_t m = 0; ok && m < to->methods; m++)
        ok = append_double(gathered_column(to, GATHERED_CONFIDENCE, m), vouch_answer_confidence(answer, m, word)) &&
             (!to->trees || append_double(gathered_column(to, GATHERED_RELATION, m),
                                          vouch_answer_relation_confidence(answer, m, word)));
    return ok &&
           gather_choices(names, to->own + GATHERED_ALTERNATIVES, answer, word,
                          vouch_answer_alternatives(answer, word), vouch_answer_alternative) &&
           gather_choices(names, to->own + GATHERED_SETS, answer, word, vouch_answer_set(answer, word),
                          vouch_answer_set_member) &&
           gather_choices(names, to->own + GATHERED_RELATION_SETS, answer, word, vouch_answer_relations(answer, word),
                          relation_of);
}

static bool gather_span(struct gathered *to, struct names *names, const vouch_answer *answer, size_t span)
{
    size_t start = 0, end = 0;
    const char *type = NULL;
    vouch_answer_span(answer, span, &start, &end, &type);
    bool ok = append_int32(to->own + GATHERED_SPAN_START, start) && append_int32(to->own + GATHERED_SPAN_END, end) &&
              append_name(names, to->own + GATHERED_SPAN_TYPE, type);
    for (size_t m = 0; ok && m < to->methods; m++)
        ok = append_double(gathered_column(to, GATHERED_SPAN, m), vouch_answer_span_confidence(answer, m, span));
    return ok;
}

bool gather_answer(struct gathered *to, struct names *names, const vouch_answer *answer)
{
    size_t words = vouch_answer_words(answer), spans = vouch_answer_spans(answer);
    bool ok = true;
    for (size_t w = 0; ok && w < words; w++)
        ok = gather_word(to, names, answer, w);
    for (size_t s = 0; ok && s < spans; s++)
        ok = gather_span(to, names, answer, s);
    for (size_t m = 0; ok && m < to->methods; m++)
        ok = append_double(gathered_column(to, GATHERED_SENTENCE, m), vouch_answer_sentence_confidence(answer, m));
    to->sentences++;
    to->words += (int64_t)words;
    to->spans += (int64_t)spans;
    return ok && append_int64(to->own + GATHERED_OFFSETS, to->words) &&
           append_int64(to->own + GATHERED_SPAN_OFFSETS, to->spans);
}

static void lend(struct column *column, char *room)
{
    *column = (struct column){.bytes = room, .capacity = GATHERED_ROOM, .lent = true};
}

bool gathered_begin(struct gathered *to, size_t methods, bool trees)
{
    static const enum gathered_column offsets[] = {GATHERED_OFFSETS, GATHERED_SPAN_OFFSETS, GATHERED_FORM_OFFSETS,
                                                   GATHERED_ALTERNATIVES, GATHERED_SETS, GATHERED_RELATION_SETS};
    enum { BY_METHOD = GATHERED_KINDS - GATHERED_CONFIDENCE };
    to->methods = methods;
    to->trees = trees;
    to->sentences = to->words = to->spans = 0;
    for (size_t i = 0; i < GATHERED_CONFIDENCE; i++)
        lend(to->own + i, to->room[i]);
    for (size_t i = 0; i < BY_METHOD; i++)
        lend(to->one + i, to->room[GATHERED_CONFIDENCE + i]);
    to->by_method = methods > 1 ? calloc(BY_METHOD * methods, sizeof *to->by_method) : to->one;
    bool ok = to->by_method != NULL;
    for (size_t i = 0; ok && i < sizeof offsets / sizeof *offsets; i++)
        ok = append_int64(to->own + offsets[i], 0);
    return ok;
}

bool gathered_reserve(struct gathered *to, size_t sentences, size_t words)
{
    bool ok = sentences < SIZE_MAX / 16 && words < SIZE_MAX / 16 &&
              column_reserve(to->own + GATHERED_OFFSETS, sentences * sizeof(int64_t)) &&
              column_reserve(to->own + GATHERED_SPAN_OFFSETS, sentences * sizeof(int64_t)) &&
              column_reserve(to->own + GATHERED_LABEL, words * sizeof(int32_t)) &&
              column_reserve(to->own + GATHERED_DOUBTFUL, words) &&
              column_reserve(to->own + GATHERED_ALTERNATIVES, words * sizeof(int64_t)) &&
              column_reserve(to->own + GATHERED_SETS, words * sizeof(int64_t)) &&
              column_reserve(to->own + GATHERED_RELATION_SETS, words * sizeof(int64_t)) &&
              (!to->trees || column_reserve(to->own + GATHERED_HEAD, words * sizeof(int32_t)));
    for (size_t m = 0; ok && m < to->methods; m++)
        ok = column_reserve(gathered_column(to, GATHERED_CONFIDENCE, m), words * sizeof(double)) &&
             column_reserve(gathered_column(to, GATHERED_SENTENCE, m), sentences * sizeof(double)) &&
             (!to->trees || column_reserve(gathered_column(to, GATHERED_RELATION, m), words * sizeof(double)));
    return ok;
}

/* Appends offsets, which count from what `to` has already. */
static bool append_offsets(struct column *to, const struct column *from)
{
    const int64_t *offset = (const int64_t *)(const void *)from->bytes;
    int64_t base;
    memcpy(&base, to->bytes + to->used - sizeof base, sizeof base);
    bool ok = column_reserve(to, from->used);
    for (size_t i = 1; ok && i < from->used / sizeof *offset; i++)
        ok = append_int64(to, base + offset[i]);
    return ok;
}

static bool append_numbers(struct column *to, const struct column *from, const int32_t *number)
{
    const int32_t *name = (const int32_t *)(const void *)from->bytes;
    bool ok = column_reserve(to, from->used);
    for (size_t i = 0; ok && i < from->used / sizeof *name; i++)
        ok = append(to, name[i] < 0 ? name + i : number + name[i], sizeof *name);
    return ok;
}

static bool append_column(enum gathered_column kind, struct column *to, const struct column *from,
                          const int32_t *number)
{
    switch (kind) {
    case GATHERED_OFFSETS:
    case GATHERED_SPAN_OFFSETS:
    case GATHERED_FORM_OFFSETS:
    case GATHERED_ALTERNATIVES:
    case GATHERED_SETS:
    case GATHERED_RELATION_SETS:
        return append_offsets(to, from);
    case GATHERED_LABEL:
    case GATHERED_SPAN_TYPE:
    case GATHERED_ALTERNATIVE_LABEL:
    case GATHERED_SET_LABEL:
    case GATHERED_RELATION_SET_LABEL:
        return append_numbers(to, from, number);
    default:
        return append(to, from->bytes, from->used);
    }
}

bool gathered_append(struct gathered *to, struct gathered *from, const int32_t *number)
{
    bool ok = true;
    for (int kind = 0; ok && kind < GATHERED_KINDS; kind++)
        for (size_t m = 0; ok && m < (kind < GATHERED_CONFIDENCE ? 1 : to->methods); m++)
            ok = append_column((enum gathered_column)kind, gathered_column(to, (enum gathered_column)kind, m),
                               gathered_column(from, (enum gathered_column)kind, m), number);
    to->sentences += from->sentences;
    to->words += from->words;
    to->spans += from->spans;
    return ok;
}

void gathered_release(struct gathered *to)
{
    for (size_t i = 0; i < GATHERED_CONFIDENCE; i++)
        column_release(to->own + i);
    for (size_t i = 0; to->by_method && i < (GATHERED_KINDS - GATHERED_CONFIDENCE) * to->methods; i++)
        column_release(to->by_method + i);
    if (to->by_method != to->one)
        free(to->by_method);
    to->by_method = NULL;
}
