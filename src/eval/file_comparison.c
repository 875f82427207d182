/*
 * Compares answers in files with gold: see file_comparison.h.
 *
 * Answers and their confidence are read by answers/answer_file.h and counted as a model's are. Two files must have the
 * same words in the same sentences. Columns that only look like gold and answers are refused: if two columns of a long
 * file share hardly a label, or not one type of chunk, the one does not answer the other.
 */
#include "eval/file_comparison.h"

#include "base/order.h"
#include "base/watch.h"

#include <math.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

enum { SOME_WORDS = 20, MANY_WORDS = 100, MANY_CHUNKS = 10 }; /* fewer may have nothing in common by chance */
enum { SHOWN_LABELS = 3 };
enum { FEW_CHUNKS = 10 }; /* of types that the answers never have: fewer may just be missed */

bool file_comparison_prepare(struct file_comparison *c, struct vouch_error *err)
{
    const struct eval_options *s = c->e.options;
    if (s->answers && s->common.arguments > 1)
        return fail(err, VOUCH_ERR_ARGUMENT, "expected --answers FILE, and GOLD if it holds none, found %zu more files",
                    s->common.arguments);
    if (s->answers && s->common.arguments == 1 && s->columns)
        return fail(err, VOUCH_ERR_ARGUMENT,
                    "--columns names the columns of a file that holds gold, too: expected no file GOLD");
    if (s->common.arguments > 2)
        return fail(err, VOUCH_ERR_ARGUMENT,
                    "expected -m MODEL, one file of answers, or the files GOLD and SYSTEM, found %zu files",
                    s->common.arguments);
    if (s->common.arguments == 2 && strcmp(s->common.argument[0], "-") == 0 && strcmp(s->common.argument[1], "-") == 0)
        return fail(err, VOUCH_ERR_ARGUMENT, "expected GOLD and SYSTEM, found standard input twice");
    if (s->confidence.raw || s->confidence.draws)
        return fail(err, VOUCH_ERR_ARGUMENT, "--raw and --draws are about a model's answers: expected -m MODEL");
    if (s->answers && s->reading.gold)
        return fail(err, VOUCH_ERR_ARGUMENT,
                    "--gold: expected no column beside --answers, whose columns --columns names");
    c->e.task = s->learner.task ? task_named(s->learner.task) : task_or_any("");
    if (!c->e.task)
        return fail_value(err, "task", "np, chunk, ner, pos or dep", s->learner.task);
    if (!reading_options(&s->reading, &c->reading, err))
        return false;
    return (c->reading.format != FORMAT_CRFSUITE && c->reading.format != FORMAT_PLAIN) ||
           fail(err, VOUCH_ERR_ARGUMENT, "--format: expected conll, jsonl or conllu for a file of answers, found '%s'",
                format_name(c->reading.format));
}

/* Two files. */

static bool differ(const struct file_comparison *c, uint32_t word, struct vouch_error *err, const char *what,
                   struct text gold, struct text answer)
{
    return fail(err, VOUCH_ERR_FORMAT, "%s:%llu and %s:%llu: %s, found \"%.*s\" and \"%.*s\"", c->gold->path,
                (unsigned long long)answer_file_line(c->gold, word), c->answers->path,
                (unsigned long long)answer_file_line(c->answers, word), what, excerpt(gold), gold.at, excerpt(answer),
                answer.at);
}

static bool have_same_words(const struct file_comparison *c, const struct sentence *gold,
                            const struct sentence *answered, struct vouch_error *err)
{
    const struct text end = text_of("the end of the sentence");
    for (uint32_t i = 0; i < gold->N || i < answered->N; i++) {
        struct text one = i < gold->N ? sentence_form(gold, i) : end;
        struct text other = i < answered->N ? sentence_form(answered, i) : end;
        if (i >= gold->N || i >= answered->N)
            return differ(c, i, err, "expected sentences of the same length", one, other);
        if (!text_equal(one, other))
            return differ(c, i, err, "expected the same word", one, other);
    }
    return true;
}

