// SPDX-License-Identifier: BSD-3-Clause
// A new file in place of another lets in no user whom the old file kept out.
#include <grp.h>
#include <sys/stat.h>
#include <sys/xattr.h>

#include "io_outputs.hpp"

namespace hgrid::io::test {
namespace {

struct Replaced : Outputs {
  mode_t mode(const std::string& name) const {
    struct stat status {};
    EXPECT_EQ(::stat(path(name).c_str(), &status), 0);
    return status.st_mode & 07777;
  }
  void old_file(mode_t mode) {
    file("a.csv", "old");
    ::chmod(path("a.csv").c_str(), mode);
  }
};

TEST_F(Replaced, KeepTheirPermissions) {
  for (const mode_t mode : {0600, 0640, 0666, 0755, 0220}) {
    old_file(mode);
    {
      AtomicFile out(path("a.csv"), true);
      for (const std::string& name : entries()) EXPECT_EQ(this->mode(name), mode) << name;  // for the temporary file, too
      out.commit();
    }
    EXPECT_EQ(this->mode("a.csv"), mode);
    std::filesystem::remove(path("a.csv"));
  }
  old_file(04755);
  write_and_commit(path("a.csv"), true);
  EXPECT_EQ(mode("a.csv"), 0755);  // new content is not to run as the owner
}

TEST_F(Replaced, ReadOnlyOnesStay) {
  old_file(0444);
  expect_error(ErrorCode::io, {"a.csv: cannot replace: it is read-only"}, [&] { write_and_commit(path("a.csv"), true); });
  EXPECT_EQ(content("a.csv"), "old");
  if (::geteuid() != 0) GTEST_SKIP() << "only root has other users' files";
  ::chmod(path("a.csv").c_str(), 0644);
  ::chmod(folder_.c_str(), 0777);
  const int status = in_child([&] {
    if (::setresuid(65534, 65534, 65534) != 0) ::_exit(1);
    write_and_commit(path("a.csv"), true);
  });
  EXPECT_EQ(WEXITSTATUS(status), 4);
  EXPECT_EQ(content("a.csv"), "old");
}

TEST_F(Replaced, StayWithTheirOwnerAndGroup) {
  if (::geteuid() != 0) GTEST_SKIP() << "only root can give files away";
  const auto replace_as = [&](uid_t user, gid_t group) {
    ::chmod(folder_.c_str(), 0777);
    return in_child([&] {
      if (::setgroups(0, nullptr) != 0 || ::setresgid(group, group, group) != 0 || ::setresuid(user, user, user) != 0)
        ::_exit(1);
      write_and_commit(path("a.csv"), true);
    });
  };
  struct stat status {};
  old_file(0660);
  ::chown(path("a.csv").c_str(), 1234, 2345);
  EXPECT_EQ(replace_as(0, 0), 0);
  ::stat(path("a.csv").c_str(), &status);
  EXPECT_EQ(status.st_uid, 1234u);
  EXPECT_EQ(status.st_gid, 2345u);
  EXPECT_EQ(replace_as(1234, 3456), 0);  // an owner who cannot give it to the group lets no other group in
  ::stat(path("a.csv").c_str(), &status);
  EXPECT_EQ(status.st_gid, 3456u);
  EXPECT_EQ(mode("a.csv"), 0600);
}

TEST_F(Replaced, WithAnAccessListLetNoGroupIn) {
  // Version 2; the owner rw, user 1234 r, the group nothing, the mask r, others nothing: stat shows 0640.
  const unsigned char list[] = {2,   0,   0,   0,   1,  0, 6, 0, 255, 255, 255, 255, 2,  0, 4, 0, 210, 4,   0,   0,  4, 0, 0, 0,
                                255, 255, 255, 255, 16, 0, 4, 0, 255, 255, 255, 255, 32, 0, 0, 0, 255, 255, 255, 255};
  old_file(0600);
  if (::setxattr(path("a.csv").c_str(), "system.posix_acl_access", list, sizeof(list), 0) != 0) {
    GTEST_SKIP() << "the file system has no access lists";
  }
  ASSERT_EQ(mode("a.csv"), 0640);
  write_and_commit(path("a.csv"), true);
  EXPECT_EQ(mode("a.csv"), 0600);
}

}  // namespace
}  // namespace hgrid::io::test
