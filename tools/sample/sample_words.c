/*
 * Holds the vocabulary of the synthetic corpus: see sample_language.h.
 *
 * Composed names: stem, middle and ending of a family of syllables are the digits of a number c below M, the product of
 * their counts. The name of rank r is c = (2 r + h) * P mod M, where the prime P exceeds every list and so is coprime
 * to M: ranks map one to one to names, neighbours in rank look nothing alike, and h = 1 gives names that h = 0 never
 * gives. Ranks are drawn log-uniformly from LEVEL on, in octaves: Zipf's law as corrected by Mandelbrot, P(r) about 1 /
 * (r + LEVEL). An ending tells which roles the name is open to; a name that does not suit is drawn again. So "Marwick"
 * is the same name, and as frequent, as a person, town or firm.
 *
 * Only integers are used, so that all machines give the same. Cost: a name that few endings suit takes some ten draws.
 */
#include "sample/sample_language.h"

#define LEVEL UINT32_C(8) /* this many first ranks are equally likely */
#define COUNT(array) ((uint32_t)(sizeof(array) / sizeof *(array)))

#define G ROLE_GIVEN
#define F ROLE_FAMILY
#define C ROLE_CITY
#define N ROLE_NATION
#define B ROLE_FIRM
#define T ROLE_TEAM
#define D ROLE_DEMONYM

/* A name, or the ending of one, and the roles that it is open to. */
struct open_name {
    const char *form;
    unsigned roles;
};

/* clang-format off */
static const struct open_name well_known[] = {
    {"Jordan", G|F|N|C}, {"Washington", F|C|T|N}, {"Chelsea", G|C|T}, {"Ford", F|B}, {"Georgia", G|N|C},
    {"Paris", G|C|T}, {"Milan", G|C|T}, {"French", D|F}, {"German", D|F}, {"Morgan", G|F|B}, {"Lincoln", G|F|C|B},
    {"Victoria", G|C|T}, {"Santos", F|C|T}, {"Houston", F|C|T}, {"Price", F|B}, {"Sydney", G|C|T}, {"Chad", G|N},
    {"Austin", G|F|C|B}, {"Banks", F}, {"Israel", G|N}, {"Dallas", G|C|T|F}, {"Ana", G}, {"Dvořák", F|B},
    {"London", C|F}, {"Stone", F|B}, {"Zoë", G}, {"Everton", T|C|F}, {"José", G}, {"Peter", G}, {"Madison", G|F|C|B},
    {"Łódź", C|T}, {"Valencia", C|T|F|B}, {"Georgian", D}, {"Florence", G|C}, {"Jordanian", D}, {"Cuba", N},
    {"Wells", F|C|B}, {"British", D}, {"Hamilton", F|C|T|B}, {"Preston", G|F|C|T}, {"Kent", G|F|C}, {"Baker", F|B},
    {"Holland", F|N|B}, {"Tokyo", C}, {"Åse", G}, {"Marta", G}, {"Lyon", C|T|F}, {"Jackson", G|F|C|B},
    {"Charlotte", G|C}, {"Chester", G|C|T|F}, {"São Vito", C|T}, {"Lopez", F}, {"Swedish", D}, {"Berlin", C|F},
    {"Norway", N}, {"Thomas", G|F|B}, {"Sterling", G|F|B|C}, {"Carter", F|B|G}, {"Peru", N}, {"Spanish", D},
    {"Ruth", G}, {"Boston", C|T|F}, {"Mills", F|B}, {"England", N|F}, {"Cook", F|B}, {"Nelson", G|F|C|B},
    {"Ålesund", C|T}, {"Simon", G|F|B}, {"Malta", N}, {"Kim", G|F}, {"Turkish", D}, {"Helen", G}, {"Granada", C|T|B},
    {"Søren", G}, {"Brown", F|B}, {"Kenya", N|G}, {"Clifton", G|F|C}, {"Turkey", N}, {"Polish", D},
    {"Cleveland", F|C|T}, {"Lawrence", G|F|C}, {"Jürgen", G}, {"May", G|F}, {"Rice", F|B}, {"Troy", G|C},
    {"Field", F|B}, {"Porto", C|T|F}, {"Marshall", F|B|G}, {"Virginia", G|C}, {"Danish", D}, {"Renée", G},
    {"Bell", F|B}, {"Santiago", G|C|F}, {"Dutch", D}, {"Łukasz", G}, {"Córdoba", C|T|F}, {"Logan", G|F|C}, {"Iran", N},
    {"Paul", G|F}, {"Siemens", B|F}, {"Mark", G}, {"Grant", G|F|B}, {"Swiss", D|B}, {"São Tomé", N|C}, {"Frank", G|F},
    {"Hope", G|C}, {"Rose", G|F}, {"Bill", G}, {"Will", G}, {"Zürich", C|B}, {"Málaga", C|T}, {"Ivory Coast", N},
    {"Saudi", D},
};

