/* Coverage of the cluster interval of tau_b (judge audits C.10): 5 rows per cluster that share an
 * effect on both sides, 60 clusters, ties on the human side. The value covered is that of a very
 * large table. */
#include <math.h>

#include "audit/agree/agree.h"
#include "base/rng.h"
#include "stats/special.h"
#include "support/check.h"

enum { CLUSTERS = 60, ROWS = 5, TABLES = 1000, LARGE = 400000 };

/* Normal draw number `k` of a stream. */
static double draw(rng_stream *s)
{
    return norm_quantile(rng_uniform_open(s));
}

/* Judge x and people y of the rows of one cluster: y in five categories. */
static void cluster_rows(double *x, double *y, rng_stream *s)
{
    double shared = draw(s), own = draw(s);
    for (int r = 0; r < ROWS; r++) {
        double truth = 0.7 * shared + 0.7 * draw(s);
        x[r] = truth + 0.5 * own + 0.5 * draw(s);
        y[r] = floor(fmax(0, fmin(4, 2.5 + truth + 0.5 * draw(s))));
    }
}

static void make_table(double *x, double *y, size_t clusters, uint32_t table)
{
    rng_stream s;
    for (size_t c = 0; c < clusters; c++) {
        rng_start(&s, rng_key_of(7, "bands"), table, c);
        cluster_rows(x + c * ROWS, y + c * ROWS, &s);
    }
}

static double large_value(const mem *m)
{
    tare_error err = {0};
    kendall k;
    double *x = malloc(LARGE * sizeof *x), *y = malloc(LARGE * sizeof *y);
    assert_non_null(x);
    assert_non_null(y);
    make_table(x, y, LARGE / ROWS, TABLES + 1);
    assert_ok(kendall_tau(&k, x, y, LARGE, m, &err));
    free(x);
    free(y);
    return k.tau_b;
}

static void cluster_interval_covers(void **state)
{
    (void)state;
    tare_error err = {0};
    mem m = mem_system();
    audit_result out;
    tare_context *context;
    tare_context_options options = TARE_CONTEXT_OPTIONS_INIT;
    char names[CLUSTERS][8];
    const char *ids[CLUSTERS];
    uint32_t cluster[CLUSTERS * ROWS];
    double x[CLUSTERS * ROWS], y[CLUSTERS * ROWS];
    size_t covered = 0;
    assert_ok(tare_context_new(&context, &options, &err));
    for (int c = 0; c < CLUSTERS; c++) {
        snprintf(names[c], sizeof names[c], "i%03d", c);
        ids[c] = names[c];
        for (int r = 0; r < ROWS; r++) cluster[c * ROWS + r] = (uint32_t)c;
    }
    double truth = large_value(&m);
    for (uint32_t t = 0; t < TABLES; t++) {
        agree g = {.context = context, .out = &out, .m = &m};
        inference inf[COEFS];
        result_init(&out, &m);
        book_options book = {.seed = t, .boot_b = 399, .perm_p = 99, .alpha = .05, .ci = "auto",
                             .boot_p = "centred", .fdr = "bh", .margin = NAN};
        assert_ok(book_open(&g.b, &out, context, &book, &err));
        g.a = &g.b.scratch;
        cluster_set set = {.count = CLUSTERS, .plan = book_plan(&g.b, "items", ids, CLUSTERS)};
        sample s = {.n = CLUSTERS * ROWS, .cluster = cluster, .set = &set, .clusters = CLUSTERS};
        make_table(x, y, CLUSTERS, t);
        const double *const xy[2] = {x, y};
        assert_ok(coefficients_infer(inf, &g, &s, xy, 2, g.a, &err));
        covered += inf[COEF_TAU_B].lo <= truth && truth <= inf[COEF_TAU_B].hi;
        book_close(&g.b);
        result_free(&out);
    }
    tare_context_free(context);
    double rate = (double)covered / TABLES;
    printf("coverage %.3f of tau_b %.4f\n", rate, truth);
    if (rate < .93 || rate > .97) fail_msg("the interval covers %.3f", rate);
}

int main(void)
{
    const struct CMUnitTest tests[] = {cmocka_unit_test(cluster_interval_covers)};
    return cmocka_run_group_tests(tests, NULL, NULL);
}
