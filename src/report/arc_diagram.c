/*
 * Draws dependency trees: see arc_diagram.h.
 *
 * An arc over words left .. right has a level, which is its height in the SVG and its column in the text. Taken by
 * length, shortest first, an arc gets the lowest level above all arcs that lie within it and other than those of arcs
 * it would run into: so nothing is drawn over anything else, arcs of a projective tree never meet, and crossing arcs
 * meet only in single points.
 *
 * In SVG, arcs end at their words side by side, those to the left first, lower ones further out, so that legs keep the
 * nesting. Words are set from left to right, each as far left as its neighbour, and the labels of the arcs that end at
 * it, allow. Where k legs of higher arcs cut an arc it is made long enough for k + 1 labels (at most four); the widest
 * part then has room for the label. All numbers are integers, and the widths of words are estimated from the number of
 * their code points, not from a font.
 *
 * A sentence whose first letter belongs to a script that runs from right to left is laid out like any other, and drawn
 * mirrored: its first word is at the right.
 *
 * In text there is a junction and a connector for each level. The arcs of a word share its line; only the one that
 * comes from its head has an arrow.
 *
 * Cost: O(N^2) time and memory for trees whose depth is bounded.
 */
#include "report/arc_diagram.h"

#include "report/prose.h"

#include <inttypes.h>
#include <math.h>
#include <stdio.h>
#include <utf8proc.h>

struct arc {
    uint32_t left, right; /* words, from 0; left < right */
    uint32_t dependent;
    uint32_t level; /* from 1 */
    bool crossing;
};

struct layout {
    const struct arc_diagram *tree;
    struct arc *arc; /* [arcs], short ones first */
    uint32_t arcs, levels;
    uint32_t *seen; /* [N + 2] by level: the arc, from 1, that last found it taken */
};

/* Text. */

/* Returns the next code point of the text, or U+FFFD for what cannot be shown; moves on. */
static utf8proc_int32_t next_point(struct text *text)
{
    utf8proc_int32_t point;
    struct text shown = text_visible(text);
    utf8proc_iterate((const utf8proc_uint8_t *)shown.at, shown.length, &point);
    return point;
}

static uint32_t columns_of(struct text text)
{
    uint32_t columns = 0;
    while (text.length > 0)
        columns += (uint32_t)utf8proc_charwidth(next_point(&text));
    return columns;
}

static void put_text(struct prose *says, struct text text, bool xml)
{
    while (text.length > 0) {
        utf8proc_int32_t point = next_point(&text);
        utf8proc_uint8_t bytes[4];
        if (xml && (point == '<' || point == '>' || point == '&' || point == '"' || point == '\''))
            prose_say(says, "&#%d;", (int)point);
        else
            prose_say(says, "%.*s", (int)utf8proc_encode_char(point, bytes), (const char *)bytes);
    }
}

/* Whether the arc of a word is doubtful. */
static bool is_in_doubt(const struct arc_diagram *tree, uint32_t word)
{
    return tree->confidence && tree->confidence[word] < tree->threshold; /* false of NAN */
}

/* Writes the number of a doubtful arc, of which none looks like certainty; nothing for others. */
static struct text doubt_of(const struct arc_diagram *tree, uint32_t word, char room[32])
{
    double number = is_in_doubt(tree, word) ? tree->confidence[word] : NAN;
    snprintf(room, 32, "%.2f", number);
    return isnan(number)                        ? text_of("")
           : number > -0.005 && number < 0.005  ? text_of("<0.01")
           : number >= 0.995 && number <= 1.005 ? text_of(">0.99")
                                                : text_of(room);
}

/* Levels. */

static int compare_arcs(const void *left, const void *right)
{
    const struct arc *a = left, *b = right;
    const uint32_t by_a[] = {a->right - a->left, a->left, a->dependent};
    const uint32_t by_b[] = {b->right - b->left, b->left, b->dependent};
    size_t k = 0;
    while (k < 2 && by_a[k] == by_b[k])
        k++;
    return by_a[k] < by_b[k] ? -1 : by_a[k] > by_b[k];
}

static bool below(const struct arc_diagram *tree, uint32_t word, uint32_t above)
{
    for (uint32_t steps = 0; steps < tree->N && word != above && tree->head[word] != 0; steps++)
        word = tree->head[word] - 1;
    return word == above;
}

