// SPDX-License-Identifier: Apache-2.0
#include "launcher/verbs.h"

namespace understudy::launcher {
namespace {

// In the order of the help. Verbs of a group are adjacent; command_line.cc relies on that.
constexpr Verb kVerbs[] = {
    {"run", "run a program on a slice of emulated chips",
     "understudy run step.mlir --slice v6e-8 --fill random:1", make_run},
    {"rehearse", "rehearse the bring-up of a slice rung by rung, and report the first failure",
     "understudy rehearse --slice v6e-16", make_rehearse},
    {"preflight", "ask the TPU compiler, if it is installed: flags, programs, memory, collectives",
     "understudy preflight step.mlir --slice v6e-16", make_preflight},
    {"metrics", "check whether each result is globally reduced, and where a reduction is missing",
     "understudy metrics step.mlir --fill random:1", make_metrics},
    {"check", "run self-checking StableHLO programs and count passes and failures",
     "understudy check tests/ops", make_check},
    {"export", "write a program folder from a JAX function, with the Python package",
     "understudy export train:make_step --out step", make_export},
    {"cache stress", "measure how a cache policy affects start-up, and diagnose slow starts",
     "understudy cache stress --processes 32 --compile-ms 200 --policy shared --lock directory",
     make_cache_stress},
    {"cache ls", "list the entries of the compile cache with the parts of their keys",
     "understudy cache ls", make_cache_ls},
    {"cache explain", "show which part of a program's key differs from the key of a cache entry",
     "understudy cache explain step.mlir --against 3f2a", make_cache_explain},
    {"cache verify", "read every cache entry and check its integrity", "understudy cache verify",
     make_cache_verify},
    {"cache prune", "remove files of dead processes, and evict entries above a size limit",
     "understudy cache prune --max-bytes 1000000000", make_cache_prune},
    {"diff", "compare programs, or XLA dumps of several hosts: first difference, collectives",
     "understudy diff dumps/host*", make_diff},
    {"describe", "show the chips, hosts and links of a slice", "understudy describe v6e-16",
     make_describe},
    {"env", "print the environment of one host of a slice under a runtime profile",
     "understudy env --slice v6e-16 --profile steady --host 1", make_env},
    {"receipt diff", "prove from two receipts that the second run was restored from the cache",
     "understudy receipt diff cold.json restored.json", make_receipt_diff},
    {"receipt html", "write a receipt as one HTML page",
     "understudy receipt html receipt.json --out page.html", make_receipt_html},
    {"receipt prune", "remove old receipts from the default folder",
     "understudy receipt prune --keep 100 --days 7", make_receipt_prune},
    {"receipt show", "print a receipt as text", "understudy receipt show receipt.json",
     make_receipt_show},
    {"doctor", "check whether this machine is ready, with a remedy for each problem",
     "understudy doctor --slice v6e-32", make_doctor},
    {"completion", "print a completion script for bash, zsh or fish, or the man page",
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

std::vector<const Verb*> verbs_of_group(std::string_view word) {
  std::vector<const Verb*> group;
  for (const Verb& verb : verbs())
    if (verb.name.starts_with(word) && verb.name.substr(word.size()).starts_with(' '))
      group.push_back(&verb);
  return group;
}

}  // namespace understudy::launcher
