// SPDX-License-Identifier: BSD-3-Clause
// Systems that are too large for every run of the tests: 10^7 particles with 10^9 contacts streamed, 5.0e9 contacts counted,
// 10,000 builds that keep their memory. Prints figures; returns 1 if one is wrong.
#include <chrono>
#include <cstdio>
#include <fstream>

#include "hgrid/hgrid.hpp"
#include "support/random.hpp"

namespace {

bool good = true;

void require(bool holds, const char* what) {
  if (!holds) std::printf("NOT SO: %s\n", what), good = false;
}

double seconds() { return std::chrono::duration<double>(std::chrono::steady_clock::now().time_since_epoch()).count(); }

std::int64_t resident_pages() {
  std::int64_t all = 0, resident = 0;
  std::ifstream("/proc/self/statm") >> all >> resident;
  return resident;
}

struct Cloud {
  std::vector<double> x, r;
};

Cloud cloud(std::int64_t n, double radius) {
  support::Random random(3);
  Cloud c{std::vector<double>(static_cast<std::size_t>(3 * n)), std::vector<double>(static_cast<std::size_t>(n), radius)};
  for (double& x : c.x) x = random.real();
  return c;
}

/// Partners of particle i by looking at all others.
std::int64_t partners(const Cloud& c, std::size_t i) {
  std::int64_t n = 0;
  for (std::size_t j = 0; j < c.r.size(); ++j) {
    const double dx = c.x[3 * i] - c.x[3 * j], dy = c.x[3 * i + 1] - c.x[3 * j + 1], dz = c.x[3 * i + 2] - c.x[3 * j + 2];
    n += j != i && (dx * dx + dy * dy) + dz * dz <= (c.r[i] + c.r[j]) * (c.r[i] + c.r[j]);
  }
  return n;
}

void stream(std::int64_t n) {
  const Cloud c = cloud(n, 0.5 * std::cbrt(205 / (static_cast<double>(n) * 4.18879)));
  const double start = seconds();
  hgrid::Grid<hgrid::OpenMPExec, 3> grid(hgrid::OpenMPExec{});
  grid.build(c.x, c.r);
  const double built = seconds();
  std::vector<std::int32_t> seen(c.r.size());
  grid.for_each_contact([&](hgrid::index_t i, hgrid::index_t j, const hgrid::Image&) {
    for (hgrid::index_t k : {i, j}) std::atomic_ref(seen[static_cast<std::size_t>(k)]).fetch_add(1, std::memory_order_relaxed);
  });
  const double streamed = seconds();
  std::int64_t twice = 0;
  for (std::int32_t k : seen) twice += k;
  std::printf("%lld particles: %lld contacts streamed in %.1f s, built in %.1f s\n", static_cast<long long>(n),
              static_cast<long long>(twice / 2), streamed - built, built - start);
  require(twice % 2 == 0 && twice / 2 == grid.count(), "streamed contacts are those counted");
  require(n < 10000000 || twice / 2 >= 1000000000, "10^9 contacts");
  for (std::size_t i = 0; i < c.r.size(); i += c.r.size() / 50) {
    require(seen[i] == partners(c, i), "a particle has the partners that all others say");
  }
}

void coincide(std::int64_t n) {
  const std::vector<double> x(static_cast<std::size_t>(3 * n), 0.5), r(static_cast<std::size_t>(n), 0.1);
  hgrid::Grid<hgrid::OpenMPExec, 3> grid(hgrid::OpenMPExec{});
  grid.build(x, r);
  const double start = seconds();
  const hgrid::offset_t contacts = grid.count();
  std::printf("%lld coincident particles: %lld contacts counted in %.1f s\n", static_cast<long long>(n),
              static_cast<long long>(contacts), seconds() - start);
  require(contacts == n * (n - 1) / 2, "each pair of coincident particles once");
}

void build_again(int times) {
  Cloud c = cloud(2000, 0.02);
  hgrid::Grid<hgrid::OpenMPExec, 3> grid(hgrid::OpenMPExec{});
  auto pairs = grid.make_pairs();
  support::Random random(4);
  std::size_t bytes = 0;
  std::int64_t pages = 0;
  for (int k = 0; k < times; ++k) {
    for (double& x : c.x) x = std::fmin(1, std::fmax(0, x + random.real(-1e-3, 1e-3)));
    grid.build(c.x, c.r);
    grid.find(pairs);
    if (k == times / 10) bytes = grid.bytes(), pages = resident_pages();
  }
  std::printf("%d builds: %zu bytes before and %zu after, %lld pages more resident\n", times, bytes, grid.bytes(),
              static_cast<long long>(resident_pages() - pages));
  require(grid.bytes() <= bytes + bytes / 4 && resident_pages() - pages < 64, "no growth");
}

}  // namespace

int main(int argc, char** argv) {
  const bool small = argc > 1;  // to try it
  stream(small ? 100000 : 10000000);
  coincide(small ? 1000 : 100000);
  build_again(small ? 100 : 10000);
  return good ? 0 : 1;
}
