/* Tests files of another program's scores: the scores of a model of ours, read from files, get the model's answers. */
#include "answer/predictor.h"
#include "scores/score_files.h"
#include "tree/tree.h"

#include "folder.h"
#include "small_models.h"

#include "array_bytes.h"
#include "must.h"
#include "test.h"

enum { MOST_NUMBERS = 2000, MOST_WORDS = 8, SENTENCES = 5 };

static vouch_model *must_open(const char *path)
{
    vouch_model *model = vouch_model_open(path, &err);
    MUST(model);
    return model;
}

/* The scores of all sentences of a model's corpus. */
struct exported {
    float node[MOST_NUMBERS]; /* packed, [T][Y], or arcs [n][n] of every sentence, heads first */
    size_t numbers;
    float edge[100];
    uint32_t N[SENTENCES], sentences, Y;
};

static void take_chain(struct exported *to, const struct scores *scores)
{
    size_t Y = scores->width;
    assert_true(scores->E <= 1 && Y * Y <= 100 && to->numbers + scores->N * Y <= MOST_NUMBERS);
    memcpy(to->node + to->numbers, scores->node, sizeof *to->node * scores->N * Y);
    to->numbers += scores->N * Y;
    if (scores->E)
        memcpy(to->edge, scores->edge, sizeof *to->edge * Y * Y);
    to->Y = (uint32_t)Y;
}

static void take_tree(struct exported *to, const struct scores *scores)
{
    uint32_t N = scores->N, nodes = N + 1;
    float *arc = to->node + to->numbers;
    assert_true(to->numbers + nodes * nodes <= MOST_NUMBERS);
    memset(arc, 0, sizeof *arc * nodes * nodes);
    for (uint32_t h = 0; h <= N; h++)
        for (uint32_t m = 1; m <= N; m++)
            if (h != m)
                arc[h * nodes + m] = scores->node[tree_group(N, m - 1, h)];
    to->numbers += nodes * nodes;
}

static void encode(const vouch_model *model, struct encoder *encoder, const struct sentence *sentence,
                   struct exported *to)
{
    struct scratch scratch = {0};
    struct scores scores = {0};
    struct arc_word word[MOST_WORDS];
    struct parts parts;
    if (model->trees) {
        arc_observe(sentence, word);
        MUST(arc_parts(word, sentence->N, model->bits[0], &scratch, &parts, &err));
    } else
        MUST(encoder_run(encoder, sentence, &parts, &err));
    MUST(parts_score(&parts, &model->layer[0].space, model->layer[0].voice[0].mean, &scores, &err));
    (model->trees ? take_tree : take_chain)(to, &scores);
    to->N[to->sentences++] = sentence->N;
    scores_release(&scores);
    scratch_release(&scratch);
}

static struct exported export_scores(const vouch_model *model)
{
    struct exported to = {.numbers = 0};
    struct reader_options options = {.format = model->trees ? FORMAT_CONLLU : FORMAT_CONLL, .trees = model->trees};
    struct reader *reader = reader_open(folder_file(model->trees ? "trees" : "tags"), &options, &err);
    struct encoder *encoder = model->trees ? NULL : encoder_new(&model->templates, &model->vocabulary, &err);
    struct sentence sentence = {0};
    MUST(reader && (model->trees || encoder));
    while (reader_next(reader, &sentence, &err) == READ_SENTENCE)
        encode(model, encoder, &sentence, &to);
    sentence_release(&sentence);
    encoder_free(encoder);
    reader_close(reader);
    return to;
}

static const char *put_array(const char *name, const char *descr, const char *shape, const void *data, size_t size)
{
    struct image image = npy_of(descr, shape, data, size);
    return folder_put_bytes(name, image.bytes, image.size);
}

static const char *put_floats(const char *name, const char *shape, const float *numbers, size_t count)
{
    return put_array(name, "<f4", shape, numbers, sizeof *numbers * count);
}

/* A model without weights, and its scores. */
struct judged {
    vouch_model *model;
    struct score_files *files;
};

