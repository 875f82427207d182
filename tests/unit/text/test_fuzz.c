/*
 * Reads damaged input of every kind: corpora, templates, dumps, models.
 *
 * Small valid files are changed at random, from a fixed seed: bits flipped,
 * bytes replaced by significant ones, pieces taken out, doubled or moved,
 * numbers made huge. Whatever the result, nothing crashes or leaks (as the
 * sanitizers check), every failure has a status and a message, and input that
 * is read without a failure can be used.
 */
#include "base/hash.h"
#include "base/random.h"
#include "answers/answer_file.h"
#include "text/writer.h"
#include "model/model.h"
#include "answer/answer_stream.h"

#include "folder.h"
#include "test.h"
#include "tiny.h"

/* A damaged header may need any amount of memory: refusing it is allowed, and must not end the test. */
__attribute__((visibility("default"))) const char *__asan_default_options(void);
const char *__asan_default_options(void)
{
    return "allocator_may_return_null=1:max_allocation_size_mb=512";
}

struct bytes {
    char *at;
    size_t length, capacity;
};

static void bytes_set(struct bytes *b, const void *from, size_t length)
{
    struct vouch_error err = {0};
    assert_true(RESERVE(b->at, b->capacity, length + 1, &err));
    memcpy(b->at, from, length);
    b->length = length;
}

/* Replaces `count` bytes at `where` by `piece`. */
static void splice(struct bytes *b, size_t where, size_t count, const char *piece, size_t length)
{
    struct vouch_error err = {0};
    char *copy = malloc(length + 1);
    assert_non_null(copy);
    memcpy(copy, piece, length);
    assert_true(RESERVE(b->at, b->capacity, b->length + length + 1, &err));
    memmove(b->at + where + length, b->at + where + count, b->length - where - count);
    memcpy(b->at + where, copy, length);
    b->length += length - count;
    free(copy);
}

/* Writes a new file each time: overwriting one makes some file systems wait for the disk. */
static const char *put(const char *name, const struct bytes *b)
{
    remove(folder_file(name));
    return folder_put_bytes(name, b->at, b->length);
}

static size_t pick(struct rng *rng, size_t bound)
{
    return bound ? rng_below(rng, (uint32_t)bound) : 0;
}

/* Returns a piece that has a meaning in some format. */
static const char *telling_piece(struct rng *rng)
{
    static const char *const pieces[] = {
        " ",
        "\t",
        "\n",
        "\r\n",
        "\n\n",
        "#",
        "\"",
        "{",
        "}",
        "[",
        "]",
        ":",
        ",",
        "\\",
        "\\u0000",
        "\\ud800",
        "%",
        "%x[0,0]",
        "/",
        "U",
        "B",
        "\xff",
        "\xc3",
        "\xe2\x82",
        "\xf4\x90\x80\x80",
        "\xef\xbb\xbf",
        "é",
        "-1",
        "0",
        "65536",
        "4294967295",
        "4294967296",
        "1e999",
        "nan",
        "-0x1p-149",
        "0x1.fffffep127",
        "null",
        "true",
        "[[[[[[[[",
        "-DOCSTART-",
        "mean.7",
        "var.0",
        "end\n",
        "node\t0\t1\n",
        "string\tx\n",
        "O",
        "B-",
        "I-PER",
        "S-X",
        "attributes",
    };
    return pieces[pick(rng, sizeof pieces / sizeof *pieces)];
}

/* The first number at or after `where` becomes another one. */
static void change_number(struct rng *rng, struct bytes *b, size_t where)
{
    static const char *const numbers[] = {"0",          "1",          "7",  "65535",
                                          "4294967294", "4294967296", "-1", "99999999999999999999"};
    while (where < b->length && (b->at[where] < '0' || b->at[where] > '9'))
        where++;
    size_t end = where;
    while (end < b->length && b->at[end] >= '0' && b->at[end] <= '9')
        end++;
    const char *number = numbers[pick(rng, sizeof numbers / sizeof *numbers)];
    if (where < end)
        splice(b, where, end - where, number, strlen(number));
}

