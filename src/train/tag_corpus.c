/* Makes examples of files: see tag_corpus.h. */
#include "train/tag_corpus.h"

#include "base/hash.h"
#include "base/watch.h"
#include "chain/chain.h"
#include "answer/model_input.h"
#include "scores/score_files.h"

enum { TELL_EVERY = 1024 };

void tag_corpus_release(struct tag_corpus *corpus)
{
    if (!corpus->model) {
        templates_release(&corpus->templates);
        vocabulary_release(&corpus->vocabulary);
        labels_release(&corpus->labels);
    }
    free(corpus->template);
    span_rules_release(&corpus->rules);
    tag_set_release(&corpus->set);
    tag_set_release(&corpus->dev);
    digest_set_release(&corpus->seen);
    column_survey_release(&corpus->survey);
    *corpus = (struct tag_corpus){0};
}

/* One file being read. */
struct reading_of {
    struct tag_corpus *corpus;
    const struct tag_plan *plan;
    struct reader *reader;
    struct encoder *encoder; /* made at the first sentence */
    struct tag_set *set;
    bool grow;                       /* the vocabulary grows with this file */
    struct vocabulary_growth growth; /* how, if ranks are to agree on it */
    const struct vouch_watch *watch;
    struct sentence sentence;
    struct text *gold;
    size_t gold_capacity;
    struct label_work work;
    struct score_work scores; /* of a model without weights */
};

uint64_t sentence_digest(uint64_t digest, const struct sentence *sentence)
{
    digest = hash_mix(digest, hash_bytes(sentence->before.at, sentence->before.length));
    for (uint32_t i = 0; i < sentence->N; i++)
        digest = hash_mix(digest, hash_bytes(sentence->line[i].at, sentence->line[i].length));
    return digest;
}

/*
 * Settles the template: the first sentence shows what columns there are. In CoNLL-U a built-in set sees the words
 * alone, since its other columns are annotated, like the labels.
 */
static bool settle_template(struct reading_of *r, struct vouch_error *err)
{
    const struct tag_plan *plan = r->plan;
    enum format format = reader_format(r->reader);
    const char *text = plan->template, *attributes = template_builtin("attributes");
    uint32_t columns = sentence_cells(&r->sentence, 0);
    int gold = -1;
    if (format == FORMAT_CRFSUITE && plan->template_chosen && strcmp(text, attributes) != 0)
        return fail(err, VOUCH_ERR_ARGUMENT, "CRFsuite lines bring their own features: expected no others, found '%s'",
                    plan->template_name);
    if (format != FORMAT_CRFSUITE && strcmp(text, attributes) == 0)
        return fail(err, VOUCH_ERR_ARGUMENT, "expected CRFsuite lines for ready-made attributes, found %s",
                    format_name(format));
    if (format == FORMAT_CRFSUITE)
        text = attributes;
    if (format == FORMAT_CONLLU) { /* cells are counted from FORM, the second column */
        gold = (int)reader_column(r->reader) - 2;
        columns = plan->template_strict ? columns : 1;
    }
    if (format == FORMAT_CONLLU && gold == 0 && !plan->template_strict)
        return fail(err, VOUCH_ERR_ARGUMENT, "expected another column than form, which the features look at");
    if (format == FORMAT_CONLL)
        gold = plan->reading.gold == GOLD_LAST ? (int)columns - 1 : plan->reading.gold - 1;
    r->corpus->template = template_restrict(text, plan->template_name, columns, gold, plan->template_strict, err);
    if (!r->corpus->template || !templates_parse(&r->corpus->templates, r->corpus->template, plan->template_name, err))
        return false;
    column_survey_init(&r->corpus->survey, &r->corpus->templates);
    r->corpus->templates.vectors = (struct vector_shape){.D = reader_dimensions(r->reader),
                                                         .window = plan->vector_window,
                                                         .scale = 1, /* until all are read: scale_vectors() */
                                                         .digest = reader_vector_digest(r->reader)};
    return true;
}

/* Fails if a model of chunks is to learn a label that is no chunk label. */
static bool label_fits(const struct reading_of *r, struct text gold, struct vouch_error *err)
{
    struct text type;
    if (!r->grow || !r->plan->from || r->corpus->labels.inner == SCHEME_NONE || scheme_split(gold, &type))
        return true;
    return fail(err, VOUCH_ERR_FORMAT, "expected labels of chunks, as the model has (O, B-..., I-...), found '%.*s'",
                excerpt(gold), gold.at);
}

