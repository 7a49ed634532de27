// SPDX-License-Identifier: Apache-2.0
#include "calibrate/device/team/launch_place.h"

#include <map>

#include "base/diagnostic.h"
#include "tests/catch.h"

namespace railyard::device {
namespace {

Environment variables(std::map<std::string, std::string> values) {
  return [values = std::move(values)](const std::string& name) {
    const auto found = values.find(name);
    return found == values.end() ? std::nullopt : std::optional<std::string>(found->second);
  };
}

std::string refusal(const std::map<std::string, std::string>& values) {
  try {
    (void)launch_place(variables(values));
  } catch (const InputError& error) {
    return error.what();
  }
  return "accepted";
}

TEST_CASE("launch: each launcher's variables are understood", "[device]") {
  CHECK(!launch_place(variables({})));
  const auto open = launch_place(variables({{"OMPI_COMM_WORLD_RANK", "3"},
                                            {"OMPI_COMM_WORLD_SIZE", "16"},
                                            {"OMPI_COMM_WORLD_LOCAL_RANK", "3"},
                                            {"OMPI_COMM_WORLD_LOCAL_SIZE", "8"},
                                            {"PMIX_NAMESPACE", "job-7"}}));
  REQUIRE(open);
  CHECK(open->rank == 3);
  CHECK(open->size == 16);
  CHECK(open->local_rank == 3);
  CHECK(open->local_size == 8);
  CHECK(open->job == "job-7");
  const auto slurm = launch_place(variables({{"SLURM_PROCID", "9"},
                                             {"SLURM_STEP_NUM_TASKS", "12"},
                                             {"SLURM_LOCALID", "1"},
                                             {"SLURM_STEP_TASKS_PER_NODE", "8,4(x1)"},
                                             {"SLURM_JOB_ID", "41"}}));
  REQUIRE(slurm);
  CHECK(slurm->rank == 9);
  CHECK(slurm->local_size == 8);
  CHECK(launch_place(variables({{"PMI_RANK", "1"}, {"PMI_SIZE", "2"}}))->launcher == "PMI");
  CHECK(launch_place(variables({{"RANK", "1"}, {"WORLD_SIZE", "2"}}))->launcher == "torchrun");
}

TEST_CASE("launch: a batch script of Slurm is no launch, though it has a rank", "[device]") {
  CHECK(!launch_place(variables({{"SLURM_PROCID", "0"}, {"SLURM_NTASKS", "8"}, {"SLURM_LOCALID", "0"}})));
}

TEST_CASE("launch: half a launch, no numbers and ranks out of range are refused by name", "[device]") {
  CHECK_THAT(refusal({{"OMPI_COMM_WORLD_RANK", "0"}}),
             ContainsSubstring("OMPI_COMM_WORLD_RANK is set, but OMPI_COMM_WORLD_SIZE is not"));
  CHECK_THAT(refusal({{"RANK", "two"}, {"WORLD_SIZE", "4"}}), ContainsSubstring("RANK is 'two'"));
  CHECK_THAT(refusal({{"RANK", "4"}, {"WORLD_SIZE", "4"}}), ContainsSubstring("a whole number from 0 to 3"));
  CHECK_THAT(refusal({{"PMI_RANK", "0"}, {"PMI_SIZE", "0"}}), ContainsSubstring("PMI_SIZE is '0'"));
  CHECK_THAT(refusal({{"RANK", "2"}, {"WORLD_SIZE", "4"}, {"LOCAL_RANK", "2"}, {"LOCAL_WORLD_SIZE", "2"}}),
             ContainsSubstring("a local rank below the local size"));
}

TEST_CASE("launch: processes meet where they are told, at the first node, or here", "[device]") {
  const LaunchPlace two{.rank = 1, .size = 2, .local_rank = -1, .local_size = -1, .launcher = "PMI", .job = "a"};
  const MeetingPlace named = meeting_place(two, "gpu1:4000", variables({{"MASTER_ADDR", "other"}}));
  CHECK(named.host == "gpu1");
  CHECK(named.port == 4000);
  CHECK(meeting_place(two, "/shared/meet", variables({})).file == "/shared/meet");
  const MeetingPlace master = meeting_place(two, "", variables({{"MASTER_ADDR", "gpu2"}, {"MASTER_PORT", "29500"}}));
  CHECK(master.host == "gpu2");
  CHECK(master.port == 29500);
  CHECK(meeting_place(two, "", variables({{"SLURM_STEP_NODELIST", "gpu[07-09]"}})).host == "gpu07");
  LaunchPlace local = two;
  local.local_size = 2;
  const MeetingPlace here = meeting_place(local, "", variables({}));
  CHECK(here.host == "127.0.0.1");
  CHECK(here.port >= 20000);
  CHECK(here.port < 40000);
  // The port follows from the job: all of its processes find it, other jobs seldom do.
  CHECK(meeting_place(local, "", variables({})).port == here.port);
  local.job = "b";
  CHECK(meeting_place(local, "", variables({})).port != here.port);
  CHECK_THROWS_AS(meeting_place(two, "", variables({})), InputError);
  CHECK_THROWS_AS(meeting_place(two, "gpu1", variables({})), InputError);
  CHECK_THROWS_AS(meeting_place(two, "gpu1:99999", variables({})), InputError);
  CHECK_THROWS_AS(meeting_place(two, "", variables({{"MASTER_ADDR", "x"}, {"MASTER_PORT", "many"}})), InputError);
}

TEST_CASE("launch: the first node of a Slurm list", "[device]") {
  CHECK(first_node("gpu[007-009,012],login1") == "gpu007");
  CHECK(first_node("gpu[3,5]") == "gpu3");
  CHECK(first_node("a,b") == "a");
  CHECK(first_node("alone") == "alone");
  CHECK(first_node("a,gpu[1-2]") == "a");
}

TEST_CASE("launch: of GPUs that all processes of a node see, each takes its own", "[device]") {
  LaunchPlace place{.rank = 5, .size = 8, .local_rank = 1, .local_size = 4, .launcher = "PMI", .job = ""};
  CHECK(own_device(place, "") == "1");
  CHECK(own_device(place, "4,5,6,7") == "5");
  CHECK(!own_device(place, "2"));  // the launcher gave one already
  CHECK_THROWS_AS(own_device(place, "0,1"), InputError);
  place.local_size = 1;  // one process a node takes all
  place.local_rank = 0;
  CHECK(!own_device(place, "0,1,2,3"));
  place.local_size = -1;
  CHECK(!own_device(place, ""));
}

}  // namespace
}  // namespace railyard::device
