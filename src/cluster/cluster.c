/* Finds classes of words by vectors or by text, and writes them as a lexicon: see cluster.h. */
#include "cluster/cluster.h"

#include "base/parallel.h"

#include <stdio.h>

#define OPTIONS struct cluster_options
static const struct option_spec rows[] = {
    TEXT("vectors", 0, vectors, "FILE", OPTION_READ,
         "a table of vectors, a word and its numbers in each line, as word2vec, GloVe and fastText write it as text; "
         "the commonest words first"),
    TEXT("sizes", 0, sizes, "N,N,...", OPTION_MATTERS, "how many classes there are, in each column of the lexicon"),
    INTEGER("words", 0, words, "N", 2, 10000000, OPTION_MATTERS,
            "with --vectors: the first N words decide the classes, and all words get one; of text: the commonest N "
            "words get one"),
    INTEGER("rounds", 0, rounds, "N", 1, 1000, OPTION_MATTERS, "rounds over the words"),
    TEXT("source", 0, source, "TEXT", OPTION_INCIDENTAL,
         "where the vectors or the texts come from: models that are learned with the lexicon say so"),
    TEXT("licence", 0, licence, "TEXT", OPTION_INCIDENTAL, "their licence, likewise"),
    OPTION_OUTPUT,
    OPTION_FORMAT,
    OPTIONS_WORK,
    OPTIONS_END,
};
static const struct cluster_options usual = {
    .common = USUAL_COMMON, .sizes = "64,128,512", .words = 30000, .rounds = 15};
static const struct option_rule rules[] = {
    {NULL, "file vectors", NULL, "expected files of text, or --vectors FILE"},
    {"vectors", NULL, "file", "expected no files of text beside --vectors, found %s"},
    {"format", NULL, "vectors", "--%s is for text: expected no --vectors"},
    {0},
};
const struct option_table cluster_options = {"cluster", rows, &usual, sizeof usual, NULL, rules};

bool cluster_step(struct cluster_progress *progress, struct vouch_error *err)
{
    struct step_watch step = {progress->watch, VOUCH_EVENT_CLUSTERING, "clustering"};
    step_tell(&step, progress->step++, progress->steps);
    return !watch_stops(progress->watch) || fail(err, VOUCH_ERR_STOPPED, "interrupted while clustering");
}

/* What is written: the words, and their classes in each column. */
struct classified {
    const struct cluster_options *options;
    uint32_t size[MOST_CLASS_COLUMNS]; /* [columns] */
    uint32_t columns;
    uint32_t *class[MOST_CLASS_COLUMNS]; /* [columns][words + 1] from number 1 on */
    const struct dictionary *words;
};

/* What is written into a comment must stay in it. */
static bool check_line(const char *option, const char *value, struct vouch_error *err)
{
    return !value || !value[strcspn(value, "\r\n")] ||
           fail(err, VOUCH_ERR_ARGUMENT, "--%s: expected a single line", option);
}

static bool read_sizes(struct classified *c, struct vouch_error *err)
{
    struct text rest = text_of(c->options->sizes);
    do {
        struct text size = text_cut(&rest, ',');
        uint32_t *to = &c->size[c->columns < MOST_CLASS_COLUMNS ? c->columns : 0];
        if (c->columns++ == MOST_CLASS_COLUMNS || !text_whole(size, to) || *to < 2 || *to > MOST_CLASSES)
            return fail(err, VOUCH_ERR_ARGUMENT,
                        "--sizes: expected up to %d numbers from 2 to %d, separated by commas, found '%s'",
                        MOST_CLASS_COLUMNS, MOST_CLASSES, c->options->sizes);
    } while (rest.length);
    return true;
}

/* Makes room for the classes; there must be words enough. */
static bool make_room(struct classified *c, uint32_t fitted, struct vouch_error *err)
{
    for (uint32_t i = 0; i < c->columns; i++) {
        if (c->size[i] > fitted)
            return fail(err, VOUCH_ERR_ARGUMENT, "--sizes: expected no more classes than the %u words, found %u",
                        fitted, c->size[i]);
        c->class[i] = new_array((size_t)c->words->table.count + 1, sizeof *c->class[i], err);
        if (!c->class[i])
            return false;
    }
    return true;
}

/* Numbers the classes of a column by their first words. */
static bool number_classes(const struct classified *c, uint32_t column, struct vouch_error *err)
{
    uint32_t *number = new_array(c->size[column], sizeof *number, err), next = 0;
    for (uint32_t w = 1; number && w <= c->words->table.count; w++) {
        uint32_t *class = &c->class[column][w];
        if (!number[*class])
            number[*class] = ++next;
        *class = number[*class] - 1;
    }
    free(number);
    return number != NULL;
}

