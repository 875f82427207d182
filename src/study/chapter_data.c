/* What was learned from: the paper's Tables 2 and 3. */
#include "study/chapters.h"

#include <math.h>

static const char *const columns[] = {"sentences", "words", "features"};
static const char *const places[] = {"training.sentences", "training.words", "features"};
enum { COLUMNS = sizeof columns / sizeof *columns };

static void say_sizes(struct prose *prose, const struct sheet *sheet, bool trees)
{
    double least = INFINITY, most = 0;
    for (size_t i = 0; i < sheet->rows; i++) {
        least = fmin(least, sheet->row[i].cell[1].number);
        most = fmax(most, sheet->row[i].cell[1].number);
    }
    if (sheet->rows && most > 0)
        prose_say(prose, "%zu %s of %.0f to %.0f words.", sheet->rows, noun_of(sheet->rows, trees), least, most);
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

void chapter_data(struct document *d, const struct results *r)
{
    table_of_sizes(d, r, false);
    table_of_sizes(d, r, true);
}
