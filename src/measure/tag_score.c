/*
 * Counts right labels and right chunks.
 *
 * Chunks are counted by the rules of conlleval (E. Tjong Kim Sang, CoNLL-2000, the version of 2004). A label is split
 * at its first hyphen into tag and type. Between neighbouring words, and between the first or last word and the O that
 * counts as outside the sentence, a chunk
 *
 *     starts  at B after B, I, O; at I after O, E; at E after O, E;
 *             at any tag but O and "." whose type is not the one before; at "[" and "]"
 *     ends    after B, I before B, O; after E before E, I, O;
 *             after any tag but O and "." if the next type is not its own; after "[" and "]"
 *
 * and it is correct if it starts, continues and ends at the same words in both labellings, with the same type.
 *
 * These rules were made for IOB and IOE and take "B E B E" for one chunk. A sentence in which either side uses tags of
 * BIOES, or of BILOU and BMES, which are the same by other letters, is therefore rewritten to IOB2 on both sides first,
 * and its words are compared as rewritten. Labels that belong to no scheme stay as they are.
 *
 * It differs from the script on purpose: a type "0" keeps its name, and chunks without a type have one row, not two;
 * and a chunk that no rule ends (by tags of no scheme and no type: "B NN O") is not carried into the next sentence.
 *
 * Cost: O(N log T) for each sentence, T being the number of types; memory is the table and the longest sentence that
 * had to be rewritten.
 */
#include "measure/tag_score.h"

#include "core/scheme.h"

/* A label as conlleval splits it. */
struct mark {
    struct text tag, type;
};

void tag_score_init(struct tag_score *score, enum tag_unit unit)
{
    *score = (struct tag_score){.unit = unit};
}

void tag_score_release(struct tag_score *score)
{
    for (size_t i = 0; i < score->rows; i++)
        free(score->row[i].name);
    free(score->row);
    free(score->prefix);
    *score = (struct tag_score){.unit = score->unit};
}

struct tag_row *tag_row_of(struct tag_row **table, size_t *rows, size_t *capacity, struct text name,
                           struct vouch_error *err)
{
    size_t low = 0, high = *rows;
    while (low < high) {
        size_t middle = low + (high - low) / 2;
        struct tag_row *row = &(*table)[middle];
        int order = memcmp(row->name, name.at, row->length < name.length ? row->length : name.length);
        if (order == 0 && row->length == name.length)
            return row;
        if (order < 0 || (order == 0 && row->length < name.length))
            low = middle + 1;
        else
            high = middle;
    }
    char *copy = RESERVE(*table, *capacity, *rows + 1, err) ? new_string(name.at, name.length, err) : NULL;
    if (!copy)
        return NULL;
    struct tag_row *row = &(*table)[low];
    memmove(row + 1, row, (*rows - low) * sizeof *row);
    *row = (struct tag_row){.name = copy, .length = name.length};
    ++*rows;
    return row;
}

static bool count(struct tag_score *score, struct text name, struct tag_counts more, struct vouch_error *err)
{
    struct tag_row *row = tag_row_of(&score->row, &score->rows, &score->row_capacity, name, err);
    if (!row)
        return false;
    struct tag_counts *counts[] = {&score->all, &row->counts};
    for (size_t i = 0; i < 2; i++) {
        counts[i]->gold += more.gold;
        counts[i]->guessed += more.guessed;
        counts[i]->correct += more.correct;
    }
    return true;
}

static struct mark split(struct text label)
{
    const char *hyphen = memchr(label.at, '-', label.length);
    if (!hyphen)
        return (struct mark){label, {"", 0}};
    uint32_t length = (uint32_t)(hyphen - label.at);
    return (struct mark){{label.at, length}, {hyphen + 1, label.length - length - 1}};
}

static char letter(struct mark mark)
{
    return mark.tag.length == 1 ? *mark.tag.at : '\0';
}

