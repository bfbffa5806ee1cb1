// The module bouquet_tokenizer._native: Tokenizer and Encoding for Python.
//
// Texts come as str, ids go out as NumPy arrays of int32. The GIL is released while text is tokenized. All objects are
// immutable, so they are safe to share between threads, with a GIL or without.
#define NPY_NO_DEPRECATED_API NPY_2_0_API_VERSION
#include <nanobind/nanobind.h>
#include <nanobind/stl/optional.h>
#include <nanobind/stl/string.h>
#include <nanobind/stl/string_view.h>
#include <nanobind/stl/vector.h>
#include <numpy/arrayobject.h>

#include <algorithm>
#include <cstring>
#include <thread>

#include "thread_pool.h"
#include "tokenizer/tokenizer.h"

namespace nb = nanobind;

namespace bouquet::tokenizer {
namespace {

// Bytes of text for which it pays to wake another thread.
constexpr size_t kBytesPerThread = 16 << 10;

// Options as they come from Python.
EncodeOptions options_of(bool add_special_tokens, std::optional<int32_t> max_length, std::string_view truncation_side,
                         bool literal_special_tokens) {
  if (max_length && *max_length <= 0) throw nb::value_error("max_length must be at least 1");
  if (truncation_side != "right" && truncation_side != "left") {
    throw nb::value_error("truncation_side must be 'right' or 'left'");
  }
  return {.add_special_tokens = add_special_tokens,
          .max_length = max_length.value_or(0),
          .truncation_side = truncation_side == "left" ? TruncationSide::kLeft : TruncationSide::kRight,
          .literal_special_tokens = literal_special_tokens};
}

// A new array of the numbers, of NumPy's type `type`.
template <typename T>
nb::object array_of(std::span<const T> numbers, int type) {
  npy_intp size = static_cast<npy_intp>(numbers.size());
  PyObject* const array = PyArray_SimpleNew(1, &size, type);
  if (array == nullptr) throw nb::python_error();
  std::memcpy(PyArray_DATA(reinterpret_cast<PyArrayObject*>(array)), numbers.data(), numbers.size_bytes());
  return nb::steal(array);
}

// The UTF-8 of a str, which keeps it.
std::string_view utf8_of(nb::handle text) {
  Py_ssize_t size = 0;
  const char* const bytes = PyUnicode_AsUTF8AndSize(text.ptr(), &size);  // fails for what is no str, and for surrogates
  if (bytes == nullptr) throw nb::python_error();
  return {bytes, static_cast<size_t>(size)};
}

nb::object encode(const Tokenizer& tokenizer, nb::str text, bool add_special_tokens, std::optional<int32_t> max_length,
                  std::string_view truncation_side, bool literal_special_tokens) {
  thread_local std::vector<int32_t> ids;
  const EncodeOptions options = options_of(add_special_tokens, max_length, truncation_side, literal_special_tokens);
  const std::string_view bytes = utf8_of(text);
  {
    const nb::gil_scoped_release released;
    tokenizer.encode_ids(bytes, options, &ids);
  }
  return array_of<int32_t>(ids, NPY_INT32);
}

nb::list encode_batch(const Tokenizer& tokenizer, nb::sequence texts, bool add_special_tokens,
                      std::optional<int32_t> max_length, std::string_view truncation_side, bool literal_special_tokens,
                      size_t threads) {
  const EncodeOptions options = options_of(add_special_tokens, max_length, truncation_side, literal_special_tokens);
  const nb::list held(texts);  // so that no text goes while others are tokenized
  std::vector<std::string_view> views;
  size_t bytes = 0;
  for (nb::handle text : held) {
    views.push_back(utf8_of(text));
    bytes += views.back().size();
  }
  if (threads == 0) threads = std::max(1u, std::thread::hardware_concurrency());
  threads = std::min({threads, views.size(), 1 + bytes / kBytesPerThread});
  std::vector<std::vector<int32_t>> ids(views.size());
  {
    const nb::gil_scoped_release released;
    ThreadPool::shared().run(threads, views.size(),
                             [&](size_t i) { tokenizer.encode_ids(views[i], options, &ids[i]); });
  }
  nb::list result;
  for (const auto& one : ids) result.append(array_of<int32_t>(one, NPY_INT32));
  return result;
}

// Bytes -> characters, in place: offsets as Python counts them.
void count_characters(std::string_view text, std::span<Offset> offsets) {
  std::vector<uint32_t> character_of(text.size() + 1);  // ... that begins at or holds a byte
  uint32_t count = 0;
  for (size_t i = 0; i < text.size(); ++i) {
    count += (static_cast<unsigned char>(text[i]) & 0xC0) != 0x80;
    character_of[i] = count - 1;
  }
  character_of[text.size()] = count;
  for (Offset& offset : offsets) offset = {character_of[offset.begin], character_of[offset.end]};
}

void count_characters(std::string_view first, std::string_view second, Encoding* encoding) {
  const std::span<Offset> all = encoding->offsets;
  count_characters(second, all.subspan(encoding->second_begin, encoding->second_end - encoding->second_begin));
  count_characters(first, all.first(encoding->second_begin));
  count_characters(first, all.subspan(encoding->second_end));
}

// What encode_full returns.
struct FullEncoding {
  nb::object ids, type_ids, offsets, special_tokens_mask;
  bool truncated;
};

FullEncoding to_python(const Encoding& encoding) {
  npy_intp shape[2] = {static_cast<npy_intp>(encoding.offsets.size()), 2};
  PyObject* const offsets = PyArray_SimpleNew(2, shape, NPY_UINT32);
  if (offsets == nullptr) throw nb::python_error();
  std::memcpy(PyArray_DATA(reinterpret_cast<PyArrayObject*>(offsets)), encoding.offsets.data(),
              encoding.offsets.size() * sizeof(Offset));
  return {array_of<int32_t>(encoding.ids, NPY_INT32), array_of<uint8_t>(encoding.type_ids, NPY_UINT8),
          nb::steal(offsets), array_of<uint8_t>(encoding.special, NPY_UINT8), encoding.truncated};
}

FullEncoding encode_full(const Tokenizer& tokenizer, nb::str text, std::optional<nb::str> pair, bool add_special_tokens,
                         std::optional<int32_t> max_length, std::string_view truncation_side,
                         bool literal_special_tokens) {
  const EncodeOptions options = options_of(add_special_tokens, max_length, truncation_side, literal_special_tokens);
  const std::string_view first = utf8_of(text), second = pair ? utf8_of(*pair) : std::string_view();
  Encoding encoding;
  {
    const nb::gil_scoped_release released;
    if (pair) {
      tokenizer.encode_pair(first, second, options, &encoding);
    } else {
      tokenizer.encode(first, options, &encoding);
    }
    count_characters(first, second, &encoding);
  }
  return to_python(encoding);
}

nb::str decode(const Tokenizer& tokenizer, const std::vector<int32_t>& ids, bool skip_special_tokens) {
  const std::string text = tokenizer.decode(ids, skip_special_tokens);
  return nb::steal<nb::str>(PyUnicode_DecodeUTF8(text.data(), static_cast<Py_ssize_t>(text.size()), "replace"));
}

// Python becomes the owner.
const Tokenizer* loaded(absl::StatusOr<std::unique_ptr<const Tokenizer>> made) {
  if (made.ok()) return made->release();
  throw nb::value_error(std::string(made.status().message()).c_str());
}

constexpr const char* kEncodeDoc =
    "The text's token ids as a NumPy array of int32.\n\nmax_length counts special tokens too; what is past it is not "
    "even read. literal_special_tokens takes special tokens typed in the text ('[SEP]') as ordinary text.";
constexpr const char* kEncodeBatchDoc =
    "A list of one array of ids a text, in order. threads: 0 for as many as there are processors; few texts take "
    "fewer.";
constexpr const char* kEncodeFullDoc =
    "An Encoding of the text, or of a pair: ids, type ids, offsets (in characters, one row [begin, end) a token), "
    "special "
    "tokens mask, and whether max_length cut something off.";

}  // namespace
}  // namespace bouquet::tokenizer

