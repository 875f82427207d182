/* Tests that a model that is replaced by several clients at once is the same in memory and on the disk. */
#include "bare_server.h"
#include "model/model.h"
#include "serve/served_models.h"
#include "small_models.h"

#include <pthread.h>

enum { CLIENTS = 2, ROUNDS = 60 };

struct client {
    struct models *models;
    char *body;
    size_t length;
    unsigned status;
};

static void *put(void *context)
{
    struct client *c = context;
    struct bare_server b = {0};
    bare_init(&b);
    models_free(b.server.models);
    b.server.models = c->models;
    incoming_begin(&b.in, &b.server, "PUT", "/v1/models/m");
    incoming_add_header(&b.in, "Host", "localhost:80");
    incoming_add_header(&b.in, "X-Vouch", "1");
    incoming_add_header(&b.in, "Content-Type", "application/octet-stream");
    if (incoming_admit(&b.in)) {
        b.in.exchange.body = c->body;
        b.in.exchange.length = c->length;
        incoming_answer(&b.in);
    }
    c->status = b.in.exchange.status;
    b.server.models = NULL;
    bare_release(&b);
    return NULL;
}

static void assert_served_is_on_disk(struct models *models)
{
    const struct served_model *m = models_take(models, "m", ANY_MODEL, NULL);
    vouch_model *file = vouch_model_open(m->path, NULL);
    char version[32];
    assert_non_null(file);
    snprintf(version, sizeof version, "%016llx", (unsigned long long)model_file_digest(&file->file));
    assert_string_equal(m->version, version);
    vouch_model_close(file);
    models_leave(models, m);
}

TEST_IN_FOLDER(the_model_that_is_served_is_the_one_on_the_disk)
{
    static const char *const cw[] = {"cw", NULL}, *const both[] = {"cw", "crf", NULL};
    const char *const *const voices[CLIENTS] = {cw, both};
    struct client client[CLIENTS] = {{0}};
    pthread_t thread[CLIENTS];
    struct models *models = models_new(NULL);
    for (int i = 0; i < CLIENTS; i++) {
        client[i].models = models;
        client[i].body = (char *)folder_get_bytes(small_tagger("m.vouch", voices[i], NULL), &client[i].length);
    }
    assert_true(models_open(models, folder_file("m.vouch"), NULL));
    for (int round = 0; round < fewer(ROUNDS); round++) {
        for (int i = 0; i < CLIENTS; i++)
            assert_int_equal(pthread_create(&thread[i], NULL, put, &client[i]), 0);
        for (int i = 0; i < CLIENTS; i++) {
            pthread_join(thread[i], NULL);
            assert_int_equal(client[i].status, 200);
        }
        assert_served_is_on_disk(models);
    }
    for (int i = 0; i < CLIENTS; i++)
        free(client[i].body);
    models_free(models);
}
