/*
 * Classes of words by the exchange algorithm (Kneser and Ney 1993; Martin, Liermann and Ney 1998).
 *
 * The classes g of words are to make a text likely in which a word follows from the class of the one before:
 *
 *     F  =  sum over g, h of f(N(g, h))  -  sum over g of f(N(g, .))  -  sum over h of f(N(., h)),    f(n) = n log(n)
 *
 * where N(g, h) counts how often class h follows class g. Word by word, the commonest first, each is taken out of its
 * class and put where F is largest, of equals into the first; and so on for some rounds. At first, word i is in class
 * i mod K. The beginning and the end of a sentence, and all words that are too rare to be among the `words`, have a
 * class of their own each, in which they stay.
 *
 * What moving a word to class c adds to F is a sum over the classes of its neighbours alone. Time: words * K * distinct
 * neighbours. Rounds are in sequence, so a size has one thread; sizes run side by side.
 */
#include "cluster/cluster.h"

#include "base/elementary.h"
#include "base/order.h"
#include "text/reader.h"

/* ---- Counting ---- */

/* What is no word, behind the words. */
enum { REST, BEGINNING, ENDING, OTHERS };

/* A text as numbers of words, sentence by sentence, and how often each word occurs. */
struct numbered {
    struct dictionary words;
    uint64_t *times;  /* [words + 1] */
    uint32_t *number; /* [count] 0 between sentences */
    size_t count, times_capacity, number_capacity;
};

static bool add_number(struct numbered *n, uint32_t number, struct vouch_error *err)
{
    if (!RESERVE(n->number, n->number_capacity, n->count + 1, err))
        return false;
    n->number[n->count++] = number;
    return true;
}

static bool add_sentence(struct numbered *n, const struct sentence *s, struct vouch_error *err)
{
    for (uint32_t w = 0; w < s->N; w++) {
        uint32_t known = n->words.table.count, id = dictionary_add(&n->words, sentence_form(s, w), err);
        if (!id || !RESERVE(n->times, n->times_capacity, (size_t)id + 1, err) || !add_number(n, id, err))
            return false;
        n->times[id] = id > known ? 1 : n->times[id] + 1;
    }
    return add_number(n, 0, err);
}

static bool read_file(struct numbered *n, const char *path, const struct cluster_options *s, struct vouch_error *err)
{
    struct reader_options reading = {
        .format = s->reading.format, .gold = GOLD_NONE, .column = column_parse("form")};
    struct reader *reader = reader_open(path, &reading, err);
    struct sentence sentence = {0};
    enum reading state = READ_FAILED;
    uint64_t sentences = 0;
    bool ok = reader != NULL;
    while (ok && (state = reader_next(reader, &sentence, err)) == READ_SENTENCE) {
        if (sentence.attributes)
            ok = fail(err, VOUCH_ERR_FORMAT, "%s: expected text or labelled words, found attributes", path);
        else if (!sentence.boundary && sentence.N)
            ok = add_sentence(n, &sentence, err);
        if (ok && ++sentences % 4096 == 0 && !watch_reading(s->common.work.watch, sentences))
            ok = fail(err, VOUCH_ERR_STOPPED, "interrupted while reading");
    }
    sentence_release(&sentence);
    reader_close(reader);
    return ok && state == READ_END;
}

struct ranked {
    uint64_t times;
    uint32_t id;
};

static int commonest_first(const void *a, const void *b)
{
    const struct ranked *one = a, *other = b;
    if (one->times != other->times)
        return one->times < other->times ? 1 : -1;
    return one->id < other->id ? -1 : one->id > other->id;
}

