// SPDX-License-Identifier: BSD-3-Clause
#include "io/fields.hpp"

#include <algorithm>
#include <charconv>
#include <cmath>
#include <system_error>

namespace hgrid::io {
namespace {

bool is_blank(char c) { return c == ' ' || c == '\t' || c == '\r' || c == '\v' || c == '\f'; }

/// from_chars calls numbers too small and too large alike. A number is too small if its first significant
/// digit, moved by the exponent, stands behind the point.
bool is_underflow(std::string_view text) {
  const std::size_t exponent_at = text.find_first_of("eE");
  const std::string_view mantissa = text.substr(0, exponent_at);
  const std::size_t digit = mantissa.find_first_of("123456789");
  if (digit == std::string_view::npos) return true;
  const std::size_t point = std::min(mantissa.find('.'), mantissa.size());
  std::int64_t exponent = 0;
  if (exponent_at != std::string_view::npos) {
    std::string_view digits = text.substr(exponent_at + 1);
    const bool negative = digits.front() == '-';
    if (digits.front() == '+') digits.remove_prefix(1);
    const auto result = std::from_chars(digits.data(), digits.data() + digits.size(), exponent);
    if (result.ec == std::errc::result_out_of_range) return negative;
    exponent = std::clamp<std::int64_t>(exponent, -(std::int64_t{1} << 40), std::int64_t{1} << 40);
  }
  return exponent + static_cast<std::int64_t>(point) - static_cast<std::int64_t>(digit) < 0;
}

}  // namespace

std::string_view trim(std::string_view text) {
  while (!text.empty() && is_blank(text.front())) text.remove_prefix(1);
  while (!text.empty() && is_blank(text.back())) text.remove_suffix(1);
  return text;
}

char delimiter_of(std::string_view line) {
  for (const char delimiter : {';', ','}) {
    if (line.find(delimiter) != std::string_view::npos) return delimiter;
  }
  return ' ';
}

void split_fields(std::string_view line, char delimiter, std::vector<std::string_view>& fields) {
  fields.clear();
  if (delimiter != ' ') {
    while (true) {
      const std::size_t end = line.find(delimiter);
      fields.push_back(trim(line.substr(0, end)));
      if (end == std::string_view::npos) return;
      line.remove_prefix(end + 1);
    }
  }
  const char* at = line.data();
  const char* const end = at + line.size();
  while (true) {
    while (at != end && is_blank(*at)) ++at;
    if (at == end) return;
    const char* const begin = at;
    while (at != end && !is_blank(*at)) ++at;
    fields.emplace_back(begin, static_cast<std::size_t>(at - begin));
  }
}

const char* reason(Number fault) {
  switch (fault) {
    case Number::not_finite:
      return "is not finite";
    case Number::overflow:
      return "is too large for a double";
    default:
      return "is not a number";
  }
}

Number parse_number(std::string_view text, double& value) {
  if (text.size() > 1 && text[0] == '+' && text[1] != '-') text.remove_prefix(1);
  double parsed = 0;
  const auto [end, error] = std::from_chars(text.data(), text.data() + text.size(), parsed);
  if (error == std::errc::invalid_argument || end != text.data() + text.size()) return Number::malformed;
  if (error == std::errc::result_out_of_range) {
    if (!is_underflow(text)) return Number::overflow;
    parsed = 0;
  }
  if (!std::isfinite(parsed)) return Number::not_finite;
  value = parsed;
  return Number::good;
}

bool parse_count(std::string_view text, std::int64_t& count) {
  const auto [end, error] = std::from_chars(text.data(), text.data() + text.size(), count);
  return error == std::errc{} && end == text.data() + text.size() && count >= 0;
}

}  // namespace hgrid::io
