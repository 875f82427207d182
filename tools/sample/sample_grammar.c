/*
 * Defines the grammar of the synthetic corpus: see sample_grammar.h.
 *
 * It is hard on purpose:
 *   - ANYONE is a person, a firm, a country or a team by one bare name, in
 *     clauses that suit them all, so that some entities cannot be told apart;
 *   - names meet the same neighbours in different roles ("Ford cuts" may be what
 *     Ford does or what is done there, and City ends places and teams);
 *   - a prepositional phrase after the object belongs to the noun (NOUN_PP) or
 *     to the verb (VERB_PP), by the preference of noun and verb for some
 *     prepositions, never by rule;
 *   - many words are nouns and verbs, or two forms of one verb.
 * sample_trees.c adds what is hard about trees.
 */
#include "sample/sample_grammar.h"

#include "sample/sample_parts.h"

/* Sentences and clauses. */

static const struct production sentence[] = {
    {50, {S(CLAUSE, HEAD), STOP}},
    {7, {S(FRONT_TIME, "obl"), COMMA, S(CLAUSE, HEAD), STOP}},
    {6,
     {L("``", "``", "punct"), S(SAID_CLAUSE, "ccomp"), COMMA, L("''", "''", "punct"), WC(VERB_SAY, "VBD", VP, HEAD),
      S(PERSON, "nsubj"), STOP}},
    {5, {S(SAID_CLAUSE, "ccomp"), COMMA, S(ANYONE, "nsubj"), LC("said", "VBD", VP, HEAD), STOP}},
    {4, {S(SAID_CLAUSE, "ccomp"), COMMA, S(COMMON, "nsubj"), LC("said", "VBD", VP, HEAD), S(WHEN, "obl"), STOP}},
    {8, {S(CLAUSE, HEAD), COMMA, S(BUT_CLAUSE, "conj"), STOP}},
    {3, {S(CITY_PHRASE, HEAD), NUMC(DATE, "nummod")}},
    {3,
     {NUMC(PLACING, "dep"), S(PERSON, HEAD), L("(", "(", "punct"), S(NATION_PHRASE, "appos"), L(")", ")", "punct"),
      NUMC(TIME_TAKEN, "dep")}},
    {3, {S(TEAM_GOALS, HEAD), S(TEAM_GOALS, "list")}},
    {9, {S(HEADLINE, HEAD), STOP}},
    {7, {S(SPORT, HEAD), STOP}},
};

static const struct production clause[] = {
    {12, {S(PERSON_SUBJECT, "nsubj"), S(PERSON_VP, HEAD)}},
    {13, {S(FIRM_SUBJECT, "nsubj"), S(FIRM_VP, HEAD)}},
    {9, {S(NATION_SUBJECT, "nsubj"), S(NATION_VP, HEAD)}},
    {9, {S(ANYONE, "nsubj"), S(ANYONE_VP, HEAD)}},
    {17, {S(COMMON, "nsubj"), S(COMMON_VP, HEAD)}},
    {8, {S(MARKET, HEAD)}},
    {5, {S(INCIDENT, HEAD)}},
    {4, {OF(COMMON_PLURAL, NOUN_PEOPLE, "nsubj"), WC(VERB_ACT, "VBP", VP, HEAD), S(OBJECT, "obj")}},
    {4, {OF(COMMON_PLURAL, NOUN_PEOPLE, "nsubj"), WC(VERB_ACT, "VBP", VP, HEAD), OF(FIGURES, NOUN_THING, "obj")}},
};

static const struct production but_clause[] = {
    {6, {L("but", "CC", "cc"), S(CLAUSE, HEAD)}},
    {4, {L("and", "CC", "cc"), S(CLAUSE, HEAD)}},
};

static const struct production that_clause[] = {
    {5, {S(SAID_CLAUSE, HEAD)}},
    {5, {LC("that", "IN", SBAR, "mark"), S(SAID_CLAUSE, HEAD)}},
};

static const struct production after_clause[] = {
    {5, {LC("after", "IN", SBAR, "mark"), S(SAID_CLAUSE, HEAD)}},
    {3, {LC("before", "IN", SBAR, "mark"), S(SAID_CLAUSE, HEAD)}},
    {3, {LC("after", "IN", PP, "mark"), WC(VERB_MEET, "VBG", VP, HEAD), S(ANYONE, "obj")}},
    {2, {LC("before", "IN", PP, "mark"), WC(VERB_ACT, "VBG", VP, HEAD), OF(FIGURES, NOUN_THING, "obj")}},
};

/* What is said: shorter than a sentence, and not again reported. */
static const struct production said_clause[] = {
    {6, {S(COMMON, "nsubj"), S(ACT_VP, HEAD)}},
    {4, {S(MARKET, HEAD)}},
    {3, {S(ANYONE, "nsubj"), S(ACT_VP, HEAD)}},
    {3, {S(PERSON, "nsubj"), OF(VERB_GROUP, VERB_PERSON, HEAD), S(WHEN, "obl")}},
    {3, {OF(BASE, NOUN_TOPIC, "nsubj:pass"), OF(PASSIVE, VERB_ACT, HEAD), S(BY_ANYONE, "obl")}},
    {2, {LC("it", "PRP", NP, "nsubj"), LC("'s", "VBZ", VP, "cop"), OF(BASE, NOUN_THING, HEAD), S(TOPIC_PP, "nmod")}},
};

