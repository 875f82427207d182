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

/* Parts that many productions have. */
#define H(symbol) S(symbol, HEAD)
#define DET(form) L(form, "DT", "det")
#define POSS(form) L(form, "PRP$", "nmod:poss")
#define OWNS L("'s", "POS", "case")
#define PRONOUN(form) LC(form, "PRP", NP, "nsubj")
#define RELATIVE(form, tag) LC(form, tag, NP, "nsubj")
#define AND L("and", "CC", "cc")
#define AND_THIRD L_TO("and", "CC", "cc", 3)
#define ONE SLOT_AS("NN", HEAD)
#define MANY SLOT_AS("NNS", HEAD)
#define THING(relation) OF(BASE, NOUN_THING, relation)
#define TOPIC(relation) OF(BASE, NOUN_TOPIC, relation)
#define SITE(relation) OF(BASE, NOUN_SITE, relation)
#define PEOPLE(relation) OF(COMMON_PLURAL, NOUN_PEOPLE, relation)
#define THINGS(relation) OF(FIGURES, NOUN_THING, relation)
#define PRICES(relation) OF(FIGURES, NOUN_FIGURE, relation)
#define ADJ W(ADJECTIVE, "JJ", "amod")
#define PARTICIPLE(tag) W(PAST_MODIFIER, tag, "amod")
#define MODIFIER(to) W_TO(NOUN_MODIFIER, "NN", "compound", to)
#define DECIMALS NUM(DECIMAL, "nummod")
#define COUNTED NUM(COUNT_FIGURE, "nummod")
#define DOES(class) OF(VERB_GROUP, class, HEAD)
#define DID(class) WC(class, "VBD", VP, HEAD)
#define PAST(form) LC(form, "VBD", VP, HEAD)
#define AUX(form) L(form, "VBD", "aux")
#define MAY W(MODAL, "MD", "aux")
#define SUFFIX(class) W(class, "NNP", "flat")
#define LETTERS(kind, relation) PART(FIGURE, kind, NO_CHUNK, relation, NULL, "NNP", 0)
#define NATIONAL PART(NAME, ROLE_DEMONYM, NO_CHUNK, HEAD, NULL, "JJ", 0)

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
        {50, {H(CLAUSE), STOP}}, {7, {S(FRONT_TIME, "obl"), COMMA, H(CLAUSE), STOP}},
        {6, {L("``", "``", "punct"), S(SAID_CLAUSE, "ccomp"), COMMA, L("''", "''", "punct"), DID(VERB_SAY),
             S(PERSON, "nsubj"), STOP}},
        {5, {S(SAID_CLAUSE, "ccomp"), COMMA, S(ANYONE, "nsubj"), PAST("said"), STOP}},
        {4, {S(SAID_CLAUSE, "ccomp"), COMMA, S(COMMON, "nsubj"), PAST("said"), S(WHEN, "obl"), STOP}},
        {8, {H(CLAUSE), COMMA, S(BUT_CLAUSE, "conj"), STOP}}, {3, {H(CITY_PHRASE), NUMC(DATE, "nummod")}},
        {3, {NUMC(PLACING, "dep"), H(PERSON), L("(", "(", "punct"), S(NATION_PHRASE, "appos"), L(")", ")", "punct"),
             NUMC(TIME_TAKEN, "dep")}},
        {3, {H(TEAM_GOALS), S(TEAM_GOALS, "list")}}, {9, {H(HEADLINE), STOP}},
        {7, {H(SPORT), STOP}}),
    [CLAUSE] = RULES(
        {12, {S(PERSON_SUBJECT, "nsubj"), H(PERSON_VP)}}, {13, {S(FIRM_SUBJECT, "nsubj"), H(FIRM_VP)}},
        {9, {S(NATION_SUBJECT, "nsubj"), H(NATION_VP)}}, {9, {S(ANYONE, "nsubj"), H(ANYONE_VP)}},
        {17, {S(COMMON, "nsubj"), H(COMMON_VP)}}, {8, {H(MARKET)}}, {5, {H(INCIDENT)}},
        {4, {PEOPLE("nsubj"), WC(VERB_ACT, "VBP", VP, HEAD), S(OBJECT, "obj")}},
        {4, {PEOPLE("nsubj"), WC(VERB_ACT, "VBP", VP, HEAD), THINGS("obj")}}),
    [BUT_CLAUSE] = RULES({6, {L("but", "CC", "cc"), H(CLAUSE)}}, {4, {AND, H(CLAUSE)}}),
    [THAT_CLAUSE] = RULES({5, {H(SAID_CLAUSE)}}, {5, {LC("that", "IN", SBAR, "mark"), H(SAID_CLAUSE)}}),
    [AFTER_CLAUSE] = RULES(
        {5, {LC("after", "IN", SBAR, "mark"), H(SAID_CLAUSE)}}, {3, {LC("before", "IN", SBAR, "mark"), H(SAID_CLAUSE)}},
        {3, {LC("after", "IN", PP, "mark"), WC(VERB_MEET, "VBG", VP, HEAD), S(ANYONE, "obj")}},
        {2, {LC("before", "IN", PP, "mark"), WC(VERB_ACT, "VBG", VP, HEAD), THINGS("obj")}}),
    /* What is said: shorter than a sentence, and not again reported. */
    [SAID_CLAUSE] = RULES(
        {6, {S(COMMON, "nsubj"), H(ACT_VP)}}, {4, {H(MARKET)}}, {3, {S(ANYONE, "nsubj"), H(ACT_VP)}},
        {3, {S(PERSON, "nsubj"), DOES(VERB_PERSON), S(WHEN, "obl")}},
        {3, {TOPIC("nsubj:pass"), OF(PASSIVE, VERB_ACT, HEAD), S(BY_ANYONE, "obl")}},
        {2, {PRONOUN("it"), LC("'s", "VBZ", VP, "cop"), THING(HEAD), S(TOPIC_PP, "nmod")}}),
    [PERSON_SAID] = RULES(
        {5, {PRONOUN("he"), H(ACT_VP)}}, {4, {PRONOUN("she"), H(ACT_VP)}},
        {3, {PRONOUN("he"), LC("was", "VBD", VP, "cop"), H(STATE)}},
        {3, {PRONOUN("she"), OF(WILL_VERB, VERB_MEET, HEAD), S(ANYONE, "obj")}}, {4, {H(THAT_CLAUSE)}}),
    [FIRM_SAID] = RULES(
        {5, {PRONOUN("it"), H(ACT_VP)}}, {5, {PRICES("nsubj"), DOES(VERB_MOVE), S(PERCENT, "obl")}},
        {3, {OF(ITS, NOUN_FIGURE, "nsubj"), DOES(VERB_MOVE)}}, {4, {H(THAT_CLAUSE)}}),
    [HEADLINE] = RULES(
        {5, {S(ANYONE, "nsubj"), WC(VERB_ACT, "VBZ", VP, HEAD), THINGS("obj")}},
        {3, {S(FIRM_PHRASE, "nsubj"), WC(VERB_ACT, "VBZ", VP, HEAD), OF(FIGURES_IN_PLACE, NOUN_THING, "obj")}},
        {3, {S(PERSON, "nsubj"), WC(VERB_MEET, "VBZ", VP, HEAD), S(ANYONE, "obj")}},
        {3, {S(NATION_PHRASE, "nsubj"), WC(VERB_MEET, "VBZ", VP, HEAD), S(NATION_PHRASE, "obj"), S(VERB_PP, "obl")}},
        {3, {THINGS("nsubj"), PAST("hit"), S(ANYONE, "obj")}},
        {2, {H(FIRM_PHRASE), L("--", ":", "punct"), OF(FIGURES_PERCENT, NOUN_FIGURE, "parataxis")}},
        {4, {THINGS("nsubj"), LC("hit", "VBP", VP, HEAD), PRICES("obj")}},
        {3, {PEOPLE("nsubj"), WC(VERB_ACT, "VBP", VP, HEAD), THINGS("obj"), S(AFTER_CLAUSE, "advcl")}}),
    [MARKET] = RULES(
        {5, {PRICES("nsubj"), DOES(VERB_MOVE), S(PERCENT, "obl")}},
        {4, {PRICES("nsubj"), DOES(VERB_MOVE), S(PERCENT, "obl"), S(WHEN, "obl")}},
        {3, {S(FIRM_PHRASE, "nsubj"), DOES(VERB_MOVE), S(PERCENT, "obl"), S(IN_PLACE, "obl")}},
        {4, {S(FIRM_SHARES, "nsubj"), DOES(VERB_MOVE), S(PERCENT, "obl"), S(IN_PLACE, "obl")}},
        {3, {PRICES("nsubj"), LC("were", "VBD", VP, "cop"), LC("up", "RB", ADVP, HEAD), S(PERCENT, "obl:npmod"),
             S(WHEN, "obl")}},
        {3, {PRICES("nsubj"), DOES(VERB_MOVE), S(PERCENT, "obl"), WC(ADVERB, "RB", ADVP, "advmod"), S(WHEN, "obl")}},
        {4, {OF(FIGURES_AND, NOUN_FIGURE, "nsubj"), DOES(VERB_MOVE), S(PERCENT, "obl"), S(WHEN, "obl")}}),
    [SPORT] = RULES(
        {7, {S(TEAM_PHRASE, "nsubj"), DID(VERB_BEAT), S(TEAM_PHRASE, "obj"), NUMC(GOAL_SCORE, "obl")}},
        {5, {S(PERSON, "nsubj"), DID(VERB_BEAT), S(PERSON, "obj"), NUMC(SET_SCORE, "obl"), NUMC(SET_SCORE, "obl"),
             S(IN_EVENT, "obl")}},
        {3, {S(NATION_PHRASE, "nsubj"), DID(VERB_BEAT), S(NATION_PHRASE, "obj"), NUMC(GOAL_SCORE, "obl"),
             S(WHEN, "obl")}},
        {4, {S(ANYONE, "nsubj"), DID(VERB_BEAT), S(ANYONE, "obj"), S(VERB_PP, "obl")}},
        {4, {S(PERSON, "nsubj"), PAST("scored"), S(GOALS_SCORED, "obj"), S(FOR_TEAM, "obl")}},
        {4, {S(PERSON, "nsubj"), PAST("joined"), S(TEAM_PHRASE, "obj"), S(FROM_TEAM, "obl"), S(WHEN, "obl")}}),
    [INCIDENT] = RULES(
        {5, {OF(BASE, NOUN_DISASTER, "nsubj"), PAST("killed"), PEOPLE("obj"), S(IN_PLACE, "obl")}},
        {4, {PEOPLE("nsubj:pass"), OF(PASSIVE, VERB_ACT, HEAD), S(IN_PLACE, "obl"), S(WHEN, "obl")}},
        {3, {LC("police", "NNS", NP, "nsubj"), PAST("arrested"), S(PERSON, "obj"), S(IN_PLACE, "obl")}},
        {3, {PEOPLE("nsubj"), PAST("fled"), S(PLACE_PHRASE, "obj"), LC_TO("after", "IN", SBAR, "mark", 5),
             S(CLAUSE, "advcl")}}),
    /* Verb phrases. */
    [PERSON_VP] = RULES(
        {4, {DOES(VERB_PERSON), S(WHEN, "obl")}}, {3, {DOES(VERB_PERSON), S(IN_PLACE, "obl")}},
        {4, {DOES(VERB_GO), S(TO_PLACE, "obl"), S(WHEN, "obl")}}, {7, {PAST("said"), S(PERSON_SAID, "ccomp")}},
        {4, {PAST("told"), LC("reporters", "NNS", NP, "iobj"), S(THAT_CLAUSE, "ccomp")}},
        {3, {H(BORN), S(IN_PLACE, "obl"), S(WHEN, "obl")}}, {6, {H(ACT_VP)}},
        {3, {DID(VERB_MEET), LC("her", "PRP", NP, "obj"), S(VERB_PP, "obl")}},
        {3, {PAST("accused"), S(ANYONE, "obj"), S(OF_CAUSE, "obl"), S(WHEN, "obl")}},
        {2, {PAST("told"), PEOPLE("iobj"), S(THAT_CLAUSE, "ccomp")}}),
    [FIRM_VP] = RULES(
        {5, {DOES(VERB_FIRM), S(FIRM_PHRASE, "obj")}},
        {3, {DOES(VERB_FIRM), S(FIRM_PHRASE, "obj"), S(FOR_MONEY, "obl")}}, {6, {PAST("said"), S(FIRM_SAID, "ccomp")}},
        {4, {PAST("reported"), S(SUM, "obj")}}, {4, {DOES(VERB_SEND), PEOPLE("obj"), S(TO_PLACE, "obl")}},
        {3, {DOES(VERB_ACT), OF(BASE_IN_PLACE, NOUN_SITE, "obj")}}, {5, {H(ACT_VP)}}),
    [NATION_VP] = RULES(
        {4, {PAST("closed"), S(BORDER, "obj")}}, {4, {PAST("signed"), S(PACT, "obj")}},
        {4, {DOES(VERB_SEND), PEOPLE("obj"), S(TO_PLACE, "obl")}},
        {4, {OF(WILL_VERB, VERB_ACT, HEAD), OF(BASE, NOUN_EVENT, "obj"), S(WHEN, "obl")}}, {5, {H(ACT_VP)}}),
    [ANYONE_VP] = RULES(
        {6, {H(ACT_VP)}}, {4, {PAST("said"), S(THAT_CLAUSE, "ccomp")}}, {3, {DOES(VERB_MEET), S(ANYONE, "obj")}},
        {2, {DOES(VERB_MEET), S(ANYONE, "obj"), S(WHEN, "obl")}}, {2, {S(BE, "cop"), H(STATE)}},
        {2, {PAST("backed"), LC("down", "RP", PRT, "compound:prt"), S(WHEN, "obl")}}),
    [COMMON_VP] = RULES(
        {5, {H(ACT_VP)}}, {4, {DOES(VERB_MEET), S(ANYONE, "obj")}}, {3, {DOES(VERB_SAY), S(THAT_CLAUSE, "ccomp")}},
        {3, {DOES(VERB_MEET), S(PERSON, "obj"), S(WHEN, "obl")}}, {2, {PAST("remained"), S(STATE, "xcomp")}},
        {2, {PAST("called"), LC("off", "RP", PRT, "compound:prt"), OF(BASE_IN_PLACE, NOUN_EVENT, "obj")}},
        {2, {OF(PASSIVE, VERB_ACT, HEAD), S(BY_ANYONE, "obl")}}),
    /* A verb and its object, with the phrase that may belong to either. */
    [ACT_VP] = RULES(
        {4, {DOES(VERB_ACT), S(OBJECT, "obj")}}, {7, {DOES(VERB_ACT), S(OBJECT, "obj"), S(VERB_PP, "obl")}},
        {3, {DOES(VERB_SEND), THING("obj"), S(TO_PLACE, "obl")}},
        {2, {DOES(VERB_ACT), S(OBJECT, "obj"), S(WHEN, "obl")}}, {2, {PAST("agreed"), S(TO_ACT, "xcomp")}},
        {3, {PAST("planned"), S(TO_ACT, "xcomp")}}, {3, {DOES(VERB_ACT), S(OBJECT, "obj"), S(AFTER_CLAUSE, "advcl")}},
        {8, {WC(ADVERB, "RB", ADVP, "advmod"), DID(VERB_ACT), S(OBJECT, "obj")}},
        {3, {DOES(VERB_TURN), WC(PARTICLE, "RP", PRT, "compound:prt"), THING("obj")}},
        {1, {DOES(VERB_TURN), WC(PARTICLE, "RP", PRT, "compound:prt"), SITE("obj")}},
        {3, {DOES(VERB_TURN), S(PARTICLE_PLACE, "obl")}}, {2, {PAST("offered"), PEOPLE("iobj"), PRICES("obj")}}),
    [TO_ACT] = RULES(
        {2, {OF(TO_VERB, VERB_ACT, HEAD), S(OBJECT, "obj")}},
        {1, {OF(TO_VERB, VERB_ACT, HEAD), S(OBJECT, "obj"), S(VERB_PP, "obl")}}),
    [AND_ACT] = RULES({2, {AND, DID(VERB_ACT), THING("obj")}}, {1, {AND, DID(VERB_ACT), THINGS("obj")}}),
    [AND_MEET] = RULES({2, {AND, DID(VERB_MEET), S(ANYONE, "obj")}}, {1, {AND, DID(VERB_GO), S(TO_PLACE, "obl")}}),
    [VERB_GROUP] = CHUNK(VP,
        {26, {SLOT_AS("VBD", HEAD)}}, {4, {AUX("had"), SLOT_AS("VBN", HEAD)}}, {5, {MAY, SLOT_AS("VB", HEAD)}},
        {8, {W(ADVERB, "RB", "advmod"), SLOT_AS("VBD", HEAD)}},
        {3, {AUX("planned"), L("to", "TO", "mark"), SLOT_AS("VB", HEAD)}},
        {2, {AUX("had"), L("to", "TO", "mark"), SLOT_AS("VB", HEAD)}},
        {2, {AUX("did"), L("not", "RB", "advmod"), SLOT_AS("VB", HEAD)}},
        {2, {MAY, L("not", "RB", "advmod"), SLOT_AS("VB", HEAD)}}),
    [PASSIVE] = CHUNK(VP,
        {4, {AUX("had"), L("been", "VBN", "aux:pass"), SLOT_AS("VBN", HEAD)}},
        {3, {MAY, L("be", "VB", "aux:pass"), SLOT_AS("VBN", HEAD)}}),
    [TO_VERB] = CHUNK(VP, {1, {L("to", "TO", "mark"), SLOT_AS("VB", HEAD)}}),
    [WILL_VERB] = CHUNK(VP, {1, {MAY, SLOT_AS("VB", HEAD)}}),
    [BE] = CHUNK(VP, {4, {L("was", "VBD", HEAD)}}, {1, {AUX("had"), L("been", "VBN", HEAD)}}),
    [STATE] = CHUNK(ADJP,
        {4, {W(ADJECTIVE_STATE, "JJ", HEAD)}}, {1, {L("more", "RBR", "advmod"), W(ADJECTIVE_STATE, "JJ", HEAD)}},
        {1, {L("very", "RB", "advmod"), W(ADJECTIVE_STATE, "JJ", HEAD)}}),
    [BORN] = CHUNK(VP, {1, {L("was", "VBD", "aux:pass"), L("born", "VBN", HEAD)}}),
    /* Noun phrases with names. */
    [PERSON] = CHUNK(NP,
        {28, {H(FULL_NAME)}}, {20, {H(LAST_NAME)}}, {10, {W(TITLE, "NNP", "compound"), H(LAST_NAME)}},
        {5, {W(TITLE, "NNP", "compound"), H(FULL_NAME)}}, {10, {W(NOUN_ROLE, "NN", "compound"), H(FULL_NAME)}},
        {4, {W(NOUN_ROLE, "NN", "compound"), H(LAST_NAME)}},
        {5, {S(DEMONYM, "amod"), W(NOUN_ROLE, "NN", "compound"), H(FULL_NAME)}},
        {4, {S(FIRM_ONE, "compound"), W(NOUN_ROLE, "NN", "compound"), H(FULL_NAME)}},
        {3, {S(TEAM, "compound"), W(NOUN_ROLE, "NN", "compound"), H(LAST_NAME)}},
        {3, {S(FIRM_ONE, "compound"), W(TITLE, "NNP", "compound"), H(FULL_NAME)}},
        {3, {S(NATION, "compound"), W(TITLE, "NNP", "compound"), H(FULL_NAME)}}),
    [PERSON_SUBJECT] = RULES(
        {26, {H(PERSON)}}, {4, {H(PERSON), COMMA, S(AGE_PHRASE, "amod"), COMMA}},
        {4, {H(PERSON), COMMA, S(WHO, "acl:relcl"), COMMA}}, {5, {H(PERSON), COMMA, S(ROLE_OF, "appos"), COMMA}},
        {6, {H(PERSON), S(AND_PERSON, "conj")}}),
    [ROLE_OF] = RULES(
        {3, {OF(BASE, NOUN_ROLE, HEAD), S(OF_FIRM, "nmod")}}, {2, {OF(BASE, NOUN_ROLE, HEAD), S(OF_CITY, "nmod")}},
        {2, {OF(BASE, NOUN_ROLE, HEAD)}}),
    [WHO] = RULES(
        {3, {RELATIVE("who", "WP"), DOES(VERB_PERSON), S(WHEN, "obl")}},
        {3, {RELATIVE("who", "WP"), DOES(VERB_ACT), THING("obj")}},
        {2, {RELATIVE("who", "WP"), DOES(VERB_GO), S(TO_PLACE, "obl")}}),
    [WHICH] = RULES(
        {3, {RELATIVE("which", "WDT"), DOES(VERB_ACT), THING("obj")}},
        {2, {RELATIVE("which", "WDT"), DOES(VERB_FIRM), S(FIRM_PHRASE, "obj")}}),
    [THAT_WHICH] = RULES(
        {3, {RELATIVE("that", "WDT"), DOES(VERB_ACT), THING("obj")}},
        {2, {WC(VERB_ACT, "VBN", VP, HEAD), S(BY_ANYONE, "obl")}},
        {1, {LC("accused", "VBN", VP, HEAD), S(OF_CAUSE, "obl")}},
        {3, {WC(VERB_ACT, "VBN", VP, HEAD), S(IN_PLACE, "obl")}}),
    [AND_PERSON] = RULES({1, {AND, H(PERSON)}}),
    [AND_PLACE] = RULES({1, {AND, H(CITY_PHRASE)}}),
    [AGE_PHRASE] = CHUNK(NP, {1, {NUM(AGE, HEAD)}}),
    [FIRM_PHRASE] = CHUNK(NP,
        {26, {H(FIRM)}}, {5, {DET("the"), H(BODY)}}, {3, {S(DEMONYM, "amod"), L("firm", "NN", "compound"), H(FIRM)}},
        {2, {S(FIRM, "compound"), MODIFIER(0), L("unit", "NN", HEAD)}}),
    [FIRM_SHARES] = CHUNK(NP, {1, {S(FIRM, "compound"), L("shares", "NNS", HEAD)}}),
    [FIRM_SUBJECT] = RULES(
        {20, {H(FIRM_PHRASE)}}, {3, {H(FIRM_PHRASE), COMMA, S(WHICH, "acl:relcl"), COMMA}},
        {3, {H(FIRM_PHRASE), COMMA, OF(BASE_IN_PLACE, NOUN_GROUP, "appos"), COMMA}}),
    [NATION_PHRASE] = CHUNK(NP, {16, {H(NATION)}}, {2, {W(REGION, "JJ", "amod"), H(NATION)}}),
    [NATION_SUBJECT] = RULES(
        {10, {H(NATION_PHRASE)}}, {4, {OF(NATION_GROUP, NOUN_GROUP, HEAD)}}, {3, {H(BODY_PHRASE)}}),
    [BODY_PHRASE] = CHUNK(NP, {1, {DET("the"), H(BODY)}}),
    [NATION_GROUP] = CHUNK(NP,
        {4, {DET("the"), S(NATION, "compound"), ONE}}, {4, {DET("the"), S(DEMONYM, "amod"), ONE}},
        {3, {S(OWNER, "nmod:poss"), ONE}}),
    [CITY_PHRASE] = CHUNK(NP, {1, {H(CITY)}}),
    [PLACE_PHRASE] = RULES(
        {12, {H(CITY_PHRASE)}}, {6, {H(NATION_PHRASE)}}, {2, {H(CITY_PHRASE), COMMA, S(NATION_PHRASE, "appos")}},
        {2, {H(CITY_PHRASE), S(AND_PLACE, "conj")}},
        {1, {H(CITY_PHRASE), COMMA, S(CITY_PHRASE, "conj"), S(AND_PLACE, "conj")}},
        {2, {SITE(HEAD), S(OF_CITY, "nmod")}}),
    [TEAM_PHRASE] = CHUNK(NP, {1, {H(TEAM)}}),
    [TEAM_GOALS] = RULES({1, {H(TEAM_PHRASE), NUMC(GOALS, "nummod")}}),
    /* One bare name, of whatever sort. */
    [ANYONE] = CHUNK(NP,
        {32, {H(LAST_NAME)}}, {10, {H(FULL_NAME)}}, {18, {H(FIRM_ONE)}}, {16, {H(NATION)}}, {6, {H(TEAM)}},
        {6, {DET("the"), H(BODY)}}, {5, {DET("the"), W(NOUN_GROUP, "NN", HEAD)}},
        {5, {H(LAST_NAME), AND_THIRD, S(LAST_NAME, "conj")}}, {5, {H(NATION), AND_THIRD, S(NATION, "conj")}},
        {3, {H(FIRM_ONE), AND_THIRD, S(FIRM_ONE, "conj")}}),
    [EVENT_PHRASE] = CHUNK(NP,
        {4, {DET("the"), H(EVENT)}}, {2, {DET("the"), S(EVENT, "compound"), W(NOUN_EVENT, "NN", HEAD)}},
        {2, {DET("the"), W(NOUN_EVENT, "NN", HEAD)}}),
    /* Other noun phrases. */
    [COMMON] = RULES(
        {5, {PEOPLE(HEAD)}}, {5, {OF(BASE, NOUN_GROUP, HEAD)}}, {3, {PEOPLE(HEAD), S(NOUN_PP, "nmod")}},
        {3, {OF(NATION_GROUP, NOUN_GROUP, HEAD)}}, {4, {PEOPLE(HEAD), S(THAT_WHICH, "acl")}},
        {6, {PEOPLE(HEAD), OF(AND_PLURAL, NOUN_PEOPLE, "conj")}}, {2, {TOPIC(HEAD), S(TOPIC_PP, "nmod")}}),
    [COMMON_PLURAL] = CHUNK(NP,
        {6, {MANY}}, {4, {ADJ, MANY}}, {3, {COUNTED, MANY}}, {2, {L("about", "RB", "advmod"), COUNTED, MANY}},
        {2, {W(NUMBER_WORD, "CD", "nummod"), S(DEMONYM, "amod"), MANY}}, {2, {MODIFIER(0), MANY}},
        {2, {L("more", "JJR", "amod"), MANY}}, {5, {MANY, AND_THIRD, SLOT_AS("NNS", "conj")}},
        {2, {PARTICIPLE("JJ"), MANY}}, {2, {PARTICIPLE("VBN"), MANY}}, {1, {W(NOUN_FIGURE, "NNS", "compound"), MANY}},
        {1, {L("more", "JJR", "amod"), ADJ, MANY}}, {1, {L("more", "RBR", "advmod"), ADJ, MANY}},
        {1, {L("about", "IN", "advmod"), COUNTED, MANY}}, {2, {LC("about", "IN", PP, "advmod"), COUNTED, MANY}}),
    [AND_PLURAL] = RULES({3, {AND, H(COMMON_PLURAL)}}),
    [AND_BASE] = RULES({1, {AND, H(BASE)}}),
    [OBJECT] = RULES(
        {6, {THING(HEAD)}}, {5, {THING(HEAD), S(NOUN_PP, "nmod")}}, {5, {TOPIC(HEAD), S(TOPIC_PP, "nmod")}},
        {2, {THING(HEAD), S(THAT_WHICH, "acl")}}, {1, {H(PRODUCT_PHRASE)}},
        {5, {THINGS(HEAD), OF(AND_PLURAL, NOUN_THING, "conj")}}, {3, {THINGS(HEAD)}}),
    [BASE] = CHUNK(NP,
        {6, {DET("the"), ONE}}, {5, {DET("a"), ONE}}, {4, {DET("the"), ADJ, ONE}}, {4, {DET("a"), ADJ, ONE}},
        {2, {DET("that"), ONE}}, {2, {POSS("its"), ONE}}, {2, {POSS("her"), ONE}}, {4, {DET("a"), MODIFIER(0), ONE}},
        {2, {DET("a"), S(DEMONYM, "amod"), ONE}}, {3, {S(OWNER, "nmod:poss"), ONE}},
        {4, {DET("the"), MODIFIER(0), ONE}}, {2, {DET("the"), PARTICIPLE("VBN"), ONE}},
        {2, {DET("the"), PARTICIPLE("JJ"), ONE}}),
    [PACT] = RULES({1, {THING(HEAD), S(WITH_NATION, "nmod")}}),
    [SUM] = RULES({1, {OF(BASE, NOUN_FIGURE, HEAD), S(OF_MONEY, "nmod")}}),
    [BASE_IN_PLACE] = RULES({1, {H(BASE), S(IN_PLACE, "nmod")}}),
    [ITS] = CHUNK(NP, {3, {POSS("its"), ONE}}, {2, {POSS("its"), ADJ, ONE}}),
    [BORDER] = RULES({1, {OF(ITS, NOUN_SITE, HEAD), S(WITH_NATION, "nmod")}}),
    [FIGURES] = CHUNK(NP,
        {6, {MANY}}, {4, {MODIFIER(0), MANY}}, {2, {ADJ, MANY}}, {2, {S(DEMONYM, "amod"), MANY}},
        {2, {S(FIRM_ONE, "compound"), MANY}}, {2, {PARTICIPLE("JJ"), MANY}}, {2, {PARTICIPLE("VBN"), MANY}},
        {1, {W(NOUN_FIGURE, "NNS", "compound"), MANY}}, {5, {MANY, AND_THIRD, SLOT_AS("NNS", "conj")}}),
    [FIGURES_AND] = RULES({1, {H(FIGURES), S(AND_PLURAL, "conj")}}),
    [FIGURES_PERCENT] = RULES({1, {H(FIGURES), S(PERCENT, "nmod")}}),
    [FIGURES_IN_PLACE] = RULES({1, {H(FIGURES), S(IN_PLACE, "nmod")}}),
    [OWNER] = RULES({6, {H(NATION), OWNS}}, {4, {H(LAST_NAME), OWNS}}, {3, {H(FIRM_ONE), OWNS}}, {2, {H(CITY), OWNS}}),
    [GOALS_SCORED] = CHUNK(NP,
        {1, {W(NUMBER_WORD, "CD", "nummod"), L("goals", "NNS", HEAD)}}, {1, {DET("a"), ADJ, L("goal", "NN", HEAD)}}),
    [PRODUCT_PHRASE] = CHUNK(NP,
        {1, {DET("a"), H(PRODUCT)}}, {1, {DET("a"), S(FIRM_ONE, "compound"), L("car", "NN", HEAD)}},
        {1, {DET("the"), H(EVENT)}}),
    [MONEY] = CHUNK(NP,
        {2, {L("$", "$", HEAD), DECIMALS, L("million", "CD", "flat")}},
        {1, {DECIMALS, L("million", "CD", "nummod"), L("dollars", "NNS", HEAD)}}),
    [PERCENT] = CHUNK(NP,
        {3, {DECIMALS, L("percent", "NN", HEAD)}},
        {1, {L("about", "RB", "advmod"), DECIMALS, L("percent", "NN", HEAD)}},
        {1, {L("about", "IN", "advmod"), DECIMALS, L("percent", "NN", HEAD)}},
        {1, {LC("about", "IN", PP, "advmod"), DECIMALS, L("percent", "NN", HEAD)}}),
    /* Prepositional phrases. Only the preferences of verbs and nouns tell them apart. */
    [VERB_PP] = RULES(
        {5, {P("in"), H(PLACE_PHRASE)}}, {4, {P("after"), OF(BASE, NOUN_EVENT, HEAD)}}, {3, {P("at"), SITE(HEAD)}},
        {2, {P("with"), H(ANYONE)}}, {2, {P("for"), H(ANYONE)}}, {2, {P("before"), H(EVENT_PHRASE)}}),
    [NOUN_PP] = RULES(
        {5, {P("in"), H(PLACE_PHRASE)}}, {3, {P("of"), H(ANYONE)}}, {4, {P("for"), H(ANYONE)}},
        {4, {P("from"), H(PLACE_PHRASE)}}, {3, {P("with"), H(ANYONE)}}, {2, {P("at"), H(FIRM_PHRASE)}},
        {1, {P("after"), OF(BASE, NOUN_EVENT, HEAD)}}),
    [TOPIC_PP] = RULES(
        {4, {P("on"), PRICES(HEAD)}}, {4, {P("about"), H(ANYONE)}}, {3, {P("on"), H(ANYONE)}},
        {2, {P("in"), H(PLACE_PHRASE)}}),
    [EITHER_PP] = RULES(
        {5, {P("in"), H(PLACE_PHRASE)}}, {4, {P("for"), H(ANYONE)}}, {4, {P("with"), H(ANYONE)}},
        {3, {P("from"), H(ANYONE)}}, {3, {P("against"), H(ANYONE)}}, {3, {P("at"), SITE(HEAD)}},
        {3, {P("after"), OF(BASE, NOUN_EVENT, HEAD)}}, {2, {P("on"), PRICES(HEAD)}}, {2, {P("about"), H(ANYONE)}},
        {2, {P("before"), H(EVENT_PHRASE)}}),
    [ON_FIGURES] = RULES({3, {P("on"), PRICES(HEAD)}}, {1, {P("about"), PRICES(HEAD)}}),
    [BY_ANYONE] = RULES({1, {P("by"), H(ANYONE)}}),
    [FOR_TEAM] = RULES({1, {P("for"), H(TEAM_PHRASE)}}),
    [FROM_TEAM] = RULES({1, {P("from"), H(TEAM_PHRASE)}}),
    [IN_EVENT] = RULES({1, {P("in"), H(EVENT_PHRASE)}}),
    [WITH_NATION] = RULES({1, {P("with"), H(NATION_PHRASE)}}),
    [OF_FIRM] = RULES({1, {P("of"), H(FIRM_PHRASE)}}),
    [OF_CITY] = RULES({1, {P("of"), H(CITY_PHRASE)}}),
    [OF_CAUSE] = RULES({1, {P("of"), WC(NOUN_CAUSE, "NN", NP, HEAD)}}),
    [OF_MONEY] = RULES({1, {P("of"), H(MONEY)}}),
    [FOR_MONEY] = RULES({1, {P("for"), H(MONEY)}}),
    [TO_PLACE] = RULES({3, {TO, H(PLACE_PHRASE)}}, {1, {TO, SITE(HEAD)}}, {1, {TO, H(ANYONE)}}),
    [IN_PLACE] = RULES(
        {8, {P("in"), H(PLACE_PHRASE)}}, {2, {P("near"), H(PLACE_PHRASE)}}, {2, {P("at"), SITE(HEAD)}},
        {1, {P("at"), H(FIRM_PHRASE)}}),
    [PARTICLE_PLACE] = RULES({1, {WC(PARTICLE, "IN", PP, "case"), SITE(HEAD)}}),
    [WHEN] = RULES(
        {8, {P("on"), WC(WEEKDAY, "NNP", NP, HEAD)}}, {3, {P("in"), WC(MONTH, "NNP", NP, HEAD)}},
        {3, {P("in"), NUMC(YEAR, HEAD)}}, {2, {P("on"), H(DAY_PHRASE)}}, {3, {H(LAST_WEEK)}},
        {3, {WC(WEEKDAY, "NNP", NP, HEAD)}}),
    [DAY_PHRASE] = CHUNK(NP, {1, {W(MONTH, "NNP", HEAD), NUM(DAY, "nummod")}}),
    [LAST_WEEK] = CHUNK(NP,
        {2, {L("last", "JJ", "amod"), L("week", "NN", HEAD)}}, {1, {DET("this"), L("year", "NN", HEAD)}},
        {1, {L("last", "JJ", "amod"), W(MONTH, "NNP", HEAD)}}),
    [FRONT_TIME] = RULES({3, {H(WHEN)}}, {2, {P("after"), OF(BASE, NOUN_EVENT, HEAD)}}, {2, {P("in"), H(CITY_PHRASE)}}),
    /* Entities. */
    [FULL_NAME] = ENTITY(PER,
        {20, {N(ROLE_GIVEN, HEAD), N(ROLE_FAMILY, "flat")}},
        {2, {N(ROLE_GIVEN, HEAD), LETTERS(INITIAL, "flat"), N(ROLE_FAMILY, "flat")}},
        {1, {N(ROLE_GIVEN, HEAD), L("de", "NNP", "flat"), N(ROLE_FAMILY, "flat")}},
        {1, {LETTERS(INITIAL, HEAD), N(ROLE_FAMILY, "flat")}}),
    [LAST_NAME] = ENTITY(PER, {12, {N(ROLE_FAMILY, HEAD)}}, {1, {N(ROLE_GIVEN, HEAD)}}),
    [CITY] = ENTITY(LOC,
        {16, {N(ROLE_CITY, HEAD)}}, {2, {W(PLACE_PREFIX, "NNP", HEAD), N(ROLE_CITY, "flat")}},
        {2, {N(ROLE_CITY, HEAD), SUFFIX(PLACE_SUFFIX)}}),
    [NATION] = ENTITY(LOC, {1, {N(ROLE_NATION, HEAD)}}),
    [FIRM_ONE] = ENTITY(ORG, {6, {N(ROLE_FIRM, HEAD)}}, {1, {LETTERS(ACRONYM, HEAD)}}),
    [FIRM] = ENTITY(ORG,
        {10, {N(ROLE_FIRM, HEAD)}}, {7, {N(ROLE_FIRM, HEAD), SUFFIX(FIRM_SUFFIX)}},
        {2, {N(ROLE_FAMILY, HEAD), L("&", "CC", "flat"), N(ROLE_FAMILY, "flat")}},
        {1, {N(ROLE_FAMILY, HEAD), L("and", "CC", "flat"), N(ROLE_FAMILY, "flat")}},
        {2, {N(ROLE_CITY, HEAD), SUFFIX(FIRM_TRADE)}},
        {1, {N(ROLE_GIVEN, HEAD), N(ROLE_FAMILY, "flat"), SUFFIX(FIRM_SUFFIX)}},
        {1, {L("Bank", "NNP", HEAD), S(OF_CITY, "nmod")}}, {1, {L("University", "NNP", HEAD), S(OF_CITY, "nmod")}},
        {2, {LETTERS(ACRONYM, HEAD)}}),
    [TEAM] = ENTITY(ORG, {6, {N(ROLE_TEAM, HEAD)}}, {3, {N(ROLE_CITY, HEAD), SUFFIX(TEAM_SUFFIX)}}),
    [BODY] = ENTITY(ORG, {1, {W(FIXED_BODY, "NNP", HEAD)}}),
    [EVENT] = ENTITY(MISC,
        {3, {W(FIXED_EVENT, "NNP", HEAD)}}, {2, {N(ROLE_CITY, HEAD), SUFFIX(EVENT_SUFFIX)}},
        {1, {N(ROLE_FAMILY, HEAD), SUFFIX(EVENT_SUFFIX)}}, {1, {NATIONAL, SUFFIX(EVENT_SUFFIX)}},
        {1, {N(ROLE_DEMONYM, HEAD), SUFFIX(EVENT_SUFFIX)}}),
    [DEMONYM] = ENTITY(MISC, {1, {NATIONAL}}),
    [PRODUCT] = ENTITY(MISC, {1, {N(ROLE_FIRM, HEAD), SUFFIX(MODEL)}}),
};

