// SPDX-License-Identifier: BSD-3-Clause
// A time loop in a tilted box: at each step the list holds all pairs that touch, and values follow their pairs, through a
// checkpoint, too. A map of the client's own says which value each pair should have.
#include <algorithm>
#include <map>
#include <memory>

#include "all_pairs.hpp"

namespace {

struct Spring {
  double stretch[3];
  int steps;
};

const int fresh = 7;

/// Follows its pairs: how long each has been listed.
class Ages {
 public:
  /// The entries of the list, in its order; where it is a new one, other pairs are forgotten.
  void step(const std::vector<Entry>& listed) {
    std::map<Entry, int> now;
    for (const Entry& e : listed) now[e] = (ages_.count(e) != 0 ? ages_[e] : fresh) + 1;
    ages_ = now;
  }
  int operator[](const Entry& e) const { return ages_.at(e); }

 private:
  std::map<Entry, int> ages_;
};

struct Loop {
  System<3> system{50, 5, 0.25, 0.6, 21};
  std::vector<double> v;

  Loop() : v(system.x.size()) {
    system.repeat({{5, 0, 0}, {2, 5, 0}, {0, 1, 6}}), system.most = 2;
    for (double& c : system.x) c *= 0.7;  // so that two images suffice
    Random random(5);
    for (double& c : v) c = random(-0.014, 0.014);
  }
  static hgrid11::Box3 box() { return hgrid11::Box3::periodic({0, 0, 0}, {5, 5, 6}).tilted(2, 0, 1); }
  hgrid11::Particles3 particles() const { return {system.x, system.r}; }
  void move() {
    for (std::size_t k = 0; k < v.size(); ++k) system.x[k] += v[k];
  }
  /// Looks whether the list holds all pairs; returns its entries.
  std::vector<Entry> listed(const hgrid11::NeighbourList& list) const {
    std::vector<Entry> found;
    for (std::int64_t i = 0; i < list.lists(); ++i) {
      for (const hgrid11::Neighbour n : list[i]) found.push_back(entry_of(i, n.id, n.image));
    }
    const Entries touching = system.pairs();
    require(std::includes(found.begin(), found.end(), touching.begin(), touching.end()), "the list holds all pairs");
    require(touching.size() > 10 && found.size() > touching.size(), "there are pairs within the skin, too");
    return found;
  }
};

void test_followers() {
  const int steps = 100, late = 40, saved_at = 60;
  Loop loop;
  std::unique_ptr<hgrid11::VerletList3> list;
  hgrid11::VerletOptions options;
  options.skin = 0.25;
  {
    hgrid11::Grid3 grid(Loop::box());
    list.reset(new hgrid11::VerletList3(grid, options));
  }  // the list holds on to it
  hgrid11::PairArray<int> ages(fresh), late_ages(fresh);
  hgrid11::PairArray<Spring> springs;
  Ages expected, expected_late;
  int builds = 0;
  std::vector<unsigned char> saved;
  std::vector<int> saved_ages;
  std::vector<std::vector<Entry>> after;
  Loop loop_of_saved;
  for (int step = 0; step < steps; ++step) {
    loop.move();
    const bool is_new =
        step < late ? list->update(loop.particles(), ages, springs) : list->update(loop.particles(), ages, springs, late_ages);
    builds += is_new;
    const hgrid11::NeighbourList neighbours = list->neighbours();
    const std::vector<Entry> entries = loop.listed(neighbours);
    expected.step(entries);
    if (step >= late) expected_late.step(entries);
    require(ages.size() == neighbours.size() && springs.size() == neighbours.size(), "a value for each entry");
    for (std::int64_t k = 0; k < neighbours.size(); ++k) {
      const Entry& e = entries[static_cast<std::size_t>(k)];
      require(++ages[k] == expected[e], "values follow their pairs");
      require(++springs[k].steps == expected[e] - fresh, "structs follow, and begin with zeros");
      require(step < late || ++late_ages[k] == expected_late[e], "a follower that came late");
    }
    if (step > saved_at) after.push_back(entries);
    if (step != saved_at) continue;
    saved = list->save(), loop_of_saved = loop;
    saved_ages.assign(ages.data(), ages.data() + ages.size());
  }
  require(builds > 5 && builds < 50, "the list was built now and then");
  const hgrid_verlet_counters counters = list->counters();
  require(counters.steps == steps && counters.builds == builds && counters.dangerous == 0 && counters.skin == 0.25, "counters");

  // After the checkpoint, the lists are equal, and values continue from the saved ones.
  hgrid11::Grid3 other(Loop::box());
  hgrid11::VerletList3 restored(other, options);
  restored.restore(saved);
  hgrid11::PairArray<int> restored_ages(fresh);
  restored_ages.assign(saved_ages);
  for (const std::vector<Entry>& entries : after) {
    loop_of_saved.move();
    restored.update(loop_of_saved.particles(), restored_ages);
    require(loop_of_saved.listed(restored.neighbours()) == entries, "a restored list goes on with the same lists");
    for (std::int64_t k = 0; k < restored_ages.size(); ++k) ++restored_ages[k];
  }
  require(std::equal(ages.data(), ages.data() + ages.size(), restored_ages.data()), "restored values follow");
}

/// Full lists, margins for each particle, and builds at once.
void test_margins() {
  Loop loop;
  hgrid11::Grid3 grid(Loop::box());
  hgrid11::VerletOptions options;
  options.kind = hgrid11::ListKind::full;
  hgrid11::VerletList3 list(grid, options);
  hgrid11::PairArray<char> marks('n');
  const std::vector<double> margins(loop.system.size(), 0.1);
  require(list.update(loop.particles(), loop.particles().extra(margins), marks), "the first list");
  require(marks.size() == list.neighbours().size(), "marks");
  std::fill(marks.data(), marks.data() + marks.size(), 'o');
  require(!list.update(loop.particles(), loop.particles().extra(margins), marks), "nothing has moved");
  const Entries before = entries_of(list.neighbours());
  System<3> wider = loop.system;
  for (double& r : wider.r) r += 0.1;
  require(before == from_both_sides(wider.pairs()), "margins widen the list");

  const std::vector<std::int32_t> bond = {0, 1};
  const std::vector<double> near(loop.system.size(), 0.15);
  list.build(loop.particles().extra(near), marks);
  std::int64_t old = 0, k = 0;
  for (const Entry& e : loop.listed(list.neighbours())) {
    require(marks[k] == (before.count(e) != 0 ? 'o' : 'n'), "marks follow a list that was built at once");
    old += marks[k++] == 'o';
  }
  require(old == static_cast<std::int64_t>(before.size()) && k > old, "old pairs and new ones");
}

}  // namespace

void test_loop() {
  test_followers();
  test_margins();
}
