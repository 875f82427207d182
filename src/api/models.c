/* Implements the functions of vouch.h about models. vouch_model_open() and vouch_model_close() are in model/model.c. */
#include "api/asked.h"
#include "base/error.h"
#include "import/import.h"
#include "model/model.h"

#include "vouch_version.h"

const char *vouch_version(void)
{
    return VOUCH_VERSION;
}

vouch_model *vouch_model_import(const char *from, const char *path, struct vouch_error *err)
{
    if (!is_given(from, "the name of a program", err) || !is_given(path, "the path of a model", err))
        return NULL;
    struct output *out = output_open_memory(err);
    struct foreign_kind kind = {.program = from};
    return model_written(out, out && import_write(&kind, path, out, err), err);
}

/* Opens a file for a model; NULL if an argument is wrong, too. */
static struct output *open_for(const vouch_model *model, const char *path, struct vouch_error *err)
{
    if (!is_given(model, "a model", err) || !is_given(path, "the path of a file", err))
        return NULL;
    if (strcmp(path, "-") == 0) {
        fail(err, VOUCH_ERR_ARGUMENT, "expected the path of a file, found '-'");
        return NULL;
    }
    return output_open(path, err);
}

enum vouch_status vouch_model_save(const vouch_model *model, const char *path, struct vouch_error *err)
{
    err = err ? err : &(struct vouch_error){0};
    struct output *out = open_for(model, path, err);
    if (out)
        output_write(out, model->file.bytes, model->file.size);
    return status_of(output_close(out, out != NULL, err), err);
}

enum vouch_status vouch_model_dump(const vouch_model *model, const char *path, struct vouch_error *err)
{
    err = err ? err : &(struct vouch_error){0};
    struct output *out = open_for(model, path, err);
    return status_of(output_close(out, out && model_dump(model, out, err), err), err);
}

enum vouch_status vouch_model_verify(const vouch_model *model, struct vouch_error *err)
{
    err = err ? err : &(struct vouch_error){0};
    return status_of(is_given(model, "a model", err) && model_file_verify(&model->file, err), err);
}

const char *vouch_model_task(const vouch_model *model)
{
    return model->task;
}

int vouch_model_parses(const vouch_model *model)
{
    return model->trees;
}

const char *vouch_model_header(const vouch_model *model)
{
    return model->header_text;
}

size_t vouch_model_label_count(const vouch_model *model)
{
    return labels_count(&model->labels);
}

const char *vouch_model_label_name(const vouch_model *model, size_t label)
{
    if (label >= labels_count(&model->labels))
        return NULL;
    uint32_t written = dictionary_find(&model->labels.written, labels_name(&model->labels, (uint32_t)label));
    return written ? model->label_name[written - 1] : NULL;
}

size_t vouch_model_columns(const vouch_model *model)
{
    return model->templates.columns ? model->templates.columns : 1;
}

int vouch_model_takes_attributes(const vouch_model *model)
{
    return model->templates.attributes;
}

size_t vouch_model_dimensions(const vouch_model *model)
{
    return model->templates.vectors.D;
}
