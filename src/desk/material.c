/*
 * Learns from texts: see material.h.
 *
 * Training goes by files, as vouch train does. Calibration needs sentences that were not learned from. If the material
 * has them, training leaves calibration out and vouch_tune() does it, which is faster by the number of held-out parts;
 * else training calibrates.
 */
#include "desk/material.h"

void text_file_release(struct text_file *file)
{
    free(file->path.bytes);
    output_discard(file->nameless);
}

bool text_file_init(struct text_file *file, const char *bytes, size_t length, const char *name,
                    struct vouch_error *err)
{
    *file = (struct text_file){0};
    if (name && !buffer_print(&file->path, err, "%s", name))
        return false;
    struct output *out = name ? output_open(name, err) : output_open_spool(1, err);
    if (!out)
        return false;
    output_write(out, bytes, length);
    if (name)
        return output_commit(out, err);
    output_write(out, "\n\n", length < 2 ? 2 : 0); /* less is kept in memory */
    file->nameless = out;
    return buffer_print(&file->path, err, "/proc/self/fd/%d", output_spooled(out)) && output_whole(out, err);
}

static bool set_options(vouch_options *options, const char *pairs, struct vouch_error *err)
{
    char *copy = new_string(pairs, strlen(pairs), err), *rest = copy;
    bool ok = copy != NULL;
    for (char *pair; ok && (pair = strtok_r(rest, "&", &rest));) {
        char *value = strchr(pair, '=');
        if (value)
            *value++ = '\0';
        ok = vouch_options_set(options, pair, value ? value : "true", err) == VOUCH_OK;
    }
    free(copy);
    return ok;
}

static vouch_model *train(const struct material *material, const char *const *files, size_t count,
                          const struct vouch_watch *watch, struct vouch_error *err)
{
    vouch_options *options = vouch_options_new("train", err);
    bool ok = options && set_options(options, buffer_text(&material->options).at, err) &&
              (!material->base || vouch_options_set(options, "from", material->base, err) == VOUCH_OK) &&
              (!material->calibrate.length || vouch_options_set(options, "no-calibrate", "true", err) == VOUCH_OK);
    vouch_model *model = ok ? vouch_train(options, files, count, watch, err) : NULL;
    vouch_options_free(options);
    if (model && err->status == VOUCH_ERR_STOPPED) {
        vouch_model_close(model);
        model = NULL;
    }
    return model;
}

/* Replaces a model by one that is calibrated on the file; NULL on failure. */
static vouch_model *calibrate(vouch_model *model, const char *file, const struct vouch_watch *watch,
                              struct vouch_error *err)
{
    vouch_options *options = vouch_options_new("tune", err);
    bool ok = options && vouch_options_set(options, "grid", "quick", err) == VOUCH_OK;
    vouch_model *tuned = ok ? vouch_tune(model, options, &file, 1, watch, err) : NULL;
    vouch_options_free(options);
    vouch_model_close(model);
    return tuned;
}

vouch_model *material_learn(const struct material *material, const char *stem, const struct vouch_watch *watch,
                            struct vouch_error *err)
{
    const struct buffer *text[] = {&material->text, &material->more, &material->calibrate};
    static const char *const ending[] = {"learn", "learn2", "calibrate"};
    struct text_file file[3] = {0};
    const char *learned[2];
    size_t count = 0;
    struct buffer name = {0};
    bool ok = true;
    for (int i = 0; ok && i < 3; i++) {
        if (!text[i]->length)
            continue;
        name.length = 0;
        ok = (!stem || buffer_print(&name, err, "%s.%s", stem, ending[i])) &&
             text_file_init(&file[i], text[i]->bytes, text[i]->length, name.bytes, err);
        if (ok && i < 2)
            learned[count++] = file[i].path.bytes;
    }
    free(name.bytes);
    vouch_model *model = ok ? train(material, learned, count, watch, err) : NULL;
    if (model && material->calibrate.length)
        model = calibrate(model, file[2].path.bytes, watch, err);
    for (int i = 0; i < 3; i++)
        text_file_release(&file[i]);
    return model;
}

void material_release(struct material *material)
{
    free(material->text.bytes);
    free(material->more.bytes);
    free(material->calibrate.bytes);
    free(material->options.bytes);
    *material = (struct material){0};
}
