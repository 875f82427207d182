/* The names of the commands that a build without the server (VOUCH_SERVE=OFF) does not have. */
#include "cli/cli.h"

#define NO_SERVER                                                                                                      \
    "this build of vouch has no server: packages of Python leave it out, as it needs libmicrohttpd, SQLite and "       \
    "libxml2; CMake builds it from the sources"

const struct command serve_command = {
    .name = "serve",
    .summary = "answer over HTTP (not in this build)",
    .about = NO_SERVER,
};

const struct command store_command = {
    .name = "store",
    .summary = "look after annotators' decisions (not in this build)",
    .about = NO_SERVER,
};
