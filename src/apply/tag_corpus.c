/* From files to examples: see tag_corpus.h. */
#include "apply/tag_corpus.h"

#include "base/hash.h"
#include "chain/chain.h"

enum { TELL_EVERY = 1024 };

void tag_corpus_release(struct tag_corpus *corpus)
{
    free(corpus->template);
    templates_release(&corpus->templates);
    vocabulary_release(&corpus->vocabulary);
    labels_release(&corpus->labels);
    tag_set_release(&corpus->set);
    *corpus = (struct tag_corpus){0};
}

/* One file being read. */
struct reading_of {
    const struct tag_plan *plan;
    struct reader *reader;
    struct encoder *encoder;
    struct tag_set *set;
    uint64_t *digest; /* or NULL */
    const struct reading_watch *watch;
    struct sentence sentence;
    struct text *gold;
    size_t gold_capacity;
};

static uint64_t digest_sentence(uint64_t digest, const struct sentence *sentence)
{
    digest = hash_mix(digest, hash_bytes(sentence->before.at, sentence->before.length));
    for (uint32_t i = 0; i < sentence->N; i++)
        digest = hash_mix(digest, hash_bytes(sentence->line[i].at, sentence->line[i].length));
    return digest;
}

static bool add_sentence(struct reading_of *r, struct vouch_error *err)
{
    const struct sentence *sentence = &r->sentence;
    struct parts parts;
    if (!sentence->labelled)
        return fail(err, VOUCH_ERR_FORMAT, "expected gold labels, found none");
    if (!RESERVE(r->gold, r->gold_capacity, (size_t)sentence->N + 1, err))
        return false;
    for (uint32_t i = 0; i < sentence->N; i++)
        r->gold[i] = tag_task_gold(r->plan->task, sentence->gold[i]);
    return encoder_run(r->encoder, sentence, &parts, err) && tag_set_add(r->set, &parts, r->gold, err);
}

static bool read_all(struct reading_of *r, struct vouch_error *err)
{
    enum reading state;
    while ((state = reader_next(r->reader, &r->sentence, err)) == READ_SENTENCE) {
        if (r->digest)
            *r->digest = digest_sentence(*r->digest, &r->sentence);
        if (r->sentence.boundary || r->sentence.N == 0)
            continue;
        if (!add_sentence(r, err))
            return fail_within(err, "%s:%llu", reader_path(r->reader), (unsigned long long)r->sentence.number);
        if (r->watch && r->set->count % TELL_EVERY == 0 && !r->watch->tell(r->watch->context, r->set->count))
            return fail(err, VOUCH_ERR_STOPPED, "interrupted while reading");
    }
    return state == READ_END;
}

/* Settles the template once the first file shows what columns there are. */
static bool settle_template(struct tag_corpus *corpus, const struct tag_plan *plan, const struct reader *reader,
                            struct vouch_error *err)
{
    uint32_t columns = reader_columns(reader);
    int gold = -1;
    if (reader_format(reader) == FORMAT_CONLL && plan->reading.gold != GOLD_NONE)
        gold = plan->reading.gold == GOLD_LAST ? (int)columns - 1 : plan->reading.gold - 1;
    /* JSON tokens may have any number of columns: what is missing shows when a sentence is encoded. */
    bool known = reader_format(reader) != FORMAT_JSONL;
    const char *text = reader_format(reader) == FORMAT_CRFSUITE ? template_builtin("attributes") : plan->template;
    corpus->template = template_restrict(text, plan->template_name, known ? columns : UINT32_MAX, gold,
                                         plan->template_strict, err);
    return corpus->template && templates_parse(&corpus->templates, corpus->template, plan->template_name, err);
}

static bool read_file(struct tag_corpus *corpus, const struct tag_plan *plan, const char *path, struct encoder **encoder,
                      const struct reading_watch *watch, struct vouch_error *err)
{
    struct reading_of r = {.plan = plan, .set = &corpus->set, .digest = &corpus->digest, .watch = watch};
    r.reader = reader_open(path, &plan->reading, err);
    bool ok = r.reader && (corpus->template || settle_template(corpus, plan, r.reader, err));
    if (ok && !*encoder)
        *encoder = encoder_new(&corpus->templates, &corpus->vocabulary, true, err);
    r.encoder = *encoder;
    ok = ok && r.encoder && read_all(&r, err);
    if (ok)
        corpus->format = reader_format(r.reader);
    reader_close(r.reader);
    sentence_release(&r.sentence);
    free(r.gold);
    return ok;
}

