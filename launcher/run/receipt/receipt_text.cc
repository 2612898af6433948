// SPDX-License-Identifier: Apache-2.0
#include "launcher/run/receipt/receipt_text.h"

#include <fmt/format.h>
#include <fmt/ranges.h>

#include "configs/base/units.h"
#include "launcher/process/console.h"
#include "launcher/run/text.h"

namespace understudy::launcher {
namespace {

using configs::Receipt;

std::string line(std::string_view name, const std::string& words) {
  return words.empty() ? "" : fmt::format("{:<13} {}\n", name, words);
}

std::string said(const std::optional<bool>& answer) {
  return !answer ? "unknown" : *answer ? "yes" : "NO";
}

// Rungs in ladder order, then the frontier and the restore verdict.
std::string ladder_lines(const Receipt& receipt) {
  if (!receipt.ladder) return "";
  std::string text = fmt::format("ladder {}:\n", receipt.ladder->name);
  for (const configs::RungSeen& rung : receipt.ladder->rungs)
    text += fmt::format("  {:<14} {:<8} {:>7.1f} s{}\n", rung.rung, rung.status, rung.seconds,
                        rung.why ? "  " + *rung.why : "");
  if (receipt.ladder->next_failing)
    text += fmt::format("  frontier: {}\n", frontier_words(*receipt.ladder->next_failing,
                                                           receipt.ladder->first_passing));
  if (receipt.restore)
    text += fmt::format("  restore: {}{}\n", receipt.restore->verdict,
                        receipt.restore->reasons.empty()
                            ? ""
                            : ": " + std::string(receipt.restore->reasons.front()));
  return text;
}

// Each gate with the time of the slowest chip, then the reason of each gate that was not passed.
std::string gates_lines(const Receipt& receipt) {
  // A vector keeps the gates in their order; there are only a few.
  std::vector<std::pair<std::string, double>> slowest;
  std::string failed;
  for (const configs::RankSeen& chip : receipt.ranks)
    for (const configs::GateSeen& gate : chip.gates) {
      if (gate.failed) {
        failed += fmt::format("\n  rank {} did not pass \"{}\" after {:.3f} s: {}", chip.rank,
                              gate.gate, gate.seconds, *gate.failed);
        continue;
      }
      auto found = slowest.begin();
      while (found != slowest.end() && found->first != gate.gate) ++found;
      if (found == slowest.end()) found = slowest.insert(found, {gate.gate, 0});
      found->second = std::max(found->second, gate.seconds);
    }
  std::vector<std::string> words;
  for (const auto& [name, seconds] : slowest)
    words.push_back(fmt::format("{} {:.3f} s", name, seconds));
  return line("gates", fmt::format("{}{}", fmt::join(words, ", "), failed));
}

std::string launch_lines(const Receipt& receipt) {
  if (receipt.contract_digest.empty()) return "";
  std::string text =
      line("contract", fmt::format("{}, equal on all ranks: {}", receipt.contract_digest,
                                   said(receipt.contract_agreed)));
  if (!receipt.launch) return text;
  const configs::ReceiptLaunch& launch = *receipt.launch;
  text += line("environment", fmt::format("{}, equal on all ranks: {}", launch.env_sha256,
                                          said(launch.env_equal_across_ranks)));
  text +=
      line("profile", fmt::format("{}{}", launch.profile,
                                  launch.overrides.empty()
                                      ? ""
                                      : fmt::format(", {} overrides", launch.overrides.size())));
  for (const configs::LaunchWarning& one :
       launch.remarks.value_or(std::vector<configs::LaunchWarning>()))
    text += line("warning", one.message);
  return text;
}

std::string writers_text(const std::optional<std::vector<std::int64_t>>& ranks) {
  if (!ranks) return "writers unknown";
  return fmt::format("written by ranks [{}]", fmt::join(*ranks, ", "));
}

std::string partition_lines(const Receipt& receipt) {
  std::string text;
  if (receipt.partition) {
    const configs::PartitionSeen& one = *receipt.partition;
    text += line("partitioned",
                 fmt::format("by jaxlib {} ({}), {:.2f} s{}, {} kinds of collectives", one.jaxlib,
                             one.partitioner, one.seconds, one.cached ? " from the cache" : "",
                             one.collectives.size()));
    for (const std::string& warning : one.warnings) text += line("warning", warning);
  }
  if (receipt.partition && receipt.mesh) text += "mesh axes\n" + configs::text_of(*receipt.mesh);
  return text;
}

std::string provenance_lines(const Receipt& receipt) {
  std::string text;
  if (receipt.hardware) {
    const configs::Hardware& one = *receipt.hardware;
    text += line("hardware", fmt::format("{} {}, {} hosts, {} processes of {} chips, {} chip data",
                                         one.chip, one.topology, one.hosts, one.processes,
                                         one.chips_per_process, one.table));
  }
  if (receipt.code_state) {
    const configs::CodeState& code = *receipt.code_state;
    text += line("code",
                 fmt::format("{}{}, equal on all ranks: {}", code.commit.value_or("no repository"),
                             code.dirty.value_or(false) ? " with uncommitted changes" : "",
                             said(code.tree_sha256_per_rank_equal)));
  }
  if (receipt.cache)
    text += line("cache", fmt::format("{}, {} mount, {}", receipt.cache->policy,
                                      receipt.cache->path_class.value_or("no"),
                                      writers_text(receipt.cache->writer_ranks)));
  if (receipt.mem)
    text += line("host memory", fmt::format("{} premapped, {} data loading, {} headroom",
                                            bytes_text(receipt.mem->premapped_bytes),
                                            bytes_text(receipt.mem->loader_resident_bytes),
                                            bytes_text(receipt.mem->os_headroom_bytes)));
  if (receipt.pins && receipt.env_restore) {
    text += line("restored by", fmt::format("{} {}", receipt.env_restore->method,
                                            receipt.env_restore->steps_sha256));
    for (const configs::PackagePin& pin : receipt.pins->packages)
      text += fmt::format("  {} {}\n", pin.name, pin.version);
  }
  return text;
}

// Claims, facts to recheck, and every failure that was observed.
std::string standing_lines(const Receipt& receipt) {
  std::string text;
  if (receipt.claims)
    text += line(
        "claims",
        fmt::format(
            "installation {}, runtime {}, compile {}, model {}{}", receipt.claims->installation,
            receipt.claims->runtime, receipt.claims->compile, receipt.claims->model,
            receipt.claims->tpu_compiler ? ", tpu_compiler " + *receipt.claims->tpu_compiler : ""));
  std::vector<std::string> recheck;
  if (receipt.durability)
    for (const auto& [what, how] : *receipt.durability)
      if (how == "recheck") recheck.push_back(what);
  if (!recheck.empty())
    text += line("recheck", fmt::format("before relying on it: {}", fmt::join(recheck, ", ")));
  for (const configs::ReceiptFailure& one : receipt.failures)
    text += line(one.id.empty() ? "failure" : "failure " + one.id,
                 fmt::format("{}: {}", one.layer.value_or(""), one.message));
  return text;
}

}  // namespace

std::string frontier_words(const std::string& failing, const std::optional<std::string>& passing) {
  return fmt::format("{} is the first rung that fails (first that passes: {})", failing,
                     passing.value_or("none"));
}

std::string receipt_text(const Receipt& receipt, const Console& console) {
  std::string text = receipt.ladder ? ladder_lines(receipt) : run_text(receipt, {}, console);
  while (text.ends_with('\n')) text.pop_back();
  text += fmt::format("\n\n{} on {}, {}\n", receipt.verdict, receipt.slice,
                      receipt.created_utc.value_or(receipt.started_at));
  text += standing_lines(receipt) + launch_lines(receipt) + gates_lines(receipt) +
          partition_lines(receipt) + provenance_lines(receipt);
  if (receipt.failure() != nullptr) text += "failed: " + receipt.failure()->message;
  return text;
}

}  // namespace understudy::launcher
