// SPDX-License-Identifier: BSD-3-Clause
#include "papers/systems/hgrid_2012.hpp"

#include <algorithm>
#include <cmath>
#include <string>

#include "hgrid/core/search.hpp"
#include "hgrid/inputs/input_error.hpp"
#include "papers/systems/cell_hash.hpp"

namespace hgrid::reference {
namespace {

// Cell numbers carry a relative rounding error of some 2^-52, hence an absolute one of 2^-30 at the most cells along an axis.
// This much room makes partners on one level at most one cell apart.
constexpr double room = 1 + 0x1p-20;
constexpr double most_cells = (1 << 21) - 2;

/// Cells first .. last of all axes, in numbers that continue beyond the domain.
template <int D>
struct CellBox {
  Vec<double, D> first, last;
  double cells() const {
    double n = 1;
    for (int k = 0; k < D; ++k) n *= std::max(0.0, last[k] - first[k] + 1);
    return n;
  }
};

/// Calls f(v) for all integer vectors from first to last; the first component runs fastest.
template <class T, int D, class F>
void for_each_vector(const Vec<T, D>& first, const Vec<T, D>& last, F&& f) {
  for (int k = 0; k < D; ++k) {
    if (first[k] > last[k]) return;
  }
  Vec<T, D> v = first;
  for (int k = 0; k < D;) {
    f(v);
    for (k = 0; k < D && v[k] == last[k]; ++k) v[k] = first[k];
    if (k < D) ++v[k];
  }
}

}  // namespace

template <int D>
struct Hgrid2012<D>::Level {
  Vec<double, D> side;
  Vec<double, D> cells;           // in the domain; beyond it are images, or nothing on an open axis
  double diameter;                // largest inserted
  std::vector<Vec<int, D>> half;  // the n_c half neighbors of a cell
  CellHash<D> table;
  index_t particles = 0;

