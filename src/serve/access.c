/* Who may ask: see access.h. One mutex guards sessions and the ticket; all else never changes. */
#include "serve/access.h"

#include "base/buffer.h"
#include "base/parallel.h"

#include <stdio.h>
#include <string.h>
#include <strings.h>
#include <sys/random.h>

enum { SESSIONS = 256, SHORTEST_SECRET = 8, MOST_TOKENS = MOST_IN_LIST };

struct token {
    char *name, *secret; /* name NULL: it has none */
};

struct access {
    struct token token[MOST_TOKENS];
    size_t tokens;
    char *host[MOST_IN_LIST + 8]; /* as browsers send them, with the port */
    size_t hosts;
    const struct text_list *origins; /* of --cors */
    struct turns *turns;
    struct session {
        char id[SESSION_LENGTH + 1];
        const char *who;
    } session[SESSIONS]; /* the oldest makes room for a new one */
    size_t opened;
    char ticket[SESSION_LENGTH + 1]; /* empty: there is none */
};

bool secrets_equal(const char *given, const char *secret)
{
    size_t length = strlen(given), expected = strlen(secret);
    unsigned char difference = length != expected;
    for (size_t i = 0; i < length; i++)
        difference |= (unsigned char)(given[i] ^ (expected ? secret[i % expected] : 0));
    return difference == 0;
}

static bool add_token(struct access *a, const char *text, size_t length, struct vouch_error *err)
{
    const char *colon = memchr(text, ':', length);
    size_t name = colon ? (size_t)(colon - text) : 0, start = colon ? name + 1 : 0;
    if (length - start < SHORTEST_SECRET)
        return fail(err, VOUCH_ERR_ARGUMENT, "--token: expected SECRET or NAME:SECRET with a secret of at least %d "
                                             "characters", SHORTEST_SECRET);
    if (a->tokens == MOST_TOKENS)
        return fail(err, VOUCH_ERR_ARGUMENT, "--token: expected at most %d", MOST_TOKENS);
    struct token *token = &a->token[a->tokens++];
    token->name = name ? new_string(text, name, err) : NULL;
    token->secret = new_string(text + start, length - start, err);
    return token->secret && (!name || token->name);
}

/* Those of the environment, separated by blanks, are not in the list of processes. */
static bool add_tokens(struct access *a, const struct text_list *given, struct vouch_error *err)
{
    const char *more = getenv("VOUCH_TOKEN");
    for (size_t i = 0; i < given->count; i++)
        if (!add_token(a, given->item[i], strlen(given->item[i]), err))
            return false;
    for (size_t length; more && *(more += strspn(more, " \t\n")); more += length) {
        length = strcspn(more, " \t\n");
        if (!add_token(a, more, length, err))
            return false;
    }
    return true;
}

static bool add_host(struct access *a, struct vouch_error *err, const char *format, ...)
    __attribute__((format(printf, 3, 4)));
static bool add_host(struct access *a, struct vouch_error *err, const char *format, ...)
{
    struct buffer name = {0};
    va_list args;
    va_start(args, format);
    bool ok = buffer_print_list(&name, err, format, args);
    va_end(args);
    if (ok)
        a->host[a->hosts++] = name.bytes;
    return ok;
}

/* A name of --allowed-host without a port stands for itself, as behind a proxy, and for itself with our port. */
static bool add_hosts(struct access *a, const struct serve_options *o, unsigned port, struct vouch_error *err)
{
    bool ok = add_host(a, err, "localhost:%u", port) && add_host(a, err, "127.0.0.1:%u", port) &&
              add_host(a, err, "[::1]:%u", port);
    if (ok && o->host)
        ok = add_host(a, err, strchr(o->host, ':') ? "[%s]:%u" : "%s:%u", o->host, port);
    for (size_t i = 0; ok && i < o->allowed_hosts.count; i++)
        ok = add_host(a, err, "%s", o->allowed_hosts.item[i]);
    return ok;
}

struct access *access_new(const struct serve_options *options, unsigned port, struct vouch_error *err)
{
    struct access *a = new_array(1, sizeof *a, err);
    if (!a)
        return NULL;
    a->origins = &options->cors;
    if ((a->turns = turns_open(err)) && add_tokens(a, &options->tokens, err) && add_hosts(a, options, port, err))
        return a;
    access_free(a);
    return NULL;
}

void access_free(struct access *a)
{
    if (!a)
        return;
    for (size_t i = 0; i < a->tokens; i++) {
        free(a->token[i].name);
        free(a->token[i].secret);
    }
    for (size_t i = 0; i < a->hosts; i++)
        free(a->host[i]);
    turns_close(a->turns);
    free(a);
}

bool access_needs_token(const struct access *a)
{
    return a->tokens > 0;
}

/* Whether `host` is `known`, or is that with a port, which `known` has not, or without port 80, which clients omit. */
static bool is_host(const char *host, const char *known)
{
    size_t length = strlen(known);
    const char *end = strrchr(known, ':');
    bool ported = end && !strchr(end, ']');
    if (ported && strcmp(end, ":80") == 0 && strlen(host) == length - 3 && strncasecmp(host, known, length - 3) == 0)
        return true;
    if (strncasecmp(host, known, length) != 0)
        return false;
    return !host[length] || (!ported && host[length] == ':' && strspn(host + length + 1, "0123456789") > 0 &&
                             !host[length + 1 + strspn(host + length + 1, "0123456789")]);
}

