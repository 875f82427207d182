/*
 * Defines the grammar of the synthetic corpus: see sample_language.h.
 *
 * It is hard on purpose:
 *   - ANYONE is a person, a firm, a country or a team by one bare name, in clauses that suit them all, so that some
 *     entities cannot be told apart;
 *   - names meet the same neighbours in different roles ("Ford cuts" may be what Ford does or what is done there, and
 *     City ends places and teams);
 *   - a prepositional phrase after the object belongs to the noun (NOUN_PP) or to the verb (VERB_PP), by the preference
 *     of noun and verb for some prepositions, never by rule;
 *   - many words are nouns and verbs, or two forms of one verb.
 *
 * Trees are ambiguous beyond that:
 *   - a phrase after a verb and nouns goes with the verb or with the nearest of the nouns (EITHER), as these prefer its
 *     preposition, one time in four against their preference;
 *   - a conjunct, an adverb or a clause that may belong to two words is of the class that suits its word about three
 *     times in four;
 *   - of three nouns the first belongs to the second or to the third.
 * Arcs are crossed by phrases and clauses that follow the verb or a date, away from their noun ("a debate was delayed
 * on prices"), and an adverb of the lower verb in front of the sentence.
 */
#include "sample/sample_language.h"

/* clang-format off */
#define PART(symbol, class, chunk, relation, form, tag, to) {symbol, class, chunk, relation, form, tag, to}

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

/* The productions of a symbol, which may open a chunk or an entity. */
#define SPAN(chunk, entity, ...) \
    {(const struct production[]){__VA_ARGS__}, \
     sizeof((const struct production[]){__VA_ARGS__}) / sizeof(struct production), chunk, entity}
#define RULES(...) SPAN(NO_CHUNK, NO_ENTITY, __VA_ARGS__)
#define CHUNK(type, ...) SPAN(type, NO_ENTITY, __VA_ARGS__)
#define ENTITY(type, ...) SPAN(NO_CHUNK, type, __VA_ARGS__)

