// Logging through spdlog, to standard error: text for people, one JSON object a line for machines.
//
//   log_info("model loaded", {{"model", name}, {"seconds", fmt::format("{:.2f}", seconds)}});
#pragma once

#include <initializer_list>
#include <string>
#include <string_view>
#include <utility>

namespace bouquet {

enum class LogFormat { kText, kJson };

using LogField = std::pair<std::string_view, std::string>;

// Level is one of debug, info, warn, error, off. Call once, before threads start.
void init_log(LogFormat format, std::string_view level);

void log_debug(std::string_view message, std::initializer_list<LogField> fields = {});
void log_info(std::string_view message, std::initializer_list<LogField> fields = {});
void log_warn(std::string_view message, std::initializer_list<LogField> fields = {});
void log_error(std::string_view message, std::initializer_list<LogField> fields = {});

}  // namespace bouquet
