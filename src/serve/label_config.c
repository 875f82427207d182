/*
 * Reads Label Studio's configuration: see label_config.h.
 *
 * A control may come before the text that it is for. So all controls with labels, and all texts, are noted first.
 */
#include "serve/label_config.h"

#include "serve/xml_read.h"

#include <strings.h>

enum { MOST_BYTES = 1 << 20 };

/* <Labels>, and <Text>, as they are found. */
struct noted_control {
    const char *name, *to_name, *threshold; /* NULL: it is not there */
    struct label_list labels;
};

struct noted_text {
    const char *name, *value;
};

struct config_reading {
    struct label_config *config;
    struct noted_control *control;
    struct noted_text *text;
    size_t controls, control_capacity, texts, text_capacity;
    uint32_t depth, inside; /* elements that are open; as many as when the last control was begun, 0: it has ended */
};

void label_config_release(struct label_config *c)
{
    free(c->labels.item);
    free(c->relations.item);
    arena_release(&c->arena);
    *c = (struct label_config){0};
}

/* Copies an attribute: NULL if it is not there. */
static bool copy_attribute(struct label_config *c, const struct xml_element *element, const char *name, const char **to,
                           struct vouch_error *err)
{
    struct text value;
    *to = NULL;
    return !xml_attribute(element, name, &value) ||
           (*to = xml_keep(&c->arena, value, err)) != NULL;
}

static bool note_label(struct label_config *c, const struct xml_element *element, struct label_list *list,
                       struct vouch_error *err)
{
    struct offered_label label;
    if (!copy_attribute(c, element, "value", &label.value, err) ||
        !copy_attribute(c, element, "predicted_values", &label.predicted, err))
        return false;
    if (!label.value || !*label.value)
        return true;
    if (!RESERVE(list->item, list->capacity, list->count + 1, err))
        return false;
    list->item[list->count++] = label;
    return true;
}

static bool note_control(struct config_reading *r, const struct xml_element *element, struct vouch_error *err)
{
    if (!RESERVE(r->control, r->control_capacity, r->controls + 1, err))
        return false;
    struct noted_control *control = &r->control[r->controls++];
    *control = (struct noted_control){0};
    r->inside = r->depth;
    return copy_attribute(r->config, element, "name", &control->name, err) &&
           copy_attribute(r->config, element, "toName", &control->to_name, err) &&
           copy_attribute(r->config, element, "model_score_threshold", &control->threshold, err);
}

/* Notes a text that is in the task itself: nothing is fetched for a request. */
static bool note_text(struct config_reading *r, const struct xml_element *element, struct vouch_error *err)
{
    struct text type = {"", 0};
    if (xml_attribute(element, "valueType", &type) && text_is(type, "url"))
        return true;
    if (!RESERVE(r->text, r->text_capacity, r->texts + 1, err))
        return false;
    struct noted_text *text = &r->text[r->texts++];
    return copy_attribute(r->config, element, "name", &text->name, err) &&
           copy_attribute(r->config, element, "value", &text->value, err);
}

static bool on_start(void *context, const struct xml_element *element, struct vouch_error *err)
{
    struct config_reading *r = context;
    r->depth++;
    if (text_is(element->name, "Relations"))
        r->config->draws_relations = true;
    if (text_is(element->name, "Relation"))
        return note_label(r->config, element, &r->config->relations, err);
    if (text_is(element->name, "Text"))
        return note_text(r, element, err);
    if (text_is(element->name, "Labels"))
        return note_control(r, element, err);
    return !r->inside || !text_is(element->name, "Label") ||
           note_label(r->config, element, &r->control[r->controls - 1].labels, err);
}

static bool on_end(void *context, struct vouch_error *err)
{
    struct config_reading *r = context;
    (void)err;
    if (r->inside == r->depth--)
        r->inside = 0;
    return true;
}

/* Returns the text that a control is for; NULL: there is none. */
static const struct noted_text *text_of_control(const struct config_reading *r, const struct noted_control *control)
{
    for (size_t i = 0; control->name && control->to_name && i < r->texts; i++)
        if (r->text[i].name && r->text[i].value && strcmp(r->text[i].name, control->to_name) == 0)
            return &r->text[i];
    return NULL;
}

/* Takes the first control that is for a text. */
static bool take_control(struct config_reading *r, struct vouch_error *err)
{
    struct label_config *c = r->config;
    const struct noted_text *text = NULL;
    size_t i = 0;
    while (i < r->controls && !(text = text_of_control(r, &r->control[i])))
        i++;
    if (!text)
        return fail(err, VOUCH_ERR_FORMAT,
                    "label_config: expected <Labels name=\"...\" toName=\"...\"> for a <Text> of that name");
    struct noted_control *control = &r->control[i];
    c->from_name = control->name;
    c->to_name = control->to_name;
    c->data = text->value + (text->value[0] == '$');
    c->labels = control->labels;
    control->labels = (struct label_list){0};
    if (control->threshold &&
        (!parse_number(text_of(control->threshold), &c->threshold) || !(c->threshold >= 0 && c->threshold <= 1)))
        return fail(err, VOUCH_ERR_FORMAT, "label_config: expected a model_score_threshold of 0 to 1, found '%.20s'",
                    control->threshold);
    return c->labels.count > 0 || fail(err, VOUCH_ERR_FORMAT, "label_config: expected a <Label value=\"...\"/>");
}

bool label_config_read(struct label_config *c, const char *xml, struct vouch_error *err)
{
    struct config_reading reading = {.config = c};
    const struct xml_reader reader = {.start = on_start, .end = on_end, .context = &reading};
    size_t length = strlen(xml);
    *c = (struct label_config){0};
    if (length > MOST_BYTES)
        return fail(err, VOUCH_ERR_FORMAT, "label_config: expected at most %d bytes, found %zu", MOST_BYTES, length);
    bool ok = xml_read(xml, length, "label_config", &reader, err) && take_control(&reading, err);
    for (size_t i = 0; i < reading.controls; i++)
        free(reading.control[i].labels.item);
    free(reading.control);
    free(reading.text);
    return ok;
}

static bool equals(struct text name, const char *value, bool capitals)
{
    return strlen(value) == name.length &&
           (capitals ? memcmp(value, name.at, name.length) : strncasecmp(value, name.at, name.length)) == 0;
}

static bool lists(const char *predicted, struct text name)
{
    struct text rest = text_of(predicted ? predicted : "");
    while (rest.length > 0)
        if (text_equal(text_trim(text_cut(&rest, ',')), name))
            return true;
    return false;
}

const char *label_find(const struct label_list *list, struct text name)
{
    for (size_t i = 0; i < list->count; i++)
        if (lists(list->item[i].predicted, name))
            return list->item[i].value;
    for (int capitals = 1; capitals >= 0; capitals--)
        for (size_t i = 0; i < list->count; i++)
            if (equals(name, list->item[i].value, capitals))
                return list->item[i].value;
    const char *colon = name.length > 0 ? memchr(name.at, ':', name.length) : NULL;
    return colon ? label_find(list, (struct text){name.at, (uint32_t)(colon - name.at)}) : NULL;
}
