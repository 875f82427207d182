/*
 * Joins ranks by MPI, the Message Passing Interface: mpi_ranks.c is the only file that sees its header.
 *
 * Messages are cut, since MPI counts in int. A rank that dies ends the others: that is what MPI does by default, and
 * learning goes on from its last checkpoint.
 */
#ifndef VOUCH_RANKS_MPI_RANKS_H
#define VOUCH_RANKS_MPI_RANKS_H

#include "base/ranks.h"

struct mpi_ranks {
    struct ranks ranks;
    size_t message; /* bytes of a message at most */
};

/* Joins the ranks that mpirun has started, which are one if it has not. Call it once, before anything else. */
void mpi_ranks_open(struct mpi_ranks *mpi, int *argc, char ***argv, size_t message);

/* Leaves when all ranks do. */
void mpi_ranks_close(void);

/* Ends all ranks with that exit status. */
void mpi_ranks_end_all(int status);

#endif
