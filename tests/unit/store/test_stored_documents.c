/* Tests that documents are kept byte for byte, and that a sentence taken alone is read as it is in its document. */
#include "stored.h"

static const struct reader_options usual = {0}, trees = {.trees = true}, unlabelled = {.gold = GOLD_NONE};

static const struct sample {
    const char *name, *text;
    const struct reader_options *reading;
} samples[] = {
    {"columns", "John B-PER\nsings O\n\nMary B-PER\n", &usual},
    {"no last end", "a X\nb Y\n\nc Z", &usual},
    {"blank lines", "\n\na X\nb Y\n\n\n\nc Z\n\n\n", &usual},
    {"returns", "a X\r\nb Y\r\n\r\nc Z\r\n", &usual},
    {"marks", "-DOCSTART- -X- O\n\na NN X\nb NN Y\n\n-DOCSTART- -X- O\n\nc NN Z\n", &usual},
    {"mark in words", "a NN X\n-DOCSTART- -X- O\nb NN Y\n", &usual},
    {"comments", "# one two three four\na NN X\n# # Y\n\n#comment\nb NN Y\n\n#end\n", &usual},
    {"only numbers", "# # X\n# # Y\n\na NN X\n\n# # X\n", &usual},
    {"tabs", "a\tNN\tX\nb c\tNN\tY\n\nd\tNN\tZ\n", &usual},
    {"trailing blanks", "a X  \nb  Y \n \nc Z\n", &usual},
    {"byte order mark", "\xEF\xBB\xBF" "a X\nb Y\n\nc Z\n", &usual},
    {"no labels", "a\nb\n\nc\n", &unlabelled},
    {"empty", "", &usual},
    {"comment only", "#nothing at all\n", &trees},
    {"json",
     "{\"tokens\": [\"a\", \"b\"],  \"labels\": [\"X\", \"Y\"]}\n\n{\"tokens\":[\"c\"],\"labels\":[\"Z\"]}", &usual},
    {"json, no words", "{\"tokens\": [], \"labels\": []}\n{\"tokens\": [\"c\"], \"labels\": [\"Z\"]}\n", &usual},
    {"crfsuite", "X\ta=b\tc=d:2\nY\te=f\n\nZ\tg=h\n", &usual},
    {"plain", " the cat sat on the mat \nit sat\n", &usual},
    {"trees",
     "# sent_id = 1\n1-2\tdu\t_\t_\t_\t_\t_\t_\t_\t_\n1\tde\t_\tX\t_\t_\t2\tcase\t_\t_\n"
     "2\tle\t_\tX\t_\t_\t0\troot\t_\t_\n"
     "2.1\tx\t_\t_\t_\t_\t_\t_\t_\t_\n\n# text = b\n1\tb\t_\tX\t_\t_\t0\troot\t_\t_\n\n",
     &trees},
    {"json trees", "{\"tokens\": [\"a\", \"b\"], \"heads\": [0, 1], \"relations\": [\"root\", \"obj\"]}\n", &trees},
};
enum { SAMPLES = sizeof samples / sizeof *samples };

static void assert_document(struct store *store, int64_t id, const char *text)
{
    struct buffer bytes = {0};
    struct reader_options reading;
    MUST(store_read_document(store, id, &bytes, &reading, &err));
    assert_int_equal(bytes.length, strlen(text));
    assert_memory_equal(bytes.bytes ? bytes.bytes : "", text, bytes.length);
    free(bytes.bytes);
}

TEST_IN_FOLDER(documents_are_kept_byte_for_byte)
{
    struct store *store = open_store();
    int64_t id[SAMPLES];
    for (size_t i = 0; i < SAMPLES; i++)
        id[i] = add_text(store, samples[i].name, samples[i].text, samples[i].reading);
    for (size_t i = 0; i < SAMPLES; i++)
        assert_document(store, id[i], samples[i].text);
    assert_int_equal(problems_of(store), 0);
    store_close(store);
}

/* The sentences of a document, read one after the other. */
struct whole {
    struct store *store;
    struct reader *reader;
    struct sentence s, alone;
    uint64_t place, words;
};

