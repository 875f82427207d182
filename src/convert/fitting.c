/* See fitting.h. */
#include "convert/fitting.h"

#include "base/hash.h"
#include "base/order.h"
#include "convert/conversion.h"

#include <stdio.h>

static const struct text none = {"", 0};

/* ---- Overlaps ---- */

/* Removes spans that are marked by `place` 1; relations of such spans go, too, and are counted. */
static bool drop_marked(struct annotated *doc, struct vouch_error *err)
{
    struct conversion_counts *counts = &doc->corpus->counts;
    uint32_t *now, kept = 0, relations = 0;
    if (!ARENA_ARRAY(now, doc->spans, &doc->corpus->scratch, err))
        return false;
    for (uint32_t i = 0; i < doc->spans; i++) {
        now[i] = doc->span[i].place ? NO_SPAN : kept;
        counts->overlapping += doc->span[i].place;
        if (!doc->span[i].place)
            doc->span[kept++] = doc->span[i];
    }
    doc->spans = kept;
    for (uint32_t i = 0; i < doc->relations; i++) {
        struct marked_relation relation = doc->relation[i];
        relation.from = now[relation.from];
        relation.to = now[relation.to];
        if (relation.from != NO_SPAN && relation.to != NO_SPAN)
            doc->relation[relations++] = relation;
    }
    counts->unsaid[KEPT_RELATIONS] += doc->relations - relations;
    doc->relations = relations;
    arena_reset(&doc->corpus->scratch);
    return true;
}

static bool refuse_overlap(const struct annotated *doc, const struct marked_span *a, const struct marked_span *b,
                           const struct annotation_format *to, struct vouch_error *err)
{
    struct text first = annotated_bytes(doc, a->begin, a->end), second = annotated_bytes(doc, b->begin, b->end);
    struct annotated place = *doc;
    place.line = b->line ? b->line : doc->line;
    return fail_document(&place, err,
                         "expected spans that do not overlap, which %s cannot hold, found '%.*s' (%.*s) and '%.*s' "
                         "(%.*s) (--overlaps longest or --overlaps first takes one)",
                         to->title, excerpt(first), first.at, excerpt(a->label), a->label.at, excerpt(second),
                         second.at, excerpt(b->label), b->label.at);
}

/*
 * Marks the spans to drop, of spans in the order of the text. The first: each that overlaps one that is kept. The
 * longest: of two that overlap, the shorter, or the later of the same length, from left to right.
 */
static bool drop_overlaps(struct annotated *doc, const struct annotation_format *to, enum overlap_choice choice,
                          struct vouch_error *err)
{
    uint32_t last = UINT32_MAX;
    bool any = false;
    for (uint32_t i = 0; i < doc->spans; i++) {
        struct marked_span *span = &doc->span[i], *before = last == UINT32_MAX ? NULL : &doc->span[last];
        span->place = 0;
        if (before && span->from < before->to) {
            if (choice == OVERLAPS_REFUSE)
                return refuse_overlap(doc, before, span, to, err);
            any = true;
            bool longer = span->to - span->from > before->to - before->from;
            if (choice == OVERLAPS_FIRST || !longer) {
                span->place = 1;
                continue;
            }
            before->place = 1;
        }
        last = i;
    }
    return !any || drop_marked(doc, err);
}

/* ---- Sentences ---- */

/* Moves other lines along with their sentences; those of sentences that are joined are lost. */
static void move_others(struct annotated *doc, const uint32_t *now)
{
    uint32_t kept = 0;
    for (uint32_t i = 0; i < doc->others; i++) {
        struct marked_line other = doc->other[i];
        const uint32_t s = other.sentence;
        const bool joined = (s > 0 && now[s - 1] == now[s]) || now[s + 1] == now[s];
        doc->corpus->counts.unsaid[KEPT_OTHER_LINES] += joined;
        other.sentence = now[s];
        if (!joined)
            doc->other[kept++] = other;
    }
    doc->others = kept;
}

