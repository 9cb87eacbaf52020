// SPDX-License-Identifier: BSD-3-Clause
// The time loop: all calls of hgrid between two steps are here.
#pragma once

#include <chrono>

#include "motion.hpp"
#include "hgrid/loop.hpp"
#include "hgrid/queries.hpp"

namespace dem {

/// Seconds spent in the parts of a step, for comparisons.
struct Seconds {
  double detection = 0, forces = 0, motion = 0;
};

/// A kernel that runs only if a condition holds, which the device knows.
template <class When, class Each>
struct While {
  When when;
  Each each;
  HGRID_HD void operator()(offset_t i) const {
    if (when.holds()) each(i);
  }
};
template <class When, class Each>
While(When, Each) -> While<When, Each>;
struct Always {
  HGRID_HD bool holds() const { return true; }
};

template <class Exec, int D>
class Simulation {
 public:
  Simulation(const Exec& exec, const World<D>& world, offset_t n, const hgrid::VerletOptions& list,
             const hgrid::GridOptions& grid = {})
      : exec_(exec), world_(world), particles_(exec, n), grid_(exec, world.box, ruled(grid, world)), list_(grid_, full(list)),
        springs_(exec), plane_springs_(exec, n), bonds_(exec), energy_(exec, 1) {
    plane_springs_.set(std::vector<PlaneSprings<D>>(static_cast<std::size_t>(n)));
  }

  Storage<Exec, D>& particles() { return particles_; }
  Bonds<Exec>& bonds() { return bonds_; }
  hgrid::Grid<Exec, D>& grid() { return grid_; }
  const hgrid::VerletList<Exec, D>& list() const { return list_; }
  const World<D>& world() const { return world_; }
  const Seconds& seconds() const { return seconds_; }

  // [docs: step]
  /// One step of velocity Verlet. Returns whether the list is a new one.
  bool step() {
    begin_step();
    const bool rebuilt = find_neighbours();
    end_step();
    return rebuilt;
  }
  void begin_step() {
    if (list_.counters().builds == 0) prepare();
    timed(seconds_.motion, [&] { exec_.for_each("dem::kick_drift", count(), Kick<D>{view(), world_.dt, true}); });
    shear();  // the box, if an option says so
  }
  void end_step() {
    timed(seconds_.forces, [&] { sum_forces(Always{}); });
    timed(seconds_.motion, [&] { exec_.for_each("dem::kick", count(), Kick<D>{view(), world_.dt, false}); });
  }

  /// Checks the list, and builds it again where particles have used up the skin. The springs follow their pairs.
  bool find_neighbours() {
    bool rebuilt = false;
    timed(seconds_.detection, [&] { rebuilt = list_.update(spheres(), springs_); });
    return rebuilt;
  }
  // [docs: end]

  /// Enqueues the steps from the drift of one step to the drift of the next, on a device in a CUDA graph: nothing moves while
  /// the list lacks contacts.
  void enqueue_step() {
    list_.enqueue_update(spheres(), springs_);
    const auto whole = list_.guard();
    sum_forces(whole);
    exec_.for_each("dem::kick", count(), While{whole, Kick<D>{view(), world_.dt, false}});
    exec_.for_each("dem::kick_drift", count(), While{whole, Kick<D>{view(), world_.dt, true}});
  }
  /// Learns from the device which replays ran, and builds the list where they could not. Returns whether the graph must be
  /// captured again.
  bool wait() { return list_.wait(spheres(), springs_); }

  // [docs: shear]
  /// Lees and Edwards (1972): the images across y go on along x. Positions stay unwrapped, and so pairs keep their images.
  void shear() {
    if (world_.shear == 0) return;
    offset_ += world_.shear * world_.box.length(1) * world_.dt;
    world_.box = hgrid::sheared(world_.box, offset_);
    grid_.set_box(world_.box);
  }
  // [docs: end]

  // [docs: sort]
  /// Sorts the particles along the grid, so that neighbors lie close in memory. Ids change.
  void sort() {
    if (list_.counters().builds == 0) prepare();
    order_.take(grid_);
    particles_.sort(order_);
    plane_springs_.sort(order_);
    bonds_.sort(order_);
    list_.build(spheres(), {order_.old_id()}, springs_);
  }
  // [docs: end]

