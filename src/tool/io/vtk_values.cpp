// SPDX-License-Identifier: BSD-3-Clause
#include "io/vtk_values.hpp"

#include <fmt/format.h>

#include <algorithm>
#include <array>
#include <bit>
#include <charconv>
#include <iterator>
#include <limits>
#include <utility>

#include "hgrid/core/error.hpp"
#include "io/fields.hpp"
#include "io/line_reader.hpp"
#include "io/npy_header.hpp"
#include "io/printable.hpp"

namespace hgrid::io {

std::optional<VtkType> vtk_type_of(std::string_view name) {
  static constexpr struct {
    std::string_view name;
    VtkType type;
  } types[] = {
      {"double", {VtkType::real, 8}},
      {"float", {VtkType::real, 4}},
      {"long", {VtkType::whole, 8}},
      {"unsigned_long", {VtkType::natural, 8}},
      {"int", {VtkType::whole, 4}},
      {"unsigned_int", {VtkType::natural, 4}},
      {"short", {VtkType::whole, 2}},
      {"unsigned_short", {VtkType::natural, 2}},
      {"char", {VtkType::whole, 1}},
      {"signed_char", {VtkType::whole, 1}},
      {"unsigned_char", {VtkType::natural, 1}},
      {"bit", {VtkType::bit, 1}},
      {"vtkidtype", {VtkType::whole, 4}},  // whatever its size in memory
      {"vtktypeint64", {VtkType::whole, 8}},
      {"vtktypeuint64", {VtkType::natural, 8}},
  };
  std::string key(name);
  std::ranges::transform(key, key.begin(), [](char c) { return c >= 'A' && c <= 'Z' ? static_cast<char>(c - 'A' + 'a') : c; });
  const auto at = std::ranges::find_if(types, [&](const auto& each) { return each.name == key; });
  return at == std::end(types) ? std::nullopt : std::optional(at->type);
}

std::string vtk_name_of(std::string_view encoded) {
  std::string name;
  for (std::size_t k = 0; k < encoded.size(); ++k) {
    unsigned char code = 0;
    const std::string_view digits = encoded.substr(k + 1, 2);
    const bool coded = encoded[k] == '%' && digits.size() == 2 &&
                       std::from_chars(digits.data(), digits.data() + 2, code, 16).ptr == digits.data() + 2;
    name += coded ? static_cast<char>(code) : encoded[k];
    k += coded ? 2 : 0;
  }
  return name;
}

std::optional<VtkType> vtk_xml_type_of(std::string_view name) {
  static constexpr std::pair<std::string_view, VtkType::Kind> kinds[] = {
      {"Float", VtkType::real}, {"Int", VtkType::whole}, {"UInt", VtkType::natural}};
  for (const auto& [begin, kind] : kinds) {
    std::int64_t bits;
    if (!name.starts_with(begin) || !parse_count(name.substr(begin.size()), bits)) continue;
    const bool known = bits == 64 || bits == 32 || (kind != VtkType::real && (bits == 16 || bits == 8));
    if (known) return VtkType{kind, static_cast<int>(bits / 8)};
  }
  return std::nullopt;
}

namespace {

static_assert(std::endian::native == std::endian::little, "the lowest byte stands first");

template <class T>
T loaded(const unsigned char* bytes, bool big_endian) {
  std::array<unsigned char, sizeof(T)> in_order;
  std::copy_n(bytes, sizeof(T), in_order.begin());
  if (big_endian) std::ranges::reverse(in_order);
  return std::bit_cast<T>(in_order);
}

}  // namespace

void vtk_numbers(const VtkType& type, const unsigned char* bytes, bool big_endian, std::span<double> numbers) {
  const auto load = [&]<class T>(T) {
    if (sizeof(T) > 1 && big_endian) {
      for (std::size_t k = 0; k < numbers.size(); ++k) numbers[k] = static_cast<double>(loaded<T>(bytes + k * sizeof(T), true));
    } else {
      for (std::size_t k = 0; k < numbers.size(); ++k)
        numbers[k] = static_cast<double>(loaded<T>(bytes + k * sizeof(T), false));
    }
  };
  const auto load_either = [&]<class Whole, class Natural>(Whole, Natural) {
    type.kind == VtkType::natural ? load(Natural{}) : load(Whole{});
  };
  if (type.kind == VtkType::real) return type.size == 4 ? load(float{}) : load(double{});
  switch (type.size) {
    case 1:
      return load_either(std::int8_t{}, std::uint8_t{});
    case 2:
      return load_either(std::int16_t{}, std::uint16_t{});
    case 4:
      return load_either(std::int32_t{}, std::uint32_t{});
    default:
      return load_either(std::int64_t{}, std::uint64_t{});
  }
}

double vtk_number(const VtkType& type, const unsigned char* bytes, bool big_endian) {
  double number;
  vtk_numbers(type, bytes, big_endian, {&number, 1});
  return number;
}

double vtk_number_of_word(WordReader& words, std::string_view word, const std::string& of) {
  double value = 0;
  const Number fault = parse_number(word, value);
  if (fault == Number::good) return value;
  if (fault != Number::malformed) return std::numeric_limits<double>::infinity();
  fail_at_line(words.name(), words.number(), fmt::format("a value of {}: '{}' {}", of, printable(word), reason(fault)));
}

void fail_at_end(const WordReader& words, bool is_binary, const std::string& of, std::int64_t done, std::int64_t count) {
  const std::string why = fmt::format("the file ends after {} of the {} of {}", done, detail::counted(count, "value"), of);
  if (is_binary) fail_at_byte(words.name(), words.offset(), why);
  fail_at_line(words.name(), words.number(), why);
}

}  // namespace hgrid::io
