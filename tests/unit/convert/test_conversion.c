/* Tests every pair of formats: what both can say comes back as it was, and what one cannot say is counted. */
#include "convert/conversion.h"

#include "must.h"
#include "same_annotations.h"

/* Documents that together have all that an annotated text may have, and no overlaps. */
static const char everything[] =
    "{\"tokens\": [\"Ada\", \"met\", \"Zo\\u00eb\", \"\\ud83d\\ude00\", \".\"], \"labels\": [\"B-PER\", \"O\", "
    "\"B-PER\","
    " \"O\", \"O\"], \"entities\": [{\"from\": 0, \"to\": 1, \"label\": \"PER\", \"id\": \"T1\", \"score\": 0.25}, "
    "{\"from\": 2, \"to\": 3, \"label\": \"PER\", \"id\": \"T2\", \"note\": \"sure?\"}], \"links\": [{\"from\": 1, "
    "\"to\": 0, \"label\": \"met\", \"id\": \"R3\", \"score\": 0.5}], \"text\": \"Ada met  Zo\\u00eb\\ud83d\\ude00.\", "
    "\"offsets\": [[0, 3], [4, 7], [9, 12], [12, 13], [13, 14]], \"document\": \"d1\", \"annotator\": \"7\", "
    "\"state\": "
    "\"accepted\", \"meta\": {\"source\": \"web\", \"n\": [1, 2.5]}}\n"
    "{\"tokens\": [\"New\", \"York\", \"!\"], \"labels\": [\"B-LOC\", \"I-LOC\", \"O\"], \"document\": \"d2\", \"id\": "
    "\"s1\"}\n"
    "{\"tokens\": [\"Bonn\", \"Bonn\", \"it\", \"'s\"], \"labels\": [\"B-LOC\", \"B-LOC\", \"O\", \"O\"], "
    "\"continues\": true, \"id\": \"s2\"}\n"
    "{\"tokens\": [[\"She\", \"she\", \"PRON\", \"PRP\", \"Case=Nom\"], [\"left\", \"leave\", \"VERB\", \"_\", "
    "\"_\"]], "
    "\"labels\": [\"O\", \"O\"], \"heads\": [2, 0], \"relations\": [\"nsubj\", \"root\"], \"tags\": {\"misc\": [\"_\", "
    "\"A=B\"]}, \"document\": \"d3\"}\n"
    "{\"tokens\": [\"Who\", \"?\"], \"predicted\": [\"O\", \"O\"], \"document\": \"d4\", \"state\": \"ignored\"}\n"
    "{\"tokens\": [\"Bo\", \"Li\"], \"predicted\": [\"B-first name\", \"O\"], \"document\": \"d5\", \"state\": "
    "\"predicted\", \"annotator\": \"m1\", \"score\": 0.75}\n";

/* A file in memory, with its second file. */
struct file {
    char *bytes, *companion;
};

static char *taken(struct output *out)
{
    size_t length;
    const char *bytes = output_text(out, &length);
    char *copy = calloc(length + 1, 1);
    assert_non_null(bytes);
    memcpy(copy, bytes, length);
    output_discard(out);
    return copy;
}

static void file_release(struct file *file)
{
    free(file->bytes);
    free(file->companion);
}

static struct convert_options settings(void)
{
    struct convert_options options;
    options_init(&convert_options, &options);
    options.overlaps = OVERLAPS_LONGEST;
    options.all = true;
    return options;
}

static void read_texts(struct annotated_texts *texts, const struct annotation_format *from, const struct file *file)
{
    struct convert_options options = settings();
    struct format_choices choices = convert_choices(&options);
    struct annotated_source source = {"d1.ann", file->bytes, strlen(file->bytes), file->companion,
                                      file->companion ? strlen(file->companion) : 0};
    texts_init(texts);
    MUST(from->read(&source, &choices, texts, &err));
}

