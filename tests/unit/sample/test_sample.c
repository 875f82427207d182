/* Tests the synthetic corpus: a pure function of seed and number, well formed, ambiguous, and noisy on request. */
#include "base/hash.h"
#include "sample/sample.h"

#include "test.h"

static void make(const struct sample_options *options, uint64_t index, struct sample_sentence *s)
{
    struct vouch_error err = {0};
    if (!sample_sentence(options, index, s, &err))
        fail_msg("sentence %llu: %s", (unsigned long long)index, err.message);
}

static void assert_same_text(const struct sample_sentence *a, const struct sample_sentence *b)
{
    assert_int_equal(a->N, b->N);
    for (uint32_t i = 0; i < a->N; i++)
        assert_true(text_equal(a->word[i].form, b->word[i].form));
}

static void assert_same(const struct sample_sentence *a, const struct sample_sentence *b)
{
    assert_same_text(a, b);
    for (uint32_t i = 0; i < a->N; i++) {
        for (int layer = 0; layer < SAMPLE_LAYERS; layer++)
            assert_string_equal(a->word[i].label[layer], b->word[i].label[layer]);
        assert_int_equal(a->word[i].head, b->word[i].head);
        assert_string_equal(a->word[i].relation, b->word[i].relation);
        assert_int_equal(a->word[i].noisy, b->word[i].noisy);
    }
}

TEST(the_same_seed_and_number_give_the_same_sentence)
{
    struct sample_options options = {.seed = 7, .noise = 0.2, .kind = SAMPLE_NER};
    struct sample_sentence used = {0};
    for (uint64_t i = 0; i < 200; i++) {
        struct sample_sentence fresh = {0};
        make(&options, i, &used);
        make(&options, i, &fresh);
        assert_same(&used, &fresh);
        sample_release(&fresh);
    }
    sample_release(&used);
}

TEST(a_sentence_does_not_depend_on_those_made_before_it)
{
    struct sample_options whole = {.seed = 3}, tail = {.seed = 3, .first = 1000};
    struct sample_sentence a = {0}, b = {0};
    for (uint64_t i = 0; i < 50; i++) {
        make(&whole, 1000 + i, &a);
        make(&tail, 49 - i, &b);
        make(&tail, i, &b);
        assert_same(&a, &b);
    }
    sample_release(&a);
    sample_release(&b);
}

TEST(another_seed_gives_another_corpus)
{
    struct sample_options one = {.seed = 1}, two = {.seed = 2};
    struct sample_sentence a = {0}, b = {0};
    unsigned different = 0;
    for (uint64_t i = 0; i < 100; i++) {
        make(&one, i, &a);
        make(&two, i, &b);
        different += a.bytes_used != b.bytes_used || memcmp(a.bytes, b.bytes, a.bytes_used) != 0;
    }
    assert_in_range(different, 99, 100);
    sample_release(&a);
    sample_release(&b);
}

static void assert_tree(const struct sample_sentence *s)
{
    unsigned roots = 0;
    for (uint32_t i = 0; i < s->N; i++) {
        roots += s->word[i].head == 0;
        assert_int_equal(s->word[i].head == 0, strcmp(s->word[i].relation, "root") == 0);
        uint32_t steps = 0;
        for (uint32_t at = i + 1; at != 0; at = s->word[at - 1].head) {
            assert_in_range(at, 1, s->N);
            assert_true(steps++ < s->N);
        }
    }
    assert_int_equal(roots, 1);
}

/* An arc crosses others if not all words below it depend, in the end, on its head. */
static bool crosses(const struct sample_sentence *s, uint32_t dependent)
{
    uint32_t head = s->word[dependent - 1].head;
    uint32_t low = head < dependent ? head : dependent, high = head + dependent - low;
    for (uint32_t i = low + 1; head != 0 && i < high; i++) {
        uint32_t at = i;
        while (at != 0 && at != head)
            at = s->word[at - 1].head;
        if (at == 0)
            return true;
    }
    return false;
}

TEST(every_tree_has_one_root_and_no_cycle_and_no_crossing)
{
    struct sample_options options = {.seed = 11};
    struct sample_sentence s = {0};
    for (uint64_t n = 0; n < 3000; n++) {
        make(&options, n, &s);
        assert_tree(&s);
        for (uint32_t i = 1; i <= s.N; i++)
            assert_false(crosses(&s, i));
    }
    sample_release(&s);
}