/* Reads the next sentence; with two files, its gold from the one and its answers from the other. */
static enum reading next(struct file_comparison *c, struct file_answer *into, struct vouch_error *err)
{
    enum reading state = answer_file_next(c->answers, into, err);
    if (!c->gold || state == READ_FAILED)
        return state;
    struct file_answer gold;
    enum reading other = answer_file_next(c->gold, &gold, err);
    if (other == READ_FAILED)
        return READ_FAILED;
    if (other != state) {
        const struct answer_file *longer = state == READ_END ? c->gold : c->answers;
        fail(err, VOUCH_ERR_FORMAT, "%s:%llu: expected no more sentences: %s has no more", longer->path,
             (unsigned long long)answer_file_line(longer, 0), (state == READ_END ? c->answers : c->gold)->path);
        return READ_FAILED;
    }
    if (state == READ_SENTENCE && !have_same_words(c, gold.sentence, into->sentence, err))
        return READ_FAILED;
    into->sentence = gold.sentence;
    into->gold = gold.gold;
    into->gold_head = gold.gold_head;
    return state;
}

static const char *calibration_name(const struct file_comparison *c)
{
    return c->e.options->model ? c->e.options->model : "the calibration";
}

/* Refuses a calibration of other answers. */
static bool calibration_fits(const struct file_comparison *c, struct vouch_error *err)
{
    enum answer_kind kind = answer_kind_of(c->answers), of = c->calibration->about;
    return kind == of || fail(err, VOUCH_ERR_FORMAT, "%s: expected a calibration of %s, found one of %s",
                              calibration_name(c), answer_kind_names[kind], answer_kind_names[of]);
}

/* Puts the probabilities of spans in the place of their scores, and says what does not count. */
static bool take_spans(struct file_comparison *c, struct vouch_error *err)
{
    struct answer_file *t = c->answers;
    const struct eval_options *s = c->e.options;
    if (s->report)
        return fail(err, VOUCH_ERR_ARGUMENT, "--report is about words: expected no spans; --json has all figures");
    if (t->unplaced)
        watch_say(s->common.work.watch, VOUCH_EVENT_WARNING,
                  "warning: %s: %llu of the spans are not in their text: they count as wrong", t->path,
                  (unsigned long long)t->unplaced);
    if (t->repeated)
        watch_say(s->common.work.watch, VOUCH_EVENT_WARNING,
                  "warning: %s: %llu of the spans are there twice: those of the highest score count", t->path,
                  (unsigned long long)t->repeated);
    if (!c->calibration)
        return true;
    if (!calibration_fits(c, err))
        return false;
    double *p = answer_calibration_of_spans(c->calibration, t, calibration_name(c), err);
    for (size_t i = 0; p && i < t->rows; i++)
        t->row[i].confidence = p[i];
    t->outside = 0;
    free(p);
    return p;
}

bool file_comparison_open(struct file_comparison *c, struct vouch_error *err)
{
    const struct eval_options *s = c->e.options;
    bool table = s->answers && s->common.arguments == 0;
    const char *gold = s->common.arguments > (s->answers ? 0 : 1) ? s->common.argument[0] : NULL;
    const char *answers = s->answers            ? s->answers
                          : s->common.arguments ? s->common.argument[s->common.arguments - 1]
                                                : NULL;
    bool spans = s->answers && gold &&
                 (answers_look_like_spans(gold) == SPANS_FOUND || answers_look_like_spans(answers) == SPANS_FOUND);
    struct answer_file_options options = {
        .format = c->reading.format, .column = c->reading.column, .foreign = table || spans};
    if (options.foreign) {
        options.columns = s->columns;
        options.together = s->rows == ROWS_TOGETHER;
        options.log = s->log || (c->calibration && c->calibration->log);
        options.gold_path = gold;
    } else {
        options.gold = c->reading.gold;
        options.named = c->reading.named;
        options.parts = gold ? ANSWERS_ALONE : GOLD_AND_ANSWERS;
    }
    c->answers = answer_file_open(answers, &options, err);
    if (c->answers && c->answers->spans)
        return take_spans(c, err);
    if (!c->answers || !gold)
        return c->answers && (!s->log || options.foreign ||
                              fail(err, VOUCH_ERR_ARGUMENT, "--log: expected --answers FILE without GOLD, or spans"));
    options.parts = GOLD_ALONE;
    options.trees = c->answers->trees;
    c->gold = answer_file_open(gold, &options, err);
    if (!c->gold)
        return false;
    if (c->gold->trees != options.trees)
        return fail(err, VOUCH_ERR_FORMAT, "%s has %s, %s has %s: expected the same of both", c->gold->path,
                    options.trees ? "labels" : "trees", c->answers->path, options.trees ? "trees" : "labels");
    return c->gold->methods == 0 || c->answers->methods > 0 || /* they are probably in the wrong order */
           fail(err, VOUCH_ERR_FORMAT, "%s has confidence, %s has none: expected the gold file first, then the answers",
                c->gold->path, c->answers->path);
}

