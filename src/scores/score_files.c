/*
 * Opens files of other programs' scores, and finds out how they are laid out: see score_files.h.
 *
 * The shape of the arrays tells most of the layout; what it leaves open is told by the caller, and what contradicts it
 * is refused when the files are opened, with the shape that was expected. Probabilities of labels are refused as well:
 * they would pass for scores, but scores are their logarithms. Numbers are read from the mapped file, sentence by
 * sentence (score_blocks.c).
 */
#include "scores/score_files.h"

#include <inttypes.h>
#include <math.h>
#include <stdio.h>

enum { MOST_EDGES = 1 << 24 };

static const struct score_kind of_labels = {.packed_rank = 2,
                                            .packed_most = ARRAY_RANK,
                                            .units = "words",
                                            .line = {"[N][Y]", "[K][N][Y]"},
                                            .sentence = "[N, Y] or [K, N, Y]",
                                            .all = "[T, Y] or [K, T, Y]",
                                            .padded = "[S, L, Y] or [K, S, L, Y]",
                                            .many_sets = ": are they sentences? then --padded",
                                            .cells = ""};

static const struct score_kind of_arcs = {.square = true,
                                          .packed_rank = 1,
                                          .packed_most = 2,
                                          .units = "arcs",
                                          .line = {"[n][n]", "[K][n][n]"},
                                          .sentence = "[n, n] or [K, n, n]",
                                          .all = "[S, L, L], [K, S, L, L], or packed arcs [P] or [K, P]",
                                          .padded = "[S, L, L] or [K, S, L, L] with --padded",
                                          .many_sets = "",
                                          .cells = "\t_\t_\t_\t_\t_\t_\t_\t_\t_"};

static const char *const names_of_scores[] = {"scores", "logits", "emissions", "arcs", NULL};

void score_files_free(struct score_files *files)
{
    if (!files)
        return;
    free(files->each);
    number_lines_free(files->lines);
    array_file_free(files->file);
    array_file_free(files->offsets_file);
    array_file_free(files->edge_file);
    free(files->start);
    free(files->edge);
    free(files->name);
    free(files);
}

static const struct array *array_named(const struct array_file *file, const char *name)
{
    for (size_t i = 0; file && i < file->count; i++)
        if (strcmp(file->array[i].name, name) == 0)
            return &file->array[i];
    return NULL;
}

/* Returns the shape as text, such as "[7, 9]". */
struct shape_text {
    char of[ARRAY_RANK * 22 + 3];
};
static struct shape_text shape_of(const struct array *array)
{
    struct shape_text text;
    size_t length = 1;
    text.of[0] = '[';
    for (uint32_t d = 0; d < array->rank; d++)
        length +=
            (size_t)snprintf(text.of + length, sizeof text.of - length, "%s%" PRIu64, d ? ", " : "", array->shape[d]);
    text.of[length] = ']';
    text.of[length + 1] = '\0';
    return text;
}

/* Checks the type and the shape of an array of scores, and finds the number of its sets. */
static bool check_shape(const struct score_files *files, const struct array *array, uint64_t *sets,
                        struct vouch_error *err)
{
    const struct score_kind *kind = files->kind;
    uint32_t plain = files->padded ? 3 : files->array ? kind->packed_rank : 2;
    if (!array_has_floats(array))
        return array_fail(array, err, "expected floating-point numbers of 2, 4 or 8 bytes, found type '%s'",
                          array->type.name);
    if (array->rank != plain && array->rank != plain + 1)
        return array_fail(array, err, "expected %s, found %s",
                          !files->array          ? kind->sentence
                          : files->layout.padded ? kind->padded
                                                 : kind->all,
                          shape_of(array).of);
    *sets = array->rank > plain ? array->shape[0] : 1;
    if (*sets == 0 || *sets > MAX_SETS)
        return array_fail(array, err, "expected 1 to %d sets in the first dimension, found %" PRIu64 "%s", MAX_SETS,
                          *sets, *sets && !files->padded ? kind->many_sets : "");
    uint32_t Y = files->layout.labels;
    if (Y && array->shape[array->rank - 1] != Y)
        return array_fail(array, err, "expected scores of %" PRIu32 " labels in the last dimension, found %s", Y,
                          shape_of(array).of);
    return true;
}