TEST(of_the_arcs_of_a_treebank_one_or_two_in_a_hundred_cross)
{
    struct sample_sentence s = {0};
    for (uint64_t seed = 1; seed <= 3; seed++) {
        struct sample_options options = {.seed = seed, .kind = SAMPLE_DEP};
        unsigned arcs = 0, crossing = 0;
        for (uint64_t n = 0; n < 2000; n++) {
            make(&options, n, &s);
            assert_tree(&s);
            for (uint32_t i = 1; i <= s.N; i++)
                crossing += crosses(&s, i);
            arcs += s.N;
        }
        assert_in_range(1000 * crossing / arcs, 10, 20);
        assert_in_range(arcs / 2000, 12, 22);
    }
    sample_release(&s);
}

TEST(the_same_seed_and_number_give_the_same_tree)
{
    struct sample_options whole = {.seed = 7, .noise = 0.2, .kind = SAMPLE_DEP}, tail = whole;
    tail.first = 100;
    struct sample_sentence a = {0}, b = {0};
    struct buffer one = {0}, two = {0};
    struct vouch_error err = {0};
    for (uint64_t n = 0; n < 300; n++) {
        make(&whole, 100 + n, &a);
        make(&tail, 299 - n, &b);
        make(&tail, n, &b);
        assert_same(&a, &b);
        assert_true(sample_write(&a, SAMPLE_DEP, &one, &err) && sample_write(&b, SAMPLE_DEP, &two, &err));
    }
    assert_int_equal(one.length, two.length);
    assert_memory_equal(one.bytes, two.bytes, one.length);
    free(one.bytes);
    free(two.bytes);
    sample_release(&a);
    sample_release(&b);
}

TEST(noise_replaces_heads_by_others_of_which_a_tree_remains)
{
    struct sample_sentence clean = {0}, noisy = {0};
    const double share[] = {0.1, 1};
    for (size_t k = 0; k < 2; k++) {
        struct sample_options quiet = {.seed = 9, .kind = SAMPLE_DEP}, loud = quiet;
        loud.noise = share[k];
        unsigned arcs = 0, replaced = 0;
        for (uint64_t n = 0; n < 2000; n++) {
            make(&quiet, n, &clean);
            make(&loud, n, &noisy);
            assert_same_text(&clean, &noisy);
            assert_tree(&noisy);
            for (uint32_t i = 0; i < clean.N; i++) {
                const struct sample_word *a = &clean.word[i], *b = &noisy.word[i];
                assert_false(a->noisy);
                assert_int_equal(b->noisy, a->head != b->head);
                assert_string_equal(a->relation, b->relation);
                for (int layer = 0; layer < SAMPLE_LAYERS; layer++)
                    assert_string_equal(a->label[layer], b->label[layer]);
                arcs += a->head != 0;
                replaced += b->noisy;
            }
        }
        assert_in_range(1000 * replaced / arcs, 970 * share[k], 1000 * share[k] + 10);
    }
    sample_release(&clean);
    sample_release(&noisy);
}

/* Of the phrases with this preposition, how many depend on a noun and on a verb. */
static void count_phrases(const struct sample_sentence *s, const char *preposition, unsigned count[2])
{
    for (uint32_t i = 0; i < s->N; i++) {
        const struct sample_word *word = &s->word[i];
        if (!text_is(word->form, preposition) || strcmp(word->relation, "case") != 0)
            continue;
        const struct sample_word *noun = &s->word[word->head - 1];
        count[0] += strcmp(noun->relation, "nmod") == 0;
        count[1] += strcmp(noun->relation, "obl") == 0;
    }
}

TEST(the_same_prepositions_follow_nouns_and_verbs)
{
    static const char *const preposition[] = {"in", "with", "for", "from", "against", "at", "on"};
    struct sample_options options = {.seed = 1, .kind = SAMPLE_DEP};
    struct sample_sentence s = {0};
    for (size_t k = 0; k < sizeof preposition / sizeof *preposition; k++) {
        unsigned count[2] = {0};
        for (uint64_t n = 0; n < 1000; n++) {
            make(&options, n, &s);
            count_phrases(&s, preposition[k], count);
        }
        assert_in_range(100 * count[0] / (count[0] + count[1]), 10, 90);
    }
    sample_release(&s);
}

