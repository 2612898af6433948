// SPDX-License-Identifier: Apache-2.0
#include "configs/launch/shell_variables.h"

#include <algorithm>
#include <array>
#include <fmt/format.h>

#include "configs/base/suggest.h"

namespace understudy::configs {
namespace {

// A name, or a prefix followed by a star. The first matching row is used.
struct Pattern {
  std::string_view name;
  VariableOwner owner;
};

using enum VariableOwner;
constexpr Pattern kPatterns[] = {
    {"OMPI_*", mpi},
    {"PMIX_*", mpi},
    {"PMI_*", mpi},
    {"OPAL_*", mpi},
    {"ORTE_*", mpi},
    {"PRTE_*", mpi},
    {"UCX_*", mpi},
    {"IPATH_*", mpi},
    {"HFI_*", mpi},
    {"PSM*", mpi},
    {"SLURM_*", mpi},
    {"HWLOC_*", mpi},
    {"MPI_*", mpi},
    {"UNDERSTUDY_RECEIPT_*", other},  // read by the launcher only
    {"UNDERSTUDY_*", own},
    {"OMP_NUM_THREADS", own},
    {"PATH", system},
    {"HOME", system},
    {"USER", system},
    {"LOGNAME", system},
    {"SHELL", system},
    {"HOSTNAME", system},
    {"PWD", system},
    {"OLDPWD", system},
    {"SHLVL", system},
    {"_", system},
    {"TERM", system},
    {"TZ", system},
    {"LANG", system},
    {"LANGUAGE", system},
    {"LC_*", system},
    {"TMPDIR", system},
    {"TMP", system},
    {"TEMP", system},
    {"XDG_*", system},
    {"LD_LIBRARY_PATH", system},
    {"LD_PRELOAD", system},
    {"OPENBLAS_CORETYPE", system},
    {"ASAN_OPTIONS", system},
    {"LSAN_OPTIONS", system},
    {"TSAN_OPTIONS", system},
    {"UBSAN_OPTIONS", system},
    {"LLVM_PROFILE_FILE", system},
    {"GCOV_PREFIX*", system},
    {"TPU_*", framework},
    {"CLOUD_TPU_*", framework},
    {"LIBTPU_*", framework},
    {"PJRT_*", framework},
    {"PTXLA_*", framework},
    {"PT_XLA_*", framework},
    {"XLA_*", framework},
    {"VLLM_XLA_*", framework},
    {"JAX_*", framework},
    {"MEGASCALE_*", framework},
    {"SKIP_MEGASCALE_*", framework},
    {"DIST_SERVICE_*", framework},
    {"VBAR_*", framework},
    {"TF_CPP_*", framework},
    {"TF_XLA_*", framework},
    {"GRPC_TRACE", framework},
    {"GRPC_VERBOSITY", framework},
    {"NEURON_*", framework},
    {"ACCELERATOR_TYPE", framework},
    {"HOST_BOUNDS", framework},
    {"CHIPS_PER_HOST_BOUNDS", framework},
    {"WRAP", framework},
    {"ALT", framework},
    {"ALLOW_MULTIPLE_LIBTPU_LOAD", framework},
    {"ALLREDUCE_GRADIENTS_BUCKET_SIZE_MB", framework},
    {"CPU_NUM_DEVICES", framework},
    {"MASTER_ADDR", framework},
    {"MASTER_PORT", framework},
};

bool fits(std::string_view name, std::string_view pattern) {
  if (!pattern.ends_with('*')) return name == pattern;
  return name.starts_with(pattern.substr(0, pattern.size() - 1));
}

}  // namespace

VariableOwner owner_of(std::string_view name) {
  for (const Pattern& pattern : kPatterns)
    if (fits(name, pattern.name)) return pattern.owner;
  return other;
}

Variables variables_of(const std::vector<std::string>& environment) {
  Variables variables;
  for (const std::string& entry : environment) {
    const std::size_t equals = entry.find('=');
    if (equals == std::string::npos || equals == 0) continue;
    variables[entry.substr(0, equals)] = entry.substr(equals + 1);
  }
  return variables;
}

// emplace keeps the values of the launch: the shell never overrides them.
Variables worker_environment(const Variables& found, const Variables& launch) {
  Variables result = launch;
  for (const auto& [name, value] : found) {
    const VariableOwner owner = owner_of(name);
    if (owner == mpi || owner == system || owner == own) result.emplace(name, value);
  }
  result["OMP_NUM_THREADS"] = "1";  // a worker computes with one thread
  return result;
}

std::string_view name_of(Leak leak) {
  constexpr std::array<std::string_view, 3> kNames = {"kept", "overridden", "dropped"};
  return kNames[static_cast<std::size_t>(leak)];
}

// Variables of the frameworks in the shell would change a run on one machine only. Workers do not
// get them, and a note lists them.
std::vector<ShellVariable> leaks_of(const Variables& shell,
                                    const std::vector<EnvironmentEntry>& launch) {
  std::vector<ShellVariable> leaks;
  for (const auto& [name, value] : shell) {
    if (owner_of(name) != framework) continue;
    const auto set = std::ranges::find(launch, name, &EnvironmentEntry::name);
    if (set == launch.end()) {
      leaks.push_back({name, value, std::nullopt, "", Leak::dropped});
      continue;
    }
    const Leak leak = set->value == value ? Leak::kept : Leak::overridden;
    leaks.push_back({name, value, set->value, set->source, leak});
  }
  return leaks;
}

std::string leak_text(const std::vector<ShellVariable>& variables) {
  constexpr std::size_t kMost = 6;
  std::vector<std::string> words;
  for (const ShellVariable& one : variables) {
    if (one.leak == Leak::kept) continue;
    words.push_back(one.leak == Leak::dropped
                        ? fmt::format("{} dropped", one.name)
                        : fmt::format("{} overridden by {}", one.name, one.source));
  }
  if (words.empty()) return "";
  const std::size_t count = words.size();
  if (count > kMost) {
    words.resize(kMost);
    words.push_back(fmt::format("{} more", count - kMost));
  }
  return fmt::format(
      "note: {} not passed to the chips: {}",
      count == 1 ? "1 shell variable is" : fmt::format("{} shell variables are", count),
      join_words(words));
}

}  // namespace understudy::configs
