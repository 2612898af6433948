// SPDX-License-Identifier: Apache-2.0
#include "launcher/cache/scenario_world.h"

#include <atomic>
#include <cerrno>
#include <csignal>
#include <cstring>
#include <exception>
#include <filesystem>
#include <fmt/format.h>
#include <sys/mman.h>
#include <sys/prctl.h>
#include <sys/stat.h>
#include <sys/wait.h>
#include <thread>
#include <unistd.h>
#include <utility>

#include "cache/stand_in.h"
#include "cache/store.h"
#include "configs/base/error.h"
#include "configs/base/file.h"
#include "launcher/cache/stress.h"

namespace understudy::launcher {
namespace {

// Short beside the times of scenarios (tens of milliseconds), long enough not to occupy a core.
constexpr std::chrono::microseconds kPause{500};
// Also the wait limit of requests: a scenario that expects no timeout never reaches it.
constexpr Seconds kRequestLimit{5};
constexpr Seconds kActorLimit{30};  // for an actor; scenarios take a second or two
constexpr mode_t kAnybodyReads = 0755;

// Returns the wait status of a child. *Throws* Error{timeout} if it does not end in time.
int end_of(pid_t child) {
  const Deadline deadline = Deadline::after(kActorLimit);
  int status = 0;
  while (::waitpid(child, &status, WNOHANG) != child) {
    if (deadline.passed())
      throw Error(
          ErrorKind::timeout,
          fmt::format("an actor of a scenario did not end within {:g} s", kActorLimit.count()));
    std::this_thread::sleep_for(kPause);
  }
  return status;
}

}  // namespace

// One anonymous shared mapping: the fork inherits it, so actors report through it without files,
// which some scenarios make fail.
struct ScenarioWorld::Page {
  std::atomic<bool> go{false};
  std::array<Heard, kMostActors> heard{};
};

ScenarioWorld::ScenarioWorld(std::string directory) : directory_(std::move(directory)) {
  std::filesystem::create_directories(directory_);
  // C13 reads the folder as another user, whatever the umask is.
  ::chmod(directory_.c_str(), kAnybodyReads);
  void* const start =
      ::mmap(nullptr, sizeof(Page), PROT_READ | PROT_WRITE, MAP_SHARED | MAP_ANONYMOUS, -1, 0);
  if (start == MAP_FAILED) throw file_error("map", "shared memory", errno);
  // Lock-free atomics work between processes that share the mapping; a mutex would not survive a
  // killed owner.
  page_ = std::construct_at(static_cast<Page*>(start));
}

ScenarioWorld::~ScenarioWorld() {
  for (const pid_t child : children_) {
    ::kill(child, SIGKILL);
    ::waitpid(child, nullptr, 0);
  }
  ::munmap(page_, sizeof(Page));
}

// Actor 0 is the leader of its host and of the pod.
cache::CacheRequest ScenarioWorld::request(const std::string& discipline, std::int64_t number,
                                           std::int64_t host) const {
  const configs::StressDiscipline parsed = parse_discipline(discipline);
  cache::CacheRequest request;
  request.directory = directory_;
  request.policy = parsed.policy;
  request.lock = parsed.lock.empty() ? "exclusive-file" : parsed.lock;
  request.rank = Rank(number);
  request.host = HostId(host);
  request.host_leader = request.pod_leader = number == 0;
  request.wait_limit = kRequestLimit;
  return request;
}

std::string ScenarioWorld::entry_path(const cache::CacheRequest& request, std::int64_t key) const {
  return fmt::format("{}/{}{}", cache::CompileCache(request).folder(),
                     cache::key_of(parts_of({key})), cache::kEntrySuffix);
}

// Actors are forks, because lock files, signals and users are per process: threads could not be
// killed in mid-write or run as another user.
void ScenarioWorld::fork_actor(std::function<void(Heard&)> act, bool waits) {
  const std::size_t number = children_.size();
  UNDERSTUDY_ASSERT(number < kMostActors);
  Heard& heard = page_->heard[number];
  // Before the fork: the page is used again by the next group of actors.
  heard = Heard{};
  const pid_t parent = ::getpid();
  const pid_t child = ::fork();
  if (child < 0) throw file_error("start", "an actor", errno);
  if (child > 0) {
    children_.push_back(child);
    return;
  }
  // An actor must not outlive the launcher. The check closes the race with a parent that has
  // already ended.
  ::prctl(PR_SET_PDEATHSIG, SIGKILL);
  if (::getppid() != parent) ::_exit(1);
  while (waits && !page_->go.load()) std::this_thread::sleep_for(kPause);
  const Clock::time_point begin = Clock::now();
  try {
    act(heard);
  } catch (const Error& error) {
    // The last character stays 0 from the initialisation, so the text is always terminated.
    std::strncpy(heard.warning.data(), error.message().c_str(), heard.warning.size() - 1);
  } catch (...) {
    ::_exit(1);  // the child must not unwind into the copied stack of the parent
  }
  heard.seconds = seconds_since(begin);
  ::_exit(0);
}

void ScenarioWorld::start(std::function<void(Heard&)> act) { fork_actor(std::move(act), true); }

void ScenarioWorld::start_now(std::function<void(Heard&)> act) {
  fork_actor(std::move(act), false);
}

// A signalled actor is a valid outcome (some scenarios kill theirs); an exit status is a defect of
// the scenario.
std::vector<Heard> ScenarioWorld::finish() {
  // Releases all actors of start() at the same instant, which is what makes races likely.
  page_->go.store(true);
  std::vector<Heard> all;
  for (std::size_t i = 0; i < children_.size(); ++i) {
    const int status = end_of(children_[i]);
    all.push_back(page_->heard[i]);
    if (WIFSIGNALED(status)) all.back().signal = WTERMSIG(status);
    if (WIFEXITED(status) && WEXITSTATUS(status) != 0)
      throw Error(ErrorKind::internal, fmt::format("actor {} of a scenario failed", i));
  }
  children_.clear();
  page_->go.store(false);
  return all;
}

Heard ScenarioWorld::play(std::function<void(Heard&)> act) {
  UNDERSTUDY_ASSERT(children_.empty());
  start_now(std::move(act));
  return finish().front();
}

bool ScenarioWorld::eventually(const std::function<bool()>& holds) {
  const Deadline deadline = Deadline::after(kRequestLimit);
  while (!holds()) {
    if (deadline.passed()) return false;
    std::this_thread::sleep_for(kPause);
  }
  return true;
}

cache::KeyParts parts_of(const CompileRequest& compile_request) {
  cache::KeyParts parts = cache::stand_in_parts(compile_request.key);
  parts.program += compile_request.program;
  if (!compile_request.flags.empty()) parts.profile["flags"] = compile_request.flags;
  return parts;
}

void obtain(Heard& heard, cache::CompileCache& cache, const CompileRequest& compile_request) {
  const cache::CacheOutcome outcome = cache.obtain(parts_of(compile_request), [&] {
    std::this_thread::sleep_for(compile_request.compile);
    return cache::stand_in(compile_request.key, compile_request.bytes);
  });
  // Stand-in executables encode their key in `replicas`, so a mixed-up entry is detected.
  if (outcome.executable.replicas != compile_request.key + 1)
    throw Error(ErrorKind::internal, "the cache returned the executable of another program");
  const cache::CacheCounters& counters = outcome.counters;
  ++heard.requests;
  heard.hits += counters.hits;
  heard.compiles += counters.compiles;
  heard.bad_entries += counters.deserialize_failures;
  heard.removed += counters.removed;
  heard.evicted += counters.evicted;
  heard.writes += counters.writes;
  heard.write_failures += counters.write_failures;
  heard.lock_timeouts += counters.lock_timeouts;
  heard.wait_timeouts += counters.wait_timeouts;
  heard.locks_broken += counters.locks_broken;
  heard.lock_seconds += outcome.lock_seconds;
  heard.write_seconds += outcome.write_seconds;
  if (outcome.warnings.empty()) return;
  const std::string& last = outcome.warnings.back();
  std::strncpy(heard.warning.data(), last.c_str(), heard.warning.size() - 1);
}

void obtain(Heard& heard, cache::CacheRequest request, const CompileRequest& compile_request,
            cache::FileFaults faults) {
  // Locks and caches of the fault layer are per host.
  faults.host = request.host.value;
  cache::FaultyFileSystem files(std::move(faults));
  request.files = &files;
  cache::CompileCache cache(std::move(request));
  obtain(heard, cache, compile_request);
}

// Counts and times are summed; the last non-empty warning is kept.
Heard total(const std::vector<Heard>& all) {
  Heard sum;
  for (const Heard& one : all) {
    sum.requests += one.requests;
    sum.hits += one.hits;
    sum.compiles += one.compiles;
    sum.bad_entries += one.bad_entries;
    sum.removed += one.removed;
    sum.evicted += one.evicted;
    sum.writes += one.writes;
    sum.write_failures += one.write_failures;
    sum.lock_timeouts += one.lock_timeouts;
    sum.wait_timeouts += one.wait_timeouts;
    sum.locks_broken += one.locks_broken;
    sum.note += one.note;
    sum.seconds += one.seconds;
    sum.lock_seconds += one.lock_seconds;
    sum.write_seconds += one.write_seconds;
    if (!one.said().empty()) sum.warning = one.warning;
  }
  return sum;
}

cache::FileFaults killed_in_mid_write() {
  cache::FileFaults faults;
  faults.in_mid_write = [](const std::string&) { ::kill(::getpid(), SIGKILL); };
  return faults;
}

cache::FileFaults slow_writer(double bytes_per_second) {
  cache::FileFaults faults;
  faults.write_bytes_per_second = bytes_per_second;
  return faults;
}

}  // namespace understudy::launcher
