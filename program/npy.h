// SPDX-License-Identifier: Apache-2.0
// Arrays in .npy files (NumPy format versions 1, 2 and 3), in and out. bf16, which NumPy lacks, is
// written as its uint16 bit patterns and read from those, from the two-byte void type that
// ml_dtypes writes, or from float32 that is rounded. Pure functions over files; errors name the
// file.
#pragma once

#include <cstddef>
#include <cstdint>
#include <optional>
#include <span>
#include <string>
#include <vector>

#include "program/ir/types.h"

namespace understudy::program {

// A whole array: dense, row-major, little-endian.
struct Array {
  TensorType type;
  std::vector<std::byte> bytes;
  bool operator==(const Array&) const = default;
};

// Reads a file. `wanted` says what the array means where the file cannot (bf16, f8 and 4-bit
// integers travel as bit patterns) and converts float32 to bf16; other differences are left to the
// caller. Fortran order is put right. *Throws* Error{input} with the file's name.
Array read_npy(const std::string& path, std::optional<ElementType> wanted = std::nullopt);

// The type that read_npy() would give, from the header alone: an array of another type than is
// wanted need not be read. *Throws* as read_npy().
TensorType npy_type(const std::string& path, std::optional<ElementType> wanted = std::nullopt);

// The same from the first kNpyHeadBytes of a file that has `file_bytes`.
inline constexpr std::size_t kNpyHeadBytes = (std::size_t{1} << 20) + 16;  // the longest header
TensorType npy_type_of(std::span<const std::byte> start, std::uint64_t file_bytes,
                       const std::string& path, std::optional<ElementType> wanted);

// read_npy() from bytes; `path` is for messages.
Array parse_npy(std::span<const std::byte> file, const std::string& path,
                std::optional<ElementType> wanted = std::nullopt);

// The bytes of a version 1 file. Types NumPy lacks become bit patterns.
std::vector<std::byte> npy_bytes(const Array& array);

// Writes it as a whole or not at all. *Throws* Error{system} with the file's name.
void write_npy(const std::string& path, const Array& array);

}  // namespace understudy::program
