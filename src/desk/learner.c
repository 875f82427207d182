/*
 * Learns in the background: see learner.h.
 *
 * There is one thread for all students, since training is what fills a core, and it has the lowest priority that the
 * system gives (nice 19, which Linux keeps by thread). One mutex guards the list of students and their states; nothing
 * is learned, and no student called, while it is held.
 *
 * Training goes by files, as vouch train does, so that what was learned from can be looked at, and learned from again
 * by hand. Calibration needs sentences that were not learned from. If the material has them, training leaves
 * calibration out and vouch_tune() does it, which is faster by the number of held-out parts; else training calibrates.
 */
#define _GNU_SOURCE
#include "desk/learner.h"

#include "base/output.h"
#include "model/model.h"

#include <pthread.h>
#include <stdio.h>
#include <sys/resource.h>
#include <sys/syscall.h>
#include <unistd.h>

/* A text that was submitted, and waits to be learned. */
struct submission {
    char *base, *options;
    struct buffer text;
};

struct pupil {
    struct student student;
    struct student_state state;
    char *name; /* of learner_submit(): the student's, to be freed */
    struct learner *learner;
    struct submission *next, *current; /* of learner_submit(): the text that waits, and the one that is learned */
};

struct learner {
    struct learner_hooks hooks;
    struct vouch_watch watch;
    char *folder;
    struct pupil **pupil; /* [count], each of which stays where it is */
    size_t count, capacity;
    pthread_mutex_t lock;
    pthread_cond_t asked, done;
    pthread_t thread;
    bool started, ending;
};

void material_release(struct material *material)
{
    free(material->text.bytes);
    free(material->more.bytes);
    free(material->calibrate.bytes);
    free(material->options.bytes);
    *material = (struct material){0};
}

/* ---- Learning a material ---- */

static char *write_text(const struct buffer *text, const char *folder, const char *name, const char *ending,
                        struct vouch_error *err)
{
    char *path = path_in(folder, err, "%s.%s", name, ending);
    struct output *out = path ? output_open(path, err) : NULL;
    if (out)
        output_write(out, buffer_text(text).at, text->length);
    if (out && output_commit(out, err))
        return path;
    free(path);
    return NULL;
}

static bool set_options(vouch_options *options, const char *pairs, struct vouch_error *err)
{
    char *copy = new_string(pairs, strlen(pairs), err), *rest = copy;
    bool ok = copy != NULL;
    for (char *pair; ok && (pair = strtok_r(rest, "&", &rest));) {
        char *value = strchr(pair, '=');
        if (value)
            *value++ = '\0';
        ok = vouch_options_set(options, pair, value ? value : "true", err) == VOUCH_OK;
    }
    free(copy);
    return ok;
}

static vouch_model *train(const struct material *material, const char *const *files, size_t count,
                          const struct vouch_watch *watch, struct vouch_error *err)
{
    vouch_options *options = vouch_options_new("train", err);
    bool ok = options && set_options(options, buffer_text(&material->options).at, err) &&
              (!material->base || vouch_options_set(options, "from", material->base, err) == VOUCH_OK) &&
              (!material->calibrate.length || vouch_options_set(options, "no-calibrate", "true", err) == VOUCH_OK);
    vouch_model *model = ok ? vouch_train(options, files, count, watch, err) : NULL;
    vouch_options_free(options);
    if (model && err->status == VOUCH_ERR_STOPPED) {
        vouch_model_close(model);
        model = NULL;
    }
    return model;
}

/* Replaces a model by one that is calibrated on the file; NULL on failure. */
static vouch_model *calibrate(vouch_model *model, const char *file, const struct vouch_watch *watch,
                              struct vouch_error *err)
{
    vouch_options *options = vouch_options_new("tune", err);
    bool ok = options && vouch_options_set(options, "grid", "quick", err) == VOUCH_OK;
    vouch_model *tuned = ok ? vouch_tune(model, options, &file, 1, watch, err) : NULL;
    vouch_options_free(options);
    vouch_model_close(model);
    return tuned;
}

