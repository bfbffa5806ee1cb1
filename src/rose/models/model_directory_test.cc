// Both schemas of sentence-transformers read alike; what is not known is refused by name.
#include "rose/models/model_directory.h"

#include "base/testing/scratch_folder.h"
#include "gmock/gmock.h"
#include "gtest/gtest.h"

namespace bouquet::rose {
namespace {

namespace fs = std::filesystem;
using testing::ElementsAre;
using testing::HasSubstr;

class ModelDirectoryTest : public testing::Test {
 protected:
  void SetUp() override { write("config.json", R"({"model_type":"bert","architectures":["BertModel"]})"); }
  void write(const fs::path& file, const std::string& text) { root_.write(file, text); }
  std::string refusal() { return std::string(ModelDirectory::read(root_).status().message()); }
  ScratchFolder root_;
};

TEST_F(ModelDirectoryTest, TheOldSchema) {
  write("modules.json", R"([{"idx":0,"path":"","type":"sentence_transformers.models.Transformer"},)"
                        R"({"idx":1,"path":"1_Pooling","type":"sentence_transformers.models.Pooling"},)"
                        R"({"idx":2,"path":"2_Dense","type":"sentence_transformers.models.Dense"},)"
                        R"({"idx":3,"path":"3_Normalize","type":"sentence_transformers.models.Normalize"}])");
  write("sentence_bert_config.json", R"({"max_seq_length":256,"do_lower_case":false})");
  write("1_Pooling/config.json",
        R"({"word_embedding_dimension":8,"pooling_mode_cls_token":true,"pooling_mode_mean_tokens":true})");
  write("2_Dense/config.json",
        R"({"in_features":16,"out_features":4,"bias":true,"activation_function":"torch.nn.modules.activation.Tanh"})");
  const ModelDirectory d = *ModelDirectory::read(root_);
  EXPECT_EQ(d.max_tokens, 256);
  EXPECT_THAT(d.pooling, ElementsAre(Pooling::kCls, Pooling::kMean));
  ASSERT_EQ(d.dense.size(), 1u);
  EXPECT_EQ(d.dense[0].out_features, 4);
  EXPECT_TRUE(d.normalize);
  EXPECT_EQ(d.task, Task::kEmbedding);
}

TEST_F(ModelDirectoryTest, TheSchemaOfVersion54) {
  write("modules.json",
        R"([{"idx":0,"path":"0_Transformer","type":"sentence_transformers.base.modules.transformer.Transformer"},)"
        R"({"idx":1,"path":"1_Pooling","type":"sentence_transformers.sentence_transformer.modules.pooling.Pooling"},)"
        R"({"idx":2,"path":"2_Normalize","type":"sentence_transformers.base.modules.normalize.Normalize"}])");
  write("0_Transformer/config.json", R"({"model_type":"bert"})");
  write("0_Transformer/sentence_bert_config.json", R"({"transformer_task":"feature-extraction"})");
  write("0_Transformer/tokenizer_config.json", R"({"model_max_length":128})");
  write("1_Pooling/config.json",
        R"({"embedding_dimension":8,"pooling_mode":["max","lasttoken"],"include_prompt":true})");
  write("2_Normalize/config.json",
        R"({"module_input_name":"sentence_embedding","module_output_name":"sentence_embedding"})");
  const ModelDirectory d = *ModelDirectory::read(root_);
  EXPECT_EQ(d.transformer, root_ / "0_Transformer");
  EXPECT_EQ(d.max_tokens, 128);
  EXPECT_THAT(d.pooling, ElementsAre(Pooling::kMax, Pooling::kLastToken));
  EXPECT_TRUE(d.normalize);
  write("1_Pooling/config.json", R"({"pooling_mode":"mean","include_prompt":false})");
  EXPECT_THAT(refusal(), HasSubstr("prompt"));
}

TEST_F(ModelDirectoryTest, CrossEncodersAndPlainTransformers) {
  EXPECT_THAT(ModelDirectory::read(root_)->pooling, ElementsAre(Pooling::kMean));
  write("tokenizer_config.json", R"({"model_max_length":1000000000000000019884624838656})");
  EXPECT_EQ(ModelDirectory::read(root_)->max_tokens, 0);
  write("config.json", R"({"model_type":"bert","architectures":["BertForSequenceClassification"]})");
  EXPECT_EQ(ModelDirectory::read(root_)->task, Task::kClassification);
  write("modules.json", R"([{"path":"","type":"sentence_transformers.base.modules.transformer.Transformer"}])");
  write("sentence_bert_config.json", R"({"transformer_task":"sequence-classification"})");
  EXPECT_EQ(ModelDirectory::read(root_)->task, Task::kClassification);
}

TEST_F(ModelDirectoryTest, RefusesWhatItDoesNotKnow) {
  const std::string transformer = R"({"path":"","type":"sentence_transformers.models.Transformer"})";
  write("modules.json", "[" + transformer + R"(,{"path":"x","type":"sentence_transformers.models.LSTM"}])");
  EXPECT_THAT(refusal(), HasSubstr("LSTM"));
  write("modules.json", "[" + transformer + R"(,{"path":"x","type":"my_code.Pooling"}])");
  EXPECT_THAT(refusal(), HasSubstr("my_code.Pooling"));
  write("modules.json", R"([{"path":"../x","type":"sentence_transformers.models.Transformer"}])");
  EXPECT_FALSE(ModelDirectory::read(root_).ok());
  write("modules.json", "[" + transformer + R"(,{"path":"p","type":"sentence_transformers.models.Pooling"}])");
  write("p/config.json", R"({"pooling_mode":"median"})");
  EXPECT_THAT(refusal(), HasSubstr("median"));
}

}  // namespace
}  // namespace bouquet::rose
