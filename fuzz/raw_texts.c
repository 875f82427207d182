/* Cuts raw text, and reads what is written of it again: as CoNLL-U it has as many words as were cut. */
#include "fuzz.h"

#include "text/raw_text.h"
#include "text/reader.h"

/* Returns the words of CoNLL-U. */
static size_t count_words(const char *text, size_t length)
{
    struct vouch_error err = {0};
    struct sentence sentence = {0};
    size_t words = 0;
    struct reader_options options = {.format = FORMAT_CONLLU, .gold = GOLD_NONE, .trees = true};
    struct reader *reader = reader_open_memory(text, length, &options, &err);
    enum reading state;
    if (!reader)
        abort();
    while ((state = reader_next(reader, &sentence, &err)) == READ_SENTENCE)
        words += sentence.N;
    if (state != READ_END)
        abort();
    sentence_release(&sentence);
    reader_close(reader);
    return words;
}

static void try_text(const char *bytes, size_t length)
{
    struct vouch_error err = {0};
    struct word_cuts cuts = {0};
    struct text text = {bytes, (uint32_t)length};
    struct output *out = output_open_memory(&err);
    struct raw_options options = {.presegmented = length % 2, .ranges = true};
    size_t written = 0;
    if (fuzz_told(cut_words(text, &cuts, &err), &err)) {
        for (size_t i = 0, at = 0; i < cuts.words; at = cuts.word[i++].to)
            if (cuts.word[i].from < at || cuts.word[i].to <= cuts.word[i].from || cuts.word[i].to > length)
                abort();
        if (!raw_text_write(out, text, &options, &err))
            abort();
        const char *made = output_text(out, &written);
        if (written > 0 && count_words(made, written) != cuts.words)
            abort();
    }
    output_discard(out);
    word_cuts_release(&cuts);
}

int LLVMFuzzerTestOneInput(const uint8_t *bytes, size_t length)
{
    try_text((const char *)bytes, length);
    return 0;
}
