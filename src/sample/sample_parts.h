/*
 * Shorthand for the parts of productions. Private to the grammar's tables.
 */
#ifndef VOUCH_SAMPLE_SAMPLE_PARTS_H
#define VOUCH_SAMPLE_SAMPLE_PARTS_H

#include "sample/sample_grammar.h"

#define S(symbol, relation)                                                                                            \
    {                                                                                                                  \
        symbol, NO_CLASS, NO_CHUNK, relation, NULL, NULL, 0                                                            \
    }
#define OF(symbol, class, relation)                                                                                    \
    {                                                                                                                  \
        symbol, class, NO_CHUNK, relation, NULL, NULL, 0                                                               \
    }
#define W(class, tag, relation)                                                                                        \
    {                                                                                                                  \
        WORD, class, NO_CHUNK, relation, NULL, tag, 0                                                                  \
    }
#define WC(class, tag, chunk, relation)                                                                                \
    {                                                                                                                  \
        WORD, class, chunk, relation, NULL, tag, 0                                                                     \
    }
#define SLOT_AS(tag, relation)                                                                                         \
    {                                                                                                                  \
        SLOT, NO_CLASS, NO_CHUNK, relation, NULL, tag, 0                                                               \
    }
#define N(role, relation)                                                                                              \
    {                                                                                                                  \
        NAME, role, NO_CHUNK, relation, NULL, "NNP", 0                                                                 \
    }
#define NUM(kind, relation)                                                                                            \
    {                                                                                                                  \
        FIGURE, kind, NO_CHUNK, relation, NULL, "CD", 0                                                                \
    }
#define NUMC(kind, relation)                                                                                           \
    {                                                                                                                  \
        FIGURE, kind, NP, relation, NULL, "CD", 0                                                                      \
    }
#define L(form, tag, relation)                                                                                         \
    {                                                                                                                  \
        LITERAL, NO_CLASS, NO_CHUNK, relation, form, tag, 0                                                            \
    }
#define LC(form, tag, chunk, relation)                                                                                 \
    {                                                                                                                  \
        LITERAL, NO_CLASS, chunk, relation, form, tag, 0                                                               \
    }
/* The same, depending on part number `to`. */
#define S_TO(symbol, relation, to)                                                                                     \
    {                                                                                                                  \
        symbol, NO_CLASS, NO_CHUNK, relation, NULL, NULL, to                                                           \
    }
#define OF_TO(symbol, class, relation, to)                                                                             \
    {                                                                                                                  \
        symbol, class, NO_CHUNK, relation, NULL, NULL, to                                                              \
    }
#define L_TO(form, tag, relation, to)                                                                                  \
    {                                                                                                                  \
        LITERAL, NO_CLASS, NO_CHUNK, relation, form, tag, to                                                           \
    }
#define LC_TO(form, tag, chunk, relation, to)                                                                          \
    {                                                                                                                  \
        LITERAL, NO_CLASS, chunk, relation, form, tag, to                                                              \
    }
#define W_TO(class, tag, relation, to)                                                                                 \
    {                                                                                                                  \
        WORD, class, NO_CHUNK, relation, NULL, tag, to                                                                 \
    }
#define WC_TO(class, tag, chunk, relation, to)                                                                         \
    {                                                                                                                  \
        WORD, class, chunk, relation, NULL, tag, to                                                                    \
    }
#define P(form) LC(form, "IN", PP, "case")
#define TO LC("to", "TO", PP, "case")
#define COMMA L(",", ",", "punct")
#define STOP L(".", ".", "punct")

#endif
