/*
 * Votes: several answers to the same texts become one, and the share of those that agree becomes its score. The answers
 * are those of K programs, each in a file, or of one program that was asked K times, a language model perhaps.
 *
 *     span_votes.c  spans in JSON lines: a file each, or one whose lines have lists under "votes"
 *     tree_votes.c  trees in CoNLL-U, a file each
 *
 * A share of votes is no probability. What is written can be measured, calibrated and traded as any other answers:
 * vouch eval, tune, trade and tag with --answers.
 */
#ifndef VOUCH_VOTE_VOTE_H
#define VOUCH_VOTE_VOTE_H

#include "answers/span_list.h"
#include "base/output.h"
#include "options/rows.h"

struct vote_options {
    struct options common; /* the arguments are the files */
    const char *output, *columns;
};
extern const struct option_table vote_options;

/* Counts the votes of the files, and writes the answers that most agree on. */
bool votes_write(const struct vote_options *options, struct output *out, struct vouch_error *err);

/* Spans: span_votes.c */

/* A span that at least one answer has. */
struct span_candidate {
    struct found_span span; /* its `others`: the share of answers that have another span there */
    uint32_t votes, voter;  /* the last one that had it, from 1 */
    bool taken;             /* it is among the spans that most agree on */
};

/* The votes on one text. Zero it before first use. */
struct span_votes {
    uint32_t voters;
    struct span_candidate *candidate; /* [count] */
    struct span_vote {           /* [votes] all spans of all answers */
        struct found_span span;
        uint32_t voter;
    } *vote;
    size_t count, votes, capacity, vote_capacity;
};
void span_votes_release(struct span_votes *votes);

/* Begins with another text; adds an answer to it, whose strings must stay. What an answer repeats is one vote. */
void span_votes_clear(struct span_votes *votes);
bool span_votes_add(struct span_votes *votes, const struct span_list *answer, struct vouch_error *err);

/*
 * Takes the span that most answers have, then of those that do not overlap it the next, until none is left; among
 * equals the longer, then the earlier, then the one of the first label. The candidates are then in the order of the
 * text. O(n^2) for n spans of all answers.
 */
void span_votes_settle(struct span_votes *votes);

bool span_votes_write(const struct vote_options *options, struct output *out, struct vouch_error *err);

/* Trees: tree_votes.c */

/* The votes on one sentence. Zero it before first use. */
struct tree_votes {
    uint32_t N, voters;
    struct scores arcs; /* how many trees have each */
    struct scratch scratch;
    uint32_t *head;                /* [N] of the tree with the most votes */
    struct text *relation;         /* [N] that most trees give this arc */
    double *head_share, *relation_share; /* [N] of the trees that have this head, and that have this relation */
    size_t head_capacity, relation_capacity, head_share_capacity, relation_share_capacity;
};
void tree_votes_release(struct tree_votes *votes);

/*
 * Finds the tree of one root whose arcs have the most votes, and the relation of each of its arcs: of the trees that
 * have the arc, else of all; among equals that of the first tree. Without `relation` there are none. O(N^2 + K^2 N).
 */
bool tree_votes_count(struct tree_votes *votes, uint32_t N, uint32_t K, const uint32_t *const *head /* [K][N] */,
                      const struct text *const *relation /* [K][N] */, struct vouch_error *err);

bool tree_votes_write(const struct vote_options *options, struct output *out, struct vouch_error *err);

#endif
