// SPDX-License-Identifier: Apache-2.0
#include "configs/launch/message/chip_message.h"

#include <bit>
#include <cstring>
#include <type_traits>

#include "configs/base/error.h"

namespace understudy::configs {
namespace {

// Numbers go onto the socket as they are in memory: both ends are processes of one machine and of
// one build.
static_assert(std::endian::native == std::endian::little);
// A load of a very large program; anything longer is a broken stream.
constexpr std::uint32_t kMostBytes = 1U << 31;

// In the order of the variants ChipCommand and ChipNews, which encode() relies on.
enum class Tag : std::uint8_t {
  greeting = 1,
  load,
  unload,
  launch,
  goodbye,
  resume,
  report,
  request
};

// Visits the fields of a message in their order on the wire; Out writes and In reads them.
template <class V, class M>
void visit_fields(V& v, M& m) {
  using T = std::remove_const_t<M>;
  if constexpr (std::is_same_v<T, ChipGreeting>) {
    v(m.rank, m.pid, m.pid_start, m.revision, m.refusal, m.hbm_offset, m.hbm_bytes, m.usable_from,
      m.usable_bytes, m.device_kind);
  } else if constexpr (std::is_same_v<T, ChipLoad>) {
    v(m.program, m.constants_bytes, m.process, m.ranks, m.archive, m.name);
  } else if constexpr (std::is_same_v<T, ChipUnload>) {
    v(m.program);
  } else if constexpr (std::is_same_v<T, ChipLaunch>) {
    v(m.program, m.launch, m.temporaries, m.constants, m.hbm_in_use, m.arguments, m.results);
  } else if constexpr (std::is_same_v<T, ChipGoodbye>) {
    v(m.compiles, m.hbm_peak);
  } else if constexpr (std::is_same_v<T, ChipResume>) {
    v(m.launch, m.error);
  } else if constexpr (std::is_same_v<T, ChipRequest>) {
    v(m.launch, m.channel, m.sends, m.at, m.bytes);
  } else {
    static_assert(std::is_same_v<T, ChipReport>);
    v(m.launch, m.program, m.error_kind, m.error, m.ends, m.begin_ns, m.end_ns);
  }
}

class Out {
 public:
  explicit Out(Tag tag) : bytes_(sizeof(std::uint32_t), '\0') {
    put(static_cast<std::uint8_t>(tag));
  }
  template <class... F>
  void operator()(const F&... fields) {
    (put(fields), ...);
  }
  std::vector<std::byte> take() {
    const auto length = static_cast<std::uint32_t>(bytes_.size() - sizeof(std::uint32_t));
    std::memcpy(bytes_.data(), &length, sizeof length);
    const auto* const start = reinterpret_cast<const std::byte*>(bytes_.data());
    return {start, start + bytes_.size()};
  }

 private:
  void append(const void* from, std::size_t size) {
    bytes_.append(static_cast<const char*>(from), size);
  }
  template <class T>
  requires std::is_arithmetic_v<T>
  void put(T value) { append(&value, sizeof value); }
  void put(const std::string& text) {
    put(std::uint64_t{text.size()});
    append(text.data(), text.size());
  }
  template <class T>
  void put(const std::vector<T>& list) {
    put(std::uint64_t{list.size()});
    append(list.data(), list.size() * sizeof(T));
  }
  std::string bytes_;
};

class In {
 public:
  explicit In(std::span<const std::byte> bytes) : bytes_(bytes) {}
  template <class... F>
  void operator()(F&... fields) {
    (get(fields), ...);
  }
  Tag tag() {
    std::uint8_t tag = 0;
    get(tag);
    return static_cast<Tag>(tag);
  }
  template <class M>
  M read() {
    M message;
    visit_fields(*this, message);
    if (!bytes_.empty()) broken();
    return message;
  }
  [[noreturn]] static void broken() {
    throw Error(ErrorKind::protocol, "invalid message between a host process and a chip");
  }

 private:
  std::span<const std::byte> cut(std::size_t size) {
    if (size > bytes_.size()) broken();
    const auto piece = bytes_.first(size);
    bytes_ = bytes_.subspan(size);
    return piece;
  }
  template <class T>
  requires std::is_arithmetic_v<T>
  void get(T& value) { std::memcpy(&value, cut(sizeof value).data(), sizeof value); }
  void get(std::string& text) {
    std::uint64_t size = 0;
    get(size);
    const auto piece = cut(size);
    text.assign(reinterpret_cast<const char*>(piece.data()), piece.size());
  }
  template <class T>
  void get(std::vector<T>& list) {
    std::uint64_t count = 0;
    get(count);
    // Before the allocation: a broken count must not allocate what the message cannot hold.
    if (count > bytes_.size() / sizeof(T)) broken();
    list.resize(count);
    if (count > 0) std::memcpy(list.data(), cut(count * sizeof(T)).data(), count * sizeof(T));
  }
  std::span<const std::byte> bytes_;
};

template <class M>
std::vector<std::byte> encoded(Tag tag, const M& message) {
  Out out(tag);
  visit_fields(out, message);
  return out.take();
}

template <class M>
M only(Tag wanted, std::span<const std::byte> message) {
  In in(message);
  if (in.tag() != wanted) In::broken();
  return in.read<M>();
}

}  // namespace

std::vector<std::byte> encode(const ChipGreeting& greeting) {
  return encoded(Tag::greeting, greeting);
}

std::vector<std::byte> encode(const ChipCommand& command) {
  // In the order of the variant.
  const auto tag = static_cast<Tag>(static_cast<std::size_t>(Tag::load) + command.index());
  return std::visit([&](const auto& one) { return encoded(tag, one); }, command);
}

std::vector<std::byte> encode(const ChipNews& news) {
  const auto tag = static_cast<Tag>(static_cast<std::size_t>(Tag::report) + news.index());
  return std::visit([&](const auto& one) { return encoded(tag, one); }, news);
}

ChipGreeting read_chip_greeting(std::span<const std::byte> message) {
  return only<ChipGreeting>(Tag::greeting, message);
}

ChipCommand read_chip_command(std::span<const std::byte> message) {
  In in(message);
  switch (in.tag()) {
    case Tag::load:
      return in.read<ChipLoad>();
    case Tag::unload:
      return in.read<ChipUnload>();
    case Tag::launch:
      return in.read<ChipLaunch>();
    case Tag::goodbye:
      return in.read<ChipGoodbye>();
    case Tag::resume:
      return in.read<ChipResume>();
    default:
      In::broken();
  }
}

ChipNews read_chip_news(std::span<const std::byte> message) {
  In in(message);
  switch (in.tag()) {
    case Tag::report:
      return in.read<ChipReport>();
    case Tag::request:
      return in.read<ChipRequest>();
    default:
      In::broken();
  }
}

void MessageCutter::feed(std::span<const std::byte> bytes) {
  // What was returned is dropped here, so that a span of next() stays valid until the next feed.
  bytes_.erase(bytes_.begin(), bytes_.begin() + static_cast<std::ptrdiff_t>(begin_));
  begin_ = 0;
  bytes_.insert(bytes_.end(), bytes.begin(), bytes.end());
}

std::optional<std::span<const std::byte>> MessageCutter::next() {
  const auto left = std::span(bytes_).subspan(begin_);
  std::uint32_t length = 0;
  if (left.size() < sizeof length) return std::nullopt;
  std::memcpy(&length, left.data(), sizeof length);
  if (length > kMostBytes) In::broken();
  if (left.size() < sizeof length + length) return std::nullopt;
  begin_ += sizeof length + length;
  return left.subspan(sizeof length, length);
}

}  // namespace understudy::configs
