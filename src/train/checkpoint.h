/*
 * A checkpoint is a folder in which training keeps what it has learned so far, a file for each voice, of the model
 * or of a model that holds out some parts of the corpus, so that it can go on there after it was ended.
 *
 *     .made           the program has made the folder, and will remove it
 *     plan.json       what is learned, from what, and how: --resume is refused for anything else
 *     NAME.voice      a voice as it was after its last pass: see voice_file.c
 *
 * Nothing in it depends on how many threads or ranks learned. Of several ranks, which see the same folder, the first
 * writes and all read. Files appear whole, so that a process may be ended at any moment: the plan is written before all
 * voices and removed after them, and a plan without voices counts as nothing. If a file cannot be written, training
 * goes on without further checkpoints, and what was written before stays.
 *
 * The first pass of a voice is kept, and every later one, unless learning since the last that was kept has taken less
 * than twenty times as long as writing it did. So keeping costs about a twentieth of the time at most, and a process
 * that is ended loses no more than that much learning and the pass that it was in.
 *
 * Voices depend on each other only as the tree of held-out models does; the file of a parent is removed when both
 * children have theirs.
 */
#ifndef VOUCH_TRAIN_CHECKPOINT_H
#define VOUCH_TRAIN_CHECKPOINT_H

#include "base/ranks.h"
#include "model/model.h"
#include "train/learning.h"

#include <jansson.h>

/* Its fields are read by training and its command alone. */
struct checkpoint {
    char *folder;
    const struct ranks *ranks;
    uint64_t digest; /* of the plan */
    int lock;        /* the folder; -1: not open */
    bool goes_on;    /* there are voices to go on with */
    bool made;       /* the folder is the program's own */
    bool written;    /* it holds a plan */

    struct turns *turns;        /* guards what follows: voices are kept by several threads */
    struct vouch_error failure; /* why a file could not be written; none is after that */
    bool warned;                /* of it */
};

/*
 * Opens a folder, which is made if it is not there. To begin, it must be empty; to `resume`, it may be. No other
 * process may have it open. NULL with an error.
 */
struct checkpoint *checkpoint_open(const char *folder, bool resume, const struct ranks *ranks, struct vouch_error *err);

/*
 * Sets what is learned: strings by name, whose order is that in which differences are told. Fails if the folder's
 * voices are of something else.
 */
bool checkpoint_begin(struct checkpoint *checkpoint, json_t *plan, struct vouch_error *err);

/* Tells the watch, once, if a file could not be written. NULL is allowed. */
void checkpoint_warn(struct checkpoint *checkpoint, const struct vouch_watch *watch);

/*
 * Removes the files, and the folder if checkpoint_open() has made it, now or then. If a voice cannot be removed, the
 * plan stays as well. Errors are ignored.
 */
void checkpoint_remove(struct checkpoint *checkpoint);

/* Frees it; the files stay. NULL is allowed. */
void checkpoint_close(struct checkpoint *checkpoint);

/* A voice in a checkpoint. */
struct checkpoint_voice {
    struct checkpoint *checkpoint; /* NULL: it is not kept */
    char name[72];
    uint64_t digest;          /* of all that decides it */
    struct voice_needs start; /* variances and squares at the start, which need not be written */
    double patience;          /* how many times as long as writing must learning take, to be kept */
    double written, took;     /* when it was written last, and how long that took; 0: it was not */
};

/* Returns the voice of that name; `options` and `subset` are those of train_on(). */
struct checkpoint_voice checkpoint_voice(struct checkpoint *checkpoint, const char *name,
                                         const struct training_options *options, struct subset subset,
                                         const struct space *space);

/* The state of a voice after a pass, as a checkpoint keeps it. */
struct voice_state {
    struct voice *voice;      /* NULL: only the note */
    struct model_voice *best; /* as it was after an earlier pass that is kept, too; NULL, or without weights: none is */
    bool last;                /* nothing will be learned on from here: squares of gradients are left out */
    uint32_t pass;
    json_t *note;
};

/*
 * Keeps the state, unless it is too early for that. Does nothing, and succeeds, if there is no checkpoint. It also
 * succeeds if the file cannot be written: see checkpoint_warn().
 */
bool voice_state_keep(struct checkpoint_voice *kept, const struct voice_state *state, struct vouch_error *err);

/*
 * Sets pass and note, and the voice, which must have been started, to what was kept; the note is the caller's. If
 * nothing was kept, or there is no checkpoint, or it fails, the note is NULL; the pass is 0 if nothing was. `best`, if
 * not NULL, must be empty; it stays so if none was kept. All ranks call it, and it fails if they find different things.
 */
bool voice_state_recall(const struct checkpoint_voice *kept, struct voice_state *state, struct vouch_error *err);

/* Whether something was kept. */
bool checkpoint_voice_exists(const struct checkpoint_voice *kept);

/* Removes what was kept, which is not needed any more. */
void checkpoint_voice_drop(const struct checkpoint_voice *kept);

/* ---- The file of a voice: voice_file.c ---- */

enum { VOICE_FILE_VERSION = 1, VOICE_ARRAYS = 6 };

/* The weights of one kind. */
struct voice_array {
    float *at; /* [count]; NULL: not there, and then the count is 0 */
    size_t count;
    float start; /* their value before anything was learned */
};

struct voice_record {
    uint64_t digest; /* digest of what is learned, and from what */
    uint64_t steps;
    uint32_t pass;
    float now;
    char *note;
    struct voice_array array[VOICE_ARRAYS];
};

/* Writes a file, whole or not at all. */
bool voice_file_write(const char *path, const struct voice_record *record, struct vouch_error *err);

/*
 * Reads a file of the digest `record->digest`. The arrays have room for their counts, which the file must have as well;
 * one that the file does not have gets the count 0, and its weights stay. The note is to free(). A file that is damaged
 * or of another voice is VOUCH_ERR_FORMAT.
 */
bool voice_file_read(const char *path, struct voice_record *record, struct vouch_error *err);

#endif
