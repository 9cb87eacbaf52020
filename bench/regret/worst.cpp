// SPDX-License-Identifier: BSD-3-Clause
// Looks for the most expensive systems against one size with as many particles and contacts, by counted work: draws mixtures,
// then climbs from the worst by changing their numbers. Prints each that was the worst yet, and in the end where each climb has
// come to; tests/any_system.cpp keeps such systems by name.
#include <CLI/CLI.hpp>
#include <cstdio>
#include <ctime>
#include <map>

#include "../../tests/support/counted_work.hpp"
#include "../../tests/support/mixture.hpp"

namespace {

using support::Mixture;

struct Weighed {
  Mixture mixture;
  double figure;
};

double seconds_spent() { return static_cast<double>(std::clock()) / CLOCKS_PER_SEC; }

void print(const char* what, const Weighed& weighed) {
  std::printf("%s %.2f {", what, weighed.figure);
  for (std::size_t k = 0; k < Mixture::numbers; ++k) std::printf("%s%.3g", k == 0 ? "" : ", ", weighed.mixture.number[k]);
  std::puts("}");
  std::fflush(stdout);
}

Mixture rounded(Mixture m) {  // to the printed digits
  for (double& number : m.number) number = std::round(1000 * number) / 1000;
  return m;
}

}  // namespace

int main(int argc, char** argv) {
  std::int64_t n = 8000;
  std::uint64_t seed = 1;
  double seconds = 60;
  std::size_t climbs = 8;
  CLI::App app("Looks for the systems whose counted work is the largest multiple of that of one size.");
  app.add_option("--n", n, "particles")->capture_default_str();
  app.add_option("--seed", seed, "of what is drawn")->capture_default_str();
  app.add_option("--seconds", seconds, "of the processor; a third to draw, the rest to climb")->capture_default_str();
  app.add_option("--climbs", climbs, "starts from the worst drawn")->capture_default_str();
  CLI11_PARSE(app, argc, argv);
  const support::CountedWork one_size[] = {support::work_of_one_size(2, n), support::work_of_one_size(3, n)};
  const auto weigh = [&](const Mixture& m) {
    const support::MixedSystem s = system_of(m, n);
    return Weighed{m, support::counted_work(s.particles, s.skin).over(one_size[s.particles.dimension - 2])};
  };
  hgrid::RepeatableRandom random(seed);
  std::multimap<double, Weighed, std::greater<>> worst;
  std::vector<double> figures;
  while (seconds_spent() < seconds / 3) {
    const Weighed drawn = weigh(rounded(support::drawn_mixture(random)));
    figures.push_back(drawn.figure);
    worst.emplace(drawn.figure, drawn);
    if (worst.size() > climbs) worst.erase(std::prev(worst.end()));
  }
  std::ranges::sort(figures);
  const auto share = [&](double s) { return figures[static_cast<std::size_t>(s * static_cast<double>(figures.size() - 1))]; };
  std::printf("drawn %zu, median %.2f, 90 %% %.2f, 99 %% %.2f, worst %.2f\n", figures.size(), share(0.5), share(0.9),
              share(0.99), share(1));
  for (auto& [drawn, top] : worst) print("drawn", top);
  double most = 0;
  while (seconds_spent() < seconds) {
    for (auto& [drawn, top] : worst) {
      const Weighed tried = weigh(rounded(changed(top.mixture, random)));
      if (tried.figure > top.figure) top = tried;
      if (top.figure > most) most = top.figure, print("worst", top);
    }
  }
  for (auto& [drawn, top] : worst) print("climbed", top);
}
