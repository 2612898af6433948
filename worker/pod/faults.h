// SPDX-License-Identifier: Apache-2.0
// Injects the faults of a run into the chips that they target, as those enter a collective. Call
// from the executor thread only.
#pragma once

#include <cstdint>
#include <string>
#include <vector>

#include "collectives/collectives.h"
#include "configs/base/ids.h"
#include "configs/launch/fault.h"

namespace understudy::worker {

class Faults {
 public:
  // Keeps those of `texts` that hit this chip. *Throws* Error{usage}.
  Faults(const std::vector<std::string>& texts, Rank rank, HostId host);

  // Before the `first`-th to `last`-th collective of that kind, which go together and are the
  // `sequence`-th call of all. May change `site`, sleep, or not return.
  void inject(std::size_t kind, std::uint64_t first, std::uint64_t last, std::uint64_t sequence,
              collectives::CallSite& site) const;

 private:
  std::vector<configs::Fault> faults_;
};

}  // namespace understudy::worker
