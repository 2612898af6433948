// SPDX-License-Identifier: Apache-2.0
#include "program/executable/listing.h"

#include <array>
#include <fmt/format.h>

#include "program/executable/lapack.h"
#include "program/executable/tile.h"

namespace understudy::program {

namespace {

std::string text_of(const Shape& shape) { return fmt::format("[{}]", fmt::join(shape, ",")); }

std::string text_of(const ProcessGroup& group) {
  Shape numbers;
  for (const ProcessId process : group) numbers.push_back(process.value);
  return text_of(numbers);
}

std::string text_of(const std::vector<ProcessPair>& pairs) {
  std::string text;
  for (const auto& [source, target] : pairs)
    text += fmt::format(" {}>{}", source.value, target.value);
  return text;
}

// The word of an enumeration value; at() finds a value without a row.
template <std::size_t N, class Enum>
std::string_view word(const std::array<std::string_view, N>& words, Enum value) {
  return words.at(static_cast<std::size_t>(value));
}

// Words in the order of the enumerations; the static_asserts find a missing row.
#define UNDERSTUDY_WORD(name, word) #word,
constexpr std::string_view kUnary[] = {UNDERSTUDY_UNARY_OPS(UNDERSTUDY_WORD)};
constexpr std::string_view kBinary[] = {UNDERSTUDY_BINARY_OPS(UNDERSTUDY_WORD)};
#undef UNDERSTUDY_WORD
constexpr std::array<std::string_view, 6> kDirections = {"eq", "ne", "ge", "gt", "le", "lt"};
constexpr std::array<std::string_view, 8> kReductions = {"body",    "sum", "product", "minimum",
                                                         "maximum", "and", "or",      "xor"};
constexpr std::array<std::string_view, 3> kPrecisions = {"standard", "high", "highest"};
constexpr std::array<std::string_view, 7> kCollectives = {
    "all_reduce",         "all_gather",           "reduce_scatter",   "all_to_all",
    "collective_permute", "collective_broadcast", "ragged_all_to_all"};
static_assert(static_cast<std::size_t>(CollectiveKind::ragged_all_to_all) + 1 ==
              kCollectives.size());
#define UNDERSTUDY_NAME(type, name, ...) #name,
constexpr std::string_view kWorks[] = {UNDERSTUDY_WORKS(UNDERSTUDY_NAME)};
#undef UNDERSTUDY_NAME
constexpr std::array<std::string_view, 7> kSpaces = {"argument", "result", "temporary", "constant",
                                                     "frame",    "host",   "slice"};

// The details in braces after the name; empty for work that its operands describe completely.
struct Details {
  std::string operator()(const Unary& work) const {
    return std::string(kUnary[static_cast<std::size_t>(work.op)]);
  }
  std::string operator()(const Binary& work) const {
    return std::string(kBinary[static_cast<std::size_t>(work.op)]);
  }
  std::string operator()(const Compare& work) const {
    return fmt::format("{}{}", word(kDirections, work.direction), work.total_order ? " total" : "");
  }
  std::string operator()(const ReducePrecision& work) const {
    return fmt::format("e{}m{}", work.exponent_bits, work.mantissa_bits);
  }
  std::string operator()(const Iota& work) const { return fmt::format("{}", work.dimension); }
  std::string operator()(const ProcessIndex& work) const {
    return work.replica ? "replica" : "partition";
  }
  // "sizes from strides+base to strides+base", all in elements.
  std::string operator()(const StridedCopy& work) const {
    return fmt::format("{} from {}+{} to {}+{}", text_of(work.sizes), text_of(work.in_strides),
                       work.in_base, text_of(work.out_strides), work.out_base);
  }
  std::string operator()(const Join& work) const {
    std::string text;
    for (const StridedCopy& part : work.parts) text += (text.empty() ? "" : "; ") + (*this)(part);
    return text;
  }
  std::string operator()(const Gather& work) const {
    return fmt::format("offset {} collapsed {} map {} vector {} sizes {}",
                       text_of(work.offset_dims), text_of(work.collapsed_slice_dims),
                       text_of(work.start_index_map), work.index_vector_dim,
                       text_of(work.slice_sizes));
  }
  // "below size x stride along sizes x strides", in elements.
  std::string operator()(const TakeElements& work) const {
    return fmt::format("below {}x{} along {}x{}", work.size, work.stride, text_of(work.sizes),
                       text_of(work.strides));
  }
  std::string operator()(const Scatter& work) const {
    return work.overwrite ? "overwrite" : std::string(name_of(work.reduction));
  }
  std::string operator()(const Reduce& work) const {
    return fmt::format("{} over {}", name_of(work.reduction), text_of(work.dimensions));
  }
  std::string operator()(const ArgReduce& work) const {
    return fmt::format("{} over {}", work.largest ? "largest" : "smallest", work.dimension);
  }
  std::string operator()(const ReduceWindow& work) const {
    return fmt::format("{} over {}", name_of(work.reduction), text_of(work.window.dimensions));
  }
  std::string operator()(const SelectAndScatter& work) const {
    return fmt::format("{} over {}", name_of(work.reduction), text_of(work.window.dimensions));
  }
  std::string operator()(const Assert& work) const { return fmt::format("\"{}\"", work.message); }
  std::string operator()(const Lapack& work) const {
    return std::string(row_of(work.routine).name);
  }
  std::string operator()(const Fused& work) const {
    return fmt::format("{}x{}", work.rows, work.columns);
  }
  std::string operator()(const HostMove& work) const {
    return work.to_host ? "to host" : "to chip";
  }
  std::string operator()(const Sort& work) const { return fmt::format("{}", work.dimension); }
  std::string operator()(const Dot& work) const {
    return fmt::format("batch {}x{} contracting {}x{} {}", text_of(work.lhs_batch),
                       text_of(work.rhs_batch), text_of(work.lhs_contracting),
                       text_of(work.rhs_contracting), word(kPrecisions, work.lhs_precision));
  }
  // The kind, then only what this kind uses: reduction, lane, number of combined operands, groups
  // or pairs of processes.
  std::string operator()(const Collective& work) const {
    std::string text(name_of(work.kind));
    if (work.kind == CollectiveKind::all_reduce || work.kind == CollectiveKind::reduce_scatter)
      text += fmt::format(" {}", name_of(work.reduction));
    if (work.lane != 0) text += fmt::format(" in lane {}", work.lane);
    if (!work.ops.empty()) text += fmt::format(" of {} combined", work.ops.size());
    for (const ProcessGroup& group : work.groups) text += " " + text_of(group);
    return text + text_of(work.source_target);
  }
  std::string operator()(const Transfer& work) const {
    return (work.sends ? "send" : "recv") + text_of(work.source_target);
  }
  std::string operator()(const CollectiveDone& work) const {
    return fmt::format("of lane {}", work.lane);
  }
  std::string operator()(const Probe& work) const { return work.name; }
  template <class Plain>
  std::string operator()(const Plain&) const {
    return "";
  }
};

std::string operands_of(const std::vector<Operand>& operands) {
  std::vector<std::string> texts;
  for (const Operand& operand : operands) texts.push_back(understudy::program::text_of(operand));
  return fmt::format("{}", fmt::join(texts, ", "));
}

class Lister {
 public:
  explicit Lister(const Executable& executable) : executable_(executable) {}

