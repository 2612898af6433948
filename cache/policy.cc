// SPDX-License-Identifier: Apache-2.0
#include "cache/policy.h"

#include <array>
#include <cerrno>
#include <fmt/format.h>
#include <utility>

#include "cache/folder.h"
#include "configs/base/error.h"

namespace understudy::cache {
namespace {

FileSystem& files_of(const CacheRequest& request) {
  return request.files != nullptr ? *request.files : machine_files();
}

// The wall time covers everything: locks, waits, reading and compiling.
CacheOutcome obtain_by(const Policy& policy, Store* store, const CacheRequest& request,
                       const KeyParts& parts, const Compile& compile, const Mismatch& mismatch,
                       const std::string& trouble) {
  const auto start = Clock::now();
  const NamedParts named = named_parts(parts);
  Transaction transaction(request, named, compile, mismatch, store);
  if (!trouble.empty()) transaction.warn(trouble);
  policy.obtain(transaction);
  CacheOutcome outcome = transaction.take_outcome();
  outcome.wall_seconds = seconds_since(start);
  return outcome;
}

}  // namespace

std::unique_ptr<Store> Policy::open(FileSystem& files, const CacheRequest& /*request*/,
                                    const std::string& path) const {
  // Policies that emulate other systems open a plain store instead.
  return open_disk_store(files, path, StoreMode::read_write);
}

const Policy& policy_of(CachePolicyId id) {
  // In the order of CachePolicyId.
  static const std::array<const Policy*, 6> kAll = {&per_host_policy(),      &per_process_policy(),
                                                    &single_writer_policy(), &shared_policy(),
                                                    &read_only_policy(),     &off_policy()};
  return *kAll.at(static_cast<std::size_t>(id));
}

std::optional<std::string> folder_of(const CachePolicyRow& policy, const CacheRequest& request) {
  if (!policy.keeps_entries()) return std::nullopt;
  return cache_subfolder(policy, request.host.value, request.rank.value);
}

std::vector<std::string> discipline_names() {
  std::vector<std::string> names;
  for (const CachePolicyRow& policy : cache_policies()) {
    names.emplace_back(policy.name);
    if (!policy.takes_lock) continue;
    for (const std::string_view lock : lock_names())
      names.push_back(discipline_name(policy.name, lock));
  }
  return names;
}

CacheCounters& CacheCounters::operator+=(const CacheCounters& more) {
  requests += more.requests;
  hits += more.hits;
  misses += more.misses;
  compiles += more.compiles;
  entry_reads += more.entry_reads;
  deserialize_failures += more.deserialize_failures;
  writes += more.writes;
  write_failures += more.write_failures;
  quarantined += more.quarantined;
  removed += more.removed;
  evicted += more.evicted;
  lock_timeouts += more.lock_timeouts;
  locks_broken += more.locks_broken;
  wait_timeouts += more.wait_timeouts;
  return *this;
}

CompileCache::CompileCache(CacheRequest request) : request_(std::move(request)) {
  const CachePolicyRow& row = cache_policy_named(request_.policy);
  policy_ = &policy_of(row.id);
  // Throws for an unknown name, before anything is opened.
  lock_kind_named(request_.lock);
  if (const auto folder = folder_of(row, request_)) folder_ = request_.directory + "/" + *folder;
}

CompileCache::~CompileCache() = default;
CompileCache::CompileCache(CompileCache&&) noexcept = default;

// "" or why the folder is not used. No two hosts of a run say it in other words where the reason is
// the folder that all of them share.
std::string CompileCache::open_store() {
  if (store_ != nullptr || folder_.empty()) return "";
  const auto checked = [&](const auto& act) {
    try {
      act();
      return std::string();
    } catch (const Error& error) {
      store_ = nullptr;
      return error.message();
    }
  };
  const auto check = [&] { check_folder(request_.directory, folder_); };
  std::string trouble = checked(check);
  if (trouble.empty()) {
    trouble = checked([&] { store_ = policy_->open(files_of(request_), request_, folder_); });
    // The folder could not be made because this user may not write: said in the words of the
    // read-only case.
    if (!trouble.empty() && write_refusal(request_.directory) == EACCES)
      trouble = words_for_read_only(request_.directory);
  }
  // What was made meanwhile, by whomever.
  if (trouble.empty()) trouble = checked(check);
  return trouble.empty() ? "" : "nothing is cached: " + trouble;
}

CacheOutcome CompileCache::obtain(const KeyParts& parts, const Compile& compile,
                                  const Mismatch& mismatch) {
  const std::string trouble = open_store();
  CacheOutcome outcome =
      obtain_by(*policy_, store_.get(), request_, parts, compile, mismatch, trouble);
  // The second request for a key that was not found again: its entry was evicted in between.
  if (request_.max_bytes > 0 && !had_.insert(outcome.key).second && !outcome.cached)
    outcome.warnings.push_back(fmt::format(
        "the cache thrashes: an entry was evicted before it was used again, because the "
        "entries of this process need more than {} bytes",
        request_.max_bytes));
  return outcome;
}

void CompileCache::remove_own_markers() noexcept {
  if (store_ != nullptr) store_->remove_own_markers();
}

CacheOutcome obtain(const CacheRequest& request, const KeyParts& parts, const Compile& compile) {
  return CompileCache(request).obtain(parts, compile);
}

CacheOutcome obtain_from(Store* store, const CacheRequest& request, const KeyParts& parts,
                         const Compile& compile) {
  return obtain_by(policy_of(cache_policy_named(request.policy).id), store, request, parts, compile,
                   {}, "");
}

}  // namespace understudy::cache