/* Takes the gold labels of the sentence. */
static bool take_gold(struct reading_of *r, struct vouch_error *err)
{
    const struct sentence *sentence = &r->sentence;
    if (!sentence->labelled)
        return fail_without_gold(r->reader, sentence, err);
    if (!RESERVE(r->gold, r->gold_capacity, (size_t)sentence->N + 1, err))
        return false;
    for (uint32_t i = 0; i < sentence->N; i++) {
        r->gold[i] = task_gold(r->corpus->task, sentence->gold[i]);
        if (!label_fits(r, r->gold[i], err))
            return false;
    }
    const struct tag_labels *known = r->corpus->model ? &r->corpus->model->labels : &r->corpus->labels;
    return r->grow || labels_respell(known, r->gold, sentence->N, &r->work, err);
}

/* Encodes the sentence. */
static bool encode(struct reading_of *r, struct vouch_error *err)
{
    const struct sentence *sentence = &r->sentence;
    struct parts parts;
    if (!r->encoder)
        r->encoder = r->grow ? encoder_new_growing(&r->corpus->templates, &r->corpus->vocabulary, err)
                             : encoder_new(&r->corpus->templates, &r->corpus->vocabulary, err);
    return r->encoder && score_files_append(r->corpus->model, sentence, &r->scores, &r->set->given, err) &&
           encoder_run(r->encoder, sentence, &parts, err) && tag_set_add(r->set, &parts, r->gold, err) &&
           (!r->set->own.ranks || vocabulary_growth_note(&r->growth, r->set->sentences - 1, err));
}

/* Adds the sentence, or passes over it if another rank will. */
static bool add_sentence(struct reading_of *r, struct vouch_error *err)
{
    const struct sentence *sentence = &r->sentence;
    if (!take_gold(r, err))
        return false;
    uint64_t digest = sentence_words_digest(sentence);
    r->corpus->dev_seen += !r->grow && digest_set_has(&r->corpus->seen, digest);
    return (sentence_is_own(&r->set->own, r->set->sentences) ? encode(r, err)
                                                             : tag_set_pass(r->set, r->gold, sentence->N, err)) &&
           (!r->grow ||
            (digest_set_add(&r->corpus->seen, digest, err) && column_survey_add(&r->corpus->survey, sentence, err)));
}

static bool read_all(struct reading_of *r, struct vouch_error *err)
{
    enum reading state;
    while ((state = reader_next(r->reader, &r->sentence, err)) == READ_SENTENCE) {
        uint64_t *digest = r->grow ? &r->corpus->digest : &r->corpus->dev_digest;
        *digest = sentence_digest(*digest, &r->sentence);
        if (r->sentence.boundary || r->sentence.N == 0)
            continue;
        if (!r->corpus->template && !r->corpus->model && !settle_template(r, err))
            return false;
        if (!add_sentence(r, err))
            return reader_blame(r->reader, &r->sentence, err);
        if (r->set->sentences % TELL_EVERY == 0 && !watch_reading(r->watch, r->set->sentences))
            return fail(err, VOUCH_ERR_STOPPED, "interrupted while reading");
    }
    struct sentence_place end = reader_place(r->reader);
    return state == READ_END &&
           (!r->corpus->model || !r->corpus->model->given || score_files_end(r->corpus->model->given, &end, err));
}

/* Fails if the file is not such as the model was learned from. */
static bool fits_model(const struct reading_of *r, struct vouch_error *err)
{
    const struct vouch_model *model = r->corpus->model ? r->corpus->model : r->plan->from;
    return !model || (model_input_fits(model, r->reader, err) &&
                      model_input_gold_apart(model, r->reader, r->plan->reading.gold, err));
}

/* Fails if files that are read together have different columns. */
static bool same_columns(struct reading_of *r, struct vouch_error *err)
{
    uint32_t columns = reader_columns(r->reader);
    if (r->grow && !r->corpus->columns)
        r->corpus->columns = columns;
    return !r->grow || columns == r->corpus->columns ||
           fail(err, VOUCH_ERR_FORMAT, "%s: expected %u columns, as in the file before, found %u",
                reader_path(r->reader), r->corpus->columns, columns);
}

/* Fails if the vectors of a file are not such as those of the files before. */
static bool same_vectors(const struct reading_of *r, struct vouch_error *err)
{
    const struct vector_shape *shape = &r->corpus->templates.vectors;
    uint64_t digest = reader_vector_digest(r->reader);
    bool same_table = !shape->digest || !digest || shape->digest == digest;
    if (!r->corpus->template || !shape->D || (shape->D == reader_dimensions(r->reader) && same_table))
        return true;
    return fail(err, VOUCH_ERR_FORMAT,
                "%s: expected vectors of %u numbers for all files, one table or an array for each, found others",
                reader_path(r->reader), shape->D);
}

