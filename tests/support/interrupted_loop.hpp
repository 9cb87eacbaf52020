// SPDX-License-Identifier: BSD-3-Clause
// Time loops that are interrupted: at any step their state is saved, and goes on in new objects.
#pragma once

#include <string>
#include <vector>

#include "hgrid/loop/checkpoint.hpp"
#include "support/far_systems.hpp"
#include "support/packings.hpp"
#include "support/results.hpp"

namespace support {

using Bytes = std::vector<std::byte>;

/// Particles whose sizes, number and extents change, so that lists are built again and levels planned again. The state is a
/// function of the step.
struct ChangingSystem {
  enum Kind { periodic, open, groups, far, worlds, types, boxes, kinds };

  explicit ChangingSystem(Kind kind, int n = 300) {
    const bool wraps = kind != open && kind != worlds;
    s = kind == far ? far_clusters(3, 4, 1e4, Places::diagonal, n)
                    : polydisperse(n, 6, wraps, 3 + static_cast<std::uint64_t>(kind));
    Random random(9);
    for (int i = 0; i < 3 * n; ++i) v.push_back(random.real(-1, 1));
    if (kind == worlds) s.worlds = 3;
    if (kind == types) s.types = 2, s.cutoffs = {1, 0.4, 0.4, 0.2};
    for (int i = 0; i < n; ++i) {
      oracle::Particle& p = s.particles[static_cast<std::size_t>(i)];
      if (kind == groups) p.group = i % 5 == 0 ? i / 10 : -1, p.active = i % 7 != 0;
      if (kind == worlds) p.world = i % 3;
      if (kind == boxes) s.extended = true;
      for (int k = 0; k < 3; ++k) p.extent[k] = p.radius * (k == i % 3 ? 1 : 0.4);
      if (kind == types) p.type = i % 2, p.radius = 0.5, growth = 1;
    }
  }

  const oracle::System& at(int step) {
    for (; now < step; ++now) {
      for (std::size_t i = 0; i < s.particles.size(); ++i) {
        for (std::size_t k = 0; k < 3; ++k) s.particles[i].x[k] += 0.05 * v[3 * i + k];
        s.particles[i].radius *= growth;
        for (double& h : s.particles[i].extent) h *= growth;
      }
      if (now == 13) s.particles.resize(s.particles.size() / 3);
    }
    return s;
  }

  oracle::System s;
  std::vector<double> v;
  double growth = 1.01;
  int now = 0;
};

/// A client's loop: the list, and a value for each pair, which counts the steps that the pair has been in the list.
template <class Exec, class Entry = hgrid::index_t>
class CountedPairs {
 public:
  CountedPairs(const Exec& exec, const hgrid::Box3& box, const hgrid::VerletOptions& list, const hgrid::GridOptions& grid = {})
      : grid_(exec, box, grid), list_(grid_, list), counts_(exec) {}

  template <class Real>
  void step(const hgrid::Particles<Real, 3>& particles) {
    list_.update(particles, counts_);
    std::vector<double> values(static_cast<std::size_t>(counts_.size()));
    grid_.exec().copy_out(values.data(), counts_.data(), counts_.size());
    for (double& value : values) ++value;
    grid_.exec().copy_in(counts_.data(), values.data(), counts_.size());
  }

  std::vector<Bytes> saved() { return {hgrid::save(list_), hgrid::save(counts_)}; }
  void restore(const std::vector<Bytes>& saved) {
    hgrid::restore(list_, saved[0]);
    hgrid::restore(counts_, saved[1]);
  }

  hgrid::Grid<Exec, 3>& grid() { return grid_; }
  hgrid::VerletList<Exec, 3, Entry>& list() { return list_; }
  hgrid::PairArray<Exec, double>& counts() { return counts_; }

