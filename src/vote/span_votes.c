/* Counts votes on spans: see vote.h. */
#include "vote/vote.h"

#include "base/json_read.h"
#include "text/formats.h"

#include <inttypes.h>
#include <stdio.h>
#include <stdlib.h>

#define OPTIONS struct vote_options
static const struct option_spec option[] = {
    OPTION_OUTPUT,
    TEXT("columns", 0, columns, "NAMES", OPTION_MATTERS,
         "GOLD,LIST,SCORE: the key of the lists of spans, if it is none of spans, entities and extractions"),
    OPTIONS_END,
};

static const struct option_rule rules[] = {
    {NULL, "file", NULL, "expected files of answers, or one of votes"},
    {0},
};

static const struct vote_options usual = {.common = USUAL_COMMON};

const struct option_table vote_options = {"vote", option, &usual, sizeof usual, NULL, rules};

void span_votes_release(struct span_votes *v)
{
    free(v->candidate);
    free(v->vote);
    *v = (struct span_votes){0};
}

void span_votes_clear(struct span_votes *v)
{
    v->voters = 0;
    v->count = v->votes = 0;
}

static bool add_vote(struct span_votes *v, const struct found_span *span, struct vouch_error *err)
{
    size_t i = 0;
    while (i < v->count && !same_span(&v->candidate[i].span, span))
        i++;
    if (!RESERVE(v->candidate, v->capacity, v->count + 1, err) ||
        !RESERVE(v->vote, v->vote_capacity, v->votes + 1, err))
        return false;
    if (i == v->count)
        v->candidate[v->count++] = (struct span_candidate){.span = *span};
    struct span_candidate *c = &v->candidate[i];
    c->votes += c->voter != v->voters;
    c->voter = v->voters;
    v->vote[v->votes++] = (struct span_vote){*span, v->voters};
    return true;
}

bool span_votes_add(struct span_votes *v, const struct span_list *answer, struct vouch_error *err)
{
    v->voters++;
    for (size_t i = 0; i < answer->count; i++)
        if (!add_vote(v, &answer->span[i], err))
            return false;
    return true;
}

static int order_of(struct text a, struct text b)
{
    uint32_t least = a.length < b.length ? a.length : b.length;
    int order = least ? memcmp(a.at, b.at, least) : 0;
    return order ? order : (a.length > b.length) - (a.length < b.length);
}

static int by_place(const void *left, const void *right)
{
    const struct span_candidate *one = left, *other = right;
    const struct found_span *a = &one->span, *b = &other->span;
    if (a->from != b->from)
        return a->from < b->from ? -1 : 1;
    if (a->to != b->to)
        return a->to < b->to ? -1 : 1;
    int order = order_of(a->label, b->label);
    return order ? order : order_of(a->words, b->words);
}

static int by_votes(const void *left, const void *right)
{
    const struct span_candidate *a = left, *b = right;
    uint32_t longer = a->span.to - a->span.from, other = b->span.to - b->span.from;
    if (a->votes != b->votes)
        return a->votes > b->votes ? -1 : 1;
    if (longer != other)
        return longer > other ? -1 : 1;
    return by_place(left, right);
}

/* Returns the share of answers that have another span which overlaps this one. */
static double share_of_others(const struct span_votes *v, const struct found_span *span)
{
    uint32_t count = 0, last = 0;
    for (size_t i = 0; i < v->votes; i++)
        if (v->vote[i].voter != last && spans_overlap(&v->vote[i].span, span) && !same_span(&v->vote[i].span, span)) {
            last = v->vote[i].voter;
            count++;
        }
    return (double)count / v->voters;
}

void span_votes_settle(struct span_votes *v)
{
    if (v->count == 0)
        return;
    qsort(v->candidate, v->count, sizeof *v->candidate, by_votes);
    for (size_t i = 0; i < v->count; i++) {
        struct span_candidate *c = &v->candidate[i];
        c->taken = true;
        for (size_t j = 0; j < i && c->taken; j++)
            c->taken = !(v->candidate[j].taken && spans_overlap(&v->candidate[j].span, &c->span));
        c->span.others = share_of_others(v, &c->span);
        c->span.score = (double)c->votes / v->voters;
    }
    qsort(v->candidate, v->count, sizeof *v->candidate, by_place);
}

