/*
 * Describes the interface in OpenAPI, so that it cannot lie: which routes there are comes from their tables, the
 * parameters that are options from the option tables, and what routes have in common (segments of paths, the header of
 * writes, tokens, problems) from their flags. openapi.json, which is put into the program, adds what no table has:
 * bodies, responses, schemas, and a command line for the start page. Its key "routes" has an object for each route of
 * ours, whose members become those of the operation. Two members are shorter than what they become: "options", the name
 * of a table, gives parameters; "gives", {"a schema": "what it is"}, the usual response, JSON with the status 200.
 */
#include "serve/openapi.h"

#include "active/next_sentences.h"
#include "answer/request.h"
#include "base/json_read.h"
#include "forecast/text_forecast.h"
#include "report/web.h"
#include "review/review.h"
#include "serve/server.h"

#include <ctype.h>
#include <stdio.h>

/* ---- Parameters ---- */

/* Adds the words of "skip, keep or attach" to a list. */
static void add_choices(json_t *list, const char *choices)
{
    while (*choices) {
        size_t length = strcspn(choices, ", ");
        if (length > 0 && !(length == 2 && strncmp(choices, "or", 2) == 0))
            json_array_append_new(list, json_stringn(choices, length));
        choices += length + strspn(choices + length, ", ");
    }
}

static json_t *option_schema(const struct option_spec *spec)
{
    json_t *choices = json_array();
    switch (spec->kind) {
    case OPTION_FLAG: json_decref(choices); return json_pack("{s:s}", "type", "boolean");
    case OPTION_INTEGER:
        json_decref(choices);
        return json_pack("{s:s, s:I, s:I}", "type", "integer", "minimum", (json_int_t)spec->least, "maximum",
                         (json_int_t)spec->most);
    case OPTION_REAL:
        json_decref(choices);
        return json_pack("{s:s, s:f, s:f}", "type", "number", "minimum", spec->least, "maximum", spec->most);
    default:
        if (!spec->choices) {
            json_decref(choices);
            return json_pack("{s:s}", "type", "string");
        }
        add_choices(choices, spec->choices);
        return json_pack("{s:s, s:o}", "type", "string", "enum", choices);
    }
}

static void add_parameter(json_t *parameters, const char *in, const char *name, const char *help, json_t *schema)
{
    json_array_append_new(parameters, json_pack("{s:s, s:s, s:b, s:s, s:o}", "name", name, "in", in, "required",
                                                strcmp(in, "query") != 0, "description", help, "schema", schema));
}

/* Adds the options of a table that clients may set. */
static void add_options(json_t *parameters, const char *command)
{
    static const struct option_table *const tables[] = {&tag_options, &parse_options, &forecast_options,
                                                        &review_options, &active_options};
    for (size_t t = 0; t < sizeof tables / sizeof *tables; t++)
        for (const struct option_spec *spec = tables[t]->option; spec->name; spec++)
            if (strcmp(tables[t]->command, command) == 0 && option_is_for_clients(spec))
                add_parameter(parameters, "query", spec->name, spec->help, option_schema(spec));
}

/* Adds the segments in braces of a path. */
static void add_segments(json_t *parameters, const char *path)
{
    for (const char *at = path; (at = strchr(at, '{')); at++) {
        char name[64];
        snprintf(name, sizeof name, "%.*s", (int)strcspn(at + 1, "}"), at + 1);
        add_parameter(parameters, "path", name, name, json_pack("{s:s, s:i}", "type", "string", "minLength", 1));
    }
}

/* ---- Operations ---- */

/* Returns "get_v1_models_name" for GET /v1/models/{name}. */
static json_t *operation_name(const struct route *route)
{
    char name[160];
    size_t length = (size_t)snprintf(name, sizeof name, "%s%s", route->method, route->path), to = 0;
    for (size_t i = 0; i < length && i < sizeof name - 1; i++)
        if (isalnum((unsigned char)name[i]))
            name[to++] = (char)tolower((unsigned char)name[i]);
        else if (to > 0 && name[to - 1] != '_')
            name[to++] = '_';
    return json_stringn(name, to > 0 && name[to - 1] == '_' ? to - 1 : to);
}

/* Returns the responses of a route: the usual one, described ones, or what its protocol has; and problems. */
static json_t *responses_of(const json_t *described)
{
    json_t *responses = json_deep_copy(json_object_get(described, "responses")), *description;
    const char *schema;
    json_object_foreach(json_object_get(described, "gives"), schema, description)
        responses = json_pack("{s:{s:O, s:{s:{s:{s:o}}}}}", "200", "description", description, "content",
                              "application/json", "schema", "$ref", json_sprintf("#/components/schemas/%s", schema));
    if (!responses)
        responses = json_pack("{s:{s:s}}", "2XX", "description", "the answer, as the protocol of that tool has it");
    json_object_set_new(responses, "default", json_pack("{s:s}", "$ref", "#/components/responses/problem"));
    return responses;
}

