// SPDX-License-Identifier: Apache-2.0
#include "launcher/outcome.h"

#include <algorithm>
#include <csignal>
#include <fmt/format.h>
#include <fmt/ranges.h>
#include <map>
#include <set>
#include <tuple>
#include <utility>

#include "configs/base/error.h"
#include "configs/evidence.h"
#include "launcher/accounts.h"
#include "launcher/attribution.h"
#include "launcher/dissent.h"

namespace understudy::launcher {
namespace {

using configs::Evidence;
using configs::Failed;
using configs::Phase;
using configs::ReceiptFailure;

// Whom the best account saw end, in the words of the watch.
std::optional<Casualty> seen_by_peers(const Watched& watched,
                                      const std::vector<Account>& accounts) {
  if (accounts.empty() || accounts.front().kind != ErrorKind::timeout) return std::nullopt;
  const Evidence evidence = accounts.front().evidence;
  if (evidence != Evidence::stopped && evidence != Evidence::gone) return std::nullopt;
  const std::optional<std::int64_t> rank = silent_rank({accounts.front()});
  if (!rank || *rank >= static_cast<std::int64_t>(watched.records.size())) return std::nullopt;
  Casualty casualty{*rank, std::string(evidence == Evidence::stopped ? kWasStopped : kWasKilled),
                    Phase::started, 0};
  if (const auto& record = watched.records[static_cast<std::size_t>(*rank)]) {
    casualty.phase = record->phase;
    casualty.op = record->op;
  }
  return casualty;
}

// Of the ranks that neither finished nor said why the one that went first: with the fewest
// collectives, then with the fewest heartbeats.
std::optional<Casualty> vanished(const Watched& watched) {
  using Life = std::tuple<bool, std::uint64_t, std::uint64_t>;
  std::optional<Life> shortest;
  std::optional<Casualty> casualty;
  for (std::size_t rank = 0; rank < watched.records.size(); ++rank) {
    const auto& record = watched.records[rank];
    if (record && record->phase == Phase::finished) continue;
    Life life{false, 0, 0};
    if (record)
      life = {last_of<Failed>(record) != nullptr,
              record->flight.empty() ? 0 : record->flight.back().sequence, record->heartbeat};
    if (shortest && *shortest <= life) continue;
    shortest = life;
    casualty = Casualty{static_cast<std::int64_t>(rank), "ended without a word", Phase::started, 0};
    if (!record) continue;
    casualty->phase = record->phase;
    casualty->op = record->op;
  }
  return casualty;
}

// Puts failures into words, with places in the program and on the slice.
class Teller {
 public:
  Teller(const Watched& watched, const configs::RunPlan& plan,
         const std::vector<configs::Chip>& chips, const OpBook& ops)
      : watched_(watched), plan_(plan), chips_(chips), ops_(ops), accounts_(accounts_in(watched)) {}

  const std::vector<Account>& accounts() const { return accounts_; }

  // The first account.
  Outcome told() const {
    const Account& first = accounts_.front();
    // Of what it only heard of, whoever it heard it of: that one may not have come to say it.
    const bool hearsay = first.kind != ErrorKind::timeout &&
                         first.evidence == Evidence::peer_gave_up &&
                         !first.failed->missing_ranks.empty();
    ReceiptFailure failure = about(hearsay ? first.failed->missing_ranks.front() : first.rank);
    failure.kind = name_of(first.kind);
    failure.phase = first.failed->phase;
    if (!first.failed->op.empty()) failure.op = first.failed->op;
    name_op(failure, first.rank, first.failed->op_index);
    failure.message = first.failed->message;
    if (!hearsay) failure.missing_ranks = first.failed->missing_ranks;
    failure.diagnosis = first.failed->diagnosis;
    if (!failure.diagnosis && first.kind == ErrorKind::timeout)
      failure.diagnosis = diagnosis_of_loss(first.evidence, phase_of_missing(first));
    failure.first_to_die = first.kind == ErrorKind::timeout ? silent_rank(accounts_) : failure.rank;
    if (first.evidence == Evidence::mismatch && !first.failed->op.empty())
      if (const auto odd = other_collective(watched_, first.rank)) blame(failure, *odd);
    return end(std::move(failure), first.kind);
  }

