/*
 * Reads JSON by base/json_read.h and by Jansson's own reader, and ends the process where they differ: in what is
 * accepted, in a value to the last bit, or in the text, the code or the place of an error. The first byte chooses the
 * flags, by its rest by 8. A text with a zero byte, which Jansson loses behind a number, must only be refused.
 */
#include "fuzz.h"

#include "base/json_read.h"

/* Whether two values are the same, to the last bit of a number and in the order of keys. */
static bool same_value(const json_t *a, const json_t *b)
{
    char *left = json_dumps(a, JSON_ENCODE_ANY | JSON_REAL_PRECISION(17));
    char *right = json_dumps(b, JSON_ENCODE_ANY | JSON_REAL_PRECISION(17));
    bool same = left && right && strcmp(left, right) == 0;
    free(left);
    free(right);
    return same;
}

static bool same_error(const json_error_t *a, const json_error_t *b)
{
    return strcmp(a->text, b->text) == 0 && json_error_code(a) == json_error_code(b) && a->line == b->line &&
           a->column == b->column && a->position == b->position;
}

int LLVMFuzzerTestOneInput(const uint8_t *bytes, size_t length)
{
    if (length < 1)
        return 0;
    size_t flags = (bytes[0] & 1 ? JSON_REJECT_DUPLICATES : 0) | (bytes[0] & 2 ? JSON_DISABLE_EOF_CHECK : 0) |
                   (bytes[0] & 4 ? JSON_DECODE_ANY : 0);
    const char *text = (const char *)bytes + 1;
    json_error_t ours, theirs;
    json_t *found = json_read(text, length - 1, flags, &ours);
    if (memchr(text, '\0', length - 1)) {
        if (found && (!(flags & JSON_DISABLE_EOF_CHECK) || memchr(text, '\0', (size_t)ours.position)))
            abort();
    } else {
        json_t *expected = json_loadb(text, length - 1, flags, &theirs);
        if (!expected != !found ||
            (found ? !same_value(found, expected) || ours.position != theirs.position : !same_error(&ours, &theirs))) {
            fprintf(stderr, "expected %s at %d:%d (%d), found %s at %d:%d (%d)\n", expected ? "a value" : theirs.text,
                    theirs.line, theirs.column, theirs.position, found ? "a value" : ours.text, ours.line, ours.column,
                    ours.position);
            abort();
        }
        json_decref(expected);
    }
    json_decref(found);
    return 0;
}
