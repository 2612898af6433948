// SPDX-License-Identifier: Apache-2.0
#include "configs/receipt/receipt.h"

#include <CLI/CLI.hpp>
#include <filesystem>
#include <optional>

#include "configs/base/error.h"
#include "configs/base/file.h"
#include "configs/receipt/restore_proof.h"
#include "configs/report/command_documents.h"
#include "launcher/page/receipt_page.h"
#include "launcher/process/console.h"
#include "launcher/run/receipt_text.h"
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

class Diff final : public Command {
 public:
  void declare(CLI::App& app) override {
    app.add_option("COLD", cold_, "receipt of the run that filled the cache")->type_name("");
    app.add_option("RESTORED", restored_, "receipt of a later run")->type_name("");
    app.add_flag("--json", json_, "print JSON (understudy/receipt-diff/1)");
  }

  int run(const Console& console, const Environment&) override {
    if (cold_.empty() || restored_.empty())
      throw Error(ErrorKind::usage, "receipt diff requires two receipts")
          .note("understudy receipt diff --help shows an example");
    const configs::Receipt cold = read(cold_), restored = read(restored_);
    configs::RestoreProof proof = configs::prove_restore(cold, restored);
    proof.fields = configs::differences_of(cold, restored);
    print(console, json_ ? to_json(proof) : text_of(proof));
    return proof.verdict == configs::RestoreVerdict::proven ? 0 : exit_code_of(ErrorKind::check);
  }

 private:
  std::string cold_, restored_;
  bool json_ = false;
};

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

class Html final : public Command {
 public:
  void declare(CLI::App& app) override {
    app.add_option("RECEIPT", path_, "receipt file")->type_name("");
    app.add_option("--out", out_, "output file (default: beside the receipt, with suffix .html)")
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
