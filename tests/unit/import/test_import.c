/*
 * Tests models of other programs: files of CRFsuite, CRF++ and Wapiti made here by hand, after the layouts in
 * crfsuite_model.c, crfpp_model.c and wapiti_model.c, against the probabilities of all answers; and what damaged files
 * do.
 */
#include "folder.h"
#include "vouch.h"

#include "must.h"
#include "test.h"

enum { Y = 3, A = 4, N = 4, ROOM = 1 << 14 };

static struct vouch_error err;
static const char *const labels[Y] = {"O", "B-X", "I-X"};
static const char *const attributes[A] = {"w=a", "w=b", "caf\xC3\xA9:1", "\\"};

/* Weights with more bits than floats have, of very different sizes; some pairs have none. */
static const double state[A][Y] = {{0.1, -1.7, 3e-5}, {-0.3, 9.87654321, 0}, {0, 0, 1.2345678901}, {1e-3, 0, -2.5}};
static const double move[Y][Y] = {{0.7, 0.2, -11.3}, {-0.123456789, 0, 1.9}, {0, 0.05, 0.4}};

struct file {
    unsigned char bytes[ROOM];
    size_t size;
};

static void put(struct file *file, const void *bytes, size_t length)
{
    assert_true(file->size + length <= ROOM);
    memcpy(file->bytes + file->size, bytes, length);
    file->size += length;
}

static void set_number(struct file *file, size_t at, size_t number)
{
    for (int i = 0; i < 4; i++)
        file->bytes[at + (size_t)i] = (unsigned char)(number >> 8 * i);
}

static void put_number(struct file *file, size_t number)
{
    put(file, "\0\0\0", 4);
    set_number(file, file->size - 4, number);
}

static void put_feature(struct file *file, unsigned type, size_t source, size_t target, double weight)
{
    uint64_t bits;
    memcpy(&bits, &weight, sizeof bits);
    put_number(file, type);
    put_number(file, source);
    put_number(file, target);
    put_number(file, (uint32_t)bits);
    put_number(file, bits >> 32);
}

/* Returns how many were put. */
static size_t put_features(struct file *file)
{
    size_t count = 0;
    for (size_t a = 0; a < A; a++)
        for (size_t y = 0; y < Y; y++)
            if (state[a][y] != 0)
                put_feature(file, 0, a, y, state[a][y]), count++;
    for (size_t y = 0; y < Y; y++)
        for (size_t z = 0; z < Y; z++)
            if (move[y][z] != 0)
                put_feature(file, 1, y, z, move[y][z]), count++;
    return count;
}

static void put_strings(struct file *file, const char *const *string, size_t count)
{
    size_t start = file->size, place[A];
    put(file, "CQDB", 4);
    put_number(file, 0);
    put_number(file, 0);
    put_number(file, 0x62445371);
    put_number(file, count);
    put_number(file, 0);
    for (int i = 0; i < 512; i++)
        put_number(file, 0);
    for (size_t i = 0; i < count; i++) {
        place[i] = file->size - start;
        put_number(file, i);
        put_number(file, strlen(string[i]) + 1);
        put(file, string[i], strlen(string[i]) + 1);
    }
    set_number(file, start + 20, file->size - start);
    for (size_t i = 0; i < count; i++)
        put_number(file, place[i]);
    set_number(file, start + 4, file->size - start);
}

static void make(struct file *file)
{
    *file = (struct file){.size = 0};
    put(file, "lCRF", 4);
    put_number(file, 0);
    put(file, "FOMC", 4);
    put_number(file, 100);
    put_number(file, 0);
    put_number(file, Y);
    put_number(file, A);
    for (int i = 0; i < 5; i++)
        put_number(file, 0);
    set_number(file, 28, file->size);
    put(file, "FEAT", 4);
    put_number(file, 0);
    put_number(file, 0);
    size_t count = put_features(file);
    set_number(file, 48 + 4, 12 + 20 * count);
    set_number(file, 48 + 8, count);
    set_number(file, 32, file->size);
    put_strings(file, labels, Y);
    set_number(file, 36, file->size);
    put_strings(file, attributes, A);
    set_number(file, 4, file->size);
}

static vouch_model *import(const struct file *file)
{
    return vouch_model_import("crfsuite", folder_put_bytes("model", file->bytes, file->size), &err);
}

