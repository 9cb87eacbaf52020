// SPDX-License-Identifier: BSD-3-Clause
#include "io/column_table.hpp"

#include <fmt/format.h>

#include <algorithm>
#include <cmath>
#include <numeric>

#include "io/row_parser.hpp"

namespace hgrid::io {
namespace {

struct Used {
  std::size_t column;
  const char* name;
  bool integral = false;
};

/// Returns the columns that the table uses.
std::vector<Used> used_columns(const ColumnMap& map) {
  std::vector<Used> used;
  const auto add = [&](int column, const char* name, bool integral = false) {
    if (column >= 0) used.push_back({static_cast<std::size_t>(column), name, integral});
  };
  add(map.x, "x"), add(map.y, "y"), add(map.z, "z"), add(map.r, "radius");
  add(map.extent[0], "hx"), add(map.extent[1], "hy"), add(map.extent[2], "hz"), add(map.id, "id", true);
  for (const int column : map.more) add(column, "integers", true);
  return used;
}

bool is_good(double value, bool integral) {
  static constexpr double largest_exact = 9007199254740992.0;  // 2^53
  return std::isfinite(value) && (!integral || (std::abs(value) <= largest_exact && value == std::floor(value)));
}

/// Moves the good rows to the front, and returns their number.
std::int64_t keep_good_rows(NumberColumns& columns, const std::vector<Used>& used, BadRows policy,
                            const std::function<void(std::int64_t, const std::string&)>& fail) {
  const std::size_t rows = columns[used.front().column].size();
  const auto is_whole = [&](const Used& u) {
    return std::ranges::all_of(columns[u.column], [&](double value) { return is_good(value, u.integral); });
  };
  if (std::ranges::all_of(used, is_whole)) return static_cast<std::int64_t>(rows);
  std::size_t kept = 0;
  std::int64_t first_bad = -1;
  std::string why;
  for (std::size_t row = 0; row < rows; ++row) {
    const auto bad = std::ranges::find_if(used, [&](const Used& u) { return !is_good(columns[u.column][row], u.integral); });
    if (bad != used.end() && first_bad < 0) {
      const double value = columns[bad->column][row];
      first_bad = static_cast<std::int64_t>(row);
      why = fmt::format("{} is {}, {}", bad->name, value, std::isfinite(value) ? "not an integer" : "not finite");
    }
    if (bad != used.end()) continue;
    for (const Used& u : used) columns[u.column][kept] = columns[u.column][row];
    ++kept;
  }
  const auto good = static_cast<std::int64_t>(kept), all = static_cast<std::int64_t>(rows);
  if (!may_leave_out(policy, all - good, all)) fail(first_bad, why + "; " + remedy_for_bad_rows(all - good, all));
  for (const Used& u : used) columns[u.column].resize(kept);
  return good;
}

std::vector<std::int64_t> integers_of(const std::vector<double>& column) {
  std::vector<std::int64_t> integers(column.size());
  std::ranges::transform(column, integers.begin(), [](double value) { return static_cast<std::int64_t>(value); });
  return integers;
}

void sort_by_id(ParticleTable& table, const std::function<void(std::int64_t, const std::string&)>& fail) {
  std::vector<std::size_t> order(table.id.size());
  std::iota(order.begin(), order.end(), std::size_t{0});
  std::ranges::stable_sort(order, {}, [&](std::size_t k) { return table.id[k]; });
  for (std::size_t k = 1; k < order.size(); ++k) {
    if (table.id[order[k]] != table.id[order[k - 1]]) continue;
    fail(static_cast<std::int64_t>(order[k]), fmt::format("another one before it has the id {}", table.id[order[k]]));
  }
  if (std::ranges::is_sorted(table.id)) return;
  const auto permute = [&](auto& column) {
    auto sorted = column;
    for (std::size_t k = 0; k < column.size(); ++k) sorted[k] = column[order[k]];
    column.swap(sorted);
  };
  table.for_each_length(permute);
  permute(table.id);
  for (auto& column : table.more) permute(column);
}

}  // namespace

ParticleTable table_of(NumberColumns columns, const ColumnMap& map, const ReadOptions& options, const std::string& file,
                       const std::function<void(std::int64_t, const std::string&)>& fail) {
  require_more(map, options, file);
  const std::vector<Used> used = used_columns(map);
  const auto rows = static_cast<std::int64_t>(columns[static_cast<std::size_t>(map.x)].size());
  const std::int64_t good = keep_good_rows(columns, used, options.bad_rows, fail);
  const auto column = [&](int k) -> std::vector<double>& { return columns[static_cast<std::size_t>(k)]; };
  ParticleTable table;
  table.skipped_rows = rows - good;
  table.dimension = map.z < 0 ? 2 : 3;
  table.boxes = map.extent[0] >= 0;
  for (const int k : map.more) table.more.push_back(integers_of(column(k)));
  if (map.id >= 0) table.id = integers_of(column(map.id));
  table.x = std::move(column(map.x)), table.y = std::move(column(map.y));
  table.z = map.z < 0 ? std::vector<double>(table.x.size()) : std::move(column(map.z));
  if (map.r >= 0) table.r = std::move(column(map.r));
  if (map.radius_scale != 1) std::ranges::for_each(table.r, [&](double& r) { r *= map.radius_scale; });
  for (std::size_t k = 0; k < 3 && table.boxes; ++k) {
    table.extent[k] = map.extent[k] < 0 ? std::vector<double>(table.x.size()) : std::move(column(map.extent[k]));
  }
  if (map.id >= 0) sort_by_id(table, fail);
  table.columns = map.found, table.taken = map.taken;
  table.length_unit = map.length_unit, table.size_unit = map.size_unit;
  table.notes = map.notes;
  if (table.size() > 0) apply_radius(table, file, options);
  return table;
}

}  // namespace hgrid::io
