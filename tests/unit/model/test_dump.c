/* Tests a model as text: dumped and loaded again, and texts that are no dump. */
#include "test.h"
#include "usual_model.h"

FILE_FIXTURE(build_usual, drop_image);

TEST(dump_and_load_give_the_same_bytes)
{
    expect_round_trip(build(&usual, "built"), "the usual model");
}

TEST(dump_and_load_know_every_kind_of_feature)
{
    struct recipe recipe = usual;
    recipe.template = "U0:%x[0,0]\nB\nB1:%x[0,1]\nB2:%x[-1,0]/%x[0,0]\n";
    expect_round_trip(build(&recipe, "built"), "label pairs that look at words");
    recipe = usual;
    recipe.cutoff = 2;
    expect_round_trip(build(&recipe, "built"), "a cutoff");
    recipe = usual;
    recipe.inner = SCHEME_NONE;
    expect_round_trip(build(&recipe, "built"), "the corpus's own scheme");
    recipe.voices[0] = "crf";
    recipe.voices[1] = "cw";
    expect_round_trip(build(&recipe, "built"), "the variance in the second voice");
}

TEST(dump_and_load_know_models_without_label_pairs)
{
    struct recipe recipe = usual;
    recipe.template = "U0:%x[0,0]\n";
    expect_round_trip(build(&recipe, "built"), "no label pairs");
}

/* "U:%x[-1,0]" and "U:%x[0,0]" are one bag of words; the rules after them must not be mistaken for it. */
TEST(dump_and_load_know_rules_that_share_their_features)
{
    struct recipe recipe = usual;
    recipe.template = "U:%x[-1,0]\nU:%x[0,0]\nU:%x[1,0]\nU1:%x[0,1]\nU2:%suffix2[0,0]\nB\n";
    expect_round_trip(build(&recipe, "built"), "a bag of words");
}

TEST(dump_and_load_know_a_first_stage)
{
    for (const struct learner *const *learner = learners; *learner; learner++) {
        struct recipe recipe = usual;
        recipe.first = (*learner)->name;
        expect_round_trip(build(&recipe, "built"), "a first stage");
        vouch_model *model = must_open(folder_file("built"));
        assert_true(model_has_first(model));
        assert_string_equal(model->first.voice[0].name, (*learner)->name);
        assert_string_equal(model->first.name, "first");
        assert_int_equal(model->first.space.nodes, model->layer[0].space.nodes);
        assert_int_equal(model->layers, 1);
        vouch_model_close(model);
    }
    vouch_model *model = must_open(folder_file("model"));
    assert_false(model_has_first(model));
    vouch_model_close(model);
}

TEST(dump_and_load_know_attributes)
{
    struct recipe recipe = usual;
    recipe.corpus = "B-PER\tw=Ada\tcap\tlen:2.5\nO\tw=lives\tlen:0.5\nB-LOC\tw=Paris\tcap\n\nO\tw=saw\n\n";
    recipe.format = FORMAT_CRFSUITE;
    expect_round_trip(build(&recipe, "built"), "attributes");
}

/* The lines of a dump, for taking one out or changing it. */
struct lines {
    char *text;
    char *line[4000];
    size_t count;
};

static void lines_of(struct lines *lines, const char *path)
{
    lines->text = folder_get(path);
    lines->count = 0;
    assert_non_null(lines->text);
    for (char *at = lines->text, *end; (end = strchr(at, '\n')); at = end + 1) {
        assert_true(lines->count < sizeof lines->line / sizeof *lines->line);
        *end = '\0';
        lines->line[lines->count++] = at;
    }
}

/* Writes the lines with `replacement` for line `which`, or without it if that is NULL. */
static const char *put_lines(const struct lines *lines, size_t which, const char *replacement)
{
    const char *path = folder_file("damaged");
    FILE *file = fopen(path, "w");
    assert_non_null(file);
    for (size_t i = 0; i < lines->count; i++)
        if (i != which)
            fprintf(file, "%s\n", lines->line[i]);
        else if (replacement)
            fprintf(file, "%s\n", replacement);
    fclose(file);
    return path;
}

