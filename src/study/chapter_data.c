/* What was learned from, the paper's Tables 2 and 3, and what of it can be compared with the paper. */
#include "study/chapters.h"

#include "study/paper.h"

#include <math.h>
#include <stdlib.h>
#include <strings.h>

static const char *const columns[] = {"sentences", "words", "features"};
static const char *const places[] = {"training.sentences", "training.words", "features"};
enum { COLUMNS = sizeof columns / sizeof *columns, MOST_NAMES = 64 };

static void say_sizes(struct prose *prose, const struct sheet *sheet, bool trees)
{
    double least = INFINITY, most = 0;
    for (size_t i = 0; i < sheet->rows; i++) {
        least = fmin(least, sheet->row[i].cell[1].number);
        most = fmax(most, sheet->row[i].cell[1].number);
    }
    if (sheet->rows && most > 0)
        prose_say(prose, "%zu %s of %.0f to %.0f thousand words.", sheet->rows, noun_of(sheet->rows, trees),
                  least / 1000, most / 1000);
}

static void table_of_sizes(struct document *d, const struct results *r, bool trees)
{
    struct sheet t;
    struct prose says = {0};
    sheet_init(&t, trees ? "data-trees" : "data-sequences",
               trees ? "Treebanks (the paper's Table 3)" : "Sequences (the paper's Table 2)",
               trees ? "treebank" : "dataset", BETTER_NEITHER);
    for (size_t j = 0; j < COLUMNS; j++)
        sheet_add_column(&t, (struct sheet_column){.name = columns[j]});
    for (size_t i = 0; i < r->sets; i++) {
        const struct result_set *set = &r->set[i];
        const json_t *info = results_step(r, "data/%s/info", set->key);
        if (set->trees != trees || !info)
            continue;
        add_set(&t, set);
        for (size_t j = 0; j < COLUMNS; j++)
            put_with_published(&t, j, number_at(info, places[j]), set, trees ? 3 : 2, columns[j], 1);
    }
    say_sizes(&says, &t, trees);
    sheet_says(&t, &says);
    document_sheet(d, &t);
}

/* How far a dataset can be compared with the paper's. */
enum likeness { THE_SAME, SAME_LANGUAGE, NOT_THERE, LIKENESSES };

static enum likeness likeness_of(const struct result_set *set)
{
    return !set->paper ? NOT_THERE : set->same ? THE_SAME : SAME_LANGUAGE;
}

static bool any_of_the_paper(const struct results *r)
{
    for (size_t i = 0; i < r->sets; i++)
        if (r->set[i].paper)
            return true;
    return false;
}

static bool is_here(const struct results *r, const char *paper)
{
    for (size_t i = 0; i < r->sets; i++)
        if (r->set[i].paper && strcasecmp(r->set[i].paper, paper) == 0)
            return true;
    return false;
}

/* Puts a list of names, if there are any, and what is to be said of them. */
static void put_names(struct document *d, const char *lead, const char *const *name, size_t n, const char *about)
{
    struct prose says = {0};
    for (size_t i = 0; i < n; i++)
        prose_say(&says, "%s%s", prose_comma(i, n), name[i]);
    if (n)
        prose_say(&says, "%s%s", *about ? ": " : ".", about);
    char *text = prose_take(&says, d->err);
    d->ok = d->ok && text;
    if (d->ok && n)
        document_point(d, lead, text);
    free(text);
}

static void put_likeness(struct document *d, const struct results *r, enum likeness likeness)
{
    static const char *const lead[LIKENESSES] = {"Comparable with the paper:", "Not comparable:", "Not in the paper:"};
    static const char *const about[LIKENESSES] = {
        "its own corpora. Its folds and random splits are not published, and its features only in part; here CW learns "
        "from the five best answers, and values of s and c are tried in units of the weights. So scores differ, and "
        "those of names by much; the order of learners and of methods is what can be compared.",
        "other treebanks of the paper's languages, or other versions with other words and rules. The paper's numbers, "
        "in italics, are for orientation only.",
        ""};
    const char *name[MOST_NAMES];
    size_t n = 0;
    for (size_t i = 0; i < r->sets && n < MOST_NAMES; i++)
        if (likeness_of(&r->set[i]) == likeness)
            name[n++] = r->set[i].name;
    put_names(d, lead[likeness], name, n, about[likeness]);
}

/* What the paper has of one kind, and this study has not. */
static void put_missing(struct document *d, const struct results *r, bool trees)
{
    const char *name[MOST_NAMES], *row;
    size_t n = 0;
    for (size_t i = 0; (row = paper_row(trees ? 3 : 2, i)) && n < MOST_NAMES; i++)
        if (!is_here(r, row))
            name[n++] = row;
    if (sets_of(r, trees))
        put_names(d, trees ? "Treebanks of the paper only:" : "Sequences of the paper only:", name, n, "");
}

void chapter_data(struct document *d, const struct results *r)
{
    if (any_of_the_paper(r)) {
        for (enum likeness likeness = 0; likeness < LIKENESSES; likeness++)
            put_likeness(d, r, likeness);
        put_missing(d, r, false);
        put_missing(d, r, true);
    }
    table_of_sizes(d, r, false);
    table_of_sizes(d, r, true);
}
