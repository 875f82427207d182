/* Parses templates, cuts them down to two columns, and makes the features of a sentence with them. */
#include "fuzz.h"

#include "base/memory.h"
#include "task/tag_features.h"
#include "task/template.h"

static void encode(const struct templates *templates)
{
    static uint32_t first[] = {0, 2, 4, 6};
    static struct text cell[6];
    static const char *const text[] = {"Łódź", "NNP", "1843", "CD", "-", "McX"};
    struct sentence sentence = {.N = 3, .first = first, .cell = cell};
    struct vocabulary vocabulary = {0};
    struct vouch_error err = {0};
    struct parts parts;
    for (size_t i = 0; i < 6; i++)
        cell[i] = text_of(text[i]);
    struct encoder *encoder = encoder_new_growing(templates, &vocabulary, &err);
    if (fuzz_told(encoder != NULL, &err))
        fuzz_told(encoder_run(encoder, &sentence, &parts, &err), &err);
    encoder_free(encoder);
    vocabulary_release(&vocabulary);
}

int LLVMFuzzerTestOneInput(const uint8_t *bytes, size_t length)
{
    struct vouch_error err = {0};
    struct templates templates;
    char *text = new_string((const char *)bytes, length, &err);
    if (text && fuzz_told(templates_parse(&templates, &(struct template_source){text, "fuzz", NULL}, &err), &err))
        templates_release(&templates);
    char *kept = text ? template_restrict(&(struct template_source){text, "fuzz", NULL}, 2, -1, false, &err) : NULL;
    if (fuzz_told(kept != NULL, &err) &&
        fuzz_told(templates_parse(&templates, &(struct template_source){kept, "fuzz", NULL}, &err), &err)) {
        encode(&templates);
        templates_release(&templates);
    }
    free(kept);
    free(text);
    return 0;
}
