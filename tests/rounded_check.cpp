// SPDX-License-Identifier: BSD-3-Clause
// The check of a list by rounded particles, attacked at its last bit: particles use up just their margins, or a little more or
// less, in the direction in which rounding hides it. It must never say that a list holds where the exact check does not.
#include <gtest/gtest.h>

#include <algorithm>
#include <cmath>

#include "hgrid/loop/remembered_build.hpp"
#include "host/host_validity.hpp"
#include "support/packings.hpp"
#include "support/pieces_exec.hpp"
#include "support/results.hpp"

namespace {

/// A build whose particles are attacked one at a time: each moves, and grows if it may, until the exact check just holds, and
/// just not any more.
template <class Real, int D>
struct Attack {
  using Arrays = support::UserArrays<Real, D>;
  static constexpr auto no_boxes = static_cast<hgrid::detail::ChangedBox<D>*>(nullptr);

  support::PiecesExec<3> exec;
  oracle::System s;
  hgrid::Grid<support::PiecesExec<3>, D> grid;
  hgrid::detail::RememberedBuild<support::PiecesExec<3>, D> remembered;
  hgrid::Box<D> now;
  int usable = 0, within = 0, beyond = 0;

  explicit Attack(const oracle::System& system) : s(system), grid(exec, support::box_of<D>(s)), remembered(exec) { build(); }

  void build() {
    const Arrays arrays(s);
    grid.build(arrays.view(), {.skin = s.skin});
    remembered.reserve(arrays.view(), grid.view());
    remembered.take(arrays.view(), grid.view());
    now = grid.box();
    rounded(arrays);
  }

  const hgrid::BuiltParticles<D>& built() const { return remembered.particles(); }
  bool exact(const Arrays& a) const {
    hgrid::Validity scratch;
    return hgrid::detail::measure_validity(exec, a.view(), built(), now, no_boxes, &scratch).holds();
  }
  bool rounded(const Arrays& a) const {
    return hgrid::detail::validity_on_host(exec, a.view(), built(), now, no_boxes).holds();
  }

  /// Moves particle i along the error of its rounded place, so that it seems nearer than it is, and gives it `share` of its
  /// margin as growth.
  void attack(std::size_t i, double share, bool against) {
    const auto& block = built().rounded[i / 256];
    const bool used = block.usable();
    usable += used;
    const oracle::Particle before = s.particles[i];
    double along[3] = {1, 0, 0}, length = 0;
    for (int k = 0; k < D && used; ++k) {
      along[k] = block.least[k] + block.steps[k][i % 256] * block.step[k] - built().x[k][i];
      length += along[k] * along[k];
    }
    if (length == 0) along[0] = length = 1;
    const auto moved = [&](double by) {
      oracle::System t = s;
      for (int k = 0; k < D; ++k) t.particles[i].x[k] = before.x[k] + (against ? -by : by) / std::sqrt(length) * along[k];
      t.particles[i].radius += share * 0.5 * s.skin;
      return t;
    };
    double holds = 0, fails = s.skin + 1;
    for (int k = 0; k < 70 && std::nextafter(holds, fails) != fails; ++k) {
      const double middle = holds + 0.5 * (fails - holds);
      (exact(Arrays(moved(middle))) ? holds : fails) = middle;
    }
    for (double by : {holds, fails}) {
      for (int bit = -3; bit <= 3; ++bit) {
        double at = by;
        for (int b = 0; b < std::abs(bit); ++b) at = std::nextafter(at, bit < 0 ? 0.0 : HUGE_VAL);
        const Arrays arrays(moved(at));
        const bool expected = exact(arrays);
        (expected ? within : beyond) += 1;
        ASSERT_EQ(rounded(arrays), expected) << "particle " << i << " by " << at << ", bit " << bit;
      }
    }
  }

  void attack_all() {
    for (std::size_t i = 3; i < s.particles.size(); i += 197) {
      for (const double share : {0.0, 0.7}) attack(i, share, i % 3 == 0);
    }
    EXPECT_GT(within, 0);
    EXPECT_GT(beyond, 0);
  }
};

/// Particles with radii from 0.5 to 1 in a cube of this side about the origin or far from it, by x or at random.
oracle::System spheres_in(double side, double offset, bool sorted, bool periodic) {
  oracle::System s;
  support::Random random(9);
  for (int i = 0; i < 1280; ++i) {  // three parts hold some 256 whole
    oracle::Particle& p = s.particles.emplace_back();
    for (double& x : p.x) x = offset + random.real(0, side);
    p.radius = random.real(0.5, 1);
  }
  if (sorted) {
    std::sort(s.particles.begin(), s.particles.end(), [](const auto& a, const auto& b) { return a.x[0] < b.x[0]; });
  }
  for (int k = 0; k < 3; ++k) s.periodic[k] = periodic, s.lo[k] = offset, s.hi[k] = offset + side;
  s.skin = 0.2;
  return s;
}

template <class Real, int D>
void attack_last_bits() {
  for (const bool periodic : {false, true}) {
    for (const bool sorted : {false, true}) {
      for (const double side : {1e-3, 20.0, 500.0, 3e6}) {
        for (const double offset : {0.0, 1e6}) {
          oracle::System s = spheres_in(side, offset, sorted, periodic);
          s.dimension = D;
          for (oracle::Particle& p : s.particles) {  // as the arrays have them
            for (double& x : p.x) x = static_cast<Real>(x);
            p.radius = static_cast<Real>(p.radius);
          }
          SCOPED_TRACE(testing::Message() << D << "-D, side " << side << ", offset " << offset);
          if (side < 1 && (periodic || offset > 0)) continue;
          Attack<Real, D> attack(s);
          attack.attack_all();
          EXPECT_EQ(attack.usable > 0, side < 1e6);
        }
      }
    }
  }
}

TEST(RoundedCheck, LastBitOfTheMargin) {
  attack_last_bits<double, 3>();
  attack_last_bits<double, 2>();
  attack_last_bits<float, 3>();
}

TEST(RoundedCheck, EachBuildIsRounded) {
  oracle::System s = spheres_in(20, 0, true, false);
  Attack<double, 3> attack(s);
  for (oracle::Particle& p : attack.s.particles) p.x[1] += 0.05;
  EXPECT_TRUE(attack.rounded(Attack<double, 3>::Arrays(attack.s)));
  attack.build();
  attack.attack_all();
  EXPECT_GT(attack.usable, 0);
}

// Particles in boxes that are tilted, or have been sheared since the build, are compared as they were.
TEST(RoundedCheck, LastBitInTiltedAndShearedBoxes) {
  oracle::System s = spheres_in(20, 0, true, true);
  Attack<double, 3> sheared(s);
  sheared.now.hi[0] += 1e-3;
  s.tilt[0] = 3, s.tilt[2] = -7;
  Attack<double, 3> tilted(s);
  sheared.attack_all(), tilted.attack_all();
  EXPECT_EQ(tilted.usable, 0);
}

}  // namespace
