/* Writes raw text as CoNLL-U and JSON lines: see raw_text.h. Linear in the text. */
#include "text/raw_text.h"

#include "base/buffer.h"

#include <jansson.h>

struct raw_writer {
    struct output *out;
    struct text text;
    const struct raw_options *options;
    const struct word_cuts *cuts;
    struct buffer misc;   /* of the word at hand */
    size_t counted, code; /* code points in front of byte `counted` */
};

void raw_word_write(struct output *out, size_t number, struct text form, struct text misc)
{
    output_printf(out, "%zu\t", number);
    output_write(out, form.at, form.length);
    output_write(out, "\t_\t_\t_\t_\t_\t_\t_\t", 15);
    output_write(out, misc.length ? misc.at : "_", misc.length ? misc.length : 1);
    output_write(out, "\n", 1);
}

static struct text piece(const struct raw_writer *w, size_t from, size_t to)
{
    return (struct text){w->text.at + from, (uint32_t)(to - from)};
}

/* Returns the bytes of a space that must not be in a line of CoNLL-U: controls and separators of lines; else 0. */
static unsigned breaks_lines(const char *at)
{
    const unsigned char *byte = (const unsigned char *)at;
    if (byte[0] < ' ' || byte[0] == 0x7F)
        return 1;
    if (byte[0] == 0xC2 && byte[1] < 0xA0)
        return 2;
    return byte[0] == 0xE2 && byte[1] == 0x80 && (byte[2] == 0xA8 || byte[2] == 0xA9) ? 3 : 0;
}

/* Adds an attribute to MISC. */
static bool add_attribute(struct raw_writer *w, const char *name, struct vouch_error *err)
{
    return buffer_print(&w->misc, err, "%s%s=", w->misc.length ? "|" : "", name);
}

/* Adds what is between words, escaped; what has no escape and would break a line is a line's end. */
static bool add_spaces(struct raw_writer *w, const char *name, struct text gap, struct vouch_error *err)
{
    static const char plain[] = " \t\r\n|\\", escape[] = "strnp\\";
    bool ok = add_attribute(w, name, err);
    for (uint32_t i = 0, width; ok && i < gap.length; i += width) {
        const char *found = gap.at[i] ? strchr(plain, gap.at[i]) : NULL;
        width = utf8_width(gap.at[i]);
        if (found)
            ok = buffer_put(&w->misc, '\\', err) && buffer_put(&w->misc, escape[found - plain], err);
        else if (breaks_lines(gap.at + i))
            ok = buffer_print(&w->misc, err, "\\n");
        else
            ok = buffer_add(&w->misc, (struct text){gap.at + i, width}, err);
    }
    return ok;
}

/* Returns the code points in front of a byte; bytes are asked for in ascending order. */
static size_t code_points(struct raw_writer *w, size_t byte)
{
    for (; w->counted < byte; w->counted++)
        w->code += (w->text.at[w->counted] & 0xC0) != 0x80;
    return w->code;
}

static bool make_misc(struct raw_writer *w, size_t word, struct vouch_error *err)
{
    const struct word_cut *cut = w->cuts->word + word;
    size_t next = word + 1 < w->cuts->words ? cut[1].from : w->text.length;
    struct text after = piece(w, cut->to, next);
    bool last = word + 1 == w->cuts->words, ok = true;
    w->misc.length = 0;
    if (after.length == 0 && !last)
        ok = buffer_print(&w->misc, err, "SpaceAfter=No");
    if (word == 0 && cut->from > 0)
        ok = ok && add_spaces(w, "SpacesBefore", piece(w, 0, cut->from), err);
    if (after.length > 0 && !text_is(after, " "))
        ok = ok && add_spaces(w, "SpacesAfter", after, err);
    if (ok && w->options->ranges) {
        size_t from = code_points(w, cut->from);
        ok = add_attribute(w, "TokenRange", err) &&
             buffer_print(&w->misc, err, "%zu:%zu", from, code_points(w, cut->to));
    }
    return ok;
}

/* Writes a sentence as one line: what breaks lines, and every run of it and of blanks, becomes one blank. */
static void write_as_line(struct output *out, struct text text)
{
    bool blank = false;
    for (uint32_t i = 0, width; i < text.length; i += width) {
        unsigned broken = breaks_lines(text.at + i);
        width = broken ? broken : utf8_width(text.at[i]);
        bool space = broken || text.at[i] == ' ';
        if (space && !blank)
            output_write(out, " ", 1);
        else if (!space)
            output_write(out, text.at + i, width);
        blank = space;
    }
}

