// SPDX-License-Identifier: Apache-2.0
#include "cache/store.h"

namespace understudy::cache {

std::optional<FileBytes> MemoryStore::read(const std::string& name) {
  const std::lock_guard lock(mutex_);
  const auto found = entries_.find(name);
  if (found == entries_.end()) return std::nullopt;
  return FileBytes(found->second);
}

bool MemoryStore::write(const std::string& name, Pieces pieces) {
  const std::lock_guard lock(mutex_);
  std::string& entry = entries_[name];
  entry.clear();
  for (const std::string_view piece : pieces) entry += piece;
  return true;
}

// As DiskStore: the entry keeps its bytes under another name.
std::string MemoryStore::quarantine(const std::string& name) {
  const std::lock_guard lock(mutex_);
  auto node = entries_.extract(name);
  const std::string aside = name + ".quarantined";
  if (!node.empty()) entries_.insert_or_assign(aside, std::move(node.mapped()));
  return aside;
}

void MemoryStore::remove(const std::string& name) {
  const std::lock_guard lock(mutex_);
  entries_.erase(name);
}

}  // namespace understudy::cache
