// SPDX-License-Identifier: Apache-2.0
// Checks of host identity (names, worker ids, bounds): sections 1.7, 2.2 and 5.2 of the bring-up
// facts.
#include <algorithm>
#include <charconv>
#include <fmt/format.h>
#include <fmt/ranges.h>
#include <functional>
#include <map>

#include "configs/base/diagnosis_id.h"
#include "configs/base/suggest.h"
#include "configs/launch/topology.h"
#include "launcher/contract/checks.h"

namespace understudy::launcher {
namespace {

using configs::Variables;

std::string value_of(const Variables& host, const char* name) {
  const auto found = host.find(name);
  return found == host.end() ? "" : found->second;
}

std::vector<std::string> items_of(const std::string& list, char separator = ',') {
  std::vector<std::string> items;
  for (std::size_t at = 0; at <= list.size();) {
    const std::size_t end = std::min(list.find(separator, at), list.size());
    items.push_back(list.substr(at, end - at));
    at = end + 1;
  }
  return items;
}

std::optional<std::int64_t> whole(std::string_view digits) {
  std::int64_t number = 0;
  const auto [end, code] = std::from_chars(digits.data(), digits.data() + digits.size(), number);
  const bool good = code == std::errc() && end == digits.data() + digits.size() && !digits.empty();
  return good ? std::optional(number) : std::nullopt;
}

// Parses "2,2,1"; empty if the text is not three positive numbers.
std::vector<std::int64_t> axes_of(const std::string& text) {
  std::vector<std::int64_t> axes;
  for (const std::string& item : items_of(text)) {
    const auto number = whole(item);
    if (!number || *number < 1) return {};
    axes.push_back(*number);
  }
  return axes.size() == 3 ? axes : std::vector<std::int64_t>();
}

// Returns a problem of one host as text; empty if there is none.
using Look = std::function<std::string(const Variables& host, std::int64_t number)>;
// Returns the refusal for the first host in which `look` finds a problem.
std::optional<Refusal> first_host(const LaunchCase& launch, std::string_view diagnosis,
                                  const Look& look) {
  for (std::size_t i = 0; i < launch.hosts.size(); ++i) {
    const auto number = static_cast<std::int64_t>(i);
    const std::string words = look(launch.hosts[i], number);
    if (!words.empty())
      return Refusal{diagnosis, fmt::format("host {}: {}", number, words), number};
  }
  return std::nullopt;
}

// The checks are ordered so that each may rely on those before it: names exist, then are valid,
// then are as many as hosts, then are in order.
std::optional<Refusal> host_names_are_there(const LaunchCase& launch) {
  return first_host(launch, name_of(DiagnosisId::host_names_missing),
                    [](const Variables& host, std::int64_t) {
                      return value_of(host, "TPU_WORKER_HOSTNAMES").empty()
                                 ? std::string("TPU_WORKER_HOSTNAMES is empty")
                                 : "";
                    });
}

// Letters, digits, "-", ".", "_": excludes ports and log lines that ended up in the list.
bool is_host_name(const std::string& name) {
  const auto plain = [](char letter) {
    return std::isalnum(static_cast<unsigned char>(letter)) != 0 || letter == '-' ||
           letter == '.' || letter == '_';
  };
  return !name.empty() && std::ranges::all_of(name, plain);
}

std::optional<Refusal> host_names_are_names(const LaunchCase& launch) {
  return first_host(
      launch, name_of(DiagnosisId::host_name_malformed), [](const Variables& host, std::int64_t) {
        for (const std::string& name : items_of(value_of(host, "TPU_WORKER_HOSTNAMES")))
          if (!is_host_name(name))
            return fmt::format(
                "unexpected worker hostname '{}' in TPU_WORKER_HOSTNAMES: expected a "
                "host name or an IP address without a port",
                name);
        return std::string();
      });
}

std::optional<Refusal> not_the_default_of_one_host(const LaunchCase& launch) {
  const std::int64_t hosts = launch.inputs.hosts_per_slice();
  if (hosts == 1) return std::nullopt;
  return first_host(
      launch, name_of(DiagnosisId::single_host_default), [&](const Variables& host, std::int64_t) {
        for (const auto& [name, value] : {std::pair("TPU_PROCESS_ADDRESSES", "local"),
                                          std::pair("TPU_WORKER_HOSTNAMES", "localhost")})
          if (value_of(host, name) == value)
            return fmt::format(
                "{} is \"{}\", which is only valid for a single host; the slice has {} hosts", name,
                value, hosts);
        return std::string();
      });
}

std::optional<Refusal> as_many_names_as_hosts(const LaunchCase& launch) {
  return first_host(
      launch, name_of(DiagnosisId::host_list_length), [&](const Variables& host, std::int64_t) {
        const std::size_t count = items_of(value_of(host, "TPU_WORKER_HOSTNAMES")).size();
        const auto want = static_cast<std::size_t>(launch.inputs.hosts_per_slice());
        return count == want ? ""
                             : fmt::format("TPU_WORKER_HOSTNAMES has {} names, but {} has {} hosts",
                                           count, launch.inputs.slice, want);
      });
}

std::optional<Refusal> names_in_order(const LaunchCase& launch) {
  return first_host(
      launch, name_of(DiagnosisId::host_order_differs),
      [&](const Variables& host, std::int64_t number) {
        const auto names = items_of(value_of(host, "TPU_WORKER_HOSTNAMES"));
        const auto& inputs = launch.inputs;
        const std::int64_t before = inputs.slice_of(number) * inputs.hosts_per_slice();
        for (std::size_t i = 0; i < names.size(); ++i) {
          if (std::ranges::count(names, names[i]) > 1)
            return fmt::format("duplicate name {} in TPU_WORKER_HOSTNAMES", names[i]);
          const std::string& want = inputs.host_names[static_cast<std::size_t>(before) + i];
          if (names[i] != want)
            return fmt::format("TPU_WORKER_HOSTNAMES names {} as worker {}, expected {}", names[i],
                               i, want);
        }
        return std::string();
      });
}

// A duplicate is reported for the later host, together with the first one that uses the id.
std::optional<Refusal> worker_ids_once_each(const LaunchCase& launch) {
  std::map<std::pair<std::int64_t, std::string>, std::int64_t> first;  // by slice and id
  return first_host(
      launch, name_of(DiagnosisId::duplicate_worker_id),
      [&](const Variables& host, std::int64_t number) {
        const std::string id = value_of(host, "TPU_WORKER_ID");
        const std::int64_t slice = launch.inputs.slice_of(number);
        const auto [earlier, is_new] = first.emplace(std::pair(slice, id), number);
        if (!is_new)
          return fmt::format("TPU_WORKER_ID {} is already used by host {}", id, earlier->second);
        const std::int64_t want = number % launch.inputs.hosts_per_slice();
        return whole(id) == want ? ""
                                 : fmt::format("TPU_WORKER_ID is \"{}\", expected {}", id, want);
      });
}

// The bounds are two factors per axis: hosts (or processes), and chips per host (or process). Their
// product must be the topology.
std::optional<Refusal> bounds_multiply(const LaunchCase& launch) {
  return first_host(launch, name_of(DiagnosisId::bounds_do_not_multiply),
                    [&](const Variables& host, std::int64_t) {
                      for (const char* what : {"HOST", "PROCESS"}) {
                        const std::string outer = fmt::format("TPU_{}_BOUNDS", what);
                        const std::string inner = fmt::format("TPU_CHIPS_PER_{}_BOUNDS", what);
                        const auto many = axes_of(value_of(host, outer.c_str()));
                        const auto each = axes_of(value_of(host, inner.c_str()));
                        bool good = !many.empty() && !each.empty();
                        for (std::size_t axis = 0; good && axis < 3; ++axis)
                          good = many[axis] * each[axis] == launch.inputs.shape[axis];
                        if (!good)
                          return fmt::format("{} {} times {} {} does not give the topology {}",
                                             outer, value_of(host, outer.c_str()), inner,
                                             value_of(host, inner.c_str()),
                                             fmt::join(launch.inputs.shape, ","));
                      }
                      return std::string();
                    });
}

std::optional<Refusal> accelerator_is_known(const LaunchCase& launch) {
  return first_host(
      launch, name_of(DiagnosisId::accelerator_unknown), [&](const Variables& host, std::int64_t) {
        const std::string type = value_of(host, "TPU_ACCELERATOR_TYPE");
        if (type == launch.inputs.accelerator_type) return std::string();
        return fmt::format("failed to find host bounds for accelerator type \"{}\": expected {}{}",
                           type, launch.inputs.accelerator_type,
                           did_you_mean(type, configs::slice_names()));
      });
}

std::optional<Refusal> coordinator_is_an_address(const LaunchCase& launch) {
  return first_host(
      launch, name_of(DiagnosisId::coordinator_malformed), [](const Variables& host, std::int64_t) {
        const std::string address = value_of(host, "JAX_COORDINATOR_ADDRESS");
        const std::size_t colon = address.rfind(':');
        const bool good = colon != std::string::npos && is_host_name(address.substr(0, colon)) &&
                          whole(std::string_view(address).substr(colon + 1)).value_or(0) > 0;
        return good ? ""
                    : fmt::format(
                          "failed to recognize coordinator address \"{}\": expected HOST:PORT",
                          address);
      });
}

std::optional<Refusal> slices_are_counted(const LaunchCase& launch) {
  return first_host(
      launch, name_of(DiagnosisId::slice_count_stale), [&](const Variables& host, std::int64_t) {
        const std::string count = value_of(host, "MEGASCALE_NUM_SLICES");
        const std::string want =
            launch.inputs.slices > 1 ? fmt::format("{}", launch.inputs.slices) : "";
        if (count == want) return std::string();
        return fmt::format("MEGASCALE_NUM_SLICES is \"{}\", but the launch has {} slice{}", count,
                           launch.inputs.slices, launch.inputs.slices == 1 ? "" : "s");
      });
}

// A profile may set variables, but identity variables differ per host and are computed from the
// slice.
std::optional<Refusal> identity_is_not_chosen(const LaunchCase& launch) {
  for (const auto& [name, value] : launch.inputs.profile.launch.variables) {
    const auto kind = configs::kind_of(name);
    if (kind && kind->group == configs::VariableGroup::identity)
      return Refusal{
          name_of(DiagnosisId::identity_by_hand),
          fmt::format("launch.variables must not set {}: its value follows from the slice", name),
          std::nullopt};
  }
  return std::nullopt;
}

}  // namespace

std::span<const ContractCheck> identity_checks() {
  static constexpr ContractCheck kChecks[] = {
      {"identity variables are not overridden", identity_is_not_chosen},
      {"host names are set", host_names_are_there},
      {"host names are valid", host_names_are_names},
      {"no single-host defaults", not_the_default_of_one_host},
      {"one host name per host", as_many_names_as_hosts},
      {"host names are in slice order", names_in_order},
      {"worker ids are unique", worker_ids_once_each},
      {"bounds match the topology", bounds_multiply},
      {"accelerator type matches the slice", accelerator_is_known},
      {"coordinator is an address", coordinator_is_an_address},
      {"slice count matches", slices_are_counted},
  };
  return kChecks;
}

}  // namespace understudy::launcher
