/* Every allocation of opening and scoring fails once: an error comes out, and nothing leaks. */
#include <string.h>

#include "base/context.h"
#include "base/os.h"
#include "image/image.h"
#include "scorer/scorer.h"
#include "support/check.h"
#include "support/failing_mem.h"

static void open_and_score(const char *spec, const image *pixels)
{
    for (long k = 1;; k++) {
        failing_mem f;
        tare_error err;
        tare_context *c = NULL;
        scorer *s = NULL;
        scorer_result r = {.value = 0};
        scorer_options o = SCORER_OPTIONS_DEFAULT;
        o.batch = strncmp(spec, "planted", 7) == 0 ? 3 : 0; /* padded */
        mem m = failing_mem_start(&f, k);
        tare_context_options options = TARE_CONTEXT_OPTIONS_INIT;
        options.user = m.user;
        options.resize = m.resize;
        options.threads = 1;
        tare_status status = tare_context_new(&c, &options, &err);
        if (status == TARE_OK) status = scorer_open(&s, c, spec, &o, &err);
        scorer_item item = {.key = "k", .base = "b", .arm = "skin", .group = "", .prompt = "",
                            .dose = 0, .attribute = 1, .artifact = 0, .pixels = pixels};
        if (status == TARE_OK) status = scorer_score(s, &r, &item, 1, &err);
        bool failed = failing_mem_failed(&f);
        assert_int_equal(status, failed ? TARE_E_MEMORY : TARE_OK);
        assert_true(status == TARE_OK || isnan(r.value) || r.value == 0);
        scorer_close(s);
        tare_context_free(c);
        assert_int_equal(failing_mem_live(&f), 0);
        if (!failed) {
            assert_int_equal(r.status, TARE_R_NONE);
            assert_true(k > 3);
            break;
        }
    }
}

static void test_backends(void **state)
{
    (void)state;
    mem m = mem_system();
    tare_error err;
    image p;
    char path[] = "/tmp/tare-failing-XXXXXX", spec[64];
    assert_ok(image_new(&p, &m, 32, 32, &err));
    for (int i = 0; i < 3 * 32 * 32; i++) p.rgb[i] = (unsigned char)(i * 2654435761u >> 24);
    open_and_score("planted:dose=1,group=a:2,attribute=1,highfreq=1", &p);
    if (access("/usr/share/opencv4/quality/brisque_model_live.yml", R_OK) == 0)
        open_and_score("brisque:", &p);
    int fd = mkstemp(path);
    assert_true(fd >= 0);
    close(fd);
    const char *text = "base,dose,arm,scorer,score,status\nb,0,skin,s,1.23456,\nb,1,skin,s,,odd\n";
    assert_ok(os_write_file(path, text, strlen(text), &err));
    snprintf(spec, sizeof spec, "table:%s", path);
    open_and_score(spec, NULL);
    unlink(path);
    image_free(&p, &m);
}

static void test_external(void **state)
{
    (void)state;
    mem m = mem_system();
    tare_error err;
    image p;
    assert_ok(image_new(&p, &m, 8, 8, &err));
    memset(p.rgb, 7, 3 * 64);
    /* A scorer in the shell: one greeting, one reply. */
    open_and_score("exec:/bin/sh -c 'read l; echo \"{\\\"name\\\":\\\"sh\\\"}\"; read l; "
                   "echo \"{\\\"id\\\":0,\\\"scores\\\":[{\\\"key\\\":\\\"k\\\","
                   "\\\"score\\\":2.5}]}\"; read l'", &p);
    image_free(&p, &m);
}

int main(void)
{
    const struct CMUnitTest tests[] = {cmocka_unit_test(test_backends),
                                       cmocka_unit_test(test_external)};
    return cmocka_run_group_tests(tests, NULL, NULL);
}
