/* Notices files whose text was read before: see file_overlap.h. */
#include "core/file_overlap.h"

#include "base/hash.h"

/* Ends the document at hand: what it repeats itself does not count. */
static bool end_document(struct file_overlap *o, struct vouch_error *err)
{
    if (o->document)
        digest_set_close(&o->inside);
    bool ok = digest_set_add_all(&o->pairs, &o->inside, err);
    o->inside.count = 0;
    o->last = 0;
    return ok;
}

bool file_overlap_add(struct file_overlap *o, uint64_t digest, uint32_t document, struct vouch_error *err)
{
    if (document != o->document && !end_document(o, err))
        return false;
    o->document = document;
    uint64_t pair = hash_mix(o->last, digest);
    o->last = digest;
    return digest_set_add(&o->here, digest, err) && digest_set_add(&o->inside, pair, err);
}

/* Notes a file that was read before. */
static void note(struct file_overlap *o, uint64_t sentences, uint64_t again)
{
    if (o->repeated == 0) {
        o->again_path = o->path;
        o->again_of = sentences;
        o->again = again;
    }
    o->repeated += again;
}

/* Closes a set; returns how many of its digests had come before in it. */
static uint64_t close_repeated(struct digest_set *set)
{
    size_t all = set->count;
    digest_set_close(set);
    return all - set->count;
}

/* Counts the digests of a set that earlier files have. */
static uint64_t count_before(const struct file_overlap *o, const struct digest_set *set)
{
    uint64_t count = 0;
    for (size_t i = 0; i < set->count; i++)
        count += digest_set_has(&o->before, set->digest[i]);
    return count;
}

static uint64_t larger(uint64_t a, uint64_t b)
{
    return a > b ? a : b;
}

bool file_overlap_end(struct file_overlap *o, struct vouch_error *err)
{
    uint64_t sentences = o->here.count, again = 0;
    if (!end_document(o, err))
        return false;
    uint64_t elsewhere = count_before(o, &o->here), repeated = close_repeated(&o->here);
    uint64_t common = count_before(o, &o->here), twice = close_repeated(&o->pairs);
    if (is_most(elsewhere, sentences))
        again = elsewhere;
    if (is_most(common, o->before.count))
        again = larger(again, common);
    if (is_most(repeated, sentences) && o->document == 0)
        again = larger(again, repeated);
    if (4 * twice >= sentences) /* each of these has a twin */
        again = larger(again, twice);
    if (again)
        note(o, sentences, again);
    o->sentences += sentences;
    bool ok = digest_set_add_all(&o->before, &o->here, err);
    digest_set_close(&o->before);
    o->here.count = o->pairs.count = 0;
    return ok;
}

bool file_overlap_begin(struct file_overlap *o, const char *path, struct vouch_error *err)
{
    bool ok = o->here.count == 0 || file_overlap_end(o, err);
    o->path = path;
    return ok;
}

void file_overlap_release(struct file_overlap *o)
{
    digest_set_release(&o->before);
    digest_set_release(&o->here);
    digest_set_release(&o->pairs);
    digest_set_release(&o->inside);
}
