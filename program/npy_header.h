// SPDX-License-Identifier: Apache-2.0
// The header of a .npy file: a Python dictionary literal with three known keys. Internal to npy.cc.
#pragma once

#include <cstddef>
#include <span>
#include <string>

#include "program/ir/types.h"

namespace understudy::program {

struct NpyHeader {
  std::string descr;  // "<f4"
  bool fortran_order = false;
  Shape shape;
  std::size_t data_offset = 0;  // where the elements begin in the file
};

// *Throws* Error{input} with `path` for anything that is no such header.
NpyHeader parse_npy_header(std::span<const std::byte> file, const std::string& path);

// Magic, version, length, dictionary and padding to a multiple of 64 bytes.
std::string npy_header_text(const std::string& descr, const Shape& shape);

}  // namespace understudy::program
