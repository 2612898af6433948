// SPDX-License-Identifier: Apache-2.0
#include "cache/stress_faults.h"

#include <charconv>
#include <fmt/format.h>

#include "configs/base/error.h"
#include "configs/base/suggest.h"

namespace understudy::cache {
namespace {

using Value = std::optional<double>;

void set_kill(StressFaults& faults, Value value) {
  faults.kills_per_second = value.value_or(5);
  // The share of kills that wait until a writer is in mid-write.
  faults.kill_in_mid_write = 0.3;
}
void set_stop(StressFaults& faults, Value value) { faults.stops_per_second = value.value_or(5); }
void set_fill(StressFaults& faults, Value value) {
  // 0 stands for half of what the run needs (StressFaults::capacity_for).
  faults.fills = true;
  faults.capacity_bytes = static_cast<std::uint64_t>(value.value_or(0));
}
void set_permission(StressFaults& faults, Value /*none*/) { faults.takes_permission = true; }
void set_corrupt(StressFaults& faults, Value value) {
  faults.corrupts_per_second = value.value_or(20);
}
void set_truncate(StressFaults& faults, Value value) {
  faults.truncates_per_second = value.value_or(20);
}
void set_delete(StressFaults& faults, Value value) {
  faults.deletes_per_second = value.value_or(4);
}
void set_stale_lock(StressFaults& faults, Value /*none*/) { faults.stale_locks = true; }
// One hour: the size of a wrong time zone.
void set_skew(StressFaults& faults, Value value) { faults.skew_seconds = value.value_or(3600); }
void set_hold_lock(StressFaults& faults, Value value) { faults.hold_seconds = value.value_or(3); }
void set_slow_writer(StressFaults& faults, Value value) {
  faults.mount.write_bytes_per_second = value.value_or(1e6);
}
// Both halves of a caching network mount: files show up late, and missing files are remembered as
// missing.
void set_invisible(StressFaults& faults, Value value) {
  faults.mount.invisible_for = faults.mount.remembers_absence = Seconds(value.value_or(0.5));
}
void set_no_exclusion(StressFaults& faults, Value /*none*/) {
  faults.mount.locks_exclude = faults.mount.creates_exclude = false;
}
void set_stale_handle(StressFaults& faults, Value value) {
  faults.mount.stale_handles = value.value_or(0.05);
}
void set_busy(StressFaults& faults, Value value) { faults.mount.busy = value.value_or(0.05); }
void set_slow_touch(StressFaults& faults, Value value) {
  faults.mount.first_touch = Seconds(value.value_or(1));
}
void set_rate_limit(StressFaults& faults, Value value) {
  faults.mount.reads_per_second = value.value_or(100);
}

}  // namespace

const std::vector<FaultKind>& fault_kinds() {
  static const std::vector<FaultKind> kinds = {
      {"kill", "PER_SECOND, 5", "contenders are killed by SIGKILL, 30 % of writers in mid-write",
       set_kill},
      {"stop", "PER_SECOND, 5", "contenders are stopped for 0.2 s", set_stop},
      {"fill", "BYTES, half of what is needed", "the disk is full", set_fill},
      {"permission", "", "the last process of each host may not write", set_permission},
      {"corrupt", "PER_SECOND, 20", "bytes of entries change", set_corrupt},
      {"truncate", "PER_SECOND, 20", "entries are truncated", set_truncate},
      {"delete", "PER_SECOND, 4", "the whole directory is deleted", set_delete},
      {"stale-lock", "", "locks of dead owners are left in the folder", set_stale_lock},
      {"skew", "SECONDS, 3600", "the clock of every second process is wrong", set_skew},
      {"hold-lock", "SECONDS, 3", "another process holds the lock at the start", set_hold_lock},
      {"slow-writer", "BYTES_PER_SECOND, 1000000", "writes are throttled", set_slow_writer},
      {"invisible", "SECONDS, 0.5", "other hosts see files late", set_invisible},
      {"no-exclusion", "", "locks do not exclude between hosts", set_no_exclusion},
      {"estale", "SHARE, 0.05", "reads fail with ESTALE", set_stale_handle},
      {"busy", "SHARE, 0.05", "renames and removals fail with EBUSY", set_busy},
      {"slow-touch", "SECONDS, 1", "the first access of a process is slow", set_slow_touch},
      {"rate-limit", "READS_PER_SECOND, 100", "the server limits the read rate", set_rate_limit},
  };
  return kinds;
}

// "kill" takes the default of its row, "kill=20" the number.
void add_fault(StressFaults& faults, const std::string& word) {
  const std::size_t equals = word.find('=');
  // Without "=" the whole word is the name.
  const std::string name = word.substr(0, equals);
  Value value;
  if (equals != std::string::npos) {
    double number = 0;
    const char* const end = word.data() + word.size();
    const auto [stop, code] = std::from_chars(word.data() + equals + 1, end, number);
    // A negative rate or time means nothing.
    if (code != std::errc() || stop != end || number < 0)
      throw Error(ErrorKind::usage, fmt::format("--fault {}: expected a number after \"=\"", word));
    value = number;
  }
  std::vector<std::string> names;
  for (const FaultKind& kind : fault_kinds()) {
    names.emplace_back(kind.name);
    if (kind.name != name) continue;
    if (value && kind.value.empty())
      throw Error(ErrorKind::usage, fmt::format("--fault {}: {} takes no value", word, name));
    kind.set(faults, value);
    faults.words.push_back(word);
    return;
  }
  throw Error(ErrorKind::usage, fmt::format("unknown fault {}{}", name, did_you_mean(name, names)))
      .note("known: " + join_words(names));
}

}  // namespace understudy::cache
