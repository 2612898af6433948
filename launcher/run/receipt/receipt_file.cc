// SPDX-License-Identifier: Apache-2.0
#include "launcher/run/receipt/receipt_file.h"

#include <ctime>
#include <filesystem>
#include <fmt/format.h>
#include <system_error>

#include "configs/base/digest.h"
#include "configs/base/file.h"
#include "configs/base/log.h"
#include "launcher/process/environment.h"
#include "launcher/run/receipt/receipt_retention.h"

namespace understudy::launcher {
namespace {

void write(const std::string& path, const std::string& text) {
  namespace fs = std::filesystem;
  std::error_code code;
  const fs::path parent = fs::path(path).parent_path();
  if (!parent.empty()) fs::create_directories(parent, code);
  if (code) throw file_error("make", parent.string(), code.value());
  write_file_atomically(path, std::string_view(text));
}

std::string told_of(const configs::Receipt& receipt, const std::string& text, const Error& error) {
  std::string failure;
  if (const configs::ReceiptFailure* const failed = receipt.failure())
    failure = fmt::format(", {}: {}", name_of(*failed->kind), failed->message);
  return fmt::format(
      "understudy: error: the receipt could not be written: {}\n"
      "  contents: {}, exit code {}{}\n"
      "  digest: {} ({} bytes)",
      error.message(), receipt.verdict, receipt.exit_code, failure, digest_of(text), text.size());
}

// Cheap in the usual case: while there are fewer receipts than the limit, the folder is only
// listed.
void prune(const Environment& environment) {
  constexpr std::size_t kMost =
      1000;  // removals per run, to bound the delay; later runs remove the rest
  try {
    (void)prune_receipts(receipt_folder(environment),
                         {receipt_rule(environment), std::time(nullptr), false, kMost});
  } catch (const Error& error) {
    log_warn("cannot remove old receipts: " + error.message());
  }
}

}  // namespace

// Never throws for a write error: the run is over, and its outcome must still be reported.
StoredReceipt store_receipt(const Environment& environment, const std::string& wanted,
                            const configs::Receipt& receipt) {
  StoredReceipt stored;
  const std::string path =
      wanted.empty() ? fmt::format("{}/{}.json", receipt_folder(environment), receipt.run_id)
                     : wanted;
  const std::string text = configs::to_json(receipt);
  try {
    write(path, text);
    stored.path = path;
  } catch (const Error& error) {
    stored.error = error;
    stored.told = told_of(receipt, text, error);
  }
  // Receipts at a path of the user's choice are the user's to remove.
  if (wanted.empty()) prune(environment);
  return stored;
}

int exit_code_with(const StoredReceipt& stored, int exit_code) {
  return exit_code == 0 && stored.error ? exit_code_of(stored.error->kind()) : exit_code;
}

}  // namespace understudy::launcher
