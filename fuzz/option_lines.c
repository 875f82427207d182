/*
 * Parses command lines: words separated by NUL bytes, the first the name of a command; checks them by its rules, and
 * writes them as text. The commands are not run.
 */
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
    const struct command *command = argc > 0 ? command_named(argv[0]) : NULL;
    struct vouch_error err = {0};
    void *options = command ? malloc(command->table->size) : NULL;
    if (options && options_parse(command->table, argc, argv, options, &err)) {
        options_agree(options, &err);
        free(options_provenance(options));
    }
    free(options);
    free(words);
    return 0;
}
