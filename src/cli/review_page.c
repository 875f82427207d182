/*
 * Writes a list of suspects as a page.
 *
 * Each item shows its sentence with the suspect words marked, the labels given
 * and proposed, and why. For an item of several words it shows those for which
 * something else is proposed; if there is none, the worst.
 */
#include "cli/review_page.h"

#include "report/page.h"

#include <stdio.h>

static bool same(const struct review_list *l, const struct row_word *word)
{
    return text_equal(list_text(l, word->given), list_text(l, word->proposed));
}

/* Whether word i is shown; `any`: something else is proposed for some word. */
static bool shows(const struct review_list *l, const struct row *row, uint32_t i, bool any)
{
    return any ? !same(l, &l->word[row->first + i]) : i == row->worst;
}

static void write_context(const struct review_list *l, const struct row *row, bool any, struct output *out)
{
    bool open = false;
    output_printf(out, "<p>");
    page_text(out, list_text(l, row->before));
    for (uint32_t i = 0; i < row->words; i++) {
        bool marked = shows(l, row, i, any);
        if (open && !marked)
            output_printf(out, "</mark>");
        output_write(out, " ", 1);
        if (marked && !open)
            output_printf(out, "<mark>");
        page_text(out, list_text(l, l->word[row->first + i].form));
        open = marked;
    }
    output_printf(out, open ? "</mark> " : " ");
    page_text(out, list_text(l, row->after));
    output_printf(out, "</p>\n");
}

static void write_label(struct output *out, const char *kind, const char *says, struct text label, struct text head)
{
    output_printf(out, "<span class=\"label %s\" title=\"%s\">", kind, says);
    page_text(out, label);
    if (head.length > 0) {
        output_printf(out, " <small>");
        page_text(out, head);
        output_printf(out, "</small>");
    }
    output_printf(out, "</span>");
}

static void write_pair(const struct review_list *l, const struct row_word *word, bool named, struct output *out)
{
    output_printf(out, "<span class=\"pair\">");
    if (named) {
        page_text(out, list_text(l, word->form));
        output_write(out, " ", 1);
    }
    write_label(out, "warm", "given", list_text(l, word->given), list_text(l, word->given_head));
    if (same(l, word))
        output_printf(out, " <span class=\"soft\">nothing else is proposed</span>");
    else {
        output_printf(out, " \xE2\x86\x92 ");
        write_label(out, "cool", "proposed", list_text(l, word->proposed), list_text(l, word->proposed_head));
    }
    output_printf(out, "</span> ");
}

static void write_labels(const struct review_list *l, const struct row *row, bool any, struct output *out)
{
    output_printf(out, "<p>");
    for (uint32_t i = 0; i < row->words; i++)
        if (shows(l, row, i, any))
            write_pair(l, &l->word[row->first + i], row->words > 1, out);
    if (row->others)
        output_printf(out, " <span class=\"soft\">and with it</span> ");
    for (uint32_t i = 0; i < row->others; i++)
        write_pair(l, &l->word[row->first + row->words + i], true, out);
    output_printf(out, "</p>\n");
}

static void write_item(const struct review_list *l, size_t i, struct output *out)
{
    const struct row *row = &l->row[i];
    double percent = 100 * row->measure[ROW_ERROR];
    bool any = false;
    for (uint32_t k = 0; k < row->words; k++)
        any = any || !same(l, &l->word[row->first + k]);
    output_printf(out,
                  "<li><div><b>%zu</b> <span class=\"soft\">%.0f%%</span><span class=\"bar\" "
                  "style=\"--share:%.0f\"></span></div>\n<div>\n",
                  i + 1, percent, percent);
    write_context(l, row, any, out);
    write_labels(l, row, any, out);
    output_printf(out, "<p class=\"soft\">");
    page_text(out, list_text(l, row->string[ROW_WHY]));
    output_printf(out, " \xC2\xB7 ");
    page_text(out, list_text(l, row->string[ROW_FILE]));
    output_printf(out, ":%llu, word %u</p>\n</div></li>\n", (unsigned long long)row->line, row->word + 1);
}

static void write_note(const struct review_talk *talk, struct output *out)
{
    struct text none = {"", 0};
    output_printf(out, "<div class=\"note\">\n<p>");
    write_label(out, "warm", "given", text_of("given"), none);
    output_printf(out, " is what the corpus says, ");
    write_label(out, "cool", "proposed", text_of("proposed"), none);
    output_printf(out, " what models say that did not learn from that sentence. The bar and its percentage are the "
                       "probability that the corpus is wrong there, estimated from errors that were planted in a "
                       "copy.</p>\n<p>To decide, ");
    page_text(out, text_of(talk->next));
    output_printf(out, ", then:</p>\n<pre>");
    page_text(out, text_of(talk->command));
    output_printf(out, "</pre>\n</div>\n");
}

void review_page_write(const struct review_list *list, const struct review_talk *talk, struct output *out)
{
    char lead[sizeof talk->expected + 1];
    snprintf(lead, sizeof lead, "%s.", talk->expected);
    page_begin(out, "Probably mislabelled", lead);
    write_note(talk, out);
    output_printf(out, "<ol class=\"items\">\n");
    for (size_t i = 0; i < list->count; i++)
        write_item(list, i, out);
    output_printf(out, "</ol>\n");
    page_end(out);
}
