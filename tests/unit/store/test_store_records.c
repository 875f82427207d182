/* Tests settings, annotators, models and the curve: what is written is listed, as it was and in its order. */
#include "stored.h"

TEST_IN_FOLDER(settings_are_kept)
{
    struct store *store = open_store();
    char *value;
    MUST(store_setting(store, "order", &value, &err));
    assert_null(value);
    MUST(store_set(store, "order", "doubt", &err));
    MUST(store_set(store, "order", "random", &err));
    store_close(store);
    store = open_store();
    MUST(store_setting(store, "order", &value, &err));
    assert_string_equal(value, "random");
    free(value);
    store_close(store);
}

static bool name_annotator(void *context, const struct store_annotator *a, struct vouch_error *e)
{
    char *names = context;
    (void)e;
    snprintf(names + strlen(names), 64, "%s=%s;", a->name, a->token_digest ? a->token_digest : "");
    return true;
}

TEST_IN_FOLDER(annotators_are_found_by_name_and_token)
{
    struct store *store = open_store();
    char names[256] = "";
    int64_t ann, ben, again, found;
    MUST(store_add_annotator(store, "ann", "d1", &ann, &err));
    MUST(store_add_annotator(store, "ben", NULL, &ben, &err));
    MUST(store_add_annotator(store, "ann", "d2", &again, &err));
    assert_int_equal(ann, again);
    MUST(store_find_annotator(store, NULL, "d2", &found, &err));
    assert_int_equal(found, ann);
    MUST(store_find_annotator(store, NULL, "d1", &found, &err));
    assert_int_equal(found, 0);
    MUST(store_find_annotator(store, "ben", NULL, &found, &err));
    assert_int_equal(found, ben);
    assert_false(store_add_annotator(store, "carl", "d2", &found, &err)); /* a token lets in one */
    assert_false(store_add_annotator(store, "", NULL, &found, &err));
    assert_false(store_add_annotator(store, "\xff", NULL, &found, &err));
    assert_false(store_add_annotator(store, "two\nlines", NULL, &found, &err));
    assert_non_null(strstr(err.message, "expected an annotator's name"));
    MUST(store_annotators(store, name_annotator, names, &err));
    assert_string_equal(names, "ann=d2;ben=;");
    store_close(store);
}

static bool name_model(void *context, const struct store_model *m, struct vouch_error *e)
{
    char *names = context;
    (void)e;
    snprintf(names + strlen(names), 64, "%s<%s %d %s;", m->digest, m->parent ? m->parent : "", (int)m->upto,
             m->file ? m->file : "");
    return true;
}

static bool name_point(void *context, const struct store_point *p, struct vouch_error *e)
{
    char *names = context;
    (void)e;
    snprintf(names + strlen(names), 64, "%d %s %g %g %g %d;", (int)p->decisions, p->name, p->value, p->low, p->high,
             (int)p->items);
    return true;
}

TEST_IN_FOLDER(models_and_the_curve_are_listed)
{
    struct store *store = open_store();
    char names[256] = "";
    MUST(store_add_model(store, &(struct store_model){.digest = "m1", .file = "a", .when = 5}, &err));
    MUST(store_add_model(store, &(struct store_model){.digest = "m2", .parent = "m1", .upto = 7, .when = 6}, &err));
    MUST(store_add_model(store, &(struct store_model){.digest = "m1", .file = "b", .when = 9}, &err));
    MUST(store_models(store, name_model, names, &err));
    assert_string_equal(names, "m1< 0 b;m2<m1 7 ;");
    MUST(store_add_point(store, &(struct store_point){10, "f1", 0.5, 0.25, 0.75, 4, "m1", 0}, &err));
    MUST(store_add_point(store, &(struct store_point){20, "seconds", 3, NAN, NAN, 8, NULL, 0}, &err));
    MUST(store_add_point(store, &(struct store_point){30, "f1", 0.625, 0.5, 0.75, 9, "m2", 0}, &err));
    names[0] = '\0';
    MUST(store_curve(store, "f1", name_point, names, &err));
    assert_string_equal(names, "10 f1 0.5 0.25 0.75 4;30 f1 0.625 0.5 0.75 9;");
    names[0] = '\0';
    MUST(store_curve(store, NULL, name_point, names, &err));
    assert_non_null(strstr(names, "20 seconds 3 nan nan 8;"));
    store_close(store);
}
