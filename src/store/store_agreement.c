/* Agreement on what is in a store: the sentences that several annotators decided on, for agree/agree.h. See store.h. */
#include "store/sql.h"

struct gathering {
    struct store *store;
    struct store_agreement *into;
    struct annotation *by; /* [annotators] of the sentence at hand */
    bool begun;
};

static bool note_annotator(void *context, const struct store_annotator *annotator, struct vouch_error *err)
{
    struct store_agreement *into = context;
    size_t count = into->agreement.annotators;
    if (count == MOST_ANNOTATORS)
        return fail(err, VOUCH_ERR_ARGUMENT, "expected at most %d annotators to compare, found more", MOST_ANNOTATORS);
    if (!RESERVE(into->annotator, into->annotator_capacity, count + 1, err) ||
        !RESERVE(into->name, into->name_capacity, count + 1, err) ||
        !(into->name[count] = new_string(annotator->name, strlen(annotator->name), err)))
        return false;
    into->annotator[count] = annotator->id;
    into->agreement.annotators++;
    return true;
}

static bool add_sentence(void *context, const struct stored_answer *answer, struct vouch_error *err)
{
    struct gathering *gathering = context;
    struct store_agreement *into = gathering->into;
    struct agreement *g = &into->agreement;
    bool trees = answer->decided->head != NULL;
    if (answer->annotators < 2)
        return true;
    if (gathering->begun && trees != g->trees)
        return fail(err, VOUCH_ERR_ARGUMENT,
                    "%s: expected one document, or all of labels or of trees: they are not compared together",
                    store_path(gathering->store));
    gathering->begun = true;
    g->trees = trees;
    for (uint32_t a = 0; a < g->annotators; a++) {
        gathering->by[a] = (struct annotation){0};
        for (uint32_t i = 0; i < answer->annotators; i++)
            if (answer->annotator[i] == into->annotator[a])
                gathering->by[a] = (struct annotation){answer->by[i].label, answer->by[i].head};
    }
    if (!RESERVE(into->sentence, into->sentence_capacity, (size_t)g->sentences + 1, err))
        return false;
    into->sentence[g->sentences] = answer->sentence;
    return agreement_add(g, answer->decided->words, gathering->by, err);
}

bool store_agreement(struct store *store, const struct answer_query *query, struct store_agreement *into,
                     struct vouch_error *err)
{
    struct gathering gathering = {.store = store, .into = into};
    struct answer_query all = *query;
    *into = (struct store_agreement){0};
    all.annotator = 0;
    bool ok = store_annotators(store, note_annotator, into, err) &&
              (gathering.by = new_array(into->agreement.annotators, sizeof *gathering.by, err)) &&
              store_answers(store, &all, add_sentence, &gathering, err);
    free(gathering.by);
    return ok;
}

void store_agreement_release(struct store_agreement *agreement)
{
    for (uint32_t a = 0; a < agreement->agreement.annotators && agreement->name; a++)
        free(agreement->name[a]);
    agreement_release(&agreement->agreement);
    free(agreement->annotator);
    free(agreement->name);
    free(agreement->sentence);
}
