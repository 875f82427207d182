/* Writing answers: see writer.h. Each format's writer is beside its reader. */
#include "corpus/formats.h"

bool write_labelled(struct output *out, const struct writer_options *options, const struct sentence *sentence,
                    const struct text *label, struct vouch_error *err)
{
    if (options->format == FORMAT_AUTO)
        return fail(err, VOUCH_ERR_ARGUMENT, "output needs a format");
    if (!format_table[options->format]->write)
        return fail(err, VOUCH_ERR_ARGUMENT, "%s files have no place for labels", format_name(options->format));
    return format_table[options->format]->write(out, options, sentence, label, err);
}

bool write_tree(struct output *out, const struct sentence *sentence, const struct tree_answer *answer,
                struct vouch_error *err)
{
    if (!sentence->tree)
        return fail(err, VOUCH_ERR_ARGUMENT, "trees can be written only for trees that were read");
    /* What stands in front of a tree is comments, unless it is the whole of a JSON line. */
    bool json = sentence->before.length > 0 && sentence->before.at[0] != '#';
    return json ? jsonl_write_tree(out, sentence, answer, err) : conllu_write_tree(out, sentence, answer, err);
}
