/*
 * vouch review: what in a labelled corpus is probably wrong?
 */
#include "cli/answering.h"
#include "cli/cli.h"
#include "cli/review_apply.h"
#include "cli/review_list.h"
#include "cli/saving.h"
#include "cli/teller.h"

#include "base/path.h"
#include "model/confidence_model.h"
#include "options/reading_options.h"

#include <math.h>
#include <stdio.h>
#include <string.h>

/* Two voices, since the first proposes and the second has probabilities; few passes, before errors are known by heart.
 */
enum list_format { AS_TSV, AS_JSONL, AS_HTML };

/* One run of the command. */
struct run {
    const struct command *command;
    const struct settings *settings;
    enum review_level level;
    enum list_format as;
    struct reader_options reading;
    vouch_model *model;
    struct method_params params[MAX_LAYERS][MAX_VOICE_VIEWS]; /* of the model's layers, */
    bool tuned[MAX_LAYERS];                                   /* if it was calibrated */
    struct learning learning;
    struct learned_corpus corpus;
    struct trial trial[MAX_LAYERS][MAX_VOICES];
    struct held_out_plan lessons;
    struct held_out held;
    struct review review;
    struct suspects suspects; /* everything there is */
    size_t listed;            /* of which so many are of interest */
    struct teller teller;
    struct vouch_watch watch;
    struct vouch_error err;
};

static const char *const level_names[] = {"word", "chunk", "sentence"};

static void tell_learning(void *context, uint32_t done, uint32_t of)
{
    struct run *run = context;
    progress_draw(&run->teller.progress, "learning on parts", done, of, "");
}

static bool stop_learning(void *context)
{
    (void)context;
    return interrupt_seen();
}

static void tell_judging(void *context, uint32_t done, uint32_t of)
{
    struct run *run = context;
    progress_draw(&run->teller.progress, "judging", done, of, "");
}

/* Warns if the model has learned from the files: it would take their errors for right. */
static void warn_of_training_files(const struct run *run)
{
    char then[100];
    snprintf(then, sizeof then, "takes its errors for right: leave out -m, and use --task %s", run->model->task);
    answering_warn_of_training(run->settings, run->model, then);
}

static bool read_to_learn(struct run *run)
{
    struct labelled_files files = {.path = run->settings->argument, .paths = run->settings->arguments};
    bool ok = learned_corpus_read(&run->corpus, &run->learning, &files, &run->watch, &run->err);
    progress_clear(&run->teller.progress);
    if (ok)
        learned_corpus_tell(&run->corpus, &run->learning, &run->watch);
    return ok;
}

/* The files as a model sees them. */
static bool read_to_judge(struct run *run)
{
    struct labelled_files files = {.path = run->settings->argument, .paths = run->settings->arguments};
    return learned_corpus_borrow(&run->corpus, run->model, &run->reading, &files, &run->watch, &run->err);
}

static bool has_blank(struct text text)
{
    for (uint32_t i = 0; i < text.length; i++)
        if ((unsigned char)text.at[i] <= ' ')
            return true;
    return false;
}

/* Refuses labels that could not be listed, before the time is spent on learning. */
static bool check_labels(struct run *run)
{
    const struct learned_corpus *c = &run->corpus;
    bool parses = c->dataset.layers > 1;
    const struct dictionary *names = parses       ? &c->trees.relations.names
                                     : run->model ? &c->tags.dev.raw_names
                                                  : &c->tags.set.raw_names;
    if (run->level == REVIEW_CHUNKS && !c->dataset.rules)
        return fail(&run->err, VOUCH_ERR_ARGUMENT,
                    "--level: expected word or sentence, as these labels spell no chunks");
    for (uint32_t i = 1; run->as == AS_TSV && i <= names->table.count; i++) {
        struct text name = dictionary_text(names, i);
        if (has_blank(name))
            return fail(&run->err, VOUCH_ERR_FORMAT,
                        "label \"%.*s\" has a blank in it, which separates labels in a table: expected --as jsonl or "
                        "html",
                        excerpt(name), name.at);
    }
    return true;
}

