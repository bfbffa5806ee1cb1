// consumer TOKENIZER.JSON TEXT: prints the ids.
#include <bouquet/tokenizer.h>

#include <iostream>

int main(int argc, char** argv) {
  if (argc != 3) return 2;
  const auto tokenizer = bouquet::tokenizer::Tokenizer::load(argv[1]);
  if (!tokenizer.ok()) {
    std::cerr << tokenizer.status() << "\n";
    return 1;
  }
  std::vector<int32_t> ids;
  (*tokenizer)->encode_ids(argv[2], {.max_length = 512}, &ids);
  for (const int32_t id : ids) std::cout << id << " ";
}
