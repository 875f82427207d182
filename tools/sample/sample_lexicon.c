/*
 * Finds the lemmas, tags and preferences of the synthetic corpus's words: see sample_language.h.
 *
 * Lemmas come from the word lists that the sentences are made of, searched one after the other: a verb's entry holds
 * all its forms, and a plural is undone where what remains is a noun of the lists. The universal part of speech and the
 * features come from the tag alone, never from the tree: a parser that reads them must not find the answer there.
 *
 * A noun or verb prefers a few prepositions. Given a phrase after two words that may take it, one that prefers it wins
 * PREFERRED times in a hundred against one that does not, so that no parser can be always right.
 *
 * Cost: a few hundred comparisons for each word.
 */
#include "sample/sample_language.h"

#define COUNT(array) (sizeof(array) / sizeof *(array))
#define PREFERRED 75 /* percent */

/* Verbs and nouns that productions name, and verbs known by their participles only. */
/* clang-format off */
static const char *const other_verb[] = {
    "tell tells told told telling", MUTE("accus"), MUTE("clos"), REGULAR("sign"), REGULAR("remain"), REGULAR("call"),
    "agree agrees agreed agreed agreeing", REGULAR("kill"), REGULAR("arrest"), "flee flees fled fled fleeing",
    REGULAR("join"), MUTE("scor"), "hit hits hit hit hitting", "bear bears bore born bearing", MUTE("reduc"),
    MUTE("revis"), MUTE("disput"), MUTE("troubl"), "have has had had having", "do does did done doing",
    "be is was been being", "be 's were been being",
};
/* clang-format on */
static const char *const other_noun[] = {"reporter", "goal", "dollar"};

/* Whether the words are the same; the first letter may be a capital. */
static bool same_word(struct text form, const char *word, size_t length)
{
    if (form.length != length || memcmp(form.at + 1, word + 1, length - 1) != 0)
        return false;
    return form.at[0] == word[0] || (word[0] >= 'a' && word[0] <= 'z' && form.at[0] == word[0] - 'a' + 'A');
}

static struct text base_among(const char *const *verb, size_t count, struct text form)
{
    for (size_t i = 0; i < count; i++)
        for (const char *at = verb[i]; *at;) {
            size_t length = strcspn(at, " ");
            if (same_word(form, at, length))
                return (struct text){verb[i], (uint32_t)strcspn(verb[i], " ")};
            at += length + (at[length] != '\0');
        }
    return (struct text){0};
}

static struct text verb_base(struct text form)
{
    struct text base = base_among(other_verb, COUNT(other_verb), form);
    for (int class = NO_CLASS + 1; !base.at && class < WORD_CLASSES; class ++) {
        const struct word_list *list = &word_lists[class];
        if (list->verbs)
            base = base_among(list->form, list->count, form);
    }
    return base;
}

static bool plural_of(struct text form, const char *noun)
{
    size_t length = strlen(noun);
    if (form.length > 3 && memcmp(form.at + form.length - 3, "ies", 3) == 0 && noun[length - 1] == 'y')
        return same_word((struct text){form.at, form.length - 3}, noun, length - 1);
    if (form.length > 2 && memcmp(form.at + form.length - 2, "es", 2) == 0 &&
        same_word((struct text){form.at, form.length - 2}, noun, length))
        return true;
    return form.length > 1 && form.at[form.length - 1] == 's' &&
           same_word((struct text){form.at, form.length - 1}, noun, length);
}

static struct text singular_among(const char *const *noun, size_t count, struct text form)
{
    for (size_t i = 0; i < count; i++)
        if (plural_of(form, noun[i]))
            return text_of(noun[i]);
    return (struct text){0};
}

static struct text noun_singular(struct text form)
{
    struct text singular = singular_among(other_noun, COUNT(other_noun), form);
    for (int class = NOUN_THING; !singular.at && class <= NOUN_CAUSE; class ++)
        singular = singular_among(word_lists[class].form, word_lists[class].count, form);
    return singular;
}

struct text lexicon_lemma(struct text form, const char *tag)
{
    if (tag[0] == 'V')
        return verb_base(form);
    if (strcmp(tag, "DT") == 0 && same_word(form, "an", 2))
        return text_of("a");
    return strcmp(tag, "NNS") == 0 ? noun_singular(form) : (struct text){0};
}

/* Tags. */

/* clang-format off */
static const struct universal {
    const char *tag, *upos, *features;
} universal[] = {
    {"NN", "NOUN", "Number=Sing"}, {"NNS", "NOUN", "Number=Plur"}, {"NNP", "PROPN", "Number=Sing"},
    {"VB", "VERB", "VerbForm=Inf"}, {"VBD", "VERB", "Mood=Ind|Tense=Past|VerbForm=Fin"},
    {"VBG", "VERB", "Tense=Pres|VerbForm=Part"}, {"VBN", "VERB", "Tense=Past|VerbForm=Part"},
    {"VBP", "VERB", "Mood=Ind|Tense=Pres|VerbForm=Fin"},
    {"VBZ", "VERB", "Mood=Ind|Number=Sing|Person=3|Tense=Pres|VerbForm=Fin"}, {"MD", "AUX", "VerbForm=Fin"},
    {"JJ", "ADJ", "Degree=Pos"}, {"JJR", "ADJ", "Degree=Cmp"}, {"RB", "ADV", "_"}, {"RBR", "ADV", "Degree=Cmp"},
    {"IN", "ADP", "_"}, {"RP", "ADP", "_"}, {"TO", "PART", "_"}, {"POS", "PART", "_"}, {"DT", "DET", "_"},
    {"CD", "NUM", "NumType=Card"}, {"CC", "CCONJ", "_"}, {"PRP", "PRON", "PronType=Prs"},
    {"PRP$", "PRON", "Poss=Yes|PronType=Prs"}, {"WP", "PRON", "PronType=Rel"}, {"WDT", "PRON", "PronType=Rel"},
    {"$", "SYM", "_"},
};
/* clang-format on */

