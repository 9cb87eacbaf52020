// SPDX-License-Identifier: BSD-3-Clause
// hgrid_find: every query and every form of its answer, against the lists of the C++ library.
#include <atomic>

#include "hgrid/hgrid.hpp"
#include "hgrid/queries.hpp"
#include "support/c_door.hpp"
#include "support/mesh_cases.hpp"
#include "support/narrow_cases.hpp"
#include "support/packings.hpp"
#include "support/random_suite.hpp"
#include "support/region_cases.hpp"

namespace {

using support::c_array;
using support::Contacts;
using support::DoorGrid;
using support::sized;

using CallersGrid = hgrid::Grid<hgrid::OpenMPExec, 3>;

struct Answered {
  std::int64_t count = -5;
  hgrid_answer answer = sized<hgrid_answer>();
  Answered() { answer.count = &count; }
};

Contacts contacts_in(const hgrid_neighbour_list& list) {
  Contacts all;
  const auto* const image = reinterpret_cast<const hgrid::Image*>(list.images);
  for (std::int64_t i = 0; i < list.lists; ++i) {
    for (std::int64_t k = list.offsets[i]; k < list.offsets[i + 1]; ++k)
      all.push_back(support::contact(i, list.neighbours[k], image == nullptr ? nullptr : &image[k]));
  }
  return all;
}

Contacts contacts_in(const hgrid_packed_list& list) {
  Contacts all;
  const auto* const outside = reinterpret_cast<const hgrid::Image*>(list.periods);
  for (std::int64_t i = 0; i < list.lists; ++i) {
    for (std::int64_t k = list.offsets[i]; k < list.offsets[i + 1]; ++k) {
      hgrid::Image image;
      for (int a = 0; a < 3; ++a) image[a] = HGRID_PACKED_IMAGE(list.entries[k], a);
      const auto j = HGRID_PACKED_NEIGHBOUR(list.entries[k]);
      image = hgrid::image_now(image, outside, j, static_cast<hgrid::index_t>(i));
      all.push_back(support::contact(i, j, &image));
    }
  }
  return all;
}

template <class Integer>
void expect_own_memory(hgrid_grid* door, const hgrid_question& question, int kind, const Contacts& pairs, const Contacts& lists,
                       std::int64_t lines) {
  const auto n = static_cast<std::int64_t>(pairs.size());
  std::vector<Integer> ids(2 * pairs.size() + 2);
  std::vector<hgrid::Image> images(pairs.size() + 1);
  const hgrid_array shifts = c_array(images[0].m, {n, 3});
  Answered columns;
  hgrid_array into = c_array(ids.data(), {n, 2});
  columns.answer.pairs_into = &into, columns.answer.images_into = &shifts;
  ASSERT_EQ(hgrid_find(door, &question, &columns.answer), HGRID_OK);
  EXPECT_EQ(columns.count, n);
  Contacts found;
  for (std::size_t k = 0; k < pairs.size(); ++k) found.push_back(support::contact(ids[2 * k], ids[2 * k + 1], &images[k]));
  EXPECT_EQ(found, pairs);
  if (n > 0) {
    into.shape[0] = n - 1, columns.count = -5, columns.answer.images_into = nullptr;
    EXPECT_EQ(hgrid_find(door, &question, &columns.answer), HGRID_ERROR_CAPACITY);
    EXPECT_EQ(columns.count, n);
  }

  std::vector<std::int64_t> lengths(static_cast<std::size_t>(lines) + 1);
  for (const auto& c : lists) ++lengths[static_cast<std::size_t>(c.i)];
  const std::int64_t width = *std::ranges::max_element(lengths);
  const auto cells = static_cast<std::size_t>(lines * width);
  std::vector<Integer> neighbours(cells + 1), counts(lengths.size());
  std::vector<hgrid::Image> of_matrix(cells + 1);
  auto matrix = sized<hgrid_neighbour_matrix>();
  matrix.neighbours = c_array(neighbours.data(), {lines, width}), matrix.counts = c_array(counts.data(), {lines});
  matrix.images = c_array(of_matrix[0].m, {lines, width, 3}), matrix.padding = -1;
  Answered padded;
  padded.answer.matrix = &matrix, padded.answer.kind = kind;
  ASSERT_EQ(hgrid_find(door, &question, &padded.answer), HGRID_OK);
  EXPECT_EQ(padded.count, width);
  found.clear();
  for (std::size_t k = 0; k < cells; ++k) {
    const auto line = static_cast<std::int64_t>(k) / width;
    if (static_cast<std::int64_t>(k) % width < lengths[static_cast<std::size_t>(line)])
      found.push_back(support::contact(line, neighbours[k], &of_matrix[k]));
  }
  EXPECT_EQ(found, lists);
  EXPECT_TRUE(std::equal(lengths.begin(), lengths.end(), counts.begin()));
}

// Asks for each form. `asked` is what `Grid::find` takes after the answer for the same question.
template <class... Asked>
void expect_forms(hgrid_grid* door, const hgrid_question& question, CallersGrid& grid, std::int64_t lines, hgrid::ListKind kind,
                  Asked&&... asked) {
  auto list = grid.make_list(kind);
  auto pairs = grid.make_pairs();
  grid.find(list, asked...);
  if constexpr (requires { grid.find(pairs, asked..., hgrid::FindOptions{}); }) {
    grid.find(pairs, asked..., hgrid::FindOptions{.order = hgrid::Order::sorted});
  } else {
    grid.find(pairs, asked...);
  }
  const Contacts in_lists = support::as_listed(list), in_pairs = support::as_listed(pairs);

  Answered number;
  ASSERT_EQ(hgrid_find(door, &question, &number.answer), HGRID_OK);
  EXPECT_EQ(number.count, pairs.size());

  const auto expect_lists = [&]<class Lists>(Lists* hgrid_answer::*form) {
    Answered listed;
    auto lists = sized<Lists>();
    listed.answer.*form = &lists, listed.answer.kind = static_cast<int>(kind);
    ASSERT_EQ(hgrid_find(door, &question, &listed.answer), HGRID_OK);
    EXPECT_EQ(contacts_in(lists), in_lists);
    EXPECT_TRUE(lists.lists == lines && lists.size == listed.count);
  };
  expect_lists(&hgrid_answer::lists), expect_lists(&hgrid_answer::packed);

  Answered paired;
  auto view = sized<hgrid_pair_list>();
  paired.answer.pairs = &view, paired.answer.order = HGRID_SORTED;
  ASSERT_EQ(hgrid_find(door, &question, &paired.answer), HGRID_OK);
  EXPECT_EQ(paired.count, pairs.size());
  EXPECT_TRUE(view.size == pairs.size() && support::same_bytes(pairs.pairs(), view.pairs, view.size) &&
              support::same_bytes(pairs.images(), view.images, view.size));

  const int number_of_kind = static_cast<int>(kind);
  expect_own_memory<std::int32_t>(door, question, number_of_kind, in_pairs, in_lists, lines);
  expect_own_memory<std::int64_t>(door, question, number_of_kind, in_pairs, in_lists, lines);
}

struct Called {
  support::Drawn drawn;
  std::atomic<std::int64_t> calls{0};
};

// Asks for all contacts, and for the contacts that a predicate confirms.
template <class... Asker>
void expect_answers(hgrid_grid* door, hgrid_question question, CallersGrid& grid, std::int64_t lines, hgrid::ListKind kind,
                    Asker&&... asker) {
  expect_forms(door, question, grid, lines, kind, asker...);
  Called called{{static_cast<std::uint64_t>(lines)}};
  auto predicate = sized<hgrid_predicate>();
  predicate.context = &called;
  predicate.ask = [](void* context, const hgrid_contact* c, std::int64_t n, std::uint8_t* touch) {
    auto& by = *static_cast<Called*>(context);
    by.calls += n;
    for (std::int64_t k = 0; k < n; ++k) touch[k] = by.drawn(c[k].i, c[k].j, {{c[k].image[0], c[k].image[1], c[k].image[2]}});
    return 0;
  };
  question.predicate = &predicate;
  expect_forms(door, question, grid, lines, kind, asker..., hgrid::only(called.drawn));
  EXPECT_GT(called.calls, 0);
}

// Two sets, regions and a wall in one box.
class CDoorFind : public ::testing::Test {
 protected:
  void expect_all_questions(bool periodic, std::uint64_t seed) {
    support::Random random(seed);
    oracle::System s = support::polydisperse(150, 3, periodic, seed), other = support::polydisperse(90, 5, periodic, seed + 1);
    static_cast<oracle::Domain&>(other) = s;
    auto grid = support::built(hgrid::OpenMPExec(2), s), asking = support::built(hgrid::OpenMPExec(2), other);
    DoorGrid door, asking_door;
    const support::UserArrays<double, 3> arrays(s), other_arrays(other);
    const auto particles = arrays.view();
    const hgrid_particles now = build(door, s, particles);
    build(asking_door, other, other_arrays.view());

    auto question = sized<hgrid_question>();
    expect_answers(door.grid, question, grid, 150, hgrid::ListKind::half);
    expect_answers(door.grid, question, grid, 150, hgrid::ListKind::full);

    const auto regions = support::draw_regions<3>(s, random, seed % 2 == 0);
    const auto m = static_cast<std::int64_t>(regions.size());
    std::vector<double> lo, hi, radius;
    for (const hgrid::Region<3>& r : regions) {
      for (int k = 0; k < 3; ++k) lo.push_back(r.lo[k]), hi.push_back(r.hi[k]);
      radius.push_back(r.radius);
    }
    auto given = sized<hgrid_regions>();
    given.lo = c_array(lo.data(), {m, 3}), given.hi = c_array(hi.data(), {m, 3}), given.radius = c_array(radius.data(), {m});
    question.regions = &given;
    expect_answers(door.grid, question, grid, m, hgrid::ListKind::full, hgrid::Regions{regions.data(), m});

    question = sized<hgrid_question>();
    question.asking = asking_door.grid;
    expect_answers(door.grid, question, grid, 90, hgrid::ListKind::full, asking);
    auto pairs = grid.make_pairs();
    grid.find(pairs, asking);
    ASSERT_GT(pairs.size(), 1);
    const hgrid::Exclusions bonds = hgrid::Exclusions::in_pairs(pairs.pairs(), 2);
    question.excluded_pairs = c_array(&pairs.pairs()->i, {2, 2});
    hgrid::Excluding less(grid, asking, bonds);
    expect_answers(door.grid, question, grid, 90, hgrid::ListKind::full, less);

    const auto at = [&](double u, double v, double w) {
      const double of[3] = {u, v, w};
      hgrid::Vec<double, 3> x;
      for (int k = 0; k < 3; ++k) x[k] = s.lo[k] + of[k] * (s.hi[k] - s.lo[k]);
      return x;
    };
    const hgrid::Triangles wall{{at(0.1, 0.1, 0.5), at(0.8, 0.2, 0.4), at(0.3, 0.9, 0.5), at(0.8, 0.8, 0.7)},
                                {{0, 1, 2}, {1, 2, 3}}};
    hgrid::Mesh mesh{grid.exec(), wall, grid.box()};
    auto triangles = sized<hgrid_triangles>();
    triangles.vertices = c_array(wall.vertices[0].v, {4, 3}), triangles.corners = c_array(wall.corners[0].v, {2, 3});
    support::DoorMesh door_mesh;
    ASSERT_EQ(hgrid_mesh_create(door.grid, &triangles, &door_mesh.mesh), HGRID_OK);
    question = sized<hgrid_question>();
    question.mesh = door_mesh.mesh, question.now = &now, question.margin = 0.01;
    expect_answers(door.grid, question, grid, 2, hgrid::ListKind::full, hgrid::OnMesh{mesh, particles, 0.01});
  }

  static hgrid_particles build(DoorGrid& door, const oracle::System& s, const hgrid::Particles<double, 3>& particles) {
    auto options = sized<hgrid_options>();
    options.dimension = 3, options.threads = 2;
    auto box = sized<hgrid_box>();
    for (int k = 0; k < 3; ++k) box.lo[k] = s.lo[k], box.hi[k] = s.hi[k], box.periodic[k] = s.periodic[k];
    EXPECT_EQ(hgrid_create(&options, s.periodic[0] ? &box : nullptr, &door.grid), HGRID_OK);
    const hgrid_particles given = support::c_particles(particles, false);
    EXPECT_EQ(hgrid_build(door.grid, &given, s.skin), HGRID_OK);
    return given;
  }
};

TEST_F(CDoorFind, GivesTheListsOfTheLibrary) {
  const std::uint64_t systems = support::from_environment("HGRID_SYSTEMS", 20);
  for (std::uint64_t seed = 1; seed <= systems; ++seed) {
    expect_all_questions(seed % 3 != 0, seed);
    if (HasFatalFailure() || HasNonfatalFailure()) FAIL() << "seed " << seed;
  }
}

}  // namespace
