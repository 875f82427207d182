/* Implements vouch store: looking after the file in which annotators' decisions are kept, from the command line. */
#include "cli/shared.h"

#include "store/store.h"

#include <inttypes.h>
#include <math.h>
#include <string.h>

struct store_options {
    struct options common;
    struct reading_values reading;
    const char *output, *document, *annotator, *open;
    enum store_merge merge;
    bool trees, unlabelled, decided, states, json;
};

#define OPTIONS struct store_options
/* clang-format off */
static const struct option_spec option[] = {
    TEXT("document", 0, document, "NAME", OPTION_MATTERS,
     "export: which one; add: what it is called there, if not by its path"),
    TEXT("annotator", 0, annotator, "NAME", OPTION_MATTERS,
     "export: what this one decided alone; add: the labels of CORPUS are this one's decisions about a document that " \
     "is there, which has the same words"),
    CHOICE("merge", 0, merge, "HOW", "latest, majority or agreed", OPTION_MATTERS,
     "export: of a word that several decided on, what the latest said, what most said, or what all said; otherwise " \
     "it stays as it was"),
    FLAG("decided", 0, decided, OPTION_MATTERS, "export: only sentences with a word that was decided on"),
    TEXT("open", 0, open, "LABEL", OPTION_MATTERS,
     "export: write this for words that were not decided on; in JSON lines they are null"),
    FLAG("states", 0, states, OPTION_MATTERS,
     "export: every sentence tells whether it is unseen, unchanged, changed, skipped or flagged"),
    OPTION_OUTPUT_WITH("export: write here instead of standard output; vacuum: leave FILE as it is, and write a copy"),
    FLAG("trees", 0, trees, OPTION_MATTERS, "add: the corpus has trees"),
    FLAG("unlabelled", 0, unlabelled, OPTION_MATTERS, "add: no column of the corpus has labels"),
    OPTION_FORMAT,
    OPTION_GOLD,
    OPTION_JSON,
    OPTIONS_END,
};

static const struct option_rule rule[] = {
    {NULL, "file=check file=export file=vacuum file=add", NULL,
     "expected check, export, vacuum or add, then the store, found %s arguments"},
    {"merge decided open states", "file=export", NULL, "--%s is for 'vouch store export'"},
    {"document annotator", "file=export file=add", NULL, "--%s is for 'vouch store export' and 'add'"},
    {"output", "file=export file=vacuum", NULL, "--%s is for 'vouch store export' and 'vacuum'"},
    {"trees unlabelled format column gold", "file=add", NULL, "--%s is for 'vouch store add'"},
    {"json", "file=check", NULL, "--%s is for 'vouch store check'"},
    {"annotator", NULL, "merge", "--%s alone has nothing to merge: expected no --merge"},
    {NULL, "files", NULL, "expected the file of the store"},
    {0},
};
/* clang-format on */

static const struct store_options usual = {.common = USUAL_COMMON};
static const struct option_table store_options = {"store", option, &usual, sizeof usual, NULL, rule};

/* ---- check ---- */

struct checked {
    const struct store_options *options;
    json_t *problems;
    uint64_t documents, words, annotators;
};

static bool note_problem(void *context, const char *problem, struct vouch_error *err)
{
    struct checked *c = context;
    if (!c->options->json)
        showf(stdout, "%s\n", problem);
    return json_array_append_new(c->problems, saving_text(problem)) == 0 || fail_memory(err);
}

static bool count_document(void *context, const struct store_document *document, struct vouch_error *err)
{
    struct checked *c = context;
    (void)err;
    c->documents++;
    c->words += document->words;
    return true;
}

static bool count_annotator(void *context, const struct store_annotator *annotator, struct vouch_error *err)
{
    (void)annotator;
    (void)err;
    ((struct checked *)context)->annotators++;
    return true;
}

/* Prints what is in a store that is whole. */
static bool show_content(struct checked *c, struct store *store, struct vouch_error *err)
{
    int64_t last;
    uint64_t decisions, state[SENTENCE_STATES], sentences = 0;
    if (!store_documents(store, count_document, c, err) || !store_annotators(store, count_annotator, c, err) ||
        !store_last_decision(store, &last, &decisions, err) || !store_count_states(store, 0, state, err))
        return false;
    for (int i = 0; i < SENTENCE_STATES; i++)
        sentences += state[i];
    if (c->options->json) {
        json_t *states = json_object();
        for (int i = 0; i < SENTENCE_STATES; i++)
            json_object_set_new(states, sentence_state_name((enum sentence_state)i),
                                json_integer((json_int_t)state[i]));
        show_json(json_pack("{s:o, s:I, s:I, s:I, s:o, s:I, s:I}", "problems", json_incref(c->problems), "documents",
                            (json_int_t)c->documents, "sentences", (json_int_t)sentences, "words",
                            (json_int_t)c->words, "states", states, "annotators", (json_int_t)c->annotators,
                            "decisions", (json_int_t)decisions),
                  6);
        return true;
    }
    printf("whole: %" PRIu64 " document%s, %" PRIu64 " sentence%s (", c->documents, s_if_many(c->documents), sentences,
           s_if_many(sentences));
    for (int i = 0; i < SENTENCE_STATES; i++)
        printf("%s%" PRIu64 " %s", i ? ", " : "", state[i], sentence_state_name((enum sentence_state)i));
    printf("), %" PRIu64 " decision%s of %" PRIu64 " annotator%s\n", decisions, s_if_many(decisions), c->annotators,
           s_if_many(c->annotators));
    return true;
}

