// SPDX-License-Identifier: BSD-3-Clause
#include "host/usable_threads.hpp"

#include <omp.h>

#include <algorithm>
#include <cmath>
#include <cstdlib>
#include <fstream>
#include <iterator>
#include <sstream>

namespace hgrid::inline v0_2::detail {
namespace {

std::string text_of(const std::string& path) {
  std::ifstream file(path);
  return {std::istreambuf_iterator<char>(file), {}};
}

/// Returns the processors of "QUOTA PERIOD", rounded up. Returns 0 if there is no quota, which is the word `max` or a negative
/// number.
int processors_of(const std::string& quota_and_period) {
  std::istringstream text(quota_and_period);
  double quota = 0, period = 0;
  if (!(text >> quota >> period) || !(quota > 0) || !(period > 0)) return 0;
  return static_cast<int>(std::min(std::ceil(quota / period), 1e6));
}

/// Returns whether `controllers`, names separated by commas, has the one for processors.
bool has_cpu(const std::string& controllers) { return ("," + controllers + ",").find(",cpu,") != std::string::npos; }

}  // namespace

int processors_of_quota(const std::string& groups, const std::string& mount) {
  int least = 0;
  const auto take = [&](int processors) {
    if (processors > 0 && (least == 0 || processors < least)) least = processors;
  };
  std::istringstream lines(groups);
  for (std::string line; std::getline(lines, line);) {  // NUMBER:CONTROLLERS:/PATH; version 2 has no controllers here
    const auto first = line.find(':'), second = line.find(':', first + 1);
    if (second == std::string::npos) continue;
    const std::string controllers = line.substr(first + 1, second - first - 1);
    if (!controllers.empty() && !has_cpu(controllers)) continue;
    for (std::string path = line.substr(second + 1);; path.resize(path.rfind('/'))) {  // the group and its parents
      if (path == "/") path.clear();
      if (controllers.empty()) {
        take(processors_of(text_of(mount + path + "/cpu.max")));
      } else {
        const std::string folder = mount + "/cpu" + path + "/cpu.cfs_";
        take(processors_of(text_of(folder + "quota_us") + " " + text_of(folder + "period_us")));
      }
      if (path.empty() || path.rfind('/') == std::string::npos) break;
    }
  }
  return least;
}

int usable_threads(int asked) {
  const int processors = omp_get_num_procs();
  if (asked <= 0) {
    asked = omp_get_max_threads();
    if (std::getenv("OMP_NUM_THREADS") == nullptr) {
      static const int quota = processors_of_quota(text_of("/proc/self/cgroup"), "/sys/fs/cgroup");
      asked = std::min({asked, processors, quota > 0 ? quota : asked});
    }
  }
  return std::clamp(asked, 1, std::max(64, 4 * processors));
}

}  // namespace hgrid::inline v0_2::detail