static bool starts(struct mark last, struct mark now)
{
    char before = letter(last), tag = letter(now);
    if (tag == '[' || tag == ']')
        return true;
    if (tag != 'O' && tag != '.' && !text_equal(last.type, now.type))
        return true;
    switch (tag) {
    case 'B':
        return before == 'B' || before == 'I' || before == 'O';
    case 'I':
    case 'E':
        return before == 'O' || before == 'E';
    default:
        return false;
    }
}

static bool ends(struct mark last, struct mark now)
{
    char before = letter(last), tag = letter(now);
    if (before == '[' || before == ']')
        return true;
    if (before != 'O' && before != '.' && !text_equal(last.type, now.type))
        return true;
    switch (before) {
    case 'B':
    case 'I':
        return tag == 'B' || tag == 'O';
    case 'E':
        return tag == 'E' || tag == 'I' || tag == 'O';
    default:
        return false;
    }
}

static bool beyond_iob(const struct text *label, uint32_t N)
{
    for (uint32_t i = 0; i < N; i++) {
        struct text type;
        char prefix = scheme_split(label[i], &type);
        if (prefix == 'E' || prefix == 'S' || (prefix && prefix != *label[i].at))
            return true;
    }
    return false;
}

/* Finds the IOB2 prefix of each label, or 0 for one that belongs to no scheme and stays as it is. */
static void to_iob2(const struct text *label, uint32_t N, char *prefix)
{
    scheme_convert(label, N, SCHEME_IOB2, prefix);
    for (uint32_t i = 0; i < N; i++) {
        struct text type;
        if (!scheme_split(label[i], &type))
            prefix[i] = '\0';
    }
}

/* Returns word i as a mark; past the end of the sentence, an O. `prefix` is NULL if nothing was rewritten. */
static struct mark mark_at(const struct text *label, const char *prefix, uint32_t i, uint32_t N)
{
    if (i == N)
        return (struct mark){{"O", 1}, {"", 0}};
    struct mark mark = split(label[i]);
    if (prefix && prefix[i])
        mark.tag = (struct text){&prefix[i], 1};
    return mark;
}

/* Counts the chunks of a sentence; *right becomes the number of right words. */
static bool add_chunks(struct tag_score *score, const struct text *const label[2], const char *const prefix[2],
                       uint32_t N, uint64_t *right, struct vouch_error *err)
{
    struct mark gold = mark_at(label[0], prefix[0], N, N), guess = gold;
    bool matching = false; /* inside a chunk that is the same on both sides so far */
    for (uint32_t i = 0; i <= N; i++) {
        struct mark last_gold = gold, last_guess = guess;
        gold = mark_at(label[0], prefix[0], i, N);
        guess = mark_at(label[1], prefix[1], i, N);
        bool same_type = text_equal(gold.type, guess.type);

        bool gold_ends = ends(last_gold, gold), guess_ends = ends(last_guess, guess);
        if (matching && gold_ends && guess_ends && text_equal(last_gold.type, last_guess.type)) {
            matching = false;
            if (!count(score, last_gold.type, (struct tag_counts){.correct = 1}, err))
                return false;
        } else if (gold_ends != guess_ends || !same_type) {
            matching = false;
        }

        bool gold_starts = starts(last_gold, gold), guess_starts = starts(last_guess, guess);
        if (gold_starts && guess_starts && same_type)
            matching = true;
        if ((gold_starts && !count(score, gold.type, (struct tag_counts){.gold = 1}, err)) ||
            (guess_starts && !count(score, guess.type, (struct tag_counts){.guessed = 1}, err)))
            return false;
        *right += i < N && same_type && text_equal(gold.tag, guess.tag);
    }
    return true;
}

static bool add_chunk_sentence(struct tag_score *score, const struct text *gold, const struct text *guess, uint32_t N,
                               uint64_t *right, struct vouch_error *err)
{
    const char *prefix[2] = {NULL, NULL};
    if (beyond_iob(gold, N) || beyond_iob(guess, N)) {
        if (!RESERVE(score->prefix, score->prefix_capacity, (size_t)N * 2, err))
            return false;
        to_iob2(gold, N, score->prefix);
        to_iob2(guess, N, score->prefix + N);
        prefix[0] = score->prefix;
        prefix[1] = score->prefix + N;
    }
    return add_chunks(score, (const struct text *const[2]){gold, guess}, prefix, N, right, err);
}

