// SPDX-License-Identifier: Apache-2.0
// What a new user sees first: ranges, quiet runs, outputs that cannot be written, folders without a
// manifest, and the line that shows a start.
#include <CLI/CLI.hpp>
#include <filesystem>
#include <fstream>
#include <gmock/gmock.h>
#include <unistd.h>

#include "configs/base/error.h"
#include "configs/launch/run_plan.h"
#include "launcher/options/ranges.h"
#include "launcher/pod/progress_line.h"
#include "launcher/pod/watch.h"
#include "launcher/process/console.h"
#include "launcher/run/plan_run.h"
#include "launcher/run/probe_outputs.h"

namespace understudy::launcher {
namespace {

using testing::AllOf;
using testing::HasSubstr;

std::string checked(const CLI::Validator& range, std::string word) { return range(word); }

TEST(Range, OfWholeNumbersIsGivenAsPeopleWriteIt) {
  EXPECT_EQ(checked(at_least(1), "0"), "expected a whole number, at least 1, got 0");
  EXPECT_EQ(checked(at_least(0), "-1"), "expected a whole number, at least 0, got -1");
  EXPECT_EQ(checked(at_least(0), ""), "expected a whole number, at least 0, got nothing");
  EXPECT_EQ(checked(between(1, 999), "999"), "");
  EXPECT_EQ(checked(between(1, 999), "0"), "expected a whole number, from 1 to 999, got 0");
  EXPECT_EQ(checked(between(1, 999), "1000"), "expected a whole number, from 1 to 999, got 1000");
  for (const char* word : {"1.5", "1e3", "99999999999999999999", "x", "+-3", " 3"})
    EXPECT_THAT(checked(at_least(1), word), HasSubstr("got " + std::string(word)));
  for (const char* word : {"1", "+7", "9223372036854775807"})
    EXPECT_EQ(checked(at_least(1), word), "") << word;
}

TEST(Range, OfNumbersIsFinite) {
  EXPECT_EQ(checked(more_than_zero(), "0"), "expected a number greater than 0, got 0");
  EXPECT_EQ(checked(not_negative(), "-0.5"), "expected a number, at least 0, got -0.5");
  for (const char* word : {"nan", "inf", "1e999", "one"}) {
    EXPECT_NE(checked(more_than_zero(), word), "") << word;
    EXPECT_NE(checked(not_negative(), word), "") << word;
  }
  EXPECT_EQ(checked(more_than_zero(), "1e-9"), "");
  EXPECT_EQ(checked(not_negative(), "0"), "");
}

class Folder {
 public:
  Folder() {
    std::string name = std::filesystem::temp_directory_path() / "manners-XXXXXX";
    path_ = ::mkdtemp(name.data());
  }
  ~Folder() { std::filesystem::remove_all(path_); }
  Folder(const Folder&) = delete;
  Folder& operator=(const Folder&) = delete;
  std::string file(const std::string& name) const { return path_ + "/" + name; }

 private:
  std::string path_;
};

template <class Action>
std::string error_of(const Action& action, ErrorKind kind) {
  try {
    action();
  } catch (const Error& error) {
    EXPECT_EQ(error.kind(), kind);
    return error.text();
  }
  return "no error";
}

TEST(Probe, RefusesOutputsThatCannotBeWrittenWithTheirOption) {
  const Folder folder;
  std::ofstream(folder.file("plain")) << "x";
  EXPECT_THAT(error_of([&] { probe_folder("--out", folder.file("plain")); }, ErrorKind::system),
              HasSubstr("--out: cannot make the folder"));
  EXPECT_THAT(error_of([] { probe_folder("--out", "/proc/none"); }, ErrorKind::system),
              HasSubstr("nothing was started"));
  EXPECT_THAT(
      error_of([&] { probe_file("--receipt", folder.file("plain/r.json")); }, ErrorKind::system),
      HasSubstr("--receipt: "));
  EXPECT_THAT(error_of([&] { probe_file("--receipt", folder.file("")); }, ErrorKind::usage),
              HasSubstr("is a folder, not a file"));
}

TEST(Probe, LeavesNothingButMissingFolders) {
  const Folder folder;
  probe_folder("--out", "");
  probe_file("--receipt", "/dev/stdout");
  probe_file("--receipt", folder.file("new/r.json"));
  EXPECT_TRUE(std::filesystem::is_empty(folder.file("new")));
}

TEST(Program, FolderWithoutAManifestIsToldWaysToMakeOne) {
  const Folder folder;
  RunOptions options;
  options.program = folder.file("");
  const auto load = [&] { (void)load_program(options); };
  EXPECT_THAT(error_of(load, ErrorKind::input),
              AllOf(HasSubstr("has no manifest.json"), HasSubstr("understudy.export("),
                    HasSubstr("understudy export MODULE:FACTORY")));
  std::ofstream(folder.file("step.mlir")) << "module {}";
  EXPECT_THAT(error_of(load, ErrorKind::input), HasSubstr("step.mlir"));
}

// What a progress line writes for the numbers of chips that are up.
std::string drawn(bool on_terminal, int verbosity, const std::vector<ChipsSeen>& seen) {
  char* text = nullptr;
  std::size_t size = 0;
  Console console;
  console.err = open_memstream(&text, &size);
  console.err_terminal = on_terminal;
  console.verbosity = verbosity;
  configs::RunPlan plan;
  plan.chips = 256;
  plan.slice = "v6e-256";
  plan.steps = 2;
  {
    ProgressLine line(console, plan, Seconds(0));
    for (const ChipsSeen& chips : seen) line.show(0, chips);
  }
  std::fclose(console.err);
  std::string result(text, size);
  std::free(text);
  return result;
}

TEST(ProgressLine, ShowsHowManyChipsAreUp) {
  EXPECT_EQ(drawn(true, 0, {{3, 0}, {3, 0}, {256, 200}, {256, 256}}),
            "\r\x1b[Kv6e-256: 3 of 256 chips have started, 0 are up"
            "\r\x1b[Kv6e-256: 256 of 256 chips have started, 200 are up"
            "\r\x1b[K256 chips of v6e-256: step 1 of 2\r\x1b[K");
  EXPECT_EQ(drawn(false, 0, {{255, 37}, {256, 256}}),
            "v6e-256: 255 of 256 chips have started, 37 are up after 0 s\n");
  EXPECT_EQ(drawn(true, -1, {{0, 0}, {256, 256}}) + drawn(false, -1, {{0, 0}}), "");
}

}  // namespace
}  // namespace understudy::launcher
