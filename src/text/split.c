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

/* A function that takes a sentence, before which there are `number` others. */
typedef bool take_sentence(void *context, const struct reader *reader, const struct sentence *sentence, uint64_t number,
                           struct vouch_error *err);

static bool counts(const struct sentence *sentence)
{
    return sentence->N > 0 && !sentence->boundary;
}

/* Opens a file, as trees if it looks like trees, so that comments, ranges and empty nodes stay as they are. */
static struct reader *open_file(const struct split_plan *plan, const char *path, struct vouch_error *err)
{
    struct reader_options options = {.format = plan->format, .gold = GOLD_NONE, .trees = true};
    struct reader *reader = plan->format == FORMAT_AUTO ? reader_open(path, &options, NULL) : NULL;
    if (reader && reader_format(reader) == FORMAT_CONLLU)
        return reader;
    reader_close(reader);
    options.trees = plan->format == FORMAT_CONLLU;
    return reader_open(path, &options, err);
}

static bool read_file(const struct split_plan *plan, const char *path, take_sentence *take, void *context,
                      uint64_t *number, struct vouch_error *err)
{
    struct reader *reader = open_file(plan, path, err);
    struct sentence sentence = {0};
    enum reading state = READ_FAILED;
    bool ok = reader != NULL;
    while (ok && (state = reader_next(reader, &sentence, err)) == READ_SENTENCE)
        if (counts(&sentence))
            ok = take(context, reader, &sentence, (*number)++, err);
    ok = ok && state == READ_END;
    sentence_release(&sentence);
    reader_close(reader);
    return ok;
}

static bool read_files(const struct split_plan *plan, take_sentence *take, void *context, uint64_t *number,
                       struct vouch_error *err)
{
    *number = 0;
    for (size_t i = 0; i < plan->files; i++)
        if (!read_file(plan, plan->file[i], take, context, number, err))
            return false;
    return true;
}

/* The format of the files, which must be the same, as one file is written. */
struct survey {
    enum format format; /* FORMAT_AUTO: none yet */
};

static bool look_at(void *context, const struct reader *reader, const struct sentence *sentence, uint64_t number,
                    struct vouch_error *err)
{
    struct survey *survey = context;
    (void)sentence, (void)number;
    enum format found = reader_format(reader);
    if (found == FORMAT_PLAIN)
        return fail(err, VOUCH_ERR_FORMAT, "%s: expected labelled sentences, found plain text", reader_path(reader));
    if (survey->format != FORMAT_AUTO && survey->format != found)
        return fail(err, VOUCH_ERR_FORMAT, "%s: expected %s like the files before it, found %s", reader_path(reader),
                    format_name(survey->format), format_name(found));
    survey->format = found;
    return true;
}

struct division {
    const bool *first; /* [count] */
    uint64_t count;    /* sentences at the first reading */
    struct output *out[2];
    struct split_part *part; /* [2] */
};

static bool fail_changed(const char *path, struct vouch_error *err)
{
    return fail(err, VOUCH_ERR_FORMAT, "%s: the file has changed while it was read", path);
}

static bool deal(void *context, const struct reader *reader, const struct sentence *sentence, uint64_t number,
                 struct vouch_error *err)
{
    struct division *d = context;
    struct writer_options writing = writer_options_for(reader_format(reader), reader_separator(reader));
    if (number >= d->count)
        return fail_changed(reader_path(reader), err);
    size_t to = d->first[number] ? 0 : 1;
    d->part[to].sentences++;
    d->part[to].words += sentence->N;
    if (d->out[to])
        write_as_read(d->out[to], &writing, sentence);
    return true;
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

static bool divide(const struct split_plan *plan, struct division *d, struct vouch_error *err)
{
    uint64_t again;
    d->out[0] = output_open(plan->first, err);
    d->out[1] = d->out[0] && plan->rest ? output_open(plan->rest, err) : NULL;
    bool ok = d->out[0] && (d->out[1] || !plan->rest) && read_files(plan, deal, d, &again, err);
    if (ok && again != d->count)
        ok = fail_changed(plan->file[plan->files - 1], err);
    ok = output_close(d->out[0], ok, err);
    if (plan->rest)
        ok = output_close(d->out[1], ok, err);
    return ok;
}

bool split_corpus(const struct split_plan *plan, struct split_part part[2], struct vouch_error *err)
{
    struct survey survey = {FORMAT_AUTO};
    uint64_t sentences;
    part[0] = part[1] = (struct split_part){0};
    if (!read_files(plan, look_at, &survey, &sentences, err))
        return false;
    if (sentences == 0 || sentences > UINT32_MAX)
        return fail(err, VOUCH_ERR_FORMAT, "%s: expected sentences, found %s", plan->file[0],
                    sentences ? "too many" : "none");
    bool *first = choose(plan, (uint32_t)sentences, err);
    struct division d = {.first = first, .count = sentences, .part = part};
    bool ok = first && divide(plan, &d, err);
    free(first);
    return ok;
}
