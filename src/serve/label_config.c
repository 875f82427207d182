/*
 * Reads Label Studio's configuration: see label_config.h.
 *
 * It comes from the network, so libxml2 gets no chance: a document type, in which entities would be declared, is
 * refused before it is parsed, UTF-8 is the only encoding, nothing is fetched, and nothing is substituted.
 */
#include "serve/label_config.h"

#include <libxml/parser.h>
#include <libxml/tree.h>
#include <strings.h>

enum { MOST_BYTES = 1 << 20 };

void label_config_release(struct label_config *c)
{
    free(c->labels.item);
    free(c->relations.item);
    arena_release(&c->arena);
    *c = (struct label_config){0};
}

/* Returns a copy of an attribute in *to: NULL if it is not there. */
static bool copy_attribute(struct label_config *c, const xmlNode *node, const char *name, const char **to,
                           struct vouch_error *err)
{
    char *copy;
    xmlChar *value = xmlGetProp(node, (const xmlChar *)name);
    *to = NULL;
    if (!value)
        return true;
    size_t length = strlen((const char *)value);
    bool ok = ARENA_ARRAY(copy, length + 1, &c->arena, err);
    if (ok)
        *to = memcpy(copy, value, length + 1);
    xmlFree(value);
    return ok;
}

static bool is_tag(const xmlNode *node, const char *name)
{
    return node->type == XML_ELEMENT_NODE && strcmp((const char *)node->name, name) == 0;
}

/* Returns the node after this one in the order of the document, below `top`; NULL: it was the last. */
static xmlNode *next_node(xmlNode *node, const xmlNode *top)
{
    if (node->children)
        return node->children;
    while (node != top && !node->next)
        node = node->parent;
    return node == top ? NULL : node->next;
}

/* Lists the labels below a control. */
static bool list_labels(struct label_config *c, xmlNode *control, const char *tag, struct label_list *list,
                        struct vouch_error *err)
{
    for (xmlNode *node = next_node(control, control); node; node = next_node(node, control)) {
        struct offered_label label;
        if (!is_tag(node, tag))
            continue;
        if (!copy_attribute(c, node, "value", &label.value, err) ||
            !copy_attribute(c, node, "predicted_values", &label.predicted, err))
            return false;
        if (!label.value || !*label.value)
            continue;
        if (!RESERVE(list->item, list->capacity, list->count + 1, err))
            return false;
        list->item[list->count++] = label;
    }
    return true;
}

/* Finds the <Text> of that name, and the key of its data. */
static bool find_text(struct label_config *c, xmlNode *root, struct vouch_error *err)
{
    for (xmlNode *node = root; node; node = next_node(node, root)) {
        const char *name, *value, *type;
        if (!is_tag(node, "Text"))
            continue;
        if (!copy_attribute(c, node, "name", &name, err) || !copy_attribute(c, node, "value", &value, err) ||
            !copy_attribute(c, node, "valueType", &type, err))
            return false;
        if (type && strcmp(type, "url") == 0) /* nothing is fetched for a request */
            continue;
        if (name && value && strcmp(name, c->to_name) == 0) {
            c->data = value + (*value == '$');
            return true;
        }
    }
    return true;
}

static bool read_threshold(struct label_config *c, const xmlNode *control, struct vouch_error *err)
{
    const char *text;
    if (!copy_attribute(c, control, "model_score_threshold", &text, err))
        return false;
    if (text && (!parse_number(text_of(text), &c->threshold) || !(c->threshold >= 0 && c->threshold <= 1)))
        return fail(err, VOUCH_ERR_FORMAT, "label_config: expected a model_score_threshold of 0 to 1, found '%.20s'",
                    text);
    return true;
}

/* Takes a <Labels> if it is for a <Text>; one that is not leaves c->data NULL. */
static bool take_control(struct label_config *c, xmlNode *root, xmlNode *control, struct vouch_error *err)
{
    return copy_attribute(c, control, "name", &c->from_name, err) &&
           copy_attribute(c, control, "toName", &c->to_name, err) &&
           (!c->from_name || !c->to_name || find_text(c, root, err)) &&
           (!c->data || (read_threshold(c, control, err) && list_labels(c, control, "Label", &c->labels, err)));
}

static bool read_tree(struct label_config *c, xmlNode *root, struct vouch_error *err)
{
    for (xmlNode *node = root; node; node = next_node(node, root)) {
        if (is_tag(node, "Relations")) {
            c->draws_relations = true;
            if (!list_labels(c, node, "Relation", &c->relations, err))
                return false;
        }
        if (!c->data && is_tag(node, "Labels") && !take_control(c, root, node, err))
            return false;
    }
    if (!c->data)
        return fail(err, VOUCH_ERR_FORMAT,
                    "label_config: expected <Labels name=\"...\" toName=\"...\"> for a <Text> of that name");
    return c->labels.count > 0 || fail(err, VOUCH_ERR_FORMAT, "label_config: expected a <Label value=\"...\"/>");
}

bool label_config_read(struct label_config *c, const char *xml, struct vouch_error *err)
{
    size_t length = strlen(xml);
    *c = (struct label_config){0};
    if (length > MOST_BYTES)
        return fail(err, VOUCH_ERR_FORMAT, "label_config: expected at most %d bytes, found %zu", MOST_BYTES, length);
    if (strstr(xml, "<!DOCTYPE") || strstr(xml, "<!ENTITY"))
        return fail(err, VOUCH_ERR_FORMAT, "label_config: expected no document type and no entities");
    xmlDoc *doc = xmlReadMemory(xml, (int)length, NULL, "UTF-8",
                                XML_PARSE_NONET | XML_PARSE_NOERROR | XML_PARSE_NOWARNING | XML_PARSE_NOBLANKS);
    xmlNode *root = doc ? xmlDocGetRootElement(doc) : NULL;
    bool ok = root ? read_tree(c, root, err) : fail(err, VOUCH_ERR_FORMAT, "label_config: expected XML");
    xmlFreeDoc(doc);
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