  // Some wait in a collective that the others, which have finished, will never enter.
  std::optional<Outcome> alone() const {
    const std::optional<Dissent> odd = left_alone(watched_, plan_);
    if (!odd) return std::nullopt;
    ReceiptFailure failure = about(odd->ranks.front());
    failure.kind = name_of(ErrorKind::timeout);
    failure.phase = name_of(Phase::programs_allowed);
    name_op(failure, odd->ranks.front(), odd->entry.op);
    failure.diagnosis = "collective-alone";
    failure.first_to_die = failure.rank;
    failure.missing_ranks = odd->others;
    failure.message = fmt::format(
        "{} (host {}) wait{} in {}, which nobody else enters: the other {} finished their program",
        ranks_text(odd->ranks), failure.host.value_or(0), odd->ranks.size() == 1 ? "s" : "",
        name_of(odd->entry), odd->others.size());
    return end(std::move(failure), ErrorKind::timeout);
  }

  Outcome lost(const Casualty& casualty) const {
    ReceiptFailure failure = about(casualty.rank);
    failure.kind = name_of(ErrorKind::timeout);
    failure.phase = name_of(casualty.phase);
    name_op(failure, casualty.rank, static_cast<std::int64_t>(casualty.op) - 1);
    // A worker that died between two operations is missed at one all the same.
    for (const Account& one : accounts_) {
      if (failure.op) break;
      if (!one.failed->op.empty()) failure.op = one.failed->op;
      name_op(failure, one.rank, one.failed->op_index);
    }
    failure.diagnosis = diagnosis_of_loss(end_of(casualty), casualty.phase);
    const bool early =
        end_of(casualty) == Evidence::gone && has_finished(watched_, plan_, casualty.rank);
    if (early) failure.diagnosis = "rank-left-early";
    failure.message =
        fmt::format("rank {} (host {}) {}", casualty.rank, failure.host.value_or(0), casualty.how);
    failure.first_to_die = casualty.rank;
    failure.missing_ranks = {casualty.rank};
    return end(std::move(failure), ErrorKind::timeout);
  }

 private:
  static std::string ranks_text(const std::vector<std::int64_t>& ranks) {
    constexpr std::size_t kMost = 8;
    const auto told = ranks.begin() + static_cast<std::ptrdiff_t>(std::min(kMost, ranks.size()));
    if (ranks.size() == 1) return fmt::format("rank {}", ranks.front());
    return fmt::format("ranks {}{}", fmt::join(ranks.begin(), told, ", "),
                       told == ranks.end() ? "" : ", ...");
  }

  // Of two sides the smaller one is looked at.
  void blame(ReceiptFailure& failure, const Dissent& odd) const {
    const ReceiptFailure side = about(odd.ranks.front());
    failure.rank = failure.first_to_die = side.rank;
    failure.host = side.host;
    failure.chip = side.chip;
    failure.place.reset();
    name_op(failure, odd.ranks.front(), odd.entry.op);
    failure.message += fmt::format("; {} alone differ{} from the other {}", ranks_text(odd.ranks),
                                   odd.ranks.size() == 1 ? "s" : "", odd.others.size());
  }

  static Evidence end_of(const Casualty& casualty) {
    if (casualty.how == kWasStopped) return Evidence::stopped;
    return casualty.how.starts_with(kStoodStill) ? Evidence::no_progress : Evidence::gone;
  }

  // How far the first of those that an account waited for had come.
  Phase phase_of_missing(const Account& account) const {
    if (account.failed->missing_ranks.empty()) return Phase::programs_allowed;
    const auto at = static_cast<std::size_t>(account.failed->missing_ranks.front());
    const bool known = at < watched_.records.size() && watched_.records[at];
    return known ? watched_.records[at]->phase : Phase::started;
  }

  ReceiptFailure about(std::int64_t rank) const {
    ReceiptFailure failure;
    failure.rank = rank;
    const auto at = static_cast<std::size_t>(rank);
    if (at < plan_.host_of.size()) failure.host = plan_.host_of[at].value;
    if (at < chips_.size()) failure.chip = chips_[at].id.value;
    return failure;
  }

  void name_op(ReceiptFailure& failure, std::int64_t rank, std::int64_t ordinal) const {
    const std::optional<OpBook::Entry> entry = ops_.find(rank, ordinal);
    if (!entry) return;
    failure.op = entry->name;
    if (entry->place) failure.place = entry->place;
  }

  // " on machine b", where the pod runs on several.
  std::string machine_of(std::size_t rank) const {
    std::set<std::string> machines;
    for (const auto& record : watched_.records)
      if (const auto* started = last_of<configs::Started>(record))
        machines.insert(started->machine);
    const auto* const started = last_of<configs::Started>(watched_.records[rank]);
    if (machines.size() < 2 || started == nullptr) return "";
    return " on machine " + started->machine;
  }

