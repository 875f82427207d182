/* A panel of voices: see panel.h. */
#include "confidence/panel.h"

bool panel_open(const struct panel *panel, struct sitting *sitting, const struct parts *parts, const unsigned *looks,
                struct vouch_error *err)
{
    sitting->panel = panel;
    sitting->N = parts->N;
    for (uint32_t v = 0; v < panel->witnesses; v++) {
        sitting->seat[v].rules = panel->rules;
        if ((v == 0 || looks[v]) &&
            !evidence_open(&sitting->seat[v], &panel->witness[v], parts, &sitting->looking, err))
            return false;
    }
    sitting->choice = sitting->seat[0].best;
    return true;
}

bool panel_look(struct sitting *sitting, const struct parts *parts, const unsigned *looks, struct vouch_error *err)
{
    for (uint32_t v = 0; v < sitting->panel->witnesses; v++)
        if ((v == 0 || looks[v]) && !evidence_look(&sitting->seat[v], parts, sitting->choice, looks[v], err))
            return false;
    return true;
}

void sitting_release(struct sitting *sitting)
{
    for (uint32_t v = 0; v < MAX_SEATS; v++)
        evidence_release(&sitting->seat[v]);
    looking_release(&sitting->looking);
}
