/* Tests confidence, its measurement and its uses without memory. */
#include "failing_memory.h"
#include "test.h"

FILE_FIXTURE(jansson_fails_too, NULL);

static bool measure_confidence(void *context, struct vouch_error *err)
{
    (void)context;
    const struct judged word[] = {{0.5, 0, false}, {0.75, 0, true}, {1, 1, true}};
    struct quality quality;
    struct quality_intervals intervals;
    return quality_measure(word, 3, true, &quality, err) &&
           quality_bootstrap(word, 3, (struct bootstrap){.resamples = 3, .probabilities = true}, &intervals, err);
}

TEST(measuring_confidence_without_memory)
{
    fail_every_one(measure_confidence, NULL);
}

struct pairs {
    double raw[200];
    bool right[200];
};

static bool calibrate(void *context, struct vouch_error *err)
{
    const struct pairs *pairs = context;
    struct calibration chosen;
    double loss[CALIBRATION_KINDS];
    struct calibration_rows rows = {pairs->raw, pairs->right, NULL, 200};
    bool ok = calibration_choose(&rows, 1, &chosen, loss, err);
    calibration_release(&chosen);
    ok = ok && calibration_fit(CALIBRATE_ISOTONIC, &rows, &chosen, err);
    calibration_release(&chosen);
    return ok;
}

static bool regress(void *context, struct vouch_error *err)
{
    const struct pairs *pairs = context;
    struct logistic logistic;
    bool ok = logistic_fit(&(struct logistic_rows){.x = pairs->raw, .right = pairs->right, .n = 100, .features = 2}, 1,
                           &logistic, err);
    logistic_release(&logistic);
    return ok;
}

static bool forecast(void *context, struct vouch_error *err)
{
    enum { ROWS = 100 };
    const struct pairs *pairs = context;
    uint32_t group[ROWS];
    double held[ROWS];
    for (uint32_t i = 0; i < ROWS; i++)
        group[i] = i / 2;
    struct logistic_rows rows = {pairs->raw, pairs->right, NULL, ROWS, 2, group};
    struct forecaster forecaster = {0};
    bool ok = forecaster_fit(&forecaster, &rows, 1, 1, held, err);
    forecaster_release(&forecaster);
    return ok;
}

TEST(fitting_without_memory)
{
    struct pairs pairs;
    for (int i = 0; i < 200; i++) {
        pairs.raw[i] = i * 37 % 200 / 200.0;
        pairs.right[i] = i * 37 % 200 > 100;
    }
    fail_every_one(calibrate, &pairs);
    fail_every_one(regress, &pairs);
    fail_every_one(forecast, &pairs);
}

/* Draws around a model of nothing but ones, for a chain with shared edges, with edges of their own, and a tree. */
static bool draw(void *context, struct vouch_error *err)
{
    (void)context;
    static const uint32_t start[] = {0, 1, 2, 3, 4, 5, 6}, feature[] = {0, 1, 1, 0, 1, 0};
    static const struct {
        const struct structure *structure;
        struct parts parts;
    } cases[] = {{&chain_structure, {.N = 3, .node = {3, start, feature, NULL}, .edge = {1, start, feature, NULL}}},
                 {&chain_structure, {.N = 3, .node = {3, start, feature, NULL}, .edge = {2, start, feature, NULL}}},
                 {&tree_structure, {.N = 2, .node = {6, start, feature, NULL}, .edge = {0, start, feature, NULL}}}};
    struct space space = {.width = 2, .nodes = 2, .edges = 2};
    float mean[2 * 2 + 2 * 4 + SLACK];
    for (size_t i = 0; i < sizeof mean / sizeof *mean; i++)
        mean[i] = 1;
    uint32_t choice[40 * 3];
    struct scores scores = {0};
    struct lanes lanes = {0};
    struct scratch scratch = {0};
    struct noise *noise = noise_new(1, err);
    struct noise_work *work = noise ? noise_work_new(err) : NULL;
    struct drawing drawing = {.noise = noise, .K = 40, .s = 1, .space = &space, .mean = mean};
    bool ok = work != NULL;
    for (int i = 0; ok && i < 3; i++)
        ok = parts_score(&cases[i].parts, &space, mean, &scores, err) &&
             noise_score(&drawing, &cases[i].parts, &scores, work, &lanes, err) &&
             cases[i].structure->draws(&lanes, &scratch, choice, err);
    noise_work_free(work);
    noise_free(noise);
    scores_release(&scores);
    lanes_release(&lanes);
    scratch_release(&scratch);
    return ok;
}

