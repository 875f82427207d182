/* Declares the part of the style of pages that reports need. */
#ifndef VOUCH_REPORT_REPORT_STYLE_H
#define VOUCH_REPORT_REPORT_STYLE_H

extern const char report_style[];

#endif
