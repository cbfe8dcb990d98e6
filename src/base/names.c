/* Words for the public enums. */
#include "tare.h"

const char *tare_verdict_name(tare_verdict verdict)
{
    static const char *const names[] = {"found",        "small",     "negligible",
                                        "inconclusive", "no answer", "descriptive"};
    size_t k = (size_t)verdict;
    return k < sizeof names / sizeof *names ? names[k] : "";
}

const char *tare_reason_name(tare_reason reason)
{
    static const char *const names[TARE_REASON_COUNT] = {
        "", "decode", "unsupported_pixels", "no_skin", "scorer_error", "score_nonfinite",
        "timeout", "missing", "no_neutral", "unreadable", "excluded", "unparsed", "refused",
        "blocked", "truncated", "empty", "error", "absent", "out_of_range", "no_marker",
        "no_silhouette"};
    return (unsigned)reason < TARE_REASON_COUNT ? names[reason] : "";
}
