/*
 * Tests the rules of option tables: what a command line must have, what it must not, and the messages. Names in the
 * rules and groups of all commands are those of options, and values those that can be set, so that none is checked or
 * shown in vain.
 */
#include "cli/cli.h"

#include "test.h"

struct pie {
    struct options common;
    const char *output, *fruit;
    enum size { SMALL, LARGE } size;
    bool hot;
    const char *recipe;
    struct text_list fillings;
};
#define OPTIONS struct pie

static const struct option_spec rows[] = {
    OPTION_OUTPUT,
    WORD("fruit", 0, fruit, "NAME", "apple, pear or plum", OPTION_MATTERS, "what is in it"),
    CHOICE("size", 0, size, "SIZE", "small or large", OPTION_MATTERS, "how large it is"),
    FLAG("hot", 0, hot, OPTION_MATTERS, "out of the oven"),
    TEXT("recipe", 0, recipe, "FILE", OPTION_READ, "how it is made"),
    TEXT("filling", 0, fillings, "NAME=FILE", OPTION_READ | OPTION_REPEATS, "what is put in"),
    OPTIONS_END,
};

static const struct option_rule rules[] = {
    {NULL, "output hot", "output=-", "expected -o or --hot"},
    {"hot", NULL, "ranks", "--%s is not for ranks"},
    {"hot fruit", "file", NULL, "--%s: expected a file"},
    {"size=large", NULL, "hot", "a %s one: expected no --hot"},
    {"hot", NULL, "files", "expected one file, found %s"},
    {"file", "file=next", NULL, "expected next, found %s"},
    {0},
};

static const struct pie usual = {.common = USUAL_COMMON, .fruit = "apple"};
static const struct option_table table = {"pie", rows, &usual, sizeof usual, NULL, rules};

static struct vouch_error err;

static bool set(struct pie *pie, const char *name, const char *value)
{
    return option_set(pie, option_named(&table, name, &err), value, &err);
}

/* Checks what is said of a command line; "": it is as it must be. */
static void expect(const struct pie *pie, const char *message)
{
    err.message[0] = '\0';
    assert_int_equal(options_agree(pie, &err), !*message);
    assert_string_equal(err.message, message);
}

TEST(files_are_those_of_texts_and_lists)
{
    struct pie pie;
    options_init(&table, &pie);
    const struct option_spec *recipe = option_named(&table, "recipe", &err);
    const struct option_spec *filling = option_named(&table, "filling", &err);
    assert_null(option_file(&pie, recipe, 0));
    assert_null(option_file(&pie, filling, 0));
    assert_true(set(&pie, "recipe", "a=b"));
    assert_true(set(&pie, "filling", "sweet=plums"));
    assert_true(set(&pie, "filling", "sour=x=y"));
    assert_string_equal(option_file(&pie, recipe, 0), "a=b");
    assert_null(option_file(&pie, recipe, 1));
    assert_string_equal(option_file(&pie, filling, 0), "plums");
    assert_string_equal(option_file(&pie, filling, 1), "x=y");
    assert_null(option_file(&pie, filling, 2));
}

TEST(rules_ask_for_options)
{
    struct pie pie;
    options_init(&table, &pie);
    expect(&pie, "expected -o or --hot");
    assert_true(set(&pie, "output", "-"));
    expect(&pie, "expected -o or --hot");
    assert_true(set(&pie, "output", "out"));
    expect(&pie, "");
    assert_true(set(&pie, "fruit", "apple")); /* though it is the default */
    expect(&pie, "--fruit: expected a file");
}

TEST(rules_ask_for_files)
{
    struct pie pie;
    char *argument[] = {"next", "other"};
    options_init(&table, &pie);
    assert_true(set(&pie, "hot", NULL));
    expect(&pie, "--hot: expected a file");
    pie.common.argument = argument;
    pie.common.arguments = 1;
    expect(&pie, "");
    pie.common.arguments = 2;
    expect(&pie, "expected one file, found 2");
    pie.common.argument = argument + 1;
    pie.common.arguments = 1;
    expect(&pie, "expected next, found other");
}

TEST(rules_look_at_values_and_ranks)
{
    struct pie pie;
    char *argument[] = {"next"};
    struct ranks ranks = {.count = 2};
    options_init(&table, &pie);
    pie.common.argument = argument;
    pie.common.arguments = 1;
    assert_true(set(&pie, "hot", NULL) && set(&pie, "size", "large"));
    expect(&pie, "a large one: expected no --hot");
    assert_true(set(&pie, "size", "small"));
    expect(&pie, "");
    pie.common.work.ranks = &ranks;
    expect(&pie, "--hot is not for ranks");
}

TEST(words_are_checked_when_they_are_set)
{
    struct pie pie;
    options_init(&table, &pie);
    assert_true(set(&pie, "fruit", "plum"));
    assert_string_equal(pie.fruit, "plum");
    assert_false(set(&pie, "fruit", "plumb"));
    assert_string_equal(err.message, "--fruit: expected apple, pear or plum, found 'plumb': did you mean 'plum'?");
    assert_string_equal(pie.fruit, "plum");
}

static const struct command *const commands[] = {
    &train_command,      &tune_command,   &tag_command,    &parse_command, &eval_command,   &trade_command,
    &forecast_command,   &review_command, &active_command, &draws_command, &sample_command, &split_command,
    &experiment_command, &info_command,   &dump_command,   &load_command,  &import_command, &judge_command};
enum { COMMANDS = sizeof commands / sizeof *commands };

/*
 * Whether a word of a list is an option of a table, with a value that can be set if there is one, or one of those that
 * rules have beside them.
 */
static bool is_known(const struct option_table *of, const char *word)
{
    char name[64], *value;
    snprintf(name, sizeof name, "%.*s", (int)strcspn(word, " "), word);
    if ((value = strchr(name, '=')))
        *value++ = '\0';
    if (strcmp(name, "file") == 0 || (!value && (strcmp(name, "files") == 0 || strcmp(name, "ranks") == 0)))
        return true;
    const struct option_spec *spec = option_named(of, name, &err);
    void *options = calloc(1, of->size);
    options_init(of, options);
    bool known = spec && (!value || option_set(options, spec, value, &err));
    free(options);
    return known;
}

/* Checks the words of a list; those of rules that two commands share may be known to one of them. */
static void check_list(const struct option_table *of, const char *list)
{
    for (; list && *list; list += strcspn(list, " "), list += strspn(list, " ")) {
        bool known = is_known(of, list);
        for (size_t c = 0; c < COMMANDS; c++)
            if (of->rule && commands[c]->table->rule == of->rule)
                known = known || is_known(commands[c]->table, list);
        if (!known)
            fail_msg("vouch %s has no option, or no value, %s", of->command, list);
    }
}

TEST(a_value_that_cannot_be_set_is_noticed)
{
    assert_true(is_known(&table, "size=large hot"));
    assert_false(is_known(&table, "size=huge hot"));
    assert_false(is_known(&table, "fruit=plumb"));
    assert_false(is_known(&table, "colour"));
}

TEST(rules_and_groups_name_options_and_their_values)
{
    for (size_t c = 0; c < COMMANDS; c++) {
        const struct option_table *of = commands[c]->table;
        for (const struct option_rule *rule = of->rule; rule && rule->message; rule++) {
            check_list(of, rule->with);
            check_list(of, rule->needs);
            check_list(of, rule->excludes);
        }
        for (const struct option_group *group = of->group; group && group->title; group++)
            check_list(of, group->names);
    }
}
