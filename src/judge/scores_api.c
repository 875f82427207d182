/* Reads scores from files for the public interface, sentence by sentence in any order: see vouch.h. */
#include "judge/judge.h"
#include "base/error.h"
#include "scores/score_files.h"

struct vouch_scores {
    struct score_files *files;
    struct sentence_place *place; /* [sentences] */
    size_t sentences;
    bool trees;
    struct score_work work;
};

/* Finds the place of every sentence. Lines of JSON need no more than their numbers. */
static bool find_places(struct vouch_scores *s, bool lines, struct vouch_error *err)
{
    struct sentence_place at = {0};
    uint64_t count;
    if (!score_files_count(s->files, &count, err))
        return false;
    s->sentences = (size_t)count;
    if (!(s->place = new_array(s->sentences + 1, sizeof *s->place, err)))
        return false;
    for (size_t i = 0; i < s->sentences; i++) {
        uint32_t N = 0;
        s->place[i] = at;
        if (!lines && !score_files_length(s->files, &at, &s->work, &N, err))
            return false;
        sentence_place_pass(&at, N);
    }
    return true;
}

static bool open_scores(struct vouch_scores *s, const struct vouch_score_files *from, struct vouch_error *err)
{
    struct score_values paths = {from->scores, from->offsets, from->transitions};
    struct score_layout layout = {.trees = from->labels == 0,
                                  .labels = (uint32_t)from->labels,
                                  .modifier_first = from->modifier_first != 0,
                                  .diagonal = from->diagonal != 0,
                                  .padded = from->padded != 0};
    if (from->labels > MAX_WIDTH)
        return fail(err, VOUCH_ERR_ARGUMENT, "expected at most %d labels, found %zu", MAX_WIDTH, from->labels);
    s->trees = layout.trees;
    s->files = score_files_open(&layout, &paths, err);
    return s->files && find_places(s, s->files->lines && !from->transitions, err);
}

vouch_scores *vouch_scores_open(const struct vouch_score_files *files, struct vouch_error *err)
{
    struct vouch_score_files from;
    if (!take_sized(&from, sizeof from, files, sizeof from, err) || !is_given(from.scores, "the path of scores", err))
        return NULL;
    struct vouch_scores *scores = new_array(1, sizeof *scores, err);
    if (scores && open_scores(scores, &from, err))
        return scores;
    vouch_scores_close(scores);
    return NULL;
}

void vouch_scores_close(vouch_scores *scores)
{
    if (!scores)
        return;
    score_files_free(scores->files);
    score_work_release(&scores->work);
    free(scores->place);
    free(scores);
}

size_t vouch_scores_sets(const vouch_scores *scores)
{
    return scores->files->sets;
}

size_t vouch_scores_sentences(const vouch_scores *scores)
{
    return scores->sentences;
}

/* Finds a sentence of scores of that kind, which will be told to `to`, and its length. */
static bool find(vouch_scores *s, size_t sentence, bool trees, const void *to, uint32_t *N, struct vouch_error *err)
{
    if (!is_given(s, "scores", err) || !is_given(to, "a structure", err))
        return false;
    if (sentence >= s->sentences)
        return fail(err, VOUCH_ERR_ARGUMENT, "expected a sentence below %zu, found %zu", s->sentences, sentence);
    if (trees != s->trees)
        return fail(err, VOUCH_ERR_ARGUMENT, "expected scores of %s, found those of %s", trees ? "arcs" : "labels",
                    trees ? "labels" : "arcs");
    return score_files_length(s->files, &s->place[sentence], &s->work, N, err);
}

enum vouch_status vouch_scores_chain(vouch_scores *s, size_t sentence, struct vouch_chain_scores *to,
                                     struct vouch_error *err)
{
    uint32_t N;
    err = err ? err : &(struct vouch_error){0};
    return status_of(find(s, sentence, false, to, &N, err) &&
                         score_files_chain(s->files, &s->place[sentence], N, &s->work, to, err),
                     err);
}

enum vouch_status vouch_scores_tree(vouch_scores *s, size_t sentence, struct vouch_tree_scores *to,
                                    struct vouch_error *err)
{
    uint32_t N;
    err = err ? err : &(struct vouch_error){0};
    return status_of(find(s, sentence, true, to, &N, err) &&
                         score_files_tree(s->files, &s->place[sentence], N, &s->work, to, err),
                     err);
}
