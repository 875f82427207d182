/* Other programs: see program.h. */
#include "report/program.h"

#include "base/memory.h"

#include <errno.h>
#include <signal.h>
#include <spawn.h>
#include <string.h>
#include <sys/wait.h>
#include <time.h>
#include <unistd.h>

extern char **environ;

bool program_streams_open(struct program_streams *s, struct vouch_error *err)
{
    s->in = tmpfile();
    s->out = s->in ? tmpfile() : NULL;
    s->err = s->out ? tmpfile() : NULL;
    return s->err || fail(err, VOUCH_ERR_IO, "cannot create a temporary file: %s", strerror(errno));
}

void program_streams_close(struct program_streams *s)
{
    if (s->in)
        fclose(s->in);
    if (s->out)
        fclose(s->out);
    if (s->err)
        fclose(s->err);
}

char *program_stream_text(FILE *stream, size_t *length, struct vouch_error *err)
{
    char *bytes = NULL;
    size_t room = 0, got;
    *length = 0;
    rewind(stream);
    do {
        if (!RESERVE(bytes, room, *length + 4096, err)) {
            free(bytes);
            return NULL;
        }
        got = fread(bytes + *length, 1, room - *length - 1, stream);
        *length += got;
    } while (got > 0);
    bytes[*length] = '\0';
    return bytes;
}

static bool spawn(const struct program *p, pid_t *child, struct vouch_error *err)
{
    posix_spawn_file_actions_t actions;
    if (posix_spawn_file_actions_init(&actions) != 0)
        return fail_memory(err);
    int error = posix_spawn_file_actions_adddup2(&actions, p->in, STDIN_FILENO);
    error = error ? error : posix_spawn_file_actions_adddup2(&actions, p->out, STDOUT_FILENO);
    error = error ? error : posix_spawn_file_actions_adddup2(&actions, p->err, STDERR_FILENO);
    error = error ? error : posix_spawnp(child, p->argument[0], &actions, NULL, p->argument, environ);
    posix_spawn_file_actions_destroy(&actions);
    if (error == ENOENT || error == EACCES || error == ENOTDIR)
        return fail(err, VOUCH_ERR_IO, "%s %s, which was not found: install the package %s", p->does, p->argument[0],
                    p->package);
    return !error || fail(err, VOUCH_ERR_IO, "%s: cannot start: %s", p->argument[0], strerror(error));
}

/* One that can be stopped is asked about every few milliseconds: a signal that comes between two waits is not missed.
 */
static bool wait_for(const struct program *p, pid_t child, int *status, struct vouch_error *err)
{
    static const struct timespec moment = {0, 20 * 1000000};
    bool told = false;
    for (pid_t ended; (ended = waitpid(child, status, p->stop ? WNOHANG : 0)) != child;) {
        if (ended < 0 && errno != EINTR)
            return fail(err, VOUCH_ERR_IO, "%s: %s", p->argument[0], strerror(errno));
        if (p->stop && !told && p->stop())
            told = kill(child, SIGTERM) == 0;
        if (p->stop)
            nanosleep(&moment, NULL);
    }
    return true;
}

bool program_run(const struct program *program, int *status, struct vouch_error *err)
{
    pid_t child;
    return spawn(program, &child, err) && wait_for(program, child, status, err);
}
