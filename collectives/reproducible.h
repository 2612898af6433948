// SPDX-License-Identifier: Apache-2.0
// Any algorithm with the bits of the fold in group order, where the fabric asks for them: a
// reduction becomes the algorithm's own all_to_all of chunks, a fold of what came from all members
// in their order (accumulated wide, rounded once), and its own all_gather. It sends as many bytes
// as a ring, but as elements. Thread-safe: it has no state.
#pragma once

#include "collectives/collectives.h"

namespace understudy::collectives {

class Reproducible final : public Algorithm {
 public:
  explicit Reproducible(const Algorithm& inner) : inner_(inner) {}
  std::string_view name() const override { return inner_.name(); }

  CallReport all_reduce(const Fabric& fabric, const Group& group, const Reducer& reducer,
                        std::span<const std::byte> in, std::span<std::byte> out,
                        const CallSite& site) const override;
  CallReport all_gather(const Fabric& fabric, const Group& group, std::span<const std::byte> in,
                        std::span<std::byte> out, const CallSite& site) const override;
  CallReport reduce_scatter(const Fabric& fabric, const Group& group, const Reducer& reducer,
                            std::span<const std::byte> in, std::span<std::byte> out,
                            const CallSite& site) const override;
  CallReport all_to_all(const Fabric& fabric, const Group& group, std::span<const std::byte> in,
                        std::span<std::byte> out, const CallSite& site) const override;
  CallReport broadcast(const Fabric& fabric, const Group& group, std::size_t root,
                       std::span<const std::byte> in, std::span<std::byte> out,
                       const CallSite& site) const override;
  CallReport permute(const Fabric& fabric, Rank to, Rank from, std::span<const std::byte> in,
                     std::span<std::byte> out, const CallSite& site) const override;

 private:
  const Algorithm& inner_;
};

}  // namespace understudy::collectives
