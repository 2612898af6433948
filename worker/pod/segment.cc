// SPDX-License-Identifier: Apache-2.0
#include "worker/pod/segment.h"

#include <cerrno>
#include <fmt/format.h>
#include <new>
#include <sys/mman.h>
#include <system_error>
#include <unistd.h>
#include <utility>

#include "configs/base/error.h"

namespace understudy::worker {
namespace {

// Layout of a segment, in this order, each part page-aligned except the end of HBM:
//
// header (kHeaderBytes) | board | scratch (2 x HBM) | HBM
//
// Every process computes the same offsets from hbm_bytes alone, so an offset into one mapping means
// the same byte in every other mapping of that segment.
constexpr std::uint64_t kHeaderBytes = 8192;
static_assert(sizeof(SegmentHeader) <= kHeaderBytes);
constexpr std::uint64_t kBoardBytes = (sizeof(collectives::Board) + kPage - 1) / kPage * kPage;

// A collective stages at most its packed operands and its unpacked results, and each of them fits
// in HBM: twice HBM is enough. Untouched scratch pages cost no memory.
std::uint64_t scratch_bytes(std::uint64_t hbm_bytes) {
  return (2 * hbm_bytes + kPage - 1) / kPage * kPage;
}
std::uint64_t size_of(std::uint64_t hbm_bytes) {
  return kHeaderBytes + kBoardBytes + scratch_bytes(hbm_bytes) + hbm_bytes;
}

// Call right after the failing system call: reads errno.
[[noreturn]] void refuse(std::string_view doing, std::uint64_t hbm_bytes, std::string_view remedy) {
  const int code = errno;
  Error error(ErrorKind::system, fmt::format("cannot {} a chip's memory of {} bytes: {}", doing,
                                             hbm_bytes, std::generic_category().message(code)));
  throw error.note(std::string(remedy));
}

}  // namespace

Segment::Segment(int descriptor, std::uint64_t hbm_bytes)
    : descriptor_(descriptor), hbm_bytes_(hbm_bytes) {
  // MAP_NORESERVE: the sum of all chips' HBM exceeds the machine's memory, and most pages stay
  // untouched.
  void* base = ::mmap(nullptr, size_of(hbm_bytes), PROT_READ | PROT_WRITE,
                      MAP_SHARED | MAP_NORESERVE, descriptor, 0);
  if (base == MAP_FAILED) {
    ::close(std::exchange(descriptor_, -1));
    refuse("map", hbm_bytes, "raise the address space limit (ulimit -v unlimited)");
  }
  base_ = static_cast<std::byte*>(base);
}

Segment Segment::create(std::uint64_t hbm_bytes) {
  // Close-on-exec: host processes get it only through the exchange of descriptors.
  const int descriptor = ::memfd_create("understudy-hbm", MFD_CLOEXEC);
  if (descriptor < 0) refuse("create", hbm_bytes, "raise the limit of open files (ulimit -n)");
  // Sparse: the file gets its size, not its pages.
  if (::ftruncate(descriptor, static_cast<off_t>(size_of(hbm_bytes))) != 0) {
    ::close(descriptor);
    refuse("extend", hbm_bytes, "raise the file size limit (ulimit -f unlimited)");
  }
  Segment segment(descriptor, hbm_bytes);
  // Placement new starts the lifetime of the objects; the memory is zero already, which is their
  // initial state.
  new (segment.base_) SegmentHeader;
  new (segment.base_ + kHeaderBytes) collectives::Board;
  return segment;
}

Segment Segment::map(int descriptor, std::uint64_t hbm_bytes) {
  return Segment(descriptor, hbm_bytes);
}

Segment::Segment(Segment&& other) noexcept
    // The moved-from segment owns nothing: its destructor sees -1 and null.
    : descriptor_(std::exchange(other.descriptor_, -1)),
      base_(std::exchange(other.base_, nullptr)),
      hbm_bytes_(other.hbm_bytes_) {}

Segment::~Segment() {
  close_descriptor();
  if (base_ != nullptr) ::munmap(base_, size_of(hbm_bytes_));
}

SegmentHeader& Segment::header() const {
  // launder(): the object was constructed by another mapping, in this process or another one.
  return *std::launder(reinterpret_cast<SegmentHeader*>(base_));
}

collectives::Board& Segment::board() const {
  return *std::launder(reinterpret_cast<collectives::Board*>(base_ + kHeaderBytes));
}

std::span<std::byte> Segment::scratch() const {
  return {base_ + kHeaderBytes + kBoardBytes, scratch_bytes(hbm_bytes_)};
}

std::span<std::byte> Segment::hbm() const {
  return {scratch().data() + scratch_bytes(hbm_bytes_), hbm_bytes_};
}

std::span<std::byte> Segment::all() const { return {base_, size_of(hbm_bytes_)}; }

void Segment::close_descriptor() {
  if (descriptor_ >= 0) ::close(std::exchange(descriptor_, -1));
}

}  // namespace understudy::worker
