/* The options of vouch review. */
#include "options/rows.h"
#include "review/review.h"

#define OPTIONS struct review_options
/* clang-format off */
static const struct option_spec review[] = {
    TEXT("model", 'm', model, "FILE", OPTION_OF_PROGRAM | OPTION_READ,
     "judge by this model, which must not have been trained on the files"),
    OPTION_SCORES,
    TEXT("task", 't', learner.task, "NAME", OPTION_MATTERS,
     "or learn to judge from the files themselves: np, chunk, ner, pos, or dep for trees"),
    CHOICE("level", 0, level, "WHAT", "word, chunk, entity or sentence", OPTION_MATTERS,
     "what to list: word, chunk (or entity), or sentence"),
    TEXT("inspect", 0, inspect, "N", OPTION_MATTERS,
     "how many of them to list: a number, a share as in 5%, or all"),
    INTEGER("audit", 0, audit, "N", 0, 1e6, OPTION_MATTERS,
     "list N that are drawn at random instead: decisions about them tell how many errors there are"),
    CHOICE("as", 0, as, "FORMAT", "tsv, jsonl or html", OPTION_OF_PROGRAM,
     "write a table (tsv), JSON lines (jsonl) or a page (html)"),
    OPTION_OUTPUT,
    TEXT("apply", 0, apply, "FILE", OPTION_OF_PROGRAM | OPTION_READ,
     "instead: write the corpus with what was decided in this edited table"),
    FLAG("new-labels", 0, new_labels, OPTION_OF_PROGRAM,
     "with --apply or --decided: decisions may have labels that the corpus does not have"),
    TEXT("decided", 0, decided, "FILE", OPTION_REPEATS | OPTION_READ,
     "learn from what was decided in this edited table, and list the rest; may be given once for each round"),
    INTEGER("folds", 0, folds, "N", 2, 1000, OPTION_MATTERS,
     "with --task: judge each of N parts by what was learned from the others"),
    FLAG("names", 0, names, OPTION_MATTERS,
     "with --task: also suspect words that have one label everywhere, where their contexts suggest another type"),
    OPTIONS_LEARNER,
    OPTIONS_READING,
    OPTIONS_WORK,
    OPTIONS_END,
};
/* clang-format on */

/* Options that would do nothing are refused. */
#define OF_LEARNING                                                                                                    \
    "folds names algorithm passes features template lexicon use cutoff learn-as no-constraints k-best C phi "          \
    "covariance variance rate l2 vector-window vector-length unlabelled bits"
static const struct option_rule rules[] = {
    {.needs = "file", .message = "expected at least one labelled file"},
    {.with = "apply", .excludes = "ranks", .message = "--%s is not for ranks: run 'vouch review', without mpirun"},
    {.with = "apply", .excludes = "files", .message = "expected the one file to correct, found %s"},
    {.with = "audit", .excludes = "inspect", .message = "expected --%s or --inspect, not both"},
    {.with = "scores offsets level inspect audit as decided " OF_LEARNING " vectors seed",
     .excludes = "apply",
     .message = "--%s is for making a list, not for --apply"},
    {.with = "apply", .excludes = "model", .message = "--%s needs no model: expected no -m"},
    {.with = OF_LEARNING, .excludes = "model", .message = "--%s is for learning from the files by --task, not for -m"},
    {.with = "scores offsets", .needs = "model", .message = "--%s is for a model without weights: expected -m with it"},
    {.with = "new-labels", .needs = "apply decided", .message = "--%s is for decisions: expected --apply or --decided"},
    {.with = "model", .excludes = "task", .message = "expected -m or --task, not both"},
    {.needs = "model task apply", .message = "expected -m MODEL, or --task np, chunk, ner, pos or dep"},
    {0},
};

/*
 * There are two voices: cw proposes, and crf has probabilities. There are few passes, so that the models do not learn
 * the errors by heart. Every sentence of the files is judged, also those with several roots.
 */
static const struct review_options usual = {.common = USUAL_COMMON,
                                            .learner = {USUAL_LEARNER("cw+crf", 3), .multi_root = MULTI_ROOT_KEEP},
                                            .inspect = "1%",
                                            .folds = 5};

const struct option_table review_options = {"review", review, &usual, sizeof usual, NULL, rules};
