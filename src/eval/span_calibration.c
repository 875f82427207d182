/*
 * Calibrates the scores of spans that another program has found: see file_comparison.h.
 *
 * The probability of a span to be right is a function of, each of which is tried,
 *
 *     score     its score alone: isotonic or beta regression, or Platt's (fit/calibrate.h)
 *     types     the score and the type: a slope and a constant for each type that is not rare. The prior on both draws
 *               types of which little is known towards all of them
 *     signals   these, and what the file tells beside the score: how long the span is, how it is written, what
 *               overlaps it, and what the same words are called elsewhere in the file
 *
 * The last two are forecasters (fit/forecaster.h). The one of the least log loss on texts that were held out is taken;
 * a richer one must gain more than a standard error. Texts are held out in BLOCKS of neighbours: these often are of one document,
 * whose names are repeated, and with single texts the rows that are learned from would tell too much of the others
 * (a log loss of 0.265 instead of 0.284 where other text has 0.293: docs/MEASUREMENTS.md). Signals look at answers and texts, never at gold, so that a file without gold
 * has them as well: they are those of the file at hand, and the words of a larger file are seen more often.
 *
 * Time: O(n log n) for n spans, and in the texts a dozen look-ups for each word.
 */
#include "eval/file_comparison.h"

#include "base/elementary.h"
#include "model/confidence_model.h"
#include "model/records.h"

#include <math.h>
#include <stdlib.h>
#include <string.h>

enum { MOST_TYPES = 20, RARE_TYPE = 10, ENDS = 12, BLOCKS = 20 };

enum span_signal {
    SIGNAL_SCORE,
    SIGNAL_LENGTH,   /* log of its characters */
    SIGNAL_WORDS,    /* blanks in it, and one */
    SIGNAL_CAPITAL,  /* it begins with one, */
    SIGNAL_DIGIT,    /* or has a digit */
    SIGNAL_OVERLAPS, /* another span of the text */
    SIGNAL_SPANS,    /* log of 1 + those */
    SIGNAL_OTHERS,   /* the share of votes for others that overlap */
    SIGNAL_SEEN,     /* log of 1 + other spans of the same words */
    SIGNAL_AGREED,   /* the share of these that have the same type */
    SIGNAL_THEIRS,   /* the mean score of these */
    SIGNAL_CALLED,   /* the share of places with the same words that are spans of any type */
    SPAN_SIGNALS
};

const char *const span_way_names[SPAN_WAYS] = {"score", "types", "signals"};

static uint32_t width_of(const struct span_calibration *c, enum span_way way)
{
    return (way == SPANS_BY_SIGNALS ? SPAN_SIGNALS : 1) + 2 * c->types;
}

void span_calibration_release(struct span_calibration *c)
{
    for (uint32_t i = 0; c->type && i < c->types; i++)
        free(c->type[i]);
    free(c->type);
    forecaster_release(&c->forecaster);
    *c = (struct span_calibration){0};
}

/* What is known of the words of spans, over the whole file. */
struct same_words {
    struct dictionary words, typed; /* words; words and type, with a tab between */
    struct word_tally {
        uint32_t spans, places;
        double score; /* the sum over spans */
    } *word, *of_type; /* [count + 1] each */
    struct buffer key;
};

static void same_words_release(struct same_words *s)
{
    dictionary_release(&s->words);
    dictionary_release(&s->typed);
    free(s->word);
    free(s->of_type);
    free(s->key.bytes);
}

static struct text type_of(const struct answer_row *row)
{
    return (struct text){row->guess.at + 2, row->guess.length - 2};
}

/* Finds the numbers of a span's words, and of these with its type; 0 if it is to be looked up and not there. */
static bool find_words(struct same_words *s, const struct answer_row *row, uint32_t id[2], struct vouch_error *err)
{
    s->key.length = 0;
    if (!buffer_add(&s->key, row->word, err) || !buffer_put(&s->key, '\t', err) ||
        !buffer_add(&s->key, type_of(row), err))
        return false;
    id[0] = dictionary_add(&s->words, row->word, err);
    id[1] = dictionary_add(&s->typed, (struct text){s->key.bytes, (uint32_t)s->key.length}, err);
    return id[0] && id[1];
}

