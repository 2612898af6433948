// SPDX-License-Identifier: Apache-2.0
#include "launcher/verbs.h"

namespace understudy::launcher {
namespace {

constexpr Verb kVerbs[] = {
    {"run", "run a program on a slice of emulated chips",
     "understudy run step.mlir --slice v6e-8 --fill random:1", make_run},
    {"metrics", "say of every result whether it is globally reduced, and where that was lost",
     "understudy metrics step.mlir --fill random:1", make_metrics},
    {"check", "run self-checking StableHLO programs and count what holds",
     "understudy check tests/ops", make_check},
    {"describe", "show the chips, hosts and links of a slice", "understudy describe v6e-16",
     make_describe},
    {"doctor", "say whether this machine is ready, and what to do where it is not",
     "understudy doctor --slice v6e-32", make_doctor},
    {"completion", "print the shell completion or the man page",
     "source <(understudy completion bash)", make_completion},
    {"help", "explain a verb", "understudy help run", make_help},
};

}  // namespace

std::span<const Verb> verbs() { return kVerbs; }

const Verb* find_verb(std::string_view name) {
  for (const Verb& verb : kVerbs)
    if (verb.name == name) return &verb;
  return nullptr;
}

}  // namespace understudy::launcher
