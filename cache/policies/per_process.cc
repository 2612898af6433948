// SPDX-License-Identifier: Apache-2.0
// per-process: every chip has a folder of its own, <directory>/<host>/<rank>/. Nobody waits for
// anybody; a cold start costs as many compiles as there are chips.
#include "cache/policy.h"

namespace understudy::cache {
namespace {

class PerProcess : public Policy {
 public:
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
