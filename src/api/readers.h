/* Declares what a reader of the public interface is inside. */
#ifndef VOUCH_API_READERS_H
#define VOUCH_API_READERS_H

#include "text/reader.h"

struct vouch_reader {
    struct reader *reader;
    bool trees; /* its sentences are trees, for a model that parses */
};

#endif
