/*
 * Reads lexicons and looks words up in them: see lexicon.h.
 *
 * Phrases are found from the words that they begin with, which are few: most words need no more than a look-up in that
 * small table. Where one does, phrases are tried from the longest that begins so, down to two words.
 */
#include "task/lexicon.h"

#include "base/hash.h"
#include "base/input.h"
#include "task/view.h"

#include <stdio.h>

void lexicon_work_release(struct lexicon_work *work)
{
    free(work->bytes);
    free(work->lower);
    *work = (struct lexicon_work){0};
}

static void release(struct lexicon *x)
{
    free(x->name);
    free(x->source);
    free(x->licence);
    free(x->row);
    free(x->longest);
    dictionary_release(&x->entry);
    dictionary_release(&x->classes);
    dictionary_release(&x->first);
    *x = (struct lexicon){0};
}

void lexicons_release(struct lexicons *lexicons)
{
    for (uint32_t i = 0; i < lexicons->count; i++)
        release(&lexicons->item[i]);
    lexicons->count = 0;
}

uint32_t lexicons_find(const struct lexicons *lexicons, struct text name)
{
    uint32_t i = 0;
    while (lexicons && i < lexicons->count && !text_is(name, lexicons->item[i].name))
        i++;
    return i;
}

/* ---- Entries ---- */

bool lexicon_name_fits(struct text name)
{
    struct view view;
    bool fits = name.length > 0 && name.length <= MOST_LEXICON_NAME;
    for (uint32_t i = 0; fits && i < name.length; i++) {
        char c = name.at[i];
        bool letter = (c >= 'a' && c <= 'z') || (c >= 'A' && c <= 'Z');
        fits = letter || (i > 0 && ((c >= '0' && c <= '9') || c == '_' || c == '-'));
    }
    return fits && !view_parse(name, &view);
}

struct lexicon *lexicons_add(struct lexicons *lexicons, struct text name, struct vouch_error *err)
{
    struct lexicon *x = &lexicons->item[lexicons->count];
    if (!lexicon_name_fits(name)) {
        fail(err, VOUCH_ERR_ARGUMENT,
             "lexicon: expected a name of up to %d letters, digits, _ and - that is no view's, found '%.*s'",
             MOST_LEXICON_NAME, excerpt(name), name.at);
        return NULL;
    }
    if (lexicons_find(lexicons, name) < lexicons->count) {
        fail(err, VOUCH_ERR_ARGUMENT, "lexicon: expected every name once, found '%.*s' again", excerpt(name), name.at);
        return NULL;
    }
    if (lexicons->count == MOST_LEXICONS) {
        fail(err, VOUCH_ERR_ARGUMENT, "expected at most %d lexicons, found more", MOST_LEXICONS);
        return NULL;
    }
    x->name = new_string(name.at, name.length, err);
    lexicons->count += x->name != NULL;
    return x->name ? x : NULL;
}

static bool is_end(char c)
{
    return c == '\n' || c == '\r' || c == '\0';
}

bool lexicon_phrase_fits(struct text entry)
{
    uint32_t words = 1;
    bool fits = entry.length > 0 && entry.at[0] != ' ' && entry.at[entry.length - 1] != ' ';
    for (uint32_t i = 0; fits && i < entry.length; i++) {
        words += entry.at[i] == ' ';
        fits = !is_end(entry.at[i]) && entry.at[i] != '\t' && !(entry.at[i] == ' ' && entry.at[i + 1] == ' ');
    }
    return fits && words <= MOST_PHRASE_WORDS;
}

bool lexicon_entry_fits(const struct lexicon *x, struct text entry, struct text classes)
{
    uint32_t columns = 1;
    bool fits = lexicon_phrase_fits(entry);
    for (uint32_t i = 0; i < classes.length; i++) {
        columns += classes.at[i] == '\t';
        fits = fits && !is_end(classes.at[i]);
    }
    return fits && columns == x->columns;
}

bool lexicon_add(struct lexicon *x, struct text entry, struct text classes, struct vouch_error *err)
{
    uint32_t known = x->entry.table.count, id = dictionary_add(&x->entry, entry, err);
    if (!id || !RESERVE(x->row, x->row_capacity, (size_t)id + 1, err))
        return false;
    if (id <= known)
        return fail(err, VOUCH_ERR_FORMAT, "expected every entry once, found '%.*s' again", excerpt(entry), entry.at);
    return (x->row[id] = dictionary_add(&x->classes, classes, err)) != 0;
}

/* An entry to be put in order. */
struct placed {
    struct text entry;
    uint32_t row;
};

static int by_bytes(const void *a, const void *b)
{
    const struct placed *one = a, *other = b;
    uint32_t least = one->entry.length < other->entry.length ? one->entry.length : other->entry.length;
    int order = memcmp(one->entry.at, other->entry.at, least);
    return order ? order : (one->entry.length > other->entry.length) - (one->entry.length < other->entry.length);
}

