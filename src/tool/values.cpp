// SPDX-License-Identifier: BSD-3-Clause
#include "values.hpp"

#include <fmt/format.h>
#include <fmt/ranges.h>

#include <algorithm>

#include "hgrid/threads/openmp_exec.hpp"
#include "io/fields.hpp"

namespace hgrid::tool {

namespace {

constexpr const char* file_type = "file";

/// Adds an option of one text. `parse` takes it and returns an error message, or nothing.
CLI::Option* add_parsed(CLI::App& command, const std::string& name, const std::string& help,
                        const std::function<std::string(const std::string&)>& parse) {
  const auto take = [name, parse](const std::string& text) {
    const std::string fault = parse(text);
    if (!fault.empty()) throw CLI::ValidationError(name, fault);
  };
  return command.add_option_function<std::string>(name, take, help);
}

std::string parse_numbers(const std::string& text, std::size_t most, double least, std::vector<double>& values) {
  std::vector<std::string_view> fields;
  io::split_fields(text, ',', fields);
  if (fields.size() > most) return fmt::format("'{}' is not one number", text);
  values.resize(fields.size());
  for (std::size_t k = 0; k < fields.size(); ++k) {
    const io::Number number = io::parse_number(fields[k], values[k]);
    if (number != io::Number::good) return fmt::format("'{}' {}", fields[k], io::reason(number));
    if (values[k] < least) return fmt::format("{} is below {}", fields[k], least);
  }
  return {};
}

}  // namespace

CLI::Option* add_number(CLI::App& command, const std::string& name, const std::string& help, double least,
                        const std::function<void(double)>& take) {
  return add_parsed(command, name, help, [least, take](const std::string& text) {
    std::vector<double> values;
    std::string fault = parse_numbers(text, 1, least, values);
    if (fault.empty()) take(values.front());
    return fault;
  });
}

CLI::Option* add_numbers(CLI::App& command, const std::string& name, std::vector<double>& values, const std::string& help,
                         double least) {
  return add_parsed(command, name, help,
                    [least, &values](const std::string& text) { return parse_numbers(text, max_levels, least, values); });
}

CLI::Option* add_axes(CLI::App& command, const std::string& name, Axes& axes, const std::string& help) {
  return add_parsed(command, name, help, [&axes](const std::string& letters) -> std::string {
    for (std::size_t k = 0; k < 3; ++k) axes[k] = std::ranges::count(letters, "xyz"[k]) == 1;
    const bool good = any(axes) && std::ranges::count(axes, true) == std::ssize(letters);
    return good ? "" : "axes are some of the letters x, y and z, such as xyz or x";
  });
}

bool any(const Axes& axes) { return std::ranges::count(axes, true) > 0; }

CLI::Option* add_word(CLI::App& command, const std::string& name, const std::string& help,
                      const std::vector<std::string>& words, const std::function<void(std::size_t)>& take) {
  const auto chosen = [words, take](const std::string& word) {
    take(static_cast<std::size_t>(std::ranges::find(words, word) - words.begin()));
  };
  return command.add_option_function<std::string>(name, chosen, help)
      ->check(CLI::IsMember(words))
      ->option_text(fmt::format("{}", fmt::join(words, "|")));
}

CLI::Option* add_file(CLI::App& command, const std::string& name, std::string& value, const std::string& help,
                      const std::string& text) {
  return command.add_option(name, value, help)->type_name(file_type)->option_text(text);
}

void add_overwrite(CLI::App& command, bool& overwrite, const std::string& text) {
  command.add_flag("--overwrite", overwrite,
                   fmt::format("Replace {} if it exists, with its permissions, unless it is read-only", text));
}

void declare_distributions(CLI::App& command, CLI::Option_group& group, SizeDistribution& sizes) {
  using Kind = SizeDistribution::Kind;
  const auto add = [&](const std::string& name, Kind kind, const std::string& help) {
    const auto take = [&sizes, kind](double ratio) { sizes.kind = kind, sizes.ratio = ratio; };
    return add_number(group, name, help, 1, take)->option_text("W");
  };
  group.add_flag("--mono")->description("All radii are 1");
  auto* ratio = add("--size-ratio", Kind::power_law, "Radii from 1 to W, number ~ r^A (needs --exponent)");
  add("--bidisperse", Kind::bidisperse, "Radii 1 and W, equal volumes of both");
  add("--lognormal", Kind::log_normal, "Log-normal, 1 and W being three standard deviations off");
  group.require_option(1);
  auto* exponent = add_number(command, "--exponent", sizes.exponent, "Exponent A of --size-ratio, such as -3");
  exponent->needs(ratio)->option_text("A");
  ratio->needs(exponent);
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
    ++k;  // its value, even if it looks like an option
    const bool empty = cut || (k < arguments.size() && arguments[k].empty());
    if (empty && option->get_type_name() == file_type) throw Error(ErrorCode::io, name + ": the file name is empty");
  }
}

int usable_threads(int asked) { return OpenMPExec(asked).concurrency(); }

void refuse(const std::string& why) { throw Error(ErrorCode::invalid_argument, why); }

}  // namespace hgrid::tool