/* Chooses the array that holds all scores; NULL: each array is a sentence. */
static const struct array *choose_array(const struct array_file *file, bool laid_out)
{
    for (const char *const *name = names_of_scores; *name; name++) {
        const struct array *named = array_named(file, *name);
        if (named)
            return named;
    }
    const char *only = file->count == 1 ? file->array[0].name : "0";
    bool numbered = (only[0] >= '0' && only[0] <= '9') || strncmp(only, "arr_", 4) == 0;
    return file->count == 1 && (!numbered || laid_out) ? file->array : NULL;
}

static bool open_arrays(struct score_files *files, const struct score_values *paths, struct vouch_error *err)
{
    uint64_t sets = 1;
    if (!(files->file = array_file_open(paths->scores, err)))
        return false;
    if (files->file->count == 0)
        return fail(err, VOUCH_ERR_FORMAT, "%s: expected arrays of scores, found none", files->name);
    files->array = choose_array(files->file, paths->offsets || files->layout.padded);
    if (files->array) {
        files->padded = files->layout.padded || files->array->rank > files->kind->packed_most;
        if (!check_shape(files, files->array, &sets, err))
            return false;
        files->sets = (uint32_t)sets;
        files->sentences = files->padded ? files->array->shape[files->array->rank - 3] : 0;
        return true;
    }
    if (files->layout.padded)
        return fail(err, VOUCH_ERR_ARGUMENT, "%s: expected one array with --padded, found %zu", files->name,
                    files->file->count);
    if (!(files->each = array_file_sentences(files->file, err)))
        return false;
    files->sentences = files->file->count;
    for (uint64_t i = 0; i < files->sentences; i++) {
        if (!check_shape(files, files->each[i], &sets, err))
            return false;
        if (i > 0 && sets != files->sets)
            return array_fail(files->each[i], err, "expected %" PRIu32 " sets, as the first array has, found %s",
                              files->sets, shape_of(files->each[i]).of);
        files->sets = (uint32_t)sets;
    }
    return true;
}

/* Opens JSON lines; the first line that is not empty tells the number of sets. */
static bool open_lines(struct score_files *files, const struct score_values *paths, struct vouch_error *err)
{
    struct number_block block = {0};
    uint64_t i = 0;
    bool ok = true;
    if (paths->offsets || files->layout.padded)
        return fail(err, VOUCH_ERR_ARGUMENT,
                    "%s: a line of JSON lines is a sentence: expected no --offsets and no --padded", files->name);
    if (!(files->lines = number_lines_open(paths->scores, err)))
        return false;
    files->sentences = number_lines_count(files->lines);
    while (ok && i < files->sentences && block.rank < 2)
        ok = number_lines_read(files->lines, i++, "scores", &block, err);
    files->sets = block.rank == 3 ? (uint32_t)block.shape[0] : 1;
    ok = ok && (i == 0 || number_lines_read(files->lines, i - 1, "transitions", &block, err));
    files->edge_of_line = !files->kind->square && block.rank > 0;
    free(block.value);
    return ok && (files->sets <= MAX_SETS ||
                  fail(err, VOUCH_ERR_FORMAT, "%s: expected at most %d sets, found more", files->name, MAX_SETS));
}

/* Whether the file is JSON lines. */
static bool find_kind(const char *path, bool *lines, struct vouch_error *err)
{
    struct mapped_file map;
    if (!mapped_file_init(&map, path, err))
        return false;
    *lines = number_lines_start(map.bytes, map.size);
    mapped_file_release(&map);
    return true;
}

