/* Tests what vouch cluster writes: a lexicon that can be read, the same on any number of threads. */
#include "cluster/cluster.h"

#include "folder.h"
#include "must.h"
#include "test.h"

static struct cluster_options usual_options(uint32_t threads)
{
    struct cluster_options options;
    options_init(&cluster_options, &options);
    options.common.work.threads = threads;
    options.sizes = "2,3";
    return options;
}

/* Returns what is written, to free(). */
static char *written(const struct cluster_options *options)
{
    struct output *out = output_open(folder_file("lexicon"), &err);
    MUST(out && clusters_write(options, out, &err));
    MUST(output_close(out, true, &err));
    return folder_get(folder_file("lexicon"));
}

TEST_IN_FOLDER(a_table_of_vectors_becomes_a_lexicon)
{
    struct cluster_options options = usual_options(1);
    options.vectors = folder_put("table", "a 1 0\nb 0 1\n12 0.9 0.1\n7x7 0.1 0.9\nd -1 0\n");
    options.source = "a table";
    options.licence = "none";
    char *text = written(&options);
    static const char head[] = "# 2,3 classes by k-means\n# source: a table\n# licence: none\na\t0\t0\nb\t";
    assert_memory_equal(text, head, sizeof head - 1);
    assert_non_null(strstr(text, "\n00\t")); /* for 12 and the like */
    assert_non_null(strstr(text, "\n0x0\t"));
    free(text);
    char given[600];
    snprintf(given, sizeof given, "made=%s", folder_file("lexicon"));
    struct lexicons lexicons = {0};
    MUST(lexicons_read(&lexicons, (const char *const[]){given}, 1, &err));
    assert_int_equal(lexicon_entries(&lexicons.item[0]), 7);
    assert_int_equal(lexicons.item[0].columns, 2);
    assert_string_equal(lexicons.item[0].source, "a table");
    lexicons_release(&lexicons);
}

TEST_IN_FOLDER(threads_do_not_matter)
{
    char path[600], *argument[] = {path, NULL};
    snprintf(path, sizeof path, "%s", folder_put("text", "a b c\na d c\ne b f\n 1 b 2\n"));
    struct cluster_options one = usual_options(1), three = usual_options(3);
    one.common.argument = three.common.argument = argument;
    one.common.arguments = three.common.arguments = 1;
    char *first = written(&one), *second = written(&three);
    assert_string_equal(first, second);
    assert_non_null(strstr(first, "classes by exchange\n"));
    free(first);
    free(second);
}

static void refuse(const char *sizes, const char *message)
{
    struct cluster_options options = usual_options(1);
    options.vectors = folder_put("table", "a 1 0\nb 0 1\n");
    options.sizes = sizes;
    struct output *out = output_open(folder_file("none"), &err);
    assert_non_null(out);
    assert_false(clusters_write(&options, out, &err));
    if (!strstr(err.message, message))
        fail_msg("expected '%s', found '%s'", message, err.message);
    assert_false(output_close(out, false, &err));
}

TEST_IN_FOLDER(sizes_that_make_no_sense_are_refused)
{
    refuse("1", "numbers from 2 to 4096");
    refuse("2,x", "numbers from 2 to 4096");
    refuse("", "numbers from 2 to 4096");
    refuse("2,,2", "numbers from 2 to 4096");
    refuse("5000", "numbers from 2 to 4096");
    refuse("2,2,2,2,2,2,2,2,2,2,2,2,2,2,2,2,2", "up to 16 numbers");
    refuse("3", "expected no more classes than the 2 words");
}
