// SPDX-License-Identifier: Apache-2.0
#include "program/passes/pass_list.h"

#include <algorithm>
#include <array>
#include <fmt/format.h>

#include "configs/base/error.h"

namespace understudy::program::passes {

// The order matters:
// - dead code first, so that later passes see only what runs;
// - constants are folded before equal values are merged, so that equal constants become one;
// - algebra is simplified once constants are known, and before equal values are merged;
// - sorts are shortened before copies are coalesced, as a selection is its slice;
// - dilations are split before copies are forwarded, as a kernel's reversal may be one;
// - outer products are multiplied before broadcasts are sunk, as each operand is a broadcast;
// - broadcasts are sunk before constants are folded, as they leave single numbers, and before
//   copies are forwarded, as a broadcast that is reduced again leaves a copy;
// - parts are taken early before copies are forwarded, as a copy of an array may be left of one;
// - copies are forwarded before the passes that look for unchanged values, and before they are
//   coalesced, as coalescing would make a loop write what it carries unchanged;
// - operands of dots in loops are rounded once invariants are moved, which some of them are;
// - transposes are folded once equal ones are one;
// - scatters are sunk once constants are folded, of which their zeros are one, and before copies
//   are coalesced, which lets them update an array in place;
// - arrays that a loop overwrites are found once copies are coalesced, which makes loops update
//   them in place;
// - copies of copies are composed once equal ones are one, of which each may become several, and
//   before copies are coalesced, which makes several instructions write one array;
// - copies are coalesced before all_reduces are combined, as a copy of a result would otherwise
//   keep two all_reduces apart;
// - reductions take conversions in before fusion, which would make steps of them;
// - reductions are unrolled before repeats are split, as they look for broadcasts;
// - repeats are split before fusion, which reads those of whole rows without a copy;
// - fusion comes after these, as a copy that could be coalesced would become a step, and before
//   overlap, which needs the final order;
// - pieces are placed after fusion, which leaves out what writes a part of an array, and before
//   overlap, which looks at the buffers that are used meanwhile;
// - slices come last, as other passes know nothing of places that a launch finds.
// Buffer placement comes last and cannot be switched off.
std::span<const PassRow> pass_list() {
  static constexpr std::array<PassRow, 25> kPasses{{
      {"dead-code", "remove instructions whose results are never read", &eliminate_dead_code},
      {"shorten-sorts", "sort only as far as the slices of a sort are read", &shorten_sorts},
      {"crop-early", "compute only those parts of arrays that are read", &crop_early},
      {"split-dilations", "convolve dilated inputs without their zeros", &split_dilations},
      {"multiply-outer-products", "compute dots without sums as broadcasts and a multiplication",
       &multiply_outer_products},
      {"sink-broadcasts", "broadcast the results of element-wise work and reductions, not operands",
       &sink_broadcasts},
      {"forward-copies", "read the source of a copy where neither changes afterwards",
       &forward_copies},
      {"fold-constants", "compute element-wise work on, and copies of, small constants",
       &fold_constants},
      {"simplify-algebra", "leave out integer arithmetic and selections that change nothing",
       &simplify_algebra},
      {"common-subexpressions", "compute equal values once", &merge_common_subexpressions},
      {"hoist-invariants", "move what a loop does not change before the loop", &hoist_invariants},
      {"round-invariants", "round operands of dots that a loop does not change before the loop",
       &round_invariants},
      {"fold-transposes", "make transposes of operands and results of dots part of the dots",
       &fold_transposes},
      {"sink-scatters", "scatter sums onto the array that they are added to, not into zeros",
       &sink_scatters},
      {"compose-copies", "copy from the source of what was only copied", &compose_copies},
      {"coalesce-copies", "let producers write where a copy would put their result",
       &coalesce_copies},
      {"remove-overwritten", "do not fill arrays that a loop overwrites", &remove_overwritten},
      {"combine-all-reduces", "combine small all_reduces into one", &combine_all_reduces},
      {"widen-in-reductions", "let reductions in f32 read bf16 and f16 as they are",
       &widen_in_reductions},
      {"unroll-reductions", "reduce a few columns of broadcasts column by column",
       &unroll_reductions},
      {"split-repeats", "make a row of repeated groups once, then repeat it", &split_repeats},
      {"fuse-elementwise", "run element-wise chains, broadcasts and reductions of rows as one loop",
       &fuse_elementwise},
      {"place-pieces", "compute pieces of concatenations where they lie", &place_pieces},
      {"overlap-collectives", "run collectives during computation", &overlap_collectives},
      {"slices-in-place", "read slices, and write updates, where they lie in their arrays",
       &locate_slices},
  }};
  return kPasses;
}

void check_pass_names(const std::vector<std::string>& names) {
  for (const std::string& name : names) {
    if (std::ranges::find(pass_list(), name, &PassRow::name) != pass_list().end()) continue;
    std::vector<std::string_view> known;
    for (const PassRow& row : pass_list()) known.push_back(row.name);
    throw Error(ErrorKind::usage,
                fmt::format("unknown pass '{}'; passes: {}", name, fmt::join(known, ", ")));
  }
}

}  // namespace understudy::program::passes
