// SPDX-License-Identifier: Apache-2.0
// The launcher's side of the partitioner, with small scripts in the place of the Python that has
// jaxlib: what happens when that process is missing, refuses, crashes, hangs or sends garbage, and
// what the cache returns. tests/python/test_partitioner.py has the other side.
#include <csignal>
#include <filesystem>
#include <fstream>
#include <gmock/gmock.h>
#include <gtest/gtest.h>
#include <sys/stat.h>
#include <unistd.h>

#include "configs/base/error.h"
#include "launcher/partition/partitioning.h"
#include "launcher/process/environment.h"

namespace understudy::launcher {
namespace {

namespace fs = std::filesystem;
using testing::Contains;
using testing::ElementsAre;
using testing::HasSubstr;

// Frames in Python, for the scripts.
constexpr const char* kFrames = R"(#!/usr/bin/env python3
import json, os, struct, sys, time, signal
def send(header, payload=b""):
    text = json.dumps(header).encode()
    os.write(1, struct.pack("<IQ", len(text), len(payload)) + text + payload)
def receive():
    head = os.read(0, 12)
    if not head: sys.exit(0)
    h, p = struct.unpack("<IQ", head)
    data = b""
    while len(data) < h + p: data += os.read(0, h + p - len(data))
    return json.loads(data[:h]), data[h:]
good = {"protocol": 1, "jaxlib": "9.9", "python": "3", "error": ""}
)";

class Partition : public testing::Test {
 protected:
  Partition() {
    fs::create_directories(folder_ / "understudy_partitioner");
    std::ofstream(folder_ / "understudy_partitioner/requirements.txt")
        << "# of a test\njaxlib==9.9\n";
    places_.folder = folder_.string();
    places_.python = (folder_ / "python").string();
    cache_.folder = (folder_ / "cache").string();
    request_.program = "module {}";
    request_.file = "step.mlir";
    request_.partitions = 2;
    request_.propagate_to_output = {true, false};
  }
  ~Partition() override { fs::remove_all(folder_); }

  void script(const std::string& body) const {
    std::ofstream(places_.python) << kFrames << body;
    ASSERT_EQ(::chmod(places_.python.c_str(), 0755), 0);
  }
  Partitioned partition() { return Partitioning(places_, "").partition(request_, cache_); }
  Error error_with(const std::string& body) {
    if (!body.empty()) script(body);
    try {
      (void)partition();
    } catch (const Error& error) {
      return error;
    }
    return Error(ErrorKind::internal, "no error");
  }

