/*
 * Amends a corpus.
 *
 * The file is read three times. The first reading collects its labels. In the second, sentence by
 * sentence, each decision finds its words, what it expects there is compared, and every change becomes an edit
 * (edit_lines.c). Trees must stay trees, with no more roots than they had; decisions that contradict each other or
 * leave no tree are collected from the whole file, to be reported all at once. The third copies the lines, ends
 * included, with the edits made.
 */
#include "review/decisions.h"

#include "task/dictionary.h"
#include "text/formats.h"

#include <inttypes.h>
#include <stdio.h>

/* Which labels occur in a corpus, and how they spell chunks. */
struct label_survey {
    struct dictionary labels, types; /* of relations in trees; types of chunks without their prefix */
    struct scheme_watch watch;
    enum scheme scheme;  /* SCHEME_NONE for trees */
    bool lasts, middles; /* BIOES as BILOU (L- and U-), and as BMES (M-) */
    char *prefix;        /* [N] of the sentence at hand */
    size_t prefix_capacity;
};

/* Notes the labels of a sentence. */
static bool survey_see(struct label_survey *survey, const struct sentence *sentence, struct vouch_error *err)
{
    if (!sentence->labelled || sentence->boundary)
        return true;
    for (uint32_t i = 0; i < sentence->N; i++) {
        struct text label = sentence->gold[i], type;
        char prefix = scheme_split(label, &type);
        if (prefix && prefix != 'O') {
            survey->lasts = survey->lasts || label.at[0] == 'L' || label.at[0] == 'U';
            survey->middles = survey->middles || label.at[0] == 'M';
            if (!dictionary_add(&survey->types, type, err))
                return false;
        }
        if (!dictionary_add(&survey->labels, label, err))
            return false;
    }
    if (!sentence->tree)
        scheme_see(&survey->watch, sentence->gold, sentence->N);
    return true;
}

static bool survey_has_type(const struct label_survey *survey, struct text type)
{
    return survey->scheme != SCHEME_NONE && dictionary_find(&survey->types, type) > 0;
}

/* Returns the letter that the corpus's scheme has for a prefix; 0 if it has none. */
static char letter_of(const struct label_survey *survey, char prefix)
{
    if (survey->scheme != SCHEME_BIOES)
        return prefix == 'B' || prefix == 'I' ? prefix : '\0';
    switch (prefix) {
    case 'I':
        return survey->middles ? 'M' : 'I';
    case 'E':
        return survey->lasts ? 'L' : 'E';
    case 'S':
        return survey->lasts ? 'U' : 'S';
    default:
        return prefix;
    }
}

/* Whether the corpus has the label, or could have it by its scheme, as the type occurs. */
static bool survey_knows(const struct label_survey *survey, struct text label)
{
    struct text type;
    if (dictionary_find(&survey->labels, label) > 0)
        return true;
    char prefix = scheme_split(label, &type);
    if (survey->scheme == SCHEME_NONE || !prefix)
        return false;
    return prefix == 'O' || (letter_of(survey, prefix) == label.at[0] && survey_has_type(survey, type));
}

static bool touches(struct text before, struct text type)
{
    struct text other;
    char prefix = scheme_split(before, &other);
    return prefix && prefix != 'O' && text_equal(other, type);
}

/* Appends the labels of a chunk of so many words, separated by blanks; `before` is the label before it. */
static bool survey_spell(const struct label_survey *survey, struct text type, uint32_t words, struct text before,
                         struct buffer *into, struct vouch_error *err)
{
    bool bioes = survey->scheme == SCHEME_BIOES;
    for (uint32_t i = 0; i < words; i++) {
        bool first = i == 0, last = i + 1 == words;
        char prefix = first && (survey->scheme != SCHEME_IOB1 || touches(before, type)) ? 'B' : 'I';
        if (bioes && last)
            prefix = first ? 'S' : 'E';
        if ((!first && !buffer_put(into, ' ', err)) || !buffer_put(into, letter_of(survey, prefix), err) ||
            !buffer_put(into, '-', err) || !buffer_add(into, type, err))
            return false;
    }
    return true;
}