  // [docs: insert]
  /// Lets in the particles that touch nothing, and returns their number. The grid must be of positions as they are now; the
  /// next update builds a list of all.
  offset_t insert(const std::vector<Grain<D>>& grains) {
    if (list_.counters().builds == 0) prepare();
    list_.build(spheres(), springs_);
    hgrid::Insertions insertions{grid_};
    std::vector<Grain<D>> free;
    for (const Grain<D>& grain : grains) {
      if (insertions.insert_if_free(grain.x, grain.radius)) free.push_back(grain);
    }
    particles_.append(free, world_.gravity);
    plane_springs_.append(std::vector<PlaneSprings<D>>(free.size()));
    bonds_.append(free.size());
    return static_cast<offset_t>(free.size());
  }
  // [docs: end]

  // [docs: checkpoint]
  /// All that the next step needs, on a host or a device: the library's part, springs of pairs and planes, bonds, particles.
  std::vector<Bytes> save() {
    std::vector<Bytes> blocks = {hgrid::save(list_), hgrid::save(springs_), plane_springs_.save()};
    for (Bytes& block : bonds_.save()) blocks.push_back(std::move(block));
    particles_.each([&](auto& column) { blocks.push_back(column.save()); });
    blocks.push_back(bytes_of(std::vector<double>{offset_}));
    return blocks;
  }
  void restore(const std::vector<Bytes>& blocks) {
    hgrid::restore(list_, blocks.at(0));
    hgrid::restore(springs_, blocks.at(1));
    const auto n = static_cast<offset_t>(blocks.at(6).size() / sizeof(Vec<double, D>));
    plane_springs_.restore(blocks.at(2), n);
    bonds_.restore(&blocks.at(3), n);
    offset_ = values_of<double>(blocks.at(13), 1).front();
    particles_.restore(&blocks.at(6), n);
    if (world_.shear != 0) world_.box = hgrid::sheared(world_.box, offset_);
  }
  // [docs: end]

  Energy energy() {
    if (list_.counters().builds == 0) prepare();
    exec_.reduce("dem::energy", count(), AddEnergy<D>{world_, view(), neighbours(), bonds_.view()}, Energy{}, energy_.data());
    return exec_.read_back(energy_.data());
  }

  // [docs: spheres]
  /// The particles as hgrid takes them.
  hgrid::Particles<double, D> spheres() {
    auto p = hgrid::particles<D>(particles_.x.data()->v, static_cast<const double*>(particles_.radius.data()), count());
    p.exclusions = bonds_.exclusions();
    if (world_.material.attraction != 0) p.radius_scale = attraction_range * (1 + 1e-9);  // rounding loses no force
    return p;
  }
  // [docs: end]

 private:
  static hgrid::VerletOptions full(hgrid::VerletOptions options) {  // rows of all partners: no atomics in the forces
    options.kind = hgrid::ListKind::full;
    return options;
  }

  // [docs: rule]
  /// Attraction is within the larger of two ranges, which are the radii that the grid is told of.
  static hgrid::GridOptions ruled(hgrid::GridOptions options, const World<D>& world) {
    if (world.material.attraction != 0) options.rule = hgrid::Rule::max;
    return options;
  }
  // [docs: end]

  void prepare() {
    find_neighbours();
    sum_forces(Always{});
  }

  template <class When>
  void sum_forces(const When& when) {
    const offset_t rows = Exec::on_host ? 64 : 1;  // per block
    exec_.for_each_item("dem::sum_forces", (count() + rows - 1) / rows,
                         While{when, SumForces<D>{world_, view(), neighbours(), bonds_.view(), rows}});
  }

  offset_t count() const { return particles_.count; }
  Particles<D> view() { return particles_.view(); }
  Neighbours<D> neighbours() {
    const auto& l = list_.neighbours();
    return {l.offsets(), l.neighbours(), l.images(), springs_.data(), plane_springs_.data()->spring};
  }

  template <class F>
  static void timed(double& sum, const F& f) {
    const auto start = std::chrono::steady_clock::now();
    f();
    sum += std::chrono::duration<double>(std::chrono::steady_clock::now() - start).count();
  }

  Exec exec_;
  World<D> world_;
  double offset_ = 0;  // offset of the images across y
  Storage<Exec, D> particles_;
  // [docs: members]
  hgrid::Grid<Exec, D> grid_;                         // {exec, box}
  hgrid::VerletList<Exec, D> list_;                   // {grid, VerletOptions}; rows of half lists by default
  hgrid::PairArray<Exec, Vec<double, D>> springs_;    // {exec}: a value for each entry of the list's rows
  // [docs: end]
  Column<Exec, PlaneSprings<D>> plane_springs_;
  Bonds<Exec> bonds_;
  hgrid::Reordering<Exec> order_{exec_};
  typename Exec::template Buffer<Energy> energy_;
  Seconds seconds_;
};

}  // namespace dem
