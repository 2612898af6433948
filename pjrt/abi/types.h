// SPDX-License-Identifier: Apache-2.0
// Small structs and enumerations of the PJRT C API, version 0.91 (docs/decisions/0017). The API is
// a C ABI: the layout is what counts, and the assertions guard it. Handles are our own classes.
#pragma once

#include <cstddef>
#include <cstdint>

// The size of an argument struct is the end of its last field, without the padding after it.
#define UNDERSTUDY_PJRT_SIZE(type, last, size) \
  static_assert(offsetof(type, last) + sizeof(type::last) == (size))

namespace understudy::pjrt {

class AliasFulfilment;
class AsyncTrackingEvent;
class AsyncTransfer;
class Buffer;
class Client;
class CopyToDeviceStream;
class Device;
class DeviceDescription;
class Event;
class ExecuteContext;
class Executable;
class LoadedExecutable;
class Memory;
class TopologyDescription;
struct ErrorHandle;
struct SerializedBytes;

}  // namespace understudy::pjrt

namespace understudy::pjrt::abi {

inline constexpr int kMajor = 0, kMinor = 91;

// Numbers of absl::StatusCode.
enum ErrorCode : int {
  kOk = 0,
  kCancelled = 1,
  kUnknown = 2,
  kInvalidArgument = 3,
  kDeadlineExceeded = 4,
  kNotFound = 5,
  kAlreadyExists = 6,
  kPermissionDenied = 7,
  kResourceExhausted = 8,
  kFailedPrecondition = 9,
  kAborted = 10,
  kOutOfRange = 11,
  kUnimplemented = 12,
  kInternal = 13,
  kUnavailable = 14,
  kDataLoss = 15,
};

// Element types; tables of element_types.cc map them.
enum BufferType : int { kInvalidType = 0, kPred = 1, kToken = 23 };

enum HostBufferSemantics : int {
  kImmutableOnlyDuringCall = 0,
  kImmutableUntilTransferCompletes = 1,
  kImmutableZeroCopy = 2,
  kMutableZeroCopy = 3,
};

enum ValueType : int { kString = 0, kInt64 = 1, kInt64List = 2, kFloat = 3, kBool = 4 };

struct NamedValue {
  std::size_t struct_size;
  void* extension_start;
  const char* name;
  std::size_t name_size;
  ValueType type;
  union {
    const char* string_value;
    std::int64_t int64_value;
    const std::int64_t* int64_array_value;
    float float_value;
    bool bool_value;
  };
  std::size_t value_size;  // characters or list elements; 1 for a scalar
};
static_assert(sizeof(NamedValue) == 56 && offsetof(NamedValue, int64_value) == 40);

struct Program {
  std::size_t struct_size;
  void* extension_start;
  char* code;
  std::size_t code_size;
  const char* format;
  std::size_t format_size;
};
UNDERSTUDY_PJRT_SIZE(Program, format_size, 48);

enum LayoutType : int { kTiled = 0, kStrides = 1 };
struct TiledLayout {
  std::size_t struct_size;
  void* extension_start;
  const std::int64_t* minor_to_major;
  std::size_t minor_to_major_size;
  const std::int64_t* tile_dims;
  const std::size_t* tile_dim_sizes;
  std::size_t num_tiles;
};
struct StridesLayout {
  std::size_t struct_size;
  void* extension_start;
  const std::int64_t* byte_strides;
  std::size_t num_byte_strides;
};
struct MemoryLayout {
  std::size_t struct_size;
  void* extension_start;
  union {
    TiledLayout tiled;
    StridesLayout strides;
  };
  LayoutType type;
};
UNDERSTUDY_PJRT_SIZE(MemoryLayout, type, 76);

struct ShapeSpec {
  std::size_t struct_size;
  void* extension_start;
  const std::int64_t* dims;
  std::size_t num_dims;
  BufferType element_type;
};
static_assert(sizeof(ShapeSpec) == 40);

struct ProcessInfo;

// ---- chunks and callbacks -----------------------------------------------------------------------

struct Chunk {
  void* data;
  std::size_t size;
  void (*deleter)(void* data, void* argument);
  void* deleter_arg;
};
static_assert(sizeof(Chunk) == 32);

using OnReady = void (*)(ErrorHandle* error, void* user_arg);
using CallbackError = ErrorHandle* (*)(ErrorCode code, const char* message, std::size_t size);
using SendCallback = ErrorHandle* (*)(Chunk* chunk, CallbackError* error, std::size_t total_bytes,
                                      bool done, void* user_arg);
using RecvCallback = void (*)(CopyToDeviceStream* stream, void* user_arg);
struct SendCallbackInfo {
  std::int64_t channel_id;
  void* user_arg;
  SendCallback send_callback;
};
struct RecvCallbackInfo {
  std::int64_t channel_id;
  void* user_arg;
  RecvCallback recv_callback;
};

struct ExecuteOptions {
  std::size_t struct_size;
  void* extension_start;
  SendCallbackInfo** send_callbacks;  // [device][operation]
  RecvCallbackInfo** recv_callbacks;
  std::size_t num_send_ops;
  std::size_t num_recv_ops;
  int launch_id;
  const std::int64_t* non_donatable_input_indices;
  std::size_t num_non_donatable_input_indices;
  ExecuteContext* context;
  // Callers before 0.80 end here: read nothing further without a look at struct_size.
  const char* call_location;
};
static_assert(offsetof(ExecuteOptions, call_location) == 80);

// ---- the key-value store of the framework -------------------------------------------------------

struct KeyValueGetArgs {
  std::size_t struct_size;
  void* extension_start;
  const char* key;
  std::size_t key_size;
  int timeout_in_ms;
  CallbackError* callback_error;
  void* user_arg;
  char* value;
  std::size_t value_size;
  void (*value_deleter_callback)(char* value);
};
static_assert(sizeof(KeyValueGetArgs) == 80);
struct KeyValuePutArgs {
  std::size_t struct_size;
  void* extension_start;
  const char* key;
  std::size_t key_size;
  const char* value;
  std::size_t value_size;
  CallbackError* callback_error;
  void* user_arg;
};
static_assert(sizeof(KeyValuePutArgs) == 64);
using KeyValueGet = ErrorHandle* (*)(KeyValueGetArgs* args);
using KeyValuePut = ErrorHandle* (*)(KeyValuePutArgs* args);
using KeyValueTryGet = void*;  // not used

// ---- extensions and the table -------------------------------------------------------------------

struct Extension {
  std::size_t struct_size;
  int type;
  Extension* next;
};
static_assert(sizeof(Extension) == 24);

enum class Slot : std::size_t {
#define ROW(name) name,
#include "pjrt/abi/functions.def"
#undef ROW
  end_of_table
};
inline constexpr std::size_t kSlots = static_cast<std::size_t>(Slot::end_of_table);
static_assert(kSlots == 136);

using Function = ErrorHandle* (*)(void* args);

struct Version {
  std::size_t struct_size;
  void* extension_start;
  int major_version;
  int minor_version;
};
struct Api {
  std::size_t struct_size;
  Extension* extension_start;
  Version version;
  Function functions[kSlots];
};
static_assert(offsetof(Api, functions) == 40 && sizeof(Api) == 1128);

}  // namespace understudy::pjrt::abi
