/*
 * Running gnuplot: see plot_parts.h.
 *
 * gnuplot reads a script on its standard input, which holds the numbers too, and
 * writes the figure to its standard output. Neither a shell nor the name of a
 * file comes into it: gnuplot would run a name that begins with '<'.
 *
 * Start-up files of the user's are not read (-d).
 */
#include "report/plot_parts.h"

#include <stdlib.h>
#include <string.h>

/* The last line that says something. */
static char *last_words(char *text)
{
    size_t length = strlen(text);
    while (length > 0 && is_control(text[length - 1]))
        text[--length] = '\0';
    char *line = strrchr(text, '\n');
    line = line ? line + 1 : text;
    return line + strspn(line, " ");
}

bool plot_run(const struct program_streams *s, struct vouch_error *err)
{
    char name[] = "gnuplot", no_settings_of_users[] = "-d";
    const struct program gnuplot = {.argument = (char *const[]){name, no_settings_of_users, NULL},
                                    .in = fileno(s->in),
                                    .out = fileno(s->out),
                                    .err = fileno(s->err),
                                    .does = "figures are drawn by",
                                    .package = "gnuplot-nox"};
    int status = 0;
    size_t length;
    rewind(s->in);
    if (!program_run(&gnuplot, &status, err))
        return false;
    if (status == 0)
        return true;
    char *said = program_stream_text(s->err, &length, err);
    if (said)
        fail(err, VOUCH_ERR_IO, "gnuplot: %s", *said ? last_words(said) : "ended without a figure");
    free(said);
    return false;
}
