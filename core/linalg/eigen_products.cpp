#define HYDRA_MAKES_EIGEN_PRODUCTS
#include "core/linalg/eigen_products.h"

HYDRA_EIGEN_PRODUCTS(float, template)
HYDRA_EIGEN_PRODUCTS(double, template)
