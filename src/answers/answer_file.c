/*
 * Opens files of answers, reads ahead, and hands on sentences: see answer_file.h.
 *
 * The first sentences are held, so that a format may look at all of them before it decides what the file holds; they
 * are then read again. Everything a sentence needs (labels, heads, numbers, spans) lies in an arena that is used again
 * for the next one.
 */
#include "answers/answer_file.h"
#include "text/formats.h"

#include <inttypes.h>
#include <jansson.h>
#include <math.h>
#include <stdarg.h>
#include <stdio.h>

uint64_t answer_file_line(const struct answer_file *file, uint32_t word)
{
    return file->reader ? reader_line(file->reader, file->sentence, word) : file->row[file->row_at_hand + word].line;
}

bool answer_refuse(const struct answer_file *file, uint64_t line, struct vouch_error *err, const char *format, ...)
{
    char what[sizeof err->message];
    va_list args;
    va_start(args, format);
    vsnprintf(what, sizeof what, format, args);
    va_end(args);
    if (line == 0)
        line = file->reader ? answer_file_line(file, 0) : file->line;
    return fail(err, VOUCH_ERR_FORMAT, "%s:%" PRIu64 ": %s", file->path, line, what);
}

bool answer_add_method(struct answer_file *file, struct text name, bool calibrated, struct vouch_error *err)
{
    if (file->methods == MAX_METHODS)
        return answer_refuse(file, 0, err, "more than %d methods of confidence", MAX_METHODS);
    struct file_method *method = &file->method[file->methods++];
    method->stated = name.length > 0;
    method->calibrated = calibrated;
    if (method->stated)
        snprintf(method->name, sizeof method->name, "%.*s", text_beginning(name, sizeof method->name - 1), name.at);
    else
        snprintf(method->name, sizeof method->name, file->methods > 1 ? "confidence-%" PRIu32 : "confidence",
                 file->methods);
    return true;
}

bool answer_name_methods(struct answer_file *file, struct text names, char stop, struct vouch_error *err)
{
    while (names.length > 0) {
        struct text state = text_cut(&names, ',');
        state = stop == ' ' ? text_trim(state) : state;
        struct text name = text_cut(&state, stop);
        bool calibrated = stop == ' ' ? text_starts(state, "(calibrated") : text_is(state, "calibrated");
        if (!answer_add_method(file, name, calibrated, err))
            return false;
    }
    return true;
}

bool answer_room(struct answer_file *file, uint32_t N, struct vouch_error *err)
{
    arena_reset(&file->arena);
    return ARENA_ARRAY(file->label[0], N, &file->arena, err) && ARENA_ARRAY(file->label[1], N, &file->arena, err) &&
           ARENA_ARRAY(file->head[0], N, &file->arena, err) && ARENA_ARRAY(file->head[1], N, &file->arena, err);
}

bool answer_abstain(struct answer_file *file, uint32_t spans, struct vouch_error *err)
{
    size_t count = file->methods * (2 * (size_t)file->sentence->N + spans);
    if (!ARENA_ARRAY(file->number, count, &file->arena, err) || !ARENA_ARRAY(file->span, spans, &file->arena, err))
        return false;
    for (size_t i = 0; i < count; i++)
        file->number[i] = NAN;
    file->confidences = (struct confidences){
        .by_method = file->by_method, .methods = file->methods, .span = file->span, .spans = spans};
    for (uint32_t m = 0; m < file->methods; m++)
        file->by_method[m] = (struct method_confidence){.method = file->method[m].name,
                                                        .calibrated = file->method[m].calibrated,
                                                        .word = answer_words(file, m),
                                                        .relation = answer_relations(file, m),
                                                        .span = answer_spans(file, m),
                                                        .sentence = NAN};
    return true;
}

static bool has_words(const struct sentence *sentence)
{
    return sentence->N > 0 && !sentence->boundary;
}

