// SPDX-License-Identifier: BSD-3-Clause
#include <cstdarg>
#include <cstdio>

#include "hgrid/packing/recipe.hpp"

namespace hgrid::inline v0_2 {
namespace {

[[gnu::format(printf, 2, 3)]] void append(std::string& text, const char* format, ...) {
  char part[128];
  std::va_list values;
  va_start(values, format);
  std::vsnprintf(part, sizeof part, format, values);
  va_end(values);
  text += part;
}

void append_sizes(std::string& text, const PopulationSizes& sizes) {
  append(text, "r %.3g", sizes.least);
  if (sizes.ratio <= 1) return;
  append(text, "..%.3g ", sizes.least * sizes.ratio);
  if (sizes.law == PopulationSizes::Law::log_normal) {
    text += "log-normal";
  } else {
    append(text, "r^-%d", sizes.exponent);
  }
}

void append_place(std::string& text, const PopulationPlace& place) {
  const char axis = "xyz"[place.axis];
  switch (place.kind) {
    case PopulationPlace::Kind::homogeneous:
      return;
    case PopulationPlace::Kind::clustered:
      return append(text, " in %d clusters on %.2g", place.parts, place.share);
    case PopulationPlace::Kind::layered:
      return append(text, " in %d layers across %c on %.2g", place.parts, axis, place.share);
    case PopulationPlace::Kind::graded:
      return append(text, " graded along %c by 2^%.2g", axis, place.doublings);
  }
}

}  // namespace

std::string to_text(const Recipe& recipe) {
  std::string text;
  append(text, "%d-D, packing %.2g, ", recipe.dimension, recipe.fraction);
  bool open = true;
  for (int k = 0; k < recipe.dimension; ++k) {
    if (recipe.periodic[k]) append(text, open ? "periodic %c" : "%c", "xyz"[k]), open = false;
  }
  if (open) text += "open";
  if (recipe.flatness > 1) append(text, ", %c shorter by %.3g", "xyz"[recipe.flat_axis], recipe.flatness);
  if (recipe.dense_part < 1) append(text, ", dense part %.2g", recipe.dense_part);
  if (!recipe.shuffled) text += ", sorted";
  double all = 0;
  for (const Population& p : recipe.populations) all += p.share;
  for (const Population& p : recipe.populations) {
    append(text, "; %.3g %% ", 100 * p.share / all);
    append_sizes(text, p.sizes);
    append_place(text, p.place);
    if (p.everywhere && recipe.dense_part < 1) text += " everywhere";
  }
  return text;
}

}  // namespace hgrid::inline v0_2
