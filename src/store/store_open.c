/*
 * Opens a store: see store.h. The schema, its versions, the lock, and looking after the file.
 *
 * A store says that it is one by its application_id, and its version by user_version. Each version of the schema is a
 * script, run in a transaction together with the new number: a store is of one version or of the next, never between.
 * A store of a later version is refused, since its rules are not known here.
 *
 * The lock is a file beside the store, not the store itself: closing any descriptor of a file gives up the locks that
 * SQLite has on it (POSIX), and with them the protection of the store. The lock file stays when the store is closed;
 * removing it would let two processes lock two files of that name.
 *
 * Durability: with the write-ahead log and synchronous=FULL every commit waits until the log is on the disk. Damage is
 * looked for on opening by integrity_check, which reads every page and compares indexes with their tables, up to the
 * first problem: 0.3 s of computing for 100,000 sentences and as many decisions (docs/MEASUREMENTS.md). quick_check
 * takes two thirds of that, and does not see an index that lacks a decision. `vouch store check` lists all problems,
 * and looks at what is in the tables as well.
 */
#define _DEFAULT_SOURCE /* flock, realpath */
#include "base/hash.h"
#include "store/sql.h"

#include <errno.h>
#include <fcntl.h>
#include <inttypes.h>
#include <stdio.h>
#include <sys/file.h>
#include <sys/stat.h>
#include <unistd.h>

#define APPLICATION_ID 0x564F5543 /* "VOUC" */
#define BUSY_MILLISECONDS 5000

#define ONLY_ADDED(table)                                                                                              \
    "CREATE TRIGGER " table "_not_changed BEFORE UPDATE ON " table                                                     \
    " BEGIN SELECT RAISE(ABORT, '" table " are never changed'); END;"                                                  \
    "CREATE TRIGGER " table "_not_removed BEFORE DELETE ON " table                                                     \
    " BEGIN SELECT RAISE(ABORT, '" table " are never removed'); END;"                                                  \
    "CREATE TRIGGER " table "_only_added BEFORE INSERT ON " table                                                      \
    " WHEN EXISTS (SELECT 1 FROM " table " WHERE id = NEW.id)"                                                         \
    " BEGIN SELECT RAISE(ABORT, '" table " are never replaced'); END;"

/*
 * Answers are JSON. `piece` counts all that a document is made of, `place` sentences alone: of a document mark, and of
 * what is behind the last sentence, it is NULL. A decision stands unless the last undo or redo of it is an undo.
 */
static const char first_schema[] =
    "CREATE TABLE settings (name TEXT PRIMARY KEY, value TEXT NOT NULL) STRICT, WITHOUT ROWID;"

    "CREATE TABLE documents (id INTEGER PRIMARY KEY, name TEXT NOT NULL UNIQUE, digest TEXT NOT NULL,"
    " position INTEGER NOT NULL UNIQUE, made INTEGER NOT NULL, format TEXT NOT NULL, gold INTEGER NOT NULL,"
    " trees INTEGER NOT NULL, form INTEGER NOT NULL, label_column INTEGER NOT NULL, named INTEGER NOT NULL,"
    " sample BLOB, sentences INTEGER NOT NULL, words INTEGER NOT NULL) STRICT;"

    "CREATE TABLE sentences (id INTEGER PRIMARY KEY AUTOINCREMENT, document INTEGER NOT NULL REFERENCES documents,"
    " piece INTEGER NOT NULL, place INTEGER, line INTEGER NOT NULL, words INTEGER NOT NULL,"
    " words_digest INTEGER NOT NULL, bytes BLOB NOT NULL, given TEXT, UNIQUE (document, piece)) STRICT;" //
    ONLY_ADDED("sentences")

    "CREATE TABLE annotators (id INTEGER PRIMARY KEY AUTOINCREMENT, name TEXT NOT NULL UNIQUE,"
    " token_digest TEXT UNIQUE, made INTEGER NOT NULL) STRICT;"

    "CREATE TABLE assignments (sentence INTEGER NOT NULL REFERENCES sentences,"
    " annotator INTEGER NOT NULL REFERENCES annotators, PRIMARY KEY (sentence, annotator)) STRICT, WITHOUT ROWID;"

    "CREATE TABLE models (digest TEXT PRIMARY KEY, file TEXT, parent TEXT, upto INTEGER NOT NULL,"
    " made INTEGER NOT NULL, details TEXT) STRICT;"

    "CREATE TABLE curve (id INTEGER PRIMARY KEY, decisions INTEGER NOT NULL, name TEXT NOT NULL, value REAL, low REAL,"
    " high REAL, items INTEGER NOT NULL, model TEXT, made INTEGER NOT NULL) STRICT;"

    "CREATE TABLE decisions (id INTEGER PRIMARY KEY AUTOINCREMENT, made INTEGER NOT NULL,"
    " annotator INTEGER NOT NULL REFERENCES annotators, sentence INTEGER NOT NULL REFERENCES sentences,"
    " kind TEXT NOT NULL CHECK (kind IN ('accept', 'edit', 'skip', 'flag', 'comment', 'acknowledge', 'undo', 'redo')),"
    " of INTEGER REFERENCES decisions, key TEXT, after TEXT, first INTEGER NOT NULL, last INTEGER NOT NULL, note TEXT,"
    " shown TEXT, blind INTEGER NOT NULL, queue TEXT, rank INTEGER, reason TEXT, model TEXT, confidence REAL,"
    " seconds REAL, details TEXT, before TEXT, changed INTEGER NOT NULL,"
    " CHECK ((kind IN ('undo', 'redo')) <= (of IS NOT NULL)),"
    " CHECK ((kind IN ('accept', 'edit')) = (after IS NOT NULL))) STRICT;" //
    ONLY_ADDED("decisions")
    "CREATE INDEX decisions_of_sentence ON decisions (sentence, annotator);"
    "CREATE INDEX decisions_of_annotator ON decisions (annotator);"
    "CREATE INDEX decisions_undone ON decisions (of) WHERE of IS NOT NULL;"
    "CREATE UNIQUE INDEX decisions_key ON decisions (annotator, key) WHERE key IS NOT NULL;"

    "CREATE VIEW standing AS SELECT * FROM decisions AS d WHERE kind NOT IN ('undo', 'redo') AND"
    " coalesce((SELECT u.kind FROM decisions AS u WHERE u.of = d.id AND u.kind IN ('undo', 'redo')"
    " ORDER BY u.id DESC LIMIT 1), 'redo') = 'redo';";

