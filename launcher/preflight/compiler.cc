// SPDX-License-Identifier: Apache-2.0
#include "launcher/preflight/compiler.h"

#include <fmt/format.h>
#include <fmt/ranges.h>
#include <span>

#include "configs/base/digest.h"
#include "configs/base/error.h"
#include "launcher/preflight/answer_cache.h"

namespace understudy::launcher {
namespace {

// The smallest program: for flags that the library reads only when it compiles.
constexpr std::string_view kTinyProgram =
    "module @tiny { func.func @main(%a: tensor<8xf32>) -> tensor<8xf32> "
    "{ return %a : tensor<8xf32> } }\n";

configs::CompilerRequest tiny_request() {
  configs::CompilerRequest request;
  request.command = "compile";
  // The smallest topology that libtpu knows; the flags that are tried do not depend on it.
  request.topology = "v5e:1x1";
  request.chips_per_host = {1, 1, 1};
  request.format = "mlir";
  request.devices = {0};
  return request;
}

// A library that cannot be used at all.
void check(const configs::CompilerGreeting& greeting) {
  if (greeting.error) throw Error(ErrorKind::system, greeting.error->message);
  if (greeting.missing.empty()) return;
  throw Error(
      ErrorKind::system,
      fmt::format("the library (PJRT C API {}.{}) has no function {}: another version of "
                  "libtpu is needed",
                  greeting.api_major, greeting.api_minor, fmt::join(greeting.missing, ", ")));
}

}  // namespace

TpuCompiler::TpuCompiler(std::string binary, LibraryFile library, CacheChoice cache,
                         CompilerLimits limits, OnWait on_wait)
    : binary_(std::move(binary)),
      library_(std::move(library)),
      cache_(std::move(cache)),
      limits_(limits),
      on_wait_(std::move(on_wait)) {}

// The library reads flags once, at its start, so other flags need another process.
void TpuCompiler::use_flags(CompilerFlags flags) {
  flags_ = std::move(flags);
  if (process_) lost_log_ += process_->log();
  process_.reset();
}

TpuCompiler::Reply TpuCompiler::ask(const configs::CompilerRequest& request,
                                    std::string_view body) {
  const cache::NamedParts key = key_of(flags_, request.command, to_json(request), body);
  if (auto found = find_answer(cache_, key)) return {std::move(*found), true};
  try {
    CompilerReply reply = process().ask(request, body);
    keep_answer(cache_, key, reply);
    return {std::move(reply), false};
  } catch (const Error&) {
    // A process that failed or was killed cannot be asked again. Nothing is kept: a later attempt
    // with a larger limit may succeed.
    if (process_) lost_log_ += process_->log();
    process_.reset();  // the next question gets a new process
    throw;
  }
}

// A refusal of flags by the library is the end of its process, so the words come from its output.
TpuCompiler::Trial TpuCompiler::try_flags(const CompilerFlags& flags) {
  const cache::NamedParts key = key_of(flags, "flags", "", "");
  if (const auto found = find_answer(cache_, key)) {
    const auto& error = found->answer.error;
    return {error ? std::optional(error->message) : std::nullopt, true};
  }
  CompilerReply kept;
  kept.answer.command = "flags";
  try {
    const std::unique_ptr<CompilerProcess> process = start(flags);
    // XLA_FLAGS are read by the first compile.
    if (!flags.xla_flags.empty()) {
      kept.answer.error = process->ask(tiny_request(), kTinyProgram).answer.error;
      kept.body.clear();
    }
  } catch (const Error& error) {
    // A timeout or a memory limit says nothing about the flags, so it is no answer and is not kept.
    if (error.kind() != ErrorKind::system) return {error.message(), false};
    std::string words = error.message();
    const std::size_t colon = words.find("): ");  // what the library said, after how it ended
    if (colon != std::string::npos) words = words.substr(colon + 3);
    kept.answer.error = configs::CompilerError{0, words};
  }
  keep_answer(cache_, key, kept);
  const auto& error = kept.answer.error;
  return {error ? std::optional(error->message) : std::nullopt, true};
}

TpuCompiler::Trial TpuCompiler::try_setting(const std::string& name, const std::string& value) {
  configs::CompilerRequest request = tiny_request();
  request.options.emplace_back(name, value);
  const auto error = ask(request, kTinyProgram).reply.answer.error;
  return {error ? std::optional(error->message) : std::nullopt, true};
}

std::string TpuCompiler::api() {
  const configs::CompilerGreeting greeting = this->greeting();
  return fmt::format("{}.{}", greeting.api_major, greeting.api_minor);
}

std::string TpuCompiler::log() const { return process_ ? lost_log_ + process_->log() : lost_log_; }

// The greeting is kept as a text in the body of an entry: it says nothing about flags.
configs::CompilerGreeting TpuCompiler::greeting() {
  const cache::NamedParts key = key_of({}, "greeting", "", "");
  if (const auto found = find_answer(cache_, key)) {
    try {
      return configs::read_compiler_greeting(found->body);
    } catch (const Error&) {
      // an entry of an earlier version: asked again
    }
  }
  const configs::CompilerGreeting greeting = process().greeting();
  keep_answer(cache_, key, {{}, to_json(greeting)});
  return greeting;
}

cache::NamedParts TpuCompiler::key_of(const CompilerFlags& flags, const std::string& what,
                                      const std::string& request, std::string_view body) const {
  const auto joined = [](const std::vector<std::string>& words) {
    return digest_of(std::string_view(fmt::format("{}", fmt::join(words, "\n"))));
  };
  return {{"library", library_.identity},
          {"version", library_.version},
          // A new version of our messages may ask the library for more, so older answers do not
          // match.
          {"protocol", fmt::format("{}", configs::kCompilerProtocol)},
          {"libtpu-init-args", joined(flags.libtpu_init_args)},
          {"xla-flags", joined(flags.xla_flags)},
          {"question", what},
          {"request", digest_of(std::string_view(request))},
          {"program", digest_of(body)}};
}

std::unique_ptr<CompilerProcess> TpuCompiler::start(const CompilerFlags& flags) const {
  auto process = std::make_unique<CompilerProcess>(
      std::vector<std::string>{binary_, library_.path},
      std::vector<std::string>{
          fmt::format("LIBTPU_INIT_ARGS={}", fmt::join(flags.libtpu_init_args, " ")),
          fmt::format("XLA_FLAGS={}", fmt::join(flags.xla_flags, " "))},
      limits_, on_wait_);
  check(process->greeting());
  return process;
}

CompilerProcess& TpuCompiler::process() {
  if (!process_) process_ = start(flags_);
  return *process_;
}

// In a process of its own: loading an unknown library may end or hang the process that does it.
configs::CompilerGreeting identify(const std::string& binary, const std::string& library) {
  CompilerLimits limits;
  // Loading libtpu without initialising it takes a fraction of that, even from a slow disk.
  limits.start = Seconds{20};
  return CompilerProcess({binary, library, "identify"}, {}, limits, nullptr).greeting();
}

bool is_understudy(const configs::CompilerGreeting& greeting) {
  return greeting.attributes.contains("understudy_version");
}

}  // namespace understudy::launcher
