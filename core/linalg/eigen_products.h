// The inner parts of Eigen's products, made in eigen_products.cpp for all files that read this: they take the compiler
// some seconds in every file that multiplies matrices. matmul.cpp and core/ops make their own.
#pragma once
#include "core/linalg/types.h"

#define HYDRA_EIGEN_PRODUCTS(S, WORD)                                                                               \
  WORD struct Eigen::internal::gebp_kernel<                                                                         \
      S, S, Eigen::Index, Eigen::internal::blas_data_mapper<S, Eigen::Index, Eigen::ColMajor, Eigen::Unaligned, 1>, \
      Eigen::internal::gebp_traits<S, S>::mr, Eigen::internal::gebp_traits<S, S>::nr, false, false>;                \
  WORD struct Eigen::internal::gemm_pack_rhs<                                                                       \
      S, Eigen::Index, Eigen::internal::const_blas_data_mapper<S, Eigen::Index, Eigen::ColMajor>,                   \
      Eigen::internal::gebp_traits<S, S>::nr, Eigen::ColMajor, false, false>;                                       \
  WORD struct Eigen::internal::gemm_pack_rhs<                                                                       \
      S, Eigen::Index, Eigen::internal::const_blas_data_mapper<S, Eigen::Index, Eigen::RowMajor>,                   \
      Eigen::internal::gebp_traits<S, S>::nr, Eigen::RowMajor, false, false>;                                       \
  WORD struct Eigen::internal::gemm_pack_lhs<                                                                       \
      S, Eigen::Index, Eigen::internal::const_blas_data_mapper<S, Eigen::Index, Eigen::ColMajor>,                   \
      Eigen::internal::gebp_traits<S, S>::mr, Eigen::internal::gebp_traits<S, S>::LhsProgress,                      \
      Eigen::internal::gebp_traits<S, S>::LhsPacket4Packing, Eigen::ColMajor, false, false>;                        \
  WORD struct Eigen::internal::gemm_pack_lhs<                                                                       \
      S, Eigen::Index, Eigen::internal::const_blas_data_mapper<S, Eigen::Index, Eigen::RowMajor>,                   \
      Eigen::internal::gebp_traits<S, S>::mr, Eigen::internal::gebp_traits<S, S>::LhsProgress,                      \
      Eigen::internal::gebp_traits<S, S>::LhsPacket4Packing, Eigen::RowMajor, false, false>;

#ifndef HYDRA_MAKES_EIGEN_PRODUCTS
HYDRA_EIGEN_PRODUCTS(float, extern template)
HYDRA_EIGEN_PRODUCTS(double, extern template)
#endif