static const struct production person_said[] = {
    {5, {LC("he", "PRP", NP, "nsubj"), S(ACT_VP, HEAD)}},
    {4, {LC("she", "PRP", NP, "nsubj"), S(ACT_VP, HEAD)}},
    {3, {LC("he", "PRP", NP, "nsubj"), LC("was", "VBD", VP, "cop"), S(STATE, HEAD)}},
    {3, {LC("she", "PRP", NP, "nsubj"), OF(WILL_VERB, VERB_MEET, HEAD), S(ANYONE, "obj")}},
    {4, {S(THAT_CLAUSE, HEAD)}},
};

static const struct production firm_said[] = {
    {5, {LC("it", "PRP", NP, "nsubj"), S(ACT_VP, HEAD)}},
    {5, {OF(FIGURES, NOUN_FIGURE, "nsubj"), OF(VERB_GROUP, VERB_MOVE, HEAD), S(PERCENT, "obl")}},
    {3, {OF(ITS, NOUN_FIGURE, "nsubj"), OF(VERB_GROUP, VERB_MOVE, HEAD)}},
    {4, {S(THAT_CLAUSE, HEAD)}},
};

static const struct production headline[] = {
    {5, {S(ANYONE, "nsubj"), WC(VERB_ACT, "VBZ", VP, HEAD), OF(FIGURES, NOUN_THING, "obj")}},
    {3, {S(FIRM_PHRASE, "nsubj"), WC(VERB_ACT, "VBZ", VP, HEAD), OF(FIGURES_IN_PLACE, NOUN_THING, "obj")}},
    {3, {S(PERSON, "nsubj"), WC(VERB_MEET, "VBZ", VP, HEAD), S(ANYONE, "obj")}},
    {3, {S(NATION_PHRASE, "nsubj"), WC(VERB_MEET, "VBZ", VP, HEAD), S(NATION_PHRASE, "obj"), S(VERB_PP, "obl")}},
    {3, {OF(FIGURES, NOUN_THING, "nsubj"), LC("hit", "VBD", VP, HEAD), S(ANYONE, "obj")}},
    {2, {S(FIRM_PHRASE, HEAD), L("--", ":", "punct"), OF(FIGURES_PERCENT, NOUN_FIGURE, "parataxis")}},
    {4, {OF(FIGURES, NOUN_THING, "nsubj"), LC("hit", "VBP", VP, HEAD), OF(FIGURES, NOUN_FIGURE, "obj")}},
    {3,
     {OF(COMMON_PLURAL, NOUN_PEOPLE, "nsubj"), WC(VERB_ACT, "VBP", VP, HEAD), OF(FIGURES, NOUN_THING, "obj"),
      S(AFTER_CLAUSE, "advcl")}},
};

static const struct production market[] = {
    {5, {OF(FIGURES, NOUN_FIGURE, "nsubj"), OF(VERB_GROUP, VERB_MOVE, HEAD), S(PERCENT, "obl")}},
    {4, {OF(FIGURES, NOUN_FIGURE, "nsubj"), OF(VERB_GROUP, VERB_MOVE, HEAD), S(PERCENT, "obl"), S(WHEN, "obl")}},
    {3, {S(FIRM_PHRASE, "nsubj"), OF(VERB_GROUP, VERB_MOVE, HEAD), S(PERCENT, "obl"), S(IN_PLACE, "obl")}},
    {4, {S(FIRM_SHARES, "nsubj"), OF(VERB_GROUP, VERB_MOVE, HEAD), S(PERCENT, "obl"), S(IN_PLACE, "obl")}},
    {3,
     {OF(FIGURES, NOUN_FIGURE, "nsubj"), LC("were", "VBD", VP, "cop"), LC("up", "RB", ADVP, HEAD),
      S(PERCENT, "obl:npmod"), S(WHEN, "obl")}},
    {3,
     {OF(FIGURES, NOUN_FIGURE, "nsubj"), OF(VERB_GROUP, VERB_MOVE, HEAD), S(PERCENT, "obl"),
      WC(ADVERB, "RB", ADVP, "advmod"), S(WHEN, "obl")}},
    {4, {OF(FIGURES_AND, NOUN_FIGURE, "nsubj"), OF(VERB_GROUP, VERB_MOVE, HEAD), S(PERCENT, "obl"), S(WHEN, "obl")}},
};

static const struct production sport[] = {
    {7, {S(TEAM_PHRASE, "nsubj"), WC(VERB_BEAT, "VBD", VP, HEAD), S(TEAM_PHRASE, "obj"), NUMC(GOAL_SCORE, "obl")}},
    {5,
     {S(PERSON, "nsubj"), WC(VERB_BEAT, "VBD", VP, HEAD), S(PERSON, "obj"), NUMC(SET_SCORE, "obl"),
      NUMC(SET_SCORE, "obl"), S(IN_EVENT, "obl")}},
    {3,
     {S(NATION_PHRASE, "nsubj"), WC(VERB_BEAT, "VBD", VP, HEAD), S(NATION_PHRASE, "obj"), NUMC(GOAL_SCORE, "obl"),
      S(WHEN, "obl")}},
    {4, {S(ANYONE, "nsubj"), WC(VERB_BEAT, "VBD", VP, HEAD), S(ANYONE, "obj"), S(VERB_PP, "obl")}},
    {4, {S(PERSON, "nsubj"), LC("scored", "VBD", VP, HEAD), S(GOALS_SCORED, "obj"), S(FOR_TEAM, "obl")}},
    {4,
     {S(PERSON, "nsubj"), LC("joined", "VBD", VP, HEAD), S(TEAM_PHRASE, "obj"), S(FROM_TEAM, "obl"), S(WHEN, "obl")}},
};

