/*
 * Tests a small parser: learned from a file, written, opened, used, dumped,
 * loaded, and damaged in every place.
 */
#include "base/random.h"
#include "learn/learn.h"
#include "model/model.h"
#include "train/corpus.h"
#include "tree/tree.h"

#include "answer/predictor.h"

#include "tiny.h"

#include "damaged_model.h"

static const char treebank[] = "# a comment\n"
                               "1\tAda\tAda\tPROPN\tNNP\tNumber=Sing\t2\tnsubj\t_\t_\n"
                               "2\tsaw\tsee\tVERB\tVBD\tTense=Past\t0\troot\t_\t_\n"
                               "3\tthe\tthe\tDET\tDT\t_\t5\tdet\t_\t_\n"
                               "4\told\told\tADJ\tJJ\tDegree=Pos\t5\tamod\t_\t_\n"
                               "5\tbridge\tbridge\tNOUN\tNN\tNumber=Sing\t2\tobj\t_\t_\n"
                               "6\t.\t.\tPUNCT\t.\t_\t2\tpunct\t_\t_\n\n"
                               "1-2\tdu\t_\t_\t_\t_\t_\t_\t_\t_\n"
                               "1\tde\tde\tADP\tIN\t_\t3\tcase\t_\t_\n"
                               "2\tle\tle\tDET\tDT\t_\t3\tdet\t_\t_\n"
                               "3\tpont\tpont\tNOUN\tNN\tNumber=Sing\t0\troot\t_\t_\n"
                               "3.1\tvide\t_\t_\t_\t_\t_\t_\t_\t_\n\n"
                               "1\tLeft\tleave\tVERB\tVBD\tTense=Past\t0\troot\t_\t_\n\n"
                               "1\tthe\tthe\tDET\tDT\t_\t2\tdet\t_\t_\n"
                               "2\tbridge\tbridge\tNOUN\tNN\tNumber=Sing\t3\tnsubj\t_\t_\n"
                               "3\tfell\tfall\tVERB\tVBD\tTense=Past\t0\troot\t_\t_\n"
                               "4\tin\tin\tADP\tIN\t_\t5\tcase\t_\t_\n"
                               "5\tŁódź\tŁódź\tPROPN\tNNP\tNumber=Sing\t3\tobl\t_\t_\n"
                               "6\t.\t.\tPUNCT\t.\t_\t3\tpunct\t_\t_\n\n";

static const char two_roots[] = "1\tyes\tyes\tINTJ\tUH\t_\t0\troot\t_\t_\n"
                                "2\tno\tno\tINTJ\tUH\t_\t0\troot\t_\t_\n\n";

enum { SENTENCES = 4, LONGEST = 6, RELATIONS = 8 };

/* What to build. */
struct recipe {
    bool unlabelled;
    uint32_t arc_bits, relation_bits;
    const char *voices[3]; /* names of learners, then NULL */
    const char *first;     /* name of the learner of a first stage; NULL: there is none */
};

static const struct recipe usual = {false, 8, 5, {"cw", "crf"}};

static void write_parser(const struct corpus *corpus, const struct model_layer *layer, uint32_t layers,
                         const struct model_layer *first, const char *path)
{
    struct model_content content = {.header = json_pack("{s:s}", "program", "test"),
                                    .task = "dep",
                                    .labels = &corpus->labels,
                                    .layer = layer,
                                    .layers = layers,
                                    .first = first->voices ? first : NULL,
                                    .seen = &corpus->seen};
    struct output *out = output_open(path, &err);
    assert_true(content.header && out);
    assert_true(model_write(out, &content, &err));
    assert_true(output_commit(out, &err));
    json_decref(content.header);
}