static bool compare(void *context, const struct store_sentence *row, struct vouch_error *e)
{
    struct whole *w = context;
    (void)e;
    do
        assert_int_equal(reader_next(w->reader, &w->s, &err), READ_SENTENCE);
    while (w->s.boundary || w->s.rest);
    MUST(store_read_sentence(w->store, row->id, &w->alone, NULL, &err));
    const struct sentence *a = &w->s, *b = &w->alone;
    assert_int_equal(row->place, w->place++);
    assert_int_equal(row->place, a->place.sentences);
    assert_int_equal(row->words, a->N);
    assert_int_equal(a->N, b->N);
    assert_int_equal(a->number, b->number);
    assert_int_equal(row->words_digest, sentence_words_digest(a));
    assert_int_equal(a->labelled, b->labelled);
    assert_int_equal(row->given.words, a->labelled ? a->N : 0);
    for (uint32_t i = 0; i < a->N; i++) {
        assert_int_equal(sentence_cells(a, i), sentence_cells(b, i));
        for (uint32_t c = 0; c < sentence_cells(a, i); c++)
            assert_true(text_equal(sentence_cell(a, i, c), sentence_cell(b, i, c)));
        if (a->labelled)
            assert_true(text_equal(a->gold[i], b->gold[i]) && text_equal(a->gold[i], row->given.label[i]));
        if (a->labelled && a->tree)
            assert_true(a->head[i] == b->head[i] && a->head[i] == row->given.head[i]);
    }
    w->words += a->N;
    return true;
}

TEST_IN_FOLDER(a_sentence_alone_is_read_as_in_its_document)
{
    struct store *store = open_store();
    for (size_t i = 0; i < SAMPLES; i++) {
        const struct sample *sample = &samples[i];
        int64_t id = add_text(store, sample->name, sample->text, sample->reading);
        struct whole w = {.store = store};
        w.reader = reader_open_memory(sample->text, strlen(sample->text), sample->reading, &err);
        MUST(w.reader);
        MUST(store_sentences(store, id, compare, &w, &err));
        while (reader_next(w.reader, &w.s, &err) == READ_SENTENCE)
            assert_true(w.s.boundary || w.s.rest);
        assert_true(w.words > 0 || sample->text[0] == '\0' || sample->text[0] == '#');
        reader_close(w.reader);
        sentence_release(&w.s);
        sentence_release(&w.alone);
    }
    store_close(store);
}

TEST_IN_FOLDER(the_same_document_is_added_once_and_another_of_its_name_refused)
{
    struct store *store = open_store();
    const char *path = folder_put("a.conll", samples[0].text), *other = samples[1].text;
    int64_t first, again;
    MUST(store_add_file(store, path, "corpus", &usual, &first, &err));
    MUST(store_add_file(store, path, "corpus", &usual, &again, &err));
    assert_int_equal(first, again);
    /* No JSON can say it. */
    assert_false(store_add_bytes(store, other, strlen(other), "caf\xe9", &usual, &again, &err));
    assert_non_null(strstr(err.message, "expected a document's name in UTF-8"));
    assert_false(store_add_bytes(store, other, strlen(other), "corpus", &usual, &again, &err));
    assert_non_null(strstr(err.message, "has it changed"));
    assert_false(store_add_file(store, path, "corpus", &unlabelled, &again, &err));
    assert_non_null(strstr(err.message, "other columns"));
    store_close(store);
}

static bool count_document(void *context, const struct store_document *document, struct vouch_error *e)
{
    (void)e;
    *(size_t *)context += document->sentences;
    return true;
}

TEST_IN_FOLDER(a_document_that_cannot_be_read_adds_nothing)
{
    struct store *store = open_store();
    static const char wrong[] = "a X\nb Y\n\nc Z Z\n";
    int64_t id;
    size_t sentences = 0;
    assert_false(store_add_file(store, folder_put("wrong.conll", wrong), NULL, &usual, &id, &err));
    assert_non_null(strstr(err.message, "wrong.conll:4: expected 2 columns, found 3"));
    MUST(store_documents(store, count_document, &sentences, &err));
    assert_int_equal(sentences, 0);
    add_text(store, "right", samples[0].text, &usual);
    MUST(store_documents(store, count_document, &sentences, &err));
    assert_int_equal(sentences, 2);
    assert_int_equal(problems_of(store), 0);
    store_close(store);
}