vouch_model *material_learn(const struct material *material, const char *folder, const char *name,
                          const struct vouch_watch *watch, struct vouch_error *err)
{
    char *text = NULL, *more = NULL, *held = NULL;
    bool ok = (!material->text.length || (text = write_text(&material->text, folder, name, "learn", err))) &&
              (!material->more.length || (more = write_text(&material->more, folder, name, "learn2", err))) &&
              (!material->calibrate.length ||
               (held = write_text(&material->calibrate, folder, name, "calibrate", err)));
    const char *files[2];
    size_t count = 0;
    if (text)
        files[count++] = text;
    if (more)
        files[count++] = more;
    vouch_model *model = ok ? train(material, files, count, watch, err) : NULL;
    if (model && held)
        model = calibrate(model, held, watch, err);
    free(text);
    free(more);
    free(held);
    return model;
}

/* ---- The thread ---- */

static int stops(void *context)
{
    struct learner *learner = context;
    pthread_mutex_lock(&learner->lock);
    int ending = learner->ending;
    pthread_mutex_unlock(&learner->lock);
    return ending || watch_stops(learner->hooks.watch);
}

static void put_digest(char *to, size_t room, const vouch_model *model)
{
    snprintf(to, room, "%016llx", (unsigned long long)model_file_digest(&model->file));
}

static bool find_parent(const struct material *material, struct learned *learned, struct vouch_error *err)
{
    vouch_model *parent = material->base ? vouch_model_open(material->base, err) : NULL;
    if (parent)
        put_digest(learned->parent, sizeof learned->parent, parent);
    vouch_model_close(parent);
    return parent || !material->base;
}

bool learner_publish(struct learner *learner, const struct student *s, const char *path, struct vouch_error *err)
{
    const struct learner_hooks *h = &learner->hooks;
    return !h->publish || h->publish(h->context, s->serve_as ? s->serve_as : s->name, path, err);
}

const struct vouch_watch *learner_watch(const struct learner *learner)
{
    return &learner->watch;
}

static bool hand_over(struct learner *learner, struct pupil *pupil, const struct material *material,
                      struct learned *learned, struct vouch_error *err)
{
    const struct student *s = &pupil->student;
    bool ok;
    if (s->learned)
        ok = s->learned(s->context, material, learned, err);
    else {
        vouch_model_close(learned->model);
        ok = true;
    }
    return ok && learner_publish(learner, s, learned->path, err);
}

/* One round: from the material to a model that is published. *made says whether there is one. */
static bool learn_round(struct learner *learner, struct pupil *pupil, bool *made, double *seconds,
                        struct vouch_error *err)
{
    const struct student *s = &pupil->student;
    struct material material = {0};
    struct learned learned = {0};
    double began = seconds_now();
    char *path = path_in(learner->folder, err, "%s.vouch", s->name);
    bool ok = path && s->prepare(s->context, &material, err) && find_parent(&material, &learned, err);
    *made = ok && !material.nothing;
    if (*made) {
        learned.model = material_learn(&material, learner->folder, s->name, &learner->watch, err);
        learned.path = path;
        ok = learned.model != NULL;
        if (ok && vouch_model_save(learned.model, path, err) != VOUCH_OK) {
            vouch_model_close(learned.model);
            ok = false;
        }
        learned.seconds = *seconds = seconds_now() - began;
        if (ok)
            put_digest(learned.digest, sizeof learned.digest, learned.model);
        ok = ok && hand_over(learner, pupil, &material, &learned, err);
    }
    material_release(&material);
    free(path);
    return ok;
}

/* With the mutex: the first that waits, or NULL. */
static struct pupil *waiting(const struct learner *learner)
{
    for (size_t i = 0; i < learner->count; i++)
        if (learner->pupil[i]->state.state == LEARNING_WAITING)
            return learner->pupil[i];
    return NULL;
}

static void be_nice(void)
{
    setpriority(PRIO_PROCESS, (id_t)syscall(SYS_gettid), 19);
}

