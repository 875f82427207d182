/*
 * Calibrates the scores of spans that another program has found: see file_comparison.h.
 *
 * The probability of a span to be right is a function of, each of which is tried,
 *
 *     score     its score alone: isotonic or beta regression, or Platt's (fit/calibrate.h), whose log-odds are z
 *     types     the score and the type t: log-odds a[t] + b[t] z. Priors, normal ones around 0 and 1, draw types of
 *               which few spans were seen towards all of them
 *     signals   both, and what the file tells beside them: how long the span is, how it is written, what overlaps it,
 *               and what the same words are called elsewhere in the file (fit/forecaster.h)
 *
 * The one of the least log loss on texts that were held out is taken; a richer one must gain more than a standard
 * error. Documents are held out as a whole, whose names are repeated; where they are not known, texts are in BLOCKS of
 * neighbours, since single texts would tell too much of each other.
 *
 * Signals look at answers and texts, never at gold, so that a file without gold has them as well. They are those of the
 * file at hand, and the words of a larger file are seen more often.
 *
 * Time: O(n log n) for n spans, and in the texts a dozen look-ups for each word.
 */
#include "eval/file_comparison.h"

#include "base/hash.h"
#include "base/elementary.h"
#include "model/confidence_model.h"
#include "model/records.h"

#include <math.h>
#include <stdlib.h>
#include <string.h>

enum { MOST_TYPES = 64, FREQUENT_TYPES = 20, ENDS = 12, BLOCKS = 20, PARTS = 5, STEPS = 30 };
static const double CONSTANT_SPREAD = 1, SLOPE_SPREAD = 0.5; /* of a and b: standard deviations */

enum span_signal {
    SIGNAL_SCORE,    /* as log-odds, or as calibrate.h has margins */
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
    SIGNAL_TYPES,    /* for each frequent type two: 1 and the score, if the span is of this type */
    SPAN_SIGNALS = SIGNAL_TYPES + 2 * FREQUENT_TYPES
};

const char *const span_way_names[SPAN_WAYS] = {"score", "types", "signals"};

void span_calibration_release(struct span_calibration *c)
{
    for (uint32_t i = 0; c->type && i < c->types; i++)
        free(c->type[i]);
    free(c->type);
    free(c->constant);
    free(c->slope);
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

/* Returns the number of a span's type; c->types if it is not listed. */
static uint32_t type_number(const struct span_calibration *c, const struct answer_row *row)
{
    uint32_t k = 0;
    while (k < c->types && !text_is(type_of(row), c->type[k]))
        k++;
    return k;
}

/* Returns the signals of all rows, [rows][SPAN_SIGNALS], to free(). */
static double *signals_of(const struct span_calibration *c, const struct calibration *by_score,
                          const struct answer_file *t, struct vouch_error *err)
{
    struct same_words same = {0};
    double *all = new_array(t->rows * SPAN_SIGNALS + 1, sizeof *all, err);
    bool ok = all && same_words_init(&same, t, by_score, err);
    for (size_t from = 0, to; ok && from < t->rows; from = to) {
        for (to = from + 1; to < t->rows && !t->row[to].begins;)
            to++;
        for (size_t i = from; ok && i < to; i++) {
            double *x = all + i * SPAN_SIGNALS;
            uint32_t type = type_number(c, &t->row[i]);
            if (!t->row[i].items)
                continue;
            x[SIGNAL_SCORE] = calibration_transform(by_score, t->row[i].confidence);
            signals_of_span(t, i, from, to, x);
            ok = signals_of_others(&same, &t->row[i], x, err);
            if (type < FREQUENT_TYPES && type < c->types) {
                x[SIGNAL_TYPES + 2 * type] = 1;
                x[SIGNAL_TYPES + 2 * type + 1] = x[SIGNAL_SCORE];
            }
        }
    }
    same_words_release(&same);
    if (ok)
        return all;
    free(all);
    return NULL;
}

/* The spans that count, in the order of the file. */
struct counted {
    size_t n;
    size_t *row; /* [n] in the file */
    double *raw, *odds, *held[SPAN_WAYS];
    bool *right;
    uint32_t *group;       /* documents, texts, or blocks of these */
    uint32_t *part, *type; /* to fit types by */
    struct arena arena;
};

static bool count_spans(struct counted *k, const struct answer_file *t, struct vouch_error *err)
{
    uint32_t text = 0;
    for (size_t i = 0; i < t->rows; i++)
        k->n += counts(&t->row[i]);
    bool ok = ARENA_ARRAY(k->row, k->n, &k->arena, err) && ARENA_ARRAY(k->raw, k->n, &k->arena, err) &&
              ARENA_ARRAY(k->right, k->n, &k->arena, err) && ARENA_ARRAY(k->group, k->n, &k->arena, err) &&
              ARENA_ARRAY(k->odds, k->n, &k->arena, err) && ARENA_ARRAY(k->part, k->n, &k->arena, err) &&
              ARENA_ARRAY(k->type, k->n, &k->arena, err);
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
        k->group[k->n++] = t->documents > 1 ? t->row[i].document : text - 1;
    }
    for (size_t i = 0; ok && t->documents < 2 && text > BLOCKS && i < k->n; i++)
        k->group[i] = (uint32_t)((uint64_t)k->group[i] * BLOCKS / text);
    return ok;
}

