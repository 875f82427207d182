/* Maps files into memory: see mapped_file.h. */
#include "base/mapped_file.h"

#include <errno.h>
#include <fcntl.h>
#include <stdint.h>
#include <string.h>
#include <sys/mman.h>
#include <sys/stat.h>
#include <unistd.h>

static bool map(struct mapped_file *file, int fd, const char *path, struct vouch_error *err)
{
    struct stat about;
    if (fstat(fd, &about) != 0)
        return fail(err, VOUCH_ERR_IO, "%s: cannot open: %s", path, strerror(errno));
    if (S_ISDIR(about.st_mode))
        return fail(err, VOUCH_ERR_IO, "%s: cannot open: %s", path, strerror(EISDIR));
    if (!S_ISREG(about.st_mode))
        return fail(err, VOUCH_ERR_IO, "%s: expected a file, found a pipe or a device, which cannot be mapped", path);
    if ((uint64_t)about.st_size > SIZE_MAX)
        return fail_memory(err);
    static const char none[1]; /* nothing can be mapped of an empty file */
    *file = (struct mapped_file){.bytes = none, .size = (size_t)about.st_size};
    if (file->size == 0)
        return true;
    file->bytes = file->map = mmap(NULL, file->size, PROT_READ, MAP_PRIVATE, fd, 0);
    if (file->map != MAP_FAILED)
        return true;
    *file = (struct mapped_file){0};
    return fail(err, VOUCH_ERR_IO, "%s: cannot map: %s", path, strerror(errno));
}

bool mapped_file_init(struct mapped_file *file, const char *path, struct vouch_error *err)
{
    *file = (struct mapped_file){0};
    int fd = open(path, O_RDONLY | O_CLOEXEC | O_NONBLOCK); /* a pipe without a writer does not make us wait */
    if (fd < 0)
        return fail(err, VOUCH_ERR_IO, "%s: cannot open: %s", path, strerror(errno));
    bool ok = map(file, fd, path, err);
    close(fd);
    return ok;
}

void mapped_file_release(struct mapped_file *file)
{
    if (file->map)
        munmap(file->map, file->size);
    *file = (struct mapped_file){0};
}
