/* Any bytes: reading a roster ends; what it gives can be asked, and is the same when read again.
 * The first byte chooses the format. */
#include <string.h>

#include "fuzz.h"
#include "judge/roster.h"

static void ask(const roster *r)
{
    REQUIRE(r->count > 0 && r->grouping_count > 0 && strcmp(r->grouping[0], "family") == 0);
    for (size_t k = 0; k < r->count; k++) {
        const roster_model *m = &r->models[k];
        REQUIRE(roster_find(r, m->id) == k && m->line > 0);
        for (size_t i = 0; i < m->alias_count; i++) REQUIRE(roster_find(r, m->alias[i]) == k);
        for (size_t g = 0; g < r->grouping_count; g++)
            REQUIRE(roster_share(r, g, k, k) == (m->group[g].count > 0));
    }
    for (size_t g = 0; g < r->grouping_count; g++)
        REQUIRE(roster_grouping(r, r->grouping[g]) == g);
}

int LLVMFuzzerTestOneInput(const uint8_t *data, size_t size)
{
    static const char *const names[] = {"r", "r.yaml", "r.json", "r.csv"};
    if (size == 0 || size > 65536) return 0;
    mem m = mem_system();
    arena a, b;
    roster r, again;
    tare_error err = {TARE_OK, "", "", ""};
    const char *name = names[data[0] & 3], *bytes = (const char *)data + 1;
    arena_init(&a, &m);
    arena_init(&b, &m);
    tare_status status = roster_parse(&r, &a, name, bytes, size - 1, &err);
    REQUIRE(roster_parse(&again, &b, name, bytes, size - 1, NULL) == status);
    if (status == TARE_OK) {
        REQUIRE(again.count == r.count && again.grouping_count == r.grouping_count);
        ask(&r);
    } else {
        REQUIRE(err.status == status && err.message[0] != '\0' && err.code[0] != '\0');
        REQUIRE(status == TARE_E_DATA || status == TARE_E_LIMIT);
    }
    arena_free(&a);
    arena_free(&b);
    return 0;
}