static const struct production incident[] = {
    {5,
     {OF(BASE, NOUN_DISASTER, "nsubj"), LC("killed", "VBD", VP, HEAD), OF(COMMON_PLURAL, NOUN_PEOPLE, "obj"),
      S(IN_PLACE, "obl")}},
    {4,
     {OF(COMMON_PLURAL, NOUN_PEOPLE, "nsubj:pass"), OF(PASSIVE, VERB_ACT, HEAD), S(IN_PLACE, "obl"), S(WHEN, "obl")}},
    {3, {LC("police", "NNS", NP, "nsubj"), LC("arrested", "VBD", VP, HEAD), S(PERSON, "obj"), S(IN_PLACE, "obl")}},
    {3,
     {OF(COMMON_PLURAL, NOUN_PEOPLE, "nsubj"), LC("fled", "VBD", VP, HEAD), S(PLACE_PHRASE, "obj"),
      LC_TO("after", "IN", SBAR, "mark", 5), S(CLAUSE, "advcl")}},
};

/* Verb phrases. */

static const struct production person_vp[] = {
    {4, {OF(VERB_GROUP, VERB_PERSON, HEAD), S(WHEN, "obl")}},
    {3, {OF(VERB_GROUP, VERB_PERSON, HEAD), S(IN_PLACE, "obl")}},
    {4, {OF(VERB_GROUP, VERB_GO, HEAD), S(TO_PLACE, "obl"), S(WHEN, "obl")}},
    {7, {LC("said", "VBD", VP, HEAD), S(PERSON_SAID, "ccomp")}},
    {4, {LC("told", "VBD", VP, HEAD), LC("reporters", "NNS", NP, "iobj"), S(THAT_CLAUSE, "ccomp")}},
    {3, {S(BORN, HEAD), S(IN_PLACE, "obl"), S(WHEN, "obl")}},
    {6, {S(ACT_VP, HEAD)}},
    {3, {WC(VERB_MEET, "VBD", VP, HEAD), LC("her", "PRP", NP, "obj"), S(VERB_PP, "obl")}},
    {3, {LC("accused", "VBD", VP, HEAD), S(ANYONE, "obj"), S(OF_CAUSE, "obl"), S(WHEN, "obl")}},
    {2, {LC("told", "VBD", VP, HEAD), OF(COMMON_PLURAL, NOUN_PEOPLE, "iobj"), S(THAT_CLAUSE, "ccomp")}},
};

static const struct production firm_vp[] = {
    {5, {OF(VERB_GROUP, VERB_FIRM, HEAD), S(FIRM_PHRASE, "obj")}},
    {3, {OF(VERB_GROUP, VERB_FIRM, HEAD), S(FIRM_PHRASE, "obj"), S(FOR_MONEY, "obl")}},
    {6, {LC("said", "VBD", VP, HEAD), S(FIRM_SAID, "ccomp")}},
    {4, {LC("reported", "VBD", VP, HEAD), S(SUM, "obj")}},
    {4, {OF(VERB_GROUP, VERB_SEND, HEAD), OF(COMMON_PLURAL, NOUN_PEOPLE, "obj"), S(TO_PLACE, "obl")}},
    {3, {OF(VERB_GROUP, VERB_ACT, HEAD), OF(BASE_IN_PLACE, NOUN_SITE, "obj")}},
    {5, {S(ACT_VP, HEAD)}},
};

static const struct production nation_vp[] = {
    {4, {LC("closed", "VBD", VP, HEAD), S(BORDER, "obj")}},
    {4, {LC("signed", "VBD", VP, HEAD), S(PACT, "obj")}},
    {4, {OF(VERB_GROUP, VERB_SEND, HEAD), OF(COMMON_PLURAL, NOUN_PEOPLE, "obj"), S(TO_PLACE, "obl")}},
    {4, {OF(WILL_VERB, VERB_ACT, HEAD), OF(BASE, NOUN_EVENT, "obj"), S(WHEN, "obl")}},
    {5, {S(ACT_VP, HEAD)}},
};

static const struct production anyone_vp[] = {
    {6, {S(ACT_VP, HEAD)}},
    {4, {LC("said", "VBD", VP, HEAD), S(THAT_CLAUSE, "ccomp")}},
    {3, {OF(VERB_GROUP, VERB_MEET, HEAD), S(ANYONE, "obj")}},
    {2, {OF(VERB_GROUP, VERB_MEET, HEAD), S(ANYONE, "obj"), S(WHEN, "obl")}},
    {2, {S(BE, "cop"), S(STATE, HEAD)}},
    {2, {LC("backed", "VBD", VP, HEAD), LC("down", "RP", PRT, "compound:prt"), S(WHEN, "obl")}},
};

static const struct production common_vp[] = {
    {5, {S(ACT_VP, HEAD)}},
    {4, {OF(VERB_GROUP, VERB_MEET, HEAD), S(ANYONE, "obj")}},
    {3, {OF(VERB_GROUP, VERB_SAY, HEAD), S(THAT_CLAUSE, "ccomp")}},
    {3, {OF(VERB_GROUP, VERB_MEET, HEAD), S(PERSON, "obj"), S(WHEN, "obl")}},
    {2, {LC("remained", "VBD", VP, HEAD), S(STATE, "xcomp")}},
    {2, {LC("called", "VBD", VP, HEAD), LC("off", "RP", PRT, "compound:prt"), OF(BASE_IN_PLACE, NOUN_EVENT, "obj")}},
    {2, {OF(PASSIVE, VERB_ACT, HEAD), S(BY_ANYONE, "obl")}},
};

