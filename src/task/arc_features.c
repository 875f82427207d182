/*
 * Makes the features of arcs: McDonald, Crammer and Pereira's (2005), with
 * lemmas and morphology where the treebank has them.
 *
 * Every feature is a hash of a template's number, what it sees of head and
 * modifier, and the direction and distance of the arc. What a template sees of
 * one word is hashed once for each word (its codes), so that a feature of an
 * arc costs one or two multiplications. The rows of sentences of hundreds of
 * words are not kept, but made when they are needed, all arcs of a word at a
 * time.
 */
#include "task/arc_features.h"

#include "base/hash.h"

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

/* Templates over both words: code of the head, code of the modifier. */
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
    {LEMMA, LEMMA},
    {LEMMA_TAG, TAG},
    {TAG, LEMMA_TAG},
    {LEMMA_TAG, LEMMA_TAG},
    {FINE, FINE},
    {TAG_FEATS, TAG_FEATS},
    {FEATS, FEATS},
    {TAG_FEATS, TAG},
    {TAG, TAG_FEATS},
    {FINE, LEMMA},
    {LEMMA, FINE},
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
    {FINE, FORM_FINE},
    {FORM_FINE, FINE},
    {FINE_RIGHT, FINE_LEFT},
    {FINE_LEFT, FINE_LEFT},
    {FINE_RIGHT, FINE_RIGHT},
    {FINE_LEFT, FINE_RIGHT},
    {ENDING_TAG, ENDING_TAG},
    {TAG, ENDING_TAG},
    {ENDING_TAG, TAG},
};

/* Templates over one word. */
static const uint8_t singles[] = {FORM, TAG, FORM_TAG, LEMMA, FINE, TAG_FEATS, TAG_BOTH, ENDING_TAG};

enum {
    PAIRS = sizeof pairs / sizeof *pairs,
    SINGLES = sizeof singles / sizeof *singles,
    MAX_BETWEEN = 12, /* distinct tags between two words that are looked at */
    ROW_ROOM = 2 * PAIRS + 2 * SINGLES + MAX_BETWEEN + MAX_MORPH * MAX_MORPH
};

static uint64_t mix(uint64_t a, uint64_t b)
{
    uint64_t h = (a ^ (b + UINT64_C(0x9E3779B97F4A7C15))) * UINT64_C(0xD6E8FEB86659FD93);
    return h ^ (h >> 32);
}

/* Returns the number of a feature: the high bits of its key, mixed once more. */
static uint32_t block_of(uint64_t key, uint32_t bits)
{
    return (uint32_t)(key * UINT64_C(0x9E3779B97F4A7C15) >> (64 - bits));
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
    for (uint32_t i = 0; i < MAX_MORPH && feats.length && !text_is(feats, "_"); i++) {
        const char *bar = memchr(feats.at, '|', feats.length);
        uint32_t length = bar ? (uint32_t)(bar - feats.at) : feats.length, step = length + (bar != NULL);
        morph[i] = cell_hash((struct text){feats.at, length});
        feats = (struct text){feats.at + step, feats.length - step};
    }
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
        };
        observe_morph(sentence_cell(sentence, i, 5), word[i].morph);
    }
}

/* The arrays of a call, in the caller's scratch, which begins with it. */
struct layout {
    const struct arc_word *word; /* [N] */
    uint32_t N, bits;
    uint64_t *code;    /* [N + 1][CODES] of the root, then of every word */
    uint32_t *fresh;   /* [N + 1][MAX_BETWEEN] the next words whose tags are new from there on; 0 after the last */
    uint32_t *start;   /* [rows + 1] */
    uint32_t *feature; /* [rows][ROW_ROOM] at most */
};

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

