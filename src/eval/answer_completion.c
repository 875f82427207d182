/*
 * Completes a file of another program's answers by the probabilities that a calibration makes of its numbers: see
 * file_comparison.h. Tables and spans stay as they were, byte for byte, but for what is added; in trees, CoNLL-U, the
 * probabilities take the place of the numbers.
 */
#include "eval/file_comparison.h"

#include "answer/operating_point.h"
#include "text/writer.h"

#include <math.h>
#include <stdlib.h>
#include <string.h>
#include <sys/stat.h>

/* Finds the probabilities of all rows of a table. Returns them, to free(). */
static double *calibrate_rows(const struct answer_file *t, const struct answer_calibration *c, const char *name,
                              struct vouch_error *err)
{
    double *probability = new_array(t->rows + 1, sizeof *probability, err);
    for (size_t i = 0; probability && i < t->rows; i++)
        if (!answer_calibration_apply(c, ASPECT_WORDS, t->row[i].confidence, &probability[i])) {
            fail(err, VOUCH_ERR_FORMAT,
                 "%s:%llu: expected a number from 0 to 1, as those that %s was fitted on, found %g", t->path,
                 (unsigned long long)t->row[i].line, name, t->row[i].confidence);
            free(probability);
            return NULL;
        }
    return probability;
}

/* Finds the spans that an operating point leaves out: [rows], to free(). Towards recall it can add none. */
static bool *find_dropped(const struct answer_file *t, const struct answer_calibration *c, const double *probability,
                          const char *name, struct vouch_error *err)
{
    struct operating_point point;
    struct changed_labels changed = {0};
    bool known, *dropped = NULL;
    struct text *label = NULL;
    bool ok = operating_point_read(c->header, &point, &known, name, err) &&
              (known || fail(err, VOUCH_ERR_ARGUMENT,
                             "%s: expected an operating point, which 'vouch trade --answers' keeps in a calibration",
                             name)) &&
              (dropped = new_array(t->rows + 1, sizeof *dropped, err)) &&
              (label = new_array(t->rows + 1, sizeof *label, err));
    for (size_t i = 0; ok && i < t->rows; i++) { /* a span is left out whatever its text has beside it */
        label[i] = t->row[i].guess;
        const struct rated_labels answer = {.N = 1, .label = &label[i], .least = &probability[i]};
        ok = operating_point_apply(&point, SCHEME_IOB2, &answer, &changed, err);
        dropped[i] = ok && t->row[i].items && text_is(changed.label[0], "O");
    }
    changed_labels_release(&changed);
    free(label);
    if (ok)
        return dropped;
    free(dropped);
    return NULL;
}

static bool complete_spans(const struct answer_options *s, const struct answer_calibration *c,
                           const struct answer_file *t, const char *name, struct output *out, struct vouch_error *err)
{
    struct span_completion with = {.threshold = s->doubt.threshold >= 0 ? s->doubt.threshold : -INFINITY};
    double *number = answer_calibration_of_spans(c, t, name, err);
    bool *dropped = number && s->operating_point ? find_dropped(t, c, number, name, err) : NULL;
    bool ok = number && (dropped || !s->operating_point);
    with.number = number;
    with.dropped = dropped;
    ok = ok && answer_spans_complete(t, with, out, err);
    free(dropped);
    free(number);
    return ok;
}

static bool complete_table(const struct answer_options *s, const struct answer_calibration *c, enum format format,
                           const char *name, struct output *out, struct vouch_error *err)
{
    const struct answer_file_options options = {.format = format,
                                                .foreign = true,
                                                .columns = s->columns,
                                                .log = s->log || c->log,
                                                .added = "calibrated"};
    struct answer_file *t = answer_file_open(s->answers, &options, err);
    enum answer_kind kind = t ? answer_kind_of(t) : c->about;
    bool ok = t && (kind == c->about || fail(err, VOUCH_ERR_FORMAT, "%s: expected a calibration of %s, found one of %s",
                                             name, answer_kind_names[kind], answer_kind_names[c->about]));
    if (ok && !t->spans && (s->doubt.threshold >= 0 || s->operating_point))
        ok = fail(err, VOUCH_ERR_ARGUMENT, "--threshold and --operating-point are for spans among other answers");
    if (ok && t->spans)
        ok = complete_spans(s, c, t, name, out, err);
    else if (ok) {
        double *number = calibrate_rows(t, c, name, err);
        ok = number && answer_file_complete(t, number, out, err);
        free(number);
    }
    answer_file_close(t);
    return ok;
}

