// SPDX-License-Identifier: BSD-3-Clause
// Values of contacts with meshes, which follow balls from triangle to triangle.
#pragma once

#include <algorithm>
#include <array>
#include <map>
#include <string>
#include <vector>

#include "hgrid/hgrid.hpp"
#include "hgrid/loop.hpp"
#include "hgrid/queries.hpp"
#include "support/random.hpp"

namespace support {

/// Moves balls over a rough floor in a box that is periodic sideways, while ids and periods change. Each contact has its own
/// number, which follows it, also to a neighboring triangle. Returns the fault; `carried` counts contacts that changed
/// triangles.
template <class Exec>
std::string check_mesh_history(const Exec& exec, std::uint64_t seed, int& carried) {
  using Contact = std::array<std::int64_t, 4>;  // triangle and image
  Random random(seed);
  hgrid::Triangles floor;
  constexpr double period = 5.5;
  const auto as_first = [](hgrid::index_t v) { return v % 6 % 5 + 6 * (v / 6 % 5); };  // opposite rims are one
  for (int c = 0; c < 36; ++c) {
    const double height = as_first(c) < c ? floor.vertices[static_cast<std::size_t>(as_first(c))][2] : random.real(0, 0.3);
    floor.vertices.push_back({c % 6 * (period / 5), c / 6 * (period / 5), height});
  }
  for (int c = 0; c < 30; ++c) {
    if (c % 6 == 5) continue;
    const bool other = random.chance(0.5);
    floor.corners.push_back({c, c + 1, other ? c + 6 : c + 7}), floor.corners.push_back({other ? c + 1 : c, c + 7, c + 6});
  }
  const auto vertices_of_both = [&](const Contact& s, const Contact& t) {  // under one image
    int number = 0;
    for (const hgrid::index_t a : floor.corners[static_cast<std::size_t>(s[0])].v) {
      for (const hgrid::index_t b : floor.corners[static_cast<std::size_t>(t[0])].v) {
        number += as_first(a) == as_first(b) && s[1] - a % 6 / 5 == t[1] - b % 6 / 5 && s[2] - a / 30 == t[2] - b / 30;
      }
    }
    return number;
  };
  constexpr int balls = 12;
  const auto box = hgrid::Box3::periodic({0, 0, 0}, {period, period, 0}, {true, true, false});
  hgrid::Grid grid{exec, box};
  auto now = grid.make_list(hgrid::ListKind::full), last = grid.make_list(hgrid::ListKind::full);
  hgrid::Mesh mesh{exec, floor, box};
  hgrid::History history(exec);
  hgrid::PairArray<Exec, int> numbers(exec, -1);
  std::vector<double> x, r(balls, 0.6);
  std::vector<hgrid::index_t> first_id;
  std::vector<hgrid::Image> taken_off(balls, hgrid::Image{});
  for (int b = 0; b < balls; ++b) {
    for (int k = 0; k < 3; ++k) x.push_back(k == 2 ? random.real(0.4, 0.8) : random.real(0, period));
    first_id.push_back(b);
  }
  std::map<hgrid::index_t, std::map<Contact, int>> before;  // contacts of each ball, by its first id
  int next = 0;
  for (int step = 0; step < 30; ++step) {
    for (std::size_t k = 0; k < x.size(); ++k) x[k] = k % 3 == 2 ? random.real(0.5, 0.7) : x[k] + random.real(-0.1, 0.15);
    std::vector<hgrid::index_t> old_id(balls);
    std::vector<hgrid::Image> periods(balls, hgrid::Image{});
    for (int b = 0; b < balls; ++b) old_id[static_cast<std::size_t>(b)] = b;
    const bool renumbers = step % 3 == 2;
    if (renumbers) {
      std::reverse(old_id.begin(), old_id.end());
      std::reverse(first_id.begin(), first_id.end()), std::reverse(taken_off.begin(), taken_off.end());
      for (std::size_t b = 0; b < balls / 2; ++b) std::swap_ranges(&x[3 * b], &x[3 * b] + 3, &x[3 * (balls - 1 - b)]);
      for (std::size_t b = 0; b < balls; ++b) {
        for (int k = 0; k < 2; ++k) periods[b][k] = random.integer(-1, 1);
        for (int k = 0; k < 2; ++k)
          taken_off[b][k] += periods[b][k], x[3 * b + static_cast<std::size_t>(k)] -= periods[b][k] * period;
      }
    }
    const auto particles = hgrid::particles<3>(x.data(), r.data(), balls);
    grid.build(particles);
    std::swap(last, now);
    grid.find(now, hgrid::OnMesh{mesh, particles});
    history.remap(last, now, mesh.view(), renumbers ? hgrid::Renumbering{old_id.data(), periods.data()} : hgrid::Renumbering{});
    numbers.follow(history);
    std::map<hgrid::index_t, std::map<Contact, int>> after;
    const auto contact_of = [&](std::size_t t, const hgrid::Image& m, std::size_t b) {
      return Contact{static_cast<std::int64_t>(t), m[0] - taken_off[b][0], m[1] - taken_off[b][1], m[2]};
    };
    for (std::size_t t = 0; t < floor.corners.size(); ++t) {
      for (auto k = now.offsets()[t]; k < now.offsets()[t + 1]; ++k) {
        const auto b = static_cast<std::size_t>(now.neighbours()[k]);
        after[first_id[b]][contact_of(t, now.images()[k], b)] = numbers.data()[k];
      }
    }
    for (auto& [key, contacts] : after) {
      std::map<Contact, int> ended = before[key];
      for (const auto& [t, number] : contacts) {
        const auto old = ended.find(t);
        if (old == ended.end()) continue;
        if (old->second != number) return "a contact that goes on lost its number in step " + std::to_string(step);
        ended.erase(old);
      }
      const std::map<Contact, int> all_ended = ended;
      std::vector<Contact> fresh;
      std::map<Contact, Contact> went_on, from;  // the new contact of an old one, and back
      for (const auto& [t, has] : contacts) {
        if (before[key].contains(t)) continue;
        const int number = has;
        const auto old = std::find_if(ended.begin(), ended.end(), [&](const auto& one) { return one.second == number; });
        if (number >= 0 && (old == ended.end() || vertices_of_both(old->first, t) == 0))
          return "a number from elsewhere, or twice";
        if (number >= 0) {
          went_on[old->first] = t, from[t] = old->first;
          ended.erase(old);
        } else {
          fresh.push_back(t);
        }
      }
      for (const Contact& t : fresh) {
        for (const auto& [s, number] : ended) {  // nothing else that it could be
          const bool alone = all_ended.size() == 1 || fresh.size() + went_on.size() == 1;
          if (alone && vertices_of_both(s, t) > 0)
            return "a ball that rolled on lost its number in step " + std::to_string(step);
        }
        contacts[t] = next++;
      }
      for (const auto& [s, number] : all_ended) {  // contacts that share an edge go before contacts that share a vertex
        for (const auto& [t, has] : contacts) {
          if (before[key].contains(t) || vertices_of_both(s, t) < 2) continue;
          const auto to = went_on.find(s);
          const auto of = from.find(t);
          if ((to == went_on.end() || vertices_of_both(s, to->second) < 2) &&
              (of == from.end() || vertices_of_both(of->second, t) < 2)) {
            return "a ball lost its number across an edge in step " + std::to_string(step);
          }
        }
      }
      carried += static_cast<int>(went_on.size());
    }
    for (std::size_t t = 0; t < floor.corners.size(); ++t) {
      for (auto k = now.offsets()[t]; k < now.offsets()[t + 1]; ++k) {
        const auto b = static_cast<std::size_t>(now.neighbours()[k]);
        numbers.data()[k] = after[first_id[b]][contact_of(t, now.images()[k], b)];
      }
    }
    before = after;
  }
  return "";
}

}  // namespace support
