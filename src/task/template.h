/*
 * Templates define which features a word has, in the syntax of CRF++:
 *
 *     # comment
 *     U05:%x[0,0]            the cell of column 0 at this word
 *     U06:%x[-1,0]/%x[0,1]   the word before, and column 1 here
 *     U10:%suffix3[0,0]      a view of a cell (see view.h)
 *     U11:%glove.2[0,0]      the word's class in column 2 of a lexicon (lexicon.h); %glove.2:4[0,0], its beginning
 *     B                      the pair of neighbouring labels
 *     B01:%x[0,0]            the pair of labels and a cell
 *
 * `[row,column]` counts rows from the word in question and columns from 0. Outside the sentence a cell is `_B-1`,
 * `_B-2`, ... before it and `_B+1`, ... after it. Two rules whose text is the same except in brackets (both `U:%x[..]`)
 * share their features, as in CRF++: a bag of words.
 */
#ifndef VOUCH_TASK_TEMPLATE_H
#define VOUCH_TASK_TEMPLATE_H

#include "core/dense.h"
#include "task/lexicon.h"
#include "task/view.h"

enum { MAX_ROW = 16, MAX_COLUMN = 1000, MAX_MACROS = 12, MAX_RULES = 4096 };

struct macro {
    int32_t row;
    uint32_t view; /* number in `views` */
};

struct rule {
    char *skeleton; /* the line with the brackets taken out: its identity */
    uint64_t seed;  /* hash of the skeleton */
    uint32_t shape; /* number of the first rule of its kind with this skeleton */
    uint32_t macros;
    struct macro macro[MAX_MACROS];
};

/* The cells of a column are looked up in a lexicon. */
struct lookup {
    const struct lexicon *lexicon;
    uint32_t column;
};

/* Parsed rules. With `attributes` set there are none: every cell is a feature by itself. */
struct templates {
    struct rule *node, *edge; /* U and B lines */
    uint32_t nodes, edges;
    struct view *view; /* the distinct (view, column) pairs */
    uint32_t views;
    struct lookup *lookup; /* what views of classes need: distinct lexicons and columns */
    uint32_t lookups;
    uint32_t columns; /* 1 + the highest column used */
    int32_t reach;    /* the largest |row| */
    bool attributes;
    struct vector_shape vectors; /* whose components are features, too; not in the text: none after parsing */
    uint32_t context;            /* features of a first stage's answers (label_context.h); not in the text either */
    size_t node_capacity, edge_capacity, view_capacity, lookup_capacity;
};

/*
 * Returns the text of a built-in set with the rules that show it all classes of the lexicons, to free(); just the set's
 * if there are none.
 */
char *template_with_lexicons(const char *set, const struct lexicons *lexicons, struct vouch_error *err);

/* Returns the template text of a built-in set ("np", "chunk", "ner", "pos", "attributes"), or NULL. */
const char *template_builtin(const char *name);

/* The text of a template, its name for messages, and the lexicons that it may name, or NULL. */
struct template_source {
    const char *text, *name;
    const struct lexicons *lexicons;
};

/* Parses the text; the lexicons must outlive the templates. Free with templates_release(). */
bool templates_parse(struct templates *templates, const struct template_source *source, struct vouch_error *err);

/*
 * Returns the lines of the text whose columns are among the first `columns` and not `gold` (a column number from 0, or
 * -1), as a new string to free(). With `strict`, any other line is an error.
 */
char *template_restrict(const struct template_source *source, uint32_t columns, int gold, bool strict,
                        struct vouch_error *err);

void templates_release(struct templates *templates);

/* Whether some rule looks at a column, from 0. */
static inline bool templates_see(const struct templates *templates, uint32_t column)
{
    for (uint32_t v = 0; v < templates->views; v++)
        if (templates->view[v].column == column)
            return true;
    return false;
}

#endif
