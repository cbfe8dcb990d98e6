#include "audit/validate/plants.h"

#include <math.h>
#include <stdint.h>
#include <stdio.h>
#include <string.h>

#include "base/text.h"

#define STATED_BASES 30

/* FI = 10 K and A = 20 K on the grid -15 ... 15 (15.6). With 30 photographs and noise of SD 1 the
 * SE of FI is .197 and that of A .149: the effects are found in more than 90 % of trials. */
static const plant plants[] = {
    {"fidelity", "", "fidelity=%K,noise=1,base=2", .072, 1},
    {"fidelity twin", "fidelity", "noise=1,base=2", 0, 1},
    {"direction", "", "dose=%K,noise=1,base=2", .0275, 1},
    {"direction twin", "direction", "noise=1,base=2", 0, 1},
    {"clipping", "", "clip=8,noise=0.05,base=2", 0, 1},
    {"clipping twin", "clipping", "noise=0.05,base=2", 0, 1},
    {"half precision", "", "offset=0.27,fidelity=0.00001,fp16", 0, 1},
    {"half precision twin", "half precision", "offset=0.27,fidelity=0.00001", 0, 1},
    {"place in the batch", "", "position=0.5,noise=1,base=2", 0, 1},
    {"place in the batch twin", "place in the batch", "noise=1,base=2", 0, 1},
    {"fine detail", "", "highfreq=-50,base=2", 0, 1},
    {"groups", "", "group=b:%K,noise=1,base=2", .06, 1},
    {"groups twin", "groups", "noise=1,base=2", 0, 1},
    {"constant", "", "constant=1", 0, 1},
    {"reversal", "", "arm=synthetic:%K,arm=real:%R,noise=1,base=2", .2, 2},
    {"reversal twin", "reversal", "dose=%K,noise=1,base=2", .2, 2},
};
enum { PLANTS = sizeof plants / sizeof *plants };

#define ALPHA_BOOT .06 /* what a bootstrap p at .05 comes to with 30 clusters (statistics 4) */

static const claim claims[] = {
    {"fidelity", "the preference for the original is found", "fidelity", "FI", "all doses",
     CLAIM_PLUS, "", 0, RATE_AT_LEAST, .9},
    {"fidelity", "the interval of FI holds the truth", "fidelity", "FI", "all doses",
     CLAIM_COVERED, "", 10, RATE_COVERAGE, 0},
    {"fidelity", "both sides fall: inverted U", "shape", "both_sides", NULL, CLAIM_WORDS,
     "above both sides", 0, RATE_AT_LEAST, .6},
    {"fidelity", "a direction is found where there is none", "fidelity", "A", "all doses",
     CLAIM_RESOLVED, "", 0, RATE_AT_MOST, ALPHA_BOOT},
    {"fidelity", "the drift in dose units is found where there is none", "bestofn", "net_drift",
     "dose", CLAIM_RESOLVED, "", 0, RATE_AT_MOST, ALPHA_BOOT},
    {"fidelity twin", "a preference for the original is found", "fidelity", "FI", "all doses",
     CLAIM_RESOLVED, "", 0, RATE_AT_MOST, ALPHA_BOOT},
    {"fidelity twin", "the interval of FI holds 0", "fidelity", "FI", "all doses",
     CLAIM_COVERED, "", 0, RATE_COVERAGE, 0},
    {"fidelity twin", "the interval of N holds 0", "fidelity", "N", "all doses", CLAIM_COVERED, "",
     0, RATE_COVERAGE, 0},
    {"fidelity twin", "the sham is told from the edit", "placebo", "FI_contrast", NULL,
     CLAIM_RESOLVED, "", 0, RATE_AT_MOST, ALPHA_BOOT},
    {"direction", "the direction is found", "fidelity", "A", "all doses", CLAIM_PLUS, "", 0,
     RATE_AT_LEAST, .9},
    {"direction", "the interval of A holds the truth", "fidelity", "A", "all doses",
     CLAIM_COVERED, "", 20, RATE_COVERAGE, 0},
    {"direction", "the best of n drifts to the + side", "bestofn", "net_drift", "dose", CLAIM_PLUS,
     "", 0, RATE_AT_LEAST, .6},
    {"direction", "a preference for the original is found where there is none", "fidelity", "FI",
     "all doses", CLAIM_RESOLVED, "", 0, RATE_AT_MOST, ALPHA_BOOT},
    {"direction twin", "a direction is found", "fidelity", "A", "all doses", CLAIM_RESOLVED, "",
     0, RATE_AT_MOST, ALPHA_BOOT},
    {"direction twin", "the interval of A holds 0", "fidelity", "A", "all doses", CLAIM_COVERED,
     "", 0, RATE_COVERAGE, 0},
    {"direction twin", "the score follows the attribute", "regression", "beta", "attribute alone",
     CLAIM_RESOLVED, "", 0, RATE_AT_MOST, ALPHA_BOOT},
    {"direction twin", "both sides fall at once", "shape", "both_sides", NULL, CLAIM_WORDS,
     "above both sides", 0, RATE_AT_MOST, .02},
    {"direction twin", "the best of n drifts", "bestofn", "net_drift", "dose", CLAIM_RESOLVED, "",
     0, RATE_AT_MOST, ALPHA_BOOT},
    {"clipping", "the effect is called carried by the artifact", "fidelity", "FI", "all doses",
     CLAIM_MARKED, "carried by the artifact", 0, RATE_AT_LEAST, .9},
    {"clipping twin", "an effect is called carried by the artifact", "fidelity", "FI",
     "all doses", CLAIM_MARKED, "carried by the artifact", 0, RATE_AT_MOST, ALPHA_BOOT},
    {"half precision", "FI is below the resolution of the instrument", "fidelity", "FI",
     "all doses", CLAIM_REASON, "below_resolution", 0, RATE_ALWAYS, 0},
    {"half precision", "most best-of-4 pools are tied", "bestofn", "tie_rate", NULL, CLAIM_ABOVE,
     "", .5, RATE_ALWAYS, 0},
    {"half precision twin", "the same preference in full precision is found", "fidelity", "FI",
     "all doses", CLAIM_PLUS, "", 0, RATE_ALWAYS, 0},
    {"place in the batch", "FI is below the resolution of the instrument", "fidelity", "FI",
     "all doses", CLAIM_REASON, "below_resolution", 0, RATE_AT_LEAST, .95},
    {"place in the batch", "the noise passes show a shift", "noise", "noise.shift", NULL,
     CLAIM_ABOVE, "", .5, RATE_ALWAYS, 0},
    {"place in the batch twin", "the noise passes show a shift", "noise", "noise.shift", NULL,
     CLAIM_ABOVE, "", 0, RATE_NEVER, 0},
    {"place in the batch twin", "FI is below the resolution of the instrument", "fidelity", "FI",
     "all doses", CLAIM_REASON, "below_resolution", 0, RATE_NEVER, 0},
    {"fine detail", "the edit is preferred to the sham", "placebo", "FI_contrast", NULL,
     CLAIM_PLUS, "", 0, RATE_NEVER, 0},
    /* No effect to be set: what the sham adds beyond the edit differs from face to face. */
    {"fine detail", "the sham costs more than the edit", "placebo", "FI_contrast", NULL,
     CLAIM_MINUS, "", 0, RATE_AT_LEAST, .5},
    {"groups", "a difference between groups is found in A", "population", "omnibus", "A",
     CLAIM_RESOLVED, "", 0, RATE_AT_LEAST, .8},
    {"groups twin", "a difference between groups is found in A", "population", "omnibus", "A",
     CLAIM_RESOLVED, "", 0, RATE_AT_MOST, .05},
    {"groups twin", "a difference between groups is found in FI", "population", "omnibus", "FI",
     CLAIM_RESOLVED, "", 0, RATE_AT_MOST, .05},
    {"groups twin", "the largest pair, picked afterwards, is found", "population", "largest_pair",
     NULL, CLAIM_RESOLVED, "", 0, RATE_SHOWN, 0},
    {"constant", "FI has no answer: nothing varies", "fidelity", "FI", "all doses", CLAIM_REASON,
     "degenerate", 0, RATE_ALWAYS, 0},
    {"constant", "the drift has no answer: nothing varies", "bestofn", "net_drift", "dose",
     CLAIM_REASON, "degenerate", 0, RATE_ALWAYS, 0},
    {"reversal", "A turns round from drawn to real images", "transfer", "A_difference", NULL,
     CLAIM_WORDS, "reversal, confirmed", 0, RATE_AT_LEAST, .85},
    {"reversal twin", "a difference between the arms in A is confirmed", "transfer",
     "A_difference", NULL, CLAIM_WORDS, ", confirmed", 0, RATE_AT_MOST, ALPHA_BOOT},
    {"reversal twin", "a difference between the arms in FI is confirmed", "transfer",
     "FI_difference", NULL, CLAIM_WORDS, ", confirmed", 0, RATE_AT_MOST, ALPHA_BOOT},
};

