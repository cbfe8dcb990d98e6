/* Two settings side by side on their common items (judge audits A.7), several dims, and the same
 * bytes for any number of threads and order of rows. */
#include "support/check.h"

#include <string.h>

#include "audit/matrix/matrix_numbers.h"
#include "matrix_fixture.h"

static tare_error err;

enum { N = 5, COMMON_FROM = 10, ITEMS = 70 };

/* Judge 1 favours its own model by 1.2 with a reference (setting "ref"), by 0 without ("free"). */
static double score(int setting, int i, int g, int e)
{
    uint32_t n = (uint32_t)(((setting * 100 + i) * N + g) * N + e);
    double shared = matrix_bench_gauss(5, (uint32_t)((i * N + g) * N + e));
    return 3 + .5 * g - .3 * e + shared + .3 * matrix_bench_gauss(6, n) +
           (setting && g == 1 && e == 1 ? 1.2 : 0);
}

/* Items 0..59 are there without, 10..69 with a reference. */
static void put_row(text *t, const char *dim, int setting, int i, int g, int e)
{
    text_add_format(t, "%s,%s,i%02d,m%d,m%d,%.17g\n", dim, setting ? "ref" : "free", i, g, e,
                    score(setting, i, g, e));
}

static void put(matrix_bench *b, bool turned)
{
    text_clear(&b->csv);
    text_add(&b->csv, "dim,setting,item,author,judge,score\n");
    int rows = 2 * ITEMS * N * N;
    for (int r = 0; r < rows; r++) {
        int k = turned ? (int)(((int64_t)r * 1231 + 17) % rows) : r; /* 1231 is prime to rows */
        int setting = k / (ITEMS * N * N), i = k / (N * N) % ITEMS, g = k / N % N, e = k % N;
        if (setting ? i < COMMON_FROM : i >= ITEMS - COMMON_FROM) continue;
        put_row(&b->csv, "style", setting, i, g, e);
    }
}

static double contrast(int setting, int j)
{
    double sum = 0, phi[N * N];
    for (int i = COMMON_FROM; i < ITEMS - COMMON_FROM; i++) {
        for (int c = 0; c < N * N; c++) phi[c] = score(setting, i, c / N, c % N);
        matrix_contrast c = {(size_t)j, (size_t)j, NULL, NULL};
        sum += matrix_contrast_of(phi, N, N, &c);
    }
    return sum / (ITEMS - 2 * COMMON_FROM);
}

static void difference(void **state)
{
    matrix_bench b;
    (void)state;
    matrix_bench_open(&b, 2);
    put(&b, false);
    assert_ok(matrix_bench_run(&b, NULL, NULL, &err));
    for (int j = 0; j < N; j++) {
        char name[8];
        snprintf(name, sizeof name, "m%d", j);
        const tare_reading *x = matrix_bench_reading(&b, "settings", "D", name, NULL);
        assert_string_equal(x->arm, "free minus ref");
        assert_string_equal(x->grid, "settings");
        assert_int_equal(x->n_base, ITEMS - 2 * COMMON_FROM);
        assert_close(x->estimate, contrast(0, j) - contrast(1, j));
        /* The noise that settings share cancels: SD of an item's difference is .3 sqrt(2) times
         * the weight of its cells, N/(N-1). */
        double se = .3 * sqrt(2) * N / (N - 1.0) / sqrt(50);
        assert_within(x->se, se, .35, 0);
        assert_int_equal(x->verdict == TARE_FOUND, j == 1);
        const tare_reading *r = matrix_bench_reading(&b, "settings", "R", name, NULL);
        assert_close(r->estimate * N / (N - 1.0) * N / (N - 1.0), x->estimate);
        assert_int_equal(r->verdict, TARE_DESCRIPTIVE);
    }
    char *text = matrix_bench_sentences(&b);
    assert_non_null(strstr(text, "Under ref more than under free m1 favours its own model"));
    mem_free(&b.m, text);
    matrix_bench_close(&b);
}

static void dims_apart(void **state)
{
    matrix_bench b;
    (void)state;
    matrix_bench_open(&b, 2);
    put(&b, false);
    for (int i = 0; i < 40; i++)
        for (int g = 0; g < N; g++)
            for (int e = 0; e < N; e++) put_row(&b.csv, "content", 0, i, g, e);
    assert_ok(matrix_bench_run(&b, NULL, NULL, &err));
    size_t content = 0, pairs = 0;
    for (size_t i = 0; i < b.job->result.reading_count; i++) {
        const tare_reading *x = &b.job->result.readings[i];
        if (strcmp(x->name, "D")) continue;
        content += !strcmp(x->family, "self") && !strcmp(x->dim, "content");
        pairs += !strcmp(x->family, "settings");
        if (!strcmp(x->family, "self") && !strcmp(x->dim, "content"))
            assert_string_equal(x->grid, "self (free, content)");
    }
    assert_int_equal(content, N);
    assert_int_equal(pairs, N);
    matrix_bench_close(&b);
}

static char *dump(unsigned threads, bool turned)
{
    static const char *const options[] = {"boot-b=499", "perm-p=499", "block-perm=499", NULL};
    static const char *const family[N] = {"x", "x", "y", "y", "z"};
    matrix_bench b;
    matrix_bench_open(&b, threads);
    put(&b, turned);
    text_add(&b.roster, "id,family\n");
    for (int j = 0; j < N; j++) text_add_format(&b.roster, "m%d,%s\n", j, family[j]);
    assert_ok(matrix_bench_run(&b, NULL, options, &err));
    char *text = matrix_bench_dump(&b);
    matrix_bench_close(&b);
    return text;
}

static void same_bytes(void **state)
{
    static const unsigned threads[3] = {2, 3, 8};
    mem m = mem_system();
    (void)state;
    char *first = dump(1, false);
    for (int k = 0; k < 4; k++) {
        char *other = dump(k < 3 ? threads[k] : 2, k == 3);
        assert_string_equal(first, other);
        mem_free(&m, other);
    }
    mem_free(&m, first);
}

int main(void)
{
    const struct CMUnitTest tests[] = {cmocka_unit_test(difference), cmocka_unit_test(dims_apart),
                                       cmocka_unit_test(same_bytes)};
    return cmocka_run_group_tests(tests, NULL, NULL);
}
