/* Learns from annotations of Label Studio: see annotated_training.h. */
#include "serve/annotated_training.h"

#include "base/json_read.h"
#include "convert/label_studio_tasks.h"
#include "desk/material.h"

/* What is learned from: columns of words and labels, or CoNLL-U. */
struct sentences {
    const struct annotated_training *training;
    struct material model, tagger;
    struct buffer one; /* the sentence at hand */
    bool open;         /* some heads or parts of speech are not known */
};

/* ---- Choosing an annotation, and reading it ---- */

/* Whether annotation `a` is to be learned from rather than `b`, which comes before it. */
static bool is_better(const json_t *a, const json_t *b)
{
    bool truth_a = json_is_true(json_object_get(a, "ground_truth"));
    bool truth_b = json_is_true(json_object_get(b, "ground_truth"));
    const char *when_a = json_string_value(json_object_get(a, "updated_at"));
    const char *when_b = json_string_value(json_object_get(b, "updated_at"));
    if (truth_a != truth_b)
        return truth_a;
    return !when_a || !when_b || strcmp(when_a, when_b) >= 0; /* ISO 8601 sorts by time */
}

/* Returns the annotation of a task that counts; NULL if there is none. */
static const json_t *choose_annotation(const json_t *task)
{
    const json_t *best = NULL, *annotation, *all = json_object_get(task, "annotations");
    size_t i;
    json_array_foreach(all, i, annotation)
    {
        if (!json_is_true(json_object_get(annotation, "was_cancelled")) && (!best || is_better(annotation, best)))
            best = annotation;
    }
    return best;
}

/*
 * Returns the regions of the project's control, and relations: those of other controls are not ours. The control is
 * called as the reader expects it.
 */
static json_t *own_regions(const struct label_config *config, const json_t *result)
{
    const char *name = config->draws_relations ? LABEL_STUDIO_WORDS : LABEL_STUDIO_SPANS;
    json_t *own = json_array(), *item;
    size_t i;
    json_array_foreach(result, i, item)
    {
        const char *control = json_string_value(json_object_get(item, "from_name"));
        const char *type = json_string_value(json_object_get(item, "type"));
        json_t *copy = NULL;
        if (control && strcmp(control, config->from_name) == 0) {
            copy = json_copy(item);
            json_object_set_new(copy, "from_name", json_string(name));
        } else if (config->draws_relations && type && strcmp(type, "relation") == 0) {
            copy = json_incref(item);
        }
        if (copy)
            json_array_append_new(own, copy);
    }
    return own;
}

/* Reads the annotation of a task that counts, as one document; none if there is none. */
static bool read_task(const struct label_config *config, const json_t *task, struct annotated_texts *texts,
                      struct vouch_error *err)
{
    static const struct annotated_source source = {.name = "Label Studio"};
    static const struct format_choices choices = {.scheme = SCHEME_IOB2};
    const json_t *annotation = choose_annotation(task), *text = json_object_get(json_object_get(task, "data"),
                                                                                config->data);
    if (!annotation || !json_is_string(text))
        return true;
    json_t *own = json_pack("{s:{s:O}, s:[{s:o}]}", "data", "text", text, "annotations", "result",
                            own_regions(config, json_object_get(annotation, "result")));
    struct json_document document = {.object = own, .line = (uint64_t)json_integer_value(json_object_get(task, "id")),
                                     .source = &source, .choices = &choices, .into = texts};
    bool ok = own ? read_label_studio_task(&document, err) : fail_memory(err);
    json_decref(own);
    return ok;
}

/* ---- Writing what is learned from ---- */

/* Returns what the model to go on from calls a label of the project; the label itself if it has none of its own. */
static struct text model_label(const struct annotated_training *t, struct text label)
{
    for (size_t y = 0; t->base && y < vouch_model_label_count(t->base); y++) {
        struct text type;
        scheme_split(text_of(vouch_model_label_name(t->base, y)), &type);
        const char *offered = type.length > 0 ? label_find(&t->config->labels, type) : NULL;
        if (offered && text_is(label, offered))
            return type;
    }
    return label;
}

/* Writes a label without white space, which would end it. */
static bool put_label(struct buffer *to, struct text label, struct vouch_error *err)
{
    for (uint32_t i = 0; i < label.length; i++)
        if (!buffer_put(to, strchr(" \t\n\r", label.at[i]) ? '_' : label.at[i], err))
            return false;
    return true;
}

