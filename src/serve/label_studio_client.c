/*
 * Asks a Label Studio, by libcurl: see label_studio_client.h.
 *
 * A personal token is a JSON web token that only buys others, by POST /api/token/refresh: the access token that comes
 * back is good for five minutes, and so is fetched anew each time. Tokens of the older kind, 40 digits, are sent as
 * they are.
 */
#include "serve/label_studio_client.h"

#include "base/json_read.h"
#include "base/watch.h"

#include <curl/curl.h>

enum { MOST_BYTES = 512 << 20, CONNECT_SECONDS = 10, MOST_SECONDS = 600 };

/* One request, and what came back. */
struct call {
    const struct label_studio_access *access;
    struct buffer *body;
    struct vouch_error *err; /* why receiving failed */
};

bool label_studio_client_start(struct vouch_error *err)
{
    return curl_global_init(CURL_GLOBAL_DEFAULT) == CURLE_OK ||
           fail(err, VOUCH_ERR_IO, "libcurl cannot be used");
}

void label_studio_client_stop(void)
{
    curl_global_cleanup();
}

/* Whether the part of the address was found not to be there. */
static bool lacks(CURLU *url, CURLUPart part)
{
    char *found = NULL;
    bool missing = curl_url_get(url, part, &found, 0) != CURLUE_OK || !found;
    curl_free(found);
    return missing;
}

static bool is_web(CURLU *url)
{
    char *scheme = NULL;
    bool web = curl_url_get(url, CURLUPART_SCHEME, &scheme, 0) == CURLUE_OK &&
               (strcmp(scheme, "http") == 0 || strcmp(scheme, "https") == 0);
    curl_free(scheme);
    return web;
}

bool label_studio_address(const char *address, struct vouch_error *err)
{
    CURLU *url = curl_url();
    if (!url)
        return fail_memory(err);
    bool ok = curl_url_set(url, CURLUPART_URL, address, 0) == CURLUE_OK && is_web(url) && !lacks(url, CURLUPART_HOST) &&
              lacks(url, CURLUPART_USER) && lacks(url, CURLUPART_QUERY) && lacks(url, CURLUPART_FRAGMENT);
    curl_url_cleanup(url);
    return ok || fail(err, VOUCH_ERR_ARGUMENT,
                      "--label-studio: expected an address such as http://localhost:8080, found '%.100s'", address);
}

static size_t receive(char *bytes, size_t size, size_t count, void *context)
{
    struct call *call = context;
    if (call->body->length + size * count > MOST_BYTES) {
        fail(call->err, VOUCH_ERR_IO, "expected at most %d MB", MOST_BYTES >> 20);
        return 0;
    }
    return buffer_add_bytes(call->body, bytes, size * count, call->err) ? size * count : 0;
}

static int may_go_on(void *context, curl_off_t to_get, curl_off_t got, curl_off_t to_send, curl_off_t sent)
{
    const struct call *call = context;
    (void)to_get, (void)got, (void)to_send, (void)sent;
    return watch_stops(call->access->watch);
}

static void set_up(CURL *curl, const char *url, const struct curl_slist *headers, const char *post, struct call *call)
{
    curl_easy_setopt(curl, CURLOPT_URL, url);
    curl_easy_setopt(curl, CURLOPT_PROTOCOLS_STR, "http,https");
    curl_easy_setopt(curl, CURLOPT_FOLLOWLOCATION, 0L);
    curl_easy_setopt(curl, CURLOPT_NOSIGNAL, 1L);
    curl_easy_setopt(curl, CURLOPT_CONNECTTIMEOUT, (long)CONNECT_SECONDS);
    curl_easy_setopt(curl, CURLOPT_TIMEOUT, (long)MOST_SECONDS);
    curl_easy_setopt(curl, CURLOPT_HTTPHEADER, headers);
    curl_easy_setopt(curl, CURLOPT_WRITEFUNCTION, receive);
    curl_easy_setopt(curl, CURLOPT_WRITEDATA, call);
    curl_easy_setopt(curl, CURLOPT_NOPROGRESS, 0L);
    curl_easy_setopt(curl, CURLOPT_XFERINFOFUNCTION, may_go_on);
    curl_easy_setopt(curl, CURLOPT_XFERINFODATA, call);
    if (post)
        curl_easy_setopt(curl, CURLOPT_COPYPOSTFIELDS, post);
}

