/*
 * Tests opening: the lock, versions, and a store that is damaged, read-only or out of room. Whatever happens to the
 * file, the call fails with a message or the store is whole; nothing crashes, and nothing that was decided is lost.
 */
#define _DEFAULT_SOURCE /* setgroups */
#include "stored.h"

#include "base/random.h"

#include <grp.h>
#include <signal.h>
#include <sqlite3.h>
#include <sys/resource.h>
#include <sys/stat.h>
#include <sys/wait.h>

static const struct reader_options usual = {0};

/* Makes a store with a document of so many sentences, and so many decisions. */
static void make_store(int sentences, int decisions)
{
    struct store *store = open_store();
    struct buffer text = {0};
    for (int i = 0; i < sentences; i++)
        MUST(buffer_print(&text, &err, "word%d X\nof Y\n\n", i));
    add_text(store, "corpus", text.bytes, &usual);
    add_annotator(store, "a");
    for (int i = 0; i < decisions; i++)
        decide(store, 1, 1 + i % sentences, DECISION_EDIT, "Q ?");
    free(text.bytes);
    store_close(store);
}

static uint64_t count_decisions(struct store *store)
{
    int64_t last;
    uint64_t count;
    MUST(store_last_decision(store, &last, &count, &err));
    return count;
}

/* Runs a statement by a connection of the test's own. */
static bool run(const char *text)
{
    sqlite3 *db;
    assert_int_equal(sqlite3_open(folder_file("test.sqlite"), &db), SQLITE_OK);
    bool ok = sqlite3_exec(db, text, NULL, NULL, NULL) == SQLITE_OK;
    sqlite3_close(db);
    return ok;
}

static void expect_refusal(enum store_mode mode, const char *message)
{
    struct store *store = store_open(folder_file("test.sqlite"), mode, &err);
    assert_null(store);
    if (!strstr(err.message, message))
        fail_msg("expected '%s', found '%s'", message, err.message);
}

TEST_IN_FOLDER(a_second_process_is_refused_until_the_first_is_gone)
{
    make_store(1, 1);
    int ready[2];
    assert_int_equal(pipe(ready), 0);
    pid_t child = fork();
    if (child == 0) {
        struct store *store = store_open(folder_file("test.sqlite"), STORE_WRITE, &err);
        char sign = store ? 'y' : 'n';
        if (write(ready[1], &sign, 1) == 1)
            pause();
        _exit(1);
    }
    char sign = 'n', holder[64];
    assert_int_equal(read(ready[0], &sign, 1), 1);
    assert_int_equal(sign, 'y');
    snprintf(holder, sizeof holder, "the store is in use by process %d", (int)child);
    expect_refusal(STORE_WRITE, holder);
    struct store *reader = store_open(folder_file("test.sqlite"), STORE_READ, &err);
    MUST(reader);
    assert_int_equal(count_decisions(reader), 1);
    store_close(reader);
    kill(child, SIGKILL);
    waitpid(child, NULL, 0);
    close(ready[0]);
    close(ready[1]);
    store_close(open_store());
}

TEST_IN_FOLDER(one_process_cannot_open_it_for_writing_twice)
{
    struct store *store = open_store();
    expect_refusal(STORE_WRITE, "the store is in use by process");
    assert_int_equal(symlink("test.sqlite", folder_file("other.sqlite")), 0);
    assert_null(store_open(folder_file("other.sqlite"), STORE_WRITE, &err));
    assert_non_null(strstr(err.message, "in use"));
    store_close(store);
}

TEST_IN_FOLDER(other_files_are_refused_and_left_alone)
{
    const char *path = folder_put("test.sqlite", "a X\nb Y\n");
    int files = folder_count();
    expect_refusal(STORE_WRITE, "expected a store of vouch, found another file");
    expect_refusal(STORE_READ, "expected a store of vouch, found another file");
    assert_int_equal(folder_count(), files);
    char *text = folder_get(path);
    assert_string_equal(text, "a X\nb Y\n");
    free(text);
    remove(path);
    expect_refusal(STORE_READ, "No such file");
    assert_true(run("CREATE TABLE t (x)"));
    expect_refusal(STORE_WRITE, "found another program's database");
    assert_true(run("SELECT x FROM t"));
}

TEST_IN_FOLDER(a_later_version_is_refused)
{
    make_store(1, 1);
    assert_true(run("PRAGMA user_version = 99"));
    expect_refusal(STORE_WRITE, "expected a store of version 1 or older, found version 99: a later version of vouch");
    expect_refusal(STORE_READ, "found version 99");
    assert_true(run("PRAGMA user_version = 1"));
    store_close(open_store());
}

