// SPDX-License-Identifier: Apache-2.0
// One iteration of a chain as machine instructions over values, each made once (SSA): what
// StepCode writes and FunctionWriter gives registers. Plain data; holds no addresses but those of
// kernels and of static tables.
#pragma once

#include <asmjit/x86.h>
#include <cstddef>
#include <cstdint>
#include <initializer_list>
#include <optional>
#include <vector>

#include "program/kernels/kernel_table.h"

namespace understudy::worker::ops::chain_code {

namespace Inst = asmjit::x86::Inst;
using ValueId = std::uint32_t;
constexpr ValueId kNoValue = UINT32_MAX;

// Of a reduction: an iteration has all of them, or as many as it has elements.
constexpr std::size_t kSumsLanes =
    program::kernels::fold_lanes(program::kernels::kLongFold, sizeof(float));

// Where a value can be: vector registers, or the mask registers of AVX-512.
enum class Bank : std::uint8_t { vectors, masks };

// Bytes at an address of the chain, advanced by the present element times its size, or in the room
// that calls use.
struct Memory {
  static constexpr std::uint32_t kRoom = UINT32_MAX;
  std::uint32_t address = kRoom;  // of Body::addresses
  std::uint8_t shift = 0;         // of the element's size
  std::int32_t offset = 0;        // bytes
  bool is_sums = false;   // of 64 lanes that all iterations use, instead of the present element
  std::uint8_t step = 1;  // from element to element
  bool operator==(const Memory&) const = default;
};

// An operand.
struct Part {
  Part() = default;
  Part(ValueId id) : value(id) {}         // NOLINT(google-explicit-constructor)
  Part(const Memory& at) : memory(at) {}  // NOLINT(google-explicit-constructor)
  ValueId value = kNoValue;
  std::optional<Memory> memory;
  bool operator==(const Part&) const = default;
};

struct MachineStep {
  // Gives the same result.
  bool same_as(const MachineStep& other) const;

  static constexpr std::size_t kMostInputs = 4;
  asmjit::InstId id = asmjit::x86::Inst::kIdNone;  // none: a call
  ValueId result = kNoValue;
  Part in[kMostInputs];
  std::size_t inputs = 0;
  std::size_t folds = kMostInputs;  // the input that may be in memory
  ValueId mask = kNoValue;          // by which AVX-512 selects
  bool overwrites = false;          // the result takes the register of the first input
  bool merges = false;              // which is read as well, also where the mask leaves it
  bool zeroes = false;              // lanes that the mask leaves out are 0
  bool half_result = false;         // in the lower half of its register
  bool half_inputs = false;         // from the lower halves of theirs
  bool rounds_up = false;           // not to nearest
  // Runs only where the mask has lanes, out of the way of the others: replaces these lanes of the
  // first input by a function of the second one; `then` by a function of the third one and that.
  bool is_rare = false;
  bool is_required = false;    // Body::require
  ValueId carries = kNoValue;  // Body::carry
  asmjit::InstId then = asmjit::x86::Inst::kIdNone;
  std::optional<std::uint8_t> immediate;
  // Of a look-up: elements of so many bytes, of which the input has the numbers.
  const std::byte* table = nullptr;
  std::uint8_t table_bytes = 0;
  // Of a call: a kernel of one operand, or two, from the room to its start.
  void (*kernel)() = nullptr;
  bool two = false;
};

// A value that all iterations share, made before the first.
struct Shared {
  // sums: a vector of the lanes of a reduction, which is stored after the last iteration; lanes: a
  // vector of numbers of lanes.
  enum class From : std::uint8_t {
    known,
    lanes,
    word,
    bf16,
    f16,
    f16_codes,
    pred,
    i8,
    ui8,
    i16,
    ui16,
    sums
  };
  From from = From::known;
  std::uint32_t bits = 0;  // known; of sums where the vector is, in bytes
  // Of numbers of lanes their address; else where its address is, in bytes from the first
  // ChainStep.
  std::size_t pointer = 0;
  ValueId value = kNoValue;  // a pred is a mask

