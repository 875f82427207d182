/*
 * Makes a synthetic corpus from a seeded grammar: see sample.h, and
 * sample_grammar.c for the language.
 *
 * A sentence is derived top-down, depth first, so that its words come out from
 * left to right. Expanding a symbol returns the word that heads it: that of its
 * head part, to which the heads of the other parts are attached. Each word is
 * thus attached once, by the production in which it stops being the head, and
 * the head of the sentence is the one root. In trees a part may also depend on
 * its neighbour's head, by a draw with the words' preferences, or on that of a
 * part from which it was moved away: then arcs cross. Chunks and entities are
 * spans that symbols open: the innermost chunk counts, and the outermost
 * entity, so that the city in "Bank of Jordan" is part of a firm.
 *
 * Two streams of random numbers belong to sentence i, 2 i for the derivation
 * and 2 i + 1 for the noise, so that noise never changes the text. All choices
 * are made with integers.
 *
 * Cost: linear in the words made, apart from the search for lemmas of trees (see sample_lexicon.c). Arcs cross in
 * SAMPLE_DEP alone, whose sentences are therefore not those of the other kinds.
 */
#include "sample/sample.h"

#include "sample/sample_language.h"

#include <inttypes.h>
#include <stdio.h>

#define DEEP 18                                  /* from here on, first productions only */
#define SAMPLE_SALT UINT64_C(0x73616D706C650001) /* keeps these streams apart from others of the same seed */

struct maker {
    bool held_out;
    bool trees; /* all productions are in use */
    struct rng rng;
    struct sample_sentence *out;
    unsigned chunk, entity;     /* the spans that are open */
    bool new_chunk, new_entity; /* and have no word yet */
    bool capital;               /* the next word starts the sentence */
    bool ok;                    /* after a failure nothing more is made */
    struct vouch_error *err;
};

void sample_release(struct sample_sentence *sentence)
{
    free(sentence->word);
    free(sentence->bytes);
    *sentence = (struct sample_sentence){0};
}

/* Words. */

static void append(struct maker *m, const char *bytes, size_t count)
{
    struct sample_sentence *out = m->out;
    m->ok = m->ok && RESERVE(out->bytes, out->bytes_capacity, out->bytes_used + count, m->err);
    if (!m->ok)
        return;
    memcpy(out->bytes + out->bytes_used, bytes, count);
    out->bytes_used += count;
    out->word[out->N - 1].form.length += (uint32_t)count;
}

static bool starts_with_vowel(const char *form)
{
    return strchr("aeiouAEIOU", form[0]) != NULL;
}

/* Starts a word that begins with `form`, and returns it; append() continues it. */
static uint32_t start_word(struct maker *m, const char *form, size_t length, const char *tag)
{
    struct sample_sentence *out = m->out;
    if (out->N > 0 && out->word[out->N - 1].form.length == 1 && starts_with_vowel(form) &&
        strchr("aA", out->bytes[out->bytes_used - 1]))
        append(m, "n", 1);
    m->ok = m->ok && RESERVE(out->word, out->word_capacity, (size_t)out->N + 1, m->err);
    if (!m->ok)
        return 0;
    out->word[out->N++] = (struct sample_word){.label = {[LAYER_POS] = tag,
                                                         [LAYER_CHUNK] = chunk_label[m->chunk][!m->new_chunk],
                                                         [LAYER_NER] = entity_label[m->entity][!m->new_entity]}};
    m->new_chunk = m->new_entity = false;
    append(m, form, length);
    if (m->ok && m->capital && form[0] != '`') {
        char *first = out->bytes + out->bytes_used - length;
        if (*first >= 'a' && *first <= 'z')
            *first = (char)(*first - 'a' + 'A');
        m->capital = false;
    }
    return out->N - 1;
}

/* Adds one or several words of one tag, separated by spaces in `form`; returns the first, which is the head. */
static uint32_t emit(struct maker *m, const char *form, const char *tag)
{
    uint32_t head = m->out->N;
    for (size_t length; m->ok && *form; form += length + (form[length] == ' ')) {
        length = strcspn(form, " ");
        uint32_t last = start_word(m, form, length, form[0] == '&' ? "CC" : tag);
        if (last > head) {
            m->out->word[last].head = head + 1;
            m->out->word[last].relation = "flat";
        }
    }
    return head;
}

static uint32_t emit_verb(struct maker *m, const char *forms, const char *tag)
{
    static const char column[] = "BZDNG"; /* VB and VBP, VBZ, VBD, VBN, VBG */
    const char *at = tag[2] ? strchr(column, tag[2]) : NULL;
    for (ptrdiff_t skip = at ? at - column : 0; skip > 0; skip--)
        forms += strcspn(forms, " ") + 1;
    return start_word(m, forms, strcspn(forms, " "), tag);
}

