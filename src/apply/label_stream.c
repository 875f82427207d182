/*
 * Labelling a stream: see label_stream.h.
 *
 * A batch of sentences is read, labelled in parallel and handed on in order.
 * One thread takes one sentence at a time, so that a reader on a pipe gets
 * each answer at once.
 */
#include "apply/label_stream.h"

#include "base/parallel.h"

enum { BATCH_PER_THREAD = 256, JOB = 32 };

struct item {
    struct sentence sentence;
    struct text *label;
    size_t label_capacity;
};

struct stream {
    struct item *item; /* [room] */
    uint32_t room, count;
    struct tagger **tagger; /* [threads] */
    uint32_t threads;
    const char *path;
};

static bool label_item(struct stream *s, struct item *item, struct tagger *tagger, struct vouch_error *err)
{
    if (item->sentence.boundary)
        return true;
    if (RESERVE(item->label, item->label_capacity, (size_t)item->sentence.N + 1, err) &&
        tagger_label(tagger, &item->sentence, item->label, err))
        return true;
    return fail_within(err, "%s:%llu", s->path, (unsigned long long)item->sentence.number);
}

static bool label_job(void *context, uint32_t job, uint32_t thread, struct vouch_error *err)
{
    struct stream *s = context;
    for (uint32_t i = job * JOB; i < s->count && i < (job + 1) * JOB; i++)
        if (!label_item(s, &s->item[i], s->tagger[thread], err))
            return false;
    return true;
}

static bool stream_init(struct stream *s, const struct vouch_model *model, struct vouch_error *err)
{
    s->item = new_array(s->room, sizeof *s->item, err);
    s->tagger = new_array(s->threads, sizeof *s->tagger, err);
    if (!s->item || !s->tagger)
        return false;
    for (uint32_t i = 0; i < s->threads; i++)
        if (!(s->tagger[i] = tagger_new(model, err)))
            return false;
    return true;
}

static void stream_release(struct stream *s)
{
    for (uint32_t i = 0; s->item && i < s->room; i++) {
        sentence_release(&s->item[i].sentence);
        free(s->item[i].label);
    }
    for (uint32_t i = 0; s->tagger && i < s->threads; i++)
        tagger_free(s->tagger[i]);
    free(s->item);
    free(s->tagger);
}

/* Hands on what has been labelled. */
static bool drain(struct stream *s, const struct label_sink *sink, struct vouch_error *err)
{
    for (uint32_t i = 0; i < s->count; i++) {
        const struct sentence *sentence = &s->item[i].sentence;
        if (!sink->take(sink->context, sentence, sentence->boundary ? NULL : s->item[i].label, err))
            return fail_within(err, "%s:%llu", s->path, (unsigned long long)sentence->number);
    }
    return true;
}

bool label_stream(const struct vouch_model *model, struct reader *reader, uint32_t threads,
                  const struct label_sink *sink, struct vouch_error *err)
{
    struct stream s = {
        .threads = threads, .room = threads > 1 ? threads * BATCH_PER_THREAD : 1, .path = reader_path(reader)};
    bool ok = stream_init(&s, model, err);
    enum reading state = READ_SENTENCE;
    while (ok && state == READ_SENTENCE) {
        s.count = 0;
        while (s.count < s.room && (state = reader_next(reader, &s.item[s.count].sentence, err)) == READ_SENTENCE)
            s.count++;
        ok = state != READ_FAILED && parallel_run(threads, (s.count + JOB - 1) / JOB, label_job, &s, err) &&
             drain(&s, sink, err);
    }
    stream_release(&s);
    return ok;
}
