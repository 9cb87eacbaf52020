// SPDX-License-Identifier: BSD-3-Clause
#include "io/npy_header.hpp"

#include <fmt/format.h>

#include "hgrid/core/error.hpp"
#include "io/fields.hpp"
#include "io/printable.hpp"

namespace hgrid::io {
namespace {

std::string take(ByteSource& source, std::size_t count, const char* what) {
  std::string bytes(count, '\0');
  std::size_t got = 0;
  while (got < count) {
    const std::size_t more = source.read(std::span(bytes).subspan(got));
    if (more == 0) fail_at_byte(source.name(), source.offset(), fmt::format("the file ends within its {}", what));
    got += more;
  }
  return bytes;
}

/// Parses the dictionary that numpy writes: no nesting except a shape, or a list of fields.
class Dictionary {
 public:
  Dictionary(std::string_view text, std::string name, std::int64_t at) : text_(text), name_(std::move(name)), start_(at) {}

  NpyHeader parse() {
    expect('{');
    while (!accept('}')) {
      const std::string key = quoted();
      expect(':');
      if (key == "descr")
        descr();
      else if (key == "fortran_order")
        fortran_order();
      else if (key == "shape")
        shape();
      else
        fail(fmt::format("key '{}' is none of descr, fortran_order and shape", printable(key)));
      if (!accept(',') && peek() != '}') fail("expected ',' or '}'");
    }
    if (header_.dtype.empty() || !order_ || !shape_) fail("descr, fortran_order or shape is missing");
    return header_;
  }

 private:
  char peek() {
    while (at_ < text_.size() && (text_[at_] == ' ' || text_[at_] == '\n')) ++at_;
    return at_ < text_.size() ? text_[at_] : '\0';
  }
  bool accept(char c) {
    if (peek() != c || at_ >= text_.size()) return false;
    ++at_;
    return true;
  }
  void expect(char c) {
    if (!accept(c)) fail(fmt::format("expected '{}'", c));
  }
  std::string quoted() {
    const char quote = peek();
    if (quote != '\'' && quote != '"') fail("expected a quoted word");
    const std::size_t end = text_.find(quote, at_ + 1);
    if (end == text_.npos) fail("a quote is not closed");
    const std::string word(text_.substr(at_ + 1, end - at_ - 1));
    at_ = end + 1;
    return word;
  }
  void descr() {
    if (peek() == '[') fail("a structured dtype; expected numbers of one kind, '<f8' or '<f4', of shape N x 3 or N x 4");
    header_.dtype = quoted();
  }
  void fortran_order() {
    peek();
    const std::string_view rest = text_.substr(at_);
    header_.fortran_order = rest.starts_with("True");
    if (!header_.fortran_order && !rest.starts_with("False")) fail("fortran_order is neither True nor False");
    at_ += header_.fortran_order ? 4 : 5;
    order_ = true;
  }
  void shape() {
    expect('(');
    header_.shape.clear();
    while (!accept(')')) {
      peek();
      const std::size_t end = text_.find_first_not_of("0123456789", at_);
      const std::string_view digits = text_.substr(at_, end - at_);
      std::int64_t extent = 0;
      if (!parse_count(digits, extent)) fail("expected an extent of the shape, an integer from 0 to 2^63 - 1");
      header_.shape.push_back(extent);
      at_ += digits.size();
      accept('L');  // for long integers of Python 2
      if (!accept(',') && peek() != ')') fail("expected ',' or ')'");
    }
    shape_ = true;
  }
  [[noreturn]] void fail(const std::string& reason) const {
    fail_at_byte(name_, start_ + static_cast<std::int64_t>(at_), ".npy header: " + reason);
  }

  std::string_view text_;
  std::string name_;
  std::int64_t start_;
  std::size_t at_ = 0;
  NpyHeader header_;
  bool order_ = false, shape_ = false;
};

}  // namespace

void fail_at_byte(const std::string& name, std::int64_t byte, const std::string& reason) {
  Error::Detail detail;
  detail.argument = name;
  detail.index = byte;
  detail.count = 1;
  throw Error(ErrorCode::format, fmt::format("{}, byte {}: {}", name, byte, reason), detail);
}

NpyHeader read_npy_header(ByteSource& source) {
  const std::string magic = take(source, 8, "magic and version");
  if (!magic.starts_with(npy_magic)) {
    fail_at_byte(source.name(), 0, fmt::format("'{}' is not the magic of .npy", printable(magic.substr(0, 6))));
  }
  const int major = static_cast<unsigned char>(magic[6]), minor = static_cast<unsigned char>(magic[7]);
  if (major < 1 || major > 3 || minor != 0) {
    fail_at_byte(source.name(), 6, fmt::format(".npy version {}.{}; known are 1.0, 2.0 and 3.0", major, minor));
  }
  const std::string length_bytes = take(source, major == 1 ? 2 : 4, "header length");
  std::size_t length = 0;
  for (std::size_t k = length_bytes.size(); k-- > 0;) {
    length = length << 8 | static_cast<unsigned char>(length_bytes[k]);
  }
  static constexpr std::size_t longest = 1 << 16;  // real ones have some 100 bytes
  if (length > longest) fail_at_byte(source.name(), 8, fmt::format("a header of {} bytes", length));
  const std::int64_t start = source.offset();
  const std::string text = take(source, length, "header");
  return Dictionary(text, source.name(), start).parse();
}

std::string make_npy_header(std::string_view dtype, std::string_view shape) {
  std::string text = fmt::format("{{'descr': {}, 'fortran_order': False, 'shape': {}, }}", dtype, shape);
  static constexpr std::size_t before = 10, alignment = 64;
  const std::size_t unpadded = before + text.size() + 1;
  text.append((alignment - unpadded % alignment) % alignment, ' ');
  text += '\n';
  std::string head(npy_magic);
  head += {'\1', '\0', static_cast<char>(text.size() & 0xFF), static_cast<char>(text.size() >> 8)};
  return head + text;
}

}  // namespace hgrid::io
