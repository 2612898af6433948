// SPDX-License-Identifier: Apache-2.0
// Copies of what copies made, without the array between them: rolls of rolls, padding of padding,
// repetitions along two dimensions, slices of concatenations. Each copy that reads the array
// becomes one for each part of what it reads. Equivalents: XLA's AlgebraicSimplifier (pads of pads,
// slices of concatenations, reshapes and broadcasts of those), and its fusion, which computes
// indices through any number of them.
#include <algorithm>
#include <optional>
#include <utility>
#include <vector>

#include "program/passes/compose.h"
#include "program/passes/copies.h"
#include "program/passes/draft.h"
#include "program/passes/nested.h"
#include "program/passes/values.h"

namespace understudy::program::passes {

namespace {

// What a copy of one array becomes at most; more parts each take their time to start.
constexpr std::size_t kMostComposed = 8;
// A copy of a copy is found in the next round.
constexpr int kMostComposeRounds = 4;
// What starting a copy and starting a run of elements take, in bytes that are copied meanwhile.
constexpr std::int64_t kCopyBytes = 1024, kRunBytes = 32;

// Whether elements that follow each other in the output do so in the source, or are one element.
bool is_in_long_runs(const StridedCopy& copy) {
  return copy.sizes.empty() || (copy.out_strides.back() == 1 && copy.in_strides.back() <= 1 &&
                                copy.in_strides.back() >= 0);
}

// The time that a copy takes, as bytes that are copied in runs. Elements that are apart in the
// source or in the output take twice that, in both more than two such copies.
std::int64_t cost_of(const StridedCopy& copy, std::int64_t element_bytes) {
  const std::int64_t bytes = elements_of(copy) * element_bytes;
  if (is_in_long_runs(copy)) {
    const std::int64_t run = copy.sizes.empty() ? 1 : copy.sizes.back();
    return kCopyBytes + bytes + bytes / (run * element_bytes) * kRunBytes;
  }
  const bool is_dense = copy.out_strides.back() == 1 || copy.in_strides.back() == 1;
  return kCopyBytes + (is_dense ? 2 : 5) * bytes;
}

// One copy of an array, as elements of that.
struct Copied {
  std::size_t position = 0;
  StridedCopy copy;
};
// What a reader becomes.
struct Composed {
  std::size_t position = 0;
  std::vector<StridedCopy> parts;
  std::vector<Operand> sources;
};
class Composer {
 public:
  explicit Composer(Draft& draft) : draft_(draft), writes_(draft) {}

  // Whether anything was composed.
  bool run(Code& code) {
    bool changed = false;
    for (Instruction& instruction : code)
      for_each_nested(instruction, [&](Code& nested) { changed |= run(nested); });
    std::vector<Code> instead(code.size());
    std::vector<bool> gone(code.size(), false);
    for (const auto& [array, uses] : accesses_in(code)) {
      const std::vector<Composed> composed = compose_readers(code, array, uses, gone);
      if (composed.empty()) continue;
      changed = true;
      for (const std::size_t w : uses.writes) gone[w] = true;
      for (const Composed& one : composed) {
        gone[one.position] = true;
        const Instruction& reader = code[one.position];
        for (std::size_t p = 0; p < one.parts.size(); ++p)
          instead[one.position].push_back(
              {one.parts[p], {one.sources[p]}, reader.outputs, reader.op});
      }
    }
    if (changed) replace_marked(code, instead, gone);
    return changed;
  }

 private:
  // What the readers of an array become; empty where it stays. Only copies write and read it, in
  // this list, and nothing that this round has changed.
  std::vector<Composed> compose_readers(const Code& code, std::uint32_t array, const Accesses& uses,
                                        const std::vector<bool>& gone) const {
    const auto& [writes, reads] = uses;
    if (!writes_.are_all(array, uses) || writes.empty() || reads.empty() ||
        writes.size() > kMostComposed || reads.front() <= writes.back())
      return {};
    const auto is_gone = [&](std::size_t i) { return gone[i]; };
    if (std::ranges::any_of(writes, is_gone) || std::ranges::any_of(reads, is_gone)) return {};
    const ElementType element = code[writes.front()].outputs[0].type.element;
    const auto bytes = static_cast<std::int64_t>(byte_size(element));
    const std::int64_t elements = static_cast<std::int64_t>(draft_.bytes[array]) / bytes;
    std::vector<Copied> writers, readers;
    std::int64_t before = 0, after = 0;
    for (const std::size_t w : writes) {
      auto copy = written_as(code[w], element);
      if (!copy || is_larger(code[w].inputs[0], draft_.bytes[array])) return {};
      before += cost_of(*copy, bytes);
      writers.push_back({w, std::move(*copy)});
    }
    for (const std::size_t r : reads) {
      auto copy = read_as(code[r], element);
      if (!copy) return {};
      before += cost_of(*copy, bytes);
      readers.push_back({r, std::move(*copy)});
    }
    std::vector<Composed> all;
    std::int64_t copied = 0;
    bool is_divided = false;
    for (const Copied& reader : readers) {
      auto composed = through(code, reader, writers, elements);
      if (!composed) return {};
      for (const StridedCopy& part : composed->parts) after += cost_of(part, bytes);
      copied += elements_of(reader.copy);
      is_divided = is_divided || composed->parts.size() > 1;
      all.push_back(std::move(*composed));
    }
    // A loop that reads a copy reads one in runs in its place, but joins several in its tile; and
    // what is not in runs should be brought into order once.
    const bool is_in_runs =
        std::ranges::all_of(writers, [](const Copied& w) { return is_in_long_runs(w.copy); });
    if (copied > elements && (is_divided || !is_in_runs)) return {};
    return after <= before ? all : std::vector<Composed>{};
  }

