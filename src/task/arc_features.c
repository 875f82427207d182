/*
 * Makes the features of arcs: McDonald, Crammer and Pereira's (2005), with the tags two words from either end and the
 * forms beside it, how many verbs, punctuation marks and conjunctions lie between, and lemmas and morphology where the
 * treebank has them.
 *
 * What template k sees of one word is hashed once for each word, as head and as modifier, to 32 bits: its codes. With
 * an odd constant C, the key of an arc's feature is
 *
 *     x   = code of the head + code of the modifier + code of the direction
 *     key = (x ^ (x >> 15)) * C
 *
 * and its high bits are the number of the feature: additions, shifts and one product in 32 bits, for eight or sixteen
 * templates at a time. The same feature with the distance of the arc, 1 to 7, has the number (that xor the distance):
 * it lies in the same cache line, so that both cost one memory access, and no accuracy is lost. Putting further
 * features there, such as all those of the same two forms, was tried: 0.6 of UAS were lost for next to no time.
 *
 * Templates that see nothing make no feature. Most treebanks have a column for all words or for none, so templates are
 * listed once for each sentence: those that no arc has are left out, and those that all arcs have, up to the first that
 * is different, are not tested arc by arc.
 *
 * Rows are made when they are needed, all arcs of a word at a time: they are cheaper made anew than read back from
 * memory. A finished model does without rows: see arc_scores.c.
 */
#include "base/hash.h"
#include "task/arc_codes.h"

#include <utf8proc.h>

bool is_punctuation(struct text form)
{
    for (uint32_t i = 0; i < form.length; i += utf8_width(form.at[i])) {
        utf8proc_int32_t point = 0;
        utf8proc_iterate((const utf8proc_uint8_t *)form.at + i, (utf8proc_ssize_t)(form.length - i), &point);
        utf8proc_category_t category = utf8proc_category(point);
        if (category < UTF8PROC_CATEGORY_PC || category > UTF8PROC_CATEGORY_PO)
            return false;
    }
    return form.length > 0;
}

static uint32_t cell_hash(struct text text)
{
    if (text.length == 1 && text.at[0] == '_')
        return 0;
    uint32_t hash = (uint32_t)hash_bytes(text.at, text.length);
    return hash ? hash : 1;
}

/* Returns the last three characters of a longer word. */
static struct text ending(struct text form)
{
    uint32_t i = form.length;
    for (int n = 0; n < 3 && i > 0; n++) {
        i--;
        while (i > 0 && ((unsigned char)form.at[i] & 0xC0) == 0x80)
            i--;
    }
    return (struct text){form.at + i, form.length - i};
}

/* Hashes each feature of "Case=Nom Number=Sing" by itself. */
static void observe_morph(struct text feats, uint32_t *morph)
{
    memset(morph, 0, sizeof *morph * MAX_MORPH);
    for (uint32_t i = 0; i < MAX_MORPH && feats.length && !text_is(feats, "_"); i++)
        morph[i] = cell_hash(text_cut(&feats, '|'));
}

/* Tells verbs, marks and conjunctions by the tags of Universal Dependencies, and of some older treebanks. */
static enum word_kind kind_of(struct text tag, struct text form)
{
    static const char *const conjunctions[] = {"CCONJ", "SCONJ", "CONJ", "CC", "C"};
    if (is_punctuation(form))
        return MARKS;
    if (text_is(tag, "AUX") || text_starts(tag, "V"))
        return VERBS;
    for (size_t i = 0; i < sizeof conjunctions / sizeof *conjunctions; i++)
        if (text_is(tag, conjunctions[i]))
            return CONJUNCTIONS;
    return OTHER_WORDS;
}

void arc_observe(const struct sentence *sentence, struct arc_word *word)
{
    for (uint32_t i = 0; i < sentence->N; i++) {
        struct text form = sentence_cell(sentence, i, 1);
        uint32_t tag = cell_hash(sentence_cell(sentence, i, 3)), fine = cell_hash(sentence_cell(sentence, i, 4));
        word[i] = (struct arc_word){
            .form = (uint32_t)hash_bytes(form.at, form.length),
            .lemma = cell_hash(sentence_cell(sentence, i, 2)),
            .tag = tag ? tag : fine,
            .fine = tag && fine != tag ? fine : 0,
            .feats = cell_hash(sentence_cell(sentence, i, 5)),
            .ending = cell_hash(ending(form)),
            .kind = kind_of(sentence_cell(sentence, i, 3), form),
        };
        observe_morph(sentence_cell(sentence, i, 5), word[i].morph);
    }
}

