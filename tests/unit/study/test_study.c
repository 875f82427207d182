/*
 * Tests a study: plans with mistakes, the order of steps, what is run again,
 * and records. Ninja runs a script in the program's place, which makes the
 * record and the files that a step should.
 */
#include "study/study.h"

#include "folder.h"
#include "test.h"

#include <sys/stat.h>
#include <time.h>

enum { ALL = (1 << EXPERIMENTS) - 1 };

FIXTURE(remove_all)
{
    char command[600];
    snprintf(command, sizeof command, "rm -r %s", folder_path);
    return system(command);
}

/* Plans. */

TEST_WITH(mistakes_in_a_plan_are_named, folder_make, remove_all)
{
    static const struct {
        const char *plan, *message;
    } cases[] = {
        {"{\"datasets\": [", "plan.json:1: expected a plan in JSON, or --task for a corpus"},
        {"[]", "plan.json: expected {\"datasets\": [...]} and nothing else"},
        {"{\"datasets\": []}", "expected at least one dataset in \"datasets\", found none"},
        {"{\"datasets\": [{}], \"more\": 1}", "expected {\"datasets\": [...]} and nothing else"},
        {"{\"datasets\": [7]}", "plan.json: dataset 1: expected an object"},
        {"{\"datasets\": [{\"key\": \"a\", \"kex\": 1}]}", "expected key, name, task, files, train, dev, test, paper"},
        {"{\"datasets\": [{\"task\": \"np\"}]}", "dataset 1: expected \"key\", a text"},
        {"{\"datasets\": [{\"key\": \"a\"}]}", "expected \"task\", a text"},
        {"{\"datasets\": [{\"key\": null, \"task\": \"np\", \"files\": \"f\"}]}", "expected \"key\", a text"},
        {"{\"datasets\": [{\"key\": \"a\", \"task\": null, \"files\": \"f\"}]}", "expected \"task\", a text"},
        {"{\"datasets\": [{\"key\": \"a/b\", \"task\": \"np\", \"files\": \"f\"}]}",
         "digits, '-' and '_', found \"a/b\""},
        {"{\"datasets\": [{\"key\": \"a\", \"task\": \"nq\", \"files\": \"f\"}]}",
         "np, chunk, ner, pos or dep, found \"nq\""},
        {"{\"datasets\": [{\"key\": \"a\", \"task\": \"np\"}]}",
         "expected \"files\", to be divided, or \"train\" and \"test\""},
        {"{\"datasets\": [{\"key\": \"a\", \"task\": \"np\", \"train\": \"f\"}]}", "or \"train\" and \"test\""},
        {"{\"datasets\": [{\"key\": \"a\", \"task\": \"np\", \"files\": \"f\", \"test\": \"f\"}]}",
         "or \"train\" and \"test\""},
        {"{\"datasets\": [{\"key\": \"a\", \"task\": \"np\", \"files\": []}]}",
         "expected \"files\" to name at least one file"},
        {"{\"datasets\": [{\"key\": \"a\", \"task\": \"np\", \"files\": [3]}]}",
         "to be the name of a file, or an array"},
        {"{\"datasets\": [{\"key\": \"a\", \"task\": \"np\", \"files\": \"none\"}]}",
         "none: cannot read: No such file"},
        {"{\"datasets\": [{\"key\": \"a\", \"task\": \"np\", \"train\": \"f\", \"test\": [\"f\", \"f\"]}]}",
         "expected \"test\" to be one file"},
        {"{\"datasets\": [{\"key\": \"a\", \"task\": \"np\", \"files\": \"f\", \"same\": 1}]}",
         "expected \"same\" to be true"},
        {"{\"datasets\": [{\"key\": \"a\", \"task\": \"np\", \"files\": \"f\", \"same\": true}]}",
         "dataset 1: expected \"paper\", a row of its tables, beside \"same\": true"},
        {"{\"datasets\": [{\"key\": \"a\", \"task\": \"ner\", \"files\": \"f\", \"paper\": \"English\"}]}",
         "dataset 1: expected \"paper\" to be a row of the paper's Table 2, as NER English, found \"English\""},
        {"{\"datasets\": [{\"key\": \"a\", \"task\": \"dep\", \"files\": \"f\", \"paper\": \"Dansk\"}]}",
         "to be a row of the paper's Table 3, as Danish, found \"Dansk\""},
        {"{\"datasets\": [{\"key\": \"a\", \"task\": \"dep\", \"files\": \"f\", \"gold\": 2}]}",
         "expected \"gold\" to be the"},
        {"{\"datasets\": [{\"key\": \"a\", \"task\": \"np\", \"files\": \"f\"}, {\"key\": \"a\", \"task\": \"np\", "
         "\"files\": "
         "\"f\"}]}",
         "plan.json: dataset 2: expected a key of its own, found \"a\" again"},
    };
    folder_put("f", "a O\n");
    for (size_t i = 0; i < sizeof cases / sizeof *cases; i++) {
        struct study study = {0};
        struct vouch_error err = {0};
        assert_false(study_read_plan(&study, folder_put("plan.json", cases[i].plan), &err));
        if (!strstr(err.message, cases[i].message))
            fail_msg("expected \"%s\" in \"%s\"", cases[i].message, err.message);
        study_release(&study);
    }
}