uint64_t score_files_units(const struct score_files *files, const struct sentence_place *at)
{
    /* Sums N, or (N + root)^2. */
    return files->kind->square ? at->squares + files->root * (2 * at->words + at->sentences) : at->words;
}

uint64_t score_files_fit(const struct score_files *files, uint64_t rows, uint64_t columns)
{
    uint64_t nodes = files->kind->square && columns > rows ? columns : rows;
    return columns > 0 && nodes > files->root ? nodes - files->root : 0;
}

/* Returns how many units of a packed array a sentence of N words takes. */
static uint64_t units_of(const struct score_files *files, uint64_t N)
{
    struct sentence_place behind = {1, N, N * N}; /* below 2^64, with the root, too: see add_up() */
    return score_files_units(files, &behind);
}

/* Returns how many units a set of a packed array has. */
static uint64_t units_in_all(const struct score_files *files)
{
    return files->array->shape[files->array->rank - files->kind->packed_rank];
}

/* Adds up lengths [S], or checks offsets [S + 1], into files->start. */
static bool add_up(struct score_files *files, const struct array *from, bool offsets, struct vouch_error *err)
{
    if (from->rank != 1 || (offsets && from->shape[0] == 0))
        return array_fail(from, err, "expected one dimension%s, found %s", offsets ? ", of S + 1 offsets" : "",
                          shape_of(from).of);
    uint64_t count = from->shape[0] - (offsets ? 1 : 0), most = UINT32_MAX - 1;
    if (!(files->start = new_array((size_t)count + 1, sizeof *files->start, err)))
        return false;
    for (uint64_t i = 0; i < from->shape[0]; i++) {
        int64_t n;
        if (!array_integers(from, i, 1, &n, err))
            return false;
        uint64_t before = offsets ? (i ? files->start[i - 1] : 0) : files->start[i];
        int64_t least = offsets ? (int64_t)before : 0, largest = offsets && i == 0 ? 0 : least + (int64_t)most;
        if (n < least || n > largest)
            return array_fail(from, err,
                              "value [%" PRIu64 "]: expected %s from %" PRId64 " to %" PRId64 ", found %" PRId64, i,
                              offsets ? "an offset of words" : "a length", least, largest, n);
        files->start[offsets ? i : i + 1] = offsets ? (uint64_t)n : before + (uint64_t)n;
    }
    if (files->sentences && files->sentences != count)
        return array_fail(from, err, "expected %s of %" PRIu64 " sentences, as %s has, found %" PRIu64,
                          offsets ? "offsets" : "lengths", files->sentences, files->name, count);
    files->sentences = count;
    return true;
}

static bool check_lengths(const struct score_files *files, const struct array *from, struct vouch_error *err)
{
    const struct array *array = files->array;
    uint64_t total = units_in_all(files), sum = 0, longest = UINT64_MAX;
    if (files->padded)
        longest = score_files_fit(files, array->shape[array->rank - 2], array->shape[array->rank - 1]);
    for (uint64_t i = 0; i < files->sentences; i++) {
        uint64_t N = files->start[i + 1] - files->start[i], own = units_of(files, N);
        if (N > longest)
            return array_fail(from, err, "sentence %" PRIu64 ": expected at most %" PRIu64 " words, found %" PRIu64,
                              i + 1, longest, N);
        sum = own > UINT64_MAX - sum ? UINT64_MAX : sum + own;
    }
    return files->padded || sum == total ||
           array_fail(from, err, "expected sentences of %" PRIu64 " %s in all, as %s has, found %" PRIu64, total,
                      files->kind->units, files->name, sum);
}

