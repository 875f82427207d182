/* Writes answers: see writer.h. Each format's writer is beside its reader. */
#include "text/formats.h"

static bool ends_line(struct text text)
{
    return text.length > 0 && text.at[text.length - 1] == '\n';
}

struct text newline_of(const struct sentence *s)
{
    struct text end = s->end && s->N > 0 && ends_line(s->end[0]) ? s->end[0] : s->after;
    bool returns = end.length > 1 && end.at[end.length - 2] == '\r' && ends_line(end);
    return text_of(returns ? "\r\n" : "\n");
}

void write_front(struct output *out, const struct writer_options *options, const struct sentence *sentence)
{
    if (!options->alone)
        write_text(out, sentence->skipped);
}

void write_end(struct output *out, const struct writer_options *options, const struct sentence *sentence, uint32_t word)
{
    struct text end = sentence->end ? sentence->end[word] : text_of("\n");
    write_text(out, end);
    if (options->alone && !ends_line(end))
        write_text(out, newline_of(sentence));
}

void write_behind(struct output *out, const struct writer_options *options, const struct sentence *sentence)
{
    if (sentence->N == 0)
        return;
    if (sentence->end && !options->alone)
        write_text(out, sentence->after);
    else
        write_text(out, newline_of(sentence));
}

void write_members(struct output *out, const struct choice_sets *sets, uint32_t i, uint32_t count)
{
    for (uint32_t k = 0; k < count; k++) {
        output_write(out, k > 0 ? "|" : "{", 1);
        write_text(out, sets->choice[sets->first[i] + k].label);
    }
    output_write(out, "}", count > 0);
}

uint32_t span_at(const struct confidences *confidences, uint32_t word)
{
    uint32_t low = 0, high = confidences->spans;
    while (low < high) {
        uint32_t middle = low + (high - low) / 2;
        if (confidences->span[middle].from < word)
            low = middle + 1;
        else
            high = middle;
    }
    return low < confidences->spans && confidences->span[low].from == word ? low : UINT32_MAX;
}

/* Returns `marks`, or empty ones if it is NULL: the answer alone is then written. */
static const struct marks *or_none(const struct marks *marks)
{
    static const struct marks none;
    return marks ? marks : &none;
}

bool write_labelled(struct output *out, const struct writer_options *options, const struct sentence *sentence,
                    const struct text *label, const struct marks *marks, struct vouch_error *err)
{
    if (sentence->faulty)
        return jsonl_write_fault(out, sentence, err);
    if (options->format == FORMAT_AUTO)
        return fail(err, VOUCH_ERR_ARGUMENT, "output needs a format");
    const struct format_calls *calls = format_table[options->format];
    if (!calls->write)
        return fail(err, VOUCH_ERR_ARGUMENT, "%s files have no place for labels", calls->name);
    return calls->write(out, options, sentence, label, or_none(marks), err);
}

void write_as_read(struct output *out, const struct writer_options *options, const struct sentence *sentence)
{
    bool json = options->format == FORMAT_JSONL, plain = options->format == FORMAT_PLAIN;
    struct writer_options alone = *options;
    alone.alone = true;
    write_text(out, sentence->before);
    for (uint32_t i = 0; !json && i < sentence->N; i++) {
        if (sentence->leads)
            write_text(out, sentence->lead[i]);
        write_text(out, sentence->line[i]);
        if (plain && i + 1 < sentence->N)
            write_text(out, sentence->end[i]);
        else
            write_end(out, &alone, sentence, i);
    }
    if (!json && sentence->leads)
        write_text(out, sentence->lead[sentence->N]);
    if (json)
        write_text(out, newline_of(sentence));
    else if (!plain)
        write_behind(out, &alone, sentence);
}

bool write_to_correct(struct output *out, const struct writer_options *options, const struct sentence *sentence,
                      const struct text *label, struct vouch_error *err)
{
    struct writer_options alone = *options;
    alone.alone = true;
    if (options->format == FORMAT_JSONL && !sentence->boundary)
        return jsonl_write_gold(out, sentence, label, NULL, err);
    if (options->format != FORMAT_CRFSUITE)
        return write_labelled(out, &alone, sentence, label, NULL, err);
    crfsuite_write_lines(out, &alone, sentence, label);
    return true;
}

bool write_tree(struct output *out, const struct writer_options *options, const struct sentence *sentence,
                const struct tree_answer *answer, const struct marks *marks, struct vouch_error *err)
{
    if (sentence->faulty)
        return jsonl_write_fault(out, sentence, err);
    if (!sentence->tree)
        return fail(err, VOUCH_ERR_ARGUMENT, "trees can be written only for trees that were read");
    /* The lines in front of a tree are comments, except in JSON lines, where they are the whole object. */
    bool json = sentence->before.length > 0 && sentence->before.at[0] != '#';
    bool (*write)(struct output *, const struct writer_options *, const struct sentence *, const struct tree_answer *,
                  const struct marks *, struct vouch_error *) = json ? jsonl_write_tree : conllu_write_tree;
    return write(out, options, sentence, answer, or_none(marks), err);
}

bool write_tree_to_correct(struct output *out, const struct writer_options *options, const struct sentence *sentence,
                           const struct tree_answer *answer, struct vouch_error *err)
{
    if (options->format == FORMAT_JSONL)
        return jsonl_write_gold(out, sentence, answer->relation, answer->head, err);
    struct writer_options alone = *options;
    alone.alone = true;
    return write_tree(out, &alone, sentence, answer, NULL, err);
}

bool write_header(struct output *out, const struct writer_options *options, const struct method_confidence *by_method,
                  uint32_t count, struct vouch_error *err)
{
    switch (options->format) {
    case FORMAT_JSONL:
    case FORMAT_CONLLU:
        return true;
    case FORMAT_CONLL:
        break;
    default:
        return fail(err, VOUCH_ERR_ARGUMENT, "%s files have no place for comments", format_name(options->format));
    }
    output_printf(out, "# conf_method=");
    for (uint32_t m = 0; m < count; m++)
        output_printf(out, "%s%s:%s", m > 0 ? "," : "", by_method[m].method,
                      by_method[m].calibrated ? "calibrated" : "raw");
    output_write(out, "\n", 1);
    return true;
}
