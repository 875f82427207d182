/*
 * Holds formats to their contract (convert/fitting.h): texts that are fitted to a format are written, and read again,
 * with all that they had; and what fitting changed, it counted.
 */
#ifndef VOUCH_TESTS_ROUND_TRIP_H
#define VOUCH_TESTS_ROUND_TRIP_H

#include "convert/conversion.h"
#include "same_annotations.h"

#include <stdlib.h>

/* What is wrong, with the format and the file. */
static char *round_trip_failure;

static bool trip_fails(const struct annotation_format *to, const char *what, const char *bytes)
{
    size_t room = strlen(to->name) + strlen(what) + strlen(bytes) + 10;
    free(round_trip_failure);
    round_trip_failure = malloc(room);
    if (!round_trip_failure)
        abort();
    snprintf(round_trip_failure, room, "%s: %s\n%s", to->name, what, bytes);
    return false;
}

/* A file in memory, and its second file. */
struct written {
    struct output *out, *companion;
};

static void written_discard(struct written *written)
{
    output_discard(written->out);
    output_discard(written->companion);
}

static struct annotated_source written_source(const struct written *written)
{
    struct annotated_source source = {.name = "again.ann"};
    output_write(written->out, "", 1);
    output_write(written->companion, "", 1);
    source.bytes = output_text(written->out, &source.length);
    source.companion = output_text(written->companion, &source.companion_length);
    if (!source.bytes || !source.companion)
        abort();
    source.length--; /* the zero behind it */
    source.companion_length--;
    return source;
}

static bool write_fitted(struct annotated_texts *texts, const struct annotation_format *to,
                         const struct convert_options *options, struct written *written, struct vouch_error *err)
{
    struct format_choices choices = convert_choices(options);
    written->out = output_open_memory(err);
    written->companion = output_open_memory(err);
    if (!written->out || !written->companion)
        abort();
    return to->write(written->out, written->companion, &choices, texts, err);
}

/* The kinds that a file of this format brings back: a document's name may be that of its file. */
static uint64_t kinds_read(const struct annotation_format *to)
{
    return to->one_document ? ~KEPT(IDS) : ALL_KINDS;
}

static bool same_texts(const struct annotated_texts *a, const struct annotated_texts *b, uint64_t kinds)
{
    if (!same_count("number of documents", a->count, b->count))
        return false;
    for (size_t i = 0; i < a->count; i++)
        if (!same_document(&a->document[i], &b->document[i], kinds))
            return false;
    return true;
}

/* Reads what was written into `again`, compares it, and fits it once more, which must not change it. */
static bool read_fitted(const struct annotated_texts *texts, const struct annotation_format *to,
                        const struct convert_options *options, const struct annotated_source *source,
                        struct annotated_texts *again, struct vouch_error *err)
{
    struct format_choices choices = convert_choices(options);
    if (!to->read(source, &choices, again, err))
        return trip_fails(to, err->message, source->bytes);
    if (!same_texts(texts, again, kinds_read(to)))
        return trip_fails(to, annotations_difference, source->bytes);
    if (!texts_fit(again, to, options, err))
        return trip_fails(to, err->message, source->bytes);
    if (!same_texts(texts, again, kinds_read(to)))
        return trip_fails(to, "fitted again", annotations_difference);
    return true;
}

/*
 * Writes fitted texts, one if a file has one alone, and reads and writes them again. Where the words are lost, those of
 * the rule cut spans.
 */
static bool round_trip(struct annotated_texts *texts, const struct annotation_format *to,
                       const struct convert_options *options, struct vouch_error *err)
{
    struct written once, twice;
    struct annotated_texts again;
    if (to->one_document && texts->count == 0)
        return true;
    bool done = write_fitted(texts, to, options, &once, err);
    if (!done && !strstr(err->message, "-DOCSTART-"))
        trip_fails(to, "cannot be written", err->message);
    else
        done = true;
    if (done && texts->counts.unsaid[KEPT_WORDS] == 0 && !strstr(err->message, "-DOCSTART-")) {
        struct annotated_source source = written_source(&once);
        texts_init(&again);
        done = read_fitted(texts, to, options, &source, &again, err);
        if (done && write_fitted(&again, to, options, &twice, err)) {
            struct annotated_source other = written_source(&twice);
            size_t same = 0;
            while (source.bytes[same] && source.bytes[same] == other.bytes[same])
                same++;
            if (other.length != source.length || same < source.length)
                done = trip_fails(to, "other bytes the second time, behind this", source.bytes + same);
            written_discard(&twice);
        }
        texts_release(&again);
    }
    written_discard(&once);
    return done;
}

/* Returns the kinds of which nothing was counted as lost or changed, as far as that is said of whole kinds. */
static inline uint64_t kinds_unchanged(const struct conversion_counts *counts)
{
    uint64_t kinds = ALL_KINDS & ~(KEPT(SPAN_IDS) | KEPT(RELATION_IDS) | KEPT(UNLABELLED));
    for (int i = 0; i < KEPT_KINDS; i++)
        if (counts->unsaid[i] > 0)
            kinds &= ~(UINT64_C(1) << i);
    if (counts->respelled > 0)
        kinds &= ~(KEPT(SPANS) | KEPT(NOTES));
    if (counts->joined > 0 || counts->unsaid[KEPT_WORDS] > 0)
        kinds &= ~KEPT(WORDS);
    if (counts->unsaid[KEPT_UD_COLUMNS] + counts->unsaid[KEPT_COLUMN_NAMES] > 0)
        kinds &= ~KEPT(COLUMNS);
    if (counts->unsaid[KEPT_OPEN_HEADS] > 0)
        kinds &= ~KEPT(TREES);
    return kinds;
}

/* Fits `texts`, which are the same as `before`, and checks that what was not counted is as it was. */
static inline bool fit_honestly(const struct annotated_texts *before, struct annotated_texts *texts,
                         const struct annotation_format *to, const struct convert_options *options,
                         struct vouch_error *err)
{
    if (!texts_fit(texts, to, options, err))
        return trip_fails(to, "cannot be fitted", err->message);
    const struct conversion_counts *counts = &texts->counts;
    uint64_t left_out = counts->unaccepted + counts->unsaid[KEPT_STATES] + counts->unsaid[KEPT_WORDLESS];
    if (texts->count + left_out != before->count)
        return trip_fails(to, "documents are missing", "");
    if (left_out > 0 || counts->overlapping > 0)
        return true;
    uint64_t kinds = kinds_unchanged(counts);
    if (options->predictions)
        kinds &= ~KEPT(STATES);
    if (strcmp(to->name, "conllu") == 0) /* it writes "# text", and gives comments their # */
        kinds &= ~KEPT(COMMENTS);
    return same_texts(before, texts, kinds) || trip_fails(to, "changed, but not counted", annotations_difference);
}

#endif
