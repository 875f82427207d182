/*
 * Makes the JSON records of learning: see records.h. Names of files need not be UTF-8, which JSON demands: bytes that
 * are not become question marks. A record without a listener is not written.
 */
#include "model/records.h"

#include "base/memory.h"
#include "base/text.h"

#include <math.h>
#include <stdio.h>
#include <string.h>

enum { KEPT_DIGITS = 8 };

void watch_record(const struct vouch_watch *watch, struct vouch_event event, json_t *record)
{
    bool told = watch && watch->tell && record;
    char *text = told ? json_dumps(record, JSON_COMPACT | JSON_REAL_PRECISION(6)) : NULL;
    event.record = text;
    watch_tell(watch, event);
    free(text);
    json_decref(record);
}

/* Replaces the paths of files that are open in this process alone, and whose numbers mean nothing to anybody else. */
static void forget_numbers(char *text)
{
    static const char path[] = "/proc/self/fd/", name[] = "(memory)";
    for (char *at = text; (at = strstr(at, path)); at += sizeof name - 1) {
        size_t length = sizeof path - 1 + strspn(at + sizeof path - 1, "0123456789");
        memcpy(at, name, sizeof name - 1);
        memmove(at + sizeof name - 1, at + length, strlen(at + length) + 1);
    }
}

json_t *header_text(const char *string)
{
    char *copy = string ? new_string(string, strlen(string), NULL) : NULL;
    if (copy)
        forget_numbers(copy);
    size_t length = copy ? strlen(copy) : 0, bad;
    while (copy && (bad = utf8_check(copy, length)) < length)
        copy[bad] = '?';
    json_t *text = copy ? json_stringn(copy, length) : NULL;
    free(copy);
    return text;
}

json_t *digests_json(const struct digest_set *set)
{
    char *text = new_array(KEPT_DIGITS * set->count + 1, 1, NULL);
    for (size_t i = 0; text && i < set->count; i++)
        snprintf(text + KEPT_DIGITS * i, KEPT_DIGITS + 1, "%08llx", (unsigned long long)kept_digest(set->digest[i]));
    json_t *string = text ? json_stringn(text, KEPT_DIGITS * set->count) : NULL;
    free(text);
    return string;
}

/* Returns the value of a hexadecimal digit; 16 if it is none. */
static unsigned hex_digit(char c)
{
    return c >= '0' && c <= '9' ? (unsigned)(c - '0') : c >= 'a' && c <= 'f' ? (unsigned)(c - 'a') + 10 : 16;
}

bool digests_read(const json_t *string, struct digest_set *set, struct vouch_error *err)
{
    const char *text = json_string_value(string);
    size_t length = json_string_length(string);
    bool sound = text && length % KEPT_DIGITS == 0;
    for (size_t i = 0; sound && i < length; i += KEPT_DIGITS) {
        uint64_t digest = 0;
        for (size_t d = 0; d < KEPT_DIGITS; d++) {
            sound = sound && hex_digit(text[i + d]) < 16;
            digest = digest << 4 | (hex_digit(text[i + d]) & 15);
        }
        if (sound && !digest_set_add(set, digest, err))
            return false;
    }
    digest_set_close(set);
    return sound || fail(err, VOUCH_ERR_FORMAT,
                         "expected the sentences that confidence was tuned on as eight hexadecimal digits each");
}

json_t *figure_json(double figure)
{
    return isfinite(figure) ? json_real(figure) : json_null();
}

bool set_named(json_t *object, struct text name, json_t *value, struct vouch_error *err)
{
    bool sound = utf8_check(name.at, name.length) == name.length;
    char *key = sound ? new_string(name.at, name.length, NULL) : NULL;
    bool ok = key && json_object_set_new(object, key, value) == 0;
    if (!key)
        json_decref(value);
    free(key);
    if (!sound)
        return fail(err, VOUCH_ERR_ARGUMENT, "expected a name in UTF-8, found '%.*s'", excerpt(name), name.at);
    return ok || fail_memory(err);
}

json_t *header_files(char *const *path, size_t paths)
{
    json_t *files = json_array();
    for (size_t i = 0; i < paths; i++)
        if (json_array_append_new(files, header_text(path[i])) != 0) {
            json_decref(files);
            return NULL;
        }
    return files;
}
