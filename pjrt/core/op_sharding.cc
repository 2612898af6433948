// SPDX-License-Identifier: Apache-2.0
#include "pjrt/core/op_sharding.h"

#include <algorithm>
#include <fmt/format.h>
#include <fmt/ranges.h>
#include <numeric>
#include <vector>

#include "configs/base/error.h"
#include "pjrt/core/proto.h"

namespace understudy::pjrt {
namespace {

// OpSharding: its fields, and its types.
constexpr std::uint32_t kType = 1, kDimensions = 3, kDevices = 4, kReplicateLast = 6;
constexpr std::uint64_t kReplicated = 0, kOther = 3;

}  // namespace

// Tiles row-major; where several partitions hold a tile, a last dimension lists them.
std::string op_sharding(const program::Sharding& sharding, std::int64_t partitions) {
  ProtoWriter out;
  std::int64_t tiles = 1;
  for (const std::int64_t count : sharding.tiles) tiles *= count;
  if (tiles == 1) {
    out.number(kType, kReplicated);
    return out.take();
  }
  std::vector<std::vector<std::int64_t>> holders(static_cast<std::size_t>(tiles));
  for (std::int64_t partition = 0; partition < partitions; ++partition)
    holders.at(static_cast<std::size_t>(sharding.tile_of.at(static_cast<std::size_t>(partition))))
        .push_back(partition);
  std::vector<std::int64_t> dimensions = sharding.tiles, devices;
  const std::size_t copies = holders.front().size();
  for (const auto& one : holders) {
    UNDERSTUDY_ASSERT(one.size() == copies);
    devices.insert(devices.end(), one.begin(), one.end());
  }
  if (copies > 1) dimensions.push_back(static_cast<std::int64_t>(copies));
  out.number(kType, kOther);
  out.packed(kDimensions, dimensions);
  out.packed(kDevices, devices);
  if (copies > 1) out.number(kReplicateLast, 1);
  return out.take();
}

std::string op_sharding_text(std::string_view proto) {
  const std::vector<std::int64_t> dimensions = proto_integers(proto, kDimensions);
  if (dimensions.empty()) return "{replicated}";
  const std::vector<ProtoField> fields = proto_fields(proto);
  const bool replicates = std::ranges::any_of(fields, [](const ProtoField& field) {
    return field.number == kReplicateLast && field.value != 0;
  });
  return fmt::format("{{devices=[{}]{}{}}}", fmt::join(dimensions, ","),
                     fmt::join(proto_integers(proto, kDevices), ","),
                     replicates ? " last_tile_dim_replicate" : "");
}

}  // namespace understudy::pjrt