/* Syllables that make names of one family. */
struct syllables {
    const char *const *stem;
    const char *const *middle;
    const struct open_name *ending;
    uint32_t stems, middles, endings;
    uint32_t ranks; /* names in use; twice as many exist, for those held out */
};

static const char *const family_stem[] = {
    "Mar", "Hol", "Ash", "Bel", "Car", "Dun", "El", "Far", "Gren", "Har", "Ing", "Jar", "Kel", "Lan", "Mel", "Nor",
    "Os", "Pen", "Quil", "Ral", "Sel", "Tor", "Ul", "Van", "Wes", "Yar", "Zel", "Brad", "Clay", "Drav", "Eck", "Fen",
    "Gar", "Hart", "Iv", "Kirk", "Lind", "Mon", "Nev", "Or", "Pol", "Ros", "Stan", "Thor", "Und", "Vel", "Wal", "Bor",
    "Cor", "Dor", "Er", "Fal", "Gol", "Hav", "Kor", "Lor", "Mir", "Nov", "Pet", "Rad", "Sor", "Tam", "Ved", "Żel",
    "Öst", "Šar", "Łod", "Ård", "Brom", "Cald", "Dvor", "Esk", "Gál", "Hjelm", "Jón", "Král", "Løv", "Müll", "Peñ",
    "Rön", "Strat", "Whit",
};
static const char *const family_middle[] = {"", "en", "in", "er", "el", "an", "or", "ed", "ur"};
static const struct open_name family_ending[] = {
    {"ford", F|C|B|T}, {"ton", F|C|B|T}, {"ley", F|C|B|T}, {"wick", F|C|B}, {"ham", F|C|B|T}, {"field", F|C|B|T},
    {"worth", F|C|B}, {"by", C|F}, {"well", F|B}, {"man", F|B}, {"son", F|B}, {"er", F|B}, {"ville", C|T},
    {"burg", C|T|F}, {"berg", F|C|B}, {"stad", C|T}, {"ia", N|C}, {"stan", N}, {"land", N|F|C|B}, {"ania", N},
    {"ov", F}, {"ova", F|C}, {"ski", F}, {"ić", F}, {"ák", F|B}, {"ez", F|B}, {"enko", F}, {"eira", F|C|B}, {"ão", C|F},
    {"ström", F|B}, {"qvist", F|B}, {"sen", F|B}, {"dal", F|C|B}, {"gård", F|C}, {"tek", B}, {"ex", B}, {"on", B|F|C},
    {"ica", B|N}, {"ium", B}, {"mart", B|F}, {"ian", D}, {"ese", D}, {"ish", D}, {"stani", D}, {"etti", F|B},
    {"ini", F|B}, {"oni", F|B|C}, {"opolis", C}, {"ów", C|T}, {"ico", C|B}, {"mouth", C|T}, {"haven", C|B|F},
    {"bridge", F|C|B}, {"stone", F|B|C}, {"å", C}, {"ad", C|F}, {"is", F|B}, {"ona", C|T|N}, {"ó", F|C}, {"ard", F|B},
};