/* Answers by models that have not learned from the sentences. */
static bool hold_out_answers(struct run *run)
{
    const struct settings *s = run->settings;
    if (run->model)
        return held_out_dev(&run->held, &run->corpus.dataset, run->model->layer, &run->err);
    for (uint32_t l = 0; l < MAX_LAYERS; l++)
        memcpy(run->trial[l], run->learning.trial, sizeof run->trial[l][0] * run->learning.trials);
    run->lessons =
        (struct held_out_plan){.dataset = &run->corpus.dataset,
                               .trial = (const struct trial(*)[MAX_VOICES])run->trial,
                               .voices = run->learning.trials,
                               .passes = (uint32_t)s->passes,
                               .seed = (uint64_t)s->seed,
                               .threads = (uint32_t)s->threads,
                               .parts = (uint32_t)s->folds,
                               .held = (uint32_t)s->folds,
                               .scattered = true,
                               .watch = !run->learning.parses, /* for arcs it tells less than their probability */
                               .tell = tell_learning,
                               .context = run,
                               .stop = stop_learning};
    return held_out_learn(&run->held, &run->lessons, &run->err);
}

/* The parameters of drawn models that the model was tuned to; those of all if it was not. */
static const struct method_params *params_of(const struct run *run, uint32_t layer)
{
    return run->tuned[layer] ? run->params[layer] : NULL;
}

static bool judge(struct run *run)
{
    const struct settings *s = run->settings;
    struct review_plan plan = {.held = &run->held,
                               .lessons = run->model ? NULL : &run->lessons,
                               .seed = (uint64_t)s->seed,
                               .threads = (uint32_t)s->threads,
                               .tell = tell_judging,
                               .context = run,
                               .stop = interrupt_seen};
    for (uint32_t l = 0; l < MAX_LAYERS; l++)
        plan.params[l] = params_of(run, l);
    bool ok = review_run(&run->review, &plan, &run->err) &&
              review_list(&run->review, &run->held, run->level, &run->suspects, &run->err);
    progress_clear(&run->teller.progress);
    return ok;
}

/* How many of `count` are asked for: "20", "5%" or "all"; 0 if it is none of these. */
static size_t how_many(const char *inspect, size_t count)
{
    char *end;
    double number = strtod(inspect, &end);
    bool share = strcmp(end, "%") == 0;
    if (strcmp(inspect, "all") == 0)
        return count;
    if (end == inspect || (*end && !share) || !(number > 0) || (share ? number > 100 : number != floor(number)))
        return 0;
    number = share ? ceil((double)count * number / 100) : number;
    return number < (double)count ? (size_t)number : count;
}

static bool writes_to_file(const struct settings *s)
{
    return s->output && strcmp(s->output, "-") != 0;
}

/* "corrected" with the extension of the corpus. */
static const char *corrected_name(const char *corpus, char *name, size_t room)
{
    static const char *const packed[] = {".gz", ".xz", ".zst", ".bz2"};
    const char *base = path_name(corpus);
    size_t length = strlen(base), from;
    for (size_t i = 0; i < sizeof packed / sizeof *packed; i++)
        if (length > strlen(packed[i]) && strcmp(base + length - strlen(packed[i]), packed[i]) == 0)
            length -= strlen(packed[i]);
    for (from = length; from > 0 && base[from - 1] != '.';)
        from--;
    snprintf(name, room, "corrected%s%.*s", from > 0 ? "." : "", from > 0 ? (int)(length - from) : 0, base + from);
    return name;
}

/* Says what to do with the list, and gives the command that applies it. */
static void next_step(const struct run *run, struct listing_talk *talk)
{
    const struct settings *s = run->settings;
    bool table = run->as == AS_TSV && writes_to_file(s);
    const char *name = table ? s->output : "suspects.tsv";
    char corrected[80], how[80] = "";
    size_t used = 0;
    if (run->reading.format != FORMAT_AUTO)
        used = (size_t)snprintf(how, sizeof how, " --format %s", format_name(run->reading.format));
    if (run->corpus.tags.format == FORMAT_CONLLU)
        snprintf(how + used, sizeof how - used, " --column %s", column_name(run->reading.column));
    else if (run->reading.gold > 0)
        snprintf(how + used, sizeof how - used, " --gold %d", run->reading.gold);
    snprintf(talk->next, sizeof talk->next, "%sput + (as proposed), - (as given) or %s into the decision column%s%.*s",
             table               ? ""
             : run->as == AS_TSV ? "write the list to a file (-o suspects.tsv), "
                                 : "write the list as a table (--as tsv -o suspects.tsv), ",
             !run->corpus.dataset.given       ? "labels of your own"
             : run->corpus.dataset.layers > 1 ? "HEAD:RELATION"
                                              : "HEAD",
             table ? " of " : "", table ? text_beginning(text_of(name), 100) : 0, name);
    snprintf(talk->command, sizeof talk->command, "vouch review --apply %s%s -o %s %s", name, how,
             corrected_name(s->argument[0], corrected, sizeof corrected), s->argument[0]);
}

