// SPDX-License-Identifier: Apache-2.0
#include <fmt/format.h>

#include "configs/base/error.h"
#include "launcher/preflight/checks.h"

namespace understudy::launcher {
namespace {

using configs::PreflightFlag;

constexpr const char* kInitArgs = "LIBTPU_INIT_ARGS";
constexpr const char* kXlaFlags = "XLA_FLAGS";
constexpr const char* kSetting = "--compiler-option";

// Flags that make the compiler write files; they must not do so in a check.
// They change no program, so they count as accepted.
bool only_dumps(const std::string& flag) { return flag.starts_with("--xla_dump_"); }

PreflightFlag judged(std::string source, std::string flag, const TpuCompiler::Trial& trial) {
  if (!trial.refusal) return {std::move(source), std::move(flag), "accepted", ""};
  return {std::move(source), std::move(flag), trial.answered ? "refused" : "not checked",
          *trial.refusal};
}

// A trial must not end the pre-flight.
TpuCompiler::Trial try_flags(TpuCompiler& compiler, const CompilerFlags& flags) {
  try {
    return compiler.try_flags(flags);
  } catch (const Error& error) {
    return {error.message(), false};
  }
}

void check_settings(TpuCompiler& compiler, const CompilerSettings& settings, FlagCheck& check) {
  for (const auto& [name, value] : settings) {
    const std::string words = fmt::format("{}={}", name, value);
    TpuCompiler::Trial trial;
    try {
      trial = compiler.try_setting(name, value);
    } catch (const Error& error) {
      trial = {error.message(), false};
    }
    if (!trial.refusal) check.accepted_settings.emplace_back(name, value);
    check.flags.push_back(judged(kSetting, words, trial));
  }
}

}  // namespace

FlagCheck check_flags(TpuCompiler& compiler, const CompilerFlags& flags,
                      const CompilerSettings& settings) {
  FlagCheck check;
  CompilerFlags all = flags;
  std::erase_if(all.xla_flags, only_dumps);
  const bool any = !all.libtpu_init_args.empty() || !all.xla_flags.empty();
  // All flags in one process first, as most launches have none that is refused; only then one by
  // one. A refusal ends the library's process, so one trial finds at most one refused flag.
  const bool together = any && !try_flags(compiler, all).refusal;
  for (const std::string& flag : all.libtpu_init_args) {
    const auto trial = together ? TpuCompiler::Trial{} : try_flags(compiler, {{flag}, {}});
    if (!trial.refusal) check.accepted.libtpu_init_args.push_back(flag);
    check.flags.push_back(judged(kInitArgs, flag, trial));
  }
  for (const std::string& flag : flags.xla_flags) {
    if (only_dumps(flag)) {
      check.flags.push_back({kXlaFlags, flag, "accepted", "only writes dumps: left out here"});
      continue;
    }
    const auto trial = together ? TpuCompiler::Trial{} : try_flags(compiler, {{}, {flag}});
    if (!trial.refusal) check.accepted.xla_flags.push_back(flag);
    check.flags.push_back(judged(kXlaFlags, flag, trial));
  }
  // Programs are compiled without the refused flags: one bad flag must not hide what else is wrong.
  compiler.use_flags(check.accepted);
  check_settings(compiler, settings, check);
  return check;
}

}  // namespace understudy::launcher
