/*
 * Review finds what is probably wrong in a labelled corpus.
 *
 * Every label that the corpus gives is judged as if it were an answer, by models that did not learn from its sentence:
 * the log-odds that the voices give it, the votes of drawn models and, where the voices were learned for the purpose,
 * how well the label could be learned at all. Labels that all of these reject come first. How probable an error is
 * follows from errors that are planted in a copy and judged in the same way.
 *
 * The files of this folder, in the order in which it happens:
 *
 *     review_options.c  the table of options
 *     review.c          checks the options, reads the files, calls the rest
 *     decided.c         finds the words that were decided on in earlier rounds
 *     judge_labels.c    judges every given label, and the labels of the copy
 *     plant.c           makes the copy: plants errors
 *     contexts.c        doubts words that have the same label everywhere, by their contexts
 *     repeats.c         counts what the same words are called elsewhere
 *     rerank.c          corrects the odds by what was decided; refit.c is its regression
 *     suspects.c        lists words, chunks or sentences, most suspect first
 *     error_curve.c     tells how probable errors are
 *     audit.c           draws some at random to be decided, and counts all errors from these decisions
 *     tree_change.c     finds what must move with an arc
 *     review_list.c     reads the files again for the words, and writes the list as a table and as JSON lines
 *     review_json.c     the list as one object, for pages
 *     decisions.c       reads the edited table; amend.c and edit_lines.c write the corrected corpus
 *
 * What the list is ranked by: judge_word() in judge_labels.c makes the odds of a label, rerank() corrects them by
 * decisions, and list_suspects() takes the lowest odds of the words of a suspect and sorts.
 */
#ifndef VOUCH_REVIEW_REVIEW_H
#define VOUCH_REVIEW_REVIEW_H

#include "base/output.h"
#include "base/watch.h"
#include "model/confidence_model.h"
#include "options/rows.h"
#include "review/decisions.h"
#include "train/held_out.h"
#include "train/learning.h"

#include <jansson.h>

/*
 * Audits: audit.c draws items at random, and counts errors from the decisions about them.
 */
enum { AUDIT_STRATA = 2 }; /* the most suspect items, and the rest */

struct audit {
    uint64_t items; /* from which it was drawn; 0: there is no audit */
    enum audit_unit unit;
    struct audit_stratum {
        uint64_t size, drawn;  /* of size 0 while nothing is known of it */
        uint64_t right, wrong; /* of those drawn: as they were decided */
    } stratum[AUDIT_STRATA];
};

/* The number of errors, with an interval that holds with probability 0.9, whatever they are like. */
struct error_count {
    double count; /* NAN unless all that were drawn are decided */
    double least, most;
    uint64_t items, drawn, decided, unknown; /* unknown: items of which no row tells how many were drawn */
    enum audit_unit unit;
};

/* Plans an audit of so many items, of which `expected` are thought to be wrong, by `wanted` decisions. */
struct audit audit_plan(uint64_t items, double expected, uint64_t wanted);

/*
 * Draws from items in the order of suspicion: the number of its stratum, from 1, for each that was drawn, and 0 for the
 * others. `decided` is how many words were decided on before.
 */
void audit_draw(const struct audit *audit, uint64_t seed, uint64_t decided, unsigned char *stratum);

/* The bounds of the errors in a stratum of which so many were drawn, and found wrong; each fails with that chance. */
uint64_t most_errors(uint64_t size, uint64_t drawn, uint64_t found, double chance);
uint64_t least_errors(uint64_t size, uint64_t drawn, uint64_t found, double chance);
struct error_count audit_count(const struct audit *audit);

/* Returns what is counted, as in "word". */
const char *audit_unit_name(enum audit_unit unit);

/* Writes how an item of a stratum was drawn, as tables have it: UNIT STRATUM:DRAWN/SIZE/ITEMS. */
void audit_write(const struct audit *audit, uint32_t stratum, char *text, size_t room);

/* Counts a decision about an item that was drawn. False if it is from another audit than those before. */
bool audit_note(struct audit *audit, const struct audit_place *place, bool wrong);

/*
 * What was decided in earlier rounds: decided.c
 */
enum decided_state { DECIDED_NOT, DECIDED_RIGHT, DECIDED_WRONG };

struct decided {
    struct corrections *file; /* [files] what was decided about each of the files */
    size_t files;
    uint64_t kept, changed; /* words that stay as given, and words that change */
    struct buffer refused;  /* if decisions contradict each other or leave no tree: a line for each */
    struct audit audit;     /* the last that is in the tables, with its decisions */

