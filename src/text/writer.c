/*
 * Writes answers: see writer.h. Each format's writer is beside its reader; here is what they share.
 *
 * Output is the input with something added: a sentence keeps the bytes around its words (`end`, `skipped`, `before`,
 * `after` in core/sentence.h), and writers put them back. Writers decide nothing: they get marks, and what counts as
 * doubtful is decided in answer/doubt.c alone. Columns do not name their method: a file of CoNLL columns stays what it
 * was, with more columns; write_header() names the methods in a comment at its beginning. CoNLL-U and JSON carry them
 * in every sentence.
 */
#include "base/text.h"
#include "text/formats.h"

#include <stdio.h>

bool read_number(struct text text, double *number)
{
    if (text_is(text, "inf") || text_is(text, "-inf"))
        *number = text.at[0] == '-' ? -INFINITY : INFINITY;
    else if (text_is(text, "_"))
        *number = NAN;
    else
        return parse_number(text, number);
    return true;
}

enum { DIGITS = 6 };

/*
 * Writes a number from 0.001 up to 10^6, as nearly all are, as "%.6g" does, but faster. A number half-way between two
 * of six digits may become either.
 */
static void write_common(struct output *out, double x)
{
    static const double tens[] = {1e-3, 1e-2, 1e-1, 1, 1e1, 1e2, 1e3, 1e4, 1e5, 1e6};
    static const double scale[] = {1e8, 1e7, 1e6, 1e5, 1e4, 1e3, 1e2, 1e1, 1};
    char text[16];
    int magnitude = 0; /* x is from tens[magnitude] up to the next */
    while (x >= tens[magnitude + 1])
        magnitude++;
    uint32_t digits = (uint32_t)lrint(x * scale[magnitude]);
    if (digits == 1000000) { /* rounded up */
        digits = 100000;
        magnitude++;
    }
    int before = magnitude - 2, length = 0; /* digits before the point, if any */
    if (before <= 0) {
        text[length++] = '0';
        text[length++] = '.';
        for (int i = before; i < 0; i++)
            text[length++] = '0';
    }
    for (uint32_t i = 0, unit = 100000; i < DIGITS; i++, unit /= 10) {
        if (before > 0 && i == (uint32_t)before)
            text[length++] = '.';
        text[length++] = (char)('0' + digits / unit % 10);
    }
    if (before < DIGITS) {
        while (text[length - 1] == '0')
            length--;
        length -= text[length - 1] == '.';
    }
    output_write(out, text, (size_t)length);
}

void write_number(struct output *out, double x)
{
    char text[32];
    if (x >= 1e-3 && x < 999999) {
        write_common(out, x);
        return;
    }
    snprintf(text, sizeof text, "%.6g", x);
    if (!isfinite(x)) {
        write_text(out, text_of(isnan(x) ? "_" : text));
        return;
    }
    /* Puts a full stop in place of the locale's sign. */
    size_t whole = strspn(text, "-0123456789"), rest = whole + strcspn(text + whole, "0123456789e");
    output_printf(out, "%.*s%s%s", (int)whole, text, rest > whole ? "." : "", text + rest);
}

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
    if (sentence->N > 0)
        write_text(out, sentence->end && !options->alone ? sentence->after : newline_of(sentence));
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

/* Writes a sentence word by word, with all that surrounds them; words of plain text share a line. */
static void write_words(struct output *out, const struct writer_options *options, const struct sentence *sentence,
                        const struct text *label, const struct marks *marks,
                        void (*write_word)(struct output *, const struct writer_options *, const struct sentence *,
                                           uint32_t, struct text, const struct marks *))
{
    bool plain = options->format == FORMAT_PLAIN;
    write_front(out, options, sentence);
    write_text(out, sentence->before);
    for (uint32_t i = 0; i < sentence->N; i++) {
        write_word(out, options, sentence, i, sentence->boundary ? text_of("O") : label[i], marks);
        if (plain && i + 1 < sentence->N)
            write_text(out, sentence->end ? sentence->end[i] : text_of(" "));
        else
            write_end(out, options, sentence, i);
    }
    if (!plain)
        write_behind(out, options, sentence);
}

bool write_sentence(struct output *out, const struct writer_options *options, const struct sentence *sentence,
                    const uint32_t *head, const struct text *label, const struct marks *marks, struct vouch_error *err)
{
    static const struct marks none;
    static const uint32_t no_heads[1];
    enum format format = options->format;
    if (sentence->tree && sentence->N == 0)
        head = no_heads;
    if (sentence->faulty)
        return jsonl_write_fault(out, sentence, err);
    if (head && !sentence->tree)
        return fail(err, VOUCH_ERR_ARGUMENT, "trees can be written only for trees that were read");
    /* The lines in front of a tree are comments, except in JSON lines, where they are the whole object. */
    if (head)
        format = sentence->before.length > 0 && sentence->before.at[0] != '#' ? FORMAT_JSONL : FORMAT_CONLLU;
    if (format == FORMAT_AUTO)
        return fail(err, VOUCH_ERR_ARGUMENT, "output needs a format");
    const struct format_calls *calls = format_table[format];
    marks = marks ? marks : &none;
    if (!calls->write_word)
        return calls->write(out, options, sentence, head, label, marks, err);
    write_words(out, options, sentence, label, marks, calls->write_word);
    return true;
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
                      const uint32_t *head, const struct text *label, struct vouch_error *err)
{
    struct writer_options alone = *options;
    alone.alone = true;
    if (options->format == FORMAT_JSONL && (head || !sentence->boundary))
        return jsonl_write_gold(out, sentence, label, head, err);
    if (head || options->format != FORMAT_CRFSUITE)
        return write_sentence(out, &alone, sentence, head, label, NULL, err);
    write_words(out, &alone, sentence, label, NULL, crfsuite_write_line);
    return true;
}

bool write_header(struct output *out, const struct writer_options *options, const struct method_confidence *by_method,
                  uint32_t count, struct vouch_error *err)
{
    if (options->format == FORMAT_JSONL || options->format == FORMAT_CONLLU)
        return true;
    if (options->format != FORMAT_CONLL)
        return fail(err, VOUCH_ERR_ARGUMENT, "%s files have no place for comments", format_name(options->format));
    output_printf(out, "# conf_method=");
    for (uint32_t m = 0; m < count; m++)
        output_printf(out, "%s%s:%s", m > 0 ? "," : "", by_method[m].method,
                      by_method[m].calibrated ? "calibrated" : "raw");
    output_write(out, "\n", 1);
    return true;
}
