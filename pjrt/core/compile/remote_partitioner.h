// SPDX-License-Identifier: Apache-2.0
// Partitions global-view programs for this process by asking the launcher, which has one helper
// with XLA for all host processes of the machine. Thread-safe: each question has a connection.
#pragma once

#include <cstdint>
#include <string>

#include "configs/base/deadline.h"
#include "program/partitioner.h"

namespace understudy::pjrt {

class RemotePartitioner : public program::Partitioner {
 public:
  // `run_folder`: of the launcher; empty: this process has none, and every program is refused.
  RemotePartitioner(std::string run_folder, std::int64_t host, Seconds limit = Seconds{3600})
      : run_folder_(std::move(run_folder)), host_(host), limit_(limit) {}

  // *Throws* what the launcher's partitioner throws; Error{system} where there is no launcher or it
  // has ended, Error{timeout} after the limit. The limit is long, as questions of other hosts are
  // answered first; each has its own, shorter one in the launcher.
  program::PerChipProgram partition(const program::PartitionRequest& request) override;

 private:
  std::string run_folder_;
  std::int64_t host_;
  Seconds limit_;
};

}  // namespace understudy::pjrt