/* Whether values are offsets, and not lengths: they begin with 0, never fall, and add up to all there is. */
static bool find_offsets(const struct score_files *files, const struct array *from, bool *offsets,
                         struct vouch_error *err)
{
    uint64_t count = from->rank == 1 ? from->shape[0] : 0, units = 0;
    int64_t before = 0, n = 0;
    *offsets = count > 0 && (!files->padded || count == files->sentences + 1);
    for (uint64_t i = 0; i < count && *offsets; i++, before = n) {
        if (!array_integers(from, i, 1, &n, err))
            return false;
        *offsets = i == 0 ? n == 0 : n >= before;
        if (*offsets && i > 0)
            units += units_of(files, (uint64_t)(n - before));
    }
    *offsets = *offsets && (files->padded || units == units_in_all(files));
    return true;
}

/* Finds the lengths of sentences in a packed or padded array, if they are given. */
static bool find_lengths(struct score_files *files, const struct score_values *paths, struct vouch_error *err)
{
    const struct array *from = array_named(files->file, "lengths");
    bool offsets = false;
    if (!files->array)
        return !paths->offsets ||
               fail(err, VOUCH_ERR_ARGUMENT, "%s: each array is a sentence: expected no --offsets", files->name);
    if (paths->offsets) {
        files->offsets_file = array_file_open(paths->offsets, err);
        from = files->offsets_file ? array_file_find(files->offsets_file, NULL, err) : NULL;
        if (!from || !find_offsets(files, from, &offsets, err))
            return false;
    } else if (!from) {
        from = array_named(files->file, "offsets");
        offsets = true;
    }
    return !from || (add_up(files, from, offsets, err) && check_lengths(files, from, err));
}

static bool read_edges(struct score_files *files, const struct array *array, struct vouch_error *err)
{
    uint64_t Y = files->layout.labels, K = files->sets;
    bool square = array->rank >= 2 && array->shape[array->rank - 1] == Y && array->shape[array->rank - 2] == Y;
    if (!square || array->rank > 4 || (array->rank == 4 && array->shape[0] != K))
        return array_fail(array, err,
                          "expected transitions [Y, Y] of %" PRIu64 " labels, [K, Y, Y], or [T, Y, Y] for each word, "
                          "found %s",
                          Y, shape_of(array).of);
    bool by_set = array->rank == 3 && array->shape[0] == K; /* of K = 1, [T, Y, Y] has T > 1: one word has no step */
    if (array->rank > 2 && !by_set) {
        files->edge_of_word = array;
        return array_has_floats(array) || array_floats(array, 0, 0, NULL, err);
    }
    size_t size = (size_t)(Y * Y);
    if (array_values(array, 0) > MOST_EDGES)
        return array_fail(array, err, "expected at most 2^24 transitions, found %s", shape_of(array).of);
    if (!(files->edge = new_array(files->sets * size, sizeof *files->edge, err)))
        return false;
    for (uint32_t k = 0; k < files->sets; k++)
        if (!array_floats(array, by_set ? k * size : 0, size, files->edge + k * size, err))
            return false;
    return true;
}

/* Takes one block [Y][Y] of the transitions that a model keeps. */
static bool keep_block(size_t Y, const json_t *kept, float *edge, struct vouch_error *err)
{
    for (size_t i = 0; i < Y * Y; i++) {
        const json_t *value = json_array_get(json_array_get(kept, i / Y), i % Y);
        edge[i] = json_is_null(value) ? -INFINITY : (float)json_number_value(value);
        if (!json_is_number(value) && !json_is_null(value))
            return fail(err, VOUCH_ERR_FORMAT, "the transitions of the header are damaged");
    }
    return true;
}

/* Takes the transitions that a model keeps: see score_files_edges(). */
static bool keep_edges(struct score_files *files, const json_t *kept, struct vouch_error *err)
{
    size_t size = (size_t)files->layout.labels * files->layout.labels;
    bool by_set = json_is_array(json_array_get(json_array_get(kept, 0), 0));
    if (json_is_string(kept) && !files->lines)
        return fail(err, VOUCH_ERR_ARGUMENT,
                    "%s: the model was made for transitions of each word: expected an array \"transitions\" beside the "
                    "scores, or --transitions FILE of 'vouch judge'",
                    files->name);
    files->edge_expected = json_is_string(kept);
    if (files->edge_expected)
        return true;
    if (!(files->edge = new_array(files->sets * size, sizeof *files->edge, err)))
        return false;
    for (uint32_t k = 0; k < files->sets; k++)
        if (!keep_block(files->layout.labels, by_set ? json_array_get(kept, k) : kept, files->edge + k * size, err))
            return false;
    return true;
}

