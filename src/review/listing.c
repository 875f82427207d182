/*
 * Lists suspects with their words: see listing.h.
 *
 * Learning keeps no words, so the files are read again. Sentences are numbered
 * as the examples are: document marks and sentences without words do not count.
 */
#include "review/listing.h"

#include "review/amend.h"

#include <inttypes.h>
#include <math.h>
#include <stdio.h>

#define ELLIPSIS "\xE2\x80\xA6"

enum { AROUND = 70 }; /* characters of the sentence to either side of an item, at most */

/* The state while a listing is made. */
struct making {
    struct listing *listing;
    size_t *order; /* [count] the items in the order of the corpus */
    size_t next;
    uint32_t sentences; /* examples so far */
    const char *path;
    struct reader *reader;
    struct sentence sentence;
    uint32_t *choice; /* [N] the proposed choices for the words of an item, the given ones for the others */
    const struct suspect *suspect; /* the item */
    struct text *written;
    size_t choice_capacity, written_capacity;
    struct label_work work;
};

void listing_release(struct listing *listing)
{
    tree_changes_release(&listing->changes);
    free(listing->item);
    free(listing->word);
    free(listing->text.bytes);
    *listing = (struct listing){0};
}

static size_t words_before(const struct listing_source *source, uint32_t sentence)
{
    const struct dataset *dataset = &source->corpus->dataset;
    return dataset->words_before(dataset->self, source->dev, sentence);
}

const struct finding *listed_worst(const struct listing *listing, const struct listed *item)
{
    const struct suspect *s = item->suspect;
    return &listing->source->review->finding[s->layer][words_before(listing->source, s->sentence) + s->worst];
}

/* Returns the end of the text so far, where the next piece begins. */
static size_t mark(const struct making *m)
{
    return m->listing->text.length;
}

static struct piece since(const struct making *m, size_t from)
{
    return (struct piece){from, (uint32_t)(mark(m) - from)};
}

/* Whether a person has decided on something else for word n than the file gives. */
static bool is_corrected(const struct making *m, uint32_t n)
{
    size_t first = words_before(m->listing->source, m->suspect->sentence);
    return decided_state(m->listing->source->review->decided, first + n) == DECIDED_WRONG;
}

/*
 * Whether the proposal for a word of a chain is what the file has, in the file's own spelling. Under IOB1 the spelling
 * also depends on the neighbours, as far as they are of the same item.
 */
static bool keeps_label(const struct making *m, const struct finding *f, uint32_t n)
{
    const struct tag_labels *labels = &m->listing->source->corpus->tags.labels;
    if (f[n].proposed != f[n].given || is_corrected(m, n))
        return false;
    bool around = (n > m->suspect->from && f[n - 1].proposed != f[n - 1].given) ||
                  (n + 1 < m->suspect->to && f[n + 1].proposed != f[n + 1].given);
    return labels->inner == labels->outer || !around || text_is(m->written[n], "O");
}

static bool add_proposed_label(struct making *m, uint32_t n, size_t first, struct piece given, struct piece *proposed,
                               struct vouch_error *err)
{
    const struct finding *f = m->listing->source->review->finding[0] + first;
    size_t from = mark(m);
    if (keeps_label(m, f, n)) {
        *proposed = given;
        return true;
    }
    if (!buffer_add(&m->listing->text, m->written[n], err))
        return false;
    *proposed = since(m, from);
    return true;
}

static bool add_proposed_arc(struct making *m, uint32_t n, size_t first, struct piece given, struct piece *proposed,
                             struct vouch_error *err)
{
    const struct listing_source *source = m->listing->source;
    const struct finding *head = &source->review->finding[0][first + n];
    const struct finding *relation = source->review->layers > 1 ? &source->review->finding[1][first + n] : NULL;
    bool keeps = head->proposed == head->given && (!relation || relation->proposed == relation->given);
    if (keeps && !is_corrected(m, n)) {
        *proposed = given;
        return true;
    }
    size_t from = mark(m);
    char number[16];
    snprintf(number, sizeof number, "%" PRIu32 "%s", head->proposed, relation ? ":" : "");
    struct text name = !relation ? (struct text){"", 0}
                       : relation->proposed == relation->given && !is_corrected(m, n)
                           ? m->sentence.gold[n]
                           : labels_name(&source->corpus->trees.relations, relation->proposed);
    if (!buffer_add(&m->listing->text, text_of(number), err) || !buffer_add(&m->listing->text, name, err))
        return false;
    *proposed = since(m, from);
    return true;
}

