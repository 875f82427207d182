/*
 * Makes the noise of drawn models: see noise.h.
 *
 * The pool holds POOL numbers, q = 128 z rounded, clipped to |z| <= 4 so that 63 of them can be added in 16 bits, and
 * enough more for the longest run to start anywhere. The numbers are made in pairs (Box and Muller 1958):
 *
 *     sqrt(-2 ln u) * (cos, sin)(2 pi v),     u, v uniform
 *
 * Where all features count 1 and share one variance, a row's noise is a sum of integers: runs are added whole, eight at
 * a time, in 16 bits, and the sum is scaled and added to the score in the end. Elsewhere lanes are summed in float,
 * feature by feature. Either way all instruction sets give the same bits.
 *
 * Weights that collide in the pool share their noise. Two runs do so with a probability of 32 / POOL, or in part if
 * they overlap; the noise of a row of n features then has a variance that is off by a share of about n / 4096.
 */
#include "confidence/noise.h"

#include "base/elementary.h"
#include "base/hash.h"
#include "base/random.h"

#include <math.h>
#include <string.h>

enum {
    POOL = 1 << 17,
    RUN = 16, /* weights that read one run */
    LONGEST_RUN = RUN * MAX_DRAWS,
    STEPS = 128, /* in 1 */
    MOST = 4 * STEPS,
    FIT = INT16_MAX / MOST, /* numbers that can be added in 16 bits */
    OFFSETS = POOL / LANE_STEP,
    BLOCK = LANE_STEP / 2, /* numbers are added in blocks of this size; a part has a whole number of them */
    AHEAD = 64,            /* features whose weights are prefetched */
    STREAM = 0x706f6f6c    /* the stream of random numbers, used nowhere else */
};

/* Where scores come from elsewhere, edge e has the feature number SOURCED_EDGES + e, which no group has. */
#define SOURCED_EDGES ((uint64_t)1 << 32)

struct noise {
    int16_t *pool; /* [POOL + LONGEST_RUN] */
    size_t capacity;
    uint32_t *name; /* [names] what a feature is */
    uint64_t names;
};

static int16_t quantised(double z)
{
    double q = rint(z * STEPS);
    return (int16_t)(q < -MOST ? -MOST : q > MOST ? MOST : q);
}

struct noise *noise_new(uint64_t seed, struct vouch_error *err)
{
    const double pi = 3.14159265358979323846;
    struct noise *noise = new_array(1, sizeof *noise, err);
    if (!noise || !RESERVE_ALIGNED(noise->pool, noise->capacity, POOL + LONGEST_RUN, err)) {
        noise_free(noise);
        return NULL;
    }
    struct rng rng = rng_new(seed, STREAM);
    for (size_t i = 0; i < POOL + LONGEST_RUN; i += 2) {
        double radius = sqrt(-2 * log_of(1 - rng_uniform(&rng))), angle = 2 * pi * rng_uniform(&rng);
        noise->pool[i] = quantised(radius * cos_of(angle));
        noise->pool[i + 1] = quantised(radius * sin_of(angle));
    }
    return noise;
}

void noise_free(struct noise *noise)
{
    if (noise) {
        free(noise->pool);
        free(noise->name);
    }
    free(noise);
}

void noise_name_features(struct noise *noise, uint32_t *name, uint64_t count)
{
    noise->name = name;
    noise->names = count;
}

/* Returns where the runs number c of all features are: the key of run_of(). */
static inline uint64_t run_key(uint64_t key, uint32_t c)
{
    return hash_mix(hash_mix(key, STREAM), c);
}

static inline const int16_t *run_of(const struct noise *noise, uint64_t run_key, uint64_t feature)
{
    uint64_t what = feature < noise->names ? noise->name[feature] : feature;
    uint64_t spread = hash_mix(run_key, what) * UINT64_C(0x9E3779B97F4A7C15);
    return noise->pool + (spread >> 32) % OFFSETS * LANE_STEP;
}

/* Returns how many numbers of a run each part has: one for each lane, or for each pair of lanes. */
static inline size_t numbers_of(const struct drawing *drawing)
{
    return lanes_stride(drawing->K) / (drawing->paired ? 2 : 1);
}

