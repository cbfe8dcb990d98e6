/* Noncentral t and the chances of verdicts against SciPy 1.17.1 (tests/ref/power_reference.py). */
#include "support/check.h"

#include <string.h>

#include "stats/equivalence.h"
#include "stats/power.h"
#include "stats/special.h"

static void noncentral(void **state)
{
    (void)state;
    static const double rows[][5] = { /* t, df, ncp, cdf, sf */
        {1.5, 1, 0, 0.8128329581890011, 0.18716704181099886},
        {1.97, 1, 2.5, 0.25701080678231825, 0.7429891932176818},
        {-1.97, 1, 2.8, 0.00030268441554758864, 0.9996973155844524},
        {0.3, 1, -1, 0.8887876179886084, 0.11121238201139157},
        {8, 1, 10, 0.2148469474056494, 0.7851530525943506},
        {40, 1, 38, 0.3422630507604755, 0.6577369492395245},
        {0, 1, 3, 0.0013498980316300954, 0.9986501019683699},
        {1.5, 2, 0, 0.8638034375544994, 0.13619656244550055},
        {1.97, 2, 2.5, 0.28094585750124884, 0.7190541424987511},
        {-1.97, 2, 2.8, 9.950323311655202e-05, 0.9999004967668834},
        {0.3, 2, -1, 0.8950756817985438, 0.1049243182014562},
        {8, 2, 10, 0.21641934432495058, 0.7835806556750494},
        {40, 2, 38, 0.4057581879112765, 0.5942418120887235},
        {0, 2, 3, 0.0013498980316300954, 0.9986501019683699},
        {1.5, 3.5, 0, 0.8910909064923275, 0.10890909350767251},
        {1.97, 3.5, 2.5, 0.2909336369688143, 0.7090663630311858},
        {-1.97, 3.5, 2.8, 3.563589486103077e-05, 0.9999643641051389},
        {0.3, 3.5, -1, 0.8983343190112253, 0.10166568098877468},
        {8, 3.5, 10, 0.20039209104971095, 0.799607908950289},
        {40, 3.5, 38, 0.45129185363998137, 0.5487081463600186},
        {0, 3.5, 3, 0.0013498980316300954, 0.9986501019683699},
        {1.5, 8, 0, 0.9139983540240444, 0.08600164597595561},
        {1.97, 8, 2.5, 0.29664345442467305, 0.703356545575327},
        {-1.97, 8, 2.8, 8.439785675615121e-06, 0.9999915602143243},
        {0.3, 8, -1, 0.9010066471911613, 0.09899335280883874},
        {8, 8, 10, 0.15522483116937674, 0.8447751688306233},
        {40, 8, 38, 0.5132077373102395, 0.4867922626897605},
        {0, 8, 3, 0.0013498980316300954, 0.9986501019683699},
        {1.5, 53, 0, 0.9302258685276993, 0.06977413147230076},
        {1.97, 53, 2.5, 0.29813107890195534, 0.7018689210980447},
        {-1.97, 53, 2.8, 1.4445588934633782e-06, 0.9999985554411065},
        {0.3, 53, -1, 0.9028632532380017, 0.09713674676199838},
        {8, 53, 10, 0.054300697254332696, 0.9456993027456673},
        {40, 53, 38, 0.6700941864337631, 0.329905813566237},
        {0, 53, 3, 0.0013498980316300954, 0.9986501019683699},
        {1.5, 209, 0, 0.9324382595506849, 0.06756174044931508},
        {1.97, 209, 2.5, 0.2980875449480438, 0.7019124550519562},
        {-1.97, 209, 2.8, 1.0381803241168303e-06, 0.9999989618196758},
        {0.3, 209, -1, 0.9031140877082174, 0.09688591229178253},
        {8, 209, 10, 0.030702953715839146, 0.9692970462841608},
        {40, 209, 38, 0.8126159945080754, 0.18738400549192455},
        {0, 209, 3, 0.0013498980316300954, 0.9986501019683699},
        {1.5, 10000, 0, 0.9331770140881902, 0.06682298591180982},
        {1.97, 10000, 2.5, 0.2980567163678601, 0.70194328363214},
        {-1.97, 10000, 2.8, 9.234732352260758e-07, 0.9999990765267648},
        {0.3, 10000, -1, 0.9031977289192255, 0.09680227108077452},
        {8, 10000, 10, 0.022912223071873856, 0.9770877769281261},
        {40, 10000, 38, 0.9727979180186994, 0.0272020819813006},
        {0, 10000, 3, 0.0013498980316300954, 0.9986501019683699},
        {1.5, 1000000, 0, 0.9331926408816036, 0.0668073591183964},
        {1.97, 1000000, 2.5, 0.2980559729240429, 0.7019440270759572},
        {-1.97, 1000000, 2.8, 9.211530112313709e-07, 0.9999990788469887},
        {0.3, 1000000, -1, 0.9031994975492161, 0.09680050245078388},
        {8, 1000000, 10, 0.022751751689065406, 0.9772482483109346},
        {40, 1000000, 38, 0.9772061265301881, 0.022793873469811887},
        {0, 1000000, 3, 0.0013498980316300954, 0.9986501019683699},
    };
    for (size_t k = 0; k < sizeof rows / sizeof *rows; k++) {
        const double *r = rows[k];
        double cdf = nct_cdf(r[0], r[1], r[2]), sf = nct_sf(r[0], r[1], r[2]);
        if (!(fabs(cdf - r[3]) <= 1e-11 && fabs(sf - r[4]) <= 1e-11))
            fail_msg("t %g df %g ncp %g: %.17g %.17g", r[0], r[1], r[2], cdf, sf);
    }
}

