// SPDX-License-Identifier: Apache-2.0
// Slices and concatenations, each of which may read what the other was made of.
#include <algorithm>
#include <optional>
#include <utility>
#include <vector>

#include "configs/base/index.h"
#include "program/executable/dense_run.h"
#include "program/lowering/lowering.h"
#include "program/passes/module/attributes.h"

namespace understudy::program::passes {

namespace {

// The piece of a joined array that holds elements `first` to `last` of that dimension, and where it
// starts; nullopt where they are in several.
std::optional<std::pair<Operand, std::int64_t>> piece_with(const Origins::Joined& joined,
                                                           std::int64_t first, std::int64_t last) {
  std::int64_t start = 0;
  for (const Operand& piece : joined.pieces) {
    const std::int64_t end = start + piece.type.shape[joined.dimension];
    if (start <= first && last < end) return std::pair(piece, start);
    start = end;
  }
  return std::nullopt;
}

// A slice of one of the pieces of a joined array is a slice of that piece.
Origins::Elements elements_of_slice(Lowering& lowering, const Operation& op) {
  Operand x = lowering.operand(op, 0);
  const std::size_t ndims = x.type.shape.size();
  Shape starts = integers_or(op, "start_indices", ndims, 0);
  const Shape steps = integers_or(op, "strides", ndims, 1);
  const Shape& sizes = lowering.result_type(op).shape;
  while (const Origins::Joined* const joined = lowering.origins().joined(x)) {
    const std::size_t d = joined->dimension;
    const auto piece = piece_with(*joined, starts[d], starts[d] + (sizes[d] - 1) * steps[d]);
    if (!piece) break;
    x = piece->first;
    starts[d] -= piece->second;
  }
  Origins::Elements elements = lowering.origins().elements_of(x);
  for (std::size_t d = 0; d < ndims; ++d) {
    elements.base += starts[d] * elements.strides[d];
    elements.strides[d] *= steps[d];
  }
  return elements;
}

// Loops read views of an array for less than the copies of its pieces that so many slices would be.
constexpr std::uint32_t kFewSlices = 2;

// A slice of several pieces of a joined array, without gaps along their dimension, is made of them:
// the array may then not be needed. nullopt of others, of those that are a view of the array, and
// where many slices need it.
std::optional<Operand> slice_of_pieces(Lowering& lowering, const Operation& op) {
  const Operand x = lowering.operand(op, 0);
  const Origins::Joined* const joined = lowering.origins().joined(x);
  const TensorType& type = lowering.result_type(op);
  if (joined == nullptr || type.elements() == 0 || lowering.slices_of(*op.operands[0]) > kFewSlices)
    return std::nullopt;
  const std::size_t ndims = x.type.shape.size(), d = joined->dimension;
  const Shape starts = integers_or(op, "start_indices", ndims, 0),
              steps = integers_or(op, "strides", ndims, 1);
  const bool is_dense = std::ranges::all_of(steps, [](std::int64_t step) { return step == 1; });
  if (steps[d] != 1 || (is_dense && run_of(x.type.shape, type.shape))) return std::nullopt;
  const Parts pieces = joined->pieces;
  const std::int64_t first = starts[d], end = first + type.shape[d];
  if (pieces.size() > kMostStacked || piece_with(*joined, first, end - 1)) return std::nullopt;
  const Operand out = lowering.make(type);
  const Shape strides = row_major_strides(type.shape);
  std::int64_t start = 0;
  for (const Operand& piece : pieces) {
    const std::int64_t size = piece.type.shape[d];
    const std::int64_t low = std::max(first, start), high = std::min(end, start + size);
    if (low < high) {
      Origins::Elements from = lowering.origins().elements_of(piece);
      for (std::size_t i = 0; i < ndims; ++i) {
        from.base += (i == d ? low - start : starts[i]) * from.strides[i];
        from.strides[i] *= steps[i];
      }
      Shape sizes = type.shape;
      sizes[d] = high - low;
      lowering.emit_copy({sizes, from.strides, strides, from.base, (low - first) * strides[d]},
                         from.of, out);
    }
    start += size;
  }
  return out;
}

// A slice is a base offset and scaled strides; only a slice that is not contiguous is copied.
void lower_slice(Lowering& lowering, const Operation& op) {
  if (const auto made = slice_of_pieces(lowering, op)) return lowering.bind(*op.results[0], *made);
  const Origins::Elements from = elements_of_slice(lowering, op);
  lowering.bind(*op.results[0], lowering.gather_strided(from.of, lowering.result_type(op),
                                                        from.strides, from.base));
  lowering.origins().remember_slice(*op.results[0]);
}

// A concatenation of known integers is known: programs build shapes and paddings that way.
// Row-major: for each index of the outer dimensions, the rows of the pieces follow each other.
void remember_concatenation(Lowering& lowering, const Parts& pieces, std::size_t dimension,
                            const Operand& out) {
  std::vector<std::vector<std::int64_t>> known;
  for (const Operand& piece : pieces) {
    auto values = lowering.known_integers(piece);
    if (!values) return;
    known.push_back(std::move(*values));
  }
  std::size_t outer = 1;
  for (std::size_t d = 0; d < dimension; ++d) outer *= at(out.type.shape[d]);
  std::vector<std::int64_t> all;
  for (std::size_t row = 0; row < outer; ++row)
    for (const std::vector<std::int64_t>& values : known) {
      const std::size_t length = values.size() / outer;
      const auto begin = values.begin() + static_cast<std::ptrdiff_t>(row * length);
      all.insert(all.end(), begin, begin + static_cast<std::ptrdiff_t>(length));
    }
  lowering.remember(out, std::move(all));
}

// Pieces that are joined along the same dimension count as theirs.
void remember_pieces(Lowering& lowering, const Operand& whole, std::size_t dimension,
                     const Parts& pieces) {
  Parts all;
  for (const Operand& piece : pieces) {
    const Origins::Joined* const joined = lowering.origins().joined(piece);
    if (joined != nullptr && joined->dimension == dimension)
      all.insert(all.end(), joined->pieces.begin(), joined->pieces.end());
    else
      all.push_back(piece);
  }
  lowering.origins().remember_joined(whole, {dimension, std::move(all)});
}

// Where each piece of a concatenation is read. A slice is copied from where it was cut, as in x
// rolled around: it is not made, but for other users.
std::vector<Origins::Elements> sources_of(Lowering& lowering, const Operation& op,
                                          const Parts& pieces) {
  std::vector<Origins::Elements> sources;
  for (std::size_t i = 0; i < pieces.size(); ++i) {
    const Value& value = *op.operands[i];
    const bool is_slice = value.owner != nullptr && value.owner->name == "stablehlo.slice" &&
                          lowering.origins().may_read_source(value);
    sources.push_back(is_slice ? elements_of_slice(lowering, *value.owner)
                               : lowering.origins().elements_of(pieces[i]));
  }
  return sources;
}

// One array again and again is copied once, with a dimension that repeats it. Pieces that are
// contiguous in the result may be computed there instead (place_pieces.cc).
bool is_repeated(const Parts& pieces, const std::vector<Origins::Elements>& sources,
                 std::size_t dimension) {
  const Shape& shape = pieces[0].type.shape;
  if (std::all_of(shape.begin(), shape.begin() + static_cast<std::ptrdiff_t>(dimension),
                  [](std::int64_t size) { return size == 1; }))
    return false;
  for (std::size_t i = 1; i < pieces.size(); ++i)
    if (pieces[i].type != pieces[0].type || sources[i].of != sources[0].of ||
        sources[i].strides != sources[0].strides || sources[i].base != sources[0].base)
      return false;
  return pieces.size() > 1;
}

Operand repeat(Lowering& lowering, const Parts& pieces, const Origins::Elements& from,
               std::size_t dimension, const TensorType& type) {
  StridedCopy copy{pieces[0].type.shape, from.strides, row_major_strides(type.shape), from.base, 0};
  const auto place = static_cast<std::ptrdiff_t>(dimension);
  const std::int64_t step = copy.out_strides[dimension] * copy.sizes[dimension];
  copy.sizes.insert(copy.sizes.begin() + place, static_cast<std::int64_t>(pieces.size()));
  copy.in_strides.insert(copy.in_strides.begin() + place, 0);
  copy.out_strides.insert(copy.out_strides.begin() + place, step);
  const Operand out = lowering.make(type);
  lowering.emit_copy(std::move(copy), from.of, out);
  remember_pieces(lowering, out, dimension, pieces);
  return out;
}

// Each piece is copied to its offset in the result.
Operand join(Lowering& lowering, const Parts& pieces, const std::vector<Origins::Elements>& sources,
             std::size_t dimension, const TensorType& type) {
  if (is_repeated(pieces, sources, dimension))
    return repeat(lowering, pieces, sources[0], dimension, type);
  const Operand out = lowering.make(type);
  const Shape strides = row_major_strides(type.shape);
  std::int64_t offset = 0;
  for (std::size_t i = 0; i < pieces.size(); ++i) {
    const Shape& sizes = pieces[i].type.shape;
    const Origins::Elements& from = sources[i];
    lowering.emit_copy({sizes, from.strides, strides, from.base, offset * strides[dimension]},
                       from.of, out);
    offset += sizes[dimension];
  }
  remember_pieces(lowering, out, dimension, pieces);
  return out;
}

void lower_concatenate(Lowering& lowering, const Operation& op) {
  const std::size_t dimension = at(integer_of(op, "dimension", 0));
  const Parts pieces = lowering.parts(op);
  // A view: the one piece is the result.
  if (pieces.size() == 1) return lowering.bind(*op.results[0], pieces[0]);
  const Operand out =
      join(lowering, pieces, sources_of(lowering, op, pieces), dimension, lowering.result_type(op));
  lowering.bind(*op.results[0], out);
  remember_concatenation(lowering, pieces, dimension, out);
}

}  // namespace

Operand join_pieces(Lowering& lowering, const Parts& pieces, std::size_t dimension,
                    const TensorType& type) {
  std::vector<Origins::Elements> sources;
  for (const Operand& piece : pieces) sources.push_back(lowering.origins().elements_of(piece));
  return join(lowering, pieces, sources, dimension, type);
}

void add_slices(LowerTable& table) {
  table.emplace("stablehlo.slice", lower_slice);
  table.emplace("stablehlo.concatenate", lower_concatenate);
}

}  // namespace understudy::program::passes