bool access_knows_host(const struct access *a, const char *host)
{
    for (size_t i = 0; host && i < a->hosts; i++)
        if (is_host(host, a->host[i]))
            return true;
    return false;
}

bool access_is_own_origin(const struct access *a, const char *origin)
{
    const char *host = strncasecmp(origin, "http://", 7) == 0    ? origin + 7
                       : strncasecmp(origin, "https://", 8) == 0 ? origin + 8
                                                                 : NULL;
    return access_knows_host(a, host);
}

bool access_is_allowed_origin(const struct access *a, const char *origin)
{
    for (size_t i = 0; i < a->origins->count; i++)
        if (strcmp(a->origins->item[i], origin) == 0)
            return true;
    return false;
}

/* Looks through all tokens, however early one fits. */
static const struct token *find_token(const struct access *a, const char *given)
{
    const struct token *found = NULL;
    for (size_t i = 0; i < a->tokens; i++)
        if (secrets_equal(given, a->token[i].secret))
            found = &a->token[i];
    return found;
}

/* Decodes base64 into `to` [room], terminated; false if it is none, or does not fit. */
static bool decode_base64(const char *text, char *to, size_t room)
{
    static const char digits[] = "ABCDEFGHIJKLMNOPQRSTUVWXYZabcdefghijklmnopqrstuvwxyz0123456789+/";
    unsigned bits = 0, have = 0;
    size_t used = 0;
    for (; *text && *text != '='; text++) {
        const char *digit = strchr(digits, *text);
        if (!digit || used + 1 >= room)
            return false;
        bits = (bits << 6 | (unsigned)(digit - digits)) & 0xffff;
        have += 6;
        if (have >= 8) {
            have -= 8;
            to[used++] = (char)(bits >> have & 0xff);
        }
    }
    to[used] = '\0';
    return strlen(to) == used;
}

static const struct token *token_of(const struct access *a, const char *authorization)
{
    char decoded[512];
    if (strncasecmp(authorization, "Bearer ", 7) == 0)
        return find_token(a, authorization + 7);
    if (strncasecmp(authorization, "Token ", 6) == 0)
        return find_token(a, authorization + 6);
    if (strncasecmp(authorization, "Basic ", 6) != 0 || !decode_base64(authorization + 6, decoded, sizeof decoded))
        return NULL;
    const char *colon = strchr(decoded, ':');
    return colon ? find_token(a, colon + 1) : NULL;
}

/* Finds "vouch=ID" among the cookies. */
static bool session_of(const char *cookies, char id[SESSION_LENGTH + 1])
{
    for (const char *at = cookies; *at; at += strcspn(at, ";")) {
        at += strspn(at, "; ");
        if (strncmp(at, "vouch=", 6) == 0 && strcspn(at + 6, "; ") == SESSION_LENGTH) {
            memcpy(id, at + 6, SESSION_LENGTH);
            id[SESSION_LENGTH] = '\0';
            return true;
        }
    }
    return false;
}

static bool find_session(struct access *a, const char *cookies, const char **who)
{
    char id[SESSION_LENGTH + 1];
    bool found = false;
    if (!session_of(cookies, id))
        return false;
    turns_take(a->turns);
    for (size_t i = 0; i < SESSIONS; i++)
        if (a->session[i].id[0] && secrets_equal(id, a->session[i].id)) {
            *who = a->session[i].who;
            found = true;
        }
    turns_leave(a->turns);
    return found;
}

bool access_admits(struct access *a, const char *authorization, const char *cookie, const char **who)
{
    *who = NULL;
    const struct token *token = authorization ? token_of(a, authorization) : NULL;
    if (token) {
        *who = token->name;
        return true;
    }
    return (cookie && find_session(a, cookie, who)) || a->tokens == 0;
}

static bool random_text(char text[SESSION_LENGTH + 1], struct vouch_error *err)
{
    unsigned char bytes[SESSION_LENGTH / 2];
    if (getrandom(bytes, sizeof bytes, 0) != (ssize_t)sizeof bytes)
        return fail(err, VOUCH_ERR_IO, "the system gives no random numbers");
    for (size_t i = 0; i < sizeof bytes; i++)
        snprintf(text + 2 * i, 3, "%02x", bytes[i]);
    return true;
}

/* Whether it is the ticket, which is used up thereby. */
static bool take_ticket(struct access *a, const char *given)
{
    turns_take(a->turns);
    bool taken = a->ticket[0] && secrets_equal(given, a->ticket);
    if (taken)
        a->ticket[0] = '\0';
    turns_leave(a->turns);
    return taken;
}

bool access_open_session(struct access *a, const char *given, char session[SESSION_LENGTH + 1], const char **who,
                         struct vouch_error *err)
{
    const struct token *token = find_token(a, given);
    if (!token && take_ticket(a, given))
        token = &a->token[0];
    if (!token)
        return fail(err, VOUCH_ERR_ARGUMENT, "expected a token of this server");
    if (!random_text(session, err))
        return false;
    turns_take(a->turns);
    struct session *to = &a->session[a->opened++ % SESSIONS];
    memcpy(to->id, session, sizeof to->id);
    to->who = token->name;
    turns_leave(a->turns);
    *who = token->name;
    return true;
}

bool access_make_ticket(struct access *a, char ticket[SESSION_LENGTH + 1], struct vouch_error *err)
{
    if (!random_text(ticket, err))
        return false;
    turns_take(a->turns);
    memcpy(a->ticket, ticket, sizeof a->ticket);
    turns_leave(a->turns);
    return true;
}
