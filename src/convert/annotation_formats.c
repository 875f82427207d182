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

const char *const kept_names[KEPT_KINDS][2] = {
    [KEPT_TEXT] = {"text's white space", "texts' white space"},
    [KEPT_WORDS] = {"document's own words", "documents' own words"},
    [KEPT_DOCUMENTS] = {"document of several sentences", "documents of several sentences"},
    [KEPT_IDS] = {"name of a document", "names of documents"},
    [KEPT_SENTENCE_IDS] = {"name of a sentence", "names of sentences"},
    [KEPT_COMMENTS] = {"sentence's comment", "sentences' comments"},
    [KEPT_SPANS] = {"span", "spans"},
    [KEPT_UNLABELLED] = {"document without labels", "documents without labels"},
    [KEPT_OVERLAPS] = {"overlapping span", "overlapping spans"},
    [KEPT_SPAN_SCORES] = {"score of a span", "scores of spans"},
    [KEPT_SPAN_IDS] = {"name of a span", "names of spans"},
    [KEPT_NOTES] = {"note", "notes"},
    [KEPT_RELATIONS] = {"relation", "relations"},
    [KEPT_RELATION_SCORES] = {"score of a relation", "scores of relations"},
    [KEPT_RELATION_IDS] = {"name of a relation", "names of relations"},
    [KEPT_TREES] = {"tree", "trees"},
    [KEPT_OPEN_HEADS] = {"relation of a word without a head", "relations of words without heads"},
    [KEPT_COLUMNS] = {"document's column of tags", "documents' columns of tags"},
    [KEPT_COLUMN_NAMES] = {"name of a column", "names of columns"},
    [KEPT_UD_COLUMNS] = {"document's column of CoNLL-U", "documents' columns of CoNLL-U"},
    [KEPT_OTHER_LINES] = {"range or empty node", "ranges and empty nodes"},
    [KEPT_STATES] = {"document that is not accepted", "documents that are not accepted"},
    [KEPT_ANNOTATORS] = {"name of an annotator", "names of annotators"},
    [KEPT_SCORES] = {"score of a document", "scores of documents"},
    [KEPT_META] = {"document's other data", "documents' other data"},
    [KEPT_WORDLESS] = {"document without words", "documents without words"},
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