TEST_IN_FOLDER(decisions_and_sentences_are_never_changed)
{
    make_store(2, 2);
    assert_false(run("UPDATE decisions SET kind = 'skip'"));
    assert_false(run("DELETE FROM decisions"));
    assert_false(run("DELETE FROM decisions WHERE id = 1"));
    assert_false(run("INSERT OR REPLACE INTO decisions SELECT * FROM decisions WHERE id = 1"));
    assert_false(run("REPLACE INTO sentences SELECT * FROM sentences WHERE id = 1"));
    assert_false(run("UPDATE sentences SET bytes = x'00'"));
    assert_false(run("DELETE FROM sentences"));
    struct store *store = open_store();
    assert_int_equal(count_decisions(store), 2);
    assert_int_equal(problems_of(store), 0);
    store_close(store);
}

TEST_IN_FOLDER(a_check_finds_what_was_tampered_with)
{
    make_store(3, 3);
    assert_true(run("DROP TRIGGER sentences_not_changed; UPDATE sentences SET bytes = x'4120580a' WHERE id = 2"));
    assert_true(run("DROP TRIGGER decisions_not_changed"));
    assert_true(run("UPDATE decisions SET after = '{\"labels\":[1]}' WHERE id = 1"));
    assert_true(run("UPDATE decisions SET after = '{\"labels\":[\"X\"]}' WHERE id = 2"));
    struct store *store = store_open(folder_file("test.sqlite"), STORE_BESIDE, &err);
    MUST(store);
    assert_int_equal(problems_of(store), 3);
    store_close(store);
    assert_true(run("UPDATE sentences SET given = '{\"labels\":[\"O\"]}' WHERE id = 1"));
    MUST(store = store_open(folder_file("test.sqlite"), STORE_BESIDE, &err));
    assert_int_equal(problems_of(store), 4);
    store_close(store);
}

/* Whoever moves the file away would lose what is acknowledged after that. */
TEST_IN_FOLDER(a_store_that_was_moved_takes_nothing_until_it_is_back)
{
    make_store(2, 1);
    struct store_decision d = {.annotator = 1, .sentence = 1, .kind = DECISION_SKIP, .confidence = NAN, .seconds = NAN};
    struct store *store = store_open(folder_file("test.sqlite"), STORE_WRITE, &err);
    char from[PATH_MAX], to[PATH_MAX];
    int64_t id;
    MUST(store);
    snprintf(from, sizeof from, "%s", folder_file("test.sqlite"));
    snprintf(to, sizeof to, "%s", folder_file("moved.sqlite"));
    assert_int_equal(rename(from, to), 0);
    assert_false(store_decide(store, &d, &id, &err));
    assert_non_null(strstr(err.message, "moved or removed"));
    assert_int_equal(rename(to, from), 0);
    MUST(store_decide(store, &d, &id, &err));
    store_close(store);
    store = store_open(from, STORE_READ, &err);
    MUST(store);
    assert_int_equal(problems_of(store), 0);
    store_close(store);
}

/* Opens a file that may be damaged, and reads and writes in it; every call may fail, with a message. */
static void use_damaged(void)
{
    struct vouch_error why = {0};
    size_t found = 0;
    struct store *store = store_open(folder_file("test.sqlite"), STORE_BESIDE, &why);
    if (store && !store_check(store, count_problem, &found, &why))
        assert_true(why.message[0]);
    store_close(store);
    why = (struct vouch_error){0};
    store = store_open(folder_file("test.sqlite"), STORE_WRITE, &why);
    if (!store) {
        assert_true(why.message[0] && why.status);
        return;
    }
    struct typed_answer room;
    struct store_decision d = {.annotator = 1, .sentence = 1, .kind = DECISION_EDIT, .after = typed(&room, "Q R"),
                               .confidence = NAN, .seconds = NAN};
    int64_t id;
    why = (struct vouch_error){0};
    assert_true(store_decide(store, &d, &id, &why) || why.message[0]);
    store_close(store);
}

TEST_IN_FOLDER(damaged_files_are_noticed_or_harmless)
{
    struct rng random = rng_new(3, 0);
    size_t length = 0, wrong = 0;
    make_store(60, 60);
    unsigned char *bytes = folder_get_bytes(folder_file("test.sqlite"), &length);
    for (int i = 0; i < fewer(300); i++) {
        unsigned char *copy = malloc(length);
        memcpy(copy, bytes, length);
        size_t kept = i % 3 ? length : rng_below(&random, (uint32_t)length); /* one in three is cut short */
        for (int flips = 0; i % 3 && flips < 1 + i % 7; flips++)
            copy[rng_below(&random, (uint32_t)length)] ^= (unsigned char)(1 << rng_below(&random, 8));
        remove(folder_file("test.sqlite-wal"));
        remove(folder_file("test.sqlite-shm"));
        folder_put_bytes("test.sqlite", copy, kept);
        struct store *store = store_open(folder_file("test.sqlite"), STORE_READ, &err);
        wrong += store == NULL;
        store_close(store);
        use_damaged();
        free(copy);
    }
    assert_true(wrong > 0);
    free(bytes);
}

