// SPDX-License-Identifier: BSD-3-Clause
// Options with structured values: after a line has been parsed they hold numbers, axes, or one of an enum's values. A value
// that is not given stays unchanged.
#pragma once

#include <CLI/CLI.hpp>
#include <array>
#include <cmath>
#include <functional>
#include <optional>
#include <string>
#include <type_traits>
#include <utility>
#include <vector>

#include "hgrid/core/names.hpp"
#include "hgrid/packing/radii.hpp"

namespace hgrid::tool {

/// Adds an option that takes a finite number of at least `least`. Numbers are written as in C, in any locale.
CLI::Option* add_number(CLI::App& command, const std::string& name, const std::string& help, double least,
                        const std::function<void(double)>& take);

/// Adds such an option for a variable, which may be a std::optional.
template <class Number>
CLI::Option* add_number(CLI::App& command, const std::string& name, Number& value, const std::string& help,
                        double least = -HUGE_VAL) {
  return add_number(command, name, help, least, [&value](double given) { value = given; });
}

/// Adds an option that takes up to 64 numbers, separated by commas.
CLI::Option* add_numbers(CLI::App& command, const std::string& name, std::vector<double>& values, const std::string& help,
                         double least = -HUGE_VAL);

using Axes = std::array<bool, 3>;
/// Adds an option that takes some of the letters x, y and z.
CLI::Option* add_axes(CLI::App& command, const std::string& name, Axes& axes, const std::string& help);
bool any(const Axes& axes);

/// The words that an option takes, and the value of each.
template <class Value>
using Words = std::vector<std::pair<std::string, Value>>;

/// Returns the values of an enum under the library's names for them.
template <Named Enum, class Value = Enum>
Words<Value> words_of() {
  Words<Value> words;
  for (const Enum value : values_of<Enum>()) words.emplace_back(name_of(value), value);
  return words;
}

/// Adds an option that takes one of these words, and passes its index to `take`.
CLI::Option* add_word(CLI::App& command, const std::string& name, const std::string& help,
                      const std::vector<std::string>& words, const std::function<void(std::size_t)>& take);

template <class Value>
CLI::Option* add_choice(CLI::App& command, const std::string& name, Value& value, const std::string& help,
                        const std::type_identity_t<Words<Value>>& words) {
  std::vector<std::string> names;
  for (const auto& [word, meaning] : words) names.push_back(word);
  return add_word(command, name, help, names, [&value, words](std::size_t k) { value = words[k].second; });
}

/// Adds an option that takes the name of one of an enum's values.
template <Named Enum>
CLI::Option* add_choice(CLI::App& command, const std::string& name, Enum& value, const std::string& help) {
  return add_choice(command, name, value, help, words_of<Enum>());
}
template <Named Enum>
CLI::Option* add_choice(CLI::App& command, const std::string& name, std::optional<Enum>& value, const std::string& help) {
  return add_choice(command, name, value, help, words_of<Enum, std::optional<Enum>>());
}

/// Adds --dim.
template <class Dimension>
CLI::Option* add_dimension(CLI::App& command, Dimension& dimension, const std::string& help) {
  return add_choice(command, "--dim", dimension, help, {{"2", 2}, {"3", 3}});
}

/// Adds an option that takes the name of a file.
CLI::Option* add_file(CLI::App& command, const std::string& name, std::string& value, const std::string& help,
                      const std::string& text);
/// Adds --overwrite, which lets an output replace a file.
void add_overwrite(CLI::App& command, bool& overwrite, const std::string& text);

/// Adds options for a distribution of radii to the group, which requires exactly one of them, and the exponent to the command.
void declare_distributions(CLI::App& command, CLI::Option_group& group, SizeDistribution& sizes);

/// Throws Error(io) for an empty file name. Such an option would count as not given. CLI11 takes an empty argument for the name
/// of an option group, and may then never end.
void require_no_empty_file_name(const CLI::App& app, const std::vector<std::string>& arguments);

/// Returns how many threads OpenMPExec uses for this request; 0 is its default.
int usable_threads(int asked);

/// Throws Error(invalid_argument) for an option or a set of options that cannot be served.
[[noreturn]] void refuse(const std::string& why);

}  // namespace hgrid::tool
