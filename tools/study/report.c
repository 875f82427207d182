/* Writes the report of a study: tables, figures and one page, also as Markdown, made of OUT/results.json alone. */
#include "study/study.h"

#include "base/buffer.h"
#include "report/page.h"
#include "study/chapters.h"
#include "study/claims.h"

#include <math.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

static const struct chapter {
    const char *id, *title;
    const char *steps; /* its steps' names begin so */
    const char *about;
    void (*write)(struct document *document, const struct results *results);
} chapters[] = {
    {"data", "Data", "data/", "What the models learned from.", chapter_data},
    {"prediction", "Prediction", "prediction/",
     "How well each learner predicts: labels over the folds of cross-validation, heads on the test file. Parameters "
     "were chosen once for all folds, and neighbouring sentences are in different folds, which flatters all learners "
     "alike.",
     chapter_prediction},
    {"ranking", "Finding errors", "ranking/",
     "Words are inspected from the least sure up: the earlier the wrong ones come, the better. Average precision: at "
     "each error, the share of errors among the words inspected so far; the mean of these. All methods of such a table "
     "judge the same answers; learners with answers of their own are compared in a table with AURC.",
     chapter_ranking},
    {"calibration", "Confidence as a probability", "ranking/",
     "Of the words that get a confidence of 0.8, eight in ten should be right. RMSE is the root of the mean squared "
     "distance between the centre of a bin of confidence and the share that is right in it, over twenty bins, weighted "
     "by words. Raw numbers are as in the paper; calibrated ones were fitted on the development file, or on held-out "
     "parts of the training data where there is none.",
     chapter_calibration},
    {"effect-of-k", "How many draws", "effect-of-k/",
     "KD-Fix and KD-PC decode with K drawn models. How many are enough?", chapter_draws},
    {"tradeoff", "Precision for recall, and back", "tradeoff/",
     "Entities that are trusted too little are taken back, which raises precision; or words outside that are trusted "
     "too little become entities, which raises recall. The paper replaces the labels of single words, and words are "
     "counted where that is done here; otherwise entities, which stand or fall as wholes.",
     chapter_tradeoff},
    {"active", "What to label next", "active/",
     "The sentences that a model is least sure of are labelled next, instead of random ones.", chapter_active},
};
enum { CHAPTERS = sizeof chapters / sizeof *chapters };

/* Whether a step was run whose name begins so. */
static bool was_run(const struct results *r, const char *steps)
{
    for (void *at = json_object_iter(r->steps); at; at = json_object_iter_next(r->steps, at))
        if (strncmp(json_object_iter_key(at), steps, strlen(steps)) == 0)
            return true;
    return false;
}

static void put_contents(struct document *d, const struct results *r)
{
    if (!d->ok)
        return;
    output_printf(d->page, "<nav aria-label=\"Contents\">\n<ol>\n<li><a href=\"#claims\">The paper's claims</a></li>"
                           "\n<li><a href=\"#answer\">In short</a></li>\n");
    for (size_t i = 0; i < CHAPTERS; i++)
        if (was_run(r, chapters[i].steps))
            output_printf(d->page, "<li><a href=\"#%s\">%s</a></li>\n", chapters[i].id, chapters[i].title);
    output_printf(d->page, "<li><a href=\"#method\">How claims are judged</a></li>\n"
                           "<li><a href=\"#commands\">Where the numbers come from</a></li>\n</ol>\n</nav>\n");
}

/* Writes the same list as files, for other documents. */
static void write_claims(struct document *d, const struct claim claim[CLAIMS])
{
    static const char *const columns[] = {"in the paper", "verdict", "as usual here", "numbers"};
    struct table t;
    table_init(&t, "claims", "The paper's claims", "claim", BETTER_NEITHER);
    for (size_t j = 0; j < 4; j++)
        table_add_column(&t, (struct table_column){.name = columns[j]});
    for (size_t i = 0; i < CLAIMS; i++) {
        const char *const cells[] = {claim[i].where, verdict_names[claim[i].verdict],
                                     claim[i].ours ? verdict_names[claim[i].ours] : "", claim[i].evidence};
        table_add_row(&t, claim[i].text, false);
        for (size_t j = 0; j < 4; j++)
            table_put_text(&t, j, cells[j]);
    }
    document_table_files(d, &t);
    table_release(&t);
}