/* Returns the protocol that a summary begins with: "INCEpTION: learn" is of INCEpTION; NULL if with none. */
static json_t *protocol_of(const struct route *route)
{
    const char *colon = strchr(route->summary, ':');
    return colon ? json_pack("[o]", json_stringn(route->summary, (size_t)(colon - route->summary))) : NULL;
}

static json_t *parameters_of(const struct route *route, const json_t *described)
{
    json_t *parameters = json_array();
    const json_t *own = json_object_get(described, "parameters");
    const char *table = json_string_value(json_object_get(described, "options"));
    add_segments(parameters, route->path);
    for (size_t i = 0; i < json_array_size(own); i++)
        json_array_append_new(parameters, json_deep_copy(json_array_get(own, i)));
    if (table)
        add_options(parameters, table);
    if ((route->flags & ROUTE_WRITES) && !(route->flags & ROUTE_FOREIGN))
        add_parameter(parameters, "header", "X-Vouch", "any value: what a page of another site cannot send",
                      json_pack("{s:s}", "type", "string"));
    return parameters;
}

static json_t *operation(const struct route *route, json_t *described)
{
    json_t *made = json_pack("{s:s, s:o, s:o, s:o}", "summary", route->summary, "operationId", operation_name(route),
                             "parameters", parameters_of(route, described), "responses", responses_of(described));
    const char *name;
    json_t *value;
    json_object_foreach(described, name, value)
        if (strcmp(name, "options") != 0 && strcmp(name, "gives") != 0 && !json_object_get(made, name))
            json_object_set_new(made, name, json_deep_copy(value));
    if (!json_object_get(made, "tags"))
        json_object_set_new(made, "tags", protocol_of(route));
    if (route->flags & ROUTE_OPEN)
        json_object_set_new(made, "security", json_array());
    return made;
}

/* ---- The document ---- */

struct description {
    json_t *paths, *described;
    bool lacks_memory;
};

static void add_route(void *context, const struct route *route)
{
    struct description *d = context;
    char key[160], method[16];
    json_t *path = json_object_get(d->paths, route->path);
    size_t i = 0;
    for (; route->method[i] && i < sizeof method - 1; i++)
        method[i] = (char)tolower((unsigned char)route->method[i]);
    method[i] = '\0';
    snprintf(key, sizeof key, "%s %s", route->method, route->path);
    if (!path) {
        path = json_object();
        json_object_set_new(d->paths, route->path, path);
    }
    if (json_object_set_new(path, method, operation(route, json_object_get(d->described, key))) != 0)
        d->lacks_memory = true;
}

static json_t *read_own(struct vouch_error *err)
{
    json_error_t error;
    json_t *own = json_read(web_openapi.at, web_openapi.length, JSON_REJECT_DUPLICATES, &error);
    if (!own && json_lacked_memory(&error))
        fail_memory(err);
    else if (!own)
        fail(err, VOUCH_ERR_FORMAT, "openapi.json:%d: %s", error.line, error.text);
    return own;
}

json_t *openapi_described(struct vouch_error *err)
{
    json_t *own = read_own(err), *routes = json_incref(json_object_get(own, "routes"));
    json_decref(own);
    return routes;
}

json_t *openapi_document(const char *origin, struct vouch_error *err)
{
    json_t *own = read_own(err);
    if (!own)
        return NULL;
    struct description d = {.paths = json_object(), .described = json_object_get(own, "routes")};
    routes_each(add_route, &d);
    bool whole = !d.lacks_memory &&
                 json_object_set_new(json_object_get(own, "info"), "version", json_string(vouch_version())) == 0 &&
                 json_object_set_new(own, "servers", json_pack("[{s:s}]", "url", origin)) == 0;
    if (json_object_set_new(own, "paths", d.paths) == 0 && whole && json_object_del(own, "routes") == 0)
        return own;
    json_decref(own);
    fail_memory(err);
    return NULL;
}

static bool show(struct exchange *e, struct vouch_error *err)
{
    json_t *document = openapi_document(e->origin, err);
    return document && respond_json(e, 200, document, err);
}

const struct route openapi_routes[] = {
    {"GET", "/openapi.json", ROUTE_OPEN, "this description", show},
    {0},
};
