// SPDX-License-Identifier: BSD-3-Clause
// The main of a program of several files' tests: `test_host lists` runs the tests of lists.cpp, without a name it runs all.
#include <gtest/gtest.h>

#include <iostream>
#include <string>
#include <string_view>

namespace {

std::string_view stem_of(std::string_view path) {
  path.remove_prefix(path.rfind('/') + 1);
  return path.substr(0, path.rfind('.'));
}

/// A filter for the tests of that file; empty if it has none.
std::string tests_of(std::string_view stem) {
  std::string filter;
  const testing::UnitTest& all = *testing::UnitTest::GetInstance();
  for (int s = 0; s < all.total_test_suite_count(); ++s) {
    const testing::TestSuite& suite = *all.GetTestSuite(s);
    for (int t = 0; t < suite.total_test_count(); ++t) {
      const testing::TestInfo& test = *suite.GetTestInfo(t);
      if (stem_of(test.file()) == stem) filter += std::string(":") + suite.name() + "." + test.name();
    }
  }
  return filter;
}

}  // namespace

int main(int argc, char** argv) {
  testing::InitGoogleTest(&argc, argv);
  if (argc > 1) {
    const std::string filter = tests_of(argv[1]);
    if (filter.empty()) {
      std::cerr << argv[0] << ": no test is of " << argv[1] << ".cpp\n";
      return 2;
    }
    const std::string given = GTEST_FLAG_GET(filter);
    if (given == "*") GTEST_FLAG_SET(filter, filter);  // else the filter has more than the file's name
    if (given.starts_with('-')) GTEST_FLAG_SET(filter, filter + given);
  }
  return RUN_ALL_TESTS();
}
