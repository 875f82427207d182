/*
 * UDPipe's interface (https://lindat.mff.cuni.cz/services/udpipe/api-reference.php): /models and /process, by GET, or
 * by POST of a form, so that its clients work with another address.
 *
 * What UDPipe has in one model is here a row of models: taggers, each of a column of CoNLL-U, then a parser, which sees
 * what they have written. `model` is the name of one, or the first words of several names, up to a hyphen: of en-upos,
 * en-feats and en-parse, "en" is all three, and so is "all", or no name, of all models. `tagger` and `parser` say what
 * is wanted of them. Other models, which learned from columns or attributes, are answered for by /v1/tag.
 *
 * Text is cut by rule (text/word_breaks.h) where `tokenizer` asks for it. UDPipe's `ranges` and `presegmented` are
 * known, and its formats conllu, horizontal and vertical. `confidence` (a method, or nothing for the usual one),
 * `nbest` (alternatives of every word) and `threshold` are ours: numbers go to MISC, as vouch tag and parse write them.
 */
#include "answer/answer.h"
#include "answer/model_input.h"
#include "answer/request.h"
#include "base/buffer.h"
#include "model/model.h"
#include "serve/http.h"
#include "serve/server.h"
#include "text/raw_text.h"
#include "text/writer.h"

#include <stdio.h>

/* CoNLL-U is ten times longer than its text, and there are several copies of it: what fits into memory is limited. */
enum { MOST_DATA = 16 << 20 };
#define ALL "all"

/* ---- Which models ---- */

/* The models that are served, and those of them that a request is for, in the order in which they answer. */
struct pipeline {
    struct models *from;
    const struct served_model *all[MOST_MODELS], *step[MOST_MODELS];
    size_t count, steps;
};

/* Returns the column of CoNLL-U that a model completes: 0 for a parser, from 1 for a tagger; UINT32_MAX: none. */
static uint32_t column_of(const struct served_model *m)
{
    const char *name = json_string_value(json_object_get(m->model->header, "column"));
    uint32_t column = name ? column_parse(name) : 0;
    return m->model->trees ? 0 : column ? column : UINT32_MAX;
}

static bool is_usable(const struct served_model *m)
{
    return column_of(m) != UINT32_MAX;
}

static void pipeline_take(struct pipeline *p, struct models *models)
{
    *p = (struct pipeline){.from = models};
    p->count = models_take_all(models, p->all);
}

static void pipeline_leave(struct pipeline *p)
{
    for (size_t i = 0; i < p->count; i++)
        models_leave(p->from, p->all[i]);
}

/* Whether the name is the model's, or its first words; `whole` if only the first is meant. */
static bool is_named(const struct served_model *m, const char *name, bool whole)
{
    size_t length = strlen(name);
    if (strcmp(name, m->name) == 0)
        return true;
    return !whole && (strcmp(name, ALL) == 0 || (strncmp(m->name, name, length) == 0 && m->name[length] == '-'));
}

static bool has_column(const struct pipeline *p, uint32_t column)
{
    for (size_t i = 0; i < p->steps; i++)
        if (column_of(p->step[i]) == column)
            return true;
    return false;
}

/* Adds the models of that name: the first of each column, parsers last. */
static void add_steps(struct pipeline *p, const char *name, bool whole, bool parsers)
{
    for (size_t i = 0; i < p->count; i++) {
        const struct served_model *m = p->all[i];
        if (is_usable(m) && m->model->trees == parsers && is_named(m, name, whole) && !has_column(p, column_of(m)))
            p->step[p->steps++] = m;
    }
}

static bool choose_models(struct exchange *e, struct pipeline *p, const char *name, struct vouch_error *err)
{
    bool whole = false;
    for (size_t i = 0; i < p->count; i++)
        whole = whole || strcmp(p->all[i]->name, name) == 0;
    add_steps(p, name, whole, false);
    add_steps(p, name, whole, true);
    if (p->steps > 0)
        return true;
    if (whole)
        return refuse(e, 400, err, "model '%.60s' learned no column of CoNLL-U and no trees: ask it at /v1/tag", name);
    return refuse(e, 400, err, "there is no model '%.60s' for CoNLL-U: /models lists those that there are", name);
}

