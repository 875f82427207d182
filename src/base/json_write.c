/* Writes JSON: see json_write.h. */
#include "base/json_write.h"

#include <string.h>

void write_json_escaped(struct output *out, struct text text)
{
    static const char named[] = "\"\\\b\f\n\r\t", letter[] = "\"\\bfnrt";
    uint32_t from = 0;
    for (uint32_t i = 0; i < text.length; i++) {
        unsigned char c = (unsigned char)text.at[i];
        if (c >= 0x20 && c != '"' && c != '\\')
            continue;
        output_write(out, text.at + from, i - from);
        from = i + 1;
        const char *found = c ? strchr(named, c) : NULL;
        if (found)
            output_printf(out, "\\%c", letter[found - named]);
        else
            output_printf(out, "\\u%04x", c);
    }
    output_write(out, text.at + from, text.length - from);
}

void write_json_text(struct output *out, struct text text)
{
    output_write(out, "\"", 1);
    write_json_escaped(out, text);
    output_write(out, "\"", 1);
}

/* A whole number keeps its full stop, so that it stays a real one. */
static void write_real(struct output *out, double number)
{
    char text[NUMBER_ROOM];
    spell_number(number, text);
    output_printf(out, "%s%s", text, strpbrk(text, ".e") ? "" : ".0");
}

static void write_list(struct output *out, json_t *list, bool spaced)
{
    output_write(out, "[", 1);
    for (size_t i = 0; i < json_array_size(list); i++) {
        output_write(out, ", ", i == 0 ? 0 : spaced ? 2 : 1);
        write_json_value(out, json_array_get(list, i), spaced);
    }
    output_write(out, "]", 1);
}

void write_json_members(struct output *out, json_t *object, bool spaced)
{
    const char *key;
    json_t *value;
    bool first = true;
    json_object_foreach(object, key, value)
    {
        output_write(out, ", ", first ? 0 : spaced ? 2 : 1);
        write_json_text(out, text_of(key));
        output_write(out, ": ", spaced ? 2 : 1);
        write_json_value(out, value, spaced);
        first = false;
    }
}

void write_json_value(struct output *out, json_t *value, bool spaced)
{
    if (json_is_object(value)) {
        output_write(out, "{", 1);
        write_json_members(out, value, spaced);
        output_write(out, "}", 1);
    } else if (json_is_array(value))
        write_list(out, value, spaced);
    else if (json_is_string(value))
        write_json_text(out, (struct text){json_string_value(value), (uint32_t)json_string_length(value)});
    else if (json_is_integer(value))
        output_printf(out, "%" JSON_INTEGER_FORMAT, json_integer_value(value));
    else if (json_is_real(value))
        write_real(out, json_real_value(value));
    else
        output_printf(out, json_is_true(value) ? "true" : json_is_false(value) ? "false" : "null");
}