static bool is_wordy(char c)
{
    return (c >= '0' && c <= '9') || (c >= 'A' && c <= 'Z') || (c >= 'a' && c <= 'z') || (unsigned char)c >= 0x80;
}

/* Counts the places of a text that have words of spans: they begin and end at the edges of words. */
static void count_places(struct same_words *s, struct text text)
{
    for (uint32_t from = 0; from < text.length; from++) {
        if (from > 0 && is_wordy(text.at[from]) && is_wordy(text.at[from - 1]))
            continue;
        for (uint32_t to = from + 1, ends = 0; to <= text.length && ends < ENDS; to++) {
            if (to < text.length && is_wordy(text.at[to]) && is_wordy(text.at[to - 1]))
                continue;
            ends++;
            uint32_t id = dictionary_find(&s->words, (struct text){text.at + from, to - from});
            s->word[id].places += id > 0;
        }
    }
}

static bool counts(const struct answer_row *row)
{
    return row->items > 0 && !row->repeated;
}

static bool same_words_init(struct same_words *s, const struct answer_file *t, const struct calibration *by_score,
                            struct vouch_error *err)
{
    uint32_t id[2];
    for (size_t i = 0; i < t->rows; i++)
        if (t->row[i].items && !find_words(s, &t->row[i], id, err))
            return false;
    s->word = new_array((size_t)s->words.table.count + 1, sizeof *s->word, err);
    s->of_type = new_array((size_t)s->typed.table.count + 1, sizeof *s->of_type, err);
    if (!s->word || !s->of_type)
        return false;
    for (size_t i = 0; i < t->rows; i++) {
        if (!counts(&t->row[i]))
            continue;
        if (!find_words(s, &t->row[i], id, err))
            return false;
        s->word[id[0]].spans++;
        s->of_type[id[1]].spans++;
        s->of_type[id[1]].score += calibration_transform(by_score, t->row[i].confidence);
    }
    for (size_t i = 0; i < t->texts; i++)
        count_places(s, t->text[i]);
    return true;
}

/* Fills in what the same words are called elsewhere. */
static bool signals_of_others(struct same_words *s, const struct answer_row *row, double *x, struct vouch_error *err)
{
    uint32_t id[2], self = counts(row);
    if (!find_words(s, row, id, err))
        return false;
    const struct word_tally *any = &s->word[id[0]], *same = &s->of_type[id[1]];
    double others = any->spans - self, agree = same->spans - self, places = fmax(any->places, any->spans);
    x[SIGNAL_SEEN] = log1p_of(others);
    x[SIGNAL_AGREED] = (agree + 0.5) / (others + 1);
    x[SIGNAL_THEIRS] = agree > 0 ? (same->score - (self ? x[SIGNAL_SCORE] : 0)) / agree : x[SIGNAL_SCORE];
    x[SIGNAL_CALLED] = (others + 0.5) / (fmax(places - self, others) + 1);
    return true;
}

/* Fills in what a span and its text tell; the rows of the text are from .. to - 1. */
static void signals_of_span(const struct answer_file *t, size_t i, size_t from, size_t to, double *x)
{
    const struct answer_row *row = &t->row[i];
    double spans = 0;
    const char *first = row->word.at;
    x[SIGNAL_LENGTH] = log1p_of(row->from == UINT32_MAX ? row->word.length : row->to - row->from);
    x[SIGNAL_WORDS] = 1;
    for (uint32_t b = 0; b < row->word.length; b++) {
        x[SIGNAL_WORDS] += row->word.at[b] == ' ';
        x[SIGNAL_DIGIT] = fmax(x[SIGNAL_DIGIT], row->word.at[b] >= '0' && row->word.at[b] <= '9');
    }
    char lower[8];
    struct text initial = {first, row->word.length ? utf8_width(*first) : 0};
    x[SIGNAL_CAPITAL] = initial.length && (text_lower(initial, lower) != initial.length ||
                                           memcmp(lower, first, initial.length) != 0);
    for (size_t j = from; j < to; j++) {
        const struct answer_row *other = &t->row[j];
        spans += counts(other);
        if (j != i && counts(other) && other->from < row->to && row->from < other->to)
            x[SIGNAL_OVERLAPS] = 1;
    }
    x[SIGNAL_SPANS] = log1p_of(spans);
    x[SIGNAL_OTHERS] = isnan(row->others) ? 0 : row->others;
}

