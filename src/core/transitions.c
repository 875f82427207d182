/*
 * Makes the table of transitions of a scheme, and rules out the others: see transitions.h.
 */
#include "core/transitions.h"

#include "core/sentence.h"

#include <math.h>

bool transitions_init(struct transitions *t, enum scheme scheme, const struct text *label, uint32_t labels,
                      struct vouch_error *err)
{
    size_t Y = labels;
    *t = (struct transitions){.labels = labels};
    if (!(t->allowed = new_array((Y + 1) * (Y + 1), sizeof *t->allowed, err)))
        return false;
    for (size_t left = 0; left <= Y; left++)
        for (size_t right = 0; right <= Y; right++)
            t->allowed[left * (Y + 1) + right] =
                scheme_allows(scheme, left < Y ? label[left] : text_of("O"), right < Y ? label[right] : text_of("O"));
    return true;
}

void transitions_release(struct transitions *t)
{
    free(t->allowed);
    *t = (struct transitions){0};
}

/* Whether the type of label `here` has the label of this letter, too. */
static bool has_letter(const struct text *label, uint32_t labels, uint32_t here, char letter)
{
    struct text type, other;
    scheme_split(label[here], &type);
    for (uint32_t y = 0; y < labels; y++)
        if (scheme_split(label[y], &other) == letter && text_equal(type, other))
            return true;
    return false;
}

bool transitions_suffice(enum scheme scheme, const struct text *label, uint32_t labels)
{
    bool outside = false;
    for (uint32_t y = 0; y < labels; y++) {
        struct text type;
        char prefix = scheme_split(label[y], &type);
        outside = outside || prefix == 'O';
        if (!prefix)
            return false;
        if (prefix == 'O')
            continue;
        bool single = scheme == SCHEME_BIOES && has_letter(label, labels, y, 'S');
        bool several =
            has_letter(label, labels, y, 'B') && (scheme == SCHEME_IOB2 || has_letter(label, labels, y, 'E'));
        if (scheme == SCHEME_IOB1 ? !has_letter(label, labels, y, 'I') : !single && !several)
            return false;
    }
    return outside && scheme != SCHEME_NONE;
}

void transitions_rule_out(const struct transitions *t, struct scores *scores)
{
    size_t Y = scores->width, step = Y + 1, last = scores->N > 0 ? scores->N - 1 : 0;
    if (!t->allowed || scores->N == 0)
        return;
    for (size_t y = 0; y < Y; y++) {
        if (!t->allowed[Y * step + y])
            scores->node[y] = -INFINITY;
        if (!t->allowed[y * step + Y])
            scores->node[last * Y + y] = -INFINITY;
    }
    for (size_t e = 0; e < scores->E; e++)
        for (size_t left = 0; left < Y; left++)
            for (size_t right = 0; right < Y; right++)
                if (!t->allowed[left * step + right])
                    scores->edge[(e * Y + left) * Y + right] = -INFINITY;
}

/* Whether the labels follow each other so, from the outside to the outside; none is open. */
static bool follow(const struct transitions *t, const uint32_t *known, uint32_t N)
{
    size_t step = (size_t)t->labels + 1, left = t->labels;
    for (uint32_t n = 0; n < N; n++) {
        if (!t->allowed[left * step + known[n]])
            return false;
        left = known[n];
    }
    return t->allowed[left * step + t->labels];
}

/* Finds which labels of a word, or the outside behind the last one, can be reached from those of the word before. */
static void reach(const struct transitions *t, const bool *before, uint32_t known, bool *here)
{
    size_t step = (size_t)t->labels + 1;
    for (size_t right = 0; right < step; right++) {
        here[right] = false;
        for (size_t left = 0; left < step && (known == OPEN_CHOICE || right == known); left++)
            here[right] = here[right] || (before[left] && t->allowed[left * step + right]);
    }
}

bool transitions_allow(const struct transitions *t, const uint32_t *known, uint32_t N, bool *allowed,
                       struct vouch_error *err)
{
    uint32_t n = 0, Y = t->labels;
    while (n < N && known[n] != OPEN_CHOICE)
        n++;
    *allowed = !t->allowed || N == 0 || (n == N && follow(t, known, N));
    if (!t->allowed || n == N)
        return true;
    bool *row[2] = {new_array(2 * ((size_t)Y + 1), sizeof **row, err)};
    if (!row[0])
        return false;
    row[1] = row[0] + Y + 1;
    row[0][Y] = true;
    for (n = 0; n < N; n++) {
        reach(t, row[n % 2], known[n], row[(n + 1) % 2]);
        row[(n + 1) % 2][Y] = false;
    }
    reach(t, row[N % 2], Y, row[(N + 1) % 2]);
    *allowed = row[(N + 1) % 2][Y];
    free(row[0]);
    return true;
}
