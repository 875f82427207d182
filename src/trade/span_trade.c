/*
 * Trades precision against recall by the spans of another program: see trade.h. A text is a sentence whose words are
 * its spans, each a chunk of one word, so that curves, points, groups and guarantees are those of a model's answers; a
 * threshold leaves spans out, and nothing can be added. Where texts have documents, these are the units.
 */
#include "trade/trade.h"

#include "base/hash.h"
#include "eval/file_comparison.h"
#include "model/records.h"

#include <string.h>

/* Opens the file, with the probabilities of the calibration in the place of the scores. */
static struct answer_file *open_spans(const struct trade *t, struct vouch_error *err)
{
    const struct trade_options *s = t->options;
    const struct eval_options options = {.common = s->common,
                                         .reading = s->reading,
                                         .answers = s->answers,
                                         .columns = s->columns,
                                         .model = s->model,
                                         .log = s->log};
    struct file_comparison c = {.e = {.options = &options}, .calibration = t->calibration};
    struct answer_file *file = NULL;
    if (file_comparison_prepare(&c, err) && file_comparison_open(&c, err)) {
        file = c.answers;
        c.answers = NULL;
    }
    file_comparison_release(&c);
    if (!file || file->spans)
        return file;
    fail(err, VOUCH_ERR_ARGUMENT, "%s: expected spans with scores, in JSON lines, to trade by", file->path);
    answer_file_close(file);
    return NULL;
}

bool trade_open_spans(struct trade *t, struct vouch_error *err)
{
    const struct trade_options *s = t->options;
    if (s->direction == TOWARDS_RECALL || s->unit == TRADE_WORDS || s->drop == TRADE_WORDS || t->column ||
        s->confidence.methods || s->confidence.raw)
        return fail(err, VOUCH_ERR_ARGUMENT,
                    "spans of another program can only be left out, by their scores: expected no --direction recall, "
                    "words, columns, --confidence or --raw");
    const char *fitted = t->calibration ? json_string_value(json_object_get(t->calibration->header, "file")) : NULL;
    if (s->guarantee > 0 && fitted && strcmp(fitted, s->answers) == 0)
        return fail(err, VOUCH_ERR_ARGUMENT,
                    "%s was fitted on %s: a guarantee needs spans that it was not fitted on", s->model, s->answers);
    if (!(t->answers = open_spans(t, err)))
        return false;
    t->towards[TOWARDS_RECALL] = false;
    t->scheme = SCHEME_IOB2;
    t->methods = 1;
    t->name[0] = t->calibration ? "calibrated" : "score";
    return true;
}

/* Takes a text: whether the calibration was fitted on it, and whether it was there before. */
static bool take_text(struct measured_text *m, struct text text, struct vouch_error *err)
{
    uint64_t digest = hash_bytes(text.at, text.length);
    m->sentences++;
    m->tuned += digest_set_has(&m->fitted, kept_digest(digest));
    return file_overlap_add(&m->overlap, digest, 0, err);
}

/* Takes all texts; lists alone have none. */
static bool take_texts(struct trade *t, struct vouch_error *err)
{
    const struct answer_file *file = t->answers;
    const json_t *kept = t->calibration ? json_object_get(t->calibration->header, "texts") : NULL;
    t->text.path = file->path;
    t->text.files = 1;
    if ((kept && !digests_read(kept, &t->text.fitted, err)) ||
        !file_overlap_begin(&t->text.overlap, file->path, err))
        return false;
    for (size_t i = 0; i < file->texts; i++)
        if (file->text[i].length > 0 && !take_text(&t->text, file->text[i], err))
            return false;
    return true;
}

bool trade_read_spans(struct trade *t, struct vouch_error *err)
{
    struct file_answer text;
    enum reading state;
    if (!take_texts(t, err))
        return false;
    while ((state = answer_file_next(t->answers, &text, err)) == READ_SENTENCE) {
        t->text.documents.marks = t->answers->documents > 0;
        t->text.documents.documents = t->answers->row[t->answers->row_at_hand].document + 1;
        const struct vouch_answer answer = {.label = text.label, .confidences = text.confidences};
        if (!trade_add(t, text.gold, text.sentence->N, &answer, err))
            return false;
    }
    return state == READ_END;
}
