// SPDX-License-Identifier: BSD-3-Clause
#include "papers/systems/cell_space.hpp"

#include <algorithm>

namespace hgrid::reference {
namespace {

double norm(const double* v, int count) {
  double sum = 0;
  for (int k = 0; k < count; ++k) sum = std::hypot(sum, v[k]);
  return sum;
}

[[noreturn]] void refuse(ErrorCode code, std::size_t piece, const std::string& what, double value) {
  throw Error(code, what + " of piece " + std::to_string(piece) + ": " + detail::to_text(value),
              {.argument = "pieces", .index = static_cast<std::int64_t>(piece), .value = value});
}

void check_option(const char* name, double value) {
  if (value >= 0 && value <= largest_length) return;
  throw Error(ErrorCode::invalid_argument, std::string(name) + " " + detail::to_text(value) + " is not in [0, 1e15]",
              {.argument = name, .value = value});
}

}  // namespace

template <int D>
CellSpace<D>::CellSpace(const CellSpaceOptions<D>& options) : options_(options), exec_(options.threads) {
  check_option("velocity", options.velocity);
  check_option("extent", options.extent);
  check_option("constant", options.constant);
  check_option("timestep", options.timestep);
  check_option("interaction", options.interaction);
  if (!(options.parents >= 1 && options.parents <= 1e8)) check_option("parents", -options.parents);
  if (options.refinement.target < 1) check_option("refinement.target", options.refinement.target - 1);
  // Cells smaller than the pieces would list each piece many times.
  if (!(options.refinement.factor >= 1)) check_option("refinement.factor", options.refinement.factor - 1);
}

template <int D>
void CellSpace<D>::check(std::span<const Piece<D>> pieces) const {
  if (pieces.size() > static_cast<std::size_t>(most_particles)) {
    throw Error(ErrorCode::too_many_particles, "ids are 32-bit: at most 2147475455 pieces");
  }
  for (std::size_t i = 0; i < pieces.size(); ++i) {
    for (int v = 0; v < pieces[i].vertices; ++v) {
      for (int k = 0; k < D; ++k) {
        const double x = pieces[i].vertex[v][k];
        if (!std::isfinite(x)) refuse(ErrorCode::nonfinite, i, "vertex", x);
        if (std::fabs(x) > largest_length) refuse(ErrorCode::range_error, i, "vertex", x);
      }
    }
    const double speed = norm(pieces[i].velocity.v, D), radius = pieces[i].radius;
    if (!std::isfinite(radius)) refuse(ErrorCode::nonfinite, i, "radius", radius);
    if (radius < 0) refuse(ErrorCode::negative_radius, i, "radius", radius);
    if (radius > 2 * largest_length) refuse(ErrorCode::range_error, i, "radius", radius);
    if (!std::isfinite(speed)) refuse(ErrorCode::nonfinite, i, "velocity", speed);
  }
}

template <int D>
void CellSpace<D>::make_space(std::span<const Piece<D>> pieces) {
  if (space_ || pieces.empty()) return;
  Bounds<D> domain = options_.domain.value_or(minimum_extent(pieces[0]));
  for (std::size_t i = 0; i < pieces.size() && !options_.domain; ++i) {
    const Bounds<D> extent = minimum_extent(pieces[i]);
    for (int k = 0; k < D; ++k) {
      domain.lo[k] = std::fmin(domain.lo[k], extent.lo[k]);
      domain.hi[k] = std::fmax(domain.hi[k], extent.hi[k]);
    }
  }
  space_.emplace(domain, options_.parents);
}

// Eq. 1, and the cell extent of Fig. 2 out to the conformal surface of Fig. 3.
template <int D>
MappedPiece<D> CellSpace<D>::map(const Piece<D>& piece) const {
  MappedPiece<D> m{piece};
  m.tolerance = options_.velocity * norm(piece.velocity.v, D) * options_.timestep + options_.extent * size_measure(piece) +
                options_.constant;
  m.cell_extent = minimum_extent(piece);
  double coordinates = piece.radius;
  for (int k = 0; k < D; ++k) {
    coordinates += std::fabs(m.cell_extent.lo[k]) + std::fabs(m.cell_extent.hi[k]);
  }
  m.distance = 2 * m.tolerance + 0.5 * options_.interaction + 0x1p-46 * coordinates;
  m.extent_size = 1;
  for (int k = 0; k < D; ++k) {
    m.cell_extent.lo[k] -= m.distance;
    m.cell_extent.hi[k] += m.distance;
    m.extent_size *= m.cell_extent.hi[k] - m.cell_extent.lo[k];
  }
  return m;
}

template <int D>
void CellSpace<D>::update(std::span<const Piece<D>> pieces) {
  check(pieces);
  make_space(pieces);
  const std::size_t before = mapped_.size(), after = pieces.size();
  std::vector<std::uint8_t> is_dirty(after);
  exec_.for_each("cell_space::mark", static_cast<offset_t>(after), [&](offset_t id) {
    const auto i = static_cast<std::size_t>(id);
    const bool known = i < before && mapped_[i].piece.vertices == pieces[i].vertices;
    is_dirty[i] = !known || mapped_[i].piece.radius != pieces[i].radius ||
                  largest_movement(mapped_[i].piece, pieces[i]) > mapped_[i].tolerance;
  });
  dirty_.clear();
  for (std::size_t i = 0; i < after; ++i) {
    if (is_dirty[i]) dirty_.push_back(static_cast<index_t>(i));
  }

  std::vector<MappedPiece<D>> old = mapped_;
  mapped_.resize(after);
  cells_.resize(std::max(before, after));
  next_cells_.assign(std::max(before, after), {});
  exec_.for_each("cell_space::map", static_cast<offset_t>(dirty_.size()), [&](offset_t k) {
    const auto i = static_cast<std::size_t>(dirty_[static_cast<std::size_t>(k)]);
    mapped_[i] = map(pieces[i]);
    space_->for_each_cell_of(mapped_[i], [&](index_t cell) { next_cells_[i].push_back(cell); });
  });
  change_lists(changes(before, after), old);
  for (const index_t i : dirty_) {
    cells_[static_cast<std::size_t>(i)].swap(next_cells_[static_cast<std::size_t>(i)]);
    counts_.mapped += static_cast<std::int64_t>(cells_[static_cast<std::size_t>(i)].size());
  }
  cells_.resize(after);
  counts_.pieces = static_cast<std::int64_t>(after);
  counts_.dirty += static_cast<std::int64_t>(dirty_.size());
}

// Returns changes that take dirty pieces out of their old cells and into the new ones, and remove pieces that no longer exist.
template <int D>
std::vector<typename CellSpace<D>::Change> CellSpace<D>::changes(std::size_t before, std::size_t after) const {
  std::vector<Change> list;
  const auto leave = [&](std::size_t i) {
    for (const index_t cell : cells_[i]) list.push_back({cell, static_cast<index_t>(i), false});
  };
  for (const index_t i : dirty_) {
    if (static_cast<std::size_t>(i) < before) leave(static_cast<std::size_t>(i));
    for (const index_t cell : next_cells_[static_cast<std::size_t>(i)]) list.push_back({cell, i, true});
  }
  for (std::size_t i = after; i < before; ++i) leave(i);
  std::stable_sort(list.begin(), list.end(), [](const Change& a, const Change& b) { return a.cell < b.cell; });
  return list;
}

template <int D>
void CellSpace<D>::change_lists(const std::vector<Change>& changes, const std::vector<MappedPiece<D>>& before) {
  std::vector<std::size_t> begin;  // of the changes of one parent cell
  for (std::size_t k = 0; k < changes.size(); ++k) {
    if (k == 0 || changes[k].cell != changes[k - 1].cell) begin.push_back(k);
  }
  begin.push_back(changes.size());
  std::vector<RefinementCounts> counts(begin.size());
  exec_.for_each("cell_space::change", static_cast<offset_t>(begin.size()) - 1, [&](offset_t n) {
    const auto run = static_cast<std::size_t>(n);
    for (std::size_t k = begin[run]; k < begin[run + 1]; ++k) {
      const Change& c = changes[k];
      const auto i = static_cast<std::size_t>(c.piece);
      c.insert ? space_->insert(c.cell, c.piece, mapped_[i]) : space_->erase(c.cell, c.piece, before[i]);
    }
    space_->settle(changes[begin[run]].cell, mapped_, options_.refinement, counts[run]);
  });
  for (const RefinementCounts& c : counts) counts_.refined += c.refined, counts_.unrefined += c.unrefined;
}

namespace {

// Returns the number of parent cells. Cells smaller than the pieces list each piece many times: if a few large bodies, or the
// many images of a small periodic box, fill the space, there are fewer parents.
template <int D>
double useful_parents(const Bodies<D>& bodies, double wanted) {
  double mean = 0, cells = 1;
  for (index_t b = 0; b < bodies.size(); ++b) mean += 2 * bodies.reach(b) / bodies.size();
  for (int k = 0; k < D && mean > 0; ++k) cells *= 1 + (bodies.bounds().hi[k] - bodies.bounds().lo[k]) / mean;
  return std::fmin(wanted, cells);
}

}  // namespace

template <int D>
Contacts cell_space(const Bodies<D>& bodies, const CellSpaceOptions<D>& asked) {
  CellSpaceOptions<D> options = asked;
  options.parents = useful_parents(bodies, asked.parents);
  std::vector<Piece<D>> pieces;
  for (index_t b = 0; b < bodies.size(); ++b) pieces.push_back(ball(bodies.position(b), bodies.reach(b)));
  CellSpace<D> space(options);
  space.update(pieces);
  Contacts found;
  PairTester<D> pairs(bodies, found);
  space.for_each_pair([&](index_t a, index_t b) { pairs.test(a, b); });

  const CellSpaceCounts& counts = space.counts();
  const auto parents = pieces.empty() ? 0 : static_cast<std::int64_t>(space.parents().cells().size());
  found.counters = {{"tests", pairs.tests()}, {"dirty", counts.dirty},     {"mapped", counts.mapped},
                    {"parents", parents},     {"refined", counts.refined}, {"unrefined", counts.unrefined}};
  return found;
}

template class CellSpace<2>;
template class CellSpace<3>;
template Contacts cell_space(const Bodies<2>&, const CellSpaceOptions<2>&);
template Contacts cell_space(const Bodies<3>&, const CellSpaceOptions<3>&);

}  // namespace hgrid::reference
