/*
 * Statements, transactions and errors: see sql.h.
 *
 * Statements are prepared where they are used: that costs microseconds, a write to the disk costs milliseconds.
 *
 * After an error within a transaction SQLite may have rolled back already, or not (a full disk, say, does either,
 * depending on what was being written): sql_end() asks, so that none is left open and the connection stays usable.
 */
#include "store/sql.h"

#include <errno.h>
#include <math.h>
#include <time.h>

/* Fails where reading or writing the file did, with the system's reason. */
static bool fail_disk(const struct store *store, struct vouch_error *err)
{
    int reason = sqlite3_system_errno(store->db);
    return fail(err, VOUCH_ERR_IO, "%s: the store cannot be read or written: %s", store->path,
                reason ? strerror(reason) : sqlite3_errmsg(store->db));
}

bool fail_sql(const struct store *store, struct vouch_error *err)
{
    const char *path = store->path;
    switch (sqlite3_errcode(store->db)) {
    case SQLITE_NOMEM:
        return fail_memory(err);
    case SQLITE_FULL:
        return fail(err, VOUCH_ERR_IO, "%s: the disk is full: nothing was changed", path);
    case SQLITE_READONLY:
    case SQLITE_PERM:
        return fail(err, VOUCH_ERR_IO, "%s: the store is read-only: nothing was changed", path);
    case SQLITE_BUSY:
    case SQLITE_LOCKED:
        return fail(err, VOUCH_ERR_IO, "%s: another program is writing to the store", path);
    case SQLITE_NOTADB:
        return fail(err, VOUCH_ERR_FORMAT, "%s: expected a store of vouch, found another file", path);
    case SQLITE_CORRUPT:
        return fail(err, VOUCH_ERR_FORMAT,
                    "%s: the store is damaged: keep a copy of it; 'sqlite3 %s .recover' saves what can be read", path,
                    path);
    case SQLITE_IOERR:
    case SQLITE_CANTOPEN:
        return fail_disk(store, err);
    case SQLITE_CONSTRAINT:
        return fail(err, VOUCH_ERR_ARGUMENT, "%s: %s", path, sqlite3_errmsg(store->db));
    default:
        return fail(err, VOUCH_ERR_IO, "%s: %s", path, sqlite3_errmsg(store->db));
    }
}

static int bind_one(sqlite3_stmt *statement, int i, char type, va_list *args)
{
    if (type == 't') {
        const char *string = va_arg(*args, const char *);
        return string ? sqlite3_bind_text(statement, i, string, -1, SQLITE_STATIC) : sqlite3_bind_null(statement, i);
    }
    if (type == 'b') {
        struct text bytes = va_arg(*args, struct text);
        return bytes.at ? sqlite3_bind_blob64(statement, i, bytes.at, bytes.length, SQLITE_STATIC)
                        : sqlite3_bind_null(statement, i);
    }
    if (type == 'd') {
        double real = va_arg(*args, double);
        return isnan(real) ? sqlite3_bind_null(statement, i) : sqlite3_bind_double(statement, i, real);
    }
    int64_t whole = va_arg(*args, int64_t);
    return type == 'n' && whole == 0 ? sqlite3_bind_null(statement, i) : sqlite3_bind_int64(statement, i, whole);
}

static bool bind_all(struct sql *sql, const char *types, va_list *args, struct vouch_error *err)
{
    for (int i = 0; types[i]; i++)
        if (bind_one(sql->statement, i + 1, types[i], args) != SQLITE_OK)
            return fail_sql(sql->store, err);
    return true;
}

static bool open_with(struct sql *sql, const struct store *store, struct vouch_error *err, const char *text,
                      const char *types, va_list *args)
{
    *sql = (struct sql){.store = store};
    if (sqlite3_prepare_v2(store->db, text, -1, &sql->statement, NULL) != SQLITE_OK)
        return fail_sql(store, err);
    return bind_all(sql, types, args, err);
}

bool sql_open(struct sql *sql, const struct store *store, struct vouch_error *err, const char *text, const char *types,
              ...)
{
    va_list args;
    va_start(args, types);
    bool ok = open_with(sql, store, err, text, types, &args);
    va_end(args);
    return ok;
}