int noise_at(const struct drawing *drawing, uint64_t feature, uint32_t part, uint32_t k)
{
    const int16_t *run =
        run_of(drawing->noise, run_key(drawing->key, part / RUN), feature) + part % RUN * numbers_of(drawing);
    return drawing->paired ? (k % 2 ? -run[k / 2] : run[k / 2]) : run[k];
}

struct noise_work {
    enum simd set;
    uint32_t *live;      /* [features of a row] those that were learned */
    const int16_t **run; /* [features of a row] */
    float *weight;       /* [features of a row][RUN] the factors of the numbers of a run */
    int16_t *few;        /* [RUN][numbers] sums of at most FIT numbers */
    int32_t *sum;        /* [RUN][numbers] */
    float *real;         /* [RUN][numbers] */
    /* A row with the dense features of its word among the others: see with_dense(). */
    uint32_t start[2], *feature;
    float *value;
    /* What lanes are filled from. */
    struct drawing drawing;
    const struct parts *parts;
    const struct space *space;
    const struct scores *scores;
    size_t live_capacity, run_capacity, weight_capacity, few_capacity, sum_capacity, real_capacity, feature_capacity,
        value_capacity;
};

struct noise_work *noise_work_new(struct vouch_error *err)
{
    return new_array(1, sizeof(struct noise_work), err);
}

void noise_work_free(struct noise_work *work)
{
    if (!work)
        return;
    free(work->live);
    free(work->run);
    free(work->weight);
    free(work->few);
    free(work->sum);
    free(work->real);
    free(work->feature);
    free(work->value);
    free(work);
}

/* Makes sum (= or +=) `count` runs, a constant of at most eight. */
SIMD_BODY void add_some(const int16_t *const *run, int count, bool first, size_t length, int16_t *restrict sum)
{
    const int16_t *r[8];
    for (int i = 0; i < 8; i++)
        r[i] = run[i < count ? i : 0];
    for (size_t b = 0; b < length; b += BLOCK)
        for (size_t k = b; k < b + BLOCK; k++) {
            uint16_t all = first ? 0 : (uint16_t)sum[k];
            all = (uint16_t)(all + (uint16_t)r[0][k]);
            if (count > 1)
                all = (uint16_t)(all + (uint16_t)r[1][k]);
            if (count > 2)
                all = (uint16_t)(all + (uint16_t)r[2][k] + (uint16_t)r[3][k]);
            if (count > 4)
                all = (uint16_t)(all + (uint16_t)r[4][k] + (uint16_t)r[5][k] + (uint16_t)r[6][k] + (uint16_t)r[7][k]);
            sum[k] = (int16_t)all;
        }
}

/* Makes few = the sum of at most FIT runs. */
SIMD_BODY void add_few(const int16_t *const *run, size_t count, size_t length, int16_t *few)
{
    size_t i = 0;
    if (count >= 8) {
        add_some(run, 8, true, length, few);
        for (i = 8; i + 8 <= count; i += 8)
            add_some(run + i, 8, false, length, few);
    } else
        memset(few, 0, length * sizeof *few);
    if (i + 4 <= count) {
        add_some(run + i, 4, false, length, few);
        i += 4;
    }
    if (i + 2 <= count) {
        add_some(run + i, 2, false, length, few);
        i += 2;
    }
    if (i < count)
        add_some(run + i, 1, false, length, few);
}

/* Makes sum = the sum of all runs. */
SIMD_BODY void add_plain(const int16_t *const *run, size_t count, size_t length, int16_t *restrict few,
                         int32_t *restrict sum)
{
    memset(sum, 0, length * sizeof *sum);
    for (size_t i = 0; i < count; i += FIT) {
        add_few(run + i, count - i < FIT ? count - i : FIT, length, few);
        for (size_t k = 0; k < length; k++)
            sum[k] += few[k];
    }
}

