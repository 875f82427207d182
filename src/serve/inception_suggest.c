/*
 * A model's answers as suggestions: see inception.h.
 *
 * The score of a suggestion is the probability that it is right: of names, that edges and type are; of a tree, that
 * head and relation are. Other labels at the same place that are not unlikely are suggested as well, so that
 * INCEpTION's active learning sees the margin; of a name of several words, the probability of another type is at most
 * that of its least likely word, which is taken. What people annotated otherwise, and the model is nearly sure of, is
 * marked as a correction, if the model is calibrated: other numbers only rank.
 */
#include "serve/inception.h"

#include "model/model.h"

#include <math.h>

enum { ALTERNATIVES = 4, FEWEST_SURE = 90, LEAST_LIKELY = 5 }; /* the last two in percent */

/* What is asked of a model that is calibrated, and of one that is not. */
#define CALIBRATED "alternatives=4"
#define RAW "alternatives=4&confidence=gamma&raw=true"

/* A document, a model that answers it, and one sentence at a time. */
struct recommending {
    struct suggestions *to;
    const struct recommender *asked;
    const struct cas *cas;
    const vouch_answer *answer;
    bool calibrated, chunks; /* labels spell chunks; else each word has its own */
    size_t first, words;     /* tokens of the sentence */
    size_t annotation;       /* of the document: those before it begin before the sentence */
};

void suggestions_release(struct suggestions *suggestions)
{
    free(suggestions->item);
    arena_release(&suggestions->texts);
}

/* ---- Explanations ---- */

__attribute__((format(printf, 3, 4))) static const char *say(struct suggestions *to, struct vouch_error *err,
                                                             const char *format, ...)
{
    struct buffer text = {0};
    va_list args;
    va_start(args, format);
    const char *said = buffer_print_list(&text, err, format, args)
                           ? xml_keep(&to->texts, buffer_text(&text), err)
                           : NULL;
    va_end(args);
    free(text.bytes);
    return said;
}

static int percent(double probability)
{
    const int rounded = (int)(100 * probability + 0.5);
    return rounded < 1 ? 1 : rounded > 99 && probability < 1 ? 99 : rounded;
}

/* The word itself, as it may be quoted. */
static struct text form(const struct recommending *a, size_t word)
{
    const struct cas_token *token = &a->cas->token[a->first + word];
    return (struct text){a->cas->text + token->begin, (uint32_t)(token->end - token->begin)};
}

/* What a label says to a person. */
static struct text spoken(const struct recommending *a, const char *label)
{
    struct text type = text_of(label);
    if (a->chunks && scheme_split(text_of(label), &type) == 'O')
        return text_of("none");
    return type;
}

/* Says how sure the model is of the label of a word: alone, or against the label that is likeliest besides. */
static const char *explain_word(const struct recommending *a, size_t word, const char *label, double score,
                                bool one_word, struct vouch_error *err)
{
    const char *other = NULL;
    double rival = 0, own = NAN;
    const struct text type = spoken(a, label);
    for (size_t i = 0; i < vouch_answer_alternatives(a->answer, word); i++) {
        const char *name = NULL;
        double probability = 0;
        vouch_answer_alternative(a->answer, word, i, &name, NULL, &probability);
        if (text_equal(spoken(a, name), type))
            own = isnan(own) ? probability : own + probability;
        else if (probability > rival) {
            rival = probability;
            other = name;
        }
    }
    const char *end = a->calibrated ? "" : "; the model is not calibrated";
    if (!other || percent(rival) < LEAST_LIKELY || isnan(own))
        return isnan(score) ? NULL : say(a->to, err, "%d %% sure%s", percent(score), end);
    const struct text against = spoken(a, other), it = form(a, word);
    if (one_word)
        return say(a->to, err, "unsure between %.*s (%d %%) and %.*s (%d %%)%s", (int)type.length, type.at,
                   percent(own), (int)against.length, against.at, percent(rival), end);
    return say(a->to, err, "unsure of \"%.*s\": %.*s (%d %%) or %.*s (%d %%)%s", excerpt(it), it.at, (int)type.length,
               type.at, percent(own), (int)against.length, against.at, percent(rival), end);
}