/* Writes the claims as a table of verdicts, with the paper's numbers beside ours. */
static void put_claims(struct document *d, const struct claim claim[CLAIMS])
{
    static const char *const style[] = {"open", "no", "unclear", "partly", "yes"}; /* by enum verdict */
    document_heading(d, "claims", "The paper's claims");
    write_claims(d, claim);
    if (!d->ok)
        return;
    output_printf(d->page, "<figure class=\"table\"><table class=\"claims\">\n<thead><tr><th>verdict</th>"
                           "<th>claim</th><th>in the paper</th><th>here</th></tr></thead>\n");
    for (size_t i = 0; i < CLAIMS; i++) {
        output_printf(d->page, "<tr class=\"%s\"><td><span class=\"verdict\">%s</span>", style[claim[i].verdict],
                      verdict_names[claim[i].verdict]);
        if (claim[i].ours)
            page_put(d->page, "<br><span class=\"soft\">as usual here: ", verdict_names[claim[i].ours], "</span>");
        page_put(d->page, "</td><td>", claim[i].text, "</td>");
        page_put(d->page, "<td>", claim[i].published, claim[i].published[0] ? "<br>" : "");
        page_put(d->page, "<span class=\"soft\">", claim[i].where, "</span></td>");
        page_put(d->page, "<td class=\"soft\">", claim[i].evidence, "</td></tr>\n");
    }
    output_printf(d->page, "</table></figure>\n");
    document_say(d, "soft", "The paper's numbers are means over its datasets. \xe2\x89\x88: cannot be told apart. (2:1 "
                            "of 4): clearly better, or as good, on two of four datasets, clearly worse on one. How "
                            "claims are judged is told below.");
}

static void put_method(struct document *d)
{
    document_heading(d, "method", "How claims are judged");
    document_say(
        d, NULL,
        "A claim is judged as in the paper, whose CW learns from the best answer and whose PA learns from the five "
        "best on sequences and from the best on trees; then with CW as it usually learns here, from the five best. A "
        "difference is clear if its 95 % interval does not hold 0: of labels over the folds, by the t-test of the "
        "paired scores; of heads over the sentences, which both have parsed; of methods on the same answers, by "
        "measuring both on the same samples of the test sentences, to which is added, where models are drawn, that "
        "other seeds would have drawn others. The interval of a mean reaches as far as the root of the sum of squares "
        "of how far those of the datasets do, over their number. A claim holds if the mean is clearly better, and does "
        "not hold if it is clearly worse; otherwise the two cannot be told apart (\xe2\x89\x88). It holds in part if "
        "more datasets clearly speak against the mean than for it, if datasets clearly disagree and their mean decides "
        "nothing, or if it holds of sequences and not of trees, or the other way round. To predict at least as well is "
        "to be worse by no more than 0.2 points, by which the paper's CW is ahead on trees: it holds if the interval "
        "lies above -0.2, and does not hold if it reaches below that and lies below 0. To be best is to be better than "
        "each of the paper's other methods; of KD-Fix and KD-PC the one with the higher mean stands for drawn models. "
        "(2:1 of 4): clearly better, or as good, on two of four datasets, clearly worse on one. Amounts that are "
        "traded have no intervals: there a claim holds if the amount is reached in the mean and on more than half of "
        "the datasets, (2/3) being two of three, and in part if only one of the two is so or half of the amount is "
        "reached.");
}

static void put_chapters(struct document *d, const struct results *r)
{
    struct prose missing = {0};
    size_t count = 0;
    for (size_t i = 0; i < CHAPTERS; i++) {
        if (!was_run(r, chapters[i].steps)) {
            count++;
            prose_say(&missing, "%s%s", missing.length ? ", " : "", chapters[i].id);
            continue;
        }
        document_heading(d, chapters[i].id, chapters[i].title);
        document_say(d, NULL, chapters[i].about);
        chapters[i].write(d, r);
    }
    const json_t *left = json_object_get(r->root, "left_out"); /* steps that failed, without which the rest was run */
    for (size_t i = 0; i < json_array_size(left); i++) {
        struct prose says = {0};
        const char *why = json_string_value(json_array_get(left, i));
        prose_say(&says, "Left out: %s.", why ? why : "");
        document_say_prose(d, "note", &says);
    }
    if (missing.length)
        prose_say(&missing, ": not run, so there is nothing about %s here.", count == 1 ? "it" : "them");
    document_say_prose(d, "note", &missing);
}