/* Joins the sentences that a span goes across; the name and the comments of the first stay. */
static bool join_sentences(struct annotated *doc, struct vouch_error *err)
{
    struct conversion_counts *counts = &doc->corpus->counts;
    uint32_t *now, reach = 0, next = 0, kept = 0; /* words that spans go to; the next span; sentences */
    if (!ARENA_ARRAY(now, (size_t)doc->sentences + 1, &doc->corpus->scratch, err))
        return false;
    for (uint32_t s = 0; s < doc->sentences; s++) {
        const struct marked_sentence sentence = doc->sentence[s];
        if (kept > 0 && reach > sentence.from) {
            doc->sentence[kept - 1].to = sentence.to;
            counts->joined++;
            counts->unsaid[KEPT_SENTENCE_IDS] += sentence.id.length > 0;
            counts->unsaid[KEPT_COMMENTS] += sentence.comments.length > 0;
        } else {
            doc->sentence[kept++] = sentence;
        }
        now[s] = kept - 1;
        for (; next < doc->spans && doc->span[next].from < sentence.to; next++)
            reach = doc->span[next].to > reach ? doc->span[next].to : reach;
    }
    now[doc->sentences] = kept;
    doc->sentences = kept;
    move_others(doc, now);
    arena_reset(&doc->corpus->scratch);
    return true;
}

/* Drop a text, or a score, of a kind that is not kept, and count it if there is one. */
static void fit_text_of(struct annotated *doc, uint64_t kept, enum kept kind, struct text *text)
{
    if (kept >> kind & 1)
        return;
    doc->corpus->counts.unsaid[kind] += text->length > 0;
    *text = none;
}

static void fit_score(struct annotated *doc, uint64_t kept, enum kept kind, double *score)
{
    if (kept >> kind & 1)
        return;
    doc->corpus->counts.unsaid[kind] += !isnan(*score);
    *score = NAN;
}

static void fit_sentences(struct annotated *doc, uint64_t kept)
{
    for (uint32_t i = 0; i < doc->sentences; i++) {
        fit_text_of(doc, kept, KEPT_SENTENCE_IDS, &doc->sentence[i].id);
        fit_text_of(doc, kept, KEPT_COMMENTS, &doc->sentence[i].comments);
    }
    if (!(kept & KEPT(OTHER_LINES))) {
        doc->corpus->counts.unsaid[KEPT_OTHER_LINES] += doc->others;
        doc->others = 0;
    }
}

/* ---- Columns, spans, relations, trees ---- */

void fit_columns(struct annotated *doc, const char *const *names, enum kept kind)
{
    uint32_t left = 0;
    for (uint32_t c = 0; c < doc->columns; c++)
        if (text_among(doc->column[c].name, names)) {
            doc->corpus->counts.unsaid[kind]++;
            free(doc->column[c].cell);
        } else {
            doc->column[left++] = doc->column[c];
        }
    doc->columns = left;
}

/* Drops the columns of kinds that are not kept. */
static void fit_kinds_of_columns(struct annotated *doc, uint64_t kept)
{
    static const char *const ud[] = {"lemma", "upos", "xpos", "feats", "deps", "misc", NULL};
    uint32_t left = 0;
    for (uint32_t c = 0; c < doc->columns; c++) {
        enum kept kind = text_among(doc->column[c].name, ud) ? KEPT_UD_COLUMNS : KEPT_COLUMNS;
        if (kept >> kind & 1) {
            doc->column[left++] = doc->column[c];
        } else {
            doc->corpus->counts.unsaid[kind]++;
            free(doc->column[c].cell);
        }
    }
    doc->columns = left;
}

static void fit_spans(struct annotated *doc, uint64_t kept)
{
    for (uint32_t i = 0; i < doc->spans; i++) {
        fit_score(doc, kept, KEPT_SPAN_SCORES, &doc->span[i].score);
        fit_text_of(doc, kept, KEPT_NOTES, &doc->span[i].note);
        if (!(kept & KEPT(SPAN_IDS)))
            doc->span[i].id = none;
    }
    doc->spanned = doc->spanned || !(kept & KEPT(UNLABELLED));
}

static void fit_relations(struct annotated *doc, uint64_t kept)
{
    if (!(kept & KEPT(RELATIONS))) {
        doc->corpus->counts.unsaid[KEPT_RELATIONS] += doc->relations;
        doc->relations = 0;
    }
    for (uint32_t i = 0; i < doc->relations; i++) {
        fit_score(doc, kept, KEPT_RELATION_SCORES, &doc->relation[i].score);
        if (!(kept & KEPT(RELATION_IDS)))
            doc->relation[i].id = none;
    }
}

void fit_heads(struct annotated *doc, uint32_t sentence)
{
    for (uint32_t i = doc->sentence[sentence].from; i < doc->sentence[sentence].to; i++) {
        doc->head[i] = NO_HEAD;
        doc->deprel[i] = none;
    }
    doc->corpus->counts.unsaid[KEPT_TREES]++;
}