/* A study of one dataset of labels and one of trees. */
static void make_study_of(struct study *study, struct protocol protocol)
{
    struct vouch_error err = {0};
    folder_put("a", "a O\n");
    folder_put("b", "1\ta\t_\t_\t_\t_\t0\tx\t_\t_\n");
    const char *plan = folder_put(
        "plan.json",
        "{\"datasets\": [{\"key\": \"np\", \"task\": \"np\", \"files\": \"a\", \"paper\": \"NP Chunking\"},\n"
        "{\"key\": \"da\", \"name\": \"Danish\", \"task\": \"dep\", \"train\": [\"b\"], \"test\": \"b\"}]}");
    *study = (struct study){.protocol = protocol};
    if (!study_read_plan(study, plan, &err) || !study_make_steps(study, &err))
        fail_msg("%s", err.message);
}

static struct protocol protocol_of(int64_t passes)
{
    return (struct protocol){
        .folds = 2, .passes = passes, .repeats = 1, .most = 10, .tuning = 9, .seed = 1, .grid = "quick"};
}

static void make_study(struct study *study, int64_t passes)
{
    make_study_of(study, protocol_of(passes));
}

TEST_WITH(a_plan_is_understood, folder_make, remove_all)
{
    struct study study, again = {0};
    struct vouch_error err = {0};
    make_study(&study, 1);
    assert_int_equal(study.datasets, 2);
    assert_string_equal(study.dataset[0].name, "np");
    assert_string_equal(study.dataset[0].paper, "NP Chunking");
    assert_true(!study.dataset[0].trees && study.dataset[1].trees && !study.dataset[1].paper);
    assert_true(study.dataset[0].corpus.at[0][0] == '/' && study.dataset[1].train.count == 1);
    json_t *json = study_plan_json(&study);
    assert_true(study_take_plan(&again, json, "", "plan", &err));
    json_t *same = study_plan_json(&again);
    assert_true(json_equal(json, same));
    json_decref(json);
    json_decref(same);
    study_release(&again);
    study_release(&study);
}

/* Whether a step needs, perhaps through others, one that makes the file. */
static bool comes_from(const struct study *study, size_t step, const char *file)
{
    for (size_t i = 0; i < study->step[step].needs; i++) {
        const struct step *need = &study->step[study->step[step].need[i]];
        for (size_t m = 0; m < need->makes.count; m++)
            if (strcmp(need->makes.at[m], file) == 0)
                return true;
        if (comes_from(study, study->step[step].need[i], file))
            return true;
    }
    return false;
}

static bool makes(const struct step *step, const char *file)
{
    for (size_t m = 0; m < step->makes.count; m++)
        if (strcmp(step->makes.at[m], file) == 0)
            return true;
    return false;
}

TEST_WITH(what_a_step_reads_is_made_before, folder_make, remove_all)
{
    struct study study;
    make_study(&study, 1);
    size_t read = 0;
    for (size_t i = 0; i < study.steps; i++) {
        const struct step *step = &study.step[i];
        for (size_t n = 0; n < step->needs; n++)
            assert_true(step->need[n] < i);
        for (size_t a = 0; a < step->argument.count; a++) {
            const char *word = step->argument.at[a];
            if ((strncmp(word, "data/", 5) != 0 && strncmp(word, "models/", 7) != 0) || makes(step, word))
                continue;
            read++;
            if (!comes_from(&study, i, word))
                fail_msg("%s reads %s, which no step makes", step->name, word);
        }
        for (size_t j = 0; j < i; j++) {
            assert_string_not_equal(study.step[j].name, step->name);
            for (size_t m = 0; m < step->makes.count; m++)
                assert_false(makes(&study.step[j], step->makes.at[m]));
        }
    }
    assert_true(read > 50);
    study_release(&study);
}