/* The files, and the lines at hand, which belong together. */
struct voting {
    const struct vote_options *options;
    struct answer_file **file; /* [files] */
    json_t **line;             /* [files] */
    struct text *bytes;        /* [files] */
    size_t files;
    struct text named; /* the key of lists, or empty */
    struct span_list answer;
    struct span_votes votes;
};

static bool next_lines(struct voting *k, bool *any, struct vouch_error *err)
{
    for (size_t i = 0; i < k->files; i++) {
        json_error_t why;
        json_decref(k->line[i]);
        k->line[i] = NULL;
        bool more = answer_line(k->file[i], &k->bytes[i]);
        *any = i == 0 ? more : *any;
        if (more != *any)
            return answer_refuse(k->file[i], 0, err, "expected as many texts as in %s, found %s", k->file[0]->path,
                                 more ? "more" : "fewer");
        if (!more)
            continue;
        k->line[i] = json_read(k->bytes[i].at, k->bytes[i].length, JSON_REJECT_DUPLICATES, &why);
        if (!k->line[i] && json_lacked_memory(&why))
            return fail_memory(err);
        if (!k->line[i])
            return answer_refuse(k->file[i], 0, err, "expected a JSON object, or an array of spans: %s", why.text);
        const json_t *text = json_object_get(k->line[i], "text"), *first = json_object_get(k->line[0], "text");
        if (text && first && !json_equal(text, first))
            return answer_refuse(k->file[i], 0, err, "expected the text of %s:%" PRIu64 ", found another one",
                                 k->file[0]->path, k->file[0]->line);
    }
    return true;
}

static bool add_answer(struct voting *k, const json_t *list, const char *name, struct vouch_error *err)
{
    return span_list_read(&k->answer, list, name, NULL, err) && span_votes_add(&k->votes, &k->answer, err);
}

/* Counts the answers of the lists under "votes". */
static bool count_lists(struct voting *k, struct vouch_error *err)
{
    const json_t *lists = json_object_get(k->line[0], "votes");
    if (!json_is_array(lists) || json_array_size(lists) == 0)
        return answer_refuse(k->file[0], 0, err, "\"votes\": expected an array of lists of spans, %s",
                             lists ? "found another value, or none in it" : "found none");
    if (json_object_get(k->line[0], "spans"))
        return answer_refuse(k->file[0], 0, err, "expected no key \"spans\", which would be added, found one");
    for (size_t i = 0; i < json_array_size(lists); i++)
        if (!add_answer(k, json_array_get(lists, i), "votes", err))
            return false;
    return true;
}

/* Counts the answers of several files. */
static bool count_files(struct voting *k, struct vouch_error *err)
{
    for (size_t i = 0; i < k->files; i++) {
        const char *key = "spans";
        const json_t *list = json_is_array(k->line[i]) ? k->line[i] : span_array(k->line[i], k->named, &key);
        k->answer.file = k->file[i];
        if (!list)
            return answer_refuse(k->file[i], 0, err, "expected spans, an array, found none (--columns names its key)");
        if (!add_answer(k, list, key, err))
            return false;
    }
    return true;
}

/* Writes a span that was taken. */
static bool write_candidate(const struct span_votes *v, const struct span_candidate *c, bool known, struct output *out,
                            struct vouch_error *err)
{
    const struct found_span *s = &c->span;
    json_t *json = s->from != NO_PLACE ? json_pack("{s:I, s:I}", "start", (json_int_t)s->from, "end", (json_int_t)s->to)
                                      : json_object();
    if (known || s->from == NO_PLACE)
        json_object_set_new(json, "text", json_stringn(s->words.at, s->words.length));
    json_object_set_new(json, "label", json_stringn(s->label.at, s->label.length));
    json_object_set_new(json, "votes", json_integer(c->votes));
    json_object_set_new(json, "of", json_integer(v->voters));
    json_object_set_new(json, "score", json_real(s->score));
    json_object_set_new(json, "others", json_real(s->others));
    char *text = json_object_size(json) >= 5 ? json_dumps(json, JSON_REAL_PRECISION(6)) : NULL;
    json_decref(json);
    if (text)
        output_printf(out, "%s", text);
    free(text);
    return text || fail_memory(err);
}

