/* Custom axes: bases, doses and slots from a manifest of variants; and what such a manifest may not
 * say. */
#include "audit/photos/photo_custom.h"

#include <math.h>
#include <string.h>

#include "photo_fixture.h"
#include "support/check.h"
#include "support/failing_mem.h"

static tare_context *context;
static tare_error err;
static arena a;
static photo_plan plan;

static int begin(void **state)
{
    (void)state;
    memset(&err, 0, sizeof err);
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

static tare_status read_with(const char *content, const char *const *options)
{
    write_text("v.csv", content);
    tare_job *job = job_with(context, "audit", NULL, options);
    photo_plan_init(&plan, &a);
    memset(&err, 0, sizeof err);
    tare_status status = photo_custom_plan(&plan, job, in_scratch("v.csv"), "/photos", &err);
    tare_job_free(job);
    return status;
}

static void refused(const char *content, const char *const *options, tare_status status,
                    const char *where, const char *words)
{
    tare_status got = read_with(content, options);
    if (got != status || !strstr(err.where, where) || !strstr(err.message, words))
        fail_msg("%s: status %d [%s] %s: %s", content, (int)got, err.code, err.where, err.message);
}

/* ---- is it one? -------------------------------------------------------------------------- */

static void a_column_of_doses_makes_an_axis(void **state)
{
    (void)state;
    bool custom = false;
    write_text("v.csv", "base,file,Dose\na,a.png,0\n");
    assert_ok(photo_custom_is(&custom, context, in_scratch("v.csv"), &err));
    assert_true(custom);
    write_text("v.csv", "base,file,arm\na,a.png,0\n");
    assert_ok(photo_custom_is(&custom, context, in_scratch("v.csv"), &err));
    assert_false(custom);
    custom = true;
    assert_ok(photo_custom_is(&custom, context, "-", &err));
    assert_false(custom);
    assert_int_equal(photo_custom_is(&custom, context, in_scratch("nothing.csv"), &err),
                     TARE_E_IO);
}

/* ---- what it says ------------------------------------------------------------------------ */

static const char three[] = "file,base,dose,arm,kind,cluster,group,attribute,artifact\n"
                            "b/1.png,b,1,x,real,c1,g,3.5,\n"
                            "a/+.png,a,2.5,x,real,c2,h,9,0.25\n"
                            "/else/a.png,a,0,x,real,c2,h,5,0\n"
                            "b/0.png,b,-0,x,real,c1,g,,\n"
                            "a/-.png,a,-1,x,real,c2,h,1,0.5\n"
                            "lost.png,lost,2.5,,,,,,\n";

static void bases_and_slots(void **state)
{
    (void)state;
    static const double doses[] = {-1, 0, 1, 2.5};
    assert_ok(read_with(three, NULL));
    assert_int_equal(plan.axis_count, 1);
    assert_string_equal(plan.axes->name, "custom");
    assert_null(plan.axes->op);
    assert_int_equal(plan.axes->n_doses, 4);
    assert_int_equal(plan.axes->neutral, 1);
    assert_int_equal(plan.axes->role, PLAN_MAIN);
    assert_true(plan.axes->partner == SIZE_MAX);
    assert_int_equal(plan.slot_count, 4);
    assert_int_equal(plan.neutral_slot, 1);
    for (size_t k = 0; k < 4; k++) {
        assert_true(plan.axes->doses[k] == doses[k] && plan.slots[k].dose == doses[k]);
        assert_null(plan.slots[k].op);
        assert_false(plan.slots[k].placebo);
    }
    assert_int_equal(plan.base_count, 3);
    const plan_base *x = &plan.bases[0];
    assert_string_equal(x->id, "a");
    assert_string_equal(x->shown, "a");
    assert_string_equal(x->file, "/else/a.png");
    assert_string_equal(x->variant_file[0], "/photos/a/-.png");
    assert_string_equal(x->variant_file[1], "/else/a.png");
    assert_null(x->variant_file[2]);
    assert_string_equal(x->variant_file[3], "/photos/a/+.png");
    assert_true(x->variant_attribute[0] == 1 && x->variant_attribute[3] == 9);
    assert_true(isnan(x->variant_attribute[2]) && isnan(x->variant_artifact[2]));
    assert_true(x->variant_artifact[0] == 0.5 && x->variant_artifact[3] == 0.25);
    assert_string_equal(x->cluster, "c2");
    assert_string_equal(x->group, "h");
    assert_string_equal(x->arm, "x");
    assert_string_equal(x->kind, "real");
    assert_int_equal(x->reason, TARE_R_NONE);
    assert_true(isnan(x->dose));
    assert_true(plan.has_groups);
    assert_false(plan.from_table);
    const plan_base *y = &plan.bases[1];
    assert_string_equal(y->file, "/photos/b/0.png"); /* -0 is 0 */
    assert_true(y->variant_attribute[2] == 3.5 && isnan(y->variant_attribute[1]));
    const plan_base *z = &plan.bases[2];
    assert_string_equal(z->id, "lost");
    assert_int_equal(z->reason, TARE_R_NO_NEUTRAL);
    assert_string_equal(z->why, "the manifest names no file of it at dose 0, which is the "
                                "photograph as it is");
    assert_string_equal(z->file, "/photos/lost.png");
}

static void the_neutral_dose(void **state)
{
    (void)state;
    assert_ok(read_with("base,file,dose\na,1,1\na,2,2\n", NULL));
    assert_true(plan.axes->doses[plan.axes->neutral] == 1);
    assert_ok(read_with("base,file,dose\na,1,1\na,0,0\na,2,2\n", NULL));
    assert_true(plan.axes->doses[plan.axes->neutral] == 0);
    const char *const said[] = {"neutral", "2", "axis-name", "age", NULL};
    assert_ok(read_with("base,file,dose\na,1,1\na,0,0\na,2,2\n", said));
    assert_true(plan.axes->doses[plan.axes->neutral] == 2);
    assert_string_equal(plan.bases->file, "/photos/2");
    assert_string_equal(plan.axes->name, "age");
    refused("base,file,dose\na,1,1\na,0,0\n", said, TARE_E_USAGE, "v.csv",
            "no row has the neutral dose 2 that was asked for");
    refused("base,file,dose\na,1,3\na,0,4\n", NULL, TARE_E_USAGE, "v.csv",
            "no row has dose 0 or dose 1");
}

static void guides_are_of_no_use(void **state)
{
    (void)state;
    assert_ok(read_with("base,file,dose,mask,silhouette,sex\na,1,1,m,s,f\na,0,0,m,s,f\n", NULL));
    assert_null(plan.bases->mask);
    assert_null(plan.bases->silhouette);
    assert_string_equal(plan.unused_columns, "mask, silhouette, sex");
}

/* ---- what it may not say ----------------------------------------------------------------- */

static void what_is_refused(void **state)
{
    (void)state;
    refused("base,file,dose\na,1,1\na,0,much\n", NULL, TARE_E_DATA, "v.csv:3:5",
            "the dose is not a number");
    refused("base,file,dose\na,1,1\na,0,inf\n", NULL, TARE_E_DATA, "v.csv:3:5",
            "the dose is not a number");
    refused("base,file,dose,attribute\na,1,1,x\na,0,0,1\n", NULL, TARE_E_DATA, "v.csv:2:7",
            "the attribute is not a number");
    refused("base,file,dose\na,1,1\na,0,\n", NULL, TARE_E_DATA, "v.csv:3", "names no dose");
    refused("base,file,dose\na,1,1\n,0,0\n", NULL, TARE_E_DATA, "v.csv:3", "names no base");
    refused("base,file,dose\na,,1\na,0,0\n", NULL, TARE_E_DATA, "v.csv:2", "names no file");
    refused("file,dose\n1,1\n0,0\n", NULL, TARE_E_DATA, "v.csv", "base");
    refused("base,file,dose\na,1,1\na,0,0\nb,0,0\na,2,0\n", NULL, TARE_E_DATA, "v.csv:5",
            "base a has dose 0 here and in line 3");
    refused("base,file,dose,arm\na,1,1,x\nb,1,1,y\na,0,0,y\n", NULL, TARE_E_DATA, "v.csv:4",
            "the arm of base a is \"y\" here and \"x\" in line 2");
    refused("base,file,dose,kind\na,1,1,real\na,0,0,\n", NULL, TARE_E_DATA, "v.csv:3",
            "the kind of base a is \"\" here and \"real\" in line 2");
    refused("base,file,dose,cluster\na,1,1,x\na,0,0,y\n", NULL, TARE_E_DATA, "v.csv:3",
            "the cluster of base a");
    refused("base,file,dose,group\na,1,1,x\na,0,0,y\n", NULL, TARE_E_DATA, "v.csv:3",
            "the group of base a");
    refused("base,file,dose\na,1,1\nb,0,1\n", NULL, TARE_E_DATA, "v.csv", "only one dose, 1");
    refused("base,file,dose\n", NULL, TARE_E_DATA, "v.csv", "no rows");
}

static void at_most_64_doses(void **state)
{
    (void)state;
    char text[2000] = "base,file,dose\n";
    for (int k = 0; k < 64; k++) {
        size_t used = strlen(text);
        snprintf(text + used, sizeof text - used, "a,%d.png,%d\n", k, k);
    }
    assert_ok(read_with(text, NULL));
    assert_int_equal(plan.slot_count, 64);
    strcat(text, "b,x.png,64\n");
    refused(text, NULL, TARE_E_DATA, "v.csv", "65 different doses; at most 64");
}

/* One allocation fails: MEMORY, and nothing is left behind. */
static tare_status read_short_of_memory(failing_mem *f)
{
    tare_status status = TARE_OK;
    tare_context_options o = TARE_CONTEXT_OPTIONS_INIT;
    tare_context *own = NULL;
    tare_job *job = NULL;
    arena scratch;
    photo_plan p;
    o.threads = 1;
    o.resize = failing_mem_resize;
    o.user = f;
    status = tare_context_new(&own, &o, &err);
    if (status) return status;
    arena_init(&scratch, &own->mem);
    photo_plan_init(&p, &scratch);
    status = tare_job_new(&job, own, "audit", &err);
    if (!status) status = photo_custom_plan(&p, job, in_scratch("v.csv"), "/photos", &err);
    tare_job_free(job);
    arena_free(&scratch);
    tare_context_free(own);
    return status;
}

static void every_allocation_may_fail(void **state)
{
    (void)state;
    write_text("v.csv", three);
    for (long k = 1; k < 10000; k++) {
        failing_mem f;
        failing_mem_start(&f, k);
        tare_status status = read_short_of_memory(&f);
        assert_int_equal(failing_mem_live(&f), 0);
        if (!failing_mem_failed(&f)) {
            assert_int_equal(status, TARE_OK);
            return;
        }
        assert_int_equal(status, TARE_E_MEMORY);
    }
    fail_msg("it never ends");
}

#define FRESH(test) cmocka_unit_test_setup_teardown(test, begin, end)

int main(void)
{
    const struct CMUnitTest tests[] = {
        FRESH(a_column_of_doses_makes_an_axis), FRESH(bases_and_slots), FRESH(the_neutral_dose),
        FRESH(guides_are_of_no_use),            FRESH(what_is_refused), FRESH(at_most_64_doses),
        FRESH(every_allocation_may_fail),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