/* ---- /models ---- */

static json_t *components(bool tags, bool parses)
{
    json_t *list = json_array();
    json_array_append_new(list, json_string("tokenizer"));
    if (tags)
        json_array_append_new(list, json_string("tagger"));
    if (parses)
        json_array_append_new(list, json_string("parser"));
    return list;
}

static bool list_models(struct exchange *e, struct vouch_error *err)
{
    struct pipeline p;
    const char *name = "";
    size_t count = 0;
    bool tags = false, parses = false;
    json_t *models = json_object();
    pipeline_take(&p, e->server->models);
    for (size_t i = 0; i < p.count; i++) {
        const struct served_model *m = p.all[i];
        if (!is_usable(m))
            continue;
        json_object_set_new(models, m->name, components(!m->model->trees, m->model->trees));
        tags = tags || !m->model->trees;
        parses = parses || m->model->trees;
        name = count++ == 0 ? m->name : ALL;
    }
    if (count > 1)
        json_object_set_new(models, ALL, components(tags, parses));
    bool ok = respond_json(e, 200, json_pack("{s:o, s:s}", "models", models, "default_model", name), err);
    pipeline_leave(&p);
    return ok;
}

/* ---- What comes in, as CoNLL-U ---- */

/* Whether an option is in a list "NAME;NAME=VALUE;NAME". */
static bool has_option(struct text list, const char *name)
{
    while (list.length > 0) {
        struct text option = text_cut(&list, ';');
        if (text_is(text_cut(&option, '='), name))
            return true;
    }
    return false;
}

/* Writes words that are there already: lines of them, or one a line and blank lines between sentences. */
static void write_words(struct output *out, struct text text, bool vertical)
{
    size_t words = 0;
    while (text.length > 0) {
        struct text line = text_cut(&text, '\n');
        line.length -= line.length > 0 && line.at[line.length - 1] == '\r';
        bool ends = !vertical || line.length == 0;
        while (line.length > 0) {
            struct text form = text_cut(&line, vertical ? '\t' : ' ');
            if (form.length > 0)
                raw_word_write(out, ++words, form, (struct text){"", 0});
            line.length = vertical ? 0 : line.length;
        }
        if (ends && words > 0) {
            output_write(out, "\n", 1);
            words = 0;
        }
    }
    if (words > 0)
        output_write(out, "\n", 1);
}

/* Writes the data of a request as CoNLL-U. */
static bool write_input(struct exchange *e, struct output *out, struct vouch_error *err)
{
    const char *tokenizer = exchange_parameter(e, "tokenizer"), *input = exchange_parameter(e, "input");
    struct text data = text_of(exchange_parameter(e, "data")), options = text_of(input ? input : "conllu");
    struct text name = text_cut(&options, '=');
    bool words = text_is(name, "horizontal") || text_is(name, "vertical"), cut = text_is(name, "generic_tokenizer");
    if (!words && !cut && !text_is(name, "conllu"))
        return refuse(e, 400, err, "input: expected conllu, generic_tokenizer, horizontal or vertical, found '%.*s'",
                      excerpt(name), name.at);
    if (tokenizer || cut) {
        struct text how = tokenizer ? text_of(tokenizer) : options;
        struct raw_options raw = {.presegmented = has_option(how, "presegmented"), .ranges = has_option(how, "ranges")};
        return raw_text_write(out, data, &raw, err);
    }
    if (words)
        write_words(out, data, text_is(name, "vertical"));
    else
        output_write(out, data.at, data.length);
    if (!words && data.length > 0 && data.at[data.length - 1] != '\n')
        output_write(out, "\n", 1);
    return true;
}

/* ---- What goes out ---- */

/* Writes CoNLL-U as words alone: one sentence, or one word, a line. */
static void write_forms(struct output *out, struct text text, bool vertical)
{
    size_t words = 0;
    while (text.length > 0) {
        struct text line = text_cut(&text, '\n'), id = text_cut(&line, '\t'), form = text_cut(&line, '\t');
        uint32_t number;
        if (text_whole(id, &number)) {
            output_write(out, vertical || words == 0 ? "" : " ", !vertical && words > 0);
            output_write(out, form.at, form.length);
            output_write(out, "\n", vertical);
            words++;
        } else if (id.length == 0 && words > 0) {
            output_write(out, "\n", 1);
            words = 0;
        }
    }
}

