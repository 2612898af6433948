// SPDX-License-Identifier: Apache-2.0
// The catalogue of launches: what each kind of launch was predicted to need, what it was seen to
// need, and how it ended (understudy/catalogue/1, docs/rehearsal.md). The next launch looks up what
// it is about to try. Plain values, pure functions.
#pragma once

#include <cstdint>
#include <map>
#include <optional>
#include <span>
#include <string>
#include <vector>

namespace understudy::configs {

// What makes two launches the same.
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
Spread spread_of(std::vector<std::uint64_t> values);

// One end of a launch. What failed is kept.
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
  std::vector<LaunchEnd> ends;  // oldest first: all that failed, and the last that did not
};

struct Catalogue {
  std::vector<LaunchRecord> records;
};

enum class LaunchClass : std::uint8_t { known_good, unseen, known_bad };
std::string_view name_of(LaunchClass launch);  // "known-good", ...

// By the last end of this very signature; another code state is another signature.
LaunchClass class_of(const Catalogue& catalogue, const LaunchSignature& signature);

// A prediction corrected by the median error of the nearest launches: same hardware and
// parallelism, else same hardware; never of another. As it is where there are none.
std::uint64_t corrected(const Catalogue& catalogue, const LaunchSignature& signature,
                        std::uint64_t predicted);

// What could be tried next.
struct Candidate {
  std::string name;
  LaunchSignature signature;
  std::uint64_t predicted_hbm = 0;
};
// Known-good, unseen by what they are predicted to need, known-bad; else in the order given.
std::vector<Candidate> ordered(const Catalogue& catalogue, std::vector<Candidate> candidates);

// Adds one launch to its record. `observed` by rank, empty where nobody told.
void add(Catalogue& catalogue, const LaunchSignature& signature,
         std::optional<std::uint64_t> predicted, const std::vector<std::uint64_t>& observed,
         const LaunchEnd& end);

std::string to_json(const Catalogue& catalogue);
// *Throws* Error{config} with file, line, column and pointer.
Catalogue read_catalogue(const std::string& text, const std::string& path);

}  // namespace understudy::configs
