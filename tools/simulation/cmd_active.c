/* Implements vouch active: what to label next, and whether choosing pays: see man/vouch-active.1. */
#include "cli/shared.h"

#include "base/watch.h"
#include "base/output.h"
#include "report/chart.h"
#include "simulation/simulation.h"
#include "scores/score_files.h"

#include <math.h>
#include <stdio.h>
#include <string.h>

enum { ROWS = 12, LEAST_WORDS = 8, LEAST_SCORE = 7, INTERVAL_WIDTH = 7, SECONDS_AN_HOUR = 3600 };

/* Finds the number of sentences labelled at point p, if any run got there. */
static bool sentences_at(const struct simulation *r, uint32_t p, uint32_t *sentences)
{
    for (uint32_t i = 0; i < r->outcome.runs; i++)
        if (r->outcome.curve[i].points > p) {
            *sentences = r->outcome.curve[i].point[p].sentences;
            return true;
        }
    return false;
}

static bool has_intervals(const struct simulation *r)
{
    return r->summary.repeats > 1;
}

static int score_width(const struct simulation *r)
{
    int name = (int)strlen(r->score) + 2, own = name > LEAST_SCORE ? name : LEAST_SCORE;
    return has_intervals(r) ? own + INTERVAL_WIDTH : own;
}

/* Returns the width of the column of words, such that the method's name fits over its two columns. */
static int words_width(const struct simulation *r)
{
    int width = LEAST_WORDS;
    for (uint32_t w = 0; w < r->summary.ways; w++) {
        int need = (int)strlen(r->plan.strategy[w].name) + 2 - score_width(r);
        width = need > width ? need : width;
    }
    return width;
}

/* Prints "91.23", or "91.23 ±0.42", to the right of `width` columns. */
static void print_score(double score, double interval, int width)
{
    if (isnan(score))
        printf("%*s", width, "-");
    else if (isnan(interval))
        printf("%*.2f", width, score);
    else
        printf("%*.2f ±%5.2f", width - INTERVAL_WIDTH, score, interval);
}

static void print_point(const struct simulation *r, const struct active_way *way, uint32_t p)
{
    if (p >= way->points) {
        printf("%*s%*s", words_width(r), "-", score_width(r), "-");
        return;
    }
    printf("%*.0f", words_width(r), way->mean[p].cost);
    print_score(way->mean[p].score, way->interval[p], score_width(r));
}

static void print_curves(const struct simulation *r)
{
    uint32_t sentences, shown = 0, points = 0, all = r->outcome.points;
    uint32_t step = all > ROWS ? (all + ROWS - 2) / ROWS : 1; /* between the points of a curve that make a row */
    printf("%9s", "");
    for (uint32_t w = 0; w < r->summary.ways; w++)
        printf("%*s", words_width(r) + score_width(r), r->plan.strategy[w].name);
    printf("\n%9s", "sentences");
    for (uint32_t w = 0; w < r->summary.ways; w++)
        printf("%*s%*s", words_width(r), "words", score_width(r), r->score);
    printf("\n");
    for (uint32_t p = 0; p < all && sentences_at(r, p, &sentences); p++) {
        points++;
        if (p % step != 0 && p + 1 != all)
            continue;
        printf("%9u", sentences);
        for (uint32_t w = 0; w < r->summary.ways; w++)
            print_point(r, &r->summary.way[w], p);
        printf("\n");
        shown++;
    }
    if (shown < points)
        printf("(%u of %u measurements; --csv and --json have all)\n", shown, points);
}

static void print_number(double x, int width, int digits, const char *unit)
{
    if (isnan(x))
        printf("%*s", width, "-");
    else
        printf("%*.*f%s", width - (int)strlen(unit), digits, x, unit);
}

/*
 * Prints how many words, and how many hours of labelling, each method needs for
 * the last score of random; and the area under its curve.
 */