static void fit_tree(struct annotated *doc, uint64_t kept)
{
    struct conversion_counts *counts = &doc->corpus->counts;
    for (uint32_t i = 0; doc->head && !(kept & KEPT(OPEN_HEADS)) && i < doc->words; i++)
        if (doc->head[i] == NO_HEAD && doc->deprel[i].length > 0) {
            counts->unsaid[KEPT_OPEN_HEADS] += (kept & KEPT(TREES)) != 0;
            doc->deprel[i] = none;
        }
    if (doc->head && !(kept & KEPT(TREES))) {
        counts->unsaid[KEPT_TREES] += doc->sentences;
        annotated_drop_tree(doc);
    }
}

/* ---- Documents ---- */

struct text *fit_gaps(struct annotated *doc, struct vouch_error *err)
{
    struct text *gap;
    uint32_t at = 0;
    if (!ARENA_ARRAY(gap, (size_t)doc->words + 1, &doc->corpus->scratch, err))
        return NULL;
    for (uint32_t i = 0; i < doc->words; i++) {
        gap[i] = annotated_bytes(doc, at, doc->word[i].from);
        at = doc->word[i].to;
    }
    gap[doc->words] = annotated_bytes(doc, at, doc->text.length);
    return gap;
}

/* Makes a text of words and gaps. */
static bool join_words(const struct annotated *doc, const struct text *gap, struct buffer *text,
                       struct vouch_error *err)
{
    for (uint32_t i = 0; i < doc->words; i++)
        if (!buffer_add(text, gap[i], err) || !buffer_add(text, annotated_form(doc, i), err))
            return false;
    return buffer_add(text, gap[doc->words], err);
}

bool fit_set_gaps(struct annotated *doc, const struct text *gap, struct vouch_error *err)
{
    struct buffer text = {0};
    bool done = join_words(doc, gap, &text, err), changed = !text_equal(buffer_text(&text), doc->text);
    if (done && changed) {
        uint32_t at = 0;
        for (uint32_t i = 0; i < doc->words; i++) {
            const uint32_t length = doc->word[i].to - doc->word[i].from;
            doc->word[i].from = at + gap[i].length;
            doc->word[i].to = at = doc->word[i].from + length;
        }
        for (uint32_t i = 0; i < doc->spans; i++) {
            doc->span[i].begin = doc->word[doc->span[i].from].from;
            doc->span[i].end = doc->word[doc->span[i].to - 1].to;
        }
        doc->text = texts_keep(doc->corpus, buffer_text(&text), err);
        doc->corpus->counts.unsaid[KEPT_TEXT]++;
        done = doc->text.at != NULL;
    }
    free(text.bytes);
    arena_reset(&doc->corpus->scratch);
    return done;
}

/* Makes the text one of words alone. */
static bool fit_text(struct annotated *doc, struct vouch_error *err)
{
    struct text *gap = fit_gaps(doc, err);
    if (!gap)
        return false;
    for (uint32_t i = 1; i < doc->words; i++)
        gap[i] = (struct text){" ", 1};
    for (uint32_t s = 0; s < doc->sentences; s++)
        gap[doc->sentence[s].from] = (struct text){"\n", s > 0};
    gap[doc->words] = none;
    return fit_set_gaps(doc, gap, err);
}

/* Whether a document can be there at all; those that cannot are counted. */
static bool is_wanted(struct annotated *doc, const struct annotation_format *to, const struct convert_options *options)
{
    struct conversion_counts *counts = &doc->corpus->counts;
    bool told = (to->states >> doc->state & 1) && (!to->to_learn_from || options->all);
    bool said = doc->state == ANSWER_GIVEN || doc->state == ANSWER_ACCEPTED || told;
    if (doc->state == ANSWER_PREDICTED && options->predictions && !said) {
        doc->state = ANSWER_GIVEN;
        said = true;
    }
    if (to->states >> doc->state & 1)
        counts->unaccepted += !said;
    else
        counts->unsaid[KEPT_STATES] += !said;
    bool worded = doc->words > 0 || (to->kept & KEPT(WORDLESS));
    counts->unsaid[KEPT_WORDLESS] += said && !worded;
    return said && worded;
}