static uint32_t emit_plural(struct maker *m, const char *noun, const char *tag)
{
    size_t length = strlen(noun);
    char last = noun[length - 1], before = noun[length - 2];
    bool y = last == 'y' && !starts_with_vowel(&before);
    bool hisses = last == 's' || last == 'x' || (last == 'h' && (before == 'c' || before == 's'));
    const char *ending = y ? "ies" : hisses ? "es" : "s";
    uint32_t head = start_word(m, noun, length - y, tag);
    append(m, ending, strlen(ending));
    return head;
}

static uint32_t emit_word(struct maker *m, enum word_class word_class, const char *tag)
{
    const struct word_list *list = &word_lists[word_class];
    uint32_t which = draw_chance(&m->rng, 40) ? draw_rank(&m->rng, list->count) : rng_below(&m->rng, list->count);
    const char *form = list->form[which];
    if (list->verbs)
        return emit_verb(m, form, tag);
    return strcmp(tag, "NNS") == 0 ? emit_plural(m, form, tag) : emit(m, form, tag);
}

static uint32_t emit_name(struct maker *m, enum name_role role, const char *tag)
{
    const char *part[NAME_PARTS];
    draw_name(&m->rng, role, m->held_out, part);
    uint32_t head = emit(m, part[0], tag);
    for (unsigned i = 1; i < NAME_PARTS && part[i]; i++)
        append(m, part[i], strlen(part[i]));
    return head;
}

/* Writes a figure made of three drawn numbers: a below 9, b below 10, c below 26. */
static int write_figure(enum figure figure, unsigned a, unsigned b, unsigned c, char *form, size_t room)
{
    switch (figure) {
    case COUNT_FIGURE:
        return snprintf(form, room, a < 6 ? "%u" : "%u,%u00", a + 2, b + 1 - (b == 9));
    case DECIMAL:
        return snprintf(form, room, "%u.%u", a + 1, b);
    case YEAR:
        return snprintf(form, room, "%u", 1930 + 10 * a + b);
    case AGE:
        return snprintf(form, room, "%u", 19 + 5 * a + b);
    case DAY:
        return snprintf(form, room, "%u", c + 1);
    case GOALS:
        return snprintf(form, room, "%u", a / 2);
    case GOAL_SCORE:
        return snprintf(form, room, "%u-%u", 1 + a / 3, b % (1 + a / 3));
    case SET_SCORE:
        return snprintf(form, room, "6-%u", b % 5);
    case DATE:
        return snprintf(form, room, "19%u%u-%02u-%02u", a / 3 + 7, b, a + 1, c + 1);
    case PLACING:
        return snprintf(form, room, "%u.", a + 1);
    case TIME_TAKEN:
        return snprintf(form, room, "%u:%02u.%u", a / 4 + 1, c + 10, b);
    case INITIAL:
        return snprintf(form, room, "%c.", 'A' + (int)c);
    default: /* ACRONYM */
        return snprintf(form, room, "%c%c%c", "ABCDEFGKLMNPRSTUVW"[c % 18], "ABCEFGIKMNOPRSTUVD"[b + a],
                        "ABCDFGKLMNPRST"[a + b / 2]);
    }
}

static uint32_t emit_figure(struct maker *m, enum figure figure, const char *tag)
{
    char form[32];
    unsigned a = rng_below(&m->rng, 9), b = rng_below(&m->rng, 10), c = rng_below(&m->rng, 26);
    write_figure(figure, a, b, c, form, sizeof form);
    return emit(m, form, tag);
}

/* Derivation. */

static uint32_t total_weight(const struct symbol_rules *rules)
{
    uint32_t total = 0;
    for (uint32_t i = 0; i < rules->count; i++)
        total += rules->production[i].weight;
    return total;
}

static const struct production *draw_production(struct maker *m, enum symbol symbol, unsigned depth)
{
    const struct symbol_rules *rules = &symbol_rules[symbol];
    uint32_t further = m->trees ? total_weight(&tree_rules[symbol]) : 0;
    const struct production *p = rules->production;
    if (depth >= DEEP || (rules->count == 1 && further == 0))
        return p;
    uint32_t total = total_weight(rules);
    uint32_t left = rng_below(&m->rng, total + further);
    if (left >= total) {
        left -= total;
        p = tree_rules[symbol].production;
    }
    while (left >= p->weight)
        left -= (p++)->weight;
    return p;
}

static uint32_t emit_part(struct maker *m, const struct part *part, enum word_class slot)
{
    switch (part->symbol) {
    case WORD:
        return emit_word(m, part->argument, part->tag);
    case SLOT:
        return emit_word(m, slot, part->tag);
    case NAME:
        return emit_name(m, part->argument, part->tag);
    case FIGURE:
        return emit_figure(m, part->argument, part->tag);
    default:
        return emit(m, part->form, part->tag);
    }
}

