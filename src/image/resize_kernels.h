/* resize_kernels.h - the interpolation kernels; internal to image/. */
#ifndef IMAGE_RESIZE_KERNELS_H
#define IMAGE_RESIZE_KERNELS_H

#include "image/resize.h"

double resize_support(resize_kernel kernel);
double resize_weight(resize_kernel kernel, double x);

#endif