/* Drops what a format cannot say, and writes the rest; one document alone, where a file has no more. */
static struct file write_texts(struct annotated_texts *texts, const struct annotation_format *to)
{
    struct convert_options options = settings();
    struct format_choices choices = convert_choices(&options);
    struct output *out = output_open_memory(&err), *companion = output_open_memory(&err);
    MUST(texts_fit(texts, to, &options, &err));
    while (to->one_document && texts->count > 1)
        annotated_release(&texts->document[--texts->count]);
    MUST(to->write(out, companion, &choices, texts, &err));
    return (struct file){taken(out), taken(companion)};
}

static void compare(const struct annotated_texts *a, const struct annotated_texts *b, uint64_t kinds, const char *from,
                    const char *to)
{
    if (a->count != b->count)
        fail_msg("%s -> %s: %zu documents, then %zu", from, to, a->count, b->count);
    for (size_t i = 0; i < a->count; i++)
        if (!same_document(&a->document[i], &b->document[i], kinds))
            fail_msg("%s -> %s: document %zu: %s", from, to, i + 1, annotations_difference);
}

/* Takes a file of one format through another and back. */
static void there_and_back(const struct annotation_format *a, const struct annotation_format *b,
                           const struct file *original)
{
    struct annotated_texts first, between, last;
    read_texts(&first, a, original);
    struct file other = write_texts(&first, b);
    uint64_t kept = b->one_document || a->one_document ? ~KEPT(IDS) : ALL_KINDS;
    read_texts(&between, b, &other);
    compare(&first, &between, kept, a->name, b->name); /* both without what the second cannot say */
    struct file again = write_texts(&between, a);
    read_texts(&last, a, &again);
    compare(&between, &last, kept, a->name, b->name);
    bool all_said = (a->kept & ~b->kept) == 0 && (a->states & ~b->states) == 0 && !b->one_document;
    if (all_said && a->kept & KEPT(TEXT))
        assert_string_equal(original->bytes, again.bytes);
    file_release(&other);
    file_release(&again);
    texts_release(&first);
    texts_release(&between);
    texts_release(&last);
}

TEST(every_pair_of_formats_there_and_back)
{
    const struct annotation_format *own = annotation_format_named("jsonl", &err);
    for (const struct annotation_format *const *a = annotation_formats; *a; a++) {
        struct annotated_texts texts;
        struct file all = {(char *)(uintptr_t)everything, NULL};
        read_texts(&texts, own, &all);
        assert_int_equal(texts.count, 5);
        struct file original = write_texts(&texts, *a);
        texts_release(&texts);
        for (const struct annotation_format *const *b = annotation_formats; *b; b++)
            there_and_back(*a, *b, &original);
        file_release(&original);
    }
}

/* Words that nobody has labelled are a column of words. */
TEST(words_alone_are_one_column)
{
    struct annotated_texts texts;
    struct file own = {(char *)(uintptr_t)"{\"tokens\": [\"Ada\", \"met\"]}\n{\"tokens\": [\"Bo\"]}\n", NULL};
    const struct annotation_format *conll = annotation_format_named("conll", &err);
    read_texts(&texts, annotation_format_named("jsonl", &err), &own);
    struct file words = write_texts(&texts, conll);
    assert_string_equal(words.bytes, "Ada\nmet\n\nBo\n\n");
    there_and_back(conll, annotation_format_named("jsonl", &err), &words);
    file_release(&words);
    texts_release(&texts);
}

/* A tab in a note of brat's is part of it. */
TEST(notes_keep_their_tabs)
{
    const struct annotation_format *brat = annotation_format_named("brat", &err);
    struct file file = {(char *)(uintptr_t)"T1\tPER 0 3\tAda\n#1\tAnnotatorNotes T1\ta\tb\n",
                        (char *)(uintptr_t)"Ada met Bo."};
    there_and_back(brat, brat, &file);
}

/* What is lost on the way to a format: counts of some kinds. */
static uint64_t lost(const char *to, enum kept kind)
{
    struct annotated_texts texts;
    struct file all = {(char *)(uintptr_t)everything, NULL};
    read_texts(&texts, annotation_format_named("jsonl", &err), &all);
    struct file file = write_texts(&texts, annotation_format_named(to, &err));
    uint64_t count = texts.counts.unsaid[kind];
    file_release(&file);
    texts_release(&texts);
    return count;
}