    unsigned char *state;         /* [words] enum decided_state; NULL: nothing was decided */
    uint32_t *before[MAX_LAYERS]; /* [words] where a word was wrong: the choice that the file gives */
};

/*
 * Judging: judge_labels.c
 */

/* The signals for or against a label, as log-odds that it is right. */
enum review_signal { SIGNAL_PROBABILITY, SIGNAL_VOTES, SIGNAL_LEARNED, SIGNAL_MARGIN, REVIEW_SIGNALS };

/* What was found about the label, head or relation that one word was given. */
struct finding {
    uint32_t given, proposed;     /* choices; `given` may be one that the model does not know (NO_LABEL, NO_RELATION) */
    float odds;                   /* log-odds that it is right, of all evidence together: what findings are ranked by */
    float probability;            /* that the voices give it */
    float margin;                 /* how far it is ahead of all others; negative: behind */
    float votes;                  /* share of the drawn models that give it */
    float learned;                /* its mean probability while it was being learned; NAN: it was not watched */
    float signal[REVIEW_SIGNALS]; /* 0 where there is none */
    uint32_t places;              /* of the word, if their contexts set the odds; else 0 */
    uint32_t suggested;           /* a label of the type that these contexts suggest */
};

/* What is known of words by their contexts: contexts.c */
#define NO_OWNER UINT32_MAX
struct contexts {
    uint32_t *owner;          /* [features] the word that has more than half of its occurrences, or NO_OWNER */
    uint32_t types;           /* of chunks, and outside; 0: contexts are not looked at */
    uint32_t *type_of;        /* [labels] the type of each */
    uint32_t *label_of;       /* [types] one of its labels */
    float *probability;       /* [words][types] by the word's context */
};

/* A sentence without the features that words own. */
struct stripped {
    struct parts parts;
    uint32_t *start, *feature;
    float *value;
    size_t start_capacity, feature_capacity, value_capacity;
};

/* Choices of all words, one sentence after the other, some of which were changed: plant.c */
struct planted {
    uint32_t *choice;   /* [words] */
    bool *changed;      /* [words] */
    bool *restored;     /* [words] errors of the corpus that were put back */
    uint32_t *sentence; /* [count] ascending: those with an error, one each, or with some that were put back */
    unsigned char *kind; /* [sentences] of the error that was planted there */
    uint32_t count;
};

/*
 * The same words in other places, with the labels that they have there: repeats.c. A label that contradicts all others
 * of its like is suspect to a person, too: the counts can be looked up in the file.
 */

/* An occurrence of something in a place: what it is, and what it is called there. */
struct occurrence {
    uint64_t context, name;
    size_t place;
};

/* Other places with the same context. */
struct repeat {
    uint32_t others;
    uint32_t same;  /* of these: called the same */
    uint32_t rival; /* of these: called by the name that is most frequent among all other names */
    size_t example; /* the first place with that name; its own place if there is no rival */
};

/*
 * Counts the others of each of `count` occurrences, into repeat[place]; a place may occur once. Of rivals that are
 * equally frequent, the one that comes first counts. O(n log n), where contexts are hashes of 64 bits.
 */
bool repeats_count(const struct occurrence *occurrence, size_t count, uint32_t threads, struct repeat *repeat,
                   struct vouch_error *err);

/* Returns the log-odds that a label is right by the labels of the same words alone; 0 if there are none. */
double repeat_odds(const struct repeat *repeat);

enum repeat_kind {
    REPEAT_NEAR,  /* labels and heads: the word with both neighbours; relations: the word with its head */
    REPEAT_CHUNK, /* labels of chunks: the words of the chunk that is given or, outside of chunks, proposed */
    REPEAT_KINDS
};

/*
 * Probabilities: error_curve.c turns log-odds into the probability of an error.
 */

enum { ERROR_KINDS = 6 }; /* of planted errors, at most */

/* A probability that falls as the odds rise, and is never 0 or 1: the mean of those of each kind of errors. */
struct error_curve {
    double bias[ERROR_KINDS], slope[ERROR_KINDS];
    uint32_t kinds;
};

/* Planted errors: their odds, and of which kind each is. */
struct planted_odds {
    double *odds;        /* [count] */
    unsigned char *kind; /* [count] */
    size_t count;
};
bool planted_odds_init(struct planted_odds *planted, size_t most, struct vouch_error *err);
void planted_odds_release(struct planted_odds *planted);