TEST(a_tree_is_written_as_conllu)
{
    static const char expected[] = "# sent_id = s1\n"
                                   "# text = A bank finally backed Ingandal 's question last July about Córdoba .\n"
                                   "1\tA\ta\tDET\tDT\t_\t2\tdet\t_\t_\n"
                                   "2\tbank\tbank\tNOUN\tNN\tNumber=Sing\t4\tnsubj\t_\t_\n"
                                   "3\tfinally\tfinally\tADV\tRB\t_\t4\tadvmod\t_\t_\n"
                                   "4\tbacked\tback\tVERB\tVBD\tMood=Ind|Tense=Past|VerbForm=Fin\t0\troot\t_\t_\n"
                                   "5\tIngandal\tIngandal\tPROPN\tNNP\tNumber=Sing\t7\tnmod:poss\t_\t_\n"
                                   "6\t's\t's\tPART\tPOS\t_\t5\tcase\t_\t_\n"
                                   "7\tquestion\tquestion\tNOUN\tNN\tNumber=Sing\t4\tobj\t_\t_\n"
                                   "8\tlast\tlast\tADJ\tJJ\tDegree=Pos\t9\tamod\t_\t_\n"
                                   "9\tJuly\tJuly\tPROPN\tNNP\tNumber=Sing\t4\tobl\t_\t_\n"
                                   "10\tabout\tabout\tADP\tIN\t_\t11\tcase\t_\t_\n"
                                   "11\tCórdoba\tCórdoba\tPROPN\tNNP\tNumber=Sing\t7\tnmod\t_\t_\n"
                                   "12\t.\t.\tPUNCT\t.\t_\t4\tpunct\t_\t_\n"
                                   "\n";
    struct sample_options options = {.seed = 5, .kind = SAMPLE_DEP};
    struct sample_sentence s = {0};
    struct buffer text = {0};
    struct vouch_error err = {0};
    make(&options, 1, &s);
    assert_true(sample_write(&s, SAMPLE_DEP, &text, &err));
    assert_int_equal(text.length, strlen(expected));
    assert_memory_equal(text.bytes, expected, text.length);
    assert_int_equal(sample_kind_parse("dep"), SAMPLE_DEP);
    free(text.bytes);
    sample_release(&s);
}

/* Whether some line has `form` for its word (by its column's edges) and then `lemma`. */
static bool has_lemma(const struct buffer *text, const char *form, const char *lemma)
{
    char columns[64];
    snprintf(columns, sizeof columns, "\t%s\t%s\t", form, lemma);
    return strstr(text->bytes, columns) != NULL;
}

TEST(lemmas_undo_the_inflections_of_the_lexicon)
{
    static const char *const pair[][2] = {{"said", "say"},         {"flew", "fly"},      {"was", "be"},
                                          {"taxes", "tax"},        {"studies", "study"}, {"Officials", "official"},
                                          {"prices", "price"},     {"an", "a"},          {"reporters", "reporter"},
                                          {"planned", "plan"},     {"The", "the"},       {"delays", "delay"},
                                          {"inquiries", "inquiry"}};
    struct sample_options options = {.seed = 1, .kind = SAMPLE_DEP};
    struct sample_sentence s = {0};
    struct buffer text = {0};
    struct vouch_error err = {0};
    for (uint64_t n = 0; n < 2000; n++) {
        make(&options, n, &s);
        assert_true(sample_write(&s, SAMPLE_DEP, &text, &err));
    }
    text.bytes[text.length - 1] = '\0';
    for (size_t k = 0; k < sizeof pair / sizeof *pair; k++)
        if (!has_lemma(&text, pair[k][0], pair[k][1]))
            fail_msg("%s: no lemma %s", pair[k][0], pair[k][1]);
    assert_false(has_lemma(&text, "said", "said"));
    assert_false(has_lemma(&text, "taxes", "taxe"));
    free(text.bytes);
    sample_release(&s);
}

/* Manuals, golden tests and published results depend on these bytes. */
TEST(the_bytes_of_the_other_kinds_never_change)
{
    static const uint64_t expected[] = {UINT64_C(0xCD5B42749758F673), UINT64_C(0x171E72F79E658A5F),
                                        UINT64_C(0x2CABCA04FD3747DA), UINT64_C(0xD8A13BAEEDCFDA55)};
    struct sample_sentence s = {0};
    struct buffer text = {0};
    struct vouch_error err = {0};
    for (int kind = SAMPLE_POS; kind <= SAMPLE_NER; kind++) {
        struct sample_options options = {.seed = 3, .kind = kind, .noise = 0.1, .held_out_names = true};
        text.length = 0;
        for (uint64_t n = 0; n < 500; n++) {
            make(&options, n, &s);
            assert_true(sample_write(&s, kind, &text, &err));
        }
        assert_true(hash_bytes(text.bytes, text.length) == expected[kind]);
    }
    free(text.bytes);
    sample_release(&s);
}

