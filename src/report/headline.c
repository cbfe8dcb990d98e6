#include "report/headline.h"

#include <stdint.h>
#include <string.h>

static int add(map *names, const char *name, size_t *index)
{
    *index = map_add(names, name, strlen(name), NULL);
    return *index != SIZE_MAX;
}

void headline_arm(text *out, const tare_reading *r)
{
    text_add(out, r->arm);
    if (r->arm[0] && r->dim[0]) text_add(out, ", ");
    text_add(out, r->dim);
}

static int name_all(headline *h, const audit_result *r, text *arm)
{
    for (size_t i = 0; i < r->reading_count; i++) {
        const tare_reading *x = &r->readings[i];
        text_clear(arm);
        headline_arm(arm, x);
        if (arm->failed || !add(h->instruments, x->instrument, &h->instrument[i]) ||
            !add(h->arms, arm->data ? arm->data : "", &h->arm[i]) ||
            !add(h->families, x->family, &h->family[i]))
            return 0;
    }
    return 1;
}

/* Family, name and condition of readings that stand in a grid somewhere. */
static int choose(headline *h, const audit_result *r, map *tested, text *key)
{
    for (int pass = 0; pass < 2; pass++) {
        for (size_t i = 0; i < r->reading_count; i++) {
            const tare_reading *x = &r->readings[i];
            bool in_grid = x->grid[0] != 0 && !x->detail;
            if (pass == 0 && !in_grid) continue;
            text_clear(key);
            text_add_format(key, "%zu ", h->family[i]);
            text_add(key, x->name);
            text_add_char(key, '\n');
            text_add(key, x->condition);
            if (key->failed) return 0;
            if (pass == 0) {
                if (map_add(tested, key->data, key->length, NULL) == SIZE_MAX) return 0;
                continue;
            }
            bool like_one = map_find(tested, key->data, key->length) != SIZE_MAX;
            if (map_count(tested) == 0) h->shown[i] = x->verdict != TARE_DESCRIPTIVE && !x->detail;
            else h->shown[i] = in_grid || (like_one && !x->detail && x->verdict == TARE_NO_ANSWER);
            h->shown_count += h->shown[i];
        }
    }
    return 1;
}

int headline_init(headline *h, const audit_result *r)
{
    size_t n = r->reading_count;
    map *tested = NULL;
    text key;
    text_init(&key, r->m);
    memset(h, 0, sizeof *h);
    h->m = r->m;
    h->shown = mem_new(r->m, n, sizeof *h->shown);
    h->instrument = mem_new(r->m, n, sizeof *h->instrument);
    h->arm = mem_new(r->m, n, sizeof *h->arm);
    h->family = mem_new(r->m, n, sizeof *h->family);
    h->instruments = map_new(r->m);
    h->arms = map_new(r->m);
    h->families = map_new(r->m);
    tested = map_new(r->m);
    int done = h->shown && h->instrument && h->arm && h->family && h->instruments && h->arms &&
               h->families && tested && name_all(h, r, &key) && choose(h, r, tested, &key);
    map_free(tested);
    text_free(&key);
    return done;
}

void headline_free(headline *h)
{
    if (!h->m) return;
    mem_free(h->m, h->shown);
    mem_free(h->m, h->instrument);
    mem_free(h->m, h->arm);
    mem_free(h->m, h->family);
    map_free(h->instruments);
    map_free(h->arms);
    map_free(h->families);
    memset(h, 0, sizeof *h);
}

void headline_tally(size_t tally[HEADLINE_VERDICTS], const audit_result *r, const size_t *of,
                    size_t which, const bool *shown)
{
    memset(tally, 0, HEADLINE_VERDICTS * sizeof *tally);
    for (size_t i = 0; i < r->reading_count; i++) {
        if (of[i] == which && (!shown || shown[i])) tally[r->readings[i].verdict]++;
    }
}
