/* infer_fixture.h - a plan over numbered clusters, for the tests of infer.h. */
#ifndef TESTS_INFER_FIXTURE_H
#define TESTS_INFER_FIXTURE_H

#include <string.h>

#include "base/rng.h"
#include "stats/infer.h"
#include "stats/special.h"
#include "support/check.h"

enum { MOST = 400 };

typedef struct fixture {
    mem m;
    pool *pool;
    arena keep;
    char names[MOST][8];
    const char *ids[MOST];
    uint32_t each[MOST]; /* cluster i of row i */
    infer_plan plan;
} fixture;

static inline void fixture_init(fixture *f, const char *analysis, size_t clusters, unsigned threads)
{
    f->m = mem_system();
    f->pool = pool_new(&f->m, threads);
    arena_init(&f->keep, &f->m);
    for (size_t i = 0; i < clusters; i++) {
        snprintf(f->names[i], sizeof f->names[i], clusters < 10 ? "%zu" : "%04zu", i + 1);
        f->ids[i] = f->names[i];
        f->each[i] = (uint32_t)i;
    }
    f->plan = (infer_plan){.m = &f->m, .pool = f->pool, .seed = 1, .analysis = analysis,
                           .clusters = clusters, .ids = f->ids, .boot_b = 999, .perm_p = 999,
                           .alpha = .05, .power = .8};
}

static inline void fixture_free(fixture *f)
{
    arena_free(&f->keep);
    pool_free(f->pool);
}

static inline void normals(double *x, size_t n, const char *name, double mean)
{
    rng_stream s;
    rng_start(&s, rng_key_of(1, name), 0, 0);
    for (size_t i = 0; i < n; i++) x[i] = mean + norm_quantile(rng_uniform_open(&s));
}

static inline inference mean_of(const infer_plan *plan, const double *x, const bool *used,
                         const uint32_t *cluster, size_t n, arena *keep)
{
    inference r;
    tare_error err;
    infer_column column = {x, used};
    infer_rows rows = {cluster, n};
    assert_ok(infer_mean(&r, plan, &column, &rows, keep, &err));
    return r;
}

/* Total 0 over total 1. */
static inline double ratio(const double *total, size_t p, const void *user)
{
    (void)user;
    return p == 2 && total[1] != 0 ? total[0] / total[1] : NAN;
}

#endif
