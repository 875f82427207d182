/* Tells whether labelled text can be evidence: see measured_text.h. */
#include "answer/measured_text.h"

#include "base/watch.h"
#include "model/records.h"

#include <stdio.h>

bool measured_text_init(struct measured_text *t, const struct vouch_model *model, struct vouch_error *err)
{
    const json_t *kept = model ? json_object_get(json_object_get(model->header, "confidence"), "sentences") : NULL;
    *t = (struct measured_text){.model = model};
    return !kept || digests_read(kept, &t->fitted, err) || fail_within(err, "%s", model->file.name);
}

void measured_text_release(struct measured_text *t)
{
    digest_set_release(&t->fitted);
    file_overlap_release(&t->overlap);
}

void measured_text_begin(struct measured_text *t, const char *path)
{
    t->begun = true;
    t->path = path;
    t->files++;
}

/* Ends the file at hand, if there is any. */
static void end_file(struct measured_text *t)
{
    bool unmarked = t->overlap.here.count > 0 && t->documents.marks == t->marks;
    if (unmarked && !t->unmarked_file)
        t->unmarked = t->overlap.path;
    t->unmarked_file |= unmarked;
    t->marks = t->documents.marks;
}

bool measured_text_take(struct measured_text *t, const struct sentence *sentence, struct vouch_error *err)
{
    if (t->begun) {
        end_file(t);
        if (!file_overlap_begin(&t->overlap, t->path, err))
            return false;
        t->begun = false;
    }
    document_count_pass(&t->documents, sentence);
    if (sentence->boundary || sentence->N == 0)
        return true;
    uint64_t digest = sentence_words_digest(sentence);
    uint32_t document = t->documents.marks > t->marks ? t->documents.documents : 0;
    bool learned = t->model && digest_set_has(&t->model->seen, digest);
    t->sentences++;
    t->learned += learned;
    t->tuned += !learned && digest_set_has(&t->fitted, kept_digest(digest));
    return file_overlap_add(&t->overlap, digest, document, err);
}

bool measured_text_end(struct measured_text *t, struct vouch_error *err)
{
    end_file(t);
    return file_overlap_end(&t->overlap, err);
}

/* A clause about sentences: "3 of 4 sentences of FILE were learned from". */
struct clause {
    char text[512];
};
enum { MOST_PATH = 300 }; /* bytes of a path in it */

static struct clause known_clause(uint64_t learned, uint64_t tuned, uint64_t sentences, const char *where)
{
    struct clause c;
    struct text file = text_of(where ? where : "");
    snprintf(c.text, sizeof c.text, "%s%llu of %llu sentence%s%s%.*s%s%s",
             learned || !tuned ? "" : "confidence was tuned on ", (unsigned long long)(learned + tuned),
             (unsigned long long)sentences, s_if_many(sentences), where ? " of " : "", text_beginning(file, MOST_PATH),
             file.at, !learned && tuned ? "" : learned + tuned == 1 ? " was learned from" : " were learned from",
             learned && tuned ? ", or tuned on" : "");
    return c;
}

/* What the model knows of the text; its file is named if it is the only one. */
static struct clause text_clause(const struct measured_text *t)
{
    return known_clause(t->learned, t->tuned, t->sentences, t->files == 1 ? t->path : NULL);
}

static struct clause overlap_clause(const struct file_overlap *o)
{
    struct clause c;
    struct text file = text_of(o->again_path ? o->again_path : "standard input");
    snprintf(c.text, sizeof c.text, "%.*s: %llu of %llu sentence%s had been read before, here or in another file",
             text_beginning(file, MOST_PATH), file.at, (unsigned long long)o->again, (unsigned long long)o->again_of,
             s_if_many(o->again_of));
    return c;
}

static bool is_known(const struct measured_text *t)
{
    return is_most(t->learned + t->tuned, t->sentences);
}

void warn_of_seen(const struct vouch_watch *watch, uint64_t seen, uint64_t sentences, const char *where,
                  const char *then)
{
    if (is_most(seen, sentences))
        watch_say(watch, VOUCH_EVENT_WARNING, "warning: %s: %s", known_clause(seen, 0, sentences, where).text, then);
}

void warn_of_overlap(const struct vouch_watch *watch, const struct file_overlap *overlap)
{
    if (has_overlap(overlap))
        watch_say(watch, VOUCH_EVENT_WARNING, "warning: %s: what counts twice is less evidence than it seems",
                  overlap_clause(overlap).text);
}

void measured_text_warn(const struct measured_text *t, const struct vouch_watch *watch, const char *then)
{
    if (is_known(t))
        watch_say(watch, VOUCH_EVENT_WARNING, "warning: %s: %s", text_clause(t).text, then);
    warn_of_overlap(watch, &t->overlap);
}

bool measured_text_proves(const struct measured_text *t, struct vouch_error *err)
{
    if (is_known(t))
        return fail(err, VOUCH_ERR_ARGUMENT, "%s: expected others, as what is guaranteed on these would not hold",
                    text_clause(t).text);
    return !has_overlap(&t->overlap) ||
           fail(err, VOUCH_ERR_ARGUMENT, "%s: expected every text once, as what counts twice proves too much",
                overlap_clause(&t->overlap).text);
}

void warn_of_unmarked(const struct measured_text *t, const struct vouch_watch *watch)
{
    if (has_documents(&t->documents) && t->unmarked_file)
        watch_say(watch, VOUCH_EVENT_WARNING,
                  "warning: %s has no document marks, as other files have: all of it counts as one document",
                  t->unmarked ? t->unmarked : "standard input");
}
