// SPDX-License-Identifier: Apache-2.0
#include "launcher/rehearse/drill_damage.h"

#include <filesystem>
#include <fmt/format.h>
#include <unistd.h>

#include "cache/file_system.h"
#include "cache/lock.h"
#include "configs/base/error.h"
#include "configs/base/file.h"
#include "configs/base/units.h"
#include "launcher/cache/small_disk.h"

namespace understudy::launcher {
namespace {

namespace fs = std::filesystem;

// ---- programs for four replicas with one or two collectives ------------------------------------

// Written here instead of shipped as files: each drill needs a small variation of the same program.
constexpr const char* kHead =
    "module @drill attributes {mhlo.num_partitions = 1 : i32, mhlo.num_replicas = 4 : i32} {\n"
    "  func.func public @main(%x: tensor<8xf32>) -> tensor<8xf32> {\n";
constexpr const char* kTail = "  }\n}\n";
constexpr const char* kAll = "[[0, 1, 2, 3]]> : tensor<1x4xi64>";
constexpr const char* kPairs = "[[0, 1], [2, 3]]> : tensor<2x2xi64>";

struct Sum {
  const char* to = "%y";
  const char* from = "%x";
  std::int64_t length = 8;
  const char* groups = kAll;
  int channel = 1;
  const char* more = "";  // attributes
};

// Channel numbers make the names of inner values different, because SSA names are unique in a
// function.
std::string all_reduce_text(const Sum& sum) {
  return fmt::format(
      "    {0} = \"stablehlo.all_reduce\"({1}) <{{channel_handle = "
      "#stablehlo.channel_handle<handle = {2}, type = 1>, replica_groups = dense<{3}}}> ({{\n"
      "    ^bb0(%a: tensor<f32>, %b: tensor<f32>):\n"
      "      %s{2} = stablehlo.add %a, %b : tensor<f32>\n"
      "      stablehlo.return %s{2} : tensor<f32>\n"
      "    }}) {4} : (tensor<{5}xf32>) -> tensor<{5}xf32>\n",
      sum.to, sum.from, sum.channel, sum.groups, sum.more, sum.length);
}

std::string program_of(const std::string& body, const char* result = "%y") {
  return fmt::format("{}{}    return {} : tensor<8xf32>\n{}", kHead, body, result, kTail);
}

// Two dependent all-reduces; swapping the channels on one rank makes the order differ.
std::string two_sums(int first, int second) {
  return program_of(all_reduce_text({"%m", "%x", 8, kAll, first}) +
                    all_reduce_text({"%y", "%m", 8, kAll, second}));
}

void write(const DrillWorld& world, const std::string& name, const std::string& text) {
  write_file_atomically(world.file(name), std::string_view(text));
}

// A loop over batches; one rank gets a program with one more iteration.
std::string loop_of(int rounds) {
  return program_of(
      fmt::format(
          "    %c0 = stablehlo.constant dense<0> : tensor<i32>\n"
          "    %c1 = stablehlo.constant dense<1> : tensor<i32>\n"
          "    %n = stablehlo.constant dense<{}> : tensor<i32>\n"
          "    %w:2 = stablehlo.while(%i = %c0, %v = %x) : tensor<i32>, tensor<8xf32>\n"
          "    cond {{\n"
          "      %p = stablehlo.compare LT, %i, %n : (tensor<i32>, tensor<i32>) -> tensor<i1>\n"
          "      stablehlo.return %p : tensor<i1>\n"
          "    }} do {{\n"
          "{}"
          "      %j = stablehlo.add %i, %c1 : tensor<i32>\n"
          "      stablehlo.return %j, %u : tensor<i32>, tensor<8xf32>\n"
          "    }}\n",
          rounds, all_reduce_text({"%u", "%v"})),
      "%w#1");
}

// A loss that is declared replicated. A drill inserts a missing or partial reduction between head
// and tail.
constexpr const char* kPartitioned =
    "module @drill attributes {mhlo.num_partitions = 4 : i32, mhlo.num_replicas = 1 : i32} {\n"
    "  sdy.mesh @mesh = <[\"data\"=4]>\n"
    "  func.func public @main(%arg0: tensor<8xf32> {sdy.sharding = #sdy.sharding<@mesh, "
    "[{\"data\"}]>}) -> (tensor<f32> {jax.result_info = \"loss\"}) {\n"
    "    %0 = sdy.manual_computation(%arg0) in_shardings=[<@mesh, [{\"data\"}]>] "
    "out_shardings=[<@mesh, []>] manual_axes={\"data\"} (%x: tensor<2xf32>) {\n"
    "      %z = stablehlo.constant dense<0.0> : tensor<f32>\n"
    "      %l = stablehlo.reduce(%x init: %z) applies stablehlo.add across dimensions = [0] : "
    "(tensor<2xf32>, tensor<f32>) -> tensor<f32>\n";
constexpr const char* kPartitionedTail =
    "      sdy.return %y : tensor<f32>\n    } : (tensor<8xf32>) -> tensor<f32>\n"
    "    return %0 : tensor<f32>\n  }\n}\n";

std::string scalar_sum(const char* groups) {
  return fmt::format(
      "      %y = \"stablehlo.all_reduce\"(%l) <{{channel_handle = "
      "#stablehlo.channel_handle<handle = 1, type = 1>, replica_groups = dense<{}, "
      "use_global_device_ids}}> ({{\n"
      "      ^bb0(%a: tensor<f32>, %b: tensor<f32>):\n"
      "        %s = stablehlo.add %a, %b : tensor<f32>\n"
      "        stablehlo.return %s : tensor<f32>\n"
      "      }}) : (tensor<f32>) -> tensor<f32>\n",
      groups);
}

std::vector<fs::path> entries_of(const DrillWorld& world) {
  std::vector<fs::path> entries;
  for (const auto& entry : fs::recursive_directory_iterator(world.cache()))
    // Skips lock and access time files, which are small.
    if (entry.is_regular_file() && entry.file_size() > 1000) entries.push_back(entry.path());
  // A drill that damages nothing would report "not found" for the wrong reason.
  if (entries.empty()) throw Error(ErrorKind::internal, "the cache of the drill has no entry");
  return entries;
}

// Mounts a disk of `bytes` bytes over the cache folder until the drill ends.
std::shared_ptr<SmallDisk> hold_disk(const DrillWorld& world, std::uint64_t bytes) {
  auto disk = std::make_shared<SmallDisk>(world.cache(), bytes);
  if (!disk->trouble().empty()) throw Error(ErrorKind::unsupported, disk->trouble());
  world.held = disk;
  return disk;
}

}  // namespace

void other_order(const DrillWorld& world, const Words&) {
  write(world, "ours.mlir", two_sums(1, 2));
  write(world, "theirs.mlir", two_sums(2, 1));
}
void other_shape(const DrillWorld& world, const Words&) {
  write(world, "ours.mlir", program_of(all_reduce_text({})));
  write(world, "theirs.mlir",
        program_of("    %h = stablehlo.slice %x [0:4] : (tensor<8xf32>) -> tensor<4xf32>\n" +
                   all_reduce_text({"%t", "%h", 4}) +
                   "    %y = stablehlo.concatenate %t, %t, dim = 0 : (tensor<4xf32>, "
                   "tensor<4xf32>) -> tensor<8xf32>\n"));
}
void other_groups(const DrillWorld& world, const Words&) {
  write(world, "ours.mlir", program_of(all_reduce_text({})));
  write(world, "theirs.mlir", program_of(all_reduce_text({"%y", "%x", 8, kPairs})));
}
void other_layout(const DrillWorld& world, const Words&) {
  write(world, "ours.mlir", program_of(all_reduce_text({})));
  write(world, "theirs.mlir",
        program_of(all_reduce_text({"%y", "%x", 8, kAll, 1, "{constrain_layout = true}"})));
}
void absent_sum(const DrillWorld& world, const Words&) {
  write(world, "ours.mlir", program_of(all_reduce_text({})));
  write(world, "theirs.mlir", program_of("    %y = stablehlo.negate %x : tensor<8xf32>\n"));
}
// Like logging a metric on rank 0 only: one rank runs an extra collective.
void extra_sum(const DrillWorld& world, const Words&) {
  write(world, "ours.mlir", program_of(all_reduce_text({})));
  write(world, "theirs.mlir", two_sums(1, 2));
}
void uneven_batches(const DrillWorld& world, const Words&) {
  write(world, "ours.mlir", loop_of(3));
  write(world, "theirs.mlir", loop_of(4));
}
void unknown_custom_call(const DrillWorld& world, const Words&) {
  write(world, "ours.mlir",
        program_of("    %y = stablehlo.custom_call @mosaic_of_the_future(%x) : (tensor<8xf32>) -> "
                   "tensor<8xf32>\n"));
}
void wrong_types(const DrillWorld& world, const Words&) {
  write(world, "ours.mlir", program_of("    %y = stablehlo.add %x, %x : tensor<9xf32>\n"));
}
void local_metric(const DrillWorld& world, const Words&) {
  write(world, "ours.mlir",
        std::string(kPartitioned) + "      %y = stablehlo.negate %l : tensor<f32>\n" +
            kPartitionedTail);
}
void half_reduced_metric(const DrillWorld& world, const Words&) {
  write(world, "ours.mlir", kPartitioned + scalar_sum(kPairs) + kPartitionedTail);
}
// Copies the expected results of a shipped program and changes one bit of the loss.
void wrong_expectation(const DrillWorld& world, const Words&) {
  fs::create_directories(world.file("expect"));
  for (const auto& entry : fs::directory_iterator(world.programs + "/dense/4"))
    if (entry.path().filename().string().starts_with("out"))
      fs::copy_file(entry.path(), fs::path(world.file("expect")) / entry.path().filename());
  const std::string loss = world.file("expect/out3.npy");
  std::vector<std::byte> bytes = read_binary_file(loss);
  bytes.back() ^= std::byte{0x01};  // flips a bit in the exponent of a float
  write_file_atomically(loss, bytes);
}
void flipped_bit(const DrillWorld& world, const Words& words) {
  run_words(world, words);
  for (const fs::path& path : entries_of(world)) {
    std::vector<std::byte> bytes = read_binary_file(path.string());
    // In the middle, so in the payload: only the digest can notice it, no check of the header does.
    bytes[bytes.size() / 2] ^= std::byte{0x10};
    write_file_atomically(path.string(), bytes);
  }
}
// Like a writer that was killed, or a disk that was full.
void torn_entry(const DrillWorld& world, const Words& words) {
  run_words(world, words);
  for (const fs::path& path : entries_of(world)) fs::resize_file(path, fs::file_size(path) / 2);
}
void empty_entry(const DrillWorld& world, const Words& words) {
  run_words(world, words);
  for (const fs::path& path : entries_of(world)) fs::resize_file(path, 0);
}
// This process holds the lock until the drill ends.
void held_lock(const DrillWorld& world, const Words&) {
  const std::string folder = world.cache() + "/shared";
  fs::create_directories(folder);
  auto files = std::make_shared<cache::DiskFileSystem>();
  std::shared_ptr<cache::FileLock> lock =
      files->try_lock(folder + "/" + std::string(cache::kDirectoryLock));
  world.held = std::make_shared<std::pair<decltype(files), decltype(lock)>>(files, lock);
}
void filled_cache(const DrillWorld& world, const Words& words) { run_words(world, words); }
// Permissions do not restrict root, so for root the cache is on a read-only mount instead.
void read_only_folder(const DrillWorld& world, const Words&) {
  constexpr std::uint64_t kRoom = 256 * kMiB;
  fs::create_directories(world.cache());
  if (::geteuid() == 0) {
    hold_disk(world, kRoom)->make_read_only();
  } else {
    fs::permissions(world.cache(), fs::perms::owner_read | fs::perms::owner_exec);
  }
}
void full_disk(const DrillWorld& world, const Words&) {
  constexpr std::uint64_t kRoom = kMiB;
  fs::create_directories(world.cache());
  hold_disk(world, kRoom);
}
void file_for_folder(const DrillWorld& world, const Words&) {
  write(world, "cache", "no folder\n");
}
void file_for_host_folder(const DrillWorld& world, const Words&) {
  fs::create_directories(world.cache());
  write(world, "cache/host0", "no folder\n");
}

}  // namespace understudy::launcher