static const char *explain_head(const struct recommending *a, size_t word, double score, struct vouch_error *err)
{
    const size_t head = vouch_answer_head(a->answer, word);
    size_t other = (size_t)-1;
    double rival = 0, own = vouch_answer_confidence(a->answer, 0, word); /* unless it is among the likeliest */
    for (size_t i = 0; i < vouch_answer_alternatives(a->answer, word); i++) {
        size_t at = 0;
        double probability = 0;
        vouch_answer_alternative(a->answer, word, i, NULL, &at, &probability);
        if (at == head)
            own = probability;
        else if (probability > rival) {
            rival = probability;
            other = at;
        }
    }
    const char *end = a->calibrated ? "" : "; the model is not calibrated";
    if (percent(rival) < LEAST_LIKELY || other > a->words)
        return isnan(score) ? NULL : say(a->to, err, "%d %% sure%s", percent(score), end);
    const struct text root = text_of("the root"), it = head ? form(a, head - 1) : root;
    const struct text against = other ? form(a, other - 1) : root;
    return say(a->to, err, "unsure of the head: \"%.*s\" (%d %%) or \"%.*s\" (%d %%)%s", excerpt(it), it.at,
               percent(own), excerpt(against), against.at, percent(rival), end);
}

/* ---- Suggestions ---- */

static bool allowed(const struct recommender *asked, struct text label)
{
    size_t i;
    json_t *tag;
    if (!asked->tags || json_array_size(asked->tags) == 0)
        return true;
    json_array_foreach (asked->tags, i, tag) {
        const char *name = json_string_value(json_object_get(tag, "tag"));
        if (name && text_is(label, name))
            return true;
    }
    return false;
}

/* Adds a suggestion for words from .. to - 1 of the sentence, if its label is one that the layer takes. */
static bool add(struct recommending *a, size_t from, size_t to, struct text label, double score, const char *why,
                const char *correction, struct vouch_error *err)
{
    struct suggestions *all = a->to;
    if (!allowed(a->asked, label) || label.length == 0)
        return true;
    if (!RESERVE(all->item, all->capacity, all->count + 1, err))
        return false;
    struct cas_suggestion *made = &all->item[all->count];
    *made = (struct cas_suggestion){.begin = a->cas->token[a->first + from].begin,
                                    .end = a->cas->token[a->first + to - 1].end,
                                    .label = xml_keep(&all->texts, label, err),
                                    .score = score,
                                    .score_explanation = why,
                                    .correction = correction != NULL,
                                    .correction_explanation = correction};
    all->count += made->label != NULL;
    return made->label != NULL;
}

static double confidence(const struct recommending *a, double number)
{
    return vouch_answer_methods(a->answer) ? number : NAN;
}

/* Finds what people annotated within bytes and the model has otherwise; NULL: nothing, or the model is not sure. */
static bool find_correction(struct recommending *a, size_t begin, size_t end, struct text label, double score,
                            const char **correction, struct vouch_error *err)
{
    const struct cas *cas = a->cas;
    *correction = NULL;
    if (!a->calibrated || isnan(score) || percent(score) < FEWEST_SURE)
        return true;
    const struct cas_annotation *other = NULL;
    for (size_t i = a->annotation; i < cas->annotations && cas->annotation[i].begin < end; i++) {
        const struct cas_annotation *given = &cas->annotation[i];
        if (given->end <= begin || !given->label)
            continue;
        if (given->begin == begin && given->end == end && text_is(label, given->label))
            return true;
        other = given;
    }
    if (!other)
        return true;
    const struct text it = {cas->text + other->begin, (uint32_t)(other->end - other->begin)};
    *correction = say(a->to, err, "\"%.*s\" is annotated as %s: the model is %d %% sure that \"%.*s\" is %.*s",
                      excerpt(it), it.at, other->label, percent(score),
                      excerpt((struct text){cas->text + begin, (uint32_t)(end - begin)}), cas->text + begin,
                      (int)label.length, label.at);
    return *correction != NULL;
}