const plant *plant_at(size_t index)
{
    return index < PLANTS ? &plants[index] : NULL;
}

const claim *claim_at(size_t index)
{
    return index < sizeof claims / sizeof *claims ? &claims[index] : NULL;
}

size_t plant_find(const char *name)
{
    for (size_t k = 0; k < PLANTS; k++)
        if (strcmp(plants[k].name, name) == 0) return k;
    return SIZE_MAX;
}

double plant_effect(const plant *p, size_t bases)
{
    return p->effect * sqrt((double)STATED_BASES / (double)bases);
}

const char *plant_spec(arena *a, const plant *p, size_t index, size_t bases, uint32_t trial,
                       uint64_t seed)
{
    text t;
    text_init(&t, a->m);
    text_add(&t, "planted:");
    for (const char *c = p->terms; *c; c++) {
        if (c[0] == '%') {
            text_add_number(&t, (c[1] == 'R' ? -.15 : 1) * plant_effect(p, bases));
            c++;
        } else {
            text_add_char(&t, *c);
        }
    }
    /* Noise of its own for every plant and trial: below 2^53, and distinct. */
    uint64_t own = (seed % 1000003) * 4294967296u / 1000 + (uint64_t)trial * PLANTS + index + 1;
    text_add_format(&t, ",seed=%llu", (unsigned long long)(own % 9007199254740991u));
    const char *spec = t.failed ? NULL : arena_text(a, t.data, t.length);
    text_free(&t);
    return spec;
}

int claim_holds(const claim *c, const tare_reading *r, double effect)
{
    double truth = c->value * effect;
    int resolved = r->reason[0] == '\0' && r->p <= VALIDATE_ALPHA;
    switch (c->event) {
    case CLAIM_RESOLVED: return resolved;
    case CLAIM_PLUS: return resolved && r->estimate > 0;
    case CLAIM_MINUS: return resolved && r->estimate < 0;
    case CLAIM_MARKED: return strstr(r->marks, c->text) != NULL;
    case CLAIM_REASON: return strcmp(r->reason, c->text) == 0;
    case CLAIM_WORDS: return strstr(r->words, c->text) != NULL;
    case CLAIM_ABOVE: return r->estimate > c->value;
    case CLAIM_COVERED: return r->lo <= truth && truth <= r->hi;
    }
    return 0;
}