/* One run of a row: its parts' scores, with the noise of `count` features. */
struct run {
    const int16_t *const *from; /* [count], runs of [parts][numbers] */
    const float *weight;        /* [count][RUN], or NULL: all 1 */
    size_t count, parts, numbers, stride;
    bool paired;
    const float *score; /* [parts] */
    float scale;
    struct noise_work *work;
    float *out; /* [parts][stride] */
};

/* Makes the lanes of one part of its `numbers` sums: score + scale * sum, and of a pair score - scale * sum, too. */
#define FINISH(name, type)                                                                                             \
    SIMD_BODY void name(const type *restrict sum, const struct run *r, size_t part)                                    \
    {                                                                                                                  \
        float score = r->score[part], scale = r->scale, *restrict out = r->out + part * r->stride;                     \
        if (r->paired)                                                                                                 \
            for (size_t b = 0; b < r->numbers; b += BLOCK)                                                             \
                for (size_t k = b; k < b + BLOCK; k++) {                                                               \
                    out[2 * k] = score + scale * (float)sum[k];                                                        \
                    out[2 * k + 1] = score - scale * (float)sum[k];                                                    \
                }                                                                                                      \
        else                                                                                                           \
            for (size_t b = 0; b < r->numbers; b += BLOCK)                                                             \
                for (size_t k = b; k < b + BLOCK; k++)                                                                 \
                    out[k] = score + scale * (float)sum[k];                                                            \
    }

FINISH(finish_few, int16_t)
FINISH(finish_many, int32_t)
FINISH(finish_real, float)

/* Makes sum += weight * run for features i .. i + count - 1, one after the other; count is 1 or 4. */
SIMD_BODY void add_weighted(const struct run *r, size_t i, int count, float *restrict sum)
{
    const int16_t *q0 = r->from[i], *q1 = q0, *q2 = q0, *q3 = q0;
    const float *weight = r->weight + i * RUN;
    if (count == 4) {
        q1 = r->from[i + 1];
        q2 = r->from[i + 2];
        q3 = r->from[i + 3];
    }
    for (size_t j = 0; j < r->parts; j++)
        for (size_t b = j * r->numbers; b < (j + 1) * r->numbers; b += BLOCK)
            for (size_t k = b; k < b + BLOCK; k++) {
                float all = sum[k] + weight[j] * (float)q0[k];
                if (count == 4) {
                    all += weight[RUN + j] * (float)q1[k];
                    all += weight[2 * RUN + j] * (float)q2[k];
                    all += weight[3 * RUN + j] * (float)q3[k];
                }
                sum[k] = all;
            }
}

SIMD_BODY void draw_weighted(const struct run *r, float *restrict sum)
{
    size_t i = 0;
    memset(sum, 0, r->parts * r->numbers * sizeof *sum);
    for (; i + 4 <= r->count; i += 4)
        add_weighted(r, i, 4, sum);
    for (; i < r->count; i++)
        add_weighted(r, i, 1, sum);
    for (size_t j = 0; j < r->parts; j++)
        finish_real(sum + j * r->numbers, r, j);
}

SIMD_BODY void draw_run(const struct run *r)
{
    struct noise_work *work = r->work;
    size_t numbers = r->numbers, length = r->parts * numbers;
    if (r->weight)
        draw_weighted(r, work->real);
    else if (r->count <= FIT) {
        add_few(r->from, r->count, length, work->few);
        for (size_t j = 0; j < r->parts; j++)
            finish_few(work->few + j * numbers, r, j);
    } else {
        add_plain(r->from, r->count, length, work->few, work->sum);
        for (size_t j = 0; j < r->parts; j++)
            finish_many(work->sum + j * numbers, r, j);
    }
}

SIMD_KERNEL(draw_run, (const struct run *r), (r))

/* Rows of one kind, nodes or edges. Where scores come from elsewhere, a row is a feature of its own, which counts 1. */
struct kind {
    const struct rows *rows;
    bool sourced;            /* scores from elsewhere */
    const float *mean, *var; /* of feature 0 */
    uint64_t first;          /* the number of feature 0 */
    size_t width;
    const float *score; /* [rows][width] */
    float *out;         /* [rows][width][stride] */
};