TEST(drawing_models_without_memory)
{
    fail_every_one(draw, NULL);
}

/* All methods on all sentences of a file. */
static bool judge(void *context, struct vouch_error *err)
{
    const struct vouch_model *model = context;
    bool trees = model->trees, ok = true;
    struct estimator *estimator =
        estimator_new(model, &(struct estimate_request){.methods = "all", .alternatives = 3, .others = true}, err);
    struct predictor *predictor =
        estimator ? predictor_new(&(struct vouch_request){.model = model, .estimator = estimator}, err) : NULL;
    struct reader_options options = {.format = trees ? FORMAT_CONLLU : FORMAT_CONLL, .trees = trees};
    struct reader *reader = predictor ? reader_open(folder_file(trees ? "trees" : "tags"), &options, err) : NULL;
    struct sentence sentence = {0};
    struct vouch_answer prediction = {0};
    enum reading state = READ_FAILED;
    while (reader && ok && (state = reader_next(reader, &sentence, err)) == READ_SENTENCE)
        ok = predictor_answer(predictor, &sentence, &prediction, err);
    answer_release(&prediction);
    sentence_release(&sentence);
    reader_close(reader);
    predictor_free(predictor);
    estimator_free(estimator);
    return ok && state == READ_END;
}

/* Scores from elsewhere, of chains or of trees: a judge, its gold, an answer, and the judge read back. */
static bool judge_scores(void *context, struct vouch_error *err)
{
    static const char *const labels[] = {"O", "B-X", "I-X"};
    static const float score[2 * 16] = {1, 0, 2, 1, 3, 0, 1, 2, 1, 3, 1, 2, 4, 1, 0, 2, 1, 3, 2, 1};
    static const size_t head[] = {0, 1, 2};
    struct vouch_chain_scores chain = {sizeof chain, 3, 3, 2, score, NULL, 0};
    struct vouch_tree_scores tree = {sizeof tree, 3, 2, score};
    struct vouch_judge_options options = {
        .size = sizeof options, .methods = "all", .sets = 2, .alternatives = 2, .draws = 3, .constraints = 1};
    vouch_judge *judge = context ? vouch_judge_new_tree(&options, err) : vouch_judge_new(labels, 3, &options, err);
    vouch_judge *again = judge ? vouch_judge_from_json(vouch_judge_json(judge), NULL, err) : NULL;
    vouch_judge_gold *gold = again ? vouch_judge_gold_new(judge, err) : NULL;
    vouch_judge_worker *worker = gold ? vouch_judge_worker_new(judge, err) : NULL;
    bool ok = worker && (context ? vouch_judge_gold_tree(gold, &tree, head, err) == VOUCH_OK &&
                                       vouch_judge_tree(worker, &tree, err)
                                 : vouch_judge_gold_chain(gold, &chain, labels, err) == VOUCH_OK &&
                                       vouch_judge_chain(worker, &chain, err));
    vouch_judge_worker_free(worker);
    vouch_judge_gold_free(gold);
    vouch_judge_free(again);
    vouch_judge_free(judge);
    return ok;
}

TEST(judging_scores_without_memory)
{
    bool tree = true;
    fail_every_one(judge_scores, NULL);
    fail_every_one(judge_scores, &tree);
}

TEST_IN_FOLDER(judging_without_memory)
{
    static const char *const voices[] = {"cw", "crf", NULL};
    struct vouch_error err = {0};
    json_t *confidence_model = json_loads(SMALL_CONFIDENCE_MODEL, 0, NULL);
    assert_non_null(confidence_model);
    vouch_model *tags = vouch_model_open(small_tagger("small.tagger", voices, confidence_model), &err);
    must(tags != NULL, &err);
    fail_every_one(judge, tags);
    vouch_model *trees = vouch_model_open(small_parser("small.parser", voices, NULL), &err);
    must(trees != NULL, &err);
    fail_every_one(judge, trees);
    vouch_model_close(tags);
    vouch_model_close(trees);
}

