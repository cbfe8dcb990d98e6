#include "audit/validate/tally.h"

#include <math.h>

#include "base/text.h"
#include "stats/moments.h"
#include "stats/proportion.h"

#define COVER_LO .93
#define COVER_HI .97
#define ERRORS 4        /* standard errors that chance is given (statistics 17) ... */
#define CHANCE 3.167e-5 /* ... as the chance of a normal beyond them, for exact binomials */

claim_count claim_counted(const trial_book *b, size_t claim)
{
    claim_count n = {0, 0, 0};
    for (size_t t = 0; t < b->trials; t++) {
        const trial_answer *x = &b->answers[t * b->claims + claim];
        n.none += x->answer == TRIAL_NONE;
        n.trials += x->answer != TRIAL_NONE;
        n.hits += x->answer == TRIAL_YES;
    }
    return n;
}

/* Could so many hits, or more, come of this rate? */
static bool not_above(claim_count n, double rate)
{
    return binomial_upper(n.hits, n.trials, rate) >= CHANCE;
}

static bool not_below(claim_count n, double rate)
{
    return binomial_upper(n.trials - n.hits, n.trials, 1 - rate) >= CHANCE;
}

bool claim_kept(const claim *c, claim_count n)
{
    if (n.trials == 0) return false;
    switch (c->kind) {
    case RATE_AT_LEAST: return not_below(n, c->rate);
    case RATE_AT_MOST: return not_above(n, c->rate);
    case RATE_COVERAGE: return not_below(n, COVER_LO) && not_above(n, COVER_HI);
    case RATE_ALWAYS: return n.hits == n.trials;
    case RATE_NEVER: return n.hits == 0;
    case RATE_SHOWN: return true;
    }
    return false;
}

double least_kept(double rate, uint64_t trials)
{
    uint64_t hits = trials;
    while (hits > 0 && not_below((claim_count){trials, hits - 1, 0}, rate)) hits--;
    return (double)hits / (double)trials;
}

double most_kept(double rate, uint64_t trials)
{
    uint64_t hits = 0;
    while (hits < trials && not_above((claim_count){trials, hits + 1, 0}, rate)) hits++;
    return (double)hits / (double)trials;
}

const char *claim_planned(arena *a, const claim *c)
{
    switch (c->kind) {
    case RATE_AT_LEAST: return arena_printf(a, "at least %g", c->rate);
    case RATE_AT_MOST: return arena_printf(a, "at most %g", c->rate);
    case RATE_COVERAGE: return arena_printf(a, "%g to %g", COVER_LO, COVER_HI);
    case RATE_ALWAYS: return "always";
    case RATE_NEVER: return "never";
    case RATE_SHOWN: return "no plan: shown beside the test";
    }
    return "";
}

const char *claim_family(const claim *c)
{
    switch (c->kind) {
    case RATE_AT_LEAST:
    case RATE_ALWAYS: return "detection";
    case RATE_COVERAGE: return "coverage";
    case RATE_SHOWN: return "shown";
    default: return "false positives";
    }
}

claim_pool claims_pooled(const trial_book *b, claim_rate kind)
{
    claim_pool out = {0, NAN, NAN, 0, true};
    neumaier sum = {0, 0}, squares = {0, 0};
    for (size_t k = 0; k < b->claims; k++) {
        if (claim_at(k)->kind != kind) continue;
        out.claims++;
        out.plan += claim_at(k)->rate;
    }
    if (out.claims == 0 || b->trials < 2) return out;
    out.plan /= (double)out.claims;
    for (int pass = 0; pass < 2; pass++)
        for (size_t t = 0; t < b->trials; t++) {
            double hits = 0;
            for (size_t k = 0; k < b->claims; k++)
                if (claim_at(k)->kind == kind)
                    hits += b->answers[t * b->claims + k].answer == TRIAL_YES;
            double share = hits / (double)out.claims;
            double mean = neumaier_total(&sum) / (double)b->trials;
            if (pass == 0) neumaier_add(&sum, share);
            else neumaier_add(&squares, (share - mean) * (share - mean));
        }
    double n = (double)b->trials;
    out.rate = neumaier_total(&sum) / n;
    out.se = sqrt(neumaier_total(&squares) / (n - 1) / n);
    out.kept = kind == RATE_AT_MOST ? out.rate <= out.plan + ERRORS * out.se
                                    : out.rate >= out.plan - ERRORS * out.se;
    return out;
}
