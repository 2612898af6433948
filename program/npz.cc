// SPDX-License-Identifier: Apache-2.0
#include "program/npz.h"

#include <fmt/format.h>

#include "configs/base/error.h"

namespace understudy::program {
namespace {

constexpr std::string_view kExtension = ".npy";

}  // namespace

bool is_npz(std::string_view path) { return path.ends_with(".npz"); }

std::vector<std::string> NpzFile::names() const {
  std::vector<std::string> names;
  for (const ZipFile::Member& one : zip_.members()) {
    // numpy.savez adds the extension to each array's name.
    const bool array = one.name.ends_with(kExtension);
    // Members that are no arrays keep their name, so that an error can list them.
    names.push_back(array ? one.name.substr(0, one.name.size() - kExtension.size()) : one.name);
  }
  return names;
}

bool NpzFile::has(std::string_view name) const {
  return zip_.find(fmt::format("{}{}", name, kExtension)) != nullptr;
}

const ZipFile::Member& NpzFile::member(const std::string& name) const {
  const ZipFile::Member* found = zip_.find(fmt::format("{}{}", name, kExtension));
  if (found == nullptr)
    throw Error(ErrorKind::input, fmt::format("{}: there is no array '{}'", zip_.path(), name));
  return *found;
}

TensorType NpzFile::type(const std::string& name, std::optional<ElementType> wanted) const {
  // The head is unpacked alone: a type query does not read the elements.
  const ZipFile::Member& found = member(name);
  return npy_type_of(zip_.read(found, kNpyHeadBytes), found.size, text(name), wanted);
}

Array NpzFile::read(const std::string& name, std::optional<ElementType> wanted) const {
  // Two readings: the head for its check, then the whole member.
  const ZipFile::Member& found = member(name);
  type(name, wanted);  // refuses a size that the header contradicts before all is unpacked
  return parse_npy(zip_.read(found, found.size), text(name), wanted);
}

}  // namespace understudy::program
