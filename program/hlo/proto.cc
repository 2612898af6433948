// SPDX-License-Identifier: Apache-2.0
// HLO protos: HloModuleProto, and HloProto or HloSnapshot around one.
#include <fmt/format.h>
#include <fmt/ranges.h>
#include <unordered_map>

#include "program/hlo/proto_instruction.h"

namespace understudy::program::hlo {
namespace {

// StackFrameIndexProto: file_names = 1, file_locations = 3 (file_name_id = 1, line = 3,
// column = 4), stack_frames = 4 (file_location_id = 1). Ids count from 1.
void frames_in(Wire in, Frames& out) {
  while (in.next()) {
    // Fields that are unknown are skipped everywhere in this file, as protobuf requires of readers.
    if (in.field() == 1) out.files.push_back(in.text());
    if (in.field() == 3) {
      Wire place = in.message();
      out.places.push_back({});
      while (place.next()) {
        if (place.field() == 1) out.places.back().file = place.number();
        if (place.field() == 3) out.places.back().line = place.number();
        if (place.field() == 4) out.places.back().column = place.number();
      }
    }
    if (in.field() == 4) {
      Wire frame = in.message();
      // One frame per message, even an empty one: ids are positions in the list.
      out.frames.push_back(0);
      while (frame.next())
        if (frame.field() == 1) out.frames.back() = frame.number();
    }
  }
}

// HloComputationProto: name = 1, instructions = 2, id = 5, root_id = 6.
class ComputationReader {
 public:
  explicit ComputationReader(const ProtoContext& context) : context_(context) {}

  using Ids = std::unordered_map<std::int64_t, std::uint32_t>;
  // `ids`: index of each instruction by its id.
  Computation read(Wire in, std::int64_t& id, Ids& ids) {
    const Wire start = in;
    out_.written = {context_.source, in.offset()};
    std::int64_t root = 0;
    while (in.next()) {
      if (in.field() == 1) out_.name = in.text();
      if (in.field() == 2) instruction(in.message());
      if (in.field() == 5) id = in.number();
      if (in.field() == 6) root = in.number();
    }
    // Looked up after the loop, because protobuf allows root_id before the instructions.
    const auto found = ids_.find(root);
    if (found == ids_.end())
      start.fail(fmt::format("computation {} has no root instruction {}", out_.name, root));
    out_.root = found->second;
    ids = std::move(ids_);
    return std::move(out_);
  }

 private:
  void instruction(const Wire& in) {
    RawInstruction raw = instruction_in(in, context_);
    // Operands must come first in the list. XLA writes instructions in post order, and the
    // converter relies on it (Instruction::operands).
    for (const std::int64_t operand : raw.operands) {
      const auto found = ids_.find(operand);
      if (found == ids_.end())
        in.fail(fmt::format("{} uses instruction {}, which is not defined before it", raw.out.name,
                            operand));
      raw.out.operands.push_back(found->second);
    }
    if (!ids_.try_emplace(raw.id, static_cast<std::uint32_t>(out_.instructions.size())).second)
      in.fail(fmt::format("two instructions have the id {}", raw.id));
    out_.instructions.push_back(std::move(raw.out));
  }

  const ProtoContext& context_;
  Computation out_;
  Ids ids_;
};

class ModuleReader {
 public:
  ModuleReader(const Source& source, HloModule& out) : out_(out) {
    out_.sources.push_back(Source::of_bytes(source.path()));
    context_.source = out_.sources.back().get();
  }

  // Frames and payloads first: instructions refer to them.
  void read(const Wire& module) {
    tables(module);
    Wire in = module;
    std::int64_t entry = 0;
    while (in.next()) {
      if (in.field() == 3) computation(in.message());
      if (in.field() == 6) entry = in.number();
      field(in);
    }
    const auto found = context_.computations.find(entry);
    if (found == context_.computations.end())
      module.fail(fmt::format("the module has no entry computation {}", entry));
    out_.entry = found->second;
    if (schedule_) schedule(*schedule_);
    auto files = context_.files.take();
    out_.sources.insert(out_.sources.end(), files.begin(), files.end());
  }

 private:
  // The module is scanned twice. Both tables come after the computations in field order, but
  // computations need them.
  void tables(Wire in) {
    while (in.next()) {
      if (in.field() == 17) frames_in(in.message(), context_.frames);
      if (in.field() == 22) context_.payloads.push_back(in.bytes());
    }
  }

  void computation(const Wire& in) {
    std::int64_t id = 0;
    ComputationReader::Ids ids;
    Computation read = ComputationReader(context_).read(in, id, ids);
    const auto index = static_cast<std::uint32_t>(out_.computations.size());
    if (!context_.computations.try_emplace(id, index).second)
      in.fail(fmt::format("two computations have the id {}", id));
    out_.computations.push_back(std::move(read));
    ids_.push_back(std::move(ids));
  }

  // HloScheduleProto: sequences = 1, a map (key = 1, value = 2) from the id of a computation to
  // InstructionSequence: instruction_ids = 1. Read last: it refers to everything else.
  void schedule(Wire in) {
    out_.schedule.resize(out_.computations.size());
    while (in.next()) {
      if (in.field() != 1) continue;
      Wire entry = in.message();
      std::int64_t id = 0;
      Ints order;
      while (entry.next()) {
        if (entry.field() == 1) id = entry.number();
        if (entry.field() != 2) continue;
        Wire sequence = entry.message();
        while (sequence.next())
          if (sequence.field() == 1) sequence.append(order);
      }
      const auto found = context_.computations.find(id);
      if (found == context_.computations.end())
        in.fail(fmt::format("the schedule names computation {}, which does not exist", id));
      // Indexes instead of ids from here on: ids are unique per module, indexes small enough for
      // vectors.
      sequence_in(in, ids_[found->second], order, out_.schedule[found->second]);
    }
  }

