/*
 * Reads and writes plain lines: one sentence on each line, words separated by blanks.
 *
 * Output corresponds to input line by line, so blank lines are kept; those at the end of the file belong to a last
 * sentence without words. Blanks around words are kept, too: those in front of the first are the sentence's `before`,
 * all others the `end` of the word that they follow.
 */
#include "text/formats.h"

static bool add_words(struct reader *reader, struct sentence *into, struct text line, struct vouch_error *err)
{
    uint32_t whole = line.length + reader->ending.length, i = 0, stop, next;
    if (!sentence_room(reader, into, whole, 1, err))
        return false;
    line = sentence_keep_line(reader, into, line);
    while (is_blank(line.at[i]))
        i++;
    into->before = (struct text){line.at, i};
    for (; i < line.length; i = next) {
        for (stop = i; stop < line.length && !is_blank(line.at[stop]);)
            stop++;
        for (next = stop; next < line.length && is_blank(line.at[next]);)
            next++;
        if (!sentence_room(reader, into, 0, 1, err))
            return false;
        into->cell[into->N] = into->line[into->N] = (struct text){line.at + i, stop - i};
        into->end[into->N] = (struct text){line.at + stop, (next < line.length ? next : whole) - stop};
        into->gold[into->N] = (struct text){line.at + i, 0};
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
        if (!sentence_blank(reader, into, line, err))
            return READ_FAILED;
    }
    return got < 0 ? READ_FAILED : sentence_last(into);
}

static void plain_write_word(struct output *out, const struct writer_options *options, const struct sentence *sentence,
                             uint32_t word, struct text label, const struct marks *marks)
{
    const struct confidences *confidences = marks->confidences;
    (void)options;
    write_text(out, sentence_cell(sentence, word, 0));
    output_write(out, "/", 1);
    write_text(out, label);
    if (!confidences)
        return;
    output_write(out, "/", 1);
    write_number(out,
                 sentence->boundary || confidences->methods == 0 ? NAN : number_at(confidences->by_method->word, word));
    if (confidences->set.asked) {
        uint32_t count = sentence->boundary ? 0 : choice_set_size(&confidences->set, word);
        output_write(out, count ? "/" : "/_", count ? 1 : 2);
        write_members(out, &confidences->set, word, count);
    }
    if (marks_flag(marks) && marks->doubtful[word])
        output_write(out, "?", 1);
}

const struct format_calls plain_calls = {.name = "plain", .next = plain_next, .write_word = plain_write_word};