static bool read_file(struct reading_of *r, const char *path, struct vouch_error *err)
{
    r->reader = reader_open(path, &r->plan->reading, err);
    bool ok = r->reader && same_columns(r, err) && fits_model(r, err) && same_vectors(r, err) && read_all(r, err);
    if (ok && (r->grow || r->corpus->model))
        r->corpus->format = reader_format(r->reader);
    reader_close(r->reader);
    return ok;
}

/* Ends the files, of which `path` is the first. Fails if there were no sentences in them. */
static bool end_reading(struct reading_of *r, bool ok, const char *path, struct vouch_error *err)
{
    encoder_free(r->encoder);
    sentence_release(&r->sentence);
    label_work_release(&r->work);
    score_work_release(&r->scores);
    vocabulary_growth_release(&r->growth);
    free(r->gold);
    return ok && (r->set->sentences > 0 || fail(err, VOUCH_ERR_FORMAT, "%s: expected sentences, found none", path));
}

/* Starts with the vocabulary of the model to go on from. */
static bool begin_with(struct tag_corpus *corpus, const struct vouch_model *model, struct vouch_error *err)
{
    const char *text = model_template(model);
    corpus->task = task_or_any(model->task);
    corpus->template = new_string(text, strlen(text), err);
    if (!corpus->template || !templates_parse(&corpus->templates, text, model->file.name, err))
        return false;
    corpus->templates.vectors = model->templates.vectors;
    return ((vocabulary_copy(&corpus->vocabulary, &model->vocabulary, &corpus->templates, err) &&
             labels_copy(&corpus->labels, &model->labels, err)) ||
            fail_within(err, "%s", model->file.name)) &&
           digest_set_add_all(&corpus->seen, &model->seen, err) && column_survey_read(&corpus->survey, model, err);
}

/* Scales the vectors of a corpus that was read; those of a model to go on from decided how, and are scaled. */
static bool scale_vectors(struct tag_corpus *corpus, const struct tag_plan *plan, struct vouch_error *err)
{
    struct vector_shape *vectors = &corpus->templates.vectors;
    return !vectors->D || plan->from || tag_set_scale(&corpus->set, plan->vector_length, &vectors->scale, err);
}

bool tag_corpus_read(struct tag_corpus *corpus, const struct tag_plan *plan, char *const *path, size_t paths,
                     const struct vouch_watch *watch, struct vouch_error *err)
{
    const struct vouch_model *from = plan->from;
    *corpus = (struct tag_corpus){.task = plan->task};
    struct reading_of r = {
        .corpus = corpus,
        .plan = plan,
        .set = &corpus->set,
        .grow = true,
        .watch = watch,
        .growth = {&corpus->templates, &corpus->vocabulary, from ? &from->vocabulary : NULL, {0}, {0}, {0}}};
    corpus->set.own = plan->own;
    bool ok = !from || begin_with(corpus, from, err);
    for (size_t i = 0; ok && i < paths; i++)
        ok = read_file(&r, path[i], err);
    ok = ok && (!plan->own.ranks || tag_set_number_alike(&corpus->set, &r.growth, err));
    ok = end_reading(&r, ok, paths ? path[0] : "input", err);
    digest_set_close(&corpus->seen);
    return ok && scale_vectors(corpus, plan, err) &&
           tag_set_cut(&corpus->set, &corpus->vocabulary, from ? &from->vocabulary : NULL, plan->cutoff, err) &&
           (from ? tag_set_join(&corpus->set, &corpus->labels, err)
                 : tag_set_close(&corpus->set, plan->inner, &corpus->labels, err)) &&
           labels_span_rules(&corpus->labels, &corpus->rules, err);
}

bool tag_corpus_borrow(struct tag_corpus *corpus, const struct vouch_model *model, struct vouch_error *err)
{
    *corpus = (struct tag_corpus){.task = task_or_any(model->task),
                                  .model = model,
                                  .templates = model->templates,
                                  .vocabulary = model->vocabulary,
                                  .labels = model->labels};
    return labels_span_rules(&corpus->labels, &corpus->rules, err);
}

bool tag_corpus_read_dev(struct tag_corpus *corpus, const struct tag_plan *plan, const char *path,
                         struct vouch_error *err)
{
    struct reading_of r = {.corpus = corpus, .plan = plan, .set = &corpus->dev};
    return end_reading(&r, read_file(&r, path, err), path, err) && tag_set_resolve(&corpus->dev, &corpus->labels, err);
}

static const struct tag_set *set_of(const struct tag_corpus *corpus, bool dev)
{
    return dev ? &corpus->dev : &corpus->set;
}

/* The state of labelling and counting sentences, with its working memory. */
struct scoring {
    const struct tag_corpus *corpus;
    const struct tag_set *set;
    const float *weights;
    struct tag_score score;
    struct answering answering;
    struct label_work work;
    struct text *gold, *guess;
    size_t gold_capacity, guess_capacity;
};