static const struct universal *universal_of(const char *tag)
{
    for (size_t at = 0; at < COUNT(universal); at++)
        if (strcmp(universal[at].tag, tag) == 0)
            return &universal[at];
    return NULL;
}

const char *lexicon_upos(struct text form, const char *tag)
{
    if (tag[0] == 'V') {
        struct text base = verb_base(form);
        if (text_is(base, "be") || text_is(base, "have") || text_is(base, "do"))
            return "AUX";
    }
    if (strcmp(tag, "IN") == 0 && same_word(form, "that", 4))
        return "SCONJ";
    if (strcmp(tag, "RB") == 0 && same_word(form, "not", 3))
        return "PART";
    return universal_of(tag) ? universal_of(tag)->upos : "PUNCT";
}

const char *lexicon_features(const char *tag)
{
    return universal_of(tag) ? universal_of(tag)->features : "_";
}

/* Preferences. */

/* clang-format off */
static const struct preference {
    const char *word, *prepositions; /* each between spaces */
} noun_preferences[] = {
    {"plan", " for "}, {"cut", " in "}, {"offer", " from for "}, {"deal", " with "}, {"report", " on about "},
    {"order", " for from "}, {"vote", " on against "}, {"bid", " for "}, {"claim", " against "}, {"rise", " in "},
    {"increase", " in "}, {"contract", " with for "}, {"project", " in with "}, {"reform", " in at "},
    {"budget", " for "}, {"letter", " from about "}, {"motion", " against "}, {"test", " for "}, {"loan", " from "},
    {"grant", " for from "}, {"measure", " against "}, {"change", " in at "}, {"delay", " at in "},
    {"visit", " from "}, {"result", " from "}, {"appeal", " for against "}, {"programme", " for with "},
    {"strike", " at in "}, {"tax", " on "}, {"ban", " on "}, {"talk", " with about "}, {"attack", " on against "},
    {"decision", " on about "}, {"debate", " on about with "}, {"law", " on against "}, {"ruling", " on against "},
    {"inquiry", " at "}, {"study", " on from "}, {"rule", " for on "}, {"book", " about from "},
    {"question", " about from "}, {"limit", " on "}, {"profit", " from at "}, {"sale", " in at "},
    {"price", " in for "}, {"export", " from "}, {"import", " from "}, {"wage", " in at for "},
    {"official", " from at "}, {"worker", " at from in "}, {"trader", " in "}, {"student", " from "},
    {"doctor", " at "}, {"farmer", " from in "}, {"lawyer", " for "}, {"expert", " from with "},
}, verb_preferences[] = {
    {"reject", " after in "}, {"plan", " with for "}, {"cut", " after at "}, {"welcome", " in at "},
    {"back", " against at "}, {"approve", " after at "}, {"offer", " before "}, {"report", " from in "},
    {"demand", " from after "}, {"order", " from for "}, {"review", " with after "}, {"claim", " from in "},
    {"delay", " after for "}, {"set", " for at "}, {"raise", " with at "}, {"seek", " from with "},
    {"oppose", " with in "}, {"drop", " at after "}, {"ban", " from in "}, {"win", " against for at "},
    {"need", " for from "}, {"study", " with in "}, {"support", " against with "}, {"attack", " with in before "},
};
/* clang-format on */

/* How often, in a hundred, a phrase goes to the nearer word if preferences do not decide. */
static const struct {
    const char *preposition;
    uint32_t percent;
} habit[] = {
    {"of", 95},   {"about", 80}, {"on", 75}, {"from", 65},  {"against", 60}, {"for", 50},
    {"with", 40}, {"in", 35},    {"at", 30}, {"after", 15}, {"before", 15},
};

static bool prefers(struct governor governor, struct text preposition)
{
    bool verb = governor.tag[0] == 'V';
    const struct preference *preference = verb ? verb_preferences : noun_preferences;
    size_t count = verb ? COUNT(verb_preferences) : COUNT(noun_preferences);
    struct text lemma = lexicon_lemma(governor.form, governor.tag);
    if (!lemma.at)
        lemma = governor.form;
    for (size_t i = 0; i < count; i++) {
        const char *at =
            same_word(lemma, preference[i].word, strlen(preference[i].word)) ? preference[i].prepositions : "";
        for (; *at; at++)
            if (strncmp(at + 1, preposition.at, preposition.length) == 0 && at[preposition.length + 1] == ' ')
                return true;
    }
    return false;
}

bool draw_nearer(struct rng *rng, struct text preposition, struct governor near, struct governor far)
{
    bool near_prefers = prefers(near, preposition), far_prefers = prefers(far, preposition);
    if (near_prefers != far_prefers)
        return draw_chance(rng, near_prefers ? PREFERRED : 100 - PREFERRED);
    uint32_t percent = 50;
    for (size_t i = 0; i < COUNT(habit); i++)
        if (text_is(preposition, habit[i].preposition))
            percent = habit[i].percent;
    return draw_chance(rng, percent);
}
