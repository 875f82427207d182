/*
 * Implements what the commands that write files share: see cli.h.
 *
 * Whether a file can be written is tried before hours of work, by opening it as it will be opened and discarding that;
 * a pipe is left alone. Jansson's allocations are watched: a value that is missing in a JSON document for want of
 * memory would otherwise be left out in silence.
 */
#include "cli/cli.h"

#include "base/output.h"
#include "base/text.h"
#include "report/chart.h"
#include "model/records.h"

#include <errno.h>
#include <limits.h>
#include <stdatomic.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/stat.h>
#include <unistd.h>

static atomic_bool value_missing;

static void *json_room(size_t size)
{
    void *room = malloc(size);
    if (!room)
        value_missing = true;
    return room;
}

void saving_watch_memory(void)
{
    json_set_alloc_funcs(json_room, free);
}

bool saving_whole(struct vouch_error *err)
{
    return !value_missing || fail_memory(err);
}

json_t *saving_text(const char *string)
{
    json_t *text = header_text(string);
    value_missing = value_missing || !text;
    return text;
}

/* Whether the file can be written. */
static bool can_write(const char *path, struct vouch_error *err)
{
    struct stat about;
    if (stat(path, &about) == 0 && !S_ISREG(about.st_mode) && !S_ISDIR(about.st_mode))
        return true; /* a pipe or device: opening it might wait for its reader */
    struct output *probe = output_open(path, err);
    output_discard(probe);
    return probe != NULL;
}

static bool is_file(const struct stat *file, const char *path)
{
    struct stat other;
    return path && stat(path, &other) == 0 && other.st_dev == file->st_dev && other.st_ino == file->st_ino;
}

/*
 * Whether the file can be written, and is none of the inputs: the arguments, and the files that options name.
 * `replaces`: it is a model, which may replace the one that it is made from.
 */
static bool check_file(const char *path, const struct options *options, bool replaces, struct vouch_error *err)
{
    struct stat output;
    bool exists = stat(path, &output) == 0 && S_ISREG(output.st_mode), spared = true;
    for (size_t i = 0; exists && i < options->arguments; i++)
        spared = spared && !is_file(&output, options->argument[i]);
    for (const struct option_spec *spec = options->table->option; exists && spec->name; spec++)
        if ((spec->role & OPTION_READ) && !(replaces && (spec->role & OPTION_REPLACED)))
            for (size_t i = 0; option_file(options, spec, i); i++)
                spared = spared && !is_file(&output, option_file(options, spec, i));
    if (!spared)
        return fail(err, VOUCH_ERR_ARGUMENT, "%s: expected an output that is none of the inputs", path);
    return can_write(path, err);
}

/* Whether two names, not NULL, are of one file, which need not exist yet. Pipes and devices may be named twice. */
static bool same_output(const char *a, const char *b)
{
    struct stat one, other;
    bool exists = stat(a, &one) == 0;
    if (exists != (stat(b, &other) == 0))
        return false;
    if (exists)
        return S_ISREG(one.st_mode) && one.st_dev == other.st_dev && one.st_ino == other.st_ino;
    const char *name_a = strrchr(a, '/'), *name_b = strrchr(b, '/');
    if (strcmp(name_a ? name_a + 1 : a, name_b ? name_b + 1 : b) != 0)
        return false;
    char folder_a[PATH_MAX], folder_b[PATH_MAX];
    snprintf(folder_a, sizeof folder_a, "%.*s.", name_a ? (int)(name_a + 1 - a) : 0, a);
    snprintf(folder_b, sizeof folder_b, "%.*s.", name_b ? (int)(name_b + 1 - b) : 0, b);
    return stat(folder_a, &one) == 0 && stat(folder_b, &other) == 0 && one.st_dev == other.st_dev &&
           one.st_ino == other.st_ino;
}

bool saving_apart(const void *options, struct vouch_error *err)
{
    const char *output[MAX_OPTIONS + 1];
    char *numbers = NULL; /* beside the figure, of which a command has one at most */
    size_t outputs = 0;
    bool ok = true;
    for (const struct option_spec *spec = ((const struct options *)options)->table->option; ok && spec->name; spec++) {
        const char *path = spec->role & OPTION_WRITTEN ? option_path(options, spec) : NULL;
        if (path)
            output[outputs++] = path;
        if (path && (spec->role & OPTION_FIGURE)) {
            output[outputs++] = numbers = chart_path_of_numbers(path, err);
            ok = numbers != NULL;
        }
    }
    for (size_t i = 0; ok && i < outputs; i++)
        for (size_t j = 0; ok && j < i; j++)
            if (same_output(output[i], output[j]))
                ok = fail(err, VOUCH_ERR_ARGUMENT, "expected a file of its own for each output, found '%s' twice",
                          output[i]);
    free(numbers);
    return ok;
}

/* Whether files can be written into the folder, which need not exist yet. */
static bool check_folder(const char *folder, struct vouch_error *err)
{
    struct stat about;
    char parent[PATH_MAX];
    const char *checked = folder;
    if (stat(folder, &about) != 0) { /* it will be made, in a folder that must exist */
        size_t length = strlen(folder);
        while (length && folder[length - 1] == '/')
            length--;
        while (length && folder[length - 1] != '/')
            length--;
        snprintf(parent, sizeof parent, "%.*s.", (int)length, folder);
        checked = parent;
    }
    if (stat(checked, &about) == 0 && !S_ISDIR(about.st_mode))
        errno = ENOTDIR;
    else if (access(checked, W_OK | X_OK) == 0)
        return true;
    return fail(err, VOUCH_ERR_IO, "%s: cannot write into the folder: %s", folder, strerror(errno));
}

/* Checks a figure and the file of numbers beside it; gnuplot must be installed. */
static bool check_figure(const char *path, const struct options *options, struct vouch_error *err)
{
    char *numbers = chart_path_of_numbers(path, err);
    bool ok = numbers && check_file(path, options, false, err) && check_file(numbers, options, false, err) &&
              chart_possible(path, err);
    free(numbers);
    return ok;
}

bool saving_possible(const void *options, struct vouch_error *err)
{
    const unsigned ours = OPTION_WRITTEN | OPTION_OF_PROGRAM;
    bool ok = true;
    for (const struct option_spec *spec = ((const struct options *)options)->table->option; ok && spec->name; spec++) {
        const char *path = (spec->role & ours) == ours ? option_path(options, spec) : NULL;
        if (path && (spec->role & OPTION_FOLDER))
            ok = check_folder(path, err);
        else if (path && (spec->role & OPTION_FIGURE))
            ok = check_figure(path, options, err);
        else if (path && strcmp(path, "-") != 0)
            ok = check_file(path, options, spec->role & OPTION_REPLACED, err);
    }
    return ok;
}

bool saving_model_possible(const char *path, const void *options, struct vouch_error *err)
{
    return !path || check_file(path, options, true, err);
}