static const char *const schema[] = {first_schema};
enum { VERSIONS = sizeof schema / sizeof *schema };

/* ---- The lock ---- */

/* Returns the name of the lock, to free(): that of the file itself if `path` is a link to it. */
static char *lock_path(const char *path, struct vouch_error *err)
{
    struct buffer name = {0};
    char *real = realpath(path, NULL);
    bool ok = buffer_print(&name, err, "%s.lock", real ? real : path);
    free(real);
    if (ok)
        return name.bytes;
    free(name.bytes);
    return NULL;
}

/* Fails because another process has the lock, whose number is in it. */
static bool fail_locked(const char *path, int lock, struct vouch_error *err)
{
    char holder[24] = "";
    ssize_t length = pread(lock, holder, sizeof holder - 1, 0);
    holder[length > 0 ? strspn(holder, "0123456789") : 0] = '\0';
    return fail(err, VOUCH_ERR_IO, "%s: the store is in use by process %s", path, holder[0] ? holder : "(unknown)");
}

/* Takes the lock, and writes the number of this process into it; without room for that it is a lock all the same. */
static bool take_lock(struct store *store, struct vouch_error *err)
{
    char *name = lock_path(store->path, err), holder[24];
    if (!name)
        return false;
    store->lock = open(name, O_RDWR | O_CREAT | O_CLOEXEC | O_NOFOLLOW, 0600);
    bool ok = store->lock >= 0 || fail(err, VOUCH_ERR_IO, "%s: the store cannot be locked: %s", name, strerror(errno));
    free(name);
    if (!ok)
        return false;
    if (flock(store->lock, LOCK_EX | LOCK_NB) != 0)
        return fail_locked(store->path, store->lock, err);
    int length = snprintf(holder, sizeof holder, "%ld\n", (long)getpid());
    if (ftruncate(store->lock, 0) != 0 || pwrite(store->lock, holder, (size_t)length, 0) != length)
        return true;
    return true;
}

/* ---- Opening ---- */

/* Fails if there is a file that is no database at all, before anything is made beside it. */
static bool look_at_file(const char *path, enum store_mode mode, struct vouch_error *err)
{
    static const char magic[16] = "SQLite format 3";
    char head[sizeof magic] = "";
    struct stat about;
    if (stat(path, &about) != 0)
        return (errno == ENOENT && mode == STORE_WRITE) || fail(err, VOUCH_ERR_IO, "%s: %s", path, strerror(errno));
    if (!S_ISREG(about.st_mode))
        return fail(err, VOUCH_ERR_FORMAT, "%s: expected a store of vouch, found no regular file", path);
    FILE *file = about.st_size ? fopen(path, "rb") : NULL;
    if (about.st_size && !file)
        return fail(err, VOUCH_ERR_IO, "%s: %s", path, strerror(errno));
    bool right = !file || (fread(head, 1, sizeof head, file) == sizeof head && memcmp(head, magic, sizeof head) == 0);
    if (file)
        fclose(file);
    if (about.st_size == 0 && mode != STORE_WRITE)
        right = false;
    return right || fail(err, VOUCH_ERR_FORMAT, "%s: expected a store of vouch, found another file", path);
}