const struct symbol_rules symbol_rules[SYMBOLS] = {
    /* Sentences and clauses. */
    [SENTENCE] = RULES(
        {50, {S(CLAUSE, HEAD), STOP}},
        {7, {S(FRONT_TIME, "obl"), COMMA, S(CLAUSE, HEAD), STOP}},
        {6, {L("``", "``", "punct"), S(SAID_CLAUSE, "ccomp"), COMMA, L("''", "''", "punct"),
             WC(VERB_SAY, "VBD", VP, HEAD), S(PERSON, "nsubj"), STOP}},
        {5, {S(SAID_CLAUSE, "ccomp"), COMMA, S(ANYONE, "nsubj"), LC("said", "VBD", VP, HEAD), STOP}},
        {4, {S(SAID_CLAUSE, "ccomp"), COMMA, S(COMMON, "nsubj"), LC("said", "VBD", VP, HEAD), S(WHEN, "obl"), STOP}},
        {8, {S(CLAUSE, HEAD), COMMA, S(BUT_CLAUSE, "conj"), STOP}},
        {3, {S(CITY_PHRASE, HEAD), NUMC(DATE, "nummod")}},
        {3, {NUMC(PLACING, "dep"), S(PERSON, HEAD), L("(", "(", "punct"), S(NATION_PHRASE, "appos"),
             L(")", ")", "punct"), NUMC(TIME_TAKEN, "dep")}},
        {3, {S(TEAM_GOALS, HEAD), S(TEAM_GOALS, "list")}},
        {9, {S(HEADLINE, HEAD), STOP}},
        {7, {S(SPORT, HEAD), STOP}}),
    [CLAUSE] = RULES(
        {12, {S(PERSON_SUBJECT, "nsubj"), S(PERSON_VP, HEAD)}},
        {13, {S(FIRM_SUBJECT, "nsubj"), S(FIRM_VP, HEAD)}},
        {9, {S(NATION_SUBJECT, "nsubj"), S(NATION_VP, HEAD)}},
        {9, {S(ANYONE, "nsubj"), S(ANYONE_VP, HEAD)}},
        {17, {S(COMMON, "nsubj"), S(COMMON_VP, HEAD)}},
        {8, {S(MARKET, HEAD)}},
        {5, {S(INCIDENT, HEAD)}},
        {4, {OF(COMMON_PLURAL, NOUN_PEOPLE, "nsubj"), WC(VERB_ACT, "VBP", VP, HEAD), S(OBJECT, "obj")}},
        {4, {OF(COMMON_PLURAL, NOUN_PEOPLE, "nsubj"), WC(VERB_ACT, "VBP", VP, HEAD), OF(FIGURES, NOUN_THING, "obj")}}),
    [BUT_CLAUSE] = RULES(
        {6, {L("but", "CC", "cc"), S(CLAUSE, HEAD)}},
        {4, {L("and", "CC", "cc"), S(CLAUSE, HEAD)}}),
    [THAT_CLAUSE] = RULES(
        {5, {S(SAID_CLAUSE, HEAD)}},
        {5, {LC("that", "IN", SBAR, "mark"), S(SAID_CLAUSE, HEAD)}}),
    [AFTER_CLAUSE] = RULES(
        {5, {LC("after", "IN", SBAR, "mark"), S(SAID_CLAUSE, HEAD)}},
        {3, {LC("before", "IN", SBAR, "mark"), S(SAID_CLAUSE, HEAD)}},
        {3, {LC("after", "IN", PP, "mark"), WC(VERB_MEET, "VBG", VP, HEAD), S(ANYONE, "obj")}},
        {2, {LC("before", "IN", PP, "mark"), WC(VERB_ACT, "VBG", VP, HEAD), OF(FIGURES, NOUN_THING, "obj")}}),
    /* What is said: shorter than a sentence, and not again reported. */
    [SAID_CLAUSE] = RULES(
        {6, {S(COMMON, "nsubj"), S(ACT_VP, HEAD)}},
        {4, {S(MARKET, HEAD)}},
        {3, {S(ANYONE, "nsubj"), S(ACT_VP, HEAD)}},
        {3, {S(PERSON, "nsubj"), OF(VERB_GROUP, VERB_PERSON, HEAD), S(WHEN, "obl")}},
        {3, {OF(BASE, NOUN_TOPIC, "nsubj:pass"), OF(PASSIVE, VERB_ACT, HEAD), S(BY_ANYONE, "obl")}},
        {2, {LC("it", "PRP", NP, "nsubj"), LC("'s", "VBZ", VP, "cop"), OF(BASE, NOUN_THING, HEAD),
             S(TOPIC_PP, "nmod")}}),
    [PERSON_SAID] = RULES(
        {5, {LC("he", "PRP", NP, "nsubj"), S(ACT_VP, HEAD)}},
        {4, {LC("she", "PRP", NP, "nsubj"), S(ACT_VP, HEAD)}},
        {3, {LC("he", "PRP", NP, "nsubj"), LC("was", "VBD", VP, "cop"), S(STATE, HEAD)}},
        {3, {LC("she", "PRP", NP, "nsubj"), OF(WILL_VERB, VERB_MEET, HEAD), S(ANYONE, "obj")}},
        {4, {S(THAT_CLAUSE, HEAD)}}),
    [FIRM_SAID] = RULES(
        {5, {LC("it", "PRP", NP, "nsubj"), S(ACT_VP, HEAD)}},
        {5, {OF(FIGURES, NOUN_FIGURE, "nsubj"), OF(VERB_GROUP, VERB_MOVE, HEAD), S(PERCENT, "obl")}},
        {3, {OF(ITS, NOUN_FIGURE, "nsubj"), OF(VERB_GROUP, VERB_MOVE, HEAD)}},
        {4, {S(THAT_CLAUSE, HEAD)}}),
    [HEADLINE] = RULES(
        {5, {S(ANYONE, "nsubj"), WC(VERB_ACT, "VBZ", VP, HEAD), OF(FIGURES, NOUN_THING, "obj")}},
        {3, {S(FIRM_PHRASE, "nsubj"), WC(VERB_ACT, "VBZ", VP, HEAD), OF(FIGURES_IN_PLACE, NOUN_THING, "obj")}},
        {3, {S(PERSON, "nsubj"), WC(VERB_MEET, "VBZ", VP, HEAD), S(ANYONE, "obj")}},
        {3, {S(NATION_PHRASE, "nsubj"), WC(VERB_MEET, "VBZ", VP, HEAD), S(NATION_PHRASE, "obj"), S(VERB_PP, "obl")}},
        {3, {OF(FIGURES, NOUN_THING, "nsubj"), LC("hit", "VBD", VP, HEAD), S(ANYONE, "obj")}},
        {2, {S(FIRM_PHRASE, HEAD), L("--", ":", "punct"), OF(FIGURES_PERCENT, NOUN_FIGURE, "parataxis")}},
        {4, {OF(FIGURES, NOUN_THING, "nsubj"), LC("hit", "VBP", VP, HEAD), OF(FIGURES, NOUN_FIGURE, "obj")}},
        {3, {OF(COMMON_PLURAL, NOUN_PEOPLE, "nsubj"), WC(VERB_ACT, "VBP", VP, HEAD), OF(FIGURES, NOUN_THING, "obj"),
             S(AFTER_CLAUSE, "advcl")}}),
    [MARKET] = RULES(
        {5, {OF(FIGURES, NOUN_FIGURE, "nsubj"), OF(VERB_GROUP, VERB_MOVE, HEAD), S(PERCENT, "obl")}},
        {4, {OF(FIGURES, NOUN_FIGURE, "nsubj"), OF(VERB_GROUP, VERB_MOVE, HEAD), S(PERCENT, "obl"), S(WHEN, "obl")}},
        {3, {S(FIRM_PHRASE, "nsubj"), OF(VERB_GROUP, VERB_MOVE, HEAD), S(PERCENT, "obl"), S(IN_PLACE, "obl")}},
        {4, {S(FIRM_SHARES, "nsubj"), OF(VERB_GROUP, VERB_MOVE, HEAD), S(PERCENT, "obl"), S(IN_PLACE, "obl")}},
        {3, {OF(FIGURES, NOUN_FIGURE, "nsubj"), LC("were", "VBD", VP, "cop"), LC("up", "RB", ADVP, HEAD),
             S(PERCENT, "obl:npmod"), S(WHEN, "obl")}},
        {3, {OF(FIGURES, NOUN_FIGURE, "nsubj"), OF(VERB_GROUP, VERB_MOVE, HEAD), S(PERCENT, "obl"),
             WC(ADVERB, "RB", ADVP, "advmod"), S(WHEN, "obl")}},
        {4, {OF(FIGURES_AND, NOUN_FIGURE, "nsubj"), OF(VERB_GROUP, VERB_MOVE, HEAD), S(PERCENT, "obl"),
             S(WHEN, "obl")}}),
    [SPORT] = RULES(
        {7, {S(TEAM_PHRASE, "nsubj"), WC(VERB_BEAT, "VBD", VP, HEAD), S(TEAM_PHRASE, "obj"),
             NUMC(GOAL_SCORE, "obl")}},
        {5, {S(PERSON, "nsubj"), WC(VERB_BEAT, "VBD", VP, HEAD), S(PERSON, "obj"), NUMC(SET_SCORE, "obl"),
             NUMC(SET_SCORE, "obl"), S(IN_EVENT, "obl")}},
        {3, {S(NATION_PHRASE, "nsubj"), WC(VERB_BEAT, "VBD", VP, HEAD), S(NATION_PHRASE, "obj"),
             NUMC(GOAL_SCORE, "obl"), S(WHEN, "obl")}},
        {4, {S(ANYONE, "nsubj"), WC(VERB_BEAT, "VBD", VP, HEAD), S(ANYONE, "obj"), S(VERB_PP, "obl")}},
        {4, {S(PERSON, "nsubj"), LC("scored", "VBD", VP, HEAD), S(GOALS_SCORED, "obj"), S(FOR_TEAM, "obl")}},
        {4, {S(PERSON, "nsubj"), LC("joined", "VBD", VP, HEAD), S(TEAM_PHRASE, "obj"), S(FROM_TEAM, "obl"),
             S(WHEN, "obl")}}),
    [INCIDENT] = RULES(
        {5, {OF(BASE, NOUN_DISASTER, "nsubj"), LC("killed", "VBD", VP, HEAD), OF(COMMON_PLURAL, NOUN_PEOPLE, "obj"),
             S(IN_PLACE, "obl")}},
        {4, {OF(COMMON_PLURAL, NOUN_PEOPLE, "nsubj:pass"), OF(PASSIVE, VERB_ACT, HEAD), S(IN_PLACE, "obl"),
             S(WHEN, "obl")}},
        {3, {LC("police", "NNS", NP, "nsubj"), LC("arrested", "VBD", VP, HEAD), S(PERSON, "obj"),
             S(IN_PLACE, "obl")}},
        {3, {OF(COMMON_PLURAL, NOUN_PEOPLE, "nsubj"), LC("fled", "VBD", VP, HEAD), S(PLACE_PHRASE, "obj"),
             LC_TO("after", "IN", SBAR, "mark", 5), S(CLAUSE, "advcl")}}),
    /* Verb phrases. */
    [PERSON_VP] = RULES(
        {4, {OF(VERB_GROUP, VERB_PERSON, HEAD), S(WHEN, "obl")}},
        {3, {OF(VERB_GROUP, VERB_PERSON, HEAD), S(IN_PLACE, "obl")}},
        {4, {OF(VERB_GROUP, VERB_GO, HEAD), S(TO_PLACE, "obl"), S(WHEN, "obl")}},
        {7, {LC("said", "VBD", VP, HEAD), S(PERSON_SAID, "ccomp")}},
        {4, {LC("told", "VBD", VP, HEAD), LC("reporters", "NNS", NP, "iobj"), S(THAT_CLAUSE, "ccomp")}},
        {3, {S(BORN, HEAD), S(IN_PLACE, "obl"), S(WHEN, "obl")}},
        {6, {S(ACT_VP, HEAD)}},
        {3, {WC(VERB_MEET, "VBD", VP, HEAD), LC("her", "PRP", NP, "obj"), S(VERB_PP, "obl")}},
        {3, {LC("accused", "VBD", VP, HEAD), S(ANYONE, "obj"), S(OF_CAUSE, "obl"), S(WHEN, "obl")}},
        {2, {LC("told", "VBD", VP, HEAD), OF(COMMON_PLURAL, NOUN_PEOPLE, "iobj"), S(THAT_CLAUSE, "ccomp")}}),
    [FIRM_VP] = RULES(
        {5, {OF(VERB_GROUP, VERB_FIRM, HEAD), S(FIRM_PHRASE, "obj")}},
        {3, {OF(VERB_GROUP, VERB_FIRM, HEAD), S(FIRM_PHRASE, "obj"), S(FOR_MONEY, "obl")}},
        {6, {LC("said", "VBD", VP, HEAD), S(FIRM_SAID, "ccomp")}},
        {4, {LC("reported", "VBD", VP, HEAD), S(SUM, "obj")}},
        {4, {OF(VERB_GROUP, VERB_SEND, HEAD), OF(COMMON_PLURAL, NOUN_PEOPLE, "obj"), S(TO_PLACE, "obl")}},
        {3, {OF(VERB_GROUP, VERB_ACT, HEAD), OF(BASE_IN_PLACE, NOUN_SITE, "obj")}},
        {5, {S(ACT_VP, HEAD)}}),
    [NATION_VP] = RULES(
        {4, {LC("closed", "VBD", VP, HEAD), S(BORDER, "obj")}},
        {4, {LC("signed", "VBD", VP, HEAD), S(PACT, "obj")}},
        {4, {OF(VERB_GROUP, VERB_SEND, HEAD), OF(COMMON_PLURAL, NOUN_PEOPLE, "obj"), S(TO_PLACE, "obl")}},
        {4, {OF(WILL_VERB, VERB_ACT, HEAD), OF(BASE, NOUN_EVENT, "obj"), S(WHEN, "obl")}},
        {5, {S(ACT_VP, HEAD)}}),
    [ANYONE_VP] = RULES(
        {6, {S(ACT_VP, HEAD)}},
        {4, {LC("said", "VBD", VP, HEAD), S(THAT_CLAUSE, "ccomp")}},
        {3, {OF(VERB_GROUP, VERB_MEET, HEAD), S(ANYONE, "obj")}},
        {2, {OF(VERB_GROUP, VERB_MEET, HEAD), S(ANYONE, "obj"), S(WHEN, "obl")}},
        {2, {S(BE, "cop"), S(STATE, HEAD)}},
        {2, {LC("backed", "VBD", VP, HEAD), LC("down", "RP", PRT, "compound:prt"), S(WHEN, "obl")}}),
    [COMMON_VP] = RULES(
        {5, {S(ACT_VP, HEAD)}},
        {4, {OF(VERB_GROUP, VERB_MEET, HEAD), S(ANYONE, "obj")}},
        {3, {OF(VERB_GROUP, VERB_SAY, HEAD), S(THAT_CLAUSE, "ccomp")}},
        {3, {OF(VERB_GROUP, VERB_MEET, HEAD), S(PERSON, "obj"), S(WHEN, "obl")}},
        {2, {LC("remained", "VBD", VP, HEAD), S(STATE, "xcomp")}},
        {2, {LC("called", "VBD", VP, HEAD), LC("off", "RP", PRT, "compound:prt"),
             OF(BASE_IN_PLACE, NOUN_EVENT, "obj")}},
        {2, {OF(PASSIVE, VERB_ACT, HEAD), S(BY_ANYONE, "obl")}}),
    /* A verb and its object, with the phrase that may belong to either. */
    [ACT_VP] = RULES(
        {4, {OF(VERB_GROUP, VERB_ACT, HEAD), S(OBJECT, "obj")}},
        {7, {OF(VERB_GROUP, VERB_ACT, HEAD), S(OBJECT, "obj"), S(VERB_PP, "obl")}},
        {3, {OF(VERB_GROUP, VERB_SEND, HEAD), OF(BASE, NOUN_THING, "obj"), S(TO_PLACE, "obl")}},
        {2, {OF(VERB_GROUP, VERB_ACT, HEAD), S(OBJECT, "obj"), S(WHEN, "obl")}},
        {2, {LC("agreed", "VBD", VP, HEAD), S(TO_ACT, "xcomp")}},
        {3, {LC("planned", "VBD", VP, HEAD), S(TO_ACT, "xcomp")}},
        {3, {OF(VERB_GROUP, VERB_ACT, HEAD), S(OBJECT, "obj"), S(AFTER_CLAUSE, "advcl")}},
        {8, {WC(ADVERB, "RB", ADVP, "advmod"), WC(VERB_ACT, "VBD", VP, HEAD), S(OBJECT, "obj")}},
        {3, {OF(VERB_GROUP, VERB_TURN, HEAD), WC(PARTICLE, "RP", PRT, "compound:prt"), OF(BASE, NOUN_THING, "obj")}},
        {1, {OF(VERB_GROUP, VERB_TURN, HEAD), WC(PARTICLE, "RP", PRT, "compound:prt"), OF(BASE, NOUN_SITE, "obj")}},
        {3, {OF(VERB_GROUP, VERB_TURN, HEAD), S(PARTICLE_PLACE, "obl")}},
        {2, {LC("offered", "VBD", VP, HEAD), OF(COMMON_PLURAL, NOUN_PEOPLE, "iobj"),
             OF(FIGURES, NOUN_FIGURE, "obj")}}),
    [TO_ACT] = RULES(
        {2, {OF(TO_VERB, VERB_ACT, HEAD), S(OBJECT, "obj")}},
        {1, {OF(TO_VERB, VERB_ACT, HEAD), S(OBJECT, "obj"), S(VERB_PP, "obl")}}),
    [AND_ACT] = RULES(
        {2, {L("and", "CC", "cc"), WC(VERB_ACT, "VBD", VP, HEAD), OF(BASE, NOUN_THING, "obj")}},
        {1, {L("and", "CC", "cc"), WC(VERB_ACT, "VBD", VP, HEAD), OF(FIGURES, NOUN_THING, "obj")}}),
    [AND_MEET] = RULES(
        {2, {L("and", "CC", "cc"), WC(VERB_MEET, "VBD", VP, HEAD), S(ANYONE, "obj")}},
        {1, {L("and", "CC", "cc"), WC(VERB_GO, "VBD", VP, HEAD), S(TO_PLACE, "obl")}}),
    [VERB_GROUP] = CHUNK(VP,
        {26, {SLOT_AS("VBD", HEAD)}},
        {4, {L("had", "VBD", "aux"), SLOT_AS("VBN", HEAD)}},
        {5, {W(MODAL, "MD", "aux"), SLOT_AS("VB", HEAD)}},
        {8, {W(ADVERB, "RB", "advmod"), SLOT_AS("VBD", HEAD)}},
        {3, {L("planned", "VBD", "aux"), L("to", "TO", "mark"), SLOT_AS("VB", HEAD)}},
        {2, {L("had", "VBD", "aux"), L("to", "TO", "mark"), SLOT_AS("VB", HEAD)}},
        {2, {L("did", "VBD", "aux"), L("not", "RB", "advmod"), SLOT_AS("VB", HEAD)}},
        {2, {W(MODAL, "MD", "aux"), L("not", "RB", "advmod"), SLOT_AS("VB", HEAD)}}),
    [PASSIVE] = CHUNK(VP,
        {4, {L("had", "VBD", "aux"), L("been", "VBN", "aux:pass"), SLOT_AS("VBN", HEAD)}},
        {3, {W(MODAL, "MD", "aux"), L("be", "VB", "aux:pass"), SLOT_AS("VBN", HEAD)}}),
    [TO_VERB] = CHUNK(VP, {1, {L("to", "TO", "mark"), SLOT_AS("VB", HEAD)}}),
    [WILL_VERB] = CHUNK(VP, {1, {W(MODAL, "MD", "aux"), SLOT_AS("VB", HEAD)}}),
    [BE] = CHUNK(VP,
        {4, {L("was", "VBD", HEAD)}},
        {1, {L("had", "VBD", "aux"), L("been", "VBN", HEAD)}}),
    [STATE] = CHUNK(ADJP,
        {4, {W(ADJECTIVE_STATE, "JJ", HEAD)}},
        {1, {L("more", "RBR", "advmod"), W(ADJECTIVE_STATE, "JJ", HEAD)}},
        {1, {L("very", "RB", "advmod"), W(ADJECTIVE_STATE, "JJ", HEAD)}}),
    [BORN] = CHUNK(VP, {1, {L("was", "VBD", "aux:pass"), L("born", "VBN", HEAD)}}),
    /* Noun phrases with names. */
    [PERSON] = CHUNK(NP,
        {28, {S(FULL_NAME, HEAD)}},
        {20, {S(LAST_NAME, HEAD)}},
        {10, {W(TITLE, "NNP", "compound"), S(LAST_NAME, HEAD)}},
        {5, {W(TITLE, "NNP", "compound"), S(FULL_NAME, HEAD)}},
        {10, {W(NOUN_ROLE, "NN", "compound"), S(FULL_NAME, HEAD)}},
        {4, {W(NOUN_ROLE, "NN", "compound"), S(LAST_NAME, HEAD)}},
        {5, {S(DEMONYM, "amod"), W(NOUN_ROLE, "NN", "compound"), S(FULL_NAME, HEAD)}},
        {4, {S(FIRM_ONE, "compound"), W(NOUN_ROLE, "NN", "compound"), S(FULL_NAME, HEAD)}},
        {3, {S(TEAM, "compound"), W(NOUN_ROLE, "NN", "compound"), S(LAST_NAME, HEAD)}},
        {3, {S(FIRM_ONE, "compound"), W(TITLE, "NNP", "compound"), S(FULL_NAME, HEAD)}},
        {3, {S(NATION, "compound"), W(TITLE, "NNP", "compound"), S(FULL_NAME, HEAD)}}),
    [PERSON_SUBJECT] = RULES(
        {26, {S(PERSON, HEAD)}},
        {4, {S(PERSON, HEAD), COMMA, S(AGE_PHRASE, "amod"), COMMA}},
        {4, {S(PERSON, HEAD), COMMA, S(WHO, "acl:relcl"), COMMA}},
        {5, {S(PERSON, HEAD), COMMA, S(ROLE_OF, "appos"), COMMA}},
        {6, {S(PERSON, HEAD), S(AND_PERSON, "conj")}}),
    [ROLE_OF] = RULES(
        {3, {OF(BASE, NOUN_ROLE, HEAD), S(OF_FIRM, "nmod")}}, {2, {OF(BASE, NOUN_ROLE, HEAD), S(OF_CITY, "nmod")}},
        {2, {OF(BASE, NOUN_ROLE, HEAD)}}),
    [WHO] = RULES(
        {3, {LC("who", "WP", NP, "nsubj"), OF(VERB_GROUP, VERB_PERSON, HEAD), S(WHEN, "obl")}},
        {3, {LC("who", "WP", NP, "nsubj"), OF(VERB_GROUP, VERB_ACT, HEAD), OF(BASE, NOUN_THING, "obj")}},
        {2, {LC("who", "WP", NP, "nsubj"), OF(VERB_GROUP, VERB_GO, HEAD), S(TO_PLACE, "obl")}}),
    [WHICH] = RULES(
        {3, {LC("which", "WDT", NP, "nsubj"), OF(VERB_GROUP, VERB_ACT, HEAD), OF(BASE, NOUN_THING, "obj")}},
        {2, {LC("which", "WDT", NP, "nsubj"), OF(VERB_GROUP, VERB_FIRM, HEAD), S(FIRM_PHRASE, "obj")}}),
    [THAT_WHICH] = RULES(
        {3, {LC("that", "WDT", NP, "nsubj"), OF(VERB_GROUP, VERB_ACT, HEAD), OF(BASE, NOUN_THING, "obj")}},
        {2, {WC(VERB_ACT, "VBN", VP, HEAD), S(BY_ANYONE, "obl")}},
        {1, {LC("accused", "VBN", VP, HEAD), S(OF_CAUSE, "obl")}},
        {3, {WC(VERB_ACT, "VBN", VP, HEAD), S(IN_PLACE, "obl")}}),
    [AND_PERSON] = RULES({1, {L("and", "CC", "cc"), S(PERSON, HEAD)}}),
    [AND_PLACE] = RULES({1, {L("and", "CC", "cc"), S(CITY_PHRASE, HEAD)}}),
    [AGE_PHRASE] = CHUNK(NP, {1, {NUM(AGE, HEAD)}}),
    [FIRM_PHRASE] = CHUNK(NP,
        {26, {S(FIRM, HEAD)}},
        {5, {L("the", "DT", "det"), S(BODY, HEAD)}},
        {3, {S(DEMONYM, "amod"), L("firm", "NN", "compound"), S(FIRM, HEAD)}},
        {2, {S(FIRM, "compound"), W(NOUN_MODIFIER, "NN", "compound"), L("unit", "NN", HEAD)}}),
    [FIRM_SHARES] = CHUNK(NP, {1, {S(FIRM, "compound"), L("shares", "NNS", HEAD)}}),
    [FIRM_SUBJECT] = RULES(
        {20, {S(FIRM_PHRASE, HEAD)}},
        {3, {S(FIRM_PHRASE, HEAD), COMMA, S(WHICH, "acl:relcl"), COMMA}},
        {3, {S(FIRM_PHRASE, HEAD), COMMA, OF(BASE_IN_PLACE, NOUN_GROUP, "appos"), COMMA}}),
    [NATION_PHRASE] = CHUNK(NP,
        {16, {S(NATION, HEAD)}},
        {2, {W(REGION, "JJ", "amod"), S(NATION, HEAD)}}),
    [NATION_SUBJECT] = RULES(
        {10, {S(NATION_PHRASE, HEAD)}}, {4, {OF(NATION_GROUP, NOUN_GROUP, HEAD)}},
        {3, {S(BODY_PHRASE, HEAD)}}),
    [BODY_PHRASE] = CHUNK(NP, {1, {L("the", "DT", "det"), S(BODY, HEAD)}}),
    [NATION_GROUP] = CHUNK(NP,
        {4, {L("the", "DT", "det"), S(NATION, "compound"), SLOT_AS("NN", HEAD)}},
        {4, {L("the", "DT", "det"), S(DEMONYM, "amod"), SLOT_AS("NN", HEAD)}},
        {3, {S(OWNER, "nmod:poss"), SLOT_AS("NN", HEAD)}}),
    [CITY_PHRASE] = CHUNK(NP, {1, {S(CITY, HEAD)}}),
    [PLACE_PHRASE] = RULES(
        {12, {S(CITY_PHRASE, HEAD)}},
        {6, {S(NATION_PHRASE, HEAD)}},
        {2, {S(CITY_PHRASE, HEAD), COMMA, S(NATION_PHRASE, "appos")}},
        {2, {S(CITY_PHRASE, HEAD), S(AND_PLACE, "conj")}},
        {1, {S(CITY_PHRASE, HEAD), COMMA, S(CITY_PHRASE, "conj"), S(AND_PLACE, "conj")}},
        {2, {OF(BASE, NOUN_SITE, HEAD), S(OF_CITY, "nmod")}}),
    [TEAM_PHRASE] = CHUNK(NP, {1, {S(TEAM, HEAD)}}),
    [TEAM_GOALS] = RULES({1, {S(TEAM_PHRASE, HEAD), NUMC(GOALS, "nummod")}}),
    /* One bare name, of whatever sort. */
    [ANYONE] = CHUNK(NP,
        {32, {S(LAST_NAME, HEAD)}},
        {10, {S(FULL_NAME, HEAD)}},
        {18, {S(FIRM_ONE, HEAD)}},
        {16, {S(NATION, HEAD)}},
        {6, {S(TEAM, HEAD)}},
        {6, {L("the", "DT", "det"), S(BODY, HEAD)}},
        {5, {L("the", "DT", "det"), W(NOUN_GROUP, "NN", HEAD)}},
        {5, {S(LAST_NAME, HEAD), L_TO("and", "CC", "cc", 3), S(LAST_NAME, "conj")}},
        {5, {S(NATION, HEAD), L_TO("and", "CC", "cc", 3), S(NATION, "conj")}},
        {3, {S(FIRM_ONE, HEAD), L_TO("and", "CC", "cc", 3), S(FIRM_ONE, "conj")}}),
    [EVENT_PHRASE] = CHUNK(NP,
        {4, {L("the", "DT", "det"), S(EVENT, HEAD)}},
        {2, {L("the", "DT", "det"), S(EVENT, "compound"), W(NOUN_EVENT, "NN", HEAD)}},
        {2, {L("the", "DT", "det"), W(NOUN_EVENT, "NN", HEAD)}}),
    /* Other noun phrases. */
    [COMMON] = RULES(
        {5, {OF(COMMON_PLURAL, NOUN_PEOPLE, HEAD)}},
        {5, {OF(BASE, NOUN_GROUP, HEAD)}},
        {3, {OF(COMMON_PLURAL, NOUN_PEOPLE, HEAD), S(NOUN_PP, "nmod")}},
        {3, {OF(NATION_GROUP, NOUN_GROUP, HEAD)}},
        {4, {OF(COMMON_PLURAL, NOUN_PEOPLE, HEAD), S(THAT_WHICH, "acl")}},
        {6, {OF(COMMON_PLURAL, NOUN_PEOPLE, HEAD), OF(AND_PLURAL, NOUN_PEOPLE, "conj")}},
        {2, {OF(BASE, NOUN_TOPIC, HEAD), S(TOPIC_PP, "nmod")}}),
    [COMMON_PLURAL] = CHUNK(NP,
        {6, {SLOT_AS("NNS", HEAD)}},
        {4, {W(ADJECTIVE, "JJ", "amod"), SLOT_AS("NNS", HEAD)}},
        {3, {NUM(COUNT_FIGURE, "nummod"), SLOT_AS("NNS", HEAD)}},
        {2, {L("about", "RB", "advmod"), NUM(COUNT_FIGURE, "nummod"), SLOT_AS("NNS", HEAD)}},
        {2, {W(NUMBER_WORD, "CD", "nummod"), S(DEMONYM, "amod"), SLOT_AS("NNS", HEAD)}},
        {2, {W(NOUN_MODIFIER, "NN", "compound"), SLOT_AS("NNS", HEAD)}},
        {2, {L("more", "JJR", "amod"), SLOT_AS("NNS", HEAD)}},
        {5, {SLOT_AS("NNS", HEAD), L_TO("and", "CC", "cc", 3), SLOT_AS("NNS", "conj")}},
        {2, {W(PAST_MODIFIER, "JJ", "amod"), SLOT_AS("NNS", HEAD)}},
        {2, {W(PAST_MODIFIER, "VBN", "amod"), SLOT_AS("NNS", HEAD)}},
        {1, {W(NOUN_FIGURE, "NNS", "compound"), SLOT_AS("NNS", HEAD)}},
        {1, {L("more", "JJR", "amod"), W(ADJECTIVE, "JJ", "amod"), SLOT_AS("NNS", HEAD)}},
        {1, {L("more", "RBR", "advmod"), W(ADJECTIVE, "JJ", "amod"), SLOT_AS("NNS", HEAD)}},
        {1, {L("about", "IN", "advmod"), NUM(COUNT_FIGURE, "nummod"), SLOT_AS("NNS", HEAD)}},
        {2, {LC("about", "IN", PP, "advmod"), NUM(COUNT_FIGURE, "nummod"), SLOT_AS("NNS", HEAD)}}),
    [AND_PLURAL] = RULES({3, {L("and", "CC", "cc"), S(COMMON_PLURAL, HEAD)}}),
    [AND_BASE] = RULES({1, {L("and", "CC", "cc"), S(BASE, HEAD)}}),
    [OBJECT] = RULES(
        {6, {OF(BASE, NOUN_THING, HEAD)}},
        {5, {OF(BASE, NOUN_THING, HEAD), S(NOUN_PP, "nmod")}},
        {5, {OF(BASE, NOUN_TOPIC, HEAD), S(TOPIC_PP, "nmod")}},
        {2, {OF(BASE, NOUN_THING, HEAD), S(THAT_WHICH, "acl")}},
        {1, {S(PRODUCT_PHRASE, HEAD)}},
        {5, {OF(FIGURES, NOUN_THING, HEAD), OF(AND_PLURAL, NOUN_THING, "conj")}},
        {3, {OF(FIGURES, NOUN_THING, HEAD)}}),
    [BASE] = CHUNK(NP,
        {6, {L("the", "DT", "det"), SLOT_AS("NN", HEAD)}},
        {5, {L("a", "DT", "det"), SLOT_AS("NN", HEAD)}},
        {4, {L("the", "DT", "det"), W(ADJECTIVE, "JJ", "amod"), SLOT_AS("NN", HEAD)}},
        {4, {L("a", "DT", "det"), W(ADJECTIVE, "JJ", "amod"), SLOT_AS("NN", HEAD)}},
        {2, {L("that", "DT", "det"), SLOT_AS("NN", HEAD)}},
        {2, {L("its", "PRP$", "nmod:poss"), SLOT_AS("NN", HEAD)}},
        {2, {L("her", "PRP$", "nmod:poss"), SLOT_AS("NN", HEAD)}},
        {4, {L("a", "DT", "det"), W(NOUN_MODIFIER, "NN", "compound"), SLOT_AS("NN", HEAD)}},
        {2, {L("a", "DT", "det"), S(DEMONYM, "amod"), SLOT_AS("NN", HEAD)}},
        {3, {S(OWNER, "nmod:poss"), SLOT_AS("NN", HEAD)}},
        {4, {L("the", "DT", "det"), W(NOUN_MODIFIER, "NN", "compound"), SLOT_AS("NN", HEAD)}},
        {2, {L("the", "DT", "det"), W(PAST_MODIFIER, "VBN", "amod"), SLOT_AS("NN", HEAD)}},
        {2, {L("the", "DT", "det"), W(PAST_MODIFIER, "JJ", "amod"), SLOT_AS("NN", HEAD)}}),
    [PACT] = RULES({1, {OF(BASE, NOUN_THING, HEAD), S(WITH_NATION, "nmod")}}),
    [SUM] = RULES({1, {OF(BASE, NOUN_FIGURE, HEAD), S(OF_MONEY, "nmod")}}),
    [BASE_IN_PLACE] = RULES({1, {S(BASE, HEAD), S(IN_PLACE, "nmod")}}),
    [ITS] = CHUNK(NP,
        {3, {L("its", "PRP$", "nmod:poss"), SLOT_AS("NN", HEAD)}},
        {2, {L("its", "PRP$", "nmod:poss"), W(ADJECTIVE, "JJ", "amod"), SLOT_AS("NN", HEAD)}}),
    [BORDER] = RULES({1, {OF(ITS, NOUN_SITE, HEAD), S(WITH_NATION, "nmod")}}),
    [FIGURES] = CHUNK(NP,
        {6, {SLOT_AS("NNS", HEAD)}},
        {4, {W(NOUN_MODIFIER, "NN", "compound"), SLOT_AS("NNS", HEAD)}},
        {2, {W(ADJECTIVE, "JJ", "amod"), SLOT_AS("NNS", HEAD)}},
        {2, {S(DEMONYM, "amod"), SLOT_AS("NNS", HEAD)}},
        {2, {S(FIRM_ONE, "compound"), SLOT_AS("NNS", HEAD)}},
        {2, {W(PAST_MODIFIER, "JJ", "amod"), SLOT_AS("NNS", HEAD)}},
        {2, {W(PAST_MODIFIER, "VBN", "amod"), SLOT_AS("NNS", HEAD)}},
        {1, {W(NOUN_FIGURE, "NNS", "compound"), SLOT_AS("NNS", HEAD)}},
        {5, {SLOT_AS("NNS", HEAD), L_TO("and", "CC", "cc", 3), SLOT_AS("NNS", "conj")}}),
    [FIGURES_AND] = RULES({1, {S(FIGURES, HEAD), S(AND_PLURAL, "conj")}}),
    [FIGURES_PERCENT] = RULES({1, {S(FIGURES, HEAD), S(PERCENT, "nmod")}}),
    [FIGURES_IN_PLACE] = RULES({1, {S(FIGURES, HEAD), S(IN_PLACE, "nmod")}}),
    [OWNER] = RULES(
        {6, {S(NATION, HEAD), L("'s", "POS", "case")}},   {4, {S(LAST_NAME, HEAD), L("'s", "POS", "case")}},
        {3, {S(FIRM_ONE, HEAD), L("'s", "POS", "case")}}, {2, {S(CITY, HEAD), L("'s", "POS", "case")}}),
    [GOALS_SCORED] = CHUNK(NP,
        {1, {W(NUMBER_WORD, "CD", "nummod"), L("goals", "NNS", HEAD)}},
        {1, {L("a", "DT", "det"), W(ADJECTIVE, "JJ", "amod"), L("goal", "NN", HEAD)}}),
    [PRODUCT_PHRASE] = CHUNK(NP,
        {1, {L("a", "DT", "det"), S(PRODUCT, HEAD)}},
        {1, {L("a", "DT", "det"), S(FIRM_ONE, "compound"), L("car", "NN", HEAD)}},
        {1, {L("the", "DT", "det"), S(EVENT, HEAD)}}),
    [MONEY] = CHUNK(NP,
        {2, {L("$", "$", HEAD), NUM(DECIMAL, "nummod"), L("million", "CD", "flat")}},
        {1, {NUM(DECIMAL, "nummod"), L("million", "CD", "nummod"), L("dollars", "NNS", HEAD)}}),
    [PERCENT] = CHUNK(NP,
        {3, {NUM(DECIMAL, "nummod"), L("percent", "NN", HEAD)}},
        {1, {L("about", "RB", "advmod"), NUM(DECIMAL, "nummod"), L("percent", "NN", HEAD)}},
        {1, {L("about", "IN", "advmod"), NUM(DECIMAL, "nummod"), L("percent", "NN", HEAD)}},
        {1, {LC("about", "IN", PP, "advmod"), NUM(DECIMAL, "nummod"), L("percent", "NN", HEAD)}}),
    /* Prepositional phrases. Only the preferences of verbs and nouns tell them apart. */
    [VERB_PP] = RULES(
        {5, {P("in"), S(PLACE_PHRASE, HEAD)}},     {4, {P("after"), OF(BASE, NOUN_EVENT, HEAD)}},
        {3, {P("at"), OF(BASE, NOUN_SITE, HEAD)}}, {2, {P("with"), S(ANYONE, HEAD)}},
        {2, {P("for"), S(ANYONE, HEAD)}},          {2, {P("before"), S(EVENT_PHRASE, HEAD)}}),
    [NOUN_PP] = RULES(
        {5, {P("in"), S(PLACE_PHRASE, HEAD)}},          {3, {P("of"), S(ANYONE, HEAD)}},
        {4, {P("for"), S(ANYONE, HEAD)}},               {4, {P("from"), S(PLACE_PHRASE, HEAD)}},
        {3, {P("with"), S(ANYONE, HEAD)}},              {2, {P("at"), S(FIRM_PHRASE, HEAD)}},
        {1, {P("after"), OF(BASE, NOUN_EVENT, HEAD)}}),
    [TOPIC_PP] = RULES(
        {4, {P("on"), OF(FIGURES, NOUN_FIGURE, HEAD)}}, {4, {P("about"), S(ANYONE, HEAD)}},
        {3, {P("on"), S(ANYONE, HEAD)}},                {2, {P("in"), S(PLACE_PHRASE, HEAD)}}),
    [EITHER_PP] = RULES(
        {5, {P("in"), S(PLACE_PHRASE, HEAD)}},         {4, {P("for"), S(ANYONE, HEAD)}},
        {4, {P("with"), S(ANYONE, HEAD)}},             {3, {P("from"), S(ANYONE, HEAD)}},
        {3, {P("against"), S(ANYONE, HEAD)}},          {3, {P("at"), OF(BASE, NOUN_SITE, HEAD)}},
        {3, {P("after"), OF(BASE, NOUN_EVENT, HEAD)}}, {2, {P("on"), OF(FIGURES, NOUN_FIGURE, HEAD)}},
        {2, {P("about"), S(ANYONE, HEAD)}},            {2, {P("before"), S(EVENT_PHRASE, HEAD)}}),
    [ON_FIGURES] = RULES(
        {3, {P("on"), OF(FIGURES, NOUN_FIGURE, HEAD)}},
        {1, {P("about"), OF(FIGURES, NOUN_FIGURE, HEAD)}}),
    [BY_ANYONE] = RULES({1, {P("by"), S(ANYONE, HEAD)}}),
    [FOR_TEAM] = RULES({1, {P("for"), S(TEAM_PHRASE, HEAD)}}),
    [FROM_TEAM] = RULES({1, {P("from"), S(TEAM_PHRASE, HEAD)}}),
    [IN_EVENT] = RULES({1, {P("in"), S(EVENT_PHRASE, HEAD)}}),
    [WITH_NATION] = RULES({1, {P("with"), S(NATION_PHRASE, HEAD)}}),
    [OF_FIRM] = RULES({1, {P("of"), S(FIRM_PHRASE, HEAD)}}),
    [OF_CITY] = RULES({1, {P("of"), S(CITY_PHRASE, HEAD)}}),
    [OF_CAUSE] = RULES({1, {P("of"), WC(NOUN_CAUSE, "NN", NP, HEAD)}}),
    [OF_MONEY] = RULES({1, {P("of"), S(MONEY, HEAD)}}),
    [FOR_MONEY] = RULES({1, {P("for"), S(MONEY, HEAD)}}),
    [TO_PLACE] = RULES(
        {3, {TO, S(PLACE_PHRASE, HEAD)}}, {1, {TO, OF(BASE, NOUN_SITE, HEAD)}},
        {1, {TO, S(ANYONE, HEAD)}}),
    [IN_PLACE] = RULES(
        {8, {P("in"), S(PLACE_PHRASE, HEAD)}},     {2, {P("near"), S(PLACE_PHRASE, HEAD)}},
        {2, {P("at"), OF(BASE, NOUN_SITE, HEAD)}}, {1, {P("at"), S(FIRM_PHRASE, HEAD)}}),
    [PARTICLE_PLACE] = RULES({1, {WC(PARTICLE, "IN", PP, "case"), OF(BASE, NOUN_SITE, HEAD)}}),
    [WHEN] = RULES(
        {8, {P("on"), WC(WEEKDAY, "NNP", NP, HEAD)}}, {3, {P("in"), WC(MONTH, "NNP", NP, HEAD)}},
        {3, {P("in"), NUMC(YEAR, HEAD)}},             {2, {P("on"), S(DAY_PHRASE, HEAD)}},
        {3, {S(LAST_WEEK, HEAD)}},                    {3, {WC(WEEKDAY, "NNP", NP, HEAD)}}),
    [DAY_PHRASE] = CHUNK(NP, {1, {W(MONTH, "NNP", HEAD), NUM(DAY, "nummod")}}),
    [LAST_WEEK] = CHUNK(NP,
        {2, {L("last", "JJ", "amod"), L("week", "NN", HEAD)}},
        {1, {L("this", "DT", "det"), L("year", "NN", HEAD)}},
        {1, {L("last", "JJ", "amod"), W(MONTH, "NNP", HEAD)}}),
    [FRONT_TIME] = RULES(
        {3, {S(WHEN, HEAD)}},                  {2, {P("after"), OF(BASE, NOUN_EVENT, HEAD)}},
        {2, {P("in"), S(CITY_PHRASE, HEAD)}}),
    /* Entities. */
    [FULL_NAME] = ENTITY(PER,
        {20, {N(ROLE_GIVEN, HEAD), N(ROLE_FAMILY, "flat")}},
        {2, {N(ROLE_GIVEN, HEAD), {FIGURE, INITIAL, NO_CHUNK, "flat", NULL, "NNP", 0}, N(ROLE_FAMILY, "flat")}},
        {1, {N(ROLE_GIVEN, HEAD), L("de", "NNP", "flat"), N(ROLE_FAMILY, "flat")}},
        {1, {{FIGURE, INITIAL, NO_CHUNK, HEAD, NULL, "NNP", 0}, N(ROLE_FAMILY, "flat")}}),
    [LAST_NAME] = ENTITY(PER,
        {12, {N(ROLE_FAMILY, HEAD)}},
        {1, {N(ROLE_GIVEN, HEAD)}}),
    [CITY] = ENTITY(LOC,
        {16, {N(ROLE_CITY, HEAD)}},
        {2, {W(PLACE_PREFIX, "NNP", HEAD), N(ROLE_CITY, "flat")}},
        {2, {N(ROLE_CITY, HEAD), W(PLACE_SUFFIX, "NNP", "flat")}}),
    [NATION] = ENTITY(LOC, {1, {N(ROLE_NATION, HEAD)}}),
    [FIRM_ONE] = ENTITY(ORG,
        {6, {N(ROLE_FIRM, HEAD)}},
        {1, {{FIGURE, ACRONYM, NO_CHUNK, HEAD, NULL, "NNP", 0}}}),
    [FIRM] = ENTITY(ORG,
        {10, {N(ROLE_FIRM, HEAD)}},
        {7, {N(ROLE_FIRM, HEAD), W(FIRM_SUFFIX, "NNP", "flat")}},
        {2, {N(ROLE_FAMILY, HEAD), L("&", "CC", "flat"), N(ROLE_FAMILY, "flat")}},
        {1, {N(ROLE_FAMILY, HEAD), L("and", "CC", "flat"), N(ROLE_FAMILY, "flat")}},
        {2, {N(ROLE_CITY, HEAD), W(FIRM_TRADE, "NNP", "flat")}},
        {1, {N(ROLE_GIVEN, HEAD), N(ROLE_FAMILY, "flat"), W(FIRM_SUFFIX, "NNP", "flat")}},
        {1, {L("Bank", "NNP", HEAD), S(OF_CITY, "nmod")}},
        {1, {L("University", "NNP", HEAD), S(OF_CITY, "nmod")}},
        {2, {{FIGURE, ACRONYM, NO_CHUNK, HEAD, NULL, "NNP", 0}}}),
    [TEAM] = ENTITY(ORG,
        {6, {N(ROLE_TEAM, HEAD)}},
        {3, {N(ROLE_CITY, HEAD), W(TEAM_SUFFIX, "NNP", "flat")}}),
    [BODY] = ENTITY(ORG, {1, {W(FIXED_BODY, "NNP", HEAD)}}),
    [EVENT] = ENTITY(MISC,
        {3, {W(FIXED_EVENT, "NNP", HEAD)}},
        {2, {N(ROLE_CITY, HEAD), W(EVENT_SUFFIX, "NNP", "flat")}},
        {1, {N(ROLE_FAMILY, HEAD), W(EVENT_SUFFIX, "NNP", "flat")}},
        {1, {{NAME, ROLE_DEMONYM, NO_CHUNK, HEAD, NULL, "JJ", 0}, W(EVENT_SUFFIX, "NNP", "flat")}},
        {1, {N(ROLE_DEMONYM, HEAD), W(EVENT_SUFFIX, "NNP", "flat")}}),
    [DEMONYM] = ENTITY(MISC, {1, {{NAME, ROLE_DEMONYM, NO_CHUNK, HEAD, NULL, "JJ", 0}}}),
    [PRODUCT] = ENTITY(MISC, {1, {N(ROLE_FIRM, HEAD), W(MODEL, "NNP", "flat")}}),
};

