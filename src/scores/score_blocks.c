/*
 * Reads the scores of one sentence from files of other programs: see score_files.h.
 *
 * Where the numbers of a sentence are, in an array of its own, a line, or a range of an array of all, is found first,
 * as a `block`; what follows sees a block alone. The order of arcs is checked while the first sentences are read: an
 * order in which no word can depend on the root, or in which log-probabilities do not add up to 1 although they do in
 * the other, is an error.
 */
#include "base/elementary.h"
#include "scores/score_files.h"

#include <inttypes.h>
#include <math.h>

/* A place for messages: the sentence, from 1. */
static unsigned long long place_number(const struct sentence_place *at)
{
    return (unsigned long long)at->sentences + 1;
}

/* The number of sentences whose arcs are looked at for the other order. */
enum { LOOK_AT_ORDER = 16 };

/* Below this, a score stands for "impossible" in programs that do not write -inf. */
#define NEARLY_IMPOSSIBLE (-1e8f)

void score_work_release(struct score_work *work)
{
    free(work->block.value);
    free(work->edges.value);
    arena_release(&work->arena);
    *work = (struct score_work){0};
}

/* The numbers of one sentence: those of a line, or some of an array. */
struct block {
    const float *line;         /* NULL: in the array */
    const struct array *array; /* NULL: in a line */
    uint64_t set, first;       /* the numbers of a set; the first number of the first set */
    uint64_t rows, columns;    /* of the sentence; of a padded array, those of the longest */
};

static bool block_read(const struct block *b, uint64_t first, uint64_t count, float *out, struct vouch_error *err)
{
    if (b->array)
        return array_floats(b->array, first, count, out, err);
    if (count > 0)
        memcpy(out, b->line + first, sizeof *out * (size_t)count);
    return true;
}

/* Reads the line of sentence `i`, which must have as many sets as the first one, or no number. */
static bool read_line(const struct score_files *files, uint64_t i, struct number_block *block, struct vouch_error *err)
{
    if (!number_lines_read(files->lines, i, "scores", block, err))
        return false;
    uint32_t rank = block->rank;
    bool several = files->sets > 1, none = rank > 0 && block->count == 0;
    if (!none && rank != (several ? 3 : 2) && (rank != 3 || (!several && block->shape[0] != 1)))
        return fail(err, VOUCH_ERR_FORMAT, "%s: sentence %" PRIu64 ": expected %s under the key \"scores\", found %s",
                    files->name, i + 1, files->kind->line[several], rank == 0 ? "nothing" : "another depth");
    if (!none && rank == 3 && block->shape[0] != files->sets)
        return fail(err, VOUCH_ERR_FORMAT,
                    "%s: sentence %" PRIu64 ": expected %" PRIu32 " sets, as the first sentence has, found %" PRIu64,
                    files->name, i + 1, files->sets, block->shape[0]);
    return true;
}

/* Finds the block of a sentence that has an array, or a line, of its own. */
static bool find_own(const struct score_files *files, uint64_t i, struct score_work *work, struct block *b,
                     struct vouch_error *err)
{
    if (files->lines && !read_line(files, i, &work->block, err))
        return false;
    if (files->lines && work->block.count == 0)
        return true; /* there are no words */
    b->line = files->lines ? work->block.value : NULL;
    b->array = files->lines ? NULL : files->each[i];
    const uint64_t *shape = files->lines ? work->block.shape : b->array->shape;
    uint32_t rank = files->lines ? work->block.rank : b->array->rank;
    b->rows = shape[rank - 2];
    b->columns = shape[rank - 1];
    b->set = b->rows * b->columns;
    return true;
}

/* Finds the block of a sentence in an array of all; *unit is how many numbers a unit of a packed one has. */
static void find_among(const struct score_files *files, const struct sentence_place *at, uint32_t N, struct block *b,
                       uint64_t *unit)
{
    const struct array *array = files->array;
    uint32_t plain = files->padded ? 3 : files->kind->packed_rank;
    b->array = array;
    b->columns = array->shape[array->rank - 1];
    b->set = array_values(array, array->rank - plain);
    *unit = array_values(array, array->rank - plain + 1);
    if (files->padded) {
        b->rows = array->shape[array->rank - 2];
        b->first = at->sentences * *unit;
    } else {
        b->rows = N + files->root;
        b->columns = files->kind->square ? b->rows : b->columns;
        b->first = score_files_units(files, at) * *unit;
    }
}

static bool fail_length(const struct score_files *files, const struct sentence_place *at, uint64_t expected,
                        const char *what, uint64_t found, struct vouch_error *err)
{
    return fail(err, VOUCH_ERR_FORMAT, "%s: sentence %llu: expected scores of %" PRIu64 " %s, found %" PRIu64,
                files->name, place_number(at), expected, what, found);
}

