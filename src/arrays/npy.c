/*
 * .npy: one array of NumPy.
 *
 *     "\x93NUMPY" major minor      versions 1.0, 2.0 and 3.0
 *     length of the header         2 bytes in version 1, 4 in the others, the least significant first
 *     header                       {'descr': '<f4', 'fortran_order': False, 'shape': (3, 4), } as Python writes it
 *     numbers
 *
 * Source: NEP 1 and numpy.lib.format. The header is read as what NumPy writes: a dict of exactly these three keys, in
 * any order, with a string, a boolean and a tuple of integers (which Python 2 ended with L). Types that are not a
 * string, those of records, are refused; so are bytes after the numbers.
 */
#include "arrays/array_file.h"

#include <inttypes.h>

static const unsigned char magic[6] = {0x93, 'N', 'U', 'M', 'P', 'Y'};

struct cursor {
    const char *at, *end;
};

bool npy_starts(const unsigned char *bytes, size_t size)
{
    return size >= sizeof magic && memcmp(bytes, magic, sizeof magic) == 0;
}

static void skip_blank(struct cursor *c)
{
    while (c->at < c->end && (*c->at == ' ' || *c->at == '\n' || *c->at == '\t' || *c->at == '\r'))
        c->at++;
}

/* Takes a word or a sign, after any blanks. */
static bool take(struct cursor *c, const char *word)
{
    skip_blank(c);
    size_t length = strlen(word);
    if ((size_t)(c->end - c->at) < length || memcmp(c->at, word, length) != 0)
        return false;
    c->at += length;
    return true;
}

/* Takes a string in quotes of either kind, without escapes. */
static bool take_string(struct cursor *c, struct text *string)
{
    skip_blank(c);
    if (c->at == c->end || (*c->at != '\'' && *c->at != '"'))
        return false;
    const char *begin = c->at + 1, *end = memchr(begin, *c->at, (size_t)(c->end - begin));
    if (!end || end - begin > 1000 || memchr(begin, '\\', (size_t)(end - begin)) ||
        memchr(begin, '\0', (size_t)(end - begin)) || utf8_check(begin, (size_t)(end - begin)) < (size_t)(end - begin))
        return false;
    *string = (struct text){begin, (uint32_t)(end - begin)};
    c->at = end + 1;
    return true;
}

static bool take_size(struct cursor *c, uint64_t *size)
{
    skip_blank(c);
    const char *begin = c->at;
    for (*size = 0; c->at < c->end && *c->at >= '0' && *c->at <= '9'; c->at++) {
        if (*size > (INT64_MAX - 9) / 10) {
            c->at = begin;
            return false;
        }
        *size = *size * 10 + (uint64_t)(*c->at - '0');
    }
    if (c->at == begin)
        return false;
    if (c->at < c->end && *c->at == 'L')
        c->at++;
    return true;
}

static bool fail_header(const struct array *array, struct cursor c, struct vouch_error *err, const char *expected)
{
    struct text found = {c.at, c.end - c.at > 40 ? 40 : (uint32_t)(c.end - c.at)};
    const char *nul = memchr(found.at, '\0', found.length);
    found.length = nul ? (uint32_t)(nul - found.at) : found.length;
    found.length = (uint32_t)utf8_check(found.at, found.length);
    return array_fail(array, err, "expected %s in the header, found '%.*s'", expected, (int)found.length, found.at);
}

static bool take_shape(struct cursor *c, struct array *array, struct vouch_error *err)
{
    if (!take(c, "("))
        return fail_header(array, *c, err, "a tuple of dimensions");
    bool comma = true; /* (3) is a number and no tuple */
    for (array->rank = 0; !take(c, ")"); array->rank++) {
        if (array->rank == ARRAY_RANK)
            return array_fail(array, err, "expected at most %d dimensions, found more", ARRAY_RANK);
        if (!comma || !take_size(c, &array->shape[array->rank]))
            return fail_header(array, *c, err, "a dimension that fits 63 bits");
        comma = take(c, ",");
    }
    return array->rank != 1 || comma || fail_header(array, *c, err, "a tuple of dimensions");
}

