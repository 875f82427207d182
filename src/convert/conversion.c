/* See conversion.h. */
#include "convert/conversion.h"

#include "base/hash.h"
#include "base/input.h"
#include "core/sentence.h"
#include "text/reader.h"

#include <errno.h>
#include <inttypes.h>
#include <stdio.h>
#include <sys/stat.h>

#define LARGEST_FILE (UINT32_C(1) << 30)
#define SEEN_OF_FILE 65536

#define OPTIONS struct convert_options
static const struct option_spec rows[] = {
    TEXT("to", 't', to, "FORMAT", OPTION_MATTERS,
         "the format to write: label-studio, doccano, prodigy, brat, webanno, ner_tags, gliner, conll, conllu or "
         "jsonl"),
    TEXT("from", 'f', from, "FORMAT", OPTION_MATTERS,
         "the format of the files; if not given, it is recognised where that is certain"),
    OPTION_OUTPUT_WITH("where to write instead of standard output; brat's files go to a folder of that name"),
    CHOICE("edges", 0, edges, "WHAT", "refuse, cut or widen", OPTION_MATTERS,
           "what to do about a span that begins or ends inside of a word: refuse it, cut the word there, or make the "
           "span wider"),
    CHOICE(
        "overlaps", 0, overlaps, "WHAT", "refuse, longest or first", OPTION_MATTERS,
        "what to do about overlapping spans where the format has no room for them: refuse them, or keep the longest, "
        "or the first, of those that overlap"),
    CHOICE("scheme", 0, scheme, "SCHEME", "IOB2, IOB1 or BIOES", OPTION_MATTERS, "how labels of words spell spans"),
    CHOICE("offsets", 0, unit, "UNIT", "auto, points, utf16 or bytes", OPTION_MATTERS,
           "what the offsets of characters in the files count; auto: what the tool counts, which is code points"),
    TEXT("names", 0, names, "NAMES", OPTION_MATTERS,
         "the labels that the numbers of ner_tags stand for, from 0 on, separated by commas"),
    TEXT("layer", 0, layer, "NAME", OPTION_MATTERS,
         "what the tool calls the spans: a key of doccano, a control of Label Studio"),
    FLAG("predictions", 0, predictions, OPTION_MATTERS,
         "take a model's predictions for answers where the format cannot tell them apart; else they are left out"),
    FLAG("all", 0, all, OPTION_MATTERS,
         "write documents to jsonl that nobody accepted, too: rejected, skipped, predicted, or without an answer"),
    OPTION_JSON,
    OPTIONS_END,
};
static const struct convert_options usual = {.common = USUAL_COMMON};
static const struct option_rule rules[] = {
    {NULL, "to", NULL, "expected --to FORMAT"},
    {NULL, "file", NULL, "expected at least one file to convert"},
    {0},
};
const struct option_table convert_options = {"convert", rows, &usual, sizeof usual, NULL, rules};

struct format_choices convert_choices(const struct convert_options *options)
{
    static const enum scheme schemes[] = {SCHEME_IOB2, SCHEME_IOB1, SCHEME_BIOES};
    static const enum offset_unit units[] = {OFFSET_POINTS, OFFSET_POINTS, OFFSET_UTF16, OFFSET_BYTES};
    return (struct format_choices){.scheme = schemes[options->scheme],
                                   .unit = units[options->unit],
                                   .given_unit = options->unit != COUNT_AUTO,
                                   .names = options->names,
                                   .layer = options->layer};
}

/* ---- Reading ---- */

