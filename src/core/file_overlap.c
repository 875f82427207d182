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

bool file_overlap_end(struct file_overlap *o, struct vouch_error *err)
{
    uint64_t sentences = o->here.count, elsewhere = 0;
    if (!end_document(o, err))
        return false;
    for (size_t i = 0; i < sentences; i++)
        elsewhere += digest_set_has(&o->before, o->here.digest[i]);
    uint64_t twice = o->pairs.count;
    digest_set_close(&o->pairs);
    twice -= o->pairs.count;
    o->sentences += sentences;
    if (is_most(elsewhere, sentences) || (twice > 0 && 4 * twice >= sentences)) /* each of these has a twin */
        note(o, sentences, elsewhere > twice ? elsewhere : twice);
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