static bool find_edges(struct score_files *files, const struct score_layout *layout, const struct score_values *paths,
                       struct vouch_error *err)
{
    const struct array *inside = files->array ? array_named(files->file, "transitions") : NULL;
    if (files->kind->square)
        return !paths->transitions ||
               fail(err, VOUCH_ERR_ARGUMENT, "--transitions: expected scores of labels, found those of arcs");
    if (paths->transitions) {
        files->edge_file = array_file_open(paths->transitions, err);
        inside = files->edge_file ? array_file_find(files->edge_file, NULL, err) : NULL;
        if (!inside)
            return false;
    }
    if (inside)
        return read_edges(files, inside, err);
    return !layout->edge || keep_edges(files, layout->edge, err);
}

/* Whether the numbers of a row are from 0 to 1 and add up to 1; *between tells of one that is neither 0 nor 1. */
static bool is_distribution(const float *row, size_t Y, bool *between)
{
    double sum = 0;
    for (size_t y = 0; y < Y; y++) {
        if (!(row[y] >= 0 && row[y] <= 1))
            return false;
        *between = *between || (row[y] > 0 && row[y] < 1);
        sum += row[y];
    }
    return fabs(sum - 1) <= 1e-3;
}

/* Refuses probabilities of labels, by the first rows. In a padded array, rows of zeros or NaN are not looked at. */
static bool check_logits(const struct score_files *files, struct vouch_error *err)
{
    enum { ROWS = 200 };
    const struct array *array = files->array ? files->array : &files->file->array[0];
    size_t Y = files->layout.labels, rows = 0, looked = 0;
    if (Y < 2)
        return true;
    rows = (size_t)(array_values(array, 0) / Y);
    rows = rows < ROWS ? rows : ROWS;
    float *row = new_array(Y, sizeof *row, err);
    bool ok = row != NULL, all = true, between = false;
    for (size_t i = 0; ok && all && i < rows; i++) {
        size_t y = 0;
        bool read = array_floats(array, i * Y, Y, row, NULL); /* what cannot be read is padding, or refused later */
        while (read && files->padded && y < Y && row[y] == 0)
            y++;
        if (files->padded && (!read || y == Y))
            continue;
        all = read && is_distribution(row, Y, &between);
        looked++;
    }
    free(row);
    if (ok && all && between && looked > 0)
        return array_fail(array, err,
                          "expected logits or log-probabilities, found probabilities (rows from 0 to 1 that add up to "
                          "1): take their logarithm");
    return ok;
}

struct score_files *score_files_open(const struct score_layout *layout, const struct score_values *paths,
                                     struct vouch_error *err)
{
    struct score_files *files = new_array(1, sizeof *files, err);
    bool lines = false;
    if (!files)
        return NULL;
    files->layout = *layout;
    files->layout.edge = NULL;
    files->kind = layout->trees ? &of_arcs : &of_labels;
    files->root = files->kind->square && !layout->diagonal;
    files->sets = 1;
    files->name = new_string(paths->scores, strlen(paths->scores), err);
    if (files->name && find_kind(paths->scores, &lines, err) &&
        (lines ? open_lines(files, paths, err)
               : open_arrays(files, paths, err) && find_lengths(files, paths, err) && check_logits(files, err)) &&
        find_edges(files, layout, paths, err))
        return files;
    score_files_free(files);
    return NULL;
}

