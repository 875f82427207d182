/* Makes examples of files: see tree_corpus.h. */
#include "train/tree_corpus.h"

#include "base/watch.h"
#include "chain/chain.h"
#include "scores/score_files.h"
#include "tree/tree.h"

enum { TELL_EVERY = 1024 };

void tree_corpus_release(struct tree_corpus *corpus)
{
    if (!corpus->model)
        labels_release(&corpus->relations);
    arc_set_release(&corpus->set);
    arc_set_release(&corpus->dev);
    digest_set_release(&corpus->seen);
    *corpus = (struct tree_corpus){0};
}

/* One file being read. */
struct treebank {
    struct tree_corpus *corpus;
    const struct tree_plan *plan;
    struct arc_set *set;
    bool training;
    const struct vouch_watch *watch;
    struct reader *reader;
    struct sentence sentence;
    struct score_work scores; /* of a model without weights */
};

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

static bool add_tree(struct treebank *t, struct vouch_error *err)
{
    if (!t->sentence.tree)
        return fail(err, VOUCH_ERR_FORMAT, "expected CoNLL-X or CoNLL-U");
    if (!t->sentence.labelled)
        return fail_without_gold(t->reader, &t->sentence, err);
    if (t->training && t->sentence.roots > 1) {
        t->corpus->multi_root++;
        if (t->plan->multi_root == MULTI_ROOT_SKIP)
            return true;
        if (t->plan->multi_root == MULTI_ROOT_ATTACH)
            attach_to_first_root(&t->sentence);
    }
    uint64_t digest = sentence_words_digest(&t->sentence);
    struct dictionary *relations = &t->corpus->relations.names;
    t->corpus->dev_seen += !t->training && digest_set_has(&t->corpus->seen, digest);
    return score_files_append(t->corpus->model, &t->sentence, &t->scores, &t->set->given, err) &&
           (sentence_is_own(&t->set->own, t->set->sentences)
                ? arc_set_add(t->set, &t->sentence, relations, t->training, err)
                : arc_set_pass(t->set, &t->sentence, relations, err)) &&
           (!t->training || digest_set_add(&t->corpus->seen, digest, err));
}

static bool read_trees(struct treebank *t, struct vouch_error *err)
{
    enum reading state;
    while ((state = reader_next(t->reader, &t->sentence, err)) == READ_SENTENCE) {
        uint64_t *digest = t->training ? &t->corpus->digest : &t->corpus->dev_digest;
        *digest = sentence_digest(*digest, &t->sentence);
        if (t->sentence.N == 0)
            continue;
        if (!add_tree(t, err))
            return reader_blame(t->reader, &t->sentence, err);
        if (t->set->sentences % TELL_EVERY == 0 && !watch_reading(t->watch, t->set->sentences))
            return fail(err, VOUCH_ERR_STOPPED, "interrupted while reading");
    }
    struct sentence_place end = reader_place(t->reader);
    return state == READ_END &&
           (!t->corpus->model || !t->corpus->model->given || score_files_end(t->corpus->model->given, &end, err));
}

static bool read_bank(struct treebank *t, const char *path, struct vouch_error *err)
{
    t->reader = reader_open(path, &t->plan->reading, err);
    bool ok = t->reader && read_trees(t, err);
    if (ok)
        t->corpus->format = reader_format(t->reader);
    reader_close(t->reader);
    sentence_release(&t->sentence);
    score_work_release(&t->scores);
    return ok;
}

/* Starts with the relations of the model to go on from. */
static bool begin_with(struct tree_corpus *corpus, const struct vouch_model *model, struct vouch_error *err)
{
    corpus->unlabelled = model->layers == 1;
    corpus->set.arc_bits = corpus->dev.arc_bits = model->bits[0];
    corpus->set.relation_bits = corpus->dev.relation_bits = model->bits[1];
    return labels_copy(&corpus->relations, &model->labels, err) && digest_set_add_all(&corpus->seen, &model->seen, err);
}

bool tree_corpus_read(struct tree_corpus *corpus, const struct tree_plan *plan, char *const *path, size_t paths,
                      const struct vouch_watch *watch, struct vouch_error *err)
{
    *corpus = (struct tree_corpus){.unlabelled = plan->unlabelled};
    corpus->set.arc_bits = corpus->dev.arc_bits = plan->arc_bits;
    corpus->set.relation_bits = corpus->dev.relation_bits = plan->relation_bits;
    corpus->set.own = plan->own;
    struct treebank t = {.corpus = corpus, .plan = plan, .set = &corpus->set, .training = true, .watch = watch};
    if (plan->from && !begin_with(corpus, plan->from, err))
        return false;
    for (size_t i = 0; i < paths; i++)
        if (!read_bank(&t, path[i], err))
            return false;
    digest_set_close(&corpus->seen);
    if (corpus->set.sentences == 0)
        return fail(err, VOUCH_ERR_FORMAT, "%s: expected sentences with one root, found none",
                    paths ? path[0] : "input");
    return labels_close(&corpus->relations, err);
}

