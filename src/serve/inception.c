/*
 * The two requests of INCEpTION's external recommender, below /inception, or below /inception/MODEL for the model of
 * that name. predict gets a document and answers with it and suggestions in it; train gets documents, answers at once
 * and learns behind: 204, or 429 while the model is being learned already, which INCEpTION takes for trained; what came
 * with it is learned next.
 */
#include "serve/inception.h"

#include "serve/http.h"
#include "serve/server.h"

#define POS_TYPE "de.tudarmstadt.ukp.dkpro.core.api.lexmorph.type.pos.POS"

/* ---- What is asked ---- */

static const char *const anchorings[] = {"characters", "singleToken", "tokens", "sentences"};

/* Finds the names of labels of the feature, if the project has such. */
static const json_t *find_tags(const json_t *tagsets, const struct recommender *asked)
{
    size_t i, j;
    json_t *set, *target;
    json_array_foreach (tagsets, i, set)
        json_array_foreach (json_object_get(set, "targets"), j, target) {
            const char *type = json_string_value(json_object_get(target, "type"));
            const char *feature = json_string_value(json_object_get(target, "feature"));
            if (type && feature && strcmp(type, asked->layer_name) == 0 && strcmp(feature, asked->feature) == 0)
                return json_object_get(set, "tags");
        }
    return NULL;
}

static bool read_asked(struct recommender *asked, const json_t *body, struct vouch_error *err)
{
    const json_t *metadata = json_object_get(body, "metadata");
    const char *types = body_string(body, "typeSystem", err);
    if (!types || !(asked->layer_name = body_string(metadata, "layer", err)) ||
        !(asked->feature = body_string(metadata, "feature", err)))
        return false;
    const char *anchoring = json_string_value(json_object_get(metadata, "anchoringMode"));
    asked->anchoring = ANCHOR_TOKENS;
    for (size_t i = 0; anchoring && i < sizeof anchorings / sizeof *anchorings; i++)
        if (strcmp(anchorings[i], anchoring) == 0)
            asked->anchoring = (enum anchoring)i;
    asked->tags = find_tags(json_object_get(body, "tagsets"), asked);
    if (!(asked->types = cas_types_read(types, strlen(types), err)) ||
        !cas_layer_find(asked->types, asked->layer_name, asked->feature, &asked->layer, err))
        return false;
    asked->dense = cas_type_is(asked->types, asked->layer.type, cas_type_find(asked->types, text_of(POS_TYPE)));
    return true;
}

/* Reads a document, and finds words and sentences if it has none. */
static bool read_document(struct cas *cas, const struct recommender *asked, const json_t *document,
                          struct vouch_error *err)
{
    const char *xmi = body_string(document, "xmi", err);
    if (!xmi || !cas_read(cas, xmi, strlen(xmi), &asked->layer, err))
        return false;
    if (cas_cut(cas, err))
        return true;
    cas_release(cas);
    return false;
}

static enum model_kind kind_for(const struct recommender *asked)
{
    return asked->layer.relations ? TREES_MODEL : LABELS_MODEL;
}

/* ---- Predicting ---- */

/* Finds the bytes that suggestions are wanted for: all, if no range is given, or one that says so by -1. */
static void find_range(const json_t *body, const struct cas *cas, size_t *begin, size_t *end)
{
    const json_t *range = json_object_get(json_object_get(body, "metadata"), "range");
    const json_int_t from = json_integer_value(json_object_get(range, "begin"));
    const json_int_t to = json_integer_value(json_object_get(range, "end"));
    uint32_t byte;
    *begin = 0;
    *end = cas->length;
    if (!json_is_object(range) || from < 0 || to <= from)
        return;
    if (byte_of_offset(&cas->units, (uint64_t)from, &byte))
        *begin = byte;
    if (byte_of_offset(&cas->units, (uint64_t)to, &byte))
        *end = byte;
}

static bool respond(struct exchange *e, const struct cas *cas, const struct suggestions *suggestions,
                    struct vouch_error *err)
{
    struct buffer xmi = {0};
    const bool ok = cas_write(cas, suggestions->item, suggestions->count, &xmi, err) &&
                    respond_json(e, 200, json_pack("{s:s}", "document", xmi.bytes), err);
    free(xmi.bytes);
    return ok;
}

/* Takes the model that was asked for. One that is being learned for the first time has nothing to suggest yet. */
static bool take_model(struct exchange *e, const struct recommender *asked, const struct served_model **model,
                       struct vouch_error *err)
{
    const char *name = e->segment[0];
    *model = models_take(e->server->models, name, kind_for(asked), err);
    if (*model || (name && inception_learns(e->server->inception, name)))
        return true;
    return refuse(e, 404, err, "%s", err->message);
}

