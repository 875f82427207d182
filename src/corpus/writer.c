/*
 * Writing answers: see writer.h. Each format's writer is beside its reader;
 * what is doubtful is found, and replaced, here for all of them.
 */
#include "corpus/formats.h"

static bool ends_line(struct text text)
{
    return text.length > 0 && text.at[text.length - 1] == '\n';
}

struct text newline_of(const struct sentence *s)
{
    struct text end = s->end && s->N > 0 && ends_line(s->end[0]) ? s->end[0] : s->after;
    bool returns = end.length > 1 && end.at[end.length - 2] == '\r' && ends_line(end);
    return text_of(returns ? "\r\n" : "\n");
}

void write_front(struct output *out, const struct writer_options *options, const struct sentence *sentence)
{
    if (!options->alone)
        write_text(out, sentence->skipped);
}

void write_end(struct output *out, const struct writer_options *options, const struct sentence *sentence, uint32_t word)
{
    struct text end = sentence->end ? sentence->end[word] : text_of("\n");
    write_text(out, end);
    if (options->alone && !ends_line(end))
        write_text(out, newline_of(sentence));
}

void write_behind(struct output *out, const struct writer_options *options, const struct sentence *sentence)
{
    if (sentence->N == 0)
        return;
    if (sentence->end && !options->alone)
        write_text(out, sentence->after);
    else
        write_text(out, newline_of(sentence));
}

/* Doubtful answers of one sentence, found and perhaps replaced. */
struct doubts {
    double *least;       /* [N] as doubt_of_labels() and doubt_of_arcs() have it */
    bool *doubtful;      /* [N] */
    struct text *answer; /* [N] what to write, if doubtful ones are replaced */
};

static bool doubts_init(struct doubts *d, uint32_t N, struct vouch_error *err)
{
    *d = (struct doubts){.least = new_array(N, sizeof *d->least, err)};
    d->doubtful = d->least ? new_array(N, sizeof *d->doubtful, err) : NULL;
    d->answer = d->doubtful ? new_array(N, sizeof *d->answer, err) : NULL;
    return d->answer != NULL;
}

static void doubts_release(struct doubts *d)
{
    free(d->least);
    free(d->doubtful);
    free(d->answer);
}

/* Compares with the threshold; returns the answers to write, `answer` (NULL: unknown) or others in their place. */
static const struct text *doubts_settle(struct doubts *d, const struct writer_options *options, uint32_t N,
                                        const struct text *answer)
{
    for (uint32_t i = 0; i < N; i++) {
        d->doubtful[i] = d->least[i] < options->threshold;
        d->answer[i] = d->doubtful[i] ? options->replacement : answer ? answer[i] : text_of("_");
    }
    return options->replacement.length > 0 ? d->answer : answer;
}

static bool has_threshold(const struct writer_options *options, const struct confidences *confidences)
{
    return confidences && !isnan(options->threshold);
}

static struct marks marks_of(const struct doubts *d, const struct writer_options *options,
                             const struct confidences *confidences)
{
    return (struct marks){
        .confidences = confidences, .doubtful = d->doubtful, .replaced = options->replacement.length > 0};
}

bool write_labelled(struct output *out, const struct writer_options *options, const struct sentence *sentence,
                    const struct text *label, const struct confidences *confidences, struct vouch_error *err)
{
    if (sentence->faulty)
        return jsonl_write_fault(out, sentence, err);
    if (options->format == FORMAT_AUTO)
        return fail(err, VOUCH_ERR_ARGUMENT, "output needs a format");
    const struct format_calls *calls = format_table[options->format];
    if (!calls->write)
        return fail(err, VOUCH_ERR_ARGUMENT, "%s files have no place for labels", calls->name);
    if (!has_threshold(options, confidences))
        return calls->write(out, options, sentence, label, &(struct marks){.confidences = confidences}, err);
    struct doubts d;
    bool done = doubts_init(&d, sentence->N, err);
    if (done) {
        doubt_of_labels(sentence->boundary ? &(struct confidences){0} : confidences, sentence->N, d.least);
        label = doubts_settle(&d, options, sentence->N, label);
        struct marks marks = marks_of(&d, options, confidences);
        done = calls->write(out, options, sentence, label, &marks, err);
    }
    doubts_release(&d);
    return done;
}