/* Writes sentences as columns of words and labels, a chunk each span; of two that overlap, the first and longest. */
static bool write_chunks(struct sentences *m, const struct annotated *doc, struct vouch_error *err)
{
    uint32_t next = 0, span = NO_SPAN;
    for (uint32_t s = 0; s < doc->sentences; s++) {
        for (uint32_t i = doc->sentence[s].from; i < doc->sentence[s].to; i++) {
            bool begins = false;
            if (span != NO_SPAN && doc->span[span].to <= i)
                span = NO_SPAN;
            for (; next < doc->spans && doc->span[next].from <= i; next++)
                if (span == NO_SPAN && doc->span[next].from == i) {
                    span = next;
                    begins = true;
                }
            if (!put_label(&m->model.text, annotated_form(doc, i), err) || !buffer_put(&m->model.text, ' ', err))
                return false;
            begins = begins || i == doc->sentence[s].from;
            if (span == NO_SPAN ? !buffer_put(&m->model.text, 'O', err)
                                : !buffer_print(&m->model.text, err, begins ? "B-" : "I-") ||
                                      !put_label(&m->model.text, model_label(m->training, doc->span[span].label), err))
                return false;
            if (!buffer_put(&m->model.text, '\n', err))
                return false;
        }
        if (!buffer_put(&m->model.text, '\n', err))
            return false;
    }
    return true;
}

/*
 * Returns the head of word `i` of a sentence from .. to - 1: 0 the root, a word from 1, or NO_HEAD if it is open. A
 * sentence in which all words but one have a head has its root.
 */
static uint32_t head_in(const struct annotated *doc, const struct marked_sentence *s, uint32_t i)
{
    uint32_t open = 0, roots = 0;
    for (uint32_t j = s->from; j < s->to; j++) {
        open += doc->head[j] == NO_HEAD;
        roots += doc->head[j] == 0;
    }
    uint32_t head = doc->head[i];
    if (head == NO_HEAD)
        return open == 1 && roots == 0 ? 0 : NO_HEAD;
    return head == 0 ? 0 : head > s->from && head <= s->to ? head - s->from : NO_HEAD;
}

/* Writes a word of a tree as a line of CoNLL-U; what is open is "_". */
static bool write_node(struct sentences *m, const struct annotated *doc, const struct marked_sentence *s, uint32_t i,
                       const struct tag_column *upos, struct vouch_error *err)
{
    uint32_t head = head_in(doc, s, i);
    struct text tag = upos && upos->cell[i].length > 0 ? upos->cell[i] : text_of("_");
    struct text relation = head == 0 ? text_of("root") : head == NO_HEAD ? text_of("_") : doc->deprel[i];
    if (relation.length == 0)
        relation = text_of("dep");
    return buffer_print(&m->one, err, "%u\t", i - s->from + 1) && put_label(&m->one, annotated_form(doc, i), err) &&
           buffer_print(&m->one, err, "\t_\t") && put_label(&m->one, tag, err) &&
           buffer_print(&m->one, err, "\t_\t_\t") &&
           (head == NO_HEAD ? buffer_put(&m->one, '_', err) : buffer_print(&m->one, err, "%u", head)) &&
           buffer_put(&m->one, '\t', err) && put_label(&m->one, relation, err) &&
           buffer_print(&m->one, err, "\t_\t_\n");
}

static bool write_tag(struct sentences *m, const struct annotated *doc, uint32_t i, struct text tag,
                      struct vouch_error *err)
{
    return put_label(&m->one, annotated_form(doc, i), err) && buffer_put(&m->one, ' ', err) &&
           put_label(&m->one, tag, err) && buffer_put(&m->one, '\n', err);
}

