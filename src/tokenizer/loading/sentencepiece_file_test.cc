// Pieces, the trainer's fields, and bytes that are no model.
#include "tokenizer/loading/sentencepiece_file.h"

#include <cmath>

#include "gtest/gtest.h"
#include "tokenizer/testing/small_sentencepiece.h"

namespace bouquet::tokenizer {
namespace {

TEST(SentencePieceFile, Reads) {
  const auto file = SentencePieceFile::parse(small_sentencepiece(2) + wire_bytes(3, wire_bytes(2, "map")));
  ASSERT_TRUE(file.ok()) << file.status();
  ASSERT_EQ(file->pieces.size(), 10);
  EXPECT_EQ(file->pieces[7].text, "ab");
  EXPECT_EQ(file->pieces[7].score, -1.5f);
  EXPECT_EQ(file->pieces[8].type, SentencePieceFile::kUserDefined);
  EXPECT_EQ(file->model_type, SentencePieceFile::kBpe);
  EXPECT_EQ(file->unk_piece, "<unk>");
  EXPECT_EQ(file->charsmap, "map");
}

TEST(SentencePieceFile, RefusesWhatIsNone) {
  const std::string whole = small_sentencepiece(1);
  for (const std::string& bytes : {std::string(), std::string("{}"), whole.substr(0, 8), small_piece("\xFF", 0),
                                   small_piece("a", INFINITY), wire_bytes(2, wire_number(3, 1))}) {
    EXPECT_EQ(SentencePieceFile::parse(bytes).status().message(), "is not a SentencePiece model");
  }
}

}  // namespace
}  // namespace bouquet::tokenizer
