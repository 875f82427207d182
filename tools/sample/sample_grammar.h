/*
 * Defines the grammar of the synthetic corpus as tables. Private to sample*.c.
 *
 * A production is a weight and up to PARTS parts, left to right. One part is the head (HEAD), the others depend on it
 * by the relation that they name, so that every derivation is a dependency tree too. A symbol may open a chunk or an
 * entity around all that it yields, a word a chunk of its own. A symbol may be given a word class, which SLOT refers to
 * below it: one verb group serves all verbs.
 *
 * A part may depend on another part than the head: on one that it was moved away from, over the head or over other
 * parts, which makes arcs cross; or on the one of two that prefers its preposition more. Productions with such parts
 * are in tables of their own and are used only for corpora of trees, so that the text of the other kinds does not
 * depend on them.
 *
 * The first production of every symbol leads to an end; it is taken when a derivation has become deep.
 */
#ifndef VOUCH_SAMPLE_SAMPLE_GRAMMAR_H
#define VOUCH_SAMPLE_SAMPLE_GRAMMAR_H

#include "sample/sample_words.h"

enum chunk_type { NO_CHUNK, NP, VP, PP, ADJP, ADVP, SBAR, PRT, CHUNK_TYPES };
enum entity_type { NO_ENTITY, PER, LOC, ORG, MISC, ENTITY_TYPES };

/* [type][0] begins a span, [type][1] continues it. */
extern const char *const chunk_label[CHUNK_TYPES][2];
extern const char *const entity_label[ENTITY_TYPES][2];

/* Words that are figures rather than drawn from a list. */
enum figure {
    COUNT_FIGURE,
    DECIMAL,
    YEAR,
    AGE,
    DAY,
    GOALS,
    GOAL_SCORE,
    SET_SCORE,
    DATE,
    PLACING,
    TIME_TAKEN,
    INITIAL,
    ACRONYM
};

