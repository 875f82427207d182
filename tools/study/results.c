/*
 * Reads the results of a study: see results.h.
 *
 * A path is followed through the JSON anew at each call: nothing has to be kept in step with what was measured.
 * Comparisons of two methods or learners are made here as well, as a difference with its interval, for the chapters and
 * the claims alike.
 */
#include "study/results.h"

#include "base/buffer.h"
#include "measure/intervals.h"
#include "study/paper.h"
#include "task/task.h"

#include <math.h>
#include <stdarg.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

enum { NAME_SIZE = 512 };

static const char *string_at(const json_t *object, const char *key)
{
    return json_string_value(json_object_get(object, key));
}

static bool take_sets(struct results *r, const char *path, struct vouch_error *err)
{
    const json_t *list = json_object_get(r->root, "datasets");
    r->steps = json_object_get(r->root, "steps");
    if (!json_is_array(list) || !json_is_object(r->steps))
        return fail(err, VOUCH_ERR_FORMAT, "%s: expected the results of a study, with \"datasets\" and \"steps\"",
                    path);
    r->set = new_array(json_array_size(list), sizeof *r->set, err);
    if (!r->set)
        return false;
    for (size_t i = 0; i < json_array_size(list); i++) {
        const json_t *from = json_array_get(list, i);
        struct result_set *set = &r->set[r->sets++];
        *set = (struct result_set){.of = r,
                                   .key = string_at(from, "key"),
                                   .name = string_at(from, "name"),
                                   .paper = string_at(from, "paper"),
                                   .same = json_is_true(json_object_get(from, "same"))};
        const char *task = string_at(from, "task");
        set->trees = task && task_or_any(task)->trees;
        if (!set->key || !task)
            return fail(err, VOUCH_ERR_FORMAT, "%s: dataset %zu: expected \"key\" and \"task\"", path, i + 1);
        set->name = set->name ? set->name : set->key;
    }
    return true;
}

/* Reads "0,1": the number of answers learned from; the others come after the first. The paper's is 1. */
static void take_others(struct results *r)
{
    const char *list = string_at(json_object_get(r->root, "settings"), "k_best");
    bool first = list && strtoul(list, NULL, 10) == 1, other = false;
    for (const char *comma = list ? strchr(list, ',') : NULL; comma && r->others < RESULT_OTHERS;
         comma = strchr(comma + 1, ',')) {
        r->other_k[r->others] = (unsigned)strtoul(comma + 1, NULL, 10);
        other = other || r->other_k[r->others] == 1;
        r->others++;
    }
    if (other)
        r->setting[r->settings++] = (struct setting){"cw-k1", "cw-k1", "-k1"};
    r->setting[r->settings++] = (struct setting){"cw", "cw+crf", ""};
    r->as_in_the_paper = first || other;
}

bool results_take(struct results *r, json_t *root, const char *path, struct vouch_error *err)
{
    *r = (struct results){.root = root};
    take_others(r);
    return take_sets(r, path, err);
}

bool results_read(struct results *r, const char *path, struct vouch_error *err)
{
    json_error_t why;
    json_t *root = json_load_file(path, 0, &why);
    *r = (struct results){0};
    if (!root && why.line < 0)
        return fail(err, VOUCH_ERR_IO, "%s: %s", path, why.text);
    if (!root)
        return fail(err, VOUCH_ERR_FORMAT, "%s:%d: %s", path, why.line, why.text);
    return results_take(r, root, path, err);
}

void results_release(struct results *r)
{
    free(r->set);
    json_decref(r->root);
    *r = (struct results){0};
}

const struct result_set *next_set(const struct results *r, const struct result_set *after, int kind)
{
    for (const struct result_set *set = after ? after + 1 : r->set; set < r->set + r->sets; set++)
        if (kind == OF_ANY || set->trees == (kind == OF_TREES))
            return set;
    return NULL;
}

/* Whether one of the object's strings is the value. */
static bool has_string(json_t *object, const char *value, size_t length)
{
    const char *key;
    json_t *member;
    json_object_foreach(object, key, member)
    {
        if (json_string_length(member) == length && memcmp(json_string_value(member), value, length) == 0)
            return true;
    }
    return false;
}

/* Returns the element of an array that has all values, "A,B", among its strings; NULL: none. */
static json_t *element_with(const json_t *list, const char *values, const char *end)
{
    size_t i;
    json_t *element;
    json_array_foreach(list, i, element)
    {
        bool all = true;
        for (const char *value = values; all && value < end; value += strcspn(value, ",]") + 1)
            all = has_string(element, value, strcspn(value, ",]"));
        if (all)
            return element;
    }
    return NULL;
}

