/* Reading annotated texts from files, folders and memory: see conversion.h. */
#define _DEFAULT_SOURCE /* scandir() */
#include "convert/conversion.h"

#include "base/input.h"
#include "text/reader.h"

#include <dirent.h>
#include <errno.h>
#include <sys/stat.h>

#define LARGEST_FILE (UINT32_C(1) << 30)
#define SEEN_OF_FILE 65536

/* Reads all of a file, decompressed; checks that it is UTF-8. A byte order mark is left out unless it is `marked`. */
static bool read_whole(const char *path, bool marked, struct buffer *bytes, struct vouch_error *err)
{
    struct input *input = input_open(path, err);
    bool mark = input && marked && input_marked(input);
    bool ok = input && buffer_add(bytes, mark ? text_of(BYTE_ORDER_MARK) : (struct text){"", 0}, err) &&
              input_read_all(input, bytes, LARGEST_FILE, err);
    input_close(input);
    return ok;
}

/* Finds out the format of a file; the formats of text/ are recognised there. */
static const struct annotation_format *find_format(const struct annotated_source *source, struct vouch_error *err)
{
    struct text beginning = {source->bytes, (uint32_t)(source->length < SEEN_OF_FILE ? source->length : SEEN_OF_FILE)};
    for (const struct annotation_format *const *format = annotation_formats; *format; format++)
        if ((*format)->recognise && (*format)->recognise(beginning))
            return *format;
    struct vouch_error why = {0};
    struct reader_options options = {.format = FORMAT_AUTO, .column = 4};
    struct reader *reader = reader_open_memory(source->bytes, source->length, &options, &why);
    bool columns = reader && reader->format == FORMAT_CONLL;
    reader_close(reader);
    if (columns)
        return annotation_format_named("conll", err);
    if (why.status == VOUCH_ERR_MEMORY)
        fail_memory(err);
    else
        fail(err, VOUCH_ERR_FORMAT, "%s: cannot tell which format it is: expected --from FORMAT", source->name);
    return NULL;
}

/* Whether there is nothing in a file, so that it may be of any format. */
static bool is_blank(const struct annotated_source *source)
{
    return strspn(source->bytes, " \t\r\n") == source->length;
}

static bool read_source(struct annotated_texts *corpus, const struct annotated_source *source,
                        const struct annotation_format *from, const struct format_choices *choices,
                        struct vouch_error *err)
{
    const size_t before = corpus->count;
    struct text name = texts_keep(corpus, (struct text){source->name, (uint32_t)strlen(source->name) + 1}, err);
    if (!name.at || (!from && !is_blank(source) && !(from = find_format(source, err))))
        return false;
    corpus->file = name.at;
    if (from && !from->read(source, choices, corpus, err))
        return false;
    corpus->counts.empty += corpus->count == before;
    return true;
}

bool texts_read_bytes(struct annotated_texts *corpus, const char *name, const char *bytes, size_t length,
                      const struct annotation_format *from, const struct format_choices *choices,
                      struct vouch_error *err)
{
    size_t good = utf8_check(bytes, length);
    if (length > LARGEST_FILE)
        return fail(err, VOUCH_ERR_FORMAT, "%s: expected %u bytes at most", name, LARGEST_FILE);
    if (good < length || memchr(bytes, 0, length))
        return fail(err, VOUCH_ERR_FORMAT, "%s: expected UTF-8 without NUL bytes", name);
    struct annotated_source source = {.name = name, .bytes = bytes, .length = length};
    return read_source(corpus, &source, from, choices, err);
}

/* Whether a name ends so; *stem becomes the length of what is in front. */
static bool ends_in(const char *path, const char *end, size_t *stem)
{
    size_t length = strlen(path), tail = strlen(end);
    *stem = length > tail ? length - tail : 0;
    return length > tail && strcmp(path + *stem, end) == 0;
}

static int name_order(const void *left, const void *right)
{
    const struct dirent *const *a = left, *const *b = right;
    return strcmp((*a)->d_name, (*b)->d_name);
}

/* Reads the two files of a document, either of which may be named. */
static bool read_pair(struct annotated_texts *corpus, const char *path, const struct annotation_format *from,
                      const struct format_choices *choices, struct vouch_error *err)
{
    size_t stem;
    struct buffer main = {0}, text = {0}, name[2] = {{0}, {0}};
    if (!ends_in(path, from->extension, &stem) && !ends_in(path, from->companion, &stem))
        return fail(err, VOUCH_ERR_FORMAT, "%s: expected a file %s or %s of %s", path, from->extension, from->companion,
                    from->title);
    bool done = buffer_print(&name[0], err, "%.*s%s", (int)stem, path, from->extension) &&
                buffer_print(&name[1], err, "%.*s%s", (int)stem, path, from->companion) &&
                read_whole(name[0].bytes, false, &main, err) && read_whole(name[1].bytes, true, &text, err);
    if (done) {
        struct annotated_source source = {.name = name[0].bytes,
                                          .bytes = buffer_text(&main).at,
                                          .length = main.length,
                                          .companion = buffer_text(&text).at,
                                          .companion_length = text.length};
        done = read_source(corpus, &source, from, choices, err);
    }
    free(main.bytes);
    free(text.bytes);
    free(name[0].bytes);
    free(name[1].bytes);
    return done;
}

