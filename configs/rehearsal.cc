// SPDX-License-Identifier: Apache-2.0
#include "configs/rehearsal.h"

#include <algorithm>
#include <array>
#include <string_view>

#include "configs/diagnosis.h"
#include "configs/rehearsal_fields.h"

namespace understudy::configs {
namespace {

constexpr const char* kProven = "proven";
constexpr const char* kNotShown = "not shown";
constexpr const char* kFailed = "failed";

// Which claim a failure on a layer is against. What comes before it was shown by getting there.
struct ClaimRow {
  Layer layer;
  std::string Claims::*claim;
};
constexpr std::array<ClaimRow, 7> kClaims = {{
    {Layer::host_runtime, &Claims::installation},
    {Layer::contract, &Claims::runtime},
    {Layer::cache, &Claims::compile},
    {Layer::graph_compile, &Claims::compile},
    {Layer::collective, &Claims::runtime},
    {Layer::memory, &Claims::runtime},
    {Layer::program, &Claims::model},
}};

struct Document {
  JsonWriter out{JsonWriter::Layout::readable};
  template <class T>
  void member(std::string_view key, const T& value) {
    out.key(key);
    write_value(out, value);
  }

  void rung(const RungSeen& seen) {
    out.begin_object();
    member("name", seen.rung);
    member("passed", seen.status == "passed");
    FieldWriter field(out);
    fields(field, seen);
    out.end_object();
  }
};

}  // namespace

Claims claims_of(const LadderSeen& ladder, const std::optional<RestoreSeen>& restore) {
  Claims claims{kNotShown, kNotShown, kNotShown, kNotShown};
  const bool climbed = ladder.first_passing.has_value();
  if (climbed) claims = {kProven, kProven, kProven, kNotShown};
  const bool whole = climbed && std::ranges::all_of(ladder.rungs, [](const RungSeen& seen) {
                       return seen.status == "passed";
                     });
  if (whole) claims.model = kProven;
  for (const RungSeen& seen : ladder.rungs) {
    if (seen.status != "failed") continue;
    for (const ClaimRow& row : kClaims)
      if (seen.layer_of_failure == name_of(row.layer)) claims.*row.claim = kFailed;
  }
  // A restore that failed says that what was compiled does not last.
  if (restore && restore->verdict != "proven" && restore->verdict != "vacuous" &&
      claims.compile == kProven)
    claims.compile = kNotShown;
  return claims;
}

std::string to_json(const Rehearsal& rehearsal) {
  Document document;
  JsonWriter& out = document.out;
  out.begin_object();
  document.member("schema", std::string("understudy/rehearsal/1"));
  document.member("slice", rehearsal.slice);
  document.member("chip", rehearsal.chip);
  document.member("chips", rehearsal.chips);
  document.member("hosts", rehearsal.hosts);
  document.member("profile", rehearsal.profile);
  document.member("verdict", rehearsal.verdict);
  document.member("ladder", rehearsal.ladder.name);
  out.key("rungs");
  out.begin_array();
  std::vector<std::string> not_run;
  for (const RungSeen& seen : rehearsal.ladder.rungs)
    seen.status == "not-run" ? not_run.push_back(seen.rung) : document.rung(seen);
  out.end_array();
  document.member("not_run", not_run);
  document.member("first_passing_rung", rehearsal.ladder.first_passing);
  document.member("next_failing_rung", rehearsal.ladder.next_failing);
  document.member("attempts", rehearsal.ladder.attempts);
  document.member("claims", rehearsal.claims);
  document.member("restore", rehearsal.restore);
  document.member("notes", rehearsal.notes);
  document.member("wall_seconds", rehearsal.wall_seconds);
  document.member("receipt", rehearsal.receipt);
  document.member("exit_code", rehearsal.exit_code);
  out.end_object();
  return out.take();
}

}  // namespace understudy::configs