/* Builds a parser and returns its path. */
static const char *build(const struct recipe *recipe, const char *name)
{
    char *paths[] = {strdup(folder_put("treebank", treebank))};
    const char *path = folder_file(name);
    struct corpus_plan plan = {.unlabelled = recipe->unlabelled,
                               .arc_bits = recipe->arc_bits,
                               .relation_bits = recipe->relation_bits,
                               .reading = {.trees = true}};
    struct corpus corpus;
    if (!corpus_read(&corpus, &plan, paths, 1, NULL, &err))
        fail_msg("%s", err.message);
    struct dataset dataset = corpus.dataset;
    struct model_layer layer[MAX_MODEL_LAYERS] = {0};
    for (uint32_t l = 0; l < dataset.layers; l++) {
        snprintf(layer[l].name, sizeof layer[l].name, "%s", dataset.layer[l].name);
        layer[l].space = dataset.layer[l].examples.space;
        for (; recipe->voices[layer[l].voices]; layer[l].voices++)
            layer[l].voice[layer[l].voices] =
                learn_voice(&dataset.layer[l].examples, recipe->voices[layer[l].voices], 15);
    }
    struct model_layer first = {.name = "first", .space = layer[0].space, .voices = recipe->first != NULL};
    if (recipe->first)
        first.voice[0] = learn_voice(&dataset.layer[0].examples, recipe->first, 3);
    write_parser(&corpus, layer, dataset.layers, &first, path);
    free_voices(&first);
    for (uint32_t l = 0; l < dataset.layers; l++)
        free_voices(&layer[l]);
    corpus_release(&corpus);
    free(paths[0]);
    return path;
}

FIXTURE(build_usual)
{
    return folder_make(state) == 0 ? take_image(build(&usual, "parser")) : -1;
}

FILE_FIXTURE(build_usual, drop_image);

/* What a sentence is told to be: each tree must be legal, whatever the model. */
static bool parse_all(const vouch_model *model, uint32_t *right_heads, uint32_t *right_relations)
{
    struct predictor *predictor = predictor_new(&(struct vouch_request){.model = model}, &err);
    struct vouch_answer prediction = {0};
    struct reader_options options = {.trees = true};
    struct reader *reader = reader_open(folder_file("treebank"), &options, &err);
    struct sentence sentence = {0};
    struct scratch scratch = {0};
    assert_true(predictor && reader);
    bool ok = true;
    while (ok && reader_next(reader, &sentence, &err) == READ_SENTENCE) {
        uint32_t N = sentence.N;
        ok = predictor_answer(predictor, &sentence, &prediction, &err);
        const uint32_t *head = prediction.head;
        const struct text *relation = prediction.label;
        if (ok && (!scratch_reserve(&scratch, (N + 1) * sizeof(uint32_t), &err) ||
                   !tree_is_legal(head, N, (uint32_t *)(void *)scratch.bytes)))
            fail_msg("a tree of %u words is none", N);
        for (uint32_t i = 0; ok && i < N; i++) {
            *right_heads += head[i] == sentence.head[i];
            if (relation) {
                assert_true(relation[i].length < 100);
                *right_relations += text_equal(relation[i], sentence.gold[i]);
            }
        }
    }
    scratch_release(&scratch);
    sentence_release(&sentence);
    reader_close(reader);
    answer_release(&prediction);
    predictor_free(predictor);
    return ok;
}

enum { WORDS = 6 + 3 + 1 + 6 };

static void expect_learned(const char *path, bool labelled)
{
    uint32_t heads = 0, relations = 0;
    vouch_model *model = must_open(path);
    assert_true(parse_all(model, &heads, &relations));
    assert_int_equal(heads, WORDS);
    assert_int_equal(relations, labelled ? WORDS : 0);
    vouch_model_close(model);
}

/* Using a parser. */

TEST(a_parser_finds_the_trees_that_it_has_learned)
{
    expect_learned(folder_file("parser"), true);
}

TEST(every_learner_makes_a_parser)
{
    for (const struct learner *const *learner = learners; *learner; learner++) {
        struct recipe recipe = {false, 12, 10, {(*learner)->name}};
        expect_learned(build(&recipe, "alone"), true);
    }
}

TEST(a_parser_need_not_know_relations)
{
    struct recipe recipe = usual;
    recipe.unlabelled = true;
    expect_learned(build(&recipe, "heads"), false);
    vouch_model *model = must_open(folder_file("heads"));
    assert_int_equal(model->layers, 1);
    vouch_model_close(model);
}

TEST(a_parser_says_what_it_is)
{
    vouch_model *model = must_open(folder_file("parser"));
    assert_string_equal(vouch_model_task(model), "dep");
    assert_true(model->trees);
    assert_int_equal(vouch_model_label_count(model), RELATIONS);
    assert_string_equal(vouch_model_label_name(model, 0), "nsubj");
    assert_int_equal(model->layers, 2);
    assert_string_equal(model->layer[0].name, "arc");
    assert_string_equal(model->layer[1].name, "relation");
    assert_int_equal(model->layer[0].space.width, 1);
    assert_int_equal(model->layer[0].space.nodes, 1 << 8);
    assert_int_equal(model->layer[1].space.width, RELATIONS);
    assert_int_equal(model->layer[1].space.nodes, 1 << 5);
    assert_int_equal(model->bits[0], 8);
    assert_int_equal(model->bits[1], 5);
    for (int l = 0; l < 2; l++) {
        assert_int_equal(model->layer[l].voices, 2);
        assert_non_null(model->layer[l].voice[0].var);
        assert_null(model->layer[l].voice[1].var);
    }
    assert_int_equal(vouch_model_verify(model, &err), VOUCH_OK);
    vouch_model_close(model);
}

