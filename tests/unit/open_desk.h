/* A desk over a small corpus in the test's folder, opened without a server. */
#ifndef VOUCH_TESTS_OPEN_DESK_H
#define VOUCH_TESTS_OPEN_DESK_H

#include "desk/desk_room.h"

#include "folder.h"
#include "must.h"

/* Labelled wholly: the second Paris is called otherwise than the first, and New York is not labelled. */
#define DESK_NAMES                                                                                                     \
    "Ada B-PER\nlives O\nin O\nParis B-PER\n\nNew O\nYork O\ngrows O\n\nZola B-PER\nsaw O\nParis B-LOC\n\n"

struct open_desk {
    struct desk_options options;
    char corpus[PATH_MAX];
    char *files[1];
    struct learner *learner;
    struct desk *desk;
    double seconds; /* what the desk's clock shows */
};

static inline double desk_clock(void *context)
{
    return *(double *)context;
}

/* Opens it, with what the caller has set in its options; false with the error. */
static inline bool desk_try(struct open_desk *d)
{
    d->files[0] = d->corpus;
    d->options.corpus = d->files;
    d->options.corpora = 1;
    d->options.threshold = 0.9;
    d->options.work = (struct work){.seed = 1, .threads = 1};
    d->options.clock = desk_clock;
    d->options.clock_context = &d->seconds;
    d->learner = learner_open(NULL, &err);
    MUST(d->learner);
    d->desk = desk_open(&d->options, d->learner, &err);
    return d->desk != NULL;
}

static inline void desk_end(struct open_desk *d)
{
    learner_close(d->learner);
    desk_close(d->desk);
    d->learner = NULL;
    d->desk = NULL;
}

static inline void desk_begin(struct open_desk *d, const char *name, const char *corpus)
{
    *d = (struct open_desk){0};
    snprintf(d->corpus, sizeof d->corpus, "%s", folder_put(name, corpus));
    MUST(desk_try(d));
}

/* Closes it, and opens it again. */
static inline void desk_again(struct open_desk *d)
{
    desk_end(d);
    MUST(desk_try(d));
}

/* The text of the file beside the store with that ending; free() it. */
static inline char *desk_file(const struct open_desk *d, const char *ending)
{
    char path[PATH_MAX + 40];
    snprintf(path, sizeof path, "%s-desk.%s", d->corpus, ending);
    char *text = folder_get(path);
    if (!text)
        fail_msg("%s is not there", path);
    return text;
}

/* JSON, in which ' stands for ". */
static inline json_t *json_of(const char *text)
{
    char *copy = strdup(text);
    for (char *c = copy; *c; c++)
        *c = *c == '\'' ? '"' : *c;
    json_t *value = json_loads(copy, 0, NULL);
    if (!value)
        fail_msg("%s is no JSON", copy);
    free(copy);
    return value;
}

/* Whether the desk takes a decision of an annotator. */
static inline bool desk_takes(struct open_desk *d, const char *annotator, const char *decision)
{
    json_t *body = json_of(decision);
    err = (struct vouch_error){0};
    json_t *result = desk_decide(d->desk, annotator, body, &err);
    json_decref(body);
    json_decref(result);
    return result != NULL;
}

/* The corpus with what was decided; free() it. */
static inline char *desk_corpus(struct open_desk *d)
{
    struct output *out = output_open_memory(&err);
    size_t length;
    MUST(desk_export(d->desk, &(struct export_request){0}, out, NULL, &err));
    const char *text = output_text(out, &length);
    char *copy = strndup(text, length);
    output_discard(out);
    return copy;
}

static inline void assert_corpus(struct open_desk *d, const char *expected)
{
    char *found = desk_corpus(d);
    assert_string_equal(found, expected);
    free(found);
}

/* Learns now; what was learned from decisions must be that text. */
static inline void assert_learned(struct open_desk *d, const char *expected)
{
    json_decref(desk_learn(d->desk, &err));
    learner_wait(d->learner);
    assert_string_equal(learner_state(d->learner, &d->desk->student).trouble, "");
    char *found = desk_file(d, "learn2");
    assert_string_equal(found, expected);
    free(found);
}

#endif
