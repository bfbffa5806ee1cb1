// `bouquet generate`: greedy text from a causal language model, through the layers and kernels that embedders have.
#include <algorithm>
#include <chrono>
#include <cmath>
#include <iostream>
#include <memory>

#include "base/json_writer.h"
#include "base/log.h"
#include "base/status.h"
#include "cli/command.h"
#include "cli/generate/stop_ids.h"
#include "cli/generate/text_stream.h"
#include "cli/model_flags.h"
#include "cli/numbers.h"
#include "cli/signals.h"
#include "fmt/format.h"
#include "tulip/generation.h"

namespace bouquet::cli {
namespace {

struct GenerateFlags {
  ModelFlags model;
  std::vector<std::string> prompts;
  int32_t max_tokens = 128;
  int32_t sequences = 8;
  int32_t step_tokens = 256;
  int32_t cache_tokens = 4096;
  bool special = true;
  bool stop = true;
  bool json = false;
};

// One prompt and what became of it.
struct Answer {
  TextStream stream;
  std::string text;
  std::vector<int32_t> ids;
};

// Where text goes: of one prompt as it comes, of several each when it is complete.
class Printer {
 public:
  Printer(bool json, bool alone) : json_(json), streams_(alone && !json) {}

  void word(size_t prompt, const tulip::Generated& word, const std::string& piece, const Answer& answer,
            bool stopped) const {
    if (streams_) std::cout << piece << std::flush;
    if (!word.last) return;
    if (json_) return print_json(prompt, answer, stopped);
    std::cout << (streams_ ? "\n" : fmt::format("[{}] {}\n", prompt + 1, answer.text)) << std::flush;
  }

