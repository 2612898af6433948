// SPDX-License-Identifier: Apache-2.0
#include "configs/contract.h"

#include <fmt/format.h>

#include "configs/base/digest.h"
#include "configs/base/version.h"
#include "configs/json_fields.h"

namespace understudy::configs {

template <class F, FieldsOf<Contract> C>
void fields(F& field, C& contract) {
  field("slice", contract.slice);
  field("chip", contract.chip);
  field("host_of", contract.host_of);
  field("hbm_bytes", contract.hbm_bytes);
  field("vmem_bytes", contract.vmem_bytes);
  field("environment", contract.environment);
  field("cache_policy", contract.cache_policy);
  field("program_digest", contract.program_digest);
  field("faults", contract.faults);
  field("numerics", contract.numerics);
  field("collectives", contract.collectives);
  field("reproducible", contract.reproducible);
  field("replicas", contract.replicas);
  field("partitions", contract.partitions);
  field("steps", contract.steps);
  field("timeout_seconds", contract.timeout_seconds);
  field("version", contract.version);
  field("revision", contract.revision);
}

std::map<std::string, std::string> contract_environment(
    const std::vector<std::string>& environment) {
  std::map<std::string, std::string> chosen;
  for (const std::string& entry : environment) {
    const std::size_t equals = entry.find('=');
    if (equals == std::string::npos) continue;
    const std::string name = entry.substr(0, equals);
    if (name.starts_with("UNDERSTUDY_") || name == "OMP_NUM_THREADS") {
      chosen[name] = entry.substr(equals + 1);
    }
  }
  return chosen;
}

std::string digest_of_programs(const RunPlan& plan, std::string_view program,
                               const std::vector<std::string>& others) {
  std::string digest = understudy::digest_of(program);
  for (std::size_t i = 0; i < plan.other_programs.size(); ++i)
    for (const std::int64_t rank : plan.other_programs[i].ranks)
      digest +=
          fmt::format("; rank {}: {}", rank, understudy::digest_of(std::string_view(others.at(i))));
  return digest;
}

Contract contract_of(const RunPlan& plan, const std::string& program_digest,
                     const std::map<std::string, std::string>& environment) {
  Contract contract;
  contract.slice = plan.slice;
  contract.chip = plan.chip;
  contract.host_of = plan.host_of;
  contract.hbm_bytes = plan.hbm_bytes;
  contract.vmem_bytes = plan.vmem_bytes;
  contract.environment = environment;
  contract.cache_policy = plan.cache_policy;
  contract.program_digest = program_digest;
  contract.faults = plan.faults;
  contract.numerics = plan.numerics;
  contract.collectives = plan.collectives;
  contract.reproducible = plan.reproducible;
  contract.replicas = plan.replicas;
  contract.partitions = plan.partitions;
  contract.steps = plan.steps;
  contract.timeout_seconds = plan.timeout_seconds;
  contract.version = version();
  contract.revision = revision();
  return contract;
}

std::string to_json(const Contract& contract) {
  return document_of(contract, "understudy/contract/1", JsonWriter::Layout::compact);
}

std::string digest_of(const Contract& contract) {
  return understudy::digest_of(std::string_view(to_json(contract)));
}

}  // namespace understudy::configs
