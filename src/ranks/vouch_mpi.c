/*
 * Starts the program `vouch-mpi`, of which mpirun runs several that work together, joined by MPI, the Message Passing
 * Interface: no other file sees its header.
 *
 * Messages are cut, since MPI counts in int. A rank that dies ends the others: that is what MPI does by default, and
 * learning goes on from its last checkpoint.
 *
 * What one rank cannot do, all of them cannot. Often all of them meet the same error, in a file that all read: then the
 * first one says so and ends the others, which wait a moment for that before they speak for themselves.
 */
#include "base/ranks.h"
#include "cli/cli.h"

#include <mpi.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <unistd.h>

enum { MOMENT = 1, MESSAGE = 1 << 28 }; /* seconds; bytes of a message */

struct mpi_ranks {
    struct ranks ranks;
    size_t message; /* bytes of a message at most */
};

static size_t least(size_t a, size_t b)
{
    return a < b ? a : b;
}

static bool done(int status, struct vouch_error *err)
{
    return status == MPI_SUCCESS || fail(err, VOUCH_ERR_IO, "a message between ranks failed: MPI error %d", status);
}

/* Reduces in place, a message at a time. */
static bool reduce(const struct mpi_ranks *mpi, char *items, size_t count, size_t size, MPI_Datatype type, MPI_Op op,
                   struct vouch_error *err)
{
    size_t most = mpi->message / size;
    for (size_t from = 0; from < count; from += most)
        if (!done(MPI_Allreduce(MPI_IN_PLACE, items + from * size, (int)least(most, count - from), type, op,
                                MPI_COMM_WORLD),
                  err))
            return false;
    return true;
}

static bool sum(void *self, int64_t *number, size_t count, struct vouch_error *err)
{
    return reduce(self, (char *)number, count, sizeof *number, MPI_INT64_T, MPI_SUM, err);
}

static bool unite(void *self, uint64_t *bits, size_t count, struct vouch_error *err)
{
    return reduce(self, (char *)bits, count, sizeof *bits, MPI_UINT64_T, MPI_BOR, err);
}

/* Gives every rank what one of them has. */
static bool broadcast(const struct mpi_ranks *mpi, uint32_t from, char *bytes, size_t size, struct vouch_error *err)
{
    for (size_t at = 0; at < size; at += mpi->message)
        if (!done(MPI_Bcast(bytes + at, (int)least(mpi->message, size - at), MPI_BYTE, (int)from, MPI_COMM_WORLD), err))
            return false;
    return true;
}

/* Gives one rank what another one has. */
static bool hand_over(const struct mpi_ranks *mpi, uint32_t from, uint32_t to, const char *own, char *bytes,
                      size_t size, struct vouch_error *err)
{
    for (size_t at = 0; at < size; at += mpi->message) {
        int count = (int)least(mpi->message, size - at), status = MPI_SUCCESS;
        if (mpi->ranks.rank == from)
            status = MPI_Send(own + at, count, MPI_BYTE, (int)to, 0, MPI_COMM_WORLD);
        else if (mpi->ranks.rank == to)
            status = MPI_Recv(bytes + at, count, MPI_BYTE, (int)from, 0, MPI_COMM_WORLD, MPI_STATUS_IGNORE);
        if (!done(status, err))
            return false;
    }
    return true;
}

static bool gather(void *self, const char *own, const uint64_t *size, uint32_t whom, char *all, struct vouch_error *err)
{
    const struct mpi_ranks *mpi = self;
    uint32_t rank = mpi->ranks.rank;
    bool gets = whom == FOR_ALL || whom == rank, ok = true;
    size_t at = 0;
    for (uint32_t r = 0; ok && r < mpi->ranks.count; r++) {
        if (r == rank && gets && size[r])
            memcpy(all + at, own, size[r]);
        if (whom == FOR_ALL)
            ok = broadcast(mpi, r, all + at, size[r], err);
        else if (r != whom)
            ok = hand_over(mpi, r, whom, own, all + at, size[r], err);
        at += gets ? size[r] : 0;
    }
    return ok;
}

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

/* Joins the ranks that mpirun has started, which are one if it has not. */
static void join(struct mpi_ranks *mpi, int *argc, char ***argv)
{
    int rank, count, threads;
    size_t message = message_size();
    MPI_Init_thread(argc, argv, MPI_THREAD_SERIALIZED, &threads);
    MPI_Comm_rank(MPI_COMM_WORLD, &rank);
    MPI_Comm_size(MPI_COMM_WORLD, &count);
    *mpi = (struct mpi_ranks){.ranks = {(uint32_t)rank, (uint32_t)count, mpi, sum, unite, gather},
                              .message = message < sizeof(int64_t) ? sizeof(int64_t) : message};
}

int main(int argc, char **argv)
{
    struct mpi_ranks mpi;
    struct aside aside;
    join(&mpi, &argc, &argv);
    const struct ranks *ranks = &mpi.ranks;
    bool silent = !ranks_first(ranks) && fall_silent(&aside);
    int status = program_run(argc, argv, ranks->count > 1 ? ranks : NULL);
    if (status != EXIT_DONE && silent)
        speak_up(&aside, ranks->rank);
    if (status != EXIT_DONE)
        MPI_Abort(MPI_COMM_WORLD, status);
    MPI_Finalize();
    return status;
}
