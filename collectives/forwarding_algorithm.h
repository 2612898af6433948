// SPDX-License-Identifier: Apache-2.0
// An algorithm that does as another one does, for those that differ in a few kinds only.
#pragma once

#include "collectives/collectives.h"

namespace understudy::collectives {

class ForwardingAlgorithm : public Algorithm {
 public:
  // `inner` outlives this.
  explicit ForwardingAlgorithm(const Algorithm& inner) : inner_(inner) {}
  std::string_view name() const override { return inner_.name(); }

  CallReport all_reduce(const Fabric& fabric, const Group& group, const Reducer& reducer,
                        std::span<const std::byte> in, std::span<std::byte> out,
                        const CallSite& site) const override {
    return inner_.all_reduce(fabric, group, reducer, in, out, site);
  }
  CallReport all_gather(const Fabric& fabric, const Group& group, std::span<const std::byte> in,
                        std::span<std::byte> out, const CallSite& site) const override {
    return inner_.all_gather(fabric, group, in, out, site);
  }
  CallReport reduce_scatter(const Fabric& fabric, const Group& group, const Reducer& reducer,
                            std::span<const std::byte> in, std::span<std::byte> out,
                            const CallSite& site) const override {
    return inner_.reduce_scatter(fabric, group, reducer, in, out, site);
  }
  CallReport all_to_all(const Fabric& fabric, const Group& group, std::span<const std::byte> in,
                        std::span<std::byte> out, const CallSite& site) const override {
    return inner_.all_to_all(fabric, group, in, out, site);
  }
  CallReport broadcast(const Fabric& fabric, const Group& group, std::size_t root,
                       std::span<const std::byte> in, std::span<std::byte> out,
                       const CallSite& site) const override {
    return inner_.broadcast(fabric, group, root, in, out, site);
  }
  CallReport permute(const Fabric& fabric, Rank to, Rank from, std::span<const std::byte> in,
                     std::span<std::byte> out, const CallSite& site) const override {
    return inner_.permute(fabric, to, from, in, out, site);
  }

 protected:
  // For those kinds that a subclass does in its own way at times only.
  const Algorithm& inner() const { return inner_; }

 private:
  const Algorithm& inner_;
};

}  // namespace understudy::collectives
