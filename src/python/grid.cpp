// SPDX-License-Identifier: BSD-3-Clause
#include "python/grid.hpp"

namespace hgrid::python {

Grid::Grid(const std::string& library, int device_id, std::uintptr_t stream, int dimension, const HeldBox* box, int threads,
           std::array<int, 4> rule_direction_keys_table, const std::vector<std::vector<double>>& levels)
    : place_{library.empty() ? own_door() : door_of(library), library.empty() ? 1 : 2, device_id} {
  auto options = sized<hgrid_options>();
  options.dimension = dimension, options.threads = threads;
  options.rule = rule_direction_keys_table[0], options.direction = rule_direction_keys_table[1];
  options.keys = rule_direction_keys_table[2], options.table = rule_direction_keys_table[3];
  options.device_type = place_.device_type, options.device_id = device_id;
  options.stream = reinterpret_cast<void*>(stream);
  std::vector<hgrid_level_spec> specs;
  for (const std::vector<double>& level : levels) {
    hgrid_level_spec spec{level.at(0), {}};
    for (std::size_t k = 0; k < 3 && k + 1 < level.size(); ++k) spec.cell_size[k] = level[k + 1];
    specs.push_back(spec);
  }
  options.levels = specs.empty() ? nullptr : specs.data(), options.level_count = static_cast<std::int64_t>(specs.size());
  const hgrid_box given = box != nullptr ? box->get() : sized<hgrid_box>();
  door().require(door().create(&options, &given, &grid_));
  try {
    const hgrid_watch watch = interrupts_.watch();
    door().require(door().set_watch(grid_, &watch));
    static double none = 0;
    place_.nothing_at = &none;
    if (place_.device_type != 1) std::tie(place_.nothing_at, place_.nothing) = allocate(sizeof none);
  } catch (...) {
    door().destroy(grid_);
    throw;
  }
}

void Grid::build(std::shared_ptr<const HeldParticles> particles, double skin) {
  run([&] {
    door().require(door().build(grid_, &particles->get(), skin));
    door().require(door().generation(grid_, &generation_));
    built_.swap(particles);
  });
}

void Grid::forget() {
  std::shared_ptr<const HeldParticles> last;  // destroyed while Python's lock is held
  run([&] { built_.swap(last); });
}

const hgrid_particles& Grid::built() const {
  std::uint64_t now = 0;
  door().require(door().generation(grid_, &now));
  if (now == 0) throw DoorError{.code = "not_built", .message = "the grid is not built"};
  if (built_ == nullptr || now != generation_) {
    throw DoorError{.code = "stale",
                    .message = "a Verlet list built this grid; distances are known of the grid's own build only",
                    .argument = "quantities"};
  }
  return built_->get();
}

Memory Grid::keep() const {
  hgrid_memory* memory = nullptr;
  door().require(door().keep(grid_, &memory));
  return owned(memory);
}

std::pair<void*, Memory> Grid::allocate(std::int64_t bytes, std::int64_t times) const {
  hgrid_memory* memory = nullptr;
  void* data = nullptr;
  std::int64_t all = 0;
  if (__builtin_mul_overflow(bytes, times, &all)) all = INT64_MAX / 2;
  door().require(door().allocate(grid_, all, &memory, &data));
  return {data, owned(memory)};
}

std::pair<void*, Memory> Grid::zeros(std::int64_t bytes) const {
  void* scratch = nullptr;
  door().require(door().scratch(grid_, bytes, &scratch));
  auto to = allocate(bytes);
  door().require(door().copy(grid_, to.first, scratch, bytes, HGRID_WITHIN));
  return to;
}

}  // namespace hgrid::python