/* A sentence: up to two attributes of each word, numbers from 1, and their values. */
static const int seen[N][2] = {{1, 3}, {2, 4}, {3, 0}, {2, 1}};
static const float value[N * 2] = {1, 0.5F, 1, 2, -1.25F, 1, 0.25F, 1};

/* Lists all answers of scores node [N][Y] and edge [Y][Y]: the best one, and the probability of each of its labels. */
static void enumerate(const double *node, const double *edge, size_t best[N], double marginal[N])
{
    double all = 0, most = -INFINITY, mass[N][Y] = {{0}};
    for (size_t code = 0; code < 81; code++) {
        double score = 0;
        size_t y[N];
        for (size_t n = 0, rest = code; n < N; n++, rest /= Y) {
            y[n] = rest % Y;
            score += node[n * Y + y[n]] + (n ? edge[y[n - 1] * Y + y[n]] : 0);
        }
        all += exp(score);
        for (size_t n = 0; n < N; n++)
            mass[n][y[n]] += exp(score);
        if (score > most) {
            most = score;
            memcpy(best, y, sizeof y);
        }
    }
    for (size_t n = 0; n < N; n++)
        marginal[n] = mass[n][best[n]] / all;
}

/* Compares the answer to a sentence of N words with all answers of these scores. */
static void compare(const vouch_model *model, const vouch_sentence *sentence, const double *node, const double *edge)
{
    vouch_options *options = vouch_options_new("tag", &err);
    MUST(options && vouch_options_set(options, "confidence", "gamma", &err) == VOUCH_OK &&
         vouch_options_set(options, "raw", "true", &err) == VOUCH_OK);
    vouch_request *request = vouch_request_new(model, options, &err);
    vouch_worker *worker = vouch_worker_new(request, &err);
    MUST(worker);
    const vouch_answer *answer = vouch_worker_answer(worker, sentence, &err);
    MUST(answer);
    size_t best[N];
    double marginal[N];
    enumerate(node, edge, best, marginal);
    for (size_t n = 0; n < N; n++) {
        assert_string_equal(vouch_answer_label(answer, n), labels[best[n]]);
        assert_true(fabs(vouch_answer_confidence(answer, 0, n) - marginal[n]) < 2e-6);
    }
    vouch_worker_free(worker);
    vouch_request_free(request);
    vouch_options_free(options);
}

TEST_IN_FOLDER(answers_are_those_of_all_answers)
{
    struct file file;
    make(&file);
    vouch_model *model = import(&file);
    MUST(model);
    assert_int_equal(vouch_model_label_count(model), Y);
    assert_int_equal(vouch_model_takes_attributes(model), 1);
    assert_non_null(strstr(vouch_model_header(model), "\"imported\":\"crfsuite\""));
    const char *cell[N * 2];
    double node[N][Y] = {{0}};
    for (size_t i = 0; i < N * 2; i++) {
        int attribute = seen[i / 2][i % 2];
        cell[i] = attribute ? attributes[attribute - 1] : NULL;
        for (size_t y = 0; attribute && y < Y; y++)
            node[i / 2][y] += (double)value[i] * state[attribute - 1][y];
    }
    vouch_sentence *sentence = vouch_sentence_new(&err);
    MUST(sentence && vouch_sentence_set_attributes(sentence, cell, value, N, 2, &err) == VOUCH_OK);
    compare(model, sentence, node[0], move[0]);
    vouch_sentence_free(sentence);
    vouch_model_close(model);
}

/* Compares the answer to a sentence of N words in two columns with all answers of these scores; closes the model. */
static void compare_cells(vouch_model *model, const char *const *cells, const double *node, const double *edge)
{
    vouch_sentence *sentence = vouch_sentence_new(&err);
    MUST(model && sentence && vouch_sentence_set_cells(sentence, cells, N, 2, &err) == VOUCH_OK);
    assert_int_equal(vouch_model_columns(model), 2);
    compare(model, sentence, node, edge);
    vouch_sentence_free(sentence);
    vouch_model_close(model);
}

