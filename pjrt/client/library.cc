// SPDX-License-Identifier: Apache-2.0
#include "pjrt/client/library.h"

#include <algorithm>
#include <dlfcn.h>
#include <fmt/format.h>
#include <fmt/ranges.h>

#include "pjrt/abi/struct_array.h"

namespace understudy::pjrt {
namespace {

constexpr const char* kEntry = "GetPjrtApi";

// Code 0 tells the launcher that the words are ours and not the library's.
[[noreturn]] void refuse(std::string message) {
  throw LibraryRefusal{{abi::kOk, std::move(message)}};
}

std::string text_of(const abi::NamedValue& value) {
  switch (value.type) {
    case abi::kString:
      return std::string(value.string_value, value.value_size);
    case abi::kInt64:
      return fmt::format("{}", value.int64_value);
    case abi::kInt64List:
      return fmt::format("{}", fmt::join(value.int64_array_value,
                                         value.int64_array_value + value.value_size, ","));
    case abi::kFloat:
      return fmt::format("{}", value.float_value);
    case abi::kBool:
      return value.bool_value ? "true" : "false";
  }
  return "";
}

}  // namespace

// RTLD_LOCAL: its symbols must not be mixed with ours.
Library::Library(const std::string& path) {
  // RTLD_NOW, so that a missing symbol is an error here and not a crash in the first call.
  void* handle = ::dlopen(path.c_str(), RTLD_NOW | RTLD_LOCAL);
  if (handle == nullptr) {
    const char* why = ::dlerror();
    refuse(fmt::format("cannot load the library: {}", why == nullptr ? path.c_str() : why));
  }
  using GetApi = const abi::Api* (*)();
  const auto get = reinterpret_cast<GetApi>(::dlsym(handle, kEntry));
  if (get == nullptr)
    refuse(fmt::format("{} has no function {}: it is not a PJRT plugin", path, kEntry));
  api_ = get();
  if (api_ == nullptr) refuse(fmt::format("{}: {} returned nothing", path, kEntry));
  // By the rules of the C API a new minor version only appends; a new major version may reorder the
  // table.
  if (major() != abi::kMajor)
    refuse(fmt::format("{} has version {}.{} of the PJRT C API; expected {}.x", path, major(),
                       minor(), abi::kMajor));
}

// A table of an earlier version is shorter.
bool Library::has(abi::Slot slot) const {
  const auto index = static_cast<std::size_t>(slot);
  const std::size_t end = offsetof(abi::Api, functions) + (index + 1) * sizeof(abi::Function);
  return api_->struct_size >= end && api_->functions[index] != nullptr;
}

abi::Function Library::function(abi::Slot slot) const {
  if (!has(slot))
    refuse(fmt::format("the library has no function PJRT_{} (version {}.{} of the API)",
                       name_of(slot), major(), minor()));
  return api_->functions[static_cast<std::size_t>(slot)];
}

void Library::raise(ErrorHandle* error) const {
  if (error != nullptr) throw LibraryRefusal{taken(error)};
}

// Takes ownership: every error of the library must be destroyed by it.
configs::CompilerError Library::taken(ErrorHandle* error) const {
  configs::CompilerError out{abi::kUnknown, "the library reports an error without a message"};
  Call<abi::ErrorMessageArgs> message;
  message->error = error;
  Call<abi::ErrorGetCodeArgs> code;
  code->error = error;
  using enum abi::Slot;
  if (has(Error_Message)) {
    function(Error_Message)(&message.args);
    out.message.assign(message->message, message->message_size);
  }
  if (has(Error_GetCode) && function(Error_GetCode)(&code.args) == nullptr) out.code = code->code;
  Call<abi::ErrorDestroyArgs> destroy;
  destroy->error = error;
  if (has(Error_Destroy)) function(Error_Destroy)(&destroy.args);
  return out;
}

const std::vector<abi::Slot>& needed_functions() {
  using enum abi::Slot;
  static const std::vector<abi::Slot> kNeeded = {Error_Destroy,
                                                 Error_Message,
                                                 Error_GetCode,
                                                 Plugin_Initialize,
                                                 TopologyDescription_Create,
                                                 TopologyDescription_Destroy,
                                                 TopologyDescription_GetDeviceDescriptions,
                                                 DeviceDescription_Id,
                                                 DeviceDescription_ProcessIndex,
                                                 DeviceDescription_Kind,
                                                 DeviceDescription_Attributes,
                                                 Compile,
                                                 Executable_Destroy};
  return kNeeded;
}

const std::vector<abi::Slot>& useful_functions() {
  using enum abi::Slot;
  static const std::vector<abi::Slot> kUseful = {Plugin_Attributes,
                                                 TopologyDescription_PlatformName,
                                                 TopologyDescription_PlatformVersion,
                                                 TopologyDescription_Attributes,
                                                 Executable_SizeOfGeneratedCodeInBytes,
                                                 Executable_GetCostAnalysis,
                                                 Executable_OptimizedProgram,
                                                 Executable_Serialize,
                                                 Executable_Fingerprint,
                                                 Executable_GetCompiledMemoryStats};
  return kUseful;
}

const char* name_of(abi::Slot slot) {
  static constexpr const char* kNames[] = {
#define ROW(name) #name,
#include "pjrt/abi/functions.def"
#undef ROW
  };
  return kNames[static_cast<std::size_t>(slot)];
}

std::map<std::string, std::string> texts_of(const abi::NamedValue* values, std::size_t count) {
  std::map<std::string, std::string> texts;
  for (std::size_t i = 0; i < count; ++i, values = abi::next_struct(values))
    texts.insert_or_assign(std::string(values->name, values->name_size), text_of(*values));
  return texts;
}

}  // namespace understudy::pjrt