/* A verb and its object, with the phrase that may belong to either. */
static const struct production act_vp[] = {
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
    {2, {LC("offered", "VBD", VP, HEAD), OF(COMMON_PLURAL, NOUN_PEOPLE, "iobj"), OF(FIGURES, NOUN_FIGURE, "obj")}},
};

static const struct production to_act[] = {
    {2, {OF(TO_VERB, VERB_ACT, HEAD), S(OBJECT, "obj")}},
    {1, {OF(TO_VERB, VERB_ACT, HEAD), S(OBJECT, "obj"), S(VERB_PP, "obl")}},
};

static const struct production and_act[] = {
    {2, {L("and", "CC", "cc"), WC(VERB_ACT, "VBD", VP, HEAD), OF(BASE, NOUN_THING, "obj")}},
    {1, {L("and", "CC", "cc"), WC(VERB_ACT, "VBD", VP, HEAD), OF(FIGURES, NOUN_THING, "obj")}},
};

static const struct production and_meet[] = {
    {2, {L("and", "CC", "cc"), WC(VERB_MEET, "VBD", VP, HEAD), S(ANYONE, "obj")}},
    {1, {L("and", "CC", "cc"), WC(VERB_GO, "VBD", VP, HEAD), S(TO_PLACE, "obl")}},
};

static const struct production verb_group[] = {
    {26, {SLOT_AS("VBD", HEAD)}},
    {4, {L("had", "VBD", "aux"), SLOT_AS("VBN", HEAD)}},
    {5, {W(MODAL, "MD", "aux"), SLOT_AS("VB", HEAD)}},
    {8, {W(ADVERB, "RB", "advmod"), SLOT_AS("VBD", HEAD)}},
    {3, {L("planned", "VBD", "aux"), L("to", "TO", "mark"), SLOT_AS("VB", HEAD)}},
    {2, {L("had", "VBD", "aux"), L("to", "TO", "mark"), SLOT_AS("VB", HEAD)}},
    {2, {L("did", "VBD", "aux"), L("not", "RB", "advmod"), SLOT_AS("VB", HEAD)}},
    {2, {W(MODAL, "MD", "aux"), L("not", "RB", "advmod"), SLOT_AS("VB", HEAD)}},
};

static const struct production passive[] = {
    {4, {L("had", "VBD", "aux"), L("been", "VBN", "aux:pass"), SLOT_AS("VBN", HEAD)}},
    {3, {W(MODAL, "MD", "aux"), L("be", "VB", "aux:pass"), SLOT_AS("VBN", HEAD)}},
};

static const struct production to_verb[] = {{1, {L("to", "TO", "mark"), SLOT_AS("VB", HEAD)}}};
static const struct production will_verb[] = {{1, {W(MODAL, "MD", "aux"), SLOT_AS("VB", HEAD)}}};
static const struct production be[] = {
    {4, {L("was", "VBD", HEAD)}},
    {1, {L("had", "VBD", "aux"), L("been", "VBN", HEAD)}},
};

static const struct production state[] = {
    {4, {W(ADJECTIVE_STATE, "JJ", HEAD)}},
    {1, {L("more", "RBR", "advmod"), W(ADJECTIVE_STATE, "JJ", HEAD)}},
    {1, {L("very", "RB", "advmod"), W(ADJECTIVE_STATE, "JJ", HEAD)}},
};

static const struct production born[] = {{1, {L("was", "VBD", "aux:pass"), L("born", "VBN", HEAD)}}};

/* Noun phrases with names. */

static const struct production person[] = {
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
    {3, {S(NATION, "compound"), W(TITLE, "NNP", "compound"), S(FULL_NAME, HEAD)}},
};

static const struct production person_subject[] = {
    {26, {S(PERSON, HEAD)}},
    {4, {S(PERSON, HEAD), COMMA, S(AGE_PHRASE, "amod"), COMMA}},
    {4, {S(PERSON, HEAD), COMMA, S(WHO, "acl:relcl"), COMMA}},
    {5, {S(PERSON, HEAD), COMMA, S(ROLE_OF, "appos"), COMMA}},
    {6, {S(PERSON, HEAD), S(AND_PERSON, "conj")}},
};

static const struct production role_of[] = {
    {3, {OF(BASE, NOUN_ROLE, HEAD), S(OF_FIRM, "nmod")}},
    {2, {OF(BASE, NOUN_ROLE, HEAD), S(OF_CITY, "nmod")}},
    {2, {OF(BASE, NOUN_ROLE, HEAD)}},
};

static const struct production who[] = {
    {3, {LC("who", "WP", NP, "nsubj"), OF(VERB_GROUP, VERB_PERSON, HEAD), S(WHEN, "obl")}},
    {3, {LC("who", "WP", NP, "nsubj"), OF(VERB_GROUP, VERB_ACT, HEAD), OF(BASE, NOUN_THING, "obj")}},
    {2, {LC("who", "WP", NP, "nsubj"), OF(VERB_GROUP, VERB_GO, HEAD), S(TO_PLACE, "obl")}},
};