static bool suggest_span(struct recommending *a, size_t from, size_t to, struct text label, double score,
                         const char *why, struct vouch_error *err)
{
    const char *correction;
    return find_correction(a, a->cas->token[a->first + from].begin, a->cas->token[a->first + to - 1].end, label, score,
                           &correction, err) &&
           add(a, from, to, label, score, why, correction, err);
}

/* Returns the probability that a word's label is of a type; 0 if that is none of the likeliest. */
static double type_probability(const struct recommending *a, size_t word, struct text type)
{
    double sum = 0;
    for (size_t i = 0; i < vouch_answer_alternatives(a->answer, word); i++) {
        const char *label = NULL;
        double probability = 0;
        struct text of;
        vouch_answer_alternative(a->answer, word, i, &label, NULL, &probability);
        if (scheme_split(text_of(label), &of) != 'O' && text_equal(of, type))
            sum += probability;
    }
    return sum;
}

/* Suggests other types of a chunk, as far as all of its words may be of that type. */
static bool suggest_other_types(struct recommending *a, size_t from, size_t to, const char *type,
                                struct vouch_error *err)
{
    bool ok = true;
    const char *seen[ALTERNATIVES] = {0};
    for (size_t i = 0; ok && i < vouch_answer_alternatives(a->answer, from) && i < ALTERNATIVES; i++) {
        const char *label = NULL;
        struct text other;
        vouch_answer_alternative(a->answer, from, i, &label, NULL, NULL);
        bool again = scheme_split(text_of(label), &other) == 'O' || text_is(other, type);
        for (size_t j = 0; j < i && !again; j++)
            again = seen[j] && text_is(other, seen[j]);
        if (again)
            continue;
        seen[i] = other.at; /* a type ends with its label */
        double least = 1;
        for (size_t word = from; word < to; word++)
            least = fmin(least, type_probability(a, word, other));
        if (percent(least) >= LEAST_LIKELY && least > 0)
            ok = add(a, from, to, other, least, say(a->to, err, "%d %% likely, less than %s", percent(least), type),
                     NULL, err);
    }
    return ok;
}

static bool suggest_chunks(struct recommending *a, struct vouch_error *err)
{
    bool ok = true;
    for (size_t i = 0; ok && i < vouch_answer_spans(a->answer); i++) {
        size_t from = 0, to = 0, doubtful = 0;
        const char *type = NULL;
        vouch_answer_span(a->answer, i, &from, &to, &type);
        if (a->asked->anchoring == ANCHOR_SINGLE_TOKEN && to - from > 1)
            continue;
        doubtful = from;
        for (size_t word = from + 1; word < to; word++)
            if (vouch_answer_confidence(a->answer, 0, word) < vouch_answer_confidence(a->answer, 0, doubtful))
                doubtful = word;
        const double score = confidence(a, vouch_answer_span_confidence(a->answer, 0, i));
        const char *why =
            explain_word(a, doubtful, vouch_answer_label(a->answer, doubtful), score, to - from == 1, err);
        ok = suggest_span(a, from, to, text_of(type), score, why, err) && suggest_other_types(a, from, to, type, err);
    }
    return ok;
}

