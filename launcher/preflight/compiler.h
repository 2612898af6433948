// SPDX-License-Identifier: Apache-2.0
// The TPU compiler of one command: a library in a process of its own, behind a cache of its answers
// on disk. The process starts with the first question that is not in the cache, and again after it
// failed. Call from the main thread.
#pragma once

#include <memory>
#include <optional>
#include <string>
#include <string_view>
#include <vector>

#include "launcher/partition/derived_cache.h"
#include "launcher/preflight/compiler_process.h"
#include "launcher/preflight/library.h"

namespace understudy::launcher {

// The flags of a launch, as words.
struct CompilerFlags {
  std::vector<std::string> libtpu_init_args, xla_flags;
};

class TpuCompiler {
 public:
  // `binary`: understudy-tpu-compiler.
  TpuCompiler(std::string binary, LibraryFile library, CacheChoice cache, CompilerLimits limits,
              OnWait on_wait);

  // For all later questions. A library reads them once, when it is loaded.
  void use_flags(CompilerFlags flags);

  struct Reply {
    CompilerReply reply;
    bool cached = false;
  };
  // An error in the answer is the library's. *Throws* what CompilerProcess throws.
  Reply ask(const configs::CompilerRequest& request, std::string_view body = {});

  // Whether the library starts with these flags, in a process of its own: the words with which it
  // refuses them, or nullopt. `answered`: false if it did not end by itself (a hang).
  struct Trial {
    std::optional<std::string> refusal;
    bool answered = true;
  };
  Trial try_flags(const CompilerFlags& flags);
  // The same for an option of the compiler for one program.
  Trial try_setting(const std::string& name, const std::string& value);

  const LibraryFile& library() const { return library_; }
  // Of the version of the API, once a process or the cache told it: "0.112".
  std::string api();
  // What the library wrote: of the current process, and of those that failed.
  std::string log() const;

 private:
  cache::NamedParts key_of(const CompilerFlags& flags, const std::string& what,
                           const std::string& request, std::string_view body) const;
  std::unique_ptr<CompilerProcess> start(const CompilerFlags& flags) const;
  CompilerProcess& process();
  configs::CompilerGreeting greeting();

  std::string binary_;
  LibraryFile library_;
  CacheChoice cache_;
  CompilerLimits limits_;
  OnWait on_wait_;
  CompilerFlags flags_;
  std::unique_ptr<CompilerProcess> process_;
  std::string lost_log_;  // of processes that failed
};

// The greeting of a library that is loaded and not initialised. *Throws* what CompilerProcess
// throws.
configs::CompilerGreeting identify(const std::string& binary, const std::string& library);
// Whether it is the plugin of understudy, by what it says of itself.
bool is_understudy(const configs::CompilerGreeting& greeting);

}  // namespace understudy::launcher
