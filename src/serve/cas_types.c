/* Type systems: read as elements, then sorted by name. */
#include "serve/cas_types.h"

#include "convert/annotated.h"

#include <stdlib.h>

/* What names of types are of elements. */
#define SPACE_BEGIN "http:///"
#define SPACE_END ".ecore"
#define NO_PACKAGE "http:///uima/noNamespace.ecore"

struct feature {
    const char *name, *range;
};

struct type {
    const char *name, *above;
    uint32_t first, features; /* of the array of features */
    uint32_t super;           /* the type above it; NO_TYPE if that is not described */
};

struct cas_types {
    struct type *type; /* [count], sorted by name */
    struct feature *feature;
    size_t count, features, type_room, feature_room;
    struct arena strings;
};

/* ---- Reading ---- */

enum { MOST_TYPES = 10000 };
enum { DEEPEST = 6 }; /* typeSystemDescription types typeDescription features featureDescription name */

struct reading {
    struct cas_types *types;
    char path[DEEPEST + 1]; /* a letter for each element that is open, of those that matter */
    size_t depth;
    struct buffer text; /* of the innermost element */
};

/* Returns the letter of an element; 'x' for others. */
static char letter_of(struct text name)
{
    static const struct {
        const char *name;
        char letter;
    } of[] = {{"typeSystemDescription", 'd'}, {"types", 's'}, {"typeDescription", 't'}, {"features", 'g'},
              {"featureDescription", 'f'},    {"name", 'n'},  {"supertypeName", 'a'},   {"rangeTypeName", 'r'}};
    for (size_t i = 0; i < sizeof of / sizeof *of; i++)
        if (text_is(name, of[i].name))
            return of[i].letter;
    return 'x';
}

static bool on_start(void *context, const struct xml_element *element, struct vouch_error *err)
{
    struct reading *reading = context;
    struct cas_types *types = reading->types;
    reading->text.length = 0;
    if (reading->depth < DEEPEST)
        reading->path[reading->depth] = letter_of(element->name);
    reading->depth++;
    reading->path[reading->depth < DEEPEST ? reading->depth : DEEPEST] = '\0';
    if (reading->depth == 1 && reading->path[0] != 'd')
        return fail(err, VOUCH_ERR_FORMAT, "type system: expected typeSystemDescription, found %.*s",
                    excerpt(element->name), element->name.at);
    if (reading->depth == 3 && strcmp(reading->path, "dst") == 0) {
        if (!RESERVE(types->type, types->type_room, types->count + 1, err))
            return false;
        types->type[types->count++] = (struct type){"", "", (uint32_t)types->features, 0, NO_TYPE};
    }
    if (reading->depth == 5 && strcmp(reading->path, "dstgf") == 0) {
        if (!RESERVE(types->feature, types->feature_room, types->features + 1, err))
            return false;
        types->feature[types->features++] = (struct feature){"", ""};
        types->type[types->count - 1].features++;
    }
    return true;
}

static bool on_text(void *context, struct text text, struct vouch_error *err)
{
    struct reading *reading = context;
    return buffer_add(&reading->text, text, err);
}

/* Keeps the text of the innermost element, without space around it. */
static bool keep(struct reading *reading, const char **kept, struct vouch_error *err)
{
    *kept = xml_keep(&reading->types->strings, white_trimmed(buffer_text(&reading->text)), err);
    return *kept != NULL;
}

static bool on_end(void *context, struct vouch_error *err)
{
    struct reading *reading = context;
    struct cas_types *types = reading->types;
    bool ok = true;
    if (reading->depth == 4 && strcmp(reading->path, "dstn") == 0)
        ok = keep(reading, &types->type[types->count - 1].name, err);
    else if (reading->depth == 4 && strcmp(reading->path, "dsta") == 0)
        ok = keep(reading, &types->type[types->count - 1].above, err);
    else if (reading->depth == 6 && strcmp(reading->path, "dstgfn") == 0)
        ok = keep(reading, &types->feature[types->features - 1].name, err);
    else if (reading->depth == 6 && strcmp(reading->path, "dstgfr") == 0)
        ok = keep(reading, &types->feature[types->features - 1].range, err);
    reading->depth--;
    reading->path[reading->depth < DEEPEST ? reading->depth : DEEPEST] = '\0';
    reading->text.length = 0;
    return ok;
}

static int by_name(const void *left, const void *right)
{
    return strcmp(((const struct type *)left)->name, ((const struct type *)right)->name);
}

