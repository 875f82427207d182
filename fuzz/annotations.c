/*
 * Reads annotated texts of one format, writes them in another, and reads that: what was written must be read again,
 * with the same content, and written again with the same bytes; but where words are lost, spans may find others.
 *
 * The first byte chooses the format, the second the one that is written and what is done about edges; behind a form
 * feed there is the text of brat's annotations.
 */
#include "fuzz.h"

#include "convert/conversion.h"
#include "same_annotations.h"

static size_t count_formats(void)
{
    size_t count = 0;
    while (annotation_formats[count])
        count++;
    return count;
}

/* A file in memory, and its second file. */
struct written {
    struct output *out, *companion;
};

static struct annotated_source source_of(const struct written *written)
{
    struct annotated_source source = {.name = "again.ann"};
    source.bytes = output_text(written->out, &source.length);
    source.companion = output_text(written->companion, &source.companion_length);
    if (!source.bytes || !source.companion)
        abort();
    return source;
}

static bool write_texts(struct annotated_texts *texts, const struct annotation_format *to,
                        const struct convert_options *options, struct written *written)
{
    struct vouch_error err = {0};
    struct format_choices choices = convert_choices(options);
    written->out = output_open_memory(&err);
    written->companion = output_open_memory(&err);
    if (!written->out || !written->companion)
        abort();
    return fuzz_told(to->write(written->out, written->companion, &choices, texts, &err), &err);
}

static void discard(struct written *written)
{
    output_discard(written->out);
    output_discard(written->companion);
}

static void compare(const struct annotated_texts *texts, const struct annotated_texts *again,
                    const struct annotation_format *to)
{
    uint64_t kept = to->kept;
    if (to->one_document)
        kept &= ~KEPT(IDS);
    if (texts->counts.unsaid[KEPT_TEXT] > 0)
        kept &= ~KEPT(TEXT);
    if (texts->counts.unsaid[KEPT_META] > 0)
        kept &= ~KEPT(META);
    if (texts->counts.unsaid[KEPT_ANNOTATORS] > 0)
        kept &= ~KEPT(ANNOTATORS);
    if (texts->counts.unsaid[KEPT_SCORES] > 0)
        kept &= ~KEPT(SCORES);
    if (texts->counts.unsaid[KEPT_COLUMNS] > 0)
        kept &= ~KEPT(COLUMN_NAMES);
    if (texts->count != again->count)
        abort();
    for (size_t i = 0; i < texts->count; i++)
        if (!same_document(&texts->document[i], &again->document[i], kept, texts->counts.respelled > 0)) {
            fprintf(stderr, "%s: document %zu: %s\n", to->name, i + 1, annotations_difference);
            abort();
        }
}

/* Reads what was written, and writes it once more. */
static void read_again(const struct annotated_texts *texts, const struct annotation_format *to,
                       const struct convert_options *options, const struct written *written)
{
    struct annotated_texts again;
    struct vouch_error err = {0};
    struct format_choices choices = convert_choices(options);
    struct annotated_source source = source_of(written);
    struct written twice;
    texts_init(&again);
    if (!to->read(&source, &choices, &again, &err)) {
        fprintf(stderr, "%s: %s\n%.*s\n", to->name, err.message, (int)source.length, source.bytes);
        abort();
    }
    compare(texts, &again, to);
    if (!texts_fit(&again, to, options, &err) || !write_texts(&again, to, options, &twice))
        abort();
    struct annotated_source other = source_of(&twice);
    if (other.length != source.length || memcmp(other.bytes, source.bytes, source.length) != 0) {
        fprintf(stderr, "%s:\n%.*s\n---\n%.*s\n", to->name, (int)source.length, source.bytes, (int)other.length,
                other.bytes);
        abort();
    }
    discard(&twice);
    texts_release(&again);
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
        struct written written;
        while (to->one_document && texts.count > 1)
            annotated_release(&texts.document[--texts.count]);
        bool fits = !to->one_document || texts.count == 1;
        if (fits && write_texts(&texts, to, &options, &written) && texts.counts.unsaid[KEPT_WORDS] == 0)
            read_again(&texts, to, &options, &written);
        if (fits)
            discard(&written);
    }
    texts_release(&texts);
    free(copy);
    return 0;
}
