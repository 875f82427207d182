/*
 * Takes the corpus out of the store: as it was read, with what was decided; or in another format (convert/).
 *
 *     store -> the document's own format -> convert/: read, fitted to the format, written
 *
 * As it was read, a document keeps its bytes wherever nothing was changed. Another format gets the sentences of which
 * every word is labelled, of one document or of all; formats that need a file for each document come as a zip. What the
 * format cannot say is dropped, counted, and said: desk_export_said() tells it before anything is downloaded.
 *
 * The store is read through a connection of its own, without the lock of the desk.
 */
#include "desk/desk_room.h"

#include "base/input.h"
#include "convert/conversion.h"
#include "desk/zip.h"

#include <dirent.h>
#include <inttypes.h>
#include <stdio.h>
#include <stdlib.h>
#include <unistd.h>

/* An export in another format, while it is made. */
struct converting {
    const struct export_request *what;
    const struct annotation_format *to;
    struct convert_options options;
    struct annotated_texts texts;
    struct buffer said; /* what was lost, a line each */
    uint64_t left_out;  /* sentences */
};

static bool check_document(const struct desk *desk, const struct export_request *what, struct vouch_error *err)
{
    if (what->document && !desk_document_named(desk, what->document))
        return fail(err, VOUCH_ERR_ARGUMENT, "there is no document '%.100s'", what->document);
    return what->document || what->format || desk->documents == 1 ||
           fail(err, VOUCH_ERR_ARGUMENT, "expected \"document\": there are %zu", desk->documents);
}

static bool export_own(const struct export_request *what, struct store *store,
                       const struct document *document, struct store_export *how, struct output *out,
                       struct vouch_error *err)
{
    how->answers.document = document->id;
    how->decided_only = what->decided_only;
    int64_t *id = &how->answers.annotator;
    return (!what->annotator ||
            (store_find_annotator(store, what->annotator, NULL, id, err) &&
             (*id || fail(err, VOUCH_ERR_ARGUMENT, "there is no annotator '%.100s'", what->annotator)))) &&
           store_export(store, how, out, err);
}

/* ---- Other formats ---- */

/* The format that a document was read in; NULL: it is to be recognised. */
static const struct annotation_format *own_format(enum format format)
{
    const char *name = format == FORMAT_CONLL ? "conll" : format == FORMAT_CONLLU ? "conllu" : "jsonl";
    return format == FORMAT_PLAIN || format == FORMAT_CRFSUITE ? NULL : annotation_format_named(name, NULL);
}

static bool check_reading(const struct document *document, const struct reader_options *reading,
                          struct vouch_error *err)
{
    return reading->format != FORMAT_CONLL || reading->gold <= 0 ||
           fail(err, VOUCH_ERR_ARGUMENT,
                "%s: labels are in column %d, but other formats are made of those in the last: export it as it is",
                document->name, reading->gold);
}

static bool read_document(struct converting *c, struct store *store, const struct document *document,
                          struct vouch_error *err)
{
    struct store_export how = {.whole = true, .left_out = &c->left_out};
    struct format_choices choices = convert_choices(&c->options);
    struct reader_options reading;
    struct buffer bytes = {0};
    size_t length = 0;
    struct output *out = output_open_memory(err);
    bool ok = out && store_read_document(store, document->id, &bytes, &reading, err) &&
              check_reading(document, &reading, err) &&
              export_own(c->what, store, document, &how, out, err);
    const char *text = ok ? output_text(out, &length) : NULL;
    ok = ok && (text || fail_memory(err)) &&
         (length == 0 || texts_read_bytes(&c->texts, document->name, text, length, own_format(reading.format), &choices,
                                          err));
    output_discard(out);
    free(bytes.bytes);
    return ok;
}

static bool say(struct converting *c, struct vouch_error *err)
{
    bool one = c->left_out == 1;
    return (c->left_out == 0 || buffer_print(&c->said, err, "%" PRIu64 " %s not labelled as a whole, and %s left out\n",
                                             c->left_out, one ? "sentence is" : "sentences are", one ? "is" : "are")) &&
           conversion_say(&c->texts.counts, c->to, &c->said, err);
}

/* Reads what is to be written, and drops what the format cannot say. */
static bool prepare(struct converting *c, struct desk *desk, const struct export_request *what, struct vouch_error *err)
{
    *c = (struct converting){.what = what, .to = annotation_format_named(what->format, err)};
    c->options = *(const struct convert_options *)convert_options.usual;
    c->options.to = what->format;
    c->options.overlaps = OVERLAPS_LONGEST;
    c->options.scheme = desk->scheme == SCHEME_IOB1    ? WRITE_IOB1
                        : desk->scheme == SCHEME_BIOES ? WRITE_BIOES
                                                       : WRITE_IOB2;
    texts_init(&c->texts);
    struct store *store = c->to && check_document(desk, what, err) ? store_open(desk->path, STORE_BESIDE, err) : NULL;
    bool ok = store != NULL;
    for (size_t i = 0; ok && i < desk->documents; i++)
        if (!what->document || strcmp(desk->document[i].name, what->document) == 0)
            ok = read_document(c, store, &desk->document[i], err);
    store_close(store);
    return ok && texts_fit(&c->texts, c->to, &c->options, err) && say(c, err);
}