/* Appends the path as a URI, by which SQLite takes a file without writers, on a disk that cannot be written. */
static bool spell_uri(struct buffer *uri, const char *path, struct vouch_error *err)
{
    bool ok = buffer_print(uri, err, "file:");
    for (; ok && *path; path++)
        ok = strchr("?#% ", *path) ? buffer_print(uri, err, "%%%02X", (unsigned char)*path)
                                   : buffer_put(uri, *path, err);
    return ok && buffer_print(uri, err, "?immutable=1");
}

static bool connect(struct store *store, const char *name, int flags, struct vouch_error *err)
{
    sqlite3_close(store->db);
    store->db = NULL;
    if (sqlite3_open_v2(name, &store->db, flags | SQLITE_OPEN_NOMUTEX | SQLITE_OPEN_URI, NULL) != SQLITE_OK)
        return store->db ? fail_sql(store, err) : fail_memory(err);
    sqlite3_busy_timeout(store->db, BUSY_MILLISECONDS);
    return true;
}

/* Connects for reading. A folder that cannot be written has no place for the index of the log: then without. */
static bool connect_to_read(struct store *store, struct vouch_error *err)
{
    struct buffer uri = {0};
    if (!connect(store, store->path, SQLITE_OPEN_READONLY, err))
        return false;
    int state = sqlite3_exec(store->db, "SELECT count(*) FROM sqlite_schema", NULL, NULL, NULL);
    if (state != SQLITE_CANTOPEN && state != SQLITE_READONLY)
        return true;
    bool ok = spell_uri(&uri, store->path, err) && connect(store, uri.bytes, SQLITE_OPEN_READONLY, err);
    free(uri.bytes);
    return ok;
}

static bool connect_to_write(struct store *store, struct vouch_error *err)
{
    if (!take_lock(store, err) ||
        !connect(store, store->path, SQLITE_OPEN_READWRITE | SQLITE_OPEN_CREATE, err))
        return false;
    if (sqlite3_db_readonly(store->db, "main") == 1)
        return fail(err, VOUCH_ERR_IO, "%s: the store is read-only", store->path);
    store->writes = true;
    return true;
}

/* Fails unless integrity_check finds nothing. */
static bool look_for_damage(const struct store *store, struct vouch_error *err)
{
    struct sql sql;
    bool ok = sql_open(&sql, store, err, "PRAGMA integrity_check(1)", "") && sql_row(&sql, err) == READ_SENTENCE;
    const char *found = ok ? sql_string(&sql, 0) : NULL;
    if (found && strcmp(found, "ok") != 0)
        ok = fail(err, VOUCH_ERR_FORMAT,
                  "%s: the store is damaged (%s): keep a copy of it; 'sqlite3 %s .recover' saves what can be read",
                  store->path, found, store->path);
    sql_close(&sql);
    return ok;
}

/* Finds the version; 0 for a file that is empty. Fails if it is another program's, or of a later version. */
static bool find_version(const struct store *store, int64_t *version, struct vouch_error *err)
{
    int64_t application, tables;
    if (!sql_find(store, &application, err, "PRAGMA application_id", "") ||
        !sql_find(store, version, err, "PRAGMA user_version", "") ||
        !sql_find(store, &tables, err, "SELECT count(*) FROM sqlite_schema", ""))
        return false;
    bool empty = application == 0 && *version == 0 && tables == 0 && store->writes;
    if (!empty && application != APPLICATION_ID)
        return fail(err, VOUCH_ERR_FORMAT, "%s: expected a store of vouch, found another program's database",
                    store->path);
    return *version <= VERSIONS || fail(err, VOUCH_ERR_FORMAT,
                                        "%s: expected a store of version %d or older, found version %" PRId64
                                        ": a later version of vouch made it",
                                        store->path, VERSIONS, *version);
}

