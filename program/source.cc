// SPDX-License-Identifier: Apache-2.0
#include "program/source.h"

#include <algorithm>
#include <cerrno>
#include <cstring>
#include <filesystem>
#include <fmt/format.h>
#include <fstream>
#include <iterator>
#include <system_error>

namespace understudy::program {
namespace {

constexpr std::uint64_t kShownBytes = 160;

[[noreturn]] void refuse(const std::string& path, const std::string& reason) {
  throw Error(ErrorKind::input, SourcePlace{path, 0, 0, "", 0}, reason);
}

}  // namespace

Source::Source(std::string path, std::string text)
    : path_(std::move(path)), text_(std::move(text)) {}

std::shared_ptr<const Source> Source::read(const std::string& path) {
  std::error_code code;
  const auto status = std::filesystem::status(path, code);
  if (!std::filesystem::exists(status)) refuse(path, "no such file");
  if (std::filesystem::is_directory(status)) refuse(path, "is a folder, not a file");
  errno = 0;
  std::ifstream file(path, std::ios::binary);
  if (!file) refuse(path, fmt::format("cannot be read: {}", std::strerror(errno)));
  std::string text{std::istreambuf_iterator<char>(file), std::istreambuf_iterator<char>()};
  if (file.bad()) refuse(path, fmt::format("cannot be read: {}", std::strerror(errno)));
  return std::make_shared<const Source>(path, std::move(text));
}

SourcePlace Source::place(std::uint64_t offset) const {
  const std::uint64_t at = std::min<std::uint64_t>(offset, text_.size());
  std::uint64_t begin = at;
  while (begin > 0 && text_[begin - 1] != '\n') --begin;
  std::uint64_t end = text_.find('\n', at);
  if (end == std::string::npos) end = text_.size();
  if (end > begin && text_[end - 1] == '\r') --end;

  SourcePlace place;
  place.path = path_;
  place.line = 1 + static_cast<std::uint32_t>(std::count(
                       text_.begin(), text_.begin() + static_cast<std::ptrdiff_t>(begin), '\n'));
  place.column = static_cast<std::uint32_t>(at - begin + 1);
  const std::uint64_t lead = at - begin > kShownBytes / 2 ? at - begin - kShownBytes / 2 : 0;
  const std::uint64_t shown_from = end - begin > kShownBytes ? begin + lead : begin;
  place.text = text_.substr(shown_from, std::min(kShownBytes, end - shown_from));
  place.caret = static_cast<std::uint32_t>(at - shown_from + 1);
  return place;
}

}  // namespace understudy::program