bool tag_corpus_read(struct tag_corpus *corpus, const struct tag_plan *plan, char *const *path, size_t paths,
                     const struct reading_watch *watch, struct vouch_error *err)
{
    *corpus = (struct tag_corpus){.task = plan->task};
    struct encoder *encoder = NULL;
    bool ok = true;
    for (size_t i = 0; ok && i < paths; i++)
        ok = read_file(corpus, plan, path[i], &encoder, watch, err);
    encoder_free(encoder);
    if (ok && corpus->set.count == 0)
        ok = fail(err, VOUCH_ERR_FORMAT, "%s: expected sentences, found none", paths ? path[0] : "input");
    return ok && tag_set_cut(&corpus->set, &corpus->vocabulary, plan->cutoff, err) &&
           tag_set_close(&corpus->set, plan->inner, &corpus->labels, err);
}

bool tag_corpus_read_other(struct tag_corpus *corpus, const struct tag_plan *plan, const char *path,
                           struct tag_set *set, struct vouch_error *err)
{
    *set = (struct tag_set){0};
    struct reading_of r = {.plan = plan, .set = set};
    r.reader = reader_open(path, &plan->reading, err);
    r.encoder = r.reader ? encoder_new(&corpus->templates, &corpus->vocabulary, false, err) : NULL;
    bool ok = r.encoder && read_all(&r, err);
    if (ok && set->count == 0)
        ok = fail(err, VOUCH_ERR_FORMAT, "%s: expected sentences, found none", path);
    encoder_free(r.encoder);
    reader_close(r.reader);
    sentence_release(&r.sentence);
    free(r.gold);
    return ok;
}

/* Working memory of tag_corpus_score(). */
struct scoring {
    struct scores scores;
    struct scratch scratch;
    struct label_work work;
    uint32_t *choice;
    struct text *gold, *guess;
    size_t choice_capacity, gold_capacity, guess_capacity;
};

static bool score_sentence(struct scoring *s, const struct tag_corpus *corpus, const struct tag_set *set, uint32_t i,
                           const float *weights, struct tag_score *score, struct vouch_error *err)
{
    struct examples examples = tag_set_examples(set, &corpus->vocabulary, &corpus->labels, &chain_structure);
    struct example example;
    double best;
    uint32_t N = set->item[i].N;
    if (!RESERVE(s->choice, s->choice_capacity, (size_t)N + 1, err) ||
        !RESERVE(s->gold, s->gold_capacity, (size_t)N + 1, err) ||
        !RESERVE(s->guess, s->guess_capacity, (size_t)N + 1, err) ||
        !examples.get(examples.self, i, &s->scratch, &example, err) ||
        !parts_score(&example.parts, &examples.space, weights, &s->scores, err) ||
        !examples.structure->best(&s->scores, &s->scratch, s->choice, &best, err) ||
        !labels_write(&corpus->labels, s->choice, N, &s->work, s->guess, err))
        return false;
    for (uint32_t w = 0; w < N; w++)
        s->gold[w] = tag_set_gold(set, i, w);
    return tag_score_add(score, s->gold, s->guess, N, err);
}

bool tag_corpus_score(const struct tag_corpus *corpus, const struct tag_set *set, const uint32_t *subset,
                      uint32_t count, const float *weights, struct tag_score *score, struct vouch_error *err)
{
    struct scoring s = {0};
    bool ok = true;
    for (uint32_t k = 0; ok && k < count; k++)
        ok = score_sentence(&s, corpus, set, subset ? subset[k] : k, weights, score, err);
    scores_release(&s.scores);
    scratch_release(&s.scratch);
    label_work_release(&s.work);
    free(s.choice);
    free(s.gold);
    free(s.guess);
    return ok;
}

double tag_score_figure(const struct tag_score *score)
{
    return score->unit == TAG_CHUNKS ? tag_rates(score->all).f1 : tag_percent(score->right_words, score->words);
}
