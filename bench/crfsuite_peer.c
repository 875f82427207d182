/*
 * Runs CRFsuite on ready-made attributes and prints what it cost, as JSON.
 *
 *     crfsuite train ALGORITHM MODEL FILE [NAME=VALUE ...]
 *     crfsuite tag MODEL FILE TIMES LABELS
 *
 * FILE is written by bench/expand.js: one word on each line, label and
 * attributes with tabs between, an empty line after a sentence. The file is
 * read and split before the clock starts. In training the clock runs while
 * attributes are appended (which is also measured by itself), learned from, and
 * the model is written; in tagging while the model is opened, attributes are
 * looked up, labels found and their names fetched, TIMES over. The labels of
 * the last time go to LABELS afterwards.
 *
 * CRFsuite is called through its C interface, so that only its own work is
 * counted. Memory is not freed: the process ends.
 */
#include <crfsuite.h>

#include <stdarg.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/resource.h>

struct corpus {
    char *bytes;
    const char **string; /* [strings] pointing into bytes */
    size_t *word;        /* [words + 1] first string of each: its label, then its attributes */
    size_t *sentence;    /* [sentences + 1] first word of each */
    size_t strings, words, sentences;
};

static void die(const char *what, const char *which)
{
    fprintf(stderr, "crfsuite: %s: %s\n", which, what);
    exit(1);
}

static void *allocate(size_t count, size_t size)
{
    void *memory = calloc(count ? count : 1, size);
    if (!memory)
        die("out of memory", "bench");
    return memory;
}

static double cpu_seconds(void)
{
    struct rusage used;
    getrusage(RUSAGE_SELF, &used);
    return (double)(used.ru_utime.tv_sec + used.ru_stime.tv_sec) +
           (double)(used.ru_utime.tv_usec + used.ru_stime.tv_usec) / 1e6;
}

static char *read_whole(const char *path, size_t *length)
{
    FILE *file = fopen(path, "rb");
    if (!file || fseek(file, 0, SEEK_END) != 0)
        die("cannot read", path);
    long size = ftell(file);
    rewind(file);
    char *bytes = allocate((size_t)size + 1, 1);
    if (size < 0 || fread(bytes, 1, (size_t)size, file) != (size_t)size)
        die("cannot read", path);
    fclose(file);
    *length = (size_t)size;
    return bytes;
}

/* Splits a line into the strings of one word. */
static void split_line(struct corpus *corpus, char *line)
{
    corpus->word[corpus->words++] = corpus->strings;
    for (char *at = line; at; at = strchr(at, '\t')) {
        if (*at == '\t')
            *at++ = '\0';
        corpus->string[corpus->strings++] = at;
    }
}

static struct corpus read_corpus(const char *path)
{
    struct corpus corpus = {0};
    size_t length, tabs = 0, lines = 1;
    corpus.bytes = read_whole(path, &length);
    for (size_t i = 0; i < length; i++) {
        tabs += corpus.bytes[i] == '\t';
        lines += corpus.bytes[i] == '\n';
    }
    corpus.string = allocate(tabs + lines, sizeof *corpus.string);
    corpus.word = allocate(lines + 1, sizeof *corpus.word);
    corpus.sentence = allocate(lines + 1, sizeof *corpus.sentence);
    for (char *line = corpus.bytes, *end; (end = strchr(line, '\n')); line = end + 1) {
        *end = '\0';
        if (*line)
            split_line(&corpus, line);
        else if (corpus.sentence[corpus.sentences] < corpus.words)
            corpus.sentence[++corpus.sentences] = corpus.words;
    }
    corpus.word[corpus.words] = corpus.strings;
    return corpus;
}

/* Fills one item; `find` is the dictionary's get (which adds) or to_id (which may not find). */
static void fill_item(crfsuite_item_t *item, const struct corpus *corpus, size_t word, crfsuite_dictionary_t *attrs,
                      int (*find)(crfsuite_dictionary_t *, const char *))
{
    size_t from = corpus->word[word] + 1, to = corpus->word[word + 1];
    crfsuite_item_init_n(item, (int)(to - from));
    item->num_contents = 0;
    for (size_t i = from; i < to; i++) {
        int id = find(attrs, corpus->string[i]);
        if (id >= 0)
            crfsuite_attribute_set(&item->contents[item->num_contents++], id, 1.0);
    }
}

static void append_sentences(crfsuite_data_t *data, const struct corpus *corpus)
{
    for (size_t s = 0; s < corpus->sentences; s++) {
        size_t first = corpus->sentence[s], words = corpus->sentence[s + 1] - first;
        crfsuite_instance_t instance;
        crfsuite_instance_init_n(&instance, (int)words);
        for (size_t t = 0; t < words; t++) {
            const char *label = corpus->string[corpus->word[first + t]];
            fill_item(&instance.items[t], corpus, first + t, data->attrs, data->attrs->get);
            instance.labels[t] = data->labels->get(data->labels, label);
        }
        crfsuite_data_append(data, &instance);
        crfsuite_instance_finish(&instance);
    }
}