/* Curves in both directions. */
static bool trade(void *context, struct vouch_error *err)
{
    static const struct text label[] = {{"B-X", 3}, {"I-X", 3}, {"O", 1}}, gold[] = {{"B-X", 3}, {"O", 1}, {"B-Y", 3}};
    static const struct text other[] = {{"O", 1}, {"O", 1}, {"I-Y", 3}};
    static const double number[] = {0.5, 0.75, 0.25};
    struct span span = {0, 2, {"X", 1}};
    struct method_confidence by_method = {.word = number, .span = number, .other = other};
    struct confidences confidences = {.by_method = &by_method, .methods = 1, .span = &span, .spans = 1};
    struct vouch_answer answer = {.label = label, .confidences = &confidences};
    struct trade t = {.scheme = SCHEME_BIOES, .merge_types = true, .methods = 1, .towards = {true, true}};
    bool ok = true;
    (void)context;
    for (int i = 0; ok && i < 20; i++)
        ok = trade_add(&t, gold, 3, &answer, err);
    ok = ok && trade_measure(&t, 1, err);
    trade_release(&t);
    return ok;
}

TEST(trading_without_memory)
{
    fail_every_one(trade, NULL);
}

/* Learns on one part, asks on the other. */
static bool hold(void *context, struct vouch_error *err)
{
    const struct dataset *dataset = context;
    const struct trial voices[] = {{&confidence_weighted, small_parameters()}, {&log_likelihood, small_parameters()}};
    const struct voice_method chosen[] = {{&kd_fix_delta_method, 0}, {&gamma_method, 0}};
    struct method_params few = default_method_params;
    few.best = few.draws = 3;
    const struct method_params params[] = {few, few};
    struct learning learning = {.dataset = dataset,
                                .trial = {{voices[0], voices[1]}, {voices[0], voices[1]}},
                                .voices = 2,
                                .work = {.seed = 1, .threads = 1}};
    struct held_out_plan plan = {
        .learning = &learning, .passes = 1, .parts = 2, .held = 2, .scattered = true, .follow = true};
    struct held_out held;
    struct noise *noise = NULL;
    bool ok = held_out_learn(&held, &plan, err) && (noise = noise_new(1, err));
    for (uint32_t l = 0; ok && l < dataset->layers; l++) {
        struct first_answers first;
        struct score_plan scoring = {.layer = l,
                                     .first = &first,
                                     .chosen = chosen,
                                     .methods = 2,
                                     .params = params,
                                     .noise = noise,
                                     .committee = true,
                                     .wholes = true,
                                     .work = &learning.work};
        struct held_out_scores scores = {0};
        ok = first_answers_init(&first, &held, err) && held_out_scores_take(&scores, &held, &scoring, err);
        held_out_scores_release(&scores);
        first_answers_release(&first);
    }
    struct review_options options = {.common.work.threads = 1};
    struct review review = {.options = &options,
                            .level = dataset->rules ? REVIEW_CHUNKS : REVIEW_WORDS,
                            .dataset = dataset,
                            .held = held,
                            .training = plan};
    options.audit = 2;
    ok = ok && review_lay_out(&review, err) && judge_labels(&review, err) && find_repeats(&review, err) &&
         rerank(&review, err) && list_suspects(&review, err) && draw_audit(&review, err) &&
         (!review.trees || find_tree_changes(&review, review.suspects, err));
    review_release(&review);
    noise_free(noise);
    return ok;
}

TEST_IN_FOLDER(holding_out_without_memory)
{
    struct corpus tags;
    struct corpus trees;
    small_tag_corpus(&tags, SMALL_TAGS SMALL_TAGS SMALL_TAGS SMALL_TAGS);
    small_tree_corpus(&trees, SMALL_TREES SMALL_TREES SMALL_TREES SMALL_TREES SMALL_TREES SMALL_TREES, 8);
    struct dataset labels = tags.dataset, arcs = trees.dataset;
    fail_every_one(hold, &labels);
    fail_every_one(hold, &arcs);
    corpus_release(&tags);
    corpus_release(&trees);
}

