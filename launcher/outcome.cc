// SPDX-License-Identifier: Apache-2.0
#include "launcher/outcome.h"

#include <algorithm>
#include <csignal>
#include <fmt/format.h>
#include <map>

#include "configs/base/error.h"
#include "program/compile.h"

namespace understudy::launcher {
namespace {

using configs::Failed;
using configs::Phase;
using configs::ReceiptFailure;

// One worker's own account of its end.
struct Account {
  std::int64_t rank;
  const Failed* failed;
  ErrorKind kind;
};

// A failure that others caused comes after one that caused it, then the lowest rank.
int order_of(ErrorKind kind) {
  if (kind == ErrorKind::timeout) return 2;
  return kind == ErrorKind::protocol ? 1 : 0;
}

// What a worker said of its end, but for "interrupted": that is the launcher's or mpirun's clearing
// up after somebody else's end, which may wake a stopped worker for its last words.
const Failed* last_words(const std::optional<configs::RecordContent>& record) {
  const Failed* const failed = last_of<Failed>(record);
  return failed != nullptr && failed->kind == "interrupted" ? nullptr : failed;
}

std::vector<Account> accounts_in(const Watched& watched) {
  std::vector<Account> all;
  for (std::size_t rank = 0; rank < watched.records.size(); ++rank)
    if (const Failed* failed = last_words(watched.records[rank]))
      all.push_back({static_cast<std::int64_t>(rank), failed,
                     error_kind_of(failed->kind).value_or(ErrorKind::internal)});
  std::stable_sort(all.begin(), all.end(), [](const Account& a, const Account& b) {
    return order_of(a.kind) < order_of(b.kind);
  });
  return all;
}

// What the others said, the same words once.
std::vector<std::string> notes_of(const std::vector<Account>& accounts, std::int64_t but) {
  std::map<std::string, std::vector<std::int64_t>> by_message;
  for (const Account& one : accounts)
    if (one.rank != but) by_message[one.failed->message].push_back(one.rank);
  std::vector<std::string> notes;
  for (const auto& [message, ranks] : by_message) {
    const std::string more = ranks.size() == 1 ? "" : fmt::format(" and {} more", ranks.size() - 1);
    notes.push_back(fmt::format("rank {}{}: {}", ranks.front(), more, message));
  }
  return notes;
}

// Who was waited for and said nothing itself.
std::optional<std::int64_t> silent_rank(const std::vector<Account>& accounts) {
  const auto spoke = [&](std::int64_t rank) {
    return std::any_of(accounts.begin(), accounts.end(),
                       [&](const Account& one) { return one.rank == rank; });
  };
  for (const Account& one : accounts)
    for (const std::int64_t rank : one.failed->missing_ranks)
      if (!spoke(rank)) return rank;
  return std::nullopt;
}

// The lowest rank that neither finished nor said why.
std::optional<Casualty> vanished(const Watched& watched) {
  for (std::size_t rank = 0; rank < watched.records.size(); ++rank) {
    const auto& record = watched.records[rank];
    if (record && record->phase == Phase::finished) continue;
    Casualty casualty{static_cast<std::int64_t>(rank), "ended without a word", Phase::started, 0};
    if (record) {
      casualty.phase = record->phase;
      casualty.op = record->op;
    }
    return casualty;
  }
  return std::nullopt;
}

// Puts failures into words, with places in the program and on the slice.
class Teller {
 public:
  Teller(const Watched& watched, const configs::RunPlan& plan,
         const std::vector<configs::Chip>& chips, const program::Module& module)
      : plan_(plan), chips_(chips), module_(module), accounts_(accounts_in(watched)) {}

  const std::vector<Account>& accounts() const { return accounts_; }

  // The first account.
  Outcome told() const {
    const Account& first = accounts_.front();
    ReceiptFailure failure = about(first.rank);
    failure.kind = name_of(first.kind);
    failure.phase = first.failed->phase;
    if (!first.failed->op.empty()) failure.op = first.failed->op;
    name_op(failure, first.failed->op_index);
    failure.message = first.failed->message;
    failure.missing_ranks = first.failed->missing_ranks;
    failure.first_to_die =
        first.kind == ErrorKind::timeout ? silent_rank(accounts_) : std::optional(first.rank);
    return end(std::move(failure), first.kind);
  }