static bool check(const struct store_options *s, const char *path, struct vouch_error *err)
{
    struct checked c = {.options = s, .problems = json_array()};
    struct store *store = store_open(path, STORE_BESIDE, err);
    bool ok = store && store_check(store, note_problem, &c, err);
    size_t found = json_array_size(c.problems);
    if (ok && found && s->json)
        show_json(json_pack("{s:o}", "problems", json_incref(c.problems)), 6);
    ok = ok && (!found || fail(err, VOUCH_ERR_FORMAT, "%s: expected a store that is whole, found %zu problem%s", path,
                               found, s_if_many(found))) &&
         show_content(&c, store, err);
    store_close(store);
    json_decref(c.problems);
    return ok;
}

/* ---- export ---- */

/* The document of a name, or the only one. */
struct found_document {
    const char *name;
    int64_t id;
    uint64_t count;
    struct reader_options reading;
};

static bool look_at_document(void *context, const struct store_document *document, struct vouch_error *err)
{
    struct found_document *f = context;
    (void)err;
    if (f->name && strcmp(f->name, document->name) != 0)
        return true;
    f->count++;
    f->id = document->id;
    f->reading = document->reading;
    return true;
}

static bool find_document(struct store *store, struct found_document *f, struct vouch_error *err)
{
    if (!store_documents(store, look_at_document, f, err))
        return false;
    if (f->count == 0)
        return fail(err, VOUCH_ERR_ARGUMENT, "%s: expected a document%s%s%s, found none", store_path(store),
                    f->name ? " '" : "", f->name ? f->name : "", f->name ? "'" : "");
    return f->count == 1 || fail(err, VOUCH_ERR_ARGUMENT,
                                 "%s: expected --document NAME, as the store has %" PRIu64 " documents",
                                 store_path(store), f->count);
}

static bool find_annotator(struct store *store, const char *name, int64_t *id, struct vouch_error *err)
{
    *id = 0;
    return !name || (store_find_annotator(store, name, NULL, id, err) &&
                     (*id || fail(err, VOUCH_ERR_ARGUMENT, "%s: expected an annotator of the store, found '%s'",
                                  store_path(store), name)));
}

static bool export(const struct store_options *s, const char *path, struct vouch_error *err)
{
    struct store *store = store_open(path, STORE_READ, err);
    struct store_export what = {.answers = {.merge = s->merge},
                                .decided_only = s->decided,
                                .open = s->open,
                                .states = s->states};
    struct found_document document = {.name = s->document};
    struct output *out = NULL;
    bool ok = store && find_document(store, &document, err) &&
              find_annotator(store, s->annotator, &what.answers.annotator, err);
    what.answers.document = document.id;
    ok = ok && (out = output_open(s->output, err)) && store_export(store, &what, out, err);
    ok = output_close(out, ok, err);
    store_close(store);
    return ok;
}

/* ---- vacuum and add ---- */

static bool vacuum(const struct store_options *s, const char *path, struct vouch_error *err)
{
    struct store *store = store_open(path, s->output ? STORE_READ : STORE_WRITE, err);
    bool ok = store && store_vacuum(store, s->output, err);
    store_close(store);
    return ok;
}

/* The sentences of a document, to which the labels of a file are compared. */
struct addressed {
    struct sentence_address {
        int64_t id;
        uint64_t words_digest;
    } *at;
    size_t count, capacity;
};

static bool note_address(void *context, const struct store_sentence *sentence, struct vouch_error *err)
{
    struct addressed *a = context;
    if (!RESERVE(a->at, a->capacity, a->count + 1, err))
        return false;
    a->at[a->count++] = (struct sentence_address){sentence->id, sentence->words_digest};
    return true;
}

/* What a file says of a document. It is read twice, so that nothing is decided if a sentence of it does not fit. */
struct adding {
    struct store *store;
    int64_t annotator; /* 0: sentences are only looked at */
    struct addressed all;
    struct sentence sentence;
    struct text *label; /* [N] of the sentence at hand, at NULL where it is open */
    size_t capacity;
};

