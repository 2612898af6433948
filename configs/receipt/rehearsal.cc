// SPDX-License-Identifier: Apache-2.0
#include "configs/receipt/rehearsal.h"

#include <string_view>

#include "configs/receipt/preflight/preflight_fields.h"
#include "configs/receipt/rehearsal_fields.h"

namespace understudy::configs {
namespace {

struct Document {
  JsonWriter out{JsonWriter::Layout::readable};
  template <class T>
  void member(std::string_view key, const T& value) {
    out.key(key);
    write_value(out, value);
  }

  // "name" and "passed" repeat fields of the rung in the words that scripts look for.
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
    // Rungs that did not run are listed by name only: they have no observations.
    seen.status == "not-run" ? not_run.push_back(seen.rung) : document.rung(seen);
  out.end_array();
  document.member("not_run", not_run);
  document.member("first_passing_rung", rehearsal.ladder.first_passing);
  document.member("next_failing_rung", rehearsal.ladder.next_failing);
  document.member("attempts", rehearsal.ladder.attempts);
  document.member("claims", rehearsal.claims);
  document.member("restore", rehearsal.restore);
  document.member("preflight", rehearsal.preflight);
  document.member("notes", rehearsal.notes);
  document.member("wall_seconds", rehearsal.wall_seconds);
  document.member("receipt", rehearsal.receipt);
  document.member("exit_code", rehearsal.exit_code);
  out.end_object();
  return out.take();
}

}  // namespace understudy::configs
