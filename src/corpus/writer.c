/* Writing answers: see writer.h. Each format's writer is beside its reader. */
#include "corpus/formats.h"

bool write_labelled(struct output *out, const struct writer_options *options, const struct sentence *sentence,
                    const struct text *label, struct vouch_error *err)
{
    if (options->format == FORMAT_AUTO)
        return fail(err, VOUCH_ERR_ARGUMENT, "output needs a format");
    return format_table[options->format]->write(out, options, sentence, label, err);
}