/* Trees alone. */

#define PEOPLE(relation) OF(COMMON_PLURAL, NOUN_PEOPLE, relation)
#define TOPIC(relation) OF(BASE, NOUN_TOPIC, relation)
#define AGREED LC("agreed", "VBD", VP, HEAD)
#define WHO_SPOKE LC_TO("who", "WP", NP, "nsubj", 3), WC_TO(VERB_PERSON, "VBD", VP, "acl:relcl", 1)
#define ACTED WC(VERB_ACT, "VBD", VP, HEAD)
#define MANNER(to) WC_TO(ADVERB_OF_MANNER, "RB", ADVP, "advmod", to)
#define TIME(to) WC_TO(ADVERB_OF_TIME, "RB", ADVP, "advmod", to)
#define ACT OF(VERB_GROUP, VERB_ACT, HEAD)
#define THING_OBJECT OF(BASE, NOUN_THING, "obj")
#define EITHER_PHRASE S_TO(EITHER_PP, "obl", EITHER)
#define SAID LC("said", "VBD", VP, HEAD), S(PERSON_SAID, "ccomp")
#define MODIFIER(to) W_TO(NOUN_MODIFIER, "NN", "compound", to)
#define PRICE(to) W_TO(NOUN_FIGURE, "NN", "compound", to)

