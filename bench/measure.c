/*
 * Runs a command and records what it cost.
 *
 *     measure REPORT TIMES COMMAND [ARGUMENT ...]
 *
 * REPORT gets a line for each time: user CPU seconds, system CPU seconds, wall
 * seconds, and the peak of resident memory in kilobytes, all as the kernel counted
 * them for that process. Stops with the command's status at the first that fails.
 */
#define _DEFAULT_SOURCE /* wait4 */

#include <errno.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/resource.h>
#include <sys/wait.h>
#include <time.h>
#include <unistd.h>

static double now(void)
{
    struct timespec t;
    clock_gettime(CLOCK_MONOTONIC, &t);
    return (double)t.tv_sec + (double)t.tv_nsec / 1e9;
}

static double seconds(struct timeval t)
{
    return (double)t.tv_sec + (double)t.tv_usec / 1e6;
}

/* Runs the command once; returns its exit status, 128 and the signal if it was killed. */
static int run_once(char **command, FILE *report)
{
    struct rusage used;
    int status;
    double start = now();
    pid_t child = fork();
    if (child == 0) {
        execvp(command[0], command);
        fprintf(stderr, "measure: %s: %s\n", command[0], strerror(errno));
        _exit(127);
    }
    if (child < 0 || wait4(child, &status, 0, &used) != child) {
        fprintf(stderr, "measure: %s: %s\n", command[0], strerror(errno));
        return 1;
    }
    double wall = now() - start;
    fprintf(report, "%.6f %.6f %.6f %ld\n", seconds(used.ru_utime), seconds(used.ru_stime), wall, used.ru_maxrss);
    fflush(report);
    return WIFEXITED(status) ? WEXITSTATUS(status) : 128 + WTERMSIG(status);
}

int main(int argc, char **argv)
{
    if (argc < 4 || atol(argv[2]) < 1) {
        fprintf(stderr, "usage: measure REPORT TIMES COMMAND [ARGUMENT ...]\n");
        return 2;
    }
    FILE *report = fopen(argv[1], "w");
    if (!report) {
        fprintf(stderr, "measure: %s: %s\n", argv[1], strerror(errno));
        return 1;
    }
    int status = 0;
    for (long n = atol(argv[2]); n > 0 && status == 0; n--)
        status = run_once(argv + 3, report);
    return fclose(report) == 0 ? status : 1;
}
