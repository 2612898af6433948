// SPDX-License-Identifier: Apache-2.0
#include "program/ir/source.h"

#include <algorithm>
#include <cerrno>
#include <fcntl.h>
#include <filesystem>
#include <fmt/format.h>
#include <system_error>

#include "configs/base/file.h"

namespace understudy::program {
namespace {

// Lines longer than this are cut around the error in messages.
// Two lines of a usual terminal.
constexpr std::uint64_t kShownBytes = 160;
constexpr std::uint64_t kLargest = 0xFFFFFFFF;  // line or column

[[noreturn]] void refuse(const std::string& path, const std::string& reason) {
  throw Error(ErrorKind::input, SourcePlace{path, 0, 0, "", 0}, reason);
}

}  // namespace

Source::Source(std::string path, std::unique_ptr<char[]> bytes, std::size_t size)
    : path_(std::move(path)), bytes_(std::move(bytes)), size_(size) {}

Source::Source(std::string path, std::string_view text)
    : path_(std::move(path)),
      bytes_(std::make_unique_for_overwrite<char[]>(text.size())),
      size_(text.size()) {
  std::copy(text.begin(), text.end(), bytes_.get());
}

// Folders and special files are refused before they are opened; the size is bounded before it is
// read.
std::shared_ptr<const Source> Source::read(const std::string& path) {
  std::error_code code;
  const auto status = std::filesystem::status(path, code);
  if (!std::filesystem::exists(status)) refuse(path, "no such file");
  if (std::filesystem::is_directory(status)) refuse(path, "is a folder, not a file");
  FileDescriptor file;
  FileBytes bytes;
  int failed = open_regular_file(file, path, O_RDONLY, Links::follow);
  // Bounded while reading: the size that stat() reports may change.
  if (failed == 0) failed = read_whole(file, kMostProgramBytes, bytes);
  if (failed == EFBIG)
    refuse(path, fmt::format("has {} bytes; a program may have at most {}",
                             std::filesystem::file_size(path, code), kMostProgramBytes));
  if (failed != 0) refuse(path, fmt::format("cannot be read: {}", words_for_code(failed)));
  const std::size_t size = bytes.size();
  return std::make_shared<const Source>(path, bytes.release(), size);
}

std::shared_ptr<const Source> Source::of_bytes(std::string path) {
  return std::shared_ptr<const Source>(new Source(std::move(path), Kind::bytes));
}

std::shared_ptr<const Source> Source::elsewhere(std::string path) {
  return std::shared_ptr<const Source>(new Source(std::move(path), Kind::elsewhere));
}

// A place in a file that is not at hand (named by a location attribute): line and column share one
// offset.
std::uint64_t Source::elsewhere_offset(std::uint64_t line, std::uint64_t column) {
  return std::min(line, kLargest) << 32 | std::min(column, kLargest);
}

// The line index is built on the first error or place lookup: most runs never need it. call_once,
// as sources are shared between threads.
const std::vector<std::uint64_t>& Source::lines() const {
  // Exactly once, also where several threads report errors.
  std::call_once(indexed_, [this] {
    lines_.push_back(0);
    const std::string_view all = text();
    for (std::size_t at = all.find('\n'); at != std::string_view::npos; at = all.find('\n', at + 1))
      lines_.push_back(at + 1);
  });
  return lines_;
}

// Line and column of an offset, with the text of the line for the message. Only the part of a long
// line around the offset is kept.
SourcePlace Source::place(std::uint64_t offset) const {
  if (kind_ == Kind::bytes) {
    SourcePlace place{path_, 0, 0, "", 0};
    place.byte = offset;
    return place;
  }
  if (kind_ == Kind::elsewhere) {
    return {path_, static_cast<std::uint32_t>(offset >> 32),
            static_cast<std::uint32_t>(offset & kLargest), "", 0};
  }
  const std::string_view all = text();
  const std::uint64_t at = std::min<std::uint64_t>(offset, all.size());
  const auto next = std::upper_bound(lines().begin(), lines().end(), at);
  const std::uint64_t begin = *(next - 1);
  std::uint64_t end = all.find('\n', at);
  if (end == std::string_view::npos) end = all.size();
  // Windows line ends are not part of the line.
  if (end > begin && all[end - 1] == '\r') --end;

  SourcePlace place;
  place.path = path_;
  place.line = static_cast<std::uint32_t>(next - lines().begin());
  place.column = static_cast<std::uint32_t>(at - begin + 1);
  // Half of the shown text stands before the error.
  const std::uint64_t lead = at - begin > kShownBytes / 2 ? at - begin - kShownBytes / 2 : 0;
  const std::uint64_t shown_from = end - begin > kShownBytes ? begin + lead : begin;
  place.text = all.substr(shown_from, std::min(kShownBytes, end - shown_from));
  place.caret = static_cast<std::uint32_t>(at - shown_from + 1);
  return place;
}

}  // namespace understudy::program
