// SPDX-License-Identifier: Apache-2.0
#include "calibrate/device/team/team.h"

#include <atomic>
#include <fstream>

#include "tests/catch.h"
#include "tests/device/processes.h"

namespace railyard::device {
namespace {

const std::vector<std::string> nothing_wrong(4);

TEST_CASE("team: all meet, rank 0 gathers in order and tells all", "[device]") {
  const MeetingPlace meeting = fresh_meeting();
  std::atomic<int> right = 0;
  CHECK(run_ranks(4, [&](int rank) {
          const Team team(rank_of(rank, 4), meeting, "same", 20);
          const std::vector<std::string> all = team.gather("from " + std::to_string(rank));
          if (rank == 0 && all == std::vector<std::string>{"from 0", "from 1", "from 2", "from 3"}) ++right;
          if (rank != 0 && all.empty()) ++right;
          if (team.tell(rank == 0 ? "heard" : "not this") == "heard") ++right;
          if (team.largest(rank == 2 ? 7.5 : 1.0) == 7.5) ++right;
          if (team.gather_all(std::string(static_cast<std::size_t>(rank), 'x')).at(3) == "xxx") ++right;
        }) == nothing_wrong);
  CHECK(right == 16);
  CHECK(!std::filesystem::exists(meeting.file));  // the next launch finds no old one
}

TEST_CASE("team: they meet at a host's port too", "[device]") {
  int port = 0;
  { port = Listener(0).port(); }  // free a moment ago
  const MeetingPlace meeting{.host = "127.0.0.1", .file = {}, .port = port};
  CHECK(run_ranks(4, [&](int rank) {
          const Team team(rank_of(rank, 4), meeting, "same", 20);
          (void)team.tell("x");
        }) == nothing_wrong);
}

TEST_CASE("team: a file of an earlier launch leads nobody astray", "[device][slow]") {
  const MeetingPlace meeting = fresh_meeting();
  const Listener stranger(0);  // answers, and never says what a process of this launch would
  std::ofstream(meeting.file) << stranger.port() << " 99 127.0.0.1\n";
  const std::vector<std::string> errors = run_ranks(2, [&](int rank) {
    if (rank == 0) std::this_thread::sleep_for(std::chrono::milliseconds(300));
    const Team team(rank_of(rank, 2), meeting, "same", rank == 0 ? 20 : 2);
    (void)team.tell("x");
  });
  CHECK(errors[0].find("rank 1 is lost") == std::string::npos);
}

TEST_CASE("team: who is missing is named when the time is over", "[device]") {
  const MeetingPlace meeting = fresh_meeting();
  const std::vector<std::string> errors = run_ranks(2, [&](int rank) {
    const Team team(rank_of(rank, 4), meeting, "same", 0.5);  // ranks 2 and 3 never start
  });
  CHECK(errors[0] == "after 0 s 2 of 4 processes are missing: rank 2, 3");
  CHECK(errors[1] == errors[0]);  // rank 0 says so to those who came
}

TEST_CASE("team: processes that were started otherwise are refused, and both sides know why", "[device]") {
  const MeetingPlace meeting = fresh_meeting();
  const std::vector<std::string> errors = run_ranks(
      2, [&](int rank) { const Team team(rank_of(rank, 2), meeting, rank == 0 ? "--quick" : "--only hbm", 10); });
  CHECK(errors[0] == "rank 1 was started otherwise than rank 0: --only hbm instead of --quick");
  CHECK(errors[1] == errors[0]);
}

TEST_CASE("team: the same rank twice, and another number of processes, are refused", "[device]") {
  const MeetingPlace twice = fresh_meeting();
  const std::vector<std::string> errors =
      run_ranks(3, [&](int rank) { const Team team(rank_of(rank == 2 ? 1 : rank, 4), twice, "same", 10); });
  CHECK(errors[0] == "two processes came as rank 1");
  const MeetingPlace other = fresh_meeting();
  CHECK(run_ranks(2, [&](int rank) { const Team team(rank_of(rank, rank == 0 ? 2 : 5), other, "same", 10); })[0] ==
        "a process came as rank 1 of 5 to a launch of 2");
}

TEST_CASE("team: a process that fails ends the others with its reason, one that vanishes is named", "[device]") {
  const MeetingPlace meeting = fresh_meeting();
  const std::vector<std::string> failing = run_ranks(3, [&](int rank) {
    const Team team(rank_of(rank, 3), meeting, "same", 10);
    if (rank == 2) {
      team.fail("the device of rank 2 failed: fallen off the bus");
      return;
    }
    try {
      (void)team.gather_all("x");
    } catch (const TeamError& error) {
      team.fail(error.what());  // as the program does
      throw;
    }
  });
  CHECK(failing[0] == "the device of rank 2 failed: fallen off the bus");
  CHECK(failing[1] == failing[0]);
  const MeetingPlace other = fresh_meeting();
  const std::vector<std::string> gone = run_ranks(2, [&](int rank) {
    const Team team(rank_of(rank, 2), other, "same", 10);
    if (rank == 0) (void)team.gather("x");
  });
  CHECK_THAT(gone[0], ContainsSubstring("rank 1 is lost"));
}

TEST_CASE("team: strangers at the port are turned away", "[device]") {
  const MeetingPlace meeting = fresh_meeting();
  const std::vector<std::string> errors = run_ranks(3, [&](int rank) {
    if (rank == 2) {  // not of the launch: says something else at rank 0's door
      for (int i = 0; i < 200 && !std::filesystem::exists(meeting.file); ++i) {
        std::this_thread::sleep_for(std::chrono::milliseconds(10));
      }
      std::ifstream file(meeting.file);
      int port = 0;
      if (!(file >> port)) return;
      const Socket socket = connect_to("127.0.0.1", port, 1);
      const std::string noise(64, 'z');
      socket.send(std::as_bytes(std::span(noise)), 1);
      return;
    }
    if (rank == 1) std::this_thread::sleep_for(std::chrono::milliseconds(300));
    const Team team(rank_of(rank, 2), meeting, "same", 20);
    (void)team.gather_all("x");
  });
  CHECK(errors[0].empty());
  CHECK(errors[1].empty());
}

}  // namespace
}  // namespace railyard::device
