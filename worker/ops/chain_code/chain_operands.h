// SPDX-License-Identifier: Apache-2.0
// Where the operands of a link are: in registers, from memory, or shared by all elements; and what
// NaN they may have. Follows the links of one chain as they are written.
#pragma once

#include <array>
#include <cstddef>
#include <map>
#include <vector>

#include "worker/ops/chain_code/chain_text.h"
#include "worker/ops/chain_code/step_code.h"

namespace understudy::worker::ops::chain_code {

// Where a step has the address of each operand.
constexpr std::size_t kOperandPointers[] = {offsetof(program::kernels::ChainStep, a),
                                            offsetof(program::kernels::ChainStep, b),
                                            offsetof(program::kernels::ChainStep, c)};

// Whether an operand of a loop is a constant that all lanes share.
bool is_constant(const program::Instruction& loop, const FusedPlace& place);

class ChainOperands {
 public:
  // What a NaN of a value may look like: any pattern, which selections keep; the one pattern of
  // settled values; or that one once it is settled, which waits until somebody sees it.
  enum class Nan : std::uint8_t { any, settled, unsettled };
  struct Piece {
    std::array<ValueId, kVectors> at{};
    Nan nan = Nan::any;
  };

 protected:
  using Kind = ChainOperation::Kind;

  // *Requires*: both outlive it.
  ChainOperands(const ChainText& text, Body& body)
      : text_(text), body_(body), code_(make_step_code(body)) {}
  ~ChainOperands() = default;

  const ChainLink& link() const { return text_.links[link_]; }
  const ChainOperation& operation() const { return link().operation; }
  ValueId accumulator() const { return accumulator_.at[vector_]; }

  // Operand a, b or c of the link for the present vector, as an element of `type`.
  Part operand(std::size_t which, ElementType type);
  Part operand(std::size_t which) { return operand(which, operation().type); }
  ValueId value(std::size_t which) { return code_->loaded(operand(which)); }
  // The operand where the accumulator or a held piece has it.
  std::optional<ValueId> in_register(std::size_t which) const;
  // A dense operand in memory, whose lines in the next tile are asked for.
  Memory dense_at(std::size_t which, ElementType type);
  // What the link's step has as `member`.
  const std::byte* address_at(std::size_t member) const;
  // The bits of a shared operand that is a constant.
  std::optional<std::uint32_t> known_operand(std::size_t which);
  // Where the link has the address of the place, in bytes from the first step.
  std::size_t pointer_of(const FusedPlace& place, std::size_t member) {
    return pointer_at(place, member).at;
  }
  // Of the present vector. `member`: of the link's step, which has the address.
  Memory memory_at(const FusedPlace& place, std::size_t member, ElementType type);
  // The lanes of a reduction for the present vector: in a register where an iteration has them all.
  ValueId sums(const FusedPlace& place, std::size_t member) {
    return body_.sums(pointer_of(place, member),
                      static_cast<std::uint32_t>(vector_ * body_.vector_bytes()));
  }
  Memory sums_at(const FusedPlace& place, std::size_t member);

  // The bits of the number that indexes a table, which the link reads of memory.
  ValueId bits_in_memory(std::size_t which, ElementType type);

  // Settles the operands whose NaN the link lets show; returns what the result's may look like.
  // `calls`: a kernel computes it.
  Nan prepare_nan(bool calls);

  const ChainText& text_;
  Body& body_;
  const std::unique_ptr<StepCode> code_;
  std::size_t link_ = 0, vector_ = 0;
  Piece accumulator_{};
  std::map<std::size_t, Piece> held_;  // by their places

  // Asks for the lines of the vector in the next tile.
  void fetch(Memory at, std::size_t ahead, bool writes);

 private:
  Piece* piece(std::size_t which);
  void settle(std::size_t which);
  Nan nan_of(std::size_t which);
  Nan prepare_selection();
  bool shows_operand_nan() const;
  // Where a link has an address, and the turn that is there.
  struct Pointer {
    FusedPlace place;  // of the first turn
    std::size_t at = 0, turn = 0;
  };
  Pointer pointer_at(const FusedPlace& place, std::size_t member);
  Part dense(const FusedPlace& place, std::size_t which, ElementType type);
  Part shared(const FusedPlace& place, std::size_t member, ElementType type);

  std::vector<Pointer> pointers_;  // of the first link with each place
};

}  // namespace understudy::worker::ops::chain_code