/* Fills in the signals of row i, whose text has the rows from .. to - 1; `same` is NULL if they are not asked for. */
static bool fill_row(const struct span_calibration *c, const struct answer_file *t, struct same_words *same, size_t i,
                     const size_t text[2], double *x, struct vouch_error *err)
{
    const struct answer_row *row = &t->row[i];
    uint32_t own = same ? SPAN_SIGNALS : 1;
    if (same) {
        signals_of_span(t, i, text[0], text[1], x);
        if (!signals_of_others(same, row, x, err))
            return false;
    }
    for (uint32_t k = 0; k < c->types; k++)
        if (text_is(type_of(row), c->type[k])) {
            x[own + 2 * k] = 1;
            x[own + 2 * k + 1] = x[SIGNAL_SCORE];
        }
    return true;
}

/* Returns the signals of all rows, [rows][width], to free(); those of gold that was missed are 0. */
static double *signals_of(const struct span_calibration *c, const struct calibration *by_score, enum span_way way,
                          const struct answer_file *t, struct vouch_error *err)
{
    uint32_t width = width_of(c, way);
    struct same_words same = {0};
    double *x = new_array(t->rows * width + 1, sizeof *x, err);
    bool all = way == SPANS_BY_SIGNALS, ok = x && (!all || same_words_init(&same, t, by_score, err));
    for (size_t text[2] = {0}; ok && text[0] < t->rows; text[0] = text[1]) {
        for (text[1] = text[0] + 1; text[1] < t->rows && !t->row[text[1]].begins;)
            text[1]++;
        for (size_t i = text[0]; ok && i < text[1]; i++) {
            x[i * width] = calibration_transform(by_score, t->row[i].confidence);
            ok = !t->row[i].items || fill_row(c, t, all ? &same : NULL, i, text, x + i * width, err);
        }
    }
    same_words_release(&same);
    if (ok)
        return x;
    free(x);
    return NULL;
}

/* The spans that count, in the order of the file. */
struct counted {
    size_t n;
    size_t *row;     /* [n] */
    double *raw, *held[SPAN_WAYS];
    bool *right;
    uint32_t *group; /* texts, or blocks of them */
    struct arena arena;
};

static bool count_spans(struct counted *k, const struct answer_file *t, struct vouch_error *err)
{
    uint32_t text = 0;
    for (size_t i = 0; i < t->rows; i++)
        k->n += counts(&t->row[i]);
    bool ok = ARENA_ARRAY(k->row, k->n, &k->arena, err) && ARENA_ARRAY(k->raw, k->n, &k->arena, err) &&
              ARENA_ARRAY(k->right, k->n, &k->arena, err) && ARENA_ARRAY(k->group, k->n, &k->arena, err);
    for (enum span_way way = 0; ok && way < SPAN_WAYS; way++)
        ok = ARENA_ARRAY(k->held[way], k->n, &k->arena, err);
    k->n = 0;
    for (size_t i = 0; ok && i < t->rows; i++) {
        text += t->row[i].begins;
        if (!counts(&t->row[i]))
            continue;
        k->row[k->n] = i;
        k->raw[k->n] = t->row[i].confidence;
        k->right[k->n] = text_equal(t->row[i].guess, t->row[i].gold);
        k->group[k->n++] = text - 1;
    }
    for (size_t i = 0; ok && text > BLOCKS && i < k->n; i++)
        k->group[i] = (uint32_t)((uint64_t)k->group[i] * BLOCKS / text);
    return ok;
}

