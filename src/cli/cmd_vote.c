/* Implements vouch vote: several answers to the same texts become one. */
#include "cli/shared.h"

#include "vote/vote.h"

static int vote(void *options, struct vouch_error *err)
{
    const struct vote_options *s = options;
    struct output *out = saving_possible(s, err) ? output_open(s->output, err) : NULL;
    return done_if(output_close(out, out && votes_write(s, out, err), err));
}

const struct command vote_command = {
    .name = "vote",
    .arguments = "VOTES | ANSWERS ANSWERS...",
    .summary = "count votes: several answers to the same texts become one, with its share of votes",
    .about = "Counts how many answers agree. ANSWERS are the files of several programs, or of one that was asked "
             "several times: spans in JSON lines, or trees in CoNLL-U, of the same texts. VOTES is one file of JSON "
             "lines that have such answers, lists of spans, under \"votes\". Of spans that overlap the one that most "
             "agree on is written, of trees the one whose arcs have the most votes, each with its share of votes as "
             "a score. 'vouch tune --answers' makes probabilities of these.",
    .example = "  vouch vote sampled.jsonl -o voted.jsonl\n"
               "  vouch vote gliner.jsonl spacy.jsonl presidio.jsonl -o voted.jsonl\n"
               "  vouch vote stanza.conllu udpipe.conllu trankit.conllu -o voted.conllu\n"
               "  vouch tune --answers voted.jsonl -o votes.json\n",
    .table = &vote_options,
    .run = vote,
};
