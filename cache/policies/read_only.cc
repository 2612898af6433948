// SPDX-License-Identifier: Apache-2.0
// read-only: entries are used where there are any, whichever policy wrote them; nothing is written,
// locked or moved.
#include <utility>

#include "cache/folder.h"
#include "cache/policy.h"

namespace understudy::cache {
namespace {

class ReadOnly : public Policy {
 public:
  std::unique_ptr<Store> open(FileSystem& files, const CacheRequest& request,
                              const std::string& path) const override {
    std::vector<std::string> also;
    // `path` is the folder of the whole pod; these are the other places where policies write.
    for (const CachePolicyId other : {CachePolicyId::per_host, CachePolicyId::per_process})
      also.push_back(request.directory + "/" + folder_of(cache_policy(other), request).value());
    // The same checks as for the policy's own folder: a writable-by-all folder is not read.
    for (const std::string& one : also) check_folder(request.directory, one);
    return open_disk_store(files, path, StoreMode::read_only, std::move(also));
  }
  void obtain(Transaction& transaction) const override {
    if (!transaction.lookup(BadEntry::leave)) transaction.compile();
  }
};

}  // namespace

const Policy& read_only_policy() {
  static const ReadOnly policy;
  return policy;
}

}  // namespace understudy::cache
