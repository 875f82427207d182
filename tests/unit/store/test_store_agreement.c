/* Tests that agreement in a store is that of the decisions which stand, on sentences that several decided on. */
#include "stored.h"

TEST_IN_FOLDER(annotators_are_compared_on_what_they_both_decided)
{
    static const struct reader_options usual;
    struct store *store = open_store();
    struct store_agreement found;
    struct answer_query all = {0};
    add_text(store, "corpus", "a N\nb N\n\nc V\nd V\n\ne N\n\n", &usual);
    add_annotator(store, "ann");
    add_annotator(store, "ben");
    add_annotator(store, "carl");
    decide(store, 1, 1, DECISION_EDIT, "N V");
    decide(store, 3, 1, DECISION_ACCEPT, "N ?");
    decide(store, 1, 2, DECISION_EDIT, "V V");
    decide(store, 2, 2, DECISION_EDIT, "V N");
    decide(store, 1, 3, DECISION_EDIT, "V"); /* nobody else did */
    int64_t undone = decide(store, 2, 3, DECISION_EDIT, "V");
    assert_true(take_back(store, 2, DECISION_UNDO, undone));
    MUST(store_agreement(store, &all, &found, &err));
    MUST(agreement_measure(&found.agreement, 10, 1, &err));
    assert_int_equal(found.agreement.annotators, 3);
    assert_string_equal(found.name[2], "carl");
    assert_int_equal(found.agreement.sentences, 2);
    assert_int_equal(found.sentence[1], 2);
    assert_int_equal(found.agreement.figure[0].units, 3);
    assert_int_equal(found.agreement.disagreements, 1);
    assert_int_equal(found.agreement.disagreement[0].sentence, 1);
    assert_int_equal(found.agreement.disagreement[0].from, 1);
    store_agreement_release(&found);
    store_close(store);
}