static bool has_step(const struct study *study, const char *name)
{
    for (size_t i = 0; i < study->steps; i++)
        if (strcmp(study->step[i].name, name) == 0)
            return true;
    return false;
}

/* Results are found by the names of steps: the chapters of the report read these. */
TEST_WITH(what_the_report_reads_is_made, folder_make, remove_all)
{
    static const char *const read[] = {
        "data/np/info",
        "data/da/info",
        "tuning/np/cw",
        "tuning/da/crf",
        "prediction/np/folds",
        "prediction/da/pa",
        "prediction/da/pa/eval",
        "ranking/np/cw+crf/raw",
        "ranking/np/pa+crf/calibrated",
        "ranking/da/crf/raw",
        "tradeoff/np/raw",
        "tradeoff/np/words",
        "tradeoff/ner/merged",
        "active/np",
        "effect-of-k/np/2",
        "effect-of-k/da/80",
        "effect-of-k/bounds",
        "effect-of-k/bounds-of-one",
    };
    struct study study, names = {.protocol = {.grid = "quick"}};
    struct vouch_error err = {0};
    char *file = strdup(folder_put("c", "a O\n"));
    make_study(&study, 1);
    assert_true(study_plan_files(&names, "ner", &file, 1, &err) && study_make_steps(&names, &err));
    for (size_t i = 0; i < sizeof read / sizeof *read; i++)
        if (!has_step(&study, read[i]) && !has_step(&names, read[i]))
            fail_msg("no step makes %s", read[i]);
    for (size_t k = 0; k < STUDY_DRAWS; k++) {
        char name[32];
        snprintf(name, sizeof name, "effect-of-k/np/%u", study_draws[k]);
        assert_true(has_step(&study, name));
    }
    free(file);
    study_release(&names);
    study_release(&study);
}

static const struct step *step_named(const struct study *study, const char *name)
{
    for (size_t i = 0; i < study->steps; i++)
        if (strcmp(study->step[i].name, name) == 0)
            return &study->step[i];
    fail_msg("no step is %s", name);
    return NULL;
}

/* Whether an option stands in the command line, and before this value unless that is NULL. */
static bool has_argument(const struct step *step, const char *option, const char *value)
{
    const struct strings *a = &step->argument;
    for (size_t i = 0; i < a->count; i++)
        if (strcmp(a->at[i], option) == 0 && (!value || (i + 1 < a->count && strcmp(a->at[i + 1], value) == 0)))
            return true;
    return false;
}

/* Learning from other numbers of answers: steps of their own, with their own parameter, and nothing else changes. */
TEST_WITH(other_numbers_of_answers_are_compared, folder_make, remove_all)
{
    static const char *const made[] = {
        "tuning/np/cw-k1",     "prediction/np/folds-k1",   "model/np/cw-k1", "ranking/np/cw-k1/raw", "tuning/da/cw-k3",
        "prediction/da/cw-k3", "prediction/da/cw-k3/eval", "model/da/cw-k3", "ranking/da/cw-k3/raw", "active/np-k1",
    };
    struct study plain, study;
    struct protocol protocol = protocol_of(1);
    make_study(&plain, 1);
    for (size_t i = 0; i < plain.steps; i++)
        assert_false(has_argument(&plain.step[i], "--k-best", NULL));
    protocol.k_best = 2;
    protocol.other_k[protocol.others++] = 1;
    protocol.other_k[protocol.others++] = 3;
    make_study_of(&study, protocol);
    for (size_t i = 0; i < sizeof made / sizeof *made; i++) {
        const struct step *step = step_named(&study, made[i]);
        bool asks = strstr(made[i], "/eval") || strstr(made[i], "/raw");
        if (asks == has_argument(step, "--k-best", strstr(made[i], "k1") ? "1" : "3"))
            fail_msg("%s learns from others than it should", made[i]);
    }
    assert_true(has_argument(step_named(&study, "model/np/cw+crf"), "--k-best", "2"));
    assert_true(has_argument(step_named(&study, "active/np"), "--k-best", "2"));
    assert_true(has_argument(step_named(&study, "ranking/da/cw-k3/raw"), "-m", "models/da.cw-k3.vouch"));
    assert_string_equal(study.step[step_named(&study, "model/np/cw-k1")->tuned_by[0]].name, "tuning/np/cw-k1");
    for (size_t i = 0; i < plain.steps; i++)
        assert_true(has_step(&study, plain.step[i].name));
    /* All that is measured on answers of cw is measured on theirs. */
    assert_true(has_argument(step_named(&study, "effect-of-k/da/50-k3"), "-m", "models/da.cw-k3.vouch"));
    assert_true(has_argument(step_named(&study, "tradeoff/np/words-k1"), "-m", "models/np.cw-k1.vouch"));
    assert_true(has_argument(step_named(&study, "tradeoff/np/words"), "-m", "models/np.cw+crf.vouch"));
    assert_int_equal(study.steps, plain.steps + 2 * (5 + STUDY_DRAWS + 2 + 1 + 8 + STUDY_DRAWS));
    study_release(&plain);
    study_release(&study);
}

