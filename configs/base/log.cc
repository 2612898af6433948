// SPDX-License-Identifier: Apache-2.0
#include "configs/base/log.h"

#include <memory>
#include <string>
// clang-format off: the logger includes the sink's base
#include <spdlog/sinks/stdout_sinks.h>
#include <spdlog/spdlog.h>
// clang-format on

namespace understudy {
namespace {

constexpr const char* kPattern = "%n: %l: %v";

spdlog::level::level_enum spdlog_level(LogLevel level) {
  switch (level) {
    case LogLevel::error:
      return spdlog::level::err;
    case LogLevel::warning:
      return spdlog::level::warn;
    case LogLevel::info:
      return spdlog::level::info;
    case LogLevel::debug:
      return spdlog::level::debug;
  }
  return spdlog::level::info;
}

std::shared_ptr<spdlog::logger> make_logger(std::string_view name, LogLevel level) {
  auto logger = std::make_shared<spdlog::logger>(std::string(name),
                                                 std::make_shared<spdlog::sinks::stderr_sink_mt>());
  logger->set_pattern(kPattern);
  logger->set_level(spdlog_level(level));
  logger->flush_on(spdlog::level::debug);
  return logger;
}

// Created at first use, so that logging works before log_setup().
std::shared_ptr<spdlog::logger>& current() {
  static std::shared_ptr<spdlog::logger> logger = make_logger("understudy", LogLevel::info);
  return logger;
}

spdlog::string_view_t view(std::string_view text) { return {text.data(), text.size()}; }

void write(spdlog::level::level_enum level, std::string_view text) {
  // Atomic shared_ptr: log_setup() may replace the logger while other threads log; they finish with
  // the old one.
  std::atomic_load(&current())->log(level, view(text));
}

}  // namespace

void log_setup(std::string_view name, LogLevel level) {
  std::atomic_store(&current(), make_logger(name, level));
}

void log_error(std::string_view text) { write(spdlog::level::err, text); }
void log_warn(std::string_view text) { write(spdlog::level::warn, text); }
void log_info(std::string_view text) { write(spdlog::level::info, text); }
void log_debug(std::string_view text) { write(spdlog::level::debug, text); }

}  // namespace understudy