static void converting_release(struct converting *c)
{
    texts_release(&c->texts);
    free(c->said.bytes);
}

static int is_file(const struct dirent *entry)
{
    return entry->d_name[0] != '.';
}

/* Adds the files of a folder to an archive, by name, and removes them and the folder. */
static bool pack(const char *folder, struct zip *zip, struct vouch_error *err)
{
    struct dirent **entry = NULL;
    int count = scandir(folder, &entry, is_file, alphasort);
    bool ok = count >= 0 || fail(err, VOUCH_ERR_IO, "%s: cannot be read", folder);
    for (int i = 0; i < count; i++) {
        struct buffer path = {0};
        struct mapped_file file = {0};
        ok = ok && buffer_print(&path, err, "%s/%s", folder, entry[i]->d_name) &&
             mapped_file_init(&file, path.bytes, err) &&
             zip_add(zip, entry[i]->d_name, file.bytes, file.size, err);
        mapped_file_release(&file);
        if (path.bytes)
            unlink(path.bytes);
        free(path.bytes);
        free(entry[i]);
    }
    free(entry);
    rmdir(folder);
    return ok;
}

static bool write_packed(struct converting *c, struct output *out, struct vouch_error *err)
{
    const char *where = getenv("TMPDIR");
    struct buffer folder = {0};
    bool ok = buffer_print(&folder, err, "%s/vouch-export-XXXXXX", where && *where ? where : "/tmp") &&
              (mkdtemp(folder.bytes) || fail(err, VOUCH_ERR_IO, "%s: cannot make a folder", folder.bytes));
    struct zip *zip = ok ? zip_open(out, err) : NULL;
    c->options.output = folder.bytes;
    ok = zip && texts_write(&c->texts, &c->options, c->to, NULL, err);
    if (zip)
        ok = pack(folder.bytes, zip, err) && ok;
    ok = zip_close(zip, ok, err);
    free(folder.bytes);
    return ok;
}

/* ---- The exports ---- */

bool desk_export(struct desk *desk, const struct export_request *what, struct output *out, struct buffer *said,
                 struct vouch_error *err)
{
    struct converting c;
    if (!what->format) {
        struct store *store = check_document(desk, what, err) ? store_open(desk->path, STORE_BESIDE, err) : NULL;
        const struct document *document = what->document ? desk_document_named(desk, what->document) : desk->document;
        bool ok = store && export_own(what, store, document, &(struct store_export){0}, out, err);
        store_close(store);
        return ok;
    }
    bool ok = prepare(&c, desk, what, err) && buffer_add(said, buffer_text(&c.said), err) &&
              (convert_to_folder(&c.options) ? write_packed(&c, out, err)
                                             : texts_write(&c.texts, &c.options, c.to, out, err));
    converting_release(&c);
    return ok;
}

json_t *desk_export_said(struct desk *desk, const struct export_request *what, struct vouch_error *err)
{
    struct converting c;
    json_t *result = NULL;
    if (prepare(&c, desk, what, err)) {
        const struct conversion_counts *n = &c.texts.counts;
        result = json_pack("{s:s, s:s, s:b, s:I, s:I, s:I, s:I, s:I, s:I, s:o}", "format", c.to->name, "title",
                           c.to->title, "packed", convert_to_folder(&c.options), "documents",
                           (json_int_t)c.texts.count, "sentences", (json_int_t)n->sentences, "words",
                           (json_int_t)n->words, "spans", (json_int_t)n->spans, "relations", (json_int_t)n->relations,
                           "left_out", (json_int_t)c.left_out, "notes", lines_json(&c.said));
        if (!result)
            fail_memory(err);
    }
    converting_release(&c);
    return result;
}

const char *export_extension(const char *format)
{
    const struct annotation_format *to = annotation_format_named(format, NULL);
    struct convert_options options = {.to = format};
    return !to ? "" : convert_to_folder(&options) ? ".zip" : to->extension;
}

json_t *export_formats_json(void)
{
    json_t *list = json_array();
    for (const struct annotation_format *const *f = annotation_formats; *f; f++)
        json_array_append_new(list, json_pack("{s:s, s:s}", "name", (*f)->name, "title", (*f)->title));
    return list;
}