TEST(the_same_treebank_and_seed_give_the_same_file)
{
    size_t size;
    unsigned char *again = folder_get_bytes(build(&usual, "again"), &size);
    assert_int_equal(size, image_size);
    assert_memory_equal(again, image, size);
    free(again);
}

static uint32_t roots(const struct arc_set *set, uint32_t sentence)
{
    const struct arc_item *item = &set->item[sentence];
    uint32_t count = 0;
    for (uint32_t i = 0; i < item->N; i++)
        count += set->head[item->first + i] == 0;
    return count;
}

TEST(sentences_with_several_roots_are_counted_and_skipped_kept_or_attached)
{
    char *paths[] = {strdup(folder_put("treebank", treebank)), strdup(folder_put("two", two_roots))};
    for (int what = MULTI_ROOT_SKIP; what <= MULTI_ROOT_ATTACH; what++) {
        struct corpus_plan plan = {
            .multi_root = (enum multi_root)what, .arc_bits = 8, .relation_bits = 5, .reading = {.trees = true}};
        struct corpus corpus;
        assert_true(corpus_read(&corpus, &plan, paths, 2, NULL, &err));
        assert_int_equal(corpus.multi_root, 1);
        assert_int_equal(corpus.arcs.count, SENTENCES + (what != MULTI_ROOT_SKIP));
        if (what != MULTI_ROOT_SKIP)
            assert_int_equal(roots(&corpus.arcs, SENTENCES), what == MULTI_ROOT_KEEP ? 2 : 1);
        assert_true(corpus_read_dev(&corpus, &plan, paths[1], &err));
        assert_int_equal(roots(&corpus.dev_arcs, 0), 2);
        assert_int_equal(corpus.dev_arcs.count, 1); /* to be measured on, it need not be learned */
        assert_int_equal(corpus.multi_root, 1);
        corpus_release(&corpus);
    }
    struct corpus_plan plan = {.arc_bits = 8, .relation_bits = 5, .reading = {.trees = true}};
    struct corpus corpus;
    assert_false(corpus_read(&corpus, &plan, paths + 1, 1, NULL, &err));
    assert_non_null(strstr(err.message, "one root"));
    corpus_release(&corpus);
    free(paths[0]);
    free(paths[1]);
}

TEST(a_dataset_measures_heads_and_relations)
{
    char *paths[] = {strdup(folder_put("treebank", treebank))};
    struct corpus_plan plan = {.arc_bits = 12, .relation_bits = 10, .reading = {.trees = true}};
    struct corpus corpus;
    assert_true(corpus_read(&corpus, &plan, paths, 1, NULL, &err));
    assert_true(corpus_read_dev(&corpus, &plan, paths[0], &err));
    struct dataset dataset = corpus.dataset;
    assert_int_equal(dataset.layers, 2);
    for (uint32_t l = 0; l < 2; l++) {
        static const uint32_t some[] = {2, 3};
        struct layer_score score;
        struct model_voice voice = learn_voice(&dataset.layer[l].examples, "perceptron", 15);
        assert_true(
            dataset.measure(dataset.self, &(struct test_set){.layer = l, .dev = true}, voice.mean, &score, &err));
        assert_true(score.figure == 100 && score.accuracy == 100 && !score.chunks);
        assert_true(dataset.measure(dataset.self, &(struct test_set){.layer = l, .subset = {some, 2}}, voice.mean,
                                    &score, &err));
        assert_true(score.figure == 100);
        float *none = calloc(space_size(&dataset.layer[l].examples.space) + SLACK, sizeof *none);
        assert_true(
            dataset.measure(dataset.self, &(struct test_set){.layer = l, .subset = {some, 2}}, none, &score, &err));
        assert_true(score.figure < 100);
        free(none);
        free((float *)(uintptr_t)voice.mean);
    }
    corpus_release(&corpus);
    free(paths[0]);
}