/* Takes out of a document all kinds of things that are not kept. */
static bool fit_kinds(struct annotated *doc, const struct annotation_format *to, enum overlap_choice overlaps,
                      struct vouch_error *err)
{
    const uint64_t kept = to->kept;
    if (!(kept & KEPT(OVERLAPS)) && !drop_overlaps(doc, to, overlaps, err))
        return false;
    fit_sentences(doc, kept);
    if (to->by_sentence && !join_sentences(doc, err))
        return false;
    fit_kinds_of_columns(doc, kept);
    fit_spans(doc, kept);
    fit_relations(doc, kept);
    fit_tree(doc, kept);
    annotated_drop_empty(doc);
    fit_text_of(doc, kept, KEPT_IDS, &doc->id);
    fit_text_of(doc, kept, KEPT_ANNOTATORS, &doc->annotator);
    fit_text_of(doc, kept, KEPT_META, &doc->meta);
    fit_score(doc, kept, KEPT_SCORES, &doc->score);
    return (kept & KEPT(TEXT)) || fit_text(doc, err);
}

bool texts_fit(struct annotated_texts *corpus, const struct annotation_format *to,
               const struct convert_options *options, struct vouch_error *err)
{
    size_t left = 0;
    for (size_t i = 0; i < corpus->count; i++)
        if (is_wanted(&corpus->document[i], to, options))
            corpus->document[left++] = corpus->document[i];
        else
            annotated_release(&corpus->document[i]);
    corpus->count = left;
    for (size_t i = 0; i < left; i++)
        if (!fit_kinds(&corpus->document[i], to, options->overlaps, err) ||
            (to->fit && !to->fit(&corpus->document[i], err)))
            return false;
    if (to->fit_corpus && !to->fit_corpus(corpus, err))
        return false;
    for (size_t i = 0; i < left; i++) {
        bool words, sentences;
        annotated_drop_empty(&corpus->document[i]);
        if (!(to->kept & KEPT(WORDS))) {
            if (!annotated_ruled(&corpus->document[i], &words, &sentences, err))
                return false;
            corpus->counts.unsaid[KEPT_WORDS] += !words || !sentences;
        }
    }
    return true;
}

/* ---- What formats have no spelling for ---- */

/* The names of spans or of relations at hand. */
struct names {
    struct text **name; /* [count] */
    bool *shared;       /* [count] may have the name of the one before */
    struct keyed *order;
    uint32_t count;
};

static bool names_room(struct annotated *doc, struct names *names, uint32_t count, struct vouch_error *err)
{
    struct arena *scratch = &doc->corpus->scratch;
    names->count = count;
    if (!ARENA_ARRAY(names->name, count, scratch, err) || !ARENA_ARRAY(names->shared, count, scratch, err) ||
        !ARENA_ARRAY(names->order, count, scratch, err))
        return false;
    memset(names->shared, 0, count * sizeof *names->shared);
    return true;
}

/* Reads the number behind the prefix of a name: of nine digits at most, and none in front that says nothing. */
static bool number_of(struct text name, const char *prefix, uint32_t *number)
{
    if (!text_starts(name, prefix))
        return false;
    const uint32_t length = (uint32_t)strlen(prefix);
    name = (struct text){name.at + length, name.length - length};
    return name.length <= 9 && text_whole(name, number) && (name.at[0] != '0' || name.length == 1);
}

static bool is_taken(struct text name, const struct naming *naming)
{
    uint32_t number;
    return naming->any ? name.length > 0 && !(naming->others && text_starts(name, naming->others))
                       : number_of(name, naming->prefix, &number);
}

/* Empties the names that another has, or that the format does not take. */
static bool drop_names(struct names *names, const struct naming *naming, struct vouch_error *err)
{
    for (uint32_t i = 0; i < names->count; i++) {
        if (!is_taken(*names->name[i], naming))
            *names->name[i] = none;
        names->order[i] = (struct keyed){hash_bytes(names->name[i]->at, names->name[i]->length), i};
    }
    if (!sort_keyed(names->order, names->count, err))
        return false;
    for (uint32_t i = 1, last; i < names->count; i++) {
        last = (uint32_t)names->order[i - 1].value;
        const uint32_t here = (uint32_t)names->order[i].value;
        const bool shares = names->shared[here] && last + 1 == here && names->name[last]->length > 0;
        if (names->order[i].key == names->order[i - 1].key && !shares)
            *names->name[here] = none;
    }
    return true;
}

