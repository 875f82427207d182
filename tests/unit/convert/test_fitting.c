/* Tests what every format owes: what is fitted to it, written and read again is the same, and losses are counted. */
#include "convert/fitting.h"

#include "random_annotations.h"
#include "round_trip.h"

#include "must.h" /* its `err` is that of all tests, not to be hidden by others */

static struct convert_options choose_options(struct dice *dice)
{
    struct convert_options options;
    options_init(&convert_options, &options);
    options.all = true;
    options.overlaps = 1 + roll(dice, 2);
    options.scheme = roll(dice, 3);
    options.predictions = roll(dice, 4) == 0;
    return options;
}

/* A file has one document of some formats. */
static void keep_one(struct annotated_texts *texts, const struct annotation_format *to)
{
    while (to->one_document && texts->count > 1)
        annotated_release(&texts->document[--texts->count]);
}

/* Takes random texts to a format, and what is read of that on to another. */
static void try_texts(uint64_t seed, const struct annotation_format *to, const struct annotation_format *next)
{
    struct dice dice = {.rng = rng_new(seed, 0)}, again = dice;
    struct annotated_texts before, texts, between;
    struct written written;
    MUST(random_texts(&dice, &before, &err));
    MUST(random_texts(&again, &texts, &err));
    struct convert_options options = choose_options(&dice);
    struct format_choices choices = convert_choices(&options);
    keep_one(&before, to);
    keep_one(&texts, to);
    if (!fit_honestly(&before, &texts, to, &options, &err) || !round_trip(&texts, to, &options, &err))
        fail_msg("seed %llu: %s", (unsigned long long)seed, round_trip_failure);
    texts_init(&between);
    if (next && texts.count > 0 && write_fitted(&texts, to, &options, &written, &err)) {
        struct annotated_source source = written_source(&written);
        between.edges = EDGES_CUT;
        /* A span of no words of the rule cannot be read. */
        if (to->read(&source, &choices, &between, &err)) {
            keep_one(&between, next);
            MUST(texts_fit(&between, next, &options, &err));
            if (!round_trip(&between, next, &options, &err))
                fail_msg("seed %llu by %s: %s", (unsigned long long)seed, to->name, round_trip_failure);
        } else {
            assert_true(texts.counts.unsaid[KEPT_WORDS] > 0);
        }
        written_discard(&written);
    }
    texts_release(&before);
    texts_release(&texts);
    texts_release(&between);
}

TEST(what_is_fitted_is_read_again)
{
    const uint64_t tries = test_all() ? 20000 : in_a_hurry() ? 100 : 1000;
    for (uint64_t seed = 1; seed <= tries; seed++)
        for (const struct annotation_format *const *to = annotation_formats; *to; to++)
            try_texts(seed, *to, NULL);
}

TEST(what_was_read_goes_on_to_every_format)
{
    const uint64_t tries = test_all() ? 2000 : in_a_hurry() ? 10 : 100;
    for (uint64_t seed = 1; seed <= tries; seed++)
        for (const struct annotation_format *const *to = annotation_formats; *to; to++)
            for (const struct annotation_format *const *next = annotation_formats; *next; next++)
                try_texts(1000000 + seed, *to, *next);
}