/* "<f4": byte order, kind, bytes of a value. Whatever is not a number that we read is another type. */
static void set_type(struct array_type *type, struct text descr)
{
    *type = (struct array_type){.kind = ARRAY_OTHER};
    memcpy(type->name, descr.at, (size_t)text_beginning(descr, ARRAY_TYPE_NAME - 1));
    if (descr.length != 3)
        return;
    uint32_t size = (uint32_t)(descr.at[2] - '0');
    bool known = size == 1 || size == 2 || size == 4 || size == 8, one = size == 1;
    if (!known || (one ? descr.at[0] != '|' : descr.at[0] != '<' && descr.at[0] != '>'))
        return;
    enum array_kind kind = descr.at[1] == 'i'           ? ARRAY_INTEGER
                           : descr.at[1] == 'u'         ? ARRAY_UNSIGNED
                           : descr.at[1] == 'f' && !one ? ARRAY_FLOAT
                                                        : ARRAY_OTHER;
    if (kind == ARRAY_OTHER)
        return;
    type->kind = kind;
    type->size = size;
    type->big = descr.at[0] == '>';
}

static bool take_descr(struct cursor *c, struct array *array, struct vouch_error *err)
{
    struct text descr;
    if (!take_string(c, &descr))
        return fail_header(array, *c, err, "a type such as '<f4'");
    set_type(&array->type, descr);
    return true;
}

static bool take_order(struct cursor *c, struct array *array, struct vouch_error *err)
{
    array->fortran = take(c, "True");
    return array->fortran || take(c, "False") || fail_header(array, *c, err, "True or False");
}

static bool read_header(struct cursor c, struct array *array, struct vouch_error *err)
{
    static const struct {
        const char *key;
        bool (*take)(struct cursor *c, struct array *array, struct vouch_error *err);
    } field[] = {{"descr", take_descr}, {"fortran_order", take_order}, {"shape", take_shape}};
    enum { FIELDS = sizeof field / sizeof *field };
    unsigned seen = 0;
    bool comma = true;
    if (!take(&c, "{"))
        return fail_header(array, c, err, "a dict");
    while (!take(&c, "}")) {
        struct text key;
        struct cursor before = c;
        unsigned i = 0;
        if (!comma || !take_string(&c, &key) || !take(&c, ":"))
            return fail_header(array, before, err, "a key");
        while (i < FIELDS && !text_is(key, field[i].key))
            i++;
        if (i == FIELDS || seen >> i & 1)
            return fail_header(array, before, err, "the keys descr, fortran_order and shape, once each,");
        if (!field[i].take(&c, array, err))
            return false;
        seen |= 1u << i;
        comma = take(&c, ",");
    }
    if (seen != (1u << FIELDS) - 1)
        return fail_header(array, c, err, "the keys descr, fortran_order and shape, once each,");
    skip_blank(&c);
    return c.at == c.end || fail_header(array, c, err, "the end of the dict");
}

bool npy_array(struct array *array, const unsigned char *bytes, size_t size, struct vouch_error *err)
{
    if (!npy_starts(bytes, size) || size < 8)
        return array_fail(array, err, "expected a .npy file, found something else");
    unsigned major = bytes[6], minor = bytes[7], width = major == 1 ? 2 : 4;
    if (major < 1 || major > 3 || minor != 0)
        return array_fail(array, err, "expected version 1.0, 2.0 or 3.0 of .npy, found %u.%u", major, minor);
    uint64_t length = size < 8 + width ? 0 : little(bytes + 8, width);
    if (size < 8 + width || length > size - 8 - width)
        return array_fail(array, err, "expected a header of %" PRIu64 " bytes, found that the file ends in it", length);
    const unsigned char *header = bytes + 8 + width;
    struct cursor c = {(const char *)header, (const char *)header + length};
    if (!read_header(c, array, err))
        return false;
    array->bytes = header + length;
    return array_check(array, size - 8 - width - length, err);
}

bool npy_open(struct array_file *file, struct vouch_error *err)
{
    struct array *array = array_file_add(file, text_of(""), err);
    return array && npy_array(array, file->bytes, file->size, err);
}