bool lexicon_close(struct lexicon *x, struct vouch_error *err)
{
    uint32_t entries = lexicon_entries(x);
    struct lexicon sorted = {.columns = x->columns};
    struct placed *placed = new_array(entries, sizeof *placed, err);
    bool ok = placed;
    for (uint32_t id = 1; ok && id <= entries; id++)
        placed[id - 1] = (struct placed){dictionary_text(&x->entry, id), x->row[id]};
    if (ok)
        qsort(placed, entries, sizeof *placed, by_bytes);
    for (uint32_t i = 0; ok && i < entries; i++)
        ok = lexicon_add(&sorted, placed[i].entry, dictionary_text(&x->classes, placed[i].row), err);
    free(placed);
    if (ok) {
        sorted.name = x->name;
        sorted.source = x->source;
        sorted.licence = x->licence;
        x->name = x->source = x->licence = NULL;
        release(x);
        *x = sorted;
        return lexicon_complete(x, err);
    }
    release(&sorted);
    return false;
}

/* Writes a text in lower case, with 0 for every digit if `digits`. */
static bool fold(struct text text, bool digits, struct lexicon_work *work, struct text *folded, struct vouch_error *err)
{
    if (!RESERVE(work->lower, work->lower_capacity, 4 * (size_t)text.length + 1, err))
        return false;
    *folded = (struct text){work->lower, text_lower(text, work->lower)};
    for (uint32_t i = 0; digits && i < folded->length; i++)
        if (work->lower[i] >= '0' && work->lower[i] <= '9')
            work->lower[i] = '0';
    return true;
}

bool lexicon_fold_word(struct text word, struct lexicon_work *work, struct text *folded, struct vouch_error *err)
{
    return fold(word, true, work, folded, err);
}

/* Notes how long a phrase is, under its first word, folded. */
static bool note_phrase(struct lexicon *x, struct text entry, struct lexicon_work *work, struct vouch_error *err)
{
    struct text rest = entry, first = text_cut(&rest, ' ');
    uint8_t words = 1;
    for (uint32_t i = 0; i < entry.length; i++)
        words += entry.at[i] == ' ';
    if (words == 1)
        return true;
    if (!fold(first, true, work, &first, err))
        return false;
    uint32_t known = x->first.table.count, id = dictionary_add(&x->first, first, err);
    if (!id || !RESERVE(x->longest, x->longest_capacity, (size_t)id + 1, err))
        return false;
    if (id > known || words > x->longest[id])
        x->longest[id] = words;
    return true;
}

bool lexicon_complete(struct lexicon *x, struct vouch_error *err)
{
    struct lexicon_work work = {0};
    uint64_t digest = x->columns;
    bool ok = true;
    for (uint32_t id = 1; ok && id <= lexicon_entries(x); id++) {
        struct text entry = dictionary_text(&x->entry, id), classes = dictionary_text(&x->classes, x->row[id]);
        digest = hash_mix(digest, hash_bytes(entry.at, entry.length));
        digest = hash_mix(digest, hash_bytes(classes.at, classes.length));
        ok = note_phrase(x, entry, &work, err);
    }
    x->digest = digest;
    lexicon_work_release(&work);
    return ok;
}

bool lexicon_has_bits(const struct lexicon *x, uint32_t column)
{
    enum { MOST_NUMBER = 4 }; /* digits of a number of a class */
    uint32_t most = 0;
    for (uint32_t row = 1; row <= x->classes.table.count; row++) {
        struct text rest = dictionary_text(&x->classes, row), field = {0};
        for (uint32_t c = 0; c <= column; c++)
            field = text_cut(&rest, '\t');
        for (uint32_t i = 0; i < field.length; i++)
            if (field.at[i] != '0' && field.at[i] != '1')
                return false;
        most = field.length > most ? field.length : most;
    }
    return most > MOST_NUMBER;
}

uint64_t lexicons_digest(const struct lexicons *lexicons)
{
    uint64_t digest = 0;
    for (uint32_t i = 0; lexicons && i < lexicons->count; i++) {
        const struct lexicon *x = &lexicons->item[i];
        digest = hash_mix(hash_mix(digest, hash_bytes(x->name, strlen(x->name))), x->digest);
    }
    return digest;
}

/* ---- Files ---- */

/* Keeps what a comment states, if it is the source or the licence. */
static bool take_comment(struct lexicon *x, struct text line, struct vouch_error *err)
{
    static const char *const keys[] = {"# source:", "# licence:", "# license:"};
    for (int k = 0; k < 3; k++) {
        char **stated = k == 0 ? &x->source : &x->licence;
        uint32_t length = (uint32_t)strlen(keys[k]);
        if (!text_starts(line, keys[k]) || *stated)
            continue;
        struct text value = text_trim((struct text){line.at + length, line.length - length});
        if (value.length && !(*stated = new_string(value.at, value.length, err)))
            return false;
    }
    return true;
}

