/*
 * vouch active next: see active_next.h. It makes one pass over the file and
 * keeps the candidates as the text that will be written.
 */
#include "cli/active_next.h"
#include "cli/learning.h"
#include "cli/saving.h"

#include "base/hash.h"
#include "corpus/writer.h"
#include "predict/answer_stream.h"
#include "predict/model_input.h"
#include "use/shortlist.h"

#include <stdio.h>
#include <string.h>

struct choosing {
    const struct settings *settings;
    const struct vouch_model *model;
    struct estimator *estimator; /* NULL: at random */
    enum sentence_score score;
    struct shortlist *list;
    struct writer_options writing;
    struct output *text; /* of the sentence at hand */
    uint64_t seen, known;
};

/* The method that was asked for, without what follows '/'; NULL: the one that the model prefers. */
static bool find_method(struct choosing *c, char *method, size_t room, const char **asked, struct vouch_error *err)
{
    const char *name = c->settings->confidence;
    *asked = NULL;
    if (!name)
        return true;
    *asked = method;
    if (strchr(name, ','))
        return fail(err, VOUCH_ERR_ARGUMENT, "--confidence: expected one method to choose by, found '%.60s'", name);
    return score_parse(name, method, room, &c->score, err) || fail_within(err, "--confidence");
}

static bool make_estimator(struct choosing *c, struct vouch_error *err)
{
    char method[METHOD_NAME];
    struct estimate_request request = {.draws = (uint32_t)c->settings->draws};
    if (!find_method(c, method, sizeof method, &request.methods, err))
        return false;
    if (request.methods && strcmp(request.methods, random_method.name) == 0)
        return c->score == SCORE_LEAST ||
               fail(err, VOUCH_ERR_ARGUMENT, "--confidence: expected random alone, which looks at no words");
    request.words_only = c->score != SCORE_BALD;
    c->estimator = estimator_new(c->model, &request, err);
    if (!c->estimator)
        return err->status != VOUCH_OK
                   ? false
                   : fail(err, VOUCH_ERR_ARGUMENT,
                          "%s: this model was not calibrated: expected a method in --confidence", c->settings->model);
    const struct chosen_method *chosen = &c->estimator->layer[0].chosen[0];
    if (c->estimator->methods != 1)
        return fail(err, VOUCH_ERR_ARGUMENT, "--confidence: expected one method to choose by, found '%s'",
                    c->settings->confidence);
    if (c->score == SCORE_BALD && !(chosen->method && chosen->method->looks & (LOOK_FIX | LOOK_PC)))
        return fail(err, VOUCH_ERR_ARGUMENT, "--confidence: expected a method that draws models, as in kd-fix/bald");
    c->estimator->raw = chosen->method != NULL; /* calibration only adds ties; the committee has no raw numbers */
    return true;
}

/* How sure the model is of the sentence; at random, a number that depends on its words and the seed alone. */
static double sureness(const struct choosing *c, const struct sentence *sentence, const struct answer *answer)
{
    if (!c->estimator)
        return (double)(hash_mix((uint64_t)c->settings->seed, sentence_words_digest(sentence)) >> 11) * 0x1p-53;
    const struct method_confidence *by_method = &answer->confidences->by_method[0];
    if (c->score == SCORE_BALD)
        return by_method->more->whole;
    struct sureness sure = {0};
    for (uint32_t n = 0; n < sentence->N; n++)
        sureness_add(&sure, by_method->word[n]); /* of trees, the heads */
    return sureness_of(&sure, c->score);
}

static bool render(struct choosing *c, const struct sentence *sentence, const struct answer *answer,
                   struct vouch_error *err)
{
    output_empty(c->text);
    if (!c->settings->predict)
        write_as_read(c->text, &c->writing, sentence);
    else if (answer->head) {
        struct tree_answer tree = {.head = answer->head, .relation = answer->label};
        return write_tree_to_correct(c->text, &c->writing, sentence, &tree, err);
    } else
        return write_to_correct(c->text, &c->writing, sentence, answer->label, err);
    return true;
}

static bool take(void *context, const struct sentence *sentence, const struct answer *answer, struct vouch_error *err)
{
    struct choosing *c = context;
    bool new;
    if (interrupt_seen())
        return fail(err, VOUCH_ERR_STOPPED, "interrupted");
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
    size_t length;
    if (!render(c, sentence, answer, err))
        return false;
    const char *text = output_text(c->text, &length);
    return text ? shortlist_add(c->list, sentence, number, text, length, err) : fail_memory(err);
}

