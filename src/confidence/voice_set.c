/* Opens sets of voices on sentences: see voice_set.h. */
#include "confidence/voice_set.h"

bool voice_set_open(const struct voice_set *voice_set, struct workspace *workspace, const struct parts *parts,
                    const unsigned *looks, struct vouch_error *err)
{
    workspace->voice_set = voice_set;
    workspace->N = parts->N;
    workspace->names = parts->names;
    for (uint32_t v = 0; v < voice_set->voices; v++) {
        workspace->evidence[v].rules = voice_set->rules;
        if ((v == 0 || looks[v]) &&
            !evidence_open(&workspace->evidence[v], &voice_set->voice[v], parts, &workspace->looking, err))
            return false;
    }
    workspace->choice = workspace->evidence[0].best;
    return true;
}

bool voice_set_look(struct workspace *workspace, const struct parts *parts, const unsigned *looks,
                    struct vouch_error *err)
{
    for (uint32_t v = 0; v < workspace->voice_set->voices; v++)
        if ((v == 0 || looks[v]) && !evidence_look(&workspace->evidence[v], parts, workspace->choice, looks[v], err))
            return false;
    return true;
}

void workspace_release(struct workspace *workspace)
{
    for (uint32_t v = 0; v < MAX_VOICE_VIEWS; v++)
        evidence_release(&workspace->evidence[v]);
    looking_release(&workspace->looking);
    lexicon_release(&workspace->sentence);
}