/*
 * Counts the labels of a sentence that do not spell chunks as the corpus's scheme does; in IOB2, each I- that begins a
 * chunk.
 */
static bool survey_faults(struct label_survey *survey, const struct text *label, uint32_t N, uint32_t *faults,
                          struct vouch_error *err)
{
    struct text type;
    *faults = 0;
    if (survey->scheme == SCHEME_NONE)
        return true;
    if (!RESERVE(survey->prefix, survey->prefix_capacity, (size_t)N + 1, err))
        return false;
    scheme_convert(label, N, survey->scheme, survey->prefix);
    for (uint32_t i = 0; i < N; i++) {
        char prefix = scheme_split(label[i], &type);
        *faults += prefix != survey->prefix[i] && (survey->scheme != SCHEME_IOB2 || prefix == 'I');
    }
    return true;
}

/* The change of one word, and the decision that asks for it. */
struct change {
    struct text wanted;
    const struct decision *by;    /* NULL: no change */
    uint32_t head, before;        /* in trees: the head as it will be, and as it was */
    struct text number, relation; /* and its spelling; relation.at is NULL: it stays */
};

struct amending {
    const char *path;
    const struct reader_options *reading;
    const struct decisions *decisions;
    struct decision **order;       /* [count] those about the file, by line and word */
    size_t count, next;            /* the next of these */
    struct label_survey survey;
    struct reader *reader;
    struct sentence sentence;
    struct change *change; /* [N] */
    struct text *after;    /* [N] the labels as they will be */
    size_t change_capacity, after_capacity;
    char **spelled; /* decisions that were spelled out for all their words */
    size_t spellings, spelled_capacity;
    struct buffer found;
    struct edits edits;
    struct corrections *corrections; /* NULL: only edits are made */
    struct amended *done;
};

/* Fails at a line of the file, because of a line of the source: where the decision is, or where a word is. */
#define fail_at(a, line, by, err, format, ...)                                                                         \
    fail(err, VOUCH_ERR_FORMAT, "%s:%" PRIu64 ": " format " (%s:%" PRIu64 ")", reader_path((a)->reader), line,         \
         __VA_ARGS__, (by)->source, (by)->number)
#define fail_decision(a, by, err, format, ...) fail_at(a, (by)->line, by, err, format, __VA_ARGS__)
#define fail_word(a, word, by, err, format, ...)                                                                       \
    fail_at(a, reader_line((a)->reader, &(a)->sentence, word), by, err, format, __VA_ARGS__)

#define CHANGED_SINCE "has the file changed since it was reviewed?"

/* Fails because the words of a decision are not there. */
static bool fail_place(const struct amending *a, const struct decision *by, struct vouch_error *err)
{
    return fail_decision(a, by, err, "expected word %" PRIu32 " of a sentence on this line: " CHANGED_SINCE, by->word);
}

/* Fails unless a->found, of words from `word` on, is what is expected. */
static bool expect(const struct amending *a, const struct decision *by, uint32_t word, struct text expected,
                   struct vouch_error *err)
{
    struct text found = buffer_text(&a->found);
    return text_equal(expected, found) ||
           fail_word(a, word, by, err, "expected \"%.*s\", found \"%.*s\": " CHANGED_SINCE, excerpt(expected),
                     expected.at, excerpt(found), found.at);
}

static bool expect_labels(struct amending *a, const struct decision *by, uint32_t from, uint32_t to, struct text given,
                          struct vouch_error *err)
{
    bool relations = given.length > 0 && memchr(given.at, ':', given.length);
    a->found.length = 0;
    return table_labels(&a->sentence, from, to, relations, &a->found, err) && expect(a, by, from, given, err);
}

