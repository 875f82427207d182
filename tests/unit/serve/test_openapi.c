/* Tests that the description of the interface has the routes that there are, and no others. */
#include "serve/openapi.h"

#include "must.h"
#include "test.h"

#include <ctype.h>

struct look {
    json_t *paths, *described;
    size_t routes;
};

static void look_at(void *context, const struct route *route)
{
    struct look *look = context;
    char method[16] = {0}, key[160];
    for (size_t i = 0; route->method[i] && i < sizeof method - 1; i++)
        method[i] = (char)tolower((unsigned char)route->method[i]);
    snprintf(key, sizeof key, "%s %s", route->method, route->path);
    const json_t *operation = json_object_get(json_object_get(look->paths, route->path), method);
    if (!operation)
        fail_msg("%s is not in the document", key);
    assert_string_equal(json_string_value(json_object_get(operation, "summary")), route->summary);
    if (strncmp(route->path, "/v1/", 4) == 0 && !json_object_get(look->described, key))
        fail_msg("%s is not in openapi.json", key);
    json_object_del(look->described, key);
    look->routes++;
}

TEST(every_route_is_described_and_nothing_else)
{
    json_t *document = openapi_document("http://127.0.0.1:1", &err), *path, *operation;
    struct look look = {.described = openapi_described(&err)};
    const char *name, *method;
    size_t operations = 0;
    MUST(document && look.described);
    look.paths = json_object_get(document, "paths");
    routes_each(look_at, &look);
    json_object_foreach(look.described, name, operation)
        fail_msg("openapi.json describes %s, and there is no such route", name);
    json_object_foreach(look.paths, name, path)
        json_object_foreach(path, method, operation)
            operations++;
    assert_int_equal(operations, look.routes);
    assert_true(operations > 10);
    json_decref(look.described);
    json_decref(document);
}

/* Every "$ref" leads somewhere. */
static void check_references(const json_t *document, json_t *value)
{
    const char *name;
    json_t *part;
    size_t i;
    const char *reference = json_string_value(json_object_get(value, "$ref"));
    if (reference) {
        char copy[200], *rest = copy;
        const json_t *found = document;
        assert_true(strncmp(reference, "#/", 2) == 0 && strlen(reference) < sizeof copy);
        strcpy(copy, reference + 2);
        for (char *step; (step = strtok_r(rest, "/", &rest));)
            found = json_object_get(found, step);
        if (!found)
            fail_msg("%s leads nowhere", reference);
    }
    json_object_foreach(value, name, part)
        check_references(document, part);
    json_array_foreach(value, i, part)
        check_references(document, part);
}

TEST(references_lead_somewhere)
{
    json_t *document = openapi_document("http://127.0.0.1:1", &err);
    MUST(document);
    check_references(document, document);
    json_decref(document);
}

static const json_t *parameter(const json_t *operation, const char *name)
{
    const json_t *list = json_object_get(operation, "parameters");
    for (size_t i = 0; i < json_array_size(list); i++) {
        const char *found = json_string_value(json_object_get(json_array_get(list, i), "name"));
        if (found && strcmp(found, name) == 0)
            return json_array_get(list, i);
    }
    return NULL;
}

TEST(options_are_parameters_but_for_files_and_the_programs_own)
{
    json_t *document = openapi_document("http://127.0.0.1:1", &err);
    MUST(document);
    const json_t *tag = json_object_get(json_object_get(json_object_get(document, "paths"), "/v1/tag"), "post");
    const json_t *format = json_object_get(parameter(tag, "on-error"), "schema");
    const json_t *most = json_object_get(json_object_get(parameter(tag, "alternatives"), "schema"), "maximum");
    assert_true(json_number_value(most) == 1000);
    assert_int_equal(json_array_size(json_object_get(format, "enum")), 2);
    assert_string_equal(json_string_value(json_array_get(json_object_get(format, "enum"), 1)), "report");
    assert_null(parameter(tag, "output"));
    assert_null(parameter(tag, "vectors"));
    assert_null(parameter(tag, "quiet"));
    json_decref(document);
}

TEST(what_a_route_gives_is_its_usual_response)
{
    json_t *document = openapi_document("http://127.0.0.1:1", &err);
    MUST(document);
    const json_t *undo = json_object_get(json_object_get(json_object_get(document, "paths"), "/v1/undo"), "post");
    const json_t *response = json_object_get(json_object_get(undo, "responses"), "200");
    const json_t *json = json_object_get(json_object_get(response, "content"), "application/json");
    const json_t *reference = json_object_get(json_object_get(json, "schema"), "$ref");
    assert_string_equal(json_string_value(reference), "#/components/schemas/desk_decision");
    assert_true(json_string_length(json_object_get(response, "description")) > 0);
    assert_null(json_object_get(undo, "gives"));
    json_decref(document);
}
