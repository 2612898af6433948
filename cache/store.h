// SPDX-License-Identifier: Apache-2.0
// Named byte strings that appear whole or not at all. Two makes: DiskStore for runs, MemoryStore
// for tests. Several processes may use one store; readers take no lock. Names are file names
// without a slash or a leading dot.
#pragma once

#include <map>
#include <memory>
#include <mutex>
#include <optional>
#include <string>

namespace understudy::cache {

class Store {
 public:
  virtual ~Store() = default;
  // nullopt: there is no such entry. *Throws* Error{system} where it cannot be read.
  virtual std::optional<std::string> read(const std::string& name) = 0;
  // Publishes all of `bytes` under `name`, over an older entry. *Throws* Error{system}; nothing is
  // published then.
  virtual void write(const std::string& name, const std::string& bytes) = 0;
  // Moves an entry aside so that nobody reads it again; returns where it lies now. An entry that
  // is gone already is no error. *Throws* Error{system}.
  virtual std::string quarantine(const std::string& name) = 0;
  virtual void remove(const std::string& name) = 0;
};

// A folder. Entries are written to a temporary name, synced and renamed. Thread-safe.
// *Throws* Error{system} naming the folder and the reason where it cannot be used.
std::unique_ptr<Store> open_disk_store(const std::string& directory);

// Thread-safe.
class MemoryStore : public Store {
 public:
  std::optional<std::string> read(const std::string& name) override;
  void write(const std::string& name, const std::string& bytes) override;
  std::string quarantine(const std::string& name) override;
  void remove(const std::string& name) override;

 private:
  std::mutex mutex_;
  std::map<std::string, std::string> entries_;  // guarded by mutex_
};

}  // namespace understudy::cache
