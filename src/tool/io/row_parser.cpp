// SPDX-License-Identifier: BSD-3-Clause
#include "io/row_parser.hpp"

#include <fmt/format.h>
#include <unistd.h>

#include <algorithm>
#include <cmath>
#include <numeric>

#include "hgrid/core/error.hpp"
#include "io/line_reader.hpp"
#include "io/printable.hpp"

namespace hgrid::io {

namespace {

double machine_memory() {
  static const double bytes = static_cast<double>(::sysconf(_SC_PHYS_PAGES)) * static_cast<double>(::sysconf(_SC_PAGESIZE));
  return bytes;
}

// half of the memory: the search needs about an equal amount
bool fits(double bytes) { return machine_memory() <= 0 || bytes <= 0.5 * machine_memory(); }

}  // namespace

void require_memory_for(std::int64_t rows) {
  if (fits(4.0 * sizeof(double) * static_cast<double>(rows))) return;
  throw Error(ErrorCode::out_of_memory, fmt::format("a table of {} particles and more does not fit into the "
                                                    "{:.0f} GiB of this machine",
                                                    rows / 2, machine_memory() / (1 << 30)));
}

void require_memory(std::size_t bytes, const char* what) {
  if (fits(static_cast<double>(bytes))) return;
  throw Error(ErrorCode::out_of_memory,
              fmt::format("{} of {:.0f} GiB and more does not fit into the {:.0f} GiB of this machine", what,
                          static_cast<double>(bytes / 2) / (1 << 30), machine_memory() / (1 << 30)));
}

bool are_points(const ParticleTable& table) {
  return !table.r.empty() && std::ranges::all_of(table.r, [](double r) { return r == 0; });
}

void apply_radius(ParticleTable& table, const std::string& file, const ReadOptions& options) {
  const bool points = are_points(table);
  if (!options.radius) {
    if (points) table.notes.push_back("all radii are 0, so the file has points: --radius R gives each of them one");
    return;
  }
  if (!table.r.empty() && !points) {
    throw Error(ErrorCode::invalid_argument,
                fmt::format("{}: the file has radii of its own; leave out the radius given", file));
  }
  table.r.assign(table.x.size(), *options.radius);
}

std::string remedy_for_bad_rows(std::int64_t bad, std::int64_t rows) {
  return 2 * bad <= rows ? "--bad-rows skip leaves such rows out" : fmt::format("{} of the {} rows are bad", bad, rows);
}

RowParser::RowParser(std::string file, const ReadOptions& options, ColumnMap columns)
    : file_(std::move(file)), bad_rows_(options.bad_rows), columns_(std::move(columns)) {
  table_.dimension = columns_.z < 0 ? 2 : 3;
  table_.boxes = columns_.extent[0] >= 0;
  for (const Slot& slot : {Slot{columns_.x, "x"}, Slot{columns_.y, "y"}, Slot{columns_.z, "z"}, Slot{columns_.r, "radius"},
                           Slot{columns_.extent[0], "hx"}, Slot{columns_.extent[1], "hy"}, Slot{columns_.extent[2], "hz"},
                           Slot{columns_.id, "id", true}}) {
    if (slot.column >= 0) slots_.push_back(slot);
  }
  require_more(columns_, options, file_);
  for (std::size_t k = 0; k < options.more.size(); ++k) slots_.push_back({columns_.more[k], options.more[k].role, true});
  table_.more.resize(options.more.size());
  values_.resize(slots_.size());
}

void RowParser::add(std::string_view line, std::int64_t number) {
  split_fields(line, columns_.delimiter, fields_);
  Fault fault;
  if (!parse(fault)) {
    if (++table_.skipped_rows == 1) first_bad_ = text_of(fault), first_bad_line_ = number;
    return;
  }
  if (table_.x.empty() && columns_.may_be_named) {
    const auto numbers = std::ranges::count_if(fields_, is_numeric);
    table_.has_other_columns = numbers > static_cast<std::ptrdiff_t>(slots_.size());
  }
  const double* value = values_.data();
  table_.x.push_back(*value++);
  table_.y.push_back(*value++);
  table_.z.push_back(columns_.z < 0 ? 0 : *value++);
  if (columns_.r >= 0) table_.r.push_back(*value++ * columns_.radius_scale);
  for (std::size_t k = 0; k < 3 && columns_.extent[0] >= 0; ++k)
    table_.extent[k].push_back(columns_.extent[k] < 0 ? 0 : *value++);
  if (columns_.id >= 0) {
    table_.id.push_back(static_cast<std::int64_t>(*value++));
    line_.push_back(number);
  }
  for (std::vector<std::int64_t>& column : table_.more) column.push_back(static_cast<std::int64_t>(*value++));
  if (table_.size() >= next_memory_check_) require_memory_for(next_memory_check_ *= 2);
}

bool RowParser::parse(Fault& fault) {
  if (fields_.size() != static_cast<std::size_t>(columns_.count)) return false;
  static constexpr double largest_exact = 9007199254740992.0;  // 2^53: integers pass through a double
  for (std::size_t k = 0; k < slots_.size(); ++k) {
    fault.slot = &slots_[k];
    fault.number = parse_number(fields_[static_cast<std::size_t>(slots_[k].column)], values_[k]);
    if (fault.number != Number::good) return false;
    if (slots_[k].integral && !(std::abs(values_[k]) <= largest_exact && values_[k] == std::floor(values_[k]))) return false;
  }
  return true;
}

namespace {

bool has_decimal_comma(std::string_view text) {
  std::string point(text);
  std::ranges::replace(point, ',', '.');
  return point != text && is_numeric(point);
}

}  // namespace

std::string RowParser::text_of(const Fault& fault) const {
  if (fault.slot == nullptr) {
    return fmt::format("{} where {} {}", detail::counted(fields_.size(), "column"), columns_.declared_by, columns_.count);
  }
  const std::string_view text = fields_[static_cast<std::size_t>(fault.slot->column)];
  return fmt::format("column {} ({}): '{}' {}{}", fault.slot->column + 1, fault.slot->name, printable(text),
                     fault.number == Number::good ? "is not an integer" : reason(fault.number),
                     has_decimal_comma(text) ? "; is that a decimal comma? Numbers have a point" : "");
}

void RowParser::judge_bad_rows() const {
  const std::int64_t bad = table_.skipped_rows, rows = bad + table_.size();
  if (may_leave_out(bad_rows_, bad, rows)) return;
  fail_at_line(file_, first_bad_line_, first_bad_ + "; " + remedy_for_bad_rows(bad, rows));
}

void RowParser::sort_by_id() {
  std::vector<std::size_t> order(table_.id.size());
  std::iota(order.begin(), order.end(), std::size_t{0});
  const auto id = [&](std::size_t k) { return table_.id[k]; };
  if (!std::ranges::is_sorted(table_.id)) {
    std::ranges::stable_sort(order, {}, id);
    const auto permute = [&](auto& column) {
      auto sorted = column;
      for (std::size_t k = 0; k < column.size(); ++k) sorted[k] = column[order[k]];
      column.swap(sorted);
    };
    table_.for_each_length(permute);
    for (auto* column : {&table_.id, &line_}) permute(*column);
    for (auto& column : table_.more) permute(column);
  }
  const auto twice = std::ranges::adjacent_find(table_.id);
  if (twice != table_.id.end()) {
    const auto first = static_cast<std::size_t>(twice - table_.id.begin());
    fail_at_line(file_, line_[first + 1], fmt::format("id {} stands in line {} already", *twice, line_[first]));
  }
}

ParticleTable RowParser::finish() {
  judge_bad_rows();
  sort_by_id();
  table_.columns = columns_.found;
  table_.taken = columns_.taken;
  table_.length_unit = columns_.length_unit, table_.size_unit = columns_.size_unit;
  table_.notes = columns_.notes;
  return std::move(table_);
}

}  // namespace hgrid::io
