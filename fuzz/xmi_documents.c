/*
 * Any bytes as a document of INCEpTION. The first byte chooses the layer (its rest by 3), and whether the bytes are a
 * type system instead (above 127). What is read has words within its text; what is written with a suggestion at every
 * word is read again, with as many words and annotations; and what is learned from is JSON.
 */
#include "fuzz.h"

#include "base/json_read.h"
#include "serve/inception.h"

#include <math.h>

#define DKPRO "de.tudarmstadt.ukp.dkpro.core.api."
#define TYPE(name, features)                                                                                           \
    "<typeDescription><name>" name "</name><supertypeName>uima.tcas.Annotation</supertypeName><features>" features     \
    "</features></typeDescription>"
#define FEATURE(name, range)                                                                                           \
    "<featureDescription><name>" name "</name><rangeTypeName>" range "</rangeTypeName></featureDescription>"
#define TEXT(name) FEATURE(name, "uima.cas.String")

static const char *const piece[] = {
    "<typeSystemDescription><types>",
    TYPE(DKPRO "segmentation.type.Sentence", ""),
    TYPE(DKPRO "segmentation.type.Token", ""),
    TYPE(DKPRO "segmentation.type.Lemma", TEXT("value")),
    TYPE(DKPRO "lexmorph.type.pos.POS", TEXT("PosValue") TEXT("coarseValue")),
    TYPE("N", TEXT("value") TEXT("value_score_explanation") FEATURE("value_score", "uima.cas.Double")
         FEATURE("inception_internal_predicted", "uima.cas.Boolean")),
    TYPE(DKPRO "syntax.type.dependency.Dependency", FEATURE("Governor", DKPRO "segmentation.type.Token")
         FEATURE("Dependent", DKPRO "segmentation.type.Token") TEXT("DependencyType")),
    "</types></typeSystemDescription>",
};

static const struct {
    const char *layer, *feature;
} asked_for[] = {{"N", "value"},
                 {DKPRO "lexmorph.type.pos.POS", "PosValue"},
                 {DKPRO "syntax.type.dependency.Dependency", "DependencyType"}};

static struct cas_types *read_types(void)
{
    struct vouch_error err = {0};
    struct buffer xml = {0};
    for (size_t i = 0; i < sizeof piece / sizeof *piece; i++)
        if (!buffer_add(&xml, text_of(piece[i]), &err))
            abort();
    struct cas_types *types = cas_types_read(xml.bytes, xml.length, &err);
    if (!types)
        abort();
    free(xml.bytes);
    return types;
}

static void check_places(const struct cas *cas)
{
    for (size_t i = 0; i < cas->tokens; i++)
        if (cas->token[i].begin >= cas->token[i].end || cas->token[i].end > cas->length ||
            (i > 0 && cas->token[i].begin < cas->token[i - 1].end))
            abort();
    for (size_t i = 0; i < cas->annotations; i++)
        if (cas->annotation[i].begin > cas->annotation[i].end || cas->annotation[i].end > cas->length)
            abort();
}

/* Writes a suggestion for every word, and reads the document again. */
static void write_again(const struct cas *cas)
{
    struct vouch_error err = {0};
    struct buffer out = {0};
    struct cas again;
    struct cas_suggestion *suggestion = calloc(cas->tokens + 1, sizeof *suggestion);
    if (!suggestion)
        abort();
    for (size_t i = 0; i < cas->tokens; i++)
        suggestion[i] = (struct cas_suggestion){.begin = cas->token[i].begin, .end = cas->token[i].end,
                                                .label = "a<b>\"&'", .score = 0.5, .score_explanation = "\x01\n",
                                                .governor = 0, .dependent = (uint32_t)i};
    if (fuzz_told(cas_write(cas, suggestion, cas->tokens, &out, &err), &err)) {
        if (!cas_read(&again, out.bytes, out.length, cas->layer, &err) || !cas_cut(&again, &err) ||
            again.tokens != cas->tokens || again.sentences != cas->sentences)
            abort();
        if (again.annotations != cas->annotations + (cas->layer->predicted ? 0 : cas->tokens))
            abort();
        cas_release(&again);
    }
    free(suggestion);
    free(out.bytes);
}

static void learn_from(const struct recommender *asked, const struct cas *cas)
{
    struct vouch_error err = {0};
    struct buffer text = {0};
    if (!inception_add_lesson(&text, asked, cas, 2, &err))
        abort();
    for (struct text rest = buffer_text(&text); rest.length > 0;) {
        const struct text line = text_cut(&rest, '\n');
        json_t *value = json_read(line.at, line.length, 0, NULL);
        if (!value || json_array_size(json_object_get(value, "tokens")) == 0)
            abort();
        json_decref(value);
    }
    free(text.bytes);
}

int LLVMFuzzerTestOneInput(const uint8_t *bytes, size_t length)
{
    struct vouch_error err = {0};
    if (length == 0)
        return 0;
    const char *xml = (const char *)bytes + 1;
    if (bytes[0] > 127) {
        struct cas_types *types = cas_types_read(xml, length - 1, &err);
        if (fuzz_told(types != NULL, &err))
            for (uint32_t i = 0; i < cas_type_count(types); i++)
                if (cas_type_find(types, text_of(cas_type_name(types, i))) == NO_TYPE)
                    abort();
        cas_types_free(types);
        return 0;
    }
    const size_t choice = bytes[0] % 3;
    struct recommender asked = {.types = read_types(), .dense = choice == 1, .layer_name = asked_for[choice].layer,
                                .feature = asked_for[choice].feature, .anchoring = ANCHOR_TOKENS};
    struct cas cas;
    if (!cas_layer_find(asked.types, asked.layer_name, asked.feature, &asked.layer, &err))
        abort();
    /* A text in JSON is UTF-8 without zero bytes. */
    if (!memchr(xml, '\0', length - 1) && utf8_check(xml, length - 1) == length - 1 &&
        fuzz_told(cas_read(&cas, xml, length - 1, &asked.layer, &err), &err)) {
        if (!cas_cut(&cas, &err))
            abort();
        check_places(&cas);
        write_again(&cas);
        learn_from(&asked, &cas);
        cas_release(&cas);
    }
    cas_types_free(asked.types);
    return 0;
}