static bool learned(const float *mean, size_t width)
{
    size_t j = 0;
    if (width == 1)
        return mean[0] != 0;
    while (j < width && mean[j] == 0)
        j++;
    return j < width;
}

/* Lists the features of row g whose weights were learned. */
static size_t list_live(const struct kind *kind, uint32_t g, uint32_t *live)
{
    const struct rows *rows = kind->rows;
    size_t count = 0, all = rows->start[rows->count];
    for (uint32_t i = rows->start[g]; i < rows->start[g + 1]; i++) {
        live[count] = i;
        if (i + AHEAD < all) {
            size_t ahead = rows->feature[i + AHEAD] * kind->width;
            __builtin_prefetch(kind->mean + ahead);
            if (kind->var)
                __builtin_prefetch(kind->var + ahead);
        }
        count += learned(kind->mean + rows->feature[i] * kind->width, kind->width);
    }
    return count;
}

/* Does the same for rows of one run whose numbers are used as they are: lists their runs at once. */
static size_t list_runs(const struct drawing *drawing, const struct kind *kind, uint32_t g, const int16_t **run)
{
    const struct rows *rows = kind->rows;
    uint64_t key = run_key(drawing->key, 0);
    size_t count = 0, all = rows->start[rows->count];
    for (uint32_t i = rows->start[g]; i < rows->start[g + 1]; i++) {
        uint32_t feature = rows->feature[i];
        if (i + AHEAD < all) {
            uint32_t ahead = rows->feature[i + AHEAD];
            __builtin_prefetch(kind->mean + ahead * kind->width);
            if (kind->first + ahead < drawing->noise->names)
                __builtin_prefetch(drawing->noise->name + kind->first + ahead);
        }
        run[count] = run_of(drawing->noise, key, kind->first + feature);
        count += learned(kind->mean + feature * kind->width, kind->width);
    }
    return count;
}

/* Lists the factors of the numbers of parts `from` .. `from` + parts - 1, feature by feature. */
static void list_weights(const struct kind *kind, const struct noise_work *work, size_t count, size_t from,
                         size_t parts)
{
    const struct rows *rows = kind->rows;
    for (size_t i = 0; i < count; i++) {
        float value = rows->value ? rows->value[work->live[i]] : 1, *weight = work->weight + i * RUN;
        const float *var = kind->var ? kind->var + rows->feature[work->live[i]] * kind->width + from : NULL;
        for (size_t j = 0; j < parts; j++)
            weight[j] = var ? sqrtf(var[j]) * value : value;
    }
}

static void draw_row(const struct drawing *drawing, const struct kind *kind, uint32_t g, struct noise_work *work)
{
    bool weighted = !kind->sourced && (kind->rows->value || kind->var), plain = !weighted && kind->width <= RUN;
    size_t stride = lanes_stride(drawing->K);
    size_t count = kind->sourced ? 1 : plain ? list_runs(drawing, kind, g, work->run) : list_live(kind, g, work->live);
    struct run run = {.from = work->run,
                      .weight = weighted ? work->weight : NULL,
                      .count = count,
                      .numbers = numbers_of(drawing),
                      .stride = stride,
                      .paired = drawing->paired,
                      .scale = (float)(sqrt(drawing->s) / STEPS),
                      .work = work};
    for (size_t from = 0; from < kind->width; from += RUN) {
        uint64_t key = run_key(drawing->key, (uint32_t)(from / RUN));
        run.parts = kind->width - from < RUN ? kind->width - from : RUN;
        run.score = kind->score + g * kind->width + from;
        run.out = kind->out + (g * kind->width + from) * stride;
        if (kind->sourced)
            work->run[0] = run_of(drawing->noise, key, kind->first + g);
        for (size_t i = 0; !plain && !kind->sourced && i < count; i++)
            work->run[i] = run_of(drawing->noise, key, kind->first + kind->rows->feature[work->live[i]]);
        if (weighted)
            list_weights(kind, work, count, from, run.parts);
        draw_run_for[work->set](&run);
    }
}