/* Finds the block of a sentence of N words. Whether N rows are there is for the caller to check. */
static bool find_block(const struct score_files *files, const struct sentence_place *at, uint32_t N,
                       struct score_work *work, struct block *b, struct vouch_error *err)
{
    *b = (struct block){0};
    if ((files->start || files->padded || !files->array) && at->sentences >= files->sentences)
        return fail(err, VOUCH_ERR_FORMAT,
                    "%s: expected scores of more sentences, found those of %" PRIu64 " (document marks have none)",
                    files->name, files->sentences);
    if (files->start) {
        uint64_t length = files->start[at->sentences + 1] - files->start[at->sentences];
        if (length != N)
            return fail_length(files, at, N, "words", length, err);
    }
    if (!files->array)
        return find_own(files, at->sentences, work, b, err);
    uint64_t unit;
    find_among(files, at, N, b, &unit);
    uint64_t need = b->rows * b->columns, left = b->first < b->set ? b->set - b->first : 0;
    if (!files->padded && b->first + need > b->set)
        return fail(err, VOUCH_ERR_FORMAT,
                    "%s: sentence %llu: expected scores of %" PRIu64 " more %s, found those of %" PRIu64, files->name,
                    place_number(at), need / unit, files->kind->units, left / unit);
    return true;
}

/* Reads the transitions [N-1][Y][Y] of a sentence, for each set. */
static bool read_edges_of_words(const struct score_files *files, const struct sentence_place *at, uint32_t N,
                                struct score_work *work, struct vouch_chain_scores *scores, struct vouch_error *err)
{
    const struct array *array = files->edge_of_word;
    uint64_t Y = files->layout.labels, step = Y * Y, blocks = N > 1 ? N - 1 : 0;
    uint64_t words = array->shape[array->rank - 3], sets = array->rank == 4 ? array->shape[0] : 1;
    if (at->words + N > words)
        return array_fail(array, err, "expected transitions of %" PRIu64 " words or more, found %" PRIu64,
                          at->words + N, words);
    float *edge;
    if (!ARENA_ARRAY(edge, (size_t)(files->sets * blocks * step), &work->arena, err))
        return false;
    for (uint32_t k = 0; k < files->sets; k++)
        if (!array_floats(array, ((sets > 1 ? k * words : 0) + at->words + 1) * step * (blocks > 0), blocks * step,
                          edge + k * blocks * step, err))
            return false;
    scores->edge = edge;
    scores->edge_per_word = 1;
    return true;
}

/* Takes the transitions of a line, if it has any: [Y][Y] or [N-1][Y][Y], the same for all sets. */
static bool read_edges_of_line(const struct score_files *files, uint64_t i, uint32_t N, struct score_work *work,
                               struct vouch_chain_scores *scores, struct vouch_error *err)
{
    const struct number_block *block = &work->edges;
    uint64_t Y = files->layout.labels;
    if (!number_lines_read(files->lines, i, "transitions", &work->edges, err))
        return false;
    if (block->rank == 0)
        return !files->edge_expected || N == 1 ||
               fail(err, VOUCH_ERR_FORMAT,
                    "%s: sentence %" PRIu64 ": expected transitions, as the model was made for, found none",
                    files->name, i + 1);
    bool per_word = block->rank == 3 && N > 1;
    uint64_t expected = per_word ? (uint64_t)(N - 1) * Y * Y : Y * Y;
    if (block->rank < 2 || block->rank > 3 || block->count != expected || block->shape[block->rank - 1] != Y)
        return fail(err, VOUCH_ERR_FORMAT, "%s: sentence %" PRIu64 ": expected transitions [Y][Y] or [N-1][Y][Y]",
                    files->name, i + 1);
    float *edge;
    if (!ARENA_ARRAY(edge, files->sets * block->count, &work->arena, err))
        return false;
    for (uint32_t k = 0; k < files->sets; k++)
        memcpy(edge + k * block->count, block->value, sizeof *edge * block->count);
    scores->edge = edge;
    scores->edge_per_word = per_word;
    return true;
}