/* Makes a store of version `version` one of the next. */
static bool upgrade(struct store *store, int64_t version, struct vouch_error *err)
{
    char numbers[96];
    snprintf(numbers, sizeof numbers, "PRAGMA application_id = %d; PRAGMA user_version = %d", APPLICATION_ID,
             (int)version + 1);
    bool ok = sql_begin(store, err) &&
              ((sqlite3_exec(store->db, schema[version], NULL, NULL, NULL) == SQLITE_OK &&
                sqlite3_exec(store->db, numbers, NULL, NULL, NULL) == SQLITE_OK) ||
               fail_sql(store, err));
    return sql_end(store, ok, err);
}

static bool prepare(struct store *store, enum store_mode mode, struct vouch_error *err)
{
    static const char common[] = "PRAGMA foreign_keys = ON; PRAGMA recursive_triggers = ON;"
                                 "PRAGMA trusted_schema = OFF; PRAGMA cell_size_check = ON";
    int64_t version;
    if (!(mode == STORE_WRITE ? connect_to_write(store, err) : connect_to_read(store, err)))
        return false;
    if (sqlite3_exec(store->db, common, NULL, NULL, NULL) != SQLITE_OK)
        return fail_sql(store, err);
    if ((mode != STORE_BESIDE && !look_for_damage(store, err)) || !find_version(store, &version, err))
        return false;
    if (mode != STORE_WRITE)
        return version == VERSIONS || fail(err, VOUCH_ERR_FORMAT, "%s: expected a store of version %d, found %" PRId64,
                                           store->path, VERSIONS, version);
    if (sqlite3_exec(store->db, "PRAGMA journal_mode = WAL; PRAGMA synchronous = FULL", NULL, NULL, NULL) != SQLITE_OK)
        return fail_sql(store, err);
    for (; version < VERSIONS; version++)
        if (!upgrade(store, version, err))
            return false;
    return true;
}

struct store *store_open(const char *path, enum store_mode mode, struct vouch_error *err)
{
    struct store *store = look_at_file(path, mode, err) ? new_array(1, sizeof *store, err) : NULL;
    if (!store)
        return NULL;
    store->lock = -1;
    store->path = new_string(path, strlen(path), err);
    if (store->path && prepare(store, mode, err))
        return store;
    store_close(store);
    return NULL;
}

void store_close(struct store *store)
{
    if (!store)
        return;
    sqlite3_close(store->db);
    if (store->lock >= 0)
        close(store->lock);
    free(store->path);
    free(store);
}

const char *store_path(const struct store *store)
{
    return store->path;
}

/* ---- Looking after it ---- */

bool store_vacuum(struct store *store, const char *path, struct vouch_error *err)
{
    if (!path)
        return store->writes ? sql_run(store, err, "VACUUM", "") &&
                                   sql_run(store, err, "PRAGMA wal_checkpoint(TRUNCATE)", "")
                             : fail(err, VOUCH_ERR_ARGUMENT, "%s: the store was opened for reading alone", store->path);
    struct stat about;
    if (lstat(path, &about) == 0)
        return fail(err, VOUCH_ERR_IO, "%s: expected a new file, found one that is there", path);
    if (!sql_run(store, err, "VACUUM INTO ?", "t", path)) {
        unlink(path);
        return false;
    }
    int file = open(path, O_RDWR | O_CLOEXEC);
    bool safe = file >= 0 && fsync(file) == 0;
    if (file >= 0)
        close(file);
    return safe || fail(err, VOUCH_ERR_IO, "%s: %s", path, strerror(errno));
}

/* Who wants to know of problems; `failed`: telling them failed. */
struct checking {
    struct store *store;
    store_problem_visit found;
    void *context;
    struct buffer line;
    bool failed;
};

/* Tells of a problem. */
static bool tell(struct checking *c, struct vouch_error *err, const char *format, ...)
{
    va_list args;
    c->line.length = 0;
    va_start(args, format);
    bool ok = buffer_print_list(&c->line, err, format, args) && c->found(c->context, c->line.bytes, err);
    va_end(args);
    c->failed = c->failed || !ok;
    return ok;
}

/* Damage that keeps a check from being done is a problem, too; the other checks go on. Memory that is short is not. */
static bool tell_failure(struct checking *c, const struct vouch_error *why, struct vouch_error *err)
{
    if (why->status != VOUCH_ERR_MEMORY && !c->failed)
        return tell(c, err, "%s", why->message);
    if (err)
        *err = *why;
    return false;
}

/* Runs SQLite's own checks. */
static bool check_pages(struct checking *c, struct vouch_error *err)
{
    struct sql sql;
    bool ok = sql_open(&sql, c->store, err, "PRAGMA integrity_check", "");
    while (sql_next(&sql, &ok, err))
        if (strcmp(sql_string(&sql, 0), "ok") != 0)
            ok = tell(c, err, "%s", sql_string(&sql, 0));
    sql_close(&sql);
    return ok;
}