static bool respond(struct exchange *e, const char *model, const char *bytes, size_t length, struct vouch_error *err)
{
    return respond_json(e, 200,
                        json_pack("{s:s, s:[], s:o}", "model", model, "acknowledgements", "result",
                                  json_stringn(bytes, length)),
                        err);
}

/* ---- /process ---- */

/* Checks what no model is asked about: that it is CoNLL-U. */
static bool check_sentences(struct text in, struct vouch_error *err)
{
    struct sentence sentence = {0};
    struct reader_options reading = {.format = FORMAT_CONLLU, .gold = GOLD_NONE, .trees = true, .name = "body"};
    struct reader *reader = reader_open_memory(in.at, in.length, &reading, err);
    enum reading found = reader ? READ_SENTENCE : READ_FAILED;
    while (found == READ_SENTENCE)
        found = reader_next(reader, &sentence, err);
    sentence_release(&sentence);
    reader_close(reader);
    return found == READ_END;
}

/* Has a model complete the sentences of `in`. */
static bool complete(const struct served_model *m, vouch_worker *worker, struct text in, struct output *out,
                     struct vouch_error *err)
{
    struct sentence own = {0};
    struct vouch_sentence sentence = {.view = &own};
    struct reader_options reading = {.format = FORMAT_CONLLU, .gold = GOLD_NONE, .name = "body"};
    model_input_settle(m->model, &reading);
    struct reader *reader = reader_open_memory(in.at, in.length, &reading, err);
    bool ok = reader && model_input_fits(m->model, reader, err);
    struct writer_options writing = {.format = FORMAT_CONLLU, .column = column_of(m)};
    enum reading found = READ_END;
    while (ok && (found = reader_next(reader, &own, err)) == READ_SENTENCE) {
        const vouch_answer *answer = vouch_worker_answer(worker, &sentence, err);
        struct marks marks = {0};
        if (answer)
            marks = (struct marks){answer->confidences, answer->doubtful, answer->replaced};
        ok = answer && write_sentence(out, &writing, &own, answer->head, answer->label, &marks, err);
    }
    sentence_release(&own);
    reader_close(reader);
    return ok && found == READ_END;
}

/* Appends an option of vouch tag and parse, if it can be one. Its value has none of the signs that divide options. */
static bool add_option(struct buffer *options, const char *name, const char *value, struct vouch_error *err)
{
    if (!value || !value[0])
        return true;
    if (strspn(value, "abcdefghijklmnopqrstuvwxyz0123456789.,+-_") != strlen(value))
        return fail(err, VOUCH_ERR_ARGUMENT, "%s: expected small letters, digits and .,+-, found '%.40s'", name, value);
    vouch_options *tried = vouch_options_new("tag", err);
    bool ok = tried && option_from_client(&tag_options, tried, name, value, err) &&
              buffer_print(options, err, "%s%s=%s", options->length ? "&" : "", name, value);
    vouch_options_free(tried);
    return ok;
}

/* Confidence is only computed if something of it is asked for. */
static bool make_options(struct buffer *options, const struct exchange *e, struct vouch_error *err)
{
    const char *method = exchange_parameter(e, "confidence"), *best = exchange_parameter(e, "nbest");
    const char *threshold = exchange_parameter(e, "threshold");
    return add_option(options, "confidence", method || best || threshold ? method : "none", err) &&
           add_option(options, "alternatives", best, err) && add_option(options, "threshold", threshold, err);
}