static bool write_list(const struct voting *k, struct output *out, struct vouch_error *err)
{
    bool any = false;
    output_printf(out, "[");
    for (size_t i = 0; i < k->votes.count; i++) {
        if (!k->votes.candidate[i].taken)
            continue;
        output_printf(out, any ? ", " : "");
        any = true;
        if (!write_candidate(&k->votes, &k->votes.candidate[i], k->answer.text.at, out, err))
            return false;
    }
    output_printf(out, "]");
    return true;
}

/* Returns the bytes of the first file's list. */
static struct text first_list(const struct voting *k, struct text line)
{
    const char *key;
    char named[64];
    span_array(k->line[0], k->named, &key);
    if (k->named.length >= sizeof named)
        return (struct text){0};
    if (k->named.length > 0)
        snprintf(named, sizeof named, "%.*s", (int)k->named.length, k->named.at);
    return json_value_text(line, k->named.length > 0 ? named : key);
}

/* Writes the line of the first file, with the spans in the place of its own, or behind its other keys. */
static bool write_line(const struct voting *k, struct output *out, struct vouch_error *err)
{
    struct text line = text_trim(k->bytes[0]);
    bool bare = json_is_array(k->line[0]);
    struct text place = {line.at + line.length - 1, 0};
    if (!bare && k->files > 1)
        place = first_list(k, line);
    if (!place.at)
        return answer_refuse(k->file[0], 0, err, "expected a short key, without escapes, in front of the spans");
    const char *behind = place.at + place.length;
    if (!bare)
        output_write(out, line.at, (size_t)(place.at - line.at));
    output_printf(out, bare ? "{\"spans\": " : place.length ? "" : ", \"spans\": ");
    if (!write_list(k, out, err))
        return false;
    if (bare)
        output_printf(out, "}");
    else
        output_write(out, behind, (size_t)(line.at + line.length - behind));
    output_printf(out, "\n");
    return true;
}

static bool count_line(struct voting *k, struct output *out, struct vouch_error *err)
{
    const json_t *text = NULL;
    for (size_t i = 0; i < k->files && !text; i++)
        text = json_object_get(k->line[i], "text");
    k->answer.file = k->file[0];
    span_votes_clear(&k->votes);
    if (!span_list_text(&k->answer, text, err) || !(k->files == 1 ? count_lists : count_files)(k, err))
        return false;
    span_votes_settle(&k->votes);
    return write_line(k, out, err);
}

/* Returns the second of the names in --columns; empty if it names none. */
static struct text list_named(const char *columns)
{
    struct text names = text_of(columns ? columns : "");
    text_cut(&names, ',');
    return text_cut(&names, ',');
}

bool span_votes_write(const struct vote_options *s, struct output *out, struct vouch_error *err)
{
    size_t files = s->common.arguments;
    struct voting k = {.options = s, .named = list_named(s->columns)};
    k.file = new_array(files, sizeof *k.file, err);
    k.line = new_array(files, sizeof *k.line, err);
    k.bytes = new_array(files, sizeof *k.bytes, err);
    bool ok = k.file && k.line && k.bytes, any = true;
    for (; ok && k.files < files; k.files += ok)
        ok = (k.file[k.files] = answer_lines_open(s->common.argument[k.files], err)) != NULL;
    while (ok && (ok = next_lines(&k, &any, err)) && any)
        ok = count_line(&k, out, err);
    for (size_t i = 0; i < k.files; i++) {
        answer_file_close(k.file[i]);
        json_decref(k.line[i]);
    }
    free(k.file);
    free(k.line);
    free(k.bytes);
    span_list_release(&k.answer);
    span_votes_release(&k.votes);
    return ok;
}

bool votes_write(const struct vote_options *s, struct output *out, struct vouch_error *err)
{
    if (s->common.arguments == 0)
        return fail(err, VOUCH_ERR_ARGUMENT, "expected files of answers, or one of votes");
    enum span_guess guess = SPANS_UNKNOWN; /* by the first file that can be looked at */
    for (size_t i = 0; i < s->common.arguments && guess == SPANS_UNKNOWN; i++)
        guess = answers_look_like_spans(s->common.argument[i]);
    bool trees = !s->columns && guess == SPANS_NONE;
    return (trees ? tree_votes_write : span_votes_write)(s, out, err);
}
