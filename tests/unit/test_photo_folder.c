/* What runs on a folder of photographs promise: masks, sizes, kept variants, changed files, other
 * settings, folders in use, run folders inside the folder, another working directory. */
#include <string.h>
#include <sys/stat.h>

#include "audit/photos/photo_session.h"
#include "photo_fixture.h"
#include "support/check.h"

static tare_context *context;
static tare_error err;

static int open_context(void **state)
{
    (void)state;
    memset(&err, 0, sizeof err);
    scratch_make();
    return tare_context_new(&context, NULL, &err) != TARE_OK;
}

static int close_context(void **state)
{
    (void)state;
    tare_context_free(context);
    scratch_remove();
    return 0;
}

/* Options up to NULL after those of a small score-less run into out/. */
static tare_job *perturb(const char *input, const char *const *more)
{
    const char *const options[] = {"output", in_scratch("out"), NULL};
    tare_job *job = job_with(context, "perturb", input, options);
    for (; more && *more; more += 2) assert_ok(tare_job_set(job, more[0], more[1], &err));
    return job;
}

static tare_status run_perturb(const char *const *more)
{
    tare_job *job = perturb(in_scratch("photos"), more);
    memset(&err, 0, sizeof err);
    tare_status status = tare_job_run(job, &err);
    tare_job_free(job);
    return status;
}

static void refused_as(tare_status status, tare_status wanted, const char *code, const char *word)
{
    assert_int_equal(status, wanted);
    assert_string_equal(err.code, code);
    if (!strstr(err.message, word) && !strstr(err.where, word))
        fail_msg("%s [%s] %s: does not say %s", err.where, err.code, err.message, word);
}

/* ---- bases ------------------------------------------------------------------------ */

struct seen {
    int bases, variants, status[8], width[8], height[8];
    double share[8];
    char why[640];
};

static tare_status see_base(void *arg, const store_base *b, tare_error *e)
{
    (void)e;
    struct seen *s = arg;
    s->status[s->bases] = b->status;
    s->width[s->bases] = b->width;
    s->height[s->bases] = b->height;
    s->share[s->bases++] = b->skin_share;
    if (b->status) snprintf(s->why, sizeof s->why, "%s: %s", b->id, b->why);
    return TARE_OK;
}

static tare_status see_variant(void *arg, const store_variant *v, tare_error *e)
{
    (void)e;
    struct seen *s = arg;
    s->variants += v != NULL;
    return TARE_OK;
}

static struct seen look(void)
{
    struct seen seen = {0};
    store *s = NULL;
    assert_ok(store_open(&s, &context->mem, in_scratch("out"), false, &err));
    assert_ok(store_each_base(s, see_base, &seen, &err));
    assert_ok(store_each_variant(s, see_variant, &seen, &err));
    store_close(s);
    return seen;
}

static void test_what_cannot_be_used_is_counted(void **state)
{
    (void)state;
    write_photo("photos/a.png", 1, 24, 28);
    write_plain("photos/b.png", 24, 28, 20, 60, 200);
    write_text("photos/c.png", "\x89PNG\r\n\x1a\n and no more");
    write_text("photos/d.gif", "GIF89a\x10\1\1\1..........................");
    write_text("m.csv", "file\na.png\nb.png\nc.png\nd.gif\ne.png\nm.csv\n");
    write_text("photos/m.csv", "not an image");
    assert_ok(run_perturb((const char *[]){"manifest", in_scratch("m.csv"), NULL}));
    struct seen seen = look();
    static const int wanted[] = {TARE_R_NONE, TARE_R_NO_SKIN, TARE_R_DECODE,
                                 TARE_R_UNSUPPORTED_PIXELS, TARE_R_UNREADABLE};
    assert_int_equal(seen.bases, 6);
    for (int k = 0; k < 5; k++) assert_int_equal(seen.status[k], wanted[k]);
    assert_int_not_equal(seen.status[5], TARE_R_NONE);
    /* of the one that can be used: 13, and the sham's neutral */
    assert_int_equal(seen.variants, 14);
    assert_true(seen.share[0] > 0.3 && seen.share[0] < 0.7 && seen.share[1] < 0.05);
}