static bool read_file(struct annotated_texts *corpus, const char *path, const struct annotation_format *from,
                      const struct format_choices *choices, struct vouch_error *err)
{
    size_t stem;
    if (!from && ends_in(path, ".ann", &stem))
        from = annotation_format_named("brat", err);
    if (from && from->companion)
        return read_pair(corpus, path, from, choices, err);
    struct buffer bytes = {0};
    bool standard = strcmp(path, "-") == 0;
    struct annotated_source source = {.name = standard ? "standard input" : path};
    bool done = read_whole(path, false, &bytes, err);
    source.bytes = buffer_text(&bytes).at;
    source.length = bytes.length;
    done = done && read_source(corpus, &source, from, choices, err);
    free(bytes.bytes);
    return done;
}

/* Keeps the names of the files of a folder that end so, in the order of their bytes. */
static bool list_files(const char *folder, const char *extension, struct buffer *names, size_t *count,
                       struct vouch_error *err)
{
    struct dirent **entry;
    int found = scandir(folder, &entry, NULL, NULL);
    bool done = found >= 0 || fail(err, VOUCH_ERR_IO, "%s: cannot open the folder: %s", folder, strerror(errno));
    size_t stem;
    *count = 0;
    if (found > 0)
        qsort(entry, (size_t)found, sizeof *entry, name_order);
    for (int i = 0; i < found; i++) {
        bool wanted = ends_in(entry[i]->d_name, extension, &stem) && entry[i]->d_name[0] != '.';
        done = done && (!wanted || buffer_add_bytes(names, entry[i]->d_name, strlen(entry[i]->d_name) + 1, err));
        *count += wanted;
        free(entry[i]);
    }
    if (found >= 0)
        free(entry);
    return done;
}

/* Finds the format of a folder: the first of those that are written into folders of which it has files. */
static const struct annotation_format *find_folder_format(const char *folder, struct vouch_error *err)
{
    for (const struct annotation_format *const *format = annotation_formats; *format; format++) {
        struct buffer names = {0};
        size_t count = 0;
        bool done = !(*format)->one_document || list_files(folder, (*format)->extension, &names, &count, err);
        free(names.bytes);
        if (!done)
            return NULL;
        if (count > 0)
            return *format;
    }
    fail(err, VOUCH_ERR_FORMAT, "%s: cannot tell which format the files of the folder are: expected --from FORMAT",
         folder);
    return NULL;
}

/* Reads the files of a folder that have the extension of their format. */
static bool read_folder(struct annotated_texts *corpus, const char *folder, const struct annotation_format *from,
                        const struct format_choices *choices, struct vouch_error *err)
{
    struct buffer names = {0};
    size_t count = 0;
    if (!from && !(from = find_folder_format(folder, err)))
        return false;
    bool done = list_files(folder, from->extension, &names, &count, err);
    if (done && count == 0)
        done = fail(err, VOUCH_ERR_FORMAT, "%s: expected files %s of %s in the folder, found none", folder,
                    from->extension, from->title);
    const char *name = names.bytes;
    for (size_t i = 0; done && i < count; i++, name += strlen(name) + 1) {
        char *path = path_in(folder, err, "%s", name);
        done = path && read_file(corpus, path, from, choices, err);
        free(path);
    }
    free(names.bytes);
    return done;
}

static bool is_folder(const char *path)
{
    struct stat about;
    return stat(path, &about) == 0 && S_ISDIR(about.st_mode);
}

bool texts_read_files(struct annotated_texts *corpus, const struct convert_options *options, struct vouch_error *err)
{
    struct format_choices choices = convert_choices(options);
    const struct annotation_format *from = NULL;
    if (options->from && !(from = annotation_format_named(options->from, err)))
        return fail_within(err, "--from");
    corpus->edges = options->edges;
    for (size_t i = 0; i < options->common.arguments; i++)
        if (!(is_folder(options->common.argument[i]) ? read_folder : read_file)(corpus, options->common.argument[i],
                                                                                from, &choices, err))
            return false;
    struct conversion_counts *counts = &corpus->counts;
    for (size_t i = 0; i < corpus->count; i++) {
        const struct annotated *doc = &corpus->document[i];
        counts->documents++;
        counts->sentences += doc->sentences;
        counts->words += doc->words;
        counts->spans += doc->spans;
        counts->relations += doc->relations;
        counts->repeated += i > 0 && doc->id.length > 0 && text_equal(doc[-1].id, doc->id) &&
                            text_equal(doc[-1].text, doc->text) && doc->file == doc[-1].file;
    }
    return true;
}