/* Says how many items are listed of how many, and how many errors to expect. */
static bool expectation(struct run *run, struct listing_talk *talk)
{
    struct expected_errors among, all;
    if (!review_expect(&run->suspects, run->listed, &among, &run->err) ||
        !review_expect(&run->suspects, run->suspects.count, &all, &run->err))
        return false;
    snprintf(talk->expected, sizeof talk->expected,
             "%zu of %zu %ss, most suspect first; errors expected (and 90 %% intervals): %.0f (%.0f to %.0f) among "
             "them, %.0f (%.0f to %.0f) in all",
             run->listed, run->suspects.count, level_names[run->level], among.count, floor(among.least),
             ceil(among.most), all.count, floor(all.least), ceil(all.most));
    return true;
}

static bool write_list(struct run *run, const struct listing_talk *talk)
{
    struct listing_source source = {.settings = run->settings,
                                    .reading = run->reading,
                                    .corpus = &run->corpus,
                                    .held = &run->held,
                                    .dev = run->model != NULL,
                                    .parses = run->corpus.dataset.given != NULL,
                                    .review = &run->review,
                                    .suspect = run->suspects.item,
                                    .count = run->listed};
    for (uint32_t l = 0; l < MAX_LAYERS; l++)
        source.draws[l] = params_of(run, l) ? params_of(run, l)->draws : default_method_params.draws;
    struct listing listing;
    bool ok = listing_make(&listing, &source, &run->err);
    struct output *out = ok ? output_open(run->settings->output, &run->err) : NULL;
    ok = out != NULL;
    if (ok && run->as == AS_HTML)
        listing_write_page(&listing, talk, out);
    else
        ok = ok && (run->as == AS_TSV ? listing_write_tsv : listing_write_jsonl)(&listing, out, &run->err);
    listing_release(&listing);
    return output_close(out, ok, &run->err);
}

static bool report(struct run *run)
{
    struct listing_talk talk;
    const char *name = writes_to_file(run->settings) ? run->settings->output : NULL;
    run->listed = how_many(run->settings->inspect, run->suspects.count);
    next_step(run, &talk);
    if (!expectation(run, &talk) || !write_list(run, &talk))
        return false;
    if (!run->settings->quiet)
        showf(stderr, "%s%s%s\nnext: %s, then: %s%s\n", name ? name : "", name ? ": " : "", talk.expected, talk.next,
              talk.command, run->settings->arguments > 1 ? ", and so for each file" : "");
    return true;
}

static bool open_model(struct run *run)
{
    run->model = vouch_model_open(run->settings->model, &run->err);
    if (!run->model)
        return false;
    warn_of_training_files(run);
    bool ok = true;
    for (uint32_t l = 0; ok && l < run->model->layers; l++)
        ok = confidence_model_params(run->model, l, run->params[l], &run->tuned[l], &run->err);
    return ok;
}

static int run_review(struct run *run)
{
    const struct settings *s = run->settings;
    run->watch = teller_watch(&run->teller, s);
    interrupt_catch();
    bool ok = (!writes_to_file(s) || saving_possible(s->output, s, &run->err)) &&
              (s->model ? open_model(run) && read_to_judge(run) : read_to_learn(run)) && check_labels(run) &&
              hold_out_answers(run) && judge(run) && report(run);
    if (!ok)
        progress_clear(&run->teller.progress);
    suspects_release(&run->suspects);
    review_release(&run->review);
    held_out_release(&run->held);
    learned_corpus_release(&run->corpus);
    vouch_model_close(run->model);
    return ok ? EXIT_DONE : failed(run->command, &run->err);
}

