/* Prints what calibrating found: see calibration_report.h. */
#include "cli/calibration_report.h"

#include "cli/show.h"

#include <math.h>
#include <stdio.h>
#include <stdlib.h>

static void print_number(double x, int width, int digits)
{
    if (isnan(x))
        printf("%*s", width, "-");
    else
        printf("%*.*f", width, digits, x);
}

static void print_voices(const struct model_layer *layer, const struct confidence_model *b)
{
    printf("%-20s %8s %8s %8s %8s %8s\n", "voice", "s (fix)", "s (pc)", "K", "K best", "c");
    for (uint32_t v = 0; v < layer->voices; v++) {
        const struct method_params *k = &b->params[v];
        printf("%-20s %8.3g ", layer->voice[v].name, k->fix);
        if (layer->voice[v].var)
            printf("%8.3g", k->pc);
        else
            printf("%8s", "-");
        printf(" %8u %8u %8.3g\n", k->draws, k->best, k->c);
    }
}

void calibration_print(const struct model_layer *layer, const struct confidence_model *b)
{
    const struct method_model *any = &b->method_model[0];
    printf("%s: %.0f words, %.0f wrong\n\n", layer->name, any->figure[UNIT_WORD][FIGURE_COUNT],
           any->figure[UNIT_WORD][FIGURE_ERRORS]);
    print_voices(layer, b);
    printf("\n%-20s %17s %11s %17s\n", "method", "average precision", "AURC x 1000", "held-out log loss");
    for (uint32_t i = 0; i < b->count; i++) {
        const double *figure = b->method_model[i].figure[UNIT_WORD];
        showf(stdout, "%-20s ", b->method_model[i].name);
        print_number(figure[FIGURE_AP], 17, 4);
        print_number(1000 * figure[FIGURE_AURC], 12, 2);
        print_number(figure[FIGURE_LOSS], 18, 5);
        printf("%s\n", i == b->preferred ? "  preferred" : "");
    }
}

static json_t *layer_json(const json_t *kept)
{
    json_t *methods_found = json_object(), *value;
    const char *name;
    json_object_foreach(json_object_get(kept, "methods"), name, value)
    {
        json_t *evidence = json_object_get(value, "evidence");
        json_object_set_new(methods_found, name, evidence ? json_incref(evidence) : json_object());
    }
    return json_pack("{s:O, s:O, s:o}", "parameters", json_object_get(kept, "parameters"), "preferred",
                     json_object_get(kept, "preferred"), "methods", methods_found);
}

void calibration_print_json(const json_t *found, uint32_t sentences, size_t words)
{
    json_t *layers = json_object(), *value;
    const char *name;
    json_object_foreach(json_object_get(found, "layers"), name, value)
    {
        json_object_set_new(layers, name, layer_json(value));
    }
    show_json(
        json_pack("{s:I, s:I, s:o}", "sentences", (json_int_t)sentences, "words", (json_int_t)words, "layers", layers),
        6);
}