/* Whether two arcs cannot be drawn at one height: they overlap or, in `text`, meet at a word at which either ends. */
static bool conflict(const struct arc *a, const struct arc *b, bool text)
{
    if (a->right == b->left || b->right == a->left) {
        uint32_t meeting = a->right == b->left ? a->right : a->left;
        return text && (a->dependent == meeting || b->dependent == meeting);
    }
    return a->left < b->right && b->left < a->right;
}

static void raise_arcs(struct layout *layout, bool text)
{
    for (uint32_t i = 0; i < layout->arcs; i++) {
        struct arc *arc = &layout->arc[i];
        uint32_t level = 0;
        for (uint32_t k = 0; k < i; k++) {
            const struct arc *other = &layout->arc[k];
            if (other->left >= arc->left && other->right <= arc->right) /* within it */
                level = other->level > level ? other->level : level;
            else if (conflict(arc, other, text))
                layout->seen[other->level] = i + 1;
        }
        level++;
        while (layout->seen[level] == i + 1)
            level++;
        arc->level = level;
        layout->levels = level > layout->levels ? level : layout->levels;
    }
}

static bool lay_out(struct layout *layout, const struct arc_diagram *tree, bool text, struct vouch_error *err)
{
    *layout = (struct layout){.tree = tree};
    for (uint32_t i = 0; i < tree->N; i++)
        if (tree->head[i] > tree->N || tree->head[i] == i + 1)
            return fail(err, VOUCH_ERR_ARGUMENT,
                        "word %" PRIu32 ": head %" PRIu32 ": expected another word's number or 0, at most %" PRIu32,
                        i + 1, tree->head[i], tree->N);
    layout->arc = new_array(tree->N, sizeof *layout->arc, err);
    layout->seen = layout->arc ? new_array((size_t)tree->N + 2, sizeof *layout->seen, err) : NULL;
    if (!layout->seen)
        return false;
    for (uint32_t i = 0; i < tree->N; i++) {
        if (tree->head[i] == 0)
            continue;
        uint32_t head = tree->head[i] - 1;
        struct arc *arc = &layout->arc[layout->arcs++];
        *arc = (struct arc){.left = head < i ? head : i, .right = head < i ? i : head, .dependent = i};
        for (uint32_t word = arc->left + 1; word < arc->right; word++)
            arc->crossing = arc->crossing || !below(tree, word, head);
    }
    qsort(layout->arc, layout->arcs, sizeof *layout->arc, compare_arcs);
    raise_arcs(layout, text);
    return true;
}

/* SVG. */

enum {
    MARGIN = 16,
    GAP = 18,       /* between words */
    FOOT = 9,       /* between the ends of arcs at a word */
    STEP = 27,      /* between levels */
    RISE = 9,       /* of the first level, in addition */
    TIP = 8,        /* length of an arrow head */
    LABEL_PAD = 20, /* of an arc, beyond its label */
    MOST_PARTS = 4, /* of an arc that others cut, for which room is made */
    WORD_LINE = 22, /* from the arcs' ends to the line on which the words stand, */
    TAG_LINE = 18   /* and on to that of the tags */
};

/* Where an arc, or the arrow of a root, stands on a word. */
struct leg {
    uint32_t word, level;
    int offset; /* from the word's middle */
};

struct picture {
    const struct layout *layout;
    struct leg *leg; /* [arcs + N], from left to right */
    uint32_t legs;
    uint32_t (*end)[2]; /* [arcs] the arc's legs, left and right */
    struct {
        int middle, half; /* of its width */
        uint32_t root;    /* a root's leg */
    } * word;             /* [N] */
    int ground;           /* height at which the legs stand; downwards, as all heights */
    int width;
    bool mirrored; /* from right to left */
};

/* Returns pixels for text of so many columns, in the size that the style gives to all but words. */
static int small_pixels(struct text text)
{
    return (int)(columns_of(text) * 13 / 2);
}

static struct text relation_of(const struct arc_diagram *tree, uint32_t word)
{
    return tree->relation ? tree->relation[word] : text_of(tree->head[word] ? "" : "root");
}

/* Returns the width of what is written on an arc: its relation and, if it is doubtful, its number. */
static int label_pixels(const struct arc_diagram *tree, uint32_t word)
{
    char room[32];
    struct text doubt = doubt_of(tree, word, room);
    return small_pixels(relation_of(tree, word)) + small_pixels(doubt) + (doubt.length ? 6 : 0);
}