static bool check_references(struct checking *c, struct vouch_error *err)
{
    struct sql sql;
    bool ok = sql_open(&sql, c->store, err, "PRAGMA foreign_key_check", "");
    while (sql_next(&sql, &ok, err))
        ok = tell(c, err, "row %" PRId64 " of %s names a row of %s that is not there", sql_whole(&sql, 1),
                  sql_string(&sql, 0), sql_string(&sql, 2));
    sql_close(&sql);
    return ok;
}

static bool check_document(void *context, const struct store_document *document, struct vouch_error *err)
{
    struct checking *c = context;
    struct buffer bytes = {0};
    struct reader_options reading;
    char digest[33];
    bool ok = store_read_document(c->store, document->id, &bytes, &reading, err);
    if (ok) {
        store_digest(bytes.bytes, bytes.length, digest);
        if (strcmp(digest, document->digest) != 0)
            ok = tell(c, err, "document '%s' is not as it was read: expected the digest %s, found %s", document->name,
                      document->digest, digest);
    }
    free(bytes.bytes);
    return ok;
}

static bool check_documents(struct checking *c, struct vouch_error *err)
{
    return store_documents(c->store, check_document, c, err);
}

/* Looks at one answer of a decision. */
static bool check_answer(struct checking *c, const struct sql *sql, int column, struct answer_room *room,
                         struct vouch_error *err)
{
    struct store_answer answer;
    struct vouch_error why;
    int64_t words = sql_whole(sql, 1);
    if (!answer_read(room, sql_text(sql, column), &answer, &why)) {
        struct vouch_error whole = why;
        snprintf(why.message, sizeof why.message, "decision %" PRId64 ": %.400s", sql_whole(sql, 0), whole.message);
        return tell_failure(c, &why, err);
    }
    return answer.words == 0 || answer.words == words ||
           tell(c, err, "decision %" PRId64 ": expected an answer for %" PRId64 " words, found %u", sql_whole(sql, 0),
                words, answer.words);
}

static bool check_sentence(void *context, const struct store_sentence *sentence, struct vouch_error *err)
{
    (void)context, (void)sentence, (void)err;
    return true;
}

/* Reads what the documents themselves say of all sentences. */
static bool check_sentences(struct checking *c, struct vouch_error *err)
{
    return store_sentences(c->store, 0, check_sentence, NULL, err);
}

static bool check_decisions(struct checking *c, struct vouch_error *err)
{
    static const char text[] = "SELECT d.id, s.words, d.after, d.shown, d.before, o.id, d.kind, o.annotator = "
                               "d.annotator AND o.sentence = d.sentence AND o.id < d.id FROM decisions AS d JOIN "
                               "sentences AS s ON s.id = d.sentence LEFT JOIN decisions AS o ON o.id = d.of ORDER BY "
                               "d.id";
    struct sql sql;
    struct answer_room room = {0};
    bool ok = sql_open(&sql, c->store, err, text, "");
    while (sql_next(&sql, &ok, err)) {
        for (int column = 2; ok && column <= 4; column++)
            ok = check_answer(c, &sql, column, &room, err);
        bool takes_back = strcmp(sql_string(&sql, 6), "undo") == 0 || strcmp(sql_string(&sql, 6), "redo") == 0;
        if (ok && takes_back && !sql_whole(&sql, 7))
            ok = tell(c, err, "decision %" PRId64 ": expected to undo or redo an earlier one of the same annotator",
                      sql_whole(&sql, 0));
    }
    sql_close(&sql);
    answer_room_release(&room);
    return ok;
}

bool store_check(struct store *store, store_problem_visit found, void *context, struct vouch_error *err)
{
    static bool (*const check[])(struct checking *, struct vouch_error *) = {check_pages, check_references,
                                                                              check_documents, check_sentences,
                                                                              check_decisions};
    struct checking c = {.store = store, .found = found, .context = context};
    bool ok = true;
    for (size_t i = 0; ok && i < sizeof check / sizeof *check; i++) {
        struct vouch_error why = {0};
        if (!check[i](&c, &why))
            ok = tell_failure(&c, &why, err);
    }
    free(c.line.bytes);
    return ok;
}

void store_digest(const void *bytes, size_t length, char digest[33])
{
    XXH128_hash_t hash = XXH3_128bits(bytes, length);
    snprintf(digest, 33, "%016" PRIx64 "%016" PRIx64, (uint64_t)hash.high64, (uint64_t)hash.low64);
}
