// SPDX-License-Identifier: Apache-2.0
#include "program/hlo/schedule.h"

#include <algorithm>
#include <array>
#include <charconv>
#include <unordered_map>

#include "program/ir/sizes.h"

namespace understudy::program::hlo {
namespace {

// Opcodes as HLO spells them, without -start. The groups and bytes of others are not collectives'
// traffic.
constexpr std::array<std::string_view, 8> kCollectives = {
    "all-gather",         "all-reduce",        "all-to-all",     "collective-broadcast",
    "collective-permute", "ragged-all-to-all", "reduce-scatter", "ragged-all-reduce"};
constexpr std::string_view kStart = "-start", kDone = "-done";

bool is_collective(std::string_view opcode) {
  if (opcode.ends_with(kStart)) opcode.remove_suffix(kStart.size());
  return std::ranges::find(kCollectives, opcode) != kCollectives.end();
}

// Whether it is the second half of an asynchronous pair, which only waits.
bool ends_other(std::string_view opcode) { return opcode.ends_with(kDone); }

// The compiler writes most numbers of its configuration as strings: "5488".
std::optional<std::int64_t> number_in(std::string_view config, std::string_view key) {
  const std::string text = config_value(config, key);
  std::int64_t value = 0;
  const auto parsed = std::from_chars(text.data(), text.data() + text.size(), value);
  if (text.empty() || parsed.ec != std::errc{}) return std::nullopt;
  return value;
}

std::string algorithm_of(std::string_view config) {
  constexpr std::string_view kKey = "\"collective_algorithm_config\":";
  const std::size_t at = config.find(kKey);
  if (at == std::string_view::npos) return "";
  // The object ends before the next one begins; its values hold no braces but in "debug".
  const std::string_view inside = config.substr(at + kKey.size());
  // "debug" holds free text with braces, so it ends the search.
  const std::size_t end = std::min(inside.find("\"debug\""), inside.find('}'));
  const std::string_view object = inside.substr(0, end);
  std::string text = config_value(object, "emitter");
  const std::string strategy = config_value(object, "strategy");
  if (!strategy.empty()) text += (text.empty() ? "" : ", ") + strategy;
  return text;
}

void add_types(const HloShape& shape, std::vector<TensorType>& types) {
  for (const HloShape& part : shape.parts) add_types(part, types);
  if (shape.kind == HloShape::Kind::array && bytes_of(shape) > 0)
    types.push_back({shape.element, shape.dimensions});
}

class Lister {
 public:
  explicit Lister(const HloModule& module)
      : module_(module), visited_(module.computations.size()) {}

  Schedule run() {
    out_.module = module_.name;
    for (const Field& fact : module_.facts) out_.scheduled |= fact.name == "is_scheduled";
    // Not in a loop at the entry. Depth is for indentation in the table.
    visit(module_.entry, 0, false);
    // Cycles of a loop body count once: the trip count is not in the dump.
    for (const ScheduledInstruction& row : out_.rows) out_.cycles += row.cycles.value_or(0);
    return std::move(out_);
  }

 private:
  // Each computation is listed where it is first called, so the table is no longer than the module.
  void visit(std::uint32_t index, std::uint32_t depth, bool in_loop) {
    // A deep call chain is cut off silently: the table informs, no program depends on it.
    if (visited_[index] || depth > static_cast<std::uint32_t>(kDeepest)) return;
    visited_[index] = true;
    const Computation& computation = module_.computations[index];
    // Without a schedule the order of the text is one that respects operands.
    std::vector<std::uint32_t> order(computation.instructions.size());
    for (std::uint32_t i = 0; i < order.size(); ++i) order[i] = i;
    if (index < module_.schedule.size() && !module_.schedule[index].empty())
      order = module_.schedule[index];
    std::unordered_map<std::uint32_t, std::uint32_t> rows;  // of instructions
    for (const std::uint32_t at : order) {
      const Instruction& in = computation.instructions[at];
      if (in.opcode == "parameter" || in.opcode == "constant" || in.opcode == "tuple" ||
          in.opcode == "get-tuple-element" || in.opcode == "bitcast")
        continue;  // they do nothing when the program runs
      // Only rows that are listed can have a partner; pair() looks starts up here.
      rows[at] = static_cast<std::uint32_t>(out_.rows.size());
      out_.rows.push_back(row_of(computation, in, depth, in_loop));
      pair(in, rows, rows[at]);
      if (in.opcode != "while" && in.opcode != "conditional" && in.opcode != "call") continue;
      for (const std::uint32_t called : in.called)
        visit(called, depth + 1, in_loop || in.opcode == "while");
    }
  }