static const char *const given_stem[] = {
    "Al", "Ber", "Car", "Dan", "El", "Fran", "Gus", "Han", "Isab", "Jos", "Kar", "Lor", "Mar", "Nat", "Ol", "Pat",
    "Ren", "Sam", "Tad", "Val", "Wil", "Yas", "Zor", "Ånd", "Hél", "Jär", "Žan", "Rób", "Luc", "Vik",
};
static const char *const given_middle[] = {"", "in", "el", "et"};
static const struct open_name given_ending[] = {
    {"a", G}, {"o", G}, {"ina", G}, {"ine", G}, {"ie", G|F}, {"us", G}, {"en", G|F}, {"ard", G|F}, {"ia", G|N},
    {"é", G}, {"ette", G}, {"an", G|F}, {"is", G|F}, {"ika", G}, {"or", G}, {"eth", G},
};

static const struct syllables family_syllables = {
    family_stem, family_middle, family_ending, COUNT(family_stem), COUNT(family_middle), COUNT(family_ending), 8192};
static const struct syllables given_syllables = {
    given_stem, given_middle, given_ending, COUNT(given_stem), COUNT(given_middle), COUNT(given_ending), 512};

#define LIST(verbs, ...) \
    {(const char *const[]){__VA_ARGS__}, sizeof((const char *const[]){__VA_ARGS__}) / sizeof(char *), verbs}
#define WORDS(...) LIST(false, __VA_ARGS__)
#define VERBS(...) LIST(true, __VA_ARGS__)