/*
 * Schemes: labels are compared as they are spelled, so that both files must spell alike. A file that is IOB1 rather
 * than IOB2, but for some labels, stays what conlleval takes it for.
 */

static bool is_mixed(const struct scheme_watch *watch)
{
    return scheme_decide(watch) == SCHEME_IOB2 && watch->opens_with_i > watch->needless_b;
}

/* Whether the rows of a table are not divided into sentences: labels are then all that can be compared. */
static bool lacks_sentences(const struct file_comparison *c)
{
    return c->answers->options.foreign && c->answers->boundaries == BOUNDARY_NONE;
}

static bool compare_schemes(struct file_comparison *c, struct vouch_error *err)
{
    struct scheme_watch gold = {0}, answers = {0};
    if (c->answers->trees || c->answers->spans || lacks_sentences(c))
        return true;
    if (!answer_file_watch(c->answers, &gold, &answers, err))
        return false;
    if (c->gold && !answer_file_watch(c->gold, &gold, &answers, err))
        return false;
    enum scheme one = scheme_decide(&gold), other = scheme_decide(&answers);
    bool chunks = one != SCHEME_NONE && other != SCHEME_NONE;
    c->respelled = chunks && one != other && !is_mixed(&gold) && !is_mixed(&answers);
    return true;
}

/* Rewrites labels to IOB2, in the room of gold or of answers. */
static bool respell(struct file_comparison *c, bool gold, struct text *label, uint32_t N, struct vouch_error *err)
{
    size_t bytes = N, at = N;
    struct text type;
    for (uint32_t i = 0; i < N; i++)
        bytes += label[i].length + 2;
    if (!RESERVE(c->spelling[gold], c->spelling_capacity[gold], bytes, err))
        return false;
    char *room = c->spelling[gold];
    scheme_convert(label, N, SCHEME_IOB2, room);
    for (uint32_t i = 0; i < N; i++) {
        if (!scheme_split(label[i], &type) || room[i] == 'O')
            continue;
        char *to = room + at;
        to[0] = room[i];
        to[1] = '-';
        memcpy(to + 2, type.at, type.length);
        label[i] = (struct text){to, type.length + 2};
        at += label[i].length;
    }
    return true;
}

/* Confidence. */

static bool choose_method(struct file_comparison *c, struct text name, const struct file_method *method, uint32_t count,
                          struct vouch_error *err)
{
    char names[256] = "";
    for (uint32_t m = 0; m < count; m++) {
        size_t length = strlen(names);
        if (text_is(name, method[m].name) && c->methods < MAX_METHODS) {
            c->method[c->methods++] = m;
            return true;
        }
        snprintf(names + length, sizeof names - length, "%s%s", m ? ", " : "", method[m].name);
    }
    return fail(err, VOUCH_ERR_ARGUMENT, "%s: expected confidence by %.*s, found %s", c->answers->path,
                (int)name.length, name.at, names);
}

/* Refuses a calibration of one number a word where there are several. */
static bool one_number(const struct file_comparison *c, struct vouch_error *err)
{
    return c->methods == 1 ||
           fail(err, VOUCH_ERR_FORMAT, "%s: expected one number a word to calibrate, found %u (--confidence names one)",
                c->answers->path, c->methods);
}