/* ---- Codes ---- */

/* What the templates see of a word and its surroundings; 0 if there is nothing to see. */
enum code {
    FORM,
    LEMMA,
    TAG,
    FINE,
    FEATS,
    FORM_TAG,
    LEMMA_TAG,
    TAG_FEATS,
    ENDING_TAG,
    TAG_LEFT,  /* and the tag before */
    TAG_RIGHT, /* and the tag after */
    TAG_BOTH,
    FORM_FINE, /* the same with the fine tag */
    FINE_LEFT,
    FINE_RIGHT,
    TWO_LEFT, /* and the two tags before */
    TWO_RIGHT,
    FORM_LEFT, /* and the form before */
    FORM_RIGHT,
    CODES
};

/* Templates over both words: code of the head, code of the modifier. What treebanks lack comes last. */
/* clang-format off */
static const struct {
    uint8_t head, modifier;
} pairs[] = {
    {FORM_TAG, FORM_TAG}, {TAG, FORM_TAG}, {FORM, FORM_TAG}, {FORM_TAG, TAG}, {FORM_TAG, FORM}, {FORM, FORM},
    {TAG, TAG}, {TAG_RIGHT, TAG_LEFT}, {TAG_LEFT, TAG_LEFT}, {TAG_RIGHT, TAG_RIGHT}, {TAG_LEFT, TAG_RIGHT},
    {TAG_BOTH, TAG}, {TAG, TAG_BOTH}, {TAG_RIGHT, TAG}, {TAG_LEFT, TAG}, {TAG, TAG_RIGHT}, {TAG, TAG_LEFT},
    {TAG_BOTH, TAG_BOTH}, {TWO_LEFT, TAG}, {TAG, TWO_LEFT}, {TWO_RIGHT, TAG}, {TAG, TWO_RIGHT},
    {FORM_LEFT, TAG}, {TAG, FORM_LEFT}, {FORM_RIGHT, TAG}, {TAG, FORM_RIGHT},
    {ENDING_TAG, ENDING_TAG}, {TAG, ENDING_TAG}, {ENDING_TAG, TAG}, {FINE, FINE},
    {FINE, FORM_FINE}, {FORM_FINE, FINE}, {FINE_RIGHT, FINE_LEFT}, {FINE_LEFT, FINE_LEFT}, {FINE_RIGHT, FINE_RIGHT},
    {FINE_LEFT, FINE_RIGHT}, {LEMMA, LEMMA}, {LEMMA_TAG, TAG}, {TAG, LEMMA_TAG}, {LEMMA_TAG, LEMMA_TAG},
    {FINE, LEMMA}, {LEMMA, FINE}, {TAG_FEATS, TAG_FEATS}, {FEATS, FEATS}, {TAG_FEATS, TAG}, {TAG, TAG_FEATS},
};
/* clang-format on */

/* Templates over one word. */
static const uint8_t singles[] = {FORM, TAG, FORM_TAG, LEMMA, FINE, TAG_FEATS, TAG_BOTH, ENDING_TAG};

_Static_assert(sizeof pairs / sizeof *pairs == PAIRS && sizeof singles == SINGLES, "all templates have room");

/* What a code is hashed with, so that roles differ: numbers of templates from here on. */
enum { AS_HEAD = 0, AS_MODIFIER = 100, HEAD_ALONE = 200, MODIFIER_ALONE = 300, ENDS = 400, MORPH = 500, BETWEEN = 600 };

/* Returns a word's code for what is hashed with `number`; 0 for nothing. */
static uint32_t code_of(uint64_t seen, uint32_t number)
{
    uint32_t code = (uint32_t)mix(seen, number);
    return seen ? code + !code : 0;
}