/* Fails unless the words exist, with these forms and labels. */
static bool check_place(struct amending *a, const struct decision *by, struct vouch_error *err)
{
    const struct sentence *s = &a->sentence;
    uint32_t from = by->word - 1, to = from + by->words;
    if (by->word == 0 || by->words == 0 || by->words > s->N || from > s->N - by->words ||
        reader_line(a->reader, s, from) != by->line)
        return fail_place(a, by, err);
    if (!s->labelled)
        return fail_decision(a, by, err, "expected %s, found none", s->tree ? "gold heads" : "gold labels");
    a->found.length = 0;
    if (by->text.at && (!table_words(s, from, to, &a->found, err) || !expect(a, by, from, by->text, err)))
        return false;
    return expect_labels(a, by, from, to, by->given, err);
}

/* Records why decisions about the sentence cannot be made; the others are still checked. False if memory is short. */
static bool refuse(struct amending *a, const struct vouch_error *why, const char *rows, struct vouch_error *err)
{
    a->done->refusals++;
    return buffer_print(&a->done->refused, err, "%s%s\n", why->message, rows);
}

/* Takes the first of several words off `rest`; empty if there is none. */
static struct text cut_word(struct text *rest)
{
    while (rest->length > 0 && rest->at[0] == ' ') /* a tab may be part of a label */
        *rest = (struct text){rest->at + 1, rest->length - 1};
    return rest->length ? text_cut(rest, ' ') : *rest; /* `at` may be NULL, to which nothing may be added */
}

static uint32_t count_words(struct text text)
{
    uint32_t count = 0;
    while (cut_word(&text).length > 0)
        count++;
    return count;
}

/* Fails at the line that asks for the label. */
static bool fail_label(const struct amending *a, const struct decision *by, const char *expected, struct text found,
                       struct vouch_error *err)
{
    return fail(err, VOUCH_ERR_FORMAT, "%s:%" PRIu64 ": expected %s of %s, found '%.*s' (--new-labels allows others)",
                by->source, by->number, expected, reader_path(a->reader), excerpt(found), found.at);
}

/* Fails if labels that were typed by hand do not occur in the corpus. */
static bool check_labels(const struct amending *a, const struct decision *by, struct vouch_error *err)
{
    struct text rest = by->wanted, label;
    if (!by->by_hand || a->decisions->new_labels || a->sentence.tree)
        return true;
    while ((label = cut_word(&rest)).length > 0)
        if (!survey_knows(&a->survey, label))
            return fail_label(a, by, "+, -, or a label", label, err);
    return true;
}

/* Puts the labels of all words into *wanted if the decision is a single O or type for them, and not a label. */
static bool spell_out(struct amending *a, const struct decision *by, struct text *wanted, struct vouch_error *err)
{
    struct text rest = *wanted, one = cut_word(&rest);
    uint32_t word = by->word - 1;
    bool outside = text_is(one, "O") && survey_knows(&a->survey, one);
    if (!by->by_hand || a->sentence.tree || count_words(*wanted) != 1 ||
        (by->words == 1 && survey_knows(&a->survey, one)) || (!outside && !survey_has_type(&a->survey, one)))
        return true;
    struct text before = word == 0                ? text_of("O")
                         : a->change[word - 1].by ? a->change[word - 1].wanted
                                                  : a->sentence.gold[word - 1];
    struct buffer spelling = {0};
    bool ok = RESERVE(a->spelled, a->spelled_capacity, a->spellings + 1, err) &&
              (outside || survey_spell(&a->survey, one, by->words, before, &spelling, err));
    for (uint32_t i = 0; ok && outside && i < by->words; i++)
        ok = buffer_add(&spelling, text_of("O "), err);
    if (ok) {
        a->spelled[a->spellings++] = spelling.bytes;
        *wanted = buffer_text(&spelling);
    } else
        free(spelling.bytes);
    return ok;
}