/* Of labels all files are counted, of trees those that are learned from. */
TEST_WITH(what_is_counted, folder_make, remove_all)
{
    struct study study = {.protocol = {.grid = "quick"}};
    struct vouch_error err = {0};
    folder_put("f", "a O\n");
    const char *plan = folder_put(
        "plan.json", "{\"datasets\": [{\"key\": \"np\", \"task\": \"np\", \"train\": [\"f\"], \"dev\": \"f\", "
                     "\"test\": \"f\"},\n"
                     "{\"key\": \"da\", \"task\": \"dep\", \"train\": [\"f\"], \"dev\": \"f\", \"test\": \"f\"}]}");
    assert_true(study_read_plan(&study, plan, &err) && study_make_steps(&study, &err));
    assert_int_equal(step_named(&study, "data/np/train")->outside.count, 3);
    assert_int_equal(step_named(&study, "data/da/train")->outside.count, 1);
    study_release(&study);
}

/* Running. */

static const char *const script =
    "#!/bin/sh\n"
    "name=$3\n"
    "while [ \"$1\" != -- ]; do shift; done\n"
    "shift\n"
    "for word; do\n"
    "    case $before in\n"
    "    -o | --rest | --log) [ \"$word\" = /dev/null ] || printf '%s\\n' \"$*\" >\"$word\" ;;\n"
    "    -m) [ -s \"$word\" ] || { echo \"no model\" >&2; exit 1; } ;;\n"
    "    esac\n"
    "    before=$word\n"
    "done\n"
    "if [ -e ../die ]; then kill -KILL $$; fi\n"
    "if [ -e ../fail ] && grep -q \"^$1\\$\" ../fail; then printf 'oh no:\\nwrong\\n' >&2; exit 1; fi\n"
    "echo \"{\\\"command\\\": [], \\\"result\\\": {\\\"of\\\": \\\"$name\\\"}}\" >\"steps/$name.json\"\n";

static struct study_run run_of(unsigned wanted)
{
    static char out[512], program[512];
    strcpy(out, folder_file("out"));
    mkdir(out, 0777);
    strcpy(program, folder_put("program", script));
    chmod(program, 0755);
    return (struct study_run){.out = out, .program = program, .wanted = wanted, .threads = 2};
}

/* Longer than a tick of the clock by which files are dated. */
static void rest(void)
{
    nanosleep(&(struct timespec){0, 50000000}, NULL);
}

static void run_well(struct study *study, struct study_run *run, size_t ran, size_t kept)
{
    struct vouch_error err = {0};
    if (!study_run(study, run, &err))
        fail_msg("%s", err.message);
    assert_int_equal(run->run, ran);
    assert_int_equal(run->kept, kept);
}

static size_t count_wanted(const struct study *study, unsigned wanted)
{
    size_t count = 0;
    for (size_t i = 0; i < study->steps; i++)
        count += (study->step[i].wanted_by & wanted) != 0;
    return count;
}

static const char *out_file(const char *name)
{
    char path[300];
    snprintf(path, sizeof path, "out/%s", name);
    return folder_file(path);
}

