/*
 * Reads and encodes labelled files: see corpus.h. One loop reads labels and trees; what differs is in two rows of a
 * table. Sentences of labels become rows of features (task/tag_set.h), trees a few hashes for each word
 * (task/arc_set.h).
 */
#include "train/corpus.h"

#include "answer/model_input.h"
#include "base/hash.h"
#include "base/watch.h"
#include "scores/score_files.h"

enum { TELL_EVERY = 1024 };

/* Files being read. */
struct reading_of {
    const struct reading_kind *kind;
    const uint32_t *sentences; /* how many there are by now */
    struct corpus *corpus;
    const struct corpus_plan *plan;
    const struct vouch_watch *watch;
    bool grow; /* to learn from: vocabulary and labels grow with these files */
    struct reader *reader;
    struct sentence sentence;
    struct score_work scores; /* of a model without weights */

    /* Of labels. */
    struct tag_set *tags;
    struct encoder *encoder;         /* made at the first sentence */
    struct vocabulary_growth growth; /* how, if ranks are to agree on it */
    struct text *gold;
    size_t gold_capacity;
    struct label_work work;

    /* Of trees. */
    struct arc_set *arcs;
    struct first_work first;
};

/* What differs between labels and trees. Functions may be NULL: there is nothing to do, then. */
struct reading_kind {
    const char *learned_from; /* what a sentence to learn from must have, for messages */
    bool boundaries;          /* sentences that only say where a text begins count as well */

    /* Starts with what the model to go on from knows. */
    bool (*begin)(struct corpus *corpus, const struct vouch_model *model, struct vouch_error *err);

    /* Fails if a file that was opened does not go with the others, or with the model. */
    bool (*fits)(struct reading_of *r, struct vouch_error *err);

    /* Looks at a sentence before its gold is taken. */
    bool (*settle)(struct reading_of *r, struct vouch_error *err);

    /* Takes the gold of the sentence; *skip says whether it is not to be learned from. */
    bool (*take)(struct reading_of *r, bool *skip, struct vouch_error *err);
    bool (*add)(struct reading_of *r, struct vouch_error *err);

    /* Settles features and labels, all of which were read. */
    bool (*close)(struct reading_of *r, struct vouch_error *err);
};

/* ---- Labels ---- */

/* Parses the lines of a template whose columns are there, and checks that they name every lexicon. */
static bool parse_template(struct corpus *c, const struct corpus_plan *plan, const char *text, uint32_t columns,
                           int gold, struct vouch_error *err)
{
    struct template_source source = {text, plan->template_name, plan->lexicons};
    c->template = template_restrict(&source, columns, gold, plan->template_strict, err);
    source.text = c->template;
    c->lexicons = plan->lexicons;
    if (!c->template || !templates_parse(&c->templates, &source, err))
        return false;
    for (uint32_t i = 0; plan->lexicons && i < plan->lexicons->count; i++) {
        const struct lexicon *lexicon = &plan->lexicons->item[i];
        uint32_t v = 0;
        while (v < c->templates.lookups && c->templates.lookup[v].lexicon != lexicon)
            v++;
        if (v == c->templates.lookups)
            return fail(err, VOUCH_ERR_ARGUMENT, "%s: expected a macro %%%s[row,column] for the lexicon, found none",
                        plan->template_name, lexicon->name);
    }
    return true;
}

/*
 * Settles the template: the first sentence shows what columns there are. In CoNLL-U a built-in set sees the words
 * alone, since its other columns are annotated, like the labels.
 */
