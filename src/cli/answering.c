/* What the commands that answer share: see answering.h. */
#include "cli/answering.h"

#include "cli/learning.h"

#include <string.h>
#include <sys/stat.h>
#include <unistd.h>

int answering_prepare(struct reader_options *reading, const struct command *command, const struct settings *settings)
{
    if (!settings->model)
        return misuse(command, "expected -m MODEL");
    if (settings->arguments > 1)
        return misuse(command, "expected one input file, found %zu", settings->arguments);
    if (strcmp(settings->confidence, "none") != 0)
        return misuse(command, "--confidence: this version knows only 'none', found '%s'", settings->confidence);
    int status = reading_prepare(reading, command, settings);
    reading->gold = GOLD_NONE;
    return status;
}

const char *answering_input(const struct settings *settings)
{
    return settings->arguments ? settings->argument[0] : NULL;
}

bool answers_are_awaited(const struct settings *settings)
{
    struct stat about;
    const char *path = answering_input(settings);
    bool standard = !path || strcmp(path, "-") == 0;
    return standard && fstat(STDIN_FILENO, &about) == 0 && !S_ISREG(about.st_mode);
}