/* Records the label that is wanted for a word; two that differ are refused. */
static bool note_wish(struct amending *a, const struct decision *by, uint32_t word, struct text wanted,
                      struct vouch_error *err)
{
    struct change *change = &a->change[word];
    if (!change->by || text_equal(change->wanted, wanted)) {
        if (!change->by || !change->by->place.stratum) /* of two that agree, an audit needs its own */
            *change = (struct change){.wanted = wanted, .by = by};
        return true;
    }
    struct vouch_error why;
    bool elsewhere = strcmp(change->by->source, by->source) != 0;
    fail_word(a, word, by, &why, "word %" PRIu32 ": \"%.*s\" contradicts \"%.*s\", decided on line %" PRIu64 "%s%s",
              word + 1, excerpt(wanted), wanted.at, excerpt(change->wanted), change->wanted.at, change->by->number,
              elsewhere ? " of " : "", elsewhere ? change->by->source : "");
    return refuse(a, &why, "", err);
}

static bool note_wishes(struct amending *a, const struct decision *by, struct vouch_error *err)
{
    struct text rest = by->wanted;
    if (!spell_out(a, by, &rest, err) || (rest.at == by->wanted.at && !check_labels(a, by, err)))
        return false;
    uint32_t found = count_words(rest);
    if (found != by->words)
        return fail_decision(a, by, err, "expected %" PRIu32 " label%s in the decision, found %" PRIu32, by->words,
                             by->words == 1 ? "" : "s", found);
    for (uint32_t i = 0; i < by->words; i++)
        if (!note_wish(a, by, by->word - 1 + i, cut_word(&rest), err))
            return false;
    return true;
}

/* Splits "7:0:root->3:obj" into word 7, its given arc and the wanted one. */
static bool split_other(struct text other, uint32_t *word, struct text *given, struct text *wanted)
{
    uint32_t arrow = 0;
    if (!text_whole(text_cut(&other, ':'), word))
        return false;
    while (arrow + 1 < other.length && (other.at[arrow] != '-' || other.at[arrow + 1] != '>'))
        arrow++;
    if (arrow + 2 >= other.length)
        return false;
    *given = (struct text){other.at, arrow};
    *wanted = (struct text){other.at + arrow + 2, other.length - arrow - 2};
    return true;
}

/* Records the wanted labels of words that change with those of a decision. */
static bool note_others(struct amending *a, const struct decision *by, struct vouch_error *err)
{
    struct text rest = by->also, other, given, wanted;
    while ((other = cut_word(&rest)).length > 0) {
        uint32_t word;
        if (!split_other(other, &word, &given, &wanted) || word == 0 || word > a->sentence.N)
            return fail_decision(a, by, err, "expected WORD:GIVEN->WANTED as what also changes, found \"%.*s\"",
                                 excerpt(other), other.at);
        if (!expect_labels(a, by, word - 1, word, given, err) || !note_wish(a, by, word - 1, wanted, err))
            return false;
    }
    return true;
}

/* Replaces the label of a word or, in trees, its head or relation. */
static bool replace(struct amending *a, uint32_t word, enum edited what, struct text new, struct vouch_error *err)
{
    bool found;
    if (!edits_add(&a->edits, a->reader, &a->sentence, word, what, new, &found, err))
        return false;
    return found || fail_word(a, word, a->change[word].by, err, "expected \"%s\" to change, found none",
                              !a->sentence.tree         ? "labels"
                              : what == EDITED_RELATION ? "relations"
                                                        : "heads");
}

/* Whether an item of DEPS is the arc: its head, and its relation, perhaps with more of it, such as nmod:of of nmod. */
static bool is_arc(struct text item, uint32_t head, struct text relation)
{
    uint32_t number;
    struct text rest = item, first = text_cut(&rest, ':');
    return first.length < item.length && text_whole(first, &number) && number == head &&
           rest.length >= relation.length && memcmp(rest.at, relation.at, relation.length) == 0 &&
           (rest.length == relation.length || rest.at[relation.length] == ':');
}

