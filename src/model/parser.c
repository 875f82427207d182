/*
 * Parsing with a model: words to arcs to a tree, then the relation of each arc.
 */
#include "chain/chain.h"
#include "model/model.h"
#include "task/arc_features.h"
#include "tree/tree.h"

struct parser {
    const struct vouch_model *model;
    struct scores scores;
    struct scratch encoding, decoding;
    struct arc_word *word;
    uint32_t *choice;
    size_t word_capacity, choice_capacity;
};

struct parser *parser_new(const struct vouch_model *model, struct vouch_error *err)
{
    if (!model_parses(model)) {
        fail(err, VOUCH_ERR_ARGUMENT, "%s: expected a model that parses, found one that labels", model->file.name);
        return NULL;
    }
    struct parser *parser = new_array(1, sizeof *parser, err);
    if (parser)
        parser->model = model;
    return parser;
}

void parser_free(struct parser *parser)
{
    if (!parser)
        return;
    scores_release(&parser->scores);
    scratch_release(&parser->encoding);
    scratch_release(&parser->decoding);
    free(parser->word);
    free(parser->choice);
    free(parser);
}

static bool find_relations(struct parser *p, const uint32_t *head, uint32_t N, struct text *relation,
                           struct vouch_error *err)
{
    const struct model_layer *layer = &p->model->layer[1];
    struct parts parts;
    double score;
    if (!relation_parts(p->word, head, N, p->model->bits[1], &p->encoding, &parts, err) ||
        !parts_score(&parts, &layer->space, layer->voice[0].mean, &p->scores, err) ||
        !chain_structure.best(&p->scores, &p->decoding, p->choice, &score, err))
        return false;
    for (uint32_t i = 0; i < N; i++)
        relation[i] = labels_name(&p->model->labels, p->choice[i]);
    return true;
}

bool parser_parse(struct parser *p, const struct sentence *sentence, uint32_t *head, struct text *relation,
                  struct vouch_error *err)
{
    const struct model_layer *layer = &p->model->layer[0];
    uint32_t N = sentence->N;
    struct parts parts;
    double score;
    if (!sentence->tree)
        return fail(err, VOUCH_ERR_FORMAT, "expected CoNLL-X or CoNLL-U");
    if (!RESERVE(p->word, p->word_capacity, (size_t)N + 1, err) ||
        !RESERVE(p->choice, p->choice_capacity, (size_t)N + 1, err))
        return false;
    arc_observe(sentence, p->word);
    if (!arc_parts(p->word, N, p->model->bits[0], &p->encoding, &parts, err) ||
        !parts_score(&parts, &layer->space, layer->voice[0].mean, &p->scores, err) ||
        !tree_structure.best(&p->scores, &p->decoding, head, &score, err))
        return false;
    return p->model->layers < 2 || !relation || find_relations(p, head, N, relation, err);
}
