/* published_score.c - from a vector to the score: norms, cosines, heads and constants in double and
 * in one order. Scorers 3.1. */
#include <math.h>

#include "base/error.h"
#include "scorer/onnx/onnx_half.h"
#include "scorer/onnx/onnx_score.h"
#include "scorer/published/published_parts.h"

static double norm_of(const float *v, size_t n)
{
    double sum = 0;
    for (size_t i = 0; i < n; i++) sum += (double)v[i] * (double)v[i];
    return sqrt(sum);
}

/* The instrument's own failure of one prompt or call is a status; what ends the run is an error. */
static tare_status told(scorer_result *r, tare_status status, const tare_error *why,
                        tare_error *err)
{
    if (status == TARE_OK) return TARE_OK;
    if (onnx_ends_run(status)) {
        if (err) *err = *why;
        return status;
    }
    scorer_result_fail(r, onnx_reason(why), "%s", why->message);
    return TARE_OK;
}

static void give(scorer_result *r, double value)
{
    r->value = value;
    if (!isfinite(value))
        scorer_result_fail(r, TARE_R_SCORE_NONFINITE, "the score is %s",
                           isnan(value) ? "not a number" : "infinite");
}

/* ---- Kinds ----------------------------------------------------------------------------------- */

static tare_status head_value(double *out, const published *s, const double *x, tare_error *err)
{
    if (s->relu.count) return relu_head_value(out, &s->relu, &s->context->mem, x, err);
    *out = affine_head_value(&s->affine, x);
    return TARE_OK;
}

/* LAION: the head on the normalised vector. */
static tare_status score_affine(scorer_result *r, published *s, const float *vector,
                                tare_error *err)
{
    tare_status status = TARE_OK;
    const mem *m = &s->context->mem;
    double *x = NULL, value, norm = norm_of(vector, s->length);
    if (!(norm > 0)) {
        scorer_result_fail(r, TARE_R_SCORE_NONFINITE, "the image's vector is all zeros");
        goto done;
    }
    TRY_NEW(x = mem_new(m, s->length, sizeof *x));
    for (size_t i = 0; i < s->length; i++) x[i] = (double)vector[i] / norm;
    TRY(head_value(&value, s, x, err));
    give(r, value);
done:
    mem_free(m, x);
    return status;
}

static tare_status score_cosine(scorer_result *r, published *s, const float *vector,
                                const char *prompt, tare_error *err)
{
    tare_error why = {TARE_OK, "", "", ""};
    const float *text = NULL;
    tare_status status = published_text_vector(&text, s->text, prompt, &why);
    if (status != TARE_OK) return told(r, status, &why, err);
    double dot = 0, norms = norm_of(vector, s->length) * norm_of(text, s->length);
    if (!(norms > 0)) {
        scorer_result_fail(r, TARE_R_SCORE_NONFINITE, "the vector of the image or of its prompt is "
                           "all zeros");
        return TARE_OK;
    }
    for (size_t i = 0; i < s->length; i++) dot += (double)vector[i] * (double)text[i];
    double cosine = dot / norms;
    if (cosine < s->r.floor) cosine = s->r.floor; /* NaN: no floor */
    double value = s->scale * cosine;
    if (s->words.half_output) value = onnx_half_value(onnx_half((float)value));
    give(r, value);
    return TARE_OK;
}

static tare_status score_bert(scorer_result *r, published *s, const float *vector,
                              const char *prompt, tare_error *err)
{
    tare_status status = TARE_OK;
    const mem *m = &s->context->mem;
    tare_error why = {TARE_OK, "", "", ""};
    double *row = NULL, value;
    TRY_NEW(row = mem_new(m, (size_t)s->match.text.width, sizeof *row));
    status = published_bert_row(row, s->bert, vector, prompt, &why);
    if (status != TARE_OK) {
        status = told(r, status, &why, err);
        goto done;
    }
    TRY(head_value(&value, s, row, err));
    give(r, (value - s->r.mean) / s->r.sd);
done:
    mem_free(m, row);
    return status;
}

static tare_status score_classes(scorer_result *r, const published *s, const float *vector)
{
    double sum = 0;
    for (size_t i = 0; i < s->r.class_count; i++) sum += (double)vector[s->r.classes[i]];
    give(r, sum);
    return TARE_OK;
}

tare_status published_score_one(scorer_result *r, published *s, const float *vector,
                                const char *prompt, tare_error *err)
{
    switch (s->r.score) {
    case RECIPE_AFFINE: return score_affine(r, s, vector, err);
    case RECIPE_COSINE: return score_cosine(r, s, vector, prompt, err);
    case RECIPE_BERT: return score_bert(r, s, vector, prompt, err);
    case RECIPE_CLASSES: return score_classes(r, s, vector);
    }
    return error_set(err, TARE_E_BUG, "published.score", s->r.name, "no such kind of score");
}
