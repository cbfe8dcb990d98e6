/* Silhouettes and torso bands in a manifest of photographs. */
#include <string.h>

#include "audit/photos/manifest.h"
#include "photo_fixture.h"
#include "support/check.h"

static tare_context *context;
static tare_error err;
static arena a;
static photo_plan plan;

static int begin(void **state)
{
    (void)state;
    scratch_make();
    if (tare_context_new(&context, NULL, &err)) return -1;
    arena_init(&a, &context->mem);
    return 0;
}

static int end(void **state)
{
    (void)state;
    arena_free(&a);
    tare_context_free(context);
    scratch_remove();
    return 0;
}

static tare_status read_bands(const char *content)
{
    const manifest_options o = {"/photos", NULL, MANIFEST_BASES};
    write_text("m.csv", content);
    photo_plan_init(&plan, &a);
    memset(&err, 0, sizeof err);
    return manifest_read(&plan, context, in_scratch("m.csv"), &o, &err);
}

static void silhouettes_and_bands(void **state)
{
    (void)state;
    assert_ok(read_bands("file,silhouette,band_top,band_bottom\n"
                         "a.png,sil/a.png,10,22.5\nb.png,/else/b.png,,\nc.png,,0,4\n"));
    assert_string_equal(plan.bases[0].silhouette, "/photos/sil/a.png");
    assert_true(plan.bases[0].band_top == 10 && plan.bases[0].band_bottom == 22.5);
    assert_string_equal(plan.bases[1].silhouette, "/else/b.png");
    assert_true(plan.bases[1].band_top == 0 && plan.bases[1].band_bottom == 0);
    assert_null(plan.bases[2].silhouette);
    assert_true(plan.bases[2].band_top == 0 && plan.bases[2].band_bottom == 4);
    assert_null(plan.unused_columns);
}

static void bands_that_are_none(void **state)
{
    (void)state;
    static const struct { const char *row, *where, *words; } list[] = {
        {"a.png,3,", "m.csv:3:7", "only one of band_top and band_bottom"},
        {"a.png,,3", "m.csv:3:8", "only one of band_top and band_bottom"},
        {"a.png,5,5", "m.csv:3:7", "band_top is 5 and band_bottom 5"},
        {"a.png,6,5", "m.csv:3:7", "the band must end below where it begins"},
        {"a.png,-1,5", "m.csv:3:7", "rows are counted from 0 at the top"},
        {"a.png,inf,5", "m.csv:3:7", "the band_top is not a number"},
        {"a.png,1,low", "m.csv:3:9", "the band_bottom is not a number"},
    };
    for (size_t k = 0; k < sizeof list / sizeof *list; k++) {
        char text[200];
        snprintf(text, sizeof text, "file,band_top,band_bottom\nb.png,1,2\n%s\n", list[k].row);
        tare_status status = read_bands(text);
        if (status != TARE_E_DATA || !strstr(err.where, list[k].where) ||
            !strstr(err.message, list[k].words))
            fail_msg("%s: status %d [%s] %s: %s", list[k].row, (int)status, err.code, err.where,
                     err.message);
    }
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test_setup_teardown(silhouettes_and_bands, begin, end),
        cmocka_unit_test_setup_teardown(bands_that_are_none, begin, end),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
