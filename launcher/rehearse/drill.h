// SPDX-License-Identifier: Apache-2.0
// The drill (`rehearse --drill`): injects failures one by one and checks that each is diagnosed in
// time with the expected layer and host. One table; a row is a command line of `run`, plus a
// preparation if options alone cannot cause the failure. Call from the main thread.
#pragma once

#include <cstdint>
#include <memory>
#include <optional>
#include <span>
#include <string>
#include <string_view>
#include <vector>

#include "configs/base/diagnosis_id.h"
#include "configs/receipt/diagnosis.h"
#include "configs/receipt/rehearsal.h"
#include "configs/report/drill_report.h"

namespace understudy::launcher {

struct Console;
struct Environment;

// The environment of one drill: a temporary folder with a cache.
struct DrillWorld {
  std::string folder;    // {W} in the options of a row
  std::string programs;  // {P}: programs of the shipped ladder
  const Environment& environment;
  const Console& console;
  mutable std::shared_ptr<void> held = nullptr;  // kept until the drill ends
  std::string file(const std::string& name) const { return folder + "/" + name; }
  std::string cache() const { return folder + "/cache"; }
};

// Of damage that belongs to no host.
inline constexpr std::nullopt_t kNoHost = std::nullopt;

// Prepares the damage. *Throws* Error{unsupported} if this machine cannot simulate it; the drill is
// then skipped.
using Prepare = void (*)(const DrillWorld& world, const std::vector<std::string>& words);

// A row of the drill tables.
struct Drill {
  std::string_view name;
  std::string_view id;  // failure catalogue id, "F36", or ""
  std::string_view about;
  DiagnosisId diagnosis;             // expected; implies the layer
  std::optional<std::int64_t> host;  // expected
  double bound_seconds;              // time limit of the run, on an idle machine
  // Options of `run`, separated by blanks; --cache-dir {W}/cache is added. If they begin with an
  // option, the program is the first rung on four chips of two hosts.
  std::string_view words;
  Prepare prepare = nullptr;  // nullptr: the options are enough
  bool with_metrics = false;  // also run the experiments of `metrics`
  // If not empty: run again with these options added; the restore proof must then fail.
  std::string_view again = {};
};

// The tables: failures found before a program runs, and while it runs; sorted by layer.
std::span<const Drill> start_drills();
std::span<const Drill> run_drills();
// All, in the order of the report.
std::vector<Drill> drills();

// The result of one drill.
struct DrillSeen {
  std::string name, id, about;
  bool detected = false;  // expected diagnosis, layer and host, in time
  std::string diagnosis, expected_diagnosis;
  std::string layer, expected_layer;
  std::optional<std::int64_t> host, expected_host;
  double seconds = 0, bound_seconds = 0;
  std::string message, advice;
  std::string left_out;  // why it was skipped on this machine; empty: it ran
  int interrupted = 0;   // exit code if a signal ended it; there is no result then
};

// Runs these options of `run` as a preparation and ignores the outcome.
void run_words(const DrillWorld& world, const std::vector<std::string>& words);

// Compares the result of the run with the expectation of the row: diagnosis, layer, host, time.
DrillSeen judge_drill(const Drill& drill, const configs::RungSeen& rung);

// Runs one drill. Does not throw for failures that the drill causes.
DrillSeen play(const Drill& drill, const std::string& programs, const Environment& environment,
               const Console& console);

configs::DrillReport report_of(const std::vector<DrillSeen>& all, double seconds);
// The table as text: its header, and one line per drill.
std::string drill_head();
// One line of fixed columns; a missed drill has a second line with the expectation.
std::string drill_line(const DrillSeen& seen, const Console& console);

}  // namespace understudy::launcher
