/*
 * Writes the synthetic corpus as CoNLL columns, or CoNLL-U for trees.
 *
 * Cost: linear in the words, apart from the search for lemmas (see sample_lexicon.c).
 */
#include "sample/sample.h"

#include "sample/sample_lexicon.h"

#include <inttypes.h>
#include <stdio.h>

static const char *const kind_names[] = {"pos", "chunk", "np", "ner", "dep"};

int sample_kind_parse(const char *name)
{
    for (int kind = SAMPLE_POS; kind <= SAMPLE_DEP; kind++)
        if (strcmp(kind_names[kind], name) == 0)
            return kind;
    return -1;
}

static bool write_bytes(struct buffer *text, const char *bytes, size_t count, struct vouch_error *err)
{
    return buffer_add(text, (struct text){bytes, (uint32_t)count}, err);
}

static bool write_columns(const struct sample_sentence *sentence, enum sample_kind kind, struct buffer *text,
                          struct vouch_error *err)
{
    unsigned last = kind == SAMPLE_POS ? LAYER_POS : kind == SAMPLE_NER ? LAYER_NER : LAYER_CHUNK;
    for (uint32_t i = 0; i < sentence->N; i++) {
        const struct sample_word *word = &sentence->word[i];
        bool written = write_bytes(text, word->form.at, word->form.length, err);
        for (unsigned layer = 0; layer <= last; layer++)
            written = written && write_bytes(text, " ", 1, err) &&
                      write_bytes(text, word->label[layer], strlen(word->label[layer]), err);
        if (!written || !write_bytes(text, "\n", 1, err))
            return false;
    }
    return write_bytes(text, "\n", 1, err);
}

/* Trees. */

static bool write_string(struct buffer *text, const char *string, struct vouch_error *err)
{
    return write_bytes(text, string, strlen(string), err);
}

static bool write_comments(const struct sample_sentence *sentence, struct buffer *text, struct vouch_error *err)
{
    char number[64];
    snprintf(number, sizeof number, "# sent_id = s%" PRIu64 "\n# text =", sentence->number);
    bool written = write_string(text, number, err);
    for (uint32_t i = 0; written && i < sentence->N; i++)
        written = write_string(text, " ", err) &&
                  write_bytes(text, sentence->word[i].form.at, sentence->word[i].form.length, err);
    return written && write_string(text, "\n", err);
}

/*
 * Writes the lexicon's lemma; else the form, without the capital that the start of a sentence (or of a quotation) gave
 * it.
 */
static bool write_lemma(const struct sample_word *word, bool first, struct buffer *text, struct vouch_error *err)
{
    const char *tag = word->label[LAYER_POS];
    struct text lemma = lexicon_lemma(word->form, tag);
    if (lemma.at)
        return write_bytes(text, lemma.at, lemma.length, err);
    size_t start = text->length;
    if (!write_bytes(text, word->form.at, word->form.length, err))
        return false;
    bool name = strcmp(tag, "NNP") == 0 || word->label[LAYER_NER][0] != 'O';
    char *initial = text->bytes + start;
    if (first && !name && *initial >= 'A' && *initial <= 'Z')
        *initial = (char)(*initial - 'A' + 'a');
    return true;
}

static bool write_tree_word(const struct sample_sentence *sentence, uint32_t i, struct buffer *text,
                            struct vouch_error *err)
{
    const struct sample_word *word = &sentence->word[i];
    const char *tag = word->label[LAYER_POS];
    char number[16], head[16];
    snprintf(number, sizeof number, "%" PRIu32 "\t", i + 1);
    snprintf(head, sizeof head, "\t%" PRIu32 "\t", word->head);
    if (!write_string(text, number, err) || !write_bytes(text, word->form.at, word->form.length, err) ||
        !write_string(text, "\t", err) || !write_lemma(word, i <= 1, text, err))
        return false;
    const char *const rest[] = {
        "\t", lexicon_upos(word->form, tag), "\t", tag, "\t", lexicon_features(tag), head, word->relation, "\t_\t_\n"};
    for (size_t k = 0; k < sizeof rest / sizeof *rest; k++)
        if (!write_string(text, rest[k], err))
            return false;
    return true;
}

static bool write_tree(const struct sample_sentence *sentence, struct buffer *text, struct vouch_error *err)
{
    bool written = write_comments(sentence, text, err);
    for (uint32_t i = 0; written && i < sentence->N; i++)
        written = write_tree_word(sentence, i, text, err);
    return written && write_string(text, "\n", err);
}

bool sample_write(const struct sample_sentence *sentence, enum sample_kind kind, struct buffer *text,
                  struct vouch_error *err)
{
    return kind == SAMPLE_DEP ? write_tree(sentence, text, err) : write_columns(sentence, kind, text, err);
}
