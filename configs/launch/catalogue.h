// SPDX-License-Identifier: Apache-2.0
// The catalogue of launches: the predicted and the observed memory of each kind of launch, and how
// it ended (understudy/catalogue/1, docs/rehearsal.md). A new launch looks up its own kind first.
// Plain values, pure functions.
#pragma once

#include <cstdint>
#include <map>
#include <optional>
#include <span>
#include <string>
#include <vector>

namespace understudy::configs {

// Two launches with equal signatures are of the same kind.
struct LaunchSignature {
  std::string code_state;   // revision and program digest
  std::string hardware;     // chip and slice
  std::string model_shape;  // digest of the shapes that the program takes
  std::string parallelism;  // replicas x partitions over hosts
  std::map<std::string, std::string> feature_toggles;
  bool operator==(const LaunchSignature&) const = default;
};
// Of its canonical JSON.
std::string id_of(const LaunchSignature& signature);

// Bytes over all ranks.
struct Spread {
  std::uint64_t min = 0, median = 0, max = 0;
};
// All zero for no values; of an even number the upper median.
Spread spread_of(std::vector<std::uint64_t> values);

// One end of a launch. Failures are kept.
struct LaunchEnd {
  std::string when;  // UTC
  std::string
      outcome;  // "ok", "compile_oom", "load_oom", "runtime_oom", "host_oom", "timeout", "other"
  std::string why;
};

struct LaunchRecord {
  std::string id;
  LaunchSignature signature;
  std::optional<std::uint64_t> predicted_hbm;  // bytes of the fullest chip
  std::optional<Spread> observed_hbm;
  std::optional<double> error_rel;  // (observed - predicted) / predicted
  std::int64_t samples = 0;
  std::string first_seen, last_seen;
  std::vector<LaunchEnd> ends;  // oldest first: all failures, and the last success
};

struct Catalogue {
  std::vector<LaunchRecord> records;
};

enum class LaunchClass : std::uint8_t { known_good, unseen, known_bad };
std::string_view name_of(LaunchClass launch);  // "known-good", ...

// By the last end with exactly this signature; a different code state is a different signature.
LaunchClass class_of(const Catalogue& catalogue, const LaunchSignature& signature);

// A prediction corrected by the median error of similar launches: same hardware and parallelism,
// else same hardware. Unchanged if there are none.
std::uint64_t corrected(const Catalogue& catalogue, const LaunchSignature& signature,
                        std::uint64_t predicted);

// A configuration to try.
struct Candidate {
  std::string name;
  LaunchSignature signature;
  std::uint64_t predicted_hbm = 0;
};
// Known-good first, then unseen by predicted memory, then known-bad; otherwise in the given order.
std::vector<Candidate> ordered(const Catalogue& catalogue, std::vector<Candidate> candidates);

// Adds one launch to its record. `observed` by rank, empty if unknown.
void add(Catalogue& catalogue, const LaunchSignature& signature,
         std::optional<std::uint64_t> predicted, const std::vector<std::uint64_t>& observed,
         const LaunchEnd& end);

std::string to_json(const Catalogue& catalogue);
// *Throws* Error{config} with file, line, column and pointer.
Catalogue read_catalogue(const std::string& text, const std::string& path);

}  // namespace understudy::configs
