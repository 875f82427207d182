/*
 * Finds the features that texts stand for: see import.h.
 *
 * A text is a rule's skeleton with cells in place of macros, and may be read in several ways if cells hold the text
 * between macros, too. A feature is added for each way, all with the same weights; a text that would take too many
 * steps to read is refused. Time: texts times rules, and the ways to read them, which are limited.
 */
#include "import/import.h"

#include <stdio.h>

enum { MOST_STEPS = 100000, MACRO_NAME = 2 }; /* macros of other programs are called %x and %X */

/* Reading one text: what was found so far. */
struct text_read {
    struct feature_texts *texts;
    struct text text;
    bool edge;
    uint64_t place;
    uint32_t record[1 + MAX_MACROS], length;
    uint32_t steps; /* tried so far, by all rules */
    uint32_t ways;  /* found so far */
};

const char *text_expected(enum text_reading state)
{
    return state == TEXT_UNKNOWN        ? "a feature that one of the templates makes"
           : state == TEXT_KNOWN_BEFORE ? "a feature that was not there before"
                                        : "a feature that can be read in fewer ways";
}

void feature_texts_release(struct feature_texts *texts)
{
    free(texts->place[0]);
    free(texts->place[1]);
    texts->place[0] = texts->place[1] = NULL;
}

/* Adds the feature that was found. */
static enum text_reading add_feature(struct text_read *r, struct vouch_error *err)
{
    struct feature_texts *texts = r->texts;
    struct foreign *foreign = texts->foreign;
    struct feature_index *index = r->edge ? &foreign->vocabulary.edge : &foreign->vocabulary.node;
    uint32_t next = feature_index_count(index);
    uint64_t key;
    if (!tag_feature_key(&foreign->templates, r->edge, r->record, r->length, &key))
        return TEXT_UNKNOWN;
    if (!RESERVE(texts->place[r->edge], texts->capacity[r->edge], (size_t)next + 1, err))
        return TEXT_FAILED;
    uint32_t found = feature_index_add(index, key, r->record, r->length, err);
    if (found == NO_FEATURE)
        return TEXT_FAILED;
    if (found != next)
        return TEXT_KNOWN_BEFORE;
    texts->place[r->edge][found] = r->place;
    r->ways++;
    return TEXT_READ;
}

/* Whether `text` can be followed by `skeleton` up to its next macro, or to its end. */
static bool continues(struct text text, const char *skeleton)
{
    size_t length = strcspn(skeleton, "%");
    return length <= text.length && memcmp(text.at, skeleton, length) == 0 &&
           (skeleton[length] || length == text.length);
}

static enum text_reading read_rest(struct text_read *r, uint32_t at, const char *skeleton, struct vouch_error *err);

/* Takes `cell` for what the next macro saw, and reads on behind it. */
static enum text_reading take_cell(struct text_read *r, struct text cell, uint32_t behind, const char *skeleton,
                                   struct vouch_error *err)
{
    uint32_t string = dictionary_add(&r->texts->foreign->vocabulary.strings, cell, err);
    if (!string)
        return TEXT_FAILED;
    r->record[r->length++] = string;
    enum text_reading state = read_rest(r, behind, skeleton, err);
    r->length--;
    return state;
}

/* Takes the cell for those outside of the sentence that have this name. */
static enum text_reading take_outside(struct text_read *r, struct text cell, uint32_t behind, const char *skeleton,
                                      struct vouch_error *err)
{
    int reach = r->texts->foreign->templates.reach;
    enum text_reading state = TEXT_READ;
    for (int k = -reach; r->texts->outside && state == TEXT_READ && k <= reach; k++) {
        char theirs[OUTSIDE_NAME], ours[OUTSIDE_NAME];
        if (k == 0)
            continue;
        r->texts->outside(k, theirs);
        snprintf(ours, sizeof ours, "_B%+d", k);
        if (text_is(cell, theirs))
            state = take_cell(r, text_of(ours), behind, skeleton, err);
    }
    return state;
}

/*
 * Reads the text from `at` on by what is left of a rule's skeleton: text up to a macro, a cell for the macro, and so
 * on. Adds a feature for each way. No cell is empty.
 */
static enum text_reading read_rest(struct text_read *r, uint32_t at, const char *skeleton, struct vouch_error *err)
{
    const struct text text = r->text;
    if (++r->steps > MOST_STEPS)
        return TEXT_TOO_AMBIGUOUS;
    if (!continues((struct text){text.at + at, text.length - at}, skeleton))
        return TEXT_READ;
    size_t before = strcspn(skeleton, "%");
    at += (uint32_t)before;
    if (!skeleton[before])
        return add_feature(r, err);
    skeleton += before + MACRO_NAME;
    enum text_reading state = TEXT_READ;
    for (uint32_t end = *skeleton ? at + 1 : text.length; state == TEXT_READ && end > at && end <= text.length; end++) {
        if (end < text.length && ((unsigned char)text.at[end] & 0xC0) == 0x80)
            continue; /* within a character */
        /* Strings are numbered only if the text behind them is the rule's. */
        if (!continues((struct text){text.at + end, text.length - end}, skeleton))
            continue;
        struct text cell = {text.at + at, end - at};
        if (memchr(cell.at, ' ', cell.length) || memchr(cell.at, '\t', cell.length))
            break; /* cells are divided at blanks, so none has one */
        state = take_cell(r, cell, end, skeleton, err);
        if (state == TEXT_READ)
            state = take_outside(r, cell, end, skeleton, err);
    }
    return state;
}

enum text_reading feature_texts_add(struct feature_texts *texts, struct text text, bool edge, uint64_t place,
                                    struct vouch_error *err)
{
    while (text.length > 0 && (text.at[text.length - 1] == ' ' || text.at[text.length - 1] == '\t'))
        text.length--; /* as templates_parse() does with lines */
    struct text_read r = {.texts = texts, .text = text, .edge = edge, .place = place};
    const struct templates *templates = &texts->foreign->templates;
    const struct rule *rule = edge ? templates->edge : templates->node;
    uint32_t rules = edge ? templates->edges : templates->nodes;
    enum text_reading state = TEXT_READ;
    for (uint32_t i = 0; state == TEXT_READ && i < rules; i++) {
        if (rule[i].shape != i)
            continue;
        r.record[0] = i;
        r.length = 1;
        state = read_rest(&r, 0, rule[i].skeleton, err);
    }
    return state == TEXT_READ && r.ways == 0 ? TEXT_UNKNOWN : state;
}

bool feature_texts_fill(const struct feature_texts *texts, const float *weight, struct vouch_error *err)
{
    struct foreign *foreign = texts->foreign;
    if (!foreign_weights(foreign, err))
        return false;
    const struct space *space = &foreign->space;
    const size_t Y = space->width;
    for (uint32_t f = 0; f < space->nodes; f++)
        memcpy(foreign->mean + space_node(space, f), weight + texts->place[0][f], sizeof *weight * Y);
    for (uint32_t f = 0; f < space->edges; f++)
        memcpy(foreign->mean + space_edge(space, f), weight + texts->place[1][f], sizeof *weight * Y * Y);
    return true;
}
