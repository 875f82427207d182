/*
 * Defines productions for trees alone: see sample_grammar.h.
 *
 * These are ambiguous on purpose:
 *   - a phrase after a verb and nouns goes with the verb or with the nearest of
 *     the nouns (EITHER), as these prefer its preposition, one time in four
 *     against their preference;
 *   - a conjunct, an adverb or a clause that may belong to two words is of the
 *     class that suits its word about three times in four;
 *   - of three nouns the first belongs to the second or to the third.
 *
 * Arcs are crossed by phrases and clauses that follow the verb or a date, away
 * from their noun ("a debate was delayed on prices"), and an adverb of the
 * lower verb in front of the sentence.
 */
#include "sample/sample_parts.h"

static const struct production sentence[] = {
    {90, {S(CLAUSE, HEAD), STOP}},
    {30, {S(CLAUSE, HEAD), S(AFTER_CLAUSE, "advcl"), STOP}},
    {30, {S(CLAUSE, HEAD), COMMA, S(BUT_CLAUSE, "conj"), STOP}},
};

#define PEOPLE(relation) OF(COMMON_PLURAL, NOUN_PEOPLE, relation)
#define TOPIC(relation) OF(BASE, NOUN_TOPIC, relation)
#define AGREED LC("agreed", "VBD", VP, HEAD)
#define WHO_SPOKE LC_TO("who", "WP", NP, "nsubj", 3), WC_TO(VERB_PERSON, "VBD", VP, "acl:relcl", 1)
#define ACTED WC(VERB_ACT, "VBD", VP, HEAD)
#define MANNER(to) WC_TO(ADVERB_OF_MANNER, "RB", ADVP, "advmod", to)
#define TIME(to) WC_TO(ADVERB_OF_TIME, "RB", ADVP, "advmod", to)

static const struct production clause[] = {
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
    {3, {PEOPLE("nsubj"), WHO_SPOKE, TIME(3), ACTED, S(OBJECT, "obj")}},
};

#define ACT OF(VERB_GROUP, VERB_ACT, HEAD)
#define THING_OBJECT OF(BASE, NOUN_THING, "obj")
#define EITHER_PHRASE S_TO(EITHER_PP, "obl", EITHER)

static const struct production act_vp[] = {
    {26, {ACT, THING_OBJECT, EITHER_PHRASE}},
    {16, {ACT, TOPIC("obj"), EITHER_PHRASE}},
    {24, {ACT, THING_OBJECT, EITHER_PHRASE, EITHER_PHRASE}},
    {16, {ACT, OF(FIGURES, NOUN_TOPIC, "obj"), EITHER_PHRASE, EITHER_PHRASE}},
    {24, {ACT, THING_OBJECT, EITHER_PHRASE, EITHER_PHRASE, EITHER_PHRASE}},
    {16, {ACT, S(OBJECT, "obj"), S(AND_ACT, "conj")}},
    /* oppose a tax last week on wages */
    {20, {ACT, TOPIC("obj"), S(WHEN, "obl"), S_TO(TOPIC_PP, "nmod", 2)}},
    {20, {ACT, THING_OBJECT, S(WHEN, "obl"), S_TO(THAT_WHICH, "acl", 2)}},
};

#define SAID LC("said", "VBD", VP, HEAD), S(PERSON_SAID, "ccomp")

static const struct production person_vp[] = {
    {7, {SAID, S_TO(AND_ACT, "conj", 2)}},
    {3, {SAID, S_TO(AND_MEET, "conj", 2)}},
    {7, {SAID, S(AND_MEET, "conj")}},
    {3, {SAID, S(AND_ACT, "conj")}},
    {7, {SAID, S_TO(AFTER_CLAUSE, "advcl", 2)}},
    {4, {SAID, S(AFTER_CLAUSE, "advcl")}},
    {3, {SAID, S_TO(WHEN, "obl", 2)}},
    {7, {SAID, S(WHEN, "obl")}},
};

static const struct production object[] = {
    /* a report on prices and a plan; a report on prices and wages */
    {9, {TOPIC(HEAD), S(ON_FIGURES, "nmod"), OF(AND_BASE, NOUN_THING, "conj")}},
    {3, {TOPIC(HEAD), S(ON_FIGURES, "nmod"), OF(AND_PLURAL, NOUN_FIGURE, "conj")}},
    {9, {TOPIC(HEAD), S(ON_FIGURES, "nmod"), OF_TO(AND_PLURAL, NOUN_FIGURE, "conj", 2)}},
    {3, {TOPIC(HEAD), S(ON_FIGURES, "nmod"), OF_TO(AND_BASE, NOUN_THING, "conj", 2)}},
    {24, {TOPIC(HEAD), S(TOPIC_PP, "nmod"), S_TO(NOUN_PP, "nmod", EITHER)}},
};

static const struct production common[] = {
    {14, {PEOPLE(HEAD), OF(AND_PLURAL, NOUN_PEOPLE, "conj"), S_TO(NOUN_PP, "nmod", EITHER)}},
    {6, {PEOPLE(HEAD), S(NOUN_PP, "nmod"), S_TO(NOUN_PP, "nmod", EITHER)}},
};

#define MODIFIER(to) W_TO(NOUN_MODIFIER, "NN", "compound", to)
#define PRICE(to) W_TO(NOUN_FIGURE, "NN", "compound", to)

static const struct production base[] = {
    {10, {L("the", "DT", "det"), MODIFIER(3), PRICE(4), SLOT_AS("NN", HEAD)}},
    {5, {L("the", "DT", "det"), MODIFIER(4), PRICE(4), SLOT_AS("NN", HEAD)}},
    {10, {L("a", "DT", "det"), PRICE(4), MODIFIER(4), SLOT_AS("NN", HEAD)}},
    {5, {L("a", "DT", "det"), PRICE(3), MODIFIER(4), SLOT_AS("NN", HEAD)}},
};

#define RULES(list)                                                                                                    \
    {                                                                                                                  \
        list, (uint32_t)(sizeof(list) / sizeof *(list)), NO_CHUNK, NO_ENTITY                                           \
    }

static const struct symbol_rules rules[SYMBOLS] = {
    [SENTENCE] = RULES(sentence), [CLAUSE] = RULES(clause), [ACT_VP] = RULES(act_vp), [PERSON_VP] = RULES(person_vp),
    [OBJECT] = RULES(object),     [COMMON] = RULES(common), [BASE] = RULES(base),
};

const struct symbol_rules *tree_rules(enum symbol symbol)
{
    return &rules[symbol];
}
