/* Names of files: see path.h. */
#include "base/path.h"

#include "base/memory.h"

#include <stdarg.h>
#include <stdio.h>
#include <string.h>

char *path_in(const char *folder, struct vouch_error *err, const char *name, ...)
{
    va_list args, again;
    va_start(args, name);
    va_copy(again, args);
    int length = vsnprintf(NULL, 0, name, again);
    va_end(again);
    size_t before = strlen(folder) + 1, room = before + (size_t)length + 1;
    char *path = length >= 0 ? new_array(room, 1, err) : NULL;
    if (path) {
        snprintf(path, room, "%s/", folder);
        vsnprintf(path + before, room - before, name, args);
    } else if (length < 0) {
        fail(err, VOUCH_ERR_ARGUMENT, "%s: cannot make the name of a file in it", folder);
    }
    va_end(args);
    return path;
}

const char *path_name(const char *path)
{
    const char *slash = strrchr(path, '/');
    return slash ? slash + 1 : path;
}