 private:
  static void print_json(size_t prompt, const Answer& answer, bool stopped) {
    JsonWriter json;
    json.begin_object().key("prompt").number(static_cast<int64_t>(prompt)).key("text").string(answer.text);
    json.key("ids").begin_array();
    for (const int32_t id : answer.ids) json.number(int64_t{id});
    json.end_array().key("finish_reason").string(stopped ? "stop" : "length").end_object();
    std::cout << json.view() << "\n" << std::flush;
  }
  const bool json_, streams_;
};

// The likeliest word, the first of equals.
absl::StatusOr<int32_t> greedy(std::span<const float> logits) {
  const auto finite = [](float logit) { return std::isfinite(logit); };
  if (!std::all_of(logits.begin(), logits.end(), finite)) {
    return absl::InternalError("the model's logits are not finite (with weights in f16, try --dtype f32)");
  }
  return static_cast<int32_t>(std::max_element(logits.begin(), logits.end()) - logits.begin());
}

absl::StatusOr<std::vector<int32_t>> greedy_words(const rose::LazyTensor& logits) {
  RETURN_IF_ERROR(logits.wait());
  std::vector<int32_t> words;
  for (int32_t i = 0; i < logits.sequences(); ++i) {
    ASSIGN_OR_RETURN(const int32_t word, greedy(logits.values(i)));
    words.push_back(word);
  }
  return words;
}

// A step's shape never matters to a CPU's graph, so one recording serves all.
absl::Status run_steps(rose::Engine& engine, tulip::Generation& generation,
                       const std::function<void(const tulip::Generated&)>& use) {
  const InterruptWatch interrupt;
  const rose::EngineInfo& info = engine.info();
  const auto graph = engine.capture({info.max_batch_tokens, info.max_batch_sequences, info.max_batch_tokens});
  while (const std::optional<rose::Batch> batch = generation.next()) {
    ASSIGN_OR_RETURN(const std::vector<int32_t> words, greedy_words(engine.step(*batch, graph)));
    for (const tulip::Generated& word : generation.advance(words)) use(word);
    if (interrupt.seen()) return absl::CancelledError("interrupted");
  }
  return absl::OkStatus();
}

// --prompt, else the lines of standard input.
std::vector<std::string> read_prompts(const GenerateFlags& f) {
  std::vector<std::string> prompts = f.prompts;
  if (prompts.empty()) {
    for (std::string line; std::getline(std::cin, line);) prompts.push_back(line);
  }
  return prompts;
}

absl::StatusOr<std::vector<Answer>> add_prompts(const GenerateFlags& f, const tokenizer::Tokenizer& tokenizer,
                                                tulip::Generation* generation, int64_t* tokens) {
  std::vector<Answer> answers;
  for (const std::string& text : read_prompts(f)) {
    tulip::Prompt prompt;
    tokenizer.encode_ids(text, {.add_special_tokens = f.special}, &prompt.ids);
    *tokens += static_cast<int64_t>(prompt.ids.size());
    answers.push_back({TextStream(tokenizer, prompt.ids), "", {}});
    const int32_t room = generation->room_behind(prompt.ids.size());
    if (room == 0) {
      return absl::InvalidArgumentError(fmt::format(
          "prompt {} has {} tokens, more than fit (--cache-tokens, --max-length)", answers.size(), prompt.ids.size()));
    }
    prompt.most_words = std::min(f.max_tokens, room);
    if (const absl::Status added = generation->add(std::move(prompt)); !added.ok()) {
      return about(fmt::format("prompt {}", answers.size()), added);
    }
  }
  return answers;
}

absl::Status generate(GenerateFlags& f) {
  init_log(LogFormat::kText, "warn");
  f.model.engine.max_batch_sequences = f.sequences;
  f.model.engine.max_batch_tokens = std::max(f.step_tokens, f.sequences);
  f.model.engine.cache_tokens = f.cache_tokens;
  ASSIGN_OR_RETURN(const LoadedModel loaded, load_language_model(f.model));
  ASSIGN_OR_RETURN(std::vector<int32_t> stop_ids, read_stop_ids(loaded.directory));
  if (!f.stop) stop_ids.clear();
  const rose::EngineInfo& info = loaded.engine->info();
  tulip::Generation generation(
      {info.cache_blocks, info.table_width, info.model.max_tokens, info.max_batch_sequences, info.max_batch_tokens},
      stop_ids);
  int64_t read = 0, written = 0;
  ASSIGN_OR_RETURN(std::vector<Answer> answers, add_prompts(f, *loaded.tokenizer, &generation, &read));
  const Printer printer(f.json, answers.size() == 1);
  const auto begin = std::chrono::steady_clock::now();
  RETURN_IF_ERROR(run_steps(*loaded.engine, generation, [&](const tulip::Generated& word) {
    Answer& answer = answers[word.prompt];
    const bool stopped = std::find(stop_ids.begin(), stop_ids.end(), word.id) != stop_ids.end();
    std::string piece = stopped ? "" : answer.stream.add(word.id);
    if (word.last) piece += answer.stream.rest();
    answer.text += piece;
    answer.ids.push_back(word.id);
    ++written;
    printer.word(word.prompt, word, piece, answer, stopped);
  }));
  const double seconds = std::chrono::duration<double>(std::chrono::steady_clock::now() - begin).count();
  std::cerr << fmt::format("{} tokens read, {} written in {:.2f} s: {:.1f} a second\n", read, written, seconds,
                           static_cast<double>(written) / std::max(seconds, 1e-9));
  return absl::OkStatus();
}

}  // namespace

Action add_generate(CLI::App& app) {
  CLI::App* c =
      app.add_subcommand("generate", "Greedy text from a causal language model (Llama, Mistral, Qwen2, Qwen3)");
  auto flags = std::make_shared<GenerateFlags>();
  flags->model.add_to(*c);
  c->add_option("-p,--prompt", flags->prompts,
                "What to go on from, as it is; may be repeated. Without any, each line of standard input is one")
      ->allow_extra_args(false);
  c->add_option("--max-tokens", flags->max_tokens, "Most tokens to write after a prompt, as far as there is room")
      ->check(above_zero())
      ->capture_default_str();
  c->add_option("--sequences", flags->sequences, "Most prompts that run at once; the others wait their turn")
      ->check(CLI::Range(1, 4096))
      ->capture_default_str();
  c->add_option("--step-tokens", flags->step_tokens, "Most tokens of one step; longer prompts are read in parts")
      ->check(CLI::Range(1, 1 << 20))
      ->capture_default_str();
  c->add_option("--cache-tokens", flags->cache_tokens,
                "Tokens whose keys and values fit the cache; a prompt starts when there is room for all it may become")
      ->check(CLI::Range(16, 1 << 24))
      ->capture_default_str();
  c->add_flag("--special,!--no-special", flags->special, "With the tokenizer's own special tokens (default)");
  c->add_flag("--stop,!--no-stop", flags->stop, "Stop at the model's end-of-text token (default)");
  c->add_flag("--json", flags->json, "A line of JSON a prompt: text, ids, finish_reason");
  c->footer(
      "  bouquet generate ./SmolLM2-135M -p 'The capital of France is'\n"
      "  bouquet generate ./Qwen3-0.6B --dtype bf16 --json < prompts.txt\n\n"
      "Here to show that embedders and language models share every kernel: no chat, no sampling, no server.");
  return [flags] { return generate(*flags); };
}

}  // namespace bouquet::cli
