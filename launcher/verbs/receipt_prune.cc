// SPDX-License-Identifier: Apache-2.0
#include <CLI/CLI.hpp>
#include <ctime>
#include <fmt/format.h>
#include <optional>

#include "configs/report/command_documents.h"
#include "launcher/options/ranges.h"
#include "launcher/process/console.h"
#include "launcher/process/environment.h"
#include "launcher/run/receipt/receipt_retention.h"
#include "launcher/verbs.h"

namespace understudy::launcher {
namespace {

// Every run prunes with the same rule when it stores its receipt; this verb is for other limits,
// and for --dry-run.
class Prune final : public Command {
 public:
  void declare(CLI::App& app) override {
    app.add_option("--keep", newest_,
                   "keep the newest N receipts (UNDERSTUDY_RECEIPT_KEEP_NEWEST, else 1000)")
        ->type_name("N")
        ->check(at_least(0));
    app.add_option("--days", days_,
                   "keep receipts of the last N days (UNDERSTUDY_RECEIPT_KEEP_DAYS, else 30); "
                   "receipts outside both limits are removed")
        ->type_name("N")
        ->check(at_least(0));
    app.add_flag("--json", json_, "print JSON (understudy/receipt-prune/1)");
    app.add_flag("--dry-run", dry_run_, "print the receipts that would be removed, and exit");
  }

  int run(const Console& console, const Environment& environment) override {
    PruneRequest request;
    request.rule = receipt_rule(environment);
    request.rule.newest = newest_.value_or(request.rule.newest);
    request.rule.days = days_.value_or(request.rule.days);
    // Given as a value, so that tests choose the time.
    request.now = std::time(nullptr);
    request.dry_run = dry_run_;
    const std::string folder = receipt_folder(environment);
    const PrunedReceipts pruned = prune_receipts(folder, request);
    if (json_) {
      console.document(to_json(configs::ReceiptPrune{folder, pruned.removed, pruned.removed_bytes,
                                                     pruned.kept, dry_run_}));
      return 0;
    }
    for (const std::string& path : pruned.removed) console.result(path);
    console.remark(fmt::format("{} {} receipts ({} bytes), kept {} in {}",
                               dry_run_ ? "would remove" : "removed", pruned.removed.size(),
                               pruned.removed_bytes, pruned.kept, folder));
    return 0;
  }

 private:
  std::optional<std::uint64_t> newest_, days_;
  bool dry_run_ = false, json_ = false;
};

}  // namespace

std::unique_ptr<Command> make_receipt_prune() { return std::make_unique<Prune>(); }

}  // namespace understudy::launcher
