// SPDX-License-Identifier: Apache-2.0
// Solves with tridiagonal matrices. As JAX stores them, all three diagonals have n elements: the
// first of the lower one and the last of the upper one are not used.
#include <array>

#include "worker/lapack/families.h"

namespace understudy::worker::lapack {

namespace {

template <class T>
void gtsv(const program::Lapack&, Call<T>& call) {
  const int n = call.in_size(0, 0), right_sides = call.in_size(3, 0);
  const int ldb = leading(n);
  Block<T> lower(count(n)), diagonal(count(n)), upper(count(n)), b(count(n, right_sides));
  for (std::size_t i = 0; i < call.batches(); ++i) {
    int info = 0;
    call.read_plain(0, i, lower.data(), count(n));
    call.read_plain(1, i, diagonal.data(), count(n));
    call.read_plain(2, i, upper.data(), count(n));
    call.read(3, i, b.data(), n, right_sides);
    if (n > 0)
      routines<T>().gtsv(&n, &right_sides, lower.data() + 1, diagonal.data(), upper.data(),
                         b.data(), &ldb, &info);
    call.write_plain(0, i, lower.data(), count(n));
    call.write_plain(1, i, diagonal.data(), count(n));
    call.write_plain(2, i, upper.data(), count(n));
    call.write(3, i, b.data(), n, right_sides);
    call.write_info(4, i, info);
  }
}

// ---- nearly singular matrices ------------------------------------------------------------------

// Gaussian elimination with row exchanges of T x = b, with pivots kept so large that no quotient
// overflows: LAPACK's xLAGTF and xLAGTS (job -1), for several right sides at once. Used for inverse
// iteration, where T is singular on purpose. Rows of b are contiguous.
template <class T>
class Perturbed {
 public:
  using R = Real<T>;
  Perturbed(int n, int right_sides)
      : n_(count(n)), sides_(count(right_sides)), u_(3 * n_), b_(n_ * sides_) {}

  T* b() { return b_.data(); }

  void solve(const Block<T>& lower, const Block<T>& diagonal, const Block<T>& upper) {
    if (n_ == 0) return;
    eliminate(lower, diagonal, upper);
    R largest = 0;
    for (std::size_t i = 0; i < 3 * n_; ++i) largest = std::max(largest, std::abs(u_[i]));
    const R shift = std::numeric_limits<R>::epsilon() * largest;
    for (std::size_t k = n_; k-- > 0;) {
      T* const row = b() + k * sides_;
      for (std::size_t ahead = 1; ahead <= 2 && k + ahead < n_; ++ahead)
        for (std::size_t c = 0; c < sides_; ++c)
          row[c] -= u_[3 * k + ahead] * row[ahead * sides_ + c];
      const T inverse = T(1) / safe_pivot(u_[3 * k], shift, row);
      for (std::size_t c = 0; c < sides_; ++c) row[c] *= inverse;
    }
  }

 private:
  static constexpr R kSmallest = std::numeric_limits<R>::min();

  void swap_and_subtract(T factor, T* above, T* below) const {
    for (std::size_t c = 0; c < sides_; ++c) {
      const T swapped = below[c];
      below[c] = above[c] - factor * swapped;
      above[c] = swapped;
    }
  }

  // u_ gets the rows of the upper factor: the diagonal and the two next ones.
  void eliminate(const Block<T>& lower, const Block<T>& diagonal, const Block<T>& upper) {
    std::fill(u_.data(), u_.data() + 3 * n_, T(0));
    u_[0] = diagonal[0];
    u_[1] = n_ > 1 ? upper[0] : T(0);
    R scale = std::abs(u_[0]) + std::abs(u_[1]);
    for (std::size_t k = 0; k + 1 < n_; ++k) {
      T* const above = u_.data() + 3 * k;
      T* const below = above + 3;
      T* const b_above = b() + k * sides_;
      T* const b_below = b_above + sides_;
      const T left = lower[k + 1];
      const T next = k + 2 < n_ ? upper[k + 1] : T(0);
      const R below_scale = std::abs(left) + std::abs(diagonal[k + 1]) + std::abs(next);
      below[0] = diagonal[k + 1];
      below[1] = next;
      if (left == T(0)) {
        scale = below_scale;
        continue;
      }
      // The row whose entry is larger, relative to its own size, is the pivot.
      const R upper_weight = above[0] == T(0) ? R(0) : std::abs(above[0]) / scale;
      if (std::abs(left) / below_scale <= upper_weight) {
        const T factor = left / above[0];
        below[0] -= factor * above[1];
        for (std::size_t c = 0; c < sides_; ++c) b_below[c] -= factor * b_above[c];
        scale = below_scale;
        continue;
      }
      const T factor = above[0] / left;
      const T old = above[1];
      above[0] = left;
      above[1] = diagonal[k + 1];
      above[2] = next;
      below[0] = old - factor * diagonal[k + 1];
      below[1] = -factor * next;
      swap_and_subtract(factor, b_above, b_below);
      scale = std::abs(below[0]) + std::abs(below[1]);
    }
  }

  // The pivot, moved away from 0 by shift, 2 shift, 4 shift ... until row / pivot is finite; a tiny
  // pivot of a tiny row is scaled up with the row instead.
  T safe_pivot(T pivot, R shift, T* row) const {
    const R least = kSmallest;
    const R most = R(1) / least;
    shift = std::copysign(std::max(shift, least), std::real(pivot));
    R largest = 0;
    for (std::size_t c = 0; c < sides_; ++c) largest = std::max(largest, std::abs(row[c]));
    for (R size = std::abs(pivot); size < 1; size = std::abs(pivot)) {
      if (size < least && size > 0 && largest * least <= size) {
        for (std::size_t c = 0; c < sides_; ++c) row[c] *= most;
        return pivot * most;
      }
      if (size >= least && largest <= size * most) break;
      pivot += shift;
      shift *= 2;
    }
    return pivot;
  }

  std::size_t n_, sides_;
  Block<T> u_, b_;
};

template <class T>
void gtsv_perturbed(const program::Lapack&, Call<T>& call) {
  const int n = call.in_size(0, 0), right_sides = call.in_size(3, 0);
  Block<T> lower(count(n)), diagonal(count(n)), upper(count(n));
  Perturbed<T> system(n, right_sides);
  for (std::size_t i = 0; i < call.batches(); ++i) {
    call.read_plain(0, i, lower.data(), count(n));
    call.read_plain(1, i, diagonal.data(), count(n));
    call.read_plain(2, i, upper.data(), count(n));
    call.read_plain(3, i, system.b(), count(n, right_sides));
    system.solve(lower, diagonal, upper);
    call.write_plain(0, i, system.b(), count(n, right_sides));
  }
}

}  // namespace

template <class T>
Run<T> tridiagonal(program::Routine routine) {
  if (routine == program::Routine::gtsv) return gtsv<T>;
  return routine == program::Routine::gtsv_perturbed ? gtsv_perturbed<T> : nullptr;
}

UNDERSTUDY_FOR_LAPACK_TYPES(tridiagonal)

}  // namespace understudy::worker::lapack
