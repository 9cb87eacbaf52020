// SPDX-License-Identifier: BSD-3-Clause
// A time loop whose particles drift through the boxes of ranks, and the loop on one rank.
#pragma once

#include <algorithm>

#include "hgrid/loop.hpp"
#include "ranks/shared_system.hpp"
#include "support/gas.hpp"

namespace support {

using hgrid::GlobalContact;

/// The state that a touching pair gathers from step to step.
struct Spring {
  double sum[3] = {};
  std::int64_t steps = 0;

  template <int D>
  void stretch(const hgrid::Vec<double, D>& separation, const hgrid::Vec<double, D>& approach, bool touches) {
    if (!touches) return void(*this = {});
    for (int k = 0; k < D; ++k) sum[k] += separation[k] + approach[k];
    ++steps;
  }
  friend bool operator==(const Spring&, const Spring&) = default;
};

struct SpringOf {
  GlobalContact contact;
  Spring spring;

  friend bool operator==(const SpringOf&, const SpringOf&) = default;
};
using Springs = std::vector<SpringOf>;

inline Springs sorted(Springs springs) {
  std::ranges::sort(springs, [](const SpringOf& a, const SpringOf& b) { return a.contact < b.contact; });
  return springs;
}

template <int D>
bool touches(const hgrid::Vec<double, D>& d, double reach) {
  double squared = 0;
  for (int k = 0; k < D; ++k) squared += d[k] * d[k];
  return squared <= reach * reach;
}

/// A gas with half extents: boxes that are long along one axis and flat along another.
inline Gas boxes_of(Gas gas) {
  gas.s.extended = true;
  for (std::size_t i = 0; i < gas.s.particles.size(); ++i) {
    oracle::Particle& p = gas.s.particles[i];
    for (std::size_t k = 0; k < 3; ++k) p.extent[k] = p.radius * std::array{2.0, 1.0, 0.1}[(i + k) % 3];
  }
  return gas;
}

/// A gas with groups and bonds.
inline Gas labelled(Gas gas) {
  const auto count = static_cast<std::int64_t>(gas.s.particles.size());
  for (std::int64_t i = 0; i < count; ++i) {
    if (i % 4 == 0) gas.s.particles[static_cast<std::size_t>(i)].group = static_cast<int>(i % 3);
    for (const std::int64_t j : {i + 1, i + 7, i + 40}) gas.s.excluded.insert({std::min(i, j % count), std::max(i, j % count)});
  }
  return gas;
}

/// A shear flow: the box and the particles' velocities shear across one axis along another. A box with axes of its own if
/// `along` is the later axis.
struct Shear {
  double rate = 0;
  int along = 0, across = 1;
};

/// A gas that drifts through the boxes of the ranks: on one rank, and shared out.
template <int D>
class Drifting {
 public:
  Drifting(int particles, bool periodic, std::uint64_t seed, hgrid::VerletOptions options = {.skin = 0.5}, Shear shear = {})
      : Drifting(Gas(particles, periodic, seed), periodic, seed, options, shear) {}
  Drifting(const Gas& gas, bool periodic, std::uint64_t seed, hgrid::VerletOptions options = {.skin = 0.5}, Shear shear = {})
      : seed_(seed),
        gas_(gas),
        upright_(shape(gas_, periodic)),
        box_(upright_),
        shear_(shear),
        whole_(hgrid::SerialExec{}, box_),
        whole_list_(whole_, options),
        grid_(hgrid::OpenMPExec(1 + static_cast<int>(seed % 2)), box_, ranks),
        list_(grid_, options),
        wraps_(options.wrapped) {
    for (std::size_t i = 0; i < gas_.s.particles.size(); ++i) {
      gas_.v[3 * i] += 0.5;
      gas_.v[3 * i + along()] += shear_.rate * gas_.s.particles[i].x[across()];
    }
    share_ = share_of<double, D>(gas_.s, seed);
    list_.set_labels(share_.labels(gas_.s));
    for (const oracle::Particle& p : gas_.s.particles) group_.push_back(p.group);
    for (const auto& [i, j] : gas_.s.excluded)
      bonds_.push_back({static_cast<hgrid::index_t>(i), static_cast<hgrid::index_t>(j)});
    for (const std::int64_t id : share_.id) add_velocity(id);
    rebalance();
  }

