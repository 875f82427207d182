/*
 * Tests decisions about suspects, on a list that was made by hand: what they make of the corpus, what is refused, who
 * may take back what, and what is learned.
 */
#include "open_desk.h"

#define WHERE(id, sentence, line, word, words) \
    "'id':'" #id "','sentence':" #sentence ",'file':'names.txt','line':" #line ",'word':" #word ",'words':" #words \
    ",'error':0.5,'layer':'label','why':'','audit':'',"
static const char suspects[] =
    "{'identity':'i','round':1,'suspects':["
    "{" WHERE(paris, 1, 4, 4, 1) "'text':'Paris','given':'B-PER','proposed':'B-LOC','also':''},"
    "{" WHERE(city, 2, 6, 1, 2) "'text':'New York','given':'O O','proposed':'B-LOC I-LOC','also':''},"
    "{" WHERE(york, 2, 7, 2, 1) "'text':'York','given':'O','proposed':'B-PER','also':''}]}";

/* Opens the desk once more, with the list as that of its last round. */
static void list(struct open_desk *d, const char *text)
{
    char name[100];
    json_t *value = json_of(text);
    char *json = json_dumps(value, 0);
    snprintf(name, sizeof name, "%s-desk.suspects.json", path_name(d->corpus));
    MUST(store_set(d->desk->store, "list of suspects", suspect_text(value, "identity"), &err));
    desk_end(d);
    folder_put(name, json);
    free(json);
    json_decref(value);
    MUST(desk_try(d));
}

static void begin(struct open_desk *d)
{
    desk_begin(d, "names.txt", DESK_NAMES);
    list(d, suspects);
}

/* Decides as in "paris +, city LOC"; whether that is taken. */
static bool decides(struct open_desk *d, const char *annotator, const char *all)
{
    json_t *decisions = json_array(), *body = json_pack("{s:o}", "decisions", decisions);
    struct text rest = text_of(all);
    while (rest.length) {
        struct text decision = text_trim(text_cut(&rest, ',')), id = text_cut(&decision, ' ');
        json_array_append_new(decisions, json_pack("{s:s%, s:s%}", "suspect", id.at, (size_t)id.length, "decision",
                                                   decision.length ? decision.at : "", (size_t)decision.length));
    }
    err = (struct vouch_error){0};
    json_t *result = desk_decide_suspects(d->desk, annotator, body, &err);
    json_decref(body);
    json_decref(result);
    return result != NULL;
}

static void assert_refused(struct open_desk *d, const char *annotator, const char *all, const char *why)
{
    char *before = desk_corpus(d);
    assert_false(decides(d, annotator, all));
    if (!strstr(err.message, why))
        fail_msg("expected '%s' in: %s", why, err.message);
    assert_corpus(d, before);
    free(before);
}

/* The corpus with these labels of the second Paris, and of New York. */
static const char *corpus_with(const char *paris, const char *new, const char *york)
{
    static char text[400];
    snprintf(text, sizeof text, "Ada B-PER\nlives O\nin O\nParis %s\n\nNew %s\nYork %s\ngrows O\n\n"
                                "Zola B-PER\nsaw O\nParis B-LOC\n\n", paris, new, york);
    return text;
}

TEST_IN_FOLDER(each_decision_makes_of_the_corpus_what_it_says)
{
    static const struct {
        const char *decision, *label[3];
    } cases[] = {{"paris +", {"B-LOC", "O", "O"}},      {"paris -", {"B-PER", "O", "O"}},
                 {"paris -!", {"B-PER", "O", "O"}},     {"paris O", {"O", "O", "O"}},
                 {"paris LOC", {"B-LOC", "O", "O"}},    {"city +", {"B-PER", "B-LOC", "I-LOC"}},
                 {"city PER", {"B-PER", "B-PER", "I-PER"}}, {"city O B-PER", {"B-PER", "O", "B-PER"}},
                 {"city O", {"B-PER", "O", "O"}},       {"paris +, city +", {"B-LOC", "B-LOC", "I-LOC"}}};
    struct open_desk d;
    begin(&d);
    for (size_t i = 0; i < sizeof cases / sizeof *cases; i++) {
        const char *const *label = cases[i].label;
        MUST(decides(&d, "ada", cases[i].decision));
        assert_corpus(&d, corpus_with(label[0], label[1], label[2]));
        MUST(decides(&d, "ada", "paris, city"));
        assert_corpus(&d, DESK_NAMES);
    }
    desk_end(&d);
}

TEST_IN_FOLDER(several_decisions_are_all_taken_or_none)
{
    struct open_desk d;
    begin(&d);
    assert_refused(&d, "ada", "paris +, city B-XYZ O", "known labels");
    assert_refused(&d, "ada", "paris +, city B-LOC", "expected 2 labels");
    assert_refused(&d, "ada", "paris +, nothing +", "there is no such suspect");
    assert_refused(&d, "ada", "city +, york +", "two ways");
    MUST(decides(&d, "ada", "city +"));
    assert_refused(&d, "bea", "paris +, york -", "two ways");
    assert_refused(&d, "ada", "", "decisions");
    desk_end(&d);
}

