/*
 * Writes the page of vouch review: see review_page.h.
 *
 * The page holds the list in HTML and, where decisions are possible, the same as data for the program from web/, which
 * then takes the place of the list. The data are the table itself, byte for byte as --as tsv writes it, and the whole
 * sentences: the program fills in the column of decisions and saves the table, so that there is one format, written
 * here and read by decisions.c. Progress is kept in the browser under a hash of the table.
 */
#include "cli/review_page.h"

#include "base/buffer.h"
#include "report/page.h"
#include "report/prose.h"
#include "report/web.h"

#include <inttypes.h>
#include <jansson.h>
#include <math.h>
#include <stdio.h>
#include <string.h>

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
    output_printf(out, "<p dir=\"auto\">");
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
                  "<li><div><b>%zu</b> <span class=\"soft\">%.0f %%</span><span class=\"bar\" "
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

/* Explains the list, and how to decide without this page, or why. */
static void write_note(const struct review_talk *talk, const char *limit, struct output *out)
{
    struct text none = {"", 0};
    output_printf(out, "<div class=\"note\">\n<p>");
    write_label(out, "warm", "given", text_of("given"), none);
    output_printf(out, " is what the corpus says, ");
    write_label(out, "cool", "proposed", text_of("proposed"), none);
    output_printf(out, " what models say that did not learn from that sentence. The bar and its percentage are the "
                       "probability that the corpus is wrong there, estimated from errors that were planted in a "
                       "copy.</p>\n<p>");
    page_put(out, "This page can only be read: ", limit ? limit : "its script did not run", ". ");
    page_put(out, "To decide, ", talk->next, ", then:</p>\n");
    page_put(out, "<pre>", talk->command, "</pre>\n</div>\n");
}

/*
 * Writes the list. Each item shows its sentence with the suspect words marked, the labels given and proposed, and why.
 * For an item of several words it shows those for which something else is proposed; if there is none, the worst.
 */
static void write_items(const struct review_list *list, struct output *out)
{
    output_printf(out, "<ol class=\"items\">\n");
    for (size_t i = 0; i < list->count; i++)
        write_item(list, i, out);
    output_printf(out, "</ol>\n");
}

const char *review_page_limit(const struct review *r)
{
    struct text name;
    for (size_t i = 0; i < r->options->common.arguments; i++) {
        const char *path = r->options->common.argument[i];
        if (utf8_check(path, strlen(path)) < strlen(path))
            return "the name of a file is not UTF-8";
    }
    return web_review_script.length == 0    ? "this vouch was built without npm"
           : review_blank_label(r, &name) ? "a label has a blank in it, which separates labels in a table"
                                            : NULL;
}

const char *corrected_name(const char *corpus, char *name, size_t room)
{
    static const char *const packed[] = {".gz", ".xz", ".zst", ".bz2"};
    const char *base = path_name(corpus);
    size_t length = strlen(base), from;
    for (size_t i = 0; i < sizeof packed / sizeof *packed; i++)
        if (length > strlen(packed[i]) && strcmp(base + length - strlen(packed[i]), packed[i]) == 0)
            length -= strlen(packed[i]);
    for (from = length; from > 0 && base[from - 1] != '.';)
        from--;
    snprintf(name, room, "corrected%s%.*s", from > 0 ? "." : "", from > 0 ? (int)(length - from) : 0, base + from);
    return name;
}

/* The data of the page. */

/* The commands that apply the table, one for each file. */
static json_t *command_json(const struct review *r, const struct review_talk *talk, struct vouch_error *err)
{
    const struct options *common = &r->options->common;
    json_t *all = json_array();
    for (size_t i = 0; i < common->arguments; i++) {
        struct prose command = {0};
        char name[80];
        prose_say(&command, "vouch review --apply ");
        prose_say_argument(&command, talk->table);
        prose_say(&command, "%s -o ", talk->how);
        prose_say_argument(&command, corrected_name(common->argument[i], name, sizeof name));
        prose_say(&command, " ");
        prose_say_argument(&command, common->argument[i]);
        char *text = prose_take(&command, err);
        json_array_append_new(all, text ? json_string(text) : NULL);
        free(text);
    }
    if (json_array_size(all) == common->arguments)
        return all;
    json_decref(all);
    return NULL;
}

/* Everything but the sentences, which are JSON already. */
static json_t *page_json(const struct review *r, const struct review_talk *talk, struct vouch_error *err)
{
    json_t *page = review_json(r, err), *commands = page ? command_json(r, talk, err) : NULL;
    if (commands && json_object_set_new(page, "commands", commands) == 0 &&
        json_object_set_new(page, "name", json_string(path_name(talk->table))) == 0 &&
        json_object_set_new(page, "listed", json_string(talk->listed)) == 0)
        return page;
    json_decref(page);
    fail_memory(err);
    return NULL;
}

/* Writes JSON into a page: nothing in it ends the element. */
static void write_safely(struct output *out, struct text json)
{
    for (uint32_t from = 0, to; from < json.length; from = to + 1) {
        for (to = from; to < json.length && json.at[to] != '<';)
            to++;
        output_write(out, json.at + from, to - from);
        if (to < json.length)
            output_printf(out, "\\u003c");
    }
}

static bool write_data(const struct review *r, const struct review_talk *talk, struct output *out,
                       struct vouch_error *err)
{
    json_t *page = page_json(r, talk, err);
    char *text = page ? json_dumps(page, JSON_COMPACT) : NULL;
    json_decref(page);
    if (!text)
        return fail_memory(err);
    struct text head = text_of(text);
    head.length--; /* the closing brace */
    output_printf(out, "<script type=\"application/json\" id=\"review\">");
    write_safely(out, head);
    output_printf(out, ",\"sentences\":[\n");
    write_safely(out, buffer_text(&r->list.sentence));
    output_printf(out, "]}</script>\n");
    free(text);
    return true;
}

bool review_page_write(const struct review *r, const struct review_talk *talk, struct output *out,
                       struct vouch_error *err)
{
    const char *limit = review_page_limit(r);
    char lead[sizeof talk->listed + sizeof talk->errors + 4];
    snprintf(lead, sizeof lead, "%s%s%s.", talk->listed, talk->errors[0] ? "; " : "", talk->errors);
    page_begin(out, "Probably mislabelled", lead);
    write_note(talk, limit, out);
    write_items(&r->list, out);
    bool ok = limit || write_data(r, talk, out, err);
    if (ok && !limit) {
        output_printf(out, "<style>\n");
        output_write(out, web_review_style.at, web_review_style.length);
        output_printf(out, "</style>\n<script>\n");
        output_write(out, web_review_script.at, web_review_script.length);
        output_printf(out, "</script>\n");
    }
    page_end(out);
    return ok;
}
