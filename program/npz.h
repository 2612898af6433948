// SPDX-License-Identifier: Apache-2.0
// Arrays of an .npz file, as numpy.savez and savez_compressed write them: a ZIP archive with one
// .npy file per array. Errors name the file and the array. Thread-compatible.
#pragma once

#include <optional>
#include <string>
#include <string_view>
#include <vector>

#include "program/npy.h"
#include "program/zip.h"

namespace understudy::program {

class NpzFile {
 public:
  // *Throws* Error{input} as ZipFile.
  explicit NpzFile(const std::string& path) : zip_(path) {}

  // Names of the arrays, as given to numpy.savez: without ".npy".
  std::vector<std::string> names() const;
  bool has(std::string_view name) const;

  // As npy_type() and read_npy(); `name` is one of names(). The type needs the header alone, so a
  // caller that checks it first never reads an array of unexpected size.
  TensorType type(const std::string& name, std::optional<ElementType> wanted = std::nullopt) const;
  Array read(const std::string& name, std::optional<ElementType> wanted = std::nullopt) const;

 private:
  const ZipFile::Member& member(const std::string& name) const;
  std::string text(const std::string& name) const { return zip_.path() + ": " + name; }

  ZipFile zip_;
};

bool is_npz(std::string_view path);  // by its extension

}  // namespace understudy::program