bool score_files_chain(const struct score_files *files, const struct sentence_place *at, uint32_t N,
                       struct score_work *work, struct vouch_chain_scores *scores, struct vouch_error *err)
{
    struct block b;
    uint64_t Y = files->layout.labels;
    *scores = (struct vouch_chain_scores){
        .size = sizeof *scores, .words = N, .labels = (size_t)Y, .sets = files->sets, .edge = files->edge};
    if (!find_block(files, at, N, work, &b, err))
        return false;
    if (files->padded ? N > b.rows : N != b.rows)
        return fail_length(files, at, N, "words", b.rows, err);
    if (N > 0 && b.columns != Y)
        return fail_length(files, at, Y, "labels", b.columns, err);
    float *node;
    arena_reset(&work->arena);
    if (!ARENA_ARRAY(node, (size_t)(files->sets * N * Y), &work->arena, err))
        return false;
    for (uint32_t k = 0; k < files->sets; k++)
        if (!block_read(&b, k * b.set + b.first, N * Y, node + k * N * Y, err))
            return false;
    scores->node = node;
    if (files->edge_of_word)
        return read_edges_of_words(files, at, N, work, scores, err);
    return !files->lines || N == 0 || read_edges_of_line(files, at->sentences, N, work, scores, err);
}

/* How the arcs of a sentence lie in its block. */
struct arc_block {
    uint32_t N;
    uint64_t rows, columns;        /* that are read */
    bool modifier_first, diagonal; /* as in struct score_layout */
    bool headless;                 /* words alone are modifiers: N + 1 heads, N words */
    const float *number;           /* [rows][columns] */
};

/* Returns the score of head h, 0 for the root, and word m, from 1. */
static float arc_at(const struct arc_block *a, uint32_t h, uint32_t m)
{
    uint64_t head = h, modifier = a->headless ? m - 1 : m;
    if (a->diagonal) {
        modifier = m - 1;
        head = h ? h - 1 : modifier;
    }
    return a->number[a->modifier_first ? modifier * a->columns + head : head * a->columns + modifier];
}

/* Checks rows and columns of a block against the words and the order, and finds how many are read. */
static bool fit_arcs(const struct score_files *files, const struct sentence_place *at, const struct block *b,
                     struct arc_block *a, struct vouch_error *err)
{
    uint64_t heads = (uint64_t)a->N + (a->diagonal ? 0 : 1), rows = b->rows, columns = b->columns;
    const char *order = a->modifier_first ? "modifier-first" : "head-first";
    a->headless = rows != columns;
    uint64_t of_heads = a->modifier_first ? columns : rows, of_words = a->modifier_first ? rows : columns;
    if (a->headless && (a->diagonal || of_heads != of_words + 1))
        return fail(err, VOUCH_ERR_FORMAT,
                    "%s: sentence %llu: expected as many rows as columns, or one more for heads than for words, found "
                    "[%" PRIu64 ", %" PRIu64 "] with --arcs %s",
                    files->name, place_number(at), rows, columns, order);
    if (files->padded ? of_heads < heads : of_heads != heads)
        return fail(err, VOUCH_ERR_FORMAT,
                    "%s: sentence %llu: expected arcs of %" PRIu64 " nodes, %" PRIu32 " words%s, found %" PRIu64,
                    files->name, place_number(at), heads, a->N, a->diagonal ? "" : " and the root", of_heads);
    uint64_t words = a->headless ? a->N : heads;
    a->rows = a->modifier_first ? words : heads;
    a->columns = a->modifier_first ? heads : words;
    return true;
}

/* Whether the log-probabilities of every word's heads add up to 1. */
static bool adds_up(const struct arc_block *a)
{
    for (uint32_t m = 1; m <= a->N; m++) {
        double sum = 0;
        for (uint32_t h = 0; h <= a->N; h++)
            sum += h == m ? 0 : exp_of((double)arc_at(a, h, m));
        if (fabs(sum - 1) > 0.02)
            return false;
    }
    return true;
}

/* Whether the root can be the head of some word. */
static bool has_root(const struct arc_block *a)
{
    for (uint32_t m = 1; m <= a->N; m++)
        if (arc_at(a, 0, m) > NEARLY_IMPOSSIBLE)
            return true;
    return false;
}

/* Fails if the numbers make sense in the other order alone. */
static bool check_order(const struct score_files *files, const struct sentence_place *at, const struct arc_block *a,
                        struct vouch_error *err)
{
    struct arc_block other = *a;
    if (a->headless || a->N < 3 || at->sentences >= LOOK_AT_ORDER)
        return true;
    other.modifier_first = !a->modifier_first;
    bool rootless = !has_root(a) && has_root(&other), improbable = !adds_up(a) && adds_up(&other);
    if (!rootless && !improbable)
        return true;
    const char *const order[] = {"head-first", "modifier-first"};
    return fail(err, VOUCH_ERR_FORMAT, "%s: sentence %llu: expected --arcs %s, in which %s, found --arcs %s",
                files->name, place_number(at), order[other.modifier_first],
                rootless ? "the root can be a head" : "the probabilities of a word's heads add up to 1",
                order[a->modifier_first]);
}