/* Without ncp it is Student's t; without df the normal. */
static void limits(void **state)
{
    (void)state;
    for (double df = 1; df < 2000; df *= 1.7)
        for (double t = -6; t < 6; t += 0.7)
            assert_true(fabs(nct_cdf(t, df, 0) - t_cdf(t, df)) < 1e-12);
    assert_true(fabs(nct_cdf(1.5, INFINITY, 2) - norm_cdf(-0.5)) < 1e-15);
    assert_true(nct_cdf(INFINITY, 5, 1) == 1 && nct_sf(INFINITY, 5, 1) == 0);
    assert_true(nct_cdf(-INFINITY, 5, 1) == 0 && nct_sf(-INFINITY, 5, 1) == 1);
    assert_true(isnan(nct_cdf(NAN, 5, 1)) && isnan(nct_cdf(1, 0.5, 1)) && isnan(nct_sf(1, 5, NAN)));
    assert_true(isnan(power_two_sided(1, 5, 0)) && isnan(power_equivalence(0, 0, 5, .05)));
    assert_true(isnan(power_negligible(NAN, 0, 5, .05, .05)) && isnan(power_shift(1, 5, .05)));
}

static void verdicts(void **state)
{
    (void)state;
    static const double equivalence[][5] = { /* shift, width, df, alpha */
        {0, 3.5, 8, 0.05, 0.8763433020599913},
        {1, 4, 19, 0.05, 0.8927960014916191},
        {0, 2, 5, 0.1, 0.4341451978752438},
        {3, 3, 209, 0.05, 0.049992732023791966},
    };
    for (size_t k = 0; k < sizeof equivalence / sizeof *equivalence; k++) {
        const double *r = equivalence[k];
        assert_true(fabs(power_equivalence(r[0], r[1], r[2], r[3]) - r[4]) < 1e-9);
    }
    static const double negligible[][5] = { /* width, df, alpha, level */
        {3.5, 8, 0.05, 0.05, 0.8483831680316765},
        {4, 19, 0.05, 0.05, 0.9387466414537432},
        {3, 53, 0.05, 0.01, 0.8119882947366335},
    };
    for (size_t k = 0; k < sizeof negligible / sizeof *negligible; k++) {
        const double *r = negligible[k];
        assert_true(fabs(power_negligible(r[0], 0, r[1], r[2], r[3]) - r[4]) < 1e-9);
    }
}

/* A test without an effect finds one in alpha of cases; the inverse inverts; statistics 7 measured
 * .799, .800, .800 at its own formula. */
static void inverse(void **state)
{
    (void)state;
    static const double df[] = {5, 8, 29, 209, 53.7};
    for (size_t k = 0; k < sizeof df / sizeof *df; k++) {
        assert_true(fabs(power_two_sided(0, df[k], .05) - .05) < 1e-12);
        double shift = power_shift(.8, df[k], .05);
        assert_true(fabs(power_two_sided(shift, df[k], .05) - .8) < 1e-11);
        assert_true(fabs(power_two_sided(-shift, df[k], .05) - .8) < 1e-11);
    }
    static const double clusters[] = {9, 30, 210}, measured[] = {.799, .800, .800};
    for (size_t k = 0; k < 3; k++) {
        double mde = detectable_effect(1, clusters[k] - 1, .05, .8);
        assert_true(fabs(power_two_sided(mde, clusters[k] - 1, .05) - measured[k]) < .002);
    }
    assert_true(power_shift(.04, 8, .05) == 0);
}

static int from_bound(size_t n, const void *user)
{
    return n >= *(const size_t *)user;
}

static void integers(void **state)
{
    (void)state;
    for (size_t bound = 0; bound < 70; bound++) {
        size_t want = bound < 6 ? 6 : bound > 50 ? 51 : bound;
        assert_int_equal(least_enough(from_bound, &bound, 6, 50), want);
    }
    size_t one = 7;
    assert_int_equal(least_enough(from_bound, &one, 7, 7), 7);
}

int main(void)
{
    const struct CMUnitTest tests[] = {cmocka_unit_test(noncentral), cmocka_unit_test(limits),
                                       cmocka_unit_test(verdicts), cmocka_unit_test(inverse),
                                       cmocka_unit_test(integers)};
    return cmocka_run_group_tests(tests, NULL, NULL);
}