static void change_once(struct rng *rng, struct bytes *b)
{
    size_t where = pick(rng, b->length), span = pick(rng, 1 + (b->length - where < 40 ? b->length - where : 40));
    const char *piece = telling_piece(rng);
    if (b->length == 0) {
        splice(b, 0, 0, piece, strlen(piece));
        return;
    }
    switch (rng_below(rng, 9)) {
    case 0:
        b->at[where] ^= (char)(1 << rng_below(rng, 8));
        break;
    case 1:
        b->at[where] = (char)rng_next(rng);
        break;
    case 2:
        splice(b, where, 1, piece, strlen(piece));
        break;
    case 3:
        splice(b, where, 0, piece, strlen(piece));
        break;
    case 4:
        splice(b, where, span, "", 0);
        break;
    case 5:
        splice(b, pick(rng, b->length), 0, b->at + where, span);
        break;
    case 6:
        splice(b, where, span, b->at + pick(rng, b->length - span + 1), span);
        break;
    case 7:
        change_number(rng, b, where);
        break;
    default:
        if (rng_below(rng, 8) == 0)
            b->length = where;
    }
}

static void change(struct rng *rng, struct bytes *b, const void *from, size_t length)
{
    bytes_set(b, from, length);
    for (uint32_t i = 1 + rng_below(rng, 4); i > 0; i--)
        change_once(rng, b);
}

/* True if it succeeded; a failure must have a message. */
static bool told(bool ok, const struct vouch_error *err)
{
    if (!ok) {
        assert_int_not_equal(err->status, VOUCH_OK);
        assert_true(err->message[0] != '\0');
        assert_true(strlen(err->message) < sizeof err->message);
    }
    return ok;
}

/* Every view of a sentence can be read. */
static void look_through(const struct sentence *s)
{
    uint64_t sum = hash_bytes(s->before.at, s->before.length);
    for (uint32_t i = 0; i < s->N; i++) {
        sum += hash_bytes(s->line[i].at, s->line[i].length);
        for (uint32_t c = 0; c < sentence_cells(s, i); c++) {
            struct text cell = sentence_cell(s, i, c);
            assert_true(cell.length > 0);
            assert_int_equal(utf8_check(cell.at, cell.length), cell.length);
            sum += hash_bytes(cell.at, cell.length);
        }
        if (s->labelled)
            assert_true(s->gold[i].length > 0);
    }
    assert_true(sum || !sum);
}

/* Reads the file to its end or its first mistake, and writes what it reads. */
static void read_through(const char *path, const struct reader_options *options)
{
    struct vouch_error err = {0};
    struct reader *reader = reader_open(path, options, &err);
    if (!told(reader != NULL, &err))
        return;
    struct writer_options writing = writer_options_for(reader);
    struct output *out = output_open("/dev/null", &err);
    assert_non_null(out);
    struct sentence sentence = {0};
    struct text *label = NULL;
    size_t capacity = 0;
    enum reading state;
    while ((state = reader_next(reader, &sentence, &err)) == READ_SENTENCE) {
        look_through(&sentence);
        assert_true(RESERVE(label, capacity, (size_t)sentence.N + 1, &err));
        for (uint32_t i = 0; i < sentence.N; i++)
            label[i] = text_of(i % 3 == 0 ? "B-X" : i % 3 == 1 ? "I-X" : "O");
        assert_true(write_sentence(out, &writing, &sentence, NULL, label, NULL, &err));
    }
    told(state == READ_END, &err);
    assert_true(output_commit(out, &err));
    free(label);
    sentence_release(&sentence);
    reader_close(reader);
}

