/*
 * Amends a corpus: see amend.h.
 *
 * The file is read three times. The first reading collects its labels. In the
 * second, sentence by sentence, each amendment finds its words, what it expects
 * there is compared, and every change becomes an edit: a place within a line
 * and its new content. Trees must stay trees, with no more roots than they had;
 * amendments that contradict each other or leave no tree are collected from the
 * whole file, to be reported all at once. The third copies the lines, ends
 * included, with the edits made. Linear in the file; memory grows with the
 * edits.
 */
#include "review/amend.h"

#include "text/formats.h"
#include "review/json_elements.h"
#include "review/label_survey.h"

#include <inttypes.h>
#include <stdio.h>

/* An edit: `length` bytes at `at` of a line are replaced by those of the pool from `from` to `to`. */
struct edit {
    uint64_t line;
    size_t at, length, from, to;
};

/* The change of one word, and the amendment that asks for it. */
struct change {
    struct text wanted;
    const struct amendment *by; /* NULL: no change */
    uint32_t head;              /* in trees: as it was */
};

struct amending {
    const struct amendments *asked;
    const struct amendment **order; /* [count] by line and word */
    struct label_survey survey;
    size_t next; /* the next of these */
    struct reader *reader;
    struct sentence sentence;
    struct change *change;                       /* [N] */
    struct text *element[2];                     /* [N] JSON: of labels; or of heads, and relations */
    size_t change_capacity, element_capacity[2]; /* of the sentence at hand */
    struct text *after;                          /* [N] the labels as they will be */
    size_t after_capacity;
    char **spelled; /* decisions that were spelled out for all their words */
    size_t spellings, spelled_capacity;
    struct buffer found, pool, spelling;
    struct edit *edit;
    size_t edits, edit_capacity;
    struct corrections *corrections; /* NULL: only edits are made */
    struct amended done;
};

/* Fails at a line of the file, because of a line of the source. */
#define fail_amendment(a, by, err, format, ...)                                                                        \
    fail(err, VOUCH_ERR_FORMAT, "%s:%" PRIu64 ": " format " (%s:%" PRIu64 ")", reader_path((a)->reader), (by)->line,   \
         __VA_ARGS__, (by)->source, (by)->number)

#define CHANGED_SINCE "has the file changed since it was reviewed?"

static bool expect(const struct amending *a, const struct amendment *by, struct text expected, struct vouch_error *err)
{
    struct text found = buffer_text(&a->found);
    return text_equal(expected, found) ||
           fail_amendment(a, by, err, "expected \"%.*s\", found \"%.*s\": " CHANGED_SINCE, excerpt(expected),
                          expected.at, excerpt(found), found.at);
}

/* Fails unless the words exist, with these forms and labels. */
static bool check_place(struct amending *a, const struct amendment *by, struct vouch_error *err)
{
    const struct sentence *s = &a->sentence;
    uint32_t from = by->word - 1, to = from + by->words;
    if (by->word == 0 || by->words == 0 || by->words > s->N || from > s->N - by->words ||
        reader_line(a->reader, s, from) != by->line)
        return fail_amendment(a, by, err, "expected word %" PRIu32 " of a sentence on this line: " CHANGED_SINCE,
                              by->word);
    if (!s->labelled)
        return fail_amendment(a, by, err, "expected %s, found none", s->tree ? "gold heads" : "gold labels");
    a->found.length = 0;
    if (by->text.at && (!amend_words(s, from, to, &a->found, err) || !expect(a, by, by->text, err)))
        return false;
    bool relations = by->given.length > 0 && memchr(by->given.at, ':', by->given.length);
    a->found.length = 0;
    return amend_labels(s, from, to, relations, &a->found, err) && expect(a, by, by->given, err);
}

/* Records why amendments of the sentence cannot be made; the others are still checked. False if memory is short. */
static bool refuse(struct amending *a, const struct vouch_error *why, const char *rows, struct vouch_error *err)
{
    struct buffer *refused = &a->done.refused;
    a->done.refusals++;
    return buffer_add(refused, text_of(why->message), err) && buffer_add(refused, text_of(rows), err) &&
           buffer_put(refused, '\n', err);
}