/* Appends an item of DEPS, unless it is there. */
static bool add_item(struct buffer *into, struct text item, struct vouch_error *err)
{
    struct text so_far = buffer_text(into);
    while (so_far.length)
        if (text_equal(text_cut(&so_far, '|'), item))
            return true;
    return (into->length == 0 || buffer_put(into, '|', err)) && buffer_add(into, item, err);
}

/* Whether an item of DEPS belongs behind an arc: by heads, where 4.1 is an empty node behind 4, then by relations. */
static bool belongs_behind(struct text item, uint32_t head, struct text relation)
{
    struct text rest = item, empty = text_cut(&rest, ':'), whole = text_cut(&empty, '.');
    uint32_t number, least = rest.length < relation.length ? rest.length : relation.length;
    if (!text_whole(whole, &number))
        return false;
    if (number != head || empty.length)
        return number >= head;
    int order = least ? memcmp(rest.at, relation.at, least) : 0;
    return order > 0 || (order == 0 && rest.length > relation.length);
}

/* Copies DEPS without the item `old`, and with `new` where it belongs in the order. */
static bool put_arc(struct text deps, struct text old, struct text new, uint32_t head, struct buffer *into,
                    struct vouch_error *err)
{
    bool done = false;
    struct text relation = new;
    text_cut(&relation, ':');
    while (deps.length) {
        struct text item = text_cut(&deps, '|');
        if (item.at == old.at)
            continue;
        if (!done && belongs_behind(item, head, relation)) {
            done = true;
            if (!add_item(into, new, err))
                return false;
        }
        if (!add_item(into, item, err))
            return false;
    }
    return done || add_item(into, new, err);
}

/* Returns the item of DEPS that is the arc; an empty text if there is none. */
static struct text find_arc(struct text deps, uint32_t head, struct text relation)
{
    while (deps.length) {
        struct text item = text_cut(&deps, '|');
        if (is_arc(item, head, relation))
            return item;
    }
    return text_of("");
}

bool deps_mend(const struct sentence *s, uint32_t word, uint32_t head, struct text relation, struct text *mended,
               struct buffer *room, struct vouch_error *err)
{
    struct text deps = sentence_cell(s, word, COLUMN_DEPS);
    *mended = deps;
    if (!deps.length || !memchr(deps.at, ':', deps.length)) /* "_", or the projective head of CoNLL-X */
        return true;
    struct text old = find_arc(deps, s->head[word], s->gold[word]), named = old;
    if (!old.length) {
        if (!find_arc(deps, head, relation).length)
            *mended = text_of("_");
        return true;
    }
    text_cut(&named, ':'); /* with what it has more than the tree's, if the tree's stays */
    if (!text_equal(relation, s->gold[word]))
        named = relation;
    struct buffer arc = {0};
    room->length = 0;
    bool ok = buffer_print(&arc, err, "%" PRIu32 ":", head) && buffer_add(&arc, named, err) &&
              put_arc(deps, old, buffer_text(&arc), head, room, err);
    free(arc.bytes);
    *mended = buffer_text(room);
    return ok;
}

/* Mends the DEPS of a word whose arc changes, and counts it. */
static bool mend_deps(struct amending *a, uint32_t word, struct vouch_error *err)
{
    const struct sentence *s = &a->sentence;
    const struct change *change = &a->change[word];
    struct text mended;
    if (a->reader->format != FORMAT_CONLLU)
        return true;
    if (!deps_mend(s, word, change->head, change->relation.at ? change->relation : s->gold[word], &mended, &a->found,
                   err))
        return false;
    if (text_equal(mended, sentence_cell(s, word, COLUMN_DEPS)))
        return true;
    bool cleared = text_is(mended, "_");
    a->done->deps_mended += !cleared;
    a->done->deps_cleared += cleared;
    return replace(a, word, EDITED_DEPS, mended, err);
}