/* Fits the curve to the odds of the given labels, right or wrong, and to those of planted errors. */
bool error_curve_fit(struct error_curve *curve, const double *given, size_t count, const struct planted_odds *planted,
                     struct vouch_error *err);
double error_curve_at(const struct error_curve *curve, double odds);

/* Returns the log-odds of an error, without the most that error_curve_at() returns. */
double error_curve_odds(const struct error_curve *curve, double odds);

/*
 * Decisions of earlier rounds: refit.c finds what to add to log-odds that are there already.
 */

/* A feature of a row. Features with the same key have the same weight, and must have the same spread. */
struct refit_feature {
    uint64_t key;
    double value;
    double spread; /* the prior standard deviation of its weight: above 0 */
    size_t row;    /* its number */
};

/* Rows that were decided. */
struct refit_rows {
    struct refit_row {
        double offset; /* log-odds that it is wrong, before the decisions */
        bool wrong;    /* what was decided */
    } * row;           /* [n] */
    size_t n;
    struct refit_feature *feature; /* [features] in the order of the rows */
    size_t features;
};

/* Weights of the features that occurred. */
struct refit {
    uint64_t *key; /* [count] ascending */
    double *weight;
    size_t count;
};

/* Fits the weights. Release them in any case. */
bool refit_fit(struct refit *refit, const struct refit_rows *rows, struct vouch_error *err);
void refit_release(struct refit *refit);

/* Returns what is to be added to the log-odds of a row with these features; 0 if none of them ever occurred. */
double refit_apply(const struct refit *refit, const struct refit_feature *feature, size_t count);

/*
 * The list: suspects.c, tree_change.c, review_list.c
 */

/*
 * What is listed: words; chunks, where given and proposed ones that overlap are one item; or sentences. A list has all
 * of them, right or wrong.
 */
enum review_level { REVIEW_WORDS, REVIEW_CHUNKS, REVIEW_ENTITIES /* the same */, REVIEW_SENTENCES };

struct suspect {
    uint32_t sentence;     /* number of the example */
    uint32_t from, to;     /* its words */
    uint32_t layer, worst; /* where the odds are lowest: a layer, and a word of the sentence */
    double odds, margin;   /* of the worst word */
    double error;          /* probability that anything in it is wrong; falls as the odds rise */
    bool differs;          /* something else is proposed */
    unsigned char stratum; /* of the audit that it was drawn for, from 1; 0: none */
    size_t others;         /* in trees: change[others] .. are the words that must move with its own, */
    uint32_t other_count;  /* so many of them, ascending */
};

/* Bytes of the list's text. */
struct piece {
    size_t at;
    uint32_t length;
};

/* A word, its label as the corpus spells it, and the proposed one; for trees, HEAD:RELATION or HEAD. */
struct row_word {
    struct piece form, given, proposed;
    struct piece given_head, proposed_head; /* for trees: the forms of the heads; empty for the root */
};

/* Texts of several words are separated by blanks. Each string ends with a zero that is not counted. */
enum row_string {
    ROW_FILE,
    ROW_TEXT,
    ROW_GIVEN,
    ROW_PROPOSED,
    ROW_LAYER,
    ROW_WHY,
    ROW_CONTEXT, /* the sentence, shortened, with the item in brackets */
    ROW_AUDIT,   /* how it was drawn, as audit_write() has it; empty without an audit */
    ROW_ALSO,    /* the arcs that change with it, as in "7:0:root->3:obj" */
    ROW_STRINGS
};
enum row_measure { ROW_ERROR, ROW_CONFIDENCE, ROW_MARGIN, ROW_VOTES, ROW_LEARNED, ROW_MEASURES };

/* One suspect, with all that a list shows of it. */
struct row {
    uint64_t line;                /* of its first word; in JSON lines, of the sentence */
    uint32_t word, words, others; /* its first word in the sentence, from 0; its words; words that change with these */
    uint32_t worst;               /* of its words: the most suspect one */
    size_t first;                 /* its words, and then the others, are list->word[first] .. */
    struct piece string[ROW_STRINGS];
    struct piece before, after;   /* the parts of its context around it */
    size_t sentence;              /* its number in list->sentence */
    double measure[ROW_MEASURES]; /* NAN, or infinite: not known */
};