/* Adds the form of the word with that number; nothing for the root. */
static bool add_head(struct making *m, uint32_t head, struct piece *piece, struct vouch_error *err)
{
    size_t from = mark(m);
    bool word = head > 0 && head <= m->sentence.N;
    if (word && !amend_words(&m->sentence, head - 1, head, &m->listing->text, err))
        return false;
    *piece = since(m, from);
    return true;
}

static bool add_heads(struct making *m, uint32_t n, size_t first, struct listed_word *word, struct vouch_error *err)
{
    return add_head(m, m->sentence.head[n], &word->given_head, err) &&
           add_head(m, m->listing->source->review->finding[0][first + n].proposed, &word->proposed_head, err);
}

static bool add_word(struct making *m, uint32_t n, size_t first, struct vouch_error *err)
{
    struct listing *l = m->listing;
    struct listed_word *word = &l->word[l->words++];
    *word = (struct listed_word){.number = n + 1};
    size_t from = mark(m);
    if (!amend_words(&m->sentence, n, n + 1, &l->text, err))
        return false;
    word->form = since(m, from);
    from = mark(m);
    if (!amend_labels(&m->sentence, n, n + 1, l->source->review->layers > 1, &l->text, err))
        return false;
    word->given = since(m, from);
    if (!l->source->parses)
        return add_proposed_label(m, n, first, word->given, &word->proposed, err);
    return add_proposed_arc(m, n, first, word->given, &word->proposed, err) && add_heads(m, n, first, word, err);
}

/* Returns the number of characters, not bytes. */
static uint32_t width_of(struct text text)
{
    uint32_t width = 0;
    for (uint32_t i = 0; i < text.length; i++)
        width += ((unsigned char)text.at[i] & 0xC0) != 0x80;
    return width;
}

/* Whether one more word fits beside an item; adds its width. */
static bool fits(const struct making *m, uint32_t word, uint32_t *width)
{
    *width += 1 + width_of(sentence_form(&m->sentence, word));
    return *width <= AROUND;
}

/* Adds the words around an item, with an ellipsis where there are more. */
static bool add_context(struct making *m, const struct suspect *s, struct listed *item, struct vouch_error *err)
{
    struct buffer *text = &m->listing->text;
    uint32_t from = s->from, to = s->to, left = 0, right = 0;
    while (from > 0 && fits(m, from - 1, &left))
        from--;
    while (to < m->sentence.N && fits(m, to, &right))
        to++;
    size_t start = mark(m);
    if ((from > 0 && !buffer_add(text, text_of(from < s->from ? ELLIPSIS " " : ELLIPSIS), err)) ||
        !amend_words(&m->sentence, from, s->from, text, err))
        return false;
    item->before = since(m, start);
    start = mark(m);
    if (!amend_words(&m->sentence, s->to, to, text, err) ||
        (to < m->sentence.N && !buffer_add(text, text_of(to > s->to ? " " ELLIPSIS : ELLIPSIS), err)))
        return false;
    item->after = since(m, start);
    return true;
}

/* Writes the sentence's labels in the corpus's spelling: proposed ones in the item, given ones around it. */
static bool write_proposed(struct making *m, size_t first, struct vouch_error *err)
{
    const struct listing_source *source = m->listing->source;
    uint32_t N = m->sentence.N;
    if (source->parses)
        return true;
    if (!RESERVE(m->choice, m->choice_capacity, (size_t)N + 1, err) ||
        !RESERVE(m->written, m->written_capacity, (size_t)N + 1, err))
        return false;
    for (uint32_t n = 0; n < N; n++) {
        const struct finding *f = &source->review->finding[0][first + n];
        bool inside = n >= m->suspect->from && n < m->suspect->to;
        m->choice[n] = inside || f->given == NO_LABEL ? f->proposed : f->given;
    }
    return labels_write(&source->corpus->tags.labels, m->choice, N, &m->work, m->written, err);
}