/* Parses what is wanted: "3" or "3:obj". */
static bool parse_arc(struct change *change)
{
    struct text relation = change->wanted, number = text_cut(&relation, ':');
    bool named = number.length < change->wanted.length, plain = number.length == 1 || number.at[0] != '0';
    change->number = number;
    if (named)
        change->relation = relation;
    return plain && number.length <= 9 && text_whole(number, &change->head) && (!named || relation.length > 0);
}

static bool change_arc(struct amending *a, uint32_t word, struct vouch_error *err)
{
    struct sentence *s = &a->sentence;
    struct change *change = &a->change[word];
    if (!parse_arc(change))
        return fail_word(a, word, change->by, err, "expected HEAD or HEAD:RELATION in the decision, found \"%.*s\"",
                         excerpt(change->wanted), change->wanted.at);
    struct text relation = change->relation;
    bool moved = change->head != s->head[word], renamed = relation.at && !text_equal(relation, s->gold[word]);
    if (change->by->by_hand && renamed && !a->decisions->new_labels && !survey_knows(&a->survey, relation))
        return fail_label(a, change->by, "a relation", relation, err);
    if ((moved && !replace(a, word, EDITED_LABEL, change->number, err)) ||
        (renamed && !replace(a, word, EDITED_RELATION, relation, err)) ||
        ((moved || renamed) && !mend_deps(a, word, err)))
        return false;
    change->before = s->head[word];
    s->head[word] = change->head;
    a->done->changed += moved || renamed;
    return true;
}

static bool change_label(struct amending *a, uint32_t word, struct vouch_error *err)
{
    struct text wanted = a->change[word].wanted;
    if (text_equal(wanted, a->sentence.gold[word]))
        return true;
    a->done->changed++;
    return replace(a, word, EDITED_LABEL, wanted, err);
}

/* Counts the faults of a sentence of labels that followed the scheme before. */
static bool count_faults(struct amending *a, struct vouch_error *err)
{
    const struct sentence *s = &a->sentence;
    uint32_t before, after;
    if (!RESERVE(a->after, a->after_capacity, s->N, err))
        return false;
    for (uint32_t i = 0; i < s->N; i++)
        a->after[i] = a->change[i].by ? a->change[i].wanted : s->gold[i];
    if (!survey_faults(&a->survey, s->gold, s->N, &before, err) ||
        !survey_faults(&a->survey, a->after, s->N, &after, err))
        return false;
    a->done->faults += before == 0 ? after : 0;
    return true;
}

/* Whether heads lead from a word back to it. */
static bool is_in_cycle(const struct sentence *s, uint32_t word)
{
    uint32_t at = word + 1, steps = 0;
    do
        at = s->head[at - 1];
    while (at > 0 && at <= s->N && at != word + 1 && ++steps < s->N);
    return at == word + 1;
}

/* Whether the new head of a word contributes to there being no tree. */
static bool has_part(const struct amending *a, uint32_t word, uint32_t roots)
{
    const struct sentence *s = &a->sentence;
    uint32_t head = s->head[word], before = a->change[word].before;
    if (head == before)
        return false;
    return head > s->N || (head == 0 && roots > 1) || (before == 0 && roots == 0) || is_in_cycle(s, word);
}

/* Lists the sentence's decisions, from `first` on, that contribute to it, in a->found, terminated. */
static bool name_parts(struct amending *a, size_t first, struct vouch_error *err)
{
    const struct sentence *s = &a->sentence;
    uint32_t roots = 0;
    a->found.length = 0;
    for (uint32_t i = 0; i < s->N; i++)
        roots += s->head[i] == 0;
    for (size_t k = first; k < a->next; k++) {
        uint32_t i = 0;
        while (i < s->N && (a->change[i].by != a->order[k] || !has_part(a, i, roots)))
            i++;
        if (i < s->N && !buffer_print(&a->found, err, "%s%s:%" PRIu64, a->found.length ? ", " : " (",
                                      a->order[k]->source, a->order[k]->number))
            return false;
    }
    return buffer_add(&a->found, text_of(a->found.length ? ")" : ""), err);
}

