/* Tests lexicons in files: unfolded they are what was folded, and streams that are damaged are refused. */
#include "base/random.h"
#include "model/lexicon_code.h"

#include "must.h"
#include "test.h"

struct folded {
    struct bit_writer part[LEXICON_PARTS];
    struct lexicon_streams streams;
};

static void fold_all(const struct lexicon *x, struct folded *folded)
{
    *folded = (struct folded){0};
    for (enum lexicon_part p = 0; p < LEXICON_PARTS; p++) {
        MUST(lexicon_fold(x, p, &folded->part[p], &err));
        folded->streams.part[p] = (struct section_view){folded->part[p].bytes, bits_bytes(&folded->part[p])};
    }
}

static void folded_release(struct folded *folded)
{
    for (enum lexicon_part p = 0; p < LEXICON_PARTS; p++)
        free(folded->part[p].bytes);
}

/* Makes a lexicon of some random entries, phrases among them. */
static struct lexicon *random_lexicon(struct lexicons *lexicons, struct rng *rng, uint32_t entries)
{
    *lexicons = (struct lexicons){0};
    struct lexicon *x = lexicons_add(lexicons, text_of("some"), &err);
    assert_non_null(x);
    x->columns = 1 + rng_below(rng, 3);
    for (uint32_t i = 0; i < entries; i++) {
        char entry[64] = "", classes[64] = "";
        uint32_t letters = 1 + rng_below(rng, 5);
        for (uint32_t k = 0; k < letters; k++)
            snprintf(entry + strlen(entry), 8, "%s%s", k && rng_below(rng, 4) == 0 ? " " : "",
                     (const char *[]){"a", "b", "é", "Z"}[rng_below(rng, 4)]);
        for (uint32_t c = 0; c < x->columns; c++)
            snprintf(classes + strlen(classes), 8, "%s%.*s", c ? "\t" : "", (int)rng_below(rng, 3),
                     rng_below(rng, 2) ? "01" : "xy");
        if (!dictionary_find(&x->entry, text_of(entry)))
            MUST(lexicon_add(x, text_of(entry), text_of(classes), &err));
    }
    MUST(lexicon_close(x, &err));
    return x;
}

static bool unfold(const struct lexicon *like, const struct lexicon_streams *streams, struct lexicons *again)
{
    *again = (struct lexicons){0};
    struct lexicon *x = lexicons_add(again, text_of("some"), &err);
    assert_non_null(x);
    x->columns = like->columns;
    err = (struct vouch_error){0};
    return lexicon_unfold(x, lexicon_entries(like), like->classes.table.count, streams, &err);
}

TEST(a_lexicon_is_what_it_was)
{
    struct rng rng = rng_new(3, 0);
    for (int round = 0; round < fewer(60); round++) {
        struct lexicons lexicons, again;
        struct folded folded, twice;
        const struct lexicon *x = random_lexicon(&lexicons, &rng, 1 + rng_below(&rng, 200));
        fold_all(x, &folded);
        MUST(unfold(x, &folded.streams, &again));
        const struct lexicon *y = &again.item[0];
        assert_int_equal(y->digest, x->digest);
        assert_int_equal(lexicon_entries(y), lexicon_entries(x));
        for (uint32_t id = 1; id <= lexicon_entries(x); id++) {
            struct text entry = dictionary_text(&x->entry, id);
            assert_int_equal(dictionary_find(&y->entry, entry), id);
            assert_true(text_equal(dictionary_text(&y->classes, y->row[id]), dictionary_text(&x->classes, x->row[id])));
        }
        fold_all(y, &twice);
        for (enum lexicon_part p = 0; p < LEXICON_PARTS; p++) {
            assert_int_equal(bits_bytes(&twice.part[p]), bits_bytes(&folded.part[p]));
            assert_memory_equal(twice.part[p].bytes, folded.part[p].bytes, bits_bytes(&folded.part[p]));
        }
        folded_release(&folded);
        folded_release(&twice);
        lexicons_release(&lexicons);
        lexicons_release(&again);
    }
}

/* What is read of damaged streams is refused, or is a lexicon like any other: no entry is there twice. */
TEST(damaged_streams_are_refused_or_sound)
{
    struct rng rng = rng_new(4, 0);
    struct lexicons lexicons, again;
    struct folded folded;
    const struct lexicon *x = random_lexicon(&lexicons, &rng, 60);
    fold_all(x, &folded);
    uint32_t refused = 0, tries = (uint32_t)fewer(4000);
    for (uint32_t i = 0; i < tries; i++) {
        struct bit_writer *part = &folded.part[rng_below(&rng, LEXICON_PARTS)];
        unsigned char *byte = &part->bytes[rng_below(&rng, (uint32_t)bits_bytes(part) - BITS_SLACK)], old = *byte;
        *byte ^= (unsigned char)(1u << rng_below(&rng, 8));
        bool ok = unfold(x, &folded.streams, &again);
        refused += !ok;
        const struct lexicon *y = &again.item[0];
        for (uint32_t id = 1; ok && id <= lexicon_entries(y); id++) {
            struct text entry = dictionary_text(&y->entry, id);
            assert_int_equal(dictionary_find(&y->entry, entry), id);
            assert_true(lexicon_entry_fits(y, entry, dictionary_text(&y->classes, y->row[id])));
        }
        assert_int_equal(err.status, VOUCH_OK); /* damage is for the caller to tell */
        lexicons_release(&again);
        *byte = old;
    }
    assert_true(refused > tries / 4);
    for (enum lexicon_part p = 0; p < LEXICON_PARTS; p++) {
        struct lexicon_streams cut = folded.streams;
        cut.part[p].length = 3;
        assert_false(unfold(x, &cut, &again));
        lexicons_release(&again);
    }
    folded_release(&folded);
    lexicons_release(&lexicons);
}

TEST(sections_have_names)
{
    assert_string_equal(lexicon_section(0, LEXICON_LENGTHS).of, "lexicon.0.lengths");
    assert_string_equal(lexicon_section(7, LEXICON_CLASS_LENGTHS).of, "lexicon.7.class.lengths");
}