/* Makes room for so many rows; NULL out of memory. */
static struct layout *lay_out(const struct arc_word *word, uint32_t N, uint32_t bits, size_t rows,
                              struct scratch *scratch, struct vouch_error *err)
{
    size_t codes = ((size_t)N + 1) * CODES, fresh = ((size_t)N + 1) * MAX_BETWEEN;
    size_t numbers = fresh + rows + 1 + rows * ROW_ROOM;
    if (!scratch_reserve(scratch, sizeof(struct layout) + codes * sizeof(uint64_t) + numbers * sizeof(uint32_t), err))
        return NULL;
    struct layout *layout = (struct layout *)(void *)scratch->bytes;
    *layout = (struct layout){.word = word, .N = N, .bits = bits, .code = (uint64_t *)(layout + 1)};
    layout->fresh = (uint32_t *)(layout->code + codes);
    layout->start = layout->fresh + fresh;
    layout->feature = layout->start + rows + 1;
    make_codes(word, N, layout->code);
    return layout;
}

/* Lists, for the root and every word, the next words whose tags are new from there on, for between_row(). */
static void list_fresh(const struct layout *layout)
{
    const struct arc_word *word = layout->word;
    for (uint32_t from = 0; from <= layout->N; from++) {
        uint32_t *fresh = layout->fresh + (size_t)from * MAX_BETWEEN, count = 0;
        for (uint32_t t = from + 1; t <= layout->N && count < MAX_BETWEEN; t++) {
            uint32_t i = 0;
            while (i < count && word[fresh[i] - 1].tag != word[t - 1].tag)
                i++;
            if (i == count)
                fresh[count++] = t;
        }
        if (count < MAX_BETWEEN)
            fresh[count] = 0;
    }
}

/* Returns the distance in steps: 1, 2, 3, 4, 5, 6-10, more. */
static uint32_t distance(uint32_t a, uint32_t b)
{
    uint32_t d = a > b ? a - b : b - a;
    return d <= 5 ? d : d <= 10 ? 6 : 7;
}

struct arc {
    const uint64_t *head, *modifier; /* codes */
    uint64_t way;                    /* direction */
    uint64_t far;                    /* direction and distance */
};

static struct arc arc_of(const uint64_t *code, uint32_t head, uint32_t modifier)
{
    uint64_t way = head == 0 ? 3 : head < modifier ? 1 : 2;
    return (struct arc){.head = code + (size_t)head * CODES,
                        .modifier = code + (size_t)modifier * CODES,
                        .way = way,
                        .far = way * 8 + (head == 0 ? 0 : distance(head, modifier))};
}

/* Appends the features of an arc to `out`; returns how many. */
static uint32_t arc_row(const struct arc *arc, uint32_t bits, uint32_t *out)
{
    uint32_t count = 0;
    for (uint32_t k = 0; k < PAIRS; k++) {
        uint64_t h = arc->head[pairs[k].head], m = arc->modifier[pairs[k].modifier];
        if (!h || !m)
            continue;
        uint64_t key = mix(mix(h, m + k), arc->way);
        out[count++] = block_of(key, bits);
        out[count++] = block_of(mix(key, arc->far), bits);
    }
    for (uint32_t k = 0; k < SINGLES; k++) {
        uint64_t h = arc->head[singles[k]], m = arc->modifier[singles[k]];
        if (h)
            out[count++] = block_of(mix(mix(h, 100 + k), arc->far), bits);
        if (m)
            out[count++] = block_of(mix(mix(m, 200 + k), arc->far), bits);
    }
    return count;
}

/* Appends features of the tags between the two words, each tag once. */
static uint32_t between_row(const struct layout *layout, uint32_t head, uint32_t modifier, const struct arc *arc,
                            uint32_t *out)
{
    uint32_t low = head < modifier ? head : modifier, high = head < modifier ? modifier : head, count = 0;
    const uint32_t *fresh = layout->fresh + (size_t)low * MAX_BETWEEN;
    uint64_t ends = mix(mix(arc->head[TAG], arc->modifier[TAG] + 77), arc->way);
    for (; count < MAX_BETWEEN && fresh[count] && fresh[count] < high; count++)
        out[count] = block_of(mix(ends, layout->word[fresh[count] - 1].tag), layout->bits);
    return count;
}

