// SPDX-License-Identifier: Apache-2.0
// 340 lines: one state machine over the children, whose parts share everything.
#include "launcher/cache/supervisor.h"

#include <algorithm>
#include <cerrno>
#include <csignal>
#include <fcntl.h>
#include <filesystem>
#include <fmt/format.h>
#include <sys/prctl.h>
#include <sys/stat.h>
#include <sys/wait.h>
#include <thread>
#include <unistd.h>

#include "cache/lock.h"
#include "cache/owner.h"
#include "cache/store.h"
#include "configs/base/error.h"
#include "configs/base/file.h"

namespace understudy::launcher {
namespace {

namespace fs = std::filesystem;

constexpr std::chrono::milliseconds kLook{2};
constexpr std::chrono::milliseconds kStop{200};
constexpr double kStuckMargin = 20;  // seconds beyond all that a policy may wait
constexpr mode_t kAnybodyReads = 0755;
constexpr int kRetirement = 70;

std::string file_of(std::int64_t key) {
  return cache::key_of(key_parts(key)) + std::string(cache::kEntrySuffix);
}

// In a child. It ends with its supervisor, whatever happens to that.
void follow_parent(pid_t parent) {
  ::prctl(PR_SET_PDEATHSIG, SIGKILL);
  if (::getppid() != parent) ::_exit(kRetirement);
}

}  // namespace

Supervisor::Supervisor(const StressSetup& setup, Discipline discipline)
    : setup_(setup),
      discipline_(std::move(discipline)),
      page_(static_cast<std::size_t>(setup.processes),
            folders_of(setup, discipline_) * static_cast<std::size_t>(setup.keys)),
      children_(static_cast<std::size_t>(setup.processes)),
      random_(setup.seed) {
  for (std::int64_t key = 0; key < setup_.keys; ++key)
    key_of_file_[file_of(key)] = static_cast<std::size_t>(key);
  // Root's contenders may become nobody, who must come this far.
  if (::geteuid() == 0) ::chmod(setup_.directory.c_str(), kAnybodyReads);
}

Supervisor::~Supervisor() {
  for (const Child& child : children_) {
    if (child.pid <= 0) continue;
    ::kill(child.pid, SIGKILL);
    ::waitpid(child.pid, nullptr, 0);
  }
  if (holder_ > 0) {
    ::kill(holder_, SIGKILL);
    ::waitpid(holder_, nullptr, 0);
  }
}

void Supervisor::run() {
  const Clock::time_point begin = Clock::now();
  while (rounds_ < setup_.rounds || Clock::now() - begin < setup_.for_at_least) {
    const bool extra = rounds_ >= setup_.rounds;
    if (extra && rounds_ % 2 == 0) clear();
    round();
    ++rounds_;
  }
  settle();
}

void Supervisor::round() {
  page_.common().go_ns.store(0);
  if (setup_.faults.stale_locks) lay_stale_locks();
  if (setup_.faults.hold_seconds > 0 && rounds_ == 0) hold_locks();
  for (std::size_t i = 0; i < children_.size(); ++i) {
    page_.slots()[i].finished_ns.store(0);
    start(i);
  }
  const std::int64_t go = Clock::now().time_since_epoch().count();
  page_.common().go_ns.store(go);
  Clock::time_point last = Clock::now();
  while (!all_finished()) {
    std::this_thread::sleep_for(kLook);
    if (setup_.while_running) setup_.while_running();
    const Clock::time_point now = Clock::now();
    misbehave(Seconds(now - last).count());
    last = now;
    reap();
    look_for_stuck();
  }
  std::vector<double> startups;
  for (const Slot& slot : page_.slots()) {
    const Clock::duration took(slot.finished_ns.load() - go);
    startups.push_back(Seconds(took).count());
  }
  startups_.push_back(std::move(startups));
}

void Supervisor::start(std::size_t number) {
  Child& child = children_[number];
  Contender contender = contender_at(setup_, static_cast<std::int64_t>(number));
  contender.life = ++child.life;
  const pid_t parent = ::getpid();
  child.pid = ::fork();
  if (child.pid < 0) throw file_error("start", "a contender", errno);
  child.last_progress = Clock::now();
  if (child.pid > 0) return;
  follow_parent(parent);
  int code = kRetirement;
  try {
    code = contend(setup_, discipline_, contender, page_);
  } catch (const std::exception&) {
    code = kRetirement;
  } catch (const Error& error) {
    std::fputs((error.text() + "\n").c_str(), stderr);
  }
  ::_exit(code);
}

// Somebody who has nothing to do with the run: a long write, a debugger, another job.
void Supervisor::hold_locks() {
  const pid_t parent = ::getpid();
  holder_ = ::fork();
  if (holder_ < 0) throw file_error("start", "a process", errno);
  if (holder_ == 0) {
    follow_parent(parent);
    std::vector<std::unique_ptr<cache::Lock>> locks;
    for (const auto& [number, path] : folders()) {
      cache::machine_files().make_directories(path);
      for (std::int64_t key = 0; key < setup_.keys; ++key) {
        const cache::LockPlace place{cache::machine_files(), path, cache::key_of(key_parts(key))};
        locks.push_back(make_lock(cache::LockKind::exclusive_file, place));
        locks.back()->try_acquire();
      }
      locks.push_back(make_lock(cache::LockKind::directory, {cache::machine_files(), path, ""}));
      locks.back()->try_acquire();
    }
    page_.common().held.store(true);
    std::this_thread::sleep_for(Seconds(setup_.faults.hold_seconds));
    for (const auto& lock : locks) lock->release();
    ::_exit(0);
  }
  while (!page_.common().held.load()) std::this_thread::sleep_for(kLook);
}

void Supervisor::lay_stale_locks() {
  const pid_t dead = ::fork();
  if (dead == 0) ::_exit(0);
  cache::Owner owner = cache::this_process();
  owner.pid = dead;
  ::waitpid(dead, nullptr, 0);
  for (const auto& [number, path] : folders()) {
    cache::machine_files().make_directories(path);
    for (std::int64_t key = 0; key < setup_.keys; ++key)
      for (const std::string_view suffix : {cache::kLockSuffix, cache::kLeaseSuffix})
        cache::machine_files().write_in_place(
            fmt::format("{}/{}{}", path, cache::key_of(key_parts(key)), suffix), text_of(owner));
  }
}

bool Supervisor::all_finished() {
  return std::ranges::all_of(children_, [](const Child& child) { return child.pid <= 0; });
}

void Supervisor::reap() {
  int status = 0;
  for (pid_t pid = ::waitpid(-1, &status, WNOHANG); pid > 0;
       pid = ::waitpid(-1, &status, WNOHANG)) {
    if (pid == holder_) holder_ = -1;
    const auto child = std::ranges::find(children_, pid, &Child::pid);
    if (child != children_.end()) bury(static_cast<std::size_t>(child - children_.begin()), status);
  }
}

void Supervisor::bury(std::size_t number, int status) {
  Slot& slot = page_.slots()[number];
  children_[number].pid = -1;
  if (slot.finished_ns.load() != 0) return;
  if (WIFSIGNALED(status) && WTERMSIG(status) == SIGKILL) {
    ++killed_;
    start(number);
    return;
  }
  troubles_.push_back(fmt::format("contender {} ended with status {:#x}", number, status));
  ++stuck_;
  slot.finished_ns.store(Clock::now().time_since_epoch().count());
}

bool Supervisor::happens(double per_second, double seconds) {
  return per_second > 0 &&
         std::bernoulli_distribution(std::min(1.0, per_second * seconds))(random_);
}

void Supervisor::misbehave(double seconds) {
  const StressFaults& faults = setup_.faults;
  if (happens(faults.kills_per_second, seconds)) kill_somebody();
  if (happens(faults.stops_per_second, seconds)) stop_somebody();
  resume();
  if (happens(faults.corrupts_per_second, seconds)) damage(false);
  if (happens(faults.truncates_per_second, seconds)) damage(true);
  if (happens(faults.deletes_per_second, seconds)) delete_all();
}

void Supervisor::kill_somebody() {
  const Child& child = children_[random_() % children_.size()];
  if (child.pid > 0) ::kill(child.pid, SIGKILL);
}

void Supervisor::stop_somebody() {
  const Child& child = children_[random_() % children_.size()];
  if (child.pid <= 0) return;
  ::kill(child.pid, SIGSTOP);
  stopped_.emplace_back(Clock::now() + kStop, child.pid);
}

// Only children that are still there: the pid of one that was reaped may be somebody else's.
void Supervisor::resume() {
  const auto due = [now = Clock::now()](const auto& stop) { return stop.first <= now; };
  for (const auto& stop : stopped_) {
    const bool there = std::ranges::find(children_, stop.second, &Child::pid) != children_.end();
    if (due(stop) && there) ::kill(stop.second, SIGCONT);
  }
  std::erase_if(stopped_, due);
}

std::vector<std::pair<std::size_t, std::string>> Supervisor::folders() const {
  std::vector<std::pair<std::size_t, std::string>> all;
  for (std::int64_t number = 0; number < setup_.processes; ++number) {
    const Contender contender = contender_at(setup_, number);
    const std::size_t folder = folder_of(setup_, discipline_, contender);
    const std::string path =
        cache::CompileCache(request_of(setup_, discipline_, contender)).folder();
    if (!path.empty() && (all.empty() || all.back().first != folder))
      all.emplace_back(folder, path);
  }
  return all;
}

KeyCount& Supervisor::count(std::size_t folder, std::size_t key) {
  return page_.counts()[folder * static_cast<std::size_t>(setup_.keys) + key];
}

void Supervisor::damage(bool truncates) {
  const auto all = folders();
  if (all.empty()) return;
  const auto& [folder, path] = all[random_() % all.size()];
  const std::size_t key = random_() % static_cast<std::size_t>(setup_.keys);
  const std::string entry = path + "/" + file_of(static_cast<std::int64_t>(key));
  const int descriptor = ::open(entry.c_str(), O_WRONLY | O_CLOEXEC);
  if (descriptor < 0) return;
  count(folder, key).damaged.store(true);
  struct stat status {};
  if (::fstat(descriptor, &status) == 0) {
    const auto at = static_cast<off_t>(random_() % static_cast<std::uint64_t>(status.st_size + 1));
    const int failed = truncates ? ::ftruncate(descriptor, at)
                                 : static_cast<int>(::pwrite(descriptor, "damage", 6, at) < 0);
    if (failed != 0) troubles_.push_back("an entry could not be damaged");
  }
  ::close(descriptor);
}

// Counted before and after: what is written meanwhile may or may not survive.
void Supervisor::delete_all() {
  ++page_.common().epoch;
  std::error_code code;
  for (const auto& item : fs::directory_iterator(setup_.directory, code))
    fs::remove_all(item.path(), code);
  ++page_.common().epoch;
}

void Supervisor::look_for_stuck() {
  const double limit = setup_.patience.count() + 2 * setup_.lock_timeout.count() +
                       3 * setup_.compile.count() + kStuckMargin;
  const Clock::time_point now = Clock::now();
  for (std::size_t i = 0; i < children_.size(); ++i) {
    Child& child = children_[i];
    const std::int64_t progress = page_.slots()[i].progress.load();
    if (progress != child.seen_progress) child.last_progress = now;
    child.seen_progress = progress;
    if (child.pid <= 0 || Seconds(now - child.last_progress).count() < limit) continue;
    ++stuck_;
    page_.slots()[i].finished_ns.store(now.time_since_epoch().count());
    ::kill(child.pid, SIGKILL);
  }
}

// Counts what the rounds since the last clear() compiled, and what of it is not there.
void Supervisor::settle() {
  const std::int32_t epoch = page_.common().epoch.load();
  for (KeyCount& one : page_.counts()) {
    compiles_ += one.compiles.load();
    duplicates_ += std::max(0, one.compiles.load() - 1);
    one.compiles.store(0);
  }
  const bool forgives = setup_.max_bytes > 0;  // what was evicted is not lost
  for (const auto& [folder, path] : folders()) {
    for (const auto& [file, key] : key_of_file_) {
      const KeyCount& one = count(folder, key);
      const auto entry = cache::machine_files().read(path + "/" + file);
      const std::string key_text = file.substr(0, file.size() - cache::kEntrySuffix.size());
      const bool good = entry && cache::open(*entry, key_text).refusal == cache::Refusal::none;
      if (good) unique_bytes_ += entry->size();
      // The supervisor is one more reader: of what a killed writer left under the final name.
      if (entry && !good && !one.damaged.load()) ++torn_;
      if (!good && !forgives && !one.damaged.load() && one.written_epoch.load() == epoch + 1)
        ++lost_;
    }
  }
}

void Supervisor::clear() {
  settle();
  delete_all();
  for (KeyCount& one : page_.counts()) one.damaged.store(false);
}

void Supervisor::tell(configs::PolicyStress& stress) const {
  stress.rounds = rounds_;
  stress.compiles = compiles_;
  stress.duplicate_compiles = duplicates_;
  stress.killed = killed_;
  stress.stuck_processes = stuck_;
  stress.entries_lost = lost_;
  stress.unique_bytes = unique_bytes_;
  stress.torn_reads = torn_;
  for (const Slot& slot : const_cast<SharedPage&>(page_).slots())
    stress.bytes_written += static_cast<std::uint64_t>(slot.tally.writes) * setup_.entry_bytes;
  stress.warnings = troubles_;
}

}  // namespace understudy::launcher
