// SPDX-License-Identifier: BSD-3-Clause
#include "io/fields.hpp"

#include <algorithm>
#include <charconv>
#include <cmath>
#include <string>
#include <system_error>

namespace hgrid::io {
namespace {

bool is_blank(char c) { return c == ' ' || c == '\t' || c == '\r' || c == '\v' || c == '\f'; }

/// Returns whether a number is too small; from_chars reports too small and too large numbers alike. A number is too small if
/// its first significant digit, moved by the exponent, is after the point.
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

namespace {

/// Returns the length of the quoted field at the front of a text, including both quotes; 0 if there is none. The delimiter, a
/// blank or the end must follow, so a quote within a word has no meaning.
std::size_t quoted_length(std::string_view text, char delimiter) {
  if (text.empty() || text.front() != '"') return 0;
  const std::size_t close = text.find('"', 1);
  if (close == std::string_view::npos) return 0;
  const bool ends = close + 1 == text.size() || text[close + 1] == delimiter || is_blank(text[close + 1]);
  return ends ? close + 1 : 0;
}

bool has_quotes(std::string_view line) { return line.find('"') != std::string_view::npos; }

/// Returns the place of the first delimiter outside quotes. `quotes`: the line has quotes.
std::size_t find_delimiter(std::string_view line, char delimiter, bool quotes) {
  if (!quotes) return line.find(delimiter);
  bool begins = true;  // of a field, which may have quotes
  for (std::size_t k = 0; k < line.size(); ++k) {
    const std::size_t quoted = begins ? quoted_length(line.substr(k), delimiter) : 0;
    k += quoted;
    if (k < line.size() && line[k] == delimiter) return k;
    begins = k < line.size() && is_blank(line[k]);
  }
  return std::string_view::npos;
}

std::string_view unquoted(std::string_view field, char delimiter) {
  const std::size_t length = quoted_length(field, delimiter);
  return length > 0 && length == field.size() ? trim(field.substr(1, length - 2)) : field;
}

}  // namespace

char delimiter_of(std::string_view line) {
  const bool quotes = has_quotes(line);
  for (const char delimiter : {';', ','}) {
    if (find_delimiter(line, delimiter, quotes) != std::string_view::npos) return delimiter;
  }
  return ' ';
}

void split_fields(std::string_view line, char delimiter, std::vector<std::string_view>& fields) {
  fields.clear();
  if (delimiter != ' ') {
    const bool quotes = has_quotes(line);
    while (true) {
      const std::size_t end = find_delimiter(line, delimiter, quotes);
      fields.push_back(unquoted(trim(line.substr(0, end)), delimiter));
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
    if (*at == '"') at += quoted_length({at, static_cast<std::size_t>(end - at)}, ' ');
    while (at != end && !is_blank(*at)) ++at;
    fields.push_back(unquoted({begin, static_cast<std::size_t>(at - begin)}, ' '));
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

namespace {

/// Returns a Fortran number, whose exponent has the letter D, with an E; empty if the text is no such number.
std::string of_fortran(std::string_view text) {
  const std::size_t letter = text.find_first_of("dD");
  if (letter == std::string_view::npos || letter == 0 || letter + 1 == text.size() || text.size() > 64) return {};
  if (text.find_first_not_of("0123456789.+-", 0) != letter) return {};
  std::string number(text);
  number[letter] = 'e';
  return number;
}

}  // namespace

Number parse_number(std::string_view text, double& value) {
  if (text.size() > 1 && text[0] == '+' && text[1] != '-') text.remove_prefix(1);
  double parsed = 0;
  const auto [end, error] = std::from_chars(text.data(), text.data() + text.size(), parsed);
  if (error == std::errc::invalid_argument || end != text.data() + text.size()) {
    const std::string number = of_fortran(text);
    return number.empty() ? Number::malformed : parse_number(number, value);
  }
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