static void judged_free(struct judged judge)
{
    score_files_free(judge.files);
    vouch_model_close(judge.model);
}

/* Makes a model without weights for the labels of a model, or for trees, that reads the files. */
static struct judged judge_of(const vouch_model *model, struct score_layout layout, const struct score_values *paths)
{
    const char *name[20];
    size_t Y = vouch_model_label_count(model);
    layout.trees = model->trees;
    layout.labels = model->trees ? 0 : (uint32_t)Y;
    struct score_files *files = score_files_open(&layout, paths, &err);
    MUST(files);
    struct vouch_judge_options options = {.size = sizeof options, .sets = files->sets};
    for (size_t y = 0; y < Y; y++)
        name[y] = vouch_model_label_name(model, y);
    vouch_judge *judge = model->trees ? vouch_judge_new_tree(&options, &err) : vouch_judge_new(name, Y, &options, &err);
    MUST(judge);
    vouch_model *made = model_of_scores(vouch_judge_json(judge), "judge", &err);
    MUST(made);
    MUST(score_files_suit(files, made, &err));
    vouch_judge_free(judge);
    return (struct judged){made, files};
}

/* Answers the corpus by both models, and expects the same labels or heads, and the same numbers. */
static void expect_same_answers(const vouch_model *model, struct judged judge, const char *named)
{
    struct estimate_request request = {.methods = named, .raw = true, .words_only = true, .alternatives = 2};
    const vouch_model *of[2] = {model, judge.model};
    struct estimator *estimator[2];
    struct predictor *predictor[2];
    struct vouch_request asked[2];
    struct vouch_answer prediction[2];
    struct reader_options options = {.format = model->trees ? FORMAT_CONLLU : FORMAT_CONLL, .trees = model->trees};
    struct reader *reader = reader_open(folder_file(model->trees ? "trees" : "tags"), &options, &err);
    struct sentence sentence = {0};
    MUST(reader);
    memset(prediction, 0, sizeof prediction);
    for (int i = 0; i < 2; i++) {
        MUST(estimator[i] = estimator_new(of[i], &request, &err));
        asked[i] = (struct vouch_request){.model = of[i], .scores = i ? judge.files : NULL, .estimator = estimator[i]};
        MUST(predictor[i] = predictor_new(&asked[i], &err));
    }
    while (reader_next(reader, &sentence, &err) == READ_SENTENCE) {
        for (int i = 0; i < 2; i++)
            MUST(predictor_answer(predictor[i], &sentence, &prediction[i], &err));
        for (uint32_t n = 0; n < sentence.N; n++) {
            if (model->trees)
                assert_int_equal(prediction[0].head[n], prediction[1].head[n]);
            else
                assert_true(text_equal(prediction[0].label[n], prediction[1].label[n]));
            for (uint32_t j = 0; j < estimator[0]->methods; j++)
                assert_true(prediction[0].confidences->by_method[j].word[n] ==
                            prediction[1].confidences->by_method[j].word[n]);
        }
    }
    struct sentence_place end = reader->place;
    MUST(score_files_end(judge.files, &end, &err));
    for (int i = 0; i < 2; i++) {
        predictor_free(predictor[i]);
        answer_release(&prediction[i]);
        estimator_free(estimator[i]);
    }
    sentence_release(&sentence);
    reader_close(reader);
}

static const char *const likely[] = {"crf", NULL};

