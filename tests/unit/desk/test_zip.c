/* Tests archives: what is put in comes out again by the reader of other rooms, and the bytes are always the same. */
#include "desk/zip.h"

#include "test.h"

#include <archive.h>
#include <archive_entry.h>
#include <string.h>

static struct output *write_two(void)
{
    struct output *out = output_open_memory(NULL);
    struct zip *zip = zip_open(out, NULL);
    bool ok = zip_add(zip, "one.txt", "first\n", 6, NULL) && zip_add(zip, "æ.ann", "", 0, NULL);
    assert_true(zip_close(zip, ok, NULL));
    return out;
}

TEST(files_come_out_as_they_were_put_in)
{
    const char *const name[] = {"one.txt", "æ.ann"}, *const content[] = {"first\n", ""};
    struct output *out = write_two(), *again = write_two();
    size_t length, other;
    const char *bytes = output_text(out, &length), *same = output_text(again, &other);
    assert_int_equal(length, other);
    assert_memory_equal(bytes, same, length);
    struct archive *archive = archive_read_new();
    struct archive_entry *entry;
    char found[100];
    archive_read_support_format_zip(archive);
    assert_int_equal(archive_read_open_memory(archive, bytes, length), ARCHIVE_OK);
    for (int i = 0; i < 2; i++) {
        assert_int_equal(archive_read_next_header(archive, &entry), ARCHIVE_OK);
        assert_non_null(strstr(archive_entry_pathname(entry), name[i] + 2));
        la_ssize_t count = archive_read_data(archive, found, sizeof found);
        assert_int_equal(count, strlen(content[i]));
        assert_memory_equal(found, content[i], count);
    }
    assert_int_equal(archive_read_next_header(archive, &entry), ARCHIVE_EOF);
    archive_read_free(archive);
    output_discard(out);
    output_discard(again);
}