/* Fails unless the heads are now a tree, with no more roots than there were. */
static bool check_tree(struct amending *a, size_t first, uint32_t roots, struct vouch_error *err)
{
    struct sentence *s = &a->sentence;
    struct vouch_error why = {0};
    uint32_t most = roots > 1 ? roots : 1;
    uint64_t number = a->reader->number; /* saved, as messages set it to another line */
    bool ok = tree_check(a->reader, s, &why);
    if (ok && s->roots > most) {
        a->reader->number = reader_line(a->reader, s, 0);
        ok = fail_line(a->reader, &why, "expected %" PRIu32 " root%s (words whose head is 0), found %" PRIu32, most,
                       most == 1 ? "" : "s", s->roots);
    }
    a->reader->number = number;
    if (ok || why.status == VOUCH_ERR_MEMORY)
        return ok || fail_memory(err);
    return name_parts(a, first, err) && refuse(a, &why, a->found.bytes, err);
}

/* Returns the label that a word gets, and whether it is changed. */
static struct text label_after(const struct amending *a, uint32_t word, bool *changed)
{
    const struct sentence *s = &a->sentence;
    const struct change *change = &a->change[word];
    struct text kept = change->relation.at ? change->relation : s->gold[word], label = s->tree ? kept : change->wanted;
    *changed = !text_equal(label, s->gold[word]) || (s->tree && change->head != change->before);
    return label;
}

/*
 * Notes of each decision, from `first` on, whether it changes one of its own words. Of two in a table that agree, one
 * counts; another table may have made the same one before.
 */
static void note_outcomes(const struct amending *a, size_t first)
{
    for (size_t k = first; k < a->next; k++) {
        struct decision *by = a->order[k];
        bool whole = true, wrong = false, changed;
        for (uint32_t i = by->word - 1; i < by->word - 1 + by->words; i++) {
            const struct decision *first_by = a->change[i].by;
            whole = whole && first_by && (first_by == by || first_by->source != by->source);
            label_after(a, i, &changed);
            wrong = wrong || changed;
        }
        by->outcome = !whole ? OUTCOME_OPEN : wrong ? OUTCOME_WRONG : OUTCOME_RIGHT;
    }
}

/* Notes the corrections of the words that were decided on, by decisions from `first` on. */
static bool note_corrections(struct amending *a, size_t first, struct vouch_error *err)
{
    const struct sentence *s = &a->sentence;
    note_outcomes(a, first);
    for (uint32_t i = 0; i < s->N; i++) {
        const struct change *change = &a->change[i];
        bool changed;
        if (!change->by)
            continue;
        struct text label = label_after(a, i, &changed);
        struct correction one = {.line = s->number, .word = i, .head = change->head, .changed = changed};
        if (!corrections_add(a->corrections, one, label, err))
            return false;
    }
    return true;
}

/* Makes edits of the sentence's changes, by decisions from `first` on. */
static bool amend_sentence(struct amending *a, size_t first, struct vouch_error *err)
{
    struct sentence *s = &a->sentence;
    uint32_t roots = s->roots;
    if (!edits_open(&a->edits, a->reader, s, err))
        return false;
    for (uint32_t i = 0; i < s->N; i++)
        if (a->change[i].by && !(s->tree ? change_arc : change_label)(a, i, err))
            return false;
    return (s->tree ? check_tree(a, first, roots, err) : count_faults(a, err)) &&
           (!a->corrections || note_corrections(a, first, err));
}

