// SPDX-License-Identifier: BSD-3-Clause
#include "io/vtk_columns.hpp"

#include <fmt/format.h>
#include <sys/mman.h>

#include <algorithm>

#include "hgrid/core/error.hpp"
#include "io/line_reader.hpp"
#include "io/printable.hpp"
#include "io/row_parser.hpp"

namespace hgrid::io {
namespace {

// The arrays that write_vtp (vtp.hpp) adds to points: which of them are particles, and the half extents of boxes.
const std::string own_kind = "kind", own_extent = "extent";

bool is_own(std::vector<std::string> found) {
  static const std::vector<std::string> arrays = {own_kind, "radius", "overlap", "contacts", "id"};
  std::ranges::replace(found, own_extent, arrays[1]);
  return found == arrays;
}

/// Asks for large pages, because the first touch of small ones takes longer than the reading.
void ask_for_large_pages(const std::vector<double>& values) {
#ifdef MADV_HUGEPAGE
  static constexpr std::uintptr_t page = std::uintptr_t{1} << 21;
  const auto begin = reinterpret_cast<std::uintptr_t>(values.data()), end = begin + values.capacity() * sizeof(double);
  const std::uintptr_t first = (begin + page - 1) / page * page;
  if (first < end) madvise(reinterpret_cast<void*>(first), end - first, MADV_HUGEPAGE);
#else
  (void)values;
#endif
}

}  // namespace

int VtkColumns::columns_of(const std::string& name, std::int64_t components) {
  const auto new_columns = [&](const std::string& named) {
    names_.insert(names_.end(), static_cast<std::size_t>(components), named);
    columns_.resize(names_.size());
    return static_cast<int>(std::ssize(names_) - components);
  };
  if (name == own_extent && components == 3) return extent_ < 0 ? extent_ = new_columns("") : extent_;
  const auto at = std::find(names_.begin() + 3, names_.end(), name);
  const Role role = role_of(name);
  const bool is_position = role == Role::x || role == Role::y || role == Role::z;
  const bool wanted =
      std::ranges::any_of(options_.more, [&](const NamedColumn& more) { return names_column(name, more.name); });
  if (components != 1 || is_position || (role == Role::none && !wanted && name != own_kind)) return -1;
  return at == names_.end() ? new_columns(name) : static_cast<int>(at - names_.begin());
}

void VtkColumns::found_of_cells(const std::string& name) {
  if (const Role role = role_of(name); role == Role::radius || role == Role::diameter) size_of_cells_ = name;
}

void VtkColumns::add(int column, int columns, int turn, std::span<const double> values) {
  const auto step = static_cast<std::size_t>(columns);
  for (std::size_t first = 0; first < std::min(step, values.size()); ++first) {
    auto& own = columns_[static_cast<std::size_t>(column) + (static_cast<std::size_t>(turn) + first) % step];
    std::size_t at = own.size();
    own.resize(at + (values.size() - first + step - 1) / step);
    for (std::size_t k = first; k < values.size(); k += step) own[at++] = values[k];
    if (std::ssize(own) >= next_memory_check_) check_memory();
  }
}

void VtkColumns::reserve(int column, int columns, std::int64_t more) {
  for (int k = column; k < column + columns; ++k) {
    auto& own = columns_[static_cast<std::size_t>(k)];
    own.reserve(own.size() + static_cast<std::size_t>(more));
    ask_for_large_pages(own);
  }
}

void VtkColumns::check_memory() { require_memory_for(next_memory_check_ *= 2); }

/// Keeps only the particles among the points that hgrid wrote, and gives half extents their names. In other files arrays with
/// such names have no meaning.
void VtkColumns::settle_own_arrays() {
  const bool own = is_own(found_);
  for (std::size_t k = 0; k < 3 && own && extent_ >= 0; ++k) {
    names_[static_cast<std::size_t>(extent_) + k] = std::string("h") + "xyz"[k];
  }
  const auto at = std::ranges::find(names_, own_kind);
  if (!own || at == names_.end()) return;
  const std::vector<double> kinds = columns_[static_cast<std::size_t>(at - names_.begin())];
  for (std::vector<double>& column : columns_) {
    std::size_t kept = 0;
    for (std::size_t k = 0; k < column.size(); ++k) {
      if (kinds[k] == 0) column[kept++] = column[k];
    }
    column.resize(kept);
  }
}

ParticleTable VtkColumns::table(const std::string& file, std::int64_t line) {
  for (std::size_t k = 0; k < columns_.size(); ++k) {
    if (columns_[k].size() == columns_[0].size()) continue;
    fail_at_line(file, line,
                 fmt::format("the array {} has {}, but there are {}", printable(names_[k], 40),
                             detail::counted(columns_[k].size(), "value"), detail::counted(columns_[0].size(), "point")));
  }
  settle_own_arrays();
  ColumnMap map;
  assign_roles({names_.begin(), names_.end()}, file, line, options_, map);
  std::vector<std::string_view> arrays = {"x", "y", "z"};
  arrays.insert(arrays.end(), found_.begin(), found_.end());
  map.found = list_of(arrays);
  if (map.r < 0 && !size_of_cells_.empty()) {
    map.notes.push_back(
        fmt::format("the array {} belongs to cells, and was left out: --radius, or in ParaView the filter Cell "
                    "Centers, which makes points of them",
                    printable(size_of_cells_, 40)));
  }
  if (map.r >= 0 && names_[static_cast<std::size_t>(map.r)] == "radii" && std::ranges::count(found_, "atomic numbers") > 0) {
    map.notes.push_back(
        "radii are the covalent radii of elements, and the box is missing, as ASE writes them: --radius-scale, --cell");
  }
  return table_of(std::move(columns_), map, options_, file, [&](std::int64_t row, const std::string& why) {
    throw Error(ErrorCode::format, fmt::format("{}: point {} (the first is 0): {}", file, row, why));
  });
}

}  // namespace hgrid::io