static const struct {
    enum format format;
    const char *text;
} corpora[] = {
    {FORMAT_CONLL, TINY_CORPUS},
    {FORMAT_CONLL, "# text\n-DOCSTART-\t-X-\tO\n\nAda\tNNP\tI-PER\r\n#\t#\tO\r\n\nŁódź\tNNP\tI-LOC\n# end\n"},
    {FORMAT_CRFSUITE, "B-PER\tw=Ada\tlong\\:name:0.5\tx:-1e3\nO\tw=left\t\tlast=Ada\n\nO\tw=é\\\\:2\n"},
    {FORMAT_PLAIN, "Ada Lovelace left Paris .\n\n\nLater , she\tslept in Łódź .\n-DOCSTART-\n\n"},
    {FORMAT_JSONL,
     "{\"tokens\": [[\"Ada\", \"NNP\"], [\"\\u0141\\u00f3d\\u017a\", \"NNP\"]], \"labels\": [\"B-PER\", "
     "\"B-LOC\"], \"id\": {\"n\": [1, 2.50, null]}}\n\n{\"tokens\": []}\n{\"tokens\": [[\"a\", \"b\"]]}\n"},
};

TEST_IN_FOLDER(damaged_corpora_are_read_or_refused)
{
    enum { ROUNDS = 400 };
    static const int golds[] = {GOLD_LAST, GOLD_NONE, 1, 2, 9};
    struct rng rng = rng_new(11, 0);
    struct bytes damaged = {0};
    for (size_t c = 0; c < sizeof corpora / sizeof *corpora; c++)
        for (int round = 0; round < ROUNDS; round++) {
            change(&rng, &damaged, corpora[c].text, strlen(corpora[c].text));
            const char *path = put("corpus", &damaged);
            struct reader_options options = {.gold = golds[rng_below(&rng, 5)]};
            options.format = round % 4 == 0   ? FORMAT_AUTO
                             : round % 4 == 1 ? (enum format)(1 + rng_below(&rng, FORMAT_JSONL))
                                              : corpora[c].format;
            read_through(path, &options);
        }
    free(damaged.at);
}

static const char *const answers[] = {
    "# conf_method=kd-fix:calibrated,delta:raw\n-DOCSTART- -X- O O _ _ _ _\n\nAda NNP B-PER B-PER 0.93 2.5 "
    "B-PER:0.93|O:0.05 _\nleft VBD O B-LOC 0.4 inf O:0.5 ?\n\nBonn NNP B-LOC O _ 0 _ _\n",
    "Ada B-PER B-PER 0.93\nleft O O 1\n",
    "{\"tokens\": [\"Ada\", \"left\"], \"labels\": [\"B-PER\", \"O\"], \"predicted\": [\"B-PER\", \"O\"], \"spans\": "
    "[{\"start\": 0, \"end\": 1, \"label\": \"PER\", \"confidence\": 0.9}], \"confidence\": {\"method\": \"kd-fix\", "
    "\"calibrated\": true, \"words\": [0.95, \"inf\"], \"sentence\": null}}\n",
    "{\"tokens\": [\"Ada\", \"left\"], \"heads\": [2, 0], \"relations\": [\"nsubj\", \"root\"], "
    "\"predicted_heads\": [2, 0], \"predicted_relations\": [\"obj\", \"root\"], \"confidences\": "
    "[{\"method\": \"a\", \"heads\": [0.9, 1], \"relations\": null, \"sentence\": 0.5}, {\"method\": \"b\"}]}\n",
    "# conf = 0.61\n# conf_Delta = 0.5\n# conf_method = kd-fix (calibrated), delta (raw)\n"
    "1\tAda\tAda\tPROPN\t_\t_\t2\tnsubj\t_\tHeadConf=0.97|RelConf=0.9|HeadConf_Delta=2.5\n"
    "2\tleft\tleave\tVERB\t_\t_\t0\troot\t_\tA=B|HeadConf=inf\n",
};

/* All that a sentence of such a file says can be read. */
static void look_at_answers(const struct file_answer *a)
{
    uint32_t N = a->sentence->N;
    double sum = 0;
    assert_true(N > 0);
    for (uint32_t i = 0; i < N; i++) {
        assert_true(!a->gold || a->gold[i].length > 0);
        assert_true(!a->label || a->label[i].length > 0);
        assert_true(!a->head || a->head[i] <= N);
        assert_true(!a->gold_head || a->gold_head[i] <= N);
        for (uint32_t m = 0; a->confidences && m < a->confidences->methods; m++)
            sum += a->confidences->by_method[m].word[i] + a->confidences->by_method[m].relation[i];
    }
    for (uint32_t s = 0; a->confidences && s < a->confidences->spans; s++) {
        assert_true(a->confidences->span[s].from < a->confidences->span[s].to && a->confidences->span[s].to <= N);
        sum += a->confidences->by_method->span[s];
    }
    assert_true(sum >= 0 || !(sum >= 0));
}

