// SPDX-License-Identifier: Apache-2.0
// per-host: the first chip of each emulated host compiles and publishes under <directory>/<host>/,
// its neighbours load. A neighbour whose leader publishes nothing compiles for itself.
#include <fmt/format.h>

#include "cache/policy.h"

namespace understudy::cache {
namespace {

class PerHost : public Policy {
 public:
  std::string_view name() const override { return "per-host"; }
  std::string_view summary() const override {
    return "the first chip of each host compiles and publishes, its neighbours load";
  }
  bool needs_one_key() const override { return true; }
  std::optional<std::string> folder(const CacheRequest& request) const override {
    return fmt::format("host{}", request.host.value);
  }
  void obtain(Transaction& transaction) const override {
    transaction.lead_or_follow(transaction.request().host_leader);
  }
};

}  // namespace

const Policy& per_host_policy() {
  static const PerHost policy;
  return policy;
}

}  // namespace understudy::cache
