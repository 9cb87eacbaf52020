// SPDX-License-Identifier: BSD-3-Clause
// A loop whose positions are wrapped at each step beside the same loop with positions that nobody wraps.
#pragma once

#include <algorithm>
#include <array>
#include <map>
#include <optional>
#include <string>
#include <tuple>
#include <vector>

#include "hgrid/loop.hpp"
#include "support/followers.hpp"
#include "support/random.hpp"

namespace support {

enum class WrappedBox { straight, partly, tilted, sheared, turned, turning, shrinking, worlds };
inline constexpr int wrapped_boxes = 8;

/// Particles that fly: `x` as a code passes them, `taken`, the vectors that it took off, and `unwrapped`, the places without
/// wrapping.
template <class Real, int D>
class Wrapping {
 public:
  static constexpr double side = 7;

  Wrapping(WrappedBox kind, hgrid::index_t n, std::uint64_t seed) : kind_(kind), random_(seed), size_(n) {
    for (hgrid::index_t i = 0; i < n; ++i) {
      r.push_back(static_cast<Real>(random_.log_real(0.25, 0.6))), wide_r.push_back(r.back());
      world.push_back(i % 2);
      for (int k = 0; k < D; ++k) x.push_back(static_cast<Real>(random_.real(0, side))), v_.push_back(random_.real(-1, 1));
      taken.emplace_back();
    }
    unwrapped.resize(x.size());
    set_boxes();
    place();
  }

  /// Changes the box, moves the particles, and wraps the ones that left. Puts some of them other periods away.
  void step(double dt) {
    const std::vector<hgrid::Box<D>> before = boxes;
    ++steps_;
    set_boxes();
    for (hgrid::index_t i = 0; i < size_; ++i) {
      const hgrid::Box<D>& box = box_of(i);
      hgrid::Vec<double, D> at = position(i);
      const hgrid::Box<D>& old = before[kind_ == WrappedBox::worlds ? static_cast<std::size_t>(i % 2) : 0];
      if (old != box) {
        at = hgrid::detail::deformation_of(old, box)(hgrid::detail::in_frame(old, at));
        if (box.turned) at = hgrid::detail::from_axes(box, at);
      }
      for (int k = 0; k < D; ++k) {
        double& v = v_[index(i, k)];
        if (!box.wraps[k] && (at[k] < 0 || at[k] > side)) v = at[k] < 0 ? std::fabs(v) : -std::fabs(v);
        at[k] += dt * v;
      }
      hgrid::Image periods = hgrid::wrap(box, at).periods;
      for (int k = 0; k < D; ++k) {
        if (box.wraps[k] && random_.chance(0.01)) periods[k] += random_.integer(-3, 3);
      }
      const hgrid::Vec<double, D> by = hgrid::detail::shift_of(box, periods);
      for (int k = 0; k < D; ++k) {
        x[index(i, k)] = static_cast<Real>(at[k] - by[k]);
        taken[static_cast<std::size_t>(i)][k] += periods[k];
      }
    }
    place();
  }

  hgrid::Particles<Real, D> wrapped_view() const { return in_worlds(hgrid::particles<D>(x.data(), r.data(), size_)); }
  hgrid::Particles<double, D> unwrapped_view() const {
    return in_worlds(hgrid::particles<D>(unwrapped.data(), wide_r.data(), size_));
  }
  hgrid::Vec<double, D> position(hgrid::index_t i) const {
    hgrid::Vec<double, D> at;
    for (int k = 0; k < D; ++k) at[k] = x[index(i, k)];
    return at;
  }
  const double* unwrapped_position(hgrid::index_t i) const { return &unwrapped[index(i, 0)]; }
  const hgrid::Box<D>& box_of(hgrid::index_t i) const {
    return boxes[kind_ == WrappedBox::worlds ? static_cast<std::size_t>(i % 2) : 0];
  }
  template <class Grid>
  void put_boxes(Grid& grid) const {
    kind_ == WrappedBox::worlds ? grid.set_boxes(boxes) : grid.set_box(boxes[0]);
  }

  std::vector<hgrid::Box<D>> boxes;
  std::vector<Real> x, r;
  std::vector<double> unwrapped, wide_r;
  std::vector<hgrid::index_t> world;
  std::vector<hgrid::Image> taken;

 private:
  static std::size_t index(hgrid::index_t i, int k) {
    return static_cast<std::size_t>(D) * static_cast<std::size_t>(i) + static_cast<std::size_t>(k);
  }

