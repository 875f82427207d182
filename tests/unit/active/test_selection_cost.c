/* Tests labelling costs: reading the seconds, and adding them up. */
#include "active/selection.h"

#include "test.h"

static struct vouch_error err;

TEST(seconds_are_read_in_their_order)
{
    struct labelling_cost cost;
    assert_true(labelling_cost_parse(&cost, "13,3.8,5.4", &err));
    assert_true(cost.sentence == 13 && cost.word == 3.8 && cost.change == 5.4);
    assert_true(labelling_cost_parse(&cost, "0,1,0", &err));
    assert_true(cost.sentence == 0 && cost.word == 1 && cost.change == 0);
    static const char *const wrong[] = {"", "1", "1,2", "1,2,", "1,2,3,4", "1,,3", "1,-2,3", "1,2,inf", "1,2,nan", "x"};
    for (size_t i = 0; i < sizeof wrong / sizeof *wrong; i++)
        assert_false(labelling_cost_parse(&cost, wrong[i], &err));
    assert_int_equal(err.status, VOUCH_ERR_ARGUMENT);
    assert_string_equal(err.message,
                        "--cost: expected seconds for a sentence, a word and a change, such as 13,3.8,5.4, "
                        "found 'x'");
}

TEST(seconds_add_up)
{
    struct labelling_cost cost = {10, 2, 5};
    assert_true(fabs(labelling_seconds(&cost, &(struct labelling){3, 40, 7}) - (30 + 80 + 35)) < 1e-9);
}
