/*
 * Tests answering a stream: the same answers in the same order, the same
 * errors, and no answer held back, whatever the number of threads; with the
 * text around as well, but for answers that are held back by stretches.
 */
#include "answer/answer_stream.h"

#include "base/buffer.h"
#include "text/writer.h"
#include "sample/sample.h"
#include "task/arc_features.h"

#include "must.h"
#include "sample_file.h"
#include "small_models.h"
#include "test.h"

#include <pthread.h>
#include <unistd.h>

enum { MOST_THREADS = 8, NEVER = -1 };

/* A sink that writes answers to memory, and may send the next question. */
struct notes {
    struct output *out;
    struct writer_options writing;
    int taken;
    int fails_at; /* the sentence whose answer it refuses, or NEVER */
    pthread_t caller;
    int elsewhere;               /* answers that came on another thread than the caller's */
    const char *const *question; /* up to a NULL: bytes to write when a sentence has been answered; or NULL */
    int to;                      /* where to write them */
};

static void ask(struct notes *notes)
{
    const char *bytes = *notes->question++;
    if (!bytes)
        close(notes->to);
    else if (write(notes->to, bytes, strlen(bytes)) < 0)
        notes->question += strlen(bytes); /* cannot happen: the reader is in this process */
}

static bool take(void *context, const struct sentence *sentence, const struct vouch_answer *answer,
                 struct vouch_error *why)
{
    struct notes *notes = context;
    notes->elsewhere += !pthread_equal(notes->caller, pthread_self());
    if (notes->taken == notes->fails_at)
        return fail(why, VOUCH_ERR_IO, "answer %d is not wanted", notes->taken);
    notes->taken++;
    if (notes->question)
        ask(notes);
    struct marks marks = {.confidences = answer->confidences};
    return write_sentence(notes->out, &notes->writing, sentence, answer->head, answer->label, &marks, why);
}

static vouch_model *tagger, *parser, *calibrated; /* the last can estimate confidence with the text around */

FIXTURE(make_models)
{
    static const char *const voices[] = {"cw", "crf", NULL};
    if (folder_make(state) != 0)
        return -1;
    tagger = vouch_model_open(small_tagger("tagger", voices, NULL), NULL);
    parser = vouch_model_open(small_parser("parser", voices, NULL), NULL);
    calibrated = learn_quickly("ner", put_sample("sample", SAMPLE_NER, 0, 150));
    return tagger && parser && calibrated ? 0 : -1;
}

FIXTURE(remove_models)
{
    vouch_model_close(tagger);
    vouch_model_close(parser);
    vouch_model_close(calibrated);
    return folder_remove(state);
}

FILE_FIXTURE(make_models, remove_models);

struct run {
    const vouch_model *model;
    enum format format;
    const char *asked; /* methods of confidence, or NULL */
    uint32_t threads;
};

/* Answers a file; returns what was written, to be freed. */
static char *answer_file(const struct run *run, const char *path, struct notes *notes, bool *ok)
{
    struct reader_options reading = {.format = run->format, .gold = GOLD_NONE, .trees = run->model == parser};
    struct estimate_request request = {.methods = run->asked};
    struct answer_sink sink = {.take = take, .context = notes};
    err = (struct vouch_error){0};
    struct reader *reader = reader_open(path, &reading, &err);
    MUST(reader);
    struct estimator *estimator = run->asked ? estimator_new(run->model, &request, &err) : NULL;
    MUST(!run->asked || estimator);
    notes->out = output_open_memory(&err);
    MUST(notes->out);
    notes->writing = writer_options_for(reader);
    notes->caller = pthread_self();
    *ok = answer_stream(&(struct vouch_request){.model = run->model, .estimator = estimator, .threads = run->threads},
                        reader, &sink, &err);
    assert_int_equal(notes->elsewhere, 0);
    size_t length;
    const char *text = output_text(notes->out, &length);
    char *copy = new_string(text, length, NULL);
    assert_non_null(copy);
    output_discard(notes->out);
    estimator_free(estimator);
    reader_close(reader);
    return copy;
}

/* Sentences of one to five words and, among them, some of a thousand; more than are ever in flight. */
static const char *unequal_sentences(uint32_t count, const char *name)
{
    static const char *const word[] = {"Ada NNP", "saw VBD", "the DT", "bridge NN", "of IN", "York NNP"};
    const char *path = folder_file(name);
    FILE *file = fopen(path, "w");
    assert_non_null(file);
    for (uint32_t i = 0; i < count; i++) {
        uint32_t N = i % 197 == 13 ? 1000 : 1 + i % 5;
        for (uint32_t w = 0; w < N; w++)
            fprintf(file, "%s\n", word[(i * 7 + w * w) % 6]);
        fprintf(file, "\n");
    }
    assert_int_equal(fclose(file), 0);
    return path;
}

