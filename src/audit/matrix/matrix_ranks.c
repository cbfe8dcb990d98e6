#include "audit/matrix/matrix_ranks.h"

#include "stats/moments.h"
#include "stats/rank.h"

/* 1 + how many are better + half of how many are equal. x[g * stride]. */
static double rank_among(const double *x, size_t n, size_t stride, size_t of)
{
    double rank = 1, own = rank_key(x[of * stride]);
    for (size_t g = 0; g < n; g++) {
        double other = rank_key(x[g * stride]);
        if (g != of) rank += other > own ? 1 : other == own ? 0.5 : 0;
    }
    return rank;
}

static double peer_mean(const matrix_view *v, size_t author, size_t judge)
{
    neumaier sum = {0, 0};
    for (size_t e = 0; e < v->E; e++)
        if (e != judge) neumaier_add(&sum, v->phi[author * v->E + e]);
    return neumaier_total(&sum) / ((double)v->E - 1);
}

void matrix_view_ranks(matrix_view *v)
{
    for (size_t k = 0; k < v->K; k++) {
        matrix_self *x = &v->self[k];
        double own = rank_key(peer_mean(v, x->author, x->judge)), peers = 1;
        neumaier each = {0, 0};
        for (size_t g = 0; g < v->G; g++) {
            double other = rank_key(peer_mean(v, g, x->judge));
            if (g != x->author) peers += other > own ? 1 : other == own ? 0.5 : 0;
        }
        for (size_t e = 0; e < v->E; e++)
            if (e != x->judge) neumaier_add(&each, rank_among(v->phi + e, v->G, v->E, x->author));
        x->rank_own = rank_among(v->phi + x->judge, v->G, v->E, x->author);
        x->rank_peers = peers;
        x->rank_share = (peers - x->rank_own) / (double)v->G;
        x->rank_bias = x->rank_own - neumaier_total(&each) / ((double)v->E - 1);
    }
}
