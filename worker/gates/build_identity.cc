// SPDX-License-Identifier: Apache-2.0
#include "worker/gates/build_identity.h"

#include <cstddef>
#include <cstring>
#include <elf.h>
#include <fmt/format.h>
#include <link.h>
#include <oneapi/dnnl/dnnl.h>
#include <span>

namespace understudy::worker {
namespace {

// Names and descriptors of ELF notes are padded to 4 bytes.
constexpr std::size_t kAlign = 4;
std::size_t padded(std::size_t size) { return (size + kAlign - 1) / kAlign * kAlign; }

// The build id among the notes of one segment; "" where none is there. A note is a header, its name
// and its descriptor; the sizes come from the file and are checked against the segment.
std::string id_in(std::span<const std::byte> notes) {
  while (notes.size() >= sizeof(ElfW(Nhdr))) {
    ElfW(Nhdr) head;
    std::memcpy(&head, notes.data(), sizeof head);
    // The sizes are 32-bit numbers of the file; their sum cannot overflow 64 bits.
    const std::size_t start = sizeof head + padded(head.n_namesz);
    const std::size_t end = start + padded(head.n_descsz);
    if (end > notes.size()) return "";
    if (head.n_type == NT_GNU_BUILD_ID && head.n_namesz == sizeof ELF_NOTE_GNU &&
        std::memcmp(notes.data() + sizeof head, ELF_NOTE_GNU, sizeof ELF_NOTE_GNU) == 0) {
      std::string digits;
      for (const std::byte byte : notes.subspan(start, head.n_descsz))
        digits += fmt::format("{:02x}", std::to_integer<unsigned>(byte));
      return digits;
    }
    notes = notes.subspan(end);
  }
  return "";
}

// The first object is the program itself: a result other than 0 ends the walk.
// A callback of C: it must not throw, hence the plain structure.
int look(dl_phdr_info* object, std::size_t, void* found) {
  for (ElfW(Half) i = 0; i < object->dlpi_phnum; ++i) {
    const ElfW(Phdr)& header = object->dlpi_phdr[i];
    if (header.p_type != PT_NOTE) continue;
    const auto* const begin =
        reinterpret_cast<const std::byte*>(object->dlpi_addr + header.p_vaddr);
    std::string id = id_in({begin, header.p_memsz});
    if (id.empty()) continue;
    *static_cast<std::string*>(found) = std::move(id);
    break;
  }
  return 1;
}

}  // namespace

std::string build_id() {
  std::string id;
  static_cast<void>(::dl_iterate_phdr(look, &id));
  return id;
}

std::map<std::string, std::string> library_versions(const std::string& mpi) {
  const dnnl_version_t* const dnnl = ::dnnl_version();
  return {{"mpi", mpi},
          // The hash too: two builds of one oneDNN version may compute different bits.
          {"oneDNN", fmt::format("{}.{}.{} {}", dnnl->major, dnnl->minor, dnnl->patch, dnnl->hash)},
          {"fmt", fmt::format("{}", FMT_VERSION)}};
}

}  // namespace understudy::worker
