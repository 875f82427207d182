/* What the commands that write a model share: see saving.h. */
#include "cli/saving.h"

#include "base/output.h"
#include "base/text.h"

#include <string.h>
#include <stdlib.h>
#include <sys/stat.h>

json_t *saving_text(const char *string)
{
    size_t length = string ? strlen(string) : 0, bad;
    char *copy = strndup(string ? string : "", length);
    while (copy && (bad = utf8_check(copy, length)) < length)
        copy[bad] = '?';
    json_t *text = copy ? json_stringn(copy, length) : NULL;
    free(copy);
    return text;
}

json_t *saving_files(const struct settings *settings)
{
    json_t *files = json_array();
    for (size_t i = 0; i < settings->arguments; i++)
        json_array_append_new(files, saving_text(settings->argument[i]));
    return files;
}

/* Whether the file can be written. */
static bool can_write(const char *path, struct vouch_error *err)
{
    struct stat about;
    if (stat(path, &about) == 0 && !S_ISREG(about.st_mode))
        return true;
    struct output *probe = output_open(path, err);
    output_discard(probe);
    return probe != NULL;
}

/* A result must not take the place of what it is made from. */
static bool spares_inputs(const char *path_out, const struct settings *s, struct vouch_error *err)
{
    struct stat output, input;
    if (stat(path_out, &output) != 0 || !S_ISREG(output.st_mode))
        return true;
    for (size_t i = 0; i < s->arguments + 2; i++) {
        const char *path = i < s->arguments ? s->argument[i] : i == s->arguments ? s->dev : s->apply;
        if (path && stat(path, &input) == 0 && input.st_dev == output.st_dev && input.st_ino == output.st_ino)
            return fail(err, VOUCH_ERR_ARGUMENT, "%s: expected an output that is none of the inputs", path_out);
    }
    return true;
}

bool saving_possible(const char *output, const struct settings *settings, struct vouch_error *err)
{
    return spares_inputs(output, settings, err) && can_write(output, err);
}
