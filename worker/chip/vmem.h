// SPDX-License-Identifier: Apache-2.0
// The chip's VMEM: scratch memory of the chip's size, allocated as a stack; pages cost memory only
// once touched. A Scope frees on destruction everything that was taken since its start. The peak
// use is recorded. Call from the executor thread only.
#pragma once

#include <cstddef>
#include <cstdint>

namespace understudy::worker {

class Vmem {
 public:
  // Reserves `capacity` bytes of address space, no memory. *Throws* Error{system}.
  explicit Vmem(std::uint64_t capacity);
  ~Vmem();
  Vmem(const Vmem&) = delete;
  Vmem& operator=(const Vmem&) = delete;

  // `bytes` bytes aligned to 64, uninitialised. *Throws* Error{capacity} in XLA's words when they
  // do not fit.
  std::byte* take(std::uint64_t bytes);
  template <class T>
  T* take_as(std::uint64_t count) {
    return reinterpret_cast<T*>(take(count * sizeof(T)));
  }

  std::uint64_t capacity() const { return capacity_; }
  std::uint64_t used() const { return used_; }
  std::uint64_t left() const { return capacity_ - used_; }
  std::uint64_t peak() const { return peak_; }

  class Scope {
   public:
    explicit Scope(Vmem& vmem) : vmem_(vmem), mark_(vmem.used_) {}
    ~Scope() { vmem_.used_ = mark_; }
    Scope(const Scope&) = delete;
    Scope& operator=(const Scope&) = delete;

   private:
    Vmem& vmem_;
    std::uint64_t mark_;
  };

 private:
  std::byte* base_ = nullptr;
  std::uint64_t capacity_ = 0;
  std::uint64_t used_ = 0;
  std::uint64_t peak_ = 0;
};

}  // namespace understudy::worker
