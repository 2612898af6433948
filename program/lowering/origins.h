// SPDX-License-Identifier: Apache-2.0
// What lowering knows of values beyond their places: what they were cut from, joined or broadcast,
// so that their users can read that instead. Of those that temporaries hold as a whole. Owns
// nothing; thread-compatible.
#pragma once

#include <cstdint>
#include <optional>
#include <unordered_map>
#include <utility>
#include <vector>

#include "program/executable/executable.h"
#include "program/ir/ir.h"

namespace understudy::program::passes {

// as_written: each operation becomes its own instructions, for reports about them.
enum class Lowered : std::uint8_t { to_run, as_written };

// Reductions of larger stacks, and conversions of their arrays, are not made of steps on each
// array: these would take longer to compile than they save.
constexpr std::size_t kMostStacked = 16;

// Every answer holds for the present: what is named may still be read. It may not once an
// instruction has been emitted that may update an operand in place, as the later read would keep
// the update from its place; nor in another list of instructions, where it would live longer.
// as_written nothing is known.
class Origins {
 public:
  Origins(Lowered lowered, const Code* code) : lowered_(lowered), code_(code) {}

  // Whether anything is remembered for later questions.
  bool is_asked() const { return lowered_ == Lowered::to_run; }
  void note_update() { ++updates_; }
  // The list that instructions are emitted to from now on.
  void enter(const Code* code) { code_ = code; }

  // Whether the source of a slice may be read in its place.
  void remember_slice(const Value& value) { slices_[&value] = updates_; }
  bool may_read_source(const Value& value) const;

  // The arrays that a value joins along a dimension.
  struct Joined {
    std::size_t dimension = 0;
    std::vector<Operand> pieces;
    // Of padding with zeros, and of sums of such arrays: which pieces are +0 alone, and whether the
    // others are sums with one.
    std::vector<bool> is_zero = {};
    bool has_sums = false;
  };
  void remember_joined(const Operand& whole, Joined joined);
  const Joined* joined(const Operand& x) const;  // nullptr: it is none

  // The arrays that a value joins along a dimension of another shape of as many elements.
  struct Reshaped {
    Shape shape;
    Joined joined;
  };
  void remember_reshaped(const Operand& whole, Reshaped reshaped);
  const Reshaped* reshaped(const Operand& x) const;  // nullptr: it is none

  // The array that a value has between zeros: element i of it is at (i + 1) * factors - 1 in each
  // dimension, with as many zeros behind the last one and `behind` more.
  struct Spread {
    Operand of;
    Shape factors, behind;
  };
  void remember_spread(const Operand& x, Spread spread);
  const Spread* spread(const Operand& x) const;  // nullptr: it is none

  // Where the elements of a value are: element i at base + sum i_d * strides_d of `of`.
  struct Elements {
    Operand of;
    Shape strides;
    std::int64_t base = 0;
  };
  void remember_elements(const Operand& x, Elements elements);
  Elements elements_of(const Operand& x) const;  // in itself where nothing is remembered

  // Along which dimension a value counts, where iota has made it as it is.
  void remember_iota(const Operand& x, std::size_t dimension);
  std::optional<std::size_t> iota_dimension(const Operand& x) const;

 private:
  struct Moment {
    std::uint64_t updates = 0;
    const Code* code = nullptr;
    bool operator==(const Moment&) const = default;
  };
  Moment now() const { return {updates_, code_}; }
  // By temporary; of the type under which it was remembered.
  template <class Known>
  struct Entry {
    TensorType type;
    Known known;
    Moment moment;
  };
  template <class Known>
  using Entries = std::unordered_map<std::uint32_t, Entry<Known>>;
  template <class Known>
  const Entry<Known>* find(const Entries<Known>& entries, const Operand& x) const;
  template <class Known>
  void remember(Entries<Known>& entries, const Operand& x, Known known) const;

  Lowered lowered_;
  const Code* code_;
  std::uint64_t updates_ = 0;  // instructions so far that may update an operand in place
  std::unordered_map<const Value*, std::uint64_t> slices_;
  Entries<Joined> joined_;
  Entries<Reshaped> reshaped_;
  Entries<Spread> spread_;
  Entries<Elements> elements_;
  Entries<std::size_t> counted_;
};

}  // namespace understudy::program::passes
