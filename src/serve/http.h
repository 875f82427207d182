/*
 * Exchanges over HTTP: a request that came in whole, and the response to it. Handlers see these, and never the library
 * that moves the bytes (libmicrohttpd, in http.c alone).
 *
 * A protocol is a file with a table of routes. A route names a method, a path, whose segments in braces match anything,
 * and a handler; exchange.c looks it up, checks what its flags ask for (token, header of writes, type), calls the
 * handler and has what it has written sent. A handler that fails is answered as application/problem+json, in the words
 * of the command line.
 *
 * Handlers run on several threads at once. A route that may take long, and any other with a body of more than a few
 * kilobytes or with parameters that cost time, is handled by a thread that answers nothing else meanwhile.
 */
#ifndef VOUCH_SERVE_HTTP_H
#define VOUCH_SERVE_HTTP_H

#include "base/error.h"
#include "base/output.h"
#include "base/text.h"

#include <jansson.h>

struct server;

enum { MOST_SEGMENTS = 4 };

/* One request and its response. Strings are valid until the handler returns. */
struct exchange {
    struct server *server;
    const char *method, *path;
    const char *segment[MOST_SEGMENTS]; /* what the braces of the route's path matched, in order */
    const char *type;                   /* of the body, without parameters, in lower case; "" if there is none */
    const char *accept;                 /* the header of that name; "" if there is none */
    const char *origin;                 /* the address of this server as the client has it: "http://127.0.0.1:8080" */
    const char *who;                    /* whose token it came with, by name; NULL: the token has no name */
    const char *body;                   /* [length], and a zero after them; a large one is mapped from a file */
    size_t length;

    unsigned status;       /* of the response: 200 at first */
    const char *sent_type; /* of what the handler writes, "application/json" at first; not copied */
    struct output *out;    /* in memory, or in a file if it is large: write, do not read */

    void *private; /* of http.c */
};

/* Return a parameter of the address, or with ROUTE_FORM a field of the body; a header. NULL: there is none. */
const char *exchange_parameter(const struct exchange *exchange, const char *name);
const char *exchange_header(const struct exchange *exchange, const char *name);

/* Calls for every parameter of the address, in order. False if a call was. */
typedef bool (*each_parameter)(void *context, const char *name, const char *value, struct vouch_error *err);
bool exchange_parameters(const struct exchange *exchange, each_parameter call, void *context, struct vouch_error *err);

/* Adds a header to the response; both texts are copied. */
bool exchange_add_header(struct exchange *exchange, const char *name, const char *value, struct vouch_error *err);

/*
 * Fails with a status of its own, 404 say. Other failures are 400, or 500 if the server is at fault, or 503 if it lacks
 * memory or stops. 429 and 503 get the header Retry-After.
 */
bool refuse(struct exchange *exchange, unsigned status, struct vouch_error *err, const char *format, ...)
    __attribute__((format(printf, 4, 5)));

/*
 * Writes JSON as the response, numbers with nine digits; takes the value over, NULL being one for which there was no
 * memory.
 */
bool respond_json(struct exchange *exchange, unsigned status, json_t *value, struct vouch_error *err);

/* Reads the body as JSON of that kind, an object say; NULL on failure. Free with json_decref(). */
json_t *exchange_json(struct exchange *exchange, json_type kind, struct vouch_error *err);

/* Returns the string under a key of the body, or of a part of it; NULL with the error set if there is none. */
const char *body_string(const json_t *object, const char *key, struct vouch_error *err);

enum route_flag {
    ROUTE_WRITES = 1,  /* changes something: needs the header X-Vouch, and a body of JSON, if any */
    ROUTE_SLOW = 2,    /* may take long: done by a thread that answers nothing else, few at a time */
    ROUTE_OPEN = 4,    /* answered without a token: what a page needs before it has one */
    ROUTE_FOREIGN = 8, /* of another tool's protocol, which sends no header of ours: no X-Vouch, any type of body */
    ROUTE_STREAM = 16, /* answers as JSON lines or columns: the response may be large */
    ROUTE_BINARY = 32, /* with ROUTE_WRITES: the body is application/octet-stream instead of JSON */
    ROUTE_FORM = 64,   /* the body may be a form, urlencoded or multipart, whose fields are parameters, too */
};

/* One way in. A table ends with a route without a method. */
struct route {
    const char *method, *path; /* "GET", "/v1/models/{name}" */
    unsigned flags;            /* enum route_flag */
    const char *summary;       /* one line, for the description of the interface and for the start page */
    bool (*handle)(struct exchange *exchange, struct vouch_error *err);
};

/* The tables, in the order in which they are looked through: exchange.c. */
extern const struct route answer_routes[]; /* rest.c: models, tag, parse, health, metrics */
extern const struct route job_routes[];    /* jobs.c: forecast, review, next */
extern const struct route udpipe_routes[]; /* udpipe.c: UDPipe's models and process */
extern const struct route cut_routes[];    /* cut.c: words and sentences of raw text */
extern const struct route page_routes[];   /* pages.c: the start page */
extern const struct route openapi_routes[]; /* openapi.c: the description of all this */
extern const struct route desk_routes[];   /* desk_routes.c: queue, answer, undo and all that annotators need */
extern const struct route inception_routes[]; /* inception.c: its external recommender */

/* Listens and answers on threads of its own; and stops: requests that have begun are finished. */
struct listener;
struct listener *listener_open(struct server *server, struct vouch_error *err);
unsigned listener_port(const struct listener *listener);
void listener_close(struct listener *listener); /* NULL is allowed */

/* Closes connections whose clients are too slow; to be called some times a second. */
void listener_drop_slow(struct listener *listener);

/* Calls for every route of every table. */
void routes_each(void (*call)(void *context, const struct route *route), void *context);

#endif
