// SPDX-License-Identifier: Apache-2.0
// Cholesky factors, for LAPACK's routine and for StableHLO's operation.
#pragma once

#include "worker/lapack/families.h"

namespace understudy::worker::lapack {

// One matrix: A = L L^H, or U^H U. OpenBLAS factors a lower triangle in half the time of an upper
// one (0.3.21, AVX-512: 512 x 512 in 0.67 and 1.25 ms), so an upper one is never asked for where
// transposing twice costs less.
template <class T>
class CholeskyFactor {
 public:
  CholeskyFactor(int n, bool lower)
      : n_(n), lower_(lower), turned_(lower && n >= kLeastTurned), a_(count(n, n)) {}

  // Reads and factors matrix `batch` of the first operand; LAPACK's info.
  int factor(Call<T>& call, std::size_t batch) {
    // In column-major order a matrix is its transpose, of which the other triangle is factored:
    // A^T = U^H U gives A = L L^H with L = U^T. Then nothing is transposed.
    if (turned_) {
      call.read(0, batch, a_.data(), n_, n_);
    } else {
      call.read_plain(0, batch, a_.data(), count(n_, n_));
    }
    const char uplo = lower_ && !turned_ ? 'U' : 'L';
    const int lda = leading(n_);
    int info = 0;
    routines<T>().potrf(&uplo, &n_, a_.data(), &lda, &info, 1);
    return info;
  }

  // Zeros beside the factor. A matrix that is not positive definite has none: its triangle is NaN.
  void clear_rest(bool failed) {
    const bool keeps_end = !lower_ || turned_;  // of each line in memory
    for (int r = 0; r < n_; ++r) {
      T* const line = a_.data() + count(r, n_);
      T* const diagonal = line + r;
      T* const end = line + n_;
      if (keeps_end) {
        std::fill(line, diagonal, T{});
        if (failed) std::fill(diagonal, end, not_a_number<T>());
      } else {
        std::fill(diagonal + 1, end, T{});
        if (failed) std::fill(line, diagonal + 1, not_a_number<T>());
      }
    }
  }

  void write(Call<T>& call, std::size_t batch) {
    if (turned_) {
      call.write(0, batch, a_.data(), n_, n_);
    } else {
      call.write_plain(0, batch, a_.data(), count(n_, n_));
    }
  }

 private:
  static constexpr int kLeastTurned = 64;
  const int n_;
  const bool lower_, turned_;
  Block<T> a_;
};

}  // namespace understudy::worker::lapack