 private:
  hgrid::Grid<Exec, 3> grid_;
  hgrid::VerletList<Exec, 3, Entry> list_;
  hgrid::PairArray<Exec, double> counts_;
};

inline constexpr int steps_of_loop = 24;

/// Returns each state of a loop that runs through, before each step and after the last. `place(view)` gives an object whose
/// view() the executor reads.
template <class Entry = hgrid::index_t, class Exec, class Place>
std::vector<std::vector<Bytes>> states_of_loop(const Exec& exec, ChangingSystem::Kind kind, const Place& place) {
  ChangingSystem system(kind);
  CountedPairs<Exec, Entry> loop(exec, box_of<3>(system.s), {.skin = 0.3});
  std::vector<std::vector<Bytes>> states = {loop.saved()};
  for (int step = 0; step < steps_of_loop; ++step) {
    const UserArrays<double, 3> arrays(system.at(step));
    const auto placed = place(arrays.view());
    loop.step(placed.view());
    states.push_back(loop.saved());
  }
  return states;
}

/// Restarts the loop at each step in new objects with other options, and expects equal states: returns where they differ.
template <class Entry = hgrid::index_t, class Exec, class Place>
std::string difference_of_loop(const Exec& exec, ChangingSystem::Kind kind, const Place& place) {
  const auto states = states_of_loop<Entry>(exec, kind, place);
  for (int first = 0; first <= steps_of_loop; first += 1 + first % 3) {
    ChangingSystem system(kind);
    CountedPairs<Exec, Entry> loop(exec, hgrid::Box3::open(), {.kind = hgrid::ListKind::full}, {.rule = hgrid::Rule::max});
    loop.restore(states[static_cast<std::size_t>(first)]);
    for (int step = first; step <= steps_of_loop; ++step) {
      if (loop.saved() != states[static_cast<std::size_t>(step)]) {
        return "kind " + std::to_string(kind) + ", from " + std::to_string(first) + ", before " + std::to_string(step);
      }
      if (step == steps_of_loop) break;
      const UserArrays<double, 3> arrays(system.at(step));
      const auto placed = place(arrays.view());
      loop.step(placed.view());
    }
    const hgrid::VerletCounters& c = loop.list().counters();
    if (c.builds < 4 || c.builds > steps_of_loop - 4) return std::to_string(c.builds) + " builds show little";
  }
  return "";
}

/// A loop with packed lists must have the lists and the values of one with others: where it has not.
template <class Exec, class Place>
std::string difference_of_packed_loop(const Exec& exec, ChangingSystem::Kind kind, const Place& place) {
  ChangingSystem system(kind);
  CountedPairs<Exec> loop(exec, box_of<3>(system.s), {.skin = 0.3});
  CountedPairs<Exec, hgrid::PackedNeighbour> packed(exec, box_of<3>(system.s), {.skin = 0.3});
  for (int step = 0; step < steps_of_loop; ++step) {
    const UserArrays<double, 3> arrays(system.at(step));
    const auto placed = place(arrays.view());
    loop.step(placed.view()), packed.step(placed.view());
    if (as_listed(exec, loop.list().neighbours()) != as_listed(exec, packed.list().neighbours()) ||
        hgrid::save(loop.counts()) != hgrid::save(packed.counts())) {
      return "kind " + std::to_string(kind) + ", after " + std::to_string(step);
    }
  }
  return "";
}

/// Moves the states of a loop from one executor to another, and expects equal lists and values: returns where they differ.
template <class From, class To, class PlaceFrom, class PlaceTo>
std::string difference_of_moved_loop(const From& from, const To& to, ChangingSystem::Kind kind, const PlaceFrom& there,
                                     const PlaceTo& here) {
  const auto states = states_of_loop(from, kind, there);
  for (const int first : {0, 1, 9, 14, 20}) {
    ChangingSystem system(kind);
    CountedPairs<From> expected(from, hgrid::Box3::open(), {});
    CountedPairs<To> loop(to, hgrid::Box3::open(), {});
    loop.restore(states[static_cast<std::size_t>(first)]);
    for (int step = first; step < steps_of_loop; ++step) {
      const UserArrays<double, 3> arrays(system.at(step));
      const auto placed = here(arrays.view());
      loop.step(placed.view());
      expected.restore(states[static_cast<std::size_t>(step) + 1]);
      if (as_listed(to, loop.list().neighbours()) != as_listed(from, expected.list().neighbours()) ||
          hgrid::save(loop.counts()) != states[static_cast<std::size_t>(step) + 1][1] ||
          loop.list().counters().builds != expected.list().counters().builds) {
        return "kind " + std::to_string(kind) + ", from " + std::to_string(first) + ", after " + std::to_string(step);
      }
    }
  }
  return "";
}

/// Leaves arrays in place, for executors that read the host's memory.
struct AsItIs {
  struct Placed {
    hgrid::Particles<double, 3> particles;
    const hgrid::Particles<double, 3>& view() const { return particles; }
  };
  Placed operator()(const hgrid::Particles<double, 3>& view) const { return {view}; }
};

}  // namespace support
