/*
 * SANITIZED is 1 in a build under a sanitizer, and 0 in others. Sanitizers make tests many times slower: there, those
 * that try the same code with thousands of inputs try fewer. The release build, which comes first, tries them all.
 */
#ifndef VOUCH_TESTS_SANITIZED_H
#define VOUCH_TESTS_SANITIZED_H

#if defined __SANITIZE_ADDRESS__ || defined __SANITIZE_THREAD__
#define SANITIZED 1
#elif defined __has_feature
#if __has_feature(address_sanitizer) || __has_feature(thread_sanitizer)
#define SANITIZED 1
#endif
#endif
#ifndef SANITIZED
#define SANITIZED 0
#endif

#endif
