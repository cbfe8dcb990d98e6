/* The plan: what a folder, a manifest or a table of variants becomes, in which order, with which
 * variants; and that the plan kept in a run folder is the same. */
#include "audit/photos/photo_plan.h"

#include <string.h>

#include "photo_fixture.h"
#include "support/check.h"

static tare_context *context;
static tare_error err;
static arena a;
static photo_plan plan;

static int open_context(void **state)
{
    (void)state;
    memset(&err, 0, sizeof err);
    scratch_make();
    if (tare_context_new(&context, NULL, &err)) return -1;
    arena_init(&a, &context->mem);
    return 0;
}

static int close_context(void **state)
{
    (void)state;
    arena_free(&a);
    tare_context_free(context);
    scratch_remove();
    return 0;
}

static tare_status plan_folder(const char *folder, const char *manifest)
{
    const char *options[] = {"manifest", manifest, NULL};
    tare_job *job = job_with(context, "audit", folder, manifest ? options : NULL);
    photo_plan_init(&plan, &a);
    tare_status status = photo_plan_bases(&plan, job, folder, &err);
    tare_job_free(job);
    return status;
}

static tare_status plan_table(const char *path)
{
    tare_job *job = job_with(context, "score", path, NULL);
    photo_plan_init(&plan, &a);
    tare_status status = photo_plan_table(&plan, job, path, &err);
    tare_job_free(job);
    return status;
}

static bool ends_with(const char *path, const char *tail)
{
    size_t n = strlen(path), k = strlen(tail);
    return n >= k && !strcmp(path + n - k, tail);
}

/* ---- folders --------------------------------------------------------------------- */

static void test_folder_in_order_of_bytes(void **state)
{
    (void)state;
    static const char *const names[] = {"b.png", "B.png", "a/z.png", "a.png", "\xc3\xa9.png",
                                        "a-b.png", ".hidden.png"};
    static const char *const order[] = {"B.png", "a-b.png", "a.png", "a/z.png", "b.png",
                                        "\xc3\xa9.png"};
    for (int k = 0; k < 7; k++) {
        char name[64];
        snprintf(name, sizeof name, "photos/%s", names[k]);
        write_photo(name, (unsigned)k, 8, 8);
    }
    write_text("photos/notes.png", "no image by its first bytes");
    write_text("photos/x.webp", "RIFF\x10\1\1\1WEBPVP8 ....................");
    assert_ok(plan_folder(in_scratch("photos"), NULL));
    assert_int_equal(plan.base_count, 7);
    for (int k = 0; k < 6; k++) {
        const plan_base *b = &plan.bases[k < 5 ? k : 6];
        assert_string_equal(b->id, order[k]);
        assert_string_equal(b->shown, order[k]);
        assert_string_equal(photo_cluster(b), order[k]); /* its own cluster */
        assert_string_equal(b->group, "");
        assert_null(b->mask);
        assert_int_equal(b->reason, TARE_R_NONE);
        assert_true(isnan(b->dose) && isnan(b->attribute) && isnan(b->artifact));
    }
    assert_string_equal(plan.bases[5].id, "x.webp"); /* an image that cannot be read is counted */
    assert_int_equal(plan.ignored, 1);
    assert_string_equal(plan.first_ignored, "notes.png");
    assert_false(plan.has_groups || plan.from_table);
    assert_int_equal(plan.decoding.limits.pixels, 100000000);
}

static void test_no_photographs(void **state)
{
    (void)state;
    write_text("photos/readme.txt", "hello");
    write_text("photos/empty.png", "");
    assert_ok(plan_folder(in_scratch("photos"), NULL));
    assert_int_equal(plan.base_count, 0);
    assert_int_equal(plan.ignored, 2);
    assert_int_equal(plan_folder(in_scratch("absent"), NULL), TARE_E_IO);
}

/* ---- manifests ------------------------------------------------------------------- */

