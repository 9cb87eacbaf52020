// SPDX-License-Identifier: BSD-3-Clause
// Many random cases, their coverage, and the smallest form of one that fails.
#pragma once

#include <gtest/gtest.h>

#include <cstdlib>
#include <iostream>

#include "hgrid/plan/planning.hpp"
#include "support/random_case.hpp"
#include "support/shrink.hpp"
#include "support/system_file.hpp"

namespace support {

inline std::uint64_t from_environment(const char* name, std::uint64_t otherwise) {
  const char* text = std::getenv(name);
  return text == nullptr ? otherwise : std::strtoull(text, nullptr, 10);
}

inline std::string to_text(const Case& c) {
  char line[512];
  std::string text = to_text(c.choice);
  const oracle::System& s = c.system;
  for (int k = 0; k < s.dimension; ++k) {
    std::snprintf(line, sizeof line, "  axis %d: %s, lo %.17g, hi %.17g\n", k, s.periodic[k] ? "periodic" : "open", s.lo[k],
                  s.hi[k]);
    text += line;
  }
  std::snprintf(line, sizeof line, "  rule %d, types %d, worlds %d (%zu boxes), skin %.17g, owned %lld\n",
                static_cast<int>(s.rule), s.types, s.worlds, s.boxes.size(), s.skin, static_cast<long long>(s.owned));
  text += line;
  for (const hgrid::LevelSpec& level : c.levels) {
    std::snprintf(line, sizeof line, "  level: radius_max %.17g, cells %.17g %.17g %.17g\n", level.radius_max,
                  level.cell_size[0], level.cell_size[1], level.cell_size[2]);
    text += line;
  }
  for (const auto& [i, j] : s.excluded) {
    text += "  excluded: " + std::to_string(i) + " and " + std::to_string(j) + "\n";
    if (text.size() > 8000) break;
  }
  const auto show = [&](const char* what, const oracle::System& system) {
    for (std::size_t i = 0; i < system.particles.size() && i < 20; ++i) {
      const oracle::Particle& p = system.particles[i];
      std::snprintf(line, sizeof line, "  %s %zu: x %.17g %.17g %.17g r %.17g e %.17g group %d active %d type %d world %d\n",
                    what, i, p.x[0], p.x[1], p.x[2], p.radius, p.extra, p.group, p.active, p.type, p.world);
      text += line;
    }
  };
  show("built first: particle", c.warm_up);
  show("particle", c.system);
  return text;
}

/// Returns whether rows and candidates for each particle and contact must be few: for particles at random places, on levels
/// that were planned for them. They must be enough that a plan is worth it, and touch one another on the average. The most seen
/// in 100,000 systems is 79. A particle that is wider than its periodic box has candidates under many images, and hardly any
/// may be reported: there the most seen is 194.
inline bool is_work_bounded(const Case& c, const Outcome& outcome) {
  const std::size_t n = c.system.particles.size();
  return c.choice[levels] == values::planned && c.choice[positions] == values::random && n >= 100 && outcome.contacts >= n;
}

/// Returns whether some particle is wider than a period of its box.
inline bool is_wider_than_box(const oracle::System& s) {
  return std::ranges::any_of(s.particles, [&](const oracle::Particle& p) {
    const oracle::Domain& box = oracle::domain_of(s, p);
    const double width = 2 * (s.radius_scale * p.radius + p.extra);
    for (int k = 0; k < s.dimension; ++k) {
      if (box.periodic[k] && width > box.hi[k] - box.lo[k]) return true;
    }
    return false;
  });
}

/// Returns whether a plan may have one cell, because few particles take part, or took part in the build before.
inline bool may_be_one_cell(const Case& c) { return c.system.particles.size() <= 2 * hgrid::detail::most_in_one_cell; }

/// `run(case)` searches a case on the executor that its choice names.
template <class Run>
void expect_random_systems(std::uint64_t default_systems, const Run& run) {
  const std::uint64_t seed = from_environment("HGRID_SEED", 20120501);
  const std::uint64_t wanted = from_environment("HGRID_SYSTEMS", default_systems);
  std::cout << "HGRID_SEED=" << seed << " HGRID_SYSTEMS=" << wanted << std::endl;
  PairCoverage coverage;
  std::uint64_t counted = 0, drawn = 0, few = 0, contacts = 0;
  for (; counted < wanted && drawn < 2 * wanted + 100; ++drawn) {
    const Case c = make_case(seed + drawn);
    const Outcome outcome = run(c);
    if (!outcome.difference.empty()) {
      std::cout << "system " << drawn << " fails; again with HGRID_SEED=" << c.seed << " HGRID_SYSTEMS=1\n"
                << outcome.difference << std::endl;  // before shrinking, which may take long
      if (from_environment("HGRID_NO_SHRINKING", 0) != 0) FAIL();
      const Case smallest = shrunk(c, run);
      const std::string file = "failed-" + std::to_string(c.seed) + ".csv";
      write_system(file, smallest);
      FAIL() << "system " << drawn << "; again with HGRID_SEED=" << c.seed << " HGRID_SYSTEMS=1\n"
             << outcome.difference << "smallest form:\n"
             << to_text(smallest) << run(smallest).difference << "written as " << file
             << ", for hgrid contacts and, in tests/systems, for a test";
    }
    if (is_work_bounded(c, outcome)) {
      EXPECT_LE(outcome.work_each, is_wider_than_box(c.system) ? 256 : 128)
          << "system " << drawn << "; again with HGRID_SEED=" << c.seed << " HGRID_SYSTEMS=1";
    }
    if (outcome.contacts > 0 && outcome.occupied_cells == 1) few += may_be_one_cell(c);
    if (outcome.contacts == 0 || outcome.occupied_cells < 2) continue;
    ++counted;
    contacts += outcome.contacts;
    coverage.add(c.choice);
  }
  std::cout << drawn << " systems, " << counted << " with contacts and two occupied cells, " << few << " in one, " << contacts
            << " contacts\n";
  if (wanted < 2000) return;  // too few for statistics
  EXPECT_LE(static_cast<double>(drawn - counted - few), 0.05 * static_cast<double>(drawn)) << "too many systems test nothing";
  const std::vector<std::string> missing = coverage.missing();
  EXPECT_TRUE(missing.empty()) << missing.size() << " pairs of values never met, such as " << missing.front();
}

}  // namespace support