TEST_IN_FOLDER(damaged_answers_are_read_or_refused)
{
    enum { ROUNDS = 400 };
    struct rng rng = rng_new(19, 0);
    struct bytes damaged = {0};
    for (size_t c = 0; c < sizeof answers / sizeof *answers; c++)
        for (int round = 0; round < ROUNDS; round++) {
            struct vouch_error err = {0};
            struct answer_file_options options = {.parts = (enum answer_parts)rng_below(&rng, 3),
                                                  .gold = round % 4 ? GOLD_LAST : (int)rng_below(&rng, 4),
                                                  .trees = round % 2 != 0};
            struct file_answer sentence;
            enum reading reading = READ_FAILED;
            change(&rng, &damaged, answers[c], strlen(answers[c]));
            struct answer_file *file = answer_file_open(put("answers", &damaged), &options, &err);
            while (file && (reading = answer_file_next(file, &sentence, &err)) == READ_SENTENCE)
                look_at_answers(&sentence);
            told(reading == READ_END, &err);
            answer_file_close(file);
        }
    free(damaged.at);
}

TEST_IN_FOLDER(damaged_treebanks_are_learned_or_refused)
{
    enum { ROUNDS = 400 };
    struct rng rng = rng_new(17, 0);
    struct bytes damaged = {0};
    for (int round = 0; round < ROUNDS; round++) {
        struct vouch_error err = {0};
        change(&rng, &damaged, TINY_TREES, strlen(TINY_TREES));
        told(tiny_parse(put("trees", &damaged), learners[rng_below(&rng, 4)], &err), &err);
    }
    free(damaged.at);
}

TEST_IN_FOLDER(damaged_corpora_are_learned_or_refused)
{
    enum { ROUNDS = 80 };
    struct rng rng = rng_new(12, 0);
    struct bytes damaged = {0};
    for (size_t c = 0; c < sizeof corpora / sizeof *corpora; c++)
        for (int round = 0; round < ROUNDS; round++) {
            change(&rng, &damaged, corpora[c].text, strlen(corpora[c].text));
            const char *path = put("corpus", &damaged);
            struct vouch_error err = {0};
            struct corpus corpus;
            struct tiny_voice voice = {0};
            struct corpus_plan plan = tiny_plan();
            plan.template_strict = false;
            plan.reading.format = corpora[c].format;
            plan.cutoff = 1 + rng_below(&rng, 2);
            char *paths[] = {(char *)(uintptr_t)path};
            bool ok = told(corpus_read(&corpus, &plan, paths, 1, NULL, &err), &err);
            if (ok && corpus.tags.count <= 16)
                assert_true(tiny_learn(&corpus, learners[rng_below(&rng, 4)], &voice, &err));
            tiny_forget(&voice);
            corpus_release(&corpus);
        }
    free(damaged.at);
}

/* A sentence of ten words in four columns, as views of static strings. */
static void fill_sentence(struct sentence *s)
{
    static const char *const words[] = {"Ada", "Łódź", "-", "1843", "ǅ", "x", "McX", "a.b", "٣", "汉字"};
    struct vouch_error err = {0};
    assert_true(RESERVE(s->first, s->first_capacity, 11, &err) && RESERVE(s->cell, s->cell_capacity, 40, &err));
    s->N = 10;
    for (uint32_t i = 0; i <= 10; i++)
        s->first[i] = 4 * i;
    for (uint32_t i = 0; i < 40; i++)
        s->cell[i] = text_of(words[i / 4 * (1 + i % 4) % 10]);
}