static const struct production which[] = {
    {3, {LC("which", "WDT", NP, "nsubj"), OF(VERB_GROUP, VERB_ACT, HEAD), OF(BASE, NOUN_THING, "obj")}},
    {2, {LC("which", "WDT", NP, "nsubj"), OF(VERB_GROUP, VERB_FIRM, HEAD), S(FIRM_PHRASE, "obj")}},
};

static const struct production that_which[] = {
    {3, {LC("that", "WDT", NP, "nsubj"), OF(VERB_GROUP, VERB_ACT, HEAD), OF(BASE, NOUN_THING, "obj")}},
    {2, {WC(VERB_ACT, "VBN", VP, HEAD), S(BY_ANYONE, "obl")}},
    {1, {LC("accused", "VBN", VP, HEAD), S(OF_CAUSE, "obl")}},
    {3, {WC(VERB_ACT, "VBN", VP, HEAD), S(IN_PLACE, "obl")}},
};

static const struct production and_person[] = {{1, {L("and", "CC", "cc"), S(PERSON, HEAD)}}};
static const struct production and_place[] = {{1, {L("and", "CC", "cc"), S(CITY_PHRASE, HEAD)}}};
static const struct production age_phrase[] = {{1, {NUM(AGE, HEAD)}}};

static const struct production firm_phrase[] = {
    {26, {S(FIRM, HEAD)}},
    {5, {L("the", "DT", "det"), S(BODY, HEAD)}},
    {3, {S(DEMONYM, "amod"), L("firm", "NN", "compound"), S(FIRM, HEAD)}},
    {2, {S(FIRM, "compound"), W(NOUN_MODIFIER, "NN", "compound"), L("unit", "NN", HEAD)}},
};

static const struct production firm_shares[] = {{1, {S(FIRM, "compound"), L("shares", "NNS", HEAD)}}};

static const struct production firm_subject[] = {
    {20, {S(FIRM_PHRASE, HEAD)}},
    {3, {S(FIRM_PHRASE, HEAD), COMMA, S(WHICH, "acl:relcl"), COMMA}},
    {3, {S(FIRM_PHRASE, HEAD), COMMA, OF(BASE_IN_PLACE, NOUN_GROUP, "appos"), COMMA}},
};

static const struct production nation_phrase[] = {
    {16, {S(NATION, HEAD)}},
    {2, {W(REGION, "JJ", "amod"), S(NATION, HEAD)}},
};

static const struct production nation_subject[] = {
    {10, {S(NATION_PHRASE, HEAD)}},
    {4, {OF(NATION_GROUP, NOUN_GROUP, HEAD)}},
    {3, {S(BODY_PHRASE, HEAD)}},
};

static const struct production body_phrase[] = {{1, {L("the", "DT", "det"), S(BODY, HEAD)}}};

static const struct production nation_group[] = {
    {4, {L("the", "DT", "det"), S(NATION, "compound"), SLOT_AS("NN", HEAD)}},
    {4, {L("the", "DT", "det"), S(DEMONYM, "amod"), SLOT_AS("NN", HEAD)}},
    {3, {S(OWNER, "nmod:poss"), SLOT_AS("NN", HEAD)}},
};

static const struct production city_phrase[] = {{1, {S(CITY, HEAD)}}};

static const struct production place_phrase[] = {
    {12, {S(CITY_PHRASE, HEAD)}},
    {6, {S(NATION_PHRASE, HEAD)}},
    {2, {S(CITY_PHRASE, HEAD), COMMA, S(NATION_PHRASE, "appos")}},
    {2, {S(CITY_PHRASE, HEAD), S(AND_PLACE, "conj")}},
    {1, {S(CITY_PHRASE, HEAD), COMMA, S(CITY_PHRASE, "conj"), S(AND_PLACE, "conj")}},
    {2, {OF(BASE, NOUN_SITE, HEAD), S(OF_CITY, "nmod")}},
};

static const struct production team_phrase[] = {{1, {S(TEAM, HEAD)}}};

static const struct production team_goals[] = {{1, {S(TEAM_PHRASE, HEAD), NUMC(GOALS, "nummod")}}};

/* One bare name, of whatever sort. */
static const struct production anyone[] = {
    {32, {S(LAST_NAME, HEAD)}},
    {10, {S(FULL_NAME, HEAD)}},
    {18, {S(FIRM_ONE, HEAD)}},
    {16, {S(NATION, HEAD)}},
    {6, {S(TEAM, HEAD)}},
    {6, {L("the", "DT", "det"), S(BODY, HEAD)}},
    {5, {L("the", "DT", "det"), W(NOUN_GROUP, "NN", HEAD)}},
    {5, {S(LAST_NAME, HEAD), L_TO("and", "CC", "cc", 3), S(LAST_NAME, "conj")}},
    {5, {S(NATION, HEAD), L_TO("and", "CC", "cc", 3), S(NATION, "conj")}},
    {3, {S(FIRM_ONE, HEAD), L_TO("and", "CC", "cc", 3), S(FIRM_ONE, "conj")}},
};

static const struct production event_phrase[] = {
    {4, {L("the", "DT", "det"), S(EVENT, HEAD)}},
    {2, {L("the", "DT", "det"), S(EVENT, "compound"), W(NOUN_EVENT, "NN", HEAD)}},
    {2, {L("the", "DT", "det"), W(NOUN_EVENT, "NN", HEAD)}},
};

/* Other noun phrases. */

