/* Shape of a generalised Gaussian by moment matching on a grid (scorers 3.5, step 5). */
#include "scorer/brisque.h"
#include "stats/special.h"

void brisque_shapes_fill(brisque_model *model)
{
    double g = 0.2;
    /* The grid points carry the rounding of 9800 additions, as in the published search. */
    for (size_t k = 0; k < BRISQUE_SHAPES; k++, g += 0.001) {
        double two = gamma_value(2.0 / g);
        model->shape[k] = g;
        model->ratio[k] = two * two / (gamma_value(1.0 / g) * gamma_value(3.0 / g));
    }
}

/* The ratio rises strictly with the shape: a bisection finds what a linear search would. */
double brisque_shape_of(const brisque_model *model, double r)
{
    size_t low = 0, high = BRISQUE_SHAPES - 1;
    if (!(r > model->ratio[low])) return model->shape[low];
    if (r >= model->ratio[high]) return model->shape[high];
    while (high - low > 1) {
        size_t middle = low + (high - low) / 2;
        if (model->ratio[middle] <= r) low = middle;
        else high = middle;
    }
    return model->shape[r - model->ratio[low] < model->ratio[high] - r ? low : high];
}
