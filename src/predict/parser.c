/*
 * Parsing with a model: words to arcs to a tree, then the relation of each arc.
 */
#include "chain/chain.h"
#include "predict/estimator.h"
#include "predict/parser.h"
#include "task/arc_features.h"
#include "tree/tree.h"

struct parser {
    const struct vouch_model *model;
    const struct estimator *estimator;
    struct workspace workspace[MAX_MODEL_LAYERS];
    struct scores scores;
    struct scratch encoding, decoding;
    struct arc_word *word;
    uint32_t *choice;
    size_t word_capacity, choice_capacity;
};

struct parser *parser_new(const struct vouch_model *model, const struct estimator *estimator, struct vouch_error *err)
{
    struct parser *parser = new_array(1, sizeof *parser, err);
    if (parser) {
        parser->model = model;
        parser->estimator = estimator;
    }
    return parser;
}

void parser_free(struct parser *parser)
{
    if (!parser)
        return;
    scores_release(&parser->scores);
    for (uint32_t l = 0; l < MAX_MODEL_LAYERS; l++)
        workspace_release(&parser->workspace[l]);
    scratch_release(&parser->encoding);
    scratch_release(&parser->decoding);
    free(parser->word);
    free(parser->choice);
    free(parser);
}

/* The best choice of one layer in `choice`, judged if there is an estimator. */
static bool choose(struct parser *p, uint32_t l, const struct structure *structure, const struct parts *parts,
                   uint32_t *choice, struct estimates *estimates, struct vouch_error *err)
{
    const struct model_layer *layer = &p->model->layer[l];
    double score;
    if (!p->estimator)
        return parts_score(parts, &layer->space, layer->voice[0].mean, &p->scores, err) &&
               structure->best(&p->scores, &p->decoding, choice, &score, err);
    if (!estimator_estimate(p->estimator, l, parts, &p->workspace[l], estimates, err))
        return false;
    memcpy(choice, p->workspace[l].choice, sizeof *choice * parts->N);
    return true;
}

static bool find_relations(struct parser *p, const uint32_t *head, uint32_t N, struct text *relation,
                           struct estimates *estimates, struct vouch_error *err)
{
    struct parts parts;
    if (!relation_parts(p->word, head, N, p->model->bits[1], &p->encoding, &parts, err) ||
        !choose(p, 1, &chain_structure, &parts, p->choice, estimates, err))
        return false;
    for (uint32_t i = 0; i < N; i++)
        relation[i] = labels_name(&p->model->labels, p->choice[i]);
    return true;
}

bool parser_parse(struct parser *p, const struct sentence *sentence, uint32_t *head, struct text *relation,
                  struct estimates *estimates, struct vouch_error *err)
{
    uint32_t N = sentence->N;
    struct parts parts;
    if (!sentence->tree)
        return fail(err, VOUCH_ERR_FORMAT, "expected CoNLL-X or CoNLL-U");
    if (!RESERVE(p->word, p->word_capacity, (size_t)N + 1, err) ||
        !RESERVE(p->choice, p->choice_capacity, (size_t)N + 1, err))
        return false;
    arc_observe(sentence, p->word);
    if (!arc_parts(p->word, N, p->model->bits[0], &p->encoding, &parts, err) ||
        !choose(p, 0, &tree_structure, &parts, head, estimates, err))
        return false;
    return p->model->layers < 2 || !relation || find_relations(p, head, N, relation, estimates, err);
}