TEST(threads_give_the_same_answers_in_the_same_order)
{
    const struct run asked[] = {{tagger, FORMAT_CONLL, NULL, 0},
                                {tagger, FORMAT_CONLL, "gamma,delta", 0},
                                {calibrated, FORMAT_CONLL, "committee+text", 0}};
    enum { SENTENCES = SANITIZED ? 1300 : 2500 };
    const char *path = unequal_sentences(SENTENCES, "unequal");
    for (size_t m = 0; m < sizeof asked / sizeof *asked; m++) {
        char *expected = NULL;
        for (uint32_t threads = 1; threads <= MOST_THREADS; threads = threads == 3 ? 8 : threads + 1) {
            struct notes notes = {.fails_at = NEVER};
            struct run run = asked[m];
            run.threads = threads;
            bool ok;
            char *text = answer_file(&run, path, &notes, &ok);
            MUST(ok);
            assert_int_equal(notes.taken, SENTENCES);
            if (expected)
                assert_true(strcmp(text, expected) == 0);
            else
                expected = strdup(text);
            free(text);
        }
        free(expected);
    }
}

/* `count` good lines, a bad one, and some more. */
static const char *lines_with_a_bad_one(const char *good, uint32_t count, const char *bad)
{
    const char *path = folder_file("lines");
    FILE *file = fopen(path, "w");
    assert_non_null(file);
    for (uint32_t i = 0; i < count; i++)
        fprintf(file, "%s\n", good);
    fprintf(file, "%s\n", bad);
    for (uint32_t i = 0; i < 40; i++)
        fprintf(file, "%s\n", good);
    assert_int_equal(fclose(file), 0);
    return path;
}

/*
 * Positions around the beginning, around what is read at once, around what may be in flight, and around the end of a
 * stretch.
 */
static const uint32_t positions[] = {0, 1, 2, 3, 15, 16, 17, 31, 32, 33, 499, 500, 501, 511, 512, 513, 1300};
enum { POSITIONS = sizeof positions / sizeof *positions };

static size_t positions_apart(void)
{
    return in_a_hurry() ? 8 : SANITIZED ? 3 : 1;
}

/* One thread to eight; under sanitizers one and four, or one, two, four and eight, and fewer positions. */
static uint32_t more_threads(uint32_t threads)
{
    return in_a_hurry() ? threads * 4 : SANITIZED ? threads * 2 : threads + 1 + threads / 4;
}

static void try_bad_line(const vouch_model *model, const char *asked, const char *good, const char *bad,
                         const char *message)
{
    for (size_t p = 0; p < POSITIONS; p += positions_apart()) {
        const char *path = lines_with_a_bad_one(good, positions[p], bad);
        char expected[600];
        snprintf(expected, sizeof expected, "%s:%u: %s", path, positions[p] + 1, message);
        for (uint32_t threads = 1; threads <= MOST_THREADS; threads = more_threads(threads)) {
            struct notes notes = {.fails_at = NEVER};
            bool ok;
            free(answer_file(&(struct run){model, FORMAT_JSONL, asked, threads}, path, &notes, &ok));
            assert_false(ok);
            assert_string_equal(err.message, expected);
            assert_int_equal(err.status, VOUCH_ERR_FORMAT);
            assert_int_equal(notes.taken, positions[p]);
        }
    }
}

TEST(what_was_read_before_a_bad_line_is_answered)
{
    const char *good = "{\"tokens\": [[\"Ada\", \"NNP\"], [\"left\", \"VBD\"]]}", *bad = "[\"Ada\"]";
    try_bad_line(tagger, NULL, good, bad, "expected a JSON object");
    try_bad_line(calibrated, "committee+text", good, bad, "expected a JSON object");
}

/* A sentence without words has no columns; one of words without tags is too little for the model. */
TEST(what_stands_before_a_sentence_without_answer_is_answered)
{
    const char *bad = "{\"tokens\": [\"Ada\", \"left\"]}";
    const char *message = "expected at least 2 columns, found 1 (--use 1 of training learns from the words alone)";
    try_bad_line(tagger, NULL, "{\"tokens\": []}", bad, message);
    try_bad_line(calibrated, "committee+text", "{\"tokens\": []}", bad, message);
}

