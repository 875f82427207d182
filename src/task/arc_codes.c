/* Hashes what the templates see of each word: see arc_features.c. */
#include "task/arc_codes.h"

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
    CODES
};

/* Templates over both words: code of the head, code of the modifier. What treebanks lack comes last. */
static const struct {
    uint8_t head, modifier;
} pairs[] = {
    {FORM_TAG, FORM_TAG},
    {TAG, FORM_TAG},
    {FORM, FORM_TAG},
    {FORM_TAG, TAG},
    {FORM_TAG, FORM},
    {FORM, FORM},
    {TAG, TAG},
    {TAG_RIGHT, TAG_LEFT},
    {TAG_LEFT, TAG_LEFT},
    {TAG_RIGHT, TAG_RIGHT},
    {TAG_LEFT, TAG_RIGHT},
    {TAG_BOTH, TAG},
    {TAG, TAG_BOTH},
    {TAG_RIGHT, TAG},
    {TAG_LEFT, TAG},
    {TAG, TAG_RIGHT},
    {TAG, TAG_LEFT},
    {TAG_BOTH, TAG_BOTH},
    {ENDING_TAG, ENDING_TAG},
    {TAG, ENDING_TAG},
    {ENDING_TAG, TAG},
    {FINE, FINE},
    {FINE, FORM_FINE},
    {FORM_FINE, FINE},
    {FINE_RIGHT, FINE_LEFT},
    {FINE_LEFT, FINE_LEFT},
    {FINE_RIGHT, FINE_RIGHT},
    {FINE_LEFT, FINE_RIGHT},
    {LEMMA, LEMMA},
    {LEMMA_TAG, TAG},
    {TAG, LEMMA_TAG},
    {LEMMA_TAG, LEMMA_TAG},
    {FINE, LEMMA},
    {LEMMA, FINE},
    {TAG_FEATS, TAG_FEATS},
    {FEATS, FEATS},
    {TAG_FEATS, TAG},
    {TAG, TAG_FEATS},
};

/* Templates over one word. */
static const uint8_t singles[] = {FORM, TAG, FORM_TAG, LEMMA, FINE, TAG_FEATS, TAG_BOTH, ENDING_TAG};

_Static_assert(sizeof pairs / sizeof *pairs == PAIRS && sizeof singles == SINGLES, "all templates have room");

/* What a code is hashed with, so that roles differ: numbers of templates from here on. */
enum { AS_HEAD = 0, AS_MODIFIER = 100, HEAD_ALONE = 200, MODIFIER_ALONE = 300, ENDS = 400, MORPH = 500, BETWEEN = 600 };

static uint64_t mix(uint64_t a, uint64_t b)
{
    uint64_t h = (a ^ (b + UINT64_C(0x9E3779B97F4A7C15))) * UINT64_C(0xD6E8FEB86659FD93);
    return h ^ (h >> 32);
}

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
    for (; morph && token->morphs < MAX_MORPH && morph[token->morphs]; token->morphs++) {
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

struct layout *arc_lay_out(const struct arc_word *word, uint32_t N, uint32_t bits, size_t rows, bool all,
                           struct scratch *scratch, struct vouch_error *err)
{
    size_t tokens = ((size_t)N + 1) * sizeof(struct token), codes = ((size_t)N + 1) * CODES;
    size_t numbers = rows + 1 + rows * ROW_ROOM + SPILL, sums = all ? 2 * ((size_t)N + 1) : 0;
    uint8_t list[PAIRS];
    if (!scratch_reserve(scratch,
                         sizeof(struct layout) + tokens + codes * sizeof(uint64_t) + sums * sizeof(struct alone) +
                             numbers * sizeof(uint32_t),
                         err))
        return NULL;
    struct layout *layout = (struct layout *)(void *)scratch->bytes;
    *layout = (struct layout){.set = simd_best(), .N = N, .shift = 32 - bits};
    layout->code = (uint64_t *)(layout + 1);
    layout->token = (struct token *)(layout->code + codes);
    layout->alone = (struct alone *)(layout->token + N + 1);
    layout->start = (uint32_t *)(layout->alone + sums);
    layout->feature = layout->start + rows + 1;
    make_codes(word, N, layout->code);
    list_pairs(layout, list);
    for (uint32_t t = 0; t <= N; t++)
        make_token(layout, list, t ? word[t - 1].morph : NULL, layout->code + (size_t)t * CODES, &layout->token[t]);
    if (all)
        list_fresh(word, layout);
    return layout;
}
