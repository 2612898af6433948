// SPDX-License-Identifier: Apache-2.0
// The order of the dimensions of an array in memory, as a program asks for it (JAX: Format,
// Layout; XLA: minor_to_major). A label: the bytes on the chips are dense row-major in any case,
// which no program can see but by an address. Immutable, shared by buffers and programs.
#pragma once

#include <cstdint>
#include <memory>
#include <span>
#include <string>
#include <string_view>
#include <vector>

namespace understudy::pjrt {

class ArrayLayout;
using LayoutRef = std::shared_ptr<const ArrayLayout>;  // nullptr: row-major

class ArrayLayout {
 public:
  static ArrayLayout row_major(std::size_t ndims);
  // nullptr where that order is row-major. *Throws* Error{input} where it is no permutation of the
  // dimensions.
  static LayoutRef of(std::vector<std::int64_t> minor_to_major, std::size_t ndims);
  // Of `mhlo.layout_mode`: "default", "auto" (we choose row-major), or XLA's text, such as "{0,1}".
  // *Throws* Error{unsupported} for tiles and other properties of memory that is not there.
  static LayoutRef of_mode(std::string_view mode, std::size_t ndims);

  std::span<const std::int64_t> minor_to_major() const { return minor_to_major_; }
  // XLA's text: "{1,0}".
  std::string text() const;

 private:
  explicit ArrayLayout(std::vector<std::int64_t> minor_to_major)
      : minor_to_major_(std::move(minor_to_major)) {}
  std::vector<std::int64_t> minor_to_major_;
};

}  // namespace understudy::pjrt