/* Lets the models that are asked for complete text[0]; each writes to text[1], and then the two change places. */
static bool run_pipeline(const struct exchange *e, const struct pipeline *p, struct output *text[2],
                         struct vouch_error *err)
{
    struct buffer options = {0};
    bool ok = make_options(&options, e, err), asked = false;
    for (size_t i = 0; ok && i < p->steps; i++) {
        const struct served_model *m = p->step[i];
        struct lent_worker lent = {0};
        size_t length = 0;
        if (!exchange_parameter(e, m->model->trees ? "parser" : "tagger"))
            continue;
        const char *in = output_text(text[0], &length);
        asked = true;
        output_empty(text[1]);
        ok = (in || fail_memory(err)) && models_lend(p->from, m, buffer_text(&options).at, &lent, err) &&
             complete(m, lent.worker, (struct text){in, (uint32_t)length}, text[1], err);
        models_return(p->from, &lent);
        struct output *made = text[1];
        text[1] = text[0];
        text[0] = made;
    }
    free(options.bytes);
    if (!ok || asked)
        return ok;
    size_t length = 0;
    const char *in = output_text(text[0], &length);
    return in ? check_sentences((struct text){in, (uint32_t)length}, err) : fail_memory(err);
}

/* UDPipe refuses, too, what its model cannot do. */
static bool check_steps(struct exchange *e, const struct pipeline *p, const char *name, struct vouch_error *err)
{
    bool tags = !exchange_parameter(e, "tagger"), parses = !exchange_parameter(e, "parser");
    for (size_t i = 0; i < p->steps; i++) {
        tags = tags || !p->step[i]->model->trees;
        parses = parses || p->step[i]->model->trees;
    }
    return (tags && parses) || refuse(e, 400, err, "%s: model '%.60s' has none: /models lists what there is",
                                      tags ? "parser" : "tagger", name);
}

/* Returns the name of the format that is asked for, without its options. */
static struct text output_format(const struct exchange *e)
{
    const char *asked = exchange_parameter(e, "output");
    struct text options = text_of(asked ? asked : "conllu");
    return text_cut(&options, '=');
}

static bool respond_in_format(struct exchange *e, const char *model, struct output *text[2], struct vouch_error *err)
{
    struct text name = output_format(e);
    size_t length = 0;
    const char *made = output_text(text[0], &length);
    output_empty(text[1]);
    if (!made)
        return fail_memory(err);
    if (text_is(name, "conllu")) {
        output_printf(text[1], "# generator = vouch %s\n# udpipe_model = %s\n", vouch_version(), model);
        output_write(text[1], made, length);
    } else {
        write_forms(text[1], (struct text){made, (uint32_t)length}, text_is(name, "vertical"));
    }
    made = output_text(text[1], &length);
    return made ? respond(e, model, made, length, err) : fail_memory(err);
}

static bool check_request(struct exchange *e, struct vouch_error *err)
{
    struct text name = output_format(e);
    const char *data = exchange_parameter(e, "data");
    if (!data)
        return refuse(e, 400, err, "expected the parameter 'data', found none");
    if (strlen(data) > MOST_DATA)
        return refuse(e, 413, err, "data: expected at most %d MiB, found %zu: send it in pieces", MOST_DATA >> 20,
                      strlen(data) >> 20);
    return text_is(name, "conllu") || text_is(name, "horizontal") || text_is(name, "vertical") ||
           refuse(e, 400, err, "output: expected conllu, horizontal or vertical, found '%.*s'", excerpt(name), name.at);
}

static bool process(struct exchange *e, struct vouch_error *err)
{
    struct pipeline p;
    struct output *text[2] = {output_open_memory(err), output_open_memory(err)};
    const char *name = exchange_parameter(e, "model"), *model = name && name[0] ? name : ALL;
    pipeline_take(&p, e->server->models);
    bool ok = text[0] && text[1] && check_request(e, err) && choose_models(e, &p, model, err) &&
              check_steps(e, &p, model, err) && write_input(e, text[0], err) && run_pipeline(e, &p, text, err) &&
              respond_in_format(e, p.steps == 1 ? p.step[0]->name : model, text, err);
    pipeline_leave(&p);
    output_discard(text[0]);
    output_discard(text[1]);
    return ok;
}

const struct route udpipe_routes[] = {
    {"GET", "/models", 0, "UDPipe: the models that there are", list_models},
    {"POST", "/models", ROUTE_FOREIGN, "UDPipe: the models that there are", list_models},
    {"GET", "/process", ROUTE_STREAM, "UDPipe: cut, tag and parse text", process},
    {"POST", "/process", ROUTE_FOREIGN | ROUTE_FORM | ROUTE_STREAM, "UDPipe: cut, tag and parse text", process},
    {0},
};
