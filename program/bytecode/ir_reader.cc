// SPDX-License-Identifier: Apache-2.0
#include "program/bytecode/ir_reader.h"

#include <fmt/format.h>

#include "program/bytecode/decode.h"
#include "program/ir/canonicalise.h"

namespace understudy::program::bytecode {
namespace {

// Regions are read recursively; the limit protects the stack.
constexpr int kDeepest = 128;
constexpr std::uint64_t kNestedRegionsSince = 2;
constexpr std::uint64_t kUseListsSince = 3;
constexpr std::uint64_t kLocationFlagSince = 4;

constexpr std::string_view kCast = "builtin.unrealized_conversion_cast";

}  // namespace

IrReader::IrReader(const Container& container, Tables& tables, Budget& budget, Places& places)
    : container_(container), tables_(tables), budget_(budget), places_(places) {
  for (const OpName& name : container.op_names()) {
    // Resolved once: each operation of the file names one of these by index.
    known_.push_back(find_known_op(name.dialect, name.name));
  }
  read_properties_section();
}

std::unique_ptr<Operation> IrReader::module() {
  Cursor in = container_.section(SectionId::ir);
  Block file;
  // The file is read as one block without arguments.
  block(in, file, {});
  in.expect_end("the IR");
  if (file.operations.size() != 1) in.fail("the IR must hold one module");
  return std::move(file.operations[0]);
}

// varint operation name, byte mask. The parts follow in this fixed order: location, attributes,
// properties, results, operands, use lists, regions.
IrReader::Head IrReader::head(Cursor& in) {
  Head out;
  out.offset = in.offset();
  const std::uint64_t index = in.varint("an operation");
  if (index >= known_.size()) {
    in.fail_at(out.offset, fmt::format("operation name index {} is out of range: the file has {}",
                                       index, known_.size()));
  }
  out.known = known_[index];
  if (out.known == nullptr) {
    const OpName& name = container_.op_names()[index];
    in.unsupported_at(out.offset, fmt::format("unknown operation {}.{} of StableHLO {}",
                                              name.dialect, name.name, container_.vhlo().text()));
  }
  out.mask = in.byte("the encoding mask of an operation");
  // A newer encoding: what follows could not be skipped.
  if ((out.mask & kHasUnknown) != 0) in.fail("unknown bits in the encoding mask of an operation");
  if ((out.mask & kHasSuccessors) != 0) {
    in.unsupported_at(out.offset, "successors: control flow graphs are not supported");
  }
  return out;
}

// The module is the only top-level operation; functions and meshes are directly in the module, and
// everything else is in functions.
void IrReader::place_check(const Operation& op, const Around& around, const Cursor& in) const {
  const bool is_module = op.name == "builtin.module";
  const bool is_item = op.name == "func.func" || op.name == "sdy.mesh";
  const bool right = around.parent.empty()               ? is_module
                     : around.parent == "builtin.module" ? is_item
                                                         : !is_module && !is_item;
  if (right) return;
  in.fail(fmt::format("{} is not allowed in {}", op.name,
                      around.parent.empty() ? "the file" : around.parent));
}

std::unique_ptr<Operation> IrReader::operation(Cursor& in, const Around& around) {
  const Cursor at = in;
  const Head what = head(in);
  auto op = std::make_unique<Operation>();
  op->name = what.known->name;
  // VHLO has one return operation for functions and regions.
  if (op->name == "stablehlo.return" && around.parent == "func.func") op->name = "func.return";
  place_check(*op, around, at);
  op->location = tables_.location(in).value_or(places_.byte(what.offset));
  const std::vector<NamedAttribute> properties = attributes(in, what, *op);
  convert_properties(*what.known, properties, *op, budget_, at);
  // Value numbers are given out in order of definition. An operation's results are numbered
  // before its operands are read, so it could name itself as operand; operands() refuses that.
  const std::size_t first = next_value_;
  // In the fixed order of the format.
  if ((what.mask & kHasResults) != 0) results(in, *op);
  if ((what.mask & kHasOperands) != 0) operands(in, *op);
  if ((what.mask & kHasUseLists) != 0) use_lists(in, op->results.size());
  if (op->name == kCast) {
    if (!is_cast(*op, at)) at.fail("a conversion cast must not change the type of its operand");
    values_[first] = op->operands[0];
    return nullptr;
  }
  if ((what.mask & kHasRegions) != 0) regions(in, *op, around);
  canonicalise(*op);
  return op;
}

// unrealized_conversion_cast appears where two dialects meet in an artifact. Its types are the same
// after reading, so its result is replaced by its operand.
bool IrReader::is_cast(const Operation& op, const Cursor& in) {
  if (op.operands.size() != 1 || op.results.size() != 1) {
    in.fail("a conversion cast must convert exactly one value");
  }
  return op.operands[0]->type == op.results[0]->type;
}

// varint count, count x varint type.
void IrReader::results(Cursor& in, Operation& op) {
  const std::size_t count = in.count("the number of results");
  for (std::size_t i = 0; i < count; ++i) {
    const Type& type = tables_.type(in, "the type of a result");
    budget_.charge(type, in);
    auto value = std::make_unique<Value>();
    value->type = type;
    value->owner = &op;
    value->index = static_cast<std::uint32_t>(i);
    value->location = op.location;
    define(value.get(), in);
    op.results.push_back(std::move(value));
  }
}

void IrReader::define(Value* value, const Cursor& in) {
  // Counted in advance by the region: a file that defines more is damaged.
  if (next_value_ >= values_.size()) in.fail("the region defines more values than it declares");
  values_[next_value_++] = value;
}

// varint count, count x varint value number, in the numbering of the isolated region around it. An
// operand may be defined only by an earlier operation: MLIR's forward references occur in control
// flow graphs alone.
void IrReader::operands(Cursor& in, Operation& op) {
  const std::size_t count = in.count("the number of operands");
  for (std::size_t i = 0; i < count; ++i) {
    const std::uint64_t at = in.offset();
    const std::uint64_t number = in.varint("an operand");
    const Value* value = number < values_.size() ? values_[number] : nullptr;
    if (value == nullptr || value->owner == &op) {
      in.fail_at(at, fmt::format("{}: operand {} is value {}, which is not defined here", op.name,
                                 i, number));
    }
    op.operands.push_back(values_[number]);
  }
}

// Use-list orders restore MLIR's in-memory order of uses. They carry no meaning here and are
// skipped.
void IrReader::use_lists(Cursor& in, std::uint64_t values) const {
  const std::size_t lists = values > 1 ? in.count("the number of use lists") : 1;
  for (std::size_t i = 0; i < lists; ++i) {
    // With one value its number is left out.
    if (values > 1) in.varint("the value of a use list");
    bool pairs = false;
    const std::uint64_t count = in.flagged("the size of a use list", pairs);
    for (std::uint64_t j = 0; j < count; ++j) in.varint("a use");
  }
}

// Reads the regions of an operation. An isolated region (of a function or module) numbers its
// values from 0 and, since version 2, is wrapped in a section of its own. Any other region
// continues the numbering of the region around it, and its numbers are free again after it.
void IrReader::regions(Cursor& in, Operation& op, const Around& around) {
  if (around.depth == kDeepest) {
    in.fail(fmt::format("regions nested more than {} levels deep", kDeepest));
  }
  bool isolated = false;
  const std::uint64_t count = in.flagged("the number of regions", isolated);
  const Around inside = {op.name, around.depth + 1};
  std::vector<Value*> outer;
  // Numbers of this region are free again behind it.
  const std::size_t outer_next = next_value_;
  if (isolated) outer = std::exchange(values_, {});
  if (isolated && container_.version() >= kNestedRegionsSince) {
    const std::uint64_t at = in.offset();
    Section section = read_section(in);
    if (section.id != static_cast<std::uint8_t>(SectionId::ir)) {
      in.fail_at(at, "expected a section of regions");
    }
    for (std::uint64_t i = 0; i < count; ++i) region(section.data, op, inside);
    section.data.expect_end("the regions of an operation");
  } else {
    for (std::uint64_t i = 0; i < count; ++i) region(in, op, inside);
  }
  if (isolated) values_ = std::move(outer);
  next_value_ = outer_next;
}

// varint blocks, varint values of the region (arguments and results together), the blocks.
void IrReader::region(Cursor& in, Operation& op, const Around& around) {
  const std::uint64_t at = in.offset();
  const std::uint64_t blocks = in.varint("the number of blocks");
  // Several blocks need branches between them.
  if (blocks > 1) {
    in.unsupported_at(at, "a second block: control flow graphs are not supported");
  }
  auto made = std::make_unique<Region>();
  // A function's region without a block is a declaration. Any other empty region gets an empty
  // block, which the verifier refuses.
  if (blocks == 1 || op.name != "func.func") made->blocks.push_back(std::make_unique<Block>());
  if (blocks == 1) {
    next_value_ = values_.size();
    values_.resize(next_value_ + in.count("the number of values"), nullptr);
    const std::size_t outer = next_value_;
    block(in, *made->blocks[0], around);
    values_.resize(outer);
  }
  op.regions.push_back(std::move(made));
}

// varint (operations << 1 | has arguments), the arguments, the operations.
void IrReader::block(Cursor& in, Block& block, const Around& around) {
  const std::uint64_t at = in.offset();
  bool has_arguments = false;
  const std::uint64_t operations = in.flagged("the number of operations", has_arguments);
  if (has_arguments) arguments(in, block);
  // Each operation takes at least one byte.
  if (operations > in.remaining()) {
    in.fail_at(at,
               fmt::format("{} operations, but only {} bytes remain", operations, in.remaining()));
  }
  for (std::uint64_t i = 0; i < operations; ++i) {
    if (auto op = operation(in, around)) block.operations.push_back(std::move(op));
  }
}

// varint count, count x (varint type [<< 1 | has a location], location), and since version 3 a byte
// that says whether use lists follow.
void IrReader::arguments(Cursor& in, Block& block) {
  const std::size_t count = in.count("the number of arguments");
  for (std::size_t i = 0; i < count; ++i) {
    auto value = std::make_unique<Value>();
    value->location = places_.byte(in.offset());
    const Cursor at = in;
    bool has_location = true;
    const bool flagged = container_.version() >= kLocationFlagSince;
    const std::uint64_t index = flagged ? in.flagged("the type of an argument", has_location)
                                        : in.varint("the type of an argument");
    const Type& type = tables_.type_of(index, at);
    budget_.charge(type, at);
    value->type = type;
    if (has_location) value->location = tables_.location(in).value_or(value->location);
    value->block = &block;
    value->index = static_cast<std::uint32_t>(i);
    define(value.get(), in);
    block.arguments.push_back(std::move(value));
  }
  if (container_.version() < kUseListsSince) return;
  if (in.byte("the use-list flag") != 0) use_lists(in, count);
}

}  // namespace understudy::program::bytecode