/* The result, which needs nothing of the review that made it. */
struct review_list {
    struct row *row; /* [count] most suspect first */
    size_t count, judged;
    bool trees;
    struct audit audit;        /* for which the rows were drawn; without items: they are the most suspect */
    struct error_count errors; /* by the decisions of an earlier audit; without items: there was none */
    struct row_word *word;
    size_t words, word_capacity;
    struct buffer text;
    struct buffer sentence; /* for a page, the sentences that rows are in, as elements of a JSON array: {"words": [],
                               "given": []} and, for trees, "tags" */
    size_t sentences;
};
void review_list_release(struct review_list *list);

static inline struct text list_text(const struct review_list *list, struct piece piece)
{
    return (struct text){list->text.bytes + piece.at, piece.length};
}

/*
 * Write the list. Both have the same columns; those of trees have one more. The table has one more to be filled in: the
 * decision.
 */
void review_list_write_tsv(const struct review_list *list, struct output *out);
bool review_list_write_jsonl(const struct review_list *list, struct output *out, struct vouch_error *err);

/* Writes a field of a table: without tabs and ends of lines, in quotes if it begins with one. */
void table_field_write(struct output *out, struct text text);

/* The options of vouch review: review_options.c */
struct review_options {
    struct options common; /* whose arguments are the files */
    struct reading_values reading;
    struct learner_values learner;
    struct score_values source;
    const char *model, *output, *inspect, *apply;
    enum review_level level;
    enum { REVIEW_TSV, REVIEW_JSONL, REVIEW_HTML } as;
    uint32_t folds, audit;
    bool new_labels;
    bool names; /* contexts of words are judged, too: contexts.c */
    struct text_list decided;
};
extern const struct option_table review_options;

/*
 * A review, from options, and a model or none, to the list. Set the first three fields, and zero the rest. Must not be
 * moved once it is prepared. Release in any case.
 */
struct review {
    const struct review_options *options;
    const struct vouch_model *model;  /* the model that judges; NULL: models are learned from the files themselves */
    const struct score_files *scores; /* of a model without weights; else NULL */

    enum review_level level;
    struct reader_options reading;
    struct learning learning;
    struct corpus corpus;
    struct decided decided;

    struct method_params params[MAX_LAYERS][MAX_VOICE_VIEWS]; /* by which the voices of each layer judge */
    struct held_out_plan training; /* by which `held` was learned; without `learning` if it was there already */
    struct held_out held;          /* the models that judge; every sentence is in one of its parts */

    const struct dataset *dataset; /* the corpus's; the sentences are those of its dev if there is a model */
    bool dev;
    bool trees;
    uint32_t layers, sentences;
    size_t words, *first;                /* the words of sentence i are first[i] .. first[i + 1] - 1 */
    uint32_t *sentence_of;               /* [words] */
    struct finding *finding[MAX_LAYERS]; /* [words] */
    struct planted planted[MAX_LAYERS];
    struct finding *trial_finding[MAX_LAYERS];       /* [words] the same for what was planted in that layer, and for the
                                                        labels that were decided to be wrong; else as in `finding` */
    bool named;                                      /* features have names, so that words are known */
    uint32_t *form, *tag;                            /* [words] hashes; tag is 0 where there is none, as with labels */
    struct contexts contexts;
    struct repeat *repeat[MAX_LAYERS][REPEAT_KINDS]; /* [words]; NULL: not counted */
    struct error_curve curve;                        /* from odds to the probability of an error */
    struct suspect *suspect;                         /* [suspects] most suspect first */
    size_t suspects;
    uint32_t *change; /* in trees: words that change with suspects; numbers in their sentences, from 0 */
    size_t changes, change_capacity;
    struct review_list list; /* as many of them as the options ask for */
};

/* Checks the options. */
bool review_prepare(struct review *review, struct vouch_error *err);

/* Reads the files, and warns if the model has learned from them. Fails if their labels spell no chunks to be listed. */
bool review_read(struct review *review, struct vouch_error *err);

/* Returns the labels that the files give, or the relations of their trees. */
const struct dictionary *review_names(const struct review *review);

/* Judges every label, and lists the most suspect. The watch may stop it: VOUCH_ERR_STOPPED. */
bool review_judge(struct review *review, struct vouch_error *err);
void review_release(struct review *review);

