// SPDX-License-Identifier: BSD-3-Clause
#include "values.hpp"

#include <fmt/format.h>
#include <fmt/ranges.h>
#include <omp.h>

#include <algorithm>

#include "hgrid/core/error.hpp"
#include "hgrid/core/types.hpp"
#include "io/fields.hpp"

namespace hgrid::tool {

namespace {

constexpr const char* file_type = "file";

CLI::Validator numbers_up_to(std::size_t most, double least) {
  const auto fault = [most, least](const std::string& text) -> std::string {
    std::vector<std::string_view> fields;
    io::split_fields(text, ',', fields);
    if (fields.size() > most) return fmt::format("'{}' is not one number", text);
    for (const std::string_view field : fields) {
      double value = 0;
      const io::Number number = io::parse_number(field, value);
      if (number != io::Number::good) return fmt::format("'{}' {}", field, io::reason(number));
      if (value < least) return fmt::format("{} is below {}", field, least);
    }
    return {};
  };
  return CLI::Validator(fault, "", "numbers");
}

}  // namespace

CLI::Validator numbers(double least) { return numbers_up_to(max_levels, least); }

CLI::Validator number(double least) { return numbers_up_to(1, least); }

std::vector<double> parse_numbers(const std::string& text) {
  std::vector<std::string_view> fields;
  io::split_fields(text, ',', fields);
  std::vector<double> values(fields.size());
  for (std::size_t k = 0; k < fields.size(); ++k) io::parse_number(fields[k], values[k]);
  return values;
}

CLI::Validator axes() {
  const auto fault = [](const std::string& letters) -> std::string {
    const bool known = letters.find_first_not_of("xyz") == letters.npos;
    const bool once =
        std::ranges::all_of(letters, [&](char c) { return std::ranges::count(letters, c) == 1; });
    return known && once && !letters.empty() ? ""
                                             : "axes are some of the letters x, y and z, such as xyz or x";
  };
  return CLI::Validator(fault, "", "axes");
}

CLI::Option* add_choice(CLI::App& command, const std::string& name, std::string& value,
                        const std::string& help, const std::vector<std::string>& words) {
  return command.add_option(name, value, help)
      ->check(CLI::IsMember(words))
      ->option_text(fmt::format("{}", fmt::join(words, "|")));
}

CLI::Option* add_file(CLI::App& command, const std::string& name, std::string& value, const std::string& help,
                      const std::string& text) {
  return command.add_option(name, value, help)->type_name(file_type)->option_text(text);
}

std::array<bool, 3> parse_axes(const std::string& letters) {
  std::array<bool, 3> periodic{};
  for (std::size_t k = 0; k < 3; ++k) periodic[k] = letters.find("xyz"[k]) != letters.npos;
  return periodic;
}

void require_no_empty_file_name(const CLI::App& app, const std::vector<std::string>& arguments) {
  const CLI::App* command = &app;
  for (std::size_t k = 0; k < arguments.size(); ++k) {
    if (arguments[k].empty()) throw Error(ErrorCode::io, "'': cannot read: the file name is empty");
    for (const CLI::App* sub : app.get_subcommands({})) command = sub->get_name() == arguments[k] ? sub : command;
    const bool cut = arguments[k].ends_with('=');
    const std::string name = arguments[k].substr(0, arguments[k].size() - (cut ? 1 : 0));
    const CLI::Option* option = command->get_option_no_throw(name);
    if (option == nullptr || option->get_items_expected_max() == 0) continue;
    ++k;  // its value, whatever that looks like
    const bool empty = cut || (k < arguments.size() && arguments[k].empty());
    if (empty && option->get_type_name() == file_type) throw Error(ErrorCode::io, name + ": the file name is empty");
  }
}

int usable_threads(int asked) {
  const int most = std::max(64, 4 * omp_get_num_procs());
  return std::clamp(asked > 0 ? asked : omp_get_max_threads(), 1, most);
}

}  // namespace hgrid::tool
