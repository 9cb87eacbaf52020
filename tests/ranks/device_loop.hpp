// SPDX-License-Identifier: BSD-3-Clause
// A time loop of ranks whose particles lie on devices, against a loop of one rank without a device.
#pragma once

#include "hgrid/loop.hpp"
#include "ranks/device_lists.hpp"
#include "ranks/drifting.hpp"

namespace support {

/// The springs lie on the device, too. The particles are moved by hand, so that their bits equal the hosts'.
template <class Exec, int D>
class DeviceLoop {
 public:
  DeviceLoop(const Exec& exec, int particles, bool periodic, std::uint64_t seed, hgrid::VerletOptions options = {.skin = 0.5})
      : DeviceLoop(exec, Gas(particles, periodic, seed), periodic, seed, options) {}
  DeviceLoop(const Exec& exec, const Gas& gas, bool periodic, std::uint64_t seed, hgrid::VerletOptions options = {.skin = 0.5},
             Shear shear = {})
      : gas_(gas, periodic, seed, options, shear),
        x_(exec, first_of(gas_.share().x, D * gas_.share().id.size())),
        r_(exec, gas_.share().r),
        v_(exec, gas_.velocities()),
        id_(exec, gas_.share().id),
        grid_(exec, gas_.grid().box(), ranks),
        list_(grid_, options),
        springs_(exec) {
    rebalance();
  }

  void move() {
    gas_.move();
    grid_.set_box(gas_.grid().box());
    std::vector<double> x = first_of(x_.on_host(), D * id_.size()), v = first_of(v_.on_host(), D * id_.size());
    for (std::size_t i = 0; i < id_.size(); ++i) gas_.advance(&x[D * i], &v[D * i]);
    x_.assign(x), v_.assign(v);
  }
  bool update() { return list_.update(x_, sizes(), id_, hgrid::Field{v_, D}, springs_); }
  void rebalance() { list_.rebalance(x_, sizes(), id_, hgrid::Field{v_, D}, springs_); }

  using Saved = typename Drifting<D>::Saved;
  Saved saved() {
    Saved all{hgrid::save(list_, springs_), {}, first_of(v_.on_host(), D * id_.size())};
    all.share.width = gas_.share().width;
    all.share.x = first_of(x_.on_host(), D * id_.size()), all.share.r = r_.on_host(), all.share.id = id_.on_host();
    return all;
  }
  void restore(const std::vector<Saved>& parts) {
    const auto bytes = gas_.take(parts);
    x_.assign(gas_.share().x), r_.assign(gas_.share().r), id_.assign(gas_.share().id), v_.assign(gas_.velocities());
    hgrid::restore(list_, bytes, x_, sizes(), id_, hgrid::Field{v_, D}, springs_);
  }
  /// The bits of this rank.
  auto state() const { return std::tuple(x_.on_host(), id_.on_host(), listed(), values()); }

  void stretch() {
    grid_.update(hgrid::Field{v_, D});
    const std::size_t width = gas_.share().width;
    const auto x = x_.on_host(), v = v_.on_host(), sizes = (width > 1 ? grid_.extents() : grid_.radii()).on_host();
    std::vector<Spring> springs = values();
    const auto contacts = listed();
    for (std::size_t k = 0; k < contacts.size(); ++k) {
      const auto i = static_cast<std::size_t>(contacts[k].i), j = static_cast<std::size_t>(contacts[k].j);
      const auto d = hgrid::separation(grid_.box(), &x[D * i], &x[D * j], contacts[k].image);
      springs[k].stretch(d, gas_.approach(&v[D * i], &v[D * j], contacts[k].image),
                         gas_.are_in_contact(d, &sizes[width * i], &sizes[width * j]));
    }
    grid_.exec().copy_in(springs_.data(), static_cast<const Spring*>(springs.data()), springs_.size());
  }

  /// The springs of all ranks, of contacts that touch.
  Springs springs() const {
    const std::vector<Spring> springs = values();
    const auto contacts = listed();
    Springs mine;
    for (std::size_t k = 0; k < contacts.size(); ++k) {
      if (springs[k].steps > 0) mine.push_back({grid_.global(contacts[k].i, contacts[k].j, contacts[k].image), springs[k]});
    }
    return sorted(gathered(mine));
  }

  std::vector<hgrid::Contact> listed() const { return support::listed(grid_.exec(), list_); }

  auto& gas() { return gas_; }
  auto& grid() { return grid_; }
  auto& list() { return list_; }
  auto& x() { return x_; }
  auto& r() { return r_; }
  auto& v() { return v_; }
  auto& id() { return id_; }
  auto& array() { return springs_; }

 private:
  auto sizes() { return hgrid::Field{r_, gas_.share().width}; }
  static std::vector<double> first_of(std::vector<double> values, std::size_t count) {
    values.resize(count);
    return values;
  }
  std::vector<Spring> values() const { return copied(grid_.exec(), springs_.data(), springs_.size()); }

  Drifting<D> gas_;
  hgrid::DeviceVector<Exec, double> x_, r_, v_;
  hgrid::DeviceVector<Exec, std::int64_t> id_;
  hgrid::DistributedGrid<Exec, D> grid_;
  hgrid::DistributedVerletList<Exec, D> list_;
  hgrid::DistributedPairArray<Spring, Exec> springs_;
};

/// Compares springs at each step, with all bits, with one rank without a device. `exec(seed)` makes the executor.
template <int D, class Exec>
void expect_springs_on_devices(const Exec& exec, bool periodic, std::uint64_t seed, int steps, bool boxes = false,
                               bool wrapped = false, Shear shear = {}) {
  const Gas gas(D == 2 ? 60 : 150, periodic, seed);
  DeviceLoop<Exec, D> loop(exec, boxes ? boxes_of(gas) : gas, periodic, seed, {.skin = 0.5, .wrapped = wrapped}, shear);
  std::size_t compared = 0;
  for (int step = 0; step < steps; ++step, loop.move()) {
    const bool cut = step % 40 == 39;
    const bool rebuilt = cut ? (loop.rebalance(), true) : loop.update();
    if (rebuilt) expect_order(loop);
    loop.stretch();
    const Springs expected = loop.gas().springs_of_one(), found = loop.springs();
    ASSERT_TRUE(everywhere(found == expected))
        << "step " << step << ": " << found.size() << " springs, on one rank " << expected.size();
    compared += expected.size();
  }
  const hgrid::VerletCounters& c = loop.list().counters();
  EXPECT_GT(compared, static_cast<std::size_t>(10 * steps));
  EXPECT_EQ(c.dangerous, 0);
  EXPECT_EQ(c.overtaken, 0);
  EXPECT_GT(c.builds, steps / 40 + 3);
  EXPECT_LT(c.builds, steps / 2);
}

/// Sorts by the smaller global id of a pair, then the other global id, then image.
template <class Loop>
void expect_order(Loop& loop) {
  const auto contacts = loop.listed();
  const auto ids = loop.grid().ids().on_host();
  const auto key = [&](const hgrid::Contact& c) {
    return std::pair(c.i, hgrid::GlobalContact{0, ids[static_cast<std::size_t>(c.j)], c.image});
  };
  bool right = true;
  for (std::size_t k = 0; k < contacts.size(); ++k) {
    const hgrid::Contact& c = contacts[k];
    right = right && hgrid::is_oriented(ids[static_cast<std::size_t>(c.i)], ids[static_cast<std::size_t>(c.j)], c.image);
    right = right && (k == 0 || key(contacts[k - 1]) < key(c));
  }
  EXPECT_TRUE(right);
}

}  // namespace support