static void print_ways(const struct simulation *r)
{
    const struct active_summary *s = &r->summary;
    bool random = !isnan(s->target);
    char reach[32], area[48];
    snprintf(reach, sizeof reach, "%s %.2f after", r->score, s->target);
    snprintf(area, sizeof area, "%s up to %.0f words", r->score, s->area_to);
    printf("%-20s", "method");
    if (random)
        printf(" %22s %8s %8s %8s", reach, "saved", "time", "saved");
    printf(" %28s%s\n", area, random && has_intervals(r) ? "         p" : "");
    for (uint32_t w = 0; w < s->ways; w++) {
        const struct active_way *way = &s->way[w];
        printf("%-20s", r->plan.strategy[w].name);
        if (random) {
            print_number(way->reach, 23, 0, " words");
            print_number(way->saved, 9, 1, " %");
            print_number(way->reach_seconds / SECONDS_AN_HOUR, 9, 2, " h");
            print_number(way->saved_seconds, 9, 1, " %");
        }
        print_score(way->area, way->area_interval, 29);
        if (random && has_intervals(r))
            print_number(way->p, 10, 4, "");
        printf("\n");
    }
}

static void print_simulation(const struct simulation *r)
{
    const struct dataset *dataset = r->plan.dataset;
    printf("%s: %u sentences to choose from, %u to measure on; ", r->options->learner.task,
           dataset->layer[0].examples.count, dataset->layer[0].dev.count);
    if (has_intervals(r))
        printf("means of %u repeats, ± is a 95 %% interval (Student's t)\n\n", r->summary.repeats);
    else
        printf("one repeat\n\n");
    print_curves(r);
    printf("\n");
    print_ways(r);
}

static json_t *number(double x)
{
    return isnan(x) ? json_null() : json_real(x);
}

/* Lists every run of one way, as it was measured. */
static json_t *runs_json(const struct simulation *r, uint32_t w)
{
    json_t *runs = json_array();
    for (uint32_t k = 0; k < r->plan.options.repeats; k++) {
        const struct active_curve *curve = &r->outcome.curve[(size_t)w * r->plan.options.repeats + k];
        json_t *points = json_array();
        for (uint32_t p = 0; p < curve->points; p++)
            json_array_append_new(points,
                                  json_pack("{s:I, s:I, s:f, s:f}", "sentences", (json_int_t)curve->point[p].sentences,
                                            "words", (json_int_t)curve->point[p].words, "seconds",
                                            curve->point[p].seconds, "score", curve->point[p].score));
        json_array_append_new(runs, points);
    }
    return runs;
}

static json_t *way_json(const struct simulation *r, uint32_t w)
{
    const struct active_way *way = &r->summary.way[w];
    json_t *mean = json_array();
    for (uint32_t p = 0; p < way->points; p++) {
        uint32_t sentences = 0;
        sentences_at(r, p, &sentences);
        json_array_append_new(mean, json_pack("{s:I, s:f, s:f, s:f, s:o}", "sentences", (json_int_t)sentences, "words",
                                              way->mean[p].cost, "seconds", way->time[p].cost, "score",
                                              way->mean[p].score, "interval", number(way->interval[p])));
    }
    return json_pack("{s:s, s:o, s:o, s:o, s:o, s:o, s:o, s:o, s:o, s:o, s:o}", "method", r->plan.strategy[w].name,
                     "reached_after", number(way->reach), "saved", number(way->saved), "saved_interval",
                     number(way->saved_interval), "reached_after_seconds",
                     number(way->reach_seconds), "saved_seconds", number(way->saved_seconds), "area", number(way->area),
                     "area_interval", number(way->area_interval), "p", number(way->p), "mean", mean, "runs",
                     runs_json(r, w));
}

