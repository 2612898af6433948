// SPDX-License-Identifier: Apache-2.0
// The drill: failures that are broken in on purpose, one by one, to see that each is found, in
// time, on its layer and host (`rehearse --drill`). One table; a row is a command line of `run`,
// with something damaged first where words cannot do it. Call from the main thread.
#pragma once

#include <cstdint>
#include <memory>
#include <optional>
#include <span>
#include <string>
#include <string_view>
#include <vector>

#include "configs/receipt/diagnosis.h"
#include "configs/receipt/rehearsal.h"
#include "configs/report/drill_report.h"

namespace understudy::launcher {

struct Console;
struct Environment;

// Where one drill takes place: a folder of its own with a cache, removed afterwards.
struct DrillWorld {
  std::string folder;    // {W} in the words of a row
  std::string programs;  // {P}: of the shipped ladder
  const Environment& environment;
  const Console& console;
  mutable std::shared_ptr<void> held = nullptr;  // until the drill is over
  std::string file(const std::string& name) const { return folder + "/" + name; }
  std::string cache() const { return folder + "/cache"; }
};

// Damages something, after it ran what it needs. *Throws* Error{unsupported} where this machine
// cannot be damaged in that way: the drill is then left out.
using Prepare = void (*)(const DrillWorld& world, const std::vector<std::string>& words);

// A row of the tables.
struct Drill {
  std::string_view name;
  std::string_view id;  // of the catalogue, "F36", or ""
  std::string_view about;
  std::string_view diagnosis;        // that must be made; it says the layer
  std::optional<std::int64_t> host;  // that must be named
  double bound_seconds;              // of the run that must find it, on a machine at rest
  // Of `run`, with blanks between them; --cache-dir {W}/cache is added. Where they begin with an
  // option they are of the first rung on four chips of two hosts.
  std::string_view words;
  Prepare prepare = nullptr;  // nullptr: the words are enough
  bool with_metrics = false;  // the experiments of `metrics` belong to it
  // Not empty: it is run once more with these words added, and must come out of the cache.
  std::string_view again = {};
};

// The tables: what is found before a program runs, and what while it does; each by layer.
std::span<const Drill> start_drills();
std::span<const Drill> run_drills();
std::vector<Drill> drills();

// What became of one.
struct DrillSeen {
  std::string name, id, about;
  bool detected = false;  // by the diagnosis, on its layer and host, in time
  std::string diagnosis, expected_diagnosis;
  std::string layer, expected_layer;
  std::optional<std::int64_t> host, expected_host;
  double seconds = 0, bound_seconds = 0;
  std::string message, advice;
  std::string left_out;  // why it cannot be played on this machine; empty: it was played
  int interrupted = 0;   // the exit code, where a signal ended it: nothing is known then
};

// Runs these words of `run` as a preparation, whatever comes of it.
void run_words(const DrillWorld& world, const std::vector<std::string>& words);

// Whether what became of the run is what the row expects: that very failure, on its layer and host,
// in time.
DrillSeen judge_drill(const Drill& drill, const configs::RungSeen& rung);

// Plays one. Never throws for what the drill itself breaks.
DrillSeen play(const Drill& drill, const std::string& programs, const Environment& environment,
               const Console& console);

configs::DrillReport report_of(const std::vector<DrillSeen>& all, double seconds);
// The table for people: its head, and a line for each.
std::string drill_head();
std::string drill_line(const DrillSeen& seen, const Console& console);

}  // namespace understudy::launcher
