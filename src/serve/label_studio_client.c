/*
 * Asks a Label Studio: see label_studio_client.h.
 *
 * The program curl is run, not its library: linked, that would double the time in which any command of vouch starts.
 * What it is to do is written to its standard input, where no other user sees the token.
 *
 * A personal token is a JSON web token that only buys others, by POST /api/token/refresh: the access token that comes
 * back is good for five minutes, and so is fetched anew each time. Tokens of the older kind, 40 digits, are sent as
 * they are.
 */
#include "serve/label_studio_client.h"

#include "base/json_read.h"
#include "base/watch.h"

#include <ctype.h>
#include <errno.h>
#include <signal.h>
#include <spawn.h>
#include <stdio.h>
#include <sys/stat.h>
#include <sys/wait.h>
#include <time.h>

enum { MOST_BYTES = 512 << 20, CONNECT_SECONDS = 10, MOST_SECONDS = 600, STREAMS = 3 };
extern char **environ;

/* Whether all characters are letters, digits or among `others`, and there is one at least. */
static bool consists_of(struct text text, const char *others)
{
    for (uint32_t i = 0; i < text.length; i++)
        if (!isalnum((unsigned char)text.at[i]) && !strchr(others, text.at[i]))
            return false;
    return text.length > 0;
}

bool label_studio_address(const char *address, struct vouch_error *err)
{
    struct text rest = text_of(address);
    bool secure = text_starts(rest, "https://");
    if (secure || text_starts(rest, "http://")) {
        uint32_t scheme = secure ? 8 : 7;
        rest = (struct text){rest.at + scheme, rest.length - scheme};
        struct text host = text_cut(&rest, '/');
        if (consists_of(host, ".-_:[]") && (rest.length == 0 || consists_of(rest, ".-_~/%")))
            return true;
    }
    return fail(err, VOUCH_ERR_ARGUMENT,
                "--label-studio: expected an address such as http://localhost:8080, found '%.100s'", address);
}

/* Adds a line of curl's configuration, with the value in quotes. */
static bool put_setting(struct buffer *to, const char *name, const char *value, struct vouch_error *err)
{
    if (!buffer_print(to, err, "%s = \"", name))
        return false;
    for (; *value; value++)
        if ((strchr("\"\\", *value) && !buffer_put(to, '\\', err)) || !buffer_put(to, *value, err))
            return false;
    return buffer_print(to, err, "\"\n");
}

/* Writes what curl is to do: get the address, or post JSON to it. It goes to no other. */
static bool write_settings(struct buffer *to, const char *url, const char *authorization, const char *post,
                           struct vouch_error *err)
{
    return put_setting(to, "url", url, err) && put_setting(to, "proto", "=http,https", err) &&
           buffer_print(to, err,
                        "globoff\nsilent\nshow-error\nmax-redirs = 0\nmax-filesize = %d\nconnect-timeout = %d\n"
                        "max-time = %d\n",
                        MOST_BYTES, CONNECT_SECONDS, MOST_SECONDS) &&
           buffer_print(to, err, "write-out = \"\\n%%{http_code} %%{exitcode}\"\n") &&
           put_setting(to, "header", "Content-Type: application/json", err) &&
           (!authorization || put_setting(to, "header", authorization, err)) &&
           (!post || put_setting(to, "data", post, err));
}

/*
 * Waits for the child. It is killed if the watch asks to stop, or if it writes too much. How it ended is in what it
 * wrote: where children are ignored, as the server does, the system forgets.
 */
static bool wait_for_child(pid_t child, FILE *out, const struct vouch_watch *watch, struct vouch_error *err)
{
    bool ok = true;
    for (;;) {
        pid_t done = waitpid(child, NULL, ok ? WNOHANG : 0);
        struct stat file;
        if (done == child || (done < 0 && errno != EINTR))
            return ok;
        if (ok && watch_stops(watch))
            ok = fail(err, VOUCH_ERR_STOPPED, "stopped");
        else if (ok && fstat(fileno(out), &file) == 0 && file.st_size > MOST_BYTES)
            ok = fail(err, VOUCH_ERR_IO, "expected at most %d MB", MOST_BYTES >> 20);
        if (!ok)
            kill(child, SIGKILL);
        nanosleep(&(struct timespec){.tv_nsec = 10000000}, NULL);
    }
}

/* Runs curl on streams 0, 1 and 2. */
static bool run_curl(FILE *const stream[STREAMS], const struct vouch_watch *watch, struct vouch_error *err)
{
    static char program[] = "curl", no_settings_of_users[] = "-q", option[] = "--config", standard_input[] = "-";
    posix_spawn_file_actions_t actions;
    pid_t child = 0;
    int error = posix_spawn_file_actions_init(&actions);
    if (error == 0) {
        for (int to = 0; to < STREAMS && error == 0; to++)
            error = posix_spawn_file_actions_adddup2(&actions, fileno(stream[to]), to);
        if (error == 0)
            error = posix_spawnp(&child, program, &actions, NULL,
                                 (char *[]){program, no_settings_of_users, option, standard_input, NULL}, environ);
        posix_spawn_file_actions_destroy(&actions);
    }
    if (error != 0)
        return fail(err, VOUCH_ERR_IO, "the program curl, which fetches annotations, cannot be run: %s",
                    strerror(error));
    return wait_for_child(child, stream[1], watch, err);
}

