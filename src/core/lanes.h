/*
 * Lanes hold the scores of K drawn models at once.
 *
 * They have the same parts as `struct scores`, with K scores each: lane k of every part is the score under draw k, so
 * that one vector instruction serves many draws. Rows of lanes are padded to a whole number of vectors; the lanes
 * beyond K hold scores like any other and are never looked at.
 *
 * K scores for each part would take too much memory in a long sentence. So the decoder has some groups computed at a
 * time, by lanes_bring(), and may have them computed again; fill() gives the same numbers each time, so that results do
 * not depend on how many groups are kept at once. Only sentences of thousands of words are computed more than once.
 *
 * Where some groups are beyond doubt (the cascade of confidence/evidence.c), only the others are drawn. A word of a
 * chain that is not drawn keeps its label, so that the words between two such are a chain of their own: lanes_narrow()
 * turns to them. An arc of a tree that is not drawn has the same score in every draw.
 */
#ifndef VOUCH_CORE_LANES_H
#define VOUCH_CORE_LANES_H

#include "core/scores.h"
#include "core/simd.h"

enum { LANE_STEP = 32, MAX_DRAWS = 1024 };

struct lanes {
    uint32_t N, G, width, E, edge_step; /* as in struct scores; edge_step in parts: 0 or Y*Y */
    uint32_t K;                         /* draws */
    uint32_t stride;                    /* K rounded up to LANE_STEP */
    uint32_t from, to;                  /* the groups that are computed and kept */
    float *node;                        /* [to - from][width][stride], 64-byte aligned; see lanes_node() */
    float *edge;                        /* [..][Y][Y][stride], 64-byte aligned; see lanes_edge() */
    /* Fills `node`, and `edge` if every position has its own, of groups from .. to; NULL: all are kept already. */
    bool (*fill)(struct lanes *lanes, void *filler, struct vouch_error *err);
    void *filler;
    const bool *drawn;       /* [groups of the sentence] whether a group is drawn; NULL: all are */
    const uint32_t *answer;  /* [words of the sentence] with `drawn`: the labels of words that are not drawn */
    const struct scores *at; /* with `drawn`: what is drawn around; the scores of arcs that are not drawn */
    uint32_t base;           /* the word of the sentence that is word 0 here */
    uint32_t at_a_time;      /* words to fetch at a time, and draws to copy; 0: as there is room */
    size_t node_capacity, edge_capacity;
};

/*
 * Gives `lanes` the shape (N, G, width, E, K) of another. Without a filler there is room for all groups, which count as
 * there; the contents are undefined. With one, `fill` is called when groups are fetched; only an edge that all
 * positions share is there.
 */
bool lanes_shape(struct lanes *lanes, const struct lanes *shape, struct vouch_error *err);
void lanes_release(struct lanes *lanes);

/* Fills groups from .. to - 1, and in a chain the edges into these words. */
bool lanes_bring(struct lanes *lanes, uint32_t from, uint32_t to, struct vouch_error *err);

/* Makes lanes with a filler those of words from .. to - 1 of the sentence alone. */
void lanes_narrow(struct lanes *lanes, uint32_t from, uint32_t to);

/*
 * Returns how many words to fetch at a time, of `groups` groups each: as many as take up to `bytes`, but at least one.
 */
uint32_t lanes_at_a_time(const struct lanes *lanes, uint32_t groups, size_t bytes);

/* Returns the lanes of a group that is there. */
static inline float *lanes_node(const struct lanes *lanes, size_t group)
{
    return lanes->node + (group - lanes->from) * lanes->width * lanes->stride;
}

/* Returns the lanes of the edge into word `right` > 0 of a chain, which is there. */
static inline float *lanes_edge(const struct lanes *lanes, size_t right)
{
    size_t first = lanes->from > 0 ? lanes->from : 1;
    return lanes->edge + (right - first) * lanes->edge_step * lanes->stride;
}

/* Returns K rounded up to LANE_STEP. */
static inline uint32_t lanes_stride(uint32_t K)
{
    return (K + LANE_STEP - 1) / LANE_STEP * LANE_STEP;
}

/* Rows `from` .. `to` - 1 of `row` [..][stride]. */
struct lane_rows {
    const float *row;
    uint32_t from, to, stride;
};

/*
 * Finds, for every lane, the first of the largest among the rows; where it is larger than `top`, its score goes to
 * `top` and its number to `at`. NaN is never larger.
 */
void lanes_argmax(const struct lane_rows *rows, float *top /* [stride] */, uint32_t *at /* [stride] */);

#endif
