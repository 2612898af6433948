// SPDX-License-Identifier: Apache-2.0
#include "launcher/diagnose/mpirun_notice.h"

#include <algorithm>
#include <charconv>
#include <regex>
#include <sys/wait.h>

#include "configs/base/error.h"

namespace understudy::launcher {
namespace {

// mpirun exits with 1 after SIGTERM, SIGINT or SIGHUP.
constexpr int kEndedByItself = 1;

// Only meaningful if mpirun ended by itself: after SIGTERM from the launcher its status is a
// consequence.
std::optional<int> own_exit_status(const WatchedRun& watched) {
  if (watched.mpirun_was_told || watched.interrupted || !watched.mpirun_status ||
      !WIFEXITED(*watched.mpirun_status))
    return std::nullopt;
  return WEXITSTATUS(*watched.mpirun_status);
}

// mpirun forwards SIGABRT and the user signals to its processes and prints a notice.
// The text of Open MPI 4.1 (orterun). Another version may word it differently; the loss is then
// reported as that of a worker.
std::optional<int> forwarded_signal(const std::string& mpirun_output) {
  static const std::regex kForwarding(R"(Forwarding\s+signal\s+(\d{1,3})\s+to\s+job)");
  std::smatch found;
  if (!std::regex_search(mpirun_output, found, kForwarding)) return std::nullopt;
  return std::stoi(found[1]);
}

bool was_followed(const WatchedRun& watched, std::int64_t rank) {
  return std::ranges::find(watched.exit_order, rank) != watched.exit_order.end();
}

bool all_over(const WatchedRun& watched) {
  for (const auto& record : watched.records)
    if (!record || record->phase != configs::Phase::finished) return false;
  return true;
}

}  // namespace

// Whitespace is flexible, because mpirun folds long lines at any word.
std::optional<MpirunNotice> notice_in(const std::string& mpirun_output) {
  static const std::regex kNotice(
      R"(process\s+rank\s+(\d{1,9})\s+with\s+PID\s+\d+\s+on\s+node\s+\S+\s+exited\s+on\s+signal\s+(\d{1,3}))");
  std::smatch found;
  if (!std::regex_search(mpirun_output, found, kNotice)) return std::nullopt;
  return MpirunNotice{std::stoll(found[1]), std::stoi(found[2])};
}

bool mpi_did_not_start(const std::string& mpirun_output) {
  return mpirun_output.find("MPI_INIT") != std::string::npos ||
         mpirun_output.find("MPI_Init") != std::string::npos;
}

LostWorker with_signal_from_mpirun(LostWorker lost, const WatchedRun& watched,
                                   const std::string& mpirun_output) {
  if (lost.loss.how != LossKind::killed && lost.loss.how != LossKind::ended) return lost;
  const std::optional<MpirunNotice> notice = notice_in(mpirun_output);
  const int status = own_exit_status(watched).value_or(0);
  // The notice names the first process that a signal ended, before mpirun ended any other. If the
  // launcher never found that process, it could only see the ends that followed.
  if (notice && notice->rank != lost.rank && !was_followed(watched, notice->rank))
    return lost_worker(notice->rank, Loss::by(LossKind::killed, notice->signal),
                       record_of(watched, notice->rank));
  // If the kernel's order contradicts the notice, the order decides. Without a notice, an exit
  // status above 128 has the signal.
  if (notice && notice->rank == lost.rank) {
    lost.loss = Loss::by(LossKind::killed, notice->signal);
  } else if (!notice && status > kSignalled) {
    lost.loss = Loss::by(LossKind::killed, status - kSignalled);
  }
  return lost;
}

std::optional<LostMpirun> lost_mpirun(const WatchedRun& watched, const std::string& mpirun_output) {
  if (watched.lost_mpirun) return watched.lost_mpirun;
  const std::optional<MpirunNotice> notice = notice_in(mpirun_output);
  const std::optional<int> forwarded = forwarded_signal(mpirun_output);
  const bool ended_by_it = forwarded && ((notice && notice->signal == *forwarded) ||
                                         own_exit_status(watched) == kSignalled + *forwarded);
  if (ended_by_it) return LostMpirun{watched.mpirun_pid, Loss::by(LossKind::forwarded, *forwarded)};
  if (own_exit_status(watched) != kEndedByItself || watched.workers_seen == 0) return std::nullopt;
  // Status 1 is not a loss of mpirun if all workers finished, or if MPI_Init failed in a worker.
  if (all_over(watched) || mpi_did_not_start(mpirun_output)) return std::nullopt;
  LostMpirun lost{watched.mpirun_pid, Loss::by(LossKind::ended)};
  lost.loss.exit_code = kEndedByItself;
  return lost;
}

}  // namespace understudy::launcher