static void print_json(const struct simulation *r)
{
    json_t *ways = json_array();
    for (uint32_t w = 0; w < r->summary.ways; w++)
        json_array_append_new(ways, way_json(r, w));
    json_t *result =
        json_pack("{s:s, s:s, s:I, s:b, s:o, s:o, s:o}", "task", r->options->learner.task, "score", r->score, "repeats",
                  (json_int_t)r->summary.repeats, "interrupted", r->outcome.stopped, "target",
                  number(r->summary.target), "area_to", number(r->summary.area_to), "methods", ways);
    show_json(result, 6);
}

static bool write_csv(const struct simulation *r, const char *path, struct vouch_error *err)
{
    struct output *out = output_open(path, err);
    if (!out)
        return false;
    output_printf(out, "method,repeat,sentences,words,seconds,score\n");
    for (uint32_t i = 0; i < r->outcome.runs; i++) {
        const struct active_curve *curve = &r->outcome.curve[i];
        for (uint32_t p = 0; p < curve->points; p++)
            output_printf(out, "%s,%u,%u,%zu,%.1f,%.4f\n", r->plan.strategy[i / r->plan.options.repeats].name,
                          i % r->plan.options.repeats + 1, curve->point[p].sentences, curve->point[p].words,
                          curve->point[p].seconds, curve->point[p].score);
    }
    return output_commit(out, err);
}

static bool write_plot(const struct simulation *r, const char *path, struct vouch_error *err)
{
    const struct active_summary *s = &r->summary;
    struct chart chart;
    char title[64];
    snprintf(title, sizeof title, "%s: what to label next", r->options->learner.task);
    chart_init(&chart, "", title, "words labelled", r->score);
    chart.log_x = true;
    for (uint32_t w = 0; w < s->ways; w++) {
        const struct active_way *way = &s->way[w];
        if (way->points)
            chart_add_series(&chart, r->plan.strategy[w].name);
        for (uint32_t p = 0; p < way->points; p++) {
            double score = way->mean[p].score, interval = has_intervals(r) ? way->interval[p] : NAN;
            chart_add_band(&chart, way->mean[p].cost, score, score - interval, score + interval);
        }
    }
    bool ok = chart_draw(&chart, path, err);
    chart_release(&chart);
    return ok;
}

/* Prints what follows from the result, and what to do next. */
static void say_next(const struct simulation *s, double seconds)
{
    const struct active_summary *summary = &s->summary;
    uint32_t best = summary->ways;
    for (uint32_t w = 0; w < summary->ways; w++)
        if (summary->way[w].saved > 0 && (best == summary->ways || summary->way[w].saved > summary->way[best].saved))
            best = w;
    fflush(stdout);
    showf(stderr, "%.1f s; ", seconds);
    if (s->outcome.stopped)
        showf(stderr, "interrupted: this is what was measured before; --most and --repeats make it shorter\n");
    else if (best < summary->ways)
        showf(stderr,
              "%s saved %.0f %% of the words: choose real sentences with 'vouch active next --confidence %s "
              "-m MODEL --pool FILE'\n",
              s->strategy[best].name, summary->way[best].saved, s->strategy[best].name);
    else
        showf(stderr, "no method is known to save words here: %s\n",
              summary->random < summary->ways ? "label sentences at random, or try --repeats for a clearer picture"
                                              : "add random to --confidence to see what choosing is worth");
}

static bool report(const struct simulation *s, double seconds, struct vouch_error *err)
{
    const struct active_options *set = s->options;
    if ((set->csv && !write_csv(s, set->csv, err)) || (set->plot && !write_plot(s, set->plot, err)))
        return false;
    if (set->json)
        print_json(s);
    else
        print_simulation(s);
    if (!set->common.quiet)
        say_next(s, seconds);
    return true;
}

static bool run_simulation(struct simulation *s, struct vouch_error *err)
{
    double started = seconds_now();
    const struct active_options *set = s->options;
    if (!saving_possible(set, err) || !simulation_read(s, err))
        return false;
    interrupt_catch();
    bool ok = simulation_run(s, err);
    progress_clear(&set->common);
    return ok && report(s, seconds_now() - started, err);
}