/* Labels of single words: parts of speech. "O" says that there is none. */
static bool suggest_words(struct recommending *a, struct vouch_error *err)
{
    bool ok = true;
    for (size_t word = 0; ok && word < a->words; word++) {
        const char *label = vouch_answer_label(a->answer, word);
        const double score = confidence(a, vouch_answer_confidence(a->answer, 0, word));
        if (strcmp(label, "O") != 0)
            ok = suggest_span(a, word, word + 1, text_of(label), score,
                              explain_word(a, word, label, score, true, err), err);
        for (size_t i = 0; ok && i < vouch_answer_alternatives(a->answer, word); i++) {
            const char *other = NULL;
            double likely = 0;
            vouch_answer_alternative(a->answer, word, i, &other, NULL, &likely);
            if (strcmp(other, label) != 0 && strcmp(other, "O") != 0 && percent(likely) >= LEAST_LIKELY)
                ok = add(a, word, word + 1, text_of(other), likely,
                         say(a->to, err, "%d %% likely, less than %s", percent(likely), label), NULL, err);
        }
    }
    return ok;
}

/* Finds the arc that people drew to a word, if it is another one and the model is nearly sure. */
static bool find_other_arc(struct recommending *a, size_t dependent, size_t governor, const char *relation,
                           double score, const char **correction, struct vouch_error *err)
{
    const struct cas *cas = a->cas;
    const size_t end = cas->token[dependent].end;
    *correction = NULL;
    if (!a->calibrated || isnan(score) || percent(score) < FEWEST_SURE)
        return true;
    for (size_t i = a->annotation; i < cas->annotations && cas->annotation[i].begin < end; i++) {
        const struct cas_annotation *given = &cas->annotation[i];
        if (given->dependent != dependent || given->governor == NO_TOKEN || !given->label)
            continue;
        if (given->governor == governor && strcmp(given->label, relation) == 0)
            return true;
        const struct text head = form(a, given->governor - a->first);
        *correction = say(a->to, err, "annotated as %s of \"%.*s\": the model is %d %% sure of this", given->label,
                          excerpt(head), head.at, percent(score));
        return *correction != NULL;
    }
    return true;
}

static bool suggest_tree(struct recommending *a, struct vouch_error *err)
{
    bool ok = true;
    for (size_t word = 0; ok && word < a->words; word++) {
        const size_t head = vouch_answer_head(a->answer, word), dependent = a->first + word;
        const size_t governor = head ? a->first + head - 1 : dependent; /* a root depends on itself */
        const char *relation = vouch_answer_label(a->answer, word), *correction;
        double score = confidence(a, vouch_answer_confidence(a->answer, 0, word));
        const double of_relation = vouch_answer_relation_confidence(a->answer, 0, word);
        if (!isnan(of_relation))
            score *= of_relation;
        const size_t before = a->to->count;
        ok = relation && find_other_arc(a, dependent, governor, relation, score, &correction, err) &&
             add(a, word, word + 1, text_of(relation), score, explain_head(a, word, score, err), correction, err);
        if (ok && a->to->count > before) {
            a->to->item[before].governor = (uint32_t)governor;
            a->to->item[before].dependent = (uint32_t)dependent;
        }
    }
    return ok;
}

/* ---- Sentences ---- */

/* Fills a sentence with the columns that the model takes. */
static bool set_words(vouch_sentence *sentence, const struct recommending *a, size_t columns, struct arena *scratch,
                      struct vouch_error *err)
{
    const char **cell;
    if (!ARENA_ARRAY(cell, size_times(a->words, columns), scratch, err))
        return false;
    for (size_t word = 0; word < a->words; word++) {
        const struct cas_token *token = &a->cas->token[a->first + word];
        const struct text text = form(a, word);
        const char *copy = xml_keep(scratch, text, err);
        if (!copy)
            return false;
        const char *tree[] = {copy, token->lemma, token->coarse, token->pos, token->features};
        const char *labelled[] = {copy, token->pos};
        for (size_t column = 0; column < columns; column++) {
            const char *value = columns == 5 ? tree[column] : labelled[column];
            if (!value && columns == 2)
                return fail(err, VOUCH_ERR_FORMAT, "document: the model needs the part of speech of every word, and "
                            "\"%.*s\" has none", excerpt(text), text.at);
            cell[word * columns + column] = value && *value ? value : "_";
        }
    }
    return vouch_sentence_set_cells(sentence, cell, a->words, columns, err) == VOUCH_OK;
}