/* Writes a tree with the probabilities of its heads and relations. */
static bool complete_tree(const struct answer_calibration *c, const struct answer_file *t,
                          const struct file_answer *answer, const char *name, struct output *out,
                          struct vouch_error *err)
{
    const struct writer_options writing = {.format = FORMAT_CONLLU};
    struct method_confidence by = answer->confidences->by_method[0];
    struct confidences confidences = {.by_method = &by, .methods = 1};
    const struct marks marks = {.confidences = &confidences};
    for (uint32_t i = 0; i < answer->sentence->N; i++) {
        if (!answer_calibration_apply(c, ASPECT_WORDS, by.word[i], &answer_words(t, 0)[i]))
            return fail(err, VOUCH_ERR_FORMAT,
                        "%s:%llu: expected a number from 0 to 1, as those that %s was fitted on, found %g", t->path,
                        (unsigned long long)answer_file_line(t, i), name, by.word[i]);
        if (!answer_calibration_apply(c, ASPECT_RELATIONS, by.relation[i], &answer_relations(t, 0)[i]))
            answer_relations(t, 0)[i] = NAN;
    }
    by.calibrated = true;
    by.sentence = NAN;
    return write_sentence(out, &writing, answer->sentence, answer->head, answer->label, &marks, err);
}

static bool complete_trees(const struct answer_options *s, const struct answer_calibration *c, const char *name,
                           struct output *out, struct vouch_error *err)
{
    const struct answer_file_options options = {.format = FORMAT_CONLLU, .parts = ANSWERS_ALONE};
    struct answer_file *t = answer_file_open(s->answers, &options, err);
    struct file_answer answer;
    enum reading state = t ? READ_SENTENCE : READ_FAILED;
    bool ok = t && (t->methods == 1 ||
                    fail(err, VOUCH_ERR_FORMAT, "%s: expected one number a word, HeadConf in MISC, found %u", t->path,
                         t->methods));
    while (ok && (state = answer_file_next(t, &answer, err)) == READ_SENTENCE)
        ok = complete_tree(c, t, &answer, name, out, err);
    answer_file_close(t);
    return ok && state == READ_END;
}

/* Whether a file may be CoNLL-U; one that can be read only once is not looked at. */
static bool may_be_trees(const char *path)
{
    struct vouch_error why = {0}; /* whoever reads it next says so */
    struct stat about;
    if (!path || strcmp(path, "-") == 0 || stat(path, &about) != 0 || !S_ISREG(about.st_mode))
        return true;
    struct answer_file *t = answer_lines_open(path, &why);
    bool trees = !t || answer_conllu_looks_so(t);
    answer_file_close(t);
    return trees;
}

bool answers_complete(const struct answer_options *s, const struct answer_calibration *c, const char *name,
                      struct output *out, struct vouch_error *err)
{
    struct reader_options reading;
    if (!reading_options(&s->reading, &reading, err))
        return false;
    if (s->operating_point && s->doubt.threshold >= 0)
        return fail(err, VOUCH_ERR_ARGUMENT, "--operating-point has a threshold of its own: expected no --threshold");
    if (c->about != ABOUT_HEADS && reading.format == FORMAT_CONLLU)
        return fail(err, VOUCH_ERR_ARGUMENT, "--format: expected conll or jsonl for answers that are no trees, found "
                                             "'conllu'");
    if (c->about != ABOUT_HEADS)
        return complete_table(s, c, reading.format, name, out, err);
    if (!may_be_trees(s->answers))
        return fail(err, VOUCH_ERR_FORMAT, "%s: expected a calibration of labels, found one of heads, which are in "
                                           "CoNLL-U",
                    name);
    return complete_trees(s, c, name, out, err);
}