static const struct production common[] = {
    {5, {OF(COMMON_PLURAL, NOUN_PEOPLE, HEAD)}},
    {5, {OF(BASE, NOUN_GROUP, HEAD)}},
    {3, {OF(COMMON_PLURAL, NOUN_PEOPLE, HEAD), S(NOUN_PP, "nmod")}},
    {3, {OF(NATION_GROUP, NOUN_GROUP, HEAD)}},
    {4, {OF(COMMON_PLURAL, NOUN_PEOPLE, HEAD), S(THAT_WHICH, "acl")}},
    {6, {OF(COMMON_PLURAL, NOUN_PEOPLE, HEAD), OF(AND_PLURAL, NOUN_PEOPLE, "conj")}},
    {2, {OF(BASE, NOUN_TOPIC, HEAD), S(TOPIC_PP, "nmod")}},
};

static const struct production common_plural[] = {
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
    {2, {LC("about", "IN", PP, "advmod"), NUM(COUNT_FIGURE, "nummod"), SLOT_AS("NNS", HEAD)}},
};

static const struct production and_plural[] = {
    {3, {L("and", "CC", "cc"), S(COMMON_PLURAL, HEAD)}},
};

static const struct production and_base[] = {{1, {L("and", "CC", "cc"), S(BASE, HEAD)}}};

static const struct production object[] = {
    {6, {OF(BASE, NOUN_THING, HEAD)}},
    {5, {OF(BASE, NOUN_THING, HEAD), S(NOUN_PP, "nmod")}},
    {5, {OF(BASE, NOUN_TOPIC, HEAD), S(TOPIC_PP, "nmod")}},
    {2, {OF(BASE, NOUN_THING, HEAD), S(THAT_WHICH, "acl")}},
    {1, {S(PRODUCT_PHRASE, HEAD)}},
    {5, {OF(FIGURES, NOUN_THING, HEAD), OF(AND_PLURAL, NOUN_THING, "conj")}},
    {3, {OF(FIGURES, NOUN_THING, HEAD)}},
};

static const struct production base[] = {
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
    {2, {L("the", "DT", "det"), W(PAST_MODIFIER, "JJ", "amod"), SLOT_AS("NN", HEAD)}},
};

static const struct production pact[] = {{1, {OF(BASE, NOUN_THING, HEAD), S(WITH_NATION, "nmod")}}};

static const struct production sum[] = {{1, {OF(BASE, NOUN_FIGURE, HEAD), S(OF_MONEY, "nmod")}}};

static const struct production base_in_place[] = {{1, {S(BASE, HEAD), S(IN_PLACE, "nmod")}}};

static const struct production its[] = {
    {3, {L("its", "PRP$", "nmod:poss"), SLOT_AS("NN", HEAD)}},
    {2, {L("its", "PRP$", "nmod:poss"), W(ADJECTIVE, "JJ", "amod"), SLOT_AS("NN", HEAD)}},
};

static const struct production border[] = {{1, {OF(ITS, NOUN_SITE, HEAD), S(WITH_NATION, "nmod")}}};

static const struct production figures[] = {
    {6, {SLOT_AS("NNS", HEAD)}},
    {4, {W(NOUN_MODIFIER, "NN", "compound"), SLOT_AS("NNS", HEAD)}},
    {2, {W(ADJECTIVE, "JJ", "amod"), SLOT_AS("NNS", HEAD)}},
    {2, {S(DEMONYM, "amod"), SLOT_AS("NNS", HEAD)}},
    {2, {S(FIRM_ONE, "compound"), SLOT_AS("NNS", HEAD)}},
    {2, {W(PAST_MODIFIER, "JJ", "amod"), SLOT_AS("NNS", HEAD)}},
    {2, {W(PAST_MODIFIER, "VBN", "amod"), SLOT_AS("NNS", HEAD)}},
    {1, {W(NOUN_FIGURE, "NNS", "compound"), SLOT_AS("NNS", HEAD)}},
    {5, {SLOT_AS("NNS", HEAD), L_TO("and", "CC", "cc", 3), SLOT_AS("NNS", "conj")}},
};

static const struct production figures_and[] = {{1, {S(FIGURES, HEAD), S(AND_PLURAL, "conj")}}};

static const struct production figures_percent[] = {{1, {S(FIGURES, HEAD), S(PERCENT, "nmod")}}};

static const struct production figures_in_place[] = {{1, {S(FIGURES, HEAD), S(IN_PLACE, "nmod")}}};

static const struct production owner[] = {
    {6, {S(NATION, HEAD), L("'s", "POS", "case")}},
    {4, {S(LAST_NAME, HEAD), L("'s", "POS", "case")}},
    {3, {S(FIRM_ONE, HEAD), L("'s", "POS", "case")}},
    {2, {S(CITY, HEAD), L("'s", "POS", "case")}},
};

static const struct production goals_scored[] = {
    {1, {W(NUMBER_WORD, "CD", "nummod"), L("goals", "NNS", HEAD)}},
    {1, {L("a", "DT", "det"), W(ADJECTIVE, "JJ", "amod"), L("goal", "NN", HEAD)}},
};

static const struct production product_phrase[] = {
    {1, {L("a", "DT", "det"), S(PRODUCT, HEAD)}},
    {1, {L("a", "DT", "det"), S(FIRM_ONE, "compound"), L("car", "NN", HEAD)}},
    {1, {L("the", "DT", "det"), S(EVENT, HEAD)}},
};

static const struct production money[] = {
    {2, {L("$", "$", HEAD), NUM(DECIMAL, "nummod"), L("million", "CD", "flat")}},
    {1, {NUM(DECIMAL, "nummod"), L("million", "CD", "nummod"), L("dollars", "NNS", HEAD)}},
};