  // Whether it is read at an address of the chain, which rows and tiles may change.
  bool has_address() const { return from != From::known && from != From::lanes; }
};

class Body {
 public:
  // `wide`: of AVX-512. `unroll`: vectors of an iteration. `refines`: roots, and quotients by
  // constants, are products that refine an estimate, which leaves the divider to others.
  // `requires_usual`: require() is allowed.
  Body(bool wide, std::size_t unroll, bool refines = false, bool requires_usual = false)
      : wide_(wide), unroll_(unroll), refines_(refines), requires_usual_(requires_usual) {}
  // Of AVX2, with lanes of so many bytes.
  static Body of_narrow_lanes(std::size_t unroll, std::size_t lane_bytes) {
    Body body(false, unroll);
    body.lane_bytes_ = lane_bytes;
    return body;
  }

  bool is_wide() const { return wide_; }
  bool refines() const { return refines_; }
  // What an iteration takes, in halves of cycles.
  std::size_t cost() const;
  std::size_t vector_bytes() const { return wide_ ? 64 : 32; }
  std::size_t lane_bytes() const { return lane_bytes_; }
  std::size_t lanes() const { return vector_bytes() / lane_bytes_; }
  std::size_t unroll() const { return unroll_; }

  // Appends a step, whose last input may be in memory; where one before gives the same result, that
  // is returned.
  ValueId make(asmjit::InstId id, std::initializer_list<Part> in,
               std::optional<std::uint8_t> immediate = {}, Bank bank = Bank::vectors);
  // The same; `folds`: the input that may be in memory, kMostInputs for none.
  ValueId make_folding(asmjit::InstId id, std::initializer_list<Part> in, std::size_t folds,
                       std::optional<std::uint8_t> immediate = {}, Bank bank = Bank::vectors);
  // a * b + c of floats, rounded once; c may be in memory.
  ValueId make_fused(ValueId a, ValueId b, Part c) { return make_fused({a, b, c}); }
  // c - a * b, rounded once.
  ValueId make_fused_difference(ValueId a, ValueId b, ValueId c) {
    return make_fused({a, b, c}, Inst::kIdVfnmadd213ps);
  }
  // a * b + c, rounded up.
  ValueId make_fused_upwards(ValueId a, ValueId b, ValueId c) {
    return make_fused({a, b, c}, Inst::kIdVfmadd213ps, true);
  }
  // A vector of numbers of lanes, which have static storage.
  ValueId lanes_of(const std::uint32_t* numbers) {
    return share({Shared::From::lanes, 0, reinterpret_cast<std::size_t>(numbers)});
  }
  // These lanes of a and b one after the other, of which b may be in memory; of AVX-512.
  ValueId make_permuted(const std::uint32_t* lanes, ValueId a, Part b) {
    return make_fused({a, lanes_of(lanes), b}, Inst::kIdVpermt2ps);
  }
  // `usual` but for the lanes of the mask, which are id(x), or then(a, id(x)).
  ValueId make_rare(asmjit::InstId id, ValueId mask, ValueId usual, ValueId x);
  ValueId make_rare(asmjit::InstId id, asmjit::InstId then, ValueId mask, ValueId usual, ValueId x,
                    ValueId a);
  // The same; results and inputs may be the lower halves of registers.
  ValueId make_half(asmjit::InstId id, std::initializer_list<Part> in, bool half_result,
                    bool half_inputs, std::optional<std::uint8_t> immediate = {},
                    ValueId mask = kNoValue);
  // The same by a mask.
  ValueId make_masked(asmjit::InstId id, ValueId mask, bool zeroes, std::initializer_list<Part> in);
  // The same, but `first` where the mask is not set; of AVX-512.
  ValueId make_merged(asmjit::InstId id, ValueId mask, ValueId first, Part second);
  // A function of three bits; c may be in memory. Of AVX-512.
  ValueId make_ternary(ValueId a, ValueId b, Part c, std::uint8_t function);
  // Words at the elements of a table that the words of `number` say; elements of 1 or 2 bytes are
  // in the lowest bits, below any others. Of AVX-512. The table outlives the code.
  ValueId look_up(const std::byte* table, std::uint8_t bytes, ValueId number);
  bool has_look_ups() const;
  // The last iteration of a row or an array, which begins before the end of the one before it,
  // stores nothing in the lanes that it computes again: what they were computed from may be
  // overwritten. False, with nothing done, where a store is no instruction of single elements, or
  // of AVX2 one of bytes of wider lanes.
  static constexpr std::size_t kMostMasked = 64;  // lanes of an iteration
  bool mask_stores();
  bool masks_stores() const { return masks_stores_; }
  // Whether a step is a store that is masked then, by a mask that it reads itself.
  bool is_masked_store(const MachineStep& step) const;
  // `half`: from the lower half of the value's register.
  void put(asmjit::InstId id, const Memory& at, ValueId value, bool half = false);
  void call(void (*kernel)(), bool two);
  // Asks for a line of memory; `writes`: to change it.
  void fetch(const Memory& at, bool writes);
  // Leaves the iteration where a lane of the mask is not set: another body does it then from its
  // start, and some iterations after it. False where that may not be, as the iteration has stored
  // something already.
  bool require(ValueId mask);
  bool can_require() const { return requires_usual_ && !has_results_; }
  bool has_requirements() const { return !required_.empty(); }
  // A vector of the lanes of a reduction, and what the next iteration has instead.
  ValueId sums(std::size_t pointer, std::uint32_t offset) {
    return share({Shared::From::sums, offset, pointer});
  }
  void carry(ValueId sums, ValueId next);
  // Whether a step reads the lanes of a reduction from memory.
  bool has_sums() const;
  // The step that makes a value, if it is no shared one.
  const MachineStep* maker(ValueId value) const;
  // Removes steps whose result nobody uses.
  void remove_unused();

