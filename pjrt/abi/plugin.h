// SPDX-License-Identifier: Apache-2.0
// Argument structs of the PJRT C API, version 0.91: functions of errors, the plugin itself, events
// and execute contexts. The names of the fields are those of the API; the assertions guard offsets
// and sizes.
#pragma once

#include "pjrt/abi/types.h"

namespace understudy::pjrt::abi {

struct ErrorDestroyArgs {  // slot 0
  std::size_t struct_size;
  void* extension_start;
  ErrorHandle* error;
};
UNDERSTUDY_PJRT_SIZE(ErrorDestroyArgs, error, 24);

struct ErrorMessageArgs {  // slot 1
  std::size_t struct_size;
  void* extension_start;
  const ErrorHandle* error;
  const char* message;
  std::size_t message_size;
};
UNDERSTUDY_PJRT_SIZE(ErrorMessageArgs, message_size, 40);

struct ErrorGetCodeArgs {  // slot 2
  std::size_t struct_size;
  void* extension_start;
  const ErrorHandle* error;
  ErrorCode code;
};
UNDERSTUDY_PJRT_SIZE(ErrorGetCodeArgs, code, 28);

struct PluginInitializeArgs {  // slot 3
  std::size_t struct_size;
  void* extension_start;
};
UNDERSTUDY_PJRT_SIZE(PluginInitializeArgs, extension_start, 16);

struct PluginAttributesArgs {  // slot 4
  std::size_t struct_size;
  void* extension_start;
  const NamedValue* attributes;
  std::size_t num_attributes;
};
UNDERSTUDY_PJRT_SIZE(PluginAttributesArgs, num_attributes, 32);

struct EventDestroyArgs {  // slot 5
  std::size_t struct_size;
  void* extension_start;
  Event* event;
};
UNDERSTUDY_PJRT_SIZE(EventDestroyArgs, event, 24);

struct EventIsReadyArgs {  // slot 6
  std::size_t struct_size;
  void* extension_start;
  Event* event;
  bool is_ready;
};
UNDERSTUDY_PJRT_SIZE(EventIsReadyArgs, is_ready, 25);

struct EventErrorArgs {  // slot 7
  std::size_t struct_size;
  void* extension_start;
  Event* event;
};
UNDERSTUDY_PJRT_SIZE(EventErrorArgs, event, 24);

struct EventAwaitArgs {  // slot 8
  std::size_t struct_size;
  void* extension_start;
  Event* event;
};
UNDERSTUDY_PJRT_SIZE(EventAwaitArgs, event, 24);

struct EventOnReadyArgs {  // slot 9
  std::size_t struct_size;
  void* extension_start;
  Event* event;
  OnReady callback;
  void* user_arg;
};
UNDERSTUDY_PJRT_SIZE(EventOnReadyArgs, user_arg, 40);

struct ExecuteContextCreateArgs {  // slot 98
  std::size_t struct_size;
  void* extension_start;
  ExecuteContext* context;
};
UNDERSTUDY_PJRT_SIZE(ExecuteContextCreateArgs, context, 24);

struct ExecuteContextDestroyArgs {  // slot 99
  std::size_t struct_size;
  void* extension_start;
  ExecuteContext* context;
};
UNDERSTUDY_PJRT_SIZE(ExecuteContextDestroyArgs, context, 24);

struct EventCreateArgs {  // slot 126
  std::size_t struct_size;
  void* extension_start;
  Event* event;
};
UNDERSTUDY_PJRT_SIZE(EventCreateArgs, event, 24);

struct EventSetArgs {  // slot 127
  std::size_t struct_size;
  void* extension_start;
  Event* event;
  ErrorCode error_code;
  const char* error_message;
  std::size_t error_message_size;
};
UNDERSTUDY_PJRT_SIZE(EventSetArgs, error_message_size, 48);

struct ErrorForEachPayloadArgs {  // slot 132, since 0.99
  std::size_t struct_size;
  void* extension_start;
  const ErrorHandle* error;
  void* visitor;
  void* user_arg;
};
UNDERSTUDY_PJRT_SIZE(ErrorForEachPayloadArgs, user_arg, 40);

}  // namespace understudy::pjrt::abi
