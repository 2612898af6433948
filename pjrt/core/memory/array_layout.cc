// SPDX-License-Identifier: Apache-2.0
#include "pjrt/core/memory/array_layout.h"

#include <algorithm>
#include <charconv>
#include <fmt/format.h>
#include <fmt/ranges.h>

#include "configs/base/error.h"

namespace understudy::pjrt {
namespace {

[[noreturn]] void refuse(std::string_view mode) {
  throw Error(ErrorKind::unsupported, fmt::format("the layout \"{}\"", mode))
      .note(
          "arrays on emulated chips are dense: a layout may order the dimensions, such as "
          "{0,1}, and have no tiles");
}

}  // namespace

ArrayLayout ArrayLayout::row_major(std::size_t ndims) {
  std::vector<std::int64_t> order(ndims);
  for (std::size_t i = 0; i < ndims; ++i) order[i] = static_cast<std::int64_t>(ndims - 1 - i);
  return ArrayLayout(std::move(order));
}

LayoutRef ArrayLayout::of(std::vector<std::int64_t> minor_to_major, std::size_t ndims) {
  ArrayLayout plain = row_major(ndims);
  if (minor_to_major == plain.minor_to_major_) return nullptr;
  if (!std::ranges::is_permutation(minor_to_major, plain.minor_to_major_))
    throw Error(ErrorKind::input,
                fmt::format("the layout {{{}}} is no permutation of the {} dimensions of its array",
                            fmt::join(minor_to_major, ","), ndims));
  return LayoutRef(new ArrayLayout(std::move(minor_to_major)));
}

LayoutRef ArrayLayout::of_mode(std::string_view mode, std::size_t ndims) {
  if (mode == "default" || mode == "auto") return nullptr;
  if (mode.size() < 2 || mode.front() != '{' || mode.back() != '}') refuse(mode);
  const char* at = mode.data() + 1;
  const char* const end = mode.data() + mode.size() - 1;
  std::vector<std::int64_t> order;
  while (at != end) {
    const auto [stop, error] = std::from_chars(at, end, order.emplace_back());
    if (error != std::errc() || (stop != end && *stop != ',')) refuse(mode);
    at = stop == end ? end : stop + 1;
  }
  return of(std::move(order), ndims);
}

std::string ArrayLayout::text() const {
  return fmt::format("{{{}}}", fmt::join(minor_to_major_, ","));
}

}  // namespace understudy::pjrt