static void test_manifest(void **state)
{
    (void)state;
    write_text("m.csv", "base,file,mask,arm,kind,cluster,group,extra\n"
                        "z,one.png,m/one.png,b,real,c1,g1,?\n"
                        "\"a, b\",/abs/two.png,/abs/m.png,a,synthetic,,,\n"
                        ",three.png,,,,c1,,\n");
    assert_ok(plan_folder(in_scratch("photos"), in_scratch("m.csv")));
    assert_int_equal(plan.base_count, 3);
    const plan_base *b = plan.bases;
    assert_string_equal(b[0].id, "a, b");
    assert_string_equal(b[0].file, "/abs/two.png");
    assert_string_equal(b[0].mask, "/abs/m.png");
    assert_string_equal(b[0].kind, "synthetic");
    assert_string_equal(photo_cluster(&b[0]), "a, b");
    assert_string_equal(b[1].id, "three.png"); /* a base without a name is its file */
    assert_string_equal(photo_cluster(&b[1]), "c1");
    assert_null(b[1].mask);
    assert_string_equal(b[2].id, "z");
    assert_true(ends_with(b[2].file, "/photos/one.png"));
    assert_true(ends_with(b[2].mask, "/photos/m/one.png"));
    assert_string_equal(b[2].arm, "b");
    assert_string_equal(b[2].group, "g1");
    assert_true(plan.has_groups);
    assert_int_equal(plan.ignored, 0);
    write_text("m.tsv", "path\tid\n1.png\tx\n");
    assert_ok(plan_folder(in_scratch("photos"), in_scratch("m.tsv")));
    assert_string_equal(plan.bases[0].id, "x");
    assert_false(plan.has_groups);
}

struct bad { const char *csv, *code, *where; };

static void test_bad_manifests(void **state)
{
    (void)state;
    static const struct bad bad[] = {
        {"base,group\nx,y\n", "", "m.csv"},
        {"file\n", "manifest.empty", "m.csv"},
        {"file,base\na.png,x\n,y\n", "manifest.file", "m.csv:3"},
        {"file,kind\na.png,real\nb.png,drawn\n", "manifest.kind", "m.csv:3"},
        {"file,kind\na.png,Real\n", "manifest.kind", "m.csv:2"},
        {"file,dose\na.png,1\nb.png,x1\n", "manifest.number", "m.csv:3"},
        {"file,attribute\na.png,1.5.2\n", "manifest.number", "m.csv:2"},
        {"file,artifact\na.png,1;2\n", "manifest.number", "m.csv:2"},
        {"file,base\na.png,x\nb.png,y\nc.png,x\n", "plan.duplicate", "x"},
        {"file\na.png\na.png\n", "plan.duplicate", "a.png"},
        {"file,base\na.png\n", "", "m.csv:2"},
        {"", "", "m.csv"},
        {"file\ncaf\xe9.png\n", "", "m.csv:2"},
    };
    for (size_t k = 0; k < sizeof bad / sizeof *bad; k++) {
        memset(&err, 0, sizeof err);
        write_text("m.csv", bad[k].csv);
        tare_status status = plan_folder(in_scratch("photos"), in_scratch("m.csv"));
        if (status != TARE_E_DATA) fail_msg("manifest %zu: %s", k, tare_status_name(status));
        if (!strstr(err.code, bad[k].code) || !*err.code || !*err.message)
            fail_msg("manifest %zu: %s, wanted %s", k, err.code, bad[k].code);
        if (!strstr(err.where, bad[k].where))
            fail_msg("manifest %zu: at %s, wanted %s", k, err.where, bad[k].where);
    }
    assert_int_equal(plan_folder(in_scratch("photos"), in_scratch("no.csv")), TARE_E_IO);
}

/* ---- tables of variants ---------------------------------------------------------- */

