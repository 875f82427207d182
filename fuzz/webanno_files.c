/*
 * Any bytes as WebAnno TSV. The first byte chooses what is done about spans that end inside of words. What is read is
 * written, and what was written is read and written again, the same.
 */
#include "fuzz.h"

#include "convert/annotation_formats.h"

extern const struct annotation_format webanno_tsv_format;

static const struct format_choices choices = {.layer = NULL};

/* Reads and writes; NULL if it cannot be read. */
static char *convert(const char *bytes, size_t length, enum edge_choice edges, size_t *written)
{
    struct vouch_error err = {0};
    struct annotated_texts texts;
    const struct annotated_source source = {.name = "file.tsv", .bytes = bytes, .length = length};
    char *copy = NULL;
    texts_init(&texts);
    texts.file = "file.tsv";
    texts.edges = edges;
    if (fuzz_told(webanno_tsv_format.read(&source, &choices, &texts, &err), &err)) {
        struct output *out = output_open_memory(&err);
        if (!out || !webanno_tsv_format.write(out, NULL, &choices, &texts, &err))
            abort();
        const char *text = output_text(out, written);
        copy = calloc(*written + 1, 1);
        if (!copy || !text)
            abort();
        memcpy(copy, text, *written);
        output_discard(out);
    }
    texts_release(&texts);
    return copy;
}

int LLVMFuzzerTestOneInput(const uint8_t *bytes, size_t length)
{
    size_t first = 0, second = 0;
    if (length == 0 || memchr(bytes, '\0', length) || utf8_check((const char *)bytes + 1, length - 1) != length - 1)
        return 0;
    char *copy = calloc(length, 1);
    if (!copy)
        abort();
    memcpy(copy, bytes + 1, length - 1);
    char *once = convert(copy, length - 1, (enum edge_choice)(bytes[0] % 3), &first);
    if (once) {
        char *again = convert(once, first, EDGES_REFUSE, &second);
        if (!again || first != second || memcmp(once, again, first) != 0)
            abort();
        free(again);
    }
    free(once);
    free(copy);
    return 0;
}
