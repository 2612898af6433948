// SPDX-License-Identifier: Apache-2.0
// The requests of the launcher, answered by a library. Call from one thread.
#pragma once

#include <string>
#include <string_view>

#include "configs/launch/message/compiler_message.h"
#include "pjrt/client/library.h"

namespace understudy::pjrt {

// An answer and what follows it in its frame.
struct Answered {
  configs::CompilerAnswer answer;
  std::string body;
};

// A refusal of the library becomes the error of the answer.
Answered answer_to(const Library& library, const configs::CompilerRequest& request,
                   std::string_view body);

// Takes the executable, which it destroys.
void read_back(const Library& library, Executable* executable, Answered& out);

// CompileOptionsProto of XLA (xla/pjrt/proto/compile_options.proto).
std::string compile_options_of(const configs::CompilerRequest& request);
// The HloModuleProto inside HloModuleProtoWithConfig (hlo_module = 1); empty if there is none.
std::string module_in(std::string_view with_config);

}  // namespace understudy::pjrt