/* Runs a function in a process of its own; it returns 0 if all is well, 77 if it cannot be tried here. */
static void in_a_child(int (*work)(void))
{
    pid_t child = fork();
    int status = -1;
    if (child == 0)
        _exit(work());
    waitpid(child, &status, 0);
    if (WIFEXITED(status) && WEXITSTATUS(status) == 77)
        skip();
    assert_int_equal(status, 0);
}

/* Decides until the files may not grow any more, then reads, then goes on with more room. */
static int fill_disk(void)
{
    struct vouch_error why = {0};
    struct rlimit limit;
    struct typed_answer room;
    struct store_decision d = {.annotator = 1, .sentence = 1, .kind = DECISION_EDIT, .after = typed(&room, "Q R"),
                               .confidence = NAN, .seconds = NAN};
    int64_t id = 0, last;
    uint64_t count, made = 0;
    struct store *store = store_open(folder_file("test.sqlite"), STORE_WRITE, &why);
    signal(SIGXFSZ, SIG_IGN);
    if (!store || getrlimit(RLIMIT_FSIZE, &limit) != 0)
        return 1;
    rlim_t most = limit.rlim_cur;
    limit.rlim_cur = 200000;
    if (setrlimit(RLIMIT_FSIZE, &limit) != 0)
        return 2;
    while (made < 100000 && store_decide(store, &d, &id, &why))
        made++;
    if (made == 0 || made == 100000 || why.status != VOUCH_ERR_IO || !why.message[0] || id != 0)
        return 3;
    if (store_decide(store, &d, &id, &why)) /* still full */
        return 4;
    if (!store_last_decision(store, &last, &count, &why) || count != made)
        return 5;
    limit.rlim_cur = most;
    if (setrlimit(RLIMIT_FSIZE, &limit) != 0 || !store_decide(store, &d, &id, &why))
        return 6;
    size_t problems = 0;
    if (!store_check(store, count_problem, &problems, &why) || problems)
        return 7;
    store_close(store);
    store = store_open(folder_file("test.sqlite"), STORE_READ, &why);
    if (!store || !store_last_decision(store, &last, &count, &why) || count != made + 1)
        return 8;
    store_close(store);
    return 0;
}

TEST_IN_FOLDER(a_full_disk_loses_nothing_and_is_said)
{
    make_store(2, 0);
    in_a_child(fill_disk);
}

/* Opens a store that this user may not write, in a folder that may not be written. */
static int read_only(void)
{
    struct vouch_error why = {0};
    int64_t id;
    uint64_t count;
    struct store_decision d = {.annotator = 1, .sentence = 1, .kind = DECISION_SKIP};
    if (geteuid() == 0 && (setgroups(0, NULL) != 0 || setgid(65534) != 0 || setuid(65534) != 0))
        return 1;
    if (access(folder_file("test.sqlite"), R_OK) != 0)
        return 77; /* TMPDIR is root's alone */
    struct store *store = store_open(folder_file("test.sqlite"), STORE_WRITE, &why);
    if (store || why.status != VOUCH_ERR_IO || !why.message[0])
        return 2;
    store = store_open(folder_file("test.sqlite"), STORE_READ, &why);
    if (!store || !store_last_decision(store, &id, &count, &why) || count != 2)
        return 3;
    if (store_decide(store, &d, &id, &why) || !strstr(why.message, "for reading alone"))
        return 4;
    store_close(store);
    return 0;
}

TEST_IN_FOLDER(a_read_only_store_can_be_read)
{
    make_store(2, 2);
    remove(folder_file("test.sqlite.lock"));
    assert_int_equal(chmod(folder_file("test.sqlite"), 0444), 0);
    assert_int_equal(chmod(folder_path, 0555), 0);
    in_a_child(read_only);
    assert_int_equal(chmod(folder_path, 0700), 0);
}

TEST_IN_FOLDER(what_was_not_closed_is_there_again)
{
    make_store(2, 1);
    pid_t child = fork();
    if (child == 0) {
        struct store *store = store_open(folder_file("test.sqlite"), STORE_WRITE, &err);
        for (int i = 0; store && i < 10; i++)
            decide(store, 1, 1, DECISION_EDIT, "Z Z");
        raise(SIGKILL);
    }
    waitpid(child, NULL, 0);
    struct store *store = open_store();
    assert_int_equal(count_decisions(store), 11);
    assert_int_equal(problems_of(store), 0);
    store_close(store);
}

TEST_IN_FOLDER(a_copy_is_made_while_it_is_in_use_and_space_given_back)
{
    make_store(50, 50);
    struct store *store = open_store();
    MUST(store_vacuum(store, folder_file("copy.sqlite"), &err));
    assert_false(store_vacuum(store, folder_file("copy.sqlite"), &err));
    assert_non_null(strstr(err.message, "expected a new file"));
    MUST(store_vacuum(store, NULL, &err));
    store_close(store);
    store = store_open(folder_file("copy.sqlite"), STORE_READ, &err);
    MUST(store);
    assert_int_equal(count_decisions(store), 50);
    assert_int_equal(problems_of(store), 0);
    assert_false(store_vacuum(store, NULL, &err));
    store_close(store);
}