static bool settle_template(struct reading_of *r, struct vouch_error *err)
{
    const struct corpus_plan *plan = r->plan;
    enum format format = r->reader->format;
    const char *text = plan->template, *attributes = template_builtin("attributes");
    uint32_t columns = sentence_cells(&r->sentence, 0);
    int gold = -1;
    if (r->corpus->template || r->corpus->model)
        return true;
    if (format == FORMAT_CRFSUITE && plan->template_chosen && strcmp(text, attributes) != 0)
        return fail(err, VOUCH_ERR_ARGUMENT, "CRFsuite lines bring their own features: expected no others, found '%s'",
                    plan->template_name);
    if (format != FORMAT_CRFSUITE && strcmp(text, attributes) == 0)
        return fail(err, VOUCH_ERR_ARGUMENT, "expected CRFsuite lines for ready-made attributes, found %s",
                    format_name(format));
    if (format == FORMAT_CRFSUITE && plan->lexicons)
        return fail(err, VOUCH_ERR_ARGUMENT, "CRFsuite lines bring their own features: expected no --lexicon");
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
    if (format == FORMAT_CONLL && plan->columns_used > columns - (gold >= 0))
        return fail(err, VOUCH_ERR_ARGUMENT, "--use: expected at most the %u columns beside the label, found %u",
                    columns - (gold >= 0), plan->columns_used);
    if (plan->columns_used && plan->columns_used < columns)
        columns = plan->columns_used;
    if (!parse_template(r->corpus, plan, text, columns, gold, err))
        return false;
    column_survey_init(&r->corpus->survey, &r->corpus->templates);
    r->corpus->templates.vectors = (struct vector_shape){.D = r->reader->dimensions,
                                                         .window = plan->vector_window,
                                                         .scale = 1, /* until all are read: tag_set_scale() */
                                                         .digest = r->reader->vector_digest};
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

/*
 * Looks at what is open in a sentence: *skip says whether that is all of it, so that there is nothing to learn. A file
 * to measure on must have no open word.
 */
static bool take_open(struct reading_of *r, bool *skip, struct vouch_error *err)
{
    const struct sentence *sentence = &r->sentence;
    bool partial = r->plan->reading.partial;
    if (partial && !r->grow && sentence->open)
        return fail(err, VOUCH_ERR_FORMAT, "expected no open %s in a file to measure on, found %u",
                    sentence->tree ? "heads" : "labels", sentence->open);
    *skip = partial && r->grow && (!sentence->labelled || sentence->open == sentence->N);
    r->corpus->undecided += *skip;
    return *skip || sentence->labelled || fail_without_gold(r->reader, sentence, err);
}

static bool take_labels(struct reading_of *r, bool *skip, struct vouch_error *err)
{
    const struct sentence *sentence = &r->sentence;
    if (!take_open(r, skip, err) || *skip)
        return *skip;
    if (!RESERVE(r->gold, r->gold_capacity, (size_t)sentence->N + 1, err))
        return false;
    for (uint32_t i = 0; i < sentence->N; i++) {
        r->gold[i] = sentence->gold[i];
        if (r->plan->reading.partial && r->gold[i].length == 0)
            continue;
        r->gold[i] = task_gold(r->corpus->task, sentence->gold[i]);
        if (!label_fits(r, r->gold[i], err))
            return false;
    }
    return r->grow || labels_respell(&r->corpus->labels, r->gold, sentence->N, &r->work, err);
}

/* Adds the labels of the sentence, with its features unless it is another rank's. */
static bool add_tags(struct reading_of *r, struct vouch_error *err)
{
    const struct sentence *sentence = &r->sentence;
    struct corpus *c = r->corpus;
    struct parts parts;
    if (!sentence_is_own(&r->tags->own, r->tags->sentences))
        return tag_set_pass(r->tags, r->gold, sentence->N, err);
    if (!r->encoder)
        r->encoder = r->grow ? encoder_new_growing(&c->templates, &c->vocabulary, err)
                             : encoder_new(&c->templates, &c->vocabulary, err);
    return r->encoder && score_files_append(c->scores, sentence, &r->scores, &r->tags->outside_scores, err) &&
           encoder_run(r->encoder, sentence, &parts, err) && tag_set_add(r->tags, &parts, r->gold, err) &&
           (!r->tags->own.ranks || vocabulary_growth_note(&r->growth, r->tags->sentences - 1, err));
}

static bool add_labels(struct reading_of *r, struct vouch_error *err)
{
    return add_tags(r, err) && (!r->grow || column_survey_add(&r->corpus->survey, &r->sentence, err));
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
    uint64_t digest = r->reader->vector_digest;
    bool same_table = !shape->digest || !digest || shape->digest == digest;
    if (!r->corpus->template || !shape->D || (shape->D == r->reader->dimensions && same_table))
        return true;
    return fail(err, VOUCH_ERR_FORMAT,
                "%s: expected vectors of %u numbers for all files, one table or an array for each, found others",
                reader_path(r->reader), shape->D);
}

static bool tags_fit(struct reading_of *r, struct vouch_error *err)
{
    return same_columns(r, err) && fits_model(r, err) && same_vectors(r, err);
}

static bool begin_labels(struct corpus *corpus, const struct vouch_model *model, struct vouch_error *err)
{
    const char *text = model_template(model);
    corpus->task = task_or_any(model->task);
    struct template_source source = {text, model->file.name, &model->lexicons};
    corpus->template = new_string(text, strlen(text), err);
    corpus->lexicons = &model->lexicons;
    if (!corpus->template || !templates_parse(&corpus->templates, &source, err))
        return false;
    corpus->templates.vectors = model->templates.vectors;
    return ((vocabulary_copy(&corpus->vocabulary, &model->vocabulary, &corpus->templates, err) &&
             labels_copy(&corpus->labels, &model->labels, err)) ||
            fail_within(err, "%s", model->file.name)) &&
           column_survey_read(&corpus->survey, model, err);
}

/* Ranks number alike what they have read. Vectors of a model to go on from are scaled as it says. */
static bool close_labels(struct reading_of *r, struct vouch_error *err)
{
    struct corpus *c = r->corpus;
    const struct corpus_plan *plan = r->plan;
    const struct vouch_model *from = plan->from;
    struct vector_shape *vectors = &c->templates.vectors;
    bool constrained = plan->constrained && (!from || from->transitions.allowed);
    if (!r->grow)
        return tag_set_resolve(r->tags, &c->labels, err);
    return (!plan->own.ranks || tag_set_number_alike(&c->tags, &r->growth, err)) &&
           (!vectors->D || from || tag_set_scale(&c->tags, plan->vector_length, &vectors->scale, err)) &&
           tag_set_cut(&c->tags, &c->vocabulary, from ? &from->vocabulary : NULL, plan->cutoff, err) &&
           (from ? tag_set_join(&c->tags, &c->labels, err) : tag_set_close(&c->tags, plan->inner, &c->labels, err)) &&
           labels_span_rules(&c->labels, &c->rules, err) &&
           (!constrained || labels_transitions(&c->labels, true, &c->transitions, err));
}

/* ---- Trees ---- */

static void attach_to_first_root(struct sentence *s)
{
    uint32_t first = 0;
    for (uint32_t i = 0; i < s->N; i++)
        if (s->head[i] == 0 && first)
            s->head[i] = first;
        else if (s->head[i] == 0)
            first = i + 1;
    s->roots = 1;
}

static bool take_tree(struct reading_of *r, bool *skip, struct vouch_error *err)
{
    if (!r->sentence.tree)
        return fail(err, VOUCH_ERR_FORMAT, "expected CoNLL-X or CoNLL-U");
    if (!take_open(r, skip, err) || *skip)
        return *skip;
    if (!r->grow || r->sentence.roots <= 1)
        return true;
    r->corpus->multi_root++;
    *skip = r->plan->multi_root == MULTI_ROOT_SKIP;
    if (r->plan->multi_root == MULTI_ROOT_ATTACH)
        attach_to_first_root(&r->sentence);
    return true;
}

static void set_bits(struct corpus *corpus, uint32_t arc_bits, uint32_t relation_bits, uint32_t second_bits)
{
    corpus->arcs.arc_bits = corpus->dev_arcs.arc_bits = arc_bits;
    corpus->arcs.relation_bits = corpus->dev_arcs.relation_bits = relation_bits;
    corpus->arcs.second_bits = corpus->dev_arcs.second_bits = second_bits;
}

/* Sets those of a model. */
static void take_bits(struct corpus *corpus, const struct vouch_model *model)
{
    bool staged = model_has_first(model);
    set_bits(corpus, staged ? model->first_bits : model->bits[0], model->bits[1], staged ? model->bits[0] : 0);
}

/*
 * Has the first stage of the model that is to answer, or to go on from, answer the sentence that was added last: it has
 * learned from neither.
 */
static bool answer_first(struct reading_of *r, struct vouch_error *err)
{
    const struct vouch_model *model = r->corpus->model ? r->corpus->model : r->plan->from;
    uint32_t last = r->arcs->sentences - 1;
    if (!model || !model_has_first(model) || !sentence_is_own(&r->arcs->own, last))
        return true;
    struct first_stage stage = model_first_stage(model);
    return (r->arcs->first || arc_set_stack(r->arcs, err)) && arc_set_answer(r->arcs, last, &stage, &r->first, err);
}

static bool add_tree(struct reading_of *r, struct vouch_error *err)
{
    struct dictionary *relations = &r->corpus->labels.names;
    return score_files_append(r->corpus->scores, &r->sentence, &r->scores, &r->arcs->outside_scores, err) &&
           (sentence_is_own(&r->arcs->own, r->arcs->sentences)
                ? arc_set_add(r->arcs, &r->sentence, relations, r->grow, err)
                : arc_set_pass(r->arcs, &r->sentence, relations, err)) &&
           answer_first(r, err);
}

static bool begin_trees(struct corpus *corpus, const struct vouch_model *model, struct vouch_error *err)
{
    corpus->unlabelled = model->layers == 1;
    take_bits(corpus, model);
    return labels_copy(&corpus->labels, &model->labels, err);
}

static bool close_trees(struct reading_of *r, struct vouch_error *err)
{
    struct tag_labels *labels = &r->corpus->labels;
    if (!r->grow)
        return true;
    if (labels_count(labels) == 0 && !r->corpus->unlabelled)
        return fail(err, VOUCH_ERR_FORMAT, "expected a word whose relation is not open, or --unlabelled, found none");
    return (labels_count(labels) > 0 || dictionary_add(&labels->names, text_of("_"), err)) && labels_close(labels, err);
}

/* By whether they are trees. */
static const struct reading_kind kinds[] = {
    [false] = {.learned_from = "",
               .begin = begin_labels,
               .fits = tags_fit,
               .settle = settle_template,
               .take = take_labels,
               .add = add_labels,
               .close = close_labels},
    [true] = {.learned_from = " with one root",
              .boundaries = true,
              .begin = begin_trees,
              .take = take_tree,
              .add = add_tree,
              .close = close_trees},
};

/* ---- Files ---- */

/* Folds the lines of a sentence into a running digest. */
static uint64_t sentence_digest(uint64_t digest, const struct sentence *sentence)
{
    digest = hash_mix(digest, hash_bytes(sentence->before.at, sentence->before.length));
    for (uint32_t i = 0; i < sentence->N; i++)
        digest = hash_mix(digest, hash_bytes(sentence->line[i].at, sentence->line[i].length));
    return digest;
}

/* Whether the file is one of those each of which is to be read once; a development file stands alone. */
static bool counts_once(const struct reading_of *r)
{
    return r->grow || r->corpus->model;
}

static bool add_sentence(struct reading_of *r, struct vouch_error *err)
{
    struct corpus *c = r->corpus;
    bool skip = false;
    if (!r->kind->take(r, &skip, err) || skip)
        return skip;
    uint64_t digest = sentence_words_digest(&r->sentence);
    c->dev_seen += !r->grow && digest_set_has(&c->seen, digest);
    return r->kind->add(r, err) && digest_set_add(r->grow ? &c->seen : &c->dev_words, digest, err) &&
           (!counts_once(r) || file_overlap_add(&c->overlap, digest, 0, err));
}

static bool read_all(struct reading_of *r, struct vouch_error *err)
{
    struct corpus *c = r->corpus;
    enum reading state;
    while ((state = reader_next(r->reader, &r->sentence, err)) == READ_SENTENCE) {
        uint64_t *digest = r->grow ? &c->digest : &c->dev_digest;
        *digest = sentence_digest(*digest, &r->sentence);
        document_count_pass(&c->documents, &r->sentence);
        r->tags->document = c->documents.documents;
        if (r->sentence.N == 0 || (r->sentence.boundary && !r->kind->boundaries))
            continue;
        if (r->kind->settle && !r->kind->settle(r, err))
            return false;
        if (!add_sentence(r, err))
            return reader_blame(r->reader, &r->sentence, err);
        if (*r->sentences % TELL_EVERY == 0 && !watch_reading(r->watch, *r->sentences))
            return fail(err, VOUCH_ERR_STOPPED, "interrupted while reading");
    }
    struct sentence_place end = r->reader->place;
    return state == READ_END && (!c->scores || score_files_end(c->scores, &end, err));
}

static bool read_file(struct reading_of *r, const char *path, struct vouch_error *err)
{
    r->reader = reader_open(path, &r->plan->reading, err);
    bool ok = r->reader && (!r->kind->fits || r->kind->fits(r, err)) &&
              (!counts_once(r) || file_overlap_begin(&r->corpus->overlap, path, err)) && read_all(r, err);
    if (ok && counts_once(r))
        r->corpus->format = r->reader->format;
    reader_close(r->reader);
    return ok;
}

/* Ends the files, of which `path` is the first. Fails if there were no sentences in them. */
static bool end_reading(struct reading_of *r, bool ok, const char *path, struct vouch_error *err)
{
    if (ok && *r->sentences == 0)
        ok = fail(err, VOUCH_ERR_FORMAT, "%s: expected sentences%s%s, found none", path,
                  r->corpus->undecided ? " that are labelled at least in part" : "",
                  r->grow ? r->kind->learned_from : "");
    ok = ok && r->kind->close(r, err);
    encoder_free(r->encoder);
    sentence_release(&r->sentence);
    label_work_release(&r->work);
    score_work_release(&r->scores);
    first_work_release(&r->first);
    vocabulary_growth_release(&r->growth);
    free(r->gold);
    digest_set_close(r->grow ? &r->corpus->seen : &r->corpus->dev_words);
    corpus_show(r->corpus);
    return ok;
}

bool corpus_read(struct corpus *corpus, const struct corpus_plan *plan, char *const *path, size_t paths,
                 const struct vouch_watch *watch, struct vouch_error *err)
{
    const struct vouch_model *from = plan->from;
    *corpus =
        (struct corpus){.task = plan->task, .unlabelled = plan->unlabelled, .dataset = {.trees = plan->reading.trees}};
    struct reading_of r = {
        .kind = &kinds[plan->reading.trees],
        .sentences = plan->reading.trees ? &corpus->arcs.sentences : &corpus->tags.sentences,
        .corpus = corpus,
        .plan = plan,
        .tags = &corpus->tags,
        .arcs = &corpus->arcs,
        .grow = true,
        .watch = watch,
        .growth = {&corpus->templates, &corpus->vocabulary, from ? &from->vocabulary : NULL, {0}, {0}, {0}}};
    corpus->tags.own = corpus->arcs.own = plan->own;
    corpus->tags.partial = corpus->arcs.partial = plan->reading.partial;
    set_bits(corpus, plan->arc_bits, plan->relation_bits, plan->second_bits);
    bool ok = !from || (r.kind->begin(corpus, from, err) && digest_set_add_all(&corpus->seen, &from->seen, err));
    for (size_t i = 0; ok && i < paths; i++)
        ok = read_file(&r, path[i], err);
    ok = ok && file_overlap_end(&corpus->overlap, err);
    if (ok)
        warn_of_overlap(watch, &corpus->overlap);
    return end_reading(&r, ok, paths ? path[0] : "input", err);
}

bool corpus_borrow(struct corpus *corpus, const struct vouch_model *model, struct vouch_error *err)
{
    *corpus = (struct corpus){.dataset = {.trees = model->trees},
                              .model = model,
                              .seen = model->seen,
                              .labels = model->labels,
                              .task = task_or_any(model->task),
                              .templates = model->templates,
                              .context = model->context,
                              .vocabulary = model->vocabulary,
                              .unlabelled = model->layers == 1};
    take_bits(corpus, model);
    if (model->trees)
        return true;
    bool constrained = model->transitions.allowed && !model_lacks_weights(model);
    return labels_span_rules(&corpus->labels, &corpus->rules, err) &&
           (!constrained || labels_transitions(&corpus->labels, false, &corpus->transitions, err));
}

bool corpus_read_dev(struct corpus *corpus, const struct corpus_plan *plan, const char *path, struct vouch_error *err)
{
    bool trees = corpus->dataset.trees;
    struct reading_of r = {.kind = &kinds[trees],
                           .sentences = trees ? &corpus->dev_arcs.sentences : &corpus->dev_tags.sentences,
                           .corpus = corpus,
                           .plan = plan,
                           .tags = &corpus->dev_tags,
                           .arcs = &corpus->dev_arcs};
    return end_reading(&r, read_file(&r, path, err), path, err);
}

bool corpus_send(struct corpus *corpus, const uint32_t *sentence, uint32_t count, struct vouch_error *err)
{
    bool ok = corpus->dataset.trees ? arc_set_send(&corpus->arcs, sentence, count, err)
                                    : tag_set_send(&corpus->tags, sentence, count, err);
    corpus_show(corpus);
    return ok;
}

void corpus_release(struct corpus *corpus)
{
    if (!corpus->model) {
        templates_release(&corpus->templates);
        vocabulary_release(&corpus->vocabulary);
        labels_release(&corpus->labels);
        label_context_release(&corpus->context);
    }
    free(corpus->template);
    span_rules_release(&corpus->rules);
    transitions_release(&corpus->transitions);
    tag_set_release(&corpus->tags);
    tag_set_release(&corpus->dev_tags);
    arc_set_release(&corpus->arcs);
    arc_set_release(&corpus->dev_arcs);
    digest_set_release(&corpus->seen);
    digest_set_release(&corpus->dev_words);
    file_overlap_release(&corpus->overlap);
    column_survey_release(&corpus->survey);
    *corpus = (struct corpus){0};
}
