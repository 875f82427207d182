/*
 * Tests output: whole or not at all, and errors that are not lost.
 *
 * fsync() and rename() of the code under test go through this file, which notes their order and lets the first fail.
 */
#define _DEFAULT_SOURCE /* flock() */
#include "base/output.h"

#include "folder.h"
#include "test.h"

#include <fcntl.h>
#include <dirent.h>
#include <errno.h>
#include <signal.h>
#include <sys/file.h>
#include <sys/stat.h>
#include <sys/wait.h>

static struct vouch_error err;

static char calls[64]; /* what was called, a letter each */
static bool disk_broken;

static void note_call(char what)
{
    size_t length = strlen(calls);
    if (length + 1 < sizeof calls)
        calls[length] = what;
}

int __real_fsync(int file);
int __wrap_fsync(int file);
int __wrap_fsync(int file)
{
    struct stat about;
    assert_int_equal(fstat(file, &about), 0);
    note_call(S_ISDIR(about.st_mode) ? 'd' : 'f');
    if (!disk_broken)
        return __real_fsync(file);
    errno = EIO;
    return -1;
}

int __real_rename(const char *from, const char *to);
int __wrap_rename(const char *from, const char *to);
int __wrap_rename(const char *from, const char *to)
{
    note_call('r');
    return __real_rename(from, to);
}

static struct output *must_open(const char *path)
{
    struct output *out = output_open(path, &err);
    if (!out)
        fail_msg("%s", err.message);
    return out;
}

static void expect_error(const char *path, const char *message)
{
    char whole[600];
    snprintf(whole, sizeof whole, "%s%s", path, message);
    assert_string_equal(err.message, whole);
    assert_int_equal(err.status, VOUCH_ERR_IO);
}

static void expect_file(const char *path, const char *expected)
{
    char *text = folder_get(path);
    assert_non_null(text);
    assert_string_equal(text, expected);
    free(text);
}

TEST_IN_FOLDER(a_file_appears_at_commit)
{
    const char *path = folder_file("out");
    struct output *out = must_open(path);
    output_write(out, "one ", 4);
    output_printf(out, "%d %s\n", 2, "three");
    assert_int_equal(output_position(out), 12);
    output_flush(out);
    assert_int_equal(access(path, F_OK), -1);
    output_write(out, "", 0);
    assert_true(output_commit(out, &err));
    expect_file(path, "one 2 three\n");
    assert_int_equal(folder_count(), 1);
}

TEST_IN_FOLDER(a_discarded_file_leaves_nothing_and_the_old_one_alone)
{
    const char *path = folder_put("out", "old");
    struct output *out = must_open(path);
    output_write(out, "new", 3);
    output_flush(out);
    output_discard(out);
    expect_file(path, "old");
    assert_int_equal(folder_count(), 1);
    output_discard(NULL);
}

TEST_IN_FOLDER(an_old_file_is_replaced_and_keeps_its_permissions)
{
    const char *path = folder_put("out", "old and long");
    chmod(path, 0640);
    struct output *out = must_open(path);
    output_write(out, "new", 3);
    expect_file(path, "old and long");
    assert_true(output_commit(out, &err));
    expect_file(path, "new");
    struct stat about;
    assert_int_equal(stat(path, &about), 0);
    assert_int_equal(about.st_mode & 0777, 0640);
}

TEST_IN_FOLDER(a_new_file_honours_the_umask)
{
    mode_t old = umask(027);
    const char *path = folder_file("out");
    bool done = output_commit(must_open(path), &err);
    umask(old);
    assert_true(done);
    struct stat about;
    assert_int_equal(stat(path, &about), 0);
    assert_int_equal(about.st_mode & 0777, 0640);
    assert_int_equal(about.st_size, 0);
}

TEST_IN_FOLDER(a_symbolic_link_is_followed)
{
    const char *path = folder_put("real", "old"), *alias = folder_file("alias");
    assert_int_equal(symlink("real", alias), 0);
    struct output *out = must_open(alias);
    output_write(out, "new", 3);
    assert_true(output_commit(out, &err));
    expect_file(path, "new");
    struct stat about;
    assert_int_equal(lstat(alias, &about), 0);
    assert_true(S_ISLNK(about.st_mode));
}

