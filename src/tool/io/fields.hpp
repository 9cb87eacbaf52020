// SPDX-License-Identifier: BSD-3-Clause
// The words of a line. Parsing uses std::from_chars: no locale affects it.
#pragma once

#include <cstdint>
#include <string_view>
#include <vector>

namespace hgrid::io {

std::string_view trim(std::string_view text);

/// Returns the character between the fields of a line: ';' or ',' if there is one, or else ' ', any run of blanks and tabs. A
/// line with both is separated by ';': its commas may be decimal commas, which are not numbers here, but must not be separators
/// either. Fields in double quotes may hold delimiters.
char delimiter_of(std::string_view line);

/// Splits at the delimiter, trims each field and removes the double quotes around it.
void split_fields(std::string_view line, char delimiter, std::vector<std::string_view>& fields);

enum class Number { good, malformed, not_finite, overflow };

/// Returns the fault of a number, for a message.
const char* reason(Number fault);

/// Parses a decimal number, one leading '+' allowed, with an exponent of E or, as in Fortran, D. Sets `value` only if it is
/// good. Underflow gives zero.
Number parse_number(std::string_view text, double& value);

/// Parses a count of a format: decimal digits, no sign, no exponent, below 2^63.
bool parse_count(std::string_view text, std::int64_t& count);

/// Returns whether a text reads as a number, even a bad one: "nan" in the first row must not pass for a column's name.
inline bool is_numeric(std::string_view text) {
  double value;
  return parse_number(text, value) != Number::malformed;
}

}  // namespace hgrid::io
