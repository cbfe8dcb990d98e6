/* The two YAML files of OpenCV's quality module, and the regression they hold.
 *
 * Only what those files use is read: `key: value` lines, and lists of numbers in brackets. */
#include <math.h>
#include <stdio.h>
#include <string.h>

#include "base/error.h"
#include "base/text.h"
#include "scorer/brisque.h"
#include "stats/moments.h"

const char brisque_model_sha256[] =
    "4c44c7eec9e5139830c0bb0e4a044c9cd351ba5bbc9e3798beca3243e2782ff4";
const char brisque_range_sha256[] =
    "a18427f4f7ad087524bd0d63389649a3899b51ca6d44a4d5f8d8171f1f914a9c";

typedef struct yaml {
    const char *name, *bytes, *end;
} yaml;

static tare_status yaml_fail(const yaml *y, const char *at, const char *what, tare_error *err)
{
    size_t line = 1;
    for (const char *p = y->bytes; p < at && p < y->end; p++) line += *p == '\n';
    char where[96];
    snprintf(where, sizeof where, "%s:%zu", y->name, line);
    return error_set(err, TARE_E_DATA, "brisque.file", where, "%s", what);
}

static bool is_blank(char c)
{
    return c == ' ' || c == '\t' || c == '\n' || c == '\r';
}

/* The text after `key:` of the one line that starts with it (after blanks and dashes). */
static tare_status yaml_find(const char **out, const yaml *y, const char *key, tare_error *err)
{
    size_t length = strlen(key);
    const char *found = NULL;
    for (const char *line = y->bytes; line < y->end;) {
        const char *stop = memchr(line, '\n', (size_t)(y->end - line));
        if (!stop) stop = y->end;
        const char *p = line;
        while (p < stop && (*p == ' ' || *p == '-')) p++;
        if ((size_t)(stop - p) > length && !memcmp(p, key, length) && p[length] == ':') {
            if (found) return yaml_fail(y, p, "a key that should be there once comes twice", err);
            found = p + length + 1;
        }
        line = stop < y->end ? stop + 1 : y->end;
    }
    if (!found) return yaml_fail(y, y->end, "a key of OpenCV's BRISQUE files is missing", err);
    *out = found;
    return TARE_OK;
}

/* One number at *at, ended by a blank, a comma or a bracket. */
static tare_status yaml_number(double *out, const char **at, const yaml *y, tare_error *err)
{
    const char *p = *at;
    while (p < y->end && is_blank(*p)) p++;
    const char *stop = p;
    while (stop < y->end && !is_blank(*stop) && *stop != ',' && *stop != ']') stop++;
    if (!number_parse(p, (size_t)(stop - p), out) || !isfinite(*out))
        return yaml_fail(y, p, "not a finite number", err);
    *at = stop;
    return TARE_OK;
}

static tare_status yaml_char(const char **at, char c, const yaml *y, tare_error *err)
{
    while (*at < y->end && is_blank(**at)) (*at)++;
    if (*at >= y->end || **at != c) {
        char what[] = "expected ' '";
        what[10] = c;
        return yaml_fail(y, *at, what, err);
    }
    (*at)++;
    return TARE_OK;
}

/* Exactly `count` numbers: [ a, b, ... ] */
static tare_status yaml_list(double *out, size_t count, const char **at, const yaml *y,
                             tare_error *err)
{
    tare_status status = TARE_OK;
    TRY(yaml_char(at, '[', y, err));
    for (size_t i = 0; i < count; i++) {
        if (i) TRY(yaml_char(at, ',', y, err));
        TRY(yaml_number(&out[i], at, y, err));
    }
    TRY(yaml_char(at, ']', y, err));
done:
    return status;
}

static tare_status yaml_value(double *out, const char *key, const yaml *y, tare_error *err)
{
    tare_status status = TARE_OK;
    const char *at;
    TRY(yaml_find(&at, y, key, err));
    TRY(yaml_number(out, &at, y, err));
done:
    return status;
}

/* Is the word after `key:` this one? */
static tare_status yaml_word(const char *key, const char *word, const yaml *y, tare_error *err)
{
    tare_status status = TARE_OK;
    const char *at;
    TRY(yaml_find(&at, y, key, err));
    while (at < y->end && *at == ' ') at++;
    if ((size_t)(y->end - at) < strlen(word) || memcmp(at, word, strlen(word)))
        status = yaml_fail(y, at, "not an epsilon-SVR with an RBF kernel", err);
done:
    return status;
}