TEST_IN_FOLDER(one_takes_back_ones_own_and_overrules_others)
{
    struct open_desk d;
    begin(&d);
    MUST(decides(&d, "ada", "paris +"));
    assert_refused(&d, "bea", "paris", "somebody else");
    MUST(decides(&d, "bea", "paris O"));
    assert_corpus(&d, corpus_with("O", "O", "O"));
    MUST(decides(&d, "bea", "paris"));
    assert_corpus(&d, corpus_with("B-LOC", "O", "O")); /* ada's stands again */
    desk_again(&d);
    assert_corpus(&d, corpus_with("B-LOC", "O", "O"));
    MUST(decides(&d, "ada", "paris"));
    assert_corpus(&d, DESK_NAMES);
    desk_end(&d);
}

/* The exceptions, as vouch review --decided reads them; free() it. */
static char *exceptions(struct open_desk *d)
{
    struct output *out = output_open_memory(&err);
    size_t length;
    MUST(desk_decided_table(d->desk, true, out, &err));
    const char *text = output_text(out, &length), *rows = strchr(text, '\n') + 1;
    char *copy = strndup(rows, length - (size_t)(rows - text));
    output_discard(out);
    return copy;
}

TEST_IN_FOLDER(exceptions_survive_whoever_decided_before_and_a_restart)
{
    struct open_desk d;
    begin(&d);
    MUST(decides(&d, "ada", "paris +, city +"));
    MUST(decides(&d, "bea", "paris -!"));
    MUST(decides(&d, "ada", "city -!"));
    for (int opened = 0; opened < 2; opened++, desk_again(&d)) {
        char *found = exceptions(&d);
        assert_string_equal(found, "names.txt\t4\t4\t1\tParis\tB-PER\tB-LOC\t-!\t0.5\tlabel\t\t\t\n"
                                   "names.txt\t6\t1\t2\tNew York\tO O\tB-LOC I-LOC\t-!\t0.5\tlabel\t\t\t\n");
        free(found);
        assert_corpus(&d, DESK_NAMES);
        assert_refused(&d, "ada", "york +", "two ways");
    }
    desk_end(&d);
}

TEST_IN_FOLDER(decisions_ask_for_learning_and_correct_whole_sentences)
{
    struct open_desk d;
    begin(&d);
    desk_end(&d);
    d.options.every = 2;
    MUST(desk_try(&d));
    MUST(decides(&d, "ada", "paris +"));
    learner_wait(d.learner);
    assert_int_equal(learner_state(d.learner, &d.desk->student).rounds, 0);
    MUST(decides(&d, "ada", "city LOC"));
    learner_wait(d.learner);
    assert_int_equal(learner_state(d.learner, &d.desk->student).rounds, 1);
    char *learned = desk_file(&d, "learn2");
    assert_string_equal(learned, "Ada B-PER\nlives O\nin O\nParis B-LOC\n\nNew B-LOC\nYork I-LOC\ngrows O\n\n");
    free(learned);
    desk_end(&d);
}

#define ROW(number, form, head, relation) #number "\t" form "\t_\tX\t_\t_\t" #head "\t" relation "\t_\t_\n"
#define TREE(dogs, bark, now) ROW(1, "dogs", dogs, "x") ROW(2, "bark", bark, "x") ROW(3, "now", now, "x") "\n"
static const char arcs[] =
    "{'identity':'i','round':1,'suspects':["
    "{" WHERE(cycle, 1, 1, 1, 1) "'text':'dogs','given':'2:x','proposed':'3:x','also':''},"
    "{" WHERE(roots, 1, 3, 3, 1) "'text':'now','given':'1:x','proposed':'0:x','also':''},"
    "{" WHERE(turned, 1, 2, 2, 1) "'text':'bark','given':'0:x','proposed':'3:x','also':'3:1:x->0:x'}]}";

TEST_IN_FOLDER(trees_stay_trees)
{
    struct open_desk d;
    desk_begin(&d, "names.txt", TREE(2, 0, 1));
    assert_true(d.desk->trees);
    list(&d, arcs);
    assert_refused(&d, "ada", "cycle +", "no cycle");
    assert_refused(&d, "ada", "cycle 1:x", "no cycle");
    assert_refused(&d, "ada", "cycle 4:x", "head from 0 to 3");
    assert_refused(&d, "ada", "cycle 2:unheard", "known labels");
    assert_refused(&d, "ada", "roots +", "one root");
    assert_refused(&d, "ada", "turned 1:x", "no cycle");
    MUST(decides(&d, "ada", "roots 2"));
    assert_corpus(&d, TREE(2, 0, 2));
    assert_refused(&d, "ada", "turned +", "two ways");
    MUST(decides(&d, "ada", "roots, turned +"));
    assert_corpus(&d, TREE(2, 3, 0));
    desk_end(&d);
}
