/* Tests counting documents: marks between sentences, comments of CoNLL-U, files that follow each other. */
#include "core/sentence.h"

#include "test.h"

/* Passes sentences: "m" is a mark, "n" one with a comment # newdoc, "f" the first of a file, "s" any other. */
static struct document_count pass(const char *files, uint32_t *document)
{
    struct document_count count = {0};
    for (uint32_t i = 0; files[i]; i++) {
        struct sentence s = {.N = 1, .boundary = files[i] == 'm'};
        const char *comment = files[i] == 'n' ? "# sent_id = 3\n# newdoc id = d\n" : "# newdocument\n#newdoc\n";
        s.before = (struct text){comment, (uint32_t)strlen(comment)};
        s.place.sentences = files[i] == 'f' ? 0 : 1;
        document_count_pass(&count, &s);
        document[i] = count.documents - 1;
    }
    return count;
}

TEST(marks_divide_documents)
{
    uint32_t document[16];
    struct document_count count = pass("mssmsms", document); /* in front of each */
    assert_true(has_documents(&count) && count.documents == 3);
    assert_true(document[1] == 0 && document[2] == 0 && document[4] == 1 && document[6] == 2);
    count = pass("fsmsmmsm", document); /* behind each; two marks are one */
    assert_true(has_documents(&count) && count.documents == 3 && document[1] == 0 && document[6] == 2);
    count = pass("nsnsss", document);
    assert_true(has_documents(&count) && count.documents == 2 && document[1] == 0 && document[5] == 1);
}

TEST(files_without_marks_have_none)
{
    uint32_t document[16];
    struct document_count count = pass("fssfss", document);
    assert_true(!has_documents(&count));
    count = pass("mfss", document); /* one document is none */
    assert_true(!has_documents(&count));
    count = pass("fssfsms", document); /* a file without marks is one document beside others */
    assert_true(has_documents(&count) && count.documents == 3 && document[2] == 0 && document[4] == 1);
}
