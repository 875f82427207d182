/* Chooses the sentences to label next: see next_sentences.h. */
#include "active/next_sentences.h"

#include "base/hash.h"
#include "core/scheme.h"
#include "answer/model_input.h"

#include <math.h>
#include <stdio.h>
#include <string.h>

/*
 * Finds the method that the settings name, without what follows '/'. *asked is NULL if they name none: the method that
 * the model prefers is then used with the score that docs/MEASUREMENTS.md found best.
 */
static bool find_method(struct next_sentences *c, char *method, size_t room, const char **asked,
                        struct vouch_error *err)
{
    const char *name = c->settings->confidence.methods;
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
    struct estimate_request request = {.draws = (uint32_t)c->settings->confidence.draws};
    if (!find_method(c, method, sizeof method, &request.methods, err))
        return false;
    if (request.methods && strcmp(request.methods, FLUCTUATION_NAME) == 0)
        return fail(err, VOUCH_ERR_ARGUMENT,
                    "--confidence: fluctuation is of the passes of training, which a model does not keep: only a "
                    "simulation knows it");
    if (request.methods && strcmp(request.methods, random_method.name) == 0)
        return query_score_suits(c->settings->confidence.methods, &random_method, c->score, err) ||
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
                    c->settings->confidence.methods);
    if (!query_score_suits(c->name, chosen->method, c->score, err))
        return fail_within(err, "--confidence");
    if (!c->settings->confidence.methods)
        snprintf(c->name, sizeof c->name, "%s/%s", chosen->name, c->model->trees ? "length" : "mean");
    c->estimator->raw = chosen->method != NULL; /* a calibration only adds ties; the committee is itself one */
    return true;
}

/* Returns how sure the model is of the sentence; at random, a number that depends on its words and the seed. */
static double sureness(const struct next_sentences *c, const struct sentence *sentence,
                       const struct vouch_answer *answer)
{
    if (!c->estimator)
        return (double)(hash_mix((uint64_t)c->settings->common.work.seed, sentence_words_digest(sentence)) >> 11) *
               0x1p-53;
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
    if (!c->settings->predict || !by_method || by_method->margin)
        return sentence->N;
    for (uint32_t n = 0; n < sentence->N; n++)
        count += isfinite(by_method->word[n]) ? 1 - by_method->word[n] : 0;
    return count;
}

static bool render(struct next_sentences *c, const struct sentence *sentence, const struct vouch_answer *answer,
                   struct vouch_error *err)
{
    output_empty(c->text);
    if (!c->settings->predict)
        write_as_read(c->text, &c->writing, sentence);
    return !c->settings->predict || write_to_correct(c->text, &c->writing, sentence, answer->head, answer->label, err);
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
    new = new && !model_has_seen(c->model, sentence_words_digest(sentence));
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
    struct answer_sink sink = {.take = take, .context = c, .watch = c->watch};
    struct vouch_request request = {.model = c->model,
                                    .scores = c->scores,
                                    .estimator = c->estimator,
                                    .threads = (uint32_t)c->settings->common.work.threads};
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
    c->list = shortlist_new((uint32_t)c->settings->number, c->settings->diversity, err);
    c->text = output_open_memory(err);
    bool ok = labelling_cost_parse(&cost, c->settings->cost, err) && c->list && c->text && find_chunks(c, err) &&
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
