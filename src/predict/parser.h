/*
 * Parsing sentences with a model, with or without confidence.
 */
#ifndef VOUCH_PREDICT_PARSER_H
#define VOUCH_PREDICT_PARSER_H

#include "model/model.h"

/*
 * One thread's working memory over a model. parser_parse() gives heads (0 the root, else a word from 1) and, if the
 * model knows relations, their names (`relation` may be NULL). With an estimator, which must outlive the parser, it
 * also gives estimates of them; without one, `estimator` and `estimates` are NULL.
 */
struct estimator;
struct estimates;
struct parser;
struct parser *parser_new(const struct vouch_model *model, const struct estimator *estimator, struct vouch_error *err);
void parser_free(struct parser *parser);
bool parser_parse(struct parser *parser, const struct sentence *sentence, uint32_t *head, struct text *relation,
                  struct estimates *estimates, struct vouch_error *err);

#endif
