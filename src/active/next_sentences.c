/*
 * Chooses the sentences to label next: see next_sentences.h.
 *
 * Raw numbers choose, since a calibration only adds ties; the committee is a calibration itself. Without --confidence,
 * labels go by the mean of their words and trees by the length score (selection.h). A sentence is rendered as the text
 * to be written when the shortlist wants it, so that nothing else of it must be kept.
 */
#include "active/next_sentences.h"

#include "base/hash.h"
#include "core/scheme.h"
#include "answer/model_input.h"

#include <math.h>
#include <stdio.h>
#include <string.h>

/* clang-format off */
#define OPTIONS struct active_options
static const struct option_spec option[] = {
    TEXT("pool", 0, pool, "FILE", OPTION_READ, "the sentences to choose from"),
    TEXT("confidence", 'c', confidence.methods, "METHODS", OPTION_MATTERS,
     "choose by these methods of confidence, each also as METHOD/mean or METHOD/length, with probabilities as "
     "METHOD/entities or "
     "METHOD/density, and with drawn models as METHOD/bald; or by fluctuation; a simulation compares kd-fix, kd-pc, "
     "delta, gamma, committee and random by default, next uses the one that the model prefers, as /mean, or of trees "
     "as /length"),
    INTEGER("draws", 0, confidence.draws, "K", 0, MAX_DRAWS, OPTION_MATTERS,
     "models to draw for kd-fix and kd-pc; 0 is 50, or what the model was tuned with"),
    OPTION_PLAIN_DRAWS(confidence.plain_draws),
    REAL("diversity", 0, diversity, "T", 0, 1, OPTION_MATTERS,
     "skip a sentence that shares more than this part of its features (next: words) with one that is already "
     "chosen; 0 skips none"),
    TEXT("cost", 0, cost, "S,W,C", OPTION_MATTERS,
     "seconds that labelling takes for a sentence, for each of its words, and for each chunk to mark or label or head "
     "to correct"),
    TEXT("task", 't', learner.task, "NAME", OPTION_MATTERS, "what to learn: np, chunk, ner, pos or dep"),
    TEXT("test", 0, test, "FILE", OPTION_READ, "labelled sentences to measure on"),
    INTEGER("initial", 0, initial, "N", 1, 1e9, OPTION_MATTERS,
     "sentences labelled at random to begin with"),
    INTEGER("candidates", 0, candidates, "N", 1, 1e9, OPTION_MATTERS,
     "random sentences to choose from in a round"),
    INTEGER("choose", 0, choose, "N", 1, 1e9, OPTION_MATTERS, "how many of them are labelled"),
    INTEGER("every", 0, every, "N", 1, 1e9, OPTION_MATTERS, "measure after every N further sentences"),
    INTEGER("most", 0, most, "N", 1, 1e9, OPTION_MATTERS, "sentences to label in all"),
    INTEGER("repeats", 0, repeats, "N", 1, 1000, OPTION_MATTERS,
     "repeat all of it with other random choices"),
    FLAG("scratch", 0, scratch, OPTION_MATTERS,
     "learn from nothing in every round, not only where it is measured"),
    TEXT("csv", 0, csv, "FILE", OPTION_OF_PROGRAM | OPTION_WRITTEN, "write every measurement to this file"),
    TEXT("plot", 0, plot, "FILE", OPTION_OF_PROGRAM | OPTION_WRITTEN | OPTION_FIGURE,
     "draw the curves to this SVG file"),
    OPTION_JSON,
    OPTIONS_LEARNER_WITH(0),
    OPTION_MULTI_ROOT,
    TEXT("model", 'm', model, "FILE", OPTION_OF_PROGRAM | OPTION_READ, "the model that is asked"),
    OPTION_SCORES,
    INTEGER("number", 'n', number, "N", 1, 1e9, OPTION_MATTERS, "how many sentences to choose"),
    FLAG("predict", 0, predict, OPTION_MATTERS,
     "write the sentences with the model's labels, to be corrected"),
    OPTION_OUTPUT,
    OPTIONS_READING,
    OPTIONS_WORK,
    OPTIONS_END,
};

#define OF_SIMULATION \
    "plain-draws task test initial candidates choose every most repeats scratch csv plot json column gold algorithm " \
    "passes features template lexicon use vector-window vector-length cutoff learn-as no-constraints k-best C phi " \
    "covariance variance rate l2 unlabelled multi-root bits"
#define OF_NEXT "model scores offsets number predict output"

static const struct option_group group[] = {
    {"choosing", "pool confidence draws diversity cost vectors format seed threads quiet help usage"},
    {"simulation", OF_SIMULATION},
    {"next", OF_NEXT},
    {0},
};

