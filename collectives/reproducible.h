// SPDX-License-Identifier: Apache-2.0
// Any algorithm with the bits of the fold in group order, where the fabric asks for them: a
// reduction becomes the algorithm's own all_to_all of chunks, a fold of what came from all members
// in their order (accumulated wide, rounded once), and its own all_gather. It sends as many bytes
// as a ring, but as elements. Thread-safe: it has no state.
#pragma once

#include "collectives/forwarding_algorithm.h"

namespace understudy::collectives {

class Reproducible final : public ForwardingAlgorithm {
 public:
  using ForwardingAlgorithm::ForwardingAlgorithm;

  CallReport all_reduce(const Fabric& fabric, const Group& group, const Reducer& reducer,
                        std::span<const std::byte> in, std::span<std::byte> out,
                        const CallSite& site) const override;
  CallReport reduce_scatter(const Fabric& fabric, const Group& group, const Reducer& reducer,
                            std::span<const std::byte> in, std::span<std::byte> out,
                            const CallSite& site) const override;
};

}  // namespace understudy::collectives
