// SPDX-License-Identifier: BSD-3-Clause
// Plans and lists with one wrong number: readers of a checkpoint must notice each.
#pragma once

#include <functional>
#include <limits>
#include <string>
#include <vector>

#include "hgrid/lists.hpp"
#include "hgrid/plan/plan_bounds.hpp"

namespace support {

/// The first change of a whole plan, one with islands or one with worlds, that goes unnoticed.
template <int D>
std::string unnoticed_in_plan(const hgrid::Plan<D>& whole) {
  using hgrid::index_t;
  using Plan = hgrid::Plan<D>;
  static constexpr double nan = std::numeric_limits<double>::quiet_NaN();
  if (!hgrid::detail::is_whole(whole)) return "a plan as it is";
  struct Change {
    const char* name;
    std::function<void(Plan&)> make;
  };
  std::vector<Change> changes = {{"no levels", [](Plan& p) { p.levels.count = 0; }},
                                 {"negative levels", [](Plan& p) { p.levels.count = -1; }},
                                 {"a level too many", [](Plan& p) { p.levels.level[p.levels.count++] = p.levels.level[0]; }},
                                 {"more levels than there may be", [](Plan& p) { p.levels.count = hgrid::max_levels + 1; }},
                                 {"another number of cells", [](Plan& p) { ++p.levels.cells; }},
                                 {"a first cell further on", [](Plan& p) { ++p.levels.level[0].first_cell, ++p.levels.cells; }},
                                 {"other bits", [](Plan& p) { ++p.bits; }},
                                 {"a world too many", [](Plan& p) { ++p.worlds; }},
                                 {"negative worlds", [](Plan& p) { p.worlds = -1; }},
                                 {"an origin too many", [](Plan& p) { p.origins.push_back({}); }},
                                 {"a skin that is no number", [](Plan& p) { p.skin = nan; }},
                                 {"a bound that is no number", [](Plan& p) { p.levels.level[0].radius_bound = nan; }},
                                 {"an endless bound", [](Plan& p) { p.levels.level[0].radius_bound = HUGE_VAL; }}};
  for (int k = 0; k < D; ++k) {
    changes.push_back({"no cells", [k](Plan& p) { p.levels.level[0].cells[k] = 0; }});
    changes.push_back({"negative cells", [k](Plan& p) { p.levels.level[0].cells[k] = -5; }});
    changes.push_back({"too many cells", [k](Plan& p) { p.levels.level[0].cells[k] = INT32_MAX; }});
    changes.push_back({"cells of no size", [k](Plan& p) { p.levels.level[0].cell_size[k] = 0; }});
    changes.push_back({"cells whose size is no number", [k](Plan& p) { p.levels.level[0].cell_size[k] = nan; }});
    changes.push_back({"cells of another size", [k](Plan& p) { p.levels.level[0].cell_size[k] *= 2; }});
    changes.push_back({"an inverse that is none", [k](Plan& p) { p.levels.level[0].inverse[k] = nan; }});
    changes.push_back({"an origin that is no number", [k](Plan& p) { p.levels.level[0].origin[k] = nan; }});
    changes.push_back({"islands that there are not", [k](Plan& p) { p.levels.level[0].islands[k] += 1; }});
    changes.push_back({"negative islands", [k](Plan& p) { p.levels.level[0].islands[k] = -1; }});
  }
  if (!whole.islands.empty()) {
    changes.push_back({"an island less", [](Plan& p) { p.islands.pop_back(); }});
    changes.push_back({"islands elsewhere", [](Plan& p) { p.levels.level[0].first_island[0] = INT32_MAX; }});
    changes.push_back({"negative islands elsewhere", [](Plan& p) { p.levels.level[0].first_island[0] = -1; }});
    changes.push_back({"an island that begins nowhere", [](Plan& p) { p.islands[0].begin = nan; }});
    changes.push_back({"an origin off the islands", [](Plan& p) { p.levels.level[0].origin[0] += 1; }});
    if (whole.levels.level[0].islands[0] > 1)
      changes.push_back({"islands of no order", [](Plan& p) { p.islands[1].begin = p.islands[0].begin - 1; }});
    changes.push_back({"an island's first cell", [](Plan& p) { p.islands[0].cell = 1; }});
    changes.push_back({"cells of no order", [](Plan& p) { p.islands[1].cell = INT32_MAX; }});
    changes.push_back(
        {"a closing cell", [](Plan& p) { ++p.islands[static_cast<std::size_t>(p.levels.level[0].islands[0])].cell; }});
  }
  if (whole.worlds > 0) changes.push_back({"an origin less", [](Plan& p) { p.origins.pop_back(); }});
  if (whole.worlds > 0) changes.push_back({"a world that lies nowhere", [](Plan& p) { p.origins[0][0] = nan; }});
  for (const Change& change : changes) {
    Plan plan = whole;
    change.make(plan);
    if (hgrid::detail::is_whole(plan) || hgrid::detail::is_whole(Plan(plan))) return change.name;
  }
  if (hgrid::detail::has_more_cells(whole, 1 << 20)) return "cells that a plan may have";
  Plan plan = whole;
  plan.table = hgrid::TableKind::dense, plan.levels.cells = 1 << 30;
  return hgrid::detail::has_more_cells(plan, 1000) ? "" : "more cells than there is memory for";
}

/// Returns which forged part of a list goes unnoticed, or nothing.
inline std::string unnoticed_in_lists() {
  struct Lists {
    std::vector<hgrid::offset_t> offsets = {0, 2, 3, 3};
    std::vector<hgrid::index_t> neighbours = {1, 2, 2};
    std::vector<hgrid::Image> images = {{{0, 0, 0}}, {{1, 0, 0}}, {{-1, 2, 0}}};
    bool taken(hgrid::ListKind kind = hgrid::ListKind::half) const {
      return hgrid::detail::are_lists(
          kind, false, 2, offsets, static_cast<hgrid::offset_t>(neighbours.size()),
          [&](hgrid::offset_t k) { return neighbours[static_cast<std::size_t>(k)]; },
          [&](hgrid::offset_t, hgrid::offset_t k) {
            return images.empty() ? hgrid::Image{} : images[static_cast<std::size_t>(k)];
          });
    }
  };
  struct Change {
    const char* name;
    std::function<void(Lists&)> make;
  };
  static constexpr std::int32_t most = INT32_MAX;
  const std::vector<Change> changes = {
      {"a first offset", [](Lists& l) { l.offsets[0] = 1; }},
      {"an offset that goes back", [](Lists& l) { l.offsets[1] = 4; }},
      {"a negative offset", [](Lists& l) { l.offsets[1] = -1; }},
      {"a last offset", [](Lists& l) { l.offsets[3] = 4; }},
      {"a neighbour that is none", [](Lists& l) { l.neighbours[1] = 3; }},
      {"a negative neighbour", [](Lists& l) { l.neighbours[0] = -1; }},
      {"a neighbour of the other side", [](Lists& l) { l.neighbours[2] = 0; }},
      {"neighbours of no order", [](Lists& l) { std::swap(l.neighbours[0], l.neighbours[1]); }},
      {"a neighbour twice", [](Lists& l) { l.neighbours[1] = 1, l.images[1] = l.images[0]; }},
      {"a number of an image", [](Lists& l) { l.images[1][0] = most; }},
      {"a negative number of an image", [](Lists& l) { l.images[1][1] = -most - 1; }},
      {"an axis that there is not", [](Lists& l) { l.images[2][2] = 1; }}};
  if (!Lists().taken()) return "lists as they are";
  for (const Change& change : changes) {
    Lists lists;
    change.make(lists);
    if (lists.taken()) return change.name;
  }
  return "";
}

}  // namespace support
