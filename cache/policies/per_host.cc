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
  std::optional<std::string> folder(const CacheRequest& request) const override {
    return fmt::format("host{}", request.host.value);
  }
  void obtain(Session& session) const override {
    if (session.lookup()) return;
    if (!session.request().host_leader) {
      if (!session.wait_for_leader()) session.compile();
      return;
    }
    session.start_publishing();
    session.compile();
    if (!session.publish()) session.give_up_publishing();
  }
};

}  // namespace

const Policy& per_host_policy() {
  static const PerHost policy;
  return policy;
}

}  // namespace understudy::cache