static uint32_t expand(struct maker *m, enum symbol symbol, enum word_class slot, unsigned depth);

/* Expands one part, in the spans that it opens; these are closed after it. */
static uint32_t expand_part(struct maker *m, const struct part *part, enum word_class slot, unsigned depth)
{
    bool derived = part->symbol >= SENTENCE;
    const struct symbol_rules *rules = &symbol_rules[part->symbol];
    unsigned chunk = derived ? rules->chunk : part->chunk, entity = derived ? rules->entity : NO_ENTITY;
    unsigned outer_chunk = m->chunk, outer_entity = m->entity;
    if (chunk) {
        m->chunk = chunk;
        m->new_chunk = true;
    }
    if (entity && !outer_entity) {
        m->entity = entity;
        m->new_entity = true;
    }
    /* A possessive mark opens the noun phrase of what is possessed. */
    if (part->tag && strcmp(part->tag, "POS") == 0)
        m->new_chunk = true;
    uint32_t head =
        derived ? expand(m, part->symbol, part->argument ? part->argument : slot, depth + 1) : emit_part(m, part, slot);
    /* After an inner chunk the outer one starts afresh, unless they are of one type. */
    m->new_chunk = m->new_chunk || m->chunk != outer_chunk;
    m->chunk = outer_chunk;
    m->entity = outer_entity;
    return head;
}

static struct governor word_at(const struct maker *m, uint32_t which)
{
    const struct sample_word *word = m->out->word;
    const char *at = m->out->bytes;
    for (uint32_t i = 0; i < which; i++)
        at += word[i].form.length;
    return (struct governor){{at, word[which].form.length}, word[which].label[LAYER_POS]};
}

/* The words of a part: where they start, and the one that heads them. */
struct extent {
    uint32_t first, head;
};

static void attach(struct maker *m, const struct part *part, const struct extent *extent, unsigned i, uint32_t head)
{
    struct sample_word *word = m->out->word;
    uint32_t to = part->to && part->to != EITHER ? extent[part->to - 1].head : head;
    const char *relation = part->relation;
    if (part->to == EITHER) {
        uint32_t near = extent[i - 1].head;
        if (draw_nearer(&m->rng, word_at(m, extent[i].first).form, word_at(m, near), word_at(m, head)))
            to = near;
        relation = word[to].label[LAYER_POS][0] == 'V' ? "obl" : "nmod";
    }
    word[extent[i].head].head = to + 1;
    word[extent[i].head].relation = relation;
}

static uint32_t expand(struct maker *m, enum symbol symbol, enum word_class slot, unsigned depth)
{
    const struct production *p = draw_production(m, symbol, depth);
    struct extent extent[PARTS];
    unsigned parts = 0;
    uint32_t head = 0;
    for (; m->ok && parts < PARTS && p->part[parts].symbol != END; parts++) {
        extent[parts].first = m->out->N;
        extent[parts].head = expand_part(m, &p->part[parts], slot, depth);
        if (!p->part[parts].relation)
            head = extent[parts].head;
    }
    for (unsigned i = 0; m->ok && i < parts; i++)
        if (p->part[i].relation)
            attach(m, &p->part[i], extent, i, head);
    return head;
}

/*
 * Noise: something wrong but legal in place of a share of the labels or heads.
 *
 * Parts of speech are replaced word by word. In chunks and entities a whole span counts once: it loses its label, or
 * gets another type, or loses or gains a word at its edge, and stays legal IOB2. A head is replaced by another word
 * that is not below it, near ones more often, so that a tree with one root remains; the root itself stays. Cost: linear
 * in the words; for heads, a replacement costs O(N depth).
 */

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
 * Corrupts the span of words first .. end-1: they lose it, or get another type, or it loses or gains a word at its
 * edge.
 */
static void corrupt_span(struct noise *noise, struct sample_sentence *s, uint32_t first, uint32_t end)
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
            corrupt_span(noise, s, first, end);
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

static void add_noise(const struct sample_options *options, uint64_t number, struct sample_sentence *s)
{
    struct noise noise = {.rng = rng_new(options->seed ^ SAMPLE_SALT, 2 * number + 1),
                          .threshold = (uint64_t)(options->noise * 0x1p32)};
    bool entities = options->kind == SAMPLE_NER;
    noise.layer = options->kind == SAMPLE_POS ? LAYER_POS : entities ? LAYER_NER : LAYER_CHUNK;
    noise.label = entities ? entity_label : chunk_label;
    noise.types = entities ? ENTITY_TYPES : options->kind == SAMPLE_NP ? NP + 1 : CHUNK_TYPES;
    if (options->kind == SAMPLE_POS) {
        add_tag_noise(&noise, s);
    } else if (options->kind == SAMPLE_DEP) {
        for (uint32_t word = 1; word <= s->N; word++)
            if (noise_hits(&noise) && s->word[word - 1].head != 0)
                mistake_head(&noise, s, word);
    } else {
        add_span_noise(&noise, s);
    }
}

