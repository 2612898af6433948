// SPDX-License-Identifier: Apache-2.0
#include "configs/launch/contract.h"

#include <fmt/format.h>
#include <fmt/ranges.h>

#include "configs/base/diagnosis_id.h"
#include "configs/base/digest.h"
#include "configs/base/error.h"
#include "configs/base/version.h"
#include "configs/json/fields.h"
#include "configs/launch/shell_variables.h"

namespace understudy::configs {

template <class F, FieldsOf<ContractSection> C>
void fields(F& field, C& section) {
  field("name", section.name);
  field("lines", section.lines);
}

namespace {

using Lines = std::map<std::string, std::string>;

std::string decimal(std::int64_t value) { return fmt::format("{}", value); }

Lines slice_lines(const LaunchInputs& inputs) {
  return {{"slice", inputs.slice},
          {"chip", inputs.chip},
          {"chip_digest", inputs.chip_digest},
          {"chips", decimal(inputs.chips)},
          {"shape", fmt::format("{}", fmt::join(inputs.shape, "x"))},
          {"wraps", fmt::format("{}", fmt::join(inputs.wraps, ","))},
          {"host_shape", fmt::format("{}", fmt::join(inputs.host_shape, "x"))}};
}

Lines host_lines(const LaunchInputs& inputs) {
  Lines lines = {{"coordinator", inputs.coordinator}, {"slices", decimal(inputs.slices)}};
  for (std::size_t host = 0; host < inputs.host_names.size(); ++host)
    lines[fmt::format("host {}", host)] = inputs.host_names[host];
  return lines;
}

// Every value and not only those that a worker reads: a difference shows that hosts were started
// with different profiles.
Lines profile_lines(const LaunchInputs& inputs) {
  const std::vector<SettingText> settings = settings_of(inputs.profile);
  return {settings.begin(), settings.end()};
}

// Options that change what workers do. Paths and run ids are left out: they differ without
// consequence.
Lines option_lines(const RunPlan& plan) {
  return {{"replicas", decimal(plan.replicas)},
          {"partitions", decimal(plan.partitions)},
          {"steps", decimal(plan.steps)},
          {"numerics", plan.numerics},
          {"collectives", plan.collectives},
          {"reproducible", plan.reproducible ? "true" : "false"},
          {"timeout_seconds", fmt::format("{}", plan.timeout_seconds)},
          {"hbm_bytes", fmt::format("{}", plan.hbm_bytes)},
          {"vmem_bytes", fmt::format("{}", plan.vmem_bytes)},
          {"cache_policy", plan.cache_policy},
          {"faults", fmt::format("{}", fmt::join(plan.faults, "; "))}};
}

// The diagnosis for a difference, by section and line; an empty pattern matches anything. The first
// matching row is used, so variables come before their sections.
struct DiagnosisRow {
  std::string_view section, line, diagnosis;
};
constexpr DiagnosisRow kDiagnoses[] = {
    {"", "PJRT_DEVICE", name_of(DiagnosisId::device_kind_differs)},
    {"", "JAX_PLATFORMS", name_of(DiagnosisId::device_kind_differs)},
    {"", "LIBTPU_INIT_ARGS", name_of(DiagnosisId::flags_differ)},
    {"", "XLA_FLAGS", name_of(DiagnosisId::flags_differ)},
    {"", "TPU_WORKER_ID", name_of(DiagnosisId::duplicate_worker_id)},
    {"", "CLOUD_TPU_TASK_ID", name_of(DiagnosisId::duplicate_worker_id)},
    {"", "TPU_WORKER_HOSTNAMES", name_of(DiagnosisId::host_order_differs)},
    {"", "TPU_PROCESS_ADDRESSES", name_of(DiagnosisId::host_order_differs)},
    {"", "MEGASCALE_NUM_SLICES", name_of(DiagnosisId::slice_count_stale)},
    {"", "MEGASCALE_COORDINATOR_ADDRESS", name_of(DiagnosisId::slice_count_stale)},
    {"", "XLA_IR_DEBUG", name_of(DiagnosisId::diagnostic_flag)},
    {"", "XLA_HLO_DEBUG", name_of(DiagnosisId::diagnostic_flag)},
    {"program", "", name_of(DiagnosisId::program_bytes_differ)},
    {"software", "", name_of(DiagnosisId::versions_differ)},
    {"binary", "", name_of(DiagnosisId::versions_differ)},
    {"libraries", "", name_of(DiagnosisId::versions_differ)},
    {"environment", "", name_of(DiagnosisId::environment_differs)},
    {"identity", "", name_of(DiagnosisId::environment_differs)},
};

}  // namespace

std::string digest_of(const ContractSection& section) {
  return understudy::digest_of(std::string_view(text_of(section)));
}

std::string digest_of_programs(const RunPlan& plan, std::string_view program,
                               const std::vector<std::string>& others) {
  std::string digest = understudy::digest_of(program);
  for (std::size_t i = 0; i < plan.other_programs.size(); ++i)
    for (const std::int64_t rank : plan.other_programs[i].ranks)
      // Part of the digest by rank: a rank that received another rank's program has a different
      // contract.
      digest +=
          fmt::format("; rank {}: {}", rank, understudy::digest_of(std::string_view(others.at(i))));
  return digest;
}

Variables contract_environment(const Variables& environment, bool of_host, std::int64_t slices) {
  Variables chosen;
  for (const auto& [name, value] : environment) {
    const VariableOwner owner = owner_of(name);
    // Open MPI sets other values for each rank, and the system's (HOME, PWD) differ without
    // consequence.
    if (owner == VariableOwner::mpi || owner == VariableOwner::system) continue;
    if (name == kLaunchVariable) continue;  // its content is in the other sections
    const std::optional<VariableKind> kind = kind_of(name);
    if ((kind && kind->differs(slices)) == of_host) chosen[name] = value;
  }
  return chosen;
}

// Without inputs (a worker started by hand) the sections that need them are empty, and therefore
// differ from the launcher's.
Contract contract_of(const ContractFacts& facts) {
  Contract contract;
  const auto add = [&](const char* name, Lines lines) {
    contract.sections.push_back({name, std::move(lines)});
  };
  add("slice", facts.inputs ? slice_lines(*facts.inputs) : Lines());
  add("hosts", facts.inputs ? host_lines(*facts.inputs) : Lines());
  add("profile", facts.inputs ? profile_lines(*facts.inputs) : Lines());
  const std::int64_t slices = facts.inputs ? facts.inputs->slices : 1;
  add("environment", contract_environment(facts.environment, false, slices));
  add("program", {{"digest", facts.program_digest}});
  add("software", {{"version", std::string(version())}, {"revision", std::string(revision())}});
  add("options", option_lines(facts.plan));
  contract.identity = {"identity", contract_environment(facts.environment, true, slices)};
  return contract;
}

std::string to_json(const Contract& contract) {
  JsonWriter out(JsonWriter::Layout::compact);
  out.begin_object();
  out.key("schema");
  out.text("understudy/contract/2");
  out.key("sections");
  write_value(out, contract.sections);
  out.end_object();
  return out.take();
}

// Without the identity, which differs between hosts and has a digest of its own.
std::string digest_of(const Contract& contract) {
  return understudy::digest_of(std::string_view(to_json(contract)));
}

std::string text_of(const ContractSection& section) {
  JsonWriter out(JsonWriter::Layout::compact);
  write_value(out, section);
  return out.take();
}

ContractSection parse_section(std::string_view text) {
  ContractSection section;
  try {
    read_value(JsonReader::parse(std::string(text), "contract section"), section);
  } catch (const Error& error) {
    // The section came from another worker: not a file of the user, so `protocol` instead of
    // `config`.
    throw Error(ErrorKind::protocol, error.text());
  }
  return section;
}

// Lines of `here` first, in their order; then lines that only `there` has.
std::vector<LineDifference> differences(const ContractSection& here, const ContractSection& there) {
  std::vector<LineDifference> all;
  for (const auto& [name, value] : here.lines) {
    const auto other = there.lines.find(name);
    if (other == there.lines.end()) {
      all.push_back({here.name, name, value, std::nullopt});
    } else if (other->second != value) {
      all.push_back({here.name, name, value, other->second});
    }
  }
  for (const auto& [name, value] : there.lines)
    if (!here.lines.contains(name)) all.push_back({here.name, name, std::nullopt, value});
  return all;
}

std::string text_of(const LineDifference& difference) {
  const auto said = [](const std::optional<std::string>& value) {
    return value ? fmt::format("\"{}\"", *value) : std::string("not set");
  };
  const bool is_variable = difference.section == "environment" || difference.section == "identity";
  return fmt::format("{}{} is {}, elsewhere {}", is_variable ? "" : difference.section + " ",
                     difference.name, said(difference.here), said(difference.there));
}

std::string_view diagnosis_of(const LineDifference& difference) {
  for (const DiagnosisRow& row : kDiagnoses) {
    const bool fits = (row.section.empty() || row.section == difference.section) &&
                      (row.line.empty() || row.line == difference.name);
    if (fits) return row.diagnosis;
  }
  return name_of(DiagnosisId::contract_differs);
}

}  // namespace understudy::configs
