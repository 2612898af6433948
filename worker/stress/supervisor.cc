// SPDX-License-Identifier: Apache-2.0
#include "worker/stress/supervisor.h"

#include <algorithm>
#include <csignal>
#include <cstring>
#include <filesystem>
#include <fmt/format.h>
#include <sys/stat.h>
#include <sys/wait.h>
#include <thread>
#include <unistd.h>

#include "cache/owner.h"
#include "configs/base/error.h"
#include "configs/base/file.h"

namespace understudy::worker {
namespace {

namespace fs = std::filesystem;

// How often a stuck contender and the end of a round are looked for.
constexpr auto kLook = std::chrono::milliseconds(50);
constexpr double kStuckMargin = 20;  // seconds beyond all waits that a policy allows
constexpr mode_t kAnybodyEnters = 0755;
// Notice before a start: until all ranks of a machine know the time.
constexpr auto kNotice = std::chrono::milliseconds(50);
constexpr auto kNoticePerRank = std::chrono::milliseconds(4);

void make_folder(const std::string& path) {
  std::error_code code;
  fs::create_directories(path, code);
  if (code) throw file_error("make", path, code.value());
  // Contenders of root may switch to user nobody, who needs access to this folder.
  if (::geteuid() == 0) ::chmod(path.c_str(), kAnybodyEnters);
}

}  // namespace

StressPod attach_pod(ControlChannel& control_channel, const configs::StressPlan& plan) {
  make_folder(plan.directory);
  StressPod pod{control_channel, {}};
  const std::string machine = cache::this_process().machine;
  const auto machines =
      control_channel.all_gather(bytes_of(machine), "the machines of a stress run");
  for (const Bytes& other : machines) pod.on_this_machine.push_back(text_of(other) == machine);
  const auto self = static_cast<std::size_t>(control_channel.rank().value);
  const auto& here = pod.on_this_machine;
  // find() yields the first rank of this machine.
  pod.leads_machine = std::ranges::find(here, true) - here.begin() == control_channel.rank().value;
  pod.several_machines = std::ranges::find(here, false) != here.end();
  const std::string token = plan.directory + "/seen-by-all";
  // Whether machines share the directory cannot be told from its path: a file of rank 0 that others
  // see is the proof.
  if (self == 0) write_file_atomically(token, std::string_view("rank 0 was here"));
  control_channel.barrier("the token of a stress run");
  const bool shares = here[0] || fs::exists(token);
  pod.leads_mount = self == 0 || (pod.leads_machine && !shares);
  // The second barrier keeps rank 0 from removing the token before all have looked.
  control_channel.barrier("the token of a stress run");
  if (self == 0) fs::remove(token);
  return pod;
}

Supervisor::Supervisor(StressPod& pod, ForkServer& fork_server, const StressSetup& setup,
                       std::int64_t discipline, ContenderMemory& memory, MachinePage& page)
    : pod_(pod),
      fork_server_(fork_server),
      setup_(setup),
      discipline_(discipline),
      memory_(memory),
      page_(page),
      contender_(contender_at(setup, pod.control_channel.rank().value)),
      fault_injector_(setup_, contender_, fork_server, page) {
  memory_.clear();
}

configs::PolicyStress Supervisor::run() {
  make_folder(setup_.directory);
  const Clock::time_point begin = Clock::now();
  while (another_round(begin)) {
    round();
    ++rounds_;
  }
  settle_all();
  return report();
}

// Rank 0 decides. After the requested rounds every second round starts cold.
bool Supervisor::another_round(Clock::time_point begin) {
  const bool extra = rounds_ >= setup_.plan.rounds;
  const bool enough = extra && Clock::now() - begin >= Seconds(setup_.plan.for_seconds);
  // Rank 0's clock alone decides, else ranks would leave the loop in different rounds.
  const std::string decision =
      pod_.control_channel.broadcast_text(enough ? "end" : "go", "the next round of a stress run");
  if (decision == "end") return false;
  // Even rounds beyond the requested ones start cold, so a long run covers misses and hits.
  if (extra && rounds_ % 2 == 0) clear();
  return true;
}

void Supervisor::round() {
  memory_.slot().finished_ns.store(0);
  const auto& faults = setup_.faults;
  const bool keeps = keeps_folder(setup_, contender_) && !folder_path(setup_, contender_).empty();
  if (faults.stale_locks && keeps) fork_server_.lay_stale_locks(discipline_, contender_.number);
  // Locks held by others are a start-up scenario; later rounds run without.
  if (faults.hold_seconds > 0 && rounds_ == 0 && keeps)
    fork_server_.hold_locks(discipline_, contender_.number);
  // Before the all_gather of agree_on_start(), so no rank of this machine can have finished yet.
  if (pod_.leads_machine) page_->finished.store(0);
  start();
  start_ = agree_on_start();
  fork_server_.go(start_);
  fault_injector_.begin();
  supervise();
  // The contender and its supervisor read the same steady clock of one machine.
  const Clock::duration took(memory_.slot().finished_ns.load() - start_.time_since_epoch().count());
  startups_.push_back(Seconds(took).count());
  pod_.control_channel.barrier("the end of a stress round");
}

void Supervisor::start() {
  fork_server_.start(discipline_, contender_.number, ++contender_.life);
  last_progress_ = Clock::now();
}

// Clocks of different machines are not compared: each machine starts when the last of its own ranks
// is ready.
Clock::time_point Supervisor::agree_on_start() {
  const auto now = Clock::now().time_since_epoch().count();
  Bytes mine(sizeof(now));
  std::memcpy(mine.data(), &now, sizeof(now));
  const auto all = pod_.control_channel.all_gather(mine, "the start of a stress round");
  auto last = now;
  for (std::size_t rank = 0; rank < all.size(); ++rank) {
    if (!pod_.on_this_machine[rank]) continue;
    auto one = now;
    std::memcpy(&one, all[rank].data(), sizeof(one));
    last = std::max(last, one);
  }
  // The more ranks a machine has, the later the last one leaves the all_gather.
  return Clock::time_point(Clock::duration(last)) + kNotice +
         kNoticePerRank * static_cast<std::int64_t>(all.size());
}

// Runs until all contenders of this machine are done, so that no rank polls MPI beside them.
void Supervisor::supervise() {
  const auto here = std::ranges::count(pod_.on_this_machine, true);
  bool counted = false;
  // The page counts, not a message: polling MPI would take the cores that contenders need.
  while (page_->finished.load() < here) {
    const Clock::time_point next = std::min(fault_injector_.act(), Clock::now() + kLook);
    const Clock::duration wait_limit = std::max(Clock::duration::zero(), next - Clock::now());
    // Read once per turn, so that an end and a finish in the same turn are not counted twice.
    const bool runs = memory_.slot().finished_ns.load() == 0;
    if (const auto status = fork_server_.ended(wait_limit); status && runs)
      take_note_of_end(*status);
    if (runs) look_for_stuck();
    if (memory_.slot().finished_ns.load() == 0 || counted) continue;
    counted = true;
    ++page_->finished;
  }
}

void Supervisor::take_note_of_end(int status) {
  if (memory_.slot().finished_ns.load() != 0) return;
  // SIGKILL is the injected fault (or the kernel's out-of-memory killer): the contender starts
  // again, as an orchestrator would do.
  if (WIFSIGNALED(status) && WTERMSIG(status) == SIGKILL) {
    ++killed_;
    start();
    fork_server_.go(start_);
    return;
  }
  trouble_ = fmt::format("contender {} ended with status {:#x}", contender_.number, status);
  finish();
}

void Supervisor::look_for_stuck() {
  const configs::StressPlan& plan = setup_.plan;
  // More than one key can take, with room for owners that are killed while this contender waits.
  const double limit = plan.patience_seconds + 2 * plan.lock_timeout_seconds +
                       3 * plan.compile_seconds + kStuckMargin;
  const Clock::time_point now = Clock::now();
  const std::int64_t progress = memory_.slot().progress.load();
  if (progress != seen_progress_) last_progress_ = now;
  seen_progress_ = progress;
  if (Seconds(now - last_progress_).count() < limit) return;
  // Marked before it is killed, so that its end is not taken for a fault and restarted.
  finish();
  fork_server_.signal(SIGKILL);
}

// Marks as finished a contender that will not finish on its own.
void Supervisor::finish() {
  ++stuck_;
  memory_.slot().finished_ns.store(Clock::now().time_since_epoch().count());
}

void Supervisor::settle_all() {
  const std::vector<KeyReport> mine =
      settle(setup_, contender_, memory_, page_->epoch.load(), fault_injector_.damaged());
  const auto bytes = std::as_bytes(std::span(mine));
  const auto all =
      pod_.control_channel.gather({bytes.begin(), bytes.end()}, "counts of a stress run");
  std::vector<std::vector<KeyReport>> by_rank;
  for (const Bytes& one : all) {
    by_rank.emplace_back(one.size() / sizeof(KeyReport));
    std::memcpy(by_rank.back().data(), one.data(), one.size());
  }
  // An evicted entry is not lost; and other machines do not know when rank 0 deleted entries.
  // The deletion's epoch is on the page of rank 0's machine only.
  const bool forgives =
      setup_.plan.max_bytes > 0 || (pod_.several_machines && setup_.faults.deletes_per_second > 0);
  ledger_.add(setup_, by_rank, forgives);
}

void Supervisor::clear() {
  settle_all();
  // All have settled before anything is deleted, else a rank would count entries as lost.
  pod_.control_channel.barrier("a cold start of a stress round");
  if (pod_.leads_mount) delete_all(setup_.directory);
  if (pod_.leads_machine) ++page_->epoch;
  // All see an empty folder before the next round starts.
  pod_.control_channel.barrier("a cold start of a stress round");
  fault_injector_.forget_damage();
}

}  // namespace understudy::worker
