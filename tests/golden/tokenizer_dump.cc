// Reads commands on stdin, writes what the tokenizer makes of them on stdout; tests/golden/dump_commands.py drives it.
//
//   tokenizer_dump tokenizer.json < commands > results      tokenizer_dump --time tokenizer.json < commands
//
// All numbers are little-endian uint32. A command: kind (0 encode, 1 pair, 2 decode), max_length, flags (1 special
// tokens, 2 cut on the left, 4 literal special tokens), then one text or two (length, bytes); for decode: count, ids.
// A result of encode: count, truncated, then id, type, special, begin, end for each token; of decode: length, bytes.
#include <cstdio>
#include <cstdlib>
#include <cstring>
#include <ctime>
#include <iostream>
#include <iterator>

#include "tokenizer/tokenizer.h"

namespace {

using bouquet::tokenizer::EncodeOptions;
using bouquet::tokenizer::Encoding;
using bouquet::tokenizer::Tokenizer;
using bouquet::tokenizer::TruncationSide;

class Reader {
 public:
  explicit Reader(std::string_view bytes) : bytes_(bytes) {}
  bool done() const { return bytes_.empty(); }
  uint32_t number() {
    uint32_t value = 0;
    std::memcpy(&value, bytes_.data(), sizeof(value));
    bytes_.remove_prefix(sizeof(value));
    return value;
  }
  std::string_view text() {
    const uint32_t length = number();
    const std::string_view result = bytes_.substr(0, length);
    bytes_.remove_prefix(length);
    return result;
  }

 private:
  std::string_view bytes_;
};

void put(uint32_t value) { std::fwrite(&value, sizeof(value), 1, stdout); }

void put(const Encoding& encoding) {
  put(static_cast<uint32_t>(encoding.ids.size()));
  put(encoding.truncated ? 1 : 0);
  for (size_t i = 0; i < encoding.ids.size(); ++i) {
    put(static_cast<uint32_t>(encoding.ids[i]));
    put(encoding.type_ids[i]);
    put(encoding.special[i]);
    put(encoding.offsets[i].begin);
    put(encoding.offsets[i].end);
  }
}

void decode(const Tokenizer& tokenizer, bool skip_special, Reader* reader) {
  std::vector<int32_t> ids(reader->number());
  for (int32_t& id : ids) id = static_cast<int32_t>(reader->number());
  const std::string text = tokenizer.decode(ids, skip_special);
  put(static_cast<uint32_t>(text.size()));
  std::fwrite(text.data(), 1, text.size(), stdout);
}

// Ends the program where encode_ids does not make the same ids, the first time or the second.
void check_ids(const Tokenizer& tokenizer, std::string_view text, const EncodeOptions& options,
               const Encoding& encoding) {
  std::vector<int32_t> ids;
  for (int time = 0; time < 2; ++time) {
    const bool truncated = tokenizer.encode_ids(text, options, &ids);
    if (ids == encoding.ids && truncated == encoding.truncated) continue;
    std::cerr << "encode_ids and encode differ: " << text << "\n";
    std::exit(1);
  }
}

// Runs all commands; prints nothing if `quiet`. Returns the number of tokens made.
size_t run(const Tokenizer& tokenizer, std::string_view commands, bool quiet) {
  Encoding encoding;
  size_t tokens = 0;
  for (Reader reader(commands); !reader.done();) {
    const uint32_t kind = reader.number();
    EncodeOptions options;
    options.max_length = static_cast<int32_t>(reader.number());
    const uint32_t flags = reader.number();
    options.add_special_tokens = (flags & 1) != 0;
    options.truncation_side = (flags & 2) != 0 ? TruncationSide::kLeft : TruncationSide::kRight;
    options.literal_special_tokens = (flags & 4) != 0;
    if (kind == 2) {
      decode(tokenizer, (flags & 1) == 0, &reader);
      continue;
    }
    const std::string_view first = reader.text();
    if (kind == 1) {
      tokenizer.encode_pair(first, reader.text(), options, &encoding);
    } else {
      tokenizer.encode(first, options, &encoding);
      if (!quiet) check_ids(tokenizer, first, options, encoding);
    }
    tokens += encoding.ids.size();
    if (!quiet) put(encoding);
  }
  return tokens;
}

}  // namespace

int main(int argc, char** argv) {
  const bool timed = argc == 3 && std::string_view(argv[1]) == "--time";
  if (argc != 2 && !timed) return 2;
  const auto tokenizer = Tokenizer::load(argv[argc - 1]);
  if (!tokenizer.ok()) {
    std::fprintf(stderr, "%s\n", tokenizer.status().ToString().c_str());
    return 1;
  }
  const std::string commands((std::istreambuf_iterator<char>(std::cin)), std::istreambuf_iterator<char>());
  if (!timed) {
    run(**tokenizer, commands, false);
    return 0;
  }
  for (int pass = 0; pass < 5; ++pass) {
    const std::clock_t start = std::clock();  // processor time: other programs do not count
    const size_t tokens = run(**tokenizer, commands, true);
    const double seconds = static_cast<double>(std::clock() - start) / CLOCKS_PER_SEC;
    std::printf("%zu tokens, %.1f ns a token\n", tokens, 1e9 * seconds / static_cast<double>(tokens));
  }
  return 0;
}