/* Lists the types, the most frequent first, and those beyond MOST_TYPES not at all. */
static bool list_types(struct span_calibration *c, const struct answer_file *t, struct vouch_error *err)
{
    struct dictionary types = {0};
    uint32_t *count = NULL;
    size_t capacity = 0;
    bool ok = true;
    c->type = new_array(MOST_TYPES, sizeof *c->type, err);
    c->constant = new_array(MOST_TYPES, sizeof *c->constant, err);
    c->slope = new_array(MOST_TYPES, sizeof *c->slope, err);
    for (size_t i = 0; ok && i < t->rows; i++) {
        uint32_t known = types.table.count, id = t->row[i].items ? dictionary_add(&types, type_of(&t->row[i]), err) : 0;
        ok = (id || !t->row[i].items) && RESERVE(count, capacity, (size_t)id + 1, err);
        if (ok && id > known)
            count[id] = 0;
        if (ok && id)
            count[id]++;
    }
    ok = ok && c->type && c->constant && c->slope;
    while (ok && c->types < MOST_TYPES) {
        uint32_t best = 0;
        for (uint32_t id = 1; id <= types.table.count; id++)
            if (count[id] > 0 && (!best || count[id] > count[best]))
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
    return ok;
}

/* Returns the log-odds by score and type, given those by the score. */
static double odds_by_type(const struct span_calibration *c, const struct answer_row *row, double odds)
{
    uint32_t k = type_number(c, row);
    return k < c->types ? c->constant[k] + c->slope[k] * odds : odds;
}

/*
 * Fits the constant a and slope b of one type, by Newton's steps, to the spans of all parts but `without`: minimises
 *
 *     sum over spans of log loss + a^2 / (2 CONSTANT_SPREAD^2) + (b - 1)^2 / (2 SLOPE_SPREAD^2)
 *
 * which is convex.
 */
static void fit_type(struct span_calibration *c, uint32_t k, const struct counted *s, const double *odds,
                     uint32_t without)
{
    double a = 0, b = 1;
    for (int step = 0; step < STEPS; step++) {
        double ga = a / (CONSTANT_SPREAD * CONSTANT_SPREAD), gb = (b - 1) / (SLOPE_SPREAD * SLOPE_SPREAD);
        double haa = 1 / (CONSTANT_SPREAD * CONSTANT_SPREAD), hbb = 1 / (SLOPE_SPREAD * SLOPE_SPREAD), hab = 0;
        for (size_t i = 0; i < s->n; i++) {
            if (s->type[i] != k || s->part[i] == without)
                continue;
            double p = sigmoid(a + b * odds[i]), slack = p - s->right[i], curve = p * (1 - p);
            ga += slack;
            gb += slack * odds[i];
            haa += curve;
            hab += curve * odds[i];
            hbb += curve * odds[i] * odds[i];
        }
        double det = haa * hbb - hab * hab; /* > 0: the priors see to it */
        a -= fmin(fmax((hbb * ga - hab * gb) / det, -1), 1);
        b -= fmin(fmax((haa * gb - hab * ga) / det, -1), 1);
    }
    c->constant[k] = a;
    c->slope[k] = fmax(b, 0);
}

/* Fits all types, and finds the probabilities of spans by those that did not learn from their part. */
static void fit_types(struct span_calibration *c, const struct answer_file *t, struct counted *s)
{
    double *odds = s->odds;
    for (size_t i = 0; i < s->n; i++)
        odds[i] = log_odds(s->held[SPANS_BY_SCORE][i]);
    for (uint32_t without = 0; without <= PARTS; without++) { /* the last time, with all */
        for (uint32_t k = 0; k < c->types; k++)
            fit_type(c, k, s, odds, without);
        for (size_t i = 0; i < s->n; i++)
            if (s->part[i] == without)
                s->held[SPANS_BY_TYPE][i] = sigmoid(odds_by_type(c, &t->row[s->row[i]], odds[i]));
    }
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

/* Fits a forecaster of all signals, and finds the probabilities of spans that it has not seen. */
static bool fit_signals(struct span_calibration *c, const struct calibration *by_score, const struct answer_file *t,
                        struct counted *s, const struct work *work, struct vouch_error *err)
{
    double *x = signals_of(c, by_score, t, err);
    for (size_t i = 0; x && i < s->n; i++)
        memmove(x + i * SPAN_SIGNALS, x + s->row[i] * SPAN_SIGNALS, SPAN_SIGNALS * sizeof *x);
    const struct logistic_rows rows = {
        .x = x, .right = s->right, .n = s->n, .features = SPAN_SIGNALS, .group = s->group};
    bool ok = x && forecaster_fit(&c->forecaster, &rows, (uint64_t)work->seed, work->threads,
                                  s->held[SPANS_BY_SIGNALS], err);
    free(x);
    return ok;
}

static bool choose_way(struct span_calibration *c, const struct calibration *by_score, const struct answer_file *t,
                       struct counted *s, const struct work *work, struct vouch_error *err)
{
    if (!list_types(c, t, err) || !split_groups(s->group, s->n, PARTS, (uint64_t)work->seed, s->part, err))
        return false;
    for (size_t i = 0; i < s->n; i++)
        s->type[i] = type_number(c, &t->row[s->row[i]]);
    fit_types(c, t, s);
    if (!fit_signals(c, by_score, t, s, work, err))
        return false;
    for (enum span_way way = 0; way < SPAN_WAYS; way++) {
        c->loss[way] = log_loss(s, s->held[way]);
        if (is_better(s, s->held[way], s->held[c->way]))
            c->way = way;
    }
    return true;
}

/* Collects the digests of the texts, by which they are known again. */
static bool collect_texts(const struct answer_file *t, struct digest_set *texts, struct vouch_error *err)
{
    for (size_t i = 0; i < t->texts; i++)
        if (t->text[i].length > 0 && !digest_set_add(texts, hash_bytes(t->text[i].at, t->text[i].length), err))
            return false;
    digest_set_close(texts);
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
    bool ok = collect_texts(t, &c->texts, err) && count_spans(&k, t, err) &&
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
    const struct span_calibration *s = &c->spans;
    double *p = new_array(t->rows + 1, sizeof *p, err), *x = NULL;
    bool ok = p && (s->way != SPANS_BY_SIGNALS || (x = signals_of(s, &c->of[ASPECT_WORDS], t, err)));
    for (size_t i = 0; ok && i < t->rows; i++) {
        const struct answer_row *row = &t->row[i];
        if (!answer_calibration_apply(c, ASPECT_WORDS, row->confidence, &p[i]))
            ok = fail(err, VOUCH_ERR_FORMAT,
                      "%s:%llu: expected a number from 0 to 1, as those that %s was fitted on, found %g", t->path,
                      (unsigned long long)row->line, name, row->confidence);
        if (row->items && s->way == SPANS_BY_TYPE)
            p[i] = sigmoid(odds_by_type(s, row, log_odds(p[i])));
        else if (row->items && x)
            p[i] = forecaster_apply(&s->forecaster, x + i * SPAN_SIGNALS);
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
    for (uint32_t i = 0; c->way != SPANS_BY_SCORE && i < c->types; i++)
        json_array_append_new(types, json_pack("{s:s, s:f, s:f}", "type", c->type[i], "constant", c->constant[i],
                                               "slope", c->slope[i]));
    for (enum span_way way = 0; way < SPAN_WAYS; way++)
        json_object_set_new(loss, span_way_names[way], figure_json(c->loss[way]));
    bool ok = json_object_set_new(into, "by", json_string(span_way_names[c->way])) == 0;
    ok = json_object_set_new(into, "log_loss_by", loss) == 0 && ok;
    ok = json_object_set_new(into, "types", types) == 0 && ok;
    return ok && (c->way != SPANS_BY_SIGNALS ||
                  json_object_set_new(into, "forecaster", forecaster_describe(&c->forecaster)) == 0);
}

static bool read_type(struct span_calibration *c, const json_t *json, struct vouch_error *err)
{
    const json_t *type = json_object_get(json, "type"), *a = json_object_get(json, "constant"),
                 *b = json_object_get(json, "slope");
    if (!json_is_string(type) || !json_is_number(a) || !json_is_number(b))
        return false;
    c->constant[c->types] = json_number_value(a);
    c->slope[c->types] = json_number_value(b);
    c->type[c->types] = new_string(json_string_value(type), json_string_length(type), err);
    c->types += c->type[c->types] != NULL;
    return c->types > 0 && c->type[c->types - 1];
}

bool span_calibration_read(struct span_calibration *c, const json_t *json, struct vouch_error *err)
{
    const char *by = json_string_value(json_object_get(json, "by"));
    const json_t *types = json_object_get(json, "types");
    size_t count = json_array_size(types);
    while (by && c->way < SPAN_WAYS && strcmp(by, span_way_names[c->way]) != 0)
        c->way++;
    if (!by || c->way == SPAN_WAYS || count > MOST_TYPES ||
        !(c->type = new_array(MOST_TYPES, sizeof *c->type, err)) ||
        !(c->constant = new_array(MOST_TYPES, sizeof *c->constant, err)) ||
        !(c->slope = new_array(MOST_TYPES, sizeof *c->slope, err)))
        return false;
    for (size_t i = 0; i < count; i++)
        if (!read_type(c, json_array_get(types, i), err))
            return false;
    return c->way != SPANS_BY_SIGNALS ||
           forecaster_read(&c->forecaster, json_object_get(json, "forecaster"), SPAN_SIGNALS, err);
}
