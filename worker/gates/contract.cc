// SPDX-License-Identifier: Apache-2.0
#include "worker/gates/contract.h"

#include <algorithm>
#include <fmt/format.h>
#include <fmt/ranges.h>
#include <map>
#include <optional>
#include <set>
#include <string_view>

#include "configs/base/diagnosis_id.h"
#include "configs/base/error.h"
#include "configs/launch/shell_variables.h"

namespace understudy::worker {
namespace {

using configs::ContractSection;
using configs::LineDifference;
using Digests = std::vector<std::vector<std::string>>;  // by rank, then by section

// Limits of one message: ranks, and differing lines per rank.
// Six ranks and three lines fit a terminal.
constexpr std::size_t kMostRanks = 6, kMostLines = 3;

// Lines; the last one needs no line feed.
std::vector<std::string> split(std::string_view text) {
  std::vector<std::string> words;
  while (!text.empty()) {
    const std::size_t end = std::min(text.find('\n'), text.size());
    words.emplace_back(text.substr(0, end));
    text.remove_prefix(std::min(end + 1, text.size()));
  }
  return words;
}

// The value that most ranks have; in a tie, that of the lowest rank.
std::string most_common(const Digests& digests, std::size_t section) {
  std::map<std::string, std::size_t> counts;
  for (const auto& of_rank : digests) ++counts[of_rank.at(section)];
  std::string best = digests.front().at(section);
  for (const auto& of_rank : digests)
    if (counts[of_rank.at(section)] > counts[best]) best = of_rank.at(section);
  return best;
}

std::string words_of(const std::vector<LineDifference>& lines) {
  std::vector<std::string> words;
  for (const LineDifference& line : lines) {
    if (words.size() == kMostLines) {
      words.push_back(fmt::format("{} more", lines.size() - kMostLines));
      break;
    }
    words.push_back(text_of(line));
  }
  return fmt::format("{}", fmt::join(words, ", "));
}

}  // namespace

void ContractGate::check(const configs::Contract& own, const std::vector<ContractSection>& alike) {
  // Counts first: with other sections the digests could not be compared by index.
  if (own.sections.size() != plan_.contract_sections.size() ||
      plan_.identity_digests.size() != plan_.host_of.size())
    throw Error(ErrorKind::protocol,
                "launcher and worker disagree on the sections of the launch contract")
        .diagnosed(name_of(DiagnosisId::versions_differ));
  // The order fixes the index of each section in all digests below: the launcher's sections, the
  // rank's identity, then the sections that only workers know.
  std::vector<ContractSection> sections = own.sections;
  sections.push_back(own.identity);
  sections.insert(sections.end(), alike.begin(), alike.end());
  // The machine travels with the digests, for messages only.
  std::string report = machine_;
  for (const ContractSection& section : sections) report += "\n" + digest_of(section);
  std::vector<std::string> machines;
  Digests digests;
  for (const Bytes& bytes :
       control_channel_.all_gather(bytes_of(report), "launch contract digests")) {
    std::vector<std::string> words = split(text_of(bytes));
    if (words.size() != sections.size() + 1)
      throw Error(ErrorKind::protocol, "workers disagree on the sections of the launch contract")
          .diagnosed(name_of(DiagnosisId::versions_differ));
    machines.push_back(words.front());
    digests.emplace_back(words.begin() + 1, words.end());
  }
  const std::vector<DivergentRank> divergent = divergent_ranks_in(digests);
  // Digests first: in the usual case they are all that is exchanged.
  if (!divergent.empty()) refuse(sections, divergent, machines);
}

std::vector<ContractGate::DivergentRank> ContractGate::divergent_ranks_in(
    const Digests& digests) const {
  std::vector<DivergentRank> all;
  // The expected digest of each section: the launcher's where it knows one, the rank's own for the
  // identity, else the majority's.
  std::vector<std::string> want;
  for (const auto& [name, digest] : plan_.contract_sections) want.push_back(digest);
  want.emplace_back();  // identity: filled in for each rank below
  for (std::size_t section = want.size(); section < digests.front().size(); ++section)
    // Sections that only workers know have no expected value from the launcher, so the majority
    // decides.
    want.push_back(most_common(digests, section));
  for (std::size_t rank = 0; rank < digests.size(); ++rank) {
    DivergentRank one{rank, {}};
    want[identity()] = plan_.identity_digests.at(rank);
    for (std::size_t section = 0; section < digests[rank].size(); ++section)
      if (digests[rank][section] != want[section]) one.sections.push_back(section);
    if (!one.sections.empty()) all.push_back(std::move(one));
  }
  return all;
}

// The differing lines of one rank: compared with a rank whose section is correct, or, for the
// identity, with what follows from the launch's inputs. Where no rank has a correct section nothing
// can be compared.
std::vector<LineDifference> ContractGate::lines_of(
    const DivergentRank& one, const std::vector<DivergentRank>& all,
    const std::vector<std::vector<ContractSection>>& told) const {
  std::vector<LineDifference> lines;
  for (const std::size_t section : one.sections) {
    const ContractSection& here = told[one.rank].at(section);
    std::optional<ContractSection> there;
    // Only a rank that knows the launch's inputs can say what the identity should be.
    if (section == identity() && inputs_ != nullptr) {
      const auto rank = Rank(static_cast<std::int64_t>(one.rank));
      const auto entries = configs::variables_of(configs::chip_environment(*inputs_, rank));
      there =
          ContractSection{here.name, configs::contract_environment(entries, true, inputs_->slices)};
    } else if (section != identity()) {
      const auto differs = [&](std::size_t rank) {
        return std::ranges::any_of(all, [&](const DivergentRank& other) {
          return other.rank == rank && std::ranges::count(other.sections, section) > 0;
        });
      };
      for (std::size_t rank = 0; rank < told.size() && !there; ++rank)
        if (!differs(rank)) there = told[rank].at(section);
    }
    // All ranks differ: then the digests are named without lines.
    if (!there) continue;
    const std::vector<LineDifference> found = differences(here, *there);
    lines.insert(lines.end(), found.begin(), found.end());
  }
  return lines;
}

// Second round. All ranks computed the same `divergent` from the same digests, so all of them come
// here.
std::vector<std::vector<ContractSection>> ContractGate::exchange_lines(
    const std::vector<ContractSection>& own, const std::vector<DivergentRank>& divergent) {
  // A set gives the same order of sections on all ranks.
  std::set<std::size_t> differing;
  for (const DivergentRank& one : divergent)
    differing.insert(one.sections.begin(), one.sections.end());
  std::string mine;
  for (const std::size_t section : differing) mine += text_of(own[section]) + "\n";
  std::vector<std::vector<ContractSection>> told;
  for (const Bytes& bytes : control_channel_.all_gather(bytes_of(mine), "the differing lines")) {
    told.emplace_back(own.size());
    const std::vector<std::string> texts = split(text_of(bytes));
    std::size_t next = 0;
    for (const std::size_t section : differing)
      told.back()[section] = configs::parse_section(texts.at(next++));
  }
  return told;
}

void ContractGate::refuse(const std::vector<ContractSection>& own,
                          const std::vector<DivergentRank>& divergent,
                          const std::vector<std::string>& machines) {
  const std::vector<std::vector<ContractSection>> told = exchange_lines(own, divergent);
  const auto self = static_cast<std::size_t>(control_channel_.rank().value);
  // A divergent rank is its own culprit. The others point to the first divergent one.
  if (std::ranges::find(divergent, self, &DivergentRank::rank) == divergent.end())
    // The first: all ranks name the same culprit.
    culprit_ = Rank(static_cast<std::int64_t>(divergent.front().rank));
  std::vector<std::string> names;
  std::string_view diagnosis;
  for (const DivergentRank& one : divergent) {
    const std::vector<LineDifference> lines = lines_of(one, divergent, told);
    // The first difference with known lines names the diagnosis.
    if (diagnosis.empty() && !lines.empty()) diagnosis = diagnosis_of(lines.front());
    if (names.size() == kMostRanks) {
      names.push_back(fmt::format("and {} more ranks", divergent.size() - kMostRanks));
      break;
    }
    const std::string what = lines.empty() ? fmt::format("section {} differs from the launcher's",
                                                         own[one.sections[0]].name)
                                           : words_of(lines);
    names.push_back(fmt::format("rank {} (host {}, machine {}): {}", one.rank,
                                plan_.host_of[one.rank].value, machines[one.rank], what));
  }
  Error error(ErrorKind::protocol,
              fmt::format("the launch contract differs between ranks: {}", fmt::join(names, "; ")));
  throw error.diagnosed(diagnosis.empty() ? name_of(DiagnosisId::contract_differs) : diagnosis);
}

}  // namespace understudy::worker