/* Takes the first of several words off `rest`; empty if there is none. */
static struct text cut_word(struct text *rest)
{
    uint32_t from = 0, to;
    if (rest->length == 0) /* `at` may be NULL, to which nothing may be added */
        return *rest;
    while (from < rest->length && rest->at[from] == ' ')
        from++;
    for (to = from; to < rest->length && rest->at[to] != ' ';)
        to++;
    struct text word = {rest->at + from, to - from};
    *rest = (struct text){rest->at + to, rest->length - to};
    return word;
}

static uint32_t count_words(struct text text)
{
    uint32_t count = 0;
    while (cut_word(&text).length > 0)
        count++;
    return count;
}

/* Fails at the line that asks for the label. */
static bool fail_label(const struct amending *a, const struct amendment *by, const char *expected, struct text found,
                       struct vouch_error *err)
{
    return fail(err, VOUCH_ERR_FORMAT, "%s:%" PRIu64 ": expected %s of %s, found '%.*s' (--new-labels allows others)",
                by->source, by->number, expected, reader_path(a->reader), excerpt(found), found.at);
}

/* Fails if labels that were typed by hand do not occur in the corpus. */
static bool check_labels(const struct amending *a, const struct amendment *by, struct vouch_error *err)
{
    struct text rest = by->wanted, label;
    if (!by->by_hand || a->asked->new_labels || a->sentence.tree)
        return true;
    while ((label = cut_word(&rest)).length > 0)
        if (!label_survey_knows(&a->survey, label))
            return fail_label(a, by, "+, -, or a label", label, err);
    return true;
}

/* Returns the label in front of a word, as it will be. */
static struct text label_before(const struct amending *a, uint32_t word)
{
    if (word == 0)
        return text_of("O");
    return a->change[word - 1].by ? a->change[word - 1].wanted : a->sentence.gold[word - 1];
}

/* Puts the labels of all words into *wanted if the decision is a single O or type for them, and not a label. */
static bool spell_out(struct amending *a, const struct amendment *by, struct text *wanted, struct vouch_error *err)
{
    struct text rest = *wanted, one = cut_word(&rest);
    bool outside = text_is(one, "O") && label_survey_knows(&a->survey, one);
    if (!by->by_hand || a->sentence.tree || count_words(*wanted) != 1 ||
        (by->words == 1 && label_survey_knows(&a->survey, one)) ||
        (!outside && !label_survey_has_type(&a->survey, one)))
        return true;
    a->spelling.length = 0;
    bool ok =
        outside || label_survey_spell(&a->survey, one, by->words, label_before(a, by->word - 1), &a->spelling, err);
    for (uint32_t i = 0; ok && outside && i < by->words; i++)
        ok = buffer_add(&a->spelling, text_of("O "), err);
    if (!ok || !RESERVE(a->spelled, a->spelled_capacity, a->spellings + 1, err))
        return false;
    char *copy = new_string(a->spelling.bytes, a->spelling.length, err);
    if (copy) {
        a->spelled[a->spellings++] = copy;
        *wanted = text_of(copy);
    }
    return copy != NULL;
}

/* Records the label that is wanted for a word; two that differ are refused. */
static bool note_wish(struct amending *a, const struct amendment *by, uint32_t word, struct text wanted,
                      struct vouch_error *err)
{
    struct change *change = &a->change[word];
    if (!change->by || text_equal(change->wanted, wanted)) {
        *change = (struct change){.wanted = wanted, .by = by};
        return true;
    }
    struct vouch_error why;
    bool elsewhere = strcmp(change->by->source, by->source) != 0;
    fail_amendment(a, by, &why, "word %" PRIu32 ": \"%.*s\" contradicts \"%.*s\", decided on line %" PRIu64 "%s%s",
                   word + 1, excerpt(wanted), wanted.at, excerpt(change->wanted), change->wanted.at, change->by->number,
                   elsewhere ? " of " : "", elsewhere ? change->by->source : "");
    return refuse(a, &why, "", err);
}