/* Reads all of a file, decompressed; checks that it is UTF-8. */
static bool slurp(const char *path, struct buffer *bytes, struct vouch_error *err)
{
    struct input *input = input_open(path, err);
    struct text line;
    int found;
    if (!input)
        return false;
    while ((found = input_line(input, &line, err)) > 0) {
        struct text end = input_line_end(input);
        if (!buffer_add(bytes, line, err) || !buffer_add(bytes, end, err)) {
            found = -1;
            break;
        }
        if (bytes->length > LARGEST_FILE) {
            fail(err, VOUCH_ERR_FORMAT, "%s: expected a file of %u bytes at most", input_name(input), LARGEST_FILE);
            found = -1;
            break;
        }
    }
    input_close(input);
    return found == 0;
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

static bool read_source(struct annotated_texts *corpus, const struct annotated_source *source,
                        const struct annotation_format *from, const struct format_choices *choices,
                        struct vouch_error *err)
{
    struct text name = texts_keep(corpus, (struct text){source->name, (uint32_t)strlen(source->name) + 1}, err);
    if (!name.at || (!from && !(from = find_format(source, err))))
        return false;
    corpus->file = name.at;
    return from->read(source, choices, corpus, err);
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
                buffer_add_bytes(&main, "", 0, err) && buffer_add_bytes(&text, "", 0, err) &&
                slurp(name[0].bytes, &main, err) && slurp(name[1].bytes, &text, err);
    if (done) {
        struct annotated_source source = {.name = name[0].bytes,
                                          .bytes = main.bytes ? main.bytes : "",
                                          .length = main.length,
                                          .companion = text.bytes ? text.bytes : "",
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
    bool done = slurp(path, &bytes, err);
    source.bytes = bytes.bytes ? bytes.bytes : "";
    source.length = bytes.length;
    done = done && read_source(corpus, &source, from, choices, err);
    free(bytes.bytes);
    return done;
}

bool texts_read_files(struct annotated_texts *corpus, const struct convert_options *options, struct vouch_error *err)
{
    struct format_choices choices = convert_choices(options);
    const struct annotation_format *from = NULL;
    if (options->from && !(from = annotation_format_named(options->from, err)))
        return fail_within(err, "--from");
    corpus->edges = options->edges;
    for (size_t i = 0; i < options->common.arguments; i++)
        if (!read_file(corpus, options->common.argument[i], from, &choices, err))
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

/* ---- Writing ---- */

bool convert_to_folder(const struct convert_options *options)
{
    const struct annotation_format *to = options->to ? annotation_format_named(options->to, NULL) : NULL;
    return to && (to->companion || to->one_document);
}

/* Returns a name for the files of a document: its own as far as letters, digits and the like go, else its number. */
static bool name_files(const struct annotated *doc, size_t number, const char *folder, const char *extension,
                       struct buffer *path, struct vouch_error *err)
{
    path->length = 0;
    if (!buffer_print(path, err, "%s/", folder))
        return false;
    for (uint32_t i = 0; i < doc->id.length && i < 100; i++) {
        char c = doc->id.at[i];
        bool plain = (c >= '0' && c <= '9') || (c >= 'a' && c <= 'z') || (c >= 'A' && c <= 'Z') || c == '-' ||
                     c == '_' || (c == '.' && i > 0) || (c & 0x80);
        if (!buffer_put(path, plain ? c : '_', err))
            return false;
    }
    if (doc->id.length == 0 && !buffer_print(path, err, "%06zu", number + 1))
        return false;
    return buffer_print(path, err, "%s", extension);
}

/* Writes one document to its file, or pair of files. */
static bool write_files(struct annotated_texts *one, size_t number, const char *folder,
                        const struct annotation_format *to, const struct format_choices *choices,
                        struct vouch_error *err)
{
    struct buffer path = {0};
    struct output *text = NULL;
    bool done = !to->companion || (name_files(one->document, number, folder, to->companion, &path, err) &&
                                   (text = output_open(path.bytes, err)));
    struct output *out = done && name_files(one->document, number, folder, to->extension, &path, err)
                             ? output_open(path.bytes, err)
                             : NULL;
    done = out && to->write(out, text, choices, one, err);
    done = output_close(out, done, err) && done;
    if (text)
        done = output_close(text, done, err) && done;
    free(path.bytes);
    return done;
}

/* Fails if two documents would get the same files. */
static bool check_names(const struct annotated_texts *corpus, const struct annotation_format *to,
                        struct vouch_error *err)
{
    struct buffer path = {0};
    struct digest_set set = {0};
    bool done = true;
    for (size_t i = 0; done && i < corpus->count; i++)
        done = name_files(&corpus->document[i], i, "", to->extension, &path, err) &&
               digest_set_add(&set, hash_bytes(path.bytes, path.length), err);
    if (done) {
        digest_set_close(&set);
        done = set.count == corpus->count || fail(err, VOUCH_ERR_FORMAT,
                                                  "expected documents of different names, as each is a file, found "
                                                  "%zu names of %zu documents",
                                                  set.count, corpus->count);
    }
    digest_set_release(&set);
    free(path.bytes);
    return done;
}

static bool write_folder(struct annotated_texts *corpus, const struct convert_options *options,
                         const struct annotation_format *to, struct vouch_error *err)
{
    struct format_choices choices = convert_choices(options);
    struct annotated_texts one = *corpus; /* a view of one document */
    if (!check_names(corpus, to, err))
        return false;
    if (mkdir(options->output, 0777) != 0 && errno != EEXIST)
        return fail(err, VOUCH_ERR_IO, "%s: cannot make the folder: %s", options->output, strerror(errno));
    bool done = true;
    one.count = 1;
    for (size_t i = 0; done && i < corpus->count; i++) {
        one.document = &corpus->document[i];
        done = write_files(&one, i, options->output, to, &choices, err);
    }
    return done;
}

bool texts_write(struct annotated_texts *corpus, const struct convert_options *options,
                 const struct annotation_format *to, struct output *out, struct vouch_error *err)
{
    struct format_choices choices = convert_choices(options);
    return out ? to->write(out, NULL, &choices, corpus, err) : write_folder(corpus, options, to, err);
}

bool convert_files(struct annotated_texts *corpus, const struct convert_options *options, struct output *out,
                   struct vouch_error *err)
{
    const struct annotation_format *to = annotation_format_named(options->to, err);
    if (!to)
        return fail_within(err, "--to");
    return texts_read_files(corpus, options, err) && texts_fit(corpus, to, options, err) &&
           texts_write(corpus, options, to, out, err);
}

/* ---- Messages ---- */

static bool say_count(struct buffer *said, uint64_t count, const char *one, const char *many, struct vouch_error *err)
{
    return count == 0 || buffer_print(said, err, "%" PRIu64 " %s\n", count, count == 1 ? one : many);
}

/* Says what was lost, in one sentence. */
static bool say_lost(const struct conversion_counts *counts, const struct annotation_format *to, struct buffer *said,
                     struct vouch_error *err)
{
    int kinds = 0, last = -1;
    uint64_t all = 0;
    for (int i = 0; i < KEPT_KINDS; i++)
        if (counts->unsaid[i] > 0) {
            kinds++;
            last = i;
            all += counts->unsaid[i];
        }
    for (int i = 0, n = 0; i < KEPT_KINDS; i++) {
        if (counts->unsaid[i] == 0)
            continue;
        if (!buffer_print(said, err, "%s%" PRIu64 " %s",
                          n == 0      ? ""
                          : i == last ? " and "
                                      : ", ",
                          counts->unsaid[i], kept_names[i][counts->unsaid[i] > 1]))
            return false;
        n++;
    }
    return kinds == 0 || buffer_print(said, err, " %s lost: %s cannot hold %s\n", all > 1 ? "were" : "was", to->title,
                                      all > 1 ? "them" : "it");
}

bool conversion_say(const struct conversion_counts *c, const struct annotation_format *to, struct buffer *said,
                    struct vouch_error *err)
{
    return say_count(said, c->repeated, "text is there once more, with another answer",
                     "texts are there once more, with other answers", err) &&
           say_count(said, c->trimmed, "span had white space at its edges, which was cut off",
                     "spans had white space at their edges, which was cut off", err) &&
           say_count(said, c->cut, "word was cut at the edge of a span", "words were cut at the edges of spans", err) &&
           say_count(said, c->widened, "span was made wider, to the edges of words",
                     "spans were made wider, to the edges of words", err) &&
           say_count(said, c->blank_words, "word of white space was left out", "words of white space were left out",
                     err) &&
           say_count(said, c->other, "annotation of another kind was left out",
                     "annotations of other kinds were left out", err) &&
           say_count(said, c->overlapping, "span was dropped, as it overlaps another",
                     "spans were dropped, as they overlap others", err) &&
           say_count(said, c->joined, "border of sentences was removed, as a span goes across it",
                     "borders of sentences were removed, as spans go across them", err) &&
           say_count(said, c->unaccepted, "document that is not accepted was left out (--all writes it)",
                     "documents that are not accepted were left out (--all writes them)", err) &&
           say_count(said, c->respelled, "label was respelled", "labels were respelled", err) &&
           say_lost(c, to, said, err);
}

static json_t *lost_json(const struct conversion_counts *c)
{
    json_t *lost = json_object();
    for (int i = 0; i < KEPT_KINDS; i++)
        if (c->unsaid[i] > 0)
            json_object_set_new(lost, kept_names[i][1], json_integer((json_int_t)c->unsaid[i]));
    return lost;
}

/* Returns lines as an array. */
static json_t *lines_json(const struct buffer *said)
{
    struct text rest = {said->bytes, (uint32_t)said->length};
    json_t *lines = json_array();
    while (rest.length > 0) {
        struct text line = text_cut(&rest, '\n');
        json_array_append_new(lines, json_stringn(line.at, line.length));
    }
    return lines;
}

json_t *conversion_json(const struct annotated_texts *corpus, const struct convert_options *options,
                        struct vouch_error *err)
{
    const struct annotation_format *to = annotation_format_named(options->to, err);
    const struct conversion_counts *c = &corpus->counts;
    struct buffer said = {0};
    bool ok = to && conversion_say(c, to, &said, err);
    json_t *result = NULL;
    if (ok)
        result = json_pack("{s:I, s:I, s:I, s:I, s:I, s:I, s:o, s:o}", "documents", (json_int_t)c->documents,
                           "sentences", (json_int_t)c->sentences, "words", (json_int_t)c->words, "spans",
                           (json_int_t)c->spans, "relations", (json_int_t)c->relations, "written",
                           (json_int_t)corpus->count, "lost", lost_json(c), "notes", lines_json(&said));
    free(said.bytes);
    if (ok && !result)
        fail_memory(err);
    return result;
}
