// One function an input form; each appends to the flat arrays.
#include "ivy/prepare.h"

#include <algorithm>
#include <chrono>
#include <optional>
#include <set>
#include <utility>

#include "absl/strings/str_cat.h"
#include "base/status.h"
#include "ivy/failure.h"

namespace bouquet::ivy {
namespace {

using tokenizer::EncodeOptions;
using tokenizer::Encoding;
using tokenizer::TruncationSide;

// The model's default prompt goes before texts that become vectors.
bool takes_prompt(Task task) { return task == Task::kEmbed || task == Task::kTokens || task == Task::kSparse; }

// "input", or "input[2]" of several.
std::string name_of_input(const Job& job, size_t index) {
  return job.single ? job.field : absl::StrCat(job.field, "[", index, "]");
}

// The state of preparing one job: what holds for all of its inputs, and what has been gathered.
class Cook {
 public:
  Cook(const Job& job, const Kitchen& kitchen) : job_(job), kitchen_(kitchen) {
    truncate_ = job.options.truncate.value_or(kitchen.recipe.truncate);
    options_.add_special_tokens =
        job.task == Task::kTokenize ? job.options.add_special_tokens : kitchen.recipe.special_tokens;
    if (job.task == Task::kMultiVector) {
      for (const std::string& word : kitchen.recipe.late_interaction.skipped_words) {
        if (const auto id = kitchen.tokenizer.token_to_id(word)) skipped_.insert(*id);
      }
    }
    if (!kitchen.recipe.dropped_token.empty()) dropped_ = kitchen.tokenizer.token_to_id(kitchen.recipe.dropped_token);
    options_.max_length = job.task == Task::kTokenize ? 0 : kitchen.max_length;
    options_.truncation_side = job.options.truncation_side.value_or(kitchen.recipe.truncation_side);
    options_.literal_special_tokens = kitchen.recipe.literal_special_tokens;
  }

  absl::StatusOr<Prepared> cook();

 private:
  std::string name_of(size_t index) const { return name_of_input(job_, index); }
  absl::Status choose_prompt();
  void encode(std::string_view text, const EncodeOptions& options);
  absl::Status add(size_t index, const std::string& text);
  absl::Status add(size_t index, const TextPair& pair);
  absl::Status add(size_t index, const TokenIds& ids);
  absl::Status add_for_late_interaction(size_t index, const std::string& text);
  absl::Status add(size_t index, const ChunkedText& document);
  void add_ids(std::string_view text);
  void fill(int32_t length);
  absl::Status add_chunk(const std::string& name, const std::string& text);
  absl::Status add_scored(size_t index, std::string_view query, std::string_view document);
  absl::Status add_pair(size_t index, std::string_view first, std::string_view second, bool cut_before);
  absl::Status add_prompted_pair(size_t index, std::string_view query, std::string_view document, bool cut_before);
  absl::Status check_ids(size_t index, const TokenIds& ids) const;
  absl::Status take(size_t index, bool cut);
  absl::Status too_long(size_t index, int64_t length) const;
  std::string_view cut_document(std::string_view text, bool* cut);
  absl::Status still_wanted() const;

