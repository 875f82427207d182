/* Tests raw text as CoNLL-U: every byte can be told from it. */
#include "text/raw_text.h"

#include "must.h"
#include "test.h"

/* Appends what is between words, from its escapes. */
static void unescape(const char *from, size_t length, char *to)
{
    static const char plain[] = " \t\r\n|\\", escape[] = "strnp\\";
    for (to += strlen(to); length > 0; from++, length--) {
        if (*from == '\\' && length > 1) {
            from++, length--;
            *to++ = plain[strchr(escape, *from) - escape];
        } else {
            *to++ = *from;
        }
    }
    *to = '\0';
}

static void take_attribute(const char *misc, const char *name, char *to)
{
    const char *found = strstr(misc, name);
    if (found)
        unescape(found + strlen(name), strcspn(found + strlen(name), "|\n"), to);
}

/* Makes the text again of CoNLL-U, and checks that ranges are those of its code points. */
static void rebuild(const char *conllu, char *text)
{
    text[0] = '\0';
    for (const char *line = conllu; *line; line = strchr(line, '\n') + 1) {
        unsigned from, to, points = 0, length = (unsigned)strcspn(line, "\n");
        char misc[4096] = {0};
        if (*line == '#' || *line == '\n')
            continue;
        const char *form = strchr(line, '\t') + 1;
        const char *last = line + length;
        while (last[-1] != '\t')
            last--;
        memcpy(misc, last, (size_t)(line + length - last));
        take_attribute(misc, "SpacesBefore=", text);
        assert_int_equal(sscanf(strstr(misc, "TokenRange="), "TokenRange=%u:%u", &from, &to), 2);
        for (const char *c = text; *c; c++)
            points += (*c & 0xC0) != 0x80;
        assert_int_equal(points, from);
        strncat(text, form, strcspn(form, "\t"));
        if (strstr(misc, "SpacesAfter="))
            take_attribute(misc, "SpacesAfter=", text);
        else if (!strstr(misc, "SpaceAfter=No"))
            strcat(text, " ");
    }
}

static struct output *out;

static const char *write_raw(const char *text, bool presegmented)
{
    size_t length;
    MUST(out = output_open_memory(&err));
    MUST(raw_text_write(out, text_of(text), &(struct raw_options){presegmented, true}, &err));
    output_write(out, "", 1);
    return output_text(out, &length);
}

TEST(the_text_can_be_made_again)
{
    static const char *const each[] = {
        "One two. Three", "  leading", "tabs\t\tand | bars \\ here\r\n\r\nnext\n", "dix\u00A0euros\u3000and\u202F!",
        "\U0001F468\u200D\U0001F469 caf\u00E9\nx", "a\n\n\n\n b .  c",
    };
    for (size_t i = 0; i < sizeof each / sizeof *each; i++) {
        char again[512];
        const char *made = write_raw(each[i], false);
        rebuild(made, again);
        size_t last = strlen(each[i]);
        assert_memory_equal(again, each[i], last);
        assert_true(strlen(again) == last || strcmp(again + last, " ") == 0); /* nothing is said at the end */
        output_discard(out);
    }
}

TEST(comments_are_one_line_each)
{
    const char *made = write_raw("a\x01\x0B\u2028  b\r\n\r\nc", false);
    assert_non_null(strstr(made, "# newdoc\n# newpar\n# sent_id = 1\n# text = a b\n"));
    assert_non_null(strstr(made, "\n\n# newpar\n# sent_id = 2\n# text = c\n"));
    assert_non_null(strstr(made, "SpacesAfter=\\n\\n\\n\\s\\s|"));
    output_discard(out);
}

TEST(lines_are_sentences_if_they_are_said_to_be)
{
    const char *made = write_raw("One. Two\r\nthree\n\nfour", true);
    assert_non_null(strstr(made, "# text = One. Two\n"));
    assert_non_null(strstr(made, "# sent_id = 2\n# text = three\n"));
    assert_non_null(strstr(made, "# newpar\n# sent_id = 3\n# text = four\n"));
    output_discard(out);
}

TEST(nothing_is_written_of_nothing)
{
    assert_string_equal(write_raw(" \n\t", false), "");
    output_discard(out);
}

TEST(json_lines_have_words_and_their_code_points)
{
    size_t length;
    MUST(out = output_open_memory(&err));
    MUST(raw_text_write_json(out, text_of("Zu\u0308rich \"rose\". \U0001F468\n\nx"), &(struct raw_options){0}, &err));
    output_write(out, "", 1);
    assert_string_equal(output_text(out, &length),
                        "{\"tokens\":[\"Zu\u0308rich\",\"\\\"\",\"rose\",\"\\\"\",\".\"],\"start\":[0,8,9,13,14],"
                        "\"end\":[7,9,13,14,15]}\n{\"tokens\":[\"\U0001F468\"],\"start\":[16],\"end\":[17]}\n"
                        "{\"tokens\":[\"x\"],\"start\":[19],\"end\":[20]}\n");
    output_discard(out);
}
