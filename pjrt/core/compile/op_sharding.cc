// SPDX-License-Identifier: Apache-2.0
#include "pjrt/core/compile/op_sharding.h"

#include <algorithm>
#include <fmt/format.h>
#include <fmt/ranges.h>
#include <numeric>
#include <vector>

#include "configs/base/error.h"
#include "pjrt/core/compile/proto.h"

namespace understudy::pjrt {
namespace {

// OpSharding: its fields, and its types.
constexpr std::uint32_t kType = 1, kDimensions = 3, kDevices = 4, kReplicateLast = 6,
                        kLastDimensions = 8;
constexpr std::int64_t kReplicated = 0, kOther = 3, kUnreduced = 6;

std::string whole_array(std::int64_t type) {
  ProtoWriter out;
  out.number(kType, static_cast<std::uint64_t>(type));
  return out.take();
}

// Numbers from 0 without gaps.
std::int64_t count_of(const std::vector<std::int64_t>& numbers) {
  return numbers.empty() ? 1 : *std::ranges::max_element(numbers) + 1;
}

const char* word_of(std::int64_t type) { return type == kUnreduced ? "unreduced" : "replicated"; }

}  // namespace

// Tiles row-major. Where several partitions hold a tile, a last dimension lists them; where they
// hold summands of it, a dimension of the summands is before that one, as XLA writes it.
std::string op_sharding(const program::Sharding& sharding, std::int64_t partitions) {
  std::int64_t tiles = 1;
  for (const std::int64_t count : sharding.tiles) tiles *= count;
  const std::int64_t summands = count_of(sharding.summand_of);
  if (tiles == 1 && summands == 1) return whole_array(kReplicated);
  if (tiles == 1 && summands == partitions) return whole_array(kUnreduced);
  std::vector<std::vector<std::int64_t>> holders(static_cast<std::size_t>(tiles * summands));
  for (std::size_t partition = 0; partition < static_cast<std::size_t>(partitions); ++partition) {
    const std::int64_t summand = summands == 1 ? 0 : sharding.summand_of.at(partition);
    holders.at(static_cast<std::size_t>(sharding.tile_of.at(partition) * summands + summand))
        .push_back(static_cast<std::int64_t>(partition));
  }
  std::vector<std::int64_t> dimensions = sharding.tiles, devices, kinds;
  const std::size_t copies = holders.front().size();
  for (const auto& one : holders) {
    UNDERSTUDY_ASSERT(one.size() == copies);
    devices.insert(devices.end(), one.begin(), one.end());
  }
  if (summands > 1) {
    dimensions.push_back(summands);
    kinds.push_back(kUnreduced);
  }
  if (copies > 1) dimensions.push_back(static_cast<std::int64_t>(copies));
  if (copies > 1 && summands > 1) kinds.push_back(kReplicated);
  ProtoWriter out;
  out.number(kType, static_cast<std::uint64_t>(kOther));
  out.packed(kDimensions, dimensions);
  out.packed(kDevices, devices);
  if (copies > 1 && kinds.empty()) out.number(kReplicateLast, 1);
  if (!kinds.empty()) out.packed(kLastDimensions, kinds);
  return out.take();
}

// The inverse direction is never needed: frameworks read shardings, they do not send them in this
// form.
std::string op_sharding_text(std::string_view proto) {
  const std::vector<std::int64_t> dimensions = proto_integers(proto, kDimensions);
  const std::vector<ProtoField> fields = proto_fields(proto);
  const auto has = [&](std::uint32_t number, std::int64_t value) {
    return std::ranges::any_of(fields, [&](const ProtoField& field) {
      return field.number == number && field.value == static_cast<std::uint64_t>(value);
    });
  };
  if (dimensions.empty()) return has(kType, kUnreduced) ? "{unreduced}" : "{replicated}";
  std::string last = has(kReplicateLast, 1) ? " last_tile_dim_replicate" : "";
  std::vector<std::string> words;
  for (const std::int64_t kind : proto_integers(proto, kLastDimensions))
    words.emplace_back(word_of(kind));
  if (!words.empty()) last = fmt::format(" last_tile_dims={{{}}}", fmt::join(words, ", "));
  return fmt::format("{{devices=[{}]{}{}}}", fmt::join(dimensions, ","),
                     fmt::join(proto_integers(proto, kDevices), ","), last);
}

}  // namespace understudy::pjrt
