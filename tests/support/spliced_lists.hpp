// SPDX-License-Identifier: BSD-3-Clause
// Checkpoints of lists, put together from parts of two: options and particles of the build, lists, grid. Also options that do
// not exist. Each must be refused.
#pragma once

#include "hgrid/loop.hpp"
#include "support/forged_loop.hpp"

namespace support {

/// Builds a list of particles in a row that touch their neighbors, in three parts.
template <class Exec>
struct ListInParts {
  Bytes parts[3];

  ListInParts(const Exec& exec, int particles) {
    oracle::System s;
    s.dimension = 3;
    for (int i = 0; i < particles; ++i) s.particles.push_back({.x = {0.1 * i, 0, 0}, .radius = 1});
    hgrid::Grid<Exec, 3> grid(exec);
    hgrid::VerletList<Exec, 3> list(grid, {.skin = 0.1});
    list.update(UserArrays<double, 3>(s).view());
    const Bytes all = hgrid::save(list);
    const std::size_t of_grid = hgrid::save(grid).size() - head_of_checkpoint,
                      entries = static_cast<std::size_t>(list.neighbours().size());
    const std::size_t of_lists = 8 + 4 + 2 + 8 * static_cast<std::size_t>(particles + 1) + 4 * entries;
    const auto end = static_cast<std::ptrdiff_t>(all.size() - of_grid), begin = end - static_cast<std::ptrdiff_t>(of_lists);
    parts[0].assign(all.begin(), all.begin() + begin);
    parts[1].assign(all.begin() + begin, all.begin() + end);
    parts[2].assign(all.begin() + end, all.end());
  }
};

template <class Exec>
bool is_taken(const Exec& exec, Bytes list) {
  mend(list);
  hgrid::Grid<Exec, 3> grid(exec);
  hgrid::VerletList<Exec, 3> restored(grid);
  try {
    hgrid::restore(restored, list);
  } catch (const hgrid::Error&) {
    return false;
  }
  return true;
}

/// Returns the first list that is accepted by mistake.
template <class Exec>
std::string unnoticed_splice(const Exec& exec) {
  const ListInParts<Exec> two[] = {{exec, 12}, {exec, 9}};
  for (int which = 0; which < 8; ++which) {
    Bytes all;
    for (int part = 0; part < 3; ++part) {
      const Bytes& from = two[which >> part & 1].parts[part];
      all.insert(all.end(), from.begin(), from.end());
    }
    if (is_taken(exec, all) != (which == 0 || which == 7)) return "parts of two lists, " + std::to_string(which);
  }
  Bytes all;
  for (const Bytes& part : two[0].parts) all.insert(all.end(), part.begin(), part.end());
  constexpr std::size_t is_own = head_of_checkpoint + sizeof(double), kind = is_own + 1;
  for (const std::size_t choice : {is_own, kind}) {
    Bytes forged = all;
    forged[choice] = std::byte{7};
    if (is_taken(exec, forged)) return "a choice of none";
  }
  return "";
}

/// Returns the first list that is accepted though it fits no grid: one of no particles that claims regions, a world that the
/// grid lacks, a skin below 0.
template <class Exec>
std::string unnoticed_misfit(const Exec& exec) {
  const auto without_grid = [](const Bytes& list, const Bytes& grid) {
    return list.size() - (grid.size() - head_of_checkpoint);
  };
  {
    hgrid::Grid<Exec, 3> grid(exec);
    hgrid::VerletList<Exec, 3> never_built(grid);
    Bytes all = hgrid::save(never_built);
    if (!is_taken(exec, all)) return "a true list that was never built";
    all[without_grid(all, hgrid::save(grid)) - 1] = std::byte{1};
    if (is_taken(exec, all)) return "regions where there are no lists";
  }
  const std::vector<double> x{0, 0, 0, 1, 0, 0}, r{1, 1};
  const std::vector<hgrid::index_t> world{0, 1};
  hgrid::Grid<Exec, 3> grid(exec);
  hgrid::VerletList<Exec, 3> list(grid, {.skin = 0.125});
  auto particles = hgrid::particles<3>(x.data(), r.data(), 2);
  particles.worlds = {.of = world.data(), .count = 2};
  list.update(particles);
  const Bytes all = hgrid::save(list);
  if (!is_taken(exec, all)) return "a true list of worlds";
  const std::size_t of_lists = 8 + 4 + 2 + 8 * 3 + 4 * static_cast<std::size_t>(list.neighbours().size());
  const std::size_t last_world = without_grid(all, hgrid::save(grid)) - of_lists - sizeof(hgrid::index_t);
  hgrid::index_t was = 0;
  std::memcpy(&was, all.data() + last_world, sizeof was);
  if (was != 1) return "the last world stands elsewhere";
  Bytes forged = all;
  const hgrid::index_t far = 1000000;
  std::memcpy(forged.data() + last_world, &far, sizeof far);
  if (is_taken(exec, forged)) return "a world that there is not";
  int skins = 0;
  for (std::size_t at = head_of_checkpoint; at + sizeof(double) <= 200; ++at) {
    double skin = 0;
    std::memcpy(&skin, all.data() + at, sizeof skin);
    if (skin != 0.125) continue;
    ++skins, forged = all, skin = -1;
    std::memcpy(forged.data() + at, &skin, sizeof skin);
    if (is_taken(exec, forged)) return "a skin below 0";
  }
  return skins >= 3 ? "" : "skins stand elsewhere";
}

/// Changes the numbers at the front of a list whose skin is being chosen, one by one: returns the first that makes an unusable
/// state.
template <class Exec>
std::string fault_of_numbers(const Exec& exec) {
  using Saved = SavedLoop<Exec, 3>;
  for (const Saved& original : Saved::all(exec)) {
    if (!original.variant.list.choose_skin) continue;
    for (std::size_t at = head_of_checkpoint; at < 300; ++at) {
      Bytes bytes = original.saved[Saved::list];
      const std::int32_t most = INT32_MAX;
      std::memcpy(bytes.data() + at, &most, sizeof most);
      mend(bytes);
      ForgedLoop<Exec, 3> loop(exec);
      try {
        loop.restore(Saved::list, bytes);
      } catch (const hgrid::Error&) {
        continue;
      }
      if (const std::string fault = loop.use(original); !fault.empty()) return "byte " + std::to_string(at) + ": " + fault;
    }
  }
  return "";
}

}  // namespace support
