/*
 * What pages are made of besides their text, from the folder web/, which the build puts into the program: see
 * web/embed.cmake. The last two are empty where the program was built without npm.
 */
#ifndef VOUCH_REPORT_WEB_H
#define VOUCH_REPORT_WEB_H

#include "base/text.h"

extern const struct text web_style;         /* of every page */
extern const struct text web_review_style;  /* of the page on which suspects are decided, and */
extern const struct text web_review_script; /* the program that runs in it */

#endif