static bool take_line(struct lexicon *x, const struct input *input, struct text line, struct vouch_error *err)
{
    struct text classes = line, entry = text_cut(&classes, '\t');
    if (lexicon_entries(x) == 0 && text_starts(line, "# "))
        return take_comment(x, line, err);
    if (entry.length == line.length)
        return input_wrong(input, err, "a word or phrase, a tab, and its classes");
    if (lexicon_entries(x) == 0) {
        x->columns = 1;
        for (uint32_t i = 0; i < classes.length; i++)
            x->columns += classes.at[i] == '\t';
        if (x->columns > MOST_CLASS_COLUMNS)
            return input_wrong(input, err, "at most 16 columns of classes");
    }
    if (!lexicon_entry_fits(x, entry, classes))
        return input_wrong(input, err,
                           "a phrase of at most 32 words with single blanks between them, and as many classes, each "
                           "after a tab, as in the first line");
    return lexicon_add(x, entry, classes, err) ||
           fail_within(err, "%s:%llu", input_name(input), (unsigned long long)input_number(input));
}

static bool read_file(struct lexicon *x, const char *path, struct vouch_error *err)
{
    struct input *input = input_open(path, err);
    struct text line;
    int more = input ? 1 : -1;
    while (more == 1 && (more = input_line(input, &line, err)) == 1)
        if (line.length && !take_line(x, input, line, err))
            more = -1;
    input_close(input);
    if (more == 0 && lexicon_entries(x) == 0)
        return fail(err, VOUCH_ERR_FORMAT, "%s: expected entries of a lexicon, found none", path);
    return more == 0 && lexicon_close(x, err);
}

bool lexicons_read(struct lexicons *lexicons, const char *const *given, size_t count, struct vouch_error *err)
{
    bool ok = true;
    for (size_t i = 0; ok && i < count; i++) {
        struct text path = text_of(given[i]), name = text_cut(&path, '=');
        if (path.length == 0)
            return fail(err, VOUCH_ERR_ARGUMENT, "--lexicon: expected NAME=FILE, found '%s'", given[i]);
        struct lexicon *x = lexicons_add(lexicons, name, err);
        ok = x && read_file(x, path.at, err);
    }
    return ok;
}

/* ---- Looking up ---- */

/* Finds an entry as it is written, in lower case, or with digits folded; 0: there is none. */
static bool find(const struct lexicon *x, struct text text, struct lexicon_work *work, uint32_t *id,
                 struct vouch_error *err)
{
    struct text folded = text;
    *id = dictionary_find(&x->entry, text);
    for (int digits = 0; digits < 2 && !*id; digits++) {
        if (!fold(text, digits, work, &folded, err))
            return false;
        *id = dictionary_find(&x->entry, folded);
    }
    return true;
}

/* Joins words by blanks. */
static bool join(const struct text *word, uint32_t count, struct lexicon_work *work, struct text *joined,
                 struct vouch_error *err)
{
    size_t length = 0;
    for (uint32_t i = 0; i < count; i++)
        length += (size_t)word[i].length + 1;
    if (length >= UINT32_MAX || !RESERVE(work->bytes, work->capacity, length + 1, err))
        return length >= UINT32_MAX ? fail_memory(err) : false;
    char *to = work->bytes;
    for (uint32_t i = 0; i < count; i++) {
        if (i > 0)
            *to++ = ' ';
        memcpy(to, word[i].at, word[i].length);
        to += word[i].length;
    }
    *joined = (struct text){work->bytes, (uint32_t)(to - work->bytes)};
    return true;
}

/* Finds the longest phrase of several words that begins with the first of `left` words: how many it has, or 1. */
static bool find_phrase(const struct lexicon *x, const struct text *word, uint32_t left, struct lexicon_work *work,
                        uint32_t *words, uint32_t *id, struct vouch_error *err)
{
    struct text folded;
    *words = 1;
    if (!fold(word[0], true, work, &folded, err))
        return false;
    uint32_t first = dictionary_find(&x->first, folded), most = first ? x->longest[first] : 1;
    for (uint32_t w = most < left ? most : left; w > 1 && *words == 1; w--) {
        struct text joined;
        if (!join(word, w, work, &joined, err) || !find(x, joined, work, id, err))
            return false;
        *words = *id ? w : 1;
    }
    return true;
}

bool lexicon_match(const struct lexicon *x, const struct text *word, uint32_t N, struct lexicon_work *work,
                   struct lexicon_match *match, struct vouch_error *err)
{
    uint32_t id = 0, words = 1;
    for (uint32_t n = 0; n < N; n += words) {
        words = 1;
        if (x->first.table.count && !find_phrase(x, word + n, N - n, work, &words, &id, err))
            return false;
        if (words == 1 && !find(x, word[n], work, &id, err))
            return false;
        for (uint32_t i = 0; i < words; i++)
            match[n + i] = (struct lexicon_match){id ? x->row[id] : 0, words == 1 ? PLACE_ALONE
                                                                       : i == 0   ? PLACE_FIRST
                                                                                  : PLACE_LATER};
    }
    return true;
}