/* Counts the passes; CRFsuite reports each in its own words. */
static int count_passes(void *passes, const char *format, va_list args)
{
    (void)args;
    if (strncmp(format, "***** Iteration", 15) == 0 || strncmp(format, "***** Epoch", 11) == 0)
        ++*(int *)passes;
    return 0;
}

static void set_parameters(crfsuite_trainer_t *trainer, char **setting)
{
    crfsuite_params_t *params = trainer->params(trainer);
    for (; *setting; setting++) {
        char *equals = strchr(*setting, '=');
        if (!equals)
            die("expected NAME=VALUE", *setting);
        *equals = '\0';
        if (params->set(params, *setting, equals + 1) != 0)
            die("no such parameter", *setting);
    }
    params->release(params);
}

static void train(const char *algorithm, const char *model, const char *file, char **settings)
{
    char id[64];
    crfsuite_trainer_t *trainer = NULL;
    crfsuite_data_t data;
    int passes = 0;
    snprintf(id, sizeof id, "train/crf1d/%s", algorithm);
    if (!crfsuite_create_instance(id, (void **)&trainer))
        die("no such algorithm", algorithm);
    set_parameters(trainer, settings);
    trainer->set_message_callback(trainer, &passes, count_passes);
    struct corpus corpus = read_corpus(file);

    double start = cpu_seconds();
    crfsuite_data_init(&data);
    if (!crfsuite_create_instance("dictionary", (void **)&data.attrs) ||
        !crfsuite_create_instance("dictionary", (void **)&data.labels))
        die("cannot make a dictionary", "CRFsuite");
    append_sentences(&data, &corpus);
    double appended = cpu_seconds() - start;
    if (trainer->train(trainer, &data, model, -1) != 0)
        die("training failed", algorithm);
    printf("{\"cpu\": %.6f, \"append\": %.6f, \"attributes\": %d, \"passes\": %d}\n", cpu_seconds() - start, appended,
           data.attrs->num(data.attrs), passes);
}

struct tagger {
    crfsuite_tagger_t *tagger;
    crfsuite_dictionary_t *attrs, *labels;
};

static struct tagger open_model(const char *path)
{
    crfsuite_model_t *model = NULL;
    struct tagger t = {0};
    if (crfsuite_create_instance_from_file(path, (void **)&model) != 0 || !model ||
        model->get_tagger(model, &t.tagger) != 0 || model->get_attrs(model, &t.attrs) != 0 ||
        model->get_labels(model, &t.labels) != 0)
        die("cannot open the model", path);
    return t;
}

/* Labels sentence `s`; `path` has room. */
static void tag_sentence(struct tagger *t, const struct corpus *corpus, size_t s, int *path, const char **label)
{
    size_t first = corpus->sentence[s], words = corpus->sentence[s + 1] - first;
    crfsuite_instance_t instance;
    floatval_t score;
    crfsuite_instance_init_n(&instance, (int)words);
    for (size_t i = 0; i < words; i++)
        fill_item(&instance.items[i], corpus, first + i, t->attrs, t->attrs->to_id);
    if (t->tagger->set(t->tagger, &instance) != 0 || t->tagger->viterbi(t->tagger, path, &score) != 0)
        die("tagging failed", "CRFsuite");
    for (size_t i = 0; i < words; i++)
        t->labels->to_string(t->labels, path[i], &label[first + i]);
    crfsuite_instance_finish(&instance);
}

static void tag(const char *model, const char *file, long times, const char *output)
{
    struct corpus corpus = read_corpus(file);
    const char **label = allocate(corpus.words, sizeof *label);
    int *path = allocate(corpus.words, sizeof *path);

    double start = cpu_seconds();
    struct tagger tagger = open_model(model);
    for (long n = 0; n < times; n++)
        for (size_t s = 0; s < corpus.sentences; s++)
            tag_sentence(&tagger, &corpus, s, path, label);
    double cpu = cpu_seconds() - start;

    FILE *out = fopen(output, "w");
    if (!out)
        die("cannot write", output);
    for (size_t s = 0; s < corpus.sentences; s++) {
        for (size_t i = corpus.sentence[s]; i < corpus.sentence[s + 1]; i++)
            fprintf(out, "%s\n", label[i]);
        fputc('\n', out);
    }
    if (fclose(out) != 0)
        die("cannot write", output);
    printf("{\"cpu\": %.6f, \"words\": %zu}\n", cpu, corpus.words * (size_t)times);
}

int main(int argc, char **argv)
{
    if (argc >= 5 && strcmp(argv[1], "train") == 0)
        train(argv[2], argv[3], argv[4], argv + 5);
    else if (argc == 6 && strcmp(argv[1], "tag") == 0 && atol(argv[4]) > 0)
        tag(argv[2], argv[3], atol(argv[4]), argv[5]);
    else {
        fprintf(stderr, "usage: crfsuite train ALGORITHM MODEL FILE [NAME=VALUE ...]\n"
                        "       crfsuite tag MODEL FILE TIMES LABELS\n");
        return 2;
    }
    return 0;
}
