// SPDX-License-Identifier: BSD-3-Clause
// Options of a run, as name=value on the command line.
#pragma once

#include <cstdlib>
#include <initializer_list>
#include <map>
#include <stdexcept>
#include <string>
#include <utility>

namespace dem {

class Options {
 public:
  using Values = std::map<std::string, std::string>;

  Options(int argc, char* const argv[], Values values = of_spheres()) : values_(std::move(values)) {
    for (int i = 1; i < argc; ++i) {
      const std::string text = argv[i];
      const std::size_t at = text.find('=');
      const std::string name = text.substr(0, at);
      if (at == std::string::npos || values_.count(name) == 0) throw std::invalid_argument("no option " + text + help());
      values_[name] = text.substr(at + 1);
    }
  }

  const std::string& text(const char* name) const { return values_.at(name); }
  double number(const char* name) const {
    const std::string& value = text(name);
    char* end = nullptr;
    const double x = std::strtod(value.c_str(), &end);
    if (value.empty() || *end != 0) throw std::invalid_argument(std::string(name) + "=" + value + " is no number");
    return x;
  }
  /// The options that particles and their world are made from.
  std::string start() const {
    std::string list;
    for (const char* name : {"case", "dimension", "particles", "ratio", "fraction", "seed", "damping", "dt", "bonds", "shear",
                             "attraction"}) {
      list += std::string(list.empty() ? "" : " ") + name + "=" + text(name);
    }
    return list;
  }
  /// Throws if an option of these names is not 0.
  void refuse(std::initializer_list<const char*> names, const char* why) const {
    for (const char* name : names) {
      if (number(name) != 0) throw std::invalid_argument(std::string(name) + "=" + text(name) + ": " + why);
    }
  }
  bool is(const char* name, const char* value) const { return text(name) == value; }

 private:
  std::string help() const {
    std::string list = "; there are";
    for (const auto& [name, value] : values_) list += " " + name + "=" + value;
    return list;
  }

  static Values of_spheres() {
    return {
        {"case", "cooling"},     // or settling, shearing
        {"dimension", "2"},      {"particles", "10000"}, {"ratio", "20"},       {"fraction", "0.4"},
        {"steps", "1000"},       {"levels", "planned"},  // or one
        {"schedule", "fast"},    // or plain
        {"skin", "0"},           // 0: detection at each step
        {"choose", "no"},        // the library's choice of the skin, from that one on
        {"bonds", "0"},          // particles in a chain, which bonds join; below 2: no bonds
        {"insert", "0"},         // steps between two inflows of particles from above, where settling; 0: none. Of hosts
        {"attraction", "0"},     // at touching particles, per reduced radius; less from afar
        {"shear", "0"},          // rate, where shearing
        {"rebalance", "0"},      // steps between two cuts of space; 0: only one. Of mpi_dem only
        {"sort", "0"},           // builds between two sorts of the particles; 0: never
        {"exec", "openmp"},      // or serial
        {"graph", "yes"},        // steps are replays of a CUDA graph, where nothing above needs the host. Of a device only
        {"report", "100"},       // steps between two lines
        {"frames", ""},          // folder for .vtp files, on ranks .csv, one per report
        {"checkpoint", ""},      // file that is written at each report and at the end
        {"restart", ""},         // file to begin with, from a run with this case
        {"seed", "1"},           {"damping", "yes"},     {"dt", "1"}};  // dt: of the case's own
  }

  Values values_;
};

}  // namespace dem
