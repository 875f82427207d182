/*
 * Reads annotated texts of one format, fits them to another, and holds that to its contract: what is written is read
 * again, with the same content, and written again with the same bytes.
 *
 * The first byte chooses the format, the second the one that is written and what is done about edges; behind a form
 * feed there is the text of brat's annotations.
 */
#include "fuzz.h"

#include "round_trip.h"

static size_t count_formats(void)
{
    size_t count = 0;
    while (annotation_formats[count])
        count++;
    return count;
}

int LLVMFuzzerTestOneInput(const uint8_t *bytes, size_t length)
{
    struct convert_options options;
    struct vouch_error err = {0};
    struct annotated_texts texts;
    if (length < 2)
        return 0;
    const struct annotation_format *from = annotation_formats[bytes[0] % count_formats()];
    const struct annotation_format *to = annotation_formats[bytes[1] % count_formats()];
    options_init(&convert_options, &options);
    options.edges = bytes[1] / 16 % 3;
    options.overlaps = 1 + bytes[1] / 64 % 2;
    options.scheme = bytes[0] / 16 % 3;
    options.predictions = bytes[0] / 128;
    options.all = true;
    options.names = "O,B-A,I-A";
    struct format_choices choices = convert_choices(&options);
    bytes += 2;
    length -= 2;
    if (utf8_check((const char *)bytes, length) < length || memchr(bytes, 0, length))
        return 0;
    char *copy = malloc(length + 1);
    if (!copy)
        abort();
    memcpy(copy, bytes, length);
    copy[length] = '\0';
    char *text = from->companion ? memchr(copy, '\f', length) : NULL;
    struct annotated_source source = {
        .name = "fuzzed.ann", .bytes = copy, .length = text ? (size_t)(text - copy) : length};
    source.companion = text ? text + 1 : "";
    source.companion_length = text ? length - source.length - 1 : 0;
    options.names = NULL;
    texts_init(&texts);
    texts.edges = options.edges;
    if (fuzz_told(from->read(&source, &choices, &texts, &err), &err) &&
        fuzz_told(texts_fit(&texts, to, &options, &err), &err)) {
        while (to->one_document && texts.count > 1)
            annotated_release(&texts.document[--texts.count]);
        bool fits = !to->one_document || texts.count == 1;
        if (fits && !round_trip(&texts, to, &options, &err)) {
            fprintf(stderr, "%s\n", round_trip_failure);
            abort();
        }
    }
    texts_release(&texts);
    free(copy);
    return 0;
}
