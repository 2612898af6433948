// SPDX-License-Identifier: Apache-2.0
#include "cache/archive.h"

#include <algorithm>
#include <array>
#include <boost/archive/binary_iarchive.hpp>
#include <boost/archive/binary_oarchive.hpp>
#include <boost/serialization/split_free.hpp>
#include <boost/serialization/utility.hpp>
#include <boost/serialization/version.hpp>
#include <boost/version.hpp>
#include <cstdint>
#include <exception>
#include <fmt/format.h>
#include <span>
#include <sstream>
#include <stdexcept>
#include <type_traits>
#include <utility>
#include <variant>

#include "cache/archive_fields.h"
#include "configs/base/digest.h"
#include "configs/base/error.h"

namespace program = understudy::program;

namespace understudy::cache {
namespace {

// Restores the alternative number `wanted` of the variant. A table of functions, because the number
// is known only at run time; a number beyond the table comes from a damaged entry.
template <class Archive, std::size_t... index>
void load_alternative(Archive& archive, program::Work& work, std::size_t wanted,
                      std::index_sequence<index...> /*all*/) {
  using Load = void (*)(Archive&, program::Work&);
  static constexpr std::array<Load, sizeof...(index)> kLoads = {
      +[](Archive& from, program::Work& to) { from >> to.emplace<index>(); }...};
  // The table is as long as the variant, so a new kind of work needs no line here.
  if (wanted >= kLoads.size()) throw runtime_error("unknown kind of work");
  kLoads[wanted](archive, work);
}

}  // namespace
}  // namespace understudy::cache

// A struct: its name, the version, then all fields in order. The structured binding makes a
// forgotten field a compile error. A changed row needs a higher version.
#define UNDERSTUDY_ARCHIVE(type, number, ...)                                                  \
  BOOST_CLASS_VERSION(program::type, number)                                                   \
  static_assert(__VA_OPT__(!) std::is_empty_v<program::type>, "name all fields of this type"); \
  namespace boost::serialization {                                                             \
  template <class Archive>                                                                     \
  void serialize([[maybe_unused]] Archive& archive, [[maybe_unused]] program::type& object,    \
                 unsigned /*was*/) {                                                           \
    __VA_OPT__(auto& [__VA_ARGS__] = object;                                                   \
               understudy::cache::visit_fields(archive, __VA_ARGS__);)                         \
  }                                                                                            \
  }
#define UNDERSTUDY_ARCHIVE_WORK(type, name, number, ...) \
  UNDERSTUDY_ARCHIVE(type, number __VA_OPT__(, ) __VA_ARGS__)

// clang-format off
UNDERSTUDY_ARCHIVE(TensorType, 1, element, shape)
UNDERSTUDY_ARCHIVE(Buffer, 1, space, index, offset)
UNDERSTUDY_ARCHIVE(Operand, 1, at, type)
UNDERSTUDY_ARCHIVE(Body, 1, parameters, results, code, frame_bytes, lanewise)
UNDERSTUDY_ARCHIVE(Window, 1, dimensions, strides, base, window, low, high)
UNDERSTUDY_ARCHIVE(ProcessId, 1, value)
UNDERSTUDY_ARCHIVE(ProcessPair, 1, source, target)
UNDERSTUDY_ARCHIVE(Instruction, 1, work, inputs, outputs, op)
UNDERSTUDY_ARCHIVE(Donation, 1, argument, result)
UNDERSTUDY_ARCHIVE(Executable, 2, arguments, results, replicas, partitions, numerics,
                   code, constants, temporary_bytes, host_temporary_bytes, host_arguments,
                   host_results, donations, op_names)
UNDERSTUDY_WORKS(UNDERSTUDY_ARCHIVE_WORK)
// clang-format on

namespace boost::serialization {

// A Work is stored as the index of its alternative, then the alternative.
template <class Archive>
void save(Archive& archive, const program::Work& work, unsigned /*was*/) {
  // One byte: the variant has far fewer than 256 alternatives.
  const auto index = static_cast<std::uint8_t>(work.index());
  archive << index;
  std::visit([&](const auto& alternative) { archive << alternative; }, work);
}

template <class Archive>
void load(Archive& archive, program::Work& work, unsigned /*was*/) {
  using understudy::cache::kNesting, understudy::cache::Nested, understudy::cache::Nesting;
  // Bodies of loops and branches nest. The depth is counted per archive, so that a crafted entry is
  // refused before the stack overflows.
  // The helper lives as long as the archive, and is found by the address of kNesting.
  const Nested one_deeper(archive.template get_helper<Nesting>(const_cast<char*>(&kNesting)));
  std::uint8_t index = 0;
  archive >> index;
  understudy::cache::load_alternative(
      archive, work, index, std::make_index_sequence<std::variant_size_v<program::Work>>{});
}

template <class Archive>
void serialize(Archive& archive, program::Work& work, unsigned was) {
  split_free(archive, work, was);
}

}  // namespace boost::serialization

namespace understudy::cache {

std::string archive_executable(const program::Executable& executable) {
  std::ostringstream out(std::ios::binary);
  // The archive writes its last bytes when it is destroyed, hence the scope.
  {
    boost::archive::binary_oarchive archive(out);
    archive << executable;
  }
  return with_archive_digest(std::move(out).str());
}

namespace {

// 128 bits in hexadecimal.
constexpr std::size_t kDigestDigits = 32;

std::string digest_of(std::string_view content) {
  Digester digester;
  digester.add(std::as_bytes(std::span(content)));
  return digester.hex();
}

// Boost reads a length at the start of an archive and allocates that much without a check. An
// archive of this build always starts with the same bytes, so anything else is refused first.
void check_start(std::string_view bytes) {
  static const std::string kEmpty = [] {
    std::ostringstream out(std::ios::binary);
    { const boost::archive::binary_oarchive archive(out); }
    return std::move(out).str();
  }();
  if (!bytes.starts_with(kEmpty)) throw std::runtime_error("wrong header");
}

// Without the digest.
std::string_view checked_content(std::string_view bytes) {
  if (bytes.size() < kDigestDigits) throw std::runtime_error("too short");
  const std::string_view content = bytes.substr(0, bytes.size() - kDigestDigits);
  // The digest was made by us, so damage is the usual reason; a wrong writer is caught by
  // check_bounds().
  if (bytes.substr(content.size()) != digest_of(content))
    throw std::runtime_error("the digest does not match");
  return content;
}

}  // namespace

std::string with_archive_digest(std::string content) {
  content += digest_of(content);
  return content;
}

program::Executable restore_executable(std::string_view bytes) {
  try {
    const std::string_view content = checked_content(bytes);
    check_start(content);
    std::istringstream in(std::string(content), std::ios::binary);
    boost::archive::binary_iarchive archive(in);
    program::Executable executable;
    archive >> executable;
    // Trailing bytes mean that archive_executable() did not write this payload.
    if (in.peek() != std::istringstream::traits_type::eof()) throw runtime_error("trailing bytes");
    return executable;
  } catch (const std::exception& failure) {  // Boost's, ours, and std::bad_alloc
    throw Error(ErrorKind::internal, fmt::format("invalid executable archive: {}", failure.what()));
  }
}

std::string_view archive_library() { return "boost " BOOST_LIB_VERSION; }

}  // namespace understudy::cache