  // Where its flight recorder saw a missing rank last.
  std::optional<std::string> last_seen(std::int64_t rank) const {
    const auto at = static_cast<std::size_t>(rank);
    if (at >= watched_.records.size() || !watched_.records[at]) return std::nullopt;
    const bool fell = watched_.casualty && watched_.casualty->rank == rank;
    const std::vector<configs::FlightSeen>& flight =
        fell ? watched_.casualty->flight : watched_.records[at]->flight;
    const std::string who = fmt::format("rank {}{}", rank, machine_of(at));
    if (flight.empty()) return who + " entered no collective";
    const configs::FlightSeen& last = flight.back();
    const std::optional<std::string> place = ops_.place(rank, last.op);
    const std::string where = place ? " at " + *place : "";
    if (!last.done_ns) return fmt::format("{} was last seen in {}{}", who, name_of(last), where);
    return fmt::format("{} left {}{} and entered no other collective", who, name_of(last), where);
  }

  Outcome end(ReceiptFailure failure, ErrorKind kind) const {
    attribute(failure);
    std::vector<std::string> notes =
        notes_of(accounts_, failure.rank.value_or(-1), failure.message);
    std::set<std::int64_t> missing(failure.missing_ranks.begin(), failure.missing_ranks.end());
    if (kind == ErrorKind::timeout && failure.first_to_die) missing.insert(*failure.first_to_die);
    constexpr std::size_t kMostTold = 8;
    for (const std::int64_t rank : missing) {
      if (notes.size() >= kMostTold) break;
      if (std::optional<std::string> seen = last_seen(rank)) notes.push_back(std::move(*seen));
    }
    return {exit_code_of(kind), std::move(failure), std::move(notes)};
  }

  const Watched& watched_;
  const configs::RunPlan& plan_;
  const std::vector<configs::Chip>& chips_;
  const OpBook& ops_;
  std::vector<Account> accounts_;
};

Outcome not_started(const std::string& mpirun_output) {
  ReceiptFailure failure;
  failure.kind = name_of(ErrorKind::system);
  failure.phase = "start";
  failure.message = "mpirun started no worker";
  failure.diagnosis = "workers-did-not-start";
  attribute(failure);
  Outcome outcome{exit_code_of(ErrorKind::system), std::move(failure), {}};
  if (!mpirun_output.empty()) outcome.notes.push_back("mpirun said:\n" + mpirun_output);
  return outcome;
}

Outcome interrupted(int number) {
  ReceiptFailure failure;
  failure.kind = "interrupted";
  failure.message = fmt::format("interrupted by SIG{}", sigabbrev_np(number));
  return {kSignalled + number, std::move(failure), {}};
}

}  // namespace

Outcome outcome_of(const Watched& watched, const configs::RunPlan& plan,
                   const std::vector<configs::Chip>& chips, const OpBook& ops,
                   const std::string& mpirun_output) {
  if (watched.interrupted) return interrupted(*watched.interrupted);
  const Teller teller(watched, plan, chips, ops);
  const std::vector<Account>& accounts = teller.accounts();
  const bool caused = !accounts.empty() && accounts.front().kind != ErrorKind::timeout;
  if (!caused && watched.casualty) return teller.lost(*watched.casualty);
  if (const std::optional<Casualty> casualty = seen_by_peers(watched, accounts))
    return teller.lost(*casualty);
  const bool waited = !accounts.empty() && accounts.front().evidence == Evidence::no_progress;
  if (waited)
    if (std::optional<Outcome> alone = teller.alone()) return *std::move(alone);
  if (!accounts.empty()) return teller.told();
  if (std::none_of(watched.records.begin(), watched.records.end(),
                   [](const auto& record) { return record.has_value(); }))
    return not_started(mpirun_output);
  if (const std::optional<Casualty> casualty = vanished(watched)) return teller.lost(*casualty);
  return {};
}

std::string failure_text(const Outcome& outcome) {
  const ReceiptFailure& failure = *outcome.failure;
  std::string text = "understudy: error: " + failure.message;
  for (const std::string& note : outcome.notes) text += "\n  note: " + note;
  if (failure.rank)
    text += fmt::format("\n  rank {}, host {}, phase {}", *failure.rank, failure.host.value_or(0),
                        failure.phase.value_or("unknown"));
  else if (failure.host)
    text += fmt::format("\n  host {}, phase {}", *failure.host, failure.phase.value_or("unknown"));
  if (failure.op)
    text += fmt::format("\n  operation {}{}", *failure.op,
                        failure.place ? " at " + *failure.place : "");
  if (failure.first_to_die) text += fmt::format("\n  first to die: rank {}", *failure.first_to_die);
  if (failure.layer && failure.advice)
    text += fmt::format("\n  layer: {}\n  advice: {}", *failure.layer, *failure.advice);
  return text;
}

}  // namespace understudy::launcher
