/* Manages the working memory of the decoders: see structure.h. */
#include "core/structure.h"

bool scratch_reserve(struct scratch *scratch, size_t bytes, struct vouch_error *err)
{
    return RESERVE(scratch->bytes, scratch->capacity, bytes, err);
}

void scratch_release(struct scratch *scratch)
{
    free(scratch->bytes);
    *scratch = (struct scratch){0};
}