  Vec<double, D> cell_of(const Vec<double, D>& from_origin) const {
    Vec<double, D> cell;
    for (int k = 0; k < D; ++k) cell[k] = std::min(std::floor(from_origin[k] / side[k]), cells[k] - 1);
    return cell;
  }
};

template <int D>
Hgrid2012<D>::Hgrid2012(const GridView<D>& particles, index_t count, const Hgrid2012Options& options)
    : slots_(particles), count_(count), direction_(options.direction) {
  const auto fail = [](std::size_t h, double size, const std::string& why) {
    throw Error(ErrorCode::invalid_levels, "level " + std::to_string(h) + ": cell size " + detail::to_text(size) + " " + why,
                {.argument = "sizes", .index = static_cast<std::int64_t>(h), .value = size});
  };
  if (slots_.box.tilted || slots_.box.turned)
    throw Error(ErrorCode::unsupported, "this algorithm needs an orthogonal box", {.argument = "box"});
  double largest = 0;
  for (index_t p = 0; p < count; ++p) largest = std::max(largest, 2 * slots_.radius[p] + slots_.skin);
  for (int k = 0; k < D; ++k) {
    const auto [lo, hi] = std::minmax_element(slots_.x[k], slots_.x[k] + count);
    const bool wraps = slots_.box.wraps[k];
    origin_[k] = wraps ? slots_.box.lo[k] : count > 0 ? *lo : 0;
    extent_[k] = wraps ? slots_.box.length(k) : count > 0 ? *hi - *lo : 0;
  }
  const std::vector<double>& sizes = options.sizes;
  for (std::size_t h = 0; h < sizes.size(); ++h) {
    if (!(sizes[h] > 0) || !std::isfinite(sizes[h])) fail(h, sizes[h], "must be positive and finite");
    if (h > 0 && !(sizes[h] > sizes[h - 1])) fail(h, sizes[h], "must exceed the one below");
    add_level(sizes[h]);
  }
  if (sizes.empty() || sizes.back() < largest) {
    fail(sizes.size(), sizes.empty() ? 0 : sizes.back(), "of the top level is below the largest diameter");
  }
  level_of_.resize(static_cast<std::size_t>(count));
  next_.resize(static_cast<std::size_t>(count));
  for (index_t p = count - 1; p >= 0; --p) insert(p);  // each goes to the front of its cell
}

template <int D>
Hgrid2012<D>::~Hgrid2012() = default;

template <int D>
void Hgrid2012<D>::add_level(double size) {
  Level level{{}, {}, HUGE_VAL, {}, CellHash<D>(count_)};
  Vec<int, D> lo, hi;
  for (int k = 0; k < D; ++k) {
    const bool wraps = slots_.box.wraps[k];
    const double fitting = std::floor(extent_[k] / (size * room));
    const double stretched = extent_[k] / std::clamp(fitting, 1.0, most_cells);
    level.side[k] = wraps ? stretched : std::max(size * room, extent_[k] / most_cells);
    level.cells[k] = wraps ? std::clamp(fitting, 1.0, most_cells) : std::floor(extent_[k] / level.side[k]) + 1;
    level.diameter = std::min(level.diameter, wraps ? level.side[k] / room : size);
    // A period below the cell size leaves one cell, and more than one image to each side.
    hi[k] = std::max(1, static_cast<int>(std::ceil(size * (room - 0x1p-30) / level.side[k])));
    lo[k] = -hi[k];
  }
  level.diameter = std::max(level.diameter, size);
  for_each_vector(lo, hi, [&](const Vec<int, D>& offset) {
    if (detail::lexicographic_sign(offset) > 0) level.half.push_back(offset);
  });
  levels_.push_back(std::move(level));
}

// Inserts a particle on the lowest level whose cells hold it, Eq. 3 of 2012.
template <int D>
void Hgrid2012<D>::insert(index_t slot) {
  const double diameter = 2 * slots_.radius[slot] + slots_.skin;
  int h = 0;
  while (diameter > levels_[h].diameter) ++h;
  Level& level = levels_[h];
  Vec<double, D> x = slots_.position(slot);
  for (int k = 0; k < D; ++k) x[k] -= origin_[k];
  Vec<index_t, D> cell;
  const Vec<double, D> at = level.cell_of(x);
  for (int k = 0; k < D; ++k) cell[k] = static_cast<index_t>(at[k]);
  index_t& first = level.table.occupy(cell);
  next_[slot] = first;
  first = slot;
  level_of_[slot] = h;
  ++level.particles;
}

/// Searches for one particle after the other.
template <int D>
class Hgrid2012<D>::Searcher {
 public:
  Searcher(const Hgrid2012& grid, const ContactVisitor& visit) : grid_(grid), g_(grid.slots_), visit_(visit) {}

  void search(index_t p) {
    Vec<double, D> x = g_.position(p);
    for (int k = 0; k < D; ++k) x[k] -= grid_.origin_[k];
    const int own = grid_.level_of_[p], levels = static_cast<int>(grid_.levels_.size());
    search_own(p, grid_.levels_[own], grid_.levels_[own].cell_of(x));
    const bool down = grid_.direction_ == Direction::top_down;
    for (int j = down ? 0 : own + 1; j < (down ? own : levels); ++j) search_across(p, grid_.levels_[j], x);
  }

  const Hgrid2012Work& work() const { return work_; }

 private:
  /// Runs the linked-cell step: searches the rest of the particle's own cell, and half of the neighbors.
  void search_own(index_t p, const Level& level, const Vec<double, D>& cell) {
    for (index_t q = grid_.next_[p]; q >= 0; q = grid_.next_[q]) test(p, q, {});
    work_.cells += 1 + static_cast<double>(level.half.size());
    for (const Vec<int, D>& offset : level.half) {
      Vec<index_t, D> inside;
      Vec<int, D> periods;
      if (locate(level, cell, offset, inside, periods))
        test_cell(p, level.table.first(inside), detail::shift_of(g_.box, periods));
    }
  }

  /// Finds the cell at an offset, and the periods between. Returns false if there is none.
  bool locate(const Level& level, const Vec<double, D>& cell, const Vec<int, D>& offset, Vec<index_t, D>& inside,
              Vec<int, D>& between) const {
    for (int k = 0; k < D; ++k) {
      const double c = cell[k] + offset[k], periods = std::floor(c / level.cells[k]);
      if (periods != 0 && !g_.box.wraps[k]) return false;
      inside[k] = static_cast<index_t>(c - periods * level.cells[k]);
      between[k] = static_cast<int>(periods);
    }
    return true;
  }