/* Returns the status of the only file in the folder whose name begins like a temporary's. */
static struct stat only_temporary(void)
{
    struct stat about = {0};
    int found = 0;
    DIR *folder = opendir(folder_path);
    for (struct dirent *entry; (entry = readdir(folder));)
        if (strncmp(entry->d_name, ".vouch-", 7) == 0) {
            assert_int_equal(fstatat(dirfd(folder), entry->d_name, &about, 0), 0);
            found++;
        }
    closedir(folder);
    assert_int_equal(found, 1);
    return about;
}

TEST_IN_FOLDER(what_replaces_a_private_file_is_private_from_the_start)
{
    const char *path = folder_put("out", "old");
    assert_int_equal(chmod(path, 0604), 0);
    mode_t old = umask(0);
    struct output *out = must_open(path);
    umask(old);
    assert_int_equal(only_temporary().st_mode & 0777, 0600);
    assert_true(output_commit(out, &err));
    struct stat about;
    assert_int_equal(stat(path, &about), 0);
    assert_int_equal(about.st_mode & 0777, 0604);
}

/* A chain of links, the last of which leads to a name in another folder that does not exist yet. */
TEST_IN_FOLDER(a_link_to_nothing_is_followed)
{
    char folder[300];
    snprintf(folder, sizeof folder, "%s", folder_file("sub"));
    assert_int_equal(mkdir(folder, 0700), 0);
    assert_int_equal(symlink("sub/link", folder_file("alias")), 0);
    assert_int_equal(symlink("../real", folder_file("sub/link")), 0);
    struct output *out = must_open(folder_file("alias"));
    output_write(out, "new", 3);
    assert_true(output_commit(out, &err));
    struct stat about;
    assert_int_equal(lstat(folder_file("alias"), &about), 0);
    assert_true(S_ISLNK(about.st_mode));
    assert_int_equal(lstat(folder_file("sub/link"), &about), 0);
    assert_true(S_ISLNK(about.st_mode));
    assert_int_equal(lstat(folder_file("real"), &about), 0);
    assert_true(S_ISREG(about.st_mode));
    expect_file(folder_file("real"), "new");
    assert_int_equal(unlink(folder_file("sub/link")), 0);
    assert_int_equal(rmdir(folder), 0);
}

TEST_IN_FOLDER(links_that_lead_nowhere_are_refused)
{
    assert_int_equal(symlink("b", folder_file("a")), 0);
    assert_int_equal(symlink("a", folder_file("b")), 0);
    const char *path = folder_file("a");
    assert_null(output_open(path, &err));
    expect_error(path, ": cannot create: Too many levels of symbolic links");
    assert_int_equal(folder_count(), 2);
}

/* After a power cut there is the old file or the new one: bytes first, then the name, then the folder that has it. */
TEST_IN_FOLDER(bytes_are_on_the_disk_before_the_name)
{
    struct output *out = must_open(folder_put("out", "old"));
    output_write(out, "new", 3);
    memset(calls, 0, sizeof calls);
    assert_true(output_commit(out, &err));
    assert_string_equal(calls, "frd");
}

TEST_IN_FOLDER(bytes_that_do_not_reach_the_disk_replace_nothing)
{
    const char *path = folder_put("out", "old");
    struct output *out = must_open(path);
    output_write(out, "new", 3);
    disk_broken = true;
    bool done = output_commit(out, &err);
    disk_broken = false;
    assert_false(done);
    expect_error(path, ": cannot write: Input/output error");
    expect_file(path, "old");
    assert_int_equal(folder_count(), 1);
}

/* A program that opens an output in the folder and is killed. */
static void leave_a_temporary(void)
{
    pid_t child = fork();
    if (child == 0) {
        struct output *out = output_open(folder_file("lost"), NULL);
        output_write(out, "half", 4);
        output_flush(out);
        raise(SIGKILL);
    }
    int status;
    assert_int_equal(waitpid(child, &status, 0), child);
    assert_true(WIFSIGNALED(status));
}

TEST_IN_FOLDER(what_a_killed_program_left_is_removed)
{
    leave_a_temporary();
    assert_int_equal(folder_count(), 1);
    only_temporary();
    assert_true(output_commit(must_open(folder_file("out")), &err));
    assert_int_equal(folder_count(), 1);
    assert_int_equal(access(folder_file("out"), F_OK), 0);
}

