/* Writes the evaluation of confidence as points of curves: see confidence_report.h. */
#include "cli/confidence_report.h"

#include "base/output.h"

#include <errno.h>
#include <math.h>
#include <stdio.h>
#include <sys/stat.h>

/* The method whose points these are, and where they are written. */
struct source {
    const char *folder, *aspect;
    const struct method_eval *method_eval;
};

static struct output *open_file(const struct source *s, const char *what, struct vouch_error *err)
{
    char path[4096];
    int length = snprintf(path, sizeof path, "%s/%s-%s-%s.csv", s->folder, s->aspect, s->method_eval->method, what);
    if (length < 0 || (size_t)length >= sizeof path) {
        fail(err, VOUCH_ERR_ARGUMENT, "%.100s...: the name of the folder is too long", s->folder);
        return NULL;
    }
    return output_open(path, err);
}

static bool write_bins(const struct source *s, struct vouch_error *err)
{
    struct output *out = open_file(s, "bins", err);
    if (!out)
        return false;
    output_printf(out, "from,to,count,right,confidence,accuracy\n");
    for (size_t i = 0; i < RELIABILITY_BINS; i++) {
        const struct reliability_bin *bin = &s->method_eval->quality.reliability.bin[i];
        output_printf(out, "%.2f,%.2f,%llu,%llu,", (double)i / RELIABILITY_BINS, (double)(i + 1) / RELIABILITY_BINS,
                      (unsigned long long)bin->words, (unsigned long long)bin->right);
        if (bin->words)
            output_printf(out, "%.6f,%.6f", bin->confidence, bin->accuracy);
        else
            output_printf(out, ",");
        output_printf(out, "\n");
    }
    return output_commit(out, err);
}

static bool write_curve(const struct source *s, const char *what, const char *header, const struct curve_point *point,
                        size_t points, struct vouch_error *err)
{
    struct output *out = open_file(s, what, err);
    if (!out)
        return false;
    output_printf(out, "%s\n", header);
    for (size_t i = 0; i < points; i++)
        output_printf(out, "%.6f,%.6f,%.6g\n", point[i].x, point[i].y, point[i].confidence);
    return output_commit(out, err);
}

static bool write_curves(const struct source *s, const struct levels *levels, struct vouch_error *err)
{
    struct curve_point *point = new_array(CURVE_POINTS, sizeof *point, err);
    bool ok = point && write_curve(s, "precision-recall", "recall,precision,confidence", point,
                                   precision_recall_curve(levels, point, CURVE_POINTS), err);
    ok = ok && write_curve(s, "risk-coverage", "coverage,risk,confidence", point,
                           risk_coverage_curve(levels, point, CURVE_POINTS), err);
    free(point);
    return ok;
}

static bool write_method(const struct confidence_eval *c, enum aspect a, uint32_t j, const char *folder,
                         struct vouch_error *err)
{
    struct source source = {folder, aspect_names[a], &c->rows[a].method_eval[j]};
    struct levels levels = {0};
    size_t n;
    struct judged *judged = confidence_eval_judged(c, a, j, &n, err);
    bool ok = judged && levels_init(&levels, judged, n, err) && write_curves(&source, &levels, err) &&
              (!source.method_eval->bounded || write_bins(&source, err));
    levels_release(&levels);
    free(judged);
    return ok;
}

bool confidence_report_csv(const struct confidence_eval *c, const char *folder, struct vouch_error *err)
{
    if (mkdir(folder, 0777) != 0 && errno != EEXIST)
        return fail(err, VOUCH_ERR_IO, "%s: cannot make the folder: %s", folder, strerror(errno));
    for (enum aspect a = 0; a < ASPECTS; a++)
        for (uint32_t j = 0; c->rows[a].present && j < c->methods; j++)
            if (!write_method(c, a, j, folder, err))
                return false;
    return true;
}
