// SPDX-License-Identifier: Apache-2.0
#include "cache/owner.h"

#include <array>
#include <atomic>
#include <charconv>
#include <filesystem>
#include <fmt/format.h>
#include <system_error>
#include <unistd.h>

#include "configs/base/digest.h"
#include "configs/base/procfs.h"

namespace understudy::cache {
namespace {

// Host name, boot id and pid namespace: a pid identifies a process only while all three are the
// same. As a digest, because host names may contain any characters and this becomes part of file
// names.
std::string machine_here() {
  std::error_code code;
  const auto space = std::filesystem::read_symlink("/proc/self/ns/pid", code);
  return digest_of(
      std::string_view(fmt::format("{} {} {}", machine_name(), boot_id(), space.string())));
}

template <class Number>
std::optional<Number> number_in(std::string_view text) {
  Number number{};
  const auto [end, code] = std::from_chars(text.data(), text.data() + text.size(), number);
  if (code != std::errc() || end != text.data() + text.size()) return std::nullopt;
  return number;
}

}  // namespace

Owner this_process() {
  // The machine cannot change while the process lives.
  static const std::string machine = machine_here();
  // Cached, but computed again after fork(), which changes the pid.
  // thread_local, so no lock is needed; each thread computes it once.
  thread_local Owner owner;
  if (owner.pid == ::getpid()) return owner;
  owner.machine = machine;
  const ProcessIdentity self = this_process_identity();
  owner.pid = self.pid;
  owner.start = self.start;
  return owner;
}

std::string text_of(const Owner& owner) {
  return fmt::format("{}-{}-{}", owner.machine, owner.pid, owner.start);
}

std::optional<Owner> parse_owner(std::string_view text) {
  const std::size_t last = text.rfind('-');
  const std::size_t first = text.find('-');
  if (first == std::string_view::npos || first == last) return std::nullopt;
  const auto pid = number_in<std::int64_t>(text.substr(first + 1, last - first - 1));
  const auto start = number_in<std::uint64_t>(text.substr(last + 1));
  // An empty number or trailing text makes the owner unknown, and unknown counts as alive.
  if (!pid || !start) return std::nullopt;
  return Owner{std::string(text.substr(0, first)), *pid, *start};
}

bool is_dead(const Owner& owner) {
  // Another machine's process cannot be looked up from here.
  return owner.machine == this_process().machine && !living({owner.pid, owner.start});
}

std::string words_for_owner(std::string_view text) {
  const std::optional<Owner> owner = parse_owner(text);
  if (!owner) return "";
  const bool here = owner->machine == this_process().machine;
  return fmt::format("process {} of {}", owner->pid, here ? "this machine" : "another machine");
}

// The leading dot keeps it out of every listing of entries; owner and counter make it unique.
std::string temporary_for(const std::string& path) {
  static std::atomic<std::uint64_t> count{0};
  const std::size_t name = path.rfind('/') + 1;
  return fmt::format("{}.{}.{}.{}{}", path.substr(0, name), path.substr(name),
                     text_of(this_process()), ++count, kTemporarySuffix);
}

std::optional<Owner> owner_of_temporary(std::string_view file_name) {
  if (!file_name.starts_with('.') || !file_name.ends_with(kTemporarySuffix)) return std::nullopt;
  file_name.remove_suffix(kTemporarySuffix.size());
  const std::size_t number = file_name.rfind('.');
  if (number == 0) return std::nullopt;
  file_name = file_name.substr(0, number);
  return parse_owner(file_name.substr(file_name.rfind('.') + 1));
}

}  // namespace understudy::cache