static size_t lines_between(const struct raw_writer *w, size_t from, size_t to)
{
    size_t lines = 0;
    for (size_t i = from; i < to; i++)
        lines += w->text.at[i] == '\n' || (w->text.at[i] == '\r' && !(i + 1 < to && w->text.at[i + 1] == '\n'));
    return lines;
}

/* Writes the words of a sentence, in CoNLL-U. */
static bool write_words(struct raw_writer *w, size_t first, size_t last, struct vouch_error *err)
{
    for (size_t word = first; word <= last; word++) {
        const struct word_cut *cut = w->cuts->word + word;
        if (!make_misc(w, word, err))
            return false;
        raw_word_write(w->out, word - first + 1, piece(w, cut->from, cut->to), buffer_text(&w->misc));
    }
    output_write(w->out, "\n", 1);
    return true;
}

static bool ends_sentence(const struct raw_writer *w, size_t word)
{
    const struct word_cut *cut = w->cuts->word + word;
    if (word + 1 == w->cuts->words)
        return true;
    return w->options->presegmented ? lines_between(w, cut->to, cut[1].from) > 0 : cut->ends_sentence;
}

/* Writes a sentence, number `number` from 1. */
static bool write_conllu(struct raw_writer *w, size_t number, size_t first, size_t last, struct vouch_error *err)
{
    const struct word_cut *cut = w->cuts->word;
    if (first == 0 || lines_between(w, cut[first - 1].to, cut[first].from) > 1)
        output_printf(w->out, "%s# newpar\n", first == 0 ? "# newdoc\n" : "");
    output_printf(w->out, "# sent_id = %zu\n# text = ", number);
    write_as_line(w->out, piece(w, cut[first].from, cut[last].to));
    output_write(w->out, "\n", 1);
    return write_words(w, first, last, err);
}

static bool write_json(struct raw_writer *w, size_t number, size_t first, size_t last, struct vouch_error *err)
{
    json_t *tokens = json_array(), *starts = json_array(), *ends = json_array();
    (void)number;
    for (size_t word = first; word <= last; word++) {
        const struct word_cut *cut = w->cuts->word + word;
        struct text form = piece(w, cut->from, cut->to);
        json_array_append_new(tokens, json_stringn(form.at, form.length));
        json_array_append_new(starts, json_integer((json_int_t)code_points(w, cut->from)));
        json_array_append_new(ends, json_integer((json_int_t)code_points(w, cut->to)));
    }
    bool whole = json_array_size(tokens) == last - first + 1 && json_array_size(starts) == last - first + 1 &&
                 json_array_size(ends) == last - first + 1;
    json_t *sentence = json_pack("{s:o, s:o, s:o}", "tokens", tokens, "start", starts, "end", ends);
    char *line = whole && sentence ? json_dumps(sentence, JSON_COMPACT) : NULL;
    json_decref(sentence);
    if (!line)
        return fail_memory(err);
    output_write(w->out, line, strlen(line));
    output_write(w->out, "\n", 1);
    free(line);
    return true;
}

typedef bool (*write_call)(struct raw_writer *w, size_t number, size_t first, size_t last, struct vouch_error *err);

static bool write_sentences(struct output *out, struct text text, const struct raw_options *options, write_call write,
                            struct vouch_error *err)
{
    struct word_cuts cuts = {0};
    struct raw_writer writer = {.out = out, .text = text, .options = options, .cuts = &cuts};
    size_t sentences = 0;
    bool ok = cut_words(text, &cuts, err);
    for (size_t first = 0, last; ok && first < cuts.words; first = last + 1) {
        for (last = first; !ends_sentence(&writer, last);)
            last++;
        ok = write(&writer, ++sentences, first, last, err);
    }
    free(writer.misc.bytes);
    word_cuts_release(&cuts);
    return ok;
}

bool raw_text_write(struct output *out, struct text text, const struct raw_options *options, struct vouch_error *err)
{
    return write_sentences(out, text, options, write_conllu, err);
}

bool raw_text_write_json(struct output *out, struct text text, const struct raw_options *options,
                         struct vouch_error *err)
{
    return write_sentences(out, text, options, write_json, err);
}
