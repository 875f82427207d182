/* After a calibration: see calibrated.h. */
#include "cli/calibrated.h"

#include "cli/show.h"

#include <stdio.h>

void calibrated_warn(const char *layer, const struct confidence_model *confidence_model)
{
    static const char *const names[UNITS][2] = {{"word", "words"}, {"chunk", "chunks"}, {"sentence", "sentences"}};
    const struct method_model *any = &confidence_model->method_model[0]; /* all were asked about the same answers */
    bool few = false;
    for (enum unit u = 0; confidence_model->count && u < UNITS; u++)
        if (method_model_is_weak(any, u)) {
            double errors = any->figure[u][FIGURE_ERRORS];
            if (!few)
                showf(stderr, "warning: too few errors to calibrate %s confidence on:", layer);
            showf(stderr, "%s %.0f wrong %s", few ? "," : "", errors, names[u][errors != 1]);
            few = true;
        }
    if (few)
        showf(stderr, "; with fewer than %d the numbers stay near the share of right answers\n", ERRORS_ENOUGH);
}
