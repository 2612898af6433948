// SPDX-License-Identifier: Apache-2.0
// Takes parts of arrays before element-wise work, where the rest of its result is not read:
// slice(f(x, y)) is f(slice(x), slice(y)). The part of a concatenation, of an array that was padded
// or of an updated one is often an array that is there already, as in the gradients of those. `f`
// is a tree of element-wise work that nobody else reads. Each element that is kept is computed as
// before. Equivalents: XLA's AlgebraicSimplifier (slices of pads, concatenations and updates), and
// its fusion, which computes what is read.
#include <algorithm>
#include <iterator>
#include <map>
#include <optional>
#include <set>
#include <unordered_map>

#include "program/passes/copies.h"
#include "program/passes/module/attributes.h"
#include "program/passes/nested.h"
#include "program/passes/parts.h"

namespace understudy::program::passes {

namespace {

// Of a value that several parts are read of, smaller ones stay in a cache, and one loop takes less
// time to start than several.
constexpr std::size_t kMostReads = 4;
constexpr std::int64_t kLeastDividedBytes = 64 << 10;
// A value of which overlapping parts are read may leave the second-level cache before they are. A
// few steps take less time to do twice.
constexpr std::int64_t kLeastRepeatedBytes = 512 << 10;
constexpr std::size_t kMostRepeated = 2, kMostRepeatedSteps = 2;
// More steps are left alone: each part gets its own.
constexpr std::size_t kMostCroppedSteps = 64;
// A part of a part is found in the next round.
constexpr int kMostRounds = 4;

// A part of a value, and how it is read: by a slice, whose place the part takes; by a copy, which
// puts it into another array; or as views.
enum class Reader : std::uint8_t { slice, copy, view };
struct Read {
  Part part;
  std::size_t position = 0;
  Reader reader = Reader::slice;
  Buffer at = {};  // of views
};

class Cropper {
 public:
  explicit Cropper(Draft& draft) : draft_(draft), writes_(draft) {}

  // Whether anything was cropped.
  bool run(Code& code) {
    bool changed = false;
    for (Instruction& instruction : code)
      for_each_nested(instruction, [&](Code& nested) { changed |= run(nested); });
    Writers writers;
    std::map<std::uint32_t, std::set<std::size_t>> readers;
    for (std::size_t i = 0; i < code.size(); ++i) {
      for (const Operand& out : code[i].outputs)
        if (out.at.space == Space::temporary) writers[out.at.index].push_back(i);
      for (const Operand& in : code[i].inputs)
        if (in.at.space == Space::temporary) readers[in.at.index].insert(i);
    }
    std::vector<Code> before(code.size());
    std::vector<bool> gone(code.size(), false);
    for (const auto& [value, positions] : readers) {
      const PartFinder finder(draft_, writes_, code, writers);
      const std::vector<Read> reads = parts_of(code, value, positions, finder);
      if (reads.empty()) continue;
      std::vector<Code> made;
      for (const Read& read : reads) {
        Code one = crop(code, value, read, finder);
        if (one.empty()) break;
        made.push_back(std::move(one));
      }
      if (made.size() != reads.size()) continue;
      changed = true;
      for (std::size_t r = 0; r < reads.size(); ++r)
        put(code, reads[r], positions, std::move(made[r]), before[reads[r].position], gone);
    }
    if (changed) replace_marked(code, before, gone);
    return changed;
  }

 private:
  static bool is_step(const Instruction& instruction) {
    return is_lane_by_lane(instruction.work) && instruction.outputs.size() == 1;
  }