static bool add_item(struct making *m, size_t i, struct vouch_error *err)
{
    struct listing *l = m->listing;
    const struct suspect *s = m->suspect = &l->source->suspect[i];
    size_t first = words_before(l->source, s->sentence);
    struct tree_change others = l->source->parses ? l->changes.of[i] : (struct tree_change){0};
    l->item[i] = (struct listed){.suspect = s,
                                 .file = m->path,
                                 .line = reader_line(m->reader, &m->sentence, s->from),
                                 .first = l->words,
                                 .others = others.count};
    if (!RESERVE(l->word, l->word_capacity, l->words + s->to - s->from + others.count, err) ||
        !write_proposed(m, first, err))
        return false;
    for (uint32_t n = s->from; n < s->to; n++)
        if (!add_word(m, n, first, err))
            return false;
    for (uint32_t k = 0; k < others.count; k++)
        if (!add_word(m, l->changes.word[others.at + k], first, err))
            return false;
    return add_context(m, s, &l->item[i], err);
}

/* Adds the items of the sentence that was read last. */
static bool take_sentence(struct making *m, struct vouch_error *err)
{
    const struct listing_source *source = m->listing->source;
    uint32_t i = m->sentences++;
    size_t first = words_before(source, i);
    if (words_before(source, i + 1) != first + m->sentence.N)
        return fail(err, VOUCH_ERR_FORMAT, "%s: the file has changed while it was judged", m->path);
    if (m->next == source->count || source->suspect[m->order[m->next]].sentence != i)
        return true;
    for (; m->next < source->count && source->suspect[m->order[m->next]].sentence == i; m->next++)
        if (!add_item(m, m->order[m->next], err))
            return false;
    return true;
}

static bool take_file(struct making *m, struct vouch_error *err)
{
    enum reading state = READ_FAILED;
    bool ok = true;
    m->reader = reader_open(m->path, &m->listing->source->reading, err);
    while (ok && m->reader && (state = reader_next(m->reader, &m->sentence, err)) == READ_SENTENCE)
        ok = m->sentence.N == 0 || m->sentence.boundary || take_sentence(m, err);
    reader_close(m->reader);
    return ok && state == READ_END;
}

/* An item and its place in the corpus. */
struct place {
    uint32_t sentence, from;
    size_t item;
};

static int compare_places(const void *a, const void *b)
{
    const struct place *x = a, *y = b;
    if (x->sentence != y->sentence)
        return x->sentence < y->sentence ? -1 : 1;
    return (x->from > y->from) - (x->from < y->from);
}

/* Returns the items in the order of the corpus. */
static size_t *order_items(const struct listing_source *source, struct vouch_error *err)
{
    struct place *place = new_array(source->count, sizeof *place, err);
    size_t *order = place ? new_array(source->count, sizeof *order, err) : NULL;
    for (size_t i = 0; order && i < source->count; i++)
        place[i] = (struct place){source->suspect[i].sentence, source->suspect[i].from, i};
    if (order)
        qsort(place, source->count, sizeof *place, compare_places);
    for (size_t i = 0; order && i < source->count; i++)
        order[i] = place[i].item;
    free(place);
    return order;
}

bool listing_make(struct listing *listing, const struct listing_source *source, struct vouch_error *err)
{
    *listing = (struct listing){.source = source};
    struct making m = {.listing = listing, .order = order_items(source, err)};
    listing->item = new_array(source->count, sizeof *listing->item, err);
    bool ok = m.order && listing->item;
    if (ok && source->parses)
        ok = tree_changes_find(&listing->changes, source->review, source->held, source->suspect, source->count, err);
    for (size_t i = 0; ok && i < source->settings->arguments; i++) {
        m.path = source->settings->argument[i];
        ok = take_file(&m, err);
    }
    if (ok && m.next < source->count)
        ok = fail(err, VOUCH_ERR_FORMAT, "%s: the file has changed while it was judged", m.path);
    sentence_release(&m.sentence);
    label_work_release(&m.work);
    free(m.order);
    free(m.choice);
    free(m.written);
    return ok;
}

