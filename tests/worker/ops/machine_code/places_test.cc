// SPDX-License-Identifier: Apache-2.0
// Loops whose places overlap: the same bytes are elements of several types, whole and in part, and
// arrays with a moving index. The compiler shares memory between values whose lives do not meet;
// here nothing keeps them apart, so each access has to see what memory would have.
#include <cstring>
#include <random>
#include <utility>

#include "tests/worker/ops/machine_code/machine_run.h"

namespace understudy::worker {
namespace {

using program::Buffer;
using program::ElementType;
using program::Instruction;
using program::Operand;
using program::Space;

constexpr std::uint64_t kArena = 64, kArenaBytes = 48;
constexpr std::int32_t kIterations = 9;

Operand scalar(Space space, std::uint64_t offset, ElementType type) {
  return {Buffer{space, 0, offset}, {type, {}}};
}
Operand array(Space space, std::uint64_t offset, ElementType type, std::int64_t count) {
  return {Buffer{space, 0, offset}, {type, {count}}};
}
Instruction made(program::Work work, std::vector<Operand> inputs, std::vector<Operand> outputs) {
  return {std::move(work), std::move(inputs), std::move(outputs), 0};
}

bool overlap(const Operand& a, const Operand& b) {
  return a.at.offset < b.at.offset + static_cast<std::uint64_t>(b.type.bytes()) &&
         b.at.offset < a.at.offset + static_cast<std::uint64_t>(a.type.bytes());
}

std::vector<std::byte> constants_of(const std::vector<std::int32_t>& numbers) {
  std::vector<std::byte> bytes(numbers.size() * 4);
  std::memcpy(bytes.data(), numbers.data(), bytes.size());
  return bytes;
}
Instruction copy(const Operand& from, const Operand& to) {
  return made(program::StridedCopy{{from.type.elements()}, {1}, {1}}, {from}, {to});
}
Operand counter() { return scalar(Space::temporary, 0, ElementType::i32); }

// A loop over memory that the argument fills and the result has. Constants: 0 (8 bytes), the number
// of iterations, 1.
program::Executable loop_of(program::Code body) {
  const Operand predicate = scalar(Space::temporary, 8, ElementType::pred);
  const Operand all = array(Space::temporary, kArena, ElementType::ui8, kArenaBytes);
  program::While loop;
  loop.condition.push_back(made(program::Compare{program::Direction::lt, false},
                                {counter(), scalar(Space::constant, 8, ElementType::i32)},
                                {predicate}));
  loop.predicate = predicate;
  loop.body = std::move(body);
  loop.body.push_back(made(program::Binary{program::BinaryOp::add},
                           {counter(), scalar(Space::constant, 12, ElementType::i32)},
                           {counter()}));
  program::Executable executable;
  executable.arguments = executable.results = {{ElementType::ui8, {kArenaBytes}}};
  executable.temporary_bytes = kArena + kArenaBytes;
  executable.constants = constants_of({0, 0, kIterations, 1});
  executable.code.push_back(copy(array(Space::argument, 0, ElementType::ui8, kArenaBytes), all));
  executable.code.push_back(
      made(program::Fill{}, {scalar(Space::constant, 0, ElementType::i32)}, {counter()}));
  executable.code.push_back(made(std::move(loop), {}, {counter(), all}));
  executable.code.push_back(copy(all, array(Space::result, 0, ElementType::ui8, kArenaBytes)));
  executable.op_names = {"test"};
  program::check_bounds(executable);
  return executable;
}

Bytes memory_of(unsigned seed) {
  std::mt19937 random(seed);
  Bytes argument(kArenaBytes + kSlack);
  for (std::byte& byte : argument) byte = static_cast<std::byte>(random());
  return argument;
}

class Arena {
 public:
  explicit Arena(unsigned seed) : random_(seed), is_tidy_(seed % 2 == 0) {}

  program::Code body() {
    program::Code body;
    for (std::size_t step = 3 + pick(16); step > 0; --step) body.push_back(instruction());
    return body;
  }

