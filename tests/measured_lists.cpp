// SPDX-License-Identifier: BSD-3-Clause
// Measured entries as hosts write them, in vectors and for rows that are no list yet, against the executors' general code,
// which measures one entry after the other: bit for bit. And lists of queries, against the contacts of an oracle.
#include "hgrid/find/measured_lists.hpp"
#include "hgrid/hgrid.hpp"
#include "host/neighbours/measured_rows.hpp"
#include "support/brick_rows.hpp"
#include "support/executors.hpp"
#include "support/gas.hpp"
#include "support/loop_cases.hpp"
#include "support/measured_query_cases.hpp"
#include "support/random_suite.hpp"

namespace {

using hgrid::ListKind;
using hgrid::offset_t;

struct Columns {
  std::vector<offset_t> offsets;
  std::vector<std::int64_t> particles, neighbours, wide_images;
  std::vector<std::array<std::int32_t, 3>> images;
  std::vector<std::uint64_t> distances, vectors;  // bits

  bool operator==(const Columns&) const = default;
};

std::vector<std::uint64_t> bits_of(const std::vector<double>& values) {
  std::vector<std::uint64_t> bits(values.size());
  std::transform(values.begin(), values.end(), bits.begin(), [](double v) { return std::bit_cast<std::uint64_t>(v); });
  return bits;
}

// Returns the output of write(output). Some columns are not wanted.
template <int D, class Write>
Columns written(offset_t lists, bool some, bool past_caches, const Write& write) {
  Columns c;
  c.offsets.resize(static_cast<std::size_t>(lists) + 1);
  std::vector<hgrid::Image> images;
  std::vector<double> distances, vectors;
  const auto room = [&](offset_t n) {
    const auto size = static_cast<std::size_t>(n);
    c.particles.assign(size, -1), c.neighbours.assign(size, -1), c.wide_images.assign(D * size, -99);
    images.assign(size, {}), distances.assign(size, -1), vectors.assign(D * size, -1);
    return hgrid::detail::EntryColumns{c.particles.data(),   c.neighbours.data(), some ? nullptr : images.data(),
                                       c.wide_images.data(), distances.data(),    some ? nullptr : vectors.data(),
                                       past_caches};
  };
  const auto size = static_cast<std::size_t>(write(hgrid::detail::EntryOutput{c.offsets.data(), room}));
  c.particles.resize(size), c.neighbours.resize(size), c.wide_images.resize(D * size);
  images.resize(size), distances.resize(size), vectors.resize(D * size);
  for (const hgrid::Image& m : images) c.images.push_back({m[0], m[1], m[2]});
  c.distances = bits_of(distances), c.vectors = bits_of(vectors);
  return c;
}

// Lists a grid in each way; returns the name of a way whose result differs. `choice` selects columns.
template <class Exec, class Real, int D>
std::string difference(hgrid::Grid<Exec, D>& grid, const hgrid::Particles<Real, D>& particles, ListKind kind, unsigned choice) {
  hgrid::detail::WantedEntries<Real, D> wanted{particles, {}, nullptr, (choice & 1) != 0, (choice & 2) != 0, (choice & 4) != 0};
  const hgrid::Box<D>& box = grid.box();
  for (int k = 0; k < D; ++k) {
    if (box.wraps[k]) wanted.box[k][k] = box.length(k);
    for (int other = 0; other < k; ++other) wanted.box[k][other] = 0.125 * (k + other);  // any numbers will do
  }
  std::vector<hgrid::detail::BoxVectors<D>> boxes(static_cast<std::size_t>(particles.worlds.count), wanted.box);
  for (std::size_t world = 0; world < boxes.size(); ++world) boxes[world][0][0] += static_cast<double>(world);
  if (!boxes.empty()) wanted.boxes = boxes.data();
  auto list = grid.make_list(kind);
  grid.find(list);
  const hgrid::ListView view(list);
  const bool some = (choice & 8) != 0;
  const auto by = [&](const auto& write) { return written<D>(list.lists(), some, (choice & 16) != 0, write); };
  const Columns expected = by([&](const auto& out) {
    return write_entries(grid.exec(), hgrid::detail::MeasuredList<Real, D>{wanted, view}, out);
  });
  using hgrid::detail::GridEntries;
  if (by([&](const auto& out) { return GridEntries::write(grid, view, wanted, out); }) != expected) return "of a list\n";
  if (by([&](const auto& out) { return GridEntries::write(grid, kind, wanted, out); }) != expected) return "of the grid\n";
  const auto g = grid.view();
  std::string of_rows;
  if (g.has_extents()) return of_rows;  // bricks are for spheres
  support::use_rows_by_bricks(
      grid.exec(), g, list.lists(), kind, 1000,
      [&](const hgrid::detail::FoundRows& rows, const std::vector<hgrid::Image>& wraps) {
        // pretends that there are more particles than caches hold
        const auto* const order = g.slots() == list.lists() ? g.id : nullptr;
        const hgrid::detail::RowsAsFound found{rows, g.periodic ? wraps.data() : nullptr, order};
        if (by([&](const auto& out) { return write_measured(grid.exec(), found, wanted, out); }) != expected)
          of_rows = "of rows\n";
      });
  return of_rows;
}

template <class Real, int D>
support::Outcome run(const support::Case& c) {
  const hgrid::OpenMPExec exec(static_cast<int>(1 + c.seed % 3));
  auto grid = support::grid_in<hgrid::Grid<hgrid::OpenMPExec, D>>(exec, c.system, support::options_of(c));
  const support::UserArrays<Real, D> arrays(c.system, c.choice[support::layout], c.choice[support::exclusions]);
  const auto particles = arrays.view();
  grid.build(particles, {.skin = c.system.skin});
  support::Outcome outcome;
  outcome.contacts = static_cast<std::size_t>(c.system.rule == oracle::Rule::gather ? 1 : grid.count());
  outcome.occupied_cells = support::occupied_cells(exec, grid.view());
  const auto choice = static_cast<unsigned>(c.seed % 32) & (c.system.extended ? ~2u : ~0u);  // radii of now decide there
  outcome.difference = difference(grid, particles, ListKind::full, choice);
  if (c.system.rule != oracle::Rule::gather) outcome.difference += difference(grid, particles, ListKind::half, choice);
  return outcome;
}

support::Outcome run_measured(const support::Case& c) {
  try {
    if (c.choice[support::dimension] == 0) return c.choice[support::real] == 0 ? run<double, 2>(c) : run<float, 2>(c);
    return c.choice[support::real] == 0 ? run<double, 3>(c) : run<float, 3>(c);
  } catch (const hgrid::Error& e) {
    return {std::string("unexpected error: ") + e.what() + "\n"};
  }
}

TEST(MeasuredLists, OfRandomSystems) { support::expect_random_systems(500, run_measured); }

template <class Exec>
class MeasuredQueries : public ::testing::Test {};
TYPED_TEST_SUITE(MeasuredQueries, support::Executors);

TYPED_TEST(MeasuredQueries, OfRandomSystems) {
  const std::uint64_t systems = support::from_environment("HGRID_SYSTEMS", 500);
  for (std::uint64_t seed = 1; seed <= systems; ++seed) {
    const support::Case c = support::make_case(seed);
    const auto run = [&]<class Real, int D>() {
      return support::check_measured_queries<Real, D>(support::make_executor<TypeParam>(2), c);
    };
    ASSERT_EQ(support::in_types_of(c, run), "") << "seed " << seed << "\n" << support::to_text(c);
  }
}

TYPED_TEST(MeasuredQueries, RefuseBoxes) {
  using Region = hgrid::Region<3>;
  const TypeParam exec = support::make_executor<TypeParam>(2);
  const Region regions[] = {Region::sphere({0, 0, 0}, 1), Region::box({0, 1, 0}, {0, 3, 0}), Region::box({0, 0, 0}, {1, 1, 1})};
  typename TypeParam::template Buffer<hgrid::detail::RegionCheck> check(exec, 1);
  EXPECT_EQ(hgrid::detail::measured_from(exec, hgrid::Regions{regions, 1}, check.data()).lists, 1);
  const auto refused = support::expect_error(hgrid::ErrorCode::unsupported, [&] {
    hgrid::detail::measured_from(exec, hgrid::Regions{regions, 3}, check.data());
  });
  EXPECT_TRUE(refused.argument == "regions" && refused.index == 1 && refused.value == 2 && refused.count == 2);
}

// Draws as many neighbors as bricks are for, in boxes of some and of few periods, and particles far outside.
TEST(MeasuredLists, OfMany) {
  for (const int n : {20, 300, 1000}) {
    for (unsigned choice = 0; choice < 32; ++choice) {
      SCOPED_TRACE(testing::Message() << n << " particles, choice " << choice);
      const double side = std::cbrt(n / 14.3);  // 60 neighbors each
      support::Random random(choice);
      std::vector<double> x, r(1, 0.5);
      for (int k = 0; k < 3 * n; ++k) x.push_back(side * random.real() + (choice % 3 == 0 && k % 7 == 0 ? 5 * side : 0));
      auto particles = hgrid::particles<3>(x.data(), r.data(), n);
      particles.radius_stride = 0;
      hgrid::Grid grid{hgrid::OpenMPExec{2},
                       choice % 5 == 4 ? hgrid::Box3::open() : hgrid::Box3::periodic({0, 0, 0}, {side, side, side})};
      grid.build(particles);
      EXPECT_EQ(difference(grid, particles, ListKind::full, choice), "");
      EXPECT_EQ(difference(grid, particles, ListKind::half, choice), "");
    }
  }
}

}  // namespace