NB_MODULE(_native, module) {
  using namespace nb::literals;
  using namespace bouquet::tokenizer;
  if (PyArray_ImportNumPyAPI() < 0) throw nb::python_error();

  nb::class_<FullEncoding>(module, "Encoding")
      .def_ro("ids", &FullEncoding::ids)
      .def_ro("type_ids", &FullEncoding::type_ids)
      .def_ro("offsets", &FullEncoding::offsets)
      .def_ro("special_tokens_mask", &FullEncoding::special_tokens_mask)
      .def_ro("truncated", &FullEncoding::truncated)
      .def("__len__", [](const FullEncoding& encoding) { return nb::len(encoding.ids); });

  nb::class_<Tokenizer>(module, "Tokenizer")
      .def_static(
          "from_file", [](const std::string& path) { return loaded(Tokenizer::load(path)); }, "path"_a,
          "Loads a tokenizer.json. ValueError where it is broken or has a component that is not supported, naming it.")
      .def_static(
          "from_str", [](std::string_view json) { return loaded(Tokenizer::from_json(json)); }, "json"_a,
          "As from_file, from the file's content.")
      .def("encode", &encode, "text"_a, nb::kw_only(), "add_special_tokens"_a = true, "max_length"_a = nb::none(),
           "truncation_side"_a = "right", "literal_special_tokens"_a = false, kEncodeDoc)
      .def("encode_batch", &encode_batch, "texts"_a, nb::kw_only(), "add_special_tokens"_a = true,
           "max_length"_a = nb::none(), "truncation_side"_a = "right", "literal_special_tokens"_a = false,
           "threads"_a = 0, kEncodeBatchDoc)
      .def("encode_full", &encode_full, "text"_a, "pair"_a = nb::none(), nb::kw_only(), "add_special_tokens"_a = true,
           "max_length"_a = nb::none(), "truncation_side"_a = "right", "literal_special_tokens"_a = false,
           kEncodeFullDoc)
      .def("decode", &decode, "ids"_a, nb::kw_only(), "skip_special_tokens"_a = true, "The text that ids stand for.")
      .def("token_to_id", &Tokenizer::token_to_id, "token"_a)
      .def(
          "id_to_token",
          [](const Tokenizer& tokenizer, int32_t id) -> std::optional<std::string> {
            const std::string_view token = tokenizer.id_to_token(id);
            if (token.empty()) return std::nullopt;
            return std::string(token);
          },
          "id"_a)
      .def_prop_ro("vocab_size", &Tokenizer::vocab_size, "Ids are below it.")
      .def_prop_ro("fingerprint", &Tokenizer::fingerprint, "Equal fingerprints give equal ids.");
}