  static void sequence_in(const Wire& in, const ComputationReader::Ids& ids, const Ints& order,
                          std::vector<std::uint32_t>& out) {
    std::vector<bool> seen(ids.size());
    for (const std::int64_t id : order) {
      const auto found = ids.find(id);
      if (found == ids.end() || seen[found->second])
        in.fail(fmt::format("the schedule has instruction {} twice, or it does not exist", id));
      seen[found->second] = true;
      out.push_back(found->second);
    }
    // A schedule with holes would silently drop instructions from the listing.
    if (out.size() != ids.size())
      in.fail(fmt::format("the schedule has {} of {} instructions of a computation", out.size(),
                          ids.size()));
  }

  // HloModuleProto: name = 1, computations = 3, entry_computation_id = 6, schedule = 7,
  // input_output_alias = 8, is_dynamic = 11, spmd_output_sharding = 12,
  // spmd_parameters_shardings = 14, device_assignment = 15, stack_frame_index = 17,
  // frontend_attributes = 19, payloads = 22.
  void field(const Wire& in) {
    if (in.field() == 1) out_.name = in.text();
    if (in.field() == 7) {
      out_.facts.push_back({"is_scheduled", true});
      schedule_ = in.message();
    }
    if (in.field() == 8) aliases(in.message());
    if (in.field() == 12) out_.output_sharding = sharding_in(in.message());
    if (in.field() == 14) out_.parameter_shardings.push_back(sharding_in(in.message()));
    if (in.field() == 15) devices(in.message());
    if (in.field() == 19) out_.frontend = words_in(in.message());
  }

  // DeviceAssignmentProto: replica_count = 1, computation_count = 2.
  void devices(Wire in) {
    while (in.next()) {
      if (in.field() == 1) out_.replicas = in.number();
      if (in.field() == 2) out_.partitions = in.number();
    }
  }

  // HloInputOutputAliasProto: entries = 1 (output_shape_index = 1, parameter_number = 2,
  // parameter_shape_index = 3, kind = 4). As text spells it: {0}: (1, {}, may-alias).
  void aliases(Wire in) {
    std::string text;
    while (in.next()) {
      if (in.field() != 1) continue;
      Ints result, inside;
      std::int64_t parameter = 0, kind = 0;
      Wire entry = in.message();
      while (entry.next()) {
        if (entry.field() == 1) entry.append(result);
        if (entry.field() == 2) parameter = entry.number();
        if (entry.field() == 3) entry.append(inside);
        if (entry.field() == 4) kind = entry.number();
      }
      text += fmt::format("{}{{{}}}: ({}, {{{}}}, {}-alias)", text.empty() ? "" : ", ",
                          fmt::join(result, ","), parameter, fmt::join(inside, ","),
                          // 2 is MUST_ALIAS; text prints the two kinds that have an effect.
                          kind == 2 ? "must" : "may");
    }
    if (!text.empty()) out_.facts.push_back({"input_output_alias", "{ " + text + " }"});
  }

  HloModule& out_;
  ProtoContext context_;
  std::vector<ComputationReader::Ids> ids_;  // by computation
  std::optional<Wire> schedule_;
};

// The module inside HloProto (hlo_module = 1) or HloSnapshot (hlo = 1), or the bytes themselves.
// In a module field 1 is the name, which is hardly ever a message and never one with field 3, its
// computations.
bool has_computations(std::string_view bytes) {
  static const std::string kNowhere;
  if (!Wire::is_message(bytes)) return false;
  // A snapshot wraps HloProto, which wraps the module: two levels, and one to spare.
  Wire in(kNowhere, bytes, 0);
  while (in.next())
    if (in.field() == 3 && in.holds_bytes()) return true;
  return false;
}

std::optional<Wire> module_inside(Wire in, int depth) {
  constexpr int kMostWrappers = 3;
  const Wire start = in;
  while (depth < kMostWrappers && in.next()) {
    // The first field 1 decides: it is the wrapped module, or the name of this one.
    if (in.field() != 1 || !in.holds_bytes()) continue;
    if (Wire::is_message(in.bytes()))
      if (const auto found = module_inside(in.message(), depth + 1)) return found;
    break;
  }
  return has_computations(start.all()) ? std::optional(start) : std::nullopt;
}

}  // namespace

// Text is never taken for a proto: a proto has control characters, as small numbers are.
bool is_proto(std::string_view bytes) {
  // One page. The tag of the first field is 0x0A: field 1, length-delimited.
  constexpr std::size_t kLooked = 4096;
  if (bytes.empty() || bytes[0] != '\x0A') return false;
  for (const char c : bytes.substr(0, kLooked))
    if (static_cast<unsigned char>(c) < ' ' && c != '\n' && c != '\r' && c != '\t' && c != '\f')
      return true;
  return false;
}

namespace {

Wire module_wire(const Source& source) {
  const Wire whole(source.path(), source.text(), 0);
  if (!Wire::is_message(source.text()))
    whole.fail("the file is neither StableHLO nor a complete HLO proto: it is damaged or cut off");
  const auto module = module_inside(whole, 0);
  if (!module) whole.fail("the file is a protocol buffer message, but no HLO module");
  return *module;
}

}  // namespace

std::string_view module_bytes(const Source& source) { return module_wire(source).all(); }

HloModule read_proto(const Source& source) {
  HloModule out;
  ModuleReader(source, out).read(module_wire(source));
  return out;
}

}  // namespace understudy::program::hlo