struct cas_types *cas_types_read(const char *xml, size_t length, struct vouch_error *err)
{
    struct cas_types *types = new_array(1, sizeof *types, err);
    if (!types)
        return NULL;
    struct reading reading = {.types = types};
    const struct xml_reader reader = {on_start, on_text, on_end, &reading};
    const bool ok = xml_read(xml, length, "type system", &reader, err);
    free(reading.text.bytes);
    if (!ok || !RESERVE(types->type, types->type_room, 1, err) ||
        (types->count > MOST_TYPES && !fail(err, VOUCH_ERR_FORMAT, "type system: expected at most %d types, found %zu",
                                            MOST_TYPES, types->count))) {
        cas_types_free(types);
        return NULL;
    }
    qsort(types->type, types->count, sizeof *types->type, by_name);
    for (size_t i = 0; i < types->count; i++)
        types->type[i].super = cas_type_find(types, text_of(types->type[i].above));
    return types;
}

void cas_types_free(struct cas_types *types)
{
    if (!types)
        return;
    free(types->type);
    free(types->feature);
    arena_release(&types->strings);
    free(types);
}

/* ---- Asking ---- */

uint32_t cas_type_find(const struct cas_types *types, struct text name)
{
    size_t low = 0, high = types->count;
    while (low < high) {
        const size_t middle = low + (high - low) / 2;
        const struct text found = text_of(types->type[middle].name);
        const uint32_t common = found.length < name.length ? found.length : name.length;
        int order = memcmp(found.at, name.at, common);
        if (order == 0)
            order = (found.length > name.length) - (found.length < name.length);
        if (order == 0)
            return (uint32_t)middle;
        if (order < 0)
            low = middle + 1;
        else
            high = middle;
    }
    return NO_TYPE;
}

uint32_t cas_type_of(const struct cas_types *types, const struct xml_element *element, struct buffer *scratch,
                     struct vouch_error *err)
{
    const uint32_t begin = sizeof SPACE_BEGIN - 1, end = sizeof SPACE_END - 1;
    struct text package = element->space;
    if (text_is(package, NO_PACKAGE))
        return cas_type_find(types, element->name);
    if (!text_starts(package, SPACE_BEGIN) || package.length < begin + end ||
        memcmp(package.at + package.length - end, SPACE_END, end) != 0)
        return NO_TYPE;
    package = (struct text){package.at + begin, package.length - begin - end};
    scratch->length = 0;
    if (!buffer_add(scratch, package, err) || !buffer_put(scratch, '.', err) ||
        !buffer_add(scratch, element->name, err))
        return NO_TYPE;
    for (uint32_t i = 0; i < package.length; i++)
        if (scratch->bytes[i] == '/')
            scratch->bytes[i] = '.';
    return cas_type_find(types, buffer_text(scratch));
}

size_t cas_type_count(const struct cas_types *types)
{
    return types->count;
}

const char *cas_type_name(const struct cas_types *types, uint32_t type)
{
    return types->type[type].name;
}

/* Types may be described as above themselves: no way up is longer than there are types. */
bool cas_type_is(const struct cas_types *types, uint32_t type, uint32_t above)
{
    for (size_t steps = 0; type != NO_TYPE && above != NO_TYPE && steps <= types->count; steps++) {
        if (type == above)
            return true;
        type = types->type[type].super;
    }
    return false;
}

const char *cas_feature_range(const struct cas_types *types, uint32_t type, const char *feature)
{
    for (size_t steps = 0; type != NO_TYPE && steps <= types->count; steps++) {
        const struct type *of = &types->type[type];
        for (uint32_t i = 0; i < of->features; i++)
            if (strcmp(types->feature[of->first + i].name, feature) == 0)
                return types->feature[of->first + i].range;
        type = of->super;
    }
    return NULL;
}

bool cas_range_is_text(const struct cas_types *types, const char *range)
{
    if (strcmp(range, "uima.cas.String") == 0)
        return true;
    const uint32_t type = cas_type_find(types, text_of(range));
    return type != NO_TYPE && strcmp(types->type[type].above, "uima.cas.String") == 0;
}

const char *cas_type_space(const struct cas_types *types, uint32_t type, struct buffer *space, struct vouch_error *err)
{
    const char *name = types->type[type].name, *dot = strrchr(name, '.');
    space->length = 0;
    if (!dot)
        return buffer_print(space, err, NO_PACKAGE) ? name : NULL;
    if (!buffer_print(space, err, SPACE_BEGIN "%.*s" SPACE_END, (int)(dot - name), name))
        return NULL;
    for (size_t i = sizeof SPACE_BEGIN - 1; i < sizeof SPACE_BEGIN - 1 + (size_t)(dot - name); i++)
        if (space->bytes[i] == '.')
            space->bytes[i] = '/';
    return dot + 1;
}
