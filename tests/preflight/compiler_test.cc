// SPDX-License-Identifier: Apache-2.0
// The protocol with the compiler's process, on a library that does what libtpu does, right and
// wrong.
#include "launcher/preflight/compiler.h"

#include <functional>
#include <gmock/gmock.h>
#include <gtest/gtest.h>

#include "configs/base/error.h"
#include "launcher/preflight/answer_cache.h"
#include "tests/preflight/preflight_testing.h"

namespace understudy::launcher {
namespace {

using ::testing::HasSubstr;

configs::CompilerRequest compile_request() {
  configs::CompilerRequest request;
  request.command = "compile";
  request.topology = "v6e:1x1";
  request.chips_per_host = {1, 1, 1};
  request.format = "mlir";
  request.devices = {0};
  return request;
}

Error error_of(const std::function<void()>& action) {
  try {
    action();
  } catch (const Error& error) {
    return error;
  }
  ADD_FAILURE() << "no error";
  return Error(ErrorKind::internal, "");
}

TEST(TpuCompiler, DescribesATopologyWithTheProcessOfEachChip) {
  const World world;
  TpuCompiler compiler = world.compiler();
  configs::CompilerRequest request;
  request.command = "topology";
  request.topology = "v6e:4x4";
  request.chips_per_host = {2, 2, 1};
  const auto got = compiler.ask(request);
  ASSERT_FALSE(got.reply.answer.error);
  ASSERT_EQ(got.reply.answer.devices.size(), 16U);
  const configs::CompilerDevice& device = got.reply.answer.devices[6];
  EXPECT_EQ(device.id, 6);
  EXPECT_EQ(device.process, 1);
  EXPECT_EQ(device.coords, (std::vector<std::int64_t>{2, 1, 0}));
  EXPECT_EQ(device.memory_bytes, std::int64_t{31} << 30);
  EXPECT_EQ(compiler.api(), "0.91");
}

TEST(TpuCompiler, ReturnsMemoryFingerprintAndTheScheduledProgram) {
  const World world;
  TpuCompiler compiler = world.compiler();
  const auto got = compiler.ask(compile_request(), program_that_says("hello"));
  ASSERT_FALSE(got.reply.answer.error);
  ASSERT_TRUE(got.reply.answer.memory);
  EXPECT_EQ(got.reply.answer.memory->arguments, 4096);
  EXPECT_EQ(got.reply.answer.memory->code, 256);
  EXPECT_EQ(got.reply.answer.fingerprint, "0102ff");
  EXPECT_GT(got.reply.body.size(), 1000U);
  EXPECT_FALSE(got.cached);
}

TEST(TpuCompiler, AnswersTheSameQuestionFromItsCacheAndNoOther) {
  const World world;
  const std::string program = program_that_says("hello");
  EXPECT_FALSE(world.compiler().ask(compile_request(), program).cached);
  const auto again = world.compiler().ask(compile_request(), program);
  EXPECT_TRUE(again.cached);
  EXPECT_GT(again.reply.body.size(), 1000U);
  EXPECT_FALSE(world.compiler().ask(compile_request(), program + "\n").cached);
  TpuCompiler flagged = world.compiler();
  flagged.use_flags({{"--xla_tpu_good=1"}, {}});
  EXPECT_FALSE(flagged.ask(compile_request(), program).cached);
  configs::CompilerRequest other = compile_request();
  other.options.emplace_back("xla_tpu_other", "1");
  EXPECT_FALSE(world.compiler().ask(other, program).cached);
}

// What an understudy with another encoding stored under the same question.
TEST(AnswerCache, MissesAnAnswerOfAnotherEncoding) {
  const World world;
  const cache::NamedParts question = {{"library", "x"}, {"program", "y"}};
  CompilerReply reply;
  reply.answer.command = "compile";
  reply.answer.seconds = 3;
  const Frame frame{to_json(reply.answer), "scheduled"};
  for (const char* encoding : {"", "1", "3"}) {
    keep_derived(world.cache(), {"preflight", ".answer", encoding}, question, frame);
    ASSERT_TRUE(find_derived(world.cache(), {"preflight", ".answer", encoding}, question));
  }
  EXPECT_FALSE(find_answer(world.cache(), question));
  keep_answer(world.cache(), question, reply);
  const auto found = find_answer(world.cache(), question);
  ASSERT_TRUE(found);
  EXPECT_EQ(found->answer, reply.answer);
}

// If this text has to change, kAnswers in launcher/preflight/answer_cache.cc needs a new encoding:
// else an answer of an earlier understudy is read as one of this form.
TEST(AnswerCache, StoresTheFormThatItsEncodingNames) {
  CompilerReply reply;
  reply.answer.command = "compile";
  reply.answer.devices.push_back({1, 2, "TPU v6 lite", {3, 4, 5}, 0, 6, 7});
  reply.answer.memory = configs::CompilerMemory{1, 2, 3, 4, 5, 6};
  reply.answer.costs["flops"] = 8;
  reply.answer.missing = {"none"};
  const World world;
  const cache::NamedParts question = {{"library", "x"}};
  keep_answer(world.cache(), question, reply);
  const auto kept = find_derived(world.cache(), {"preflight", ".answer", "2"}, question);
  ASSERT_TRUE(kept);
  EXPECT_EQ(
      kept->header,
      R"({"schema":"understudy/compiler-answer/1","command":"compile","error":null,"platform":"",)"
      R"("version":"","devices":[{"id":1,"process":2,"kind":"TPU v6 lite","coords":[3,4,5],)"
      R"("core":0,"slice":6,"memory_bytes":7}],"attributes":{},"seconds":0.0,)"
      R"("executable_bytes":null,"memory":{"arguments":1,"outputs":2,"aliases":3,)"
      R"("temporaries":4,"code":5,"peak":6},"costs":{"flops":8.0},"fingerprint":"",)"
      R"("missing":["none"]})");
}

TEST(TpuCompiler, GivesARefusalInTheWordsOfTheLibrary) {
  const World world;
  TpuCompiler compiler = world.compiler();
  const auto got = compiler.ask(compile_request(), program_that_says("refuse-me"));
  ASSERT_TRUE(got.reply.answer.error);
  EXPECT_EQ(got.reply.answer.error->code, 8);
  EXPECT_THAT(got.reply.answer.error->message, HasSubstr("Ran out of memory on HBM"));
  EXPECT_TRUE(world.compiler().ask(compile_request(), program_that_says("refuse-me")).cached);
}

TEST(TpuCompiler, SaysAnAbortAndGoesOnInANewProcess) {
  const World world;
  TpuCompiler compiler = world.compiler();
  const Error error =
      error_of([&] { compiler.ask(compile_request(), program_that_says("abort-me")); });
  EXPECT_EQ(error.kind(), ErrorKind::system);
  EXPECT_THAT(error.message(), HasSubstr("signal 6"));
  EXPECT_THAT(error.message(), HasSubstr("a log line"));  // not the stack trace
  EXPECT_FALSE(compiler.ask(compile_request(), program_that_says("hello")).reply.answer.error);
  EXPECT_THAT(compiler.log(), HasSubstr("a log line"));
  // A failure is not an answer: it is asked again.
  EXPECT_EQ(
      error_of([&] { compiler.ask(compile_request(), program_that_says("abort-me")); }).kind(),
      ErrorKind::system);
}

TEST(TpuCompiler, SaysAnExitStatus) {
  const World world;
  TpuCompiler compiler = world.compiler();
  const Error error =
      error_of([&] { compiler.ask(compile_request(), program_that_says("exit-me")); });
  EXPECT_THAT(error.message(), HasSubstr("exit status 3"));
}

TEST(TpuCompiler, EndsACompileAtItsDeadline) {
  const World world;
  CompilerLimits limits;
  limits.answer = Seconds{0.3};
  TpuCompiler compiler = world.compiler(limits);
  const Error error =
      error_of([&] { compiler.ask(compile_request(), program_that_says("sleep-me")); });
  EXPECT_EQ(error.kind(), ErrorKind::timeout);
  EXPECT_THAT(error.message(), HasSubstr("no answer"));
}

TEST(TpuCompiler, EndsACompileThatTheUserInterrupts) {
  const World world;
  TpuCompiler compiler = world.compiler({}, [](Seconds waited) { return waited > Seconds{0.1}; });
  const Error error =
      error_of([&] { compiler.ask(compile_request(), program_that_says("sleep-me")); });
  EXPECT_EQ(error.message(), "interrupted");
}

TEST(TpuCompiler, EndsAProcessThatTakesTooMuchMemory) {
  const World world;
  CompilerLimits limits;
  limits.memory_bytes = std::uint64_t{128} << 20;
  TpuCompiler compiler = world.compiler(limits);
  const Error error =
      error_of([&] { compiler.ask(compile_request(), program_that_says("eat-memory")); });
  EXPECT_EQ(error.kind(), ErrorKind::capacity);
  EXPECT_THAT(error.message(), HasSubstr("more than the limit of 128 MiB"));
}

// libtpu aborts its process for such a program, so the ids are checked before.
TEST(TpuCompiler, RefusesDevicesThatTheTopologyLacks) {
  const World world;
  configs::CompilerRequest request = compile_request();
  request.devices = {7};
  const auto answer = world.compiler().ask(request, program_that_says("hello")).reply.answer;
  ASSERT_TRUE(answer.error);
  EXPECT_EQ(answer.error->code, 0);
  EXPECT_THAT(answer.error->message, HasSubstr("has no device 7"));
  request.devices = {0};
  request.partitions = 2;
  EXPECT_THAT(world.compiler().ask(request, program_that_says("x")).reply.answer.error->message,
              HasSubstr("needs 2 different devices"));
}

TEST(TpuCompiler, TriesFlagsInProcessesOfTheirOwn) {
  const World world;
  TpuCompiler compiler = world.compiler();
  EXPECT_FALSE(compiler.try_flags({{"--xla_tpu_good=1"}, {}}).refusal);
  const auto trial = compiler.try_flags({{"--xla_tpu_bad=1"}, {}});
  ASSERT_TRUE(trial.refusal);
  EXPECT_TRUE(trial.answered);
  EXPECT_EQ(*trial.refusal,
            "Unknown command line flag '--xla_tpu_bad=1'. Did you mean: xla_tpu_good ?");
  EXPECT_EQ(world.compiler().try_flags({{"--xla_tpu_bad=1"}, {}}).refusal, trial.refusal);
  EXPECT_EQ(compiler.try_setting("xla_tpu_bogus", "1").refusal,
            "No such compile option: 'xla_tpu_bogus'");
  EXPECT_FALSE(compiler.try_setting("xla_tpu_fine", "1").refusal);
}

TEST(TpuCompiler, SaysALibraryThatFailsWhenItIsInitialised) {
  const World world("initialise-aborts");
  TpuCompiler compiler = world.compiler();
  const Error error = error_of([&] { compiler.ask(compile_request(), program_that_says("x")); });
  EXPECT_THAT(error.message(), HasSubstr("Check failed: the chip is on fire"));
}

TEST(TpuCompiler, SaysALibraryThatHangsWhenItIsInitialised) {
  const World world("initialise-sleeps");
  CompilerLimits limits;
  limits.start = Seconds{0.3};
  TpuCompiler compiler = world.compiler(limits);
  EXPECT_EQ(error_of([&] { compiler.ask(compile_request(), program_that_says("x")); }).kind(),
            ErrorKind::timeout);
  const auto trial = compiler.try_flags({{"--xla_tpu_good=1"}, {}});
  EXPECT_FALSE(trial.answered);
}

TEST(TpuCompiler, SaysWhichFunctionALibraryLacks) {
  const World world("lacks-compile");
  TpuCompiler compiler = world.compiler();
  EXPECT_THAT(error_of([&] { compiler.api(); }).message(), HasSubstr("has no function Compile"));
}

TEST(TpuCompiler, DoesWithoutAFunctionThatOnlyAddsSomething) {
  const World world("lacks-memory");
  const auto answer = world.compiler().ask(compile_request(), program_that_says("x")).reply.answer;
  EXPECT_FALSE(answer.error);
  EXPECT_FALSE(answer.memory);
  EXPECT_THAT(answer.missing, ::testing::Contains("Executable_GetCompiledMemoryStats"));
}

TEST(TpuCompiler, SaysAFileThatIsNoLibraryAndOneThatIsNoPlugin) {
  const World world;
  const std::string text = world.write("libtpu.so", "this is no library");
  TpuCompiler none(kCompiler, {text, "", "", "x"}, world.cache(), {}, nullptr);
  EXPECT_THAT(error_of([&] { none.api(); }).message(), HasSubstr("cannot load the library"));
  // The C library has no GetPjrtApi.
  TpuCompiler other(kCompiler, {"libc.so.6", "", "", "y"}, world.cache(), {}, nullptr);
  EXPECT_THAT(error_of([&] { other.api(); }).message(), HasSubstr("it is not a PJRT plugin"));
}

TEST(TpuCompiler, KnowsThePluginOfUnderstudyByWhatItSays) {
  const World world("understudy");
  EXPECT_TRUE(is_understudy(identify(kCompiler, kFake)));
  ::setenv("UNDERSTUDY_FAKE_LIBTPU", "", 1);
  EXPECT_FALSE(is_understudy(identify(kCompiler, kFake)));
}

TEST(LastWords, FindTheSentenceAmongNoise) {
  EXPECT_EQ(last_words("noise\nERROR: Illegal value 'abc' specified for flag 'x'\nmore\n"),
            "Illegal value 'abc' specified for flag 'x'");
  EXPECT_EQ(last_words("F1123 09:23:44.5    4747 parse.cc:234] Unknown flag in XLA_FLAGS: --x\n"
                       "    @  0x7f  f()\nhttps://symbolize.x/r\n"),
            "Unknown flag in XLA_FLAGS: --x");
  EXPECT_EQ(last_words("Failed to find host bounds for accelerator type: W\n"), "");
  EXPECT_EQ(last_words(""), "");
}

}  // namespace
}  // namespace understudy::launcher
