/*
 * Writes the synthetic corpus as CoNLL columns, or CoNLL-U for trees.
 *
 * Cost: linear in the words, apart from the search for lemmas (see sample_lexicon.c).
 */
#include "sample/sample.h"

#include "sample/sample_language.h"

#include <inttypes.h>

static const char *const kind_names[] = {"pos", "chunk", "np", "ner", "dep"};

int sample_kind_parse(const char *name)
{
    for (int kind = SAMPLE_POS; kind <= SAMPLE_DEP; kind++)
        if (strcmp(kind_names[kind], name) == 0)
            return kind;
    return -1;
}

static bool write_columns(const struct sample_sentence *sentence, enum sample_kind kind, struct buffer *text,
                          struct vouch_error *err)
{
    unsigned last = kind == SAMPLE_POS ? LAYER_POS : kind == SAMPLE_NER ? LAYER_NER : LAYER_CHUNK;
    for (uint32_t i = 0; i < sentence->N; i++) {
        const struct sample_word *word = &sentence->word[i];
        bool written = buffer_add(text, word->form, err);
        for (unsigned layer = 0; layer <= last; layer++)
            written = written && buffer_put(text, ' ', err) && buffer_add(text, text_of(word->label[layer]), err);
        if (!written || !buffer_put(text, '\n', err))
            return false;
    }
    return buffer_put(text, '\n', err);
}

/*
 * Writes the lexicon's lemma; else the form, without the capital that the start of a sentence (or of a quotation) gave
 * it.
 */
static bool write_lemma(const struct sample_word *word, bool first, struct buffer *text, struct vouch_error *err)
{
    const char *tag = word->label[LAYER_POS];
    struct text lemma = lexicon_lemma(word->form, tag);
    size_t start = text->length;
    if (!buffer_add(text, lemma.at ? lemma : word->form, err))
        return false;
    bool name = strcmp(tag, "NNP") == 0 || word->label[LAYER_NER][0] != 'O';
    char *initial = text->bytes + start;
    if (!lemma.at && first && !name && *initial >= 'A' && *initial <= 'Z')
        *initial = (char)(*initial - 'A' + 'a');
    return true;
}

static bool write_tree(const struct sample_sentence *sentence, struct buffer *text, struct vouch_error *err)
{
    bool written = buffer_print(text, err, "# sent_id = s%" PRIu64 "\n# text =", sentence->number);
    for (uint32_t i = 0; written && i < sentence->N; i++)
        written = buffer_put(text, ' ', err) && buffer_add(text, sentence->word[i].form, err);
    written = written && buffer_put(text, '\n', err);
    for (uint32_t i = 0; written && i < sentence->N; i++) {
        const struct sample_word *word = &sentence->word[i];
        const char *tag = word->label[LAYER_POS];
        written = buffer_print(text, err, "%" PRIu32 "\t%.*s\t", i + 1, (int)word->form.length, word->form.at) &&
                  write_lemma(word, i <= 1, text, err) &&
                  buffer_print(text, err, "\t%s\t%s\t%s\t%" PRIu32 "\t%s\t_\t_\n", lexicon_upos(word->form, tag), tag,
                               lexicon_features(tag), word->head, word->relation);
    }
    return written && buffer_put(text, '\n', err);
}

bool sample_write(const struct sample_sentence *sentence, enum sample_kind kind, struct buffer *text,
                  struct vouch_error *err)
{
    return kind == SAMPLE_DEP ? write_tree(sentence, text, err) : write_columns(sentence, kind, text, err);
}