static bool one_of(const char *string, const char *const *list, size_t count)
{
    for (size_t i = 0; i < count; i++)
        if (strcmp(string, list[i]) == 0)
            return true;
    return false;
}

TEST(what_modifies_nouns_never_hangs_on_a_verb)
{
    static const char *const of_nouns[] = {"det", "amod", "nmod", "nmod:poss", "nummod", "case", "compound", "acl"};
    static const char *const of_verbs[] = {"nsubj", "obj", "iobj", "obl", "aux", "ccomp"};
    struct sample_sentence s = {0};
    for (uint64_t n = 0; n < 6000; n++) {
        struct sample_options options = {.seed = 13, .kind = n % 2 ? SAMPLE_DEP : SAMPLE_POS};
        make(&options, n / 2, &s);
        for (uint32_t i = 0; i < s.N; i++) {
            const struct sample_word *word = &s.word[i];
            if (word->head == 0)
                continue;
            const char *head = s.word[word->head - 1].label[LAYER_POS];
            if (one_of(word->relation, of_nouns, sizeof of_nouns / sizeof *of_nouns))
                assert_int_not_equal(head[0], 'V');
            else if (one_of(word->relation, of_verbs, sizeof of_verbs / sizeof *of_verbs))
                assert_null(strstr("IN DT CC TO . , POS", head));
        }
    }
    sample_release(&s);
}

static void assert_iob2(const struct sample_sentence *s, enum sample_layer layer)
{
    const char *before = "O";
    for (uint32_t i = 0; i < s->N; i++) {
        const char *label = s->word[i].label[layer];
        if (label[0] == 'I') {
            assert_int_not_equal(before[0], 'O');
            assert_string_equal(label + 2, before + 2);
        }
        before = label;
    }
}

TEST(chunks_and_entities_are_legal_iob2_with_and_without_noise)
{
    struct sample_sentence s = {0};
    for (int kind = SAMPLE_CHUNK; kind <= SAMPLE_NER; kind++)
        for (int noisy = 0; noisy < 2; noisy++) {
            struct sample_options options = {.seed = 5, .kind = kind, .noise = noisy ? 0.3 : 0};
            for (uint64_t n = 0; n < 2000; n++) {
                make(&options, n, &s);
                assert_iob2(&s, LAYER_CHUNK);
                assert_iob2(&s, LAYER_NER);
            }
        }
    sample_release(&s);
}

TEST(noise_replaces_about_the_share_asked_for_and_leaves_the_text)
{
    static const enum sample_layer layer[] = {LAYER_POS, LAYER_CHUNK, LAYER_CHUNK, LAYER_NER};
    struct sample_sentence clean = {0}, noisy = {0};
    for (int kind = SAMPLE_POS; kind <= SAMPLE_NER; kind++) {
        struct sample_options quiet = {.seed = 9, .kind = kind}, loud = quiet;
        loud.noise = 0.1;
        unsigned words = 0, replaced = 0;
        for (uint64_t n = 0; n < 3000; n++) {
            make(&quiet, n, &clean);
            make(&loud, n, &noisy);
            assert_same_text(&clean, &noisy);
            for (uint32_t i = 0; i < clean.N; i++) {
                const struct sample_word *a = &clean.word[i], *b = &noisy.word[i];
                assert_false(a->noisy);
                assert_int_equal(b->noisy, strcmp(a->label[layer[kind]], b->label[layer[kind]]) != 0);
                for (int other = 0; other < SAMPLE_LAYERS; other++)
                    if (other != (int)layer[kind])
                        assert_string_equal(a->label[other], b->label[other]);
                assert_int_equal(a->head, b->head);
                words++;
                replaced += b->noisy;
            }
        }
        assert_in_range(1000 * replaced / words, 88, 108);
    }
    sample_release(&clean);
    sample_release(&noisy);
}

TEST(a_share_outside_0_to_1_is_refused)
{
    struct sample_sentence s = {0};
    const double wrong[] = {-0.01, 1.01, NAN};
    for (size_t i = 0; i < sizeof wrong / sizeof *wrong; i++) {
        struct vouch_error err = {0};
        struct sample_options options = {.noise = wrong[i]};
        assert_false(sample_sentence(&options, 0, &s, &err));
        assert_int_equal(err.status, VOUCH_ERR_ARGUMENT);
        assert_non_null(strstr(err.message, "noise"));
    }
    sample_release(&s);
}

