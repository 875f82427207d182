/* Writes WebAnno TSV 3.3: see webanno_tsv.c. */
#include "convert/webanno_tsv.h"

#include "base/order.h"
#include "convert/fitting.h"

struct tsv_writing {
    struct output *out;
    const struct annotated *doc;
    const char *layer; /* of spans */
    bool tag[WEBANNO_TAGS]; /* columns that some word has */
    bool tree;              /* some word has a head */
    uint32_t *number;  /* [spans] in brackets; 0: none is needed */
    uint32_t *from;    /* [relations] in the order of their targets' first words */
    uint32_t next;     /* of those: the first that was not written */
    uint32_t *sentence; /* [words] */
    struct offset_map map;
};

/* Writes text with a backslash before what has a meaning in a value. */
static void write_value(struct output *out, struct text value)
{
    for (uint32_t i = 0; i < value.length; i++) {
        const char c = value.at[i];
        const bool arrow = c == '-' && i + 1 < value.length && value.at[i + 1] == '>';
        if (c == '\t' || c == '\n')
            output_printf(out, "\\%c", c == '\t' ? 't' : 'n');
        else
            output_printf(out, "%s%c", strchr("\\[]|_;*", c) || arrow ? "\\" : "", c);
    }
}

/* Writes text with backslashes for what ends lines or cannot be seen. */
static void write_text(struct output *out, struct text text)
{
    static const char seen[] = "\t\f\r\b\\", letter[] = "tfrb\\";
    for (uint32_t i = 0; i < text.length; i++) {
        const char *at = strchr(seen, text.at[i]);
        if (at && *at)
            output_printf(out, "\\%c", letter[at - seen]);
        else
            output_printf(out, "%s%c", (unsigned char)text.at[i] < 32 && text.at[i] != '\v' ? "\\" : "", text.at[i]);
    }
}

/* Writes the name of a word's line. */
static void write_line_name(const struct tsv_writing *w, uint32_t word)
{
    const uint32_t s = w->sentence[word];
    output_printf(w->out, "%u-%u", s + 1, word - w->doc->sentence[s].from + 1);
}

static void write_number(const struct tsv_writing *w, uint32_t span)
{
    if (w->number[span])
        output_printf(w->out, "[%u]", w->number[span]);
}

/* Writes the spans that a word is in; `first` is the first span that may be one. */
static void write_spans(const struct tsv_writing *w, uint32_t word, uint32_t first)
{
    const struct annotated *doc = w->doc;
    bool any = false;
    for (uint32_t i = first; i < doc->spans && doc->span[i].from <= word; i++) {
        if (doc->span[i].to <= word)
            continue;
        output_printf(w->out, any ? "|" : "");
        if (text_equal(doc->span[i].label, webanno_short_name(text_of(w->layer))) || doc->span[i].label.length == 0)
            output_printf(w->out, "*");
        else
            write_value(w->out, doc->span[i].label);
        write_number(w, i);
        any = true;
    }
    output_printf(w->out, any ? "\t" : "_\t");
}

/* Writes the relations whose target begins at a word: their labels, then their sources. */
static void write_relations(struct tsv_writing *w, uint32_t word)
{
    const struct annotated *doc = w->doc;
    uint32_t end = w->next;
    while (end < doc->relations && doc->span[doc->relation[w->from[end]].to].from == word)
        end++;
    for (uint32_t i = w->next; i < end; i++) {
        const struct text label = doc->relation[w->from[i]].label;
        output_printf(w->out, i > w->next ? "|" : "");
        if (label.length == 0)
            output_printf(w->out, "*");
        write_value(w->out, label);
    }
    output_printf(w->out, end > w->next ? "\t" : "_\t");
    for (uint32_t i = w->next; i < end; i++) {
        const struct marked_relation *relation = &doc->relation[w->from[i]];
        output_printf(w->out, i > w->next ? "|" : "");
        write_line_name(w, doc->span[relation->from].from);
        if (w->number[relation->from] || w->number[relation->to])
            output_printf(w->out, "[%u_%u]", w->number[relation->from], w->number[relation->to]);
    }
    output_printf(w->out, end > w->next ? "\t" : "_\t");
    w->next = end;
}

