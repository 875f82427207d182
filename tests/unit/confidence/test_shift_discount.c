/*
 * Tests the shift discount: it only ever lowers confidence, most in sentences that look like simulated ones, and hardly
 * in others.
 */
#include "confidence/shift_discount.h"

#include "must.h"
#include "test.h"

enum { SENTENCES = 400, WORDS = 10 };

/* Makes the profile of a sentence of ten words, so many of which are unknown by every kind of look-up. */
static void look(double *profile, uint32_t unknown, bool concerned)
{
    memset(profile, 0, sizeof *profile * PROFILE_SIGNALS);
    profile[PROFILE_CONCERNED] = concerned;
    profile[PROFILE_LENGTH] = log(WORDS);
    profile[PROFILE_ODDS] = 3;
    profile[PROFILE_COUNTED] = WORDS;
    for (uint32_t k = 0; k < COUNT_KINDS; k++) {
        profile[PROFILE_UNKNOWN + k] = unknown;
        profile[PROFILE_SEEN + k] = 2.0 * (WORDS - unknown);
    }
}

struct words {
    double p[SENTENCES * WORDS], profile[SENTENCES * WORDS * PROFILE_SIGNALS];
    bool right[SENTENCES * WORDS];
    uint32_t sentence[SENTENCES * WORDS];
};

/* Sentences with `least` to `least + 2` unknown words; of ten words that are said to be right, `wrong` are not. */
static struct discount_rows some_words(struct words *w, uint32_t least, uint32_t wrong)
{
    for (uint32_t i = 0; i < SENTENCES * WORDS; i++) {
        w->p[i] = 0.95;
        w->sentence[i] = i / WORDS;
        w->right[i] = (i * 7 + i / WORDS) % 10 >= wrong;
        look(w->profile + (size_t)i * PROFILE_SIGNALS, least + i / WORDS % 3, i % 2);
    }
    return (struct discount_rows){w->p, w->profile, w->right, w->sentence, SENTENCES * WORDS};
}

static struct words like, unlike;

static double discounted(const struct shift_discount *discount, double p, const double *profile)
{
    struct sentence_discount sentence = discount_of_sentence(discount, profile);
    return discount_word(discount, &sentence, p);
}

TEST(trust_falls_with_what_is_unknown)
{
    struct discount_rows real = some_words(&like, 0, 1), simulated = some_words(&unlike, 6, 6);
    struct shift_discount discount = {0};
    double profile[PROFILE_SIGNALS];
    MUST(discount_fit_unlike(&discount, &real, &simulated, 1, 1, &err));
    MUST(discount_fit_other(&discount, &simulated, &err));
    assert_true(discount.fitted);
    for (uint32_t unknown = 0; unknown <= WORDS; unknown++)
        for (double p = 0.05; p < 1; p += 0.05) {
            look(profile, unknown, true);
            double cautious = discounted(&discount, p, profile);
            assert_true(cautious > 0 && cautious <= p);
            assert_true(unknown > 1 || p - cautious < 0.02);
        }
    look(profile, 8, true);
    assert_true(discounted(&discount, 0.95, profile) < 0.6); /* of simulated words that looked so, 0.4 were right */
    assert_true(isnan(discounted(&discount, NAN, profile)));
    discount_release(&discount);
}

TEST(without_simulated_words_nothing_changes)
{
    struct discount_rows real = some_words(&like, 0, 1), none = {NULL, NULL, NULL, NULL, 0};
    struct shift_discount discount = {0};
    double profile[PROFILE_SIGNALS];
    MUST(discount_fit_unlike(&discount, &real, &none, 1, 1, &err));
    MUST(discount_fit_other(&discount, &none, &err));
    look(profile, WORDS, true);
    assert_true(!discount.fitted && discounted(&discount, 0.9, profile) == 0.9);
    discount_release(&discount);
}
