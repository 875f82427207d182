/*
 * Counts right heads and relations: of all words, without punctuation, by the length of the gold arc, and by relation.
 * Time: O(N log R) for a sentence, R being the relations in the table.
 */
#include "measure/tree_score.h"

const char *const tree_distance_name[DISTANCES] = {"root", "1", "2", "3", "4-6", "7-10", "11-20", "21+"};

static uint32_t distance_of(uint32_t head, uint32_t word)
{
    uint32_t d = head > word ? head - word : word - head;
    return head == 0 ? 0 : d <= 3 ? d : d <= 6 ? 4 : d <= 10 ? 5 : d <= 20 ? 6 : 7;
}

void tree_score_release(struct tree_score *score)
{
    for (size_t i = 0; i < score->rows; i++)
        free(score->row[i].name);
    free(score->row);
    *score = (struct tree_score){0};
}

static struct text universal(struct text relation)
{
    const char *colon = memchr(relation.at, ':', relation.length);
    return colon ? (struct text){relation.at, (uint32_t)(colon - relation.at)} : relation;
}

static void count_word(struct attachment *a, bool head, bool same, bool like)
{
    a->words++;
    a->heads += head;
    a->labelled += head && same;
    a->universal += head && like;
}

static bool count_relation(struct tree_score *score, struct text gold, struct text guess, bool head,
                           struct vouch_error *err)
{
    struct tag_row *row = tag_row_of(&score->row, &score->rows, &score->row_capacity, gold, err);
    if (!row)
        return false;
    row->counts.gold++;
    row->heads += head;
    row->counts.correct += head && text_equal(gold, guess);
    row = tag_row_of(&score->row, &score->rows, &score->row_capacity, guess, err);
    if (row)
        row->counts.guessed++;
    return row != NULL;
}

bool tree_score_add(struct tree_score *score, const struct tree_pair *pair, struct vouch_error *err)
{
    uint32_t wrong_heads = 0, wrong = 0, wrong_roots = 0, roots = 0;
    for (uint32_t i = 0; i < pair->N; i++) {
        bool head = pair->head[i] == pair->gold_head[i], same = head, like = head;
        if (pair->relation) {
            same = text_equal(pair->relation[i], pair->gold_relation[i]);
            like = text_equal(universal(pair->relation[i]), universal(pair->gold_relation[i]));
            if (!count_relation(score, pair->gold_relation[i], pair->relation[i], head, err))
                return false;
        }
        count_word(&score->all, head, same, like);
        if (!pair->punctuation[i])
            count_word(&score->words_only, head, same, like);
        count_word(&score->distance[distance_of(pair->gold_head[i], i + 1)], head, same, like);
        wrong_heads += !head;
        wrong += !head || !same;
        wrong_roots += (pair->head[i] == 0) != (pair->gold_head[i] == 0);
        roots += pair->head[i] == 0;
    }
    score->sentences++;
    score->complete += wrong_heads == 0;
    score->complete_labelled += wrong == 0;
    score->right_roots += wrong_roots == 0;
    score->one_root += roots == 1;
    return true;
}
