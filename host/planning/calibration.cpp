// SPDX-License-Identifier: BSD-3-Clause
#include "hgrid/host/planning/calibration.hpp"

#include <array>
#include <charconv>
#include <cmath>
#include <cstdlib>
#include <fstream>
#include <sstream>
#include <vector>

#include "hgrid/core/error.hpp"

namespace hgrid {
namespace {

std::string text_of_file(const std::string& path) {
  constexpr std::streamsize most = 1 << 16;  // a few executors, a line each
  std::ifstream file(path, std::ios::binary);
  std::string text(most, ' ');
  file.read(text.data(), most);
  if (!file.is_open() || file.bad()) {
    throw Error(ErrorCode::io, "HGRID_CALIBRATION: cannot read " + path, {.argument = "HGRID_CALIBRATION"});
  }
  if (file.gcount() == most) {
    throw Error(ErrorCode::format, "HGRID_CALIBRATION: " + path + " is too long for a calibration",
                {.argument = "HGRID_CALIBRATION"});
  }
  text.resize(static_cast<std::size_t>(file.gcount()));
  return text;
}

double parse_cost(const std::string& word, int line) {
  double value = -1;
  const auto [end, error] = std::from_chars(word.data(), word.data() + word.size(), value);
  if (error != std::errc{} || end != word.data() + word.size() || !(value >= 0) || !std::isfinite(value)) {
    throw Error(ErrorCode::format,
                "calibration, line " + std::to_string(line) + ": '" + word.substr(0, 40) +
                    "' is no cost; a line is: executor setup row candidate cell",
                {.argument = "HGRID_CALIBRATION", .index = line});
  }
  return value;
}

// Of one run, and of the constants: particle, contact, setup, row, candidate, cell.
constexpr int terms = 6;
using Terms = std::array<double, terms>;

}  // namespace

SearchCosts costs_in(const std::string& text, std::string_view executor, const SearchCosts& shipped) {
  SearchCosts found = shipped;
  std::istringstream lines(text);
  std::string line;
  for (int number = 1; std::getline(lines, line); ++number) {
    std::istringstream words(line.substr(0, line.find('#')));
    std::vector<std::string> word;
    for (std::string w; words >> w;) word.push_back(w);
    if (word.empty()) continue;
    double cost[4] = {0, 0, 0, 0}, sum = 0;
    for (std::size_t k = 1; k < word.size() && k <= 4; ++k) sum += cost[k - 1] = parse_cost(word[k], number);
    if (word.size() != 5 || sum == 0) {
      throw Error(ErrorCode::format,
                  "calibration, line " + std::to_string(number) +
                      ": four costs, not all zero, are expected behind the name of an executor",
                  {.argument = "HGRID_CALIBRATION", .index = number});
    }
    if (word[0] == executor) found = {cost[0], cost[1], cost[2], cost[3]};
  }
  return found;
}

SearchCosts search_costs(std::string_view executor, const SearchCosts& shipped) {
  static const std::string text = [] {
    const char* path = std::getenv("HGRID_CALIBRATION");
    return path == nullptr || *path == '\0' ? std::string() : text_of_file(path);
  }();
  return costs_in(text, executor, shipped);
}

// Coordinate descent: each constant in turn takes its best value given the others, cut at 0. The problem is
// convex.
SearchCosts fit_costs(std::span<const CalibrationRun> runs) {
  if (runs.size() < terms) throw Error(ErrorCode::invalid_argument, "a calibration needs at least six runs");
  std::vector<Terms> row;
  for (const CalibrationRun& run : runs) {
    if (!(run.time > 0) || !std::isfinite(run.time)) {
      throw Error(ErrorCode::invalid_argument, "a calibration run took no time", {.value = run.time});
    }
    const SearchWork& w = run.work;
    row.push_back({1, run.contacts, w.setups, w.rows, w.candidates, w.cells});
    for (double& term : row.back()) term /= run.time;
  }
  Terms c{};
  std::vector<double> rest(row.size(), 1);  // what the constants do not explain, relative
  for (int sweep = 0; sweep < 20000; ++sweep) {
    for (int k = 0; k < terms; ++k) {
      double along = 0, norm = 0;
      for (std::size_t i = 0; i < row.size(); ++i)
        along += row[i][k] * rest[i], norm += row[i][k] * row[i][k];
      if (!(norm > 0)) continue;
      const double step = std::fmax(-c[k], along / norm);
      c[k] += step;
      for (std::size_t i = 0; i < row.size(); ++i) rest[i] -= step * row[i][k];
    }
  }
  return {c[2], c[3], c[4], c[5]};
}

}  // namespace hgrid