static double total(const double *x, size_t n)
{
    neumaier s = {0, 0};
    for (size_t i = 0; i < n; i++) neumaier_add(&s, x[i]);
    return neumaier_total(&s);
}

/* Counts and sums of the published files (scorers 3.5). */
static tare_status check_totals(const brisque_model *b, tare_error *err)
{
    const double *v = b->vectors[0];
    bool inside = true;
    size_t at_bound = 0;
    for (size_t i = 0; i < (size_t)BRISQUE_VECTORS * BRISQUE_FEATURES; i++)
        inside = inside && fabs(v[i]) <= 1.0;
    for (size_t i = 0; i < BRISQUE_VECTORS; i++) at_bound += fabs(b->alpha[i]) == 1024.0;
    for (size_t i = 0; i < BRISQUE_FEATURES; i++) inside = inside && b->low[i] < b->high[i];
    double vectors = total(v, (size_t)BRISQUE_VECTORS * BRISQUE_FEATURES);
    if (inside && at_bound == 675 && fabs(total(b->alpha, BRISQUE_VECTORS)) < 1e-8 &&
        fabs(vectors + 8147.5520) < 1e-3 && fabs(total(b->low, BRISQUE_FEATURES) - 1.5120) < 1e-4 &&
        fabs(total(b->high, BRISQUE_FEATURES) - 36.5527) < 1e-4 && b->gamma == 0.05 &&
        b->rho == -149.63506109127357)
        return TARE_OK;
    return error_set(err, TARE_E_DATA, "brisque.totals", NULL,
                     "the files are read, but their numbers are not those of the published model");
}

tare_status brisque_model_read(brisque_model *out, const char *model, size_t model_length,
                               const char *range, size_t range_length, tare_error *err)
{
    tare_status status = TARE_OK;
    yaml y = {"brisque_model_live.yml", model, model + model_length};
    yaml r = {"brisque_range_live.yml", range, range + range_length};
    const char *at;
    double count = 0, features = 0, both[2 * BRISQUE_FEATURES];
    TRY(yaml_find(&at, &r, "data", err));
    TRY(yaml_list(both, 2 * BRISQUE_FEATURES, &at, &r, err));
    memcpy(out->low, both, sizeof out->low);
    memcpy(out->high, both + BRISQUE_FEATURES, sizeof out->high);
    TRY(yaml_word("svmType", "EPS_SVR", &y, err));
    TRY(yaml_word("type", "RBF", &y, err));
    TRY(yaml_value(&features, "var_count", &y, err));
    TRY(yaml_value(&count, "sv_total", &y, err));
    if (features != BRISQUE_FEATURES || count != BRISQUE_VECTORS) {
        status = yaml_fail(&y, y.bytes, "not 774 support vectors of 36 features", err);
        goto done;
    }
    TRY(yaml_value(&out->gamma, "gamma", &y, err));
    TRY(yaml_value(&out->rho, "rho", &y, err));
    TRY(yaml_find(&at, &y, "support_vectors", err));
    for (size_t i = 0; i < BRISQUE_VECTORS; i++) {
        TRY(yaml_char(&at, '-', &y, err));
        TRY(yaml_list(out->vectors[i], BRISQUE_FEATURES, &at, &y, err));
    }
    TRY(yaml_find(&at, &y, "alpha", err));
    TRY(yaml_list(out->alpha, BRISQUE_VECTORS, &at, &y, err));
    TRY(check_totals(out, err));
    brisque_shapes_fill(out);
done:
    return status;
}

double brisque_model_score(const brisque_model *model, const double features[BRISQUE_FEATURES],
                           double *nearest)
{
    double z[BRISQUE_FEATURES];
    for (size_t k = 0; k < BRISQUE_FEATURES; k++)
        z[k] = -1.0 + 2.0 * (features[k] - model->low[k]) / (model->high[k] - model->low[k]);
    neumaier sum = {0, 0};
    *nearest = 0.0;
    for (size_t i = 0; i < BRISQUE_VECTORS; i++) {
        neumaier distance = {0, 0};
        for (size_t k = 0; k < BRISQUE_FEATURES; k++) {
            double d = z[k] - model->vectors[i][k];
            neumaier_add(&distance, d * d);
        }
        double near = exp(-model->gamma * neumaier_total(&distance));
        if (near > *nearest) *nearest = near;
        neumaier_add(&sum, model->alpha[i] * near);
    }
    return neumaier_total(&sum) - model->rho;
}