static bool add_label_sentence(struct tag_score *score, const struct text *gold, const struct text *guess, uint32_t N,
                               uint64_t *right, struct vouch_error *err)
{
    for (uint32_t i = 0; i < N; i++) {
        bool same = text_equal(gold[i], guess[i]);
        if (!count(score, gold[i], (struct tag_counts){.gold = 1, .correct = same}, err) ||
            !count(score, guess[i], (struct tag_counts){.guessed = 1}, err))
            return false;
        *right += same;
    }
    return true;
}

bool tag_score_add(struct tag_score *score, const struct text *gold, const struct text *guess, uint32_t N,
                   struct vouch_error *err)
{
    if (N == 0)
        return true;
    uint64_t right = 0;
    if (score->unit == TAG_LABELS ? !add_label_sentence(score, gold, guess, N, &right, err)
                                  : !add_chunk_sentence(score, gold, guess, N, &right, err))
        return false;
    score->words += N;
    score->right_words += right;
    score->sentences++;
    score->right_sentences += right == N;
    return true;
}

double tag_percent(uint64_t part, uint64_t whole)
{
    return whole ? 100.0 * (double)part / (double)whole : 0.0;
}

struct tag_rates tag_rates(struct tag_counts counts)
{
    double precision = tag_percent(counts.correct, counts.guessed);
    double recall = tag_percent(counts.correct, counts.gold);
    double sum = precision + recall;
    return (struct tag_rates){precision, recall, sum > 0 ? 2 * precision * recall / sum : 0.0};
}

static bool append_head(const struct tag_score *score, struct buffer *text, struct vouch_error *err)
{
    unsigned long long words = score->words, sentences = score->sentences, right = score->right_words,
                       gold = score->all.gold, guessed = score->all.guessed, correct = score->all.correct;
    double accuracy = tag_percent(score->right_words, score->words);
    if (score->unit == TAG_LABELS)
        return buffer_print(text, err, "processed %llu tokens in %llu sentences; %llu correct.\n", words, sentences,
                            right) &&
               (words == 0 || buffer_print(text, err, "accuracy: %6.2f%%; sentences: %6.2f%%\n", accuracy,
                                           tag_percent(score->right_sentences, score->sentences)));
    struct tag_rates rates = tag_rates(score->all);
    if (score->unit == TAG_SPANS)
        return buffer_print(text, err,
                            "processed %llu texts with %llu spans; found: %llu spans; correct: %llu.\n"
                            "precision: %6.2f%%; recall: %6.2f%%; FB1: %6.2f\n",
                            sentences, gold, guessed, correct, rates.precision, rates.recall, rates.f1);
    return buffer_print(text, err, "processed %llu tokens with %llu phrases; found: %llu phrases; correct: %llu.\n",
                        words, gold, guessed, correct) &&
           (words == 0 ||
            buffer_print(text, err, "accuracy: %6.2f%%; precision: %6.2f%%; recall: %6.2f%%; FB1: %6.2f\n", accuracy,
                         rates.precision, rates.recall, rates.f1));
}

bool tag_score_report(const struct tag_score *score, struct buffer *text, struct vouch_error *err)
{
    if (!append_head(score, text, err))
        return false;
    for (size_t i = 0; i < score->rows; i++) {
        const struct tag_row *row = &score->row[i];
        struct tag_rates rates = tag_rates(row->counts);
        if (!buffer_print(text, err, "%17s: precision: %6.2f%%; recall: %6.2f%%; FB1: %6.2f  %llu\n", row->name,
                          rates.precision, rates.recall, rates.f1, (unsigned long long)row->counts.guessed))
            return false;
    }
    return true;
}
