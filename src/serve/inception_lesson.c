/* Documents as labelled sentences: see inception.h. Of annotations that overlap, the first and longest is learned. */
#include "serve/inception.h"

#include <stdlib.h>

/* What a sentence's words are annotated as. */
struct gold {
    const struct cas_annotation **at; /* [tokens] of the document: what covers each; NULL: nothing */
    uint32_t *head;                   /* [tokens] of trees: the head's token; NO_TOKEN: unknown */
};

/* Notes what covers each token: one annotation, of those that begin first and then of those that are longest. */
static void cover(const struct cas *cas, struct gold *gold)
{
    for (size_t i = 0; i < cas->annotations; i++) {
        const struct cas_annotation *annotation = &cas->annotation[i];
        const struct cas_annotation *longest = annotation;
        while (i + 1 < cas->annotations && cas->annotation[i + 1].begin == annotation->begin) {
            i++;
            if (cas->annotation[i].label && (!longest->label || cas->annotation[i].end > longest->end))
                longest = &cas->annotation[i];
        }
        size_t from, to;
        cas_words(cas, longest->begin, longest->end, &from, &to);
        bool free_place = longest->label && from < to;
        for (size_t t = from; free_place && t < to; t++)
            free_place = !gold->at[t];
        for (size_t t = from; free_place && t < to; t++)
            gold->at[t] = longest;
    }
}

/* Notes the heads; a word that depends on itself is a root, as the formats of DKPro have it. */
static void attach(const struct cas *cas, struct gold *gold)
{
    for (size_t i = 0; i < cas->annotations; i++) {
        const struct cas_annotation *relation = &cas->annotation[i];
        if (relation->dependent == NO_TOKEN || relation->governor == NO_TOKEN || gold->at[relation->dependent])
            continue;
        gold->at[relation->dependent] = relation;
        gold->head[relation->dependent] = relation->governor;
    }
}

static json_t *string(const char *text)
{
    return json_string(text && *text ? text : "_");
}

/* Returns a word with its columns. */
static json_t *word_json(const struct recommender *asked, const struct cas *cas, size_t token, size_t columns)
{
    const struct cas_token *of = &cas->token[token];
    json_t *form = json_stringn(cas->text + of->begin, of->end - of->begin);
    if (asked->layer.relations)
        return json_pack("[o, o, o, o, o]", form, string(of->lemma), string(of->coarse), string(of->pos),
                         string(of->features));
    return columns > 1 ? json_pack("[o, o]", form, string(of->pos)) : form;
}

/* Whether something is said of a word of a sentence from .. to - 1; a head outside of it says nothing. */
static bool is_decided(const struct recommender *asked, const struct gold *gold, size_t token, size_t from, size_t to)
{
    const struct cas_annotation *annotation = gold->at[token];
    const bool inside = !asked->layer.relations || (gold->head[token] >= from && gold->head[token] < to);
    return annotation && annotation->label && *annotation->label && inside;
}

/* Returns a word's label: plain, or as IOB2 writes it. */
static json_t *label_json(const struct recommender *asked, const struct gold *gold, size_t token, size_t from)
{
    const struct cas_annotation *annotation = gold->at[token];
    if (asked->dense)
        return annotation && *annotation->label ? json_string(annotation->label) : json_null();
    if (!annotation)
        return json_string("O");
    const bool begins = token == from || gold->at[token - 1] != annotation;
    return json_sprintf("%s-%s", begins ? "B" : "I", annotation->label);
}

static bool add_sentence(struct buffer *text, const struct recommender *asked, const struct cas *cas,
                         const struct gold *gold, size_t from, size_t to, size_t columns, struct vouch_error *err)
{
    json_t *tokens = json_array(), *labels = json_array(), *heads = json_array();
    bool ok = tokens && labels && heads;
    for (size_t t = from; ok && t < to; t++) {
        ok = json_array_append_new(tokens, word_json(asked, cas, t, columns)) == 0;
        if (ok && asked->layer.relations) {
            const bool decided = is_decided(asked, gold, t, from, to);
            const size_t head = gold->head[t] == t ? 0 : gold->head[t] - from + 1;
            ok = json_array_append_new(heads, decided ? json_integer((json_int_t)head) : json_null()) == 0 &&
                 json_array_append_new(labels, decided ? json_string(gold->at[t]->label) : json_null()) == 0;
        } else if (ok)
            ok = json_array_append_new(labels, label_json(asked, gold, t, from)) == 0;
    }
    json_t *line = !ok                      ? NULL
                   : asked->layer.relations ? json_pack("{s:O, s:O, s:O}", "tokens", tokens, "heads", heads,
                                                        "relations", labels)
                                            : json_pack("{s:O, s:O}", "tokens", tokens, "labels", labels);
    char *dumped = line ? json_dumps(line, JSON_COMPACT) : NULL;
    ok = dumped ? buffer_print(text, err, "%s\n", dumped) : fail_memory(err);
    free(dumped);
    json_decref(line);
    json_decref(tokens);
    json_decref(labels);
    json_decref(heads);
    return ok;
}

bool inception_add_lesson(struct buffer *text, const struct recommender *asked, const struct cas *cas, size_t columns,
                          struct vouch_error *err)
{
    struct gold gold = {new_array(cas->tokens, sizeof *gold.at, err), new_array(cas->tokens, sizeof *gold.head, err)};
    bool ok = gold.at && gold.head;
    for (size_t t = 0; ok && t < cas->tokens; t++)
        gold.head[t] = NO_TOKEN;
    if (ok && asked->layer.relations)
        attach(cas, &gold);
    else if (ok)
        cover(cas, &gold);
    for (size_t i = 0; ok && i < cas->sentences; i++) {
        size_t from, to;
        bool some = false;
        cas_words(cas, cas->sentence[i].begin, cas->sentence[i].end, &from, &to);
        for (size_t t = from; t < to; t++)
            some = some || is_decided(asked, &gold, t, from, to);
        if (some)
            ok = add_sentence(text, asked, cas, &gold, from, to, columns, err);
    }
    free(gold.at);
    free(gold.head);
    return ok;
}