static bool cluster_vectors(struct classified *c, struct word_points *points, struct vouch_error *err)
{
    const struct cluster_options *s = c->options;
    if (!word_points_read(points, s->vectors, err))
        return false;
    uint32_t words = points->words.table.count, fitted = words < s->words ? words : s->words;
    struct cluster_progress progress = {s->common.work.watch, 0, c->columns * s->rounds};
    c->words = &points->words;
    bool ok = make_room(c, fitted, err);
    for (uint32_t i = 0; ok && i < c->columns; i++) {
        struct kmeans_plan plan = {c->size[i], fitted, s->rounds, &s->common.work};
        ok = kmeans(points, &plan, &progress, c->class[i] + 1, err);
    }
    return ok;
}

/* Sizes that are exchanged side by side; the largest, which takes longest, comes first, and tells of progress. */
struct sizes_job {
    struct classified *c;
    const struct neighbours *neighbours;
    struct cluster_progress progress;
    uint32_t order[MOST_CLASS_COLUMNS];
};

static bool exchange_size(void *context, uint32_t job, uint32_t thread, struct vouch_error *err)
{
    struct sizes_job *j = context;
    uint32_t column = j->order[job];
    struct exchange_plan plan = {j->c->size[column], j->c->options->rounds, job == 0 ? &j->progress : NULL};
    (void)thread;
    return exchange(j->neighbours, &plan, j->c->class[column], err);
}

static bool cluster_text(struct classified *c, struct neighbours *neighbours, struct vouch_error *err)
{
    const struct cluster_options *s = c->options;
    struct sizes_job j = {c, neighbours, {s->common.work.watch, 0, s->rounds}, {0}};
    if (!neighbours_read(neighbours, s, err))
        return false;
    c->words = &neighbours->words;
    if (!make_room(c, c->words->table.count, err))
        return false;
    for (uint32_t i = 0; i < c->columns; i++) {
        uint32_t at = i;
        for (; at > 0 && c->size[j.order[at - 1]] < c->size[i]; at--)
            j.order[at] = j.order[at - 1];
        j.order[at] = i;
    }
    return parallel_run(s->common.work.threads, c->columns, exchange_size, &j, err);
}

/* Writes a word with its classes, unless no lexicon can have it, as one with two blanks side by side. */
static void write_line(const struct classified *c, struct text word, uint32_t id, struct output *out)
{
    if (!lexicon_phrase_fits(word))
        return;
    output_write(out, word.at, word.length);
    for (uint32_t i = 0; i < c->columns; i++)
        output_printf(out, "\t%u", c->class[i][id]);
    output_write(out, "\n", 1);
}

/* Writes folded words, with the classes of the commonest that look like them. */
static bool write_folded(const struct classified *c, struct output *out, struct vouch_error *err)
{
    struct dictionary folded = {0};
    struct lexicon_work work = {0};
    bool ok = true;
    for (uint32_t id = 1; ok && id <= c->words->table.count; id++) {
        struct text word = dictionary_text(c->words, id), like;
        uint32_t known = folded.table.count;
        bool digits = false;
        for (uint32_t i = 0; i < word.length; i++)
            digits = digits || (word.at[i] >= '0' && word.at[i] <= '9');
        if (!digits)
            continue;
        ok = lexicon_fold_word(word, &work, &like, err);
        if (!ok || dictionary_find(c->words, like))
            continue;
        uint32_t number = dictionary_add(&folded, like, err);
        ok = number != 0;
        if (number > known)
            write_line(c, like, id, out);
    }
    lexicon_work_release(&work);
    dictionary_release(&folded);
    return ok;
}

static bool write_lexicon(const struct classified *c, struct output *out, struct vouch_error *err)
{
    const struct cluster_options *s = c->options;
    output_printf(out, "# %s classes by %s\n", s->sizes, s->vectors ? "k-means" : "exchange");
    if (s->source)
        output_printf(out, "# source: %s\n", s->source);
    if (s->licence)
        output_printf(out, "# licence: %s\n", s->licence);
    for (uint32_t i = 0; i < c->columns; i++)
        if (!number_classes(c, i, err))
            return false;
    for (uint32_t id = 1; id <= c->words->table.count; id++)
        write_line(c, dictionary_text(c->words, id), id, out);
    return write_folded(c, out, err);
}

bool clusters_write(const struct cluster_options *options, struct output *out, struct vouch_error *err)
{
    struct classified c = {.options = options};
    struct word_points points = {0};
    struct neighbours neighbours = {0};
    bool ok = check_line("source", options->source, err) && check_line("licence", options->licence, err) &&
              read_sizes(&c, err) &&
              (options->vectors ? cluster_vectors(&c, &points, err) : cluster_text(&c, &neighbours, err)) &&
              write_lexicon(&c, out, err);
    for (uint32_t i = 0; i < c.columns && i < MOST_CLASS_COLUMNS; i++)
        free(c.class[i]);
    word_points_release(&points);
    neighbours_release(&neighbours);
    return ok;
}
