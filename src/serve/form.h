/* The fields of a form in a body, application/x-www-form-urlencoded or multipart/form-data; other types have none. */
#ifndef VOUCH_SERVE_FORM_H
#define VOUCH_SERVE_FORM_H

#include "base/error.h"

#include <stddef.h>

enum { MOST_FIELDS = 32 };

/* Zero it before first use. */
struct form {
    char *text; /* what the fields point to */
    struct form_field {
        const char *name, *value; /* terminated */
    } field[MOST_FIELDS];
    size_t count;
};

/* `type` is the header, with its parameters. A field that holds a zero byte is refused. Release in any case. */
bool form_read(struct form *form, const char *type, const char *body, size_t length, struct vouch_error *err);
void form_release(struct form *form);

#endif
