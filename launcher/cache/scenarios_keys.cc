// SPDX-License-Identifier: Apache-2.0

#include <filesystem>
#include <fmt/format.h>

#include "cache/envelope.h"
#include "cache/key.h"
#include "launcher/cache/scenario_world.h"
#include "launcher/cache/scenarios.h"

namespace understudy::launcher {
namespace {

using configs::ScenarioSide;
using World = ScenarioWorld;

constexpr std::int64_t kHosts = 3;

// ---- C15 and C16: one logical program has several keys

ScenarioSide several_keys(World& world,
                          const std::function<CompileRequest(std::int64_t)>& wish_of) {
  for (std::int64_t host = 0; host < kHosts; ++host)
    world.play([&](Heard& heard) {
      obtain(heard, world.request("shared:none", host, host), wish_of(host));
    });
  std::int64_t entries = 0;
  for (const auto& item : std::filesystem::directory_iterator(world.path() + "/shared"))
    entries += item.path().extension() == ".entry" ? 1 : 0;
  return {"shared:none", entries == kHosts,
          fmt::format("{} entries for one program, no rank uses the entry of another", entries)};
}
ScenarioSide compared_keys(const std::function<CompileRequest(std::int64_t)>& wish_of) {
  std::vector<cache::NamedParts> all;
  for (std::int64_t host = 0; host < kHosts; ++host)
    all.push_back(named_parts(parts_of(wish_of(host))));
  const std::string words = cache::disagreement(all);
  return {"key comparison", !words.empty(), words};
}
// Flags are part of the key although they may not change the program: the cache cannot know.
CompileRequest with_own_flags(std::int64_t host) {
  CompileRequest compile_request;
  compile_request.flags = fmt::format("--flag={}", host);
  return compile_request;
}
CompileRequest with_own_graph(std::int64_t host) {
  CompileRequest compile_request;
  compile_request.program = host == 0 ? " and a log line" : fmt::format(" of rank {}", host);
  return compile_request;
}
ScenarioSide c15_unsafe(World& world) { return several_keys(world, with_own_flags); }
ScenarioSide c15_safe(World&) { return compared_keys(with_own_flags); }
ScenarioSide c16_unsafe(World& world) { return several_keys(world, with_own_graph); }
ScenarioSide c16_safe(World&) { return compared_keys(with_own_graph); }

// ---- C17: only process 0 writes, and each host has its own disk

// Each host has its own disk, simulated by a folder per host. If only the pod leader writes, only
// its host is warm at the second start.
ScenarioSide second_start(World& world, const std::string& discipline, bool leads_host) {
  std::string matrix;
  std::int64_t warm = 0;
  for (int start = 0; start < 2; ++start) {
    warm = 0;
    matrix.clear();
    for (std::int64_t host = 0; host < kHosts; ++host) {
      const Heard one = world.play([&](Heard& heard) {
        cache::CacheRequest request = world.request(discipline, host, host);
        request.directory += fmt::format("/disk-of-host{}", host);
        request.host_leader = leads_host;
        // A host without the writer waits in vain; a longer limit would only make the scenario
        // slower.
        request.wait_limit = Seconds(0.02);
        obtain(heard, request, {0});
      });
      warm += one.hits;
      matrix +=
          fmt::format("{}host {} {}", host == 0 ? "" : ", ", host, one.hits > 0 ? "hit" : "miss");
    }
  }
  return {discipline, warm == (leads_host ? kHosts : 1), "second start: " + matrix};
}
ScenarioSide c17_unsafe(World& world) { return second_start(world, "single-writer", false); }
ScenarioSide c17_safe(World& world) { return second_start(world, "per-host", true); }

// ---- C19: another format under the same key

// Without a format number in the header a foreign payload is only detected by decoding it, which
// fails at every start.
ScenarioSide other_format(World& world, bool tagged) {
  const std::string discipline = tagged ? "per-host" : "shared:none";
  const cache::CacheRequest asked = world.request(discipline);
  std::string entry = cache::seal(named_parts(parts_of({0})), "compressed in another way");
  // Offset of the format number in an envelope, after the magic number (cache/envelope.h).
  constexpr std::size_t kFormatAt = 8;
  if (tagged) entry[kFormatAt] = static_cast<char>(cache::kEnvelopeFormat + 1);
  cache::machine_files().make_directories(cache::CompileCache(asked).folder());
  cache::machine_files().write_in_place(world.entry_path(asked), entry);
  const Heard both = world.play([&](Heard& heard) {
    obtain(heard, asked, {0});
    obtain(heard, asked, {0});
  });
  return {discipline,
          tagged ? both.bad_entries == 0 && both.hits == 1
                 : both.bad_entries == 2 && both.compiles == 2,
          fmt::format("two starts: {} decoding errors, {} compiles, {} hits", both.bad_entries,
                      both.compiles, both.hits)};
}
ScenarioSide c19_unsafe(World& world) { return other_format(world, false); }
ScenarioSide c19_safe(World& world) { return other_format(world, true); }

}  // namespace

std::span<const Scenario> key_scenarios() {
  static constexpr Scenario kAll[] = {
      {"C15", "hosts with different flags or builds", "one entry per host, no sharing",
       "the keys are compared before the compile", c15_unsafe, c15_safe},
      {"C16", "ranks whose programs differ slightly", "one key per rank, no sharing",
       "the number of keys and the differing part are reported", c16_unsafe, c16_safe},
      {"C17", "only process 0 writes, disks are local",
       "host 0 starts warm, all other hosts start cold every time", "each host has its own writer",
       c17_unsafe, c17_safe},
      {"C19", "an entry of another format under the same key", "a decoding error at every start",
       "the format number in the header makes it a plain miss", c19_unsafe, c19_safe},
  };
  return kAll;
}

}  // namespace understudy::launcher
