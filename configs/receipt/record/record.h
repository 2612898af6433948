// SPDX-License-Identifier: Apache-2.0
// The per-rank record of a run: RUN_DIR/records/<rank>, a memory-mapped file that stays readable
// after SIGKILL. Two pages of atomics that the worker keeps up to date (its status, its flight
// recorder), then a log of JSON lines, one observation each, append only. One process writes, any
// reads at any time. Format: docs/formats.md.
#pragma once

#include <array>
#include <atomic>
#include <cstddef>
#include <cstdint>
#include <map>
#include <memory>
#include <optional>
#include <string>
#include <string_view>
#include <utility>
#include <variant>
#include <vector>

#include "configs/base/error.h"
#include "configs/base/ids.h"
#include "configs/receipt/record/failure_kind.h"
#include "configs/receipt/record/flight_record.h"

namespace understudy::configs {

// The worker's state machine, in this order and no other (docs/architecture.md).
enum class Phase : std::uint32_t {
  started,  // main() was entered
  contract_checked,
  environment_frozen,
  runtime_initialised,  // MPI is up, arena mapped
  spmd_enabled,
  tensors_allowed,
  programs_allowed,  // program loaded; executing
  finished,          // all work done, MPI finalised
  failed,
};
std::string_view name_of(Phase phase);
template <>
struct EnumNames<Phase> {
  static constexpr std::string_view kWhat = "a phase of a worker";
  static constexpr std::string_view kNames[] = {
      "started",      "contract checked", "environment frozen", "runtime initialised",
      "SPMD enabled", "tensors allowed",  "programs allowed",   "finished",
      "failed"};
};

// The state that changes all the time. Peers read the cell at the head of the worker's HBM segment,
// the launcher reads the copy in the record. Zero-filled memory is a valid initial state. Each word
// is meaningful by itself; readers get no consistent snapshot of several words.
struct StatusCell {
  std::atomic<std::uint64_t> heartbeat{0};     // counts up while the main thread lives
  std::atomic<std::uint64_t> instructions{0};  // executed so far
  std::atomic<std::uint32_t> phase{0};
  std::atomic<std::uint32_t> op{0};  // ordinal + 1 of the current operation, 0 = none
  std::atomic<std::uint64_t> step{0};
  std::atomic<std::uint32_t> doorbell{0};  // futex: rung by every message to this worker
  std::atomic<std::uint32_t> abort{0};     // 1 once this worker gave up
  // rank + 1 of the peer this worker waits for, 0 = none. Kept when it gave up, so that others can
  // follow the chain of waits to the peer that is really missing.
  std::atomic<std::uint32_t> waiting_for{0};
  // The outermost and the innermost current loop: ordinal + 1 of the operation, 0 = none, and how
  // often its body was entered.
  struct Loop {
    std::atomic<std::uint64_t> iterations{0};
    std::atomic<std::uint32_t> op{0};
  };
  std::array<Loop, 2> loops;
};
// The same as a reader sees it.
struct LoopSeen {
  std::uint32_t op = 0;  // ordinal + 1, 0: none
  std::uint64_t iterations = 0;
};

// ---- observations: one struct per kind of line ------------------------------------------------

// The first observation of a worker, before MPI starts: from here on its end can be detected from
// outside.
struct ProcessSeen {
  std::int64_t pid = 0;
  std::uint64_t pid_start = 0;  // field 22 of /proc/PID/stat: detects a reused pid
  std::string machine;          // host name as the worker sees it
};
// A signal that asks the worker to end, written before the worker does anything about it.
struct SignalSeen {
  std::int64_t number = 0;
  std::int64_t sender_pid = 0;  // 0: the kernel, or a process of another pid namespace
  std::string sender;           // its command name; empty if unknown
  bool from_pod = false;        // sent by mpirun or the launcher, during cleanup
  std::int64_t at_ns = 0;       // CLOCK_REALTIME
};
struct Started {
  std::int64_t pid = 0;
  std::uint64_t pid_start = 0;  // field 22 of /proc/PID/stat: detects a reused pid
  std::string machine;          // host name as the worker sees it
  std::int64_t host = 0;        // emulated host
  std::string cpu, isa, mxu;    // CPU model, kernel table, matrix unit make
  std::string mpi;              // library version
  std::string version, revision;
  std::string contract_digest;  // computed by the worker from what it read itself
  // Its sections with the common environment of all hosts, and with the program.
  std::optional<std::string> environment_digest = {}, program_digest = {};
  std::optional<std::int64_t> worker_id = {};  // TPU_WORKER_ID
};
struct GateSeen {
  std::string gate;
  double seconds = 0;  // since the start
  std::string detail;
  std::optional<std::string> failed = {};  // the reason, if it was not passed
};
// By rank 0, for all chips: the offset of each clock from rank 0's, as far as the gate can measure
// it.
struct ClocksSeen {
  std::vector<double> skew_ms;  // by rank; 0: within the precision of the measurement
};
// The result of the live probe.
struct Probed {
  std::string device_kind;
  std::vector<std::int64_t> coord;  // x, y, z
};
// The use of the compile cache.
struct CacheSeen {
  std::string directory, lock;               // of the entries; of policy shared
  std::map<std::string, std::string> parts;  // what the key was made of
  std::int64_t entry_reads = 0;              // entry files that this process read whole
  double wait_seconds = 0;                   // for the process that compiled
  double read_seconds = 0, write_seconds = 0;
  std::vector<double> lock_wait_seconds;  // one per attempt to acquire a lock
};
struct Compiled {
  bool cached = false;
  double wall_seconds = 0;  // until the executable was available, including waits
  double compile_seconds = 0;
  std::string key, policy, program_digest;
  std::vector<std::string> warnings;
  std::optional<CacheSeen> cache = {};
};
struct Stepped {
  std::int64_t index = 0;
  std::int64_t start_ns = 0, end_ns = 0;                 // CLOCK_REALTIME
  std::vector<std::pair<std::int64_t, double>> scalars;  // result index, value: rank 0 only
};
struct ResultSeen {
  std::int64_t index = 0;
  std::string digest, element;
  std::vector<std::int64_t> shape;
  // Of this chip's elements; null in records of earlier versions.
  std::optional<std::int64_t> nans = {}, infinities = {};
};
// An operation whose result had NaN or infinities, in a run that looks for them: the first time.
struct NonFiniteSeen {
  std::int64_t op_index = 0, step = 0;
  std::int64_t order = 0;      // in which the operations of this chip were seen
  bool is_nan = false;         // else: infinity
  bool is_new = false;         // no operand had any
  bool from_infinity = false;  // NaN of infinite operands
};
struct CollectiveCount {
  std::string kind, algorithm;
  std::int64_t count = 0;
  std::int64_t calls = 0;   // meetings of the members: fewer if small all_reduces were combined
  std::uint64_t bytes = 0;  // of the operands
  std::uint64_t messages_sent = 0, bytes_sent = 0;  // as the transport counted
};
// A rank that entered a collective last: how often, and by how much. `behind`: the time between the
// last and the second to last arrival, in which the group waited for this rank alone.
struct LateRank {
  std::int64_t rank = -1;
  std::int64_t times = 0;
  double behind_seconds = 0, behind_max_seconds = 0;  // all times together; the longest
};
// For one place in the program, recorded by the first member of the group. `spread`: from the first
// to the last arrival.
struct Arrivals {
  std::string kind;
  std::int64_t op_index = -1;
  std::int64_t members = 0;
  std::int64_t compared = 0;  // members on the first member's machine, which share its clock
  std::int64_t times = 0;
  double spread_seconds = 0, spread_max_seconds = 0;
  std::vector<LateRank> last;  // most often first
};
// The memory of one chip. The prediction is the compiler's: arguments, results, temporaries and
// code of the largest launch, with everything else that the plan of the run keeps beside it.
// Observed are the pages that hold data, as the kernel counts them (docs/memory.md).
struct MemorySeen {
  std::uint64_t hbm_predicted = 0, hbm_observed = 0, hbm_capacity = 0;
  // Null in records of earlier versions.
  std::optional<std::uint64_t> hbm_allocated = {};    // the allocator's peak
  std::optional<std::uint64_t> hbm_conditional = {};  // of the prediction: written only by branches
  std::optional<std::uint64_t> hbm_regions = {};      // separately allocated
  std::optional<std::uint64_t> page_bytes = {};       // null: the pages could not be counted
  // Of values that the program places in host memory; the capacity is the chip's share.
  std::optional<std::uint64_t> host_predicted = {}, host_observed = {}, host_capacity = {};
};
struct Totals {
  std::int64_t compiles = 0, executes = 0, instructions = 0;
  std::optional<std::map<std::string, std::int64_t>> counters = {};  // by torch_xla's names
};
struct Failed {
  FailureKind kind = FailureKind::internal;
  std::string message;
  Phase phase = Phase::started;  // reached before it failed
  std::string op;
  std::int64_t op_index = -1;               // ordinal, -1 = none
  std::vector<std::int64_t> missing_ranks;  // the ranks that were waited for
  // The evidence for this report; null only in receipts of format 1.
  std::optional<Evidence> evidence = Evidence::own_error;
  std::optional<std::string> diagnosis;  // by the worker itself (configs/receipt/diagnosis.h)
};

using Observation =
    std::variant<ProcessSeen, SignalSeen, Started, ClocksSeen, GateSeen, Probed, Compiled, Stepped,
                 ResultSeen, CollectiveCount, Arrivals, MemorySeen, Totals, Failed, NonFiniteSeen>;

// The initial size of a record on disk; it grows with its log.
inline constexpr std::size_t kRecordBytesAtStart = 48 * 1024;

// Owner of one record. Thread-safe: append() takes a lock.
class RecordWriter {
 public:
  // Creates the file (fails if it exists) with room for its start. *Throws* Error{system}.
  RecordWriter(const std::string& path, Rank rank);
  ~RecordWriter();
  StatusCell& status() noexcept;
  FlightRecord& flight() noexcept;  // one thread writes
  // An observation that does not fit is dropped and counted (`dropped` in the reader); a Failed
  // always fits.
  void append(const Observation& observation) noexcept;
  // The errno of the first failed write, 0 if there is none.
  int write_error() const noexcept;
  // The bytes of the whole record, for forwarding from other machines.
  std::vector<std::byte> bytes() const;

 private:
  struct State;
  std::unique_ptr<State> state_;
};

struct RecordContent {
  std::int64_t rank = 0;
  std::uint64_t heartbeat = 0, instructions = 0, step = 0, dropped = 0;
  Phase phase = Phase::started;
  std::uint32_t op = 0;           // ordinal + 1
  std::uint32_t waiting_for = 0;  // rank + 1
  bool aborted = false;
  std::array<LoopSeen, 2> loops = {};  // outermost, innermost
  std::vector<Observation> observations;
  std::vector<FlightSeen> flight;  // oldest first
};

// nullopt if there is no such file yet; throws Error{internal} for an invalid record. A line that
// was being written when the worker died is left out.
std::optional<RecordContent> read_record(const std::string& path);
// The same without observations and flight recorder: cheap enough to read for all ranks many times
// a second.
std::optional<RecordContent> read_record_status(const std::string& path);

}  // namespace understudy::configs