/* An operating point, kept in the header of a model. */
static bool keep_point(void *context, struct vouch_error *err)
{
    char file[] = "dev.txt", *path[] = {file};
    struct operating_point point = {.method = "gamma"};
    json_t *record = operating_point_record(&point, path, 1, "vouch trade", err);
    json_t *header = record ? operating_point_header(context, record, err) : NULL;
    bool ok = header != NULL;
    json_decref(header);
    json_decref(record);
    return ok;
}

TEST(keeping_a_point_without_memory)
{
    struct vouch_model model = {.header = json_pack("{s:s}", "program", "vouch")};
    fail_every_one(keep_point, &model);
    json_decref(model.header);
}

/* A simulation of two ways of choosing, and what it comes to. */
static bool simulate(void *context, struct vouch_error *err)
{
    struct trial trial = {&confidence_weighted, small_parameters()};
    struct query_strategy strategy[] = {{.method = &gamma_method}, {.method = &random_method}};
    struct active_plan plan = {.dataset = context,
                               .trial = &trial,
                               .voices = 1,
                               .strategy = strategy,
                               .strategies = 2,
                               .options = {.common.work.threads = 1,
                                           .learner.passes = 1,
                                           .diversity = 0.9,
                                           .initial = 2,
                                           .candidates = 5,
                                           .choose = 2,
                                           .every = 4,
                                           .most = 8,
                                           .repeats = 1}};
    struct active_outcome outcome;
    struct active_summary summary = {0};
    bool ok = active_run(&plan, &outcome, err) && active_summarise(&summary, &plan, &outcome, err);
    active_summary_release(&summary);
    active_release(&outcome);
    return ok;
}

TEST_IN_FOLDER(simulating_without_memory)
{
    struct corpus tags;
    struct corpus trees;
    struct corpus_plan plan = {.reading = {FORMAT_CONLL, GOLD_LAST}};
    struct corpus_plan tree_plan = {.arc_bits = 8, .relation_bits = 8, .reading = {.trees = true}};
    struct vouch_error err = {0};
    small_tag_corpus(&tags, SMALL_TAGS SMALL_TAGS SMALL_TAGS SMALL_TAGS);
    must(corpus_read_dev(&tags, &plan, folder_file("tags"), &err), &err);
    small_tree_corpus(&trees, SMALL_TREES SMALL_TREES SMALL_TREES SMALL_TREES SMALL_TREES SMALL_TREES, 8);
    must(corpus_read_dev(&trees, &tree_plan, folder_file("trees"), &err), &err);
    struct dataset labels = tags.dataset, arcs = trees.dataset;
    fail_every_one(simulate, &labels);
    fail_every_one(simulate, &arcs);
    corpus_release(&tags);
    corpus_release(&trees);
}

/* A shortlist of a few sentences, all or the best kept, whose text goes through memory. */
static bool make_shortlist(void *context, struct vouch_error *err)
{
    uint32_t first[] = {0, 1};
    struct text word = text_of("a");
    struct sentence sentence = {.N = 1, .first = first, .cell = &word};
    struct shortlist *list = shortlist_new(3, *(const double *)context, err);
    struct output *out = list ? output_open_memory(err) : NULL;
    bool ok = out != NULL, new;
    for (int i = 0; ok && i < 5; i++) {
        struct offer offer = {.number = 5 - i};
        word.length = 1;
        word.at = &"abcde"[i];
        output_empty(out);
        output_printf(out, "%100d", i);
        offer.text = output_text(out, &offer.length);
        ok = offer.text ? shortlist_know(list, &sentence, &new, err) && shortlist_add(list, &sentence, &offer, err)
                        : fail_memory(err);
    }
    uint32_t count = 0;
    ok = ok && shortlist_close(list, &count, err);
    shortlist_free(list);
    output_discard(out);
    return ok;
}

TEST(choosing_without_memory)
{
    double off = 0, on = 0.5;
    fail_every_one(make_shortlist, &off);
    fail_every_one(make_shortlist, &on);
}