/* Fails with what Label Studio says about a status that is not 200. */
static bool fail_status(const char *url, long status, const struct buffer *body, struct vouch_error *err)
{
    json_t *said = json_read(buffer_text(body).at, body->length, 0, NULL);
    const char *detail = json_string_value(json_object_get(said, "detail"));
    fail(err, VOUCH_ERR_IO, "%s: status %ld%s%.200s%s", url, status, detail ? ": " : "", detail ? detail : "",
         status == 401 ? ": expected a token of Label Studio in VOUCH_LABEL_STUDIO_TOKEN" : "");
    json_decref(said);
    return false;
}

/* Gets, or posts JSON if there is some, with that header of authorization, if there is one. */
static bool ask(const struct label_studio_access *access, const char *url, const char *authorization, const char *post,
                struct buffer *body, struct vouch_error *err)
{
    struct vouch_error receiving = {0};
    struct call call = {access, body, &receiving};
    struct curl_slist *headers = curl_slist_append(NULL, "Content-Type: application/json"), *more = NULL;
    CURL *curl = headers ? curl_easy_init() : NULL;
    long status = 0;
    body->length = 0;
    if (authorization && headers && (more = curl_slist_append(headers, authorization)))
        headers = more;
    bool ok = curl && (!authorization || more);
    if (!ok)
        fail_memory(err);
    if (ok) {
        set_up(curl, url, headers, post, &call);
        CURLcode code = curl_easy_perform(curl);
        curl_easy_getinfo(curl, CURLINFO_RESPONSE_CODE, &status);
        if (code == CURLE_ABORTED_BY_CALLBACK)
            ok = fail(err, VOUCH_ERR_STOPPED, "%s: stopped", url);
        else if (code != CURLE_OK)
            ok = fail(err, VOUCH_ERR_IO, "%s: %s", url,
                      receiving.status ? receiving.message : curl_easy_strerror(code));
        else if (status != 200)
            ok = fail_status(url, status, body, err);
    }
    curl_easy_cleanup(curl);
    curl_slist_free_all(headers);
    return ok;
}

/* Exchanges a personal token for an access token, in `header`. */
static bool buy_access(const struct label_studio_access *access, struct buffer *url, struct buffer *header,
                       struct vouch_error *err)
{
    struct buffer body = {0};
    json_t *post = json_pack("{s:s}", "refresh", access->token), *answer = NULL;
    char *text = post ? json_dumps(post, JSON_COMPACT) : NULL;
    size_t base = url->length;
    bool ok = text ? buffer_print(url, err, "/api/token/refresh") &&
                         ask(access, url->bytes, NULL, text, &body, err)
                   : fail_memory(err);
    if (ok) {
        answer = json_read(buffer_text(&body).at, body.length, 0, NULL);
        const char *bought = json_string_value(json_object_get(answer, "access"));
        ok = bought ? buffer_print(header, err, "Authorization: Bearer %s", bought)
                    : fail(err, VOUCH_ERR_FORMAT, "%s: expected \"access\"", url->bytes);
    }
    url->length = base;
    json_decref(answer);
    json_decref(post);
    free(text);
    free(body.bytes);
    return ok;
}

/* Personal tokens are three pieces with full stops between. */
static bool is_personal(const char *token)
{
    const char *stop = strchr(token, '.');
    return stop && strchr(stop + 1, '.');
}

bool label_studio_export(const struct label_studio_access *access, uint32_t project, struct buffer *json,
                         struct vouch_error *err)
{
    struct buffer url = {0}, header = {0};
    size_t length = strlen(access->url);
    while (length > 0 && access->url[length - 1] == '/')
        length--;
    bool ok = buffer_add_bytes(&url, access->url, length, err) &&
              (is_personal(access->token) ? buy_access(access, &url, &header, err)
                                          : buffer_print(&header, err, "Authorization: Token %s", access->token)) &&
              buffer_print(&url, err, "/api/projects/%u/export?exportType=JSON", project) &&
              ask(access, url.bytes, header.bytes, NULL, json, err);
    free(url.bytes);
    free(header.bytes);
    return ok;
}
