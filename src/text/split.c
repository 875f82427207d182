/*
 * Divides a corpus: see split.h.
 *
 * The sentences are counted, a shuffle of their numbers decides which ones go to the first file, and a second reading
 * writes them. Within a file neighbours stay neighbours: learning shuffles sentences itself, and calibration needs
 * blocks of neighbours to hold out.
 */
#include "text/split.h"

#include "base/output.h"
#include "base/random.h"
#include "text/writer.h"

#include <math.h>

/* The shuffle has a stream of random numbers of its own. */
enum { STREAM_DIVIDE = 1 << 21 };

/* One reading of the files: sentences are counted, or written if it is decided where to. */
struct reading_all {
    const struct split_plan *plan;
    enum format format; /* of the files, which must be the same, as one file is written; FORMAT_AUTO: none yet */
    uint64_t count;     /* sentences so far */
    const bool *first;  /* [decided] whether each goes to the first file; NULL: they are counted */
    uint64_t decided;
    struct output *out[2];   /* the second may be NULL */
    struct split_part *part; /* [2] */
};

/* Opens a file, as trees if it looks like trees, so that comments, ranges and empty nodes stay as they are. */
static struct reader *open_file(const struct split_plan *plan, const char *path, struct vouch_error *err)
{
    struct reader_options options = {.format = plan->format, .gold = GOLD_NONE, .trees = true};
    struct reader *reader = plan->format == FORMAT_AUTO ? reader_open(path, &options, NULL) : NULL;
    if (reader && reader->format == FORMAT_CONLLU)
        return reader;
    reader_close(reader);
    options.trees = plan->format == FORMAT_CONLLU;
    return reader_open(path, &options, err);
}

static bool fail_changed(const char *path, struct vouch_error *err)
{
    return fail(err, VOUCH_ERR_FORMAT, "%s: the file has changed while it was read", path);
}

static bool take(struct reading_all *r, const struct reader *reader, const struct sentence *sentence,
                 struct vouch_error *err)
{
    enum format found = reader->format;
    uint64_t number = r->count++;
    if (!r->first && found == FORMAT_PLAIN)
        return fail(err, VOUCH_ERR_FORMAT, "%s: expected labelled sentences, found plain text", reader_path(reader));
    if (!r->first && r->format != FORMAT_AUTO && r->format != found)
        return fail(err, VOUCH_ERR_FORMAT, "%s: expected %s like the files before it, found %s", reader_path(reader),
                    format_name(r->format), format_name(found));
    r->format = found;
    if (!r->first)
        return true;
    if (number >= r->decided)
        return fail_changed(reader_path(reader), err);
    struct writer_options writing = writer_options_for(reader);
    size_t to = r->first[number] ? 0 : 1;
    r->part[to].sentences++;
    r->part[to].words += sentence->N;
    if (r->out[to])
        write_as_read(r->out[to], &writing, sentence);
    return true;
}

static bool read_files(struct reading_all *r, struct vouch_error *err)
{
    bool ok = true;
    for (size_t i = 0; ok && i < r->plan->files; i++) {
        struct reader *reader = open_file(r->plan, r->plan->file[i], err);
        struct sentence sentence = {0};
        enum reading state = READ_FAILED;
        ok = reader != NULL;
        while (ok && (state = reader_next(reader, &sentence, err)) == READ_SENTENCE)
            if (sentence.N > 0 && !sentence.boundary)
                ok = take(r, reader, &sentence, err);
        ok = ok && state == READ_END;
        sentence_release(&sentence);
        reader_close(reader);
    }
    return ok;
}

/* Returns which sentences go to the first file: [count], to free(). */
static bool *choose(const struct split_plan *plan, uint32_t count, struct vouch_error *err)
{
    uint64_t wanted = plan->count ? plan->count : (uint64_t)floor(plan->share * count + 0.5);
    bool *first = new_array(count, sizeof *first, err);
    uint32_t *order = new_array(count, sizeof *order, err);
    if (first && order) {
        struct rng rng = rng_new(plan->seed, STREAM_DIVIDE);
        for (uint32_t i = 0; i < count; i++)
            order[i] = i;
        rng_shuffle(&rng, order, count);
        for (uint32_t i = 0; i < count && i < wanted; i++)
            first[order[i]] = true;
    } else {
        free(first);
        first = NULL;
    }
    free(order);
    return first;
}

static bool divide(struct reading_all *r, struct vouch_error *err)
{
    const struct split_plan *plan = r->plan;
    r->out[0] = output_open(plan->first, err);
    r->out[1] = r->out[0] && plan->rest ? output_open(plan->rest, err) : NULL;
    bool ok = r->out[0] && (r->out[1] || !plan->rest) && read_files(r, err);
    if (ok && r->count != r->decided)
        ok = fail_changed(plan->file[plan->files - 1], err);
    ok = output_close(r->out[0], ok, err);
    if (plan->rest)
        ok = output_close(r->out[1], ok, err);
    return ok;
}

bool split_corpus(const struct split_plan *plan, struct split_part part[2], struct vouch_error *err)
{
    struct reading_all counting = {.plan = plan};
    part[0] = part[1] = (struct split_part){0};
    if (!read_files(&counting, err))
        return false;
    uint64_t sentences = counting.count;
    if (sentences == 0 || sentences > UINT32_MAX)
        return fail(err, VOUCH_ERR_FORMAT, "%s: expected sentences, found %s", plan->file[0],
                    sentences ? "too many" : "none");
    bool *first = choose(plan, (uint32_t)sentences, err);
    struct reading_all dividing = {.plan = plan, .first = first, .decided = sentences, .part = part};
    bool ok = first && divide(&dividing, err);
    free(first);
    return ok;
}
