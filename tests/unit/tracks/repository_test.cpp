#include "tracks/repository.hpp"

#include "tests/support/catch.hpp"
#include "tests/unit/tracks/support.hpp"
#include "tracks/download.hpp"
#include "tracks/git.hpp"

namespace pacenote::tracks::repository_test {

using test::refusal;

TEST_CASE("the branch of a repository follows the server's version as in Rally", "[repository]") {
  const std::vector<std::string> branches = {"master", "8",         "7",     "7.14", "7.2",
                                             "7.11.1", "6.8.2-own", "6.8.2", "5.6"};
  const auto [version, branch] = GENERATE(table<std::string, std::string>({{"", "master"},
                                                                           {"serverless", "master"},
                                                                           {"9.1.0", "master"},
                                                                           {"8.15.2", "8"},
                                                                           {"7.17.28", "7.14"},
                                                                           {"7.14.0", "7.14"},
                                                                           {"7.10.2", "7.2"},
                                                                           {"7.11.1", "7.11.1"},
                                                                           {"7.1.0", "7"},
                                                                           {"6.8.2-own", "6.8.2-own"},
                                                                           {"6.8.2-SNAPSHOT", "6.8.2"},
                                                                           {"6.8.3", ""},
                                                                           {"5.6.16", "5.6"},
                                                                           {"2.4.1", ""}}));
  INFO(version);
  CHECK(branch_for(branches, version) == branch);
}

TEST_CASE("what git could take for an option or a program is no repository", "[repository]") {
  for (const char* source : {"--upload-pack=x", "-x", "ext::sh -c x", "fd::3", "https::x"}) {
    INFO(source);
    CHECK_FALSE(refusal([&] { check_git_source(source); }).empty());
  }
  for (const char* source : {"https://host/x.git", "git@host:x/y", "../tracks", "default"}) {
    INFO(source);
    CHECK(refusal([&] { check_git_source(source); }).empty());
  }
}

TEST_CASE("tracks are found below a folder", "[repository]") {
  const test::Folder folder;
  for (const char* name :
       {"b/track.json", "a/x/track.json", "a/x/y/workload.json", ".git/z/track.json", "c/other.json"})
    folder.write(name, "{}");
  CHECK(track_folders(folder.path()) == std::vector<std::filesystem::path>{"a/x", "a/x/y", "b"});
  CHECK(track_folders(folder.path() / "none").empty());
}

TEST_CASE("messages show URLs without their credentials", "[repository]") {
  CHECK(without_credentials("https://me:secret@host:1/x@y") == "https://host:1/x@y");
  CHECK(without_credentials("https://host/x@y") == "https://host/x@y");
  CHECK(without_credentials("me@host:x") == "me@host:x");
}

}  // namespace pacenote::tracks::repository_test