/* Puts probabilities in the place of the numbers of words and relations; those of chunks and sentences are left out. */
static bool calibrate(struct file_comparison *c, uint32_t N, struct vouch_error *err)
{
    struct method_confidence *by = &c->by_method[0];
    if (!RESERVE(c->calibrated, c->calibrated_capacity, 2 * (size_t)N, err))
        return false;
    for (uint32_t i = 0; i < N; i++) {
        double *to = &c->calibrated[i];
        if (!answer_calibration_apply(c->calibration, ASPECT_WORDS, by->word[i], to))
            return fail(err, VOUCH_ERR_FORMAT,
                        "%s:%llu: expected a number from 0 to 1, as those that %s was fitted on, found %g",
                        c->answers->path, (unsigned long long)answer_file_line(c->answers, i), calibration_name(c),
                        by->word[i]);
        if (!by->relation || !answer_calibration_apply(c->calibration, ASPECT_RELATIONS, by->relation[i], &to[N]))
            to[N] = NAN;
    }
    *by = (struct method_confidence){.method = by->method,
                                     .calibrated = true,
                                     .word = c->calibrated,
                                     .relation = by->relation ? c->calibrated + N : NULL,
                                     .sentence = NAN};
    return true;
}

/* Chooses the methods that the options name, or all of the file's if they name none. */
static bool choose_methods(struct file_comparison *c, struct vouch_error *err)
{
    const char *wish = c->e.options->confidence.methods;
    struct file_method chosen[MAX_METHODS];
    uint32_t count = c->answers->methods;
    const struct file_method *method = c->answers->method;
    bool all = !wish || strcmp(wish, "all") == 0, none = wish && strcmp(wish, "none") == 0;
    if ((count == 0 || none) && (c->e.options->csv || c->e.options->report || (wish && !none)))
        return fail(err, VOUCH_ERR_ARGUMENT,
                    "%s: expected confidence in the answers, found none (a model's is measured with -m MODEL)",
                    c->answers->path);
    for (uint32_t m = 0; all && m < count; m++)
        c->method[c->methods++] = m;
    for (const char *at = wish; at && !all && !none; at = *at ? at + 1 : NULL) {
        struct text name = {at, (uint32_t)strcspn(at, ",")};
        if (!choose_method(c, name, method, count, err))
            return false;
        at += name.length;
    }
    if (c->calibration && !(calibration_fits(c, err) && one_number(c, err)))
        return false;
    for (uint32_t m = 0; m < c->methods; m++) {
        chosen[m] = method[c->method[m]];
        if (c->calibration)
            chosen[m].stated = chosen[m].calibrated = true;
    }
    c->e.judged = c->methods > 0;
    if (c->e.judged && !confidence_eval_of_file(&c->e.confidence_eval, chosen, c->methods, c->e.parses, err))
        return false;
    c->e.confidence_eval.spans = c->answers->spans;
    return true;
}

/* Counting. */

static bool take(struct file_comparison *c, const struct file_answer *a, struct vouch_error *err)
{
    struct sentence sentence = *a->sentence;
    if (c->respelled && !(respell(c, true, a->gold, sentence.N, err) && respell(c, false, a->label, sentence.N, err)))
        return false;
    sentence.gold = a->gold;
    sentence.head = a->gold_head;
    sentence.labelled = true;
    struct confidences confidences = a->confidences ? *a->confidences : (struct confidences){0};
    for (uint32_t m = 0; m < c->methods; m++)
        c->by_method[m] = confidences.by_method[c->method[m]];
    if (c->calibration && a->confidences && !c->answers->spans && !calibrate(c, sentence.N, err))
        return false;
    confidences.by_method = c->by_method;
    confidences.methods = c->methods;
    struct vouch_answer answer = {
        .label = a->gold ? a->label : NULL, .head = a->head, .confidences = c->methods ? &confidences : NULL};
    if (!evaluation_take(&c->e, &sentence, &answer, err))
        return false;
    if (c->e.parses)
        return true;
    scheme_see(&c->spelled, c->e.gold, sentence.N);
    return tag_score_add(&c->labels, c->e.gold, a->label, sentence.N, err);
}