/* The error must be one of format and start with "file:line: ". */
static void expect_load_error(const char *path, const char *what)
{
    char place[600];
    unsigned long long line = 0;
    remove(folder_file("unwanted"));
    if (load_to(path, folder_file("unwanted")))
        fail_msg("%s: loaded as if nothing were wrong", what);
    assert_int_equal(err.status, VOUCH_ERR_FORMAT);
    snprintf(place, sizeof place, "%s:%%llu: expected", path);
    if (sscanf(err.message, place, &line) != 1 || line == 0)
        fail_msg("%s: the error names no file and line: %s", what, err.message);
    assert_int_equal(access(folder_file("unwanted"), F_OK), -1);
}

static bool begins(const char *line, const char *with)
{
    return strncmp(line, with, strlen(with)) == 0;
}

static size_t line_that_begins(const struct lines *lines, const char *with)
{
    for (size_t i = 0; i < lines->count; i++)
        if (begins(lines->line[i], with))
            return i;
    fail_msg("no line begins with '%s'", with);
    return 0;
}

/* Weights of zero are not written, so a missing line of weights cannot be told; every other can. */
TEST(a_dump_without_one_of_its_lines_is_refused)
{
    struct lines lines;
    lines_of(&lines, dump_to(folder_file("model"), "dump"));
    for (size_t i = 0; i < lines.count; i++)
        if (!begins(lines.line[i], "mean.") && !begins(lines.line[i], "var.")) {
            char what[600];
            snprintf(what, sizeof what, "without line %zu, '%.60s'", i + 1, lines.line[i]);
            expect_load_error(put_lines(&lines, i, NULL), what);
        }
    free(lines.text);
}

TEST(a_dump_with_a_line_twice_is_refused)
{
    static const char *const kinds[] = {"vouch-dump", "header", "string", "node", "edge", "seen"};
    struct lines lines;
    lines_of(&lines, dump_to(folder_file("model"), "dump"));
    for (size_t k = 0; k < sizeof kinds / sizeof *kinds; k++) {
        size_t i = line_that_begins(&lines, kinds[k]);
        char *twice = malloc(2 * strlen(lines.line[i]) + 2);
        sprintf(twice, "%s\n%s", lines.line[i], lines.line[i]);
        expect_load_error(put_lines(&lines, i, twice), kinds[k]);
        free(twice);
    }
    free(lines.text);
}

TEST(a_dump_cut_off_anywhere_is_refused)
{
    char *text = folder_get(dump_to(folder_file("model"), "dump"));
    size_t length = strlen(text);
    for (size_t cut = 0; cut < length - 1; cut += cut < 3000 || cut > length - 300 ? 1 : 37) {
        char what[60];
        snprintf(what, sizeof what, "cut off after %zu bytes", cut);
        const char *path = folder_put_bytes("cut", text, cut);
        if (cut > 0)
            expect_load_error(path, what);
        else
            assert_false(load_to(path, folder_file("unwanted")));
    }
    free(text);
}