static void write_arc(const struct tsv_writing *w, uint32_t word)
{
    const uint32_t head = w->doc->head[word];
    const struct text relation = w->doc->deprel[word];
    if (head == NO_HEAD) {
        output_printf(w->out, "_\t_\t");
        return;
    }
    if (relation.length == 0)
        output_printf(w->out, "*");
    write_value(w->out, relation);
    output_printf(w->out, "\t");
    write_line_name(w, head == 0 ? word : head - 1);
    output_printf(w->out, "\t");
}

static void write_tags(const struct tsv_writing *w, uint32_t word)
{
    for (size_t i = 0; i < WEBANNO_TAGS; i++) {
        const struct tag_column *column = w->tag[i] ? annotated_has_column(w->doc, webanno_tags[i].column) : NULL;
        if (!column)
            continue;
        /* Of a layer with several features, an annotation is there if one of them is. */
        bool there = false;
        for (size_t j = 0; j < WEBANNO_TAGS; j++) {
            const struct tag_column *other = annotated_has_column(w->doc, webanno_tags[j].column);
            there = there || (w->tag[j] && other && strcmp(webanno_tags[i].layer, webanno_tags[j].layer) == 0 &&
                              other->cell[word].length > 0);
        }
        if (column->cell[word].length > 0)
            write_value(w->out, column->cell[word]);
        else
            output_printf(w->out, there ? "*" : "_");
        output_printf(w->out, "\t");
    }
}

static void write_header(struct tsv_writing *w)
{
    const struct annotated *doc = w->doc;
    output_printf(w->out, "#FORMAT=WebAnno TSV 3.3\n");
    const char *layer = "";
    for (size_t i = 0; i < WEBANNO_TAGS; i++) {
        const struct tag_column *column = annotated_has_column(doc, webanno_tags[i].column);
        for (uint32_t word = 0; column && word < doc->words && !w->tag[i]; word++)
            w->tag[i] = column->cell[word].length > 0;
        if (!w->tag[i])
            continue;
        if (strcmp(layer, webanno_tags[i].layer) == 0)
            output_printf(w->out, "|%s", webanno_tags[i].feature);
        else
            output_printf(w->out, "%s#T_SP=%s|%s", *layer ? "\n" : "", webanno_tags[i].layer, webanno_tags[i].feature);
        layer = webanno_tags[i].layer;
    }
    output_printf(w->out, *layer ? "\n" : "");
    if (doc->spanned || doc->spans > 0)
        output_printf(w->out, "#T_SP=%s|value\n", w->layer);
    if (doc->relations > 0)
        output_printf(w->out, "#T_RL=webanno.custom.Relation|label|BT_%s\n", w->layer);
    for (uint32_t word = 0; doc->head && word < doc->words && !w->tree; word++)
        w->tree = doc->head[word] != NO_HEAD;
    if (w->tree)
        output_printf(w->out, "#T_RL=" WEBANNO_DEPENDENCY "|DependencyType|BT_" WEBANNO_POS "\n");
    output_printf(w->out, "\n");
}

/* Whether reading makes just these bytes of the offsets of two sentences: nothing, or the end of a line and spaces. */
static bool is_made(struct text gap)
{
    if (gap.length > WEBANNO_MOST_GAP)
        return false;
    for (uint32_t i = 0; i < gap.length; i++)
        if (gap.at[i] != (i == 0 ? '\n' : ' '))
            return false;
    return true;
}

/* Returns the text of a sentence, with what is between it and the next, or behind the last, if that must be said. */
static struct text sentence_text(const struct annotated *doc, uint32_t s)
{
    const uint32_t begin = doc->word[doc->sentence[s].from].from, end = doc->word[doc->sentence[s].to - 1].to;
    const bool last = s + 1 == doc->sentences;
    const uint32_t next = last ? doc->text.length : doc->word[doc->sentence[s + 1].from].from;
    const bool said = last ? next > end : !is_made(annotated_bytes(doc, end, next));
    return annotated_bytes(doc, begin, said ? next : end);
}