/* Lists the commonest labels of gold or answers, for a message; among equals the first. */
static void show_labels(const struct tag_score *score, bool gold, char *room, size_t size)
{
    size_t length = 0, shown[SHOWN_LABELS];
    room[0] = '\0';
    for (size_t n = 0; n < SHOWN_LABELS; n++) {
        struct best best = {0};
        for (size_t i = 0; i < score->rows; i++) {
            bool before = false;
            for (size_t k = 0; k < n; k++)
                before = before || shown[k] == i;
            if (!before)
                best_offer(&best, i, (double)(gold ? score->row[i].counts.gold : score->row[i].counts.guessed));
        }
        if (!best.any || best.score <= 0)
            return;
        struct text name = {score->row[best.row].name, score->row[best.row].length};
        length +=
            (size_t)snprintf(room + length, size - length, "%s%.*s", n ? ", " : "", text_beginning(name, 20), name.at);
        shown[n] = best.row;
    }
    snprintf(room + length, size - length, ", ...");
}

/* Whether gold and answers have enough labels in common, and types of chunks if they spell chunks. */
static bool are_alike(const struct tag_score *labels, const struct tag_score *chunks, bool chunked)
{
    uint64_t gold = 0, guessed = 0, words = labels->words, types = 0;
    for (size_t i = 0; i < labels->rows; i++) {
        const struct tag_counts *n = &labels->row[i].counts;
        gold += n->guessed > 0 ? n->gold : 0;
        guessed += n->gold > 0 ? n->guessed : 0;
    }
    for (size_t i = 0; i < chunks->rows; i++)
        types += chunks->row[i].counts.gold > 0 && chunks->row[i].counts.guessed > 0;
    bool many = chunked && chunks->all.gold >= MANY_CHUNKS && chunks->all.guessed >= MANY_CHUNKS;
    bool strange = 20 * gold < words || 20 * guessed < words || (2 * gold < words && 2 * guessed < words);
    return words < SOME_WORDS || (gold > 0 && (words < MANY_WORDS || !(strange || (many && types == 0))));
}

static bool refuse_unlike(const struct file_comparison *c, struct vouch_error *err)
{
    char gold[80], answers[80];
    show_labels(&c->labels, true, gold, sizeof gold);
    show_labels(&c->labels, false, answers, sizeof answers);
    if (c->gold)
        return fail(err, VOUCH_ERR_FORMAT,
                    "%s has %s in %s, %s has %s in %s: these are not labels of one another (--gold N names the column "
                    "of gold labels)",
                    c->gold->path, gold, c->gold->place[1], c->answers->path, answers, c->answers->place[0]);
    if (c->answers->options.foreign)
        return fail(err, VOUCH_ERR_FORMAT,
                    "%s has %s in %s and %s in %s: these are not gold labels and answers (--columns names others)",
                    c->answers->path, gold, c->answers->place[1], answers, c->answers->place[0]);
    return fail(err, VOUCH_ERR_FORMAT,
                "%s has %s in %s and %s in %s: these are not gold labels and answers. --gold N names the column of "
                "gold labels; if they are in another file: vouch eval GOLD %s",
                c->answers->path, gold, c->answers->place[1], answers, c->answers->place[0], c->answers->path);
}

/* Lists the first types that gold has and the answers never have; returns how many chunks are of such types. */
static uint64_t list_missing(const struct tag_score *score, char *room, size_t size)
{
    uint64_t missing = 0;
    size_t length = 0, listed = 0;
    for (size_t i = 0; i < score->rows; i++) {
        const struct tag_row *row = &score->row[i];
        if (row->counts.guessed > 0 || row->counts.gold == 0)
            continue;
        missing += row->counts.gold;
        if (listed < SHOWN_LABELS)
            length += (size_t)snprintf(room + length, size - length, "%s%.*s", listed ? ", " : "",
                                       text_beginning((struct text){row->name, row->length}, 20), row->name);
        else if (listed == SHOWN_LABELS)
            snprintf(room + length, size - length, ", ...");
        listed++;
    }
    return missing;
}

/*
 * Types that the answers never have were perhaps none of the model's: they count as missed, which says little of it. If
 * the answers have one type alone, they may come from a model of the task np, which keeps no other.
 */
