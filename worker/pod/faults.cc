// SPDX-License-Identifier: Apache-2.0
#include "worker/pod/faults.h"

#include <algorithm>
#include <chrono>
#include <csignal>
#include <thread>

#include "configs/base/error.h"

namespace understudy::worker {
namespace {

using collectives::CallSite;
using configs::Fault;
using configs::FaultKind;

// raise(), not exit(): no destructor, no MPI call and no last record, as with a real crash.
void kill(const Fault&, CallSite&) { static_cast<void>(std::raise(SIGKILL)); }
void stop(const Fault&, CallSite&) { static_cast<void>(std::raise(SIGSTOP)); }

void delay(const Fault& fault, CallSite&) {
  std::this_thread::sleep_for(std::chrono::duration<double, std::milli>(fault.milliseconds));
}

// As if this chip ran another program: its peers see a different channel.
void mismatch(const Fault&, CallSite& site) {
  // Larger than any channel of a program, so that it cannot match by chance.
  constexpr std::int64_t kAnotherChannel = 1000;
  site.channel += kAnotherChannel;
  site.header = nullptr;  // a prepared header has the right channel
}

struct FaultKindRow {
  FaultKind kind;
  void (*act)(const Fault&, CallSite&);
  bool every_time;  // where the fault names no collective: each one, else the first
};
constexpr FaultKindRow kFaults[] = {
    {FaultKind::kill, kill, false},         {FaultKind::stop, stop, false},
    {FaultKind::delay, delay, true},        {FaultKind::drop_host, kill, false},
    {FaultKind::mismatch, mismatch, false},
};

const FaultKindRow& row_of(FaultKind kind) {
  const auto found = std::ranges::find(kFaults, kind, &FaultKindRow::kind);
  UNDERSTUDY_ASSERT(found != std::end(kFaults));
  return *found;
}

}  // namespace

Faults::Faults(const std::vector<std::string>& texts, Rank rank, HostId host) {
  for (const std::string& text : texts) {
    const Fault fault = configs::parse_fault(text);
    if (fault.stage == configs::FaultStage::collective && fault.hits(rank, host))
      faults_.push_back(fault);
  }
}

void Faults::inject(std::size_t kind, std::uint64_t first, std::uint64_t last,
                    std::uint64_t sequence, CallSite& site) const {
  for (const Fault& fault : faults_) {
    const FaultKindRow& row = row_of(fault.kind);
    // A fault with a moment ("all_reduce#5") acts when that number is among those that go
    // together; a delay without one acts each time, everything else at the first collective.
    const bool now =
        fault.at ? fault.at->kind == kind && first <= fault.at->number && fault.at->number <= last
                 : row.every_time || sequence == 1;
    if (now) row.act(fault, site);
  }
}

}  // namespace understudy::worker