  ValueId known(std::uint32_t bits) { return share({Shared::From::known, bits}); }
  ValueId shared(Shared::From from, std::size_t pointer) { return share({from, 0, pointer}); }
  // The number of an address that iterations advance.
  std::uint32_t address(std::size_t pointer);
  // The bits of a value that known() made.
  std::optional<std::uint32_t> bits_of(const Part& part) const;

  const std::vector<MachineStep>& steps() const { return steps_; }
  const std::vector<Bank>& banks() const { return banks_; }  // of each value
  const std::vector<Shared>& all_shared() const { return shared_; }
  const std::vector<std::size_t>& addresses() const { return addresses_; }
  std::size_t calls() const { return calls_; }

 private:
  ValueId new_value(Bank bank);
  ValueId make_fused(std::initializer_list<Part> in, asmjit::InstId id = Inst::kIdVfmadd213ps,
                     bool rounds_up = false);
  ValueId append(const MachineStep& step, Bank bank);
  ValueId share(Shared shared);

  bool wide_;
  std::size_t unroll_, lane_bytes_ = 4;
  bool refines_, requires_usual_;
  bool masks_stores_ = false;
  std::vector<MachineStep> steps_;
  std::vector<Bank> banks_;
  std::vector<std::uint32_t> makers_;  // of each value: a step
  std::vector<std::uint32_t> same_;    // steps by a hash of what they do
  std::vector<ValueId> required_;
  std::size_t stored_ = 0;    // the step after the last one that changed memory
  bool has_results_ = false;  // in memory
  std::vector<Shared> shared_;
  std::vector<std::size_t> addresses_;
  std::size_t calls_ = 0;
};

}  // namespace understudy::worker::ops::chain_code
