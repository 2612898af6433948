// SPDX-License-Identifier: Apache-2.0
// Whole pre-flights with the fake library: one bad thing does not hide the others.
#include "launcher/preflight/preflight.h"

#include <algorithm>
#include <csignal>
#include <cstdio>
#include <gmock/gmock.h>
#include <gtest/gtest.h>
#include <map>

#include "configs/base/file.h"
#include "launcher/process/console.h"
#include "launcher/process/subprocess.h"
#include "launcher/rehearse/display.h"
#include "launcher/rehearse/preflight_rung.h"
#include "tests/configs/schema_checker.h"
#include "tests/preflight/preflight_testing.h"

namespace understudy::launcher {
namespace {

using ::testing::Contains;
using ::testing::HasSubstr;
using ::testing::IsEmpty;

Console silent() {
  Console console;
  console.verbosity = -1;
  return console;
}

// Programs by the word that they say to the fake library.
PreflightOptions options_for(const World& world, const std::vector<std::string>& words,
                             const std::string& flags = "[\"--xla_tpu_good=1\"]") {
  PreflightOptions options;
  options.run.profile.profile =
      world.write("flags.json",
                  "{\"schema\": \"understudy/profile/1\", \"name\": \"flags\", \"summary\": "
                  "\"of a test\", \"extends\": \"steady\", \"launch\": {\"libtpu_init_args\": " +
                      flags + "}, \"diag\": {\"abort_on_hangs\": false}}");
  options.compiler.libtpu = kFake;
  for (const std::string& word : words) {
    RunOptions run = options.run;
    run.program = world.write(word + ".mlir", program_that_says(word));
    options.programs.emplace_back(word, run);
  }
  return options;
}

configs::Preflight run(const World& world, const PreflightOptions& options,
                       const std::string& slice = "v6e-1") {
  SignalQueue signals;
  return preflight(options, slice_named(slice), world.environment(), silent(), signals);
}

TEST(Preflight, ProvesAProgramThatCompilesAndFits) {
  const World world;
  const configs::Preflight seen = run(world, options_for(world, {"hello"}));
  EXPECT_EQ(seen.claim, "proven") << seen.why;
  EXPECT_EQ(seen.exit_code, 0);
  ASSERT_EQ(seen.programs.size(), 1U);
  const configs::PreflightProgram& program = seen.programs[0];
  EXPECT_EQ(program.status, "compiles");
  EXPECT_EQ(program.topology, "v6e:1x1");
  ASSERT_TRUE(program.memory);
  // 4096 + 2048 - 1024 + 512 + 256
  EXPECT_EQ(program.memory->total, 5888U);
  ASSERT_TRUE(program.memory->predicted);
  ASSERT_TRUE(program.memory->ratio);
  EXPECT_DOUBLE_EQ(*program.memory->ratio,
                   5888.0 / static_cast<double>(*program.memory->predicted));
  EXPECT_FALSE(program.collectives.empty());
  // Two arrays of 32 bytes here; 4096 + 2048 - 1024 bytes there.
  EXPECT_THAT(program.notes,
              Contains(HasSubstr("code +164 bytes, arguments and outputs +5.06 kB")));
  EXPECT_EQ(seen.libtpu->build, "built today");
  EXPECT_THAT(configs::schema_faults("preflight", to_json(seen)), IsEmpty());
  EXPECT_EQ(to_json(configs::read_preflight(to_json(seen), "x")), to_json(seen));
  EXPECT_THAT(preflight_text(seen, silent()), HasSubstr("tpu_compiler proven: 1 program compiles"));
}

TEST(Preflight, AsksEachFlagOnItsOwnSoThatOneDoesNotHideAnother) {
  const World world;
  const configs::Preflight seen =
      run(world, options_for(world, {"hello"},
                             "[\"--xla_tpu_bad=1\", \"--xla_tpu_good=1\", \"--xla_other=2\"]"));
  std::vector<std::string> refused;
  for (const configs::PreflightFlag& one : seen.flags)
    if (one.status == "refused") refused.push_back(one.flag);
  EXPECT_THAT(refused, ::testing::UnorderedElementsAre("--xla_tpu_bad=1", "--xla_other=2"));
  EXPECT_THAT(seen.flags[0].words, HasSubstr("Did you mean: xla_tpu_good ?"));
  EXPECT_EQ(seen.claim, "failed");
  EXPECT_EQ(seen.exit_code, 1);
  EXPECT_EQ(seen.programs.at(0).status, "compiles");  // with the accepted flags
}

TEST(Preflight, AsksCompilerOptions) {
  const World world;
  PreflightOptions options = options_for(world, {"hello"});
  options.compiler.settings = {"xla_tpu_bogus=1", "xla_tpu_fine=2"};
  const configs::Preflight seen = run(world, options);
  std::map<std::string, std::string> words;
  for (const configs::PreflightFlag& one : seen.flags)
    if (one.source == "--compiler-option") words[one.flag] = one.status + " " + one.words;
  EXPECT_EQ(words, (std::map<std::string, std::string>{
                       {"xla_tpu_bogus=1", "refused No such compile option: 'xla_tpu_bogus'"},
                       {"xla_tpu_fine=2", "accepted "}}));
  options.compiler.settings = {"no-value"};
  EXPECT_THROW(run(world, options), Error);
}

TEST(Preflight, GoesOnAfterARefusalAnAbortAndAHang) {
  const World world;
  PreflightOptions options = options_for(world, {"refuse-me", "abort-me", "sleep-me", "hello"});
  options.compiler.compile_timeout = 2;
  const configs::Preflight seen = run(world, options);
  ASSERT_EQ(seen.programs.size(), 4U);
  EXPECT_EQ(seen.programs[0].status, "refused");
  EXPECT_EQ(seen.programs[1].status, "failed");
  EXPECT_THAT(seen.programs[1].words, HasSubstr("signal 6"));
  EXPECT_EQ(seen.programs[2].status, "failed");
  EXPECT_THAT(seen.programs[2].words, HasSubstr("no answer"));
  EXPECT_EQ(seen.programs[3].status, "compiles");
  EXPECT_EQ(seen.claim, "failed");
  EXPECT_EQ(seen.exit_code, 1);
}

TEST(Preflight, ShowsTheUsersLineOfARefusal) {
  const World world;
  const configs::Preflight seen = run(world, options_for(world, {"refuse-me"}));
  const configs::PreflightProgram& program = seen.programs.at(0);
  EXPECT_THAT(program.place.value_or(""), HasSubstr("refuse-me.mlir:2:3"));
  EXPECT_THAT(program.source_line.value_or(""), HasSubstr("func.func @main"));
}

TEST(Preflight, SaysThatItWasNotCheckedWithoutALibraryAndHowToGetOne) {
  const World world;
  PreflightOptions options = options_for(world, {"hello"});
  options.compiler.libtpu = world.write("libtpu.so", "no library");
  const configs::Preflight seen = run(world, options);
  EXPECT_EQ(seen.claim, "not shown");
  EXPECT_EQ(seen.exit_code, 71);
  EXPECT_FALSE(seen.libtpu);
  EXPECT_THAT(seen.why, HasSubstr("cannot load the library"));
}

TEST(Preflight, SaysHowToGetALibraryWhereNoneIsInstalled) {
  const World world;
  PreflightOptions options = options_for(world, {"hello"});
  options.compiler.libtpu = "";
  Environment environment = world.environment();
  environment.variables = {"HOME=" + world.folder()};
  if (find_compiler(environment).found) GTEST_SKIP() << "this machine has a libtpu";
  SignalQueue signals;
  const configs::Preflight seen =
      preflight(options, slice_named("v6e-1"), environment, silent(), signals);
  EXPECT_EQ(seen.claim, "not shown");
  EXPECT_EQ(seen.exit_code, 71);
  EXPECT_THAT(seen.why,
              HasSubstr("libtpu is not installed: install it with deploy/install-packages"));
}

TEST(Preflight, FindsProgramsThatAreCompiledOnce) {
  const World world;
  const configs::Preflight seen = run(world, options_for(world, {"hello", "again"}));
  // The fake library gives every program the same fingerprint.
  ASSERT_EQ(seen.fingerprints.size(), 1U);
  EXPECT_EQ(seen.fingerprints[0].programs, (std::vector<std::string>{"hello", "again"}));
  EXPECT_THAT(preflight_text(seen, silent()), HasSubstr("compiled once: hello, again"));
}

TEST(Preflight, WritesTheScheduledProgramAndItsTable) {
  const World world;
  PreflightOptions options = options_for(world, {"hello"});
  options.compiler.dump = world.folder() + "/out.hlo.pb";
  run(world, options);
  EXPECT_EQ(read_text_file(options.compiler.dump), read_text_file(kScheduled));
  const std::string table = read_text_file(options.compiler.dump + ".json");
  EXPECT_THAT(configs::schema_faults("schedule", table), IsEmpty());
  EXPECT_THAT(table, HasSubstr("\"collective\": \"all-reduce\""));
}

TEST(Preflight, KeepsWhatIsFinishedWhenASignalArrives) {
  const World world;
  PreflightOptions options = options_for(world, {"hello", "sleep-me", "later"});
  SignalQueue signals;
  options.on_step = [](const std::string& step) {
    if (step.find("sleep-me") != std::string::npos) std::raise(SIGINT);
  };
  const configs::Preflight seen =
      preflight(options, slice_named("v6e-1"), world.environment(), silent(), signals);
  ASSERT_EQ(seen.programs.size(), 3U);
  EXPECT_EQ(seen.programs[0].status, "compiles");
  EXPECT_NE(seen.programs[1].status, "compiles");
  EXPECT_EQ(seen.programs[2].status, "not run");
  EXPECT_EQ(seen.exit_code, 128 + SIGINT);
}

TEST(PreflightRung, HasTheFindingsAsChecksAndFailsWithADiagnosis) {
  const World world;
  const configs::RungSeen good = rung_of(run(world, options_for(world, {"hello"})));
  EXPECT_EQ(good.status, "passed");
  EXPECT_EQ(told_of(good), "1 program compiles and fits");
  EXPECT_THAT(good.checks, Contains(::testing::Field(&configs::RungCheck::name, "compiles hello")));
  const configs::RungSeen bad = rung_of(run(world, options_for(world, {"refuse-me"})));
  EXPECT_EQ(bad.status, "failed");
  EXPECT_EQ(bad.diagnosis, "tpu-compiler-refused");
  EXPECT_EQ(bad.layer_of_failure, "graph/compile");
}

}  // namespace
}  // namespace understudy::launcher
