// SPDX-License-Identifier: BSD-3-Clause
#include "io/vtk_array.hpp"

#include <fmt/format.h>

#include <algorithm>
#include <limits>
#include <utility>

#include "hgrid/core/names.hpp"
#include "io/fields.hpp"
#include "io/printable.hpp"
#include "io/xml_reader.hpp"

namespace hgrid::io {
VtkArray::VtkArray(VtkForm form, const VtkEncoding& encoding, const VtkType& type, std::int64_t count, Sink sink,
                   std::function<void(const std::string&)> fail)
    : form_(form),
      encoding_(encoding),
      type_(type),
      count_(count),
      sink_(std::move(sink)),
      fail_(std::move(fail)),
      blocks_(
          encoding, count * type.size, [this](std::string_view bytes) { take_bytes(bytes); }, fail_) {}

void VtkArray::take(std::string_view& text) {
  if (form_ == VtkForm::ascii) return take_words(std::exchange(text, {}));
  if (form_ == VtkForm::raw) {
    while (!text.empty() && blocks_.missing() > 0) {
      const std::string_view some = text.substr(0, static_cast<std::size_t>(blocks_.missing()));
      text.remove_prefix(some.size());
      blocks_.take(some);
    }
    return;
  }
  while (!text.empty() && blocks_.missing() > 0) {
    static constexpr std::int64_t most = 1 << 15;
    decoded_.clear();
    if (!base64_.decode(text, decoded_, static_cast<std::size_t>(std::min(blocks_.missing(), most)))) {
      fail_(fmt::format("'{}' is not base64", printable(text.substr(0, 1))));
    }
    blocks_.take(decoded_);
  }
}

bool VtkArray::is_complete() const { return form_ == VtkForm::ascii ? done_ == count_ : blocks_.missing() == 0; }

void VtkArray::require_end(std::string_view rest) const {
  const bool over = std::ranges::any_of(rest, [](char c) { return !is_xml_blank(c) && c != '='; });
  if (over && count_ > 0) fail_(fmt::format("it has more than its {}", detail::counted(count_, "value")));
}

void VtkArray::finish() {
  if (form_ == VtkForm::ascii) take_words(" ");
  if (!is_complete()) fail_(fmt::format("it ends after {} of its {}", done_, detail::counted(count_, "value")));
}

void VtkArray::take_words(std::string_view text) {
  static constexpr std::size_t longest = 4096;
  values_.clear();
  const char* at = text.data();
  const char* const end = at + text.size();
  while (at != end) {
    const char* const begin = at;
    while (at != end && !is_xml_blank(*at)) ++at;
    const auto size = static_cast<std::size_t>(at - begin);
    if (partial_.size() + size > longest) fail_(fmt::format("a word of more than {} bytes", longest));
    if (!partial_.empty() || at == end) partial_.append(begin, size);
    if (at == end) break;
    if (!partial_.empty()) {
      take_word(partial_);
      partial_.clear();
    } else if (size > 0) {
      take_word({begin, size});
    }
    ++at;
  }
  if (!values_.empty()) sink_(values_);
}

void VtkArray::take_word(std::string_view word) {
  double value = 0;
  const Number fault = parse_number(word, value);
  if (done_ == count_) fail_(fmt::format("it has more than its {}", detail::counted(count_, "value")));
  if (fault == Number::malformed) fail_(fmt::format("'{}' {}", printable(word), reason(fault)));
  values_.push_back(fault == Number::good ? value : std::numeric_limits<double>::infinity());
  ++done_;
}

void VtkArray::put(const char* bytes, std::size_t count) {
  values_.resize(count);
  vtk_numbers(type_, reinterpret_cast<const unsigned char*>(bytes), encoding_.big_endian, values_);
  sink_(values_);
  done_ += static_cast<std::int64_t>(count);
}

void VtkArray::take_bytes(std::string_view bytes) {
  const auto size = static_cast<std::size_t>(type_.size);
  if (!partial_.empty()) {
    const std::string_view some = bytes.substr(0, size - partial_.size());
    partial_ += some;
    bytes.remove_prefix(some.size());
    if (partial_.size() < size) return;
    put(partial_.data(), 1);
  }
  const std::size_t whole = bytes.size() / size;
  if (whole > 0) put(bytes.data(), whole);
  partial_ = bytes.substr(whole * size);
}

}  // namespace hgrid::io
