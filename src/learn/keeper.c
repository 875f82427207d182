/* Lets a voice be kept where somebody keeps it: see keeper.h. */
#include "learn/keeper.h"

bool lesson_recall(const struct lesson_keeper *keeper, struct voice *voice, uint32_t *pass, struct vouch_error *err)
{
    *pass = 0;
    return !keeper || keeper->recall(keeper->self, voice, pass, err);
}

bool lesson_keep(const struct lesson_keeper *keeper, struct voice *voice, uint32_t pass, struct vouch_error *err)
{
    return !keeper || keeper->keep(keeper->self, voice, pass, err);
}