const json_t *part_in(const json_t *at, const char *path)
{
    for (size_t length; at && *path; path += length + (path[length] == '.')) {
        length = strcspn(path, ".[");
        at = json_object_getn(at, path, length);
        if (path[length] == '[') {
            path += length + 1;
            length = strcspn(path, "]");
            at = element_with(at, path, path + length);
            length++;
        }
    }
    return at;
}

const json_t *step_result(const struct results *r, const char *step)
{
    return json_object_get(json_object_get(r->steps, step), "result");
}

const json_t *part_at(const struct result_set *set, const char *path, ...)
{
    char step[NAME_SIZE], *keys;
    struct buffer full = {0};
    va_list args;
    va_start(args, path);
    int length = vsnprintf(step, sizeof step, path, args);
    va_end(args);
    keys = strchr(step, ':');
    if (keys)
        *keys++ = '\0';
    char *at = strchr(step, '@');
    bool ok = length >= 0 && length < NAME_SIZE && at &&
              buffer_print(&full, NULL, "%.*s%s%s", (int)(at - step), step, set->key, at + 1);
    const json_t *result = ok ? step_result(set->of, full.bytes) : NULL;
    free(full.bytes);
    return part_in(result, keys ? keys : "");
}

double number_of(const json_t *number)
{
    return json_is_number(number) ? json_number_value(number) : NAN;
}

/* Ranking and calibration. */

const char *ranking_numbers(const char *method)
{
    return strcmp(method, "committee") == 0 ? "calibrated" : "raw";
}

double ranking_of(const struct result_set *set, const char *voices, const char *method, const char *path)
{
    return figure_at(set, JUDGED, voices, ranking_numbers(method), method, path);
}

bool was_ranked(const struct result_set *set, const char *voices)
{
    return part_at(set, "ranking/@/%s/raw", voices) || part_at(set, "ranking/@/%s/calibrated", voices);
}

/* Returns an interval from the array of its ends. */
static struct gap gap_of(const json_t *ends)
{
    if (json_array_size(ends) != 2)
        return (struct gap){NAN, NAN};
    return (struct gap){json_number_value(json_array_get(ends, 0)), json_number_value(json_array_get(ends, 1))};
}

double half_interval(const struct results *r, bool trees, const char *voices)
{
    double sum = 0, n = 0;
    for (EACH_SET(set, r, trees)) {
        struct gap gap = gap_of(part_at(set, JUDGED, voices, "raw", "kd-fix", "intervals.average_precision"));
        sum += isnan(gap.low) ? 0 : gap.high - gap.low;
        n += !isnan(gap.low);
    }
    return n > 0 ? sum / (2 * n) : NAN;
}

double judged_mean(const struct results *r, bool trees, const char *voices, const char *numbers, const char *method,
                   const char *path)
{
    double sum = 0, n = 0;
    for (EACH_SET(set, r, trees))
        if (was_ranked(set, voices)) {
            sum += figure_at(set, JUDGED, voices, numbers, method, path);
            n++;
        }
    return n > 0 ? sum / n : NAN;
}

double ranking_mean(const struct results *r, bool trees, const char *voices, const char *method, const char *path)
{
    return judged_mean(r, trees, voices, ranking_numbers(method), method, path);
}

/* Prediction. */

/* Returns what cross-validation found for an algorithm; for "cw-k1", for learners from the best answer alone. */
static const json_t *folds_of(const struct result_set *set, const char *algorithm)
{
    const char *suffix = strstr(algorithm, "-k");
    return part_at(set, "prediction/@/folds%s:algorithms[%.*s]", suffix ? suffix : "",
                   suffix ? (int)(suffix - algorithm) : (int)strlen(algorithm), algorithm);
}

const json_t *passes_of(const struct result_set *set, const char *algorithm)
{
    const json_t *from = set->trees ? part_at(set, "prediction/@/%s", algorithm) : folds_of(set, algorithm);
    const json_t *passes = json_object_get(from, "passes");
    return json_array_size(passes) ? passes : NULL;
}

double score_of(const struct result_set *set, const char *algorithm, size_t pass)
{
    if (!pass)
        return set->trees ? figure_at(set, "prediction/@/%s/eval:all.uas", algorithm)
                          : number_at(folds_of(set, algorithm), "mean");
    double first = figure_at(set, "prediction/@/%s/first/eval:all.uas", algorithm);
    if (pass == 1 && !isnan(first))
        return first;
    const json_t *after = json_array_get(passes_of(set, algorithm), pass - 1);
    double f1 = number_at(after, "f1");
    return isnan(f1) ? number_at(after, "accuracy") : f1;
}

enum { MOST_FOLDS = 1000 };

