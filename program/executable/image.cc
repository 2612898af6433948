// SPDX-License-Identifier: Apache-2.0
// The image of code: every instruction field by field, in the order of its row. Numbers are stored
// as they are in memory, lists with their length in front. One text counts bytes and writes them.
#include <cstring>
#include <string>
#include <type_traits>

#include "program/executable/memory_plan.h"

namespace understudy::program {
namespace {

// Counts where `to` is null.
class Sink {
 public:
  explicit Sink(std::vector<std::byte>* to) : to_(to) {}
  void put(const void* from, std::size_t bytes) {
    count_ += bytes;
    if (to_ == nullptr || bytes == 0) return;
    const std::size_t at = to_->size();
    to_->resize(at + bytes);
    std::memcpy(to_->data() + at, from, bytes);
  }
  std::uint64_t count() const { return count_; }

 private:
  std::vector<std::byte>* to_;
  std::uint64_t count_ = 0;
};

// Declared before the templates, as instructions hold codes and codes hold instructions.
void put(Sink& sink, const Instruction& instruction);

template <class T>
requires(std::is_arithmetic_v<T> || std::is_enum_v<T> ||
         std::is_same_v<T, ProcessId>) void put(Sink& sink, const T& value) {
  sink.put(&value, sizeof value);
}
void put(Sink& sink, const std::string& text) {
  put(sink, static_cast<std::uint32_t>(text.size()));
  sink.put(text.data(), text.size());
}
template <class T>
void put(Sink& sink, const std::vector<T>& all);
void put(Sink& sink, const ProcessPair& pair) {
  put(sink, pair.source);
  put(sink, pair.target);
}
void put(Sink& sink, const Operand& operand) {
  put(sink, operand.at.space);
  put(sink, operand.at.index);
  put(sink, operand.at.offset);
  put(sink, operand.type.element);
  put(sink, operand.type.shape);
}
void put(Sink& sink, const Window& window) {
  for (const Shape* const shape :
       {&window.dimensions, &window.strides, &window.base_dilations, &window.window_dilations,
        &window.padding_low, &window.padding_high})
    put(sink, *shape);
}
void put(Sink& sink, const StridedCopy& copy) {
  for (const Shape* const shape : {&copy.sizes, &copy.in_strides, &copy.out_strides})
    put(sink, *shape);
  put(sink, copy.in_base);
  put(sink, copy.out_base);
}
void put(Sink& sink, const Body& body) {
  put(sink, body.parameters);
  put(sink, body.results);
  put(sink, body.code);
  put(sink, body.frame_bytes);
  put(sink, body.lanewise);
}
template <class T>
void put(Sink& sink, const std::vector<T>& all) {
  put(sink, static_cast<std::uint32_t>(all.size()));
  if constexpr (std::is_arithmetic_v<T> && !std::is_same_v<T, bool>) {
    sink.put(all.data(), all.size() * sizeof(T));
  } else {
    for (const T& one : all) put(sink, one);
  }
}

template <class... Fields>
void put_all(Sink& sink, const Fields&... fields) {
  (put(sink, fields), ...);
}

// The fields of each kind of work, from its row.
#define UNDERSTUDY_IMAGE(type, name, number, ...)                                   \
  void put_work([[maybe_unused]] Sink& sink, [[maybe_unused]] const type& object) { \
    __VA_OPT__(const auto& [__VA_ARGS__] = object; put_all(sink, __VA_ARGS__);)     \
  }
UNDERSTUDY_WORKS(UNDERSTUDY_IMAGE)
#undef UNDERSTUDY_IMAGE

void put(Sink& sink, const Instruction& instruction) {
  put(sink, static_cast<std::uint8_t>(instruction.work.index()));
  std::visit([&](const auto& work) { put_work(sink, work); }, instruction.work);
  put(sink, instruction.inputs);
  put(sink, instruction.outputs);
  put(sink, instruction.op);
}

}  // namespace

std::uint64_t instruction_bytes(const Code& code) {
  Sink sink(nullptr);
  for (const Instruction& instruction : code) put(sink, instruction);
  return sink.count();
}

std::vector<std::byte> image_of(const Executable& executable) {
  std::vector<std::byte> image = executable.constants;
  image.reserve(image.size() + instruction_bytes(executable.code));
  Sink sink(&image);
  for (const Instruction& instruction : executable.code) put(sink, instruction);
  return image;
}

}  // namespace understudy::program
