// SPDX-License-Identifier: BSD-3-Clause
#include "host/planning/calibration.hpp"

#include <array>
#include <charconv>
#include <cmath>
#include <cstdlib>
#include <fstream>
#include <sstream>
#include <vector>

#include "hgrid/core/error.hpp"

namespace hgrid::inline v0_2::detail {
namespace {

[[noreturn]] void fail(const std::string& what, int line = -1, ErrorCode code = ErrorCode::format) {
  throw Error(code, what, {.argument = "HGRID_CALIBRATION", .index = line});
}

std::string text_of_file(const std::string& path, const std::string& name) {
  constexpr std::streamsize most = 1 << 16;  // a few executors, one line each
  std::ifstream file(path, std::ios::binary);
  std::string text(most, ' ');
  file.read(text.data(), most);
  if (!file.is_open() || file.bad()) fail(name + ": cannot be read", -1, ErrorCode::io);
  if (file.gcount() == most) fail(name + ": too long for a calibration");
  text.resize(static_cast<std::size_t>(file.gcount()));
  return text;
}

double parse_cost(const std::string& word, const std::string& where, int line) {
  double value = -1;
  const auto [end, error] = std::from_chars(word.data(), word.data() + word.size(), value);
  if (error != std::errc{} || end != word.data() + word.size() || !(value >= 0) || !std::isfinite(value)) {
    fail(where + "'" + word.substr(0, 40) +
             "' is no cost; a line is: executor setup row candidate cell compacted_row compacted_slot",
         line);
  }
  return value;
}

constexpr std::size_t costs_in_line = 6;

// Terms of one run, and of the constants: particle, contact, then the costs in their order.
constexpr int terms = 2 + costs_in_line;
using Terms = std::array<double, terms>;

}  // namespace

SearchCosts costs_in(const std::string& text, std::string_view executor, const SearchCosts& shipped, const std::string& name) {
  SearchCosts found = shipped;
  std::istringstream lines(text);
  std::string line;
  for (int number = 1; std::getline(lines, line); ++number) {
    std::istringstream words(line.substr(0, line.find('#')));
    std::vector<std::string> word;
    for (std::string w; words >> w;) word.push_back(w);
    if (word.empty()) continue;
    const std::string where = name + ", line " + std::to_string(number) + ": ";
    double cost[costs_in_line] = {}, sum = 0;
    for (std::size_t k = 1; k < word.size() && k <= costs_in_line; ++k) sum += cost[k - 1] = parse_cost(word[k], where, number);
    if (word.size() != 1 + costs_in_line || sum == 0) {
      fail(where + "six costs, not all zero, are expected behind the name of an executor", number);
    }
    if (word[0] == executor) found = {cost[0], cost[1], cost[2], cost[3], cost[4], cost[5], shipped.island};
  }
  return found;
}

SearchCosts search_costs(std::string_view executor, const SearchCosts& shipped) {
  static const char* const path = std::getenv("HGRID_CALIBRATION");
  if (path == nullptr || *path == '\0') return shipped;
  static const std::string name = std::string("HGRID_CALIBRATION=") + path, text = text_of_file(path, name);
  return costs_in(text, executor, shipped, name);
}

// Fits by coordinate descent: each constant in turn takes its best value given the others, but at least 0. The problem is
// convex.
SearchCosts fit_costs(std::span<const CalibrationRun> runs) {
  if (runs.size() < terms) throw Error(ErrorCode::invalid_argument, "a calibration needs at least eight runs");
  std::vector<Terms> row;
  for (const CalibrationRun& run : runs) {
    if (!(run.time > 0) || !std::isfinite(run.time)) {
      throw Error(ErrorCode::invalid_argument, "a calibration run took no time", {.value = run.time});
    }
    const SearchWork& w = run.work;
    row.push_back({1, run.contacts, w.setups, w.rows, w.candidates, w.cells, w.compacted_rows, w.compacted_slots});
    for (double& term : row.back()) term /= run.time;
  }
  Terms c{};
  std::vector<double> rest(row.size(), 1);  // residuals, relative
  for (int sweep = 0; sweep < 20000; ++sweep) {
    for (int k = 0; k < terms; ++k) {
      double along = 0, norm = 0;
      for (std::size_t i = 0; i < row.size(); ++i) along += row[i][k] * rest[i], norm += row[i][k] * row[i][k];
      if (!(norm > 0)) continue;
      const double step = std::fmax(-c[k], along / norm);
      c[k] += step;
      for (std::size_t i = 0; i < row.size(); ++i) rest[i] -= step * row[i][k];
    }
  }
  return {c[2], c[3], c[4], c[5], c[6], c[7]};
}

}  // namespace hgrid::inline v0_2::detail
