// SPDX-License-Identifier: Apache-2.0
// HLO as a listing. A computation is listed where it is first called, one level deeper than its
// caller; later calls refer to that place.
#include <algorithm>
#include <fmt/format.h>
#include <fmt/ranges.h>

#include "configs/base/digest.h"
#include "program/compare/lister.h"

namespace understudy::program::compare {

std::string shortened(std::string text) {
  // 2000 bytes show any usual attribute. Longer ones (payloads of kernels) are compared by digest.
  constexpr std::size_t kLongest = 2000;
  if (text.size() <= kLongest) return text;
  return fmt::format("{}... ({} bytes, digest {})", text.substr(0, 100), text.size(),
                     digest_of(text));
}

std::string shortened(const std::string& text, std::size_t most) {
  return text.size() <= most ? text : text.substr(0, most - 3) + "...";
}

namespace {

using hlo::Computation;
using hlo::Field;
using hlo::HloModule;
using hlo::HloShape;
using hlo::Instruction;

std::string rows_text(const hlo::Rows& rows) {
  std::string out;
  for (const hlo::Ints& row : rows)
    out += fmt::format("{}{{{}}}", out.empty() ? "" : ",", fmt::join(row, ","));
  return "{" + out + "}";
}

std::string text_of(const hlo::FieldValue& value) {
  if (const auto* number = std::get_if<std::int64_t>(&value)) return std::to_string(*number);
  if (const auto* flag = std::get_if<bool>(&value)) return *flag ? "true" : "false";
  if (const auto* real = std::get_if<double>(&value)) return fmt::format("{}", *real);
  if (const auto* text = std::get_if<std::string>(&value)) return *text;
  if (const auto* ints = std::get_if<hlo::Ints>(&value))
    return fmt::format("{{{}}}", fmt::join(*ints, ","));
  if (const auto* rows = std::get_if<hlo::Rows>(&value)) return rows_text(*rows);
  std::string out;
  for (const auto& [key, word] : std::get<hlo::Words>(value))
    out += fmt::format("{}{}={}", out.empty() ? "" : ",", key, word);
  return "{" + out + "}";
}

// Layouts are part of what a compiler has decided.
std::string shape_text(const HloShape& shape) {
  if (shape.kind != HloShape::Kind::tuple) {
    std::string out = hlo::text_of(shape);
    // The default is left out, as most dumps print it and StableHLO has none.
    const bool is_default =
        std::is_sorted(shape.minor_to_major.rbegin(), shape.minor_to_major.rend());
    if (!is_default) out += fmt::format("{{{}}}", fmt::join(shape.minor_to_major, ","));
    return out;
  }
  std::string out;
  for (const HloShape& part : shape.parts) out += (out.empty() ? "" : ", ") + shape_text(part);
  return "(" + out + ")";
}

constexpr std::string_view kCollectives[] = {"all-gather",
                                             "all-reduce",
                                             "all-to-all",
                                             "collective-broadcast",
                                             "collective-permute",
                                             "ragged-all-to-all",
                                             "reduce-scatter",
                                             "recv",
                                             "send"};

std::optional<CollectiveFacts> collective_of(const Instruction& in) {
  std::string_view kind = in.opcode;
  constexpr std::string_view kStart = "-start";
  if (kind.ends_with(kStart)) kind.remove_suffix(kStart.size());
  if (std::find(std::begin(kCollectives), std::end(kCollectives), kind) == std::end(kCollectives))
    return std::nullopt;
  CollectiveFacts out;
  out.kind = in.opcode;
  out.groups = rows_text(in.find<hlo::Rows>("source_target_pairs") != nullptr
                             ? in.rows("source_target_pairs")
                             : in.rows("replica_groups"));
  if (const std::int64_t channel = in.number("channel_id", 0); channel > 0)
    out.channel =
        fmt::format("{}{}", channel, in.flag("use_global_device_ids") ? ", global ids" : "");
  out.types = shape_text(in.shape);
  return out;
}

class HloLister {
 public:
  explicit HloLister(const HloModule& module)
      : module_(module), first_(module.computations.size()) {}

  Listing run() {
    out_.form = Form::hlo;
    facts();
    computation(module_.entry, 0);
    return std::move(out_);
  }

 private:
  void facts() {
    const auto count = [&](std::string name, std::int64_t value) {
      if (value > 0) out_.facts.push_back({std::move(name), std::to_string(value), true});
    };
    count("replicas", module_.replicas);
    count("partitions", module_.partitions);
    const Computation& entry = module_.entry_computation();
    std::size_t number = 0;
    for (const std::uint32_t index : entry.parameters())
      out_.facts.push_back(
          {fmt::format("argument {}", number++), hlo::text_of(entry.instructions[index].shape)});
    out_.facts.push_back({"result", hlo::text_of(entry.instructions[entry.root].shape)});
    // What repeats the entry's shapes is left out.
    // entry_computation_layout repeats what arguments and result say.
    for (const Field& field : module_.facts)
      if (field.name != "entry_computation_layout")
        // is_scheduled and aliases are in protos and text alike; other facts only in text
        // (Fact::text_only).
        out_.facts.push_back({field.name, text_of(field.value),
                              field.name != "is_scheduled" && field.name != "input_output_alias"});
    for (const auto& [key, value] : module_.frontend) out_.facts.push_back({key, value});
    for (std::size_t i = 0; i < module_.parameter_shardings.size(); ++i)
      out_.facts.push_back(
          {fmt::format("sharding of argument {}", i), module_.parameter_shardings[i]});
    if (!module_.output_sharding.empty())
      out_.facts.push_back({"sharding of the result", module_.output_sharding});
  }

