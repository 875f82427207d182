/*
 * Writes sentences in colour: see colour.h.
 *
 * Types of chunks take colours in the order of the model's labels, so that a type has the same colour in every
 * sentence. Words are written with their control characters made visible: a text cannot colour anything itself.
 */
#include "cli/colour.h"

#include "core/scheme.h"
#include "answer/doubt.h"

#define LEAST "1;7;31"
#define LITTLE "4;33"

/* The confidences below which a word is marked as very doubtful, and as doubtful. */
struct limits {
    double least, little;
};

static struct limits limits_of(const struct method_confidence *by_method)
{
    return by_method->margin ? (struct limits){0.3, 1} : (struct limits){0.5, 0.8};
}

double colour_limit(const struct method_confidence *by_method)
{
    return limits_of(by_method).little;
}

/* Returns the colour of a type of chunk, in the order of the model's labels. */
static int colour_of(const struct vouch_model *model, struct text type)
{
    static const int colours[] = {32, 33, 34, 35, 36, 31};
    enum { COLOURS = sizeof colours / sizeof *colours };
    struct text seen[COLOURS], other;
    uint32_t count = 0;
    for (uint32_t y = 0; y < labels_count(&model->labels) && count < COLOURS; y++) {
        bool known = scheme_split(labels_name(&model->labels, y), &other) == 'O'; /* O has no colour */
        for (uint32_t i = 0; i < count; i++)
            known = known || text_equal(seen[i], other);
        if (!known && text_equal(other, type))
            break;
        if (!known)
            seen[count++] = other;
    }
    return colours[count % COLOURS];
}

/* Writes text with its control characters made visible, so that it cannot colour anything. */
static void put(struct output *out, struct text text)
{
    while (text.length > 0) {
        struct text shown = text_visible(&text);
        output_write(out, shown.at, shown.length);
    }
}

static void put_mark(struct output *out, const char *mark, struct text text)
{
    output_printf(out, "\033[0;2m%s", mark);
    put(out, text);
}

/*
 * Begins to colour a word of confidence `trusted`, in a chunk of that colour
 * or, with 0, in none; returns whether the colour must be ended after the word.
 */
static bool begin(struct output *out, int colour, double trusted, struct limits limits)
{
    if (is_doubtful(trusted, limits.least))
        output_printf(out, "\033[" LEAST "m");
    else if (colour)
        output_printf(out, "\033[1;%s%dm", is_doubtful(trusted, limits.little) ? "4;" : "", colour);
    else if (is_doubtful(trusted, limits.little))
        output_printf(out, "\033[" LITTLE "m");
    return colour || is_doubtful(trusted, limits.little);
}

/* Whether the chunk of word `i`, whose label is of the type, ends with it. */
static bool ends(const struct text *label, uint32_t N, uint32_t i, char prefix, struct text type)
{
    struct text next;
    char following = i + 1 < N ? scheme_split(label[i + 1], &next) : 'O';
    return !prefix || following == 'O' || following == 'B' || following == 'S' || !text_equal(type, next);
}

/* Writes what follows a word: the type of a chunk that ends with it, or the head of a doubtful one. */
static void put_note(struct output *out, const struct sentence *s, const struct text *label,
                     const struct vouch_answer *answer, uint32_t i, bool doubted)
{
    struct text type;
    if (answer->head) {
        uint32_t head = answer->head[i];
        if (doubted)
            put_mark(out, "<", head > 0 ? sentence_cell(s, head - 1, 1) : text_of("ROOT"));
        return;
    }
    char prefix = scheme_split(label[i], &type);
    if (prefix != 'O' && ends(label, s->N, i, prefix, type))
        put_mark(out, "/", type);
}

bool colour_sentence(struct colouring *c, const struct sentence *s, const struct text *label,
                     const struct vouch_answer *answer, struct vouch_error *err)
{
    const struct confidences *confidences = answer->confidences ? answer->confidences : &(struct confidences){0};
    struct limits limits = confidences->methods > 0 ? limits_of(confidences->by_method) : (struct limits){0};
    bool tree = answer->head != NULL;
    if (!RESERVE(c->least, c->least_capacity, (size_t)s->N + 1, err))
        return false;
    least_confidence(confidences, s->N, c->least);
    for (uint32_t i = 0; i < s->N; i++) {
        struct text type, word = tree ? sentence_cell(s, i, 1) : sentence_form(s, i);
        bool inside = !tree && scheme_split(label[i], &type) != 'O';
        bool begun = begin(c->out, inside ? colour_of(c->model, type) : 0, c->least[i], limits);
        put(c->out, word.length == 0 && !tree ? text_of("_") : word);
        put_note(c->out, s, label, answer, i, begun);
        output_printf(c->out, "%s%s", begun ? "\033[0m" : "", i + 1 < s->N ? " " : "");
    }
    output_write(c->out, "\n", 1);
    return true;
}

void colour_legend(struct colouring *c, const struct method_confidence *shown)
{
    struct limits limits = limits_of(shown);
    output_printf(c->out, "\033[2mconfidence by ");
    put(c->out, text_of(shown->method));
    output_printf(c->out, " (%s):\033[0m \033[" LEAST "mbelow %g\033[0m \033[" LITTLE "mbelow %g\033[0m\n",
                  shown->calibrated ? "calibrated" : "raw: it ranks, and is no probability", limits.least,
                  limits.little);
}

void colouring_release(struct colouring *c)
{
    free(c->least);
    *c = (struct colouring){0};
}
