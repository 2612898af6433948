// SPDX-License-Identifier: Apache-2.0
// Strong integers: a Rank never meets a ChipId by accident. Values, trivially copyable.
#pragma once

#include <compare>
#include <cstddef>
#include <cstdint>
#include <functional>

namespace understudy {

template <class Tag>
struct Id {
  std::int32_t value = 0;

  constexpr Id() = default;
  constexpr explicit Id(std::int64_t number) : value(static_cast<std::int32_t>(number)) {}
  constexpr auto operator<=>(const Id&) const = default;
};

template <class Tag>
constexpr std::size_t index_of(Id<Tag> id) {
  return static_cast<std::size_t>(id.value);
}

using ChipId = Id<struct ChipTag>;  // row-major over the slice's coordinates, x fastest
using HostId = Id<struct HostTag>;  // emulated host, in process order
using SliceId = Id<struct SliceTag>;
using Rank = Id<struct RankTag>;              // MPI rank of a worker = its place in process order
using ReplicaId = Id<struct ReplicaTag>;      // StableHLO replica_id
using PartitionId = Id<struct PartitionTag>;  // StableHLO partition_id

}  // namespace understudy

template <class Tag>
struct std::hash<understudy::Id<Tag>> {
  std::size_t operator()(understudy::Id<Tag> id) const noexcept {
    return std::hash<std::int32_t>{}(id.value);
  }
};
