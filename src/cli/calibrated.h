/* Warnings after a calibration, for the commands that calibrate. */
#ifndef VOUCH_CLI_CALIBRATED_H
#define VOUCH_CLI_CALIBRATED_H

#include "model/confidence_model.h"

/* Warns, on standard error, of each kind of answer that had too few held-out errors to calibrate on. */
void calibrated_warn(const char *layer, const struct confidence_model *confidence_model);

#endif
