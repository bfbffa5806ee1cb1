// Values of every kind; what is not on the short list of opcodes and globals, or misuses the stack, is refused.
#include "rose/weights/pickle.h"

#include "gmock/gmock.h"
#include "gtest/gtest.h"
#include "rose/weights/testing/torch_bytes.h"

namespace bouquet::rose {
namespace {

using namespace testing_bytes;
using testing::HasSubstr;

constexpr std::string_view kAllowed[] = {"torch.FloatStorage"};

absl::StatusOr<Pickle> read(const std::string& pickled) { return read_pickle(bytes_of(pickled), kAllowed); }

std::string error_of(const std::string& pickled) { return std::string(read(pickled).status().message()); }

TEST(Pickle, ReadsNumbers) {
  const auto integer = [](const std::string& pickled) { return read(pickled)->top().integer; };
  EXPECT_EQ(integer("K\xff."), 255);
  EXPECT_EQ(integer("M\x01\x02."), 513);
  EXPECT_EQ(integer("J\xfe\xff\xff\xff."), -2);
  EXPECT_EQ(integer("\x8a\x01\xff."), -1);
  EXPECT_EQ(integer(std::string("\x8a\x00.", 3)), 0);
  EXPECT_EQ(integer(number(INT64_MIN) + "."), INT64_MIN);
  EXPECT_EQ(integer("\x88."), 1);
  EXPECT_EQ(read("\x8a\x09" + std::string(9, 'x') + ".")->top().kind, PickleKind::kLong);
}

TEST(Pickle, ReadsContainers) {
  const std::string pickled = "}(" + text("list") + "](K\x01K\x02" + "e" + text("tuple") + "K\x05\x85u.rest";
  const Pickle pickle = *read(pickled);
  ASSERT_EQ(pickle.top().items.size(), 4u);
  EXPECT_EQ(pickle.item(pickle.top(), 2).text, "tuple");
  const PickleValue &list = pickle.item(pickle.top(), 1), &tuple = pickle.item(pickle.top(), 3);
  EXPECT_EQ(list.kind, PickleKind::kList);
  EXPECT_EQ(pickle.item(list, 1).integer, 2);
  EXPECT_EQ(tuple.kind, PickleKind::kTuple);
  EXPECT_EQ(pickle.item(tuple, 0).integer, 5);
}

TEST(Pickle, CallsStayData) {
  const std::string pickled = pickle(global("torch", "FloatStorage") + "(K\x07tR");
  const Pickle read_back = *read(pickled);
  EXPECT_EQ(read_back.top().kind, PickleKind::kCall);
  EXPECT_EQ(read_back.top().text, "torch.FloatStorage");
  EXPECT_EQ(read_back.item(read_back.top(), 0).integer, 7);
  EXPECT_EQ(read_back.size, pickled.size());
}

TEST(Pickle, ReadsOrderedDictsOfPython2) {
  const std::string pairs = std::string("](](U\x01") + "aK\x01" + "e](U\x01" + "bK\x02" + "ee";
  const std::string pickled = global("collections", "OrderedDict") + pairs + "\x85R.";
  const Pickle pickle = *read(pickled);
  ASSERT_EQ(pickle.top().kind, PickleKind::kDict);
  ASSERT_EQ(pickle.top().items.size(), 4u);
  EXPECT_EQ(pickle.item(pickle.top(), 2).text, "b");
  EXPECT_EQ(pickle.item(pickle.top(), 3).integer, 2);
}

TEST(Pickle, RefusesGlobals) {
  EXPECT_EQ(error_of(global("os", "system") + "."), "pickle global os.system is not allowed (byte 0)");
  EXPECT_THAT(error_of(text("builtins") + text("eval") + "\x93."), HasSubstr("global builtins.eval is not allowed"));
  EXPECT_THAT(error_of(global("a\x1b", "b") + "."), HasSubstr("a\\x1b.b"));
  EXPECT_THAT(error_of("c" + std::string(1000, 'x') + "\nname\n."), HasSubstr("cut short"));
}

TEST(Pickle, RefusesOpcodes) {
  for (const char op : std::string("0123IFLSVGdgiloopP\x81\x82\x83\x84\x8b\x8d\x8e\x8f\x90\x91\x92\x96\x97\x98")) {
    EXPECT_THAT(error_of(std::string("((((") + op), HasSubstr("is not allowed (byte 4)")) << op;
  }
}

TEST(Pickle, RefusesMisuseOfTheStack) {
  const std::string ordered = global("collections", "OrderedDict");
  const std::pair<std::string, const char*> cases[] = {
      {"", "is cut short"},
      {".", "does not end with one value"},
      {"NN.", "does not end with one value"},
      {"N(.", "does not end with one value"},
      {"R", "takes more than is on its stack"},
      {"N(\x85", "takes more than is on its stack"},  // the value lies below the mark
      {"t", "a mark that it has not set"},
      {std::string(65, '('), "nested too deep"},
      {"q" + std::string(1, '\0'), "remembers the top of an empty stack"},
      {"h\x05", "recalls 5"},
      {"a", "takes more than is on its stack"},
      {"NNa", "adds items to what is no list or dict"},
      {"](NNu", "adds items to what is no list or dict"},
      {"}(Nu", "sets a key without a value"},
      {"N)R", "calls what is no global"},
      {ordered + "NR", "calls collections.OrderedDict without a tuple"},
      {ordered + "N\x85R", "without a list"},
      {ordered + "]Na\x85R", "no pairs"},
      {"]Nb", "sets attributes of what is no dict"},
      {"NN\x93", "a global without a name"},
      {"X\xff\xff\xff\xff", "is cut short"}};
  for (const auto& [pickled, message] : cases) EXPECT_THAT(error_of(pickled), HasSubstr(message)) << pickled;
}

TEST(Pickle, ManyItemsOfLittleAreRefused) {
  std::string pickled = "]q" + std::string(1, '\0') + "(";
  for (int i = 0; i < 1000; ++i) pickled += "))\x86";
  pickled += "e\x85q\x01" + global("collections", "OrderedDict") + "q\x02";
  for (int i = 0; i < 5000; ++i) pickled += "h\x02h\x01R";
  EXPECT_THAT(error_of(pickled), HasSubstr("too many values"));
}

TEST(Pickle, ALongStackIsRefused) {
  EXPECT_THAT(error_of("Nq" + std::string(1, '\0') + std::string(1'000'001, 'N')), HasSubstr("stacks too many values"));
}

}  // namespace
}  // namespace bouquet::rose
