/* Hands on the rows of an answer table as answered sentences: see answered.h and answer_table.h. */
#include "answers/answered_parts.h"

#include <stdio.h>

/* Counts the sentences by which the file is judged. */
static uint32_t count_ahead(const struct answer_table *t)
{
    uint32_t count = 0;
    for (size_t i = 0; i < t->rows && count < SENTENCES_AHEAD; i++)
        count += t->row[i].begins;
    return count;
}

bool answered_table_open(struct answered_file *file, const char *path, struct vouch_error *err)
{
    const struct answered_options *o = &file->options;
    file->table.column = o->column;
    file->table.together = o->together;
    if (!answer_table_read(&file->table, path, o->columns, o->format, err))
        return false;
    file->trees = file->table.trees;
    file->relations = file->table.relations > 0;
    memcpy(file->place, file->table.place, sizeof file->place);
    file->held = count_ahead(&file->table);
    return answered_add_method(file, (struct text){0}, false, err);
}

enum reading answered_table_next(struct answered_file *file, struct answered *into, struct vouch_error *err)
{
    const struct answer_table *t = &file->table;
    struct sentence *s = &file->ahead[0];
    size_t from = file->next_row, to = from + 1;
    if (from >= t->rows)
        return READ_END;
    while (to < t->rows && !t->row[to].begins)
        to++;
    uint32_t N = (uint32_t)(to - from);
    if (!RESERVE(s->first, s->first_capacity, (size_t)N + 1, err) || !RESERVE(s->cell, s->cell_capacity, N, err) ||
        !RESERVE(file->label[0], file->label_capacity[0], N, err) ||
        !RESERVE(file->label[1], file->label_capacity[1], N, err) ||
        !RESERVE(file->head[0], file->head_capacity[0], N, err) ||
        !RESERVE(file->head[1], file->head_capacity[1], N, err))
        return READ_FAILED;
    s->N = N;
    s->number = t->row[from].line;
    s->first[N] = N;
    file->sentence = s;
    if (!answered_abstain(file, 0, err))
        return READ_FAILED;
    for (uint32_t i = 0; i < N; i++) {
        const struct answer_row *row = &t->row[from + i];
        s->first[i] = i;
        s->cell[i] = row->word;
        file->label[0][i] = t->trees ? row->relation : row->guess;
        file->label[1][i] = t->trees ? row->gold_relation : row->gold;
        if (t->trees) {
            text_whole(row->guess, &file->head[0][i]); /* checked when it was read */
            text_whole(row->gold, &file->head[1][i]);
            answered_relations(file, 0)[i] = row->relation_confidence;
        }
        answered_words(file, 0)[i] = row->confidence;
    }
    bool labels = !t->trees || file->relations;
    *into = (struct answered){.sentence = s,
                              .gold = labels ? file->label[1] : NULL,
                              .gold_head = t->trees ? file->head[1] : NULL,
                              .label = labels ? file->label[0] : NULL,
                              .head = t->trees ? file->head[0] : NULL,
                              .confidences = &file->confidences};
    file->row_at_hand = from;
    file->next_row = to;
    file->at += file->at < file->held;
    return READ_SENTENCE;
}

const struct answer_table *answered_table(const struct answered_file *file)
{
    return file->options.foreign ? &file->table : NULL;
}
