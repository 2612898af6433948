// SPDX-License-Identifier: Apache-2.0
// off: everybody compiles, nobody keeps anything.
#include "cache/policy.h"

namespace understudy::cache {
namespace {

class Off : public Policy {
 public:
  std::string_view name() const override { return "off"; }
  std::string_view summary() const override { return "everybody compiles, nobody keeps anything"; }
  std::optional<std::string> folder(const CacheRequest& /*request*/) const override {
    return std::nullopt;
  }
  void obtain(Transaction& transaction) const override { transaction.compile(); }
};

}  // namespace

const Policy& off_policy() {
  static const Off policy;
  return policy;
}

}  // namespace understudy::cache