static int leg_at(const struct picture *p, uint32_t leg)
{
    return p->word[p->leg[leg].word].middle + p->leg[leg].offset;
}

static uint32_t add_leg(struct picture *p, uint32_t word, uint32_t level)
{
    p->leg[p->legs] = (struct leg){.word = word, .level = level};
    return p->legs++;
}

/*
 * Places the legs at a word. Arcs come by length: of those on one side of a word the later is the outer one, and its
 * leg is further in.
 */
static void place_legs(struct picture *p, uint32_t word)
{
    const struct layout *layout = p->layout;
    uint32_t first = p->legs;
    for (uint32_t i = 0; i < layout->arcs; i++)
        if (layout->arc[i].right == word)
            p->end[i][1] = add_leg(p, word, layout->arc[i].level);
    if (layout->tree->head[word] == 0)
        p->word[word].root = add_leg(p, word, layout->levels + 1);
    for (uint32_t i = layout->arcs; i-- > 0;)
        if (layout->arc[i].left == word)
            p->end[i][0] = add_leg(p, word, layout->arc[i].level);
    int count = (int)(p->legs - first);
    for (int k = 0; k < count; k++)
        p->leg[first + (uint32_t)k].offset = (2 * k - count + 1) * FOOT / 2;
}

static int max(int a, int b)
{
    return a > b ? a : b;
}

static int half_width(const struct picture *p, uint32_t word, uint32_t legs)
{
    const struct arc_diagram *tree = p->layout->tree;
    int width = (int)(columns_of(tree->form[word]) * 19 / 2), feet = (int)legs * FOOT;
    int tag = tree->tag ? small_pixels(tree->tag[word]) : 0;
    int root = tree->head[word] == 0 ? label_pixels(tree, word) + feet : 0;
    return max(max(width, tag), max(feet, root)) / 2 + 1;
}

/* Whether the leg goes through the top of the arc. */
static bool cuts(const struct leg *leg, const struct arc *arc)
{
    return leg->level > arc->level && leg->word > arc->left && leg->word < arc->right;
}

static int needed_length(const struct picture *p, const struct arc *arc)
{
    int parts = 1;
    for (uint32_t i = 0; i < p->legs && parts < MOST_PARTS; i++)
        parts += cuts(&p->leg[i], arc);
    return parts * (label_pixels(p->layout->tree, arc->dependent) + LABEL_PAD);
}

static void place_words(struct picture *p)
{
    const struct layout *layout = p->layout;
    for (uint32_t word = 0; word < layout->tree->N; word++) {
        uint32_t first = p->legs;
        place_legs(p, word);
        p->word[word].half = half_width(p, word, p->legs - first);
    }
    for (uint32_t word = 0; word < layout->tree->N; word++) {
        p->word[word].middle = word > 0 ? p->word[word - 1].middle + p->word[word - 1].half + GAP : MARGIN;
        p->word[word].middle += p->word[word].half;
        for (uint32_t i = 0; i < layout->arcs; i++) {
            if (layout->arc[i].right != word)
                continue;
            int least = leg_at(p, p->end[i][0]) + needed_length(p, &layout->arc[i]) - p->leg[p->end[i][1]].offset;
            p->word[word].middle = max(p->word[word].middle, least);
        }
    }
}

/* Whether the first letter whose script has a direction runs from right to left. */
static bool is_right_to_left(const struct arc_diagram *tree)
{
    for (uint32_t i = 0; i < tree->N; i++)
        for (struct text form = tree->form[i]; form.length > 0;) {
            int class = utf8proc_get_property(next_point(&form))->bidi_class;
            if (class == UTF8PROC_BIDI_CLASS_L)
                return false;
            if (class == UTF8PROC_BIDI_CLASS_R || class == UTF8PROC_BIDI_CLASS_AL)
                return true;
        }
    return false;
}

/* Returns where something is drawn that was laid out at x. */
static int drawn_at(const struct picture *p, int x)
{
    return p->mirrored ? p->width - x : x;
}

static int level_height(const struct picture *p, uint32_t level)
{
    return p->ground - RISE - (int)level * STEP;
}