static bool note_wishes(struct amending *a, const struct amendment *by, struct vouch_error *err)
{
    struct text rest = by->wanted, whole = by->wanted;
    if (!spell_out(a, by, &whole, err) || (text_equal(whole, rest) && !check_labels(a, by, err)))
        return false;
    rest = whole;
    uint32_t found = count_words(rest);
    if (found != by->words)
        return fail_amendment(a, by, err, "expected %" PRIu32 " label%s in the decision, found %" PRIu32, by->words,
                              by->words == 1 ? "" : "s", found);
    for (uint32_t i = 0; i < by->words; i++)
        if (!note_wish(a, by, by->word - 1 + i, cut_word(&rest), err))
            return false;
    return true;
}

/* Splits "7:0:root->3:obj" into word 7, its given arc and the wanted one. */
static bool split_other(struct text other, uint32_t *word, struct text *given, struct text *wanted)
{
    uint32_t colon = 0, arrow;
    *word = 0;
    for (; colon < other.length && other.at[colon] >= '0' && other.at[colon] <= '9' && colon < 9; colon++)
        *word = *word * 10 + (uint32_t)(other.at[colon] - '0');
    for (arrow = colon; arrow + 1 < other.length && (other.at[arrow] != '-' || other.at[arrow + 1] != '>');)
        arrow++;
    if (colon == other.length || other.at[colon] != ':' || arrow + 2 >= other.length)
        return false;
    *given = (struct text){other.at + colon + 1, arrow - colon - 1};
    *wanted = (struct text){other.at + arrow + 2, other.length - arrow - 2};
    return true;
}

/* Records the wanted labels of words that change with those of an amendment. */
static bool note_others(struct amending *a, const struct amendment *by, struct vouch_error *err)
{
    struct text rest = by->also, other, given, wanted;
    while ((other = cut_word(&rest)).length > 0) {
        uint32_t word;
        if (!split_other(other, &word, &given, &wanted) || word == 0 || word > a->sentence.N)
            return fail_amendment(a, by, err, "expected WORD:GIVEN->WANTED as what also changes, found \"%.*s\"",
                                  excerpt(other), other.at);
        a->found.length = 0;
        if (!amend_labels(&a->sentence, word - 1, word, given.length > 0 && memchr(given.at, ':', given.length),
                          &a->found, err) ||
            !expect(a, by, given, err) || !note_wish(a, by, word - 1, wanted, err))
            return false;
    }
    return true;
}

/* Appends a label as the file spells it: quoted in JSON, with backslashes where needed. */
static bool spell(struct buffer *into, struct text label, bool quoted, bool escaped, struct vouch_error *err)
{
    bool ok = !quoted || buffer_put(into, '"', err);
    for (uint32_t i = 0; ok && i < label.length; i++) {
        unsigned char c = (unsigned char)label.at[i];
        char control[8];
        bool special = c == '\\' || (quoted && c == '"');
        if (quoted && c < ' ') {
            snprintf(control, sizeof control, "\\u%04x", c);
            ok = buffer_add(into, text_of(control), err);
        } else
            ok = (!escaped || !special || buffer_put(into, '\\', err)) && buffer_put(into, label.at[i], err);
    }
    return ok && (!quoted || buffer_put(into, '"', err));
}

static bool add_edit(struct amending *a, uint32_t word, struct text old, struct text new, struct vouch_error *err)
{
    struct text line = a->reader->format == FORMAT_JSONL ? a->sentence.before : a->sentence.line[word];
    if (!RESERVE(a->edit, a->edit_capacity, a->edits + 1, err))
        return false;
    struct edit *edit = &a->edit[a->edits++];
    *edit = (struct edit){.line = reader_line(a->reader, &a->sentence, word),
                          .at = (size_t)(old.at - line.at),
                          .length = old.length,
                          .from = a->pool.length};
    bool quoted = a->reader->format == FORMAT_JSONL && old.at[0] == '"';
    bool escaped = quoted || a->reader->format == FORMAT_CRFSUITE;
    bool ok = spell(&a->pool, new, quoted, escaped, err);
    a->edit[a->edits - 1].to = a->pool.length;
    return ok;
}

