// SPDX-License-Identifier: BSD-3-Clause
// Values on the command line that are more than a word: numbers without locale, lists of them, axes.
#pragma once

#include <CLI/CLI.hpp>
#include <array>
#include <cmath>
#include <string>
#include <vector>

namespace hgrid::tool {

/// For options that take finite numbers, separated by commas, or just one.
CLI::Validator numbers(double least = -HUGE_VAL);
CLI::Validator number(double least = -HUGE_VAL);

/// The numbers of a text that `numbers` accepts.
std::vector<double> parse_numbers(const std::string& text);

/// For --periodic: some of the letters x, y and z.
CLI::Validator axes();

/// Adds an option that takes one of these words.
CLI::Option* add_choice(CLI::App& command, const std::string& name, std::string& value,
                        const std::string& help, const std::vector<std::string>& words);

/// Which axes the letters name.
std::array<bool, 3> parse_axes(const std::string& letters);

/// Adds an option that takes the name of a file.
CLI::Option* add_file(CLI::App& command, const std::string& name, std::string& value, const std::string& help,
                      const std::string& text);

/// Throws Error(io) for an empty file name: the value of such an option, whose emptiness means that it was not given, or
/// an argument that is no option's value, which CLI11 takes for the name of an option group and may then never end.
void require_no_empty_file_name(const CLI::App& app, const std::vector<std::string>& arguments);

/// How many threads to use. 0 asks OpenMP, hence OMP_NUM_THREADS; a number that no machine serves is cut to
/// four per core or 64, whichever is more.
int usable_threads(int asked);

}  // namespace hgrid::tool