static const struct production percent[] = {
    {3, {NUM(DECIMAL, "nummod"), L("percent", "NN", HEAD)}},
    {1, {L("about", "RB", "advmod"), NUM(DECIMAL, "nummod"), L("percent", "NN", HEAD)}},
    {1, {L("about", "IN", "advmod"), NUM(DECIMAL, "nummod"), L("percent", "NN", HEAD)}},
    {1, {LC("about", "IN", PP, "advmod"), NUM(DECIMAL, "nummod"), L("percent", "NN", HEAD)}},
};

/* Prepositional phrases. Only the preferences of verbs and nouns tell them apart. */

static const struct production verb_pp[] = {
    {5, {P("in"), S(PLACE_PHRASE, HEAD)}},     {4, {P("after"), OF(BASE, NOUN_EVENT, HEAD)}},
    {3, {P("at"), OF(BASE, NOUN_SITE, HEAD)}}, {2, {P("with"), S(ANYONE, HEAD)}},
    {2, {P("for"), S(ANYONE, HEAD)}},          {2, {P("before"), S(EVENT_PHRASE, HEAD)}},
};

static const struct production noun_pp[] = {
    {5, {P("in"), S(PLACE_PHRASE, HEAD)}},
    {3, {P("of"), S(ANYONE, HEAD)}},
    {4, {P("for"), S(ANYONE, HEAD)}},
    {4, {P("from"), S(PLACE_PHRASE, HEAD)}},
    {3, {P("with"), S(ANYONE, HEAD)}},
    {2, {P("at"), S(FIRM_PHRASE, HEAD)}},
    {1, {P("after"), OF(BASE, NOUN_EVENT, HEAD)}},
};

static const struct production topic_pp[] = {
    {4, {P("on"), OF(FIGURES, NOUN_FIGURE, HEAD)}},
    {4, {P("about"), S(ANYONE, HEAD)}},
    {3, {P("on"), S(ANYONE, HEAD)}},
    {2, {P("in"), S(PLACE_PHRASE, HEAD)}},
};

static const struct production either_pp[] = {
    {5, {P("in"), S(PLACE_PHRASE, HEAD)}},
    {4, {P("for"), S(ANYONE, HEAD)}},
    {4, {P("with"), S(ANYONE, HEAD)}},
    {3, {P("from"), S(ANYONE, HEAD)}},
    {3, {P("against"), S(ANYONE, HEAD)}},
    {3, {P("at"), OF(BASE, NOUN_SITE, HEAD)}},
    {3, {P("after"), OF(BASE, NOUN_EVENT, HEAD)}},
    {2, {P("on"), OF(FIGURES, NOUN_FIGURE, HEAD)}},
    {2, {P("about"), S(ANYONE, HEAD)}},
    {2, {P("before"), S(EVENT_PHRASE, HEAD)}},
};

static const struct production on_figures[] = {
    {3, {P("on"), OF(FIGURES, NOUN_FIGURE, HEAD)}},
    {1, {P("about"), OF(FIGURES, NOUN_FIGURE, HEAD)}},
};

static const struct production by_anyone[] = {{1, {P("by"), S(ANYONE, HEAD)}}};
static const struct production for_team[] = {{1, {P("for"), S(TEAM_PHRASE, HEAD)}}};
static const struct production from_team[] = {{1, {P("from"), S(TEAM_PHRASE, HEAD)}}};
static const struct production in_event[] = {{1, {P("in"), S(EVENT_PHRASE, HEAD)}}};
static const struct production with_nation[] = {{1, {P("with"), S(NATION_PHRASE, HEAD)}}};
static const struct production of_firm[] = {{1, {P("of"), S(FIRM_PHRASE, HEAD)}}};
static const struct production of_city[] = {{1, {P("of"), S(CITY_PHRASE, HEAD)}}};
static const struct production of_cause[] = {{1, {P("of"), WC(NOUN_CAUSE, "NN", NP, HEAD)}}};
static const struct production of_money[] = {{1, {P("of"), S(MONEY, HEAD)}}};
static const struct production for_money[] = {{1, {P("for"), S(MONEY, HEAD)}}};

static const struct production to_place[] = {
    {3, {TO, S(PLACE_PHRASE, HEAD)}},
    {1, {TO, OF(BASE, NOUN_SITE, HEAD)}},
    {1, {TO, S(ANYONE, HEAD)}},
};

static const struct production in_place[] = {
    {8, {P("in"), S(PLACE_PHRASE, HEAD)}},
    {2, {P("near"), S(PLACE_PHRASE, HEAD)}},
    {2, {P("at"), OF(BASE, NOUN_SITE, HEAD)}},
    {1, {P("at"), S(FIRM_PHRASE, HEAD)}},
};

static const struct production particle_place[] = {
    {1, {WC(PARTICLE, "IN", PP, "case"), OF(BASE, NOUN_SITE, HEAD)}},
};

static const struct production when[] = {
    {8, {P("on"), WC(WEEKDAY, "NNP", NP, HEAD)}},
    {3, {P("in"), WC(MONTH, "NNP", NP, HEAD)}},
    {3, {P("in"), NUMC(YEAR, HEAD)}},
    {2, {P("on"), S(DAY_PHRASE, HEAD)}},
    {3, {S(LAST_WEEK, HEAD)}},
    {3, {WC(WEEKDAY, "NNP", NP, HEAD)}},
};

