// SPDX-License-Identifier: Apache-2.0
#include "program/analysis/pattern_rules.h"

#include <algorithm>
#include <cmath>
#include <fmt/format.h>

namespace understudy::program::analysis {
namespace {

// Counts are divided in f32 or bf16 and multiplied back here, so a factor such as 1/3 is not exact.
bool about(double a, double b) { return std::fabs(a - b) <= 1e-3 * std::fabs(b); }

bool is_sum(const Site& site) { return site.collective->reduction == Reduction::sum; }

// The reduction on the chip that feeds the collective, with moves and constant factors stripped.
Reduction local_reduction(const Site& site) {
  const Node& core = *site.before.core;
  if (core.instruction == nullptr) return Reduction::none;
  const auto* reduce = std::get_if<Reduce>(&core.instruction->work);
  return reduce == nullptr ? Reduction::none : reduce->reduction;
}

// A local mean: a sum over n elements times 1/n.
bool means_locally(const Site& site) {
  return local_reduction(site) == Reduction::sum && site.elements > 1 &&
         about(site.before.factor * site.elements, 1);
}

// Something divides the sum by the number of members later, or by a computed count.
bool averages(const Site& site) { return site.in_ratio || about(site.after * site.members, 1); }

// ---- the rules: each returns a warning where its pattern matches --------------------------------

using Text = std::optional<std::string>;

Text reduced_twice(const Site& site) {
  // A sum of n equal values divided by n is exact, so an average of copies is no mistake.
  if (!is_sum(site) || site.copies < 2 || averages(site) || !site.node->inputs[0]->reduced)
    return std::nullopt;
  return fmt::format("the sum adds a value that is already reduced, so it counts {} times",
                     site.copies);
}

Text reduced_over_equal_axis(const Site& site) {
  if (!is_sum(site) || site.copies < 2 || averages(site) || site.node->inputs[0]->reduced)
    return std::nullopt;
  return fmt::format(
      "{} chips of the group hold the same value before the sum, so it counts {} times",
      site.copies, site.copies);
}

// Only a division of two values that both differ between chips: a common count makes the mean of
// means exact.
Text mean_of_means(const Site& site) {
  const Node& core = *site.before.core;
  const auto* binary =
      core.instruction == nullptr ? nullptr : std::get_if<Binary>(&core.instruction->work);
  if (!is_sum(site) || binary == nullptr || binary->op != BinaryOp::divide) return std::nullopt;
  // Equal divisors on all chips: then the mean of means is the mean.
  if (core.inputs[1]->classes.is_uniform() || core.inputs[0]->classes.is_uniform())
    return std::nullopt;
  return "each chip divides by its own count before the reduction: with unequal counts this is not "
         "the global mean. Reduce sums and counts, then divide";
}

Text sum_of_means(const Site& site) {
  if (!is_sum(site) || !means_locally(site) || averages(site) || site.copies > 1)
    return std::nullopt;
  return fmt::format("local means are summed, not averaged: the result is {} times the mean",
                     site.members);
}

// Factors before and after the collective both contain 1 / members.
Text divided_twice(const Site& site) {
  const double whole = site.before.factor * site.elements * site.members;
  // In a ratio the same factor is in both parts and cancels.
  if (!is_sum(site) || local_reduction(site) != Reduction::sum || site.in_ratio)
    return std::nullopt;
  if (site.elements <= 1 || !about(whole, 1) || !about(site.after * site.members, 1))
    return std::nullopt;
  return fmt::format(
      "the local sum is divided by the count of all chips, and the reduced sum is "
      "divided by the {} chips again",
      site.members);
}

Text sum_of_extremes(const Site& site) {
  const Reduction local = local_reduction(site);
  if (!is_sum(site) || (local != Reduction::maximum && local != Reduction::minimum))
    return std::nullopt;
  return "local maxima or minima are summed: take their maximum or minimum instead";
}

Text extreme_of_sums(const Site& site) {
  const Reduction between = site.collective->reduction;
  if (between != Reduction::maximum && between != Reduction::minimum) return std::nullopt;
  if (local_reduction(site) != Reduction::sum || site.elements <= 1) return std::nullopt;
  return "the maximum or minimum of local sums is taken where their sum is expected";
}

Text mean_of_exponentials(const Site& site) {
  const Node& core = *site.before.core;
  const auto* unary =
      core.instruction == nullptr ? nullptr : std::get_if<Unary>(&core.instruction->work);
  if (!is_sum(site) || unary == nullptr || unary->op != UnaryOp::exponential) return std::nullopt;
  return "exponentials of local values are averaged: a perplexity is the exponential of the mean";
}

// bf16 keeps 8 significant bits and f16 11, so a sum over many chips drops small terms; narrow
// integers overflow.
Text narrow_accumulation(const Site& site) {
  const ElementType element = site.node->instruction->inputs[0].type.element;
  const bool is_narrow = element == ElementType::bf16 || element == ElementType::f16 ||
                         (is_integer(element) && byte_size(element) < 4);
  if (!is_sum(site) || !is_narrow) return std::nullopt;
  return fmt::format(
      "the sum over chips is computed in {}: it loses precision or overflows as the "
      "pod grows",
      mlir_name(element));
}

// Matches a local mean or a global one: the factors before and after must cancel the number of all
// elements, padding included.
Text padding_counted(const Site& site) {
  const double whole = site.before.factor * site.elements;
  const bool counts_all =
      about(whole, 1) || about(whole * site.members, 1) ||
      (about(site.before.factor, 1) && about(site.after * site.elements * site.members, 1));
  if (local_reduction(site) != Reduction::sum || site.elements <= 1 || !counts_all)
    return std::nullopt;
  // Only if the padded array itself was summed: a mask in between ends the walk of is_padded().
  if (!is_padded(site.before.core->inputs[0])) return std::nullopt;
  return "padding counts as data: the divisor is the padded size, and no mask was found";
}

// In the order in which warnings are listed; `true`: the warning also names the division.
constexpr Rule kRules[] = {
    {"reduced_twice", reduced_twice},
    {"reduced_over_equal_axis", reduced_over_equal_axis},
    {"mean_of_means", mean_of_means, true},
    {"sum_of_means", sum_of_means},
    {"divided_twice", divided_twice},
    {"sum_of_extremes", sum_of_extremes},
    {"extreme_of_sums", extreme_of_sums},
    {"mean_of_exponentials", mean_of_exponentials},
    {"narrow_accumulation", narrow_accumulation},
    {"padding_counted", padding_counted},
};

}  // namespace

std::span<const Rule> pattern_rules() { return kRules; }

}  // namespace understudy::program::analysis