  std::string run() {
    line(fmt::format("executable: {} x {} chips, {} temporary bytes, {} constant bytes",
                     executable_.replicas, executable_.partitions, executable_.temporary_bytes,
                     executable_.constants.size()));
    for (const Donation& one : executable_.donations)
      line(fmt::format("result{} continues in argument{}", one.result, one.argument));
    if (executable_.host_temporary_bytes > 0)
      line(fmt::format("host memory: {} bytes", executable_.host_temporary_bytes));
    add(executable_.code);
    return std::move(text_);
  }

 private:
  void line(const std::string& text) { text_ += std::string(2 * depth_, ' ') + text + "\n"; }

  // Title and code of a nested list, each one level deeper.
  void nested(std::string_view title, const Code& code) {
    ++depth_;
    line(fmt::format("{}:", title));
    ++depth_;
    add(code);
    depth_ -= 2;
  }

  void add(const Code& code) {
    for (const Instruction& instruction : code) {
      line(fmt::format("{}  // {}", list(instruction), executable_.op_names.at(instruction.op)));
      if (const auto* loop = std::get_if<While>(&instruction.work)) {
        nested("while", loop->condition);
        nested(fmt::format("do, if {}", understudy::program::text_of(loop->predicate)), loop->body);
      } else if (const auto* fused = std::get_if<Fused>(&instruction.work)) {
        const Tile tile = tile_of(instruction);
        nested(
            fmt::format("steps, tile {}x{}, VMEM {} bytes: values {}, operands 2 x {}", tile.rows,
                        tile.columns, tile.vmem_bytes(), tile.values_bytes, tile.operand_bytes),
            fused->steps);
      } else if (const auto* branch = std::get_if<Case>(&instruction.work)) {
        for (std::size_t i = 0; i < branch->branches.size(); ++i)
          nested(fmt::format("case {}", i), branch->branches[i]);
      }
    }
  }

  const Executable& executable_;
  std::string text_;
  std::size_t depth_ = 0;
};

}  // namespace

// "argument0 f32[2,3]", "temporary+64 bf16[8]": arguments, results and slices omit an offset of 0.
std::string text_of(const Operand& operand) {
  const Buffer& at = operand.at;
  const bool indexed =
      at.space == Space::argument || at.space == Space::result || at.space == Space::slice;
  std::string text(word(kSpaces, at.space));
  if (indexed) text += fmt::format("{}", at.index);
  // Before placement temporaries are numbered.
  if (at.space == Space::temporary && at.index != 0) text += fmt::format("#{}", at.index);
  if (!indexed || at.offset != 0) text += fmt::format("+{}", at.offset);
  return fmt::format("{} {}{}", text, mlir_name(operand.type.element), text_of(operand.type.shape));
}

std::string_view name_of(const Work& work) { return kWorks[work.index()]; }
std::string_view name_of(CollectiveKind kind) { return word(kCollectives, kind); }
std::string_view name_of(Reduction reduction) { return word(kReductions, reduction); }

std::string list(const Instruction& instruction) {
  const std::string details = std::visit(Details{}, instruction.work);
  return fmt::format("{} = {}{}({})", operands_of(instruction.outputs), name_of(instruction.work),
                     details.empty() ? "" : fmt::format("{{{}}}", details),
                     operands_of(instruction.inputs));
}

std::string list(const Executable& executable) { return Lister(executable).run(); }

}  // namespace understudy::program
