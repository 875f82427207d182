/*
 * Implements vouch serve: answers over HTTP. Signals are caught here: the first Ctrl-C or SIGTERM finishes the requests
 * that have begun, the second ends the program; SIGHUP opens the models again.
 */
#include "cli/cli.h"

#include "serve/server.h"

#include <fcntl.h>
#include <signal.h>
#include <spawn.h>
#include <stdatomic.h>
#include <stdlib.h>
#include <string.h>
#include <sys/resource.h>
#include <unistd.h>

extern char **environ;

static atomic_bool reload_wanted;

static void note_reload(int number)
{
    (void)number;
    atomic_store(&reload_wanted, true);
}

static bool reloads(void)
{
    return atomic_exchange(&reload_wanted, false);
}

/* A closed connection and a file that may not grow are errors of a write, not the end of the program. */
static void catch_signals(void)
{
    interrupt_catch();
    sigaction(SIGHUP, &(struct sigaction){.sa_handler = note_reload, .sa_flags = SA_RESTART}, NULL);
    sigaction(SIGPIPE, &(struct sigaction){.sa_handler = SIG_IGN}, NULL);
    sigaction(SIGCHLD, &(struct sigaction){.sa_handler = SIG_IGN, .sa_flags = SA_NOCLDWAIT}, NULL);
    sigaction(SIGXFSZ, &(struct sigaction){.sa_handler = SIG_IGN}, NULL);
}

/* Every connection is an open file; the usual limit of 1,024 is for programs that cannot count higher. */
static void allow_files(uint32_t connections)
{
    struct rlimit files;
    rlim_t wanted = (rlim_t)connections + 100;
    if (getrlimit(RLIMIT_NOFILE, &files) != 0 || files.rlim_cur >= wanted)
        return;
    files.rlim_cur = files.rlim_max < wanted ? files.rlim_max : wanted;
    setrlimit(RLIMIT_NOFILE, &files);
}

/* Opens an address in the user's browser, which prints nothing here, and which nobody waits for. */
static void open_page(const char *page)
{
    char *arguments[] = {(char[]){"xdg-open"}, strdup(page), NULL};
    posix_spawn_file_actions_t actions;
    pid_t child;
    if (arguments[1] && posix_spawn_file_actions_init(&actions) == 0) {
        if (posix_spawn_file_actions_addopen(&actions, STDOUT_FILENO, "/dev/null", O_WRONLY, 0) != 0 ||
            posix_spawn_file_actions_addopen(&actions, STDERR_FILENO, "/dev/null", O_WRONLY, 0) != 0 ||
            posix_spawnp(&child, arguments[0], &actions, NULL, arguments, environ) != 0)
            showf(stderr, "cannot open a browser: there is no xdg-open\n");
        posix_spawn_file_actions_destroy(&actions);
    }
    free(arguments[1]);
}

static void ready(const char *url, const char *desk, const char *page)
{
    showf(stdout, "%s\n", url);
    if (desk)
        showf(stderr, "annotators work at %s\n", desk);
    fflush(stdout);
    if (page)
        open_page(page);
}

static int run(void *options, struct vouch_error *err)
{
    const struct serve_options *s = options;
    catch_signals();
    allow_files(s->connections);
    return done_if(serve(s, &(struct serve_calls){ready, reloads}, err));
}

const struct command serve_command = {
    .name = "serve",
    .arguments = "[-m MODEL...] [CORPUS...]",
    .summary = "answer over HTTP",
    .about = "Answers requests over HTTP: labels and trees with confidence, by the models that are given, or by one "
             "that is learned from the labels of CORPUS. It listens on this machine alone unless --host says so, "
             "prints its address, and runs until Ctrl-C or SIGTERM, after which requests that have begun are finished. "
             "SIGHUP opens the models again.",
    .example = "  vouch serve -m ner.vouch\n"
               "  curl --data-binary @text.jsonl http://127.0.0.1:8460/v1/tag\n"
               "  curl -H 'Content-Type: application/json' -d '{\"tokens\": [\"Ada\", \"lives\"]}' \\\n"
               "       'http://127.0.0.1:8460/v1/tag?alternatives=3'\n"
               "  VOUCH_TOKEN=ada:long-secret vouch serve -m ner.vouch --host 0.0.0.0 --allowed-host example.org\n",
    .table = &serve_options,
    .run = run,
};
