/* Implements vouch cluster: classes of words, from vectors or from text. */
#include "cli/shared.h"

#include "cluster/cluster.h"

static int cluster(void *options, struct vouch_error *err)
{
    const struct cluster_options *s = options;
    struct output *out = saving_possible(s, err) ? output_open(s->output, err) : NULL;
    return done_if(output_close(out, out && clusters_write(s, out, err), err));
}

const struct command cluster_command = {
    .name = "cluster",
    .arguments = "--vectors FILE | FILE...",
    .summary = "find classes of words, from vectors or from text, to learn with",
    .about = "Writes a lexicon: each word with its class, in as many columns as there are --sizes. Words whose vectors "
             "are near each other share a class (k-means); of text, words that have the same neighbours (the exchange "
             "algorithm). 'vouch train --lexicon NAME=FILE' learns labels of classes, and so knows something of words "
             "that its corpus does not have.",
    .example = "  vouch cluster --vectors glove.txt --licence PDDL -o classes.tsv\n"
               "  vouch cluster --sizes 64,512 news.txt.xz -o classes.tsv\n"
               "  vouch train --task ner --lexicon glove=classes.tsv train.txt -o names.vouch\n",
    .table = &cluster_options,
    .run = cluster,
};