TEST_IN_FOLDER(damaged_templates_are_parsed_or_refused)
{
    enum { ROUNDS = 800 };
    struct rng rng = rng_new(13, 0);
    struct bytes damaged = {0};
    struct sentence sentence = {0};
    fill_sentence(&sentence);
    for (int round = 0; round < ROUNDS; round++) {
        const char *from = round % 4 ? TINY_TEMPLATE : template_builtin(round % 8 ? "ner" : "chunk");
        change(&rng, &damaged, from, strlen(from));
        damaged.at[damaged.length] = '\0';
        struct vouch_error err = {0};
        struct templates templates;
        char *kept = template_restrict(&(struct template_source){damaged.at, "damaged", NULL}, 4, 3, round % 2, &err);
        told(kept != NULL, &err);
        err = (struct vouch_error){0};
        if (kept && told(templates_parse(&templates, &(struct template_source){kept, "damaged", NULL}, &err), &err)) {
            struct vocabulary vocabulary = {0};
            struct encoder *encoder = encoder_new_growing(&templates, &vocabulary, &err);
            struct parts parts;
            assert_non_null(encoder);
            if (told(encoder_run(encoder, &sentence, &parts, &err), &err))
                for (uint32_t i = 0; i < parts.node.start[parts.node.count]; i++)
                    assert_true(parts.node.feature[i] < feature_index_count(&vocabulary.node));
            encoder_free(encoder);
            vocabulary_release(&vocabulary);
            templates_release(&templates);
        }
        free(kept);
        err = (struct vouch_error){0};
        if (told(templates_parse(&templates, &(struct template_source){damaged.at, "damaged", NULL}, &err), &err))
            templates_release(&templates);
    }
    sentence_release(&sentence);
    free(damaged.at);
}

/* A model on disk; returns its bytes, to free(). */
static char *make_model(const char *path, const struct learner *learner, size_t *length)
{
    struct vouch_error err = {0};
    struct corpus corpus;
    struct tiny_voice voice;
    assert_true(tiny_read(&corpus, folder_put("corpus", TINY_CORPUS), &err));
    assert_true(tiny_learn(&corpus, learner, &voice, &err));
    assert_true(tiny_save(&corpus, &voice, path, &err));
    tiny_forget(&voice);
    corpus_release(&corpus);
    char *bytes = folder_get(path);
    FILE *file = fopen(path, "rb");
    assert_non_null(file);
    assert_int_equal(fseek(file, 0, SEEK_END), 0);
    *length = (size_t)ftell(file);
    fclose(file);
    return bytes;
}

/* Everything that can be done with an open model. */
static void use_model(const vouch_model *model)
{
    static const char *const cells[] = {"Ada", "NNP", "B", "x", "saw", "VBD", "B", "x", "Łódź", "NNP", "B", "x"};
    struct vouch_error err = {0};
    const char *labels[3];
    if (told(vouch_model_label(model, cells, 3, 4, labels, NULL, &err) == VOUCH_OK, &err))
        for (int i = 0; i < 3; i++)
            assert_true(strlen(labels[i]) < 1000);
    for (size_t i = 0; i <= vouch_model_label_count(model) && i < 100; i++)
        (void)vouch_model_label_name(model, i);
    assert_true(strlen(vouch_model_header(model)) > 0);
    assert_non_null(vouch_model_task(model));
    assert_true(vouch_model_columns(model) > 0);
    err = (struct vouch_error){0};
    told(vouch_model_verify(model, &err) == VOUCH_OK, &err);
    struct output *out = output_open("/dev/null", &err);
    assert_non_null(out);
    err = (struct vouch_error){0};
    told(model_dump(model, out, &err), &err);
    output_discard(out);
}

static bool open_and_use(const char *path)
{
    struct vouch_error err = {0};
    vouch_model *model = vouch_model_open(path, &err);
    if (!told(model != NULL, &err))
        return false;
    use_model(model);
    vouch_model_close(model);
    return true;
}

static uint64_t number_at(const struct bytes *b, size_t where)
{
    uint64_t number;
    memcpy(&number, b->at + where, sizeof number);
    return number;
}

