/* Every allocation of a base and of its variants fails once: an error comes out, nothing leaks. */
#include <string.h>

#include "base/error.h"
#include "perturb/perturb.h"
#include "support/check.h"
#include "support/failing_mem.h"

enum { W = 90, H = 110 };

static unsigned char rgb[3 * W * H], person[W * H];

/* Noise on skin: a JPEG of it outgrows its first buffer. */
static void paint(void)
{
    uint32_t s = 7;
    for (int i = 0; i < W * H; i++) {
        for (int c = 0; c < 3; c++) {
            s = s * 1664525 + 1013904223;
            rgb[3 * i + c] = (unsigned char)(170 - 30 * c + (s >> 24) % 60);
        }
        person[i] = i % W > 20 && i % W < 60;
    }
}

static tare_status make(const mem *m, const perturb_operator *op, const perturb_options *o,
                        tare_error *err)
{
    tare_status status = TARE_OK;
    const image photo = {.width = W, .height = H, .channels = 3, .rgb = rgb};
    const perturb_guides guides = {.silhouette = person};
    perturb_base base = {0};
    perturb_variant v = {0};
    TRY(perturb_base_make(&base, m, &photo, &guides, "x", o, err));
    TRY(perturb_variant_make(&v, &base, op, op->doses[1], err));
done:
    perturb_variant_free(&v, m);
    perturb_base_free(&base);
    return status;
}

static void fail_each(const perturb_operator *op, const perturb_options *o)
{
    int spared = strcmp(op->name, "codec") == 0; /* the decoder keeps a block it cannot shrink */
    for (long k = 1;; k++) {
        failing_mem f;
        mem m = failing_mem_start(&f, k);
        tare_error err = {TARE_OK, "", "", ""};
        tare_status status = make(&m, op, o, &err);
        bool failed = failing_mem_failed(&f);
        if (failing_mem_live(&f) != 0) fail_msg("%s: k = %ld leaks", op->name, k);
        if (failed && status == TARE_OK && spared-- > 0) continue;
        if (status != (failed ? TARE_E_MEMORY : TARE_OK))
            fail_msg("%s: k = %ld: status %d %s", op->name, k, (int)status, err.message);
        if (failed) continue;
        assert_true(k > 12);
        return;
    }
}

static void every_operator(void **state)
{
    (void)state;
    for (size_t i = 0; perturb_operator_at(i) != NULL; i++)
        for (int more = 0; more < 4; more++) {
            perturb_options o = PERTURB_OPTIONS_DEFAULT;
            o.whole = o.sets = true;
            o.form = more & 1 ? ITA_MEDIAN : ITA_MEAN;
            o.resegment = more & 2;
            fail_each(perturb_operator_at(i), &o);
        }
}

int main(void)
{
    paint();
    const struct CMUnitTest tests[] = {cmocka_unit_test(every_operator)};
    return cmocka_run_group_tests(tests, NULL, NULL);
}