  void move() {
    ++steps_;
    if (shear_.rate != 0) {
      box_ = hgrid::sheared(upright_, shear_.rate * dt * steps_ * upright_.length(shear_.across), shear_.along, shear_.across);
      whole_.set_box(box_), grid_.set_box(box_);
    }
    for (std::size_t i = 0; i < gas_.s.particles.size(); ++i) advance(gas_.s.particles[i].x, &gas_.v[3 * i]);
    for (std::size_t i = 0; i < share_.id.size(); ++i) advance(&share_.x[D * i], &v_[D * i]);
  }
  /// Moves a particle. Wraps it, if the option says so: across a face that shears it takes the velocity on the other side.
  void advance(double* x, double* v) const {
    for (int k = 0; k < D; ++k) x[k] += dt * v[k];
    if (!wraps_) return;
    hgrid::Vec<double, D> at;
    std::copy_n(x, D, at.v);
    const hgrid::Image periods = hgrid::wrap(box_, at).periods;
    if (periods == hgrid::Image{}) return;
    const auto by = hgrid::detail::shift_of(box_, periods);
    for (int k = 0; k < D; ++k) x[k] -= by[k];
    v[along()] -= jump(periods);
  }
  bool update() {
    return with_followers([&](auto&&... f) { return list_.update(share_.x, share_.sizes(), share_.id, f...); });
  }
  void rebalance() {
    with_followers([&](auto&&... f) { return list_.rebalance(share_.x, share_.sizes(), share_.id, f...), true; });
  }

  /// Moves particle 0 to another group, if there are groups: the next update builds.
  void regroup() {
    if (!has_groups(gas_.s)) return;
    group_[0] = 5;
    for (std::size_t k = 0; k < share_.id.size(); ++k) {
      if (share_.id[k] == global_id(seed_, 0)) share_.group[k] = 5;
    }
  }

  /// What a code writes on a rank: the part of the list, and its particles.
  struct Saved {
    std::vector<std::byte> part;
    Share<double, D> share;
    std::vector<double> v;
  };
  Saved saved() {
    Saved all{hgrid::save(list_, springs_), share_, v_};
    all.share.x.resize(D * share_.id.size()), all.v.resize(all.share.x.size());  // no ghosts
    return all;
  }
  void restore(const std::vector<Saved>& parts) {
    const std::vector<std::vector<std::byte>> bytes = take(parts);
    with_followers([&](auto&&... f) { return hgrid::restore(list_, bytes, share_.x, share_.sizes(), share_.id, f...), true; });
  }
  /// Takes the particles of the parts, and returns the parts of the list.
  std::vector<std::vector<std::byte>> take(const std::vector<Saved>& parts) {
    std::vector<std::vector<std::byte>> bytes;
    Share<double, D> none;
    none.width = share_.width, none.partners_each = share_.partners_each;
    share_ = none, v_.clear();
    for (const Saved& each : parts) bytes.push_back(each.part), share_.append(each.share), support::append(v_, each.v);
    return bytes;
  }

  /// The bits of this rank.
  auto state() const {
    std::vector<hgrid::Contact> contacts;
    for (hgrid::offset_t k = 0; k < list_.size(); ++k) contacts.push_back(list_.contacts()[k]);
    return std::tuple(share_.x, share_.id, contacts, std::vector<Spring>(springs_.data(), springs_.data() + springs_.size()));
  }

  void stretch() {
    grid_.update(hgrid::Field{v_, D});
    for (hgrid::offset_t k = 0; k < list_.size(); ++k) {
      const hgrid::Contact c = list_.contacts()[k];
      const auto d = hgrid::separation(box_, &share_.x[D * at(c.i)], &share_.x[D * at(c.j)], c.image);
      const auto& sizes = gas_.s.extended ? grid_.extents() : grid_.radii();
      const bool together = are_in_contact(d, &sizes[share_.width * at(c.i)], &sizes[share_.width * at(c.j)]);
      springs_[k].stretch(d, approach(&v_[D * at(c.i)], &v_[D * at(c.j)], c.image), together);
    }
  }
  /// Returns the relative velocity of a contact: across a face that shears, the box adds its own.
  hgrid::Vec<double, D> approach(const double* v_i, const double* v_j, const hgrid::Image& image) const {
    hgrid::Vec<double, D> v;
    for (int k = 0; k < D; ++k) v[k] = v_i[k] - v_j[k];
    v[static_cast<int>(along())] -= jump(image);
    return v;
  }

  /// The springs of all ranks, of contacts that touch.
  Springs springs() const {
    Springs mine;
    for (hgrid::offset_t k = 0; k < list_.size(); ++k) {
      const hgrid::Contact c = list_.contacts()[k];
      const GlobalContact global{grid_.ids()[at(c.i)], grid_.ids()[at(c.j)], c.image};
      if (springs_[k].steps > 0) mine.push_back({global, springs_[k]});
    }
    return sorted(gathered(mine));
  }