/* Finds the bytes that hold the label of a word, or (which = 1) the relation of its head. */
static bool find_place(const struct amending *a, uint32_t word, int which, struct text *place)
{
    const struct sentence *s = &a->sentence;
    struct text line = s->line[word];
    const char *tab;
    switch (a->reader->format) {
    case FORMAT_JSONL:
        *place = a->element[which] ? a->element[which][word] : (struct text){0};
        return place->length > 0;
    case FORMAT_CRFSUITE:
        tab = memchr(line.at, '\t', line.length);
        *place = (struct text){line.at, tab ? (uint32_t)(tab - line.at) : line.length};
        return true;
    case FORMAT_CONLLU:
        if (!s->tree) {
            *place = s->gold[word];
            return true;
        }
        *place = sentence_cell(s, word, which ? COLUMN_DEPREL : COLUMN_HEAD);
        return true;
    default:
        *place = s->gold[word];
        return true;
    }
}

static bool replace(struct amending *a, uint32_t word, int which, struct text new, struct vouch_error *err)
{
    struct text place;
    if (!find_place(a, word, which, &place))
        return fail_amendment(a, a->change[word].by, err, "expected \"%s\" to change, found none",
                              !a->sentence.tree ? "labels"
                              : which           ? "relations"
                                                : "heads");
    return add_edit(a, word, place, new, err);
}

/* Parses "3" or "3:obj"; *relation.at is NULL if there is none. */
static bool parse_arc(struct text wanted, uint32_t *head, struct text *number, struct text *relation)
{
    const char *colon = memchr(wanted.at, ':', wanted.length);
    *number = (struct text){wanted.at, colon ? (uint32_t)(colon - wanted.at) : wanted.length};
    *relation = colon ? (struct text){colon + 1, wanted.length - number->length - 1} : (struct text){0};
    *head = 0;
    for (uint32_t i = 0; i < number->length; i++) {
        if (number->at[i] < '0' || number->at[i] > '9' || i == 9)
            return false;
        *head = *head * 10 + (uint32_t)(number->at[i] - '0');
    }
    bool plain = number->length == 1 || (number->length > 1 && number->at[0] != '0');
    return plain && (!relation->at || relation->length > 0);
}

static bool change_arc(struct amending *a, uint32_t word, struct vouch_error *err)
{
    struct sentence *s = &a->sentence;
    struct change *change = &a->change[word];
    uint32_t head;
    struct text number, relation;
    if (!parse_arc(change->wanted, &head, &number, &relation))
        return fail_amendment(a, change->by, err, "expected HEAD or HEAD:RELATION in the decision, found \"%.*s\"",
                              excerpt(change->wanted), change->wanted.at);
    bool moved = head != s->head[word], renamed = relation.at && !text_equal(relation, s->gold[word]);
    if (change->by->by_hand && renamed && !a->asked->new_labels && !label_survey_knows(&a->survey, relation))
        return fail_label(a, change->by, "a relation", relation, err);
    if ((moved && !replace(a, word, 0, number, err)) || (renamed && !replace(a, word, 1, relation, err)))
        return false;
    change->head = s->head[word];
    s->head[word] = head;
    a->done.changed += moved || renamed;
    return true;
}

static bool change_label(struct amending *a, uint32_t word, struct vouch_error *err)
{
    struct text wanted = a->change[word].wanted;
    if (text_equal(wanted, a->sentence.gold[word]))
        return true;
    a->done.changed++;
    return replace(a, word, 0, wanted, err);
}

/* Finds the elements in JSON; an array is NULL if it is not there. */
static bool find_elements(struct amending *a, struct vouch_error *err)
{
    const struct sentence *s = &a->sentence;
    const char *key[2] = {s->tree ? "heads" : "labels", "relations"};
    for (int i = 0; i < 2; i++) {
        if (!RESERVE(a->element[i], a->element_capacity[i], (size_t)s->N + 1, err))
            return false;
        memset(a->element[i], 0, sizeof *a->element[i] * s->N);
        if (json_elements(s->before, key[i], a->element[i], s->N) != s->N)
            memset(a->element[i], 0, sizeof *a->element[i] * s->N);
    }
    return true;
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
    if (!label_survey_faults(&a->survey, s->gold, s->N, &before, err) ||
        !label_survey_faults(&a->survey, a->after, s->N, &after, err))
        return false;
    a->done.faults += before == 0 ? after : 0;
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
    uint32_t head = s->head[word], before = a->change[word].head;
    if (head == before)
        return false;
    return head > s->N || (head == 0 && roots > 1) || (before == 0 && roots == 0) || is_in_cycle(s, word);
}

