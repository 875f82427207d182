/*
 * A request on its way, from its headers to its response, without the connection that it came on: what http.c fills in
 * and sends, and what tests and fuzzers make themselves.
 *
 *     headers are there   incoming_begin(), names and values added, incoming_admit(): a route, or a refusal
 *     the body is there   incoming_answer(): the handler, or the error that it ended with
 *     the response        exchange.status, sent_type, out, and `sent`
 */
#ifndef VOUCH_SERVE_EXCHANGE_H
#define VOUCH_SERVE_EXCHANGE_H

#include "serve/form.h"
#include "serve/http.h"

enum { MOST_PAIRS = 64, MOST_SENT = 16 };

/* A header or a parameter; strings are the caller's. */
struct pair {
    const char *name, *value;
};

struct incoming {
    struct exchange exchange;
    const struct route *route; /* once it is admitted */
    size_t number;             /* of the route, in the order of routes_each(); ROUTES_MOST: of none */
    struct pair header[MOST_PAIRS], parameter[MOST_PAIRS];
    size_t headers, parameters;
    bool overfull; /* there were more */
    unsigned refused;
    bool closes; /* the connection cannot be used again: what follows on it is not known to be a request */
    char segments[1024], type[128], origin[300], problem[600];
    struct {
        char *name, *value; /* of the response; to be freed */
    } sent[MOST_SENT];
    size_t sents;
    struct form form;
};

enum { ROUTES_MOST = 128 };

/* Begins with a request, using the output again; the strings stay the caller's. */
void incoming_begin(struct incoming *in, struct server *server, const char *method, const char *path);
void incoming_add_header(struct incoming *in, const char *name, const char *value);
void incoming_add_parameter(struct incoming *in, const char *name, const char *value);

/* Whether a body follows, by the headers. */
bool incoming_has_body(const struct incoming *in);

/* Finds the route and checks all that headers tell. False: the response is there, and the body is not needed. */
bool incoming_admit(struct incoming *in);

/* Lets the route answer; exchange.body and .length are there. */
void incoming_answer(struct incoming *in);

/* Answers by a problem instead. */
void incoming_refuse(struct incoming *in, unsigned status, const char *detail);

/* Whether the request may take so long that others should not wait for it. */
bool incoming_takes_long(const struct incoming *in);

/* Frees the headers of the response; the output stays. */
void incoming_end(struct incoming *in);

/* Returns the words for a status: "Not Found". */
const char *status_phrase(unsigned status);

/* Decodes %XX in place, but for %00 and what is no such escape, which match no route and no option. */
size_t percent_decode(char *text);

#endif
