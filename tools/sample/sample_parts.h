/*
 * Defines shorthand for the parts of productions. Private to the grammar's
 * tables.
 */
#ifndef VOUCH_SAMPLE_SAMPLE_PARTS_H
#define VOUCH_SAMPLE_SAMPLE_PARTS_H

#include "sample/sample_grammar.h"

#define PART(symbol, class, chunk, relation, form, tag, to)                                                            \
    {                                                                                                                  \
        symbol, class, chunk, relation, form, tag, to                                                                  \
    }

/* Parts that depend on part number `to`: symbols, words of a class, literals; with C, as chunks of their own. */
#define S_TO(symbol, relation, to) PART(symbol, NO_CLASS, NO_CHUNK, relation, NULL, NULL, to)
#define OF_TO(symbol, class, relation, to) PART(symbol, class, NO_CHUNK, relation, NULL, NULL, to)
#define W_TO(class, tag, relation, to) PART(WORD, class, NO_CHUNK, relation, NULL, tag, to)
#define WC_TO(class, tag, chunk, relation, to) PART(WORD, class, chunk, relation, NULL, tag, to)
#define L_TO(form, tag, relation, to) PART(LITERAL, NO_CLASS, NO_CHUNK, relation, form, tag, to)
#define LC_TO(form, tag, chunk, relation, to) PART(LITERAL, NO_CLASS, chunk, relation, form, tag, to)

/* Parts that depend on the head of the production, or are it. */
#define S(symbol, relation) S_TO(symbol, relation, 0)
#define OF(symbol, class, relation) OF_TO(symbol, class, relation, 0)
#define W(class, tag, relation) W_TO(class, tag, relation, 0)
#define WC(class, tag, chunk, relation) WC_TO(class, tag, chunk, relation, 0)
#define L(form, tag, relation) L_TO(form, tag, relation, 0)
#define LC(form, tag, chunk, relation) LC_TO(form, tag, chunk, relation, 0)
#define SLOT_AS(tag, relation) PART(SLOT, NO_CLASS, NO_CHUNK, relation, NULL, tag, 0)
#define N(role, relation) PART(NAME, role, NO_CHUNK, relation, NULL, "NNP", 0)
#define NUM(kind, relation) PART(FIGURE, kind, NO_CHUNK, relation, NULL, "CD", 0)
#define NUMC(kind, relation) PART(FIGURE, kind, NP, relation, NULL, "CD", 0)
#define P(form) LC(form, "IN", PP, "case")
#define TO LC("to", "TO", PP, "case")
#define COMMA L(",", ",", "punct")
#define STOP L(".", ".", "punct")

#endif