  // The parts that are read of the result of a step; empty where other users read it, or the parts
  // have more elements together than it.
  std::vector<Read> parts_of(const Code& code, std::uint32_t value,
                             const std::set<std::size_t>& positions,
                             const PartFinder& finder) const {
    std::vector<Read> reads;
    std::size_t uses = 1;  // the write
    const Instruction* step = nullptr;
    std::int64_t read_elements = 0;
    for (const std::size_t i : positions)
      for (std::size_t k = 0; k < code[i].inputs.size(); ++k) {
        const Operand& in = code[i].inputs[k];
        if (in.at.space != Space::temporary || in.at.index != value) continue;
        ++uses;
        if (step == nullptr) step = step_of(value, in.type, finder);
        if (step == nullptr || in.type.element != step->outputs[0].type.element) return {};
        auto read = read_of(code, i, k, step->outputs[0]);
        if (!read) return {};
        const bool is_view = read->reader == Reader::view;
        const bool is_known = is_view && std::ranges::any_of(reads, [&](const Read& one) {
                                return one.reader == Reader::view && one.at == read->at &&
                                       one.part.type.elements() == read->part.type.elements();
                              });
        if (is_known) continue;
        read_elements += read->part.type.elements();
        reads.push_back(std::move(*read));
      }
    if (step == nullptr || uses != writes_.uses(value) || reads.size() > kMostReads) return {};
    const TensorType& whole = step->outputs[0].type;
    const bool is_divided = reads.size() > 1;
    if (is_divided && whole.bytes() < kLeastDividedBytes) return {};
    if (is_divided && read_elements > whole.elements() && !may_repeat(code, *step, reads, finder))
      return {};
    // Loops read slices in place of what they are cut from; what is copied is written first.
    const bool is_copied = std::ranges::find(reads, Reader::copy, &Read::reader) != reads.end();
    if (is_copied && read_elements > whole.elements() / 2) return {};
    return reads;
  }

  const Instruction* step_of(std::uint32_t value, const TensorType& type,
                             const PartFinder& finder) const {
    const auto bytes = static_cast<std::int64_t>(draft_.bytes[value]);
    const Operand whole{
        {Space::temporary, value, 0},
        {type.element, {bytes / static_cast<std::int64_t>(byte_size(type.element))}}};
    const Instruction* const writer = finder.writer_of(whole);
    return writer != nullptr && is_step(*writer) ? writer : nullptr;
  }

  static std::optional<Read> read_of(const Code& code, std::size_t position, std::size_t input,
                                     const Operand& whole) {
    const Operand& in = code[position].inputs[input];
    const std::int64_t elements = in.type.elements();
    if (elements == whole.type.elements()) {
      auto box = input == 0 ? box_of(code[position]) : std::nullopt;
      if (!box) return std::nullopt;
      const bool is_slice = box->is_dynamic || fills_in_order(code[position]);
      return Read{std::move(*box), position, is_slice ? Reader::slice : Reader::copy};
    }
    const std::size_t size = byte_size(in.type.element);
    if (elements == 0 || in.at.offset % size != 0) return std::nullopt;
    const auto base = static_cast<std::int64_t>(in.at.offset / size);
    return Read{
        {whole.type, in.type, {{elements}, {1}, {1}, base, 0}}, position, Reader::view, in.at};
  }

  // Whether parts that overlap take less time than the value takes in memory.
  bool may_repeat(const Code& code, const Instruction& root, const std::vector<Read>& reads,
                  const PartFinder& finder) const {
    const auto is_slice = [](const Read& read) { return read.reader == Reader::slice; };
    if (root.outputs[0].type.bytes() < kLeastRepeatedBytes || reads.size() > kMostRepeated ||
        !std::ranges::all_of(reads, is_slice))
      return false;
    const std::set<std::size_t> steps = steps_of(code, root, finder);
    return steps.size() <= kMostRepeatedSteps &&
           std::ranges::all_of(steps, [&](std::size_t at) { return is_arithmetic(code[at]); });
  }
  static bool is_arithmetic(const Instruction& step) {
    const auto* const binary = std::get_if<Binary>(&step.work);
    if (binary == nullptr) return false;
    switch (binary->op) {
      case BinaryOp::add:
      case BinaryOp::subtract:
      case BinaryOp::multiply:
      case BinaryOp::maximum:
      case BinaryOp::minimum:
        return true;
      default:
        return false;
    }
  }

  // The steps that make a value, and that nothing else reads: their positions, ascending; empty
  // where there are too many.
  std::set<std::size_t> steps_of(const Code& code, const Instruction& root,
                                 const PartFinder& finder) const {
    std::set<std::size_t> steps;
    std::vector<const Instruction*> open{&root};
    while (!open.empty()) {
      const Instruction& step = *open.back();
      open.pop_back();
      if (!steps.insert(static_cast<std::size_t>(&step - code.data())).second) continue;
      if (steps.size() > kMostCroppedSteps) return {};
      for (const Operand& in : step.inputs) {
        const Instruction* const writer = finder.writer_of(in);
        const auto reads =
            static_cast<std::size_t>(std::ranges::count(step.inputs, in.at, &Operand::at));
        if (writer != nullptr && is_step(*writer) && writes_.uses(in.at.index) == reads + 1 &&
            writer->outputs[0].type.element == in.type.element)
          open.push_back(writer);
      }
    }
    return steps;
  }