/* A model for one task is none for another, and says so. */
/* A predictor answers by the kind of its model. A mark between documents has no labels, for either kind. */
static void answer_one_word(const vouch_model *model, bool trees)
{
    uint32_t first[] = {0, 10};
    struct text cell[10] = {text_of("Ada"), text_of("Ada")};
    for (int i = 2; i < 10; i++)
        cell[i] = text_of("_");
    struct sentence sentence = {.N = 1, .first = first, .cell = cell, .tree = trees, .form = trees};
    struct vouch_answer prediction = {0};
    struct predictor *predictor = predictor_new(&(struct vouch_request){.model = model}, &err);
    assert_non_null(predictor);
    assert_int_equal(model->trees, trees);
    assert_int_equal(task_named(model->task)->trees, trees);
    assert_true(predictor_answer(predictor, &sentence, &prediction, &err));
    assert_int_equal(prediction.head != NULL, trees);
    assert_non_null(prediction.label);
    assert_null(prediction.confidences);
    if (trees)
        assert_int_equal(prediction.head[0], 0);
    sentence.boundary = true;
    assert_true(predictor_answer(predictor, &sentence, &prediction, &err));
    assert_null(prediction.label);
    answer_release(&prediction);
    predictor_free(predictor);
    predictor_free(NULL);
}

TEST(a_tagger_is_no_parser_and_a_parser_no_tagger)
{
    static const char *const cells[] = {"Ada"};
    const char *labels[1] = {"untouched"};
    struct corpus corpus;
    struct tiny_voice voice;
    assert_true(tiny_read(&corpus, folder_put("corpus", TINY_CORPUS), &err));
    assert_true(tiny_learn(&corpus, &perceptron, &voice, &err));
    assert_true(tiny_save(&corpus, &voice, folder_file("tagger"), &err));
    tiny_forget(&voice);
    corpus_release(&corpus);

    vouch_model *model = must_open(folder_file("tagger"));
    answer_one_word(model, false);
    vouch_model_close(model);

    model = must_open(folder_file("parser"));
    answer_one_word(model, true);
    assert_int_equal(vouch_model_label(model, cells, 1, 1, labels, NULL, &err), VOUCH_ERR_ARGUMENT);
    assert_non_null(strstr(err.message, "parser: expected a model that labels, found one that parses"));
    assert_int_equal(vouch_model_label(model, cells, 1, 1, labels, NULL, NULL), VOUCH_ERR_ARGUMENT);
    assert_string_equal(labels[0], "untouched");
    vouch_model_close(model);
}

TEST(what_is_no_tree_is_not_parsed)
{
    uint32_t first[] = {0, 1};
    struct text cell = text_of("Ada");
    struct vouch_answer prediction = {0};
    struct sentence sentence = {.N = 1, .first = first, .cell = &cell};
    vouch_model *model = must_open(folder_file("parser"));
    struct predictor *predictor = predictor_new(&(struct vouch_request){.model = model}, &err);
    assert_false(predictor_answer(predictor, &sentence, &prediction, &err));
    assert_int_equal(err.status, VOUCH_ERR_FORMAT);
    answer_release(&prediction);
    predictor_free(predictor);
    vouch_model_close(model);
}

/* Damage. */

/* Opens the file at `path` and calls everything that can be called; true if it opened. */
static bool try_everything(const char *path)
{
    uint32_t heads = 0, relations = 0;
    vouch_model *model = open_damaged(path);
    if (!model)
        return false;
    if (model->trees)
        parse_all(model, &heads, &relations);
    ask_damaged(model);
    struct output *out = output_open("/dev/null", &err);
    assert_non_null(out);
    assert_true(model_dump(model, out, &err));
    output_discard(out);
    vouch_model_close(model);
    return true;
}

TESTS_OF_DAMAGE(try_everything)

/* Dump and load. */

TEST(dump_and_load_give_the_same_bytes)
{
    expect_round_trip(build(&usual, "built"), "the usual parser");
    for (const struct learner *const *learner = learners; *learner; learner++) {
        struct recipe recipe = {false, 12, 10, {(*learner)->name}};
        expect_round_trip(build(&recipe, "built"), (*learner)->name);
        recipe.unlabelled = true;
        expect_round_trip(build(&recipe, "built"), "heads alone");
        recipe.first = (*learner)->name;
        expect_round_trip(build(&recipe, "built"), "a first stage");
    }
}

