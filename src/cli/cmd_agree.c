/* Implements vouch agree: how far several annotators of the same text agree, and what they differ in. */
#include "cli/shared.h"

#include "agree/agree.h"

#include <inttypes.h>
#include <math.h>

static void print_figure(const struct agreement_figure *f, const char *const *name)
{
    char between[128] = "all";
    if (f->measure != MEASURE_ALPHA)
        snprintf(between, sizeof between, "%.60s, %.60s", name[f->a], name[f->b]);
    showf(stdout, "%-8s %-6s ", agreement_level_names[f->level], agreement_measure_names[f->measure]);
    if (isnan(f->value))
        showf(stdout, "%7s   %-16s", "-", "-");
    else
        showf(stdout, "%7.3f   %6.3f to %-6.3f", f->value, f->interval.low, f->interval.high);
    showf(stdout, " %8" PRIu64 "   %s\n", f->units, between);
}

/* Prints a place in which annotators differ: the sentence and its words from 1, then what each says. */
static void print_disagreement(const struct agreement *g, const struct disagreement *d)
{
    showf(stdout, "%" PRIu32 ":%" PRIu32, d->sentence + 1, d->from + 1);
    if (d->to > d->from + 1)
        showf(stdout, "-%" PRIu32, d->to);
    for (uint32_t a = 0; a < g->annotators; a++) {
        const char *reading = g->reading[d->readings + a];
        double p = g->probability[d->readings + a];
        showf(stdout, "\t%s", reading ? reading : "_");
        if (!isnan(p))
            showf(stdout, " (%.3f)", p);
    }
    showf(stdout, "\n");
}

static void print(const struct agreement *g, const char *const *name, const struct agree_options *s)
{
    size_t words = g->sentences ? g->first[g->sentences] : 0;
    printf("%" PRIu32 " sentence%s, %zu word%s, %" PRIu32 " annotators\n\n", g->sentences, s_if_many(g->sentences),
           words, s_if_many(words), g->annotators);
    printf("%-8s %-6s %7s   %-16s %8s   %s\n", "level", "", "value", "95 % interval", "units", "annotators");
    for (size_t f = 0; f < g->figures; f++)
        print_figure(&g->figure[f], name);
    size_t listed = g->disagreements < s->list ? g->disagreements : s->list;
    printf("\nthey differ in %zu place%s", g->disagreements, s_if_many(g->disagreements));
    if (listed && listed < g->disagreements)
        printf(", here the %s%zu%s", s->model ? "" : "first ", listed, s->model ? " that the model is surest of" : "");
    else if (listed && s->model)
        printf(", those first that the model is surest of");
    printf("%s\n", listed ? ":" : "");
    for (size_t i = 0; i < listed; i++)
        print_disagreement(g, &g->disagreement[i]);
}

static int agree(void *options, struct vouch_error *err)
{
    const struct agree_options *s = options;
    struct agreement g = {0};
    const char *name[MOST_ANNOTATORS] = {0};
    vouch_model *model = s->model ? vouch_model_open(s->model, err) : NULL;
    interrupt_catch();
    bool ok = (!s->model || model) && agree_files(&g, s, model, err);
    for (uint32_t a = 0; a < g.annotators; a++)
        name[a] = s->common.argument[a];
    if (ok && s->json) {
        json_t *result = agreement_json(&g, name, s->list, err);
        ok = result != NULL;
        if (ok)
            show_json(result, 6);
    } else if (ok) {
        print(&g, name, s);
    }
    agreement_release(&g);
    vouch_model_close(model);
    return done_if(ok);
}

const struct command agree_command = {
    .name = "agree",
    .arguments = "FILE FILE...",
    .summary = "measure how far several annotators of the same text agree",
    .about = "Compares the files of several annotators, which have the same words, with labels or trees: "
             "Krippendorff's alpha of all, and Cohen's kappa and F1 of every pair, with intervals from resampling "
             "sentences; of words, of spans (the same words; or tolerant of edges), of heads and of arcs. Labels _ and "
             "? are none. Lists where annotators differ; with -m, what a model thinks of each answer, and first those "
             "places about which it is surest, which are often slips.",
    .example = "  vouch agree ann.conll ben.conll\n"
               "  vouch agree -m ner.vouch --list 50 ann.conll ben.conll carl.conll\n"
               "  vouch agree --json ann.conllu ben.conllu\n",
    .table = &agree_options,
    .run = agree,
    .reads_twice = true,
};
