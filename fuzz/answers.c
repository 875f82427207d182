/* Predicts: any text is labelled by a small model with two voices, with every kind of confidence. */
#include "fuzz.h"

#include "answer/answer_stream.h"
#include "small_models.h"

static vouch_model *model;
static struct estimator *estimator;

static void make_model(void)
{
    static const char *const voices[] = {"cw", "crf", NULL};
    struct vouch_error err = {0};
    if (folder_make(NULL) != 0)
        abort();
    model = vouch_model_open(small_tagger("model", voices, NULL), &err);
    estimator = model ? estimator_new(model, &(struct estimate_request){.methods = "all"}, &err) : NULL;
    if (!estimator || folder_remove(NULL) != 0)
        abort();
}

static bool take(void *context, const struct sentence *sentence, const struct vouch_answer *answer,
                 struct vouch_error *err)
{
    (void)context;
    (void)err;
    for (uint32_t i = 0; answer->label && i < sentence->N; i++)
        if (answer->label[i].length == 0)
            abort();
    return true;
}

int LLVMFuzzerTestOneInput(const uint8_t *bytes, size_t length)
{
    if (!model)
        make_model();
    struct reader_options options = {.format = FORMAT_AUTO, .gold = GOLD_NONE};
    struct vouch_error err = {0};
    struct reader *reader = reader_open(fuzz_file(bytes, length), &options, &err);
    if (fuzz_told(reader != NULL, &err))
        fuzz_told(answer_stream(&(struct vouch_request){.model = model, .estimator = estimator, .threads = 1}, reader,
                                &(struct answer_sink){.take = take}, &err),
                  &err);
    reader_close(reader);
    return 0;
}