static const struct option_rule rule[] = {
    {OF_SIMULATION, NULL, "file=next", "--%s is for a simulation, not for 'vouch active next'"},
    {OF_NEXT, "file=next", NULL, "--%s is for 'vouch active next', not for a simulation"},
    {NULL, "pool", NULL, "expected --pool FILE, the sentences to choose from"},
    {"file", "file=next", NULL, "expected 'next' or options alone, found '%s'"},
    {"file=next", "model", NULL, "expected -m MODEL, the model that is asked"},
    {NULL, "test file=next", NULL, "expected --test FILE, labelled sentences to measure on"},
    {0},
};
/* clang-format on */

/* With few sentences, confidence-weighted learning predicts best (docs/MEASUREMENTS.md). */
static const struct active_options usual = {.common = USUAL_COMMON,
                                            .learner = {USUAL_LEARNER("cw", 10)},
                                            .cost = "13,3.8,5.4",
                                            .initial = 50,
                                            .candidates = 1000,
                                            .choose = 10,
                                            .every = 100,
                                            .most = 5000,
                                            .repeats = 1,
                                            .number = 20};

const struct option_table active_options = {"active", option, &usual, sizeof usual, group, rule};

/*
 * Finds the method that the options name, without what follows '/'. *asked is NULL if they name none: the method that
 * the model prefers is then used with the score that docs/MEASUREMENTS.md found best.
 */
static bool find_method(struct next_sentences *c, char *method, size_t room, const char **asked,
                        struct vouch_error *err)
{
    const char *name = c->options->confidence.methods;
    *asked = NULL;
    if (!name) {
        c->score = c->model->trees ? SCORE_LENGTH : SCORE_MEAN;
        return true;
    }
    snprintf(c->name, sizeof c->name, "%s", name);
    *asked = method;
    if (strchr(name, ','))
        return fail(err, VOUCH_ERR_ARGUMENT, "--confidence: expected one method to choose by, found '%.60s'", name);
    return score_parse(name, method, room, &c->score, err) || fail_within(err, "--confidence");
}

static bool make_estimator(struct next_sentences *c, struct vouch_error *err)
{
    char method[METHOD_NAME];
    struct estimate_request request = {.draws = c->options->confidence.draws};
    if (!find_method(c, method, sizeof method, &request.methods, err))
        return false;
    if (request.methods && strcmp(request.methods, FLUCTUATION_NAME) == 0)
        return fail(err, VOUCH_ERR_ARGUMENT,
                    "--confidence: fluctuation is of the passes of training, which a model does not keep: only a "
                    "simulation knows it");
    if (request.methods && strcmp(request.methods, random_method.name) == 0)
        return query_score_suits(c->options->confidence.methods, &random_method, c->score, err) ||
               fail_within(err, "--confidence");
    request.words_only = c->score != SCORE_BALD;
    request.starts = score_counts_chunks(c->score);
    if (request.starts && !c->chunks)
        return fail(err, VOUCH_ERR_ARGUMENT, "--confidence: expected labels that spell chunks, to count entities");
    if (!estimator_make(c->model, &request, &c->estimator, err))
        return false;
    if (!c->estimator)
        return fail_uncalibrated(c->model, err);
    const struct chosen_method *chosen = &c->estimator->layer[0].chosen[0];
    if (c->estimator->methods != 1)
        return fail(err, VOUCH_ERR_ARGUMENT, "--confidence: expected one method to choose by, found '%s'",
                    c->options->confidence.methods);
    if (!query_score_suits(c->name, chosen->method, c->score, err))
        return fail_within(err, "--confidence");
    if (!c->options->confidence.methods)
        snprintf(c->name, sizeof c->name, "%s%s", chosen->name, score_suffix[c->score]);
    c->estimator->raw = chosen->method != NULL; /* a calibration only adds ties; the committee is itself one */
    return true;
}

/* Returns how sure the model is of the sentence; at random, a number that depends on its words and the seed. */
static double sureness(const struct next_sentences *c, const struct sentence *sentence,
                       const struct vouch_answer *answer)
{
    if (!c->estimator)
        return (double)(hash_mix(c->options->common.work.seed, sentence_words_digest(sentence)) >> 11) * 0x1p-53;
    const struct method_confidence *by_method = &answer->confidences->by_method[0];
    if (c->score == SCORE_BALD)
        return by_method->more->whole;
    struct sureness sure = {0};
    for (uint32_t n = 0; n < sentence->N; n++)
        if (score_counts_chunks(c->score))
            sureness_add_start(&sure, answer->confidences->start[n]);
        else
            sureness_add(&sure, by_method->word[n]); /* for trees, the heads */
    return sureness_of(&sure, c->score);
}

/*
 * Returns the number of changes that labelling the sentence takes: the chunks of the answer must be marked; where
 * labels spell none, and in trees, every word must be labelled, or those that are probably wrong corrected.
 */