/* A text model of CRF++. The feature of "a/b/c" is that of two pairs of cells. */
static const char text_model[] = "version: 100\ncost-factor: 2\nmaxid: 18\nxsize: 2\n\nO\nB-X\nI-X\n\n"
                                 "U1:%x[0,0]/%x[0,1]\nU2:%x[-1,0]\nB\n\n0 B\n9 U1:a/b/c\n12 U2:_B-1\n15 U2:a\n\n"
                                 "0.25\n-0.5\n-3.75\n0.1234567890123456\n0\n1\n-1e-05\n0.5\n0\n"
                                 "1.5\n2.0625\n-0.3\n0.7\n0\n-1\n-0.01\n0.02\n0.9\n";

static vouch_model *import_text(const char *text, size_t length)
{
    return vouch_model_import("crfpp", folder_put_bytes("text", text, length), &err);
}

TEST_IN_FOLDER(templates_see_the_same_cells)
{
    static const double edge[Y][Y] = {{0.5, -1, -7.5}, {0.2469135780246912, 0, 2}, {-2e-5, 1, 0}};
    static const double node[N][Y] = {{3 + 1.4, 4.125, -0.6 - 2}, {3, 4.125, -0.6}, {-0.02, 0.04, 1.8}, {0, 0, 0}};
    static const char *const cells[N * 2] = {"a/b", "c", "a", "b/c", "d", "c", "a", "b"};
    compare_cells(import_text(text_model, strlen(text_model)), cells, node[0], edge[0]);
}

/* CRF++ keeps the blanks at the end of a template's line, so its features have them, too. Lines may end with CR LF. */
TEST_IN_FOLDER(blanks_behind_templates_do_not_count)
{
    static const char text[] =
        "version: 100\r\ncost-factor: 1\r\nmaxid: 24\r\nxsize: 2\r\n\r\nO\r\nB-X\r\nI-X\r\n\r\n"
        "U1:%x[0,1] \t\r\nB1:%x[0,0] \r\nB \r\n\r\n0 B \r\n9 B1:b \r\n18 U1:c \t\r\n21 U1:b \t\r\n\r\n"
        "0\r\n0.5\r\n0\r\n0\r\n0\r\n1\r\n0\r\n0\r\n-2\r\n"
        "3\r\n0\r\n0\r\n0\r\n0\r\n0\r\n0\r\n0\r\n0\r\n1\r\n2\r\n0\r\n0\r\n0\r\n1.5\r\n";
    static const double edge[Y][Y] = {{0, 0.5, 0}, {0, 0, 1}, {0, 0, -2}};
    static const double node[N][Y] = {{1, 2, 0}, {0, 0, 1.5}, {0, 0, 0}, {1, 2, 0}};
    static const char *const cells[N * 2] = {"a", "c", "a", "b", "d", "e", "a", "c"};
    compare_cells(import_text(text, strlen(text)), cells, node[0], edge[0]);
}

/*
 * A model of Wapiti. The cells before a sentence are called _x-1 and, from the fifth on, _x-#; %X makes only A to Z
 * small.
 * Weights 0 to 2 are those of the word "\xC3\x89a" (E with an accent); * has weights of a word and of pairs of labels.
 */
#define WAPITI_HEAD                                                                                                    \
    "#mdl#2#13\n#rdr#4/1/0\n10:u1:%X[0,0],\n11:u2:%x[-6,0],\n11:*:%x[ -1,1],\n1:b,\n#qrk#3\n1:O,\n3:B-X,\n3:I-X,\n"

static const char wapiti_model[] = WAPITI_HEAD
    "#qrk#4\n6:u1:\xC3\x89"
    "a,\n7:u2:_x-#,\n6:*:_x-1,\n1:b,\n"
    "0=0x1.8p+0\n1=0x1.08p1\n2=-0x1.3333333333333p-2\n3=0.7\n5=-0x1p+0\n6=-1e-2\n7=0x1p-6\n8=0x.8p+1\n"
    "9=0x1p+3\n18=0x1p-2\n19=-0x1p-1\n20=-0X1.Ep1\n21=0x1.f9add3739635fp-4\n";

static vouch_model *import_wapiti(const char *text, size_t length)
{
    return vouch_model_import("wapiti", folder_put_bytes("wapiti", text, length), &err);
}