static void test_variants_table(void **state)
{
    (void)state;
    write_text("v/tables/variants.tsv",
               "base\tarm\tfile\tdose\tattribute\tartifact\tcluster\n"
               "q\tskin\tblobs/1.png\t-15\t12.5\t0\tk\n"
               "p\tskin\tblobs/2.png\t0.1234567\t\tNA\tk\n"
               "p\tskin\tblobs/3.png\t0.1234568\t1\t1\tk\n"
               "p\tsham\tblobs/4.png\t0.1234567\t1\t1\tk\n");
    assert_ok(plan_table(in_scratch("v/tables/variants.tsv")));
    assert_true(plan.from_table);
    assert_int_equal(plan.base_count, 4);
    const plan_base *b = plan.bases;
    assert_string_equal(b[0].id, "p sham 0.1234567");
    assert_string_equal(b[1].id, "p skin 0.1234567"); /* doses that differ late are two rows */
    assert_string_equal(b[2].id, "p skin 0.1234568");
    assert_string_equal(b[3].id, "q skin -15");
    assert_string_equal(b[1].shown, "p");
    assert_true(isnan(b[1].attribute) && isnan(b[1].artifact));
    assert_true(b[3].attribute == 12.5 && b[3].dose == -15 && b[3].artifact == 0);
    assert_true(ends_with(b[3].file, "/v/blobs/1.png")); /* files are below v, not v/tables */
    write_text("flat.csv", "file\nx.png\n");
    assert_ok(plan_table(in_scratch("flat.csv")));
    assert_true(ends_with(plan.bases[0].file, "/x.png"));
    assert_string_equal(plan.bases[0].shown, "x.png");
    write_text("flat.csv", "file,base,dose\nx.png,b,1\ny.png,b,1.0\n");
    assert_int_equal(plan_table(in_scratch("flat.csv")), TARE_E_DATA);
    assert_string_equal(err.code, "plan.duplicate");
}

/* ---- slots ----------------------------------------------------------------------- */

static void test_slots(void **state)
{
    (void)state;
    static const double skin[] = {-15, -10, -5, 0, 5, 10, 15}, sham[] = {-3, -2, -1, 1, 2, 3};
    const char *const options[] = {"mask-set", "loose", "ita-aggregate", "trimmed",
                                   "ita-angle", "atan", "feather-mode", "rgb",
                                   "feather-sigma", "1.5", "measure-mask", "resegment",
                                   "seed", "77", "keep-variants", "yes", NULL};
    tare_job *job = job_with(context, "audit", NULL, options);
    photo_plan_init(&plan, &a);
    assert_ok(photo_plan_slots(&plan, job, &err));
    assert_int_equal(plan.slot_count, 13); /* scorer audit 2.5: 7 doses and 6 replicates */
    assert_int_equal(plan.neutral_slot, 3);
    for (int k = 0; k < 13; k++) {
        assert_true(plan.slots[k].dose == (k < 7 ? skin[k] : sham[k - 7]));
        assert_string_equal(plan.slots[k].op->name, k < 7 ? "skin" : "sham");
        assert_int_equal(plan.slots[k].placebo, k >= 7);
    }
    const perturb_options *p = &plan.perturb;
    assert_int_equal(p->set, MASK_LOOSE);
    assert_int_equal(p->form, ITA_TRIMMED);
    assert_int_equal(p->angle, ITA_ATAN);
    assert_int_equal(p->mode, FEATHER_RGB);
    assert_true(p->feather_sigma == 1.5 && p->resegment && p->seed == 77 && plan.keep_variants);
    tare_job_free(job);
}

/* ---- the plan kept in the run folder --------------------------------------------- */

static bool same(const char *x, const char *y)
{
    return (!x && !y) || (x && y && !strcmp(x, y));
}

static bool same_number(double x, double y)
{
    return (isnan(x) && isnan(y)) || x == y;
}

