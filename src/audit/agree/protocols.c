#include "audit/agree/protocols.h"

#include <math.h>
#include <string.h>

static const protocol protocols[] = {
    {.name = "custom", .gold = GOLD_ANY, .tau_b = true, .least = NAN, .most = NAN,
     .rows_words = "one per item and candidate",
     .gold_words = "the gold column, or the mean of the raters", .source = "ours"},
    {.name = "flickr8k-expert-rows", .gold = GOLD_EACH, .tau_c = true, .ratings = 3, .least = 1,
     .most = 4, .whole = true, .rows = 16992,
     .rows_words = "each pair of image and caption repeated for its 3 experts",
     .gold_words = "the single rating, 1 to 4", .source = "CLIPScore, FLEUR, PAC-S, Polos"},
    {.name = "flickr8k-expert-mean", .gold = GOLD_EXACT, .tau_b = true, .tau_c = true,
     .ratings = 3, .least = 1, .most = 4, .whole = true, .rows = 5664,
     .rows_words = "one per pair of image and caption with all 3 ratings; images whose number of "
                   "ratings is no multiple of 3 are skipped",
     .gold_words = "the sum of the 3 ratings", .source = "G-VEval"},
    {.name = "flickr8k-cf", .gold = GOLD_ANY, .tau_b = true, .least = 0, .most = 1,
     .rows_words = "one per pair of image and caption",
     .gold_words = "the share of yes votes", .source = "CLIPScore",
     .caution = "The protocol flickr8k-cf removes crowd captions from the references that the "
                "judge sees; scores alone cannot show that this was done."},
    {.name = "composite", .gold = GOLD_SINGLE, .tau_c = true, .least = 1, .most = 5, .whole = true,
     .rows = 11985, .rows_words = "one per caption", .gold_words = "a single rating, 1 to 5",
     .source = "FLEUR, EXPERT"},
    {.name = "polaris", .gold = GOLD_ANY, .tau_c = true, .least = 0, .most = 1,
     .rows_words = "the test split, one per caption",
     .gold_words = "the averaged score, 0 to 1", .source = "Polos"},
    {.name = "nebula", .gold = GOLD_ANY, .tau_b = true, .tau_c = true, .least = 0, .most = 1,
     .rows = 3298, .distinct = 82, .rows_words = "the test split, one per caption",
     .gold_words = "the averaged score, 0 to 1", .source = "DENEB"},
    {.name = "pascal50s", .gold = GOLD_PAIR, .least = NAN, .most = NAN, .rows = 4000,
     .rows_words = "1,000 pairs of captions in each of the categories HC, HI, HM, MM",
     .gold_words = "the preferred caption of the pair", .source = "FLEUR, EXPERT"},
};

const protocol *protocol_find(const char *name)
{
    for (size_t k = 0; k < sizeof protocols / sizeof *protocols; k++)
        if (strcmp(protocols[k].name, name) == 0) return &protocols[k];
    return NULL;
}

bool protocol_is_custom(const protocol *p)
{
    return p == &protocols[0];
}
