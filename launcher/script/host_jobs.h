// SPDX-License-Identifier: Apache-2.0
// The host processes of a run, from their start to their end, and what was seen of them. They are a
// job of their own beside mpirun's. start() in the main thread, conduct() in the command thread of
// the hosted pod.
#pragma once

#include <atomic>
#include <cstdint>
#include <memory>
#include <optional>
#include <stop_token>
#include <string>
#include <vector>

#include "configs/receipt/receipt.h"
#include "launcher/pod/host.h"
#include "launcher/pod/run_folder.h"
#include "launcher/script/host_process.h"

namespace understudy::launcher {

struct HostJobsOptions {
  std::vector<std::string> words;  // of the script
  std::int64_t ranks = 0;
  std::int64_t slices = 1;   // that the hosts divide into
  Seconds stopped_limit{5};  // a host process may be stopped (SIGSTOP) this long
  Seconds report_grace{10};  // for scripts to report the end of their pod, or of another host
  Seconds start_grace{60};   // for a pod to come up, once all scripts have ended
  Seconds finish_grace{10};  // for idle chips to end once they are told to
};

class HostJobs {
 public:
  explicit HostJobs(HostJobsOptions options) : options_(std::move(options)) {}

  // `environments`: one per host. *Throws* Error{system}.
  void start(const std::vector<std::vector<std::string>>& environments, const RunFolder& folder);

  // Waits for the end of all host processes, then tells the chips to finish. Where a host process
  // fails or is stopped, or the pod ends (`stop`), the others get some time, then they are killed.
  void conduct(PodHost& host, const std::stop_token& stop);
  // True: the pod must be ended, because a script has failed and some chip cannot finish.
  bool gave_up() const { return gave_up_; }

  // What failed the run first: a script. nullopt: no script failed, or the pod ended before.
  const std::optional<configs::ReceiptFailure>& failure() const { return failure_; }
  std::vector<configs::HostProcessSeen> seen() const;
  // Of the script that failed first, or 0; 128 + the number of a signal that ended it.
  std::int64_t script_exit_code() const;

 private:
  std::string host_text(std::int64_t host) const;
  void look(PodHost& host);
  void note_ends();
  void note_failure(configs::ReceiptFailure failure);
  void end_all();
  void finish_chips(PodHost& host, const std::stop_token& stop);
  bool all_ended();

  HostJobsOptions options_;
  std::vector<std::unique_ptr<HostProcess>> processes_;
  std::vector<bool> greeted_, gone_;  // by rank
  std::vector<bool> counted_;         // by host: its end was noted
  std::optional<configs::ReceiptFailure> failure_;
  bool pod_lost_ = false;  // a chip ended before it was told to
  std::optional<Deadline> grace_;
  std::atomic<bool> gave_up_{false};
};

}  // namespace understudy::launcher