/* The colours are those of pages, web/style/tokens.css: a drawing stands alone as well. */
static const char style[] =
    "<style>.vouch-tree{font-family:system-ui,'Segoe UI','Helvetica Neue',Arial,'Noto Sans',sans-serif;"
    "text-anchor:middle}"
    ".vouch-tree .word{font-size:17px;fill:#1a1d22}.vouch-tree .tag{font-size:12px;fill:#565c66}"
    ".vouch-tree .relation{font-size:12px;fill:#1a1d22}"
    ".vouch-tree .arc{fill:none;stroke:#858b93;stroke-width:1.5}.vouch-tree .tip{fill:#858b93}"
    ".vouch-tree .crossing .arc{stroke:#a02a1e}"
    ".vouch-tree .crossing .tip,.vouch-tree .crossing .relation{fill:#a02a1e}"
    ".vouch-tree .root .arc{stroke:#0a5a78}.vouch-tree .root .tip,.vouch-tree .root .relation{fill:#0a5a78}"
    ".vouch-tree .doubtful .arc{stroke:#7d4e00;stroke-width:2;stroke-dasharray:6 4}"
    ".vouch-tree .doubtful .tip,.vouch-tree .doubtful .relation{fill:#7d4e00}"
    ".vouch-tree .doubtful .relation{font-weight:600}"
    "@media(prefers-color-scheme:dark){.vouch-tree .word{fill:#e9eae6}.vouch-tree .tag{fill:#a7adb7}"
    ".vouch-tree .relation{fill:#e9eae6}.vouch-tree .arc{stroke:#737b87}.vouch-tree .tip{fill:#737b87}"
    ".vouch-tree .crossing .arc{stroke:#f4a195}"
    ".vouch-tree .crossing .tip,.vouch-tree .crossing .relation{fill:#f4a195}"
    ".vouch-tree .root .arc{stroke:#7fc8e4}.vouch-tree .root .tip,.vouch-tree .root .relation{fill:#7fc8e4}"
    ".vouch-tree .doubtful .arc{stroke:#ecbd68}"
    ".vouch-tree .doubtful .tip,.vouch-tree .doubtful .relation{fill:#ecbd68}}</style>\n";

static void put_label(struct prose *says, const char *class, int x, int y, struct text text)
{
    if (text.length == 0)
        return;
    prose_say(says, "<text class=\"%s\" x=\"%d\" y=\"%d\">", class, x, y);
    put_text(says, text, true);
    prose_say(says, "</text>");
}

/* Writes what stands on an arc. */
static void put_relation(struct prose *says, const struct arc_diagram *tree, int x, int y, uint32_t word)
{
    char room[32];
    struct text relation = relation_of(tree, word), doubt = doubt_of(tree, word, room);
    if (relation.length + doubt.length == 0)
        return;
    prose_say(says, "<text class=\"relation\" x=\"%d\" y=\"%d\">", x, y);
    put_text(says, relation, true);
    prose_say(says, "%s", relation.length && doubt.length ? " " : "");
    put_text(says, doubt, true);
    prose_say(says, "</text>");
}

static void put_tip(struct prose *says, int x, int y)
{
    prose_say(says, "<path class=\"tip\" d=\"M%d %dl-4 -%dh8z\"/>", x, y, TIP);
}

/* Returns the middle of the widest part of the arc's top that no leg goes through. */
static int label_place(const struct picture *p, uint32_t arc)
{
    int from = leg_at(p, p->end[arc][0]), place = from, widest = 0;
    for (uint32_t i = p->end[arc][0] + 1; i <= p->end[arc][1]; i++) {
        if (i != p->end[arc][1] && !cuts(&p->leg[i], &p->layout->arc[arc]))
            continue;
        int to = leg_at(p, i);
        if (to - from > widest) {
            widest = to - from;
            place = (from + to) / 2;
        }
        from = to;
    }
    return place;
}