static void *work(void *context)
{
    struct learner *learner = context;
    be_nice();
    pthread_mutex_lock(&learner->lock);
    while (!learner->ending) {
        struct pupil *pupil = waiting(learner);
        if (!pupil) {
            pthread_cond_broadcast(&learner->done);
            pthread_cond_wait(&learner->asked, &learner->lock);
            continue;
        }
        struct vouch_error err = {0};
        bool made = false;
        double seconds = 0;
        pupil->state.state = LEARNING_NOW;
        pthread_mutex_unlock(&learner->lock);
        bool ok = learn_round(learner, pupil, &made, &seconds, &err);
        pthread_mutex_lock(&learner->lock);
        if (pupil->state.state == LEARNING_NOW)
            pupil->state.state = LEARNING_IDLE;
        pupil->state.rounds += ok && made;
        pupil->state.seconds = seconds;
        snprintf(pupil->state.trouble, sizeof pupil->state.trouble, "%s", ok ? "" : err.message);
    }
    pthread_cond_broadcast(&learner->done);
    pthread_mutex_unlock(&learner->lock);
    return NULL;
}

/* ---- Opening, asking, closing ---- */

struct learner *learner_open(const char *folder, const struct learner_hooks *hooks, struct vouch_error *err)
{
    struct learner *learner = new_array(1, sizeof *learner, err);
    if (!learner)
        return NULL;
    learner->hooks = *hooks;
    learner->watch = (struct vouch_watch){.size = sizeof learner->watch, .context = learner, .stop = stops};
    pthread_mutex_init(&learner->lock, NULL);
    pthread_cond_init(&learner->asked, NULL);
    pthread_cond_init(&learner->done, NULL);
    learner->folder = new_string(folder, strlen(folder), err);
    if (learner->folder && pthread_create(&learner->thread, NULL, work, learner) == 0)
        learner->started = true;
    else if (learner->folder)
        fail(err, VOUCH_ERR_MEMORY, "the thread that learns could not be started");
    if (learner->started)
        return learner;
    learner_close(learner);
    return NULL;
}

static void submission_free(struct submission *s)
{
    if (!s)
        return;
    free(s->base);
    free(s->options);
    free(s->text.bytes);
    free(s);
}

void learner_close(struct learner *learner)
{
    if (!learner)
        return;
    if (learner->started) {
        pthread_mutex_lock(&learner->lock);
        learner->ending = true;
        pthread_cond_broadcast(&learner->asked);
        pthread_mutex_unlock(&learner->lock);
        pthread_join(learner->thread, NULL);
    }
    for (size_t i = 0; i < learner->count; i++) {
        submission_free(learner->pupil[i]->next);
        submission_free(learner->pupil[i]->current);
        free(learner->pupil[i]->name);
        free(learner->pupil[i]);
    }
    free(learner->pupil);
    free(learner->folder);
    pthread_mutex_destroy(&learner->lock);
    pthread_cond_destroy(&learner->asked);
    pthread_cond_destroy(&learner->done);
    free(learner);
}

/* With the mutex. */
static struct pupil *find(const struct learner *learner, const char *name)
{
    for (size_t i = 0; i < learner->count; i++)
        if (strcmp(learner->pupil[i]->student.name, name) == 0)
            return learner->pupil[i];
    return NULL;
}

static bool check_name(const char *name, struct vouch_error *err)
{
    static const char allowed[] = "abcdefghijklmnopqrstuvwxyzABCDEFGHIJKLMNOPQRSTUVWXYZ0123456789-_.";
    if (name[0] && name[0] != '.' && strlen(name) <= 100 && name[strspn(name, allowed)] == '\0')
        return true;
    return fail(err, VOUCH_ERR_ARGUMENT, "expected a model's name of letters, digits, '-', '_' and '.', found '%.60s'",
                name);
}

/* With the mutex: adds one more, or returns NULL. */
static struct pupil *add(struct learner *learner, const struct student *student, struct vouch_error *err)
{
    if (!RESERVE(learner->pupil, learner->capacity, learner->count + 1, err))
        return NULL;
    struct pupil *made = new_array(1, sizeof *made, err);
    if (!made)
        return NULL;
    made->student = *student;
    made->learner = learner;
    return learner->pupil[learner->count++] = made;
}

bool learner_add(struct learner *learner, const struct student *student, struct vouch_error *err)
{
    if (!check_name(student->name, err))
        return false;
    pthread_mutex_lock(&learner->lock);
    bool ok = !find(learner, student->name) ? add(learner, student, err) != NULL
                                            : fail(err, VOUCH_ERR_ARGUMENT, "'%s' learns already", student->name);
    pthread_mutex_unlock(&learner->lock);
    return ok;
}