static bool answer_sentence(struct recommending *a, vouch_sentence *sentence, vouch_worker *worker,
                            struct vouch_error *err)
{
    if (!(a->answer = vouch_worker_answer(worker, sentence, err)))
        return false;
    if (a->asked->layer.relations)
        return suggest_tree(a, err);
    return a->chunks ? suggest_chunks(a, err) : suggest_words(a, err);
}

static bool answer_all(struct recommending *a, size_t columns, size_t begin, size_t end, vouch_worker *worker,
                       struct vouch_error *err)
{
    const struct cas *cas = a->cas;
    struct arena scratch = {0};
    vouch_sentence *sentence = vouch_sentence_new(err);
    bool ok = sentence != NULL;
    for (size_t i = 0; ok && i < cas->sentences; i++) {
        const struct cas_sentence *of = &cas->sentence[i];
        size_t to;
        if (of->end <= begin || of->begin >= end)
            continue;
        while (a->annotation < cas->annotations && cas->annotation[a->annotation].begin < of->begin)
            a->annotation++;
        cas_words(cas, of->begin, of->end, &a->first, &to);
        a->words = to - a->first;
        arena_reset(&scratch);
        ok = a->words == 0 || (set_words(sentence, a, columns, &scratch, err) &&
                               answer_sentence(a, sentence, worker, err));
    }
    vouch_sentence_free(sentence);
    arena_release(&scratch);
    return ok;
}

/* Whether the model answers such documents; how many columns it takes. */
static bool suits(const struct recommender *asked, const struct cas *cas, const struct served_model *model,
                  size_t *columns, struct vouch_error *err)
{
    const bool parses = vouch_model_parses(model->model);
    *columns = parses ? 5 : vouch_model_columns(model->model);
    if (parses != asked->layer.relations)
        return fail(err, VOUCH_ERR_ARGUMENT, "%s: expected a model that %s, as %s is a layer of %s", model->name,
                    parses ? "labels" : "parses", asked->layer_name, parses ? "spans" : "relations");
    if (asked->anchoring == ANCHOR_SENTENCES)
        return fail(err, VOUCH_ERR_ARGUMENT, "expected a layer of words, found %s, which is one of sentences",
                    asked->layer_name);
    if (vouch_model_takes_attributes(model->model) || vouch_model_dimensions(model->model) ||
        (!parses && *columns > 2))
        return fail(err, VOUCH_ERR_ARGUMENT, "%s: expected a model of words, or of words and parts of speech: train "
                    "--use 1 learns one", model->name);
    if (parses && cas->tokens > 0 && cas->token[0].id == 0)
        return fail(err, VOUCH_ERR_FORMAT, "document: expected tokens, which relations join, found none");
    return true;
}

bool inception_suggest(struct suggestions *suggestions, const struct recommender *asked, const struct cas *cas,
                       size_t begin, size_t end, struct models *models, const struct served_model *model,
                       struct vouch_error *err)
{
    struct recommending a = {.to = suggestions, .asked = asked, .cas = cas};
    struct lent_worker plain = {0}, lent = {0};
    size_t columns;
    if (!suits(asked, cas, model, &columns, err))
        return false;
    a.chunks = !model->model->trees && model->model->labels.outer != SCHEME_NONE;
    bool ok = models_lend(models, model, "", &plain, err);
    a.calibrated = ok && vouch_request_methods(plain.request) > 0;
    models_return(models, &plain);
    ok = ok && models_lend(models, model, a.calibrated ? CALIBRATED : RAW, &lent, err) &&
         answer_all(&a, columns, begin, end, lent.worker, err);
    models_return(models, &lent);
    return ok;
}
