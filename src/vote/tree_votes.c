/* Counts votes on trees: see vote.h. */
#include "vote/vote.h"

#include "text/writer.h"
#include "tree/tree.h"

#include <inttypes.h>
#include <math.h>
#include <stdlib.h>
#include <string.h>

void tree_votes_release(struct tree_votes *v)
{
    scores_release(&v->arcs);
    free(v->scratch.bytes);
    free(v->head);
    free(v->relation);
    free(v->head_share);
    free(v->relation_share);
    *v = (struct tree_votes){0};
}

/* Finds the relation of a word's arc that most trees have, and how many have this relation, whatever its head. */
static void settle_relation(struct tree_votes *v, uint32_t word, const uint32_t *const *head,
                            const struct text *const *relation)
{
    uint32_t most = 0, all = 0;
    bool arc = v->arcs.node[tree_group(v->N, word, v->head[word])] > 0;
    for (uint32_t k = 0; k < v->voters; k++) {
        uint32_t votes = 0, anywhere = 0;
        for (uint32_t other = 0; other < v->voters; other++) {
            bool same = text_equal(relation[k][word], relation[other][word]);
            votes += same && (!arc || head[other][word] == v->head[word]);
            anywhere += same;
        }
        if ((!arc || head[k][word] == v->head[word]) && votes > most) {
            most = votes;
            all = anywhere;
            v->relation[word] = relation[k][word];
        }
    }
    v->relation_share[word] = (double)all / v->voters;
}

bool tree_votes_count(struct tree_votes *v, uint32_t N, uint32_t K, const uint32_t *const *head,
                      const struct text *const *relation, struct vouch_error *err)
{
    double score;
    v->N = N;
    v->voters = K;
    if (!scores_shape(&v->arcs, N, N * (N + 1), 1, 0, err) || !RESERVE(v->head, v->head_capacity, N, err) ||
        !RESERVE(v->relation, v->relation_capacity, N, err) ||
        !RESERVE(v->head_share, v->head_share_capacity, N, err) ||
        !RESERVE(v->relation_share, v->relation_share_capacity, N, err))
        return false;
    memset(v->arcs.node, 0, (size_t)N * (N + 1) * sizeof *v->arcs.node);
    for (uint32_t k = 0; k < K; k++)
        for (uint32_t i = 0; i < N; i++)
            v->arcs.node[tree_group(N, i, head[k][i])]++;
    if (!tree_best(&v->arcs, &v->scratch, v->head, &score, err))
        return false;
    for (uint32_t i = 0; i < N; i++) {
        v->head_share[i] = (double)v->arcs.node[tree_group(N, i, v->head[i])] / K;
        v->relation_share[i] = NAN;
        if (relation)
            settle_relation(v, i, head, relation);
    }
    return true;
}

/* The files, and the sentences at hand. */
struct forest_files {
    struct answer_file **file;   /* [files] */
    struct file_answer *answer;  /* [files] */
    const uint32_t **head;       /* [files] */
    const struct text **label;   /* [files] */
    uint32_t files;
    bool labelled; /* all of them have relations */
    struct tree_votes votes;
};

static bool have_same_words(const struct forest_files *f, uint32_t k, struct vouch_error *err)
{
    const struct sentence *first = f->answer[0].sentence, *other = f->answer[k].sentence;
    for (uint32_t i = 0; i < first->N || i < other->N; i++) {
        struct text end = text_of("the end of the sentence");
        struct text one = i < first->N ? sentence_form(first, i) : end;
        struct text two = i < other->N ? sentence_form(other, i) : end;
        if (!text_equal(one, two))
            return fail(err, VOUCH_ERR_FORMAT,
                        "%s:%" PRIu64 " and %s:%" PRIu64 ": expected the same word, found \"%.*s\" and \"%.*s\"",
                        f->file[0]->path, answer_file_line(f->file[0], i < first->N ? i : first->N - 1),
                        f->file[k]->path, answer_file_line(f->file[k], i < other->N ? i : other->N - 1), excerpt(one),
                        one.at, excerpt(two), two.at);
    }
    return true;
}

/* Reads the next sentence of every file; *any is false at the end of all. */
static bool next_trees(struct forest_files *f, bool *any, struct vouch_error *err)
{
    f->labelled = true;
    for (uint32_t k = 0; k < f->files; k++) {
        enum reading state = answer_file_next(f->file[k], &f->answer[k], err);
        if (state == READ_FAILED)
            return false;
        *any = k == 0 ? state == READ_SENTENCE : *any;
        if (*any != (state == READ_SENTENCE))
            return fail(err, VOUCH_ERR_FORMAT, "%s: expected as many sentences as in %s, found %s", f->file[k]->path,
                        f->file[0]->path, *any ? "fewer" : "more");
        if (*any && !f->answer[k].head)
            return answer_refuse(f->file[k], 0, err, "expected trees");
        if (*any && !have_same_words(f, k, err))
            return false;
        f->head[k] = f->answer[k].head;
        f->label[k] = f->answer[k].label;
        f->labelled = f->labelled && f->answer[k].label;
    }
    return true;
}

static bool write_tree(struct forest_files *f, struct output *out, struct vouch_error *err)
{
    const struct sentence *sentence = f->answer[0].sentence;
    struct tree_votes *v = &f->votes;
    if (!tree_votes_count(v, sentence->N, f->files, f->head, f->labelled ? f->label : NULL, err))
        return false;
    const struct writer_options writing = {.format = FORMAT_CONLLU};
    const struct method_confidence by = {.method = "votes",
                                         .word = v->head_share,
                                         .relation = f->labelled ? v->relation_share : NULL,
                                         .sentence = NAN};
    const struct confidences confidences = {.by_method = &by, .methods = 1};
    const struct marks marks = {.confidences = &confidences};
    return write_sentence(out, &writing, sentence, v->head, f->labelled ? v->relation : NULL, &marks, err);
}

bool tree_votes_write(const struct vote_options *s, struct output *out, struct vouch_error *err)
{
    const struct answer_file_options options = {.format = FORMAT_CONLLU, .parts = ANSWERS_ALONE};
    uint32_t files = (uint32_t)s->common.arguments;
    struct forest_files f = {0};
    if (files < 2)
        return fail(err, VOUCH_ERR_ARGUMENT,
                    "%s: expected JSON lines with \"votes\", or several files of spans or of trees (CoNLL-U)",
                    s->common.argument[0]);
    f.file = new_array(files, sizeof *f.file, err);
    f.answer = new_array(files, sizeof *f.answer, err);
    f.head = new_array(files, sizeof *f.head, err);
    f.label = new_array(files, sizeof *f.label, err);
    bool ok = f.file && f.answer && f.head && f.label, any = true;
    for (; ok && f.files < files; f.files += ok)
        ok = (f.file[f.files] = answer_file_open(s->common.argument[f.files], &options, err)) != NULL;
    while (ok && (ok = next_trees(&f, &any, err)) && any)
        ok = write_tree(&f, out, err);
    for (uint32_t k = 0; k < f.files; k++)
        answer_file_close(f.file[k]);
    free(f.file);
    free(f.answer);
    free(f.head);
    free(f.label);
    tree_votes_release(&f.votes);
    return ok;
}
