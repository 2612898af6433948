// SPDX-License-Identifier: Apache-2.0
#include "program/hlo/convert.h"

#include <algorithm>
#include <fmt/format.h>
#include <utility>

#include "program/hlo/convert_parts.h"

namespace understudy::program::hlo {
namespace {

// The three parts of an asynchronous operation.
constexpr std::string_view kStart = "-start", kUpdate = "-update", kDone = "-done";

}  // namespace

// One level of inlining; the limit keeps hostile files from overflowing the stack.
class Converter::Nest {
 public:
  explicit Nest(Converter& converter) : converter_(converter) {
    if (++converter.depth_ > kDeepest) {
      --converter.depth_;
      converter.refuse("computations are nested too deeply");
    }
  }
  ~Nest() { --converter_.depth_; }
  Nest(const Nest&) = delete;
  Nest& operator=(const Nest&) = delete;

 private:
  Converter& converter_;
};

Location Converter::here() const {
  return frame_ == nullptr || frame_->at == nullptr ? Location{} : frame_->at->location;
}

void Converter::refuse(const std::string& why) const {
  if (frame_ == nullptr || frame_->at == nullptr) throw Error(ErrorKind::input, why);
  throw error_at(frame_->at->written, ErrorKind::input,
                 fmt::format("{}: {}", frame_->at->opcode, why));
}

// One entry per opcode and reason is enough for a program that uses it a thousand times.
void Converter::unsupported(const Instruction& at, const std::string& what) {
  const auto known = [&](const auto& each) { return each.second == what; };
  if (std::none_of(unsupported_.begin(), unsupported_.end(), known))
    unsupported_.emplace_back(at.written, what);
  throw Error(ErrorKind::unsupported, what);
}

const Instruction& Converter::operand_instruction(std::size_t index) const {
  if (index >= frame_->at->operands.size())
    refuse(fmt::format("expected at least {} operands, got {}", index + 1,
                       frame_->at->operands.size()));
  return frame_->computation->instructions[frame_->at->operands[index]];
}

std::size_t Converter::operand_count() const { return frame_->at->operands.size(); }

// The values of an X-start are in `pending`, so only its -done finds them: a reader that is not one
// would see a result that a real chip has not finished.
const Values& Converter::operand(std::size_t index) const {
  operand_instruction(index);
  const std::uint32_t at = frame_->at->operands[index];
  if (!frame_->bound[at])
    refuse(fmt::format("{} has no value of its own: only its -done may use it",
                       frame_->computation->instructions[at].name));
  return frame_->values[at];
}

Value& Converter::single(std::size_t index) const {
  const Values& values = operand(index);
  if (values.size() != 1) refuse(fmt::format("operand {} must be one array, not a tuple", index));
  return *values[0];
}

Values Converter::all_operands() const {
  Values out;
  for (std::size_t i = 0; i < operand_count(); ++i)
    out.insert(out.end(), operand(i).begin(), operand(i).end());
  return out;
}

// An asynchronous operation is done where it starts: results are the same, and the executable's own
// passes overlap collectives again.
void Converter::bind(Values values) {
  const auto at = static_cast<std::size_t>(frame_->at - frame_->computation->instructions.data());
  if (frame_->at->opcode.ends_with(kStart) || frame_->at->opcode.ends_with(kUpdate)) {
    frame_->pending[at] = std::move(values);
    return;
  }
  frame_->values[at] = std::move(values);
  frame_->bound[at] = true;
}

void Converter::bind_pending(Values values) {
  const auto at = static_cast<std::size_t>(frame_->at - frame_->computation->instructions.data());
  frame_->pending[at] = std::move(values);
}

// (operands, result, contexts...), except of all-reduce-start, which has the result's shape.
const HloShape& Converter::result_shape() const {
  const Instruction& in = *frame_->at;
  const bool wrapped = in.opcode.ends_with(kStart) && in.opcode != "all-reduce-start" &&
                       in.shape.kind == HloShape::Kind::tuple && in.shape.parts.size() > 1;
  return wrapped ? in.shape.parts[1] : in.shape;
}

// Values that arrive flat, divided among the parameters.
std::vector<Values> Converter::split(const Computation& called, const Values& leaves) const {
  std::vector<Values> out;
  std::size_t at = 0;
  for (const std::uint32_t parameter : called.parameters()) {
    const std::size_t count = called.instructions[parameter].shape.leaves();
    if (count > leaves.size() - at)
      refuse(fmt::format("computation {} takes more values than it is given", called.name));
    out.emplace_back(leaves.begin() + static_cast<std::ptrdiff_t>(at),
                     leaves.begin() + static_cast<std::ptrdiff_t>(at + count));
    at += count;
  }
  if (at != leaves.size())
    refuse(fmt::format("computation {} takes {} values, but is given {}", called.name, at,
                       leaves.size()));
  return out;
}

Values Converter::inlined(std::uint32_t index, const Values& parameters) {
  const Computation& called = computation(index);
  return converted(called, split(called, parameters));
}

// Each instance of a computation has a frame of its own.
Values Converter::converted(const Computation& called, const std::vector<Values>& parameters) {
  const Nest nest(*this);
  Frame frame;
  frame.computation = &called;
  frame.values.resize(called.instructions.size());
  frame.pending.resize(called.instructions.size());
  frame.bound.resize(called.instructions.size(), false);
  const std::vector<std::uint32_t> numbers = called.parameters();
  for (std::size_t i = 0; i < numbers.size(); ++i) {
    frame.values[numbers[i]] = parameters[i];
    frame.bound[numbers[i]] = true;
  }
  {
    const During<Frame*> inside(frame_, &frame);
    for (const Instruction& in : called.instructions) {
      frame.at = &in;
      instruction(in);
    }
  }
  if (!frame.bound[called.root])
    throw error_at(called.instructions[called.root].written, ErrorKind::input,
                   fmt::format("the root of {} has no value", called.name));
  return std::move(frame.values[called.root]);
}

// X-start does what X does; HLO text also writes async-start of an operation X so.
// The start of a chain keeps its values in `pending`; an -update or -done passes on those of its
// first operand. bind() then stores them as pending again (-update) or final (-done).
void Converter::dispatch(const Instruction& in) {
  const ConvertTable& table = convert_table();
  std::string_view opcode = in.opcode;
  if (opcode.ends_with(kUpdate) || opcode.ends_with(kDone)) {
    operand_instruction(0);
    return bind(frame_->pending[in.operands[0]]);
  }
  if (opcode.ends_with(kStart)) opcode.remove_suffix(kStart.size());
  const auto found = table.find(opcode);
  if (found == table.end()) unsupported(in, fmt::format("HLO opcode {}", in.opcode));
  found->second(*this, in);
}

// An instruction that is not supported still gets results, so that the error can name all that are
// not.
void Converter::instruction(const Instruction& in) {
  if (in.opcode == "parameter") return check_bound(in);
  try {
    dispatch(in);
  } catch (const Error& error) {
    if (error.kind() != ErrorKind::unsupported || unsupported_.empty()) throw;
    // A custom call without a target stands for the result. It never reaches the verifier: report()
    // throws at the end of run().
    std::vector<Type> types;
    if (!append_types(in.shape, types)) report();
    Values values;
    Operation& op = emit("stablehlo.custom_call", {}, std::move(types));
    for (const auto& result : op.results) values.push_back(result.get());
    bind(std::move(values));
  }
  check_bound(in);
}

// What an instruction stands for has the types of its shape.
void Converter::check_bound(const Instruction& in) {
  const auto at = static_cast<std::size_t>(&in - frame_->computation->instructions.data());
  if (!frame_->bound[at]) return;
  const Values& values = frame_->values[at];
  std::vector<Type> types;
  if (in.shape.leaves() == values.size() && append_types(in.shape, types)) {
    std::size_t i = 0;
    while (i < types.size() && types[i] == values[i]->type) ++i;
    if (i == types.size()) return;
    refuse(fmt::format("{} has the shape {}, but its value is {}", in.name, text_of(in.shape),
                       text_of(values[i]->type)));
  }
  if (!types.empty() || in.shape.leaves() != values.size())
    refuse(fmt::format("{} has the shape {}, but stands for {} values", in.name, text_of(in.shape),
                       values.size()));
  // A leaf has no StableHLO type: types_of() adds it to the list of unsupported things and throws.
  types_of(in.shape);
}

Function& Converter::new_function(const Computation& called, const std::string& name) {
  auto function = std::make_unique<Function>();
  function->name = name;
  function->is_private = true;
  function->location = called.written;
  function->body.blocks.push_back(std::make_unique<Block>());
  std::vector<Type> arguments;
  for (const std::uint32_t parameter : called.parameters()) {
    const std::vector<Type> types = types_of(called.instructions[parameter].shape);
    arguments.insert(arguments.end(), types.begin(), types.end());
  }
  add_arguments(function->block(), arguments, called.written);
  Values results;
  {
    const During<Block*> inside(block_, &function->block());
    results = inlined(static_cast<std::uint32_t>(&called - in_.computations.data()),
                      arguments_of(*block_));
    terminate("func.return", results);
  }
  for (const Value* value : results) function->result_types.push_back(value->type);
  function->argument_attributes.resize(arguments.size());
  function->result_attributes.resize(results.size());
  Function& out = *function;
  if (!out_.add(function)) refuse(fmt::format("two functions would have the name {}", name));
  return out;
}

std::string Converter::function_for(std::uint32_t index) {
  functions_.resize(in_.computations.size());
  if (functions_[index].empty()) {
    std::string name = computation(index).name;
    // "main" is the name of the entry in StableHLO; an HLO computation may have it too.
    if (name.empty() || name == "main") name = fmt::format("computation.{}", index);
    new_function(computation(index), name);
    functions_[index] = std::move(name);
  }
  return functions_[index];
}

void Converter::entry() {
  const Computation& main = in_.entry_computation();
  Frame frame;
  frame.computation = &main;
  frame.at = main.instructions.empty() ? nullptr : &main.instructions[main.root];
  const During<Frame*> inside(frame_, &frame);
  Function& function = new_function(main, "main");
  function.is_private = false;
  function.is_public = true;
  describe_entry(*this, function, function.block().terminator()->operands);
}

void Converter::report() const {
  if (unsupported_.empty()) return;
  Error error = error_at(unsupported_[0].first, ErrorKind::unsupported,
                         fmt::format("{} is not supported", unsupported_[0].second));
  for (std::size_t i = 1; i < unsupported_.size(); ++i)
    error.note(fmt::format("{}: {} is not supported",
                           understudy::text_of(place_of(unsupported_[i].first)),
                           unsupported_[i].second));
  throw error;
}

void Converter::run() {
  try {
    describe_module(*this);
    entry();
  } catch (const Error& error) {
    if (error.kind() == ErrorKind::unsupported) report();
    throw;
  }
  report();
  finish_manuals();
}

std::unique_ptr<Module> convert(const HloModule& module) {
  auto out = std::make_unique<Module>();
  out->name = module.name;
  out->sources = module.sources;
  Converter(module, *out).run();
  return out;
}

}  // namespace understudy::program::hlo