  // A "-done" has its "-start" as its operand, if need be through what does nothing.
  void pair(const Instruction& in, const std::unordered_map<std::uint32_t, std::uint32_t>& rows,
            std::uint32_t row) {
    if (!ends_other(in.opcode) || in.operands.empty()) return;
    const auto start = rows.find(in.operands.front());
    if (start == rows.end()) return;
    out_.rows[start->second].partner = row;
    out_.rows[row].partner = start->second;
  }

  ScheduledInstruction row_of(const Computation& computation, const Instruction& in,
                              std::uint32_t depth, bool in_loop) const {
    ScheduledInstruction row;
    row.computation = computation.name;
    row.name = in.name;
    row.opcode = in.opcode;
    row.depth = depth;
    row.in_loop = in_loop;
    // An asynchronous start gives a tuple whose first part is the buffer that it works on.
    const HloShape& first = in.shape.kind == HloShape::Kind::tuple && !in.shape.parts.empty()
                                ? in.shape.parts.front()
                                : in.shape;
    row.memory_space = first.memory_space;
    row.bytes = bytes_of(in.shape);
    row.op_name = in.op_name;
    row.location = in.location;
    const std::string config = in.word("backend_config");
    row.cycles = number_in(config, "estimated_cycles");
    row.algorithm = algorithm_of(config);
    // The first half has the collective's groups; counting both would count its bytes twice.
    if (!ends_other(in.opcode)) add_collective(computation, in, 0, row);
    return row;
  }

  // The instruction itself, or the first collective in a fusion or an asynchronous computation.
  void add_collective(const Computation& computation, const Instruction& in, int depth,
                      ScheduledInstruction& row) const {
    if (depth > kDeepest || !row.collective.empty()) return;
    if (is_collective(in.opcode)) {
      row.collective = in.opcode;
      if (row.collective.ends_with(kStart)) row.collective.resize(row.collective.size() - 6);
      const bool pairs = in.find<Rows>("source_target_pairs") != nullptr;
      row.groups = in.rows(pairs ? "source_target_pairs" : "replica_groups");
      row.channel = in.number("channel_id", 0);
      row.global_ids = in.flag("use_global_device_ids");
      for (const std::uint32_t operand : in.operands) {
        const HloShape& shape = computation.instructions[operand].shape;
        row.operand_bytes = sum_of_bytes(row.operand_bytes, bytes_of(shape));
        add_types(shape, row.operand_types);
      }
      if (row.algorithm.empty()) row.algorithm = algorithm_of(in.word("backend_config"));
      return;
    }
    // Asynchronous wrappers and fusions hold at most one collective each, so the first is enough.
    if (in.opcode != "fusion" && !in.opcode.starts_with("async-start")) return;
    for (const std::uint32_t called : in.called)
      for (const Instruction& inside : module_.computations[called].instructions)
        add_collective(module_.computations[called], inside, depth + 1, row);
  }

  const HloModule& module_;
  std::vector<bool> visited_;
  Schedule out_;
};

}  // namespace

Schedule schedule_of(const HloModule& module) { return Lister(module).run(); }

std::uint64_t bytes_of(const HloShape& shape) {
  if (shape.kind == HloShape::Kind::tuple) {
    std::uint64_t sum = 0;
    for (const HloShape& part : shape.parts) sum = sum_of_bytes(sum, bytes_of(part));
    return sum;
  }
  // Tokens and opaque values occupy no memory that a program could count; a shape kept as text has
  // an element type that is unknown here.
  if (shape.kind != HloShape::Kind::array || !shape.text.empty()) return 0;
  // A size that overflows is one that no chip has; 0 keeps the sums meaningful.
  const TensorType type{shape.element, shape.dimensions};
  return is_too_large(type) ? 0
                            : static_cast<std::uint64_t>(std::max<std::int64_t>(type.bytes(), 0));
}

// Not parsed as JSON: a module has a configuration per instruction, of which a few keys are
// read.
// A quote inside a value has a backslash before it, so it begins no key.
std::string config_value(std::string_view config, std::string_view key) {
  for (std::size_t at = config.find(key); at != std::string_view::npos;
       at = config.find(key, at + 1)) {
    const std::size_t end = at + key.size();
    // Rejects keys that end in `key` ("x_estimated_cycles") and text that only quotes it.
    const bool is_key = at > 0 && config[at - 1] == '"' && (at < 2 || config[at - 2] != '\\') &&
                        config.substr(end).starts_with("\":");
    if (!is_key) continue;
    std::string_view value = config.substr(end + 2);
    if (value.starts_with('"')) {
      value.remove_prefix(1);
      // Values are numbers and plain words; a quote inside of one would end it early.
      return std::string(value.substr(0, value.find('"')));
    }
    return std::string(value.substr(0, value.find_first_of(",}]")));
  }
  return "";
}

}  // namespace understudy::program::hlo