/* Finds the scores of all folds after a pass, or in the end if that is 0; returns how many there are. */
static size_t scores_of(const struct result_set *set, const char *algorithm, size_t pass, double score[MOST_FOLDS])
{
    const json_t *all = pass ? json_object_get(json_array_get(passes_of(set, algorithm), pass - 1), "scores")
                             : json_object_get(folds_of(set, algorithm), "folds");
    size_t n = json_array_size(all) < MOST_FOLDS ? json_array_size(all) : MOST_FOLDS;
    for (size_t i = 0; i < n; i++)
        score[i] = pass ? json_number_value(json_array_get(all, i)) : number_at(json_array_get(all, i), "score");
    return n;
}

/* Returns how many heads of each sentence are right: in the end, or after the first pass. */
static const json_t *right_of(const struct result_set *set, const char *algorithm, size_t pass)
{
    return pass > 1 ? NULL : part_at(set, "prediction/@/%s%s/eval:right_by_sentence", algorithm, pass ? "/first" : "");
}

/*
 * Returns the interval for right heads, of two parsers on the same sentences, which are what was drawn from the
 * language: with D the difference of right heads in a sentence, of n, the sum of D varies by n times the variance of D.
 */
static struct gap gap_of_heads(const struct result_set *set, const char *first, const char *second, size_t pass)
{
    const json_t *a = right_of(set, first, pass), *b = right_of(set, second, pass);
    double words = figure_at(set, "prediction/@/%s/eval:all.words", first), sum = 0, squares = 0;
    size_t n = json_array_size(a);
    if (n < 2 || n != json_array_size(b))
        return (struct gap){NAN, NAN};
    for (size_t i = 0; i < n; i++) {
        double more = json_number_value(json_array_get(a, i)) - json_number_value(json_array_get(b, i));
        sum += more;
        squares += more * more;
    }
    double half = 1.96 * sqrt((squares - sum * sum / (double)n) * (double)n / (double)(n - 1));
    return (struct gap){100 * (sum - half) / words, 100 * (sum + half) / words};
}

/* Returns the interval of the mean of differences a - b, by the paired t-test; a is changed. */
static struct gap gap_of_pairs(double *a, const double *b, size_t n)
{
    for (size_t i = 0; i < n; i++)
        a[i] -= b[i];
    double mean = sample_mean(a, n), half = sample_interval(a, n);
    return (struct gap){mean - half, mean + half};
}

struct gap gap_of_draws(const struct result_set *set, unsigned few, unsigned many, const char *suffix)
{
    const json_t *first = part_at(set, DRAWN "by_seed.average_precision", many, suffix);
    const json_t *second = part_at(set, DRAWN "by_seed.average_precision", few, suffix);
    double a[MOST_FOLDS], b[MOST_FOLDS];
    size_t n = json_array_size(first);
    if (n < 2 || n != json_array_size(second) || n > MOST_FOLDS)
        return (struct gap){NAN, NAN};
    for (size_t i = 0; i < n; i++) {
        a[i] = json_number_value(json_array_get(first, i));
        b[i] = json_number_value(json_array_get(second, i));
    }
    return gap_of_pairs(a, b, n);
}

struct gap gap_of_scores(const struct result_set *set, const char *first, const char *second, size_t pass)
{
    double a[MOST_FOLDS], b[MOST_FOLDS];
    if (set->trees)
        return gap_of_heads(set, first, second, pass);
    size_t n = scores_of(set, first, pass, a), m = scores_of(set, second, pass, b);
    if (n != m || n < 2)
        return (struct gap){NAN, NAN};
    return gap_of_pairs(a, b, n);
}

double p_of_scores(const struct result_set *set, const char *first, const char *second)
{
    double a[MOST_FOLDS], b[MOST_FOLDS];
    struct t_test test;
    size_t n = scores_of(set, first, 0, a), m = scores_of(set, second, 0, b);
    return n == m && paired_t_test(a, b, n, &test) ? test.p : NAN;
}

struct gap gap_of_methods(const struct result_set *set, const char *voices, const char *first, const char *second,
                          const char *figure)
{
    const json_t *pair = part_at(set, "ranking/@/%s/raw:confidence.words.differences[%s,%s]", voices, first, second);
    char key[64];
    snprintf(key, sizeof key, "%s_interval", figure);
    struct gap gap = gap_of(json_object_get(pair, key));
    const char *minuend = string_at(pair, "first");
    if (!minuend)
        return (struct gap){NAN, NAN};
    return strcmp(minuend, first) == 0 ? gap : (struct gap){-gap.high, -gap.low};
}

double published_of(const struct result_set *set, unsigned table, const char *column)
{
    return set->paper ? paper_number(table, set->paper, column) : NAN;
}