/* Keeps the commonest words, and gives those and what is no word their final numbers, from 1: final [words + 1]. */
static bool rank_words(const struct numbered *n, uint32_t most, struct neighbours *to, uint32_t *final,
                       struct vouch_error *err)
{
    uint32_t words = n->words.table.count, kept = words < most ? words : most;
    struct ranked *ranked = new_array(words, sizeof *ranked, err);
    to->times = new_array((size_t)kept + OTHERS + 1, sizeof *to->times, err);
    bool ok = ranked && to->times;
    for (uint32_t id = 1; ok && id <= words; id++)
        ranked[id - 1] = (struct ranked){n->times[id], id};
    if (ok)
        qsort(ranked, words, sizeof *ranked, commonest_first);
    for (uint32_t i = 0; ok && i < words; i++) {
        uint32_t number = i < kept ? i + 1 : kept + 1 + REST;
        ok = i >= kept || dictionary_add(&to->words, dictionary_text(&n->words, ranked[i].id), err);
        final[ranked[i].id] = number;
        to->times[number] += ranked[i].times;
    }
    free(ranked);
    return ok;
}

/* Lists the pairs of neighbours, as 32 bits of the one and 32 of the other: pair [count]. */
static size_t list_pairs(const struct numbered *n, uint32_t words, const uint32_t *final, uint64_t *pair)
{
    uint32_t before = words + 1 + BEGINNING;
    size_t pairs = 0;
    for (size_t i = 0; i < n->count; i++) {
        uint32_t here = n->number[i] ? final[n->number[i]] : words + 1 + ENDING;
        pair[pairs++] = (uint64_t)before << 32 | here;
        before = n->number[i] ? here : words + 1 + BEGINNING;
    }
    return pairs;
}

/* Counts sorted pairs: those of each first word begin at start [words + OTHERS + 2]. */
static bool count_pairs(const uint64_t *pair, size_t pairs, uint32_t words, struct neighbour **list, size_t **start,
                        struct vouch_error *err)
{
    size_t count = 0;
    *list = new_array(pairs, sizeof **list, err);
    *start = new_array((size_t)words + OTHERS + 2, sizeof **start, err);
    if (!*list || !*start)
        return false;
    for (size_t i = 0; i < pairs; i++) {
        if (i > 0 && pair[i] == pair[i - 1]) {
            (*list)[count - 1].times++;
            continue;
        }
        (*list)[count++] = (struct neighbour){(uint32_t)pair[i], 1};
        (*start)[(pair[i] >> 32) + 1] = count;
    }
    for (uint32_t w = 1; w <= words + OTHERS + 1; w++)
        if ((*start)[w] < (*start)[w - 1])
            (*start)[w] = (*start)[w - 1];
    return true;
}

static bool count_neighbours(const struct numbered *n, uint32_t most, struct neighbours *to, struct vouch_error *err)
{
    uint32_t *final = new_array((size_t)n->words.table.count + 1, sizeof *final, err);
    uint64_t *pair = new_array(n->count, sizeof *pair, err);
    bool ok = final && pair && rank_words(n, most, to, final, err);
    if (ok) {
        uint32_t words = to->words.table.count;
        size_t pairs = list_pairs(n, words, final, pair);
        ok = sort_keys(pair, pairs, err) && count_pairs(pair, pairs, words, &to->next, &to->next_start, err);
        for (size_t i = 0; i < pairs; i++)
            pair[i] = pair[i] << 32 | pair[i] >> 32;
        ok = ok && sort_keys(pair, pairs, err) && count_pairs(pair, pairs, words, &to->before, &to->before_start, err);
    }
    free(final);
    free(pair);
    return ok;
}

bool neighbours_read(struct neighbours *neighbours, const struct cluster_options *options, struct vouch_error *err)
{
    struct numbered n = {0};
    bool ok = true;
    for (size_t i = 0; ok && i < options->common.arguments; i++)
        ok = read_file(&n, options->common.argument[i], options, err);
    if (ok && n.words.table.count == 0)
        ok = fail(err, VOUCH_ERR_FORMAT, "%s: expected words, found none", options->common.argument[0]);
    ok = ok && count_neighbours(&n, options->words, neighbours, err);
    dictionary_release(&n.words);
    free(n.times);
    free(n.number);
    return ok;
}

void neighbours_release(struct neighbours *n)
{
    dictionary_release(&n->words);
    free(n->times);
    free(n->next);
    free(n->before);
    free(n->next_start);
    free(n->before_start);
    *n = (struct neighbours){0};
}

