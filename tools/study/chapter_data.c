/* Writes the chapter on the data, the paper's Tables 2 and 3, and on what can be compared with the paper. */
#include "study/chapters.h"

#include "study/paper.h"

#include <math.h>
#include <strings.h>

static const char *const columns[] = {"sentences", "words", "features"};
static const char *const places[] = {"training.sentences", "training.words", "features"};
enum { COLUMNS = sizeof columns / sizeof *columns };

static void say_words(struct prose *prose, double words)
{
    const double many = 10000;
    if (words < many)
        prose_say(prose, "%.0f", words);
    else
        prose_say(prose, "%.0f thousand", words / 1000);
}

static void say_sizes(struct prose *prose, const struct table *table, bool trees)
{
    double least = INFINITY, most = 0;
    for (size_t i = 0; i < table->rows; i++) {
        least = fmin(least, table->row[i].cell[1].number);
        most = fmax(most, table->row[i].cell[1].number);
    }
    if (!table->rows || !(most > 0))
        return;
    prose_say(prose, "%zu %s of ", table->rows, noun_of(table->rows, trees));
    say_words(prose, least);
    if (most > least) {
        prose_say(prose, " to ");
        say_words(prose, most);
    }
    prose_say(prose, " words.");
}

static void table_of_sizes(struct document *d, const struct results *r, bool trees)
{
    struct table t;
    table_init(&t, trees ? "data-trees" : "data-sequences",
               trees ? "Treebanks (the paper's Table 3)" : "Sequences (the paper's Table 2)",
               trees ? "treebank" : "dataset", BETTER_NEITHER);
    prose_begin(&t.says);
    for (size_t j = 0; j < COLUMNS; j++)
        table_add_column(&t, (struct table_column){.name = columns[j]});
    for (size_t i = 0; i < r->sets; i++) {
        const struct result_set *set = &r->set[i];
        const json_t *info = results_step(r, "data/%s/info", set->key);
        if (set->trees != trees || !info)
            continue;
        add_set(&t, set);
        for (size_t j = 0; j < COLUMNS; j++)
            put_with_published(&t, j, number_at(info, places[j]), set,
                               (struct published){trees ? 3 : 2, columns[j], 1});
    }
    say_sizes(&t.says, &t, trees);
    document_table(d, &t);
}

static bool is_here(const struct results *r, const char *paper)
{
    for (size_t i = 0; i < r->sets; i++)
        if (r->set[i].paper && strcasecmp(r->set[i].paper, paper) == 0)
            return true;
    return false;
}

/* Adds to a list of names, which ends with what is said about them. */
static void add_name(struct prose *names, const char *name)
{
    prose_say(names, "%s%s", names->length ? ", " : "", name);
}

static void put_names(struct document *d, const char *lead, struct prose *names, const char *about)
{
    if (names->length)
        prose_say(names, ".%s%s", *about ? " " : "", about);
    document_point_prose(d, lead, names);
}

/* Lists the datasets that are the paper's own, other data beside its numbers, or not in it. */
static void put_comparable(struct document *d, const struct results *r)
{
    struct prose same = {0}, other = {0}, none = {0};
    for (size_t i = 0; i < r->sets; i++)
        add_name(!r->set[i].paper ? &none : r->set[i].same ? &same : &other, r->set[i].name);
    put_names(
        d, "Comparable with the paper:", &same,
        "The corpora are the paper's. Its folds and random splits are not published, and its features only in "
        "part. Its learners learn from the best answer; here CW, and PA of labels, learn from the five best unless "
        "1-best is said, and values of s and c are tried in units of the weights unless the grid is the paper's. "
        "So scores differ, and those of names by much; the order of learners and of methods can be compared.");
    put_names(
        d, "Not comparable:", &other,
        "These are other corpora than the paper's of the same name, or other versions with other words and rules. "
        "The paper's numbers, in italics, are for orientation only.");
    put_names(d, "Not in the paper:", &none, "");
}

/* Lists the paper's datasets of one kind that this study does not have. */
static void put_missing(struct document *d, const struct results *r, bool trees)
{
    struct prose names = {0};
    const char *row;
    for (size_t i = 0; sets_of(r, trees) && (row = paper_row(trees ? 3 : 2, i)); i++)
        if (!is_here(r, row))
            add_name(&names, row);
    put_names(d, trees ? "Treebanks of the paper only:" : "Sequences of the paper only:", &names, "");
}

void chapter_data(struct document *d, const struct results *r)
{
    if (any_of_the_paper(r, false) || any_of_the_paper(r, true)) {
        put_comparable(d, r);
        put_missing(d, r, false);
        put_missing(d, r, true);
    }
    table_of_sizes(d, r, false);
    table_of_sizes(d, r, true);
}
