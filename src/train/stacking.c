/*
 * Has the sentences of a treebank answered by a first stage (task/stacked_arcs.h): those to learn from by models that
 * have not learned from them, those to measure on by the model itself. See corpus.h.
 */
#include "train/cross_fitting.h"

struct stacking {
    struct arc_set *arcs;
    uint32_t bits;
    struct first_work *work; /* [threads] */
};

static bool answer(void *context, uint32_t thread, uint32_t sentence, const struct model_layer *layer,
                   struct vouch_error *err)
{
    const struct stacking *s = context;
    struct first_stage stage = {s->bits, &layer->space, layer->voice[0].mean, &layer->voice[0].steps};
    return arc_set_answer(s->arcs, sentence, &stage, &s->work[thread], err);
}

/* Has the sentences of a set answered by models that hold them out, or by the model itself. */
static bool answer_all(struct arc_set *arcs, const struct held_out *held, uint32_t threads, struct vouch_error *err)
{
    struct stacking stacking = {arcs, arcs->arc_bits, new_array(threads, sizeof *stacking.work, err)};
    bool ok = stacking.work && arc_set_stack(arcs, err) &&
              cross_fit_answers(held, threads, &(struct answer_taker){&stacking, answer}, err);
    for (uint32_t t = 0; stacking.work && t < threads; t++)
        first_work_release(&stacking.work[t]);
    free(stacking.work);
    return ok;
}

bool corpus_stack(struct corpus *corpus, const struct held_out *held, const struct model_layer *first, uint32_t threads,
                  struct vouch_error *err)
{
    struct held_out dev = {0};
    bool ok = answer_all(&corpus->arcs, held, threads, err) &&
              (corpus->dev_arcs.count == 0 ||
               (held_out_dev(&dev, &corpus->dataset, first, err) && answer_all(&corpus->dev_arcs, &dev, threads, err)));
    held_out_release(&dev);
    corpus_show(corpus);
    return ok;
}
