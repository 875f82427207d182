/* Opens answered files, reads ahead, and makes the estimates that all formats fill: see answered.h. */
#include "answers/answered_parts.h"

#include <inttypes.h>
#include <stdarg.h>
#include <stdio.h>

bool answered_refuse(const struct answered_file *file, uint32_t word, struct vouch_error *err, const char *format, ...)
{
    char what[sizeof err->message];
    va_list args;
    va_start(args, format);
    vsnprintf(what, sizeof what, format, args);
    va_end(args);
    return fail(err, VOUCH_ERR_FORMAT, "%s:%" PRIu64 ": %s", answered_path(file), answered_line(file, word), what);
}

bool answered_add_method(struct answered_file *file, struct text name, bool calibrated, struct vouch_error *err)
{
    if (file->methods == MAX_METHODS)
        return answered_refuse(file, 0, err, "more than %d methods of confidence", MAX_METHODS);
    struct answered_method *method = &file->method[file->methods++];
    method->stated = name.length > 0;
    method->calibrated = calibrated;
    if (method->stated)
        snprintf(method->name, sizeof method->name, "%.*s", text_beginning(name, sizeof method->name - 1), name.at);
    else
        snprintf(method->name, sizeof method->name, file->methods > 1 ? "confidence-%" PRIu32 : "confidence",
                 file->methods);
    return true;
}

static double *numbers_of(const struct answered_file *file, uint32_t m)
{
    return file->number + m * (2 * (size_t)file->sentence->N + file->confidences.spans);
}

double *answered_words(const struct answered_file *file, uint32_t m)
{
    return numbers_of(file, m);
}

double *answered_relations(const struct answered_file *file, uint32_t m)
{
    return numbers_of(file, m) + file->sentence->N;
}

double *answered_spans(const struct answered_file *file, uint32_t m)
{
    return numbers_of(file, m) + 2 * (size_t)file->sentence->N;
}

bool answered_abstain(struct answered_file *file, uint32_t spans, struct vouch_error *err)
{
    size_t count = file->methods * (2 * (size_t)file->sentence->N + spans);
    if (!RESERVE(file->number, file->number_capacity, count + 1, err) ||
        !RESERVE(file->span, file->span_capacity, (size_t)spans + 1, err))
        return false;
    for (size_t i = 0; i < count; i++)
        file->number[i] = NAN;
    file->confidences = (struct confidences){
        .by_method = file->by_method, .methods = file->methods, .span = file->span, .spans = spans};
    for (uint32_t m = 0; m < file->methods; m++)
        file->by_method[m] = (struct method_confidence){.method = file->method[m].name,
                                                        .calibrated = file->method[m].calibrated,
                                                        .word = answered_words(file, m),
                                                        .relation = answered_relations(file, m),
                                                        .span = answered_spans(file, m),
                                                        .sentence = NAN};
    return true;
}

static bool has_words(const struct sentence *sentence)
{
    return sentence->N > 0 && !sentence->boundary;
}

static bool read_ahead(struct answered_file *file, struct vouch_error *err)
{
    bool columns = reader_format(file->reader) == FORMAT_CONLL;
    enum reading state = READ_SENTENCE;
    while (file->held < SENTENCES_AHEAD) {
        struct sentence *next = &file->ahead[file->held];
        state = reader_next(file->reader, next, err);
        if (state != READ_SENTENCE)
            break;
        file->sentence = next;
        if (columns && file->methods == 0 && file->held == 0 && !answered_columns_header(file, err))
            return false;
        file->held += has_words(next);
        file->faults += next->faulty;
    }
    return state != READ_FAILED;
}

static bool settle(struct answered_file *file, struct vouch_error *err)
{
    if (file->held == 0)
        return true;
    file->sentence = &file->ahead[0];
    switch (reader_format(file->reader)) {
    case FORMAT_JSONL:
        return answered_json_settle(file, err);
    case FORMAT_CONLLU:
        return answered_trees_settle(file, err);
    default:
        return answered_columns_settle(file, err);
    }
}

struct answered_file *answered_open(const char *path, const struct answered_options *options, struct vouch_error *err)
{
    struct answered_file *file = new_array(1, sizeof *file, err);
    if (!file)
        return NULL;
    /* If labels come first, words come second; nothing else of the reader's gold is looked at. */
    struct reader_options reading = {.format = options->format,
                                     .gold = options->gold == 1 ? 1 : GOLD_LAST,
                                     .answered = true,
                                     .column = options->column,
                                     .named = options->named};
    file->options = *options;
    bool ok = options->foreign
                  ? answered_table_open(file, path, err)
                  : (file->reader = reader_open(path, &reading, err)) && read_ahead(file, err) && settle(file, err);
    if (!ok) {
        answered_close(file);
        return NULL;
    }
    return file;
}

void answered_close(struct answered_file *file)
{
    if (!file)
        return;
    for (uint32_t i = 0; i < SENTENCES_AHEAD; i++)
        sentence_release(&file->ahead[i]);
    for (uint32_t i = 0; i < 2; i++) {
        free(file->label[i]);
        free(file->head[i]);
    }
    answered_json_release(file);
    answer_table_release(&file->table);
    free(file->number);
    free(file->span);
    reader_close(file->reader);
    free(file);
}

enum reading answered_next(struct answered_file *file, struct answered *into, struct vouch_error *err)
{
    if (file->options.foreign)
        return answered_table_next(file, into, err);
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
    *into = (struct answered){.sentence = file->sentence};
    enum format format = reader_format(file->reader);
    bool sound = (format == FORMAT_JSONL    ? answered_json_read
                  : format == FORMAT_CONLLU ? answered_trees_read
                                            : answered_columns_read)(file, into, err);
    into->confidences = file->methods > 0 ? &file->confidences : NULL;
    return sound ? READ_SENTENCE : READ_FAILED;
}

bool answered_watch(struct answered_file *file, struct scheme_watch *gold, struct scheme_watch *answers,
                    struct vouch_error *err)
{
    struct answered next;
    while (file->at < file->held) {
        if (answered_next(file, &next, err) != READ_SENTENCE)
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

bool answered_trees(const struct answered_file *file)
{
    return file->trees;
}

bool answered_alone(const struct answered_file *file)
{
    return file->reader && reader_format(file->reader) == FORMAT_CONLLU;
}

const struct answered_method *answered_methods(const struct answered_file *file, uint32_t *count)
{
    *count = file->methods;
    return file->method;
}

uint64_t answered_faults(const struct answered_file *file)
{
    return file->faults;
}

const char *answered_path(const struct answered_file *file)
{
    return file->reader ? reader_path(file->reader) : file->table.name;
}

const char *answered_place(const struct answered_file *file, bool gold)
{
    return file->place[gold];
}

uint64_t answered_line(const struct answered_file *file, uint32_t word)
{
    return file->reader ? reader_line(file->reader, file->sentence, word)
                        : file->table.row[file->row_at_hand + word].line;
}
