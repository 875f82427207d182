/*
 * Makes the features of arcs: McDonald, Crammer and Pereira's (2005), with
 * lemmas and morphology where the treebank has them.
 *
 * What template k sees of one word is hashed once for each word, as head and as modifier, to 32 bits: its codes. With
 * an odd constant C, the key of an arc's feature is
 *
 *     x   = code of the head + code of the modifier + code of the direction
 *     key = (x ^ (x >> 15)) * C
 *
 * and its high bits are the number of the feature: additions, shifts and one product in 32 bits, for eight or sixteen
 * templates at a time. The same feature with the distance of the arc, 1 to 7, has the number (that xor the distance):
 * it lies in the same cache line, so that both cost one memory access.
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

/* Writes the features of templates over both words, then the same with the distance; returns how many. */
SIMD_BODY uint32_t pair_row(const struct layout *layout, const struct arc *arc, uint32_t *restrict out)
{
    uint32_t block[PAIR_ROOM], count = layout->sure;
    const uint32_t *head = arc->head->head, *modifier = arc->modifier->modifier;
    for (uint32_t b = 0; b < layout->listed; b += STEP)
        for (uint32_t k = b; k < b + STEP; k++)
            block[k] = block_of(head[k] + modifier[k] + arc->way, arc->shift);
    for (uint32_t k = layout->sure; k < layout->listed; k++) {
        block[count] = block[k];
        count += head[k] && modifier[k];
    }
    for (uint32_t b = 0; b < count; b += STEP)
        for (uint32_t k = b; k < b + STEP; k++)
            out[k] = block[k];
    if (!arc->distance)
        return count;
    out += count;
    for (uint32_t b = 0; b < count; b += STEP)
        for (uint32_t k = b; k < b + STEP; k++)
            out[k] = block[k] ^ arc->distance;
    return 2 * count;
}

/* Writes the features of templates over one word of the arc. */
SIMD_BODY uint32_t single_row(const struct arc *arc, const uint32_t *alone, uint32_t count, uint32_t *restrict out)
{
    for (uint32_t k = 0; k < SINGLES; k++)
        out[k] = block_of(alone[k] + arc->way, arc->shift) ^ arc->distance;
    return count;
}

SIMD_BODY uint32_t arc_row(const struct layout *layout, const struct arc *arc, uint32_t *out)
{
    uint32_t count = pair_row(layout, arc, out);
    count += single_row(arc, arc->head->head_alone, arc->head->alone, out + count);
    count += single_row(arc, arc->modifier->modifier_alone, arc->modifier->alone, out + count);
    return count;
}

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

/* Returns the names of words, which lie one after the other: form, lemma, tag, fine tag. */
static struct word_names names_of(const struct arc_word *word, bool heads)
{
    return (struct word_names){.name = &word->form, .stride = sizeof *word / sizeof word->form, .heads = heads};
}

bool arc_parts(const struct arc_word *word, uint32_t N, uint32_t bits, struct scratch *scratch, struct parts *parts,
               struct vouch_error *err)
{
    if (N > MAX_TREE)
        return fail(err, VOUCH_ERR_FORMAT, "expected at most %d words in a sentence that is parsed, found %u", MAX_TREE,
                    N);
    struct layout *layout = arc_lay_out(word, N, bits, (size_t)N + 1, true, scratch, err);
    if (!layout)
        return false;
    *parts = (struct parts){.N = N,
                            .node = {.count = N * (N + 1)},
                            .make = make_arcs,
                            .sum = arc_sum,
                            .maker = layout,
                            .names = names_of(word, true)};
    return true;
}

void arc_parts_use(const struct parts *parts, enum simd set)
{
    ((struct layout *)parts->maker)->set = set;
}

/* Writes the row of every word's arc. */
SIMD_BODY void write_relations(const struct layout *layout, const uint32_t *head)
{
    uint32_t count = 0;
    for (uint32_t m = 1; m <= layout->N; m++) {
        struct arc arc = arc_of(layout, head[m - 1], m);
        layout->start[m - 1] = count;
        count += arc_row(layout, &arc, layout->feature + count);
    }
    layout->start[layout->N] = count;
}

SIMD_KERNEL(write_relations, (const struct layout *layout, const uint32_t *head), (layout, head))

bool relation_parts(const struct arc_word *word, const uint32_t *head, uint32_t N, uint32_t bits,
                    struct scratch *scratch, struct parts *parts, struct vouch_error *err)
{
    struct layout *layout = arc_lay_out(word, N, bits, N, false, scratch, err);
    if (!layout)
        return false;
    write_relations_for[layout->set](layout, head);
    *parts = (struct parts){.N = N,
                            .node = {.count = N, .start = layout->start, .feature = layout->feature},
                            .names = names_of(word, false)};
    return true;
}
