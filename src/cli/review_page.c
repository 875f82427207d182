/*
 * Writes a list of suspects as a page: see review_list.h.
 *
 * Each item shows its sentence with the suspect words marked, the labels given
 * and proposed, and why. For an item of several words it shows those for which
 * something else is proposed; if there is none, the worst.
 */
#include "cli/review_list.h"
#include "report/page.h"

#include <stdio.h>

static bool same(const struct listing *l, const struct listed_word *word)
{
    return text_equal(listing_text(l, word->given), listing_text(l, word->proposed));
}

/* Whether anything else is proposed for any of its words. */
static bool differs(const struct listing *l, const struct listed *item)
{
    for (uint32_t i = 0; i < listed_words(item); i++)
        if (!same(l, &l->word[item->first + i]))
            return true;
    return false;
}

static bool shows(const struct listing *l, const struct listed *item, uint32_t i, bool any)
{
    return any ? !same(l, &l->word[item->first + i]) : i == item->suspect->worst - item->suspect->from;
}

static void write_context(const struct listing *l, const struct listed *item, bool any, struct output *out)
{
    bool open = false;
    output_printf(out, "<p>");
    page_text(out, listing_text(l, item->before));
    for (uint32_t i = 0; i < listed_words(item); i++) {
        bool marked = shows(l, item, i, any);
        if (open && !marked)
            output_printf(out, "</mark>");
        output_write(out, " ", 1);
        if (marked && !open)
            output_printf(out, "<mark>");
        page_text(out, listing_text(l, l->word[item->first + i].form));
        open = marked;
    }
    output_printf(out, open ? "</mark> " : " ");
    page_text(out, listing_text(l, item->after));
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

static void write_pair(const struct listing *l, const struct listed_word *word, bool named, struct output *out)
{
    output_printf(out, "<span class=\"pair\">");
    if (named) {
        page_text(out, listing_text(l, word->form));
        output_write(out, " ", 1);
    }
    write_label(out, "warm", "given", listing_text(l, word->given), listing_text(l, word->given_head));
    if (same(l, word))
        output_printf(out, " <span class=\"soft\">nothing else is proposed</span>");
    else {
        output_printf(out, " \xE2\x86\x92 ");
        write_label(out, "cool", "proposed", listing_text(l, word->proposed), listing_text(l, word->proposed_head));
    }
    output_printf(out, "</span> ");
}

static void write_labels(const struct listing *l, const struct listed *item, bool any, struct output *out)
{
    output_printf(out, "<p>");
    for (uint32_t i = 0; i < listed_words(item); i++)
        if (shows(l, item, i, any))
            write_pair(l, &l->word[item->first + i], listed_words(item) > 1, out);
    if (item->others)
        output_printf(out, " <span class=\"soft\">and with it</span> ");
    for (uint32_t i = 0; i < item->others; i++)
        write_pair(l, &l->word[item->first + listed_words(item) + i], true, out);
    output_printf(out, "</p>\n");
}

static void write_item(const struct listing *l, size_t i, struct output *out)
{
    const struct listed *item = &l->item[i];
    double percent = 100 * item->suspect->error;
    bool any = differs(l, item);
    char why[WHY_ROOM];
    output_printf(out,
                  "<li><div><b>%zu</b> <span class=\"soft\">%.0f%%</span><span class=\"bar\" "
                  "style=\"--share:%.0f\"></span></div>\n<div>\n",
                  i + 1, percent, percent);
    write_context(l, item, any, out);
    write_labels(l, item, any, out);
    output_printf(out, "<p class=\"soft\">");
    page_text(out, text_of(listed_why(l, item, why)));
    output_printf(out, " \xC2\xB7 ");
    page_text(out, text_of(item->file));
    output_printf(out, ":%llu, word %u</p>\n</div></li>\n", (unsigned long long)item->line, item->suspect->from + 1);
}

static void write_note(const struct listing_talk *talk, struct output *out)
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

void listing_write_page(const struct listing *listing, const struct listing_talk *talk, struct output *out)
{
    char lead[sizeof talk->expected + 1];
    snprintf(lead, sizeof lead, "%s.", talk->expected);
    page_begin(out, "Probably mislabelled", lead);
    write_note(talk, out);
    output_printf(out, "<ol class=\"items\">\n");
    for (size_t i = 0; i < listing->source->count; i++)
        write_item(listing, i, out);
    output_printf(out, "</ol>\n");
    page_end(out);
}