/* Writes a command as a user would type it, on one line. */
static void put_command(struct document *d, const char *step, const json_t *record)
{
    struct prose says = {0};
    size_t i;
    json_t *word;
    json_array_foreach(json_object_get(record, "command"), i, word)
    {
        prose_say(&says, i ? " " : "");
        prose_say_argument(&says, json_is_string(word) ? json_string_value(word) : "");
    }
    double seconds = number_at(record, "seconds");
    char *command = prose_take(&says, d->err);
    d->ok = d->ok && command;
    if (!command)
        return;
    page_put(d->page, "<dt>", step, "");
    if (!isnan(seconds))
        output_printf(d->page, " <span class=\"soft\">%.1f s</span>", seconds);
    page_put(d->page, "</dt><dd><code>", command, "</code></dd>\n");
    output_printf(d->text, "    %s\n", command);
    free(command);
}

/* Writes the settings of the study: "folds 10, passes 10, ...". */
static void put_settings(struct document *d, const struct results *r)
{
    struct prose says = {0};
    const char *name;
    json_t *value;
    json_object_foreach(json_object_get(r->root, "settings"), name, value)
    {
        prose_say(&says, "%s%s ", says.length ? ", " : "Settings: ", name);
        if (json_is_string(value))
            prose_say(&says, "%s", json_string_value(value));
        else if (json_is_boolean(value))
            prose_say(&says, json_is_true(value) ? "yes" : "no");
        else if (json_is_integer(value))
            prose_say(&says, "%" JSON_INTEGER_FORMAT, json_integer_value(value));
        else
            prose_say(&says, "%g", json_number_value(value));
    }
    document_say_prose(d, NULL, &says);
}

static void put_commands(struct document *d, const struct results *r)
{
    double seconds = 0;
    char about[256];
    const char *step;
    json_t *record;
    json_object_foreach(r->steps, step, record) seconds +=
        isnan(number_at(record, "seconds")) ? 0 : number_at(record, "seconds");
    snprintf(about, sizeof about,
             "%zu %s, %.0f seconds in all if run one by one. Every number here was printed by one of them, is a mean "
             "or a difference of such numbers, or is the paper's.",
             json_object_size(r->steps), json_object_size(r->steps) == 1 ? "command" : "commands", seconds);
    document_heading(d, "commands", "Where the numbers come from");
    document_say(d, NULL, about);
    put_settings(d, r);
    if (!d->ok)
        return;
    output_printf(d->page, "<details>\n<summary>The commands</summary>\n<dl class=\"commands\">\n");
    output_printf(d->text, "<details>\n<summary>The commands</summary>\n\n");
    json_object_foreach(r->steps, step, record) put_command(d, step, record);
    output_printf(d->page, "</dl>\n</details>\n");
    output_printf(d->text, "\n</details>\n");
}

/* Writes the page, which begins with a line on what it is about. */
static bool write_page(const struct results *r, const char *out, const char *path, struct vouch_error *err)
{
    struct document d;
    struct claim claim[CLAIMS] = {0};
    struct prose says = {0};
    const char *version = json_string_value(json_object_get(r->root, "version"));
    prose_say(&says, "The experiments of Mejer and Crammer, \"Confidence Estimation in Structured Prediction\", on ");
    for (size_t i = 0; i < r->sets; i++)
        prose_say(&says, "%s%s", prose_comma(i, r->sets), r->set[i].name);
    prose_say(&says, "%s%s.", version ? ", by vouch " : "", version ? version : "");
    char *lead = prose_take(&says, err);
    if (!lead)
        return false;
    document_begin(&d, path, out, "Confidence in structured prediction", lead, err);
    free(lead);
    bool judged = claims_judge(r, claim, err);
    d.ok = d.ok && judged;
    if (d.ok)
        put_claims(&d, claim);
    put_contents(&d, r);
    document_heading(&d, "answer", "In short");
    findings_write(&d, r);
    claims_release(claim);
    put_chapters(&d, r);
    put_method(&d);
    put_commands(&d, r);
    return document_end(&d);
}

bool study_report(const char *out, struct vouch_error *err)
{
    struct results r = {0};
    char *from = path_in(out, err, "results.json"), *page = from ? path_in(out, err, "report.html") : NULL;
    bool ok = page && results_read(&r, from, err) && write_page(&r, out, page, err);
    results_release(&r);
    free(from);
    free(page);
    return ok;
}
