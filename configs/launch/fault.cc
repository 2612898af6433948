// SPDX-License-Identifier: Apache-2.0
#include "configs/launch/fault.h"

#include <algorithm>
#include <charconv>
#include <cmath>
#include <fmt/format.h>
#include <map>
#include <vector>

#include "configs/base/error.h"
#include "configs/base/suggest.h"
#include "configs/launch/collective_kind.h"

namespace understudy::configs {
namespace {

using enum FaultKind;
using enum FaultStage;
// clang-format off
constexpr FaultForm kForms[] = {
    {kill, collective, "kill", "rank", "", "at", "kill:rank=3,at=all_reduce#5",
     "the process of a rank is killed (SIGKILL)"},
    {stop, collective, "stop", "rank", "", "at", "stop:rank=3,at=all_reduce#5",
     "the process of a rank is stopped (SIGSTOP)"},
    {delay, collective, "delay", "rank", "ms", "at", "delay:rank=2,ms=50",
     "a rank enters its collectives late"},
    {drop_host, collective, "drop-host", "host", "", "at", "drop-host:1",
     "all ranks of an emulated host are killed"},
    {mismatch, collective, "mismatch", "rank", "", "at", "mismatch:rank=1,at=all_reduce#5",
     "a rank enters a different collective than its peers"},
    {env, start, "env", "rank|host", "name", "value", "env:rank=2,name=LIBTPU_INIT_ARGS,value=--xla_a=1",
     "a variable has a different value, or is unset, on a rank or on all ranks of a host"},
    {binary_skew, start, "binary-skew", "rank|host", "", "", "binary-skew:rank=2",
     "a rank runs a different build of the worker"},
    {program_byte, gates, "program-byte", "rank|host", "", "", "program-byte:rank=1",
     "one byte of the program is corrupted on a rank"},
    {late_env, gates, "late-env", "rank", "name", "value", "late-env:rank=2,name=PJRT_DEVICE,value=CPU",
     "a variable changes after the contract was checked"},
    {late_spmd, gates, "late-spmd", "rank", "", "", "late-spmd:rank=1",
     "a tensor is created before SPMD is enabled"},
    {second_framework, gates, "second-framework", "rank", "", "", "second-framework:rank=3",
     "a second framework loads its libtpu into the process"},
    {chip_locked, start, "chip-locked", "host", "", "", "chip-locked:host=1",
     "a live process holds the first chip of a host"},
    {lock_stale, start, "lock-stale", "host", "", "", "lock-stale:host=1",
     "a dead process left the lock file of the first chip of a host"},
    {lock_foreign, start, "lock-foreign", "host", "", "", "lock-foreign:host=1",
     "the lock file of the first chip of a host belongs to another user"},
    {lock_deleted, start, "lock-deleted", "host", "", "", "lock-deleted:host=1",
     "the lock file is removed while its holder is alive"},
    {chip_busy, start, "chip-busy", "host", "seconds", "", "chip-busy:host=1,seconds=2",
     "the first chip of a host stays busy for a while after an earlier process"},
    {wrong_device_kind, gates, "wrong-device-kind", "rank|host", "", "", "wrong-device-kind:rank=2",
     "a rank's device is a CPU"},
    {missing_chip, gates, "missing-chip", "rank", "", "", "missing-chip:rank=2",
     "a rank finds no device"},
    {wrong_coordinates, gates, "wrong-coordinates", "rank", "", "", "wrong-coordinates:rank=1",
     "a rank's chip has different coordinates in the slice"},
    {cache_key, gates, "cache-key", "rank", "", "", "cache-key:rank=2",
     "a rank's cache key has an extra part, as with a different build"},
    {host_limit, start, "host-limit", "host", "name value", "", "host-limit:host=1,name=memlock,value=65536",
     "a kernel limit of a host is lower: name is hugepages, memlock or descriptors"},
    {host_fallback, gates, "host-fallback", "rank", "op", "", "host-fallback:op=dot_general,rank=2",
     "an operation runs on the host, as if the compiler could not lower it", true},
    {hbm_limit, gates, "hbm-limit", "rank", "bytes", "", "hbm-limit:rank=2,bytes=65536",
     "a rank can use only this much HBM; the rest is reserved"},
    {hbm_held, gates, "hbm-held", "rank", "bytes", "", "hbm-held:rank=2,bytes=31999990000",
     "buffers of an earlier program occupy a rank's HBM"},
    {hbm_leak, gates, "hbm-leak", "rank", "bytes", "", "hbm-leak:rank=2,bytes=12000000000",
     "every step leaks a buffer in a rank's HBM"},
    {vmem_limit, gates, "vmem-limit", "rank", "bytes", "", "vmem-limit:rank=2,bytes=4096",
     "a rank has only this much VMEM"},
    {bad_chip, gates, "bad-chip", "rank", "", "", "bad-chip:rank=2",
     "a rank's chip computes wrong results"},
    {clock_skew, gates, "clock-skew", "rank|host", "seconds", "", "clock-skew:host=1,seconds=3600",
     "a clock is fast"},
    {sync_point, gates, "sync-point", "rank", "", "", "sync-point:rank=2",
     "a rank waits at a different sync point than its peers"},
    {leave_early, gates, "leave-early", "rank", "", "", "leave-early:rank=2",
     "a rank exits after its last step without waiting for the others"},
};
// clang-format on

using Pairs = std::map<std::string, std::string>;

[[noreturn]] void refuse_fault(const std::string& text, const std::string& why) {
  throw Error(ErrorKind::usage, fmt::format("--fault {}: {}", text, why));
}

// The row of the table for the name before the colon.
// Completion, help and error messages are made from the table.
const FaultForm& form_of(const std::string& text) {
  const std::string name = text.substr(0, text.find(':'));
  const auto* const found = std::ranges::find(kForms, name, &FaultForm::name);
  if (found != std::end(kForms)) return *found;
  std::vector<std::string> names;
  for (const FaultForm& form : kForms) names.emplace_back(form.name);
  refuse_fault(text, fmt::format("unknown fault \"{}\"{} (known faults: {})", name,
                                 did_you_mean(name, names), join_words(names)));
}

[[noreturn]] void refuse_form(const std::string& text, const FaultForm& form,
                              const std::string& why) {
  refuse_fault(text, fmt::format("{}; {}: {}; example: --fault {}", why, form.name, form.summary,
                                 form.example));
}

// Whether `key` is one of the words of `list`.
bool contains_word(std::string_view list, std::string_view key, char separator = ' ') {
  while (!list.empty()) {
    const std::size_t end = std::min(list.find(separator), list.size());
    if (list.substr(0, end) == key) return true;
    list.remove_prefix(std::min(end + 1, list.size()));
  }
  return false;
}

// Parses "rank=3,at=all_reduce#5". A word without a key is the target. "value=" takes the rest of
// the text, which may contain commas.
Pairs pairs_of(const std::string& text, const FaultForm& form) {
  Pairs pairs;
  const std::size_t colon = text.find(':');
  std::string rest = colon == std::string::npos ? "" : text.substr(colon + 1);
  while (!rest.empty()) {
    // A value may contain commas and equals signs: it is always the last key.
    const std::size_t comma = rest.starts_with("value=") ? std::string::npos : rest.find(',');
    const std::string part = rest.substr(0, comma);
    rest = comma == std::string::npos ? "" : rest.substr(comma + 1);
    const std::size_t equals = part.find('=');
    const std::string key = equals == std::string::npos
                                ? std::string(form.target.substr(0, form.target.find('|')))
                                : part.substr(0, equals);
    const bool known = contains_word(form.target, key, '|') || contains_word(form.needs, key) ||
                       contains_word(form.takes, key);
    if (!known) refuse_form(text, form, fmt::format("{} has no key \"{}\"", form.name, key));
    const std::string value = equals == std::string::npos ? part : part.substr(equals + 1);
    if (!pairs.emplace(key, value).second)
      refuse_form(text, form, fmt::format("duplicate key \"{}\"", key));
  }
  return pairs;
}

template <class T>
// The whole text must be a number, and not negative.
std::optional<T> number_of(std::string_view digits) {
  T number{};
  const auto [end, code] = std::from_chars(digits.data(), digits.data() + digits.size(), number);
  const bool whole = code == std::errc() && end == digits.data() + digits.size();
  return whole && number >= T{} ? std::optional(number) : std::nullopt;
}

// "all_reduce#5"; counted from 1, so 0 is invalid.
std::optional<FaultMoment> moment_of(const std::string& word) {
  const std::size_t sign = word.find('#');
  if (sign == std::string::npos) return std::nullopt;
  const auto kind = collective_kind_of(word.substr(0, sign));
  const auto number = number_of<std::uint64_t>(std::string_view(word).substr(sign + 1));
  if (!kind || !number || *number == 0) return std::nullopt;
  return FaultMoment{*kind, *number};
}

// Reads the target: a rank or a host.
void read_target(const std::string& text, const FaultForm& form, const Pairs& pairs, Fault& fault) {
  const bool either = form.target == "rank|host";
  const auto host = pairs.find("host");
  const auto rank = pairs.find("rank");
  fault.anywhere = form.anywhere && host == pairs.end() && rank == pairs.end();
  if (fault.anywhere) return;
  if (host == pairs.end() && rank == pairs.end())
    refuse_form(text, form, fmt::format("missing {}", either ? "rank or host" : form.target));
  if (host != pairs.end() && rank != pairs.end())
    refuse_form(text, form, "expected a rank or a host, not both");
  fault.of_host = host != pairs.end();
  const auto& [key, word] = fault.of_host ? *host : *rank;
  const auto number = number_of<std::int64_t>(word);
  if (!number) refuse_form(text, form, fmt::format("\"{}\" is not a valid {}", word, key));
  fault.target = *number;
}

double duration(const std::string& text, const FaultForm& form, const Pairs& pairs, const char* key,
                const char* what) {
  const auto given = pairs.find(key);
  const auto number = given == pairs.end() ? std::nullopt : number_of<double>(given->second);
  // from_chars accepts "inf" and "nan".
  if (!number || !std::isfinite(*number))
    refuse_form(text, form, fmt::format("expected a number of {}", what));
  return *number;
}

}  // namespace

std::span<const FaultForm> fault_forms() { return kForms; }

// The row of the table decides which keys are required; each kind of value is checked here, so that
// the code which injects a fault can rely on it.
Fault parse_fault(const std::string& text) {
  const FaultForm& form = form_of(text);
  const Pairs pairs = pairs_of(text, form);
  Fault fault;
  fault.kind = form.kind;
  fault.stage = form.stage;
  read_target(text, form, pairs, fault);
  if (const auto at = pairs.find("at"); at != pairs.end()) {
    fault.at = moment_of(at->second);
    if (!fault.at)
      refuse_form(text, form,
                  fmt::format("\"{}\" is not KIND#N, the N-th collective of a kind", at->second));
  }
  if (contains_word(form.needs, "ms"))
    fault.milliseconds = duration(text, form, pairs, "ms", "milliseconds");
  if (contains_word(form.needs, "seconds"))
    fault.seconds = duration(text, form, pairs, "seconds", "seconds");
  if (contains_word(form.needs, "bytes")) {
    const auto given = pairs.find("bytes");
    const auto bytes =
        given == pairs.end() ? std::nullopt : number_of<std::uint64_t>(given->second);
    if (!bytes) refuse_form(text, form, "expected a number of bytes");
    fault.bytes = *bytes;
  }
  if (contains_word(form.needs, "op")) {
    const auto op = pairs.find("op");
    if (op == pairs.end() || op->second.empty()) refuse_form(text, form, "missing operation name");
    fault.op = op->second;
  }
  if (contains_word(form.needs, "name")) {
    const auto name = pairs.find("name");
    if (name == pairs.end() || name->second.empty()) refuse_form(text, form, "missing name");
    fault.name = name->second;
  }
  if (const auto value = pairs.find("value"); value != pairs.end()) fault.value = value->second;
  return fault;
}

}  // namespace understudy::configs
