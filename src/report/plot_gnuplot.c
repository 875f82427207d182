/*
 * Runs gnuplot: see plot_parts.h.
 *
 * gnuplot reads a script on its standard input, which holds the numbers too,
 * and writes the figure to its standard output. Neither a shell nor the name of
 * a file is involved: gnuplot would run a name that begins with '<'.
 *
 * The streams are temporary files without a name, so that neither program can
 * block the other, as with pipes. The user's start-up files are not read (-d).
 */
#include "report/plot_parts.h"

#include "base/memory.h"

#include <errno.h>
#include <spawn.h>
#include <string.h>
#include <sys/wait.h>
#include <unistd.h>

extern char **environ;

bool plot_streams_open(struct plot_streams *s, struct vouch_error *err)
{
    s->in = tmpfile();
    s->out = s->in ? tmpfile() : NULL;
    s->err = s->out ? tmpfile() : NULL;
    return s->err || fail(err, VOUCH_ERR_IO, "cannot create a temporary file: %s", strerror(errno));
}

void plot_streams_close(struct plot_streams *s)
{
    if (s->in)
        fclose(s->in);
    if (s->out)
        fclose(s->out);
    if (s->err)
        fclose(s->err);
}

char *plot_stream_text(FILE *stream, size_t *length, struct vouch_error *err)
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

/* Starts gnuplot with these streams and waits for its end; *status becomes its status. */
static bool spawn(const struct plot_streams *s, char *const argument[], int *status, struct vouch_error *err)
{
    posix_spawn_file_actions_t actions;
    pid_t child;
    rewind(s->in);
    if (posix_spawn_file_actions_init(&actions) != 0)
        return fail_memory(err);
    int error = posix_spawn_file_actions_adddup2(&actions, fileno(s->in), STDIN_FILENO);
    error = error ? error : posix_spawn_file_actions_adddup2(&actions, fileno(s->out), STDOUT_FILENO);
    error = error ? error : posix_spawn_file_actions_adddup2(&actions, fileno(s->err), STDERR_FILENO);
    error = error ? error : posix_spawnp(&child, argument[0], &actions, NULL, argument, environ);
    posix_spawn_file_actions_destroy(&actions);
    if (error == ENOENT || error == EACCES || error == ENOTDIR)
        return fail(err, VOUCH_ERR_IO,
                    "figures are drawn by gnuplot, which was not found: install the package gnuplot-nox");
    if (error)
        return fail(err, VOUCH_ERR_IO, "gnuplot: cannot start: %s", strerror(error));
    while (waitpid(child, status, 0) < 0)
        if (errno != EINTR)
            return fail(err, VOUCH_ERR_IO, "gnuplot: %s", strerror(errno));
    return true;
}

/* Returns the last line that is not empty. */
static char *last_words(char *text)
{
    size_t length = strlen(text);
    while (length > 0 && is_control(text[length - 1]))
        text[--length] = '\0';
    char *line = strrchr(text, '\n');
    line = line ? line + 1 : text;
    return line + strspn(line, " ");
}

bool plot_run(const struct plot_streams *s, struct vouch_error *err)
{
    char program[] = "gnuplot", no_settings_of_users[] = "-d";
    int status = 0;
    size_t length;
    if (!spawn(s, (char *[]){program, no_settings_of_users, NULL}, &status, err))
        return false;
    if (status == 0)
        return true;
    char *said = plot_stream_text(s->err, &length, err);
    if (said)
        fail(err, VOUCH_ERR_IO, "gnuplot: %s", *said ? last_words(said) : "ended without a figure");
    free(said);
    return false;
}