/* Reads the rows of set k. */
static bool read_rows(const struct block *b, uint32_t k, const struct arc_block *a, float *number,
                      struct vouch_error *err)
{
    for (uint64_t r = 0; r < a->rows; r++)
        if (!block_read(b, k * b->set + b->first + r * b->columns, a->columns, number + r * a->columns, err))
            return false;
    return true;
}

bool score_files_tree(const struct score_files *files, const struct sentence_place *at, uint32_t N,
                      struct score_work *work, struct vouch_tree_scores *scores, struct vouch_error *err)
{
    struct block b;
    struct arc_block a = {.N = N, .modifier_first = files->layout.modifier_first, .diagonal = files->layout.diagonal};
    size_t nodes = (size_t)N + 1;
    *scores = (struct vouch_tree_scores){.size = sizeof *scores, .words = N, .sets = files->sets};
    float *all, *number;
    arena_reset(&work->arena);
    if (!find_block(files, at, N, work, &b, err) || (N > 0 && !fit_arcs(files, at, &b, &a, err)) ||
        !ARENA_ARRAY(all, files->sets * nodes * nodes, &work->arena, err) ||
        !ARENA_ARRAY(number, (size_t)(a.rows * a.columns), &work->arena, err))
        return false;
    a.number = number;
    scores->arc = all;
    for (uint32_t k = 0; N > 0 && k < files->sets; k++) {
        float *arc = all + k * nodes * nodes;
        if (!read_rows(&b, k, &a, number, err) || (k == 0 && !check_order(files, at, &a, err)))
            return false;
        memset(arc, 0, sizeof *arc * nodes * nodes);
        for (uint32_t h = 0; h <= N; h++)
            for (uint32_t m = 1; m <= N; m++)
                if (h != m)
                    arc[h * nodes + m] = arc_at(&a, h, m);
    }
    return true;
}

bool score_files_take(const struct score_files *files, const struct sentence *sentence, struct score_work *work,
                      struct score_sets *to, struct vouch_error *err)
{
    const struct sentence_place *at = &sentence->place;
    bool found, fits;
    if (files->kind->square) {
        struct vouch_tree_scores tree;
        found = score_files_tree(files, at, sentence->N, work, &tree, err);
        fits = found && score_input_tree(to, &tree, &files->rules, err);
    } else {
        struct vouch_chain_scores chain;
        found = score_files_chain(files, at, sentence->N, work, &chain, err);
        fits = found && score_input_chain(to, &chain, &files->rules, err);
    }
    return fits || (found && fail_within(err, "%s: sentence %llu", files->name, place_number(at)));
}

bool score_files_append(const struct score_files *files, const struct sentence *sentence, struct score_work *work,
                        struct score_list *list, struct vouch_error *err)
{
    if (!files)
        return true;
    if (!RESERVE(list->sentence, list->capacity, (size_t)list->count + 1, err))
        return false;
    struct score_sets *to = &list->sentence[list->count++];
    *to = (struct score_sets){0};
    return score_sets_init(to, files->sets, err) && score_files_take(files, sentence, work, to, err);
}

bool score_files_count(const struct score_files *files, uint64_t *count, struct vouch_error *err)
{
    *count = files->sentences;
    return !files->array || files->start ||
           fail(err, VOUCH_ERR_ARGUMENT, "%s: expected --offsets of the sentences, or a file with their words",
                files->name);
}

bool score_files_length(const struct score_files *files, const struct sentence_place *at, struct score_work *work,
                        uint32_t *length, struct vouch_error *err)
{
    struct block b;
    if (files->start) {
        *length = (uint32_t)(files->start[at->sentences + 1] - files->start[at->sentences]);
        return true;
    }
    if (!find_block(files, at, 0, work, &b, err))
        return false;
    uint64_t N = score_files_fit(files, b.rows, b.columns);
    *length = (uint32_t)N;
    return N <= UINT32_MAX ||
           fail(err, VOUCH_ERR_FORMAT, "%s: sentence %llu: expected fewer words", files->name, place_number(at));
}

bool score_files_words(const struct score_files *files, struct buffer *text, struct vouch_error *err)
{
    struct score_work work = {0};
    struct sentence_place at = {0};
    uint64_t count;
    bool ok = score_files_count(files, &count, err);
    for (; ok && at.sentences < count; at.sentences++) {
        uint32_t N = 0;
        ok = score_files_length(files, &at, &work, &N, err);
        if (ok && N == 0)
            ok = fail(err, VOUCH_ERR_FORMAT, "%s: sentence %llu: expected one word or more, found none", files->name,
                      place_number(&at));
        for (uint32_t n = 1; ok && n <= N; n++)
            ok = buffer_print(text, err, "%" PRIu32 "%s\n", n, files->kind->cells);
        ok = ok && buffer_put(text, '\n', err);
    }
    score_work_release(&work);
    return ok;
}