/* Files of others, of other names, and what a living program writes. */
TEST_IN_FOLDER(only_what_was_abandoned_is_removed)
{
    static const char *const spared[] = {".vouch-1-2.tmp~", "vouch-1-2.tmp", ".vouch-1.tmp", ".vouch-1-x.tmp"};
    for (size_t i = 0; i < sizeof spared / sizeof *spared; i++)
        folder_put(spared[i], "mine");
    assert_int_equal(symlink("vouch-1-2.tmp", folder_file(".vouch-1-3.tmp")), 0);
    int busy = open(folder_put(".vouch-1-4.tmp", "busy"), O_RDWR);
    assert_int_equal(flock(busy, LOCK_EX), 0);
    folder_put(".vouch-1-5.tmp", "abandoned");
    struct output *first = must_open(folder_file("a")), *second = must_open(folder_file("b"));
    assert_int_equal(access(folder_file(".vouch-1-5.tmp"), F_OK), -1);
    output_write(first, "first", 5);
    assert_true(output_commit(second, &err));
    assert_true(output_commit(first, &err));
    expect_file(folder_file("a"), "first");
    assert_int_equal(folder_count(), 8);
    close(busy);
}

TEST_IN_FOLDER(two_outputs_do_not_collide)
{
    const char *a = folder_file("a"), *b = folder_file("b");
    struct output *first = must_open(a), *second = must_open(b);
    output_write(first, "first", 5);
    output_write(second, "second", 6);
    assert_true(output_commit(second, &err));
    assert_true(output_commit(first, &err));
    expect_file(a, "first");
    expect_file(b, "second");
    assert_int_equal(folder_count(), 2);
}

/* Sizes below, at and above the buffer's 256 KiB, written and printed. */
TEST_IN_FOLDER(long_texts_come_out_whole)
{
    size_t buffer = (size_t)256 << 10, room = 8 * buffer, length = 0;
    char *expected = malloc(room), *piece = malloc(2 * buffer);
    struct output *out = must_open(folder_file("out"));
    static const size_t sizes[] = {1, 262142, 0, 100, 100000, 262143, 262144, 262144, 262145, 300000};
    for (size_t i = 0; i < sizeof sizes / sizeof *sizes; i++) {
        size_t size = sizes[i];
        memset(piece, 'a' + (int)i, size);
        piece[size] = '\0';
        if (i % 2 == 0)
            output_write(out, piece, size);
        else
            output_printf(out, "%s", piece);
        memcpy(expected + length, piece, size + 1);
        length += size;
        assert_int_equal(output_position(out), length);
    }
    assert_true(output_commit(out, &err));
    expect_file(folder_file("out"), expected);
    free(expected);
    free(piece);
}

TEST_IN_FOLDER(places_that_cannot_be_written_are_named)
{
    const char *path = folder_file("no/out");
    assert_null(output_open(path, &err));
    expect_error(path, ": cannot create: No such file or directory");
    assert_null(output_open(folder_path, &err));
    expect_error(folder_path, ": cannot create: Is a directory");
    assert_null(output_open(path, NULL));
}

TEST_IN_FOLDER(special_files_are_written_in_place)
{
    struct output *out = must_open("/dev/null");
    output_write(out, "gone", 4);
    assert_true(output_commit(out, &err));
    struct stat about;
    assert_int_equal(stat("/dev/null", &about), 0);
    assert_true(S_ISCHR(about.st_mode));

    const char *fifo = folder_file("fifo");
    assert_int_equal(mkfifo(fifo, 0600), 0);
    int reader = open(fifo, O_RDONLY | O_NONBLOCK);
    out = must_open(fifo);
    output_write(out, "hello", 5);
    output_flush(out);
    char got[6] = "";
    assert_int_equal(read(reader, got, 5), 5);
    assert_string_equal(got, "hello");
    output_discard(out);
    close(reader);
    assert_int_equal(stat(fifo, &about), 0);
    assert_true(S_ISFIFO(about.st_mode));
}

TEST_IN_FOLDER(a_full_disk_is_reported_at_commit)
{
    if (access("/dev/full", W_OK) != 0)
        skip();
    struct output *out = must_open("/dev/full");
    for (int i = 0; i < 1000; i++)
        output_printf(out, "%01000d\n", i);
    assert_int_equal(output_position(out), 1001000);
    assert_false(output_commit(out, &err));
    expect_error("/dev/full", ": cannot write: No space left on device");
}

