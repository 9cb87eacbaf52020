// SPDX-License-Identifier: BSD-3-Clause
#include "search_grid.hpp"

#include <algorithm>
#include <stdexcept>
#include <string>

namespace hgrid::tool {
namespace {

/// Throws the error of a C API call unchanged.
void check(int status) {
  if (status == HGRID_OK) return;
  hgrid_error e{};
  e.struct_size = sizeof e;
  hgrid_last_error(&e);
  const std::string message = e.message;  // begins with the name of the status
  const std::string what = message.substr(message.find(": ") + 2);
  if (status == HGRID_ERROR_INTERNAL) throw std::runtime_error(what);
  throw Error(static_cast<ErrorCode>(status - 1), what, {e.argument, e.index, e.value, e.count, e.needed});
}

/// Returns a struct of the C API with its size.
template <class T>
T sized() {
  T s{};
  s.struct_size = sizeof s;
  return s;
}

/// Returns an optional choice as a number: 0 if it is left open, choices count from 1.
template <class Enum>
int number_of(const std::optional<Enum>& choice) {
  return choice ? 1 + static_cast<int>(*choice) : 0;
}

/// A box of the C API, and the data to which it points.
struct DoorBox {
  DoorBox(const GivenBox& given, int dimension) : is_open(given.is_open()) {
    const auto& [lo, hi, tilt, along] = given.bounds;
    for (int j = 0; j < dimension; ++j) {
      const auto axis = static_cast<std::size_t>(j);
      box.periodic[j] = given.periodic[axis], box.lo[j] = lo[axis];
      if (!along) box.hi[j] = hi[axis];
      for (int k = 0; k < dimension && along; ++k) vectors[j * dimension + k] = (*along)[axis][static_cast<std::size_t>(k)];
    }
    if (along) {
      box.vectors = vectors;
      return;
    }
    if (given.periodic[1]) box.tilt[0] = tilt[0];  // the C API refuses tilts of the vectors of open axes
    if (given.periodic[2] && dimension == 3) box.tilt[1] = tilt[1], box.tilt[2] = tilt[2];
  }
  DoorBox(const DoorBox&) = delete;

  const hgrid_box* given() const { return is_open ? nullptr : &box; }

