// Regular expressions in Oniguruma's syntax, which is what Hugging Face `tokenizers` reads a "Regex" with.
//
//   ASSIGN_OR_RETURN(const Regex regex, Regex::compile("\\p{N}{1,3}", place));
//   regex.for_each_match(text, [](size_t begin, size_t end) { ... });
#pragma once

#include <cstddef>
#include <memory>
#include <string>
#include <string_view>

#include "absl/status/statusor.h"

struct re_pattern_buffer;

namespace bouquet::tokenizer {

// Immutable; any number of threads may search with one copy.
class Regex {
 public:
  struct Match {
    size_t begin, end;
  };

  // INVALID_ARGUMENT, with the place of the pattern in the file, where it does not compile.
  static absl::StatusOr<Regex> compile(std::string_view pattern, std::string_view place);

  // The first match at or after `from`, which sees all of `text` (UTF-8) around it; false when there is none, or none
  // is found in the ten million steps the engine takes at most.
  bool search(std::string_view text, size_t from, Match* match) const;

  // Calls visit(begin, end) for every match, from left to right. One may be empty, but not where another just ended.
  template <typename Visit>
  void for_each_match(std::string_view text, const Visit& visit) const {
    Match match;
    size_t done = std::string_view::npos;
    for (size_t from = 0; from <= text.size() && search(text, from, &match);) {
      if (match.begin == match.end && match.end == done) {
        from = after_char(text, from);
        continue;
      }
      visit(match.begin, match.end);
      from = done = match.end;
    }
  }

 private:
  struct Free {
    void operator()(re_pattern_buffer* compiled) const;
  };

  explicit Regex(re_pattern_buffer* compiled) : compiled_(compiled) {}
  static size_t after_char(std::string_view text, size_t at);

  std::unique_ptr<re_pattern_buffer, Free> compiled_;
};

// `text` as a pattern that matches just it.
std::string regex_escape(std::string_view text);

}  // namespace bouquet::tokenizer
