/*
 * What pages are made of besides their text, from the folder web/, which the build puts into the program: see
 * web/embed.cmake. Scripts, and the styles that belong to them, are empty where the program was built without npm.
 */
#ifndef VOUCH_REPORT_WEB_H
#define VOUCH_REPORT_WEB_H

#include "base/text.h"

extern const struct text web_style;         /* of every page */
extern const struct text web_review_style;  /* of the page on which suspects are decided, and */
extern const struct text web_review_script; /* the program that runs in it */
extern const struct text web_served_style;  /* of the pages of vouch serve, and */
extern const struct text web_served_script; /* their program */
extern const struct text web_desk_style;    /* of the page on which annotators work, and */
extern const struct text web_desk_script;   /* its program */
extern const struct text web_icon;          /* of these pages, SVG */
extern const struct text web_openapi;       /* what is described of routes: src/serve/openapi.c */

#endif
