// SPDX-License-Identifier: BSD-3-Clause
// Each error has its code, the argument, the first offender and its value, and leaves everything as it was.
#include <cmath>
#include <functional>
#include <limits>

#include "all_pairs.hpp"

namespace {

using hgrid11::ErrorCode;

/// Returns the error that f() throws, caught as in codes without hgrid's types.
template <class F>
hgrid11::Error error_of(const F& f) {
  try {
    f();
  } catch (const std::runtime_error& e) {
    const hgrid11::Error* const error = dynamic_cast<const hgrid11::Error*>(&e);
    require(error != nullptr, "it is an Error");
    require(std::string(e.what()).find(name_of(error->code())) == 0, "the message begins with the name of the code");
    return *error;
  }
  require(false, "it throws");
  std::abort();
}

void expect(const hgrid11::Error& e, ErrorCode code, const std::string& argument, const char* what) {
  if (e.code() != code || e.argument() != argument) std::fprintf(stderr, "argument '%s': %s\n", e.argument().c_str(), e.what());
  require(e.code() == code && e.argument() == argument, what);
}

void test_particles() {
  System<3> system(100, 6, 0.1, 0.6, 9);
  const Entries pairs = system.pairs();
  hgrid11::Grid3 grid;
  grid.build({system.x, system.r});

  const double x = system.x[3 * 41 + 1], r = system.r[3];
  system.x[3 * 41 + 1] = std::numeric_limits<double>::infinity();
  const hgrid11::Error nonfinite = error_of([&] { grid.build({system.x, system.r}); });
  expect(nonfinite, ErrorCode::nonfinite, "positions", "infinity");
  require(nonfinite.index() == 41 && std::isinf(nonfinite.value()) && nonfinite.count() == 1, "where infinity is");
  require(entries_of(grid.pairs()) == pairs, "a build that fails leaves the grid as it was");

  system.x[3 * 41 + 1] = x, system.r[3] = -0.25;
  const hgrid11::Error negative = error_of([&] { grid.build({system.x, system.r}); });
  expect(negative, ErrorCode::negative_radius, "radii", "a negative radius");
  require(negative.index() == 3 && negative.value() == -0.25, "which radius");
  system.r[3] = r;

  hgrid11::Particles3 particles(system.x, system.r);
  const std::vector<std::int32_t> groups(99, -1);
  const hgrid11::Error mismatch = error_of([&] { grid.build(hgrid11::Particles3(particles).group(groups)); });
  expect(mismatch, ErrorCode::size_mismatch, "group", "too few groups");
  require(mismatch.value() == 99 && mismatch.needed() == 100, "how many groups");
  const std::vector<float> singles(100, 0.1f);
  expect(error_of([&] { grid.build(hgrid11::Particles3(particles).extra(singles)); }), ErrorCode::invalid_argument, "extra",
         "two types of numbers");
  const hgrid11::Error odd = error_of([&] { grid.build({std::vector<double>(301), system.r}); });
  expect(odd, ErrorCode::size_mismatch, "positions", "no multiple of three");
  require(odd.value() == 301, "how many numbers");
}

void test_errors_of_extents() {
  const System<3> system(100, 6, 0.1, 0.6, 9);
  std::vector<double> halves(300, 0.1);
  hgrid11::Grid3 grid;
  halves[3 * 17 + 1] = -0.5;
  const hgrid11::Error negative = error_of([&] { grid.build(hgrid11::Particles3(system.x).extents(halves)); });
  expect(negative, ErrorCode::negative_radius, "extents", "a negative extent");
  require(negative.index() == 17 && negative.value() == -0.5, "which extent");
  halves[3 * 17 + 1] = 0.5;
  expect(error_of([&] { grid.build(hgrid11::Particles3(system.x)); }), ErrorCode::invalid_argument, "radii", "no radii");
  grid.build(hgrid11::Particles3(system.x).extents(halves));
  expect(error_of([&] { grid.query(hgrid11::Regions3::points(system.x)); }), ErrorCode::unsupported, "extents",
         "regions are for spheres");
}

void test_geometry() {
  const hgrid11::Error box = error_of([] { hgrid11::Grid2(hgrid11::Box2::periodic({0, 3}, {5, 2})); });
  expect(box, ErrorCode::invalid_box, "box", "a box of no size");
  require(box.index() == 1, "which axis");
  hgrid11::GridOptions options;
  options.threads = -2;
  const hgrid11::Error threads = error_of([&] { hgrid11::Grid3(hgrid11::Box3::open(), options); });
  expect(threads, ErrorCode::invalid_argument, "threads", "a number of threads");
  require(threads.value() == -2, "which number");
  options.threads = 1, options.rule = hgrid11::Rule::gather;
  hgrid11::Grid3 gather(hgrid11::Box3::open(), options);
  gather.build({std::vector<double>(6), 0.5});
  require(error_of([&] { gather.pairs(); }).code() == ErrorCode::unsupported, "a gather has no pairs");
}

void test_use() {
  const System<3> system(100, 6, 0.1, 0.6, 9);
  hgrid11::Grid3 grid;
  require(error_of([&] { grid.pairs(); }).code() == ErrorCode::not_built, "nothing was built");
  grid.build({system.x, system.r});
  const std::int64_t count = grid.count();
  std::vector<std::int32_t> room(2 * static_cast<std::size_t>(count), -7);
  const hgrid11::Error capacity = error_of([&] { grid.pairs_into(room.data(), count - 1); });
  require(capacity.code() == ErrorCode::capacity && capacity.needed() == count && room[0] == -7, "too little room");
  hgrid11::NeighbourMatrix<std::int32_t> matrix(room.data(), 100, 0);
  const hgrid11::Error width = error_of([&] { grid.neighbours_into(matrix); });
  require(width.code() == ErrorCode::capacity, "too narrow a matrix");
  std::vector<std::int32_t> table(100 * static_cast<std::size_t>(width.needed()));
  require(grid.neighbours_into(hgrid11::NeighbourMatrix<std::int32_t>(table.data(), 100, width.needed())) == width.needed(),
          "the width that was needed");
  const hgrid11::Error level = error_of([&] { grid.level(70); });
  expect(level, ErrorCode::invalid_argument, "level", "no level");
  require(level.value() == 70, "which level");
  expect(error_of([&] { grid.restore(std::vector<unsigned char>(100, 'x')); }), ErrorCode::format, "checkpoint",
         "no checkpoint");

  const hgrid11::PairList old = grid.pairs();
  const hgrid11::NeighbourList newer = grid.neighbours();
  expect(error_of([&] { grid.keep(old); }), ErrorCode::stale, "list", "only the last list can be kept");
  require(grid.keep(newer).size() == count, "the last list");
  require(error_of([&] { grid.keep(newer); }).code() == ErrorCode::invalid_argument, "it can be kept once");
  hgrid11::Grid3 other;
  other.build({system.x, system.r});
  other.neighbours();
  expect(error_of([&] { other.keep(newer); }), ErrorCode::stale, "list", "a list of another grid");

  const hgrid11::Grid3 moved = std::move(grid);
  require(moved.count() == count, "a grid that was moved");
  expect(error_of([&] { grid.count(); }), ErrorCode::invalid_argument, "grid", "a grid that was moved from");
}

/// Sizes beyond any memory.
void test_sizes() {
  System<3> system(10, 6, 0.1, 0.6, 9);
  hgrid11::Grid3 grid;
  grid.build({system.x, system.r});
  const std::int64_t many = std::int64_t(1) << 62;
  for (const std::int32_t k : {1, 2, 1 << 30}) {
    expect(error_of([&] { grid.nearest(system.x.data(), many, k); }), ErrorCode::out_of_memory, "m",
           "nearest of too many points");
  }
  require(error_of([&] { grid.nearest(system.x.data(), -1, 1); }).code() == ErrorCode::size_mismatch, "of fewer than none");
  hgrid11::Copies copies;
  expect(error_of([&] { copies.take(std::size_t(1) << 63, {}, {}); }), ErrorCode::too_many_particles, "particles",
         "copies of too many particles");
  expect(error_of([&] { copies.take(std::size_t(1) << 63, {0}, {}); }), ErrorCode::size_mismatch, "image", "too few images");
  require(copies.particles() == 0, "there are none");
}

/// A predicate that uses its grid gets an error, which the search throws even if the predicate takes no notice.
void test_use_in_a_predicate() {
  System<3> system(100, 6, 0.1, 0.6, 9);
  hgrid11::Grid3 grid;
  const hgrid11::Particles3 particles(system.x, system.r);
  grid.build(particles);
  const std::size_t count = entries_of(grid.pairs()).size();
  const std::vector<std::function<void()>> calls = {[&] { grid.count(); },
                                                    [&] { grid.pairs(); },
                                                    [&] { grid.build(particles); },
                                                    [&] { grid.neighbours(); },
                                                    [&] { grid.nearest(system.x.data(), 1, 1); },
                                                    [&] { grid.insert(system.x.data(), 1); },
                                                    [&] { grid.valid(particles); },
                                                    [&] { grid.plan(); },
                                                    [&] { grid.save(); }};
  for (const std::function<void()>& call : calls) {
    const auto notices = [&](std::int32_t, std::int32_t, const hgrid11::Image&) { return call(), true; };
    const auto does_not = [&](std::int32_t, std::int32_t, const hgrid11::Image&) {
      return error_of([&] { call(); }).code() == ErrorCode::reentrancy;
    };
    require(error_of([&] { grid.pairs(notices); }).code() == ErrorCode::reentrancy, "it throws");
    require(error_of([&] { grid.neighbours(does_not); }).code() == ErrorCode::reentrancy, "it throws behind the predicate");
  }
  const auto looks = [&](std::int32_t, std::int32_t, const hgrid11::Image&) {
    return grid.generation() > 0 && grid.touches(system.x.data(), 0.1);
  };
  require(entries_of(grid.pairs(looks)).size() == count && count > 0, "it may look");
}

void test_lists_of_loops() {
  System<3> system(100, 6, 0.1, 0.6, 9);
  hgrid11::Grid3 grid, second;
  hgrid11::VerletOptions options;
  options.skin = 0.1, options.rebuild = false;
  hgrid11::VerletList3 list(grid, options), other(second);
  hgrid11::PairArray<double> springs, strange;
  list.update({system.x, system.r}, springs);
  other.update({system.x, system.r}, strange);
  expect(error_of([&] {
           list.update({system.x, system.r}, springs, strange);
         }),
         ErrorCode::stale, "followers", "a follower of another list");
  springs.assign(std::vector<double>(3));
  const hgrid11::Error size = error_of([&] { list.update({system.x, system.r}, springs); });
  expect(size, ErrorCode::size_mismatch, "followers", "values of other entries");
  require(size.value() == 3 && size.needed() == list.neighbours().size(), "how many values");
  springs.assign({});
  require(!list.update({system.x, system.r}, springs) && springs.size() == list.neighbours().size(), "all new");
  system.x[0] += 1;
  require(error_of([&] { list.update({system.x, system.r}, springs); }).code() == ErrorCode::stale, "it must not be built");
  list.build({system.x, system.r}, springs);
  require(springs.size() == list.neighbours().size(), "unless it is told to");
  list.build({system.x, system.r});
  list.build({system.x, system.r});
  expect(error_of([&] { list.build({system.x, system.r}, springs); }), ErrorCode::stale, "followers", "missed two lists");
  expect(error_of([&] { other.restore(std::vector<unsigned char>(9)); }), ErrorCode::format, "checkpoint",
         "no checkpoint of a list");
  hgrid11::Grid3 periodic(hgrid11::Box3::periodic({0, 0, 0}, {6, 6, 6}));
  hgrid11::VerletOptions too_wide;
  too_wide.skin = 3.1, too_wide.wrapped = true;
  hgrid11::VerletList3 wrapped(periodic, too_wide);
  expect(error_of([&] { wrapped.update({system.x, system.r}); }), ErrorCode::unsupported, "skin", "a wrap or a movement");
  const hgrid11::VerletList3 moved = std::move(list);
  expect(error_of([&] { list.neighbours(); }), ErrorCode::invalid_argument, "list", "a list that was moved from");
}

}  // namespace

void test_errors() {
  test_particles();
  test_errors_of_extents();
  test_geometry();
  test_use();
  test_sizes();
  test_use_in_a_predicate();
  test_lists_of_loops();
}
