// SPDX-License-Identifier: BSD-3-Clause
// Lists of all kinds, in boxes that are tilted or along any vectors, against all pairs; queries; kept lists.
#include <algorithm>
#include <stdexcept>
#include <string>
#include <type_traits>

#include "all_pairs.hpp"

namespace {

static_assert(!std::is_copy_constructible<hgrid11::Grid3>::value && std::is_nothrow_move_assignable<hgrid11::Grid3>::value, "");
static_assert(!std::is_copy_constructible<hgrid11::Kept<hgrid11::PairList>>::value, "");
static_assert(std::is_trivially_copyable<hgrid11::NeighbourList>::value, "views are light");

const double lengths[3] = {6, 7, 5}, xy = 2.5, xz = -1, yz = 1.5;

hgrid11::Box3 tilted_box() {
  return hgrid11::Box3::periodic({0, 0, 0}, {lengths[0], lengths[1], lengths[2]}).tilted(xy, xz, yz);
}

/// Some particles touch their own images, and some lie outside the box.
System<3> tilted_system() {
  System<3> system(90, 6, 0.1, 0.9, 3);
  system.r[5] = 2.8;
  return system.repeat({{lengths[0], 0, 0}, {xy, lengths[1], 0}, {xz, yz, lengths[2]}});
}

void test_tilted() {
  const System<3> system = tilted_system();
  const Entries expected = system.pairs(), both = from_both_sides(expected);
  require(std::any_of(expected.begin(), expected.end(), [](const Entry& e) { return e[0] == e[1]; }), "the system: own images");
  hgrid11::Grid3 grid(tilted_box());
  grid.build({system.x, system.r});
  require(entries_of(grid.pairs()) == expected, "pairs in a tilted box");
  require(entries_of(grid.pairs(hgrid11::Order::fixed)) == expected, "pairs as found");
  require(grid.count() == static_cast<std::int64_t>(expected.size()), "their number");
  const hgrid11::PairList pairs = grid.pairs();
  const std::vector<hgrid11::Pair> copies(pairs.begin(), pairs.end());
  require(copies.size() == expected.size() && copies.back().i == pairs[pairs.size() - 1].i, "copies of pairs");
  require(entries_of(grid.neighbours()) == expected, "half lists");
  require(entries_of(grid.neighbours(hgrid11::ListKind::full)) == both, "full lists");
  require(entries_of(grid.packed_neighbours()) == expected, "packed half lists");
  require(entries_of(grid.packed_neighbours(hgrid11::ListKind::full)) == both, "packed full lists");
  grid.build({system.x, system.r}, 0.4);
  require(entries_of(grid.pairs()) == system.pairs(0.4) && system.pairs(0.4).size() > expected.size(), "pairs within a skin");

  const std::array<double, 3> shift = tilted_box().shift({{1, 2, -1}});
  require(shift[0] == 6 + 2 * xy - xz && shift[1] == 14 - yz && shift[2] == -5, "the shift of an image");
}

/// Depends on ids and image only; returns false at times, and throws at a given call.
struct Touches {
  int throws_at;