/* Lists the sentence's amendments, from `first` on, that contribute to it, in a->found, terminated. */
static bool name_parts(struct amending *a, size_t first, struct vouch_error *err)
{
    const struct sentence *s = &a->sentence;
    uint32_t roots = 0;
    a->found.length = 0;
    for (uint32_t i = 0; i < s->N; i++)
        roots += s->head[i] == 0;
    for (size_t k = first; k < a->next; k++) {
        uint32_t i = 0;
        char row[40];
        while (i < s->N && (a->change[i].by != a->order[k] || !has_part(a, i, roots)))
            i++;
        snprintf(row, sizeof row, ":%" PRIu64, a->order[k]->number);
        if (i < s->N &&
            (!buffer_add(&a->found, text_of(a->found.length ? ", " : " ("), err) ||
             !buffer_add(&a->found, text_of(a->order[k]->source), err) || !buffer_add(&a->found, text_of(row), err)))
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

/* Notes the corrections of the words that were decided on. */
static bool note_corrections(struct amending *a, struct vouch_error *err)
{
    const struct sentence *s = &a->sentence;
    for (uint32_t i = 0; i < s->N; i++) {
        const struct change *change = &a->change[i];
        struct text label = change->wanted, number, relation = {0};
        uint32_t head = 0;
        if (!change->by)
            continue;
        if (s->tree) {
            parse_arc(change->wanted, &head, &number, &relation);
            label = relation.at ? relation : s->gold[i];
        }
        bool changed = !text_equal(label, s->gold[i]) || (s->tree && head != change->head);
        struct correction one = {.line = s->number, .word = i, .head = head, .changed = changed};
        if (!corrections_add(a->corrections, one, label, err))
            return false;
    }
    return true;
}

/* Makes edits of the sentence's changes, by amendments from `first` on. */
static bool amend_sentence(struct amending *a, size_t first, struct vouch_error *err)
{
    struct sentence *s = &a->sentence;
    uint32_t roots = s->roots;
    if (a->reader->format == FORMAT_JSONL && !find_elements(a, err))
        return false;
    for (uint32_t i = 0; i < s->N; i++)
        if (a->change[i].by && !(s->tree ? change_arc : change_label)(a, i, err))
            return false;
    return (s->tree ? check_tree(a, first, roots, err) : count_faults(a, err)) &&
           (!a->corrections || note_corrections(a, err));
}

/* Takes amendments up to the sentence's last line, so that those of lines without a word are noticed as well. */
static bool look_at_sentence(struct amending *a, struct vouch_error *err)
{
    const struct sentence *s = &a->sentence;
    size_t first = a->next;
    if (s->N == 0 || s->boundary)
        return true;
    if (!RESERVE(a->change, a->change_capacity, s->N, err))
        return false;
    memset(a->change, 0, sizeof *a->change * s->N);
    uint64_t last = reader_line(a->reader, s, s->N - 1);
    for (; a->next < a->asked->count && a->order[a->next]->line <= last; a->next++)
        if (!check_place(a, a->order[a->next], err) || !note_wishes(a, a->order[a->next], err) ||
            !note_others(a, a->order[a->next], err))
            return false;
    return a->next == first || amend_sentence(a, first, err);
}

static int compare_amendments(const void *a, const void *b)
{
    const struct amendment *x = *(const struct amendment *const *)a, *y = *(const struct amendment *const *)b;
    if (x->line != y->line)
        return x->line < y->line ? -1 : 1;
    if (x->word != y->word)
        return x->word < y->word ? -1 : 1;
    return (x->number > y->number) - (x->number < y->number);
}

static int compare_edits(const void *a, const void *b)
{
    const struct edit *x = a, *y = b;
    if (x->line != y->line)
        return x->line < y->line ? -1 : 1;
    return (x->at > y->at) - (x->at < y->at);
}

static bool fail_refused(struct amending *a, const char *path, struct vouch_error *err)
{
    struct text lines = buffer_text(&a->done.refused);
    if (a->done.refusals == 1)
        return fail(err, VOUCH_ERR_FORMAT, "%.*s", (int)lines.length - 1, lines.at);
    return fail(err, VOUCH_ERR_FORMAT, "%s: %" PRIu32 " decisions cannot be made (%s), and nothing was written", path,
                a->done.refusals, a->asked->list[0].source);
}

/* Does the second reading: checks everything, and makes the edits. */
static bool prepare(struct amending *a, const char *path, const struct reader_options *reading, struct vouch_error *err)
{
    size_t count = a->asked->count;
    a->order = new_array(count, sizeof *a->order, err);
    for (size_t i = 0; a->order && i < count; i++)
        a->order[i] = &a->asked->list[i];
    if (a->order)
        qsort(a->order, count, sizeof *a->order, compare_amendments);
    a->reader = a->order ? reader_open(path, reading, err) : NULL;
    enum reading state = READ_FAILED;
    while (a->reader && (state = reader_next(a->reader, &a->sentence, err)) == READ_SENTENCE)
        if (!look_at_sentence(a, err))
            return false;
    if (state == READ_END && a->next < count)
        return fail_amendment(a, a->order[a->next], err,
                              "expected word %" PRIu32 " of a sentence on this line: " CHANGED_SINCE,
                              a->order[a->next]->word);
    if (state == READ_END && a->done.refusals > 0)
        return fail_refused(a, path, err);
    if (state == READ_END && a->edits)
        qsort(a->edit, a->edits, sizeof *a->edit, compare_edits);
    return state == READ_END;
}

static bool copy_line(struct amending *a, struct output *out, struct text line, size_t *edit)
{
    size_t at = 0;
    uint64_t number = a->edit[*edit].line;
    for (; *edit < a->edits && a->edit[*edit].line == number; (*edit)++) {
        const struct edit *e = &a->edit[*edit];
        if (e->at < at || e->at + e->length > line.length)
            return false;
        output_write(out, line.at + at, e->at - at);
        output_write(out, a->pool.bytes + e->from, e->to - e->from);
        at = e->at + e->length;
    }
    output_write(out, line.at + at, line.length - at);
    return true;
}

/* Does the third reading, which writes the file. */
static bool copy(struct amending *a, struct output *out, const char *path, struct vouch_error *err)
{
    struct input *input = input_open(path, err);
    struct text line;
    size_t edit = 0;
    int more = -1;
    bool ok;
    if (input && input_marked(input))
        output_write(out, BYTE_ORDER_MARK, strlen(BYTE_ORDER_MARK));
    while (input && (more = input_line(input, &line, err)) == 1) {
        if (edit == a->edits || a->edit[edit].line != input_number(input))
            write_text(out, line);
        else if (!copy_line(a, out, line, &edit))
            break;
        write_text(out, input_line_end(input));
    }
    if (more == 1 || (more == 0 && edit < a->edits))
        ok = fail(err, VOUCH_ERR_FORMAT, "%s: the file has changed while it was read", path);
    else
        ok = more == 0;
    input_close(input);
    return ok;
}

void amended_release(struct amended *done)
{
    free(done->refused.bytes);
    *done = (struct amended){0};
}

static void release(struct amending *a)
{
    for (size_t i = 0; i < a->spellings; i++)
        free(a->spelled[i]);
    free(a->spelled);
    free(a->spelling.bytes);
    free(a->after);
    label_survey_release(&a->survey);
    reader_close(a->reader);
    sentence_release(&a->sentence);
    free(a->order);
    free(a->change);
    free(a->element[0]);
    free(a->element[1]);
    free(a->found.bytes);
    free(a->pool.bytes);
    free(a->edit);
}

bool amend(struct output *out, const char *path, const struct reader_options *reading, const struct amendments *asked,
           struct amended *done, struct vouch_error *err)
{
    struct amending a = {.asked = asked};
    bool ok = (asked->count == 0 || label_survey_read(&a.survey, path, reading, err)) &&
              prepare(&a, path, reading, err) && copy(&a, out, path, err);
    a.done.scheme = a.survey.scheme;
    *done = a.done;
    release(&a);
    return ok;
}

bool amend_find(const char *path, const struct reader_options *reading, const struct amendments *asked,
                struct corrections *into, struct amended *done, struct vouch_error *err)
{
    struct amending a = {.asked = asked, .corrections = into};
    *into = (struct corrections){.path = path};
    bool ok = label_survey_read(&a.survey, path, reading, err) && prepare(&a, path, reading, err);
    *done = a.done;
    release(&a);
    return ok;
}