static void test_nothing_to_see_is_an_error(void **state)
{
    (void)state;
    write_text("photos/c.png", "\x89PNG\r\n\x1a\n and no more");
    refused_as(run_perturb(NULL), TARE_E_DATA, "photos.unreadable", "c.png");
    write_text("other/readme", "text");
    tare_job *job = job_with(context, "perturb", in_scratch("other"),
                             (const char *[]){"output", in_scratch("out2"), NULL});
    refused_as(tare_job_run(job, &err), TARE_E_DATA, "photos.none", "1 other files");
    tare_job_free(job);
}

/* ---- masks and sizes ---------------------------------------------------------------- */

static void test_user_mask(void **state)
{
    (void)state;
    write_plain("photos/a.png", 24, 28, 150, 120, 100);
    write_half_mask("masks/a.png", 24, 28);
    write_text("m.csv", "file,mask\na.png,../masks/a.png\n");
    assert_ok(run_perturb((const char *[]){"manifest", in_scratch("m.csv"), NULL}));
    assert_close(look().share[0], 0.5); /* the left half, whatever the colours */
}

static void left_out(const struct seen *seen, tare_reason reason, const char *words)
{
    assert_int_equal(seen->status[0], TARE_R_NONE);
    assert_int_equal(seen->status[1], reason);
    if (!strstr(seen->why, "odd.png: the mask mask/odd.png") || !strstr(seen->why, words))
        fail_msg("%s: does not name the mask, or say %s", seen->why, words);
}

/* One mask is no reason to stop the others. */
static void test_bad_masks_leave_their_base_out(void **state)
{
    (void)state;
    write_photo("photos/fine.png", 1, 24, 28);
    write_photo("photos/odd.png", 2, 24, 28);
    write_half_mask("photos/mask/odd.png", 28, 24);
    write_text("m.csv", "file,mask\nfine.png,\nodd.png,mask/odd.png\n");
    char manifest[320];
    snprintf(manifest, sizeof manifest, "%s", in_scratch("m.csv"));
    const char *const options[] = {"manifest", manifest, NULL};
    struct seen seen;
    assert_ok(run_perturb(options));
    seen = look();
    left_out(&seen, TARE_R_UNSUPPORTED_PIXELS, "28 x 24 pixels, the photograph 24 x 28");
    write_text("photos/mask/odd.png", "no image");
    assert_ok(run_perturb(options));
    seen = look();
    left_out(&seen, TARE_R_DECODE, "not an image");
    remove(in_scratch("photos/mask/odd.png"));
    assert_ok(run_perturb(options));
    seen = look();
    left_out(&seen, TARE_R_UNREADABLE, "No such file");
    write_plain("photos/mask/odd.png", 24, 28, 127, 127, 127);
    assert_ok(run_perturb(options));
    seen = look();
    left_out(&seen, TARE_R_NO_SKIN, "dark everywhere: skin is where its mean is 128 or more");
    write_half_mask("photos/mask/odd.png", 24, 28);
    assert_ok(run_perturb(options)); /* what was refused goes on once it is mended */
    assert_int_equal(look().status[1], TARE_R_NONE);
}

/* A run folder is for looking at what was measured: masks are not asked for again. */
static void test_a_run_folder_keeps_what_was_left_out(void **state)
{
    (void)state;
    write_photo("photos/fine.png", 1, 24, 28);
    write_photo("photos/odd.png", 2, 24, 28);
    write_text("m.csv", "file,mask\nfine.png,\nodd.png,mask/odd.png\n");
    assert_ok(run_perturb((const char *[]){"manifest", in_scratch("m.csv"), NULL}));
    write_half_mask("photos/mask/odd.png", 24, 28);
    tare_job *job = job_with(context, "perturb", in_scratch("out"), NULL);
    assert_ok(tare_job_run(job, &err));
    tare_job_free(job);
    assert_int_equal(look().status[1], TARE_R_UNREADABLE);
}

