// Ids are given in the order in which tokens come, so that a file has none twice.
#include "tokenizer/random_models.h"

#include <algorithm>
#include <optional>
#include <span>

#include "base/json_writer.h"
#include "fmt/format.h"
#include "tokenizer/unicode/byte_alphabet.h"
#include "tokenizer/unicode/utf8_chars.h"

namespace bouquet::tokenizer {
namespace {

const std::string kChars[] = {"a", "b", "c", "d", "▁", "é", "北", "京", "😀", "\u0301", "z", "か"};
constexpr size_t kKnownChars = 10;  // those that vocabularies are made of

// Of the first three characters half of the time, so that pieces begin alike.
std::string random_piece(Choices* choices, uint32_t most_chars) {
  const uint32_t alphabet = choices->flag() ? 3 : kKnownChars;
  std::string piece;
  for (uint32_t n = choices->between(1, most_chars); n > 0; --n) piece += kChars[choices->below(alphabet)];
  return piece;
}

void add(const std::string& token, ReferenceVocabulary* vocabulary) {
  vocabulary->try_emplace(token, static_cast<int32_t>(vocabulary->size()));
}

std::string byte_token(int byte) { return fmt::format("<0x{:02X}>", byte); }

// Merges of tokens there are, whose results become tokens.
void add_merges(Choices* choices, uint32_t most, std::vector<std::string> tokens, BpeReference* model) {
  for (uint32_t n = choices->below(most + 1); n > 0; --n) {
    const std::string left = choices->one_of(tokens), right = choices->one_of(tokens);
    if (!right.starts_with(model->prefix) || right.size() == model->prefix.size()) continue;
    model->merges.emplace_back(left, right);
    tokens.push_back(left + right.substr(model->prefix.size()));
    add(tokens.back(), &model->vocabulary);
  }
}

JsonWriter& write_vocabulary(const ReferenceVocabulary& vocabulary, JsonWriter* json) {
  json->key("vocab").begin_object();
  for (const auto& [token, id] : vocabulary) json->key(token).number(int64_t{id});
  return json->end_object();
}

}  // namespace

std::string random_word(Choices* choices, size_t most_chars) {
  constexpr size_t kAlphabets[] = {3, kKnownChars, std::size(kChars)};
  std::string word = choices->join(std::span(kChars).first(choices->one_of(kAlphabets)), most_chars);
  return word.empty() ? "a" : word;
}

WordpieceReference random_wordpiece(Choices* choices) {
  WordpieceReference model;
  model.prefix = choices->one_of(std::vector<std::string>{"##", "", "a"});
  model.most_chars = choices->flag() ? 100 : choices->between(1, 8);
  add("[UNK]", &model.vocabulary);
  for (size_t i = 0; i < kKnownChars; ++i) {
    if (choices->below(8) != 7) add(kChars[i], &model.vocabulary);
    if (choices->below(8) != 7) add(model.prefix + kChars[i], &model.vocabulary);
  }
  for (uint32_t n = choices->below(30); n > 0; --n) {
    add((choices->flag() ? model.prefix : "") + random_piece(choices, 4), &model.vocabulary);
  }
  return model;
}

UnigramReference random_unigram(Choices* choices) {
  ReferenceVocabulary vocabulary;
  add("<unk>", &vocabulary);
  for (uint32_t n = choices->below(30); n > 0; --n) add(random_piece(choices, 4), &vocabulary);
  const bool has_bytes = choices->flag();
  for (int byte = 0; has_bytes && byte < 256; ++byte) add(byte_token(byte), &vocabulary);
  UnigramReference model;
  model.byte_fallback = choices->flag();
  model.pieces.resize(vocabulary.size());
  for (const auto& [piece, id] : vocabulary) model.pieces[static_cast<size_t>(id)].first = piece;
  for (size_t id = 0; id < std::min<size_t>(model.pieces.size(), 31); ++id) {
    model.pieces[id].second = choices->below(20) / -10.0;  // sums that tie, and that nearly do
  }
  if (choices->flag())
    model.unk_id =
        static_cast<int32_t>(choices->below(static_cast<uint32_t>(std::min<size_t>(model.pieces.size(), 31))));
  return model;
}

BpeReference random_bpe(Choices* choices) {
  BpeReference model;
  if (choices->below(3) == 0) model.prefix = choices->one_of(std::vector<std::string>{"##", "▁"});
  if (choices->below(3) == 0) model.suffix = choices->one_of(std::vector<std::string>{"</w>", "a"});
  model.fuse_unk = choices->flag();
  model.byte_fallback = choices->flag();
  model.ignore_merges = choices->flag();
  if (choices->flag()) model.unk_token = "<unk>";
  add("<unk>", &model.vocabulary);
  std::vector<std::string> tokens;
  for (size_t i = 0; i < kKnownChars; ++i) {
    if (choices->below(8) == 7) continue;
    for (const std::string& before : {std::string(), model.prefix}) {
      for (const std::string& behind : {std::string(), model.suffix}) tokens.push_back(before + kChars[i] + behind);
    }
  }
  if (choices->below(4) == 0) tokens.push_back("<unk>");
  const int lacking = choices->flag() ? static_cast<int>(choices->below(256)) : 256;
  for (int byte = 0; model.byte_fallback && byte < 256; ++byte) {
    if (byte != lacking) tokens.push_back(byte_token(byte));
  }
  for (const std::string& token : tokens) add(token, &model.vocabulary);
  if (tokens.size() > 256) tokens.resize(256);
  add_merges(choices, 60, std::move(tokens), &model);
  return model;
}

BpeReference random_byte_level_bpe(Choices* choices) {
  BpeReference model;
  model.byte_level = true;
  model.ignore_merges = choices->flag();
  for (int byte = 0; byte < 256; ++byte) {
    add(utf8_of(byte_to_char(static_cast<unsigned char>(byte))), &model.vocabulary);
  }
  std::vector<std::string> tokens;
  for (size_t i = 0; i < kKnownChars; ++i) {
    for (const char byte : kChars[i]) tokens.push_back(utf8_of(byte_to_char(static_cast<unsigned char>(byte))));
  }
  add_merges(choices, 100, std::move(tokens), &model);
  return model;
}

std::string json_of(const WordpieceReference& model) {
  JsonWriter json;
  json.begin_object().key("type").string("WordPiece").key("unk_token").string("[UNK]");
  json.key("continuing_subword_prefix").string(model.prefix);
  json.key("max_input_chars_per_word").number(static_cast<int64_t>(model.most_chars));
  write_vocabulary(model.vocabulary, &json).end_object();
  return std::move(json).str();
}

std::string json_of(const UnigramReference& model) {
  JsonWriter json;
  json.begin_object().key("type").string("Unigram").key("unk_id").number(int64_t{model.unk_id});
  json.key("byte_fallback").boolean(model.byte_fallback).key("vocab").begin_array();
  for (const auto& [piece, score] : model.pieces) json.begin_array().string(piece).number(score).end_array();
  json.end_array().end_object();
  return std::move(json).str();
}

std::string json_of(const BpeReference& model) {
  JsonWriter json;
  json.begin_object().key("type").string("BPE").key("dropout").null();
  model.unk_token.empty() ? json.key("unk_token").null() : json.key("unk_token").string(model.unk_token);
  json.key("continuing_subword_prefix").string(model.prefix).key("end_of_word_suffix").string(model.suffix);
  json.key("fuse_unk").boolean(model.fuse_unk).key("byte_fallback").boolean(model.byte_fallback);
  json.key("ignore_merges").boolean(model.ignore_merges).key("merges").begin_array();
  for (const auto& [left, right] : model.merges) json.begin_array().string(left).string(right).end_array();
  json.end_array();
  write_vocabulary(model.vocabulary, &json).end_object();
  return std::move(json).str();
}

}  // namespace bouquet::tokenizer