/* Replaces the first line that begins with `kind` (NULL: the whole text is `replacement`) and loads the result. */
static bool load_changed(const char *kind, const char *replacement)
{
    char *text = folder_get(dump_to(folder_file("parser"), "dump"));
    const char *at = strstr(text, kind), *end = at ? strchr(at + 1, '\n') : NULL;
    FILE *file = fopen(folder_file("damaged"), "w");
    assert_true(end && file);
    fprintf(file, "%.*s%s%s", (int)(at - text) + 1, text, replacement, end);
    fclose(file);
    free(text);
    return load_to(folder_file("damaged"), folder_file("unwanted"));
}

TEST(a_dump_with_a_wrong_block_is_refused_where_it_stands)
{
    static const struct {
        const char *kind, *replacement;
    } wrong[] = {
        {"\nblock\t0", "block\t2\t1"},
        {"\nblock\t0", "block\t0\t256"},
        {"\nblock\t1", "block\t1\t32"},
        {"\nblock\t0", "block\t0"},
        {"\nblock\t0", "block"},
        {"\nblock\t0", "block\t0\t1\t1"},
        {"\nblock\t0", "block\t0\t-1"},
        {"\nblock\t0", "block\t0\t99999999999"},
        {"\nblock\t0", "block\tx\t1"},
        {"\nmean.0", "mean.0"},
        {"\nmean.0", "mean.0\t1\t2"},
        {"\nmean.0", "mean.0\tnan"},
        {"\nmean.0", "mean.2\t0x1p+0"},
        {"\nvar.0", "var.1\t0x1p+0"},
        {"\nend", "fin"},
    };
    for (size_t i = 0; i < sizeof wrong / sizeof *wrong; i++) {
        unsigned long long line = 0;
        char place[600];
        if (load_changed(wrong[i].kind, wrong[i].replacement))
            fail_msg("'%s' was loaded as if nothing were wrong", wrong[i].replacement);
        assert_int_equal(err.status, VOUCH_ERR_FORMAT);
        snprintf(place, sizeof place, "%s:%%llu: expected", folder_file("damaged"));
        if (sscanf(err.message, place, &line) != 1 || line < 3)
            fail_msg("'%s': %s", wrong[i].replacement, err.message);
    }
}

/* Some lies come to light only when the model is opened. */
TEST(a_dump_whose_header_lies_is_refused)
{
    static const struct {
        const char *what;
        int layer; /* whose key it is; -1: the header's own */
        const char *key, *value;
    } lies[] = {
        {"no relations", -1, "labels", "[]"},
        {"fewer relations than the layer is wide", -1, "labels", "[\"a\", \"b\"]"},
        {"no layers", -1, "layers", "[]"},
        {"another task", -1, "task", "\"ner\""},
        {"no task", -1, "task", "null"},
        {"arcs of two weights", 0, "width", "2"},
        {"a table that is no power of two", 0, "nodes", "255"},
        {"a negative table", 0, "nodes", "-1"},
        {"edges", 0, "edges", "1"},
        {"a wider layer of relations", 1, "width", "9"},
        {"an odd table of relations", 1, "nodes", "33"},
        {"no voices", 1, "voices", "[]"},
    };
    char *text = folder_get(dump_to(folder_file("parser"), "dump"));
    char *at = strstr(text, "\nheader\t") + 8, *end = strchr(at, '\n');
    char *line = strndup(at, (size_t)(end - at));
    for (size_t i = 0; i < sizeof lies / sizeof *lies; i++) {
        json_t *header = json_loads(line, 0, NULL), *value = json_loads(lies[i].value, JSON_DECODE_ANY, NULL);
        assert_true(header && value);
        json_t *inside =
            lies[i].layer < 0 ? header : json_array_get(json_object_get(header, "layers"), (size_t)lies[i].layer);
        assert_true(json_object_get(inside, lies[i].key) != NULL);
        assert_int_equal(json_object_set_new(inside, lies[i].key, value), 0);
        char *changed = json_dumps(header, JSON_COMPACT), *replacement = malloc(strlen(changed) + 8);
        sprintf(replacement, "header\t%s", changed);
        if (load_changed("\nheader", replacement)) {
            vouch_model *model = vouch_model_open(folder_file("unwanted"), &err);
            if (model)
                fail_msg("%s: loaded and opened as if nothing were wrong", lies[i].what);
        }
        assert_int_equal(err.status, VOUCH_ERR_FORMAT);
        free(replacement);
        free(changed);
        json_decref(header);
    }
    free(line);
    free(text);
}
