/*
 * Declares the language of the synthetic corpus: its words, names and grammar. Private to sample*.c.
 *
 * A production is a weight and up to PARTS parts, left to right. One part is the head (HEAD), the others depend on it
 * by the relation that they name, so that every derivation is a dependency tree too. A symbol may open a chunk or an
 * entity around all that it yields, a word a chunk of its own. A symbol may be given a word class, which SLOT refers to
 * below it: one verb group serves all verbs.
 *
 * A part may depend on another part than the head: on one that it was moved away from, over the head or over other
 * parts, which makes arcs cross; or on the one of two that prefers its preposition more. Productions with such parts
 * are in a table of their own and are used only for corpora of trees, so that the text of the other kinds does not
 * depend on them.
 *
 * The first production of every symbol leads to an end; it is taken when a derivation has become deep.
 */
#ifndef VOUCH_SAMPLE_SAMPLE_LANGUAGE_H
#define VOUCH_SAMPLE_SAMPLE_LANGUAGE_H

#include "base/random.h"
#include "base/text.h"

/* Words. */

/* clang-format off */
enum word_class {
    NO_CLASS,
    VERB_ACT,    /* what anyone does to a thing: reject, plan, cut */
    VERB_MEET,   /* what anyone does to anyone: meet, sue, praise */
    VERB_PERSON, /* what only people do: resign, retire */
    VERB_FIRM,   /* what firms do to firms: acquire, sue */
    VERB_SAY,
    VERB_MOVE,   /* what prices do: rise, fall */
    VERB_GO,
    VERB_SEND,   /* takes a thing to a place: send, bring */
    VERB_BEAT,
    VERB_TURN,   /* goes with a particle, or with a place */
    NOUN_THING,  /* what is rejected, planned or cut */
    NOUN_TOPIC,  /* a thing about something: report on, tax on, ban on */
    NOUN_FIGURE,
    NOUN_ROLE,   /* stands in front of a person's name */
    NOUN_PEOPLE, NOUN_GROUP, NOUN_SITE, NOUN_EVENT, NOUN_DISASTER,
    NOUN_MODIFIER, /* stands in front of another noun */
    NOUN_CAUSE,
    ADJECTIVE,
    PAST_MODIFIER, /* participles on their way to adjectives */
    ADJECTIVE_STATE, ADVERB, ADVERB_OF_MANNER, ADVERB_OF_TIME, PARTICLE, MODAL, TITLE, WEEKDAY, MONTH, NUMBER_WORD,
    FIRM_SUFFIX, FIRM_TRADE, TEAM_SUFFIX, PLACE_PREFIX, PLACE_SUFFIX, EVENT_SUFFIX,
    FIXED_BODY,  /* organisations that are always that: Parliament, Red Cross */
    FIXED_EVENT, /* events that are always that */
    MODEL,       /* of a car, after its maker's name */
    REGION,
    WORD_CLASSES
};
/* clang-format on */

/* A verb is five forms in one string: base, -s, past, participle, -ing; most are spelled by one of three rules. */
#define REGULAR(base) base " " base "s " base "ed " base "ed " base "ing"
#define MUTE(stem) stem "e " stem "es " stem "ed " stem "ed " stem "ing"                       /* rais: raise */
#define DOUBLED(base, last) base " " base "s " base last "ed " base last "ed " base last "ing" /* plan, n: planned */
struct word_list {
    const char *const *form; /* [count] */
    uint32_t count;
    bool verbs;
};

extern const struct word_list word_lists[WORD_CLASSES];

/* The roles of names; a name is open to one or several. */
enum name_role {
    ROLE_GIVEN = 1,
    ROLE_FAMILY = 2,
    ROLE_CITY = 4,
    ROLE_NATION = 8,
    ROLE_FIRM = 16,
    ROLE_TEAM = 32,
    ROLE_DEMONYM = 64
};

#define NAME_PARTS 3

/*
 * Draws a name for `role` (one of the above): static strings to be joined, NULL where there are fewer than NAME_PARTS.
 * With `held_out` about half of the names come from a part of the name space that is otherwise never used.
 */
void draw_name(struct rng *rng, enum name_role role, bool held_out, const char *part[NAME_PARTS]);

/* Draws a number below `count`, low ones far more often: P(r) falls like 1 / (r + 8). */
uint32_t draw_rank(struct rng *rng, uint32_t count);

