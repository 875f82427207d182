/* Reads models as text, and opens the resulting model. */
#include "fuzz.h"

#include "model/model.h"

int LLVMFuzzerTestOneInput(const uint8_t *bytes, size_t length)
{
    struct vouch_error err = {0};
    struct output *out = output_open_memory(&err);
    if (out && fuzz_told(model_load(fuzz_file(bytes, length), out, &err), &err)) {
        size_t size;
        const char *text = output_text(out, &size);
        vouch_model *model = text ? vouch_model_open(fuzz_file(text, size), &err) : NULL;
        fuzz_told(model != NULL, &err);
        vouch_model_close(model);
    }
    output_discard(out);
    return 0;
}