TEST_IN_FOLDER(patterns_see_the_same_cells)
{
    static const double edge[Y][Y] = {{0.25, -0.5, -3.75}, {0.12345678, 0, 0}, {0, 0, 0}};
    /* Word 0 sees the sixth cell before the sentence and the first, word 1 the fifth, word 2 the fourth. */
    static const double word[Y] = {1.5, 2.0625, -0.3}, far[Y] = {0.7, 0, -1}, first[Y] = {-0.01, 0.015625, 1};
    static const char *const cells[N * 2] = {"\xC3\x89" "A", "c", "\xC3\xA9" "a", "c", "\xC3\x89" "a", "c", "a", "b"};
    double node[N][Y] = {{0}};
    for (size_t y = 0; y < Y; y++) {
        node[0][y] = word[y] + far[y] + first[y];
        node[1][y] = far[y];
        node[2][y] = word[y];
    }
    compare_cells(import_wapiti(wapiti_model, sizeof wapiti_model - 1), cells, node[0], edge[0]);
}

static void expect_wapiti(const char *text, const char *message)
{
    assert_null(import_wapiti(text, strlen(text)));
    assert_int_equal(err.status, VOUCH_ERR_FORMAT);
    if (!strstr(err.message, message))
        fail_msg("expected '%s', found '%s'", message, err.message);
}

TEST_IN_FOLDER(faults_of_wapiti_have_names)
{
    expect_wapiti("CRF\n", ":1: expected #mdl#, the first line of a model of Wapiti");
    expect_wapiti("#mdl#0#1\n", ":1: expected a model of the type crf, found maxent");
    expect_wapiti("#mdl#1#1\n", ":1: expected a model of the type crf, found memm");
    expect_wapiti("#mdl#9#1\n", ":1: expected a model of the type crf, found one of an unknown type");
    expect_wapiti("#mdl#2#1\n#rdr#0/0/0\n", ":2: expected a model with patterns");
    expect_wapiti("#mdl#2#1\n#rdr#1/0/1\n", ":2: expected a model with patterns");
    expect_wapiti("#mdl#1\n#rdr#1/0\n10:u:%x[@1,0],\n", ":3: expected patterns with %x[row,column] and %X alone");
    expect_wapiti("#mdl#1\n#rdr#1/0\n14:u:%t[0,0,\"\\u\"],\n", ":3: expected patterns with %x[row,column] and %X");
    expect_wapiti("#mdl#1\n#rdr#1/0\n11:u:%x[010,0],\n", ":3: expected patterns with %x[row,column] and %X alone");
    expect_wapiti("#mdl#1\n#rdr#1/0\n4:b:1%,\n", ":3: expected patterns with %x[row,column] and %X alone");
    expect_wapiti("#mdl#1\n#rdr#1/0\n1:b,\n", ": template: expected at least one line starting with U");
    expect_wapiti(WAPITI_HEAD "#qrk#1\n6:u1:a b,\n", ":12: expected a feature that one of the templates makes");
    expect_wapiti("#mdl#1\n#rdr#1/0\n8:w:%x[0,0],\n", ":3: expected a pattern, with its length");
    expect_wapiti("#mdl#1\n#rdr#1/0\n9:w:%x[0,0],\n", ":3: expected a pattern that starts with u, b or *");
    expect_wapiti(WAPITI_HEAD "#qrk#1\n3:u2:,\n", ":12: expected a feature that one of the templates makes");
    expect_wapiti(WAPITI_HEAD "#qrk#2\n4:u1:a,\n4:u1:a,\n", ":13: expected a feature that was not there before");
    expect_wapiti(WAPITI_HEAD "#qrk#1\n4:u1:a,\n3=0x1p0\n", ":13: expected the number of a weight, = and the weight");
    expect_wapiti("#mdl#2#1\n#rdr#1/0/0\n9:u:%x[0,0],\n#qrk#1\n1:O,\n#qrk#1\n3:u:a,\n0=0x1p0\n0=0x1p0\n",
                  ":9: expected no more weights than the first line tells");
}

/* Cuts a text anywhere, and changes each of its bytes: it is refused, or another model. */
static void damage(const char *whole, size_t size, vouch_model *(*read)(const char *, size_t))
{
    char text[1024];
    assert_true(size <= sizeof text);
    for (size_t length = 0; length < size; length += apart()) {
        assert_null(read(whole, length));
        assert_int_equal(err.status, VOUCH_ERR_FORMAT);
    }
    memcpy(text, whole, size);
    for (size_t at = 0; at < size; at += apart()) {
        static const char change[] = {0x01, 0x2A};
        for (size_t i = 0; i < sizeof change; i++) {
            text[at] = (char)(text[at] ^ change[i]);
            vouch_model *model = read(text, size);
            assert_true(model || err.status == VOUCH_ERR_FORMAT);
            vouch_model_close(model);
            text[at] = whole[at];
        }
    }
}

