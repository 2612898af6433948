// SPDX-License-Identifier: Apache-2.0
#include "launcher/accounts.h"

#include <algorithm>
#include <fmt/format.h>
#include <map>
#include <tuple>

namespace understudy::launcher {
namespace {

using configs::Evidence;
using configs::Failed;

// Whether this rank told what it saw itself.
bool spoke_first_hand(const std::vector<Account>& accounts, std::int64_t rank) {
  return std::any_of(accounts.begin(), accounts.end(), [&](const Account& one) {
    return one.rank == rank && is_first_hand(one.evidence);
  });
}

// Evidence, but of a peer's end that the peer explains itself: hearsay.
Evidence weight_of(const Account& account, const std::vector<Account>& accounts) {
  const std::vector<std::int64_t>& missing = account.failed->missing_ranks;
  const bool explained =
      !missing.empty() && std::all_of(missing.begin(), missing.end(), [&](std::int64_t rank) {
        return spoke_first_hand(accounts, rank);
      });
  return account.kind == ErrorKind::timeout && explained ? Evidence::peer_gave_up
                                                         : account.evidence;
}

// Whether the rank's recorder shows it inside of a collective, where it waits for others itself.
bool is_inside(const Watched& watched, std::int64_t rank) {
  const auto at = static_cast<std::size_t>(rank);
  if (at >= watched.records.size() || !watched.records[at]) return false;
  const std::vector<configs::FlightSeen>& flight = watched.records[at]->flight;
  return !flight.empty() && !flight.back().done_ns;
}

// A wait for a rank that waits in a collective too says less than one for a rank that does not.
bool misses_only_waiting(const Watched& watched, const Account& account) {
  const std::vector<std::int64_t>& missing = account.failed->missing_ranks;
  return account.evidence == Evidence::no_progress && !missing.empty() &&
         std::all_of(missing.begin(), missing.end(),
                     [&](std::int64_t rank) { return is_inside(watched, rank); });
}

}  // namespace

std::vector<Account> accounts_in(const Watched& watched) {
  std::vector<Account> all;
  for (std::size_t rank = 0; rank < watched.records.size(); ++rank) {
    const Failed* const failed = last_of<Failed>(watched.records[rank]);
    if (failed == nullptr || evidence_of(*failed) == Evidence::interrupted) continue;
    all.push_back({static_cast<std::int64_t>(rank), failed,
                   error_kind_of(failed->kind).value_or(ErrorKind::internal),
                   evidence_of(*failed)});
  }
  std::vector<Account> sorted = all;
  std::stable_sort(sorted.begin(), sorted.end(), [&](const Account& a, const Account& b) {
    const auto key = [&](const Account& one) {
      return std::tuple(weight_of(one, all), one.evidence, misses_only_waiting(watched, one));
    };
    return key(a) < key(b);
  });
  return sorted;
}

std::vector<std::string> notes_of(const std::vector<Account>& accounts, std::int64_t but,
                                  const std::string& said) {
  std::map<std::string, std::vector<std::int64_t>> by_message;
  for (const Account& one : accounts)
    if (one.rank != but && one.failed->message != said)
      by_message[one.failed->message].push_back(one.rank);
  std::vector<std::string> notes;
  for (const auto& [message, ranks] : by_message) {
    const std::string more = ranks.size() == 1 ? "" : fmt::format(" and {} more", ranks.size() - 1);
    notes.push_back(fmt::format("rank {}{}: {}", ranks.front(), more, message));
  }
  return notes;
}

std::optional<std::int64_t> silent_rank(const std::vector<Account>& accounts) {
  for (const Account& one : accounts)
    for (const std::int64_t rank : one.failed->missing_ranks)
      if (!spoke_first_hand(accounts, rank)) return rank;
  return std::nullopt;
}

}  // namespace understudy::launcher
