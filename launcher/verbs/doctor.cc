// SPDX-License-Identifier: Apache-2.0
#include <CLI/CLI.hpp>
#include <fmt/format.h>
#include <optional>
#include <string>

#include "configs/base/error.h"
#include "configs/launch/joined_slices.h"
#include "configs/launch/topology.h"
#include "configs/report/command_documents.h"
#include "launcher/doctor/checks.h"
#include "launcher/options/slice_options.h"
#include "launcher/process/console.h"
#include "launcher/process/fold.h"
#include "launcher/verbs.h"

namespace understudy::launcher {
namespace {

struct Seen {
  std::string_view check;
  Finding finding;
};

std::string json_of(const SliceNeeds& needs, const std::vector<Seen>& all, bool ready) {
  configs::DoctorReport report{needs.slice, ready, {}};
  for (const Seen& seen : all) {
    const Finding& finding = seen.finding;
    report.findings.push_back(
        {std::string(seen.check), std::string(name_of(finding.health)), finding.text,
         finding.remedy.empty() ? std::nullopt : std::optional(finding.remedy)});
  }
  return to_json(report);
}

// Findings and remedies stand in one column. A remedy is not folded: it may hold a command.
constexpr std::size_t kTextColumn = 27;

std::string in_column(const std::string& text) {
  std::string lines = folded(text, kLineColumns - kTextColumn, 0);
  for (std::size_t at = lines.find('\n'); at != lines.npos; at = lines.find('\n', at + 1))
    lines.insert(at + 1, kTextColumn, ' ');
  return lines;
}

void print(const Console& console, const SliceNeeds& needs, const std::vector<Seen>& all,
           bool ready) {
  // Indexed by Health: good, doubtful, bad.
  constexpr Tint kTints[] = {Tint::green, Tint::yellow, Tint::red};
  for (const Seen& seen : all) {
    const std::string health = fmt::format("{:<8}", name_of(seen.finding.health));
    console.result(
        fmt::format("{} {:<17} {}",
                    console.tinted(kTints[static_cast<std::size_t>(seen.finding.health)], health),
                    seen.check, in_column(seen.finding.text)));
    if (!seen.finding.remedy.empty())
      console.result(fmt::format("{:<{}}remedy: {}", "", kTextColumn, seen.finding.remedy));
  }
  console.result(ready ? fmt::format("this machine is ready for {}", needs.slice)
                       : fmt::format("this machine is not ready for {}", needs.slice));
}

class Doctor final : public Command {
 public:
  void declare(CLI::App& app) override {
    declare_slice(app, slice_);
    app.add_flag("--json", json_, "print JSON (understudy/doctor/1)");
  }

  int run(const Console& console, const Environment& environment) override {
    // One host of the default chip, the smallest pod with collectives that most users start with.
    if (slice_.request.slice.empty() && slice_.request.chip.empty()) slice_.request.slice = "v6e-8";
    const configs::Slice slice = configs::make_joined(request_of(slice_));
    const SliceNeeds needs{configs::joined_name(slice.slices, slice.name),
                           static_cast<std::int64_t>(slice.chips.size()), slice.chip.hbm_bytes};
    const MachineFacts facts = machine_facts(environment);
    std::vector<Seen> all;
    bool ready = true;
    // All checks run, even after a bad one: the user can repair everything before trying again.
    for (const Check& check : checks()) {
      all.push_back({check.name, check.look(facts, needs)});
      if (all.back().finding.health == Health::bad) ready = false;
    }
    if (json_) {
      console.document(json_of(needs, all, ready));
    } else {
      print(console, needs, all, ready);
    }
    return ready ? 0 : exit_code_of(ErrorKind::check);
  }

 private:
  SliceOptions slice_;
  bool json_ = false;
};

}  // namespace

std::unique_ptr<Command> make_doctor() { return std::make_unique<Doctor>(); }

}  // namespace understudy::launcher