static void test_prepare_size(void **state)
{
    (void)state;
    write_photo("photos/a.png", 1, 40, 60);
    write_photo("photos/b.png", 2, 60, 40);
    write_photo("photos/needle.png", 3, 1, 3000); /* 32 wide it would be 96,000 high */
    assert_ok(run_perturb((const char *[]){"prepare-size", "32", NULL}));
    struct seen seen = look();
    for (int k = 0; k < 2; k++) {
        assert_int_equal(seen.status[k], TARE_R_NONE);
        assert_int_equal(seen.width[k], 32);
        assert_int_equal(seen.height[k], 32);
    }
    assert_int_equal(seen.status[2], TARE_R_UNSUPPORTED_PIXELS); /* not the end of the run */
    assert_non_null(strstr(seen.why, "needle.png: "));
    assert_true(strlen(seen.why) > 20);
}

static void test_mask_is_prepared_like_its_photograph(void **state)
{
    (void)state;
    write_plain("photos/a.png", 40, 60, 150, 120, 100);
    write_half_mask("photos/mask/a.png", 40, 60);
    write_text("m.csv", "file,mask\na.png,mask/a.png\n");
    assert_ok(run_perturb((const char *[]){"manifest", in_scratch("m.csv"), "prepare-size", "20",
                                           NULL}));
    assert_close(look().share[0], 0.5);
}

static void test_max_pixels(void **state)
{
    (void)state;
    write_photo("photos/a.png", 1, 24, 28);
    write_photo("photos/b.png", 1, 26, 28);
    assert_ok(run_perturb((const char *[]){"max-pixels", "672", NULL}));
    struct seen seen = look();
    assert_int_equal(seen.status[0], TARE_R_NONE); /* 24 x 28 = 672 */
    assert_int_equal(seen.status[1], TARE_R_DECODE);
}

/* ---- kept variants ------------------------------------------------------------------ */

static tare_status check_file(void *arg, const store_variant *v, tare_error *e)
{
    (void)e;
    photo_run *run = arg;
    char *bytes = NULL, hash[65];
    size_t length = 0;
    const char *blob = NULL;
    image picture;
    arena a;
    arena_init(&a, &context->mem);
    assert_ok(photo_recall_file(&blob, run, &a, v->pixels_hash, &err));
    assert_non_null(blob);
    assert_ok(store_get_blob(&bytes, &length, run->store, blob, ".png", &err));
    assert_ok(image_decode(&picture, &context->mem, bytes, length, "variant", NULL, &err));
    photo_hash(hash, &picture);
    assert_string_equal(hash, v->pixels_hash);
    image_free(&picture, &context->mem);
    mem_free(&context->mem, bytes);
    arena_free(&a);
    return TARE_OK;
}

static void test_kept_variants_are_what_was_hashed(void **state)
{
    (void)state;
    photo_run run = {.context = context};
    write_photos("photos", 2);
    assert_ok(run_perturb(NULL));
    assert_int_equal(look().variants, 2 * (13 + 1)); /* ... and the neutral one of the sham */
    assert_ok(store_open(&run.store, &context->mem, in_scratch("out"), false, &err));
    assert_ok(store_each_variant(run.store, check_file, &run, &err));
    store_close(run.store);
}

/* ---- changed, refused, in use --------------------------------------------------------- */

