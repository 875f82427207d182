/* Makes and splits names of files: see path.h. */
#include "base/path.h"

#include "base/buffer.h"

#include <stdarg.h>
#include <string.h>

char *path_in(const char *folder, struct vouch_error *err, const char *name, ...)
{
    struct buffer path = {0};
    va_list args;
    va_start(args, name);
    bool ok = buffer_print(&path, err, "%s/", folder) && buffer_print_list(&path, err, name, args);
    va_end(args);
    if (ok)
        return path.bytes;
    free(path.bytes);
    return NULL;
}

const char *path_name(const char *path)
{
    const char *slash = strrchr(path, '/');
    return slash ? slash + 1 : path;
}
