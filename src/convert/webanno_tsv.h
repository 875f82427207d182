/* What reading and writing WebAnno TSV have in common: see webanno_tsv.c, which describes the format. */
#ifndef VOUCH_CONVERT_WEBANNO_TSV_H
#define VOUCH_CONVERT_WEBANNO_TSV_H

#include "convert/annotation_formats.h"

#define WEBANNO_DKPRO "de.tudarmstadt.ukp.dkpro.core.api."
#define WEBANNO_NAMED_ENTITY WEBANNO_DKPRO "ner.type.NamedEntity"
#define WEBANNO_DEPENDENCY WEBANNO_DKPRO "syntax.type.dependency.Dependency"
#define WEBANNO_POS WEBANNO_DKPRO "lexmorph.type.pos.POS"

/* Features of words that are tags here. Those of a layer are beside each other. */
static const struct {
    const char *layer, *feature, *column;
} webanno_tags[] = {{WEBANNO_POS, "PosValue", "xpos"},
                    {WEBANNO_POS, "coarseValue", "upos"},
                    {WEBANNO_DKPRO "segmentation.type.Lemma", "value", "lemma"},
                    {WEBANNO_DKPRO "lexmorph.type.morph.MorphologicalFeatures", "value", "feats"}};
enum { WEBANNO_TAGS = sizeof webanno_tags / sizeof *webanno_tags };

/* Returns what is behind the last full stop of a layer's name: the label of spans that have no value. */
static inline struct text webanno_short_name(struct text layer)
{
    uint32_t at = layer.length;
    while (at > 0 && layer.at[at - 1] != '.')
        at--;
    return (struct text){layer.at + at, layer.length - at};
}

enum { WEBANNO_MOST_GAP = 1 << 20 }; /* units between two sentences, unless one has them in its text */

bool webanno_tsv_fit(struct annotated *doc, struct vouch_error *err);
bool webanno_tsv_write(struct output *out, struct output *companion, const struct format_choices *choices,
                       struct annotated_texts *corpus, struct vouch_error *err);

#endif
