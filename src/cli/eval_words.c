/* Collects words worth a look: see eval_words.h. */
#include "cli/eval_words.h"

#include "report/prose.h"

#include <math.h>

enum { AROUND = 8 }; /* words on either side */

/* A sentence that is being looked at. */
struct seen {
    const struct sentence *sentence;
    const struct text *gold;
    const struct answer *answer;
    const char *file;
};

static struct text form(const struct sentence *s, uint32_t i)
{
    struct text word = sentence_form(s, i);
    return word.length ? word : text_of("_");
}

static void say_text(struct prose *prose, struct text text)
{
    prose_say(prose, "%.*s", (int)text.length, text.at);
}

/* Writes words from .. to - 1. */
static void say_words(struct prose *prose, const struct sentence *s, uint32_t from, uint32_t to)
{
    for (uint32_t i = from; i < to; i++) {
        prose_say(prose, i > from ? " " : "");
        say_text(prose, form(s, i));
    }
}

/* Returns the words before word i, with dots for those that are left out. */
static char *say_before(const struct sentence *s, uint32_t i, struct vouch_error *err)
{
    struct prose prose = {0};
    uint32_t from = i > AROUND ? i - AROUND : 0;
    prose_say(&prose, from > 0 ? "\xe2\x80\xa6 " : "");
    say_words(&prose, s, from, i);
    return prose_take(&prose, err);
}

static char *say_after(const struct sentence *s, uint32_t i, struct vouch_error *err)
{
    struct prose prose = {0};
    uint32_t to = s->N - i - 1 > AROUND ? i + 1 + AROUND : s->N;
    say_words(&prose, s, i + 1, to);
    prose_say(&prose, to < s->N ? " \xe2\x80\xa6" : "");
    return prose_take(&prose, err);
}

/* Returns the word of the head, whose confidence it is; without heads, the label. */
static char *say_choice(const struct sentence *s, const uint32_t *head, const struct text *label, uint32_t i,
                        struct vouch_error *err)
{
    struct text choice = !head ? label[i] : head[i] ? form(s, head[i] - 1) : text_of("ROOT");
    return new_string(choice.at, choice.length, err);
}

static void word_release(struct eval_word *word)
{
    free(word->before);
    free(word->word);
    free(word->after);
    free(word->answer);
    free(word->gold);
}

static bool describe(struct eval_word *word, const struct seen *v, uint32_t i, struct vouch_error *err)
{
    const struct sentence *s = v->sentence;
    struct text own = form(s, i);
    word->file = v->file;
    word->line = s->number;
    word->before = say_before(s, i, err);
    word->word = new_string(own.at, own.length, err);
    word->after = say_after(s, i, err);
    word->answer = say_choice(s, v->answer->head, v->answer->label, i, err);
    word->gold = say_choice(s, v->answer->head ? s->head : NULL, v->gold, i, err);
    return word->before && word->word && word->after && word->answer && word->gold;
}

/* Returns where in the list a word of this confidence belongs: after all that are no worse. */
static size_t place_of(const struct eval_list *list, double confidence)
{
    size_t at = list->count;
    while (at > 0 &&
           (list->surest ? confidence > list->word[at - 1].confidence : confidence < list->word[at - 1].confidence))
        at--;
    return at;
}

static bool consider(struct eval_list *list, const struct seen *v, uint32_t i, bool right, struct vouch_error *err)
{
    double confidence = v->answer->confidences->by_method[0].word[i];
    size_t at = place_of(list, confidence);
    if (isnan(confidence) || at == LISTED_WORDS)
        return true;
    struct eval_word word = {.confidence = confidence, .right = right};
    if (!describe(&word, v, i, err)) {
        word_release(&word);
        return false;
    }
    if (list->count == LISTED_WORDS)
        word_release(&list->word[--list->count]);
    for (size_t j = list->count; j > at; j--)
        list->word[j] = list->word[j - 1];
    list->word[at] = word;
    list->count++;
    return true;
}

bool eval_words_take(struct eval_words *words, const struct sentence *sentence, const struct text *gold,
                     const struct answer *answer, struct vouch_error *err)
{
    const struct seen seen = {sentence, gold, answer, words->file};
    words->mistaken.surest = true;
    for (uint32_t i = 0; i < sentence->N; i++) {
        bool right = answer->head ? answer->head[i] == sentence->head[i] : text_equal(answer->label[i], gold[i]);
        if (!consider(&words->doubtful, &seen, i, right, err) ||
            (!right && !consider(&words->mistaken, &seen, i, right, err)))
            return false;
    }
    return true;
}

static void list_release(struct eval_list *list)
{
    for (size_t i = 0; i < list->count; i++)
        word_release(&list->word[i]);
    list->count = 0;
}

void eval_words_release(struct eval_words *words)
{
    list_release(&words->doubtful);
    list_release(&words->mistaken);
}
