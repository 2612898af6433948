// SPDX-License-Identifier: Apache-2.0
// What an executable of the library tells: memory, costs, sizes, the scheduled program.
#include <cmath>
#include <fmt/format.h>

#include "configs/base/error.h"
#include "pjrt/abi/executable.h"
#include "pjrt/abi/struct_array.h"
#include "pjrt/client/requests.h"
#include "pjrt/core/compile/proto.h"

namespace understudy::pjrt {
namespace {

using configs::CompilerAnswer;
using enum abi::Slot;

class OwnedExecutable {
 public:
  OwnedExecutable(const Library& library, Executable* handle)
      : library_(library), handle_(handle) {}
  ~OwnedExecutable() {
    Call<abi::ExecutableDestroyArgs> call;
    call->executable = handle_;
    library_.try_call(Executable_Destroy, call);
  }
  OwnedExecutable(const OwnedExecutable&) = delete;
  OwnedExecutable& operator=(const OwnedExecutable&) = delete;
  Executable* handle() const { return handle_; }

 private:
  const Library& library_;
  Executable* handle_;
};

// The fingerprint of libtpu is 32 bytes, not text.
std::string in_hexadecimal(std::string_view bytes) {
  std::string text;
  for (const char byte : bytes) text += fmt::format("{:02x}", static_cast<unsigned char>(byte));
  return text;
}

// A function that the library lacks leaves its part of the answer empty; the pre-flight then leaves
// out the checks that need it.
void read_memory(const Library& library, const OwnedExecutable& compiled, CompilerAnswer& answer) {
  Call<abi::ExecutableGetCompiledMemoryStatsArgs> call;
  call->executable = compiled.handle();
  if (!library.try_call(Executable_GetCompiledMemoryStats, call)) return;
  answer.memory = {call->argument_size_in_bytes,       call->output_size_in_bytes,
                   call->alias_size_in_bytes,          call->temp_size_in_bytes,
                   call->generated_code_size_in_bytes, call->peak_memory_in_bytes};
}

void read_costs(const Library& library, const OwnedExecutable& compiled, CompilerAnswer& answer) {
  Call<abi::ExecutableGetCostAnalysisArgs> call;
  call->executable = compiled.handle();
  if (!library.try_call(Executable_GetCostAnalysis, call)) return;
  const abi::NamedValue* value = call->properties;
  for (std::size_t i = 0; i < call->num_properties; ++i, value = abi::next_struct(value))
    // JSON has no NaN and no infinity.
    if (value->type == abi::kFloat && std::isfinite(value->float_value))
      answer.costs.insert_or_assign(std::string(value->name, value->name_size), value->float_value);
}

// Asked twice: first for the size, then for the bytes.
std::string optimized_program(const Library& library, const OwnedExecutable& compiled) {
  abi::Program program{};
  program.struct_size = sizeof program;
  Call<abi::ExecutableOptimizedProgramArgs> call;
  call->executable = compiled.handle();
  call->program = &program;
  if (!library.try_call(Executable_OptimizedProgram, call)) return "";
  std::string code(program.code_size, '\0');
  program.code = code.data();
  if (!library.try_call(Executable_OptimizedProgram, call)) return "";
  code.resize(program.code_size);
  const std::string_view format(program.format, program.format_size);
  return format == "hlo_with_config" ? module_in(code) : format == "hlo" ? code : "";
}

void read_sizes(const Library& library, const OwnedExecutable& compiled, CompilerAnswer& answer) {
  Call<abi::ExecutableSizeOfGeneratedCodeInBytesArgs> size;
  size->executable = compiled.handle();
  if (library.try_call(Executable_SizeOfGeneratedCodeInBytes, size))
    answer.executable_bytes = size->size_in_bytes;
  Call<abi::ExecutableSerializeArgs> serial;
  serial->executable = compiled.handle();
  // The size of the serialized executable is the better measure, where the library can serialize.
  if (library.try_call(Executable_Serialize, serial)) {
    answer.executable_bytes = static_cast<std::int64_t>(serial->serialized_bytes_size);
    if (serial->serialized_executable_deleter != nullptr)
      serial->serialized_executable_deleter(serial->serialized_executable);
  }
  Call<abi::ExecutableFingerprintArgs> fingerprint;
  fingerprint->executable = compiled.handle();
  if (library.try_call(Executable_Fingerprint, fingerprint))
    answer.fingerprint = in_hexadecimal(
        {fingerprint->executable_fingerprint, fingerprint->executable_fingerprint_size});
}

}  // namespace

void read_back(const Library& library, Executable* executable, Answered& out) {
  const OwnedExecutable compiled(library, executable);
  read_memory(library, compiled, out.answer);
  read_costs(library, compiled, out.answer);
  read_sizes(library, compiled, out.answer);
  out.body = optimized_program(library, compiled);
}

std::string module_in(std::string_view with_config) {
  try {
    for (const ProtoField& field : proto_fields(with_config))
      if (field.number == 1) return std::string(field.bytes);
  } catch (const Error&) {
    return "";  // another form than this version knows; the compile itself succeeded
  }
  return "";
}

}  // namespace understudy::pjrt