  bool is_open;
  hgrid_box box = sized<hgrid_box>();
  double vectors[9];
};

}  // namespace

SearchGrid::SearchGrid(const GridSpec& spec)
    : dimension_(spec.dimension),
      on_host_(spec.backend != Backend::cuda),
      single_(spec.single_precision),
      gathers_(spec.options.rule == Rule::gather) {
  std::vector<hgrid_level_spec> levels;
  for (const auto& [radius, size] : spec.options.levels) levels.push_back({radius, {size[0], size[1], size[2]}});
  auto options = sized<hgrid_options>();
  options.dimension = dimension_;
  options.threads = spec.backend == Backend::openmp ? spec.threads : HGRID_SERIAL;
  options.rule = static_cast<int>(spec.options.rule);
  options.direction = number_of(spec.options.direction), options.keys = number_of(spec.options.keys);
  options.table = number_of(spec.options.table);
  options.device_type = on_host_ ? 1 : 2;  // DLPack's numbers
  if (!levels.empty()) options.levels = levels.data(), options.level_count = std::ssize(levels);
  const DoorBox box(spec.box, dimension_);
  hgrid_grid* grid = nullptr;
  check(hgrid_create(&options, box.given(), &grid));
  grid_.reset(grid);
}

void SearchGrid::watch(const hgrid_watch& watch) { check(hgrid_set_watch(grid_.get(), &watch)); }

void SearchGrid::take(const Particles<double, 3>& columns, std::span<const OptionalArray> optional) {
  const std::int64_t n = columns.count;
  there_.clear(), converted_.clear();
  particles_ = sized<hgrid_particles>();
  for (int k = 0; k < dimension_; ++k) particles_.columns[k] = brought_reals(columns.position[k], n);
  if (columns.has_extents()) {  // the C API takes them as rows
    const auto d = static_cast<std::size_t>(dimension_);
    extents_.resize(static_cast<std::size_t>(n) * d);
    for (std::size_t k = 0; k < extents_.size(); ++k) extents_[k] = columns.extent[k % d][k / d];
    particles_.extents = brought_reals(extents_.data(), n, dimension_);
  } else {
    particles_.radii = brought_reals(columns.radius, n);
  }
  const Exclusions& e = columns.exclusions;
  if (e.size > 0) particles_.excluded_pairs = brought(e.pairs, HGRID_INT32, e.size, 2);
  for (const auto& [column, numbers, count] : optional) {
    if (count == 0) continue;
    particles_.*column->numbers = brought(numbers.data(), HGRID_INT32, n);
    if (column->count != nullptr) particles_.*column->count = count;
  }
}

void SearchGrid::build(double skin) {
  check(hgrid_build(grid_.get(), &particles_, skin));
  check(hgrid_wait(grid_.get()));
}

offset_t SearchGrid::count() {
  if (gathers_) return list();
  offset_t contacts = 0;
  check(hgrid_count(grid_.get(), &contacts));
  return contacts;
}

offset_t SearchGrid::list(Order order) {
  if (gathers_) {
    neighbours_ = sized<hgrid_neighbour_list>();
    check(hgrid_neighbours(grid_.get(), HGRID_FULL, &neighbours_));
    return neighbours_.size;
  }
  pairs_ = sized<hgrid_pair_list>();
  check(hgrid_pairs(grid_.get(), static_cast<int>(order), &pairs_));
  return pairs_.size;
}

PairColumns<const index_t> SearchGrid::found() {
  if (!gathers_) {
    if (pairs_.size == 0) return {};
    const std::int32_t* const ids = here(ids_, pairs_.pairs, 2 * pairs_.size);
    return {ids, ids + 1, 2, images_here(pairs_.images, pairs_.size), pairs_.size};
  }
  const std::int64_t* const offsets = here(offsets_, neighbours_.offsets, neighbours_.lists + 1);
  const std::int32_t* const ids = here(ids_, neighbours_.neighbours, neighbours_.size);
  gathered_.clear();
  for (index_t i = 0; i < neighbours_.lists; ++i) {
    for (offset_t k = offsets[i]; k < offsets[i + 1]; ++k) gathered_.push_back({i, ids[k]});
  }
  return columns_of(gathered_.data(), images_here(neighbours_.images, neighbours_.size), neighbours_.size);
}

hgrid_plan_report SearchGrid::plan() {
  auto report = sized<hgrid_plan_report>();
  check(hgrid_plan(grid_.get(), &report));
  return report;
}

std::vector<LevelReport> SearchGrid::levels() {
  std::vector<LevelReport> levels;
  for (int h = 0, count = plan().levels; h < count; ++h) {
    auto l = sized<hgrid_level_report>();
    check(hgrid_level(grid_.get(), h, &l));
    const double* const cell = l.cell_size;
    const double* const e = l.extent_max;
    levels.push_back(
        {l.radius_max, l.radius_bound, {cell[0], cell[1], cell[2]}, static_cast<index_t>(l.particles), {e[0], e[1], e[2]}});
  }
  return levels;
}

WorkCount SearchGrid::work() {
  auto report = sized<hgrid_work_report>();
  check(hgrid_work(grid_.get(), &report));
  return {report.candidates, report.rows};
}

/// Returns an array [n], or [n][m], in the memory where the grid works.
hgrid_array SearchGrid::brought(const void* numbers, int type, std::int64_t n, std::int64_t m) {
  const auto array_at = [&](const void* at) { return m == 0 ? hgrid_array_1d(at, type, n) : hgrid_array_2d(at, type, n, m); };
  if (on_host_) return array_at(numbers);
  const std::int64_t bytes = n * std::max<std::int64_t>(m, 1) * (type % 256 / 8);
  hgrid_memory* memory = nullptr;
  void* there = nullptr;
  check(hgrid_allocate(grid_.get(), bytes, &memory, &there));
  there_.emplace_back(memory);
  check(hgrid_copy(grid_.get(), there, numbers, bytes, HGRID_FROM_HOST));
  return hgrid_array_on(array_at(there), 0, 0);  // where the grid works
}

hgrid_array SearchGrid::brought_reals(const double* values, std::int64_t n, std::int64_t m) {
  if (!single_) return brought(values, HGRID_FLOAT64, n, m);
  std::vector<float>& single = converted_.emplace_back(static_cast<std::size_t>(n * std::max<std::int64_t>(m, 1)));
  std::transform(values, values + single.size(), single.begin(), [](double v) { return static_cast<float>(v); });
  return brought(single.data(), HGRID_FLOAT32, n, m);
}

/// Returns numbers of a list in host memory.
template <class T>
const T* SearchGrid::here(std::vector<T>& memory, const T* there, std::int64_t n) {
  if (on_host_ || there == nullptr) return there;
  memory.resize(static_cast<std::size_t>(n));
  check(hgrid_copy(grid_.get(), memory.data(), there, n * static_cast<std::int64_t>(sizeof(T)), HGRID_TO_HOST));
  return memory.data();
}

const Image* SearchGrid::images_here(const std::int32_t* there, std::int64_t n) {
  static_assert(sizeof(Image) == 3 * sizeof(std::int32_t) && alignof(Image) == alignof(std::int32_t));
  return reinterpret_cast<const Image*>(here(images_, there, 3 * n));
}

}  // namespace hgrid::tool
