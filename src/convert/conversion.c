/* See conversion.h. */
#include "convert/conversion.h"

#include "base/hash.h"

#include <errno.h>
#include <inttypes.h>
#include <stdio.h>
#include <sys/stat.h>

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
    const struct {
        uint64_t count;
        const char *one, *many;
    } changes[] = {
        {c->empty, "file has no texts", "files have no texts"},
        {c->repeated, "text is there once more, with another answer", "texts are there once more, with other answers"},
        {c->trimmed, "span had white space at its edges, which was cut off",
         "spans had white space at their edges, which was cut off"},
        {c->cut, "word was cut at the edge of a span", "words were cut at the edges of spans"},
        {c->widened, "span was made wider, to the edges of words", "spans were made wider, to the edges of words"},
        {c->blank_words, "word of white space was left out", "words of white space were left out"},
        {c->other, "annotation of another kind was left out", "annotations of other kinds were left out"},
        {c->overlapping, "span was dropped, as it overlaps another", "spans were dropped, as they overlap others"},
        {c->joined, "border of sentences was removed, as a span goes across it",
         "borders of sentences were removed, as spans go across them"},
        {c->unaccepted, "document that is not accepted was left out (--all writes it)",
         "documents that are not accepted were left out (--all writes them)"},
        {c->respelled, "label or note was respelled", "labels or notes were respelled"},
    };
    for (size_t i = 0; i < sizeof changes / sizeof *changes; i++)
        if (changes[i].count > 0 && !buffer_print(said, err, "%" PRIu64 " %s\n", changes[i].count,
                                                  changes[i].count == 1 ? changes[i].one : changes[i].many))
            return false;
    return say_lost(c, to, said, err);
}

static json_t *lost_json(const struct conversion_counts *c)
{
    json_t *lost = json_object();
    bool ok = lost != NULL;
    for (int i = 0; ok && i < KEPT_KINDS; i++)
        if (c->unsaid[i] > 0)
            ok = json_object_set_new(lost, kept_names[i][1], json_integer((json_int_t)c->unsaid[i])) == 0;
    if (ok)
        return lost;
    json_decref(lost);
    return NULL;
}

json_t *lines_json(const struct buffer *said)
{
    struct text rest = buffer_text(said);
    json_t *lines = json_array();
    bool ok = lines != NULL;
    while (ok && rest.length > 0) {
        struct text line = text_cut(&rest, '\n');
        ok = json_array_append_new(lines, json_stringn(line.at, line.length)) == 0;
    }
    if (ok)
        return lines;
    json_decref(lines);
    return NULL;
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