TEST_IN_FOLDER(labels_of_a_model_are_its_own)
{
    small_tagger("tagger", likely, NULL);
    vouch_model *model = must_open(folder_file("tagger"));
    struct exported x = export_scores(model);
    char shape[60], square[60];
    snprintf(shape, sizeof shape, "(%zu, %u)", x.numbers / x.Y, x.Y);
    snprintf(square, sizeof square, "(%u, %u)", x.Y, x.Y);
    char *scores = strdup(put_floats("x.npy", shape, x.node, x.numbers));
    char *edges = strdup(put_floats("e.npy", square, x.edge, (size_t)x.Y * x.Y));
    struct score_values settings = {.scores = scores, .transitions = edges};
    struct judged judge = judge_of(model, (struct score_layout){0}, &settings);
    expect_same_answers(model, judge, "gamma,delta,kb,wkb");
    json_t *kept = score_files_edges(judge.files);
    assert_int_equal(json_array_size(kept), x.Y);
    judged_free(judge);

    settings.transitions = NULL; /* a model keeps them */
    judge = judge_of(model, (struct score_layout){.edge = kept}, &settings);
    expect_same_answers(model, judge, "gamma,delta");
    judged_free(judge);
    json_decref(kept);
    vouch_model_close(model);
    free(edges);
    free(scores);
}

/* Writes the arcs padded to [S, L, L], turned around if asked. */
static const char *put_padded(const struct exported *x, bool turned)
{
    static float padded[MOST_NUMBERS];
    size_t L = 0, at = 0;
    char shape[60];
    for (uint32_t i = 0; i < x->sentences; i++)
        L = x->N[i] + 1 > L ? x->N[i] + 1 : L;
    assert_true(x->sentences * L * L <= MOST_NUMBERS);
    for (size_t i = 0; i < MOST_NUMBERS; i++)
        padded[i] = NAN; /* what is not there is not read */
    for (uint32_t i = 0; i < x->sentences; i++) {
        size_t n = x->N[i] + 1;
        for (size_t h = 0; h < n; h++)
            for (size_t m = 0; m < n; m++)
                padded[i * L * L + (turned ? m * L + h : h * L + m)] = x->node[at + h * n + m];
        at += n * n;
    }
    snprintf(shape, sizeof shape, "(%u, %zu, %zu)", x->sentences, L, L);
    return put_floats("padded.npy", shape, padded, x->sentences * L * L);
}

TEST_IN_FOLDER(heads_of_a_model_are_its_own)
{
    small_parser("parser", likely, NULL);
    vouch_model *model = must_open(folder_file("parser"));
    struct exported x = export_scores(model);
    char shape[60];
    snprintf(shape, sizeof shape, "(%zu,)", x.numbers);
    struct score_values packed = {.scores = put_floats("packed.npy", shape, x.node, x.numbers)};
    struct judged judge = judge_of(model, (struct score_layout){0}, &packed);
    expect_same_answers(model, judge, "gamma,delta,kb");
    judged_free(judge);
    for (int turned = 0; turned < 2; turned++) {
        struct score_values padded = {.scores = put_padded(&x, turned)};
        judge = judge_of(model, (struct score_layout){.modifier_first = turned}, &padded);
        expect_same_answers(model, judge, "gamma,delta,kb");
        judged_free(judge);
    }
    vouch_model_close(model);
}

/* Expects that the files are refused with a message that holds `text`, when they are opened or read. */
static void refused(struct score_layout layout, struct score_values settings, uint32_t N, const char *text)
{
    err = (struct vouch_error){0};
    struct score_files *files = score_files_open(&layout, &settings, &err);
    struct score_work work = {0};
    struct vouch_chain_scores chain;
    struct vouch_tree_scores tree;
    struct sentence_place at = {0};
    bool ok = files && (layout.trees ? score_files_tree(files, &at, N, &work, &tree, &err)
                                     : score_files_chain(files, &at, N, &work, &chain, &err));
    if (ok || !strstr(err.message, text))
        fail_msg("expected '%s', found '%s'", text, ok ? "success" : err.message);
    score_work_release(&work);
    score_files_free(files);
}

static const float some[36] = {1, 2, 3, 4, 5, 6, 7, 8, 9, 10, 11, 12};
static const struct score_layout of_labels = {.labels = 3}, of_arcs = {.trees = true};

static struct score_values with(const char *shape, size_t numbers)
{
    return (struct score_values){.scores = put_floats("bad.npy", shape, some, numbers)};
}

