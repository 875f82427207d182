/*
 * Finds where the elements of an array are in a line of JSON.
 */
#ifndef VOUCH_REVIEW_JSON_ELEMENTS_H
#define VOUCH_REVIEW_JSON_ELEMENTS_H

#include "base/text.h"

#define NO_ELEMENTS UINT32_MAX

/*
 * Finds the elements of the array under `key` of an object, as they are written: the first `most` of them in `element`.
 * Returns how many there are; NO_ELEMENTS if there is no such array. `line` must be valid JSON; other text gives some
 * result, without harm. Keys are compared as they are written: one with escapes is not found.
 */
uint32_t json_elements(struct text line, const char *key, struct text *element, uint32_t most);

#endif
