/* Settings, annotators, models and the learning curve: rows that are written and listed. See store.h. */
#include "store/sql.h"

enum { LONGEST_NAME = 100 };

/* Writes one row. */
#define WRITE_ROW(store, err, ...) (sql_begin(store, err) && sql_end(store, sql_run(store, err, __VA_ARGS__), err))

bool store_setting(struct store *store, const char *name, char **value, struct vouch_error *err)
{
    struct sql sql;
    enum reading state = READ_FAILED;
    *value = NULL;
    if (sql_open(&sql, store, err, "SELECT value FROM settings WHERE name = ?", "t", name) &&
        (state = sql_row(&sql, err)) == READ_SENTENCE) {
        struct text found = sql_text(&sql, 0);
        *value = new_string(found.at, found.length, err);
        state = *value ? state : READ_FAILED;
    }
    sql_close(&sql);
    return state != READ_FAILED;
}

bool store_set(struct store *store, const char *name, const char *value, struct vouch_error *err)
{
    return WRITE_ROW(store, err, "INSERT INTO settings (name, value) VALUES (?, ?) ON CONFLICT (name) DO UPDATE SET "
                                 "value = excluded.value",
                     "tt", name, value);
}

bool is_name(const char *name)
{
    size_t length = strlen(name);
    for (size_t i = 0; i < length; i++)
        if ((unsigned char)name[i] < ' ' || name[i] == 0x7f)
            return false;
    return length > 0 && utf8_check(name, length) == length;
}

bool store_add_annotator(struct store *store, const char *name, const char *token_digest, int64_t *id,
                         struct vouch_error *err)
{
    *id = 0;
    if (!is_name(name) || strlen(name) > LONGEST_NAME)
        return fail(err, VOUCH_ERR_ARGUMENT,
                    "expected an annotator's name of 1 to %d bytes of UTF-8 without control characters", LONGEST_NAME);
    return WRITE_ROW(store, err,
                     "INSERT INTO annotators (name, token_digest, made) VALUES (?, ?, ?) ON CONFLICT (name) DO UPDATE "
                     "SET token_digest = excluded.token_digest",
                     "tti", name, token_digest, time_now()) &&
           store_find_annotator(store, name, NULL, id, err);
}

bool store_find_annotator(struct store *store, const char *name, const char *token_digest, int64_t *id,
                          struct vouch_error *err)
{
    return name ? sql_find(store, id, err, "SELECT id FROM annotators WHERE name = ?", "t", name)
                : sql_find(store, id, err, "SELECT id FROM annotators WHERE token_digest = ?", "t", token_digest);
}

bool store_annotators(struct store *store, store_annotator_visit visit, void *context, struct vouch_error *err)
{
    struct sql sql;
    bool ok = sql_open(&sql, store, err, "SELECT id, name, token_digest, made FROM annotators ORDER BY id", "");
    while (sql_next(&sql, &ok, err)) {
        struct store_annotator annotator = {sql_whole(&sql, 0), sql_string(&sql, 1), sql_string(&sql, 2),
                                            sql_whole(&sql, 3)};
        ok = visit(context, &annotator, err);
    }
    sql_close(&sql);
    return ok;
}

bool store_add_model(struct store *store, const struct store_model *model, struct vouch_error *err)
{
    return WRITE_ROW(store, err,
                     "INSERT INTO models (digest, file, parent, upto, made, details) VALUES (?, ?, ?, ?, ?, ?) ON "
                     "CONFLICT (digest) DO UPDATE SET file = excluded.file",
                     "tttiit", model->digest, model->file, model->parent, model->upto,
                     model->when ? model->when : time_now(), model->details);
}

bool store_models(struct store *store, store_model_visit visit, void *context, struct vouch_error *err)
{
    struct sql sql;
    bool ok = sql_open(&sql, store, err,
                       "SELECT digest, file, parent, upto, made, details FROM models ORDER BY made, rowid", "");
    while (sql_next(&sql, &ok, err)) {
        struct store_model model = {sql_string(&sql, 0), sql_string(&sql, 1), sql_string(&sql, 2),
                                    sql_whole(&sql, 3),  sql_whole(&sql, 4),  sql_string(&sql, 5)};
        ok = visit(context, &model, err);
    }
    sql_close(&sql);
    return ok;
}

bool store_add_point(struct store *store, const struct store_point *point, struct vouch_error *err)
{
    return WRITE_ROW(store, err,
                     "INSERT INTO curve (decisions, name, value, low, high, items, model, made) VALUES (?, ?, ?, ?, ?, "
                     "?, ?, ?)",
                     "itddditi", point->decisions, point->name, point->value, point->low, point->high,
                     (int64_t)point->items, point->model, point->when ? point->when : time_now());
}

bool store_curve(struct store *store, const char *name, store_point_visit visit, void *context, struct vouch_error *err)
{
    struct sql sql;
    bool ok = sql_open(&sql, store, err,
                       "SELECT decisions, name, value, low, high, items, model, made FROM curve WHERE ?1 IS NULL OR "
                       "name = ?1 ORDER BY id",
                       "t", name);
    while (sql_next(&sql, &ok, err)) {
        struct store_point point = {.decisions = sql_whole(&sql, 0),
                                    .name = sql_string(&sql, 1),
                                    .value = sql_real(&sql, 2),
                                    .low = sql_real(&sql, 3),
                                    .high = sql_real(&sql, 4),
                                    .items = (uint64_t)sql_whole(&sql, 5),
                                    .model = sql_string(&sql, 6),
                                    .when = sql_whole(&sql, 7)};
        ok = visit(context, &point, err);
    }
    sql_close(&sql);
    return ok;
}
