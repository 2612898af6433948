// SPDX-License-Identifier: Apache-2.0
// The launch contract: everything that must be decided before the runtime initialises, in named
// sections of lines "name=value", each with a digest. The launcher computes it from what it hands
// out. Every worker computes it from what it has: its own environment, the bytes of the program
// that it received, its own version. If digests differ, the lines show which variable of which host
// differs. Plain values, pure functions.
#pragma once

#include <map>
#include <optional>
#include <string>
#include <string_view>
#include <vector>

#include "configs/launch/environment.h"
#include "configs/launch/run_plan.h"

namespace understudy::configs {

struct ContractSection {
  std::string name;
  std::map<std::string, std::string> lines;
  bool operator==(const ContractSection&) const = default;
};
std::string digest_of(const ContractSection& section);

// The sections that are equal on all hosts, and the one that belongs to a host.
struct Contract {
  std::vector<ContractSection> sections;  // slice, hosts, profile, environment, ...
  ContractSection identity;               // of the host: its identity and its cache folder
};

// The facts from which a contract is computed.
struct ContractFacts {
  const RunPlan& plan;                 // its digests are not used
  std::optional<LaunchInputs> inputs;  // nullopt: started without a launcher's inputs
  std::string program_digest;          // of the available bytes: digest_of_programs()
  Variables environment;               // of a worker, whole
};
// Computed by the launcher and by every worker from what each of them sees.
Contract contract_of(const ContractFacts& facts);

// The variables of `environment` that are part of the contract: those of the launch, of understudy
// itself, and any other that belongs neither to MPI nor to the system. `of_host`: those that
// differ between hosts of a launch of so many slices, else the common ones.
Variables contract_environment(const Variables& environment, bool of_host, std::int64_t slices);

// The digest of the bytes of the plan's program. For other programs of the plan (`others`: their
// bytes, in the plan's order) "; rank 3: <digest>" is appended.
std::string digest_of_programs(const RunPlan& plan, std::string_view program,
                               const std::vector<std::string>& others);

// One line, schema understudy/contract/2: the same bytes for equal contracts.
std::string to_json(const Contract& contract);
// Of the sections that are equal on all hosts.
std::string digest_of(const Contract& contract);

// Lines of a section as bytes between workers, and back. *Throws* Error{protocol}.
std::string text_of(const ContractSection& section);
// The inverse of text_of(). *Throws* Error{protocol}, because the text came from another worker.
ContractSection parse_section(std::string_view text);

// One line that differs; nullopt: that side has no such line.
struct LineDifference {
  std::string section, name;
  std::optional<std::string> here, there;
};
// Empty if the sections are equal.
std::vector<LineDifference> differences(const ContractSection& here, const ContractSection& there);
// `XLA_FLAGS is "--a", elsewhere "--b"`.
std::string text_of(const LineDifference& difference);
// The name of the failure (diagnosis.h) that the difference indicates.
std::string_view diagnosis_of(const LineDifference& difference);

}  // namespace understudy::configs