static void make_codes(const struct arc_word *word, uint32_t N, uint64_t *codes)
{
    static const struct arc_word root = {.form = 2, .lemma = 2, .tag = 2, .fine = 2, .feats = 2, .ending = 2};
    for (uint32_t t = 0; t <= N; t++) {
        const struct arc_word *w = t ? &word[t - 1] : &root;
        uint64_t left = t > 1 ? word[t - 2].tag : 3, right = t && t < N ? word[t].tag : 4;
        uint64_t *code = codes + (size_t)t * CODES;
        code[FORM] = w->form;
        code[LEMMA] = w->lemma;
        code[TAG] = w->tag;
        code[FINE] = w->fine;
        code[FEATS] = w->feats;
        code[FORM_TAG] = mix(w->form, w->tag);
        code[LEMMA_TAG] = w->lemma ? mix(w->lemma, w->tag) : 0;
        code[TAG_FEATS] = w->feats ? mix(w->tag, w->feats) : 0;
        code[ENDING_TAG] = mix(w->ending, w->tag);
        code[TAG_LEFT] = mix(left, w->tag);
        code[TAG_RIGHT] = mix(w->tag, right);
        code[TAG_BOTH] = mix(left, code[TAG_RIGHT]);
        code[TWO_LEFT] = mix(t > 2 ? word[t - 3].tag : 5, code[TAG_LEFT]);
        code[TWO_RIGHT] = mix(code[TAG_RIGHT], t && t + 1 < N ? word[t + 1].tag : 6);
        code[FORM_LEFT] = mix(t > 1 ? word[t - 2].form : 7, w->tag);
        code[FORM_RIGHT] = mix(w->tag, t && t < N ? word[t].form : 8);
        code[FORM_FINE] = w->fine ? mix(w->form, w->fine) : 0;
        code[FINE_LEFT] = w->fine ? mix(t > 1 ? word[t - 2].fine : 3, w->fine) : 0;
        code[FINE_RIGHT] = w->fine ? mix(w->fine, t && t < N ? word[t].fine : 4) : 0;
    }
}

/* Lists the templates over both words that some word of the sentence can have, in order; sets `sure`. */
static void list_pairs(struct layout *layout, uint8_t *list)
{
    uint32_t words[CODES] = {0}, N = layout->N;
    bool sure = true;
    for (uint32_t t = 1; t <= N; t++)
        for (uint32_t c = 0; c < CODES; c++)
            words[c] += layout->code[(size_t)t * CODES + c] != 0;
    for (uint32_t k = 0; k < PAIRS; k++) {
        if (words[pairs[k].modifier] == 0)
            continue;
        list[layout->listed++] = (uint8_t)k;
        sure = sure && words[pairs[k].head] == N && words[pairs[k].modifier] == N;
        layout->sure += sure;
    }
}

static void make_token(const struct layout *layout, const uint8_t *list, const uint32_t *morph, const uint64_t *code,
                       struct token *token)
{
    *token =
        (struct token){.head_tag = (uint32_t)mix(code[TAG], ENDS), .modifier_tag = (uint32_t)mix(code[TAG], ENDS + 1)};
    for (uint32_t i = 0; i < layout->listed; i++) {
        uint32_t k = list[i];
        token->head[i] = code_of(code[pairs[k].head], AS_HEAD + k);
        token->modifier[i] = code_of(code[pairs[k].modifier], AS_MODIFIER + k);
    }
    for (uint32_t k = 0; k < SINGLES; k++)
        if (code[singles[k]]) {
            token->head_alone[token->alone] = code_of(code[singles[k]], HEAD_ALONE + k);
            token->modifier_alone[token->alone++] = code_of(code[singles[k]], MODIFIER_ALONE + k);
        }
    for (; morph && token->morphs < MORPH_PAIRED && morph[token->morphs]; token->morphs++) {
        uint64_t seen = mix(code[TAG], morph[token->morphs]);
        token->head_morph[token->morphs] = code_of(seen, MORPH);
        token->modifier_morph[token->morphs] = code_of(seen, MORPH + 1);
    }
}

/* Lists, for the root and every word, the next words whose tags are new from there on, for between_row(). */
static void list_fresh(const struct arc_word *word, const struct layout *layout)
{
    for (uint32_t from = 0; from <= layout->N; from++) {
        struct token *token = &layout->token[from];
        uint32_t count = 0;
        for (uint32_t t = from + 1; t <= layout->N && count < MAX_BETWEEN; t++) {
            uint32_t i = 0;
            while (i < count && word[token->fresh[i] - 1].tag != word[t - 1].tag)
                i++;
            if (i < count)
                continue;
            token->between[count] = (uint32_t)mix(word[t - 1].tag, BETWEEN);
            token->fresh[count++] = t;
        }
        for (; count < MAX_BETWEEN; count++)
            token->fresh[count] = UINT32_MAX;
    }
}