static void warn_of_missing_types(const struct file_comparison *c)
{
    const struct tag_score *score = &c->e.score;
    const struct task *task = task_named("np");
    char types[160];
    uint64_t only = 0, missing = list_missing(score, types, sizeof types);
    for (size_t i = 0; i < score->rows; i++)
        if (strcmp(score->row[i].name, task->only) == 0)
            only = score->row[i].counts.guessed;
    bool nouns = only > 0 && only == score->all.guessed;
    if (c->e.options->learner.task || score->all.guessed == 0 || missing < FEW_CHUNKS || 20 * missing < score->all.gold)
        return;
    watch_say(c->e.options->common.work.watch, VOUCH_EVENT_WARNING,
              "warning: %llu of the %llu chunks in gold are of types that the answers never have (%s), and count as "
              "missed%s%s%s",
              (unsigned long long)missing, (unsigned long long)score->all.gold, types,
              nouns ? ": with --task " : "", nouns ? task->name : "", nouns ? " they do not count" : "");
}

/* Refuses spans that have not one type in common with gold. */
static bool share_types(const struct file_comparison *c, struct vouch_error *err)
{
    const struct tag_score *score = &c->e.score;
    char gold[80], answers[80];
    for (size_t i = 0; i < score->rows; i++)
        if (score->row[i].counts.gold > 0 && score->row[i].counts.guessed > 0)
            return true;
    if (score->all.gold < MANY_CHUNKS || score->all.guessed < MANY_CHUNKS)
        return true;
    show_labels(score, true, gold, sizeof gold);
    show_labels(score, false, answers, sizeof answers);
    return fail(err, VOUCH_ERR_FORMAT, "%s has spans of %s and gold of %s: expected the same types in both",
                c->answers->path, answers, gold);
}

/* Decides, by the scheme of gold, whether labels or chunks are counted; rows without sentences have no chunks. */
static bool settle_unit(struct file_comparison *c, struct vouch_error *err)
{
    if (c->answers->spans)
        return share_types(c, err);
    bool plain = scheme_decide(&c->spelled) == SCHEME_NONE || lacks_sentences(c);
    if (!are_alike(&c->labels, &c->e.score, !plain))
        return refuse_unlike(c, err);
    if (!plain) {
        warn_of_missing_types(c);
        return true;
    }
    struct tag_score chunks = c->e.score;
    c->e.score = c->labels;
    c->labels = chunks;
    return true;
}

bool file_comparison_run(struct file_comparison *c, struct vouch_error *err)
{
    const struct eval_options *s = c->e.options;
    struct file_answer sentence;
    enum reading state;
    c->e.parses = c->answers->trees;
    c->e.by_sentence = s->by_sentence;
    tag_score_init(&c->e.score, c->answers->spans ? TAG_SPANS : TAG_CHUNKS);
    tag_score_init(&c->labels, TAG_LABELS);
    if (!choose_methods(c, err) || !compare_schemes(c, err))
        return false;
    while ((state = next(c, &sentence, err)) == READ_SENTENCE) {
        if (watch_stops(s->common.work.watch))
            return fail(err, VOUCH_ERR_STOPPED, "interrupted");
        if (!take(c, &sentence, err))
            return false;
    }
    if (c->answers->faults > 0) /* lines that have an error in the place of an answer are not counted */
        watch_say(s->common.work.watch, VOUCH_EVENT_WARNING,
                  "warning: %s: %llu line%s with an error in the place of an answer, not counted", c->answers->path,
                  (unsigned long long)c->answers->faults, c->answers->faults == 1 ? "" : "s");
    if (state == READ_FAILED || (!c->e.parses && !settle_unit(c, err)))
        return false;
    if (!c->e.judged)
        return true;
    confidence_eval_settle(&c->e.confidence_eval);
    return confidence_eval_measure(&c->e.confidence_eval, s->resamples, &s->common.work, err);
}

void file_comparison_release(struct file_comparison *c)
{
    free(c->calibrated);
    free(c->spelling[0]);
    free(c->spelling[1]);
    tag_score_release(&c->labels);
    evaluation_release(&c->e);
    answer_file_close(c->answers);
    answer_file_close(c->gold);
}