 private:
  std::size_t pick(std::size_t count) { return random_() % count; }
  Operand place(ElementType type) {
    if (is_tidy_ && type != ElementType::pred) {
      std::size_t number = 0;
      do number = pick(std::size(kTidyTypes));
      while (kTidyTypes[number] != type);
      return scalar(Space::temporary, kArena + 8 * number, type);
    }
    const std::size_t bytes = program::byte_size(type);
    // Few places, so that they meet; most of them are those of whole numbers of 4 bytes.
    const std::size_t unit = pick(8) == 0 ? 2 : 4;
    // Apart from the rest, where nothing reads them after the loop.
    if (type == ElementType::pred) return scalar(Space::temporary, 16 + 4 * pick(8), type);
    return scalar(Space::temporary, kArena + unit * pick((kArenaBytes - bytes) / unit + 1), type);
  }
  // Apart from the inputs, or the place of one of them.
  Operand result(ElementType type, const std::vector<Operand>& inputs) {
    while (true) {
      const Operand out = place(type);
      bool fits = true;
      for (const Operand& in : inputs)
        fits = fits && (!overlap(in, out) || (in.at == out.at && in.type == out.type));
      if (fits) return out;
    }
  }
  ElementType type() {
    if (is_tidy_) return kTidyTypes[pick(std::size(kTidyTypes))];
    constexpr ElementType kTypes[] = {ElementType::i32, ElementType::f32,  ElementType::i64,
                                      ElementType::f64, ElementType::ui8,  ElementType::i16,
                                      ElementType::i32, ElementType::ui32, ElementType::f32};
    return kTypes[pick(std::size(kTypes))];
  }
  Instruction instruction() {
    const ElementType of = type();
    std::vector<Operand> in{place(of)};
    switch (pick(12)) {
      case 0:
        return made(program::Unary{program::UnaryOp::negate}, in, {result(of, in)});
      case 1:
        return made(program::Unary{program::is_float(of) ? program::UnaryOp::exponential
                                                         : program::UnaryOp::popcnt},
                    in, {result(of, in)});
      case 2:
        return made(program::Convert{}, in, {result(type(), in)});
      case 3:
        return copy(in[0], result(of, in));
      case 4: {
        if (is_tidy_) return copy(in[0], result(of, in));
        const Operand small = array(Space::temporary, place(of).at.offset, of, 1);
        const Operand whole = array(Space::temporary, kArena, of, 3);
        if (pick(2) == 0 || overlap(small, whole))
          return made(program::DynamicSlice{}, {whole, counter()},
                      {array(Space::temporary, result(of, {whole}).at.offset, of, 1)});
        return made(program::DynamicUpdateSlice{}, {whole, small, counter()}, {whole});
      }
      case 5:
      case 6:
        in.push_back(place(of));
        pred_ = place(ElementType::pred);
        return made(program::Compare{static_cast<program::Direction>(pick(6)), false}, in, {pred_});
      case 7:
        in = {pred_, place(of), place(of)};
        return made(program::Select{}, in, {result(of, in)});
      case 8: {
        // As JAX writes a remainder: a comparison of a pred, and both of two.
        const Operand first = std::exchange(pred_, place(ElementType::pred));
        if (pick(2) == 0)
          return made(program::Compare{program::Direction::ne, false},
                      {first, scalar(Space::constant, 0, ElementType::pred)}, {pred_});
        return made(program::Binary{program::BinaryOp::logical_and}, {first, older_}, {pred_});
      }
      case 9:
        older_ = std::exchange(pred_, place(ElementType::pred));
        return made(
            program::Compare{pick(2) == 0 ? program::Direction::lt : program::Direction::ne, false},
            {in[0], scalar(Space::constant, 0, of)}, {pred_});
      default:
        in.push_back(place(of));
        return made(
            program::Binary{pick(2) == 0 ? program::BinaryOp::add : program::BinaryOp::multiply},
            in, {result(of, in)});
    }
  }

  // Of places that do not overlap, so that all of them are registers.
  static constexpr ElementType kTidyTypes[] = {ElementType::i32, ElementType::f32,
                                               ElementType::i64, ElementType::i32,
                                               ElementType::f32, ElementType::i32};

  std::mt19937 random_;
  const bool is_tidy_;
  Operand older_ = scalar(Space::temporary, 16, ElementType::pred);
  Operand pred_ = scalar(Space::temporary, 16, ElementType::pred);  // the one made last
};

TEST(MachinePlaces, ThatOverlapHaveTheBytesOfMemory) {
  std::size_t compiled = 0;
  constexpr unsigned kPrograms = 500;
  for (unsigned seed = 0; seed < kPrograms; ++seed) {
    SCOPED_TRACE(seed);
    const program::Executable executable = loop_of(Arena(seed).body());
    expect_same_bits(executable, {memory_of(seed)}, std::nullopt);
    compiled += ops::bind(executable, program::kernels::select("")).machine_loops;
    if (testing::Test::HasFailure()) return;
  }
  EXPECT_GE(compiled, ops::makes_machine_code(program::kernels::select("")) ? kPrograms / 2 : 0);
}

// A comparison of values that have changed when its pred is read.
TEST(MachinePlaces, KeepThePredOfOldValues) {
  const Operand x = scalar(Space::temporary, kArena, ElementType::i32);
  const Operand y = scalar(Space::temporary, kArena + 8, ElementType::i32);
  const Operand zero = scalar(Space::constant, 0, ElementType::i32);
  const Operand none = scalar(Space::constant, 0, ElementType::pred);
  const auto pred = [](std::uint64_t number) {
    return scalar(Space::temporary, 16 + 4 * number, ElementType::pred);
  };
  const auto compare = [](program::Direction direction, const Operand& a, const Operand& b,
                          const Operand& out) {
    return made(program::Compare{direction, false}, {a, b}, {out});
  };
  const Instruction change = made(program::Unary{program::UnaryOp::negate}, {x}, {x});
  const auto choose = [&](const Operand& by) { return made(program::Select{}, {by, x, y}, {y}); };
  using program::Direction;
  const std::vector<program::Code> bodies{
      {compare(Direction::lt, x, zero, pred(0)), change, choose(pred(0))},
      {compare(Direction::lt, x, zero, pred(0)), change,
       compare(Direction::ne, pred(0), none, pred(1)), choose(pred(1))},
      {compare(Direction::lt, x, zero, pred(0)), compare(Direction::ne, x, zero, pred(1)), change,
       made(program::Binary{program::BinaryOp::logical_and}, {pred(0), pred(1)}, {pred(2)}),
       choose(pred(2))},
      {compare(Direction::lt, x, zero, pred(0)), compare(Direction::ne, x, zero, pred(1)),
       made(program::Binary{program::BinaryOp::logical_and}, {pred(0), pred(1)}, {pred(2)}), change,
       choose(pred(2))}};
  for (const program::Code& body : bodies)
    for (unsigned seed = 0; seed < 4; ++seed) expect_same_bits(loop_of(body), {memory_of(seed)}, 1);
}

}  // namespace
}  // namespace understudy::worker