static json_t *describe_block(size_t Y, const float *edge)
{
    json_t *rows = json_array();
    for (size_t i = 0; i < Y; i++) {
        json_t *row = json_array();
        for (size_t j = 0; j < Y; j++) {
            float x = edge[i * Y + j];
            json_array_append_new(row, x == -INFINITY ? json_null() : json_real((double)x));
        }
        json_array_append_new(rows, row);
    }
    return rows;
}

json_t *score_files_edges(const struct score_files *files)
{
    size_t Y = files->layout.labels, size = Y * Y;
    bool alike = true;
    if (files->edge_of_word || files->edge_of_line)
        return json_string("words");
    if (!files->edge)
        return NULL;
    for (size_t i = size; i < files->sets * size; i++)
        alike = alike && files->edge[i] == files->edge[i % size];
    if (alike)
        return describe_block(Y, files->edge);
    json_t *sets = json_array();
    for (uint32_t k = 0; k < files->sets; k++)
        json_array_append_new(sets, describe_block(Y, files->edge + k * size));
    return sets;
}

bool score_files_suit(struct score_files *files, const struct vouch_model *model, struct vouch_error *err)
{
    uint32_t sets = model->layer[0].voice[0].sets;
    if (files->sets != sets)
        return fail(err, VOUCH_ERR_FORMAT, "%s: expected %u set%s of scores, as the model was made for, found %u",
                    files->name, sets, sets == 1 ? "" : "s", files->sets);
    files->rules = score_rules_of(model);
    return true;
}

struct score_layout score_layout_of(const struct vouch_model *model)
{
    const json_t *arcs = json_object_get(model->header, "arcs");
    const char *order = json_string_value(json_object_get(arcs, "order"));
    const char *root = json_string_value(json_object_get(arcs, "root"));
    return (struct score_layout){.trees = model->trees,
                                 .labels = model->trees ? 0 : labels_count(&model->labels),
                                 .modifier_first = order && strcmp(order, "modifier-first") == 0,
                                 .diagonal = root && strcmp(root, "diagonal") == 0,
                                 .padded = json_is_true(json_object_get(model->header, "padded")),
                                 .edge = json_object_get(model->header, "transitions")};
}

bool score_files_open_for(const struct vouch_model *model, const struct score_values *paths, struct score_files **files,
                          struct vouch_error *err)
{
    bool lacks = model_lacks_weights(model);
    *files = NULL;
    if (!lacks && (paths->scores || paths->offsets))
        return fail(err, VOUCH_ERR_ARGUMENT,
                    "%s: this model has weights and makes scores itself: expected one without weights, made by 'vouch "
                    "judge', with --scores",
                    model->file.name);
    if (!lacks)
        return true;
    if (!paths->scores)
        return fail(err, VOUCH_ERR_ARGUMENT,
                    "%s: this model has no weights, and judges the scores of another program: expected --scores FILE",
                    model->file.name);
    struct score_layout layout = score_layout_of(model);
    *files = score_files_open(&layout, paths, err);
    return *files && score_files_suit(*files, model, err);
}

bool score_files_end(const struct score_files *files, const struct sentence_place *at, struct vouch_error *err)
{
    const struct array *array = files->array, *edge = files->edge_of_word;
    bool counted = files->start || files->padded || !array;
    if (edge && edge->shape[edge->rank - 3] != at->words)
        return array_fail(edge, err, "expected transitions of %" PRIu64 " words, as there are, found %" PRIu64,
                          at->words, edge->shape[edge->rank - 3]);
    if (counted)
        return at->sentences == files->sentences ||
               fail(err, VOUCH_ERR_FORMAT,
                    "%s: expected scores of %" PRIu64 " sentences, as there are (document marks have none), found "
                    "those of %" PRIu64,
                    files->name, at->sentences, files->sentences);
    uint64_t total = units_in_all(files), sum = score_files_units(files, at);
    return sum == total ||
           array_fail(array, err,
                      "expected scores of %" PRIu64 " %s, as there are (document marks have none), found %" PRIu64, sum,
                      files->kind->units, total);
}
