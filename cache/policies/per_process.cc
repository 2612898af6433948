// SPDX-License-Identifier: Apache-2.0
// per-process: every chip has a folder of its own, <directory>/<host>/<rank>/. Nobody waits for
// anybody; a cold start costs as many compiles as there are chips.
#include <fmt/format.h>

#include "cache/policy.h"

namespace understudy::cache {
namespace {

class PerProcess : public Policy {
 public:
  std::string_view name() const override { return "per-process"; }
  std::string_view summary() const override { return "every chip has a folder of its own"; }
  std::optional<std::string> folder(const CacheRequest& request) const override {
    return fmt::format("host{}/rank{}", request.host.value, request.rank.value);
  }
  void obtain(Transaction& transaction) const override {
    if (transaction.lookup(BadEntry::quarantine)) return;
    transaction.compile();
    transaction.publish();
  }
};

}  // namespace

const Policy& per_process_policy() {
  static const PerProcess policy;
  return policy;
}

}  // namespace understudy::cache