TEST_IN_FOLDER(damaged_texts_are_refused)
{
    damage(text_model, strlen(text_model), import_text);
    damage(wapiti_model, strlen(wapiti_model), import_wapiti);
}

TEST_IN_FOLDER(cut_files_are_refused)
{
    struct file file;
    make(&file);
    size_t whole = file.size;
    for (file.size = 0; file.size < whole; file.size += apart()) {
        assert_null(import(&file));
        assert_int_equal(err.status, VOUCH_ERR_FORMAT);
        if (file.size < 48)
            continue;
        set_number(&file, 4, file.size); /* the size is right, but what it should hold is not there */
        assert_null(import(&file));
        assert_int_equal(err.status, VOUCH_ERR_FORMAT);
        set_number(&file, 4, whole);
    }
    file.size = whole + 1;
    assert_null(import(&file));
}

/* Whether a byte is in the places of hash tables, which are long and not used. */
static bool in_hash_table(const struct file *file, size_t at)
{
    static const unsigned char nothing[256];
    return at + 256 <= file->size && memcmp(file->bytes + at, nothing, 256) == 0;
}

/* A changed weight or name cannot be told from another model; everything else is refused or has no meaning. */
TEST_IN_FOLDER(damaged_files_do_no_harm)
{
    struct file file;
    make(&file);
    size_t refused = 0;
    for (size_t at = 0; at < file.size; at += in_hash_table(&file, at) ? 127 : apart()) {
        static const unsigned char change[] = {0xFF};
        for (size_t i = 0; i < sizeof change; i++) {
            file.bytes[at] ^= change[i];
            vouch_model *model = import(&file);
            assert_true(model || err.status == VOUCH_ERR_FORMAT || err.status == VOUCH_ERR_MEMORY);
            refused += model == NULL;
            vouch_model_close(model);
            file.bytes[at] ^= change[i];
        }
    }
    assert_true(refused > 100 / apart());
}

static void expect(const struct file *file, const char *message)
{
    assert_null(import(file));
    assert_int_equal(err.status, VOUCH_ERR_FORMAT);
    if (!strstr(err.message, message))
        fail_msg("expected '%s', found '%s'", message, err.message);
}

TEST_IN_FOLDER(faults_have_names)
{
    struct file file;
    make(&file);
    file.bytes[0] = 'L';
    expect(&file, "expected a model file of CRFsuite, found something else");
    make(&file);
    set_number(&file, 12, 200);
    expect(&file, "expected version 100 of CRFsuite's models, found 200");
    make(&file);
    set_number(&file, 20, 0);
    expect(&file, "expected 1 to 65535 labels, found 0");
    make(&file);
    set_number(&file, 48 + 12, 2);
    expect(&file, "byte 60: expected type 0 or 1 of a feature");
    make(&file);
    set_number(&file, 48 + 16, A);
    expect(&file, "byte 64: expected numbers of an attribute or label, and of a label");
    make(&file);
    set_number(&file, 48 + 28, 0x7FF00000);
    expect(&file, "byte 72: expected a weight in the range of floats");
    assert_null(vouch_model_import("other", "model", &err));
    assert_non_null(strstr(err.message, "found 'other'"));
    assert_int_equal(err.status, VOUCH_ERR_ARGUMENT);
    make(&file);
    size_t at = 0;
    while (at + 4 < file.size && memcmp(file.bytes + at, labels[1], strlen(labels[1]) + 1) != 0)
        at++;
    file.bytes[at + 1] = '\n';
    expect(&file, "label 2: expected a new name in UTF-8 that is not empty, without tabs and line ends");
    assert_null(vouch_model_import("crfsuite", folder_file("none"), &err));
    assert_int_equal(err.status, VOUCH_ERR_IO);
    assert_null(vouch_model_import(NULL, NULL, &err));
    assert_int_equal(err.status, VOUCH_ERR_ARGUMENT);
}