/* Records the sentences of a file that is labelled already. */
static bool read_labelled(struct choosing *c, const char *path, const struct reader_options *reading,
                          struct vouch_error *err)
{
    struct reader *reader = reader_open(path, reading, err);
    struct sentence sentence = {0};
    enum reading state = READ_FAILED;
    bool ok = reader && model_input_fits(c->model, reader, err), new;
    while (ok && (state = reader_next(reader, &sentence, err)) == READ_SENTENCE)
        ok = sentence.boundary || sentence.N == 0 || shortlist_know(c->list, &sentence, &new, err);
    reader_close(reader);
    sentence_release(&sentence);
    return ok && state == READ_END;
}

/* Reads the files that are labelled, then the one to choose from. */
static bool read_files(struct choosing *c, struct reader_options *reading, struct vouch_error *err)
{
    const struct settings *s = c->settings;
    struct reader_options any = {.format = FORMAT_AUTO, .gold = GOLD_NONE};
    struct answer_sink sink = {take, c};
    bool ok = true;
    model_input_settle(c->model, &any);
    model_input_settle(c->model, reading);
    for (size_t i = 1; ok && i < s->arguments; i++)
        ok = read_labelled(c, s->argument[i], &any, err);
    struct reader *reader = ok ? reader_open(s->pool, reading, err) : NULL;
    if (reader)
        c->writing = writer_options_for(reader_format(reader), reader_separator(reader));
    c->writing.column = reader ? reader_column(reader) : 0;
    ok = reader && answer_stream(c->model, c->estimator, reader, (uint32_t)s->threads, &sink, err);
    reader_close(reader);
    return ok && (c->seen || fail(err, VOUCH_ERR_FORMAT, "%s: expected sentences, found none", s->pool));
}

static bool write_list(struct choosing *c, uint32_t *count, struct vouch_error *err)
{
    struct output *out = shortlist_close(c->list, count, err) ? output_open(c->settings->output, err) : NULL;
    for (uint32_t i = 0; out && i < *count; i++) {
        size_t length;
        const char *text = shortlist_text(c->list, i, &length);
        output_write(out, text, length);
    }
    return output_close(out, out != NULL, err);
}

static void say_next(const struct choosing *c, uint32_t count)
{
    const struct settings *s = c->settings;
    showf(stderr, "chose %u of %llu sentences", count, (unsigned long long)c->seen);
    if (c->known)
        showf(stderr, ", %llu of them labelled or repeated", (unsigned long long)c->known);
    showf(stderr, ", by %s: ", c->estimator ? c->estimator->layer[0].chosen[0].name : random_method.name);
    if (count == 0)
        showf(stderr, "nothing is left to label\n");
    else
        showf(stderr, "%s them, then go on with 'vouch train --from %s -o NEW FILE'\n",
              s->predict ? "correct" : "label", s->model);
}

static bool choose(struct choosing *c, struct reader_options *reading, uint32_t *count, struct vouch_error *err)
{
    const struct settings *s = c->settings;
    c->list = shortlist_new((uint32_t)s->number, s->diversity, err);
    c->text = output_open_memory(err);
    bool ok = c->list && c->text && make_estimator(c, err) && read_files(c, reading, err) && write_list(c, count, err);
    shortlist_free(c->list);
    output_discard(c->text);
    return ok;
}

int active_next(const struct command *command, struct settings *settings)
{
    struct vouch_error err = {0};
    struct reader_options reading;
    struct choosing c = {.settings = settings};
    uint32_t count = 0;
    if (!settings->model)
        return misuse(command, "expected -m MODEL, the model that is asked");
    int status = reading_prepare(&reading, command, settings);
    if (status != EXIT_DONE)
        return status;
    reading.gold = GOLD_NONE;
    if (settings->output && !saving_possible(settings->output, settings, &err))
        return failed(command, &err);
    vouch_model *model = vouch_model_open(settings->model, &err);
    c.model = model;
    interrupt_catch();
    bool ok = model && choose(&c, &reading, &count, &err);
    if (ok && !settings->quiet)
        say_next(&c, count);
    estimator_free(c.estimator);
    vouch_model_close(model);
    return ok ? EXIT_DONE : failed(command, &err);
}