/* Lists the types that are not rare, the most frequent first. */
static bool list_types(struct span_calibration *c, const struct answer_file *t, struct vouch_error *err)
{
    struct dictionary types = {0};
    uint32_t *count = NULL;
    size_t capacity = 0;
    bool ok = true;
    c->type = new_array(MOST_TYPES, sizeof *c->type, err);
    for (size_t i = 0; ok && c->type && i < t->rows; i++) {
        uint32_t known = types.table.count, id = t->row[i].items ? dictionary_add(&types, type_of(&t->row[i]), err) : 0;
        ok = (id || !t->row[i].items) && RESERVE(count, capacity, (size_t)id + 1, err);
        if (ok && id > known)
            count[id] = 0;
        if (ok && id)
            count[id]++;
    }
    while (ok && c->type && c->types < MOST_TYPES) {
        uint32_t best = 0;
        for (uint32_t id = 1; id <= types.table.count; id++)
            if (count[id] >= RARE_TYPE && (!best || count[id] > count[best]))
                best = id;
        if (!best)
            break;
        struct text name = dictionary_text(&types, best);
        ok = (c->type[c->types] = new_string(name.at, name.length, err)) != NULL;
        c->types += ok;
        count[best] = 0;
    }
    dictionary_release(&types);
    free(count);
    return ok && c->type;
}

static double loss_of(bool right, double p)
{
    return -log_of(fmax(right ? p : 1 - p, 1e-12));
}

static double log_loss(const struct counted *k, const double *p)
{
    double sum = 0;
    for (size_t i = 0; i < k->n; i++)
        sum += loss_of(k->right[i], p[i]);
    return sum / (double)k->n;
}

/* Whether probabilities p have less log loss than q, by more than a standard error of the difference. */
static bool is_better(const struct counted *k, const double *p, const double *q)
{
    double sum = 0, squares = 0;
    for (size_t i = 0; i < k->n; i++) {
        double gain = loss_of(k->right[i], q[i]) - loss_of(k->right[i], p[i]);
        sum += gain;
        squares += gain * gain;
    }
    return sum > 0 && sum * sum > squares - sum * sum / (double)k->n;
}

/* Fits a forecaster of the signals of one way, and finds the probabilities of spans that it has not seen. */
static bool fit_way(const struct span_calibration *c, const struct calibration *by_score, enum span_way way,
                    const struct answer_file *t, struct counted *k, const struct work *work,
                    struct forecaster *forecaster, struct vouch_error *err)
{
    uint32_t width = width_of(c, way);
    double *x = signals_of(c, by_score, way, t, err);
    for (size_t i = 0; x && i < k->n; i++)
        memmove(x + i * width, x + k->row[i] * width, width * sizeof *x);
    const struct logistic_rows rows = {.x = x, .right = k->right, .n = k->n, .features = width, .group = k->group};
    bool ok = x && forecaster_fit(forecaster, &rows, (uint64_t)work->seed, work->threads, k->held[way], err);
    free(x);
    return ok;
}

static bool choose_way(struct span_calibration *c, const struct calibration *by_score, const struct answer_file *t,
                       struct counted *k, const struct work *work, struct vouch_error *err)
{
    c->loss[SPANS_BY_SCORE] = log_loss(k, k->held[SPANS_BY_SCORE]);
    if (!list_types(c, t, err))
        return false;
    for (enum span_way way = SPANS_BY_TYPE; way < SPAN_WAYS; way++) {
        struct forecaster tried = {0};
        c->loss[way] = NAN;
        if (way == SPANS_BY_TYPE && c->types < 2)
            continue;
        if (!fit_way(c, by_score, way, t, k, work, &tried, err)) {
            forecaster_release(&tried);
            return false;
        }
        c->loss[way] = log_loss(k, k->held[way]);
        bool better = is_better(k, k->held[way], k->held[c->way]);
        struct forecaster worse = better ? c->forecaster : tried;
        if (better) {
            c->forecaster = tried;
            c->way = way;
        }
        forecaster_release(&worse);
    }
    return true;
}

