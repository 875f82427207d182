/* Arrays that grow, and names with numbers: see py_columns.h. Appending takes constant time in the mean. */
#include "py_columns.h"

#include <stdlib.h>

bool column_grow(struct column *column, size_t length)
{
    size_t room = column->capacity < 64 ? 64 : column->capacity;
    while (room - column->used < length && room <= SIZE_MAX / 2)
        room *= 2;
    if (room - column->used < length)
        return false;
    char *grown = column->lent ? malloc(room) : realloc(column->bytes, room);
    if (!grown)
        return false;
    if (column->lent)
        memcpy(grown, column->bytes, column->used);
    column->bytes = grown;
    column->capacity = room;
    column->lent = false;
    return true;
}

void column_release(struct column *column)
{
    if (!column->lent)
        free(column->bytes);
    *column = (struct column){0};
}

static uint64_t hash_of(const char *name)
{
    uint64_t hash = 14695981039346656037u;
    for (; *name; name++)
        hash = (hash ^ (unsigned char)*name) * 1099511628211u;
    return hash;
}

/* Returns the slot of a name, or the one where it belongs. */
static int32_t *find(const struct names *names, const char *name)
{
    size_t at = (size_t)hash_of(name) & (names->slots - 1);
    while (names->slot[at] >= 0 && strcmp(names->name[names->slot[at]], name) != 0)
        at = (at + 1) & (names->slots - 1);
    return names->slot + at;
}

static void enter_all(struct names *names)
{
    for (size_t i = 0; i < names->slots; i++)
        names->slot[i] = -1;
    for (size_t i = 0; i < names->count; i++)
        *find(names, names->name[i]) = (int32_t)i;
}

static bool rehash(struct names *names)
{
    size_t slots = names->slots ? names->slots * 2 : 64;
    int32_t *slot = malloc(slots * sizeof *slot);
    if (!slot)
        return false;
    free(names->slot);
    names->slot = slot;
    names->slots = slots;
    enter_all(names);
    return true;
}

void names_forget(struct names *names, size_t count)
{
    if (names->count <= count)
        return;
    while (names->count > count)
        free(names->name[--names->count]);
    enter_all(names);
}

/* Adds a name that is not there yet. */
static bool add_name(struct names *names, const char *name)
{
    if (names->count == names->capacity) {
        size_t room = names->capacity ? names->capacity * 2 : 64;
        char **grown = realloc(names->name, room * sizeof *grown);
        if (!grown)
            return false;
        names->name = grown;
        names->capacity = room;
    }
    size_t size = strlen(name) + 1;
    char *copy = malloc(size);
    if (!copy)
        return false;
    memcpy(copy, name, size);
    names->name[names->count] = copy;
    *find(names, copy) = (int32_t)names->count;
    names->count++;
    return true;
}

bool names_number(struct names *names, const char *name, int32_t *number)
{
    *number = -1;
    if (!name)
        return true;
    if (2 * (names->count + 1) > names->slots && !rehash(names))
        return false;
    int32_t *slot = find(names, name);
    if (*slot < 0 && !add_name(names, name))
        return false;
    *number = *slot;
    return true;
}

bool names_add_types(struct names *names)
{
    int32_t number;
    bool ok = true;
    for (size_t i = 0, labels = names->count; ok && i < labels; i++) {
        const char *label = names->name[i];
        if (label[0] && label[1] == '-' && label[2])
            ok = names_number(names, label + 2, &number);
    }
    return ok;
}

bool append_name(struct names *names, struct column *column, const char *name)
{
    int32_t number;
    return names_number(names, name, &number) && append(column, &number, sizeof number);
}

void names_release(struct names *names)
{
    for (size_t i = 0; i < names->count; i++)
        free(names->name[i]);
    free(names->name);
    free(names->slot);
    *names = (struct names){0};
}