bool sample_sentence(const struct sample_options *options, uint64_t index, struct sample_sentence *out,
                     struct vouch_error *err)
{
    if (!(options->noise >= 0 && options->noise <= 1))
        return fail(err, VOUCH_ERR_ARGUMENT, "noise %g: expected a share from 0 to 1", options->noise);
    uint64_t number = options->first + index;
    struct maker m = {.held_out = options->held_out_names,
                      .trees = options->kind == SAMPLE_DEP,
                      .rng = rng_new(options->seed ^ SAMPLE_SALT, 2 * number),
                      .out = out,
                      .capital = true,
                      .ok = true,
                      .err = err};
    out->number = number;
    out->N = 0;
    out->bytes_used = 0;
    uint32_t root = expand(&m, SENTENCE, NO_CLASS, 0);
    if (!m.ok)
        return false;
    out->word[root].head = 0;
    out->word[root].relation = "root";
    const char *at = out->bytes;
    for (uint32_t i = 0; i < out->N; i++) {
        struct sample_word *word = &out->word[i];
        word->form.at = at;
        at += word->form.length;
        if (options->kind == SAMPLE_NP && strcmp(word->label[LAYER_CHUNK] + 1, "-NP") != 0)
            word->label[LAYER_CHUNK] = "O";
    }
    if (options->noise > 0)
        add_noise(options, number, out);
    return true;
}

/* Writing: CoNLL columns, or CoNLL-U for trees. */

static const char *const kind_names[] = {"pos", "chunk", "np", "ner", "dep"};

int sample_kind_parse(const char *name)
{
    for (int kind = SAMPLE_POS; kind <= SAMPLE_DEP; kind++)
        if (strcmp(kind_names[kind], name) == 0)
            return kind;
    return -1;
}

static bool write_columns(const struct sample_sentence *sentence, enum sample_kind kind, struct buffer *text,
                          struct vouch_error *err)
{
    unsigned last = kind == SAMPLE_POS ? LAYER_POS : kind == SAMPLE_NER ? LAYER_NER : LAYER_CHUNK;
    for (uint32_t i = 0; i < sentence->N; i++) {
        const struct sample_word *word = &sentence->word[i];
        bool written = buffer_add(text, word->form, err);
        for (unsigned layer = 0; layer <= last; layer++)
            written = written && buffer_put(text, ' ', err) && buffer_add(text, text_of(word->label[layer]), err);
        if (!written || !buffer_put(text, '\n', err))
            return false;
    }
    return buffer_put(text, '\n', err);
}

/*
 * Writes the lexicon's lemma; else the form, without the capital that the start of a sentence (or of a quotation) gave
 * it.
 */
static bool write_lemma(const struct sample_word *word, bool first, struct buffer *text, struct vouch_error *err)
{
    const char *tag = word->label[LAYER_POS];
    struct text lemma = lexicon_lemma(word->form, tag);
    size_t start = text->length;
    if (!buffer_add(text, lemma.at ? lemma : word->form, err))
        return false;
    bool name = strcmp(tag, "NNP") == 0 || word->label[LAYER_NER][0] != 'O';
    char *initial = text->bytes + start;
    if (!lemma.at && first && !name && *initial >= 'A' && *initial <= 'Z')
        *initial = (char)(*initial - 'A' + 'a');
    return true;
}

static bool write_tree(const struct sample_sentence *sentence, struct buffer *text, struct vouch_error *err)
{
    bool written = buffer_print(text, err, "# sent_id = s%" PRIu64 "\n# text =", sentence->number);
    for (uint32_t i = 0; written && i < sentence->N; i++)
        written = buffer_put(text, ' ', err) && buffer_add(text, sentence->word[i].form, err);
    written = written && buffer_put(text, '\n', err);
    for (uint32_t i = 0; written && i < sentence->N; i++) {
        const struct sample_word *word = &sentence->word[i];
        const char *tag = word->label[LAYER_POS];
        written = buffer_print(text, err, "%" PRIu32 "\t%.*s\t", i + 1, (int)word->form.length, word->form.at) &&
                  write_lemma(word, i <= 1, text, err) &&
                  buffer_print(text, err, "\t%s\t%s\t%s\t%" PRIu32 "\t%s\t_\t_\n", lexicon_upos(word->form, tag), tag,
                               lexicon_features(tag), word->head, word->relation);
    }
    return written && buffer_put(text, '\n', err);
}

bool sample_write(const struct sample_sentence *sentence, enum sample_kind kind, struct buffer *text,
                  struct vouch_error *err)
{
    return kind == SAMPLE_DEP ? write_tree(sentence, text, err) : write_columns(sentence, kind, text, err);
}
