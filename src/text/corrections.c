/* Applies what was decided about the words of a file: see corrections.h. Linear in the corrections. */
#include "text/corrections.h"

bool corrections_add(struct corrections *c, struct correction correction, struct text label, struct vouch_error *err)
{
    correction.at = c->text.length;
    correction.length = label.length;
    if (!RESERVE(c->item, c->capacity, c->count + 1, err) || !buffer_add(&c->text, label, err))
        return false;
    c->item[c->count++] = correction;
    c->changed += correction.changed;
    c->kept += !correction.changed;
    return true;
}

void corrections_release(struct corrections *c)
{
    free(c->item);
    free(c->text.bytes);
    *c = (struct corrections){0};
}

void corrections_of(const struct corrections *c, const struct sentence *sentence, size_t *next, size_t *from,
                    size_t *to)
{
    while (*next < c->count && c->item[*next].line < sentence->number)
        (*next)++;
    *from = *next;
    while (*next < c->count && c->item[*next].line == sentence->number)
        (*next)++;
    *to = *next;
}

void corrections_make(const struct corrections *c, size_t from, size_t to, struct sentence *s)
{
    for (size_t i = from; i < to; i++) {
        const struct correction *made = &c->item[i];
        if (made->word >= s->N)
            continue;
        s->gold[made->word] = (struct text){c->text.bytes + made->at, (uint32_t)made->length};
        if (s->tree)
            s->head[made->word] = made->head;
    }
    s->roots = 0;
    for (uint32_t n = 0; s->tree && n < s->N; n++)
        s->roots += s->head[n] == 0;
}
