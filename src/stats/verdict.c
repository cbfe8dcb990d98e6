/* verdict.c - see verdict.h. */
#include "stats/verdict.h"

#include <math.h>
#include <string.h>

bool verdict_reason_known(const char *reason)
{
    static const char *const known[] = {
        REASON_DEGENERATE, REASON_TOO_FEW_CLUSTERS, REASON_DEGENERATE_REPLICATES,
        REASON_INSEPARABLE, REASON_BELOW_RESOLUTION, REASON_NOT_RUN, REASON_NOT_CONVERGED,
        REASON_UNDEFINED,
    };
    for (size_t i = 0; i < sizeof known / sizeof known[0]; i++)
        if (strcmp(reason, known[i]) == 0) return true;
    return false;
}

static verdict_result no_answer(const char *reason)
{
    return (verdict_result){TARE_NO_ANSWER, reason, 0};
}

/* Why the numbers cannot be judged; NULL if they can. */
static const char *obstacle(const verdict_input *in)
{
    if (in->reason && in->reason[0]) return in->reason;
    bool whole = isfinite(in->estimate) && in->q >= 0.0 && in->q <= 1.0 && in->lo <= in->hi
                 && in->alpha > 0.0 && in->alpha < 1.0;
    if (!whole) return REASON_UNDEFINED;
    if (in->floor > 0.0 && fabs(in->estimate) < in->floor) return REASON_BELOW_RESOLUTION;
    return NULL;
}

verdict_result verdict_decide(const verdict_input *in)
{
    const char *reason = obstacle(in);
    if (reason) return no_answer(reason);

    bool small_q = in->q <= in->alpha;
    bool excludes_zero = in->lo > 0.0 || in->hi < 0.0;
    bool found = small_q && excludes_zero;
    bool has_margin = in->margin > 0.0;
    bool equivalent = has_margin && in->equivalent;

    verdict_result out = {TARE_INCONCLUSIVE, "", 0};
    if (!small_q && in->p <= in->alpha) out.marks |= VERDICT_RAW_ONLY;
    if (small_q && !excludes_zero) out.marks |= VERDICT_DISAGREE;
    if (in->missing_informative) {
        out.marks |= VERDICT_MISSING_INFORMATIVE;
    } else if (found) {
        out.verdict = equivalent ? TARE_SMALL : TARE_FOUND;
        double near_end = in->lo > 0.0 ? in->lo : -in->hi;
        if (!equivalent && has_margin && near_end >= in->margin)
            out.marks |= VERDICT_AT_LEAST_MARGIN;
    } else if (equivalent) {
        out.verdict = TARE_NEGLIGIBLE;
    }
    return out;
}

size_t verdict_marks_text(char out[VERDICT_MARKS_MAX], unsigned marks)
{
    static const char *const words[] = {
        "raw only", "p and interval disagree", "at least the margin",
        "missing scores depend on the condition",
    };
    size_t length = 0;
    for (size_t i = 0; i < sizeof words / sizeof words[0]; i++) {
        if (!(marks & 1u << i)) continue;
        if (length > 0) length = (size_t)(stpcpy(out + length, ", ") - out);
        length = (size_t)(stpcpy(out + length, words[i]) - out);
    }
    out[length] = '\0';
    return length;
}

const char *verdict_sentence(tare_verdict verdict)
{
    switch (verdict) {
    case TARE_FOUND: return "there is an effect";
    case TARE_SMALL: return "there is an effect, and it is below the margin";
    case TARE_NEGLIGIBLE: return "any effect is below the margin";
    case TARE_INCONCLUSIVE:
        return "an effect of the smallest detectable size or more would have been found in 80 % of "
               "such studies";
    case TARE_NO_ANSWER: return "the data give no answer";
    case TARE_DESCRIPTIVE: return "a description, not a test";
    }
    return "";
}