void write_as_read(struct output *out, const struct writer_options *options, const struct sentence *sentence)
{
    bool json = options->format == FORMAT_JSONL, plain = options->format == FORMAT_PLAIN;
    struct writer_options alone = *options;
    alone.alone = true;
    write_text(out, sentence->before);
    for (uint32_t i = 0; !json && i < sentence->N; i++) {
        if (sentence->leads)
            write_text(out, sentence->lead[i]);
        write_text(out, sentence->line[i]);
        if (plain && i + 1 < sentence->N)
            write_text(out, sentence->end[i]);
        else
            write_end(out, &alone, sentence, i);
    }
    if (!json && sentence->leads)
        write_text(out, sentence->lead[sentence->N]);
    if (json)
        write_text(out, newline_of(sentence));
    else if (!plain)
        write_behind(out, &alone, sentence);
}

bool write_to_correct(struct output *out, const struct writer_options *options, const struct sentence *sentence,
                      const struct text *label, struct vouch_error *err)
{
    struct writer_options alone = *options;
    alone.alone = true;
    if (options->format == FORMAT_JSONL && !sentence->boundary)
        return jsonl_write_gold(out, sentence, label, NULL, err);
    if (options->format != FORMAT_CRFSUITE)
        return write_labelled(out, &alone, sentence, label, NULL, err);
    crfsuite_write_lines(out, &alone, sentence, label);
    return true;
}

bool write_tree(struct output *out, const struct writer_options *options, const struct sentence *sentence,
                const struct tree_answer *answer, const struct confidences *confidences, struct vouch_error *err)
{
    if (sentence->faulty)
        return jsonl_write_fault(out, sentence, err);
    if (!sentence->tree)
        return fail(err, VOUCH_ERR_ARGUMENT, "trees can be written only for trees that were read");
    /* The lines in front of a tree are comments, except in JSON lines, where they are the whole object. */
    bool json = sentence->before.length > 0 && sentence->before.at[0] != '#';
    bool (*write)(struct output *, const struct writer_options *, const struct sentence *, const struct tree_answer *,
                  const struct marks *, struct vouch_error *) = json ? jsonl_write_tree : conllu_write_tree;
    if (!has_threshold(options, confidences))
        return write(out, options, sentence, answer, &(struct marks){.confidences = confidences}, err);
    struct doubts d;
    bool done = doubts_init(&d, sentence->N, err);
    if (done) {
        doubt_of_arcs(confidences, sentence->N, d.least);
        struct tree_answer settled = {answer->head, doubts_settle(&d, options, sentence->N, answer->relation)};
        struct marks marks = marks_of(&d, options, confidences);
        done = write(out, options, sentence, &settled, &marks, err);
    }
    doubts_release(&d);
    return done;
}

bool write_tree_to_correct(struct output *out, const struct writer_options *options, const struct sentence *sentence,
                           const struct tree_answer *answer, struct vouch_error *err)
{
    if (options->format == FORMAT_JSONL)
        return jsonl_write_gold(out, sentence, answer->relation, answer->head, err);
    struct writer_options alone = *options;
    alone.alone = true;
    return write_tree(out, &alone, sentence, answer, NULL, err);
}

bool write_header(struct output *out, const struct writer_options *options, const struct method_confidence *by_method,
                  uint32_t count, struct vouch_error *err)
{
    switch (options->format) {
    case FORMAT_JSONL:
    case FORMAT_CONLLU:
        return true;
    case FORMAT_CONLL:
        break;
    default:
        return fail(err, VOUCH_ERR_ARGUMENT, "%s files have no place for comments", format_name(options->format));
    }
    output_printf(out, "# conf_method=");
    for (uint32_t m = 0; m < count; m++)
        output_printf(out, "%s%s:%s", m > 0 ? "," : "", by_method[m].method,
                      by_method[m].calibrated ? "calibrated" : "raw");
    output_write(out, "\n", 1);
    return true;
}

void doubt_of_labels(const struct confidences *confidences, uint32_t N, double *least)
{
    const struct method_confidence *first = confidences->methods > 0 ? confidences->by_method : NULL;
    for (uint32_t i = 0; i < N; i++)
        least[i] = first ? number_at(first->word, i) : NAN;
    for (uint32_t s = 0; first && s < confidences->spans; s++) {
        const struct span *span = &confidences->span[s];
        double whole = number_at(first->span, s);
        for (uint32_t i = span->from; i < span->to && i < N; i++)
            whole = fmin(whole, least[i]); /* the other one if one is NAN */
        for (uint32_t i = span->from; i < span->to && i < N; i++)
            least[i] = whole;
    }
}

void doubt_of_arcs(const struct confidences *confidences, uint32_t N, double *least)
{
    const struct method_confidence *first = confidences->methods > 0 ? confidences->by_method : NULL;
    for (uint32_t i = 0; i < N; i++)
        least[i] = first ? fmin(number_at(first->word, i), number_at(first->relation, i)) : NAN;
}