TEST(what_a_format_cannot_say_is_counted)
{
    assert_int_equal(lost("conll", KEPT_SPAN_SCORES), 1);
    assert_int_equal(lost("conll", KEPT_RELATIONS), 1);
    assert_int_equal(lost("conll", KEPT_TREES), 1);
    assert_int_equal(lost("conll", KEPT_TEXT), 1);
    assert_int_equal(lost("conll", KEPT_STATES), 2);
    assert_int_equal(lost("conll", KEPT_NOTES), 1);
    assert_int_equal(lost("label-studio", KEPT_STATES), 0);
    assert_int_equal(lost("label-studio", KEPT_RELATION_SCORES), 1);
    assert_int_equal(lost("prodigy", KEPT_STATES), 1);
    assert_int_equal(lost("prodigy", KEPT_RELATION_SCORES), 0);
    assert_int_equal(lost("brat", KEPT_META), 1);
    assert_int_equal(lost("jsonl", KEPT_META), 0);
    assert_int_equal(lost("conllu", KEPT_UD_COLUMNS), 0);
    assert_int_equal(lost("gliner", KEPT_UD_COLUMNS), 5);
}

/* Converts a line of GLiNER to CoNLL columns, whose labels are returned. */
static char *labels_of(const char *line, enum overlap_choice overlaps, struct conversion_counts *counts)
{
    struct annotated_texts texts;
    struct convert_options options = settings();
    struct format_choices choices = convert_choices(&options);
    const struct annotation_format *to = annotation_format_named("conll", &err);
    struct file file = {(char *)(uintptr_t)line, NULL};
    struct output *out = output_open_memory(&err);
    options.overlaps = overlaps;
    read_texts(&texts, annotation_format_named("gliner", &err), &file);
    bool done = texts_fit(&texts, to, &options, &err) && to->write(out, NULL, &choices, &texts, &err);
    *counts = texts.counts;
    texts_release(&texts);
    if (done)
        return taken(out);
    output_discard(out);
    return NULL;
}

TEST(overlapping_spans_are_refused_or_dropped)
{
    static const char line[] = "{\"tokenized_text\": [\"a\", \"b\", \"c\", \"d\"], \"ner\": [[0, 1, \"X\"], [1, 3, "
                               "\"Y\"], [3, 3, \"Z\"]]}";
    struct conversion_counts counts;
    assert_null(labels_of(line, OVERLAPS_REFUSE, &counts));
    assert_non_null(strstr(err.message, "'a b' (X) and 'b c d' (Y)"));
    char *longest = labels_of(line, OVERLAPS_LONGEST, &counts);
    assert_string_equal(longest, "a O\nb B-Y\nc I-Y\nd I-Y\n\n");
    assert_int_equal(counts.overlapping, 2);
    char *first = labels_of(line, OVERLAPS_FIRST, &counts);
    assert_string_equal(first, "a B-X\nb I-X\nc O\nd B-Z\n\n");
    assert_int_equal(counts.overlapping, 1);
    free(longest);
    free(first);
}

TEST(sentences_that_a_span_crosses_are_joined)
{
    static const char line[] = "{\"tokens\": [\"Dr\", \".\"], \"labels\": [\"O\", \"O\"], \"document\": \"d\"}\n"
                               "{\"tokens\": [\"No\"], \"labels\": [\"O\"], \"continues\": true}\n";
    struct annotated_texts texts;
    struct convert_options options = settings();
    struct file file = {(char *)(uintptr_t)line, NULL};
    read_texts(&texts, annotation_format_named("jsonl", &err), &file);
    assert_int_equal(texts.document[0].sentences, 2);
    assert_non_null(annotated_add_span(&texts.document[0], 0, 3, text_of("PER"), &err));
    MUST(texts_fit(&texts, annotation_format_named("conll", &err), &options, &err));
    assert_int_equal(texts.document[0].sentences, 1);
    assert_int_equal(texts.counts.joined, 1);
    texts_release(&texts);
}
