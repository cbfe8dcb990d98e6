#include "audit/photos/measures_json.h"

#include <math.h>
#include <stddef.h>
#include <string.h>

#include "audit/photos/photo_measures.h"
#include "base/error.h"
#include "base/json.h"

/* The one list of what is kept; keys sorted. */
static const struct field {
    const char *key;
    size_t offset;
    bool whole;
} fields[] = {
    {"a", offsetof(perturb_measures, tone.a), false},
    {"b", offsetof(perturb_measures, tone.b), false},
    {"bluish", offsetof(perturb_measures, tone.bluish), true},
    {"chroma", offsetof(perturb_measures, tone.chroma), false},
    {"clip_frac", offsetof(perturb_measures, clip_frac), false},
    {"clip_mag", offsetof(perturb_measures, clip_mag), false},
    {"edit_image", offsetof(perturb_measures, edit_image), false},
    {"edit_support", offsetof(perturb_measures, edit_support), false},
    {"hue", offsetof(perturb_measures, tone.hue), false},
    {"ita", offsetof(perturb_measures, tone.ita), false},
    {"ita_default", offsetof(perturb_measures, ita_default), false},
    {"ita_loose", offsetof(perturb_measures, ita_loose), false},
    {"ita_tight", offsetof(perturb_measures, ita_tight), false},
    {"lightness", offsetof(perturb_measures, tone.lightness), false},
    {"pixels", offsetof(perturb_measures, tone.pixels), true},
    {"warp_artifact", offsetof(perturb_measures, warp_artifact), false},
    {"width_ratio", offsetof(perturb_measures, width_ratio), false},
};
#define FIELD_COUNT (sizeof fields / sizeof *fields)
_Static_assert(FIELD_COUNT <= PHOTO_MEASURE_COLUMNS, "a column for every measure");

size_t measures_count(void)
{
    return FIELD_COUNT;
}

bool measures_whole(size_t k)
{
    return fields[k].whole;
}

double measures_get(const perturb_measures *x, size_t k)
{
    const char *at = (const char *)x + fields[k].offset;
    return fields[k].whole ? (double)*(const size_t *)at : *(const double *)at;
}

void measures_set(perturb_measures *x, size_t k, double value)
{
    char *at = (char *)x + fields[k].offset;
    if (fields[k].whole) *(size_t *)at = (size_t)value;
    else *(double *)at = value;
}

void measures_clear(perturb_measures *x)
{
    memset(x, 0, sizeof *x);
    for (size_t i = 0; i < FIELD_COUNT; i++)
        if (!fields[i].whole) *(double *)((char *)x + fields[i].offset) = NAN;
}

void measures_write(text *out, const perturb_measures *x)
{
    json_writer w;
    json_begin(&w, out, 0);
    json_object(&w);
    for (size_t i = 0; i < FIELD_COUNT; i++) {
        const char *at = (const char *)x + fields[i].offset;
        /* Most variants have none of these: what is absent is read as NaN. */
        bool rare = fields[i].offset >= offsetof(perturb_measures, ita_tight);
        if (rare && isnan(*(const double *)at)) continue;
        json_key(&w, fields[i].key);
        if (fields[i].whole) json_integer(&w, (int64_t) * (const size_t *)at);
        else json_number(&w, *(const double *)at);
    }
    json_object_end(&w);
}

/* A count; what is none, in a folder of others, is 0. */
static size_t whole(const json_value *v)
{
    return v->number_is_integer && v->number >= 0 ? (size_t)v->number : 0;
}

tare_status measures_parse(perturb_measures *out, const mem *m, const char *json, tare_error *err)
{
    tare_status status = TARE_OK;
    json_value *tree = NULL;
    arena a;
    arena_init(&a, m);
    measures_clear(out);
    TRY(json_parse(&tree, &a, "measures", json, strlen(json), NULL, err));
    for (size_t i = 0; i < FIELD_COUNT; i++) {
        const json_value *v = json_member(tree, fields[i].key);
        char *at = (char *)out + fields[i].offset;
        if (!v || v->kind != JSON_K_NUMBER) continue;
        if (fields[i].whole) *(size_t *)at = whole(v);
        else *(double *)at = v->number;
    }
done:
    arena_free(&a);
    return status;
}
