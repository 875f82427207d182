/*
 * Who may ask: names of this server, tokens of people, sessions of browsers.
 *
 * A page in a browser can reach a server on loopback under a name of its own (DNS rebinding), so the header Host must
 * be one of the server's own names, exactly. A page from elsewhere may send requests, though not read the answers, so
 * the header Origin, if there is one, must be the server's own, or one that --cors names.
 *
 * Tokens are SECRET or NAME:SECRET, and come as "Authorization: Bearer SECRET", as the password of "Basic", or as a
 * session: a browser sends the token once, from the fragment of its address, which no server sees, and gets a random
 * number in a cookie that scripts cannot read and other sites cannot send. Sessions end with the server. Secrets are
 * compared in a time that does not depend on where they differ. Without tokens, everybody on this machine may ask.
 */
#ifndef VOUCH_SERVE_ACCESS_H
#define VOUCH_SERVE_ACCESS_H

#include "serve/server.h"

struct access;

/* Makes the lists of the options, and of VOUCH_TOKEN in the environment, for a server on that port. */
struct access *access_new(const struct serve_options *options, unsigned port, struct vouch_error *err);
void access_free(struct access *access); /* NULL is allowed */

bool access_needs_token(const struct access *access);
bool access_knows_host(const struct access *access, const char *host /* NULL: there is none */);

/* Whether the origin of a page is the server's own; and whether it is one of --cors. */
bool access_is_own_origin(const struct access *access, const char *origin);
bool access_is_allowed_origin(const struct access *access, const char *origin);

/* Whether the headers, each of which may be NULL, have a token or a session; *who is its name, or NULL. */
bool access_admits(struct access *access, const char *authorization, const char *cookie, const char **who);

/* Opens a session for a token, or for a ticket, which is used up; false if there is no such. */
enum { SESSION_LENGTH = 32 };
bool access_open_session(struct access *access, const char *token, char session[SESSION_LENGTH + 1], const char **who,
                         struct vouch_error *err);

/* Makes a secret that opens one session, as the first person: for a browser that the program opens. */
bool access_make_ticket(struct access *access, char ticket[SESSION_LENGTH + 1], struct vouch_error *err);

/* Whether two secrets are the same, in a time that depends on the length of the first alone. */
bool secrets_equal(const char *given, const char *secret);

#endif
