/* Prints how well trees were found: see tree_report.h. */
#include "cli/tree_report.h"

#include "cli/show.h"

#include "measure/tag_score.h"

#include <stdio.h>

static void print_row(const char *name, uint64_t all, uint64_t words_only, const struct tree_score *score)
{
    printf("%-24s %9.2f %19.2f\n", name, tag_percent(all, score->all.words),
           tag_percent(words_only, score->words_only.words));
}

static void print_tables(const struct tree_score *score, bool labelled)
{
    printf("\n%-12s %8s %8s%s\n", "distance", "words", "UAS", labelled ? "      LAS" : "");
    for (uint32_t d = 0; d < DISTANCES; d++) {
        const struct attachment *a = &score->distance[d];
        printf("%-12s %8llu %8.2f", tree_distance_name(d), (unsigned long long)a->words,
               tag_percent(a->heads, a->words));
        if (labelled)
            printf(" %8.2f", tag_percent(a->labelled, a->words));
        putchar('\n');
    }
    if (!labelled)
        return;
    printf("\n%-20s %8s %8s %10s %8s\n", "relation", "words", "UAS", "precision", "recall");
    for (size_t i = 0; i < score->rows; i++) {
        const struct relation_row *row = &score->row[i];
        showf(stdout, "%-20s %8llu %8.2f %10.2f %8.2f\n", row->name, (unsigned long long)row->gold,
              tag_percent(row->heads, row->gold), tag_percent(row->correct, row->guessed),
              tag_percent(row->correct, row->gold));
    }
}

void tree_report_print(const struct tree_score *score, bool labelled, bool more)
{
    printf("%llu sentences, %llu words\n", (unsigned long long)score->sentences, (unsigned long long)score->all.words);
    printf("%-24s %9s %19s\n", "", "all words", "without punctuation");
    print_row("UAS", score->all.heads, score->words_only.heads, score);
    if (labelled) {
        print_row("LAS", score->all.labelled, score->words_only.labelled, score);
        print_row("LAS, universal relations", score->all.universal, score->words_only.universal, score);
    }
    printf("%-24s %9.2f\n", "root", tag_percent(score->right_roots, score->sentences));
    printf("%-24s %9.2f\n", "complete trees", tag_percent(score->complete, score->sentences));
    if (labelled)
        printf("%-24s %9.2f\n", "complete with relations", tag_percent(score->complete_labelled, score->sentences));
    printf("%-24s %9.2f\n", "trees with one root", tag_percent(score->one_root, score->sentences));
    if (more)
        print_tables(score, labelled);
}
