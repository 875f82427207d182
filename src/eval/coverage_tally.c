/* Counts what sets of choices hold: see coverage_tally.h. */
#include "eval/coverage_tally.h"

#include "core/scheme.h"

#include <math.h>

const char *const covered_names[COVERED] = {"words", "chunks"};

static const struct choice_sets *sets_of(const struct covered_sentence *s, enum covered what)
{
    const struct confidences *c = s->answer->confidences;
    return what == COVERED_WORDS ? &c->set : &c->reading;
}

uint32_t covered_count(const struct covered_sentence *s, enum covered what)
{
    if (!sets_of(s, what)->first)
        return 0;
    return what == COVERED_WORDS ? s->N : s->answer->confidences->spans;
}

/* Returns the type of the chunk that gold has of just these words; O if it has none. */
static struct text gold_reading(const struct covered_sentence *s, struct span span)
{
    struct text outside = text_of("O"), type;
    if (!scheme_starts(span.from ? s->gold[span.from - 1] : outside, s->gold[span.from]))
        return outside;
    uint32_t last = span.from;
    while (!scheme_ends(s->gold[last], last + 1 < s->N ? s->gold[last + 1] : outside))
        last++;
    scheme_split(s->gold[span.from], &type);
    return last + 1 == span.to ? type : outside;
}

double covered_truth(const struct covered_sentence *s, enum covered what, uint32_t i, bool *answered)
{
    const struct choice_sets *sets = sets_of(s, what);
    const struct span *span = s->answer->confidences->span;
    bool heads = what == COVERED_WORDS && s->gold_head;
    struct text truth = what == COVERED_CHUNKS ? gold_reading(s, span[i]) : heads ? text_of("") : s->gold[i];
    *answered = heads                   ? s->answer->head[i] == s->gold_head[i]
                : what == COVERED_WORDS ? text_equal(s->answer->label[i], truth)
                                        : text_equal(span[i].type, truth);
    for (uint32_t k = sets->first[i]; k < sets->first[i + 1]; k++)
        if (heads ? sets->choice[k].head == s->gold_head[i] : text_equal(sets->choice[k].label, truth))
            return sets->choice[k].probability;
    return NAN;
}

void coverage_tally_add(struct coverage_tally *t, const struct covered_sentence *s)
{
    for (enum covered what = 0; what < COVERED; what++) {
        uint32_t count = covered_count(s, what), covered = 0;
        for (uint32_t i = 0; i < count; i++) {
            bool answered;
            uint32_t size = choice_set_size(sets_of(s, what), i);
            covered += !isnan(covered_truth(s, what, i, &answered));
            t->choices[what] += size;
            t->single[what] += size == 1;
        }
        if (count == 0)
            continue;
        clustered_add(&t->covered[what], covered, count);
        t->shares[what] += (double)covered / count;
    }
}

struct coverage_figures coverage_figures(const struct coverage_tally *t, enum covered what)
{
    const struct clustered *c = &t->covered[what];
    struct interval interval = clustered_interval(c);
    return (struct coverage_figures){.sentences = c->clusters,
                                     .count = c->of,
                                     .by_sentence = 100 * t->shares[what] / c->clusters,
                                     .share = 100 * clustered_share(c),
                                     .low = 100 * interval.low,
                                     .high = 100 * interval.high,
                                     .size = t->choices[what] / c->of,
                                     .single = 100 * t->single[what] / c->of};
}

json_t *coverage_tally_json(const struct coverage_tally *t, bool trees)
{
    json_t *json = json_object();
    for (enum covered what = 0; what < COVERED; what++) {
        struct coverage_figures f = coverage_figures(t, what);
        if (!(f.count > 0))
            continue;
        json_t *one = json_pack("{s:I, s:I, s:f, s:f, s:[ff], s:f, s:f}", "sentences", (json_int_t)f.sentences, "count",
                                (json_int_t)f.count, "mean_over_sentences", f.by_sentence, "covered", f.share,
                                "interval", f.low, f.high, "mean_size", f.size, "of_one", f.single);
        json_object_set_new(json, trees && what == COVERED_WORDS ? "heads" : covered_names[what], one);
    }
    return json;
}