/*
 * Returns the list as an object with all that a page needs: "identity" (a hash of the table), "table", "trees",
 * "relations", "level", "labels", "sentence" and "group" (of each row, the number of its sentence, and of the errors
 * that are the same: the same last word, given and proposed labels), "audit", "errors" (null without an audit that was
 * decided) and "judged". The sentences themselves are in list.sentence.
 */
json_t *review_json(const struct review *review, struct vouch_error *err);

/* Whether a label has a blank, which separates labels in a table: *name is that label; refuses such labels. */
bool review_blank_label(const struct review *review, struct text *name);
bool review_check_labels(const struct review *review, struct vouch_error *err);

/* Gives the files of the list other names, in the order of the options' arguments. */
bool review_rename_files(struct review *review, const char *const *name, struct vouch_error *err);

/*
 * The stages of review_read() and review_judge(), in order.
 */

/* Reads the tables of decisions, and finds their words in the files. Refuses what does not fit, with file and line. */
bool decided_read(struct review *review, struct vouch_error *err);

/* Finds where the sentences of the dataset are in the arrays over all words. */
bool review_lay_out(struct review *review, struct vouch_error *err);

/* Finds the words that were decided on in the corpus that was read with the corrections. */
bool decided_place(struct review *review, struct vouch_error *err);
void decided_release(struct decided *decided);

/* Fills in `finding`, `planted` and `trial_finding`. */
bool judge_labels(struct review *review, struct vouch_error *err);

/* Plants errors in a copy of the given labels of a layer; a sentence with an unknown label stays as it is. */
bool plant_errors(struct review *review, uint32_t layer, struct vouch_error *err);

/* Fills in `named`, `form` and `tag`. */
bool name_words(struct review *review, struct vouch_error *err);

/* Finds which features belong to which words, where labels are names. */
bool contexts_open(struct review *review, struct vouch_error *err);
void contexts_release(struct contexts *contexts);

/* Copies a sentence, whose words are `first` and on, without the features that its words own. */
bool contexts_strip(const struct review *review, const struct parts *parts, size_t first, struct stripped *to,
                    struct vouch_error *err);
void stripped_release(struct stripped *stripped);

/* Lowers the odds of words that have the same label everywhere, where their contexts suggest another type. */
bool contexts_doubt(const struct review *review, struct finding *finding, struct vouch_error *err);

/* Fills in `repeat`. */
bool find_repeats(struct review *review, struct vouch_error *err);

/*
 * Changes the odds of all findings by what was decided: errors like those that were found come first, and labels like
 * those that were confirmed come later. Does nothing without decisions.
 */
bool rerank(struct review *review, struct vouch_error *err);

/* Lists everything, and fits the curve, unless decisions have. Chunks need the dataset's span rules. */
bool list_suspects(struct review *review, struct vouch_error *err);

/* Draws an audit, and puts what was drawn before all other suspects. */
bool draw_audit(struct review *review, struct vouch_error *err);

/* Returns the numbers of the first `count` in the order of their sentences, most suspect first. Free it. */
size_t *suspects_by_sentence(const struct review *review, size_t count, struct vouch_error *err);

/*
 * Finds what else must move with the first `count` suspects over trees. Each change by itself turns the given tree into
 * a tree, and so do all of them together.
 */
bool find_tree_changes(struct review *review, size_t count, struct vouch_error *err);

/* Makes the list of the first `count`. */
bool list_rows(struct review *review, size_t count, struct vouch_error *err);

/*
 * Reads the files once more, without corrections, and calls `take` with each sentence that is an example, and its
 * number.
 */
struct reread {
    struct reader *reader;
    struct sentence sentence;
    size_t file; /* its number */
    uint32_t i;
};
bool review_reread(const struct review *review,
                   bool (*take)(void *context, const struct reread *at, struct vouch_error *err), void *context,
                   struct vouch_error *err);

static inline enum decided_state decided_state(const struct review *review, size_t word)
{
    return review->decided.state ? (enum decided_state)review->decided.state[word] : DECIDED_NOT;
}

/* Whether the choices of a layer are heads, from 1, or 0 for the root. */
static inline bool chooses_heads(const struct review *review, uint32_t layer)
{
    return review->trees && layer == 0;
}

/* Whether the models that judge planted errors learn from them, too: those of trees would take too long to learn. */
static inline bool learns_planted(const struct review *review)
{
    return review->training.learning && !review->trees;
}

static inline uint32_t words_of(const struct review *review, uint32_t sentence)
{
    return (uint32_t)(review->first[sentence + 1] - review->first[sentence]);
}

#endif
