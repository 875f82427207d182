/* The table of formats: see annotation_formats.h. */
#include "convert/annotation_formats.h"

#include "base/spelling.h"

extern const struct annotation_format label_studio_format, doccano_format, prodigy_format, brat_format, ner_tags_format,
    gliner_format, conll_format, conllu_format, own_lines_format,
    webanno_tsv_format;

/* CoNLL columns come last: any lines of words could be that. */
const struct annotation_format *const annotation_formats[] = {
    &label_studio_format, &doccano_format, &prodigy_format,   &brat_format,  &ner_tags_format,
    &webanno_tsv_format,
    &gliner_format,       &conllu_format,  &own_lines_format, &conll_format, NULL,
};

const char *const kept_names[KEPT_KINDS] = {
    [KEPT_TEXT] = "texts with white space of their own",
    [KEPT_WORDS] = "documents' words and sentences that Unicode's rule does not find",
    [KEPT_DOCUMENTS] = "documents of several sentences, now one sentence each",
    [KEPT_IDS] = "names of documents",
    [KEPT_SENTENCE_IDS] = "names of sentences",
    [KEPT_COMMENTS] = "sentences' comments",
    [KEPT_SPANS] = "spans",
    [KEPT_OVERLAPS] = "overlapping spans",
    [KEPT_SPAN_SCORES] = "scores of spans",
    [KEPT_NOTES] = "notes",
    [KEPT_RELATIONS] = "relations",
    [KEPT_RELATION_SCORES] = "scores of relations",
    [KEPT_TREES] = "trees",
    [KEPT_COLUMNS] = "columns of tags",
    [KEPT_COLUMN_NAMES] = "names of columns",
    [KEPT_UD_COLUMNS] = "columns of CoNLL-U",
    [KEPT_OTHER_LINES] = "ranges and empty nodes",
    [KEPT_STATES] = "documents without an answer that somebody accepted",
    [KEPT_ANNOTATORS] = "names of annotators",
    [KEPT_SCORES] = "scores of documents",
    [KEPT_META] = "documents' other data",
    [KEPT_WORDLESS] = "documents without words",
};

const struct annotation_format *annotation_format_named(const char *name, struct vouch_error *err)
{
    for (const struct annotation_format *const *format = annotation_formats; *format; format++)
        if (strcmp((*format)->name, name) == 0)
            return *format;
    char hint[SPELLING_HINT];
    struct spelling spelling = {.typed = name};
    struct buffer names = {0};
    for (const struct annotation_format *const *format = annotation_formats; *format; format++) {
        spelling_try(&spelling, (*format)->name, strlen((*format)->name));
        buffer_print(&names, err, "%s%s",
                     format == annotation_formats ? ""
                     : format[1]                  ? ", "
                                                  : " or ",
                     (*format)->name);
    }
    fail(err, VOUCH_ERR_ARGUMENT, "expected %s, found '%s'%s", names.bytes ? names.bytes : "a format", name,
         spelling_hint(&spelling, "", hint, sizeof hint));
    free(names.bytes);
    return NULL;
}

bool cut_source_line(struct text *rest, struct text *line, uint64_t *number)
{
    if (rest->length == 0)
        return false;
    *line = text_cut(rest, '\n');
    if (line->length > 0 && line->at[line->length - 1] == '\r')
        line->length--;
    (*number)++;
    return true;
}