/* ---- Exchanging ---- */

enum { KNOWN = 1 << 16 }; /* values of f that are looked up */

struct exchanging {
    const struct neighbours *n;
    uint32_t *class;        /* [words + OTHERS + 1] */
    uint32_t C;             /* classes, those of what is no word included */
    uint64_t *pairs;        /* [C][C] N(g, h) */
    uint64_t *mirror;       /* [C][C] the same, N(g, h) at [h][g] */
    uint64_t *left, *right; /* [C] N(g, .) and N(., h) */
    double *f;              /* [KNOWN] */
    /* The neighbours of the word at hand, by classes. */
    uint64_t *after, *ahead; /* [C] how often it is followed by, and follows, a word of the class */
    uint32_t *seen, *sought; /* classes that it is followed by, and that it follows */
    uint32_t seens, soughts;
    uint64_t itself; /* how often it follows itself */
};

static double f_of(const struct exchanging *x, uint64_t n)
{
    return n < KNOWN ? x->f[n] : (double)n * log_of((double)n);
}

/* Sums the neighbours of a word up by their classes. The word itself is counted apart. */
static void sum_up(struct exchanging *x, uint32_t word)
{
    const struct neighbours *n = x->n;
    x->seens = x->soughts = 0;
    x->itself = 0;
    for (size_t i = n->next_start[word]; i < n->next_start[word + 1]; i++) {
        uint32_t g = x->class[n->next[i].word];
        if (n->next[i].word == word) {
            x->itself = n->next[i].times;
            continue;
        }
        if (!x->after[g])
            x->seen[x->seens++] = g;
        x->after[g] += n->next[i].times;
    }
    for (size_t i = n->before_start[word]; i < n->before_start[word + 1]; i++) {
        uint32_t g = x->class[n->before[i].word];
        if (n->before[i].word == word)
            continue;
        if (!x->ahead[g])
            x->sought[x->soughts++] = g;
        x->ahead[g] += n->before[i].times;
    }
}

static void forget(struct exchanging *x)
{
    for (uint32_t i = 0; i < x->seens; i++)
        x->after[x->seen[i]] = 0;
    for (uint32_t i = 0; i < x->soughts; i++)
        x->ahead[x->sought[i]] = 0;
}

/* Adds the word at hand to a class, or takes it out: sign is 1, or -1 modulo 2^64. */
static void move(struct exchanging *x, uint64_t times, uint32_t c, uint64_t sign)
{
    for (uint32_t i = 0; i < x->seens; i++) {
        uint32_t g = x->seen[i];
        x->pairs[(size_t)c * x->C + g] += sign * x->after[g];
        x->mirror[(size_t)g * x->C + c] += sign * x->after[g];
    }
    for (uint32_t i = 0; i < x->soughts; i++) {
        uint32_t g = x->sought[i];
        x->pairs[(size_t)g * x->C + c] += sign * x->ahead[g];
        x->mirror[(size_t)c * x->C + g] += sign * x->ahead[g];
    }
    x->pairs[(size_t)c * x->C + c] += sign * x->itself;
    x->mirror[(size_t)c * x->C + c] += sign * x->itself;
    x->left[c] += sign * times;
    x->right[c] += sign * times;
}

/* Returns what putting the word at hand into class c adds to F. */
static double gain(const struct exchanging *x, uint64_t times, uint32_t c)
{
    const uint64_t *follow = x->pairs + (size_t)c * x->C, *lead = x->mirror + (size_t)c * x->C;
    uint64_t own = follow[c];
    double sum = f_of(x, own + x->after[c] + x->ahead[c] + x->itself) - f_of(x, own);
    for (uint32_t i = 0; i < x->seens; i++) {
        uint32_t g = x->seen[i];
        if (g != c)
            sum += f_of(x, follow[g] + x->after[g]) - f_of(x, follow[g]);
    }
    for (uint32_t i = 0; i < x->soughts; i++) {
        uint32_t g = x->sought[i];
        if (g != c)
            sum += f_of(x, lead[g] + x->ahead[g]) - f_of(x, lead[g]);
    }
    return sum - f_of(x, x->left[c] + times) + f_of(x, x->left[c]) - f_of(x, x->right[c] + times) +
           f_of(x, x->right[c]);
}

