// SPDX-License-Identifier: BSD-3-Clause
// Values that follow the pairs of a list in a time loop, against a map.
#pragma once

#include <map>
#include <numeric>
#include <string>
#include <utility>
#include <vector>

#include "hgrid/loop.hpp"
#include "support/gas.hpp"

namespace support {

template <class Exec, class T>
std::vector<T> values_of(const Exec& exec, const hgrid::PairArray<Exec, T>& array) {
  std::vector<T> values(static_cast<std::size_t>(array.size()));
  exec.copy_out(values.data(), array.data(), array.size());
  return values;
}

/// Particles fly and are sorted now and then. An array follows from the first step on, another one from step 30 on.
template <class Exec>
std::string check_followers(const Exec& exec, std::uint64_t seed) {
  constexpr int n = 120, steps = 80;
  Gas gas(n, true, seed);
  hgrid::Grid<Exec, 3> grid(exec, box_of<3>(gas.s));
  hgrid::VerletList list(grid, {.skin = 0.5});
  hgrid::Reordering<Exec> order(exec);
  hgrid::PairArray<Exec, double> stamps(exec, -1.0), late(exec, -2.0);
  std::map<oracle::Contact, double> stamped, known_late;
  std::vector<std::int64_t> first_id(n);
  std::iota(first_id.begin(), first_id.end(), 0);
  // Gives each pair another value, which is the step and the place.
  const auto settle = [&](auto& array, auto& expected, double fresh, int step) -> std::string {
    std::vector<double> values = values_of(exec, array);
    const Contacts listed = as_listed(list.neighbours());
    if (values.size() != listed.size()) return "an array of another size than its list\n";
    std::map<oracle::Contact, double> now;
    for (std::size_t k = 0; k < listed.size(); ++k) {
      oracle::Contact pair{first_id[static_cast<std::size_t>(listed[k].i)], first_id[static_cast<std::size_t>(listed[k].j)],
                           listed[k].m};
      if (pair.i > pair.j) pair = {pair.j, pair.i, {-pair.m[0], -pair.m[1], -pair.m[2]}};
      const auto at = expected.find(pair);
      if (values[k] != (at == expected.end() ? fresh : at->second))
        return "step " + std::to_string(step) + ": a value is lost\n";
      now[pair] = values[k] = step + 1e-6 * static_cast<double>(k);
    }
    expected = std::move(now);
    exec.copy_in(array.data(), values.data(), array.size());
    return "";
  };
  std::string fault;
  int built = 0;
  for (int step = 0; step < steps && fault.empty(); ++step, gas.step(0.03)) {
    if (step % 20 == 19) {
      order.take(grid);
      std::vector<hgrid::index_t> old_id(n);
      exec.copy_out(old_id.data(), order.old_id(), n);
      const Gas before = gas;
      const std::vector<std::int64_t> ids = first_id;
      for (std::size_t i = 0; i < n; ++i) {
        const auto old = static_cast<std::size_t>(old_id[i]);
        gas.s.particles[i] = before.s.particles[old], first_id[i] = ids[old];
        for (std::size_t k = 0; k < 3; ++k) gas.v[3 * i + k] = before.v[3 * old + k];
      }
      const UserArrays<double, 3> sorted(gas.s);
      step < 30 ? list.build(sorted.view(), {order.old_id()}, stamps)
                : list.build(sorted.view(), {order.old_id()}, stamps, late);
    } else {
      const UserArrays<double, 3> arrays(gas.s);
      built += step < 30 ? list.update(arrays.view(), stamps) : list.update(arrays.view(), arrays.view(), stamps, late);
    }
    fault = settle(stamps, stamped, -1, step);
    if (step >= 30 && fault.empty()) fault = settle(late, known_late, -2, step);
  }
  if (fault.empty() && (built < 5 || built > steps / 2)) return std::to_string(built) + " builds show little\n";
  return fault;
}

}  // namespace support
