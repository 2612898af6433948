// SPDX-License-Identifier: Apache-2.0
#include "cache/entry.h"

#include <exception>
#include <utility>

#include "cache/archive.h"
#include "configs/base/error.h"

namespace understudy::cache {
namespace {

program::Executable restore_checked(std::string_view payload) {
  program::Executable executable = restore_executable(payload);
  // The executor trusts offsets and sizes; an entry from a shared folder must not make it leave its
  // buffers.
  program::check_bounds(executable);
  return executable;
}

// The digest protects against damage, not against a wrong writer: an entry with a valid digest may
// still fail here.
LoadedEntry restored(Opened opened, const Mismatch& mismatch) {
  LoadedEntry loaded{std::move(opened), "", std::nullopt};
  if (loaded.opened.refusal != Refusal::none) return loaded;
  try {
    program::Executable executable = restore_checked(loaded.opened.payload);
    // The caller's check that the executable fits what it asked for.
    if (mismatch) loaded.reason = mismatch(executable);
    if (loaded.reason.empty()) loaded.executable = std::move(executable);
  } catch (const Error& error) {
    loaded.reason = error.message();
  } catch (const std::exception& failure) {  // e.g. bad_alloc, for sizes that no executable has
    loaded.reason = failure.what();
  }
  if (loaded.executable) return loaded;
  // A payload that cannot be restored is as bad as one with a wrong digest.
  loaded.opened.refusal = Refusal::damaged;
  loaded.opened.payload = {};
  return loaded;
}

}  // namespace

LoadedEntry load_entry(std::string_view entry) { return restored(open(entry), {}); }

LoadedEntry load_entry(std::string_view entry, const NamedParts& wanted, const Mismatch& mismatch) {
  return restored(open(entry, wanted), mismatch);
}

}  // namespace understudy::cache
