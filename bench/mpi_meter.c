/*
 * Records what a rank of vouch-mpi does between and inside its calls of MPI. Built as a shared library and preloaded:
 *
 *     mpicc -O2 -shared -fPIC -o meter.so mpi_meter.c
 *     mpirun -n 4 -x LD_PRELOAD=./meter.so -x VOUCH_METER=report vouch-mpi train ...
 *
 * Each rank writes a file, report.RANK. A line for each run of like calls: what they are, how many, the numbers or
 * bytes of one rank that they handed over, then seconds: CPU time of the process before and between them, CPU time
 * and wall time inside them. The last line is "end": the CPU time after the last call, and the peak of resident memory
 * in kilobytes.
 *
 * CPU time outside MPI does not depend on how many ranks share a processor, apart from caches, while a rank that waits
 * spins inside. So ranks can be measured on fewer processors than they are.
 */
#include <mpi.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/resource.h>
#include <time.h>

/* A run of like calls. */
struct entry {
    char what[24];
    long calls;
    double bytes, between, inside, wall;
};

static struct entry *entry;
static size_t entries;
static double last, began, began_wall; /* CPU time at the end of the last call; at the begin of this one */

static double now(clockid_t clock)
{
    struct timespec t;
    clock_gettime(clock, &t);
    return (double)t.tv_sec + (double)t.tv_nsec / 1e9;
}

static void begin(void)
{
    began_wall = now(CLOCK_MONOTONIC);
    began = now(CLOCK_PROCESS_CPUTIME_ID);
}

/* Short messages are told apart from long ones, which are of other phases. */
static void end(const char *what, double bytes, const char *size)
{
    char name[sizeof entry->what];
    snprintf(name, sizeof name, "%s%s", what, size);
    if (!entries || strcmp(entry[entries - 1].what, name) != 0) {
        struct entry *grown = realloc(entry, sizeof *entry * (entries + 1));
        if (!grown)
            abort();
        entry = grown;
        entry[entries] = (struct entry){0};
        memcpy(entry[entries++].what, name, sizeof name);
    }
    struct entry *e = &entry[entries - 1];
    double cpu = now(CLOCK_PROCESS_CPUTIME_ID);
    e->calls++;
    e->bytes += bytes;
    e->between += began - last;
    e->inside += cpu - began;
    e->wall += now(CLOCK_MONOTONIC) - began_wall;
    last = cpu;
}

int MPI_Allreduce(const void *own, void *all, int count, MPI_Datatype type, MPI_Op op, MPI_Comm comm)
{
    int size;
    char numbers[16];
    begin();
    int status = PMPI_Allreduce(own, all, count, type, op, comm);
    PMPI_Type_size(type, &size);
    snprintf(numbers, sizeof numbers, " %d", count);
    end(op == MPI_SUM ? "sum" : "unite", (double)count * size, op == MPI_SUM && count < 5000 ? numbers : "");
    return status;
}

int MPI_Bcast(void *bytes, int count, MPI_Datatype type, int from, MPI_Comm comm)
{
    begin();
    int status = PMPI_Bcast(bytes, count, type, from, comm);
    end("broadcast", count, "");
    return status;
}

int MPI_Send(const void *bytes, int count, MPI_Datatype type, int to, int tag, MPI_Comm comm)
{
    begin();
    int status = PMPI_Send(bytes, count, type, to, tag, comm);
    end("send", count, "");
    return status;
}

int MPI_Recv(void *bytes, int count, MPI_Datatype type, int from, int tag, MPI_Comm comm, MPI_Status *got)
{
    begin();
    int status = PMPI_Recv(bytes, count, type, from, tag, comm, got);
    end("receive", count, "");
    return status;
}

int MPI_Init_thread(int *argc, char ***argv, int required, int *provided)
{
    int status = PMPI_Init_thread(argc, argv, required, provided);
    last = now(CLOCK_PROCESS_CPUTIME_ID);
    return status;
}

static void report(const char *prefix)
{
    int rank;
    char name[4096];
    struct rusage used;
    PMPI_Comm_rank(MPI_COMM_WORLD, &rank);
    snprintf(name, sizeof name, "%s.%d", prefix, rank);
    FILE *file = fopen(name, "w");
    if (!file)
        return;
    for (size_t i = 0; i < entries; i++)
        fprintf(file, "%s\t%ld\t%.0f\t%.6f\t%.6f\t%.6f\n", entry[i].what, entry[i].calls, entry[i].bytes,
                entry[i].between, entry[i].inside, entry[i].wall);
    getrusage(RUSAGE_SELF, &used);
    fprintf(file, "end\t%.6f\t%ld\n", now(CLOCK_PROCESS_CPUTIME_ID) - last, used.ru_maxrss);
    fclose(file);
}

int MPI_Finalize(void)
{
    if (getenv("VOUCH_METER"))
        report(getenv("VOUCH_METER"));
    return PMPI_Finalize();
}
