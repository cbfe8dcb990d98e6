/* special.h - distribution functions, written for the accuracy table of statistics 14.
 *
 * All are pure. An argument outside the domain (NaN, df <= 0, p outside [0, 1]) gives NaN.
 * Methods: erfc and the normal by continued fraction and series; log gamma by Stirling's series
 * with its correction kept apart, so that log beta loses nothing for large arguments; incomplete
 * beta and gamma by series and Lentz continued fractions. libm's lgamma is not used: it writes a
 * global. */
#ifndef STATS_SPECIAL_H
#define STATS_SPECIAL_H

/* Standard normal: density, P(Z <= x), P(Z > x). Relative error below 1e-14 for cdf down to
 * x = -37. */
double norm_pdf(double x);
double norm_cdf(double x);
double norm_sf(double x);
/* z with P(Z <= z) = p; 0 and 1 give -+infinity. Odd about 1/2 to the bit for p = 1 - p'. */
double norm_quantile(double p);
/* 1 - erf(x), relative error below 1e-14 wherever the result is a normal number. */
double erfc_precise(double x);

/* log Gamma(x), x > 0. Absolute error below 1e-13 near the zeros 1 and 2, relative elsewhere. */
double log_gamma(double x);
/* log Gamma(x) - [(x - 1/2) log x - x + log(2 pi)/2], x > 0: Stirling's correction. */
double log_gamma_correction(double x);
/* Gamma(x), x > 0 (infinity above 171.6), and Gamma(a)/Gamma(b) without overflow in between. */
double gamma_value(double x);
double gamma_ratio(double a, double b);
/* log B(a, b), a, b > 0. */
double log_beta(double a, double b);

/* Regularised incomplete beta I_x(a, b) and its complement 1 - I_x(a, b). 0 <= x <= 1; a, b > 0. */
double beta_inc(double x, double a, double b);
double beta_inc_upper(double x, double a, double b);
/* Regularised incomplete gamma P(a, x), Q(a, x) = 1 - P(a, x). a > 0, x >= 0. */
double gamma_inc(double a, double x);
double gamma_inc_upper(double a, double x);

/* Student t with df > 0 (any real; infinity: normal): P(T <= t), P(T > t), P(|T| >= |t|). */
double t_cdf(double t, double df);
double t_sf(double t, double df);
double t_p(double t, double df);
/* t with P(T <= t) = p. 0 and 1 give -+infinity. */
double t_quantile(double p, double df);

/* Upper tails: P(F >= f) with df1, df2 and P(X >= x) of chi-squared. */
double f_sf(double f, double df1, double df2);
double chi2_sf(double x, double df);

#endif