static void compare_plans(const photo_plan *x, const photo_plan *y)
{
    assert_int_equal(x->base_count, y->base_count);
    assert_int_equal(x->ignored, y->ignored);
    assert_int_equal(x->denied, y->denied);
    assert_int_equal(x->has_groups, y->has_groups);
    assert_int_equal(x->from_table, y->from_table);
    assert_int_equal(x->decoding.limits.pixels, y->decoding.limits.pixels);
    assert_int_equal(x->prepare_size, y->prepare_size);
    for (size_t i = 0; i < x->base_count; i++) {
        const plan_base *p = &x->bases[i], *q = &y->bases[i];
        assert_true(same(p->id, q->id) && same(p->shown, q->shown) && same(p->file, q->file) &&
                    same(p->mask, q->mask) && same(p->cluster, q->cluster));
        assert_true(same(p->group, q->group) && same(p->arm, q->arm) && same(p->kind, q->kind));
        assert_true(same_number(p->dose, q->dose) && same_number(p->attribute, q->attribute) &&
                    same_number(p->artifact, q->artifact));
    }
}

static void put_bases(store *s)
{
    for (size_t i = 0; i < plan.base_count; i++) {
        const plan_base *b = &plan.bases[i];
        store_base row = {.index = (int64_t)i, .id = b->id, .file = b->file,
                          .cluster = b->cluster, .group = b->group, .arm = b->arm,
                          .kind = b->kind, .why = "", .pixels_hash = "", .notes = "",
                          .shown = b->shown, .mask = b->mask ? b->mask : "",
                          .skin_share = NAN, .dose = b->dose, .attribute = b->attribute,
                          .artifact = b->artifact};
        assert_ok(store_put_base(s, &row, &err));
    }
}

static void test_recall(void **state)
{
    (void)state;
    store *s = NULL;
    photo_plan again;
    bool found = true;
    write_text("v.csv", "file,base,arm,dose,attribute,mask,group,cluster,kind\n"
                        "x.png,b,skin,1,2.5,m.png,g,c,real\n"
                        "y.png,a,skin,-1,,,,,synthetic\n");
    assert_ok(plan_table(in_scratch("v.csv")));
    tare_job *job = job_with(context, "score", in_scratch("v.csv"), NULL);
    assert_ok(store_open(&s, &context->mem, in_scratch("out"), true, &err));
    photo_plan_init(&again, &a);
    assert_ok(photo_plan_recall(&found, &again, job, s, &err));
    assert_false(found); /* a run that was stopped before the plan was complete */
    put_bases(s);
    plan.ignored = 3;
    plan.denied = 1;
    plan.first_denied = "closed";
    assert_ok(photo_plan_keep(&plan, s, &err));
    assert_ok(photo_plan_recall(&found, &again, job, s, &err));
    assert_true(found);
    compare_plans(&plan, &again);
    assert_string_equal(again.first_denied, "closed");
    /* A row that is not in the plan, and a plan that wants more rows, are damage. */
    assert_ok(store_set(s, "plan.bases", "3", &err));
    photo_plan_init(&again, &a);
    assert_int_equal(photo_plan_recall(&found, &again, job, s, &err), TARE_E_DATA);
    assert_ok(store_set(s, "plan.bases", "1", &err));
    photo_plan_init(&again, &a);
    assert_int_equal(photo_plan_recall(&found, &again, job, s, &err), TARE_E_DATA);
    assert_string_equal(err.code, "run.plan");
    assert_ok(store_set(s, "plan.bases", "99999999999999999999", &err));
    photo_plan_init(&again, &a);
    assert_int_not_equal(photo_plan_recall(&found, &again, job, s, &err), TARE_OK);
    store_close(s);
    tare_job_free(job);
}

int main(void)
{
#define WITH_CONTEXT(test) cmocka_unit_test_setup_teardown(test, open_context, close_context)
    const struct CMUnitTest tests[] = {
        WITH_CONTEXT(test_folder_in_order_of_bytes),
        WITH_CONTEXT(test_no_photographs),
        WITH_CONTEXT(test_manifest),
        WITH_CONTEXT(test_bad_manifests),
        WITH_CONTEXT(test_variants_table),
        WITH_CONTEXT(test_slots),
        WITH_CONTEXT(test_recall),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