static void refuse_answers(const vouch_model *model, const char *asked)
{
    const char *path = unequal_sentences(1301, "unequal");
    for (size_t p = 0; p < POSITIONS; p += positions_apart()) {
        for (uint32_t threads = 1; threads <= MOST_THREADS; threads = more_threads(threads)) {
            struct notes notes = {.fails_at = (int)positions[p]};
            char expected[40];
            bool ok;
            free(answer_file(&(struct run){model, FORMAT_CONLL, asked, threads}, path, &notes, &ok));
            assert_false(ok);
            snprintf(expected, sizeof expected, ": answer %u is not wanted", positions[p]);
            assert_non_null(strstr(err.message, expected));
            assert_int_equal(err.status, VOUCH_ERR_IO);
            assert_int_equal(notes.taken, positions[p]);
        }
    }
}

TEST(a_sink_that_fails_stops_the_stream)
{
    refuse_answers(tagger, NULL);
    refuse_answers(calibrated, "committee+text");
}

/* A tree that is too long for a parser, behind others. */
TEST(what_stands_before_a_sentence_that_is_too_long_is_parsed)
{
    const char *path = folder_file("long");
    FILE *file = fopen(path, "w");
    assert_non_null(file);
    for (uint32_t i = 0; i < 3; i++)
        fprintf(file, "{\"tokens\": [\"Ada\", \"fell\"]}\n");
    fprintf(file, "{\"tokens\": [\"a\"");
    for (uint32_t w = 0; w < MAX_TREE; w++)
        fprintf(file, ", \"a\"");
    fprintf(file, "]}\n");
    assert_int_equal(fclose(file), 0);
    for (uint32_t threads = 1; threads <= 3; threads++) {
        struct notes notes = {.fails_at = NEVER};
        bool ok;
        free(answer_file(&(struct run){parser, FORMAT_JSONL, NULL, threads}, path, &notes, &ok));
        assert_false(ok);
        assert_int_equal(err.status, VOUCH_ERR_FORMAT);
        assert_int_equal(notes.taken, 3);
    }
}

#define TREE "1\tAda\t_\tPROPN\tNNP\t_\t_\t_\t_\t_\n2\tfell\t_\tVERB\tVBD\t_\t_\t_\t_\t_\n\n"

/*
 * A client that sends its next question when the last one has been answered; some come with the beginning of the next.
 */
static const struct conversation {
    enum format format;
    bool trees;
    const char *question[6];
} conversations[] = {
    {FORMAT_CONLL,
     false,
     {"Ada NNP\n\n", "Zola NNP\n\n# a comment\nAd", "a NNP\n\n", "York NNP\n\n", "a DT\n\n", NULL}},
    {FORMAT_JSONL,
     false,
     {"{\"tokens\":[[\"a\",\"DT\"]]}\n", "{\"tokens\":[[\"b\",\"DT\"]]}\n{", "\"tokens\":[[\"c\",\"DT\"]]}\n",
      "{\"tokens\":[]}\n", "{\"tokens\":[[\"d\",\"DT\"]]}\n", NULL}},
    {FORMAT_JSONL,
     true,
     {"{\"tokens\":[\"a\"]}\n", "{\"tokens\":[\"b\"]}\n{", "\"tokens\":[\"c\"]}\n", "{\"tokens\":[\"d\"]}\n",
      "{\"tokens\":[\"d\"]}\n", NULL}},
    {FORMAT_CONLLU, true, {TREE, TREE "1\tAda", "\t_\tPROPN\tNNP\t_\t_\t_\t_\t_\n\n", TREE, TREE, NULL}},
};

static void converse(const struct conversation *talk, const char *asked, uint32_t threads, int fails_at)
{
    int ends[2];
    assert_int_equal(pipe(ends), 0);
    struct notes notes = {.fails_at = fails_at, .question = talk->question, .to = ends[1]};
    ask(&notes);
    char path[40];
    snprintf(path, sizeof path, "/dev/fd/%d", ends[0]);
    bool ok;
    alarm(200); /* a stream that waits for the next question instead of answering waits for ever */
    struct run run = {talk->trees ? parser : tagger, talk->format, asked, threads};
    free(answer_file(&run, path, &notes, &ok));
    alarm(0);
    close(ends[0]);
    if (fails_at == NEVER) {
        MUST(ok);
        assert_int_equal(notes.taken, 5);
    } else {
        assert_false(ok);
        assert_non_null(strstr(err.message, "is not wanted"));
        assert_int_equal(notes.taken, fails_at);
        close(ends[1]);
    }
}

TEST(no_answer_is_held_back_while_the_input_waits)
{
    for (size_t c = 0; c < sizeof conversations / sizeof *conversations; c++) {
        for (uint32_t threads = 1; threads <= MOST_THREADS; threads = more_threads(threads)) {
            converse(&conversations[c], NULL, threads, NEVER);
            converse(&conversations[c], "gamma", threads, NEVER);
            for (int refused = 0; refused < 5; refused++)
                converse(&conversations[c], NULL, threads, refused);
        }
    }
}