/* Makes room for the longest row. */
static bool make_room(struct noise_work *work, const struct kind *kind, size_t stride, struct vouch_error *err)
{
    const struct rows *rows = kind->rows;
    size_t longest = kind->sourced;
    for (uint32_t g = 0; !kind->sourced && g < rows->count; g++)
        if (rows->start[g + 1] - rows->start[g] > longest)
            longest = rows->start[g + 1] - rows->start[g];
    longest++; /* list_live() and list_runs() write one element past the last */
    return RESERVE(work->live, work->live_capacity, longest, err) &&
           RESERVE(work->run, work->run_capacity, longest, err) &&
           RESERVE(work->weight, work->weight_capacity, longest * RUN, err) &&
           RESERVE_ALIGNED(work->few, work->few_capacity, RUN * stride, err) &&
           RESERVE_ALIGNED(work->sum, work->sum_capacity, RUN * stride, err) &&
           RESERVE_ALIGNED(work->real, work->real_capacity, RUN * stride, err);
}

static bool draw_rows(const struct drawing *drawing, const struct kind *kind, struct noise_work *work,
                      struct vouch_error *err)
{
    if (!make_room(work, kind, lanes_stride(drawing->K), err))
        return false;
    for (uint32_t g = 0; g < kind->rows->count; g++)
        draw_row(drawing, kind, g, work);
    return true;
}

/* Fills the lanes of `rows`, the groups from `first` on. */
static bool draw_nodes(struct noise_work *work, const struct rows *rows, uint32_t first, const struct lanes *lanes,
                       struct vouch_error *err)
{
    bool sourced = work->parts->score_source;
    struct kind kind = {.rows = rows,
                        .sourced = sourced,
                        .mean = work->drawing.mean,
                        .var = work->drawing.var,
                        .first = sourced ? lanes->base + first : 0,
                        .width = work->drawing.space->width,
                        .score = work->scores->node + ((size_t)lanes->base + first) * work->drawing.space->width,
                        .out = lanes_node(lanes, first)};
    return draw_rows(&work->drawing, &kind, work, err);
}

/* Fills the lanes of `count` edges from number `first` on. */
static bool draw_edges(struct noise_work *work, uint32_t first, uint32_t count, float *out, struct vouch_error *err)
{
    const struct space *space = work->drawing.space;
    const struct rows *all = &work->parts->edge;
    bool sourced = work->parts->score_source;
    struct rows rows = {count, sourced ? NULL : all->start + first, all->feature, all->value};
    size_t start = sourced ? 0 : space_edge(space, 0), square = (size_t)space->width * space->width;
    struct kind kind = {.rows = &rows,
                        .sourced = sourced,
                        .mean = sourced ? NULL : work->drawing.mean + start,
                        .var = work->drawing.var ? work->drawing.var + start : NULL,
                        .first = sourced ? SOURCED_EDGES + first : space->nodes,
                        .width = square,
                        .score = work->scores->edge + first * square,
                        .out = out};
    return draw_rows(&work->drawing, &kind, work, err);
}

/* Adds the scores of edges to or from a label that is not drawn to the nodes of a word; edges lie `step` apart. */
static void add_edges(float *restrict node, const float *restrict edge, size_t step, const struct lanes *lanes)
{
    for (size_t y = 0; y < lanes->width; y++)
        for (size_t k = 0; k < lanes->stride; k++)
            node[y * lanes->stride + k] += edge[y * step + k];
}

/* Ties the first and the last word of a run to their neighbours, which are not drawn. */
static void tie_ends(const struct lanes *lanes)
{
    size_t stride = lanes->stride, Y = lanes->width, after = (size_t)lanes->base + lanes->N;
    if (lanes->from == 0 && lanes->base > 0)
        add_edges(lanes_node(lanes, 0), lanes->edge + lanes->answer[lanes->base - 1] * Y * stride, stride, lanes);
    if (lanes->to == lanes->N && after < lanes->at->N)
        add_edges(lanes_node(lanes, lanes->N - 1), lanes->edge + lanes->answer[after] * stride, Y * stride, lanes);
}