  // The steps on a part; empty where an operand has none.
  Code crop(const Code& code, std::uint32_t value, const Read& read,
            const PartFinder& finder) const {
    const Instruction& root = *step_of(value, read.part.array, finder);
    const std::set<std::size_t> steps = steps_of(code, root, finder);
    Code cropped;
    std::unordered_map<Buffer, Operand, BufferHash> known;  // parts of what the steps read
    for (const std::size_t at : steps) {
      Instruction smaller = code[at];
      const TensorType& whole = code[at].outputs[0].type;
      if (whole.elements() != read.part.array.elements()) return {};
      for (Operand& input : smaller.inputs) {
        const auto part = part_of(input, whole, read, at, known, finder, smaller.op, cropped);
        if (!part) return {};
        input = *part;
      }
      const TensorType type{whole.element, read.part.type.shape};
      smaller.outputs[0] = new_temporary(draft_, type);
      known.insert_or_assign(code[at].outputs[0].at, smaller.outputs[0]);
      cropped.push_back(std::move(smaller));
    }
    return cropped;
  }

  std::optional<Operand> part_of(const Operand& input, const TensorType& whole, const Read& read,
                                 std::size_t position,
                                 std::unordered_map<Buffer, Operand, BufferHash>& known,
                                 const PartFinder& finder, std::uint32_t op, Code& to) const {
    const bool is_one = input.type.elements() == 1 && whole.elements() != 1;
    if (is_one || input.type.elements() != whole.elements())
      return is_one && writes_.is_stable(input.at) ? std::optional(input) : std::nullopt;
    if (const auto found = known.find(input.at);
        found != known.end() && found->second.type.element == input.type.element)
      return found->second;
    std::optional<Operand> part;
    const Instruction* const writer = finder.writer_of(input);
    if (writer != nullptr && std::holds_alternative<Fill>(writer->work)) {
      if (!writes_.is_stable(writer->inputs[0].at)) return std::nullopt;
      part = new_temporary(draft_, {input.type.element, read.part.type.shape});
      to.push_back({.work = Fill{}, .inputs = writer->inputs, .outputs = {*part}, .op = op});
    } else {
      part = finder.find(input, read.part, position, op, to);
    }
    if (part) known.insert_or_assign(input.at, *part);
    return part;
  }

  // The part instead of the slice, of what is copied, or of the views.
  static void put(Code& code, const Read& read, const std::set<std::size_t>& readers, Code made,
                  Code& before, std::vector<bool>& gone) {
    Instruction& reader = code[read.position];
    if (read.reader == Reader::slice) {
      gone[read.position] = true;
      made.back().outputs[0].at = reader.outputs[0].at;
    }
    const Operand part = made.back().outputs[0];
    std::ranges::move(made, std::back_inserter(before));
    if (read.reader == Reader::copy) {
      auto& copy = std::get<StridedCopy>(reader.work);
      copy.in_strides = row_major_strides(copy.sizes);
      copy.in_base = 0;
      copy = simplified(copy);
      reader.inputs[0] = part;
    }
    if (read.reader != Reader::view) return;
    for (const std::size_t i : readers)
      for (Operand& in : code[i].inputs)
        if (in.at == read.at && in.type.elements() == read.part.type.elements()) in.at = part.at;
  }

  Draft& draft_;
  const Writes writes_;  // of the draft before: values that this pass makes are not looked at
};

}  // namespace

void crop_early(Draft& draft) {
  // What is in host memory is found later, by what moves there.
  if (!draft.host_arguments.empty() || !draft.host_results.empty() || moves_to_host(draft.code))
    return;
  for (int round = 0; round < kMostRounds && Cropper(draft).run(draft.code); ++round)
    eliminate_dead_code(draft);
}

}  // namespace understudy::program::passes
