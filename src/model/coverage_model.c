/* Reads and writes a coverage model: see coverage_model.h. */
#include "model/coverage_model.h"

#include <math.h>
#include <string.h>

json_t *coverage_model_json(const struct coverage_model *model)
{
    json_t *json =
        json_pack("{s:f, s:s, s:f}", "coverage", model->target, "method", model->method, "words", model->least.word);
    if (json && model->chunks && json_object_set_new(json, "chunks", json_real(model->least.chunk)) != 0) {
        json_decref(json);
        return NULL;
    }
    return json;
}

/* Reads a number from 0 to 1. */
static bool read_share(const json_t *json, const char *key, double *x)
{
    const json_t *value = json_object_get(json, key);
    *x = json_number_value(value);
    return json_is_number(value) && *x >= 0 && *x <= 1;
}

bool coverage_model_read(struct coverage_model *model, const json_t *header, const char *name, struct vouch_error *err)
{
    const json_t *json = json_object_get(header, "coverage");
    const char *method = json_string_value(json_object_get(json, "method"));
    *model = (struct coverage_model){.known = json != NULL, .least = {1, 1}};
    if (!json)
        return true;
    model->chunks = json_object_get(json, "chunks") != NULL;
    if (!method || strlen(method) >= sizeof model->method || !read_share(json, "coverage", &model->target) ||
        !read_share(json, "words", &model->least.word) ||
        (model->chunks && !read_share(json, "chunks", &model->least.chunk)))
        return fail(err, VOUCH_ERR_FORMAT, "%s: the header's coverage is damaged", name);
    memcpy(model->method, method, strlen(method) + 1);
    return true;
}
