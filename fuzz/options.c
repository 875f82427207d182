/* Command lines: words separated by NUL bytes, the first the name of a command. They are parsed and not obeyed. */
#include "fuzz.h"

#include "cli/cli.h"

enum { MOST_WORDS = 64 };

int LLVMFuzzerTestOneInput(const uint8_t *bytes, size_t length)
{
    char *words = malloc(length + 1), *argv[MOST_WORDS + 1] = {0};
    int argc = 0;
    if (!words)
        return 0;
    memcpy(words, bytes, length);
    words[length] = '\0';
    for (size_t at = 0; at < length && argc < MOST_WORDS; at += strlen(words + at) + 1)
        argv[argc++] = words + at;
    for (const struct command *const *c = commands; argc > 0 && *c; c++) {
        struct settings settings;
        if (strcmp((*c)->name, argv[0]) != 0)
            continue;
        if (options_parse(*c, argc, argv, &settings) == EXIT_DONE)
            free(settings_provenance(&settings, (*c)->table));
    }
    free(words);
    return 0;
}
