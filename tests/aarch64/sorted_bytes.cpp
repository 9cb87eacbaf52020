// SPDX-License-Identifier: BSD-3-Clause
// Compares random systems with brute force, and prints for each a line with checksums of its input and of its sorted lists, to
// be compared with another processor's lines: sorted_bytes FIRST_SEED SYSTEMS
#include <cstdio>
#include <cstdlib>

#include "hgrid/hgrid.hpp"
#include "support/random_case.hpp"
#include "support/run_case.hpp"

namespace {

class Checksum {
 public:
  void add(const void* data, std::size_t bytes) {
    const auto* byte = static_cast<const unsigned char*>(data);
    for (std::size_t k = 0; k < bytes; ++k) sum_ = (sum_ ^ byte[k]) * 1099511628211u;
  }
  template <class T>
  void add(const T& value) {
    add(&value, sizeof value);
  }
  unsigned long long value() const { return sum_; }

 private:
  std::uint64_t sum_ = 14695981039346656037u;
};

unsigned long long input_of(const support::Case& c) {
  Checksum sum;
  for (const oracle::System* s : {&c.warm_up, &c.system}) {
    for (int k = 0; k < 3; ++k) sum.add(s->lo[k]), sum.add(s->hi[k]);
    sum.add(s->skin);
    for (const oracle::Particle& p : s->particles) sum.add(p.x, sizeof p.x), sum.add(p.radius), sum.add(p.extra);
  }
  return sum.value();
}

template <class Real, int D>
unsigned long long sorted_of(const support::Case& c) {
  const support::UserArrays<Real, D> arrays(c.system);
  auto grid = support::grid_in<hgrid::Grid<hgrid::OpenMPExec, D>>(hgrid::OpenMPExec(2), c.system, support::options_of(c));
  grid.build(arrays.view(), {.skin = c.system.skin});
  auto list = grid.make_pairs();
  grid.find(list, {.order = hgrid::Order::sorted});
  Checksum sum;
  sum.add(list.pairs(), static_cast<std::size_t>(list.size()) * sizeof(hgrid::Pair));
  if (list.has_images()) sum.add(list.images(), static_cast<std::size_t>(list.size()) * sizeof(hgrid::Image));
  return sum.value();
}

unsigned long long sorted_of(const support::Case& c) {
  if (c.choice[support::dimension] == 0) return c.choice[support::real] == 0 ? sorted_of<double, 2>(c) : sorted_of<float, 2>(c);
  return c.choice[support::real] == 0 ? sorted_of<double, 3>(c) : sorted_of<float, 3>(c);
}

}  // namespace

int main(int argc, char** argv) {
  if (argc != 3) return 2;
  const std::uint64_t first = std::strtoull(argv[1], nullptr, 10), systems = std::strtoull(argv[2], nullptr, 10);
  for (std::uint64_t seed = first; seed < first + systems; ++seed) {
    support::Case c = support::make_case(seed);
    const support::Outcome outcome = support::run_case(hgrid::OpenMPExec(2), c);
    if (!outcome.difference.empty()) {
      std::fprintf(stderr, "seed %llu: %s", static_cast<unsigned long long>(seed), outcome.difference.c_str());
      return 1;
    }
    if (c.system.rule == oracle::Rule::gather) c.system.rule = oracle::Rule::max;  // a gather has no pairs
    std::printf("%llu %016llx %016llx\n", static_cast<unsigned long long>(seed), input_of(c), sorted_of(c));
  }
}