/* Adds the labels of the sentence at hand as a decision, unless all are open. */
static bool add_decision(struct adding *a, size_t place, const struct reader *reader, struct vouch_error *err)
{
    const struct sentence *s = &a->sentence;
    int64_t id;
    if (!s->labelled)
        return fail_without_gold(reader, s, err);
    if (place >= a->all.count || a->all.at[place].words_digest != sentence_words_digest(s)) {
        fail(err, VOUCH_ERR_FORMAT, "expected the words of the document in the store, found others");
        return reader_blame(reader, s, err);
    }
    if (!a->annotator || s->open == s->N)
        return true;
    if (!RESERVE(a->label, a->capacity, s->N, err))
        return false;
    for (uint32_t i = 0; i < s->N; i++)
        a->label[i] = s->gold[i].length ? s->gold[i] : (struct text){NULL, 0};
    struct store_decision decision = {.annotator = a->annotator,
                                      .sentence = a->all.at[place].id,
                                      .kind = DECISION_EDIT,
                                      .after = {.words = s->N, .label = a->label, .head = s->tree ? s->head : NULL},
                                      .confidence = NAN,
                                      .seconds = NAN};
    return store_decide(a->store, &decision, &id, err) || reader_blame(reader, s, err);
}

static bool walk(struct adding *a, const char *path, const struct reader_options *reading, struct vouch_error *err)
{
    struct reader *reader = reader_open(path, reading, err);
    enum reading state = READ_FAILED;
    size_t place = 0;
    bool ok = reader != NULL;
    while (ok && (state = reader_next(reader, &a->sentence, err)) == READ_SENTENCE) {
        if (a->sentence.boundary || a->sentence.rest)
            continue;
        ok = a->sentence.N == 0 || add_decision(a, place, reader, err);
        place++;
    }
    reader_close(reader);
    return ok && state == READ_END;
}

static bool add_decisions(struct store *store, const struct store_options *s, const char *path,
                          const struct reader_options *reading, struct vouch_error *err)
{
    struct found_document document = {.name = s->document};
    struct adding a = {.store = store};
    bool ok = find_document(store, &document, err) && store_sentences(store, document.id, note_address, &a.all, err) &&
              walk(&a, path, reading, err) && store_add_annotator(store, s->annotator, NULL, &a.annotator, err) &&
              walk(&a, path, reading, err);
    sentence_release(&a.sentence);
    free(a.label);
    free(a.all.at);
    return ok;
}

static bool add(const struct store_options *s, char **path, size_t paths, struct vouch_error *err)
{
    struct reader_options reading;
    if (paths < 2)
        return fail(err, VOUCH_ERR_ARGUMENT, "expected a store and the files to add");
    if (!reading_options(&s->reading, &reading, err))
        return false;
    reading.trees = s->trees;
    reading.partial = s->annotator != NULL;
    if (s->unlabelled)
        reading.gold = GOLD_NONE;
    struct store *store = store_open(path[0], STORE_WRITE, err);
    bool ok = store != NULL;
    for (size_t i = 1; ok && i < paths; i++) {
        int64_t id;
        ok = s->annotator ? add_decisions(store, s, path[i], &reading, err)
                          : store_add_file(store, path[i], s->document, &reading, &id, err);
    }
    store_close(store);
    return ok;
}

static int run(void *options, struct vouch_error *err)
{
    const struct store_options *s = options;
    const char *what = s->common.argument[0];
    char **path = s->common.argument + 1;
    size_t paths = s->common.arguments - 1;
    if (strcmp(what, "add") == 0)
        return done_if(add(s, path, paths, err));
    if (paths != 1) {
        fail(err, VOUCH_ERR_ARGUMENT, "expected one store, found %zu files", paths);
        return EXIT_MISUSE;
    }
    if (strcmp(what, "check") == 0)
        return done_if(check(s, path[0], err));
    if (!saving_possible(s, err))
        return EXIT_FAILED;
    return done_if(strcmp(what, "export") == 0 ? export(s, path[0], err) : vacuum(s, path[0], err));
}

const struct command store_command = {
    .name = "store",
    .arguments = "check FILE | export FILE | vacuum FILE | add FILE CORPUS...",
    .summary = "look after a store: the file that keeps what annotators decide",
    .about = "Looks after the store of vouch serve, which keeps documents, annotators and everything that they decided "
             "in one SQLite file. check reads all of it and says whether it is whole, and what is in it. export writes "
             "a document with what was decided: sentences in which nothing changed byte for byte as they were read, "
             "others with their labels or heads replaced. vacuum gives back space that is not used any more, or writes "
             "a copy. add puts files into a store, which it makes if there is none; with --annotator, what a file "
             "says becomes this annotator's decisions. check and export, and vacuum -o, can be used while a server "
             "has the store.",
    .example = "  vouch store check corpus.sqlite\n"
               "  vouch store export corpus.sqlite -o corrected.conll\n"
               "  vouch store export corpus.sqlite --annotator ann --decided --states -o ann.conll\n"
               "  vouch store vacuum corpus.sqlite -o copy.sqlite\n"
               "  vouch store add corpus.sqlite train.conll test.conll\n"
               "  vouch store add corpus.sqlite --document train.conll --annotator ann train-by-ann.conll\n",
    .table = &store_options,
    .run = run,
    .reads_twice = true,
};
