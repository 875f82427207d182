/* What the public answers are made of: see vouch.h. */
#ifndef VOUCH_API_ANSWER_H
#define VOUCH_API_ANSWER_H

#include "predict/answer_stream.h"

struct vouch_answer {
    const struct vouch_model *model; /* whose names are told */
    uint32_t N;
    struct answer answer; /* views of somebody else's memory */
};

#endif