  const Job& job_;
  const Kitchen& kitchen_;
  bool truncate_ = true;
  EncodeOptions options_;
  std::set<int32_t> skipped_;       // kMultiVector: words without a vector
  std::optional<int32_t> dropped_;  // the recipe's token that texts are left without
  std::string prompt_;
  bool prompt_was_asked_for_ = false;
  Encoding encoding_;  // of the input at hand
  Prepared prepared_;
};

absl::Status Cook::still_wanted() const {
  if (job_.call.cancelled.stop_requested()) return absl::CancelledError("the client went away");
  if (tulip::Clock::now() > job_.call.deadline) return absl::DeadlineExceededError("the request took too long");
  return absl::OkStatus();
}

absl::Status Cook::choose_prompt() {
  const JobOptions& options = job_.options;
  prompt_was_asked_for_ = options.prompt.has_value() || options.prompt_name.has_value();
  if (options.prompt) {
    prompt_ = *options.prompt;
  } else if (options.prompt_name) {
    absl::StatusOr<std::string> found = find_prompt(kitchen_.recipe, *options.prompt_name);
    if (!found.ok()) return invalid_input("prompt_name", std::string(found.status().message()));
    prompt_ = *std::move(found);
  } else if (job_.task == Task::kMultiVector) {
    const auto found = kitchen_.recipe.prompts.find(job_.options.is_query ? "query" : "document");
    if (found != kitchen_.recipe.prompts.end()) prompt_ = found->second;
  } else if (takes_prompt(job_.task) && !kitchen_.recipe.default_prompt.empty()) {
    ASSIGN_OR_RETURN(prompt_, find_prompt(kitchen_.recipe, kitchen_.recipe.default_prompt));
  }
  return absl::OkStatus();
}

absl::StatusOr<Prepared> Cook::cook() {
  RETURN_IF_ERROR(choose_prompt());
  const bool one_query = std::holds_alternative<std::string>(job_.inputs.front());
  if (job_.task == Task::kScore && one_query && job_.query.empty()) return empty_input("query", "query is empty");
  prepared_.lengths.reserve(job_.inputs.size());
  for (size_t i = 0; i < job_.inputs.size(); ++i) {
    RETURN_IF_ERROR(still_wanted());
    RETURN_IF_ERROR(std::visit([&](const auto& input) { return add(i, input); }, job_.inputs[i]));
  }
  const auto none = [](uint8_t type) { return type == 0; };
  if (std::all_of(prepared_.token_types.begin(), prepared_.token_types.end(), none)) prepared_.token_types.clear();
  return std::move(prepared_);
}

absl::Status Cook::too_long(size_t index, int64_t length) const {
  return invalid_input(name_of(index),
                       absl::StrCat(name_of(index), " has ", length, " tokens, more than the ", kitchen_.max_length,
                                    " that this model takes; shorten it or set truncate to true"));
}

// Offsets are made only where they are shown.
void Cook::encode(std::string_view text, const EncodeOptions& options) {
  if (job_.task == Task::kTokenize || kitchen_.tokenizer.has_type_ids()) {
    kitchen_.tokenizer.encode(text, options, &encoding_);
    return;
  }
  encoding_.truncated = kitchen_.tokenizer.encode_ids(text, options, &encoding_.ids);
  encoding_.type_ids.assign(encoding_.ids.size(), 0);
}

absl::Status Cook::add(size_t index, const std::string& text) {
  if (text.empty()) return empty_input(name_of(index), absl::StrCat(name_of(index), " is empty"));
  if (job_.task == Task::kScore) return add_scored(index, job_.query, text);
  if (job_.task == Task::kMultiVector) return add_for_late_interaction(index, text);
  const std::string prompted = prompt_.empty() ? std::string() : prompt_ + text;
  const std::string& whole = prompt_.empty() ? text : prompted;
  encode(whole, options_);
  if (encoding_.truncated && !truncate_) {
    EncodeOptions unlimited = options_;
    unlimited.max_length = 0;
    encode(whole, unlimited);
    return too_long(index, static_cast<int64_t>(encoding_.ids.size()));
  }
  prepared_.text_bytes += static_cast<int64_t>(whole.size());
  if (dropped_ && job_.task != Task::kTokenize) {
    std::erase(encoding_.ids, *dropped_);
    encoding_.type_ids.assign(encoding_.ids.size(), 0);
  }
  if (job_.task == Task::kTokenize) {
    prepared_.texts.push_back(whole);
    prepared_.encodings.push_back(encoding_);
  }
  return take(index, encoding_.truncated);
}

// Cut by its task's length; a query is filled up, and words of the model's list get no vector.
absl::Status Cook::add_for_late_interaction(size_t index, const std::string& text) {
  const LateInteraction& how = kitchen_.recipe.late_interaction;
  const bool query = job_.options.is_query;
  const bool fixed = query && how.filling == Filling::kFixed;
  const int32_t wanted = fixed ? how.filled_length : query ? how.query_length : how.document_length;
  EncodeOptions options = options_;
  if (wanted > 0) options.max_length = std::min(wanted, kitchen_.max_length);
  encode(prompt_ + text, options);
  const bool cut = encoding_.truncated;
  if (cut && !truncate_ && !fixed) return too_long(index, options.max_length + 1);
  const auto seen = static_cast<int32_t>(encoding_.ids.size());
  if (query && how.filling != Filling::kNone) fill(std::min(how.filled_length, kitchen_.max_length));
  prepared_.key_counts.push_back(how.filling_is_seen ? static_cast<int32_t>(encoding_.ids.size()) : seen);
  const bool skips = query ? how.skips_in_queries : how.skips_in_documents;
  for (size_t i = 0; i < encoding_.ids.size(); ++i) {
    const bool dropped = (i == 0 && how.drops_first) || (skips && skipped_.contains(encoding_.ids[i]));
    prepared_.kept.push_back(dropped ? 0 : 1);
  }
  prepared_.text_bytes += static_cast<int64_t>(prompt_.size() + text.size());
  return take(index, cut);
}

void Cook::fill(int32_t length) {
  const auto token = kitchen_.tokenizer.token_to_id(kitchen_.recipe.late_interaction.filling_token);
  while (token && static_cast<int32_t>(encoding_.ids.size()) < length) {
    encoding_.ids.push_back(*token);
    encoding_.type_ids.push_back(0);
  }
}

absl::Status Cook::add(size_t index, const TextPair& pair) {
  if (pair.first.empty() || pair.second.empty()) {
    return empty_input(name_of(index), absl::StrCat(name_of(index), " has an empty half"));
  }
  if (job_.task == Task::kScore) return add_scored(index, pair.first, pair.second);
  return add_pair(index, prompt_ + pair.first, pair.second, false);
}

absl::Status Cook::add_scored(size_t index, std::string_view query, std::string_view document) {
  bool cut = false;
  const std::string_view kept = cut_document(document, &cut);
  if (kitchen_.recipe.rerank_template) return add_prompted_pair(index, query, kept, cut);
  return add_pair(index, kitchen_.recipe.query_prefix + std::string(query),
                  kitchen_.recipe.document_prefix + std::string(kept), cut);
}

absl::Status Cook::add_pair(size_t index, std::string_view first, std::string_view second, bool cut_before) {
  kitchen_.tokenizer.encode_pair(first, second, options_, &encoding_);
  if (encoding_.truncated && !truncate_) {
    EncodeOptions unlimited = options_;
    unlimited.max_length = 0;
    kitchen_.tokenizer.encode_pair(first, second, unlimited, &encoding_);
    return too_long(index, static_cast<int64_t>(encoding_.ids.size()));
  }
  prepared_.text_bytes += static_cast<int64_t>(first.size() + second.size());
  return take(index, encoding_.truncated || cut_before);
}

// What is too long is cut where the document ends: the prompt's own end always stays.
absl::Status Cook::add_prompted_pair(size_t index, std::string_view query, std::string_view document, bool cut_before) {
  const RerankPrompt prompt = render(*kitchen_.recipe.rerank_template, job_.options.instruction, query, document);
  EncodeOptions unlimited = options_;
  unlimited.max_length = 0;
  encoding_.clear();
  kitchen_.tokenizer.encode_ids(prompt.body + prompt.tail, unlimited, &encoding_.ids);
  const auto limit = static_cast<size_t>(kitchen_.max_length);
  const bool cut = encoding_.ids.size() > limit;
  if (cut) {
    if (!truncate_) return too_long(index, static_cast<int64_t>(encoding_.ids.size()));
    std::vector<int32_t> tail;
    unlimited.add_special_tokens = false;
    kitchen_.tokenizer.encode_ids(prompt.tail, unlimited, &tail);
    if (const auto last = kitchen_.tokenizer.trailing_special(); last && options_.add_special_tokens)
      tail.push_back(*last);
    if (tail.size() >= limit) return too_long(index, static_cast<int64_t>(encoding_.ids.size()));
    encoding_.ids.resize(limit - tail.size());
    encoding_.ids.insert(encoding_.ids.end(), tail.begin(), tail.end());
  }
  encoding_.type_ids.assign(encoding_.ids.size(), 0);
  prepared_.text_bytes += static_cast<int64_t>(prompt.body.size() + prompt.tail.size());
  return take(index, cut || cut_before);
}

// The longest start of the text with at most max_document_tokens tokens.
std::string_view Cook::cut_document(std::string_view text, bool* cut) {
  if (job_.options.max_document_tokens <= 0) return text;
  EncodeOptions options = options_;
  options.add_special_tokens = false;
  options.max_length = job_.options.max_document_tokens;
  options.truncation_side = TruncationSide::kRight;
  kitchen_.tokenizer.encode(text, options, &encoding_);
  *cut = encoding_.truncated;
  if (!encoding_.truncated || encoding_.offsets.empty()) return text;
  return text.substr(0, encoding_.offsets.back().end);
}

absl::Status Cook::check_ids(size_t index, const TokenIds& ids) const {
  const std::string name = name_of(index);
  if (ids.empty()) return empty_input(name, absl::StrCat(name, " is empty"));
  if (prompt_was_asked_for_) {
    return invalid_input(name, absl::StrCat(name,
                                            " is a list of token ids, which are used as they are: a prompt "
                                            "can only go before a text"));
  }
  for (size_t i = 0; i < ids.size(); ++i) {
    if (ids[i] < 0 || ids[i] >= kitchen_.vocab_size) {
      return invalid_input(name, absl::StrCat(name, "[", i, "] is ", ids[i], ", outside the vocabulary of ",
                                              kitchen_.vocab_size, " tokens"));
    }
  }
  if (kitchen_.raw_token_ids || !kitchen_.recipe.special_tokens) return absl::OkStatus();
  const auto leading = kitchen_.tokenizer.leading_special();
  const auto trailing = kitchen_.tokenizer.trailing_special();
  const bool lacks_first = leading && ids.front() != *leading;
  const bool lacks_last = kitchen_.last_token_pooling && trailing && ids.back() != *trailing;
  if (!lacks_first && !lacks_last) return absl::OkStatus();
  const int32_t wanted = lacks_first ? *leading : *trailing;
  return invalid_input(
      name, absl::StrCat("the token ids of ", name, " do not ", lacks_first ? "begin" : "end", " with ", wanted, " (",
                         std::string(kitchen_.tokenizer.id_to_token(wanted)),
                         ") as this model's own do: they are almost surely another tokenizer's. Send text instead; "
                         "with LangChain's OpenAIEmbeddings set check_embedding_ctx_length=False. A server started "
                         "with --raw-token-ids takes such ids as they are"));
}

absl::Status Cook::add(size_t index, const TokenIds& ids) {
  RETURN_IF_ERROR(check_ids(index, ids));
  encoding_.clear();
  const auto limit = static_cast<size_t>(kitchen_.max_length);
  const bool cut = ids.size() > limit;
  if (cut && !truncate_) return too_long(index, static_cast<int64_t>(ids.size()));
  if (!cut) {
    encoding_.ids = ids;
  } else {
    // The template's own tokens stay at both ends; what lies between is cut.
    const bool head = ids.front() == kitchen_.tokenizer.leading_special() && limit > 2;
    const bool tail = ids.back() == kitchen_.tokenizer.trailing_special() && limit > 2;
    const size_t middle = limit - (head ? 1 : 0) - (tail ? 1 : 0);
    const auto begin = ids.begin() + (head ? 1 : 0);
    const auto end = ids.end() - (tail ? 1 : 0);
    const auto count = static_cast<ptrdiff_t>(middle);
    if (head) encoding_.ids.push_back(ids.front());
    const bool left = options_.truncation_side == TruncationSide::kLeft;
    encoding_.ids.insert(encoding_.ids.end(), left ? end - count : begin, left ? end : begin + count);
    if (tail) encoding_.ids.push_back(ids.back());
  }
  encoding_.type_ids.assign(encoding_.ids.size(), 0);
  return take(index, cut);
}

// Appends a text's own tokens to the encoding at hand.
void Cook::add_ids(std::string_view text) {
  EncodeOptions options = options_;
  options.add_special_tokens = false;
  options.max_length = 0;
  std::vector<int32_t> ids;
  kitchen_.tokenizer.encode_ids(text, options, &ids);
  encoding_.ids.insert(encoding_.ids.end(), ids.begin(), ids.end());
}

// One chunk's tokens, after the separator where there is one before it.
absl::Status Cook::add_chunk(const std::string& name, const std::string& text) {
  if (text.empty()) return empty_input(name, absl::StrCat(name, " is empty"));
  const auto begin = static_cast<int32_t>(encoding_.ids.size());
  add_ids(text);
  if (static_cast<int32_t>(encoding_.ids.size()) == begin) {
    return empty_input(name, absl::StrCat(name, " has no tokens"));
  }
  prepared_.spans.insert(prepared_.spans.end(), {begin, static_cast<int32_t>(encoding_.ids.size())});
  prepared_.text_bytes += static_cast<int64_t>(text.size());
  return absl::OkStatus();
}

// A document too long is refused: a chunk that is cut off would have no vector.
absl::Status Cook::add(size_t index, const ChunkedText& document) {
  const std::string name = name_of(index);
  if (document.empty()) return empty_input(name, absl::StrCat(name, " has no chunks"));
  const auto separator = kitchen_.tokenizer.token_to_id(kitchen_.recipe.chunk_separator);
  encoding_.clear();
  if (const auto first = kitchen_.tokenizer.leading_special()) encoding_.ids.push_back(*first);
  if (!prompt_.empty()) add_ids(prompt_);
  for (size_t i = 0; i < document.size(); ++i) {
    if (i > 0 && separator) encoding_.ids.push_back(*separator);
    RETURN_IF_ERROR(add_chunk(absl::StrCat(name, "[", i, "]"), document[i]));
  }
  if (const auto last = kitchen_.tokenizer.trailing_special()) encoding_.ids.push_back(*last);
  if (encoding_.ids.size() > static_cast<size_t>(kitchen_.max_length)) {
    return invalid_input(name, absl::StrCat(name, " has ", encoding_.ids.size(), " tokens in all, more than the ",
                                            kitchen_.max_length, " that this model takes at once"));
  }
  prepared_.span_counts.push_back(static_cast<int32_t>(document.size()));
  encoding_.type_ids.assign(encoding_.ids.size(), 0);
  return take(index, false);
}

// Appends the encoding at hand.
absl::Status Cook::take(size_t index, bool cut) {
  if (encoding_.ids.empty() && job_.task != Task::kTokenize) {
    return empty_input(name_of(index), absl::StrCat(name_of(index), " has no tokens"));
  }
  prepared_.ids.insert(prepared_.ids.end(), encoding_.ids.begin(), encoding_.ids.end());
  prepared_.token_types.insert(prepared_.token_types.end(), encoding_.type_ids.begin(), encoding_.type_ids.end());
  prepared_.lengths.push_back(static_cast<int32_t>(encoding_.ids.size()));
  prepared_.truncated += cut ? 1 : 0;
  return absl::OkStatus();
}

}  // namespace

absl::StatusOr<Prepared> prepare(const Job& job, const Kitchen& kitchen) { return Cook(job, kitchen).cook(); }

absl::StatusOr<std::vector<std::string>> decode(const Job& job, const Kitchen& kitchen) {
  std::vector<std::string> texts;
  texts.reserve(job.inputs.size());
  for (size_t i = 0; i < job.inputs.size(); ++i) {
    const auto* ids = std::get_if<TokenIds>(&job.inputs[i]);
    const std::string name = name_of_input(job, i);
    if (ids == nullptr) return invalid_input(name, absl::StrCat(name, " must be a list of token ids"));
    for (size_t k = 0; k < ids->size(); ++k) {
      if ((*ids)[k] >= 0 && (*ids)[k] < kitchen.tokenizer.vocab_size()) continue;
      return invalid_input(name, absl::StrCat(name, "[", k, "] is ", (*ids)[k], ", outside the vocabulary of ",
                                              kitchen.tokenizer.vocab_size(), " tokens"));
    }
    texts.push_back(kitchen.tokenizer.decode(*ids, job.options.skip_special_tokens));
  }
  return texts;
}

}  // namespace bouquet::ivy
