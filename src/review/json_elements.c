/*
 * Finds the elements of an array in JSON: see json_elements.h.
 *
 * It is a walk over the bytes that looks only for strings, brackets and commas,
 * since a parser has accepted the line before. Linear; no memory.
 */
#include "review/json_elements.h"

/* The rest of a line, from `at` on. */
struct walk {
    const char *at, *end;
};

static bool is_space(char c)
{
    return c == ' ' || c == '\t' || c == '\r' || c == '\n';
}

static void skip_blanks(struct walk *w)
{
    while (w->at < w->end && is_space(*w->at))
        w->at++;
}

static bool take(struct walk *w, char c)
{
    skip_blanks(w);
    if (w->at == w->end || *w->at != c)
        return false;
    w->at++;
    return true;
}

/* Takes a string with its quotes. */
static struct text take_string(struct walk *w)
{
    const char *from = w->at;
    if (take(w, '"')) {
        while (w->at < w->end && *w->at != '"')
            w->at += *w->at == '\\' && w->at + 1 < w->end ? 2 : 1;
        w->at += w->at < w->end;
    }
    return (struct text){from, (uint32_t)(w->at - from)};
}

/* Takes a value of any kind, up to the comma or bracket after it. */
static struct text take_value(struct walk *w)
{
    skip_blanks(w);
    const char *from = w->at, *last = w->at;
    for (uint32_t depth = 0; w->at < w->end; last = w->at) {
        char c = *w->at;
        if (depth == 0 && (c == ',' || c == ']' || c == '}'))
            break;
        depth += c == '[' || c == '{';
        depth -= c == ']' || c == '}';
        if (c == '"')
            take_string(w);
        else
            w->at++;
        if (depth == 0)
            skip_blanks(w);
    }
    while (last > from && is_space(last[-1]))
        last--;
    return (struct text){from, (uint32_t)(last - from)};
}

static bool key_is(struct text string, const char *key)
{
    size_t length = strlen(key);
    return string.length == length + 2 && memcmp(string.at + 1, key, length) == 0;
}

static uint32_t take_elements(struct walk *w, struct text *element, uint32_t most)
{
    uint32_t count = 0;
    if (take(w, ']'))
        return 0;
    do {
        struct text value = take_value(w);
        if (count < most)
            element[count] = value;
        count++;
    } while (take(w, ','));
    return count;
}

uint32_t json_elements(struct text line, const char *key, struct text *element, uint32_t most)
{
    struct walk w = {line.at, line.at + line.length};
    if (!take(&w, '{'))
        return NO_ELEMENTS;
    do {
        skip_blanks(&w);
        struct text name = take_string(&w);
        if (name.length == 0 || !take(&w, ':'))
            return NO_ELEMENTS;
        if (!key_is(name, key))
            take_value(&w);
        else
            return take(&w, '[') ? take_elements(&w, element, most) : NO_ELEMENTS;
    } while (take(&w, ','));
    return NO_ELEMENTS;
}
