// SPDX-License-Identifier: Apache-2.0
#include "program/npy.h"

#include <bit>
#include <cerrno>
#include <cmath>
#include <cstring>
#include <fcntl.h>
#include <fmt/format.h>
#include <string_view>
#include <unistd.h>

#include "configs/base/error.h"
#include "configs/base/file.h"
#include "program/npy_header.h"

namespace understudy::program {
namespace {

[[noreturn]] void refuse(const std::string& path, const std::string& why) {
  throw Error(ErrorKind::input, fmt::format("{}: {}", path, why));
}

struct NpyType {
  std::string_view code;  // without the byte order
  ElementType element;
};
// Kind and byte width as numpy's array protocol writes them. One-byte types have the order '|'.
constexpr NpyType kTypes[] = {
    {"b1", ElementType::pred}, {"i1", ElementType::i8},   {"i2", ElementType::i16},
    {"i4", ElementType::i32},  {"i8", ElementType::i64},  {"u1", ElementType::ui8},
    {"u2", ElementType::ui16}, {"u4", ElementType::ui32}, {"u8", ElementType::ui64},
    {"f2", ElementType::f16},  {"f4", ElementType::f32},  {"f8", ElementType::f64},
    {"c8", ElementType::c64},  {"c16", ElementType::c128}};

// Types that numpy lacks, and that are therefore stored as integers of their width.
bool is_bit_pattern_type(ElementType type) {
  for (const NpyType& row : kTypes)
    if (row.element == type) return false;
  return true;
}

// ml_dtypes registers bf16, the f8 family and narrow integers as void types: '<V2' (bf16) or '|V1',
// where only the program's type says which. nullopt for other types.
std::optional<ElementType> void_type(std::string_view code, std::optional<ElementType> wanted,
                                     const std::string& path, const std::string& descr) {
  // Two bytes without a type are bf16 in practice: f16 has a code of its own.
  if (code == "V2" && !wanted) return ElementType::bf16;
  if (code != "V1" && code != "V2") return std::nullopt;
  const std::size_t width = code == "V1" ? 1 : 2;
  if (wanted && is_bit_pattern_type(*wanted) && byte_size(*wanted) == width) return wanted;
  refuse(path,
         fmt::format("dtype '{}' has no type in the file (bfloat16, float8 and int4 arrays are "
                     "saved so), and {} is expected",
                     descr, wanted ? mlir_name(*wanted) : "no type of one byte"));
}

ElementType element_of(const NpyHeader& header, std::optional<ElementType> wanted,
                       const std::string& path) {
  const std::string& descr = header.descr;
  const char order = descr.empty() ? '\0' : descr[0];
  const std::string_view code = std::string_view(descr).substr(descr.empty() ? 0 : 1);
  const bool one_byte = code == "b1" || code == "i1" || code == "u1" || code == "V1";
  // '!' is network order. Bytes have no order, whatever the mark says.
  if ((order == '>' || order == '!') && !one_byte)
    refuse(path, fmt::format("dtype '{}' is big-endian; save it as little-endian: "
                             "numpy.save(FILE, array.astype(array.dtype.newbyteorder('<')))",
                             descr));
  if (const auto found = void_type(code, wanted, path, descr)) return *found;
  // '=' is native order, which is little-endian on all supported hosts.
  if (order == '<' || order == '|' || order == '=' || one_byte)
    for (const NpyType& row : kTypes)
      if (row.code == code) return row.element;
  refuse(path, fmt::format("dtype '{}' is not supported{}", descr,
                           code == "O" || code.substr(0, 1) == "O"
                               ? ": it holds Python objects; save an array of numbers"
                               : ""));
}

// Copies a column-major array into row-major order.
std::vector<std::byte> to_row_major(std::span<const std::byte> data, const TensorType& type) {
  std::vector<std::byte> out(data.size());
  const std::size_t width = byte_size(type.element);
  const std::size_t ndims = type.shape.size();
  std::vector<std::int64_t> index(ndims, 0);
  for (std::size_t target = 0; target < out.size(); target += width) {
    std::int64_t source = 0;
    // Horner's scheme from the last dimension: in column-major order the first dimension is the
    // fastest.
    for (std::size_t d = ndims; d-- > 0;) source = source * type.shape[d] + index[d];
    std::memcpy(&out[target], &data[static_cast<std::size_t>(source) * width], width);
    for (std::size_t d = ndims; d-- > 0;) {
      if (++index[d] < type.shape[d]) break;
      index[d] = 0;
    }
  }
  return out;
}

// Round to nearest even; NaN stays NaN, with its quiet bit set.
std::uint16_t bf16_of(float value) {
  const auto bits = std::bit_cast<std::uint32_t>(value);
  // Shifting alone could turn a NaN whose payload is in the lower half into infinity.
  if (std::isnan(value)) return static_cast<std::uint16_t>(bits >> 16 | 0x40);
  const std::uint32_t half = 0x7fff + (bits >> 16 & 1);  // to nearest, ties to even
  return static_cast<std::uint16_t>((bits + half) >> 16);
}

// In place would need two passes over unequal widths; the array is built anew.
void round_to_bf16(Array& array) {
  const std::size_t count = array.bytes.size() / sizeof(float);
  std::vector<std::byte> out(count * sizeof(std::uint16_t));
  for (std::size_t i = 0; i < count; ++i) {
    float value = 0;
    std::memcpy(&value, &array.bytes[i * sizeof value], sizeof value);
    const std::uint16_t bits = bf16_of(value);
    std::memcpy(&out[i * sizeof bits], &bits, sizeof bits);
  }
  array.bytes = std::move(out);
  array.type.element = ElementType::bf16;
}

// Elements of fewer than eight bits are stored one per byte; kernels expect copies of the sign (or
// zeros) in the upper bits. ml_dtypes leaves them unspecified, so they are normalised.
void extend_narrow(Array& array) {
  const ElementType element = array.type.element;
  const int bits = bit_width(element);
  if (!is_integer(element) || bits >= 8) return;
  const unsigned mask = (1U << bits) - 1U;
  const unsigned sign = is_signed_integer(element) ? 1U << (bits - 1) : 0U;
  for (std::byte& value : array.bytes) {
    const unsigned low = std::to_integer<unsigned>(value) & mask;
    // Two's complement: xor and subtraction of the sign bit extend it without a branch. Unsigned
    // types have sign 0.
    value = static_cast<std::byte>((low ^ sign) - sign);
  }
}

// .npy has no code for bf16 and the f8 family: they are stored as unsigned integers of their width,
// or as f32 that is rounded. `wanted`, from the manifest or the program, tells which is meant.
ElementType meant(ElementType stored, std::optional<ElementType> wanted) {
  if (!wanted || stored == *wanted) return stored;
  if (*wanted == ElementType::bf16 && stored == ElementType::f32) return ElementType::bf16;
  const bool pattern =
      // int8 is accepted for f8, as numpy users often view bytes as signed.
      is_bit_pattern_type(*wanted) && (is_unsigned_integer(stored) || stored == ElementType::i8);
  return pattern && byte_size(stored) == byte_size(*wanted) ? *wanted : stored;
}

void interpret(Array& array, std::optional<ElementType> wanted) {
  const ElementType means = meant(array.type.element, wanted);
  if (means == ElementType::bf16 && array.type.element == ElementType::f32)
    return round_to_bf16(array);
  array.type.element = means;
}

std::string descr_of(ElementType type) {
  for (const NpyType& row : kTypes)
    if (row.element == type) return fmt::format("{}{}", byte_size(type) == 1 ? '|' : '<', row.code);
  if (byte_size(type) == 2) return "<u2";
  return is_signed_integer(type) ? "|i1" : "|u1";
}

// The type in the header. Refuses a file whose size differs from what its header declares.
TensorType stored_type(const NpyHeader& header, std::uint64_t file_bytes, const std::string& path,
                       std::optional<ElementType> wanted) {
  TensorType type{element_of(header, wanted, path), header.shape};
  std::int64_t size = 0;
  try {
    size = type.bytes();
  } catch (const Error&) {
    refuse(path, "its shape needs more bytes than a file can hold");
  }
  // Not below zero: the header was read from within the file.
  const std::uint64_t there = file_bytes - header.data_offset;
  if (there != static_cast<std::uint64_t>(size))
    refuse(path, fmt::format("its header declares {} bytes of elements, but the file has {}", size,
                             there));
  return type;
}

}  // namespace

Array parse_npy(std::span<const std::byte> file, const std::string& path,
                std::optional<ElementType> wanted) {
  // The header describes how the elements are stored; interpret() then changes the type to the
  // one meant.
  const NpyHeader header = parse_npy_header(file, path);
  Array array;
  array.type = stored_type(header, file.size(), path, wanted);
  const std::span<const std::byte> data = file.subspan(header.data_offset);
  array.bytes = header.fortran_order && header.shape.size() > 1
                    ? to_row_major(data, array.type)
                    : std::vector<std::byte>(data.begin(), data.end());
  if (array.type.element == ElementType::pred)
    // numpy stores bool as one byte; a view of other data may hold any value, and kernels expect 0
    // or 1.
    for (std::byte& value : array.bytes) value = value == std::byte{0} ? value : std::byte{1};
  interpret(array, wanted);
  extend_narrow(array);
  return array;
}

TensorType npy_type_of(std::span<const std::byte> start, std::uint64_t file_bytes,
                       const std::string& path, std::optional<ElementType> wanted) {
  TensorType type = stored_type(parse_npy_header(start, path), file_bytes, path, wanted);
  type.element = meant(type.element, wanted);
  return type;
}

// A file that is not an array is refused before more than its start is read.
TensorType npy_type(const std::string& path, std::optional<ElementType> wanted) {
  const FileStart start = read_file_start(path, kNpyHeadBytes);
  return npy_type_of(start.bytes, start.file_bytes, path, wanted);
}

Array read_npy(const std::string& path, std::optional<ElementType> wanted) {
  // Small files are complete with their first read; large ones are checked before the rest is read.
  const FileStart start = read_file_start(path, kNpyHeadBytes);
  if (start.bytes.size() == start.file_bytes) return parse_npy(start.bytes, path, wanted);
  stored_type(parse_npy_header(start.bytes, path), start.file_bytes, path, wanted);
  return parse_npy(read_binary_file(path, start.file_bytes), path, wanted);
}

std::vector<std::byte> npy_bytes(const Array& array) {
  const std::string header = npy_header_text(descr_of(array.type.element), array.type.shape);
  std::vector<std::byte> bytes(header.size() + array.bytes.size());
  std::memcpy(bytes.data(), header.data(), header.size());
  if (!array.bytes.empty())
    std::memcpy(bytes.data() + header.size(), array.bytes.data(), array.bytes.size());
  return bytes;
}

void write_npy(const std::string& path, const Array& array) {
  // Atomically: a reader never sees a header without its elements.
  write_file_atomically(path, npy_bytes(array));
}

}  // namespace understudy::program
