/* Implements vouch serve: answers over HTTP. */
#include "cli/cli.h"

#include "serve/server.h"

static void ready(const char *url)
{
    showf(stdout, "%s\n", url);
    fflush(stdout);
}

static int run(void *options, struct vouch_error *err)
{
    const struct serve_options *s = options;
    interrupt_catch();
    return done_if(serve(s, ready, err));
}

const struct command serve_command = {
    .name = "serve",
    .arguments = "[CORPUS...]",
    .summary = "answer over HTTP",
    .about = "Answers requests over HTTP: labels and trees with confidence, by the models that are given.",
    .example = "  vouch serve -m ner.vouch\n"
               "  curl --data-binary @text.jsonl http://127.0.0.1:8460/v1/tag\n",
    .table = &serve_options,
    .run = run,
};
