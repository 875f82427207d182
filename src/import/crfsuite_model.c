/*
 * Reads the model files of CRFsuite: a first-order CRF over ready-made attributes.
 *
 * All integers are 32 bits, little-endian; offsets count from the start of the file, in a CQDB from its own.
 *
 *     header    "lCRF", size, "FOMC", version 100, a number that is not used, labels, attributes,
 *               offsets of the features, the labels, the attributes, and of two lists that repeat them by their source
 *     features  "FEAT", size, count, then for each: type, source, target, weight (a double)
 *     strings   "CQDB", size, flag, 0x62445371, count and offset of an array that has the offset of each number's
 *               string; there: the number, the length with its final 0, the bytes
 *
 * Type 0 is an attribute (source) with a label (target), type 1 a label after a label. The score of a sentence is the
 * sum of value * weight over the attributes of its words, and of the weights of neighbouring labels: the template
 * "attributes" with one block of edges. Layout as in crf1d_model.c and cqdb.c of CRFsuite 0.12 (Okazaki 2007).
 *
 * Time: the file's length, and labels times attributes for the weights. Every place is checked to be in the file before
 * it is read; a file has no checksum, so a weight that was changed is not noticed.
 */
#include "import/import.h"

#include <errno.h>
#include <float.h>
#include <math.h>
#include <stdio.h>

enum {
    HEADER_BYTES = 48,
    VERSION = 100,
    FEATURES_BYTES = 12,
    FEATURE_BYTES = 20,
    STRINGS_BYTES = 24 + 8 * 256, /* with the places of 256 hash tables, which are not needed */
    CQDB_ORDER = 0x62445371
};

struct lcrf {
    const char *name;
    struct buffer all;
    const unsigned char *bytes; /* [size] of it */
    size_t size;
    uint32_t labels, attributes, at_features, at_labels, at_attributes;
};

static bool wrong(const struct lcrf *file, struct vouch_error *err, uint64_t at, const char *expected)
{
    return fail(err, VOUCH_ERR_FORMAT, "%s: byte %llu: expected %s: the file is cut off or damaged", file->name,
                (unsigned long long)at, expected);
}

static bool read_all(struct lcrf *file, struct vouch_error *err)
{
    FILE *from = fopen(file->name, "rbe");
    if (!from)
        return fail(err, VOUCH_ERR_IO, "%s: cannot open: %s", file->name, strerror(errno));
    bool ok = buffer_add_stream(&file->all, from, err) || fail_within(err, "%s", file->name);
    file->bytes = (const unsigned char *)buffer_text(&file->all).at;
    file->size = file->all.length;
    fclose(from);
    return ok;
}

static bool within(const struct lcrf *file, uint64_t at, uint64_t length)
{
    return at <= file->size && length <= file->size - at;
}

static uint32_t number_at(const struct lcrf *file, uint64_t at)
{
    const unsigned char *b = file->bytes + at;
    return (uint32_t)b[0] | (uint32_t)b[1] << 8 | (uint32_t)b[2] << 16 | (uint32_t)b[3] << 24;
}

static double weight_at(const struct lcrf *file, uint64_t at)
{
    uint64_t bits = number_at(file, at) | (uint64_t)number_at(file, at + 4) << 32;
    double weight;
    memcpy(&weight, &bits, sizeof weight);
    return weight;
}

static bool tag_is(const struct lcrf *file, uint64_t at, const char *tag)
{
    return memcmp(file->bytes + at, tag, 4) == 0;
}

static bool read_header(struct lcrf *file, struct vouch_error *err)
{
    if (file->size < HEADER_BYTES || !tag_is(file, 0, "lCRF") || !tag_is(file, 8, "FOMC"))
        return fail(err, VOUCH_ERR_FORMAT, "%s: expected a model file of CRFsuite, found something else", file->name);
    if (number_at(file, 12) != VERSION)
        return fail(err, VOUCH_ERR_FORMAT, "%s: expected version %d of CRFsuite's models, found %u", file->name,
                    VERSION, number_at(file, 12));
    if (number_at(file, 4) != file->size)
        return fail(err, VOUCH_ERR_FORMAT, "%s: expected %u bytes, found %zu: the file is cut off or damaged",
                    file->name, number_at(file, 4), file->size);
    file->labels = number_at(file, 20);
    file->attributes = number_at(file, 24);
    file->at_features = number_at(file, 28);
    file->at_labels = number_at(file, 32);
    file->at_attributes = number_at(file, 36);
    if (file->labels == 0 || file->labels > MAX_WIDTH)
        return fail(err, VOUCH_ERR_FORMAT, "%s: expected 1 to %d labels, found %u", file->name, MAX_WIDTH,
                    file->labels);
    return true;
}

/* Checks the head of `count` strings at `start`, and finds their array of places. */
static bool find_strings(const struct lcrf *file, uint64_t start, uint32_t count, uint64_t *places,
                         struct vouch_error *err)
{
    if (!within(file, start, STRINGS_BYTES) || !tag_is(file, start, "CQDB") ||
        number_at(file, start + 12) != CQDB_ORDER)
        return wrong(file, err, start, "a table of strings, CQDB");
    uint32_t size = number_at(file, start + 4);
    if (!within(file, start, size))
        return wrong(file, err, start + 4, "the size of a table within the file");
    if (number_at(file, start + 16) != count)
        return wrong(file, err, start + 16, "as many strings as the header counts");
    *places = start + number_at(file, start + 20);
    if (!within(file, *places, UINT64_C(4) * count) || *places + UINT64_C(4) * count > start + size)
        return wrong(file, err, start + 20, "the place of an array within the table");
    return true;
}