static json_t *results(void)
{
    json_t *results = json_load_file(out_file("results.json"), 0, NULL);
    assert_non_null(results);
    return results;
}

static json_t *step_in(const json_t *results, const char *name)
{
    return json_object_get(json_object_get(results, "steps"), name);
}

TEST_WITH(everything_is_run_once, folder_make, remove_all)
{
    struct study study;
    make_study(&study, 1);
    struct study_run run = run_of(ALL);
    run_well(&study, &run, study.steps, 0);
    json_t *all = results();
    assert_int_equal(json_array_size(json_object_get(all, "experiments")), EXPERIMENTS);
    assert_int_equal(json_object_size(json_object_get(all, "steps")), study.steps);
    run = run_of(ALL);
    run_well(&study, &run, 0, study.steps);
    json_t *again = results();
    assert_true(json_equal(all, again));
    json_decref(all);
    json_decref(again);
    study_release(&study);
}

/* One experiment is run, and nothing of the others. */
TEST_WITH(what_is_wanted_is_run, folder_make, remove_all)
{
    struct study study;
    make_study(&study, 1);
    unsigned wanted = 1 << EXPERIMENT_PREDICTION;
    struct study_run run = run_of(wanted);
    run_well(&study, &run, count_wanted(&study, wanted), 0);
    json_t *all = results();
    assert_null(step_in(all, "ranking/np/cw+crf/raw"));
    assert_int_equal(json_array_size(json_object_get(all, "experiments")), 1);
    const json_t *folds = json_object_get(step_in(all, "prediction/np/folds"), "result");
    assert_string_equal(json_string_value(json_object_get(folds, "of")), "prediction/np/folds");
    json_decref(all);
    study_release(&study);
}

/* What was done on another day is gathered as well, unless it is out of date. */
TEST_WITH(only_what_holds_is_gathered, folder_make, remove_all)
{
    struct study study;
    make_study(&study, 1);
    struct study_run run = run_of(1 << EXPERIMENT_DATA);
    run_well(&study, &run, count_wanted(&study, 1 << EXPERIMENT_DATA), 0);
    rest();
    folder_put("a", "a O\nb O\n");
    run = run_of(1 << EXPERIMENT_EFFECT_OF_K);
    run_well(&study, &run, count_wanted(&study, 1 << EXPERIMENT_EFFECT_OF_K), 0);
    json_t *all = results();
    assert_null(step_in(all, "data/np/info"));
    assert_non_null(step_in(all, "data/da/info"));
    assert_non_null(step_in(all, "effect-of-k/np/2"));
    json_decref(all);
    study_release(&study);
}

TEST_WITH(only_what_changed_is_run_again, folder_make, remove_all)
{
    struct study study;
    make_study(&study, 1);
    unsigned wanted = 1 << EXPERIMENT_RANKING;
    size_t steps = count_wanted(&study, wanted);
    struct study_run run = run_of(wanted);
    run_well(&study, &run, steps, 0);

    /* A missing model is made again, and so are the two steps that use it. */
    remove(out_file("models/da.crf.vouch"));
    run = run_of(wanted);
    run_well(&study, &run, 3, steps - 3);

    /* The corpus: everything that comes from it. */
    size_t of_np = 0;
    for (size_t i = 0; i < study.steps; i++)
        of_np += (study.step[i].wanted_by & wanted) && strstr(study.step[i].name, "/np");
    assert_true(of_np > 5 && of_np < steps);
    rest();
    folder_put("a", "a O\nb O\n");
    run = run_of(wanted);
    run_well(&study, &run, of_np, steps - of_np);

    /* Other options: all but the split and the sample, which do not depend on them. */
    for (size_t i = 0; i < study.steps; i++)
        if (strcmp(study.step[i].argument.at[0], "split") != 0)
            assert_true(strings_add(&study.step[i].argument, NULL, "%s", "--more"));
    run = run_of(wanted);
    run_well(&study, &run, steps - 2, 2);
    study_release(&study);
}

static char *build_file(void)
{
    char *text = folder_get(out_file("build.ninja"));
    assert_non_null(text);
    return text;
}