static bool make_names(struct annotated *doc, struct names *names, const struct naming *naming, struct vouch_error *err)
{
    uint32_t highest = 0, number;
    char made[64];
    if (!drop_names(names, naming, err))
        return false;
    for (uint32_t i = 0; i < names->count; i++)
        if (number_of(*names->name[i], naming->prefix, &number))
            highest = number > highest ? number : highest;
    const bool anew = highest > 999999999 - names->count;
    for (uint32_t i = 0; i < names->count; i++) {
        if (names->name[i]->length > 0 && !anew)
            continue;
        snprintf(made, sizeof made, "%s%u", naming->prefix, anew ? i + 1 : ++highest);
        *names->name[i] = texts_keep(doc->corpus, text_of(made), err);
        if (!names->name[i]->at)
            return false;
    }
    arena_reset(&doc->corpus->scratch);
    return true;
}

bool fit_span_names(struct annotated *doc, const struct naming *naming, bool shared, struct vouch_error *err)
{
    struct names names;
    if (!names_room(doc, &names, doc->spans, err))
        return false;
    for (uint32_t i = 0; i < doc->spans; i++) {
        const struct marked_span *a = &doc->span[i - (i > 0)], *b = &doc->span[i];
        bool scored = a->score == b->score || (isnan(a->score) && isnan(b->score));
        names.name[i] = &doc->span[i].id;
        names.shared[i] =
            shared && i > 0 && a->from == b->from && a->to == b->to && scored && text_equal(a->note, b->note);
    }
    for (uint32_t i = 0; i < doc->relations; i++)
        names.shared[doc->relation[i].from] = names.shared[doc->relation[i].to] = false;
    return make_names(doc, &names, naming, err);
}

bool fit_relation_names(struct annotated *doc, const struct naming *naming, struct vouch_error *err)
{
    struct names names;
    if (!names_room(doc, &names, doc->relations, err))
        return false;
    for (uint32_t i = 0; i < doc->relations; i++)
        names.name[i] = &doc->relation[i].id;
    return make_names(doc, &names, naming, err);
}

bool fit_bytes(struct annotated *doc, struct text *text, char (*change)(char), bool *changed, struct vouch_error *err)
{
    char *copy;
    *changed = false;
    for (uint32_t i = 0; i < text->length; i++)
        *changed = *changed || change(text->at[i]) != text->at[i];
    if (!*changed)
        return true;
    if (!ARENA_ARRAY(copy, text->length, &doc->corpus->arena, err))
        return false;
    for (uint32_t i = 0; i < text->length; i++)
        copy[i] = change(text->at[i]);
    text->at = copy;
    return true;
}

/* Returns the number of a column called 2, 3, ...; or 0. */
static uint32_t column_number(struct text name)
{
    uint32_t number;
    return text_whole(name, &number) && number > 1 ? number : 0;
}

size_t column_list_find(const struct column_list *list, struct text name)
{
    size_t i = 0;
    while (i < list->count && !text_equal(list->name[i], name))
        i++;
    return i;
}

bool column_list_add(struct column_list *list, struct text name, bool numbered, struct vouch_error *err)
{
    const uint32_t number = numbered ? column_number(name) : 0;
    size_t at = list->count;
    if (column_list_find(list, name) < list->count)
        return true;
    if (!RESERVE(list->name, list->capacity, list->count + 1, err))
        return false;
    for (uint32_t before; number > 0 && at > 0; at--)
        if ((before = column_number(list->name[at - 1])) > 0 && before < number)
            break;
    memmove(list->name + at + 1, list->name + at, (list->count++ - at) * sizeof *list->name);
    list->name[at] = name;
    return true;
}

bool fit_plain_labels(const struct annotated_texts *corpus)
{
    bool plain = false;
    for (size_t d = 0; d < corpus->count; d++) {
        const struct annotated *doc = &corpus->document[d];
        const struct tag_column *label = annotated_has_column(doc, "label");
        if (doc->spanned)
            return false;
        for (uint32_t s = 0; label && s < doc->sentences; s++) {
            uint32_t tagged = 0, other = 0;
            for (uint32_t i = doc->sentence[s].from; i < doc->sentence[s].to; i++) {
                struct text type;
                tagged += label->cell[i].length > 0;
                other += scheme_split(label->cell[i], &type) == 0;
            }
            plain = plain || (tagged > 0 && other > 0);
        }
    }
    return plain;
}