/* Moves a word to its best class; returns whether that is another. */
static bool exchange_word(struct exchanging *x, uint32_t word)
{
    uint64_t times = x->n->times[word];
    uint32_t old = x->class[word], best = 0, K = x->C - OTHERS;
    double most = 0;
    sum_up(x, word);
    move(x, times, old, UINT64_MAX);
    for (uint32_t c = 0; c < K; c++) {
        double here = gain(x, times, c);
        if (c == 0 || here > most) {
            most = here;
            best = c;
        }
    }
    move(x, times, best, 1);
    x->class[word] = best;
    forget(x);
    return best != old;
}

/* Puts the words into the classes at which exchanging begins, and counts those. */
static void begin(struct exchanging *x)
{
    const struct neighbours *n = x->n;
    uint32_t words = n->words.table.count, K = x->C - OTHERS;
    for (uint32_t w = 1; w <= words + OTHERS; w++)
        x->class[w] = w <= words ? (w - 1) % K : K + (w - words - 1);
    for (uint32_t w = 1; w <= words + OTHERS; w++)
        for (size_t i = n->next_start[w]; i < n->next_start[w + 1]; i++) {
            uint32_t g = x->class[w], h = x->class[n->next[i].word];
            x->pairs[(size_t)g * x->C + h] += n->next[i].times;
            x->mirror[(size_t)h * x->C + g] += n->next[i].times;
            x->left[g] += n->next[i].times;
            x->right[h] += n->next[i].times;
        }
    for (uint64_t i = 2; i < KNOWN; i++)
        x->f[i] = (double)i * log_of((double)i);
}

static bool run_rounds(struct exchanging *x, const struct exchange_plan *plan, struct vouch_error *err)
{
    uint32_t moved = 1;
    for (uint32_t round = 0; round < plan->rounds; round++) {
        if (plan->progress && !cluster_step(plan->progress, err))
            return false;
        if (moved)
            moved = 0;
        else
            continue; /* nothing will move any more */
        for (uint32_t w = 1; w <= x->n->words.table.count; w++)
            moved += exchange_word(x, w);
    }
    return true;
}

bool exchange(const struct neighbours *n, const struct exchange_plan *plan, uint32_t *class, struct vouch_error *err)
{
    struct arena arena = {0};
    struct exchanging x = {.n = n, .C = plan->K + OTHERS};
    uint32_t words = n->words.table.count;
    size_t C = x.C;
    bool ok = ARENA_ARRAY(x.class, (size_t)words + OTHERS + 1, &arena, err) &&
              ARENA_ARRAY(x.pairs, C * C, &arena, err) && ARENA_ARRAY(x.mirror, C * C, &arena, err) &&
              ARENA_ARRAY(x.left, C, &arena, err) && ARENA_ARRAY(x.right, C, &arena, err) &&
              ARENA_ARRAY(x.f, KNOWN, &arena, err) && ARENA_ARRAY(x.after, C, &arena, err) &&
              ARENA_ARRAY(x.ahead, C, &arena, err) && ARENA_ARRAY(x.seen, C, &arena, err) &&
              ARENA_ARRAY(x.sought, C, &arena, err);
    if (ok) {
        memset(x.pairs, 0, sizeof *x.pairs * C * C);
        memset(x.mirror, 0, sizeof *x.mirror * C * C);
        memset(x.left, 0, sizeof *x.left * C);
        memset(x.right, 0, sizeof *x.right * C);
        memset(x.after, 0, sizeof *x.after * C);
        memset(x.ahead, 0, sizeof *x.ahead * C);
        x.f[0] = x.f[1] = 0;
        begin(&x);
        ok = run_rounds(&x, plan, err);
    }
    for (uint32_t w = 1; ok && w <= words; w++)
        class[w] = x.class[w];
    arena_release(&arena);
    return ok;
}
