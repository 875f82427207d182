/*
 * The grammar of the synthetic corpus, as tables. Private to sample*.c.
 *
 * A production is a weight and up to PARTS parts, left to right. One part is
 * the head (HEAD), the others depend on it by the relation that they name, so
 * that every derivation is a dependency tree too. A symbol may open a chunk or
 * an entity around all that it yields, a word a chunk of its own. A symbol may
 * be handed a word class, for which SLOT stands below it: one verb group
 * serves all verbs.
 *
 * The first production of every symbol leads to an end; it is taken when a
 * derivation has become deep.
 */
#ifndef VOUCH_CORPUS_SAMPLE_GRAMMAR_H
#define VOUCH_CORPUS_SAMPLE_GRAMMAR_H

#include "corpus/sample_words.h"

enum chunk_type { NO_CHUNK, NP, VP, PP, ADJP, ADVP, SBAR, PRT, CHUNK_TYPES };
enum entity_type { NO_ENTITY, PER, LOC, ORG, MISC, ENTITY_TYPES };

/* Words that are figures rather than drawn from a list. */
enum figure {
    COUNT_FIGURE,
    DECIMAL,
    YEAR,
    AGE,
    DAY,
    GOALS,
    GAMES,
    GOAL_SCORE,
    SET_SCORE,
    DATE,
    PLACING,
    TIME_TAKEN,
    INITIAL,
    ACRONYM
};

enum symbol {
    END,     /* of the parts */
    WORD,    /* of the class `argument`, in the form that `tag` calls for */
    SLOT,    /* of the class handed down */
    LITERAL, /* `form` itself */
    NAME,    /* for the role `argument` */
    FIGURE,  /* of the kind `argument` */
    /* the rest have productions */
    SENTENCE,
    CLAUSE,
    BUT_CLAUSE,
    THAT_CLAUSE,
    SAID_CLAUSE,
    PERSON_SAID,
    FIRM_SAID,
    HEADLINE,
    MARKET,
    SPORT,
    INCIDENT,
    PERSON_VP,
    FIRM_VP,
    NATION_VP,
    ANYONE_VP,
    COMMON_VP,
    ACT_VP,
    VERB_GROUP,
    PASSIVE,
    TO_VERB,
    WILL_VERB,
    BE,
    STATE,
    BORN,
    PERSON,
    PERSON_SUBJECT,
    ROLE_OF,
    WHO,
    WHICH,
    THAT_WHICH,
    AND_PERSON,
    AND_PLACE,
    AGE_PHRASE,
    FIRM_PHRASE,
    FIRM_SUBJECT,
    NATION_PHRASE,
    NATION_SUBJECT,
    BODY_PHRASE,
    NATION_GROUP,
    CITY_PHRASE,
    PLACE_PHRASE,
    TEAM_PHRASE,
    ANYONE,
    EVENT_PHRASE,
    COMMON,
    COMMON_PLURAL,
    OBJECT,
    BASE,
    ITS,
    FIGURES,
    OWNER,
    GOALS_SCORED,
    PRODUCT_PHRASE,
    MONEY,
    PERCENT,
    VERB_PP,
    NOUN_PP,
    TOPIC_PP,
    BY_ANYONE,
    FOR_TEAM,
    FROM_TEAM,
    IN_EVENT,
    WITH_NATION,
    OF_FIRM,
    OF_CITY,
    OF_CAUSE,
    OF_MONEY,
    FOR_MONEY,
    TO_PLACE,
    IN_PLACE,
    WHEN,
    DAY_PHRASE,
    LAST_WEEK,
    FRONT_TIME,
    FULL_NAME,
    LAST_NAME,
    CITY,
    NATION,
    FIRM_ONE,
    FIRM,
    TEAM,
    BODY,
    EVENT,
    DEMONYM,
    PRODUCT,
    SYMBOLS
};

#define PARTS 8
#define HEAD NULL

struct part {
    uint8_t symbol;
    uint8_t argument; /* word class, role or kind of figure */
    uint8_t chunk;    /* opened by a word on its own */
    const char *relation;
    const char *form, *tag;
};

struct production {
    uint32_t weight;
    struct part part[PARTS];
};

struct symbol_rules {
    const struct production *production;
    uint32_t count;
    enum chunk_type chunk;
    enum entity_type entity;
};

const struct symbol_rules *symbol_rules(enum symbol symbol);

#endif
