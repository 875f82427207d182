/*
 * Surveys the labels of a corpus: which occur, and how they spell chunks.
 *
 * Time: linear in the words; memory: that of the different labels.
 */
#include "review/decisions.h"

static bool note_sentence(struct label_survey *survey, const struct sentence *sentence, struct vouch_error *err)
{
    if (!sentence->labelled || sentence->boundary)
        return true;
    for (uint32_t i = 0; i < sentence->N; i++) {
        struct text label = sentence->gold[i], type;
        char prefix = scheme_split(label, &type);
        if (prefix && prefix != 'O') {
            survey->lasts = survey->lasts || label.at[0] == 'L' || label.at[0] == 'U';
            survey->middles = survey->middles || label.at[0] == 'M';
            if (!dictionary_add(&survey->types, type, err))
                return false;
        }
        if (!dictionary_add(&survey->labels, label, err))
            return false;
    }
    if (!sentence->tree)
        scheme_see(&survey->watch, sentence->gold, sentence->N);
    return true;
}

bool label_survey_read(struct label_survey *survey, const char *path, const struct reader_options *reading,
                       struct vouch_error *err)
{
    struct reader *reader = reader_open(path, reading, err);
    struct sentence sentence = {0};
    enum reading state = READ_FAILED;
    bool ok = reader != NULL;
    while (ok && (state = reader_next(reader, &sentence, err)) == READ_SENTENCE)
        ok = note_sentence(survey, &sentence, err);
    reader_close(reader);
    sentence_release(&sentence);
    survey->scheme = scheme_decide(&survey->watch);
    return ok && state == READ_END;
}

void label_survey_release(struct label_survey *survey)
{
    dictionary_release(&survey->labels);
    dictionary_release(&survey->types);
    free(survey->prefix);
}

bool label_survey_has_type(const struct label_survey *survey, struct text type)
{
    return survey->scheme != SCHEME_NONE && dictionary_find(&survey->types, type) > 0;
}

/* Returns the letter that the corpus's scheme has for a prefix; 0 if it has none. */
static char letter_of(const struct label_survey *survey, char prefix)
{
    if (survey->scheme != SCHEME_BIOES)
        return prefix == 'B' || prefix == 'I' ? prefix : '\0';
    switch (prefix) {
    case 'I':
        return survey->middles ? 'M' : 'I';
    case 'E':
        return survey->lasts ? 'L' : 'E';
    case 'S':
        return survey->lasts ? 'U' : 'S';
    default:
        return prefix;
    }
}

bool label_survey_knows(const struct label_survey *survey, struct text label)
{
    struct text type;
    if (dictionary_find(&survey->labels, label) > 0)
        return true;
    char prefix = scheme_split(label, &type);
    if (survey->scheme == SCHEME_NONE || !prefix)
        return false;
    return prefix == 'O' || (letter_of(survey, prefix) == label.at[0] && label_survey_has_type(survey, type));
}

static bool touches(struct text before, struct text type)
{
    struct text other;
    char prefix = scheme_split(before, &other);
    return prefix && prefix != 'O' && text_equal(other, type);
}

bool label_survey_spell(const struct label_survey *survey, struct text type, uint32_t words, struct text before,
                        struct buffer *into, struct vouch_error *err)
{
    bool bioes = survey->scheme == SCHEME_BIOES;
    for (uint32_t i = 0; i < words; i++) {
        bool first = i == 0, last = i + 1 == words;
        char prefix = first && (survey->scheme != SCHEME_IOB1 || touches(before, type)) ? 'B' : 'I';
        if (bioes && last)
            prefix = first ? 'S' : 'E';
        if ((!first && !buffer_put(into, ' ', err)) || !buffer_put(into, letter_of(survey, prefix), err) ||
            !buffer_put(into, '-', err) || !buffer_add(into, type, err))
            return false;
    }
    return true;
}

bool label_survey_faults(struct label_survey *survey, const struct text *label, uint32_t N, uint32_t *faults,
                         struct vouch_error *err)
{
    struct text type;
    *faults = 0;
    if (survey->scheme == SCHEME_NONE)
        return true;
    if (!RESERVE(survey->prefix, survey->prefix_capacity, (size_t)N + 1, err))
        return false;
    scheme_convert(label, N, survey->scheme, survey->prefix);
    for (uint32_t i = 0; i < N; i++) {
        char prefix = scheme_split(label[i], &type);
        *faults += prefix != survey->prefix[i] && (survey->scheme != SCHEME_IOB2 || prefix == 'I');
    }
    return true;
}
