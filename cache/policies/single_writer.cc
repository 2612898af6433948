// SPDX-License-Identifier: Apache-2.0
// single-writer: the first chip of the pod compiles and publishes under <directory>/shared/, a
// mount that all hosts see. Everybody else opens it read-only, waits, and where no entry comes
// compiles for itself without writing.
#include "cache/policy.h"

namespace understudy::cache {
namespace {

class SingleWriter : public Policy {
 public:
  std::unique_ptr<Store> open(FileSystem& files, const CacheRequest& request,
                              const std::string& path) const override {
    const StoreMode mode = request.pod_leader ? StoreMode::read_write : StoreMode::read_only;
    return open_disk_store(files, path, mode);
  }
  void obtain(Transaction& transaction) const override {
    transaction.lead_or_follow(transaction.request().pod_leader);
  }
};

}  // namespace

const Policy& single_writer_policy() {
  static const SingleWriter policy;
  return policy;
}

}  // namespace understudy::cache
