/*
 * What the server asks of a Label Studio: the annotated tasks of a project. Its address is one that the server was
 * started with, never one from a request, and is not left for another by a redirection.
 */
#ifndef VOUCH_SERVE_LABEL_STUDIO_CLIENT_H
#define VOUCH_SERVE_LABEL_STUDIO_CLIENT_H

#include "base/buffer.h"

/* Fails unless the address is of HTTP or HTTPS, of a host and perhaps a path, without anything that needs quotes. */
bool label_studio_address(const char *url, struct vouch_error *err);

/* Whether a token may be sent in a header: it has no white space, and nothing that ends the line. */
bool token_is_plain(const char *token);

struct label_studio_access {
    const char *url;   /* "http://localhost:8080", with or without "/" at its end */
    const char *token; /* a personal token, which is exchanged for one of some minutes, or one of the older kind */
    const struct vouch_watch *watch; /* ends it early */
};

/* Replaces `json` by the project's annotated tasks, as Label Studio exports them. */
bool label_studio_export(const struct label_studio_access *access, uint32_t project, struct buffer *json,
                         struct vouch_error *err);

#endif
