// SPDX-License-Identifier: Apache-2.0
// A piece of work for the thread that owns MPI: the executor hands it over and sleeps until it is
// done or has failed. All methods are called by the main thread, with the transport's lock held.
#pragma once

#include <string>
#include <vector>

#include "collectives/transport.h"

namespace understudy::collectives {

inline constexpr Clock::duration kLongestBackOff = std::chrono::milliseconds(2);

class MpiJob {
 public:
  virtual ~MpiJob() = default;
  virtual void start() = 0;
  // Does what can be done now; true when anything moved. Errors end the transport.
  virtual bool advance() = 0;
  virtual bool done() const = 0;
  // MPI has work to do that no doorbell announces.
  virtual bool needs_polling() const = 0;
  // The longest sleep between two polls, if it needs polling.
  virtual Clock::duration longest_nap() const { return kLongestBackOff; }
  // MPI may still be sending after the job is done.
  virtual bool lingers() const { return false; }
  // Adds the peers that it waits for, the most important first.
  virtual void add_awaited(std::vector<Rank>& peers) const = 0;
  virtual const std::string& what() const = 0;  // for the error of a wait that fails
  virtual TrafficCount sent() const { return {}; }
};

}  // namespace understudy::collectives