static int choose_list(struct run *run)
{
    const struct settings *s = run->settings;
    const char *level = strcmp(s->level, "entity") == 0 ? "chunk" : s->level;
    static const char *const formats[] = {"tsv", "jsonl", "html"};
    size_t l = 0, f = 0;
    while (l < 3 && strcmp(level, level_names[l]) != 0)
        l++;
    while (f < 3 && strcmp(s->as, formats[f]) != 0)
        f++;
    if (l == 3)
        return misuse_value(run->command, "level", "word, chunk, entity or sentence", s->level);
    if (f == 3)
        return misuse_value(run->command, "as", "tsv, jsonl or html", s->as);
    if (how_many(s->inspect, 1) == 0)
        return misuse(run->command, "--inspect: expected a number, a share as in 5%%, or all, found '%s'", s->inspect);
    run->level = (enum review_level)l;
    run->as = (enum list_format)f;
    return EXIT_DONE;
}

/* The options of two forms of the command; the third, learning, takes all. */
static const char *const for_model[] = {"model",  "task", "level",   "inspect", "as",   "output", "format", "gold",
                                        "column", "seed", "threads", "quiet",   "help", "usage",  NULL};
static const char *const for_apply[] = {"apply",  "new-labels", "model", "task", "output", "format", "gold",
                                        "column", "threads",    "quiet", "help", "usage",  NULL};

/* Refuses options that would do nothing. */
static int check_form(const struct command *command, const struct settings *s)
{
    for (const struct option_spec *spec = command->table->option; spec->name; spec++) {
        if (!settings_given(s, command->table, spec->name))
            continue;
        if (s->apply && !option_among(spec->name, for_apply))
            return misuse(command, "--%s is for making a list, not for --apply", spec->name);
        if (!s->apply && s->model && !option_among(spec->name, for_model))
            return misuse(command, "--%s is for learning from the files by --task, not for -m", spec->name);
    }
    return EXIT_DONE;
}

/* Files are read once for learning or judging, and once more for their words. */
static int check_files(const struct command *command, const struct settings *s)
{
    return s->arguments ? files_check(command, s) : misuse(command, "expected at least one labelled file");
}

/* How to read the files: as a model does, or to learn from them. */
static bool prepare_reading(struct run *run)
{
    if (run->settings->model)
        return reading_options(run->settings, &run->reading, &run->err);
    if (!learning_prepare(&run->learning, run->settings, '+', MAX_VOICES, &run->err))
        return false;
    run->reading = run->learning.parses ? run->learning.trees.reading : run->learning.tags.reading;
    return true;
}

static int review(const struct command *command, struct settings *settings)
{
    struct run run = {.command = command, .settings = settings};
    int status = check_files(command, settings);
    if (status == EXIT_DONE)
        status = check_form(command, settings);
    if (status == EXIT_DONE && settings->apply)
        return review_apply(command, settings);
    if (status == EXIT_DONE && settings->new_labels)
        status = misuse(command, "--new-labels is for decisions: expected --apply");
    if (status == EXIT_DONE && settings->model && settings->task)
        status = misuse(command, "expected -m or --task, not both");
    if (status == EXIT_DONE && !settings->model && !settings->task)
        status = misuse(command, "expected -m MODEL, or --task np, chunk, ner, pos or dep");
    if (status == EXIT_DONE)
        status = choose_list(&run);
    if (status == EXIT_DONE && !prepare_reading(&run))
        status = misused(command, &run.err);
    if (status == EXIT_DONE)
        status = run_review(&run);
    learning_release(&run.learning);
    return status;
}

const struct command review_command = {
    .name = "review",
    .arguments = "-m MODEL CORPUS... | --task TASK CORPUS... | --apply TABLE CORPUS",
    .summary = "find what is probably mislabelled in a corpus, and correct it",
    .about = "Judges every label that CORPUS gives by models that did not learn from its sentence, and lists the most "
             "suspect with what is proposed instead, why, and the estimated probability that the corpus is wrong. With "
             "--task the models are learned from the files themselves, each part judged by what was learned from the "
             "others. Decide on each row of the table: + takes the proposal, - leaves the corpus as it is, anything "
             "else is what to write; --apply then writes the corpus with these changes, all other bytes as they were.",
    .example = "  vouch review --task ner -o suspects.tsv train.txt\n"
               "  vouch review --task ner --level entity --inspect 200 --as html -o suspects.html train.txt\n"
               "  vouch review --apply suspects.tsv -o corrected.txt train.txt\n",
    .table = &review_options,
    .run = review,
};