TEST_IN_FOLDER(shapes_that_do_not_fit_are_refused)
{
    refused(of_labels, with("(4, 2)", 8), 4, "expected scores of 3 labels in the last dimension, found [4, 2]");
    refused(of_labels, with("(12,)", 12), 4, "expected [T, Y] or [K, T, Y], found [12]");
    refused(of_labels, with("(2, 3)", 6), 3, "sentence 1: expected scores of 3 more words, found those of 2");
    refused(of_labels, with("(0, 2, 3)", 0), 2, "expected 1 to 1024 sets");
    refused((struct score_layout){.labels = 3, .padded = true}, with("(2, 3)", 6), 2, "expected [S, L, Y]");
    refused((struct score_layout){.labels = 3, .padded = true}, with("(1, 2, 3)", 6), 3,
            "expected scores of 3 words, found 2");
    refused(of_arcs, with("(1, 2, 3)", 6), 2, "found [2, 3] with --arcs head-first");
    refused(of_arcs, with("(1, 3, 3)", 9), 3, "expected arcs of 4 nodes, 3 words and the root, found 3");
    refused(of_arcs, with("(5,)", 5), 2, "sentence 1: expected scores of 9 more arcs, found those of 5");
    refused(of_arcs, with("(1, 1, 1, 1, 1)", 1), 1, "or packed arcs [P] or [K, P], found [1, 1, 1, 1, 1]");
    refused((struct score_layout){.trees = true, .padded = true}, with("(9,)", 9), 2,
            "expected [S, L, L] or [K, S, L, L] with --padded, found [9]");
    struct score_values integers = {.scores = put_array("bad.npy", "<i4", "(4, 3)", some, 48)};
    refused(of_labels, integers, 4, "expected floating-point numbers of 2, 4 or 8 bytes, found type '<i4'");
    float nan[] = {1, 2, 3, 4, NAN, 6};
    struct score_values not = {.scores = put_floats("bad.npy", "(2, 3)", nan, 6)};
    refused(of_labels, not, 2, "value [1, 1]: expected a number, found NaN");
}

/* Expects that lengths are taken for lengths of so many sentences. */
static void counted(struct score_layout layout, struct score_values settings, uint64_t sentences)
{
    struct score_files *files = score_files_open(&layout, &settings, &err);
    uint64_t count = 0;
    MUST(files);
    MUST(score_files_count(files, &count, &err));
    assert_int_equal(count, sentences);
    score_files_free(files);
}

/* The numbers 0 and 1 are two lengths, or the offsets of one word: (0 + 1)^2 + (1 + 1)^2 arcs, or (1 + 1)^2. */
TEST_IN_FOLDER(lengths_of_arcs_are_told_from_offsets)
{
    static const int32_t numbers[] = {0, 1}, three[] = {3};
    struct score_values s = with("(5,)", 5);
    s.offsets = put_array("o.npy", "<i4", "(2,)", numbers, sizeof numbers);
    counted(of_arcs, s, 2);
    s = with("(4,)", 4);
    s.offsets = put_array("o.npy", "<i4", "(2,)", numbers, sizeof numbers);
    counted(of_arcs, s, 1);
    s = with("(6,)", 6);
    s.offsets = put_array("o.npy", "<i4", "(2,)", numbers, sizeof numbers);
    refused(of_arcs, s, 1, "expected sentences of 6 arcs in all");
    s = with("(1, 3, 3)", 9);
    s.offsets = put_array("o.npy", "<i4", "(1,)", three, sizeof three);
    refused(of_arcs, s, 3, "sentence 1: expected at most 2 words, found 3");
    s = with("(1, 3, 2)", 6);
    s.offsets = put_array("o.npy", "<i4", "(1,)", three, sizeof three);
    refused(of_arcs, s, 3, "sentence 1: expected at most 2 words, found 3");
}

