/* The order in which the variants of a base are asked: drawn from the seed and the base's id. The
 * numbers come from Philox4x32-10, SHA-256, Lemire's method and Fisher and Yates' shuffle written
 * anew in Python. */
#include <string.h>

#include "audit/photos/slot_order.h"
#include "support/check.h"

#define SLOTS 13

static const struct { uint64_t seed; const char *id; size_t order[SLOTS]; } drawn[] = {
    {1, "p0.png", {6, 10, 7, 11, 5, 0, 3, 12, 4, 1, 2, 9, 8}},
    {1, "p1.png", {7, 12, 1, 3, 4, 2, 6, 0, 5, 8, 10, 11, 9}},
    {7, "p0.png", {2, 12, 11, 7, 3, 0, 5, 8, 1, 10, 9, 4, 6}},
};

static void draw(size_t order[SLOTS], uint64_t seed, const char *id, bool is_drawn)
{
    plan_base bases[2] = {{.id = "another"}, {.id = id}};
    photo_plan plan = {.bases = bases, .base_count = 2, .slot_count = SLOTS};
    plan.perturb.seed = seed;
    slot_order_draw(order, &plan, 1, is_drawn);
}

static void test_orders_are_those_of_the_stream(void **state)
{
    (void)state;
    size_t order[SLOTS];
    for (size_t k = 0; k < sizeof drawn / sizeof *drawn; k++) {
        draw(order, drawn[k].seed, drawn[k].id, true);
        assert_memory_equal(order, drawn[k].order, sizeof order);
    }
}

static void test_the_order_of_the_slots_is_kept(void **state)
{
    (void)state;
    size_t order[SLOTS];
    draw(order, 1, "p0.png", false);
    for (size_t k = 0; k < SLOTS; k++) assert_int_equal(order[k], k);
}

/* Every slot comes to every place as often as to any other: 13000 draws, 1000 expected in each of
 * 169 cells, sd 30. */
static void test_places_are_even(void **state)
{
    (void)state;
    static int seen[SLOTS][SLOTS];
    size_t order[SLOTS];
    for (int i = 0; i < 13000; i++) {
        char id[16];
        snprintf(id, sizeof id, "f%d", i);
        draw(order, 1, id, true);
        for (size_t k = 0; k < SLOTS; k++) seen[k][order[k]]++;
    }
    for (size_t k = 0; k < SLOTS; k++)
        for (size_t slot = 0; slot < SLOTS; slot++)
            assert_in_range(seen[k][slot], 1000 - 150, 1000 + 150);
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(test_orders_are_those_of_the_stream),
        cmocka_unit_test(test_the_order_of_the_slots_is_kept),
        cmocka_unit_test(test_places_are_even),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