void tree_corpus_borrow(struct tree_corpus *corpus, const struct vouch_model *model)
{
    *corpus = (struct tree_corpus){.model = model, .relations = model->labels, .unlabelled = model->layers == 1};
    corpus->set.arc_bits = corpus->dev.arc_bits = model->bits[0];
    corpus->set.relation_bits = corpus->dev.relation_bits = model->bits[1];
}

bool tree_corpus_read_dev(struct tree_corpus *corpus, const struct tree_plan *plan, const char *path,
                          struct vouch_error *err)
{
    struct treebank t = {.corpus = corpus, .plan = plan, .set = &corpus->dev};
    if (!read_bank(&t, path, err))
        return false;
    return corpus->dev.sentences > 0 || fail(err, VOUCH_ERR_FORMAT, "%s: expected sentences, found none", path);
}

static const struct arc_set *set_of(const struct tree_corpus *corpus, bool dev)
{
    return dev ? &corpus->dev : &corpus->set;
}

/* Decodes the sentences and counts the words that are right. */
static bool measure(const void *self, const struct portion *p, const float *weights, struct layer_score *score,
                    struct vouch_error *err)
{
    const struct tree_corpus *corpus = self;
    const struct arc_set *set = set_of(corpus, p->dev);
    struct examples examples = p->layer ? arc_set_relations(set, labels_count(&corpus->relations), &chain_structure)
                                        : arc_set_arcs(set, &tree_structure);
    struct subset subset = p->dev ? (struct subset){NULL, set->sentences} : p->subset;
    struct answering work = {0};
    int64_t count[2] = {0}, *words = &count[0], *right = &count[1];
    bool ok = true;
    for (uint32_t k = 0; ok && k < subset.count; k++) {
        uint32_t i = subset.index ? subset.index[k] : k;
        struct example example;
        if (!sentence_is_own(&corpus->set.own, i))
            continue;
        uint32_t N = arc_set_item(set, i)->N;
        ok = examples_answer(&examples, i, weights, &work, &example, err);
        for (uint32_t w = 0; ok && w < N; w++)
            *right += work.choice[w] == example.gold[w];
        *words += N;
    }
    ok = ok && ranks_sum(corpus->set.own.ranks, count, 2, err);
    double percent = *words ? 100 * (double)*right / (double)*words : 0;
    *score = (struct layer_score){.figure = percent, .accuracy = percent};
    answering_release(&work);
    return ok;
}

static bool compare(const void *self, const struct example_answer *answer, bool *right, struct vouch_error *err)
{
    const struct arc_set *set = set_of(self, answer->dev);
    const struct arc_item *item = arc_set_item(set, answer->number);
    const uint32_t *gold = (answer->layer ? set->relation : set->head) + item->first;
    (void)err;
    for (uint32_t n = 0; n < item->N; n++)
        right[n] = answer->choice[n] == gold[n];
    return true;
}

static size_t words_before(const void *self, bool dev, uint32_t i)
{
    const struct arc_set *set = set_of(self, dev);
    return i < set->sentences ? arc_set_item(set, i)->first : set->words;
}

static uint32_t words_of(const void *self, bool dev, uint32_t i)
{
    return arc_set_item(set_of(self, dev), i)->N;
}

static bool given(const void *self, bool dev, const uint32_t *choice, struct examples *examples, void **owned,
                  struct vouch_error *err)
{
    const struct tree_corpus *corpus = self;
    struct chosen_arcs *chosen = new_array(1, sizeof *chosen, err);
    *owned = chosen;
    if (!chosen)
        return false;
    *chosen = (struct chosen_arcs){.set = set_of(corpus, dev), .head = choice};
    *examples = chosen_arcs_relations(chosen, labels_count(&corpus->relations), &chain_structure);
    return true;
}

struct dataset tree_dataset(const struct tree_corpus *corpus)
{
    struct dataset dataset = {.layers = corpus->unlabelled ? 1 : 2,
                              .self = corpus,
                              .measure = measure,
                              .compare = compare,
                              .words = corpus->set.all_words,
                              .words_before = words_before,
                              .words_of = words_of,
                              .given = given};
    dataset.layer[0].name = "arc";
    dataset.layer[0].examples = arc_set_arcs(&corpus->set, &tree_structure);
    dataset.layer[0].dev = arc_set_arcs(&corpus->dev, &tree_structure);
    dataset.layer[1].name = "relation";
    dataset.layer[1].examples = arc_set_relations(&corpus->set, labels_count(&corpus->relations), &chain_structure);
    dataset.layer[1].dev = arc_set_relations(&corpus->dev, labels_count(&corpus->relations), &chain_structure);
    return dataset;
}