  void set_boxes() {
    hgrid::Vec<double, D> lo{}, hi;
    hgrid::Vec<bool, D> all;
    for (int k = 0; k < D; ++k) hi[k] = side, all[k] = true;
    if (kind_ == WrappedBox::partly) all[D - 1] = false;
    if (kind_ == WrappedBox::shrinking || kind_ == WrappedBox::worlds) hi[0] = side * (1 - 5e-4 * steps_), lo[1] = -0.1;
    hgrid::Vec<double, hgrid::Box<D>::tilts> tilts{};
    tilts[0] = kind_ == WrappedBox::tilted ? 2.2 * side : kind_ == WrappedBox::sheared ? 0.02 * side * steps_ : 0;
    if (D == 3 && kind_ == WrappedBox::tilted) tilts[1] = -0.4 * side, tilts[2] = 0.3 * side;
    if (kind_ == WrappedBox::turned) {
      hgrid::Vec<hgrid::Vec<double, D>, D> vectors{};
      for (int k = 0; k < D; ++k) vectors[k][k] = side, vectors[k][(k + 1) % D] = (k + 1) * 0.6;
      boxes = {hgrid::box_of_vectors<D>(vectors, all, lo)};
    } else if (kind_ == WrappedBox::turning) {
      boxes = {hgrid::sheared(hgrid::Box<D>::periodic(lo, hi), 0.02 * side * steps_, 1, 0)};
    } else {
      boxes = {hgrid::tilted(hgrid::Box<D>::periodic(lo, hi, all), tilts)};
    }
    if (kind_ == WrappedBox::worlds)
      boxes.push_back(hgrid::tilted(boxes[0], [&] {
        tilts[0] = 0.01 * steps_;
        return tilts;
      }()));
  }

  // x + n L
  void place() {
    for (hgrid::index_t i = 0; i < size_; ++i) {
      const hgrid::Vec<double, D> by = hgrid::detail::shift_of(box_of(i), taken[static_cast<std::size_t>(i)]);
      for (int k = 0; k < D; ++k) unwrapped[index(i, k)] = x[index(i, k)] + by[k];
    }
  }

  template <class T>
  hgrid::Particles<T, D> in_worlds(hgrid::Particles<T, D> p) const {
    if (kind_ == WrappedBox::worlds) p.worlds = {world.data(), 2};
    return p;
  }