/* Symbol, the name of its productions, the chunk and the entity that it opens. */
#define SYMBOL_LIST(X)                                                                                                 \
    X(SENTENCE, sentence, NO_CHUNK, NO_ENTITY)                                                                         \
    X(CLAUSE, clause, NO_CHUNK, NO_ENTITY)                                                                             \
    X(BUT_CLAUSE, but_clause, NO_CHUNK, NO_ENTITY)                                                                     \
    X(THAT_CLAUSE, that_clause, NO_CHUNK, NO_ENTITY)                                                                   \
    X(AFTER_CLAUSE, after_clause, NO_CHUNK, NO_ENTITY)                                                                 \
    X(SAID_CLAUSE, said_clause, NO_CHUNK, NO_ENTITY)                                                                   \
    X(PERSON_SAID, person_said, NO_CHUNK, NO_ENTITY)                                                                   \
    X(FIRM_SAID, firm_said, NO_CHUNK, NO_ENTITY)                                                                       \
    X(HEADLINE, headline, NO_CHUNK, NO_ENTITY)                                                                         \
    X(MARKET, market, NO_CHUNK, NO_ENTITY)                                                                             \
    X(SPORT, sport, NO_CHUNK, NO_ENTITY)                                                                               \
    X(INCIDENT, incident, NO_CHUNK, NO_ENTITY)                                                                         \
    X(PERSON_VP, person_vp, NO_CHUNK, NO_ENTITY)                                                                       \
    X(FIRM_VP, firm_vp, NO_CHUNK, NO_ENTITY)                                                                           \
    X(NATION_VP, nation_vp, NO_CHUNK, NO_ENTITY)                                                                       \
    X(ANYONE_VP, anyone_vp, NO_CHUNK, NO_ENTITY)                                                                       \
    X(COMMON_VP, common_vp, NO_CHUNK, NO_ENTITY)                                                                       \
    X(ACT_VP, act_vp, NO_CHUNK, NO_ENTITY)                                                                             \
    X(TO_ACT, to_act, NO_CHUNK, NO_ENTITY)                                                                             \
    X(AND_ACT, and_act, NO_CHUNK, NO_ENTITY)                                                                           \
    X(AND_MEET, and_meet, NO_CHUNK, NO_ENTITY)                                                                         \
    X(VERB_GROUP, verb_group, VP, NO_ENTITY)                                                                           \
    X(PASSIVE, passive, VP, NO_ENTITY)                                                                                 \
    X(TO_VERB, to_verb, VP, NO_ENTITY)                                                                                 \
    X(WILL_VERB, will_verb, VP, NO_ENTITY)                                                                             \
    X(BE, be, VP, NO_ENTITY)                                                                                           \
    X(STATE, state, ADJP, NO_ENTITY)                                                                                   \
    X(BORN, born, VP, NO_ENTITY)                                                                                       \
    X(PERSON, person, NP, NO_ENTITY)                                                                                   \
    X(PERSON_SUBJECT, person_subject, NO_CHUNK, NO_ENTITY)                                                             \
    X(ROLE_OF, role_of, NO_CHUNK, NO_ENTITY)                                                                           \
    X(WHO, who, NO_CHUNK, NO_ENTITY)                                                                                   \
    X(WHICH, which, NO_CHUNK, NO_ENTITY)                                                                               \
    X(THAT_WHICH, that_which, NO_CHUNK, NO_ENTITY)                                                                     \
    X(AND_PERSON, and_person, NO_CHUNK, NO_ENTITY)                                                                     \
    X(AND_PLACE, and_place, NO_CHUNK, NO_ENTITY)                                                                       \
    X(AGE_PHRASE, age_phrase, NP, NO_ENTITY)                                                                           \
    X(FIRM_PHRASE, firm_phrase, NP, NO_ENTITY)                                                                         \
    X(FIRM_SHARES, firm_shares, NP, NO_ENTITY)                                                                         \
    X(FIRM_SUBJECT, firm_subject, NO_CHUNK, NO_ENTITY)                                                                 \
    X(NATION_PHRASE, nation_phrase, NP, NO_ENTITY)                                                                     \
    X(NATION_SUBJECT, nation_subject, NO_CHUNK, NO_ENTITY)                                                             \
    X(BODY_PHRASE, body_phrase, NP, NO_ENTITY)                                                                         \
    X(NATION_GROUP, nation_group, NP, NO_ENTITY)                                                                       \
    X(CITY_PHRASE, city_phrase, NP, NO_ENTITY)                                                                         \
    X(PLACE_PHRASE, place_phrase, NO_CHUNK, NO_ENTITY)                                                                 \
    X(TEAM_PHRASE, team_phrase, NP, NO_ENTITY)                                                                         \
    X(TEAM_GOALS, team_goals, NO_CHUNK, NO_ENTITY)                                                                     \
    X(ANYONE, anyone, NP, NO_ENTITY)                                                                                   \
    X(EVENT_PHRASE, event_phrase, NP, NO_ENTITY)                                                                       \
    X(COMMON, common, NO_CHUNK, NO_ENTITY)                                                                             \
    X(COMMON_PLURAL, common_plural, NP, NO_ENTITY)                                                                     \
    X(AND_PLURAL, and_plural, NO_CHUNK, NO_ENTITY)                                                                     \
    X(AND_BASE, and_base, NO_CHUNK, NO_ENTITY)                                                                         \
    X(OBJECT, object, NO_CHUNK, NO_ENTITY)                                                                             \
    X(BASE, base, NP, NO_ENTITY)                                                                                       \
    X(PACT, pact, NO_CHUNK, NO_ENTITY)                                                                                 \
    X(SUM, sum, NO_CHUNK, NO_ENTITY)                                                                                   \
    X(BASE_IN_PLACE, base_in_place, NO_CHUNK, NO_ENTITY)                                                               \
    X(ITS, its, NP, NO_ENTITY)                                                                                         \
    X(BORDER, border, NO_CHUNK, NO_ENTITY)                                                                             \
    X(FIGURES, figures, NP, NO_ENTITY)                                                                                 \
    X(FIGURES_AND, figures_and, NO_CHUNK, NO_ENTITY)                                                                   \
    X(FIGURES_PERCENT, figures_percent, NO_CHUNK, NO_ENTITY)                                                           \
    X(FIGURES_IN_PLACE, figures_in_place, NO_CHUNK, NO_ENTITY)                                                         \
    X(OWNER, owner, NO_CHUNK, NO_ENTITY)                                                                               \
    X(GOALS_SCORED, goals_scored, NP, NO_ENTITY)                                                                       \
    X(PRODUCT_PHRASE, product_phrase, NP, NO_ENTITY)                                                                   \
    X(MONEY, money, NP, NO_ENTITY)                                                                                     \
    X(PERCENT, percent, NP, NO_ENTITY)                                                                                 \
    X(VERB_PP, verb_pp, NO_CHUNK, NO_ENTITY)                                                                           \
    X(NOUN_PP, noun_pp, NO_CHUNK, NO_ENTITY)                                                                           \
    X(TOPIC_PP, topic_pp, NO_CHUNK, NO_ENTITY)                                                                         \
    X(EITHER_PP, either_pp, NO_CHUNK, NO_ENTITY)                                                                       \
    X(ON_FIGURES, on_figures, NO_CHUNK, NO_ENTITY)                                                                     \
    X(BY_ANYONE, by_anyone, NO_CHUNK, NO_ENTITY)                                                                       \
    X(FOR_TEAM, for_team, NO_CHUNK, NO_ENTITY)                                                                         \
    X(FROM_TEAM, from_team, NO_CHUNK, NO_ENTITY)                                                                       \
    X(IN_EVENT, in_event, NO_CHUNK, NO_ENTITY)                                                                         \
    X(WITH_NATION, with_nation, NO_CHUNK, NO_ENTITY)                                                                   \
    X(OF_FIRM, of_firm, NO_CHUNK, NO_ENTITY)                                                                           \
    X(OF_CITY, of_city, NO_CHUNK, NO_ENTITY)                                                                           \
    X(OF_CAUSE, of_cause, NO_CHUNK, NO_ENTITY)                                                                         \
    X(OF_MONEY, of_money, NO_CHUNK, NO_ENTITY)                                                                         \
    X(FOR_MONEY, for_money, NO_CHUNK, NO_ENTITY)                                                                       \
    X(TO_PLACE, to_place, NO_CHUNK, NO_ENTITY)                                                                         \
    X(IN_PLACE, in_place, NO_CHUNK, NO_ENTITY)                                                                         \
    X(PARTICLE_PLACE, particle_place, NO_CHUNK, NO_ENTITY)                                                             \
    X(WHEN, when, NO_CHUNK, NO_ENTITY)                                                                                 \
    X(DAY_PHRASE, day_phrase, NP, NO_ENTITY)                                                                           \
    X(LAST_WEEK, last_week, NP, NO_ENTITY)                                                                             \
    X(FRONT_TIME, front_time, NO_CHUNK, NO_ENTITY)                                                                     \
    X(FULL_NAME, full_name, NO_CHUNK, PER)                                                                             \
    X(LAST_NAME, last_name, NO_CHUNK, PER)                                                                             \
    X(CITY, city, NO_CHUNK, LOC)                                                                                       \
    X(NATION, nation, NO_CHUNK, LOC)                                                                                   \
    X(FIRM_ONE, firm_one, NO_CHUNK, ORG)                                                                               \
    X(FIRM, firm, NO_CHUNK, ORG)                                                                                       \
    X(TEAM, team, NO_CHUNK, ORG)                                                                                       \
    X(BODY, body, NO_CHUNK, ORG)                                                                                       \
    X(EVENT, event, NO_CHUNK, MISC)                                                                                    \
    X(DEMONYM, demonym, NO_CHUNK, MISC)                                                                                \
    X(PRODUCT, product, NO_CHUNK, MISC)

#define SYMBOL_NAME(symbol, list, chunk, entity) symbol,

enum symbol {
    END,     /* of the parts */
    WORD,    /* of the class `argument`, in the form that `tag` calls for */
    SLOT,    /* of the class that is passed down */
    LITERAL, /* `form` itself */
    NAME,    /* for the role `argument` */
    FIGURE,  /* of the kind `argument` */
    /* the rest have productions */
    SYMBOL_LIST(SYMBOL_NAME) SYMBOLS
};

#define PARTS 8
#define HEAD NULL
#define EITHER 255 /* on the head or on the part before it, whichever prefers the preposition more */

struct part {
    uint8_t symbol;
    uint8_t argument; /* word class, role or kind of figure */
    uint8_t chunk;    /* opened by a word on its own */
    const char *relation;
    const char *form, *tag;
    uint8_t to; /* number, from 1, of the part that it depends on; 0 for the head; or EITHER */
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

/* Returns further productions of the symbol, for trees alone; their count may be 0. */
const struct symbol_rules *tree_rules(enum symbol symbol);

#endif