/* Takes decisions up to the sentence's last line, so that those of lines without a word are noticed as well. */
static bool take_sentence(struct amending *a, struct vouch_error *err)
{
    const struct sentence *s = &a->sentence;
    size_t first = a->next;
    if (s->N == 0 || s->boundary)
        return true;
    if (!RESERVE(a->change, a->change_capacity, s->N, err))
        return false;
    memset(a->change, 0, sizeof *a->change * s->N);
    uint64_t last = reader_line(a->reader, s, s->N - 1);
    for (; a->next < a->count && a->order[a->next]->line <= last; a->next++)
        if (!check_place(a, a->order[a->next], err) || !note_wishes(a, a->order[a->next], err) ||
            !note_others(a, a->order[a->next], err))
            return false;
    return a->next == first || amend_sentence(a, first, err);
}

static int compare_decisions(const void *a, const void *b)
{
    const struct decision *x = *(struct decision *const *)a, *y = *(struct decision *const *)b;
    if (x->line != y->line)
        return x->line < y->line ? -1 : 1;
    if (x->word != y->word)
        return x->word < y->word ? -1 : 1;
    return (x->number > y->number) - (x->number < y->number);
}

/* Takes the decisions about the file. */
static bool take_decisions(struct amending *a, struct vouch_error *err)
{
    const struct decisions *d = a->decisions;
    a->order = new_array(d->rows, sizeof *a->order, err);
    for (size_t i = 0; a->order && i < d->rows; i++)
        if (d->row[i].about)
            a->order[a->count++] = &d->row[i];
    return a->order != NULL;
}

/* Reads the file from end to end. */
static bool read_file(struct amending *a, bool (*take)(struct amending *a, struct vouch_error *err),
                      struct vouch_error *err)
{
    enum reading state = READ_FAILED;
    reader_close(a->reader);
    a->reader = reader_open(a->path, a->reading, err);
    bool ok = a->reader != NULL;
    while (ok && (state = reader_next(a->reader, &a->sentence, err)) == READ_SENTENCE)
        ok = take(a, err);
    return ok && state == READ_END;
}

static bool survey_sentence(struct amending *a, struct vouch_error *err)
{
    return survey_see(&a->survey, &a->sentence, err);
}

/* Does the first two readings: checks everything, and makes the edits. */
static bool prepare(struct amending *a, struct vouch_error *err)
{
    const char *source = a->count ? a->order[0]->source : NULL;
    if (a->count && !read_file(a, survey_sentence, err))
        return false;
    a->done->scheme = a->survey.scheme = scheme_decide(&a->survey.watch);
    if (a->count)
        qsort(a->order, a->count, sizeof *a->order, compare_decisions);
    if (!read_file(a, take_sentence, err))
        return false;
    if (a->next < a->count)
        return fail_place(a, a->order[a->next], err);
    struct text refused = buffer_text(&a->done->refused);
    if (a->done->refusals == 1)
        return fail(err, VOUCH_ERR_FORMAT, "%.*s", (int)refused.length - 1, refused.at);
    return a->done->refusals == 0 ||
           fail(err, VOUCH_ERR_FORMAT, "%s: %" PRIu32 " decisions cannot be made (%s), and nothing was written",
                a->path, a->done->refusals, source);
}

bool amend(const char *path, const struct reader_options *reading, const struct decisions *decisions,
           struct output *out, struct corrections *into, struct amended *done, struct vouch_error *err)
{
    struct amending a = {.path = path, .reading = reading, .decisions = decisions, .corrections = into, .done = done};
    *done = (struct amended){0};
    bool ok = take_decisions(&a, err) && prepare(&a, err) && (!out || edits_write(&a.edits, out, path, err));
    if (done->refusals == 1)
        done->refused.length = 0;
    for (size_t i = 0; i < a.spellings; i++)
        free(a.spelled[i]);
    free(a.spelled);
    free(a.after);
    dictionary_release(&a.survey.labels);
    dictionary_release(&a.survey.types);
    free(a.survey.prefix);
    reader_close(a.reader);
    sentence_release(&a.sentence);
    free(a.order);
    free(a.change);
    free(a.found.bytes);
    edits_release(&a.edits);
    return ok;
}