/* Counts, for the root and every word, the words of each kind up to there, for count_row(). */
static void count_kinds(const struct arc_word *word, const struct layout *layout)
{
    for (uint32_t t = 1; t <= layout->N; t++) {
        struct token *token = &layout->token[t];
        memcpy(token->counted, token[-1].counted, sizeof token->counted);
        if (word[t - 1].kind < COUNTED_KINDS)
            token->counted[word[t - 1].kind]++;
    }
}

struct layout *arc_lay_out(const struct arc_word *word, uint32_t N, uint32_t bits, const struct arc_room *room,
                           struct scratch *scratch, struct vouch_error *err)
{
    bool all = room->all;
    size_t tokens = ((size_t)N + 1) * sizeof(struct token), codes = ((size_t)N + 1) * CODES;
    size_t numbers = room->rows + 1 + room->rows * room->features + SPILL, sums = all ? 2 * ((size_t)N + 1) : 0;
    uint8_t list[PAIRS];
    if (!scratch_reserve(scratch,
                         sizeof(struct layout) + tokens + codes * sizeof(uint64_t) + sums * sizeof(struct alone) +
                             numbers * sizeof(uint32_t) + room->more,
                         err))
        return NULL;
    struct layout *layout = (struct layout *)(void *)scratch->bytes;
    *layout = (struct layout){.set = simd_best(), .N = N, .shift = 32 - bits};
    layout->code = (uint64_t *)(layout + 1);
    layout->token = (struct token *)(layout->code + codes);
    layout->alone = (struct alone *)(layout->token + N + 1);
    layout->start = (uint32_t *)(layout->alone + sums);
    layout->feature = layout->start + room->rows + 1;
    layout->more = layout->start + numbers;
    make_codes(word, N, layout->code);
    list_pairs(layout, list);
    for (uint32_t t = 0; t <= N; t++)
        make_token(layout, list, t ? word[t - 1].morph : NULL, layout->code + (size_t)t * CODES, &layout->token[t]);
    if (all) {
        list_fresh(word, layout);
        count_kinds(word, layout);
    }
    return layout;
}

/* ---- Rows ---- */

/* Writes the rows of groups from .. to - 1, whose arcs are laid out as in tree/tree.h. */
SIMD_BODY void write_arcs(const struct layout *layout, uint32_t from, uint32_t to)
{
    uint32_t count = 0, row = layout->N + 1, h = from % row, m = from / row + 1;
    for (uint32_t g = from; g < to; g++) {
        layout->start[g - from] = count;
        if (h != m) {
            struct arc arc = arc_of(layout, h, m);
            count += arc_row(layout, &arc, layout->feature + count);
            if (h) {
                uint32_t low = h < m ? h : m, high = h < m ? m : h;
                count += between_row(&arc, &layout->token[low], high, layout->feature + count);
                count += morph_row(&arc, layout->feature + count);
                count += count_row(&arc, &layout->token[low], &layout->token[high], layout->feature + count);
            }
        }
        m += h == layout->N;
        h = h == layout->N ? 0 : h + 1;
    }
    layout->start[to - from] = count;
}

SIMD_KERNEL(write_arcs, (const struct layout *layout, uint32_t from, uint32_t to), (layout, from, to))

/* Makes rows as struct parts defines it: up to as many as one word has. */
static void make_arcs(void *maker, uint32_t from, uint32_t to, struct rows *rows)
{
    const struct layout *layout = maker;
    uint32_t room = layout->N + 1;
    rows->count = to - from < room ? to - from : room;
    write_arcs_for[layout->set](layout, from, from + rows->count);
    rows->start = layout->start;
    rows->feature = layout->feature;
}

bool arc_parts(const struct arc_word *word, uint32_t N, uint32_t bits, struct scratch *scratch, struct parts *parts,
               struct vouch_error *err)
{
    if (N > MAX_TREE)
        return fail(err, VOUCH_ERR_FORMAT, "expected at most %d words in a sentence that is parsed, found %u", MAX_TREE,
                    N);
    struct arc_room room = {.rows = (size_t)N + 1, .features = ROW_ROOM, .all = true};
    struct layout *layout = arc_lay_out(word, N, bits, &room, scratch, err);
    if (!layout)
        return false;
    *parts = (struct parts){.N = N,
                            .node = {.count = N * (N + 1)},
                            .make = make_arcs,
                            .sum = arc_sum,
                            .maker = layout,
                            .names = arc_names(word, true)};
    return true;
}
