// SPDX-License-Identifier: BSD-3-Clause
// Random systems, drawn by a seed, that test the planning of levels from radii and places; and systems that are known to be
// hard.
#pragma once

#include <span>
#include <string_view>

#include "hgrid/packing/recipe.hpp"

namespace hgrid::inline v0_2 {

/// Returns one to four populations with radii in [1, 1000], shares by number from 1e-5 to 1, packing fractions from 1e-5 to
/// 0.64, in 2-D (one in four) and 3-D, in open, periodic and flat boxes. A seed gives one recipe on every platform.
Recipe drawn_recipe(std::uint64_t seed);

/// Returns the seed's system with n >= 4 particles. Throws `invalid_argument` for fewer.
PackedSystem drawn_system(std::uint64_t seed, std::int64_t n);

struct NamedRecipe {
  std::string_view name;
  Recipe recipe;
};

/// Returns known hard recipes: two sizes 1:100 with 1 % large by number; half of the particles in a dense cluster and half in a
/// gas of 100,000 times its volume, of one size and with ratio 10; dilute gases of one size.
std::span<const NamedRecipe> named_recipes();

}  // namespace hgrid::inline v0_2