static bool score_sentence(struct scoring *s, uint32_t i, struct vouch_error *err)
{
    const struct tag_labels *labels = &s->corpus->labels;
    struct examples examples = tag_set_examples(s->set, &s->corpus->vocabulary, labels, &chain_structure);
    struct example example;
    uint32_t N = tag_set_item(s->set, i)->N;
    if (!RESERVE(s->gold, s->gold_capacity, (size_t)N + 1, err) ||
        !RESERVE(s->guess, s->guess_capacity, (size_t)N + 1, err) ||
        !examples_answer(&examples, i, s->weights, &s->answering, &example, err) ||
        !labels_write(labels, s->answering.choice, N, &s->work, s->guess, err))
        return false;
    for (uint32_t w = 0; w < N; w++)
        s->gold[w] = tag_set_gold(s->set, i, w);
    return tag_score_add(&s->score, s->gold, s->guess, N, err);
}

/* Adds up what the ranks have counted; types are not told apart. */
static bool sum_score(const struct ranks *ranks, struct tag_score *score, struct vouch_error *err)
{
    struct tag_counts *all = &score->all;
    int64_t sum[] = {(int64_t)all->gold, (int64_t)all->guessed, (int64_t)all->correct, (int64_t)score->words,
                     (int64_t)score->right_words};
    if (!ranks_sum(ranks, sum, sizeof sum / sizeof *sum, err))
        return false;
    *all = (struct tag_counts){(uint64_t)sum[0], (uint64_t)sum[1], (uint64_t)sum[2]};
    score->words = (uint64_t)sum[3];
    score->right_words = (uint64_t)sum[4];
    return true;
}

/* Labels the sentences and counts the right ones. */
static bool measure(const void *self, const struct portion *p, const float *weights, struct layer_score *measured,
                    struct vouch_error *err)
{
    const struct tag_corpus *corpus = self;
    struct scoring s = {.corpus = corpus, .set = set_of(corpus, p->dev), .weights = weights};
    struct subset subset = p->dev ? (struct subset){NULL, s.set->sentences} : p->subset;
    bool ok = true;
    tag_score_init(&s.score, tag_unit_of(corpus->labels.outer));
    for (uint32_t k = 0; ok && k < subset.count; k++) {
        uint32_t i = subset.index ? subset.index[k] : k;
        if (sentence_is_own(&corpus->set.own, i))
            ok = score_sentence(&s, i, err);
    }
    ok = ok && sum_score(corpus->set.own.ranks, &s.score, err);
    struct tag_rates rates = tag_rates(s.score.all);
    *measured = (struct layer_score){.precision = rates.precision,
                                     .recall = rates.recall,
                                     .f1 = rates.f1,
                                     .accuracy = tag_percent(s.score.right_words, s.score.words),
                                     .chunks = s.score.unit == TAG_CHUNKS};
    measured->figure = measured->chunks ? measured->f1 : measured->accuracy;
    tag_score_release(&s.score);
    answering_release(&s.answering);
    label_work_release(&s.work);
    free(s.gold);
    free(s.guess);
    return ok;
}

static bool compare(const void *self, const struct example_answer *answer, bool *right, struct vouch_error *err)
{
    const struct tag_corpus *corpus = self;
    const struct tag_set *set = set_of(corpus, answer->dev);
    uint32_t N = tag_set_item(set, answer->number)->N;
    struct label_work work = {0};
    struct text *guess = new_array((size_t)N + 1, sizeof *guess, err);
    bool ok = guess && labels_write(&corpus->labels, answer->choice, N, &work, guess, err);
    for (uint32_t n = 0; ok && n < N; n++)
        right[n] = text_equal(guess[n], tag_set_gold(set, answer->number, n));
    label_work_release(&work);
    free(guess);
    return ok;
}

static size_t words_before(const void *self, bool dev, uint32_t i)
{
    const struct tag_set *set = set_of(self, dev);
    return i < set->sentences ? tag_set_item(set, i)->word : set->words;
}

static uint32_t words_of(const void *self, bool dev, uint32_t i)
{
    return tag_set_item(set_of(self, dev), i)->N;
}

struct dataset tag_dataset(const struct tag_corpus *corpus)
{
    return (struct dataset){
        .layers = 1,
        .layer = {{"label", tag_set_examples(&corpus->set, &corpus->vocabulary, &corpus->labels, &chain_structure),
                   tag_set_examples(&corpus->dev, &corpus->vocabulary, &corpus->labels, &chain_structure)}},
        .self = corpus,
        .words = corpus->set.all_words,
        .rules = corpus->rules.labels ? &corpus->rules : NULL,
        .compare = compare,
        .words_before = words_before,
        .words_of = words_of,
        .measure = measure,
    };
}