static bool predict(struct exchange *e, struct vouch_error *err)
{
    struct recommender asked = {0};
    struct suggestions suggestions = {0};
    struct cas cas = {0};
    const struct served_model *model = NULL;
    json_t *body = exchange_json(e, JSON_OBJECT, err);
    bool ok = body && read_asked(&asked, body, err) && take_model(e, &asked, &model, err) &&
              read_document(&cas, &asked, json_object_get(body, "document"), err);
    if (ok && model) {
        size_t begin, end;
        find_range(body, &cas, &begin, &end);
        ok = inception_suggest(&suggestions, &asked, &cas, begin, end, e->server->models, model, err);
    }
    ok = ok && respond(e, &cas, &suggestions, err);
    models_leave(e->server->models, model);
    suggestions_release(&suggestions);
    cas_release(&cas);
    cas_types_free(asked.types);
    json_decref(body);
    return ok;
}

/* ---- Training ---- */

/* Adds all documents of the request to a lesson. */
static bool add_documents(struct buffer *text, const struct recommender *asked, const json_t *documents, size_t columns,
                          struct vouch_error *err)
{
    size_t i;
    json_t *document;
    json_array_foreach (documents, i, document) {
        struct cas cas = {0};
        const bool ok = read_document(&cas, asked, document, err) &&
                        inception_add_lesson(text, asked, &cas, columns, err);
        cas_release(&cas);
        if (!ok)
            return fail_within(err, "documents, %zu", i + 1);
    }
    return true;
}

/* Returns whose documents they are: those of a project's user, as INCEpTION sends all of these at once. */
static bool name_annotator(struct buffer *by, const json_t *body, struct vouch_error *err)
{
    const json_t *project = json_object_get(json_object_get(body, "metadata"), "projectId");
    const json_t *first = json_array_get(json_object_get(body, "documents"), 0);
    const char *user = json_string_value(json_object_get(first, "userId"));
    return buffer_print(by, err, "inception project %lld, %s", (long long)json_integer_value(project),
                        user ? user : "somebody");
}

/* Finds the name under which a model is learned: that of the path, of the model that would answer, or of the layer. */
static bool name_model(struct exchange *e, const struct recommender *asked, struct buffer *name, size_t *columns,
                       struct vouch_error *err)
{
    const struct served_model *model = models_take(e->server->models, e->segment[0], kind_for(asked), NULL);
    *columns = model && !asked->layer.relations && vouch_model_columns(model->model) > 1 ? 2 : 1;
    const char *dot = strrchr(asked->layer_name, '.');
    const bool ok = buffer_print(name, err, "%s",
                                 e->segment[0] ? e->segment[0]
                                 : model       ? model->name
                                 : dot         ? dot + 1
                                               : asked->layer_name);
    models_leave(e->server->models, model);
    if (ok && utf8_check(name->bytes, name->length) < name->length)
        return refuse(e, 400, err, "expected a model's name in UTF-8");
    return ok;
}

static bool give_lesson(struct exchange *e, const struct recommender *asked, const json_t *body,
                        struct vouch_error *err)
{
    struct buffer name = {0}, by = {0}, text = {0};
    size_t columns = 1;
    bool busy = false;
    bool ok = name_model(e, asked, &name, &columns, err) && name_annotator(&by, body, err) &&
              add_documents(&text, asked, json_object_get(body, "documents"), columns, err);
    const struct annotators_text sent = {name.bytes, asked->layer.relations ? "dep" : asked->dense ? "pos" : "ner",
                                         by.bytes, buffer_text(&text).at, text.length};
    ok = ok && inception_teach(e->server->inception, &sent, &busy, err);
    e->status = busy ? 429 : 204;
    free(name.bytes);
    free(by.bytes);
    free(text.bytes);
    return ok;
}

static bool train(struct exchange *e, struct vouch_error *err)
{
    struct recommender asked = {0};
    json_t *body = exchange_json(e, JSON_OBJECT, err);
    const bool ok = body && read_asked(&asked, body, err) && give_lesson(e, &asked, body, err);
    cas_types_free(asked.types);
    json_decref(body);
    return ok;
}

const struct route inception_routes[] = {
    {"POST", "/inception/predict", ROUTE_FOREIGN | ROUTE_SLOW, "INCEpTION: suggestions for a document", predict},
    {"POST", "/inception/train", ROUTE_FOREIGN | ROUTE_SLOW, "INCEpTION: learn from documents", train},
    {"POST", "/inception/{model}/predict", ROUTE_FOREIGN | ROUTE_SLOW, "INCEpTION: suggestions of a model", predict},
    {"POST", "/inception/{model}/train", ROUTE_FOREIGN | ROUTE_SLOW, "INCEpTION: a model learns from documents", train},
    {0},
};
