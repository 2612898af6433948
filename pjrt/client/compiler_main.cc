// SPDX-License-Identifier: Apache-2.0
// understudy-tpu-compiler LIBRARY [identify]: loads a PJRT plugin and answers requests of the
// launcher on its standard input, frames of configs/launch/message/frame.h. The library may end
// this process, abort or hang; the launcher watches it. With `identify` nothing is initialised, and
// the process ends after its greeting.
#include <array>
#include <cerrno>
#include <cstdio>
#include <cstdlib>
#include <cstring>
#include <string>
#include <string_view>
#include <unistd.h>
#include <vector>

#include "configs/base/error.h"
#include "configs/launch/message/compiler_message.h"
#include "configs/launch/message/frame.h"
#include "pjrt/abi/plugin.h"
#include "pjrt/client/library.h"
#include "pjrt/client/requests.h"

namespace understudy::pjrt {
namespace {

// The pipe to the launcher; -1 until standard output is redirected.
int answers = -1;

// False: the launcher is gone.
bool send(const std::string& head, std::string_view body) {
  const auto frame =
      configs::encode(head, {reinterpret_cast<const std::byte*>(body.data()), body.size()});
  // A pipe takes at most 64 KiB at once (pipe(7)); an answer with a scheduled program is larger.
  for (std::size_t done = 0; done < frame.size();) {
    const ssize_t sent = ::write(answers, frame.data() + done, frame.size() - done);
    if (sent < 0 && errno != EINTR) return false;
    done += static_cast<std::size_t>(sent < 0 ? 0 : sent);
  }
  return true;
}

// Variables of the user's shell must not change an answer: those of the launch come as arguments.
// - TPU_SKIP_MDS_QUERY: without it the library asks a metadata server that is not there for minutes
// - ALLOW_MULTIPLE_LIBTPU_LOAD: without it a second process at the same time is refused
// - TPU_LOG_DIR: without it a log folder in the temporary directory grows
void set_environment() {
  std::vector<std::string> names;
  for (char** entry = environ; *entry != nullptr; ++entry) {
    const std::string_view text(*entry);
    for (const std::string_view prefix : {"TPU_", "MEGASCALE_", "PJRT_", "CLOUD_TPU_", "JAX_"})
      if (text.starts_with(prefix)) names.emplace_back(text.substr(0, text.find('=')));
  }
  // After the loop, because unsetenv() changes `environ`.
  for (const std::string& name : names) ::unsetenv(name.c_str());
  constexpr std::array<std::array<const char*, 2>, 4> kFixed = {{
      {"TPU_SKIP_MDS_QUERY", "1"},
      {"TPU_WORKER_HOSTNAMES", "localhost"},
      {"ALLOW_MULTIPLE_LIBTPU_LOAD", "1"},
      {"TPU_LOG_DIR", "disabled"},
  }};
  for (const auto& [name, value] : kFixed) ::setenv(name, value, 1);
}

// Loads the library and, unless it is only to be identified, initialises it.
std::optional<Library> open(const char* path, bool only_identify,
                            configs::CompilerGreeting& greeting) {
  try {
    std::optional<Library> library(std::in_place, path);
    greeting.api_major = library->major();
    greeting.api_minor = library->minor();
    // Reported and not thrown: the launcher decides which requests a library without them can
    // answer.
    for (const abi::Slot slot : needed_functions())
      if (!library->has(slot)) greeting.missing.emplace_back(name_of(slot));
    Call<abi::PluginAttributesArgs> attributes;
    if (!only_identify) {
      Call<abi::PluginInitializeArgs> initialize;
      library->call(abi::Slot::Plugin_Initialize, initialize);
    }
    if (library->try_call(abi::Slot::Plugin_Attributes, attributes))
      greeting.attributes = texts_of(attributes->attributes, attributes->num_attributes);
    return library;
  } catch (const LibraryRefusal& refusal) {
    greeting.error = refusal.error;
    return std::nullopt;
  }
}

// One request at a time, in order. The end of the pipe is the request to end.
int serve(const Library& library) {
  configs::FrameDecoder decoder;
  std::vector<std::byte> piece(1U << 16);
  for (;;) {
    while (const auto frame = decoder.next()) {
      const std::string_view body(reinterpret_cast<const char*>(frame->body.data()),
                                  frame->body.size());
      const Answered answered =
          answer_to(library, configs::read_compiler_request(frame->head), body);
      if (!send(to_json(answered.answer), answered.body)) return 0;
    }
    const ssize_t got = ::read(STDIN_FILENO, piece.data(), piece.size());
    if (got == 0) return 0;
    if (got < 0 && errno != EINTR) return 0;
    if (got > 0) decoder.feed({piece.data(), static_cast<std::size_t>(got)});
  }
}

int run(const char* path, bool only_identify) {
  // What the library prints must not get between the frames.
  answers = ::dup(STDOUT_FILENO);
  if (answers < 0 || ::dup2(STDERR_FILENO, STDOUT_FILENO) < 0) return 71;
  set_environment();
  configs::CompilerGreeting greeting;
  const std::optional<Library> library = open(path, only_identify, greeting);
  if (!send(to_json(greeting), "") || !library || only_identify) return 0;
  return serve(*library);
}

}  // namespace
}  // namespace understudy::pjrt

// _exit: destructors of a library that failed must not run.
int main(int argc, char** argv) {
  if (argc < 2 || argc > 3 || std::string_view(argv[1]).starts_with("--")) {
    std::fputs(
        "usage: understudy-tpu-compiler LIBRARY [identify]; started by `understudy "
        "preflight`\n",
        stderr);
    return 2;
  }
  int code = 70;
  try {
    code = understudy::pjrt::run(argv[1], argc == 3);
  } catch (const understudy::Error& error) {
    std::fputs((error.text() + "\n").c_str(), stderr);
  }
  ::_exit(code);
}
