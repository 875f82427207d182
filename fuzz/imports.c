/*
 * Imports models of other programs; the first byte chooses the program. What can be imported must be a model that can
 * be opened, and label a sentence with marginals.
 */
#include "fuzz.h"

#include "import/import.h"

#include <math.h>
#include <stdio.h>

/* Asks for marginals, which must be probabilities. */
static void use(const vouch_model *model)
{
    static const char *const cells[] = {"Ada", "NNP", "", "saw", "VBD", "w=a", "_x-1", "_B-1", "b"};
    enum { WORDS = 3, COLUMNS = 3 };
    struct vouch_error err = {0};
    vouch_options *options = vouch_options_new("tag", &err);
    if (options && vouch_options_set(options, "confidence", "gamma", &err) == VOUCH_OK &&
        vouch_options_set(options, "raw", "true", &err) == VOUCH_OK) {
        vouch_request *request = vouch_request_new(model, options, &err);
        vouch_worker *worker = fuzz_told(request != NULL, &err) ? vouch_worker_new(request, &err) : NULL;
        vouch_sentence *sentence = worker ? vouch_sentence_new(&err) : NULL;
        bool set = sentence && (vouch_model_takes_attributes(model)
                                    ? vouch_sentence_set_attributes(sentence, cells, NULL, WORDS, COLUMNS, &err)
                                    : vouch_sentence_set_cells(sentence, cells, WORDS, COLUMNS, &err)) == VOUCH_OK;
        const vouch_answer *answer = set ? vouch_worker_answer(worker, sentence, &err) : NULL;
        for (size_t i = 0; fuzz_told(answer || !set, &err) && answer && i < WORDS; i++) {
            double p = vouch_answer_confidence(answer, 0, i);
            if (!(p >= 0 && p <= 1))
                abort();
        }
        vouch_sentence_free(sentence);
        vouch_worker_free(worker);
        vouch_request_free(request);
    }
    vouch_options_free(options);
}

int LLVMFuzzerTestOneInput(const uint8_t *bytes, size_t length)
{
    static const char *const programs[] = {"crfsuite", "crfpp", "wapiti"};
    struct vouch_error err = {0};
    struct foreign_kind kind = {.program = length ? programs[bytes[0] % 3] : NULL};
    struct output *out = length ? output_open_memory(&err) : NULL;
    if (out && fuzz_told(import_write(&kind, fuzz_file(bytes + 1, length - 1), out, &err), &err)) {
        size_t size;
        const char *text = output_text(out, &size);
        vouch_model *model = text ? vouch_model_open(fuzz_file(text, size), &err) : NULL;
        if (!model && err.status != VOUCH_ERR_MEMORY)
            abort();
        if (model)
            use(model);
        vouch_model_close(model);
    }
    output_discard(out);
    return 0;
}
