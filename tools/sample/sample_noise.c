/*
 * Adds noise to the synthetic corpus: see sample_noise.h.
 *
 * Parts of speech are replaced word by word. In chunks and entities a whole
 * span counts once: it loses its label, or gets another type, or loses or gains
 * a word at its edge, and stays legal IOB2. A head is replaced by another word
 * that is not below it, near ones more often, so that a tree with one root
 * remains; the root itself stays.
 *
 * Cost: linear in the words; for heads, a replacement costs O(N depth).
 */
#include "sample/sample_noise.h"

#include "sample/sample_grammar.h"

static const char *const tags[] = {"NN", "NNP", "NNS", "JJ", "VBD", "VB",  "VBZ", "VBP", "VBN",  "VBG", "IN",
                                   "DT", "CD",  "RB",  "MD", "TO",  "PRP", "CC",  "RP",  "PRP$", "WDT", "POS"};
#define TAGS (sizeof tags / sizeof *tags)

struct noise {
    struct rng rng;
    uint64_t threshold; /* of 2^32 */
    enum sample_layer layer;
    const char *const (*label)[2]; /* of the layer, unless it is parts of speech */
    unsigned types;
};

static bool noise_hits(struct noise *noise)
{
    return rng_next(&noise->rng) < noise->threshold;
}

static void relabel(struct noise *noise, struct sample_word *word, const char *label)
{
    word->noisy = word->noisy || strcmp(word->label[noise->layer], label) != 0;
    word->label[noise->layer] = label;
}

static void add_tag_noise(struct noise *noise, struct sample_sentence *s)
{
    for (uint32_t i = 0; i < s->N; i++)
        if (noise_hits(noise)) {
            size_t tag = rng_below(&noise->rng, TAGS);
            if (strcmp(tags[tag], s->word[i].label[LAYER_POS]) == 0)
                tag = (tag + 1) % TAGS;
            relabel(noise, &s->word[i], tags[tag]);
        }
}

static unsigned type_of(const struct noise *noise, const char *label)
{
    for (unsigned type = 1; type < noise->types; type++)
        if (strcmp(noise->label[type][0] + 2, label + 2) == 0)
            return type;
    return 0;
}

/*
 * Spoils the span of words first .. end-1: they lose it, or get another type, or it loses or gains a word at its edge.
 */
static void spoil_span(struct noise *noise, struct sample_sentence *s, uint32_t first, uint32_t end)
{
    struct sample_word *word = s->word;
    unsigned type = type_of(noise, word[first].label[noise->layer]);
    uint32_t way = rng_below(&noise->rng, 8);
    if (way < 4 && noise->types > 2) {
        type = 1 + (type + rng_below(&noise->rng, noise->types - 2)) % (noise->types - 1);
        for (uint32_t i = first; i < end; i++)
            relabel(noise, &word[i], noise->label[type][i > first]);
    } else if (way == 4 && end - first > 1) {
        relabel(noise, &word[first], "O");
        relabel(noise, &word[first + 1], noise->label[type][0]);
    } else if (way == 5 && end - first > 1) {
        relabel(noise, &word[end - 1], "O");
    } else if (way == 5 && end < s->N && strcmp(word[end].label[noise->layer], "O") == 0) {
        relabel(noise, &word[end], noise->label[type][1]);
    } else {
        for (uint32_t i = first; i < end; i++)
            relabel(noise, &word[i], "O");
    }
}

static void add_span_noise(struct noise *noise, struct sample_sentence *s)
{
    uint32_t end;
    for (uint32_t first = 0; first < s->N; first = end) {
        end = first + 1;
        if (s->word[first].noisy)
            continue;
        const char *label = s->word[first].label[noise->layer];
        bool outside = label[0] == 'O';
        while (!outside && end < s->N && s->word[end].label[noise->layer][0] == 'I')
            end++;
        if (!noise_hits(noise))
            continue;
        if (outside)
            relabel(noise, &s->word[first], noise->label[1 + rng_below(&noise->rng, noise->types - 1)][0]);
        else
            spoil_span(noise, s, first, end);
    }
}

static bool depends_on(const struct sample_sentence *s, uint32_t word, uint32_t above)
{
    while (word != 0 && word != above)
        word = s->word[word - 1].head;
    return word == above;
}

/* Returns how often, relatively, the head of `word` is mistaken for `head`: 0 if that is right, or no tree. */
static uint32_t mistake_weight(const struct sample_sentence *s, uint32_t word, uint32_t head)
{
    if (head == s->word[word - 1].head || depends_on(s, head, word))
        return 0;
    return 1 + 64 / (head < word ? word - head : head - word);
}

static void mistake_head(struct noise *noise, struct sample_sentence *s, uint32_t word)
{
    uint32_t total = 0, head = 0;
    for (uint32_t i = 1; i <= s->N; i++)
        total += mistake_weight(s, word, i);
    if (total == 0)
        return;
    uint32_t left = rng_below(&noise->rng, total), weight = 0;
    do {
        left -= weight;
        weight = mistake_weight(s, word, ++head);
    } while (left >= weight);
    s->word[word - 1].head = head;
    s->word[word - 1].noisy = true;
}

static void add_head_noise(struct noise *noise, struct sample_sentence *s)
{
    for (uint32_t word = 1; word <= s->N; word++)
        if (noise_hits(noise) && s->word[word - 1].head != 0)
            mistake_head(noise, s, word);
}

void add_noise(const struct sample_options *options, uint64_t number, struct sample_sentence *s)
{
    struct noise noise = {.rng = rng_new(options->seed ^ SAMPLE_SALT, 2 * number + 1),
                          .threshold = (uint64_t)(options->noise * 0x1p32)};
    if (options->kind == SAMPLE_POS) {
        noise.layer = LAYER_POS;
        add_tag_noise(&noise, s);
        return;
    }
    if (options->kind == SAMPLE_DEP) {
        add_head_noise(&noise, s);
        return;
    }
    bool entities = options->kind == SAMPLE_NER;
    noise.layer = entities ? LAYER_NER : LAYER_CHUNK;
    noise.label = entities ? entity_label : chunk_label;
    noise.types = entities ? ENTITY_TYPES : options->kind == SAMPLE_NP ? NP + 1 : CHUNK_TYPES;
    add_span_noise(&noise, s);
}
