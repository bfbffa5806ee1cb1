// Texts of words that never came before, and of what else well-formed texts have.
#pragma once

#include <random>
#include <string>

namespace bouquet::tokenizer {

// `words` words of up to `longest` letters, now and then followed by something else.
inline std::string random_text(std::mt19937* random, size_t words, size_t longest) {
  static const std::vector<std::string> others = {", ",  ".\n",           "\r\n\t",  "   ",    "北京", "か\u3099",
                                                  "é",   "a\u0301\u0323", "ﬁ™",      "\u200b", "123",  "😀",
                                                  "<s>", "[SEP]",         "<|end|>", "▁",      "Ａ",   "'s"};
  std::string text;
  for (size_t i = 0; i < words; ++i) {
    for (size_t n = 1 + (*random)() % longest; n > 0; --n) text.push_back(static_cast<char>('a' + (*random)() % 26));
    text += (*random)() % 8 == 0 ? others[(*random)() % others.size()] : " ";
  }
  return text;
}

}  // namespace bouquet::tokenizer
