/*
 * Parses and applies views. Cases and classes of characters beyond ASCII are utf8proc's; ASCII takes a path of its own,
 * since most cells have nothing else. Time: linear in the cell.
 */
#include "task/view.h"

#include "task/lexicon.h"

#include <utf8proc.h>

static const struct {
    const char *name;
    enum view_kind kind;
    bool counted;
} kinds[] = {
    {"x", VIEW_CELL, false},      {"lower", VIEW_LOWER, false},  {"X", VIEW_LOWER_ASCII, false},
    {"shape", VIEW_SHAPE, false}, {"prefix", VIEW_PREFIX, true}, {"suffix", VIEW_SUFFIX, true},
    {"brief", VIEW_BRIEF, false},
};

bool view_parse(struct text name, struct view *view)
{
    for (size_t i = 0; i < sizeof kinds / sizeof *kinds; i++) {
        size_t length = strlen(kinds[i].name);
        if (!text_starts(name, kinds[i].name) || name.length != length + kinds[i].counted)
            continue;
        uint32_t count = 0;
        if (kinds[i].counted) {
            char digit = name.at[length];
            if (digit < '1' || digit > '9')
                return false;
            count = (uint32_t)(digit - '0');
        }
        view->kind = kinds[i].kind;
        view->length = count;
        return true;
    }
    return false;
}

static struct text prefix(struct text cell, uint32_t characters)
{
    uint32_t i = 0;
    for (uint32_t n = 0; n < characters && i < cell.length; n++)
        i += utf8_width(cell.at[i]);
    return i < cell.length ? (struct text){cell.at, i} : (struct text){NULL, 0};
}

static struct text suffix(struct text cell, uint32_t characters)
{
    uint32_t i = cell.length;
    for (uint32_t n = 0; n < characters && i > 0; n++) {
        i--;
        while (i > 0 && ((unsigned char)cell.at[i] & 0xC0) == 0x80)
            i--;
    }
    return i > 0 ? (struct text){cell.at + i, cell.length - i} : (struct text){NULL, 0};
}

static char ascii_class(unsigned char c)
{
    if (c >= 'A' && c <= 'Z')
        return 'X';
    if (c >= 'a' && c <= 'z')
        return 'x';
    return c >= '0' && c <= '9' ? 'd' : (char)c;
}

/* Returns the class letter of a code point beyond ASCII, or 0: it stands for itself. */
static char unicode_class(utf8proc_int32_t point)
{
    switch (utf8proc_category(point)) {
    case UTF8PROC_CATEGORY_LU:
    case UTF8PROC_CATEGORY_LT:
        return 'X';
    case UTF8PROC_CATEGORY_LL:
        return 'x';
    case UTF8PROC_CATEGORY_LM:
    case UTF8PROC_CATEGORY_LO:
    case UTF8PROC_CATEGORY_MN:
    case UTF8PROC_CATEGORY_MC:
        return 'c';
    case UTF8PROC_CATEGORY_ND:
    case UTF8PROC_CATEGORY_NL:
    case UTF8PROC_CATEGORY_NO:
        return 'd';
    default:
        return 0;
    }
}

/* Writes the class of each character to `out`, which has room for the cell; returns the length. */
static uint32_t shape(struct text cell, bool brief, char *out)
{
    uint32_t to = 0, last_at = 0, last_length = 0;
    for (uint32_t i = 0; i < cell.length;) {
        uint32_t width = utf8_width(cell.at[i]), written = to;
        utf8proc_int32_t point = 0;
        char class = ascii_class((unsigned char)cell.at[i]);
        if (width > 1) {
            utf8proc_iterate((const utf8proc_uint8_t *)cell.at + i, (utf8proc_ssize_t)(cell.length - i), &point);
            class = unicode_class(point);
        }
        if (class)
            out[to++] = class;
        else {
            memcpy(out + to, cell.at + i, width);
            to += width;
        }
        i += width;
        uint32_t length = to - written;
        if (brief && last_length == length && memcmp(out + last_at, out + written, length) == 0)
            to = written;
        else
            last_at = written, last_length = length;
    }
    return to;
}

/* Writes the cell with ASCII letters in lower case. */
static uint32_t lower_ascii(struct text cell, char *out)
{
    for (uint32_t i = 0; i < cell.length; i++)
        out[i] = cell.at[i] >= 'A' && cell.at[i] <= 'Z' ? (char)(cell.at[i] + 32) : cell.at[i];
    return cell.length;
}

/* Shows a class: behind the place of the word in its phrase, classes are separated by tabs. */
static bool class_seen(const struct view *view, struct text cell, struct view_buffer *buffer, struct text *seen,
                       struct vouch_error *err)
{
    struct text rest = {cell.at + 1, cell.length - 1}, class = text_cut(&rest, '\t'), start;
    for (uint32_t c = 0; c < view->class_column; c++)
        class = text_cut(&rest, '\t');
    start = view->length ? prefix(class, view->length) : class;
    class = start.at ? start : class;
    *seen = class.length ? class : (struct text){NULL, 0};
    if (!class.length || cell.at[0] == PLACE_ALONE)
        return true;
    if (!RESERVE(buffer->bytes, buffer->capacity, (size_t)class.length + 2, err))
        return false;
    buffer->bytes[0] = cell.at[0];
    buffer->bytes[1] = '-';
    memcpy(buffer->bytes + 2, class.at, class.length);
    *seen = (struct text){buffer->bytes, class.length + 2};
    return true;
}

bool view_apply(const struct view *view, struct text cell, struct view_buffer *buffer, struct text *seen,
                struct vouch_error *err)
{
    switch (view->kind) {
    case VIEW_CELL:
        *seen = cell;
        return true;
    case VIEW_PREFIX:
        *seen = prefix(cell, view->length);
        return true;
    case VIEW_SUFFIX:
        *seen = suffix(cell, view->length);
        return true;
    case VIEW_CLASS:
        return class_seen(view, cell, buffer, seen, err);
    default:
        break;
    }
    if (!RESERVE(buffer->bytes, buffer->capacity, 4 * (size_t)cell.length + 1, err))
        return false;
    uint32_t length = view->kind == VIEW_LOWER         ? text_lower(cell, buffer->bytes)
                      : view->kind == VIEW_LOWER_ASCII ? lower_ascii(cell, buffer->bytes)
                                                       : shape(cell, view->kind == VIEW_BRIEF, buffer->bytes);
    *seen = (struct text){buffer->bytes, length};
    return true;
}