TEST(text_is_utf8_and_some_of_it_is_not_ascii)
{
    struct sample_options options = {.seed = 1};
    struct sample_sentence s = {0};
    unsigned words = 0, foreign = 0;
    for (uint64_t n = 0; n < 1000; n++) {
        make(&options, n, &s);
        assert_int_equal(utf8_check(s.bytes, s.bytes_used), s.bytes_used);
        for (uint32_t i = 0; i < s.N; i++) {
            struct text form = s.word[i].form;
            assert_true(form.length > 0 && !memchr(form.at, ' ', form.length));
            words++;
            for (uint32_t k = 0; k < form.length; k++)
                if (form.at[k] & 0x80) {
                    foreign++;
                    break;
                }
        }
    }
    assert_in_range(1000 * foreign / words, 10, 100);
    assert_in_range(words / 1000, 10, 20);
    sample_release(&s);
}

/* Forms, by the hash of their bytes, and the entity types that they occurred with. */
#define SLOTS 65536
struct seen {
    uint64_t key[SLOTS];
    unsigned types[SLOTS];
};

static unsigned *lookup(struct seen *seen, struct text form)
{
    uint64_t key = hash_bytes(form.at, form.length) | 1;
    size_t slot = key >> 48;
    while (seen->key[slot] && seen->key[slot] != key)
        slot = (slot + 1) % SLOTS;
    seen->key[slot] = key;
    return &seen->types[slot];
}

static void see_corpus(struct seen *seen, const struct sample_options *options, uint64_t sentences)
{
    static const char initial[] = "PLOM"; /* of the four types */
    struct sample_sentence s = {0};
    for (uint64_t n = 0; n < sentences; n++) {
        make(options, n, &s);
        for (uint32_t i = 0; i < s.N; i++) {
            const char *label = s.word[i].label[LAYER_NER];
            *lookup(seen, s.word[i].form) |= label[0] == 'O' ? 16u : 1u << (strchr(initial, label[2]) - initial);
        }
    }
    sample_release(&s);
}

TEST(at_least_twenty_names_are_of_two_types_or_more)
{
    struct seen *seen = new_array(1, sizeof *seen, NULL);
    assert_non_null(seen);
    see_corpus(seen, &(struct sample_options){.seed = 1}, 5000);
    unsigned two = 0, three = 0, of_all = 0;
    for (size_t i = 0; i < SLOTS; i++) {
        unsigned types = 0;
        for (unsigned t = 0; t < 4; t++)
            types += seen->types[i] >> t & 1;
        two += types >= 2;
        three += types >= 3;
        of_all += types > 0;
    }
    assert_in_range(two, 20, of_all / 2);
    assert_in_range(three, 5, two);
    free(seen);
}

/* Percent of the name words of 1000 sentences behind the training set that do not occur in it. */
static unsigned unseen_share(struct seen *seen, bool held_out_names)
{
    struct sample_options options = {.seed = 1, .first = 5000, .held_out_names = held_out_names};
    struct sample_sentence s = {0};
    unsigned names = 0, unseen = 0;
    for (uint64_t n = 0; n < 1000; n++) {
        make(&options, n, &s);
        for (uint32_t i = 0; i < s.N; i++)
            if (s.word[i].label[LAYER_NER][0] != 'O') {
                names++;
                unseen += *lookup(seen, s.word[i].form) == 0;
            }
    }
    sample_release(&s);
    return 100 * unseen / names;
}

TEST(some_names_are_new_and_many_more_when_held_out)
{
    struct seen *seen = new_array(1, sizeof *seen, NULL);
    assert_non_null(seen);
    see_corpus(seen, &(struct sample_options){.seed = 1}, 5000);
    assert_in_range(unseen_share(seen, false), 5, 25);
    assert_in_range(unseen_share(seen, true), 35, 60);
    free(seen);
}

