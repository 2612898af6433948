// SPDX-License-Identifier: Apache-2.0
#include "launcher/pod/process_log.h"

#include <charconv>
#include <csignal>
#include <map>
#include <set>
#include <sys/wait.h>

#include "configs/base/procfs.h"

namespace understudy::launcher {
namespace {

struct Line {
  std::string_view word;
  std::int64_t first = 0, second = 0;
};

// Removes the first line from `log`. nullopt: it is not complete or not valid.
std::optional<Line> take_line(std::string_view& log) {
  const std::size_t end = log.find('\n');
  // mpirun may be killed in the middle of a write, so the last line may be cut.
  if (end == std::string_view::npos) {
    log = {};
    return std::nullopt;
  }
  std::string_view text = log.substr(0, end);
  log.remove_prefix(end + 1);
  Line line;
  line.word = text.substr(0, text.find(' '));
  text.remove_prefix(line.word.size());
  for (std::int64_t* const number : {&line.first, &line.second}) {
    if (!text.starts_with(' ')) return std::nullopt;
    const auto [stop, code] = std::from_chars(text.data() + 1, text.data() + text.size(), *number);
    if (code != std::errc()) return std::nullopt;
    text.remove_prefix(static_cast<std::size_t>(stop - text.data()));
  }
  return line;
}

// `status` is in the form of waitpid(2).
Loss loss_of(int status) {
  if (WIFSIGNALED(status)) return Loss::by(LossKind::killed, WTERMSIG(status));
  Loss loss = Loss::by(LossKind::ended);
  loss.exit_code = WEXITSTATUS(status);
  return loss;
}

Loss loss_of_mpirun(const Line& signal) {
  Loss loss = Loss::by(LossKind::signalled, static_cast<int>(signal.first));
  loss.sent.emplace();
  loss.sent->number = signal.first;
  loss.sent->sender_pid = signal.second;
  return loss;
}

// mpirun ends its workers with SIGCONT, SIGTERM and SIGKILL. It sends any of these four only to
// pass on one that it received itself, and a worker has no handler that would survive it. Its own
// notice of that was missing from its output in start-up.
bool is_forwarded(std::int64_t number) {
  return number == SIGABRT || number == SIGUSR1 || number == SIGUSR2 || number == SIGALRM;
}

using RankByPid = std::map<std::int64_t, std::int64_t>;  // rank -1: not a worker

// The ranks of the children of mpirun that have executed a program.
RankByPid ranks_in(std::string_view log) {
  RankByPid ranks;
  while (!log.empty())
    if (const auto line = take_line(log); line && line->word == "child")
      ranks[line->first] = line->second;
  return ranks;
}

// The rank of a child. mpirun starts its workers one after another in the order of their ranks, and
// waits for the execve() of each, so a child that ended before its execve() has the lowest rank
// that is missing. nullopt: it is not a worker, or its rank is unknown, because a child that starts
// workers on another machine (ssh, srun) shows that the missing ranks may be there.
std::optional<std::int64_t> rank_of(std::int64_t pid, const RankByPid& ranks,
                                    const ProcessLogFacts& facts) {
  if (const auto child = ranks.find(pid); child != ranks.end())
    return child->second < 0 ? std::nullopt : std::optional(child->second);
  std::set<std::int64_t> present;
  for (const auto& [other, rank] : ranks) present.insert(rank);
  if (present.count(-1) != 0) return std::nullopt;
  std::int64_t rank = 0;
  while (present.count(rank) != 0) ++rank;
  return rank < facts.ranks ? std::optional(rank) : std::nullopt;
}

}  // namespace

// One pass suffices because the log is in the order of the events: a `kill` line is written before
// the signal is sent, so it precedes the `end` that it causes.
std::optional<FirstEnd> first_end_in(std::string_view log, const ProcessLogFacts& facts) {
  const RankByPid ranks = ranks_in(log);
  std::set<std::int64_t> signalled;  // pids to which mpirun sent a signal
  while (!log.empty()) {
    const std::optional<Line> line = take_line(log);
    if (!line) continue;
    if (line->word == "kill" && is_forwarded(line->second))
      return FirstEnd{-1, 0, Loss::by(LossKind::forwarded, static_cast<int>(line->second))};
    // SIGCONT and the test whether a process exists (0) end nothing.
    if (line->word == "kill" && line->second != 0 && line->second != SIGCONT)
      signalled.insert(line->first);
    if (line->word == "signal" && line->second != facts.launcher)
      return FirstEnd{-1, 0, loss_of_mpirun(*line)};
    if (line->word != "end" || line->second == 0 || signalled.count(line->first) != 0) continue;
    if (const auto rank = rank_of(line->first, ranks, facts))
      return FirstEnd{*rank, line->first, loss_of(static_cast<int>(line->second))};
  }
  return std::nullopt;
}

std::optional<FirstEnd> first_end_of(const std::string& path, const ProcessLogFacts& facts) {
  std::optional<FirstEnd> first = first_end_in(read_kernel_file(path), facts);
  if (first && first->loss.sent && first->loss.sent->sender_pid > 0)
    first->loss.sent->sender = process_name(first->loss.sent->sender_pid);
  return first;
}

}  // namespace understudy::launcher