TEST_IN_FOLDER(offsets_and_transitions_are_checked)
{
    static const int32_t rising[] = {0, 2, 4}, falling[] = {0, 3, 2}, lengths[] = {1, 1}, negative[] = {5, -1};
    struct score_values s = with("(4, 3)", 12);
    s.offsets = put_array("o.npy", "<i4", "(3,)", rising, sizeof rising);
    refused(of_labels, s, 3, "sentence 1: expected scores of 3 words, found 2");
    s = with("(4, 3)", 12); /* paths are kept for four calls */
    s.offsets = put_array("o.npy", "<i4", "(3,)", falling, sizeof falling);
    refused(of_labels, s, 3, "expected sentences of 4 words in all");
    s.offsets = put_array("o.npy", "<i4", "(2,)", lengths, sizeof lengths);
    refused(of_labels, s, 1, "found 2");
    s = with("(4, 3)", 12);
    s.offsets = put_array("o.npy", "<i4", "(2,)", negative, sizeof negative);
    refused(of_labels, s, 1, "expected a length from 0 to 4294967294, found -1");
    s.offsets = put_floats("o.npy", "(2,)", some, 2);
    refused(of_labels, s, 1, "expected integers, found type '<f4'");
    s = with("(4, 3)", 12);
    s.transitions = put_floats("t.npy", "(2, 2)", some, 4);
    refused(of_labels, s, 4, "expected transitions [Y, Y] of 3 labels");
    s.transitions = put_floats("t.npy", "(2, 3, 3)", some, 18);
    refused(of_labels, s, 4, "expected transitions of 4 words or more, found 2");
}

static struct score_values lines(const char *text)
{
    return (struct score_values){.scores = folder_put("bad.jsonl", text)};
}

TEST_IN_FOLDER(lines_are_checked)
{
    refused(of_labels, lines("{\"scores\": [[1, 2, 3], [4, 5]]}\n"), 2,
            "bad.jsonl:1: \"scores\": expected arrays of 3");
    refused(of_labels, lines("\n{\"scores\": [[1, 2, true]]}\n"), 1,
            "bad.jsonl:2: \"scores\": expected a number, or null");
    refused(of_labels, lines("{\"scores\": [[1, 2, 1e300]]}\n"), 1, "within the range of float32");
    refused(of_labels, lines("{\"scores\": [[1, 2, NaN]]}\n"), 1, "expected a JSON object");
    refused(of_labels, lines("{\"score\": [[1, 2, 3]]}\n"), 1, "under the key \"scores\", found nothing");
    refused(of_labels, lines("{\"scores\": [[1, 2, 3]]}\n"), 2, "expected scores of 2 words, found 1");
    refused(of_labels, lines("{\"scores\": [[1, 2]]}\n"), 1, "expected scores of 3 labels, found 2");
    refused(of_labels, lines("{\"scores\": [[1, 2, 3]], \"transitions\": [[1]]}\n"), 1, "expected transitions [Y][Y]");
    struct score_values s = lines("{\"scores\": [[1, 2, 3]]}\n");
    s.offsets = "o.npy";
    refused(of_labels, s, 1, "a line of JSON lines is a sentence");
}

/* A zip archive without entries, and safetensors without tensors. */
TEST_IN_FOLDER(files_without_arrays_are_refused)
{
    static const char zip[22] = "PK\5\6", tensors[] = "\2\0\0\0\0\0\0\0{}";
    struct score_values s = {.scores = folder_put_bytes("empty.npz", zip, sizeof zip)};
    refused(of_labels, s, 3, "empty.npz: expected arrays of scores, found none");
    refused(of_arcs, s, 3, "empty.npz: expected arrays of scores, found none");
    s.scores = folder_put_bytes("empty.safetensors", tensors, sizeof tensors - 1);
    refused(of_labels, s, 3, "empty.safetensors: expected arrays of scores, found none");
}

