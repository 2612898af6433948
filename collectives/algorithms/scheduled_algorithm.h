// SPDX-License-Identifier: Apache-2.0
// An algorithm whose collectives are schedules: the rows of its name in recipes.h. Thread-safe:
// it has no state.
#pragma once

#include "collectives/collectives.h"
#include "collectives/schedule.h"

namespace understudy::collectives {

class ScheduledAlgorithm final : public Algorithm {
 public:
  // `name` must be that of a row for each kind, and outlive this.
  explicit ScheduledAlgorithm(std::string_view name) : name_(name) {}
  std::string_view name() const override { return name_; }

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
  CallReport run(Kind kind, const Fabric& fabric, const Group& group, std::size_t root,
                 const Reducer* reducer, std::span<const std::byte> in, std::span<std::byte> out,
                 const CallSite& site) const;

  std::string_view name_;
};

// One message per pair; a pair of a rank with itself is a copy.
CallReport permute_by_messages(Transport& transport, Rank to, Rank from,
                               std::span<const std::byte> in, std::span<std::byte> out,
                               const CallSite& site);

}  // namespace understudy::collectives
