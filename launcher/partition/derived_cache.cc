// SPDX-License-Identifier: Apache-2.0
#include "launcher/partition/derived_cache.h"

#include <fmt/format.h>

#include "cache/envelope.h"
#include "cache/folder.h"
#include "cache/store.h"
#include "configs/base/cache_policy.h"
#include "configs/base/error.h"

namespace understudy::launcher {
namespace {

std::string folder_of(const CacheChoice& cache, const DerivedKind& kind) {
  return fmt::format("{}/{}", cache.folder, kind.folder);
}

std::string file_of(const DerivedKind& kind, const cache::NamedParts& key) {
  return cache::key_of(key) + std::string(kind.suffix);
}

// The question, and the form in which the answer is stored.
cache::NamedParts with_encoding(const DerivedKind& kind, cache::NamedParts key) {
  key.emplace_back("encoding", kind.encoding);
  return key;
}

// The payload passed its digest, so other sizes mean an entry of another form, not a damaged one.
std::optional<Frame> frame_in(std::string_view bytes) {
  if (bytes.size() < kFramePrefixBytes) return std::nullopt;
  const std::optional<FrameSizes> sizes = frame_sizes(bytes);
  if (!sizes || sizes->all() != bytes.size()) return std::nullopt;
  return Frame{std::string(bytes.substr(kFramePrefixBytes, sizes->header)),
               std::string(bytes.substr(kFramePrefixBytes + sizes->header))};
}

}  // namespace

std::optional<Frame> find_derived(const CacheChoice& cache, const DerivedKind& kind,
                                  const cache::NamedParts& question) {
  const cache::NamedParts key = with_encoding(kind, question);
  if (!cache_policy_named(cache.policy).keeps_entries()) return std::nullopt;
  const std::string folder = folder_of(cache, kind);
  try {
    cache::check_folder(cache.folder, folder);
    const std::optional<FileBytes> entry =
        cache::machine_files().read(folder + "/" + file_of(kind, key));
    // The same rules as for compiled programs: an entry that another user could have written
    // decides what chips execute.
    if (!entry || !entry->owner || entry->owner->everybody_writes ||
        !cache::is_trusted(entry->owner->user, cache.folder, cache.trust))
      return std::nullopt;
    const cache::Opened opened = cache::open(*entry, key);
    const bool good =
        // "Stale" is an entry of another build of ours. The answer comes from XLA or libtpu, whose
        // version is part of the key, so it stays valid.
        opened.refusal == cache::Refusal::none || opened.refusal == cache::Refusal::stale;
    return good ? frame_in(opened.payload) : std::nullopt;
  } catch (const Error&) {
    return std::nullopt;  // a broken cache costs the time of a new answer, never the run
  }
}

void keep_derived(const CacheChoice& cache, const DerivedKind& kind,
                  const cache::NamedParts& question, const Frame& frame) {
  const cache::NamedParts key = with_encoding(kind, question);
  const CachePolicyRow& policy = cache_policy_named(cache.policy);
  if (!policy.keeps_entries() || !policy.writes()) return;
  const std::string folder = folder_of(cache, kind);
  try {
    cache::check_folder(cache.folder, folder);
    const auto store =
        cache::open_disk_store(cache::machine_files(), folder, cache::StoreMode::read_write);
    store->write(file_of(kind, key), cache::seal(key, encoded(frame)));
  } catch (const Error&) {
    return;  // the workers warn about a folder that cannot be written
  }
}

}  // namespace understudy::launcher