static void test_other_settings_are_refused(void **state)
{
    (void)state;
    static const char *const other[][2] = {
        {"mask-set", "tight"},       {"feather-sigma", "4"},       {"feather-mode", "rgb"},
        {"prepare-size", "16"},      {"measure-mask", "resegment"}, {"ita-angle", "atan"},
        {"ita-aggregate", "median"}, {"seed", "2"},                {"max-pixels", "1000"},
        {"keep-variants", "yes"}};
    write_photos("photos", 2);
    assert_ok(run_perturb(NULL));
    for (size_t k = 0; k < sizeof other / sizeof *other; k++)
        refused_as(run_perturb((const char *[]){other[k][0], other[k][1], NULL}), TARE_E_DATA,
                   "run.settings", other[k][0]);
    assert_ok(run_perturb((const char *[]){"mask-set", "default", NULL})); /* the same, said */
    write_photo("photos/p9.png", 9, 24, 28);
    refused_as(run_perturb(NULL), TARE_E_DATA, "run.settings", "photographs");
    remove(in_scratch("photos/p9.png"));
    assert_ok(run_perturb(NULL));
    tare_job *job = job_with(context, "score", in_scratch("photos"),
                             (const char *[]){"output", in_scratch("out"), "scorer",
                                              "planted:noise=1", NULL});
    refused_as(tare_job_run(job, &err), TARE_E_DATA, "run.settings", "command");
    tare_job_free(job);
}

/* A manifest that says something else of a photograph is another plan, also when all is done. */
static void test_another_manifest_is_refused(void **state)
{
    (void)state;
    static const char *const other[] = {"file,base,mask\np1.png,a,\np0.png,b,m.png\n",
                                        "file,base,mask\np0.png,a,\np1.png,b,n.png\n",
                                        "file,base,mask\np0.png,a,\np1.png,b,\n",
                                        "file,base,mask,group\np0.png,a,,g\np1.png,b,m.png,h\n"};
    write_photos("photos", 2);
    write_half_mask("photos/m.png", 24, 28);
    write_half_mask("photos/n.png", 24, 28);
    write_text("m.csv", "file,base,mask\np0.png,a,\np1.png,b,m.png\n");
    const char *const options[] = {"manifest", in_scratch("m.csv"), NULL};
    assert_ok(run_perturb(options));
    for (size_t k = 0; k < sizeof other / sizeof *other; k++) {
        write_text("m.csv", other[k]);
        refused_as(run_perturb(options), TARE_E_DATA, "run.settings", "photographs");
    }
    write_text("m.csv", "mask,base,file\nm.png,b,p1.png\n,a,p0.png\n"); /* the same, said */
    assert_ok(run_perturb(options));
    assert_int_equal(rename(in_scratch("photos"), in_scratch("moved")), 0);
    tare_job *job = perturb(in_scratch("moved"), options); /* and in another place */
    assert_ok(tare_job_run(job, &err));
    tare_job_free(job);
}

static void test_another_table_is_refused(void **state)
{
    (void)state;
    static const char *const tables[] = {"file,attribute,artifact\np0.png,10,0\n",
                                         "file,attribute,artifact\np0.png,11,0\n",
                                         "file,attribute,artifact\np0.png,10,\n"};
    write_photos("photos", 1);
    for (int k = 0; k < 3; k++) {
        write_text("photos/v.csv", tables[k]);
        tare_job *job = job_with(context, "score", in_scratch("photos/v.csv"),
                                 (const char *[]){"output", in_scratch("out"), "scorer",
                                                  "planted:attribute=1", NULL});
        if (k) refused_as(tare_job_run(job, &err), TARE_E_DATA, "run.settings", "photographs");
        else assert_ok(tare_job_run(job, &err));
        tare_job_free(job);
    }
    tare_job *job = job_with(context, "score", in_scratch("out"), NULL); /* the run itself holds */
    assert_ok(tare_job_run(job, &err));
    tare_job_free(job);
}

static void test_a_folder_in_use_is_refused(void **state)
{
    (void)state;
    store *s = NULL;
    write_photos("photos", 1);
    assert_ok(store_open(&s, &context->mem, in_scratch("out"), true, &err));
    refused_as(run_perturb(NULL), TARE_E_IO, "store.in_use", "another tare");
    store_close(s);
    assert_ok(run_perturb(NULL));
}

