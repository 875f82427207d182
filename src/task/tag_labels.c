/*
 * Maps labels to choices and back, between the scheme that is learned and that of the corpus.
 *
 * Labels are respelled sentence by sentence, since how a label is written depends on the one before it. Where the
 * corpus's scheme is learned as it is, nothing is respelled. In a sentence with open labels, each is respelled by
 * itself and the word before.
 */
#include "task/tag_labels.h"

#include "core/sentence.h"

#include <stdio.h>

static const char prefixes[] = "BIES";

void labels_release(struct tag_labels *labels)
{
    dictionary_release(&labels->names);
    dictionary_release(&labels->written);
}

bool labels_copy(struct tag_labels *copy, const struct tag_labels *labels, struct vouch_error *err)
{
    *copy = (struct tag_labels){.inner = labels->inner, .outer = labels->outer};
    return dictionary_copy(&copy->names, &labels->names, err);
}

enum scheme labels_scheme(enum scheme outer, enum scheme asked)
{
    bool keep = outer == SCHEME_NONE || asked == SCHEME_NONE || (outer == SCHEME_BIOES && asked == SCHEME_IOB2);
    return keep ? outer : asked;
}

void label_work_release(struct label_work *work)
{
    free(work->prefix);
    free(work->name);
    free(work->text);
    *work = (struct label_work){0};
}

/* Joins "B" and "PER" to "B-PER", in work->name. */
static bool join(struct label_work *work, char prefix, struct text type, struct text *joined, struct vouch_error *err)
{
    if (prefix == 'O') {
        *joined = text_of("O");
        return true;
    }
    if (!RESERVE(work->name, work->name_capacity, (size_t)type.length + 2, err))
        return false;
    work->name[0] = prefix;
    work->name[1] = '-';
    memcpy(work->name + 2, type.at, type.length);
    *joined = (struct text){work->name, type.length + 2};
    return true;
}

/* Finds the prefixes of a sentence with open labels: see labels_choose(). I-X that cannot go on with a chunk is B-X. */
static bool convert_partial(const struct tag_labels *labels, const struct text *gold, uint32_t N, char *prefix,
                            struct vouch_error *err)
{
    bool last_matters = labels->inner == SCHEME_BIOES && labels->outer != SCHEME_BIOES;
    struct text before = text_of("O"), type;
    for (uint32_t i = 0; i < N; before = gold[i++]) {
        char own = gold[i].length ? scheme_split(gold[i], &type) : 'O';
        if (own != 'O' && (last_matters || labels->inner == SCHEME_IOB1))
            return fail(err, VOUCH_ERR_FORMAT,
                        "expected %s, in which chunks are learned, in a sentence with open labels, found '%.*s': its "
                        "neighbours must be known to respell it (--learn-as)",
                        last_matters ? "BIOES" : "IOB2", excerpt(gold[i]), gold[i].at);
        bool begins = own == 'B' || own == 'S' || (before.length > 0 && scheme_starts(before, gold[i]));
        prefix[i] = labels->inner == SCHEME_BIOES || own == 'O' ? own : begins ? 'B' : 'I';
    }
    return true;
}

bool labels_choose(const struct tag_labels *labels, struct dictionary *growing, const struct text *gold, uint32_t N,
                   struct label_work *work, uint32_t *choice, struct vouch_error *err)
{
    bool partial = scheme_has_open(gold, N), chunks = labels->inner != SCHEME_NONE;
    bool converts = labels->inner != labels->outer || (partial && chunks);
    if (converts && !RESERVE(work->prefix, work->prefix_capacity, (size_t)N + 1, err))
        return false;
    if (converts && partial && !convert_partial(labels, gold, N, work->prefix, err))
        return false;
    if (converts && !partial)
        scheme_convert(gold, N, labels->inner, work->prefix);
    for (uint32_t i = 0; i < N; i++) {
        struct text name = gold[i], type;
        choice[i] = OPEN_CHOICE;
        if (name.length == 0)
            continue;
        scheme_split(gold[i], &type);
        if (converts && !join(work, work->prefix[i], type, &name, err))
            return false;
        uint32_t number = growing ? dictionary_add(growing, name, err) : dictionary_find(&labels->names, name);
        if (growing && !number)
            return false;
        choice[i] = number ? number - 1 : NO_LABEL;
    }
    return true;
}

