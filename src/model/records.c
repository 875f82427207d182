/*
 * Makes the JSON records of learning: see records.h. Names of files need not be UTF-8, which JSON demands: bytes that
 * are not become question marks. A record without a listener is not written.
 */
#include "model/records.h"

#include "base/memory.h"
#include "base/text.h"

#include <math.h>
#include <string.h>

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

json_t *figure_json(double figure)
{
    return isfinite(figure) ? json_real(figure) : json_null();
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
