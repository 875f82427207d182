/* Tests models that are replaced while somebody uses them, and what is kept for requests. */
#include "test.h"

#include "serve/served_models.h"
#include "small_models.h"

static struct models *open_one(const char *name)
{
    static const char *const voices[] = {"cw", NULL};
    struct models *models = models_new(NULL);
    assert_true(models_open(models, small_tagger(name, voices, NULL), NULL));
    return models;
}

TEST_IN_FOLDER(a_model_that_is_replaced_stays_with_those_who_took_it)
{
    struct vouch_error err = {0};
    struct models *models = open_one("m.vouch");
    const struct served_model *old = models_take(models, "m", LABELS_MODEL, &err), *new;
    struct lent_worker lent;
    assert_non_null(old);
    assert_true(models_lend(models, old, "confidence=delta", &lent, &err));
    assert_true(models_open(models, old->path, &err));
    new = models_take(models, NULL, ANY_MODEL, &err);
    assert_ptr_not_equal(old, new);
    assert_int_equal(old->number, 0);
    assert_int_equal(new->number, 1);
    assert_string_equal(old->version, new->version);
    models_return(models, &lent);
    models_leave(models, old); /* the last to leave it */
    assert_true(models_reload(models, &err));
    models_leave(models, new);
    new = models_take(models, "m", ANY_MODEL, &err);
    assert_int_equal(new->number, 1); /* the file has not changed */
    models_leave(models, new);
    assert_null(models_take(models, NULL, TREES_MODEL, &err));
    assert_non_null(strstr(err.message, "no model that parses is served: there are m"));
    models_free(models);
}

TEST_IN_FOLDER(workers_are_lent_again_and_options_are_those_of_clients)
{
    struct vouch_error err = {0};
    struct models *models = open_one("m.vouch");
    const struct served_model *m = models_take(models, "m", LABELS_MODEL, &err);
    struct lent_worker one, two;
    char options[64];
    assert_true(models_lend(models, m, "confidence=delta", &one, &err));
    assert_true(models_lend(models, m, "confidence=delta", &two, &err));
    assert_ptr_equal(one.request, two.request);
    assert_ptr_not_equal(one.worker, two.worker);
    vouch_worker *first = one.worker;
    models_return(models, &one);
    assert_true(models_lend(models, m, "confidence=delta", &one, &err));
    assert_ptr_equal(one.worker, first);
    models_return(models, &one);
    for (int i = 0; i < 200; i++) { /* more than are kept, beside one that is in use */
        snprintf(options, sizeof options, "confidence=delta&threshold=0.%03d", i);
        assert_true(models_lend(models, m, options, &one, &err));
        models_return(models, &one);
    }
    models_return(models, &two);
    static const char *const refused[] = {"output=x", "vectors=x", "threads=2", "quiet", "none=1", "=", "threshold=2",
                                          "confidence=delta&answers=x"};
    for (size_t i = 0; i < sizeof refused / sizeof *refused; i++) {
        err = (struct vouch_error){0};
        if (models_lend(models, m, refused[i], &one, &err))
            fail_msg("%s was not refused", refused[i]);
    }
    models_leave(models, m);
    models_free(models);
}
