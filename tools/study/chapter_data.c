/* Writes the chapter on the data, the paper's Tables 2 and 3, and on what can be compared with the paper. */
#include "study/chapters.h"

#include <math.h>
#include <strings.h>

static void say_words(struct prose *prose, double words)
{
    const double many = 10000;
    prose_say(prose, words < many ? "%s" : "%s thousand", SHOWN(words < many ? words : words / 1000));
}

/* Tells what is counted, which need not be what the paper counts. */
static void say_weights(struct prose *prose, const struct results *r)
{
    size_t said = 0;
    for (EACH_SET(set, r, OF_LABELS)) {
        double weights = figure_at(set, "data/@/info:features") *
                         (double)json_array_size(part_at(set, "data/@/info:labels"));
        if (set->paper && !isnan(weights))
            prose_say(prose, "%s%s %.2f million",
                      said++ ? ", "
                             : " Features are those that CW gave a weight in one pass, counted without labels. Each "
                               "has a weight for every label: ",
                      set->name, weights / 1e6);
    }
    if (said)
        prose_say(prose, " weights. The paper does not tell what it counts; it seems to be all weights, so that the "
                         "two cannot be compared.");
}

static void table_of_sizes(struct document *d, const struct results *r, bool trees)
{
    static const char *const counts[] = {"sentences", "words", NULL}, *const features[] = {"features", NULL};
    const unsigned paper = kind_words[trees].sizes;
    struct table t;
    set_table(
        &t, r,
        &(struct set_table){trees ? "data-trees" : "data-sequences",
                            trees ? "Treebanks (the paper's Table 3)" : "Sequences (the paper's Table 2)", trees,
                            BETTER_NEITHER, .rows = "data/@/info", .no_means = true,
                            .columns = {{NULL, counts, NULL, "data/@/info:training.*", .published = {paper, "*", 1}},
                                        {NULL, features, NULL, "data/@/info:*", .published = {paper, "*", 1}}}});
    double least = INFINITY, most = 0;
    for (size_t i = 0; i < t.rows; i++) {
        least = fmin(least, t.row[i].cell[1].number);
        most = fmax(most, t.row[i].cell[1].number);
    }
    if (most > 0) {
        prose_say(&t.says, "%zu %s%s of ", t.rows, kind_words[trees].set, t.rows == 1 ? "" : "s");
        say_words(&t.says, least);
        prose_say(&t.says, most > least ? " to " : "");
        if (most > least)
            say_words(&t.says, most);
        prose_say(&t.says, " words.");
    }
    if (most > 0 && !trees)
        say_weights(&t.says, r);
    document_table(d, &t);
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
    for (EACH_SET(set, r, OF_ANY))
        add_name(!set->paper ? &none : set->same ? &same : &other, set->name);
    put_names(
        d, "Comparable with the paper:", &same,
        "The corpora are the paper's. Its folds and random splits are not published, and its features only in "
        "part. Its CW learns from the best answer, its PA of labels from the five best: so do CW, 1-best and PA here, "
        "by which its claims are judged first, and beside which its numbers stand. CW without more learns from the "
        "five best. Values of s and c are tried in units of the weights unless the grid is the paper's, and chosen by "
        "log loss, not by average precision. So scores differ, and those of names by much; the order of learners and "
        "of methods can be compared.");
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
    for (size_t i = 0; sets_of(r, trees) && (row = paper_row(kind_words[trees].sizes, i)); i++) {
        bool here = false;
        for (EACH_SET(set, r, OF_ANY))
            here = here || (set->paper && strcasecmp(set->paper, row) == 0);
        if (!here)
            add_name(&names, row);
    }
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
