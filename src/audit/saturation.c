#include "audit/saturation.h"

#define END_WIDTH 1e-6
#define END_PERCENT 1 /* of the images */

void saturation_score(saturation *x, double raw)
{
    if (!(raw >= 0 && raw <= 1)) x->outside = true;
}

void saturation_image(saturation *x, double raw)
{
    saturation_score(x, raw);
    x->images++;
    x->high += raw >= 1 - END_WIDTH;
    x->low += raw <= END_WIDTH;
}

static tare_status say(const saturation *x, size_t count, const char *end, const char *scorer,
                       audit_result *r, tare_error *err)
{
    if (100 * count <= END_PERCENT * x->images) return TARE_OK;
    return result_caution(r, err,
                          "%s: all scores lie between 0 and 1, and those of %zu of %zu unedited "
                          "images are %s within 1e-6: a probability that is saturated cannot tell "
                          "them apart. Let the instrument give what comes before the sigmoid: of "
                          "an ONNX model name that node, or use logit.", scorer, count, x->images,
                          end);
}

tare_status saturation_caution(const saturation *x, const char *scorer, audit_result *r,
                               tare_error *err)
{
    if (x->outside || !x->images) return TARE_OK;
    tare_status status = say(x, x->high, "1", scorer, r, err);
    return status ? status : say(x, x->low, "0", scorer, r, err);
}
