/*
 * Starts the program `vouch-mpi`, of which mpirun runs several that work together.
 *
 * What one rank cannot do, all of them cannot. Often all of them meet the same error, in a file that all read: then the
 * first one says so and ends the others, which wait a moment for that before they speak for themselves.
 */
#include "cli/cli.h"
#include "ranks/mpi_ranks.h"

#include <stdio.h>
#include <stdlib.h>
#include <unistd.h>

enum { MOMENT = 1, MESSAGE = 1 << 28 }; /* seconds; bytes of a message */

/* Returns the bytes of a message; VOUCH_MPI_MESSAGE makes them fewer, so that tests see messages that are cut. */
static size_t message_size(void)
{
    const char *asked = getenv("VOUCH_MPI_MESSAGE");
    unsigned long size = asked ? strtoul(asked, NULL, 10) : MESSAGE;
    return size && size < MESSAGE ? size : MESSAGE;
}

/* What another rank than the first would say: its standard error is a file, and its standard output goes nowhere. */
struct aside {
    int spoken; /* the real standard error */
    FILE *said;
};

static bool fall_silent(struct aside *aside)
{
    aside->spoken = dup(STDERR_FILENO);
    aside->said = tmpfile();
    return aside->spoken >= 0 && aside->said && dup2(fileno(aside->said), STDERR_FILENO) >= 0 &&
           freopen("/dev/null", "w", stdout);
}

/* Says after all what was said aside, with the number of the rank. */
static void speak_up(const struct aside *aside, uint32_t rank)
{
    char line[1024];
    sleep(MOMENT);
    fflush(stderr);
    rewind(aside->said);
    while (fgets(line, sizeof line, aside->said))
        dprintf(aside->spoken, "rank %u: %s", rank, line);
}

int main(int argc, char **argv)
{
    struct mpi_ranks mpi;
    struct aside aside;
    mpi_ranks_open(&mpi, &argc, &argv, message_size());
    const struct ranks *ranks = &mpi.ranks;
    bool silent = !ranks_first(ranks) && fall_silent(&aside);
    int status = program_run(argc, argv, ranks->count > 1 ? ranks : NULL);
    if (status != EXIT_DONE && silent)
        speak_up(&aside, ranks->rank);
    if (status != EXIT_DONE)
        mpi_ranks_end_all(status);
    mpi_ranks_close();
    return status;
}
