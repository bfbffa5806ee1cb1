// The opcodes: each takes what follows it in the bytes and does one thing to the stack.
#include "rose/weights/pickle.h"

#include <algorithm>
#include <cstring>
#include <optional>
#include <string>
#include <utility>

#include "absl/strings/escaping.h"
#include "base/status.h"
#include "fmt/format.h"
#include "rose/weights/byte_reader.h"
#include "rose/weights/pickle_stack.h"

namespace bouquet::rose {
namespace {

constexpr size_t kMaxLine = 256;     // bytes of a global's module or name
constexpr size_t kShownBytes = 200;  // of a name in an error

absl::Status cut_short() { return absl::InvalidArgumentError("is cut short"); }

class Machine {
 public:
  Machine(std::span<const std::byte> bytes, std::span<const std::string_view> allowed)
      : in_(bytes), allowed_(allowed) {}
  absl::StatusOr<Pickle> run();

 private:
  absl::Status step(char op);
  absl::Status step_of_later_protocols(char op);
  absl::Status add_to_mark(PickleKind kind);
  absl::Status add(PickleKind kind, size_t count);
  absl::Status tuple(size_t count);
  absl::Status tuple_to_mark();
  absl::Status long_integer();
  absl::Status global();
  absl::Status stack_global();
  absl::Status push_global(std::string_view module, std::string_view name);
  absl::Status skip(size_t count) { return in_.take_bytes(count) ? absl::OkStatus() : cut_short(); }

  template <class Number>
  absl::Status integer() {
    const auto number = in_.take_number<Number>();
    return number ? stack_.push({.kind = PickleKind::kInt, .integer = *number}) : cut_short();
  }
  template <class Length>
  absl::Status text() {
    const auto length = in_.take_number<Length>();
    const auto text = length ? in_.take_text(*length) : std::nullopt;
    return text ? stack_.push({.kind = PickleKind::kText, .text = *text}) : cut_short();
  }
  template <class Index>
  absl::Status remember() {
    const auto index = in_.take_number<Index>();
    return index ? stack_.remember(*index) : cut_short();
  }
  template <class Index>
  absl::Status recall() {
    const auto index = in_.take_number<Index>();
    return index ? stack_.recall(*index) : cut_short();
  }