/* Replaces `to` by all that was written to a stream. */
static bool read_stream(FILE *from, struct buffer *to, struct vouch_error *err)
{
    to->length = 0;
    rewind(from);
    return buffer_add_stream(to, from, err) || fail_within(err, "a temporary file");
}

/* Fails with what Label Studio says about a status that is not 200. */
static bool fail_status(const char *url, uint32_t status, const struct buffer *body, struct vouch_error *err)
{
    json_t *said = json_read(buffer_text(body).at, body->length, 0, NULL);
    const char *detail = json_string_value(json_object_get(said, "detail"));
    fail(err, VOUCH_ERR_IO, "%s: status %u%s%.200s%s", url, status, detail ? ": " : "", detail ? detail : "",
         status == 401 ? ": expected a token of Label Studio in VOUCH_LABEL_STUDIO_TOKEN" : "");
    json_decref(said);
    return false;
}

/* Understands how curl ended: in the last line of `body` are the status and its own; `said` tells why nothing came. */
static bool take_answer(const char *url, struct buffer *body, const struct buffer *said, struct vouch_error *err)
{
    uint32_t status = 0, ended = 1;
    struct text why = buffer_text(said), last = {"", 0};
    while (why.length > 0 && isspace((unsigned char)why.at[why.length - 1]))
        why.length--;
    while (body->length > 0 && body->bytes[body->length - 1] != '\n')
        body->length--;
    last = text_of(body->length > 0 ? body->bytes + body->length : "");
    struct text first = text_cut(&last, ' ');
    if (!text_whole(first, &status) || !text_whole(last, &ended) || ended != 0)
        return fail(err, VOUCH_ERR_IO, "%s: %.*s", url, text_beginning(why, 300), why.at);
    body->bytes[--body->length] = '\0';
    return status == 200 || fail_status(url, status, body, err);
}

/* Gets, or posts JSON if there is some, with that header of authorization, if there is one. */
static bool ask(const struct label_studio_access *access, const char *url, const char *authorization, const char *post,
                struct buffer *body, struct vouch_error *err)
{
    struct buffer settings = {0}, said = {0};
    FILE *stream[STREAMS] = {tmpfile(), tmpfile(), tmpfile()};
    bool ok = (stream[0] && stream[1] && stream[2]) || fail(err, VOUCH_ERR_IO, "a temporary file cannot be made");
    ok = ok && write_settings(&settings, url, authorization, post, err);
    if (ok && (fwrite(settings.bytes, 1, settings.length, stream[0]) != settings.length || fflush(stream[0]) != 0))
        ok = fail(err, VOUCH_ERR_IO, "a temporary file cannot be written");
    if (ok)
        rewind(stream[0]);
    ok = ok && run_curl(stream, access->watch, err) && read_stream(stream[1], body, err) &&
         read_stream(stream[2], &said, err) && take_answer(url, body, &said, err);
    for (int i = 0; i < STREAMS; i++)
        if (stream[i])
            fclose(stream[i]);
    free(settings.bytes);
    free(said.bytes);
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
    bool ok = text ? buffer_print(url, err, "/api/token/refresh") && ask(access, url->bytes, NULL, text, &body, err)
                   : fail_memory(err);
    if (ok) {
        answer = json_read(buffer_text(&body).at, body.length, 0, NULL);
        const char *bought = json_string_value(json_object_get(answer, "access"));
        ok = bought && token_is_plain(bought)
                 ? buffer_print(header, err, "Authorization: Bearer %s", bought)
                 : fail(err, VOUCH_ERR_FORMAT, "%s: expected \"access\", a token", url->bytes);
    }
    url->length = base;
    json_decref(answer);
    json_decref(post);
    free(text);
    free(body.bytes);
    return ok;
}

bool token_is_plain(const char *token)
{
    size_t length = 0;
    while (isgraph((unsigned char)token[length]))
        length++;
    return length > 0 && !token[length];
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
    if (!token_is_plain(access->token))
        return fail(err, VOUCH_ERR_ARGUMENT, "expected a token of Label Studio in VOUCH_LABEL_STUDIO_TOKEN");
    bool ok = buffer_add_bytes(&url, access->url, length, err) &&
              (is_personal(access->token) ? buy_access(access, &url, &header, err)
                                          : buffer_print(&header, err, "Authorization: Token %s", access->token)) &&
              buffer_print(&url, err, "/api/projects/%u/export?exportType=JSON", project) &&
              ask(access, url.bytes, header.bytes, NULL, json, err);
    free(url.bytes);
    free(header.bytes);
    return ok;
}
