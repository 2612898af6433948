// SPDX-License-Identifier: Apache-2.0
#include "configs/receipt/receipt.h"

#include <CLI/CLI.hpp>
#include <filesystem>
#include <optional>

#include "configs/base/error.h"
#include "configs/base/file.h"
#include "configs/receipt/preflight/preflight_diff.h"
#include "configs/receipt/restore_proof.h"
#include "configs/report/command_documents.h"
#include "launcher/page/receipt_page.h"
#include "launcher/preflight/preflight.h"
#include "launcher/process/console.h"
#include "launcher/run/receipt/receipt_text.h"
#include "launcher/verbs.h"

namespace understudy::launcher {
namespace {

configs::Receipt read(const std::string& path) {
  return configs::read_receipt(read_text_file(path), path);
}

void print(const Console& console, std::string text) {
  while (text.ends_with('\n')) text.pop_back();
  console.result(text);
}

// Compares two receipts, or two pre-flights; the documents decide which, not an option.
class Diff final : public Command {
 public:
  void declare(CLI::App& app) override {
    app.add_option("COLD", cold_, "receipt of the run that filled the cache, or a pre-flight")
        ->type_name("");
    app.add_option("RESTORED", restored_, "receipt of a later run, or a later pre-flight")
        ->type_name("");
    app.add_flag(
        "--json", json_,
        "print JSON (understudy/receipt-diff/1, of pre-flights understudy/preflight-diff/1)");
  }

  int run(const Console& console, const Environment&) override {
    if (cold_.empty() || restored_.empty())
      throw Error(ErrorKind::usage, "receipt diff requires two receipts")
          .note("understudy receipt diff --help shows an example");
    if (const auto code = compare_preflights(console)) return *code;
    const configs::Receipt cold = read(cold_), restored = read(restored_);
    configs::RestoreProof proof = configs::prove_restore(cold, restored);
    proof.fields = configs::differences_of(cold, restored);
    print(console, json_ ? to_json(proof) : text_of(proof));
    return proof.verdict == configs::RestoreVerdict::proven ? 0 : exit_code_of(ErrorKind::check);
  }

 private:
  // Two documents of `preflight --json`: what another libtpu, profile or program changed.
  // nullopt: neither is one, so both are receipts of runs. Returns the exit code otherwise.
  std::optional<int> compare_preflights(const Console& console) const {
    const std::string then = read_text_file(cold_), now = read_text_file(restored_);
    const bool first = configs::is_preflight(then, cold_);
    const bool second = configs::is_preflight(now, restored_);
    if (!first && !second) return std::nullopt;
    const auto changes = configs::changes_between(preflight_in(then, cold_, first),
                                                  preflight_in(now, restored_, second));
    print(console,
          json_ ? configs::to_json(configs::PreflightDiff{changes}) : changes_text(changes));
    return changes.empty() ? 0 : exit_code_of(ErrorKind::check);
  }

  // A receipt of `rehearse --preflight` has one as well.
  static configs::Preflight preflight_in(const std::string& text, const std::string& path,
                                         bool is_one) {
    if (is_one) return configs::read_preflight(text, path);
    configs::Receipt receipt = configs::read_receipt(text, path);
    if (receipt.preflight) return std::move(*receipt.preflight);
    throw Error(ErrorKind::input, path + ": the receipt has no pre-flight")
        .note("understudy rehearse --preflight writes one");
  }

  std::string cold_, restored_;
  bool json_ = false;
};

// Reading validates the document; --json prints it in the current schema, whatever its version was.
class Show final : public Command {
 public:
  void declare(CLI::App& app) override {
    app.add_option("RECEIPT", path_, "receipt file")->type_name("");
    app.add_flag("--json", json_, "print JSON (understudy/receipt/2)");
  }

  int run(const Console& console, const Environment&) override {
    if (path_.empty()) throw Error(ErrorKind::usage, "receipt show requires a receipt file");
    const configs::Receipt receipt = read(path_);
    std::string text = json_ ? to_json(receipt) : receipt_text(receipt, console);
    print(console, std::move(text));
    return 0;
  }

 private:
  std::string path_;
  bool json_ = false;
};

// The page is one file without external resources, so it can be mailed or kept in CI artifacts.
class Html final : public Command {
 public:
  void declare(CLI::App& app) override {
    app.add_option("RECEIPT", path_, "receipt file")->type_name("");
    app.add_option("--out", out_, "output file (default: next to the receipt, with suffix .html)")
        ->type_name("FILE");
    app.add_option("--drill", drill_, "output of `rehearse --drill --json`; adds its table")
        ->type_name("FILE");
    app.add_option("--cold", cold_,
                   "receipt of the run that filled the cache; adds the restore proof")
        ->type_name("FILE");
    app.add_flag("--json", json_, "print JSON (understudy/page/1)");
  }

  int run(const Console& console, const Environment&) override {
    if (path_.empty()) throw Error(ErrorKind::usage, "receipt html requires a receipt file");
    std::optional<configs::Receipt> cold;
    if (!cold_.empty()) cold = read(cold_);
    std::optional<configs::DrillReport> drill;
    if (!drill_.empty()) drill = configs::read_drill_report(read_text_file(drill_), drill_);
    const std::string page = receipt_page(read(path_), cold, drill);
    const std::string out =
        out_.empty() ? std::filesystem::path(path_).replace_extension(".html").string() : out_;
    write_file_atomically(out, std::string_view(page));
    json_ ? console.document(to_json(configs::PageWritten{out, page.size()})) : console.result(out);
    return 0;
  }

 private:
  std::string path_, out_, cold_, drill_;
  bool json_ = false;
};

}  // namespace

std::unique_ptr<Command> make_receipt_html() { return std::make_unique<Html>(); }
std::unique_ptr<Command> make_receipt_diff() { return std::make_unique<Diff>(); }
std::unique_ptr<Command> make_receipt_show() { return std::make_unique<Show>(); }

}  // namespace understudy::launcher
