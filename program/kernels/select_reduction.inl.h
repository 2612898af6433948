// SPDX-License-Identifier: Apache-2.0
// Part of kernels.inl.h: which kernel belongs to a reduction and a tag.
#pragma once

#include "program/kernels/accumulate_rows.inl.h"
#include "program/kernels/select.inl.h"

namespace understudy::program::kernels {
namespace {

template <template <class, Reduction> class Kernel, class Tag>
auto reduction_of(Reduction reduction) noexcept {
  using Pointer = decltype(Kernel<Tag, Reduction::sum>::get());
  static constexpr Row<Reduction, Pointer> kRows[] = {
      {Reduction::sum, Kernel<Tag, Reduction::sum>::get()},
      {Reduction::product, Kernel<Tag, Reduction::product>::get()},
      {Reduction::minimum, Kernel<Tag, Reduction::minimum>::get()},
      {Reduction::maximum, Kernel<Tag, Reduction::maximum>::get()},
      {Reduction::logical_and, Kernel<Tag, Reduction::logical_and>::get()},
      {Reduction::logical_or, Kernel<Tag, Reduction::logical_or>::get()},
      {Reduction::logical_xor, Kernel<Tag, Reduction::logical_xor>::get()},
  };
  return find(kRows, reduction);
}
template <class Tag, Reduction kReduction>
struct FoldOf {
  using Same = SameReduction<Tag, kReduction>;
  static constexpr FoldKernel get() {
    if constexpr (!reduction_has_meaning<Tag, kReduction>()) {
      return nullptr;
    } else if constexpr (kByteFloat<Tag>) {
      return &fold_small<Tag, kReduction>;
    } else {
      return &fold<typename Same::Tag, Same::reduction>;
    }
  }
};
template <class Tag, Reduction kReduction>
struct FoldRowsOf {
  using Same = SameReduction<Tag, kReduction>;
  static constexpr FoldRowsKernel get() {
    if constexpr (reduction_has_meaning<Tag, kReduction>() && has_rows<Tag>())
      return &fold_rows<typename Same::Tag, Same::reduction>;
    return nullptr;
  }
};
template <class Tag, Reduction kReduction>
struct AccumulateRowsOf {
  using Same = SameReduction<Tag, kReduction>;
  static constexpr AccumulateRowsKernel get() {
    if constexpr (reduction_has_meaning<Tag, kReduction>() && has_rows<Tag>())
      return &accumulate_rows<typename Same::Tag, Same::reduction>;
    return nullptr;
  }
};
template <class Tag, Reduction kReduction>
struct AccumulateOf {
  using Same = SameReduction<Tag, kReduction>;
  static constexpr BinaryKernel get() {
    if constexpr (!reduction_has_meaning<Tag, kReduction>()) {
      return nullptr;
    } else if constexpr (kByteFloat<Tag>) {
      return &map_two_small<Tag, &accumulate<F32, kReduction>>;
    } else {
      return &accumulate<typename Same::Tag, Same::reduction>;
    }
  }
};
template <class Tag, Reduction kReduction>
struct AccumulateAllOf {
  using Same = SameReduction<Tag, kReduction>;
  static constexpr GatherKernel get() {
    if constexpr (!reduction_has_meaning<Tag, kReduction>() || kByteFloat<Tag>) {
      return nullptr;
    } else {
      return &accumulate_all<typename Same::Tag, Same::reduction>;
    }
  }
};
template <class Tag, Reduction kReduction>
struct IdentityOf {
  static void write(void* out) noexcept {
    auto neutral = identity<Tag, kReduction>();
    if constexpr (Tag::family == Family::small_float) {
      // Some formats have no infinity and store it as NaN: their largest value is the
      // identity of min, its negative that of max.
      const float kept = Tag::load(Tag::store(neutral));
      if (kept != kept) neutral = neutral < 0 ? -Tag::largest() : Tag::largest();
    }
    *static_cast<typename Tag::Stored*>(out) = Tag::store(neutral);
  }
  static constexpr IdentityWriter get() {
    if constexpr (reduction_has_meaning<Tag, kReduction>()) return &write;
    return nullptr;
  }
};
// The kernel of a tag for a reduction: PickReduction<FoldOf>::Of<Tag>::pick(reduction).
template <template <class, Reduction> class Kernel>
struct PickReduction {
  template <class Tag>
  struct Of {
    static auto pick(Reduction reduction) noexcept { return reduction_of<Kernel, Tag>(reduction); }
  };
};

}  // namespace
}  // namespace understudy::program::kernels