static void put_arc(struct prose *says, const struct picture *p, uint32_t which)
{
    const struct arc *arc = &p->layout->arc[which];
    uint32_t left_word = p->mirrored ? arc->right : arc->left;
    int left = drawn_at(p, leg_at(p, p->end[which][p->mirrored]));
    int right = drawn_at(p, leg_at(p, p->end[which][!p->mirrored]));
    int top = level_height(p, arc->level), ground = p->ground;
    int radius = 12 + 8 * (int)arc->level;
    radius = radius > 36 ? 36 : radius;
    radius = radius > (right - left) / 2 ? (right - left) / 2 : radius;
    int left_end = ground - (arc->dependent == left_word ? TIP - 1 : 0);
    int right_end = ground - (arc->dependent == left_word ? 0 : TIP - 1);
    prose_say(says, "<g%s><path class=\"arc\" d=\"M%d %dV%dA%d %d 0 0 1 %d %dH%dA%d %d 0 0 1 %d %dV%d\"/>",
              is_in_doubt(p->layout->tree, arc->dependent) ? " class=\"doubtful\""
              : arc->crossing                              ? " class=\"crossing\""
                                                           : "",
              left, left_end, top + radius, radius, radius, left + radius,
              top, right - radius, radius, radius, right, top + radius, right_end);
    put_tip(says, arc->dependent == left_word ? left : right, ground);
    put_relation(says, p->layout->tree, drawn_at(p, label_place(p, which)), top - 5, arc->dependent);
    prose_say(says, "</g>\n");
}

static void put_root(struct prose *says, const struct picture *p, uint32_t word)
{
    int x = drawn_at(p, leg_at(p, p->word[word].root)), top = level_height(p, p->layout->levels + 1);
    prose_say(says, "<g class=\"%s\"><path class=\"arc\" d=\"M%d %dV%d\"/>",
              is_in_doubt(p->layout->tree, word) ? "doubtful" : "root", x, top, p->ground - TIP + 1);
    put_tip(says, x, p->ground);
    put_relation(says, p->layout->tree, x, top - 5, word);
    prose_say(says, "</g>\n");
}

static void put_svg(struct prose *says, struct picture *p)
{
    const struct arc_diagram *tree = p->layout->tree;
    uint32_t N = tree->N;
    place_words(p);
    p->ground = MARGIN + 12 + RISE + ((int)p->layout->levels + 1) * STEP;
    p->width = N > 0 ? p->word[N - 1].middle + p->word[N - 1].half + MARGIN : 2 * MARGIN;
    p->mirrored = is_right_to_left(tree);
    int words = p->ground + WORD_LINE, tags = words + TAG_LINE;
    int height = (tree->tag ? tags : words) + MARGIN;
    prose_say(says,
              "<svg xmlns=\"http://www.w3.org/2000/svg\" class=\"vouch-tree\" role=\"img\" width=\"%d\" height=\"%d\" "
              "viewBox=\"0 0 %d %d\">\n<title>",
              p->width, height, p->width, height);
    for (uint32_t i = 0; i < N; i++) {
        prose_say(says, "%s", i > 0 ? " " : "");
        put_text(says, tree->form[i], true);
    }
    prose_say(says, "</title>\n%s", style);
    for (uint32_t i = p->layout->arcs; i-- > 0;)
        put_arc(says, p, i);
    for (uint32_t i = 0; i < N; i++) {
        if (tree->head[i] == 0)
            put_root(says, p, i);
        put_label(says, "word", drawn_at(p, p->word[i].middle), words, tree->form[i]);
        if (tree->tag)
            put_label(says, "tag", drawn_at(p, p->word[i].middle), tags, tree->tag[i]);
        prose_say(says, "\n");
    }
    prose_say(says, "</svg>\n");
}

/* Appends what was drawn, unless something failed. */
static bool finish(struct prose *says, bool ok, struct buffer *out, struct vouch_error *err)
{
    char *text = ok ? prose_take(says, err) : NULL;
    ok = text && buffer_add(out, text_of(text), err);
    free(text);
    return ok;
}

bool arc_diagram_svg(const struct arc_diagram *tree, struct buffer *out, struct vouch_error *err)
{
    struct layout layout;
    struct picture p = {.layout = &layout};
    struct prose says = {0};
    size_t N = tree->N;
    bool ok = lay_out(&layout, tree, false, err) && (p.leg = new_array(2 * N, sizeof *p.leg, err)) &&
              (p.end = new_array(N, sizeof *p.end, err)) && (p.word = new_array(N, sizeof *p.word, err));
    if (ok)
        put_svg(&says, &p);
    free(p.leg);
    free(p.end);
    free(p.word);
    free(layout.arc);
    free(layout.seen);
    return finish(&says, ok, out, err);
}

/* Lines of text. */

enum { UP = 1, DOWN = 2, PASSING = 4, ARRIVING = 8 };

