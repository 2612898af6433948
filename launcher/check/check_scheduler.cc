// SPDX-License-Identifier: Apache-2.0
#include "launcher/check/check_scheduler.h"

#include <algorithm>
#include <fmt/format.h>
#include <numeric>

#include "configs/base/error.h"
#include "configs/base/index.h"
#include "program/compile.h"
#include "program/read.h"

namespace understudy::launcher {
namespace {

constexpr Seconds kReportWait{0.05};

// The name of a check operation, for example "check.expect_eq"; as a custom call it is in
// call_target_name.
std::string name_of(const program::Operation& op) {
  const program::Attribute* const target = op.find("call_target_name");
  const auto* const text = target == nullptr ? nullptr : target->get<program::StringAttribute>();
  return text == nullptr ? op.name : text->value;
}

// The reason of a failure, with source place and caret if the worker names the failing operation.
// The text is parsed again here because only the ordinal of the operation crosses the socket.
std::string reason_of(const CheckJob& job, const std::string& path,
                      const configs::PodAnswer& answer) {
  if (answer.op < 0) return answer.error;
  const auto module =
      program::parse(std::make_shared<const program::Source>(path, job.program.text));
  const auto operations = program::operations_in_order(*module);
  if (answer.op >= static_cast<std::int64_t>(operations.size())) return answer.error;
  const program::Operation& op = *operations[static_cast<std::size_t>(answer.op)];
  return program::error_at(op.location, ErrorKind::check,
                           fmt::format("{}: {}", name_of(op), answer.error))
      .text();
}

}  // namespace

CheckScheduler::CheckScheduler(PodHost& host, CheckWork& work, CheckSchedulerOptions options)
    : host_(host),
      work_(work),
      options_(std::move(options)),
      here_(at(options_.ranks), false),
      tasks_(at(options_.ranks)) {
  for (CheckJob& job : work.jobs)
    if (!job.verdict) waiting_.push_back(&job);
  // Wide programs first, while all chips are free. Stable, so the order of the report is
  // deterministic.
  std::ranges::stable_sort(waiting_, std::greater<>(),
                           [](const CheckJob* job) { return job->program.processes(); });
}

// One loop: take events, start programs on free chips, check time limits.
void CheckScheduler::run(const std::stop_token& stop) {
  while (!stop.stop_requested() && !pod_gone_ && !gave_up_ && !is_done()) {
    for (const PodHost::Event& event : host_.wait(kReportWait)) hear(event);
    give_out();
    watch_time();
  }
  if (is_done()) finish();
}

// Every worker must receive "finish", so the end has to wait until all workers have connected.
bool CheckScheduler::is_done() const {
  return waiting_.empty() && std::ranges::all_of(here_, std::identity()) &&
         std::ranges::all_of(tasks_, [](const auto& task) { return task == nullptr; });
}

// Strictly in order: if narrow programs could overtake a wide one, they might occupy some of its
// chips at any time and starve it.
void CheckScheduler::give_out() {
  while (!waiting_.empty() && give(*waiting_.front())) waiting_.pop_front();
}

bool CheckScheduler::give(CheckJob& job) {
  const std::int64_t chips = job.program.processes();
  const auto is_free = [&](std::int64_t rank) {
    return here_[at(rank)] && tasks_[at(rank)] == nullptr;
  };
  // Blocks are aligned to their size, so blocks of the usual power-of-two sizes nest and leave no
  // gaps.
  for (std::int64_t first = 0; first + chips <= options_.ranks; first += chips) {
    std::int64_t rank = first;
    while (rank < first + chips && is_free(rank)) ++rank;
    if (rank < first + chips) continue;
    begin(job, first);
    return true;
  }
  return false;
}

void CheckScheduler::begin(CheckJob& job, std::int64_t first) {
  const auto task = std::make_shared<Task>();
  task->job = &job;
  task->program = next_program_++;
  task->first = first;
  task->chips = job.program.processes();
  // Includes loading, that is the compile.
  task->deadline = Deadline::after(options_.limit);
  std::vector<std::int64_t> ranks(at(task->chips));
  std::iota(ranks.begin(), ranks.end(), first);
  for (const std::int64_t rank : ranks) tasks_[at(rank)] = task;
  command(*task, configs::PodVerb::load, ranks);
  task->waiting = task->chips;
}

void CheckScheduler::command(const Task& task, configs::PodVerb verb,
                             const std::vector<std::int64_t>& ranks) {
  configs::PodCommand command;
  command.command = verb;
  command.program = task.program;
  command.path = work_.files[task.job->file].path;
  command.entry = task.job->program.entry;
  command.numerics = options_.numerics;
  // Each program is executed once, so its id can serve as the number of the launch as well.
  command.launch = static_cast<std::int64_t>(task.program);
  command.collectives = options_.collectives;
  const std::string& text = task.job->program.text;
  // Only "load" carries the program text; later commands refer to it by its id.
  const bool loads = command.command == configs::PodVerb::load;
  const auto body = std::as_bytes(std::span(text.data(), loads ? text.size() : 0));
  for (const std::int64_t rank : ranks) host_.send(Rank(rank), command, body);
}

void CheckScheduler::hear(const PodHost::Event& event) {
  const std::size_t rank = at(event.rank.value);
  if (rank >= here_.size())
    throw Error(ErrorKind::protocol, "received a message from a worker of another pod");
  switch (event.kind) {
    case PodHost::Event::Kind::greeted:
      here_[rank] = true;
      break;
    // Any lost worker ends the pod. The caller determines the cause from the records.
    case PodHost::Event::Kind::gone:
      pod_gone_ = true;
      break;
    case PodHost::Event::Kind::answered:
      if (const auto task = tasks_[rank]) hear_answer(*task, event.rank, event.answer);
      break;
  }
}

void CheckScheduler::hear_answer(Task& task, Rank rank, const configs::PodAnswer& answer) {
  CheckJob& job = *task.job;
  if (!answer.error_kind.empty() && !job.verdict) {
    const bool refused = answer.error_kind == understudy::name_of(ErrorKind::unsupported);
    job.verdict = CheckVerdict{refused ? configs::Verdict::unsupported : configs::Verdict::failed,
                               reason_of(job, work_.files[job.file].path, answer), 0};
  }
  if (task.phase == Phase::loading && answer.error_kind.empty()) task.loaded.push_back(rank.value);
  // All chips of a program evaluate the same checks; count those of its first chip.
  if (task.phase == Phase::executing && rank.value == task.first && !job.verdict)
    job.verdict = CheckVerdict{configs::Verdict::passed, "", answer.checks};
  // A rank may report a failure after the first rank has already reported success; the failure
  // wins.
  if (task.phase == Phase::executing && !answer.error_kind.empty() &&
      job.verdict->verdict == configs::Verdict::passed)
    job.verdict = CheckVerdict{configs::Verdict::failed,
                               reason_of(job, work_.files[job.file].path, answer), 0};
  if (--task.waiting == 0) advance(task);
}

// Loading -> executing -> unloading, one command per phase to all ranks that hold the program. If a
// rank refused to load it, the others skip the execution and unload.
void CheckScheduler::advance(Task& task) {
  const bool all_loaded = static_cast<std::int64_t>(task.loaded.size()) == task.chips;
  if (task.phase == Phase::unloading || task.loaded.empty()) return conclude(task);
  task.phase = task.phase == Phase::loading && all_loaded ? Phase::executing : Phase::unloading;
  task.waiting = static_cast<std::int64_t>(task.loaded.size());
  command(task,
          task.phase == Phase::executing ? configs::PodVerb::execute : configs::PodVerb::unload,
          task.loaded);
}

void CheckScheduler::conclude(Task& task) {
  for (std::int64_t rank = task.first, end = task.first + task.chips; rank < end; ++rank)
    tasks_[at(rank)].reset();
}

void CheckScheduler::watch_time() {
  for (const auto& task : tasks_) {
    if (task == nullptr || !task->deadline.passed()) continue;
    task->job->verdict = CheckVerdict{
        configs::Verdict::failed,
        fmt::format("{}: @{} did not end within {:g} s", work_.files[task->job->file].path,
                    task->job->program.entry, options_.limit.count()),
        0};
    // A worker that hangs in a program cannot take commands, so the whole pod must be ended.
    gave_up_ = true;
    return;
  }
}

void CheckScheduler::finish() {
  configs::PodCommand command;
  command.command = configs::PodVerb::finish;
  for (std::int64_t rank = 0; rank < options_.ranks; ++rank) host_.send(Rank(rank), command);
}

CheckJob* CheckScheduler::at_work(Rank rank) const {
  const auto& task = tasks_.at(at(rank.value));
  return task == nullptr ? nullptr : task->job;
}

}  // namespace understudy::launcher