  bool operator()(std::int32_t i, std::int32_t j, const hgrid11::Image& image) const {
    if (i == throws_at) throw std::runtime_error("as told");
    return (i + 3 * j + image[0] + 2 * image[1] + 5 * image[2]) % 3 != 0;
  }
};

void test_predicates() {
  const System<3> system = tilted_system();
  const Touches touches = {-1};
  Entries expected;
  for (const Entry& e : system.pairs()) {
    const int number = static_cast<int>(e[0] + 3 * e[1] + e[2] + 2 * e[3] + 5 * e[4]);
    if (number % 3 != 0) expected.insert(e);
  }
  require(!expected.empty() && expected.size() < system.pairs().size(), "a predicate has its say");
  hgrid11::Grid3 grid(tilted_box());
  grid.build({system.x, system.r});
  require(entries_of(grid.pairs(touches)) == expected, "pairs that a predicate confirms");
  require(entries_of(grid.pairs(touches, hgrid11::Order::fixed)) == expected, "the same as found");
  require(entries_of(grid.neighbours(touches)) == expected, "half lists of them");
  const auto full = grid.keep(grid.neighbours(touches, hgrid11::ListKind::full));
  require(entries_of(full) == from_both_sides(expected), "full lists of them");
  bool thrown = false;
  try {
    grid.pairs(Touches{5});
  } catch (const std::runtime_error& e) {
    thrown = std::string(e.what()) == "as told";
  }
  require(thrown, "a predicate's exception comes out");
  require(entries_of(grid.pairs(touches)) == expected, "and the grid goes on");
}

void test_vectors() {
  const double vectors[3][3] = {{0, 6, 0}, {7, 2, 0}, {1, -1, 5}};
  System<3> system = tilted_system();
  system.repeat(vectors);
  const hgrid11::Box3 box = hgrid11::Box3::of_vectors(vectors, {true, true, true});
  hgrid11::Grid3 grid(box);
  grid.build({system.x, system.r});
  require(entries_of(grid.pairs()) == system.pairs() && grid.count() > 0, "pairs in a box along any vectors");
  const std::array<double, 3> shift = box.shift({{2, -1, 3}});
  require(shift[0] == -4 && shift[1] == 7 && shift[2] == 15, "a shift along vectors");
  grid.set_box(hgrid11::Box3::open());
  grid.build({system.x, system.r});
  require(!grid.pairs().has_images(), "another box");
}

void test_own_memory() {
  const System<3> system = tilted_system();
  const Entries expected = system.pairs();
  hgrid11::Grid3 grid(tilted_box());
  grid.build({system.x, system.r});
  std::vector<std::int64_t> pairs(2 * expected.size());
  std::vector<std::int32_t> images(3 * expected.size());
  require(grid.pairs_into(pairs.data(), static_cast<std::int64_t>(expected.size()), images.data()) == grid.count(), "a number");
  std::size_t k = 0;
  for (const Entry& e : expected) {  // both are sorted by ids
    require(pairs[2 * k] == e[0] && pairs[2 * k + 1] == e[1] && images[3 * k + 2] == e[4], "pairs in own memory");
    ++k;
  }

  const Entries both = from_both_sides(expected);
  const std::int64_t n = static_cast<std::int64_t>(system.size()), width = 80;
  std::vector<std::int32_t> table(static_cast<std::size_t>(n * width)), counts(static_cast<std::size_t>(n)),
      shifts(3 * table.size());
  hgrid11::NeighbourMatrix<std::int32_t> matrix(table.data(), n, width);
  matrix.counts = counts.data(), matrix.images = shifts.data();
  const std::int64_t longest = grid.neighbours_into(matrix, hgrid11::ListKind::full);
  require(longest == *std::max_element(counts.begin(), counts.end()), "the longest list");
  Entries found;
  for (std::size_t i = 0; i < system.size(); ++i) {
    for (std::size_t c = i * width; c < (i + 1) * width; ++c) {
      if (c >= i * width + static_cast<std::size_t>(counts[i])) {
        require(table[c] == -1, "padding");
      } else {
        found.insert({{static_cast<int>(i), table[c], shifts[3 * c], shifts[3 * c + 1], shifts[3 * c + 2]}});
      }
    }
  }
  require(found == both, "a matrix");
}

void test_queries() {
  System<3> system = tilted_system();
  hgrid11::Grid3 grid(tilted_box());
  grid.build({system.x, system.r});
  const std::vector<double> centres = {1, 2, 3, 5, 6, 4, 20, -3, 2}, radii = {1.5, 0.2, 3};
  const auto expected = [&](bool by_centres, double scale) {
    Entries found;
    System<3> with_centres = system;
    with_centres.most = 8;
    with_centres.x.insert(with_centres.x.end(), centres.begin(), centres.end());
    const std::vector<System<3>::Shift> images = with_centres.shifts();
    for (std::size_t q = 0; q < radii.size(); ++q) {
      for (std::size_t i = 0; i < system.size(); ++i) {
        const double reach = radii[q] + (by_centres ? 0 : scale * system.r[i]);
        with_centres.for_each_near(system.size() + q, i, reach, images, [&](const std::array<int, 3>& m) {
          found.insert({{static_cast<int>(q), static_cast<int>(i), m[0], m[1], m[2]}});
        });
      }
    }
    return found;
  };
  hgrid11::Regions3 spheres = hgrid11::Regions3::spheres(centres, radii);
  require(entries_of(grid.query(spheres)) == expected(false, 1) && expected(false, 1).size() > 20, "spheres");
  require(entries_of(grid.query(spheres.radius_scale(1.2))) == expected(false, 1.2), "spheres with a margin");
  require(entries_of(grid.query(spheres.take(hgrid11::Take::centres))) == expected(true, 1), "centres in spheres");

  Entries with_itself = entries_of(grid.neighbours(hgrid11::ListKind::full));
  for (std::size_t i = 0; i < system.size(); ++i) with_itself.insert({{static_cast<int>(i), static_cast<int>(i), 0, 0, 0}});
  require(entries_of(grid.between(grid)) == with_itself, "two sets that are one");
  hgrid11::Grid3 first_half(tilted_box());
  first_half.build({{system.x.data(), 2}, {system.r.data(), 2}});
  Entries of_two;
  for (const Entries::value_type& e : with_itself) {
    if (e[0] < 2) of_two.insert(e);
  }
  require(entries_of(grid.between(first_half)) == of_two && of_two.size() > 2, "two sets");
  const Entries::value_type first = *of_two.begin();
  Entries others;
  for (const Entries::value_type& e : of_two) {
    if (e[0] != first[0] || e[1] != first[1]) others.insert(e);
  }
  const std::vector<std::int32_t> bond = {first[0], first[1]};
  require(entries_of(grid.between_excluding(first_half, bond)) == others && others.size() < of_two.size(),
          "two sets without a pair");

  const std::vector<double> one(3, 1.5);
  const Entries of_one = entries_of(grid.query(hgrid11::Regions3::spheres(centres, one)));
  require(entries_of(grid.query(hgrid11::Regions3::spheres(centres, 1.5))) == of_one, "one radius for all spheres");

  hgrid11::Grid3 open;
  open.build({system.x, system.r});
  const double lo[3] = {1, 0, 1}, hi[3] = {3, 4, 2};
  std::set<int> inside;
  for (std::size_t i = 0; i < system.size(); ++i) {
    bool is_in = true;
    for (std::size_t k = 0; k < 3; ++k) is_in = is_in && system.at(i, k) >= lo[k] && system.at(i, k) <= hi[k];
    if (is_in) inside.insert(static_cast<int>(i));
  }
  hgrid11::Regions3 boxes = hgrid11::Regions3::boxes({lo, 1}, {hi, 1});
  std::set<int> found;
  for (const hgrid11::Neighbour n : open.query(boxes.take(hgrid11::Take::centres))[0]) found.insert(n.id);
  require(found == inside && !inside.empty(), "centres in a box");
  require(open.query(hgrid11::Regions3::points({&system.x[30], 1}))[0].size() > 0, "a particle at its centre");
}

// Queries and inserts all particles after the first third one by one.
void test_inserted() {
  const System<3> system = tilted_system();
  const std::size_t built = system.size() / 3;
  hgrid11::Grid3 grid(tilted_box());
  grid.build({{system.x.data(), static_cast<std::int64_t>(built)}, {system.r.data(), static_cast<std::int64_t>(built)}});
  std::vector<bool> touches(system.size(), false);
  for (const Entry& e : system.pairs()) touches[static_cast<std::size_t>(e[1])] = true;  // e[0] <= e[1], which come later
  std::size_t free = 0;
  for (std::size_t i = built; i < system.size(); ++i) {
    const double* const x = &system.x[3 * i];
    require(grid.touches(x, system.r[i]) == touches[i], "a particle touches what all pairs say");
    free += !touches[i];
    if (touches[i]) require(grid.insert_if_free(x, system.r[i]) == hgrid11::Grid3::not_free, "it is not free");
    const std::int32_t id = touches[i] ? grid.insert(x, system.r[i]) : grid.insert_if_free(x, system.r[i]);
    require(id == static_cast<std::int32_t>(i), "ids go on");
  }
  require(free > 0 && free < system.size() - built, "some are free");
  grid.build({system.x, system.r});
  std::vector<double> distances;
  const std::vector<std::int32_t> nearest = grid.nearest(&system.x[3 * built], 1, 2, &distances);
  require(nearest[0] == static_cast<std::int32_t>(built) && distances[0] == 0 && distances[1] > 0, "nearest to itself");
  require(grid.insert(&system.x[0], system.r[0]) == static_cast<std::int32_t>(system.size()), "a build has all of them");
}

void test_kept() {
  const System<3> system = tilted_system();
  const Entries expected = system.pairs();
  hgrid11::Kept<hgrid11::PairList> kept;
  hgrid11::Kept<hgrid11::NeighbourList> lists;
  require(kept.size() == 0 && kept.begin() == kept.end(), "nothing is kept at first");
  {
    hgrid11::Grid3 first(tilted_box());
    first.build({system.x, system.r});
    kept = first.keep(first.pairs());
    lists = first.keep(first.neighbours(hgrid11::ListKind::full));
    hgrid11::Grid3 grid = std::move(first);
    grid.build({system.x, 0.05});
    require(entries_of(grid.pairs()) != expected, "another list");
    require(entries_of(kept) == expected, "what is kept is not filled again");
  }
  require(entries_of(kept) == expected && entries_of(lists) == from_both_sides(expected), "it outlives the grid");
  hgrid11::Kept<hgrid11::PairList> moved = std::move(kept);
  require(kept.size() == 0 && kept.pairs() == nullptr, "nothing is left behind");
  kept = std::move(moved);
  require(entries_of(kept) == expected && moved.size() == 0, "it is moved");
}

}  // namespace

void test_lists() {
  test_tilted();
  test_predicates();
  test_vectors();
  test_own_memory();
  test_queries();
  test_inserted();
  test_kept();
}