/* Finds string `number` of the table at `start`. */
static bool string_at(const struct lcrf *file, uint64_t start, uint64_t places, uint32_t number, struct text *text,
                      struct vouch_error *err)
{
    uint64_t at = start + number_at(file, places + UINT64_C(4) * number);
    if (!within(file, at, 8) || number_at(file, at) != number)
        return wrong(file, err, places + UINT64_C(4) * number, "the place of a string with this number");
    uint32_t length = number_at(file, at + 4);
    if (length == 0 || !within(file, at + 8, length) || file->bytes[at + 8 + length - 1] != 0)
        return wrong(file, err, at + 4, "the length of a string that ends with a zero byte");
    *text = (struct text){(const char *)file->bytes + at + 8, length - 1};
    return true;
}

static bool read_labels(const struct lcrf *file, struct foreign *foreign, struct vouch_error *err)
{
    uint64_t places;
    bool ok = find_strings(file, file->at_labels, file->labels, &places, err);
    for (uint32_t y = 0; ok && y < file->labels; y++) {
        struct text label;
        ok = string_at(file, file->at_labels, places, y, &label, err) && foreign_label(foreign, label, file->name, err);
    }
    return ok;
}

/* Adds the feature of a record, which must be new. */
static bool add_feature(const struct templates *templates, struct feature_index *index, bool edge,
                        const uint32_t *record, uint32_t length, struct vouch_error *err)
{
    uint64_t key;
    uint32_t next = feature_index_count(index);
    if (!tag_feature_key(templates, edge, record, length, &key))
        return fail(err, VOUCH_ERR_FORMAT, "no rule makes such a feature");
    uint32_t found = feature_index_add(index, key, record, length, err);
    if (found != NO_FEATURE && found != next)
        return fail(err, VOUCH_ERR_FORMAT, "feature %u: its hash is that of another", next);
    return found != NO_FEATURE;
}

/* Makes attribute a the feature a, and the one feature of edges. */
static bool read_attributes(const struct lcrf *file, struct foreign *foreign, struct vouch_error *err)
{
    uint64_t places;
    struct vocabulary *vocabulary = &foreign->vocabulary;
    bool ok = find_strings(file, file->at_attributes, file->attributes, &places, err);
    for (uint32_t a = 0; ok && a < file->attributes; a++) {
        struct text name;
        if (!string_at(file, file->at_attributes, places, a, &name, err))
            return false;
        if (utf8_check(name.at, name.length) != name.length || memchr(name.at, '\0', name.length))
            return fail(err, VOUCH_ERR_FORMAT, "%s: attribute %u: expected UTF-8", file->name, a + 1);
        uint32_t number = dictionary_add(&vocabulary->strings, name, err);
        if (number && number != a + 1)
            return fail(err, VOUCH_ERR_FORMAT, "%s: attribute %u: expected a new name, found '%.60s' again", file->name,
                        a + 1, name.at);
        ok =
            number && add_feature(&foreign->templates, &vocabulary->node, false, (const uint32_t[]){0, number}, 2, err);
    }
    return ok && add_feature(&foreign->templates, &vocabulary->edge, true, (const uint32_t[]){0}, 1, err);
}

/* Adds the weight of a record, whose place is known to be in the file. */
static bool read_feature(const struct lcrf *file, struct foreign *foreign, uint64_t at, struct vouch_error *err)
{
    uint32_t type = number_at(file, at), source = number_at(file, at + 4), target = number_at(file, at + 8);
    double weight = weight_at(file, at + 12);
    if (type > 1)
        return wrong(file, err, at, "type 0 or 1 of a feature");
    if (source >= (type ? file->labels : file->attributes) || target >= file->labels)
        return wrong(file, err, at + 4, "numbers of an attribute or label, and of a label");
    const struct space *space = &foreign->space;
    size_t place = type ? space_edge(space, 0) + (size_t)source * space->width : space_node(space, source);
    float *to = &foreign->mean[place + target];
    weight += (double)*to; /* CRFsuite adds up the weights of a feature that is listed twice */
    if (!isfinite(weight) || fabs(weight) > FLT_MAX)
        return wrong(file, err, at + 12, "a weight in the range of floats");
    *to = (float)weight;
    return true;
}

static bool read_features(const struct lcrf *file, struct foreign *foreign, struct vouch_error *err)
{
    uint64_t start = file->at_features, first = start + FEATURES_BYTES;
    if (!within(file, start, FEATURES_BYTES) || !tag_is(file, start, "FEAT"))
        return wrong(file, err, start, "a list of features, FEAT");
    uint32_t size = number_at(file, start + 4), count = number_at(file, start + 8);
    if (!within(file, start, size))
        return wrong(file, err, start + 4, "the size of a list within the file");
    if (FEATURES_BYTES + UINT64_C(1) * count * FEATURE_BYTES != size)
        return wrong(file, err, start + 8, "as many features as the list has room for");
    for (uint32_t f = 0; f < count; f++)
        if (!read_feature(file, foreign, first + UINT64_C(1) * f * FEATURE_BYTES, err))
            return false;
    return true;
}

bool crfsuite_model_read(struct foreign *foreign, const char *path, struct vouch_error *err)
{
    struct lcrf file = {.name = path};
    foreign->template = template_builtin("attributes");
    bool ok = read_all(&file, err) && read_header(&file, err) &&
              templates_parse(&foreign->templates, &(struct template_source){foreign->template, path, NULL}, err) &&
              read_labels(&file, foreign, err) && read_attributes(&file, foreign, err) &&
              foreign_weights(foreign, err) && read_features(&file, foreign, err);
    free(file.all.bytes);
    return ok;
}