const struct word_list word_lists[WORD_CLASSES] = {
    [VERB_ACT] = VERBS(REGULAR("reject"), DOUBLED("plan", "n"), "cut cuts cut cut cutting", MUTE("welcom"),
        REGULAR("back"), MUTE("approv"), REGULAR("offer"), REGULAR("report"), REGULAR("demand"), REGULAR("order"),
        REGULAR("review"), REGULAR("claim"), REGULAR("delay"), "set sets set set setting", MUTE("rais"),
        "seek seeks sought sought seeking", MUTE("oppos"), DOUBLED("drop", "p"), DOUBLED("ban", "n"),
        "win wins won won winning", REGULAR("need"), "study studies studied studied studying", REGULAR("support"),
        REGULAR("attack")),
    [VERB_MEET] = VERBS("meet meets met met meeting", MUTE("prais"), MUTE("blam"), REGULAR("attack"),
        REGULAR("support"), REGULAR("warn"), MUTE("criticis"), REGULAR("back"), "leave leaves left left leaving",
        MUTE("su")),
    [VERB_PERSON] = VERBS(REGULAR("resign"), MUTE("retir"), REGULAR("appear"), "die dies died died dying",
        "speak speaks spoke spoken speaking", REGULAR("wait"), "sing sings sang sung singing", MUTE("vot"),
        REGULAR("play"), REGULAR("work")),
    [VERB_FIRM] = VERBS(MUTE("acquir"), "buy buys bought bought buying", "sell sells sold sold selling", MUTE("su"),
        "supply supplies supplied supplied supplying", "leave leaves left left leaving", DOUBLED("control", "l")),
    [VERB_SAY] = VERBS("say says said said saying", MUTE("announc"), REGULAR("claim"), REGULAR("report"),
        REGULAR("add"), REGULAR("fear"), "deny denies denied denied denying"),
    [VERB_MOVE] = VERBS("rise rises rose risen rising", "fall falls fell fallen falling", DOUBLED("drop", "p"),
        REGULAR("gain"), REGULAR("climb"), MUTE("increas"), REGULAR("jump"), DOUBLED("slip", "p")),
    [VERB_GO] = VERBS(DOUBLED("travel", "l"), REGULAR("return"), "fly flies flew flown flying", MUTE("mov"),
        "go goes went gone going"),
    [VERB_SEND] = VERBS("send sends sent sent sending", "bring brings brought brought bringing", MUTE("mov"),
        DOUBLED("ship", "p"), REGULAR("return")),
    [VERB_BEAT] = VERBS("beat beats beat beaten beating", REGULAR("defeat"), MUTE("edg"),
        "thrash thrashes thrashed thrashed thrashing", DOUBLED("stun", "n")),
    [VERB_TURN] = VERBS(REGULAR("turn"), "take takes took taken taking", MUTE("mov"), "hold holds held held holding",
        "set sets set set setting", "carry carries carried carried carrying"),
    [NOUN_THING] = WORDS("plan", "cut", "offer", "deal", "report", "order", "vote", "move", "bid", "claim", "rise",
        "increase", "bridge", "contract", "project", "reform", "budget", "letter", "motion", "test", "loan", "grant",
        "measure", "change", "delay", "visit", "result", "appeal", "programme", "strike"),
    [NOUN_TOPIC] = WORDS("report", "tax", "ban", "talk", "attack", "decision", "debate", "law", "ruling", "inquiry",
        "study", "rule", "book", "question", "limit"),
    [NOUN_FIGURE] = WORDS("profit", "sale", "price", "share", "export", "import", "wage", "cost", "order", "loss",
        "debt", "stock"),
    [NOUN_ROLE] = WORDS("minister", "striker", "captain", "coach", "spokesman", "lawyer", "chairman", "singer", "mayor",
        "professor", "analyst", "champion", "author", "banker", "defender", "director"),
    [NOUN_PEOPLE] = WORDS("official", "worker", "analyst", "trader", "student", "soldier", "doctor", "farmer", "lawyer",
        "voter", "resident", "teacher", "investor", "union", "court", "bank", "miner", "guard", "expert", "leader"),
    [NOUN_GROUP] = WORDS("government", "company", "court", "bank", "union", "party", "team", "firm", "board", "council",
        "club", "ministry", "army", "agency"),
    [NOUN_SITE] = WORDS("airport", "factory", "market", "hospital", "school", "port", "stadium", "plant", "border",
        "hotel", "mine", "station", "bridge"),
    [NOUN_EVENT] = WORDS("election", "match", "meeting", "war", "summit", "trial", "strike", "final", "crash", "fire",
        "storm", "race", "attack", "vote"),
    [NOUN_DISASTER] = WORDS("crash", "fire", "storm", "attack", "bomb", "flood", "blast", "strike"),
    [NOUN_MODIFIER] = WORDS("trade", "gold", "military", "oil", "executive", "job", "rival", "tax", "future", "budget",
        "standard", "bank", "price", "official", "steel", "weekly", "peace", "share"),
    [NOUN_CAUSE] = WORDS("fraud", "bribery", "corruption", "spying", "theft", "murder"),
    [ADJECTIVE] = WORDS("new", "foreign", "military", "gold", "executive", "rival", "future", "official", "top",
        "standard", "local", "late", "public", "early", "secret", "chief", "weekly", "former", "private", "close"),
    [PAST_MODIFIER] = WORDS("planned", "reduced", "revised", "reported", "delayed", "disputed", "increased", "troubled",
        "opposed"),
    [ADJECTIVE_STATE] = WORDS("ready", "close", "open", "late", "unlikely", "confident", "unhappy", "guilty", "ill",
        "tired", "broke"),
    [ADVERB] = WORDS("sharply", "early", "late", "again", "narrowly", "quickly", "reportedly", "slightly", "well",
        "once", "finally"),
    [ADVERB_OF_MANNER] = WORDS("quickly", "sharply", "narrowly", "slightly", "well"),
    [ADVERB_OF_TIME] = WORDS("finally", "once", "again", "early", "late"),
    [PARTICLE] = WORDS("off", "down", "over", "up", "out", "on", "in", "through"),
    [MODAL] = WORDS("will", "would", "could", "may", "must", "might"),
    [TITLE] = WORDS("Mr", "President", "Mrs", "Dr", "Senator", "General", "Ms", "Judge", "Sir", "Minister", "Prince",
        "Captain"),
    [WEEKDAY] = WORDS("Monday", "Friday", "Wednesday", "Tuesday", "Sunday", "Thursday", "Saturday"),
    [MONTH] = WORDS("August", "May", "December", "March", "June", "January", "October", "July", "April", "September",
        "November"),
    [NUMBER_WORD] = WORDS("two", "three", "four", "six", "ten", "five", "dozens"),
    [FIRM_SUFFIX] = WORDS("Corp", "Ltd", "Inc", "Group", "Holdings", "AG", "Bank", "SA", "& Sons", "Co", "Partners"),
    [FIRM_TRADE] = WORDS("Electric", "Steel", "Motor", "Airlines", "Oil", "Foods", "Telecom", "Insurance", "Gold",
        "Media"),
    [TEAM_SUFFIX] = WORDS("United", "City", "Rovers", "Athletic", "Wanderers", "Town"),
    [PLACE_PREFIX] = WORDS("New", "San", "Port", "Lake", "Mount", "North", "East", "St", "Fort", "São", "Cape"),
    [PLACE_SUFFIX] = WORDS("City", "Valley", "River", "Island", "Bay", "Hills", "Park", "Airport", "Falls"),
    [EVENT_SUFFIX] = WORDS("Cup", "Open", "Prize", "Grand Prix", "Masters", "Accord", "Treaty", "Trophy", "Award",
        "Festival"),
    [FIXED_BODY] = WORDS("Parliament", "Senate", "Coast Guard", "Supreme Court", "Labour Party", "Finance Ministry",
        "Red Cross", "Central Bank", "Green Party", "Football Association", "European Union"),
    [FIXED_EVENT] = WORDS("World Cup", "Olympics", "Nobel Prize", "Commonwealth Games", "Davis Cup",
        "Midnight Marathon", "Champions League", "Second Division"),
    [MODEL] = WORDS("Falcon", "Comet", "X4", "Sierra", "Senator", "Clipper", "Astra", "900"),
    [REGION] = WORDS("northern", "southern", "eastern", "western", "central"),
};
/* clang-format on */