/* Neither where the program is nor how many threads there are changes a command, but its version does. */
TEST_WITH(the_file_says_what_not_how, folder_make, remove_all)
{
    struct study study;
    make_study(&study, 1);
    struct study_run run = run_of(1 << EXPERIMENT_DATA);
    run_well(&study, &run, 4, 0);
    char *first = build_file();
    assert_non_null(strstr(first, vouch_version()));
    assert_null(strstr(first, run.program));
    run = run_of(1 << EXPERIMENT_DATA);
    run.threads = 1;
    run_well(&study, &run, 0, 4);
    char *second = build_file();
    assert_string_equal(first, second);
    free(first);
    free(second);
    study_release(&study);
}

/* Characters that Ninja or a shell would take for something else. */
TEST_WITH(files_may_have_any_name, folder_make, remove_all)
{
    static const char name[] = "a $b|c: 'd' \"e\" #\\f";
    struct study study = {.protocol = protocol_of(1)};
    struct vouch_error err = {0};
    char *file = strdup(folder_put(name, "a O\n"));
    assert_true(study_plan_files(&study, "np", &file, 1, &err) && study_make_steps(&study, &err));
    struct study_run run = run_of(1 << EXPERIMENT_DATA);
    run_well(&study, &run, 2, 0);
    char *made = folder_get(out_file("models/np.data.vouch"));
    assert_non_null(strstr(made, name));
    free(made);
    run = run_of(1 << EXPERIMENT_DATA);
    run_well(&study, &run, 0, 2);
    rest();
    folder_put(name, "a O\nb O\n");
    run = run_of(1 << EXPERIMENT_DATA);
    run_well(&study, &run, 2, 0);
    free(file);
    study_release(&study);

    file = strdup(folder_put("a\nb", "a O\n"));
    study = (struct study){0};
    assert_false(study_plan_files(&study, "np", &file, 1, &err));
    assert_non_null(strstr(err.message, "expected a name in UTF-8, without control characters"));
    free(file);
    study_release(&study);
}

TEST_WITH(a_failure_is_told_and_the_rest_is_kept, folder_make, remove_all)
{
    struct study study;
    struct vouch_error err = {0};
    make_study(&study, 1);
    folder_put("fail", "eval\n");
    unsigned wanted = 1 << EXPERIMENT_RANKING;
    struct study_run run = run_of(wanted);
    assert_false(study_run(&study, &run, &err));
    assert_string_equal(err.message, "ranking/np/cw+crf/raw: oh no: wrong");
    remove(folder_file("fail"));
    run = run_of(wanted);
    run_well(&study, &run, 12, count_wanted(&study, wanted) - 12);

    /* A step that was killed leaves no message. */
    folder_put("die", "");
    run = run_of(1 << EXPERIMENT_DATA);
    assert_false(study_run(&study, &run, &err));
    assert_string_equal(err.message, "data/np/train: ended without saying why");
    study_release(&study);
}

TEST_WITH(a_damaged_record_is_named, folder_make, remove_all)
{
    struct study study;
    struct vouch_error err = {0};
    make_study(&study, 1);
    struct study_run run = run_of(1 << EXPERIMENT_DATA);
    run_well(&study, &run, 4, 0);
    folder_put("out/steps/data/da/info.json", "{\"step\": ");
    run = run_of(1 << EXPERIMENT_DATA);
    assert_false(study_run(&study, &run, &err));
    assert_non_null(strstr(err.message, "/steps/data/da/info.json: is damaged: remove it"));
    study_release(&study);
}

/* A step that does not suit the data is left out, and reported; all else is run and kept, and it is tried again. */
TEST_WITH(optional_steps_may_fail, folder_make, remove_all)
{
    struct study study;
    make_study(&study, 1);
    folder_put("fail", "trade\nactive\n");
    struct study_run run = run_of(ALL);
    run_well(&study, &run, study.steps - 3, 0);
    assert_int_equal(run.left.count, 3);
    for (size_t i = 0; i < run.left.count; i++)
        assert_non_null(strstr(run.left.at[i], "/np"));
    assert_non_null(strstr(run.left.at[0], ": oh no: wrong"));
    json_t *all = results();
    assert_int_equal(json_array_size(json_object_get(all, "left_out")), 3);
    assert_int_equal(json_array_size(json_object_get(all, "experiments")), EXPERIMENTS - 2);
    json_decref(all);
    strings_release(&run.left);
    remove(folder_file("fail"));
    run = run_of(ALL);
    run_well(&study, &run, 3, study.steps - 3);
    assert_int_equal(run.left.count, 0);
    study_release(&study);
}

