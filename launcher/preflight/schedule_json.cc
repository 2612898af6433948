// SPDX-License-Identifier: Apache-2.0
// The table of a scheduled program as JSON: understudy/schedule/1 (docs/formats.md).
#include "configs/json/writer.h"
#include "launcher/preflight/preflight.h"
#include "program/hlo/schedule.h"

namespace understudy::launcher {
namespace {

using program::hlo::ScheduledInstruction;

class Document {
 public:
  std::string of(const program::hlo::Schedule& schedule) {
    json_.begin_object();
    text("schema", "understudy/schedule/1");
    text("module", schedule.module);
    json_.key("scheduled");
    json_.boolean(schedule.scheduled);
    number("cycles", schedule.cycles);
    json_.key("instructions");
    json_.begin_array();
    for (const ScheduledInstruction& row : schedule.rows) instruction(row);
    json_.end_array();
    json_.end_object();
    return json_.take();
  }

 private:
  void text(const char* key, const std::string& value) {
    json_.key(key);
    json_.text(value);
  }
  void number(const char* key, std::int64_t value) {
    json_.key(key);
    json_.integer(value);
  }

  // What the compiler did not say is null.
  void instruction(const ScheduledInstruction& row) {
    // One line per instruction, so that two tables can be compared line by line.
    json_.begin_object(true);
    text("computation", row.computation);
    text("name", row.name);
    text("opcode", row.opcode);
    number("depth", row.depth);
    json_.key("in_loop");
    json_.boolean(row.in_loop);
    json_.key("cycles");
    row.cycles ? json_.integer(*row.cycles) : json_.null();
    json_.key("partner");
    row.partner ? json_.integer(*row.partner) : json_.null();
    number("memory_space", row.memory_space);
    json_.key("bytes");
    json_.whole(row.bytes);
    text("collective", row.collective);
    json_.key("operand_bytes");
    json_.whole(row.operand_bytes);
    groups(row.groups);
    text("algorithm", row.algorithm);
    text("op_name", row.op_name);
    json_.end_object();
  }

  void groups(const program::hlo::Rows& rows) {
    json_.key("groups");
    json_.begin_array(true);
    for (const auto& row : rows) {
      json_.begin_array(true);
      for (const std::int64_t member : row) json_.integer(member);
      json_.end_array();
    }
    json_.end_array();
  }

  configs::JsonWriter json_{configs::JsonWriter::Layout::readable};
};

}  // namespace

std::string schedule_json(const std::string& module_proto) {
  const program::hlo::HloModule module =
      program::hlo::read_proto(program::Source("scheduled program", module_proto));
  return Document().of(program::hlo::schedule_of(module));
}

}  // namespace understudy::launcher
