// SPDX-License-Identifier: BSD-3-Clause
#include "hgrid/packing/drawn.hpp"

#include <utility>

#include "hgrid/packing/repeatable.hpp"

namespace hgrid::inline v0_2 {
namespace {

using Place = PopulationPlace::Kind;

constexpr double most_ratio = 1000;

double log_between(double lo, double hi, RepeatableRandom& random) { return two_to(random.between(log_two(lo), log_two(hi))); }

PopulationSizes drawn_sizes(bool smallest, RepeatableRandom& random) {
  constexpr int exponents[] = {0, 1, 2, 3, 5};
  PopulationSizes sizes;
  if (!smallest) sizes.least = log_between(1, most_ratio, random);
  const double ratio = log_between(1, most_ratio / sizes.least, random);
  sizes.exponent = exponents[random.below(5)];
  if (random.chance(0.25)) sizes.law = PopulationSizes::Law::log_normal;
  if (random.chance(0.6)) sizes.ratio = ratio;
  return sizes;
}

PopulationPlace drawn_place(int dimension, RepeatableRandom& random) {
  PopulationPlace place;
  place.axis = static_cast<int>(random.below(static_cast<std::size_t>(dimension)));
  const double kind = random.below_one();
  if (kind < 0.35) return place;
  if (kind < 0.6) {
    place.kind = Place::clustered;
    place.parts = static_cast<int>(log_between(1, 500, random));
    place.share = log_between(1e-5, 1, random);
  } else if (kind < 0.8) {
    place.kind = Place::layered;
    place.parts = static_cast<int>(log_between(1, 50, random));
    place.share = log_between(1e-2, 1, random);
  } else {
    place.kind = Place::graded;
    place.doublings = log_between(1, 20, random);
  }
  return place;
}

void draw_box(Recipe& recipe, RepeatableRandom& random) {
  const double kind = random.below_one();
  for (int k = 0; k < recipe.dimension; ++k) recipe.periodic[k] = kind < 0.25 || (kind < 0.5 && random.chance(0.5));
  recipe.flat_axis = static_cast<int>(random.below(static_cast<std::size_t>(recipe.dimension)));
  const double flatness = log_between(2, 300, random);
  if (random.chance(0.2)) recipe.flatness = flatness;
}

}  // namespace

Recipe drawn_recipe(std::uint64_t seed) {
  RepeatableRandom random(seed);
  Recipe recipe;
  recipe.dimension = random.chance(0.25) ? 2 : 3;
  // Half of the systems are dense, like most that are simulated.
  recipe.fraction = random.chance(0.5) ? random.between(0.3, 0.64) : log_between(1e-5, 0.64, random);
  const std::size_t populations = 1 + random.below(4);
  double spread = 0;  // populations that lie in the whole box
  for (std::size_t p = 0; p < populations; ++p) {
    Population population;
    population.share = log_between(1e-5, 1, random);
    population.sizes = drawn_sizes(p == 0, random);
    population.place = drawn_place(recipe.dimension, random);
    population.everywhere = random.chance(0.25);
    spread += population.everywhere;
    recipe.populations.push_back(population);
  }
  const double dense_part = log_between(1e-4, 0.5, random);
  if (spread > 0 && spread < static_cast<double>(populations)) recipe.dense_part = dense_part;
  draw_box(recipe, random);
  recipe.shuffled = random.chance(0.75);
  recipe.most_contacts = log_between(6, 30, random);
  return recipe;
}

PackedSystem drawn_system(std::uint64_t seed, std::int64_t n) { return make_system(drawn_recipe(seed), n, seed); }

std::span<const NamedRecipe> named_recipes() {
  static const std::vector<NamedRecipe> recipes = [] {
    std::vector<NamedRecipe> result;
    Recipe two_sizes{.fraction = 0.62};
    two_sizes.populations = {{.share = 0.99}, {.share = 0.01, .sizes = {.least = 100}}};
    result.push_back({"two-sizes", two_sizes});
    for (const double ratio : {1.0, 10.0}) {
      const PopulationSizes sizes{.ratio = ratio, .exponent = 3};
      Recipe cluster_in_gas{.fraction = 2 * 0.62e-5, .dense_part = 1e-5};
      cluster_in_gas.populations = {{.sizes = sizes}, {.sizes = sizes, .everywhere = true}};
      result.push_back({ratio > 1 ? "cluster-10" : "cluster-1", cluster_in_gas});
    }
    for (const auto& [name, fraction] :
         {std::pair{"dilute-2", 1e-2}, {"dilute-3", 1e-3}, {"dilute-4", 1e-4}, {"dilute-5", 1e-5}})
      result.push_back({name, {.fraction = fraction, .populations = {Population{}}}});
    return result;
  }();
  return recipes;
}

}  // namespace hgrid::inline v0_2