/* With the mutex. */
static void ask(struct learner *learner, struct pupil *pupil)
{
    pupil->state.state = LEARNING_WAITING;
    pthread_cond_signal(&learner->asked);
}

bool learner_ask(struct learner *learner, const char *name, struct vouch_error *err)
{
    pthread_mutex_lock(&learner->lock);
    struct pupil *pupil = find(learner, name);
    if (pupil)
        ask(learner, pupil);
    pthread_mutex_unlock(&learner->lock);
    return pupil || fail(err, VOUCH_ERR_ARGUMENT, "there is no '%.60s' to learn", name);
}

bool learner_state(struct learner *learner, const char *name, struct student_state *state)
{
    pthread_mutex_lock(&learner->lock);
    struct pupil *pupil = find(learner, name);
    if (pupil)
        *state = pupil->state;
    pthread_mutex_unlock(&learner->lock);
    return pupil != NULL;
}

const char *learning_state_name(enum learning_state state)
{
    static const char *const name[] = {"idle", "waiting", "learning"};
    return name[state];
}

/* With the mutex. */
static bool busy(const struct learner *learner)
{
    for (size_t i = 0; i < learner->count; i++)
        if (learner->pupil[i]->state.state != LEARNING_IDLE)
            return true;
    return false;
}

void learner_wait(struct learner *learner)
{
    pthread_mutex_lock(&learner->lock);
    while (busy(learner) && !learner->ending)
        pthread_cond_wait(&learner->done, &learner->lock);
    pthread_mutex_unlock(&learner->lock);
}

/* ---- Texts that are submitted ---- */

static char *copy_or_null(const char *text, struct vouch_error *err)
{
    return text ? new_string(text, strlen(text), err) : NULL;
}

static struct submission *submission_new(const void *text, size_t length, const char *base, const char *options,
                                         struct vouch_error *err)
{
    struct submission *s = new_array(1, sizeof *s, err);
    if (!s)
        return NULL;
    s->base = copy_or_null(base, err);
    s->options = copy_or_null(options ? options : "", err);
    if (s->options && (!base || s->base) && buffer_add_bytes(&s->text, text, length, err))
        return s;
    submission_free(s);
    return NULL;
}

/* The student of such a text: its pupil is the context. */
static bool give_text(void *context, struct material *material, struct vouch_error *err)
{
    struct pupil *pupil = context;
    pthread_mutex_lock(&pupil->learner->lock);
    if (pupil->next) {
        submission_free(pupil->current);
        pupil->current = pupil->next;
        pupil->next = NULL;
    }
    pthread_mutex_unlock(&pupil->learner->lock);
    const struct submission *s = pupil->current;
    material->base = s->base;
    return buffer_add_bytes(&material->text, s->text.bytes, s->text.length, err) &&
           buffer_add(&material->options, text_of(s->options), err);
}

/* With the mutex: the student of that name for texts, made if there is none. */
static struct pupil *text_pupil(struct learner *learner, const char *name, struct vouch_error *err)
{
    struct pupil *pupil = find(learner, name);
    if (pupil && pupil->student.prepare == give_text)
        return pupil;
    if (pupil) {
        fail(err, VOUCH_ERR_ARGUMENT, "'%s' is learned from something else", name);
        return NULL;
    }
    char *copy = new_string(name, strlen(name), err);
    pupil = copy ? add(learner, &(struct student){.name = copy, .prepare = give_text}, err) : NULL;
    if (!pupil) {
        free(copy);
        return NULL;
    }
    pupil->name = copy;
    pupil->student.context = pupil;
    return pupil;
}

bool learner_submit(struct learner *learner, const char *name, const void *text, size_t length, const char *base,
                    const char *options, struct vouch_error *err)
{
    struct submission *made = check_name(name, err) ? submission_new(text, length, base, options, err) : NULL;
    if (!made)
        return false;
    pthread_mutex_lock(&learner->lock);
    struct pupil *pupil = text_pupil(learner, name, err);
    if (pupil) {
        submission_free(pupil->next);
        pupil->next = made;
        ask(learner, pupil);
    }
    pthread_mutex_unlock(&learner->lock);
    if (!pupil)
        submission_free(made);
    return pupil != NULL;
}