/* A line replaced, and the number of the line at fault. */
TEST(a_dump_with_a_wrong_number_is_refused_where_it_stands)
{
    static const struct {
        const char *kind, *replacement;
    } wrong[] = {
        {"vouch-dump", "vouch-dump\t3"},
        {"vouch-dump", "vouch"},
        {"header", "header\t{"},
        {"header", "header\t[]"},
        {"header", "header"},
        {"node", "node\t999\t1"},
        {"node", "node\t0\t1\t1"},
        {"node", "node\t0"},
        {"node", "node"},
        {"node", "node\t0\t-1"},
        {"node", "node\t0\t1x"},
        {"node", "node\t0\t99999999999"},
        {"node", "node\t0\t0"},
        {"node", "node\t0\t100000"},
        {"node", "nodes\t0\t1"},
        {"edge", "edge\t7"},
        {"edge", "edge\t0\t1"},
        {"mean.0", "mean.0\t0x1p+0"},
        {"mean.0", "mean.0\t1\t2\t3\t4\t5\t6\t7\t8"},
        {"mean.0", "mean.0\tnan\t0\t0\t0\t0\t0\t0"},
        {"mean.0", "mean.0\t0\tinf\t0\t0\t0\t0\t0"},
        {"mean.0", "mean.0\t0\t1e99\t0\t0\t0\t0\t0"},
        {"mean.0", "mean.0\t0\t0\t0\tx\t0\t0\t0"},
        {"mean.0", "mean.0\t0\t0\t\t0\t0\t0\t0"},
        {"mean.0", "mean.2\t0\t0\t0\t0\t0\t0\t0"},
        {"mean.0", "mean.x\t0\t0\t0\t0\t0\t0\t0"},
        {"var.0", "var.1\t0\t0\t0\t0\t0\t0\t0"},
        {"var.0", "var.9\t0\t0\t0\t0\t0\t0\t0"},
        {"seen", "seen"},
        {"seen", "seen\t123"},
        {"seen", "seen\t00000000000000000"},
        {"seen", "seen\t000000000000000G"},
        {"seen", "seen\t0000000000000001\t"},
        {"end", "fin"},
    };
    struct lines lines;
    lines_of(&lines, dump_to(folder_file("model"), "dump"));
    for (size_t w = 0; w < sizeof wrong / sizeof *wrong; w++) {
        size_t i = line_that_begins(&lines, wrong[w].kind);
        char place[600];
        const char *path = put_lines(&lines, i, wrong[w].replacement);
        expect_load_error(path, wrong[w].replacement);
        snprintf(place, sizeof place, "%s:%zu: ", path, i + 1);
        if (!begins(err.message, place))
            fail_msg("'%s': expected an error at line %zu, got '%s'", wrong[w].replacement, i + 1, err.message);
    }
    free(lines.text);
}

/* The header promises counts, labels and voices; each promise broken. */
TEST(a_dump_whose_header_lies_is_refused)
{
    static const struct {
        const char *what;
        bool layer;              /* the key is one of the layer */
        const char *key, *value; /* JSON */
    } lies[] = {
        {"fewer features than counted", true, "nodes", "100000"},
        {"more features than counted", true, "nodes", "3"},
        {"fewer strings than counted", false, "strings", "100000"},
        {"more strings than counted", false, "strings", "3"},
        {"a negative count", true, "nodes", "-1"},
        {"a huge count", true, "edges", "99999999999"},
        {"no labels", false, "labels", "[]"},
        {"no voices", true, "voices", "[]"},
        {"too many voices", true, "voices", "[1,2,3,4,5,6,7,8,9]"},
        {"too wide a layer", true, "width", "8"},
        {"no layers", false, "layers", "[]"},
        {"too many layers", false, "layers", "[{},{},{}]"},
        {"layers of something else", false, "layers", "[1]"},
        {"no task", false, "task", "null"},
        {"no template", false, "template", "null"},
        {"fewer sentences seen than counted", false, "seen", "100000"},
        {"more sentences seen than counted", false, "seen", "3"},
    };
    struct lines lines;
    lines_of(&lines, dump_to(folder_file("model"), "dump"));
    size_t at = line_that_begins(&lines, "header\t");
    for (size_t i = 0; i < sizeof lies / sizeof *lies; i++) {
        json_t *header = json_loads(lines.line[at] + 7, 0, NULL);
        json_t *value = json_loads(lies[i].value, JSON_DECODE_ANY, NULL);
        assert_true(header && value);
        json_t *inside = lies[i].layer ? json_array_get(json_object_get(header, "layers"), 0) : header;
        assert_true(json_object_get(inside, lies[i].key) != NULL);
        assert_int_equal(json_object_set_new(inside, lies[i].key, value), 0);
        char *text = json_dumps(header, JSON_COMPACT), *line = malloc(strlen(text) + 8);
        sprintf(line, "header\t%s", text);
        expect_load_error(put_lines(&lines, at, line), lies[i].what);
        free(line);
        free(text);
        json_decref(header);
    }
    free(lines.text);
}

TEST(what_is_no_dump_is_refused)
{
    expect_load_error(folder_put("other", "Ada NNP B-PER\n"), "a corpus");
    assert_false(load_to(folder_file("model"), folder_file("unwanted")));
    assert_false(load_to(folder_file("absent"), folder_file("unwanted")));
    assert_int_equal(err.status, VOUCH_ERR_IO);
}
