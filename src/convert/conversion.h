/*
 * vouch convert: annotated texts from one format to another.
 *
 *     files -> read -> what the target cannot say is dropped, and counted -> written
 *
 * A corpus is held in memory whole: several formats say only at the end of a file what its beginning must know.
 */
#ifndef VOUCH_CONVERT_CONVERSION_H
#define VOUCH_CONVERT_CONVERSION_H

#include "convert/annotation_formats.h"
#include "options/rows.h"

#include <jansson.h>

struct convert_options {
    struct options common; /* the arguments are the files */
    const char *from, *to, *output, *names, *layer;
    enum edge_choice edges;
    enum overlap_choice overlaps;
    enum written_scheme { WRITE_IOB2, WRITE_IOB1, WRITE_BIOES } scheme;
    enum counted_unit { COUNT_AUTO, COUNT_POINTS, COUNT_UTF16, COUNT_BYTES } unit;
    bool predictions, all, json;
};
extern const struct option_table convert_options;

/* Returns the choices of formats that the options make. */
struct format_choices convert_choices(const struct convert_options *options);

/*
 * Reads all files, and those of folders that have the extension of their format; the format of each is recognised
 * unless the options name it.
 */
bool texts_read_files(struct annotated_texts *corpus, const struct convert_options *options, struct vouch_error *err);

/* Reads the bytes of one file, as an HTTP body is. `from` NULL: the format is recognised. */
bool texts_read_bytes(struct annotated_texts *corpus, const char *name, const char *bytes, size_t length,
                      const struct annotation_format *from, const struct format_choices *choices,
                      struct vouch_error *err);

/* Drops what a format cannot say, and counts it in corpus->counts. */
bool texts_fit(struct annotated_texts *corpus, const struct annotation_format *to,
               const struct convert_options *options, struct vouch_error *err);

/* Writes what was fitted; `out` NULL: documents go to files of the folder that options->output names. */
bool texts_write(struct annotated_texts *corpus, const struct convert_options *options,
                 const struct annotation_format *to, struct output *out, struct vouch_error *err);

/* Converts as the options say. `out` NULL: documents go to files of the folder that options->output names. */
bool convert_files(struct annotated_texts *corpus, const struct convert_options *options, struct output *out,
                   struct vouch_error *err);

/* Whether a format needs a folder, as documents are files of their own, or pairs of files. */
bool convert_to_folder(const struct convert_options *options);

/*
 * Adds sentences about what was changed and lost to `said`, each a line: "12 scores of spans and 3 relations were lost:
 * CoNLL columns cannot hold them".
 */
bool conversion_say(const struct conversion_counts *counts, const struct annotation_format *to, struct buffer *said,
                    struct vouch_error *err);

/* Returns such lines as an array; NULL without memory. */
json_t *lines_json(const struct buffer *said);

/*
 * Returns how much was read and written, as "lost" how many of each kind were lost, and as "notes" the lines of
 * conversion_say(). NULL with the error set.
 */
json_t *conversion_json(const struct annotated_texts *corpus, const struct convert_options *options,
                        struct vouch_error *err);

#endif