/* Returns true `percent` times in a hundred. */
bool draw_chance(struct rng *rng, uint32_t percent);

/*
 * Returns the base of a verb's form, the singular of a plural, "a" for "an"; empty for other words, and unknown ones.
 */
struct text lexicon_lemma(struct text form, const char *tag);

/*
 * Returns the universal part of speech of the word: that of its Penn tag, except for a few words for which the tag is
 * not enough.
 */
const char *lexicon_upos(struct text form, const char *tag);

/* Returns the universal features that follow from the Penn tag, or "_". */
const char *lexicon_features(const char *tag);

/* A word that a prepositional phrase may depend on. */
struct governor {
    struct text form;
    const char *tag;
};

/*
 * Draws whether the phrase depends on `near`, a noun just before it, and not on `far`. Where one prefers the
 * preposition and the other does not it is most often that one; otherwise the preposition has a probability of its own.
 */
bool draw_nearer(struct rng *rng, struct text preposition, struct governor near, struct governor far);

/* Grammar. */

enum chunk_type { NO_CHUNK, NP, VP, PP, ADJP, ADVP, SBAR, PRT, CHUNK_TYPES };
enum entity_type { NO_ENTITY, PER, LOC, ORG, MISC, ENTITY_TYPES };

/* [type][0] begins a span, [type][1] continues it. */
extern const char *const chunk_label[CHUNK_TYPES][2];
extern const char *const entity_label[ENTITY_TYPES][2];

/* clang-format off */
/* Words that are figures rather than drawn from a list. */
enum figure {
    COUNT_FIGURE, DECIMAL, YEAR, AGE, DAY, GOALS, GOAL_SCORE, SET_SCORE, DATE, PLACING, TIME_TAKEN, INITIAL, ACRONYM
};

enum symbol {
    END,     /* of the parts */
    WORD,    /* of the class `argument`, in the form that `tag` calls for */
    SLOT,    /* of the class that is passed down */
    LITERAL, /* `form` itself */
    NAME,    /* for the role `argument` */
    FIGURE,  /* of the kind `argument` */
    /* the rest have productions */
    SENTENCE, CLAUSE, BUT_CLAUSE, THAT_CLAUSE, AFTER_CLAUSE, SAID_CLAUSE, PERSON_SAID, FIRM_SAID, HEADLINE, MARKET,
    SPORT, INCIDENT, PERSON_VP, FIRM_VP, NATION_VP, ANYONE_VP, COMMON_VP, ACT_VP, TO_ACT, AND_ACT, AND_MEET,
    VERB_GROUP, PASSIVE, TO_VERB, WILL_VERB, BE, STATE, BORN, PERSON, PERSON_SUBJECT, ROLE_OF, WHO, WHICH, THAT_WHICH,
    AND_PERSON, AND_PLACE, AGE_PHRASE, FIRM_PHRASE, FIRM_SHARES, FIRM_SUBJECT, NATION_PHRASE, NATION_SUBJECT,
    BODY_PHRASE, NATION_GROUP, CITY_PHRASE, PLACE_PHRASE, TEAM_PHRASE, TEAM_GOALS, ANYONE, EVENT_PHRASE, COMMON,
    COMMON_PLURAL, AND_PLURAL, AND_BASE, OBJECT, BASE, PACT, SUM, BASE_IN_PLACE, ITS, BORDER, FIGURES, FIGURES_AND,
    FIGURES_PERCENT, FIGURES_IN_PLACE, OWNER, GOALS_SCORED, PRODUCT_PHRASE, MONEY, PERCENT, VERB_PP, NOUN_PP,
    TOPIC_PP, EITHER_PP, ON_FIGURES, BY_ANYONE, FOR_TEAM, FROM_TEAM, IN_EVENT, WITH_NATION, OF_FIRM, OF_CITY,
    OF_CAUSE, OF_MONEY, FOR_MONEY, TO_PLACE, IN_PLACE, PARTICLE_PLACE, WHEN, DAY_PHRASE, LAST_WEEK, FRONT_TIME,
    FULL_NAME, LAST_NAME, CITY, NATION, FIRM_ONE, FIRM, TEAM, BODY, EVENT, DEMONYM, PRODUCT,
    SYMBOLS
};
/* clang-format on */

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

extern const struct symbol_rules symbol_rules[SYMBOLS];
extern const struct symbol_rules tree_rules[SYMBOLS]; /* further productions, for trees alone; their count may be 0 */

#endif