static int questions;

static bool stop_after_some(void)
{
    return ++questions > 3;
}

TEST_WITH(what_is_stopped_goes_on, folder_make, remove_all)
{
    struct study study;
    struct vouch_error err = {0};
    make_study(&study, 1);
    unsigned wanted = 1 << EXPERIMENT_RANKING;
    struct study_run run = run_of(wanted);
    run.stop = stop_after_some;
    questions = 0;
    assert_false(study_run(&study, &run, &err));
    assert_int_equal(err.status, VOUCH_ERR_STOPPED);
    size_t steps = count_wanted(&study, wanted);
    run = run_of(wanted);
    if (!study_run(&study, &run, &err))
        fail_msg("%s", err.message);
    assert_true(run.run > 0);
    assert_int_equal(run.run + run.kept, steps);
    study_release(&study);
}

/* Records. */

static json_t *result_of_log(const char *more, struct vouch_error *err)
{
    char log[400];
    snprintf(log, sizeof log,
             "{\"event\": \"tuned\", \"voice\": \"v\", \"result\": {\"parameter\": \"phi\", \"value\": 0.25}}\n"
             "{\"event\": \"pass\", \"pass\": 1, \"loss\": 0.5, \"dev\": {\"accuracy\": 90.5}}\n%s",
             more);
    return record_result(NULL, folder_put("train.jsonl", log), err);
}

TEST_WITH(a_log_is_whole_or_an_error, folder_make, remove_all)
{
    struct vouch_error err = {0};
    assert_null(result_of_log("{\"event\": \"pass\", \"pa", &err));
    assert_non_null(strstr(err.message, "train.jsonl:3: expected an event as JSON"));
    assert_null(result_of_log("\nno\n", &err));
    assert_non_null(strstr(err.message, "train.jsonl:4: expected an event as JSON"));
    json_t *result = result_of_log("\n \n", &err);
    json_t *pass = json_array_get(json_object_get(result, "passes"), 0);
    assert_true(json_number_value(json_object_get(pass, "accuracy")) == 90.5);
    assert_true(json_number_value(json_object_get(pass, "loss")) == 0.5);
    json_decref(result);
}

/* A record gives back what was put in, and the parameter that was chosen. */
TEST_WITH(what_was_chosen_is_kept, folder_make, remove_all)
{
    struct vouch_error err = {0};
    struct strings argument = {0}, chosen = {0};
    json_t *result = result_of_log("", &err);
    assert_true(strings_add(&argument, &err, "train"));
    mkdir(folder_file("steps"), 0777);
    assert_true(record_write(folder_path, "cw", &argument, (double[]){1.5, 2.5}, result, &err));
    json_t *record = record_read(folder_path, "cw");
    assert_true(json_equal(json_object_get(record, "result"), result));
    assert_true(json_number_value(json_object_get(record, "cpu_seconds")) == 2.5);
    assert_string_equal(json_string_value(json_array_get(json_object_get(record, "command"), 1)), "train");
    assert_true(record_add_chosen(record, "cw", &chosen, &err));
    assert_string_equal(chosen.at[0], "--phi");
    assert_string_equal(chosen.at[1], "0.25");
    json_object_del(json_object_get(record, "result"), "tuned");
    assert_false(record_add_chosen(record, "cw", &chosen, &err));
    assert_string_equal(err.message, "cw: expected it to choose a parameter");
    assert_null(record_read(folder_path, "crf"));
    json_decref(record);
    json_decref(result);
    strings_release(&argument);
    strings_release(&chosen);
}

TEST_WITH(a_folder_is_for_one_run, folder_make, remove_all)
{
    struct vouch_error err = {0};
    int first, second;
    assert_true(study_lock(folder_file("new/out"), &first, &err));
    assert_false(study_lock(folder_file("new/out"), &second, &err));
    assert_non_null(strstr(err.message, "/new/out: is being written by another run"));
    close(first);
    assert_true(study_lock(folder_file("new/out"), &second, &err));
    close(second);
    assert_false(study_lock(folder_put("file", ""), &first, &err));
    assert_non_null(strstr(err.message, "/file: cannot open the folder"));
}
