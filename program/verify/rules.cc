// SPDX-License-Identifier: Apache-2.0
#include "program/verify/rules.h"

namespace understudy::program::rules {
namespace {

// In the order of op_table(): both come from ops.def.
constexpr RuleFunction kRules[] = {
#define UNDERSTUDY_OP(name, operands, results, regions, rule, attributes, format) rule,
#include "program/ir/ops.def"
};

}  // namespace

void anything(const Check& /*check*/) {}

RuleFunction rule_of(const OpRow& row) {
  const RuleFunction rule = kRules[&row - op_table().data()];
  return rule == anything ? nullptr : rule;
}

}  // namespace understudy::program::rules
