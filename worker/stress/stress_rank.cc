// SPDX-License-Identifier: Apache-2.0
#include "worker/stress/stress_rank.h"

#include <filesystem>
#include <fmt/format.h>
#include <thread>

#include "cache/lock.h"
#include "cache/owner.h"
#include "cache/self_test.h"
#include "cache/stand_in.h"
#include "cache/store.h"
#include "collectives/communicator.h"
#include "collectives/mpi/runtime.h"
#include "collectives/mpi/transport.h"
#include "collectives/poll_throttle.h"
#include "configs/base/caught.h"
#include "configs/base/error.h"
#include "configs/base/file.h"
#include "configs/base/log.h"
#include "worker/pod/lifeline.h"
#include "worker/stress/contender.h"
#include "worker/stress/predict.h"
#include "worker/stress/supervisor.h"

namespace understudy::worker {
namespace {

// Per key, the longest wait for another rank: a rank that exceeds its own limit is stuck, and its
// supervisor goes on without it.
// Slack for keys whose holders are killed and restarted, which cost several waits each.
constexpr double kPatienceFactor = 4;

// Takes the locks of a contender's folder and keys, one after the other.
template <class Act>
void for_each_key(const StressSetup& setup, std::int64_t number, const Act& act) {
  const std::string folder = folder_path(setup, contender_at(setup, number));
  cache::machine_files().make_directories(folder);
  for (std::int64_t key = 0; key < setup.plan.keys; ++key)
    act(folder, cache::key_of(cache::stand_in_parts(key)));
}

// A process unrelated to the run: a long write, a debugger, another job.
void hold_locks(const StressSetup& setup, std::int64_t number, const std::function<void()>& held) {
  std::vector<std::unique_ptr<cache::Lock>> locks;
  std::string place;
  const auto take = [&](LockKind kind, const std::string& folder, const std::string& key) {
    // One attempt: another rank may hold a lock already, which is just as good for the scenario.
    locks.push_back(cache::make_lock(kind, {cache::machine_files(), folder, key}));
    locks.back()->try_acquire();
  };
  for_each_key(setup, number, [&](const std::string& folder, const std::string& key) {
    place = folder;
    take(LockKind::exclusive_file, folder, key);
  });
  take(LockKind::directory, place, "");
  held();
  std::this_thread::sleep_for(Seconds(setup.faults.hold_seconds));
  for (const auto& lock : locks) lock->release();
}

void lay_stale_locks(const StressSetup& setup, std::int64_t number, pid_t dead) {
  cache::Owner owner = cache::this_process();
  // Only the pid is changed: the machine is this one, so readers must find out that the process is
  // dead.
  owner.pid = dead;
  for_each_key(setup, number, [&](const std::string& folder, const std::string& key) {
    for (const std::string_view suffix : {cache::kLockSuffix, cache::kLeaseSuffix})
      cache::machine_files().write_in_place(fmt::format("{}/{}{}", folder, key, suffix),
                                            text_of(owner));
  });
}

class StressRank {
 public:
  // Forks; before MPI starts.
  explicit StressRank(const configs::StressPlan& plan)
      : setup_(setup_of(plan)),
        memory_(static_cast<std::size_t>(plan.keys)),
        // The folder must exist before the page in it is mapped: the comma orders the two.
        page_((std::filesystem::create_directories(plan.directory), plan.directory)),
        fork_server_({
            [this](auto discipline, auto number, auto life, const auto& start) {
              Contender contender = contender_at(of(discipline), number);
              contender.life = life;
              contend(of(discipline), contender, memory_, page_, start);
            },
            [this](auto discipline, auto number, const auto& held) {
              hold_locks(of(discipline), number, held);
            },
            [this](auto discipline, auto number, auto dead) {
              lay_stale_locks(of(discipline), number, dead);
            },
        }) {}

  // Collective.
  void run(ControlChannel& control_channel) {
    StressPod pod = attach_pod(control_channel, setup_.plan);
    configs::CacheStress stress;
    for (std::int64_t i = 0; i < std::ssize(setup_.plan.disciplines); ++i) {
      StressSetup setup = of(i);
      configs::PolicyStress one = Supervisor(pod, fork_server_, setup, i, memory_, page_).run();
      if (control_channel.is_root()) {
        one.predicted_seconds = predict_safe(setup, one.mean_compile_seconds);
        stress.policies.push_back(std::move(one));
      }
      // No rank may still use the folder when it is deleted.
      control_channel.barrier("the end of a policy");
      if (pod.leads_mount) delete_all(setup.directory);
    }
    if (control_channel.is_root())
      write_file_atomically(setup_.plan.result, std::string_view(to_json(stress)));
    // Ranks on other machines: their copy of the folder is invisible to the launcher.
    if (pod.leads_mount) leave();
  }

 private:
  // The setup of a discipline; its caches have a folder of their own.
  StressSetup of(std::int64_t discipline) const {
    StressSetup setup = setup_;
    setup.discipline = setup_.plan.disciplines.at(static_cast<std::size_t>(discipline));
    setup.directory = fmt::format("{}/{}", setup_.plan.directory, discipline);
    return setup;
  }

  // The launcher removes the folders of its own machine.
  void leave() const {
    std::error_code code;
    std::filesystem::remove_all(setup_.plan.directory, code);
    std::filesystem::remove(std::filesystem::path(setup_.plan.directory).parent_path(), code);
  }

  StressSetup setup_;
  ContenderMemory memory_;
  MachinePage page_;
  ForkServer fork_server_;
};

Seconds patience_of(const configs::StressPlan& plan) {
  const double of_key = plan.patience_seconds + plan.lock_timeout_seconds + plan.compile_seconds;
  return Seconds(kPatienceFactor * of_key * static_cast<double>(plan.keys));
}

}  // namespace

int run_stress_rank(const std::string& text) {
  const configs::StressPlan plan = configs::read_stress_plan(text, "the stress plan");
  StressRank rank(plan);  // forks, so before any thread
  // Ends this rank if the launcher vanishes, also while MPI blocks.
  const Lifeline lifeline(std::filesystem::path(plan.result).parent_path());
  // Before MPI_Init: it tells Open MPI's progress loop to yield, as contenders need the cores.
  const collectives::PollThrottle patient;
  collectives::MpiRuntime mpi;
  collectives::Communicator world = mpi.duplicate_world();
  const std::optional<Error> failure = caught([&] {
    collectives::MpiTransport transport(world, {.no_progress = patience_of(plan)});
    ControlChannel control_channel(transport);
    rank.run(control_channel);
  });
  if (failure) {
    log_error(failure->text());
    // MPI_Abort, not exit: the other ranks wait in collectives and would hang until their timeout.
    collectives::MpiRuntime::abort(exit_code_of(failure->kind()));
  }
  world.free();
  mpi.finalize();
  return 0;
}

}  // namespace understudy::worker
