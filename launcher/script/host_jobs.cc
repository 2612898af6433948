// SPDX-License-Identifier: Apache-2.0
#include "launcher/script/host_jobs.h"

#include <algorithm>
#include <csignal>
#include <cstring>
#include <fmt/format.h>
#include <sys/wait.h>
#include <thread>
#include <utility>

#include "configs/base/error.h"
#include "launcher/diagnose/loss.h"

namespace understudy::launcher {
namespace {

constexpr Seconds kLook{0.02};
constexpr Seconds kTermDelay{3};  // between SIGTERM and SIGKILL

std::size_t index_of(std::int64_t number) { return static_cast<std::size_t>(number); }

std::string name_of_signal(int number) {
  return signal_name(Loss::by(LossKind::killed, number)).value_or("a signal");
}

std::string end_text(const std::string& host, int status) {
  if (WIFSIGNALED(status))
    return fmt::format("the script of {} was ended by {}", host, name_of_signal(WTERMSIG(status)));
  return fmt::format("the script of {} ended with exit code {}", host, WEXITSTATUS(status));
}

}  // namespace

void HostJobs::start(const std::vector<std::vector<std::string>>& environments,
                     const RunFolder& folder) {
  greeted_.assign(index_of(options_.ranks), false);
  gone_.assign(index_of(options_.ranks), false);
  for (const auto& environment : environments) {
    processes_.push_back(std::make_unique<HostProcess>(static_cast<std::int64_t>(processes_.size()),
                                                       options_.words, environment));
    folder.end_with_launcher(processes_.back()->identity());
    counted_.push_back(false);
  }
}

// "host 3", of joined slices "host 3 (slice 1, worker 1)".
std::string HostJobs::host_text(std::int64_t host) const {
  const std::int64_t each = static_cast<std::int64_t>(processes_.size()) / options_.slices;
  if (options_.slices == 1) return fmt::format("host {}", host);
  return fmt::format("host {} (slice {}, worker {})", host, host / each, host % each);
}

// Host processes only; their chips may still run.
bool HostJobs::all_ended() {
  return std::ranges::all_of(processes_, [](const auto& one) { return one->ended().has_value(); });
}

void HostJobs::look(PodHost& host) {
  for (const PodHost::Event& event : host.wait(kLook)) {
    if (event.kind == PodHost::Event::Kind::greeted) greeted_.at(index_of(event.rank.value)) = true;
    if (event.kind == PodHost::Event::Kind::gone) gone_.at(index_of(event.rank.value)) = true;
  }
}

void HostJobs::note_failure(configs::ReceiptFailure failure) {
  // The first failure is the cause; scripts that fail after a chip fail because of it.
  if (failure_ || pod_lost_) return;
  failure.phase = "script";
  // No diagnosis of a chip fits: what went wrong is in the script's own output.
  failure.layer = "program";
  failure.advice = "See what the script printed; its workers were ended after it.";
  failure_ = std::move(failure);
}

// A stopped host is a lost host; a failed script is a failed script.
void HostJobs::note_ends() {
  for (const auto& process : processes_) {
    const std::optional<int> status = process->ended();
    configs::ReceiptFailure failure;
    failure.host = process->host();
    if (!status && process->stopped_for() > options_.stopped_limit) {
      failure.kind = configs::FailureKind::timeout;
      failure.message = fmt::format("the script of {} was stopped by a signal for {:g} s",
                                    host_text(process->host()), options_.stopped_limit.count());
      failure.signal = "SIGSTOP";
      note_failure(std::move(failure));
      process->kill_all();
      continue;
    }
    if (!status || counted_[index_of(process->host())]) continue;
    counted_[index_of(process->host())] = true;
    if (*status == 0) continue;
    failure.kind = configs::FailureKind::check;
    failure.message = end_text(host_text(process->host()), *status);
    if (WIFSIGNALED(*status)) failure.signal = name_of_signal(WTERMSIG(*status));
    note_failure(std::move(failure));
  }
}

void HostJobs::conduct(PodHost& host, const std::stop_token& stop) {
  while (!all_ended()) {
    look(host);
    note_ends();
    if (stop.stop_requested() || std::ranges::count(gone_, true) > 0) {
      if (!failure_) pod_lost_ = true;
    }
    // The other scripts may be waiting in a collective: their exceptions tell users where.
    if (!grace_ && (pod_lost_ || failure_)) grace_ = Deadline::after(options_.report_grace);
    if (grace_ && grace_->passed()) end_all();
  }
  note_ends();
  finish_chips(host, stop);
}

void HostJobs::end_all() {
  for (const auto& process : processes_) process->signal(SIGTERM);
  const Deadline deadline = Deadline::after(kTermDelay);
  while (!all_ended() && !deadline.passed()) std::this_thread::sleep_for(kLook);
  for (const auto& process : processes_) process->kill_all();
  while (!all_ended()) std::this_thread::sleep_for(kLook);
}

// Idle chips end in order and tell their totals. One that waits for a peer whose host has failed
// never would: then the pod is ended.
void HostJobs::finish_chips(PodHost& host, const std::stop_token& stop) {
  configs::PodCommand command;
  command.command = configs::PodVerb::finish;
  std::vector<bool> told(greeted_.size(), false);
  // A pod that has not come up yet (a short script) is waited for: its receipt is complete then.
  Deadline deadline = Deadline::after(options_.start_grace);
  while (!stop.stop_requested()) {
    for (std::size_t rank = 0; rank < told.size(); ++rank) {
      if (told[rank] || !greeted_[rank] || gone_[rank]) continue;
      host.send(Rank(static_cast<std::int64_t>(rank)), command);
      told[rank] = true;
      // Starts again with each chip that is told: the last one has the full time as well.
      deadline = Deadline::after(options_.finish_grace);
    }
    look(host);
    if (std::ranges::count(gone_, true) == static_cast<std::ptrdiff_t>(gone_.size())) return;
    if (deadline.passed()) gave_up_ = true;
  }
}

// The code of the script that failed first; without a failure the first code other than 0.
std::int64_t HostJobs::script_exit_code() const {
  std::int64_t first = 0;
  for (const auto& process : processes_) {
    const int status = process->ended().value_or(0);
    const std::int64_t code =
        WIFSIGNALED(status) ? kSignalled + WTERMSIG(status) : WEXITSTATUS(status);
    if (failure_ && failure_->host == process->host()) return code;
    if (first == 0) first = code;
  }
  return first;
}

std::vector<configs::HostProcessSeen> HostJobs::seen() const {
  std::vector<configs::HostProcessSeen> all;
  for (const auto& process : processes_) {
    configs::HostProcessSeen one;
    one.host = process->host();
    one.pid = process->identity().pid;
    one.wall_seconds = process->seconds();
    if (const std::optional<int> status = process->ended()) {
      if (WIFEXITED(*status)) one.exit_code = WEXITSTATUS(*status);
      if (WIFSIGNALED(*status)) one.signal = name_of_signal(WTERMSIG(*status));
    }
    all.push_back(std::move(one));
  }
  return all;
}

}  // namespace understudy::launcher