TEST(every_label_occurs)
{
    static const struct {
        enum sample_layer layer;
        const char *label;
    } expected[] = {
        {LAYER_NER, "O"},        {LAYER_NER, "B-PER"},    {LAYER_NER, "I-PER"},    {LAYER_NER, "B-LOC"},
        {LAYER_NER, "I-LOC"},    {LAYER_NER, "B-ORG"},    {LAYER_NER, "I-ORG"},    {LAYER_NER, "B-MISC"},
        {LAYER_NER, "I-MISC"},   {LAYER_CHUNK, "O"},      {LAYER_CHUNK, "B-NP"},   {LAYER_CHUNK, "I-NP"},
        {LAYER_CHUNK, "B-VP"},   {LAYER_CHUNK, "I-VP"},   {LAYER_CHUNK, "B-PP"},   {LAYER_CHUNK, "B-ADJP"},
        {LAYER_CHUNK, "I-ADJP"}, {LAYER_CHUNK, "B-ADVP"}, {LAYER_CHUNK, "B-SBAR"}, {LAYER_CHUNK, "B-PRT"},
        {LAYER_POS, "NN"},       {LAYER_POS, "NNS"},      {LAYER_POS, "NNP"},      {LAYER_POS, "VB"},
        {LAYER_POS, "VBD"},      {LAYER_POS, "VBG"},      {LAYER_POS, "VBN"},      {LAYER_POS, "VBP"},
        {LAYER_POS, "VBZ"},      {LAYER_POS, "JJ"},       {LAYER_POS, "JJR"},      {LAYER_POS, "RB"},
        {LAYER_POS, "RBR"},      {LAYER_POS, "IN"},       {LAYER_POS, "TO"},       {LAYER_POS, "RP"},
        {LAYER_POS, "DT"},       {LAYER_POS, "CD"},       {LAYER_POS, "CC"},       {LAYER_POS, "MD"},
        {LAYER_POS, "PRP"},      {LAYER_POS, "PRP$"},     {LAYER_POS, "POS"},      {LAYER_POS, "WP"},
        {LAYER_POS, "WDT"},      {LAYER_POS, "."},        {LAYER_POS, ","},        {LAYER_POS, "``"},
    };
    enum { LABELS = sizeof expected / sizeof *expected };
    unsigned count[LABELS] = {0};
    struct sample_options options = {.seed = 1};
    struct sample_sentence s = {0};
    for (uint64_t n = 0; n < 2000; n++) {
        make(&options, n, &s);
        for (uint32_t i = 0; i < s.N; i++)
            for (size_t k = 0; k < LABELS; k++)
                count[k] += strcmp(s.word[i].label[expected[k].layer], expected[k].label) == 0;
    }
    for (size_t k = 0; k < LABELS; k++)
        if (count[k] == 0)
            fail_msg("%s never occurs", expected[k].label);
    sample_release(&s);
}

TEST(a_kind_decides_the_columns_that_are_written)
{
    static const unsigned spaces[] = {1, 2, 2, 3};
    static const char *const names[] = {"pos", "chunk", "np", "ner"};
    struct sample_sentence s = {0};
    struct buffer text = {0};
    struct vouch_error err = {0};
    for (int kind = SAMPLE_POS; kind <= SAMPLE_NER; kind++) {
        assert_int_equal(sample_kind_parse(names[kind]), kind);
        struct sample_options options = {.seed = 2, .kind = kind};
        make(&options, 4, &s);
        text.length = 0;
        assert_true(sample_write(&s, kind, &text, &err));
        unsigned lines = 0, found = 0;
        for (size_t k = 0; k < text.length; k++) {
            lines += text.bytes[k] == '\n';
            found += text.bytes[k] == ' ';
        }
        assert_int_equal(lines, s.N + 1);
        assert_int_equal(found, s.N * spaces[kind]);
        assert_memory_equal(text.bytes, s.word[0].form.at, s.word[0].form.length);
        assert_memory_equal(text.bytes + text.length - 2, "\n\n", 2);
    }
    assert_int_equal(sample_kind_parse("poetry"), -1);
    free(text.bytes);
    sample_release(&s);
}

TEST(np_keeps_noun_phrases_alone)
{
    struct sample_options all = {.seed = 2, .kind = SAMPLE_CHUNK}, np = {.seed = 2, .kind = SAMPLE_NP};
    struct sample_sentence a = {0}, b = {0};
    for (uint64_t n = 0; n < 500; n++) {
        make(&all, n, &a);
        make(&np, n, &b);
        for (uint32_t i = 0; i < a.N; i++) {
            const char *label = a.word[i].label[LAYER_CHUNK];
            bool noun_phrase = strcmp(label, "B-NP") == 0 || strcmp(label, "I-NP") == 0;
            assert_string_equal(b.word[i].label[LAYER_CHUNK], noun_phrase ? label : "O");
        }
    }
    sample_release(&a);
    sample_release(&b);
}
