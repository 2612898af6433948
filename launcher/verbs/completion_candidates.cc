// SPDX-License-Identifier: Apache-2.0
#include "launcher/verbs/completion_candidates.h"

#include <algorithm>
#include <fmt/format.h>

#include "cache/stress_faults.h"
#include "configs/base/cache_policy.h"
#include "configs/base/collective_algorithms.h"
#include "configs/launch/chip_spec.h"
#include "configs/launch/fault.h"
#include "configs/launch/topology.h"
#include "launcher/cache/scenarios.h"
#include "launcher/command_line.h"
#include "launcher/options/profile_options.h"
#include "launcher/rehearse/drill.h"
#include "launcher/verbs.h"

namespace understudy::launcher {
namespace {

using Words = std::vector<std::string>;

// The values of a member of all rows of a table.
template <class Rows, class Member>
Words column(const Rows& rows, Member member) {
  Words words;
  for (const auto& row : rows) words.emplace_back(row.*member);
  return words;
}

Words policies(const Environment&) { return column(cache_policies(), &CachePolicyRow::name); }
Words locks(const Environment&) { return {lock_names().begin(), lock_names().end()}; }
Words slices(const Environment&) { return configs::slice_names(); }
Words chips(const Environment&) { return configs::chip_names(); }
Words profiles(const Environment& environment) {
  return column(profile_library(environment).list(), &configs::ProfileListing::name);
}
Words algorithms(const Environment&) {
  return {kCollectiveAlgorithms.begin(), kCollectiveAlgorithms.end()};
}
Words numerics(const Environment&) { return {"tpu", "ieee"}; }
Words drill_names(const Environment&) { return column(drills(), &Drill::name); }
Words scenario_ids(const Environment&) {
  Words ids = {"all"};
  for (const Scenario* scenario : scenarios()) ids.emplace_back(scenario->id);
  return ids;
}
Words stress_faults(const Environment&) {
  return column(cache::fault_kinds(), &cache::FaultKind::name);
}
// The examples show the keys that a fault needs.
Words run_faults(const Environment&) {
  return column(configs::fault_forms(), &configs::FaultForm::example);
}
Words formats(const Environment&) { return {"shell", "json", "kubernetes"}; }
Words job_kinds(const Environment&) { return {"slurm", "mpijob"}; }
Words fills(const Environment&) { return {"zeros", "ones", "random:1"}; }
Words shells(const Environment&) { return {"bash", "zsh", "fish", "man"}; }

// Options and positionals whose values are known. An empty verb means every verb.
struct ValueRow {
  std::string_view verb, option;
  Words (*values)(const Environment&);
};
constexpr ValueRow kValues[] = {
    {"", "--slice", slices},
    {"", "--chip", chips},
    {"", "--profile", profiles},
    {"", "--numerics", numerics},
    {"", "--collectives", algorithms},
    {"", "--cache-policy", policies},
    {"", "--policy", policies},
    {"", "--cache-lock", locks},
    {"", "--lock", locks},
    {"", "--scenario", scenario_ids},
    {"", "--format", formats},
    {"", "--as", job_kinds},
    {"", "--fill", fills},
    {"cache stress", "--fault", stress_faults},
    {"", "--fault", run_faults},
    {"rehearse", "--drill", drill_names},
    {"describe", "SLICE", slices},
    {"completion", "WHAT", shells},
};

// The first matching row counts, so a row with a verb must precede the general row of its option.
const ValueRow* values_of(std::string_view verb, std::string_view option) {
  const auto* const found = std::ranges::find_if(kValues, [&](const ValueRow& row) {
    return row.option == option && (row.verb.empty() || row.verb == verb);
  });
  return found == std::end(kValues) ? nullptr : found;
}

// The first words of all verbs, or the second words of a group.
Words verb_words(std::string_view group) {
  Words words;
  for (const Verb& verb : verbs()) {
    const std::size_t blank = verb.name.find(' ');
    std::string word(verb.name.substr(0, blank));
    if (!group.empty()) {
      if (word != group || blank == std::string_view::npos) continue;
      word = verb.name.substr(blank + 1);
    }
    if (std::ranges::find(words, word) == words.end()) words.push_back(std::move(word));
  }
  return words;
}

Candidates matching(Words words, std::string_view prefix, bool files = false) {
  std::erase_if(words, [&](const std::string& word) { return !word.starts_with(prefix); });
  return {std::move(words), files};
}

// `words`: those after the verb, the last one being typed.
// Three cases in this order: the name of an option, the value of the option before it, a
// positional. Unknown values are completed as file names, because most of them are paths.
Candidates within(const Verb& verb, const Words& words, const Environment& environment) {
  const std::vector<OptionText> options = options_of(verb);
  const std::string& typed = words.back();
  const std::string before = words.size() > 1 ? words[words.size() - 2] : "";
  if (typed.starts_with('-')) {
    Words names;
    for (const OptionText& option : options)
      if (!option.positional) names.push_back(option.name);
    return matching(std::move(names), typed);
  }
  const auto option = std::ranges::find_if(options, [&](const OptionText& one) {
    return !one.positional && one.name == before && !one.value.empty();
  });
  if (option != options.end()) {
    const ValueRow* const row = values_of(verb.name, before);
    if (row != nullptr) return matching(row->values(environment), typed);
    return {{}, true};
  }
  for (const OptionText& one : options) {
    const ValueRow* const row = one.positional ? values_of(verb.name, one.name) : nullptr;
    if (row != nullptr) return matching(row->values(environment), typed);
  }
  return {{}, true};
}

}  // namespace

// A verb has one word or two ("cache ls"). Words of groups are offered before those of the verb.
Candidates candidates_for(const Words& line, const Environment& environment) {
  if (line.size() <= 1) {
    Words words = verb_words("");
    words.insert(words.end(), {"--help", "--version"});
    return matching(std::move(words), line.empty() ? "" : line.back());
  }
  const Words second = verb_words(line[0]);
  if (line.size() == 2 && !second.empty()) return matching(second, line[1]);
  if (line[0] == "help") {
    return matching(line.size() == 2 ? verb_words("") : verb_words(line[1]), line.back());
  }
  const std::size_t own = second.empty() ? 1 : 2;
  const Verb* const verb = find_verb(second.empty() ? line[0] : line[0] + " " + line[1]);
  if (verb == nullptr) return {};
  return within(*verb, Words(line.begin() + static_cast<std::ptrdiff_t>(own), line.end()),
                environment);
}

}  // namespace understudy::launcher