static const struct production day_phrase[] = {{1, {W(MONTH, "NNP", HEAD), NUM(DAY, "nummod")}}};
static const struct production last_week[] = {
    {2, {L("last", "JJ", "amod"), L("week", "NN", HEAD)}},
    {1, {L("this", "DT", "det"), L("year", "NN", HEAD)}},
    {1, {L("last", "JJ", "amod"), W(MONTH, "NNP", HEAD)}},
};

static const struct production front_time[] = {
    {3, {S(WHEN, HEAD)}},
    {2, {P("after"), OF(BASE, NOUN_EVENT, HEAD)}},
    {2, {P("in"), S(CITY_PHRASE, HEAD)}},
};

/* Entities. */

static const struct production full_name[] = {
    {20, {N(ROLE_GIVEN, HEAD), N(ROLE_FAMILY, "flat")}},
    {2, {N(ROLE_GIVEN, HEAD), {FIGURE, INITIAL, NO_CHUNK, "flat", NULL, "NNP", 0}, N(ROLE_FAMILY, "flat")}},
    {1, {N(ROLE_GIVEN, HEAD), L("de", "NNP", "flat"), N(ROLE_FAMILY, "flat")}},
    {1, {{FIGURE, INITIAL, NO_CHUNK, HEAD, NULL, "NNP", 0}, N(ROLE_FAMILY, "flat")}},
};

static const struct production last_name[] = {
    {12, {N(ROLE_FAMILY, HEAD)}},
    {1, {N(ROLE_GIVEN, HEAD)}},
};

static const struct production city[] = {
    {16, {N(ROLE_CITY, HEAD)}},
    {2, {W(PLACE_PREFIX, "NNP", HEAD), N(ROLE_CITY, "flat")}},
    {2, {N(ROLE_CITY, HEAD), W(PLACE_SUFFIX, "NNP", "flat")}},
};

static const struct production nation[] = {{1, {N(ROLE_NATION, HEAD)}}};

static const struct production firm_one[] = {
    {6, {N(ROLE_FIRM, HEAD)}},
    {1, {{FIGURE, ACRONYM, NO_CHUNK, HEAD, NULL, "NNP", 0}}},
};

static const struct production firm[] = {
    {10, {N(ROLE_FIRM, HEAD)}},
    {7, {N(ROLE_FIRM, HEAD), W(FIRM_SUFFIX, "NNP", "flat")}},
    {2, {N(ROLE_FAMILY, HEAD), L("&", "CC", "flat"), N(ROLE_FAMILY, "flat")}},
    {1, {N(ROLE_FAMILY, HEAD), L("and", "CC", "flat"), N(ROLE_FAMILY, "flat")}},
    {2, {N(ROLE_CITY, HEAD), W(FIRM_TRADE, "NNP", "flat")}},
    {1, {N(ROLE_GIVEN, HEAD), N(ROLE_FAMILY, "flat"), W(FIRM_SUFFIX, "NNP", "flat")}},
    {1, {L("Bank", "NNP", HEAD), S(OF_CITY, "nmod")}},
    {1, {L("University", "NNP", HEAD), S(OF_CITY, "nmod")}},
    {2, {{FIGURE, ACRONYM, NO_CHUNK, HEAD, NULL, "NNP", 0}}},
};

static const struct production team[] = {
    {6, {N(ROLE_TEAM, HEAD)}},
    {3, {N(ROLE_CITY, HEAD), W(TEAM_SUFFIX, "NNP", "flat")}},
};

static const struct production body[] = {{1, {W(FIXED_BODY, "NNP", HEAD)}}};

static const struct production event[] = {
    {3, {W(FIXED_EVENT, "NNP", HEAD)}},
    {2, {N(ROLE_CITY, HEAD), W(EVENT_SUFFIX, "NNP", "flat")}},
    {1, {N(ROLE_FAMILY, HEAD), W(EVENT_SUFFIX, "NNP", "flat")}},
    {1, {{NAME, ROLE_DEMONYM, NO_CHUNK, HEAD, NULL, "JJ", 0}, W(EVENT_SUFFIX, "NNP", "flat")}},
    {1, {N(ROLE_DEMONYM, HEAD), W(EVENT_SUFFIX, "NNP", "flat")}},
};

static const struct production demonym[] = {{1, {{NAME, ROLE_DEMONYM, NO_CHUNK, HEAD, NULL, "JJ", 0}}}};
static const struct production product[] = {{1, {N(ROLE_FIRM, HEAD), W(MODEL, "NNP", "flat")}}};

#define RULES(symbol, list, chunk, entity) [symbol] = {list, (uint32_t)(sizeof(list) / sizeof *(list)), chunk, entity},

static const struct symbol_rules rules[SYMBOLS] = {SYMBOL_LIST(RULES)};

const struct symbol_rules *symbol_rules(enum symbol symbol)
{
    return &rules[symbol];
}

const char *const chunk_label[CHUNK_TYPES][2] = {
    {"O", "O"},           {"B-NP", "I-NP"},     {"B-VP", "I-VP"},     {"B-PP", "I-PP"},
    {"B-ADJP", "I-ADJP"}, {"B-ADVP", "I-ADVP"}, {"B-SBAR", "I-SBAR"}, {"B-PRT", "I-PRT"},
};
const char *const entity_label[ENTITY_TYPES][2] = {
    {"O", "O"}, {"B-PER", "I-PER"}, {"B-LOC", "I-LOC"}, {"B-ORG", "I-ORG"}, {"B-MISC", "I-MISC"},
};