/* A run folder inside the folder of photographs is no photograph, however often it is run. */
static void test_run_folders_hold_no_photographs(void **state)
{
    (void)state;
    write_photos("photos", 2);
    for (int turn = 0; turn < 3; turn++) {
        const char *name = turn == 2 ? "photos/later/out" : "photos/out";
        tare_job *job = job_with(context, "perturb", in_scratch("photos"),
                                 (const char *[]){"output", in_scratch(name), NULL});
        assert_ok(tare_job_run(job, &err));
        assert_non_null(strstr(tare_job_answer(job, 0), "2 of 2 photographs"));
        tare_job_free(job);
    }
    write_photo("photos/out.png", 7, 24, 28); /* beside it, and sorted into its middle */
    write_photo("photos/outer/x.png", 8, 24, 28);
    tare_job *job = perturb(in_scratch("photos"), NULL);
    assert_ok(tare_job_run(job, &err));
    assert_non_null(strstr(tare_job_answer(job, 0), "4 of 4 photographs"));
    tare_job_free(job);
}

/* A run that was started with relative paths is finished from anywhere. */
static void test_another_working_directory(void **state)
{
    (void)state;
    char here[512];
    assert_non_null(getcwd(here, sizeof here));
    write_photos("photos", 1);
    write_half_mask("photos/mask/p0.png", 24, 28);
    write_text("m.csv", "file,mask\np0.png,mask/p0.png\n");
    assert_int_equal(chdir(in_scratch("")), 0);
    tare_job *job = job_with(context, "audit", "photos",
                             (const char *[]){"output", "out", "manifest", "m.csv", "scorer",
                                              "planted:dose=1", "boot-b", "99", "perm-p", "99",
                                              "strips", "0", NULL});
    assert_ok(tare_job_run(job, &err));
    tare_job_free(job);
    assert_int_equal(chdir("/"), 0);
    job = job_with(context, "audit", in_scratch("out"), (const char *[]){"strips", "3", NULL});
    assert_ok(tare_job_run(job, &err)); /* the strips are drawn now */
    size_t pictures = 0;
    for (size_t k = 0; k < job->result.figure_count; k++)
        pictures += job->result.figures[k]->cell_count;
    assert_true(pictures > 5);
    tare_job_free(job);
    job = job_with(context, "audit", in_scratch("photos"),
                   (const char *[]){"output", in_scratch("out"), "manifest", in_scratch("m.csv"),
                                    "scorer", "planted:dose=1", NULL});
    assert_ok(tare_job_run(job, &err)); /* the same photographs, named otherwise */
    tare_job_free(job);
    assert_int_equal(chdir(here), 0);
}

int main(void)
{
#define WITH_CONTEXT(test) cmocka_unit_test_setup_teardown(test, open_context, close_context)
    const struct CMUnitTest tests[] = {
        WITH_CONTEXT(test_what_cannot_be_used_is_counted),
        WITH_CONTEXT(test_nothing_to_see_is_an_error),
        WITH_CONTEXT(test_user_mask),
        WITH_CONTEXT(test_bad_masks_leave_their_base_out),
        WITH_CONTEXT(test_a_run_folder_keeps_what_was_left_out),
        WITH_CONTEXT(test_prepare_size),
        WITH_CONTEXT(test_mask_is_prepared_like_its_photograph),
        WITH_CONTEXT(test_max_pixels),
        WITH_CONTEXT(test_kept_variants_are_what_was_hashed),
        WITH_CONTEXT(test_other_settings_are_refused),
        WITH_CONTEXT(test_another_manifest_is_refused),
        WITH_CONTEXT(test_another_table_is_refused),
        WITH_CONTEXT(test_a_folder_in_use_is_refused),
        WITH_CONTEXT(test_run_folders_hold_no_photographs),
        WITH_CONTEXT(test_another_working_directory),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