void sql_close(struct sql *sql)
{
    sqlite3_finalize(sql->statement);
    sql->statement = NULL;
}

bool sql_again(struct sql *sql, struct vouch_error *err, const char *types, ...)
{
    va_list args;
    sqlite3_reset(sql->statement);
    va_start(args, types);
    bool ok = bind_all(sql, types, &args, err);
    va_end(args);
    return ok;
}

enum reading sql_row(struct sql *sql, struct vouch_error *err)
{
    int state = sqlite3_step(sql->statement);
    if (state == SQLITE_ROW)
        return READ_SENTENCE;
    if (state == SQLITE_DONE)
        return READ_END;
    fail_sql(sql->store, err);
    return READ_FAILED;
}

bool sql_next(struct sql *sql, bool *ok, struct vouch_error *err)
{
    enum reading state = *ok ? sql_row(sql, err) : READ_FAILED;
    *ok = state != READ_FAILED;
    return state == READ_SENTENCE;
}

int64_t sql_whole(const struct sql *sql, int column)
{
    return sqlite3_column_int64(sql->statement, column);
}

double sql_real(const struct sql *sql, int column)
{
    bool null = sqlite3_column_type(sql->statement, column) == SQLITE_NULL;
    return null ? NAN : sqlite3_column_double(sql->statement, column);
}

const char *sql_string(const struct sql *sql, int column)
{
    return (const char *)sqlite3_column_text(sql->statement, column);
}

struct text sql_text(const struct sql *sql, int column)
{
    if (sqlite3_column_type(sql->statement, column) == SQLITE_NULL)
        return (struct text){NULL, 0};
    const char *at = sqlite3_column_blob(sql->statement, column);
    return (struct text){at ? at : "", (uint32_t)sqlite3_column_bytes(sql->statement, column)};
}

/* Does a statement to its end; *found is the first column of its first row. */
static bool do_with(const struct store *store, int64_t *found, struct vouch_error *err, const char *text,
                    const char *types, va_list *args)
{
    struct sql sql;
    enum reading state = READ_FAILED;
    *found = 0;
    if (open_with(&sql, store, err, text, types, args) && (state = sql_row(&sql, err)) == READ_SENTENCE)
        *found = sql_whole(&sql, 0);
    sql_close(&sql);
    return state != READ_FAILED;
}

bool sql_run(const struct store *store, struct vouch_error *err, const char *text, const char *types, ...)
{
    va_list args;
    int64_t found;
    va_start(args, types);
    bool ok = do_with(store, &found, err, text, types, &args);
    va_end(args);
    return ok;
}

bool sql_find(const struct store *store, int64_t *found, struct vouch_error *err, const char *text, const char *types,
              ...)
{
    va_list args;
    va_start(args, types);
    bool ok = do_with(store, found, err, text, types, &args);
    va_end(args);
    return ok;
}

bool sql_begin(struct store *store, struct vouch_error *err)
{
    int moved = 0;
    if (!store->writes)
        return fail(err, VOUCH_ERR_ARGUMENT, "%s: the store was opened for reading alone", store->path);
    if (sqlite3_file_control(store->db, "main", SQLITE_FCNTL_HAS_MOVED, &moved) == SQLITE_OK && moved)
        return fail(err, VOUCH_ERR_IO, "%s: the store was moved or removed while it is in use: nothing was changed",
                    store->path);
    return sql_run(store, err, "BEGIN IMMEDIATE", "");
}

bool sql_end(struct store *store, bool ok, struct vouch_error *err)
{
    ok = ok && sql_run(store, err, "COMMIT", "");
    if (!sqlite3_get_autocommit(store->db))
        sqlite3_exec(store->db, "ROLLBACK", NULL, NULL, NULL);
    return ok;
}

int64_t time_now(void)
{
    struct timespec now;
    clock_gettime(CLOCK_REALTIME, &now);
    return (int64_t)now.tv_sec * 1000 + now.tv_nsec / 1000000;
}