struct table {
    const struct layout *layout;
    uint8_t *mark; /* [N][levels] what the arc of that level draws in that line, outermost first */
    uint32_t number, form, tag, relation; /* widths of the columns */
};

#define WIDEST 24 /* longer forms push the rest to the right */

static uint32_t widest(const struct text *text, uint32_t N)
{
    uint32_t width = 0;
    for (uint32_t i = 0; text && i < N; i++) {
        uint32_t columns = columns_of(text[i]);
        width = columns > width ? columns : width;
    }
    return width < WIDEST ? width : WIDEST;
}

static void mark_arcs(struct table *table)
{
    const struct layout *layout = table->layout;
    for (uint32_t i = 0; i < layout->arcs; i++) {
        const struct arc *arc = &layout->arc[i];
        uint8_t *column = table->mark + (layout->levels - arc->level);
        for (size_t line = arc->left; line <= arc->right; line++)
            column[line * layout->levels] |= line == arc->left ? DOWN : line == arc->right ? UP : PASSING;
        column[(size_t)arc->dependent * layout->levels] |= ARRIVING;
    }
}

static void put_junction(struct prose *says, unsigned mark, bool from_left)
{
    static const char *const corner[] = {"", "╰", "╭", "├"}, *const branch[] = {"", "┴", "┬", "┼"};
    unsigned turn = mark & (UP | DOWN);
    if (turn)
        prose_say(says, "%s", from_left ? branch[turn] : corner[turn]);
    else
        prose_say(says, "%s", mark & PASSING ? "│" : from_left ? "─" : " ");
}

static void put_lines(struct prose *says, const struct table *table, uint32_t word)
{
    const uint8_t *mark = table->mark + (size_t)word * table->layout->levels;
    bool line = table->layout->tree->head[word] == 0;
    prose_say(says, "%s", line ? "●─" : "  ");
    for (uint32_t column = 0; column < table->layout->levels; column++) {
        put_junction(says, mark[column], line);
        line = line || (mark[column] & (UP | DOWN));
        prose_say(says, "%s", mark[column] & ARRIVING ? "►" : line ? "─" : " ");
    }
}

static void put_cell(struct prose *says, struct text text, uint32_t width)
{
    uint32_t columns = columns_of(text);
    put_text(says, text, false);
    prose_say(says, "%*s", (int)(2 + (columns < width ? width - columns : 0)), "");
}

static void put_line(struct prose *says, const struct table *table, uint32_t word)
{
    const struct arc_diagram *tree = table->layout->tree;
    char room[32];
    struct text doubt = doubt_of(tree, word, room);
    bool coloured = tree->colour && doubt.length;
    put_lines(says, table, word);
    prose_say(says, " %*" PRIu32 "  %s", (int)table->number, word + 1, coloured ? "\033[33m" : "");
    put_cell(says, tree->form[word], table->form);
    if (tree->tag)
        put_cell(says, tree->tag[word], table->tag);
    uint32_t head = tree->head[word];
    if (head == 0) {
        put_text(says, relation_of(tree, word), false);
    } else {
        if (tree->relation)
            put_cell(says, tree->relation[word], table->relation);
        prose_say(says, "← %*" PRIu32 " ", (int)table->number, head);
        put_text(says, tree->form[head - 1], false);
    }
    prose_say(says, "%s%s%s\n", doubt.length ? "  ? " : "", doubt.at, coloured ? "\033[0m" : "");
}

bool arc_diagram_text(const struct arc_diagram *tree, struct buffer *out, struct vouch_error *err)
{
    struct layout layout;
    struct table table = {.layout = &layout, .number = 1};
    struct prose says = {0};
    bool ok = lay_out(&layout, tree, true, err) && (table.mark = new_array((size_t)tree->N * layout.levels, 1, err));
    for (uint32_t rest = tree->N / 10; rest > 0; rest /= 10)
        table.number++;
    table.form = widest(tree->form, tree->N);
    table.tag = widest(tree->tag, tree->N);
    table.relation = widest(tree->relation, tree->N);
    if (ok)
        mark_arcs(&table);
    for (uint32_t word = 0; ok && word < tree->N; word++)
        put_line(&says, &table, word);
    free(table.mark);
    free(layout.arc);
    free(layout.seen);
    return finish(&says, ok, out, err);
}