  // A copy to an array of `element`, as elements of it.
  static std::optional<StridedCopy> written_as(const Instruction& writer, ElementType element) {
    if (writer.outputs.size() != 1) return std::nullopt;
    const Operand& out = writer.outputs[0];
    if (out.type.element != element || out.type.elements() == 0) return std::nullopt;
    StridedCopy copy;
    if (std::holds_alternative<Fill>(writer.work))
      copy = {{out.type.elements()}, {0}, {1}, 0, 0};
    else if (const auto* const strided = std::get_if<StridedCopy>(&writer.work))
      copy = *strided;
    else
      return std::nullopt;
    if (writer.inputs[0].type.element != element) return std::nullopt;
    copy.out_base += static_cast<std::int64_t>(out.at.offset / byte_size(element));
    return out.at.offset % byte_size(element) == 0 ? std::optional(copy) : std::nullopt;
  }
  // A copy from there. What copies the whole array is coalesced with its writers.
  static std::optional<StridedCopy> read_as(const Instruction& reader, ElementType element) {
    const auto* const strided = std::get_if<StridedCopy>(&reader.work);
    if (strided == nullptr || is_whole_copy(reader)) return std::nullopt;
    const Operand& in = reader.inputs[0];
    const bool is_alike = in.type.element == element && reader.outputs[0].type.element == element;
    if (!is_alike || in.at.offset % byte_size(element) != 0 || elements_of(*strided) == 0)
      return std::nullopt;
    StridedCopy copy = *strided;
    copy.in_base += static_cast<std::int64_t>(in.at.offset / byte_size(element));
    return copy;
  }

  // Whether a larger temporary would be kept instead of the array, by more than what a slice
  // without the borders takes less.
  static bool is_larger(const Operand& source, std::uint64_t bytes) {
    return source.at.space != Space::argument && source.at.space != Space::constant &&
           static_cast<std::uint64_t>(source.type.bytes()) > bytes + bytes / 8;
  }

  // The reader as copies from the sources of the writers, in their order, as a later one may write
  // over an earlier one.
  std::optional<Composed> through(const Code& code, const Copied& reader,
                                  const std::vector<Copied>& writers, std::int64_t elements) const {
    Composed composed{reader.position, {}, {}};
    for (const Copied& writer : writers) {
      if (!compose(reader.copy, writer.copy, elements, composed.parts)) return std::nullopt;
      if (composed.parts.size() == composed.sources.size()) continue;
      const Operand& source = code[writer.position].inputs[0];
      // The reader may write there itself.
      if (is_written(source.at, code, writer.position, reader.position + 1) ||
          is_updated(source.at, code, writer.position, reader.position))
        return std::nullopt;
      composed.sources.push_back(source);
    }
    if (composed.parts.empty() || composed.parts.size() > kMostComposed) return std::nullopt;
    return composed;
  }

  // Whether an instruction in [from, to) may write its result over what the buffer is part of, if
  // nobody reads that later.
  bool is_updated(const Buffer& buffer, const Code& code, std::size_t from, std::size_t to) const {
    const bool is_donated = buffer.space == Space::argument && draft_.donates;
    for (std::size_t i = from; i < to; ++i)
      for (std::size_t k = 0; k < code[i].inputs.size(); ++k)
        if (whole_of(code[i].inputs[k].at) == whole_of(buffer) && code[i].outputs.size() == 1 &&
            (is_donated || !is_lane_by_lane(code[i].work)) && may_run_in_place(code[i], k))
          return true;
    return false;
  }

  Draft& draft_;
  const Writes writes_;
};

}  // namespace

void compose_copies(Draft& draft) {
  // What is in host memory is found later, by what moves there.
  if (!draft.host_arguments.empty() || !draft.host_results.empty() || moves_to_host(draft.code))
    return;
  for (int round = 0; round < kMostComposeRounds && Composer(draft).run(draft.code); ++round) {
  }
}

}  // namespace understudy::program::passes