const struct symbol_rules tree_rules[SYMBOLS] = {
    [SENTENCE] = RULES(
        {90, {S(CLAUSE, HEAD), STOP}},
        {30, {S(CLAUSE, HEAD), S(AFTER_CLAUSE, "advcl"), STOP}},
        {30, {S(CLAUSE, HEAD), COMMA, S(BUT_CLAUSE, "conj"), STOP}}),
    [CLAUSE] = RULES(
        {60, {S(COMMON, "nsubj"), S(ACT_VP, HEAD)}},
        {30, {S(PERSON_SUBJECT, "nsubj"), S(PERSON_VP, HEAD)}},
        /* workers met traders who resigned */
        {12, {PEOPLE("nsubj"), OF(VERB_GROUP, VERB_MEET, HEAD), PEOPLE("obj"), S_TO(WHO, "acl:relcl", 3)}},
        {6, {PEOPLE("nsubj"), OF(VERB_GROUP, VERB_MEET, HEAD), PEOPLE("obj"), S_TO(WHO, "acl:relcl", 1)}},
        {12, {PEOPLE("nsubj"), OF(VERB_GROUP, VERB_PERSON, HEAD), S_TO(WHO, "acl:relcl", 1)}},
        /* a debate was delayed on prices on Monday */
        {12, {TOPIC("nsubj:pass"), OF(PASSIVE, VERB_ACT, HEAD), S_TO(TOPIC_PP, "nmod", 1), S(WHEN, "obl")}},
        {10, {TOPIC("nsubj:pass"), OF(PASSIVE, VERB_ACT, HEAD), S(WHEN, "obl"), S_TO(TOPIC_PP, "nmod", 1)}},
        {12, {TOPIC("nsubj:pass"), OF(PASSIVE, VERB_ACT, HEAD), S(IN_PLACE, "obl"), S(WHEN, "obl")}},
        /* quickly the court agreed to drop the plan */
        {12, {MANNER(4), S(COMMON, "nsubj"), AGREED, S(TO_ACT, "xcomp")}},
        {3, {MANNER(3), S(COMMON, "nsubj"), AGREED, S(TO_ACT, "xcomp")}},
        {9, {TIME(3), S(COMMON, "nsubj"), AGREED, S(TO_ACT, "xcomp")}},
        {3, {TIME(4), S(COMMON, "nsubj"), AGREED, S(TO_ACT, "xcomp")}},
        /* doctors who resigned quickly opposed the plan */
        {9, {PEOPLE("nsubj"), WHO_SPOKE, MANNER(3), ACTED, S(OBJECT, "obj")}},
        {3, {PEOPLE("nsubj"), WHO_SPOKE, MANNER(5), ACTED, S(OBJECT, "obj")}},
        {9, {PEOPLE("nsubj"), WHO_SPOKE, TIME(5), ACTED, S(OBJECT, "obj")}},
        {3, {PEOPLE("nsubj"), WHO_SPOKE, TIME(3), ACTED, S(OBJECT, "obj")}}),
    [ACT_VP] = RULES(
        {26, {ACT, THING_OBJECT, EITHER_PHRASE}},
        {16, {ACT, TOPIC("obj"), EITHER_PHRASE}},
        {24, {ACT, THING_OBJECT, EITHER_PHRASE, EITHER_PHRASE}},
        {16, {ACT, OF(FIGURES, NOUN_TOPIC, "obj"), EITHER_PHRASE, EITHER_PHRASE}},
        {24, {ACT, THING_OBJECT, EITHER_PHRASE, EITHER_PHRASE, EITHER_PHRASE}},
        {16, {ACT, S(OBJECT, "obj"), S(AND_ACT, "conj")}},
        /* oppose a tax last week on wages */
        {20, {ACT, TOPIC("obj"), S(WHEN, "obl"), S_TO(TOPIC_PP, "nmod", 2)}},
        {20, {ACT, THING_OBJECT, S(WHEN, "obl"), S_TO(THAT_WHICH, "acl", 2)}}),
    [PERSON_VP] = RULES(
        {7, {SAID, S_TO(AND_ACT, "conj", 2)}},       {3, {SAID, S_TO(AND_MEET, "conj", 2)}},
        {7, {SAID, S(AND_MEET, "conj")}},            {3, {SAID, S(AND_ACT, "conj")}},
        {7, {SAID, S_TO(AFTER_CLAUSE, "advcl", 2)}}, {4, {SAID, S(AFTER_CLAUSE, "advcl")}},
        {3, {SAID, S_TO(WHEN, "obl", 2)}},           {7, {SAID, S(WHEN, "obl")}}),
    [OBJECT] = RULES(
        /* a report on prices and a plan; a report on prices and wages */
        {9, {TOPIC(HEAD), S(ON_FIGURES, "nmod"), OF(AND_BASE, NOUN_THING, "conj")}},
        {3, {TOPIC(HEAD), S(ON_FIGURES, "nmod"), OF(AND_PLURAL, NOUN_FIGURE, "conj")}},
        {9, {TOPIC(HEAD), S(ON_FIGURES, "nmod"), OF_TO(AND_PLURAL, NOUN_FIGURE, "conj", 2)}},
        {3, {TOPIC(HEAD), S(ON_FIGURES, "nmod"), OF_TO(AND_BASE, NOUN_THING, "conj", 2)}},
        {24, {TOPIC(HEAD), S(TOPIC_PP, "nmod"), S_TO(NOUN_PP, "nmod", EITHER)}}),
    [COMMON] = RULES(
        {14, {PEOPLE(HEAD), OF(AND_PLURAL, NOUN_PEOPLE, "conj"), S_TO(NOUN_PP, "nmod", EITHER)}},
        {6, {PEOPLE(HEAD), S(NOUN_PP, "nmod"), S_TO(NOUN_PP, "nmod", EITHER)}}),
    [BASE] = RULES(
        {10, {L("the", "DT", "det"), MODIFIER(3), PRICE(4), SLOT_AS("NN", HEAD)}},
        {5, {L("the", "DT", "det"), MODIFIER(4), PRICE(4), SLOT_AS("NN", HEAD)}},
        {10, {L("a", "DT", "det"), PRICE(4), MODIFIER(4), SLOT_AS("NN", HEAD)}},
        {5, {L("a", "DT", "det"), PRICE(3), MODIFIER(4), SLOT_AS("NN", HEAD)}}),
};
/* clang-format on */

const char *const chunk_label[CHUNK_TYPES][2] = {
    {"O", "O"},           {"B-NP", "I-NP"},     {"B-VP", "I-VP"},     {"B-PP", "I-PP"},
    {"B-ADJP", "I-ADJP"}, {"B-ADVP", "I-ADVP"}, {"B-SBAR", "I-SBAR"}, {"B-PRT", "I-PRT"},
};
const char *const entity_label[ENTITY_TYPES][2] = {
    {"O", "O"}, {"B-PER", "I-PER"}, {"B-LOC", "I-LOC"}, {"B-ORG", "I-ORG"}, {"B-MISC", "I-MISC"},
};