static void write_sentence(struct tsv_writing *w, uint32_t s, uint32_t *first)
{
    const struct annotated *doc = w->doc;
    const struct marked_sentence *sentence = &doc->sentence[s];
    struct text text = sentence_text(doc, s);
    output_printf(w->out, "\n");
    if (sentence->id.length > 0) {
        output_printf(w->out, "#Sentence.id=");
        write_text(w->out, sentence->id);
        output_printf(w->out, "\n");
    }
    for (bool more = true; more;) {
        const uint32_t length = text.length;
        const struct text line = text_cut(&text, '\n');
        more = line.length < length;
        output_printf(w->out, "#Text=");
        write_text(w->out, line);
        output_printf(w->out, "\n");
    }
    for (uint32_t word = sentence->from; word < sentence->to; word++) {
        const struct text form = annotated_form(doc, word);
        write_line_name(w, word);
        output_printf(w->out, "\t%u-%u\t%.*s\t", offset_of_byte(&w->map, doc->word[word].from),
                      offset_of_byte(&w->map, doc->word[word].to), (int)form.length, form.at);
        write_tags(w, word);
        while (*first < doc->spans && doc->span[*first].to <= word)
            ++*first;
        if (doc->spanned || doc->spans > 0)
            write_spans(w, word, *first);
        if (doc->relations > 0)
            write_relations(w, word);
        if (w->tree)
            write_arc(w, word);
        output_printf(w->out, "\n");
    }
}

/* Gives a number to each span of several words, and to those that share a word with another. Spans are sorted. */
static void number_spans(struct tsv_writing *w)
{
    const struct annotated *doc = w->doc;
    uint32_t number = 0, end = 0, last = 0;
    for (uint32_t i = 0; i < doc->spans; i++) {
        const struct marked_span *span = &doc->span[i];
        const bool shares = span->from < end;
        if (shares && w->number[last] == 0)
            w->number[last] = ++number;
        if (shares || span->to - span->from > 1)
            w->number[i] = ++number;
        if (span->to > end) {
            end = span->to;
            last = i;
        }
    }
}

/* Two columns have no layer; and of what is in front of the first word, only the offset of that is said. */
bool webanno_tsv_fit(struct annotated *doc, struct vouch_error *err)
{
    static const char *const unknown[] = {"deps", "misc", NULL};
    struct text *gap = fit_gaps(doc, err);
    char *spaces;
    fit_columns(doc, unknown, KEPT_UD_COLUMNS);
    if (!gap || !ARENA_ARRAY(spaces, gap[0].length, &doc->corpus->scratch, err))
        return false;
    const uint32_t units = utf16_units(gap[0]);
    memset(spaces, ' ', gap[0].length);
    gap[0] = (struct text){spaces, units < WEBANNO_MOST_GAP ? units : WEBANNO_MOST_GAP};
    return fit_set_gaps(doc, gap, err);
}

/* Sorts relations by the words at which their targets begin. */
static bool sort_relations(struct tsv_writing *w, struct vouch_error *err)
{
    const struct annotated *doc = w->doc;
    struct keyed *order = new_array(doc->relations, sizeof *order, err);
    if (!order)
        return false;
    for (uint32_t i = 0; i < doc->relations; i++)
        order[i] = (struct keyed){doc->span[doc->relation[i].to].from, i};
    const bool ok = sort_keyed(order, doc->relations, err);
    for (uint32_t i = 0; ok && i < doc->relations; i++)
        w->from[i] = (uint32_t)order[i].value;
    free(order);
    return ok;
}

static bool write_document(struct tsv_writing *w, struct vouch_error *err)
{
    const struct annotated *doc = w->doc;
    w->number = new_array(doc->spans, sizeof *w->number, err);
    w->from = new_array(doc->relations, sizeof *w->from, err);
    w->sentence = new_array(doc->words, sizeof *w->sentence, err);
    const bool ok = w->number && w->from && w->sentence && offset_map_set(&w->map, doc->text, OFFSET_UTF16, err) &&
                    sort_relations(w, err);
    if (ok) {
        uint32_t first = 0;
        for (uint32_t s = 0; s < doc->sentences; s++)
            for (uint32_t i = doc->sentence[s].from; i < doc->sentence[s].to; i++)
                w->sentence[i] = s;
        number_spans(w);
        write_header(w);
        for (uint32_t s = 0; s < doc->sentences; s++)
            write_sentence(w, s, &first);
    }
    free(w->number);
    free(w->from);
    free(w->sentence);
    offset_map_release(&w->map);
    return ok;
}

bool webanno_tsv_write(struct output *out, struct output *companion, const struct format_choices *choices,
                       struct annotated_texts *corpus, struct vouch_error *err)
{
    (void)companion;
    for (size_t i = 0; i < corpus->count; i++) {
        struct tsv_writing w = {
            .out = out, .doc = &corpus->document[i], .layer = choices->layer ? choices->layer : WEBANNO_NAMED_ENTITY};
        if (!write_document(&w, err))
            return false;
    }
    return true;
}
