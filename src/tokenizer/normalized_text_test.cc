// Origins through one stage, two stages, and replacement in place.
#include "tokenizer/normalized_text.h"

#include "gtest/gtest.h"

namespace bouquet::tokenizer {
namespace {

TEST(NormalizedText, TwoStagesKeepOrigins) {
  const std::string original = "a\xC3\xA9z";
  NormalizedText text;
  text.reset(original);
  EXPECT_EQ(text.original_end(4), 4);
  text.begin_stage();
  text.put(U'a', text.origin(0));
  text.put(0x301, text.origin(1));
  text.put(U'z', text.origin(3));
  text.commit();
  EXPECT_EQ(text.view(), "a\xCC\x81z");
  EXPECT_EQ(text.original_begin(1), 1);
  EXPECT_EQ(text.original_end(3), 3);
  text.begin_stage();
  *text.put_run(3, 1) = 'z';
  text.put(U'!', text.origin(1));
  text.commit();
  EXPECT_EQ(text.view(), "z!");
  EXPECT_EQ(text.original_begin(0), 3);
  EXPECT_EQ(text.original_begin(1), 1);
}

TEST(NormalizedText, InPlaceThenStage) {
  const std::string original = "ABC";
  NormalizedText text;
  text.reset(original);
  char* out = text.begin_in_place();
  out[0] = 'a';
  out[1] = 'b';
  text.begin_stage(2);
  text.put(U'?', 2);
  text.commit();
  EXPECT_EQ(text.view(), "ab?");
  EXPECT_EQ(text.original_end(3), 3);
  out = text.begin_in_place();
  for (int i = 0; i < 3; ++i) out[i] = 'x';
  text.commit_in_place();
  EXPECT_EQ(text.view(), "xxx");
  EXPECT_EQ(text.original_begin(2), 2);
}

}  // namespace
}  // namespace bouquet::tokenizer
