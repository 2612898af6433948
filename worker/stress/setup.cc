// SPDX-License-Identifier: Apache-2.0
#include "worker/stress/setup.h"

#include "cache/stand_in.h"
#include "cache/store.h"
#include "configs/base/deadline.h"

namespace understudy::worker {
namespace {

std::int64_t host_of(const StressSetup& setup, std::int64_t number) {
  // Blocks of nearly equal size, also where the division has a remainder.
  return number * setup.plan.hosts / setup.plan.processes;
}

// Half of the processes are ahead of the others.
std::int64_t clock_offset(const StressSetup& setup, const Contender& contender) {
  const auto skew = static_cast<std::int64_t>(setup.faults.skew_seconds);
  return contender.number % 2 == 0 ? 0 : skew * kNanosecondsPerSecond;
}

}  // namespace

StressSetup setup_of(const configs::StressPlan& plan) {
  StressSetup setup;
  setup.plan = plan;
  for (const std::string& word : plan.faults) add_fault(setup.faults, word);
  return setup;
}

Contender contender_at(const StressSetup& setup, std::int64_t number) {
  Contender contender;
  contender.number = number;
  contender.host = host_of(setup, number);
  contender.pod_leader = number == 0;
  contender.host_leader = number == 0 || host_of(setup, number - 1) != contender.host;
  // One contender per host: the host's leader keeps the right to write, unless the host has only
  // one.
  const bool last_of_host =
      number + 1 == setup.plan.processes || host_of(setup, number + 1) != contender.host;
  contender.may_write = !(setup.faults.takes_permission && last_of_host);
  return contender;
}

std::size_t folders_of(const StressSetup& setup) {
  std::size_t folders = 0;
  for (std::int64_t number = 0; number < setup.plan.processes; ++number)
    folders += keeps_folder(setup, contender_at(setup, number)) ? 1U : 0U;
  return folders;
}

bool keeps_folder(const StressSetup& setup, const Contender& contender) {
  const std::string path = folder_path(setup, contender);
  // Contenders of one folder are adjacent, so comparing with the neighbour below is enough.
  return contender.number == 0 || path.empty() ||
         path != folder_path(setup, contender_at(setup, contender.number - 1));
}

std::string folder_path(const StressSetup& setup, const Contender& contender) {
  return cache::CompileCache(request_of(setup, contender)).folder();
}

cache::CacheRequest request_of(const StressSetup& setup, const Contender& contender) {
  cache::CacheRequest request;
  request.directory = setup.directory;
  request.policy = setup.discipline.policy;
  request.lock = setup.discipline.lock;
  request.max_bytes = setup.plan.max_bytes;
  request.host = HostId(contender.host);
  request.rank = Rank(contender.number);
  request.host_leader = contender.host_leader;
  request.pod_leader = contender.pod_leader;
  request.wait_limit = Seconds(setup.plan.patience_seconds);
  request.lock_timeout = Seconds(setup.plan.lock_timeout_seconds);
  request.clock_offset_ns = clock_offset(setup, contender);
  return request;
}

std::string entry_file(std::int64_t key) {
  return cache::key_of(cache::stand_in_parts(key)) + std::string(cache::kEntrySuffix);
}

}  // namespace understudy::worker
