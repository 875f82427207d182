/* Runs a target over files, without libFuzzer: for the tests, and for inputs that were found. */
#include "fuzz.h"

#include <stdio.h>

int main(int argc, char **argv)
{
    for (int i = 1; i < argc; i++) {
        FILE *file = fopen(argv[i], "rb");
        if (!file || fseek(file, 0, SEEK_END) != 0) {
            fprintf(stderr, "replay: cannot read %s\n", argv[i]);
            return 1;
        }
        size_t length = (size_t)ftell(file);
        uint8_t *bytes = malloc(length + 1);
        rewind(file);
        if (!bytes || fread(bytes, 1, length, file) != length)
            return 1;
        fclose(file);
        LLVMFuzzerTestOneInput(bytes, length);
        free(bytes);
    }
    printf("%d files\n", argc - 1);
    return argc > 1 ? 0 : 1;
}
