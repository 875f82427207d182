/* Implements the functions of vouch.h about annotators: how far they agree, and the files of their tools. */
#include "agree/agree.h"
#include "api/asked.h"
#include "base/error.h"
#include "convert/conversion.h"

static char *measure(const vouch_model *model, const struct agree_options *options, struct vouch_error *err)
{
    struct agreement agreement = {0};
    const char *const *names = (const char *const *)options->common.argument;
    bool ok = agree_files(&agreement, options, model, err);
    json_t *json = ok ? agreement_json(&agreement, names, options->list, err) : NULL;
    agreement_release(&agreement);
    return json ? json_text(json, 6, err) : NULL;
}

enum vouch_status vouch_agree(const vouch_model *model, const vouch_options *options, const char *const *files,
                              size_t count, const struct vouch_watch *watch, char **json, struct vouch_error *err)
{
    struct asked asked;
    struct passed passed = {options, files, count, watch, &agree_options, NULL};
    err = err ? err : &(struct vouch_error){0};
    bool ok = asked_take(&asked, &passed, err) && is_given(json, "room for the result", err);
    if (ok && count < 2)
        ok = fail(err, VOUCH_ERR_ARGUMENT, "expected a file of each annotator, at least two, found %zu", count);
    char *text = ok ? measure(model, asked.options, err) : NULL;
    if (json)
        *json = text;
    asked_release(&asked);
    return status_of(text != NULL, err);
}

/* Opens what is written to: the file, or memory; NULL without an error for a folder. */
static bool open_target(const struct convert_options *options, bool folder, struct output **out,
                        struct vouch_error *err)
{
    const struct annotation_format *to = annotation_format_named(options->to, err);
    if (!to)
        return false;
    if (folder)
        return options->output || fail(err, VOUCH_ERR_ARGUMENT,
                                       "expected the path of a folder: %s is files of their own for each document",
                                       to->title);
    *out = options->output ? output_open(options->output, err) : output_open_memory(err);
    return *out != NULL;
}

/* Converts, and returns what was read, written and lost; with neither path nor folder, *text gets the file. */
static char *convert(const struct convert_options *options, char **text, struct vouch_error *err)
{
    struct annotated_texts corpus;
    struct output *out = NULL;
    char *result = NULL;
    texts_init(&corpus);
    bool folder = convert_to_folder(options), ok = open_target(options, folder, &out, err);
    ok = ok && convert_files(&corpus, options, out, err);
    if (ok)
        result = json_text(conversion_json(&corpus, options, err), 6, err);
    if (out && options->output)
        ok = output_close(out, result != NULL, err) && result;
    else if (out)
        ok = (*text = written_text(out, result != NULL, err)) != NULL;
    texts_release(&corpus);
    if (ok)
        return result;
    free(result);
    return NULL;
}

enum vouch_status vouch_convert(const vouch_options *options, const char *const *files, size_t count, const char *path,
                                char **text, char **json, struct vouch_error *err)
{
    struct asked asked;
    struct passed passed = {options, files, count, NULL, &convert_options, "file to convert"};
    char *made = NULL, *said = NULL;
    err = err ? err : &(struct vouch_error){0};
    bool ok = asked_take(&asked, &passed, err);
    struct convert_options *own = asked.options;
    if (ok && !own->to)
        ok = fail(err, VOUCH_ERR_ARGUMENT, "expected the option \"to\": the format to write");
    if (ok) {
        own->output = path;
        said = convert(own, &made, err);
    }
    if (text)
        *text = made;
    else
        free(made);
    if (json)
        *json = said;
    else
        free(said);
    asked_release(&asked);
    return status_of(ok && said, err);
}
