// SPDX-License-Identifier: Apache-2.0
// A library with the PJRT C API, as its client: loads it and calls its functions. The library may
// be of a later version of the API than the one in pjrt/abi: argument structs are passed with room
// behind them, which later versions fill or read as zero. Never unloaded. Call from one thread.
#pragma once

#include <cstddef>
#include <map>
#include <optional>
#include <string>
#include <vector>

#include "configs/launch/message/compiler_message.h"
#include "pjrt/abi/plugin.h"
#include "pjrt/abi/types.h"

namespace understudy::pjrt {

// What the library refuses, in its words; code 0: it has no such function.
struct LibraryRefusal {
  configs::CompilerError error;
};

// An argument struct with room for the fields of later versions. Zero where nothing is set.
template <class Args>
struct Call {
  Args args{};
  std::byte later[256]{};
  Call() { args.struct_size = sizeof(Call); }
  Args* operator->() { return &args; }
};

class Library {
 public:
  // Loads the file and reads its table; initialises nothing. *Throws* LibraryRefusal.
  explicit Library(const std::string& path);

  std::int64_t major() const { return api_->version.major_version; }
  std::int64_t minor() const { return api_->version.minor_version; }
  bool has(abi::Slot slot) const;
  // *Throws* LibraryRefusal.
  template <class Args>
  void call(abi::Slot slot, Call<Args>& arguments) const {
    raise(function(slot)(&arguments.args));
  }
  // Without effect if the library lacks the function or refuses.
  template <class Args>
  bool try_call(abi::Slot slot, Call<Args>& arguments) const {
    if (!has(slot)) return false;
    ErrorHandle* error = function(slot)(&arguments.args);
    if (error == nullptr) return true;
    static_cast<void>(taken(error));
    return false;
  }

 private:
  abi::Function function(abi::Slot slot) const;
  void raise(ErrorHandle* error) const;
  configs::CompilerError taken(ErrorHandle* error) const;

  const abi::Api* api_ = nullptr;
};

// The functions without which nothing can be asked, and those that only add something.
const std::vector<abi::Slot>& needed_functions();
const std::vector<abi::Slot>& useful_functions();
// Without the prefix "PJRT_".
const char* name_of(abi::Slot slot);

// Values as text: "4", "1,2,3", "true".
std::map<std::string, std::string> texts_of(const abi::NamedValue* values, std::size_t count);

}  // namespace understudy::pjrt