/* Log-probabilities of heads, of three words, in columns. */
TEST_IN_FOLDER(the_other_order_is_noticed)
{
    float arc[16], turned[16], rootless[16];
    for (int h = 0; h < 4; h++)
        for (int m = 0; m < 4; m++) {
            arc[4 * h + m] = h == m ? -INFINITY : (float)log(h == 0 ? 0.5 : 0.25);
            rootless[4 * h + m] = h == m || h == 0 ? -1e9f : (float)(h - m);
        }
    for (int i = 0; i < 16; i++)
        turned[i] = arc[i % 4 * 4 + i / 4];
    struct score_values s = {.scores = put_floats("arcs.npy", "(1, 4, 4)", turned, 16)};
    refused(of_arcs, s, 3, "expected --arcs modifier-first, in which the probabilities of a word's heads add up to 1");
    s.scores = put_floats("arcs.npy", "(1, 4, 4)", rootless, 16);
    refused(of_arcs, s, 3, "expected --arcs modifier-first, in which the root can be a head");
}

/* Judges the two sentences of the files through vouch.h; the second word of the first is B-X. */
static void expect_answers(vouch_scores *scores, const vouch_judge *judge)
{
    vouch_judge_worker *worker = vouch_judge_worker_new(judge, &err);
    struct vouch_chain_scores chain;
    MUST(worker);
    assert_int_equal(vouch_scores_sentences(scores), 2);
    for (size_t i = 0; i < 2; i++) {
        MUST(vouch_scores_chain(scores, i, &chain, &err) == VOUCH_OK);
        assert_int_equal(chain.words, 2 - i);
        const vouch_answer *answer = vouch_judge_chain(worker, &chain, &err);
        MUST(answer);
        assert_string_equal(vouch_answer_label(answer, 0), "O");
        if (i == 0)
            assert_string_equal(vouch_answer_label(answer, 1), "B-X");
    }
    vouch_judge_worker_free(worker);
}

TEST_IN_FOLDER(files_are_judged_through_the_public_interface)
{
    static const char *const label[] = {"O", "B-X", "I-X"};
    static const float x[] = {2, 1, 0, 0, 3, 1, 4, 0, 0};
    static const int64_t lengths[] = {2, 1};
    struct vouch_score_files files = {.size = sizeof files, .labels = 3};
    struct vouch_judge_options options = {.size = sizeof options};
    struct vouch_chain_scores chain;
    struct vouch_tree_scores tree;
    files.scores = put_floats("x.npy", "(3, 3)", x, 9);
    assert_null(vouch_scores_open(&files, &err));
    assert_non_null(strstr(err.message, "expected --offsets"));
    files.offsets = put_array("lengths.npy", "<i8", "(2,)", lengths, sizeof lengths);
    vouch_scores *scores = vouch_scores_open(&files, &err);
    MUST(scores);
    options.sets = vouch_scores_sets(scores);
    vouch_judge *judge = vouch_judge_new(label, 3, &options, &err);
    MUST(judge);
    expect_answers(scores, judge);
    assert_int_equal(vouch_scores_chain(scores, 2, &chain, &err), VOUCH_ERR_ARGUMENT);
    assert_int_equal(vouch_scores_tree(scores, 0, &tree, &err), VOUCH_ERR_ARGUMENT);
    MUST(vouch_judge_save(judge, folder_file("x.judge"), &err) == VOUCH_OK);
    vouch_judge *again = vouch_judge_open(folder_file("x.judge"), NULL, &err);
    MUST(again);
    assert_string_equal(vouch_judge_json(again), vouch_judge_json(judge));
    vouch_judge_free(again);
    vouch_scores_close(scores);

    files.offsets = NULL;
    files.scores = folder_put("x.jsonl", "{\"scores\": [[2, 1, 0], [0, 3, 1]]}\n{\"scores\": [[4, 0, 0]]}\n");
    MUST(scores = vouch_scores_open(&files, &err));
    expect_answers(scores, judge);
    vouch_scores_close(scores);
    vouch_judge_free(judge);
    files.size = 1;
    assert_null(vouch_scores_open(&files, &err));
    assert_null(vouch_scores_open(NULL, &err));
    small_tagger("tagger", likely, NULL);
    assert_null(vouch_judge_open(folder_file("tagger"), NULL, &err));
    assert_non_null(strstr(err.message, "found a model with weights"));
}
