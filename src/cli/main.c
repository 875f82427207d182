/* Starts the program `vouch`, which works alone. */
#include "cli/cli.h"

int main(int argc, char **argv)
{
    return program_run(argc, argv, NULL);
}