static double changes(const struct next_sentences *c, const struct sentence *sentence,
                      const struct vouch_answer *answer)
{
    static const struct text outside = {"O", 1};
    const struct method_confidence *by_method = c->estimator ? &answer->confidences->by_method[0] : NULL;
    double count = 0;
    for (uint32_t n = 0; c->chunks && n < sentence->N; n++)
        count += scheme_starts(n > 0 ? answer->label[n - 1] : outside, answer->label[n]);
    if (c->chunks)
        return count;
    if (!c->options->predict || !by_method || by_method->margin)
        return sentence->N;
    for (uint32_t n = 0; n < sentence->N; n++)
        count += isfinite(by_method->word[n]) ? 1 - by_method->word[n] : 0;
    return count;
}

static bool render(struct next_sentences *c, const struct sentence *sentence, const struct vouch_answer *answer,
                   struct vouch_error *err)
{
    output_empty(c->text);
    if (!c->options->predict)
        write_as_read(c->text, &c->writing, sentence);
    return !c->options->predict || write_to_correct(c->text, &c->writing, sentence, answer->head, answer->label, err);
}

static bool take(void *context, const struct sentence *sentence, const struct vouch_answer *answer,
                 struct vouch_error *err)
{
    struct next_sentences *c = context;
    bool new;
    if (sentence->boundary || sentence->N == 0)
        return true;
    if (!shortlist_know(c->list, sentence, &new, err))
        return false;
    new = new && !digest_set_has(&c->model->seen, sentence_words_digest(sentence));
    c->seen++;
    c->known += !new;
    double number = sureness(c, sentence, answer);
    if (!new || !shortlist_wants(c->list, number, sentence->N))
        return true;
    struct offer offer = {.number = number, .changes = changes(c, sentence, answer)};
    if (!render(c, sentence, answer, err))
        return false;
    offer.text = output_text(c->text, &offer.length);
    return offer.text ? shortlist_add(c->list, sentence, &offer, err) : fail_memory(err);
}

/* Finds out whether the model's labels spell chunks. */
static bool find_chunks(struct next_sentences *c, struct vouch_error *err)
{
    const struct tag_labels *labels = model_word_labels(c->model);
    struct span_rules rules = {0};
    bool ok = !labels || labels_span_rules(labels, &rules, err);
    c->chunks = rules.labels > 0;
    span_rules_release(&rules);
    return ok;
}

/* Notes the words of a file whose sentences are labelled. */
static bool read_labelled(struct next_sentences *c, const char *path, const struct reader_options *reading,
                          struct vouch_error *err)
{
    struct reader *reader = reader_open(path, reading, err);
    struct sentence sentence = {0};
    enum reading state = READ_FAILED;
    bool ok = reader && model_input_words_fit(c->model, reader, err), new;
    while (ok && (state = reader_next(reader, &sentence, err)) == READ_SENTENCE)
        ok = sentence.boundary || sentence.N == 0 || shortlist_know(c->list, &sentence, &new, err);
    reader_close(reader);
    sentence_release(&sentence);
    return ok && state == READ_END;
}

static bool read_pool(struct next_sentences *c, const char *pool, struct vouch_error *err)
{
    struct answer_sink sink = {.take = take, .context = c, .watch = c->options->common.work.watch};
    struct vouch_request request = {
        .model = c->model, .scores = c->scores, .estimator = c->estimator, .threads = c->options->common.work.threads};
    model_input_settle(c->model, &c->reading);
    struct reader *reader = reader_open(pool, &c->reading, err);
    if (reader)
        c->writing = writer_options_for(reader);
    c->writing.column = reader ? reader_column(reader) : 0;
    bool ok = reader && answer_stream(&request, reader, &sink, err);
    reader_close(reader);
    return ok && (c->seen || fail(err, VOUCH_ERR_FORMAT, "%s: expected sentences, found none", pool));
}

bool next_sentences_choose(struct next_sentences *c, const char *pool, char *const *labelled, size_t files,
                           struct vouch_error *err)
{
    struct reader_options any = {.format = FORMAT_AUTO, .gold = GOLD_NONE};
    struct labelling_cost cost;
    c->list = shortlist_new(c->options->number, c->options->diversity, err);
    c->text = output_open_memory(err);
    bool ok = labelling_cost_parse(&cost, c->options->cost, err) && c->list && c->text && find_chunks(c, err) &&
              make_estimator(c, err);
    model_input_settle(c->model, &any);
    for (size_t i = 0; ok && i < files; i++)
        ok = read_labelled(c, labelled[i], &any, err);
    ok = ok && read_pool(c, pool, err) && shortlist_close(c->list, &c->count, err);
    if (ok) {
        c->labelling = shortlist_labelling(c->list);
        c->seconds = labelling_seconds(&cost, &c->labelling);
    }
    return ok;
}

void next_sentences_release(struct next_sentences *c)
{
    shortlist_free(c->list);
    output_discard(c->text);
    estimator_free(c->estimator);
}