bool answer_calibration_fit_spans(struct answer_calibration *c, const struct answer_file *t, const struct work *work,
                                  struct vouch_error *err)
{
    struct counted k = {0};
    double loss[CALIBRATION_KINDS];
    const uint64_t seed = (uint64_t)work->seed;
    c->about = ABOUT_SPANS;
    c->log = t->options.log;
    bool ok = count_spans(&k, t, err) &&
              (k.n > 0 || fail(err, VOUCH_ERR_FORMAT, "%s: expected spans, found none", t->path));
    c->count[ASPECT_WORDS] = k.n;
    for (size_t i = 0; ok && i < k.n; i++)
        c->wrong[ASPECT_WORDS] += !k.right[i];
    const struct calibration_rows rows = {.raw = k.raw, .right = k.right, .group = k.group, .n = k.n};
    ok = ok && calibration_choose(&rows, seed, &c->of[ASPECT_WORDS], loss, err) &&
         calibration_hold_out(c->of[ASPECT_WORDS].kind, &rows, seed, k.held[SPANS_BY_SCORE], err);
    uint64_t wrong = c->wrong[ASPECT_WORDS], few = wrong < k.n - wrong ? wrong : k.n - wrong;
    c->spans.loss[SPANS_BY_SCORE] = c->spans.loss[SPANS_BY_TYPE] = c->spans.loss[SPANS_BY_SIGNALS] = NAN;
    ok = ok && (few < ERRORS_ENOUGH || choose_way(&c->spans, &c->of[ASPECT_WORDS], t, &k, work, err)) &&
         answer_figures_find(&k.raw[0], k.right, k.n, &c->raw[ASPECT_WORDS], err) &&
         answer_figures_find(k.held[c->spans.way], k.right, k.n, &c->held[ASPECT_WORDS], err);
    arena_release(&k.arena);
    return ok;
}

double *answer_calibration_of_spans(const struct answer_calibration *c, const struct answer_file *t, const char *name,
                                    struct vouch_error *err)
{
    const struct calibration *by_score = &c->of[ASPECT_WORDS];
    const struct span_calibration *s = &c->spans;
    double *p = new_array(t->rows + 1, sizeof *p, err), *x = NULL;
    bool ok = p && (s->way == SPANS_BY_SCORE || (x = signals_of(s, by_score, s->way, t, err)));
    if (ok && x)
        forecaster_apply_rows(&s->forecaster, x, t->rows, p);
    for (size_t i = 0; ok && i < t->rows; i++) {
        double alone;
        if (!answer_calibration_apply(c, ASPECT_WORDS, t->row[i].confidence, &alone))
            ok = fail(err, VOUCH_ERR_FORMAT,
                      "%s:%llu: expected a number from 0 to 1, as those that %s was fitted on, found %g", t->path,
                      (unsigned long long)t->row[i].line, name, t->row[i].confidence);
        p[i] = x && t->row[i].items ? p[i] : alone;
    }
    free(x);
    if (ok)
        return p;
    free(p);
    return NULL;
}

bool span_calibration_describe(const struct span_calibration *c, json_t *into)
{
    json_t *types = json_array(), *loss = json_object();
    for (uint32_t i = 0; i < c->types; i++)
        json_array_append_new(types, json_string(c->type[i]));
    for (enum span_way way = 0; way < SPAN_WAYS; way++)
        json_object_set_new(loss, span_way_names[way], figure_json(c->loss[way]));
    bool ok = json_object_set_new(into, "by", json_string(span_way_names[c->way])) == 0;
    ok = json_object_set_new(into, "log_loss_by", loss) == 0 && ok;
    ok = json_object_set_new(into, "types", types) == 0 && ok;
    return ok && (c->way == SPANS_BY_SCORE ||
                  json_object_set_new(into, "forecaster", forecaster_describe(&c->forecaster)) == 0);
}

bool span_calibration_read(struct span_calibration *c, const json_t *json, struct vouch_error *err)
{
    const char *by = json_string_value(json_object_get(json, "by"));
    const json_t *types = json_object_get(json, "types");
    size_t count = json_array_size(types);
    while (by && c->way < SPAN_WAYS && strcmp(by, span_way_names[c->way]) != 0)
        c->way++;
    if (!by || c->way == SPAN_WAYS || count > MOST_TYPES || !(c->type = new_array(MOST_TYPES, sizeof *c->type, err)))
        return false;
    for (; c->types < count; c->types++) {
        const json_t *type = json_array_get(types, c->types);
        if (!json_is_string(type) ||
            !(c->type[c->types] = new_string(json_string_value(type), json_string_length(type), err)))
            return false;
    }
    return c->way == SPANS_BY_SCORE ||
           forecaster_read(&c->forecaster, json_object_get(json, "forecaster"), width_of(c, c->way), err);
}
