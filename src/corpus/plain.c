/*
 * Plain lines: one sentence a line, words separated by blanks.
 *
 * Output corresponds to input line by line, so empty lines are kept: those in
 * front of a sentence are its `before`, those at the end of the file belong to
 * a last sentence without words.
 */
#include "corpus/formats.h"

static bool add_words(struct reader *reader, struct sentence *into, struct text line, struct vouch_error *err)
{
    for (uint32_t i = 0, stop; i < line.length; i = stop) {
        while (i < line.length && is_blank(line.at[i]))
            i++;
        for (stop = i; stop < line.length && !is_blank(line.at[stop]);)
            stop++;
        if (stop == i)
            break;
        if (!sentence_room(reader, into, stop - i, 1, err))
            return false;
        struct text word = sentence_keep(reader, into, (struct text){line.at + i, stop - i});
        into->cell[into->N] = into->line[into->N] = word;
        into->gold[into->N] = (struct text){word.at, 0};
        sentence_word(reader, into, 1);
    }
    into->boundary = into->N == 1 && text_is(into->cell[0], DOCUMENT_MARK);
    return true;
}

static enum reading plain_next(struct reader *reader, struct sentence *into, struct vouch_error *err)
{
    if (!sentence_begin(reader, into, err))
        return READ_FAILED;
    struct text line;
    int got;
    while ((got = next_line(reader, &line, err)) == 1) {
        if (!all_blank(line))
            return add_words(reader, into, line, err) ? READ_SENTENCE : READ_FAILED;
        if (!sentence_room(reader, into, 1, 0, err))
            return READ_FAILED;
        sentence_keep(reader, into, text_of("\n"));
        into->before.length++;
    }
    if (got < 0)
        return READ_FAILED;
    return into->before.length > 0 ? READ_SENTENCE : READ_END;
}

static void write_trust(struct output *out, const struct sentence *sentence, const struct marks *marks, uint32_t word)
{
    const struct trust *trust = marks->trust;
    output_write(out, "/", 1);
    write_number(out, sentence->boundary || trust->opinions == 0 ? NAN : number_at(trust->opinion->word, word));
    if (marks_flag(marks) && marks->doubtful[word])
        output_write(out, "?", 1);
}

static bool plain_write(struct output *out, const struct writer_options *options, const struct sentence *sentence,
                        const struct text *label, const struct marks *marks, struct vouch_error *err)
{
    (void)options;
    (void)err;
    write_text(out, sentence->before);
    for (uint32_t i = 0; i < sentence->N; i++) {
        write_text(out, sentence_cell(sentence, i, 0));
        output_write(out, "/", 1);
        write_text(out, sentence->boundary ? text_of("O") : label[i]);
        if (marks->trust)
            write_trust(out, sentence, marks, i);
        output_write(out, i + 1 < sentence->N ? " " : "\n", 1);
    }
    return true;
}

const struct format_calls plain_calls = {.name = "plain", .next = plain_next, .write = plain_write};
