// What each character is to one of the Unicode normal forms, expanded from the delta-coded tables.
#pragma once

#include <cstdint>
#include <span>
#include <vector>

#include "tokenizer/unicode/code_point_flags.h"

namespace bouquet::tokenizer {

struct NormalFormData {
  struct Record {
    uint32_t begin = 0;   // of its full decomposition, in parts
    uint16_t length = 0;  // 0: none, or a Hangul syllable
    uint8_t combining_class = 0;
    bool changes = false;  // comes out otherwise, or may join what is before it
  };
  struct Part {
    char32_t code;
    uint8_t combining_class;
  };
  struct Pair {
    char32_t first, second, composed;
  };

  const Record& record(char32_t code) const { return records[record_of[code]]; }
  std::span<const Part> decomposition(const Record& record) const {
    return std::span<const Part>(parts).subspan(record.begin, record.length);
  }
  // What the two compose to; 0: they do not.
  char32_t composed(char32_t first, char32_t second) const;

  CodePointFlags record_of;
  std::vector<Record> records = std::vector<Record>(1);  // the first is of all that nothing happens to
  std::vector<Part> parts;
  CodePointFlags pairs_of;  // 1 + the place of the first of a character's pairs; 0: it has none
  std::vector<Pair> pairs;  // by first character; empty where the form does not compose
};

NormalFormData make_normal_form_data(bool composes, bool compatible);

}  // namespace bouquet::tokenizer