uint32_t draw_rank(struct rng *rng, uint32_t count)
{
    uint32_t octaves = 1;
    while (count + LEVEL > (uint64_t)LEVEL << octaves)
        octaves++;
    for (;;) {
        uint32_t low = LEVEL << rng_below(rng, octaves);
        uint32_t rank = low + rng_below(rng, low) - LEVEL;
        if (rank < count)
            return rank;
    }
}

bool draw_chance(struct rng *rng, uint32_t percent)
{
    return rng_below(rng, 100) < percent;
}

static void draw_well_known(struct rng *rng, unsigned role, const char *part[NAME_PARTS])
{
    for (;;) {
        const struct open_name *name = &well_known[draw_rank(rng, COUNT(well_known))];
        if (name->roles & role) {
            part[0] = name->form;
            return;
        }
    }
}

static void compose_name(struct rng *rng, const struct syllables *s, unsigned role, bool held,
                         const char *part[NAME_PARTS])
{
    const uint32_t prime = 7919;
    uint32_t names = s->stems * s->middles * s->endings;
    for (;;) {
        uint32_t c = (uint32_t)((2 * (uint64_t)draw_rank(rng, s->ranks) + held) * prime % names);
        const struct open_name *ending = &s->ending[c % s->endings];
        if (ending->roles & role) {
            part[0] = s->stem[c / s->endings % s->stems];
            part[1] = s->middle[c / s->endings / s->stems];
            part[2] = ending->form;
            return;
        }
    }
}

void draw_name(struct rng *rng, enum name_role role, bool held_out, const char *part[NAME_PARTS])
{
    static const struct {
        enum name_role role;
        uint32_t well_known; /* percent */
    } share[] = {{G, 60}, {F, 25}, {C, 40}, {N, 65}, {B, 25}, {T, 45}, {D, 65}};

    for (unsigned i = 0; i < NAME_PARTS; i++)
        part[i] = NULL;
    uint32_t known = 0;
    for (unsigned i = 0; i < COUNT(share); i++)
        if (share[i].role == role)
            known = share[i].well_known;
    bool held = held_out && draw_chance(rng, 50);
    if (!held && draw_chance(rng, known))
        draw_well_known(rng, role, part);
    else
        compose_name(rng, role == G ? &given_syllables : &family_syllables, role, held, part);
}