  // Callees have smaller indexes, so this ends; each is listed once, so the listing is no longer
  // than the module. The depth of the recursion is bounded by an explicit stack.
  void computation(std::uint32_t start, std::uint32_t start_depth) {
    struct Frame {
      std::uint32_t computation, depth;
      std::size_t next = 0;
      std::vector<std::uint32_t> entries;
    };
    std::vector<Frame> stack;
    const auto open = [&](std::uint32_t index, std::uint32_t depth) {
      first_[index] = static_cast<std::uint32_t>(out_.entries.size());
      Entry header;
      header.name = "computation";
      header.types = shape_text(root_of(index).shape);
      header.depth = depth;
      header.location = module_.computations[index].written;
      out_.entries.push_back(std::move(header));
      stack.push_back({index, depth + 1, 0, {}});
    };
    open(start, start_depth);
    while (!stack.empty()) {
      Frame& frame = stack.back();
      const auto& instructions = module_.computations[frame.computation].instructions;
      if (frame.next == instructions.size()) {
        finish(frame.computation, frame.entries);
        stack.pop_back();
        continue;
      }
      const Instruction& in = instructions[frame.next];
      // Callees are listed in front of the caller's next instruction, so each call finds its entry.
      const auto unlisted = std::find_if(in.called.begin(), in.called.end(),
                                         [&](std::uint32_t each) { return !first_[each]; });
      if (unlisted != in.called.end()) {
        // `frame` is dangling from here on: open() may have moved the stack.
        open(*unlisted, frame.depth);
        continue;
      }
      frame.entries.push_back(static_cast<std::uint32_t>(out_.entries.size()));
      instruction(in, frame.depth, frame.entries);
      ++frame.next;
    }
  }

  const Instruction& root_of(std::uint32_t index) const {
    const Computation& computation = module_.computations[index];
    return computation.instructions[computation.root];
  }

  // Which instruction is the root matters where it is not the last.
  void finish(std::uint32_t index, const std::vector<std::uint32_t>& entries) {
    Entry root;
    root.name = "root";
    root.depth = 1;
    root.location = root_of(index).location;
    root.uses.push_back({entries[module_.computations[index].root], 0});
    out_.entries.push_back(std::move(root));
  }

  void instruction(const Instruction& in, std::uint32_t depth,
                   const std::vector<std::uint32_t>& entries) {
    Entry entry;
    entry.name = in.opcode;
    entry.types = shape_text(in.shape);
    entry.depth = depth;
    entry.location = in.location;
    entry.collective = collective_of(in);
    entry.attributes = attributes(in);
    for (const std::uint32_t operand : in.operands) entry.uses.push_back({entries[operand], 0});
    for (const std::uint32_t called : in.called) entry.uses.push_back({*first_[called], 0});
    out_.entries.push_back(std::move(entry));
  }

  std::string attributes(const Instruction& in) {
    std::vector<std::string> all;
    for (const Field& field : in.fields) {
      // Protos always write the comparison type, text only where it is not the default.
      const bool is_default = field.name == "type" && is_default_comparison(in);
      const std::string value = text_of(field.value);
      const bool is_empty = value == "{}" || value == "{{}}";
      if (!is_default && !is_empty) all.push_back(fmt::format("{}={}", field.name, value));
    }
    // Text and proto store fields in different orders.
    std::sort(all.begin(), all.end());
    std::string out = fmt::format("{}", fmt::join(all, ", "));
    if (in.opcode == "constant") {
      // Elided constants may differ without a trace; the diff must say so.
      if (in.literals.empty() && in.shape.leaves() > 0) out_.elided = true;
      for (const DenseAttribute& literal : in.literals) {
        const std::string_view bytes(reinterpret_cast<const char*>(literal.data->data()),
                                     literal.data->size());
        out += fmt::format(" {}", literal_text(literal, bytes));
      }
    }
    return shortened(std::move(out));
  }

  // A splat or short literal as its bytes, another as its digest.
  static std::string literal_text(const DenseAttribute& literal, std::string_view bytes) {
    constexpr std::size_t kShown = 16;
    if (bytes.size() > kShown) return "digest " + digest_of(bytes);
    std::string out = literal.is_splat ? "all 0x" : "0x";
    for (const char c : bytes) out += fmt::format("{:02X}", static_cast<unsigned char>(c));
    return out;
  }

  static bool is_default_comparison(const Instruction& in) {
    const std::string type = in.word("type");
    return type == "FLOAT" || type == "SIGNED" || type == "UNSIGNED";
  }

  const HloModule& module_;
  std::vector<std::optional<std::uint32_t>> first_;  // the entry of each computation
  Listing out_;
};

}  // namespace

Listing list(const HloModule& module) { return HloLister(module).run(); }

}  // namespace understudy::program::compare