/* Makes size and checksum of the frame agree with the damage: safety must not rest on them. */
static void mend_frame(struct bytes *b)
{
    enum { SIZE = 16, HEADER = 24, HEADER_LENGTH = 32, SECTIONS = 40, SUM = 48, TABLE = 64, ENTRY = 64 };
    if (b->length < TABLE)
        return;
    uint64_t size = b->length, header = number_at(b, HEADER), length = number_at(b, HEADER_LENGTH);
    uint64_t table = ENTRY * (number_at(b, SECTIONS) & UINT32_MAX);
    memcpy(b->at + SIZE, &size, sizeof size);
    if (header > size || length > size - header || table > size - TABLE)
        return;
    uint64_t sum = hash_mix(hash_bytes(b->at + TABLE, table), hash_bytes(b->at + header, length));
    memcpy(b->at + SUM, &sum, sizeof sum);
}

/* One word of the section table or of the preamble becomes another number. */
static void change_frame(struct rng *rng, struct bytes *b)
{
    static const uint64_t numbers[] = {
        0, 1, 63, 64, 65, UINT32_MAX, (uint64_t)UINT32_MAX + 1, UINT64_MAX, UINT64_MAX - 63};
    uint64_t number = rng_below(rng, 2) ? numbers[rng_below(rng, 9)] : b->length - rng_below(rng, 200);
    size_t where = 8 * pick(rng, 8 * 12);
    if (where + 8 <= b->length)
        memcpy(b->at + where, &number, sizeof number);
}

TEST_IN_FOLDER(damaged_models_are_used_or_refused)
{
    enum { ROUNDS = 1200 };
    struct rng rng = rng_new(14, 0);
    struct bytes damaged = {0};
    size_t length;
    int opened = 0;
    char path[512];
    strcpy(path, folder_file("model"));
    char *sound = make_model(path, &confidence_weighted, &length);
    assert_true(open_and_use(path));
    size_t header = 64 * 13; /* the frame ends here or thereabouts: damage it more often than the weights */
    for (int round = 0; round < ROUNDS; round++) {
        bytes_set(&damaged, sound, length);
        if (round % 4 == 0)
            change(&rng, &damaged, sound, length);
        else if (round % 4 == 1)
            change_frame(&rng, &damaged);
        else if (round % 4 == 2)
            change_number(&rng, &damaged, header + pick(&rng, 1200));
        else
            for (int i = 0; i < 8; i++)
                damaged.at[header + pick(&rng, length - header)] = (char)rng_next(&rng);
        if (round % 8 != 0)
            mend_frame(&damaged);
        opened += open_and_use(put("damaged", &damaged));
    }
    assert_in_range(opened, ROUNDS / 10, ROUNDS); /* damage goes beyond the checks of the frame */
    free(sound);
    free(damaged.at);
}

TEST_IN_FOLDER(damaged_dumps_are_loaded_or_refused)
{
    enum { ROUNDS = 1000 };
    struct rng rng = rng_new(15, 0);
    struct bytes damaged = {0};
    struct vouch_error err = {0};
    size_t length;
    int loaded = 0;
    char path[512];
    strcpy(path, folder_file("model"));
    free(make_model(path, &confidence_weighted, &length));
    vouch_model *model = vouch_model_open(path, &err);
    struct output *text = output_open(folder_file("dump"), &err);
    assert_true(model && text && model_dump(model, text, &err));
    assert_true(output_commit(text, &err));
    vouch_model_close(model);
    char *sound = folder_get(folder_file("dump"));
    for (int round = 0; round < ROUNDS; round++) {
        if (round % 3)
            change(&rng, &damaged, sound, strlen(sound));
        else {
            bytes_set(&damaged, sound, strlen(sound));
            change_number(&rng, &damaged, pick(&rng, 1200));
        }
        put("dump", &damaged);
        remove(folder_file("loaded"));
        err = (struct vouch_error){0};
        struct output *out = output_open(folder_file("loaded"), &err);
        assert_non_null(out);
        if (told(model_load(folder_file("dump"), out, &err), &err)) {
            assert_true(output_commit(out, &err));
            assert_true(open_and_use(folder_file("loaded"))); /* what was accepted is a model */
            loaded++;
        } else
            output_discard(out);
    }
    assert_in_range(loaded, ROUNDS / 20, ROUNDS);
    free(sound);
    free(damaged.at);
}