  const fs::path folder_ =
      fs::temp_directory_path() / ("understudy_partition_" + std::to_string(::getpid()));
  PartitionerPlaces places_;
  CacheChoice cache_;
  program::PartitionRequest request_;
};

TEST_F(Partition, AsksAndKeepsTheAnswer) {
  script(R"(send(good)
header, payload = receive()
send({"error": "", "warnings": ["step.mlir:1:2: costly"]},
     payload + json.dumps([header["partitions"], header["propagate_to_output"]]).encode())
)");
  const Partitioned made = partition();
  EXPECT_EQ(made.program.program, "module {}[2, [true, false]]");
  EXPECT_THAT(made.program.warnings, ElementsAre("step.mlir:1:2: costly"));
  EXPECT_FALSE(made.cached);
  EXPECT_EQ(made.version, "9.9");
  fs::remove(places_.python);  // a hit needs no Python
  const Partitioned again = partition();
  EXPECT_TRUE(again.cached);
  EXPECT_EQ(again.program.program, made.program.program);
  EXPECT_EQ(again.program.warnings, made.program.warnings);
}

TEST_F(Partition, OneProcessServesAllProgramsOfACommand) {
  script(R"(send(good)
while True:
    header, payload = receive()
    send({"error": "", "warnings": []}, b"%d" % os.getpid())
)");
  Partitioning both(places_, "");
  const std::string first = both.partition(request_, cache_).program.program;
  request_.program = "module @other {}";
  EXPECT_EQ(both.partition(request_, cache_).program.program, first);
}

TEST_F(Partition, EveryPartOfTheKeyMatters) {
  script("send(good)\nreceive()\nsend({\"error\": \"\", \"warnings\": []}, b\"x\")\n");
  ASSERT_FALSE(partition().cached);
  ASSERT_TRUE(partition().cached);
  const auto other = [&](const auto& change) {
    const auto kept_request = request_;
    const auto kept_places = places_;
    change();
    const bool hit = partition().cached;
    request_ = kept_request;
    places_ = kept_places;
    return !hit;
  };
  EXPECT_TRUE(other([&] { request_.program += " "; }));
  EXPECT_TRUE(other([&] { request_.partitions = 4; }));
  EXPECT_TRUE(other([&] { request_.replicas = 2; }));
  EXPECT_TRUE(other([&] { request_.shardy = false; }));
  EXPECT_TRUE(other([&] { request_.device_order = {1, 0}; }));
  EXPECT_TRUE(other([&] { request_.propagate_to_parameters = {true}; }));
  EXPECT_TRUE(other([&] { request_.propagate_to_output = {true, true}; }));
  EXPECT_TRUE(other([&] { places_.xla_flags = {"--xla_x=1"}; }));
  std::ofstream(folder_ / "understudy_partitioner/requirements.txt") << "\njaxlib==9.10\n";
  EXPECT_FALSE(partition().cached);
}

TEST_F(Partition, DamagedEntriesAreMadeAgain) {
  script("send(good)\nreceive()\nsend({\"error\": \"\", \"warnings\": []}, b\"x\")\n");
  ASSERT_FALSE(partition().cached);
  for (const auto& file : fs::directory_iterator(folder_ / "cache/partitioned")) {
    std::fstream bytes(file.path(), std::ios::in | std::ios::out);
    bytes.seekp(-1, std::ios::end);
    bytes.put('y');
  }
  EXPECT_FALSE(partition().cached);
  EXPECT_TRUE(partition().cached);
  cache_.policy = "off";
  EXPECT_FALSE(partition().cached);
}

TEST_F(Partition, MissingPythonNamesTheRemedy) {
  places_.python.clear();
  places_.pythons = {(folder_ / "none").string()};
  const Error error = error_with("");
  EXPECT_EQ(error.kind(), ErrorKind::system);
  EXPECT_THAT(error.message(), HasSubstr("needs an SPMD partitioner, and no Python"));
  EXPECT_THAT(error.notes(), Contains(HasSubstr("a Python with jaxlib 9.9 is needed: run "
                                                "deploy/install-partitioner, or set "
                                                "UNDERSTUDY_PYTHON")));
  places_.python = (folder_ / "none").string();
  EXPECT_THAT(error_with("").message(), HasSubstr("cannot start " + places_.python));
}

TEST_F(Partition, AnotherVersionIsRefusedInTheWordsOfTheHelper) {
  const Error error = error_with(
      "send({**good, \"error\": \"jaxlib 0.1 is installed, but 9.9 is needed\"})\nsys.exit(1)\n");
  EXPECT_EQ(error.kind(), ErrorKind::system);
  EXPECT_THAT(error.message(), HasSubstr("jaxlib 0.1 is installed, but 9.9 is needed"));
  EXPECT_THAT(error.notes(), Contains(HasSubstr("deploy/install-partitioner")));
}

TEST_F(Partition, ErrorsOfXlaKeepTheirWords) {
  const Error error = error_with(R"(send(good)
receive()
send({"error": "INVALID: bad sharding\nsecond line", "kind": "xla"})
)");
  EXPECT_EQ(error.kind(), ErrorKind::unsupported);
  EXPECT_EQ(error.message(), "step.mlir: XLA cannot partition the program: INVALID: bad sharding");
  EXPECT_THAT(error.notes(), ElementsAre("XLA: INVALID: bad sharding", "XLA: second line"));
}

TEST_F(Partition, ACrashShowsTheEndOfItsErrorOutput) {
  const Error error = error_with(R"(send(good)
receive()
print("terminate called after throwing an instance", file=sys.stderr, flush=True)
os.kill(os.getpid(), signal.SIGABRT)
)");
  EXPECT_EQ(error.kind(), ErrorKind::unsupported);
  EXPECT_THAT(error.message(), HasSubstr("XLA ended its process: it was ended by signal 6"));
  EXPECT_THAT(error.notes(), Contains("terminate called after throwing an instance"));
}

TEST_F(Partition, AKillAndACrashBeforeTheFirstProgramAreErrorsOfTheMachine) {
  const Error kill = error_with("send(good)\nreceive()\nos.kill(os.getpid(), signal.SIGKILL)\n");
  EXPECT_EQ(kill.kind(), ErrorKind::system);
  EXPECT_THAT(kill.message(), HasSubstr("it was ended by signal 9"));
  const Error start = error_with("os.kill(os.getpid(), signal.SIGABRT)\n");
  EXPECT_EQ(start.kind(), ErrorKind::system);
  EXPECT_THAT(start.message(), HasSubstr("it was ended by signal 6"));
}

TEST_F(Partition, AnInvariantOfXlaIsToldInItsWordsAndTheNextProgramRuns) {
  script(R"py(send(good)
_, program = receive()
if program == b"bad":
    print("W1123 04:55:55.551342   15313 a.cc:6] warning", file=sys.stderr, flush=True)
    print("F1123 09:18:49.975468   10631 spmd_util.h:118] Check failed: is_scalar ", file=sys.stderr)
    for i in range(60): print("    @ 0x7f51a5b40634  xla::frame()", file=sys.stderr)
    sys.stderr.flush()
    os.kill(os.getpid(), signal.SIGABRT)
send({"error": "", "warnings": []}, b"made")
)py");
  Partitioning partitioning(places_, "");
  request_.program = "bad";
  try {
    (void)partitioning.partition(request_, cache_);
    FAIL();
  } catch (const Error& error) {
    EXPECT_EQ(error.kind(), ErrorKind::unsupported);
    EXPECT_EQ(error.message(),
              "step.mlir: XLA ended its process: Check failed: is_scalar (spmd_util.h:118)");
    EXPECT_THAT(error.notes(), Contains(HasSubstr("another sharding or size")));
  }
  request_.program = "good";
  EXPECT_EQ(partitioning.partition(request_, cache_).program.program, "made");
}

TEST_F(Partition, GarbageAndEarlyEndsAreErrors) {
  EXPECT_THAT(
      error_with("os.write(1, b\"Python 3.11 welcomes you\\n\" * 9)\ntime.sleep(60)\n").message(),
      HasSubstr("its answer is malformed"));
  EXPECT_THAT(error_with("send({\"hello\": 1})\ntime.sleep(60)\n").message(),
              HasSubstr("its greeting cannot be read"));
  EXPECT_THAT(error_with("send(good)\nsys.exit(3)\n").message(),
              HasSubstr("it ended with exit status 3"));
  EXPECT_THAT(error_with("send({**good, \"protocol\": 2})\n").message(),
              HasSubstr("it speaks protocol 2, expected 1"));
}

TEST_F(Partition, AHangEndsAtTheLimit) {
  script("send(good)\nreceive()\nopen(\"" + (folder_ / "pid").string() +
         "\", \"w\").write(str(os.getpid()))\ntime.sleep(600)\n");
  Helper helper({places_.python, places_.folder, Seconds(60), Seconds(1)});
  try {
    (void)helper.exchange({"{}", ""});
    FAIL();
  } catch (const Error& error) {
    EXPECT_EQ(error.kind(), ErrorKind::timeout);
    EXPECT_THAT(error.message(), HasSubstr("did not answer in time"));
  }
}

TEST_F(Partition, ADeadlineOfTheCommandBoundsStartAndAnswer) {
  for (const std::string& text : {std::string("time.sleep(600)\n"),
                                  std::string("send(good)\nreceive()\ntime.sleep(600)\n")}) {
    script(text);
    HelperCommand command{places_.python, places_.folder};
    command.end = Deadline::after(Seconds(3));
    try {
      Helper helper(command);
      (void)helper.exchange({"{}", ""});
      FAIL();
    } catch (const Error& error) {
      EXPECT_EQ(error.kind(), ErrorKind::timeout);
      EXPECT_THAT(error.message(), HasSubstr("did not answer before the --deadline"));
    }
  }
}

TEST_F(Partition, TheProcessEndsWithItsOwner) {
  script(
      "send(good)\nreceive()\nsend({\"error\": \"\", \"warnings\": []}, b\"%d\" % "
      "os.getpid())\nreceive()\n");
  const std::string pid = partition().program.program;
  EXPECT_NE(::kill(std::stoi(pid), 0), 0);  // reaped with Partitioning
}

TEST(PartitionerPlaces, AreReadFromTheEnvironment) {
  Environment environment;
  environment.self = "/opt/understudy/bin";
  environment.variables = {"HOME=/home/me", "UNDERSTUDY_XLA_FLAGS=--a=1  --b",
                           "UNDERSTUDY_PYTHON=/usr/bin/python3"};
  const PartitionerPlaces places = partitioner_places(environment);
  EXPECT_EQ(places.python, "/usr/bin/python3");
  EXPECT_THAT(places.xla_flags, ElementsAre("--a=1", "--b"));
  EXPECT_EQ(places.folder, "/opt/understudy/share/understudy/partitioner");
  EXPECT_THAT(places.pythons, Contains("/home/me/.local/share/understudy/partitioner/bin/python3"));
}

}  // namespace
}  // namespace understudy::launcher
