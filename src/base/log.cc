// Messages with fields, formatted here, written by spdlog.
#include "base/log.h"

#include <atomic>
#include <memory>
#include <mutex>
#include <vector>

#include "base/json_writer.h"
#include "spdlog/sinks/stdout_color_sinks.h"
#include "spdlog/spdlog.h"

namespace bouquet {
namespace {

LogFormat g_format = LogFormat::kText;

std::atomic<spdlog::logger*> g_logger{nullptr};

// Loggers are never destroyed: threads of libraries may still have something to say while the process ends.
spdlog::logger& keep(std::shared_ptr<spdlog::logger> logger) {
  static std::mutex mutex;
  static auto& kept = *new std::vector<std::shared_ptr<spdlog::logger>>;
  std::lock_guard lock(mutex);
  kept.push_back(std::move(logger));
  g_logger = kept.back().get();
  return *kept.back();
}

spdlog::logger& logger() {
  spdlog::logger* current = g_logger;
  return current ? *current : keep(spdlog::default_logger());
}

std::string text_line(std::string_view message, std::initializer_list<LogField> fields) {
  std::string line(message);
  for (const auto& [name, value] : fields) {
    if (value.empty()) continue;
    line.append("  ").append(name).append("=").append(value);
  }
  return line;
}

std::string json_line(std::string_view message, std::initializer_list<LogField> fields) {
  JsonWriter json;
  json.string(message);
  for (const auto& [name, value] : fields) json.key(name).string(value);
  return std::move(json).str();
}

// A key follows the message in JSON without an object of its own: the pattern writes the braces.
void write(spdlog::level::level_enum level, std::string_view message, std::initializer_list<LogField> fields) {
  if (!logger().should_log(level)) return;
  logger().log(level, "{}", g_format == LogFormat::kJson ? json_line(message, fields) : text_line(message, fields));
}

}  // namespace

void init_log(LogFormat format, std::string_view level) {
  g_format = format;
  auto made = std::make_shared<spdlog::logger>("bouquet", std::make_shared<spdlog::sinks::stderr_color_sink_mt>());
  made->set_level(spdlog::level::from_str(std::string(level)));
  made->set_pattern(format == LogFormat::kJson
                        ? R"({"time":"%Y-%m-%dT%H:%M:%S.%e%z","level":"%l","thread":%t,"message":%v})"
                        : "%H:%M:%S.%e %^%-5l%$ %v");
  keep(made);
  spdlog::set_default_logger(std::move(made));
}

void log_debug(std::string_view message, std::initializer_list<LogField> fields) {
  write(spdlog::level::debug, message, fields);
}
void log_info(std::string_view message, std::initializer_list<LogField> fields) {
  write(spdlog::level::info, message, fields);
}
void log_warn(std::string_view message, std::initializer_list<LogField> fields) {
  write(spdlog::level::warn, message, fields);
}
void log_error(std::string_view message, std::initializer_list<LogField> fields) {
  write(spdlog::level::err, message, fields);
}

}  // namespace bouquet