/* Appends every pair of morphological features of the two words: agreement. */
static uint32_t morph_row(const struct arc_word *head, const struct arc_word *modifier, const struct arc *arc,
                          uint32_t bits, uint32_t *out)
{
    uint32_t count = 0;
    uint64_t ends = mix(mix(arc->head[TAG], arc->modifier[TAG] + 99), arc->way);
    for (uint32_t a = 0; a < MAX_MORPH && head->morph[a]; a++)
        for (uint32_t b = 0; b < MAX_MORPH && modifier->morph[b]; b++) {
            uint64_t key = mix(ends, mix(head->morph[a], modifier->morph[b]));
            out[count++] = block_of(key, bits);
        }
    return count;
}

/* Writes the rows of groups from .. to - 1, whose arcs are laid out as in tree/tree.h. */
static void write_arcs(const struct layout *layout, uint32_t from, uint32_t to)
{
    const struct arc_word *word = layout->word;
    uint32_t count = 0, row = layout->N + 1;
    for (uint32_t g = from; g < to; g++) {
        uint32_t h = g % row, m = g / row + 1;
        layout->start[g - from] = count;
        if (h == m)
            continue;
        struct arc arc = arc_of(layout->code, h, m);
        count += arc_row(&arc, layout->bits, layout->feature + count);
        if (h == 0)
            continue;
        count += between_row(layout, h, m, &arc, layout->feature + count);
        count += morph_row(&word[h - 1], &word[m - 1], &arc, layout->bits, layout->feature + count);
    }
    layout->start[to - from] = count;
}

/* Makes rows as struct parts defines it: up to as many as one word has. */
static void make_arcs(void *maker, uint32_t from, uint32_t to, struct rows *rows)
{
    struct layout *layout = maker;
    uint32_t room = layout->N + 1;
    rows->count = to - from < room ? to - from : room;
    write_arcs(layout, from, from + rows->count);
    rows->start = layout->start;
    rows->feature = layout->feature;
}

/* Returns the names of words, which lie one after the other: form, lemma, tag, fine tag. */
static struct word_names names_of(const struct arc_word *word, bool heads)
{
    return (struct word_names){.name = &word->form, .stride = sizeof *word / sizeof word->form, .heads = heads};
}

bool arc_parts(const struct arc_word *word, uint32_t N, uint32_t bits, struct scratch *scratch, struct parts *parts,
               struct vouch_error *err)
{
    if (N > MAX_TREE)
        return fail(err, VOUCH_ERR_FORMAT, "expected at most %d words in a sentence that is parsed, found %u",
                    MAX_TREE, N);
    uint32_t groups = N * (N + 1);
    bool whole = N <= MAX_TREE_KEPT;
    struct layout *layout = lay_out(word, N, bits, whole ? groups : N + 1, scratch, err);
    if (!layout)
        return false;
    list_fresh(layout);
    *parts = (struct parts){.N = N, .node = {.count = groups}, .names = names_of(word, true)};
    if (whole) {
        write_arcs(layout, 0, groups);
        parts->node.start = layout->start;
        parts->node.feature = layout->feature;
    } else {
        parts->make = make_arcs;
        parts->maker = layout;
    }
    return true;
}

bool relation_parts(const struct arc_word *word, const uint32_t *head, uint32_t N, uint32_t bits,
                    struct scratch *scratch, struct parts *parts, struct vouch_error *err)
{
    struct layout *layout = lay_out(word, N, bits, N, scratch, err);
    if (!layout)
        return false;
    uint32_t count = 0;
    for (uint32_t m = 1; m <= N; m++) {
        layout->start[m - 1] = count;
        struct arc arc = arc_of(layout->code, head[m - 1], m);
        count += arc_row(&arc, bits, layout->feature + count);
    }
    layout->start[N] = count;
    *parts = (struct parts){.N = N,
                            .node = {.count = N, .start = layout->start, .feature = layout->feature},
                            .names = names_of(word, false)};
    return true;
}