  ByteReader in_;
  const std::span<const std::string_view> allowed_;
  PickleStack stack_;
};

absl::Status Machine::add(PickleKind kind, size_t count) {
  ASSIGN_OR_RETURN(const std::vector<uint32_t> items, stack_.pop(count));
  return stack_.add(kind, items);
}

absl::Status Machine::add_to_mark(PickleKind kind) {
  ASSIGN_OR_RETURN(const std::vector<uint32_t> items, stack_.pop_to_mark());
  return stack_.add(kind, items);
}

absl::Status Machine::tuple(size_t count) {
  ASSIGN_OR_RETURN(std::vector<uint32_t> items, stack_.pop(count));
  return stack_.push_tuple(std::move(items));
}

absl::Status Machine::tuple_to_mark() {
  ASSIGN_OR_RETURN(std::vector<uint32_t> items, stack_.pop_to_mark());
  return stack_.push_tuple(std::move(items));
}

// Little-endian two's complement of any length.
absl::Status Machine::long_integer() {
  const auto size = in_.take_number<uint8_t>();
  const auto bytes = size ? in_.take_text(*size) : std::nullopt;
  if (!bytes) return cut_short();
  if (bytes->size() > sizeof(int64_t)) return stack_.push({.kind = PickleKind::kLong, .text = *bytes});
  int64_t number = !bytes->empty() && (bytes->back() & 0x80) ? -1 : 0;
  std::memcpy(&number, bytes->data(), bytes->size());
  return stack_.push({.kind = PickleKind::kInt, .integer = number});
}

absl::Status Machine::push_global(std::string_view module, std::string_view name) {
  const std::string full = fmt::format("{}.{}", module, name);
  const auto found = std::find(allowed_.begin(), allowed_.end(), full);
  if (found != allowed_.end()) return stack_.push({.kind = PickleKind::kGlobal, .text = *found});
  if (full == PickleStack::kOrderedDict) {
    return stack_.push({.kind = PickleKind::kGlobal, .text = PickleStack::kOrderedDict});
  }
  return absl::InvalidArgumentError(
      fmt::format("global {} is not allowed", absl::CHexEscape(full.substr(0, kShownBytes))));
}

absl::Status Machine::global() {
  const auto module = in_.take_line(kMaxLine);
  const auto name = module ? in_.take_line(kMaxLine) : std::nullopt;
  return name ? push_global(*module, *name) : cut_short();
}

absl::Status Machine::stack_global() {
  ASSIGN_OR_RETURN(const std::vector<uint32_t> both, stack_.pop(2));
  const PickleValue &module = stack_.value(both[0]), &name = stack_.value(both[1]);
  if (module.kind != PickleKind::kText || name.kind != PickleKind::kText) {
    return absl::InvalidArgumentError("has a global without a name");
  }
  return push_global(module.text, name.text);
}

// Beside each, its name in Python's pickletools.
absl::Status Machine::step(char op) {
  switch (op) {
    case '(':  // MARK
      return stack_.open_mark();
    case 'N':  // NONE
      return stack_.push({});
    case 'J':  // BININT
      return integer<int32_t>();
    case 'K':  // BININT1
      return integer<uint8_t>();
    case 'M':  // BININT2
      return integer<uint16_t>();
    case 'U':  // SHORT_BINSTRING
      return text<uint8_t>();
    case 'T':  // BINSTRING
    case 'X':  // BINUNICODE
      return text<uint32_t>();
    case ')':  // EMPTY_TUPLE
      return stack_.push_tuple({});
    case ']':  // EMPTY_LIST
      return stack_.push({.kind = PickleKind::kList});
    case '}':  // EMPTY_DICT
      return stack_.push({.kind = PickleKind::kDict});
    case 't':  // TUPLE
      return tuple_to_mark();
    case 'a':  // APPEND
      return add(PickleKind::kList, 1);
    case 'e':  // APPENDS
      return add_to_mark(PickleKind::kList);
    case 's':  // SETITEM
      return add(PickleKind::kDict, 2);
    case 'u':  // SETITEMS
      return add_to_mark(PickleKind::kDict);
    case 'q':  // BINPUT
      return remember<uint8_t>();
    case 'r':  // LONG_BINPUT
      return remember<uint32_t>();
    case 'h':  // BINGET
      return recall<uint8_t>();
    case 'j':  // LONG_BINGET
      return recall<uint32_t>();
    case 'c':  // GLOBAL
      return global();
    case 'R':  // REDUCE
      return stack_.call();
    case 'b':  // BUILD
      return stack_.set_state();
    case 'Q':  // BINPERSID
      return stack_.persistent();
    default:
      return step_of_later_protocols(op);
  }
}

absl::Status Machine::step_of_later_protocols(char op) {
  switch (static_cast<uint8_t>(op)) {
    case 0x80:  // PROTO
      return skip(1);
    case 0x95:  // FRAME
      return skip(8);
    case 0x85:  // TUPLE1
      return tuple(1);
    case 0x86:  // TUPLE2
      return tuple(2);
    case 0x87:  // TUPLE3
      return tuple(3);
    case 0x88:  // NEWTRUE
      return stack_.push({.kind = PickleKind::kBool, .integer = 1});
    case 0x89:  // NEWFALSE
      return stack_.push({.kind = PickleKind::kBool, .integer = 0});
    case 0x8a:  // LONG1
      return long_integer();
    case 0x8c:  // SHORT_BINUNICODE
      return text<uint8_t>();
    case 0x93:  // STACK_GLOBAL
      return stack_global();
    case 0x94:  // MEMOIZE
      return stack_.remember_next();
    default:
      return absl::InvalidArgumentError(fmt::format("opcode 0x{:02x} is not allowed", static_cast<uint8_t>(op)));
  }
}

absl::StatusOr<Pickle> Machine::run() {
  constexpr char kStop = '.';
  for (;;) {
    const size_t at = in_.at();
    const auto op = in_.take_number<char>();
    const absl::Status status = !op ? cut_short() : *op == kStop ? absl::OkStatus() : step(*op);
    if (!status.ok()) {
      return absl::InvalidArgumentError(fmt::format("pickle {} (byte {})", std::string(status.message()), at));
    }
    if (*op == kStop) break;
  }
  absl::StatusOr<Pickle> pickle = std::move(stack_).finish();
  if (!pickle.ok()) return absl::InvalidArgumentError(fmt::format("pickle {}", std::string(pickle.status().message())));
  pickle->size = in_.at();
  return pickle;
}

}  // namespace

absl::StatusOr<Pickle> read_pickle(std::span<const std::byte> bytes,
                                   std::span<const std::string_view> allowed_globals) {
  return Machine(bytes, allowed_globals).run();
}

}  // namespace bouquet::rose