  WrappedBox kind_;
  Random random_;
  hgrid::index_t size_;
  std::vector<double> v_;
  int steps_ = 0;
};

/// Counts of a comparison of two loops.
struct WrappedCounts {
  hgrid::offset_t builds = 0, contacts = 0, differ = 0;  ///< differ: contacts of one loop only, within tau of touching
};

/// An entry of a list with the vector of its pair, and the value that follows it.
struct ListedPair {
  std::array<double, 3> d;
  double value;
};
using ListedPairs = std::map<std::tuple<hgrid::index_t, hgrid::index_t, int, int, int>, ListedPair>;

/// Compares at each step builds, contacts, vectors and values that follow. Returns the first difference.
template <class Entry, class Real, int D, class Exec>
std::string check_wrapped(const Exec& exec, WrappedBox kind, hgrid::ListKind lists, std::uint64_t seed, int steps,
                          WrappedCounts& counts) {
  const double skin = 0.4;
  Wrapping<Real, D> loop(kind, 120, seed);
  hgrid::Grid<Exec, D> grids[2] = {hgrid::Grid<Exec, D>(exec, loop.boxes[0]), hgrid::Grid<Exec, D>(exec, loop.boxes[0])};
  hgrid::VerletList<Exec, D, Entry> wrapped(grids[0], {.kind = lists, .skin = skin, .wrapped = true});
  hgrid::VerletList<Exec, D, Entry> plain(grids[1], {.kind = lists, .skin = skin});
  hgrid::PairArray<Exec, double> wrapped_values(exec, -1.0), plain_values(exec, -1.0);

  const auto pairs_of = [&](auto& list, auto& values, bool is_wrapped, int step) {
    const Contacts listed = as_listed(exec, list.neighbours());
    std::vector<double> value = values_of(exec, values);
    const auto n = static_cast<hgrid::offset_t>(loop.taken.size());
    const std::vector<hgrid::Image> periods = is_wrapped ? copied(exec, list.periods(), n) : std::vector<hgrid::Image>();
    ListedPairs pairs;
    for (std::size_t k = 0; k < listed.size(); ++k) {
      const auto i = static_cast<hgrid::index_t>(listed[k].i), j = static_cast<hgrid::index_t>(listed[k].j);
      hgrid::Image m{};
      for (int a = 0; a < 3; ++a) m[a] = static_cast<std::int32_t>(listed[k].m[static_cast<std::size_t>(a)]);
      m = hgrid::image_now(m, is_wrapped ? periods.data() : nullptr, i, j);
      const hgrid::Vec<double, D> d =
          is_wrapped ? hgrid::separation(loop.box_of(i), loop.position(i), loop.position(j), m)
                     : hgrid::separation(loop.box_of(i), loop.unwrapped_position(i), loop.unwrapped_position(j), m);
      if (is_wrapped) m = hgrid::image_now(m, loop.taken.data(), j, i);  // of positions that nobody wrapped
      ListedPair pair{{}, value[k]};
      for (int a = 0; a < D; ++a) pair.d[static_cast<std::size_t>(a)] = d[a];
      if (value[k] == -1) value[k] = step + 1e-3 * (i % 100) + 1e-5 * (j % 100) + 1e-7 * m[0] + 1e-8 * m[1];
      pairs[{i, j, m[0], m[1], m[2]}] = pair;
    }
    exec.copy_in(values.data(), value.data(), values.size());
    return pairs;
  };

  const auto compare = [&](const ListedPairs& some, const ListedPairs& others) -> std::string {
    for (const auto& [key, pair] : some) {
      const auto i = std::get<0>(key), j = std::get<1>(key);
      double squared = 0, scale = 8 * Wrapping<Real, D>::side;
      for (int a = 0; a < D; ++a) {
        squared += pair.d[static_cast<std::size_t>(a)] * pair.d[static_cast<std::size_t>(a)];
        scale += 2 * (std::fabs(loop.unwrapped_position(i)[a]) + std::fabs(loop.unwrapped_position(j)[a]));
      }
      const double touching = loop.wide_r[static_cast<std::size_t>(i)] + loop.wide_r[static_cast<std::size_t>(j)];
      const double gap = std::sqrt(squared) - touching, tau = 4 * 0x1p-53 * scale;
      const auto at = others.find(key);
      if (at == others.end()) {
        if (gap < -tau) return "a contact is missing\n";
        counts.differ += gap <= 0;
        continue;
      }
      counts.contacts += gap <= 0;
      for (int a = 0; a < D; ++a) {
        const double by = pair.d[static_cast<std::size_t>(a)] - at->second.d[static_cast<std::size_t>(a)];
        if (std::fabs(by) > tau) return "a vector differs by " + std::to_string(by) + "\n";
      }
      if (gap <= 0 && pair.value != at->second.value) return "a value has gone to another pair\n";
    }
    return "";
  };

  for (int step = 0; step < steps; ++step, loop.step(0.02)) {
    for (auto& grid : grids) loop.put_boxes(grid);
    const bool is_new[2] = {wrapped.update(loop.wrapped_view(), wrapped_values),
                            plain.update(loop.unwrapped_view(), plain_values)};
    std::string fault;
    if (is_new[0] != is_new[1]) fault = std::string(is_new[0] ? "only" : "not") + " the wrapped list was built\n";
    const ListedPairs in_wrapped = pairs_of(wrapped, wrapped_values, true, step);
    const ListedPairs in_plain = pairs_of(plain, plain_values, false, step);
    if (fault.empty()) fault = compare(in_wrapped, in_plain) + compare(in_plain, in_wrapped);
    if (!fault.empty()) return "step " + std::to_string(step) + ": " + fault;
  }
  counts.builds += wrapped.counters().builds;
  if (wrapped.counters().builds < 3 || wrapped.counters().builds > steps / 2) return "the builds show little\n";
  return "";
}

/// Compares in every box, of each dimension and type, with each kind of list.
template <class Exec>
std::string check_all_wrapped(const Exec& exec, std::uint64_t seed, int steps, WrappedCounts& counts) {
  for (int box = 0; box < wrapped_boxes; ++box) {
    const auto kind = static_cast<WrappedBox>(box);
    const hgrid::ListKind lists = (box + static_cast<int>(seed)) % 2 == 0 ? hgrid::ListKind::half : hgrid::ListKind::full;
    std::string fault = check_wrapped<hgrid::index_t, double, 3>(exec, kind, lists, seed, steps, counts);
    if (fault.empty()) fault = check_wrapped<hgrid::PackedNeighbour, float, 3>(exec, kind, lists, seed + 1, steps, counts);
    if (fault.empty()) fault = check_wrapped<hgrid::index_t, float, 2>(exec, kind, lists, seed + 2, steps, counts);
    if (!fault.empty()) return "box " + std::to_string(box) + ", " + fault;
  }
  return "";
}

}  // namespace support