/*
 * Makes one row of `rows`, that of group g, a row with values, the dense features first. Components that are zero have
 * no noise and are left out.
 */
static bool with_dense(struct noise_work *work, uint32_t g, struct rows *rows, struct vouch_error *err)
{
    const struct dense *dense = &work->parts->dense;
    size_t most = (size_t)dense_features(dense) + rows->start[1] - rows->start[0];
    uint32_t count = 0;
    if (!RESERVE(work->feature, work->feature_capacity, most, err) ||
        !RESERVE(work->value, work->value_capacity, most, err))
        return false;
    for (uint32_t place = 0; place <= 2 * dense->window; place++) {
        const float *vector = dense_vector(dense, work->parts->N, g, place);
        for (uint32_t d = 0; vector && d < dense->D; d++) {
            work->feature[count] = place * dense->D + d;
            work->value[count] = vector[d];
            count += vector[d] != 0;
        }
    }
    for (uint32_t i = rows->start[0]; i < rows->start[1]; i++, count++) {
        work->feature[count] = rows->feature[i];
        work->value[count] = rows->value ? rows->value[i] : 1;
    }
    work->start[0] = 0;
    work->start[1] = count;
    *rows = (struct rows){1, work->start, work->feature, work->value};
    return true;
}

static bool fill(struct lanes *lanes, void *filler, struct vouch_error *err)
{
    struct noise_work *work = filler;
    struct rows rows;
    bool dense = work->parts->dense.D > 0;
    for (uint32_t g = lanes->from, end; g < lanes->to; g = end) {
        for (end = g; end < lanes->to && (!lanes->drawn || lanes->drawn[lanes->base + end]); end++)
            ;
        for (; g < end; g += rows.count) {
            rows = parts_rows(work->parts, lanes->base + g, lanes->base + (dense ? g + 1 : end));
            if ((dense && !with_dense(work, lanes->base + g, &rows, err)) || !draw_nodes(work, &rows, g, lanes, err))
                return false;
        }
        end += end < lanes->to;
    }
    if (lanes->drawn && lanes->E == 1)
        tie_ends(lanes);
    uint32_t first = lanes->from > 0 ? lanes->from : 1;
    return lanes->E < 2 || lanes->to <= first ||
           draw_edges(work, first - 1, lanes->to - first, lanes_edge(lanes, first), err);
}

/* Sums the squares of the factors that the numbers of part j of row g have, but for s. */
static double sum_squares(const struct kind *kind, uint32_t g, size_t j)
{
    const struct rows *rows = kind->rows;
    double sum = 0;
    for (uint32_t i = rows->start[g]; i < rows->start[g + 1]; i++) {
        size_t block = rows->feature[i] * kind->width;
        double value = rows->value ? (double)rows->value[i] : 1;
        if (learned(kind->mean + block, kind->width))
            sum += value * value * (kind->var ? (double)kind->var[block + j] : 1);
    }
    return sum;
}

/* Sums the same of the dense features of word g. */
static double sum_dense_squares(const struct drawing *drawing, const struct parts *parts, uint32_t g, size_t j)
{
    const struct dense *dense = &parts->dense;
    size_t width = drawing->space->width;
    double sum = 0;
    for (uint32_t place = 0; dense->D && place <= 2 * dense->window; place++) {
        const float *vector = dense_vector(dense, parts->N, g, place);
        size_t at = (size_t)place * dense->D * width + j;
        for (uint32_t d = 0; vector && d < dense->D; d++, at += width)
            sum += (double)vector[d] * vector[d] * (drawing->var ? (double)drawing->var[at] : 1);
    }
    return sum;
}

double noise_variance(const struct drawing *drawing, const struct parts *parts, uint32_t group, uint32_t j)
{
    if (parts->score_source)
        return drawing->s;
    struct rows rows = parts_rows(parts, group, group + 1);
    struct kind kind = {.rows = &rows, .mean = drawing->mean, .var = drawing->var, .width = drawing->space->width};
    return drawing->s * (sum_squares(&kind, 0, j) + sum_dense_squares(drawing, parts, group, j));
}