  /// Runs the cross-level search, Eq. 4 and 5 of 2012: visits every cell of the box x +- (r + s / 2).
  void search_across(index_t p, const Level& level, const Vec<double, D>& x) {
    CellBox<D> box;
    Vec<int, D> first{}, last{};  // images
    for (int k = 0; k < D; ++k) {
      const double widest = std::max(level.side[k], level.diameter * room);  // sides are smaller in a box below s
      const double reach = detail::search_reach(g_.radius[p] + 0.5 * g_.skin + 0.5 * widest, 0, 0);
      box.first[k] = std::floor((x[k] - reach) / level.side[k]);
      box.last[k] = std::floor((x[k] + reach) / level.side[k]);
      if (!g_.box.wraps[k]) continue;
      first[k] = static_cast<int>(std::floor(box.first[k] / level.cells[k]));
      last[k] = static_cast<int>(std::floor(box.last[k] / level.cells[k]));
    }
    work_.cells += box.cells();
    for_each_vector(first, last, [&](const Vec<int, D>& periods) { search_image(p, level, box, periods); });
  }

  void search_image(index_t p, const Level& level, const CellBox<D>& box, const Vec<int, D>& periods) {
    Vec<index_t, D> first, last;
    double cells = 1;
    for (int k = 0; k < D; ++k) {
      const double from = periods[k] * level.cells[k];
      first[k] = static_cast<index_t>(std::clamp(box.first[k] - from, 0.0, level.cells[k]));
      last[k] = static_cast<index_t>(std::clamp(box.last[k] - from, -1.0, level.cells[k] - 1));
      cells *= std::max(0, last[k] - first[k] + 1);
    }
    const detail::Shift<D> shift = detail::shift_of(g_.box, periods);
    const auto& occupied = level.table.occupied();
    if (cells <= static_cast<double>(occupied.size())) {
      for_each_vector(first, last, [&](const Vec<index_t, D>& cell) { test_cell(p, level.table.first(cell), shift); });
      return;
    }
    for (const Vec<index_t, D>& cell : occupied) {
      bool within = true;
      for (int k = 0; k < D; ++k) within = within && cell[k] >= first[k] && cell[k] <= last[k];
      if (within) test_cell(p, level.table.first(cell), shift);
    }
  }

  void test_cell(index_t p, index_t first, const detail::Shift<D>& shift) {
    for (index_t q = first; q >= 0; q = grid_.next_[q]) test(p, q, shift);
  }

  void test(index_t p, index_t q, const detail::Shift<D>& shift) {
    ++work_.tests;
    const double distance = detail::search_reach(g_.radius[p] + g_.radius[q] + g_.skin, 0, 0);
    for (int k = 0; k < D; ++k) {
      if (std::fabs(detail::separated(g_.x[k][p], g_.x[k][q], shift.by[k])) > distance) return;
    }
    ++work_.box_hits;
    if (!detail::in_contact(g_, p, q, shift) || !detail::reports(g_, p, q, shift)) return;
    ++work_.contacts;
    if (visit_) detail::report_contact(g_, p, q, shift, visit_);
  }

  const Hgrid2012& grid_;
  const GridView<D>& g_;
  const ContactVisitor& visit_;
  Hgrid2012Work work_;
};

template <int D>
std::vector<double> Hgrid2012<D>::sides() const {
  std::vector<double> sides;
  for (const Level& level : levels_) {
    double product = 1;
    for (int k = 0; k < D; ++k) product *= level.side[k];
    sides.push_back(D == 2 ? std::sqrt(product) : std::cbrt(product));
  }
  return sides;
}

template <int D>
std::vector<index_t> Hgrid2012<D>::particles() const {
  std::vector<index_t> particles;
  for (const Level& level : levels_) particles.push_back(level.particles);
  return particles;
}

template <int D>
Hgrid2012Work Hgrid2012<D>::search(const ContactVisitor& visit) const {
  Searcher searcher(*this, visit);
  for (index_t p = 0; p < count_; ++p) searcher.search(p);
  return searcher.work();
}

template class Hgrid2012<2>;
template class Hgrid2012<3>;

}  // namespace hgrid::reference
