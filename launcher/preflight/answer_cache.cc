// SPDX-License-Identifier: Apache-2.0
#include "launcher/preflight/answer_cache.h"

#include "cache/envelope.h"
#include "cache/folder.h"
#include "cache/store.h"
#include "configs/base/cache_policy.h"
#include "configs/base/error.h"
#include "launcher/partition/wire.h"

namespace understudy::launcher {
namespace {

constexpr const char* kFolder = "/preflight";
// Not the suffix of executables: the verbs of the cache list those only.
constexpr const char* kSuffix = ".answer";

std::string name_of(const cache::NamedParts& key) { return cache::key_of(key) + kSuffix; }

// The payload of an entry is one frame: the answer as JSON, then its body.
std::optional<CompilerReply> reply_in(std::string_view payload) {
  if (payload.size() < kFramePrefixBytes) return std::nullopt;
  const std::optional<FrameSizes> sizes = frame_sizes(payload);
  if (!sizes || sizes->all() != payload.size()) return std::nullopt;
  const std::string header(payload.substr(kFramePrefixBytes, sizes->header));
  return CompilerReply{configs::read_compiler_answer(header),
                       std::string(payload.substr(kFramePrefixBytes + sizes->header))};
}

}  // namespace

std::optional<CompilerReply> find_answer(const CacheChoice& cache, const cache::NamedParts& key) {
  if (!cache_policy_named(cache.policy).keeps_entries()) return std::nullopt;
  const std::string folder = cache.folder + kFolder;
  try {
    cache::check_folder(cache.folder, folder);
    const std::optional<FileBytes> entry = cache::machine_files().read(folder + "/" + name_of(key));
    if (!entry || !entry->owner || entry->owner->everybody_writes ||
        !cache::is_trusted(entry->owner->user, cache.folder, cache.trust))
      return std::nullopt;
    const cache::Opened opened = cache::open(*entry, key);
    // What libtpu answers does not depend on the build of understudy: a stale entry is as good.
    const bool good =
        opened.refusal == cache::Refusal::none || opened.refusal == cache::Refusal::stale;
    return good ? reply_in(opened.payload) : std::nullopt;
  } catch (const Error&) {
    return std::nullopt;  // a broken cache costs a compile, never the pre-flight
  }
}

void keep_answer(const CacheChoice& cache, const cache::NamedParts& key,
                 const CompilerReply& reply) {
  const CachePolicyRow& policy = cache_policy_named(cache.policy);
  if (!policy.keeps_entries() || !policy.writes()) return;
  const std::string folder = cache.folder + kFolder;
  try {
    cache::check_folder(cache.folder, folder);
    const auto store =
        cache::open_disk_store(cache::machine_files(), folder, cache::StoreMode::read_write);
    store->write(name_of(key), cache::seal(key, encoded({to_json(reply.answer), reply.body})));
  } catch (const Error&) {
    return;  // the next pre-flight compiles again
  }
}

}  // namespace understudy::launcher