double noise_edge_variance(const struct drawing *drawing, const struct parts *parts, uint32_t edge, uint32_t left,
                           uint32_t right)
{
    if (parts->score_source)
        return drawing->s;
    size_t start = space_edge(drawing->space, 0), width = drawing->space->width;
    struct kind kind = {.rows = &parts->edge,
                        .mean = drawing->mean + start,
                        .var = drawing->var ? drawing->var + start : NULL,
                        .width = width * width};
    return drawing->s * sum_squares(&kind, edge, left * width + right);
}

/* Makes out[g][j] of all rows. */
static void sum_rows(const struct kind *kind, double s, float *out)
{
    const struct rows *rows = kind->rows;
    for (uint32_t g = 0; g < rows->count; g++, out += kind->width) {
        float plain = 0;
        memset(out, 0, kind->width * sizeof *out);
        for (uint32_t i = rows->start[g]; i < rows->start[g + 1]; i++) {
            size_t block = rows->feature[i] * kind->width;
            float value = rows->value ? rows->value[i] : 1;
            if (!learned(kind->mean + block, kind->width))
                continue;
            plain += value * value;
            for (size_t j = 0; kind->var && j < kind->width; j++)
                out[j] += value * value * kind->var[block + j];
        }
        for (size_t j = 0; j < kind->width; j++)
            out[j] = (float)(s * (double)(kind->var ? out[j] : plain));
    }
}

void noise_variances(const struct drawing *drawing, const struct parts *parts, uint32_t from, uint32_t to,
                     struct scores *variance)
{
    size_t width = drawing->space->width;
    float *out = variance->node + from * width;
    for (size_t i = 0; parts->score_source && i < (to - from) * width; i++)
        out[i] = (float)drawing->s;
    if (parts->score_source)
        return;
    for (uint32_t g = from; g < to;) {
        struct rows rows = parts_rows(parts, g, to);
        struct kind kind = {.rows = &rows, .mean = drawing->mean, .var = drawing->var, .width = width};
        sum_rows(&kind, drawing->s, variance->node + g * width);
        g += rows.count;
    }
    for (uint32_t g = from; parts->dense.D && g < to; g++)
        for (size_t j = 0; j < width; j++)
            variance->node[g * width + j] += (float)(drawing->s * sum_dense_squares(drawing, parts, g, j));
}

void noise_edge_variances(const struct drawing *drawing, const struct parts *parts, struct scores *variance)
{
    size_t square = (size_t)variance->width * variance->width;
    for (size_t i = 0; parts->score_source && i < variance->E * square; i++)
        variance->edge[i] = (float)drawing->s;
    if (parts->score_source)
        return;
    size_t start = space_edge(drawing->space, 0);
    struct kind kind = {.rows = &parts->edge,
                        .mean = drawing->mean + start,
                        .var = drawing->var ? drawing->var + start : NULL,
                        .width = square};
    sum_rows(&kind, drawing->s, variance->edge);
}

bool drawing_is_sound(const struct drawing *drawing, struct vouch_error *err)
{
    return (drawing->s >= 0 && !isinf(drawing->s)) ||
           fail(err, VOUCH_ERR_ARGUMENT, "a variance of %g, expected a finite one of at least 0", drawing->s);
}

bool noise_score(const struct drawing *drawing, const struct parts *parts, const struct scores *scores,
                 struct noise_work *work, struct lanes *lanes, struct vouch_error *err)
{
    struct lanes shape = {.N = parts->N,
                          .G = parts->node.count,
                          .width = drawing->space->width,
                          .E = parts->edge.count,
                          .K = drawing->K,
                          .fill = fill,
                          .filler = work,
                          .drawn = drawing->drawn,
                          .answer = drawing->answer,
                          .at = scores};
    if (!drawing_is_sound(drawing, err) || !lanes_shape(lanes, &shape, err))
        return false;
    work->set = simd_best();
    work->drawing = *drawing;
    work->parts = parts;
    work->scores = scores;
    return lanes->E != 1 || draw_edges(work, 0, 1, lanes->edge, err);
}