static int simulate(struct active_options *settings, struct vouch_error *err)
{
    struct simulation s = {.options = settings};
    int status = EXIT_DONE;
    if (!simulation_prepare(&s, err))
        status = EXIT_MISUSE;
    else if (!run_simulation(&s, err))
        status = EXIT_FAILED;
    else if (s.outcome.stopped)
        status = EXIT_INTERRUPTED;
    simulation_release(&s);
    return status;
}

/* vouch active next: which sentences of a file to label next. */

static bool write_list(const struct next_sentences *c, struct vouch_error *err)
{
    struct output *out = output_open(c->options->output, err);
    for (uint32_t i = 0; out && i < c->count; i++) {
        size_t length;
        const char *text = shortlist_text(c->list, i, &length);
        output_write(out, text, length);
    }
    return output_close(out, out != NULL, err);
}

static void say_chosen(const struct next_sentences *c)
{
    const struct active_options *s = c->options;
    uint32_t count = c->count;
    double minutes = c->seconds / 60;
    showf(stderr, "chose %u of %llu sentences", count, (unsigned long long)c->seen);
    if (c->known)
        showf(stderr, ", %llu of them labelled or repeated", (unsigned long long)c->known);
    showf(stderr, ", by %s", c->name);
    if (count == 0)
        showf(stderr, ": nothing is left to label\n");
    else {
        showf(stderr, "; %.0f words, about %.0f %s of labelling: %s them", c->labelling.words,
              minutes < 2 ? c->seconds : minutes, minutes < 2 ? "s" : "min", s->predict ? "correct" : "label");
        if (model_lacks_weights(c->model))
            showf(stderr, ", then train the model that gives the scores on them\n");
        else
            showf(stderr, ", then go on with 'vouch train --from %s -o NEW FILE'\n", s->model);
    }
}

static int choose_next(struct active_options *settings, struct vouch_error *err)
{
    struct next_sentences c = {.options = settings};
    if (!reading_options(&settings->reading, &c.reading, err))
        return EXIT_MISUSE;
    c.reading.gold = GOLD_NONE;
    if (!saving_possible(settings, err))
        return EXIT_FAILED;
    struct score_files *files = NULL;
    vouch_model *model = open_with_scores(settings->model, &settings->source, &files, err);
    c.model = model;
    c.scores = files;
    interrupt_catch();
    bool ok =
        model &&
        next_sentences_choose(&c, settings->pool, settings->common.argument + 1, settings->common.arguments - 1, err) &&
        write_list(&c, err);
    if (ok && !settings->common.quiet)
        say_chosen(&c);
    next_sentences_release(&c);
    score_files_free(files);
    vouch_model_close(model);
    return done_if(ok);
}

static int active(void *options, struct vouch_error *err)
{
    struct active_options *settings = options;
    return settings->common.arguments > 0 ? choose_next(settings, err) : simulate(settings, err);
}

const struct command active_command = {
    .name = "active",
    .arguments = "--task TASK --pool FILE --test FILE | next -m MODEL --pool FILE [LABELLED...]",
    .summary = "choose what to label next",
    .about = "Chooses the sentences that a model is least sure of: labelling those teaches it more than labelling as "
             "many at random. A simulation finds out how much, on sentences whose labels are known: beginning with a "
             "few random ones, it asks about a random thousand in every round, labels the ten least sure, and measures "
             "every hundred; it prints learning curves, and how many words each method needs to be as good as random "
             "is in the end. With next, prints the sentences of FILE to label next, least sure first, as they were "
             "read: none that the model learned from, none whose words are in LABELLED, and none twice. Ctrl-C ends a "
             "simulation with what was measured.",
    .example = "  vouch active --task np --pool train.txt --test test.txt --repeats 5 --plot curves.svg\n"
               "  vouch active next -m ner.vouch --pool raw.txt -n 50 --predict train.txt > to-label.txt\n",
    .table = &active_options,
    .run = active,
};