/* Trees alone. */

#define WHO_SPOKE LC_TO("who", "WP", NP, "nsubj", 3), WC_TO(VERB_PERSON, "VBD", VP, "acl:relcl", 1)
#define MANNER(to) WC_TO(ADVERB_OF_MANNER, "RB", ADVP, "advmod", to)
#define TIME(to) WC_TO(ADVERB_OF_TIME, "RB", ADVP, "advmod", to)
#define EITHER_PHRASE S_TO(EITHER_PP, "obl", EITHER)
#define SAID PAST("said"), S(PERSON_SAID, "ccomp")
#define PRICE(to) W_TO(NOUN_FIGURE, "NN", "compound", to)

const struct symbol_rules tree_rules[SYMBOLS] = {
    [SENTENCE] = RULES(
        {90, {H(CLAUSE), STOP}}, {30, {H(CLAUSE), S(AFTER_CLAUSE, "advcl"), STOP}},
        {30, {H(CLAUSE), COMMA, S(BUT_CLAUSE, "conj"), STOP}}),
    [CLAUSE] = RULES(
        {60, {S(COMMON, "nsubj"), H(ACT_VP)}}, {30, {S(PERSON_SUBJECT, "nsubj"), H(PERSON_VP)}},
        /* workers met traders who resigned */
        {12, {PEOPLE("nsubj"), DOES(VERB_MEET), PEOPLE("obj"), S_TO(WHO, "acl:relcl", 3)}},
        {6, {PEOPLE("nsubj"), DOES(VERB_MEET), PEOPLE("obj"), S_TO(WHO, "acl:relcl", 1)}},
        {12, {PEOPLE("nsubj"), DOES(VERB_PERSON), S_TO(WHO, "acl:relcl", 1)}},
        /* a debate was delayed on prices on Monday */
        {12, {TOPIC("nsubj:pass"), OF(PASSIVE, VERB_ACT, HEAD), S_TO(TOPIC_PP, "nmod", 1), S(WHEN, "obl")}},
        {10, {TOPIC("nsubj:pass"), OF(PASSIVE, VERB_ACT, HEAD), S(WHEN, "obl"), S_TO(TOPIC_PP, "nmod", 1)}},
        {12, {TOPIC("nsubj:pass"), OF(PASSIVE, VERB_ACT, HEAD), S(IN_PLACE, "obl"), S(WHEN, "obl")}},
        /* quickly the court agreed to drop the plan */
        {12, {MANNER(4), S(COMMON, "nsubj"), PAST("agreed"), S(TO_ACT, "xcomp")}},
        {3, {MANNER(3), S(COMMON, "nsubj"), PAST("agreed"), S(TO_ACT, "xcomp")}},
        {9, {TIME(3), S(COMMON, "nsubj"), PAST("agreed"), S(TO_ACT, "xcomp")}},
        {3, {TIME(4), S(COMMON, "nsubj"), PAST("agreed"), S(TO_ACT, "xcomp")}},
        /* doctors who resigned quickly opposed the plan */
        {9, {PEOPLE("nsubj"), WHO_SPOKE, MANNER(3), DID(VERB_ACT), S(OBJECT, "obj")}},
        {3, {PEOPLE("nsubj"), WHO_SPOKE, MANNER(5), DID(VERB_ACT), S(OBJECT, "obj")}},
        {9, {PEOPLE("nsubj"), WHO_SPOKE, TIME(5), DID(VERB_ACT), S(OBJECT, "obj")}},
        {3, {PEOPLE("nsubj"), WHO_SPOKE, TIME(3), DID(VERB_ACT), S(OBJECT, "obj")}}),
    [ACT_VP] = RULES(
        {26, {DOES(VERB_ACT), THING("obj"), EITHER_PHRASE}}, {16, {DOES(VERB_ACT), TOPIC("obj"), EITHER_PHRASE}},
        {24, {DOES(VERB_ACT), THING("obj"), EITHER_PHRASE, EITHER_PHRASE}},
        {16, {DOES(VERB_ACT), OF(FIGURES, NOUN_TOPIC, "obj"), EITHER_PHRASE, EITHER_PHRASE}},
        {24, {DOES(VERB_ACT), THING("obj"), EITHER_PHRASE, EITHER_PHRASE, EITHER_PHRASE}},
        {16, {DOES(VERB_ACT), S(OBJECT, "obj"), S(AND_ACT, "conj")}},
        /* oppose a tax last week on wages */
        {20, {DOES(VERB_ACT), TOPIC("obj"), S(WHEN, "obl"), S_TO(TOPIC_PP, "nmod", 2)}},
        {20, {DOES(VERB_ACT), THING("obj"), S(WHEN, "obl"), S_TO(THAT_WHICH, "acl", 2)}}),
    [PERSON_VP] = RULES(
        {7, {SAID, S_TO(AND_ACT, "conj", 2)}}, {3, {SAID, S_TO(AND_MEET, "conj", 2)}}, {7, {SAID, S(AND_MEET, "conj")}},
        {3, {SAID, S(AND_ACT, "conj")}}, {7, {SAID, S_TO(AFTER_CLAUSE, "advcl", 2)}},
        {4, {SAID, S(AFTER_CLAUSE, "advcl")}}, {3, {SAID, S_TO(WHEN, "obl", 2)}}, {7, {SAID, S(WHEN, "obl")}}),
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
        {10, {DET("the"), MODIFIER(3), PRICE(4), ONE}}, {5, {DET("the"), MODIFIER(4), PRICE(4), ONE}},
        {10, {DET("a"), PRICE(4), MODIFIER(4), ONE}}, {5, {DET("a"), PRICE(3), MODIFIER(4), ONE}}),
};
/* clang-format on */

const char *const chunk_label[CHUNK_TYPES][2] = {
    {"O", "O"},           {"B-NP", "I-NP"},     {"B-VP", "I-VP"},     {"B-PP", "I-PP"},
    {"B-ADJP", "I-ADJP"}, {"B-ADVP", "I-ADVP"}, {"B-SBAR", "I-SBAR"}, {"B-PRT", "I-PRT"},
};
const char *const entity_label[ENTITY_TYPES][2] = {
    {"O", "O"}, {"B-PER", "I-PER"}, {"B-LOC", "I-LOC"}, {"B-ORG", "I-ORG"}, {"B-MISC", "I-MISC"},
};