  Outcome lost(const Casualty& casualty) const {
    ReceiptFailure failure = about(casualty.rank);
    failure.kind = name_of(ErrorKind::timeout);
    failure.phase = name_of(casualty.phase);
    name_op(failure, static_cast<std::int64_t>(casualty.op) - 1);
    // A worker that died between two operations is missed at one all the same.
    for (const Account& one : accounts_) {
      if (failure.op) break;
      if (!one.failed->op.empty()) failure.op = one.failed->op;
      name_op(failure, one.failed->op_index);
    }
    failure.message =
        fmt::format("rank {} (host {}) {}", casualty.rank, failure.host.value_or(0), casualty.how);
    failure.first_to_die = casualty.rank;
    failure.missing_ranks = {casualty.rank};
    return end(std::move(failure), ErrorKind::timeout);
  }

 private:
  ReceiptFailure about(std::int64_t rank) const {
    ReceiptFailure failure;
    failure.rank = rank;
    const auto at = static_cast<std::size_t>(rank);
    if (at < plan_.host_of.size()) failure.host = plan_.host_of[at].value;
    if (at < chips_.size()) failure.chip = chips_[at].id.value;
    return failure;
  }

  void name_op(ReceiptFailure& failure, std::int64_t ordinal) const {
    const std::vector<const program::Operation*> operations = program::operations_in_order(module_);
    if (ordinal < 0 || ordinal >= static_cast<std::int64_t>(operations.size())) return;
    const program::Operation& op = *operations[static_cast<std::size_t>(ordinal)];
    failure.op = op.name;
    const SourcePlace place = program::place_of(op.location);
    if (!place.path.empty()) failure.place = understudy::text_of(place);
  }

  Outcome end(ReceiptFailure failure, ErrorKind kind) const {
    std::vector<std::string> notes = notes_of(accounts_, failure.rank.value_or(-1));
    return {exit_code_of(kind), std::move(failure), std::move(notes)};
  }

  const configs::RunPlan& plan_;
  const std::vector<configs::Chip>& chips_;
  const program::Module& module_;
  std::vector<Account> accounts_;
};

Outcome not_started(const std::string& mpirun_output) {
  ReceiptFailure failure;
  failure.kind = name_of(ErrorKind::system);
  failure.phase = "start";
  failure.message = "mpirun started no worker";
  Outcome outcome{exit_code_of(ErrorKind::system), std::move(failure), {}};
  if (!mpirun_output.empty()) outcome.notes.push_back("mpirun said:\n" + mpirun_output);
  return outcome;
}

Outcome interrupted(int number) {
  constexpr int kSignalled = 128;
  ReceiptFailure failure;
  failure.kind = "interrupted";
  failure.message = fmt::format("interrupted by {}", number == SIGINT ? "SIGINT" : "SIGTERM");
  return {kSignalled + (number == SIGINT ? SIGINT : SIGTERM), std::move(failure), {}};
}

}  // namespace

Outcome outcome_of(const Watched& watched, const configs::RunPlan& plan,
                   const std::vector<configs::Chip>& chips, const program::Module& module,
                   const std::string& mpirun_output) {
  if (watched.interrupted) return interrupted(*watched.interrupted);
  const Teller teller(watched, plan, chips, module);
  const bool told = !teller.accounts().empty();
  const bool caused = told && teller.accounts().front().kind != ErrorKind::timeout;
  if (!caused && watched.casualty) {
    const auto rank = static_cast<std::size_t>(watched.casualty->rank);
    if (last_words(watched.records[rank]) == nullptr) return teller.lost(*watched.casualty);
  }
  if (told) return teller.told();
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
  if (failure.op)
    text += fmt::format("\n  operation {}{}", *failure.op,
                        failure.place ? " at " + *failure.place : "");
  if (failure.first_to_die) text += fmt::format("\n  first to die: rank {}", *failure.first_to_die);
  return text;
}

}  // namespace understudy::launcher
