/*
 * Holds the vocabulary of the synthetic corpus: word lists and names.
 *
 * Private to sample*.c. A name is one of a list of well-known ones, many of
 * which people, places and firms share, or is put together from syllables.
 */
#ifndef VOUCH_SAMPLE_SAMPLE_WORDS_H
#define VOUCH_SAMPLE_SAMPLE_WORDS_H

#include "base/random.h"

#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>

enum word_class {
    NO_CLASS,
    VERB_ACT,    /* what anyone does to a thing: reject, plan, cut */
    VERB_MEET,   /* what anyone does to anyone: meet, sue, praise */
    VERB_PERSON, /* what only people do: resign, retire */
    VERB_FIRM,   /* what firms do to firms: acquire, sue */
    VERB_SAY,
    VERB_MOVE, /* what prices do: rise, fall */
    VERB_GO,
    VERB_SEND, /* takes a thing to a place: send, bring */
    VERB_BEAT,
    VERB_TURN,  /* goes with a particle, or with a place */
    NOUN_THING, /* what is rejected, planned or cut */
    NOUN_TOPIC, /* a thing about something: report on, tax on, ban on */
    NOUN_FIGURE,
    NOUN_ROLE, /* stands in front of a person's name */
    NOUN_PEOPLE,
    NOUN_GROUP,
    NOUN_SITE,
    NOUN_EVENT,
    NOUN_DISASTER,
    NOUN_MODIFIER, /* stands in front of another noun */
    NOUN_CAUSE,
    ADJECTIVE,
    PAST_MODIFIER, /* participles on their way to adjectives */
    ADJECTIVE_STATE,
    ADVERB,
    ADVERB_OF_MANNER,
    ADVERB_OF_TIME,
    PARTICLE,
    MODAL,
    TITLE,
    WEEKDAY,
    MONTH,
    NUMBER_WORD,
    FIRM_SUFFIX,
    FIRM_TRADE,
    TEAM_SUFFIX,
    PLACE_PREFIX,
    PLACE_SUFFIX,
    EVENT_SUFFIX,
    FIXED_BODY,  /* organisations that are always that: Parliament, Red Cross */
    FIXED_EVENT, /* events that are always that */
    MODEL,       /* of a car, after its maker's name */
    REGION,
    WORD_CLASSES
};

/* A verb is five forms in one string: base, -s, past, participle, -ing. */
struct word_list {
    const char *const *form; /* [count] */
    uint32_t count;
    bool verbs;
};

const struct word_list *word_list(enum word_class word_class);

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
 * Draws a name for `role` (one of the above): static strings to be joined,
 * NULL where there are fewer than NAME_PARTS. With `held_out` about half of
 * the names come from a part of the name space that is otherwise never used.
 */
void draw_name(struct rng *rng, enum name_role role, bool held_out, const char *part[NAME_PARTS]);

/* Draws a number below `count`, low ones far more often: P(r) falls like 1 / (r + 8). */
uint32_t draw_rank(struct rng *rng, uint32_t count);

/* Returns true `percent` times in a hundred. */
bool draw_chance(struct rng *rng, uint32_t percent);

#endif