  /// Returns the springs of one rank after as many steps.
  Springs springs_of_one() {
    std::vector<hgrid::Vec<double, D>> x;
    std::vector<double> sizes;
    for (const oracle::Particle& p : gas_.s.particles) {
      hgrid::Vec<double, D> place;
      for (int k = 0; k < D; ++k) place[k] = p.x[static_cast<std::size_t>(k)];
      x.push_back(place);
      const double* const of = gas_.s.extended ? p.extent : &p.radius;
      sizes.insert(sizes.end(), of, of + share_.width);
    }
    const auto count = static_cast<std::int64_t>(x.size());
    auto particles = gas_.s.extended ? hgrid::extended_particles<D>(x.data()->v, sizes.data(), count)
                                     : hgrid::particles<D>(x.data()->v, sizes.data(), count);
    if (has_groups(gas_.s)) particles.group = group_.data();
    if (!bonds_.empty()) particles.exclusions = hgrid::Exclusions::in_pairs(bonds_.data(), std::ssize(bonds_));
    if (whole_list_.update(particles)) {
      history_.remap(whole_list_.before(), whole_list_.neighbours(), whole_list_.renumbering());
      whole_springs_.follow(history_);
    }
    Springs all;
    const hgrid::ListView list(whole_list_.neighbours());
    for (std::size_t i = 0; i < x.size(); ++i) {
      for (hgrid::offset_t k = list.offsets[i]; k < list.offsets[i + 1]; ++k) {
        const auto j = at(list.neighbours[k]);
        const hgrid::Image image =
            hgrid::image_now(list.image(k), whole_list_.periods(), static_cast<hgrid::index_t>(i), list.neighbours[k]);
        const auto d = hgrid::separation(box_, x[i], x[j], image);
        Spring& spring = whole_springs_.data()[k];
        const bool together = are_in_contact(d, &sizes[share_.width * i], &sizes[share_.width * j]);
        spring.stretch(d, approach(&gas_.v[3 * i], &gas_.v[3 * j], image), together);
        const GlobalContact global{global_id(seed_, i), global_id(seed_, j), image};
        if (spring.steps > 0) all.push_back({global, spring});
      }
    }
    return sorted(all);
  }

  Drifting& gas() { return *this; }
  auto& list() { return list_; }
  auto& grid() { return grid_; }
  auto& share() { return share_; }
  auto& values() { return springs_; }
  std::vector<double>& velocities() { return v_; }

  bool are_in_contact(const hgrid::Vec<double, D>& d, const double* size_i, const double* size_j) const {
    if (!gas_.s.extended) return touches(d, *size_i + *size_j);
    bool together = true;
    for (int k = 0; k < D; ++k) together = together && std::fabs(d[k]) <= size_i[k] + size_j[k];
    return together;
  }

  static constexpr double dt = 0.02;

 private:
  std::size_t along() const { return static_cast<std::size_t>(shear_.along); }
  std::size_t across() const { return static_cast<std::size_t>(shear_.across); }
  double jump(const hgrid::Image& image) const { return image[shear_.across] * shear_.rate * upright_.length(shear_.across); }
  // Groups and partners go with particles that have some.
  template <class Call>
  bool with_followers(const Call& call) {
    const hgrid::Field v{v_, D};
    return bonds_.empty() ? call(v, springs_) : call(v, springs_, share_.group, share_.partners());
  }
  static std::size_t at(hgrid::index_t i) { return static_cast<std::size_t>(i); }
  static hgrid::Box<D> shape(Gas& gas, bool periodic) {
    gas.s.dimension = D;
    for (std::size_t k = 0; k < 3; ++k) gas.s.periodic[k] = periodic;
    return support::box_of<D>(gas.s);
  }
  void add_velocity(std::int64_t id) {
    const auto i = static_cast<std::size_t>((id - global_id(seed_, 0)) / 3);
    for (std::size_t k = 0; k < D; ++k) v_.push_back(gas_.v[3 * i + k]);
  }

  std::uint64_t seed_;
  Gas gas_;
  hgrid::Box<D> upright_, box_;
  Shear shear_;
  int steps_ = 0;
  hgrid::Grid<hgrid::SerialExec, D> whole_;
  hgrid::VerletList<hgrid::SerialExec, D> whole_list_;
  hgrid::History<hgrid::SerialExec> history_{hgrid::SerialExec{}};
  hgrid::PairArray<hgrid::SerialExec, Spring> whole_springs_{hgrid::SerialExec{}};
  hgrid::DistributedGrid<hgrid::OpenMPExec, D> grid_;
  hgrid::DistributedVerletList<hgrid::OpenMPExec, D> list_;
  Share<double, D> share_;
  std::vector<double> v_;
  std::vector<hgrid::index_t> group_;
  std::vector<hgrid::Pair> bonds_;
  hgrid::DistributedPairArray<Spring> springs_;
  bool wraps_;  // positions, at each step
};

}  // namespace support