static bool read_ahead(struct answer_file *file, struct vouch_error *err)
{
    bool columns = file->reader->format == FORMAT_CONLL;
    enum reading state = READ_SENTENCE;
    while (file->held < SENTENCES_AHEAD) {
        struct sentence *next = &file->ahead[file->held];
        state = reader_next(file->reader, next, err);
        if (state != READ_SENTENCE)
            break;
        file->sentence = next;
        struct text names;
        if (columns && file->methods == 0 && file->held == 0 &&
            conllu_comment(next->before, text_of("conf_method"), &names) && !answer_name_methods(file, names, ':', err))
            return false;
        file->held += has_words(next);
        file->faults += next->faulty;
    }
    return state != READ_FAILED;
}

/* Opens a file that vouch wrote, or could have written, and finds out what it holds. */
static bool open_own(struct answer_file *file, const char *path, struct vouch_error *err)
{
    /* If labels come first, words come second; nothing else of the reader's gold is looked at. */
    struct reader_options reading = {.format = file->options.format,
                                     .gold = file->options.gold == 1 ? 1 : GOLD_LAST,
                                     .answered = true,
                                     .column = file->options.column,
                                     .named = file->options.named};
    if (!(file->reader = reader_open(path, &reading, err)))
        return false;
    file->path = reader_path(file->reader);
    file->alone = file->reader->format == FORMAT_CONLLU;
    if (!read_ahead(file, err))
        return false;
    if (file->held == 0)
        return true;
    file->sentence = &file->ahead[0];
    enum format format = file->reader->format;
    return (format == FORMAT_JSONL    ? answer_json_settle
            : format == FORMAT_CONLLU ? answer_conllu_settle
                                      : answer_columns_settle)(file, err);
}

struct answer_file *answer_file_open(const char *path, const struct answer_file_options *options,
                                     struct vouch_error *err)
{
    struct answer_file *file = new_array(1, sizeof *file, err);
    if (!file)
        return NULL;
    file->options = *options;
    if ((options->foreign ? answer_table_open : open_own)(file, path, err))
        return file;
    answer_file_close(file);
    return NULL;
}

void answer_file_close(struct answer_file *file)
{
    if (!file)
        return;
    for (uint32_t i = 0; i < SENTENCES_AHEAD; i++)
        sentence_release(&file->ahead[i]);
    json_decref(file->object);
    free(file->row);
    free(file->text);
    free(file->bytes.bytes);
    free(file->kept.bytes);
    arena_release(&file->arena);
    arena_release(&file->strings);
    reader_close(file->reader);
    free(file);
}

enum reading answer_file_next(struct answer_file *file, struct file_answer *into, struct vouch_error *err)
{
    if (file->options.foreign)
        return answer_table_next(file, into, err);
    if (file->at < file->held)
        file->sentence = &file->ahead[file->at++];
    else {
        enum reading state;
        do {
            state = reader_next(file->reader, &file->ahead[0], err);
            file->faults += state == READ_SENTENCE && file->ahead[0].faulty;
        } while (state == READ_SENTENCE && !has_words(&file->ahead[0]));
        if (state != READ_SENTENCE)
            return state;
        file->sentence = &file->ahead[0];
    }
    *into = (struct file_answer){.sentence = file->sentence};
    enum format format = file->reader->format;
    bool sound =
        answer_room(file, file->sentence->N, err) && (format == FORMAT_JSONL    ? answer_json_read
                                                      : format == FORMAT_CONLLU ? answer_conllu_read
                                                                                : answer_columns_read)(file, into, err);
    into->confidences = file->methods > 0 ? &file->confidences : NULL;
    return sound ? READ_SENTENCE : READ_FAILED;
}

bool answer_file_watch(struct answer_file *file, struct scheme_watch *gold, struct scheme_watch *answers,
                       struct vouch_error *err)
{
    struct file_answer next;
    while (file->at < file->held) {
        if (answer_file_next(file, &next, err) != READ_SENTENCE)
            return false;
        if (next.gold)
            scheme_see(gold, next.gold, next.sentence->N);
        if (next.label)
            scheme_see(answers, next.label, next.sentence->N);
    }
    file->at = 0;
    file->next_row = 0;
    return true;
}
