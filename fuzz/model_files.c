/*
 * Opens model files that are damaged on purpose. A file with a wrong checksum is refused before anything else of it is
 * read, so the checksums are computed anew after the damage: it is then up to the code that reads headers and sections
 * to notice it. A model that can be opened labels or parses a sentence, with confidence, and is printed as text.
 */
#include "fuzz.h"

#include "model/model.h"
#include "model_seal.h"

static void use(const vouch_model *model)
{
    static const char *const cells[] = {"Ada", "NNP", "B", "x", "saw", "VBD", "B", "x"};
    struct vouch_error err = {0};
    vouch_request *request = vouch_request_new(model, NULL, &err);
    vouch_worker *worker = fuzz_told(request != NULL, &err) ? vouch_worker_new(request, &err) : NULL;
    vouch_sentence *sentence = worker ? vouch_sentence_new(&err) : NULL;
    if (sentence && vouch_sentence_set_cells(sentence, cells, 2, 4, &err) == VOUCH_OK)
        fuzz_told(vouch_worker_answer(worker, sentence, &err) != NULL, &err);
    vouch_sentence_free(sentence);
    vouch_worker_free(worker);
    vouch_request_free(request);
    struct output *out = output_open("/dev/null", &err);
    if (out)
        fuzz_told(model_dump(model, out, &err), &err);
    output_discard(out);
}

int LLVMFuzzerTestOneInput(const uint8_t *bytes, size_t length)
{
    struct vouch_error err = {0};
    uint8_t *copy = malloc(length + 1);
    if (!copy)
        return 0;
    memcpy(copy, bytes, length);
    reseal(copy, length);
    vouch_model *model = vouch_model_open(fuzz_file(copy, length), &err);
    if (fuzz_told(model != NULL, &err))
        use(model);
    vouch_model_close(model);
    free(copy);
    return 0;
}
