/*
 * Turns words into parts, for labelling: the only code that turns strings into features.
 *
 * A vocabulary numbers strings and features. While training it grows; in a model it stays as it is, and any number of
 * threads may read it. An encoder is one thread's working memory for it.
 *
 * Where words have vectors (templates->vectors), the components are the first features of words (core/dense.h). Their
 * records have no strings, and rule numbers behind those of the templates: RULES + place * D + component, where RULES
 * is the number of U lines, or 1 for ready-made attributes. Behind these are the rules of templates->context, the
 * features of a first stage's answers, which have no strings either.
 */
#ifndef VOUCH_TASK_TAG_FEATURES_H
#define VOUCH_TASK_TAG_FEATURES_H

#include "core/parts.h"
#include "core/sentence.h"
#include "task/dictionary.h"
#include "task/observer.h"
#include "task/template.h"

struct vocabulary {
    struct dictionary strings;
    struct feature_index node, edge;
};

void vocabulary_release(struct vocabulary *vocabulary);

/*
 * Makes a copy that can grow, even of a model's: every string and every feature of `templates` has the same number in
 * it. Release in any case.
 */
bool vocabulary_copy(struct vocabulary *copy, const struct vocabulary *vocabulary, const struct templates *templates,
                     struct vouch_error *err);

/* Adds the features of a first stage's answers, or finds them: feature [templates->context], or NO_FEATURE. */
bool vocabulary_add_context(struct vocabulary *vocabulary, const struct templates *templates, uint32_t *feature,
                            struct vouch_error *err);
void vocabulary_find_context(const struct vocabulary *vocabulary, const struct templates *templates, uint32_t *feature);

struct encoder;

/*
 * Templates and vocabulary must outlive the encoder. A growing one adds unknown strings and features to it; the other
 * kind remembers what is unknown, so the vocabulary must not grow any more.
 */
struct encoder *encoder_new(const struct templates *templates, const struct vocabulary *vocabulary,
                            struct vouch_error *err);
struct encoder *encoder_new_growing(const struct templates *templates, struct vocabulary *vocabulary,
                                    struct vouch_error *err);
void encoder_free(struct encoder *encoder); /* NULL is allowed */

/* Makes the parts of `sentence`, valid until the next call. Time: words times rules. */
bool encoder_run(struct encoder *encoder, const struct sentence *sentence, struct parts *parts,
                 struct vouch_error *err);

/* Whether the first features of words are the components of vectors, as they must be. */
bool tag_vectors_fit(const struct templates *templates, const struct feature_index *node);

/* Returns how many strings the features of a rule look at; UINT32_MAX if there is no such rule. */
uint32_t tag_feature_strings(const struct templates *templates, bool edge, uint32_t rule);

/*
 * Returns what each feature is, whatever its number and those of its strings: 32 bits hashed from the rule and the
 * strings. [features of words, then of edges], to free().
 */
uint32_t *tag_feature_names(const struct templates *templates, const struct vocabulary *vocabulary,
                            struct vouch_error *err);

/* Finds the key of the feature that `record` describes; false if no rule makes such a feature. */
bool tag_feature_key(const struct templates *templates, bool edge, const uint32_t *record, uint32_t length,
                     uint64_t *key);

#endif
