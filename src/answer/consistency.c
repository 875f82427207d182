/* Implements --consistency: see consistency.h. */
#include "answer/consistency.h"

#include <string.h>

static bool has_text(const char *names)
{
    size_t length = strlen(COMMITTEE_TEXT);
    for (const char *at = names; at; at = strchr(at, ','), at = at ? at + 1 : NULL)
        if (strcspn(at, ",") == length && strncmp(at, COMMITTEE_TEXT, length) == 0)
            return true;
    return false;
}

bool consistency_ask(const struct settings *settings, struct estimate_request *request, struct vouch_error *err)
{
    if (!settings->confidence.consistency)
        return true;
    if (!request->methods)
        request->methods = COMMITTEE_TEXT;
    return has_text(request->methods) ||
           fail(err, VOUCH_ERR_ARGUMENT, "--consistency needs " COMMITTEE_TEXT " among the methods: found '%.60s'",
                request->methods);
}
