// SPDX-License-Identifier: BSD-3-Clause
#include "papers/systems/linked_cell.hpp"

#include "papers/systems/lattice.hpp"

namespace hgrid::reference {
namespace {

// Eq. 2 with a_k = L_k / m_k; a lattice of more cells than 8 per body would cost more than it saves.
template <int D>
Lattice<D> make_lattice(const Bodies<D>& bodies, const LinkedCellOptions<D>& options) {
  const Bounds<D> space = options.space.value_or(bodies.bounds());
  const double diameter = 2 * bodies.largest_reach(), most = 8.0 * bodies.size() + 64;
  const double cells = options.cell_size > 0 ? most : std::min(most, bodies.size() / options.per_cell);
  const double side = cell_side(space, cells);
  Lattice<D> lattice{};
  for (int k = 0; k < D; ++k) {
    const double length = space.hi[k] - space.lo[k];
    double m = length > 0 ? length / std::max(options.cell_size, side) : 1;
    m = options.cell_size > 0 ? std::floor(m) : std::round(m);
    m = std::clamp(std::floor(std::min(m, length / diameter)), 1.0, static_cast<double>(most_cells_per_axis));
    lattice.origin[k] = space.lo[k];
    lattice.cells[k] = static_cast<index_t>(m);
    lattice.cell_size[k] = std::max(length / m, diameter);
  }
  return lattice;
}

template <int D>
void check(const Bodies<D>& bodies, const LinkedCellOptions<D>& options) {
  if (options.space) require_inside(bodies, *options.space);
  if (!(options.per_cell > 0)) {
    throw Error(ErrorCode::invalid_argument, "per_cell must be positive", {.argument = "per_cell", .value = options.per_cell});
  }
  double diameter = 0;
  const GridView<D> slots = bodies.slots();
  for (index_t b = 0; b < bodies.originals(); ++b) diameter = std::max(diameter, 2 * slots.radius[b] + slots.skin);
  if (options.cell_size != 0 && !(options.cell_size >= diameter)) {
    throw Error(ErrorCode::invalid_argument,
                "cell_size " + detail::to_text(options.cell_size) + " is below the largest diameter " +
                    detail::to_text(diameter) + " (Eq. 2 of the method)",
                {.argument = "cell_size", .value = options.cell_size});
  }
}

// The header matrix (n_cell) and the linked-list matrix (np) of 003; -1 ends a list.
template <int D>
class CellLists {
 public:
  CellLists(const Bodies<D>& bodies, const Lattice<D>& lattice)
      : lattice_(lattice),
        header_(static_cast<std::size_t>(lattice.size()), -1),
        next_(static_cast<std::size_t>(bodies.size()), -1) {
    for (index_t b = bodies.size() - 1; b >= 0; --b) {
      index_t& head = header_[linear(cell_of(bodies, b))];
      next_[static_cast<std::size_t>(b)] = head;
      head = b;
    }
  }

  Vec<index_t, D> cell_of(const Bodies<D>& bodies, index_t b) const {
    Vec<index_t, D> cell;
    for (int k = 0; k < D; ++k) cell[k] = lattice_.cell(k, bodies.x(k, b));
    return cell;
  }

  bool holds(const Vec<index_t, D>& cell) const {
    bool inside = true;
    for (int k = 0; k < D; ++k) inside = inside && cell[k] >= 0 && cell[k] < lattice_.cells[k];
    return inside;
  }

  index_t first(const Vec<index_t, D>& cell) const { return header_[linear(cell)]; }
  index_t next(index_t b) const { return next_[static_cast<std::size_t>(b)]; }

 private:
  std::size_t linear(const Vec<index_t, D>& cell) const {
    std::size_t i = 0;
    for (int k = D - 1; k >= 0; --k) i = i * static_cast<std::size_t>(lattice_.cells[k]) + static_cast<std::size_t>(cell[k]);
    return i;
  }

  Lattice<D> lattice_;
  std::vector<index_t> header_, next_;
};

// Returns half of the 3^D - 1 neighbors: the ones after the cell itself in row-major order.
template <int D>
std::vector<Vec<index_t, D>> half_neighbourhood() {
  std::vector<Vec<index_t, D>> offsets;
  int count = 1;
  for (int k = 0; k < D; ++k) count *= 3;
  for (int n = count / 2 + 1; n < count; ++n) {
    Vec<index_t, D> offset;
    for (int k = 0, rest = n; k < D; ++k, rest /= 3) offset[k] = rest % 3 - 1;
    offsets.push_back(offset);
  }
  return offsets;
}

}  // namespace

template <int D>
Contacts linked_cell(const Bodies<D>& bodies, const LinkedCellOptions<D>& options) {
  check(bodies, options);
  const Lattice<D> lattice = make_lattice(bodies, options);
  const CellLists<D> lists(bodies, lattice);
  const auto neighbours = half_neighbourhood<D>();
  Contacts found;
  PairTester<D> pairs(bodies, found);
  for (index_t a = 0; a < bodies.size(); ++a) {
    for (index_t b = lists.next(a); b >= 0; b = lists.next(b)) pairs.test(a, b);
    const Vec<index_t, D> own = lists.cell_of(bodies, a);
    for (const Vec<index_t, D>& offset : neighbours) {
      Vec<index_t, D> cell;
      for (int k = 0; k < D; ++k) cell[k] = own[k] + offset[k];
      if (!lists.holds(cell)) continue;
      for (index_t b = lists.first(cell); b >= 0; b = lists.next(b)) pairs.test(a, b);
    }
  }
  found.counters = {{"tests", pairs.tests()}, {"cells", lattice.size()}};
  return found;
}

template Contacts linked_cell(const Bodies<2>&, const LinkedCellOptions<2>&);
template Contacts linked_cell(const Bodies<3>&, const LinkedCellOptions<3>&);

}  // namespace hgrid::reference
