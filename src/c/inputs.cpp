// SPDX-License-Identifier: BSD-3-Clause
#include "c/inputs.hpp"

namespace hgrid::c {
namespace {

#ifdef HGRID_HAS_CUDA
constexpr bool has_cuda = true;
#else
constexpr bool has_cuda = false;
#endif

}  // namespace

Place place_of(const hgrid_options& given) {
  if (given.device_type == Place::unset || given.device_type == Place::host) return {};
  if (given.device_type == Place::cuda && has_cuda) return {Place::cuda, given.device_id};
  refuse("device_type",
         has_cuda ? "is neither 1, the host, nor 2, CUDA" : "is not 1, the host; this library was built without CUDA",
         given.device_type, ErrorCode::unsupported);
}

GridOptions options_of(const hgrid_options& given) {
  constexpr std::int64_t most_threads = 4096;
  if (given.threads < HGRID_SERIAL || given.threads > most_threads) {
    refuse("threads", "is neither HGRID_SERIAL nor a number from 0 to 4096", given.threads);
  }
  if (given.level_count < 0 || given.level_count > max_levels) {
    refuse("level_count", "must be in 0 to 64", static_cast<double>(given.level_count), ErrorCode::invalid_levels);
  }
  if ((given.level_count > 0) != (given.levels != nullptr)) {
    refuse("levels", "is null, or level_count is 0, but not both", static_cast<double>(given.level_count));
  }
  GridOptions options;
  for (std::int64_t h = 0; h < given.level_count; ++h) {
    const hgrid_level_spec& level = given.levels[h];
    options.levels.push_back({level.radius_max, {level.cell_size[0], level.cell_size[1], level.cell_size[2]}});
  }
  options.rule = choice<Rule>(given.rule, "rule");
  options.direction = open_choice<Direction>(given.direction, "direction");
  options.keys = open_choice<KeyOrder>(given.keys, "keys");
  options.table = open_choice<TableKind>(given.table, "table");
  return options;
}

namespace {

bool are_in_columns(const hgrid_particles& given) { return !is_given(given.positions) && is_given(given.columns[0]); }

/// Takes the coordinates: `first` has all, or x if they are in columns.
template <class Real, int D>
void take_positions(const hgrid_particles& given, const Array& first, const Place& place, Particles<Real, D>& p) {
  p.count = first.size(0), p.stride = first.stride(0);
  if (!are_in_columns(given)) {
    const Real* const data = first.require(1, D).data<Real>();
    for (int k = 0; k < D; ++k) p.position[k] = p.count == 0 ? nullptr : data + k * first.stride(1);
    return;
  }
  for (int k = 0; k < D; ++k) {
    const Array column(given.columns[k], "columns", 1, place);
    column.require(0, p.count);
    if (column.stride(0) != p.stride) refuse("columns", "have strides that differ", static_cast<double>(column.stride(0)));
    p.position[k] = column.data<Real>();
  }
}

/// Returns a pointer to the array, or null if there is none.
template <class T>
const T* column_of(const hgrid_array& given, const char* name, std::int64_t n, const Place& place) {
  return is_given(given) ? Array(given, name, 1, place).require(0, n).contiguous<T>() : nullptr;
}

/// Takes the table of cut-offs and the types, or the worlds, of n particles, if there are any.
void take(const hgrid_particles& given, std::int64_t n, const Place& place, Cutoffs& to) {
  if (!is_given(given.cutoffs) && !is_given(given.types)) return;
  const Array table(given.cutoffs, "cutoffs", 2, place), types(given.types, "types", 1, place);
  table.require(1, table.size(0));
  if (table.size(0) < 1 || table.size(0) > most_types) {
    refuse("cutoffs", "must be a table of 1 to 4096 types", static_cast<double>(table.size(0)));
  }
  to = {types.require(0, n).contiguous<std::int32_t>(), table.contiguous<double>(), static_cast<index_t>(table.size(0))};
}
void take(const hgrid_particles& given, std::int64_t n, const Place& place, Worlds& to) {
  if (!is_given(given.world) && given.worlds == 0) return;
  if (given.worlds < 1 || given.worlds > most_worlds) refuse("worlds", "must be in 1 to 2^20", given.worlds);
  to = {Array(given.world, "world", 1, place).require(0, n).contiguous<std::int32_t>(), given.worlds};
}

/// Takes the radii, or the extents. An empty set needs them, too: `one` replaces its null data.
template <class Real, int D>
void take_sizes(const hgrid_particles& given, const Place& place, const Real* one, Particles<Real, D>& p) {
  if (is_given(given.extents)) {
    if (is_given(given.radii)) refuse("extents", "and radii cannot be both there: particles are boxes or spheres");
    const Array extents(given.extents, "extents", 2, place);
    const Real* const first = extents.require(0, p.count).require(1, D).template data<Real>();
    p.extent_stride = extents.stride(0);
    for (int k = 0; k < D; ++k) p.extent[k] = p.count == 0 ? one : first + k * extents.stride(1);
  } else if (is_given(given.radii) || given.radius_scale == 0) {
    const Array radii(given.radii, "radii", 1, place);
    p.radius = radii.require(0, p.count).template data<Real>(), p.radius_stride = radii.stride(0);
  } else {
    p.radius = one, p.radius_stride = 0;
  }
}

template <class Real, int D>
AnyParticles<D> particles_of_type(const hgrid_particles& given, const Array& first, const Place& place, const Real* one) {
  AnyParticles<D> any(std::in_place_type<Particles<Real, D>>);
  auto& p = *std::get_if<Particles<Real, D>>(&any);
  take_positions(given, first, place, p);
  if (p.count > most_particles) {
    refuse("positions", "are too many: ids have 32 bits", static_cast<double>(p.count), ErrorCode::too_many_particles);
  }
  take_sizes(given, place, one, p);
  p.extra = column_of<Real>(given.extra, "extra", p.count, place);
  p.group = column_of<std::int32_t>(given.group, "group", p.count, place);
  p.active = column_of<std::uint8_t>(given.active, "active", p.count, place);
  if (given.active_bits < 0 || given.active_bits > 0xff) refuse("active_bits", "must be from 0 to 255", given.active_bits);
  if (given.active_bits > 0) p.active_bits = static_cast<std::uint8_t>(given.active_bits);
  p.exclusions = exclusions_of(given, p.count, place);
  take(given, p.count, place, p.cutoffs), take(given, p.count, place, p.worlds);
  if (given.radius_scale != 0) p.radius_scale = given.radius_scale;
  if (given.ghosts < 0 || given.ghosts > p.count) {
    refuse("ghosts", "must be in 0 to the number of particles", given.ghosts, ErrorCode::size_mismatch);
  }
  if (given.ghosts > 0) p.owned = p.count - given.ghosts;
  p.nonfinite = choice<NonFinite>(given.nonfinite, "nonfinite");
  return any;
}

}  // namespace

template <class Given>
Exclusions exclusions_of(const Given& given, std::int64_t n, const Place& place) {
  const bool in_lists = is_given(given.excluded_begin) || is_given(given.excluded_ids);
  if (is_given(given.excluded_pairs)) {
    if (in_lists) refuse("excluded_pairs", "and excluded_ids cannot be both there: exclusions are pairs or lists");
    const Array pairs(given.excluded_pairs, "excluded_pairs", 2, place);
    static_assert(sizeof(Pair) == 2 * sizeof(std::int32_t) && alignof(Pair) == alignof(std::int32_t));
    return Exclusions::in_pairs(reinterpret_cast<const Pair*>(pairs.require(1, 2).contiguous<std::int32_t>()), pairs.size(0));
  }
  if (!in_lists) return {};
  const Array begin(given.excluded_begin, "excluded_begin", 1, place), ids(given.excluded_ids, "excluded_ids", 1, place);
  return Exclusions::in_lists(begin.require(0, n + 1).contiguous<std::int64_t>(), ids.contiguous<std::int32_t>(), ids.size(0));
}

template <int D>
AnyParticles<D> particles_of(const hgrid_particles* given, const Place& place, const One* one) {
  hgrid_particles room;
  const hgrid_particles& p = taken(given, "particles", room);
  const bool in_columns = are_in_columns(p);
  for (int k = 0; k < 3; ++k) {
    if (is_given(p.columns[k]) && (!in_columns || k >= D)) refuse("columns", "are more than the positions that are needed", k);
  }
  const Array first = in_columns ? Array(p.columns[0], "columns", 1, place) : Array(p.positions, "positions", 2, place);
  first.require_real();
  if (first.type() == HGRID_FLOAT32) return particles_of_type<float, D>(p, first, place, &one->single);
  return particles_of_type<double, D>(p, first, place, &one->number);
}

template <int D>
GivenRegions<D> regions_of(const hgrid_regions& given, const Place& place, const char* lower) {
  require_zero(given.reserved, "regions");
  const Array lo(given.lo, lower, 2, place);
  const bool extended = is_given(given.hi), rounded = is_given(given.radius);
  const Array hi = extended ? Array(given.hi, "hi", 2, place) : lo;
  GivenRegions<D> regions{};
  regions.count = lo.size(0);
  regions.world = column_of<std::int32_t>(given.world, "world", lo.size(0), place);
  lo.require(1, D), hi.require(1, D).require(0, lo.size(0));
  for (int k = 0; k < D; ++k) regions.lo[k] = lo.column(k), regions.hi[k] = hi.column(k);
  regions.radius.otherwise = given.one_radius;
  if (rounded) regions.radius = Array(given.radius, "radius", 1, place).require(0, lo.size(0)).column();
  if (lo.size(0) > most_particles) {
    refuse(lower, "has more rows than numbers of 32 bits; ask for some at a time", static_cast<double>(lo.size(0)),
           ErrorCode::capacity);
  }
  return regions;
}

template Exclusions exclusions_of(const hgrid_question&, std::int64_t, const Place&);
template AnyParticles<2> particles_of<2>(const hgrid_particles*, const Place&, const One*);
template AnyParticles<3> particles_of<3>(const hgrid_particles*, const Place&, const One*);
template GivenRegions<2> regions_of<2>(const hgrid_regions&, const Place&, const char*);
template GivenRegions<3> regions_of<3>(const hgrid_regions&, const Place&, const char*);

}  // namespace hgrid::c
