/* The output folder cannot be written, a file may not grow, the disk is full: IO, and what the run
 * folder holds goes on to the same readings once there is room. */
#include <errno.h>
#include <signal.h>
#include <string.h>
#include <sys/mount.h>
#include <sys/resource.h>
#include <sys/stat.h>

#include "fault_support.h"
#include "photo_fixture.h"
#include "support/check.h"

#define NOBODY 65534

static const char *options[32];
static char output[400], photos[400];
static text wanted;
static tare_error err;

/* Three photographs and what an undisturbed audit answers; keep-variants writes many files. */
static int make(void **state)
{
    (void)state;
    const char *const common[] = {"scorer", "planted:dose=1,noise=0.5", "batch", "4",
                                  "boot-b", "99", "perm-p", "99", "strips", "2",
                                  "keep-variants", "yes"};
    size_t n = sizeof common / sizeof *common;
    scratch_make();
    write_photos("photos", 3);
    memcpy(options, common, sizeof common);
    options[n] = "output";
    options[n + 1] = output;
    options[n + 2] = NULL;
    snprintf(photos, sizeof photos, "%s", in_scratch("photos"));
    snprintf(output, sizeof output, "%s", in_scratch("whole"));
    fault_reference(&wanted, &(fault_audit){photos, options, NULL, NULL});
    return 0;
}

static int unmake(void **state)
{
    (void)state;
    text_free(&wanted);
    scratch_remove();
    return 0;
}

/* The audit into another folder. */
static fault_audit into(const char *folder)
{
    snprintf(output, sizeof output, "%s", folder);
    return (fault_audit){photos, options, NULL, NULL};
}

static void must_be_io(tare_status status, const char *what)
{
    if (status != TARE_E_IO)
        fail_msg("%s: %s %s [%s] %s", what, tare_status_name(status), err.where, err.code,
                 err.message);
    if (!*err.where) fail_msg("%s: does not say where: %s", what, err.message);
}

/* ---- permissions -------------------------------------------------------------------- */

static void as_nobody(bool yes)
{
    if (getuid() == 0) assert_int_equal(seteuid(yes ? NOBODY : 0), 0);
}

static void test_output_that_cannot_be_written(void **state)
{
    (void)state;
    fault_audit audit = into(in_scratch("closed/out"));
    assert_int_equal(chmod(in_scratch(""), 0755), 0);
    assert_int_equal(mkdir(in_scratch("closed"), 0555), 0);
    as_nobody(true);
    must_be_io(fault_run(NULL, &audit, NULL, &err), "no folder can be made");
    as_nobody(false);
    assert_int_equal(chmod(in_scratch("closed"), 0777), 0);
    as_nobody(true);
    fault_goes_on(&audit, &wanted, "a closed folder");
    as_nobody(false);
}

/* A run that was begun and whose folder is read-only now. */
static void test_run_folder_that_became_read_only(void **state)
{
    (void)state;
    char command[400];
    fault_audit audit = into(in_scratch("out"));
    assert_int_equal(chmod(in_scratch(""), 0755), 0);
    fault_goes_on(&audit, &wanted, "nothing");
    snprintf(command, sizeof command, "chmod -R a-w %s", in_scratch("out"));
    assert_int_equal(system(command), 0);
    as_nobody(true);
    must_be_io(fault_run(NULL, &audit, NULL, &err), "a read-only run");
    as_nobody(false);
    snprintf(command, sizeof command, "chmod -R a+rwX %s", in_scratch("out"));
    assert_int_equal(system(command), 0);
    as_nobody(true);
    fault_goes_on(&audit, &wanted, "a read-only run");
    as_nobody(false);
}

/* ---- no file may grow ------------------------------------------------------------------- */

static tare_status run_limited(const fault_audit *audit, rlim_t bytes)
{
    struct rlimit before, less;
    void (*handler)(int) = signal(SIGXFSZ, SIG_IGN); /* writes fail with EFBIG */
    assert_int_equal(getrlimit(RLIMIT_FSIZE, &before), 0);
    less = before;
    less.rlim_cur = bytes;
    assert_int_equal(setrlimit(RLIMIT_FSIZE, &less), 0);
    tare_status status = fault_run(NULL, audit, NULL, &err);
    assert_int_equal(setrlimit(RLIMIT_FSIZE, &before), 0);
    signal(SIGXFSZ, handler);
    return status;
}

static void test_files_that_may_not_grow(void **state)
{
    (void)state;
    int refused = 0;
    for (rlim_t bytes = 0; bytes < 400000; bytes += bytes < 40000 ? 3000 : 20000) {
        char name[48];
        snprintf(name, sizeof name, "out%lu", (unsigned long)bytes);
        fault_audit audit = into(in_scratch(name));
        tare_status status = run_limited(&audit, bytes);
        refused += status != TARE_OK;
        if (status) must_be_io(status, name);
        fault_goes_on(&audit, &wanted, name);
    }
    assert_true(refused >= 5);
}

/* ---- a full disk ------------------------------------------------------------------------ */

/* Is a half-written file still there? */
static bool leaves_pieces(const char *folder)
{
    char command[400];
    snprintf(command, sizeof command, "test -n \"$(find %s -name '*.tmp')\"", folder);
    return system(command) == 0;
}

