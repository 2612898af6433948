// SPDX-License-Identifier: Apache-2.0
// Memory for matrices, vectors and scratch of a routine. Every block starts at a multiple of 64
// bytes: kernels of a BLAS may sum in another order where data is not aligned. Thread-compatible.
#pragma once

#include <cstddef>
#include <cstring>
#include <memory>
#include <new>

namespace understudy::worker::lapack {

template <class T>
class Block {
 public:
  // `count` zeros. `before` elements before the first one belong to the block as well: a search for
  // a pivot among NaN may return the element before the first, which is then swapped.
  explicit Block(std::size_t count, std::size_t before = 1)
      : before_(rounded((before + 1) * sizeof(T))),
        bytes_(before_ + rounded(count * sizeof(T)) + kAlignment),
        memory_(static_cast<std::byte*>(::operator new (bytes_, std::align_val_t{kAlignment}))) {
    std::memset(memory_.get(), 0, bytes_);
  }

  T* data() { return reinterpret_cast<T*>(memory_.get() + before_); }
  const T* data() const { return reinterpret_cast<const T*>(memory_.get() + before_); }
  T& operator[](std::size_t i) { return data()[i]; }
  const T& operator[](std::size_t i) const { return data()[i]; }

 private:
  static constexpr std::size_t kAlignment = 64;
  static std::size_t rounded(std::size_t bytes) {
    return (bytes + kAlignment - 1) / kAlignment * kAlignment;
  }
  struct Free {
    void operator()(std::byte* p) const { ::operator delete (p, std::align_val_t{kAlignment}); }
  };

  std::size_t before_;
  std::size_t bytes_;
  std::unique_ptr<std::byte, Free> memory_;
};

}  // namespace understudy::worker::lapack
