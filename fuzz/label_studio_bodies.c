/* Sends any bytes to Label Studio's backend, whose first byte chooses what is asked of it; every answer is JSON. */
#include "fuzz.h"

#include "bare_server.h"
#include "base/json_read.h"
#include "serve/label_studio.h"

static vouch_model *learn(void)
{
    static const char text[] = "Ada B-PER\nleft O\nParis B-LOC\n\nshe O\nmet O\nBob B-PER\n\n";
    struct vouch_error err = {0};
    const char *file = fuzz_file(text, sizeof text - 1);
    vouch_options *options = vouch_options_new("train", &err);
    if (!options || vouch_options_set(options, "task", "ner", &err) != VOUCH_OK ||
        vouch_options_set(options, "no-calibrate", "true", &err) != VOUCH_OK)
        abort();
    vouch_model *model = vouch_train(options, &file, 1, NULL, &err);
    vouch_options_free(options);
    return model;
}

int LLVMFuzzerTestOneInput(const uint8_t *bytes, size_t length)
{
    static const char *const path[] = {"/label-studio/setup", "/label-studio/predict", "/label-studio/webhook"};
    static struct bare_server server;
    struct vouch_error err = {0};
    if (!server.server.studio) {
        bare_init(&server);
        vouch_model *model = learn();
        if (!model || !models_put(server.server.models, "ner", model, NULL, &err) ||
            !(server.server.studio = label_studio_open(&server.server, &err)))
            abort();
    }
    char *body = length > 0 ? new_string((const char *)bytes + 1, length - 1, &err) : NULL;
    if (!body)
        return 0;
    bare_ask(&server, "POST", path[bytes[0] % 3], body, (const char *[]){"Content-Type", "application/json", NULL});
    json_t *answer = json_read_string(bare_text(&server), 0, NULL);
    if (!answer)
        abort();
    json_decref(answer);
    free(body);
    return 0;
}
