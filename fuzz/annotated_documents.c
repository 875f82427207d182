/*
 * Makes annotated texts out of what formats stumble over, as the bytes choose, and holds a format to its contract: what
 * is fitted to it, written and read again is the same, and what fitting changed is counted.
 *
 * The first byte chooses the format, the second what is done about overlaps, and how labels spell spans.
 */
#include "fuzz.h"

#include "random_annotations.h"
#include "round_trip.h"

static const struct annotation_format *choose_format(uint8_t byte)
{
    size_t count = 0;
    while (annotation_formats[count])
        count++;
    return annotation_formats[byte % count];
}

int LLVMFuzzerTestOneInput(const uint8_t *bytes, size_t length)
{
    struct vouch_error err = {0};
    struct annotated_texts before, texts;
    struct convert_options options;
    if (length < 2)
        return 0;
    const struct annotation_format *to = choose_format(bytes[0]);
    options_init(&convert_options, &options);
    options.overlaps = 1 + bytes[1] % 2;
    options.scheme = bytes[1] / 2 % 3;
    options.all = bytes[1] < 128;
    options.predictions = bytes[1] / 16 % 4 == 0;
    struct dice dice = {.bytes = bytes + 2, .length = length - 2}, again = dice;
    if (!random_texts(&dice, &before, &err) || !random_texts(&again, &texts, &err)) {
        fprintf(stderr, "%s\n", err.message);
        abort();
    }
    while (to->one_document && texts.count > 1) {
        annotated_release(&texts.document[--texts.count]);
        annotated_release(&before.document[--before.count]);
    }
    if (!fit_honestly(&before, &texts, to, &options, &err) || !round_trip(&texts, to, &options, &err)) {
        fprintf(stderr, "%s\n", round_trip_failure);
        abort();
    }
    texts_release(&before);
    texts_release(&texts);
    return 0;
}