TEST_IN_FOLDER(a_broken_pipe_is_reported_at_commit)
{
    signal(SIGPIPE, SIG_IGN);
    const char *fifo = folder_file("fifo");
    assert_int_equal(mkfifo(fifo, 0600), 0);
    int reader = open(fifo, O_RDONLY | O_NONBLOCK);
    struct output *out = must_open(fifo);
    close(reader);
    output_write(out, "hello", 5);
    assert_false(output_commit(out, &err));
    expect_error(fifo, ": cannot write: Broken pipe");
    signal(SIGPIPE, SIG_DFL);
}

/*
 * Another program makes a folder of that name in between: the temporary file must be removed, and the message tell why.
 */
TEST_IN_FOLDER(a_commit_that_fails_leaves_no_file)
{
    const char *folder = folder_file("sub"), *path = folder_file("sub/out");
    assert_int_equal(mkdir(folder, 0700), 0);
    struct output *out = must_open(path);
    assert_int_equal(mkdir(path, 0700), 0);
    assert_false(output_commit(out, &err));
    expect_error(path, ": cannot write: Is a directory");
    assert_int_equal(rmdir(path), 0);
    assert_int_equal(rmdir(folder), 0);
}

TEST_IN_FOLDER(standard_output_is_flushed_and_stays_open)
{
    int keep = dup(STDOUT_FILENO), file = open(folder_file("out"), O_WRONLY | O_CREAT | O_TRUNC, 0600);
    fflush(stdout);
    dup2(file, STDOUT_FILENO);
    struct output *out = output_open(NULL, &err);
    output_write(out, "one\n", 4);
    bool first = output_commit(out, &err);
    out = output_open("-", &err);
    output_write(out, "two\n", 4);
    bool second = output_commit(out, &err);
    dup2(keep, STDOUT_FILENO);
    close(keep);
    close(file);
    assert_true(first && second);
    expect_file(folder_file("out"), "one\ntwo\n");
}

TEST_IN_FOLDER(memory_holds_what_was_written_since_it_was_emptied)
{
    struct output *out = output_open_memory(&err);
    size_t length;
    assert_non_null(out);
    assert_non_null(output_text(out, &length));
    assert_int_equal(length, 0);
    for (int i = 0; i < 100000; i++)
        output_printf(out, "%d,", i % 10);
    output_write(out, "end", 3);
    output_flush(out);
    const char *text = output_text(out, &length);
    assert_int_equal(length, 200003);
    assert_memory_equal(text, "0,1,2,3", 7);
    assert_memory_equal(text + 200000, "end", 3);
    output_empty(out);
    output_printf(out, "%s", "short");
    text = output_text(out, &length);
    assert_int_equal(length, 5);
    assert_memory_equal(text, "short", 5);
    output_discard(out);
}

TEST_IN_FOLDER(a_spool_moves_to_a_file_without_a_name)
{
    setenv("TMPDIR", folder_file(""), 1);
    int files = folder_count();
    struct output *out = output_open_spool(100, &err);
    char all[300], found[300];
    size_t length;
    assert_non_null(out);
    for (int i = 0; i < 300; i++) {
        all[i] = (char)('a' + i % 26);
        assert_int_equal(output_spooled(out) >= 0, i > 100);
        output_write(out, all + i, 1);
    }
    output_printf(out, "%s", "");
    int file = output_spooled(out);
    assert_int_equal(pread(file, found, sizeof found, 0), 300);
    assert_memory_equal(found, all, 300);
    assert_int_equal(folder_count(), files);
    assert_true(output_whole(out, &err));
    output_empty(out);
    assert_int_equal(output_spooled(out), -1);
    output_write(out, "short", 5);
    assert_memory_equal(output_text(out, &length), "short", 5);
    assert_int_equal(length, 5);
    output_discard(out);
    setenv("TMPDIR", folder_file("missing"), 1);
    out = output_open_spool(3, &err);
    output_write(out, "four", 4);
    output_write(out, "more", 4);
    output_spooled(out);
    assert_false(output_whole(out, &err));
    assert_int_equal(err.status, VOUCH_ERR_IO);
    output_discard(out);
    unsetenv("TMPDIR");
}