bool labels_decided(const struct tag_labels *labels, const struct text *gold, uint32_t N, struct vouch_error *err)
{
    for (uint32_t i = 0; i < N; i++)
        if (text_is(gold[i], "?") && !dictionary_find(&labels->written, gold[i]))
            return fail(err, VOUCH_ERR_FORMAT,
                        "expected a label for word %u, found '?', which the model does not know: open labels are for "
                        "train --partial",
                        i + 1);
    return true;
}

bool labels_respell(const struct tag_labels *labels, struct text *gold, uint32_t N, struct label_work *work,
                    struct vouch_error *err)
{
    if (!labels_decided(labels, gold, N, err))
        return false;
    if (labels->outer == SCHEME_NONE)
        return true;
    if (!RESERVE(work->prefix, work->prefix_capacity, (size_t)N + 1, err))
        return false;
    scheme_convert(gold, N, labels->outer, work->prefix);
    for (uint32_t i = 0; i < N; i++) {
        struct text type, joined;
        char own = scheme_split(gold[i], &type);
        if (!own || own == work->prefix[i])
            continue;
        if (!join(work, work->prefix[i], type, &joined, err))
            return false;
        uint32_t known = dictionary_find(&labels->written, joined);
        gold[i] = known ? dictionary_text(&labels->written, known) : gold[i];
    }
    return true;
}

/* Returns the names of all labels, [labels_count()], to free(). */
static struct text *names_of(const struct tag_labels *labels, struct vouch_error *err)
{
    struct text *name = new_array(labels_count(labels), sizeof *name, err);
    for (uint32_t y = 0; name && y < labels_count(labels); y++)
        name[y] = labels_name(labels, y);
    return name;
}

bool labels_transitions(const struct tag_labels *labels, bool whole, struct transitions *transitions,
                        struct vouch_error *err)
{
    enum { MOST = 4096 };
    uint32_t Y = labels_count(labels);
    *transitions = (struct transitions){0};
    if (labels->inner == SCHEME_NONE || (whole && Y > MOST))
        return true;
    struct text *name = names_of(labels, err);
    bool ok = name && ((whole && !transitions_suffice(labels->inner, name, Y)) ||
                       transitions_init(transitions, labels->inner, name, Y, err));
    free(name);
    return ok;
}

bool labels_span_rules(const struct tag_labels *labels, struct span_rules *rules, struct vouch_error *err)
{
    uint32_t Y = labels_count(labels);
    *rules = (struct span_rules){0};
    if (labels->inner == SCHEME_NONE)
        return true;
    struct text *name = names_of(labels, err);
    bool ok = name && span_rules_init(rules, name, Y, err);
    rules->respelled = ok && labels->inner != labels->outer;
    free(name);
    return ok;
}

struct text labels_spelled(const struct tag_labels *labels, uint32_t before, uint32_t label)
{
    enum { MOST = 256 };
    struct text pair[2] = {before == NO_LABEL ? text_of("O") : labels_name(labels, before), labels_name(labels, label)};
    struct text type;
    char prefix[2], joined[MOST];
    if (labels->inner == labels->outer || text_is(pair[1], "O"))
        return pair[1];
    scheme_convert(pair, 2, labels->outer, prefix);
    scheme_split(pair[1], &type);
    int length = snprintf(joined, sizeof joined, "%c-%.*s", prefix[1], (int)type.length, type.at);
    uint32_t known = length < MOST ? dictionary_find(&labels->written, (struct text){joined, (uint32_t)length}) : 0;
    return known ? dictionary_text(&labels->written, known) : pair[1];
}

bool labels_close(struct tag_labels *labels, struct vouch_error *err)
{
    struct label_work work = {0};
    bool ok = true;
    for (uint32_t y = 0; ok && y < labels_count(labels); y++) {
        struct text type, joined = labels_name(labels, y);
        char own = scheme_split(joined, &type);
        ok = dictionary_add(&labels->written, joined, err) != 0;
        for (const char *p = prefixes; ok && own && own != 'O' && *p; p++)
            ok = join(&work, *p, type, &joined, err) && dictionary_add(&labels->written, joined, err) != 0;
    }
    label_work_release(&work);
    return ok;
}

bool labels_write(const struct tag_labels *labels, const uint32_t *choice, uint32_t N, struct label_work *work,
                  struct text *written, struct vouch_error *err)
{
    for (uint32_t i = 0; i < N; i++)
        written[i] = labels_name(labels, choice[i]);
    return labels->inner == labels->outer || labels_respell(labels, written, N, work, err);
}
