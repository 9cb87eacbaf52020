// SPDX-License-Identifier: BSD-3-Clause
// The words of a line. Parsing is by std::from_chars: no locale has a say.
#pragma once

#include <cstdint>
#include <string_view>
#include <vector>

namespace hgrid::io {

std::string_view trim(std::string_view text);

/// The character between the fields of a line: ';' or ',' where there is one, else ' ', any run of blanks and tabs. A line with
/// both is separated by ';': its commas may be decimal ones, which are no numbers here, but must not be separators either.
/// Fields in double quotes may hold delimiters.
char delimiter_of(std::string_view line);

/// Splits at the delimiter, trims each field and takes the double quotes around it away.
void split_fields(std::string_view line, char delimiter, std::vector<std::string_view>& fields);

enum class Number { good, malformed, not_finite, overflow };

/// The fault of a number, as a message says it.
const char* reason(Number fault);

/// A decimal number, one leading '+' allowed, with an exponent of E or, as Fortran writes it, D; `value` is set only if good.
/// Underflow gives zero.
Number parse_number(std::string_view text, double& value);

/// A count as formats declare it: decimal digits, no sign, no exponent, below 2^63.
bool parse_count(std::string_view text, std::int64_t& count);

/// Whether it reads as a number, be it bad: "nan" in the first row must not pass for a column's name.
inline bool is_numeric(std::string_view text) {
  double value;
  return parse_number(text, value) != Number::malformed;
}

}  // namespace hgrid::io