/* Returns how well a label could be learned, in words; the empty string if learning was not observed. */
static const char *learned_phrase(double learned)
{
    if (isnan(learned))
        return "";
    return learned < 0.2 ? "; hardly learned" : learned < 0.6 ? "; learned late" : "; learned well";
}

/* Returns what most of the same words elsewhere are called: a type of chunks, a label or a relation. */
static struct text rival_name(const struct listing_source *source, uint32_t layer, const struct repeat *repeat)
{
    uint32_t choice = source->review->finding[layer][repeat->example].given;
    const struct tag_labels *labels = source->parses ? &source->corpus->trees.relations : &source->corpus->tags.labels;
    struct text name = choice < labels_count(labels) ? labels_name(labels, choice) : text_of("unknown"), type;
    return source->corpus->dataset.rules && scheme_split(name, &type) && type.length > 0 ? type : name;
}

/* Whether the same words are mostly called otherwise elsewhere. */
static bool is_outnumbered(const struct repeat *repeat)
{
    return repeat && repeat->rival > repeat->same;
}

/* Writes what the same words are called elsewhere, if that is mostly something else: counts that can be checked. */
static void repeat_phrase(const struct listing *listing, const struct listed *item, char *phrase, size_t room)
{
    const struct listing_source *source = listing->source;
    const struct suspect *s = item->suspect;
    size_t word = words_before(source, s->sentence) + s->worst;
    struct repeat *const *of = source->review->repeats.of[s->layer];
    const struct repeat *near = of[REPEAT_NEAR] ? &of[REPEAT_NEAR][word] : NULL;
    const struct repeat *chunk = of[REPEAT_CHUNK] ? &of[REPEAT_CHUNK][word] : NULL;
    bool heads = source->parses && s->layer == 0;
    bool by_chunk = is_outnumbered(chunk) && (!is_outnumbered(near) || chunk->rival >= near->rival);
    const struct repeat *told = by_chunk ? chunk : near;
    phrase[0] = '\0';
    if (!is_outnumbered(told))
        return;
    struct text name = heads ? text_of("another head") : rival_name(source, s->layer, told);
    const char *what = by_chunk ? "the same words are" : heads ? "has" : s->layer == 1 ? "the same pair is" : "is";
    snprintf(phrase, room, "; %s %.*s in %" PRIu32 " of %" PRIu32 " other place%s%s", what, text_beginning(name, 30),
             name.at, told->rival, told->others, told->others == 1 ? "" : "s",
             by_chunk || s->layer == 1 ? "" : " between the same words");
}

const char *listed_why(const struct listing *listing, const struct listed *item, char phrase[WHY_ROOM])
{
    const struct suspect *s = item->suspect;
    const struct finding *f = listed_worst(listing, item);
    const char *layer = listing->source->review->layers == 1 ? "" : s->layer ? "relation: " : "head: ";
    uint32_t draws = listing->source->draws[s->layer];
    char where[80] = "", margin[40] = "", repeat[120];
    if (listed_words(item) > 1) {
        struct text word = listing_text(listing, listing->word[item->first + s->worst - s->from].form);
        uint32_t length = 0;
        while (length < word.length && length + utf8_width(word.at[length]) <= 40)
            length += utf8_width(word.at[length]);
        snprintf(where, sizeof where, "\xE2\x80\x9C%.*s\xE2\x80\x9D: ", (int)length, word.at);
    }
    if (isfinite(f->margin))
        snprintf(margin, sizeof margin, "; %s by %.3g", f->margin < 0 ? "behind" : "ahead", fabs((double)f->margin));
    repeat_phrase(listing, item, repeat, sizeof repeat);
    if (f->given == NO_LABEL)
        snprintf(phrase, WHY_ROOM, "%s%sunknown to the model", where, layer);
    else
        snprintf(phrase, WHY_ROOM, "%s%s%.0f of %" PRIu32 " drawn models agree%s%s%s", where, layer,
                 round((double)f->votes * draws), draws, margin, learned_phrase((double)f->learned), repeat);
    return phrase;
}
