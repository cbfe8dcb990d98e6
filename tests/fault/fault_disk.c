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
    fault_reference(&wanted, &(fault_audit){photos, options, NULL});
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
    return (fault_audit){photos, options, NULL};
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

static void test_full_disk(void **state)
{
    (void)state;
    static const unsigned kilobytes[] = {4, 16, 40, 64, 96, 128, 160, 192, 224, 256, 288, 320, 384,
                                         448, 512};
    int refused = 0, finished = 0;
    char disk[320];
    snprintf(disk, sizeof disk, "%s", in_scratch("disk"));
    assert_int_equal(mkdir(disk, 0755), 0);
    for (size_t k = 0; k < sizeof kilobytes / sizeof *kilobytes; k++) {
        char size[32], folder[400];
        snprintf(size, sizeof size, "size=%uk", kilobytes[k]);
        if (mount("tare-test", disk, "tmpfs", 0, size)) {
            print_message("skipped: a small file system cannot be mounted: %s\n",
                          strerror(errno));
            skip();
        }
        snprintf(folder, sizeof folder, "%s/out", disk);
        fault_audit audit = into(folder);
        tare_status status = fault_run(NULL, &audit, NULL, &err);
        tare_error first = err;
        bool grown = mount("tare-test", disk, "tmpfs", MS_REMOUNT, "size=64m") == 0;
        text got;
        tare_status after = fault_run(&got, &audit, NULL, &err);
        bool same = after == TARE_OK && !strcmp(got.data, wanted.data);
        text_free(&got);
        assert_int_equal(umount(disk), 0); /* before anything can fail */
        assert_true(grown);
        if (!same) fail_msg("%s, then [%s] %s", size, err.code, err.message);
        err = first;
        if (status) must_be_io(status, size);
        refused += status != TARE_OK;
        finished += status == TARE_OK;
    }
    assert_true(refused >= 3 && finished >= 1);
}

int main(void)
{
#define IN_SCRATCH(test) cmocka_unit_test_setup_teardown(test, make, unmake)
    const struct CMUnitTest tests[] = {
        IN_SCRATCH(test_output_that_cannot_be_written),
        IN_SCRATCH(test_run_folder_that_became_read_only),
        IN_SCRATCH(test_files_that_may_not_grow),
        IN_SCRATCH(test_full_disk),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
