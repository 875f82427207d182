/*
 * Prints what calibrating found: of a model, or of another program's scores.
 */
#ifndef VOUCH_CLI_CALIBRATION_REPORT_H
#define VOUCH_CLI_CALIBRATION_REPORT_H

#include "model/confidence_model.h"
#include "model/model.h"

/* Prints the parameters and the methods of one layer. */
void calibration_print(const struct model_layer *layer, const struct confidence_model *found);

/* Prints the calibration that a header keeps, as JSON. */
void calibration_print_json(const json_t *found, uint32_t sentences, size_t words);

#endif