/* A disk of this size, a run on it, then room, and the run again: first refused or done, then done.
 * True: it was refused. `audit` writes below `disk`. */
static bool on_disk(const fault_audit *audit, const text *expected, const char *disk,
                    unsigned kilobytes)
{
    char size[32];
    text got;
    snprintf(size, sizeof size, "size=%uk", kilobytes);
    if (mount("tare-test", disk, "tmpfs", 0, size)) {
        print_message("skipped: a small file system cannot be mounted: %s\n", strerror(errno));
        skip();
    }
    tare_status status = fault_run(NULL, audit, NULL, &err);
    tare_error first = err;
    bool grown = mount("tare-test", disk, "tmpfs", MS_REMOUNT, "size=64m") == 0;
    tare_status after = fault_run(&got, audit, NULL, &err);
    bool same = after == TARE_OK && !strcmp(got.data ? got.data : "", expected->data);
    bool pieces = leaves_pieces(disk);
    text_free(&got);
    assert_int_equal(umount(disk), 0); /* before anything can fail */
    assert_true(grown);
    assert_false(pieces);
    if (!same) fail_msg("%s, then [%s] %s", size, err.code, err.message);
    err = first;
    if (status) must_be_io(status, size);
    return status != TARE_OK;
}

/* Sizes from 4 KiB until it fits twice. */
static void on_growing_disks(const fault_audit *audit, const text *expected, const char *disk,
                             int refused_least)
{
    int refused = 0, finished = 0;
    for (unsigned kilobytes = 4; finished < 2 && kilobytes < 16384;) {
        bool full = on_disk(audit, expected, disk, kilobytes);
        refused += full;
        finished += !full;
        kilobytes += kilobytes < 64 ? 20 : kilobytes / 4 & ~3u;
    }
    assert_true(refused >= refused_least && finished == 2);
}

static void test_full_disk(void **state)
{
    (void)state;
    char disk[320], folder[400];
    snprintf(disk, sizeof disk, "%s", in_scratch("disk"));
    snprintf(folder, sizeof folder, "%s/out", disk);
    assert_int_equal(mkdir(disk, 0755), 0);
    fault_audit audit = into(folder);
    on_growing_disks(&audit, &wanted, disk, 3);
}

/* The report of a run that is whole elsewhere. */
static void test_report_on_a_full_disk(void **state)
{
    (void)state;
    char disk[320], folder[400];
    const char *const none[] = {NULL};
    snprintf(disk, sizeof disk, "%s", in_scratch("disk"));
    snprintf(folder, sizeof folder, "%s/report", disk);
    assert_int_equal(mkdir(disk, 0755), 0);
    on_growing_disks(&(fault_audit){in_scratch("whole"), none, folder, NULL}, &wanted, disk, 3);
}

static void test_variants_on_a_full_disk(void **state)
{
    (void)state;
    char disk[320], folder[400];
    text nothing;
    snprintf(disk, sizeof disk, "%s", in_scratch("disk"));
    snprintf(folder, sizeof folder, "%s/out", disk);
    assert_int_equal(mkdir(disk, 0755), 0);
    const char *const kept[] = {"output", in_scratch("kept"), NULL};
    fault_audit audit = {photos, kept, in_scratch("kept"), "perturb"};
    assert_ok(fault_run(&nothing, &audit, NULL, &err));
    const char *const full[] = {"output", folder, NULL};
    audit = (fault_audit){photos, full, folder, "perturb"};
    on_growing_disks(&audit, &nothing, disk, 3);
    text_free(&nothing);
}

static void test_matrix_on_a_full_disk(void **state)
{
    (void)state;
    char disk[320], folder[400];
    const char *const quick[] = {"boot-b", "99", "perm-p", "99", NULL};
    mem m = mem_system();
    text csv, expected;
    snprintf(disk, sizeof disk, "%s", in_scratch("disk"));
    snprintf(folder, sizeof folder, "%s/out", disk);
    assert_int_equal(mkdir(disk, 0755), 0);
    text_init(&csv, &m);
    text_add(&csv, "item,author,judge,score\n");
    for (int k = 0; k < 8 * 9; k++)
        text_add_format(&csv, "i%d,m%d,m%d,%d\n", k / 9, k / 3 % 3, k % 3, k * 7 % 11);
    assert_false(csv.failed);
    write_text("judges.csv", csv.data);
    fault_audit audit = {in_scratch("judges.csv"), quick, NULL, "matrix"};
    fault_reference(&expected, &audit);
    audit.report = folder;
    on_growing_disks(&audit, &expected, disk, 3);
    text_free(&csv);
    text_free(&expected);
}

int main(void)
{
#define IN_SCRATCH(test) cmocka_unit_test_setup_teardown(test, make, unmake)
    const struct CMUnitTest tests[] = {
        IN_SCRATCH(test_output_that_cannot_be_written),
        IN_SCRATCH(test_run_folder_that_became_read_only),
        IN_SCRATCH(test_files_that_may_not_grow),
        IN_SCRATCH(test_full_disk),
        IN_SCRATCH(test_report_on_a_full_disk),
        IN_SCRATCH(test_variants_on_a_full_disk),
        IN_SCRATCH(test_matrix_on_a_full_disk),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