/* Writes sentences as trees, and for the tagger as columns of words and parts of speech; those without are open. */
static bool write_trees(struct sentences *m, const struct annotated *doc, struct vouch_error *err)
{
    const struct tag_column *upos = annotated_has_column(doc, "upos");
    for (uint32_t n = 0; n < doc->sentences; n++) {
        const struct marked_sentence *s = &doc->sentence[n];
        uint32_t heads = 0, tags = 0;
        m->one.length = 0;
        for (uint32_t i = s->from; i < s->to; i++) {
            heads += head_in(doc, s, i) != NO_HEAD;
            m->open = m->open || head_in(doc, s, i) == NO_HEAD;
            if (!write_node(m, doc, s, i, upos, err))
                return false;
        }
        if (heads > 0 && (!buffer_put(&m->one, '\n', err) || !buffer_add(&m->model.text, buffer_text(&m->one), err)))
            return false;
        m->one.length = 0;
        for (uint32_t i = s->from; upos && i < s->to; i++) {
            struct text tag = upos->cell[i].length > 0 ? upos->cell[i] : text_of("_");
            tags += !text_is(tag, "_");
            m->open = m->open || text_is(tag, "_");
            if (!write_tag(m, doc, i, tag, err))
                return false;
        }
        if (tags > 0 && (!buffer_put(&m->one, '\n', err) || !buffer_add(&m->tagger.text, buffer_text(&m->one), err)))
            return false;
    }
    return true;
}

/* Writes all tasks that can be read. */
static bool write_all(struct sentences *m, const json_t *tasks, struct annotated_models *models,
                      struct vouch_error *err)
{
    const struct label_config *config = m->training->config;
    struct annotated_texts texts;
    size_t i;
    const json_t *task;
    bool ok = true;
    texts_init(&texts);
    texts.edges = EDGES_WIDEN;
    json_array_foreach(tasks, i, task)
    {
        struct vouch_error why = {0};
        if (!read_task(config, task, &texts, &why)) {
            if (why.status == VOUCH_ERR_MEMORY) {
                *err = why;
                ok = false;
            }
            if (models->left_out++ == 0)
                models->why = why;
        } else if (texts.count > 0) {
            const struct annotated *doc = &texts.document[0];
            ok = !config->draws_relations ? write_chunks(m, doc, err) : !doc->head || write_trees(m, doc, err);
            models->tasks++;
        }
        texts_release(&texts);
        texts_init(&texts);
        texts.edges = EDGES_WIDEN;
        if (!ok)
            break;
    }
    texts_release(&texts);
    return ok;
}

/* ---- Learning ---- */

/* Learns a new model of the task, or goes on from the one of the material. */
static vouch_model *learn(const struct sentences *m, struct material *material, const char *task,
                          struct vouch_error *err)
{
    bool words = strcmp(task, "dep") != 0;
    bool ok = buffer_print(&material->options, err, "threads=1&%s", m->open ? "partial&" : "") &&
              (material->base || buffer_print(&material->options, err, "task=%s&%s", task, words ? "use=1&" : ""));
    return ok ? material_learn(material, NULL, m->training->watch, err) : NULL;
}

static bool learn_all(struct sentences *m, struct annotated_models *models, struct vouch_error *err)
{
    const struct label_config *config = m->training->config;
    if (m->model.text.length == 0)
        return fail(err, VOUCH_ERR_FORMAT, "expected tasks with annotations to learn from, found none%s%.300s",
                    models->left_out > 0 ? ": " : "", models->left_out > 0 ? models->why.message : "");
    if (m->tagger.text.length > 0 && config->labels.count > 1 && !(models->tagger = learn(m, &m->tagger, "pos", err)))
        return false;
    models->model = learn(m, &m->model, config->draws_relations ? "dep" : "ner", err);
    if (models->model)
        return true;
    vouch_model_close(models->tagger);
    models->tagger = NULL;
    return false;
}

bool annotated_train(const struct annotated_training *t, const struct buffer *export, struct annotated_models *models,
                     struct vouch_error *err)
{
    struct sentences all = {.training = t, .model.base = t->base_path, .tagger.base = t->base_tagger_path};
    json_error_t error;
    *models = (struct annotated_models){0};
    json_t *tasks = json_read(buffer_text(export).at, export->length, 0, &error);
    bool ok = json_is_array(tasks) ? write_all(&all, tasks, models, err)
              : !tasks && json_lacked_memory(&error)
                  ? fail_memory(err)
                  : fail(err, VOUCH_ERR_FORMAT, "Label Studio: expected a list of tasks, found something else");
    ok = ok && learn_all(&all, models, err);
    json_decref(tasks);
    material_release(&all.model);
    material_release(&all.tagger);
    free(all.one.bytes);
    return ok;
}
